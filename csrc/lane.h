/* lane.h: a fast lane for what most calls ask about, two small polygons, or one and a circle, and
 * the cheap questions that come before any other. */
#ifndef SAT_LANE_H
#define SAT_LANE_H

#include "shape.h"

/* SAT_UNSURE hands over to the general machinery, which is needed where no single facet decides
 * beyond doubt. Where the lane answers, it does so with the same numbers. */
typedef enum sat_Verdict { SAT_UNSURE, SAT_APART, SAT_MEET } sat_Verdict;

sat_Verdict sat_overlap_quickly(const sat_Shape *a, const sat_Shape *b);
/* Leaves `result` in any state unless they meet. */
sat_Verdict sat_collide_quickly(const sat_Shape *a, const sat_Shape *b, sat_Result *result);

/* Ways out whose lengths differ by less, relatively, are equally short: the contract's number. */
#define SAT_TIE_RELATIVE 1e-12
#define SAT_ULPS_8 (8 * 0x1p-52)

/* The cheapest question first: the boxes. Only a sure no counts. */
static inline bool boxes_apart(const sat_Shape *a, const sat_Shape *b, sat_Vec2 away,
                               double reach) {
  if (away.x + b->box.min.x - a->box.max.x > reach || a->box.min.x - away.x - b->box.max.x > reach)
    return true;
  return away.y + b->box.min.y - a->box.max.y > reach ||
         a->box.min.y - away.y - b->box.max.y > reach;
}

/* Then the circles about the centroids. */
static inline bool circles_apart(const sat_Shape *a, const sat_Shape *b, sat_Vec2 away,
                                 double reach) {
  sat_Vec2 between = add(away, sub(b->hub, a->hub));
  double circles = a->bound + b->bound + reach;
  return dot(between, between) > circles * circles * (1 + SAT_TIE_RELATIVE);
}

/* A bound on what sat_way_out may call a tie, cheap enough for every call. */
static inline double tie_bound(const sat_Shape *a, const sat_Shape *b) {
  double place = fabs(a->origin.x) + fabs(a->origin.y) + fabs(b->origin.x) + fabs(b->origin.y);
  double size = a->extent + b->extent + a->radius + b->radius;
  return (SAT_TIE_RELATIVE + SAT_ULPS_8) * (place + size);
}

#endif
