/* union_mtv.c: the steps that find the minimum translation vector of composite shapes.
 *
 * The deepest pair of pieces decides, if its vector leads out of all others too. Otherwise a search
 * along the boundaries of all Minkowski differences does: see narrowphase/union/union_search.h. */
#include "narrowphase/convex/mtv_tie_break.h"
#include "narrowphase/union/union_differences.h"

#include <string.h>

/* Where more pairs than this overlap, the deepest one is not expected to decide. */
#define MAX_COUNTED_OVERLAPS 6

/* ---------------------------------------------------------------- beginning */

static double largest_view_coordinate(const sat_PieceView *view) {
  sat_Vec2 o = view->origin;
  double x = max2(fabs(o.x + view->box.min.x), fabs(o.x + view->box.max.x));
  double y = max2(fabs(o.y + view->box.min.y), fabs(o.y + view->box.max.y));
  return max2(x, y);
}

static double scale_of_view(const sat_PieceView *view) {
  sat_Vec2 size = sub(view->box.max, view->box.min);
  return max2(largest_view_coordinate(view), max2(size.x, size.y));
}

static void begin_search(sat_UnionSearch *search, const sat_PieceView *a, const sat_PieceView *b) {
  memset(search, 0, sizeof *search);
  search->view[0] = a;
  search->view[1] = b;
  search->origin_offset = sub(b->origin, a->origin);
  search->has_chain = (a->flags | b->flags) & SAT_CHAIN_SEGMENT;
  search->has_back = (a->flags | b->flags) & SAT_ONE_SIDED;
  search->touches_solid = search->touch_decides = !search->has_chain;
  search->rounding = SAT_ULPS_8 * max2(largest_view_coordinate(a), largest_view_coordinate(b));
  sat_Vec2 from_a_to_b =
      add(search->origin_offset, sub(b->centroid_from_origin, a->centroid_from_origin));
  search->from_b = sat_tie_direction(neg(from_a_to_b),
                                     SAT_TOUCH_ERROR * max2(scale_of_view(a), scale_of_view(b)));
  search->preferred = sat_best_direction(search->from_b);
}

/* The shortest vector past the other shape's box along one of the axes, which leads out. */
static sat_Vec2 vector_past_box(const sat_UnionSearch *search) {
  const sat_Box *a = &search->view[0]->box, *b = &search->view[1]->box;
  sat_Vec2 vectors[4] = {{search->origin_offset.x + b->max.x - a->min.x, 0},
                         {search->origin_offset.x + b->min.x - a->max.x, 0},
                         {0, search->origin_offset.y + b->max.y - a->min.y},
                         {0, search->origin_offset.y + b->min.y - a->max.y}};
  sat_Vec2 best = vectors[0];
  for (int i = 1; i < 4; i++)
    if (fabs(vectors[i].x) + fabs(vectors[i].y) < fabs(best.x) + fabs(best.y)) best = vectors[i];
  return best;
}

/* An upper bound of the vector's length. The vector to the front of a one-sided chain may be much
 * longer than one past the box. */
static double max_mtv_length(const sat_UnionSearch *search) {
  const sat_Box *a = &search->view[0]->box, *b = &search->view[1]->box;
  sat_Vec2 origin_offset = search->origin_offset;
  double result = length(vector_past_box(search));
  if (search->has_back)
    result = length(
        vec2(max2(origin_offset.x + b->max.x - a->min.x, a->max.x - b->min.x - origin_offset.x),
             max2(origin_offset.y + b->max.y - a->min.y, a->max.y - b->min.y - origin_offset.y)));
  return result * (1 + SAT_LONGEST_MARGIN) + search->rounding;
}

/* No pair is deeper than the box of its difference. */
static double depth_of_box(sat_Box box) {
  return min2(min2(-box.min.x, box.max.x), min2(-box.min.y, box.max.y));
}

/* A vector along a normal, by the edge or vertex of a side that decides. */
static sat_UnionMtv union_mtv_along(const uint32_t piece_index[2], sat_Vec2 normal, double depth,
                                    uint32_t side, uint32_t feature, bool corner) {
  sat_Vec2 vector = depth > 0 ? mul(normal, depth) : vec2(0, 0);
  return (sat_UnionMtv){{vector, normal, depth, (sat_Side)side, feature, corner, false},
                        {piece_index[0], piece_index[1]},
                        false};
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
  uint32_t edge[2] = {facet->edge, facet->edge};
  uint32_t partner = other->count > 1 ? other->count : 0; /* a point has no edges */
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
  search->best = union_mtv_along(piece_index, segment.normal, 0, facet.side, facet.edge, false);
  return true;
}

/* ---------------------------------------------------------------- the deepest pair */

