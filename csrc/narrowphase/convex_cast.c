/* convex_cast.c: sweeps and rays, as one ray against the Minkowski difference.
 *
 * Moving A by `motion` takes the origin, seen from D, along that ray. Where it first enters D, A
 * first meets B. */
#include "narrowphase/composite_pair.h"
#include "narrowphase/convex_pair.h"

/* ---------------------------------------------------------------- rounding */

/* What rounding leaves of a motion is this part of sizes and coordinates: a move to where a cast
 * ends is off by some 1e-16 of them, and a way made of thousands of moves is still within it. */
#define TOUCH 1e-12

static double scale_of(const sat_Shape *shape) {
  sat_Vec2 o = shape->origin, low = shape->box.min, high = shape->box.max;
  double x = max2(fabs(o.x + low.x), fabs(o.x + high.x)), width = high.x - low.x;
  double y = max2(fabs(o.y + low.y), fabs(o.y + high.y)), height = high.y - low.y;
  return max2(max2(x, y), max2(width, height) + shape->radius) + shape->radius;
}

double sat_touch_rounding(const sat_Shape *a, const sat_Shape *b) {
  return TOUCH * max2(scale_of(a), scale_of(b));
}

/* How the ray passes D. */
typedef struct Sweep {
  const sat_Pair *pair;
  const sat_Parts *parts; /* NULL: two convex shapes */
  bool joined;            /* a part is one of a chain */
  bool lines;             /* both sides are points or segments, without a radius */
  sat_Vec2 motion;
  double way;      /* the length of that */
  double rounding; /* see sat_touch_rounding */
  double t;        /* where it enters, once `hit` */
  sat_Vec2 normal; /* not yet of unit length for a straight facet */
  bool hit;
} Sweep;

/* A motion that starts apart is drawn out to this many times its length to tell one that ends in a
 * touch from one that passes by. */
#define DRAWN_OUT 2

static sat_Nearest nearest_by(const sat_Pair *pair, const sat_Facet *widest) {
  return widest ? sat_nearest_from(pair, widest) : sat_nearest_of_points(pair);
}

/* Whether the origin is within rounding of D or in it; `widest` is the facet with the widest
 * gap. */
static bool starts_near(const Sweep *sweep, const sat_Facet *widest) {
  double reach = sweep->pair->radius + sweep->rounding;
  if (widest && widest->gap > reach) return false;
  if (widest && widest->gap < -sweep->rounding) return true;
  return nearest_by(sweep->pair, widest).distance <= reach;
}

/* ---------------------------------------------------------------- without a radius */

/* A facet that the ray enters by. */
typedef struct Entry {
  double t;
  double against; /* how fast the ray comes nearer to it */
  sat_Vec2 normal;
  bool inner;  /* the shape goes on behind it, */
  bool barred; /* or a chain does */
} Entry;

/* What the half planes of D leave of the ray. Cyrus and Beck 1978. */
typedef struct Span {
  Entry last;  /* the facet that is entered last, */
  Entry open;  /* the same of those that are not inner, */
  Entry touch; /* and of those that the origin is on but for rounding */
  sat_Facet widest;
  double sunk;        /* from when on the ray is deeper than rounding under all facets */
  bool sealed;        /* it runs along a facet that is barred, where another part goes on */
  double low, high;   /* how far along the motion, times its length, D begins and ends */
  double right, left; /* how far beside it */
} Span;

/* Whether the shape goes on behind a facet. */
static bool is_inner(const Sweep *sweep, const sat_Facet *facet) {
  if (!sweep->parts) return false;
  const sat_Body *body = sweep->parts->of[facet->side];
  return body->inner && body->inner[sweep->parts->part[facet->side]->first + facet->edge];
}

static bool is_barred(const Sweep *sweep, const sat_Facet *facet) {
  return sweep->joined &&
         sat_facet_is_barred(sweep->parts, facet, facet_normal(sweep->pair, facet));
}

/* Keeps the facet that is entered later, or of those entered together the better one. */
static void keep_last(Entry *kept, const Entry *entry) {
  bool later = entry->t > kept->t;
  if (entry->t == kept->t)
    later = entry->inner == kept->inner ? entry->against > kept->against : kept->inner;
  if (later) *kept = *entry;
}

