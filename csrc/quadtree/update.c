/* update.c: puts what has changed into its place: one by one into holes and the overflow
 * while it is little, and by a counting sort of everything when it is much. */
#include "quadtree/levels.h"

/* The overflow takes one in this many items, and some, before all is sorted anew. */
enum { OVERFLOWING = 4, LEAST_OVERFLOW = 64 };

/* ---------------------------------------------------------------- one by one */

SAT_INLINE void set_entry(sat_Quadtree *tree, uint32_t entry, sat_Item item, uint32_t cell) {
  float4_store(tree->entries[entry].float_box, sat_float_box(&tree->boxes[item]));
  tree->entries[entry].id = sat_tree_id(tree, item);
  tree->entries[entry].cell = cell;
  tree->entry_of_item[item] = entry;
}

static void unchain(sat_Quadtree *tree, uint32_t entry) {
  uint32_t *link = &tree->heads[tree->entries[entry].cell];
  while (*link != entry) link = &tree->next[*link - tree->sorted_end];
  *link = tree->next[entry - tree->sorted_end];
}

void sat_entry_remove(sat_Quadtree *tree, uint32_t entry) {
  tree->entry_of_item[tree->entries[entry].id & ~SAT_STATIC_BIT] = SAT_NO_ENTRY;
  tree->entries[entry].id = SAT_NULL_INDEX;
  float4_store(tree->entries[entry].float_box, sat_empty_float_box());
  if (entry < tree->sorted_end) {
    tree->holes++;
    return;
  }
  unchain(tree, entry);
  tree->next[entry - tree->sorted_end] = tree->free_entry;
  tree->free_entry = entry;
  tree->overflow--;
}

/* A slot of the overflow, linked into the chain of its cell, or SAT_NULL_INDEX. */
static uint32_t take_overflow(sat_Quadtree *tree, uint32_t cell) {
  uint32_t entry = tree->free_entry;
  if (entry != SAT_NULL_INDEX) {
    tree->free_entry = tree->next[entry - tree->sorted_end];
  } else {
    entry = tree->entry_end;
    if (entry - tree->sorted_end >= tree->overflow_limit) return SAT_NULL_INDEX;
    if (entry == tree->sorted_end) {
      memset(tree->heads, 0xff, tree->cell_end * sizeof *tree->heads);
      memset(tree->chained, 0, sat_chained_bytes(tree->cell_end));
    }
    tree->entry_end++;
  }
  tree->next[entry - tree->sorted_end] = tree->heads[cell];
  tree->heads[cell] = entry;
  tree->chained[cell / 8] |= (uint8_t)(1 << cell % 8);
  tree->overflow++;
  return entry;
}

/* A slot for what comes to a cell, or SAT_NULL_INDEX. */
static uint32_t take_entry(sat_Quadtree *tree, uint32_t cell) {
  if (tree->holes)
    for (uint32_t entry = tree->starts[cell]; entry < tree->starts[cell + 1]; entry++)
      if (tree->entries[entry].id == SAT_NULL_INDEX) {
        tree->holes--;
        return entry;
      }
  return take_overflow(tree, cell);
}

/* False where there is no place: everything has to be sorted. */
static bool place_item(sat_Quadtree *tree, sat_Item item) {
  const sat_Rectangle *box = &tree->boxes[item];
  const sat_Level *level = &tree->levels[sat_level_of(tree, box)];
  if (!level->mask) return false;
  uint32_t cell = sat_cell_of(tree, level, box), entry = tree->entry_of_item[item];
  if (entry != SAT_NO_ENTRY) {
    if (tree->entries[entry].cell == cell) {
      float4_store(tree->entries[entry].float_box, sat_float_box(box));
      return true;
    }
    sat_entry_remove(tree, entry);
  }
  entry = take_entry(tree, cell);
  if (entry == SAT_NULL_INDEX) return false;
  set_entry(tree, entry, item, cell);
  return true;
}

