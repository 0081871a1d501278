/* cells.h: where a box belongs.
 *
 * There is a grid for every size of cells, each twice as wide as the one before: the levels. A box
 * lies in the cell, of a level whose cells are wider and higher than the box, that holds its corner
 * of least x and y, so that it reaches into the three next cells at most (Ulrich, Loose octrees,
 * Game Programming Gems, 2000, with the corner in place of the centre). Two boxes of one level that
 * overlap are in the same cell or in adjacent ones.
 *
 * The plane is wound up on a ring of 2^k cells, row after row with `stride` cells between the
 * starts of two rows, so that however far away something is, it costs no memory. Cells that fall
 * onto each other cost time, no more: every box is compared.
 *
 * Levels, cells and slots are numbers; the boxes of a cell lie side by side, rounded outward to
 * single precision, and only where these overlap are the doubles looked at. */
#ifndef SAT_CELLS_H
#define SAT_CELLS_H

#include "geometry.h"

#include <string.h>

#ifdef __GNUC__
#define SAT_INLINE static inline __attribute__((always_inline))
#else
#define SAT_INLINE static inline
#endif

/* No item, no slot. */
#define SAT_NONE 0xffffffffu

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

/* How far the rounding to single precision may be off, as a part of the number, and for those next
 * to 0; and how far apart two that overlap have to be for the doubles to overlap for sure: each of
 * the two was moved by three units in the last place at most. */
#define SAT_OUTWARD 0x1p-23f
#define SAT_SURELY 0x1p-20f
#define SAT_LEAST 0x1p-120f

#ifdef __SSE2__
#include <emmintrin.h>

typedef __m128 sat_Four;

SAT_INLINE sat_Four sat_four_load(const float *four) { return _mm_loadu_ps(four); }
SAT_INLINE void sat_four_store(float *four, sat_Four value) { _mm_storeu_ps(four, value); }
SAT_INLINE sat_Four sat_four_all(float value) { return _mm_set1_ps(value); }
SAT_INLINE bool sat_four_below(sat_Four a, sat_Four b) {
  return _mm_movemask_ps(_mm_cmple_ps(a, b)) == 15;
}
SAT_INLINE sat_Four sat_four_lower(sat_Four a, float part) {
  __m128 size = _mm_andnot_ps(_mm_set1_ps(-0.0f), a);
  return _mm_sub_ps(
      a, _mm_add_ps(_mm_mul_ps(size, _mm_set1_ps(part)), _mm_set1_ps(part * SAT_LEAST * 0x1p23f)));
}
SAT_INLINE sat_Four sat_four_turned(sat_Four a) {
  return _mm_xor_ps(_mm_shuffle_ps(a, a, _MM_SHUFFLE(1, 0, 3, 2)), _mm_set1_ps(-0.0f));
}
SAT_INLINE sat_Four sat_four_round(double x, double y, double right, double bottom) {
  __m128 min = _mm_cvtpd_ps(_mm_set_pd(y, x));
  __m128 max = _mm_cvtpd_ps(_mm_set_pd(-bottom, -right));
  return _mm_movelh_ps(min, max);
}
#else
typedef struct sat_Four {
  float at[4];
} sat_Four;

SAT_INLINE sat_Four sat_four_load(const float *four) {
  sat_Four value = {{four[0], four[1], four[2], four[3]}};
  return value;
}
SAT_INLINE void sat_four_store(float *four, sat_Four value) {
  for (int i = 0; i < 4; i++) four[i] = value.at[i];
}
SAT_INLINE sat_Four sat_four_all(float value) {
  sat_Four four = {{value, value, value, value}};
  return four;
}
/* One branch for the four comparisons. */
SAT_INLINE bool sat_four_below(sat_Four a, sat_Four b) {
  return (a.at[0] <= b.at[0]) & (a.at[1] <= b.at[1]) & (a.at[2] <= b.at[2]) & (a.at[3] <= b.at[3]);
}
SAT_INLINE sat_Four sat_four_lower(sat_Four a, float part) {
  for (int i = 0; i < 4; i++)
    a.at[i] = a.at[i] - (fabsf(a.at[i]) * part + part * SAT_LEAST * 0x1p23f);
  return a;
}
SAT_INLINE sat_Four sat_four_turned(sat_Four a) {
  sat_Four turned = {{-a.at[2], -a.at[3], -a.at[0], -a.at[1]}};
  return turned;
}
SAT_INLINE sat_Four sat_four_round(double x, double y, double right, double bottom) {
  sat_Four four = {{(float)x, (float)y, (float)-right, (float)-bottom}};
  return four;
}
#endif

