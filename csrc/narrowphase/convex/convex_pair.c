/* convex_pair.c: overlap, the minimum translation vector, contacts, distance and containment of two
 * shapes. All of them ask sat_convex_test whether the two share a point, so that they never
 * disagree. */
#include "narrowphase/convex/convex_pair.h"

#include "base/double2.h"
#include "base/predicates.h"
#include "narrowphase/convex/mtv_tie_break.h"

/* ---------------------------------------------------------------- do they meet? */

static bool surely_separate(const sat_Shape *a, const sat_Shape *b, const sat_Pair *pair) {
  double threshold = pair->radius + pair->error_bound;
  double2 offset = double2_of(pair->origin_offset[SAT_A].x, pair->origin_offset[SAT_A].y);
  return boxes_are_separate(a, b, offset, threshold) ||
         circles_are_separate(a, b, pair->origin_offset[SAT_A], threshold);
}

/* Whether the origin and all vertices are on the line of a facet but for rounding, as those of a
 * turned needle may be: facets do not tell how far along the line the origin is. */
static bool is_needle(const sat_Pair *pair, const sat_Facet *facet) {
  if (fabs(facet->separation) > pair->error_bound) return false;
  const sat_Convex *own = &pair->of[facet->side], *other = &pair->of[!facet->side];
  sat_Vec2 normal = normal_of(own->edges, facet->edge);
  double offset = offset_of(own->edges, facet->edge), limit = pair->error_bound;
  for (uint32_t i = 0; i < own->count; i++)
    if (fabs(dot(normal, own->vertex[i]) - offset) > limit) return false;
  for (uint32_t i = 0; i < other->count; i++)
    if (fabs(sat_facet_at(pair, facet->side, facet->edge, i).separation) > limit) return false;
  return own->count > 2 || other->count > 2;
}

/* Completes the answer of a test whose maximum separation proves that the pair is separate. */
static bool record_separation(const sat_Pair *pair, bool separation, sat_ConvexTest *test) {
  test->inside = false;
  if (separation) test->closest = sat_closest_feature_from(pair, &test->max_facet);
  return false;
}

/* Whether the two are surely apart along the line of a needle, an axis that no facet gives. */
static bool is_beyond_tip(const sat_Pair *pair, const sat_Facet *max_facet) {
  if (!is_needle(pair, max_facet)) return false;
  const sat_Convex *a = &pair->of[SAT_A], *b = &pair->of[SAT_B];
  sat_Vec2 along = perp(facet_normal(pair, max_facet)), back = neg(along);
  sat_Vec2 first = corner_of(pair, sat_support_by_scan(a, along), sat_support_by_scan(b, back)),
           last = corner_of(pair, sat_support_by_scan(a, back), sat_support_by_scan(b, along));
  return dot(along, first) > pair->error_bound || dot(back, last) > pair->error_bound;
}

/* Without a radius the exact signs decide. A flat difference needs more than its facets. */
static bool test_exactly(const sat_Pair *pair, double tie, bool separation, sat_ConvexTest *test) {
  sat_SeparationQuery query = {0, tie, SAT_ALGORITHM_BY_SIZE};
  test->inside = sat_find_upright_facet(pair, tie, &test->max_facet);
  if (test->inside) return true;
  bool facets = sat_max_separation(pair, query, &test->max_facet, &test->ties);
  if (facets && (test->max_facet.separation > 0 || is_beyond_tip(pair, &test->max_facet)))
    return record_separation(pair, separation, test);
  test->inside = !sat_is_flat(pair);
  if (test->inside) return true;
  test->closest = sat_closest_feature_from(pair, facets ? &test->max_facet : NULL);
  return sat_flat_contains_origin(pair);
}

/* Measures whether the cores overlap or how far they are apart. Returns false if they are surely
 * separate. */
SAT_INLINE bool measure_rounded(const sat_Pair *pair, double tie, bool separation,
                                sat_ConvexTest *test) {
  sat_SeparationQuery query = {pair->radius, tie, SAT_ALGORITHM_BY_SIZE};
  test->inside = false;
  if (sat_find_upright_closest(pair, &test->max_facet, &test->closest))
    return test->max_facet.separation <= pair->radius + pair->error_bound;
  bool facets = sat_max_separation(pair, query, &test->max_facet, &test->ties);
  if (facets && test->max_facet.separation > pair->radius + pair->error_bound)
    return record_separation(pair, separation, test);
  test->inside = facets && test->max_facet.separation < -pair->error_bound;
  if (!test->inside)
    test->closest = sat_closest_feature_from(pair, facets ? &test->max_facet : NULL);
  return true;
}

