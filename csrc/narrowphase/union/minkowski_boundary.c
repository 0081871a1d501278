/* minkowski_boundary.c: builds the boundary of a rounded Minkowski difference, as segments and
 * arcs. */
#include "narrowphase/union/minkowski_boundary.h"

/* The arcs between two edges. With a segment they are the candidates of one vertex. */
#define MOST_TURNS (SAT_MAX_CANDIDATES - 1)
/* The table of edge order serves polygons whose numbers of vertices have at most this product. */
#define MAX_ORDER_TABLE 64

sat_Boundary sat_boundary_of(const sat_Pair *pair, sat_BoundaryEdge *boundary_edges) {
  sat_Walk walk = sat_walk_begin(pair);
  sat_Facet facet;
  uint32_t count = 0, to[2];
  while (sat_walk_next(&walk, &facet)) {
    sat_BoundaryEdge *boundary_edge = &boundary_edges[count];
    boundary_edge->start = sat_facet_start(pair, &facet);
    boundary_edge->normal = facet_normal(pair, &facet);
    boundary_edge->separation = facet.separation;
    boundary_edge->length = length(sat_facet_edge(pair, facet.side, facet.edge));
    boundary_edge->facet = facet;
    sat_facet_ends(pair, &facet, boundary_edge->corner_of, to);
    count += boundary_edge->length > 0;
  }
  if (count == 0) {
    sat_Vec2 corner = corner_of(pair, 0, 0);
    boundary_edges[0] = (sat_BoundaryEdge){corner, {1, 0}, -corner.x, 0, {0, 0, 0, 0}, {0, 0}};
    count = 1;
  }
  bool degenerate = pair->radius == 0 && sat_is_flat(pair);
  return (sat_Boundary){boundary_edges, count, pair->radius, sat_boundary_error_bound(pair),
                        degenerate,     false};
}

/* ---------------------------------------------------------------- distance */

/* The distance from the core of a point outside of it, by a walk from an edge that the point is
 * outside of. The walk ends at an edge on the far side: rounding may put a point beside the end of
 * a core without width beyond both edges there, or beyond neither. */
static double core_distance(const sat_Boundary *boundary, uint32_t boundary_edge, sat_Vec2 point) {
  const sat_BoundaryEdge *boundary_edges = boundary->boundary_edges;
  double along = along_boundary_edge(&boundary_edges[boundary_edge], point);
  bool forward = along > boundary_edges[boundary_edge].length;
  for (uint32_t steps = boundary->count; steps > 0; steps--) {
    if (along >= 0 && along <= boundary_edges[boundary_edge].length)
      return separation_of(&boundary_edges[boundary_edge], point);
    uint32_t next = forward ? next_boundary_edge(boundary, boundary_edge)
                            : previous_boundary_edge(boundary, boundary_edge);
    sat_Vec2 corner = forward ? boundary_edges[next].start : boundary_edges[boundary_edge].start;
    along = along_boundary_edge(&boundary_edges[next], point);
    bool far_side = separation_of(&boundary_edges[next], point) < -boundary->error_bound;
    if (far_side || (forward ? along <= 0 : along >= boundary_edges[next].length))
      return length(sub(point, corner));
    boundary_edge = next;
  }
  return length(sub(point, boundary_edges[boundary_edge].start));
}

double sat_boundary_signed_distance(const sat_Boundary *boundary, sat_Vec2 point, double enough) {
  uint32_t max_facet = 0;
  double most = -HUGE_VAL;
  if (boundary->count == 1)
    return length(sub(point, boundary->boundary_edges[0].start)) - boundary->radius;
  for (uint32_t i = 0; i < boundary->count; i++) {
    double separation = separation_of(&boundary->boundary_edges[i], point);
    if (separation <= most) continue;
    most = separation;
    max_facet = i;
    if (most - boundary->radius > enough) return most - boundary->radius;
  }
  /* A point on the line of a core without width may be beyond the core's ends. */
  bool outside = most > -boundary->error_bound;
  if (boundary->radius > 0 && outside) most = core_distance(boundary, max_facet, point);
  return most - boundary->radius;
}

/* ---------------------------------------------------------------- stretches */

