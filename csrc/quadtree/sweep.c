/* sweep.c: finds all overlapping pairs by a sweep along x.
 *
 * A vertical line passes the boxes from left to right. The boxes that it crosses are active; each
 * box meets the active ones when the line reaches its left side. All boxes are the leaves of a
 * tree, in the order of their tops. A leaf has the bottom of its box, or minus infinity while the
 * box is not active, and an inner node has the greatest bottom of its leaves. The active boxes that
 * overlap a range of y are in the first leaves, those with a top in the range or above; a descent
 * to bottoms in the range or below finds each of the boxes in O(log n).
 *
 * All comparisons are those of sat_rectangles_overlap, in doubles. */
#include "base/heap.h"
#include "quadtree/store.h"

/* The greatest bottoms of all active boxes, and of those that are not static. The latter are kept
 * where any box is static. */
enum { ALL, MOVING, TREES };

typedef struct Sweep {
  const sat_Quadtree *tree;
  sat_ItemPairs *found;
  uint32_t count;
  sat_SweepSlot *by_left, *by_right, *by_top;
  uint32_t leaves, *leaf_of_item;
  int trees;
  double *bottoms[TREES];
  /* the box that the line has reached */
  sat_Item item;
  uint32_t end; /* the leaves before `end` have a top at or above the box's bottom */
} Sweep;

#define IS_BELOW(by, a, b) ((a)->at < (b)->at)
SAT_DEFINE_MERGESORT(sat_SweepSlot, slots, IS_BELOW)

static void set_bottom(const Sweep *sweep, int which, uint32_t leaf, double bottom) {
  double *bottoms = sweep->bottoms[which];
  size_t node = (size_t)sweep->leaves + leaf;
  bottoms[node] = bottom;
  for (node /= 2; node > 0; node /= 2) {
    double most = max2(bottoms[2 * node], bottoms[2 * node + 1]);
    if (bottoms[node] == most) return;
    bottoms[node] = most;
  }
}

static void set_active(const Sweep *sweep, sat_Item item, bool active) {
  double bottom = active ? sat_bottom(&sweep->tree->boxes[item]) : -HUGE_VAL;
  uint32_t leaf = sweep->leaf_of_item[item];
  set_bottom(sweep, ALL, leaf, bottom);
  if (sweep->trees == TREES && !sat_quadtree_is_static(sweep->tree, item))
    set_bottom(sweep, MOVING, leaf, bottom);
}

static uint32_t count_tops(const Sweep *sweep, double bottom) {
  uint32_t first = 0, count = sweep->count;
  while (count > 1) {
    uint32_t half = count / 2;
    first += sweep->by_top[first + half - 1].at <= bottom ? half : 0;
    count -= half;
  }
  return first + (sweep->by_top[first].at <= bottom);
}

/* Pairs the box with the active boxes below a node whose `width` leaves begin at `first`. */
static sat_Status pair_active(const Sweep *sweep, const double *bottoms, uint32_t node,
                              uint32_t first, uint32_t width) {
  if (first >= sweep->end || bottoms[node] < sweep->tree->boxes[sweep->item].y) return SAT_OK;
  if (width == 1) {
    sat_Item a = sweep->item, b = sweep->by_top[first].item;
    return SAT_LIST_ADD(sweep->found, a < b ? (sat_ItemPair){a, b} : (sat_ItemPair){b, a});
  }
  width /= 2;
  sat_Status status = pair_active(sweep, bottoms, 2 * node, first, width);
  return status ? status : pair_active(sweep, bottoms, 2 * node + 1, first + width, width);
}

static sat_Status pair_all(Sweep *sweep) {
  const sat_Quadtree *tree = sweep->tree;
  uint32_t left_behind = 0;
  for (uint32_t i = 0; i < sweep->count; i++) {
    sweep->item = sweep->by_left[i].item;
    for (; sweep->by_right[left_behind].at < sweep->by_left[i].at; left_behind++)
      set_active(sweep, sweep->by_right[left_behind].item, false);
    sweep->end = count_tops(sweep, sat_bottom(&tree->boxes[sweep->item]));
    bool is_static = sweep->trees == TREES && sat_quadtree_is_static(tree, sweep->item);
    sat_Status status =
        pair_active(sweep, sweep->bottoms[is_static ? MOVING : ALL], 1, 0, sweep->leaves);
    if (status) return status;
    set_active(sweep, sweep->item, true);
  }
  return SAT_OK;
}

static void sort_boxes(Sweep *sweep, sat_SweepSlot *spare) {
  const sat_Quadtree *tree = sweep->tree;
  uint32_t count = 0;
  for (sat_Item item = 0; item < tree->item_end; item++) {
    if (!sat_tree_holds(tree, item)) continue;
    const sat_Rectangle *box = &tree->boxes[item];
    if (tree->item_flags[item] & SAT_ITEM_STATIC) sweep->trees = TREES;
    sweep->by_left[count] = (sat_SweepSlot){box->x, item};
    sweep->by_right[count] = (sat_SweepSlot){sat_right(box), item};
    sweep->by_top[count++] = (sat_SweepSlot){box->y, item};
  }
  slots_sort(sweep->by_left, spare, count, NULL);
  slots_sort(sweep->by_right, spare, count, NULL);
  slots_sort(sweep->by_top, spare, count, NULL);
  for (uint32_t leaf = 0; leaf < count; leaf++)
    sweep->leaf_of_item[sweep->by_top[leaf].item] = leaf;
}

/* The working memory is one array of slots: three sorted lists, the leaves of the items, and the
 * bottoms, which take the place of the list that sorting needs. A slot has room for two doubles. */
sat_Status sat_sweep_pairs(sat_Quadtree *tree, sat_ItemPairs *found) {
  Sweep sweep = {.tree = tree, .found = found, .count = tree->count, .leaves = 1, .trees = 1};
  if (tree->count == 0) return SAT_OK;
  while (sweep.leaves < sweep.count) sweep.leaves *= 2;
  uint64_t numbered = tree->item_end / 4 + 1, slots = 3 * (uint64_t)sweep.count + numbered;
  slots += TREES * (uint64_t)sweep.leaves;
  if (slots > UINT32_MAX) return SAT_ENOMEM;
  sat_Status status = sat_tree_reserve(tree, SAT_SWEEP, SAT_SWEEP, (uint32_t)slots);
  if (status) return status;
  sweep.by_left = tree->sweep;
  sweep.by_right = sweep.by_left + sweep.count;
  sweep.by_top = sweep.by_right + sweep.count;
  sweep.leaf_of_item = (uint32_t *)(void *)(sweep.by_top + sweep.count);
  sat_SweepSlot *spare = sweep.by_top + sweep.count + numbered;
  sort_boxes(&sweep, spare);
  for (int which = 0; which < sweep.trees; which++) {
    sweep.bottoms[which] = (double *)(void *)(spare + (size_t)which * sweep.leaves);
    for (uint32_t i = 0; i < 2 * sweep.leaves; i++) sweep.bottoms[which][i] = -HUGE_VAL;
  }
  return pair_all(&sweep);
}
