/* composite_cast.c: a moving shape against another one, at least one of them composite: the
 * first of the hits of their convex pieces, and the surface that the union of these shows. */
#include "narrowphase/composite/composite_cast.h"

#include "base/box.h"
#include "narrowphase/composite/composite_pair.h"
#include "narrowphase/configuration_space.h"
#include "narrowphase/convex/convex_pair.h"
#include "narrowphase/convex/convex_cast.h"
#include "narrowphase/composite/piece_pairs.h"

#include <string.h>

/* A search for the first hit. */
typedef struct CompositeCast {
  const ViewPair *views;
  sat_Motion motion;
  double threshold; /* the error bound of the pieces' boxes on the way, and rounding */
  sat_Hit best;
  uint32_t best_pieces[2]; /* the pieces that make this hit, and those of the lowest parts there */
  uint32_t lowest_pieces[2];
  bool is_hit;
  bool is_tied;     /* several pieces are hit at once */
  bool starts_near; /* the box of a piece is within the threshold at the start */
  uint32_t beside;  /* what a thin piece misses on the line of its way */
  uint32_t ending;  /* the number of pairs without a hit that are near each other at the end */
} CompositeCast;

static sat_Parts parts_of_pieces(const CompositeCast *cast, const uint32_t piece_index[2]) {
  return (sat_Parts){cast->views->of[SAT_A].pieces[piece_index[SAT_A]].part,
                     cast->views->of[SAT_B].pieces[piece_index[SAT_B]].part};
}

/* Whether a hit is where the best one is, with the same normal. The boxes of the search are larger
 * than the pieces by the rounding: none is left out as too late. */
static bool share_hit(const CompositeCast *cast, const sat_Hit *hit) {
  double later = fabs(hit->t - cast->best.t) * length(cast->motion.vector);
  return later <= cast->motion.rounding &&
         dot(cast->best.normal, hit->normal) >= 1 - SAT_SAME_NORMAL;
}

/* Whether pieces that share the hit are those to tell: of lower parts, or better ones of theirs. */
static bool tell_parts(const CompositeCast *cast, const uint32_t piece_index[2], bool are_best) {
  sat_Parts parts = parts_of_pieces(cast, piece_index),
            lowest = parts_of_pieces(cast, cast->lowest_pieces);
  bool are_same = parts.a == lowest.a && parts.b == lowest.b;
  return are_same ? are_best : sat_parts_precede(parts, lowest);
}

/* Keeps the earliest hit, and of hits at the same time the one most head on. Of two that are equal
 * in both the one that is found first stays, unless the other one's pieces `come_first`. Of two at
 * one place with one normal the lower parts have the point. */
static void keep_earliest_hit(CompositeCast *cast, const uint32_t piece_index[2],
                              const sat_Hit *hit, bool come_first) {
  const sat_Hit *best = &cast->best;
  bool is_best = true, is_lowest = true;
  if (cast->is_hit) {
    double ahead = dot(best->normal, cast->motion.vector) - dot(hit->normal, cast->motion.vector);
    is_best = hit->t < best->t || (hit->t == best->t && (come_first ? ahead >= 0 : ahead > 0));
    sat_note_tie(&cast->is_tied, best, hit, cast->motion);
    is_lowest = share_hit(cast, hit) ? tell_parts(cast, piece_index, is_best) : is_best;
  }
  if (is_lowest) memcpy(cast->lowest_pieces, piece_index, sizeof cast->lowest_pieces);
  if (!is_best) return;
  cast->best = *hit;
  memcpy(cast->best_pieces, piece_index, sizeof cast->best_pieces);
  cast->is_hit = true;
}

/* The cast of a pair of pieces, if A's is the point of a ray. */
static sat_Verdict ray_at_piece(const CompositeCast *cast, const uint32_t piece_index[2],
                                sat_Hit *hit) {
  const sat_PieceView *a = &cast->views->of[0], *b = &cast->views->of[1];
  const sat_Piece *point = &a->pieces[piece_index[0]], *piece = &b->pieces[piece_index[1]];
  const sat_Vec2 *vertex = &a->vertices[point->first];
  if (!sat_is_bare_point(point->count, sat_piece_radius(a, point)) || vertex->x != 0 ||
      vertex->y != 0 || piece->flags & SAT_CHAIN_SEGMENT)
    return SAT_UNDECIDED;
  return sat_ray_at_piece(b, piece, a->origin, &cast->motion, hit);
}

