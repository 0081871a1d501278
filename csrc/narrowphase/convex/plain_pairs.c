/* plain_pairs.c: two circles, and a point in an upright box. Each number is computed as in the
 * general path, which decides wherever another feature than the obvious one might count there. */
#include "narrowphase/convex/simd/fast_path.h"

#include "base/double_double.h"

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
  set_mtv(normal_of_circles(between, distance), depth, SAT_A, 0, true, result);
  return SAT_OK;
}

sat_Status sat_circles_collide(const sat_Shape *a, const sat_Shape *b, sat_Result *result) {
  double2 between = between_centers(a, b);
  double distance = distance_of(between);
  return distance > a->radius + b->radius ? SAT_MISS : collide_at(a, b, between, distance, result);
}

/* Squares decide, unless the distance is the sum of the radii but for rounding. */
sat_Status sat_circles_overlap(const sat_Shape *a, const sat_Shape *b) {
  double2 between = between_centers(a, b);
  double radius = a->radius + b->radius, limit = radius * radius,
         square = double2_sum(double2_mul(between, between));
  if (fabs(square - limit) <= SAT_TIE_RELATIVE * limit)
    return (sat_Status)(distance_of(between) > radius);
  return (sat_Status)(square > limit);
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
  if (distance <= tie_bound(a, b)) return sat_contacts_general(a, b, manifold);
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

sat_Status sat_circles_distance(const sat_Shape *a, const sat_Shape *b, sat_Distance *result) {
  const sat_Vec2 *of_a = (const sat_Vec2 *)(a + 1), *of_b = (const sat_Vec2 *)(b + 1);
  double2 between = between_centers(a, b);
  double distance = distance_of(between), radius = a->radius + b->radius;
  sat_Vec2 on_a = add(a->origin, *of_a), on_b = add(b->origin, *of_b), normal;
  if (distance <= radius) {
    sat_Vec2 point = lerp(on_a, on_b, a->radius / radius);
    *result = (sat_Distance){0, point, point};
    return SAT_OK;
  }
  double2_store(&normal, normal_of_circles(between, distance));
  result->distance = distance - radius;
  result->on_a = sub(on_a, mul(normal, a->radius));
  result->on_b = add(on_b, mul(normal, b->radius));
  return SAT_OK;
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
