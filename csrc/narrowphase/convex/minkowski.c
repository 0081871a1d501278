/* minkowski.c: the facets of D, the walk along them, and the point of D closest to the origin. */
#include "narrowphase/convex/minkowski.h"

#include "base/double_double.h"
#include "base/predicates.h"

/* ---------------------------------------------------------------- facets */

/* Whether the vertex beyond an edge is nearer to a line, by a gain. A gain within rounding counts
 * across edges that face the line alone: all vertices of a needle are as near as rounding, those at
 * its back included. */
static bool leads_nearer(const sat_Pair *pair, const sat_Convex *other, uint32_t edge,
                         sat_Vec2 normal, double gain) {
  return gain > 0 && (gain > pair->error_bound || dot(normal, normal_of(other->edges, edge)) <= 0);
}

/* Whether both edges beside a vertex face away from a direction. The support point of a needle may
 * be such a vertex, at its back, since rounding alone tells which vertex is farthest. Nor do the
 * normals tell: rounding may put those of two edges in a row in the wrong order. */
static bool is_at_back(const sat_Convex *convex, uint32_t vertex, sat_Vec2 direction) {
  return convex->count > 2 && dot(direction, normal_of(convex->edges, vertex)) < 0 &&
         dot(direction, normal_of(convex->edges, previous_index(convex, vertex))) < 0;
}

/* The support point of the other side against an edge's normal, but not one at a needle's back. */
static uint32_t support_vertex(const sat_Pair *pair, uint32_t side, uint32_t edge) {
  const sat_Convex *other = &pair->of[!side];
  sat_Vec2 inward = neg(normal_of(pair->of[side].edges, edge));
  uint32_t vertex = sat_support_index(other, inward);
  for (uint32_t steps = other->count; steps > 0 && is_at_back(other, vertex, inward); steps--)
    vertex = next_index(other, vertex);
  return vertex;
}

/* From the support vertex on, moves to a neighbouring vertex while that one is nearer, by the same
 * numbers that make the separation. */
sat_Facet sat_facet_of(const sat_Pair *pair, uint32_t side, uint32_t edge) {
  uint32_t vertex = support_vertex(pair, side, edge);
  const sat_Convex *other = &pair->of[!side];
  sat_Vec2 normal = normal_of(pair->of[side].edges, edge);
  double of_origin = sat_origin_separation(pair, side, edge);
  double separation = of_origin + dot(normal, other->vertex[vertex]);
  for (uint32_t steps = other->count; steps > 1; steps--) {
    uint32_t next = next_index(other, vertex);
    double of_next = of_origin + dot(normal, other->vertex[next]);
    if (!leads_nearer(pair, other, vertex, normal, separation - of_next)) {
      next = previous_index(other, vertex);
      of_next = of_origin + dot(normal, other->vertex[next]);
      if (!leads_nearer(pair, other, next, normal, separation - of_next)) break;
    }
    separation = of_next;
    vertex = next;
  }
  return (sat_Facet){separation, side, edge, vertex};
}

sat_Vec2 sat_edge_along_hull(const sat_Convex *convex, uint32_t index, sat_Vec2 edge) {
  sat_Vec2 normal = normal_of(convex->edges, index);
  double off = dot(edge, normal), limit = SAT_SAME_DIRECTION * SAT_SAME_DIRECTION;
  return off * off > limit * dot(edge, edge) ? sub(edge, mul(normal, off)) : edge;
}

/* ---------------------------------------------------------------- exact signs */

/* The line through two vertices of one side, in the order of positive area. */
typedef struct Line {
  uint32_t side, from, to;
} Line;

/* The exact sign of the distance of one vertex of the other side from a line, positive outside. */
static int exact_vertex_sign(const sat_Pair *pair, const Line *line, uint32_t vertex) {
  const sat_Convex *own = &pair->of[line->side], *other = &pair->of[!line->side];
  sat_Vec2 from = own->vertex[line->from];
  sat_Vec2 along[2] = {own->vertex[line->to], from};
  sat_Vec2 threshold[4] = {other->origin, own->origin, other->vertex[vertex], from};
  return -sat_exact_cross_sign(along, threshold);
}

/* The sign for the other side's nearest vertex, where the line is that of an edge but for
 * rounding. */
static int exact_line_sign(const sat_Pair *pair, const Line *line, uint32_t edge) {
  int least = 1;
  for (uint32_t i = 0; i < pair->of[!line->side].count && least >= 0; i++) {
    double separation = sat_facet_at(pair, line->side, edge, i).separation;
    int sign = separation > pair->error_bound    ? 1
               : separation < -pair->error_bound ? -1
                                                 : exact_vertex_sign(pair, line, i);
    if (sign < least) least = sign;
  }
  return least;
}

