/* list.h: how lists of results grow, whatever is in them. */
#ifndef SAT_LIST_H
#define SAT_LIST_H

#include "geometry.h"

/* Makes room for `more` elements of `size` bytes behind `count`: the list is in `*at`, with room for
 * `*capacity`. SAT_ENOMEM leaves it as it was. */
sat_Status sat_list_reserve(const sat_Allocator *allocator, void **at, size_t count,
                            size_t *capacity, size_t more, size_t size);
void sat_list_release(const sat_Allocator *allocator, void *at, size_t capacity, size_t size);

#endif
