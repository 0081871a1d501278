/* index_sat.c: our own tree. Its items are numbered as they come, so that a number is an index into
 * the crowd's boxes. */
#include "index.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct State {
  bench_Crowd *crowd;
  sat_Quadtree *tree;
  sat_Items found;
  sat_ItemPairs pairs;
  sat_Item *items;
  size_t bytes;
} State;

/* Counts what the tree holds. */
static void *allocate(void *context, void *block, size_t old, size_t bytes) {
  State *state = context;
  state->bytes += bytes - (block ? old : 0);
  return bench_reallocate(NULL, block, old, bytes);
}

static void fill(State *state) {
  bench_check(
      sat_quadtree_build(state->tree, state->crowd->boxes, state->crowd->count, state->items));
  for (size_t i = 0; i < state->crowd->count; i++)
    if (state->items[i] != i) bench_check(SAT_EVALUE);
}

static void insert_each(State *state) {
  for (size_t i = 0; i < state->crowd->count; i++) {
    sat_Item item;
    bench_check(sat_quadtree_insert(state->tree, state->crowd->boxes[i], &item));
    if (item != i) bench_check(SAT_EVALUE);
  }
}

static State *open_empty(bench_Crowd *crowd) {
  State *state = bench_allocate(1, sizeof *state);
  sat_Allocator counted = {allocate, state}, uncounted = {bench_reallocate, NULL};
  sat_Rectangle area = {0, 0, crowd->width, crowd->width};
  state->crowd = crowd;
  state->found.allocator = state->pairs.allocator = uncounted;
  state->items = bench_allocate(crowd->count, sizeof *state->items);
  state->tree = bench_allocate(1, sat_quadtree_size());
  bench_check(
      sat_quadtree_init(state->tree, counted, area, SAT_QUADTREE_FASTEST, SAT_QUADTREE_FASTEST));
  return state;
}

static void *open_built(bench_Crowd *crowd) {
  State *state = open_empty(crowd);
  fill(state);
  return state;
}

static void *open_inserted(bench_Crowd *crowd) {
  State *state = open_empty(crowd);
  insert_each(state);
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

size_t bench_index_sat_bytes(void *opened) {
  State *state = opened;
  return state->bytes + sat_quadtree_size();
}

/* ---------------------------------------------------------------- pairs */

static bench_Tally all_pairs(State *state) {
  bench_Tally tally = {0, 0};
  bench_check(sat_quadtree_pairs(state->tree, &state->pairs));
  for (size_t i = 0; i < state->pairs.count; i++)
    bench_tally_pair(&tally, state->pairs.at[i].a, state->pairs.at[i].b);
  return tally;
}

static bench_Tally frame(void *opened) {
  State *state = opened;
  const bench_Crowd *crowd = state->crowd;
  for (size_t i = 0; i < crowd->moved_count; i++) {
    uint32_t item = crowd->moved[i];
    bench_check(sat_quadtree_update(state->tree, item, crowd->boxes[item]));
  }
  return all_pairs(state);
}

static bench_Tally rebuild(void *opened) {
  State *state = opened;
  sat_quadtree_clear(state->tree);
  fill(state);
  return all_pairs(state);
}

static bench_Tally rebuild_by_insertion(void *opened) {
  State *state = opened;
  sat_quadtree_clear(state->tree);
  insert_each(state);
  return all_pairs(state);
}

/* ---------------------------------------------------------------- questions */

static bench_Tally interleave(void *opened) {
  State *state = opened;
  bench_Crowd *crowd = state->crowd;
  bench_Tally tally = {0, 0};
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
                       bench_Tally *tally) {
  bench_check(sat_quadtree_query(state->tree, *window, &state->found));
  for (size_t k = 0; k < state->found.count; k++)
    bench_tally_item(tally, question, state->found.at[k]);
}

static bench_Tally ask_windows(void *opened) {
  State *state = opened;
  bench_Tally tally = {0, 0};
  for (size_t i = 0; i < state->crowd->window_count; i++)
    ask_window(state, i, &state->crowd->windows[i], &tally);
  return tally;
}

static bench_Tally build(void *opened) {
  State *state = opened;
  bench_Tally tally = {0, 0};
  sat_quadtree_clear(state->tree);
  fill(state);
  ask_window(state, 0, &state->crowd->questions->small[0], &tally);
  return tally;
}

static bench_Tally build_by_insertion(void *opened) {
  State *state = opened;
  bench_Tally tally = {0, 0};
  sat_quadtree_clear(state->tree);
  insert_each(state);
  ask_window(state, 0, &state->crowd->questions->small[0], &tally);
  return tally;
}

typedef struct Visit {
  bench_Tally tally;
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

static bench_Tally ask_rays(void *opened) {
  State *state = opened;
  bench_Tally tally = {0, 0};
  for (size_t i = 0; i < state->crowd->questions->count; i++) {
    const bench_Segment *ray = &state->crowd->questions->rays[i];
    Visit visit = {.first = 2};
    bench_check(sat_quadtree_raycast(state->tree, ray->from, ray->to, first_one, &visit));
    if (visit.first <= 1) bench_tally_distance(&tally, i, visit.first);
  }
  return tally;
}

static bench_Tally ask_rays_all(void *opened) {
  State *state = opened;
  Visit visit = {.first = 2};
  for (size_t i = 0; i < state->crowd->questions->count; i++) {
    const bench_Segment *ray = &state->crowd->questions->rays[i];
    visit.question = i;
    bench_check(sat_quadtree_raycast(state->tree, ray->from, ray->to, everyone, &visit));
  }
  return visit.tally;
}

static bench_Tally ask_nearest(void *opened) {
  State *state = opened;
  bench_Tally tally = {0, 0};
  for (size_t i = 0; i < state->crowd->questions->count; i++) {
    Visit visit = {.first = INFINITY};
    bench_check(sat_quadtree_nearest(state->tree, state->crowd->questions->points[i], INFINITY,
                                     first_one, &visit));
    bench_tally_distance(&tally, i, visit.first);
  }
  return tally;
}

const bench_Index bench_index_sat[] = {
    {"sat",
     "built at once",
     SIZE_MAX,
     false,
     false,
     open_built,
     close_tree,
     {build, rebuild, frame, interleave, ask_windows, ask_rays, ask_rays_all, ask_nearest},
     NULL},
    {"sat",
     "one by one",
     SIZE_MAX,
     false,
     false,
     open_inserted,
     close_tree,
     {build_by_insertion, rebuild_by_insertion, NULL, NULL, NULL, NULL, NULL, NULL},
     NULL},
    {.name = NULL}};
