/* minkowski_boundary.c: see narrowphase/minkowski_boundary.h. */
#include "narrowphase/minkowski_boundary.h"

/* Places on a turn that are nearer to each other than this, as half an angle, are one. */
#define SAME_ARC 1e-10
/* The parts of a turn between two edges. With a straight stretch they are what comes of a
 * vertex. */
#define MOST_TURNS (SAT_MAX_CANDIDATES - 1)
/* Polygons are small for a table if the product of their numbers of vertices is no larger. */
#define MAX_ORDER_TABLE 64
/* The square of a sine that rounding may have made negative. */
#define TANGENT 1e-9
/* The sine of an angle between edges that rounding may leave of none: four digits above what turned
 * normals are off by. */
#define SAME_EDGE 1e-11

static uint32_t next_boundary_edge(const sat_Boundary *boundary, uint32_t boundary_edge) {
  return boundary_edge + 1 < boundary->count ? boundary_edge + 1 : 0;
}
static uint32_t previous_boundary_edge(const sat_Boundary *boundary, uint32_t boundary_edge) {
  return (boundary_edge > 0 ? boundary_edge : boundary->count) - 1;
}

static double separation_of(const sat_BoundaryEdge *boundary_edge, sat_Vec2 point) {
  return dot(boundary_edge->normal, point) + boundary_edge->separation;
}

/* How far along a rim a point is. */
static double along_boundary_edge(const sat_BoundaryEdge *boundary_edge, sat_Vec2 point) {
  return dot(perp(boundary_edge->normal), sub(point, boundary_edge->start));
}

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
    boundary_edges[0] =
        (sat_BoundaryEdge){corner_of(pair, 0, 0), {1, 0}, 0, 0, {0, 0, 0, 0}, {0, 0}};
    count = 1;
  }
  bool degenerate = pair->radius == 0 && sat_is_flat(pair);
  return (sat_Boundary){boundary_edges, count, pair->radius, sat_boundary_error_bound(pair),
                        degenerate};
}

/* ---------------------------------------------------------------- distance */

/* The distance from the core of a point outside of it, found from a rim that it is outside of. */
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
    if (forward ? along <= 0 : along >= boundary_edges[next].length)
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
  /* On the line of a core without width the point may be beyond its ends. */
  bool outside = most > 0 || boundary->count == 2;
  if (boundary->radius > 0 && outside) most = core_distance(boundary, max_facet, point);
  return most - boundary->radius;
}

/* ---------------------------------------------------------------- stretches */

sat_Curve sat_segment_of_edge(const sat_Boundary *boundary, uint32_t boundary_edge) {
  const sat_BoundaryEdge *r = &boundary->boundary_edges[boundary_edge];
  sat_Vec2 start = add(r->start, mul(r->normal, boundary->radius));
  return (sat_Curve){start, perp(r->normal), r->normal, 0, r->length};
}

static double arc_parameter(sat_Vec2 from, sat_Vec2 normal) {
  return cross(from, normal) / (1 + dot(from, normal));
}

/* Adds what is up to a normal, of a turn that goes on there. Half a turn, cut once, has three
 * parts; of one that goes back, since its edges do not turn one way, what is left over is
 * dropped. */
static void cut_arc(sat_Curve *arc, sat_Vec2 to, sat_Curve arcs[MOST_TURNS], uint32_t *count) {
  if (dot(arc->ahead, to) <= 0 && *count < MOST_TURNS) {
    arc->end = 1;
    arcs[(*count)++] = *arc;
    arc->ahead = perp(arc->ahead);
  }
  arc->end = arc_parameter(arc->ahead, to);
  if (arc->end > SAME_ARC && *count < MOST_TURNS) arcs[(*count)++] = *arc;
  arc->ahead = to;
}

/* From where a turn is on to another normal. It is parted where it is farthest from the origin, so
 * that each part comes nearer only until it is nearest. */
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

