/* plain_pairs_simd.h: the plain pairs of games that have four sides to compare, for the instruction
 * set of the file that includes it. Each number is computed as in the general path, which decides
 * wherever another feature than the obvious one might count there. */
#include "narrowphase/convex/mtv_tie_break.h"

/* ---------------------------------------------------------------- separations of upright boxes */

/* The separations of A's left, upper, right and lower side (to smaller and larger x and y), as A's
 * edge and as B's edge back to back with it give them: the same number but for rounding. */
typedef struct BoxSeparations {
  double4 of_a, of_b, most_of, all_most, offsets;
  double most, tie; /* more than the rounding error of a separation */
} BoxSeparations;

/* A box, from its smaller coordinates to its larger ones; and the other way round. */
SAT_INLINE double4 box_sides(const sat_Shape *box) { return double4_load((const void *)&box->box); }
SAT_INLINE double4 facing_sides(const sat_Shape *box) {
  return double4_of_halves(double2_load(&box->box.max), double2_load(&box->box.min));
}

SAT_INLINE BoxSeparations box_separations(const sat_Shape *a, const sat_Shape *b) {
  double4 offsets = double4_sub(double4_load_twice(&b->origin), double4_load_twice(&a->origin)),
          own = box_sides(a), facing = facing_sides(b);
  double4 of_a = double4_neg_high(double4_sub(double4_sub(own, offsets), facing)),
          of_b = double4_neg_high(double4_sub(own, double4_add(offsets, facing))),
          most_of = double4_max(of_a, of_b), all_most = double4_all_greatest(most_of);
  double most = double4_first(all_most), tie = tie_of(a, b, a->l1_bound + b->l1_bound);
  return (BoxSeparations){of_a, of_b, most_of, all_most, offsets, most, tie};
}

/* The rounding errors of sums: Knuth. */
SAT_INLINE double4 rest_of_sum(double4 sum, double4 a, double4 b) {
  double4 of_b = double4_sub(sum, a), of_a = double4_sub(sum, of_b);
  return double4_add(double4_sub(a, of_a), double4_sub(b, of_b));
}

/* One bit for each of A's sides whose separation is exact, as those of boxes of whole and dyadic
 * numbers are. */
SAT_INLINE uint32_t exact_sides(const sat_Shape *a, const sat_Shape *b, double4 offsets) {
  double4 from = double4_load_twice(&a->origin), to = double4_load_twice(&b->origin),
          own = box_sides(a), facing = facing_sides(b), moved = double4_sub(own, offsets);
  return double4_exact(offsets, to, from) & double4_exact(moved, own, offsets) &
         double4_exact(double4_sub(moved, facing), moved, facing);
}

/* The index of the edge of an upright box that is this side. */
SAT_INLINE uint32_t edge_of_side(const sat_Shape *box, uint32_t side) {
  return (side - box->flags / SAT_FIRST_SIDE) & 3;
}

/* ---------------------------------------------------------------- two upright boxes */

/* The shortest way out of two boxes: by a side of A, or by B's side back to back with it. */
typedef struct BoxMtv {
  double depth;
  uint32_t side_of_a, by_b; /* 1: B's edge counts */
  bool tied;
} BoxMtv;

/* The side and the edge of a way out, whose box is `own`. */
typedef struct BoxEdge {
  const sat_Shape *own;
  uint32_t side, edge;
  double2 normal; /* from B to A */
} BoxEdge;

SAT_INLINE BoxEdge edge_of_mtv(const sat_Shape *a, const sat_Shape *b, const BoxMtv *mtv) {
  static const double signs[2] = {-1, 1};
  const sat_Shape *own = mtv->by_b ? b : a;
  uint32_t side = (mtv->side_of_a + 2 * mtv->by_b) & 3, edge = edge_of_side(own, side);
  double2 normal = double2_of(edges_of(own)->x[edge], edges_of(own)->y[edge]),
          sign = double2_of(signs[mtv->by_b], signs[mtv->by_b]);
  return (BoxEdge){own, side, edge, double2_mul(normal, sign)};
}

