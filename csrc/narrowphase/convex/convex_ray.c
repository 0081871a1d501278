/* convex_ray.c: rays at circles, capsules, segments and polygons, in closed form.
 *
 * Each answer is made of the numbers of the general cast, in its order. The features that it is
 * made of are found by cheaper numbers, where those differ by far more than their rounding. */
#include "narrowphase/convex/convex_cast.h"

#include "base/simd/simd.h"

/* An edge is nearly at a right angle to a ray where the square of the cosine, times this, is below
 * 1: the ray may then pass both of its ends before it, by rounding. */
#define STEEP 4096

/* A ray in the frame of a convex set: the set's origin, as seen from the start. */
typedef struct ConvexRay {
  sat_Convex set;
  sat_Vec2 from, offset, motion;
  double sure;         /* a length that is surely more than rounding */
  double hair;         /* the same as a cross product with the motion */
  double size;         /* the square of the motion's length */
  double radius, skin; /* a circle that moves is a ray at a set of more radius than its own */
  bool is_cast;        /* a start inside is left undecided */
} ConvexRay;

/* ---------------------------------------------------------------- polygons */

/* The edges that a place on the ray is surely not inside of, as bits. */
SAT_INLINE uint32_t edges_near(const ConvexRay *ray, double t) {
  sat_Vec2 place = sub(mul(ray->motion, t), ray->offset);
  uint32_t near = 0;
  for (uint32_t block = 0; block < edge_block_count(ray->set.count); block++) {
    const sat_Edges *edges = &ray->set.edges[block];
    double4 along = double4_dot(double4_load(edges->x), double4_load(edges->y), place);
    double4 separation = double4_sub(along, double4_load(edges->offset));
    near |= double4_at_least(separation, -ray->sure) << 4 * block;
  }
  return near;
}

/* A ray that starts deeper inside than rounding has no normal. */
SAT_INLINE sat_Verdict starts_inside(const ConvexRay *ray, sat_Hit *hit) {
  if (ray->is_cast) return SAT_UNDECIDED;
  *hit = (sat_Hit){0, {0, 0}, ray->from, {0, 0}};
  return SAT_OVERLAP;
}

/* How far a place is outside of an edge, with the set at `offset` from there. */
SAT_INLINE double ahead_of_edge(const ConvexRay *ray, sat_Vec2 offset, uint32_t edge) {
  const sat_Edges *edges = ray->set.edges;
  return -dot(normal_of(edges, edge), offset) - offset_of(edges, edge);
}

/* The hit of an edge, at its nearest point. */
static sat_Verdict hit_edge(const ConvexRay *ray, uint32_t edge, double t, sat_Vec2 outward,
                            sat_Hit *hit) {
  const sat_Convex *set = &ray->set;
  sat_Vec2 from = set->vertex[edge], to = set->vertex[next_index(set, edge)];
  sat_Vec2 along = sub(to, from), start = add(sub(ray->offset, mul(ray->motion, t)), from);
  double place = -dot(start, along) / dot(along, along);
  hit->t = t;
  hit->normal = sat_unit(outward);
  hit->point = add(add(set->origin, lerp(from, to, place)), mul(hit->normal, ray->skin));
  return SAT_OVERLAP;
}

SAT_INLINE sat_Verdict ray_at_edge(const ConvexRay *ray, uint32_t edge, uint32_t bit,
                                   sat_Hit *hit) {
  const sat_Convex *set = &ray->set;
  sat_Vec2 from = set->vertex[edge], to = set->vertex[next_index(set, edge)];
  sat_Vec2 along = sub(to, from), outward = sat_outward_of(along);
  sat_Vec2 normal = normal_of(set->edges, edge);
  if (dot(normal, ray->motion) > -ray->sure || sat_is_turned(along, normal)) return SAT_UNDECIDED;
  double t = dot(outward, add(ray->offset, from)) / dot(outward, ray->motion);
  double slope = dot(along, ray->motion);
  if (slope * slope * STEEP < ray->size * dot(along, along)) {
    double first = HUGE_VAL; /* the ray gets no nearer to the set than its first corner */
    for (uint32_t i = 0; i < set->count; i++)
      first = min2(first, dot(ray->motion, add(ray->offset, set->vertex[i])));
    t = max2(t, first / ray->size);
  }
  if (t > 1) return SAT_SEPARATE;
  if (edges_near(ray, t) != bit) return SAT_UNDECIDED;
  return hit_edge(ray, edge, t, outward, hit);
}