static void enter_facet(const Sweep *sweep, const sat_Facet *facet, Entry entry, Span *span) {
  keep_last(&span->last, &entry);
  if (!entry.inner) keep_last(&span->open, &entry);
  entry.t = 0;
  if (fabs(facet->gap) <= sweep->rounding) keep_last(&span->touch, &entry);
}

static void widen_span(Span *span, sat_Vec2 motion, sat_Vec2 corner) {
  double along = dot(motion, corner), beside = cross(motion, corner);
  span->low = min2(span->low, along);
  span->high = max2(span->high, along);
  span->right = min2(span->right, beside);
  span->left = max2(span->left, beside);
}

/* False: the ray gets no deeper under this facet than rounding. */
static bool clip_to_facet(const Sweep *sweep, const sat_Facet *facet, Span *span) {
  sat_Vec2 start = sat_facet_start(sweep->pair, facet);
  sat_Vec2 edge = sat_facet_edge(sweep->pair, facet->side, facet->edge);
  widen_span(span, sweep->motion, start);
  if (edge.x == 0 && edge.y == 0) return true; /* melted by turning: its neighbours bound D */
  if (facet->gap > span->widest.gap) span->widest = *facet;
  /* By the unnormalised normal, whose products are exact for whole numbers. */
  sat_Vec2 outward = neg(perp(edge));
  double closing = -dot(outward, sweep->motion), size = length(edge), against = closing / size;
  bool barred = is_barred(sweep, facet), beside = fabs(facet->gap) <= sweep->rounding;
  bool sealed = barred && sweep->lines && beside && fabs(against) <= sweep->rounding;
  span->sealed = span->sealed || sealed;
  if (sealed) return true;
  double depth = facet->gap + sweep->rounding;
  if (closing <= 0) return depth < 0;
  span->sunk = max2(span->sunk, depth / against);
  bool inner = barred || is_inner(sweep, facet);
  Entry entry = {-dot(outward, start) / closing, against, outward, inner, barred};
  enter_facet(sweep, facet, entry, span);
  return span->sunk < DRAWN_OUT;
}

/* The motion counts up to where it is past D, so that a long one is held to no finer a direction
 * than a short one. */
static bool leads_in(const Sweep *sweep, const Span *span, bool near) {
  double reach = sweep->rounding * sweep->way, size = dot(sweep->motion, sweep->motion);
  double end = min2(near ? 1 : DRAWN_OUT, (span->high + 2 * reach) / size);
  if (span->sunk >= end) return false;
  return span->sealed || (span->right < -reach && span->left > reach);
}

/* A facet that is inner gives way to an open one that is entered with it, but for rounding. */
static const Entry *entry_of(const Sweep *sweep, const Span *span, bool near) {
  if (near && span->touch.t == 0) return &span->touch;
  double ahead = (span->last.t - span->open.t) * span->open.against;
  return ahead <= 2 * sweep->rounding ? &span->open : &span->last;
}

static void enter_polygon(Sweep *sweep) {
  Entry none = {-HUGE_VAL, 0, {0, 0}, true, true};
  Span span = {.last = none,
               .open = none,
               .touch = none,
               .widest = {-HUGE_VAL, 0, 0, 0},
               .sunk = -HUGE_VAL,
               .low = HUGE_VAL,
               .high = -HUGE_VAL,
               .right = HUGE_VAL,
               .left = -HUGE_VAL};
  sat_Walk walk = sat_walk_begin(sweep->pair);
  sat_Facet facet;
  while (sat_walk_next(&walk, &facet))
    if (!clip_to_facet(sweep, &facet, &span)) return;
  bool near = starts_near(sweep, &span.widest);
  if (!leads_in(sweep, &span, near)) return;
  const Entry *entry = entry_of(sweep, &span, near);
  /* Along a needle the quotients are of what rounding has left. */
  double size = dot(sweep->motion, sweep->motion);
  double t = clamp(entry->t, span.low / size, span.high / size);
  sweep->t = near ? 0 : max2(t, 0);
  sweep->normal = entry->normal;
  sweep->hit = !entry->barred;
}

/* An end of a flat D, and the vertices that make it. */
typedef struct End {
  sat_Vec2 at;
  uint32_t vertex[2];
} End;

