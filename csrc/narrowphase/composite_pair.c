/* composite_pair.c: see narrowphase/composite_pair.h. Each question is one about pairs of convex
 * parts that are near each other, except for the shortest way out, which narrowphase/union_mtv.c
 * finds, and for containment. */
#include "narrowphase/composite_pair.h"

#include "narrowphase/union_mtv.h"
#include "narrowphase/convex_pair.h"
#include "narrowphase/minkowski_boundary.h"
#include "base/memory.h"

/* ---------------------------------------------------------------- both sides */

/* Two bodies, each with storage for its one part, should it be convex. */
typedef struct ViewPair {
  sat_Piece single[2];
  sat_PieceView of[2];
} ViewPair;

static void view_both(ViewPair *views, const sat_Shape *a, const sat_Shape *b) {
  views->of[0] = sat_pieces_of(a, &views->single[0]);
  views->of[1] = sat_pieces_of(b, &views->single[1]);
}

/* What the boxes of parts may be wrong by when they are compared. */
static double box_rounding(const sat_Shape *a, const sat_Shape *b) {
  sat_Vec2 origin_offset = sub(b->origin, a->origin);
  double sizes = a->l1_bound + b->l1_bound + a->radius + b->radius;
  return SAT_SEPARATION_ROUNDING * (fabs(origin_offset.x) + fabs(origin_offset.y) + sizes);
}

/* Two parts as the questions about convex shapes take them. */
typedef struct PieceQuestion {
  sat_Pair pair;
  double radius[2], l1_bound[2];
  sat_PiecePair of;
} PieceQuestion;

static PieceQuestion piece_question(const ViewPair *views, const uint32_t piece_index[2]) {
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

/* ---------------------------------------------------------------- overlap and the way out */

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

sat_Status sat_composite_collide(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch,
                                 sat_Result *result) {
  ViewPair views;
  sat_UnionMtv union_mtv;
  view_both(&views, a, b);
  sat_Status status = sat_union_mtv(&views.of[0], &views.of[1], scratch, &union_mtv);
  if (status == SAT_OK) *result = union_mtv.result;
  return status;
}

/* Where two round corners touch, which need not be in the direction of the way out: that may end
 * where other parts let go. */
static void contact_of_rounded(const PieceQuestion *pieces, sat_Manifold *manifold) {
  sat_Distance touch = sat_convex_distance(&pieces->pair, pieces->radius, pieces->l1_bound, NULL);
  manifold->count = 1;
  manifold->points[0] = touch.on_a;
}

/* Where the two parts that decide touch once A has moved out. */
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
  if (union_mtv.behind || (union_mtv.result.corner && union_mtv.result.depth > 0))
    contact_of_rounded(&pieces, manifold);
  return SAT_OK;
}

/* ---------------------------------------------------------------- distance */

static double box_separation(const sat_Box *a, const sat_Box *b) {
  double x = max2(max2(b->min.x - a->max.x, a->min.x - b->max.x), 0);
  double y = max2(max2(b->min.y - a->max.y, a->min.y - b->max.y), 0);
  return length(vec2(x, y));
}

/* The part whose box is nearest to another, which is relative to the body's origin. */
static uint32_t nearest_piece(const sat_PieceView *view, sat_Box box) {
  uint32_t best = 0;
  double least = HUGE_VAL;
  for (uint32_t i = 0; i < view->count; i++) {
    double separation = box_separation(&view->pieces[i].box, &box) - view->pieces[i].radius;
    if (separation >= least) continue;
    least = separation;
    best = i;
  }
  return best;
}

/* A pair that is about as near as any. */
static void guess_nearest_pieces(const ViewPair *views, uint32_t piece_index[2]) {
  sat_Vec2 origin_offset = sub(views->of[1].origin, views->of[0].origin);
  piece_index[0] = nearest_piece(&views->of[0], box_moved(views->of[1].box, origin_offset, 0));
  sat_Box box = box_moved(views->of[0].pieces[piece_index[0]].box, neg(origin_offset), 0);
  piece_index[1] = nearest_piece(&views->of[1], box);
}

