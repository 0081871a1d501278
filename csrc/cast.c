/* cast.c: sweeps and rays, as one ray against the Minkowski difference.
 *
 * Moving A by `motion` takes the origin, seen from D, along that ray. Where it first enters D, A
 * first meets B. */
#include "bodies.h"
#include "narrowphase.h"

/* How the ray passes D. */
typedef struct Sweep {
  const sat_Pair *pair;
  const bool *inner[2]; /* of each side's edges; see sat_sweep_pair */
  sat_Vec2 motion;
  double t;        /* where it enters, once `hit` */
  sat_Vec2 normal; /* not yet of unit length for a straight facet */
  bool hit;
} Sweep;

/* ---------------------------------------------------------------- without a radius */

/* What the half planes of D leave of the ray. Cyrus and Beck 1978. */
typedef struct Span {
  double enter, exit, against; /* how straight the ray runs against the facet that it enters by */
  sat_Vec2 normal;
  bool inner;       /* that facet is */
  double low, high; /* how far along the motion, times its length, D begins and ends */
} Span;

static bool is_inner(const Sweep *sweep, const sat_Facet *facet) {
  const bool *inner = sweep->inner[facet->side];
  return inner && inner[facet->edge];
}

/* Whether a facet is entered later, or of those entered together is the better one. */
static bool enters_last(const Span *span, double t, double against, bool inner) {
  if (t != span->enter) return t > span->enter;
  return inner == span->inner ? against > span->against : span->inner;
}

/* False: the ray stays outside of this facet, or runs along it. */
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
  bool inner = is_inner(sweep, facet);
  if (closing == 0) return gap < 0 || (gap == 0 && inner);
  double t = gap / closing;
  if (closing < 0) {
    span->exit = min2(span->exit, t);
    return true;
  }
  double against = closing / length(edge);
  if (enters_last(span, t, against, inner)) {
    span->enter = t;
    span->inner = inner;
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
  Span span = {-HUGE_VAL, HUGE_VAL, 0, {0, 0}, false, HUGE_VAL, -HUGE_VAL};
  sat_Walk walk = sat_walk_begin(sweep->pair);
  sat_Facet facet;
  while (sat_walk_next(&walk, &facet))
    if (!clip_to_facet(sweep, &facet, &span)) return;
  sweep->hit = span.enter < span.exit && span.exit > 0;
  /* Along a needle the quotients are of what rounding has left. */
  double size = dot(sweep->motion, sweep->motion);
  if (size > 0) span.enter = clamp(span.enter, span.low / size, span.high / size);
  sweep->t = max2(span.enter, 0);
  sweep->normal = span.normal;
  sweep->hit = sweep->hit && is_on_polygon(sweep);
}

/* The two ends of a flat D along its direction. */
static void flat_ends(const sat_Pair *pair, sat_Vec2 *low, sat_Vec2 *high) {
  sat_Walk walk = sat_walk_begin(pair);
  sat_Facet facet;
  *low = *high = corner_of(pair, 0, 0);
  if (!sat_walk_next(&walk, &facet)) return;
  sat_Vec2 along = sub(sat_facet_stop(pair, &facet), sat_facet_start(pair, &facet));
  do {
    sat_Vec2 corner = sat_facet_start(pair, &facet);
    if (dot(along, corner) < dot(along, *low)) *low = corner;
    if (dot(along, corner) > dot(along, *high)) *high = corner;
  } while (sat_walk_next(&walk, &facet));
}

/* Head on: along the line of D, onto its nearer end. */
static void enter_end(Sweep *sweep, sat_Vec2 low, sat_Vec2 high) {
  double size = dot(sweep->motion, sweep->motion);
  double nearer = min2(dot(sweep->motion, low), dot(sweep->motion, high));
  sweep->t = nearer / size;
  sweep->normal = neg(sweep->motion);
  sweep->hit = nearer >= 0 && size > 0 && cross(sweep->motion, low) == 0;
}

/* With the ray nearly along D the quotient is of what rounding has left, and may be anything; but
 * the crossing is between the ends. */
static double between_ends(sat_Vec2 motion, sat_Vec2 low, sat_Vec2 high, double t) {
  double size = dot(motion, motion), at_low = dot(motion, low) / size,
         at_high = dot(motion, high) / size;
  return size > 0 ? clamp(t, min2(at_low, at_high), max2(at_low, at_high)) : t;
}

/* Neither shape has an inside and both lie one way: crossing D is a hit, its ends included. */
static void enter_flat(Sweep *sweep) {
  sat_Vec2 low, high;
  flat_ends(sweep->pair, &low, &high);
  sat_Vec2 along = sub(high, low);
  double closing = cross(along, sweep->motion), gap = cross(along, low);
  if (closing == 0) {
    enter_end(sweep, low, high);
    return;
  }
  double past_low = cross(low, sweep->motion), past_high = cross(high, sweep->motion);
  sweep->t = between_ends(sweep->motion, low, high, gap / closing);
  sweep->normal = closing > 0 ? neg(perp(along)) : perp(along);
  bool beside = (past_low > 0 && past_high > 0) || (past_low < 0 && past_high < 0);
  sweep->hit = sweep->t >= 0 && !beside;
}

