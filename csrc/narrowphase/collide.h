/* collide.h: the question of a world's update, which counts a gap of rounding size as contact. */
#ifndef SAT_NARROWPHASE_COLLIDE_H
#define SAT_NARROWPHASE_COLLIDE_H

#include "shape/convex.h"

/* As sat_collide. On SAT_MISS `near` tells whether the gap is at most sat_touch_rounding. */
sat_Status sat_touch(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                     sat_Result *result, bool *near);

#endif