sat_Distance sat_composite_distance(const sat_Shape *a, const sat_Shape *b) {
  ViewPair views;
  uint32_t piece_index[2];
  double rounding = box_rounding(a, b);
  view_both(&views, a, b);
  guess_nearest_pieces(&views, piece_index);
  PieceQuestion pieces = piece_question(&views, piece_index);
  sat_Distance best = sat_convex_distance(&pieces.pair, pieces.radius, pieces.l1_bound, NULL);
  sat_PiecePairs piece_pairs =
      sat_piece_pairs_begin(&views.of[0], &views.of[1], best.distance + rounding);
  while (best.distance > 0 && sat_piece_pairs_next(&piece_pairs, piece_index)) {
    pieces = piece_question(&views, piece_index);
    sat_Distance other = sat_convex_distance(&pieces.pair, pieces.radius, pieces.l1_bound, NULL);
    if (other.distance >= best.distance) continue;
    best = other;
    piece_pairs.threshold = best.distance + rounding;
  }
  return best;
}

/* ---------------------------------------------------------------- casts */

/* A search for the first hit. */
typedef struct CompositeCast {
  const ViewPair *views;
  sat_Motion motion;
  double threshold; /* what the boxes of parts may be wrong by on the way, and rounding */
  sat_Hit best;
  bool is_hit;
  bool tangent_hands[2]; /* something on the right hand, on the left */
} CompositeCast;

/* Of hits at the same time the one that is met most head on. */
static void keep_earliest_hit(CompositeCast *cast, const sat_Hit *hit) {
  const sat_Hit *best = &cast->best;
  sat_Vec2 way = cast->motion.vector;
  bool sooner = !cast->is_hit || hit->t < best->t;
  if (!sooner && (hit->t > best->t || dot(hit->normal, way) >= dot(best->normal, way))) return;
  cast->best = *hit;
  cast->is_hit = true;
}

/* What the parts of a pair do to each other on the way: whether they hit. */
static bool cast_piece_pair(const CompositeCast *cast, const uint32_t piece_index[2], sat_Hit *hit,
                            sat_TangentContact *tangent) {
  PieceQuestion pieces = piece_question(cast->views, piece_index);
  tangent->any = false;
  return sat_convex_cast(&pieces.pair, &pieces.of, cast->motion, pieces.radius, hit, tangent) ==
         SAT_OK;
}

static sat_PiecePairs pairs_along_motion(const CompositeCast *cast) {
  return sat_piece_pairs_swept(&cast->views->of[0], &cast->views->of[1], cast->threshold,
                               cast->motion.vector);
}

/* Where a way of this point between two parts that abut begins: it has no width. */
static void close_gap(CompositeCast *cast, const uint32_t point[2],
                      const sat_TangentContact *tangent) {
  sat_PiecePairs piece_pairs = pairs_along_motion(cast);
  uint32_t piece_index[2];
  while (sat_piece_pairs_next(&piece_pairs, piece_index)) {
    sat_Hit hit;
    sat_TangentContact other;
    if (piece_index[tangent->side] != point[tangent->side]) continue;
    cast_piece_pair(cast, piece_index, &hit, &other);
    if (!other.any || other.left == tangent->left) continue;
    const sat_Hit *later = other.hit.t > tangent->hit.t ? &other.hit : &tangent->hit;
    if (later->t < min2(other.end, tangent->end)) keep_earliest_hit(cast, later);
  }
}

/* Once something is grazed on either hand. */
static void close_gaps(CompositeCast *cast) {
  sat_PiecePairs piece_pairs = pairs_along_motion(cast);
  uint32_t piece_index[2];
  while (sat_piece_pairs_next(&piece_pairs, piece_index)) {
    sat_Hit hit;
    sat_TangentContact tangent;
    cast_piece_pair(cast, piece_index, &hit, &tangent);
    if (tangent.any && tangent.left && !(cast->is_hit && tangent.hit.t > cast->best.t))
      close_gap(cast, piece_index, &tangent);
  }
}

