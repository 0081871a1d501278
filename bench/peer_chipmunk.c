/* peer_chipmunk.c: Chipmunk 7 without a space: shapes on a body each, brought up to date by
 * cpShapeUpdate, as a space does before it collides them. It has one function for everything. */
#include "peer.h"

#include <chipmunk/chipmunk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* In place of the library's own, which would print a warning, and pay for it, whenever many corners
 * need many steps. */
__attribute__((visibility("default"))) void cpMessage(const char *condition, const char *file,
                                                      int line, int isError, int isHardError,
                                                      const char *message, ...) {
  (void)message;
  if (isError || isHardError) fprintf(stderr, "Chipmunk: %s:%d: not %s\n", file, line, condition);
}

typedef struct Side {
  cpBody *body;
  cpShape *shape;
  cpVect center;
  cpFloat angle;
} Side;

typedef struct State {
  size_t count;
  Side *sides; /* A and B of each pair in turn */
} State;

static void place(Side *side, cpFloat turn) {
  cpShapeUpdate(side->shape, cpTransformRigid(side->center, side->angle + turn));
}

static Side make_side(const bench_Polygon *polygon) {
  Side side = {cpBodyNewKinematic(), NULL, cpv(polygon->center.x, polygon->center.y),
               polygon->angle};
  if (polygon->count == 0) {
    side.shape = cpCircleShapeNew(side.body, polygon->radius, cpvzero);
  } else {
    cpVect *points = bench_allocate(polygon->count, sizeof *points);
    for (size_t i = 0; i < polygon->count; i++)
      points[i] = cpv(polygon->local[i].x, polygon->local[i].y);
    side.shape = cpPolyShapeNewRaw(side.body, (int)polygon->count, points, 0);
    free(points);
  }
  place(&side, 0);
  return side;
}

static void *open_shapes(const bench_Scene *scene) {
  State *state = bench_allocate(1, sizeof *state);
  state->count = scene->count;
  state->sides = bench_allocate(2 * scene->count, sizeof *state->sides);
  for (size_t i = 0; i < scene->count; i++) {
    state->sides[2 * i] = make_side(&scene->a[i]);
    state->sides[2 * i + 1] = make_side(&scene->b[i]);
  }
  return state;
}

static void close_shapes(void *opened) {
  State *state = opened;
  for (size_t i = 0; i < 2 * state->count; i++) {
    cpShapeFree(state->sides[i].shape);
    cpBodyFree(state->sides[i].body);
  }
  free(state->sides);
  free(state);
}

static double pair_depth(void *opened, size_t pair, double turn) {
  State *state = opened;
  Side *a = &state->sides[2 * pair], *b = a + 1;
  place(a, turn);
  place(b, turn);
  cpContactPointSet set = cpShapesCollide(a->shape, b->shape);
  double depth = -1;
  /* A contact's distance is 0 or less, but has the wrong sign when the circle comes second. */
  for (int i = 0; i < set.count; i++) depth = fmax(depth, fabs(set.points[i].distance));
  return depth;
}

static bool pair_meets(void *opened, size_t pair) {
  State *state = opened;
  const Side *a = &state->sides[2 * pair], *b = a + 1;
  return cpShapesCollide(a->shape, b->shape).count > 0;
}

static bench_Sum collide(void *opened) {
  State *state = opened;
  bench_Sum sum = {0, 0};
  for (size_t i = 0; i < state->count; i++)
    sum.hits += cpShapesCollide(state->sides[2 * i].shape, state->sides[2 * i + 1].shape).count > 0;
  return sum;
}

static bench_Sum turn(void *opened) {
  State *state = opened;
  bench_Sum sum = {0, 0};
  for (int side = -1; side <= 1; side += 2) {
    for (size_t i = 0; i < state->count; i++) {
      Side *a = &state->sides[2 * i], *b = a + 1;
      place(a, side * BENCH_TURN);
      place(b, side * BENCH_TURN);
      sum.hits += cpShapesCollide(a->shape, b->shape).count > 0;
    }
  }
  return sum;
}

const bench_Peer bench_chipmunk = {
    .name = "Chipmunk",
    .most_vertices = SIZE_MAX,
    .precise = 1e-6,
    .sure = 512,
    .open = open_shapes,
    .close = close_shapes,
    .depth = pair_depth,
    .meets = pair_meets,
    .collide = collide,
    .overlaps = collide,
    .turn = turn,
};
