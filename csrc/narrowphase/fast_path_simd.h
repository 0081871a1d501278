/* fast_path_simd.h: the fast path, for the instruction set of the file that includes it.
 *
 * On small polygons one mispredicted branch costs more than all the projections of an edge: so the
 * separations of all edges of both sides are computed without a branch, and the verdict is taken
 * once, at the end. */
#include "base/double2.h"
#include "narrowphase/fast_path.h"
#include "narrowphase/separation_simd.h"

/* Both shapes of a call, and their error bounds. */
typedef struct ShapePair {
  sat_Convex of[2];
  sat_Vec2 origin_offset[2];
  double error_bound, tie, threshold; /* separations above `threshold` make a pair separate */
} ShapePair;

/* A separation beyond this has the sign of the exact one: see SAT_SEPARATION_ROUNDING. */
SAT_INLINE double separation_error_bound(const sat_Shape *a, const sat_Shape *b,
                                         sat_Vec2 origin_offset) {
  return SAT_SEPARATION_ROUNDING *
         (fabs(origin_offset.x) + fabs(origin_offset.y) + (a->l1_bound + b->l1_bound));
}

SAT_INLINE ShapePair shape_pair(const sat_Shape *a, const sat_Shape *b, bool clearly) {
  sat_Vec2 origin_offset = sub(b->origin, a->origin);
  double error_bound = separation_error_bound(a, b, origin_offset),
         tie = max2(tie_bound(a, b), error_bound);
  double threshold = clearly ? CLEARLY * tie : error_bound;
  return (ShapePair){{sat_convex_of(a), sat_convex_of(b)},
                     {origin_offset, neg(origin_offset)},
                     error_bound,
                     tie,
                     threshold};
}

SAT_INLINE sat_Verdict verdict_of(const ShapePair *shapes, double max_separation) {
  return max_separation > shapes->threshold      ? SAT_SEPARATE
         : max_separation < -shapes->error_bound ? SAT_OVERLAP
                                                 : SAT_UNDECIDED;
}

/* As boxes_are_separate, without a branch for each side. */
SAT_INLINE bool boxes_part(const sat_Shape *a, const sat_Shape *b, double margin) {
  double2 offset = double2_sub(double2_load(&b->origin), double2_load(&a->origin));
  double2 behind =
      double2_sub(double2_add(offset, double2_load(&b->box.min)), double2_load(&a->box.max));
  double2 before =
      double2_sub(double2_sub(double2_load(&a->box.min), offset), double2_load(&b->box.max));
  return double2_any_more(double2_max(behind, before), margin);
}

SAT_INLINE void result_along_normal(sat_Vec2 normal, double depth, sat_Result *result) {
  result->depth = depth;
  result->normal = normal;
  result->vector = mul(normal, depth);
}

/* The result by the edge of maximum separation. */
SAT_INLINE void fast_result_from_edge(const ShapePair *shapes, uint32_t side, uint32_t edge,
                                      double depth, sat_Result *result) {
  sat_Vec2 normal = normal_of(side ? shapes->of[1].edges : shapes->of[0].edges, edge);
  result_along_normal(mul(normal, (double)side * 2 - 1), depth, result);
  result->side = (sat_Side)side;
  result->edge = edge;
  result->corner = result->tied = false;
}

/* ---------------------------------------------------------------- all gaps */

/* The separations of one side's edges. The counts are parameters below: constant counts let the
 * compiler unroll the loops, which takes half the time. */
typedef struct EdgeSeparations {
  double4 of[SAT_FEW_VERTICES / 4];
  double4 max_of_columns;
} EdgeSeparations;

SAT_INLINE EdgeSeparations compute_separations(const sat_Edges *own, uint32_t count,
                                               const sat_Vec2 *other, uint32_t others,
                                               double4_Offset origin_offset, bool negative) {
  double4 none = double4_of(-HUGE_VAL);
  EdgeSeparations separations = {{none, none, none, none}, none};
  SAT_UNROLL
  for (uint32_t i = 0; i < edge_block_count(count); i++) {
    ScanNormals normals = normals_from(&own[i], origin_offset, negative);
    separations.of[i] = separations_to(&normals, other, others);
    separations.max_of_columns =
        i ? double4_max(separations.of[i], separations.max_of_columns) : separations.of[i];
  }
  return separations;
}

