/* visibility.c: a sweep over directions finds which edge is nearest to an eye.
 *
 * A ray turns once about the eye. The active edges are those that it crosses; events are the
 * directions in which edges begin and end. Between two events all active edges span the whole
 * wedge, and their nearness is linear in the direction: so an edge that is nearest at both sides of
 * the wedge is nearest between, and else the nearest edges are an upper envelope of lines, which
 * the sweep follows from crossing to crossing. Asano, An efficient algorithm for finding the
 * visibility polygon for a polygonal region with holes, 1985.
 *
 * No light leaks through the rounding between two edges that abut: a batch of events, each within
 * SAT_SAME_NORMAL of the one before, is one direction. Nothing is seen within a batch, and the next
 * wedge sees all edges that have begun in it and have not ended. */
#include "base/heap.h"
#include "base/simd/simd.h"
#include "base/tolerance.h"
#include "polygon/polygon.h"

/* Turns, as events have them, that differ by this much are the same: an angle is at most twice as
 * large. Edges that span no larger angle are left out, since both their ends are then in one
 * batch. */
#define SAME_TURN (SAT_SAME_NORMAL / 2)

/* In place of an edge: the first wedge is to come; or the eye is on an outline. */
#define UNKNOWN 0xffffffffu
#define HIDDEN 0xfffffffeu

/* ---------------------------------------------------------------- edges */

sat_Status sat_eye_reserve(sat_Eye *eye, size_t more) {
  size_t wanted = eye->count + more, grown = eye->capacity + eye->capacity / 2;
  if (wanted <= eye->capacity) return SAT_OK;
  if (wanted < grown) wanted = grown;
  sat_EyeEdge *edges = sat_scratch_reserve(eye->scratch, wanted * sizeof *edges);
  if (!edges) return SAT_ENOMEM;
  eye->edges = edges;
  eye->capacity = wanted;
  return SAT_OK;
}

/* Whether the second of two directions is within SAME_TURN of the first, or behind it. Nor does a
 * product that is next to nothing tell them apart. */
static bool is_same_way(sat_Vec2 a, sat_Vec2 b) {
  double turn = cross(a, b);
  return turn <= SAT_UNDERFLOW_ERROR ||
         (dot(a, b) > 0 && turn * turn <= SAME_TURN * SAME_TURN * dot(a, a) * dot(b, b));
}

void sat_eye_add(sat_Eye *eye, sat_Vec2 a, sat_Vec2 b) {
  sat_Vec2 from = sub(a, eye->at), to = sub(b, eye->at);
  if (is_same_way(from, to)) return;
  sat_Vec2 dual = mul(sub(to, from), 1 / cross(from, to));
  eye->edges[eye->count++] = (sat_EyeEdge){a, b, dual, SAT_NOT_ACTIVE, 0};
}

void sat_eye_hide(sat_Eye *eye, sat_Vec2 a, sat_Vec2 b) {
  eye->edges[eye->count++] = (sat_EyeEdge){a, b, {0, 0}, SAT_NOT_ACTIVE, 0};
}

/* ---------------------------------------------------------------- events */

/* A direction in which an edge ends, another one begins, or both; SAT_NOT_ACTIVE stands for none.
 * `at` grows with the angle, from 0 at +x to 4, the sum of |x| and |y| being 1. */
typedef struct EyeEvent {
  double at;
  uint32_t begins, ends;
} EyeEvent;

#define TURNS_BEFORE(by, a, b) ((a)->at < (b)->at)
SAT_DEFINE_MERGESORT(EyeEvent, eye_events, TURNS_BEFORE)

typedef struct EyeSweep {
  const sat_Eye *eye;
  sat_EyeEdge *edges;
  EyeEvent *events, *spare;
  size_t event_count;
  /* the active edges but those that hide: their duals, with zeros behind, and their indices */
  double *dual_x, *dual_y;
  uint32_t *active, active_count;
  uint32_t hiding; /* the number of active edges that hide */
  uint32_t batch, nearest;
  sat_Points *seen;
  sat_Status status;
} EyeSweep;

static void add_eye_event(EyeSweep *sweep, sat_Vec2 point, uint32_t begins, uint32_t ends) {
  sat_Vec2 way = sub(point, sweep->eye->at);
  double up = way.y / (fabs(way.x) + fabs(way.y));
  double at = way.x < 0 ? 2 - up : way.y < 0 ? 4 + up : up;
  sweep->events[sweep->event_count++] = (EyeEvent){at, begins, ends};
}

