/* convex_turn.c: turns a convex set about a pivot until it meets another one, by bilateral
 * advancement with closed roots.
 *
 * The axis of greatest separation at some angle proves that the sets stay apart for a while. (1)
 * With the axis fixed in the world, A's vertices turn: the height of each along the axis is a
 * cosine, and the angle at which it falls to B has a closed form. (2) With the axis fixed in A, B's
 * vertices turn the other way. The larger of both angles is the step, which never leads through B.
 * Where a vertex meets an edge, one of the two is the exact event; where a vertex meets a rounded
 * vertex, the steps are those of Newton's method on the true distance, from the safe side. The idea
 * of advancing by a bound of the motion along an axis is that of Mirtich, Impulse-based dynamic
 * simulation of rigid body systems, 1996; the bounds here are the motions themselves.
 *
 * Levels are those of the separation: how far A is from B along the axis, radii included. A pair
 * is apart until its separation is within rounding of the least one allowed, and touches from there
 * on, until it is clear of that by more than rounding, or falls below it by as much: that is the
 * hit, and its angle is the one where the touch began. */
#include "narrowphase/convex/convex_turn.h"

#include "narrowphase/convex/max_separation.h"

/* A pair that turns, at the angle `at`. Heights of A are along the axis of greatest separation, and
 * those of B along its opposite, all from the pivot. */
typedef struct Turning {
  sat_Pair pair; /* A as turned so far */
  const sat_Convex *given;
  const sat_Rotation *rotation;
  sat_Vec2 from_pivot[2]; /* the origin of each side */
  double farthest[2];     /* no vertex of a side is farther from the pivot */
  sat_Vec2 *vertex;       /* memory for A as turned; its origin is the pivot */
  sat_Edges *edges;
  double radius_of_b;
  double least; /* the separation that A may not fall below */
  double at, separation;
  sat_Vec2 axis[2];   /* of each side: for A out of B towards A */
  uint32_t lowest[2]; /* the vertex of least height */
  double height[2];   /* its height */
  sat_Facet facet;    /* one near the axis; SAT_NO_VERTEX as its edge: none is known */
} Turning;

/* A place where the two touch, and how fast A comes in there for an angle of 1; below 0: it comes
 * nearer. */
typedef struct TurnContact {
  sat_Vec2 normal, point;
  double speed;
} TurnContact;

/* ---------------------------------------------------------------- the pair at an angle */

/* Whether a facet tells the distance, but for less than rounding. At a corner within rounding its
 * axis is taken, since the direction from corner to corner is rounding alone. */
static bool is_of_facet(const Turning *turning, const sat_ClosestFeature *nearest,
                        const sat_Facet *facet) {
  return nearest->distance <= facet->separation + turning->rotation->rounding / 64;
}

/* Finds the axis from a facet that was near it before, if that one still separates the two beyond
 * rounding. */
static bool find_axis_near(Turning *turning) {
  const sat_Pair *pair = &turning->pair;
  if (turning->facet.edge == SAT_NO_VERTEX) return false;
  sat_Facet facet = sat_facet_of(pair, turning->facet.side, turning->facet.edge);
  if (facet.separation <= pair->error_bound) return false;
  sat_ClosestFeature nearest = sat_closest_feature_from(pair, &facet);
  bool is_rounding = nearest.corner && nearest.distance <= turning->rotation->rounding;
  if (is_rounding && !is_of_facet(turning, &nearest, &nearest.facet)) return false;
  turning->facet = nearest.facet;
  turning->axis[SAT_A] = is_rounding ? facet_normal(pair, &nearest.facet) : nearest.normal;
  turning->separation = is_rounding ? nearest.facet.separation : nearest.distance;
  return true;
}