/* Whether two pieces are near each other at the end of the motion. */
static bool ends_near(const CompositeCast *cast, const uint32_t piece_index[2]) {
  const sat_PieceView *a = &cast->views->of[0], *b = &cast->views->of[1];
  const sat_Piece *own = &a->pieces[piece_index[0]], *other = &b->pieces[piece_index[1]];
  sat_Vec2 place = add(sub(a->origin, b->origin), cast->motion.vector);
  sat_Box box = box_moved(own->box, place, sat_piece_radius(a, own) + sat_piece_radius(b, other));
  return boxes_meet(&box, &other->box, cast->threshold);
}

/* Casts one pair of pieces. `clear`: their boxes are apart at the start. Returns whether they
 * hit. */
static bool cast_piece_pair(CompositeCast *cast, const uint32_t piece_index[2], bool clear,
                            sat_Hit *hit) {
  sat_Verdict verdict = ray_at_piece(cast, piece_index, hit);
  if (verdict != SAT_UNDECIDED) return verdict == SAT_OVERLAP;
  PieceQuestion pieces = piece_question(cast->views, piece_index);
  if (clear && !sat_pieces_in_chain(&pieces.of))
    verdict = sat_polygon_sweep(&pieces.pair, &pieces.of, &cast->motion, hit);
  if (verdict != SAT_UNDECIDED) return verdict == SAT_OVERLAP;
  if (sat_convex_cast(&pieces.pair, &pieces.of, cast->motion, pieces.radius, hit) == SAT_OK)
    return true;
  cast->beside |= sat_places_beside_way(&pieces.pair, pieces.radius, cast->motion);
  return false;
}

/* Finds the first hit of the pairs that meet during the motion, the earliest first. A hit in closed
 * form has its point. */
static sat_Status find_first_hit(CompositeCast *cast, sat_Hit *hit) {
  sat_NearPairs pairs;
  uint32_t piece_index[2];
  const sat_PieceView *a = &cast->views->of[SAT_A];
  sat_near_pairs_begin(&pairs, a, &cast->views->of[SAT_B], cast->threshold, cast->motion.vector, 1);
  while (sat_near_pairs_next(&pairs, piece_index)) {
    sat_Hit other;
    bool clear = pairs.internal.key > 0;
    cast->starts_near = cast->starts_near || !clear;
    const sat_Piece *moving = &a->pieces[piece_index[SAT_A]];
    bool is_point = sat_is_bare_point(moving->count, sat_piece_radius(a, moving));
    if (!is_point && motion_leads_past(cast->views, piece_index, cast->motion.vector)) continue;
    if (cast_piece_pair(cast, piece_index, clear, &other))
      keep_earliest_hit(cast, piece_index, &other,
                        sat_near_pairs_precede(&pairs, piece_index, cast->best_pieces));
    else if (!cast->is_hit && !is_point) cast->ending += ends_near(cast, piece_index);
    if (cast->is_hit) pairs.limit = cast->best.t;
  }
  if (!cast->is_hit) return SAT_MISS;
  *hit = cast->best;
  PieceQuestion pieces = piece_question(cast->views, cast->lowest_pieces);
  hit->parts = parts_of_pieces(cast, cast->lowest_pieces);
  if (isnan(hit->point.x) ||
      memcmp(cast->best_pieces, cast->lowest_pieces, sizeof cast->best_pieces) != 0)
    sat_convex_cast_point(&pieces.pair, &pieces.of, cast->motion, pieces.radius, hit);
  cast->is_tied =
      cast->is_tied || cast->beside != 0 || sat_is_corner_hit(&pieces.pair, &cast->motion, hit);
  return SAT_OK;
}