SAT_INLINE sat_Status result_from_box(sat_Verdict verdict, const sat_Shape *a, const sat_Shape *b,
                                      BoxMtv mtv, sat_Result *result) {
  if (verdict != SAT_OVERLAP) return SAT_MISS;
  BoxEdge by = edge_of_mtv(a, b, &mtv);
  double2 vector = double2_mul(by.normal, double2_of(mtv.depth, mtv.depth));
  set_translation(by.normal, vector, mtv.depth, mtv.by_b, by.edge, false, result);
  if (!(mtv.depth > 0)) result->vector = vec2(0, 0); /* without signs */
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
  if (clearly && all->most > 0)
    return all->most > CLEARLY * all->tie ? SAT_SEPARATE : SAT_UNDECIDED;
  if (all->most + all->tie >= 0)
    return all->most > all->tie ? SAT_SEPARATE : exact_verdict(a, b, all, by_rule, mtv);
  uint32_t sides =
      double4_more(double4_sub(all->all_most, double4_of(all->tie)), all->most_of) ^ 15;
  if (!is_one_bit(sides)) return exact_verdict(a, b, all, by_rule, mtv);
  uint32_t side = lowest_bit(sides), by_b = double4_more(all->of_b, all->of_a) >> side & 1;
  *mtv = (BoxMtv){-all->most, side, by_b, false};
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

/* Sums are rounded in order: unequal ones tell which of the exact ones is less, and of equal ones
 * their rounding errors tell, exactly. */
sat_Status SAT_IN_THIS_SET(sat_boxes_overlap)(const sat_Shape *a, const sat_Shape *b) {
  double4 from = double4_load_twice(&a->origin), to = double4_load_twice(&b->origin),
          own = box_sides(a), other = box_sides(b), sides = double4_add(from, own),
          others = double4_add(to, other), facing = double4_middle(others, others);
  uint32_t less = double4_more(facing, sides), more = double4_more(sides, facing);
  if ((less | more) == 15) return (sat_Status)(more != 12); /* SAT_OK or SAT_MISS */
  uint32_t equal = ~(less | more);
  double4 rest = rest_of_sum(sides, from, own), of_b = rest_of_sum(others, to, other),
          rests = double4_middle(of_b, of_b);
  less |= equal & double4_more(rests, rest);
  more |= equal & double4_more(rest, rests);
  return (sat_Status)((less & 12) + (more & 3) > 0);
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
  BoxEdge by = edge_of_mtv(a, b, &mtv);
  const sat_Shape *own = by.own;
  uint32_t side = by.side;
  manifold->depth = mtv.depth;
  double2_store(&manifold->normal, by.normal);
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

/* ---------------------------------------------------------------- distance of upright boxes */

/* The coordinates, along two edges that face each other, of their first and last vertices, from the
 * box's own origin; and what leads from A's origin to B's. */
typedef struct FacingEdges {
  double first_a, last_a, first_b, last_b, offset;
  bool from_first; /* of B's vertices the general path begins with the first, and else the last */
} FacingEdges;

SAT_INLINE const double *side_numbers(const sat_Shape *box) { return (const void *)&box->box; }
SAT_INLINE double origin_along(const sat_Shape *box, uint32_t y) {
  return ((const double *)(const void *)&box->origin)[y];
}

SAT_INLINE FacingEdges facing_edges(const sat_Shape *a, const sat_Shape *b, uint32_t side) {
  uint32_t before = (side + 3) & 3, after = (side + 1) & 3;
  return (FacingEdges){side_numbers(a)[before],
                       side_numbers(a)[after],
                       side_numbers(b)[after],
                       side_numbers(b)[before],
                       origin_along(b, after & 1) - origin_along(a, after & 1),
                       edge_of_side(b, side + 2) < 3};
}

/* The place of the origin along the facet of A's edge and a vertex of B, or of B's edge and a
 * vertex of A: 0 at its start, 1 at its end. The quotient is taken where it is needed. */
typedef struct PlaceOnEdge {
  double along, of;
} PlaceOnEdge;

SAT_INLINE PlaceOnEdge place_on_a(const FacingEdges *edges, double of_b) {
  double edge = edges->first_a - edges->last_a;
  return (PlaceOnEdge){-((edges->offset + (of_b - edges->first_a)) * edge), edge * edge};
}
SAT_INLINE PlaceOnEdge place_on_b(const FacingEdges *edges, double of_a) {
  double edge = edges->last_b - edges->first_b;
  return (PlaceOnEdge){-((edges->offset + (edges->first_b - of_a)) * edge), edge * edge};
}

SAT_INLINE bool is_between_ends(PlaceOnEdge at) { return at.along >= 0 && at.along <= at.of; }
SAT_INLINE double point_between(PlaceOnEdge at, double from, double to) {
  return from + (to - from) * (at.along / at.of);
}

/* Stores a point of a box: its coordinates across a side and along that. */
SAT_INLINE void store_point(const sat_Shape *box, uint32_t side, double across, double along,
                            sat_Vec2 *point) {
  double *at = (double *)(void *)point;
  at[side & 1] = origin_along(box, side & 1) + across;
  at[~side & 1] = origin_along(box, ~side & 1) + along;
}

/* The closest points of edges that face each other, apart by `of_a` as A's edge gives it. Returns
 * false where rounding leaves open which these are. */
SAT_INLINE bool distance_of_edges(const sat_Shape *a, const sat_Shape *b, uint32_t side,
                                  double of_a, sat_Distance *result) {
  FacingEdges edges = facing_edges(a, b, side);
  double own = side_numbers(a)[side], other = side_numbers(b)[side ^ 2],
         on_b = edges.from_first ? edges.first_b : edges.last_b, on_a;
  PlaceOnEdge at = place_on_a(&edges, on_b);
  result->distance = of_a;
  if (is_between_ends(at)) on_a = point_between(at, edges.first_a, edges.last_a);
  else {
    bool after = at.along > 0;
    on_a = after ? edges.last_a : edges.first_a;
    at = place_on_b(&edges, on_a);
    if (edges.from_first != after || !(at.along > 0 && at.along < at.of)) return false;
    on_b = point_between(at, edges.first_b, edges.last_b);
    double offset = origin_along(b, side & 1) - origin_along(a, side & 1);
    result->distance = fabs(own - (offset + other)); /* as B's edge gives it */
  }
  store_point(a, side, own, on_a, &result->on_a);
  store_point(b, side, other, on_b, &result->on_b);
  return true;
}

/* The point that touching edges share: B's vertex, if it is on A's edge, or else A's vertex, if it
 * is on B's edge, or else the place of B's last vertex. */
SAT_INLINE void distance_of_touch(const sat_Shape *a, const sat_Shape *b, uint32_t side,
                                  sat_Distance *result) {
  FacingEdges edges = facing_edges(a, b, side);
  double of_b = edges.from_first ? edges.first_b : edges.last_b;
  PlaceOnEdge at = place_on_a(&edges, of_b);
  if (!is_between_ends(at)) {
    double end = at.along > 0 ? edges.last_a : edges.first_a;
    if (edges.offset + (of_b - end) != 0) {
      if (is_between_ends(place_on_b(&edges, edges.first_a))) at.along = -1;
      else at = place_on_a(&edges, edges.last_b);
    }
  }
  double on_a = is_between_ends(at) ? point_between(at, edges.first_a, edges.last_a)
                : at.along > 0      ? edges.last_a
                                    : edges.first_a;
  result->distance = 0;
  store_point(a, side, side_numbers(a)[side], on_a, &result->on_a);
  store_point(a, side, side_numbers(a)[side], on_a, &result->on_b);
}

SAT_INLINE void distance_of_corners(const sat_Shape *a, const sat_Shape *b,
                                    const BoxSeparations *all, sat_Distance *result) {
  double2 left = double4_low(all->of_a), right = double4_high(all->of_a),
          min_a = double2_load(&a->box.min), max_a = double2_load(&a->box.max),
          min_b = double2_load(&b->box.min), max_b = double2_load(&b->box.max),
          at_a = double2_where_more(left, right, min_a, max_a),
          at_b = double2_where_more(left, right, max_b, min_b),
          between = double2_add(double4_low(all->offsets), double2_sub(at_b, at_a));
  result->distance = square_root(double2_sum(double2_mul(between, between)));
  double2_store(&result->on_a, double2_add(double2_load(&a->origin), at_a));
  double2_store(&result->on_b, double2_add(double2_load(&b->origin), at_b));
}

sat_Status SAT_IN_THIS_SET(sat_boxes_distance)(const sat_Shape *a, const sat_Shape *b,
                                               sat_Distance *result) {
  BoxSeparations all = box_separations(a, b);
  double2 across = double2_max(double4_low(all.of_a), double4_high(all.of_a));
  uint32_t separate = double2_at_least(across, all.tie),
           beside = double2_at_least(across, -all.tie);
  if (separate == 3) {
    distance_of_corners(a, b, &all, result);
    return SAT_OK;
  }
  double most = double2_greatest(across);
  uint32_t side = lowest_bit(double4_at_least(all.of_a, most));
  if (beside != 0 && beside != 3) { /* they are level along one axis */
    if (separate && distance_of_edges(a, b, side, most, result)) return SAT_OK;
    /* both edges along the side give a separation of 0, exactly */
    uint32_t bit = 1u << side;
    if (most == 0 && exact_sides(a, b, all.offsets) & bit && double4_at_least(all.of_b, 0) == bit) {
      distance_of_touch(a, b, side, result);
      return SAT_OK;
    }
  }
  return sat_distance_general(a, b, beside == 0, result);
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

/* Squares decide, unless the distance is the radius but for rounding: the centre of a circle near a
 * box is no farther from the box's origin than both sizes, whose rounding errors are far below the
 * bound. */
sat_Status SAT_IN_THIS_SET(sat_box_circle_overlap)(const sat_Shape *a, const sat_Shape *b) {
  const sat_Shape *box = a->vertex_count == 1 ? b : a, *circle = a->vertex_count == 1 ? a : b;
  double2 offset = double2_sub(double2_load(&circle->origin), double2_load(&box->origin)),
          center = double2_add(offset, double2_load(few_vertices(circle, 1))),
          above = double2_sub(double2_load(&box->box.min), center),
          below = double2_sub(center, double2_load(&box->box.max)),
          beyond = double2_max(double2_max(above, below), double2_of(0, 0));
  double radius = a->radius + b->radius, limit = radius * radius,
         bound = CLEARLY * SAT_TIE_RELATIVE * (a->l1_bound + b->l1_bound + radius),
         square = double2_sum(double2_mul(beyond, beyond));
  if (fabs(square - limit) <= bound * (radius + bound))
    return SAT_IN_THIS_SET(sat_rounded_overlap)(a, b);
  return (sat_Status)(square > limit); /* SAT_OK or SAT_MISS */
}
