/* simd.h: four doubles at once.
 *
 * A file that defines SAT_AVX gets AVX, and its functions are called only where the processor has
 * it; other files get pairs of double2.h: SSE2, which every x86-64 has, or else plain doubles. All
 * three add, multiply and compare in the same order, so that they give the same bits. */
#ifndef SAT_BASE_SIMD_H
#define SAT_BASE_SIMD_H

#include "base/double2.h"

/* The name of a kernel's function in the instruction set of the file. */
#ifdef SAT_AVX
#define SAT_IN_THIS_SET(name) name##_avx
#else
#define SAT_IN_THIS_SET(name) name##_baseline
#endif

#ifdef SAT_AVX

#include <immintrin.h>

typedef __m256d double4;

#define SAT_DOUBLE4_PAIRS(name, instruction)                                                       \
  SAT_INLINE double4 double4_##name(double4 a, double4 b) {                                        \
    return _mm256_##instruction##_pd(a, b);                                                        \
  }

SAT_INLINE double4 double4_of(double x) { return _mm256_set1_pd(x); }
SAT_INLINE double4 double4_load(const double *x) { return _mm256_loadu_pd(x); }
/* A vector twice: x, y, x, y. */
SAT_INLINE double4 double4_load_twice(const sat_Vec2 *v) {
  return _mm256_broadcast_pd((const __m128d *)(const void *)v);
}
SAT_INLINE void double4_store(double *x, double4 a) { _mm256_storeu_pd(x, a); }
SAT_INLINE double4 double4_sqrt(double4 a) { return _mm256_sqrt_pd(a); }
SAT_INLINE double2 double4_low(double4 a) { return _mm256_castpd256_pd128(a); }
SAT_INLINE double2 double4_high(double4 a) { return _mm256_extractf128_pd(a, 1); }
SAT_INLINE double4 double4_of_halves(double2 low, double2 high) {
  return _mm256_insertf128_pd(_mm256_castpd128_pd256(low), high, 1);
}
/* The high half of a and the low one of b; and of each half the second number of a and the first of
 * b. */
SAT_INLINE double4 double4_middle(double4 a, double4 b) {
  return _mm256_permute2f128_pd(a, b, 0x21);
}
SAT_INLINE double4 double4_across(double4 a, double4 b) { return _mm256_shuffle_pd(a, b, 5); }
/* The first two numbers, and the last two with other signs. */
SAT_INLINE double4 double4_neg_high(double4 a) {
  return _mm256_xor_pd(a, _mm256_set_pd(-0.0, -0.0, 0, 0));
}
/* One bit for each number of a - b that is exact: see double2_exact. */
SAT_INLINE uint32_t double4_exact(double4 difference, double4 a, double4 b) {
  return (uint32_t)_mm256_movemask_pd(
      _mm256_and_pd(_mm256_cmp_pd(_mm256_sub_pd(a, difference), b, _CMP_EQ_OQ),
                    _mm256_cmp_pd(_mm256_add_pd(difference, b), a, _CMP_EQ_OQ)));
}
/* Selects the numbers of `x` where `a` is greater than `b`, else those of `y`. */
SAT_INLINE double4 double4_where_more(double4 a, double4 b, double4 x, double4 y) {
  double4 more = _mm256_cmp_pd(a, b, _CMP_GT_OQ);
  return _mm256_or_pd(_mm256_and_pd(more, x), _mm256_andnot_pd(more, y));
}
/* A mask with bit i set where number i of a is more than that of b; or at least `limit`. */
SAT_INLINE uint32_t double4_more(double4 a, double4 b) {
  return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_GT_OQ));
}
SAT_INLINE uint32_t double4_at_least(double4 a, double limit) {
  return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(a, _mm256_set1_pd(limit), _CMP_GE_OQ));
}

#else

typedef struct double4 {
  double2 low, high;
} double4;

#define SAT_DOUBLE4_PAIRS(name, instruction)                                                       \
  SAT_INLINE double4 double4_##name(double4 a, double4 b) {                                        \
    return (double4){double2_##name(a.low, b.low), double2_##name(a.high, b.high)};                \
  }

