/* convex_pair.h: what the questions about two shapes share. */
#ifndef SAT_NARROWPHASE_CONVEX_PAIR_H
#define SAT_NARROWPHASE_CONVEX_PAIR_H

#include "narrowphase/chain_neighbors.h"
#include "narrowphase/max_separation.h"

/* Where the origin is, seen from the Minkowski difference of a pair that meets. */
typedef struct sat_ConvexTest {
  sat_Facet max_facet;        /* when `inside`: the way out of the core, at depth radius - gap */
  sat_ClosestFeature closest; /* else: the point of the core's outline that is nearest */
  bool inside;
  bool ties; /* another way out is about as short */
} sat_ConvexTest;

static inline sat_Pair sat_convex_pair(const sat_Shape *a, const sat_Shape *b) {
  return sat_pair_make(sat_convex_of(a), sat_convex_of(b), a->l1_bound + b->l1_bound,
                       a->radius + b->radius);
}

/* The one function that decides whether a pair shares a point. Facets within `tie` of the widest
 * count as ties. When apart, `test->closest` is set if `separation` asks for it. */
bool sat_convex_test(const sat_Pair *pair, double tie, bool separation, sat_AxisCache *axis_cache,
                     sat_ConvexTest *test);

/* A coordinate of this size carries rounding of this much into any result: 8 units in the last
 * place. */
double sat_coordinate_rounding(const sat_Shape *a, const sat_Shape *b);

/* The minimum translation vector of a pair that meets. */
void sat_convex_mtv(const sat_Shape *a, const sat_Shape *b, const sat_Pair *pair,
                    const sat_ConvexTest *test, sat_Result *result);

/* The contacts of a pair whose way out is known. */
void sat_contacts_of(const sat_Shape *a, const sat_Shape *b, const sat_Result *mtv,
                     sat_Manifold *manifold);

/* The same of two convex parts, with a radius each. A stands short of where it touches B by `rest`
 * of the depth: by none where it has been moved out. */
void sat_pair_contacts(const sat_Pair *pair, const double radius[2], const sat_Result *mtv,
                       double rest, sat_Manifold *manifold);

/* The distance of two convex parts, with a radius and an extent each. */
sat_Distance sat_pair_distance(const sat_Pair *pair, const double radius[2],
                               const double l1_bound[2], sat_AxisCache *axis_cache);

/* Whether a point, relative to an origin, is in A's core grown by `margin`, or in what is left of
 * it when the margin is negative. `l1_bound` is A's. */
bool sat_core_contains(const sat_Convex *a, double l1_bound, sat_Vec2 origin,
                       const sat_Vec2 *vertex, double margin);

/* What is rounding wherever things move: an overlap or a gap up to this is a touch. */
double sat_touch_rounding(const sat_Shape *a, const sat_Shape *b);

/* As sat_collide; `near` says whether two that do not overlap are no farther apart than that. */
sat_Status sat_touch(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                     sat_Result *result, bool *near);

/* How A moves, and what is rounding to it. */
typedef struct sat_Motion {
  sat_Vec2 vector;
  double rounding; /* see sat_touch_rounding */
} sat_Motion;

/* Whether a motion leads further in, `out` being the normal of the way out. */
bool sat_leads_deeper(sat_Vec2 motion, sat_Vec2 out);

/* A point, of one side, that runs along an edge of the other side's area without getting in: when
 * it does, on which hand of it that area is, and what it hits where another part is on the other
 * hand. */
typedef struct sat_TangentContact {
  sat_Hit hit;
  double begin, end;
  uint32_t side; /* whose part is the point */
  bool any, left;
} sat_TangentContact;

/* Sweeps a pair that overlaps by no more than rounding. Touching, it is a hit at once if the motion
 * leads in. `pieces` is NULL or what the two are: an edge that is inside of the whole shape does
 * not give the normal where it shares a corner with others; a chain's joint and its closed side are
 * no hit. `tangent` may be NULL, and is to be empty. */
sat_Status sat_convex_cast(const sat_Pair *pair, const sat_PiecePair *pieces, sat_Motion motion,
                           const double radius[2], sat_Hit *hit, sat_TangentContact *tangent);

#endif