/* Which feature is found to be the closest, of those that are so but for rounding, depends on the
 * order of the two shapes. The answer must not: two that do not meet by the distance from A to B
 * may do so by that from B to A. */
SAT_NOT_INLINE bool meets_in_other_order(const sat_Pair *pair, const sat_ConvexTest *test) {
  if (pair->of[SAT_A].count == 1 && pair->of[SAT_B].count == 1) return false;
  double rounding = SAT_ORDER_ROUNDING * pair->error_bound;
  if (test->max_facet.separation > rounding && test->closest.distance > pair->radius + rounding)
    return false;
  sat_Pair swapped = *pair;
  for (uint32_t side = 0; side < 2; side++) {
    swapped.of[side] = pair->of[!side];
    swapped.origin_offset[side] = pair->origin_offset[!side];
  }
  sat_ConvexTest other;
  return measure_rounded(&swapped, 0, false, &other) &&
         (other.inside || other.closest.distance <= pair->radius);
}

bool sat_convex_test(const sat_Pair *pair, double tie, bool separation, const sat_Facet *known,
                     sat_ConvexTest *test) {
  test->ties = false;
  if (known && known->separation > pair->radius + pair->error_bound) {
    test->max_facet = *known;
    return record_separation(pair, separation, test);
  }
  if (pair->radius == 0) return test_exactly(pair, tie, separation, test);
  /* with a radius the computed distance decides */
  if (!measure_rounded(pair, tie, separation, test)) return false;
  return test->inside || test->closest.distance <= pair->radius || meets_in_other_order(pair, test);
}

sat_Status sat_convex_overlaps(const sat_Shape *a, const sat_Shape *b) {
  sat_Pair pair = sat_convex_pair(a, b);
  sat_ConvexTest test;
  if (surely_separate(a, b, &pair)) return SAT_MISS;
  return sat_convex_test(&pair, 0, false, NULL, &test) ? SAT_OK : SAT_MISS;
}

/* ---------------------------------------------------------------- the shortest way out */

/* No more directions than this are as good as the best at the first step of the rule, unless they
 * are one but for rounding. */
#define MOST_TIES 16

/* The choice among equally short translations: those that the first step of the rule leaves. */
typedef struct MtvChoice {
  const sat_Pair *pair;
  sat_Vec2 from_b;        /* see sat_tie_direction */
  double least_gap, most; /* the least separation, and the best at the first step */
  bool touches;           /* depth 0, whichever of its normals is taken */
  uint32_t count;
  sat_Result ties[MOST_TIES];
} MtvChoice;

static double largest_shape_coordinate(const sat_Shape *shape) {
  double2 origin = double2_load(&shape->origin),
          low = double2_add(origin, double2_load(&shape->box.min)),
          high = double2_add(origin, double2_load(&shape->box.max));
  return double2_greatest(double2_max(high, double2_neg(low))) + shape->radius;
}

double sat_coordinate_rounding(const sat_Shape *a, const sat_Shape *b) {
  return SAT_ULPS_8 * max2(largest_shape_coordinate(a), largest_shape_coordinate(b));
}

static double scale_of(const sat_Shape *shape) {
  sat_Vec2 size = sub(shape->box.max, shape->box.min);
  return max2(largest_shape_coordinate(shape), max2(size.x, size.y) + 2 * shape->radius);
}

double sat_touch_rounding(const sat_Shape *a, const sat_Shape *b) {
  return SAT_TOUCH_ERROR * max2(scale_of(a), scale_of(b));
}

/* Whether the first step of the rule has found a better direction: asked before anything else, it
 * leaves few of a thousand facets that are about as near. */
SAT_INLINE bool is_worse(const MtvChoice *choice, sat_Vec2 normal) {
  return sat_tie_merit(choice->from_b, 0, normal) < choice->most - SAT_SAME_DIRECTION;
}

