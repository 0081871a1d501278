/* epa.h: the facet of maximum separation of large polygons, in logarithmic time. */
#ifndef SAT_NARROWPHASE_EPA_H
#define SAT_NARROWPHASE_EPA_H

#include "narrowphase/minkowski.h"

/* Finds the facet of D nearest to an origin inside it, in O(k log n) for the k corners of D that it
 * visits, about twenty. An origin that is outside by more than `threshold` sets only
 * `max_facet->separation`. `ties` becomes true where another facet may come within `tie` of the
 * maximum. Returns false where the algorithm cannot decide: the origin is within rounding of the
 * boundary, or outside by less than `threshold`, or rounding misleads the search.
 *
 * The expanding polytope algorithm, which in the plane ends on a true facet: van den Bergen,
 * Proximity queries and penetration depth computation on 3D game objects, GDC 2001. */
bool sat_epa(const sat_Pair *pair, double threshold, double tie, sat_Facet *max_facet, bool *ties);

#endif
