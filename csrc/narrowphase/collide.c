/* collide.c: the public questions about two shapes. Composite shapes go to the composite files,
 * small convex shapes to the fast path and all other pairs to the convex files; no file of the
 * narrow phase calls this one. */
#include "narrowphase/collide.h"

#include "base/box.h"
#include "base/memory.h"
#include "narrowphase/composite/composite_cast.h"
#include "narrowphase/configuration_space.h"
#include "narrowphase/composite/composite_contains.h"
#include "narrowphase/composite/composite_pair.h"
#include "narrowphase/composite/composite_turn.h"
#include "narrowphase/composite/piece_pairs.h"
#include "narrowphase/convex/convex_cast.h"
#include "narrowphase/convex/simd/fast_path.h"

static bool is_composite_pair(const sat_Shape *a, const sat_Shape *b) {
  return is_composite(a) || is_composite(b);
}

/* ---------------------------------------------------------------- overlap */

sat_Status sat_overlaps(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch) {
  (void)scratch;
  switch (sat_pair_kind(a, b)) {
  case SAT_UPRIGHT_BOXES: return sat_boxes_overlap(a, b);
  case SAT_BOX_AND_CIRCLE: return sat_box_circle_overlap(a, b);
  case SAT_CIRCLES: return sat_circles_overlap(a, b);
  case SAT_POLYGONS: return sat_polygons_overlap(a, b);
  case SAT_ROUNDED_SHAPES: return sat_rounded_overlap(a, b);
  case SAT_COMPOSITE_PAIR: return sat_composite_overlaps(a, b);
  default: return sat_convex_overlaps(a, b);
  }
}

/* ---------------------------------------------------------------- minimum translation vector */

sat_Status sat_collide(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                       sat_Result *result) {
  switch (sat_pair_kind(a, b)) {
  case SAT_UPRIGHT_BOXES: return sat_boxes_collide(a, b, result);
  case SAT_BOX_AND_CIRCLE: return sat_box_circle_collide(a, b, result);
  case SAT_CIRCLES: return sat_circles_collide(a, b, result);
  case SAT_POLYGONS: return sat_polygons_collide(a, b, result);
  case SAT_ROUNDED_SHAPES: return sat_rounded_collide(a, b, result);
  case SAT_COMPOSITE_PAIR: return sat_composite_collide(a, b, scratch, result);
  default: return sat_convex_collide(a, b, result);
  }
}

sat_Status sat_collide_beyond(const sat_Shape *a, const sat_Shape *b, double rounding,
                              sat_Scratch *scratch, sat_Result *result) {
  const sat_Touch touch = {0, rounding};
  if (is_composite_pair(a, b)) return sat_composite_leave(a, b, &touch, 1, NULL, scratch, result);
  sat_Status status = sat_collide(a, b, scratch, result);
  if (status == SAT_OK && result->depth <= rounding) {
    result->vector = vec2(0, 0);
    result->depth = 0;
  }
  return status;
}

bool sat_only_touches(const sat_Shape *a, const sat_Shape *b) {
  if (is_composite_pair(a, b)) return sat_composite_only_touches(a, b);
  return a->radius == 0 && b->radius == 0 &&
         !box_interiors_meet(sat_shape_bounds(a), sat_shape_bounds(b));
}

/* The touch by the fast path: see fast_path.h. */
static sat_Verdict touch_fast(const sat_Shape *a, const sat_Shape *b, sat_Result *result) {
  switch (sat_pair_kind(a, b)) {
  case SAT_UPRIGHT_BOXES: return sat_boxes_touch(a, b, result);
  case SAT_BOX_AND_CIRCLE: return sat_box_circle_touch(a, b, result);
  case SAT_CIRCLES: return sat_circles_touch(a, b, result);
  case SAT_POLYGONS: return sat_polygons_touch(a, b, result);
  case SAT_ROUNDED_SHAPES: return sat_rounded_touch(a, b, result);
  default: return SAT_UNDECIDED;
  }
}

sat_Status sat_touch(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                     sat_Result *result, bool *near) {
  sat_Verdict verdict = touch_fast(a, b, result);
  *near = false;
  if (verdict != SAT_UNDECIDED) return status_of_verdict(verdict);
  double threshold = sat_touch_rounding(a, b);
  if (!is_composite_pair(a, b)) return sat_convex_touch(a, b, threshold, result, near);
  sat_Status status = sat_composite_collide(a, b, scratch, result);
  *near = status == SAT_MISS && sat_composite_nearly_touch(a, b, threshold);
  return status;
}

/* ---------------------------------------------------------------- contacts and distance */

