/* prefetch.h: brings memory into the processor's cache before it is read.
 *
 * A processor waits for memory about as long as for a hundred additions, unless other work comes
 * first. */
#ifndef SAT_BASE_PREFETCH_H
#define SAT_BASE_PREFETCH_H

#include "base/base.h"

#define SAT_CACHE_LINE 64 /* bytes, on most processors */

/* Brings the cache line where these bytes begin, and as many more as they fill. GCC drops calls of
 * functions that do nothing else, so that these and their like are inlined always. */
SAT_INLINE void prefetch(const void *from, size_t bytes) {
#ifdef __GNUC__
  for (size_t i = 0; i < bytes; i += SAT_CACHE_LINE) __builtin_prefetch((const char *)from + i);
#else
  (void)from;
  (void)bytes;
#endif
}

#endif
