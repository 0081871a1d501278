/* pairs.c: finds all overlapping pairs in one walk over the entries in the order of their cells.
 *
 * Of two adjacent cells of a level, the left or upper cell searches the other: the rest of an
 * entry's own cell and the next cell lie side by side, and so do the three cells below. Of two
 * levels, the entries of one search the other level, as sat_levels_select has decided. The entries
 * of the overflow come last. Where cells turn out to be crowded, a sweep replaces the walk.
 *
 * Where few items change, the pairs are kept for the next search, which replaces only the pairs of
 * items that have changed. */
#include "quadtree/store.h"

/* The number of candidates, pairs whose float boxes overlap, at which the buffer of twice as many
 * is emptied. */
enum { ROOM = 256 };

/* A search from an overflow entry takes a few times as long as sorting an item, so more than one
 * overflow entry for this many items leads to a rebuild. */
enum { FEW_STRAYS = 16 };

/* The walk gives way to the sweep when it has made more comparisons than the items and the pairs
 * justify: before it takes much longer than the sweep, which takes about as long as a few hundred
 * comparisons for each item. After FIRST_COMPARISONS for each item, the walk also gives way when
 * the entries that it has passed took more than COMPARISONS_PER_ENTRY each. */
enum { COMPARISONS_PER_ITEM = 32, COMPARISONS_PER_PAIR = 8 };
enum { FIRST_COMPARISONS = 4, COMPARISONS_PER_ENTRY = 128 };

/* Most entries have no more than these numbers of others beside them and in the cells below. */
enum { FIRST_BESIDE = 3, FIRST_BELOW = 6 };

typedef struct PairWalk {
  sat_EntrySearch search; /* of a single entry on all levels; `compared` leaves out pair_first */
  sat_ItemPairs *found;
  uint32_t entry;   /* that of the search: of the overflow, or one whose item */
  bool has_changed; /* has changed */
  sat_Status status;
  uint32_t count, firsts[2 * ROOM], seconds[2 * ROOM]; /* entries */
} PairWalk;

static sat_Status report_pairs(PairWalk *walk) {
  if (walk->count == 0) return SAT_OK;
  const sat_Quadtree *tree = walk->search.tree;
  sat_Status status = SAT_LIST_RESERVE(walk->found, walk->count);
  if (status) return status;
  sat_ItemPair *at = walk->found->at + walk->found->count;
  for (uint32_t i = 0; i < walk->count; i++) {
    const sat_Entry *first = &tree->entries[walk->firsts[i]],
                    *second = &tree->entries[walk->seconds[i]];
    uint32_t a = first->id & ~SAT_STATIC_BIT, b = second->id & ~SAT_STATIC_BIT;
    float4 limits = sat_overlap_limits(float4_load(first->float_box));
    at->a = a < b ? a : b;
    at->b = a < b ? b : a;
    at += !(first->id & second->id & SAT_STATIC_BIT) &&
          (float4_below(float4_load(second->float_box), sat_certain_limits(limits)) ||
           sat_rectangles_overlap(&tree->boxes[a], &tree->boxes[b]));
  }
  walk->found->count = (size_t)(at - walk->found->at);
  walk->count = 0;
  return SAT_OK;
}

/* ---------------------------------------------------------------- walking */

/* Compares a box with the entries from `start` to before `end`. */
SAT_INLINE sat_Status pair_entry(PairWalk *walk, uint32_t entry, float4 limits, uint32_t start,
                                 uint32_t end) {
  if (walk->count >= ROOM && report_pairs(walk)) return SAT_ENOMEM;
  while (start < end) {
    uint32_t stop = end - start > ROOM ? start + ROOM : end, count = walk->count;
    walk->search.compared += stop - start;
    for (; start < stop; start++) {
      walk->firsts[count] = entry;
      walk->seconds[count] = start;
      count += float4_below(float4_load(walk->search.tree->entries[start].float_box), limits);
    }
    walk->count = count;
    if (count >= ROOM && report_pairs(walk)) return SAT_ENOMEM;
  }
  return SAT_OK;
}

/* Compares a box with the first `most` of the entries from `start` to before `end`, or with all if
 * they are fewer, without a branch on their number. Entries after the last one are readable. */
SAT_INLINE void pair_first(PairWalk *walk, uint32_t entry, float4 limits, uint32_t start,
                           uint32_t end, uint32_t most) {
  uint32_t count = walk->count;
  SAT_UNROLL
  for (uint32_t i = 0; i < most; i++) {
    walk->firsts[count] = entry;
    walk->seconds[count] = start + i;
    count += (start + i < end) &
             float4_below(float4_load(walk->search.tree->entries[start + i].float_box), limits);
  }
  walk->count = count;
}

