/* fast_path.h: the kinds of pairs of shapes, and the SIMD fast path for polygons of few vertices,
 * rounded or not, and for such a polygon and a circle. */
#ifndef SAT_NARROWPHASE_FAST_PATH_H
#define SAT_NARROWPHASE_FAST_PATH_H

#include "narrowphase/convex_pair.h"
#include "narrowphase/separation_kernels.h"

/* Polygons of up to this many vertices have all their separations computed. */
#define SAT_FEW_VERTICES 16

/* The kinds of pairs that have algorithms of their own. */
typedef enum sat_PairKind {
  SAT_CONVEX_PAIR,      /* two convex shapes, of none of the other kinds */
  SAT_POLYGONS,         /* without a radius */
  SAT_ROUNDED_POLYGONS, /* of few vertices, one of them or both with a radius */
  SAT_POLYGON_CIRCLE,   /* a polygon of few vertices, rounded or not */
  SAT_CIRCLE_POLYGON,
  SAT_COMPOSITE_PAIR
} sat_PairKind;

SAT_INLINE bool sat_has_few_vertices(const sat_Shape *shape) {
  return shape->vertex_count > 2 && shape->vertex_count <= SAT_FEW_VERTICES;
}

SAT_INLINE sat_PairKind sat_pair_kind(const sat_Shape *a, const sat_Shape *b) {
  uint32_t of_a = a->vertex_count, of_b = b->vertex_count;
  if (of_a > 2 && of_b > 2) {
    if (!(a->radius + b->radius > 0)) return SAT_POLYGONS;
    return sat_has_few_vertices(a) && sat_has_few_vertices(b) ? SAT_ROUNDED_POLYGONS
                                                              : SAT_CONVEX_PAIR;
  }
  if (of_b == 1 && sat_has_few_vertices(a) && b->radius > 0) return SAT_POLYGON_CIRCLE;
  if (of_a == 1 && sat_has_few_vertices(b) && a->radius > 0) return SAT_CIRCLE_POLYGON;
  return of_a == 0 || of_b == 0 ? SAT_COMPOSITE_PAIR : SAT_CONVEX_PAIR;
}

/* The verdict SAT_UNDECIDED leaves the pair to the general path, wherever no single facet decides
 * beyond doubt. A decided verdict comes with the numbers of the general path. */
typedef enum sat_Verdict { SAT_UNDECIDED, SAT_SEPARATE, SAT_OVERLAP } sat_Verdict;

/* The minimum translation vector of a pair of each kind, with the bits of sat_convex_collide. */
SAT_KERNEL(sat_Status, sat_polygons_collide,
           (const sat_Shape *a, const sat_Shape *b, sat_Result *result), (a, b, result))
SAT_KERNEL(sat_Status, sat_rounded_collide,
           (const sat_Shape *a, const sat_Shape *b, sat_Result *result), (a, b, result))
SAT_KERNEL(sat_Status, sat_polygon_circle_collide,
           (const sat_Shape *a, const sat_Shape *b, sat_Result *result), (a, b, result))
SAT_KERNEL(sat_Status, sat_circle_polygon_collide,
           (const sat_Shape *a, const sat_Shape *b, sat_Result *result), (a, b, result))

/* The same, but undecided where the distance is within rounding, and where the general path has to
 * answer. `sign` is 1 if the circle is A, and else -1. */
SAT_KERNEL(sat_Verdict, sat_polygons_touch,
           (const sat_Shape *a, const sat_Shape *b, sat_Result *result), (a, b, result))
SAT_KERNEL(sat_Verdict, sat_rounded_touch,
           (const sat_Shape *a, const sat_Shape *b, sat_Result *result), (a, b, result))
SAT_KERNEL(sat_Verdict, sat_circle_touch,
           (const sat_Shape *polygon, const sat_Shape *circle, double sign, sat_Result *result),
           (polygon, circle, sign, result))

/* Whether such a pair shares a point. */
SAT_KERNEL(sat_Status, sat_polygons_overlap, (const sat_Shape *a, const sat_Shape *b), (a, b))
SAT_KERNEL(sat_Status, sat_rounded_overlap, (const sat_Shape *a, const sat_Shape *b), (a, b))
SAT_KERNEL(sat_Status, sat_circle_overlaps, (const sat_Shape *polygon, const sat_Shape *circle),
           (polygon, circle))

/* A separation of more than this many tie bounds is more than sat_touch_rounding. */
#define CLEARLY 4

#endif
