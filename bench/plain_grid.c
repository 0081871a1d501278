/* plain_grid.c: boxes in the cells of a grid, as every tutorial has it. */
#include "levels.h"

static int cell_at(double x, double start, double cell, int cells) {
  double at = floor((x - start) / cell);
  return at < 0 ? 0 : at >= cells ? cells - 1 : (int)at;
}

typedef struct Range {
  int left, right, top, bottom;
} Range;

static Range range_of(const bench_Grid *grid, double left, double top, double right,
                      double bottom) {
  return (Range){cell_at(left, grid->left, grid->cell, grid->columns),
                 cell_at(right, grid->left, grid->cell, grid->columns),
                 cell_at(top, grid->top, grid->cell, grid->rows),
                 cell_at(bottom, grid->top, grid->cell, grid->rows)};
}

/* ---------------------------------------------------------------- making */

static void list_boxes(bench_Grid *grid, size_t count, bool listing) {
  for (size_t i = count; i-- > 0;) {
    sat_Rectangle b = grid->boxes[i];
    Range range = range_of(grid, b.x, b.y, b.x + b.w, b.y + b.h);
    for (int row = range.top; row <= range.bottom; row++)
      for (int column = range.left; column <= range.right; column++) {
        size_t *start = &grid->starts[(size_t)row * (size_t)grid->columns + (size_t)column];
        if (listing) grid->listed[--*start] = (uint32_t)i;
        else ++*start;
      }
  }
}

bench_Grid *bench_grid_make(const bench_Boxes *boxes) {
  bench_Grid *grid = bench_allocate(1, sizeof *grid);
  double right = -HUGE_VAL, bottom = -HUGE_VAL;
  *grid = (bench_Grid){.boxes = boxes->at, .left = HUGE_VAL, .top = HUGE_VAL};
  grid->cell = boxes->cell;
  grid->cast = boxes->cast;
  for (size_t i = 0; i < boxes->count; i++) {
    const sat_Rectangle *b = &boxes->at[i];
    grid->left = fmin(grid->left, b->x);
    grid->top = fmin(grid->top, b->y);
    right = fmax(right, b->x + b->w);
    bottom = fmax(bottom, b->y + b->h);
  }
  grid->columns = (int)((right - grid->left) / grid->cell) + 1;
  grid->rows = (int)((bottom - grid->top) / grid->cell) + 1;
  size_t cells = (size_t)grid->columns * (size_t)grid->rows;
  grid->starts = bench_allocate(cells + 1, sizeof *grid->starts);
  grid->asked = bench_allocate(boxes->count, sizeof *grid->asked);
  list_boxes(grid, boxes->count, false);
  for (size_t i = 1; i <= cells; i++) grid->starts[i] += grid->starts[i - 1];
  grid->listed = bench_allocate(grid->starts[cells], sizeof *grid->listed);
  list_boxes(grid, boxes->count, true);
  return grid;
}

static void *open_grid(const bench_Boxes *boxes) { return bench_grid_make(boxes); }

/* ---------------------------------------------------------------- windows */

/* A box in several cells is counted once. */
static double count_in_window(void *opened, const bench_Question *question) {
  bench_Grid *grid = opened;
  double left = question->at.x, top = question->at.y, right = left + question->way.x,
         bottom = top + question->way.y;
  Range range = range_of(grid, left, top, right, bottom);
  size_t found = 0;
  grid->question++;
  for (int row = range.top; row <= range.bottom; row++)
    for (int column = range.left; column <= range.right; column++) {
      size_t cell = (size_t)row * (size_t)grid->columns + (size_t)column;
      for (size_t i = grid->starts[cell]; i < grid->starts[cell + 1]; i++) {
        uint32_t item = grid->listed[i];
        const sat_Rectangle *b = &grid->boxes[item];
        if (grid->asked[item] == grid->question || b->x > right || left > b->x + b->w ||
            b->y > bottom || top > b->y + b->h)
          continue;
        grid->asked[item] = grid->question;
        found++;
      }
    }
  return (double)found;
}

/* ---------------------------------------------------------------- nearest */

/* Looks at the cells of a row from `left` to `right`. */
static void look_near(const bench_Grid *grid, int left, int right, int row, sat_Vec2 p,
                      double *least) {
  if (row < 0 || row >= grid->rows) return;
  if (left < 0) left = 0;
  if (right >= grid->columns) right = grid->columns - 1;
  if (left > right) return;
  size_t first = (size_t)row * (size_t)grid->columns;
  for (size_t i = grid->starts[first + (size_t)left]; i < grid->starts[first + (size_t)right + 1];
       i++) {
    const sat_Rectangle *b = &grid->boxes[grid->listed[i]];
    double dx = p.x < b->x ? b->x - p.x : p.x > b->x + b->w ? p.x - b->x - b->w : 0;
    double dy = p.y < b->y ? b->y - p.y : p.y > b->y + b->h ? p.y - b->y - b->h : 0;
    double square = dx * dx + dy * dy;
    *least = square < *least ? square : *least;
  }
}