SAT_INLINE double4 double4_of(double x) { return (double4){double2_of(x, x), double2_of(x, x)}; }
SAT_INLINE double4 double4_load(const double *x) {
  return (double4){double2_load_pair(x), double2_load_pair(x + 2)};
}
SAT_INLINE double4 double4_load_twice(const sat_Vec2 *v) {
  return (double4){double2_load(v), double2_load(v)};
}
SAT_INLINE void double4_store(double *x, double4 a) {
  double2_store_pair(x, a.low);
  double2_store_pair(x + 2, a.high);
}
SAT_INLINE double4 double4_sqrt(double4 a) {
  return (double4){double2_sqrt(a.low), double2_sqrt(a.high)};
}
SAT_INLINE double2 double4_low(double4 a) { return a.low; }
SAT_INLINE double2 double4_high(double4 a) { return a.high; }
SAT_INLINE double4 double4_of_halves(double2 low, double2 high) { return (double4){low, high}; }
SAT_INLINE double4 double4_middle(double4 a, double4 b) { return (double4){a.high, b.low}; }
SAT_DOUBLE4_PAIRS(across, shuffle)
SAT_INLINE double4 double4_neg_high(double4 a) { return (double4){a.low, double2_neg(a.high)}; }
SAT_INLINE uint32_t double4_exact(double4 difference, double4 a, double4 b) {
  return double2_exact(difference.low, a.low, b.low) |
         double2_exact(difference.high, a.high, b.high) << 2;
}
SAT_INLINE double4 double4_where_more(double4 a, double4 b, double4 x, double4 y) {
  return (double4){double2_where_more(a.low, b.low, x.low, y.low),
                   double2_where_more(a.high, b.high, x.high, y.high)};
}
SAT_INLINE uint32_t double4_more(double4 a, double4 b) {
  return double2_more(a.low, b.low) | double2_more(a.high, b.high) << 2;
}
SAT_INLINE uint32_t double4_at_least(double4 a, double limit) {
  return double2_at_least(a.low, limit) | double2_at_least(a.high, limit) << 2;
}

#endif

SAT_DOUBLE4_PAIRS(add, add)
SAT_DOUBLE4_PAIRS(sub, sub)
SAT_DOUBLE4_PAIRS(mul, mul)
SAT_DOUBLE4_PAIRS(div, div)
SAT_DOUBLE4_PAIRS(min, min)
SAT_DOUBLE4_PAIRS(max, max)
/* Of each half the first numbers of both; and the second ones. */
SAT_DOUBLE4_PAIRS(firsts, unpacklo)
SAT_DOUBLE4_PAIRS(seconds, unpackhi)

SAT_INLINE double double4_first(double4 a) { return double2_first(double4_low(a)); }
SAT_INLINE double double4_last(double4 a) {
  return double2_first(double2_seconds(double4_high(a), double4_high(a)));
}

/* The largest of the four numbers; the same four times; and the smallest. */
SAT_INLINE double double4_greatest(double4 a) {
  return double2_greatest(double2_max(double4_low(a), double4_high(a)));
}
SAT_INLINE double4 double4_all_greatest(double4 a) {
  double4 two = double4_max(a, double4_middle(a, a));
  return double4_max(two, double4_across(two, two));
}
SAT_INLINE double double4_least(double4 a) {
  return double2_least(double2_min(double4_low(a), double4_high(a)));
}

/* The last number of `before` and the first three of `a`. */
SAT_INLINE double4 double4_shift_in(double4 before, double4 a) {
  return double4_across(double4_middle(before, a), a);
}

/* Splits four vectors into their x and their y. */
SAT_INLINE void double4_load_vectors(const sat_Vec2 *const v[4], double4 *x, double4 *y) {
  double4 even = double4_of_halves(double2_load(v[0]), double2_load(v[2])),
          odd = double4_of_halves(double2_load(v[1]), double2_load(v[3]));
  *x = double4_firsts(even, odd);
  *y = double4_seconds(even, odd);
}

/* The dot products of four vectors with one vector. */
SAT_INLINE double4 double4_dot(double4 x, double4 y, sat_Vec2 v) {
  return double4_add(double4_mul(x, double4_of(v.x)), double4_mul(y, double4_of(v.y)));
}

/* The index of the lowest set bit. At least one bit must be set. */
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
