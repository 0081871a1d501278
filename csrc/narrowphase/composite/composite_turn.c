/* composite_turn.c: the first contact of two shapes of which one turns: that of the pairs of their
 * pieces. */
#include "narrowphase/composite/composite_turn.h"

#include "base/memory.h"
#include "narrowphase/composite/piece_pairs.h"
#include "narrowphase/convex/convex_turn.h"

/* A turn of A against B, and its first hit so far. */
typedef struct CompositeTurn {
  ViewPair views;
  sat_Vec2 pivot;
  double angle;
  bool by_front; /* segments of closed chains bar what comes from their front alone */
  void *memory;  /* for turning a piece of A */
  sat_Hit hit;   /* its t is an angle */
  bool is_hit;
} CompositeTurn;

/* Whether a hit is that of a one-sided segment from behind. */
static bool comes_from_behind(const CompositeTurn *turn, const uint32_t piece[2],
                              const sat_Hit *hit) {
  for (uint32_t side = 0; side < 2; side++) {
    const sat_PieceView *view = &turn->views.of[side];
    const sat_Piece *own = &view->pieces[piece[side]];
    if (!(own->flags & SAT_ONE_SIDED)) continue;
    double faces = dot(sat_front_normal(view, own), hit->normal);
    if (side == SAT_B ? faces <= 0 : faces >= 0) return true;
  }
  return false;
}

/* A convex part of a side, and at least |x| + |y| of its vertices. */
typedef struct TurnPart {
  sat_Convex convex;
  sat_Box box;
  double radius, l1_bound;
} TurnPart;

/* The larger of a part's size and its largest coordinate. */
static double turn_scale_of(const TurnPart *part) {
  sat_Box box = box_moved(part->box, part->convex.origin, part->radius);
  double far = max2(max2(-box.min.x, box.max.x), max2(-box.min.y, box.max.y));
  return max2(far, max2(box.max.x - box.min.x, box.max.y - box.min.y));
}

/* Turns a part of A against one of B, for as far as the first hit. Its t is an angle. */
static sat_Status turn_parts(const CompositeTurn *turn, const TurnPart *a, const TurnPart *b,
                             sat_Hit *hit) {
  double scale = max2(max2(fabs(turn->pivot.x), fabs(turn->pivot.y)),
                      max2(turn_scale_of(a), turn_scale_of(b)));
  const double radius[2] = {a->radius, b->radius}, l1_bound[2] = {a->l1_bound, b->l1_bound};
  sat_Rotation rotation = {turn->pivot, turn->angle < 0 ? -1 : 1,
                           min2(fabs(turn->angle), 2 * SAT_PI),
                           turn->is_hit ? turn->hit.t : HUGE_VAL, SAT_TOUCH_ERROR * scale};
  return sat_convex_turn(&a->convex, &rotation, &b->convex, radius, l1_bound, turn->memory, hit);
}

static TurnPart part_of_piece(const sat_PieceView *view, uint32_t index) {
  const sat_Piece *piece = &view->pieces[index];
  return (TurnPart){sat_piece_convex(view, piece), piece->box, sat_piece_radius(view, piece),
                    piece->l1_bound};
}

/* Turns a pair of pieces. Of two hits at one angle that of the lower part of B, then of A, is the
 * first. */
static void turn_pieces(CompositeTurn *turn, const uint32_t piece[2]) {
  const sat_PieceView *of_a = &turn->views.of[SAT_A], *of_b = &turn->views.of[SAT_B];
  TurnPart a = part_of_piece(of_a, piece[SAT_A]), b = part_of_piece(of_b, piece[SAT_B]);
  sat_Hit hit;
  if (turn_parts(turn, &a, &b, &hit) || (turn->by_front && comes_from_behind(turn, piece, &hit)))
    return;
  hit.parts = (sat_Parts){of_a->pieces[piece[SAT_A]].part, of_b->pieces[piece[SAT_B]].part};
  const sat_Hit *first = &turn->hit;
  if (!turn->is_hit || hit.t < first->t ||
      (hit.t == first->t && sat_parts_precede(hit.parts, first->parts)))
    turn->hit = hit;
  turn->is_hit = true;
}

/* Turns a convex shape against another one. */
static void turn_convex(CompositeTurn *turn, const sat_Shape *a, const sat_Shape *b,
                        double margin) {
  sat_Box box = box_moved(a->box, sub(a->origin, turn->pivot), a->radius);
  box = box_moved(box_turned(box, vec2(0, 0), turn->angle), sub(turn->pivot, b->origin), margin);
  TurnPart of_a = {sat_convex_of(a), a->box, a->radius, a->l1_bound},
           of_b = {sat_convex_of(b), b->box, b->radius, b->l1_bound};
  turn->is_hit =
      boxes_meet(&b->box, &box, b->radius) && turn_parts(turn, &of_a, &of_b, &turn->hit) == SAT_OK;
}

