/* peer_textbook.c: the textbook on world vertices, all of a pair side by side. */
#include "pairs.h"

static void *open_copy(const bench_Scene *scene) {
  return bench_scene_create(scene->class, scene->count);
}
static inline double depth_of(const bench_Polygon *a, const bench_Polygon *b) {
  double depth = textbook_shortest_way(a, b).depth;
  return depth < 0 ? -1 : depth;
}

BENCH_ASK(collide, bench_Scene, depth_of(&state->a[i], &state->b[i]))
BENCH_ASK(overlaps, bench_Scene, textbook_overlaps(&state->a[i], &state->b[i]) ? 1 : -1)

BENCH_TURN(turn, bench_Scene, depth_of(&state->a[i], &state->b[i]),
           bench_polygon_place(&state->a[i], state->a[i].angle + by);
           bench_polygon_place(&state->b[i], state->b[i].angle + by);)

#define ASKS(a, b)                                                                                 \
  BENCH_ENTRY(a, b, COLLIDE, collide), BENCH_ENTRY(a, b, OVERLAPS, overlaps),                      \
      BENCH_ENTRY(a, b, TURNED, turn)
static const bench_Entry asks[] = {
    ASKS(POLYGON, POLYGON), ASKS(POLYGON, CIRCLE), ASKS(REGULAR, REGULAR), {0}};

const bench_Peer bench_textbook = {
    .name = "textbook", .most_vertices = SIZE_MAX, .precise = 1e-9, .open = open_copy, .asks = asks};
