/* quadtree_query.c: what lies in a box: cell by cell, or the whole level where that is less. */
#include "quadtree.h"

/* ---------------------------------------------------------------- searching */

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
  return !tree->overflow || take_chains(search, cell, end);
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

bool sat_search_box(sat_Search *search, double x, double y, double right, double bottom) {
  sat_Four outer = sat_four_lower(sat_four_round(x, y, right, bottom), SAT_OUTWARD);
  search->reach = sat_reach(outer);
  search->count = 0;
  for (uint64_t levels = search->tree->used_levels; levels;) {
    const sat_Level *level = &search->tree->levels[sat_next_level(&levels)];
    if (!sat_search_level(search, level, sat_range_of(search->tree, level, x, y, right, bottom)))
      return false;
  }
  return true;
}

/* ---------------------------------------------------------------- ascending order */

enum { FEW = 48 };

static void insertion_sort(sat_Item *items, size_t count) {
  for (size_t i = 1; i < count; i++) {
    sat_Item item = items[i];
    size_t at = i;
    for (; at > 0 && items[at - 1] > item; at--) items[at] = items[at - 1];
    items[at] = item;
  }
}

/* By one byte, from one half of the list to the other. */
static void sort_by_byte(const sat_Item *from, sat_Item *to, size_t count, int shift) {
  size_t ends[256] = {0}, sum = 0;
  for (size_t i = 0; i < count; i++) ends[from[i] >> shift & 255]++;
  for (int byte = 0; byte < 256; byte++) {
    size_t start = sum;
    sum += ends[byte];
    ends[byte] = start;
  }
  for (size_t i = 0; i < count; i++) to[ends[from[i] >> shift & 255]++] = from[i];
}

/* Few are sorted in place, many by their bytes, with as much room behind them. */
static sat_Status sort_items(sat_Items *items, sat_Item end) {
  if (items->count <= FEW) {
    insertion_sort(items->at, items->count);
    return SAT_OK;
  }
  sat_Status status = sat_items_reserve(items, items->count);
  if (status) return status;
  sat_Item *from = items->at, *to = items->at + items->count;
  for (int shift = 0; shift < 32 && end >> shift; shift += 8) {
    sort_by_byte(from, to, items->count, shift);
    sat_Item *other = from;
    from = to;
    to = other;
  }
  if (from != items->at) memcpy(items->at, from, items->count * sizeof *from);
  return SAT_OK;
}

/* ---------------------------------------------------------------- the question */

typedef struct Query {
  sat_Search search;
  sat_Rectangle box;
  sat_Items *found;
  sat_Status status;
} Query;

static bool take_query(sat_Search *search) {
  Query *query = (Query *)search;
  const sat_Quadtree *tree = search->tree;
  query->status = sat_items_reserve(query->found, search->count);
  if (query->status) return false;
  sat_Item *at = query->found->at + query->found->count;
  for (uint32_t i = 0; i < search->count; i++) {
    *at = tree->slots[search->slots[i]].id & ~SAT_STATIC_BIT;
    at += sat_rectangles_overlap(&query->box, &tree->boxes[*at]);
  }
  query->found->count = (size_t)(at - query->found->at);
  return true;
}

sat_Status sat_quadtree_query(sat_Quadtree *tree, sat_Rectangle box, sat_Items *found) {
  found->count = 0;
  sat_Status status = sat_rectangle_check(&box);
  if (!status) status = sat_tree_settle(tree);
  if (status) return status;
  Query query;
  query.search.tree = tree;
  query.search.take = take_query;
  query.box = box;
  query.found = found;
  query.status = SAT_OK;
  sat_search_box(&query.search, box.x, box.y, sat_right(&box), sat_bottom(&box));
  if (!query.status) query.status = sort_items(found, tree->item_end);
  if (query.status) found->count = 0;
  return query.status;
}
