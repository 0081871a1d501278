/* shape.h: what the narrow phase knows of a shape's block beyond sat.h. */
#ifndef SAT_SHAPE_H
#define SAT_SHAPE_H

#include "geometry.h"

/* A convex set of vertices relative to an origin of its own: a shape, or one piece of it. */
typedef struct sat_Convex {
  const sat_Vec2 *vertex;
  const sat_Edges *edges; /* a single vertex has none */
  sat_Vec2 origin;
  uint32_t count;
} sat_Convex;

/* How many sat_Edges so many vertices have. */
SAT_INLINE uint32_t fours_of(uint32_t count) { return count > 1 ? (count - 1) / 4 + 1 : 0; }

/* The edges stand right behind the head, the vertices behind them, then the local geometry. */
SAT_INLINE const sat_Edges *edges_of(const sat_Shape *shape) {
  return (const sat_Edges *)(shape + 1);
}
SAT_INLINE const sat_Vec2 *vertices_of(const sat_Shape *shape) {
  return (const sat_Vec2 *)(edges_of(shape) + fours_of(shape->vertex_count));
}

SAT_INLINE sat_Convex sat_convex_of(const sat_Shape *shape) {
  return (sat_Convex){vertices_of(shape), edges_of(shape), shape->origin, shape->vertex_count};
}

/* The local vertices, of a block whose head knows how many there are. */
sat_Vec2 *sat_shape_locals(sat_Shape *shape);
SAT_INLINE const sat_Vec2 *locals_of(const sat_Shape *shape) {
  return vertices_of(shape) + shape->vertex_count;
}

/* Works out all that follows from the angle and the other numbers that a shape is given, which are
 * its local vertices, middle, center, anchor, angle, scale, radius and mirrors. */
void sat_shape_derive(sat_Shape *shape);

/* Of the edge from vertex `index` on. */
SAT_INLINE sat_Vec2 normal_of(const sat_Edges *edges, uint32_t index) {
  return vec2(edges[index / 4].x[index % 4], edges[index / 4].y[index % 4]);
}
SAT_INLINE double offset_of(const sat_Edges *edges, uint32_t index) {
  return edges[index / 4].offset[index % 4];
}

/* Up to here looking at every vertex beats the binary search over the edges' angles. */
#define SAT_SCAN_SUPPORT 8

/* The index of the vertex farthest along `direction`; of equal ones, the first that the search
 * meets. */
uint32_t sat_support_index(const sat_Convex *convex, sat_Vec2 direction);

#endif
