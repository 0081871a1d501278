/* pairs.c: all pairs, in one walk over the slots in the order of their cells.
 *
 * Of two adjacent cells of a level the one that is to the left, or above, meets the other: the rest
 * of a box's own cell and the next one lie side by side, as do the three below. Of two
 * levels the boxes of one look for those of the other. What has left its cell since all were sorted
 * comes last. */
#include "quadtree/quadtree.h"

/* What overlaps in single precision is looked at closely, so many pairs at once. */
enum { ROOM = 256 };

/* Looking for what has left its cell takes a few times as long as sorting an item: all are sorted
 * anew when more than one in so many has. */
enum { FEW_STRAYS = 16 };

/* Most boxes have no more than so many others beside them, and below. */
enum { FIRST_BESIDE = 3, FIRST_BELOW = 6 };

typedef struct Walk {
  const sat_Quadtree *tree;
  sat_ItemPairs *found;
  uint32_t count;
  uint32_t firsts[2 * ROOM], seconds[2 * ROOM]; /* slots */
} Walk;

/* ---------------------------------------------------------------- looking closely */

static bool boxes_overlap(const sat_Quadtree *tree, uint32_t first, uint32_t second) {
  sat_Four a = sat_four_load(tree->slots[first].outer),
           b = sat_four_load(tree->slots[second].outer);
  if (sat_four_below(b, sat_sure_reach(sat_reach(a)))) return true;
  return sat_rectangles_overlap(&tree->boxes[tree->slots[first].id & ~SAT_STATIC_BIT],
                                &tree->boxes[tree->slots[second].id & ~SAT_STATIC_BIT]);
}

static sat_Status flush(Walk *walk) {
  if (walk->count == 0) return SAT_OK;
  const sat_Quadtree *tree = walk->tree;
  sat_Status status = sat_item_pairs_reserve(walk->found, walk->count);
  if (status) return status;
  sat_ItemPair *at = walk->found->at + walk->found->count;
  for (uint32_t i = 0; i < walk->count; i++) {
    uint32_t a = tree->slots[walk->firsts[i]].id, b = tree->slots[walk->seconds[i]].id;
    bool both_static = a & b & SAT_STATIC_BIT;
    a &= ~SAT_STATIC_BIT;
    b &= ~SAT_STATIC_BIT;
    at->a = a < b ? a : b;
    at->b = a < b ? b : a;
    at += !both_static && boxes_overlap(tree, walk->firsts[i], walk->seconds[i]);
  }
  walk->found->count = (size_t)(at - walk->found->at);
  walk->count = 0;
  return SAT_OK;
}

/* ---------------------------------------------------------------- walking */

/* A box against the slots from `start` to before `end`. */
SAT_INLINE sat_Status meet(Walk *walk, uint32_t slot, sat_Four reach, uint32_t start,
                           uint32_t end) {
  if (walk->count >= ROOM && flush(walk)) return SAT_ENOMEM;
  while (start < end) {
    uint32_t stop = end - start > ROOM ? start + ROOM : end, count = walk->count;
    for (; start < stop; start++) {
      walk->firsts[count] = slot;
      walk->seconds[count] = start;
      count += sat_four_below(sat_four_load(walk->tree->slots[start].outer), reach);
    }
    walk->count = count;
    if (count >= ROOM && flush(walk)) return SAT_ENOMEM;
  }
  return SAT_OK;
}

/* A box against the first `most` of the slots from `start` to before `end`, or as many as there
 * are: no branch depends on how many. There is something in the slots behind the last. */
SAT_INLINE void meet_first(Walk *walk, uint32_t slot, sat_Four reach, uint32_t start, uint32_t end,
                           uint32_t most) {
  uint32_t count = walk->count;
#ifdef __GNUC__
#pragma GCC unroll 8
#endif
  for (uint32_t i = 0; i < most; i++) {
    walk->firsts[count] = slot;
    walk->seconds[count] = start + i;
    count += (start + i < end) &
             sat_four_below(sat_four_load(walk->tree->slots[start + i].outer), reach);
  }
  walk->count = count;
}

/* A box against `count` cells from one on, on the ring. */
static sat_Status meet_cells(Walk *walk, const sat_Level *level, uint32_t slot, sat_Four reach,
                             uint32_t cell, uint32_t count) {
  const uint32_t *starts = walk->tree->starts + level->first;
  uint32_t end = (cell &= level->mask) + count, all = level->mask + 1;
  if (end <= all) return meet(walk, slot, reach, starts[cell], starts[end]);
  sat_Status status = meet(walk, slot, reach, starts[cell], starts[all]);
  return status ? status : meet(walk, slot, reach, starts[0], starts[end - all]);
}

