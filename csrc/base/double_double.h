/* double_double.h: sums and products of two doubles without rounding; a second double holds the
 * rounding error of the first.
 *
 * Exact in round-to-nearest as long as nothing overflows and no product's last bit underflows. No
 * fused multiply-add, since not every machine has one.
 * Knuth, The Art of Computer Programming 2, section 4.2.2. Dekker, A floating-point technique for
 * extending the available precision, 1971. */
#ifndef SAT_BASE_DOUBLE_DOUBLE_H
#define SAT_BASE_DOUBLE_DOUBLE_H

#include "base/vec2.h"

#include <string.h>

/* The number high + low, where high is the double nearest to it. */
typedef struct sat_DoubleDouble {
  double high, low;
} sat_DoubleDouble;

static inline sat_DoubleDouble two_sum(double a, double b) {
  double sum = a + b;
  double of_b = sum - a;
  double of_a = sum - of_b;
  return (sat_DoubleDouble){sum, (a - of_a) + (b - of_b)};
}

/* Splits a double into two halves of 26 bits. Products of such halves are exact. */
static inline sat_DoubleDouble split(double a) {
  double wide = a * 0x1.0000002p27;
  double high = wide - (wide - a);
  return (sat_DoubleDouble){high, a - high};
}

static inline sat_DoubleDouble two_product(double a, double b) {
  double product = a * b;
  sat_DoubleDouble s = split(a), t = split(b);
  double rest = ((product - s.high * t.high) - s.low * t.high) - s.high * t.low;
  return (sat_DoubleDouble){product, s.low * t.low - rest};
}

/* The double below a finite one that is not 0: nextafter, without the call. */
static inline double next_below(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits = x > 0 ? bits - 1 : bits + 1;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* a + b rounded towards -infinity; an exact sum stays as it is, and so does 0, which only an exact
 * sum is. */
static inline double sum_down(double a, double b) {
  sat_DoubleDouble sum = two_sum(a, b);
  return sum.low < 0 ? next_below(sum.high) : sum.high;
}
static inline double sum_up(double a, double b) { return -sum_down(-a, -b); }

/* The weighted mean of points, as exact as one weight times one point. The sums keep the rounding
 * errors of their additions: otherwise the error of the centroid of a symmetric shape would grow
 * with the number of its pieces, and the tie rule asks whether two centroids coincide. */
typedef struct sat_WeightedMean {
  sat_DoubleDouble weight, x, y;
} sat_WeightedMean;

/* A sum with the rounding errors of its additions in a second double. */
static inline void accumulate(sat_DoubleDouble *sum, double term) {
  sat_DoubleDouble next = two_sum(sum->high, term);
  sum->high = next.high;
  sum->low += next.low;
}

static inline void weigh_point(sat_WeightedMean *mean, sat_Vec2 point, double weight) {
  accumulate(&mean->weight, weight);
  accumulate(&mean->x, weight * point.x);
  accumulate(&mean->y, weight * point.y);
}

static inline double total_weight(const sat_WeightedMean *mean) {
  return mean->weight.high + mean->weight.low;
}

/* The mean, divided by `summands`: each point may be given as the sum of that many. The total
 * weight must not be 0. */
static inline sat_Vec2 mean_point(const sat_WeightedMean *mean, double summands) {
  double total = summands * total_weight(mean);
  return vec2((mean->x.high + mean->x.low) / total, (mean->y.high + mean->y.low) / total);
}

#endif