/* One bit for each edge whose separation is at least `limit`. */
SAT_INLINE uint32_t edges_at_least(const EdgeSeparations *separations, uint32_t count,
                                   double limit) {
  uint32_t bits = 0;
  SAT_UNROLL
  for (uint32_t i = 0; i < edge_block_count(count); i++)
    bits |= double4_at_least(separations->of[i], limit) << (4 * i);
  return bits;
}

SAT_INLINE bool is_one_bit(uint32_t bits) { return (bits & (bits - 1)) == 0; }

/* Whether these edges of both sides are more than one axis. */
SAT_INLINE bool are_rivals(const ShapePair *shapes, uint32_t of_a, uint32_t of_b) {
  if (of_a == 0) return !is_one_bit(of_b);
  if (of_b == 0) return !is_one_bit(of_a);
  if (!is_one_bit(of_a) || !is_one_bit(of_b)) return true;
  return !are_back_to_back(normal_of(shapes->of[0].edges, lowest_bit(of_a)),
                           normal_of(shapes->of[1].edges, lowest_bit(of_b)));
}

/* The separations of both sides' edges. */
typedef struct PairSeparations {
  EdgeSeparations of_a, of_b;
  double max_separation;
} PairSeparations;

SAT_INLINE PairSeparations compute_pair_separations(const ShapePair *shapes, uint32_t count_a,
                                                    uint32_t count_b) {
  const sat_Convex *a = &shapes->of[0], *b = &shapes->of[1];
  double4_Offset offset = double4_offset(shapes->origin_offset[0]);
  PairSeparations separations = {
      compute_separations(a->edges, count_a, b->vertex, count_b, offset, false),
      compute_separations(b->edges, count_b, a->vertex, count_a, offset, true), 0};
  separations.max_separation = double4_greatest(
      double4_max(separations.of_a.max_of_columns, separations.of_b.max_of_columns));
  return separations;
}

/* One of the edges of maximum separation, and its side: of equal ones A's, and the first. */
typedef struct MaxEdge {
  uint32_t side, edge;
} MaxEdge;

SAT_INLINE MaxEdge max_edge(const PairSeparations *separations, uint32_t count_a,
                            uint32_t count_b) {
  double limit = separations->max_separation;
  uint32_t of_a = edges_at_least(&separations->of_a, count_a, limit),
           of_b = edges_at_least(&separations->of_b, count_b, limit);
  return (MaxEdge){!of_a, lowest_bit(of_a ? of_a : of_b)};
}

SAT_INLINE bool max_has_rivals(const ShapePair *shapes, const PairSeparations *separations,
                               uint32_t count_a, uint32_t count_b) {
  double rival = separations->max_separation - shapes->tie;
  return are_rivals(shapes, edges_at_least(&separations->of_a, count_a, rival),
                    edges_at_least(&separations->of_b, count_b, rival));
}

SAT_INLINE sat_Verdict scan_verdict(const ShapePair *shapes, uint32_t count_a, uint32_t count_b,
                                    sat_Result *result) {
  PairSeparations separations = compute_pair_separations(shapes, count_a, count_b);
  sat_Verdict verdict = verdict_of(shapes, separations.max_separation);
  if (!result || verdict != SAT_OVERLAP) return verdict;
  if (max_has_rivals(shapes, &separations, count_a, count_b)) return SAT_UNDECIDED;
  MaxEdge max = max_edge(&separations, count_a, count_b);
  fast_result_from_edge(shapes, max.side, max.edge, -separations.max_separation, result);
  return SAT_OVERLAP;
}

/* ---------------------------------------------------------------- more vertices */

SAT_NOT_INLINE sat_Verdict calipers_verdict(const ShapePair *shapes, sat_Result *result) {
  const sat_Edges *edges[2] = {shapes->of[0].edges, shapes->of[1].edges};
  sat_SeparationScan scan[2];
  for (int i = 0; i < 2; i++) {
    scan[i] = SAT_IN_THIS_SET(sat_calipers_edges)(&shapes->of[i], &shapes->of[!i],
                                                  shapes->origin_offset[i], shapes->threshold);
    if (scan[i].max_separation > shapes->threshold) return SAT_SEPARATE;
  }
  uint32_t side = scan[1].max_separation > scan[0].max_separation;
  sat_Verdict verdict = verdict_of(shapes, scan[side].max_separation);
  if (verdict != SAT_OVERLAP) return verdict;
  if (scans_tie(scan, edges, shapes->tie)) return SAT_UNDECIDED;
  fast_result_from_edge(shapes, side, scan[side].edge, -scan[side].max_separation, result);
  return SAT_OVERLAP;
}

