/* polygon.h: the sweep over the edges of a ring, which finds out whether the ring crosses itself,
 * and its triangles; edges cut and rounded to a grid so that they meet in common ends alone; and
 * the area that is seen from an eye among edges, by a sweep over directions. */
#ifndef SAT_POLYGON_POLYGON_H
#define SAT_POLYGON_POLYGON_H

#include "base/memory.h"
#include "base/predicates.h"

/* ---------------------------------------------------------------- the sweep */

/* The edges that a sweep line meets, from the bottom up.
 *
 * The line is vertical and moves from left to right. It leans to the left by an infinitesimal
 * angle, so that no edge is parallel to it, and of two vertices with the same x it meets the
 * lower one first. The edges are in a splay tree: n changes cost O(n log n), whatever the input,
 * and the tree needs no balance data. Sleator and Tarjan, Self-adjusting binary search trees,
 * 1985. */

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
  const uint32_t *ring; /* of each vertex, where several are each closed by a copy; or NULL */
} sat_SweepStatus;

/* Whether an edge is one: where there are several rings, none leads from one to the next. */
static inline bool sat_is_ring_edge(const sat_SweepStatus *status, uint32_t edge) {
  return !status->ring ||
         (edge + 1 < status->count && status->ring[edge] == status->ring[edge + 1]);
}

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

/* The lowest edge that goes through p, from one of them (or SAT_NONE) downwards. */
static inline uint32_t sat_lowest_touching(const sat_SweepStatus *status, uint32_t edge,
                                           sat_Vec2 p) {
  while (edge != SAT_NONE && sat_status_edge_touches(status, status->of[edge].beside[SAT_BELOW], p))
    edge = status->of[edge].beside[SAT_BELOW];
  return edge;
}

static inline bool sat_on_one_line(sat_Segment2 a, sat_Segment2 b) {
  return sat_segment_side(a, b.high) == 0 && sat_segment_side(a, b.low) == 0;
}

/* The winding number of the face above an edge; SAT_NONE stands for the bottom of the plane. */
static inline int sat_winding_above(const sat_SweepStatus *status, uint32_t edge) {
  if (edge == SAT_NONE) return 0;
  return status->of[edge].winding + sat_status_segment(status, edge).direction;
}

/* Records the winding numbers below the edges that touch p, from the lowest of them (or SAT_NONE)
 * up. */
static inline void sat_record_windings(sat_SweepStatus *status, uint32_t lowest, sat_Vec2 p) {
  sat_StatusEdge *of = status->of;
  for (uint32_t edge = lowest; sat_status_edge_touches(status, edge, p);
       edge = of[edge].beside[SAT_ABOVE])
    of[edge].winding = sat_winding_above(status, of[edge].beside[SAT_BELOW]);
}

/* Inserts an edge that starts at the sweep line. Slopes order edges that start together; of two
 * coincident edges either may be the upper one. Amortised O(log n). */
void sat_sweep_status_insert(sat_SweepStatus *status, uint32_t edge);

/* Removes an edge that ends at the sweep line. The edge keeps the indices of its neighbours. */
void sat_sweep_status_remove(sat_SweepStatus *status, uint32_t edge);

/* The next edge that starts at one of some vertices of equal position, or ends there if `start` is
 * false; SAT_NONE behind the last one. A walk begins with *k = 0. */
static inline uint32_t sat_next_edge_at(const sat_SweepStatus *status, const uint32_t *vertices,
                                        size_t count, bool start, size_t *k) {
  while (*k < 2 * count) {
    uint32_t edge = vertices[*k / 2];
    if ((*k)++ % 2 == 0) edge = edge > 0 ? edge - 1 : status->count - 1;
    sat_Segment2 segment = sat_status_segment(status, edge);
    if (equal_points(start ? segment.low : segment.high, status->points[vertices[0]]) &&
        sat_is_ring_edge(status, edge))
      return edge;
  }
  return SAT_NONE;
}

/* Moves the sweep line past some vertices of equal position: removes the edges that end there and
 * inserts those that start there. Returns the lowest edge that then touches the point, or
 * SAT_NONE; `below` gets the next one below the point. */
uint32_t sat_sweep_status_pass(sat_SweepStatus *status, const uint32_t *vertices, size_t count,
                               uint32_t *below);

/* Fills `order` with the indices 0 to count - 1 in the order of the sweep, equal points by their
 * indices. `spare` has room for as many. O(n log n). */
void sat_sweep_order(const sat_Vec2 *points, size_t count, uint32_t *order, uint32_t *spare);

/* Where the next position begins in such an order, or `count`. */
static inline size_t sat_next_position(const sat_Vec2 *points, const uint32_t *order, size_t count,
                                       size_t at) {
  sat_Vec2 point = points[order[at]];
  while (++at < count && equal_points(points[order[at]], point)) continue;
  return at;
}

/* Sorts an array into another one by whole numbers below `keys`, which KEY gives for an element.
 * Elements of one key stay in their order, and those of key k end at the index end[k]; `end` has
 * room for one number more. */
#define SAT_COUNTING_SORT(from, count, to, end, keys, KEY)                                         \
  do {                                                                                             \
    memset(end, 0, ((keys) + 1) * sizeof *(end));                                                  \
    for (size_t i_ = 0; i_ < (count); i_++) (end)[(size_t)KEY((from)[i_]) + 1]++;                  \
    for (size_t i_ = 0; i_ < (keys); i_++) (end)[i_ + 1] += (end)[i_];                             \
    for (size_t i_ = 0; i_ < (count); i_++) (to)[(end)[(size_t)KEY((from)[i_])]++] = (from)[i_];   \
  } while (0)

/* ---------------------------------------------------------------- simplicity */