/* Sorts the events, which are spread about evenly, by as many buckets as there are edges. */
static void sort_events(EyeSweep *sweep) {
  uint32_t buckets = (uint32_t)sweep->eye->count, *end = sweep->active, start = 0;
  double per_turn = buckets / 4.0;
  EyeEvent *sorted = sweep->spare;
#define BUCKET_OF(event) (uint32_t)((event).at * per_turn)
  SAT_COUNTING_SORT(sweep->events, sweep->event_count, sorted, end, buckets + 1, BUCKET_OF);
  sweep->spare = sweep->events;
  sweep->events = sorted;
  for (uint32_t k = 0; k <= buckets; start = end[k++])
    if (end[k] - start > 1) eye_events_sort(sorted + start, sweep->spare, end[k] - start, NULL);
}

static void list_eye_events(EyeSweep *sweep) {
  const sat_EyeEdge *edges = sweep->edges;
  size_t count = sweep->eye->count;
  uint32_t ends = SAT_NOT_ACTIVE; /* the next edge ends where the last one begins */
  for (uint32_t i = 0; i < count; i++) {
    if (ends == SAT_NOT_ACTIVE) add_eye_event(sweep, edges[i].b, SAT_NOT_ACTIVE, i);
    bool continues = i + 1 < count && equal_points(edges[i + 1].b, edges[i].a);
    ends = continues ? i + 1 : SAT_NOT_ACTIVE;
    add_eye_event(sweep, edges[i].a, i, ends);
  }
  sort_events(sweep);
}

/* The direction of an event, by its turn alone, whichever of several edges it is of. */
static sat_Vec2 way_of(const EyeSweep *sweep, size_t index) {
  double at = sweep->events[index].at;
  return vec2(at < 2 ? 1 - at : at - 3, at < 1 ? at : at < 3 ? 2 - at : at - 4);
}

/* Whether an event is of the same batch as the one before, which may be the last one. */
static bool follows_at_once(const EyeSweep *sweep, size_t index) {
  double before =
      index > 0 ? sweep->events[index - 1].at : sweep->events[sweep->event_count - 1].at - 4;
  return sweep->events[index].at - before <= SAME_TURN;
}

/* ---------------------------------------------------------------- active edges */

static bool hides(const sat_EyeEdge *edge) { return edge->dual.x == 0 && edge->dual.y == 0; }

static void begin_edge(EyeSweep *sweep, uint32_t index) {
  sat_EyeEdge *edge = &sweep->edges[index];
  edge->since = sweep->batch;
  if (edge->place != SAT_NOT_ACTIVE) return;
  edge->place = sweep->active_count;
  sweep->hiding += hides(edge);
  if (hides(edge)) return;
  sweep->dual_x[edge->place] = edge->dual.x;
  sweep->dual_y[edge->place] = edge->dual.y;
  sweep->active[sweep->active_count++] = index;
}

static void end_edge(EyeSweep *sweep, uint32_t index) {
  sat_EyeEdge *edge = &sweep->edges[index];
  uint32_t place = edge->place;
  if (place == SAT_NOT_ACTIVE) return;
  edge->place = SAT_NOT_ACTIVE;
  sweep->hiding -= hides(edge);
  if (hides(edge)) return;
  uint32_t last = --sweep->active_count;
  sweep->dual_x[place] = sweep->dual_x[last];
  sweep->dual_y[place] = sweep->dual_y[last];
  sweep->active[place] = sweep->active[last];
  if (last != place) sweep->edges[sweep->active[place]].place = place;
  sweep->dual_x[last] = sweep->dual_y[last] = 0;
}

static double nearness(const EyeSweep *sweep, uint32_t place, sat_Vec2 way) {
  return way.x * sweep->dual_y[place] - way.y * sweep->dual_x[place];
}

/* The greatest nearness of all active edges, 0 without any. */
static double greatest_nearness(const EyeSweep *sweep, sat_Vec2 way) {
  double4 most = double4_of(0), x = double4_of(way.x), y = double4_of(way.y);
  for (uint32_t i = 0; i < sweep->active_count; i += 4)
    most = double4_max(most, double4_sub(double4_mul(x, double4_load(sweep->dual_y + i)),
                                         double4_mul(y, double4_load(sweep->dual_x + i))));
  return double4_greatest(most);
}

