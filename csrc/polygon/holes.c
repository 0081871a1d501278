/* holes.c: joins holes to a ring by bridges, found in one plane sweep.
 *
 * When the sweep line meets the first vertex of a hole, the face around it has been met before: the
 * vertex that the line has met last in this face sees the new one, since no vertex lies between the
 * two. So the bridges cross no edge and no other bridge, and a hole that has been joined may be the
 * anchor of the next.
 *
 * Each ring is followed by a copy of its first vertex, so that edge k leads from vertex k to the
 * next. The edge from that copy to the next ring is none. */
#include "polygon/polygon.h"

/* Keeps the bytes of the memory within 32 bits. */
#define MOST_VERTICES_TO_JOIN (UINT32_MAX / 256)

typedef struct HoleJoiner {
  sat_SweepStatus status;
  sat_Vec2 *points;
  uint32_t *given; /* the index of each vertex in the caller's list */
  uint32_t *ring;  /* of each vertex */
  uint32_t *next;  /* in the joined ring: of each vertex, and of two more for each hole */
  uint32_t *previous;
  uint32_t *same;  /* leads round all vertices in one place */
  uint32_t *last;  /* the vertex that the line has met last in the face above an edge */
  uint32_t *start; /* the first vertex of each ring; behind the last one, the number of vertices */
  bool *connected; /* whether each ring is in the joined ring */
  size_t rings;
} HoleJoiner;

/* ---------------------------------------------------------------- the sweep */

/* The vertex that stands for a vertex or for its copy in the joined ring. */
static uint32_t linked_vertex(const HoleJoiner *work, uint32_t vertex) {
  return sat_is_ring_edge(&work->status, vertex) ? vertex : work->start[work->ring[vertex]];
}

static void link_vertices(HoleJoiner *work, uint32_t from, uint32_t to) {
  work->next[from] = to;
  work->previous[to] = from;
}

/* Makes one circle of two circles of vertices in the same place. */
static void merge_places(HoleJoiner *work, uint32_t a, uint32_t b) {
  uint32_t next = work->same[a];
  work->same[a] = work->same[b];
  work->same[b] = next;
}

/* Whether two points on a line with p lie on the same side of it. */
static bool on_same_side(sat_Vec2 p, sat_Vec2 a, sat_Vec2 b) {
  return a.x != p.x ? (a.x > p.x) == (b.x > p.x) && b.x != p.x : (a.y > p.y) == (b.y > p.y);
}

/* Whether the direction from p to a point lies in the angle that turns to the left from one point,
 * which is outside of it, to another one. */
static bool is_in_angle(sat_Vec2 p, sat_Vec2 from, sat_Vec2 until, sat_Vec2 to) {
  int turn = sat_orientation(p, from, until), of_from = sat_orientation(p, from, to);
  if (turn == 0)
    return on_same_side(p, from, until) || of_from > 0 ||
           (of_from == 0 && on_same_side(p, until, to));
  int of_until = sat_orientation(p, until, to);
  return turn > 0 ? of_from > 0 && of_until <= 0 : of_from > 0 || of_until <= 0;
}

/* The vertex that has a direction on its left, of those of the joined ring in one place. Where
 * holes that are joined elsewhere touch, several have it: the edge from the right one is the last
 * before the direction, and the bridge crosses none of the others. */
static uint32_t vertex_towards(const HoleJoiner *work, uint32_t vertex, sat_Vec2 to) {
  const sat_Vec2 *points = work->points;
  sat_Vec2 p = points[vertex];
  uint32_t found = SAT_NONE, at = vertex;
  do {
    sat_Vec2 next = points[work->next[at]];
    if (work->connected[work->ring[at]] && is_in_angle(p, next, points[work->previous[at]], to) &&
        (found == SAT_NONE || is_in_angle(p, points[work->next[found]], to, next)))
      found = at;
  } while ((at = work->same[at]) != vertex);
  return found == SAT_NONE ? vertex : found;
}

/* Puts a hole into the joined ring behind an anchor, or a vertex in the same place: along the
 * bridge to the hole's vertex, around the hole, and back to a copy of the anchor. Where the hole
 * touches the anchor, the two swap the edges that lead to them. */
