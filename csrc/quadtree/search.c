/* search.c: searches the entries of a range of cells, of a level or of all levels, a buffer at a
 * time. */
#include "quadtree/quadtree.h"

static bool visit_run(sat_EntrySearch *search, uint32_t start, uint32_t end) {
  while (start < end) {
    uint32_t stop = end - start > SAT_SEARCH_ROOM ? start + SAT_SEARCH_ROOM : end;
    uint32_t count = search->count;
    search->compared += stop - start;
    for (; start < stop; start++) {
      search->entries[count] = start;
      count += float4_below(float4_load(search->tree->entries[start].float_box), search->limits);
    }
    search->count = count;
    if (count >= SAT_SEARCH_ROOM) {
      if (!search->visit_entries(search)) return false;
      search->count = 0;
    }
  }
  return true;
}

static bool visit_chains(sat_EntrySearch *search, uint32_t cell, uint32_t end) {
  const sat_Quadtree *tree = search->tree;
  for (; cell < end; cell++)
    for (uint32_t entry = tree->heads[cell]; entry != SAT_NULL_INDEX;
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

bool sat_search_level(sat_EntrySearch *search, const sat_Level *level, sat_CellRange range) {
  if (sat_range_meets_itself(level, range)) return sat_search_whole_level(search, level);
  uint32_t all = level->mask + 1;
  uint32_t columns = (uint32_t)(range.right - range.left) + 1;
  for (int32_t row = range.top; row <= range.bottom; row++) {
    uint32_t cell = sat_wrapped_index(level, range.left, row), end = cell + columns;
    if (!visit_cells(search, level, cell, end < all ? end : all)) return false;
    if (end > all && !visit_cells(search, level, 0, end - all)) return false;
  }
  return visit_rest(search);
}

bool sat_search_box(sat_EntrySearch *search, const sat_Rectangle *box) {
  const sat_Quadtree *tree = search->tree;
  search->limits = sat_overlap_limits(sat_float_box(box));
  search->count = 0;
  for (uint64_t levels = tree->used_levels; levels;) {
    const sat_Level *level = &tree->levels[sat_next_level(&levels)];
    if (sat_is_small(level)) {
      if (!sat_search_whole_level(search, level)) return false;
      continue;
    }
    sat_CellRange range =
        sat_range_of(tree, level, box->x, box->y, sat_right(box), sat_bottom(box));
    if (!sat_search_level(search, level, range)) return false;
  }
  return true;
}
