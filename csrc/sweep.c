/* sweep.c: see sweep.h.
 *
 * A vertical line sweeps the plane from left to right and keeps, in a tree, the edges that it
 * meets, from the bottom up. It is thought to lean a very little to the left, so that no edge is
 * parallel to it and of two vertices with the same x it meets the lower one first. Edges can only
 * cross when they are neighbours just before; two that become neighbours are therefore looked at,
 * and until a crossing has been found the order in the tree is true.
 *
 * Where edges only touch, the order says nothing about crossing: a path may come to another from
 * below and leave it above. There the faces decide, the parts of the plane between two neighbours:
 * around a point that no paths cross at, the winding numbers of the faces are w and w + 1, and so
 * they are, since the ring is in one piece, everywhere; unless paths cross where they run along
 * each other, which makes a face wrong elsewhere. */
#include "sweep.h"

#include "predicates.h"

#define NONE UINT32_MAX

/* So many edges may lie on each other where a vertex touches them. Each vertex looks at all;
 * without a limit it would take quadratic time to see that a ring is nothing but overlaps. */
#define MOST_ALONG 8

enum { BELOW, ABOVE };

/* An edge of the ring, by the index of its first vertex, while the line meets it. The tree is a
 * splay tree: without any bookkeeping the cost of n changes is O(n log n), whatever the input.
 * Sleator and Tarjan, Self-adjusting binary search trees, 1985. */
typedef struct Node {
  uint32_t parent, child[2]; /* in the tree */
  uint32_t beside[2];        /* the next edges below and above */
  int32_t winding;           /* of the face below */
} Node;

typedef struct Sweep {
  const sat_Vec2 *points;
  Node *nodes;
  uint32_t count, root;
  int sign;          /* of the area; 0 until the first face with a winding number */
  bool twisted;      /* a face has a winding number other than 0 and `sign` */
  uint32_t along[2]; /* two edges that run along each other; NONE if none do */
  uint32_t fault[2]; /* two edges at a crossing of edges or paths; NONE if none is known */
} Sweep;

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

/* ---------------------------------------------------------------- edges */

/* An edge from its lower to its higher end in the order of the sweep; direction is 1 if the ring
 * runs so, too, and -1 if not. With the ring's inside to its left, the winding number grows by that
 * from below to above it. */
typedef struct Span {
  sat_Vec2 low, high;
  int direction;
} Span;

static Span span_of(const Sweep *sweep, uint32_t edge) {
  sat_Vec2 a = sweep->points[edge];
  sat_Vec2 b = sweep->points[edge + 1 < sweep->count ? edge + 1 : 0];
  return comes_before(a, b) ? (Span){a, b, 1} : (Span){b, a, -1};
}

/* Where a point is: 1 above the edge, -1 below, 0 on its line. */
static int side(Span span, sat_Vec2 point) {
  if (same_point(point, span.low) || same_point(point, span.high))
    return 0; /* the exact sign takes longer */
  return sat_orientation(span.low, span.high, point);
}

/* Whether an edge that the line meets at p goes through p. */
static bool touches(const Sweep *sweep, uint32_t edge, sat_Vec2 p) {
  return edge != NONE && side(span_of(sweep, edge), p) == 0;
}

static bool on_one_line(Span a, Span b) { return side(a, b.high) == 0 && side(a, b.low) == 0; }

static bool refuse(Sweep *sweep, uint32_t a, uint32_t b) {
  sweep->fault[0] = a;
  sweep->fault[1] = b;
  return false;
}

/* Looks at two edges that have become neighbours. False if they change places before one of them
 * ends; touching the other is no crossing. */
static bool stay_in_order(Sweep *sweep, uint32_t below, uint32_t above) {
  if (below == NONE || above == NONE) return true;
  Span a = span_of(sweep, below), b = span_of(sweep, above);
  bool swapped = comes_before(a.high, b.high) ? side(b, a.high) > 0 : side(a, b.high) < 0;
  return !swapped || refuse(sweep, below, above);
}

/* ---------------------------------------------------------------- the tree */

static void rotate(Sweep *sweep, uint32_t node) {
  Node *nodes = sweep->nodes;
  uint32_t parent = nodes[node].parent, grandparent = nodes[parent].parent;
  int way = nodes[parent].child[1] == node;
  uint32_t inner = nodes[node].child[!way];
  nodes[parent].child[way] = inner;
  if (inner != NONE) nodes[inner].parent = parent;
  nodes[node].child[!way] = parent;
  nodes[parent].parent = node;
  nodes[node].parent = grandparent;
  if (grandparent != NONE) nodes[grandparent].child[nodes[grandparent].child[1] == parent] = node;
}