/* Compares a box with the entries of `count` cells from `cell` on, wrapped. */
static sat_Status pair_cells(PairWalk *walk, const sat_Level *level, uint32_t entry, float4 limits,
                             uint32_t cell, uint32_t count) {
  const uint32_t *starts = walk->search.tree->starts + level->first;
  uint32_t end = (cell &= level->mask) + count, all = level->mask + 1;
  if (end <= all) return pair_entry(walk, entry, limits, starts[cell], starts[end]);
  sat_Status status = pair_entry(walk, entry, limits, starts[cell], starts[all]);
  return status ? status : pair_entry(walk, entry, limits, starts[0], starts[end - all]);
}

static sat_Status pair_own_level(PairWalk *walk, const sat_Level *level, uint32_t entry,
                                 float4 limits) {
  const uint32_t *starts = walk->search.tree->starts + level->first;
  uint32_t cell = walk->search.tree->entries[entry].cell - level->first,
           below = cell + level->stride;
  sat_Status status;
  if (below + 1 <= level->mask) {
    uint32_t end = starts[cell + 2], start_below = starts[below - 1], end_below = starts[below + 2];
    pair_first(walk, entry, limits, entry + 1, end, FIRST_BESIDE);
    pair_first(walk, entry, limits, start_below, end_below, FIRST_BELOW);
    if (walk->count < ROOM && end - entry <= FIRST_BESIDE + 1 &&
        end_below - start_below <= FIRST_BELOW)
      return SAT_OK;
    status = pair_entry(walk, entry, limits, entry + 1 + FIRST_BESIDE, end);
    return status ? status : pair_entry(walk, entry, limits, start_below + FIRST_BELOW, end_below);
  }
  status = pair_entry(walk, entry, limits, entry + 1, starts[cell + 1]);
  if (!status) status = pair_cells(walk, level, entry, limits, cell + 1, 1);
  return status ? status : pair_cells(walk, level, entry, limits, below - 1, 3);
}

static sat_Status pair_other_level(PairWalk *walk, const sat_Level *level, uint32_t entry,
                                   float4 limits) {
  const float *float_box = walk->search.tree->entries[entry].float_box;
  if (float_box[0] == HUGE_VALF) return SAT_OK; /* a hole */
  sat_CellRange range =
      sat_range_of(walk->search.tree, level, (double)float_box[0], (double)float_box[1],
                   -(double)float_box[2], -(double)float_box[3]);
  /* far from 0 a float box may be much larger than a cell */
  if (sat_range_meets_itself(level, range))
    return pair_cells(walk, level, entry, limits, 0, level->mask + 1);
  uint32_t columns = (uint32_t)(range.right - range.left) + 1;
  for (int32_t row = range.top; row <= range.bottom; row++) {
    uint32_t cell = sat_wrapped_index(level, range.left, row);
    sat_Status status = pair_cells(walk, level, entry, limits, cell, columns);
    if (status) return status;
  }
  return SAT_OK;
}

/* SAT_MISS: the walk, which has passed `passed` entries, gives way to the sweep. */
static sat_Status check_crowding(const PairWalk *walk, uint64_t passed) {
  uint64_t items = walk->search.tree->count, pairs = walk->found->count;
  uint64_t most = items * COMPARISONS_PER_ITEM, so_far = passed * COMPARISONS_PER_ENTRY;
  uint64_t justified = (most < so_far ? most : so_far) + pairs * COMPARISONS_PER_PAIR;
  return walk->search.compared > justified ? SAT_MISS : SAT_OK;
}

static sat_Status walk_level(PairWalk *walk, const sat_Level *level) {
  const sat_Quadtree *tree = walk->search.tree;
  uint32_t end = tree->starts[level->first + level->mask + 1];
  uint64_t others = level->search_coarser | level->search_finer;
  uint64_t few = (uint64_t)tree->count * FIRST_COMPARISONS;
  for (uint32_t entry = tree->starts[level->first]; entry < end; entry++) {
    float4 limits = sat_overlap_limits(float4_load(tree->entries[entry].float_box));
    sat_Status status = pair_own_level(walk, level, entry, limits);
    for (uint64_t levels = others; levels && !status;)
      status = pair_other_level(walk, &tree->levels[sat_next_level(&levels)], entry, limits);
    if (!status && walk->search.compared > few) status = check_crowding(walk, entry + 1);
    if (status) return status;
  }
  return SAT_OK;
}

/* ---------------------------------------------------------------- the overflow */

/* The first of two overflow entries finds their pair, and of two items that have changed the one
 * with the larger id. */
static bool report_stray(sat_EntrySearch *search) {
  PairWalk *walk = (PairWalk *)search;
  const sat_Quadtree *tree = search->tree;
  const bool has_changed = walk->has_changed;
  sat_Item item = tree->entries[walk->entry].id & ~SAT_STATIC_BIT;
  uint32_t count = walk->count;
  for (uint32_t i = 0; i < search->count; i++) {
    uint32_t other = search->entries[i];
    walk->firsts[count] = walk->entry;
    walk->seconds[count] = other;
    if (has_changed) {
      sat_Item other_item = tree->entries[other].id & ~SAT_STATIC_BIT;
      count += other_item < item || !(tree->item_flags[other_item] & SAT_ITEM_CHANGED);
    } else {
      count += other < tree->sorted_end || other > walk->entry;
    }
  }
  walk->count = count;
  if (count >= ROOM) walk->status = report_pairs(walk);
  return !walk->status;
}