/* ---------------------------------------------------------------- the union of the pieces */

/* The place in the list of the solid with a number. */
static size_t find_solid(const sat_CastScene *scene, uint32_t number) {
  size_t i = 0;
  while (i + 1 < scene->count && scene->solids[i].number != number) i++;
  return i;
}

/* The first seam that is met earlier than the hit: of several at once that of the lowest number,
 * and of its parts there the lowest. */
static bool find_first_gap(sat_Space *space, sat_Way *way, const sat_CastScene *scene,
                           uint32_t *other, sat_Hit *hit) {
  bool is_gap = false;
  double limit = *other == SAT_NO_SOLID ? HUGE_VAL : hit->t;
  sat_way_find_gaps(space, way, scene->shape, scene->count == 1 ? scene->solids->shape : NULL,
                    scene->motion.vector);
  for (size_t i = 0; i < way->entries.count; i++) {
    const sat_WayEntry *entry = &way->entries.at[i];
    const sat_Obstacle *obstacle = &space->obstacles.at[entry->obstacle];
    uint32_t solid = obstacle->solid;
    if (scene->gaps_with != SAT_NO_SOLID && scene->gaps_with != solid) continue;
    const sat_Shape *shape = scene->solids[find_solid(scene, solid)].shape;
    sat_Parts parts = sat_parts_of(obstacle, scene->shape, shape);
    bool is_lower = solid < *other || (solid == *other && sat_parts_precede(parts, hit->parts));
    if (!(entry->t < limit) && !(is_gap && entry->t == limit && is_lower)) continue;
    *other = solid;
    *hit = (sat_Hit){entry->t, {0, 0}, {0, 0}, parts};
    limit = entry->t;
    is_gap = true;
  }
  return is_gap;
}

/* The surface of the oldest solid among those that agree with the one that is met. */
static const sat_Surface *oldest_surface(const sat_Space *space, const sat_Way *way,
                                         const sat_Surface *met) {
  const sat_Surface *oldest = met;
  for (size_t i = 0; i < way->bars.count; i++) {
    const sat_Surface *bar = &way->bars.at[i];
    bool is_older = sat_obstacle_of(space, bar)->order < sat_obstacle_of(space, oldest)->order;
    if (is_older && sat_surfaces_agree(bar, met)) oldest = bar;
  }
  return oldest;
}

/* A place within the union shows no surface: where a seam begins the motion is against it, and a
 * start has no normal. */
static void tell_hidden_place(const sat_CastScene *scene, sat_Hit *hit) {
  sat_Vec2 way = mul(scene->motion.vector, hit->t);
  hit->point = add(sat_shape_support(scene->shape, scene->motion.vector), way);
  hit->normal = hit->t > 0 ? neg(sat_unit(scene->motion.vector)) : vec2(0, 0);
}

/* Notes the solids that are felt where a hit is and, if there is a seam on the way, all along which
 * the way runs. */
static sat_Status ask_who_is_felt(sat_Space *space, sat_Way *way, const sat_CastScene *scene,
                                  bool is_hit, const sat_Hit *hit) {
  sat_Vec2 motion = scene->motion.vector, place = is_hit ? mul(motion, hit->t) : motion;
  for (size_t i = 0; i < scene->count; i++) scene->felt[i] = false;
  sat_way_find_gaps(space, way, scene->shape, NULL, motion);
  for (size_t i = 0; way->entries.count > 0 && i < space->near.count; i++)
    scene->felt[find_solid(scene, sat_obstacle_of(space, &space->near.at[i])->solid)] = true;
  for (size_t i = 0; i < space->obstacles.count; i++) {
    const sat_Obstacle *obstacle = &space->obstacles.at[i];
    if (sat_obstacle_depth(space, obstacle, place) >= -SAT_FELT * space->rounding)
      scene->felt[find_solid(scene, obstacle->solid)] = true;
  }
  return space->status;
}

/* Whether the surface is that of the two pieces which have hit, one of them round: the mover takes
 * a round corner beside a flat for the flat, and the cast has told the corner's own normal. */