/* The two ends of a flat D along its direction. */
static void flat_ends(const sat_Pair *pair, End *low, End *high) {
  sat_Walk walk = sat_walk_begin(pair);
  sat_Facet facet;
  *low = *high = (End){corner_of(pair, 0, 0), {0, 0}};
  if (!sat_walk_next(&walk, &facet)) return;
  sat_Vec2 along = sub(sat_facet_stop(pair, &facet), sat_facet_start(pair, &facet));
  do {
    End end = {sat_facet_start(pair, &facet), {0, 0}};
    uint32_t to[2];
    sat_facet_ends(pair, &facet, end.vertex, to);
    if (dot(along, end.at) < dot(along, low->at)) *low = end;
    if (dot(along, end.at) > dot(along, high->at)) *high = end;
  } while (sat_walk_next(&walk, &facet));
}

/* Whether a chain goes on where D ends, and of which side it is. */
static bool goes_on(const Sweep *sweep, const End *end, uint32_t *side, sat_Joint *joint) {
  if (!sweep->joined) return false;
  for (*side = 0; *side < 2; (*side)++) {
    const sat_Body *body = sweep->parts->of[*side];
    if (sat_joint_at(body, sweep->parts->part[*side], end->vertex[*side], joint) && !joint->folded)
      return true;
  }
  return false;
}

/* Head on: along the line of D, onto its nearer end. Where a chain goes on that is no end: to both
 * sides there is nothing in the way, or it is the next segment that is. */
static void enter_end(Sweep *sweep, const End *low, const End *high) {
  double size = dot(sweep->motion, sweep->motion);
  double at_low = dot(sweep->motion, low->at), at_high = dot(sweep->motion, high->at);
  double nearer = min2(at_low, at_high);
  uint32_t side;
  sat_Joint joint;
  sweep->t = nearer / size;
  sweep->normal = neg(sweep->motion);
  sweep->hit = nearer >= 0 && size > 0 && cross(sweep->motion, low->at) == 0 &&
               !goes_on(sweep, at_low <= at_high ? low : high, &side, &joint);
}

/* With the ray nearly along D the quotient is of what rounding has left, and may be anything; but
 * the crossing is between the ends. */
static double between_ends(sat_Vec2 motion, sat_Vec2 low, sat_Vec2 high, double t) {
  double size = dot(motion, motion), at_low = dot(motion, low) / size,
         at_high = dot(motion, high) / size;
  return size > 0 ? clamp(t, min2(at_low, at_high), max2(at_low, at_high)) : t;
}

/* Where a point of one side's body puts the other side's only vertex, as a corner of D. */
static sat_Vec2 corner_at(const Sweep *sweep, uint32_t side, sat_Vec2 own) {
  sat_Vec2 other = sweep->pair->of[!side].vertex[0];
  sat_Vec2 away = sweep->pair->away[SAT_OF_A];
  return add(away, side == SAT_OF_B ? sub(own, other) : sub(other, own));
}

/* A point at a joint of a one-sided chain: whether it sets off to the closed side of it. */
static bool sets_off_inward(const Sweep *sweep, uint32_t side, const sat_Joint *joint) {
  const sat_Part *part = sweep->parts->part[side];
  if (!(part->flags & SAT_ONE_SIDED)) return false;
  sat_Vec2 way = side == SAT_OF_B ? sweep->motion : neg(sweep->motion);
  double angle = cross(joint->own, joint->next);
  double from_own = cross(joint->own, way), to_next = cross(way, joint->next);
  if (angle == 0) return dot(way, sat_open_normal(sweep->parts->of[side], part)) < 0;
  bool between = angle > 0 ? from_own > 0 && to_next > 0 : from_own < 0 && to_next < 0;
  bool outside = angle > 0 ? from_own < 0 || to_next < 0 : from_own > 0 || to_next > 0;
  return joint->turn > 0 ? between : outside;
}

/* The hand, as a sign, on which the motion has the open side of a chain that it runs along, coming
 * to a vertex of a part. */
static int open_hand(const Sweep *sweep, uint32_t side, uint32_t vertex) {
  const sat_Part *part = sweep->parts->part[side];
  if (!(part->flags & SAT_ONE_SIDED)) return 0;
  return (vertex == 0) == (sat_open_edge(sweep->parts->of[side], part) == 0) ? -1 : 1;
}

