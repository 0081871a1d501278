/* polygons.h: random concave rings, and the least number of convex pieces of a ring. */
#ifndef SAT_TEST_POLYGONS_H
#define SAT_TEST_POLYGONS_H

#include "base/vec2.h"
#include "test/random.h"

/* A simple polygon through up to `count` (3 or more) random points of whole numbers from -size to
 * size: a closed tour without crossings, in the order of positive area, with no straight corner.
 * Returns the number of its vertices, or 0 if the points made no polygon. O(n^3). */
size_t random_simple_polygon(Random *random, int size, size_t count, sat_Vec2 *points);

/* The least number of convex pieces, from vertex to vertex, of a simple polygon in the order of
 * positive area with at most MOST_FOR_FEWEST vertices. By dynamic programming over all diagonals:
 * Keil, Decomposing a polygon into simpler components, 1985. */
enum { MOST_FOR_FEWEST = 64 };
size_t fewest_pieces(const sat_Vec2 *points, size_t count);

#endif
