/* union_deepest.c: the pair of pieces that overlaps most, and whether the vector out of it is the
 * vector out of the union. */
#include "base/double2.h"
#include "narrowphase/convex/upright_side.h"
#include "narrowphase/union/union_search.h"

/* No more pairs than this are visited without the trees of the pieces. */
#define VERY_FEW_PAIRS 16
/* Where more pairs than this overlap, the deepest one is not expected to decide. */
#define MAX_COUNTED_OVERLAPS 6

/* ---------------------------------------------------------------- pairs of pieces */

/* Calls for a pair unless the box of its difference is farther from the origin than a distance: all
 * four comparisons at once, since few of many boxes are near. */
SAT_INLINE bool visit_pair(sat_UnionSearch *search, double max_distance, PairVisit visit,
                           const uint32_t piece_index[2]) {
  const sat_Piece *a = &search->view[0]->pieces[piece_index[0]],
                  *b = &search->view[1]->pieces[piece_index[1]];
  double radius = sat_piece_radius(search->view[0], a) + sat_piece_radius(search->view[1], b);
  double2 out = double2_of(radius, radius), offset = double2_load(&search->origin_offset),
          limit = double2_of(max_distance, max_distance);
  double2 min = double2_sub(double2_load(&b->box.min), double2_load(&a->box.max)),
          max = double2_sub(double2_load(&b->box.max), double2_load(&a->box.min));
  sat_Box box;
  min = double2_sub(double2_add(offset, min), out);
  max = double2_add(double2_add(offset, max), out);
  if (!double2_in_order(min, limit, double2_neg(limit), max)) return true;
  double2_store(&box.min, min);
  double2_store(&box.max, max);
  return !box_is_near(box, max_distance) || visit(search, piece_index, box);
}

bool sat_union_visit_pairs(sat_UnionSearch *search, double max_distance, PairVisit visit) {
  const sat_PieceView *a = search->view[0], *b = search->view[1];
  uint32_t piece_index[2];
  if ((uint64_t)a->count * b->count <= VERY_FEW_PAIRS) {
    for (piece_index[0] = 0; piece_index[0] < a->count; piece_index[0]++)
      for (piece_index[1] = 0; piece_index[1] < b->count; piece_index[1]++)
        if (!visit_pair(search, max_distance, visit, piece_index)) return false;
    return true;
  }
  sat_PiecePairs piece_pairs = sat_piece_pairs_begin(a, b, max_distance);
  while (sat_piece_pairs_next(&piece_pairs, piece_index))
    if (!visit_pair(search, max_distance, visit, piece_index)) return false;
  return true;
}

/* No pair is deeper than the box of its difference. */
static double depth_of_box(sat_Box box) {
  return min2(min2(-box.min.x, box.max.x), min2(-box.min.y, box.max.y));
}

/* ---------------------------------------------------------------- touches */

/* The segment of a facet. */
static sat_Curve segment_of_facet(const sat_Pair *pair, const sat_Facet *facet) {
  sat_Vec2 normal = facet_normal(pair, facet), ahead = perp(normal),
           start = add(sat_facet_start(pair, facet), mul(normal, pair->radius));
  return (sat_Curve){start, ahead, normal, 0,
                     dot(ahead, sat_facet_edge(pair, facet->side, facet->edge))};
}

/* Gives the segment that the origin is on, of a difference that it is on the line of one side of,
 * and its facet. Of two parallel edges that make up the side, A's comes first. */
static sat_Curve segment_at_origin(const sat_Pair *pair, sat_Facet *facet) {
  const sat_Convex *other = &pair->of[!facet->side];
  sat_Vec2 inward = neg(normal_of(pair->of[facet->side].edges, facet->edge));
  uint32_t edge[2] = {facet->edge, facet->edge}, partner = other->count;
  while (partner-- > 0)
    if (cross(inward, normal_of(other->edges, partner)) == 0 &&
        dot(inward, normal_of(other->edges, partner)) > 0)
      break;
  edge[!facet->side] = partner;
  *facet = partner < other->count
               ? sat_facet_at(pair, SAT_A, edge[0], edge[1])
               : sat_facet_at(pair, facet->side, facet->edge, sat_support_by_scan(other, inward));
  sat_Curve segment = segment_of_facet(pair, facet);
  if (partner >= other->count || -dot(segment.base, segment.ahead) <= segment.end) return segment;
  *facet = sat_facet_at(pair, SAT_B, edge[1], next_index(&pair->of[SAT_A], edge[0]));
  return segment_of_facet(pair, facet);
}

