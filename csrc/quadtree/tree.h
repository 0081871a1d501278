/* tree.h: the arrays and levels of a quadtree; quadtree/quadtree.h says how they work together. */
#ifndef SAT_QUADTREE_TREE_H
#define SAT_QUADTREE_TREE_H

#include "sat.h"

/* A level: cells of one size. `inverse` is 1 / the width of a cell, or 0 for the last level, where
 * one cell is the whole plane; `first` is the index of the level's first cell; `mask` is the number
 * of cells - 1, or 0 for an unused level; `stride`, see quadtree/grid.h; `count` is the number of
 * items when the levels were selected. The sets tell which levels the level's items search. */
typedef struct sat_Level {
  double inverse;
  uint32_t first, mask, stride, count;
  uint64_t search_coarser, search_finer;
} sat_Level;

/* An entry: a float box (see quadtree/grid.h), an id, and the cell. The id is an item, with
 * SAT_STATIC_BIT if the item is static; of a hole it is the next hole of the cell, or
 * SAT_NULL_INDEX. */
typedef struct sat_Entry {
  float float_box[4];
  uint32_t id, cell;
} sat_Entry;

enum { SAT_LEVELS = 48, SAT_SIZE_CLASSES = 192, SAT_TREE_ARRAYS = 14 };

struct sat_Quadtree {
  sat_Allocator allocator;
  sat_Rectangle area;
  uint32_t split_above, deepest;
  uint32_t capacities[SAT_TREE_ARRAYS];
  /* by item */
  sat_Rectangle *boxes;
  uint32_t *entry_of_item;
  uint8_t *item_flags;
  uint32_t count, item_end, free_item;
  /* the dirty list */
  uint32_t *dirty, dirty_count;
  bool rebuild;
  bool listed;  /* the heads of the cells are valid: something has changed since the last rebuild */
  bool bounded; /* the bounds have been found since the last rebuild */
  /* the pairs of the last search, and the items and the number of changes since */
  sat_ItemPair *kept_pairs;
  uint32_t kept_count, *changed, changed_count, changes;
  bool pairs_kept;
  /* by entry; `next` and `previous` by entry of the overflow */
  sat_Entry *entries;
  uint32_t *next, *previous;
  uint32_t sorted_end, entry_end, free_entry, holes, overflow, overflow_limit;
  /* by cell */
  uint32_t *starts, *heads, cell_end;
  uint8_t *chained;
  /* the working memory of quadtree/sweep.c */
  struct sat_SweepSlot *sweep;
  /* the bits of quadtree/query.c, all clear between the queries */
  uint64_t *marks;
  /* the bounds, which are the overlap limits of a float box around all items, or those of a level,
   * or around the plane; and the number of changes since they were found */
  float bounds[4], level_bounds[SAT_LEVELS][4];
  uint32_t bounded_ago;
  /* the selected levels, and the spread of the items that quadtree/levels.c has estimated */
  sat_Vec2 origin, middle;
  double width, height, least_size, clustering, finest_cell;
  uint32_t planned_count, planned_ago, first_size_class;
  uint64_t used_levels;
  uint8_t level_of_size_class[SAT_SIZE_CLASSES];
  sat_Level levels[SAT_LEVELS];
};

#endif
