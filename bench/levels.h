/* levels.h: many boxes that stay where they are, questions about them, and what answers these. */
#ifndef BENCH_LEVELS_H
#define BENCH_LEVELS_H

#include "common.h"

typedef enum bench_About {
  BENCH_WINDOW,   /* how many boxes overlap it */
  BENCH_NEAREST,  /* how far it is to the nearest box */
  BENCH_RAY,      /* the fraction of the way at which a ray enters a box; above 1 for none */
  BENCH_CAST,     /* the same of a box, whose lower corner is where the way begins */
  BENCH_CONTAINS, /* whether a box contains the point: 1 or 0 */
  BENCH_ABOUT
} bench_About;

/* Where it begins, and the sides of its window, its way, or nothing. */
typedef struct bench_Question {
  sat_Vec2 at, way;
} bench_Question;

typedef struct bench_Boxes {
  sat_Rectangle *at;
  size_t count;
  double cell; /* of a grid */
  double cast; /* the side of the box that is cast */
} bench_Boxes;

typedef double bench_Answer(void *state, const bench_Question *question);

typedef struct bench_Keeper {
  const char *name, *missing;              /* what names its folder, where it is missing */
  void *(*open)(const bench_Boxes *boxes); /* in blocks that `bench_release` frees */
  void (*close)(void *state);              /* whatever else there is to free, or NULL */
  bench_Answer *answer[BENCH_ABOUT];       /* NULL for what it cannot do */
} bench_Keeper;

/* A grid as every tutorial has it, a binary tree by halves, and a world of Box2D 3. */
extern const bench_Keeper bench_plain_grid, bench_plain_tree, bench_box2d3_world;

/* Each box is listed in each cell that it reaches into, and a question looks at the cells that it
 * reaches. */
typedef struct bench_Grid {
  const sat_Rectangle *boxes;
  double left, top, cell, cast;
  int columns, rows;
  size_t *starts; /* by cell; one more at the end */
  uint32_t *listed, *asked, question;
} bench_Grid;
bench_Grid *bench_grid_make(const bench_Boxes *boxes);

#endif
