/* triangulation.h: a ring as triangles that know their neighbours. */
#ifndef SAT_POLYGON_TRIANGULATION_H
#define SAT_POLYGON_TRIANGULATION_H

#include "polygon/sweep_status.h"

/* One side of an edge between two vertices. The piece to the left of it, at first a triangle, is
 * walked round by `next`. */
typedef struct sat_HalfEdge {
  uint32_t vertex; /* where it starts */
  uint32_t next, previous;
  uint32_t twin; /* the other side; SAT_NONE outside of the ring */
} sat_HalfEdge;

typedef struct sat_Triangulation {
  sat_HalfEdge *half_edge;
  uint32_t count; /* of halves: three for each triangle, in a row */
} sat_Triangulation;

/* Larger rings are refused: halves are counted in 31 bits. */
#define SAT_MOST_TRIANGULATED (1u << 28)

/* What sat_triangulate needs for a ring of `count` vertices, the triangles included, which stand
 * where the memory starts. */
size_t sat_triangulation_bytes(size_t count);
/* There are no more halves than this. */
static inline size_t sat_triangulation_most(size_t count) { return 6 * count; }

/* Triangulates a cleaned ring. Of vertices in one place the first stands for all. Exact. O(n log
 * n). */
sat_Triangulation sat_triangulate(const sat_Vec2 *points, size_t count, void *memory);

#endif