static void join_hole(HoleJoiner *work, uint32_t anchor, uint32_t vertex) {
  uint32_t ring = work->ring[vertex], before = work->previous[vertex];
  uint32_t copy = work->status.count + 2 * (ring - 1), back = copy + 1;
  work->connected[ring] = true;
  if (equal_points(work->points[anchor], work->points[vertex])) {
    anchor = vertex_towards(work, anchor, work->points[work->next[vertex]]);
    link_vertices(work, work->previous[anchor], vertex);
    link_vertices(work, before, anchor);
    return;
  }
  anchor = vertex_towards(work, anchor, work->points[vertex]);
  work->points[copy] = work->points[vertex];
  work->points[back] = work->points[anchor];
  work->given[copy] = work->given[vertex];
  work->given[back] = work->given[anchor];
  work->ring[copy] = ring;
  work->ring[back] = work->ring[anchor];
  merge_places(work, copy, vertex);
  merge_places(work, back, anchor);
  link_vertices(work, back, work->next[anchor]);
  link_vertices(work, before, copy);
  link_vertices(work, copy, back);
  link_vertices(work, anchor, vertex);
}

/* The vertex that the first vertices of holes in the interior of a face or of an edge are joined
 * to, or SAT_NONE if the face is outside. */
static uint32_t anchor_of_face(const HoleJoiner *work, uint32_t lowest, sat_Vec2 p) {
  const sat_StatusEdge *of = work->status.of;
  while (!equal_points(sat_status_segment(&work->status, lowest).low, p))
    lowest = of[lowest].beside[SAT_ABOVE];
  uint32_t below = of[lowest].beside[SAT_BELOW];
  return sat_winding_above(&work->status, below) == 1 ? work->last[below] : SAT_NONE;
}

/* Records that the faces around a point have met a vertex there. */
static void pass_faces(HoleJoiner *work, uint32_t below, uint32_t lowest, uint32_t vertex) {
  sat_Vec2 p = work->points[vertex];
  sat_record_windings(&work->status, lowest, p);
  if (below != SAT_NONE) work->last[below] = vertex;
  for (uint32_t edge = lowest; sat_status_edge_touches(&work->status, edge, p);
       edge = work->status.of[edge].beside[SAT_ABOVE])
    work->last[edge] = vertex;
}

/* Moves the sweep line past some vertices of equal position. False: a hole that begins there cannot
 * be joined. */
static bool pass_joining(HoleJoiner *work, const uint32_t *vertices, size_t count) {
  uint32_t below, anchor = SAT_NONE;
  for (size_t k = 0; k < count; k++)
    if (work->connected[work->ring[vertices[k]]]) anchor = vertices[k];
  uint32_t lowest = sat_sweep_status_pass(&work->status, vertices, count, &below);
  if (anchor == SAT_NONE) anchor = anchor_of_face(work, lowest, work->points[vertices[0]]);
  if (anchor == SAT_NONE) return false;
  for (size_t k = 1; k < count; k++)
    if (sat_is_ring_edge(&work->status, vertices[k]))
      merge_places(work, vertices[k], linked_vertex(work, vertices[0]));
  for (size_t k = 0; k < count; k++) {
    if (work->connected[work->ring[vertices[k]]]) continue;
    join_hole(work, linked_vertex(work, anchor), linked_vertex(work, vertices[k]));
    anchor = vertices[k];
  }
  pass_faces(work, below, lowest, vertices[0]);
  return true;
}

/* Returns a vertex of a hole that cannot be connected, or SAT_NONE. */
static uint32_t sweep_holes(HoleJoiner *work, uint32_t *order) {
  uint32_t count = work->status.count;
  sat_sweep_order(work->points, count, order, order + count);
  for (size_t first = 0, next; first < count; first = next) {
    next = sat_next_position(work->points, order, count, first);
    if (!pass_joining(work, order + first, next - first)) return order[first];
  }
  return SAT_NONE;
}

/* ---------------------------------------------------------------- the rings */

