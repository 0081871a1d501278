/* quadtree_settle.c: puts what has changed into its place: one by one into holes and the overflow
 * while it is little, and by a counting sort of everything when it is much. */
#include "quadtree.h"

/* The overflow takes one in this many items, and some, before all is sorted anew. */
enum { OVERFLOWING = 4, LEAST_OVERFLOW = 64 };
/* A level has at least so many cells. */
enum { FEWEST_CELLS = 16 };
/* The size of the plane that most items lie in is estimated from so many. */
enum { SAMPLES = 64 };

/* ---------------------------------------------------------------- one by one */

static void set_slot(sat_Quadtree *tree, uint32_t slot, sat_Item item, uint32_t cell) {
  sat_four_store(tree->outer[slot], sat_outer(&tree->boxes[item]));
  tree->ids[slot] = sat_tree_id(tree, item);
  tree->cells[slot] = cell;
  tree->places[item] = slot;
}

static void unchain(sat_Quadtree *tree, uint32_t slot) {
  uint32_t *link = &tree->heads[tree->cells[slot]];
  while (*link != slot) link = &tree->next[*link - tree->sorted_end];
  *link = tree->next[slot - tree->sorted_end];
}

void sat_tree_vacate(sat_Quadtree *tree, uint32_t slot) {
  tree->places[tree->ids[slot] & ~SAT_STATIC_BIT] = SAT_UNPLACED;
  tree->ids[slot] = SAT_NONE;
  sat_four_store(tree->outer[slot], sat_outer_of_none());
  if (slot < tree->sorted_end) {
    tree->holes++;
    return;
  }
  unchain(tree, slot);
  tree->next[slot - tree->sorted_end] = tree->free_slot;
  tree->free_slot = slot;
  tree->overflow--;
}

/* A slot of the overflow, linked into the chain of its cell, or SAT_NONE. */
static uint32_t take_overflow(sat_Quadtree *tree, uint32_t cell) {
  uint32_t slot = tree->free_slot;
  if (slot != SAT_NONE) {
    tree->free_slot = tree->next[slot - tree->sorted_end];
  } else {
    slot = tree->slot_end;
    if (slot - tree->sorted_end >= tree->overflow_limit) return SAT_NONE;
    if (slot == tree->sorted_end) memset(tree->heads, 0xff, tree->cell_end * sizeof *tree->heads);
    tree->slot_end++;
  }
  tree->next[slot - tree->sorted_end] = tree->heads[cell];
  tree->heads[cell] = slot;
  tree->overflow++;
  return slot;
}

/* A slot for what comes to a cell, or SAT_NONE. */
static uint32_t take_slot(sat_Quadtree *tree, uint32_t cell) {
  if (tree->holes)
    for (uint32_t slot = tree->starts[cell]; slot < tree->starts[cell + 1]; slot++)
      if (tree->ids[slot] == SAT_NONE) {
        tree->holes--;
        return slot;
      }
  return take_overflow(tree, cell);
}

/* False where there is no place: everything has to be sorted. */
static bool place(sat_Quadtree *tree, sat_Item item) {
  const sat_Rectangle *box = &tree->boxes[item];
  const sat_Level *level = &tree->levels[sat_level_of(tree->finest, box)];
  if (!level->mask) return false;
  uint32_t cell = sat_cell_of(level, box), slot = tree->places[item];
  if (slot != SAT_UNPLACED) {
    if (tree->cells[slot] == cell) {
      sat_four_store(tree->outer[slot], sat_outer(box));
      return true;
    }
    sat_tree_vacate(tree, slot);
  }
  slot = take_slot(tree, cell);
  if (slot == SAT_NONE) return false;
  set_slot(tree, slot, item, cell);
  return true;
}

static void forget_notes(sat_Quadtree *tree) {
  for (uint32_t i = 0; i < tree->moved_count; i++)
    tree->marks[tree->moved[i]] &= (uint8_t)~SAT_MARK_MOVED;
  tree->moved_count = 0;
  tree->crowded = false;
}

/* False where all has to be sorted anew, which then remains so until it is done. */
static bool place_noted(sat_Quadtree *tree) {
  for (uint32_t i = 0; i < tree->moved_count && !tree->crowded; i++) {
    sat_Item item = tree->moved[i];
    tree->crowded = sat_tree_holds(tree, item) && !place(tree, item);
  }
  if (tree->crowded) return false;
  forget_notes(tree);
  return true;
}

/* ---------------------------------------------------------------- how items are spread */

static void sort_numbers(double *numbers, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    double number = numbers[i];
    uint32_t at = i;
    for (; at > 0 && numbers[at - 1] > number; at--) numbers[at] = numbers[at - 1];
    numbers[at] = number;
  }
}

/* From the eighth to the seventh eighth of them, and as much again at both ends as is then left
 * out: one item far away must not count. */
static double spread_of(double *numbers, uint32_t count) {
  if (count == 0) return 0;
  sort_numbers(numbers, count);
  uint32_t aside = count / 8;
  return (numbers[count - 1 - aside] - numbers[aside]) * (4.0 / 3);
}

