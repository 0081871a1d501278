/* quadtree.h: what the files of the quadtree share; quadtree/grid.h says where things are.
 *
 * Items are numbers; `boxes`, `entry_of_item` and `item_flags` are by item. A slot holds an item's
 * outer box, its number and its cell. The slots up to `sorted_end` are in the order of the cells,
 * and `starts` says where each cell's begin; one that has lost its item is a hole. Those behind are
 * the overflow: what has come to a cell that had no hole, in a chain from `heads` by `next`; a bit
 * in `chained` says where there may be one.
 *
 * A change writes the box and takes note of the item; a question first settles what was noted, one
 * by one while they are few and else by sorting all anew. */
#ifndef SAT_QUADTREE_QUADTREE_H
#define SAT_QUADTREE_QUADTREE_H

#include "base/memory.h"
#include "quadtree/grid.h"

/* An item's place is its slot, or one of these, or, where the number is free, SAT_FREE + the next
 * free one. */
#define SAT_NO_ENTRY 0xffffffffu
#define SAT_FREE 0x80000000u
/* The most items there may be: their cells, half as many again, are below SAT_FREE. */
#define SAT_MOST_ITEMS 0x3ffffff0u
#define SAT_FREE_END (SAT_FREE + SAT_MOST_ITEMS)
/* In a slot's id: the item is static. */
#define SAT_STATIC_BIT 0x80000000u

enum { SAT_ITEM_STATIC = 1, SAT_ITEM_DIRTY = 2 };

static inline bool sat_tree_holds(const sat_Quadtree *tree, sat_Item item) {
  if (item >= tree->item_end) return false;
  return tree->entry_of_item[item] < SAT_FREE || tree->entry_of_item[item] == SAT_NO_ENTRY;
}

static inline bool sat_rectangle_in_range(const sat_Rectangle *box) {
  return in_range(box->x) && in_range(box->y) && in_range(box->w) && in_range(box->h);
}

/* SAT_ERANGE or SAT_EVALUE for what is no box. */
static inline sat_Status sat_rectangle_check(const sat_Rectangle *box) {
  if (!sat_rectangle_in_range(box)) return SAT_ERANGE;
  return box->w >= 0 && box->h >= 0 ? SAT_OK : SAT_EVALUE;
}

/* What a slot says of its item. */
static inline uint32_t sat_tree_id(const sat_Quadtree *tree, sat_Item item) {
  return item | (tree->item_flags[item] & SAT_ITEM_STATIC ? SAT_STATIC_BIT : 0);
}

/* The arrays of a tree, in the order in which they grow together. */
enum {
  SAT_BOXES,
  SAT_ENTRY_OF_ITEM,
  SAT_ITEM_FLAGS,
  SAT_DIRTY,
  SAT_ENTRIES,
  SAT_NEXT,
  SAT_STARTS,
  SAT_HEADS,
  SAT_CHAINED
};
/* Makes the arrays from the first to the last hold `count` at least. */
sat_Status sat_tree_reserve(sat_Quadtree *tree, int first, int last, uint32_t count);

/* For who numbers the items of a tree himself, and then never inserts or removes one: makes room
 * for all numbers below `end`; puts an item there, or elsewhere, or takes it out, which cannot
 * fail. No one asks whether the box is within the limits; it may reach beyond them by as much
 * again. */
sat_Status sat_tree_reserve_items(sat_Quadtree *tree, size_t end);
void sat_tree_put(sat_Quadtree *tree, sat_Item item, sat_Rectangle box);
void sat_tree_drop(sat_Quadtree *tree, sat_Item item);

/* One bit for each cell says whether it has a chain; so many bytes hold the bits of all, and some
 * more. */
static inline uint32_t sat_chained_bytes(uint32_t cells) { return cells / 8 + 4; }

/* Whether any of the cells has one, from `cell` to before `end`; there may be a chain where there
 * is none. */
static inline bool sat_any_chained(const sat_Quadtree *tree, uint32_t cell, uint32_t end) {
  const uint8_t *bytes = &tree->chained[cell / 8];
  uint32_t bits = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;
  uint32_t count = end - cell;
  return count > 16 || (bits >> cell % 8 & ((1u << count) - 1));
}

/* Puts every item into its place. */
sat_Status sat_quadtree_flush(sat_Quadtree *tree);
/* The same, and leaves no more overflow than that. */
sat_Status sat_quadtree_flush_sorted(sat_Quadtree *tree, uint32_t most_overflow);
/* Takes an item out of its slot. */
void sat_entry_remove(sat_Quadtree *tree, uint32_t entry);

/* Looks for the slots that a box overlaps. Takes those of the outer boxes that `limits` is above,
 * as many at once as there is room for; `visit_entries` returns false to end the search. */
enum { SAT_SEARCH_ROOM = 128 };
typedef struct sat_EntrySearch sat_EntrySearch;
struct sat_EntrySearch {
  const sat_Quadtree *tree;
  float4 limits;
  bool (*visit_entries)(sat_EntrySearch *search);
  uint32_t count, entries[2 * SAT_SEARCH_ROOM];
};
/* On one level, or on all; false where it was ended. */
bool sat_search_level(sat_EntrySearch *search, const sat_Level *level, sat_CellRange range);
bool sat_search_whole_level(sat_EntrySearch *search, const sat_Level *level);
bool sat_search_box(sat_EntrySearch *search, const sat_Rectangle *box);

/* The lowest level in a set, and the set without it. */
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
