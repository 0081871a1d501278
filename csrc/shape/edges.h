/* edges.h: where the edges and vertices of a convex shape lie in its block. */
#ifndef SAT_SHAPE_EDGES_H
#define SAT_SHAPE_EDGES_H

#include "base/vec2.h"
#include "shape/shape.h"

/* The number of sat_Edges blocks for `count` vertices. */
SAT_INLINE uint32_t edge_block_count(uint32_t count) { return count > 1 ? (count - 1) / 4 + 1 : 0; }

/* The edges follow the head; then come the vertices and the local geometry. */
SAT_INLINE const sat_Edges *edges_of(const sat_Shape *shape) {
  return (const sat_Edges *)(shape + 1);
}
SAT_INLINE const sat_Vec2 *vertices_of(const sat_Shape *shape) {
  return (const sat_Vec2 *)(edges_of(shape) + edge_block_count(shape->vertex_count));
}

/* The unit normal and the offset of the edge that starts at vertex `index`. */
SAT_INLINE sat_Vec2 normal_of(const sat_Edges *edges, uint32_t index) {
  return vec2(edges[index / 4].x[index % 4], edges[index / 4].y[index % 4]);
}
SAT_INLINE double offset_of(const sat_Edges *edges, uint32_t index) {
  return edges[index / 4].offset[index % 4];
}

#endif