/* Tests the edges of one side that may separate the two: the support vertex along the line of the
 * centroids bounds each separation from above, and edges with a negative bound are skipped. */
static sat_Verdict test_promising_edges(const ShapePair *shapes, int side, sat_Vec2 toward) {
  const sat_Convex *own = &shapes->of[side], *other = &shapes->of[!side];
  const sat_Vec2 *nearest = &other->vertex[sat_support_index(other, neg(toward))];
  double max_separation = -HUGE_VAL;
  for (uint32_t row = 0; row < edge_block_count(own->count); row++) {
    ScanNormals normals = normals_of(&own->edges[row], shapes->origin_offset[side]);
    if (double4_greatest(separations_to(&normals, nearest, 1)) < -shapes->error_bound) continue;
    max_separation = max2(double4_greatest(separations_to(&normals, other->vertex, other->count)),
                          max_separation);
    if (max_separation > shapes->error_bound) return SAT_SEPARATE;
  }
  return verdict_of(shapes, max_separation);
}

SAT_NOT_INLINE sat_Verdict test_from_centroids(const ShapePair *shapes, sat_Vec2 toward) {
  sat_Verdict by_a = test_promising_edges(shapes, 0, toward);
  if (by_a == SAT_SEPARATE) return SAT_SEPARATE;
  sat_Verdict by_b = test_promising_edges(shapes, 1, neg(toward));
  return by_b == SAT_SEPARATE ? SAT_SEPARATE : by_a == SAT_UNDECIDED ? SAT_UNDECIDED : by_b;
}

/* Polygons of any numbers of vertices. `clearly`: see fast_path.h. */
SAT_INLINE sat_Verdict overlap_any(const sat_Shape *a, const sat_Shape *b, bool clearly,
                                   sat_Result *result) {
  ShapePair shapes = shape_pair(a, b, clearly);
  uint32_t of_a = a->vertex_count, of_b = b->vertex_count, more = of_a > of_b ? of_a : of_b;
  if (boxes_are_separate(a, b, shapes.origin_offset[0], shapes.threshold)) return SAT_SEPARATE;
  if (more <= SAT_FEW_VERTICES) return scan_verdict(&shapes, of_a, of_b, result);
  if (result) return calipers_verdict(&shapes, result);
  if (circles_are_separate(a, b, shapes.origin_offset[0], shapes.error_bound)) return SAT_SEPARATE;
  return test_from_centroids(
      &shapes, add(shapes.origin_offset[0], sub(b->centroid_from_origin, a->centroid_from_origin)));
}

SAT_NOT_INLINE sat_Verdict overlap_any_polygons(const sat_Shape *a, const sat_Shape *b,
                                                bool clearly, sat_Result *result) {
  return overlap_any(a, b, clearly, result);
}

/* The vertices of a polygon that has `count` of them, a constant. */
SAT_INLINE const sat_Vec2 *few_vertices(const sat_Shape *shape, uint32_t count) {
  return (const sat_Vec2 *)(edges_of(shape) + edge_block_count(count));
}

/* Two polygons of `count` vertices each, a constant. */
SAT_INLINE sat_Verdict overlap_few(const sat_Shape *a, const sat_Shape *b, uint32_t count,
                                   bool clearly, sat_Result *result) {
  ShapePair shapes = shape_pair(a, b, clearly);
  shapes.of[0].vertex = few_vertices(a, count);
  shapes.of[1].vertex = few_vertices(b, count);
  if (boxes_part(a, b, shapes.threshold)) return SAT_SEPARATE;
  return scan_verdict(&shapes, count, count, result);
}

