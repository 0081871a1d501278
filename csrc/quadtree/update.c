/* update.c: puts what has changed into its place: one by one into holes and the overflow
 * while it is little, and by a counting sort of everything when it is much. */
#include "quadtree/levels.h"

/* The overflow takes one in this many items, and some, before all is sorted anew. */
enum { OVERFLOWING = 4, LEAST_OVERFLOW = 64 };

/* ---------------------------------------------------------------- one by one */

SAT_INLINE void set_slot(sat_Quadtree *tree, uint32_t slot, sat_Item item, uint32_t cell) {
  sat_four_store(tree->slots[slot].outer, sat_outer(&tree->boxes[item]));
  tree->slots[slot].id = sat_tree_id(tree, item);
  tree->slots[slot].cell = cell;
  tree->places[item] = slot;
}

static void unchain(sat_Quadtree *tree, uint32_t slot) {
  uint32_t *link = &tree->heads[tree->slots[slot].cell];
  while (*link != slot) link = &tree->next[*link - tree->sorted_end];
  *link = tree->next[slot - tree->sorted_end];
}

void sat_tree_vacate(sat_Quadtree *tree, uint32_t slot) {
  tree->places[tree->slots[slot].id & ~SAT_STATIC_BIT] = SAT_UNPLACED;
  tree->slots[slot].id = SAT_NONE;
  sat_four_store(tree->slots[slot].outer, sat_outer_of_none());
  if (slot < tree->sorted_end) {
    tree->holes++;
    return;
  }
  unchain(tree, slot);
  tree->next[slot - tree->sorted_end] = tree->free_slot;
  tree->free_slot = slot;
  tree->overflow--;
}

/* A slot of the overflow, linked into the chain of its cell, or SAT_NONE. */
static uint32_t take_overflow(sat_Quadtree *tree, uint32_t cell) {
  uint32_t slot = tree->free_slot;
  if (slot != SAT_NONE) {
    tree->free_slot = tree->next[slot - tree->sorted_end];
  } else {
    slot = tree->slot_end;
    if (slot - tree->sorted_end >= tree->overflow_limit) return SAT_NONE;
    if (slot == tree->sorted_end) {
      memset(tree->heads, 0xff, tree->cell_end * sizeof *tree->heads);
      memset(tree->chained, 0, sat_chained_bytes(tree->cell_end));
    }
    tree->slot_end++;
  }
  tree->next[slot - tree->sorted_end] = tree->heads[cell];
  tree->heads[cell] = slot;
  tree->chained[cell / 8] |= (uint8_t)(1 << cell % 8);
  tree->overflow++;
  return slot;
}

/* A slot for what comes to a cell, or SAT_NONE. */
static uint32_t take_slot(sat_Quadtree *tree, uint32_t cell) {
  if (tree->holes)
    for (uint32_t slot = tree->starts[cell]; slot < tree->starts[cell + 1]; slot++)
      if (tree->slots[slot].id == SAT_NONE) {
        tree->holes--;
        return slot;
      }
  return take_overflow(tree, cell);
}

/* False where there is no place: everything has to be sorted. */
static bool place(sat_Quadtree *tree, sat_Item item) {
  const sat_Rectangle *box = &tree->boxes[item];
  const sat_Level *level = &tree->levels[sat_level_of(tree, box)];
  if (!level->mask) return false;
  uint32_t cell = sat_cell_of(tree, level, box), slot = tree->places[item];
  if (slot != SAT_UNPLACED) {
    if (tree->slots[slot].cell == cell) {
      sat_four_store(tree->slots[slot].outer, sat_outer(box));
      return true;
    }
    sat_tree_vacate(tree, slot);
  }
  slot = take_slot(tree, cell);
  if (slot == SAT_NONE) return false;
  set_slot(tree, slot, item, cell);
  return true;
}

static void forget_notes(sat_Quadtree *tree) {
  for (uint32_t i = 0; i < tree->moved_count; i++)
    tree->marks[tree->moved[i]] &= (uint8_t)~SAT_MARK_MOVED;
  tree->moved_count = 0;
  tree->crowded = false;
}

/* False where all has to be sorted anew, which then remains so until it is done. */
static bool place_noted(sat_Quadtree *tree) {
  for (uint32_t i = 0; i < tree->moved_count && !tree->crowded; i++) {
    sat_Item item = tree->moved[i];
    tree->crowded = sat_tree_holds(tree, item) && !place(tree, item);
  }
  if (tree->crowded) return false;
  forget_notes(tree);
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
    tree->places[item] = cell;
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
enum { AHEAD = 32 };

static void fetch_ahead(const sat_Quadtree *tree, sat_Item item) {
#ifdef __GNUC__
  if (item < AHEAD) return;
  uint32_t far = tree->places[item - AHEAD], near = tree->places[item - AHEAD / 2];
  if (far < SAT_FREE) __builtin_prefetch(&tree->starts[far], 1);
  if (near < SAT_FREE) __builtin_prefetch(&tree->slots[tree->starts[near]], 1);
#else
  (void)tree;
  (void)item;
#endif
}

/* From the last to the first, so that a cell's items are in ascending order. */
static void fill_slots(sat_Quadtree *tree) {
  for (sat_Item item = tree->item_end; item-- > 0;) {
    fetch_ahead(tree, item);
    uint32_t cell = tree->places[item];
    if (cell < SAT_FREE) set_slot(tree, --tree->starts[cell], item, cell);
  }
}

/* All the memory that sorting needs, before anything is changed. */
static sat_Status reserve_all(sat_Quadtree *tree) {
  uint32_t overflow = tree->count / OVERFLOWING + LEAST_OVERFLOW;
  sat_Status status = sat_tree_reserve(tree, SAT_SLOTS, SAT_SLOTS, tree->count + overflow);
  if (!status) status = sat_tree_reserve(tree, SAT_NEXT, SAT_NEXT, overflow);
  uint32_t cells = sat_most_cells(tree) + 1;
  if (!status) status = sat_tree_reserve(tree, SAT_STARTS, SAT_HEADS, cells);
  if (!status) status = sat_tree_reserve(tree, SAT_CHAINED, SAT_CHAINED, sat_chained_bytes(cells));
  if (!status) tree->overflow_limit = overflow;
  return status;
}

/* Counts by the plan there is, or else by a new one, and by yet another if that turns out to be far
 * from what was expected. */
static void count_all(sat_Quadtree *tree) {
  bool planned = sat_plan_holds(tree) && count_cells(tree);
  for (int tries = 0; tries < 4; tries++) {
    if (!planned) {
      sat_plan_levels(tree);
      count_cells(tree);
    }
    if (!tree->used_levels || sat_plan_is_right(tree, sum_cells(tree))) return;
    planned = false;
  }
}

static sat_Status sort_all(sat_Quadtree *tree) {
  sat_Status status = reserve_all(tree);
  if (status) return status;
  count_all(tree);
  fill_slots(tree);
  tree->sorted_end = tree->slot_end = tree->count;
  tree->holes = tree->overflow = 0;
  tree->free_slot = SAT_NONE;
  forget_notes(tree);
  return SAT_OK;
}

sat_Status sat_tree_settle(sat_Quadtree *tree) {
  if (!tree->moved_count && !tree->crowded) return SAT_OK;
  return place_noted(tree) ? SAT_OK : sort_all(tree);
}

sat_Status sat_tree_settle_sorted(sat_Quadtree *tree, uint32_t most_overflow) {
  bool placed = place_noted(tree);
  if (placed && tree->overflow <= most_overflow && tree->holes <= tree->count / OVERFLOWING)
    return SAT_OK;
  return sort_all(tree);
}