static CompositeCast flight_of(const ViewPair *views, const sat_Shape *a, sat_Motion motion,
                               const sat_Shape *b) {
  CompositeCast cast = {.views = views, .motion = motion};
  cast.threshold = box_rounding(a, b) + motion.rounding +
                   SAT_SEPARATION_ROUNDING * (fabs(motion.vector.x) + fabs(motion.vector.y));
  return cast;
}

static sat_Status fly(CompositeCast *cast, sat_Hit *hit) {
  sat_PiecePairs piece_pairs = pairs_along_motion(cast);
  uint32_t piece_index[2];
  while (sat_piece_pairs_next(&piece_pairs, piece_index)) {
    sat_Hit other;
    sat_TangentContact tangent;
    if (cast_piece_pair(cast, piece_index, &other, &tangent)) keep_earliest_hit(cast, &other);
    if (tangent.any) cast->tangent_hands[tangent.left] = true;
  }
  if (cast->tangent_hands[0] && cast->tangent_hands[1]) close_gaps(cast);
  if (!cast->is_hit) return SAT_MISS;
  *hit = cast->best;
  return SAT_OK;
}

sat_Status sat_composite_cast_separate(const sat_Shape *a, sat_Motion motion, const sat_Shape *b,
                                       sat_Hit *hit) {
  ViewPair views;
  view_both(&views, a, b);
  CompositeCast cast = flight_of(&views, a, motion, b);
  return fly(&cast, hit);
}

/* Whether two parts meet, and how deep they are in each other. */
static bool pieces_meet(const PieceQuestion *pieces, double *depth) {
  sat_ConvexTest test;
  if (!sat_convex_test(&pieces->pair, 0, false, NULL, &test)) return false;
  double separation = test.inside ? test.max_facet.separation : test.closest.distance;
  *depth = pieces->pair.radius - separation;
  return true;
}

static bool is_line(const ViewPair *views, uint32_t side, uint32_t index) {
  const sat_PieceView *view = &views->of[side];
  return view->pieces[index].count <= 2 && sat_piece_radius(view, &view->pieces[index]) == 0;
}

/* Whether a point or segment, which is one side's part of a pair that meets, meets yet another
 * part: then it may be inside of both together. */
static bool meets_another(const CompositeCast *cast, const uint32_t pair[2], uint32_t side) {
  const ViewPair *views = cast->views;
  if (views->of[!side].count == 1 || !is_line(views, side, pair[side])) return false;
  sat_PiecePairs piece_pairs = sat_piece_pairs_begin(&views->of[0], &views->of[1], cast->threshold);
  uint32_t piece_index[2];
  while (sat_piece_pairs_next(&piece_pairs, piece_index)) {
    double depth;
    if (piece_index[side] != pair[side] || piece_index[!side] == pair[!side]) continue;
    PieceQuestion pieces = piece_question(views, piece_index);
    if (pieces_meet(&pieces, &depth)) return true;
  }
  return false;
}

/* Whether the two may overlap by more than rounding at the start. What has an area does only where
 * two of the parts do: so what fits in between to within rounding is not held to be stuck there. */