SAT_INLINE sat_Verdict overlap_polygons_verdict(const sat_Shape *a, const sat_Shape *b,
                                                bool clearly, sat_Result *result) {
  switch (a->vertex_count == b->vertex_count ? a->vertex_count : 0) {
  case 3: return overlap_few(a, b, 3, clearly, result);
  case 4: return overlap_few(a, b, 4, clearly, result);
  case 6: return overlap_few(a, b, 6, clearly, result);
  case 8: return overlap_few(a, b, 8, clearly, result);
  default: return overlap_any_polygons(a, b, clearly, result);
  }
}

/* ---------------------------------------------------------------- a polygon and a circle */

/* A polygon and a circle in the polygon's frame. */
typedef struct CircleQuestion {
  const sat_Shape *polygon;
  const sat_Vec2 *vertex; /* the polygon's */
  sat_Vec2 origin_offset,
      centroid; /* from the polygon's origin to the circle's, and its centre from there */
  double margin, error_bound, tie;
  double sign; /* 1 if the circle is A */
} CircleQuestion;

SAT_INLINE CircleQuestion known_circle_question(const sat_Shape *polygon, const sat_Vec2 *vertex,
                                                const sat_Shape *circle, double sign,
                                                double error_bound, double tie) {
  const sat_Vec2 *center = (const sat_Vec2 *)(circle + 1); /* it has no edges before it */
  return (CircleQuestion){polygon,
                          vertex,
                          sub(circle->origin, polygon->origin),
                          *center,
                          polygon->radius + circle->radius,
                          error_bound,
                          tie,
                          sign};
}

SAT_INLINE CircleQuestion circle_question(const sat_Shape *polygon, uint32_t blocks,
                                          const sat_Shape *circle, double sign) {
  const sat_Vec2 *vertex = (const sat_Vec2 *)(edges_of(polygon) + blocks);
  double error_bound =
      separation_error_bound(polygon, circle, sub(circle->origin, polygon->origin));
  double tie = max2(tie_bound(polygon, circle), error_bound);
  return known_circle_question(polygon, vertex, circle, sign, error_bound, tie);
}

/* A distance above the margin makes a pair separate beyond this threshold. */
SAT_INLINE double circle_threshold(const CircleQuestion *question, bool clearly) {
  return clearly ? CLEARLY * question->tie : question->error_bound;
}

/* The edge of maximum separation from the centre. */
typedef struct CircleEdge {
  double separation;
  uint32_t edge;
} CircleEdge;

/* Finds the edge of a pair that is not separate: SAT_OVERLAP if that edge, or an end of it, is
 * nearest to the centre. Between edges whose separations are equal but for rounding, as beside a
 * nearly straight corner, the separations do not tell which edge is nearest. Each branch comes as
 * soon as its condition is known. The number of blocks is a constant for few vertices. */
SAT_INLINE sat_Verdict find_circle_edge(const CircleQuestion *question, uint32_t blocks,
                                        bool clearly, CircleEdge *found) {
  EdgeSeparations separations =
      compute_separations(edges_of(question->polygon), 4 * blocks, &question->centroid, 1,
                          double4_offset(question->origin_offset), false);
  double separation = double4_greatest(separations.max_of_columns);
  if (separation > question->margin + circle_threshold(question, clearly)) return SAT_SEPARATE;
  if (fabs(separation) <= question->tie ||
      fabs(separation - question->margin) <= question->error_bound)
    return SAT_UNDECIDED;
  uint32_t edges = edges_at_least(&separations, 4 * blocks, separation - question->tie);
  if (!is_one_bit(edges)) return SAT_UNDECIDED;
  *found = (CircleEdge){separation, lowest_bit(edges)};
  return SAT_OVERLAP;
}

/* The vertex is the closest feature past an edge's end. The corner of the Minkowski difference is
 * computed as in the general path, whose zeros have a sign. */
SAT_INLINE sat_Verdict circle_result_from_vertex(const CircleQuestion *question, uint32_t vertex,
                                                 sat_Vec2 at, bool clearly, sat_Result *result) {
  sat_Vec2 corner = question->sign > 0 ? sub(sub(at, question->centroid), question->origin_offset)
                                       : add(question->origin_offset, sub(question->centroid, at));
  double distance = square_root(dot(corner, corner)), margin = question->margin;
  if (fabs(distance - margin) <= question->error_bound || distance <= question->tie)
    return SAT_UNDECIDED;
  if (distance > margin)
    return distance - margin > circle_threshold(question, clearly) ? SAT_SEPARATE : SAT_UNDECIDED;
  if (!result) return SAT_OVERLAP;
  result_along_normal(vec2(-corner.x / distance, -corner.y / distance), margin - distance, result);
  result->side = SAT_A;
  result->edge = question->sign > 0 ? 0 : vertex;
  result->corner = true;
  result->tied = false;
  return SAT_OVERLAP;
}

