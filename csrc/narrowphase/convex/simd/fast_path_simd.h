/* fast_path_simd.h: the fast path, for the instruction set of the file that includes it.
 *
 * On small polygons one mispredicted branch costs more than all the projections of an edge: so the
 * separations of all edges of both sides are computed without a branch, and the verdict is taken
 * once, at the end. */
#include "base/double2.h"
#include "narrowphase/convex/simd/fast_path.h"
#include "narrowphase/convex/simd/separation_simd.h"

/* Both shapes of a call. Separations above `threshold` make a pair separate. What a branch alone
 * needs, such as the bound of ties, is computed there: it would take a register over all loops. */
typedef struct ShapePair {
  sat_Convex of[2];
  sat_Vec2 origin_offset[2];
  double error_bound, threshold;
} ShapePair;

/* The vertices of a polygon that has `count` of them, a constant. */
SAT_INLINE const sat_Vec2 *few_vertices(const sat_Shape *shape, uint32_t count) {
  return (const sat_Vec2 *)(edges_of(shape) + edge_block_count(count));
}

/* The vector from A's origin to B's, twice. */
SAT_INLINE double4 twice_offset(const sat_Shape *a, const sat_Shape *b) {
  return double4_sub(double4_load_twice(&b->origin), double4_load_twice(&a->origin));
}

/* `error_bound`: see SAT_SEPARATION_ROUNDING. */
SAT_INLINE ShapePair shape_pair(const sat_Shape *a, const sat_Shape *b, uint32_t count_a,
                                uint32_t count_b, bool clearly) {
  sat_Vec2 origin_offset = sub(b->origin, a->origin);
  double l1_offset = double2_sum(double2_abs(double4_low(twice_offset(a, b)))),
         error_bound = SAT_SEPARATION_ROUNDING * (l1_offset + (a->l1_bound + b->l1_bound));
  ShapePair shapes = {{sat_convex_of(a), sat_convex_of(b)},
                      {origin_offset, neg(origin_offset)},
                      error_bound,
                      clearly ? CLEARLY * tie_bound(a, b) : error_bound};
  shapes.of[0].vertex = few_vertices(a, count_a);
  shapes.of[1].vertex = few_vertices(b, count_b);
  return shapes;
}

SAT_INLINE sat_Verdict verdict_of(const ShapePair *shapes, double max_separation) {
  return max_separation > shapes->threshold      ? SAT_SEPARATE
         : max_separation < -shapes->error_bound ? SAT_OVERLAP
                                                 : SAT_UNDECIDED;
}

/* ---------------------------------------------------------------- all gaps */

/* The separations of one side's edges. The counts are parameters below: constant counts let the
 * compiler unroll the loops, which takes half the time. */
typedef struct EdgeSeparations {
  double4 of[SAT_MOST_FEW / 4];
  double4 max_of_columns;
} EdgeSeparations;

