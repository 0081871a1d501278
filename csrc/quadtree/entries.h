/* entries.h: the entries of a quadtree, which are sorted by cell, and the overflow behind them. */
#ifndef SAT_QUADTREE_ENTRIES_H
#define SAT_QUADTREE_ENTRIES_H

#include "quadtree/quadtree.h"

/* Writes an item's float box, id and cell into an entry that is free. */
SAT_INLINE void sat_entry_set(sat_Quadtree *tree, uint32_t entry, sat_Item item, uint32_t cell) {
  float4_store(tree->entries[entry].float_box, sat_rectangle_float_box(&tree->boxes[item]));
  tree->entries[entry].id = sat_tree_id(tree, item);
  tree->entries[entry].cell = cell;
  tree->entry_of_item[item] = entry;
}

/* Removes an item from its entry, which becomes a hole, or free if it is in the overflow. */
void sat_entry_remove(sat_Quadtree *tree, uint32_t entry);

/* Takes an entry for an item of a cell: a hole of the cell, else one of the overflow. Returns
 * SAT_NULL_INDEX if the overflow is full. */
uint32_t sat_entry_take(sat_Quadtree *tree, uint32_t cell);

#endif
