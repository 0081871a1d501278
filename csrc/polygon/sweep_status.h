/* sweep_status.h: the edges of a ring that a sweep line meets, from the bottom up.
 *
 * The line is vertical and moves from left to right. It leans to the left by an infinitesimal
 * angle, so that no edge is parallel to it, and of two vertices with the same x it meets the
 * lower one first. The edges are in a splay tree: n changes cost O(n log n), whatever the input,
 * and the tree needs no balance data. Sleator and Tarjan, Self-adjusting binary search trees,
 * 1985. */
#ifndef SAT_POLYGON_SWEEP_STATUS_H
#define SAT_POLYGON_SWEEP_STATUS_H

#include "base/predicates.h"

/* Whether the sweep line meets point a before point b. */
static inline bool sweep_precedes(sat_Vec2 a, sat_Vec2 b) {
  return a.x < b.x || (a.x == b.x && a.y < b.y);
}

#define SAT_NONE 0xffffffffu

enum { SAT_BELOW, SAT_ABOVE };

/* An edge of the ring, by the index of its first vertex, while the sweep line meets it. */
typedef struct sat_StatusEdge {
  uint32_t parent, child[2]; /* in the tree */
  uint32_t beside[2];        /* the next edges below and above */
  int32_t winding;           /* winding number of the face below; the caller keeps it */
} sat_StatusEdge;

typedef struct sat_SweepStatus {
  const sat_Vec2 *points;
  sat_StatusEdge *of; /* as many as there are edges */
  uint32_t count, root;
} sat_SweepStatus;

/* An edge from its first to its last end in the order of the sweep. The direction is 1 if the ring
 * runs the same way, else -1. With the ring's inside to the left, the winding number grows by
 * `direction` from the face below the edge to the face above. */
typedef struct sat_Segment2 {
  sat_Vec2 low, high;
  int direction;
} sat_Segment2;

static inline sat_Segment2 sat_status_segment(const sat_SweepStatus *status, uint32_t edge) {
  sat_Vec2 a = status->points[edge];
  sat_Vec2 b = status->points[edge + 1 < status->count ? edge + 1 : 0];
  return sweep_precedes(a, b) ? (sat_Segment2){a, b, 1} : (sat_Segment2){b, a, -1};
}

/* The side of a point: 1 above the edge, -1 below, 0 on its line. */
static inline int sat_segment_side(sat_Segment2 segment, sat_Vec2 point) {
  if (equal_points(point, segment.low) || equal_points(point, segment.high))
    return 0; /* the exact sign takes longer */
  return sat_orientation(segment.low, segment.high, point);
}

/* Whether an edge (or SAT_NONE) that the sweep line meets at p goes through p. */
static inline bool sat_status_edge_touches(const sat_SweepStatus *status, uint32_t edge,
                                           sat_Vec2 p) {
  return edge != SAT_NONE && sat_segment_side(sat_status_segment(status, edge), p) == 0;
}

static inline bool sat_on_one_line(sat_Segment2 a, sat_Segment2 b) {
  return sat_segment_side(a, b.high) == 0 && sat_segment_side(a, b.low) == 0;
}

/* The winding number of the face above an edge; SAT_NONE stands for the bottom of the plane. */
static inline int sat_winding_above(const sat_SweepStatus *status, uint32_t edge) {
  if (edge == SAT_NONE) return 0;
  return status->of[edge].winding + sat_status_segment(status, edge).direction;
}

/* Inserts an edge that starts at the sweep line. Slopes order edges that start together; of two
 * coincident edges either may be the upper one. Amortised O(log n). */
void sat_sweep_status_insert(sat_SweepStatus *status, uint32_t edge);

/* Removes an edge that ends at the sweep line. The edge keeps the indices of its neighbours. */
void sat_sweep_status_remove(sat_SweepStatus *status, uint32_t edge);

/* The edges at some vertices of equal position: for even k the edge that ends at vertex k / 2, for
 * odd k the edge that starts there. */
static inline uint32_t sat_edge_at(const sat_SweepStatus *status, const uint32_t *vertices,
                                   size_t k) {
  uint32_t vertex = vertices[k / 2];
  if (k % 2) return vertex;
  return vertex > 0 ? vertex - 1 : status->count - 1;
}

/* Sorts the indices 0 to count - 1 in the order of the sweep, equal points by their indices. The
 * two arrays have room for `count` indices each; the function returns the one that holds the
 * result. O(n log n). */
uint32_t *sat_sweep_order(const sat_Vec2 *points, size_t count, uint32_t *order, uint32_t *spare);

#endif
