/* mtv_tie_break.h: the rule that chooses one of several equally short translations. */
#ifndef SAT_NARROWPHASE_MTV_TIE_BREAK_H
#define SAT_NARROWPHASE_MTV_TIE_BREAK_H

#include "narrowphase/minkowski.h"

/* Whether the angle from +x to `v`, in [0, 2 pi), is smaller than that to `w`. */
static inline bool sat_smaller_angle(sat_Vec2 v, sat_Vec2 w) {
  bool v_lower = v.y < -SAT_SAME_DIRECTION, w_lower = w.y < -SAT_SAME_DIRECTION;
  if (v_lower != w_lower) return w_lower;
  return cross(v, w) > SAT_SAME_DIRECTION ||
         (fabs(cross(v, w)) <= SAT_SAME_DIRECTION && v.x > 0 && w.x < 0);
}

/* Whether the unit vector v is the better one: the largest dot product with `separate` (from B's
 * centroid to A's) wins, then the largest cross product of that with it, then, where the centroids
 * coincide and `separate` is 0, the smallest angle. */
static inline bool sat_mtv_preferred(sat_Vec2 separate, sat_Vec2 v, sat_Vec2 w) {
  double same = SAT_SAME_DIRECTION * (fabs(separate.x) + fabs(separate.y));
  if (same == 0) return sat_smaller_angle(v, w);
  double along = dot(separate, v) - dot(separate, w);
  if (fabs(along) > same) return along > 0;
  return cross(separate, v) - cross(separate, w) > same;
}

#endif
