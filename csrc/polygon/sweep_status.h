/* sweep_status.h: the edges of a ring that a line meets while it sweeps over the plane, from the
 * bottom up.
 *
 * The line is vertical, moves from left to right, and is thought to lean a very little to the left,
 * so that no edge is parallel to it and of two vertices with the same x it meets the lower one
 * first. The edges are kept in a splay tree: without any bookkeeping the cost of n changes is O(n
 * log n), whatever the input. Sleator and Tarjan, Self-adjusting binary search trees, 1985. */
#ifndef SAT_POLYGON_SWEEP_STATUS_H
#define SAT_POLYGON_SWEEP_STATUS_H

#include "base/predicates.h"

static inline bool equal_points(sat_Vec2 a, sat_Vec2 b) { return a.x == b.x && a.y == b.y; }
/* Whether the sweep comes to a first. */
static inline bool sweep_precedes(sat_Vec2 a, sat_Vec2 b) {
  return a.x < b.x || (a.x == b.x && a.y < b.y);
}

#define SAT_NONE 0xffffffffu

enum { SAT_BELOW, SAT_ABOVE };

/* An edge of the ring, by the index of its first vertex, while the line meets it. */
typedef struct sat_StatusEdge {
  uint32_t parent, child[2]; /* in the tree */
  uint32_t beside[2];        /* the next edges below and above */
  int32_t winding;           /* of the face below: whoever sweeps keeps it */
} sat_StatusEdge;

typedef struct sat_SweepStatus {
  const sat_Vec2 *points;
  sat_StatusEdge *of; /* as many as there are edges */
  uint32_t count, root;
} sat_SweepStatus;

/* An edge from its lower to its higher end in the order of the sweep; direction is 1 if the ring
 * runs so, too, and -1 if not. With the ring's inside to its left, the winding number grows by that
 * from below to above it. */
typedef struct sat_Segment2 {
  sat_Vec2 low, high;
  int direction;
} sat_Segment2;

static inline sat_Segment2 sat_status_segment(const sat_SweepStatus *status, uint32_t edge) {
  sat_Vec2 a = status->points[edge];
  sat_Vec2 b = status->points[edge + 1 < status->count ? edge + 1 : 0];
  return sweep_precedes(a, b) ? (sat_Segment2){a, b, 1} : (sat_Segment2){b, a, -1};
}

/* Where a point is: 1 above the edge, -1 below, 0 on its line. */
static inline int sat_segment_side(sat_Segment2 segment, sat_Vec2 point) {
  if (equal_points(point, segment.low) || equal_points(point, segment.high))
    return 0; /* the exact sign takes longer */
  return sat_orientation(segment.low, segment.high, point);
}

/* Whether an edge (or SAT_NONE) that the line meets at p goes through p. */
static inline bool sat_status_edge_touches(const sat_SweepStatus *status, uint32_t edge,
                                           sat_Vec2 p) {
  return edge != SAT_NONE && sat_segment_side(sat_status_segment(status, edge), p) == 0;
}

static inline bool sat_on_one_line(sat_Segment2 a, sat_Segment2 b) {
  return sat_segment_side(a, b.high) == 0 && sat_segment_side(a, b.low) == 0;
}

/* The winding number of the face above an edge, or above none. */
static inline int sat_winding_above(const sat_SweepStatus *status, uint32_t edge) {
  if (edge == SAT_NONE) return 0;
  return status->of[edge].winding + sat_status_segment(status, edge).direction;
}

/* Puts an edge that starts at the line where it belongs. Edges that start together go by their
 * slopes; of two along each other either may be the upper one. Amortised O(log n). */
void sat_sweep_status_insert(sat_SweepStatus *status, uint32_t edge);

/* Takes out an edge that ends at the line; what it knew of its neighbours stays in it. */
void sat_sweep_status_remove(sat_SweepStatus *status, uint32_t edge);

/* The edges at some vertices of one place: of vertex k / 2 the one to it for even k, the one from
 * it for odd k. */
static inline uint32_t sat_edge_at(const sat_SweepStatus *status, const uint32_t *vertices,
                                   size_t k) {
  uint32_t vertex = vertices[k / 2];
  if (k % 2) return vertex;
  return vertex > 0 ? vertex - 1 : status->count - 1;
}

/* The indices 0 to count - 1 in the order of the sweep, equal points in that of their indices.
 * Takes two arrays of `count` to work in and returns the one with the result. O(n log n). */
uint32_t *sat_sweep_order(const sat_Vec2 *points, size_t count, uint32_t *order, uint32_t *spare);

#endif
