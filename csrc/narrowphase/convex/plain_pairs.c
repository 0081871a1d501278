/* plain_pairs.c: two circles and two upright boxes. Each number is computed as in the general path,
 * which decides wherever another feature than the obvious one might count there. */
#include "narrowphase/convex/simd/fast_path.h"

#include "base/double2.h"
#include "base/double_double.h"
#include "base/simd/simd.h"
#include "narrowphase/convex/mtv_tie_break.h"

SAT_NOT_INLINE sat_Status contacts_general(const sat_Shape *a, const sat_Shape *b,
                                           sat_Manifold *manifold) {
  sat_Result mtv;
  if (sat_convex_collide(a, b, &mtv) != SAT_OK) return SAT_MISS;
  sat_contacts_from_mtv(a, b, &mtv, manifold);
  return SAT_OK;
}

/* ---------------------------------------------------------------- two circles */

/* From A's centre to B's. */
SAT_INLINE double2 between_centers(const sat_Shape *a, const sat_Shape *b) {
  const sat_Vec2 *of_a = (const sat_Vec2 *)(a + 1), *of_b = (const sat_Vec2 *)(b + 1);
  return double2_add(double2_sub(double2_load(&b->origin), double2_load(&a->origin)),
                     double2_sub(double2_load(of_b), double2_load(of_a)));
}

SAT_INLINE double distance_of(double2 between) {
  sat_Vec2 squares;
  double2_store(&squares, double2_mul(between, between));
  return square_root(squares.x + squares.y);
}

/* From B's centre to A's, of unit length. */
SAT_INLINE double2 normal_of_circles(double2 between, double distance) {
  return double2_div(double2_neg(between), double2_of(distance, distance));
}

/* Circles that meet, unless their centres coincide but for rounding. */
SAT_INLINE sat_Status collide_at(const sat_Shape *a, const sat_Shape *b, double2 between,
                                 double distance, sat_Result *result) {
  if (distance <= tie_bound(a, b)) return sat_convex_collide(a, b, result);
  double depth = a->radius + b->radius - distance;
  double2 normal = normal_of_circles(between, distance), zero = double2_of(0, 0),
          depths = double2_of(depth, depth);
  result->depth = depth;
  double2_store(&result->normal, normal);
  double2_store(&result->vector,
                double2_where_more(depths, zero, double2_mul(normal, depths), zero));
  result->side = SAT_A;
  result->edge = 0;
  result->corner = true;
  result->tied = false;
  return SAT_OK;
}

sat_Status sat_circles_collide(const sat_Shape *a, const sat_Shape *b, sat_Result *result) {
  double2 between = between_centers(a, b);
  double distance = distance_of(between);
  return distance > a->radius + b->radius ? SAT_MISS : collide_at(a, b, between, distance, result);
}

sat_Status sat_circles_overlap(const sat_Shape *a, const sat_Shape *b) {
  return (sat_Status)(distance_of(between_centers(a, b)) > a->radius + b->radius);
}

sat_Verdict sat_circles_touch(const sat_Shape *a, const sat_Shape *b, sat_Result *result) {
  double2 between = between_centers(a, b);
  double distance = distance_of(between), separation = distance - (a->radius + b->radius);
  if (separation > CLEARLY * tie_bound(a, b)) return SAT_SEPARATE;
  if (separation > 0) return SAT_UNDECIDED;
  collide_at(a, b, between, distance, result);
  return SAT_OVERLAP;
}

sat_Status sat_circles_contacts(const sat_Shape *a, const sat_Shape *b, sat_Manifold *manifold) {
  const sat_Vec2 *of_a = (const sat_Vec2 *)(a + 1);
  double2 between = between_centers(a, b);
  double distance = distance_of(between);
  if (distance > a->radius + b->radius) return SAT_MISS;
  if (distance <= tie_bound(a, b)) return contacts_general(a, b, manifold);
  double2 normal = normal_of_circles(between, distance),
          center = double2_add(double2_load(&a->origin), double2_load(of_a));
  manifold->depth = a->radius + b->radius - distance;
  double beyond = manifold->depth - a->radius;
  double2_store(&manifold->normal, normal);
  double2_store(&manifold->points[0],
                double2_add(center, double2_mul(normal, double2_of(beyond, beyond))));
  manifold->count = 1;
  return SAT_OK;
}

