/* convex_pair.h: overlap, minimum translation vector, contacts, distance and containment of two
 * convex sets. */
#ifndef SAT_NARROWPHASE_CONVEX_PAIR_H
#define SAT_NARROWPHASE_CONVEX_PAIR_H

#include "base/double2.h"
#include "narrowphase/convex/max_separation.h"

/* The position of the origin relative to the Minkowski difference of a pair. */
typedef struct sat_ConvexTest {
  sat_Facet max_facet;        /* if `inside`: the facet of maximum separation of the core */
  sat_ClosestFeature closest; /* else: the closest point of the core's boundary */
  bool inside;
  bool ties; /* another axis is about as short */
} sat_ConvexTest;

static inline sat_Pair sat_convex_pair(const sat_Shape *a, const sat_Shape *b) {
  return sat_pair_make(sat_convex_of(a), sat_convex_of(b), a->l1_bound + b->l1_bound,
                       a->radius + b->radius);
}

/* The one function that decides whether a pair shares a point. Facets within `tie` of the maximum
 * separation are ties. For a separate pair, `test->closest` is set if `separation` is true. `known`
 * is a facet of the pair whose separation is known, or NULL. */
bool sat_convex_test(const sat_Pair *pair, double tie, bool separation, const sat_Facet *known,
                     sat_ConvexTest *test);

/* Whether two convex shapes share a point. */
sat_Status sat_convex_overlaps(const sat_Shape *a, const sat_Shape *b);

/* The minimum translation vector of two convex shapes, whatever their size: SAT_OK or SAT_MISS. The
 * fast path calls this last for what it leaves undecided. */
sat_Status sat_convex_collide(const sat_Shape *a, const sat_Shape *b, sat_Result *result);

/* The same as sat_convex_overlaps; for a separate pair `*near` tells whether the distance is at
 * most `threshold`. */
sat_Status sat_convex_touch(const sat_Shape *a, const sat_Shape *b, double threshold,
                            sat_Result *result, bool *near);

/* Sets the translation along a normal, by an edge of a side or by a corner of D. */
SAT_INLINE void set_translation(double2 normal, double2 vector, double depth, uint32_t side,
                                uint32_t edge, bool corner, sat_Result *result) {
  double2_store(&result->normal, normal);
  double2_store(&result->vector, vector);
  result->depth = depth;
  result->side = (sat_Side)side;
  result->edge = edge;
  result->tied = false;
  result->corner = corner;
}

/* The same of a depth that may be 0: the vector of a touch has no signs. */
SAT_INLINE void set_mtv(double2 normal, double depth, uint32_t side, uint32_t edge, bool corner,
                        sat_Result *result) {
  double2 zero = double2_of(0, 0), depths = double2_of(depth, depth),
          vector = double2_where_more(depths, zero, double2_mul(normal, depths), zero);
  set_translation(normal, vector, depth, side, edge, corner, result);
}

/* Whether two bounding boxes are separate beyond doubt: the cheapest test comes first, without a
 * branch for each side. */
SAT_INLINE bool boxes_are_separate(const sat_Shape *a, const sat_Shape *b, double2 origin_offset,
                                   double margin) {
  double2 behind = double2_sub(double2_add(origin_offset, double2_load(&b->box.min)),
                               double2_load(&a->box.max)),
          before = double2_sub(double2_sub(double2_load(&a->box.min), origin_offset),
                               double2_load(&b->box.max));
  return double2_more(double2_max(behind, before), double2_of(margin, margin)) != 0;
}

/* Whether two bounding circles are separate beyond doubt. */
static inline bool circles_are_separate(const sat_Shape *a, const sat_Shape *b,
                                        sat_Vec2 origin_offset, double margin) {
  sat_Vec2 between = add(origin_offset, sub(b->centroid_from_origin, a->centroid_from_origin));
  double circles = a->bounding_radius + b->bounding_radius + margin;
  return dot(between, between) > circles * circles * (1 + SAT_TIE_RELATIVE);
}

/* An upper bound of the ties of sat_convex_collide, cheap enough for every call; and far above the
 * rounding error of a separation. `size` is the sum of both L1 bounds and radii. */
SAT_INLINE double tie_of(const sat_Shape *a, const sat_Shape *b, double size) {
  double2 coordinates =
      double2_add(double2_abs(double2_load(&a->origin)), double2_abs(double2_load(&b->origin)));
  return (SAT_TIE_RELATIVE + SAT_ULPS_8) * (double2_sum(coordinates) + size);
}
static inline double tie_bound(const sat_Shape *a, const sat_Shape *b) {
  return tie_of(a, b, a->l1_bound + b->l1_bound + (a->radius + b->radius));
}

/* The rounding error that the coordinates of two shapes carry into any result: 8 units in the last
 * place. */
double sat_coordinate_rounding(const sat_Shape *a, const sat_Shape *b);

/* The rounding error of a motion: an overlap or a gap up to this is a touch. */
double sat_touch_rounding(const sat_Shape *a, const sat_Shape *b);

/* The contacts of a pair whose minimum translation vector is known. */
void sat_contacts_from_mtv(const sat_Shape *a, const sat_Shape *b, const sat_Result *mtv,
                           sat_Manifold *manifold);

/* The contacts of two convex shapes by the general path. */
sat_Status sat_contacts_general(const sat_Shape *a, const sat_Shape *b, sat_Manifold *manifold);

/* The contacts of two convex sets, with a radius each. The set A is short of touching B by `rest`:
 * the depth, or 0 if A has moved out already. */
void sat_convex_contacts(const sat_Pair *pair, const double radius[2], const sat_Result *mtv,
                         double rest, sat_Manifold *manifold);

/* The distance of two convex sets, with a radius and an L1 bound each. */
sat_Distance sat_convex_distance(const sat_Pair *pair, const double radius[2],
                                 const double l1_bound[2]);

/* The same of two shapes. `overlap`: they are known to overlap, beyond rounding. */
sat_Status sat_distance_general(const sat_Shape *a, const sat_Shape *b, bool overlap,
                                sat_Distance *result);

/* Whether a point, relative to an origin, is in A's core grown by `margin`, or shrunk by a negative
 * margin. `l1_bound` is A's. */
bool sat_convex_contains(const sat_Convex *a, double l1_bound, sat_Vec2 origin,
                         const sat_Vec2 *vertex, double margin);

#endif
