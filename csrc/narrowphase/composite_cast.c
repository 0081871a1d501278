/* composite_cast.c: a moving shape against another one, at least one of them composite: the
 * first of the hits of their convex pieces, and the gaps of no width between pieces, which are
 * closed. */
#include "narrowphase/composite_cast.h"

#include "base/box.h"
#include "narrowphase/composite_pair.h"
#include "narrowphase/configuration_space.h"
#include "narrowphase/convex_pair.h"
#include "narrowphase/convex_ray.h"
#include "narrowphase/piece_pairs.h"

/* A search for the first hit. */
typedef struct CompositeCast {
  const ViewPair *views;
  sat_Motion motion;
  double threshold; /* the error bound of the pieces' boxes on the way, and rounding */
  sat_Hit best;
  uint32_t best_pieces[2]; /* the pieces that make this hit */
  bool is_hit;
  bool is_tied;          /* several pieces are hit at once */
  bool starts_near;      /* the box of a piece is within the threshold at the start */
  bool tangent_hands[2]; /* something on the right hand, on the left */
} CompositeCast;

/* Keeps the earliest hit, and of hits at the same time the one most head on. Of two that are equal
 * in both the one that is found first stays, unless the other one's pieces `come_first`. */
static void keep_earliest_hit(CompositeCast *cast, const uint32_t piece_index[2],
                              const sat_Hit *hit, bool come_first) {
  const sat_Hit *best = &cast->best;
  sat_Vec2 way = cast->motion.vector;
  sat_note_tie(&cast->is_tied, cast->is_hit ? best->t : HUGE_VAL, hit->t, cast->motion);
  if (cast->is_hit && hit->t >= best->t) {
    double ahead = dot(best->normal, way) - dot(hit->normal, way);
    if (hit->t > best->t || !(come_first ? ahead >= 0 : ahead > 0)) return;
  }
  cast->best = *hit;
  cast->best_pieces[0] = piece_index[0];
  cast->best_pieces[1] = piece_index[1];
  cast->is_hit = true;
}

/* The cast of a pair of pieces, if A's is the point of a ray. */
static sat_Verdict ray_at_piece(const CompositeCast *cast, const uint32_t piece_index[2],
                                sat_Hit *hit) {
  const sat_PieceView *a = &cast->views->of[0], *b = &cast->views->of[1];
  const sat_Piece *point = &a->pieces[piece_index[0]], *piece = &b->pieces[piece_index[1]];
  const sat_Vec2 *vertex = &a->vertices[point->first];
  if (point->count > 1 || sat_piece_radius(a, point) > 0 || vertex->x != 0 || vertex->y != 0 ||
      piece->flags & SAT_CHAIN_SEGMENT)
    return SAT_UNDECIDED;
  return sat_ray_at_piece(b, piece, a->origin, cast->motion, hit);
}

/* Casts one pair of pieces. `clear`: their boxes are apart at the start. Returns whether they
 * hit. */
static bool cast_piece_pair(const CompositeCast *cast, const uint32_t piece_index[2], bool clear,
                            sat_Hit *hit, sat_TangentContact *tangent) {
  tangent->any = false;
  sat_Verdict verdict = ray_at_piece(cast, piece_index, hit);
  if (verdict != SAT_UNDECIDED) return verdict == SAT_OVERLAP;
  PieceQuestion pieces = piece_question(cast->views, piece_index);
  if (clear && !sat_pieces_in_chain(&pieces.of))
    verdict = sat_polygon_sweep(&pieces.pair, &pieces.of, cast->motion, hit);
  if (verdict != SAT_UNDECIDED) return verdict == SAT_OVERLAP;
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
    cast_piece_pair(cast, piece_index, false, &hit, &other);
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
    cast_piece_pair(cast, piece_index, false, &hit, &tangent);
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
    bool clear = pairs.internal.key > 0;
    cast->starts_near = cast->starts_near || !clear;
    if (motion_leads_past(cast->views, piece_index, cast->motion.vector)) continue;
    if (cast_piece_pair(cast, piece_index, clear, &other, &tangent))
      keep_earliest_hit(cast, piece_index, &other,
                        sat_near_pairs_precede(&pairs, piece_index, cast->best_pieces));
    if (cast->is_hit) pairs.limit = cast->best.t;
    if (tangent.any) cast->tangent_hands[tangent.left] = true;
  }
  if (cast->tangent_hands[0] && cast->tangent_hands[1]) close_gaps(cast);
  if (!cast->is_hit) return SAT_MISS;
  *hit = cast->best;
  if (!sat_lacks_point(hit)) { /* that of a tangential contact is known */
    cast->is_tied = true;
    return SAT_OK;
  }
  PieceQuestion pieces = piece_question(cast->views, cast->best_pieces);
  sat_convex_cast_point(&pieces.pair, &pieces.of, cast->motion, pieces.radius, hit);
  cast->is_tied = cast->is_tied || sat_is_corner_hit(&pieces.pair, cast->motion, hit);
  return SAT_OK;
}

sat_Status sat_tell_real_surface(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                                 sat_Scratch *scratch, bool is_hit, sat_Hit *hit) {
  sat_Vec2 place = is_hit ? mul(motion.vector, hit->t) : motion.vector;
  sat_Box range = {place, place}, none = sat_no_box();
  range = box_moved(range, vec2(0, 0), SAT_FELT * motion.rounding);
  sat_Status status = SAT_ENOMEM;
  for (size_t obstacles = 4; status == SAT_ENOMEM; obstacles *= 2) {
    sat_Space space;
    sat_Way way;
    void *block = sat_scratch_reserve(scratch, sat_space_bytes(obstacles));
    if (!block) return SAT_ENOMEM;
    sat_space_in_block(&space, &way, block, obstacles);
    sat_space_clear(&space, motion.rounding);
    status = sat_space_add(&space, a, b, &range, &none, 0, 0);
    if (!status) status = sat_space_finish(&space, 0);
    if (!status && !is_hit && space.obstacles.count < 2) return SAT_MISS;
    if (status) continue;
    const sat_Surface *met = is_hit ? sat_space_surface_met(&space, &way, place, motion.vector)
                                    : sat_space_surface_touched(&space, &way, motion.vector);
    status = space.status;
    if (!status && met) sat_surface_tell(&space, met, place, a, b, is_hit, hit);
    if (!status && !met && !is_hit) return SAT_MISS;
  }
  return status;
}

sat_Status sat_composite_cast_separate(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                                       sat_Scratch *scratch, bool *starts_near, sat_Hit *hit) {
  ViewPair views;
  view_both(&views, a, b);
  CompositeCast cast = make_composite_cast(&views, a, motion, b);
  bool is_hit = find_first_hit(&cast, hit) == SAT_OK;
  *starts_near = cast.starts_near;
  if (is_hit && !cast.is_tied) return SAT_OK;
  return sat_tell_real_surface(a, motion, b, scratch, is_hit, hit);
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
  bool starts_near;
  return sat_composite_cast_separate(a, motion, b, scratch, &starts_near, hit);
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
    cast_piece_pair(&cast, piece_index, false, &hit, &tangent);
    if (!tangent.any || tangent.side != SAT_A) continue;
    if (found->count == found->capacity && SAT_LIST_RESERVE(found, 1)) return SAT_ENOMEM;
    found->at[found->count++] = (sat_PieceTangent){tangent, error_bound, piece_index[SAT_A], other};
  }
  return SAT_OK;
}