/* Turning rounds each vertex, which may leave nearly straight corners reflex. The hull has no such
 * corner: its edge there is a line between two vertices that no other one is outside of. Returns
 * whether the line has become another one. */
static bool widen_to_hull(const sat_Convex *own, Line *line) {
  for (uint32_t steps = 0; steps < own->count; steps++) {
    sat_Vec2 from = own->vertex[line->from], to = own->vertex[line->to];
    uint32_t index = next_index(own, line->to);
    while (index != line->to && sat_orientation(from, to, own->vertex[index]) >= 0)
      index = next_index(own, index);
    if (index == line->to) return steps > 0;
    bool ahead = dot(sub(own->vertex[index], to), sub(to, from)) > 0;
    if (ahead) line->to = index;
    else line->from = index;
  }
  return true;
}

double sat_exact_separation(const sat_Pair *pair, const sat_Facet *facet) {
  if (facet->separation < -pair->error_bound || facet->separation > pair->error_bound)
    return facet->separation;
  const sat_Convex *own = &pair->of[facet->side];
  Line line = {facet->side, facet->edge, next_index(own, facet->edge)};
  int sign = exact_line_sign(pair, &line, facet->edge);
  if (sign > 0 && widen_to_hull(own, &line)) sign = exact_line_sign(pair, &line, facet->edge);
  if (sign > 0) return max2(facet->separation, DBL_MIN);
  return sign < 0 ? min2(facet->separation, -DBL_MIN) : 0;
}

/* ---------------------------------------------------------------- once round D */

static uint32_t pick_side(const sat_Pair *pair, const uint32_t edge[2], sat_Vec2 along, bool last) {
  if (pair->of[SAT_A].count == 1) return SAT_B;
  if (pair->of[SAT_B].count == 1) return SAT_A;
  return sat_pick_by_angle(sat_facet_edge(pair, SAT_A, edge[SAT_A]),
                           sat_facet_edge(pair, SAT_B, edge[SAT_B]), along, last);
}

/* Gives the vertex of the other side whose edges an edge is between by angle. Several may be
 * nearest to the edge but for rounding, as `vertex` is: the result ends an edge that comes before
 * it by angle, and starts one that comes after it. A walk that begins at any other vertex puts an
 * edge at the wrong place, where its vertex is not the nearest. */
SAT_NOT_INLINE uint32_t vertex_between_edges(const sat_Pair *pair, uint32_t side, uint32_t edge,
                                             uint32_t vertex) {
  const sat_Convex *other = &pair->of[!side];
  sat_Vec2 along = sat_facet_edge(pair, side, edge);
  for (uint32_t steps = other->count; steps > 1; steps--) {
    uint32_t previous = previous_index(other, vertex);
    sat_Vec2 before = sat_facet_edge(pair, !side, previous),
             after = sat_facet_edge(pair, !side, vertex);
    if (cross(along, before) > 0 && dot(along, before) > 0) vertex = previous;
    else if (cross(along, after) < 0 && dot(along, after) > 0) vertex = next_index(other, vertex);
    else break;
  }
  return vertex;
}

sat_Walk sat_walk_begin(const sat_Pair *pair) {
  const sat_Convex *a = &pair->of[SAT_A], *b = &pair->of[SAT_B];
  uint32_t edges_of_a = a->count > 1 ? a->count : 0, edges_of_b = b->count > 1 ? b->count : 0;
  sat_Walk walk = {pair, {0, 0}, {edges_of_a, edges_of_b}, {0, 0}, {{0, 0}, {0, 0}}};
  if (a->count > 1) {
    walk.at[SAT_B] = vertex_between_edges(pair, SAT_A, 0, support_vertex(pair, SAT_A, 0));
    walk.along = walk.next[SAT_A] = sat_facet_edge(pair, SAT_A, 0);
  }
  if (b->count > 1) walk.next[SAT_B] = sat_facet_edge(pair, SAT_B, walk.at[SAT_B]);
  return walk;
}

/* ---------------------------------------------------------------- flat differences */

bool sat_lines_are_flat(const sat_Pair *pair) {
  const sat_Convex *a = &pair->of[SAT_A], *b = &pair->of[SAT_B];
  if (a->count == 1 || b->count == 1) return true;
  sat_Vec2 u[2] = {a->vertex[1], a->vertex[0]};
  sat_Vec2 w[4] = {b->vertex[1], b->vertex[0], {0, 0}, {0, 0}};
  return sat_exact_cross_sign(u, w) == 0;
}

