/* index.h: what a broad phase must do to be timed: the same work on the same crowd of boxes, in a
 * loop of its own language. */
#ifndef BENCH_INDEX_H
#define BENCH_INDEX_H

#ifdef __cplusplus
extern "C" {
#endif

#include "crowd.h"

/* What was found: how much, and a sum over it all that depends on no order. Equal tallies are taken
 * for equal answers. */
typedef struct bench_Tally {
  uint64_t count, check;
} bench_Tally;

static inline void bench_tally_add(bench_Tally *tally, uint64_t key) {
  key *= 0x9e3779b97f4a7c15u;
  key ^= key >> 32;
  tally->count++;
  tally->check += key * 0xbf58476d1ce4e5b9u;
}

/* Two items that overlap, in either order. */
static inline void bench_tally_pair(bench_Tally *tally, uint32_t a, uint32_t b) {
  uint64_t low = a < b ? a : b, high = a < b ? b : a;
  bench_tally_add(tally, low << 32 | high);
}

/* An item that a question has found. */
static inline void bench_tally_item(bench_Tally *tally, size_t question, uint32_t item) {
  bench_tally_add(tally, (uint64_t)question << 32 | item);
}

/* How far it was to the nearest. Libraries that round in another order must agree to float
 * precision. */
static inline void bench_tally_distance(bench_Tally *tally, size_t question, double distance) {
  union {
    float value;
    uint32_t bits;
  } rounded = {(float)distance};
  bench_tally_item(tally, question, rounded.bits);
}

/* Everything is asked through one of these. */
typedef bench_Tally bench_Ask(void *state);

typedef enum bench_Task {
  BENCH_BUILD,      /* all are taken out and put in again, and one small window is asked about */
  BENCH_REBUILD,    /* all are taken out and put in again: all pairs */
  BENCH_FRAME,      /* those that have moved are told of: all pairs */
  BENCH_INTERLEAVE, /* each item in turn goes to where `next` has it: what overlaps it now? */
  BENCH_WINDOW,     /* what overlaps each window */
  BENCH_RAY,        /* how far it is along each ray to the first item */
  BENCH_RAY_ALL,    /* every item along each ray */
  BENCH_NEAREST,    /* how far it is to the item nearest to each point */
  BENCH_TASKS
} bench_Task;

/* One way of using a library. */
typedef struct bench_Index {
  const char *name, *way;
  size_t most;       /* with more items it takes minutes */
  bool not_in_heaps; /* nor can it be waited for where very many items are in one spot */
  bool forgets;      /* a frame owes nothing to the frames before */
  void *(*open)(bench_Crowd *crowd); /* holds all items as they are now */
  void (*close)(void *state);
  bench_Ask *ask[BENCH_TASKS]; /* NULL for what it cannot do */
  /* Tells it of those that have moved, where that can be had without the pairs. */
  void (*tell)(void *state);
} bench_Index;

/* A list of each library's ways, which ends with one that has no name. */
extern const bench_Index bench_list[], bench_index_sat[], bench_tutorial[], bench_chipmunk_tree[],
    bench_chipmunk_hash[], bench_box2d_tree[], bench_box2d_contacts[], bench_box2d3_tree[],
    bench_boost[];

/* Bytes that our own keeps, without the lists of results that its caller owns. */
size_t bench_index_sat_bytes(void *state);

/* ---------------------------------------------------------------- for peers that leave it to us */

static inline bool bench_overlap(const sat_Rectangle *a, const sat_Rectangle *b) {
  return a->x <= b->x + b->w && b->x <= a->x + a->w && a->y <= b->y + b->h && b->y <= a->y + a->h;
}

/* The fraction of the segment at which it enters the box, 0 where it starts inside; above 1 when it
 * misses. */
double bench_entry(const sat_Rectangle *box, const bench_Segment *segment);
double bench_distance(const sat_Rectangle *box, sat_Vec2 point);

#ifdef __cplusplus
}
#endif
#endif