static int hand_of(const Sweep *sweep, sat_Vec2 corner) {
  double turn = cross(sweep->motion, corner);
  return (turn > 0) - (turn < 0);
}

/* Whether a point that comes straight to a joint passes from one side of the chain to the other
 * there. It may have come along the chain, from where it joined that, or started on it: then it is
 * on the open side, or, if there is none, on the free one. */
static bool crosses_at_joint(const Sweep *sweep, uint32_t side, const End *end,
                             const sat_Joint *joint) {
  const sat_Body *body = sweep->parts->of[side];
  uint32_t vertex = end->vertex[side], index = joint->beyond;
  uint32_t other_end = sweep->parts->part[side]->first + 1 - vertex;
  int own = hand_of(sweep, corner_at(sweep, side, body->vertices[other_end]));
  if (end->at.x == 0 && end->at.y == 0) return sets_off_inward(sweep, side, joint);
  double before = dot(sweep->motion, end->at);
  for (uint32_t steps = 2 * body->count; steps > 0 && index != SAT_CHAIN_END; steps--) {
    sat_Vec2 corner = corner_at(sweep, side, body->points[index]);
    int hand = hand_of(sweep, corner);
    if (hand != 0) return hand != own;
    double place = dot(sweep->motion, corner);
    if (place > before) return false; /* it is from the other end of this run that it may cross */
    if (place <= 0) return own == open_hand(sweep, side, vertex);
    before = place;
    index = sat_point_beyond(body, index, vertex == 1);
  }
  return false;
}

/* Whether crossing a flat D right at its end is a hit. With an extent of its own what crosses there
 * meets the next segment, too, which decides where the chain goes on. */
static bool crosses_at_end(const Sweep *sweep, const End *end) {
  uint32_t side;
  sat_Joint joint;
  if (!goes_on(sweep, end, &side, &joint)) return true;
  return sweep->pair->of[!side].count == 1 && crosses_at_joint(sweep, side, end, &joint);
}

/* Whether the ray leads to no chain's closed side from behind. */
static bool faces_open_side(const Sweep *sweep) {
  for (uint32_t side = 0; sweep->joined && side < 2; side++) {
    const sat_Part *part = sweep->parts->part[side];
    if (!(part->flags & SAT_ONE_SIDED)) continue;
    double against = dot(sat_open_normal(sweep->parts->of[side], part), sweep->motion);
    if (side == SAT_OF_B ? against >= 0 : against <= 0) return false;
  }
  return true;
}

/* Whether the ray ends on the side of a flat D's line that it comes from, to within rounding. */
static bool stays_beside(const Sweep *sweep, double closing, double gap, double size, bool near) {
  double before = near ? 0 : gap / size,
         after = gap / size - closing / size * (near ? 1 : DRAWN_OUT);
  if (fabs(after) <= sweep->rounding) return true;
  return before > 0 ? after > 0 : before < 0 && after < 0;
}

/* What touches a flat D is on its other side already, unless one side alone is open. */
static bool may_cross(const Sweep *sweep, bool near) {
  return faces_open_side(sweep) && !(near && !(sweep->joined && sat_parts_one_sided(sweep->parts)));
}

static bool starts_near_flat(const Sweep *sweep) {
  sat_Walk walk = sat_walk_begin(sweep->pair);
  sat_Facet facet, widest;
  if (!sat_walk_next(&walk, &widest)) return starts_near(sweep, NULL);
  while (sat_walk_next(&walk, &facet))
    if (facet.gap > widest.gap) widest = facet;
  return starts_near(sweep, &widest);
}

/* Neither shape has an inside and both lie one way: crossing D is a hit, its ends included. */
static void enter_flat(Sweep *sweep) {
  End low, high;
  flat_ends(sweep->pair, &low, &high);
  sat_Vec2 along = sub(high.at, low.at);
  double closing = cross(along, sweep->motion), gap = cross(along, low.at), size = length(along);
  bool near = starts_near_flat(sweep);
  if (closing == 0) {
    enter_end(sweep, &low, &high);
    sweep->hit = sweep->hit && !near;
    return;
  }
  int past_low = -hand_of(sweep, low.at), past_high = -hand_of(sweep, high.at);
  double t = between_ends(sweep->motion, low.at, high.at, gap / closing);
  sweep->t = near ? 0 : t;
  sweep->normal = closing > 0 ? neg(perp(along)) : perp(along);
  sweep->hit = sweep->t >= 0 && past_low * past_high <= 0 && may_cross(sweep, near) &&
               !stays_beside(sweep, closing, gap, size, near);
  if (sweep->hit && past_low == 0) sweep->hit = crosses_at_end(sweep, &low);
  else if (sweep->hit && past_high == 0) sweep->hit = crosses_at_end(sweep, &high);
}