SAT_INLINE sat_Verdict circle_result_from_edge(const CircleQuestion *question, CircleEdge found,
                                               bool clearly, sat_Result *result) {
  double margin = question->margin;
  if (found.separation > margin)
    return found.separation > margin + circle_threshold(question, clearly) ? SAT_SEPARATE
                                                                           : SAT_UNDECIDED;
  if (!result) return SAT_OVERLAP;
  result_along_normal(mul(normal_of(edges_of(question->polygon), found.edge), question->sign),
                      margin - found.separation, result);
  result->side = question->sign > 0 ? SAT_B : SAT_A;
  result->edge = found.edge;
  result->corner = result->tied = false;
  return SAT_OVERLAP;
}

SAT_INLINE sat_Verdict circle_verdict_at_edge(const CircleQuestion *question, CircleEdge found,
                                              bool clearly, sat_Result *result) {
  if (found.separation < 0) return circle_result_from_edge(question, found, clearly, result);
  const sat_Vec2 *vertex = question->vertex;
  uint32_t edge = found.edge, next = (edge + 1) * (edge + 1 < question->polygon->vertex_count);
  sat_Vec2 along = sub(vertex[next], vertex[edge]);
  double t = dot(add(question->origin_offset, sub(question->centroid, vertex[edge])), along);
  if (t < 0) return circle_result_from_vertex(question, edge, vertex[edge], clearly, result);
  if (t > dot(along, along))
    return circle_result_from_vertex(question, next, vertex[next], clearly, result);
  return circle_result_from_edge(question, found, clearly, result);
}

/* ---------------------------------------------------------------- rounded polygons */

/* Whether the one vertex that is nearest to an edge's line is beside that edge beyond doubt. */
SAT_INLINE bool nearest_is_beside(const ShapePair *shapes, uint32_t side, uint32_t edge) {
  const sat_Convex *own = &shapes->of[side], *other = &shapes->of[!side];
  sat_Vec2 normal = normal_of(own->edges, edge), nearest = other->vertex[0];
  double least = dot(normal, nearest), second = HUGE_VAL;
  for (uint32_t i = 1; i < other->count; i++) {
    double across = dot(normal, other->vertex[i]);
    second = min2(second, max2(across, least));
    nearest = across < least ? other->vertex[i] : nearest;
    least = min2(across, least);
  }
  sat_Vec2 start = own->vertex[edge];
  sat_Vec2 along = sub(own->vertex[edge + 1 < own->count ? edge + 1 : 0], start);
  double t = dot(add(shapes->origin_offset[side], sub(nearest, start)), along),
         rounding = shapes->tie * (fabs(along.x) + fabs(along.y));
  return second - least > shapes->tie && t > rounding && t < dot(along, along) - rounding;
}

/* The edge of maximum separation decides where the cores overlap, and where the nearest vertex is
 * beside it; round corners are left to the general path. */
SAT_INLINE sat_Verdict rounded_verdict(const sat_Shape *a, const sat_Shape *b, uint32_t count_a,
                                       uint32_t count_b, bool clearly, sat_Result *result) {
  ShapePair shapes = shape_pair(a, b, clearly);
  double margin = a->radius + b->radius;
  if (boxes_part(a, b, margin + shapes.threshold)) return SAT_SEPARATE;
  PairSeparations separations = compute_pair_separations(&shapes, count_a, count_b);
  double max_separation = separations.max_separation;
  if (max_separation > margin + shapes.threshold) return SAT_SEPARATE;
  if (max_separation > margin || fabs(max_separation) <= shapes.tie) return SAT_UNDECIDED;
  if (!result && max_separation < 0) return SAT_OVERLAP;
  if (max_has_rivals(&shapes, &separations, count_a, count_b)) return SAT_UNDECIDED;
  MaxEdge max = max_edge(&separations, count_a, count_b);
  if (max_separation > 0 && !nearest_is_beside(&shapes, max.side, max.edge)) return SAT_UNDECIDED;
  if (!result) return SAT_OVERLAP;
  fast_result_from_edge(&shapes, max.side, max.edge, margin - max_separation, result);
  if (max_separation == margin) result->vector = vec2(0, 0); /* without signs */
  return SAT_OVERLAP;
}

