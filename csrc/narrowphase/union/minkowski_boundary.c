/* minkowski_boundary.c: builds the boundary of a rounded Minkowski difference, as segments and
 * arcs, and finds the part of a curve that is inside, and where it crosses the boundary. */
#include "narrowphase/union/minkowski_boundary.h"

#include "base/box.h"

/* The arcs between two edges. With a segment they are the candidates of one vertex. */
#define MOST_TURNS (SAT_MAX_CANDIDATES - 1)

static sat_Boundary boundary_by_walk(const sat_Pair *pair, sat_BoundaryEdge *boundary_edges) {
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

/* Whether an edge of B comes before one of A, reversed, on a boundary that has reached both: they
 * are no more than half a turn apart. Edges that are back to back but for rounding, of pieces
 * without width, are in no order. */
static bool b_is_next(const sat_Pair *pair, uint32_t i, uint32_t j, bool *in_order) {
  sat_Vec2 of_a = normal_of(pair->of[SAT_A].edges, i), of_b = normal_of(pair->of[SAT_B].edges, j);
  double turn = cross(of_a, of_b);
  *in_order = *in_order && !(fabs(turn) <= SAT_SAME_EDGE && dot(of_a, of_b) > 0);
  return turn > 0;
}

/* The vertex of B at A's first edge: the edge before it comes before that one, and the edge from it
 * on does not. Without one it is B's count. */
static uint32_t vertex_at_first_edge(const sat_Pair *pair) {
  uint32_t j = 0, count = pair->of[SAT_B].count;
  bool any = true, before = b_is_next(pair, 0, count - 1, &any);
  for (bool own; j < count; j++, before = own) {
    own = b_is_next(pair, 0, j, &any);
    if (before && !own) break;
  }
  return j;
}

/* The boundary of two polygons by the order of their normals, from A's first edge on. False: they
 * are in no order. */
static bool boundary_in_order(const sat_Pair *pair, sat_BoundaryEdge *boundary_edges,
                              sat_Boundary *boundary) {
  const sat_Convex *of = pair->of;
  uint32_t i = 0, j = vertex_at_first_edge(pair), count = 0,
           left[2] = {of[SAT_A].count, of[SAT_B].count};
  bool in_order = j < left[SAT_B];
  while (in_order && left[SAT_A] + left[SAT_B] > 0) {
    uint32_t side = left[SAT_A] == 0 || (left[SAT_B] > 0 && b_is_next(pair, i, j, &in_order));
    uint32_t edge = side ? j : i, other = side ? i : j;
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
    left[side]--;
    count += boundary_edge->length > 0;
  }
  *boundary = (sat_Boundary){boundary_edges, count, pair->radius, sat_boundary_error_bound(pair),
                             false,          true};
  return in_order && count > 0;
}

sat_Boundary sat_boundary_of(const sat_Pair *pair, sat_BoundaryEdge *boundary_edges) {
  sat_Boundary boundary;
  bool polygons = pair->of[SAT_A].count > 2 && pair->of[SAT_B].count > 2;
  if (polygons && boundary_in_order(pair, boundary_edges, &boundary)) return boundary;
  return boundary_by_walk(pair, boundary_edges);
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

uint32_t sat_candidates_of(const sat_Boundary *boundary, const sat_HiddenFeatures hidden[2],
                           double max_distance, sat_Candidate *candidates) {
  sat_Curve arcs[4];
  uint32_t count = 0;
  double farthest = max_distance + boundary->radius;
  for (uint32_t i = 0; i < boundary->count; i++) {
    uint32_t next = boundary->in_order ? next_boundary_edge(boundary, i) : i;
    const sat_BoundaryEdge *edge = &boundary->boundary_edges[i],
                           *corner = &boundary->boundary_edges[next];
    const sat_Facet *facet = &edge->facet;
    double distance = boundary->radius - edge->separation;
    if (edge->length > 0 && distance >= -boundary->error_bound && distance <= max_distance &&
        !is_hidden(hidden[facet->side].internal, facet->edge) &&
        !is_hidden(hidden[!facet->side].reflex, facet->vertex))
      candidates[count++] = (sat_Candidate){sat_segment_of_edge(boundary, i), *facet, 0, 0};
    if (boundary->radius == 0 || is_hidden(hidden[0].reflex, corner->corner_of[0]) ||
        is_hidden(hidden[1].reflex, corner->corner_of[1]) ||
        dot(corner->start, corner->start) > farthest * farthest)
      continue;
    uint32_t pieces = sat_arcs_of_vertex(boundary, next, arcs);
    for (uint32_t k = 0; k < pieces; k++)
      candidates[count++] = (sat_Candidate){arcs[k], corner->facet, corner->corner_of[SAT_A], 0};
  }
  return count;
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

/* The part of a line that is inside, as two parameters. */
typedef struct InsideInterval {
  sat_Parameter from, to;
} InsideInterval;

static void extend_interval(InsideInterval *inside, sat_Parameter parameter) {
  if (parameter.t < inside->from.t) inside->from = parameter;
  if (parameter.t > inside->to.t) inside->to = parameter;
}

/* Whether a line that crosses an edge's line does so on the edge; beyond its end by no more than
 * rounding, it is at the end: the circle there need not meet the line then. */
static bool is_crossing_of_edge(const sat_BoundaryEdge *boundary_edge, sat_Vec2 point,
                                sat_Vec2 ahead, sat_Parameter *parameter) {
  double along = along_boundary_edge(boundary_edge, add(point, mul(ahead, parameter->t)));
  double beyond = along - clamp(along, 0, boundary_edge->length);
  double slope = dot(perp(boundary_edge->normal), ahead);
  if (beyond == 0) return true;
  if (fabs(beyond) > parameter->error * fabs(slope)) return false;
  parameter->t -= beyond / slope;
  return true;
}

/* The part of a line through a point, as seen from there, that is inside a rounded difference: the
 * extent of its crossings with the boundary's segments and with all circles. */
static InsideInterval inside_of_rounded(const sat_Boundary *boundary, const sat_Curve *line,
                                        sat_Vec2 point) {
  double radius = boundary->radius, error_bound = boundary->error_bound;
  InsideInterval inside = {{HUGE_VAL, 0}, {-HUGE_VAL, 0}};
  for (uint32_t i = 0; i < boundary->count; i++) {
    const sat_BoundaryEdge *boundary_edge = &boundary->boundary_edges[i];
    sat_Vec2 from = sub(point, boundary_edge->start);
    double middle = -dot(from, line->ahead), abutting = cross(from, line->ahead);
    double square = radius * radius - abutting * abutting;
    if (square > 0) {
      double half = sqrt(square), error = error_bound * radius / half;
      extend_interval(&inside, (sat_Parameter){middle - half, error});
      extend_interval(&inside, (sat_Parameter){middle + half, error});
    }
    double slope = dot(boundary_edge->normal, line->ahead);
    if (fabs(slope) * line->end <= error_bound) continue;
    sat_Parameter parameter = {(radius - separation_of(boundary_edge, point)) / slope,
                               error_bound / fabs(slope)};
    if (is_crossing_of_edge(boundary_edge, point, line->ahead, &parameter))
      extend_interval(&inside, parameter);
  }
  return inside;
}

/* ---------------------------------------------------------------- a turn against D */

/* The first crossing with a boundary after (or before) a parameter of an arc. */
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
    if (t > crossings->after + SAT_SAME_ARC && t < crossings->first) crossings->first = t;
  } else {
    if (t < crossings->after - SAT_SAME_ARC && t > crossings->first) crossings->first = t;
  }
}

/* The crossings where the arc's normal has this cosine with a direction. A cosine of 1 but for
 * rounding is the start of a segment that shares the corner: a needless candidate costs less than a
 * missed crossing. */
static void add_crossing_at_cosine(ArcCrossings *crossings, sat_Vec2 direction, double cosine) {
  double square = 1 - cosine * cosine;
  if (!(square >= -SAT_TANGENT)) return;
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

static sat_Parameter exit_through(const sat_Boundary *boundary, const sat_Curve *line,
                                  uint32_t boundary_edge, double t) {
  double slope = dot(boundary->boundary_edges[boundary_edge].normal, line->ahead);
  return (sat_Parameter){t, fabs(t) < HUGE_VAL ? boundary->error_bound / fabs(slope) : 0};
}

/* The entry and the exit of a line through a point inside all facets, moved out by the radius. No
 * branch depends on a facet: the processor can hardly predict which ones the line leaves through,
 * nor which exit is nearer. */
static void exits_both_ways(const sat_Boundary *boundary, const sat_Curve *line, sat_Vec2 point,
                            sat_Parameter exits[2], uint32_t boundary_edges[2]) {
  double back = -HUGE_VAL, ahead = HUGE_VAL;
  boundary_edges[0] = boundary_edges[1] = 0;
  for (uint32_t i = 0; i < boundary->count; i++) {
    const sat_BoundaryEdge *boundary_edge = &boundary->boundary_edges[i];
    double slope = dot(boundary_edge->normal, line->ahead);
    double t = (boundary->radius - separation_of(boundary_edge, point)) / slope;
    double exit = slope > 0 ? t : HUGE_VAL, entry = slope < 0 ? t : -HUGE_VAL;
    boundary_edges[0] ^= (boundary_edges[0] ^ i) & (0 - (uint32_t)(entry > back));
    boundary_edges[1] ^= (boundary_edges[1] ^ i) & (0 - (uint32_t)(exit < ahead));
    back = max2(entry, back);
    ahead = min2(exit, ahead);
  }
  exits[0] = exit_through(boundary, line, boundary_edges[0], back);
  exits[1] = exit_through(boundary, line, boundary_edges[1], ahead);
}

/* Whether a line that leaves a facet, moved out by the radius, leaves D there, or, beyond the
 * facet's end, through the arc beside it, whose parameter `exit` then becomes. */
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

/* Whether a line surely enters and leaves D through its boundary on both sides of the point. */
static bool exits_near_both_ways(const sat_Boundary *boundary, const sat_Curve *line,
                                 sat_Vec2 point, sat_Parameter exits[2],
                                 const uint32_t boundary_edges[2]) {
  if (boundary->count == 1 || exits[0].t == -HUGE_VAL || exits[1].t == HUGE_VAL) return false;
  return exits_near(boundary, line, point, boundary_edges[0], false, &exits[0]) &&
         exits_near(boundary, line, point, boundary_edges[1], true, &exits[1]) &&
         exits[0].t < -exits[0].error && exits[1].t > exits[1].error;
}

/* The exits on a line through a point inside. False: the point is inside by no more than rounding.
 */
static bool exits_on_segment(const sat_Boundary *boundary, const sat_Curve *line, double t,
                             sat_Parameter exits[2]) {
  sat_Vec2 point = sat_curve_point(line, t);
  uint32_t boundary_edges[2];
  exits_both_ways(boundary, line, point, exits, boundary_edges);
  if (boundary->radius > 0 && !exits_near_both_ways(boundary, line, point, exits, boundary_edges)) {
    InsideInterval inside = inside_of_rounded(boundary, line, point);
    if (inside.from.t >= -inside.from.error || inside.to.t <= inside.to.error) return false;
    exits[0] = inside.from;
    exits[1] = inside.to;
  }
  exits[0].t += t;
  exits[1].t += t;
  return true;
}

/* The exit from D of an arc that is inside at a parameter: just beyond, should the boundary be
 * nearer than the parameters' resolution, so that the part up to the next crossing is outside. */
static sat_Parameter exit_on_arc(const sat_Boundary *boundary, const sat_Curve *arc, double t,
                                 bool forward) {
  double hair = forward ? 2 * SAT_SAME_ARC : -2 * SAT_SAME_ARC,
         next = sat_boundary_next_crossing(boundary, arc, forward, t),
         until = forward ? min2(next, arc->end) : max2(next, 0);
  sat_Vec2 middle = sat_curve_point(arc, t + (until - t) * 0.5);
  bool inside = sat_boundary_signed_distance(boundary, middle, 0) < -boundary->error_bound;
  return (sat_Parameter){inside ? next : t + hair, SAT_SAME_ARC};
}

bool sat_boundary_contains_parameter(const sat_Boundary *boundary, const sat_Curve *curve, double t,
                                     sat_Parameter exits[2]) {
  double inside = -boundary->error_bound, whole = curve->radius - inside;
  if (boundary->degenerate) return false;
  if (sat_is_arc(curve)) {
    double distance = sat_boundary_signed_distance(boundary, curve->base, whole);
    exits[0] = (sat_Parameter){-HUGE_VAL, 0};
    exits[1] = (sat_Parameter){HUGE_VAL, 0};
    if (fabs(distance) > whole) return distance < 0; /* so is the whole circle */
  }
  if (sat_boundary_signed_distance(boundary, sat_curve_point(curve, t), inside) >= inside)
    return false;
  if (!sat_is_arc(curve)) return exits_on_segment(boundary, curve, t, exits);
  exits[0] = exit_on_arc(boundary, curve, t, false);
  exits[1] = exit_on_arc(boundary, curve, t, true);
  return true;
}

/* ---------------------------------------------------------------- about a point of the outline */

/* The wedge of a rounded D: half a turn, closed as far as the boundary is straight, which goes on
 * where one edge continues another. */
static sat_Wedge round_wedge(const sat_Boundary *boundary, sat_Vec2 point, double error_bound) {
  sat_Vec2 out = {1, 0}, corner = boundary->boundary_edges[0].start;
  double nearest = HUGE_VAL;
  sat_Wedge wedge = {{0, 0}, {0, 0}, {false, false}};
  bool straight = false;
  for (uint32_t i = 0; i < boundary->count; i++) {
    const sat_BoundaryEdge *boundary_edge = &boundary->boundary_edges[i];
    double along = along_boundary_edge(boundary_edge, point),
           separation = separation_of(boundary_edge, point) - boundary->radius;
    if (boundary_edge->length > 0 && fabs(separation) <= error_bound && along >= -error_bound &&
        along <= boundary_edge->length + error_bound) {
      straight = true;
      wedge.from = perp(boundary_edge->normal);
      wedge.closed[0] = wedge.closed[0] || along < boundary_edge->length - error_bound;
      wedge.closed[1] = wedge.closed[1] || along > error_bound;
    }
    double distance = length(sub(point, boundary_edge->start));
    if (distance >= nearest) continue;
    nearest = distance;
    corner = boundary_edge->start;
  }
  if (nearest > error_bound) out = mul(sub(point, corner), 1 / nearest);
  if (!straight) wedge.from = perp(out);
  wedge.to = neg(wedge.from);
  return wedge;
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

bool sat_wedge_holds(const sat_Wedge *wedge, sat_Vec2 direction, double same_sine, bool *start) {
  double from = cross(wedge->from, direction), to = cross(direction, wedge->to);
  *start = fabs(from) <= same_sine && dot(wedge->from, direction) > 0;
  return *start || (from > same_sine && to > same_sine);
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
                                  bool forward, double after) {
  if (sat_is_arc(curve)) {
    ArcCrossings crossings = {curve, forward, after, forward ? HUGE_VAL : -HUGE_VAL};
    add_crossings(boundary, &crossings);
    return crossings.first;
  }
  if (forward) return next_on_line(boundary, curve, after);
  sat_Curve back = *curve;
  back.ahead = neg(curve->ahead);
  return -next_on_line(boundary, &back, -after);
}

/* ---------------------------------------------------------------- the edges near a box */

/* Boundaries of no more edges are taken as they are. */
#define FEW_EDGES 32

typedef struct SubsetSearch {
  const sat_Boundary *boundary;
  sat_Box near; /* the box with all that the radius may reach it from */
  sat_BoundaryEdge *edges;
  uint32_t count;
  uint32_t next; /* the edges before this one are added or left out */
} SubsetSearch;

static void add_edge(SubsetSearch *search, uint32_t index) {
  if (index < search->next) return;
  search->edges[search->count++] = search->boundary->boundary_edges[index];
  search->next = index + 1;
}

/* Whether the line of an edge meets the box. */
static bool line_is_near(const SubsetSearch *search, const sat_BoundaryEdge *edge) {
  sat_Vec2 middle = lerp(search->near.min, search->near.max, 0.5),
           half = sub(search->near.max, middle), n = edge->normal;
  return fabs(separation_of(edge, middle)) <= fabs(n.x) * half.x + fabs(n.y) * half.y;
}

/* Adds the edges of a range that are near the box, and of a rounded boundary their neighbours, at
 * whose corners they end; returns whether there are any. Edges that turn by less than a quarter
 * turn lie within half the length of the chord from the chord. */
static bool add_near(SubsetSearch *search, uint32_t first, uint32_t last) {
  const sat_BoundaryEdge *edges = search->boundary->boundary_edges;
  sat_Vec2 from = edges[first].start, to = edges[next_boundary_edge(search->boundary, last)].start,
           chord = sub(to, from);
  sat_Box range = {from, from};
  sat_extend_box(&range, to);
  bool little_turn =
      dot(edges[first].normal, edges[last].normal) > 0 && dot(chord, perp(edges[first].normal)) > 0;
  if (little_turn && !boxes_meet(&range, &search->near, first < last ? length(chord) / 2 : 0))
    return false;
  if (first < last) {
    uint32_t middle = first + (last - first) / 2;
    bool before = add_near(search, first, middle);
    return add_near(search, middle + 1, last) || before;
  }
  if (!line_is_near(search, &edges[first])) return false;
  bool rounded = search->boundary->radius > 0;
  if (rounded && first > 0) add_edge(search, first - 1);
  add_edge(search, first);
  if (rounded && first + 1 < search->boundary->count) add_edge(search, first + 1);
  return true;
}

bool sat_boundary_subset(const sat_Boundary *boundary, const sat_Box *box, sat_BoundaryEdge *room,
                         sat_Boundary *subset) {
  double margin = boundary->radius + 4 * boundary->error_bound;
  SubsetSearch search = {boundary, box_moved(*box, vec2(0, 0), margin), room, 0, 0};
  *subset = *boundary;
  if (boundary->count <= FEW_EDGES) return true;
  add_edge(&search, 0);
  bool any = add_near(&search, 0, boundary->count - 1);
  /* More edges change nothing. With two of them the subset is no circle, and the first one follows
   * the last one. */
  add_edge(&search, boundary->count - 1);
  subset->boundary_edges = room;
  subset->count = search.count;
  return any;
}
