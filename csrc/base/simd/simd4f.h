/* simd4f.h: four floats, and four integers below 2^31, with SSE2 where the processor has it and
 * plain C elsewhere; and boxes of four floats, which are compared at once.
 *
 * A float box holds least x, least y, and the negated greatest x and y, so that all four are
 * rounded in the same direction, outward. Its overlap limits are the float box negated, with its
 * halves swapped: another float box overlaps the first if all four numbers of the other are at most
 * the limits. */
#ifndef SAT_BASE_SIMD4F_H
#define SAT_BASE_SIMD4F_H

#include "base/base.h"
#include "base/tolerance.h"

#ifdef __SSE2__
#include <emmintrin.h>

typedef __m128 float4;

SAT_INLINE float4 float4_load(const float *values) { return _mm_loadu_ps(values); }
SAT_INLINE void float4_store(float *values, float4 value) { _mm_storeu_ps(values, value); }
SAT_INLINE float4 float4_all(float value) { return _mm_set1_ps(value); }
SAT_INLINE float4 float4_max(float4 a, float4 b) { return _mm_max_ps(a, b); }
/* Whether each number of `a` is at most that of `b`. */
SAT_INLINE bool float4_below(float4 a, float4 b) {
  return _mm_movemask_ps(_mm_cmple_ps(a, b)) == 15;
}
/* A mask with the bits of those of four float boxes that are at most the limits. */
SAT_INLINE uint32_t float4_four_below(float4 a, float4 b, float4 c, float4 d, float4 limits) {
  a = _mm_cmple_ps(a, limits);
  b = _mm_cmple_ps(b, limits);
  c = _mm_cmple_ps(c, limits);
  d = _mm_cmple_ps(d, limits);
  __m128 ab = _mm_and_ps(_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
  __m128 cd = _mm_and_ps(_mm_unpacklo_ps(c, d), _mm_unpackhi_ps(c, d));
  return (uint32_t)_mm_movemask_ps(_mm_and_ps(_mm_movelh_ps(ab, cd), _mm_movehl_ps(cd, ab)));
}
/* Lowers each number by a part of its size, and numbers next to 0 by more than that. */
SAT_INLINE float4 float4_lower(float4 a, float ratio) {
  __m128 size = _mm_andnot_ps(_mm_set1_ps(-0.0f), a);
  return _mm_sub_ps(
      a, _mm_add_ps(_mm_mul_ps(size, _mm_set1_ps(ratio)), _mm_set1_ps(ratio * SAT_NEXT_TO_0)));
}
/* The negated numbers, with the halves swapped. */
SAT_INLINE float4 sat_overlap_limits(float4 float_box) {
  return _mm_xor_ps(_mm_shuffle_ps(float_box, float_box, _MM_SHUFFLE(1, 0, 3, 2)),
                    _mm_set1_ps(-0.0f));
}
/* A float box of these sides, each rounded to the nearest float. */
SAT_INLINE float4 float4_round(double x, double y, double right, double bottom) {
  __m128 min = _mm_cvtpd_ps(_mm_set_pd(y, x));
  __m128 max = _mm_cvtpd_ps(_mm_set_pd(-bottom, -right));
  return _mm_movelh_ps(min, max);
}

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
#define SAT_FOUR_NUMBERS(vector, number)                                                           \
  typedef struct vector {                                                                          \
    number at[4];                                                                                  \
  } vector;                                                                                        \
  SAT_INLINE vector vector##_load(const number *values) {                                          \
    return (vector){{values[0], values[1], values[2], values[3]}};                                 \
  }                                                                                                \
  SAT_INLINE void vector##_store(number *values, vector value) {                                   \
    for (int i = 0; i < 4; i++) values[i] = value.at[i];                                           \
  }                                                                                                \
  SAT_INLINE vector vector##_all(number value) { return (vector){{value, value, value, value}}; }
SAT_FOUR_NUMBERS(float4, float)
SAT_FOUR_NUMBERS(uint4, uint32_t)

SAT_INLINE float4 float4_max(float4 a, float4 b) {
  for (int i = 0; i < 4; i++) a.at[i] = a.at[i] > b.at[i] ? a.at[i] : b.at[i];
  return a;
}
/* A single branch decides all four comparisons. */
SAT_INLINE bool float4_below(float4 a, float4 b) {
  return (a.at[0] <= b.at[0]) & (a.at[1] <= b.at[1]) & (a.at[2] <= b.at[2]) & (a.at[3] <= b.at[3]);
}
SAT_INLINE uint32_t float4_four_below(float4 a, float4 b, float4 c, float4 d, float4 limits) {
  return (uint32_t)float4_below(a, limits) | (uint32_t)float4_below(b, limits) << 1 |
         (uint32_t)float4_below(c, limits) << 2 | (uint32_t)float4_below(d, limits) << 3;
}
SAT_INLINE float4 float4_lower(float4 a, float ratio) {
  for (int i = 0; i < 4; i++) a.at[i] = a.at[i] - (fabsf(a.at[i]) * ratio + ratio * SAT_NEXT_TO_0);
  return a;
}
SAT_INLINE float4 sat_overlap_limits(float4 float_box) {
  const float *at = float_box.at;
  return (float4){{-at[2], -at[3], -at[0], -at[1]}};
}
SAT_INLINE float4 float4_round(double x, double y, double right, double bottom) {
  return (float4){{(float)x, (float)y, (float)-right, (float)-bottom}};
}

SAT_INLINE uint4 uint4_add(uint4 a, uint4 b) {
  for (int i = 0; i < 4; i++) a.at[i] += b.at[i];
  return a;
}
SAT_INLINE uint4 uint4_count_less(uint4 count, uint4 a, uint4 b) {
  for (int i = 0; i < 4; i++) count.at[i] += a.at[i] < b.at[i];
  return count;
}
SAT_INLINE uint32_t uint4_which_less(uint4 a, uint4 b) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < 4; i++) bits |= (uint32_t)(a.at[i] < b.at[i]) << i;
  return bits;
}
#endif

/* The float box of a hole: it overlaps nothing. */
SAT_INLINE float4 sat_empty_float_box(void) { return float4_all(HUGE_VALF); }

/* A float box at or below these limits proves that the boxes themselves overlap. */
SAT_INLINE float4 sat_certain_limits(float4 limits) { return float4_lower(limits, SAT_INWARD); }

#endif
