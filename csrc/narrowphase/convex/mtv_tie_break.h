/* mtv_tie_break.h: the rule that chooses one of several equally short translations.
 *
 * Of the shortest those with the largest dot product with the direction from B's centre to A's
 * stay, of these the most upright, of these the one with the largest cross product; where the
 * centres coincide, the most upright, then that which leads up (-y), then to the right. Each step
 * compares all that are left with the best: "equal but for rounding" is not transitive. */
#ifndef SAT_NARROWPHASE_MTV_TIE_BREAK_H
#define SAT_NARROWPHASE_MTV_TIE_BREAK_H

#include "narrowphase/convex/minkowski.h"

#define SAT_TIE_STEPS 3

/* The unit vector from B's centre to A's; 0, 0 where these coincide. */
static inline sat_Vec2 sat_tie_direction(sat_Vec2 centers, double rounding) {
  double size = length(centers);
  return size > rounding ? vec2(centers.x / size, centers.y / size) : vec2(0, 0);
}

/* The best of all directions. */
static inline sat_Vec2 sat_best_direction(sat_Vec2 from_b) {
  return from_b.x == 0 && from_b.y == 0 ? vec2(0, -1) : from_b;
}

/* The number that a step of the rule wants largest, of a unit vector. */
static inline double sat_tie_merit(sat_Vec2 from_b, int step, sat_Vec2 v) {
  bool coincide = from_b.x == 0 && from_b.y == 0;
  if (step == 0) return coincide ? fabs(v.y) : dot(from_b, v);
  if (step == 1) return coincide ? -v.y : fabs(v.y);
  return coincide ? v.x : cross(from_b, v);
}

/* Whether the unit vector v is better than w. */
static inline bool sat_mtv_preferred(sat_Vec2 from_b, sat_Vec2 v, sat_Vec2 w) {
  double more = 0;
  for (int step = 0; step < SAT_TIE_STEPS && fabs(more) <= SAT_SAME_DIRECTION; step++)
    more = sat_tie_merit(from_b, step, v) - sat_tie_merit(from_b, step, w);
  return more > SAT_SAME_DIRECTION;
}

/* The choice among any number of vectors. Those that pass after all steps are one vector but for
 * rounding.
 *   sat_TieFilter filter = sat_tie_filter(from_b);
 *   for (; filter.step < SAT_TIE_STEPS; filter.step++)
 *     for each unit vector v: sat_tie_measure(&filter, v);
 *   for each unit vector v: if (sat_tie_passes(&filter, v)) take v; */
typedef struct sat_TieFilter {
  sat_Vec2 from_b;
  double most[SAT_TIE_STEPS]; /* at each step so far */
  int step;
} sat_TieFilter;

static inline sat_TieFilter sat_tie_filter(sat_Vec2 from_b) {
  return (sat_TieFilter){from_b, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, 0};
}

static inline bool sat_tie_passes(const sat_TieFilter *filter, sat_Vec2 v) {
  for (int i = 0; i < filter->step; i++)
    if (sat_tie_merit(filter->from_b, i, v) < filter->most[i] - SAT_SAME_DIRECTION) return false;
  return true;
}

static inline void sat_tie_measure(sat_TieFilter *filter, sat_Vec2 v) {
  double *most = &filter->most[filter->step];
  if (sat_tie_passes(filter, v))
    *most = max2(sat_tie_merit(filter->from_b, filter->step, v), *most);
}

#endif
