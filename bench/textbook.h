/* textbook.h: the separating axis theorem as every tutorial has it. */
#ifndef BENCH_TEXTBOOK_H
#define BENCH_TEXTBOOK_H

#include "scene.h"

/* Whether two shapes share a point. The axes are as long as the edges. */
bool textbook_overlaps(const bench_Polygon *a, const bench_Polygon *b);

/* The same with the depth and the minimum translation vector, which moves A. Here the axes are of
 * unit length. */
bool textbook_collide(const bench_Polygon *a, const bench_Polygon *b, sat_Vec2 *vector,
                      double *depth);

/* The depth, or less than 0: how far they are apart along the axis that shows it best. All axes are
 * tried. */
double textbook_depth(const bench_Polygon *a, const bench_Polygon *b);

#endif