/* In each row, as bits of where they are: the steps on along A, and those along B. */
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

/* Which vertex of B is at A's first edge. */
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
  return (sat_Boundary){boundary_edges, count, pair->radius, sat_boundary_error_bound(pair), false};
}

/* What stretches are made of at once from. */
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

/* The turn from an edge of one side to what follows. */
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

/* ---------------------------------------------------------------- straight against D */

/* A place on a straight stretch from which to go on, ahead or back. */
typedef struct RayFront {
  sat_Vec2 point, ahead;
  double error, end; /* what the place may be off by, and how long the stretch is */
} RayFront;

/* Where a front leaves D. */
typedef struct RayExit {
  sat_Parameter parameter;
  uint32_t boundary_edge;
  bool abutting; /* it runs along D's outline, on the other side */
} RayExit;

static void keep_nearest_exit(RayExit *exit, double distance, double error,
                              uint32_t boundary_edge) {
  if (distance >= exit->parameter.t) return;
  exit->parameter = (sat_Parameter){distance, error};
  exit->boundary_edge = boundary_edge;
}

/* A front at a facet of D, where the stretch has D's other side: D abuts on it and covers it, until
 * they have come apart by more than rounding, and round corners as long as the facet is. */
static void follow_abutting_edge(const sat_Boundary *boundary, const RayFront *front,
                                 uint32_t index, double slope, RayExit *exit) {
  const sat_BoundaryEdge *boundary_edge = &boundary->boundary_edges[index];
  exit->abutting = true;
  if (slope * front->end > boundary->error_bound)
    keep_nearest_exit(exit, 2 * boundary->error_bound / slope, boundary->error_bound / slope,
                      index);
  if (boundary->radius == 0) return;
  double along = along_boundary_edge(boundary_edge, front->point);
  bool forward = dot(perp(boundary_edge->normal), front->ahead) > 0;
  keep_nearest_exit(exit, forward ? boundary_edge->length - along : along, boundary->error_bound,
                    index);
}

/* Where D's facets, moved out by the radius, are left, as a distance from the front. False: at
 * once, or not inside of them. */
static bool exit_from_facets(const sat_Boundary *boundary, const RayFront *front, sat_Vec2 normal,
                             RayExit *exit) {
  double error_bound = boundary->error_bound, most = error_bound + front->error;
  *exit = (RayExit){{HUGE_VAL, 0}, 0, false};
  for (uint32_t i = 0; i < boundary->count; i++) {
    const sat_BoundaryEdge *boundary_edge = &boundary->boundary_edges[i];
    double out = separation_of(boundary_edge, front->point) - boundary->radius;
    if (out > most) return false;
    double slope = dot(boundary_edge->normal, front->ahead);
    if (slope < 0 && out > error_bound - front->error * slope) return false;
    if (out >= -2 * error_bound && dot(boundary_edge->normal, normal) < 0) {
      follow_abutting_edge(boundary, front, i, slope, exit);
    } else if (fabs(slope) * front->end <= error_bound) {
      if (out >= -2 * error_bound) return false; /* along its own side */
    } else if (slope > 0) {
      if (out >= -error_bound) return false;
      keep_nearest_exit(exit, -out / slope, error_bound / slope, i);
    }
  }
  return exit->parameter.t > exit->parameter.error;
}

/* What of a line is inside, as places on it. */
typedef struct InsideInterval {
  sat_Parameter from, to;
} InsideInterval;

static void extend_interval(InsideInterval *inside, sat_Parameter parameter) {
  if (parameter.t < inside->from.t) inside->from = parameter;
  if (parameter.t > inside->to.t) inside->to = parameter;
}

/* All of the line that is inside, round corners: where it meets straight parts of the outline, and
 * all discs. */