static bool may_start_deep(const CompositeCast *cast) {
  sat_PiecePairs piece_pairs =
      sat_piece_pairs_begin(&cast->views->of[0], &cast->views->of[1], cast->threshold);
  uint32_t piece_index[2];
  while (sat_piece_pairs_next(&piece_pairs, piece_index)) {
    double depth;
    PieceQuestion pieces = piece_question(cast->views, piece_index);
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
  CompositeCast cast = flight_of(&views, a, motion, b);
  if (may_start_deep(&cast)) {
    sat_Status status = sat_composite_contacts(a, b, scratch, &manifold);
    if (status > SAT_MISS) return status;
    if (status == SAT_OK && manifold.depth > motion.rounding) {
      if (!sat_leads_deeper(motion.vector, manifold.normal)) return SAT_MISS;
      *hit = (sat_Hit){0, manifold.normal, manifold.points[0]};
      return SAT_OK;
    }
  }
  return fly(&cast, hit);
}

/* ---------------------------------------------------------------- containment */

static const sat_Vec2 point_vertex; /* at its origin */

static sat_Box composite_pair_box_about(sat_Vec2 point, double out) {
  return (sat_Box){sub(point, vec2(out, out)), add(point, vec2(out, out))};
}

/* Whether a part holds a point, relative to an origin of its own. */
static bool any_piece_contains(const sat_PieceView *view, sat_Vec2 origin, const sat_Vec2 *vertex) {
  sat_Vec2 at = add(sub(origin, view->origin), *vertex);
  double sizes = fabs(at.x) + fabs(at.y) + fabs(vertex->x) + fabs(vertex->y);
  sat_BvhQuery walk =
      sat_bvh_query(view, composite_pair_box_about(at, SAT_SEPARATION_ROUNDING * sizes));
  uint32_t index;
  while (sat_bvh_query_next(&walk, &index)) {
    const sat_Piece *piece = &view->pieces[index];
    sat_Convex convex = sat_piece_convex(view, piece);
    double radius = sat_piece_radius(view, piece);
    if (sat_convex_contains(&convex, piece->l1_bound, origin, vertex, radius))
      return true;
  }
  return false;
}

sat_Status sat_composite_contains_point(const sat_Shape *shape, sat_Vec2 point) {
  sat_Piece single;
  sat_PieceView view = sat_pieces_of(shape, &single);
  return any_piece_contains(&view, point, &point_vertex) ? SAT_OK : SAT_MISS;
}

static bool piece_contains_piece(const sat_PieceView *a, const sat_Piece *p, const sat_PieceView *b,
                                 const sat_Piece *q) {
  sat_Convex convex = sat_piece_convex(a, p);
  double margin = sat_piece_radius(a, p) - sat_piece_radius(b, q);
  for (uint32_t i = 0; i < q->count; i++)
    if (!sat_convex_contains(&convex, p->l1_bound, b->origin, &b->vertices[q->first + i], margin))
      return false;
  return true;
}

/* A run of places on a stretch. */
typedef struct Span {
  double from, to;
} Span;

/* The parts of B that no single part of A holds, and the parts of A that are near B, in order, as
 * outlines seen from A's origin. */
typedef struct CoverQuestion {
  const sat_PieceView *a, *b;
  sat_Boundary *boundaries, *wanted_boundary;
  Span *spans; /* of the stretch in question, as far as there is room */
  uint32_t *wanted_pieces, *pieces;
  uint32_t *near; /* the outlines that the stretch in question is near */
  uint32_t wanted_count, count, span_count, span_room, near_count;
  double error_bound;
} CoverQuestion;

static sat_Boundary boundary_from(const sat_PieceView *view, const sat_Piece *piece, sat_Vec2 from,
                                  sat_BoundaryEdge *boundary_edges) {
  sat_Convex point = {&point_vertex, NULL, from, 1};
  sat_Pair pair = sat_pair_make(point, sat_piece_convex(view, piece), piece->l1_bound,
                                sat_piece_radius(view, piece));
  return sat_boundary_of(&pair, boundary_edges);
}

static sat_BvhQuery pieces_near(const sat_PieceView *a, const sat_PieceView *b, sat_Box box,
                                double threshold) {
  return sat_bvh_query(a, box_moved(box, sub(b->origin, a->origin), threshold));
}

/* The place of a part in an ascending list, or UINT32_MAX. */
static uint32_t find_piece(const uint32_t *pieces, uint32_t count, uint32_t piece) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (pieces[mid] < piece) low = mid + 1;
    else high = mid;
  }
  return low < count && pieces[low] == piece ? low : UINT32_MAX;
}

/* ---- what of a stretch the parts of A cover */

