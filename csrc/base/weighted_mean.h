/* weighted_mean.h: the weighted mean of points, as exact as one weight times one point.
 *
 * The sums keep the rounding errors of their additions: otherwise the error of the centroid of a
 * symmetric shape would grow with the number of its pieces, and the tie rule asks whether two
 * centroids coincide. */
#ifndef SAT_BASE_WEIGHTED_MEAN_H
#define SAT_BASE_WEIGHTED_MEAN_H

#include "base/double_double.h"

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
