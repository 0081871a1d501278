/* double2.h: both coordinates of a vector at once, by SSE2, or, where there is none, one by one. */
#ifndef SAT_BASE_DOUBLE2_H
#define SAT_BASE_DOUBLE2_H

#include "base/double_double.h"

#ifdef __SSE2__
#include <emmintrin.h>

typedef __m128d double2;

#define SAT_DOUBLE2_PAIRS(name, instruction)                                                       \
  SAT_INLINE double2 double2_##name(double2 a, double2 b) { return _mm_##instruction##_pd(a, b); }
SAT_DOUBLE2_PAIRS(add, add)
SAT_DOUBLE2_PAIRS(sub, sub)
SAT_DOUBLE2_PAIRS(mul, mul)
SAT_DOUBLE2_PAIRS(div, div)
SAT_DOUBLE2_PAIRS(min, min)
SAT_DOUBLE2_PAIRS(max, max)
/* The first numbers of both; the second ones; the second number of a and the first of b. */
SAT_DOUBLE2_PAIRS(firsts, unpacklo)
SAT_DOUBLE2_PAIRS(seconds, unpackhi)
SAT_INLINE double2 double2_across(double2 a, double2 b) { return _mm_shuffle_pd(a, b, 1); }

SAT_INLINE double2 double2_of(double x, double y) { return _mm_set_pd(y, x); }
SAT_INLINE double2 double2_load(const sat_Vec2 *v) { return _mm_loadu_pd(&v->x); }
SAT_INLINE void double2_store(sat_Vec2 *v, double2 a) { _mm_storeu_pd(&v->x, a); }
SAT_INLINE double2 double2_sqrt(double2 a) { return _mm_sqrt_pd(a); }
/* The numbers of `yes` where those of a are more than those of b, and else those of `no`. */
SAT_INLINE double2 double2_where_more(double2 a, double2 b, double2 yes, double2 no) {
  __m128d more = _mm_cmpgt_pd(a, b);
  return _mm_or_pd(_mm_and_pd(more, yes), _mm_andnot_pd(more, no));
}
SAT_INLINE double double2_first(double2 a) { return _mm_cvtsd_f64(a); }
SAT_INLINE double double2_greatest(double2 a) {
  return _mm_cvtsd_f64(_mm_max_sd(a, _mm_unpackhi_pd(a, a)));
}
SAT_INLINE double double2_least(double2 a) {
  return _mm_cvtsd_f64(_mm_min_sd(a, _mm_unpackhi_pd(a, a)));
}
/* One bit for each number of a that is more than that of b; or that is at least `limit`. */
SAT_INLINE uint32_t double2_more(double2 a, double2 b) {
  return (uint32_t)_mm_movemask_pd(_mm_cmpgt_pd(a, b));
}
SAT_INLINE uint32_t double2_at_least(double2 a, double limit) {
  return (uint32_t)_mm_movemask_pd(_mm_cmpge_pd(a, _mm_set1_pd(limit)));
}
/* One bit for each number of a - b that is exact: the rounding errors of Knuth's sum vanish. */
SAT_INLINE uint32_t double2_exact(double2 difference, double2 a, double2 b) {
  return (uint32_t)_mm_movemask_pd(_mm_and_pd(_mm_cmpeq_pd(_mm_sub_pd(a, difference), b),
                                              _mm_cmpeq_pd(_mm_add_pd(difference, b), a)));
}
/* Whether both numbers of a are at most those of b, and both of c at most those of d. */
SAT_INLINE bool double2_in_order(double2 a, double2 b, double2 c, double2 d) {
  return _mm_movemask_pd(_mm_and_pd(_mm_cmple_pd(a, b), _mm_cmple_pd(c, d))) == 3;
}
/* Load and store two adjacent numbers; store the two numbers in two places. */
SAT_INLINE double2 double2_load_pair(const double pair[2]) { return _mm_loadu_pd(pair); }
SAT_INLINE void double2_store_pair(double pair[2], double2 a) { _mm_storeu_pd(pair, a); }
SAT_INLINE void double2_split(double2 a, double *x, double *y) {
  _mm_storel_pd(x, a);
  _mm_storeh_pd(y, a);
}
/* The integer parts of two numbers. */
SAT_INLINE void double2_truncate(double2 a, int32_t *x, int32_t *y) {
  __m128i whole = _mm_cvttpd_epi32(a);
  *x = _mm_cvtsi128_si32(whole);
  *y = _mm_cvtsi128_si32(_mm_shuffle_epi32(whole, 1));
}
/* The sine and the cosine, in this order, of an angle that grows by `quarters` quarter turns. */
SAT_INLINE double2 double2_add_quarters(double2 a, uint64_t quarters) {
  __m128i both = _mm_set1_epi64x((int64_t)quarters);
  __m128i odd = _mm_shuffle_epi32(_mm_srai_epi32(_mm_slli_epi64(both, 63), 31), 0xf5);
  __m128i second = _mm_slli_epi64(_mm_add_epi64(both, _mm_set_epi32(0, 1, 0, 0)), 62);
  __m128d swaps = _mm_castsi128_pd(odd), swapped = _mm_shuffle_pd(a, a, 1);
  __m128d signs = _mm_and_pd(_mm_castsi128_pd(second), _mm_set1_pd(-0.0));
  a = _mm_or_pd(_mm_and_pd(swaps, swapped), _mm_andnot_pd(swaps, a));
  return _mm_xor_pd(a, signs);
}
/* sqrt may be a call, which sets errno where x is negative. */
SAT_INLINE double square_root(double x) { return _mm_cvtsd_f64(_mm_sqrt_pd(_mm_set1_pd(x))); }
SAT_INLINE double2 double2_neg(double2 a) { return _mm_xor_pd(a, _mm_set1_pd(-0.0)); }
SAT_INLINE double2 double2_abs(double2 a) { return _mm_andnot_pd(_mm_set1_pd(-0.0), a); }
SAT_INLINE double double2_sum(double2 a) {
  return _mm_cvtsd_f64(_mm_add_sd(a, _mm_unpackhi_pd(a, a)));
}
/* sum_down of both numbers: where the rounding error is negative, the bits of a positive sum go
 * down by one, and those of a negative sum up. */
