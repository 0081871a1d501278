/* composite_cast.c: a moving shape against another one, at least one of them composite: the
 * first of the hits of their convex pieces, and the gaps of no width between pieces, which are
 * closed. */
#include "narrowphase/composite_cast.h"

#include "narrowphase/composite_pair.h"
#include "narrowphase/convex_pair.h"
#include "narrowphase/piece_pairs.h"

/* A search for the first hit. */
typedef struct CompositeCast {
  const ViewPair *views;
  sat_Motion motion;
  double threshold; /* the error bound of the pieces' boxes on the way, and rounding */
  sat_Hit best;
  uint32_t best_pieces[2]; /* the pieces that make this hit */
  bool is_hit;
  bool tangent_hands[2]; /* something on the right hand, on the left */
} CompositeCast;

/* Keeps the earliest hit, and of hits at the same time the one most head on. Of two that are equal
 * in both the one that is found first stays, unless the other one's pieces `come_first`. */
static void keep_earliest_hit(CompositeCast *cast, const uint32_t piece_index[2],
                              const sat_Hit *hit, bool come_first) {
  const sat_Hit *best = &cast->best;
  sat_Vec2 way = cast->motion.vector;
  if (cast->is_hit && hit->t >= best->t) {
    double ahead = dot(best->normal, way) - dot(hit->normal, way);
    if (hit->t > best->t || !(come_first ? ahead >= 0 : ahead > 0)) return;
  }
  cast->best = *hit;
  cast->best_pieces[0] = piece_index[0];
  cast->best_pieces[1] = piece_index[1];
  cast->is_hit = true;
}

/* Casts one pair of pieces. Returns whether they hit. */
static bool cast_piece_pair(const CompositeCast *cast, const uint32_t piece_index[2], sat_Hit *hit,
                            sat_TangentContact *tangent) {
  PieceQuestion pieces = piece_question(cast->views, piece_index);
  tangent->any = false;
  return sat_convex_cast(&pieces.pair, &pieces.of, cast->motion, pieces.radius, hit, tangent) ==
         SAT_OK;
}

/* The pairs that meet during the motion, up to the best hit, in their order or the earliest
 * first. */
static void begin_pairs_along_motion(const CompositeCast *cast, bool in_order,
                                     sat_NearPairs *pairs) {
  sat_near_pairs_begin(pairs, &cast->views->of[0], &cast->views->of[1], cast->threshold,
                       cast->motion.vector, cast->is_hit ? cast->best.t : 1);
  pairs->in_order = in_order;
}

/* The begin of a path of this point between two adjacent pieces: a gap of no width is closed. */
static void close_gap(CompositeCast *cast, const uint32_t point[2],
                      const sat_TangentContact *tangent) {
  sat_NearPairs pairs;
  uint32_t piece_index[2];
  begin_pairs_along_motion(cast, true, &pairs);
  while (sat_near_pairs_next(&pairs, piece_index)) {
    sat_Hit hit;
    sat_TangentContact other;
    if (piece_index[tangent->side] != point[tangent->side]) continue;
    cast_piece_pair(cast, piece_index, &hit, &other);
    if (!other.any || other.left == tangent->left) continue;
    const sat_Hit *later = other.hit.t > tangent->hit.t ? &other.hit : &tangent->hit;
    if (later->t < min2(other.end, tangent->end))
      keep_earliest_hit(cast, piece_index, later, false);
  }
}

/* Closes the gaps of no width once there are tangential contacts on both sides of the motion. */
static void close_gaps(CompositeCast *cast) {
  sat_NearPairs pairs;
  uint32_t piece_index[2];
  begin_pairs_along_motion(cast, true, &pairs);
  while (sat_near_pairs_next(&pairs, piece_index)) {
    sat_Hit hit;
    sat_TangentContact tangent;
    cast_piece_pair(cast, piece_index, &hit, &tangent);
    if (tangent.any && tangent.left && !(cast->is_hit && tangent.hit.t > cast->best.t))
      close_gap(cast, piece_index, &tangent);
  }
}

static CompositeCast make_composite_cast(const ViewPair *views, const sat_Shape *a,
                                         sat_Motion motion, const sat_Shape *b) {
  CompositeCast cast = {.views = views, .motion = motion};
  cast.motion.leaves_point = true; /* to the earliest hit alone */
  cast.threshold = box_rounding(a, b) + motion.rounding +
                   SAT_SEPARATION_ROUNDING * (fabs(motion.vector.x) + fabs(motion.vector.y));
  return cast;
}

static sat_Status find_first_hit(CompositeCast *cast, sat_Hit *hit) {
  sat_NearPairs pairs;
  uint32_t piece_index[2];
  begin_pairs_along_motion(cast, false, &pairs);
  while (sat_near_pairs_next(&pairs, piece_index)) {
    sat_Hit other;
    sat_TangentContact tangent;
    if (motion_leads_past(cast->views, piece_index, cast->motion.vector)) continue;
    if (cast_piece_pair(cast, piece_index, &other, &tangent))
      keep_earliest_hit(cast, piece_index, &other,
                        sat_near_pairs_precede(&pairs, piece_index, cast->best_pieces));
    if (cast->is_hit) pairs.limit = cast->best.t;
    if (tangent.any) cast->tangent_hands[tangent.left] = true;
  }
  if (cast->tangent_hands[0] && cast->tangent_hands[1]) close_gaps(cast);
  if (!cast->is_hit) return SAT_MISS;
  *hit = cast->best;
  if (!sat_lacks_point(hit)) return SAT_OK; /* that of a tangential contact is known */
  PieceQuestion pieces = piece_question(cast->views, cast->best_pieces);
  sat_convex_cast_point(&pieces.pair, &pieces.of, cast->motion, pieces.radius, hit);
  return SAT_OK;
}

