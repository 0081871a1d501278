/* index_sat.c: our own tree. Its items are numbered as they come, so that a number is an index into
 * the crowd's boxes. */
#include "crowd.h"

typedef struct State {
  bench_Crowd *crowd;
  sat_Quadtree *tree;
  sat_Items found;
  sat_ItemPairs pairs;
  sat_Item *items;
} State;

static void fill(void *opened) {
  State *state = opened;
  sat_quadtree_clear(state->tree);
  bench_check(
      sat_quadtree_build(state->tree, state->crowd->boxes, state->crowd->count, state->items));
  for (size_t i = 0; i < state->crowd->count; i++)
    if (state->items[i] != i) bench_check(SAT_EVALUE);
}

static void *open_tree(bench_Crowd *crowd) {
  State *state = bench_allocate(1, sizeof *state);
  state->crowd = crowd;
  state->found.allocator = state->pairs.allocator = bench_allocator;
  state->items = bench_allocate(crowd->count, sizeof *state->items);
  state->tree = bench_quadtree(bench_allocator, crowd->width);
  fill(state);
  return state;
}

static void close_tree(void *opened) {
  State *state = opened;
  sat_quadtree_free(state->tree);
  SAT_LIST_FREE(&state->found);
  SAT_LIST_FREE(&state->pairs);
}

/* ---------------------------------------------------------------- questions */

static void move(void *opened, uint32_t item) {
  State *state = opened;
  bench_check(sat_quadtree_update(state->tree, item, state->crowd->boxes[item]));
}

static void find_pairs(void *opened, bench_Sum *tally) {
  State *state = opened;
  bench_check(sat_quadtree_pairs(state->tree, &state->pairs));
  for (size_t i = 0; i < state->pairs.count; i++)
    bench_tally_pair(tally, state->pairs.at[i].a, state->pairs.at[i].b);
}

static void ask_window(void *opened, size_t question, const sat_Rectangle *window,
                       bench_Sum *tally) {
  State *state = opened;
  bench_check(sat_quadtree_query(state->tree, *window, &state->found));
  for (size_t k = 0; k < state->found.count; k++)
    bench_tally_item(tally, question, state->found.at[k]);
}

typedef struct Visit {
  bench_Sum *tally;
  size_t question;
  double first;
} Visit;

static double first_one(void *context, sat_Item item, double distance) {
  (void)item;
  Visit *visit = context;
  if (distance < visit->first) visit->first = distance;
  return visit->first;
}

static double everyone(void *context, sat_Item item, double distance) {
  (void)distance;
  Visit *visit = context;
  bench_tally_item(visit->tally, visit->question, item);
  return 1;
}

static double ask_ray(void *opened, const bench_Segment *ray) {
  Visit visit = {.first = 2};
  bench_check(sat_quadtree_raycast(((State *)opened)->tree, ray->from, ray->to, first_one, &visit));
  return visit.first;
}

static void ask_ray_all(void *opened, size_t question, const bench_Segment *ray, bench_Sum *tally) {
  Visit visit = {tally, question, 2};
  bench_check(sat_quadtree_raycast(((State *)opened)->tree, ray->from, ray->to, everyone, &visit));
}

const bench_Index bench_index_sat = {"sat", SIZE_MAX,   BY_MOVES,   open_tree, close_tree, fill,
                                     move,  find_pairs, ask_window, ask_ray,   ask_ray_all};
