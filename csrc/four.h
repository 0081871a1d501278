/* four.h: four doubles at once.
 *
 * By AVX in a file that asks for it with SAT_AVX, which then is called only where the processor has
 * it; by SSE2, which every x86-64 has; else one by one. All three add, multiply and compare in the
 * same order, so that their bits are the same. */
#ifndef SAT_FOUR_H
#define SAT_FOUR_H

#include "geometry.h"

/* Before a loop that is to be written out where its length is known. */
#if defined(__GNUC__) && !defined(__clang__)
#define SAT_UNROLL _Pragma("GCC unroll 8")
#else
#define SAT_UNROLL
#endif

#if defined(SAT_AVX)
#include <immintrin.h>
typedef __m256d Four;

SAT_INLINE Four four_of(double x) { return _mm256_set1_pd(x); }
SAT_INLINE Four four_set(double a, double b, double c, double d) {
  return _mm256_set_pd(d, c, b, a);
}
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

/* The four vectors' coordinates, apart. */
SAT_INLINE void four_vectors(const sat_Vec2 *a, const sat_Vec2 *b, const sat_Vec2 *c,
                             const sat_Vec2 *d, Four *x, Four *y) {
  __m256d even =
      _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(&a->x)), _mm_loadu_pd(&c->x), 1);
  __m256d odd =
      _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(&b->x)), _mm_loadu_pd(&d->x), 1);
  *x = _mm256_unpacklo_pd(even, odd);
  *y = _mm256_unpackhi_pd(even, odd);
}

#elif defined(__SSE2__)
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
SAT_INLINE Four four_set(double a, double b, double c, double d) {
  return (Four){_mm_set_pd(b, a), _mm_set_pd(d, c)};
}
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

SAT_INLINE void four_vectors(const sat_Vec2 *a, const sat_Vec2 *b, const sat_Vec2 *c,
                             const sat_Vec2 *d, Four *x, Four *y) {
  __m128d first = _mm_loadu_pd(&a->x), second = _mm_loadu_pd(&b->x), third = _mm_loadu_pd(&c->x),
          fourth = _mm_loadu_pd(&d->x);
  *x = (Four){_mm_unpacklo_pd(first, second), _mm_unpacklo_pd(third, fourth)};
  *y = (Four){_mm_unpackhi_pd(first, second), _mm_unpackhi_pd(third, fourth)};
}

#else
typedef struct Four {
  double at[4];
} Four;

#define FOUR_ONE_BY_ONE(name, expression)                                                          \
  SAT_INLINE Four name(Four a, Four b) {                                                           \
    Four c;                                                                                        \
    for (int i = 0; i < 4; i++) c.at[i] = expression;                                              \
    return c;                                                                                      \
  }
FOUR_ONE_BY_ONE(four_add, a.at[i] + b.at[i])
FOUR_ONE_BY_ONE(four_sub, a.at[i] - b.at[i])
FOUR_ONE_BY_ONE(four_mul, a.at[i] * b.at[i])
FOUR_ONE_BY_ONE(four_min, min2(a.at[i], b.at[i]))
FOUR_ONE_BY_ONE(four_max, max2(a.at[i], b.at[i]))

SAT_INLINE Four four_of(double x) { return (Four){{x, x, x, x}}; }
SAT_INLINE Four four_set(double a, double b, double c, double d) { return (Four){{a, b, c, d}}; }
SAT_INLINE Four four_load(const double *x) { return (Four){{x[0], x[1], x[2], x[3]}}; }
SAT_INLINE void four_store(double *x, Four a) {
  for (int i = 0; i < 4; i++) x[i] = a.at[i];
}
SAT_INLINE double four_last(Four a) { return a.at[3]; }
SAT_INLINE double four_greatest(Four a) {
  return max2(max2(a.at[0], a.at[2]), max2(a.at[1], a.at[3]));
}
SAT_INLINE Four four_where_more(Four a, Four b, Four x, Four y) {
  Four c;
  for (int i = 0; i < 4; i++) c.at[i] = a.at[i] > b.at[i] ? x.at[i] : y.at[i];
  return c;
}
SAT_INLINE uint32_t four_at_least(Four a, double limit) {
  uint32_t bits = 0;
  for (int i = 0; i < 4; i++) bits |= (uint32_t)(a.at[i] >= limit) << i;
  return bits;
}
SAT_INLINE void four_vectors(const sat_Vec2 *a, const sat_Vec2 *b, const sat_Vec2 *c,
                             const sat_Vec2 *d, Four *x, Four *y) {
  *x = four_set(a->x, b->x, c->x, d->x);
  *y = four_set(a->y, b->y, c->y, d->y);
}
#endif

/* The same vector's product with each of four. */
SAT_INLINE Four four_dot(Four x, Four y, sat_Vec2 v) {
  return four_add(four_mul(x, four_of(v.x)), four_mul(y, four_of(v.y)));
}

/* The index of the lowest bit that is set, of at least one. */
SAT_INLINE uint32_t lowest_bit(uint32_t bits) {
#ifdef __GNUC__
  return (uint32_t)__builtin_ctz(bits);
#else
  uint32_t index = 0;
  while (!(bits & 1)) bits >>= 1, index++;
  return index;
#endif
}

#endif