static void measure_spread(sat_Quadtree *tree) {
  double x[SAMPLES], y[SAMPLES];
  uint32_t count = 0, step = tree->item_end / SAMPLES + 1;
  for (uint32_t item = step / 2; item < tree->item_end && count < SAMPLES; item += step) {
    if (!sat_tree_holds(tree, item)) continue;
    x[count] = tree->boxes[item].x;
    y[count++] = tree->boxes[item].y;
  }
  tree->width = spread_of(x, count);
  tree->height = spread_of(y, count);
}

/* The finest cells are the widest of which there are as many as items. */
static int finest_for(const sat_Quadtree *tree) {
  double width = tree->width, height = tree->height, count = tree->count;
  int exponent;
  frexp(max2(max2(width, height), 0x1p-900), &exponent);
  for (int tries = 0; tries < 40; tries++, exponent--) {
    double inverse = ldexp(1, -exponent);
    if ((width * inverse + 1) * (height * inverse + 1) >= count) break;
  }
  return exponent;
}

/* ---------------------------------------------------------------- everything */

static void count_levels(sat_Quadtree *tree) {
  for (uint32_t level = 0; level < SAT_LEVELS; level++) tree->levels[level].count = 0;
  for (sat_Item item = 0; item < tree->item_end; item++)
    if (sat_tree_holds(tree, item))
      tree->levels[sat_level_of(tree->finest, &tree->boxes[item])].count++;
}

/* As many cells as items, more or less. */
static uint32_t cells_for(uint32_t count) {
  uint32_t cells = FEWEST_CELLS;
  while (cells < count - count / 4) cells *= 2;
  return cells;
}

/* Between the starts of two rows, so many that the rows of most items do not lie on each other, and
 * that no two of the nine cells around one are the same. */
static uint32_t stride_for(const sat_Quadtree *tree, const sat_Level *level) {
  double columns = tree->width * level->inverse + 4;
  double most = (level->mask - 3) / 2;
  return (uint32_t)clamp(columns, 4, most);
}

static void lay_out_levels(sat_Quadtree *tree) {
  uint32_t first = 0;
  tree->used_levels = 0;
  for (uint32_t i = 0; i < SAT_LEVELS; i++) {
    sat_Level *level = &tree->levels[i];
    level->mask = 0;
    level->first = first;
    if (!level->count) continue;
    tree->used_levels |= UINT64_C(1) << i;
    level->mask = cells_for(level->count) - 1;
    level->inverse = i < SAT_LEVELS - 1 ? ldexp(1, -(tree->finest + (int)i)) : 0;
    level->stride = stride_for(tree, level);
    first += level->mask + 1;
  }
  tree->cell_end = first;
}

/* Where each cell's slots end. Until they have their slots, items have their cell for a place. */
static void count_cells(sat_Quadtree *tree) {
  uint32_t *starts = tree->starts;
  memset(starts, 0, (tree->cell_end + 1) * sizeof *starts);
  for (sat_Item item = 0; item < tree->item_end; item++) {
    if (!sat_tree_holds(tree, item)) continue;
    const sat_Rectangle *box = &tree->boxes[item];
    uint32_t cell = sat_cell_of(&tree->levels[sat_level_of(tree->finest, box)], box);
    tree->places[item] = cell;
    starts[cell]++;
  }
  for (uint32_t cell = 1; cell <= tree->cell_end; cell++) starts[cell] += starts[cell - 1];
}

/* From the last to the first, so that a cell's items are in ascending order. */
static void fill_slots(sat_Quadtree *tree) {
  for (sat_Item item = tree->item_end; item-- > 0;)
    if (tree->places[item] < SAT_FREE) {
      uint32_t cell = tree->places[item];
      set_slot(tree, --tree->starts[cell], item, cell);
    }
}

/* All the memory that sorting needs, before anything is changed. */
static sat_Status reserve_all(sat_Quadtree *tree) {
  uint32_t count = tree->count, overflow = count / OVERFLOWING + LEAST_OVERFLOW;
  uint32_t levels = count < SAT_LEVELS ? count : SAT_LEVELS;
  uint32_t cells = count + count / 2 + FEWEST_CELLS * levels + 1;
  sat_Status status = sat_tree_reserve(tree, SAT_OUTER, SAT_CELLS, count + overflow);
  if (!status) status = sat_tree_reserve(tree, SAT_NEXT, SAT_NEXT, overflow);
  if (!status) status = sat_tree_reserve(tree, SAT_STARTS, SAT_HEADS, cells);
  if (!status) tree->overflow_limit = overflow;
  return status;
}

static sat_Status sort_all(sat_Quadtree *tree) {
  sat_Status status = reserve_all(tree);
  if (status) return status;
  measure_spread(tree);
  tree->finest = finest_for(tree);
  count_levels(tree);
  lay_out_levels(tree);
  count_cells(tree);
  fill_slots(tree);
  tree->sorted_end = tree->slot_end = tree->count;
  tree->holes = tree->overflow = 0;
  tree->free_slot = SAT_NONE;
  forget_notes(tree);
  return SAT_OK;
}

sat_Status sat_tree_settle(sat_Quadtree *tree) {
  if (!tree->moved_count && !tree->crowded) return SAT_OK;
  return place_noted(tree) ? SAT_OK : sort_all(tree);
}

sat_Status sat_tree_settle_sorted(sat_Quadtree *tree) {
  bool placed = place_noted(tree);
  if (placed && !tree->overflow && tree->holes <= tree->count / OVERFLOWING) return SAT_OK;
  return sort_all(tree);
}