static InsideInterval inside_of_rounded(const sat_Boundary *boundary, const RayFront *line) {
  double radius = boundary->radius, error_bound = boundary->error_bound;
  InsideInterval inside = {{HUGE_VAL, 0}, {-HUGE_VAL, 0}};
  for (uint32_t i = 0; i < boundary->count; i++) {
    const sat_BoundaryEdge *boundary_edge = &boundary->boundary_edges[i];
    sat_Vec2 from = sub(line->point, boundary_edge->start);
    double middle = -dot(from, line->ahead), abutting = cross(from, line->ahead);
    double square = radius * radius - abutting * abutting;
    if (square > 0) {
      double half = sqrt(square), error = error_bound * radius / half;
      extend_interval(&inside, (sat_Parameter){middle - half, error});
      extend_interval(&inside, (sat_Parameter){middle + half, error});
    }
    double slope = dot(boundary_edge->normal, line->ahead);
    if (fabs(slope) * line->end <= error_bound) continue;
    sat_Parameter parameter = {(radius - separation_of(boundary_edge, line->point)) / slope,
                               error_bound / fabs(slope)};
    double along =
        along_boundary_edge(boundary_edge, add(line->point, mul(line->ahead, parameter.t)));
    if (along >= 0 && along <= boundary_edge->length) extend_interval(&inside, parameter);
  }
  return inside;
}

/* Whether the way from inside the core to where it leaves a facet ends on the straight part of the
 * outline. */
static bool exits_through_segment(const sat_Boundary *boundary, const RayFront *front,
                                  const RayExit *exit) {
  sat_Vec2 point = add(front->point, mul(front->ahead, exit->parameter.t));
  double along = along_boundary_edge(&boundary->boundary_edges[exit->boundary_edge], point);
  return along >= 0 && along <= boundary->boundary_edges[exit->boundary_edge].length &&
         sat_boundary_signed_distance(boundary, front->point, 0) < -boundary->error_bound;
}

static bool covers_segment(const sat_Boundary *boundary, const sat_Curve *line, bool forward,
                           sat_Parameter *parameter) {
  RayFront front = {sat_curve_point(line, parameter->t), forward ? line->ahead : neg(line->ahead),
                    parameter->error, line->end};
  RayExit exit = {{HUGE_VAL, 0}, 0, false};
  if (boundary->count > 1 && !exit_from_facets(boundary, &front, line->normal, &exit)) return false;
  if (boundary->radius > 0 && !exit.abutting &&
      (exit.parameter.t == HUGE_VAL || !exits_through_segment(boundary, &front, &exit))) {
    InsideInterval inside = inside_of_rounded(boundary, &front);
    if (inside.from.t - inside.from.error > parameter->error || inside.to.t <= inside.to.error)
      return false;
    exit.parameter = inside.to;
  }
  double t = forward ? parameter->t + exit.parameter.t : parameter->t - exit.parameter.t;
  if (t == parameter->t)
    return false; /* far along a long line, so little of it is lost in rounding */
  *parameter = (sat_Parameter){t, exit.parameter.error};
  return true;
}

/* ---------------------------------------------------------------- a turn against D */

/* The first place on a turn after (or before) another where it meets an outline. */
typedef struct ArcCrossings {
  const sat_Curve *arc;
  bool forward;
  double after, first;
} ArcCrossings;

static void add_crossing(ArcCrossings *crossings, sat_Vec2 normal) {
  const sat_Curve *arc = crossings->arc;
  if (dot(arc->ahead, normal) <= -0.5) return; /* nowhere near, and the place would overflow */
  double t = arc_parameter(arc->ahead, normal);
  if (crossings->forward) {
    if (t > crossings->after + SAME_ARC && t < crossings->first) crossings->first = t;
  } else {
    if (t < crossings->after - SAME_ARC && t > crossings->first) crossings->first = t;
  }
}

/* Where the turn's normal has this cosine with a direction. One that is 1 but for rounding is where
 * a straight side begins that shares the corner: to miss it would be worse than to look there in
 * vain. */
