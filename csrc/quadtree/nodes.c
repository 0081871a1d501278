/* nodes.c: lists the cells that hold items and the larger cells that contain these, up to one root.
 *
 * A node is first a column and a row, counted from the origin, in the members x and y of its box,
 * and its height above the finest cells, in place of its level. The nodes of a height and the
 * parents of the nodes below are sorted and merged, height by height. All of these numbers are
 * exact: the width of a cell is a power of two times the finest, so halving a column gives the
 * parent's. */
#include "base/heap.h"
#include "quadtree/store.h"

/* Among nodes of the same height the last cell comes first: the list is reversed at the end. */
static bool comes_after(const sat_Node *a, const sat_Node *b) {
  if (a->level != b->level) return a->level > b->level;
  if (a->box.y != b->box.y) return a->box.y < b->box.y;
  return a->box.x < b->box.x;
}
SAT_DEFINE_SORT(sat_Node, nodes, comes_after)

/* Sorts the nodes from `first` on, and merges those of the same cell. */
static void merge_nodes(sat_Nodes *nodes, size_t first) {
  if (nodes->count == first) return;
  nodes_sort(nodes->at + first, nodes->count - first);
  size_t last = first;
  for (size_t i = first + 1; i < nodes->count; i++) {
    if (comes_after(&nodes->at[i], &nodes->at[last])) nodes->at[++last] = nodes->at[i];
    else nodes->at[last].count += nodes->at[i].count;
  }
  nodes->count = last + 1;
}

/* The last level has one cell for the whole plane. The nodes of its boxes are cells that are just
 * wide enough for them. */
static sat_Status add_item_node(const sat_Quadtree *tree, const sat_Rectangle *box,
                                sat_Nodes *nodes) {
  double inverse = tree->levels[sat_level_of(tree, box)].inverse;
  double cell = tree->finest_cell;
  uint32_t height = 0;
  /* halfway between two widths, so that rounding does not matter */
  double least = inverse > 0 ? 0.75 / inverse : sat_size_of(box);
  while (cell < least) {
    cell *= 2;
    height++;
  }
  sat_Rectangle at = {floor((box->x - tree->origin.x) / cell),
                      floor((box->y - tree->origin.y) / cell), 0, 0};
  return SAT_LIST_ADD(nodes, (sat_Node){at, height, 1});
}

static bool are_around_origin(const sat_Node *at, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (at[i].box.x < -1 || at[i].box.x > 0 || at[i].box.y < -1 || at[i].box.y > 0) return false;
  return true;
}

/* Appends the nodes of all heights behind the nodes of the items, which are sorted by height. Where
 * several nodes lie around the origin, their parent is the square around the origin: no halving of
 * columns joins the two sides. */
static sat_Status add_all_heights(sat_Nodes *nodes) {
  size_t items = nodes->count, next = 0, first = items, end = items;
  for (uint32_t height = nodes->at[0].level;; height++) {
    sat_Status status = SAT_OK;
    for (; first < end && !status; first++) {
      sat_Rectangle child = nodes->at[first].box;
      sat_Rectangle parent = {floor(child.x / 2), floor(child.y / 2), 0, 0};
      status = SAT_LIST_ADD(nodes, (sat_Node){parent, height, 0});
    }
    for (; !status && next < items && nodes->at[next].level <= height; next++) {
      sat_Node node = nodes->at[next];
      status = SAT_LIST_ADD(nodes, (sat_Node){node.box, height, node.count});
    }
    if (status) return status;
    merge_nodes(nodes, first);
    end = nodes->count;
    if (next < items) continue;
    if (end - first == 1) return SAT_OK;
    if (are_around_origin(nodes->at + first, end - first))
      return SAT_LIST_ADD(nodes, (sat_Node){{-0.5, -0.5, 0, 0}, height + 1, 0});
  }
}

/* Replaces columns, rows and heights by boxes and levels. */
static void place_nodes(const sat_Quadtree *tree, sat_Nodes *nodes) {
  uint32_t root = nodes->at[0].level, height = 0;
  double cell = tree->finest_cell;
  for (; height < root; height++) cell *= 2;
  for (size_t i = 0; i < nodes->count; i++) {
    sat_Node *node = &nodes->at[i];
    for (; height > node->level; height--) cell /= 2;
    node->level = root - height;
    node->box = (sat_Rectangle){tree->origin.x + node->box.x * cell,
                                tree->origin.y + node->box.y * cell, cell, cell};
  }
}

sat_Status sat_quadtree_nodes(sat_Quadtree *tree, sat_Nodes *nodes) {
  nodes->count = 0;
  sat_Status status = sat_quadtree_flush(tree);
  if (status || tree->count == 0) return status;
  for (sat_Item item = 0; item < tree->item_end && !status; item++)
    if (sat_tree_holds(tree, item)) status = add_item_node(tree, &tree->boxes[item], nodes);
  if (!status) merge_nodes(nodes, 0);
  size_t items = nodes->count; /* which the list of all heights follows */
  if (!status) status = add_all_heights(nodes);
  nodes->count -= status ? nodes->count : items;
  if (status) return status;
  memmove(nodes->at, nodes->at + items, nodes->count * sizeof *nodes->at);
  for (size_t i = 0, k = nodes->count; i + 1 < k--; i++)
    SAT_SWAP(sat_Node, &nodes->at[i], &nodes->at[k]);
  place_nodes(tree, nodes);
  return SAT_OK;
}
