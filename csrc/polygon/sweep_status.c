/* sweep_status.c: see polygon/sweep_status.h. */
#include "polygon/sweep_status.h"

/* ---------------------------------------------------------------- order of the vertices */

static void merge(const sat_Vec2 *points, const uint32_t *from, size_t half, size_t count,
                  uint32_t *to) {
  size_t left = 0, right = half;
  while (left < half || right < count) {
    bool take_right =
        left == half || (right < count && comes_before(points[from[right]], points[from[left]]));
    *to++ = take_right ? from[right++] : from[left++];
  }
}

uint32_t *sat_sweep_order(const sat_Vec2 *points, size_t count, uint32_t *order, uint32_t *spare) {
  for (size_t i = 0; i < count; i++) order[i] = (uint32_t)i;
  for (size_t half = 1; half < count; half *= 2) {
    for (size_t first = 0; first < count; first += 2 * half) {
      size_t rest = count - first;
      merge(points, order + first, half < rest ? half : rest, 2 * half < rest ? 2 * half : rest,
            spare + first);
    }
    uint32_t *merged = spare;
    spare = order;
    order = merged;
  }
  return order;
}

/* ---------------------------------------------------------------- the tree */

static void rotate(sat_Strands *strands, uint32_t node) {
  sat_Strand *of = strands->of;
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

static void splay(sat_Strands *strands, uint32_t node) {
  sat_Strand *of = strands->of;
  while (of[node].parent != SAT_NONE) {
    uint32_t parent = of[node].parent, grandparent = of[parent].parent;
    if (grandparent != SAT_NONE) {
      bool straight = (of[grandparent].child[1] == parent) == (of[parent].child[1] == node);
      rotate(strands, straight ? parent : node);
    }
    rotate(strands, node);
  }
  strands->root = node;
}

static void link_neighbours(sat_Strands *strands, uint32_t below, uint32_t above) {
  if (below != SAT_NONE) strands->of[below].beside[SAT_ABOVE] = above;
  if (above != SAT_NONE) strands->of[above].beside[SAT_BELOW] = below;
}

static bool goes_above(sat_Span span, sat_Span other) {
  int where = sat_span_side(other, span.low);
  return (where ? where : sat_span_side(other, span.high)) >= 0;
}

void sat_strands_insert(sat_Strands *strands, uint32_t edge) {
  sat_Strand *of = strands->of;
  sat_Span span = sat_span_of(strands, edge);
  uint32_t parent = SAT_NONE, beside[2] = {SAT_NONE, SAT_NONE};
  int way = 0;
  for (uint32_t at = strands->root; at != SAT_NONE; at = of[at].child[way]) {
    way = goes_above(span, sat_span_of(strands, at));
    beside[!way] = at;
    parent = at;
  }
  of[edge] = (sat_Strand){parent, {SAT_NONE, SAT_NONE}, {SAT_NONE, SAT_NONE}, 0};
  if (parent != SAT_NONE) of[parent].child[way] = edge;
  link_neighbours(strands, beside[SAT_BELOW], edge);
  link_neighbours(strands, edge, beside[SAT_ABOVE]);
  splay(strands, edge);
}

void sat_strands_take_out(sat_Strands *strands, uint32_t edge) {
  sat_Strand *of = strands->of;
  splay(strands, edge);
  uint32_t left = of[edge].child[0], right = of[edge].child[1];
  uint32_t below = of[edge].beside[SAT_BELOW], above = of[edge].beside[SAT_ABOVE];
  link_neighbours(strands, below, above);
  strands->root = right;
  if (right != SAT_NONE) of[right].parent = SAT_NONE;
  if (left != SAT_NONE) {
    of[left].parent = SAT_NONE;
    splay(strands, below); /* the last of the left ones: nothing is right of it */
    of[below].child[1] = right;
    if (right != SAT_NONE) of[right].parent = below;
  }
}
