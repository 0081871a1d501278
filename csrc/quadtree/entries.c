/* entries.c: gives entries to items and frees them. */
#include "quadtree/store.h"

/* The first change after a rebuild empties the lists of all cells, which a rebuild leaves as they
 * were. */
static void reset_lists(sat_Quadtree *tree) {
  if (tree->listed) return;
  memset(tree->heads, 0xff, tree->cell_end * sizeof *tree->heads);
  memset(tree->chained, 0, sat_chained_bytes(tree->cell_end));
  tree->listed = true;
}

static void unchain(sat_Quadtree *tree, uint32_t entry) {
  uint32_t first = tree->sorted_end, after = tree->next[entry - first],
           before = tree->previous[entry - first];
  if (before == SAT_NULL_INDEX) tree->heads[tree->entries[entry].cell] = after;
  else tree->next[before - first] = after;
  if (after != SAT_NULL_INDEX) tree->previous[after - first] = before;
  tree->entries[entry].id = SAT_NULL_INDEX;
  tree->next[entry - first] = tree->free_entry;
  tree->free_entry = entry;
  tree->overflow--;
}

/* The cell's first overflow entry moves into a hole, so that no cell has both. */
static void make_hole(sat_Quadtree *tree, uint32_t hole) {
  sat_Entry *entry = &tree->entries[hole];
  uint32_t *head = &tree->heads[entry->cell], moved = *head;
  if (sat_is_overflow(tree, moved)) {
    *entry = tree->entries[moved];
    tree->entry_of_item[entry->id & ~SAT_STATIC_BIT] = hole;
    float4_store(tree->entries[moved].float_box, sat_empty_float_box());
    unchain(tree, moved);
    return;
  }
  entry->id = *head;
  *head = hole;
  tree->holes++;
}

void sat_entry_remove(sat_Quadtree *tree, uint32_t entry) {
  reset_lists(tree);
  tree->entry_of_item[tree->entries[entry].id & ~SAT_STATIC_BIT] = SAT_NO_ENTRY;
  float4_store(tree->entries[entry].float_box, sat_empty_float_box());
  if (entry < tree->sorted_end) make_hole(tree, entry);
  else unchain(tree, entry);
}

/* Takes an entry of the overflow and links the entry into the chain of its cell. */
static uint32_t take_overflow(sat_Quadtree *tree, uint32_t cell) {
  uint32_t first = tree->sorted_end, entry = tree->free_entry, after = tree->heads[cell];
  if (entry != SAT_NULL_INDEX) {
    tree->free_entry = tree->next[entry - first];
  } else {
    entry = tree->entry_end;
    if (entry - first >= tree->overflow_limit) return SAT_NULL_INDEX;
    tree->entry_end++;
  }
  tree->next[entry - first] = after;
  tree->previous[entry - first] = SAT_NULL_INDEX;
  if (after != SAT_NULL_INDEX) tree->previous[after - first] = entry;
  tree->heads[cell] = entry;
  tree->chained[cell / 8] |= (uint8_t)(1 << cell % 8);
  tree->overflow++;
  return entry;
}

uint32_t sat_entry_take(sat_Quadtree *tree, uint32_t cell) {
  reset_lists(tree);
  uint32_t head = tree->heads[cell];
  if (head >= tree->sorted_end) return take_overflow(tree, cell);
  tree->heads[cell] = tree->entries[head].id;
  tree->holes--;
  return head;
}
