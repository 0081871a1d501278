/* fast_path.h: the kinds of pairs of shapes, the SIMD fast path for polygons and for rounded shapes
 * of few vertices, and the closed forms for circles and upright boxes. */
#ifndef SAT_NARROWPHASE_FAST_PATH_H
#define SAT_NARROWPHASE_FAST_PATH_H

#include "narrowphase/convex/convex_pair.h"
#include "narrowphase/convex/simd/separation_kernels.h"

#include <string.h>

/* The kinds of pairs that have algorithms of their own. */
typedef enum sat_PairKind {
  SAT_CONVEX_PAIR,    /* two convex shapes, of none of the other kinds */
  SAT_UPRIGHT_BOXES,  /* without a radius */
  SAT_POLYGONS,       /* the same */
  SAT_BOX_AND_CIRCLE, /* one of those boxes, and a circle with a radius */
  SAT_CIRCLES,        /* points with a radius, of one of them or of both */
  SAT_ROUNDED_SHAPES, /* of few vertices, one or both with a radius: circles, capsules, polygons */
  SAT_COMPOSITE_PAIR
} sat_PairKind;

SAT_INLINE bool sat_are_upright_boxes(const sat_Shape *a, const sat_Shape *b) {
  uint32_t flags = a->flags & b->flags;
  return flags & SAT_SHARP && flags & SAT_UPRIGHT;
}

/* Whether one of two shapes has a radius. Bits answer sooner than a sum and a comparison of
 * doubles, which every query of circles would wait for. */
SAT_INLINE bool has_any_radius(const sat_Shape *a, const sat_Shape *b) {
  uint64_t of_a, of_b;
  memcpy(&of_a, &a->radius, sizeof of_a);
  memcpy(&of_b, &b->radius, sizeof of_b);
  return (of_a | of_b) << 1 != 0; /* without signs */
}

SAT_INLINE sat_PairKind sat_pair_kind(const sat_Shape *a, const sat_Shape *b) {
  uint32_t flags = a->flags & b->flags, any = a->flags | b->flags;
  if (flags & SAT_SHARP) return sat_are_upright_boxes(a, b) ? SAT_UPRIGHT_BOXES : SAT_POLYGONS;
  if (flags & SAT_FEW_VERTICES && has_any_radius(a, b)) {
    uint32_t count = a->vertex_count + b->vertex_count;
    if (count == 5 && any & SAT_SHARP && any & SAT_UPRIGHT) return SAT_BOX_AND_CIRCLE;
    return count > 2 ? SAT_ROUNDED_SHAPES : SAT_CIRCLES;
  }
  return is_composite(a) || is_composite(b) ? SAT_COMPOSITE_PAIR : SAT_CONVEX_PAIR;
}

/* Whether the two have few vertices, with or without a radius, and edges. */
SAT_INLINE bool sat_are_few(const sat_Shape *a, const sat_Shape *b) {
  return a->flags & b->flags & SAT_FEW_VERTICES && a->vertex_count + b->vertex_count > 2;
}

/* The verdict SAT_UNDECIDED leaves the pair to the general path, wherever no single facet decides
 * beyond doubt. A decided verdict comes with the numbers of the general path. */
typedef enum sat_Verdict { SAT_UNDECIDED, SAT_SEPARATE, SAT_OVERLAP } sat_Verdict;

SAT_INLINE sat_Status status_of_verdict(sat_Verdict verdict) {
  return verdict == SAT_OVERLAP ? SAT_OK : SAT_MISS;
}

/* The minimum translation vector of a pair of each kind, with the bits of sat_convex_collide. */
SAT_KERNEL(sat_Status, sat_polygons_collide,
           (const sat_Shape *a, const sat_Shape *b, sat_Result *result), (a, b, result))
SAT_KERNEL(sat_Status, sat_rounded_collide,
           (const sat_Shape *a, const sat_Shape *b, sat_Result *result), (a, b, result))

/* The same, but undecided where the distance is within rounding, and where the general path has to
 * answer. */
SAT_KERNEL(sat_Verdict, sat_polygons_touch,
           (const sat_Shape *a, const sat_Shape *b, sat_Result *result), (a, b, result))
SAT_KERNEL(sat_Verdict, sat_rounded_touch,
           (const sat_Shape *a, const sat_Shape *b, sat_Result *result), (a, b, result))

/* Whether such a pair shares a point. */
SAT_KERNEL(sat_Status, sat_polygons_overlap, (const sat_Shape *a, const sat_Shape *b), (a, b))
SAT_KERNEL(sat_Status, sat_rounded_overlap, (const sat_Shape *a, const sat_Shape *b), (a, b))

/* The distance of a pair of few vertices, where one feature of each is the closest beyond doubt.
 * SAT_OVERLAP leaves the result as it was. */
SAT_KERNEL(sat_Verdict, sat_few_distance,
           (const sat_Shape *a, const sat_Shape *b, sat_Distance *result), (a, b, result))

/* ---------------------------------------------------------------- closed forms */

/* The plain pairs of games, with the bits of the general path, too. */

/* Two circles: points with a radius, of one of them or of both. */
sat_Status sat_circles_collide(const sat_Shape *a, const sat_Shape *b, sat_Result *result);
sat_Status sat_circles_overlap(const sat_Shape *a, const sat_Shape *b);
sat_Verdict sat_circles_touch(const sat_Shape *a, const sat_Shape *b, sat_Result *result);
sat_Status sat_circles_contacts(const sat_Shape *a, const sat_Shape *b, sat_Manifold *manifold);
sat_Status sat_circles_distance(const sat_Shape *a, const sat_Shape *b, sat_Distance *result);

/* Two boxes whose sides are parallel to the axes, without a radius. */
SAT_KERNEL(sat_Status, sat_boxes_collide,
           (const sat_Shape *a, const sat_Shape *b, sat_Result *result), (a, b, result))
SAT_KERNEL(sat_Status, sat_boxes_overlap, (const sat_Shape *a, const sat_Shape *b), (a, b))
SAT_KERNEL(sat_Verdict, sat_boxes_touch,
           (const sat_Shape *a, const sat_Shape *b, sat_Result *result), (a, b, result))
SAT_KERNEL(sat_Status, sat_boxes_contacts,
           (const sat_Shape *a, const sat_Shape *b, sat_Manifold *manifold), (a, b, manifold))
SAT_KERNEL(sat_Status, sat_boxes_distance,
           (const sat_Shape *a, const sat_Shape *b, sat_Distance *result), (a, b, result))

/* One of these and a circle. */
SAT_KERNEL(sat_Status, sat_box_circle_collide,
           (const sat_Shape *a, const sat_Shape *b, sat_Result *result), (a, b, result))
SAT_KERNEL(sat_Status, sat_box_circle_overlap, (const sat_Shape *a, const sat_Shape *b), (a, b))
SAT_KERNEL(sat_Verdict, sat_box_circle_touch,
           (const sat_Shape *a, const sat_Shape *b, sat_Result *result), (a, b, result))

sat_Status sat_box_contains_point(const sat_Shape *box, sat_Vec2 point);

/* A separation of more than this many tie bounds is more than sat_touch_rounding. */
#define CLEARLY 4

#endif