/* Finds the axis among all facets. */
static void find_axis_of_all(Turning *turning) {
  const sat_Pair *pair = &turning->pair;
  const sat_SeparationQuery query = {HUGE_VAL, 0, SAT_ALGORITHM_BY_SIZE};
  sat_Facet facet = {0, SAT_A, SAT_NO_VERTEX, 0};
  bool ties, facets = sat_max_separation(pair, query, &facet, &ties);
  turning->facet = facet;
  turning->separation = facet.separation;
  turning->axis[SAT_A] = facets ? facet_normal(pair, &facet) : vec2(0, 1);
  if (facets && facet.separation < -pair->error_bound) return;
  sat_ClosestFeature nearest = sat_closest_feature_from(pair, facets ? &facet : NULL);
  if (is_of_facet(turning, &nearest, &facet)) return;
  turning->separation = nearest.distance;
  turning->axis[SAT_A] = nearest.normal;
}

static void find_axis(Turning *turning) {
  if (!find_axis_near(turning)) find_axis_of_all(turning);
  turning->separation -= turning->pair.radius;
  turning->axis[SAT_B] = neg(turning->axis[SAT_A]);
  for (uint32_t side = 0; side < 2; side++) {
    const sat_Convex *own = &turning->pair.of[side];
    sat_Vec2 axis = turning->axis[side];
    uint32_t lowest = sat_support_index(own, neg(axis));
    turning->lowest[side] = lowest;
    turning->height[side] = dot(axis, turning->from_pivot[side]) + dot(axis, own->vertex[lowest]);
  }
}

static void set_pair(Turning *turning, sat_Convex a, sat_Convex b) {
  double size = turning->farthest[SAT_A] + turning->farthest[SAT_B];
  turning->pair = sat_pair_make(a, b, 2 * size, turning->pair.radius);
  turning->from_pivot[SAT_A] = sub(a.origin, turning->rotation->pivot);
}

static void turn_to(Turning *turning, double angle) {
  const sat_Convex *given = turning->given;
  sat_Vec2 pivot = turning->rotation->pivot, arm = sub(pivot, given->origin);
  sat_Edges *edges = given->count > 1 ? turning->edges : NULL;
  double sine, cosine;
  sat_Box box;
  sat_sine_cosine(turning->rotation->way * angle, &sine, &cosine);
  if (!sat_turn_points(arm.x, arm.y, cosine, sine, -sine, cosine, given->vertex, given->count,
                       turning->vertex, edges, &box))
    sat_measure_ring(turning->vertex, given->count, edges, &box);
  set_pair(turning, (sat_Convex){turning->vertex, edges, pivot, given->count},
           turning->pair.of[SAT_B]);
  turning->at = angle;
  find_axis(turning);
}

/* A vertex of a side, from the pivot. */
static sat_Vec2 turning_vertex(const Turning *turning, uint32_t side, uint32_t index) {
  return add(turning->from_pivot[side], turning->pair.of[side].vertex[index]);
}

/* The vertices of a side that are no higher than the lowest one by more than a length: a run, of
 * which the first is told. */
static uint32_t lowest_run(const Turning *turning, uint32_t side, double length, uint32_t *first) {
  const sat_Convex *own = &turning->pair.of[side];
  double most = turning->height[side] + length;
  sat_Vec2 axis = turning->axis[side];
  uint32_t count = 1, i = *first = turning->lowest[side];
  while (count < own->count && dot(axis, turning_vertex(turning, side, next_index(own, i))) <= most)
    count++, i = next_index(own, i);
  i = previous_index(own, *first);
  while (count < own->count && dot(axis, turning_vertex(turning, side, i)) <= most) {
    count++;
    *first = i;
    i = previous_index(own, i);
  }
  return count;
}

/* ---------------------------------------------------------------- the steps */

/* The rotation after which the first vertex has fallen to a height; without `any` none does. */
typedef struct Fall {
  sat_Vec2 to;
  bool any;
} Fall;

/* Whether a rotation, of less than a full turn, is smaller than another one. */
static bool is_smaller_rotation(sat_Vec2 v, sat_Vec2 w) {
  return (v.y < 0) == (w.y < 0) ? cross(v, w) > 0 : v.y >= 0;
}

/* Whether a vertex that is at a height of `along` and rises by `rise` for an angle of 1 is above a
 * level all the way to a rotation. */
static bool stays_above(double along, double rise, double level, sat_Vec2 to) {
  return to.y >= 0 && along > level && along * to.x + rise * to.y > level &&
         (rise >= 0 || rise * to.x <= along * to.y);
}