SAT_NOT_INLINE sat_Verdict ray_at_polygon(const ConvexRay *ray, sat_Hit *hit, uint32_t *edge) {
  /* the vertices that are surely on the left of the ray's line, and on its right, as bits */
  uint32_t left = 0, right = 0, last = ray->set.count - 1, all = UINT32_MAX >> (31 - last);
  double of_origin = cross(ray->motion, ray->offset);
  for (uint32_t i = 0; i <= last; i++) {
    double across = cross(ray->motion, ray->set.vertex[i]);
    left |= (uint32_t)(across >= ray->hair - of_origin) << i;
    right |= (uint32_t)(across < -ray->hair - of_origin) << i;
  }
  if (left == all || right == all) return SAT_SEPARATE;
  uint32_t enters = left & (right >> 1 | right << last),
           leaves = right & (left >> 1 | left << last);
  if (enters == 0 || (enters & (enters - 1)) != 0) return SAT_UNDECIDED;
  *edge = lowest_bit(enters);
  if (ahead_of_edge(ray, ray->offset, *edge) > ray->sure)
    return ray_at_edge(ray, *edge, enters, hit);
  if (edges_near(ray, 0) == 0) return starts_inside(ray, hit);
  return leaves && ahead_of_edge(ray, ray->offset, lowest_bit(leaves)) > ray->sure ? SAT_SEPARATE
                                                                                   : SAT_UNDECIDED;
}

/* ---------------------------------------------------------------- circles and lines */

/* The circle about a vertex, which the ray meets at an angle whose sine is root / threshold. */
SAT_INLINE sat_Verdict ray_at_circle(const ConvexRay *ray, uint32_t vertex, sat_Hit *hit) {
  sat_Vec2 center = add(ray->offset, ray->set.vertex[vertex]);
  double miss = fabs(cross(ray->motion, center)), beyond = miss - ray->hair, radius = ray->radius;
  if (beyond > 0 && beyond * beyond > radius * radius * ray->size) return SAT_SEPARATE;
  double toward = dot(ray->motion, center), distance, way;
  double2_split(double2_sqrt(double2_of(dot(center, center), ray->size)), &distance, &way);
  double clearance = distance - radius, threshold = radius * way;
  if (clearance < -ray->sure) return starts_inside(ray, hit);
  if (clearance < ray->sure) return SAT_UNDECIDED;
  if (!(toward > 0)) return SAT_SEPARATE;
  if (miss > threshold - ray->hair) return SAT_UNDECIDED;
  double root = square_root((threshold - miss) * (threshold + miss));
  double t = clearance * (distance + radius) / (toward + root);
  if (root * STEEP < threshold || t * way * root < ray->sure * threshold) return SAT_UNDECIDED;
  if (t > 1) return SAT_SEPARATE;
  hit->t = t;
  hit->normal = sat_unit(sat_unit(sub(mul(ray->motion, t), center)));
  hit->point = add(add(ray->set.origin, ray->set.vertex[vertex]), mul(hit->normal, ray->skin));
  return SAT_OVERLAP;
}

