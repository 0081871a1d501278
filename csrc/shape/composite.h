/* composite.h: the block of a composite shape: a head with a vertex count of 0, a second header,
 * and arrays. */
#ifndef SAT_SHAPE_COMPOSITE_H
#define SAT_SHAPE_COMPOSITE_H

#include "shape/piece_view.h"

/* The second header of a block: the element counts that fix its layout.
 *
 * Invariant: the counts, the measures as made, the points and the members' records of a shape never
 * change once a constructor has returned. Only the transform, the radius and the properties in the
 * head change, and with them the fields that sat_composite_measure and sat_composite_refresh
 * derive. Loading restores a live shape only where all counts agree, and asserts it. So every
 * pointer into a block and every size read from one stays valid for the life of the shape. The same
 * is true of the number of vertices of a convex shape. */
typedef struct sat_CompositeHeader {
  uint32_t pieces, vertices, edge_blocks, nodes;
  uint32_t points; /* number of points, by which the pieces' vertices are given */
  uint32_t kind;   /* a sat_Kind; a polygon's points are one ring, whose order a mirror reverses */
  uint32_t rounded_count; /* separately rounded members, each adding pi r^2 to the area */
  uint32_t flags;         /* union of the pieces' flags */
  uint32_t records;       /* bytes of a compound's members' records */
  uint32_t depth;         /* nesting depth of a compound, itself included */
  uint32_t parts, spare;  /* `parts`: number of parts, which follows from the members */
  double length;          /* unscaled length of all segments of a chain or compound */
  /* the measures as made, before axis_scale */
  sat_Vec2 made_centroid;
  double made_area, made_perimeter, made_length;
} sat_CompositeHeader;

/* The deepest nesting of compounds: loading a compound builds each level again. */
#define SAT_MOST_NESTED 500

/* The counts that a record has, in its order; the others follow from the pieces and the members. */
#define SAT_COMPOSITE_COUNTS(COUNT)                                                                \
  COUNT(kind)                                                                                      \
  COUNT(points)                                                                                    \
  COUNT(pieces) COUNT(vertices) COUNT(edge_blocks) COUNT(flags) COUNT(records) COUNT(depth)

/* The counts of a chain of distinct points; of a polygon; and of a compound of members, or
 * SAT_EFEW, SAT_ENOMEM for a block that is too large, SAT_EDEEP. */
sat_CompositeHeader sat_chain_counts(uint32_t points, bool closed);
sat_CompositeHeader sat_polygon_counts(size_t count, const sat_Decomposition *decomposition);
sat_Status sat_compound_counts(const sat_Shape *const *members, size_t count,
                               sat_CompositeHeader *header);
/* Adds the counts of a member with a record of `bytes` to those of a compound. False: too many. */
bool sat_count_member(sat_CompositeHeader *sum, const sat_CompositeHeader *own, size_t bytes);
bool sat_composite_same_counts(const sat_CompositeHeader *a, const sat_CompositeHeader *b);

static inline const sat_CompositeHeader *sat_composite_header(const sat_Shape *shape) {
  return (const sat_CompositeHeader *)(const void *)(shape + 1);
}
/* The counts of a convex shape, which has the kind 0; and of any shape. */
SAT_INLINE sat_CompositeHeader sat_convex_counts(uint32_t vertices) {
  return (sat_CompositeHeader){.pieces = 1,
                               .vertices = vertices,
                               .edge_blocks = edge_block_count(vertices),
                               .points = vertices};
}
SAT_INLINE sat_CompositeHeader sat_shape_counts(const sat_Shape *shape) {
  return is_composite(shape) ? *sat_composite_header(shape)
                             : sat_convex_counts(shape->vertex_count);
}

/* The size of a block with these counts, in bytes; 0: too large. */
size_t sat_composite_bytes(const sat_CompositeHeader *header);

/* Pointers to the arrays of a block. */
typedef struct sat_CompositeBlock {
  sat_CompositeHeader *header;
  sat_Edges *edges;
  sat_Vec2 *vertices;       /* the pieces' vertices, transformed */
  sat_Vec2 *points;         /* the points, transformed */
  sat_Vec2 *local_vertices; /* the points as given, relative to the local origin */
  sat_Piece *pieces;
  sat_BvhNode *nodes;
  uint32_t *index;         /* index of each vertex among the points */
  uint32_t *next_in_chain; /* see shape/piece_view.h; NULL but for compounds that hold chains */
  bool *internal;          /* whether the edge from each vertex is internal */
  bool *own_internal;      /* `internal` before any mirror, as `own_reflex` is `reflex` */
  bool *reflex;            /* whether each vertex is reflex */
  bool *own_reflex;
  unsigned char *records; /* a compound's members as given, see shape/record.h */
} sat_CompositeBlock;

/* The pointers into a block. The first function needs a block whose second header is filled in; the
 * second one writes the header and an empty head. */
sat_CompositeBlock sat_composite_block(sat_Shape *shape);
sat_CompositeBlock sat_composite_begin(sat_Shape *shape, const sat_CompositeHeader *header);

/* The part of a piece of any shape. */
static inline uint32_t sat_part_of_piece(const sat_Shape *shape, uint32_t piece) {
  return is_composite(shape) ? sat_composite_block((sat_Shape *)shape).pieces[piece].part : 0;
}

/* Fill in the pieces and measures of a block whose local vertices are filled in, relative to any
 * origin. */
void sat_polygon_fill(sat_Shape *shape, const sat_Decomposition *decomposition);
void sat_chain_fill(sat_Shape *shape);
/* Sets the length of a chain. Returns its centroid: the mean of the segments' centres, weighted by
 * the segments' lengths. */
sat_Vec2 sat_chain_measure(const sat_CompositeBlock *block);
/* Computes the measures that depend on axis_scale. */
void sat_composite_measure(sat_Shape *shape);
/* Sorts the pieces of a filled block for its bounding volume hierarchy, and keeps the measures as
 * made. The order of the pieces depends on the local vertices alone. sat_shape_refresh then
 * completes the block. */
void sat_composite_sort(sat_Shape *shape);

/* The bounding radius of every shape, with its pieces' radii, stays below this: it is at most the
 * diagonal of the plane from -SAT_LIMIT to SAT_LIMIT. */
#define SAT_MOST_BOUND (3 * SAT_LIMIT)

/* The dispatch targets of the functions of sat.h for one shape. */
void sat_composite_refresh(sat_Shape *shape);
void sat_composite_measure_bounding_radius(sat_Shape *shape);
sat_Vec2 sat_composite_support(const sat_Shape *shape, sat_Vec2 direction);

#endif