static void clear_dirty(sat_Quadtree *tree) {
  for (uint32_t i = 0; i < tree->dirty_count; i++)
    tree->item_flags[tree->dirty[i]] &= (uint8_t)~SAT_ITEM_DIRTY;
  tree->dirty_count = 0;
  tree->rebuild = false;
}

/* False where all has to be sorted anew, which then remains so until it is done. */
static bool place_dirty(sat_Quadtree *tree) {
  for (uint32_t i = 0; i < tree->dirty_count && !tree->rebuild; i++) {
    sat_Item item = tree->dirty[i];
    tree->rebuild = sat_tree_holds(tree, item) && !place_item(tree, item);
  }
  if (tree->rebuild) return false;
  clear_dirty(tree);
  return true;
}

/* ---------------------------------------------------------------- everything */

/* Where each cell's slots end. Until they have their slots, items have their cell for a place.
 * False where there is an item whose level has no cells. */
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

/* How many share a cell with an item of the finest level, on the average; on the way the counts of
 * the cells become sums. */
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

/* So many items ahead, the start of a cell is fetched into the cache, and half as many the slot. */
enum { PREFETCH_DISTANCE = 32 };

static void fetch_ahead(const sat_Quadtree *tree, sat_Item item) {
#ifdef __GNUC__
  if (item < PREFETCH_DISTANCE) return;
  uint32_t far = tree->entry_of_item[item - PREFETCH_DISTANCE],
           near = tree->entry_of_item[item - PREFETCH_DISTANCE / 2];
  if (far < SAT_FREE) __builtin_prefetch(&tree->starts[far], 1);
  if (near < SAT_FREE) __builtin_prefetch(&tree->entries[tree->starts[near]], 1);
#else
  (void)tree;
  (void)item;
#endif
}

/* From the last to the first, so that a cell's items are in ascending order. */
static void fill_entries(sat_Quadtree *tree) {
  for (sat_Item item = tree->item_end; item-- > 0;) {
    fetch_ahead(tree, item);
    uint32_t cell = tree->entry_of_item[item];
    if (cell < SAT_FREE) set_entry(tree, --tree->starts[cell], item, cell);
  }
}

/* All the memory that sorting needs, before anything is changed. */
static sat_Status reserve_all(sat_Quadtree *tree) {
  uint32_t overflow = tree->count / OVERFLOWING + LEAST_OVERFLOW;
  sat_Status status = sat_tree_reserve(tree, SAT_ENTRIES, SAT_ENTRIES, tree->count + overflow);
  if (!status) status = sat_tree_reserve(tree, SAT_NEXT, SAT_NEXT, overflow);
  uint32_t cells = sat_levels_max_cells(tree) + 1;
  if (!status) status = sat_tree_reserve(tree, SAT_STARTS, SAT_HEADS, cells);
  if (!status) status = sat_tree_reserve(tree, SAT_CHAINED, SAT_CHAINED, sat_chained_bytes(cells));
  if (!status) tree->overflow_limit = overflow;
  return status;
}

/* Counts by the plan there is, or else by a new one, and by yet another if that turns out to be far
 * from what was expected. */
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

static sat_Status sort_all(sat_Quadtree *tree) {
  sat_Status status = reserve_all(tree);
  if (status) return status;
  count_items(tree);
  fill_entries(tree);
  tree->sorted_end = tree->entry_end = tree->count;
  tree->holes = tree->overflow = 0;
  tree->free_entry = SAT_NULL_INDEX;
  clear_dirty(tree);
  return SAT_OK;
}

sat_Status sat_quadtree_flush(sat_Quadtree *tree) {
  if (!tree->dirty_count && !tree->rebuild) return SAT_OK;
  return place_dirty(tree) ? SAT_OK : sort_all(tree);
}

sat_Status sat_quadtree_flush_sorted(sat_Quadtree *tree, uint32_t most_overflow) {
  bool placed = place_dirty(tree);
  if (placed && tree->overflow <= most_overflow && tree->holes <= tree->count / OVERFLOWING)
    return SAT_OK;
  return sort_all(tree);
}
