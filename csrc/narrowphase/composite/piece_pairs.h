/* piece_pairs.h: the pairs of pieces of two shapes whose boxes are near each other. */
#ifndef SAT_NARROWPHASE_PIECE_PAIRS_H
#define SAT_NARROWPHASE_PIECE_PAIRS_H

#include "narrowphase/composite/chain_neighbors.h"
#include "shape/bvh.h"

static inline sat_Pair sat_convex_pair_of_pieces(const sat_PieceView *a, const sat_PieceView *b,
                                                 const uint32_t piece_index[2]) {
  const sat_Piece *p = &a->pieces[piece_index[0]], *q = &b->pieces[piece_index[1]];
  return sat_pair_make(sat_piece_convex(a, p), sat_piece_convex(b, q), p->l1_bound + q->l1_bound,
                       sat_piece_radius(a, p) + sat_piece_radius(b, q));
}

static inline sat_PiecePair sat_piece_pair_of(const sat_PieceView *a, const sat_PieceView *b,
                                              const uint32_t piece_index[2]) {
  return (sat_PiecePair){{a, b}, {&a->pieces[piece_index[0]], &b->pieces[piece_index[1]]}};
}

/* Every pair of pieces whose boxes, with all radii, are no farther apart than `threshold` along
 * either axis. `threshold` may become smaller on the way.
 *   sat_PiecePairs piece_pairs = sat_piece_pairs_begin(a, b, threshold);
 *   while (sat_piece_pairs_next(&piece_pairs, piece_index)) ... */
typedef struct sat_PiecePairs {
  const sat_PieceView *of[2];
  sat_Vec2 origin_offset[2];
  double threshold;
  uint32_t side;  /* the shape whose pieces the outer loop visits: the one that has fewer */
  uint32_t piece; /* the current piece of the outer loop */
  bool inside;    /* the inner query is running */
  sat_BvhQuery outer, internal;
} sat_PiecePairs;

static inline sat_Box box_swept(sat_Box box, sat_Vec2 by) {
  return (sat_Box){vec2(box.min.x + min2(by.x, 0), box.min.y + min2(by.y, 0)),
                   vec2(box.max.x + max2(by.x, 0), box.max.y + max2(by.y, 0))};
}

static inline sat_PiecePairs sat_piece_pairs_begin(const sat_PieceView *a, const sat_PieceView *b,
                                                   double threshold) {
  sat_Vec2 origin_offset = sub(b->origin, a->origin);
  uint32_t side = a->count > b->count;
  sat_PiecePairs piece_pairs = {
      {a, b}, {origin_offset, neg(origin_offset)}, threshold, side, 0, false, {0}, {0}};
  const sat_PieceView *own = piece_pairs.of[side], *other = piece_pairs.of[!side];
  piece_pairs.outer =
      sat_bvh_query(own, box_moved(other->box, piece_pairs.origin_offset[side], threshold));
  return piece_pairs;
}

static inline bool sat_piece_pairs_next(sat_PiecePairs *piece_pairs, uint32_t piece_index[2]) {
  uint32_t side = piece_pairs->side;
  const sat_PieceView *own = piece_pairs->of[side];
  for (;;) {
    if (piece_pairs->inside && sat_bvh_query_next(&piece_pairs->internal, &piece_index[!side])) {
      piece_index[side] = piece_pairs->piece;
      return true;
    }
    piece_pairs->inside = sat_bvh_query_next(&piece_pairs->outer, &piece_pairs->piece);
    if (!piece_pairs->inside) return false;
    const sat_Piece *piece = &own->pieces[piece_pairs->piece];
    double out = sat_piece_radius(own, piece) + piece_pairs->threshold;
    sat_Box box = box_moved(piece->box, neg(piece_pairs->origin_offset[side]), out);
    piece_pairs->internal = sat_bvh_query(piece_pairs->of[!side], box);
  }
}

/* ---------------------------------------------------------------- the nearest or earliest first */