/* Whether a pair touches well within a facet that leads out on the same side as those before. No
 * other curve of the difference is as near, and while no interiors meet nothing covers the facet.
 * The first of the nearest facets is kept. */
static bool measure_touch(sat_UnionSearch *search, const sat_Pair *pair,
                          const uint32_t piece_index[2], const sat_ConvexTest *test) {
  bool sharp = pair->radius == 0;
  if (is_flat_piece(search, 0, piece_index[0]) || is_flat_piece(search, 1, piece_index[1]) ||
      (sharp ? test->ties
             : test->inside || test->closest.corner || test->closest.distance <= search->tie))
    return false;
  sat_Facet facet = sharp ? test->max_facet : test->closest.facet;
  sat_Curve segment = segment_at_origin(pair, &facet);
  double margin =
             max2(pair->error_bound * SAT_BESIDE_MARGIN, SAT_ROUNDINGS_BESIDE * search->rounding),
         t = -dot(segment.base, segment.ahead), near = length(sat_curve_point(&segment, t));
  if (!(t > margin && segment.end - t > margin)) return false;
  sat_ExposedFeatures own = exposed_features(search, facet.side, piece_index[facet.side]),
                      other = exposed_features(search, !facet.side, piece_index[!facet.side]);
  if (!(own.edges >> (facet.edge & 31) & other.corners >> (facet.vertex & 31) & 1)) return true;
  if (search->best_length < HUGE_VAL) {
    if (dot(segment.normal, search->best.result.normal) <= 1 - SAT_SAME_WAY) return false;
    if (near >= search->best_length) return true;
  }
  search->best_length = near;
  search->best =
      (sat_UnionMtv){{{0, 0}, segment.normal, 0, (sat_Side)facet.side, facet.edge, false, false},
                     {piece_index[0], piece_index[1]},
                     false};
  return true;
}

bool sat_union_touch_decides(sat_UnionSearch *search, sat_UnionMtv *mtv) {
  *mtv = search->best;
  return search->touch_decides && search->best_length < HUGE_VAL;
}

/* ---------------------------------------------------------------- the deepest pair */

/* Measures how deep a pair overlaps: no vector is shorter. */
static bool measure_overlap(sat_UnionSearch *search, const uint32_t piece_index[2], sat_Box box) {
  sat_Pair pair = difference_pair(search, piece_index);
  sat_ConvexTest test = {.inside = true};
  if ((depth_of_box(box) > search->tie ||
       !sat_find_upright_touch(&pair, search->tie, &test.max_facet)) &&
      (!box_is_near(box, search->rounding) ||
       !sat_convex_test(&pair, search->tie, false, NULL, &test))) {
    pair.radius += SAT_BOUNDARY_ROUNDINGS * search->rounding;
    search->touch_decides = search->touch_decides && !sat_convex_test(&pair, 0, false, NULL, &test);
    return true;
  }
  if (search->has_chain) {
    sat_PiecePair pieces = sat_piece_pair_of(search->view[0], search->view[1], piece_index);
    search->touches_solid = search->touches_solid || !sat_pieces_one_sided(&pieces);
  }
  double separation = test.inside ? test.max_facet.separation : test.closest.distance;
  search->found = true;
  double touch = sat_touch_of_piece(search->view[1], piece_index[1]);
  search->overlaps = search->overlaps || separation < pair.radius - touch;
  search->touch_decides = search->touch_decides && !search->overlaps &&
                          measure_touch(search, &pair, piece_index, &test);
  search->has_boundary =
      search->has_boundary || pair.of[0].count + pair.of[1].count > 2 || pair.radius > 0;
  search->given_up =
      search->few_pairs && search->overlaps && ++search->overlap_count > MAX_COUNTED_OVERLAPS;
  if (pair.radius - separation < search->max_depth) return !search->given_up;
  search->max_depth = pair.radius - separation;
  search->deepest_pieces[0] = piece_index[0];
  search->deepest_pieces[1] = piece_index[1];
  search->deepest_test = test;
  return !search->given_up;
}

void sat_union_find_deepest(sat_UnionSearch *search) {
  search->best_length = HUGE_VAL;
  sat_union_visit_pairs(search, SAT_BOUNDARY_ROUNDINGS * search->rounding, measure_overlap);
}

/* ---------------------------------------------------------------- its vector */

static const sat_Piece *deepest_piece(const sat_UnionSearch *search, uint32_t side) {
  return &search->view[side]->pieces[search->deepest_pieces[side]];
}