/* Rings of cells around the place in the grid that is nearest. */
static double find_nearest(void *opened, const bench_Question *question) {
  const bench_Grid *grid = opened;
  sat_Vec2 p = question->at;
  double least = HUGE_VAL;
  int column = cell_at(p.x, grid->left, grid->cell, grid->columns);
  int row = cell_at(p.y, grid->top, grid->cell, grid->rows);
  double right = grid->left + grid->columns * grid->cell,
         bottom = grid->top + grid->rows * grid->cell;
  double dx = fmax(fmax(grid->left - p.x, p.x - right), 0);
  double dy = fmax(fmax(grid->top - p.y, p.y - bottom), 0);
  for (int ring = 0; ring <= grid->columns + grid->rows; ring++) {
    double reach = ring > 0 ? (ring - 1) * grid->cell : 0;
    if (dx * dx + dy * dy + reach * reach > least) break;
    look_near(grid, column - ring, column + ring, row - ring, p, &least);
    for (int i = 1 - ring; i < ring; i++) {
      look_near(grid, column - ring, column - ring, row + i, p, &least);
      look_near(grid, column + ring, column + ring, row + i, p, &least);
    }
    if (ring > 0) look_near(grid, column - ring, column + ring, row + ring, p, &least);
  }
  return sqrt(least);
}

/* ---------------------------------------------------------------- rays and casts */

typedef struct Cast {
  sat_Vec2 from, size, motion;
  double first;
} Cast;

static void look_along(const bench_Grid *grid, int column, int row, Cast *cast) {
  size_t cell = (size_t)row * (size_t)grid->columns + (size_t)column;
  for (size_t i = grid->starts[cell]; i < grid->starts[cell + 1]; i++) {
    const sat_Rectangle *b = &grid->boxes[grid->listed[i]];
    double enter = 0, leave = cast->first;
    if (bench_cut(cast->from.x, cast->motion.x, b->x - cast->size.x, b->x + b->w, &enter, &leave) &&
        bench_cut(cast->from.y, cast->motion.y, b->y - cast->size.y, b->y + b->h, &enter, &leave))
      cast->first = enter;
  }
}

/* The walk of a ray from cell to cell: Amanatides and Woo, A fast voxel traversal algorithm, 1987.
 * A box of some size looks at all cells that it reaches into from there. */
static double cast_box(const bench_Grid *grid, sat_Vec2 from, sat_Vec2 size, sat_Vec2 motion) {
  Cast cast = {from, size, motion, 2};
  double enter = 0, leave = 1, cell = grid->cell;
  if (!bench_cut(from.x, motion.x, grid->left - size.x, grid->left + grid->columns * cell, &enter,
                 &leave) ||
      !bench_cut(from.y, motion.y, grid->top - size.y, grid->top + grid->rows * cell, &enter,
                 &leave))
    return 2;
  double x = (from.x + motion.x * enter - grid->left) / cell,
         y = (from.y + motion.y * enter - grid->top) / cell;
  int column = (int)floor(x), row = (int)floor(y);
  int wide = size.x > 0 ? (int)ceil(size.x / cell) : 0,
      high = size.y > 0 ? (int)ceil(size.y / cell) : 0;
  int step_x = motion.x < 0 ? -1 : 1, step_y = motion.y < 0 ? -1 : 1;
  double each_x = motion.x == 0 ? HUGE_VAL : cell / fabs(motion.x),
         each_y = motion.y == 0 ? HUGE_VAL : cell / fabs(motion.y);
  double next_x = enter + (motion.x < 0 ? x - column : column + 1 - x) * each_x,
         next_y = enter + (motion.y < 0 ? y - row : row + 1 - y) * each_y;
  if (motion.x == 0) next_x = HUGE_VAL;
  if (motion.y == 0) next_y = HUGE_VAL;
  for (double t = enter; t <= leave && t <= cast.first;) {
    for (int i = 0; i <= high; i++)
      for (int k = 0; k <= wide; k++)
        if (column + k >= 0 && column + k < grid->columns && row + i >= 0 && row + i < grid->rows)
          look_along(grid, column + k, row + i, &cast);
    if (next_x < next_y) t = next_x, next_x += each_x, column += step_x;
    else t = next_y, next_y += each_y, row += step_y;
  }
  return cast.first;
}

static double cast_ray(void *grid, const bench_Question *question) {
  return cast_box(grid, question->at, (sat_Vec2){0, 0}, question->way);
}

static double cast_square(void *grid, const bench_Question *question) {
  double side = ((const bench_Grid *)grid)->cast;
  return cast_box(grid, question->at, (sat_Vec2){side, side}, question->way);
}

const bench_Keeper bench_plain_grid = {
    "plain", NULL, open_grid, NULL, {count_in_window, find_nearest, cast_ray, cast_square, NULL}};
