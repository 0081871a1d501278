/* index_chipmunk.c: Chipmunk 7's spatial indices: its objects are our boxes themselves, from which
 * it is told a box and a velocity, as a space tells it those of shapes and bodies. What it suggests
 * is tested before it counts. */
#include "index.h"

#include <chipmunk/chipmunk.h>
#include <math.h>
#include <stdlib.h>

/* A velocity is what a thing moves in a second of so many frames. */
#define FRAMES_A_SECOND 60

typedef struct State {
  bench_Crowd *crowd;
  cpSpatialIndex *index, *(*make)(const bench_Crowd *crowd);
  bool optimize;
} State;

static cpBB bb_of(const sat_Rectangle *box) {
  return cpBBNew(box->x, box->y, box->x + box->w, box->y + box->h);
}

static cpBB box_of(void *object) { return bb_of(object); }

/* ---------------------------------------------------------------- the two indices */

/* The function that it asks for a velocity is given the box alone. */
static const bench_Crowd *asked;

static cpVect velocity_of(void *object) {
  const sat_Vec2 *step = &asked->steps[(sat_Rectangle *)object - asked->boxes];
  return cpvmult(cpv(step->x, step->y), FRAMES_A_SECOND * asked->share);
}

static cpSpatialIndex *make_tight(const bench_Crowd *crowd) {
  (void)crowd;
  return cpBBTreeNew(box_of, NULL);
}

static cpSpatialIndex *make_fat(const bench_Crowd *crowd) {
  cpSpatialIndex *index = make_tight(crowd);
  cpBBTreeSetVelocityFunc(index, velocity_of);
  return index;
}

/* Its documentation says cells of about the size of an item, and ten for each item; fewer keep more
 * of them in the caches. */
static cpSpatialIndex *make_hash(const bench_Crowd *crowd, double cells_wide, size_t cells) {
  return cpSpaceHashNew(crowd->size * cells_wide, (int)(crowd->count * cells), box_of, NULL);
}

static cpSpatialIndex *make_narrow(const bench_Crowd *crowd) { return make_hash(crowd, 1.25, 10); }
static cpSpatialIndex *make_middle(const bench_Crowd *crowd) { return make_hash(crowd, 2, 10); }
static cpSpatialIndex *make_wide(const bench_Crowd *crowd) { return make_hash(crowd, 3, 1); }
static cpSpatialIndex *make_widest(const bench_Crowd *crowd) { return make_hash(crowd, 5, 10); }

static void fill(State *state) {
  bench_Crowd *crowd = state->crowd;
  state->index = state->make(crowd);
  for (size_t i = 0; i < crowd->count; i++)
    cpSpatialIndexInsert(state->index, &crowd->boxes[i], (cpHashValue)i);
  if (state->optimize) cpBBTreeOptimize(state->index);
}

static void *open_index(bench_Crowd *crowd, cpSpatialIndex *(*make)(const bench_Crowd *crowd),
                        bool optimize) {
  State *state = bench_allocate(1, sizeof *state);
  *state = (State){crowd, NULL, make, optimize};
  asked = crowd;
  fill(state);
  return state;
}

static void *open_fat(bench_Crowd *crowd) { return open_index(crowd, make_fat, false); }
static void *open_tight(bench_Crowd *crowd) { return open_index(crowd, make_tight, false); }
static void *open_best(bench_Crowd *crowd) { return open_index(crowd, make_tight, true); }
static void *open_narrow(bench_Crowd *crowd) { return open_index(crowd, make_narrow, false); }
static void *open_middle(bench_Crowd *crowd) { return open_index(crowd, make_middle, false); }
static void *open_wide(bench_Crowd *crowd) { return open_index(crowd, make_wide, false); }
static void *open_widest(bench_Crowd *crowd) { return open_index(crowd, make_widest, false); }

static void close_index(void *opened) {
  State *state = opened;
  cpSpatialIndexFree(state->index);
  free(state);
}

/* ---------------------------------------------------------------- pairs */

static uint32_t number_of(const State *state, const void *object) {
  return (uint32_t)((const sat_Rectangle *)object - state->crowd->boxes);
}

typedef struct Found {
  const State *state;
  bench_Tally tally;
  size_t question;
  const bench_Segment *ray;
  double first;
} Found;

static cpCollisionID found_pair(void *a, void *b, cpCollisionID id, void *data) {
  Found *found = data;
  if (bench_overlap(a, b))
    bench_tally_pair(&found->tally, number_of(found->state, a), number_of(found->state, b));
  return id;
}

static bench_Tally frame(void *opened) {
  State *state = opened;
  Found found = {.state = state};
  asked = state->crowd;
  cpSpatialIndexReindexQuery(state->index, found_pair, &found);
  return found.tally;
}

static bench_Tally rebuild(void *opened) {
  State *state = opened;
  asked = state->crowd;
  cpSpatialIndexFree(state->index);
  fill(state);
  return frame(state);
}