/* The height of a vertex is R cos(angle - psi), with R sin psi = rise, R cos psi = along. It is at
 * the level at psi - kappa, rising, and at psi + kappa, falling, with R cos kappa = level. */
static void find_fall(double along, double rise, double level, Fall *fall) {
  double squared = along * along + rise * rise, size = sqrt(squared);
  if (level <= -size || (along <= level && rise == 0 && along <= 0)) return;
  sat_Vec2 to = {1, 0};
  if (along > level || rise > 0) {
    level = min2(level, size);
    double root = sqrt((size - level) * (size + level));
    to = vec2((along * level - rise * root) / squared, (rise * level + along * root) / squared);
    if (rise < 0 && to.y < 0) to = vec2(1, 0); /* it falls in less than half a turn */
  }
  if (!fall->any || is_smaller_rotation(to, fall->to)) *fall = (Fall){to, true};
}

/* The way that a side turns as the other one sees it. */
static double way_of_side(const Turning *turning, uint32_t side) {
  return side == SAT_A ? turning->rotation->way : -turning->rotation->way;
}

/* The first rotation after which a vertex of a side has fallen to a level. The vertex that falls
 * first is then the lowest one, and those that become the lowest on the way there follow each other
 * from the lowest one on. */
static Fall first_fall(const Turning *turning, uint32_t side, double level) {
  const sat_Convex *own = &turning->pair.of[side];
  double way = way_of_side(turning, side);
  uint32_t index = turning->lowest[side];
  sat_Vec2 axis = turning->axis[side], before = {0, 0};
  Fall fall = {{1, 0}, false};
  for (uint32_t left = own->count; left > 0; left--) {
    sat_Vec2 vertex = turning_vertex(turning, side, index);
    sat_Vec2 height = vec2(dot(axis, vertex), -way * cross(axis, vertex)); /* and how it rises */
    bool is_past = fall.any && fall.to.y >= 0 &&
                   dot(sub(height, before), fall.to) > turning->rotation->rounding;
    if (is_past) break;
    if (!fall.any || !stays_above(height.x, height.y, level, fall.to))
      find_fall(height.x, height.y, level, &fall);
    before = height;
    index = way > 0 ? previous_index(own, index) : next_index(own, index);
  }
  return fall;
}

/* The angle by which A may turn on without falling below a separation. */
static double free_angle(const Turning *turning, double separation) {
  double out = separation + turning->pair.radius;
  Fall of_a = first_fall(turning, SAT_A, out - turning->height[SAT_B]);
  if (!of_a.any) return HUGE_VAL;
  Fall of_b = first_fall(turning, SAT_B, out - turning->height[SAT_A]);
  if (!of_b.any) return HUGE_VAL;
  return sat_angle_of(is_smaller_rotation(of_a.to, of_b.to) ? of_b.to : of_a.to);
}

/* The angle after which all vertices of a side that are within rounding of the lowest have risen
 * clear of it. */
static double rising_angle(const Turning *turning, uint32_t side) {
  double way = way_of_side(turning, side), r = turning->rotation->rounding, last = 0;
  double level = turning->height[side] + 2.5 * r;
  uint32_t index;
  for (uint32_t left = lowest_run(turning, side, r, &index); left > 0; left--) {
    sat_Vec2 vertex = turning_vertex(turning, side, index), axis = turning->axis[side];
    double height = dot(axis, vertex), rise = -way * cross(axis, vertex), size = length(vertex);
    if (level > size) return HUGE_VAL;
    double root = sqrt(max2((size - level) * (size + level), 0));
    sat_Vec2 to = vec2(height * level + rise * root, rise * level - height * root);
    last = max2(last, sat_angle_of(to));
    index = next_index(&turning->pair.of[side], index);
  }
  return last;
}

/* ---------------------------------------------------------------- the place of touch */