sat_Curve sat_segment_of_edge(const sat_Boundary *boundary, uint32_t boundary_edge) {
  const sat_BoundaryEdge *r = &boundary->boundary_edges[boundary_edge];
  sat_Vec2 start = add(r->start, mul(r->normal, boundary->radius));
  return (sat_Curve){start, perp(r->normal), r->normal, 0, r->length};
}

/* Adds the arcs up to a normal, and starts the next arc there. Half a turn, cut once, makes three
 * arcs; an arc that turns back, since its edges do not turn one way, is dropped. An arc that turns
 * back by more than a quarter turn seems to turn on by more than one after the cut. */
static void cut_arc(sat_Curve *arc, sat_Vec2 to, sat_Curve arcs[MOST_TURNS], uint32_t *count) {
  if (dot(arc->ahead, to) <= 0 && *count < MOST_TURNS) {
    arc->end = 1;
    arcs[(*count)++] = *arc;
    arc->ahead = perp(arc->ahead);
  }
  arc->end = arc_parameter(arc->ahead, to);
  bool turns_on = arc->end > SAT_SAME_ARC && arc->end < 2; /* 1 is a quarter turn */
  if (turns_on && *count < MOST_TURNS) arcs[(*count)++] = *arc;
  arc->ahead = to;
}

/* The arcs from an arc's start to another normal, cut at the point farthest from the origin, so
 * that the distance along each arc has one minimum. */
static uint32_t arcs_between(sat_Curve arc, sat_Vec2 to, sat_Curve arcs[MOST_TURNS]) {
  uint32_t count = 0;
  if (cross(arc.ahead, arc.base) > 0 && cross(arc.base, to) > 0) {
    double distance = length(arc.base);
    if (distance > SAT_TINY) cut_arc(&arc, mul(arc.base, 1 / distance), arcs, &count);
  }
  cut_arc(&arc, to, arcs, &count);
  return count;
}

uint32_t sat_arcs_of_vertex(const sat_Boundary *boundary, uint32_t boundary_edge,
                            sat_Curve arcs[4]) {
  const sat_BoundaryEdge *r = &boundary->boundary_edges[boundary_edge];
  double distance = length(r->start);
  sat_Vec2 from = boundary->boundary_edges[previous_boundary_edge(boundary, boundary_edge)].normal;
  sat_Curve arc = {r->start, from, {0, 0}, boundary->radius, 1};
  uint32_t count = 0;
  if (boundary->count > 1) return arcs_between(arc, r->normal, arcs);
  arc.ahead = distance > boundary->error_bound ? mul(r->start, 1 / distance) : vec2(1, 0);
  for (; count < 4; arc.ahead = perp(arc.ahead)) arcs[count++] = arc;
  return count;
}

/* ---------------------------------------------------------------- what may be on the union's
 * outline */

static bool is_hidden(const bool *flags, uint32_t index) { return flags && flags[index]; }

static bool hides_facet(const sat_HiddenFeatures hidden[2], const sat_Facet *facet) {
  return is_hidden(hidden[facet->side].internal, facet->edge) ||
         is_hidden(hidden[!facet->side].reflex, facet->vertex);
}

static bool hides_vertex(const sat_HiddenFeatures hidden[2], const uint32_t corner[2]) {
  return is_hidden(hidden[0].reflex, corner[0]) || is_hidden(hidden[1].reflex, corner[1]);
}

uint32_t sat_candidates_of(const sat_Boundary *boundary, const sat_HiddenFeatures hidden[2],
                           sat_Candidate *candidates) {
  sat_Curve arcs[4];
  uint32_t count = 0;
  for (uint32_t i = 0; i < boundary->count; i++) {
    const sat_BoundaryEdge *boundary_edge = &boundary->boundary_edges[i];
    bool faces = boundary_edge->length > 0 &&
                 boundary->radius - boundary_edge->separation >= -boundary->error_bound;
    if (faces && !hides_facet(hidden, &boundary_edge->facet))
      candidates[count++] =
          (sat_Candidate){sat_segment_of_edge(boundary, i), boundary_edge->facet, 0, 0};
    if (boundary->radius == 0 || hides_vertex(hidden, boundary_edge->corner_of)) continue;
    uint32_t pieces = sat_arcs_of_vertex(boundary, i, arcs);
    for (uint32_t k = 0; k < pieces; k++)
      candidates[count++] =
          (sat_Candidate){arcs[k], boundary_edge->facet, boundary_edge->corner_of[SAT_A], 0};
  }
  return count;
}

