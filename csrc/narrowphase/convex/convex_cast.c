/* convex_cast.c: sweeps and rays, as one ray against the Minkowski difference.
 *
 * Moving A by `motion` takes the origin, seen from D, along that ray. Where it first enters D, A
 * first meets B. */
#include "narrowphase/convex/convex_cast.h"

#include "base/box.h"
#include "narrowphase/convex/max_separation.h"
#include "narrowphase/convex/simd/separation_kernels.h"

/* ---------------------------------------------------------------- rounding */

bool sat_overlap_is_rounding(const sat_Pair *pair, double rounding) {
  uint32_t count = pair->of[SAT_A].count, other_count = pair->of[SAT_B].count;
  double least = -rounding / 2;
  if (pair->radius > 0 || count < 3 || other_count < 3 || count + other_count > 32) return false;
  for (uint32_t side = 0; side < 2; side++) {
    sat_SeparationScan scan =
        sat_scan_edges(&pair->of[side], &pair->of[!side], pair->origin_offset[side], least);
    if (scan.max_separation > least) return true;
  }
  return false;
}

/* How the ray passes D. */
typedef struct CastState {
  const sat_Pair *pair;
  const sat_PiecePair *pieces; /* NULL: two convex shapes */
  bool in_chain;               /* a piece is a segment of a chain */
  bool by_all;                 /* see sat_Motion */
  sat_Vec2 motion;
  double way;      /* the length of the motion */
  double rounding; /* see sat_touch_rounding */
  double radius;   /* of the pair, or less for a probe */
  double t;        /* where the ray enters D, if `is_hit` */
  sat_Vec2 normal; /* not yet of unit length for a straight facet */
  bool is_hit;
} CastState;

/* A motion that starts apart is drawn out to this many times its length to tell one that ends in a
 * touch from one that passes by. */
#define DRAWN_OUT 2

/* Whether the origin is in D or within rounding of it; `max_facet` is the facet of maximum
 * separation. */
static bool starts_near(const CastState *state, const sat_Facet *max_facet) {
  double threshold = state->pair->radius + state->rounding;
  if (max_facet && max_facet->separation > threshold) return false;
  if (max_facet && max_facet->separation < -state->rounding) return true;
  return sat_closest_feature_from(state->pair, max_facet).distance <= threshold;
}

/* ---------------------------------------------------------------- without a radius */

/* A facet by which the ray enters D. */
typedef struct Entry {
  double t;
  double opposition; /* how fast the ray comes nearer to the facet */
  sat_Vec2 normal;
  bool internal; /* the shape goes on behind the facet */
  bool hidden;   /* a chain goes on behind the facet */
} Entry;

/* The interval of the ray inside the half planes of D's facets: the clipping of Cyrus and Beck
 * 1978. */
typedef struct ClipInterval {
  Entry last;  /* the facet that the ray enters last, for pieces alone */
  Entry open;  /* the facet that it enters last of those that are not internal */
  Entry touch; /* the best facet of those on which the origin lies but for rounding */
  sat_Facet max_facet;
  double sunk;  /* the time from which the ray is deeper than rounding under all facets */
  sat_Box span; /* the extent of D along the motion and across it, times its length */
} ClipInterval;

/* Whether the shape goes on behind a facet. */
static bool is_internal(const CastState *state, const sat_Facet *facet) {
  if (!state->pieces) return false;
  const sat_PieceView *view = state->pieces->of[facet->side];
  return view->internal && view->internal[state->pieces->piece[facet->side]->first + facet->edge];
}

static bool is_hidden_by_chain(const CastState *state, const sat_Facet *facet) {
  return state->in_chain &&
         sat_chain_hides_facet(state->pieces, facet, facet_normal(state->pair, facet));
}

/* Keeps the entry with the later time. Of two at one time an open facet goes before an internal
 * one, and then the facet that is more head on. */
static void keep_last(Entry *kept, const Entry *entry) {
  bool later = entry->t > kept->t;
  if (entry->t == kept->t)
    later =
        entry->internal == kept->internal ? entry->opposition > kept->opposition : kept->internal;
  if (later) *kept = *entry;
}

