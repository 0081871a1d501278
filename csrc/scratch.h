/* scratch.h: working memory for one call. */
#ifndef SAT_SCRATCH_H
#define SAT_SCRATCH_H

#include "geometry.h"

/* At least `bytes` (more than 0) of memory, aligned as the allocator's blocks are, or NULL when it
 * gives none. What the block held before stays in it, but it may have moved. Valid until the next
 * call with the same scratch. */
void *sat_scratch_reserve(sat_Scratch *scratch, size_t bytes);

#endif
