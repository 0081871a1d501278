/* store.h: the memory of a quadtree, and what the files of the quadtree share.
 *
 * Each level is a grid with cells of one size, and the cells of the levels nest: it is a loose
 * quadtree whose levels are stored flat, without nodes in between. A box lies on a level whose
 * cells are wider and higher than the box, in the cell that contains its corner of least x and y,
 * so that the box reaches into three neighbouring cells at most (Ulrich, Loose octrees, Game
 * Programming Gems, 2000, with the corner in place of the centre). Two boxes of one level that
 * overlap lie in the same cell or in adjacent cells.
 *
 * The grid of a level is wrapped into an array of 2^k cells, row after row with `stride` cells
 * between the starts of two rows, so that distant boxes cost no memory. Cells that share an index
 * cost time only: every box is compared.
 *
 * The sorted entries of a cell lie side by side. Each entry has a float box, the item's box rounded
 * outward to single precision; only where float boxes overlap, the boxes themselves are
 * compared.
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
#ifndef SAT_QUADTREE_STORE_H
#define SAT_QUADTREE_STORE_H

#include "base/double2.h"
#include "base/memory.h"
#include "base/simd/simd4f.h"
#include "base/tolerance.h"
#include "base/vec2.h"
#include "sat_world.h"

#include <string.h>

/* ---------------------------------------------------------------- the memory */

/* A level: cells of one size. `inverse` is 1 / the width of a cell, or 0 for the last level, where
 * one cell is the whole plane; `first` is the index of the level's first cell; `mask` is the number
 * of cells - 1, or 0 for an unused level; `stride` is the distance between the starts of two rows;
 * `count` is the number of items when the levels were selected. The sets tell which levels the
 * level's items search. */
typedef struct sat_Level {
  double inverse;
  uint32_t first, mask, stride, count;
  uint64_t search_coarser, search_finer;
} sat_Level;

/* An entry: a float box (see below), an id, and the cell. The id is an item, with
 * SAT_STATIC_BIT if the item is static; of a hole it is the next hole of the cell, or
 * SAT_NULL_INDEX. */
typedef struct sat_Entry {
  float float_box[4];
  uint32_t id, cell;
} sat_Entry;

enum { SAT_LEVELS = 48, SAT_SIZE_CLASSES = 192 };

/* The arrays of a tree: their indices and their fields. Those that grow together are adjacent. */
/* clang-format off */
#define SAT_FOR_TREE_ARRAYS(ARRAY)                                                                 \
  ARRAY(SAT_BOXES, boxes) ARRAY(SAT_ENTRY_OF_ITEM, entry_of_item)                                  \
  ARRAY(SAT_ITEM_FLAGS, item_flags) ARRAY(SAT_DIRTY, dirty) ARRAY(SAT_CHANGED_ITEMS, changed)      \
  ARRAY(SAT_ENTRIES, entries) ARRAY(SAT_NEXT, next) ARRAY(SAT_PREVIOUS, previous)                  \
  ARRAY(SAT_STARTS, starts) ARRAY(SAT_HEADS, heads) ARRAY(SAT_CHAINED, chained)                    \
  ARRAY(SAT_SWEEP, sweep) ARRAY(SAT_KEPT_PAIRS, kept_pairs) ARRAY(SAT_MARKS, marks)
/* clang-format on */
#define SAT_TREE_ARRAY(index, field) index,
enum { SAT_FOR_TREE_ARRAYS(SAT_TREE_ARRAY) SAT_TREE_ARRAYS };

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

/* The null index of items and entries. */
#define SAT_NULL_INDEX 0xffffffffu

SAT_INLINE double sat_right(const sat_Rectangle *box) { return box->x + box->w; }
SAT_INLINE double sat_bottom(const sat_Rectangle *box) { return box->y + box->h; }

SAT_INLINE bool sat_rectangles_overlap(const sat_Rectangle *a, const sat_Rectangle *b) {
  return a->x <= sat_right(b) && b->x <= sat_right(a) && a->y <= sat_bottom(b) &&
         b->y <= sat_bottom(a);
}

SAT_INLINE float4 sat_rectangle_float_box(const sat_Rectangle *box) {
  return float4_lower(float4_round(box->x, box->y, sat_right(box), sat_bottom(box)), SAT_OUTWARD);
}

/* ---------------------------------------------------------------- levels and cells */

/* The size class of a box is the leading bits of its size, the greater of width and height: there
 * are four classes for every power of two. */
SAT_INLINE uint32_t sat_size_class_of(double size) {
  uint64_t bits;
  memcpy(&bits, &size, sizeof bits);
  return (uint32_t)(bits >> 50);
}