static sat_Status meet_own_level(Walk *walk, const sat_Level *level, uint32_t slot,
                                 sat_Four reach) {
  const uint32_t *starts = walk->tree->starts + level->first;
  uint32_t cell = walk->tree->slots[slot].cell - level->first, below = cell + level->stride;
  sat_Status status;
  if (below + 1 <= level->mask) {
    uint32_t end = starts[cell + 2], start_below = starts[below - 1], end_below = starts[below + 2];
    meet_first(walk, slot, reach, slot + 1, end, FIRST_BESIDE);
    meet_first(walk, slot, reach, start_below, end_below, FIRST_BELOW);
    if (walk->count < ROOM && end - slot <= FIRST_BESIDE + 1 &&
        end_below - start_below <= FIRST_BELOW)
      return SAT_OK;
    status = meet(walk, slot, reach, slot + 1 + FIRST_BESIDE, end);
    return status ? status : meet(walk, slot, reach, start_below + FIRST_BELOW, end_below);
  }
  status = meet(walk, slot, reach, slot + 1, starts[cell + 1]);
  if (!status) status = meet_cells(walk, level, slot, reach, cell + 1, 1);
  return status ? status : meet_cells(walk, level, slot, reach, below - 1, 3);
}

static sat_Status meet_other_level(Walk *walk, const sat_Level *level, uint32_t slot,
                                   sat_Four reach) {
  const float *outer = walk->tree->slots[slot].outer;
  if (outer[0] == HUGE_VALF) return SAT_OK; /* a hole */
  sat_Range range = sat_range_of(walk->tree, level, (double)outer[0], (double)outer[1],
                                 -(double)outer[2], -(double)outer[3]);
  /* far from 0 a box in single precision may be much larger than a cell */
  if (sat_range_meets_itself(level, range))
    return meet_cells(walk, level, slot, reach, 0, level->mask + 1);
  uint32_t columns = (uint32_t)(range.right - range.left) + 1;
  for (int32_t row = range.top; row <= range.bottom; row++) {
    uint32_t cell = sat_ring_index(level, range.left, row);
    sat_Status status = meet_cells(walk, level, slot, reach, cell, columns);
    if (status) return status;
  }
  return SAT_OK;
}

static sat_Status walk_level(Walk *walk, const sat_Level *level) {
  const sat_Quadtree *tree = walk->tree;
  uint32_t end = tree->starts[level->first + level->mask + 1];
  uint64_t others = level->ups | level->downs;
  for (uint32_t slot = tree->starts[level->first]; slot < end; slot++) {
    sat_Four reach = sat_reach(sat_four_load(tree->slots[slot].outer));
    sat_Status status = meet_own_level(walk, level, slot, reach);
    for (uint64_t levels = others; levels && !status;)
      status = meet_other_level(walk, &tree->levels[sat_next_level(&levels)], slot, reach);
    if (status) return status;
  }
  return SAT_OK;
}

/* ---------------------------------------------------------------- the overflow */

/* What is in the overflow looks for all that it overlaps, wherever that is; two that both are in it
 * meet when the first one looks. */
typedef struct Stray {
  sat_Search search;
  Walk *walk;
  uint32_t slot;
  sat_Status status;
} Stray;

static bool take_stray(sat_Search *search) {
  Stray *stray = (Stray *)search;
  Walk *walk = stray->walk;
  uint32_t count = walk->count;
  for (uint32_t i = 0; i < search->count; i++) {
    uint32_t other = search->slots[i];
    walk->firsts[count] = stray->slot;
    walk->seconds[count] = other;
    count += other < search->tree->sorted_end || other > stray->slot;
  }
  walk->count = count;
  if (count >= ROOM) stray->status = flush(walk);
  return !stray->status;
}

static sat_Status walk_overflow(Walk *walk) {
  const sat_Quadtree *tree = walk->tree;
  Stray stray;
  stray.search.tree = tree;
  stray.search.take = take_stray;
  stray.walk = walk;
  stray.status = walk->count >= ROOM ? flush(walk) : SAT_OK;
  for (stray.slot = tree->sorted_end; stray.slot < tree->slot_end && !stray.status; stray.slot++) {
    uint32_t id = tree->slots[stray.slot].id;
    if (id != SAT_NONE) sat_search_box(&stray.search, &tree->boxes[id & ~SAT_STATIC_BIT]);
  }
  return stray.status;
}

sat_Status sat_quadtree_pairs(sat_Quadtree *tree, sat_ItemPairs *found) {
  found->count = 0;
  sat_Status status = sat_tree_settle_sorted(tree, tree->count / FEW_STRAYS);
  Walk walk;
  walk.tree = tree;
  walk.found = found;
  walk.count = 0;
  for (uint64_t levels = status ? 0 : tree->used_levels; levels && !status;)
    status = walk_level(&walk, &tree->levels[sat_next_level(&levels)]);
  if (!status && tree->overflow) status = walk_overflow(&walk);
  if (!status) status = flush(&walk);
  if (status) found->count = 0;
  return status;
}
