/* composite.h: the block of a shape of several convex parts, whose head says that it has no
 * vertices. */
#ifndef SAT_SHAPE_COMPOSITE_H
#define SAT_SHAPE_COMPOSITE_H

#include "shape/piece_view.h"

/* The second header of a block: the element counts that fix its layout.
 *
 * Invariant: these counts, the points and the members' records of a shape never change once a
 * constructor has returned. Only the transform, the radius, the filter and the flags of the head
 * do, and with them what sat_composite_refresh derives. Loading restores a live shape only where
 * all of them agree, and asserts it. So every pointer into a block and every size taken from one
 * stays valid for the life of the shape, whatever scripts do meanwhile. The same is true of the
 * number of vertices of a convex shape. */
typedef struct sat_CompositeHeader {
  uint32_t pieces, vertices, edge_blocks, nodes;
  uint32_t points; /* of which the parts' vertices are some, and which turn first */
  uint32_t kind;   /* a sat_Kind; a polygon's points are one ring, whose order a mirror reverses */
  uint32_t rounded_count; /* how many outlines' rounding counts towards the area */
  uint32_t flags;         /* those that any part has */
  uint32_t records;       /* bytes of the members' records, of a compound */
  uint32_t depth;         /* levels of compounds in a compound, itself included */
  double length;          /* of a chain, and of a compound without area, unscaled */
} sat_CompositeHeader;

/* Compounds nest no deeper: loading one builds each level again. */
#define SAT_MOST_NESTED 500

/* The counts of a chain of distinct points, of a polygon, and of a compound of members. */
sat_CompositeHeader sat_chain_counts(uint32_t points, bool closed);
sat_CompositeHeader sat_polygon_counts(size_t count, const sat_Decomposition *decomposition);
sat_Status sat_compound_counts(const sat_Shape *const *members, size_t count,
                               sat_CompositeHeader *header);

static inline const sat_CompositeHeader *sat_composite_header(const sat_Shape *shape) {
  return (const sat_CompositeHeader *)(const void *)(shape + 1);
}

/* Fills in how many nodes the tree of so many parts has. */
void sat_composite_count_nodes(sat_CompositeHeader *header);

/* How large a block that much takes; 0: too large. */
size_t sat_composite_bytes(const sat_CompositeHeader *header);

/* Where everything in a block is. */
typedef struct sat_CompositeBlock {
  sat_CompositeHeader *header;
  sat_Edges *edges;
  sat_Vec2 *vertices;       /* of the parts, as they stand now */
  sat_Vec2 *points;         /* as they stand now, */
  sat_Vec2 *local_vertices; /* and as given, relative to the anchor */
  sat_Piece *pieces;
  sat_BvhNode *nodes;
  uint32_t *index;         /* of each vertex among the locals */
  uint32_t *next_in_chain; /* see shape/piece_view.h; NULL but for compounds that hold chains */
  bool *internal;          /* of each vertex' edge, as it stands now, */
  bool *own_internal;      /* and before any mirror */
  bool *reflex;            /* the same of each vertex */
  bool *own_reflex;
  unsigned char *records; /* of a compound's members as they were given, see shape/shape_save.h */
} sat_CompositeBlock;

/* Of a block whose counts are there, and of one that is given them. */
sat_CompositeBlock sat_composite_block(sat_Shape *shape);
sat_CompositeBlock sat_composite_begin(sat_Shape *shape, const sat_CompositeHeader *header);

/* Fill in a block whose locals are there, relative to any anchor: parts and measures. */
void sat_polygon_fill(sat_Shape *shape, const sat_Decomposition *decomposition);
void sat_chain_fill(sat_Shape *shape);
/* Completes a filled block, whose head has its transform. The order of the parts depends on the
 * locals alone. */
void sat_composite_finish(sat_Shape *shape);

/* A bound that all shapes keep, with their parts' radii, however compounds are nested. */
#define SAT_MOST_BOUND (8 * SAT_LIMIT)

/* What the functions of sat.h about one shape come down to for one of several parts. */
void sat_composite_refresh(sat_Shape *shape);
size_t sat_composite_point_count(const sat_Shape *shape);
sat_Vec2 sat_composite_point(const sat_Shape *shape, size_t index);
double sat_composite_area(const sat_Shape *shape, double core, double boundary);
sat_Vec2 sat_composite_support(const sat_Shape *shape, sat_Vec2 direction);

#endif
