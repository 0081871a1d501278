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
  double length;   /* of a chain, and of a compound without area, unscaled */
} sat_Many;

static inline const sat_Many *sat_many_of(const sat_Shape *shape) {
  return (const sat_Many *)(const void *)(shape + 1);
}

/* What the functions of sat.h about one shape come down to for one of several parts. */
void sat_many_refresh(sat_Shape *shape);
size_t sat_many_point_count(const sat_Shape *shape);
sat_Vec2 sat_many_point(const sat_Shape *shape, size_t index);
double sat_many_area(const sat_Shape *shape, double core, double outline);
sat_Vec2 sat_many_support(const sat_Shape *shape, sat_Vec2 direction);

#endif
