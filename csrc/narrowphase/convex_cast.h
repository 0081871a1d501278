/* convex_cast.h: a moving convex set against another one: the time, the normal and the point of the
 * first contact. */
#ifndef SAT_NARROWPHASE_CONVEX_CAST_H
#define SAT_NARROWPHASE_CONVEX_CAST_H

#include "narrowphase/chain_neighbors.h"

/* What is rounding wherever things move: an overlap or a gap up to this is a touch. */
double sat_touch_rounding(const sat_Shape *a, const sat_Shape *b);

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
