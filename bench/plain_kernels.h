/* plain_kernels.h: textbook code for one question about one kind of shape each: doubles, no care for what
 * lies within rounding. */
#ifndef BENCH_PLAIN_KERNELS_H
#define BENCH_PLAIN_KERNELS_H

#include "common.h"

/* A ring in the order of positive area, or the ends of a segment; normals point outward and are of
 * unit length. The first vertex of a circle is its centre. */
typedef struct bench_Plain {
  size_t count;
  double radius;
  sat_Vec2 vertex[8], normal[8];
  sat_Box box; /* without the radius */
} bench_Plain;

/* Fills in the normals and the box. */
void bench_plain_measure(bench_Plain *shape);

/* The first point of a ray on a shape, the fraction of the motion, and the normal there. */
typedef bool bench_PlainRay(const bench_Plain *shape, sat_Vec2 from, sat_Vec2 motion, sat_Hit *hit);
bench_PlainRay plain_ray_circle, plain_ray_capsule, plain_ray_segment, plain_ray_box,
    plain_ray_polygon;

/* The first contact of a moving shape with another one. */
typedef bool bench_PlainCast(const bench_Plain *a, sat_Vec2 motion, const bench_Plain *b,
                             sat_Hit *hit);
bench_PlainCast plain_cast_circles, plain_cast_boxes, plain_cast_polygons;

/* The distance and the closest points; 0 where two shapes overlap. */
typedef double bench_PlainDistance(const bench_Plain *a, const bench_Plain *b, sat_Vec2 closest[2]);
bench_PlainDistance plain_distance_circles, plain_distance_capsules, plain_distance_boxes,
    plain_distance_box_circle, plain_distance_polygons;

/* A binary tree over boxes, by halves, with leaves of four. */
typedef struct bench_PlainNode {
  sat_Box box;
  uint32_t left, right; /* children; of a leaf, its range of boxes */
  bool is_leaf;
} bench_PlainNode;
typedef struct bench_PlainTree {
  bench_PlainNode *nodes;
  sat_Box *boxes;
  uint32_t count, used;
} bench_PlainTree;
bench_PlainTree plain_tree_make(const sat_Box *boxes, uint32_t count);
void plain_tree_free(bench_PlainTree *tree);
/* The first box that a box with these half sides meets on its way, the distance of the nearest one
 * from a point, and whether any contains a point. */
bool plain_tree_cast(const bench_PlainTree *tree, sat_Vec2 from, sat_Vec2 motion, sat_Vec2 half,
                     double *t);
double plain_tree_distance(const bench_PlainTree *tree, sat_Vec2 point);
bool plain_tree_contains(const bench_PlainTree *tree, sat_Vec2 point);

#endif
