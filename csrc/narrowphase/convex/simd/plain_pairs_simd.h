/* plain_pairs_simd.h: the plain pairs of games that have four sides to compare, for the instruction
 * set of the file that includes it. Each number is computed as in the general path, which decides
 * wherever another feature than the obvious one might count there. */
#include "narrowphase/convex/mtv_tie_break.h"
#include "narrowphase/convex/simd/upright_boxes.h"

/* ---------------------------------------------------------------- two upright boxes */

/* The shortest way out of two boxes: by a side of A, or by B's side back to back with it. */
typedef struct BoxMtv {
  double depth;
  uint32_t side_of_a, by_b; /* 1: B's edge counts */
  bool tied;
} BoxMtv;

SAT_INLINE sat_Vec2 normal_from_box(const sat_Shape *own, uint32_t edge, uint32_t by_b) {
  static const double signs[2] = {-1, 1};
  return mul(normal_of(edges_of(own), edge), signs[by_b]);
}

SAT_INLINE sat_Status result_from_box(sat_Verdict verdict, const sat_Shape *a, const sat_Shape *b,
                                      BoxMtv mtv, sat_Result *result) {
  if (verdict != SAT_OVERLAP) return SAT_MISS;
  const sat_Shape *own = mtv.by_b ? b : a;
  result->edge = edge_of_side(own, mtv.side_of_a + 2 * mtv.by_b);
  result->normal = normal_from_box(own, result->edge, mtv.by_b);
  result->depth = mtv.depth;
  result->vector = mul(result->normal, mtv.depth);
  if (mtv.depth == 0) result->vector = vec2(0, 0); /* without signs */
  result->side = (sat_Side)mtv.by_b;
  result->corner = false;
  result->tied = mtv.tied;
  return SAT_OK;
}

