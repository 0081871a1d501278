/* simplicity.c: finds crossings of a ring in one plane sweep, by neighbouring edges and by winding
 * numbers.
 *
 * The sweep status has the edges in order from the bottom up. Two edges that cross are neighbours
 * just before their crossing; the sweep therefore tests each two edges that become neighbours, and
 * the order is right until it finds a crossing.
 *
 * Where edges only touch, the order says nothing about crossing: a path may come to another from
 * below and leave it above. The faces between neighbours decide there: around a point without a
 * crossing the winding numbers of the faces are w and w + 1. Since the ring is in one piece, the
 * same w holds everywhere. Paths that cross where they run along each other make a face wrong
 * elsewhere. */
#include "polygon/polygon.h"

#include <string.h>

/* The largest number of edges that go through a vertex without an end there. Each vertex visits all
 * of them; without a limit a ring of nothing but overlaps would take quadratic time. */
#define MOST_THROUGH 8

typedef struct SimplicityTest {
  sat_SweepStatus status;
  int sign;               /* of the area; 0 until the first face with a winding number */
  bool has_wrong_winding; /* a face has a winding number other than 0 and `sign` */
  uint32_t along[2];      /* two edges that run along each other; SAT_NONE if none do */
  uint32_t error[2];      /* two edges at a crossing of edges or paths; SAT_NONE if none is known */
} SimplicityTest;

/* ---------------------------------------------------------------- edges */

static bool report_crossing(SimplicityTest *test, uint32_t a, uint32_t b) {
  test->error[0] = a;
  test->error[1] = b;
  return false;
}

/* Tests two edges that have become neighbours. False: they cross. An edge that only touches the
 * other does not cross it. */
static bool neighbors_stay_in_order(SimplicityTest *test, uint32_t below, uint32_t above) {
  if (below == SAT_NONE || above == SAT_NONE) return true;
  sat_Segment2 a = sat_status_segment(&test->status, below),
               b = sat_status_segment(&test->status, above);
  bool swapped = sweep_precedes(a.high, b.high) ? sat_segment_side(b, a.high) > 0
                                                : sat_segment_side(a, b.high) < 0;
  return !swapped || report_crossing(test, below, above);
}

/* Inserts an edge that starts, or removes one that ends. False: edges that are now neighbours
 * cross. */
static bool pass_edge(SimplicityTest *test, uint32_t edge, bool starts) {
  const uint32_t *beside = test->status.of[edge].beside;
  if (starts) sat_sweep_status_insert(&test->status, edge);
  else sat_sweep_status_remove(&test->status, edge);
  return neighbors_stay_in_order(test, beside[SAT_BELOW], starts ? edge : beside[SAT_ABOVE]) &&
         (!starts || neighbors_stay_in_order(test, edge, beside[SAT_ABOVE]));
}

/* ---------------------------------------------------------------- winding numbers */

/* The faces and edges around one point, as far as the sweep has visited them. */
typedef struct Around {
  sat_Vec2 point;
  int low, high; /* winding numbers */
  /* Left and right of the point, of direction -1 and 1, the last edge seen and the one before. */
  uint32_t last[2][2][2];
  uint32_t through; /* an edge that neither starts nor ends here */
} Around;

enum { LEFT, RIGHT };

/* Records a face at a point. A wrong face does not end the sweep: two edges that cross elsewhere
 * make a better error than two that make the winding numbers around a point differ by more than 1.
 * These both lead to the point or both away from it, so that they are no neighbours in the ring. */
static void record_face(SimplicityTest *test, Around *around, int side, int winding) {
  if (test->sign == 0) test->sign = (winding > 0) - (winding < 0);
  if (winding != 0 && winding != test->sign) test->has_wrong_winding = true;
  bool up = winding > around->high;
  around->low = winding < around->low ? winding : around->low;
  around->high = up ? winding : around->high;
  if (around->high - around->low <= 1 || test->error[0] != SAT_NONE) return;
  uint32_t edge = around->last[side][up][0], other = around->last[side][up][1];
  if (other == SAT_NONE) other = around->last[!side][!up][0];
  SAT_ASSERT(edge != SAT_NONE && other != SAT_NONE);
  report_crossing(test, edge, other);
}