/* Whether all of the other side is beyond the end `edge` + 1 of a side's segment, along it. */
static bool beyond_end(const sat_Pair *pair, uint32_t side, uint32_t edge) {
  const sat_Convex *own = &pair->of[side], *other = &pair->of[!side];
  uint32_t end = next_index(own, edge);
  sat_Vec2 along[2] = {own->vertex[end], own->vertex[edge]};
  for (uint32_t i = 0; i < other->count; i++) {
    /* cross(u, perp(w)) = dot(u, w) */
    sat_Vec2 threshold[4] = {perp(other->origin), perp(own->origin), perp(other->vertex[i]),
                             perp(own->vertex[end])};
    if (sat_exact_cross_sign(along, threshold) <= 0) return false;
  }
  return true;
}

/* A turn may bring the two ends of a segment together. */
static bool is_segment(const sat_Convex *convex) {
  return convex->count == 2 && !equal_points(convex->vertex[0], convex->vertex[1]);
}

bool sat_flat_contains_origin(const sat_Pair *pair) {
  bool segment[2] = {is_segment(&pair->of[0]), is_segment(&pair->of[1])};
  if (!segment[0] && !segment[1]) {
    const sat_Convex *a = &pair->of[SAT_A], *b = &pair->of[SAT_B];
    sat_Vec2 x[2] = {{1, 0}, {0, 0}}, y[2] = {{0, 1}, {0, 0}};
    sat_Vec2 between[4] = {b->origin, a->origin, b->vertex[0], a->vertex[0]};
    return sat_exact_cross_sign(x, between) == 0 && sat_exact_cross_sign(y, between) == 0;
  }
  for (uint32_t side = 0; side < 2; side++)
    for (uint32_t edge = 0; segment[side] && edge < 2; edge++)
      if (beyond_end(pair, side, edge)) return false;
  return true;
}

/* ---------------------------------------------------------------- the nearest point */

/* The facet that follows another, or the one before it. */
static sat_Facet neighbor(const sat_Pair *pair, const sat_Facet *facet, bool forward) {
  uint32_t from[2], to[2];
  sat_facet_ends(pair, facet, from, to);
  sat_Vec2 along = sat_facet_edge(pair, facet->side, facet->edge);
  if (forward) {
    uint32_t side = pick_side(pair, to, along, false);
    return sat_facet_at(pair, side, to[side], to[!side]);
  }
  uint32_t before[2] = {previous_index(&pair->of[0], from[0]),
                        previous_index(&pair->of[1], from[1])};
  uint32_t side = pick_side(pair, before, along, true);
  return sat_facet_at(pair, side, before[side], from[!side]);
}

/* The position of the origin's projection on the facet's line: 0 at its start, 1 at its end. A
 * facet without length is passed over: its position is infinite. */
static double along_facet(const sat_Pair *pair, const sat_Facet *facet, bool forward) {
  sat_Vec2 edge = sat_facet_edge(pair, facet->side, facet->edge);
  double size = dot(edge, edge);
  return size > 0  ? -dot(sat_facet_start(pair, facet), edge) / size
         : forward ? INFINITY
                   : -INFINITY;
}

static sat_ClosestFeature closest_on_facet(const sat_Pair *pair, const sat_Facet *facet, double t) {
  return (sat_ClosestFeature){
      *facet, t, false, {0, 0}, max2(facet->separation, 0), facet_normal(pair, facet)};
}

static sat_ClosestFeature closest_at_vertex(const sat_Pair *pair, const sat_Facet *facet,
                                            const uint32_t vertex_of[2], double t) {
  sat_Vec2 corner = corner_of(pair, vertex_of[SAT_A], vertex_of[SAT_B]);
  double distance = length(corner);
  sat_ClosestFeature closest = {*facet, t, true, {vertex_of[0], vertex_of[1]}, distance, {0, 0}};
  if (distance > 0) closest.normal = vec2(-corner.x / distance, -corner.y / distance);
  return closest;
}

/* The corner between two facets is closest where the projection lies past the end of one and before
 * the start of the other, and where the next facet faces away, as a segment's other side does. A
 * facet without length faces anywhere. */
static bool ends_at_corner(const sat_Pair *pair, const sat_Facet *next, double next_t,
                           bool forward) {
  if (forward ? next_t <= 0 : next_t >= 1) return true;
  return next->separation < -pair->error_bound && !isinf(next_t);
}

static sat_ClosestFeature closest_at_end(const sat_Pair *pair, const sat_Facet *facet,
                                         bool forward) {
  uint32_t from[2], to[2];
  sat_facet_ends(pair, facet, from, to);
  return closest_at_vertex(pair, facet, forward ? to : from, forward ? 1 : 0);
}