/* Without room a span is lost, and what it covers is looked at more closely. */
static void add_span(CoverQuestion *question, double from, double to) {
  if (question->span_count < question->span_room)
    question->spans[question->span_count++] = (Span){from, to};
}

static void sift_span(Span *spans, uint32_t root, uint32_t count) {
  for (uint32_t child; (child = 2 * root + 1) < count; root = child) {
    if (child + 1 < count && spans[child + 1].from > spans[child].from) child++;
    if (spans[root].from >= spans[child].from) return;
    Span span = spans[root];
    spans[root] = spans[child];
    spans[child] = span;
  }
}

/* Williams, Algorithm 232: Heapsort, 1964. */
static void sort_spans(Span *spans, uint32_t count) {
  for (uint32_t i = count / 2; i-- > 0;) sift_span(spans, i, count);
  for (uint32_t end = count; end-- > 1;) {
    Span first = spans[0];
    spans[0] = spans[end];
    spans[end] = first;
    sift_span(spans, 0, end);
  }
}

/* Between two places where a stretch meets an outline, all of it is the same. */
static void add_covered(CoverQuestion *question, const sat_Boundary *boundary,
                        const sat_Curve *curve) {
  for (double from = 0, to; from < curve->end; from = to) {
    to = min2(sat_boundary_next_crossing(boundary, curve, from), curve->end);
    sat_Parameter place = {from + (to - from) / 2, 0};
    if (!sat_boundary_covers_parameter(boundary, curve, true, &place)) continue;
    to = min2(max2(place.t - place.error, to), curve->end);
    add_span(question, from, to);
    if (!sat_is_arc(curve)) return;
  }
}

static void add_touched(CoverQuestion *question, const sat_Boundary *boundary,
                        const sat_Curve *line) {
  for (double from = 0, to; from < line->end; from = to) {
    to = min2(sat_boundary_next_crossing(boundary, line, from), line->end);
    if (sat_boundary_is_near(boundary, sat_curve_point(line, from + (to - from) / 2)))
      add_span(question, from, to);
  }
}

static sat_Box box_of_stretch(const sat_Curve *curve, double from, double to, double out) {
  sat_Vec2 p = sat_curve_point(curve, from), q = sat_curve_point(curve, to);
  if (sat_is_arc(curve)) return composite_pair_box_about(curve->base, curve->radius + out);
  sat_Box box = {vec2(min2(p.x, q.x), min2(p.y, q.y)), vec2(max2(p.x, q.x), max2(p.y, q.y))};
  return box_moved(box, vec2(0, 0), out);
}

/* Finds what is near a stretch, but for the outline that it is of, and all of the stretch that is
 * covered, in order. */
static void look_along(CoverQuestion *question, uint32_t own, const sat_Curve *curve, bool closed) {
  sat_BvhQuery walk =
      sat_bvh_query(question->a, box_of_stretch(curve, 0, curve->end, 4 * question->error_bound));
  uint32_t piece;
  question->near_count = question->span_count = 0;
  while (sat_bvh_query_next(&walk, &piece)) {
    uint32_t index = find_piece(question->pieces, question->count, piece);
    if (index == UINT32_MAX || index == own) continue;
    question->near[question->near_count++] = index;
    if (closed) add_touched(question, &question->boundaries[index], curve);
    else add_covered(question, &question->boundaries[index], curve);
  }
  sort_spans(question->spans, question->span_count);
}

/* The next place where a stretch meets what is near. */
static double next_crossing(const CoverQuestion *question, const sat_Curve *curve, double after,
                            double end) {
  double next = end;
  for (uint32_t i = 0; i < question->near_count; i++)
    next = min2(next,
                sat_boundary_next_crossing(&question->boundaries[question->near[i]], curve, after));
  return next;
}

static bool is_covered(const CoverQuestion *question, const sat_Curve *curve, double t,
                       bool closed) {
  for (uint32_t i = 0; i < question->near_count; i++) {
    const sat_Boundary *boundary = &question->boundaries[question->near[i]];
    sat_Parameter place = {t, 0};
    if (closed ? sat_boundary_is_near(boundary, sat_curve_point(curve, t))
               : sat_boundary_covers_parameter(boundary, curve, true, &place))
      return true;
  }
  return false;
}