/* Returns false if the ray gets no deeper under this facet than rounding. */
static bool clip_to_facet(const CastState *state, const sat_Facet *facet, sat_Vec2 edge,
                          ClipInterval *interval) {
  sat_Vec2 start = sat_facet_start(state->pair, facet);
  sat_extend_box(&interval->span, vec2(dot(state->motion, start), cross(state->motion, start)));
  if (edge.x == 0 && edge.y == 0) return true; /* too short once turned: its neighbours bound D */
  if (facet->separation > interval->max_facet.separation) interval->max_facet = *facet;
  sat_Vec2 outward = sat_outward_of(edge);
  double closing = -dot(outward, state->motion);
  double depth = facet->separation + state->rounding;
  if (closing <= 0) return depth < 0;
  double opposition = closing / length(outward);
  interval->sunk = max2(interval->sunk, depth / opposition);
  bool hidden = is_hidden_by_chain(state, facet), internal = hidden || is_internal(state, facet);
  Entry entry = {-dot(outward, start) / closing, opposition, outward, internal, hidden};
  if (state->pieces) keep_last(&interval->last, &entry);
  if (!entry.internal) keep_last(&interval->open, &entry);
  entry.t = 0;
  if (fabs(facet->separation) <= state->rounding) keep_last(&interval->touch, &entry);
  return interval->sunk < DRAWN_OUT;
}

/* Whether the ray gets deeper into D than rounding. The motion counts up to where it is past D, so
 * that the direction of a long motion need not be more exact than that of a short one. */
static bool leads_in(const CastState *state, const ClipInterval *interval, bool near) {
  double threshold = state->rounding * state->way, size = dot(state->motion, state->motion);
  double end = min2(near ? 1 : DRAWN_OUT, (interval->span.max.x + 2 * threshold) / size);
  if (interval->sunk >= end) return false;
  return interval->span.min.y < -threshold && interval->span.max.y > threshold;
}

/* The facet that is hit. An internal facet gives way to an open one that the ray enters at the same
 * time, but for rounding. */
static const Entry *entry_of(const CastState *state, const ClipInterval *interval, bool near) {
  if (near && interval->touch.t == 0) return &interval->touch;
  if (!state->pieces) return &interval->open;
  double ahead = (interval->last.t - interval->open.t) * interval->open.opposition;
  return ahead <= 2 * state->rounding ? &interval->open : &interval->last;
}

/* ---------------------------------------------------------------- polygons */

static void enter_polygon(CastState *state) {
  Entry none = {-HUGE_VAL, 0, {0, 0}, true, true};
  ClipInterval interval = {.last = none,
                           .open = none,
                           .touch = none,
                           .max_facet = {-HUGE_VAL, 0, 0, 0},
                           .sunk = -HUGE_VAL,
                           .span = sat_no_box()};
  sat_Facet facet;
  sat_Walk walk = sat_walk_begin(state->pair);
  while (sat_walk_next(&walk, &facet))
    if (!clip_to_facet(state, &facet, walk.along, &interval)) return;
  bool near = starts_near(state, &interval.max_facet);
  if (!leads_in(state, &interval, near)) return;
  const Entry *entry = entry_of(state, &interval, near);
  /* Along a needle the quotients are mostly rounding error. */
  double size = dot(state->motion, state->motion);
  double t = clamp(entry->t, interval.span.min.x / size, interval.span.max.x / size);
  state->t = near ? 0 : max2(t, 0);
  state->normal = entry->normal;
  state->is_hit = !entry->hidden;
}

/* An end of a flat D, and the vertices whose difference it is. */
typedef struct FlatEnd {
  sat_Vec2 at;
  uint32_t vertex[2];
} FlatEnd;

/* The two ends of a flat D along its direction, and its facet of maximum separation. Returns false
 * where D is a point, without facets. */
static bool flat_ends(const sat_Pair *pair, FlatEnd *low, FlatEnd *high, sat_Facet *max_facet) {
  sat_Walk walk = sat_walk_begin(pair);
  sat_Facet facet;
  *low = *high = (FlatEnd){corner_of(pair, 0, 0), {0, 0}};
  if (!sat_walk_next(&walk, &facet)) return false;
  sat_Vec2 along = sub(sat_facet_stop(pair, &facet), sat_facet_start(pair, &facet));
  *max_facet = facet;
  do {
    if (facet.separation > max_facet->separation) *max_facet = facet;
    FlatEnd end = {sat_facet_start(pair, &facet), {0, 0}};
    uint32_t to[2];
    sat_facet_ends(pair, &facet, end.vertex, to);
    if (dot(along, end.at) < dot(along, low->at)) *low = end;
    if (dot(along, end.at) > dot(along, high->at)) *high = end;
  } while (sat_walk_next(&walk, &facet));
  return true;
}

