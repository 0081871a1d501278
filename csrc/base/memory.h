/* memory.h: working memory for one call, and growable arrays. */
#ifndef SAT_BASE_MEMORY_H
#define SAT_BASE_MEMORY_H

#include "base/base.h"

/* Returns at least `bytes` (more than 0) of memory, aligned as the allocator's blocks are, or NULL
 * when the allocator gives none. The block keeps its contents, but may move. The pointer is valid
 * until the next call with the same scratch. */
void *sat_scratch_reserve(sat_Scratch *scratch, size_t bytes);

/* Makes room for `more` elements of `size` bytes behind `count`: the list is in `*at`, with room
 * for `*capacity`. SAT_ENOMEM leaves it as it was. */
sat_Status sat_list_reserve(const sat_Allocator *allocator, void **at, size_t count,
                            size_t *capacity, size_t more, size_t size);
void sat_list_release(const sat_Allocator *allocator, void *at, size_t capacity, size_t size);

#endif