/* How near and how far from the pivot the places of a piece are. */
static sat_Interval ring_of_piece(const sat_PieceView *view, uint32_t index, sat_Vec2 pivot) {
  sat_Convex piece = sat_piece_convex(view, &view->pieces[index]);
  double radius = sat_piece_radius(view, &view->pieces[index]), near = HUGE_VAL, far = 0;
  bool is_inside = piece.count > 2;
  pivot = sub(pivot, view->origin);
  for (uint32_t i = 0; i < piece.count; i++) {
    sat_Vec2 start = piece.vertex[i], arm = sub(pivot, start);
    sat_Vec2 edge = sub(piece.vertex[next_index(&piece, i)], start);
    double size = dot(edge, edge), t = size > 0 ? clamp(dot(arm, edge) / size, 0, 1) : 0;
    is_inside = is_inside && cross(edge, arm) >= 0;
    near = min2(near, length(sub(arm, mul(edge, t))));
    far = max2(far, length(arm));
  }
  return (sat_Interval){is_inside ? 0 : near - radius, far + radius};
}

sat_Interval sat_ring_about(const sat_PieceView *view, sat_Vec2 pivot) {
  sat_Interval all = {HUGE_VAL, 0};
  for (uint32_t i = 0; i < view->count; i++) {
    sat_Interval ring = ring_of_piece(view, i, pivot);
    all = (sat_Interval){min2(all.low, ring.low), max2(all.high, ring.high)};
  }
  return all;
}

/* Turns all pairs of pieces that may meet: for each piece of the side with fewer of them whose ring
 * about the pivot meets the other side's, those of the other side near its way up to the first hit
 * so far, which seen from A is the way back. `touch` is no less than any pair's rounding. */
static void turn_all_pieces(CompositeTurn *turn, double margin, double touch) {
  uint32_t side = turn->views.of[SAT_A].count > turn->views.of[SAT_B].count, piece[2];
  const sat_PieceView *own = &turn->views.of[side], *other = &turn->views.of[!side];
  sat_Interval all = sat_ring_about(other, turn->pivot);
  all = (sat_Interval){all.low - 2 * touch, all.high + 2 * touch};
  for (piece[side] = 0; piece[side] < own->count; piece[side]++) {
    sat_Interval ring = ring_of_piece(own, piece[side], turn->pivot);
    if (ring.high < all.low || ring.low > all.high) continue;
    double out = sat_piece_radius(own, &own->pieces[piece[side]]);
    sat_Box box = box_moved(own->pieces[piece[side]].box, vec2(0, 0), out);
    box = box_turned(box, sub(turn->pivot, own->origin), turn->is_hit ? turn->hit.t : turn->angle);
    if (turn->is_hit) box = box_moved(box, vec2(0, 0), 2 * touch);
    box = box_moved(box, sub(own->origin, other->origin), margin);
    sat_BvhQuery query = sat_bvh_query(other, box);
    while (sat_bvh_query_next(&query, &piece[!side])) turn_pieces(turn, piece);
  }
}

sat_Status sat_turn_facing(const sat_Shape *a, double angle, const sat_Shape *b, sat_Vec2 pivot,
                           bool by_front, sat_Scratch *scratch, sat_Hit *hit) {
  enum { FEW = 16 };
  sat_Edges few[FEW / 4 + FEW * sizeof(sat_Vec2) / sizeof(sat_Edges) + 1];
  CompositeTurn turn;
  turn.pivot = pivot;
  turn.angle = angle;
  turn.by_front = by_front;
  turn.memory = few;
  turn.is_hit = false;
  if (!in_range(angle) || !in_range(pivot.x) || !in_range(pivot.y)) return SAT_ERANGE;
  double far = fabs(pivot.x) + fabs(pivot.y);
  /* no coordinate and no size is larger */
  double most_size = far + fabs(a->origin.x) + fabs(a->origin.y) + fabs(b->origin.x) +
                     fabs(b->origin.y) + 2 * (a->l1_bound + b->l1_bound + a->radius + b->radius);
  double margin = SAT_SEPARATION_ROUNDING * far + box_rounding(a, b);
  bool convex = !is_composite(a) && !is_composite(b);
  uint32_t most = a->vertex_count;
  if (!convex) view_both(&turn.views, a, b);
  for (uint32_t i = 0; !convex && i < turn.views.of[SAT_A].count; i++)
    if (turn.views.of[SAT_A].pieces[i].count > most) most = turn.views.of[SAT_A].pieces[i].count;
  size_t bytes = edge_block_count(most) * sizeof(sat_Edges) + most * sizeof(sat_Vec2);
  if (most > FEW) turn.memory = sat_scratch_reserve(scratch, bytes);
  if (!turn.memory) return SAT_ENOMEM;
  if (angle == 0) return SAT_MISS;
  if (convex) turn_convex(&turn, a, b, margin);
  else turn_all_pieces(&turn, margin, SAT_TOUCH_ERROR * most_size);
  if (!turn.is_hit) return SAT_MISS;
  *hit = turn.hit;
  hit->t /= fabs(angle);
  return SAT_OK;
}
