/* epa.h: the widest facet of large polygons, without looking at all of them. */
#ifndef SAT_NARROWPHASE_EPA_H
#define SAT_NARROWPHASE_EPA_H

#include "narrowphase/minkowski.h"

/* Finds the facet of D nearest to an origin inside it, in O(k log n) for k corners of D that it has
 * to look at, about twenty. Or finds that the origin is outside by more than `threshold`: then
 * `max_facet->separation` says so, and the rest of it nothing. `ties` becomes true where another
 * facet may come within `tie` of the widest. Returns false when it cannot tell: the origin is
 * within rounding of the outline, or outside by less than `threshold`, or roundings lead astray.
 *
 * The expanding polytope algorithm, which in the plane ends on a true facet: van den Bergen,
 * Proximity queries and penetration depth computation on 3D game objects, GDC 2001. */
bool sat_epa(const sat_Pair *pair, double threshold, double tie, sat_Facet *max_facet, bool *ties);

#endif
