/* search.c: the slots in some cells, or of the whole level where that is less, a handful at
 * a time. */
#include "quadtree/quadtree.h"

static bool take_run(sat_Search *search, uint32_t start, uint32_t end) {
  while (start < end) {
    uint32_t stop = end - start > SAT_SEARCH_ROOM ? start + SAT_SEARCH_ROOM : end;
    uint32_t count = search->count;
    for (; start < stop; start++) {
      search->slots[count] = start;
      count += sat_four_below(sat_four_load(search->tree->slots[start].outer), search->reach);
    }
    search->count = count;
    if (count >= SAT_SEARCH_ROOM) {
      if (!search->take(search)) return false;
      search->count = 0;
    }
  }
  return true;
}

static bool take_chains(sat_Search *search, uint32_t cell, uint32_t end) {
  const sat_Quadtree *tree = search->tree;
  for (; cell < end; cell++)
    for (uint32_t slot = tree->heads[cell]; slot != SAT_NONE;
         slot = tree->next[slot - tree->sorted_end])
      if (!take_run(search, slot, slot + 1)) return false;
  return true;
}

/* The cells of a level from `cell` to before `end`, which do not wind round. */
static bool take_cells(sat_Search *search, const sat_Level *level, uint32_t cell, uint32_t end) {
  const sat_Quadtree *tree = search->tree;
  cell += level->first;
  end += level->first;
  if (!take_run(search, tree->starts[cell], tree->starts[end])) return false;
  return !tree->overflow || !sat_any_chained(tree, cell, end) || take_chains(search, cell, end);
}

/* What has been found so far goes on. */
static bool take_rest(sat_Search *search) {
  if (search->count == 0) return true;
  bool more = search->take(search);
  search->count = 0;
  return more;
}

bool sat_search_whole_level(sat_Search *search, const sat_Level *level) {
  return take_cells(search, level, 0, level->mask + 1) && take_rest(search);
}

bool sat_search_level(sat_Search *search, const sat_Level *level, sat_Range range) {
  if (sat_range_meets_itself(level, range)) return sat_search_whole_level(search, level);
  uint32_t all = level->mask + 1;
  uint32_t columns = (uint32_t)(range.right - range.left) + 1;
  for (int32_t row = range.top; row <= range.bottom; row++) {
    uint32_t cell = sat_ring_index(level, range.left, row), end = cell + columns;
    if (!take_cells(search, level, cell, end < all ? end : all)) return false;
    if (end > all && !take_cells(search, level, 0, end - all)) return false;
  }
  return take_rest(search);
}

bool sat_search_box(sat_Search *search, const sat_Rectangle *box) {
  const sat_Quadtree *tree = search->tree;
  search->reach = sat_reach(sat_outer(box));
  search->count = 0;
  for (uint64_t levels = tree->used_levels; levels;) {
    const sat_Level *level = &tree->levels[sat_next_level(&levels)];
    sat_Range range = sat_range_of(tree, level, box->x, box->y, sat_right(box), sat_bottom(box));
    if (!sat_search_level(search, level, range)) return false;
  }
  return true;
}