/* The buffer has room for the first entries that a search reports. */
static sat_Status search_from(PairWalk *walk, uint32_t entry) {
  sat_Item item = walk->search.tree->entries[entry].id & ~SAT_STATIC_BIT;
  walk->entry = entry;
  sat_search_box(&walk->search, &walk->search.tree->boxes[item]);
  return walk->status;
}

static sat_Status walk_overflow(PairWalk *walk) {
  const sat_Quadtree *tree = walk->search.tree;
  sat_Status status = walk->count >= ROOM ? report_pairs(walk) : SAT_OK;
  for (uint32_t entry = tree->sorted_end; entry < tree->entry_end && !status; entry++) {
    if (tree->entries[entry].id == SAT_NULL_INDEX) continue;
    status = search_from(walk, entry);
    if (!status) status = check_crowding(walk, entry + 1);
  }
  return status;
}

static void init_walk(PairWalk *walk, const sat_Quadtree *tree, sat_ItemPairs *found) {
  walk->search.tree = tree;
  walk->search.visit_entries = report_stray;
  walk->search.compared = 0;
  walk->found = found;
  walk->has_changed = false;
  walk->status = SAT_OK;
  walk->count = 0;
}

static sat_Status walk_tree(sat_Quadtree *tree, sat_ItemPairs *found) {
  sat_Status status = SAT_OK;
  PairWalk walk;
  init_walk(&walk, tree, found);
  for (uint64_t levels = tree->used_levels; levels && !status;)
    status = walk_level(&walk, &tree->levels[sat_next_level(&levels)]);
  if (!status && tree->overflow) status = walk_overflow(&walk);
  return status ? status : report_pairs(&walk);
}

/* ---------------------------------------------------------------- kept pairs */

/* Pairs are kept where at most one item in this many changes between two searches. In a large
 * tree the searches of single items miss the caches; a walk in the order of cells does not. */
enum { KEEPING_PAYS = 8, KEEPING_PAYS_IN_LARGE_TREE = 16, LARGE_TREE = 20000 };

/* Keeps a list of all pairs, if there is memory for it. */
static void keep_pairs(sat_Quadtree *tree, const sat_ItemPairs *found) {
  sat_tree_forget_pairs(tree);
  if (found->count > UINT32_MAX / 2) return;
  uint32_t count = (uint32_t)found->count;
  if (tree->capacities[SAT_KEPT_PAIRS] < count &&
      sat_tree_reserve(tree, SAT_KEPT_PAIRS, SAT_KEPT_PAIRS, count + count / 4))
    return;
  if (count) memcpy(tree->kept_pairs, found->at, count * sizeof *found->at);
  tree->kept_count = count;
  tree->pairs_kept = true;
}

/* The list of a search begins with the kept pairs of items that have not changed. */
static sat_Status list_unchanged(const sat_Quadtree *tree, sat_ItemPairs *found) {
  sat_Status status = SAT_LIST_RESERVE(found, tree->kept_count);
  if (status) return status;
  sat_ItemPair *at = found->at;
  for (uint32_t i = 0; i < tree->kept_count; i++) {
    sat_ItemPair pair = tree->kept_pairs[i];
    *at = pair;
    at += !((tree->item_flags[pair.a] | tree->item_flags[pair.b]) & SAT_ITEM_CHANGED);
  }
  found->count = (size_t)(at - found->at);
  return SAT_OK;
}

static sat_Status update_kept(sat_Quadtree *tree, sat_ItemPairs *found) {
  PairWalk walk;
  init_walk(&walk, tree, found);
  walk.has_changed = true;
  sat_Status status = list_unchanged(tree, found);
  for (uint32_t i = 0; i < tree->changed_count && !status; i++)
    if (sat_tree_holds(tree, tree->changed[i]))
      status = search_from(&walk, tree->entry_of_item[tree->changed[i]]);
  return status ? status : report_pairs(&walk);
}

sat_Status sat_quadtree_pairs(sat_Quadtree *tree, sat_ItemPairs *found) {
  found->count = 0;
  sat_Status status = sat_quadtree_flush_sorted(tree, tree->count / FEW_STRAYS);
  uint32_t pays = tree->count < LARGE_TREE ? KEEPING_PAYS : KEEPING_PAYS_IN_LARGE_TREE;
  bool few = tree->changes <= tree->count / pays;
  if (!status) status = few && tree->pairs_kept ? update_kept(tree, found) : walk_tree(tree, found);
  if (status == SAT_MISS) {
    found->count = 0;
    status = sat_sweep_pairs(tree, found);
  }
  if (status) {
    found->count = 0;
    return status;
  }
  if (few) keep_pairs(tree, found);
  else sat_tree_forget_pairs(tree);
  tree->changes = 0;
  return SAT_OK;
}