/* Whether a chain goes on where D ends, and which side of the pair that chain is. */
static bool chain_continues(const CastState *state, const FlatEnd *end, uint32_t *side,
                            sat_ChainVertex *chain_vertex) {
  if (!state->in_chain) return false;
  for (*side = 0; *side < 2; (*side)++) {
    const sat_PieceView *view = state->pieces->of[*side];
    if (sat_chain_vertex_at(view, state->pieces->piece[*side], end->vertex[*side], chain_vertex) &&
        !chain_vertex->folded)
      return true;
  }
  return false;
}

/* The ray along the line of a flat D hits its nearer end. An end at which the chain continues is no
 * hit: the ray either slides past it or hits the chain's next segment, which has its own cast. */
static void enter_end(CastState *state, const FlatEnd *low, const FlatEnd *high) {
  double size = dot(state->motion, state->motion);
  double at_low = dot(state->motion, low->at), at_high = dot(state->motion, high->at);
  double nearer = min2(at_low, at_high);
  uint32_t side;
  sat_ChainVertex chain_vertex;
  state->t = nearer / size;
  state->normal = neg(state->motion);
  state->is_hit = nearer >= 0 && size > 0 && cross(state->motion, low->at) == 0 &&
                  !chain_continues(state, at_low <= at_high ? low : high, &side, &chain_vertex);
}

/* The corner of D that a point of one side makes with the other side's only vertex. */
static sat_Vec2 difference_corner(const CastState *state, uint32_t side, sat_Vec2 own) {
  sat_Vec2 other = state->pair->of[!side].vertex[0];
  sat_Vec2 origin_offset = state->pair->origin_offset[SAT_A];
  return add(origin_offset, side == SAT_B ? sub(own, other) : sub(other, own));
}

/* Whether a point at a vertex of a one-sided chain sets off towards the chain's closed side. */
static bool starts_towards_back(const CastState *state, uint32_t side,
                                const sat_ChainVertex *chain_vertex) {
  const sat_Piece *piece = state->pieces->piece[side];
  if (!(piece->flags & SAT_ONE_SIDED)) return false;
  sat_Vec2 way = side == SAT_B ? state->motion : neg(state->motion);
  double angle = cross(chain_vertex->own, chain_vertex->next);
  double from_own = cross(chain_vertex->own, way), to_next = cross(way, chain_vertex->next);
  if (angle == 0) return dot(way, sat_front_normal(state->pieces->of[side], piece)) < 0;
  bool between = angle > 0 ? from_own > 0 && to_next > 0 : from_own < 0 && to_next < 0;
  bool outside = angle > 0 ? from_own < 0 || to_next < 0 : from_own > 0 || to_next > 0;
  return chain_vertex->arc > 0 ? between : outside;
}

/* The side of the motion, as a sign, on which a chain that the motion follows to a vertex is
 * open. */
static int open_hand(const CastState *state, uint32_t side, uint32_t vertex) {
  const sat_Piece *piece = state->pieces->piece[side];
  if (!(piece->flags & SAT_ONE_SIDED)) return 0;
  return (vertex == 0) == (sat_front_edge(state->pieces->of[side], piece) == 0) ? -1 : 1;
}

static int side_of_motion(const CastState *state, sat_Vec2 corner) {
  double arc = cross(state->motion, corner);
  return (arc > 0) - (arc < 0);
}

/* Whether a point that moves straight to a vertex of a chain passes from one side of the chain to
 * the other there. A point that came along the chain, or started on it, is on the open side, or on
 * the free side where both are open. */
