/* triangulation.h: a ring as triangles, linked by half-edges. */
#ifndef SAT_POLYGON_TRIANGULATION_H
#define SAT_POLYGON_TRIANGULATION_H

#include "polygon/sweep_status.h"

/* A half-edge. The links `next` walk round the piece to its left, at first a triangle. */
typedef struct sat_HalfEdge {
  uint32_t vertex; /* its origin */
  uint32_t next, previous;
  uint32_t twin; /* the opposite half-edge; SAT_NONE on the ring */
} sat_HalfEdge;

typedef struct sat_Triangulation {
  sat_HalfEdge *half_edge;
  uint32_t count; /* number of half-edges: three for each triangle, in a row */
} sat_Triangulation;

/* Larger rings are refused: indices of half-edges have 31 bits. */
#define SAT_MOST_TRIANGULATED (1u << 28)

/* The bytes that sat_triangulate needs for a ring of `count` vertices. The triangles stand at the
 * start of this memory. */
size_t sat_triangulation_bytes(size_t count);
/* The largest possible number of half-edges. */
static inline size_t sat_triangulation_most(size_t count) { return 6 * count; }

/* Triangulates a cleaned ring. The first of several vertices of equal position stands for all of
 * them. Exact. O(n log n). */
sat_Triangulation sat_triangulate(const sat_Vec2 *points, size_t count, void *memory);

#endif