SAT_NOT_INLINE sat_Status contacts_by_mtv(const sat_Shape *a, const sat_Shape *b,
                                          sat_Manifold *manifold) {
  sat_Result mtv;
  sat_Status status = sat_collide(a, b, NULL, &mtv);
  if (status == SAT_OK) sat_contacts_from_mtv(a, b, &mtv, manifold);
  return status;
}

sat_Status sat_contacts(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                        sat_Manifold *manifold) {
  switch (sat_pair_kind(a, b)) {
  case SAT_UPRIGHT_BOXES: return sat_boxes_contacts(a, b, manifold);
  case SAT_CIRCLES: return sat_circles_contacts(a, b, manifold);
  case SAT_COMPOSITE_PAIR: return sat_composite_contacts(a, b, scratch, manifold);
  default: return contacts_by_mtv(a, b, manifold);
  }
}

SAT_NOT_INLINE sat_Status distance_of_others(const sat_Shape *a, const sat_Shape *b,
                                             sat_Distance *result) {
  if (is_composite_pair(a, b)) {
    *result = sat_composite_distance(a, b);
    return SAT_OK;
  }
  /* SAT_SEPARATE: the fast path has told the distance. SAT_OVERLAP: it has told that alone. */
  sat_Verdict verdict = sat_are_few(a, b) ? sat_few_distance(a, b, result) : SAT_UNDECIDED;
  return verdict == SAT_SEPARATE ? SAT_OK
                                 : sat_distance_general(a, b, verdict == SAT_OVERLAP, result);
}

sat_Status sat_distance(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                        sat_Distance *result) {
  (void)scratch;
  switch (sat_pair_kind(a, b)) {
  case SAT_UPRIGHT_BOXES: return sat_boxes_distance(a, b, result);
  case SAT_CIRCLES: return sat_circles_distance(a, b, result);
  default: return distance_of_others(a, b, result);
  }
}

/* ---------------------------------------------------------------- the separating axis */

/* The axis of two convex shapes that are apart leads from one closest point to the other. A
 * distance that vanishes in rounding leaves the facet's normal. */
static sat_Axis axis_between(const sat_Shape *a, const sat_Shape *b) {
  static const uint32_t first[2] = {0, 0};
  ViewPair views;
  view_both(&views, a, b);
  PieceQuestion pieces = piece_question(&views, first);
  const sat_Pair *pair = &pieces.pair;
  sat_ConvexTest test;
  sat_convex_test(pair, 0, true, NULL, &test);
  sat_Vec2 normal = test.closest.normal;
  if (normal.x == 0 && normal.y == 0 && pair->of[SAT_A].count + pair->of[SAT_B].count > 2)
    normal = facet_normal(pair, &test.closest.facet);
  return (sat_Axis){normal, max2(test.closest.distance - pair->radius, DBL_MIN)};
}

sat_Status sat_axis(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch, sat_Axis *axis) {
  sat_Result result;
  if (!sat_shape_is_convex(a) || !sat_shape_is_convex(b)) return SAT_ECONCAVE;
  sat_Status status = sat_collide(a, b, scratch, &result);
  if (status == SAT_OK) *axis = (sat_Axis){result.normal, -result.depth};
  else if (status == SAT_MISS) *axis = axis_between(a, b);
  return status == SAT_MISS ? SAT_OK : status;
}

/* ---------------------------------------------------------------- containment */

/* Whether turning may have put a polygon's vertices on one line, or in the other order. */
static bool is_as_thin_as_rounding(const sat_Shape *shape) {
  double least_width = SAT_SEPARATION_ROUNDING * shape->l1_bound;
  return shape->vertex_count > 2 && shape->area * shape->scale <= least_width * shape->perimeter;
}

/* A holds B where A holds a circle of B's radius about each of B's vertices: A's core, grown by its
 * own radius and shrunk by B's, holds the vertices. Where A is a needle without an inside, the
 * vertices may all lie on its line although the two are apart. */
sat_Status sat_contains(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch) {
  if (is_composite_pair(a, b)) return sat_composite_contains(a, b, scratch);
  sat_Convex convex = sat_convex_of(a);
  for (uint32_t i = 0; i < b->vertex_count; i++)
    if (!sat_convex_contains(&convex, a->l1_bound, b->origin, &vertices_of(b)[i],
                             a->radius - b->radius))
      return SAT_MISS;
  return is_as_thin_as_rounding(a) ? sat_overlaps(a, b, scratch) : SAT_OK;
}