sat_Verdict sat_circles_distance(const sat_Shape *a, const sat_Shape *b, sat_Distance *result) {
  const sat_Vec2 *of_a = (const sat_Vec2 *)(a + 1), *of_b = (const sat_Vec2 *)(b + 1);
  double2 between = between_centers(a, b);
  double distance = distance_of(between), radius = a->radius + b->radius;
  sat_Vec2 on_a = add(a->origin, *of_a), on_b = add(b->origin, *of_b), normal;
  if (distance <= radius) {
    sat_Vec2 point = lerp(on_a, on_b, a->radius / radius);
    *result = (sat_Distance){0, point, point};
    return SAT_SEPARATE;
  }
  double2_store(&normal, normal_of_circles(between, distance));
  result->distance = distance - radius;
  result->on_a = sub(on_a, mul(normal, a->radius));
  result->on_b = add(on_b, mul(normal, b->radius));
  return SAT_SEPARATE;
}

/* ---------------------------------------------------------------- two upright boxes */

/* The separations of A's left, upper, right and lower side (to smaller and larger x and y), as A's
 * edge and as B's edge back to back with it give them: the same number but for rounding. */
typedef struct BoxSeparations {
  double2 of_a[2], of_b[2], most_of[2], offset;
  double most;
} BoxSeparations;

SAT_INLINE BoxSeparations box_separations(const sat_Shape *a, const sat_Shape *b) {
  double2 offset = double2_sub(double2_load(&b->origin), double2_load(&a->origin)),
          min_a = double2_load(&a->box.min), max_a = double2_load(&a->box.max),
          min_b = double2_load(&b->box.min), max_b = double2_load(&b->box.max);
  double2 left_of_a = double2_sub(double2_sub(min_a, offset), max_b),
          left_of_b = double2_sub(min_a, double2_add(offset, max_b)),
          right_of_a = double2_add(double2_sub(offset, max_a), min_b),
          right_of_b = double2_sub(double2_add(offset, min_b), max_a);
  double2 left = double2_max(left_of_a, left_of_b), right = double2_max(right_of_a, right_of_b);
  return (BoxSeparations){{left_of_a, right_of_a},
                          {left_of_b, right_of_b},
                          {left, right},
                          offset,
                          double2_greatest(double2_max(left, right))};
}

/* One bit for each side whose separation is at least `limit`. */
SAT_INLINE uint32_t sides_at_least(const double2 separations[2], double limit) {
  return double2_at_least(separations[0], limit) | double2_at_least(separations[1], limit) << 2;
}

/* The index of the edge of an upright box that is this side. */
SAT_INLINE uint32_t edge_of_side(const sat_Shape *box, uint32_t side) {
  return (side - box->flags / SAT_FIRST_SIDE) & 3;
}

SAT_INLINE void result_from_box(const sat_Shape *a, const sat_Shape *b, uint32_t side_of_a,
                                bool by_b, double depth, sat_Result *result) {
  const sat_Shape *own = by_b ? b : a;
  uint32_t edge = edge_of_side(own, by_b ? side_of_a + 2 : side_of_a);
  result->normal = mul(normal_of(edges_of(own), edge), (double)by_b * 2 - 1);
  result->depth = depth;
  result->vector = mul(result->normal, depth);
  result->side = by_b ? SAT_B : SAT_A;
  result->edge = edge;
  result->corner = result->tied = false;
}

/* Whether the separations by A's left and upper side, or right and lower side, are exact, as those
 * of boxes of whole and dyadic numbers are. */
SAT_INLINE bool are_exact(const sat_Shape *a, const sat_Shape *b, double2 offset, bool right) {
  double2 of_a = double2_load(right ? &a->box.max : &a->box.min),
          of_b = double2_neg(double2_load(right ? &b->box.min : &b->box.max)),
          back = double2_neg(offset), moved = double2_add(of_a, back);
  return double2_is_sum(moved, of_a, back) && double2_is_sum(double2_add(moved, of_b), moved, of_b);
}