/* ---------------------------------------------------------------- with a radius */

/* Of what is met at the same time the one that is met most head on. */
static void enter_at(Sweep *sweep, double t, sat_Vec2 normal) {
  if (!(t >= 0) || (sweep->hit && t > sweep->t)) return;
  if (sweep->hit && t == sweep->t && dot(normal, sweep->motion) >= dot(sweep->normal, sweep->motion))
    return;
  sweep->hit = true;
  sweep->t = t;
  sweep->normal = normal;
}

/* The straight side that a facet has become, at the radius from it. */
static void enter_side(Sweep *sweep, const sat_Facet *facet) {
  sat_Vec2 normal = facet_normal(sweep->pair, facet);
  double closing = -dot(normal, sweep->motion);
  double clearance = facet->gap - sweep->pair->radius;
  if (closing <= 0 || clearance < -sweep->rounding || is_barred(sweep, facet)) return;
  double t = max2(clearance, 0) / closing; /* what does not overlap yet is not beyond it */
  sat_Vec2 start = sat_facet_start(sweep->pair, facet);
  sat_Vec2 edge = sat_facet_edge(sweep->pair, facet->side, facet->edge);
  if (edge.x == 0 && edge.y == 0) return;
  double place = dot(sub(mul(sweep->motion, t), start), edge);
  /* At a joint the corner may be no hit: the sides have to reach it. */
  double hair = sweep->joined ? sweep->rounding * length(edge) : 0;
  if (place >= -hair && place <= dot(edge, edge) + hair) enter_at(sweep, t, normal);
}

/* The disc that a corner has become. The ray's distance from its centre decides; grazing is no
 * hit. */
static void enter_disc(Sweep *sweep, const uint32_t vertex[2]) {
  sat_Vec2 center = corner_of(sweep->pair, vertex[0], vertex[1]);
  double radius = sweep->pair->radius, way = sweep->way, distance = length(center);
  double reach = radius * way, miss = fabs(cross(sweep->motion, center));
  double toward = dot(sweep->motion, center), clearance = distance - radius;
  if (!(toward > 0) || !(miss < reach) || clearance < -sweep->rounding) return;
  /* The smaller root of |motion t - centre| = radius, in the form that does not cancel. */
  double root = sqrt((reach - miss) * (reach + miss));
  double t = max2(clearance, 0) * (distance + radius) / (toward + root);
  sat_Vec2 out = sub(mul(sweep->motion, t), center);
  double size = length(out);
  sat_Vec2 normal = size > 0 ? vec2(out.x / size, out.y / size) : neg(sweep->motion);
  if (sweep->joined && sat_corner_is_barred(sweep->parts, vertex, normal)) return;
  /* Where it only grazes, what rounding has left may lead out. */
  if (dot(out, sweep->motion) < 0) enter_at(sweep, t, normal);
}

/* `widest` becomes the facet with the widest gap. False: there is none, D is a disc. */
static bool enter_outline(Sweep *sweep, sat_Facet *widest) {
  sat_Walk walk = sat_walk_begin(sweep->pair);
  sat_Facet facet;
  uint32_t from[2] = {0, 0}, to[2];
  bool facets = walk.left[0] + walk.left[1] > 0;
  widest->gap = -HUGE_VAL;
  if (!facets) enter_disc(sweep, from);
  while (sat_walk_next(&walk, &facet)) {
    sat_facet_ends(sweep->pair, &facet, from, to);
    enter_disc(sweep, from);
    enter_side(sweep, &facet);
    if (facet.gap > widest->gap) *widest = facet;
  }
  return facets;
}