SAT_INLINE sat_Four sat_outer(const sat_Rectangle *box) {
  sat_Four near = sat_four_round(box->x, box->y, sat_right(box), sat_bottom(box));
  return sat_four_lower(near, SAT_OUTWARD);
}

/* What is in no place: below no reach, and its reach is above nothing. */
SAT_INLINE sat_Four sat_outer_of_none(void) { return sat_four_all(HUGE_VALF); }

SAT_INLINE sat_Four sat_reach(sat_Four outer) { return sat_four_turned(outer); }

/* Of two outer boxes that overlap: whether the boxes do so for sure. `inner` is the one's reach
 * lowered by SAT_SURELY. */
SAT_INLINE bool sat_surely_below(sat_Four outer, sat_Four inner) {
  /* raising is lowering what is turned round */
  sat_Four raised = sat_four_turned(sat_four_lower(sat_four_turned(outer), SAT_SURELY));
  return sat_four_below(raised, inner);
}

/* ---------------------------------------------------------------- levels and cells */

/* Which power of two is wider and higher than the box; very small for a box of no size. */
SAT_INLINE int sat_size_exponent(const sat_Rectangle *box) {
  double size = max2(sat_right(box) - box->x, sat_bottom(box) - box->y);
  uint64_t bits;
  memcpy(&bits, &size, sizeof bits);
  return (int)(bits >> 52) - 1022;
}

SAT_INLINE uint32_t sat_level_of(int finest, const sat_Rectangle *box) {
  int above = sat_size_exponent(box) - finest;
  if (above < 0) return 0;
  return above < SAT_LEVELS ? (uint32_t)above : SAT_LEVELS - 1;
}

/* Beyond this many cells from 0 all are one. It is past what doubles tell apart in steps of a
 * cell. */
#define SAT_FARTHEST_CELL 0x1p53

/* The column or row in which a number lies: never less for a greater one, and one more for a number
 * that is one cell farther, since a power of two rounds nothing. */
SAT_INLINE int64_t sat_cell_index(double x, double inverse) {
  double cell = clamp(x * inverse, -SAT_FARTHEST_CELL, SAT_FARTHEST_CELL);
  int64_t index = (int64_t)cell;
  return index - (cell < (double)index);
}

/* A cell's number on the ring of its level. */
SAT_INLINE uint32_t sat_ring_index(const sat_Level *level, int64_t column, int64_t row) {
  return ((uint32_t)column + (uint32_t)row * level->stride) & level->mask;
}

SAT_INLINE uint32_t sat_cell_of(const sat_Level *level, const sat_Rectangle *box) {
  return level->first + sat_ring_index(level, sat_cell_index(box->x, level->inverse),
                                       sat_cell_index(box->y, level->inverse));
}

/* The cells of a level that may hold what overlaps a box. */
typedef struct sat_Range {
  int64_t left, right, top, bottom;
} sat_Range;

SAT_INLINE sat_Range sat_range_of(const sat_Level *level, double x, double y, double right,
                                  double bottom) {
  sat_Range range = {sat_cell_index(x, level->inverse) - 1, sat_cell_index(right, level->inverse),
                     sat_cell_index(y, level->inverse) - 1, sat_cell_index(bottom, level->inverse)};
  return range;
}

/* Whether the range, wound up, meets itself: then the whole level is to be looked at instead. */
SAT_INLINE bool sat_range_meets_itself(const sat_Level *level, sat_Range range) {
  int64_t columns = range.right - range.left + 1, rows = range.bottom - range.top;
  return columns > (int64_t)level->stride || rows > (int64_t)level->mask ||
         rows * (int64_t)level->stride + columns > (int64_t)level->mask + 1;
}

#endif