/* The pairs of pieces whose boxes come within `threshold` of each other as A moves. Of each piece
 * of the shape that has fewer, in the order of its pieces, those of the other shape come the
 * earliest first. Without a motion they are the pairs whose boxes are at most `limit` apart, the
 * nearest first. `limit` may become smaller on the way.
 *   sat_NearPairs pairs;
 *   sat_near_pairs_begin(&pairs, a, b, threshold, motion, 1);
 *   while (sat_near_pairs_next(&pairs, piece_index)) ... */
typedef struct sat_NearPairs {
  const sat_PieceView *of[2];
  sat_Vec2 origin_offset, motion; /* as the shape that has fewer pieces sees the other one */
  double threshold, limit;
  uint32_t side, piece;      /* as those of sat_PiecePairs */
  sat_BvhQuery outer, swept; /* `swept`: of the box of all places of the current piece */
  sat_BvhWalk internal;
} sat_NearPairs;

static inline void sat_near_pairs_begin(sat_NearPairs *pairs, const sat_PieceView *a,
                                        const sat_PieceView *b, double threshold, sat_Vec2 motion,
                                        double limit) {
  uint32_t side = a->count > b->count;
  sat_Vec2 origin_offset = sub(b->origin, a->origin);
  pairs->of[0] = a;
  pairs->of[1] = b;
  pairs->origin_offset = side ? neg(origin_offset) : origin_offset;
  pairs->motion = side ? neg(motion) : motion;
  pairs->threshold = threshold;
  pairs->limit = limit;
  pairs->side = side;
  double out = threshold + (motion.x == 0 && motion.y == 0 ? limit : 0);
  sat_Box box = box_moved(pairs->of[!side]->box, pairs->origin_offset, out);
  pairs->outer = sat_bvh_query(pairs->of[side], box_swept(box, neg(pairs->motion)));
  pairs->internal.view = pairs->of[!side];
  pairs->piece = 0;
  pairs->swept = pairs->outer;
  pairs->internal.box = (sat_Box){{0, 0}, {0, 0}};
  pairs->internal.inverse = vec2(0, 0);
  pairs->internal.moves = false;
  pairs->internal.piece = pairs->internal.end = pairs->internal.waiting = 0;
}

/* Edges that something thin runs along are found up to twice as far from the way as hits: the boxes
 * of the walk are larger by the threshold. */
static inline bool sat_near_pairs_next(sat_NearPairs *pairs, uint32_t piece_index[2]) {
  uint32_t side = pairs->side;
  const sat_PieceView *own = pairs->of[side], *other = pairs->of[!side];
  for (;;) {
    pairs->internal.limit = pairs->limit;
    while (sat_bvh_walk_next(&pairs->internal, &piece_index[!side])) {
      const sat_Piece *piece = &other->pieces[piece_index[!side]];
      piece_index[side] = pairs->piece;
      if (!pairs->internal.moves || sat_bvh_meets(&pairs->swept, &piece->box, piece->radius))
        return true;
    }
    if (!sat_bvh_query_next(&pairs->outer, &pairs->piece)) return false;
    const sat_Piece *piece = &own->pieces[pairs->piece];
    double out = sat_piece_radius(own, piece) + pairs->threshold;
    sat_Box box = box_moved(piece->box, neg(pairs->origin_offset), out);
    pairs->swept = sat_bvh_query(other, box_swept(box, pairs->motion));
    sat_bvh_walk_begin(&pairs->internal, other, box_moved(box, vec2(0, 0), pairs->threshold),
                       pairs->motion, pairs->limit);
  }
}

/* Whether the order of pieces, that of sat_PiecePairs, has a pair before another one that this walk
 * has given earlier. */
static inline bool sat_near_pairs_precede(const sat_NearPairs *pairs, const uint32_t own[2],
                                          const uint32_t other[2]) {
  uint32_t side = pairs->side;
  return own[side] == other[side] && own[!side] < other[!side];
}

/* ---------------------------------------------------------------- both shapes */