static bool is_round_hit(const sat_Space *space, const sat_CastScene *scene, const sat_Surface *met,
                         uint32_t other, const sat_Hit *hit) {
  const sat_Obstacle *obstacle = sat_obstacle_of(space, met);
  if (obstacle->radius == 0 || obstacle->solid != other) return false;
  const sat_Shape *shape = scene->solids[find_solid(scene, other)].shape;
  sat_Parts parts = sat_parts_of(obstacle, scene->shape, shape);
  return parts.a == hit->parts.a && parts.b == hit->parts.b;
}

static sat_Status ask_about_surface(sat_Space *space, sat_Way *way, const sat_CastScene *scene,
                                    uint32_t *other, sat_Hit *hit) {
  sat_Vec2 motion = scene->motion.vector;
  bool is_gap = scene->gaps && find_first_gap(space, way, scene, other, hit);
  bool is_hit = *other != SAT_NO_SOLID;
  bool is_alone = space->obstacles.count < 2 && (!is_hit || scene->count > 1) &&
                  !scene->in_company; /* and is known */
  if (space->status || (is_alone && !is_gap) || !(is_hit || scene->at_end)) return space->status;
  sat_Vec2 place = is_hit ? mul(motion, hit->t) : motion;
  const sat_Surface *met = is_hit ? sat_space_surface_met(space, way, place, motion)
                                  : sat_space_surface_touched(space, way, motion);
  if (space->status) return space->status;
  bool is_within = scene->is_ray && hit->t == 0 && space->near.count > 0;
  if (!met && (is_gap || is_within)) tell_hidden_place(scene, hit);
  if (!met || (is_hit && (dot(met->normal, hit->normal) >= 1 - SAT_SAME_NORMAL ||
                          is_round_hit(space, scene, met, *other, hit))))
    return SAT_OK;
  met = oldest_surface(space, way, met);
  uint32_t solid = sat_obstacle_of(space, met)->solid;
  const sat_Shape *shape = scene->solids[find_solid(scene, solid)].shape;
  met = sat_surface_of_lowest_parts(space, &way->bars, met, motion, scene->shape, shape);
  if (!is_gap) {
    *other = solid;
    hit->parts = sat_parts_of(sat_obstacle_of(space, met), scene->shape, shape);
  }
  if (!is_hit) hit->t = 1;
  hit->normal = add(met->normal, vec2(0, 0)); /* no negative zero */
  hit->point = add(scene->shape->origin, sat_surface_point(space, met, place, scene->shape, shape));
  return SAT_OK;
}

sat_Status sat_tell_real_surface(const sat_CastScene *scene, sat_Scratch *scratch, uint32_t *other,
                                 sat_Hit *hit) {
  enum { FEWEST = 4 };
  const sat_Box all = {vec2(-SAT_LIMIT, -SAT_LIMIT), vec2(SAT_LIMIT, SAT_LIMIT)};
  sat_Vec2 place = mul(scene->motion.vector, *other == SAT_NO_SOLID ? 1 : hit->t);
  double rounding = sat_rounding_of_way(sat_shape_bounds(scene->shape), place, all);
  sat_Box range = {place, place}, none = sat_no_box();
  if (scene->gaps) sat_extend_box(&range, vec2(0, 0));
  range = box_moved(range, vec2(0, 0), SAT_FELT * rounding);
  sat_Status status = SAT_ENOMEM;
  size_t room = scratch->bytes / sat_space_bytes(1);
  for (room = room > FEWEST ? room : FEWEST; status == SAT_ENOMEM; room *= 2) {
    sat_Space space;
    sat_Way way;
    uint32_t named = *other;
    sat_Hit answer = *hit;
    void *block = sat_scratch_reserve(scratch, sat_space_bytes(room));
    if (!block) return SAT_ENOMEM;
    sat_space_in_block(&space, &way, block, room);
    sat_space_clear(&space, rounding);
    status = SAT_OK;
    for (size_t i = 0; !status && i < scene->count; i++)
      status = sat_space_add(&space, scene->shape, scene->solids[i].shape, &range, &none,
                             scene->solids[i].number, scene->solids[i].order);
    for (size_t i = 0; !scene->one_way && i < space.obstacles.count; i++)
      if (!space.obstacles.at[i].one_sided) space.obstacles.at[i].has_side = false;
    sat_space_finish(&space, 0);
    if (!status)
      status = scene->felt ? ask_who_is_felt(&space, &way, scene, named != SAT_NO_SOLID, &answer)
                           : ask_about_surface(&space, &way, scene, &named, &answer);
    if (status) continue;
    *other = named;
    *hit = answer;
  }
  return status;
}