static void splay(Sweep *sweep, uint32_t node) {
  Node *nodes = sweep->nodes;
  while (nodes[node].parent != NONE) {
    uint32_t parent = nodes[node].parent, grandparent = nodes[parent].parent;
    if (grandparent != NONE) {
      bool straight = (nodes[grandparent].child[1] == parent) == (nodes[parent].child[1] == node);
      rotate(sweep, straight ? parent : node);
    }
    rotate(sweep, node);
  }
  sweep->root = node;
}

static void link_neighbours(Sweep *sweep, uint32_t below, uint32_t above) {
  if (below != NONE) sweep->nodes[below].beside[ABOVE] = above;
  if (above != NONE) sweep->nodes[above].beside[BELOW] = below;
}

/* Where an edge that starts at the line belongs. Edges that start together go by their slopes; of
 * two along each other either may be the upper one. */
static bool goes_above(Span span, Span other) {
  int where = side(other, span.low);
  return (where ? where : side(other, span.high)) >= 0;
}

/* False if the edge crosses a neighbour. */
static bool insert(Sweep *sweep, uint32_t edge) {
  Node *nodes = sweep->nodes;
  Span span = span_of(sweep, edge);
  uint32_t parent = NONE, beside[2] = {NONE, NONE};
  int way = 0;
  for (uint32_t at = sweep->root; at != NONE; at = nodes[at].child[way]) {
    way = goes_above(span, span_of(sweep, at));
    beside[!way] = at;
    parent = at;
  }
  nodes[edge] = (Node){parent, {NONE, NONE}, {NONE, NONE}, 0};
  if (parent != NONE) nodes[parent].child[way] = edge;
  link_neighbours(sweep, beside[BELOW], edge);
  link_neighbours(sweep, edge, beside[ABOVE]);
  splay(sweep, edge);
  return stay_in_order(sweep, beside[BELOW], edge) && stay_in_order(sweep, edge, beside[ABOVE]);
}

/* False if the edges below and above, neighbours from now on, cross. */
static bool take_out(Sweep *sweep, uint32_t edge) {
  Node *nodes = sweep->nodes;
  splay(sweep, edge);
  uint32_t left = nodes[edge].child[0], right = nodes[edge].child[1];
  uint32_t below = nodes[edge].beside[BELOW], above = nodes[edge].beside[ABOVE];
  link_neighbours(sweep, below, above);
  sweep->root = right;
  if (right != NONE) nodes[right].parent = NONE;
  if (left != NONE) {
    nodes[left].parent = NONE;
    splay(sweep, below); /* the last of the left ones: nothing is right of it */
    nodes[below].child[1] = right;
    if (right != NONE) nodes[right].parent = below;
  }
  return stay_in_order(sweep, below, above);
}

/* ---------------------------------------------------------------- winding numbers */

/* What is known about the faces and edges around one point. */
typedef struct Around {
  sat_Vec2 point;
  int low, high; /* winding numbers */
  /* Left and right of the point, of direction -1 and 1, the last edge seen and the one before. */
  uint32_t last[2][2][2];
  uint32_t through; /* an edge that neither starts nor ends here */
} Around;

enum { LEFT, RIGHT };

static int winding_above(const Sweep *sweep, uint32_t edge) {
  if (edge == NONE) return 0;
  return sweep->nodes[edge].winding + span_of(sweep, edge).direction;
}

/* Remembers two edges that make the winding numbers around a point differ by more than 1. Both lead
 * to the point or both away from it, so that they are no neighbours in the ring. */
static void note_crossing(Sweep *sweep, const Around *around, int half, int up) {
  uint32_t edge = around->last[half][up][0], other = around->last[half][up][1];
  if (other == NONE) other = around->last[!half][!up][0];
  SAT_ASSERT(edge != NONE && other != NONE);
  refuse(sweep, edge, other);
}

/* Takes note of a face at a point. A wrong one does not end the sweep: two edges that cross
 * elsewhere say more. */
static void note_face(Sweep *sweep, Around *around, int half, int winding) {
  if (sweep->sign == 0) sweep->sign = (winding > 0) - (winding < 0);
  if (winding != 0 && winding != sweep->sign) sweep->twisted = true;
  bool up = winding > around->high;
  around->low = winding < around->low ? winding : around->low;
  around->high = up ? winding : around->high;
  if (around->high - around->low > 1 && sweep->fault[0] == NONE)
    note_crossing(sweep, around, half, up);
}

static void note_edge(Around *around, int half, uint32_t edge, Span span) {
  uint32_t *last = around->last[half][span.direction > 0];
  last[1] = last[0];
  last[0] = edge;
  if (!same_point(span.low, around->point) && !same_point(span.high, around->point))
    around->through = edge;
}