static void apply_event(EyeSweep *sweep, size_t index) {
  const EyeEvent *event = &sweep->events[index];
  if (event->ends != SAT_NOT_ACTIVE) end_edge(sweep, event->ends);
  if (event->begins != SAT_NOT_ACTIVE) begin_edge(sweep, event->begins);
}

/* Applies the batch of events from `first` on. Returns the first event behind the batch. */
static size_t apply_batch(EyeSweep *sweep, size_t first) {
  sweep->batch++;
  do {
    apply_event(sweep, first);
    first = first + 1 < sweep->event_count ? first + 1 : 0;
  } while (follows_at_once(sweep, first));
  return first;
}

/* ---------------------------------------------------------------- the outline */

static bool is_same_place(const sat_Eye *eye, sat_Vec2 a, sat_Vec2 b) {
  return max2(fabs(a.x - b.x), fabs(a.y - b.y)) <= eye->rounding;
}

static void put_vertex(EyeSweep *sweep, sat_Vec2 vertex) {
  sat_Points *seen = sweep->seen;
  if (seen->count > 0 && is_same_place(sweep->eye, seen->at[seen->count - 1], vertex)) return;
  if (SAT_LIST_ADD(seen, vertex)) sweep->status = SAT_ENOMEM;
}

/* The place of an active edge in a direction, or the eye if that is hidden. */
static sat_Vec2 reach_along(const EyeSweep *sweep, uint32_t edge, sat_Vec2 way) {
  sat_Vec2 from = sweep->eye->at;
  if (edge == HIDDEN) return from;
  return add(from, mul(way, 1 / cross(way, sweep->edges[edge].dual)));
}

/* Goes on with another edge, from a batch on whose first and last directions are given. */
static void go_on_with(EyeSweep *sweep, uint32_t next, sat_Vec2 first, sat_Vec2 last) {
  const sat_EyeEdge *edges = sweep->edges;
  sat_Vec2 from = sweep->eye->at;
  uint32_t old = sweep->nearest;
  sweep->nearest = next;
  if (old == UNKNOWN || old == next) return;
  bool ends = old != HIDDEN && edges[old].place == SAT_NOT_ACTIVE;
  bool begins = next != HIDDEN && edges[next].since == sweep->batch;
  put_vertex(sweep, ends     ? edges[old].b
                    : begins ? reach_along(sweep, old, sub(edges[next].a, from))
                             : reach_along(sweep, old, first));
  put_vertex(sweep, begins ? edges[next].a
                    : ends ? reach_along(sweep, next, sub(edges[old].b, from))
                           : reach_along(sweep, next, last));
}

/* ---------------------------------------------------------------- wedges */

/* A wedge between two batches, and the greatest nearness at its sides. */
typedef struct Wedge {
  sat_Vec2 from, to;
  double most_from, most_to;
} Wedge;

/* Whether an edge of this nearness is to be taken rather than another one, whatever the order in
 * which the two were added. */
static bool is_taken_before(const EyeSweep *sweep, double own, uint32_t edge, double best,
                            uint32_t chosen) {
  if (own != best) return own > best;
  const sat_EyeEdge *a = &sweep->edges[edge], *b = &sweep->edges[chosen];
  return equal_points(a->b, b->b) ? sweep_precedes(a->a, b->a) : sweep_precedes(a->b, b->b);
}

static double least_of(double most) { return most * (1 - SAT_TOUCH_ERROR); }

/* Whether the last nearest edge is nearest where a wedge begins, but for rounding, and near enough
 * after that. */
static bool still_nearest(const EyeSweep *sweep, const Wedge *wedge, double most_after) {
  if (sweep->nearest >= HIDDEN || sweep->edges[sweep->nearest].place == SAT_NOT_ACTIVE)
    return false;
  uint32_t place = sweep->edges[sweep->nearest].place;
  return nearness(sweep, place, wedge->from) >= least_of(wedge->most_from) &&
         nearness(sweep, place, wedge->to) >= least_of(most_after);
}

