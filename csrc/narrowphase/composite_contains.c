/* composite_contains.c: containment of two shapes of which at least one is composite. The shape A
 * holds B where A holds each of B's vertices and no boundary of A's union of pieces runs inside
 * B. */
#include "narrowphase/composite_contains.h"

#include "base/heap.h"
#include "base/memory.h"
#include "narrowphase/convex_pair.h"
#include "narrowphase/boundary_clip.h"
#include "narrowphase/piece_pairs.h"

static const sat_Vec2 origin_vertex; /* at its origin */

static sat_Box box_around_point(sat_Vec2 point, double out) {
  return (sat_Box){sub(point, vec2(out, out)), add(point, vec2(out, out))};
}

/* Whether any piece contains a point, relative to an origin of its own. */
static bool any_piece_contains(const sat_PieceView *view, sat_Vec2 origin, const sat_Vec2 *vertex) {
  sat_Vec2 at = add(sub(origin, view->origin), *vertex);
  double sizes = fabs(at.x) + fabs(at.y) + fabs(vertex->x) + fabs(vertex->y);
  sat_BvhQuery walk = sat_bvh_query(view, box_around_point(at, SAT_SEPARATION_ROUNDING * sizes));
  uint32_t index;
  while (sat_bvh_query_next(&walk, &index)) {
    const sat_Piece *piece = &view->pieces[index];
    sat_Convex convex = sat_piece_convex(view, piece);
    double radius = sat_piece_radius(view, piece);
    if (sat_convex_contains(&convex, piece->l1_bound, origin, vertex, radius)) return true;
  }
  return false;
}

sat_Status sat_composite_contains_point(const sat_Shape *shape, sat_Vec2 point) {
  sat_Piece single;
  sat_PieceView view = sat_pieces_of(shape, &single);
  return any_piece_contains(&view, point, &origin_vertex) ? SAT_OK : SAT_MISS;
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

/* A range of parameters on a curve. */
typedef struct Span {
  double from, to;
} Span;

/* The pieces of B that no single piece of A contains, and the pieces of A that are near B, in
 * order, as boundaries seen from A's origin. */
typedef struct CoverQuestion {
  const sat_PieceView *a, *b;
  sat_Boundary *boundaries, *wanted_boundary;
  sat_Boundary *near; /* the boundaries near the current curve, less their edges that are not */
  sat_BoundaryEdge *subset_edges;
  Span *spans; /* of the current curve, as far as there is room */
  uint32_t *wanted_pieces, *pieces;
  uint32_t wanted_count, count, span_count, span_room, near_count, subset_edge_count;
  double error_bound;
} CoverQuestion;

static sat_Boundary boundary_from(const sat_PieceView *view, const sat_Piece *piece, sat_Vec2 from,
                                  sat_BoundaryEdge *boundary_edges) {
  sat_Convex point = {&origin_vertex, NULL, from, 1};
  sat_Pair pair = sat_pair_make(point, sat_piece_convex(view, piece), piece->l1_bound,
                                sat_piece_radius(view, piece));
  return sat_boundary_of(&pair, boundary_edges);
}

static sat_BvhQuery pieces_near(const sat_PieceView *a, const sat_PieceView *b, sat_Box box,
                                double threshold) {
  return sat_bvh_query(a, box_moved(box, sub(b->origin, a->origin), threshold));
}

/* The index of a piece in an ascending list, or UINT32_MAX. */
static uint32_t find_piece(const uint32_t *pieces, uint32_t count, uint32_t piece) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (pieces[mid] < piece) low = mid + 1;
    else high = mid;
  }
  return low < count && pieces[low] == piece ? low : UINT32_MAX;
}

/* ---- the ranges of a curve that the pieces of A cover */

/* A range without room is dropped, and the exact test then visits it. */
static void add_span(CoverQuestion *question, double from, double to) {
  if (question->span_count < question->span_room)
    question->spans[question->span_count++] = (Span){from, to};
}

static bool span_starts_later(const Span *p, const Span *q) { return p->from > q->from; }
SAT_DEFINE_SORT(Span, spans, span_starts_later)

