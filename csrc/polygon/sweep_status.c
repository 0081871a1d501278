/* sweep_status.c: the order of the vertices, and the edges under the sweep line in a splay tree. */
#include "base/heap.h"
#include "polygon/polygon.h"

#define COMES_BEFORE(points, a, b)                                                                 \
  sweep_precedes(((const sat_Vec2 *)(points))[*(a)], ((const sat_Vec2 *)(points))[*(b)])
SAT_DEFINE_MERGESORT(uint32_t, order, COMES_BEFORE)

void sat_sweep_order(const sat_Vec2 *points, size_t count, uint32_t *order, uint32_t *spare) {
  for (size_t i = 0; i < count; i++) order[i] = (uint32_t)i;
  order_sort(order, spare, count, points);
}

static void splay_rotate(sat_SweepStatus *status, uint32_t node) {
  sat_StatusEdge *of = status->of;
  uint32_t parent = of[node].parent, grandparent = of[parent].parent;
  int way = of[parent].child[1] == node;
  uint32_t inner = of[node].child[!way];
  of[parent].child[way] = inner;
  if (inner != SAT_NONE) of[inner].parent = parent;
  of[node].child[!way] = parent;
  of[parent].parent = node;
  of[node].parent = grandparent;
  if (grandparent != SAT_NONE) of[grandparent].child[of[grandparent].child[1] == parent] = node;
}

static void splay(sat_SweepStatus *status, uint32_t node) {
  sat_StatusEdge *of = status->of;
  while (of[node].parent != SAT_NONE) {
    uint32_t parent = of[node].parent, grandparent = of[parent].parent;
    if (grandparent != SAT_NONE) {
      bool straight = (of[grandparent].child[1] == parent) == (of[parent].child[1] == node);
      splay_rotate(status, straight ? parent : node);
    }
    splay_rotate(status, node);
  }
  status->root = node;
}

static void link_neighbors(sat_SweepStatus *status, uint32_t below, uint32_t above) {
  if (below != SAT_NONE) status->of[below].beside[SAT_ABOVE] = above;
  if (above != SAT_NONE) status->of[above].beside[SAT_BELOW] = below;
}

void sat_sweep_status_insert(sat_SweepStatus *status, uint32_t edge) {
  sat_StatusEdge *of = status->of;
  sat_Segment2 segment = sat_status_segment(status, edge);
  uint32_t parent = SAT_NONE, beside[2] = {SAT_NONE, SAT_NONE};
  int way = 0;
  for (uint32_t at = status->root; at != SAT_NONE; at = of[at].child[way]) {
    sat_Segment2 other = sat_status_segment(status, at);
    int side = sat_segment_side(other, segment.low);
    way = (side ? side : sat_segment_side(other, segment.high)) >= 0;
    beside[!way] = at;
    parent = at;
  }
  of[edge] = (sat_StatusEdge){parent, {SAT_NONE, SAT_NONE}, {SAT_NONE, SAT_NONE}, 0};
  if (parent != SAT_NONE) of[parent].child[way] = edge;
  link_neighbors(status, beside[SAT_BELOW], edge);
  link_neighbors(status, edge, beside[SAT_ABOVE]);
  splay(status, edge);
}

void sat_sweep_status_remove(sat_SweepStatus *status, uint32_t edge) {
  sat_StatusEdge *of = status->of;
  splay(status, edge);
  uint32_t left = of[edge].child[0], right = of[edge].child[1];
  uint32_t below = of[edge].beside[SAT_BELOW], above = of[edge].beside[SAT_ABOVE];
  link_neighbors(status, below, above);
  status->root = right;
  if (right != SAT_NONE) of[right].parent = SAT_NONE;
  if (left != SAT_NONE) {
    of[left].parent = SAT_NONE;
    splay(status, below); /* the last edge of the left tree: it has no right child */
    of[below].child[1] = right;
    if (right != SAT_NONE) of[right].parent = below;
  }
}

/* The edges that touch the point are neighbours. So where none starts there, one that goes through
 * is beside the edge that has been removed last. */
uint32_t sat_sweep_status_pass(sat_SweepStatus *status, const uint32_t *vertices, size_t count,
                               uint32_t *below) {
  sat_Vec2 p = status->points[vertices[0]];
  uint32_t edge, touching = SAT_NONE, beside[2] = {SAT_NONE, SAT_NONE};
  for (size_t k = 0; (edge = sat_next_edge_at(status, vertices, count, false, &k)) != SAT_NONE;) {
    sat_sweep_status_remove(status, edge);
    for (int way = 0; way < 2; way++) beside[way] = status->of[edge].beside[way];
  }
  for (size_t k = 0; (edge = sat_next_edge_at(status, vertices, count, true, &k)) != SAT_NONE;) {
    sat_sweep_status_insert(status, edge);
    touching = edge;
  }
  for (int way = 0; way < 2 && touching == SAT_NONE; way++)
    if (sat_status_edge_touches(status, beside[way], p)) touching = beside[way];
  uint32_t lowest = sat_lowest_touching(status, touching, p);
  *below = lowest == SAT_NONE ? beside[SAT_BELOW] : status->of[lowest].beside[SAT_BELOW];
  return lowest;
}