/* Considers the translation along a normal, out of that separation. */
static void consider_result(MtvChoice *choice, sat_Vec2 normal, double separation, uint32_t side,
                            uint32_t edge, bool corner) {
  double merit = sat_tie_merit(choice->from_b, 0, normal);
  if (is_worse(choice, normal)) return;
  if (merit > choice->most + SAT_SAME_DIRECTION) choice->count = 0;
  choice->most = max2(merit, choice->most);
  if (choice->count == MOST_TIES) return;
  double depth = choice->touches ? 0 : max2(choice->pair->radius - separation, 0);
  set_mtv(double2_of(normal.x, normal.y), depth, side, edge, corner,
          &choice->ties[choice->count++]);
}

static void consider_facet(MtvChoice *choice, const sat_Facet *facet) {
  const sat_Pair *pair = choice->pair;
  if (facet->separation < choice->least_gap - pair->error_bound) return;
  double separation = pair->radius == 0 ? sat_exact_separation(pair, facet) : facet->separation;
  if (separation < choice->least_gap) return;
  consider_result(choice, facet_normal(pair, facet), separation, facet->side, facet->edge, false);
}

/* The facets of a polygon and a point. That beside the best direction comes first, so that few are
 * asked for more than their normals. */
static void consider_edges(MtvChoice *choice, uint32_t side) {
  const sat_Pair *pair = choice->pair;
  const sat_Convex *own = &pair->of[side];
  sat_Vec2 best = sat_best_direction(choice->from_b);
  sat_Facet facet = sat_facet_at(pair, side, sat_support_index(own, side ? best : neg(best)), 0);
  consider_facet(choice, &facet);
  choice->count = 0;
  for (uint32_t i = 0; i < own->count; i++) {
    sat_Vec2 normal = normal_of(own->edges, i);
    if (is_worse(choice, side ? normal : neg(normal))) continue;
    facet = sat_facet_at(pair, side, i, 0);
    consider_facet(choice, &facet);
  }
}

static void consider_facets(MtvChoice *choice) {
  const sat_Pair *pair = choice->pair;
  for (uint32_t side = 0; side < 2; side++) {
    if (pair->of[side].count == 1 || pair->of[!side].count > 1) continue;
    consider_edges(choice, side);
    return;
  }
  sat_Walk walk = sat_walk_begin(pair);
  sat_Facet facet;
  while (sat_walk_next(&walk, &facet))
    if (!is_worse(choice, facet_normal(pair, &facet))) consider_facet(choice, &facet);
}

/* A rounded corner of D at the origin may be left in every direction between its two facets. The
 * best direction, or that opposite to it where the centres coincide, may be among them; the ends of
 * the range belong to the facets. */
static void consider_corner(MtvChoice *choice, sat_Vec2 direction, double tie) {
  const sat_Pair *pair = choice->pair;
  uint32_t of_a = sat_support_index(&pair->of[SAT_A], neg(direction));
  uint32_t of_b = sat_support_index(&pair->of[SAT_B], direction);
  sat_Vec2 corner = corner_of(pair, of_a, of_b);
  double separation = -dot(corner, direction);
  if (length(corner) > tie || separation < choice->least_gap) return;
  consider_result(choice, direction, separation, SAT_A, of_a, true);
}

/* Chooses, by the rule, among all translations that are as short as `separation` below the radius
 * says, give or take `tie`. */
static void choose_mtv(const sat_Shape *a, const sat_Shape *b, const sat_Pair *pair,
                       double separation, double tie, bool in_core, sat_Result *result) {
  sat_Vec2 from_a_to_b =
      add(pair->origin_offset[SAT_A], sub(b->centroid_from_origin, a->centroid_from_origin));
  MtvChoice choice;
  choice.pair = pair;
  choice.from_b = sat_tie_direction(neg(from_a_to_b), sat_touch_rounding(a, b));
  choice.least_gap = separation - tie;
  choice.most = -HUGE_VAL;
  choice.touches = separation == pair->radius;
  choice.count = 0;
  consider_facets(&choice);
  if (!in_core) {
    consider_corner(&choice, sat_best_direction(choice.from_b), tie);
    consider_corner(&choice, neg(sat_best_direction(choice.from_b)), tie);
  }
  sat_TieFilter filter = sat_tie_filter(choice.from_b);
  for (; filter.step < SAT_TIE_STEPS; filter.step++)
    for (uint32_t i = 0; i < choice.count; i++) sat_tie_measure(&filter, choice.ties[i].normal);
  for (uint32_t i = choice.count; i > 0; i--) /* the first one counts */
    if (sat_tie_passes(&filter, choice.ties[i - 1].normal)) *result = choice.ties[i - 1];
  result->tied = true;
}

