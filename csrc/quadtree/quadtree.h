/* quadtree.h: the declarations that the files of the quadtree share; quadtree/grid.h describes the
 * grid.
 *
 * An item is an id, the index into `boxes`, `entry_of_item` and `item_flags`. An entry holds an
 * item's float box, its id and its cell. The entries before `sorted_end` are sorted by cell, and
 * `starts` has each cell's first; an entry that has lost its item is a hole. The entries from
 * `sorted_end` on are the overflow: items that came to a cell without a hole. `heads` has the first
 * entry of a cell's list, which is either of holes or of overflow entries; a cell that may have the
 * latter has its bit in `chained` set. `next` and `previous` link overflow entries.
 *
 * An insertion or update writes the box and marks the item dirty; a removal frees the entry at
 * once. The next query flushes: few dirty items move one by one, many lead to a rebuild by counting
 * sort.
 *
 * Where few items change between two searches for all pairs, the tree keeps the pairs, and lists
 * the items that have changed since: only their pairs are then searched. */
#ifndef SAT_QUADTREE_QUADTREE_H
#define SAT_QUADTREE_QUADTREE_H

#include "base/memory.h"
#include "quadtree/grid.h"

/* A value of `entry_of_item` is an entry, or SAT_NO_ENTRY, or, for a free id, SAT_FREE + the next
 * free id. */
#define SAT_NO_ENTRY 0xffffffffu
#define SAT_FREE 0x80000000u
/* The largest number of items: the cells, at most 1.5 for each item and a few more, stay below
 * SAT_FREE. */
#define SAT_MOST_ITEMS 0x3ffffff0u
#define SAT_FREE_END (SAT_FREE + SAT_MOST_ITEMS)
/* The flag of a static item in an entry's id. */
#define SAT_STATIC_BIT 0x80000000u

/* SAT_ITEM_CHANGED: in the list of items that have changed since the pairs were kept. */
enum { SAT_ITEM_STATIC = 1, SAT_ITEM_DIRTY = 2, SAT_ITEM_CHANGED = 4 };

static inline bool sat_tree_holds(const sat_Quadtree *tree, sat_Item item) {
  if (item >= tree->item_end) return false;
  return tree->entry_of_item[item] < SAT_FREE || tree->entry_of_item[item] == SAT_NO_ENTRY;
}

static inline bool sat_rectangle_in_range(const sat_Rectangle *box) {
  return in_range(box->x) && in_range(box->y) && in_range(box->w) && in_range(box->h);
}

/* SAT_OK, or SAT_ERANGE or SAT_EVALUE for an invalid box. */
static inline sat_Status sat_rectangle_check(const sat_Rectangle *box) {
  if (!sat_rectangle_in_range(box)) return SAT_ERANGE;
  return box->w >= 0 && box->h >= 0 ? SAT_OK : SAT_EVALUE;
}

/* Forgets the kept pairs. */
static inline void sat_tree_forget_pairs(sat_Quadtree *tree) {
  for (uint32_t i = 0; i < tree->changed_count; i++)
    tree->item_flags[tree->changed[i]] &= (uint8_t)~SAT_ITEM_CHANGED;
  tree->changed_count = 0;
  tree->pairs_kept = false;
}

/* Counts changes since the bounds were found, which are too old after four for each item. */
static inline void sat_tree_age_bounds(sat_Quadtree *tree, uint32_t changes) {
  tree->bounded_ago += changes;
  if (tree->bounded_ago / 4 > tree->count) tree->bounded = false;
}

/* The id that an item's entry holds: the item, with SAT_STATIC_BIT if it is static. */
static inline uint32_t sat_tree_id(const sat_Quadtree *tree, sat_Item item) {
  return item | (tree->item_flags[item] & SAT_ITEM_STATIC ? SAT_STATIC_BIT : 0);
}

/* The arrays of a tree. Those that grow together are adjacent. */
enum {
  SAT_BOXES,
  SAT_ENTRY_OF_ITEM,
  SAT_ITEM_FLAGS,
  SAT_DIRTY,
  SAT_CHANGED_ITEMS,
  SAT_ENTRIES,
  SAT_NEXT,
  SAT_PREVIOUS,
  SAT_STARTS,
  SAT_HEADS,
  SAT_CHAINED,
  SAT_SWEEP,
  SAT_KEPT_PAIRS,
  SAT_MARKS
};
/* Reserves at least `count` elements in each array from `first` to `last`. SAT_ENOMEM leaves the
 * contents of all arrays as they were. */
