/* index_sat.c: our own tree. Its items are numbered as they come, so that a number is an index into
 * the crowd's boxes. */
#include "crowd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct State {
  bench_Crowd *crowd;
  sat_Quadtree *tree;
  sat_Items found;
  sat_ItemPairs pairs;
  sat_Item *items;
} State;

static void fill(State *state) {
  bench_check(
      sat_quadtree_build(state->tree, state->crowd->boxes, state->crowd->count, state->items));
  for (size_t i = 0; i < state->crowd->count; i++)
    if (state->items[i] != i) bench_check(SAT_EVALUE);
}

static void *open_tree(bench_Crowd *crowd) {
  State *state = bench_allocate(1, sizeof *state);
  sat_Allocator allocator = {bench_reallocate, NULL};
  sat_Rectangle area = {0, 0, crowd->width, crowd->width};
  state->crowd = crowd;
  state->found.allocator = state->pairs.allocator = allocator;
  state->items = bench_allocate(crowd->count, sizeof *state->items);
  state->tree = bench_allocate(1, sat_quadtree_size());
  bench_check(
      sat_quadtree_init(state->tree, allocator, area, SAT_QUADTREE_FASTEST, SAT_QUADTREE_FASTEST));
  fill(state);
  return state;
}

static void close_tree(void *opened) {
  State *state = opened;
  sat_quadtree_free(state->tree);
  free(state->tree);
  SAT_LIST_FREE(&state->found);
  SAT_LIST_FREE(&state->pairs);
  free(state->items);
  free(state);
}

/* ---------------------------------------------------------------- pairs */

static bench_Sum all_pairs(State *state) {
  bench_Sum tally = {0};
  bench_check(sat_quadtree_pairs(state->tree, &state->pairs));
  for (size_t i = 0; i < state->pairs.count; i++)
    bench_tally_pair(&tally, state->pairs.at[i].a, state->pairs.at[i].b);
  return tally;
}

static bench_Sum frame(void *opened) {
  State *state = opened;
  const bench_Crowd *crowd = state->crowd;
  for (size_t i = 0; i < crowd->moved_count; i++) {
    uint32_t item = crowd->moved[i];
    bench_check(sat_quadtree_update(state->tree, item, crowd->boxes[item]));
  }
  return all_pairs(state);
}

static bench_Sum rebuild(void *opened) {
  State *state = opened;
  sat_quadtree_clear(state->tree);
  fill(state);
  return all_pairs(state);
}

/* ---------------------------------------------------------------- questions */

static bench_Sum interleave(void *opened) {
  State *state = opened;
  bench_Crowd *crowd = state->crowd;
  bench_Sum tally = {0};
  for (size_t i = 0; i < crowd->count; i++) {
    crowd->boxes[i] = crowd->next[i];
    bench_check(sat_quadtree_update(state->tree, (sat_Item)i, crowd->boxes[i]));
    bench_check(sat_quadtree_query(state->tree, crowd->boxes[i], &state->found));
    for (size_t k = 0; k < state->found.count; k++)
      if (state->found.at[k] != i) bench_tally_item(&tally, i, state->found.at[k]);
  }
  return tally;
}

static void ask_window(State *state, size_t question, const sat_Rectangle *window,
                       bench_Sum *tally) {
  bench_check(sat_quadtree_query(state->tree, *window, &state->found));
  for (size_t k = 0; k < state->found.count; k++)
    bench_tally_item(tally, question, state->found.at[k]);
}

static bench_Sum ask_windows(void *opened) {
  State *state = opened;
  bench_Sum tally = {0};
  for (size_t i = 0; i < state->crowd->window_count; i++)
    ask_window(state, i, &state->crowd->windows[i], &tally);
  return tally;
}

static bench_Sum build(void *opened) {
  State *state = opened;
  bench_Sum tally = {0};
  sat_quadtree_clear(state->tree);
  fill(state);
  ask_window(state, 0, &state->crowd->small[0], &tally);
  return tally;
}

typedef struct Visit {
  bench_Sum tally;
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
  bench_tally_item(&visit->tally, visit->question, item);
  return 1;
}

static bench_Sum ask_rays(void *opened) {
  State *state = opened;
  bench_Sum tally = {0};
  for (size_t i = 0; i < BENCH_QUESTIONS; i++) {
    const bench_Segment *ray = &state->crowd->rays[i];
    Visit visit = {.first = 2};
    bench_check(sat_quadtree_raycast(state->tree, ray->from, ray->to, first_one, &visit));
    if (visit.first <= 1) bench_tally_distance(&tally, i, visit.first);
  }
  return tally;
}

static bench_Sum ask_rays_all(void *opened) {
  State *state = opened;
  Visit visit = {.first = 2};
  for (size_t i = 0; i < BENCH_QUESTIONS; i++) {
    const bench_Segment *ray = &state->crowd->rays[i];
    visit.question = i;
    bench_check(sat_quadtree_raycast(state->tree, ray->from, ray->to, everyone, &visit));
  }
  return visit.tally;
}

static bench_Sum ask_nearest(void *opened) {
  State *state = opened;
  bench_Sum tally = {0};
  for (size_t i = 0; i < BENCH_QUESTIONS; i++) {
    Visit visit = {.first = INFINITY};
    bench_check(
        sat_quadtree_nearest(state->tree, state->crowd->points[i], INFINITY, first_one, &visit));
    bench_tally_distance(&tally, i, visit.first);
  }
  return tally;
}

const bench_Index bench_index_sat = {
    "sat",
    SIZE_MAX,
    false,
    open_tree,
    close_tree,
    {build, rebuild, frame, interleave, ask_windows, ask_rays, ask_rays_all, ask_nearest}};