sat_Status sat_contains_point(const sat_Shape *shape, sat_Vec2 point, sat_Scratch *scratch) {
  (void)scratch;
  if (is_composite(shape)) return sat_composite_contains_point(shape, point);
  if (sat_are_upright_boxes(shape, shape)) return sat_box_contains_point(shape, point);
  if (shape->vertex_count == 1) { /* squares decide, but near the outline */
    sat_Vec2 way = sub(sub(point, shape->origin), *vertices_of(shape));
    double square = dot(way, way), limit = shape->radius * shape->radius;
    if (fabs(square - limit) > SAT_TIE_RELATIVE * limit) return (sat_Status)(square > limit);
  }
  const sat_Vec2 vertex = {0, 0};
  sat_Convex convex = sat_convex_of(shape);
  return sat_convex_contains(&convex, shape->l1_bound, point, &vertex, shape->radius) ? SAT_OK
                                                                                      : SAT_MISS;
}

/* ---------------------------------------------------------------- parts */

sat_Status sat_part_at(const sat_Shape *shape, sat_Vec2 point, size_t *part) {
  if (!vec_in_range(point)) return SAT_ERANGE;
  uint32_t found = SAT_NO_PART;
  if (is_composite(shape)) found = sat_composite_part_at(shape, point, 0);
  else if (sat_contains_point(shape, point, NULL) == SAT_OK) found = 0;
  *part = found;
  return found == SAT_NO_PART ? SAT_MISS : SAT_OK;
}

/* The collision of two parts, which are made in the scratch memory behind `kept` bytes of it. */
static sat_Status collide_parts(const sat_Shape *a, const sat_Shape *b, sat_Parts parts,
                                size_t kept, sat_Scratch *scratch, sat_Result *result) {
  enum { LEAST_ROOM = 1024 };
  size_t bytes[2] = {(sat_shape_part_bytes(a, parts.a) + 15) / 16 * 16,
                     (sat_shape_part_bytes(b, parts.b) + 15) / 16 * 16};
  size_t used = kept + bytes[0] + bytes[1];
  sat_Status status = SAT_ENOMEM;
  for (size_t room = LEAST_ROOM; status == SAT_ENOMEM; room *= 2) {
    char *block = sat_scratch_reserve(scratch, used + room);
    if (!block) return SAT_ENOMEM;
    sat_Shape *of_a = (sat_Shape *)(void *)(block + kept),
              *of_b = (sat_Shape *)(void *)(block + kept + bytes[0]);
    sat_Scratch rest = {block + used, scratch->bytes - used, {sat_no_memory, NULL}, 0};
    status = sat_shape_part_init(of_a, a, parts.a, &rest);
    if (!status) status = sat_shape_part_init(of_b, b, parts.b, &rest);
    if (!status) status = sat_collide(of_a, of_b, &rest, result);
  }
  return status;
}

sat_Status sat_collide_parts(const sat_Shape *a, const sat_Shape *b, sat_Parts parts,
                             sat_Scratch *scratch, sat_Result *result) {
  return collide_parts(a, b, parts, 0, scratch, result);
}

sat_Status sat_deepest_parts(const sat_Shape *a, const sat_Shape *b, const sat_Vec2 *normal,
                             sat_Scratch *scratch, sat_Parts *deepest) {
  double most = -HUGE_VAL, rounding = sat_touch_rounding(a, b);
  sat_PartPairs pairs;
  *deepest = (sat_Parts){0, 0};
  if (sat_shape_part_count(a) == 1 && sat_shape_part_count(b) == 1) return SAT_OK;
  sat_Status status = sat_part_pairs(a, b, scratch, &pairs);
  for (size_t i = 0; status != SAT_ENOMEM && i < pairs.count; i++) {
    sat_Parts parts = ((const sat_Parts *)scratch->block)[i];
    size_t kept = (pairs.count * sizeof parts + 15) / 16 * 16;
    sat_Result way;
    status = collide_parts(a, b, parts, kept, scratch, &way);
    if (status != SAT_OK) continue;
    bool is_own = normal && dot(*normal, way.normal) >= 1 - SAT_SAME_NORMAL;
    double depth = is_own ? HUGE_VAL : way.depth;
    if (!(depth > most + rounding) &&
        !(depth >= most - rounding && sat_parts_precede(parts, *deepest)))
      continue;
    most = depth;
    *deepest = parts;
  }
  return status == SAT_ENOMEM ? SAT_ENOMEM : SAT_OK;
}

/* ---------------------------------------------------------------- casts */

/* The overlap of two convex shapes at the start of a cast, by the cheapest test that is sure.
 * SAT_MISS: they overlap by no more than rounding, and if `clear` they are further apart. */
