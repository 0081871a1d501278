/* polygons.h: random simple polygons, and the fewest convex pieces of a polygon. */
#ifndef SAT_TEST_POLYGONS_H
#define SAT_TEST_POLYGONS_H

#include "base/vec2.h"
#include "test/random.h"

/* A simple polygon through up to `count` (3 or more) random points of whole numbers from -size
 * to size: a closed tour without crossings. Returns the number of its vertices, which stand in
 * the order of positive area, none of them on a line with its neighbours, or 0 if the points
 * make no such polygon. O(n^3). */
size_t random_simple_polygon(Random *random, int size, size_t count, sat_Vec2 *points);

/* The least number of convex pieces, from vertex to vertex, of a simple polygon in the order of
 * positive area with at most MOST_FOR_FEWEST vertices, by dynamic programming over all
 * diagonals: Keil, Decomposing a polygon into simpler components, 1985. */
enum { MOST_FOR_FEWEST = 64 };
size_t fewest_pieces(const sat_Vec2 *points, size_t count);

#endif