/* The bytes of memory that sat_simple_ring_sign needs, aligned as malloc's. */
size_t sat_simplicity_bytes(size_t count);

/* The sign of the area of a simple ring of three or more vertices, none of which lies on a straight
 * line or spike with its neighbours: 1 or -1. The ring may touch itself, with vertices or along
 * whole edges, but not cross itself there: the ring must wind around every point of the plane once,
 * always in the same direction, or not at all. Of a ring that crosses itself, or in which more than
 * a few edges run along each other, the function returns 0, and `error` names two edges, the lower
 * first, that cross or touch. Exact. O(n log n). Shamos and Hoey, Geometric intersection problems,
 * 1976. */
int sat_simple_ring_sign(const sat_Vec2 *points, size_t count, void *memory, sat_RingError *error);

/* ---------------------------------------------------------------- triangles */

/* A half-edge. The links `next` walk round the piece to its left, at first a triangle. */
typedef struct sat_HalfEdge {
  uint32_t vertex; /* its origin */
  uint32_t next, previous;
  uint32_t twin; /* the opposite half-edge; SAT_NONE on the ring */
} sat_HalfEdge;

typedef struct sat_Triangulation {
  const sat_Vec2 *points;
  sat_HalfEdge *half_edge;
  uint32_t count; /* number of half-edges: three for each triangle, in a row */
} sat_Triangulation;

/* Larger rings are refused: indices of half-edges have 31 bits. */
#define SAT_MOST_TRIANGULATED (1u << 28)

/* The bytes that sat_triangulate needs for a ring of `count` vertices. The triangles stand at the
 * start of this memory. */
size_t sat_triangulation_bytes(size_t count);
static inline size_t sat_triangulation_most(size_t count) { return 6 * count; }

/* Triangulates a cleaned ring. The first of several vertices of equal position stands for all of
 * them. Exact. O(n log n). */
sat_Triangulation sat_triangulate(const sat_Vec2 *points, size_t count, void *memory);

/* ---------------------------------------------------------------- rings */

/* The bytes that sat_ring_clean_in needs, aligned as malloc's. */
size_t sat_ring_memory(size_t count);

/* Does what sat_ring_clean does, but never fails with SAT_ENOMEM, and orders a hole by negative
 * area. `given`, if it is not NULL, gets the index that each vertex kept had in the list as
 * given. */
sat_Status sat_ring_clean_in(void *memory, sat_Vec2 *points, size_t *count, bool is_hole,
                             uint32_t *given, sat_RingError *error);

/* Does what sat_hull does with two points or more, on one line or not. `memory` has room for one
 * point and two indices of 32 bits for each, and for one more. */
size_t sat_hull_in(void *memory, sat_Vec2 *points, size_t count);

/* ---------------------------------------------------------------- edges that may cross */

/* An edge between two points, the lower one first in the order of the sweep. The winding numbers of
 * two sets of rings grow by `winding` from below the edge to above. */
typedef struct sat_PlaneEdge {
  uint32_t low, high;
  int32_t winding[2];
} sat_PlaneEdge;

typedef struct sat_Arrangement {
  SAT_LIST(sat_Vec2) points;
  SAT_LIST(sat_PlaneEdge) edges;
} sat_Arrangement;

/* Rounds the points to whole numbers, cuts the edges where they meet, and joins equal ones. At
 * first the points and edges are in any order, and the coordinates at most 2^40. Afterwards no two
 * points are equal, all are ends of edges, and points and edges are in the order of the sweep:
 * edges by their first ends. No two edges share a point but ends, by the exact predicate. Fails
 * with SAT_EMANY and SAT_ENOMEM, which leave any points and edges. With k points where edges meet,
 * usually O((n + k) log(n + k)). */
sat_Status sat_snap_round(sat_Arrangement *plane);

/* ---------------------------------------------------------------- visibility */

#define SAT_NOT_ACTIVE 0xffffffffu

/* An edge that hides what is behind it, from `a` on towards `b`, which the sweep meets in this
 * order. The dual vector of its line makes distances linear: cross(way, dual) is the nearness of
 * the edge along a direction, the inverse of the distance in lengths of `way`. A dual of 0, 0: the
 * eye itself is on an outline, which hides all directions from `a` to `b`. */
typedef struct sat_EyeEdge {
  sat_Vec2 a, b, dual;
  uint32_t place; /* among the active edges, or SAT_NOT_ACTIVE */
  uint32_t since; /* the batch of events in which the edge has become active */
} sat_EyeEdge;

/* The edges around an eye. Coordinates closer than `rounding` are the same. */
typedef struct sat_Eye {
  sat_Vec2 at;
  double rounding;
  sat_Scratch *scratch; /* has the edges */
  sat_EyeEdge *edges;
  size_t count, capacity;
} sat_Eye;

/* Makes room for `more` edges. SAT_ENOMEM leaves them as they were. */
sat_Status sat_eye_reserve(sat_Eye *eye, size_t more);
/* Adds an edge, for which there is room, if it faces the eye: if it goes round the eye from +x
 * towards +y. An edge is quickest after one that begins where it ends. */
void sat_eye_add(sat_Eye *eye, sat_Vec2 a, sat_Vec2 b);
/* Hides all directions from that of `a` on to that of `b`, for which there is room. */
void sat_eye_hide(sat_Eye *eye, sat_Vec2 a, sat_Vec2 b);
/* Fills `seen` with the vertices of the area that is seen, in the order of positive area, or with
 * none. The edges go all round the eye, and may cross. Directions closer than SAT_SAME_NORMAL to
 * the next one are the same. `seen` is undefined after SAT_ENOMEM. O(n log n + n a) for at most `a`
 * edges in one direction. */
sat_Status sat_eye_sweep(sat_Eye *eye, sat_Points *seen);

#endif
