/* simd_sse2.h: four doubles in two registers of SSE2. */
#ifndef SAT_BASE_SIMD_SSE2_H
#define SAT_BASE_SIMD_SSE2_H

#include "base/double2.h"

typedef struct double4 {
  __m128d low, high;
} double4;

#define SAT_DOUBLE4_PAIRS(name, operation)                                                         \
  SAT_INLINE double4 name(double4 a, double4 b) {                                                  \
    return (double4){operation(a.low, b.low), operation(a.high, b.high)};                          \
  }
SAT_DOUBLE4_PAIRS(double4_add, _mm_add_pd)
SAT_DOUBLE4_PAIRS(double4_sub, _mm_sub_pd)
SAT_DOUBLE4_PAIRS(double4_mul, _mm_mul_pd)
SAT_DOUBLE4_PAIRS(double4_div, _mm_div_pd)
SAT_DOUBLE4_PAIRS(double4_min, _mm_min_pd)
SAT_DOUBLE4_PAIRS(double4_max, _mm_max_pd)

SAT_INLINE double4 double4_of(double x) { return (double4){_mm_set1_pd(x), _mm_set1_pd(x)}; }
SAT_INLINE double4 double4_load(const double *x) {
  return (double4){_mm_loadu_pd(x), _mm_loadu_pd(x + 2)};
}
SAT_INLINE void double4_store(double *x, double4 a) {
  _mm_storeu_pd(x, a.low);
  _mm_storeu_pd(x + 2, a.high);
}

SAT_INLINE double4 double4_sqrt(double4 a) {
  return (double4){_mm_sqrt_pd(a.low), _mm_sqrt_pd(a.high)};
}

SAT_INLINE double double4_last(double4 a) { return _mm_cvtsd_f64(_mm_unpackhi_pd(a.high, a.high)); }
SAT_INLINE double double4_greatest(double4 a) {
  __m128d two = _mm_max_pd(a.low, a.high);
  return _mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two)));
}

SAT_INLINE double double4_least(double4 a) {
  __m128d two = _mm_min_pd(a.low, a.high);
  return _mm_cvtsd_f64(_mm_min_sd(two, _mm_unpackhi_pd(two, two)));
}

SAT_INLINE double4 double4_shift_in(double4 before, double4 a) {
  return (double4){_mm_shuffle_pd(before.high, a.low, 1), _mm_shuffle_pd(a.low, a.high, 1)};
}

SAT_INLINE double4 double4_shift_out(double4 a, double4 next) {
  return (double4){_mm_shuffle_pd(a.low, a.high, 1), _mm_shuffle_pd(a.high, next.low, 1)};
}

SAT_INLINE void double4_store_vectors(sat_Vec2 *v, double4 x, double4 y) {
  _mm_storeu_pd(&v[0].x, _mm_unpacklo_pd(x.low, y.low));
  _mm_storeu_pd(&v[1].x, _mm_unpackhi_pd(x.low, y.low));
  _mm_storeu_pd(&v[2].x, _mm_unpacklo_pd(x.high, y.high));
  _mm_storeu_pd(&v[3].x, _mm_unpackhi_pd(x.high, y.high));
}

SAT_INLINE double4 double4_twice(sat_Vec2 v) {
  __m128d both = _mm_set_pd(v.y, v.x);
  return (double4){both, both};
}
SAT_INLINE double4 double4_each_x(double4 a) {
  return (double4){_mm_unpacklo_pd(a.low, a.low), _mm_unpacklo_pd(a.high, a.high)};
}
SAT_INLINE double4 double4_each_y(double4 a) {
  return (double4){_mm_unpackhi_pd(a.low, a.low), _mm_unpackhi_pd(a.high, a.high)};
}

SAT_INLINE void double4_load_vectors(const sat_Vec2 *const v[4], double4 *x, double4 *y) {
  __m128d a = _mm_loadu_pd(&v[0]->x), b = _mm_loadu_pd(&v[1]->x), c = _mm_loadu_pd(&v[2]->x),
          d = _mm_loadu_pd(&v[3]->x);
  *x = (double4){_mm_unpacklo_pd(a, b), _mm_unpacklo_pd(c, d)};
  *y = (double4){_mm_unpackhi_pd(a, b), _mm_unpackhi_pd(c, d)};
}

SAT_INLINE double4 double4_where_more(double4 a, double4 b, double4 x, double4 y) {
  return (double4){double2_where_more(a.low, b.low, x.low, y.low),
                   double2_where_more(a.high, b.high, x.high, y.high)};
}

SAT_INLINE uint32_t double4_at_least(double4 a, double limit) {
  __m128d limits = _mm_set1_pd(limit);
  int low = _mm_movemask_pd(_mm_cmpge_pd(a.low, limits)),
      high = _mm_movemask_pd(_mm_cmpge_pd(a.high, limits));
  return (uint32_t)(low | high << 2);
}

#endif
