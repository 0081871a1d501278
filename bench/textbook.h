/* textbook.h: the separating axis theorem as every tutorial has it: each edge's normal is an axis;
 * both shapes are projected on it, whole; the first axis with a gap ends the search. A circle adds
 * the axis to the vertex that is nearest to its centre. And what an article has in place of it. */
#ifndef BENCH_TEXTBOOK_H
#define BENCH_TEXTBOOK_H

#include "sat.h"

#include <math.h>

/* A circle has one vertex. Lengths are of the order of metres, which is what Box2D is made for. */
typedef struct bench_Polygon {
  size_t count;
  double radius;
  sat_Vec2 center; /* the centroid, in the world */
  double angle;
  sat_Vec2 *local; /* about the centroid, not yet turned; in the order of positive area */
  sat_Vec2 *world;
} bench_Polygon;

typedef struct textbook_Interval {
  double min, max;
} textbook_Interval;

static inline double dot(sat_Vec2 a, sat_Vec2 b) { return a.x * b.x + a.y * b.y; }
static inline double cross(sat_Vec2 a, sat_Vec2 b) { return a.x * b.y - a.y * b.x; }
static inline sat_Vec2 sub(sat_Vec2 a, sat_Vec2 b) { return (sat_Vec2){a.x - b.x, a.y - b.y}; }

/* `length` is the axis'. */
static inline textbook_Interval textbook_project(const bench_Polygon *shape, sat_Vec2 axis,
                                                 double length) {
  if (shape->count == 1) {
    double middle = dot(shape->center, axis), reach = shape->radius * length;
    return (textbook_Interval){middle - reach, middle + reach};
  }
  double first = dot(shape->world[0], axis);
  textbook_Interval interval = {first, first};
  for (size_t i = 1; i < shape->count; i++) {
    double at = dot(shape->world[i], axis);
    interval.min = at < interval.min ? at : interval.min;
    interval.max = at > interval.max ? at : interval.max;
  }
  return interval;
}

static inline sat_Vec2 textbook_edge_normal(const bench_Polygon *polygon, size_t i) {
  sat_Vec2 from = polygon->world[i], to = polygon->world[i + 1 < polygon->count ? i + 1 : 0];
  return (sat_Vec2){to.y - from.y, from.x - to.x};
}

/* From the polygon's nearest vertex to the circle's centre. */
static inline sat_Vec2 textbook_corner_axis(const bench_Polygon *polygon,
                                            const bench_Polygon *circle) {
  sat_Vec2 nearest = {0, 0};
  double least = HUGE_VAL;
  for (size_t i = 0; i < polygon->count; i++) {
    sat_Vec2 arm = {circle->center.x - polygon->world[i].x, circle->center.y - polygon->world[i].y};
    if (dot(arm, arm) >= least) continue;
    least = dot(arm, arm);
    nearest = arm;
  }
  return nearest;
}

/* ---------------------------------------------------------------- yes or no */

static inline bool textbook_parted(const bench_Polygon *a, const bench_Polygon *b, sat_Vec2 axis) {
  double length = b->count > 1 ? 0 : sqrt(dot(axis, axis));
  textbook_Interval of_a = textbook_project(a, axis, length),
                    of_b = textbook_project(b, axis, length);
  return of_a.max < of_b.min || of_b.max < of_a.min;
}

static inline bool textbook_parted_by_edges(const bench_Polygon *owner, const bench_Polygon *a,
                                            const bench_Polygon *b) {
  for (size_t i = 0; owner->count > 1 && i < owner->count; i++)
    if (textbook_parted(a, b, textbook_edge_normal(owner, i))) return true;
  return false;
}

/* Whether two shapes share a point. The axes are as long as the edges. */
static inline bool textbook_overlaps(const bench_Polygon *a, const bench_Polygon *b) {
  if (textbook_parted_by_edges(a, a, b) || textbook_parted_by_edges(b, a, b)) return false;
  return b->count > 1 || !textbook_parted(a, b, textbook_corner_axis(a, b));
}

/* ---------------------------------------------------------------- the shortest way out */

typedef struct textbook_Way {
  sat_Vec2 vector; /* of unit length, to where A gets out */
  double depth;
} textbook_Way;

/* Takes one more axis into account. */
static inline void textbook_shorten(const bench_Polygon *a, const bench_Polygon *b, sat_Vec2 axis,
                                    textbook_Way *way) {
  double length = sqrt(dot(axis, axis));
  if (length == 0) return;
  sat_Vec2 unit = {axis.x / length, axis.y / length};
  textbook_Interval of_a = textbook_project(a, unit, 1), of_b = textbook_project(b, unit, 1);
  double up = of_b.max - of_a.min, down = of_a.max - of_b.min;
  double depth = up < down ? up : down;
  if (depth >= way->depth) return;
  way->depth = depth;
  way->vector = up < down ? unit : (sat_Vec2){-unit.x, -unit.y};
}

/* Goes on to the first gap, whose depth is below 0. Here the axes are of unit length. */
static inline textbook_Way textbook_shortest_way(const bench_Polygon *a, const bench_Polygon *b) {
  textbook_Way way = {{0, 0}, HUGE_VAL};
  for (size_t i = 0; i < a->count && way.depth >= 0; i++)
    textbook_shorten(a, b, textbook_edge_normal(a, i), &way);
  for (size_t i = 0; b->count > 1 && i < b->count && way.depth >= 0; i++)
    textbook_shorten(a, b, textbook_edge_normal(b, i), &way);
  if (b->count == 1 && way.depth >= 0) textbook_shorten(a, b, textbook_corner_axis(a, b), &way);
  return way;
}

/* ---------------------------------------------------------------- fewer axes */

/* Through the closest points, as the article states it, shortcut and all. For measurements only: its
 * answers are wrong now and then.
 *
 * Liang and Liu, The research of collision detection algorithm based on separating axis theorem.
 *
 * The article says in three ways which vertices are the closest. */
typedef enum closest_Reading {
  CLOSEST_FARTHEST, /* section 3: those farthest along the line of the centres; four axes */
  CLOSEST_FORMULA, /* its formula (5), OE = OB / cos BOE, to the letter: the longest OE; four axes */
  CLOSEST_CROSSED /* section 4: the ends of the two edges which that line crosses; these alone are projected on it, and
                       the axes are the normals of the two */
} closest_Reading;

/* Whether two polygons meet, in the article's opinion. */
bool closest_point_sat(const bench_Polygon *a, const bench_Polygon *b, closest_Reading reading);

#endif