/* Chooses by the rule among sides of equal separation: see choose_mtv of convex_pair.c. */
SAT_NOT_INLINE uint32_t side_by_rule(const sat_Shape *a, const sat_Shape *b, sat_Vec2 from_b,
                                     uint32_t sides) {
  static const sat_Vec2 normals[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  sat_TieFilter filter = sat_tie_filter(sat_tie_direction(from_b, sat_touch_rounding(a, b)));
  for (; filter.step < SAT_TIE_STEPS; filter.step++)
    for (uint32_t i = 0; i < 4; i++)
      if (sides >> i & 1) sat_tie_measure(&filter, normals[i]);
  uint32_t chosen = 0;
  while (!(sides >> chosen & 1) || !sat_tie_passes(&filter, normals[chosen])) chosen++;
  return chosen;
}

/* The same, where a side to the left or right and an upper or lower one are as near: the rule takes
 * that which leads along the line of the centres, and on a diagonal the upright one. */
SAT_INLINE uint32_t choose_side(const sat_Shape *a, const sat_Shape *b, uint32_t sides,
                                double tie) {
  sat_Vec2 from_b =
      sub(sub(a->centroid_from_origin, b->centroid_from_origin), sub(b->origin, a->origin));
  uint32_t across = sides & 5, upright = sides & 10;
  double size = fabs(from_b.x) + fabs(from_b.y),
         ahead = (across & 1 ? from_b.x : -from_b.x) - (upright & 2 ? from_b.y : -from_b.y);
  bool obvious = ahead == 0 || fabs(ahead) > 2 * SAT_SAME_DIRECTION * size;
  if (across == 5 || upright == 10 || !across || !upright || !obvious || size <= 2 * CLEARLY * tie)
    return side_by_rule(a, b, from_b, sides);
  return lowest_bit(ahead > 0 ? across : upright);
}

/* A touch, or several sides of the same separation. Of two parallel edges, one of each box, B's
 * counts where there are several, since a walk around D from A's first edge on comes to it first,
 * unless that is A's first edge, and B's nearest vertex, the first of two, ends B's edge. */
SAT_INLINE sat_Verdict exact_verdict(const sat_Shape *a, const sat_Shape *b,
                                     const BoxSeparations *separations, double tie,
                                     sat_Result *result) {
  double most = separations->most;
  uint32_t near = sides_at_least(separations->most_of, most - 2 * tie),
           sides = sides_at_least(separations->of_a, most);
  if (!double2_is_sum(separations->offset, double2_load(&b->origin),
                      double2_neg(double2_load(&a->origin))))
    return SAT_UNDECIDED;
  if (near & 3 && !are_exact(a, b, separations->offset, false)) return SAT_UNDECIDED;
  if (near & 12 && !are_exact(a, b, separations->offset, true)) return SAT_UNDECIDED;
  if (sides_at_least(separations->of_b, most) != sides) return SAT_UNDECIDED;
  if (most > 0) return SAT_SEPARATE;
  if (!result) return SAT_OVERLAP;
  if (near != sides) return SAT_UNDECIDED;
  bool tied = sides & (sides - 1), by_b = false;
  uint32_t side = lowest_bit(sides);
  if (tied) {
    side = choose_side(a, b, sides, tie);
    by_b = edge_of_side(a, side) != 0 || edge_of_side(b, side + 2) != 3;
  }
  result_from_box(a, b, side, by_b, max2(-most, 0), result);
  if (most == 0) result->vector = vec2(0, 0); /* without signs */
  result->tied = tied;
  return SAT_OVERLAP;
}

SAT_INLINE sat_Verdict boxes_verdict(const sat_Shape *a, const sat_Shape *b, bool clearly,
                                     sat_Result *result) {
  BoxSeparations separations = box_separations(a, b);
  double most = separations.most;
  double tie = tie_bound(a, b); /* more than the rounding error of a separation */
  if (most > (clearly ? CLEARLY * tie : tie)) return SAT_SEPARATE;
  if (clearly && most > 0) return SAT_UNDECIDED;
  bool unsure = most >= -tie;
  uint32_t sides = sides_at_least(separations.most_of, most - tie);
  if (unsure || (sides & (sides - 1))) return exact_verdict(a, b, &separations, tie, result);
  bool by_a = sides_at_least(separations.of_a, most) & sides;
  result_from_box(a, b, lowest_bit(sides), !by_a, -most, result);
  return SAT_OVERLAP;
}

sat_Status sat_boxes_collide(const sat_Shape *a, const sat_Shape *b, sat_Result *result) {
  sat_Verdict verdict = boxes_verdict(a, b, false, result);
  return verdict == SAT_UNDECIDED ? sat_convex_collide(a, b, result) : status_of_verdict(verdict);
}

sat_Status sat_boxes_overlap(const sat_Shape *a, const sat_Shape *b) {
  BoxSeparations separations = box_separations(a, b);
  double tie = tie_bound(a, b);
  if (fabs(separations.most) > tie) return (sat_Status)(separations.most > 0);
  sat_Verdict verdict = exact_verdict(a, b, &separations, tie, NULL);
  return verdict == SAT_UNDECIDED ? sat_convex_overlaps(a, b) : status_of_verdict(verdict);
}

/* Whether a coordinate lies between two sides of a box. The distance from the box's origin decides,
 * and where that is a side's the rounding error of the distance. */
SAT_INLINE bool is_within_sides(double at, double origin, double low, double high) {
  sat_DoubleDouble offset = two_sum(at, -origin);
  return (offset.high > low || (offset.high == low && offset.low >= 0)) &&
         (offset.high < high || (offset.high == high && offset.low <= 0));
}

sat_Status sat_box_contains_point(const sat_Shape *box, sat_Vec2 point) {
  sat_Vec2 origin = box->origin, min = box->box.min, max = box->box.max;
  return (sat_Status)(!is_within_sides(point.x, origin.x, min.x, max.x) ||
                      !is_within_sides(point.y, origin.y, min.y, max.y));
}

sat_Verdict sat_boxes_touch(const sat_Shape *a, const sat_Shape *b, sat_Result *result) {
  return boxes_verdict(a, b, true, result);
}

/* A contact, which is `beyond` a side of the reference face, moves to that side on the way to the
 * other contact, which is `behind` that side. */
SAT_INLINE double2 clip_box(double2 from, double2 to, double2 beyond, double2 behind) {
  if (!double2_any_more(beyond, 0)) return from;
  double2 zero = double2_of(0, 0), outside = double2_max(beyond, zero);
  double2 t = double2_div(outside, double2_add(outside, behind));
  double2 clipped = double2_add(from, double2_mul(double2_sub(to, from), t));
  return double2_where_more(behind, zero, clipped, to);
}

/* Moves a coordinate onto a level, unless it is there but for rounding. */
SAT_INLINE double2 put_on_level(double2 at, double2 level, double error_bound) {
  double2 rest = double2_sub(level, at);
  return double2_where_more(double2_max(rest, double2_neg(rest)),
                            double2_of(error_bound, error_bound), double2_add(at, rest), at);
}

/* Does what clip_contacts of convex_pair.c does on both axes at once, of which one is along the
 * reference face and the other one along its normal. Coordinates are multiplied by signs, so that
 * the face and its normal lead towards larger ones. Returns the number of contacts: 0 where one box
 * is beside the other. */
SAT_INLINE uint32_t box_contacts(const sat_Shape *a, const sat_Shape *b, const sat_Result *mtv,
                                 sat_Vec2 points[2]) {
  const sat_Shape *own = mtv->side == SAT_A ? a : b, *other = mtv->side == SAT_A ? b : a;
  sat_Vec2 outward = normal_of(edges_of(own), mtv->edge), offset = sub(other->origin, own->origin);
  double2 sign = double2_of(outward.x - outward.y, outward.x + outward.y),
          shift = double2_mul(sign, double2_of(offset.x, offset.y));
  double2 low = double2_mul(sign, double2_load(&own->box.min)),
          high = double2_mul(sign, double2_load(&own->box.max)),
          first = double2_add(double2_mul(sign, double2_load(&other->box.min)), shift),
          last = double2_add(double2_mul(sign, double2_load(&other->box.max)), shift);
  double2 start = double2_min(low, high), stop = double2_max(low, high),
          q = double2_min(first, last), p = double2_max(first, last), nearest = q;
  if (double2_any_more(double2_sub(q, stop), 0)) return 0;
  p = clip_box(p, q, double2_sub(p, stop), double2_sub(stop, q));
  if (double2_any_more(double2_sub(start, p), 0)) return 0;
  q = clip_box(q, p, double2_sub(start, q), double2_sub(p, start));
  double rest = mtv->side == SAT_A ? mtv->depth : 0,
         error_bound = SAT_SEPARATION_ROUNDING *
                       (fabs(offset.x) + fabs(offset.y) + (a->l1_bound + b->l1_bound));
  double2 level = put_on_level(nearest, double2_sub(stop, double2_of(rest, rest)), error_bound),
          is_across = double2_of(fabs(outward.x), fabs(outward.y)), zero = double2_of(0, 0),
          origin = double2_load(&own->origin);
  p = double2_where_more(is_across, zero, level, p);
  q = double2_where_more(is_across, zero, level, q);
  double2_store(&points[0], double2_add(double2_mul(sign, p), origin));
  double2_store(&points[1], double2_add(double2_mul(sign, q), origin));
  bool near = !double2_any_more(double2_sub(p, q), error_bound);
  return near || equal_points(points[0], points[1]) ? 1 : 2;
}

sat_Status sat_boxes_contacts(const sat_Shape *a, const sat_Shape *b, sat_Manifold *manifold) {
  sat_Result mtv;
  sat_Verdict verdict = boxes_verdict(a, b, false, &mtv);
  if (verdict == SAT_SEPARATE) return SAT_MISS;
  if (verdict == SAT_UNDECIDED) return contacts_general(a, b, manifold);
  manifold->normal = mtv.normal;
  manifold->depth = mtv.depth;
  manifold->count = box_contacts(a, b, &mtv, manifold->points);
  return manifold->count > 0 ? SAT_OK : contacts_general(a, b, manifold);
}

/* ---------------------------------------------------------------- distance of upright boxes */

/* The edges of two boxes that face each other, from their first vertices to their last ones. */
typedef struct FacingEdges {
  const sat_Vec2 *first[2], *last[2];
  sat_Vec2 normal[2], offset;
  bool from_first; /* of B's vertices the general path begins with the first, and else the last */
} FacingEdges;

SAT_INLINE FacingEdges facing_edges(const sat_Shape *a, const sat_Shape *b, uint32_t side_of_a) {
  uint32_t of_a = edge_of_side(a, side_of_a), of_b = edge_of_side(b, side_of_a + 2);
  const sat_Vec2 *vertex_a = (const sat_Vec2 *)(edges_of(a) + 1),
                 *vertex_b = (const sat_Vec2 *)(edges_of(b) + 1);
  return (FacingEdges){{vertex_a + of_a, vertex_b + of_b},
                       {vertex_a + ((of_a + 1) & 3), vertex_b + ((of_b + 1) & 3)},
                       {normal_of(edges_of(a), of_a), normal_of(edges_of(b), of_b)},
                       sub(b->origin, a->origin),
                       of_b < 3};
}

/* The place of the origin along the facet of A's edge and a vertex of B, or of B's edge and a
 * vertex of A: 0 at its start, 1 at its end. */
SAT_INLINE double along_a(const FacingEdges *edges, const sat_Vec2 *of_b) {
  sat_Vec2 edge = sub(*edges->first[0], *edges->last[0]);
  return -dot(add(edges->offset, sub(*of_b, *edges->first[0])), edge) / dot(edge, edge);
}
SAT_INLINE double along_b(const FacingEdges *edges, const sat_Vec2 *of_a) {
  sat_Vec2 edge = sub(*edges->last[1], *edges->first[1]);
  return -dot(add(edges->offset, sub(*edges->first[1], *of_a)), edge) / dot(edge, edge);
}

SAT_INLINE bool is_within(double t) { return t >= 0 && t <= 1; }

/* The closest points of edges that face each other, apart by `of_a` as A's edge gives it and `of_b`
 * as B's does. */
SAT_INLINE sat_Verdict distance_of_edges(const sat_Shape *a, const sat_Shape *b, uint32_t side,
                                         double of_a, double of_b, sat_Distance *result) {
  FacingEdges edges = facing_edges(a, b, side);
  const sat_Vec2 *at_b = edges.from_first ? edges.first[1] : edges.last[1];
  double t = along_a(&edges, at_b);
  if (is_within(t)) {
    sat_Vec2 outward = mul(neg(edges.normal[0]), 0);
    result->distance = of_a;
    result->on_a = sub(add(a->origin, lerp(*edges.first[0], *edges.last[0], t)), outward);
    result->on_b = add(add(b->origin, *at_b), outward);
    return SAT_SEPARATE;
  }
  const sat_Vec2 *at_a = t > 1 ? edges.last[0] : edges.first[0];
  double u = along_b(&edges, at_a);
  if (edges.from_first != (t > 1) || !(u > 0 && u < 1)) return SAT_UNDECIDED;
  sat_Vec2 outward = mul(edges.normal[1], 0);
  result->distance = of_b;
  result->on_a = sub(add(a->origin, *at_a), outward);
  result->on_b = add(add(b->origin, lerp(*edges.first[1], *edges.last[1], u)), outward);
  return SAT_SEPARATE;
}

/* The place along A's edge of the point that touching edges share: that of B's vertex, if it is on
 * A's edge, or else A's vertex, if it is on B's edge, or else that of B's last vertex. */
SAT_INLINE double place_of_touch(const FacingEdges *edges) {
  const sat_Vec2 *of_b = edges->from_first ? edges->first[1] : edges->last[1];
  double t = along_a(edges, of_b);
  if (is_within(t)) return t;
  const sat_Vec2 *end = t > 1 ? edges->last[0] : edges->first[0];
  if (equal_points(add(edges->offset, sub(*of_b, *end)), vec2(0, 0))) return t;
  return is_within(along_b(edges, edges->first[0])) ? -1 : along_a(edges, edges->last[1]);
}

SAT_INLINE sat_Verdict distance_of_corners(const sat_Shape *a, const sat_Shape *b,
                                           const BoxSeparations *separations,
                                           sat_Distance *result) {
  double2 left = separations->of_a[0], right = separations->of_a[1];
  double2 at_a =
              double2_where_more(left, right, double2_load(&a->box.min), double2_load(&a->box.max)),
          at_b =
              double2_where_more(left, right, double2_load(&b->box.max), double2_load(&b->box.min));
  result->distance = distance_of(double2_add(separations->offset, double2_sub(at_b, at_a)));
  double2_store(&result->on_a, double2_add(double2_load(&a->origin), at_a));
  double2_store(&result->on_b, double2_add(double2_load(&b->origin), at_b));
  return SAT_SEPARATE;
}

/* The distance of a touch is 0, and SAT_SEPARATE the verdict. */
SAT_INLINE sat_Verdict distance_of_touch(const sat_Shape *a, const sat_Shape *b,
                                         const BoxSeparations *separations, uint32_t side,
                                         sat_Distance *result) {
  double2 offset = separations->offset, back = double2_neg(double2_load(&a->origin));
  if (!double2_is_sum(offset, double2_load(&b->origin), back) ||
      !are_exact(a, b, offset, side > 1) || sides_at_least(separations->of_b, 0) != 1u << side)
    return SAT_UNDECIDED;
  FacingEdges edges = facing_edges(a, b, side);
  double t = place_of_touch(&edges);
  sat_Vec2 from = *edges.first[0], to = *edges.last[0];
  result->distance = 0;
  result->on_a = result->on_b = add(a->origin, t < 0 ? from : t > 1 ? to : lerp(from, to, t));
  return SAT_SEPARATE;
}

sat_Verdict sat_boxes_distance(const sat_Shape *a, const sat_Shape *b, sat_Distance *result) {
  BoxSeparations separations = box_separations(a, b);
  double tie = tie_bound(a, b);
  double2 across = double2_max(separations.of_a[0], separations.of_a[1]);
  uint32_t separate = double2_at_least(across, tie), beside = double2_at_least(across, -tie);
  if (separate == 3) return distance_of_corners(a, b, &separations, result);
  if (beside == 0) return SAT_OVERLAP;
  if (beside == 3) return SAT_UNDECIDED;
  double most = double2_greatest(across);
  uint32_t side = lowest_bit(sides_at_least(separations.of_a, most));
  if (!separate)
    return most == 0 ? distance_of_touch(a, b, &separations, side, result) : SAT_UNDECIDED;
  double of_b[4];
  double2_store((sat_Vec2 *)of_b, separations.of_b[0]);
  double2_store((sat_Vec2 *)(of_b + 2), separations.of_b[1]);
  return distance_of_edges(a, b, side, most, of_b[side], result);
}
