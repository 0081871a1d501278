/* grid.h: where a box belongs.
 *
 * There is a grid for every size of cells, from fine to coarse: the levels. A box lies in the cell,
 * of a level whose cells are wider and higher than the box, that holds its corner of least x and y,
 * so that it reaches into the three next cells at most (Ulrich, Loose octrees, Game Programming
 * Gems, 2000, with the corner in place of the centre). Two boxes of one level that overlap are in
 * the same cell or in adjacent ones.
 *
 * The plane is wound up on a ring of 2^k cells, row after row with `stride` cells between the
 * starts of two rows, so that however far away something is, it costs no memory. Cells that fall
 * onto each other cost time, no more: every box is compared.
 *
 * Levels, cells and slots are numbers; the boxes of a cell lie side by side, rounded outward to
 * single precision, and only where these overlap are the doubles looked at. */
#ifndef SAT_QUADTREE_GRID_H
#define SAT_QUADTREE_GRID_H

#include "base/vec2.h"
#include "quadtree/tree.h"

#include <string.h>

/* No item, no slot. */
#define SAT_NULL_INDEX 0xffffffffu

/* ---------------------------------------------------------------- exact boxes */

SAT_INLINE double sat_right(const sat_Rectangle *box) { return box->x + box->w; }
SAT_INLINE double sat_bottom(const sat_Rectangle *box) { return box->y + box->h; }

SAT_INLINE bool sat_rectangles_overlap(const sat_Rectangle *a, const sat_Rectangle *b) {
  return a->x <= sat_right(b) && b->x <= sat_right(a) && a->y <= sat_bottom(b) &&
         b->y <= sat_bottom(a);
}

/* ---------------------------------------------------------------- outer boxes */

/* A box in single precision, no side within the true one: least x and y, and the greatest ones
 * with their signs turned, so that all four are rounded the same way. Its reach is what the outer
 * box of another has to be below, in all four, to overlap: its own, negated and with the halves
 * swapped. */

/* By which part of a number it is lowered for its single precision to be below it for sure. */
#define SAT_OUTWARD 0x1p-23f
/* And by which part a reach, for what is below even that to overlap for sure: the reach and what is
 * below it were each moved by less than 2^-21 of their size, and what is more than twice as large
 * as the reach and yet below it is far below it. */
#define SAT_INWARD 0x1p-18f
/* The same for what is next to 0. */
#define SAT_NEXT_TO_0 0x1p-96f

#ifdef __SSE2__
#include <emmintrin.h>

typedef __m128 float4;

SAT_INLINE float4 float4_load(const float *values) { return _mm_loadu_ps(values); }
SAT_INLINE void float4_store(float *values, float4 value) { _mm_storeu_ps(values, value); }
SAT_INLINE float4 float4_all(float value) { return _mm_set1_ps(value); }
SAT_INLINE bool float4_below(float4 a, float4 b) {
  return _mm_movemask_ps(_mm_cmple_ps(a, b)) == 15;
}
SAT_INLINE float4 float4_lower(float4 a, float piece) {
  __m128 size = _mm_andnot_ps(_mm_set1_ps(-0.0f), a);
  return _mm_sub_ps(
      a, _mm_add_ps(_mm_mul_ps(size, _mm_set1_ps(piece)), _mm_set1_ps(piece * SAT_NEXT_TO_0)));
}
SAT_INLINE float4 float4_turned(float4 a) {
  return _mm_xor_ps(_mm_shuffle_ps(a, a, _MM_SHUFFLE(1, 0, 3, 2)), _mm_set1_ps(-0.0f));
}
SAT_INLINE float4 float4_round(double x, double y, double right, double bottom) {
  __m128 min = _mm_cvtpd_ps(_mm_set_pd(y, x));
  __m128 max = _mm_cvtpd_ps(_mm_set_pd(-bottom, -right));
  return _mm_movelh_ps(min, max);
}
#else
typedef struct float4 {
  float at[4];
} float4;

