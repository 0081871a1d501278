/* update.c: flushes pending changes: few items move one by one into holes and the overflow, many
 * lead to a rebuild by counting sort. */
#include "base/base.h"
#include "quadtree/store.h"

/* The capacity of the overflow: one item in OVERFLOWING, and LEAST_OVERFLOW more. */
enum { OVERFLOWING = 4, LEAST_OVERFLOW = 64 };

/* ---------------------------------------------------------------- the bounds of levels */

SAT_INLINE void extend_bounds(sat_Quadtree *tree, uint32_t level, float4 limits) {
  float *bounds = tree->level_bounds[level];
  if (float4_below(limits, float4_load(bounds))) return;
  float4_store(bounds, float4_max(float4_load(bounds), limits));
  float4_store(tree->bounds, float4_max(float4_load(tree->bounds), limits));
}

static void reset_bounds(sat_Quadtree *tree, float limit) {
  float4_store(tree->bounds, float4_all(limit));
  for (uint32_t i = 0; i < SAT_LEVELS; i++) float4_store(tree->level_bounds[i], float4_all(limit));
}

/* Finds the bounds for the first query after a rebuild, and anew after so many changes that the
 * time does not count: items that have left only then let the bounds shrink. */
static void find_bounds(sat_Quadtree *tree) {
  reset_bounds(tree, -HUGE_VALF);
  for (uint64_t levels = tree->used_levels; levels;) {
    uint32_t i = sat_next_level(&levels);
    const sat_Level *level = &tree->levels[i];
    float4 limits = float4_all(-HUGE_VALF);
    uint32_t end = tree->starts[level->first + level->mask + 1];
    for (uint32_t entry = tree->starts[level->first]; entry < end; entry++)
      limits = float4_max(limits, sat_overlap_limits(float4_load(tree->entries[entry].float_box)));
    extend_bounds(tree, i, limits);
  }
  for (uint32_t entry = tree->sorted_end; entry < tree->entry_end; entry++) {
    const sat_Entry *at = &tree->entries[entry];
    if (at->id == SAT_NULL_INDEX) continue;
    extend_bounds(tree, sat_level_of(tree, &tree->boxes[at->id & ~SAT_STATIC_BIT]),
                  sat_overlap_limits(float4_load(at->float_box)));
  }
  tree->bounded = true;
  tree->bounded_ago = 0;
}

/* ---------------------------------------------------------------- one by one */

/* Moves a dirty item into its cell. False: the tree must be rebuilt. */
static bool place_item(sat_Quadtree *tree, sat_Item item) {
  const sat_Rectangle *box = &tree->boxes[item];
  uint32_t i = sat_level_of(tree, box);
  const sat_Level *level = &tree->levels[i];
  if (!level->mask) return false;
  float4 float_box = sat_rectangle_float_box(box);
  extend_bounds(tree, i, sat_overlap_limits(float_box));
  uint32_t cell = sat_cell_of(tree, level, box), entry = tree->entry_of_item[item];
  if (entry != SAT_NO_ENTRY) {
    if (tree->entries[entry].cell == cell) {
      float4_store(tree->entries[entry].float_box, float_box);
      return true;
    }
    sat_entry_remove(tree, entry);
  }
  entry = sat_entry_take(tree, cell);
  if (entry == SAT_NULL_INDEX) return false;
  sat_entry_set(tree, entry, item, cell);
  return true;
}

static void clear_dirty(sat_Quadtree *tree) {
  for (uint32_t i = 0; i < tree->dirty_count; i++)
    tree->item_flags[tree->dirty[i]] &= (uint8_t)~SAT_ITEM_DIRTY;
  tree->dirty_count = 0;
  tree->rebuild = false;
}

/* Moves all dirty items. False: the tree must be rebuilt, and `rebuild` stays set until then. */
static bool place_dirty(sat_Quadtree *tree) {
  for (uint32_t i = 0; i < tree->dirty_count && !tree->rebuild; i++) {
    sat_Item item = tree->dirty[i];
    tree->rebuild = sat_tree_holds(tree, item) && !place_item(tree, item);
  }
  if (tree->rebuild) return false;
  sat_tree_age_bounds(tree, tree->dirty_count);
  clear_dirty(tree);
  return true;
}

/* ---------------------------------------------------------------- rebuilding */

/* Counts the items of each cell. Until fill_entries, `entry_of_item` has the items' cells. False:
 * the level of an item has no cells. */
static bool count_cells(sat_Quadtree *tree) {
  uint32_t *starts = tree->starts;
  memset(starts, 0, (tree->cell_end + 1) * sizeof *starts);
  for (sat_Item item = 0; item < tree->item_end; item++) {
    if (!sat_tree_holds(tree, item)) continue;
    const sat_Rectangle *box = &tree->boxes[item];
    const sat_Level *level = &tree->levels[sat_level_of(tree, box)];
    if (!level->mask) return false;
    uint32_t cell = sat_cell_of(tree, level, box);
    tree->entry_of_item[item] = cell;
    starts[cell]++;
  }
  return true;
}

