/* entries.c: gives entries to items and frees them. */
#include "quadtree/entries.h"

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

/* Takes an entry of the overflow and links the entry into the chain of its cell. The first entry
 * after a rebuild resets the chains, which a rebuild leaves as they were. */
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

uint32_t sat_entry_take(sat_Quadtree *tree, uint32_t cell) {
  if (tree->holes)
    for (uint32_t entry = tree->starts[cell]; entry < tree->starts[cell + 1]; entry++)
      if (tree->entries[entry].id == SAT_NULL_INDEX) {
        tree->holes--;
        return entry;
      }
  return take_overflow(tree, cell);
}