/* ---------------------------------------------------------------- questions */

static cpCollisionID found_item(void *window, void *item, cpCollisionID id, void *data) {
  Found *found = data;
  if (window != item && bench_overlap(window, item))
    bench_tally_item(&found->tally, found->question, number_of(found->state, item));
  return id;
}

static bench_Tally interleave(void *opened) {
  State *state = opened;
  bench_Crowd *crowd = state->crowd;
  Found found = {.state = state};
  asked = crowd;
  for (size_t i = 0; i < crowd->count; i++) {
    crowd->boxes[i] = crowd->next[i];
    cpSpatialIndexReindexObject(state->index, &crowd->boxes[i], (cpHashValue)i);
    found.question = i;
    cpSpatialIndexQuery(state->index, &crowd->boxes[i], bb_of(&crowd->boxes[i]), found_item,
                        &found);
  }
  return found.tally;
}

static void ask_window(State *state, const sat_Rectangle *window, Found *found) {
  cpSpatialIndexQuery(state->index, (void *)(uintptr_t)window, bb_of(window), found_item, found);
}

static bench_Tally ask_windows(void *opened) {
  State *state = opened;
  Found found = {.state = state};
  for (size_t i = 0; i < state->crowd->window_count; i++) {
    found.question = i;
    ask_window(state, &state->crowd->windows[i], &found);
  }
  return found.tally;
}

static bench_Tally build(void *opened) {
  State *state = opened;
  Found found = {.state = state};
  asked = state->crowd;
  cpSpatialIndexFree(state->index);
  fill(state);
  ask_window(state, &state->crowd->questions->small[0], &found);
  return found.tally;
}

static cpFloat met_first(void *ray, void *item, void *data) {
  (void)ray;
  Found *found = data;
  found->first = fmin(found->first, bench_entry(item, found->ray));
  return found->first;
}

static cpFloat met(void *ray, void *item, void *data) {
  (void)ray;
  Found *found = data;
  if (bench_entry(item, found->ray) <= 1)
    bench_tally_item(&found->tally, found->question, number_of(found->state, item));
  return 1;
}

static Found ask_ray(State *state, size_t i, cpSpatialIndexSegmentQueryFunc function,
                     bench_Tally tally) {
  const bench_Segment *ray = &state->crowd->questions->rays[i];
  Found found = {state, tally, i, ray, 2};
  cpSpatialIndexSegmentQuery(state->index, NULL, cpv(ray->from.x, ray->from.y),
                             cpv(ray->to.x, ray->to.y), 1, function, &found);
  return found;
}

static bench_Tally ask_rays(void *opened) {
  State *state = opened;
  bench_Tally tally = {0, 0};
  for (size_t i = 0; i < state->crowd->questions->count; i++) {
    Found found = ask_ray(state, i, met_first, tally);
    if (found.first <= 1) bench_tally_distance(&tally, i, found.first);
  }
  return tally;
}

static bench_Tally ask_rays_all(void *opened) {
  State *state = opened;
  bench_Tally tally = {0, 0};
  for (size_t i = 0; i < state->crowd->questions->count; i++)
    tally = ask_ray(state, i, met, tally).tally;
  return tally;
}

/* Optimizing takes longer than some frames; what does not move is worth it. */
const bench_Index bench_chipmunk_tree[] = {
    {"cpBBTree",
     "fat boxes",
     SIZE_MAX,
     false,
     false,
     open_fat,
     close_index,
     {NULL, NULL, frame, interleave, NULL, NULL, NULL, NULL},
     NULL},
    {"cpBBTree",
     "tight boxes",
     SIZE_MAX,
     false,
     false,
     open_tight,
     close_index,
     {build, rebuild, frame, interleave, NULL, NULL, NULL, NULL},
     NULL},
    {"cpBBTree",
     "tight boxes; optimized",
     SIZE_MAX,
     false,
     false,
     open_best,
     close_index,
     {NULL, NULL, NULL, NULL, ask_windows, ask_rays, ask_rays_all, NULL},
     NULL},
    {.name = NULL}};

#define TASKS                                                                                      \
  { build, rebuild, frame, interleave, ask_windows, ask_rays, ask_rays_all, NULL }

const bench_Index bench_chipmunk_hash[] = {
    {"cpSpaceHash", "cells 1.25 items wide", SIZE_MAX, false, true, open_narrow, close_index, TASKS,
     NULL},
    {"cpSpaceHash", "cells 2 items wide", SIZE_MAX, false, true, open_middle, close_index, TASKS,
     NULL},
    {"cpSpaceHash", "3 wide; one an item", SIZE_MAX, false, true, open_wide, close_index, TASKS,
     NULL},
    {"cpSpaceHash",
     "cells 5 items wide",
     SIZE_MAX,
     false,
     true,
     open_widest,
     close_index,
     {NULL, NULL, NULL, NULL, ask_windows, ask_rays, ask_rays_all, NULL},
     NULL},
    {.name = NULL}};