static void add_crossing_at_cosine(ArcCrossings *crossings, sat_Vec2 direction, double cosine) {
  double square = 1 - cosine * cosine;
  if (!(square >= -TANGENT)) return;
  sat_Vec2 along = mul(direction, cosine), across = mul(perp(direction), sqrt(max2(square, 0)));
  add_crossing(crossings, add(along, across));
  add_crossing(crossings, sub(along, across));
}

static void add_crossings(const sat_Boundary *boundary, ArcCrossings *crossings) {
  const sat_Curve *arc = crossings->arc;
  double own = arc->radius, radius = boundary->radius;
  for (uint32_t i = 0; i < boundary->count; i++) {
    const sat_BoundaryEdge *boundary_edge = &boundary->boundary_edges[i];
    if (boundary->count > 1)
      add_crossing_at_cosine(crossings, boundary_edge->normal,
                             (radius - separation_of(boundary_edge, arc->base)) / own);
    sat_Vec2 origin_offset = sub(boundary_edge->start, arc->base);
    double distance = length(origin_offset);
    if (radius == 0 || distance <= boundary->error_bound) continue;
    double cosine =
        (dot(origin_offset, origin_offset) + own * own - radius * radius) / (2 * distance * own);
    add_crossing_at_cosine(crossings, mul(origin_offset, 1 / distance), cosine);
  }
}

/* The widest of the facets' gaps at a point. */
static double max_separation_at(const sat_Boundary *boundary, sat_Vec2 point, double enough) {
  double most = -HUGE_VAL;
  for (uint32_t i = 0; i < boundary->count && most <= enough; i++)
    most = max2(most, separation_of(&boundary->boundary_edges[i], point));
  return most;
}

/* How a turn's whole disc lies to D: -1 inside, 1 outside, 0 neither for sure. */
static int circle_side(const sat_Boundary *boundary, const sat_Curve *arc) {
  double error_bound = boundary->error_bound,
         max_distance = boundary->radius + arc->radius + error_bound;
  if (boundary->count == 1) return 0;
  double separation = max_separation_at(boundary, arc->base, max_distance);
  if (separation > max_distance) return 1;
  return separation < -error_bound && separation + arc->radius < boundary->radius - error_bound ? -1
                                                                                                : 0;
}

static bool covers_arc_piece(const sat_Boundary *boundary, const sat_Curve *arc, bool forward,
                             sat_Parameter *parameter) {
  double error_bound = boundary->error_bound;
  if (sat_boundary_signed_distance(boundary, sat_curve_point(arc, parameter->t), 2 * error_bound) >
      2 * error_bound)
    return false;
  double end = forward ? arc->end : 0;
  ArcCrossings crossings = {arc, forward, parameter->t, forward ? HUGE_VAL : -HUGE_VAL};
  add_crossings(boundary, &crossings);
  double until = forward ? min2(crossings.first, end) : max2(crossings.first, end);
  double middle = parameter->t + (until - parameter->t) * 0.5;
  if (sat_boundary_signed_distance(boundary, sat_curve_point(arc, middle), 0) >= -error_bound)
    return false;
  *parameter = (sat_Parameter){crossings.first, SAME_ARC};
  return true;
}

static bool covers_arc(const sat_Boundary *boundary, const sat_Curve *arc, bool forward,
                       sat_Parameter *parameter) {
  int side = circle_side(boundary, arc);
  if (side < 0) *parameter = (sat_Parameter){forward ? HUGE_VAL : -HUGE_VAL, 0};
  return side < 0 || (side == 0 && covers_arc_piece(boundary, arc, forward, parameter));
}

bool sat_boundary_covers_parameter(const sat_Boundary *boundary, const sat_Curve *curve,
                                   bool forward, sat_Parameter *parameter) {
  if (boundary->degenerate) return false;
  return sat_is_arc(curve) ? covers_arc(boundary, curve, forward, parameter)
                           : covers_segment(boundary, curve, forward, parameter);
}

