/* memory.h: working memory for one call. */
#ifndef SAT_BASE_MEMORY_H
#define SAT_BASE_MEMORY_H

#include "base/base.h"

/* At least `bytes` (more than 0) of memory, aligned as the allocator's blocks are, or NULL when it
 * gives none. What the block held before stays in it, but it may have moved. Valid until the next
 * call with the same scratch. */
void *sat_scratch_reserve(sat_Scratch *scratch, size_t bytes);

/* How lists of results grow, whatever is in them. */

/* Makes room for `more` elements of `size` bytes behind `count`: the list is in `*at`, with room
 * for `*capacity`. SAT_ENOMEM leaves it as it was. */
sat_Status sat_list_reserve(const sat_Allocator *allocator, void **at, size_t count,
                            size_t *capacity, size_t more, size_t size);
void sat_list_release(const sat_Allocator *allocator, void *at, size_t capacity, size_t size);

#endif
