/* quadtree.c: construction of a tree, changes of its items, and reading. */
#include "quadtree/store.h"

/* The capacity of the dirty list: one item in FLUSHED_ONE_BY_ONE, and FEWEST_DIRTY more. More
 * changes rebuild the whole tree. */
enum { FLUSHED_ONE_BY_ONE = 8, FEWEST_DIRTY = 32 };
enum { FEWEST_ITEMS = 16 };

size_t sat_quadtree_size(void) { return sizeof(sat_Quadtree); }

sat_Status sat_quadtree_init(sat_Quadtree *tree, sat_Allocator allocator, sat_Rectangle area,
                             uint32_t capacity, uint32_t depth) {
  sat_Status status = sat_rectangle_check(&area);
  if (status) return status;
  if (!(area.w > 0 && area.h > 0) || capacity == 0) return SAT_EVALUE;
  if (depth > SAT_QUADTREE_DEEPEST && depth != SAT_QUADTREE_FASTEST) return SAT_EVALUE;
  *tree = (sat_Quadtree){.allocator = allocator,
                         .area = area,
                         .split_above = capacity,
                         .deepest = depth,
                         .free_item = SAT_FREE_END,
                         .free_entry = SAT_NULL_INDEX};
  return SAT_OK;
}

/* ---------------------------------------------------------------- arrays */

static const struct {
  size_t offset, size;
} arrays[] = {
#define ARRAY(index, field) {offsetof(sat_Quadtree, field), sizeof *((sat_Quadtree *)NULL)->field},
    SAT_FOR_TREE_ARRAYS(ARRAY)};

/* The arrays have various types, so their pointers are copied as bytes. */
static bool resize(sat_Quadtree *tree, int array, uint32_t count) {
  char *field = (char *)tree + arrays[array].offset;
  size_t size = arrays[array].size;
  void *block;
  memcpy(&block, field, sizeof block);
  block = tree->allocator.allocate(tree->allocator.context, block, tree->capacities[array] * size,
                                   count * size);
  if (count && !block) return false; /* the old block is intact */
  memcpy(field, &block, sizeof block);
  tree->capacities[array] = count;
  return true;
}

sat_Status sat_tree_reserve(sat_Quadtree *tree, int first, int last, uint32_t count) {
  for (int array = first; array <= last; array++)
    if (tree->capacities[array] < count && !resize(tree, array, count)) return SAT_ENOMEM;
  return SAT_OK;
}

void sat_quadtree_free(sat_Quadtree *tree) {
  for (int array = 0; array < SAT_TREE_ARRAYS; array++)
    if (tree->capacities[array]) resize(tree, array, 0);
  sat_quadtree_init(tree, tree->allocator, tree->area, tree->split_above, tree->deepest);
}

void sat_quadtree_clear(sat_Quadtree *tree) { sat_quadtree_free(tree); }

size_t sat_quadtree_bytes(const sat_Quadtree *tree) {
  size_t bytes = 0;
  for (int array = 0; array < SAT_TREE_ARRAYS; array++)
    bytes += tree->capacities[array] * arrays[array].size;
  return bytes;
}

/* ---------------------------------------------------------------- items */

/* The capacity grows by half, so that the cost of an insertion is constant on average. */
sat_Status sat_tree_reserve_items(sat_Quadtree *tree, size_t end) {
  size_t wanted = end;
  uint32_t capacity = tree->capacities[SAT_BOXES];
  if (wanted > SAT_MOST_ITEMS) return SAT_ENOMEM;
  if (wanted <= capacity) wanted = capacity;
  else if (wanted < capacity + capacity / 2) wanted = capacity + capacity / 2;
  if (wanted < FEWEST_ITEMS) wanted = FEWEST_ITEMS;
  sat_Status status = sat_tree_reserve(tree, SAT_BOXES, SAT_ITEM_FLAGS, (uint32_t)wanted);
  if (status) return status;
  return sat_tree_reserve(tree, SAT_DIRTY, SAT_CHANGED_ITEMS,
                          (uint32_t)wanted / FLUSHED_ONE_BY_ONE + FEWEST_DIRTY);
}

/* Lists an item whose pairs may have changed. Past the capacity of the list the pairs are
 * forgotten. */
static void mark_changed(sat_Quadtree *tree, sat_Item item) {
  tree->changes++;
  if (!tree->pairs_kept || (tree->item_flags[item] & SAT_ITEM_CHANGED)) return;
  if (tree->changed_count == tree->capacities[SAT_CHANGED_ITEMS]) {
    sat_tree_forget_pairs(tree);
    return;
  }
  tree->item_flags[item] |= SAT_ITEM_CHANGED;
  tree->changed[tree->changed_count++] = item;
}

/* Lists an item that is not dirty yet. Past the capacity of the list the item stays unlisted: the
 * rebuild moves every item, and the kept pairs are forgotten. */
static void list_dirty(sat_Quadtree *tree, sat_Item item) {
  if (tree->dirty_count == tree->capacities[SAT_DIRTY] ||
      tree->dirty_count >= tree->count / FLUSHED_ONE_BY_ONE + FEWEST_DIRTY) {
    tree->rebuild = true;
    tree->changes = tree->count;
    sat_tree_forget_pairs(tree);
    return;
  }
  tree->item_flags[item] |= SAT_ITEM_DIRTY;
  tree->dirty[tree->dirty_count++] = item;
  mark_changed(tree, item);
}

