/* sweep.h: from left to right over the vertices of a ring, and of equal x from the lowest y up. */
#ifndef SAT_SWEEP_H
#define SAT_SWEEP_H

#include "geometry.h"

static inline bool same_point(sat_Vec2 a, sat_Vec2 b) { return a.x == b.x && a.y == b.y; }
/* Whether the sweep comes to a first. */
static inline bool comes_before(sat_Vec2 a, sat_Vec2 b) {
  return a.x < b.x || (a.x == b.x && a.y < b.y);
}

/* The indices 0 to count - 1 in the order of the sweep, equal points in that of their indices.
 * Takes two arrays of `count` to work in and returns the one with the result. O(n log n). */
uint32_t *sat_sweep_order(const sat_Vec2 *points, size_t count, uint32_t *order, uint32_t *spare);

/* What sat_sweep_sign needs beside the points, aligned as malloc's. */
size_t sat_sweep_bytes(size_t count);

/* The sign of the area of a simple ring of three or more vertices, none of which lies on a straight
 * line or spike with its neighbours: 1 or -1. The ring may touch itself, with vertices or along
 * whole edges, but not cross itself there: every point of the plane must be wound around once
 * (always in the same direction) or not at all. If it does not hold, or more than a few edges run
 * along each other, returns 0, and `fault` names two edges, the lower first, that cross or touch.
 * Exact. O(n log n). Shamos and Hoey, Geometric intersection problems, 1976. */
int sat_sweep_sign(const sat_Vec2 *points, size_t count, void *memory, sat_Fault *fault);

#endif