/* Places along the line are compared after a product with `scale`: the time alone is a quotient. */
static sat_Verdict ray_at_capsule(const ConvexRay *ray, sat_Hit *hit) {
  const sat_Convex *set = &ray->set;
  double radius = ray->radius;
  uint32_t edge = dot(normal_of(set->edges, 0), ray->motion) >= 0;
  sat_Vec2 normal = normal_of(set->edges, edge), start = add(ray->offset, set->vertex[edge]),
           along = sub(set->vertex[!edge], set->vertex[edge]);
  double size = dot(along, along), slope = dot(along, ray->motion), from_start = -dot(start, along);
  double closing = -dot(normal, ray->motion), lead = ahead_of_edge(ray, ray->offset, edge) - radius,
         scale = 1;
  double margin = ray->sure * (fabs(along.x) + fabs(along.y) + 2 * radius), wide = margin;
  double place = from_start;
  if (lead < -2 * radius - ray->sure) return SAT_SEPARATE;
  if (sat_is_turned(along, normal) || fabs(lead) < ray->sure) return SAT_UNDECIDED;
  if (lead > 0) {
    if (closing * closing * size < STEEP * ray->hair * ray->hair) return SAT_UNDECIDED;
    scale = closing;
    place = from_start * scale + slope * lead;
    wide = margin * scale + ray->sure * fabs(slope);
  }
  if (place > wide && place < size * scale - wide) {
    if (lead < 0) return lead > ray->sure - 2 * radius ? starts_inside(ray, hit) : SAT_UNDECIDED;
    if (lead > closing) return SAT_SEPARATE;
    return closing < ray->sure ? SAT_UNDECIDED : hit_edge(ray, edge, lead / closing, normal, hit);
  }
  bool before = place < -wide;
  if (!before && place < size * scale + wide) return SAT_UNDECIDED;
  sat_Verdict verdict = ray_at_circle(ray, before ? edge : !edge, hit);
  if (verdict != SAT_OVERLAP || hit->t == 0) return verdict;
  place = from_start + slope * hit->t;
  return (before ? place < -margin : place > size + margin) ? SAT_OVERLAP : SAT_UNDECIDED;
}

static sat_Verdict ray_at_segment(const ConvexRay *ray, sat_Hit *hit) {
  const sat_Convex *set = &ray->set;
  sat_Vec2 low = add(ray->offset, set->vertex[0]), high = add(ray->offset, set->vertex[1]);
  double at_low = cross(ray->motion, low), at_high = cross(ray->motion, high);
  sat_Vec2 along = sub(high, low);
  double closing = cross(along, ray->motion), ahead = cross(along, low);
  double sure = ray->sure * (fabs(along.x) + fabs(along.y));
  if (min2(fabs(at_low), fabs(at_high)) < ray->hair) return SAT_UNDECIDED;
  if ((at_low > 0) == (at_high > 0)) return SAT_SEPARATE;
  if (min2(fabs(closing), fabs(ahead)) < sure) return SAT_UNDECIDED;
  double first = dot(ray->motion, low) / ray->size, last = dot(ray->motion, high) / ray->size;
  double t = clamp(ahead / closing, min2(first, last), max2(first, last));
  if (t < 0 || t > 1) return SAT_SEPARATE;
  /* the edge that the end is outside of, by rounding alone, has the point */
  sat_Vec2 rest = sub(ray->offset, mul(ray->motion, t));
  uint32_t edge = ahead_of_edge(ray, rest, 1) > ahead_of_edge(ray, rest, 0);
  if (sat_is_turned(along, normal_of(set->edges, 0))) return SAT_UNDECIDED;
  return hit_edge(ray, edge, t, closing > 0 ? neg(perp(along)) : perp(along), hit);
}

/* Whether a set is on one side of the line of a ray, beyond rounding: this test settles most of the
 * shapes whose boxes meet a ray that misses them. */
SAT_INLINE bool is_beside(const ConvexRay *ray) {
  double of_origin = cross(ray->motion, ray->offset), least = HUGE_VAL, most = -HUGE_VAL;
  for (uint32_t i = 0; i < ray->set.count; i++) {
    double across = cross(ray->motion, ray->set.vertex[i]);
    least = min2(least, across);
    most = max2(most, across);
  }
  double beyond = max2(least + of_origin, -(most + of_origin)) - ray->hair;
  return beyond > 0 && beyond * beyond > ray->radius * ray->radius * ray->size;
}

