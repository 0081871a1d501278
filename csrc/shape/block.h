/* block.h: the head of a shape's block, and where the edges and vertices of a convex shape lie. */
#ifndef SAT_SHAPE_BLOCK_H
#define SAT_SHAPE_BLOCK_H

#include "base/vec2.h"

/* Four edges side by side, for SIMD. The edge from a vertex to the next has the outward unit normal
 * `x`, `y`, and `offset`, the edge's distance from the shape's origin along the normal. The
 * edges after a shape's last one have normal 0, 0 and are infinitely far out. */
typedef struct sat_Edges {
  double x[4], y[4], offset[4];
} sat_Edges;

/* Bits of a shape's flags. */
enum {
  SAT_TRANSFORMED = 1, /* scaled, mirrored, or rotated to another angle than SAT_QUARTERS */
  SAT_MIRROR_X = 2,    /* flipped left for right */
  SAT_MIRROR_Y = 4,    /* flipped top for bottom */
  SAT_SENSOR = 8,
  SAT_STATIC = 16,
  SAT_DISABLED = 32,
  SAT_CHANGED = 64,   /* the change list has the shape already */
  SAT_LOCKED = 512,   /* a move of the shape waits for an answer */
  SAT_QUARTERS = 384, /* two bits: the quarter turns of the local origin */
  /* The following are never saved, but set and cleared as often as the vertices are computed, and
   * the first also with the radius. */
  SAT_SHARP = 1024,        /* a polygon without a radius */
  SAT_FEW_VERTICES = 2048, /* no more than SAT_MOST_FEW, no edge without length, no reflex corner */
  SAT_UPRIGHT = 4096,      /* a box whose sides and normals are parallel to the axes, exactly */
  /* two bits of such a box: the side that is its first edge, of those towards smaller x, smaller y,
   * larger x and larger y, which is the order of its edges */
  SAT_FIRST_SIDE = 8192,
  SAT_OF_VERTICES = 31 * SAT_SHARP
};

/* Polygons of up to this many vertices have all their separations computed. */
#define SAT_MOST_FEW 16

/* The head of a block; the edges, the vertices and the local geometry follow. The fields that a
 * query reads come last, so that they share cache lines with the edges. */
struct sat_Shape {
  /* local */
  sat_Vec2 local_centroid;
  /* without scale and radius; the perimeter of a concave polygon or chain is 0 */
  double area, perimeter;
  /* the transform */
  double cosine, sine; /* 0.5 for a single vertex unless the angle is a quarter turn */
  double angle, scale;
  sat_Vec2 axis_scale;   /* along the shape's own axes, besides `scale` */
  sat_Vec2 centroid;     /* in the world */
  sat_Vec2 local_origin; /* of the local vertices, in the world */
  /* its world */
  sat_ChangeList *changes; /* NULL: the shape is in no world */
  uint32_t index, spare;
  /* properties */
  void *owner;
  uint32_t category, mask;
  int32_t group;
  uint32_t bytes; /* of the whole block */
  double mass;
  sat_Vec2 one_way; /* in the shape's own frame; 0, 0: solid from every side */
  /* in the world, relative to the origin */
  sat_Vec2 centroid_from_origin;
  double bounding_radius; /* about the centroid, without the radius */
  sat_Box box;            /* of the vertices, or the pieces and their radii; without `radius` */
  uint32_t flags;
  uint32_t vertex_count; /* 0: a composite shape, see shape/composite.h */
  double radius;
  double l1_bound; /* at least |x| + |y| of every vertex */
  sat_Vec2 origin; /* in the world */
};

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
