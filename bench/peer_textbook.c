/* peer_textbook.c: the textbook on world vertices, all of a pair side by side. */
#include "peer.h"

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
  bench_Sum sum = {0};
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
  bench_Sum sum = {0};
  for (size_t i = 0; i < scene->count; i++)
    sum.hits += textbook_overlaps(&scene->a[i], &scene->b[i]);
  return sum;
}

static bench_Sum turn(void *state) {
  bench_Scene *scene = state;
  bench_Sum sum = {0};
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
    .open = open_copy,
    .close = close_copy,
    .depth = pair_depth,
    .meets = pair_meets,
    .collide = collide,
    .overlaps = overlaps,
    .turn = turn,
};
