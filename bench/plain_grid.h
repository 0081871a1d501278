/* plain_grid.h: boxes in the cells of a grid, as every tutorial has it: each box is listed in each
 * cell that it reaches into, and a question looks at the cells that it reaches. */
#ifndef BENCH_PLAIN_GRID_H
#define BENCH_PLAIN_GRID_H

#include "common.h"
#include "sat.h"

typedef struct bench_Grid {
  const sat_Rectangle *boxes;
  double left, top, cell;
  int columns, rows;
  size_t *starts; /* by cell; one more at the end */
  uint32_t *listed, *asked, question;
} bench_Grid;

bench_Grid bench_grid_make(const sat_Rectangle *boxes, size_t count, double cell);
void bench_grid_free(bench_Grid *grid);

/* How many boxes a window overlaps. */
size_t bench_grid_window(bench_Grid *grid, sat_Rectangle window);
/* How far it is to the nearest box. */
double bench_grid_nearest(bench_Grid *grid, sat_Vec2 point);
/* The fraction of a motion at which a box of this size, whose corner is at `from`, first touches
 * another; above 1 for none. A box of no size is a ray. */
double bench_grid_cast(bench_Grid *grid, sat_Vec2 from, sat_Vec2 size, sat_Vec2 motion);

#endif
