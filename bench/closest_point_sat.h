/* closest_point_sat.h: fewer axes through the closest points, as the article states it, shortcut
 * and all. For measurements only: its answers are wrong now and then.
 *
 * Liang and Liu, The research of collision detection algorithm based on separating axis theorem. */
#ifndef BENCH_CLOSEST_POINT_SAT_H
#define BENCH_CLOSEST_POINT_SAT_H

#include "textbook.h"

/* The article says in three ways which vertices are the closest. */
typedef enum closest_Reading {
  CLOSEST_FARTHEST, /* section 3: those farthest along the line of the centres; four axes */
  CLOSEST_FORMULA, /* its formula (5), OE = OB / cos BOE, to the letter: the longest OE; four axes */
  CLOSEST_CROSSED /* section 4: the ends of the two edges which that line crosses; these alone are projected on it, and
                       the axes are the normals of the two */
} closest_Reading;

/* Whether two polygons meet, in the article's opinion. */
bool closest_point_sat(const bench_Polygon *a, const bench_Polygon *b, closest_Reading reading);

/* Whether the line of the centres parts them, all vertices projected: the article's rough test. */
bool closest_line_parts(const bench_Polygon *a, const bench_Polygon *b);

#endif