static bool crosses_at_chain_vertex(const CastState *state, uint32_t side, const FlatEnd *end,
                                    const sat_ChainVertex *chain_vertex) {
  const sat_PieceView *view = state->pieces->of[side];
  uint32_t vertex = end->vertex[side], index = chain_vertex->next_point;
  uint32_t other_end = state->pieces->piece[side]->first + 1 - vertex;
  int own = side_of_motion(state, difference_corner(state, side, view->vertices[other_end]));
  if (end->at.x == 0 && end->at.y == 0) return starts_towards_back(state, side, chain_vertex);
  double before = dot(state->motion, end->at);
  for (uint32_t steps = 2 * view->count; steps > 0 && index != SAT_CHAIN_END; steps--) {
    sat_Vec2 corner = difference_corner(state, side, view->points[index]);
    int hand = side_of_motion(state, corner);
    if (hand != 0) return hand != own;
    double place = dot(state->motion, corner);
    if (place > before) return false; /* the other end of this run decides */
    if (place <= 0) return own == open_hand(state, side, vertex);
    before = place;
    index = sat_next_in_chain(view, index, vertex == 1);
  }
  return false;
}

/* Whether crossing a flat D right at its end is a hit. Where the chain continues, a shape of more
 * than one vertex also meets the chain's next segment, whose cast decides. */
static bool crosses_at_end(const CastState *state, const FlatEnd *end) {
  uint32_t side;
  sat_ChainVertex chain_vertex;
  if (!chain_continues(state, end, &side, &chain_vertex)) return true;
  return state->pair->of[!side].count == 1 &&
         crosses_at_chain_vertex(state, side, end, &chain_vertex);
}

/* Whether the ray ends on the side of a flat D's line that it comes from, to within rounding. */
static bool stays_beside(const CastState *state, double closing, double separation, double size,
                         bool near) {
  double before = near ? 0 : separation / size,
         after = separation / size - closing / size * (near ? 1 : DRAWN_OUT);
  if (fabs(after) <= state->rounding) return true;
  return before > 0 ? after > 0 : before < 0 && after < 0;
}

/* Whether the ray may cross a flat D: from the front of each one-sided segment of a chain. An
 * origin that touches D counts as on the far side already, unless the pieces are one-sided. */
static bool may_cross(const CastState *state, bool near) {
  if (near && !(state->in_chain && sat_pieces_one_sided(state->pieces))) return false;
  for (uint32_t side = 0; state->in_chain && side < 2; side++) {
    const sat_Piece *piece = state->pieces->piece[side];
    if (!(piece->flags & SAT_ONE_SIDED)) continue;
    double opposition = dot(sat_front_normal(state->pieces->of[side], piece), state->motion);
    if (side == SAT_B ? opposition >= 0 : opposition <= 0) return false;
  }
  return true;
}

/* Neither shape has an inside and both lie one way: crossing D is a hit, its ends included. */
static void enter_flat(CastState *state) {
  FlatEnd low, high;
  sat_Facet max_facet;
  bool near =
      starts_near(state, flat_ends(state->pair, &low, &high, &max_facet) ? &max_facet : NULL);
  sat_Vec2 along = sub(high.at, low.at);
  double closing = cross(along, state->motion), separation = cross(along, low.at),
         size = length(along), way = dot(state->motion, state->motion);
  if (closing == 0) {
    enter_end(state, &low, &high);
    state->is_hit = state->is_hit && !near;
    return;
  }
  int past_low = -side_of_motion(state, low.at), past_high = -side_of_motion(state, high.at);
  /* The quotient is mostly rounding error where the ray is nearly parallel to D. The true crossing
   * lies between the ends of D. */
  double t = separation / closing, at_low = dot(state->motion, low.at) / way,
         at_high = dot(state->motion, high.at) / way;
  if (way > 0) t = clamp(t, min2(at_low, at_high), max2(at_low, at_high));
  state->t = near ? 0 : t;
  state->normal = closing > 0 ? neg(perp(along)) : perp(along);
  state->is_hit = state->t >= 0 && past_low * past_high <= 0 && may_cross(state, near) &&
                  !stays_beside(state, closing, separation, size, near);
  if (state->is_hit && past_low == 0) state->is_hit = crosses_at_end(state, &low);
  else if (state->is_hit && past_high == 0) state->is_hit = crosses_at_end(state, &high);
}

/* ---------------------------------------------------------------- with a radius */

/* Keeps the earliest hit, and of hits at the same time the one most head on. Returns whether the
 * new one is kept. */
static bool enter_at(CastState *state, double t, sat_Vec2 normal) {
  if (!(t >= 0) || (state->is_hit && t > state->t)) return false;
  if (state->is_hit && t == state->t &&
      dot(normal, state->motion) >= dot(state->normal, state->motion))
    return false;
  state->is_hit = true;
  state->t = t;
  state->normal = normal;
  return true;
}