SAT_INLINE double sat_size_class_min(uint32_t size_class) {
  uint64_t bits = (uint64_t)size_class << 50;
  double size;
  memcpy(&size, &bits, sizeof size);
  return size;
}

SAT_INLINE double sat_size_of(const sat_Rectangle *box) {
  return max2(sat_right(box) - box->x, sat_bottom(box) - box->y);
}

SAT_INLINE uint32_t sat_level_of(const sat_Quadtree *tree, const sat_Rectangle *box) {
  uint32_t size_class = sat_size_class_of(sat_size_of(box));
  if (size_class < tree->first_size_class) return tree->level_of_size_class[0];
  size_class -= tree->first_size_class;
  uint32_t last = SAT_SIZE_CLASSES - 1;
  return tree->level_of_size_class[size_class < last ? size_class : last];
}

/* The cells of all levels have one origin, the corner of the tree's area or, where the items are
 * far from there, a point near the items (see quadtree/levels.c). Each width is a power of two
 * times the finest, so that each cell lies in one cell of every coarser level.
 *
 * Columns and rows are counted from a cell so far below the origin that no index is negative. Boxes
 * that are still farther away are clamped to the first or the last cell. */
#define SAT_MIDDLE_CELL 0x1p30
#define SAT_LAST_CELL (0x1p31 - 2)

/* A coordinate along one axis, in cells; its integer part is the column or row. The result never
 * falls as `x` rises. */
SAT_INLINE double sat_in_cells(double x, double origin, double inverse) {
  return clamp((x - origin) * inverse + SAT_MIDDLE_CELL, 0, SAT_LAST_CELL);
}

/* The wrapped index of a cell on its level. */
SAT_INLINE uint32_t sat_wrapped_index(const sat_Level *level, int32_t column, int32_t row) {
  return ((uint32_t)column + (uint32_t)row * level->stride) & level->mask;
}

/* The cells of a level that may hold boxes which overlap a given box; both ends are included. */
typedef struct sat_CellRange {
  int32_t left, right, top, bottom;
} sat_CellRange;

SAT_INLINE void sat_find_cell(const sat_Quadtree *tree, const sat_Level *level, double x, double y,
                              int32_t *column, int32_t *row) {
  double2 cells = double2_sub(double2_of(x, y), double2_load(&tree->origin));
  cells = double2_mul(cells, double2_of(level->inverse, level->inverse));
  cells = double2_add(cells, double2_of(SAT_MIDDLE_CELL, SAT_MIDDLE_CELL));
  cells = double2_max(cells, double2_of(0, 0));
  double2_truncate(double2_min(cells, double2_of(SAT_LAST_CELL, SAT_LAST_CELL)), column, row);
}

SAT_INLINE uint32_t sat_cell_of(const sat_Quadtree *tree, const sat_Level *level,
                                const sat_Rectangle *box) {
  int32_t column, row;
  sat_find_cell(tree, level, box->x, box->y, &column, &row);
  return level->first + sat_wrapped_index(level, column, row);
}

SAT_INLINE sat_CellRange sat_range_of(const sat_Quadtree *tree, const sat_Level *level, double x,
                                      double y, double right, double bottom) {
  sat_CellRange range;
  sat_find_cell(tree, level, x, y, &range.left, &range.top);
  sat_find_cell(tree, level, right, bottom, &range.right, &range.bottom);
  range.left--;
  range.top--;
  return range;
}

/* Whether two cells of a range may share an index. False: its rows lie one behind the other. */
SAT_INLINE bool sat_range_may_wrap(const sat_Level *level, sat_CellRange range) {
  uint64_t columns = (uint64_t)((int64_t)range.right - range.left + 1);
  uint64_t rows = (uint64_t)((int64_t)range.bottom - range.top);
  return columns > level->stride || rows * level->stride + columns > (uint64_t)level->mask + 1;
}

SAT_INLINE const float *sat_level_bounds(const sat_Quadtree *tree, const sat_Level *level) {
  return tree->level_bounds[level - tree->levels];
}

/* The least number of cells of a level. */
enum { SAT_FEWEST_CELLS = 16 };

/* Whether a search for a box or along a segment takes the whole level: one run of its few entries
 * takes less time than a run for each row of cells. */
SAT_INLINE bool sat_is_small(const sat_Level *level) { return level->mask < SAT_FEWEST_CELLS; }

/* ---------------------------------------------------------------- items */

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

