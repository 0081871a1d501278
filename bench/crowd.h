/* crowd.h: many boxes that move, and questions about them, the same on every run; and what a broad
 * phase must do to be timed: the same work on the same boxes.
 *
 * Every number is one that a float holds exactly, whatever moves, so that libraries of floats and
 * of doubles must find the same. Lengths are of the order of metres, which is what Box2D is made
 * for. */
#ifndef BENCH_CROWD_H
#define BENCH_CROWD_H

#include "common.h"

#include <stdbool.h>

typedef enum bench_Layout {
  BENCH_UNIFORM,
  BENCH_CLUSTERED, /* a thousand or so to a cluster, dense in its middle */
  BENCH_SIZES,     /* from 0.1 to 10, small ones as many as large ones on a scale of powers */
  BENCH_LAYOUTS
} bench_Layout;
const char *bench_layout_name(bench_Layout layout);

typedef struct bench_Segment {
  sat_Vec2 from, to;
} bench_Segment;

typedef struct bench_Crowd {
  bench_Layout layout;
  size_t count;
  double width; /* of the square from 0, 0 that they were put in */
  double size;  /* the mean width of an item */
  sat_Rectangle *boxes, *next;
  sat_Vec2 *steps; /* an item moves by this, at random a hundredth of its width to either side */
  double share;    /* of the items that move in a frame */
  uint32_t *moved; /* those of this frame */
  size_t moved_count, frame;
  /* Questions. Windows are squares, the small ones twice as wide as an item is
   * on the average, the large ones a tenth of the width. */
  sat_Rectangle *small, *large;
  bench_Segment *rays;
  const sat_Rectangle *windows; /* those that are asked about */
  size_t window_count;
} bench_Crowd;

/* The numbers of questions; a large window finds a hundredth of all items. */
enum { BENCH_QUESTIONS = 8192, BENCH_LARGE_QUESTIONS = 64 };

bench_Crowd *bench_crowd_create(bench_Layout layout, size_t count);

/* The next frame: the share of the items moves, another part of them each time. Who is at the edge
 * turns back. */
void bench_crowd_move(bench_Crowd *crowd);
/* Where each item will be is in `next`; none has moved yet. */
void bench_crowd_plan(bench_Crowd *crowd);

/* ---------------------------------------------------------------- broad phases */

typedef enum bench_Task {
  BENCH_BUILD,   /* all are taken out and put in again, and one small window is asked about */
  BENCH_REBUILD, /* all are taken out and put in again: all pairs */
  BENCH_FRAME,   /* those that have moved are told of: all pairs */
  BENCH_INTERLEAVE, /* each item in turn goes to where `next` has it: what overlaps it now, itself too? */
  BENCH_WINDOW, /* what overlaps each window */
  BENCH_RAY,    /* how far it is along each ray to the first item */
  BENCH_RAY_ALL /* every item along each ray */
} bench_Task;

/* A question that an index cannot answer is NULL. An answer is added to the tally. */
typedef struct bench_Index {
  const char *name;
  size_t most; /* with more items it takes minutes */
  enum {
    BY_MOVES,
    BY_PAIRS,
    BY_REFILL
  } is_told;                         /* of what has moved in a frame; `pairs` may look itself */
  void *(*open)(bench_Crowd *crowd); /* holds all items as they are now */
  void (*close)(void *state);        /* what `bench_release` does not free, or NULL */
  void (*refill)(void *state);
  void (*move)(void *state, uint32_t item); /* is where its box is now */
  void (*pairs)(void *state, bench_Sum *tally);
  void (*window)(void *state, size_t question, const sat_Rectangle *window, bench_Sum *tally);
  double (*ray)(void *state, const bench_Segment *ray); /* the first item, above 1 for none */
  void (*ray_all)(void *state, size_t question, const bench_Segment *ray, bench_Sum *tally);
} bench_Index;

extern const bench_Index bench_list, bench_index_sat, bench_tutorial, bench_hashes[3];

/* Items that overlap or that a question has found, in any order. */
static inline void bench_tally_add(bench_Sum *tally, uint64_t key) {
  key *= 0x9e3779b97f4a7c15u;
  key ^= key >> 32;
  tally->hits++;
  tally->check += key * 0xbf58476d1ce4e5b9u;
}

/* Two items that overlap, in either order. */
static inline void bench_tally_pair(bench_Sum *tally, uint32_t a, uint32_t b) {
  uint64_t low = a < b ? a : b, high = a < b ? b : a;
  bench_tally_add(tally, low << 32 | high);
}

/* An item that a question has found. */
static inline void bench_tally_item(bench_Sum *tally, size_t question, uint32_t item) {
  bench_tally_add(tally, (uint64_t)question << 32 | item);
}

/* How far it was to the first along a ray. Libraries that round in another order must agree to float
 * precision. */
static inline void bench_tally_distance(bench_Sum *tally, size_t question, double distance) {
  union {
    float value;
    uint32_t bits;
  } rounded = {(float)distance};
  bench_tally_item(tally, question, rounded.bits);
}

/* ---------------------------------------------------------------- for peers that leave it to us */

static inline bool bench_overlap(const sat_Rectangle *a, const sat_Rectangle *b) {
  return a->x <= b->x + b->w && b->x <= a->x + a->w && a->y <= b->y + b->h && b->y <= a->y + a->h;
}

/* The fraction of the segment at which it enters the box, 0 where it starts inside; above 1 when it
 * misses. */
double bench_entry(const sat_Rectangle *box, const bench_Segment *segment);

#endif
