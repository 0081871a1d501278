/* float_box.h: boxes in single precision, four numbers compared at once.
 *
 * A float box holds least x, least y, and the negated greatest x and y, so that all four are
 * rounded in the same direction, outward. Its overlap limits are the float box negated, with its
 * halves swapped: another float box overlaps the first if all four numbers of the other are at most
 * the limits. */
#ifndef SAT_BASE_FLOAT_BOX_H
#define SAT_BASE_FLOAT_BOX_H

#include "base/float4.h"

SAT_INLINE float4 sat_float_box(double x, double y, double right, double bottom) {
  return float4_lower(float4_round(x, y, right, bottom), SAT_OUTWARD);
}

/* The float box of a hole: it overlaps nothing. */
SAT_INLINE float4 sat_empty_float_box(void) { return float4_all(HUGE_VALF); }

SAT_INLINE float4 sat_overlap_limits(float4 float_box) { return float4_turned(float_box); }

/* A float box at or below these limits proves that the boxes themselves overlap. */
SAT_INLINE float4 sat_certain_limits(float4 limits) { return float4_lower(limits, SAT_INWARD); }

#endif