static sat_ClosestFeature closest_at(const sat_Pair *pair, const sat_Facet *facet, double t) {
  return t >= 0 && t <= 1 ? closest_on_facet(pair, facet, t) : closest_at_end(pair, facet, t > 1);
}

/* Asks every facet that faces as a facet does on whose line the origin is, but for rounding.
 * Rounding may put those on the line, as the facets of a needle are, in an order that goes back and
 * forth, which no walk gets past. */
SAT_NOT_INLINE sat_ClosestFeature closest_on_line(const sat_Pair *pair, const sat_Facet *start,
                                                  double t) {
  sat_ClosestFeature closest = closest_at(pair, start, t);
  double least = closest.distance;
  sat_Vec2 normal = facet_normal(pair, start);
  sat_Walk walk = sat_walk_begin(pair);
  sat_Facet facet;
  while (sat_walk_next(&walk, &facet)) {
    if (dot(facet_normal(pair, &facet), normal) < 0) continue;
    sat_ClosestFeature next = closest_at(pair, &facet, along_facet(pair, &facet, true));
    double distance = next.corner ? next.distance : fabs(facet.separation);
    if (distance >= least) continue;
    closest = next;
    least = distance;
  }
  return closest;
}

/* The closest feature, where a walk has met a facet that faces away: that facet is beyond the tip
 * of a narrow D, or the walk began at the wrong one of several vertices that are nearest to the
 * start's edge but for rounding. */
SAT_NOT_INLINE sat_ClosestFeature closest_at_tip(const sat_Pair *pair, const sat_Facet *start,
                                                 const sat_Facet *reached, bool forward) {
  if (start->vertex != SAT_NO_VERTEX) return closest_at_end(pair, reached, forward);
  sat_Facet first = sat_facet_of(pair, start->side, start->edge);
  uint32_t between = vertex_between_edges(pair, first.side, first.edge, first.vertex);
  if (between == first.vertex) return closest_at_end(pair, reached, forward);
  first = sat_facet_at(pair, first.side, first.edge, between);
  return sat_closest_feature_from(pair, &first);
}

sat_ClosestFeature sat_closest_feature_from(const sat_Pair *pair, const sat_Facet *start) {
  static const uint32_t first[2] = {0, 0};
  static const sat_Facet none = {0, 0, 0, 0};
  if (!start) return closest_at_vertex(pair, &none, first, 0);
  sat_Facet facet =
      start->vertex == SAT_NO_VERTEX ? sat_facet_of(pair, start->side, start->edge) : *start;
  double t = along_facet(pair, &facet, true);
  bool forward = t > 1;
  if (fabs(facet.separation) <= pair->error_bound && (t < 0 || forward))
    return closest_on_line(pair, &facet, t);
  for (uint32_t steps = 2 * (pair->of[0].count + pair->of[1].count); steps > 0 && (t < 0 || t > 1);
       steps--) {
    sat_Facet next = neighbor(pair, &facet, forward);
    double next_t = along_facet(pair, &next, forward);
    if (!ends_at_corner(pair, &next, next_t, forward)) {
      facet = next;
      t = next_t;
    } else if (forward && isinf(t)) {
      forward = false; /* the walk may have begun at a facet without length */
    } else if (forward ? next_t > 0 : next_t < 1) {
      return closest_at_tip(pair, start, &facet, forward);
    } else {
      break;
    }
  }
  return t >= 0 && t <= 1 ? closest_on_facet(pair, &facet, t)
                          : closest_at_end(pair, &facet, forward);
}

sat_Vec2 sat_closest_witness(const sat_Pair *pair, const sat_ClosestFeature *closest,
                             uint32_t side) {
  const sat_Convex *own = &pair->of[side];
  const sat_Facet *facet = &closest->facet;
  if (closest->corner) return add(own->origin, own->vertex[closest->vertex_of[side]]);
  if (facet->side != side) return add(own->origin, own->vertex[facet->vertex]);
  sat_Vec2 from = own->vertex[facet->edge], to = own->vertex[next_index(own, facet->edge)];
  return add(own->origin, lerp(from, to, closest->t));
}

/* ---------------------------------------------------------------- upright boxes */

