/* index_chipmunk.c: Chipmunk 7's spatial hash: its objects are our boxes themselves. What it suggests
 * is tested before it counts. */
#include "crowd.h"

#include <chipmunk/chipmunk.h>
#include <math.h>
#include <stdlib.h>

typedef struct State {
  bench_Crowd *crowd;
  cpSpatialIndex *index;
  double cells_wide; /* in mean widths of an item */
  size_t cells;      /* for each item */
} State;

static cpBB bb_of(const sat_Rectangle *box) {
  return cpBBNew(box->x, box->y, box->x + box->w, box->y + box->h);
}

static cpBB box_of(void *object) { return bb_of(object); }

static void fill(State *state) {
  bench_Crowd *crowd = state->crowd;
  state->index = cpSpaceHashNew(crowd->size * state->cells_wide, (int)(crowd->count * state->cells),
                                box_of, NULL);
  for (size_t i = 0; i < crowd->count; i++)
    cpSpatialIndexInsert(state->index, &crowd->boxes[i], (cpHashValue)i);
}

static void *open_index(bench_Crowd *crowd, double cells_wide, size_t cells) {
  State *state = bench_allocate(1, sizeof *state);
  *state = (State){crowd, NULL, cells_wide, cells};
  fill(state);
  return state;
}

/* Its documentation says cells of about the size of an item, and ten for each item; fewer keep more
 * of them in the caches. */
static void *open_narrow(bench_Crowd *crowd) { return open_index(crowd, 1.25, 10); }
static void *open_wide(bench_Crowd *crowd) { return open_index(crowd, 3, 1); }
static void *open_widest(bench_Crowd *crowd) { return open_index(crowd, 5, 10); }

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
  bench_Sum tally;
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

static bench_Sum frame(void *opened) {
  State *state = opened;
  Found found = {.state = state};
  cpSpatialIndexReindexQuery(state->index, found_pair, &found);
  return found.tally;
}

static bench_Sum rebuild(void *opened) {
  State *state = opened;
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

static bench_Sum interleave(void *opened) {
  State *state = opened;
  bench_Crowd *crowd = state->crowd;
  Found found = {.state = state};
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

static bench_Sum ask_windows(void *opened) {
  State *state = opened;
  Found found = {.state = state};
  for (size_t i = 0; i < state->crowd->window_count; i++) {
    found.question = i;
    ask_window(state, &state->crowd->windows[i], &found);
  }
  return found.tally;
}

static bench_Sum build(void *opened) {
  State *state = opened;
  Found found = {.state = state};
  cpSpatialIndexFree(state->index);
  fill(state);
  ask_window(state, &state->crowd->small[0], &found);
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
                     bench_Sum tally) {
  const bench_Segment *ray = &state->crowd->rays[i];
  Found found = {state, tally, i, ray, 2};
  cpSpatialIndexSegmentQuery(state->index, NULL, cpv(ray->from.x, ray->from.y),
                             cpv(ray->to.x, ray->to.y), 1, function, &found);
  return found;
}

static bench_Sum ask_rays(void *opened) {
  State *state = opened;
  bench_Sum tally = {0};
  for (size_t i = 0; i < BENCH_QUESTIONS; i++) {
    Found found = ask_ray(state, i, met_first, tally);
    if (found.first <= 1) bench_tally_distance(&tally, i, found.first);
  }
  return tally;
}

static bench_Sum ask_rays_all(void *opened) {
  State *state = opened;
  bench_Sum tally = {0};
  for (size_t i = 0; i < BENCH_QUESTIONS; i++) tally = ask_ray(state, i, met, tally).tally;
  return tally;
}

#define TASKS                                                                                      \
  { build, rebuild, frame, interleave, ask_windows, ask_rays, ask_rays_all, NULL }

const bench_Index bench_hashes[3] = {
    {"hash 1.25 wide", SIZE_MAX, true, open_narrow, close_index, TASKS},
    {"hash 3 wide", SIZE_MAX, true, open_wide, close_index, TASKS},
    {"hash 5 wide", SIZE_MAX, true, open_widest, close_index, TASKS}};
