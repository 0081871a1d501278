/* outline.c: the borders of the solid cells of a grid, followed ring by ring.
 *
 * A side between a solid cell and an empty one is walked with the solid cell on the right hand
 * where y points down, so that outer rings have positive area. The scan of the cells, row by row,
 * meets the first cell of a ring before every other cell of it: a solid cell with nothing on its
 * left begins an outer ring, and an empty cell below a solid one a hole, unless a ring has passed
 * that side. The run of solid cells before a hole begins at the side of a known ring of the same
 * solid, which tells the ring around the hole. Suzuki and Abe, Topological structural analysis of
 * digitized binary images by border following, 1985. */
#include "base/memory.h"
#include "base/vec2.h"

#include <string.h>

/* A crossing stays this part of a cell away from the middles of the cells, so that no two
 * coincide. */
#define LEAST_FRACTION (1.0 / 1024)
/* More cells could have more sides than an index of 32 bits counts. */
#define MOST_CELLS 0x7fffffffu

/* The labels of cells. A solid cell with an empty one on its left gets the number of the ring along
 * that side, plus SIDE_OF_RING. */
enum { EMPTY, EMPTY_WITH_TOP_PASSED, SOLID, SIDE_OF_RING };

enum { RIGHTWARD, DOWNWARD, LEFTWARD, UPWARD };

/* Cells are numbered row by row in a grid with a frame of empty cells. */
typedef struct Tracer {
  const double *values;
  double threshold, outside;
  uint32_t columns, rows, width;
  bool smooth;
  uint32_t *labels;
  uint32_t ahead[4], to_left[4]; /* from a cell to the next one in a direction and on its left */
  sat_Vec2 *points;
  uint32_t *first, *around;
  uint32_t point_count, ring_count;
} Tracer;

/* A side of a solid cell, walked in a direction. */
typedef struct CellSide {
  uint32_t cell;
  int way;
} CellSide;

/* ---------------------------------------------------------------- cells */

static bool is_solid(const Tracer *tracer, uint32_t cell) { return tracer->labels[cell] >= SOLID; }

static double cell_value(const Tracer *tracer, uint32_t cell) {
  uint32_t column = cell % tracer->width, row = cell / tracer->width;
  bool inside = column > 0 && column <= tracer->columns && row > 0 && row <= tracer->rows;
  if (!inside) return tracer->outside;
  return tracer->values[(size_t)(row - 1) * tracer->columns + (column - 1)];
}

/* Labels all cells, and returns the number of sides between a solid cell and an empty one. */
static size_t label_cells(Tracer *tracer) {
  uint32_t width = tracer->width, columns = tracer->columns;
  memset(tracer->labels, 0, (size_t)width * (tracer->rows + 2) * sizeof *tracer->labels);
  size_t sides = 0;
  for (uint32_t row = 1; row <= tracer->rows + 1; row++) {
    uint32_t *label = tracer->labels + (size_t)row * width;
    const double *value = tracer->values + (size_t)(row - 1) * columns;
    for (uint32_t i = 1; row <= tracer->rows && i <= columns; i++)
      label[i] = value[i - 1] >= tracer->threshold ? SOLID : EMPTY;
    uint32_t of_row = 0;
    for (uint32_t i = 1; i < width; i++)
      of_row += ((label[i] ^ label[i - 1]) + (label[i] ^ (label - width)[i])) / SOLID;
    sides += of_row;
  }
  return sides;
}

/* The first in the grid of the four cells around the end of a side. */
static uint32_t first_of_four(const Tracer *tracer, CellSide side) {
  uint32_t solid = side.cell, empty = solid + tracer->to_left[side.way];
  uint32_t low = solid < empty ? solid : empty;
  uint32_t next = low + tracer->ahead[side.way];
  return low < next ? low : next;
}

/* Whether the two solid cells of four are joined where they meet at a corner only. */
static bool is_connected(const Tracer *tracer, CellSide side) {
  if (!tracer->smooth) return false;
  uint32_t cell = first_of_four(tracer, side), below = cell + tracer->width;
  double sum = cell_value(tracer, cell) + cell_value(tracer, cell + 1);
  sum = sum + cell_value(tracer, below) + cell_value(tracer, below + 1);
  return sum / 4 >= tracer->threshold;
}

/* ---------------------------------------------------------------- rings */

static CellSide next_side(const Tracer *tracer, CellSide side) {
  uint32_t right = side.cell + tracer->ahead[side.way], left = right + tracer->to_left[side.way];
  if (!is_solid(tracer, right) && !(is_solid(tracer, left) && is_connected(tracer, side)))
    return (CellSide){side.cell, (side.way + 1) % 4};
  if (is_solid(tracer, left)) return (CellSide){left, (side.way + 3) % 4};
  return (CellSide){right, side.way};
}

static sat_Vec2 corner_of_cell(const Tracer *tracer, uint32_t cell) {
  uint32_t row = cell / tracer->width;
  return vec2(cell - row * tracer->width, row);
}

