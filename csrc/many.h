/* many.h: the block of a shape of several convex parts, whose head says that it has no vertices. */
#ifndef SAT_MANY_H
#define SAT_MANY_H

#include "body.h"

/* What stands behind the head: how much of everything follows. */
typedef struct sat_Many {
  uint32_t parts, vertices, fours, nodes;
  uint32_t points; /* of which the parts' vertices are some, and which turn first */
  uint32_t kind;   /* a sat_Kind */
  uint32_t rounds; /* how many outlines' rounding counts towards the area */
  uint32_t ring;   /* whether the points are one ring, whose order a mirror turns round */
  uint32_t flags;  /* those that any part has */
  uint32_t spare;
  double length; /* of a chain, and of a compound without area, unscaled */
} sat_Many;

static inline const sat_Many *sat_many_of(const sat_Shape *shape) {
  return (const sat_Many *)(const void *)(shape + 1);
}

/* Fills in how many nodes the tree of so many parts has. */
void sat_many_count_nodes(sat_Many *many);

/* How large a block that much takes; 0: too large. */
size_t sat_many_bytes(const sat_Many *many);

/* Where everything in a block is. */
typedef struct sat_ManyBlock {
  sat_Many *many;
  sat_Edges *edges;
  sat_Vec2 *vertices; /* of the parts, as they stand now */
  sat_Vec2 *points;   /* as they stand now, */
  sat_Vec2 *locals;   /* and as given, relative to the anchor */
  sat_Part *parts;
  sat_PartNode *nodes;
  uint32_t *index;  /* of each vertex among the locals */
  uint32_t *follow; /* see body.h; NULL but for compounds that hold chains */
  bool *inner;      /* of each vertex' edge, as it stands now, */
  bool *own_inner;  /* and before any mirror */
  bool *buried;     /* the same of each vertex */
  bool *own_buried;
} sat_ManyBlock;

/* Of a block whose counts are there, and of one that is given them. */
sat_ManyBlock sat_many_block(sat_Shape *shape);
sat_ManyBlock sat_many_lay_out(sat_Shape *shape, const sat_Many *many);

/* Adds a part, of vertices that are to be filled in at the place returned. */
uint32_t sat_many_add_part(const sat_ManyBlock *block, uint32_t *parts, uint32_t count,
                           double radius);

/* What the functions of sat.h about one shape come down to for one of several parts. */
void sat_many_refresh(sat_Shape *shape);
size_t sat_many_point_count(const sat_Shape *shape);
sat_Vec2 sat_many_point(const sat_Shape *shape, size_t index);
double sat_many_area(const sat_Shape *shape, double core, double outline);
sat_Vec2 sat_many_support(const sat_Shape *shape, sat_Vec2 direction);

#endif
