/* textbook.c: each edge's normal is an axis; both shapes are projected on it, whole; the first
 * axis with a gap ends the search. A circle adds the axis to the vertex that is nearest to its
 * centre. */
#include "textbook.h"

#include "peer.h"

#include <math.h>

typedef struct Interval {
  double min, max;
} Interval;

static inline double dot(sat_Vec2 a, sat_Vec2 b) { return a.x * b.x + a.y * b.y; }

/* `length` is the axis'. */
static inline Interval project(const bench_Polygon *shape, sat_Vec2 axis, double length) {
  if (shape->count == 0) {
    double middle = dot(shape->center, axis), reach = shape->radius * length;
    return (Interval){middle - reach, middle + reach};
  }
  double first = dot(shape->world[0], axis);
  Interval interval = {first, first};
  for (size_t i = 1; i < shape->count; i++) {
    double at = dot(shape->world[i], axis);
    interval.min = at < interval.min ? at : interval.min;
    interval.max = at > interval.max ? at : interval.max;
  }
  return interval;
}

static inline sat_Vec2 edge_normal(const bench_Polygon *polygon, size_t i) {
  sat_Vec2 from = polygon->world[i], to = polygon->world[i + 1 < polygon->count ? i + 1 : 0];
  return (sat_Vec2){to.y - from.y, from.x - to.x};
}

/* From the polygon's nearest vertex to the circle's centre. */
static inline sat_Vec2 corner_axis(const bench_Polygon *polygon, const bench_Polygon *circle) {
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

static inline bool parted(const bench_Polygon *a, const bench_Polygon *b, sat_Vec2 axis) {
  double length = a->count && b->count ? 0 : sqrt(dot(axis, axis));
  Interval of_a = project(a, axis, length), of_b = project(b, axis, length);
  return of_a.max < of_b.min || of_b.max < of_a.min;
}

static inline bool parted_by_edges(const bench_Polygon *owner, const bench_Polygon *a,
                                   const bench_Polygon *b) {
  for (size_t i = 0; i < owner->count; i++)
    if (parted(a, b, edge_normal(owner, i))) return true;
  return false;
}

bool textbook_overlaps(const bench_Polygon *a, const bench_Polygon *b) {
  if (parted_by_edges(a, a, b) || parted_by_edges(b, a, b)) return false;
  return b->count > 0 || !parted(a, b, corner_axis(a, b));
}

/* ---------------------------------------------------------------- the shortest way out */

typedef struct Way {
  sat_Vec2 vector; /* of unit length, to where A gets out */
  double depth;
} Way;

/* Takes one more axis into account. */
static inline void shorten(const bench_Polygon *a, const bench_Polygon *b, sat_Vec2 axis,
                           Way *way) {
  double length = sqrt(dot(axis, axis));
  if (length == 0) return;
  sat_Vec2 unit = {axis.x / length, axis.y / length};
  Interval of_a = project(a, unit, 1), of_b = project(b, unit, 1);
  double up = of_b.max - of_a.min, down = of_a.max - of_b.min;
  double depth = up < down ? up : down;
  if (depth >= way->depth) return;
  way->depth = depth;
  way->vector = up < down ? unit : (sat_Vec2){-unit.x, -unit.y};
}

/* Goes on to the last axis, or to the first gap. */
static inline Way shortest_way(const bench_Polygon *a, const bench_Polygon *b, double enough) {
  Way way = {{0, 0}, HUGE_VAL};
  for (size_t i = 0; i < a->count && way.depth >= enough; i++)
    shorten(a, b, edge_normal(a, i), &way);
  for (size_t i = 0; i < b->count && way.depth >= enough; i++)
    shorten(a, b, edge_normal(b, i), &way);
  if (b->count == 0 && way.depth >= enough) shorten(a, b, corner_axis(a, b), &way);
  return way;
}

bool textbook_collide(const bench_Polygon *a, const bench_Polygon *b, sat_Vec2 *vector,
                      double *depth) {
  Way way = shortest_way(a, b, 0);
  if (way.depth < 0) return false;
  *depth = way.depth;
  *vector = (sat_Vec2){way.vector.x * way.depth, way.vector.y * way.depth};
  return true;
}

double textbook_depth(const bench_Polygon *a, const bench_Polygon *b) {
  return shortest_way(a, b, -HUGE_VAL).depth;
}

/* ---------------------------------------------------------------- as a peer */

static void *open_copy(const bench_Scene *scene) { return bench_scene_copy(scene); }
static void close_copy(void *state) { bench_scene_destroy(state); }

static double pair_depth(void *state, size_t pair, double turn) {
  bench_Scene *scene = state;
  bench_Polygon *a = &scene->a[pair], *b = &scene->b[pair];
  sat_Vec2 vector;
  double depth;
  bench_polygon_place(a, a->angle + turn);
  bench_polygon_place(b, b->angle + turn);
  return textbook_collide(a, b, &vector, &depth) ? depth : -1;
}

static bool pair_meets(void *state, size_t pair) {
  bench_Scene *scene = state;
  return textbook_overlaps(&scene->a[pair], &scene->b[pair]);
}

static bench_Sum collide(void *state) {
  bench_Scene *scene = state;
  bench_Sum sum = {0, 0};
  for (size_t i = 0; i < scene->count; i++) {
    sat_Vec2 vector;
    double depth;
    if (!textbook_collide(&scene->a[i], &scene->b[i], &vector, &depth)) continue;
    sum.hits++;
    sum.depths += depth;
  }
  return sum;
}

static bench_Sum overlaps(void *state) {
  bench_Scene *scene = state;
  bench_Sum sum = {0, 0};
  for (size_t i = 0; i < scene->count; i++)
    sum.hits += textbook_overlaps(&scene->a[i], &scene->b[i]);
  return sum;
}

static bench_Sum turn(void *state) {
  bench_Scene *scene = state;
  bench_Sum sum = {0, 0};
  for (int side = -1; side <= 1; side += 2) {
    for (size_t i = 0; i < scene->count; i++) {
      double depth = pair_depth(scene, i, side * BENCH_TURN);
      if (depth < 0) continue;
      sum.hits++;
      sum.depths += depth;
    }
  }
  return sum;
}

const bench_Peer bench_textbook = {
    .name = "textbook",
    .most_vertices = SIZE_MAX,
    .precise = 1e-12,
    .sure = SIZE_MAX,
    .open = open_copy,
    .close = close_copy,
    .depth = pair_depth,
    .meets = pair_meets,
    .collide = collide,
    .overlaps = overlaps,
    .turn = turn,
};
