/* composite_contains.h: containment of two shapes of which at least one is composite. */
#ifndef SAT_NARROWPHASE_COMPOSITE_CONTAINS_H
#define SAT_NARROWPHASE_COMPOSITE_CONTAINS_H

#include "shape/convex.h"

/* The composite form of the function of the same name in sat.h. */
sat_Status sat_composite_contains(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch);
sat_Status sat_composite_contains_point(const sat_Shape *shape, sat_Vec2 point);

/* The lowest part with a piece that contains a point at least `inset` from the piece's boundary, or
 * SAT_NO_PART. */
uint32_t sat_composite_part_at(const sat_Shape *shape, sat_Vec2 point, double inset);

#endif