/* The pieces of two shapes. A convex shape is its own single piece, which is stored here. */
typedef struct ViewPair {
  sat_Piece single[2];
  sat_PieceView of[2];
} ViewPair;

static inline void view_both(ViewPair *views, const sat_Shape *a, const sat_Shape *b) {
  sat_view_pieces(a, &views->single[0], &views->of[0]);
  sat_view_pieces(b, &views->single[1], &views->of[1]);
}

static inline bool is_line(const ViewPair *views, uint32_t side, uint32_t index) {
  const sat_PieceView *view = &views->of[side];
  return view->pieces[index].count <= 2 && sat_piece_radius(view, &view->pieces[index]) == 0;
}

/* The bounds of a piece in the world, without its radius, rounded outward. */
static inline sat_Box piece_bounds(const ViewPair *views, uint32_t side, uint32_t index) {
  const sat_PieceView *view = &views->of[side];
  const sat_Box *box = &view->pieces[index].box;
  sat_Vec2 o = view->origin;
  return (sat_Box){vec2(sum_down(o.x, box->min.x), sum_down(o.y, box->min.y)),
                   vec2(sum_up(o.x, box->max.x), sum_up(o.y, box->max.y))};
}

/* Whether the bounds of two pieces decide about them. Bounds do not decide where a piece has a
 * radius, since rounding does, nor for a line, which others cross and which the shared edges of
 * several pieces stop. */
static inline bool bounds_decide(const ViewPair *views, const uint32_t piece_index[2]) {
  bool line[2];
  for (uint32_t side = 0; side < 2; side++) {
    const sat_PieceView *view = &views->of[side];
    if (sat_piece_radius(view, &view->pieces[piece_index[side]]) > 0) return false;
    line[side] = is_line(views, side, piece_index[side]);
    if (line[side] && views->of[!side].count > 1) return false;
  }
  return !(line[0] && line[1]);
}

/* Whether the bounds of two pieces show that they touch at most. */
static inline bool bounds_part(const ViewPair *views, const uint32_t piece_index[2]) {
  return bounds_decide(views, piece_index) &&
         !box_interiors_meet(piece_bounds(views, SAT_A, piece_index[SAT_A]),
                             piece_bounds(views, SAT_B, piece_index[SAT_B]));
}

/* Whether the bounds of two pieces show that a motion of the first leads to no overlap. */
static inline bool motion_leads_past(const ViewPair *views, const uint32_t piece_index[2],
                                     sat_Vec2 motion) {
  return bounds_decide(views, piece_index) &&
         boxes_lead_past(piece_bounds(views, SAT_A, piece_index[SAT_A]),
                         piece_bounds(views, SAT_B, piece_index[SAT_B]), motion);
}

/* The rounding error of a comparison of two pieces' boxes. */
static inline double box_rounding(const sat_Shape *a, const sat_Shape *b) {
  sat_Vec2 origin_offset = sub(b->origin, a->origin);
  double sizes = a->l1_bound + b->l1_bound + a->radius + b->radius;
  return SAT_SEPARATION_ROUNDING * (fabs(origin_offset.x) + fabs(origin_offset.y) + sizes);
}

/* Two pieces in the form that the functions of two convex sets take. */
typedef struct PieceQuestion {
  sat_Pair pair;
  double radius[2], l1_bound[2];
  sat_PiecePair of;
} PieceQuestion;

static inline PieceQuestion piece_question(const ViewPair *views, const uint32_t piece_index[2]) {
  const sat_PieceView *a = &views->of[0], *b = &views->of[1];
  PieceQuestion pieces = {sat_convex_pair_of_pieces(a, b, piece_index),
                          {0, 0},
                          {0, 0},
                          sat_piece_pair_of(a, b, piece_index)};
  for (int side = 0; side < 2; side++) {
    const sat_PieceView *view = &views->of[side];
    const sat_Piece *piece = &view->pieces[piece_index[side]];
    pieces.radius[side] = sat_piece_radius(view, piece);
    pieces.l1_bound[side] = piece->l1_bound;
  }
  return pieces;
}

#endif