/* Marks an item dirty and lists it as changed. Once `rebuild` is set, this function only tests. */
SAT_INLINE void mark_dirty(sat_Quadtree *tree, sat_Item item) {
  if (!tree->rebuild && !(tree->item_flags[item] & SAT_ITEM_DIRTY)) list_dirty(tree, item);
}

/* Adds an item, for which memory is reserved; free ids are used first. */
static sat_Item add_item(sat_Quadtree *tree, const sat_Rectangle *box) {
  sat_Item item = tree->item_end;
  if (tree->free_item != SAT_FREE_END) {
    item = tree->free_item - SAT_FREE;
    tree->free_item = tree->entry_of_item[item];
  } else {
    tree->item_end++;
    tree->item_flags[item] = 0;
  }
  tree->boxes[item] = *box;
  tree->entry_of_item[item] = SAT_NO_ENTRY;
  tree->count++;
  mark_dirty(tree, item);
  return item;
}

sat_Status sat_quadtree_insert(sat_Quadtree *tree, sat_Rectangle box, sat_Item *item) {
  sat_Status status = sat_rectangle_check(&box);
  if (!status) status = sat_tree_reserve_items(tree, tree->count + (size_t)1);
  if (!status) *item = add_item(tree, &box);
  return status;
}

sat_Status sat_quadtree_build(sat_Quadtree *tree, const sat_Rectangle *boxes, size_t count,
                              sat_Item *items) {
  if (count == 0) return SAT_OK;
  for (size_t i = 0; i < count; i++) {
    sat_Status status = sat_rectangle_check(&boxes[i]);
    if (status) return status;
  }
  if (count > SAT_MOST_ITEMS) return SAT_ENOMEM;
  sat_Status status = sat_tree_reserve_items(tree, tree->count + count);
  if (status) return status;
  for (size_t i = 0; i < count; i++) items[i] = add_item(tree, &boxes[i]);
  return SAT_OK;
}

sat_Status sat_quadtree_update(sat_Quadtree *tree, sat_Item item, sat_Rectangle box) {
  SAT_ASSERT(sat_tree_holds(tree, item));
  sat_Status status = sat_rectangle_check(&box);
  if (status) return status;
  tree->boxes[item] = box;
  mark_dirty(tree, item);
  return SAT_OK;
}

void sat_quadtree_remove(sat_Quadtree *tree, sat_Item item) {
  sat_tree_drop(tree, item);
  tree->entry_of_item[item] = tree->free_item;
  tree->free_item = SAT_FREE + item;
}

void sat_tree_put(sat_Quadtree *tree, sat_Item item, const sat_Rectangle *box) {
  for (; tree->item_end <= item; tree->item_end++) {
    tree->entry_of_item[tree->item_end] = SAT_FREE_END;
    tree->item_flags[tree->item_end] = 0;
  }
  if (!sat_tree_holds(tree, item)) {
    tree->entry_of_item[item] = SAT_NO_ENTRY;
    tree->count++;
  }
  /* A copy of two numbers at once would wait for the two stores that have just made them. */
  tree->boxes[item] = (sat_Rectangle){box->x, box->y, box->w, box->h};
  mark_dirty(tree, item);
}

/* The flags of the lists may stay set: the next item with this id is dirty and changed anyway. */
void sat_tree_drop(sat_Quadtree *tree, sat_Item item) {
  SAT_ASSERT(sat_tree_holds(tree, item));
  if (tree->entry_of_item[item] != SAT_NO_ENTRY) sat_entry_remove(tree, tree->entry_of_item[item]);
  tree->entry_of_item[item] = SAT_FREE_END;
  mark_changed(tree, item);
  tree->item_flags[item] &= (uint8_t)~SAT_ITEM_STATIC;
  tree->count--;
  sat_tree_age_bounds(tree, 1);
}

void sat_quadtree_set_static(sat_Quadtree *tree, sat_Item item, bool fixed) {
  SAT_ASSERT(sat_tree_holds(tree, item));
  mark_changed(tree, item);
  tree->item_flags[item] &= (uint8_t)~SAT_ITEM_STATIC;
  if (fixed) tree->item_flags[item] |= SAT_ITEM_STATIC;
  if (tree->entry_of_item[item] != SAT_NO_ENTRY)
    tree->entries[tree->entry_of_item[item]].id = sat_tree_id(tree, item);
}

bool sat_tree_has_static(const sat_Quadtree *tree) {
  uint8_t flags = 0;
  for (sat_Item item = 0; item < tree->item_end; item++) flags |= tree->item_flags[item];
  return flags & SAT_ITEM_STATIC;
}

size_t sat_quadtree_count(const sat_Quadtree *tree) { return tree->count; }

bool sat_quadtree_has(const sat_Quadtree *tree, sat_Item item) {
  return sat_tree_holds(tree, item);
}

bool sat_quadtree_is_static(const sat_Quadtree *tree, sat_Item item) {
  SAT_ASSERT(sat_tree_holds(tree, item));
  return tree->item_flags[item] & SAT_ITEM_STATIC;
}

sat_Rectangle sat_quadtree_box(const sat_Quadtree *tree, sat_Item item) {
  SAT_ASSERT(sat_tree_holds(tree, item));
  return tree->boxes[item];
}
