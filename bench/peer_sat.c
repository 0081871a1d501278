/* peer_sat.c: ours. The blocks of a pair lie side by side, as in an array of a game's own. */
#include "peer.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct State {
  size_t count, second, stride; /* pairs; bytes from A to B, and from pair to pair */
  unsigned char *blocks;
  sat_Scratch scratch;
} State;

static inline sat_Shape *shape_a(const State *state, size_t i) {
  return (sat_Shape *)(void *)(state->blocks + i * state->stride);
}
static inline sat_Shape *shape_b(const State *state, size_t i) {
  return (sat_Shape *)(void *)(state->blocks + i * state->stride + state->second);
}

static void init_shape(sat_Shape *block, const bench_Polygon *polygon) {
  size_t count = polygon->count ? polygon->count : 1;
  const sat_Vec2 *points = polygon->count ? polygon->world : &polygon->center;
  bool convex = count < 3 || sat_ring_is_convex(points, count, NULL);
  sat_Status status = convex ? sat_shape_init(block, points, count, polygon->radius) : SAT_ECONCAVE;
  if (status == SAT_OK) return;
  fprintf(stderr, "a shape of the scene is refused: %s\n", sat_status_text(status));
  exit(1);
}

/* As malloc would place it, with its own eight bytes before each block. */
static size_t block_size(const bench_Polygon *polygon) {
  return (sat_shape_bytes(polygon->count ? polygon->count : 1) + 8 + 15) / 16 * 16;
}

static void *open_blocks(const bench_Scene *scene) {
  State *state = bench_allocate(1, sizeof *state);
  state->count = scene->count;
  state->second = block_size(&scene->a[0]);
  state->stride = state->second + block_size(&scene->b[0]);
  state->blocks = bench_allocate(scene->count, state->stride);
  state->scratch = sat_scratch_make((sat_Allocator){bench_reallocate, NULL});
  for (size_t i = 0; i < scene->count; i++) {
    init_shape(shape_a(state, i), &scene->a[i]);
    init_shape(shape_b(state, i), &scene->b[i]);
  }
  return state;
}

static void close_blocks(void *opened) {
  State *state = opened;
  sat_scratch_free(&state->scratch);
  free(state->blocks);
  free(state);
}

static double pair_depth(void *opened, size_t pair, double turn) {
  State *state = opened;
  sat_Shape *a = shape_a(state, pair), *b = shape_b(state, pair);
  sat_Result result;
  if (turn != 0) {
    sat_shape_set_rotation(a, turn);
    sat_shape_set_rotation(b, turn);
  }
  return sat_collide(a, b, &state->scratch, &result) == SAT_OK ? result.depth : -1;
}

static bool pair_meets(void *opened, size_t pair) {
  State *state = opened;
  return sat_overlaps(shape_a(state, pair), shape_b(state, pair), &state->scratch) == SAT_OK;
}

static bench_Sum collide(void *opened) {
  State *state = opened;
  bench_Sum sum = {0};
  sat_Result result;
  for (size_t i = 0; i < state->count; i++) {
    if (sat_collide(shape_a(state, i), shape_b(state, i), &state->scratch, &result) != SAT_OK)
      continue;
    sum.hits++;
    sum.depths += result.depth;
  }
  return sum;
}

bench_Sum bench_sat_contacts(void *opened) {
  State *state = opened;
  bench_Sum sum = {0};
  sat_Manifold manifold;
  for (size_t i = 0; i < state->count; i++) {
    if (sat_contacts(shape_a(state, i), shape_b(state, i), &state->scratch, &manifold) != SAT_OK)
      continue;
    sum.hits++;
    sum.depths += manifold.depth;
  }
  return sum;
}

static bench_Sum overlaps(void *opened) {
  State *state = opened;
  bench_Sum sum = {0};
  for (size_t i = 0; i < state->count; i++)
    sum.hits += sat_overlaps(shape_a(state, i), shape_b(state, i), &state->scratch) == SAT_OK;
  return sum;
}

static bench_Sum turn(void *opened) {
  State *state = opened;
  bench_Sum sum = {0};
  sat_Result result;
  for (int side = -1; side <= 1; side += 2) {
    for (size_t i = 0; i < state->count; i++) {
      sat_Shape *a = shape_a(state, i), *b = shape_b(state, i);
      sat_shape_set_rotation(a, side * BENCH_TURN);
      sat_shape_set_rotation(b, side * BENCH_TURN);
      if (sat_collide(a, b, &state->scratch, &result) != SAT_OK) continue;
      sum.hits++;
      sum.depths += result.depth;
    }
  }
  return sum;
}

const bench_Peer bench_sat = {
    .name = "sat",
    .most_vertices = SIZE_MAX,
    .precise = 1e-12,
    .open = open_blocks,
    .close = close_blocks,
    .depth = pair_depth,
    .meets = pair_meets,
    .collide = collide,
    .overlaps = overlaps,
    .turn = turn,
};
