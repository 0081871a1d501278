/* narrowphase.h: what the questions about two shapes share. */
#ifndef SAT_NARROWPHASE_H
#define SAT_NARROWPHASE_H

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

#endif
