/* crowd.h: many boxes that move, and questions about them, the same on every run.
 *
 * Every number is one that a float holds exactly, whatever moves, so that libraries of floats and
 * of doubles must find the same. Lengths are of the order of metres, which is what Box2D is made
 * for. */
#ifndef BENCH_CROWD_H
#define BENCH_CROWD_H

#include "common.h"
#include "sat.h"

#include <stdbool.h>

typedef enum bench_Layout {
  BENCH_UNIFORM,
  BENCH_CLUSTERED, /* a thousand or so to a cluster, dense in its middle */
  BENCH_SIZES,     /* from 0.1 to 10, small ones as many as large ones on a scale of powers */
  BENCH_FAR,       /* uniform, but for one item 1e7 away */
  BENCH_SHRUNK,    /* the uniform scene within a thousandth of the width */
  BENCH_POINTS,    /* the same, boxes of no size */
  BENCH_LAYOUTS
} bench_Layout;
const char *bench_layout_name(bench_Layout layout);

typedef struct bench_Segment {
  sat_Vec2 from, to;
} bench_Segment;

/* Questions, as many of each kind. Windows are squares, the small ones twice as wide as an item is
 * on the average, the large ones a tenth of the width. */
typedef struct bench_Questions {
  size_t count, large_count;
  sat_Rectangle *small, *large;
  bench_Segment *rays;
  sat_Vec2 *points;
} bench_Questions;

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
  const bench_Questions *questions;
  const sat_Rectangle *windows; /* those that are asked about */
  size_t window_count;
} bench_Crowd;

bench_Crowd *bench_crowd_create(bench_Layout layout, size_t count);
/* With the same questions, which belong to the first. */
bench_Crowd *bench_crowd_copy(const bench_Crowd *crowd);
void bench_crowd_destroy(bench_Crowd *crowd);

bench_Questions *bench_questions_create(const bench_Crowd *crowd);
void bench_questions_destroy(bench_Questions *questions);

/* The next frame: the share of the items moves, another part of them each time. Who is at the edge
 * turns back. */
void bench_crowd_move(bench_Crowd *crowd);
/* Where each item will be is in `next`; none has moved yet. */
void bench_crowd_plan(bench_Crowd *crowd);

#endif
