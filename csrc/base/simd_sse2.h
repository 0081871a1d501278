/* simd_sse2.h: see base/simd.h. Two registers of two. */
#ifndef SAT_BASE_SIMD_SSE2_H
#define SAT_BASE_SIMD_SSE2_H

#include "base/vec2.h"

#include <emmintrin.h>

typedef struct Four {
  __m128d low, high;
} Four;

#define FOUR_BY_TWO(name, operation)                                                               \
  SAT_INLINE Four name(Four a, Four b) {                                                           \
    return (Four){operation(a.low, b.low), operation(a.high, b.high)};                             \
  }
FOUR_BY_TWO(four_add, _mm_add_pd)
FOUR_BY_TWO(four_sub, _mm_sub_pd)
FOUR_BY_TWO(four_mul, _mm_mul_pd)
FOUR_BY_TWO(four_min, _mm_min_pd)
FOUR_BY_TWO(four_max, _mm_max_pd)

SAT_INLINE Four four_of(double x) { return (Four){_mm_set1_pd(x), _mm_set1_pd(x)}; }
SAT_INLINE Four four_load(const double *x) { return (Four){_mm_loadu_pd(x), _mm_loadu_pd(x + 2)}; }
SAT_INLINE void four_store(double *x, Four a) {
  _mm_storeu_pd(x, a.low);
  _mm_storeu_pd(x + 2, a.high);
}

SAT_INLINE double four_last(Four a) { return _mm_cvtsd_f64(_mm_unpackhi_pd(a.high, a.high)); }
SAT_INLINE double four_greatest(Four a) {
  __m128d two = _mm_max_pd(a.low, a.high);
  return _mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two)));
}

SAT_INLINE __m128d two_where_more(__m128d a, __m128d b, __m128d x, __m128d y) {
  __m128d more = _mm_cmpgt_pd(a, b);
  return _mm_or_pd(_mm_and_pd(more, x), _mm_andnot_pd(more, y));
}
SAT_INLINE Four four_where_more(Four a, Four b, Four x, Four y) {
  return (Four){two_where_more(a.low, b.low, x.low, y.low),
                two_where_more(a.high, b.high, x.high, y.high)};
}

SAT_INLINE uint32_t four_at_least(Four a, double limit) {
  __m128d limits = _mm_set1_pd(limit);
  int low = _mm_movemask_pd(_mm_cmpge_pd(a.low, limits)),
      high = _mm_movemask_pd(_mm_cmpge_pd(a.high, limits));
  return (uint32_t)(low | high << 2);
}

#endif
