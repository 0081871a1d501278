/* union_mtv.c: the steps that find the minimum translation vector of composite shapes.
 *
 * The deepest pair of pieces decides, if its vector leads out of all others too. Otherwise a search
 * along the boundaries of all Minkowski differences does: see narrowphase/union/union_search.h. */
#include "narrowphase/convex/mtv_tie_break.h"
#include "narrowphase/union/union_differences.h"

#include <string.h>

/* More differences than this are searched from the radius on within which there is no vector. A
 * search that follows curves from their nearest points has fewer rounding errors. */
#define MOST_SEARCHED_AGAIN 1024

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

/* ---------------------------------------------------------------- shapes that overlap */

/* Should rounding ever hide all results, the vector past the box is one, if not the shortest. */
static void propose_past_box(sat_UnionSearch *search) {
  sat_Vec2 vector = vector_past_box(search);
  double size = length(vector);
  sat_UnionMtv mtv = {{vector, search->preferred, size, SAT_A, 0, true, false},
                      {search->deepest_pieces[0], search->deepest_pieces[1]},
                      false};
  if (size > 0) mtv.result.normal = mul(vector, 1 / size);
  sat_union_propose(search, size, false, &mtv);
}

/* The next radius: the largest one where that lists no more than twice as many differences. */
static double next_search_radius(const sat_UnionSearch *search) {
  uint64_t pairs = (uint64_t)search->view[0]->count * search->view[1]->count;
  bool most = search->difference_capacity >= pairs - pairs / 2;
  return most ? search->max_radius : min2(2 * search->search_radius, search->max_radius);
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
  search->search_radius =
      search->few_pairs ? longest : min2(longest, 2 * search->max_depth + longest / 64);
  for (;;) {
    sat_Status status = search_once(search, scratch);
    if (status) return status;
    if (search->search_radius >= longest ||
        (search->found && search->shortest <= search->search_radius))
      return SAT_OK;
    if (search->difference_capacity > MOST_SEARCHED_AGAIN)
      search->searched_radius = search->search_radius;
    search->search_radius = next_search_radius(search);
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
  search->best = (sat_UnionMtv){{{0, 0}, normal, 0, SAT_A, 0, true, false},
                                {search->deepest_pieces[0], search->deepest_pieces[1]},
                                true};
}

/* The normal of a touch that no boundary shows: of two points, or of a corner that is not on the
 * boundary of the union. */
static void touch_without_boundary(sat_UnionSearch *search) {
  const sat_ConvexTest *test = &search->deepest_test;
  const sat_ClosestFeature *nearest = &test->closest;
  sat_Pair pair = difference_pair(search, search->deepest_pieces);
  bool corner = !test->inside && nearest->corner;
  const sat_Facet *facet = test->inside ? &test->max_facet : &nearest->facet;
  sat_Vec2 normal = corner ? nearest->normal : facet_normal(&pair, facet);
  if (normal.x == 0 && normal.y == 0) normal = search->preferred;
  search->best = (sat_UnionMtv){{vec2(0, 0), normal, 0, corner ? SAT_A : (sat_Side)facet->side,
                                 corner ? nearest->vertex_of[SAT_A] : facet->edge, corner, false},
                                {search->deepest_pieces[0], search->deepest_pieces[1]},
                                false};
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
  sat_UnionMtv mtv = {{{0, 0}, direction, 0, SAT_A, corner[0], true, false},
                      {difference->piece_index[0], difference->piece_index[1]},
                      false};
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
  if (!search->found && search->touches_solid) touch_without_boundary(search);
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
  search.few_pairs = (uint64_t)a->count * b->count <= SAT_FEW_PIECE_PAIRS;
  search.max_radius = max_mtv_length(&search);
  search.tie =
      max2(tie_of_length(&search, search.max_radius), SAT_BOUNDARY_ROUNDINGS * search.rounding);
  sat_union_find_deepest(&search);
  if (!search.found) return SAT_MISS;
  if (search.overlaps ? sat_union_deepest_decides(&search, mtv)
                      : sat_union_touch_decides(&search, mtv))
    return SAT_OK;
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
