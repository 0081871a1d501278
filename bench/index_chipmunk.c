/* index_chipmunk.c: Chipmunk 7's spatial hash: its objects are our boxes themselves. What it suggests
 * is tested before it counts. */
#include "crowd.h"

#include <chipmunk/chipmunk.h>

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

static void fill(void *opened) {
  State *state = opened;
  bench_Crowd *crowd = state->crowd;
  if (state->index) cpSpatialIndexFree(state->index);
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

static void close_index(void *opened) { cpSpatialIndexFree(((State *)opened)->index); }

/* ---------------------------------------------------------------- questions */

static uint32_t number_of(const State *state, const void *object) {
  return (uint32_t)((const sat_Rectangle *)object - state->crowd->boxes);
}

typedef struct Found {
  const State *state;
  bench_Sum *tally;
  size_t question;
  const bench_Segment *ray;
  double first;
} Found;

static void move(void *opened, uint32_t item) {
  State *state = opened;
  cpSpatialIndexReindexObject(state->index, &state->crowd->boxes[item], (cpHashValue)item);
}

static cpCollisionID found_pair(void *a, void *b, cpCollisionID id, void *data) {
  Found *found = data;
  if (bench_overlap(a, b))
    bench_tally_pair(found->tally, number_of(found->state, a), number_of(found->state, b));
  return id;
}

static void find_pairs(void *opened, bench_Sum *tally) {
  State *state = opened;
  cpSpatialIndexReindexQuery(state->index, found_pair, &(Found){.state = state, .tally = tally});
}

static cpCollisionID found_item(void *window, void *item, cpCollisionID id, void *data) {
  Found *found = data;
  if (bench_overlap(window, item))
    bench_tally_item(found->tally, found->question, number_of(found->state, item));
  return id;
}

static void ask_window(void *opened, size_t question, const sat_Rectangle *window,
                       bench_Sum *tally) {
  State *state = opened;
  Found found = {.state = state, .tally = tally, .question = question};
  cpSpatialIndexQuery(state->index, (void *)(uintptr_t)window, bb_of(window), found_item, &found);
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
    bench_tally_item(found->tally, found->question, number_of(found->state, item));
  return 1;
}

static void walk(Found *found, cpSpatialIndexSegmentQueryFunc function) {
  const bench_Segment *ray = found->ray;
  cpSpatialIndexSegmentQuery(found->state->index, NULL, cpv(ray->from.x, ray->from.y),
                             cpv(ray->to.x, ray->to.y), 1, function, found);
}

static double ask_ray(void *opened, const bench_Segment *ray) {
  Found found = {opened, NULL, 0, ray, 2};
  walk(&found, met_first);
  return found.first;
}

static void ask_ray_all(void *opened, size_t question, const bench_Segment *ray, bench_Sum *tally) {
  walk(&(Found){opened, tally, question, ray, 2}, met);
}

#define HASH(name, open)                                                                           \
  {                                                                                                \
    name, SIZE_MAX, BY_PAIRS, open, close_index, fill, move, find_pairs, ask_window, ask_ray,      \
        ask_ray_all                                                                                \
  }
const bench_Index bench_hashes[3] = {HASH("hash 1.25 wide", open_narrow),
                                     HASH("hash 3 wide", open_wide),
                                     HASH("hash 5 wide", open_widest)};