static bool corner_is_exposed(const sat_UnionSearch *search, uint32_t side, uint32_t vertex) {
  return deepest_piece(search, side)->corners >> (vertex & 31) & 1;
}

static bool union_result_from_edge(const sat_UnionSearch *search, const sat_Pair *pair,
                                   sat_Facet facet, sat_Result *result) {
  sat_Vec2 normal = facet_normal(pair, &facet);
  *result = (sat_Result){mul(normal, search->max_depth),
                         normal,
                         search->max_depth,
                         (sat_Side)facet.side,
                         facet.edge,
                         false,
                         false};
  return deepest_piece(search, facet.side)->edges >> (facet.edge & 31) & 1 &&
         corner_is_exposed(search, !facet.side, facet.vertex);
}

static bool union_result_from_vertex(const sat_UnionSearch *search,
                                     const sat_ClosestFeature *nearest, sat_Result *result) {
  *result = (sat_Result){mul(nearest->normal, search->max_depth),
                         nearest->normal,
                         search->max_depth,
                         SAT_A,
                         nearest->vertex_of[SAT_A],
                         true,
                         false};
  return corner_is_exposed(search, SAT_A, nearest->vertex_of[SAT_A]) &&
         corner_is_exposed(search, SAT_B, nearest->vertex_of[SAT_B]);
}

/* The shortest vector out of the deepest pair. False: several are about as short, or it leads into
 * another piece of the same shape. */
static bool deepest_pair_result(const sat_UnionSearch *search, sat_Result *result) {
  const sat_ConvexTest *test = &search->deepest_test;
  const sat_ClosestFeature *nearest = &test->closest;
  sat_Pair pair = difference_pair(search, search->deepest_pieces);
  if (search->max_depth <= search->tie) return false;
  if (test->inside) {
    sat_Facet facet = test->max_facet;
    sat_Vec2 inward = neg(normal_of(pair.of[facet.side].edges, facet.edge));
    bool all = deepest_piece(search, !facet.side)->corners == UINT32_MAX;
    facet.vertex = all ? 0 : sat_support_index(&pair.of[!facet.side], inward);
    return !test->ties && test->max_facet.separation < -search->tie &&
           union_result_from_edge(search, &pair, facet, result);
  }
  if (nearest->distance <= search->tie) return false;
  return nearest->corner ? union_result_from_vertex(search, nearest, result)
                         : union_result_from_edge(search, &pair, nearest->facet, result);
}

/* Whether a pair other than the deepest is apart, or only touches but for rounding: a touch is no
 * overlap to get out of, unless a point or a segment lies between two pieces. */
static bool is_separate(sat_UnionSearch *search, const uint32_t piece_index[2], sat_Box box) {
  double touch = SAT_BOUNDARY_ROUNDINGS * search->rounding;
  sat_ConvexTest test;
  if (piece_index[0] == search->deepest_pieces[0] && piece_index[1] == search->deepest_pieces[1])
    return true;
  sat_Pair pair = difference_pair(search, piece_index);
  bool flat = pair.radius == 0 && (pair.of[0].count <= 2 || pair.of[1].count <= 2);
  if (!flat && depth_of_box(box) <= touch) return true;
  if (flat) pair.radius += touch;
  if (!sat_convex_test(&pair, 0, false, NULL, &test)) return true;
  double separation = test.inside ? test.max_facet.separation : test.closest.distance;
  return !flat && pair.radius - separation <= touch;
}

/* Whether the other pairs are apart once A has moved. */
static bool others_are_separate(sat_UnionSearch *search, sat_Vec2 vector) {
  const sat_PieceView *a = search->view[0];
  sat_Vec2 origin_offset = search->origin_offset;
  sat_PieceView moved = *a;
  moved.origin = add(a->origin, vector);
  search->view[0] = &moved;
  search->origin_offset = sub(search->view[1]->origin, moved.origin);
  bool separate =
      sat_union_visit_pairs(search, SAT_BOUNDARY_ROUNDINGS * search->rounding, is_separate);
  search->view[0] = a;
  search->origin_offset = origin_offset;
  return separate;
}

bool sat_union_deepest_decides(sat_UnionSearch *search, sat_UnionMtv *mtv) {
  sat_Result result;
  if (search->has_chain || search->given_up || !deepest_pair_result(search, &result)) return false;
  if (!others_are_separate(search, result.vector)) return false;
  *mtv = (sat_UnionMtv){result, {search->deepest_pieces[0], search->deepest_pieces[1]}, false};
  return true;
}
