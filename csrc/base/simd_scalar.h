/* simd_scalar.h: see base/simd.h. One by one. */
#ifndef SAT_BASE_SIMD_SCALAR_H
#define SAT_BASE_SIMD_SCALAR_H

#include "base/vec2.h"

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

#endif
