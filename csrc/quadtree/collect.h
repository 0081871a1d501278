/* collect.h: collects the entries in rows of cells whose float boxes are at most given limits.
 *
 * Four entries are compared at once, and no branch depends on the entries' boxes. Up to four rows
 * are walked together, so that few branches depend on the numbers of rows and of entries: for a
 * small box mispredicted branches would take longer than the comparisons. */
#ifndef SAT_QUADTREE_COLLECT_H
#define SAT_QUADTREE_COLLECT_H

#include "base/uint4.h"
#include "quadtree/quadtree.h"

/* The largest numbers of rows of cells that are walked together: in general, and where only this
 * many rows are left. */
enum { SAT_ROWS = 4, SAT_FEW_ROWS = 2 };

/* The runs of entries of some rows of cells, none of which wraps. Empty runs fill the arrays. */
typedef struct sat_Runs {
  uint32_t start[SAT_ROWS], count[SAT_ROWS];
  uint32_t total, most; /* entries of all runs; the bitwise or of the counts */
} sat_Runs;

/* Finds the runs of `rows` rows of `columns` cells each, the first of which begins at `cell`, and
 * adds empty runs up to `together`, a constant. False: a row wraps or is as long as the level. */
SAT_INLINE bool sat_find_runs(const sat_Quadtree *tree, const sat_Level *level, uint32_t cell,
                              uint32_t columns, uint32_t rows, uint32_t together, sat_Runs *runs) {
  const uint32_t *starts = tree->starts + level->first;
  uint32_t last = level->mask + 1 - columns;
  bool wraps = false;
  if (columns > level->mask) return false;
  runs->total = runs->most = 0;
#ifdef __GNUC__
#pragma GCC unroll 4
#endif
  for (uint32_t row = 0; row < together; row++) {
    uint32_t at = (cell + row * level->stride) & level->mask;
    wraps |= (row < rows) & (at > last);
    at = at > last ? last : at;
    runs->start[row] = starts[at];
    runs->count[row] = row < rows ? starts[at + columns] - starts[at] : 0;
    runs->total += runs->count[row];
    runs->most |= runs->count[row];
  }
  return !wraps;
}

/* Collects those of up to four entries from `start` on whose float boxes are at most the limits,
 * and returns the end of the list. Always writes four elements. Entries after the last one are
 * readable, and are compared and discarded. */
SAT_INLINE uint32_t *sat_collect_four(const sat_Quadtree *tree, float4 limits, uint32_t start,
                                      uint32_t count, uint32_t *at) {
  static const uint32_t places[16][4] = {
      {0}, {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
      {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};
  static const uint32_t order[4] = {0, 1, 2, 3};
  static const uint8_t bits[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
  const sat_Entry *entries = tree->entries + start;
  uint32_t below = float4_four_below(
      float4_load(entries[0].float_box), float4_load(entries[1].float_box),
      float4_load(entries[2].float_box), float4_load(entries[3].float_box), limits);
  below &= uint4_which_less(uint4_load(order), uint4_all(count));
  uint4_store(at, uint4_add(uint4_load(places[below]), uint4_all(start)));
  return at + bits[below];
}

/* Collects from the run of entries from `start` to before `end`. */
SAT_INLINE uint32_t *sat_collect_run(const sat_Quadtree *tree, float4 limits, uint32_t start,
                                     uint32_t end, uint32_t *at) {
  for (; start < end; start += 4) at = sat_collect_four(tree, limits, start, end - start, at);
  return at;
}

/* Collects from the first `together` runs. Most runs have no more than eight entries. */
SAT_INLINE uint32_t *sat_collect_runs(const sat_Quadtree *tree, float4 limits, const sat_Runs *runs,
                                      uint32_t together, uint32_t *at) {
#ifdef __GNUC__
#pragma GCC unroll 4
#endif
  for (uint32_t row = 0; row < together; row++)
    at = sat_collect_four(tree, limits, runs->start[row], runs->count[row], at);
  if (runs->most < 4) return at;
#ifdef __GNUC__
#pragma GCC unroll 4
#endif
  for (uint32_t row = 0; row < together; row++) {
    uint32_t count = runs->count[row] > 4 ? runs->count[row] - 4 : 0;
    at = sat_collect_four(tree, limits, runs->start[row] + 4, count, at);
  }
  if (runs->most < 8) return at;
  for (uint32_t row = 0; row < together; row++) {
    uint32_t start = runs->start[row];
    at = sat_collect_run(tree, limits, start + 8, start + runs->count[row], at);
  }
  return at;
}

#endif
