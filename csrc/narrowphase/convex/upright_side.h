/* upright_side.h: the side of an upright box that a round shape is beside. Circles and capsules on
 * tiles are so common that their answers are told from that side alone, to the same bits. */
#ifndef SAT_NARROWPHASE_UPRIGHT_SIDE_H
#define SAT_NARROWPHASE_UPRIGHT_SIDE_H

#include "narrowphase/convex/minkowski.h"

/* Whether a convex set is a box whose sides, and their normals, are parallel to the axes, and
 * whether its first edge is parallel to the x axis. */
bool sat_is_upright(const sat_Convex *convex, bool *is_level);

/* The facet of D that a side of B makes, where B is an upright box, A has one or two vertices, and
 * the origin is outside of that side and beside it, all by far more than rounding: it is the facet
 * of maximum separation, and the closest point of D's boundary is on it, whatever the search. */
bool sat_find_upright_side(const sat_Pair *pair, sat_Facet *facet);

/* The facet of D that one side of A makes, where two upright boxes touch along that side, by sums
 * that are exact, and overlap by more than `tie` along all others. */
bool sat_find_upright_touch(const sat_Pair *pair, double tie, sat_Facet *facet);

#endif
