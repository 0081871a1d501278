/* merge_sort.h: the merge sort, for arrays of structs. */
#ifndef SAT_BASE_MERGE_SORT_H
#define SAT_BASE_MERGE_SORT_H

#include <stdint.h>
#include <string.h>

/* Defines PREFIX_sort, which sorts by a field and leaves equal elements in their order. `spare` has
 * room for as many. No branch depends on which of two elements comes first. */
#define SAT_DEFINE_MERGESORT(T, PREFIX, key)                                                       \
  static void PREFIX##_merge(const T from[], T to[], size_t start, size_t middle, size_t end) {    \
    size_t i = start, j = middle;                                                                  \
    to += start;                                                                                   \
    while (i < middle && j < end) {                                                                \
      bool second = from[j].key < from[i].key;                                                     \
      *to++ = from[second ? j : i];                                                                \
      i += !second;                                                                                \
      j += second;                                                                                 \
    }                                                                                              \
    memcpy(to, from + i, (middle - i) * sizeof *to);                                               \
    memcpy(to + (middle - i), from + j, (end - j) * sizeof *to);                                   \
  }                                                                                                \
  static void PREFIX##_merge_runs(const T from[], T to[], size_t count, uint64_t run) {            \
    for (uint64_t start = 0; start < count; start += 2 * run) {                                    \
      uint64_t middle = start + run < count ? start + run : count;                                 \
      uint64_t end = middle + run < count ? middle + run : count;                                  \
      PREFIX##_merge(from, to, (size_t)start, (size_t)middle, (size_t)end);                        \
    }                                                                                              \
  }                                                                                                \
  static void PREFIX##_sort(T at[], T spare[], size_t count) {                                     \
    for (uint64_t run = 1; run < count; run *= 4) {                                                \
      PREFIX##_merge_runs(at, spare, count, run);                                                  \
      PREFIX##_merge_runs(spare, at, count, 2 * run);                                              \
    }                                                                                              \
  }

#endif