/* Whether the ray gets deeper than rounding: into D shrunk by that. */
static bool gets_deep(const Sweep *sweep, bool near) {
  sat_Pair shrunk = *sweep->pair;
  sat_Facet widest;
  shrunk.radius -= min2(sweep->rounding, shrunk.radius / 2);
  Sweep probe = {.pair = &shrunk, .motion = sweep->motion, .way = sweep->way};
  probe.rounding = 2 * sweep->rounding;
  enter_outline(&probe, &widest);
  return probe.hit && probe.t <= (near ? 1 : DRAWN_OUT);
}

/* Whether no difference of a whole chain has the nearest point on its outline. */
static bool is_barred_at(const Sweep *sweep, const sat_Nearest *nearest) {
  if (!sweep->joined) return false;
  if (!nearest->corner) return is_barred(sweep, &nearest->facet);
  return sat_corner_is_barred(sweep->parts, nearest->vertex_of, nearest->normal);
}

/* At the start the normal is that of the nearest place, be the ray in a side or just past its
 * end. */
static void touch_outline(Sweep *sweep, const sat_Facet *widest) {
  sat_Nearest nearest = nearest_by(sweep->pair, widest);
  sweep->t = 0;
  if (is_barred_at(sweep, &nearest) || !(dot(nearest.normal, sweep->motion) < 0)) return;
  sweep->hit = true;
  sweep->normal = nearest.normal;
}

static void enter_rounded(Sweep *sweep) {
  sat_Facet widest;
  const sat_Facet *facet = enter_outline(sweep, &widest) ? &widest : NULL;
  bool near = starts_near(sweep, facet);
  if (near) touch_outline(sweep, facet);
  sweep->hit = sweep->hit && sweep->t <= 1 && gets_deep(sweep, near);
}

/* ---------------------------------------------------------------- seams */

/* A point that runs along an edge, which has this facet, within rounding: from when to when, and
 * what it would hit at the edge's end if another part lay beyond it. */
static bool runs_along(const Sweep *sweep, const sat_Facet *facet, sat_Graze *graze) {
  const sat_Pair *pair = sweep->pair;
  sat_Vec2 start = sat_facet_start(pair, facet), stop = sat_facet_stop(pair, facet);
  double out = cross(sweep->motion, facet_normal(pair, facet)),
         hair = 2 * sweep->rounding * sweep->way;
  double at_start = cross(sweep->motion, start) + out * pair->radius;
  double at_stop = cross(sweep->motion, stop) + out * pair->radius;
  if (fabs(at_start) > hair || fabs(at_stop) > hair) return false;
  double size = dot(sweep->motion, sweep->motion), least = sweep->rounding / sweep->way;
  double from = dot(sweep->motion, start) / size, to = dot(sweep->motion, stop) / size;
  double begin = min2(from, to);
  graze->begin = begin <= least ? 0 : begin;
  graze->end = max2(from, to);
  graze->left = out < 0;
  return graze->end > least && graze->end - graze->begin > least && graze->begin <= 1;
}

/* Of the facets beside that edge the one that the ray runs against, if any. */
static sat_Vec2 normal_at_seam(const Sweep *sweep, const sat_Facet *along) {
  sat_Vec2 ends[2] = {sat_facet_start(sweep->pair, along), sat_facet_stop(sweep->pair, along)};
  bool forward = dot(sweep->motion, ends[0]) <= dot(sweep->motion, ends[1]);
  sat_Walk walk = sat_walk_begin(sweep->pair);
  sat_Facet facet;
  while (sweep->pair->radius == 0 && sat_walk_next(&walk, &facet)) {
    sat_Vec2 end =
        forward ? sat_facet_stop(sweep->pair, &facet) : sat_facet_start(sweep->pair, &facet);
    sat_Vec2 normal = facet_normal(sweep->pair, &facet);
    bool meets = end.x == ends[!forward].x && end.y == ends[!forward].y;
    if (meets && facet.edge != along->edge && dot(normal, sweep->motion) < 0) return normal;
  }
  return neg(sweep->motion);
}

/* Seams are closed for points alone, and for segments that move along themselves, which are swept
 * as their front ends: what has an area and fits in between passes. */
static void find_graze(const Sweep *sweep, sat_Graze *graze, sat_Vec2 *normal) {
  sat_Walk walk = sat_walk_begin(sweep->pair);
  sat_Facet facet;
  while (!graze->any && sat_walk_next(&walk, &facet)) {
    graze->any = runs_along(sweep, &facet, graze);
    if (graze->any) *normal = normal_at_seam(sweep, &facet);
  }
}