SAT_INLINE float4 float4_load(const float *values) {
  float4 value = {{values[0], values[1], values[2], values[3]}};
  return value;
}
SAT_INLINE void float4_store(float *values, float4 value) {
  for (int i = 0; i < 4; i++) values[i] = value.at[i];
}
SAT_INLINE float4 float4_all(float value) {
  float4 values = {{value, value, value, value}};
  return values;
}
/* One branch for the four comparisons. */
SAT_INLINE bool float4_below(float4 a, float4 b) {
  return (a.at[0] <= b.at[0]) & (a.at[1] <= b.at[1]) & (a.at[2] <= b.at[2]) & (a.at[3] <= b.at[3]);
}
SAT_INLINE float4 float4_lower(float4 a, float piece) {
  for (int i = 0; i < 4; i++) a.at[i] = a.at[i] - (fabsf(a.at[i]) * piece + piece * SAT_NEXT_TO_0);
  return a;
}
SAT_INLINE float4 float4_turned(float4 a) {
  float4 turned = {{-a.at[2], -a.at[3], -a.at[0], -a.at[1]}};
  return turned;
}
SAT_INLINE float4 float4_round(double x, double y, double right, double bottom) {
  float4 values = {{(float)x, (float)y, (float)-right, (float)-bottom}};
  return values;
}
#endif

SAT_INLINE float4 sat_float_box(const sat_Rectangle *box) {
  float4 near = float4_round(box->x, box->y, sat_right(box), sat_bottom(box));
  return float4_lower(near, SAT_OUTWARD);
}

/* What is in no place: below no reach, and its reach is above nothing. */
SAT_INLINE float4 sat_empty_float_box(void) { return float4_all(HUGE_VALF); }

SAT_INLINE float4 sat_overlap_limits(float4 float_box) { return float4_turned(float_box); }

/* What an outer box has to be below for the boxes themselves to overlap for sure. */
SAT_INLINE float4 sat_certain_limits(float4 limits) { return float4_lower(limits, SAT_INWARD); }

/* ---------------------------------------------------------------- levels and cells */

/* Sizes are told apart by the leading bits of their doubles: four bins for every power of two. */
SAT_INLINE uint32_t sat_size_class_of(double size) {
  uint64_t bits;
  memcpy(&bits, &size, sizeof bits);
  return (uint32_t)(bits >> 50);
}

/* The least size in a bin. */
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
  return tree->level_of_size_class[size_class < SAT_SIZE_CLASSES ? size_class : SAT_SIZE_CLASSES - 1];
}

/* Columns and rows are counted from so far below the origin that none is negative; what is farther
 * away counts as lying there. */
#define SAT_MIDDLE_CELL 0x1p30
#define SAT_LAST_CELL (0x1p31 - 2)

/* Cells are so much wider than the boxes that may lie in them: more than rounding takes from a
 * number of cells, so that of two boxes that overlap none is two columns from the other. */
#define SAT_WIDER (1 + 0x1p-16)

/* Where a number is, in cells: never less for a greater one. */
SAT_INLINE double sat_in_cells(double x, double origin, double inverse) {
  return clamp((x - origin) * inverse + SAT_MIDDLE_CELL, 0, SAT_LAST_CELL);
}

SAT_INLINE int32_t sat_column(const sat_Quadtree *tree, const sat_Level *level, double x) {
  return (int32_t)sat_in_cells(x, tree->origin.x, level->inverse);
}

SAT_INLINE int32_t sat_row(const sat_Quadtree *tree, const sat_Level *level, double y) {
  return (int32_t)sat_in_cells(y, tree->origin.y, level->inverse);
}

/* A cell's number on the ring of its level. */
SAT_INLINE uint32_t sat_wrapped_index(const sat_Level *level, int32_t column, int32_t row) {
  return ((uint32_t)column + (uint32_t)row * level->stride) & level->mask;
}

/* The cells of a level that may hold what overlaps a box. */
typedef struct sat_CellRange {
  int32_t left, right, top, bottom;
} sat_CellRange;

#ifdef __SSE2__
/* The column in the lowest half of the lower half, the row in the other half of that. */
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

/* Whether the range, wound up, meets itself: then the whole level is to be looked at instead. */
SAT_INLINE bool sat_range_meets_itself(const sat_Level *level, sat_CellRange range) {
  uint64_t columns = (uint64_t)((int64_t)range.right - range.left + 1);
  uint64_t rows = (uint64_t)((int64_t)range.bottom - range.top);
  return columns > level->stride || rows * level->stride + columns > (uint64_t)level->mask + 1;
}

#endif