/* Casts what overlaps by no more than rounding. */
static sat_Status cast_separate(CompositeCast *cast, const sat_Shape *a, const sat_Shape *b,
                                sat_Scratch *scratch, sat_CastNotes *notes, sat_Hit *hit) {
  uint32_t other = find_first_hit(cast, hit) == SAT_OK ? 0 : SAT_NO_SOLID;
  bool gaps = (cast->beside & SAT_ON_BOTH_HANDS) == SAT_ON_BOTH_HANDS;
  *notes = (sat_CastNotes){.one_way = notes->one_way,
                           .is_ray = notes->is_ray,
                           .starts_near = cast->starts_near,
                           .beside = cast->beside,
                           .is_tied = cast->is_tied};
  if (gaps || (other == SAT_NO_SOLID ? cast->ending > 1 : cast->is_tied)) {
    const sat_CastSolid solid = {b, 0, 0};
    const sat_CastScene scene = {.shape = a,
                                 .motion = cast->motion,
                                 .solids = &solid,
                                 .count = 1,
                                 .gaps = gaps,
                                 .gaps_with = SAT_NO_SOLID,
                                 .at_end = cast->ending > 1,
                                 .one_way = notes->one_way,
                                 .is_ray = notes->is_ray};
    sat_Status status = sat_tell_real_surface(&scene, scratch, &other, hit);
    if (status) return status;
  }
  if (other == SAT_NO_SOLID) return SAT_MISS;
  if (hit->normal.x == 0 && hit->normal.y == 0 && !notes->is_ray)
    hit->normal = neg(sat_unit(cast->motion.vector));
  return SAT_OK;
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
    if (bounds_part(cast->views, piece_index)) continue;
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
                              sat_Scratch *scratch, sat_CastNotes *notes, sat_Hit *hit) {
  sat_Manifold manifold;
  ViewPair views;
  view_both(&views, a, b);
  CompositeCast cast = {.views = &views, .motion = motion};
  cast.motion.leaves_point = true; /* to the earliest hit alone */
  cast.threshold = box_rounding(a, b) + motion.rounding +
                   SAT_SEPARATION_ROUNDING * (fabs(motion.vector.x) + fabs(motion.vector.y));
  bool is_apart = notes->is_apart;
  *notes = (sat_CastNotes){notes->one_way,    notes->is_ray, is_apart, true,
                           SAT_ON_BOTH_HANDS, false,         true};
  if (!is_apart && may_start_deep(&cast)) {
    sat_Status status = sat_composite_contacts(a, b, scratch, &manifold);
    if (status > SAT_MISS) return status;
    if (status == SAT_OK && manifold.depth > motion.rounding) {
      if (!sat_leads_deeper(motion.vector, manifold.normal)) return SAT_MISS;
      *hit = (sat_Hit){0, manifold.normal, manifold.points[0], {0, 0}};
      notes->starts_deep = true;
      notes->is_tied = false;
      return SAT_OK;
    }
  }
  return cast_separate(&cast, a, b, scratch, notes, hit);
}

bool sat_may_run_along(const sat_Shape *shape) {
  if (!is_composite(shape)) return shape->vertex_count <= 2 && shape->radius == 0;
  sat_Piece single;
  sat_PieceView view;
  sat_view_pieces(shape, &single, &view);
  for (uint32_t i = 0; i < view.count; i++)
    if (view.pieces[i].count <= 2 && sat_piece_radius(&view, &view.pieces[i]) == 0) return true;
  return false;
}
