/* union_deepest.c: the pair of pieces that overlaps most, and whether the vector out of it is the
 * vector out of the union. */
#include "narrowphase/union/union_search.h"

/* No more pairs than this are visited without the trees of the pieces. */
#define VERY_FEW_PAIRS 16
/* Where more pairs than this overlap, the deepest one is not expected to decide. */
#define MAX_COUNTED_OVERLAPS 6

/* ---------------------------------------------------------------- pairs of pieces */

/* The box of the difference of two pieces. */
static sat_Box difference_box(const sat_UnionSearch *search, const sat_Piece *a,
                              const sat_Piece *b) {
  double radius = sat_piece_radius(search->view[0], a) + sat_piece_radius(search->view[1], b);
  sat_Vec2 out = vec2(radius, radius);
  return (sat_Box){sub(add(search->origin_offset, sub(b->box.min, a->box.max)), out),
                   add(add(search->origin_offset, sub(b->box.max, a->box.min)), out)};
}

static bool visit_pair(sat_UnionSearch *search, double max_distance, PairVisit visit,
                       const uint32_t piece_index[2]) {
  const sat_Piece *a = &search->view[0]->pieces[piece_index[0]],
                  *b = &search->view[1]->pieces[piece_index[1]];
  sat_Box box = difference_box(search, a, b);
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

/* ---------------------------------------------------------------- the deepest pair */

/* Measures how deep a pair overlaps: no vector is shorter. */
static bool measure_overlap(sat_UnionSearch *search, const uint32_t piece_index[2], sat_Box box) {
  (void)box;
  sat_Pair pair = difference_pair(search, piece_index);
  sat_ConvexTest test;
  if (!sat_convex_test(&pair, search->tie, false, NULL, &test)) return true;
  if (search->has_chain) {
    sat_PiecePair pieces = sat_piece_pair_of(search->view[0], search->view[1], piece_index);
    search->touches_solid = search->touches_solid || !sat_pieces_one_sided(&pieces);
  }
  double separation = test.inside ? test.max_facet.separation : test.closest.distance;
  search->found = true;
  double touch = sat_touch_of_piece(search->view[1], piece_index[1]);
  search->overlaps = search->overlaps || separation < pair.radius - touch;
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
  sat_union_visit_pairs(search, search->rounding, measure_overlap);
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
 * overlap to get out of, unless a point or a segment lies between two pieces. No pair is deeper
 * than the box of its difference. */
static bool is_separate(sat_UnionSearch *search, const uint32_t piece_index[2], sat_Box box) {
  double touch = 8 * search->rounding,
         most = min2(min2(-box.min.x, box.max.x), min2(-box.min.y, box.max.y));
  sat_ConvexTest test;
  if (piece_index[0] == search->deepest_pieces[0] && piece_index[1] == search->deepest_pieces[1])
    return true;
  sat_Pair pair = difference_pair(search, piece_index);
  bool flat = pair.radius == 0 && (pair.of[0].count <= 2 || pair.of[1].count <= 2);
  if (!flat && most <= touch) return true;
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
  bool separate = sat_union_visit_pairs(search, 8 * search->rounding, is_separate);
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