SAT_INLINE EdgeSeparations compute_separations(const sat_Edges *own, uint32_t count,
                                               const sat_Vec2 *other, uint32_t others,
                                               double4_Offset origin_offset) {
  double4 none = double4_of(-HUGE_VAL);
  EdgeSeparations separations = {{none, none, none, none}, none};
  SAT_UNROLL
  for (uint32_t i = 0; i < edge_block_count(count); i++) {
    ScanNormals normals = normals_from(&own[i], origin_offset);
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

typedef struct PairSeparations {
  EdgeSeparations of_a, of_b;
  double max_separation;
} PairSeparations;

SAT_INLINE PairSeparations compute_pair_separations(const ShapePair *shapes, double4 twice_offset,
                                                    uint32_t count_a, uint32_t count_b) {
  const sat_Convex *a = &shapes->of[0], *b = &shapes->of[1];
  double4 zero = double4_of(0), x = double4_firsts(twice_offset, twice_offset),
          y = double4_seconds(twice_offset, twice_offset);
  double4_Offset from_a = {x, y}, from_b = {double4_sub(zero, x), double4_sub(zero, y)};
  PairSeparations separations = {compute_separations(a->edges, count_a, b->vertex, count_b, from_a),
                                 compute_separations(b->edges, count_b, a->vertex, count_a, from_b),
                                 0};
  separations.max_separation = double4_greatest(
      double4_max(separations.of_a.max_of_columns, separations.of_b.max_of_columns));
  return separations;
}

/* One of the edges of maximum separation, its side and its normal: of equal ones A's, and the
 * first. */
typedef struct MaxEdge {
  uint32_t side, edge;
  sat_Vec2 normal;
} MaxEdge;

SAT_INLINE MaxEdge max_edge(const ShapePair *shapes, uint32_t side, uint32_t bits, uint32_t count) {
  const sat_Edges *edges = shapes->of[side].edges;
  uint32_t edge = lowest_bit(bits);
  sat_Vec2 normal = count > 4 ? normal_of(edges, edge) : vec2(edges->x[edge], edges->y[edge]);
  return (MaxEdge){side, edge, normal};
}

/* Returns false where the maximum has a rival: then no single edge decides. Two edges back to back
 * are one axis. */
SAT_INLINE bool find_max_edge(const ShapePair *shapes, const PairSeparations *separations,
                              uint32_t count_a, uint32_t count_b, double tie, MaxEdge *max) {
  double limit = separations->max_separation, rival = limit - tie;
  uint32_t of_a = edges_at_least(&separations->of_a, count_a, rival),
           of_b = edges_at_least(&separations->of_b, count_b, rival);
  if (!is_one_bit(of_a) || !is_one_bit(of_b)) return false;
  if (count_a == 1 || (count_b > 1 && of_a == 0)) { /* a circle has no edges */
    *max = max_edge(shapes, 1, of_b, count_b);
    return true;
  }
  *max = max_edge(shapes, 0, of_a, count_a);
  if (count_b == 1 || of_b == 0) return true;
  MaxEdge other = max_edge(shapes, 1, of_b, count_b);
  if (!are_back_to_back(max->normal, other.normal)) return false;
  if (edges_at_least(&separations->of_a, count_a, limit) == 0) *max = other;
  return true;
}

SAT_INLINE void fast_result_from_edge(MaxEdge max, double depth, sat_Result *result) {
  double sign = max.side ? 1 : -1;
  double2 normal = double2_mul(double2_of(max.normal.x, max.normal.y), double2_of(sign, sign));
  double2 vector = double2_mul(normal, double2_of(depth, depth));
  set_translation(normal, vector, depth, max.side, max.edge, false, result);
}

SAT_INLINE sat_Verdict scan_verdict(const sat_Shape *a, const sat_Shape *b, const ShapePair *shapes,
                                    uint32_t count_a, uint32_t count_b, sat_Result *result) {
  PairSeparations separations =
      compute_pair_separations(shapes, twice_offset(a, b), count_a, count_b);
  sat_Verdict verdict = verdict_of(shapes, separations.max_separation);
  if (!result || verdict != SAT_OVERLAP) return verdict;
  MaxEdge max;
  double tie = tie_of(a, b, a->l1_bound + b->l1_bound);
  if (!find_max_edge(shapes, &separations, count_a, count_b, tie, &max)) return SAT_UNDECIDED;
  fast_result_from_edge(max, -separations.max_separation, result);
  return SAT_OVERLAP;
}

/* ---------------------------------------------------------------- more vertices */

/* Tests the edges of one side that may separate the two: the support vertex along the line of the
 * centroids bounds each separation from above, and edges with a negative bound are skipped. */
SAT_NOT_INLINE sat_Verdict test_promising_edges(const ShapePair *shapes, uint32_t side,
                                                sat_Vec2 toward) {
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

/* Polygons of any numbers of vertices. `clearly`: see fast_path.h. */
SAT_INLINE sat_Verdict overlap_any(const sat_Shape *a, const sat_Shape *b, bool clearly,
                                   sat_Result *result) {
  uint32_t of_a = a->vertex_count, of_b = b->vertex_count, more = of_a > of_b ? of_a : of_b;
  ShapePair shapes = shape_pair(a, b, of_a, of_b, clearly);
  if (boxes_are_separate(a, b, double4_low(twice_offset(a, b)), shapes.threshold))
    return SAT_SEPARATE;
  if (more <= SAT_MOST_FEW) return scan_verdict(a, b, &shapes, of_a, of_b, result);
  if (circles_are_separate(a, b, shapes.origin_offset[0], shapes.threshold)) return SAT_SEPARATE;
  if (result) return SAT_UNDECIDED; /* the general search takes no longer */
  sat_Vec2 toward =
      add(shapes.origin_offset[0], sub(b->centroid_from_origin, a->centroid_from_origin));
  sat_Verdict by_a = test_promising_edges(&shapes, 0, toward);
  if (by_a == SAT_SEPARATE) return SAT_SEPARATE;
  sat_Verdict by_b = test_promising_edges(&shapes, 1, neg(toward));
  return by_b == SAT_SEPARATE || by_a == SAT_OVERLAP ? by_b : SAT_UNDECIDED;
}

/* Two polygons of `count` vertices each, a constant. */
SAT_INLINE sat_Verdict overlap_few(const sat_Shape *a, const sat_Shape *b, uint32_t count,
                                   bool clearly, sat_Result *result) {
  ShapePair shapes = shape_pair(a, b, count, count, clearly);
  if (boxes_are_separate(a, b, double4_low(twice_offset(a, b)), shapes.threshold))
    return SAT_SEPARATE;
  return scan_verdict(a, b, &shapes, count, count, result);
}

/* The answer for two shapes of that number of vertices each, or for any. */
#define BY_EQUAL_COUNT(a, b, of_count, of_any)                                                     \
  switch ((a)->vertex_count == (b)->vertex_count ? (a)->vertex_count : 0) {                        \
  case 3: return of_count(3);                                                                      \
  case 4: return of_count(4);                                                                      \
  case 6: return of_count(6);                                                                      \
  case 8: return of_count(8);                                                                      \
  default: return of_any;                                                                          \
  }

/* ---------------------------------------------------------------- rounded shapes */

/* The distances within which a pair meets, and beyond which it is apart beyond rounding. */
typedef struct Margin {
  double radius, most, tie;
  bool clearly;
} Margin;

SAT_INLINE sat_Verdict verdict_at(double distance, Margin margin) {
  if (distance <= margin.radius) return SAT_OVERLAP;
  return margin.clearly && distance <= margin.most ? SAT_UNDECIDED : SAT_SEPARATE;
}

/* The verdict by a corner of D, made by that vertex of A. */
SAT_INLINE sat_Verdict verdict_at_corner(sat_Vec2 corner, uint32_t of_a, Margin margin,
                                         sat_Result *result) {
  double distance = square_root(dot(corner, corner));
  if (distance <= margin.tie) return SAT_UNDECIDED;
  sat_Verdict verdict = verdict_at(distance, margin);
  if (!result || verdict != SAT_OVERLAP) return verdict;
  set_mtv(double2_of(-corner.x / distance, -corner.y / distance), margin.radius - distance, SAT_A,
          of_a, true, result);
  return SAT_OVERLAP;
}

/* The verdict by the corner of two vertices, which is computed as in the general path, whose zeros
 * have a sign. */
SAT_INLINE sat_Verdict corner_verdict(const ShapePair *shapes, uint32_t side, uint32_t end,
                                      uint32_t nearest, Margin margin, sat_Result *result) {
  sat_Vec2 at = shapes->of[side].vertex[end], other = shapes->of[!side].vertex[nearest];
  sat_Vec2 corner = add(shapes->origin_offset[0], side ? sub(at, other) : sub(other, at));
  return verdict_at_corner(corner, side ? nearest : end, margin, result);
}

SAT_INLINE sat_Verdict edge_verdict(MaxEdge max, double separation, Margin margin,
                                    sat_Result *result) {
  sat_Verdict verdict = verdict_at(separation, margin);
  if (!result || verdict != SAT_OVERLAP) return verdict;
  fast_result_from_edge(max, margin.radius - separation, result);
  if (result->depth == 0) result->vector = vec2(0, 0); /* without signs */
  return SAT_OVERLAP;
}

/* The one vertex that is nearest to an edge. Returns false where others are as near but for
 * rounding. */
SAT_INLINE bool find_nearest(const ShapePair *shapes, MaxEdge max, uint32_t others, double tie,
                             uint32_t *nearest) {
  const sat_Vec2 *vertex = shapes->of[!max.side].vertex;
  double least = dot(max.normal, vertex[0]), second = HUGE_VAL;
  *nearest = 0;
  for (uint32_t i = 1; i < others; i++) {
    double across = dot(max.normal, vertex[i]);
    second = min2(second, max2(across, least));
    *nearest = across < least ? i : *nearest;
    least = min2(across, least);
  }
  return others == 1 || second - least > tie;
}

/* The verdict where the cores are apart, by the edge of maximum separation if the nearest vertex is
 * beside it, and else by its nearer end. */
SAT_INLINE sat_Verdict verdict_apart(const ShapePair *shapes, MaxEdge max, double separation,
                                     uint32_t others, Margin margin, sat_Result *result) {
  const sat_Convex *own = &shapes->of[max.side];
  uint32_t nearest, edge = max.edge, next = edge + 1 < own->count ? edge + 1 : 0;
  if (!find_nearest(shapes, max, others, margin.tie, &nearest)) return SAT_UNDECIDED;
  sat_Vec2 start = own->vertex[edge], along = sub(own->vertex[next], start);
  sat_Vec2 arm = sub(shapes->of[!max.side].vertex[nearest], start);
  double t = dot(add(shapes->origin_offset[max.side], arm), along), size = dot(along, along);
  if (t < 0) return corner_verdict(shapes, max.side, edge, nearest, margin, result);
  if (t > size)
    return t > size * (1 + 2 * SAT_EPSILON)
               ? corner_verdict(shapes, max.side, next, nearest, margin, result)
               : SAT_UNDECIDED;
  return edge_verdict(max, separation, margin, result);
}

/* The edge of maximum separation, or its nearer end, decides where no rounding leaves open which of
 * them is the closest feature: its distance is the same in either order of the shapes. A count of 1
 * is a circle's. */
SAT_INLINE sat_Verdict rounded_verdict(const sat_Shape *a, const sat_Shape *b, uint32_t count_a,
                                       uint32_t count_b, bool clearly, sat_Result *result) {
  ShapePair shapes = shape_pair(a, b, count_a, count_b, clearly);
  double radius = a->radius + b->radius, tie = tie_bound(a, b);
  Margin margin = {radius, radius + (clearly ? CLEARLY * tie : tie), tie, clearly};
  if (count_a > 1 && count_b > 1 &&
      boxes_are_separate(a, b, double4_low(twice_offset(a, b)), margin.most))
    return SAT_SEPARATE;
  PairSeparations separations =
      compute_pair_separations(&shapes, twice_offset(a, b), count_a, count_b);
  double separation = separations.max_separation;
  if (separation > margin.most) return SAT_SEPARATE;
  if (fabs(separation) <= tie) return SAT_UNDECIDED;
  if (!result && separation < 0) return SAT_OVERLAP;
  MaxEdge max;
  if (!find_max_edge(&shapes, &separations, count_a, count_b, tie, &max)) return SAT_UNDECIDED;
  if (separation < 0) return edge_verdict(max, separation, margin, result);
  return verdict_apart(&shapes, max, separation, max.side ? count_a : count_b, margin, result);
}

#define ROUNDED_VERDICT(name, of_a, of_b)                                                          \
  SAT_NOT_INLINE sat_Verdict name(const sat_Shape *a, const sat_Shape *b, bool clearly,            \
                                  sat_Result *result) {                                            \
    return rounded_verdict(a, b, of_a, of_b, clearly, result);                                     \
  }
ROUNDED_VERDICT(rounded_few_and_circle, 4, 1) /* a block of edges, of a polygon or a capsule */
ROUNDED_VERDICT(rounded_segments, 2, 2)
ROUNDED_VERDICT(rounded_3, 3, 3)
ROUNDED_VERDICT(rounded_4, 4, 4)
ROUNDED_VERDICT(rounded_6, 6, 6)
ROUNDED_VERDICT(rounded_8, 8, 8)
ROUNDED_VERDICT(rounded_unlike, a->vertex_count, b->vertex_count)

#define ROUNDED(count) rounded_##count(a, b, clearly, result)
SAT_INLINE sat_Verdict overlap_rounded(const sat_Shape *a, const sat_Shape *b, bool clearly,
                                       sat_Result *result) {
  if (b->vertex_count == 1 && a->vertex_count <= 4)
    return rounded_few_and_circle(a, b, clearly, result);
  if (a->vertex_count == 2 && b->vertex_count == 2) return rounded_segments(a, b, clearly, result);
  BY_EQUAL_COUNT(a, b, ROUNDED, rounded_unlike(a, b, clearly, result));
}

/* ---------------------------------------------------------------- collide */

/* Each kernel answers one question for one kind of pair and leaves an undecided pair by a tail
 * call, so that it keeps nothing across a call: a return to the caller takes 1.0 to 1.6 ns more.
 * Each number of vertices has a function of its own, with no more of a frame than it needs. */
#define COLLIDE(name, verdict)                                                                     \
  SAT_NOT_INLINE sat_Status name(const sat_Shape *a, const sat_Shape *b, sat_Result *result) {     \
    sat_Verdict decided = verdict;                                                                 \
    if (decided == SAT_UNDECIDED) return sat_convex_collide(a, b, result);                         \
    return status_of_verdict(decided);                                                             \
  }
COLLIDE(collide_3, overlap_few(a, b, 3, false, result))
COLLIDE(collide_4, overlap_few(a, b, 4, false, result))
COLLIDE(collide_6, overlap_few(a, b, 6, false, result))
COLLIDE(collide_8, overlap_few(a, b, 8, false, result))
COLLIDE(collide_unlike_polygons, overlap_any(a, b, false, result))

#define COLLIDED(count) collide_##count(a, b, result)
sat_Status SAT_IN_THIS_SET(sat_polygons_collide)(const sat_Shape *a, const sat_Shape *b,
                                                 sat_Result *result) {
  BY_EQUAL_COUNT(a, b, COLLIDED, collide_unlike_polygons(a, b, result));
}

/* A circle and a shape of one or two blocks of edges; or of any, where it comes second. */
COLLIDE(collide_circle_in_one_block, rounded_verdict(a, b, 4, 1, false, result))
COLLIDE(collide_circle_in_two_blocks, rounded_verdict(a, b, 8, 1, false, result))
COLLIDE(collide_with_one_block, rounded_verdict(a, b, 1, 4, false, result))
COLLIDE(collide_with_blocks, rounded_verdict(a, b, 1, b->vertex_count, false, result))
COLLIDE(collide_rounded, overlap_rounded(a, b, false, result))

sat_Status SAT_IN_THIS_SET(sat_rounded_collide)(const sat_Shape *a, const sat_Shape *b,
                                                sat_Result *result) {
  if (b->vertex_count == 1 && a->vertex_count <= 4)
    return collide_circle_in_one_block(a, b, result);
  if (b->vertex_count == 1 && a->vertex_count <= 8)
    return collide_circle_in_two_blocks(a, b, result);
  if (a->vertex_count > 1) return collide_rounded(a, b, result);
  return b->vertex_count <= 4 ? collide_with_one_block(a, b, result)
                              : collide_with_blocks(a, b, result);
}

/* ---------------------------------------------------------------- touch */

#define TOUCHED(count) overlap_few(a, b, count, true, result)
sat_Verdict SAT_IN_THIS_SET(sat_polygons_touch)(const sat_Shape *a, const sat_Shape *b,
                                                sat_Result *result) {
  BY_EQUAL_COUNT(a, b, TOUCHED, overlap_any(a, b, true, result));
}

sat_Verdict SAT_IN_THIS_SET(sat_rounded_touch)(const sat_Shape *a, const sat_Shape *b,
                                               sat_Result *result) {
  return overlap_rounded(a, b, true, result);
}

/* ---------------------------------------------------------------- overlap */

/* Up to this many vertices the separations take no longer than a test of the bounding boxes
 * saves. */
#define MAX_UNBOXED_VERTICES 4

/* Two polygons of `count` vertices each, a constant. There is no branch between the answers, since
 * it would be mispredicted on every other pair. */
SAT_INLINE sat_Status overlap_few_status(const sat_Shape *a, const sat_Shape *b, uint32_t count) {
  ShapePair shapes = shape_pair(a, b, count, count, false);
  if (count > MAX_UNBOXED_VERTICES &&
      boxes_are_separate(a, b, double4_low(twice_offset(a, b)), shapes.error_bound))
    return SAT_MISS;
  double max_separation =
      compute_pair_separations(&shapes, twice_offset(a, b), count, count).max_separation;
  if (fabs(max_separation) <= shapes.error_bound) return sat_convex_overlaps(a, b);
  return (sat_Status)(max_separation > 0); /* SAT_OK or SAT_MISS */
}

SAT_INLINE sat_Status overlap_status(sat_Verdict verdict, const sat_Shape *a, const sat_Shape *b) {
  if (verdict == SAT_UNDECIDED) return sat_convex_overlaps(a, b);
  return status_of_verdict(verdict);
}

#define OVERLAP(name, status)                                                                      \
  SAT_NOT_INLINE sat_Status name(const sat_Shape *a, const sat_Shape *b) { return status; }
OVERLAP(overlap_3, overlap_few_status(a, b, 3))
OVERLAP(overlap_4, overlap_few_status(a, b, 4))
OVERLAP(overlap_6, overlap_few_status(a, b, 6))
OVERLAP(overlap_8, overlap_few_status(a, b, 8))
OVERLAP(overlap_unlike_polygons, overlap_status(overlap_any(a, b, false, NULL), a, b))

#define OVERLAPPED(count) overlap_##count(a, b)
sat_Status SAT_IN_THIS_SET(sat_polygons_overlap)(const sat_Shape *a, const sat_Shape *b) {
  BY_EQUAL_COUNT(a, b, OVERLAPPED, overlap_unlike_polygons(a, b));
}

OVERLAP(overlap_circle_in_one_block, overlap_status(rounded_verdict(a, b, 4, 1, false, NULL), a, b))
OVERLAP(overlap_circle_in_two_blocks,
        overlap_status(rounded_verdict(a, b, 8, 1, false, NULL), a, b))
OVERLAP(overlap_rounded_shapes, overlap_status(overlap_rounded(a, b, false, NULL), a, b))

sat_Status SAT_IN_THIS_SET(sat_rounded_overlap)(const sat_Shape *a, const sat_Shape *b) {
  const sat_Shape *first = a->vertex_count == 1 ? b : a, *last = a->vertex_count == 1 ? a : b;
  if (last->vertex_count > 1 || first->vertex_count > 8) return overlap_rounded_shapes(a, b);
  if (first->vertex_count > 4) return overlap_circle_in_two_blocks(first, last);
  return overlap_circle_in_one_block(first, last);
}

/* ---------------------------------------------------------------- distance */

/* Where on the edge of maximum separation the other side's nearest vertex is, from 0 to 1, or which
 * end of the edge it is beyond. NaN: rounding leaves that open, as beside the tip of a needle. */
SAT_INLINE double place_on_edge(const ShapePair *shapes, MaxEdge max, const sat_Vec2 *from,
                                const sat_Vec2 *to, sat_Vec2 other, double tie) {
  const sat_Convex *own = &shapes->of[max.side];
  sat_Vec2 edge = sub(*to, *from);
  double l1_length = fabs(edge.x) + fabs(edge.y), rounding = tie * l1_length;
  if (l1_length < shapes->error_bound * SAT_SHORT_EDGE)
    edge = sat_edge_along_hull(own, max.edge, edge);
  double size = dot(edge, edge),
         place = dot(add(shapes->origin_offset[max.side], sub(other, *from)), edge);
  if (place > rounding && place < size - rounding) return place / size;
  bool before = place < -rounding;
  const sat_Vec2 *first = own->vertex, *last = first + own->count - 1, *end = before ? from : to,
                 *beyond = before       ? (end > first ? end - 1 : last)
                           : end < last ? end + 1
                                        : first;
  double next_length = fabs(beyond->x - end->x) + fabs(beyond->y - end->y);
  if (min2(l1_length, next_length) <= tie) return NAN;
  return before ? -1 : place > size + rounding ? 2 : NAN;
}

/* The edge of maximum separation or an end of it is the closest feature of shapes that are apart,
 * whatever the general path begins its walk with. */
sat_Verdict SAT_IN_THIS_SET(sat_few_distance)(const sat_Shape *a, const sat_Shape *b,
                                              sat_Distance *result) {
  uint32_t count_a = a->vertex_count, count_b = b->vertex_count, nearest;
  ShapePair shapes = shape_pair(a, b, count_a, count_b, false);
  PairSeparations separations =
      compute_pair_separations(&shapes, twice_offset(a, b), count_a, count_b);
  double radius = a->radius + b->radius, distance = separations.max_separation,
         tie = tie_bound(a, b);
  MaxEdge max;
  if (distance < -tie) return SAT_OVERLAP;
  if (distance <= tie || !find_max_edge(&shapes, &separations, count_a, count_b, tie, &max) ||
      !find_nearest(&shapes, max, max.side ? count_a : count_b, tie, &nearest))
    return SAT_UNDECIDED;
  const sat_Convex *own = &shapes.of[max.side];
  const sat_Vec2 *from = own->vertex + max.edge,
                 *to = max.edge + 1 < own->count ? from + 1 : own->vertex;
  sat_Vec2 of[2], normal = max.normal;
  of[!max.side] = shapes.of[!max.side].vertex[nearest];
  double t = place_on_edge(&shapes, max, from, to, of[!max.side], tie);
  if (t > 0 && t < 1) {
    of[max.side] = lerp(*from, *to, t);
    if (max.side == 0) normal = neg(normal);
  } else {
    of[max.side] = t < 0 ? *from : *to;
    sat_Vec2 corner = add(shapes.origin_offset[0], sub(of[1], of[0]));
    distance = square_root(dot(corner, corner));
    normal = vec2(-corner.x / distance, -corner.y / distance);
  }
  if (isnan(t) || distance <= radius + tie) return SAT_UNDECIDED;
  result->distance = distance - radius;
  result->on_a = sub(add(a->origin, of[0]), mul(normal, a->radius));
  result->on_b = add(add(b->origin, of[1]), mul(normal, b->radius));
  return SAT_SEPARATE;
}