/* The straight side that a facet has become, at the radius from it. */
static bool enter_side(CastState *state, const sat_Facet *facet, sat_Vec2 edge) {
  sat_Vec2 normal = facet_normal(state->pair, facet);
  double closing = -dot(normal, state->motion);
  double clearance = facet->separation - state->radius;
  if (closing <= 0 || clearance < -state->rounding || is_hidden_by_chain(state, facet))
    return false;
  double t = max2(clearance, 0) / closing; /* a negative clearance is rounding */
  sat_Vec2 start = sat_facet_start(state->pair, facet);
  if (edge.x == 0 && edge.y == 0) return false;
  double place = dot(sub(mul(state->motion, t), start), edge);
  /* The corner of a chain's vertex is a hit only where the chain's sides reach it. */
  double hair = state->in_chain ? state->rounding * length(edge) : 0;
  return place >= -hair && place <= dot(edge, edge) + hair && enter_at(state, t, normal);
}

/* The circle about a corner. The ray's distance from its centre decides; a tangential ray is no
 * hit. */
static bool enter_circle(CastState *state, const uint32_t vertex[2]) {
  sat_Vec2 center = corner_of(state->pair, vertex[0], vertex[1]);
  double radius = state->radius, threshold = radius * state->way;
  double miss = fabs(cross(state->motion, center)), toward = dot(state->motion, center);
  if (!(toward > 0) || !(miss < threshold)) return false;
  /* The ray enters the circle at most a radius before the place nearest to the centre. */
  double early = toward * (1 - SAT_EARLIEST_ERROR) - threshold;
  if (!state->by_all && state->is_hit && early > state->t * state->way * state->way) return false;
  double distance = length(center), clearance = distance - radius;
  if (clearance < -state->rounding) return false;
  /* The smaller root of |motion t - centre| = radius, in the form that does not cancel. */
  double root = sqrt((threshold - miss) * (threshold + miss));
  double t = max2(clearance, 0) * (distance + radius) / (toward + root);
  sat_Vec2 out = sub(mul(state->motion, t), center);
  double size = length(out);
  sat_Vec2 normal = size > 0 ? vec2(out.x / size, out.y / size) : neg(state->motion);
  if (state->in_chain && sat_chain_hides_vertex_normal(state->pieces, vertex, normal)) return false;
  /* The normal of a tangential ray may lead out by rounding. */
  return dot(out, state->motion) < 0 && enter_at(state, t, normal);
}

/* The feature by which the ray enters D: a side, or the circle about a corner. */
typedef struct EnteredFeature {
  sat_Facet side;
  sat_Vec2 edge;
  uint32_t vertex[2];
  bool is_side;
} EnteredFeature;

/* Sets `max_facet` to the facet of maximum separation, and `entered` if there is a hit. Returns
 * false if D has no facet, which makes it a circle. */
static bool enter_boundary(CastState *state, sat_Facet *max_facet, EnteredFeature *entered) {
  sat_Walk walk = sat_walk_begin(state->pair);
  sat_Facet facet;
  uint32_t from[2] = {0, 0}, to[2];
  bool facets = walk.left[0] + walk.left[1] > 0;
  max_facet->separation = -HUGE_VAL;
  if (!facets && enter_circle(state, from)) *entered = (EnteredFeature){.vertex = {0, 0}};
  while (sat_walk_next(&walk, &facet)) {
    sat_facet_ends(state->pair, &facet, from, to);
    if (enter_circle(state, from)) *entered = (EnteredFeature){.vertex = {from[0], from[1]}};
    if (enter_side(state, &facet, walk.along))
      *entered = (EnteredFeature){.side = facet, .edge = walk.along, .is_side = true};
    if (facet.separation > max_facet->separation) *max_facet = facet;
  }
  return facets;
}

/* Whether the ray gets deeper than rounding: whether it enters D shrunk by rounding. Mostly the
 * feature by which the ray enters D is enough to decide. */