/* ---------------------------------------------------------------- with a radius */

static void enter_at(Sweep *sweep, double t, sat_Vec2 normal) {
  if (!(t >= 0) || (sweep->hit && t >= sweep->t)) return;
  sweep->hit = true;
  sweep->t = t;
  sweep->normal = normal;
}

/* The straight side that a facet has become, at the radius from it. */
static void enter_side(Sweep *sweep, const sat_Facet *facet) {
  sat_Vec2 normal = facet_normal(sweep->pair, facet);
  double closing = -dot(normal, sweep->motion);
  if (!(closing > 0)) return;
  double clearance = facet->gap - sweep->pair->radius;
  if (clearance < -sweep->pair->slack) return;
  double t = max2(clearance, 0) / closing; /* what does not overlap yet is not beyond it */
  sat_Vec2 start = sat_facet_start(sweep->pair, facet);
  sat_Vec2 edge = sat_facet_edge(sweep->pair, facet->side, facet->edge);
  if (edge.x == 0 && edge.y == 0) return;
  double place = dot(sub(mul(sweep->motion, t), start), edge);
  if (place >= 0 && place <= dot(edge, edge)) enter_at(sweep, t, normal);
}

/* The disc that a corner has become. The ray's distance from its centre decides; grazing is no
 * hit. */
static void enter_disc(Sweep *sweep, sat_Vec2 center) {
  double radius = sweep->pair->radius, way = length(sweep->motion), distance = length(center);
  double reach = radius * way, miss = fabs(cross(sweep->motion, center));
  double toward = dot(sweep->motion, center), clearance = distance - radius;
  if (!(toward > 0) || !(miss < reach) || clearance < -sweep->pair->slack) return;
  /* The smaller root of |motion t - centre| = radius, in the form that does not cancel. */
  double root = sqrt((reach - miss) * (reach + miss));
  double t = max2(clearance, 0) * (distance + radius) / (toward + root);
  sat_Vec2 out = sub(mul(sweep->motion, t), center);
  /* Where it only grazes, what rounding has left may lead out. */
  if (dot(out, sweep->motion) < 0) enter_at(sweep, t, vec2(out.x / radius, out.y / radius));
}

static void enter_rounded(Sweep *sweep) {
  sat_Walk walk = sat_walk_begin(sweep->pair);
  sat_Facet facet;
  if (walk.left[0] + walk.left[1] == 0) enter_disc(sweep, corner_of(sweep->pair, 0, 0));
  while (sat_walk_next(&walk, &facet)) {
    enter_disc(sweep, sat_facet_start(sweep->pair, &facet));
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

sat_Status sat_sweep_pair(const sat_Pair *pair, const bool *const inner[2], sat_Vec2 motion,
                          double radius_of_b, sat_Impact *impact) {
  Sweep sweep = {pair, {inner[0], inner[1]}, motion, 0, {0, 0}, false};
  if (pair->radius > 0) enter_rounded(&sweep);
  else if (sat_is_flat(pair)) enter_flat(&sweep);
  else enter_polygon(&sweep);
  if (!sweep.hit || sweep.t > 1) return SAT_MISS;
  double size = length(sweep.normal);
  sweep.normal = vec2(sweep.normal.x / size, sweep.normal.y / size);
  impact->t = sweep.t;
  impact->normal = sweep.normal;
  impact->point = contact_point(pair, &sweep, radius_of_b);
  return SAT_OK;
}

/* A pair that touches moves on freely unless the motion leads in; one with a radius has one normal
 * there, and one that is flat is on the other side already. */
static bool free_to_go(const sat_Pair *pair, const sat_Result *touch, sat_Vec2 motion) {
  if (pair->radius > 0) return dot(touch->normal, motion) >= 0;
  return sat_is_flat(pair);
}

static const bool *const NO_INNER[2] = {NULL, NULL};

/* A cast whose answer to sat_collide at the start is known: `status` and `start`. */
static sat_Status cast_from(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b,
                            sat_Status status, const sat_Result *start, sat_Impact *impact) {
  sat_Manifold manifold;
  sat_Pair pair = sat_pair_of(a, b);
  if (status == SAT_MISS) return sat_sweep_pair(&pair, NO_INNER, motion, b->radius, impact);
  if (start->depth == 0 && free_to_go(&pair, start, motion)) return SAT_MISS;
  if (start->depth == 0 && pair.radius == 0)
    return sat_sweep_pair(&pair, NO_INNER, motion, b->radius, impact);
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
