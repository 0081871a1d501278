/* convex_turn.h: a convex set that turns about a pivot, against another one: the angle, the normal
 * and the point of the first contact. */
#ifndef SAT_NARROWPHASE_CONVEX_TURN_H
#define SAT_NARROWPHASE_CONVEX_TURN_H

#include "narrowphase/convex/minkowski.h"

/* How A turns, and what is rounding to it. */
typedef struct sat_Rotation {
  sat_Vec2 pivot;
  double way;      /* 1 or -1: the sign of the angle */
  double angle;    /* its size: above 0, and 2 pi at most, since a second turn meets nothing new */
  double limit;    /* a contact beyond this angle may be left out */
  double rounding; /* 1e-12 of the larger of sizes and coordinates, those of the pivot included */
} sat_Rotation;

/* Turns A, with a radius of each side and at least |x| + |y| of its every vertex. `memory` has
 * room for its edges and vertices. The hit's t is an angle. SAT_MISS: A meets nothing, or grazes
 * it. */
sat_Status sat_convex_turn(const sat_Convex *a, const sat_Rotation *rotation, const sat_Convex *b,
                           const double radius[2], const double l1_bound[2], void *memory,
                           sat_Hit *hit);

#endif
