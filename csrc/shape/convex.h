/* convex.h: the block of a convex shape: its edges and vertices, and the fields derived from
 * them; and the transform and position of every shape. */
#ifndef SAT_SHAPE_CONVEX_H
#define SAT_SHAPE_CONVEX_H

#include "base/tolerance.h"
#include "base/vec2.h"
#include "shape/block.h"

/* The position of a shape, to the bit. */
typedef struct sat_SavedPosition {
  sat_Vec2 centroid, local_origin, origin;
} sat_SavedPosition;

/* A convex set of vertices relative to an origin of its own: a shape, or one piece of it. */
typedef struct sat_Convex {
  const sat_Vec2 *vertex;
  const sat_Edges *edges; /* unused for a single vertex */
  sat_Vec2 origin;
  uint32_t count;
} sat_Convex;

SAT_INLINE uint32_t next_index(const sat_Convex *convex, uint32_t index) {
  return index + 1 < convex->count ? index + 1 : 0;
}
SAT_INLINE uint32_t previous_index(const sat_Convex *convex, uint32_t index) {
  return (index > 0 ? index : convex->count) - 1;
}

/* Sets a radius, and with it SAT_SHARP. */
SAT_INLINE void sat_take_radius(sat_Shape *shape, double radius) {
  shape->radius = radius;
  shape->flags &= ~(uint32_t)SAT_SHARP;
  if (shape->vertex_count > 2 && radius == 0) shape->flags |= SAT_SHARP;
}

/* Whether a shape is composite: it has pieces (see shape/piece_view.h) instead of vertices of its
 * own. */
SAT_INLINE bool is_composite(const sat_Shape *shape) { return shape->vertex_count == 0; }

/* Whether a shape has been scaled along its own axes. */
SAT_INLINE bool sat_is_stretched(const sat_Shape *shape) {
  return shape->axis_scale.x != 1 || shape->axis_scale.y != 1;
}

SAT_INLINE sat_Vec2 sat_stretched(const sat_Shape *shape, sat_Vec2 local) {
  return vec2(local.x * shape->axis_scale.x, local.y * shape->axis_scale.y);
}
/* The perimeter of a ring of local vectors after the stretch. */
double sat_stretched_perimeter(const sat_Shape *shape, const sat_Vec2 *ring, uint32_t count);

/* The vertices, edges and origin of a convex shape. */
SAT_INLINE sat_Convex sat_convex_of(const sat_Shape *shape) {
  return (sat_Convex){vertices_of(shape), edges_of(shape), shape->origin, shape->vertex_count};
}

/* The local vertices of a block whose head has their number. */
sat_Vec2 *sat_shape_local_vertices(sat_Shape *shape);
SAT_INLINE const sat_Vec2 *local_vertices_of(const sat_Shape *shape) {
  return vertices_of(shape) + shape->vertex_count;
}

/* Whether a shape has one vertex, which is its centroid. */
SAT_INLINE bool sat_is_one_vertex(const sat_Shape *shape) {
  const sat_Vec2 *local = (const sat_Vec2 *)(shape + 1) + 1; /* after the vertex, without edges */
  const sat_Vec2 *centroid = &shape->local_centroid;
  return shape->vertex_count == 1 && local->x == centroid->x && local->y == centroid->y;
}
/* Whether a shape has one vertex and turns about that vertex. */
SAT_INLINE bool sat_turns_in_place(const sat_Shape *shape) {
  return (shape->flags & SAT_TRANSFORMED) && sat_is_one_vertex(shape);
}

/* Up to this number of vertices a linear scan beats the binary search over the edges' angles. */
#define SAT_SCAN_SUPPORT 8

/* The index of the vertex farthest along `direction`. Of two equally far ones, up to
 * SAT_SCAN_SUPPORT vertices the first, and beyond that the end of their edge. O(log n). */
uint32_t sat_support_index(const sat_Convex *convex, sat_Vec2 direction);
/* The same by a scan of all vertices: a turn may put the normals of a needle in the wrong order.
 * O(n). */
uint32_t sat_support_by_scan(const sat_Convex *convex, sat_Vec2 direction);

/* ---------------------------------------------------------------- for constructors */

SAT_INLINE bool sat_points_in_range(const sat_Vec2 *points, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!vec_in_range(points[i])) return false;
  return true;
}

/* Whether a shape's bounds, with its radius, are within the limits. */
bool sat_shape_is_within(const sat_Shape *shape);

/* Whether a shape may have this axis_scale. */
SAT_INLINE bool is_axis_scale(sat_Vec2 axis_scale) {
  return vec_in_range(axis_scale) && axis_scale.x >= 1 / SAT_LIMIT && axis_scale.y >= 1 / SAT_LIMIT;
}

