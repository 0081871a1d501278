/* search.c: searches the entries of a range of cells, of a level or of all levels, a buffer at a
 * time. */
#include "quadtree/collect.h"

static bool visit_full(sat_EntrySearch *search) {
  if (search->count < SAT_SEARCH_ROOM) return true;
  bool more = search->visit_entries(search);
  search->count = 0;
  return more;
}

static bool visit_run(sat_EntrySearch *search, uint32_t start, uint32_t end) {
  search->compared += end - start;
  while (start < end) {
    uint32_t stop = end - start > SAT_SEARCH_ROOM ? start + SAT_SEARCH_ROOM : end;
    uint32_t *at =
        sat_collect_run(search->tree, search->limits, start, stop, search->entries + search->count);
    search->count = (uint32_t)(at - search->entries);
    if (!visit_full(search)) return false;
    start = stop;
  }
  return true;
}

static bool visit_chains(sat_EntrySearch *search, uint32_t cell, uint32_t end) {
  const sat_Quadtree *tree = search->tree;
  if (!sat_any_chained(tree, cell, end)) return true;
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
  return !tree->overflow || visit_chains(search, cell, end);
}

/* Visits the entries that are left in the buffer. */
static bool visit_rest(sat_EntrySearch *search) {
  if (search->count == 0) return true;
  bool more = search->visit_entries(search);
  search->count = 0;
  return more;
}

bool sat_search_whole_level(sat_EntrySearch *search, const sat_Level *level) {
  return visit_cells(search, level, 0, level->mask + 1) && visit_rest(search);
}

/* Searches a row of cells, which may wrap. */
static bool visit_row(sat_EntrySearch *search, const sat_Level *level, uint32_t cell,
                      uint32_t columns) {
  uint32_t all = level->mask + 1, end = (cell &= level->mask) + columns;
  if (!visit_cells(search, level, cell, end < all ? end : all)) return false;
  return end <= all || visit_cells(search, level, 0, end - all);
}

/* Searches up to SAT_ROWS rows of cells, together where their entries fit into the buffer. */
static bool visit_rows(sat_EntrySearch *search, const sat_Level *level, uint32_t cell,
                       uint32_t columns, uint32_t rows) {
  const sat_Quadtree *tree = search->tree;
  sat_Runs runs;
  if (sat_find_runs(tree, level, cell, columns, rows, SAT_ROWS, &runs) &&
      runs.total <= SAT_SEARCH_ROOM) {
    uint32_t *at =
        sat_collect_runs(tree, search->limits, &runs, SAT_ROWS, search->entries + search->count);
    search->count = (uint32_t)(at - search->entries);
    search->compared += runs.total;
    if (!visit_full(search)) return false;
    for (uint32_t row = 0; row < rows && tree->overflow; row++) {
      uint32_t first = level->first + ((cell + row * level->stride) & level->mask);
      if (!visit_chains(search, first, first + columns)) return false;
    }
    return true;
  }
  for (uint32_t row = 0; row < rows; row++)
    if (!visit_row(search, level, cell + row * level->stride, columns)) return false;
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
  for (; rows > SAT_ROWS; rows -= SAT_ROWS) {
    if (!visit_rows(search, level, cell, columns, SAT_ROWS)) return false;
    cell += SAT_ROWS * level->stride;
  }
  return visit_rows(search, level, cell, columns, rows) && visit_rest(search);
}

bool sat_search_level(sat_EntrySearch *search, const sat_Level *level, sat_CellRange range) {
  if (sat_range_may_wrap(level, range) && sat_range_meets_itself(level, range))
    return sat_search_whole_level(search, level);
  return visit_range(search, level, range);
}

bool sat_search_within_bounds(sat_EntrySearch *search, const sat_Level *level,
                              const sat_Rectangle *box) {
  sat_CellRange range;
  if (!sat_range_within_bounds(search->tree, level, box, &range)) return true;
  if (sat_is_small(level)) return sat_search_whole_level(search, level);
  return sat_search_level(search, level, range);
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
    if (is_plain ? !visit_range(search, level, range)
                 : !sat_search_within_bounds(search, level, box))
      return false;
  }
  return true;
}
