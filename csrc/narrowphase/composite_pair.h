/* composite_pair.h: the questions about two shapes of which at least one has several convex
 * parts. */
#ifndef SAT_NARROWPHASE_COMPOSITE_PAIR_H
#define SAT_NARROWPHASE_COMPOSITE_PAIR_H

#include "narrowphase/convex_cast.h"

/* Each as its namesake in sat.h. */
sat_Status sat_composite_overlaps(const sat_Shape *a, const sat_Shape *b);
sat_Status sat_composite_collide(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                                 sat_Result *result);
sat_Status sat_composite_contacts(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                                  sat_Manifold *manifold);
sat_Distance sat_composite_distance(const sat_Shape *a, const sat_Shape *b);
sat_Status sat_composite_contains(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch);
sat_Status sat_composite_contains_point(const sat_Shape *shape, sat_Vec2 point);
sat_Status sat_composite_cast(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                              sat_Scratch *scratch, sat_Hit *hit);

/* Whether a gap is no wider than `threshold`. */
bool sat_composite_nearly_touch(const sat_Shape *a, const sat_Shape *b, double threshold);

/* A cast of two that overlap by no more than rounding. */
sat_Status sat_composite_cast_separate(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                                       sat_Hit *hit);

#endif