static bool gets_deep(const CastState *state, const EnteredFeature *entered, bool near) {
  sat_Facet max_facet;
  EnteredFeature feature;
  double end = near ? 1 : DRAWN_OUT;
  CastState probe = {.pair = state->pair,
                     .motion = state->motion,
                     .way = state->way,
                     .by_all = state->by_all,
                     .radius = state->radius - min2(state->rounding, state->radius / 2),
                     .rounding = 2 * state->rounding};
  bool is_hit = entered && (entered->is_side ? enter_side(&probe, &entered->side, entered->edge)
                                             : enter_circle(&probe, entered->vertex));
  if (is_hit && probe.t <= end) return true;
  probe.is_hit = false;
  enter_boundary(&probe, &max_facet, &feature);
  return probe.is_hit && probe.t <= end;
}

/* At the start the normal is that of the nearest place on D, whether a side or a corner's circle is
 * nearest. */
static void touch_boundary(CastState *state, const sat_Facet *max_facet) {
  sat_ClosestFeature nearest = sat_closest_feature_from(state->pair, max_facet);
  bool hidden = nearest.corner ? state->in_chain &&
                                     sat_chain_hides_vertex_normal(state->pieces, nearest.vertex_of,
                                                                   nearest.normal)
                               : is_hidden_by_chain(state, &nearest.facet);
  state->t = 0;
  if (hidden || !(dot(nearest.normal, state->motion) < 0)) return;
  state->is_hit = true;
  state->normal = nearest.normal;
}

static void enter_rounded(CastState *state) {
  sat_Facet max_facet;
  EnteredFeature entered;
  const sat_Facet *facet = enter_boundary(state, &max_facet, &entered) ? &max_facet : NULL;
  const EnteredFeature *feature = state->is_hit ? &entered : NULL;
  bool near = starts_near(state, facet);
  if (near) touch_boundary(state, facet);
  state->is_hit = state->is_hit && state->t <= 1 && gets_deep(state, feature, near);
}

/* ---------------------------------------------------------------- seams */

/* Whether a side of a pair has no width across the motion: a point, or a segment along it. */
static bool is_thin_across(const sat_Pair *pair, uint32_t side, const double radius[2],
                           sat_Motion motion) {
  const sat_Convex *own = &pair->of[side];
  if (own->count > 2 || radius[side] > 0) return false;
  double across = cross(motion.vector, sub(own->vertex[own->count - 1], own->vertex[0]));
  return fabs(across) <= motion.rounding / 16 * length(motion.vector);
}

/* The hand is that on which all of the other side is; a point needs two vertices on its way, a
 * segment along itself makes an edge of D with one. */
uint32_t sat_places_beside_way(const sat_Pair *pair, const double radius[2], sat_Motion motion) {
  uint32_t side = is_thin_across(pair, SAT_A, radius, motion) ? SAT_A : SAT_B;
  if (side == SAT_B && !is_thin_across(pair, SAT_B, radius, motion)) return 0;
  const sat_Convex *own = &pair->of[side], *other = &pair->of[!side];
  sat_Vec2 way = side == SAT_A ? motion.vector : neg(motion.vector),
           offset = sub(pair->origin_offset[side], own->vertex[0]);
  double size = length(way), hair = 2 * motion.rounding * size, out = radius[!side] * size;
  double least = HUGE_VAL, most = -HUGE_VAL;
  uint32_t at_least = 0, at_most = 0;
  for (uint32_t i = 0; i < other->count; i++) {
    double across = cross(way, add(offset, other->vertex[i]));
    least = min2(least, across);
    most = max2(most, across);
    at_least += fabs(across - out) <= hair;
    at_most += fabs(across + out) <= hair;
  }
  uint32_t line = least - out <= hair && most + out >= -hair ? SAT_ON_LINE : 0;
  uint32_t hands = (fabs(most + out) <= hair && own->count + at_most > 2 ? SAT_ON_RIGHT : 0) |
                   (fabs(least - out) <= hair && own->count + at_least > 2 ? SAT_ON_LEFT : 0);
  return hands == SAT_ON_BOTH_HANDS ? line : line | hands;
}

/* ---------------------------------------------------------------- the questions */

/* Computes the point of B that the shapes share at the time of a hit. Shapes in contact at the
 * start may overlap by rounding, and the closest point could then lie on another edge: a shift
 * along the normal first parts them. */
