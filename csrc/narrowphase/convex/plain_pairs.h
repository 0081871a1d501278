/* plain_pairs.h: closed forms for the plain pairs of games, with the bits of the general path. */
#ifndef SAT_NARROWPHASE_PLAIN_PAIRS_H
#define SAT_NARROWPHASE_PLAIN_PAIRS_H

#include "narrowphase/convex/simd/fast_path.h"

/* Two circles: points with a radius, of one of them or of both. */
sat_Status sat_circles_collide(const sat_Shape *a, const sat_Shape *b, sat_Result *result);
sat_Status sat_circles_overlap(const sat_Shape *a, const sat_Shape *b);
sat_Verdict sat_circles_touch(const sat_Shape *a, const sat_Shape *b, sat_Result *result);
sat_Status sat_circles_contacts(const sat_Shape *a, const sat_Shape *b, sat_Manifold *manifold);
void sat_circles_distance(const sat_Shape *a, const sat_Shape *b, sat_Distance *result);

/* Two boxes whose sides are parallel to the axes, without a radius. */
sat_Status sat_boxes_collide(const sat_Shape *a, const sat_Shape *b, sat_Result *result);
sat_Status sat_boxes_overlap(const sat_Shape *a, const sat_Shape *b);
sat_Verdict sat_boxes_touch(const sat_Shape *a, const sat_Shape *b, sat_Result *result);
sat_Status sat_boxes_contacts(const sat_Shape *a, const sat_Shape *b, sat_Manifold *manifold);
/* SAT_SEPARATE: they are apart beyond doubt, or touch. SAT_OVERLAP leaves the result as it was. */
sat_Verdict sat_boxes_distance(const sat_Shape *a, const sat_Shape *b, sat_Distance *result);

#endif