static sat_Status overlap_at_start(const sat_Shape *a, const sat_Shape *b, double rounding,
                                   sat_Result *start, bool *clear) {
  sat_Vec2 origin_offset = sub(b->origin, a->origin);
  double size = fabs(origin_offset.x) + fabs(origin_offset.y) + a->l1_bound + b->l1_bound;
  double margin = a->radius + b->radius + size * SAT_SEPARATION_ROUNDING - rounding / 4;
  double2 offset = double2_of(origin_offset.x, origin_offset.y);
  *clear = boxes_are_separate(a, b, offset, margin + 8 * rounding);
  if (*clear || boxes_are_separate(a, b, offset, margin)) return SAT_MISS;
  if (a->radius > 0 || b->radius > 0) return sat_collide(a, b, NULL, start);
  sat_Verdict verdict = touch_fast(a, b, start);
  *clear = verdict == SAT_SEPARATE;
  if (verdict != SAT_UNDECIDED) return status_of_verdict(verdict);
  sat_Pair pair = sat_convex_pair(a, b);
  if (sat_overlap_is_rounding(&pair, rounding)) return SAT_MISS;
  return sat_collide(a, b, NULL, start);
}

/* The cast of two convex shapes whose sat_collide at the start is known: `status` and `start`. A
 * pair that overlaps by more than rounding is a hit only if the motion leads deeper in. */
static sat_Status cast_from(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                            sat_Status status, const sat_Result *start, sat_Hit *hit) {
  sat_Manifold manifold;
  if (status == SAT_MISS || start->depth <= motion.rounding) {
    sat_Pair pair = sat_convex_pair(a, b);
    double radius[2] = {a->radius, b->radius};
    return sat_convex_cast(&pair, NULL, motion, radius, hit);
  }
  if (!sat_leads_deeper(motion.vector, start->normal)) return SAT_MISS;
  sat_contacts_from_mtv(a, b, start, &manifold);
  *hit = (sat_Hit){0, manifold.normal, manifold.points[0], {0, 0}};
  return SAT_OK;
}

static sat_Status cast_along(const sat_Shape *a, const sat_Motion *way, const sat_Shape *b,
                             sat_Hit *hit) {
  sat_Result start;
  bool clear;
  sat_Verdict verdict = SAT_UNDECIDED;
  if (a->vertex_count == 1 && b->vertex_count <= 2)
    verdict = sat_circle_cast(a, way->vector, b, hit);
  if (verdict != SAT_UNDECIDED) return status_of_verdict(verdict);
  sat_Status status = overlap_at_start(a, b, way->rounding, &start, &clear);
  if (clear && a->radius == 0 && b->radius == 0) {
    sat_Pair pair = sat_convex_pair(a, b);
    verdict = sat_polygon_sweep(&pair, NULL, way, hit);
    if (verdict != SAT_UNDECIDED) return status_of_verdict(verdict);
  }
  return status > SAT_MISS ? status : cast_from(a, *way, b, status, &start, hit);
}

/* Tells the surface of a corner that a corner of a convex shape hits, of the several there. */
static sat_Status tell_corner(const sat_Shape *a, const sat_Motion *way, const sat_Shape *b,
                              sat_Scratch *scratch, sat_CastNotes *notes, sat_Hit *hit) {
  if (a->radius + b->radius > 0) return SAT_OK;
  sat_Pair pair = sat_convex_pair(a, b);
  notes->is_tied = sat_is_corner_hit(&pair, way, hit);
  if (!notes->is_tied) return SAT_OK;
  const sat_CastSolid solid = {b, 0, 0};
  const sat_CastScene scene = {.shape = a,
                               .motion = *way,
                               .solids = &solid,
                               .count = 1,
                               .gaps_with = SAT_NO_SOLID,
                               .one_way = notes->one_way};
  uint32_t other = 0;
  return sat_tell_real_surface(&scene, scratch, &other, hit);
}

/* The cast of all but circles and upright boxes, and of the latter if their corners meet. */
SAT_NOT_INLINE sat_Status cast_general(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b,
                                       sat_Scratch *scratch, sat_CastNotes *notes, sat_Hit *hit) {
  sat_Motion way = {motion, sat_touch_rounding(a, b), false, false};
  if (is_composite_pair(a, b)) return sat_composite_cast(a, way, b, scratch, notes, hit);
  sat_Status status = cast_along(a, &way, b, hit);
  *notes = (sat_CastNotes){
      .one_way = notes->one_way, .is_ray = notes->is_ray, .starts_near = notes->is_ray};
  if (status == SAT_OK) {
    hit->parts = (sat_Parts){0, 0};
    return tell_corner(a, &way, b, scratch, notes, hit);
  }
  if (status == SAT_MISS && (a->vertex_count <= 2 || b->vertex_count <= 2)) {
    sat_Pair pair = sat_convex_pair(a, b);
    const double radius[2] = {a->radius, b->radius};
    notes->beside = sat_places_beside_way(&pair, radius, way);
  }
  return status;
}

