/* composite_pair.h: the questions about two shapes of which at least one has several convex
 * parts. */
#ifndef SAT_NARROWPHASE_COMPOSITE_PAIR_H
#define SAT_NARROWPHASE_COMPOSITE_PAIR_H

#include "narrowphase/convex_pair.h"

/* Each as its namesake in sat.h. */
sat_Status sat_bodies_overlap(const sat_Shape *a, const sat_Shape *b);
sat_Status sat_bodies_collide(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                              sat_Result *result);
sat_Status sat_bodies_contacts(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                               sat_Manifold *manifold);
sat_Distance sat_bodies_distance(const sat_Shape *a, const sat_Shape *b);
sat_Status sat_bodies_contain(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch);
sat_Status sat_bodies_contain_point(const sat_Shape *shape, sat_Vec2 point);
sat_Status sat_bodies_cast(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                           sat_Scratch *scratch, sat_Impact *impact);

/* Whether a gap is no wider than `reach`. */
bool sat_bodies_nearly_touch(const sat_Shape *a, const sat_Shape *b, double reach);

/* A cast of two that overlap by no more than rounding. */
sat_Status sat_bodies_sweep(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                            sat_Impact *impact);

#endif