/* The minimum translation vector of a pair that overlaps. */
static void convex_mtv(const sat_Shape *a, const sat_Shape *b, const sat_Pair *pair,
                       const sat_ConvexTest *test, sat_Result *result) {
  const sat_ClosestFeature *closest = &test->closest;
  double separation = test->inside ? test->max_facet.separation : closest->distance,
         depth = pair->radius - separation;
  const sat_Facet *facet = test->inside ? &test->max_facet : &closest->facet;
  bool corner = !test->inside && closest->corner;
  sat_Vec2 normal = corner ? closest->normal : facet_normal(pair, facet);
  set_mtv(double2_of(normal.x, normal.y), max2(depth, 0), corner ? SAT_A : facet->side,
          corner ? closest->vertex_of[SAT_A] : facet->edge, corner, result);
  if (test->inside && pair->radius == 0 && !test->ties) return;
  double tie = SAT_TIE_RELATIVE * depth + sat_coordinate_rounding(a, b);
  bool in_core = test->inside && (pair->radius == 0 || separation < -tie);
  if (in_core ? test->ties : test->inside || separation <= tie)
    choose_mtv(a, b, pair, separation, tie, in_core, result);
}

sat_Status sat_convex_collide(const sat_Shape *a, const sat_Shape *b, sat_Result *result) {
  sat_Pair pair = sat_convex_pair(a, b);
  sat_ConvexTest test;
  if (surely_separate(a, b, &pair)) return SAT_MISS;
  if (!sat_convex_test(&pair, tie_bound(a, b), false, NULL, &test)) return SAT_MISS;
  convex_mtv(a, b, &pair, &test, result);
  return SAT_OK;
}

sat_Status sat_convex_touch(const sat_Shape *a, const sat_Shape *b, double threshold,
                            sat_Result *result, bool *near) {
  sat_Pair pair = sat_convex_pair(a, b);
  sat_ConvexTest test, grown;
  double tie = tie_bound(a, b);
  *near = false;
  test.max_facet.separation = -HUGE_VAL;
  if (!surely_separate(a, b, &pair) && sat_convex_test(&pair, tie, false, NULL, &test)) {
    convex_mtv(a, b, &pair, &test, result);
    return SAT_OK;
  }
  pair.radius += threshold;
  *near =
      !surely_separate(a, b, &pair) && sat_convex_test(&pair, 0, false, &test.max_facet, &grown);
  return SAT_MISS;
}

/* ---------------------------------------------------------------- contacts */

/* Cuts the segment from p to q down to the side of a line where dot(normal, x) <= limit. An end
 * within `error_bound` of the line counts as on the line. A segment that is wholly in front of the
 * line becomes the end that is nearer to the line. Returns false if that end is farther in front
 * than `most`. */
SAT_INLINE bool clip(sat_Vec2 *p, sat_Vec2 *q, sat_Vec2 normal, double limit, double error_bound,
                     double most) {
  double at_p = dot(normal, *p) - limit, at_q = dot(normal, *q) - limit;
  if (at_p > error_bound && at_q > error_bound) {
    *(at_p < at_q ? q : p) = at_p < at_q ? *p : *q;
    return min2(at_p, at_q) <= most;
  }
  if (at_p > error_bound) *p = -at_q <= error_bound ? *q : lerp(*p, *q, at_p / (at_p - at_q));
  else if (at_q > error_bound) *q = -at_p <= error_bound ? *p : lerp(*q, *p, at_q / (at_q - at_p));
  return true;
}

/* Moves a point along a unit normal onto the line where dot(normal, x) == level. A point within
 * `error_bound` of the line stays where it is. */
SAT_INLINE sat_Vec2 put_on_line(sat_Vec2 p, sat_Vec2 normal, double level, double error_bound) {
  double separation = level - dot(normal, p);
  return fabs(separation) <= error_bound ? p : add(p, mul(normal, separation));
}

/* The line of a run of edges that are parallel but for rounding. */
typedef struct EdgeRun {
  sat_Vec2 normal;
  double level;       /* dot(normal, x) for the points of the line */
  double error_bound; /* how far from the line the vertices of the run may lie */
} EdgeRun;

/* The last vertex of a run, from a vertex of the run in one direction. Edges that meet in a nearly
 * straight corner are one face: the shapes touch along all of them, whichever edge is the deepest.
 */
