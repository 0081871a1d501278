/* uint4.h: four integers below 2^31, with SSE2 where the processor has it and plain C elsewhere. */
#ifndef SAT_BASE_UINT4_H
#define SAT_BASE_UINT4_H

#include "base/base.h"

#ifdef __SSE2__
#include <emmintrin.h>

typedef __m128i uint4;

SAT_INLINE uint4 uint4_load(const uint32_t *values) {
  return _mm_loadu_si128((const __m128i *)(const void *)values);
}
SAT_INLINE void uint4_store(uint32_t *values, uint4 value) {
  _mm_storeu_si128((__m128i *)(void *)values, value);
}
SAT_INLINE uint4 uint4_all(uint32_t value) { return _mm_set1_epi32((int)value); }
SAT_INLINE uint4 uint4_add(uint4 a, uint4 b) { return _mm_add_epi32(a, b); }
/* Adds 1 to each number of `count` where that of `a` is less than that of `b`. */
SAT_INLINE uint4 uint4_count_less(uint4 count, uint4 a, uint4 b) {
  return _mm_sub_epi32(count, _mm_cmplt_epi32(a, b));
}
/* The bits of the numbers of `a` that are less than those of `b`. */
SAT_INLINE uint32_t uint4_which_less(uint4 a, uint4 b) {
  return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmplt_epi32(a, b)));
}
#else
typedef struct uint4 {
  uint32_t at[4];
} uint4;

SAT_INLINE uint4 uint4_load(const uint32_t *values) {
  uint4 value = {{values[0], values[1], values[2], values[3]}};
  return value;
}
SAT_INLINE void uint4_store(uint32_t *values, uint4 value) {
  for (int i = 0; i < 4; i++) values[i] = value.at[i];
}
SAT_INLINE uint4 uint4_all(uint32_t value) {
  uint4 values = {{value, value, value, value}};
  return values;
}
SAT_INLINE uint4 uint4_add(uint4 a, uint4 b) {
  for (int i = 0; i < 4; i++) a.at[i] += b.at[i];
  return a;
}
/* Adds 1 to each number of `count` where that of `a` is less than that of `b`. */
SAT_INLINE uint4 uint4_count_less(uint4 count, uint4 a, uint4 b) {
  for (int i = 0; i < 4; i++) count.at[i] += a.at[i] < b.at[i];
  return count;
}
/* The bits of the numbers of `a` that are less than those of `b`. */
SAT_INLINE uint32_t uint4_which_less(uint4 a, uint4 b) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < 4; i++) bits |= (uint32_t)(a.at[i] < b.at[i]) << i;
  return bits;
}
#endif

#endif