sat_Status sat_cast_noting(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b,
                           sat_Scratch *scratch, sat_CastNotes *notes, sat_Hit *hit) {
  bool at_corner = false;
  sat_Verdict verdict = SAT_UNDECIDED;
  if (!vec_in_range(motion)) return SAT_ERANGE;
  if (sat_are_upright_boxes(a, b)) verdict = sat_boxes_cast(a, motion, b, &at_corner, hit);
  else if (sat_pair_kind(a, b) == SAT_CIRCLES && a->radius > 0 && b->radius > 0)
    verdict = sat_circle_cast(a, motion, b, hit);
  if (verdict != SAT_UNDECIDED && !at_corner) {
    if (verdict == SAT_OVERLAP) hit->parts = (sat_Parts){0, 0};
    *notes = (sat_CastNotes){.one_way = notes->one_way};
    return status_of_verdict(verdict);
  }
  sat_Status status = cast_general(a, motion, b, scratch, notes, hit);
  if (status || !notes->starts_deep) return status;
  return sat_deepest_parts(a, b, &hit->normal, scratch, &hit->parts);
}

sat_Status sat_cast(const sat_Shape *a, sat_Vec2 motion, const sat_Shape *b, sat_Scratch *scratch,
                    sat_Hit *hit) {
  sat_CastNotes notes = {.one_way = false};
  return sat_cast_noting(a, motion, b, scratch, &notes, hit);
}

sat_Status sat_turn(const sat_Shape *a, double angle, const sat_Shape *b, sat_Vec2 pivot,
                    sat_Scratch *scratch, sat_Hit *hit) {
  return sat_turn_facing(a, angle, b, pivot, false, scratch, hit);
}

/* The cast of a point: of a ray at a composite shape, and of one that comes within rounding of what
 * decides. */
SAT_NOT_INLINE sat_Status raycast_general(const sat_Shape *shape, sat_Vec2 from, sat_Vec2 motion,
                                          sat_Scratch *scratch, uint32_t *beside, sat_Hit *hit) {
  sat_PointShape point;
  sat_Result start;
  sat_CastNotes notes = {.is_ray = true, .is_apart = true, .starts_near = true};
  sat_Status status = sat_shape_init(&point.head, &from, 1, 0), first = SAT_MISS;
  if (status) return status;
  bool moves = motion.x != 0 || motion.y != 0;
  if (moves) first = cast_general(&point.head, motion, shape, scratch, &notes, hit);
  *beside = notes.beside;
  if (first > SAT_MISS || !notes.starts_near) return first;
  status = sat_collide(&point.head, shape, scratch, &start);
  if (status > SAT_MISS) return status;
  double rounding = sat_touch_rounding(&point.head, shape);
  if (status == SAT_MISS || (moves && start.depth <= rounding)) return first;
  size_t part = SAT_NO_PART; /* a point on a seam is in none beyond rounding, or in none */
  if (is_composite(shape)) part = sat_composite_part_at(shape, from, rounding);
  if (part == SAT_NO_PART && sat_part_at(shape, from, &part)) part = 0;
  *hit = (sat_Hit){0, {0, 0}, from, {0, (uint32_t)part}};
  return SAT_OK;
}

sat_Status sat_raycast_noting(const sat_Shape *shape, sat_Vec2 from, sat_Vec2 to,
                              sat_Scratch *scratch, uint32_t *beside, sat_Hit *hit) {
  double2 start = double2_of(from.x, from.y), stop = double2_of(to.x, to.y),
          limits = double2_of(SAT_LIMIT, SAT_LIMIT);
  sat_Vec2 motion = sub(to, from);
  *beside = 0;
  if (!double2_in_order(double2_abs(start), limits, double2_abs(stop), limits)) return SAT_ERANGE;
  sat_Verdict verdict = sat_ray_at_shape(shape, from, motion, hit);
  if (verdict == SAT_OVERLAP) hit->parts = (sat_Parts){0, 0};
  if (verdict != SAT_UNDECIDED) return status_of_verdict(verdict);
  return raycast_general(shape, from, motion, scratch, beside, hit);
}

sat_Status sat_raycast(const sat_Shape *shape, sat_Vec2 from, sat_Vec2 to, sat_Scratch *scratch,
                       sat_Hit *hit) {
  uint32_t beside;
  return sat_raycast_noting(shape, from, to, scratch, &beside, hit);
}