/* The edge that is nearest where a wedge begins, of several the one that is nearest after that. */
static uint32_t nearest_edge(const EyeSweep *sweep, const Wedge *wedge) {
  double most = -HUGE_VAL;
  uint32_t nearest = HIDDEN;
  if (sweep->hiding > 0) return HIDDEN;
  if (still_nearest(sweep, wedge, wedge->most_to)) return sweep->nearest;
  for (uint32_t i = 0; i < sweep->active_count; i++) {
    double after = nearness(sweep, i, wedge->to);
    if (nearness(sweep, i, wedge->from) < least_of(wedge->most_from)) continue;
    if (!is_taken_before(sweep, after, sweep->active[i], most, nearest)) continue;
    most = after;
    nearest = sweep->active[i];
  }
  return still_nearest(sweep, wedge, most) ? sweep->nearest : nearest;
}

/* Follows the nearest edge to the other side of the wedge: where the first of the edges that are
 * nearer there crosses it, that one goes on. */
static void pass_wedge(EyeSweep *sweep, const Wedge *wedge) {
  while (sweep->nearest != HIDDEN) {
    sat_Vec2 dual = sweep->edges[sweep->nearest].dual;
    double before = cross(wedge->from, dual), after = cross(wedge->to, dual);
    double first = HUGE_VAL, most = 0;
    uint32_t next = sweep->nearest;
    if (after >= least_of(wedge->most_to)) return;
    for (uint32_t i = 0; i < sweep->active_count; i++) {
      double own = nearness(sweep, i, wedge->to);
      if (least_of(own) <= after) continue;
      double lead = max2(before - nearness(sweep, i, wedge->from), 0);
      double at = lead / (lead + own - after);
      if (at > first || (at == first && !is_taken_before(sweep, own, sweep->active[i], most, next)))
        continue;
      first = at;
      most = own;
      next = sweep->active[i];
    }
    put_vertex(sweep, reach_along(sweep, sweep->nearest, lerp(wedge->from, wedge->to, first)));
    sweep->nearest = next;
  }
}

/* All events once leave those edges active that end before they begin, which the first direction is
 * in the middle of. The last batch is the first one again, where the outline closes. */
static void sweep_around(EyeSweep *sweep) {
  size_t first = 0, count = sweep->event_count;
  while (first < count && follows_at_once(sweep, first)) first++;
  if (first == count) return;
  for (size_t i = 0; i < count; i++)
    apply_event(sweep, i < count - first ? first + i : first + i - count);
  for (size_t at = first, passed = 0; !sweep->status;) {
    size_t next = apply_batch(sweep, at);
    Wedge wedge = {.from = way_of(sweep, next > 0 ? next - 1 : count - 1),
                   .to = way_of(sweep, next)};
    wedge.most_from = greatest_nearness(sweep, wedge.from);
    wedge.most_to = greatest_nearness(sweep, wedge.to);
    go_on_with(sweep, nearest_edge(sweep, &wedge), way_of(sweep, at), wedge.from);
    if (passed == count) return;
    pass_wedge(sweep, &wedge);
    passed += next > at ? next - at : next + count - at;
    at = next;
  }
}

sat_Status sat_eye_sweep(sat_Eye *eye, sat_Points *seen) {
  size_t count = eye->count, room = (count + 7) / 4 * 4;
  EyeSweep sweep = {.eye = eye, .nearest = UNKNOWN, .seen = seen};
  size_t bytes = count * (sizeof *sweep.edges + 4 * sizeof *sweep.events) +
                 room * (2 * sizeof *sweep.dual_x + sizeof *sweep.active);
  seen->count = 0;
  if (count == 0) return SAT_OK;
  sweep.edges = sat_scratch_reserve(eye->scratch, bytes);
  if (!sweep.edges) return SAT_ENOMEM;
  eye->edges = sweep.edges;
  sweep.events = (EyeEvent *)(sweep.edges + count);
  sweep.spare = sweep.events + 2 * count;
  sweep.dual_x = (double *)(sweep.spare + 2 * count);
  sweep.dual_y = sweep.dual_x + room;
  sweep.active = (uint32_t *)(void *)(sweep.dual_y + room);
  memset(sweep.dual_x, 0, 2 * room * sizeof *sweep.dual_x);
  list_eye_events(&sweep);
  sweep_around(&sweep);
  if (seen->count > 1 && is_same_place(eye, seen->at[0], seen->at[seen->count - 1])) seen->count--;
  if (seen->count < 3) seen->count = 0;
  return sweep.status;
}
