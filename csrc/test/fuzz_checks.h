/* fuzz_checks.h: a check that prints the failing pair, and measures of shapes, for the fuzzers
 * of two shapes. */
#ifndef SAT_TEST_FUZZ_CHECKS_H
#define SAT_TEST_FUZZ_CHECKS_H

#include "test/oracle.h"

#include <stdio.h>
#include <stdlib.h>

/* The file that includes this header defines Pair and fail_pair. */
#define CHECK(pair, condition)                                                                     \
  do {                                                                                             \
    if (!(condition)) fail_pair(pair, #condition, __LINE__);                                       \
  } while (0)

static inline void print_vertices(const sat_Shape *shape) {
  for (size_t i = 0; i < shape->vertex_count; i++) {
    sat_Vec2 vertex = sat_shape_vertex(shape, i);
    fprintf(stderr, " (%.17g, %.17g)", vertex.x, vertex.y);
  }
  fprintf(stderr, "\n");
}

static inline bool finite_point(sat_Vec2 v) { return isfinite(v.x) && isfinite(v.y); }
static inline bool is_unit(sat_Vec2 v) { return fabs(length(v) - 1) < 1e-14; }

/* The largest magnitude of a coordinate of the shape's bounds. */
static inline double reach_of(const sat_Shape *shape) {
  sat_Box box = sat_shape_bounds(shape);
  return max2(max2(-box.min.x, box.max.x), max2(-box.min.y, box.max.y));
}

/* A copy of the shape moved by a motion, or NULL if the motion leads out of range. */
static inline sat_Shape *moved_by(const sat_Shape *shape, sat_Vec2 motion) {
  sat_Shape *moved = shape_copy(shape);
  if (sat_shape_move(moved, motion.x, motion.y) == SAT_OK) return moved;
  free(moved);
  return NULL;
}

#endif
