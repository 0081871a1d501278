/* query.c: finds the items whose boxes overlap a box, in ascending order. */
#include "quadtree/collect.h"
#include "quadtree/order.h"

/* ---------------------------------------------------------------- collecting entries */

/* A query. The list first collects entries whose float boxes overlap; resolve() then replaces them
 * by items. */
typedef struct BoxQuery {
  const sat_Quadtree *tree;
  sat_Items *found;
  float4 limits;
} BoxQuery;

SAT_INLINE sat_Status make_room(const BoxQuery *query, size_t count) {
  sat_Items *found = query->found;
  if (found->capacity - found->count >= count + SAT_COLLECT_SPARE) return SAT_OK;
  return SAT_LIST_RESERVE(found, count + SAT_COLLECT_SPARE);
}

/* Collects the overflow entries of the cells from `cell` to before `end`. */
static sat_Status query_chains(const BoxQuery *query, uint32_t cell, uint32_t end) {
  const sat_Quadtree *tree = query->tree;
  for (; cell < end; cell++)
    for (uint32_t entry = tree->heads[cell]; sat_is_overflow(tree, entry);
         entry = tree->next[entry - tree->sorted_end]) {
      if (make_room(query, 1)) return SAT_ENOMEM;
      query->found->at[query->found->count] = entry;
      query->found->count +=
          float4_below(float4_load(tree->entries[entry].float_box), query->limits);
    }
  return SAT_OK;
}

/* Collects the entries of the cells from `cell` to before `end`, which do not wrap. */
static sat_Status query_cells(const BoxQuery *query, const sat_Level *level, uint32_t cell,
                              uint32_t end) {
  const sat_Quadtree *tree = query->tree;
  sat_Items *found = query->found;
  cell += level->first;
  end += level->first;
  uint32_t first = tree->starts[cell], last = tree->starts[end];
  if (make_room(query, last - first)) return SAT_ENOMEM;
  sat_Item *at = sat_collect_run(tree, query->limits, first, last, found->at + found->count);
  found->count = (size_t)(at - found->at);
  if (!tree->overflow || !sat_any_chained(tree, cell, end)) return SAT_OK;
  return query_chains(query, cell, end);
}

/* Collects the entries of a row of cells, which may wrap. */
static sat_Status query_row(const BoxQuery *query, const sat_Level *level, uint32_t cell,
                            uint32_t columns) {
  uint32_t all = level->mask + 1, end = (cell &= level->mask) + columns;
  sat_Status status = query_cells(query, level, cell, end < all ? end : all);
  return end <= all || status ? status : query_cells(query, level, 0, end - all);
}

/* Collects the entries of at most `together` rows of cells. `together` is a constant. */
SAT_INLINE sat_Status query_rows(const BoxQuery *query, const sat_Level *level, uint32_t cell,
                                 uint32_t columns, uint32_t rows, uint32_t together) {
  const sat_Quadtree *tree = query->tree;
  sat_Items *found = query->found;
  sat_Runs runs;
  sat_Status status = SAT_OK;
  if (sat_find_runs(tree, level, cell, columns, rows, together, &runs)) {
    if (make_room(query, runs.total)) return SAT_ENOMEM;
    sat_Item *at = sat_collect_runs(tree, query->limits, &runs, together, found->at + found->count);
    found->count = (size_t)(at - found->at);
    if (!tree->overflow) return SAT_OK;
    for (uint32_t row = 0; row < rows && !status; row++) {
      uint32_t first = level->first + ((cell + row * level->stride) & level->mask);
      if (sat_any_chained(tree, first, first + columns))
        status = query_chains(query, first, first + columns);
    }
    return status;
  }
  for (uint32_t row = 0; row < rows && !status; row++)
    status = query_row(query, level, cell + row * level->stride, columns);
  return status;
}

SAT_INLINE sat_Status query_range(const BoxQuery *query, const sat_Level *level,
                                  sat_CellRange range) {
  uint32_t columns = (uint32_t)(range.right - range.left) + 1;
  uint32_t rows = (uint32_t)(range.bottom - range.top) + 1;
  uint32_t cell = sat_wrapped_index(level, range.left, range.top);
  for (; rows > SAT_ROWS; rows -= SAT_ROWS) {
    sat_Status status = query_rows(query, level, cell, columns, SAT_ROWS, SAT_ROWS);
    if (status) return status;
    cell += SAT_ROWS * level->stride;
  }
  if (rows <= SAT_FEW_ROWS) return query_rows(query, level, cell, columns, rows, SAT_FEW_ROWS);
  return query_rows(query, level, cell, columns, rows, SAT_ROWS);
}

