/* composite_pair.c: overlap, minimum translation vector, contacts and distance of two shapes of
 * which at least one is composite. Each is a question about the pairs of convex pieces that are
 * near each other, but for the minimum translation vector, which union_mtv.c finds. */
#include "narrowphase/composite/composite_pair.h"

#include "base/heap.h"
#include "base/memory.h"
#include "narrowphase/convex/convex_pair.h"
#include "narrowphase/union/union_mtv.h"

/* ---------------------------------------------------------------- overlap and the way out */

bool sat_composite_only_touches(const sat_Shape *a, const sat_Shape *b) {
  ViewPair views;
  view_both(&views, a, b);
  sat_PiecePairs piece_pairs =
      sat_piece_pairs_begin(&views.of[0], &views.of[1], box_rounding(a, b));
  uint32_t piece_index[2];
  while (sat_piece_pairs_next(&piece_pairs, piece_index)) {
    if (bounds_part(&views, piece_index)) continue;
    if (bounds_decide(&views, piece_index)) return false;
    sat_ConvexTest test;
    sat_Pair pair = sat_convex_pair_of_pieces(&views.of[0], &views.of[1], piece_index);
    if (sat_convex_test(&pair, 0, false, NULL, &test)) return false;
  }
  return true;
}

bool sat_composite_nearly_touch(const sat_Shape *a, const sat_Shape *b, double threshold) {
  ViewPair views;
  view_both(&views, a, b);
  sat_PiecePairs piece_pairs =
      sat_piece_pairs_begin(&views.of[0], &views.of[1], box_rounding(a, b) + threshold);
  uint32_t piece_index[2];
  sat_ConvexTest test;
  while (sat_piece_pairs_next(&piece_pairs, piece_index)) {
    sat_Pair pair = sat_convex_pair_of_pieces(&views.of[0], &views.of[1], piece_index);
    pair.radius += threshold;
    if (sat_convex_test(&pair, 0, false, NULL, &test)) return true;
  }
  return false;
}

sat_Status sat_composite_overlaps(const sat_Shape *a, const sat_Shape *b) {
  return sat_composite_nearly_touch(a, b, 0) ? SAT_OK : SAT_MISS;
}

sat_Status sat_composite_leave(const sat_Shape *a, const sat_Shape *b, const sat_Touch *touches,
                               uint32_t touch_count, const sat_Vec2 *center, sat_Scratch *scratch,
                               sat_Result *result) {
  ViewPair views;
  sat_UnionMtv union_mtv;
  view_both(&views, a, b);
  sat_PieceView *of_b = &views.of[SAT_B];
  of_b->touches = touches;
  of_b->touch_count = touch_count;
  if (center) of_b->centroid_from_origin = sub(*center, of_b->origin);
  sat_Status status = sat_union_mtv(&views.of[SAT_A], of_b, scratch, &union_mtv);
  if (status == SAT_OK) *result = union_mtv.result;
  return status;
}

sat_Status sat_composite_collide(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                                 sat_Result *result) {
  return sat_composite_leave(a, b, NULL, 0, NULL, scratch, result);
}

/* The contact of the two pieces that decide, once A has moved out. That of two rounded corners need
 * not be in the direction of the translation, which may end where other pieces come apart. */
sat_Status sat_composite_contacts(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                                  sat_Manifold *manifold) {
  ViewPair views;
  sat_UnionMtv union_mtv;
  view_both(&views, a, b);
  sat_Status status = sat_union_mtv(&views.of[0], &views.of[1], scratch, &union_mtv);
  if (status != SAT_OK) return status;
  PieceQuestion pieces = piece_question(&views, union_mtv.piece_index);
  sat_Pair *pair = &pieces.pair;
  pair->of[SAT_A].origin = add(pair->of[SAT_A].origin, union_mtv.result.vector);
  pair->origin_offset[SAT_A] = sub(pair->origin_offset[SAT_A], union_mtv.result.vector);
  pair->origin_offset[SAT_B] = neg(pair->origin_offset[SAT_A]);
  sat_convex_contacts(pair, pieces.radius, &union_mtv.result, 0, manifold);
  if (union_mtv.behind || (union_mtv.result.corner && union_mtv.result.depth > 0)) {
    manifold->count = 1;
    manifold->points[0] = sat_convex_distance(pair, pieces.radius, pieces.l1_bound).on_a;
  }
  return SAT_OK;
}

