/* composite_pair.h: overlap, minimum translation vector, contacts and distance of two shapes of
 * which at least one is composite. */
#ifndef SAT_NARROWPHASE_COMPOSITE_PAIR_H
#define SAT_NARROWPHASE_COMPOSITE_PAIR_H

#include "shape/piece_view.h"

/* The composite forms of the functions of the same names in sat.h. */
sat_Status sat_composite_overlaps(const sat_Shape *a, const sat_Shape *b);
sat_Status sat_composite_collide(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                                 sat_Result *result);
/* The same, where an overlap with a piece of B of up to its touch is none, and with B's centre, or
 * NULL. Depth 0: no overlap is more. */
sat_Status sat_composite_leave(const sat_Shape *a, const sat_Shape *b, const sat_Touch *touches,
                               uint32_t touch_count, const sat_Vec2 *center, sat_Scratch *scratch,
                               sat_Result *result);
sat_Status sat_composite_contacts(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                                  sat_Manifold *manifold);
sat_Distance sat_composite_distance(const sat_Shape *a, const sat_Shape *b);

/* Whether each pair of pieces touches at most. */
bool sat_composite_only_touches(const sat_Shape *a, const sat_Shape *b);
/* Whether the distance is at most `threshold`. */
bool sat_composite_nearly_touch(const sat_Shape *a, const sat_Shape *b, double threshold);

#endif