/* The extent of a side's features near its lowest along a tangent. */
static sat_Interval touching_extent(const Turning *turning, uint32_t side, sat_Vec2 along) {
  sat_Interval extent = {HUGE_VAL, -HUGE_VAL};
  uint32_t index, left = lowest_run(turning, side, 4 * turning->rotation->rounding, &index);
  for (; left > 0; left--) {
    double place = dot(along, turning_vertex(turning, side, index));
    extent = (sat_Interval){min2(extent.low, place), max2(extent.high, place)};
    index = next_index(&turning->pair.of[side], index);
  }
  return extent;
}

/* The place where both touch and A comes in fastest. On the plane of contact the speed is the
 * coordinate along the tangent, from the pivot. */
static TurnContact contact_here(const Turning *turning) {
  double way = turning->rotation->way, plane = turning->radius_of_b - turning->height[SAT_B];
  sat_Vec2 normal = turning->axis[SAT_A], along = perp(normal);
  sat_Interval a = touching_extent(turning, SAT_A, along),
               b = touching_extent(turning, SAT_B, along);
  double from = max2(a.low, b.low), to = min2(a.high, b.high);
  double place = from > to ? (from + to) / 2 : way > 0 ? to : from;
  sat_Vec2 point = add(mul(normal, plane), mul(along, place));
  return (TurnContact){normal, add(turning->rotation->pivot, point), -way * place};
}

/* ---------------------------------------------------------------- the hit */

/* Whether A comes in so fast where it touches that it is past rounding before its way is curved by
 * as much; slower it may graze. */
static bool comes_in(const Turning *turning, const TurnContact *first) {
  double arm = length(sub(first->point, turning->rotation->pivot));
  return first->speed < 0 && first->speed * first->speed > 2 * turning->rotation->rounding * arm;
}

/* The separation between a point, from the pivot, and a side, without radii. */
static double separation_of_point(const Turning *turning, uint32_t side, sat_Vec2 point) {
  static const sat_Vec2 at_origin = {0, 0};
  const sat_SeparationQuery query = {HUGE_VAL, 0, SAT_ALGORITHM_SCAN};
  sat_Convex other = {&at_origin, NULL, add(turning->rotation->pivot, point), 1};
  sat_Pair pair = sat_pair_make(turning->pair.of[side], other, 2 * turning->farthest[side], 0);
  sat_Facet facet;
  bool ties, facets = sat_max_separation(&pair, query, &facet, &ties);
  if (facets && facet.separation < -pair.error_bound) return facet.separation;
  return sat_closest_feature_from(&pair, facets ? &facet : NULL).distance;
}

/* Whether the lowest vertex of a side is deeper in the other side than rounding, once it has fallen
 * by that: a proof that needs no other axis. */
static bool vertex_gets_deep(const Turning *turning, uint32_t side) {
  double most = turning->least + turning->pair.radius - turning->rotation->rounding;
  sat_Vec2 vertex = turning_vertex(turning, side, turning->lowest[side]);
  double way = way_of_side(turning, side), rise = -way * cross(turning->axis[side], vertex);
  Fall fall = {{1, 0}, false};
  if (rise < 0) find_fall(turning->height[side], rise, most - turning->height[!side], &fall);
  sat_Vec2 arm = mul(perp(vertex), way * fall.to.y);
  return fall.any && separation_of_point(turning, !side, add(mul(vertex, fall.to.x), arm)) <=
                         most + turning->rotation->rounding / 8;
}

/* Follows a touch from an angle on to its end. */
static double end_of_touch(Turning *turning, double from, double to) {
  double r = turning->rotation->rounding;
  turn_to(turning, from);
  double level = min2(turning->least, turning->separation) - r / 64;
  for (uint32_t steps = 200; steps > 0; steps--) {
    double next = min2(turning->at + free_angle(turning, level), to);
    if (next <= turning->at) break;
    turn_to(turning, next);
    if (turning->separation <= level + r / 128) break;
  }
  return turning->at;
}

/* Tells a hit: A gets deeper than rounding from here on, and has touched since the angle `first`,
 * with `before` there unless it began so. */