/* ---------------------------------------------------------------- the questions */

/* Where the two touch at that time: on B. What overlaps at the start by rounding is taken apart
 * along the normal first: inside, the way to the nearest point could lead to another edge. */
static sat_Vec2 contact_point(const sat_Pair *pair, const Sweep *sweep, double radius_of_b) {
  sat_Pair moved = *pair;
  sat_Vec2 motion =
      sweep->t > 0 ? mul(sweep->motion, sweep->t) : mul(sweep->normal, 2 * sweep->rounding);
  moved.away[SAT_OF_A] = sub(pair->away[SAT_OF_A], motion);
  moved.away[SAT_OF_B] = neg(moved.away[SAT_OF_A]);
  sat_Facet facet;
  bool ties;
  sat_Quest quest = {HUGE_VAL, 0, true, SAT_BY_SIZE};
  bool facets = sat_widest_facet(&moved, quest, &facet, &ties);
  sat_Nearest nearest = facets ? sat_nearest_from(&moved, &facet) : sat_nearest_of_points(&moved);
  sat_Vec2 on_b = sat_nearest_witness(&moved, &nearest, SAT_OF_B);
  return add(on_b, mul(sweep->normal, radius_of_b));
}

static sat_Impact impact_of(const Sweep *sweep, double t, sat_Vec2 normal, double radius_of_b) {
  Sweep at = *sweep;
  double size = length(normal);
  at.t = t;
  at.normal = size > 0 ? vec2(normal.x / size, normal.y / size) : normal;
  return (sat_Impact){t, at.normal, contact_point(sweep->pair, &at, radius_of_b)};
}

/* Whether one side of a pair is a segment alone, with the other one's area ahead, that moves along
 * itself. */
static bool moves_along_itself(const Sweep *sweep, uint32_t side, const double radius[2]) {
  const sat_Convex *own = &sweep->pair->of[side];
  if (own->count != 2 || radius[side] > 0) return false;
  if (sweep->pair->of[!side].count <= 2 && radius[!side] == 0) return false;
  if (sweep->parts && sweep->parts->part[side]->flags & SAT_JOINED) return false;
  double across = cross(sweep->motion, sub(own->vertex[1], own->vertex[0]));
  return fabs(across) <= sweep->rounding / 16 * sweep->way;
}

/* Leaves of such a segment its front end. */
static void take_front(const Sweep *sweep, uint32_t side, sat_Pair *pair) {
  sat_Convex *own = &pair->of[side];
  double ahead = dot(sweep->motion, sub(own->vertex[1], own->vertex[0]));
  own->vertex += (ahead > 0) == (side == SAT_OF_A);
  own->count = 1;
}

static bool is_point(const sat_Pair *pair, uint32_t side, const double radius[2]) {
  return pair->of[side].count == 1 && radius[side] == 0;
}

sat_Status sat_sweep_pair(const sat_Pair *given, const sat_Parts *parts, sat_Motion motion,
                          const double radius[2], sat_Impact *impact, sat_Graze *graze) {
  sat_Pair pair = *given;
  Sweep sweep = {
      .pair = &pair, .parts = parts, .motion = motion.vector, .rounding = motion.rounding};
  sweep.way = length(motion.vector);
  sweep.joined = parts && sat_parts_joined(parts);
  for (uint32_t side = 0; side < 2; side++)
    if (moves_along_itself(&sweep, side, radius)) take_front(&sweep, side, &pair);
  bool flat = pair.radius == 0 && sat_is_flat(&pair);
  sweep.lines = pair.radius == 0 && pair.of[0].count <= 2 && pair.of[1].count <= 2;
  if (sweep.way == 0) return SAT_MISS; /* what stays hits nothing */
  if (pair.radius > 0) enter_rounded(&sweep);
  else if (flat) enter_flat(&sweep);
  else enter_polygon(&sweep);
  sweep.hit = sweep.hit && sweep.t <= 1;
  bool points[2] = {is_point(&pair, SAT_OF_A, radius), is_point(&pair, SAT_OF_B, radius)};
  if (graze && !sweep.hit && !flat && (points[0] || points[1])) {
    sat_Vec2 normal;
    graze->side = points[0] ? SAT_OF_A : SAT_OF_B;
    find_graze(&sweep, graze, &normal);
    if (graze->any) graze->impact = impact_of(&sweep, graze->begin, normal, radius[SAT_OF_B]);
  }
  if (!sweep.hit) return SAT_MISS;
  *impact = impact_of(&sweep, sweep.t, sweep.normal, radius[SAT_OF_B]);
  return SAT_OK;
}

