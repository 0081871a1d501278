/* composite_cast.h: a moving shape against another one, at least one of them composite. */
#ifndef SAT_NARROWPHASE_COMPOSITE_CAST_H
#define SAT_NARROWPHASE_COMPOSITE_CAST_H

#include "narrowphase/convex_cast.h"

/* As sat_cast. */
sat_Status sat_composite_cast(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                              sat_Scratch *scratch, sat_Hit *hit);

/* The cast of two shapes that overlap by no more than rounding. */
sat_Status sat_composite_cast_separate(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                                       sat_Hit *hit);

#endif