SAT_INLINE sat_Vec2 end_of_run(const sat_Convex *convex, const EdgeRun *run, uint32_t vertex,
                               bool forward, sat_Vec2 direction) {
  sat_Vec2 end = convex->vertex[vertex];
  for (;;) {
    vertex = forward ? next_index(convex, vertex) : previous_index(convex, vertex);
    sat_Vec2 next = convex->vertex[vertex];
    if (fabs(dot(run->normal, next) - run->level) > run->error_bound) return end;
    if (dot(direction, sub(next, end)) <= 0) return end;
    end = next;
  }
}

/* How far a vertex may lie off the line of a face and still count as on the line: vertices whose
 * depths tie are on one line. */
static double face_rounding(const sat_Pair *pair, double depth) {
  sat_Vec2 a = pair->of[SAT_A].origin, b = pair->of[SAT_B].origin;
  double coordinates = max2(max2(fabs(a.x), fabs(a.y)), max2(fabs(b.x), fabs(b.y)));
  return 2 *
         (pair->error_bound + SAT_ULPS_8 * (coordinates + pair->radius) + SAT_TIE_RELATIVE * depth);
}

/* Clips the incident face against the sides of the reference face, and drops its points in front of
 * the reference face, which are no contacts. Returns false if nothing is left, or if the deepest
 * vertex has been clipped and no other point is as deep: it lies beside the reference face. */
SAT_INLINE bool clip_incident_face(const sat_Pair *pair, const sat_Result *result, double limit,
                                   sat_Vec2 *first, sat_Vec2 *last) {
  const sat_Convex *own = &pair->of[result->side], *other = &pair->of[!result->side];
  sat_Vec2 normal = normal_of(own->edges, result->edge), along = perp(normal);
  EdgeRun run = {normal, offset_of(own->edges, result->edge), face_rounding(pair, result->depth)};
  sat_Vec2 start = end_of_run(own, &run, result->edge, false, neg(along));
  sat_Vec2 stop = end_of_run(own, &run, next_index(own, result->edge), true, along);
  uint32_t vertex = sat_facet_of(pair, result->side, result->edge).vertex;
  uint32_t edge = previous_index(other, vertex); /* of two edges there the one that faces it most */
  if (dot(normal_of(other->edges, edge), normal) >= dot(normal_of(other->edges, vertex), normal))
    edge = vertex;
  sat_Vec2 p = other->vertex[edge], q = other->vertex[next_index(other, edge)];
  double deepest = dot(normal, add(pair->origin_offset[result->side], other->vertex[vertex]));
  if (fabs(dot(normal, sub(q, p))) <= run.error_bound) {
    run.level = dot(normal, other->vertex[vertex]);
    p = end_of_run(other, &run, edge, false, along);
    q = end_of_run(other, &run, next_index(other, edge), true, neg(along));
  }
  p = add(pair->origin_offset[result->side], p);
  q = add(pair->origin_offset[result->side], q);
  if (!clip(&p, &q, along, dot(along, stop), 0, run.error_bound)) return false;
  if (!clip(&p, &q, neg(along), -dot(along, start), 0, run.error_bound)) return false;
  clip(&p, &q, normal, limit, pair->error_bound, HUGE_VAL);
  *first = p;
  *last = q;
  return min2(dot(normal, p), dot(normal, q)) <= deepest + run.error_bound;
}

/* Sets the contacts by a reference face: points of the line along which the two shapes touch once A
 * has moved by the `rest` of the depth. Returns false if they touch beside the reference face. */
static bool clip_contacts(const sat_Pair *pair, const sat_Result *result, double incident_radius,
                          double rest, sat_Manifold *out) {
  const sat_Convex *own = &pair->of[result->side], *other = &pair->of[!result->side];
  sat_Vec2 normal = normal_of(own->edges, result->edge);
  double limit = offset_of(own->edges, result->edge) + pair->radius;
  sat_Vec2 p = add(pair->origin_offset[result->side], other->vertex[0]), q = p;
  if (other->count > 1 && !clip_incident_face(pair, result, limit, &p, &q)) return false;
  double level = result->side == SAT_A ? limit - rest : limit;
  p = put_on_line(p, normal, level, pair->error_bound);
  q = put_on_line(q, normal, level, pair->error_bound);
  sat_Vec2 to_surface = sub(own->origin, mul(normal, incident_radius));
  out->points[0] = add(p, to_surface);
  out->points[1] = add(q, to_surface);
  bool near = fabs(p.x - q.x) + fabs(p.y - q.y) <= pair->error_bound;
  /* Far from 0, 0 two contacts may round to one. */
  bool equal = out->points[0].x == out->points[1].x && out->points[0].y == out->points[1].y;
  out->count = near || equal ? 1 : 2;
  return true;
}

