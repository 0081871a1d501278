/* grid.h: the hierarchical grid: size classes, levels, cells and the float boxes of entries.
 *
 * Each level is a grid with cells of one size, and the cells of the levels nest: it is a loose
 * quadtree whose levels are stored flat, without nodes in between. A box lies on a level whose
 * cells are wider and higher than the box, in the cell that contains its corner of least x and y,
 * so that the box reaches into three neighbouring cells at most (Ulrich, Loose octrees, Game
 * Programming Gems, 2000, with the corner in place of the centre). Two boxes of one level that
 * overlap lie in the same cell or in adjacent cells.
 *
 * The grid of a level is wrapped into an array of 2^k cells, row after row with `stride` cells
 * between the starts of two rows, so that distant boxes cost no memory. Cells that share an index
 * cost time only: every box is compared.
 *
 * The sorted entries of a cell lie side by side. Each entry has a float box, the item's box rounded
 * outward to single precision; only where float boxes overlap, the boxes themselves are
 * compared. */
#ifndef SAT_QUADTREE_GRID_H
#define SAT_QUADTREE_GRID_H

#include "base/float_box.h"
#include "base/tolerance.h"
#include "base/vec2.h"
#include "quadtree/tree.h"

#include <string.h>

/* The null index of items and entries. */
#define SAT_NULL_INDEX 0xffffffffu

/* ---------------------------------------------------------------- exact boxes */

SAT_INLINE double sat_right(const sat_Rectangle *box) { return box->x + box->w; }
SAT_INLINE double sat_bottom(const sat_Rectangle *box) { return box->y + box->h; }

SAT_INLINE bool sat_rectangles_overlap(const sat_Rectangle *a, const sat_Rectangle *b) {
  return a->x <= sat_right(b) && b->x <= sat_right(a) && a->y <= sat_bottom(b) &&
         b->y <= sat_bottom(a);
}

SAT_INLINE float4 sat_rectangle_float_box(const sat_Rectangle *box) {
  return sat_float_box(box->x, box->y, sat_right(box), sat_bottom(box));
}

/* ---------------------------------------------------------------- levels and cells */

/* The size class of a box is the leading bits of its size, the greater of width and height: there
 * are four classes for every power of two. */
SAT_INLINE uint32_t sat_size_class_of(double size) {
  uint64_t bits;
  memcpy(&bits, &size, sizeof bits);
  return (uint32_t)(bits >> 50);
}

/* The least size in a size class. */
SAT_INLINE double sat_size_class_min(uint32_t size_class) {
  uint64_t bits = (uint64_t)size_class << 50;
  double size;
  memcpy(&size, &bits, sizeof size);
  return size;
}

SAT_INLINE double sat_size_of(const sat_Rectangle *box) {
  return max2(sat_right(box) - box->x, sat_bottom(box) - box->y);
}

SAT_INLINE uint32_t sat_level_of(const sat_Quadtree *tree, const sat_Rectangle *box) {
  uint32_t size_class = sat_size_class_of(sat_size_of(box));
  if (size_class < tree->first_size_class) return tree->level_of_size_class[0];
  size_class -= tree->first_size_class;
  uint32_t last = SAT_SIZE_CLASSES - 1;
  return tree->level_of_size_class[size_class < last ? size_class : last];
}

/* The cells of all levels have one origin, the corner of the tree's area or, where the items are
 * far from there, a point near the items (see quadtree/levels.c). Each width is a power of two
 * times the finest, so that each cell lies in one cell of every coarser level.
 *
 * Columns and rows are counted from a cell so far below the origin that no index is negative. Boxes
 * that are still farther away are clamped to the first or the last cell. */
#define SAT_MIDDLE_CELL 0x1p30
#define SAT_LAST_CELL (0x1p31 - 2)

/* A coordinate along one axis, in cells; its integer part is the column or row. The result never
 * falls as `x` rises. */
SAT_INLINE double sat_in_cells(double x, double origin, double inverse) {
  return clamp((x - origin) * inverse + SAT_MIDDLE_CELL, 0, SAT_LAST_CELL);
}

SAT_INLINE int32_t sat_column(const sat_Quadtree *tree, const sat_Level *level, double x) {
  return (int32_t)sat_in_cells(x, tree->origin.x, level->inverse);
}

SAT_INLINE int32_t sat_row(const sat_Quadtree *tree, const sat_Level *level, double y) {
  return (int32_t)sat_in_cells(y, tree->origin.y, level->inverse);
}