static void record_edge(Around *around, int side, uint32_t edge, sat_Segment2 segment) {
  uint32_t *last = around->last[side][segment.direction > 0];
  last[1] = last[0];
  last[0] = edge;
  if (!equal_points(segment.low, around->point) && !equal_points(segment.high, around->point))
    around->through = edge;
}

/* Visits all edges that touch the point, `edge` being one of them, and the faces between them, from
 * the bottom up. False: too many edges go through the point. The count leaves out the edges with an
 * end there, since their places among coincident edges depend on where the ring begins. */
static bool visit_point_edges(SimplicityTest *test, Around *around, int side, uint32_t edge) {
  sat_SweepStatus *status = &test->status;
  sat_StatusEdge *of = status->of;
  edge = sat_lowest_touching(status, edge, around->point);
  int winding = sat_winding_above(status, of[edge].beside[SAT_BELOW]), through_count = 0;
  if (around->low > around->high) around->low = around->high = winding;
  for (bool more = true; more;) {
    sat_Segment2 segment = sat_status_segment(status, edge);
    uint32_t above = of[edge].beside[SAT_ABOVE], through = around->through;
    of[edge].winding = winding;
    winding += segment.direction;
    record_edge(around, side, edge, segment);
    if (around->through == edge && ++through_count > MOST_THROUGH)
      return report_crossing(test, through, edge);
    more = sat_status_edge_touches(status, above, around->point);
    if (more && sat_on_one_line(segment, sat_status_segment(status, above))) { /* no face between */
      test->along[0] = edge;
      test->along[1] = above;
    } else {
      record_face(test, around, side, winding);
    }
    edge = above;
  }
  return true;
}

/* ---------------------------------------------------------------- the sweep */

/* Moves the sweep line past a point with all vertices of this position. False: a crossing is
 * known. */
static bool pass_point(SimplicityTest *test, const uint32_t *vertices, size_t count) {
  Around around = {test->status.points[vertices[0]], 1, 0, {{{0}}}, SAT_NONE};
  memset(around.last, 0xff, sizeof around.last); /* SAT_NONE */
  uint32_t ends = sat_next_edge_at(&test->status, vertices, count, false, &(size_t){0}), edge;
  if (ends != SAT_NONE && !visit_point_edges(test, &around, LEFT, ends)) return false;
  uint32_t leaves = around.through;
  for (int starts = 0; starts < 2; starts++)
    for (size_t k = 0;
         (edge = sat_next_edge_at(&test->status, vertices, count, starts, &k)) != SAT_NONE;) {
      if (starts) leaves = edge;
      if (!pass_edge(test, edge, starts)) return false;
    }
  return leaves == SAT_NONE || visit_point_edges(test, &around, RIGHT, leaves);
}

size_t sat_simplicity_bytes(size_t count) {
  return count * (sizeof(sat_StatusEdge) + 2 * sizeof(uint32_t));
}

static bool sweep_all(SimplicityTest *test, const uint32_t *order) {
  for (size_t first = 0, next; first < test->status.count; first = next) {
    next = sat_next_position(test->status.points, order, test->status.count, first);
    if (!pass_point(test, order + first, next - first)) return false;
  }
  if (test->error[0] != SAT_NONE) return false;
  if (test->sign != 0 && !test->has_wrong_winding) return true;
  SAT_ASSERT(test->along[0] != SAT_NONE);
  return report_crossing(test, test->along[0], test->along[1]);
}

int sat_simple_ring_sign(const sat_Vec2 *points, size_t count, void *memory, sat_RingError *error) {
  SAT_ASSERT(count >= 3 && count < SAT_NONE);
  SimplicityTest test = {.status = {points, memory, (uint32_t)count, SAT_NONE, NULL},
                         .along = {SAT_NONE, SAT_NONE},
                         .error = {SAT_NONE, SAT_NONE}};
  uint32_t *order = (uint32_t *)(test.status.of + count);
  sat_sweep_order(points, count, order, order + count);
  if (sweep_all(&test, order)) return test.sign;
  error->first = test.error[0] < test.error[1] ? test.error[0] : test.error[1];
  error->second = test.error[0] < test.error[1] ? test.error[1] : test.error[0];
  return 0;
}