/* The closest points of the cores once A has moved by the `rest` of the depth. */
static void contact_of_closest(const sat_Pair *pair, const sat_Result *mtv, double radius_of_b,
                               double rest, sat_Manifold *manifold) {
  sat_Pair moved = *pair;
  sat_ConvexTest test;
  moved.origin_offset[SAT_A] = sub(moved.origin_offset[SAT_A], mul(mtv->normal, rest));
  moved.origin_offset[SAT_B] = neg(moved.origin_offset[SAT_A]);
  sat_convex_test(&moved, 0, true, NULL, &test);
  if (test.inside) test.closest = sat_closest_feature_from(&moved, &test.max_facet);
  sat_Vec2 on_b = sat_closest_witness(&moved, &test.closest, SAT_B);
  manifold->count = 1;
  manifold->points[0] = add(on_b, mul(mtv->normal, radius_of_b));
}

/* The contact of a vertex of A. */
SAT_INLINE void contact_of_corner(const sat_Convex *a, const sat_Result *mtv, double beyond,
                                  sat_Manifold *manifold) {
  manifold->normal = mtv->normal;
  manifold->depth = mtv->depth;
  manifold->count = 1;
  manifold->points[0] = add(add(a->origin, a->vertex[mtv->edge]), mul(mtv->normal, beyond));
}

void sat_convex_contacts(const sat_Pair *pair, const double radius[2], const sat_Result *mtv,
                         double rest, sat_Manifold *manifold) {
  manifold->normal = mtv->normal;
  manifold->depth = mtv->depth;
  if (mtv->corner) {
    contact_of_corner(&pair->of[SAT_A], mtv, rest - radius[SAT_A], manifold);
  } else if (!clip_contacts(pair, mtv, radius[!mtv->side], rest, manifold)) {
    contact_of_closest(pair, mtv, radius[SAT_B], rest, manifold);
  }
}

void sat_contacts_from_mtv(const sat_Shape *a, const sat_Shape *b, const sat_Result *mtv,
                           sat_Manifold *manifold) {
  if (mtv->corner) {
    sat_Convex of_a = sat_convex_of(a);
    contact_of_corner(&of_a, mtv, mtv->depth - a->radius, manifold);
    return;
  }
  sat_Pair pair = sat_convex_pair(a, b);
  double radius[2] = {a->radius, b->radius};
  sat_convex_contacts(&pair, radius, mtv, mtv->depth, manifold);
}

sat_Status sat_contacts_general(const sat_Shape *a, const sat_Shape *b, sat_Manifold *manifold) {
  sat_Result mtv;
  if (sat_convex_collide(a, b, &mtv) != SAT_OK) return SAT_MISS;
  sat_contacts_from_mtv(a, b, &mtv, manifold);
  return SAT_OK;
}

/* ---------------------------------------------------------------- distance */

/* The mean of three points. The weights of all three add up to 1. */
static sat_Vec2 mean_by_weight(sat_Vec2 start, sat_Vec2 p, sat_Vec2 q, double of_p, double of_q) {
  return add(start, add(mul(sub(p, start), of_p), mul(sub(q, start), of_q)));
}

/* Refines weights of D's corners that are mostly rounding: their mean moves towards each corner in
 * turn, as far as that brings it nearer to the origin. Gilbert, An iterative procedure for
 * computing the minimum of a quadratic form on a convex set, 1966. */
SAT_NOT_INLINE void refine_weights(sat_Vec2 center, sat_Vec2 p, sat_Vec2 q, double *of_p,
                                   double *of_q) {
  sat_Vec2 corners[3] = {center, p, q};
  for (int i = 0; i < 3; i++) {
    sat_Vec2 mean = mean_by_weight(center, p, q, *of_p, *of_q), way = sub(corners[i], mean);
    double nearer = -dot(mean, way);
    if (!(nearer > 0)) continue;
    double t = min2(nearer / dot(way, way), 1);
    *of_p = *of_p * (1 - t) + (i == 1 ? t : 0);
    *of_q = *of_q * (1 - t) + (i == 2 ? t : 0);
  }
}

