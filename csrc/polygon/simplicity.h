/* simplicity.h: whether a ring crosses itself. */
#ifndef SAT_POLYGON_SIMPLICITY_H
#define SAT_POLYGON_SIMPLICITY_H

#include "polygon/sweep_status.h"

/* The bytes of memory that sat_simple_ring_sign needs, aligned as malloc's. */
size_t sat_simplicity_bytes(size_t count);

/* The sign of the area of a simple ring of three or more vertices, none of which lies on a straight
 * line or spike with its neighbours: 1 or -1. The ring may touch itself, with vertices or along
 * whole edges, but not cross itself there: the ring must wind around every point of the plane once,
 * always in the same direction, or not at all. Of a ring that crosses itself, or in which more than
 * a few edges run along each other, the function returns 0, and `error` names two edges, the lower
 * first, that cross or touch. Exact. O(n log n). Shamos and Hoey, Geometric intersection problems,
 * 1976. */
int sat_simple_ring_sign(const sat_Vec2 *points, size_t count, void *memory, sat_RingError *error);

#endif