sat_Status sat_tree_reserve(sat_Quadtree *tree, int first, int last, uint32_t count);

/* For callers that choose the ids themselves and never insert or remove: reserve the ids below
 * `end` (or SAT_ENOMEM), set the box of a reserved item, and drop an item. The latter two cannot
 * fail. The box is not checked and may exceed SAT_LIMIT twofold. */
sat_Status sat_tree_reserve_items(sat_Quadtree *tree, size_t end);
void sat_tree_put(sat_Quadtree *tree, sat_Item item, sat_Rectangle box);
void sat_tree_drop(sat_Quadtree *tree, sat_Item item);
/* Whether any item is static. O(n), a byte each. */
bool sat_tree_has_static(const sat_Quadtree *tree);

/* The bytes of `chained`: one bit for each cell, and spare bytes for sat_any_chained. */
static inline uint32_t sat_chained_bytes(uint32_t cells) { return cells / 8 + 4; }

/* Whether any cell from `cell` to before `end` may have overflow entries: true for more than 16
 * cells, and where a bit is set, although the list of that cell may have become empty. */
static inline bool sat_any_chained(const sat_Quadtree *tree, uint32_t cell, uint32_t end) {
  const uint8_t *bytes = &tree->chained[cell / 8];
  uint32_t bits = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;
  uint32_t count = end - cell;
  return count > 16 || (bits >> cell % 8 & ((1u << count) - 1));
}

/* Whether a link leads to an overflow entry, not to a hole or nowhere. */
static inline bool sat_is_overflow(const sat_Quadtree *tree, uint32_t entry) {
  return entry - tree->sorted_end < tree->overflow_limit;
}

/* Flushes pending changes: every item is then in an entry of its cell, and within the bounds of its
 * level. SAT_ENOMEM leaves changes pending. */
sat_Status sat_quadtree_flush(sat_Quadtree *tree);
/* Flushes likewise, though the bounds may be those of the plane, and rebuilds if more than
 * `most_overflow` overflow entries or many holes would remain. */
sat_Status sat_quadtree_flush_sorted(sat_Quadtree *tree, uint32_t most_overflow);

/* Whether two cells of a range share an index. */
bool sat_range_meets_itself(const sat_Level *level, sat_CellRange range);

/* A search for entries whose float boxes are at most `limits`. The search calls `visit_entries`
 * each time SAT_SEARCH_ROOM entries or more have been collected, and at the end of each level for
 * the rest; false ends the search. Entries are collected by fours, so that lists have spare
 * elements at their ends. */
enum { SAT_SEARCH_ROOM = 128, SAT_COLLECT_SPARE = 4 };
typedef struct sat_EntrySearch sat_EntrySearch;
struct sat_EntrySearch {
  const sat_Quadtree *tree;
  float4 limits;
  bool (*visit_entries)(sat_EntrySearch *search);
  uint32_t count, entries[2 * SAT_SEARCH_ROOM + SAT_COLLECT_SPARE];
  uint64_t compared; /* the number of entries compared so far */
};
/* Search a range of cells, a whole level, or the cells within its bounds that a box reaches, with
 * the limits and the count of 0 that the caller has set; or all levels for the entries whose float
 * boxes overlap that of `box`. False: `visit_entries` has ended the search. */
bool sat_search_level(sat_EntrySearch *search, const sat_Level *level, sat_CellRange range);
bool sat_search_whole_level(sat_EntrySearch *search, const sat_Level *level);
bool sat_search_within_bounds(sat_EntrySearch *search, const sat_Level *level,
                              const sat_Rectangle *box);
bool sat_search_box(sat_EntrySearch *search, const sat_Rectangle *box);

/* Visits each item whose box a moving box may meet, as sat_quadtree_raycast does, with the fraction
 * of the motion before which it does not. The box is not checked, as in sat_tree_put. */
sat_Status sat_tree_cast(sat_Quadtree *tree, sat_Rectangle box, sat_Vec2 motion, sat_Visit visit,
                         void *context);

/* Removes the lowest level from a set that is not empty, and returns the level. */
static inline uint32_t sat_next_level(uint64_t *levels) {
#ifdef __GNUC__
  uint32_t level = (uint32_t)__builtin_ctzll(*levels);
#else
  uint32_t level = 0;
  while (!(*levels >> level & 1)) level++;
#endif
  *levels &= *levels - 1;
  return level;
}

#endif