/* The line through a point inside of D, from where it comes in to where it goes out. False where
 * the point is not inside of all facets, moved out by the radius, for sure. */
static bool exits_both_ways(const sat_Boundary *boundary, const sat_Curve *line, sat_Vec2 point,
                            sat_Parameter exits[2], uint32_t boundary_edges[2]) {
  double error_bound = boundary->error_bound, radius = boundary->radius;
  exits[0] = (sat_Parameter){-HUGE_VAL, 0};
  exits[1] = (sat_Parameter){HUGE_VAL, 0};
  for (uint32_t i = 0; i < boundary->count; i++) {
    const sat_BoundaryEdge *boundary_edge = &boundary->boundary_edges[i];
    double out = separation_of(boundary_edge, point) - radius;
    if (out >= -error_bound) return false;
    double slope = dot(boundary_edge->normal, line->ahead);
    if (slope > 0 && -out < exits[1].t * slope) {
      exits[1] = (sat_Parameter){-out / slope, error_bound / slope};
      boundary_edges[1] = i;
    } else if (slope < 0 && out > exits[0].t * -slope) {
      exits[0] = (sat_Parameter){-out / slope, -error_bound / slope};
      boundary_edges[0] = i;
    }
  }
  return true;
}

/* Given where the line leaves a facet, moved out by the radius: whether it leaves D there, or, if
 * that is beyond the facet, round the corner beside it, which `exit` then becomes. */
static bool exits_near(const sat_Boundary *boundary, const sat_Curve *line, sat_Vec2 point,
                       uint32_t boundary_edge, bool ahead, sat_Parameter *exit) {
  const sat_BoundaryEdge *facet = &boundary->boundary_edges[boundary_edge];
  double along = along_boundary_edge(facet, add(point, mul(line->ahead, exit->t)));
  if (along >= 0 && along <= facet->length) return true;
  uint32_t next = along > 0 ? next_boundary_edge(boundary, boundary_edge) : boundary_edge,
           before = previous_boundary_edge(boundary, next);
  sat_Vec2 from = sub(point, boundary->boundary_edges[next].start);
  double middle = -dot(from, line->ahead), abutting = cross(from, line->ahead);
  double square = boundary->radius * boundary->radius - abutting * abutting;
  if (!(square > 0)) return false;
  double half = sqrt(square), t = ahead ? middle + half : middle - half;
  sat_Vec2 out = add(from, mul(line->ahead, t));
  *exit = (sat_Parameter){t, boundary->error_bound * boundary->radius / half};
  return cross(boundary->boundary_edges[before].normal, out) >= 0 &&
         cross(out, boundary->boundary_edges[next].normal) >= 0;
}

/* A line that leaves D both ways where D's outline is for sure is inside between the two. */
static bool exits_near_both_ways(const sat_Boundary *boundary, const sat_Curve *line,
                                 sat_Vec2 point, sat_Parameter exits[2],
                                 const uint32_t boundary_edges[2]) {
  if (boundary->count == 1 || exits[0].t == -HUGE_VAL || exits[1].t == HUGE_VAL) return false;
  return exits_near(boundary, line, point, boundary_edges[0], false, &exits[0]) &&
         exits_near(boundary, line, point, boundary_edges[1], true, &exits[1]) &&
         exits[0].t < -exits[0].error && exits[1].t > exits[1].error;
}

static bool contains_on_segment(const sat_Boundary *boundary, const sat_Curve *line, double t,
                                sat_Parameter exits[2]) {
  sat_Vec2 point = sat_curve_point(line, t);
  uint32_t boundary_edges[2] = {0, 0};
  if (boundary->count > 1 && !exits_both_ways(boundary, line, point, exits, boundary_edges))
    return false;
  if (boundary->radius > 0 && !exits_near_both_ways(boundary, line, point, exits, boundary_edges)) {
    RayFront front = {point, line->ahead, 0, line->end};
    InsideInterval inside = inside_of_rounded(boundary, &front);
    if (inside.from.t >= -inside.from.error || inside.to.t <= inside.to.error) return false;
    exits[0] = inside.from;
    exits[1] = inside.to;
  }
  exits[0].t += t;
  exits[1].t += t;
  return true;
}

