/* cast.c: sweeps and rays, as one ray against the Minkowski difference.
 *
 * Moving A by `motion` takes the origin, seen from D, along that ray. Where it first enters D, A
 * first meets B. */
#include "bodies.h"
#include "narrowphase.h"

/* How the ray passes D. */
typedef struct Sweep {
  const sat_Pair *pair;
  const sat_Parts *parts; /* NULL: two convex shapes */
  bool joined;            /* a part is one of a chain */
  sat_Vec2 motion;
  double t;        /* where it enters, once `hit` */
  sat_Vec2 normal; /* not yet of unit length for a straight facet */
  bool hit;
  bool grazes;       /* it runs along a facet on its outer side, */
  sat_Vec2 beside;   /* which has this normal, */
  double begin, end; /* from one time to another */
} Sweep;

/* ---------------------------------------------------------------- without a radius */

/* What the half planes of D leave of the ray. Cyrus and Beck 1978. */
typedef struct Span {
  double enter, exit, against; /* how straight the ray runs against the facet that it enters by */
  sat_Vec2 normal;
  bool inner;  /* that facet is, */
  bool barred; /* or where a chain goes on */
  bool behind; /* the ray runs along a facet that is barred: what it touches there, it is behind; */
  bool beside; /* or along one on its outer side, */
  sat_Vec2 outward; /* which has this normal */
  double low, high; /* how far along the motion, times its length, D begins and ends */
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

/* Whether a facet is entered later, or of those entered together is the better one. */
static bool enters_last(const Span *span, double t, double against, bool inner) {
  if (t != span->enter) return t > span->enter;
  return inner == span->inner ? against > span->against : span->inner;
}

/* False: the ray stays outside of this facet. */
static bool clip_to_facet(const Sweep *sweep, const sat_Facet *facet, Span *span) {
  const sat_Pair *pair = sweep->pair;
  sat_Vec2 start = sat_facet_start(pair, facet);
  sat_Vec2 edge = sat_facet_edge(pair, facet->side, facet->edge);
  span->low = min2(span->low, dot(sweep->motion, start));
  span->high = max2(span->high, dot(sweep->motion, start));
  if (edge.x == 0 && edge.y == 0) return true; /* melted by turning: its neighbours bound D */
  /* By the unnormalised normal, whose products are exact for whole numbers: a grazed corner is then
   * one for sure. */
  sat_Vec2 outward = neg(perp(edge));
  double closing = -dot(outward, sweep->motion);
  double settled = sat_settled_gap(pair, facet), gap = settled == 0 ? 0 : -dot(outward, start);
  if (settled > 0 && closing <= 0) return false; /* whatever the sum above has rounded to */
  bool barred = is_barred(sweep, facet), inner = barred || is_inner(sweep, facet);
  if (closing == 0) {
    if (gap == 0 && barred) span->behind = true;
    if (gap == 0 && !inner) {
      span->beside = true;
      span->outward = outward;
    }
    return gap <= 0;
  }
  double t = gap / closing;
  if (closing < 0) {
    span->exit = min2(span->exit, t);
    return true;
  }
  double against = closing / length(edge);
  if (enters_last(span, t, against, inner)) {
    span->enter = t;
    span->inner = inner;
    span->barred = barred;
    span->against = against;
    span->normal = outward;
  }
  return true;
}

/* Whether D reaches as far along the facet as the hit is: past the point of a needle, whose facets
 * are all but parallel, which of them comes first is a matter of rounding. */
static bool is_on_polygon(const Sweep *sweep) {
  sat_Vec2 along = perp(sweep->normal);
  double place = dot(along, sweep->motion) * sweep->t, low = HUGE_VAL, high = -HUGE_VAL;
  sat_Walk walk = sat_walk_begin(sweep->pair);
  sat_Facet facet;
  while (sat_walk_next(&walk, &facet)) {
    double corner = dot(along, sat_facet_start(sweep->pair, &facet));
    low = min2(low, corner);
    high = max2(high, corner);
  }
  double hair = sweep->pair->slack * length(along);
  return place >= low - hair && place <= high + hair;
}

static void enter_polygon(Sweep *sweep) {
  Span span = {.enter = -HUGE_VAL, .exit = HUGE_VAL, .low = HUGE_VAL, .high = -HUGE_VAL};
  sat_Walk walk = sat_walk_begin(sweep->pair);
  sat_Facet facet;
  while (sat_walk_next(&walk, &facet))
    if (!clip_to_facet(sweep, &facet, &span)) return;
  sweep->hit = span.enter > -HUGE_VAL && span.enter < span.exit && span.exit > 0;
  if (span.behind && span.enter * length(sweep->motion) < -sweep->pair->slack) sweep->hit = false;
  /* Along a needle the quotients are of what rounding has left. */
  double size = dot(sweep->motion, sweep->motion);
  if (size > 0) span.enter = clamp(span.enter, span.low / size, span.high / size);
  sweep->t = max2(span.enter, 0);
  sweep->normal = span.normal;
  sweep->grazes = sweep->hit && span.beside;
  sweep->beside = span.outward;
  sweep->begin = sweep->t;
  sweep->end = span.exit;
  sweep->hit = sweep->hit && !span.beside && !span.barred && is_on_polygon(sweep);
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

/* The hand, as a sign, on which the motion has the open side of a chain that it runs along, coming to
 * a vertex of a part. */
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
 * there. It may have come along the chain, from where it joined that, or started on it: then it is on
 * the open side, or, if there is none, on the free one. */
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

/* Neither shape has an inside and both lie one way: crossing D is a hit, its ends included. */
static void enter_flat(Sweep *sweep) {
  End low, high;
  flat_ends(sweep->pair, &low, &high);
  sat_Vec2 along = sub(high.at, low.at);
  double closing = cross(along, sweep->motion), gap = cross(along, low.at);
  if (closing == 0) {
    enter_end(sweep, &low, &high);
    return;
  }
  int past_low = -hand_of(sweep, low.at), past_high = -hand_of(sweep, high.at);
  sweep->t = between_ends(sweep->motion, low.at, high.at, gap / closing);
  sweep->normal = closing > 0 ? neg(perp(along)) : perp(along);
  sweep->hit = sweep->t >= 0 && past_low * past_high <= 0 && faces_open_side(sweep);
  if (sweep->hit && past_low == 0) sweep->hit = crosses_at_end(sweep, &low);
  else if (sweep->hit && past_high == 0) sweep->hit = crosses_at_end(sweep, &high);
}

/* ---------------------------------------------------------------- with a radius */

static void enter_at(Sweep *sweep, double t, sat_Vec2 normal) {
  if (!(t >= 0) || (sweep->hit && t >= sweep->t)) return;
  sweep->hit = true;
  sweep->t = t;
  sweep->normal = normal;
}

/* The ray runs along a facet's straight side. */
static void graze_side(Sweep *sweep, const sat_Facet *facet, sat_Vec2 normal) {
  sat_Vec2 start = sat_facet_start(sweep->pair, facet);
  sat_Vec2 edge = sat_facet_edge(sweep->pair, facet->side, facet->edge);
  double speed = dot(sweep->motion, edge);
  if (speed == 0) return;
  double at_start = dot(start, edge) / speed;
  double at_stop = (dot(start, edge) + dot(edge, edge)) / speed;
  double from = max2(min2(at_start, at_stop), 0), to = max2(at_start, at_stop);
  if (to <= from) return;
  sweep->grazes = true;
  sweep->beside = normal;
  sweep->begin = from;
  sweep->end = to;
}

/* The straight side that a facet has become, at the radius from it. */
static void enter_side(Sweep *sweep, const sat_Facet *facet) {
  sat_Vec2 normal = facet_normal(sweep->pair, facet);
  double closing = -dot(normal, sweep->motion);
  double clearance = facet->gap - sweep->pair->radius;
  if (closing < 0 || clearance < -sweep->pair->slack || is_barred(sweep, facet)) return;
  if (closing == 0) {
    if (clearance <= sweep->pair->slack) graze_side(sweep, facet, normal);
    return;
  }
  double t = max2(clearance, 0) / closing; /* what does not overlap yet is not beyond it */
  sat_Vec2 start = sat_facet_start(sweep->pair, facet);
  sat_Vec2 edge = sat_facet_edge(sweep->pair, facet->side, facet->edge);
  if (edge.x == 0 && edge.y == 0) return;
  double place = dot(sub(mul(sweep->motion, t), start), edge);
  /* At a joint the corner may be no hit: the sides have to reach it. */
  double hair = sweep->joined ? sweep->pair->slack * length(edge) : 0;
  if (place >= -hair && place <= dot(edge, edge) + hair) enter_at(sweep, t, normal);
}

/* The disc that a corner has become. The ray's distance from its centre decides; grazing is no
 * hit. */
static void enter_disc(Sweep *sweep, const uint32_t vertex[2]) {
  sat_Vec2 center = corner_of(sweep->pair, vertex[0], vertex[1]);
  double radius = sweep->pair->radius, way = length(sweep->motion), distance = length(center);
  double reach = radius * way, miss = fabs(cross(sweep->motion, center));
  double toward = dot(sweep->motion, center), clearance = distance - radius;
  if (!(toward > 0) || !(miss < reach) || clearance < -sweep->pair->slack) return;
  /* The smaller root of |motion t - centre| = radius, in the form that does not cancel. */
  double root = sqrt((reach - miss) * (reach + miss));
  double t = max2(clearance, 0) * (distance + radius) / (toward + root);
  sat_Vec2 out = sub(mul(sweep->motion, t), center);
  sat_Vec2 normal = vec2(out.x / radius, out.y / radius);
  if (sweep->joined && sat_corner_is_barred(sweep->parts, vertex, normal)) return;
  /* Where it only grazes, what rounding has left may lead out. */
  if (dot(out, sweep->motion) < 0) enter_at(sweep, t, normal);
}

static void enter_rounded(Sweep *sweep) {
  sat_Walk walk = sat_walk_begin(sweep->pair);
  sat_Facet facet;
  uint32_t from[2] = {0, 0}, to[2];
  if (walk.left[0] + walk.left[1] == 0) enter_disc(sweep, from);
  while (sat_walk_next(&walk, &facet)) {
    sat_facet_ends(sweep->pair, &facet, from, to);
    enter_disc(sweep, from);
    enter_side(sweep, &facet);
  }
}

/* ---------------------------------------------------------------- the questions */

/* Where the two touch at that time: on B. */
static sat_Vec2 contact_point(const sat_Pair *pair, const Sweep *sweep, double radius_of_b) {
  sat_Pair moved = *pair;
  moved.away[SAT_OF_A] = sub(pair->away[SAT_OF_A], mul(sweep->motion, sweep->t));
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

sat_Status sat_sweep_pair(const sat_Pair *pair, const sat_Parts *parts, sat_Vec2 motion,
                          double radius_of_b, sat_Impact *impact, sat_Graze *graze) {
  Sweep sweep = {.pair = pair, .parts = parts, .motion = motion};
  sweep.joined = parts && sat_parts_joined(parts);
  if (pair->radius > 0) enter_rounded(&sweep);
  else if (sat_is_flat(pair)) enter_flat(&sweep);
  else enter_polygon(&sweep);
  if (graze) graze->any = sweep.grazes && sweep.begin <= 1;
  if (graze && graze->any) {
    bool met = pair->radius == 0 && sweep.begin > 0;
    graze->impact = impact_of(&sweep, sweep.begin, met ? sweep.normal : neg(motion), radius_of_b);
    graze->end = sweep.end;
    graze->left = cross(motion, sweep.beside) < 0;
  }
  if (!sweep.hit || sweep.t > 1) return SAT_MISS;
  *impact = impact_of(&sweep, sweep.t, sweep.normal, radius_of_b);
  return SAT_OK;
}

/* A pair that touches moves on freely unless the motion leads in; one with a radius has one normal
 * there, and one that is flat is on the other side already. */
static bool free_to_go(const sat_Pair *pair, const sat_Result *touch, sat_Vec2 motion) {
  if (pair->radius > 0) return dot(touch->normal, motion) >= 0;
  return sat_is_flat(pair);
}

/* A cast whose answer to sat_collide at the start is known: `status` and `start`. */
static sat_Status cast_from(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b,
                            sat_Status status, const sat_Result *start, sat_Impact *impact) {
  sat_Manifold manifold;
  sat_Pair pair = sat_pair_of(a, b);
  if (status == SAT_MISS) return sat_sweep_pair(&pair, NULL, motion, b->radius, impact, NULL);
  if (start->depth == 0 && free_to_go(&pair, start, motion)) return SAT_MISS;
  if (start->depth == 0 && pair.radius == 0)
    return sat_sweep_pair(&pair, NULL, motion, b->radius, impact, NULL);
  sat_contacts_of(a, b, start, &manifold);
  sat_Impact at_once = {0, manifold.normal, manifold.points[0]};
  *impact = at_once;
  return SAT_OK;
}

sat_Status sat_cast(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b, sat_Scratch *scratch,
                    sat_Impact *impact) {
  sat_Result start;
  if (!in_range(motion.x) || !in_range(motion.y)) return SAT_ERANGE;
  if (is_many(a) || is_many(b)) return sat_bodies_cast(a, motion, b, scratch, impact);
  sat_Status status = sat_collide(a, b, NULL, scratch, &start);
  return status > SAT_MISS ? status : cast_from(a, motion, b, status, &start, impact);
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
  bool nowhere_to_go = motion.x == 0 && motion.y == 0;
  if (status == SAT_OK && (start.depth > 0 || nowhere_to_go)) {
    sat_Impact inside = {0, {0, 0}, from};
    *impact = inside;
    return SAT_OK;
  }
  if (is_many(shape) && !nowhere_to_go) return sat_bodies_sweep(&point.head, motion, shape, impact);
  return nowhere_to_go ? SAT_MISS : cast_from(&point.head, motion, shape, status, &start, impact);
}