/* ---------------------------------------------------------------- parts */

static bool is_later_pair(const sat_Parts *p, const sat_Parts *q) {
  return p->a != q->a ? p->a > q->a : p->b > q->b;
}

SAT_DEFINE_SORT(sat_Parts, part_pairs, is_later_pair)

/* Lists the parts of all pairs of pieces that are near each other, where there is a list. Returns
 * the number of pairs. */
static size_t list_part_pairs(const sat_Shape *a, const sat_Shape *b, sat_Parts *list) {
  ViewPair views;
  uint32_t piece_index[2];
  size_t count = 0;
  view_both(&views, a, b);
  sat_PiecePairs piece_pairs =
      sat_piece_pairs_begin(&views.of[0], &views.of[1], box_rounding(a, b));
  for (; sat_piece_pairs_next(&piece_pairs, piece_index); count++)
    if (list)
      list[count] = (sat_Parts){views.of[SAT_A].pieces[piece_index[SAT_A]].part,
                                views.of[SAT_B].pieces[piece_index[SAT_B]].part};
  return count;
}

sat_Status sat_part_pairs(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                          sat_PartPairs *found) {
  size_t count = list_part_pairs(a, b, NULL), kept = 0;
  sat_Parts *list = sat_scratch_reserve(scratch, (count + 1) * sizeof *list);
  if (!list) return SAT_ENOMEM;
  list_part_pairs(a, b, list);
  part_pairs_sort(list, count);
  for (size_t i = 0; i < count; i++)
    if (kept == 0 || is_later_pair(&list[i], &list[kept - 1])) list[kept++] = list[i];
  *found = (sat_PartPairs){list, kept};
  return SAT_OK;
}

/* ---------------------------------------------------------------- distance */

/* The piece whose box is nearest to another box, which is relative to the shape's origin; the first
 * of those that are. A piece's radius may be rounded, and lead further than to the box. */
static uint32_t nearest_piece(const sat_PieceView *view, sat_Box box, double rounding) {
  uint32_t best = UINT32_MAX, i;
  double least = HUGE_VAL;
  sat_BvhWalk walk;
  sat_bvh_walk_begin(&walk, view, box, vec2(0, 0), HUGE_VAL);
  while (sat_bvh_walk_next(&walk, &i)) {
    double separation = box_separation(&view->pieces[i].box, &box, 0) - view->pieces[i].radius;
    if (separation > least || (separation == least && i > best)) continue;
    least = separation;
    best = i;
    walk.limit = max2(least, 0) + rounding;
  }
  return best;
}

/* The nearest pair. At the same distance the guess counts, and then the first in their order. */
sat_Distance sat_composite_distance(const sat_Shape *a, const sat_Shape *b) {
  ViewPair views;
  uint32_t piece_index[2], best_pieces[2] = {UINT32_MAX, UINT32_MAX};
  double rounding = box_rounding(a, b);
  view_both(&views, a, b);
  sat_Vec2 origin_offset = sub(views.of[1].origin, views.of[0].origin);
  sat_Box box = box_moved(views.of[1].box, origin_offset, 0);
  piece_index[0] = nearest_piece(&views.of[0], box, rounding);
  box = box_moved(views.of[0].pieces[piece_index[0]].box, neg(origin_offset), 0);
  piece_index[1] = nearest_piece(&views.of[1], box, rounding);
  PieceQuestion pieces = piece_question(&views, piece_index);
  sat_Distance best = sat_convex_distance(&pieces.pair, pieces.radius, pieces.l1_bound);
  if (best.distance == 0) return best;
  sat_NearPairs pairs;
  sat_near_pairs_begin(&pairs, &views.of[0], &views.of[1], 0, vec2(0, 0), best.distance + rounding);
  while (sat_near_pairs_next(&pairs, piece_index)) {
    bool precede = sat_near_pairs_precede(&pairs, piece_index, best_pieces);
    if (best.distance == 0 && !precede) continue;
    pieces = piece_question(&views, piece_index);
    sat_Distance other = sat_convex_distance(&pieces.pair, pieces.radius, pieces.l1_bound);
    if (other.distance > best.distance || (other.distance == best.distance && !precede)) continue;
    best = other;
    best_pieces[0] = piece_index[0];
    best_pieces[1] = piece_index[1];
    pairs.limit = best.distance + rounding;
  }
  return best;
}