/* ---- what of A's outlines shows in B */

/* Looks at part of a stretch from place to place. `closed`: whether some of it is in no part of A,
 * for B's parts without an inside. Else whether some of it is inside of what is wanted, and in no
 * other part of A. */
static bool shows_between(const CoverQuestion *question, const sat_Boundary *wanted_boundary,
                          const sat_Curve *curve, Span span, double hair, bool closed) {
  for (double from = span.from, to; from < span.to; from = to) {
    to = next_crossing(question, curve, from, span.to);
    to = min2(to, sat_boundary_next_crossing(wanted_boundary, curve, from));
    double middle = from + (to - from) / 2;
    if (!(to - from > hair)) continue;
    sat_Vec2 point = sat_curve_point(curve, middle);
    if (!closed &&
        sat_boundary_signed_distance(wanted_boundary, point, 0) >= -2 * question->error_bound)
      continue;
    if (!is_covered(question, curve, middle, closed)) return true;
  }
  return false;
}

/* The same of what no outline alone covers, where it is inside of what is wanted: rounding may have
 * left a gap between two that abut. */
static bool shows_in(const CoverQuestion *question, const sat_Boundary *wanted_boundary,
                     const sat_Curve *curve, Span separation, double hair) {
  for (double from = separation.from, to; from < separation.to; from = to) {
    to = min2(sat_boundary_next_crossing(wanted_boundary, curve, from), separation.to);
    sat_Vec2 point = sat_curve_point(curve, from + (to - from) / 2);
    if (to - from > hair &&
        sat_boundary_signed_distance(wanted_boundary, point, 0) < -2 * question->error_bound &&
        shows_between(question, wanted_boundary, curve, (Span){from, to}, hair, false))
      return true;
  }
  return false;
}

static bool gap_shows(const CoverQuestion *question, const sat_Curve *curve, Span separation,
                      double hair) {
  const sat_PieceView *a = question->a, *b = question->b;
  sat_BvhQuery walk = pieces_near(b, a, box_of_stretch(curve, separation.from, separation.to, 0),
                                  question->error_bound);
  uint32_t piece;
  while (sat_bvh_query_next(&walk, &piece)) {
    uint32_t index = find_piece(question->wanted_pieces, question->wanted_count, piece);
    if (index != UINT32_MAX &&
        shows_in(question, &question->wanted_boundary[index], curve, separation, hair))
      return true;
  }
  return false;
}

/* One sweep over what is covered. `line` is the part of B that the stretch is, or NULL. */
static bool any_gap_shows(const CoverQuestion *question, const sat_Boundary *line,
                          const sat_Curve *curve, double hair) {
  double from = 0;
  for (uint32_t i = 0; i <= question->span_count; i++) {
    bool last = i == question->span_count;
    Span separation = {from, last ? curve->end : question->spans[i].from};
    bool wide = separation.to - separation.from > hair;
    if (wide && (line ? shows_between(question, line, curve, separation, hair, true)
                      : gap_shows(question, curve, separation, hair)))
      return true;
    if (!last) from = max2(from, question->spans[i].to);
  }
  return false;
}

static bool stretch_shows(CoverQuestion *question, uint32_t own, const sat_Curve *curve) {
  look_along(question, own, curve, false);
  return any_gap_shows(question, NULL, curve, sat_is_arc(curve) ? 1e-9 : 4 * question->error_bound);
}

static bool is_near_wanted(const CoverQuestion *question, const sat_Piece *piece) {
  double threshold = sat_piece_radius(question->a, piece) + question->error_bound;
  sat_BvhQuery walk = pieces_near(question->b, question->a, piece->box, threshold);
  uint32_t index;
  while (sat_bvh_query_next(&walk, &index))
    if (find_piece(question->wanted_pieces, question->wanted_count, index) != UINT32_MAX)
      return true;
  return false;
}