/* A query whose rows may wrap is restricted to the bounds of the level. */
SAT_NOT_INLINE sat_Status query_within_bounds(const BoxQuery *query, const sat_Level *level,
                                              const sat_Rectangle *box) {
  sat_CellRange range;
  if (!sat_range_within_bounds(query->tree, level, box, &range)) return SAT_OK;
  if (sat_range_meets_itself(level, range)) return query_cells(query, level, 0, level->mask + 1);
  return query_range(query, level, range);
}

SAT_INLINE sat_Status query_level(const BoxQuery *query, const sat_Level *level,
                                  const sat_Rectangle *box) {
  if (sat_is_small(level)) return query_cells(query, level, 0, level->mask + 1);
  sat_CellRange range =
      sat_range_of(query->tree, level, box->x, box->y, sat_right(box), sat_bottom(box));
  if (sat_range_may_wrap(level, range)) return query_within_bounds(query, level, box);
  return query_range(query, level, range);
}

static sat_Status query_all_entries(const BoxQuery *query, const sat_Rectangle *box) {
  const sat_Quadtree *tree = query->tree;
  for (uint64_t levels = tree->used_levels; levels;) {
    const sat_Level *level = &tree->levels[sat_next_level(&levels)];
    if (query_level(query, level, box)) return SAT_ENOMEM;
  }
  return SAT_OK;
}

/* ---------------------------------------------------------------- items in order */

enum { TWO_BLOCKS = 2 * SAT_RANK_BLOCK, RESOLVED_AT_ONCE = 3 * SAT_RANK_BLOCK };

/* Replaces up to `most` entries by their items, in ascending order. No branch depends on the
 * entries or their number. False: the float box of an entry does not prove that its item's box
 * overlaps. */
SAT_INLINE bool resolve_few(const BoxQuery *query, uint32_t most) {
  float4 greatest = float4_all(-HUGE_VALF);
  sat_Items *found = query->found;
  sat_Item all[RESOLVED_AT_ONCE];
  uint32_t count = (uint32_t)found->count;
#ifdef __GNUC__
#pragma GCC unroll 16
#endif
  for (uint32_t i = 0; i < most; i++) {
    const sat_Entry *entry = &query->tree->entries[found->at[i < count ? i : 0]];
    greatest = float4_max(greatest, float4_load(entry->float_box));
    all[i] = i < count ? entry->id & ~SAT_STATIC_BIT : SAT_MOST_ITEMS;
  }
  if (!float4_below(greatest, sat_certain_limits(query->limits))) return false;
  sat_rank_items(all, most, found->at);
  return true;
}

/* Replaces entries by items, and drops those whose boxes do not overlap. */
static void resolve_each(const BoxQuery *query, const sat_Rectangle *box) {
  float4 sure = sat_certain_limits(query->limits);
  sat_Items *found = query->found;
  size_t count = 0;
  for (size_t i = 0; i < found->count; i++) {
    const sat_Entry *entry = &query->tree->entries[found->at[i]];
    sat_Item item = entry->id & ~SAT_STATIC_BIT;
    found->at[count] = item;
    count += float4_below(float4_load(entry->float_box), sure) ||
             sat_rectangles_overlap(box, &query->tree->boxes[item]);
  }
  found->count = count;
}

/* Resolves a small result by a copy of resolve_few for its number of blocks. False: the result is
 * large, or resolve_few returns false. */
static bool resolve_blocks(const BoxQuery *query) {
  size_t count = query->found->count;
  if (count <= SAT_RANK_BLOCK) return resolve_few(query, SAT_RANK_BLOCK);
  if (count <= TWO_BLOCKS) return resolve_few(query, TWO_BLOCKS);
  return count <= RESOLVED_AT_ONCE && resolve_few(query, RESOLVED_AT_ONCE);
}

static sat_Status resolve(sat_Quadtree *tree, const BoxQuery *query, const sat_Rectangle *box) {
  if (query->found->count == 0 || resolve_blocks(query)) return SAT_OK;
  resolve_each(query, box);
  return sat_order_items(tree, query->found);
}

/* ---------------------------------------------------------------- the query */

sat_Status sat_quadtree_query(sat_Quadtree *tree, sat_Rectangle box, sat_Items *found) {
  found->count = 0;
  sat_Status status = sat_rectangle_check(&box);
  if (!status) status = sat_quadtree_flush(tree);
  if (status) return status;
  BoxQuery query = {tree, found, sat_overlap_limits(sat_rectangle_float_box(&box))};
  status = query_all_entries(&query, &box);
  if (!status) status = resolve(tree, &query, &box);
  if (status) found->count = 0;
  return status;
}