/* A point of both cores; the origin is inside D. D is a fan of triangles around its first corner,
 * and one of these holds the origin: the weights of its corners are the areas of the triangles that
 * its sides make with the origin. */
static sat_Vec2 common_point(const sat_Pair *pair, uint32_t side, double narrow_area) {
  const sat_Vec2 *vertex = pair->of[side].vertex;
  sat_Walk walk = sat_walk_begin(pair);
  sat_Facet facet = {0};
  uint32_t from[2], to[2], first[2];
  sat_walk_next(&walk, &facet);
  sat_facet_ends(pair, &facet, first, to);
  sat_Vec2 center = corner_of(pair, first[0], first[1]), start = vertex[first[side]], point = start;
  double best = -HUGE_VAL;
  while (sat_walk_next(&walk, &facet)) {
    sat_facet_ends(pair, &facet, from, to);
    sat_Vec2 p = corner_of(pair, from[0], from[1]), q = corner_of(pair, to[0], to[1]);
    double of_center = cross(p, q), of_p = cross(q, center), of_q = cross(center, p),
           all = of_center + of_p + of_q;
    double worst = min2(of_center, min2(of_p, of_q));
    if (!(all > 0) || worst <= best) continue;
    best = worst;
    double weight_of_p = of_p / all, weight_of_q = of_q / all;
    if (all < narrow_area) refine_weights(center, p, q, &weight_of_p, &weight_of_q);
    point = mean_by_weight(start, vertex[from[side]], vertex[to[side]], weight_of_p, weight_of_q);
  }
  return add(pair->of[side].origin, point);
}

static sat_Distance overlap_distance(const sat_Pair *pair, const double l1_bound[2]) {
  double size = l1_bound[0] + l1_bound[1];
  uint32_t smaller = l1_bound[0] < l1_bound[1] ? SAT_A : SAT_B; /* its rounding is less */
  sat_Vec2 common = common_point(pair, smaller, SAT_NARROW * size * size);
  return (sat_Distance){0, common, common};
}

static sat_Distance no_distance(const sat_Pair *pair, const double radius[2],
                                const double l1_bound[2], sat_ConvexTest *test) {
  if (test->inside && test->max_facet.separation < -pair->error_bound)
    return overlap_distance(pair, l1_bound);
  if (test->inside) test->closest = sat_closest_feature_from(pair, &test->max_facet);
  sat_Vec2 on_a = sat_closest_witness(pair, &test->closest, SAT_A);
  sat_Vec2 on_b = sat_closest_witness(pair, &test->closest, SAT_B);
  sat_Vec2 point = pair->radius > 0 ? lerp(on_a, on_b, radius[0] / pair->radius) : on_a;
  return (sat_Distance){0, point, point};
}

sat_Distance sat_convex_distance(const sat_Pair *pair, const double radius[2],
                                 const double l1_bound[2]) {
  sat_ConvexTest test;
  if (sat_convex_test(pair, 0, true, NULL, &test))
    return no_distance(pair, radius, l1_bound, &test);
  const sat_ClosestFeature *closest = &test.closest;
  sat_Vec2 on_a = sat_closest_witness(pair, closest, SAT_A),
           on_b = sat_closest_witness(pair, closest, SAT_B);
  sat_Distance result;
  result.distance =
      max2(closest->distance - pair->radius, DBL_MIN); /* apart is apart, however near */
  result.on_a = sub(on_a, mul(closest->normal, radius[0]));
  result.on_b = add(on_b, mul(closest->normal, radius[1]));
  return result;
}

sat_Status sat_distance_general(const sat_Shape *a, const sat_Shape *b, bool overlap,
                                sat_Distance *result) {
  double radius[2] = {a->radius, b->radius}, l1_bound[2] = {a->l1_bound, b->l1_bound};
  sat_Pair pair = sat_convex_pair(a, b);
  *result =
      overlap ? overlap_distance(&pair, l1_bound) : sat_convex_distance(&pair, radius, l1_bound);
  return SAT_OK;
}

/* ---------------------------------------------------------------- containment */

/* In polygons of more vertices a search for the one edge that decides takes less time than the
 * maximum separation, which a point near the boundary makes O(n). */
#define MANY_VERTICES 8

/* The exact side of the line through two vertices of A on which B's only vertex lies; 1 is the left
 * side. */