/* The steps of one row, as bits of their columns: those along A, and those along B. */
static void order_steps(const sat_Pair *pair, const uint32_t *rows, uint32_t row,
                        uint32_t steps[2]) {
  uint32_t last = pair->of[SAT_B].count - 1, own = rows[row];
  steps[SAT_A] = (own << 1 | own >> last) & ~own & ((2u << last) - 1);
  steps[SAT_B] = own & ~rows[previous_index(&pair->of[SAT_A], row)];
}

static bool is_path(const sat_Pair *pair, const uint32_t *rows) {
  uint32_t seen = 0, wrong = 0, steps[2];
  for (uint32_t i = 0; i < pair->of[SAT_A].count; i++) {
    order_steps(pair, rows, i, steps);
    wrong |= (uint32_t)(steps[0] == 0) | (steps[0] & (steps[0] - 1)) | (steps[1] & seen);
    seen |= steps[1];
  }
  return wrong == 0 && seen == (2u << (pair->of[SAT_B].count - 1)) - 1;
}

bool sat_edge_order_of(const sat_Pair *pair, uint32_t *rows) {
  const sat_Convex *a = &pair->of[SAT_A], *b = &pair->of[SAT_B];
  sat_Vec2 normals[MAX_ORDER_TABLE / 3];
  if (a->count < 3 || b->count < 3 || a->count > MAX_ORDER_TABLE / 3 ||
      b->count > MAX_ORDER_TABLE / 3)
    return false;
  if (a->count * b->count > MAX_ORDER_TABLE) return false;
  for (uint32_t j = 0; j < b->count; j++) normals[j] = normal_of(b->edges, j);
  for (uint32_t i = 0; i < a->count; i++) {
    sat_Vec2 normal = normal_of(a->edges, i);
    uint32_t row = 0;
    for (uint32_t j = 0; j < b->count; j++) row |= (uint32_t)(cross(normal, normals[j]) > 0) << j;
    rows[i] = row;
  }
  return is_path(pair, rows);
}

/* The vertex of B at A's first edge. */
static uint32_t first_order_step(const sat_Pair *pair, const uint32_t *rows) {
  uint32_t steps[2], vertex = 0;
  order_steps(pair, rows, 0, steps);
  while (!(steps[SAT_A] >> vertex & 1)) vertex++;
  return vertex;
}

sat_Boundary sat_boundary_in_order(const sat_Pair *pair, const uint32_t *rows,
                                   sat_BoundaryEdge *boundary_edges) {
  const sat_Convex *of = pair->of;
  uint32_t i = 0, j = first_order_step(pair, rows), count = 0;
  for (uint32_t left = of[0].count + of[1].count; left > 0; left--) {
    uint32_t side = rows[i] >> j & 1, edge = side ? j : i, other = side ? i : j;
    const sat_Convex *own = &of[side];
    sat_Vec2 normal = normal_of(own->edges, edge);
    uint32_t next = next_index(own, edge);
    double base = dot(normal, pair->origin_offset[side]) - offset_of(own->edges, edge);
    sat_BoundaryEdge *boundary_edge = &boundary_edges[count];
    boundary_edge->separation = base + dot(normal, of[!side].vertex[other]);
    boundary_edge->start = corner_of(pair, i, j);
    boundary_edge->normal = side ? normal : neg(normal);
    boundary_edge->length = dot(perp(normal), sub(own->vertex[next], own->vertex[edge]));
    boundary_edge->facet = (sat_Facet){boundary_edge->separation, side, edge, other};
    boundary_edge->corner_of[0] = i;
    boundary_edge->corner_of[1] = j;
    i = side ? i : next;
    j = side ? next : j;
    count += boundary_edge->length > 0;
  }
  if (count == 0) return sat_boundary_of(pair, boundary_edges);
  return (sat_Boundary){boundary_edges, count, pair->radius, sat_boundary_error_bound(pair),
                        false,          false};
}

/* The source of the candidates of one pair. */
typedef struct CandidateSource {
  const sat_Pair *pair;
  const uint32_t *rows;
  const sat_ExposedFeatures *exposed;
  double max_distance; /* what is farther from the origin is left out */
  sat_Candidate *candidates;
  uint32_t count;
} CandidateSource;