/* Where a turn that is inside of D at a place leaves it: just beyond, should the outline be nearer
 * than two places are told apart. */
static sat_Parameter leave_on_turn(const sat_Boundary *boundary, const sat_Curve *arc, double t,
                                   bool forward) {
  double end = forward ? arc->end : 0, hair = forward ? 2 * SAME_ARC : -2 * SAME_ARC;
  ArcCrossings crossings = {arc, forward, t, forward ? HUGE_VAL : -HUGE_VAL};
  add_crossings(boundary, &crossings);
  double until = forward ? min2(crossings.first, end) : max2(crossings.first, end);
  double middle = t + (until - t) * 0.5;
  bool inside = sat_boundary_signed_distance(boundary, sat_curve_point(arc, middle), 0) <
                -boundary->error_bound;
  return (sat_Parameter){inside ? crossings.first : t + hair, SAME_ARC};
}

static bool contains_on_arc(const sat_Boundary *boundary, const sat_Curve *arc, double t,
                            sat_Parameter exits[2]) {
  double error_bound = boundary->error_bound;
  int side = circle_side(boundary, arc);
  exits[0] = (sat_Parameter){-HUGE_VAL, 0};
  exits[1] = (sat_Parameter){HUGE_VAL, 0};
  if (side != 0) return side < 0;
  if (sat_boundary_signed_distance(boundary, sat_curve_point(arc, t), -error_bound) >= -error_bound)
    return false;
  exits[0] = leave_on_turn(boundary, arc, t, false);
  exits[1] = leave_on_turn(boundary, arc, t, true);
  return true;
}

bool sat_boundary_contains_parameter(const sat_Boundary *boundary, const sat_Curve *curve, double t,
                                     sat_Parameter exits[2]) {
  if (boundary->degenerate) return false;
  return sat_is_arc(curve) ? contains_on_arc(boundary, curve, t, exits)
                           : contains_on_segment(boundary, curve, t, exits);
}

bool sat_boundary_contains_curve(const sat_Boundary *boundary, const sat_Curve *curve) {
  if (boundary->degenerate) return false;
  if (sat_is_arc(curve)) return circle_side(boundary, curve) < 0;
  double error_bound = boundary->error_bound;
  return sat_boundary_signed_distance(boundary, curve->base, -error_bound) < -error_bound &&
         sat_boundary_signed_distance(boundary, sat_curve_point(curve, curve->end), -error_bound) <
             -error_bound;
}

/* ---------------------------------------------------------------- about a point of the outline */

/* The wedge of a grown D: half a turn, closed as far as the outline is straight. */
static sat_Wedge round_wedge(const sat_Boundary *boundary, sat_Vec2 point, double error_bound) {
  sat_Vec2 out = {1, 0}, corner = boundary->boundary_edges[0].start;
  double nearest = HUGE_VAL;
  for (uint32_t i = 0; i < boundary->count; i++) {
    const sat_BoundaryEdge *boundary_edge = &boundary->boundary_edges[i];
    double along = along_boundary_edge(boundary_edge, point),
           separation = separation_of(boundary_edge, point) - boundary->radius;
    if (boundary_edge->length > 0 && fabs(separation) <= error_bound && along >= -error_bound &&
        along <= boundary_edge->length + error_bound)
      return (sat_Wedge){perp(boundary_edge->normal),
                         neg(perp(boundary_edge->normal)),
                         {along<boundary_edge->length - error_bound, along> error_bound}};
    double distance = length(sub(point, boundary_edge->start));
    if (distance >= nearest) continue;
    nearest = distance;
    corner = boundary_edge->start;
  }
  if (nearest > error_bound) out = mul(sub(point, corner), 1 / nearest);
  return (sat_Wedge){perp(out), neg(perp(out)), {false, false}};
}