#define ROUNDED_VERDICT(name, of_a, of_b)                                                          \
  SAT_NOT_INLINE sat_Verdict name(const sat_Shape *a, const sat_Shape *b, bool clearly,            \
                                  sat_Result *result) {                                            \
    return rounded_verdict(a, b, of_a, of_b, clearly, result);                                     \
  }
ROUNDED_VERDICT(rounded_triangles, 3, 3)
ROUNDED_VERDICT(rounded_quadrilaterals, 4, 4)
ROUNDED_VERDICT(rounded_hexagons, 6, 6)
ROUNDED_VERDICT(rounded_octagons, 8, 8)
ROUNDED_VERDICT(rounded_unlike, a->vertex_count, b->vertex_count)

SAT_INLINE sat_Verdict overlap_rounded(const sat_Shape *a, const sat_Shape *b, bool clearly,
                                       sat_Result *result) {
  switch (a->vertex_count == b->vertex_count ? a->vertex_count : 0) {
  case 3: return rounded_triangles(a, b, clearly, result);
  case 4: return rounded_quadrilaterals(a, b, clearly, result);
  case 6: return rounded_hexagons(a, b, clearly, result);
  case 8: return rounded_octagons(a, b, clearly, result);
  default: return rounded_unlike(a, b, clearly, result);
  }
}

/* ---------------------------------------------------------------- collide */

/* Each kernel answers one question for one kind of pair and leaves an undecided pair by a tail
 * call, so that it keeps nothing across a call: a return to the caller takes 1.0 to 1.6 ns more.
 * Each number of vertices has a function of its own, with no more of a frame than it needs. */
SAT_INLINE sat_Status status_or_general(sat_Verdict verdict, const sat_Shape *a, const sat_Shape *b,
                                        sat_Result *result) {
  if (verdict == SAT_UNDECIDED) return sat_convex_collide(a, b, result);
  return verdict == SAT_OVERLAP ? SAT_OK : SAT_MISS;
}

#define COLLIDE_FEW(name, count)                                                                   \
  SAT_NOT_INLINE sat_Status name(const sat_Shape *a, const sat_Shape *b, sat_Result *result) {     \
    return status_or_general(overlap_few(a, b, count, false, result), a, b, result);               \
  }
COLLIDE_FEW(collide_triangles, 3)
COLLIDE_FEW(collide_quadrilaterals, 4)
COLLIDE_FEW(collide_hexagons, 6)
COLLIDE_FEW(collide_octagons, 8)

SAT_NOT_INLINE sat_Status collide_unlike_polygons(const sat_Shape *a, const sat_Shape *b,
                                                  sat_Result *result) {
  return status_or_general(overlap_any(a, b, false, result), a, b, result);
}

sat_Status SAT_IN_THIS_SET(sat_polygons_collide)(const sat_Shape *a, const sat_Shape *b,
                                                 sat_Result *result) {
  switch (a->vertex_count == b->vertex_count ? a->vertex_count : 0) {
  case 3: return collide_triangles(a, b, result);
  case 4: return collide_quadrilaterals(a, b, result);
  case 6: return collide_hexagons(a, b, result);
  case 8: return collide_octagons(a, b, result);
  default: return collide_unlike_polygons(a, b, result);
  }
}

sat_Status SAT_IN_THIS_SET(sat_rounded_collide)(const sat_Shape *a, const sat_Shape *b,
                                                sat_Result *result) {
  return status_or_general(overlap_rounded(a, b, false, result), a, b, result);
}

#define COLLIDE_AT_EDGE(name, polygon, circle, sign)                                               \
  SAT_NOT_INLINE sat_Status name(const sat_Shape *a, const sat_Shape *b, const sat_Vec2 *vertex,   \
                                 CircleEdge found, double error_bound, double tie,                 \
                                 sat_Result *result) {                                             \
    CircleQuestion question =                                                                      \
        known_circle_question(polygon, vertex, circle, sign, error_bound, tie);                    \
    return status_or_general(circle_verdict_at_edge(&question, found, false, result), a, b,        \
                             result);                                                              \
  }