SAT_INLINE double2 double2_sum_down(double2 a, double2 b) {
  double2 sum = _mm_add_pd(a, b);
  double2 of_b = _mm_sub_pd(sum, a), of_a = _mm_sub_pd(sum, of_b);
  double2 low = _mm_add_pd(_mm_sub_pd(a, of_a), _mm_sub_pd(b, of_b));
  __m128i is_positive = _mm_castpd_si128(_mm_cmpgt_pd(sum, _mm_setzero_pd()));
  __m128i is_above = _mm_castpd_si128(_mm_cmplt_pd(low, _mm_setzero_pd()));
  __m128i step = _mm_or_si128(is_positive, _mm_set_epi32(0, 1, 0, 1));
  return _mm_castsi128_pd(_mm_add_epi64(_mm_castpd_si128(sum), _mm_and_si128(step, is_above)));
}

#else

typedef sat_Vec2 double2;

SAT_INLINE double2 double2_of(double x, double y) { return vec2(x, y); }
SAT_INLINE double2 double2_load(const sat_Vec2 *v) { return *v; }
SAT_INLINE void double2_store(sat_Vec2 *v, double2 a) { *v = a; }
SAT_INLINE double2 double2_add(double2 a, double2 b) { return add(a, b); }
SAT_INLINE double2 double2_sub(double2 a, double2 b) { return sub(a, b); }
SAT_INLINE double2 double2_mul(double2 a, double2 b) { return vec2(a.x * b.x, a.y * b.y); }
SAT_INLINE double2 double2_div(double2 a, double2 b) { return vec2(a.x / b.x, a.y / b.y); }
SAT_INLINE double2 double2_min(double2 a, double2 b) {
  return vec2(min2(a.x, b.x), min2(a.y, b.y));
}
SAT_INLINE double2 double2_where_more(double2 a, double2 b, double2 yes, double2 no) {
  return vec2(a.x > b.x ? yes.x : no.x, a.y > b.y ? yes.y : no.y);
}
SAT_INLINE double2 double2_max(double2 a, double2 b) {
  return vec2(max2(a.x, b.x), max2(a.y, b.y));
}
SAT_INLINE double2 double2_sqrt(double2 a) { return vec2(sqrt(a.x), sqrt(a.y)); }
SAT_INLINE double2 double2_firsts(double2 a, double2 b) { return vec2(a.x, b.x); }
SAT_INLINE double2 double2_seconds(double2 a, double2 b) { return vec2(a.y, b.y); }
SAT_INLINE double2 double2_across(double2 a, double2 b) { return vec2(a.y, b.x); }
SAT_INLINE double double2_first(double2 a) { return a.x; }
SAT_INLINE double double2_greatest(double2 a) { return max2(a.x, a.y); }
SAT_INLINE double double2_least(double2 a) { return min2(a.x, a.y); }
SAT_INLINE uint32_t double2_exact(double2 difference, double2 a, double2 b) {
  return (uint32_t)(a.x - difference.x == b.x && difference.x + b.x == a.x) |
         (uint32_t)(a.y - difference.y == b.y && difference.y + b.y == a.y) << 1;
}
SAT_INLINE uint32_t double2_more(double2 a, double2 b) {
  return (uint32_t)(a.x > b.x) | (uint32_t)(a.y > b.y) << 1;
}
SAT_INLINE uint32_t double2_at_least(double2 a, double limit) {
  return (uint32_t)(a.x >= limit) | (uint32_t)(a.y >= limit) << 1;
}
SAT_INLINE bool double2_in_order(double2 a, double2 b, double2 c, double2 d) {
  return (a.x <= b.x) & (a.y <= b.y) & (c.x <= d.x) & (c.y <= d.y);
}
SAT_INLINE double2 double2_load_pair(const double pair[2]) { return vec2(pair[0], pair[1]); }
SAT_INLINE void double2_store_pair(double pair[2], double2 a) {
  pair[0] = a.x;
  pair[1] = a.y;
}
SAT_INLINE void double2_split(double2 a, double *x, double *y) {
  *x = a.x;
  *y = a.y;
}
SAT_INLINE void double2_truncate(double2 a, int32_t *x, int32_t *y) {
  *x = (int32_t)a.x;
  *y = (int32_t)a.y;
}
SAT_INLINE double2 double2_add_quarters(double2 a, uint64_t quarters) {
  if (quarters & 1) a = vec2(a.y, -a.x);
  return quarters & 2 ? neg(a) : a;
}
SAT_INLINE double square_root(double x) { return sqrt(x); }
SAT_INLINE double2 double2_neg(double2 a) { return neg(a); }
SAT_INLINE double2 double2_abs(double2 a) { return vec2(fabs(a.x), fabs(a.y)); }
SAT_INLINE double double2_sum(double2 a) { return a.x + a.y; }
SAT_INLINE double2 double2_sum_down(double2 a, double2 b) {
  return vec2(sum_down(a.x, b.x), sum_down(a.y, b.y));
}

#endif

#endif