static void tell_turn_hit(Turning *turning, double first, const TurnContact *before, sat_Hit *hit) {
  TurnContact contact = contact_here(turning);
  if (turning->at - first > SAT_LONG_TOUCH) {
    double end = end_of_touch(turning, first, turning->at);
    if (end - first > SAT_LONG_TOUCH) {
      *hit = (sat_Hit){end, contact.normal, contact.point, {0, 0}};
      return;
    }
  }
  if (before && before->speed < 0 && before->speed < contact.speed) contact = *before;
  *hit = (sat_Hit){first, contact.normal, contact.point, {0, 0}};
}

/* Turns A on while it touches. SAT_OK: it is deeper than rounding. SAT_MISS: it goes on. */
static sat_Status turn_touching(Turning *turning) {
  double r = turning->rotation->rounding;
  if (turning->separation <= turning->least - 0.875 * r) return SAT_OK;
  double step = free_angle(turning, turning->least - r);
  if (turning->at + step <= turning->at) return SAT_OK;
  step = min2(step, min2(rising_angle(turning, SAT_A), rising_angle(turning, SAT_B)));
  turn_to(turning, min2(turning->at + step, turning->rotation->angle));
  return SAT_MISS;
}

static sat_Status advance(Turning *turning, sat_Hit *hit) {
  const sat_Rotation *rotation = turning->rotation;
  double r = rotation->rounding, first = 0;
  bool touches = turning->separation <= turning->least + r, came = false;
  uint32_t a = turning->pair.of[SAT_A].count, b = turning->pair.of[SAT_B].count;
  /* without an inside, and one of them a point, the two are never deep, and cross */
  bool is_thin = turning->pair.radius == 0 && a <= 2 && b <= 2 && a + b < 4;
  TurnContact before = {.speed = 0};
  /* each vertex may pass a wall within rounding, in two steps */
  uint32_t steps = 64 + 16 * (a + b);
  for (; steps > 0; steps--) {
    if (!touches) {
      double next = turning->at + free_angle(turning, turning->least + r / 16);
      if (next >= rotation->angle || next > rotation->limit) return SAT_MISS;
      touches = next <= turning->at;
      turn_to(turning, next);
      touches = touches || turning->separation <= turning->least + r / 8;
      if (!touches) continue;
      first = next;
      came = true;
      before = contact_here(turning);
      if (!comes_in(turning, &before)) continue;
      if (!is_thin && !vertex_gets_deep(turning, SAT_A) && !vertex_gets_deep(turning, SAT_B))
        continue;
      *hit = (sat_Hit){first, before.normal, before.point, {0, 0}};
      return SAT_OK;
    } else {
      if (turn_touching(turning) == SAT_OK) break;
      if (turning->at >= rotation->angle) return SAT_MISS;
      touches = turning->separation <= turning->least + r;
    }
  }
  tell_turn_hit(turning, touches ? first : turning->at, touches && came ? &before : NULL, hit);
  return SAT_OK;
}

sat_Status sat_convex_turn(const sat_Convex *a, const sat_Rotation *rotation, const sat_Convex *b,
                           const double radius[2], const double l1_bound[2], void *memory,
                           sat_Hit *hit) {
  Turning turning;
  turning.given = a;
  turning.rotation = rotation;
  turning.radius_of_b = radius[SAT_B];
  turning.at = 0;
  turning.edges = memory;
  turning.vertex = (sat_Vec2 *)(turning.edges + edge_block_count(a->count));
  turning.from_pivot[SAT_A] = sub(a->origin, rotation->pivot);
  turning.from_pivot[SAT_B] = sub(b->origin, rotation->pivot);
  for (uint32_t side = 0; side < 2; side++)
    turning.farthest[side] = length(turning.from_pivot[side]) + l1_bound[side];
  turning.pair.radius = radius[SAT_A] + radius[SAT_B];
  set_pair(&turning, *a, *b);
  /* an edge that may be near the axis: the one of B that faces A's origin, where B has edges */
  turning.facet = (sat_Facet){0, SAT_B, SAT_NO_VERTEX, SAT_NO_VERTEX};
  if (b->count > 1) turning.facet.edge = sat_support_index(b, sub(a->origin, b->origin));
  find_axis(&turning);
  turning.least = turning.separation < -rotation->rounding ? turning.separation : 0;
  return advance(&turning, hit);
}
