/* predicates.h: signs of cross products, exact for the doubles given.
 *
 * A floating-point filter decides all but the nearly degenerate cross products; those are summed
 * without rounding. Shewchuk, Adaptive precision floating-point arithmetic and fast robust
 * geometric predicates, 1997. The signs are exact as long as no product of two differences
 * underflows: for differences above 1e-140 or exactly 0. */
#ifndef SAT_BASE_PREDICATES_H
#define SAT_BASE_PREDICATES_H

#include "base/vec2.h"

/* The sign (-1, 0, 1) of cross(u[0] - u[1], w[0] - w[1] + w[2] - w[3]), without any filter. */
int sat_exact_cross_sign(const sat_Vec2 u[2], const sat_Vec2 w[4]);

/* The side of the line from a to b on which the point c lies: the sign of cross(b - a, c - a). 1 is
 * the left side where y points up, and the inside for an edge in the order of positive area. */
int sat_orientation(sat_Vec2 a, sat_Vec2 b, sat_Vec2 c);

#endif