COLLIDE_AT_EDGE(collide_at_edge_of_a, a, b, -1)
COLLIDE_AT_EDGE(collide_at_edge_of_b, b, a, 1)

/* A polygon, which is A or B, and a circle. A pair that is not separate is left to a second
 * function, so that this one needs no frame. */
SAT_INLINE sat_Status collide_circle(const sat_Shape *a, const sat_Shape *b, bool circle_last,
                                     uint32_t blocks, sat_Result *result) {
  CircleQuestion question =
      circle_last ? circle_question(a, blocks, b, -1) : circle_question(b, blocks, a, 1);
  CircleEdge found;
  switch (find_circle_edge(&question, blocks, false, &found)) {
  case SAT_SEPARATE: return SAT_MISS;
  case SAT_OVERLAP:
    return (circle_last ? collide_at_edge_of_a : collide_at_edge_of_b)(
        a, b, question.vertex, found, question.error_bound, question.tie, result);
  default: return sat_convex_collide(a, b, result);
  }
}

#define COLLIDE_CIRCLE(name, circle_last, blocks)                                                  \
  SAT_NOT_INLINE sat_Status name(const sat_Shape *a, const sat_Shape *b, sat_Result *result) {     \
    return collide_circle(a, b, circle_last, blocks, result);                                      \
  }
COLLIDE_CIRCLE(collide_circle_in_one_block, true, 1)
COLLIDE_CIRCLE(collide_circle_in_two_blocks, true, 2)
COLLIDE_CIRCLE(collide_circle_in_blocks, true, edge_block_count(a->vertex_count))

sat_Status SAT_IN_THIS_SET(sat_polygon_circle_collide)(const sat_Shape *a, const sat_Shape *b,
                                                       sat_Result *result) {
  switch (edge_block_count(a->vertex_count)) {
  case 1: return collide_circle_in_one_block(a, b, result);
  case 2: return collide_circle_in_two_blocks(a, b, result);
  default: return collide_circle_in_blocks(a, b, result);
  }
}

sat_Status SAT_IN_THIS_SET(sat_circle_polygon_collide)(const sat_Shape *a, const sat_Shape *b,
                                                       sat_Result *result) {
  return collide_circle(a, b, false, edge_block_count(b->vertex_count), result);
}

/* ---------------------------------------------------------------- touch */

sat_Verdict SAT_IN_THIS_SET(sat_polygons_touch)(const sat_Shape *a, const sat_Shape *b,
                                                sat_Result *result) {
  return overlap_polygons_verdict(a, b, true, result);
}

sat_Verdict SAT_IN_THIS_SET(sat_rounded_touch)(const sat_Shape *a, const sat_Shape *b,
                                               sat_Result *result) {
  return overlap_rounded(a, b, true, result);
}

sat_Verdict SAT_IN_THIS_SET(sat_circle_touch)(const sat_Shape *polygon, const sat_Shape *circle,
                                              double sign, sat_Result *result) {
  uint32_t blocks = edge_block_count(polygon->vertex_count);
  CircleQuestion question = circle_question(polygon, blocks, circle, sign);
  CircleEdge found;
  sat_Verdict verdict = find_circle_edge(&question, blocks, true, &found);
  return verdict == SAT_OVERLAP ? circle_verdict_at_edge(&question, found, true, result) : verdict;
}

/* ---------------------------------------------------------------- overlap */

/* Up to this many vertices the separations take no longer than a test of the bounding boxes
 * saves. */
#define MAX_UNBOXED_VERTICES 4

/* Two polygons of `count` vertices each, a constant. There is no branch between the answers, since
 * it would be mispredicted on every other pair. */