bool sat_boundary_wedge(const sat_Boundary *boundary, sat_Vec2 point, double error_bound,
                        sat_Wedge *wedge) {
  if (boundary->degenerate ||
      fabs(sat_boundary_signed_distance(boundary, point, error_bound)) > error_bound)
    return false;
  if (boundary->radius > 0) {
    *wedge = round_wedge(boundary, point, error_bound);
    return true;
  }
  uint32_t touched = 0;
  for (uint32_t i = 0; i < boundary->count; i++) {
    const sat_BoundaryEdge *boundary_edge = &boundary->boundary_edges[i],
                           *before = &boundary->boundary_edges[previous_boundary_edge(boundary, i)],
                           *after = &boundary->boundary_edges[next_boundary_edge(boundary, i)];
    if (separation_of(boundary_edge, point) < -error_bound) continue;
    touched++;
    if (separation_of(before, point) < -error_bound) wedge->to = neg(perp(boundary_edge->normal));
    if (separation_of(after, point) < -error_bound) wedge->from = perp(boundary_edge->normal);
  }
  wedge->closed[0] = wedge->closed[1] = true;
  return touched < boundary->count;
}

bool sat_wedge_holds(const sat_Wedge *wedge, sat_Vec2 direction, bool *start) {
  double from = cross(wedge->from, direction), to = cross(direction, wedge->to);
  *start = fabs(from) <= SAME_EDGE && dot(wedge->from, direction) > 0;
  return *start || (from > SAME_EDGE && to > SAME_EDGE);
}

/* ---------------------------------------------------------------- where they meet */

static double next_on_line(const sat_Boundary *boundary, const sat_Curve *line, double after) {
  double radius = boundary->radius, error_bound = boundary->error_bound,
         least = after + error_bound;
  double next = HUGE_VAL;
  for (uint32_t i = 0; i < boundary->count; i++) {
    const sat_BoundaryEdge *boundary_edge = &boundary->boundary_edges[i];
    double slope = dot(boundary_edge->normal, line->ahead);
    double crossing = (radius - separation_of(boundary_edge, line->base)) / slope;
    if (slope != 0 && crossing > least) next = min2(next, crossing);
    sat_Vec2 from = sub(line->base, boundary_edge->start);
    double middle = -dot(from, line->ahead), abutting = cross(from, line->ahead);
    double max_distance = radius + 2 * error_bound;
    if (fabs(abutting) > max_distance) continue;
    double half = sqrt((max_distance - abutting) * (max_distance + abutting));
    if (middle - half > least) next = min2(next, middle - half);
    if (middle + half > least) next = min2(next, middle + half);
  }
  return next;
}

double sat_boundary_next_crossing(const sat_Boundary *boundary, const sat_Curve *curve,
                                  double after) {
  if (!sat_is_arc(curve)) return next_on_line(boundary, curve, after);
  ArcCrossings crossings = {curve, true, after, HUGE_VAL};
  add_crossings(boundary, &crossings);
  return crossings.first;
}

bool sat_boundary_is_near(const sat_Boundary *boundary, sat_Vec2 point) {
  double error_bound = 2 * boundary->error_bound;
  if (!boundary->degenerate)
    return sat_boundary_signed_distance(boundary, point, error_bound) <= error_bound;
  const sat_BoundaryEdge *boundary_edge = &boundary->boundary_edges[0];
  if (boundary->count == 1) return length(sub(point, boundary_edge->start)) <= error_bound;
  double along = along_boundary_edge(boundary_edge, point);
  return fabs(separation_of(boundary_edge, point)) <= error_bound && along >= -error_bound &&
         along <= boundary_edge->length + error_bound;
}
