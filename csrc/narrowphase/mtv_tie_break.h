/* mtv_tie_break.h: the rule that chooses one of several equally short translations.
 *
 * Of all that are as short as the shortest, those with the largest dot product with the direction
 * from B's centre to A's stay; of these, the most upright; of these, the one with the largest cross
 * product. Where the centres coincide: the most upright, then the one that leads up (-y), then the
 * one to the right. Each step compares all that are left with the best of them, so that the order
 * in which they are found does not matter, although "equal but for rounding" is not transitive. */
#ifndef SAT_NARROWPHASE_MTV_TIE_BREAK_H
#define SAT_NARROWPHASE_MTV_TIE_BREAK_H

#include "narrowphase/minkowski.h"

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

/* What a step of the rule wants most of, for a unit vector. */
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

/* The choice among any number of vectors, all of which are shown for each step.
 *   sat_TieFilter filter = sat_tie_filter(from_b);
 *   do {
 *     for each unit vector v: if (sat_tie_is_best(&filter, v)) keep v;
 *   } while (sat_tie_next_step(&filter)); */
typedef struct sat_TieFilter {
  sat_Vec2 from_b, best;
  double merit[SAT_TIE_STEPS]; /* the best of each step so far */
  int step;
  bool rivals; /* another direction may be as good at this step */
} sat_TieFilter;

static inline sat_TieFilter sat_tie_filter(sat_Vec2 from_b) {
  return (sat_TieFilter){from_b, {0, 0}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, 0, false};
}

static inline bool sat_tie_is_best(sat_TieFilter *filter, sat_Vec2 v) {
  for (int i = 0; i < filter->step; i++)
    if (sat_tie_merit(filter->from_b, i, v) < filter->merit[i] - SAT_SAME_DIRECTION) return false;
  double merit = sat_tie_merit(filter->from_b, filter->step, v),
         more = merit - filter->merit[filter->step];
  bool same = fabs(cross(v, filter->best)) <= SAT_SAME_DIRECTION && dot(v, filter->best) > 0;
  if (more > SAT_SAME_DIRECTION) filter->rivals = false;
  else if (more >= -SAT_SAME_DIRECTION && !same) filter->rivals = true;
  if (!(more > 0)) return false;
  filter->merit[filter->step] = merit;
  filter->best = v;
  return true;
}

/* Whether there is another step that may make a difference. */
static inline bool sat_tie_next_step(sat_TieFilter *filter) {
  if (!filter->rivals) return false;
  filter->rivals = false;
  return ++filter->step < SAT_TIE_STEPS;
}

#endif
