/* simd_scalar.h: four doubles in an array, for processors without SSE2. */
#ifndef SAT_BASE_SIMD_SCALAR_H
#define SAT_BASE_SIMD_SCALAR_H

#include "base/vec2.h"

typedef struct double4 {
  double at[4];
} double4;

#define SAT_DOUBLE4_SCALAR(name, expression)                                                       \
  SAT_INLINE double4 name(double4 a, double4 b) {                                                  \
    double4 c;                                                                                     \
    for (int i = 0; i < 4; i++) c.at[i] = expression;                                              \
    return c;                                                                                      \
  }
SAT_DOUBLE4_SCALAR(double4_add, a.at[i] + b.at[i])
SAT_DOUBLE4_SCALAR(double4_sub, a.at[i] - b.at[i])
SAT_DOUBLE4_SCALAR(double4_mul, a.at[i] * b.at[i])
SAT_DOUBLE4_SCALAR(double4_div, a.at[i] / b.at[i])
SAT_DOUBLE4_SCALAR(double4_min, min2(a.at[i], b.at[i]))
SAT_DOUBLE4_SCALAR(double4_max, max2(a.at[i], b.at[i]))

SAT_INLINE double4 double4_of(double x) { return (double4){{x, x, x, x}}; }
SAT_INLINE double4 double4_load(const double *x) { return (double4){{x[0], x[1], x[2], x[3]}}; }
SAT_INLINE void double4_store(double *x, double4 a) {
  for (int i = 0; i < 4; i++) x[i] = a.at[i];
}
SAT_INLINE double4 double4_sqrt(double4 a) {
  for (int i = 0; i < 4; i++) a.at[i] = sqrt(a.at[i]);
  return a;
}
SAT_INLINE double double4_last(double4 a) { return a.at[3]; }
SAT_INLINE double double4_greatest(double4 a) {
  return max2(max2(a.at[0], a.at[2]), max2(a.at[1], a.at[3]));
}
SAT_INLINE double double4_least(double4 a) {
  return min2(min2(a.at[0], a.at[2]), min2(a.at[1], a.at[3]));
}
SAT_INLINE double4 double4_shift_in(double4 before, double4 a) {
  return (double4){{before.at[3], a.at[0], a.at[1], a.at[2]}};
}
SAT_INLINE double4 double4_shift_out(double4 a, double4 next) {
  return (double4){{a.at[1], a.at[2], a.at[3], next.at[0]}};
}
SAT_INLINE void double4_store_vectors(sat_Vec2 *v, double4 x, double4 y) {
  for (int i = 0; i < 4; i++) v[i] = vec2(x.at[i], y.at[i]);
}
SAT_INLINE double4 double4_twice(sat_Vec2 v) { return (double4){{v.x, v.y, v.x, v.y}}; }
SAT_INLINE double4 double4_each_x(double4 a) {
  return (double4){{a.at[0], a.at[0], a.at[2], a.at[2]}};
}
SAT_INLINE double4 double4_each_y(double4 a) {
  return (double4){{a.at[1], a.at[1], a.at[3], a.at[3]}};
}
SAT_INLINE void double4_load_vectors(const sat_Vec2 *const v[4], double4 *x, double4 *y) {
  *x = (double4){{v[0]->x, v[1]->x, v[2]->x, v[3]->x}};
  *y = (double4){{v[0]->y, v[1]->y, v[2]->y, v[3]->y}};
}
SAT_INLINE double4 double4_where_more(double4 a, double4 b, double4 x, double4 y) {
  double4 c;
  for (int i = 0; i < 4; i++) c.at[i] = a.at[i] > b.at[i] ? x.at[i] : y.at[i];
  return c;
}
SAT_INLINE uint32_t double4_at_least(double4 a, double limit) {
  uint32_t bits = 0;
  for (int i = 0; i < 4; i++) bits |= (uint32_t)(a.at[i] >= limit) << i;
  return bits;
}

#endif
