/* simplicity.c: see polygon/simplicity.h.
 *
 * The edges that the sweeping line meets are kept in order from the bottom up. Edges can only
 * cross when they are neighbours just before; two that become neighbours are therefore looked at,
 * and until a crossing has been found the order is true.
 *
 * Where edges only touch, the order says nothing about crossing: a path may come to another from
 * below and leave it above. There the faces decide, the parts of the plane between two neighbours:
 * around a point that no paths cross at, the winding numbers of the faces are w and w + 1, and so
 * they are, since the ring is in one piece, everywhere; unless paths cross where they run along
 * each other, which makes a face wrong elsewhere. */
#include "polygon/simplicity.h"

/* So many edges may lie on each other where a vertex touches them. Each vertex looks at all;
 * without a limit it would take quadratic time to see that a ring is nothing but overlaps. */
#define MOST_ALONG 8

typedef struct Sweep {
  sat_Strands strands;
  int sign;          /* of the area; 0 until the first face with a winding number */
  bool twisted;      /* a face has a winding number other than 0 and `sign` */
  uint32_t along[2]; /* two edges that run along each other; SAT_NONE if none do */
  uint32_t fault[2]; /* two edges at a crossing of edges or paths; SAT_NONE if none is known */
} Sweep;

/* ---------------------------------------------------------------- edges */

static bool refuse(Sweep *sweep, uint32_t a, uint32_t b) {
  sweep->fault[0] = a;
  sweep->fault[1] = b;
  return false;
}

/* Looks at two edges that have become neighbours. False if they change places before one of them
 * ends; touching the other is no crossing. */
static bool stay_in_order(Sweep *sweep, uint32_t below, uint32_t above) {
  if (below == SAT_NONE || above == SAT_NONE) return true;
  sat_Span a = sat_span_of(&sweep->strands, below), b = sat_span_of(&sweep->strands, above);
  bool swapped =
      comes_before(a.high, b.high) ? sat_span_side(b, a.high) > 0 : sat_span_side(a, b.high) < 0;
  return !swapped || refuse(sweep, below, above);
}

/* False if the edge crosses a neighbour. */
static bool insert(Sweep *sweep, uint32_t edge) {
  const sat_Strand *strand = &sweep->strands.of[edge];
  sat_strands_insert(&sweep->strands, edge);
  return stay_in_order(sweep, strand->beside[SAT_BELOW], edge) &&
         stay_in_order(sweep, edge, strand->beside[SAT_ABOVE]);
}

