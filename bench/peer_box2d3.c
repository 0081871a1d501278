/* peer_box2d3.c: Box2D 3 without a world: polygons about their bodies' origins, a transform each, and
 * the functions that its contacts and queries call themselves. It takes part where the build knows a
 * checkout of it: see narrowphase.mk. */
#include "peer.h"

#ifdef BENCH_BOX2D3

#include <box2d/collision.h>
#include <box2d/math_functions.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Contacts exist up to this distance: four times the linear slop of constants.h. */
#define SPECULATIVE_DISTANCE 0.02
/* Its sine and cosine are quick approximations. */
#define PRECISE 2e-2

typedef struct Pair {
  b2Polygon a, b;
  b2Circle circle;
  b2Transform at_a, at_b;
  float angle_a, angle_b;
} Pair;

typedef struct State {
  size_t count;
  bool circles;
  Pair *pairs;
} State;

static b2Vec2 vector_of(sat_Vec2 v) { return (b2Vec2){(float)v.x, (float)v.y}; }

static b2Polygon polygon_of(const bench_Polygon *polygon) {
  b2Vec2 points[B2_MAX_POLYGON_VERTICES];
  for (size_t i = 0; i < polygon->count; i++) points[i] = vector_of(polygon->local[i]);
  b2Hull hull = b2ComputeHull(points, (int)polygon->count);
  if (hull.count == (int)polygon->count) return b2MakePolygon(&hull, 0);
  fputs("Box2D 3 refuses a polygon of the scene\n", stderr);
  exit(1);
}

/* At rest with the exact sine and cosine. */
static b2Transform transform_of(const bench_Polygon *shape) {
  return (b2Transform){vector_of(shape->center),
                       {(float)cos(shape->angle), (float)sin(shape->angle)}};
}

static void *open_shapes(const bench_Scene *scene) {
  State *state = bench_allocate(1, sizeof *state);
  state->count = scene->count;
  state->circles = scene->b[0].count == 0;
  state->pairs = bench_allocate(scene->count, sizeof *state->pairs);
  for (size_t i = 0; i < scene->count; i++) {
    const bench_Polygon *a = &scene->a[i], *b = &scene->b[i];
    Pair *pair = &state->pairs[i];
    pair->a = polygon_of(a);
    if (state->circles) pair->circle.radius = (float)b->radius;
    else pair->b = polygon_of(b);
    pair->angle_a = (float)a->angle;
    pair->angle_b = (float)b->angle;
    pair->at_a = transform_of(a);
    pair->at_b = transform_of(b);
  }
  return state;
}

static void close_shapes(void *opened) {
  State *state = opened;
  free(state->pairs);
  free(state);
}

static inline b2Manifold collide_pair(const Pair *pair, bool circles) {
  if (circles) return b2CollidePolygonAndCircle(&pair->a, pair->at_a, &pair->circle, pair->at_b);
  return b2CollidePolygons(&pair->a, pair->at_a, &pair->b, pair->at_b);
}

static inline void turn_pair(Pair *pair, float turn) {
  pair->at_a.q = b2MakeRot(pair->angle_a + turn);
  pair->at_b.q = b2MakeRot(pair->angle_b + turn);
}

static double pair_depth(void *opened, size_t index, double turn) {
  State *state = opened;
  Pair *pair = &state->pairs[index];
  if (turn != 0) turn_pair(pair, (float)turn);
  b2Manifold manifold = collide_pair(pair, state->circles);
  if (manifold.pointCount == 0) return -1;
  float separation = manifold.points[0].separation;
  if (manifold.pointCount > 1) separation = fminf(separation, manifold.points[1].separation);
  return fmax(0, -(double)separation);
}

static inline b2ShapeProxy polygon_proxy(const b2Polygon *polygon) {
  return b2MakeProxy(polygon->vertices, polygon->count, polygon->radius);
}

static inline b2ShapeProxy second_proxy(const Pair *pair, bool circles) {
  return circles ? b2MakeProxy(&pair->circle.center, 1, pair->circle.radius)
                 : polygon_proxy(&pair->b);
}

static inline float distance_of(const Pair *pair, bool circles) {
  b2DistanceInput input = {polygon_proxy(&pair->a), second_proxy(pair, circles), pair->at_a,
                           pair->at_b, true};
  b2SimplexCache cache = b2_emptySimplexCache;
  return b2ShapeDistance(&input, &cache, NULL, 0).distance;
}

static bool pair_meets(void *opened, size_t index) {
  State *state = opened;
  return distance_of(&state->pairs[index], state->circles) <= 0;
}

static bench_Sum collide(void *opened) {
  State *state = opened;
  bench_Sum sum = {0};
  for (size_t i = 0; i < state->count; i++)
    sum.hits += collide_pair(&state->pairs[i], state->circles).pointCount > 0;
  return sum;
}

static bench_Sum overlaps(void *opened) {
  State *state = opened;
  bench_Sum sum = {0};
  for (size_t i = 0; i < state->count; i++)
    sum.hits += distance_of(&state->pairs[i], state->circles) <= 0;
  return sum;
}

static bench_Sum turn(void *opened) {
  State *state = opened;
  bench_Sum sum = {0};
  for (int side = -1; side <= 1; side += 2) {
    for (size_t i = 0; i < state->count; i++) {
      turn_pair(&state->pairs[i], (float)(side * BENCH_TURN));
      sum.hits += collide_pair(&state->pairs[i], state->circles).pointCount > 0;
    }
  }
  return sum;
}

const bench_Peer bench_box2d3 = {
    .name = "Box2D 3",
    .most_vertices = B2_MAX_POLYGON_VERTICES,
    .skin = SPECULATIVE_DISTANCE,
    .precise = PRECISE,
    .open = open_shapes,
    .close = close_shapes,
    .depth = pair_depth,
    .meets = pair_meets,
    .collide = collide,
    .overlaps = overlaps,
    .turn = turn,
};

#else

/* Without a checkout it stays out of every row, since it takes no vertices. */
const bench_Peer bench_box2d3 = {.name = "Box2D 3", .most_vertices = 0};

#endif