/* Measures how deep a pair overlaps: no vector is shorter. */
static bool measure_overlap(sat_UnionSearch *search, const uint32_t piece_index[2], sat_Box box) {
  sat_Pair pair = difference_pair(search, piece_index);
  sat_ConvexTest test;
  test.inside = true;
  test.ties = false;
  if (depth_of_box(box) > search->tie ||
      !sat_find_upright_touch(&pair, search->tie, &test.max_facet)) {
    double touch = SAT_BOUNDARY_ROUNDINGS * search->rounding;
    bool beside = !box_is_near(box, search->rounding);
    if (beside || !sat_convex_test(&pair, search->tie, false, NULL, &test)) {
      if (beside || pair.of[0].count + pair.of[1].count == 2 ||
          test.max_facet.separation <= pair.radius + touch)
        search->touch_decides = false; /* the pair nearly touches */
      return true;
    }
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

/* ---------------------------------------------------------------- its vector */

static const sat_Piece *deepest_piece(const sat_UnionSearch *search, uint32_t side) {
  return &search->view[side]->pieces[search->deepest_pieces[side]];
}

static bool corner_is_exposed(const sat_UnionSearch *search, uint32_t side, uint32_t vertex) {
  return deepest_piece(search, side)->corners >> (vertex & 31) & 1;
}

/* The vector out of the deepest pair, of a given length. */
static sat_UnionMtv deepest_mtv(const sat_UnionSearch *search, double depth) {
  const sat_ConvexTest *test = &search->deepest_test;
  const sat_ClosestFeature *nearest = &test->closest;
  sat_Pair pair = difference_pair(search, search->deepest_pieces);
  const sat_Facet *facet = test->inside ? &test->max_facet : &nearest->facet;
  bool corner = !test->inside && nearest->corner;
  sat_Vec2 normal = corner ? nearest->normal : facet_normal(&pair, facet);
  if (normal.x == 0 && normal.y == 0) normal = search->preferred;
  return union_mtv_along(search->deepest_pieces, normal, depth, corner ? SAT_A : facet->side,
                         corner ? nearest->vertex_of[SAT_A] : facet->edge, corner);
}

/* Whether one vector out of the deepest pair is the shortest, and leads into no other piece of the
 * same shape. */
static bool deepest_is_exposed(const sat_UnionSearch *search) {
  const sat_ConvexTest *test = &search->deepest_test;
  const sat_ClosestFeature *nearest = &test->closest;
  if (search->max_depth <= search->tie || (!test->inside && nearest->distance <= search->tie))
    return false;
  if (!test->inside && nearest->corner)
    return corner_is_exposed(search, SAT_A, nearest->vertex_of[SAT_A]) &&
           corner_is_exposed(search, SAT_B, nearest->vertex_of[SAT_B]);
  sat_Facet facet = test->inside ? test->max_facet : nearest->facet;
  if (test->inside) {
    if (test->ties || facet.separation >= -search->tie) return false;
    sat_Pair pair = difference_pair(search, search->deepest_pieces);
    sat_Vec2 inward = neg(normal_of(pair.of[facet.side].edges, facet.edge));
    bool all = deepest_piece(search, !facet.side)->corners == UINT32_MAX;
    facet.vertex = all ? 0 : sat_support_index(&pair.of[!facet.side], inward);
  }
  return deepest_piece(search, facet.side)->edges >> (facet.edge & 31) & 1 &&
         corner_is_exposed(search, !facet.side, facet.vertex);
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

/* The shortest vector out of the deepest pair, if it leads out of all others too: every vector has
 * to lead out of that pair, so that no other one is shorter. False: the search has to decide. */
static bool deepest_decides(sat_UnionSearch *search, sat_UnionMtv *mtv) {
  if (search->has_chain || search->given_up || !deepest_is_exposed(search)) return false;
  sat_UnionMtv deepest = deepest_mtv(search, search->max_depth);
  if (!others_are_separate(search, deepest.result.vector)) return false;
  *mtv = deepest;
  return true;
}

/* ---------------------------------------------------------------- shapes that overlap */

/* Should rounding ever hide all results, the vector past the box is one, if not the shortest. */
static void propose_past_box(sat_UnionSearch *search) {
  sat_Vec2 vector = vector_past_box(search);
  double size = length(vector);
  sat_Vec2 normal = size > 0 ? mul(vector, 1 / size) : search->preferred;
  sat_UnionMtv mtv = union_mtv_along(search->deepest_pieces, normal, size, SAT_A, 0, true);
  sat_union_propose(search, size, false, &mtv);
}

/* Searches within a radius, with as much room as that needs. SAT_MISS: the origin is on a shared
 * edge, where pieces that touch overlap. */
static sat_Status search_once(sat_UnionSearch *search, sat_Scratch *scratch) {
  search->candidate_capacity = 0;
  for (const sat_UnionSearch before = *search;;) {
    sat_Status status = sat_union_collect(search, scratch);
    if (status) return status;
    if (search->touch_only && search->box_count > 1 &&
        sat_union_is_on_shared_edge(search, vec2(0, 0)))
      return SAT_MISS;
    sat_union_walk(search);
    if (!search->is_full) return SAT_OK;
    uint32_t candidates = search->candidate_capacity;
    *search = before;
    search->candidate_capacity = candidates + candidates / 2;
  }
}

/* Searches within growing radii. Fails as sat_union_collect does. */
static sat_Status search_with_limits(sat_UnionSearch *search, sat_Scratch *scratch) {
  double longest = search->max_radius;
  uint64_t pairs = (uint64_t)search->view[0]->count * search->view[1]->count;
  search->search_radius =
      search->few_pairs ? longest : min2(longest, 2 * search->max_depth + longest / 64);
  for (;;) {
    sat_Status status = search_once(search, scratch);
    if (status) return status;
    if (search->search_radius >= longest ||
        (search->found && search->shortest <= search->search_radius))
      return SAT_OK;
    search->searched_radius = search->search_radius;
    bool most = 8 * search->difference_capacity >= pairs;
    search->search_radius = most ? longest : min2(4 * search->search_radius, longest);
  }
}

/* ---------------------------------------------------------------- shapes that touch */

/* The normal of a touch from behind, by a one-sided chain alone. */
static void touch_from_behind(sat_UnionSearch *search) {
  sat_PiecePair pieces =
      sat_piece_pair_of(search->view[0], search->view[1], search->deepest_pieces);
  uint32_t side = pieces.piece[SAT_B]->flags & SAT_ONE_SIDED ? SAT_B : SAT_A;
  sat_Vec2 open = sat_front_normal(pieces.of[side], pieces.piece[side]);
  sat_Vec2 normal = side == SAT_B ? open : neg(open);
  search->best = union_mtv_along(search->deepest_pieces, normal, 0, SAT_A, 0, true);
  search->best.behind = true;
}

/* Two parallel segments, or a point and a segment, have a difference without area, whose ends have
 * no arcs. An end at the origin may be touched in every direction between those of its edges, such
 * as the best one or, where the centres coincide, that opposite to it. */
static void propose_touching_end(sat_UnionSearch *search, sat_Difference *difference,
                                 sat_Vec2 direction) {
  if (!difference->was_asked || !ensure_boundary(search, difference)->degenerate) return;
  sat_Pair pair = difference_pair(search, difference->piece_index);
  sat_PiecePair pieces =
      sat_piece_pair_of(search->view[0], search->view[1], difference->piece_index);
  uint32_t corner[2] = {sat_support_index(&pair.of[SAT_A], neg(direction)),
                        sat_support_index(&pair.of[SAT_B], direction)};
  if (length(corner_of(&pair, corner[0], corner[1])) > search->rounding) return;
  bool in_chain = sat_chain_keeps_off(&pieces);
  if (in_chain && sat_chain_hides_vertex_normal(&pieces, corner, direction)) return;
  sat_UnionMtv mtv = union_mtv_along(difference->piece_index, direction, 0, SAT_A, corner[0], true);
  sat_union_propose(search, 0, false, &mtv);
}

/* Where no interiors meet, nothing has to move, unless a point or a segment is on a shared edge;
 * what decides is near the origin. */
static sat_Status find_touch(sat_UnionSearch *search, sat_Scratch *scratch) {
  search->search_radius = SAT_BOUNDARY_ROUNDINGS * search->rounding;
  search->found = false;
  search->touch_only = true;
  if (search->has_boundary) {
    sat_Status status = search_once(search, scratch);
    if (status) return status;
    for (uint32_t i = 0; search->found && i < search->box_count; i++) {
      sat_Difference *near = &search->differences[search->boxes[i].difference];
      propose_touching_end(search, near, search->preferred);
      propose_touching_end(search, near, neg(search->preferred));
    }
  }
  /* no boundary shows a touch of two points, or of a corner that is not on that of the union */
  if (!search->found && search->touches_solid) search->best = deepest_mtv(search, 0);
  else if (!search->found) touch_from_behind(search);
  return SAT_OK;
}

/* ---------------------------------------------------------------- the steps */

sat_Status sat_union_mtv(const sat_PieceView *a, const sat_PieceView *b, sat_Scratch *scratch,
                         sat_UnionMtv *mtv) {
  sat_UnionSearch search;
  begin_search(&search, a, b);
  if (!box_is_near((sat_Box){sub(add(search.origin_offset, b->box.min), a->box.max),
                             sub(add(search.origin_offset, b->box.max), a->box.min)},
                   search.rounding))
    return SAT_MISS;
  search.few_pairs = (uint64_t)a->count * b->count <= SAT_FEW_DIFFERENCES;
  search.max_radius = max_mtv_length(&search);
  search.tie =
      max2(tie_of_length(&search, search.max_radius), SAT_BOUNDARY_ROUNDINGS * search.rounding);
  search.best_length = HUGE_VAL;
  sat_union_visit_pairs(&search, SAT_BOUNDARY_ROUNDINGS * search.rounding, measure_overlap);
  if (!search.found) return SAT_MISS;
  if (search.overlaps && deepest_decides(&search, mtv)) return SAT_OK;
  if (!search.overlaps && search.touch_decides && search.best_length < HUGE_VAL) {
    *mtv = search.best;
    return SAT_OK;
  }
  sat_Status status = search.overlaps ? SAT_MISS : find_touch(&search, scratch);
  if (status == SAT_MISS) {
    search.found = search.touch_only = false;
    status = search_with_limits(&search, scratch);
    if (!status && !search.found) propose_past_box(&search);
  }
  if (status) return status;
  *mtv = search.best;
  return SAT_OK;
}