/* The flags of an item. Static: set and cleared by sat_quadtree_set_static, cleared by a removal.
 * Dirty, in the list `dirty`: set by a change of the box, cleared by the flush. Changed, in the
 * list `changed` of items that have changed since the pairs were kept: set by any change while
 * pairs are kept, cleared by the next search for all pairs. */
enum { SAT_ITEM_STATIC = 1, SAT_ITEM_DIRTY = 2, SAT_ITEM_CHANGED = 4 };

static inline bool sat_tree_holds(const sat_Quadtree *tree, sat_Item item) {
  if (item >= tree->item_end) return false;
  return tree->entry_of_item[item] < SAT_FREE || tree->entry_of_item[item] == SAT_NO_ENTRY;
}

/* SAT_OK, or SAT_ERANGE or SAT_EVALUE for an invalid box. */
static inline sat_Status sat_rectangle_check(const sat_Rectangle *box) {
  if (!in_range(box->x) || !in_range(box->y) || !in_range(box->w) || !in_range(box->h))
    return SAT_ERANGE;
  return box->w >= 0 && box->h >= 0 ? SAT_OK : SAT_EVALUE;
}

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

/* Reserves at least `count` elements in each array from `first` to `last`. SAT_ENOMEM leaves the
 * contents of all arrays as they were. */
sat_Status sat_tree_reserve(sat_Quadtree *tree, int first, int last, uint32_t count);

/* For callers that choose the ids themselves and never insert or remove: reserve the ids below
 * `end` (or SAT_ENOMEM), set the box of a reserved item, and drop an item. The latter two cannot
 * fail. The box is not checked and may exceed SAT_LIMIT twofold. */
sat_Status sat_tree_reserve_items(sat_Quadtree *tree, size_t end);
void sat_tree_put(sat_Quadtree *tree, sat_Item item, const sat_Rectangle *box);
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
/* Search a range of cells, or the cells of a level that a box reaches within its bounds, with the
 * limits and the count of 0 that the caller has set; or all levels for the entries whose float
 * boxes overlap that of `box`. False: `visit_entries` has ended the search. */
bool sat_search_level(sat_EntrySearch *search, const sat_Level *level, sat_CellRange range);
bool sat_search_within_bounds(sat_EntrySearch *search, const sat_Level *level,
                              const sat_Rectangle *box);
bool sat_search_box(sat_EntrySearch *search, const sat_Rectangle *box);

/* Does what sat_quadtree_query does. The box is not checked, as in sat_tree_put. */
sat_Status sat_tree_query(sat_Quadtree *tree, const sat_Rectangle *box, sat_Items *found);

/* Adds an item to a list of the nearest. In a list that has `wanted` items, at least 1, the first
 * item is the farthest; a new item replaces the first if nearer, and is dropped otherwise.
 * SAT_ENOMEM leaves the list as it was. */
sat_Status sat_neighbors_keep(sat_Neighbors *neighbors, sat_Neighbor neighbor, size_t wanted);
/* Whether a neighbour is farther than another, or as far with a higher id. */
bool sat_comes_later(const sat_Neighbor *p, const sat_Neighbor *q);
/* Sorts a list in this order. */
void sat_neighbors_sort(sat_Neighbors *neighbors);

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

/* Whether the selected levels still suit the number of items, and are not too many rebuilds old.
 * Counts one more rebuild. */
bool sat_levels_still_fit(sat_Quadtree *tree);
/* Selects the levels by the cost model, or by the tree's capacity or depth if given. */
void sat_levels_select(sat_Quadtree *tree);
/* Compares the measured cell occupancy with the estimate and corrects the clustering factor.
 * `sharing` is the mean number of other items in the cell of an item of the finest level. False:
 * the levels must be selected again. */
bool sat_levels_match_estimate(sat_Quadtree *tree, double sharing);
/* An upper bound of the number of cells of any plan. */
uint32_t sat_levels_max_cells(const sat_Quadtree *tree);

/* The finest level that has cells, or level 0 if none has. */
static inline const sat_Level *sat_finest_level(const sat_Quadtree *tree) {
  uint64_t levels = tree->used_levels;
  return &tree->levels[levels ? sat_next_level(&levels) : 0];
}

/* An item with the coordinate that it is sorted by. */
typedef struct sat_SweepSlot {
  double at;
  sat_Item item;
} sat_SweepSlot;

/* Appends the pairs of sat_quadtree_pairs, in another order, to a list. SAT_ENOMEM leaves some of
 * the pairs in the list. O((n + k) log n) for n items and k pairs. */
sat_Status sat_sweep_pairs(sat_Quadtree *tree, sat_ItemPairs *found);

#endif