bool sat_is_upright(const sat_Convex *convex) {
  if (convex->count != 4) return false;
  const sat_Vec2 *v = convex->vertex;
  const double *x = convex->edges->x, *y = convex->edges->y;
  if (v[0].y == v[1].y)
    return v[1].x == v[2].x && v[2].y == v[3].y && v[3].x == v[0].x && v[0].x != v[1].x &&
           v[1].y != v[2].y && x[0] == 0 && y[1] == 0 && x[2] == 0 && y[3] == 0;
  return v[0].x == v[1].x && v[1].y == v[2].y && v[2].x == v[3].x && v[3].y == v[0].y &&
         v[1].x != v[2].x && y[0] == 0 && x[1] == 0 && y[2] == 0 && x[3] == 0;
}

bool sat_find_upright_facet(const sat_Pair *pair, double tie, sat_Facet *facet) {
  const sat_Convex *a = &pair->of[SAT_A], *b = &pair->of[SAT_B];
  if (pair->radius > 0 || !sat_is_upright(a) || !sat_is_upright(b)) return false;
  sat_Box box_a, box_b;
  uint32_t first[2] = {sat_sides_of(a, &box_a).first, sat_sides_of(b, &box_b).first};
  double2 offset = double2_of(pair->origin_offset[SAT_A].x, pair->origin_offset[SAT_A].y),
          min_a = double2_load(&box_a.min), max_a = double2_load(&box_a.max),
          min_b = double2_load(&box_b.min), max_b = double2_load(&box_b.max),
          low_a = double2_sub(min_a, offset), high_a = double2_sub(max_a, offset);
  /* as A's edges towards smaller and larger coordinates give them, and B's back to back */
  double2 of_a[2] = {double2_sub(low_a, max_b), double2_sub(min_b, high_a)},
          of_b[2] = {double2_sub(min_a, double2_add(offset, max_b)),
                     double2_sub(double2_add(offset, min_b), max_a)},
          low = double2_max(of_a[0], of_b[0]), high = double2_max(of_a[1], of_b[1]);
  double most = double2_greatest(double2_max(low, high)),
         limit = most - max2(tie, pair->error_bound);
  uint32_t near = double2_at_least(low, limit) | double2_at_least(high, limit) << 2;
  if ((near & (near - 1)) != 0) return false;
  uint32_t by_b = double2_more(of_b[0], of_a[0]) | double2_more(of_b[1], of_a[1]) << 2;
  if (most >= -pair->error_bound) { /* a touch by sums that are exact */
    uint32_t exact = double2_exact(offset, double2_load(&b->origin), double2_load(&a->origin)),
             low_exact = exact & double2_exact(low_a, min_a, offset),
             high_exact = exact & double2_exact(high_a, max_a, offset);
    if (most != 0 || !(near & (low_exact | high_exact << 2)) || by_b & near) return false;
  }
  uint32_t side = (by_b & near) != 0;
  uint32_t edge = (near / 2 - near / 8 + 2 * side - first[side]) & 3;
  *facet = (sat_Facet){most, side, edge, SAT_NO_VERTEX};
  return true;
}

bool sat_find_upright_closest(const sat_Pair *pair, sat_Facet *max_facet,
                              sat_ClosestFeature *closest) {
  static const uint32_t begin_at[4] = {1, 2, 0, 3}; /* the sides that begin at the corners */
  uint32_t side = pair->of[SAT_A].count == 1 ? SAT_B : SAT_A;
  const sat_Convex *own = &pair->of[side], *other = &pair->of[!side];
  if (other->count != 1 || !sat_is_upright(own)) return false;
  sat_Box box;
  uint32_t first = sat_sides_of(own, &box).first;
  double2 offset = double2_of(pair->origin_offset[side].x, pair->origin_offset[side].y),
          point = double2_load(other->vertex),
          low = double2_sub(double2_sub(double2_load(&box.min), offset), point),
          high = double2_add(double2_sub(offset, double2_load(&box.max)), point),
          beyond = double2_max(low, high);
  double margin = pair->error_bound * SAT_BESIDE_MARGIN;
  uint32_t out = double2_at_least(beyond, margin), more = double2_more(high, low);
  if (!out || (out | double2_at_least(double2_neg(beyond), margin)) != 3) return false;
  uint32_t axis = out == 3 ? double2_first(beyond) < double2_greatest(beyond) : out - 1;
  uint32_t edge = (axis + 2 * (more >> axis & 1) - first) & 3;
  *max_facet = sat_facet_at(pair, side, edge, 0);
  if (out == 3) {
    uint32_t vertex_of[2] = {0, 0};
    vertex_of[side] = (begin_at[more] - first) & 3;
    *closest = closest_at_vertex(pair, max_facet, vertex_of, 0);
  } else *closest = closest_on_facet(pair, max_facet, along_facet(pair, max_facet, true));
  return true;
}
