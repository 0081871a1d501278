/* narrowphase.h: what the questions about two shapes share. */
#ifndef SAT_NARROWPHASE_H
#define SAT_NARROWPHASE_H

#include "joint.h"
#include "widest.h"

/* Where the origin is, seen from the Minkowski difference of a pair that meets. */
typedef struct sat_Meeting {
  sat_Facet widest;    /* when `inside`: the way out of the core, at depth radius - gap */
  sat_Nearest nearest; /* else: the point of the core's outline that is nearest */
  bool inside;
  bool ties; /* another way out is about as short */
} sat_Meeting;

static inline sat_Pair sat_pair_of(const sat_Shape *a, const sat_Shape *b) {
  return sat_pair_make(sat_convex_of(a), sat_convex_of(b), a->extent + b->extent,
                       a->radius + b->radius);
}

/* The one function that decides whether a pair shares a point. Facets within `tie` of the widest
 * count as ties. When apart, `meeting->nearest` is set if `gap` asks for it. */
bool sat_pair_meets(const sat_Pair *pair, double tie, bool gap, sat_Hint *hint,
                    sat_Meeting *meeting);

/* A coordinate of this size carries rounding of this much into any result: 8 units in the last
 * place. */
double sat_coordinate_rounding(const sat_Shape *a, const sat_Shape *b);

/* The minimum translation vector of a pair that meets. */
void sat_way_out(const sat_Shape *a, const sat_Shape *b, const sat_Pair *pair,
                 const sat_Meeting *meeting, sat_Result *result);

/* The contacts of a pair whose way out is known. */
void sat_contacts_of(const sat_Shape *a, const sat_Shape *b, const sat_Result *way,
                     sat_Manifold *manifold);

/* The same of two convex parts, with a radius each. */
void sat_pair_contacts(const sat_Pair *pair, const double radius[2], const sat_Result *way,
                       sat_Manifold *manifold);

/* The distance of two convex parts, with a radius and an extent each. */
sat_Distance sat_pair_distance(const sat_Pair *pair, const double radius[2], const double extent[2],
                               sat_Hint *hint);

/* Whether a point, relative to an origin, is in A's core grown by `margin`, or in what is left of it
 * when the margin is negative. `extent` is A's. */
bool sat_core_holds(const sat_Convex *a, double extent, sat_Vec2 origin, const sat_Vec2 *vertex,
                    double margin);

/* A pair that runs along each other without overlap: what there would be hit if both were wider by a
 * hair, until when they do, and on which hand of the motion B has A. */
typedef struct sat_Graze {
  sat_Impact impact;
  double end;
  bool any, left;
} sat_Graze;

/* Sweeps a pair that does not overlap. Touching, it is a hit at once if the motion leads in. `parts`
 * is NULL or what the two are: running along an edge that is inside of the whole shape is not
 * grazing, and it does not give the normal where it shares a corner with others; a chain's joint and
 * its closed side are no hit. `graze` may be NULL. */
sat_Status sat_sweep_pair(const sat_Pair *pair, const sat_Parts *parts, sat_Vec2 motion,
                          double radius_of_b, sat_Impact *impact, sat_Graze *graze);

#endif