/* Turns the counts of the cells into their sums. Returns the mean number of other items that share
 * a cell with an item of the finest level. */
static double sum_cells(sat_Quadtree *tree) {
  uint32_t *starts = tree->starts, sum = 0;
  uint64_t squares = 0;
  uint32_t finest_end = sat_finest_level(tree)->mask + 1;
  for (uint32_t cell = 0; cell < tree->cell_end; cell++) {
    uint64_t count = starts[cell];
    if (cell < finest_end) squares += count * count;
    starts[cell] = sum += (uint32_t)count;
  }
  starts[tree->cell_end] = sum;
  uint32_t items = starts[finest_end - 1];
  return items ? ((double)squares - items) / items : 0;
}

/* The number of items ahead at which the start of an item's cell is fetched into the cache; the
 * item's entry is fetched at half the distance. */
enum { PREFETCH_DISTANCE = 32 };

/* Fills the entries from the last item to the first, so that the items of a cell are in ascending
 * order. */
static void fill_entries(sat_Quadtree *tree) {
  for (sat_Item item = tree->item_end; item-- > 0;) {
    const uint32_t *at = &tree->entry_of_item[item], cell = *at;
    if (item >= PREFETCH_DISTANCE) {
      uint32_t far = at[-PREFETCH_DISTANCE], near = at[-PREFETCH_DISTANCE / 2];
      if (far < SAT_FREE) prefetch(&tree->starts[far], 1);
      if (near < SAT_FREE) prefetch(&tree->entries[tree->starts[near]], 1);
    }
    if (cell < SAT_FREE) sat_entry_set(tree, --tree->starts[cell], item, cell);
  }
}

/* Reserves the memory of a rebuild before any change. Behind the last entry of a full overflow,
 * SAT_COLLECT_SPARE elements are readable. */
static sat_Status reserve_all(sat_Quadtree *tree) {
  uint32_t overflow = tree->count / OVERFLOWING + LEAST_OVERFLOW;
  uint32_t entries = tree->count + overflow + SAT_COLLECT_SPARE;
  sat_Status status = sat_tree_reserve(tree, SAT_ENTRIES, SAT_ENTRIES, entries);
  if (!status) status = sat_tree_reserve(tree, SAT_NEXT, SAT_PREVIOUS, overflow);
  uint32_t cells = sat_levels_max_cells(tree) + 1;
  if (!status) status = sat_tree_reserve(tree, SAT_STARTS, SAT_HEADS, cells);
  if (!status) status = sat_tree_reserve(tree, SAT_CHAINED, SAT_CHAINED, sat_chained_bytes(cells));
  if (!status) tree->overflow_limit = overflow;
  return status;
}

/* Counts the items of the cells of the selected levels, or of new ones; selects again, a few times
 * at most, if the measured occupancy is far from the estimate. */
static void count_items(sat_Quadtree *tree) {
  bool planned = sat_levels_still_fit(tree) && count_cells(tree);
  for (int tries = 0; tries < 4; tries++) {
    if (!planned) {
      sat_levels_select(tree);
      count_cells(tree);
    }
    if (!tree->used_levels || sat_levels_match_estimate(tree, sum_cells(tree))) return;
    planned = false;
  }
}

/* Without memory the rebuild stays due. The items that change until the rebuild are not listed, so
 * that the kept pairs are of no use. */
static sat_Status sort_all(sat_Quadtree *tree) {
  sat_Status status = reserve_all(tree);
  if (status) {
    sat_tree_forget_pairs(tree);
    return status;
  }
  count_items(tree);
  fill_entries(tree);
  tree->sorted_end = tree->entry_end = tree->count;
  tree->holes = tree->overflow = 0;
  tree->free_entry = SAT_NULL_INDEX;
  tree->listed = tree->bounded = false;
  reset_bounds(tree, HUGE_VALF);
  clear_dirty(tree);
  return SAT_OK;
}

sat_Status sat_quadtree_flush(sat_Quadtree *tree) {
  if (!tree->dirty_count && !tree->rebuild && tree->bounded) return SAT_OK;
  sat_Status status = place_dirty(tree) ? SAT_OK : sort_all(tree);
  if (!tree->bounded && !status) find_bounds(tree);
  return status;
}

sat_Status sat_quadtree_flush_sorted(sat_Quadtree *tree, uint32_t most_overflow) {
  bool placed = place_dirty(tree);
  if (placed && tree->overflow <= most_overflow && tree->holes <= tree->count / OVERFLOWING)
    return SAT_OK;
  return sort_all(tree);
}
