/* simd_avx.h: four doubles in one register of AVX. */
#ifndef SAT_BASE_SIMD_AVX_H
#define SAT_BASE_SIMD_AVX_H

#include "base/vec2.h"

#include <immintrin.h>

typedef __m256d double4;

SAT_INLINE double4 double4_of(double x) { return _mm256_set1_pd(x); }
SAT_INLINE double4 double4_load(const double *x) { return _mm256_loadu_pd(x); }
SAT_INLINE void double4_store(double *x, double4 a) { _mm256_storeu_pd(x, a); }
SAT_INLINE double4 double4_add(double4 a, double4 b) { return _mm256_add_pd(a, b); }
SAT_INLINE double4 double4_sub(double4 a, double4 b) { return _mm256_sub_pd(a, b); }
SAT_INLINE double4 double4_mul(double4 a, double4 b) { return _mm256_mul_pd(a, b); }
SAT_INLINE double4 double4_div(double4 a, double4 b) { return _mm256_div_pd(a, b); }
SAT_INLINE double4 double4_sqrt(double4 a) { return _mm256_sqrt_pd(a); }
SAT_INLINE double4 double4_min(double4 a, double4 b) { return _mm256_min_pd(a, b); }
SAT_INLINE double4 double4_max(double4 a, double4 b) { return _mm256_max_pd(a, b); }

SAT_INLINE double double4_last(double4 a) {
  __m128d two = _mm256_extractf128_pd(a, 1);
  return _mm_cvtsd_f64(_mm_unpackhi_pd(two, two));
}

/* The largest of the four numbers. */
SAT_INLINE double double4_greatest(double4 a) {
  __m128d two = _mm_max_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
  return _mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two)));
}

/* The smallest of the four numbers. */
SAT_INLINE double double4_least(double4 a) {
  __m128d two = _mm_min_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
  return _mm_cvtsd_f64(_mm_min_sd(two, _mm_unpackhi_pd(two, two)));
}

/* The last number of `before` and the first three of `a`. */
SAT_INLINE double4 double4_shift_in(double4 before, double4 a) {
  return _mm256_shuffle_pd(_mm256_permute2f128_pd(before, a, 0x21), a, 5);
}

/* The last three numbers of `a` and the first of `next`. */
SAT_INLINE double4 double4_shift_out(double4 a, double4 next) {
  return _mm256_shuffle_pd(a, _mm256_permute2f128_pd(a, next, 0x21), 5);
}

/* Stores four vectors, given by their x and their y. */
SAT_INLINE void double4_store_vectors(sat_Vec2 *v, double4 x, double4 y) {
  __m256d even = _mm256_unpacklo_pd(x, y), odd = _mm256_unpackhi_pd(x, y);
  _mm256_storeu_pd(&v[0].x, _mm256_permute2f128_pd(even, odd, 0x20));
  _mm256_storeu_pd(&v[2].x, _mm256_permute2f128_pd(even, odd, 0x31));
}

/* A vector twice: x, y, x, y. */
SAT_INLINE double4 double4_twice(sat_Vec2 v) {
  __m128d both = _mm_set_pd(v.y, v.x);
  return _mm256_insertf128_pd(_mm256_castpd128_pd256(both), both, 1);
}

/* The x of each of two vectors, twice in a row; and the y. */
SAT_INLINE double4 double4_each_x(double4 a) { return _mm256_unpacklo_pd(a, a); }
SAT_INLINE double4 double4_each_y(double4 a) { return _mm256_unpackhi_pd(a, a); }

/* Splits four vectors into their x and their y. */
SAT_INLINE void double4_load_vectors(const sat_Vec2 *const v[4], double4 *x, double4 *y) {
  __m256d even = _mm256_castpd128_pd256(_mm_loadu_pd(&v[0]->x)),
          odd = _mm256_castpd128_pd256(_mm_loadu_pd(&v[1]->x));
  even = _mm256_insertf128_pd(even, _mm_loadu_pd(&v[2]->x), 1);
  odd = _mm256_insertf128_pd(odd, _mm_loadu_pd(&v[3]->x), 1);
  *x = _mm256_unpacklo_pd(even, odd);
  *y = _mm256_unpackhi_pd(even, odd);
}

/* Selects the numbers of `x` where `a` is greater than `b`, else those of `y`. */
SAT_INLINE double4 double4_where_more(double4 a, double4 b, double4 x, double4 y) {
  double4 more = _mm256_cmp_pd(a, b, _CMP_GT_OQ);
  return _mm256_or_pd(_mm256_and_pd(more, x), _mm256_andnot_pd(more, y));
}

/* A mask with bit i set where number i is at least `limit`. */
SAT_INLINE uint32_t double4_at_least(double4 a, double limit) {
  return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(a, _mm256_set1_pd(limit), _CMP_GE_OQ));
}

#endif