bool sat_leads_deeper(sat_Vec2 motion, sat_Vec2 out) {
  return dot(motion, out) < -0x1p-50 * (fabs(motion.x) + fabs(motion.y));
}

/* A cast whose answer to sat_collide at the start is known: `status` and `start`. What is deeper in
 * than rounding is let go unless it moves further in. */
static sat_Status cast_from(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                            sat_Status status, const sat_Result *start, sat_Impact *impact) {
  sat_Manifold manifold;
  if (status == SAT_MISS || start->depth <= motion.rounding) {
    sat_Pair pair = sat_pair_of(a, b);
    double radius[2] = {a->radius, b->radius};
    return sat_sweep_pair(&pair, NULL, motion, radius, impact, NULL);
  }
  if (!sat_leads_deeper(motion.vector, start->normal)) return SAT_MISS;
  sat_contacts_of(a, b, start, &manifold);
  *impact = (sat_Impact){0, manifold.normal, manifold.points[0]};
  return SAT_OK;
}

sat_Status sat_cast(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b, sat_Scratch *scratch,
                    sat_Impact *impact) {
  sat_Result start;
  if (!in_range(motion.x) || !in_range(motion.y)) return SAT_ERANGE;
  sat_Motion way = {motion, sat_touch_rounding(a, b)};
  if (is_many(a) || is_many(b)) return sat_bodies_cast(a, way, b, scratch, impact);
  sat_Status status = sat_collide(a, b, NULL, scratch, &start);
  return status > SAT_MISS ? status : cast_from(a, way, b, status, &start, impact);
}

/* Whether a convex shape lies on one side of the ray's line, by more than rounding may be wrong:
 * most of those whose boxes a ray meets do. */
static bool lies_beside(const sat_Shape *shape, sat_Vec2 from, sat_Vec2 motion) {
  const sat_Vec2 *vertex = vertices_of(shape);
  sat_Vec2 away = sub(shape->origin, from);
  double least = HUGE_VAL, most = -HUGE_VAL, way = fabs(motion.x) + fabs(motion.y);
  for (uint32_t i = 0; i < shape->vertex_count; i++) {
    double side = cross(motion, add(away, vertex[i]));
    least = min2(least, side);
    most = max2(most, side);
  }
  double place = fabs(shape->origin.x) + fabs(shape->origin.y) + fabs(from.x) + fabs(from.y);
  double reach =
      shape->radius * length(motion) + way * (place + shape->extent + shape->radius) * 0x1p-46;
  return least > reach || most < -reach;
}

sat_Status sat_raycast(const sat_Shape *shape, sat_Vec2 from, sat_Vec2 to, sat_Scratch *scratch,
                       sat_Impact *impact) {
  struct {
    sat_Shape head;
    sat_Vec2 vertex, local;
  } point;
  sat_Vec2 motion = sub(to, from);
  sat_Result start;
  if (!vec_in_range(from) || !vec_in_range(to)) return SAT_ERANGE;
  if (!is_many(shape) && lies_beside(shape, from, motion)) return SAT_MISS;
  sat_Status status = sat_shape_init(&point.head, &from, 1, 0);
  if (status) return status;
  status = sat_collide(&point.head, shape, NULL, scratch, &start);
  if (status > SAT_MISS) return status;
  sat_Motion way = {motion, sat_touch_rounding(&point.head, shape)};
  bool nowhere_to_go = motion.x == 0 && motion.y == 0;
  if (status == SAT_OK && (start.depth > way.rounding || nowhere_to_go)) {
    *impact = (sat_Impact){0, {0, 0}, from};
    return SAT_OK;
  }
  if (nowhere_to_go) return SAT_MISS;
  if (is_many(shape)) return sat_bodies_sweep(&point.head, way, shape, impact);
  return cast_from(&point.head, way, shape, status, &start, impact);
}
