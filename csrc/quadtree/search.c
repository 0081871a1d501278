/* search.c: searches the entries of a range of cells, of a level or of all levels, a buffer at a
 * time.
 *
 * Four entries are compared at once, and no branch depends on the entries' boxes. Up to four rows
 * of cells are walked together, so that few branches depend on the numbers of rows and of entries:
 * for a small box mispredicted branches would take longer than the comparisons. */
#include "quadtree/store.h"

/* The largest number of rows of cells that are walked together. */
enum { ROWS = 4 };

/* The runs of entries of some rows of cells, none of which wraps. Empty runs fill the arrays. */
typedef struct Runs {
  uint32_t start[ROWS], count[ROWS];
  uint32_t total, most; /* entries of all runs; the bitwise or of the counts */
} Runs;

/* Finds the runs of `rows` rows of `columns` cells each, the first of which begins at `cell`, and
 * adds empty runs up to ROWS. False: a row wraps or is as long as the level. */
SAT_INLINE bool find_runs(const sat_Quadtree *tree, const sat_Level *level, uint32_t cell,
                          uint32_t columns, uint32_t rows, Runs *runs) {
  const uint32_t *starts = tree->starts + level->first;
  uint32_t last = level->mask + 1 - columns;
  bool wraps = false;
  if (columns > level->mask) return false;
  runs->total = runs->most = 0;
  SAT_UNROLL
  for (uint32_t row = 0; row < ROWS; row++) {
    uint32_t at = (cell + (row < rows ? row : 0) * level->stride) & level->mask;
    wraps |= at > last;
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
SAT_INLINE uint32_t *collect_four(const sat_Quadtree *tree, float4 limits, uint32_t start,
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
SAT_INLINE uint32_t *collect_run(const sat_Quadtree *tree, float4 limits, uint32_t start,
                                 uint32_t end, uint32_t *at) {
  for (; start < end; start += 4) at = collect_four(tree, limits, start, end - start, at);
  return at;
}

/* Collects from all runs. Most runs have no more than eight entries. */
SAT_INLINE uint32_t *collect_runs(const sat_Quadtree *tree, float4 limits, const Runs *runs,
                                  uint32_t *at) {
  SAT_UNROLL
  for (uint32_t row = 0; row < ROWS; row++)
    at = collect_four(tree, limits, runs->start[row], runs->count[row], at);
  if (runs->most < 4) return at;
  SAT_UNROLL
  for (uint32_t row = 0; row < ROWS; row++) {
    uint32_t count = runs->count[row] > 4 ? runs->count[row] - 4 : 0;
    at = collect_four(tree, limits, runs->start[row] + 4, count, at);
  }
  if (runs->most < 8) return at;
  for (uint32_t row = 0; row < ROWS; row++) {
    uint32_t start = runs->start[row];
    at = collect_run(tree, limits, start + 8, start + runs->count[row], at);
  }
  return at;
}

/* Visits the entries in the buffer, if there are that many. */
static bool visit_collected(sat_EntrySearch *search, uint32_t least) {
  if (search->count < least) return true;
  bool more = search->visit_entries(search);
  search->count = 0;
  return more;
}

static bool visit_run(sat_EntrySearch *search, uint32_t start, uint32_t end) {
  search->compared += end - start;
  while (start < end) {
    uint32_t stop = end - start > SAT_SEARCH_ROOM ? start + SAT_SEARCH_ROOM : end;
    uint32_t *at =
        collect_run(search->tree, search->limits, start, stop, search->entries + search->count);
    search->count = (uint32_t)(at - search->entries);
    if (!visit_collected(search, SAT_SEARCH_ROOM)) return false;
    start = stop;
  }
  return true;
}

static bool visit_chains(sat_EntrySearch *search, uint32_t cell, uint32_t end) {
  const sat_Quadtree *tree = search->tree;
  for (; cell < end; cell++)
    for (uint32_t entry = tree->heads[cell]; sat_is_overflow(tree, entry);
         entry = tree->next[entry - tree->sorted_end])
      if (!visit_run(search, entry, entry + 1)) return false;
  return true;
}

/* Searches the cells from `cell` to before `end`, which do not wrap. */
static bool visit_cells(sat_EntrySearch *search, const sat_Level *level, uint32_t cell,
                        uint32_t end) {
  const sat_Quadtree *tree = search->tree;
  cell += level->first;
  end += level->first;
  if (!visit_run(search, tree->starts[cell], tree->starts[end])) return false;
  return !tree->overflow || !sat_any_chained(tree, cell, end) || visit_chains(search, cell, end);
}

/* Searches up to ROWS rows of cells, together where their entries fit into the buffer. */
static bool visit_rows(sat_EntrySearch *search, const sat_Level *level, uint32_t cell,
                       uint32_t columns, uint32_t rows) {
  const sat_Quadtree *tree = search->tree;
  Runs runs;
  if (find_runs(tree, level, cell, columns, rows, &runs) && runs.total <= SAT_SEARCH_ROOM) {
    uint32_t *at = collect_runs(tree, search->limits, &runs, search->entries + search->count);
    search->count = (uint32_t)(at - search->entries);
    search->compared += runs.total;
    if (!visit_collected(search, SAT_SEARCH_ROOM)) return false;
    for (uint32_t row = 0; row < rows && tree->overflow; row++) {
      uint32_t first = level->first + ((cell + row * level->stride) & level->mask);
      if (sat_any_chained(tree, first, first + columns) &&
          !visit_chains(search, first, first + columns))
        return false;
    }
    return true;
  }
  for (uint32_t row = 0; row < rows; row++, cell += level->stride) {
    uint32_t all = level->mask + 1, end = (cell &= level->mask) + columns;
    if (!visit_cells(search, level, cell, end < all ? end : all)) return false;
    if (end > all && !visit_cells(search, level, 0, end - all)) return false;
  }
  return true;
}

/* Where rows wrap, each is compared with the first one: how far two rows lie from each other
 * depends on their distance alone. */
bool sat_range_meets_itself(const sat_Level *level, sat_CellRange range) {
  if (!sat_range_may_wrap(level, range)) return false;
  uint64_t columns = (uint64_t)((int64_t)range.right - range.left + 1);
  uint64_t rows = (uint64_t)((int64_t)range.bottom - range.top + 1);
  uint64_t cells = (uint64_t)level->mask + 1;
  if (columns > cells || columns * rows > cells) return true;
  for (uint32_t row = 1; row < rows; row++) {
    uint32_t offset = row * level->stride & level->mask;
    if (offset < columns || cells - offset < columns) return true;
  }
  return false;
}

/* Searches a range whose cells have indices of their own. */
SAT_INLINE bool visit_range(sat_EntrySearch *search, const sat_Level *level, sat_CellRange range) {
  uint32_t columns = (uint32_t)(range.right - range.left) + 1;
  uint32_t rows = (uint32_t)(range.bottom - range.top) + 1;
  uint32_t cell = sat_wrapped_index(level, range.left, range.top);
  for (; rows > ROWS; rows -= ROWS) {
    if (!visit_rows(search, level, cell, columns, ROWS)) return false;
    cell += ROWS * level->stride;
  }
  return visit_rows(search, level, cell, columns, rows);
}

/* Searches a range, or the whole level where cells of the range share an index. */
static bool visit_level(sat_EntrySearch *search, const sat_Level *level, sat_CellRange range) {
  if (sat_range_may_wrap(level, range) && sat_range_meets_itself(level, range))
    return visit_cells(search, level, 0, level->mask + 1);
  return visit_range(search, level, range);
}

/* A box beyond the bounds of a level meets no item there. */
static bool visit_within_bounds(sat_EntrySearch *search, const sat_Level *level,
                                const sat_Rectangle *box) {
  const float *bounds = sat_level_bounds(search->tree, level);
  double left = max2(box->x, -(double)bounds[2]), top = max2(box->y, -(double)bounds[3]);
  double right = min2(sat_right(box), (double)bounds[0]);
  double bottom = min2(sat_bottom(box), (double)bounds[1]);
  if (left > right || top > bottom) return true;
  if (sat_is_small(level)) return visit_cells(search, level, 0, level->mask + 1);
  return visit_level(search, level, sat_range_of(search->tree, level, left, top, right, bottom));
}

bool sat_search_level(sat_EntrySearch *search, const sat_Level *level, sat_CellRange range) {
  return visit_level(search, level, range) && visit_collected(search, 1);
}

bool sat_search_within_bounds(sat_EntrySearch *search, const sat_Level *level,
                              const sat_Rectangle *box) {
  return visit_within_bounds(search, level, box) && visit_collected(search, 1);
}

bool sat_search_box(sat_EntrySearch *search, const sat_Rectangle *box) {
  const sat_Quadtree *tree = search->tree;
  search->limits = sat_overlap_limits(sat_rectangle_float_box(box));
  search->count = 0;
  for (uint64_t levels = tree->used_levels; levels;) {
    const sat_Level *level = &tree->levels[sat_next_level(&levels)];
    sat_CellRange range =
        sat_range_of(tree, level, box->x, box->y, sat_right(box), sat_bottom(box));
    bool is_plain = !sat_is_small(level) && !sat_range_may_wrap(level, range);
    if (is_plain ? !visit_range(search, level, range) : !visit_within_bounds(search, level, box))
      return false;
  }
  return visit_collected(search, 1);
}
