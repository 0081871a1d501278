/* peer_sat.c: ours. The blocks of a pair lie side by side, as in an array of a game's own. */
#include "pairs.h"

typedef struct State {
  size_t count, second, stride; /* pairs; bytes from A to B, and from pair to pair */
  unsigned char *blocks;
  sat_Vec2 *from, *to, *motion;
  sat_Result result;
  sat_Manifold manifold;
  sat_Distance distance;
  sat_Hit hit;
} State;

static inline sat_Shape *shape_a(const State *state, size_t i) {
  return (sat_Shape *)(void *)(state->blocks + i * state->stride);
}
static inline sat_Shape *shape_b(const State *state, size_t i) {
  return (sat_Shape *)(void *)(state->blocks + i * state->stride + state->second);
}

/* As malloc would place it, with its own eight bytes before each block. */
static size_t block_size(const bench_Polygon *polygon) {
  return (sat_shape_bytes(polygon->count) + 8 + 15) / 16 * 16;
}

static void *open_blocks(const bench_Scene *scene) {
  State *state = bench_allocate(1, sizeof *state);
  state->count = scene->count;
  state->second = block_size(&scene->a[0]);
  state->stride = state->second + block_size(&scene->b[0]);
  state->blocks = bench_allocate(scene->count, state->stride);
  state->from = bench_allocate(3 * scene->count, sizeof *state->from);
  state->to = state->from + scene->count;
  state->motion = state->to + scene->count;
  for (size_t i = 0; i < scene->count; i++) {
    const bench_Polygon *a = &scene->a[i], *b = &scene->b[i];
    bench_check(sat_shape_init(shape_a(state, i), a->world, a->count, a->radius));
    bench_check(sat_shape_init(shape_b(state, i), b->world, b->count, b->radius));
    state->from[i] = a->center;
    state->motion[i] = scene->motion[i];
    state->to[i] = (sat_Vec2){a->center.x + scene->motion[i].x, a->center.y + scene->motion[i].y};
  }
  return state;
}

#define PAIR shape_a(state, i), shape_b(state, i), &bench_scratch
BENCH_ASK(collide, State, sat_collide(PAIR, &state->result) == SAT_OK ? state->result.depth : -1)
BENCH_ASK(overlaps, State, sat_overlaps(PAIR) == SAT_OK ? 1 : -1)
BENCH_ASK(contacts, State,
          sat_contacts(PAIR, &state->manifold) == SAT_OK ? state->manifold.depth : -1)
BENCH_ASK(distance, State,
          sat_distance(PAIR, &state->distance) == SAT_OK ? state->distance.distance : -1)
BENCH_ASK(raycast, State,
          sat_raycast(shape_b(state, i), state->from[i], state->to[i], &bench_scratch,
                      &state->hit) == SAT_OK
              ? state->hit.t
              : -1)
BENCH_ASK(cast, State,
          sat_cast(shape_a(state, i), state->motion[i], shape_b(state, i), &bench_scratch,
                   &state->hit) == SAT_OK
              ? state->hit.t
              : -1)

BENCH_TURN(turn, State, sat_collide(PAIR, &state->result) == SAT_OK ? state->result.depth : -1,
           sat_shape_set_rotation(shape_a(state, i), by);
           sat_shape_set_rotation(shape_b(state, i), by);)

static const bench_Entry asks[] = {
    BENCH_ENTRY(ANY, ANY, COLLIDE, collide),   BENCH_ENTRY(ANY, ANY, OVERLAPS, overlaps),
    BENCH_ENTRY(ANY, ANY, CONTACTS, contacts), BENCH_ENTRY(ANY, ANY, TURNED, turn),
    BENCH_ENTRY(ANY, ANY, DISTANCE, distance), BENCH_ENTRY(ANY, ANY, RAY, raycast),
    BENCH_ENTRY(ANY, ANY, CAST, cast),         {0}};

const bench_Peer bench_sat = {
    .name = "sat", .most_vertices = SIZE_MAX, .precise = 1e-9, .open = open_blocks, .asks = asks};