/* Chooses by the rule among sides of equal separation: see choose_mtv of convex_pair.c. */
SAT_NOT_INLINE uint32_t side_by_rule(const sat_Shape *a, const sat_Shape *b, sat_Vec2 from_b,
                                     uint32_t sides) {
  static const sat_Vec2 normals[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  sat_TieFilter filter = sat_tie_filter(sat_tie_direction(from_b, sat_touch_rounding(a, b)));
  for (; filter.step < SAT_TIE_STEPS; filter.step++)
    for (uint32_t i = 0; i < 4; i++)
      if (sides >> i & 1) sat_tie_measure(&filter, normals[i]);
  uint32_t chosen = 0;
  while (!(sides >> chosen & 1) || !sat_tie_passes(&filter, normals[chosen])) chosen++;
  return chosen;
}

/* The same, where a side to the left or right and an upper or lower one are as near: the rule takes
 * that which leads along the line of the centres, and on a diagonal the upright one. Returns false
 * where that needs care. */
SAT_INLINE bool choose_side(const sat_Shape *a, const sat_Shape *b, uint32_t sides, double tie,
                            bool by_rule, uint32_t *side) {
  sat_Vec2 from_b =
      sub(sub(a->centroid_from_origin, b->centroid_from_origin), sub(b->origin, a->origin));
  uint32_t across = sides & 5, upright = sides & 10;
  double size = fabs(from_b.x) + fabs(from_b.y),
         ahead = (across & 1 ? from_b.x : -from_b.x) - (upright & 2 ? from_b.y : -from_b.y);
  bool obvious = ahead == 0 || fabs(ahead) > 2 * SAT_SAME_DIRECTION * size;
  if (obvious && across % 5 && upright % 10 && size > 2 * CLEARLY * tie) {
    *side = lowest_bit(ahead > 0 ? across : upright);
    return true;
  }
  if (by_rule) *side = side_by_rule(a, b, from_b, sides);
  return by_rule;
}

/* A touch, or several sides of the same separation. Of two parallel edges, one of each box, B's
 * counts where there are several, since a walk around D from A's first edge on comes to it first,
 * unless that is A's first edge, and B's nearest vertex, the first of two, ends B's edge. */
SAT_INLINE sat_Verdict exact_verdict(const sat_Shape *a, const sat_Shape *b,
                                     const BoxSeparations *all, bool by_rule, BoxMtv *mtv) {
  uint32_t near = double4_at_least(all->most_of, all->most - 2 * all->tie),
           sides = double4_more(all->all_most, all->of_a) ^ 15;
  if (near & ~exact_sides(a, b, all->offsets)) return SAT_UNDECIDED;
  if ((double4_more(all->all_most, all->of_b) ^ 15) != sides) return SAT_UNDECIDED;
  if (all->most > 0) return SAT_SEPARATE;
  if (!mtv) return SAT_OVERLAP;
  if (near != sides) return SAT_UNDECIDED;
  *mtv = (BoxMtv){max2(-all->most, 0), lowest_bit(sides), 0, !is_one_bit(sides)};
  if (!mtv->tied) return SAT_OVERLAP;
  uint32_t *side = &mtv->side_of_a;
  if (!choose_side(a, b, sides, all->tie, by_rule, side)) return SAT_UNDECIDED;
  mtv->by_b = edge_of_side(a, *side) != 0 || edge_of_side(b, *side + 2) != 3;
  return SAT_OVERLAP;
}

/* `by_rule`: ties are decided wherever they are exact. Without the calls for that a function has no
 * frame. */
SAT_INLINE sat_Verdict boxes_verdict(const sat_Shape *a, const sat_Shape *b,
                                     const BoxSeparations *all, bool clearly, bool by_rule,
                                     BoxMtv *mtv) {
  double most = all->most, tie = all->tie;
  if (clearly && most > 0) return most > CLEARLY * tie ? SAT_SEPARATE : SAT_UNDECIDED;
  if (fabs(most) <= tie) return exact_verdict(a, b, all, by_rule, mtv);
  if (most > 0) return SAT_SEPARATE;
  double4 limit = double4_sub(all->all_most, double4_of(tie));
  uint32_t sides = double4_more(limit, all->most_of) ^ 15;
  if (!is_one_bit(sides)) return exact_verdict(a, b, all, by_rule, mtv);
  uint32_t of_b = double4_more(all->of_b, all->of_a);
  *mtv = (BoxMtv){-most, lowest_bit(sides), (of_b & sides) != 0, false};
  return SAT_OVERLAP;
}

SAT_NOT_INLINE sat_Status collide_by_rule(const sat_Shape *a, const sat_Shape *b,
                                          sat_Result *result) {
  BoxMtv mtv;
  BoxSeparations all = box_separations(a, b);
  sat_Verdict verdict = boxes_verdict(a, b, &all, false, true, &mtv);
  if (verdict == SAT_UNDECIDED) return sat_convex_collide(a, b, result);
  return result_from_box(verdict, a, b, mtv, result);
}

sat_Status SAT_IN_THIS_SET(sat_boxes_collide)(const sat_Shape *a, const sat_Shape *b,
                                              sat_Result *result) {
  BoxMtv mtv;
  BoxSeparations all = box_separations(a, b);
  sat_Verdict verdict = boxes_verdict(a, b, &all, false, false, &mtv);
  if (verdict == SAT_UNDECIDED) return collide_by_rule(a, b, result);
  return result_from_box(verdict, a, b, mtv, result);
}

sat_Status SAT_IN_THIS_SET(sat_boxes_overlap)(const sat_Shape *a, const sat_Shape *b) {
  BoxSeparations all = box_separations(a, b);
  if (fabs(all.most) > all.tie) return (sat_Status)(all.most > 0); /* SAT_OK or SAT_MISS */
  return overlap_status(exact_verdict(a, b, &all, false, NULL), a, b);
}

sat_Verdict SAT_IN_THIS_SET(sat_boxes_touch)(const sat_Shape *a, const sat_Shape *b,
                                             sat_Result *result) {
  BoxMtv mtv;
  BoxSeparations all = box_separations(a, b);
  sat_Verdict verdict = boxes_verdict(a, b, &all, true, true, &mtv);
  result_from_box(verdict, a, b, mtv, result);
  return verdict;
}

/* The sides of another box in the frame of a box of its own; and those beyond a side of the own
 * box, moved onto that, as clip_contacts of convex_pair.c moves them. */
typedef struct BoxClip {
  double own[4], other[4], clipped[4];
} BoxClip;

SAT_INLINE void clip_sides(double4 own, double4 other, BoxClip *clip) {
  double4 opposite = double4_middle(other, other),
          beyond = double4_neg_high(double4_sub(own, other)),
          behind = double4_neg_high(double4_sub(opposite, own)),
          part = double4_div(beyond, double4_add(beyond, behind)),
          moved = double4_add(other, double4_mul(double4_sub(opposite, other), part));
  double4_store(clip->own, own);
  double4_store(clip->other, other);
  double4_store(clip->clipped, double4_where_more(beyond, double4_of(0), moved, other));
}

/* Sets the contacts on a side of `own`, whose face leads from the side before to the side after it.
 * Returns their number: 0 leaves them to the general path. */
SAT_INLINE uint32_t box_contacts(const sat_Shape *own, const BoxClip *clip, uint32_t side,
                                 double tie, double *points) {
  uint32_t after = (side + 1) & 3, before = (side + 3) & 3, across = side & 1, count = 2;
  double p = clip->clipped[after], q = clip->clipped[before], level = clip->other[side ^ 2];
  if (p != clip->other[after] && q != clip->other[before]) {
    double from = clip->other[before], beyond = clip->own[before] - from;
    q = from + (p - from) * (beyond / (beyond + (p - clip->own[before])));
  }
  if (fabs(p - q) <= tie) { /* the corners of boxes that touch */
    if (clip->other[before] == clip->own[after]) p = q = clip->other[before];
    else if (clip->other[after] == clip->own[before]) p = q = clip->other[after];
    else return 0;
    count = 1;
  }
  const double origin[2] = {own->origin.x, own->origin.y};
  points[across] = points[across + 2] = level + origin[across];
  points[!across] = p + origin[!across];
  points[!across + 2] = q + origin[!across];
  return count;
}

sat_Status SAT_IN_THIS_SET(sat_boxes_contacts)(const sat_Shape *a, const sat_Shape *b,
                                               sat_Manifold *manifold) {
  BoxMtv mtv;
  BoxClip clip;
  BoxSeparations all = box_separations(a, b);
  sat_Verdict verdict = boxes_verdict(a, b, &all, false, false, &mtv);
  if (verdict == SAT_UNDECIDED) return sat_contacts_general(a, b, manifold);
  if (verdict == SAT_SEPARATE) return SAT_MISS;
  const sat_Shape *own = mtv.by_b ? b : a;
  uint32_t side = (mtv.side_of_a + 2 * mtv.by_b) & 3;
  manifold->depth = mtv.depth;
  manifold->normal = normal_from_box(own, edge_of_side(own, side), mtv.by_b);
  if (mtv.by_b) { /* the contacts are on the face of B */
    clip_sides(box_sides(b), double4_sub(box_sides(a), all.offsets), &clip);
    double *level = &clip.other[side ^ 2];
    if (mtv.depth > all.tie) *level += clip.own[side] - *level;
    else if (mtv.depth > 0) return sat_contacts_general(a, b, manifold);
  } else {
    clip_sides(box_sides(a), double4_add(box_sides(b), all.offsets), &clip);
  }
  manifold->count = box_contacts(own, &clip, side, all.tie, (void *)manifold->points);
  return manifold->count > 0 ? SAT_OK : sat_contacts_general(a, b, manifold);
}

/* ---------------------------------------------------------------- an upright box and a circle */

/* The separations of a box's sides from the centre of a circle, and the larger of each axis. */
typedef struct CircleSeparations {
  double4 sides, offsets, center;
  double2 of_axes;
  double tie;
} CircleSeparations;

SAT_INLINE CircleSeparations circle_separations(const sat_Shape *box, const sat_Shape *circle) {
  double4 offsets =
              double4_sub(double4_load_twice(&circle->origin), double4_load_twice(&box->origin)),
          center = double4_load_twice(few_vertices(circle, 1));
  double4 sides = double4_neg_high(double4_sub(double4_sub(box_sides(box), offsets), center));
  return (CircleSeparations){sides, offsets, center,
                             double2_max(double4_low(sides), double4_high(sides)),
                             tie_bound(box, circle)};
}

/* The verdict by the corner of a box between the two sides that the centre is beyond. */
SAT_INLINE sat_Verdict box_corner_verdict(const CircleSeparations *all, const sat_Shape *box,
                                          uint32_t by_b, Margin margin, sat_Result *result) {
  static const uint32_t begin_at[4] = {1, 2, 0, 3}; /* the sides that begin at the corners */
  double2 low = double4_low(all->sides), high = double4_high(all->sides);
  double2 at = double2_where_more(high, low, double2_load(&box->box.max),
                                  double2_load(&box->box.min)),
          to_circle =
              double2_add(double4_low(all->offsets), double2_sub(double4_low(all->center), at));
  uint32_t of_a = by_b ? 0 : edge_of_side(box, begin_at[double2_more(high, low)]);
  sat_Vec2 corner;
  double2_store(&corner, by_b ? double2_neg(to_circle) : to_circle);
  return verdict_at_corner(corner, of_a, margin, result);
}

/* The corner or the side that is the closest to the centre decides. Undecided where the centre is
 * on the line of a side but for rounding, or two sides are as near. */
SAT_INLINE sat_Verdict circle_verdict(const sat_Shape *a, const sat_Shape *b, uint32_t by_b,
                                      bool clearly, sat_Result *result) {
  const sat_Shape *box = by_b ? b : a;
  CircleSeparations all = circle_separations(box, by_b ? a : b);
  double radius = a->radius + b->radius, tie = all.tie;
  Margin margin = {radius, radius + CLEARLY * tie, tie, clearly};
  if (double2_at_least(double2_abs(all.of_axes), tie) != 3) return SAT_UNDECIDED;
  if (double2_more(all.of_axes, double2_of(0, 0)) == 3)
    return box_corner_verdict(&all, box, by_b, margin, result);
  double4 most = double4_all_greatest(all.sides);
  uint32_t sides = double4_more(double4_sub(most, double4_of(tie)), all.sides) ^ 15;
  sat_Verdict verdict = is_one_bit(sides) ? verdict_at(double4_first(most), margin) : SAT_UNDECIDED;
  BoxMtv mtv = {radius - double4_first(most), lowest_bit(sides) ^ 2 * by_b, by_b, false};
  result_from_box(verdict, a, b, mtv, result);
  return verdict;
}

SAT_INLINE sat_Verdict box_circle_verdict(const sat_Shape *a, const sat_Shape *b, bool clearly,
                                          sat_Result *result) {
  return a->vertex_count == 1 ? circle_verdict(a, b, 1, clearly, result)
                              : circle_verdict(a, b, 0, clearly, result);
}

sat_Status SAT_IN_THIS_SET(sat_box_circle_collide)(const sat_Shape *a, const sat_Shape *b,
                                                   sat_Result *result) {
  sat_Verdict verdict = box_circle_verdict(a, b, false, result);
  if (verdict == SAT_UNDECIDED) return SAT_IN_THIS_SET(sat_rounded_collide)(a, b, result);
  return status_of_verdict(verdict);
}

sat_Verdict SAT_IN_THIS_SET(sat_box_circle_touch)(const sat_Shape *a, const sat_Shape *b,
                                                  sat_Result *result) {
  sat_Verdict verdict = box_circle_verdict(a, b, true, result);
  if (verdict == SAT_UNDECIDED) return SAT_IN_THIS_SET(sat_rounded_touch)(a, b, result);
  return verdict;
}

/* Squares decide, unless the distance is the radius but for rounding. */
sat_Status SAT_IN_THIS_SET(sat_box_circle_overlap)(const sat_Shape *a, const sat_Shape *b) {
  CircleSeparations all =
      a->vertex_count == 1 ? circle_separations(b, a) : circle_separations(a, b);
  double2 beyond = double2_max(all.of_axes, double2_of(0, 0));
  double radius = a->radius + b->radius, limit = radius * radius,
         square = double2_sum(double2_mul(beyond, beyond));
  if (fabs(square - limit) <= CLEARLY * all.tie * (radius + all.tie))
    return SAT_IN_THIS_SET(sat_rounded_overlap)(a, b);
  return (sat_Status)(square > limit); /* SAT_OK or SAT_MISS */
}
