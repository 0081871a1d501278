/* plain_pairs.c: two circles and two upright boxes. Each number is computed as in the general path,
 * which decides wherever another feature than the obvious one might count there. */
#include "narrowphase/plain_pairs.h"

#include "base/double2.h"
#include "base/simd.h"
#include "narrowphase/mtv_tie_break.h"

/* ---------------------------------------------------------------- two circles */

/* From A's centre to B's. */
SAT_INLINE sat_Vec2 between_centers(const sat_Shape *a, const sat_Shape *b) {
  const sat_Vec2 *of_a = (const sat_Vec2 *)(a + 1), *of_b = (const sat_Vec2 *)(b + 1);
  return add(sub(b->origin, a->origin), sub(*of_b, *of_a));
}

SAT_INLINE double distance_of(sat_Vec2 between) { return square_root(dot(between, between)); }

/* Circles that meet, unless their centres coincide but for rounding. */
SAT_INLINE sat_Status collide_at(const sat_Shape *a, const sat_Shape *b, sat_Vec2 between,
                                 double distance, sat_Result *result) {
  if (distance <= tie_bound(a, b)) return sat_convex_collide(a, b, result);
  result->depth = a->radius + b->radius - distance;
  result->normal = vec2(-between.x / distance, -between.y / distance);
  result->vector = result->depth > 0 ? mul(result->normal, result->depth) : vec2(0, 0);
  result->side = SAT_A;
  result->edge = 0;
  result->corner = true;
  result->tied = false;
  return SAT_OK;
}

sat_Status sat_circles_collide(const sat_Shape *a, const sat_Shape *b, sat_Result *result) {
  sat_Vec2 between = between_centers(a, b);
  double distance = distance_of(between);
  return distance > a->radius + b->radius ? SAT_MISS : collide_at(a, b, between, distance, result);
}

sat_Status sat_circles_overlap(const sat_Shape *a, const sat_Shape *b) {
  return (sat_Status)(distance_of(between_centers(a, b)) > a->radius + b->radius);
}

sat_Verdict sat_circles_touch(const sat_Shape *a, const sat_Shape *b, sat_Result *result) {
  sat_Vec2 between = between_centers(a, b);
  double distance = distance_of(between), separation = distance - (a->radius + b->radius);
  if (separation > CLEARLY * tie_bound(a, b)) return SAT_SEPARATE;
  if (separation > 0) return SAT_UNDECIDED;
  collide_at(a, b, between, distance, result);
  return SAT_OVERLAP;
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
  if (!result && !unsure) return SAT_OVERLAP;
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
  sat_Verdict verdict = boxes_verdict(a, b, false, NULL);
  return verdict == SAT_UNDECIDED ? sat_convex_overlaps(a, b) : status_of_verdict(verdict);
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

/* What clip_contacts of convex_pair.c does, on both axes at once, of which one is along the
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
  if (verdict == SAT_OVERLAP) {
    manifold->normal = mtv.normal;
    manifold->depth = mtv.depth;
    manifold->count = box_contacts(a, b, &mtv, manifold->points);
    if (manifold->count > 0) return SAT_OK;
  } else if (sat_convex_collide(a, b, &mtv) != SAT_OK) {
    return SAT_MISS;
  }
  sat_contacts_from_mtv(a, b, &mtv, manifold);
  return SAT_OK;
}