/* Between two consecutive crossings a curve is either covered or not. */
static void add_covered(CoverQuestion *question, const sat_Boundary *boundary,
                        const sat_Curve *curve) {
  double to = 0;
  while (to < curve->end) {
    double from = to;
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
  double to = 0;
  while (to < line->end) {
    double from = to;
    to = min2(sat_boundary_next_crossing(boundary, line, from), line->end);
    if (sat_boundary_is_near(boundary, sat_curve_point(line, from + (to - from) / 2)))
      add_span(question, from, to);
  }
}

static sat_Box curve_box(const sat_Curve *curve, double from, double to, double out) {
  sat_Vec2 p = sat_curve_point(curve, from), q = sat_curve_point(curve, to);
  if (sat_is_arc(curve)) return box_around_point(curve->base, curve->radius + out);
  sat_Box box = {vec2(min2(p.x, q.x), min2(p.y, q.y)), vec2(max2(p.x, q.x), max2(p.y, q.y))};
  return box_moved(box, vec2(0, 0), out);
}

/* Lists the boundaries near a curve, but for its own, and the covered ranges of the curve, in
 * order. */
static void find_covers(CoverQuestion *question, uint32_t own, const sat_Curve *curve,
                        bool closed) {
  sat_Box box = curve_box(curve, 0, curve->end, 4 * question->error_bound);
  sat_BvhQuery walk = sat_bvh_query(question->a, box);
  uint32_t piece;
  question->near_count = question->span_count = question->subset_edge_count = 0;
  while (sat_bvh_query_next(&walk, &piece)) {
    uint32_t index = find_piece(question->pieces, question->count, piece);
    if (index == UINT32_MAX || index == own) continue;
    sat_BoundaryEdge *room = question->subset_edges + question->subset_edge_count;
    sat_Boundary *subset = &question->near[question->near_count];
    if (!sat_boundary_subset(&question->boundaries[index], &box, room, subset)) continue;
    question->near_count++;
    if (subset->boundary_edges == room) question->subset_edge_count += subset->count;
    if (closed) add_touched(question, subset, curve);
    else add_covered(question, subset, curve);
  }
  spans_sort(question->spans, question->span_count);
}

/* The next crossing of a curve with the boundaries near it. */
static double next_crossing(const CoverQuestion *question, const sat_Curve *curve, double after,
                            double end) {
  double next = end;
  for (uint32_t i = 0; i < question->near_count; i++)
    next = min2(next, sat_boundary_next_crossing(&question->near[i], curve, after));
  return next;
}

static bool is_covered(const CoverQuestion *question, const sat_Curve *curve, double t,
                       bool closed) {
  for (uint32_t i = 0; i < question->near_count; i++) {
    const sat_Boundary *boundary = &question->near[i];
    sat_Parameter place = {t, 0};
    if (closed ? sat_boundary_is_near(boundary, sat_curve_point(curve, t))
               : sat_boundary_covers_parameter(boundary, curve, true, &place))
      return true;
  }
  return false;
}

/* ---- the parts of A's boundary that run inside B */

/* Whether a range of a curve has an exposed point. `closed`: a point in no piece of A, for pieces
 * of B without an interior. Else a point inside the wanted piece and in no other piece of A. */
static bool is_exposed_between(const CoverQuestion *question, const sat_Boundary *wanted_boundary,
                               const sat_Curve *curve, Span span, double hair, bool closed) {
  double to = span.from;
  while (to < span.to) {
    double from = to;
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

/* Whether a range that no single boundary covers has an exposed point inside the wanted piece:
 * rounding may have left a gap between adjacent pieces. */
static bool is_exposed_inside(const CoverQuestion *question, const sat_Boundary *wanted_boundary,
                              const sat_Curve *curve, Span range, double hair) {
  double to = range.from;
  while (to < range.to) {
    double from = to;
    to = min2(sat_boundary_next_crossing(wanted_boundary, curve, from), range.to);
    sat_Vec2 point = sat_curve_point(curve, from + (to - from) / 2);
    if (to - from > hair &&
        sat_boundary_signed_distance(wanted_boundary, point, 0) < -2 * question->error_bound &&
        is_exposed_between(question, wanted_boundary, curve, (Span){from, to}, hair, false))
      return true;
  }
  return false;
}

static bool gap_is_exposed(const CoverQuestion *question, const sat_Curve *curve, Span range,
                           double hair) {
  const sat_PieceView *a = question->a, *b = question->b;
  sat_Box box = curve_box(curve, range.from, range.to, 0);
  sat_BvhQuery walk = pieces_near(b, a, box, question->error_bound);
  uint32_t piece;
  while (sat_bvh_query_next(&walk, &piece)) {
    uint32_t index = find_piece(question->wanted_pieces, question->wanted_count, piece);
    sat_BoundaryEdge *room = question->subset_edges + question->subset_edge_count;
    sat_Boundary subset;
    if (index != UINT32_MAX &&
        sat_boundary_subset(&question->wanted_boundary[index], &box, room, &subset) &&
        is_exposed_inside(question, &subset, curve, range, hair))
      return true;
  }
  return false;
}

/* A sweep over the covered ranges. `line` is the piece of B that the curve is, or NULL. */
static bool any_gap_is_exposed(const CoverQuestion *question, const sat_Boundary *line,
                               const sat_Curve *curve, double hair) {
  double from = 0;
  for (uint32_t i = 0; i <= question->span_count; i++) {
    bool last = i == question->span_count;
    Span range = {from, last ? curve->end : question->spans[i].from};
    bool wide = range.to - range.from > hair;
    if (wide && (line ? is_exposed_between(question, line, curve, range, hair, true)
                      : gap_is_exposed(question, curve, range, hair)))
      return true;
    if (!last) from = max2(from, question->spans[i].to);
  }
  return false;
}

static bool curve_is_exposed(CoverQuestion *question, uint32_t own, const sat_Curve *curve) {
  find_covers(question, own, curve, false);
  return any_gap_is_exposed(question, NULL, curve,
                            sat_is_arc(curve) ? SAT_LEAST_EXPOSED_ARC : 4 * question->error_bound);
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
        curve_is_exposed(question, own, &straight))
      return true;
    uint32_t count = boundary->radius > 0 ? sat_arcs_of_vertex(boundary, i, arcs) : 0;
    for (uint32_t k = 0; k < count; k++)
      if (curve_is_exposed(question, own, &arcs[k])) return true;
  }
  return false;
}

/* A piece without an interior is tested between its ends, which are tested already. */
static bool line_is_covered(CoverQuestion *question, const sat_Boundary *wanted_boundary) {
  sat_Curve line = sat_segment_of_edge(wanted_boundary, 0);
  find_covers(question, UINT32_MAX, &line, true);
  return !any_gap_is_exposed(question, wanted_boundary, &line, 4 * question->error_bound);
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

/* Lists the pieces of B that no piece of A contains. SAT_MISS: A does not contain some vertex, or
 * has no other piece. */
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

/* The list of wanted pieces stays at the start of the memory. */
static bool reserve_cover(CoverQuestion *question, size_t boundary_edges,
                          sat_BoundaryEdge **boundary_edge, sat_Scratch *scratch) {
  size_t count = question->count, wanted = question->wanted_count, room = 2 * count + 16;
  size_t head = (question->b->count * sizeof(uint32_t) + 15) / 16 * 16;
  size_t subset_edges = boundary_edges + (count + wanted) * SAT_SUBSET_EDGES;
  char *memory = sat_scratch_reserve(
      scratch, head + (boundary_edges + subset_edges) * sizeof(sat_BoundaryEdge) +
                   (2 * count + wanted) * sizeof(sat_Boundary) + room * sizeof(Span) +
                   count * sizeof(uint32_t));
  if (!memory) return false;
  question->wanted_pieces = (uint32_t *)(void *)memory;
  *boundary_edge = (sat_BoundaryEdge *)(void *)(memory + head);
  question->subset_edges = *boundary_edge + boundary_edges;
  question->boundaries = (sat_Boundary *)(question->subset_edges + subset_edges);
  question->wanted_boundary = question->boundaries + count;
  question->near = question->wanted_boundary + wanted;
  question->spans = (Span *)(question->near + count);
  question->span_room = (uint32_t)min2((double)room, UINT32_MAX);
  question->pieces = (uint32_t *)(question->spans + room);
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

/* Pieces of B whose vertices are in A are inside A's union if no boundary of A is exposed inside
 * them, and their centres are in A. */
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

/* O(k log n) for each of A's edges that is near B, with k pieces near the edge. */
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