static int exact_side(const sat_Pair *pair, uint32_t from, uint32_t to) {
  const sat_Convex *a = &pair->of[SAT_A], *b = &pair->of[SAT_B];
  sat_Vec2 start = a->vertex[from], along = sub(a->vertex[to], start);
  sat_Vec2 point = add(pair->origin_offset[SAT_A], b->vertex[0]);
  double side = cross(along, sub(point, start));
  double error = pair->error_bound * (fabs(along.x) + fabs(along.y)) + SAT_UNDERFLOW_ERROR;
  if (fabs(side) > error) return side > 0 ? 1 : -1;
  sat_Vec2 ends[2] = {a->vertex[to], start};
  sat_Vec2 to_point[4] = {b->origin, a->origin, b->vertex[0], start};
  return sat_exact_cross_sign(ends, to_point);
}

/* A is a fan of triangles around its first vertex, and the rays through the other vertices divide
 * the plane. A binary search finds the triangle between whose rays B's only vertex lies. The result
 * is the edge of that triangle opposite to the first vertex. */
static uint32_t edge_of_fan(const sat_Pair *pair) {
  uint32_t low = 1, high = pair->of[SAT_A].count - 1;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (exact_side(pair, 0, middle) >= 0) low = middle;
    else high = middle;
  }
  return low;
}

/* Whether a facet, rather than another one, has the maximum separation. Of equal ones the facet of
 * the first edge counts. */
static bool is_preferred(const sat_Facet *facet, const sat_Facet *other) {
  return facet->separation > other->separation ||
         (facet->separation == other->separation && facet->edge < other->edge);
}

/* The facet of maximum separation, by a climb from a facet that B's only vertex is in front of:
 * along the facets that face a point the separation has one maximum. */
static sat_Facet max_facet_from(const sat_Pair *pair, uint32_t edge) {
  const sat_Convex *a = &pair->of[SAT_A];
  sat_Facet facet = sat_facet_at(pair, SAT_A, edge, 0), next = facet;
  do {
    facet = next;
    next = sat_facet_at(pair, SAT_A, next_index(a, facet.edge), 0);
  } while (is_preferred(&next, &facet));
  next = facet;
  do {
    facet = next;
    next = sat_facet_at(pair, SAT_A, previous_index(a, facet.edge), 0);
  } while (is_preferred(&next, &facet));
  return facet;
}

/* Whether B's only vertex is surely in A, closed and grown by the pair's radius. A triangle of A's
 * vertices that holds the vertex is a proof, and so is a point of A within the radius. False may
 * mean that rounding has left A's corners reflex near the vertex, or that it is outside, and then
 * mostly in front of the facet: of a point outside, an edge of its triangle is a proof. */
static bool surely_contains(const sat_Pair *pair, sat_Facet *facet) {
  const sat_Convex *a = &pair->of[SAT_A];
  uint32_t edge = edge_of_fan(pair), last = a->count - 1;
  bool before = exact_side(pair, 0, edge) < 0, after = exact_side(pair, edge + 1, 0) < 0;
  *facet = sat_facet_at(pair, SAT_A, before ? 0 : after ? last : edge, 0);
  if (!before && !after && exact_side(pair, edge, edge + 1) >= 0)
    return sat_orientation(a->vertex[0], a->vertex[edge], a->vertex[edge + 1]) > 0;
  if (pair->radius == 0) return false;
  *facet = max_facet_from(pair, facet->edge);
  return facet->separation > 0 && sat_closest_feature_from(pair, facet).distance <= pair->radius;
}

bool sat_convex_contains(const sat_Convex *a, double l1_bound, sat_Vec2 origin,
                         const sat_Vec2 *vertex, double margin) {
  sat_Convex point = {vertex, NULL, origin, 1};
  double l1_bounds = l1_bound + fabs(vertex->x) + fabs(vertex->y);
  sat_Pair pair = sat_pair_make(*a, point, l1_bounds, max2(margin, 0));
  sat_ConvexTest test;
  sat_Facet facet;
  bool is_large = a->count > MANY_VERTICES;
  if (is_large && surely_contains(&pair, &facet) && margin >= 0) return true;
  if (!sat_convex_test(&pair, 0, false, is_large ? &facet : NULL, &test)) return false;
  return margin >= 0 || (a->count > 2 && test.max_facet.separation <= margin);
}