sat_Status sat_composite_cast_separate(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                                       sat_Hit *hit) {
  ViewPair views;
  view_both(&views, a, b);
  CompositeCast cast = make_composite_cast(&views, a, motion, b);
  return find_first_hit(&cast, hit);
}

/* Whether two pieces meet, and the depth of their overlap. */
static bool pieces_meet(const PieceQuestion *pieces, double *depth) {
  sat_ConvexTest test;
  if (!sat_convex_test(&pieces->pair, 0, false, NULL, &test)) return false;
  double separation = test.inside ? test.max_facet.separation : test.closest.distance;
  *depth = pieces->pair.radius - separation;
  return true;
}

/* Whether a point or segment that meets one piece meets another piece, too, or misses it by
 * rounding: then it may be inside their union, on a shared edge. */
static bool meets_another(const CompositeCast *cast, const uint32_t pair[2], uint32_t side) {
  const ViewPair *views = cast->views;
  if (views->of[!side].count == 1 || !is_line(views, side, pair[side])) return false;
  sat_PiecePairs piece_pairs = sat_piece_pairs_begin(&views->of[0], &views->of[1], cast->threshold);
  uint32_t piece_index[2];
  while (sat_piece_pairs_next(&piece_pairs, piece_index)) {
    double depth;
    if (piece_index[side] != pair[side] || piece_index[!side] == pair[!side]) continue;
    PieceQuestion pieces = piece_question(views, piece_index);
    pieces.pair.radius += cast->motion.rounding;
    if (pieces_meet(&pieces, &depth)) return true;
  }
  return false;
}

/* Whether the two may overlap by more than rounding at the start. A shape with an area overlaps
 * only where two of the pieces do: one that fits in between to within rounding is not stuck
 * there. */
static bool may_start_deep(const CompositeCast *cast) {
  sat_PiecePairs piece_pairs =
      sat_piece_pairs_begin(&cast->views->of[0], &cast->views->of[1], cast->threshold);
  uint32_t piece_index[2];
  while (sat_piece_pairs_next(&piece_pairs, piece_index)) {
    double depth;
    PieceQuestion pieces = piece_question(cast->views, piece_index);
    if (sat_overlap_is_rounding(&pieces.pair, cast->motion.rounding)) continue;
    if (!pieces_meet(&pieces, &depth)) continue;
    if (depth > cast->motion.rounding || meets_another(cast, piece_index, SAT_A) ||
        meets_another(cast, piece_index, SAT_B))
      return true;
  }
  return false;
}

bool sat_composite_is_deep(const sat_Shape *a, const sat_Shape *b) {
  ViewPair views;
  view_both(&views, a, b);
  sat_Motion motion = {{0, 0}, sat_touch_rounding(a, b), false, false};
  CompositeCast cast = make_composite_cast(&views, a, motion, b);
  return may_start_deep(&cast);
}

sat_Status sat_composite_cast(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                              sat_Scratch *scratch, sat_Hit *hit) {
  sat_Manifold manifold;
  ViewPair views;
  view_both(&views, a, b);
  CompositeCast cast = make_composite_cast(&views, a, motion, b);
  if (may_start_deep(&cast)) {
    sat_Status status = sat_composite_contacts(a, b, scratch, &manifold);
    if (status > SAT_MISS) return status;
    if (status == SAT_OK && manifold.depth > motion.rounding) {
      if (!sat_leads_deeper(motion.vector, manifold.normal)) return SAT_MISS;
      *hit = (sat_Hit){0, manifold.normal, manifold.points[0]};
      return SAT_OK;
    }
  }
  return find_first_hit(&cast, hit);
}

/* ---------------------------------------------------------------- tangential contacts */

bool sat_may_run_along(const sat_Shape *shape) {
  if (!is_composite(shape)) return shape->vertex_count <= 2 && shape->radius == 0;
  sat_Piece single;
  sat_PieceView view = sat_pieces_of(shape, &single);
  for (uint32_t i = 0; i < view.count; i++)
    if (view.pieces[i].count <= 2 && sat_piece_radius(&view, &view.pieces[i]) == 0) return true;
  return false;
}

sat_Status sat_cast_tangents(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                             uint32_t other, sat_PieceTangents *found) {
  ViewPair views;
  view_both(&views, a, b);
  CompositeCast cast = make_composite_cast(&views, a, motion, b);
  double error_bound = 2 * motion.rounding / length(motion.vector);
  sat_NearPairs pairs;
  uint32_t piece_index[2];
  begin_pairs_along_motion(&cast, true, &pairs);
  while (sat_near_pairs_next(&pairs, piece_index)) {
    sat_Hit hit;
    sat_TangentContact tangent;
    if (!is_line(&views, SAT_A, piece_index[SAT_A])) continue;
    cast_piece_pair(&cast, piece_index, &hit, &tangent);
    if (!tangent.any || tangent.side != SAT_A) continue;
    if (found->count == found->capacity && SAT_LIST_RESERVE(found, 1)) return SAT_ENOMEM;
    found->at[found->count++] = (sat_PieceTangent){tangent, error_bound, piece_index[SAT_A], other};
  }
  return SAT_OK;
}