static bool boundary_is_exposed(CoverQuestion *question, uint32_t own) {
  const sat_Boundary *boundary = &question->boundaries[own];
  const sat_Piece *piece = &question->a->pieces[question->pieces[own]];
  if (!is_near_wanted(question, piece)) return false;
  const bool *internal = question->a->internal ? question->a->internal + piece->first : NULL;
  sat_Curve arcs[4];
  for (uint32_t i = 0; i < boundary->count; i++) {
    const sat_BoundaryEdge *boundary_edge = &boundary->boundary_edges[i];
    sat_Curve straight = sat_segment_of_edge(boundary, i);
    if (boundary_edge->length > 0 && !(internal && internal[boundary_edge->facet.edge]) &&
        stretch_shows(question, own, &straight))
      return true;
    uint32_t count = boundary->radius > 0 ? sat_arcs_of_vertex(boundary, i, arcs) : 0;
    for (uint32_t k = 0; k < count; k++)
      if (stretch_shows(question, own, &arcs[k])) return true;
  }
  return false;
}

/* Of what has no inside all but the ends is asked. */
static bool line_is_covered(CoverQuestion *question, const sat_Boundary *wanted_boundary) {
  sat_Curve line = sat_segment_of_edge(wanted_boundary, 0);
  look_along(question, UINT32_MAX, &line, true);
  return !any_gap_shows(question, wanted_boundary, &line, 4 * question->error_bound);
}

/* ---- the whole of B */

static sat_Vec2 piece_center(const sat_PieceView *view, const sat_Piece *piece) {
  sat_Vec2 sum = vec2(0, 0);
  for (uint32_t i = 0; i < piece->count; i++) sum = add(sum, view->vertices[piece->first + i]);
  return mul(sum, 1.0 / piece->count);
}

static bool corners_are_in(const sat_PieceView *a, const sat_PieceView *b, const sat_Piece *q) {
  for (uint32_t i = 0; i < q->count; i++)
    if (!any_piece_contains(a, b->origin, &b->vertices[q->first + i])) return false;
  return true;
}

static bool one_piece_holds(const sat_PieceView *a, const sat_PieceView *b, const sat_Piece *q,
                            double error_bound) {
  sat_BvhQuery walk = pieces_near(a, b, q->box, sat_piece_radius(b, q) + error_bound);
  uint32_t index;
  while (sat_bvh_query_next(&walk, &index))
    if (piece_contains_piece(a, &a->pieces[index], b, q)) return true;
  return false;
}

/* Lists the parts of B that no part of A holds. SAT_MISS: A does not hold some corner, or has no
 * other part. */
static sat_Status list_wanted(CoverQuestion *question, sat_Scratch *scratch) {
  const sat_PieceView *a = question->a, *b = question->b;
  for (uint32_t i = 0; i < b->count; i++) {
    const sat_Piece *q = &b->pieces[i];
    if (!corners_are_in(a, b, q)) return SAT_MISS;
    if (one_piece_holds(a, b, q, question->error_bound)) continue;
    if (a->count == 1) return SAT_MISS;
    uint32_t *list = sat_scratch_reserve(scratch, (size_t)b->count * sizeof *list);
    if (!list) return SAT_ENOMEM;
    list[question->wanted_count++] = i;
  }
  return SAT_OK;
}

/* The list of wanted parts stays at the start of the memory. */
static bool reserve_cover(CoverQuestion *question, size_t boundary_edges,
                          sat_BoundaryEdge **boundary_edge, sat_Scratch *scratch) {
  size_t count = question->count, wanted_boundary = question->wanted_count, room = 2 * count + 16;
  size_t head = (question->b->count * sizeof(uint32_t) + 15) / 16 * 16;
  char *memory =
      sat_scratch_reserve(scratch, head + boundary_edges * sizeof(sat_BoundaryEdge) +
                                       (count + wanted_boundary) * sizeof(sat_Boundary) +
                                       room * sizeof(Span) + 2 * count * sizeof(uint32_t));
  if (!memory) return false;
  question->wanted_pieces = (uint32_t *)(void *)memory;
  *boundary_edge = (sat_BoundaryEdge *)(void *)(memory + head);
  question->boundaries = (sat_Boundary *)(*boundary_edge + boundary_edges);
  question->wanted_boundary = question->boundaries + count;
  question->spans = (Span *)(question->wanted_boundary + wanted_boundary);
  question->span_room = (uint32_t)min2((double)room, UINT32_MAX);
  question->pieces = (uint32_t *)(question->spans + room);
  question->near = question->pieces + count;
  return true;
}