/* The place of the threshold between the middles of the two cells of a side. */
static sat_Vec2 crossing_point(const Tracer *tracer, CellSide side) {
  uint32_t cell = side.cell, other = cell + tracer->to_left[side.way];
  uint32_t low = cell < other ? cell : other, high = cell < other ? other : cell;
  double from = cell_value(tracer, low), to = cell_value(tracer, high);
  double t = clamp((tracer->threshold - from) / (to - from), LEAST_FRACTION, 1 - LEAST_FRACTION);
  sat_Vec2 middle = sub(corner_of_cell(tracer, low), vec2(0.5, 0.5));
  return add(middle, high == low + 1 ? vec2(t, 0) : vec2(0, t));
}

static sat_Vec2 start_corner(const Tracer *tracer, CellSide side) {
  side.way = (side.way + 2) % 4; /* the end of the same side, walked back by the cell beyond it */
  side.cell += tracer->to_left[(side.way + 2) % 4];
  return corner_of_cell(tracer, first_of_four(tracer, side));
}

/* Follows the ring from a side on. Along the borders of cells it has vertices where the direction
 * changes, which may not be where the walk begins. */
static void trace_ring(Tracer *tracer, CellSide start, uint32_t around) {
  uint32_t first = tracer->point_count;
  CellSide side = start;
  int before = -1;
  do {
    if (side.way == UPWARD) tracer->labels[side.cell] = SIDE_OF_RING + tracer->ring_count;
    if (side.way == LEFTWARD) tracer->labels[side.cell + tracer->width] = EMPTY_WITH_TOP_PASSED;
    if (tracer->smooth) tracer->points[tracer->point_count++] = crossing_point(tracer, side);
    else if (side.way != before) tracer->points[tracer->point_count++] = start_corner(tracer, side);
    before = side.way;
    side = next_side(tracer, side);
  } while (side.cell != start.cell || side.way != start.way);
  if (!tracer->smooth && before == start.way) {
    sat_Vec2 *points = tracer->points + first;
    memmove(points, points + 1, (--tracer->point_count - first) * sizeof *points);
  }
  tracer->first[tracer->ring_count] = first;
  tracer->around[tracer->ring_count++] = around;
}

static void trace_row(Tracer *tracer, uint32_t row) {
  uint32_t run = 0, end = (row + 1) * tracer->width - 1; /* `run` is a ring of the last solid */
  for (uint32_t cell = row * tracer->width + 1; cell < end; cell++) {
    const uint32_t *label = &tracer->labels[cell];
    if (*label >= SOLID) {
      if (label[-1] >= SOLID) continue;
      CellSide start = {cell, tracer->smooth ? UPWARD : RIGHTWARD};
      if (*label == SOLID) trace_ring(tracer, start, tracer->ring_count);
      run = *label - SIDE_OF_RING;
    } else if (*label == EMPTY && is_solid(tracer, cell - tracer->width)) {
      CellSide start = {cell - tracer->width, LEFTWARD};
      trace_ring(tracer, start, tracer->around[run]);
    }
  }
}

sat_Status sat_outline(const sat_Grid *grid, bool smooth, sat_Scratch *scratch,
                       sat_Outline *outline) {
  if (!in_range(grid->threshold)) return SAT_ERANGE;
  if (grid->columns >= MOST_CELLS || grid->rows + 2 > MOST_CELLS / (grid->columns + 2))
    return SAT_ENOMEM;
  uint32_t width = (uint32_t)grid->columns + 2;
  Tracer tracer = {.values = grid->values,
                   .threshold = grid->threshold,
                   .outside = grid->threshold > 0 ? 0 : grid->threshold - 1,
                   .columns = (uint32_t)grid->columns,
                   .rows = (uint32_t)grid->rows,
                   .width = width,
                   .smooth = smooth,
                   .ahead = {1, width, 0 - 1u, 0 - width},
                   .to_left = {0 - width, 1, width, 0 - 1u}};
  size_t cells = (grid->columns + 2) * (grid->rows + 2), bytes = (cells + 3) / 4 * 16;
  tracer.labels = sat_scratch_reserve(scratch, bytes);
  if (!tracer.labels) return SAT_ENOMEM;
  size_t sides = label_cells(&tracer), most_rings = sides / 4;
  if (sides > SIZE_MAX / 32 - bytes / 32) return SAT_ENOMEM;
  char *block = sat_scratch_reserve(scratch, bytes + sides * sizeof(sat_Vec2) +
                                                 (2 * most_rings + 1) * sizeof(uint32_t));
  if (!block) return SAT_ENOMEM;
  tracer.labels = (uint32_t *)(void *)block;
  tracer.points = (sat_Vec2 *)(void *)(block + bytes);
  tracer.first = (uint32_t *)(tracer.points + sides);
  tracer.around = tracer.first + most_rings + 1;
  for (uint32_t row = 1; row <= tracer.rows; row++) trace_row(&tracer, row);
  tracer.first[tracer.ring_count] = tracer.point_count;
  *outline = (sat_Outline){tracer.ring_count, tracer.first, tracer.around, tracer.points};
  return SAT_OK;
}