/* Goes from the bottom up through all edges that touch the point, `edge` being one of them, and
 * through the faces between them. False if too many run along each other. */
static bool look_around(Sweep *sweep, Around *around, int half, uint32_t edge) {
  Node *nodes = sweep->nodes;
  while (touches(sweep, nodes[edge].beside[BELOW], around->point)) edge = nodes[edge].beside[BELOW];
  int winding = winding_above(sweep, nodes[edge].beside[BELOW]), through = 0;
  if (around->low > around->high) around->low = around->high = winding;
  for (bool more = true; more;) {
    Span span = span_of(sweep, edge);
    uint32_t above = nodes[edge].beside[ABOVE];
    nodes[edge].winding = winding;
    winding += span.direction;
    note_edge(around, half, edge, span);
    more = touches(sweep, above, around->point);
    if (more && on_one_line(span, span_of(sweep, above))) { /* no face between them */
      sweep->along[0] = edge;
      sweep->along[1] = above;
      if (around->through == edge && ++through >= MOST_ALONG) return refuse(sweep, edge, above);
    } else {
      note_face(sweep, around, half, winding);
    }
    edge = above;
  }
  return true;
}

/* ---------------------------------------------------------------- the sweep */

/* The edges at some vertices of one place: of vertex k / 2 the one to it for even k, the one from
 * it for odd k. */
static uint32_t edge_at(const Sweep *sweep, const uint32_t *vertices, size_t k) {
  uint32_t vertex = vertices[k / 2];
  if (k % 2) return vertex;
  return vertex > 0 ? vertex - 1 : sweep->count - 1;
}

/* Takes the line past a point with all the vertices that are there. False when a crossing has been
 * found. */
static bool pass(Sweep *sweep, const uint32_t *vertices, size_t count) {
  sat_Vec2 point = sweep->points[vertices[0]];
  Around around = {point, 1, 0, {{{NONE, NONE}, {NONE, NONE}}, {{NONE, NONE}, {NONE, NONE}}}, NONE};
  uint32_t ends = NONE, starts = NONE;
  for (size_t k = 0; k < 2 * count; k++) {
    uint32_t edge = edge_at(sweep, vertices, k);
    *(same_point(span_of(sweep, edge).high, point) ? &ends : &starts) = edge;
  }
  if (ends != NONE && !look_around(sweep, &around, LEFT, ends)) return false;
  for (size_t k = 0; k < 2 * count; k++) {
    uint32_t edge = edge_at(sweep, vertices, k);
    if (same_point(span_of(sweep, edge).high, point) && !take_out(sweep, edge)) return false;
  }
  for (size_t k = 0; k < 2 * count; k++) {
    uint32_t edge = edge_at(sweep, vertices, k);
    if (same_point(span_of(sweep, edge).low, point) && !insert(sweep, edge)) return false;
  }
  uint32_t leaves = starts != NONE ? starts : around.through;
  return leaves == NONE || look_around(sweep, &around, RIGHT, leaves);
}

size_t sat_sweep_bytes(size_t count) { return count * (sizeof(Node) + 2 * sizeof(uint32_t)); }

static bool sweep_all(Sweep *sweep, const uint32_t *order) {
  for (size_t first = 0, next; first < sweep->count; first = next) {
    sat_Vec2 point = sweep->points[order[first]];
    for (next = first + 1; next < sweep->count && same_point(sweep->points[order[next]], point);)
      next++;
    if (!pass(sweep, order + first, next - first)) return false;
  }
  if (sweep->fault[0] != NONE) return false;
  if (sweep->sign != 0 && !sweep->twisted) return true;
  SAT_ASSERT(sweep->along[0] != NONE);
  return refuse(sweep, sweep->along[0], sweep->along[1]);
}

int sat_sweep_sign(const sat_Vec2 *points, size_t count, void *memory, sat_Fault *fault) {
  SAT_ASSERT(count >= 3 && count < NONE);
  Sweep sweep = {points, memory, (uint32_t)count, NONE, 0, false, {NONE, NONE}, {NONE, NONE}};
  uint32_t *order = (uint32_t *)(sweep.nodes + count);
  order = sat_sweep_order(points, count, order, order + count);
  if (sweep_all(&sweep, order)) return sweep.sign;
  fault->first = sweep.fault[0] < sweep.fault[1] ? sweep.fault[0] : sweep.fault[1];
  fault->second = sweep.fault[0] < sweep.fault[1] ? sweep.fault[1] : sweep.fault[0];
  return 0;
}