static sat_BvhQuery all_near(const CoverQuestion *question) {
  return pieces_near(question->a, question->b, question->b->box, question->error_bound);
}

static sat_Boundary cover_boundary(const CoverQuestion *question, const sat_PieceView *view,
                                   uint32_t piece, sat_BoundaryEdge **boundary_edge) {
  sat_Boundary boundary =
      boundary_from(view, &view->pieces[piece], question->a->origin, *boundary_edge);
  boundary.error_bound = question->error_bound;
  *boundary_edge += view->pieces[piece].count;
  return boundary;
}

static bool make_cover_question(CoverQuestion *question, sat_Scratch *scratch) {
  const sat_PieceView *a = question->a, *b = question->b;
  const uint32_t *list = sat_scratch_reserve(scratch, (size_t)b->count * sizeof *list);
  size_t boundary_edges = 0;
  uint32_t piece;
  sat_BoundaryEdge *boundary_edge;
  if (!list) return false;
  for (uint32_t i = 0; i < question->wanted_count; i++) boundary_edges += b->pieces[list[i]].count;
  sat_BvhQuery walk = all_near(question);
  for (; sat_bvh_query_next(&walk, &piece); question->count++)
    boundary_edges += a->pieces[piece].count;
  if (!reserve_cover(question, boundary_edges, &boundary_edge, scratch)) return false;
  for (uint32_t i = 0; i < question->wanted_count; i++)
    question->wanted_boundary[i] =
        cover_boundary(question, b, question->wanted_pieces[i], &boundary_edge);
  walk = all_near(question);
  for (uint32_t i = 0; sat_bvh_query_next(&walk, &piece); i++) {
    question->pieces[i] = piece;
    question->boundaries[i] = cover_boundary(question, a, piece, &boundary_edge);
  }
  return true;
}

/* Parts of B whose corners are in A are in all parts of A together if none of A's outline shows
 * inside of them, and they are on the inner side of that. */
static bool covers_wanted(CoverQuestion *question) {
  bool solid = false;
  for (uint32_t i = 0; i < question->wanted_count; i++) {
    const sat_Boundary *wanted_boundary = &question->wanted_boundary[i];
    sat_Vec2 middle = piece_center(question->b, &question->b->pieces[question->wanted_pieces[i]]);
    if (wanted_boundary->degenerate
            ? !line_is_covered(question, wanted_boundary)
            : !any_piece_contains(question->a, question->b->origin, &middle))
      return false;
    solid = solid || !wanted_boundary->degenerate;
  }
  for (uint32_t i = 0; solid && i < question->count; i++)
    if (boundary_is_exposed(question, i)) return false;
  return true;
}

/* O(k log n) for each of A's edges that is near B, of which k parts are near. */
sat_Status sat_composite_contains(const sat_Shape *a, const sat_Shape *b, sat_Scratch *scratch) {
  ViewPair views;
  view_both(&views, a, b);
  CoverQuestion question = {.a = &views.of[0], .b = &views.of[1]};
  question.error_bound = 2 * box_rounding(a, b) + sat_coordinate_rounding(a, b);
  sat_Status status = list_wanted(&question, scratch);
  if (status != SAT_OK || question.wanted_count == 0) return status;
  if (!make_cover_question(&question, scratch)) return SAT_ENOMEM;
  return covers_wanted(&question) ? SAT_OK : SAT_MISS;
}