SAT_INLINE ConvexRay ray_of(sat_Convex set, double radius, double skin, sat_Vec2 from,
                            sat_Vec2 motion, double rounding, bool is_cast) {
  double sure = 4 * rounding, hair = sure * (fabs(motion.x) + fabs(motion.y));
  sat_Vec2 offset = sub(set.origin, from);
  return (ConvexRay){set,    from, offset, motion, sure, hair, dot(motion, motion),
                     radius, skin, is_cast};
}

/* The numbers of a circle's ray stay in registers. */
SAT_INLINE sat_Verdict ray_at(ConvexRay ray, sat_Hit *hit, uint32_t *edge) {
  if (ray.hair == 0) return SAT_UNDECIDED;
  if (ray.set.count == 1) return ray.radius > 0 ? ray_at_circle(&ray, 0, hit) : SAT_UNDECIDED;
  ConvexRay stored = ray;
  sat_Verdict verdict = SAT_UNDECIDED;
  if (ray.radius == 0 && ray.set.count <= 32)
    return ray.set.count > 2 ? ray_at_polygon(&stored, hit, edge) : ray_at_segment(&stored, hit);
  if (ray.set.count == 2) verdict = ray_at_capsule(&stored, hit);
  return verdict == SAT_UNDECIDED && is_beside(&stored) ? SAT_SEPARATE : verdict;
}

/* A bound of the touch of a shape and another one, of that size and place, and quicker to tell. */
SAT_INLINE double rounding_bound(const sat_Shape *shape, sat_Vec2 place, double size) {
  double2 places = double2_add(double2_abs(double2_load(&shape->origin)),
                               double2_abs(double2_of(place.x, place.y)));
  return SAT_TOUCH_ERROR * (double2_sum(places) + 2 * size);
}

sat_Verdict sat_ray_at_shape(const sat_Shape *shape, sat_Vec2 from, sat_Vec2 motion, sat_Hit *hit) {
  uint32_t edge;
  if (is_composite(shape)) return SAT_UNDECIDED;
  double rounding = rounding_bound(shape, from, shape->l1_bound + shape->radius);
  sat_Convex convex = sat_convex_of(shape);
  if (shape->flags & SAT_SHARP && shape->flags & SAT_UPRIGHT) {
    sat_Verdict verdict = sat_ray_at_box(sat_sides_of_shape(shape), shape->origin, from, motion,
                                         rounding, &edge, hit);
    if (verdict != SAT_UNDECIDED) return verdict;
  }
  double radius = shape->radius;
  return ray_at(ray_of(convex, radius, radius, from, motion, rounding, false), hit, &edge);
}

sat_Verdict sat_circle_cast(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b, sat_Hit *hit) {
  const sat_Vec2 *center = vertices_of(a);
  double radius = a->radius + b->radius,
         rounding = rounding_bound(a, b->origin, b->l1_bound + radius);
  uint32_t edge;
  if (center->x != 0 || center->y != 0) return SAT_UNDECIDED;
  sat_Convex convex = sat_convex_of(b);
  return ray_at(ray_of(convex, radius, b->radius, a->origin, motion, rounding, true), hit, &edge);
}

sat_Verdict sat_ray_at_piece(const sat_PieceView *view, const sat_Piece *piece, sat_Vec2 from,
                             const sat_Motion *motion, sat_Hit *hit) {
  double radius = sat_piece_radius(view, piece);
  uint32_t edge = 0;
  sat_Convex convex = sat_piece_convex(view, piece);
  sat_Verdict verdict = SAT_UNDECIDED;
  if (radius == 0 && convex.count == 4 && sat_may_be_upright(&convex) && sat_is_upright(&convex)) {
    sat_Box box;
    verdict = sat_ray_at_box(sat_sides_of(&convex, &box), convex.origin, from, motion->vector,
                             motion->rounding, &edge, hit);
  }
  if (verdict == SAT_UNDECIDED)
    verdict = ray_at(ray_of(convex, radius, radius, from, motion->vector, motion->rounding, true),
                     hit, &edge);
  bool internal = view->internal && view->internal[piece->first + edge];
  return verdict == SAT_OVERLAP && internal ? SAT_UNDECIDED : verdict;
}