SAT_INLINE sat_Status overlap_few_status(const sat_Shape *a, const sat_Shape *b, uint32_t count) {
  sat_Vec2 origin_offset = sub(b->origin, a->origin);
  double error_bound = separation_error_bound(a, b, origin_offset);
  if (count > MAX_UNBOXED_VERTICES && boxes_part(a, b, error_bound)) return SAT_MISS;
  double4 of_a = compute_separations(edges_of(a), count, few_vertices(b, count), count,
                                     double4_offset(origin_offset), false)
                     .max_of_columns;
  double4 of_b = compute_separations(edges_of(b), count, few_vertices(a, count), count,
                                     double4_offset(origin_offset), true)
                     .max_of_columns;
  double max_separation = double4_greatest(double4_max(of_a, of_b));
  if (fabs(max_separation) <= error_bound) return sat_convex_overlaps(a, b);
  return (sat_Status)(max_separation > 0); /* SAT_OK or SAT_MISS */
}

SAT_INLINE sat_Status overlap_status(sat_Verdict verdict, const sat_Shape *a, const sat_Shape *b) {
  if (verdict == SAT_UNDECIDED) return sat_convex_overlaps(a, b);
  return verdict == SAT_OVERLAP ? SAT_OK : SAT_MISS;
}

#define OVERLAP_FEW(name, count)                                                                   \
  SAT_NOT_INLINE sat_Status name(const sat_Shape *a, const sat_Shape *b) {                         \
    return overlap_few_status(a, b, count);                                                        \
  }
OVERLAP_FEW(overlap_triangles, 3)
OVERLAP_FEW(overlap_quadrilaterals, 4)
OVERLAP_FEW(overlap_hexagons, 6)
OVERLAP_FEW(overlap_octagons, 8)

SAT_NOT_INLINE sat_Status overlap_circle_at_edge(const sat_Shape *polygon, const sat_Shape *circle,
                                                 const sat_Vec2 *vertex, CircleEdge found,
                                                 double error_bound, double tie) {
  CircleQuestion question = known_circle_question(polygon, vertex, circle, 1, error_bound, tie);
  return overlap_status(circle_verdict_at_edge(&question, found, false, NULL), polygon, circle);
}

SAT_INLINE sat_Status overlap_circle_status(const sat_Shape *polygon, const sat_Shape *circle,
                                            uint32_t blocks) {
  CircleQuestion question = circle_question(polygon, blocks, circle, 1);
  CircleEdge found;
  switch (find_circle_edge(&question, blocks, false, &found)) {
  case SAT_SEPARATE: return SAT_MISS;
  case SAT_OVERLAP:
    return overlap_circle_at_edge(polygon, circle, question.vertex, found, question.error_bound,
                                  question.tie);
  default: return sat_convex_overlaps(polygon, circle);
  }
}

#define OVERLAP_CIRCLE(name, blocks)                                                               \
  SAT_NOT_INLINE sat_Status name(const sat_Shape *polygon, const sat_Shape *circle) {              \
    return overlap_circle_status(polygon, circle, blocks);                                         \
  }
OVERLAP_CIRCLE(overlap_circle_in_one_block, 1)
OVERLAP_CIRCLE(overlap_circle_in_two_blocks, 2)
OVERLAP_CIRCLE(overlap_circle_in_blocks, edge_block_count(polygon->vertex_count))

sat_Status SAT_IN_THIS_SET(sat_circle_overlaps)(const sat_Shape *polygon, const sat_Shape *circle) {
  switch (edge_block_count(polygon->vertex_count)) {
  case 1: return overlap_circle_in_one_block(polygon, circle);
  case 2: return overlap_circle_in_two_blocks(polygon, circle);
  default: return overlap_circle_in_blocks(polygon, circle);
  }
}

SAT_NOT_INLINE sat_Status overlap_unlike_polygons(const sat_Shape *a, const sat_Shape *b) {
  return overlap_status(overlap_any(a, b, false, NULL), a, b);
}

sat_Status SAT_IN_THIS_SET(sat_polygons_overlap)(const sat_Shape *a, const sat_Shape *b) {
  switch (a->vertex_count == b->vertex_count ? a->vertex_count : 0) {
  case 3: return overlap_triangles(a, b);
  case 4: return overlap_quadrilaterals(a, b);
  case 6: return overlap_hexagons(a, b);
  case 8: return overlap_octagons(a, b);
  default: return overlap_unlike_polygons(a, b);
  }
}

sat_Status SAT_IN_THIS_SET(sat_rounded_overlap)(const sat_Shape *a, const sat_Shape *b) {
  return overlap_status(overlap_rounded(a, b, false, NULL), a, b);
}