/* Cleans each ring into the joiner's lists, holes in the order of negative area. */
static sat_Status clean_rings(HoleJoiner *work, const sat_Vec2 *given, const uint32_t *first,
                              void *memory, sat_RingError *error) {
  uint32_t at = 0;
  for (size_t k = 0; k < work->rings; k++) {
    size_t count = first[k + 1] - first[k];
    sat_Vec2 *points = work->points + at;
    work->start[k] = at;
    for (size_t i = 0; i < count; i++) points[i] = given[first[k] + i];
    sat_Status status = SAT_EFEW;
    if (count) status = sat_ring_clean_in(memory, points, &count, k > 0, work->given + at, error);
    if (status) {
      *error = (sat_RingError){error->first + first[k], error->second + first[k]};
      return status;
    }
    work->given[at + count] = work->given[at];
    for (size_t i = 0; i <= count; i++, at++) {
      work->given[at] += first[k];
      work->ring[at] = (uint32_t)k;
      work->same[at] = at;
      if (i < count) link_vertices(work, at, i + 1 < count ? at + 1 : work->start[k]);
      work->last[at] = 0;
    }
    points[count] = points[0];
    work->connected[k] = k == 0;
  }
  work->start[work->rings] = work->status.count = at;
  for (size_t k = 1; k < 2 * work->rings; k++, at++) work->same[at] = at;
  return SAT_OK;
}

/* The given edge of which the edge from a vertex to the next one in the joined ring is a part: a
 * ring given in the other winding is walked back. A bridge counts as the edge at its first end. */
static uint32_t given_edge(const HoleJoiner *work, uint32_t vertex) {
  uint32_t next = work->next[vertex], ring = work->ring[vertex];
  uint32_t own = vertex < work->status.count ? vertex + 1 : next;
  const uint32_t *of_ring = work->given + work->start[ring];
  bool walks_back = of_ring[1] > of_ring[2];
  bool is_own = work->ring[own] == ring && equal_points(work->points[own], work->points[next]);
  return work->given[walks_back && is_own ? own : vertex];
}

sat_Status sat_ring_join(const sat_Vec2 *given, const uint32_t *first, size_t rings, sat_Vec2 *ring,
                         size_t *count, sat_Scratch *scratch, sat_RingError *error) {
  sat_RingError own;
  if (!error) error = &own;
  *error = (sat_RingError){0, 0};
  size_t most = (size_t)first[rings] + 3 * rings;
  if (most > MOST_VERTICES_TO_JOIN) return SAT_ENOMEM;
  size_t each = 2 * sizeof(sat_Vec2) + sizeof(sat_StatusEdge) + 10 * sizeof(uint32_t);
  size_t bytes = most * each + (rings + 1) * (sizeof(uint32_t) + sizeof(bool));
  char *memory = sat_scratch_reserve(scratch, bytes + sat_ring_memory(most));
  if (!memory) return SAT_ENOMEM;
  HoleJoiner work = {.rings = rings, .points = (sat_Vec2 *)(void *)memory};
  void *for_cleaning = work.points + most;
  work.status.of = (sat_StatusEdge *)(void *)((char *)for_cleaning + sat_ring_memory(most));
  work.given = (uint32_t *)(work.status.of + most);
  work.ring = work.given + most;
  work.next = work.ring + most;
  work.previous = work.next + most;
  work.same = work.previous + most;
  work.last = work.same + most;
  uint32_t *edges = work.last + most, *for_order = edges + most;
  work.start = for_order + 2 * most;
  work.connected = (bool *)(work.start + rings + 1);
  sat_Status status = clean_rings(&work, given, first, for_cleaning, error);
  if (status) return status;
  work.status.points = work.points;
  work.status.ring = work.ring;
  work.status.root = SAT_NONE;
  uint32_t outside = sweep_holes(&work, for_order);
  if (outside != SAT_NONE) {
    *error = (sat_RingError){work.given[outside], 0};
    return SAT_EHOLE;
  }
  size_t connected = 0;
  uint32_t at = 0;
  do {
    ring[connected] = work.points[at];
    edges[connected++] = given_edge(&work, at);
    at = work.next[at];
  } while (at != 0);
  status = sat_ring_clean_in(for_cleaning, ring, &connected, false, NULL, error);
  if (status == SAT_OK) *count = connected;
  else *error = (sat_RingError){edges[error->first], edges[error->second]};
  return status;
}