static void add_point(const CastState *state, double radius_of_b, sat_Hit *hit) {
  sat_Pair moved = *state->pair;
  sat_Vec2 motion = hit->t > 0 ? mul(state->motion, hit->t) : mul(hit->normal, 2 * state->rounding);
  moved.origin_offset[SAT_A] = sub(moved.origin_offset[SAT_A], motion);
  moved.origin_offset[SAT_B] = neg(moved.origin_offset[SAT_A]);
  sat_Facet facet;
  bool ties;
  sat_SeparationQuery query = {HUGE_VAL, 0, SAT_ALGORITHM_BY_SIZE};
  bool facets = sat_max_separation(&moved, query, &facet, &ties);
  sat_ClosestFeature nearest = sat_closest_feature_from(&moved, facets ? &facet : NULL);
  sat_Vec2 on_b = sat_closest_witness(&moved, &nearest, SAT_B);
  hit->point = add(on_b, mul(hit->normal, radius_of_b));
}

/* Reduces each side that is a segment alone, with the other one's area ahead, and moves along
 * itself to its front end. */
static void take_fronts(CastState *state, sat_Motion motion, const double radius[2],
                        sat_Pair *copy) {
  for (uint32_t side = 0; side < 2; side++) {
    if (state->pair->of[side].count != 2 || !is_thin_across(state->pair, side, radius, motion) ||
        (state->pair->of[!side].count <= 2 && radius[!side] == 0) ||
        (state->pieces && state->pieces->piece[side]->flags & SAT_CHAIN_SEGMENT))
      continue;
    if (state->pair != copy) *copy = *state->pair;
    state->pair = copy;
    sat_Convex *own = &copy->of[side];
    double ahead = dot(state->motion, sub(own->vertex[1], own->vertex[0]));
    own->vertex += (ahead > 0) == (side == SAT_A);
    own->count = 1;
  }
}

static CastState make_state(const sat_Pair *given, const sat_PiecePair *pieces, sat_Motion motion) {
  CastState state = {.pair = given,
                     .pieces = pieces,
                     .motion = motion.vector,
                     .rounding = motion.rounding,
                     .radius = given->radius,
                     .by_all = motion.by_all};
  state.way = length(motion.vector);
  state.in_chain = pieces && sat_pieces_in_chain(pieces);
  return state;
}

void sat_convex_cast_point(const sat_Pair *given, const sat_PiecePair *pieces, sat_Motion motion,
                           const double radius[2], sat_Hit *hit) {
  sat_Pair copy;
  CastState state = make_state(given, pieces, motion);
  take_fronts(&state, motion, radius, &copy);
  add_point(&state, radius[SAT_B], hit);
}

/* Looks for a hit of a pair, or of its copy with front ends, during the motion. By a radius that is
 * rounding the ray could pass between the end of a side and the circle about the corner there. It
 * enters D without that radius later, by less than rounding, and one that misses D may so be less
 * deep by as much. */
static void enter_difference(CastState *state) {
  double rounding = state->rounding;
  if (state->radius > SAT_LEAST_RADIUS * rounding ||
      (state->radius > 0 && sat_is_flat(state->pair))) {
    enter_rounded(state);
  } else if (sat_is_flat(state->pair)) {
    enter_flat(state);
  } else {
    state->rounding -= state->radius;
    enter_polygon(state);
    state->rounding = rounding;
  }
  state->is_hit = state->is_hit && state->t <= 1;
}

sat_Status sat_convex_cast(const sat_Pair *given, const sat_PiecePair *pieces, sat_Motion motion,
                           const double radius[2], sat_Hit *hit) {
  sat_Pair copy;
  CastState state = make_state(given, pieces, motion);
  if (state.way == 0) return SAT_MISS; /* a shape that stays hits nothing */
  take_fronts(&state, motion, radius, &copy);
  enter_difference(&state);
  if (!state.is_hit && state.pair == &copy) {
    /* A front end gets no deeper than rounding into a needle, but what follows it does. */
    state.pair = given;
    enter_difference(&state);
  }
  if (!state.is_hit) return SAT_MISS;
  *hit = (sat_Hit){state.t, sat_unit(state.normal), {NAN, NAN}, {0, 0}};
  if (!motion.leaves_point) add_point(&state, radius[SAT_B], hit);
  return SAT_OK;
}

bool sat_leads_deeper(sat_Vec2 motion, sat_Vec2 out) {
  return dot(motion, out) < -SAT_DEEPER_ERROR * (fabs(motion.x) + fabs(motion.y));
}
