/* decomposition.h: a concave ring as few convex pieces. */
#ifndef SAT_DECOMPOSITION_H
#define SAT_DECOMPOSITION_H

#include "geometry.h"

/* A corner of a piece, and the piece's edge from it to the next corner. */
typedef struct sat_Corner {
  uint32_t vertex; /* of the ring; of several in one place always the same */
  bool inner;      /* the edge lies inside the ring, all along: other pieces share it */
} sat_Corner;

/* Piece k has the corners first[k] to first[k + 1] - 1, in the order of positive area and without
 * any on a straight line. */
typedef struct sat_Pieces {
  uint32_t count;
  const uint32_t *first;
  const sat_Corner *corners;
} sat_Pieces;

/* Cuts a cleaned ring (see sat_ring_clean) into convex pieces that have its area and no part of it
 * twice, from vertex to vertex. A bridge to a hole is no edge of it, but is inside; one between two
 * parts that nothing else connects is in no piece. `pieces` lives in the scratch memory until that
 * is used again. Exact. Fails with SAT_ENOMEM. O(n log n).
 *
 * Hertel and Mehlhorn, Fast triangulation of simple polygons, 1983: a sweep that triangulates all
 * that is left of the line at once, then all diagonals that no corner needs are dropped. */
sat_Status sat_ring_decompose(const sat_Vec2 *points, size_t count, sat_Scratch *scratch,
                              sat_Pieces *pieces);

#endif
