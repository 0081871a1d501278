/* plain_pairs.c: two circles and two upright boxes. Each number is computed as in the general path,
 * which decides wherever another feature than the obvious one might count there. */
#include "narrowphase/convex/simd/fast_path.h"

#include "base/double_double.h"
#include "narrowphase/convex/simd/upright_boxes.h"

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
  double2 left = double4_low(separations->of_a), right = double4_high(separations->of_a);
  double2 at_a =
              double2_where_more(left, right, double2_load(&a->box.min), double2_load(&a->box.max)),
          at_b =
              double2_where_more(left, right, double2_load(&b->box.max), double2_load(&b->box.min));
  result->distance =
      distance_of(double2_add(double4_low(separations->offsets), double2_sub(at_b, at_a)));
  double2_store(&result->on_a, double2_add(double2_load(&a->origin), at_a));
  double2_store(&result->on_b, double2_add(double2_load(&b->origin), at_b));
  return SAT_SEPARATE;
}

SAT_INLINE bool is_exact_difference(double difference, double a, double b) {
  return a - difference == b && difference + b == a;
}

/* Whether the separation by a side is exact: exact_sides of that one. */
SAT_INLINE bool is_exact_side(const sat_Shape *a, const sat_Shape *b, uint32_t side) {
  bool y = side & 1;
  const double *sides_of_a = (const void *)&a->box, *sides_of_b = (const void *)&b->box;
  double from = y ? a->origin.y : a->origin.x, to = y ? b->origin.y : b->origin.x,
         offset = to - from, of_a = sides_of_a[side], of_b = sides_of_b[side ^ 2],
         moved = of_a - offset;
  return is_exact_difference(offset, to, from) && is_exact_difference(moved, of_a, offset) &&
         is_exact_difference(moved - of_b, moved, of_b);
}

/* The distance of a touch is 0, and SAT_SEPARATE the verdict. */
SAT_INLINE sat_Verdict distance_of_touch(const sat_Shape *a, const sat_Shape *b,
                                         const BoxSeparations *separations, uint32_t side,
                                         sat_Distance *result) {
  if (!is_exact_side(a, b, side) || double4_at_least(separations->of_b, 0) != 1u << side)
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
  double tie = separations.tie;
  double2 across = double2_max(double4_low(separations.of_a), double4_high(separations.of_a));
  uint32_t separate = double2_at_least(across, tie), beside = double2_at_least(across, -tie);
  if (separate == 3) return distance_of_corners(a, b, &separations, result);
  if (beside == 0) return SAT_OVERLAP;
  if (beside == 3) return SAT_UNDECIDED;
  double most = double2_greatest(across);
  uint32_t side = lowest_bit(double4_at_least(separations.of_a, most));
  if (!separate)
    return most == 0 ? distance_of_touch(a, b, &separations, side, result) : SAT_UNDECIDED;
  double of_b[4];
  double4_store(of_b, separations.of_b);
  return distance_of_edges(a, b, side, most, of_b[side], result);
}
