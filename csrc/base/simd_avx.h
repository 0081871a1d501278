/* simd_avx.h: see base/simd.h. One register holds all four. */
#ifndef SAT_BASE_SIMD_AVX_H
#define SAT_BASE_SIMD_AVX_H

#include "base/vec2.h"

#include <immintrin.h>

typedef __m256d Four;

SAT_INLINE Four four_of(double x) { return _mm256_set1_pd(x); }
SAT_INLINE Four four_load(const double *x) { return _mm256_loadu_pd(x); }
SAT_INLINE void four_store(double *x, Four a) { _mm256_storeu_pd(x, a); }
SAT_INLINE Four four_add(Four a, Four b) { return _mm256_add_pd(a, b); }
SAT_INLINE Four four_sub(Four a, Four b) { return _mm256_sub_pd(a, b); }
SAT_INLINE Four four_mul(Four a, Four b) { return _mm256_mul_pd(a, b); }
SAT_INLINE Four four_min(Four a, Four b) { return _mm256_min_pd(a, b); }
SAT_INLINE Four four_max(Four a, Four b) { return _mm256_max_pd(a, b); }

SAT_INLINE double four_last(Four a) {
  __m128d two = _mm256_extractf128_pd(a, 1);
  return _mm_cvtsd_f64(_mm_unpackhi_pd(two, two));
}

/* The greatest of the four. */
SAT_INLINE double four_greatest(Four a) {
  __m128d two = _mm_max_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
  return _mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two)));
}

/* Where `a` is more than `b`, of `x`, else of `y`. */
SAT_INLINE Four four_where_more(Four a, Four b, Four x, Four y) {
  Four more = _mm256_cmp_pd(a, b, _CMP_GT_OQ);
  return _mm256_or_pd(_mm256_and_pd(more, x), _mm256_andnot_pd(more, y));
}

/* A bit for each that is at least `limit`, the first one's lowest. */
SAT_INLINE uint32_t four_at_least(Four a, double limit) {
  return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(a, _mm256_set1_pd(limit), _CMP_GE_OQ));
}

#endif