/* False if the edges below and above, neighbours from now on, cross. */
static bool take_out(Sweep *sweep, uint32_t edge) {
  const sat_Strand *strand = &sweep->strands.of[edge];
  sat_strands_take_out(&sweep->strands, edge);
  return stay_in_order(sweep, strand->beside[SAT_BELOW], strand->beside[SAT_ABOVE]);
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

/* Remembers two edges that make the winding numbers around a point differ by more than 1. Both lead
 * to the point or both away from it, so that they are no neighbours in the ring. */
static void note_crossing(Sweep *sweep, const Around *around, int half, int up) {
  uint32_t edge = around->last[half][up][0], other = around->last[half][up][1];
  if (other == SAT_NONE) other = around->last[!half][!up][0];
  SAT_ASSERT(edge != SAT_NONE && other != SAT_NONE);
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
  if (around->high - around->low > 1 && sweep->fault[0] == SAT_NONE)
    note_crossing(sweep, around, half, up);
}

static void note_edge(Around *around, int half, uint32_t edge, sat_Span span) {
  uint32_t *last = around->last[half][span.direction > 0];
  last[1] = last[0];
  last[0] = edge;
  if (!same_point(span.low, around->point) && !same_point(span.high, around->point))
    around->through = edge;
}

/* Goes from the bottom up through all edges that touch the point, `edge` being one of them, and
 * through the faces between them. False if too many run along each other. */
static bool look_around(Sweep *sweep, Around *around, int half, uint32_t edge) {
  sat_Strands *strands = &sweep->strands;
  sat_Strand *of = strands->of;
  while (sat_strand_touches(strands, of[edge].beside[SAT_BELOW], around->point))
    edge = of[edge].beside[SAT_BELOW];
  int winding = sat_winding_above(strands, of[edge].beside[SAT_BELOW]), through = 0;
  if (around->low > around->high) around->low = around->high = winding;
  for (bool more = true; more;) {
    sat_Span span = sat_span_of(&sweep->strands, edge);
    uint32_t above = of[edge].beside[SAT_ABOVE];
    of[edge].winding = winding;
    winding += span.direction;
    note_edge(around, half, edge, span);
    more = sat_strand_touches(strands, above, around->point);
    if (more &&
        sat_on_one_line(span, sat_span_of(&sweep->strands, above))) { /* no face between them */
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

/* Takes the line past a point with all the vertices that are there. False when a crossing has been
 * found. */
static bool pass(Sweep *sweep, const uint32_t *vertices, size_t count) {
  sat_Vec2 point = sweep->strands.points[vertices[0]];
  Around around = {
      point,
      1,
      0,
      {{{SAT_NONE, SAT_NONE}, {SAT_NONE, SAT_NONE}}, {{SAT_NONE, SAT_NONE}, {SAT_NONE, SAT_NONE}}},
      SAT_NONE};
  uint32_t ends = SAT_NONE, starts = SAT_NONE;
  for (size_t k = 0; k < 2 * count; k++) {
    uint32_t edge = sat_edge_at(&sweep->strands, vertices, k);
    *(same_point(sat_span_of(&sweep->strands, edge).high, point) ? &ends : &starts) = edge;
  }
  if (ends != SAT_NONE && !look_around(sweep, &around, LEFT, ends)) return false;
  for (size_t k = 0; k < 2 * count; k++) {
    uint32_t edge = sat_edge_at(&sweep->strands, vertices, k);
    if (same_point(sat_span_of(&sweep->strands, edge).high, point) && !take_out(sweep, edge))
      return false;
  }
  for (size_t k = 0; k < 2 * count; k++) {
    uint32_t edge = sat_edge_at(&sweep->strands, vertices, k);
    if (same_point(sat_span_of(&sweep->strands, edge).low, point) && !insert(sweep, edge))
      return false;
  }
  uint32_t leaves = starts != SAT_NONE ? starts : around.through;
  return leaves == SAT_NONE || look_around(sweep, &around, RIGHT, leaves);
}

size_t sat_sweep_bytes(size_t count) { return count * (sizeof(sat_Strand) + 2 * sizeof(uint32_t)); }

static bool sweep_all(Sweep *sweep, const uint32_t *order) {
  for (size_t first = 0, next; first < sweep->strands.count; first = next) {
    sat_Vec2 point = sweep->strands.points[order[first]];
    for (next = first + 1;
         next < sweep->strands.count && same_point(sweep->strands.points[order[next]], point);)
      next++;
    if (!pass(sweep, order + first, next - first)) return false;
  }
  if (sweep->fault[0] != SAT_NONE) return false;
  if (sweep->sign != 0 && !sweep->twisted) return true;
  SAT_ASSERT(sweep->along[0] != SAT_NONE);
  return refuse(sweep, sweep->along[0], sweep->along[1]);
}

int sat_sweep_sign(const sat_Vec2 *points, size_t count, void *memory, sat_Fault *fault) {
  SAT_ASSERT(count >= 3 && count < SAT_NONE);
  Sweep sweep = {{points, memory, (uint32_t)count, SAT_NONE},
                 0,
                 false,
                 {SAT_NONE, SAT_NONE},
                 {SAT_NONE, SAT_NONE}};
  uint32_t *order = (uint32_t *)(sweep.strands.of + count);
  order = sat_sweep_order(points, count, order, order + count);
  if (sweep_all(&sweep, order)) return sweep.sign;
  fault->first = sweep.fault[0] < sweep.fault[1] ? sweep.fault[0] : sweep.fault[1];
  fault->second = sweep.fault[0] < sweep.fault[1] ? sweep.fault[1] : sweep.fault[0];
  return 0;
}
