/* bvh.c: builds and refits the bounding volume hierarchy over the pieces of a composite shape. */
#include "shape/bvh.h"

#include "base/memory.h"

/* Halving makes nodes of two sizes on each level, one apart. On the last level some may have a
 * piece too many, and are halved once more. */
uint32_t sat_bvh_node_count(uint32_t pieces) {
  uint32_t last = 1;
  while (pieces / last > SAT_LEAF) last *= 2;
  return 2 * last - 1 + (pieces / last == SAT_LEAF ? 2 * (pieces % last) : 0);
}

/* Fits the boxes of the subtree at `*at` to their pieces. */
static sat_Box fit_nodes(sat_BvhNode *nodes, const sat_Piece *pieces, uint32_t first,
                         uint32_t count, uint32_t *at) {
  uint32_t own = (*at)++;
  sat_BvhNode node = {sat_no_box(), 0, first, count, 0};
  if (count <= SAT_LEAF) {
    for (uint32_t i = first; i < first + count; i++)
      sat_grow_box(&node.box, &pieces[i].box, pieces[i].radius);
  } else {
    sat_Box low = fit_nodes(nodes, pieces, first, count / 2, at);
    sat_Box high = fit_nodes(nodes, pieces, first + count / 2, count - count / 2, at);
    sat_grow_box(&node.box, &low, 0);
    sat_grow_box(&node.box, &high, 0);
    node.count = 0;
  }
  node.skip = *at - own;
  nodes[own] = node;
  return node.box;
}

void sat_bvh_fit(sat_BvhNode *nodes, const sat_Piece *pieces, uint32_t count) {
  uint32_t at = 0;
  fit_nodes(nodes, pieces, 0, count, &at);
}

static double box_center_along(const sat_Piece *piece, bool upright) {
  const sat_Box *box = &piece->box;
  return upright ? box->min.y + box->max.y : box->min.x + box->max.x;
}

/* Partitions the pieces so that the `half` of them with the least centres come first. Hoare,
 * Algorithm 65: Find, 1961. Invariant: no piece before `low` has a greater centre than any from
 * `low` to `high`, and no piece after `high` a smaller one; low <= half <= high. The pivot's index
 * is random, since for every fixed index some input takes quadratic time: the upper bits of Knuth
 * and Lewis's generator (Press et al., Numerical recipes in C, section 7.1). */
static void split_pieces(sat_Piece *pieces, uint32_t count, uint32_t half, bool upright) {
  uint32_t low = 0, high = count - 1, random = count;
  while (low < high) {
    random = random * 1664525u + 1013904223u;
    uint32_t index = low + (uint32_t)((uint64_t)random * (high - low) >> 32);
    double pivot = box_center_along(&pieces[index], upright);
    uint32_t i = low, j = high;
    for (;;) {
      while (box_center_along(&pieces[i], upright) < pivot) i++;
      while (box_center_along(&pieces[j], upright) > pivot) j--;
      if (i >= j) break;
      SAT_SWAP(sat_Piece, &pieces[i], &pieces[j]);
      i++, j--;
    }
    if (half <= j) high = j;
    else low = j + 1;
  }
}

void sat_bvh_sort(sat_Piece *pieces, uint32_t count) {
  if (count <= SAT_LEAF) return;
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  for (uint32_t i = 0; i < count; i++) {
    for (int axis = 0; axis < 2; axis++) {
      double center = box_center_along(&pieces[i], axis);
      low[axis] = min2(low[axis], center);
      high[axis] = max2(high[axis], center);
    }
  }
  split_pieces(pieces, count, count / 2, high[1] - low[1] > high[0] - low[0]);
  sat_bvh_sort(pieces, count / 2);
  sat_bvh_sort(pieces + count / 2, count - count / 2);
}