/* The wrapped index of a cell on its level. */
SAT_INLINE uint32_t sat_wrapped_index(const sat_Level *level, int32_t column, int32_t row) {
  return ((uint32_t)column + (uint32_t)row * level->stride) & level->mask;
}

/* The cells of a level that may hold boxes which overlap a given box; both ends are included. */
typedef struct sat_CellRange {
  int32_t left, right, top, bottom;
} sat_CellRange;

#ifdef __SSE2__
/* Returns the column in the lowest 32 bits and the row in the next. */
SAT_INLINE __m128i sat_column_and_row(const sat_Quadtree *tree, const sat_Level *level, double x,
                                      double y) {
  __m128d off = _mm_sub_pd(_mm_set_pd(y, x), _mm_loadu_pd(&tree->origin.x));
  __m128d in_cells =
      _mm_add_pd(_mm_mul_pd(off, _mm_set1_pd(level->inverse)), _mm_set1_pd(SAT_MIDDLE_CELL));
  in_cells = _mm_min_pd(_mm_max_pd(in_cells, _mm_setzero_pd()), _mm_set1_pd(SAT_LAST_CELL));
  return _mm_cvttpd_epi32(in_cells);
}

SAT_INLINE uint32_t sat_cell_of(const sat_Quadtree *tree, const sat_Level *level,
                                const sat_Rectangle *box) {
  __m128i at = sat_column_and_row(tree, level, box->x, box->y);
  return level->first + sat_wrapped_index(level, _mm_cvtsi128_si32(at),
                                          _mm_cvtsi128_si32(_mm_shuffle_epi32(at, 1)));
}

SAT_INLINE sat_CellRange sat_range_of(const sat_Quadtree *tree, const sat_Level *level, double x,
                                      double y, double right, double bottom) {
  __m128i first = sat_column_and_row(tree, level, x, y);
  __m128i last = sat_column_and_row(tree, level, right, bottom);
  sat_CellRange range = {_mm_cvtsi128_si32(first) - 1, _mm_cvtsi128_si32(last),
                         _mm_cvtsi128_si32(_mm_shuffle_epi32(first, 1)) - 1,
                         _mm_cvtsi128_si32(_mm_shuffle_epi32(last, 1))};
  return range;
}
#else
SAT_INLINE uint32_t sat_cell_of(const sat_Quadtree *tree, const sat_Level *level,
                                const sat_Rectangle *box) {
  return level->first +
         sat_wrapped_index(level, sat_column(tree, level, box->x), sat_row(tree, level, box->y));
}

SAT_INLINE sat_CellRange sat_range_of(const sat_Quadtree *tree, const sat_Level *level, double x,
                                      double y, double right, double bottom) {
  sat_CellRange range = {sat_column(tree, level, x) - 1, sat_column(tree, level, right),
                         sat_row(tree, level, y) - 1, sat_row(tree, level, bottom)};
  return range;
}
#endif

/* Whether two cells of a range may share an index. False: its rows lie one behind the other. */
SAT_INLINE bool sat_range_may_wrap(const sat_Level *level, sat_CellRange range) {
  uint64_t columns = (uint64_t)((int64_t)range.right - range.left + 1);
  uint64_t rows = (uint64_t)((int64_t)range.bottom - range.top);
  return columns > level->stride || rows * level->stride + columns > (uint64_t)level->mask + 1;
}

SAT_INLINE const float *sat_level_bounds(const sat_Quadtree *tree, const sat_Level *level) {
  return tree->level_bounds[level - tree->levels];
}

/* The range of a box within the bounds of a level. False: the box meets no item there. */
SAT_INLINE bool sat_range_within_bounds(const sat_Quadtree *tree, const sat_Level *level,
                                        const sat_Rectangle *box, sat_CellRange *range) {
  const float *bounds = sat_level_bounds(tree, level);
  double left = max2(box->x, -(double)bounds[2]), top = max2(box->y, -(double)bounds[3]);
  double right = min2(sat_right(box), (double)bounds[0]);
  double bottom = min2(sat_bottom(box), (double)bounds[1]);
  if (left > right || top > bottom) return false;
  *range = sat_range_of(tree, level, left, top, right, bottom);
  return true;
}

/* The least number of cells of a level. */
enum { SAT_FEWEST_CELLS = 16 };

/* Whether a search for a box or along a segment takes the whole level: one run of its few entries
 * takes less time than a run for each row of cells. */
SAT_INLINE bool sat_is_small(const sat_Level *level) { return level->mask < SAT_FEWEST_CELLS; }

#endif