/* The facet of an edge of one side that goes on from these vertices of both. */
static void add_facet(CandidateSource *source, uint32_t side, const uint32_t from[2]) {
  const sat_Pair *pair = source->pair;
  const sat_Convex *own = &pair->of[side];
  uint32_t edge = from[side], other = from[!side];
  sat_Vec2 normal = normal_of(own->edges, edge), outward = side ? normal : neg(normal);
  double base = dot(normal, pair->origin_offset[side]) - offset_of(own->edges, edge);
  sat_Facet facet = {base + dot(normal, pair->of[!side].vertex[other]), side, edge, other};
  double origin_offset = pair->radius - facet.separation;
  if (origin_offset < -sat_boundary_error_bound(pair) || origin_offset > source->max_distance)
    return;
  sat_Vec2 along = sub(own->vertex[next_index(own, edge)], own->vertex[edge]);
  sat_Vec2 start = add(corner_of(pair, from[0], from[1]), mul(outward, pair->radius));
  double size = dot(perp(normal), along);
  if (size > 0)
    source->candidates[source->count++] =
        (sat_Candidate){{start, perp(outward), outward, 0, size}, facet, 0, 0};
}

static sat_Vec2 outward_normal(const sat_Pair *pair, uint32_t side, uint32_t edge) {
  sat_Vec2 normal = normal_of(pair->of[side].edges, edge);
  return side ? normal : neg(normal);
}

/* The arcs from an edge of one side to the next facet. */
static void add_arc(CandidateSource *source, uint32_t side, const uint32_t from[2]) {
  const sat_Pair *pair = source->pair;
  uint32_t to[2] = {from[0], from[1]};
  to[side] = next_index(&pair->of[side], from[side]);
  if (!(source->exposed[0].corners >> to[0] & source->exposed[1].corners >> to[1] & 1)) return;
  sat_Vec2 corner = corner_of(pair, to[0], to[1]);
  double farthest = source->max_distance + pair->radius;
  if (dot(corner, corner) > farthest * farthest) return;
  uint32_t next = source->rows[to[0]] >> to[1] & 1;
  sat_Vec2 before = outward_normal(pair, side, from[side]);
  sat_Curve arcs[MOST_TURNS], arc = {corner, before, {0, 0}, pair->radius, 1};
  uint32_t pieces = arcs_between(arc, outward_normal(pair, next, to[next]), arcs);
  for (uint32_t k = 0; k < pieces; k++)
    source->candidates[source->count++] = (sat_Candidate){arcs[k], {0, 0, 0, 0}, to[0], 0};
}

uint32_t sat_candidates_in_order(const sat_Pair *pair, const uint32_t *rows,
                                 const sat_ExposedFeatures exposed[2], double max_distance,
                                 sat_Candidate *candidates) {
  CandidateSource source = {pair, rows, exposed, max_distance, candidates, 0};
  const sat_Convex *of = pair->of;
  uint32_t i = 0, j = first_order_step(pair, rows);
  for (uint32_t left = of[0].count + of[1].count; left > 0; left--) {
    uint32_t side = rows[i] >> j & 1, from[2] = {i, j};
    uint32_t facet_of_a = exposed[0].edges >> i & exposed[1].corners >> j;
    uint32_t facet_of_b = exposed[0].corners >> i & exposed[1].edges >> j;
    if ((side ? facet_of_b : facet_of_a) & 1) add_facet(&source, side, from);
    if (pair->radius > 0) add_arc(&source, side, from);
    i = side ? i : next_index(&of[0], i);
    j = side ? next_index(&of[1], j) : j;
  }
  return source.count;
}

static double nearest_on_arc(const sat_Curve *arc, double same, sat_Vec2 wanted) {
  double distance = length(arc->base);
  sat_Vec2 best = distance > same ? mul(arc->base, -1 / distance) : wanted;
  double at_start = dot(best, arc->ahead), at_end = dot(best, sat_curve_normal(arc, arc->end));
  if (at_start > 0 || at_end > 0) {
    double t = arc_parameter(arc->ahead, best);
    if (t >= 0 && t <= arc->end) return t;
  }
  return at_start >= at_end ? 0 : arc->end;
}

double sat_curve_nearest(const sat_Curve *curve, double same, sat_Vec2 wanted) {
  if (sat_is_arc(curve)) return nearest_on_arc(curve, same, wanted);
  return clamp(-dot(curve->base, curve->ahead), 0, curve->end);
}
