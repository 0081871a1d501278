/* heap.h: binary heaps and the heap sort, and the merge sort, for arrays of any type.
 *
 * Williams, Algorithm 232: Heapsort, 1964. */
#ifndef SAT_BASE_HEAP_H
#define SAT_BASE_HEAP_H

#include <stdint.h>
#include <string.h>

/* Defines PREFIX_sift_down, which moves an element that may be below its children to its place. */
#define SAT_DEFINE_SIFT_DOWN(T, PREFIX, is_above)                                                  \
  static void PREFIX##_sift_down(T at[], size_t count, size_t index) {                             \
    T element = at[index];                                                                         \
    for (size_t child; (child = 2 * index + 1) < count; index = child) {                           \
      child += child + 1 < count && is_above(&at[child + 1], &at[child]);                          \
      if (!is_above(&at[child], &element)) break;                                                  \
      at[index] = at[child];                                                                       \
    }                                                                                              \
    at[index] = element;                                                                           \
  }

/* Defines PREFIX_sift_up and PREFIX_sift_down for heaps of T. The top is above all others by
 * `is_above`, which takes two pointers. */
#define SAT_DEFINE_HEAP(T, PREFIX, is_above)                                                       \
  SAT_DEFINE_SIFT_DOWN(T, PREFIX, is_above)                                                        \
  static void PREFIX##_sift_up(T at[], size_t index) {                                             \
    T element = at[index];                                                                         \
    for (; index > 0 && is_above(&element, &at[(index - 1) / 2]); index = (index - 1) / 2)         \
      at[index] = at[(index - 1) / 2];                                                             \
    at[index] = element;                                                                           \
  }

/* Defines PREFIX_heapify, which makes a heap of an array of T, with PREFIX_sift_down, and
 * PREFIX_sort, which sorts an array: the element above all others comes last. An array in order
 * is left as it is. */
#define SAT_DEFINE_SORT(T, PREFIX, is_above)                                                       \
  SAT_DEFINE_SIFT_DOWN(T, PREFIX, is_above)                                                        \
  static void PREFIX##_heapify(T at[], size_t count) {                                             \
    for (size_t i = count / 2; i-- > 0;) PREFIX##_sift_down(at, count, i);                         \
  }                                                                                                \
  static void PREFIX##_sort(T at[], size_t count) {                                                \
    size_t sorted = 1;                                                                             \
    while (sorted < count && !is_above(&at[sorted - 1], &at[sorted])) sorted++;                    \
    if (sorted >= count) return;                                                                   \
    PREFIX##_heapify(at, count);                                                                   \
    while (count > 1) {                                                                            \
      T top = at[0];                                                                               \
      at[0] = at[--count];                                                                         \
      at[count] = top;                                                                             \
      PREFIX##_sift_down(at, count, 0);                                                            \
    }                                                                                              \
  }

/* Defines PREFIX_sort, which leaves equal elements in their order. `comes_before` takes what the
 * elements are sorted by, and two pointers; `spare` has room for as many elements. No branch
 * depends on which of two comes first. */
#define SAT_DEFINE_MERGESORT(T, PREFIX, comes_before)                                              \
  static void PREFIX##_merge(const T from[], T to[], size_t start, size_t middle, size_t end,      \
                             const void *by) {                                                     \
    size_t i = start, j = middle;                                                                  \
    (void)by;                                                                                      \
    to += start;                                                                                   \
    while (i < middle && j < end) {                                                                \
      bool second = comes_before(by, &from[j], &from[i]);                                          \
      *to++ = from[second ? j : i];                                                                \
      i += !second;                                                                                \
      j += second;                                                                                 \
    }                                                                                              \
    memcpy(to, from + i, (middle - i) * sizeof *to);                                               \
    memcpy(to + (middle - i), from + j, (end - j) * sizeof *to);                                   \
  }                                                                                                \
  static void PREFIX##_sort(T at[], T spare[], size_t count, const void *by) {                     \
    for (uint64_t run = 1; run < count; run *= 4)                                                  \
      for (int back = 0; back < 2; back++)                                                         \
        for (uint64_t start = 0, end; start < count; start = end) {                                \
          uint64_t middle = start + (run << back);                                                 \
          middle = middle < count ? middle : count;                                                \
          end = middle + (run << back) < count ? middle + (run << back) : count;                   \
          PREFIX##_merge(back ? spare : at, back ? at : spare, (size_t)start, (size_t)middle,      \
                         (size_t)end, by);                                                         \
        }                                                                                          \
  }

#endif