/* Fills in a new shape's head, without transform. */
void sat_init_head(sat_Shape *shape, size_t bytes, size_t count, double radius);

/* The centroid of a ring, a segment or a point. */
sat_Vec2 sat_points_centroid(const sat_Vec2 *points, size_t count);

/* The local origin for points with this centroid; see shape/convex.c. */
sat_Vec2 sat_local_origin_of(const sat_Vec2 *points, size_t count, sat_Vec2 centroid);

/* Computes the edges and the bounds of a ring of `count` vertices. Returns whether all edges have a
 * length and no corner is reflex. */
bool sat_measure_ring(const sat_Vec2 *vertex, uint32_t count, sat_Edges *edge_block, sat_Box *box);

/* At least |x| + |y| of every vertex in a box. */
SAT_INLINE double l1_bound_of(const sat_Box *box) {
  return max2(-box->min.x, box->max.x) + max2(-box->min.y, box->max.y);
}

/* Recomputes the area and perimeter from the local vertices, the bounding radius from these and the
 * scale, and the vertices, edges and box from the local vertices and the transform. */
void sat_convex_measure(sat_Shape *shape);
void sat_convex_measure_bounding_radius(sat_Shape *shape);
void sat_convex_refresh(sat_Shape *shape);

/* ---------------------------------------------------------------- every shape */

/* The lowest bit of SAT_QUARTERS. */
#define SAT_QUARTER 128

/* Whether a shape's rings run the other way round in its own frame. */
SAT_INLINE bool is_mirrored(const sat_Shape *shape) {
  return !(shape->flags & SAT_MIRROR_X) != !(shape->flags & SAT_MIRROR_Y);
}

/* Transforms points from a shape's own frame to the world's, relative to the shape's origin. The
 * second function keeps a ring in the order of positive area. */
void sat_turn_vertices(const sat_Shape *shape, const sat_Vec2 *local, uint32_t count,
                       sat_Vec2 *vertex);
void sat_turn_ring(const sat_Shape *shape, const sat_Vec2 *local, uint32_t count, sat_Vec2 *vertex);

/* Recomputes all fields that depend on the transform, but for the sine and the cosine. */
void sat_shape_refresh(sat_Shape *shape);

/* Derives all other fields from the local vertices, or the pieces and their measures, and from the
 * centroids, local origin, angle, scale, radius and mirrors. */
void sat_shape_derive(sat_Shape *shape);

/* Reads a position; restores one; and moves a shape by the same sums as sat_shape_move, and as
 * there, SAT_ERANGE leaves the shape in place. The latter two do not notify the shape's world. */
sat_SavedPosition sat_shape_position(const sat_Shape *shape);
void sat_shape_stand_at(sat_Shape *shape, sat_SavedPosition position);
sat_Status sat_shape_shift(sat_Shape *shape, sat_Vec2 motion);
/* Restores a position, and notifies the shape's world. */
void sat_shape_put(sat_Shape *shape, sat_SavedPosition position);

/* Gives a shape, made of a piece or part of another one, that radius, and the filter, flags and
 * mass of the whole. SAT_ERANGE. */
sat_Status sat_shape_take_settings(sat_Shape *block, const sat_Shape *shape, double radius);
/* Makes a shape what a copy of it has become, and notifies the shape's world. */
void sat_shape_become(sat_Shape *shape, const sat_Shape *copy);

/* Makes a shape as sat_shape_init does, but without radius, and of points relative to an origin,
 * which becomes the shape's origin. */
sat_Status sat_shape_init_at(sat_Shape *block, sat_Vec2 origin, const sat_Vec2 *points,
                             size_t count);

/* ---------------------------------------------------------------- kernels of turned shapes */

/* Computes the edges and the box of a ring of two vertices or more. False: an edge has no length or
 * a corner is reflex, so that the caller must compute the edges again, but not the box. */
SAT_KERNEL(bool, sat_measure_edges,
           (const sat_Vec2 *vertex, uint32_t count, sat_Edges *edges, sat_Box *box),
           (vertex, count, edges, box))

/* Turns points about a pivot, with a scale and mirrors: pivot + (x, y) goes to x * (x_to_x, x_to_y)
 * + y * (y_to_x, y_to_y). Where `edges` is not NULL, the points are a ring of two or more, which is
 * measured, with the bits and the result of sat_measure_edges. The vectors are passed as single
 * numbers, which stay in registers. */
SAT_KERNEL(bool, sat_turn_points,
           (double pivot_x, double pivot_y, double x_to_x, double x_to_y, double y_to_x,
            double y_to_y, const sat_Vec2 *local, uint32_t count, sat_Vec2 *vertex,
            sat_Edges *edges, sat_Box *box),
           (pivot_x, pivot_y, x_to_x, x_to_y, y_to_x, y_to_y, local, count, vertex, edges, box))

#endif
