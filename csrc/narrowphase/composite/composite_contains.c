/* composite_contains.c: containment of two shapes of which at least one is composite. The shape A
 * holds B where A holds each of B's vertices and no boundary of A's union of pieces runs inside
 * B. */
#include "narrowphase/composite/composite_contains.h"

#include "base/heap.h"
#include "base/memory.h"
#include "narrowphase/convex/convex_pair.h"
#include "narrowphase/union/minkowski_boundary.h"
#include "narrowphase/composite/piece_pairs.h"

static const sat_Vec2 origin_vertex; /* at its origin */

/* The lowest part with a piece that contains a point, relative to an origin of its own, at
 * least `inset` from the piece's boundary; or SAT_NO_PART. If `any`, the part of any such piece. */
static uint32_t part_that_contains(const sat_PieceView *view, sat_Vec2 origin,
                                   const sat_Vec2 *vertex, double inset, bool any) {
  sat_Vec2 at = add(sub(origin, view->origin), *vertex);
  double sizes = fabs(at.x) + fabs(at.y) + fabs(vertex->x) + fabs(vertex->y);
  sat_Box around = box_moved((sat_Box){at, at}, vec2(0, 0), SAT_SEPARATION_ROUNDING * sizes);
  sat_BvhQuery walk = sat_bvh_query(view, around);
  uint32_t index, part = SAT_NO_PART;
  while (!(any && part != SAT_NO_PART) && sat_bvh_query_next(&walk, &index)) {
    const sat_Piece *piece = &view->pieces[index];
    if (piece->part >= part) continue;
    sat_Convex convex = sat_piece_convex(view, piece);
    double radius = sat_piece_radius(view, piece) - inset;
    if (sat_convex_contains(&convex, piece->l1_bound, origin, vertex, radius)) part = piece->part;
  }
  return part;
}

static bool any_piece_contains(const sat_PieceView *view, sat_Vec2 origin, const sat_Vec2 *vertex) {
  return part_that_contains(view, origin, vertex, 0, true) != SAT_NO_PART;
}

uint32_t sat_composite_part_at(const sat_Shape *shape, sat_Vec2 point, double inset) {
  sat_Piece single;
  sat_PieceView view;
  sat_view_pieces(shape, &single, &view);
  return part_that_contains(&view, point, &origin_vertex, inset, false);
}

sat_Status sat_composite_contains_point(const sat_Shape *shape, sat_Vec2 point) {
  sat_Piece single;
  sat_PieceView view;
  sat_view_pieces(shape, &single, &view);
  return any_piece_contains(&view, point, &origin_vertex) ? SAT_OK : SAT_MISS;
}

static bool box_holds(const sat_Box *outer, const sat_Box *internal) {
  return outer->min.x <= internal->min.x && outer->min.y <= internal->min.y &&
         internal->max.x <= outer->max.x && internal->max.y <= outer->max.y;
}

static bool piece_contains_piece(const sat_PieceView *a, const sat_Piece *p, const sat_PieceView *b,
                                 const sat_Piece *q, double error_bound) {
  sat_Convex convex = sat_piece_convex(a, p);
  double margin = sat_piece_radius(a, p) - sat_piece_radius(b, q);
  sat_Box room = box_moved(p->box, sub(a->origin, b->origin), margin + error_bound);
  if (!box_holds(&room, &q->box)) return false;
  for (uint32_t i = 0; i < q->count; i++)
    if (!sat_convex_contains(&convex, p->l1_bound, b->origin, &b->vertices[q->first + i], margin))
      return false;
  return true;
}

/* A range of parameters on a curve. */
typedef struct Range {
  double from, to;
} Range;

/* The number of boundaries before a curve's own in the list, and after it, that are tried first;
 * and in place of its own that of a line of B. */
#define BESIDE 4u
#define LINE_OF_B UINT32_MAX
/* In error bounds: a piece of A counts as so much wider, which closes what rounding leaves between
 * adjacent pieces, and its own boundary as wider by twice that. What lies along the outside of an
 * edge covers the edge, but what ends at the same line does not. */
#define WIDENING 4

/* The pieces of B that no single piece of A contains, and the pieces of A that are near B, in
 * order, as boundaries seen from A's origin. */
typedef struct CoverQuestion {
  const sat_PieceView *a, *b;
  sat_Boundary *boundaries, *wanted_boundary;
  sat_BoundaryEdge *subset_edges;
  Range *spans; /* the covered ranges of the current curve */
  Range left;   /* the range of the current curve in which no span is known yet */
  uint32_t *wanted_pieces, *pieces;
  uint32_t last_cover; /* index of the boundary that covered a part of a curve last */
  uint32_t wanted_count, count;
  size_t span_count, span_room;
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

/* Adds a range; one that goes on where the last one ends makes that longer. */
static void add_span(CoverQuestion *question, double from, double to) {
  Range *left = &question->left, *last = question->spans + question->span_count;
  if (from <= left->from) left->from = max2(left->from, to);
  if (to >= left->to) left->to = min2(left->to, from);
  if (question->span_count > 0 && last[-1].to == from) {
    last[-1].to = to;
    return;
  }
  SAT_ASSERT(question->span_count < question->span_room);
  *last = (Range){from, to};
  question->span_count++;
}

static bool span_starts_later(const Range *p, const Range *q) { return p->from > q->from; }
SAT_DEFINE_SORT(Range, spans, span_starts_later)

/* The next part of a curve, from where the last one ends, on one side of a boundary: between two
 * consecutive crossings a curve is either inside or not. Where the boundary is far, crossings
 * that are none of the boundary itself are passed over: an arc is no longer than twice its radius
 * for each unit of its parameter. Returns the signed distance. */
static double next_part(const CoverQuestion *question, const sat_Boundary *boundary,
                        const sat_Curve *curve, double until, Range *part) {
  part->from = part->to;
  part->to = min2(sat_boundary_next_crossing(boundary, curve, true, part->from), until);
  double middle = part->from + (part->to - part->from) / 2,
         distance = sat_boundary_signed_distance(boundary, sat_curve_point(curve, middle), 0),
         way = (fabs(distance) - 4 * question->error_bound) /
               (sat_is_arc(curve) ? 2 * curve->radius : 1);
  if (way > 0) part->to = max2(part->to, min2(middle + way, until));
  return distance;
}

/* Lists the ranges of a curve that are inside of a boundary. */
static void add_covered(CoverQuestion *question, const sat_Boundary *boundary,
                        const sat_Curve *curve) {
  double until = question->left.to;
  for (Range part = {0, question->left.from}; part.to < until;)
    if (next_part(question, boundary, curve, until, &part) < 0)
      add_span(question, part.from, part.to);
}

/* The tangents at the ends of an arc, which is a quarter turn at most, meet beyond it. */
static sat_Box curve_box(const sat_Curve *curve, double from, double to, double out) {
  sat_Vec2 p = sat_curve_point(curve, from), q = sat_curve_point(curve, to);
  sat_Box box = {vec2(min2(p.x, q.x), min2(p.y, q.y)), vec2(max2(p.x, q.x), max2(p.y, q.y))};
  if (sat_is_arc(curve)) {
    sat_Vec2 normal = sat_curve_normal(curve, from);
    double half = arc_parameter(normal, sat_curve_normal(curve, to));
    sat_extend_box(&box, add(p, mul(perp(normal), curve->radius * half)));
  }
  return box_moved(box, vec2(0, 0), out);
}

/* Finds what of a piece's boundary is near a box around a range of a curve. False: the piece does
 * not reach the box. */
SAT_INLINE bool find_edges_near(const CoverQuestion *question, const sat_PieceView *view,
                                const sat_Piece *piece, const sat_Boundary *boundary,
                                const sat_Box *box, sat_Boundary *near) {
  sat_Vec2 offset = sub(question->a->origin, view->origin), middle = lerp(box->min, box->max, 0.5);
  sat_Box from_view = box_moved(*box, offset, 0);
  if (box_separation(&from_view, &piece->box, 0) > boundary->radius) return false;
  if (sat_boundary_subset(boundary, box, question->subset_edges, near)) return true;
  sat_Convex convex = sat_piece_convex(view, piece);
  return sat_convex_contains(&convex, piece->l1_bound, question->a->origin, &middle, 0);
}

/* Lists the ranges of a curve that one boundary covers, as far as no others cover it. */
static void find_covers_of(CoverQuestion *question, uint32_t index, const sat_Curve *curve) {
  sat_Box box = curve_box(curve, question->left.from, question->left.to, 4 * question->error_bound);
  const sat_Piece *piece = &question->a->pieces[question->pieces[index]];
  sat_Boundary near;
  size_t spans = question->span_count;
  if (!find_edges_near(question, question->a, piece, &question->boundaries[index], &box, &near))
    return;
  add_covered(question, &near, curve);
  if (question->span_count > spans) question->last_cover = index;
}

/* Lists the covered ranges of a curve, in order, until they leave no gap. Pieces beside each other
 * in the list are near each other, so that those beside the curve's own may cover most of it. */
static void find_covers(CoverQuestion *question, uint32_t own, const sat_Curve *curve,
                        double hair) {
  bool closed = own == LINE_OF_B;
  uint32_t from = own > BESIDE && !closed ? own - BESIDE : 0, to = closed ? 0 : own + BESIDE + 1;
  if (to > question->count) to = question->count;
  Range *left = &question->left;
  *left = (Range){0, curve->end};
  question->span_count = 0;
  uint32_t last = question->last_cover;
  if (last != own && last < question->count) find_covers_of(question, last, curve);
  for (uint32_t i = from; i < to && left->to - left->from > hair; i++)
    if (i != own && i != last) find_covers_of(question, i, curve);
  sat_Box box = curve_box(curve, max2(left->from, 0), left->to, 4 * question->error_bound);
  sat_BvhQuery walk = sat_bvh_query(question->a, box);
  uint32_t piece;
  while (left->to - left->from > hair && sat_bvh_query_next(&walk, &piece)) {
    uint32_t index = find_piece(question->pieces, question->count, piece);
    bool tried = index == last || (index >= from && index < to);
    if (index != UINT32_MAX && index != own && !tried) find_covers_of(question, index, curve);
  }
  spans_sort(question->spans, question->span_count);
}

/* ---- the parts of A's boundary that run inside B */

/* Whether more than a hair of a gap is inside the wanted piece by more than rounding. */
static bool is_exposed_inside(const CoverQuestion *question, const sat_Boundary *wanted_boundary,
                              const sat_Curve *curve, Range open, double hair) {
  for (Range part = {0, open.from}; part.to < open.to;)
    if (next_part(question, wanted_boundary, curve, open.to, &part) < -2 * question->error_bound &&
        part.to - part.from > hair)
      return true;
  return false;
}

/* Whether a gap between the ranges of a curve that A's other pieces cover is in a wanted piece. */
static bool gap_is_exposed(CoverQuestion *question, const sat_Curve *curve, Range open,
                           double hair) {
  const sat_PieceView *a = question->a, *b = question->b;
  sat_Box box = curve_box(curve, open.from, open.to, question->error_bound);
  sat_BvhQuery walk = sat_bvh_query(b, box_moved(box, sub(a->origin, b->origin), 0));
  uint32_t piece;
  while (sat_bvh_query_next(&walk, &piece)) {
    uint32_t index = find_piece(question->wanted_pieces, question->wanted_count, piece);
    sat_Boundary near;
    if (index != UINT32_MAX &&
        find_edges_near(question, b, &b->pieces[piece], &question->wanted_boundary[index], &box,
                        &near) &&
        is_exposed_inside(question, &near, curve, open, hair))
      return true;
  }
  return false;
}

/* Whether a gap in what covers a curve is exposed: of a line of B any that is wider than rounding.
 * A line is tested between its ends, which are tested already. */
static bool curve_is_exposed(CoverQuestion *question, uint32_t own, const sat_Curve *curve) {
  double hair = sat_is_arc(curve) ? SAT_LEAST_EXPOSED_ARC : 4 * question->error_bound;
  Range open = {0, 0};
  find_covers(question, own, curve, hair);
  for (size_t i = 0; i <= question->span_count; i++) {
    bool last = i == question->span_count;
    open.to = last ? curve->end : question->spans[i].from;
    if (open.to - open.from > hair &&
        (own == LINE_OF_B || gap_is_exposed(question, curve, open, hair)))
      return true;
    if (!last) open.from = max2(open.from, question->spans[i].to);
  }
  return false;
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
  sat_Boundary boundary = question->boundaries[own];
  const sat_Piece *piece = &question->a->pieces[question->pieces[own]];
  if (!is_near_wanted(question, piece)) return false;
  const bool *internal = question->a->internal ? question->a->internal + piece->first : NULL;
  sat_Curve arcs[4];
  boundary.radius += WIDENING * question->error_bound;
  for (uint32_t i = 0; i < boundary.count; i++) {
    const sat_BoundaryEdge *boundary_edge = &boundary.boundary_edges[i];
    sat_Curve straight = sat_segment_of_edge(&boundary, i);
    if (boundary_edge->length > 0 && !(internal && internal[boundary_edge->facet.edge]) &&
        curve_is_exposed(question, own, &straight))
      return true;
    uint32_t count =
        sat_piece_radius(question->a, piece) > 0 ? sat_arcs_of_vertex(&boundary, i, arcs) : 0;
    for (uint32_t k = 0; k < count; k++)
      if (curve_is_exposed(question, own, &arcs[k])) return true;
  }
  return false;
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
    if (piece_contains_piece(a, &a->pieces[index], b, q, error_bound)) return true;
  return false;
}

/* Lists the pieces of B that no piece of A contains. Returns SAT_MISS if A does not contain some
 * vertex, or has no other piece. */
static sat_Status list_wanted(CoverQuestion *question, sat_Scratch *scratch) {
  const sat_PieceView *a = question->a, *b = question->b;
  for (uint32_t i = 0; i < b->count; i++) {
    const sat_Piece *q = &b->pieces[i];
    if (one_piece_holds(a, b, q, question->error_bound)) continue;
    if (a->count == 1 || !corners_are_in(a, b, q)) return SAT_MISS;
    uint32_t *list = sat_scratch_reserve(scratch, (size_t)b->count * sizeof *list);
    if (!list) return SAT_ENOMEM;
    list[question->wanted_count++] = i;
  }
  return SAT_OK;
}

/* The list of wanted pieces stays at the start of the memory. A curve crosses the line of an edge
 * and the circle of a corner twice each at most: a boundary covers it in two ranges for each of its
 * edges, and one more. */
static bool reserve_cover(CoverQuestion *question, size_t boundary_edges,
                          sat_BoundaryEdge **boundary_edge, sat_Scratch *scratch) {
  size_t count = question->count, wanted = question->wanted_count,
         room = 2 * boundary_edges + count;
  size_t head = (question->b->count * sizeof(uint32_t) + 15) / 16 * 16;
  char *memory = sat_scratch_reserve(scratch, head + 2 * boundary_edges * sizeof(sat_BoundaryEdge) +
                                                  (count + wanted) * sizeof(sat_Boundary) +
                                                  room * sizeof(Range) + count * sizeof(uint32_t));
  if (!memory) return false;
  question->wanted_pieces = (uint32_t *)(void *)memory;
  *boundary_edge = (sat_BoundaryEdge *)(void *)(memory + head);
  question->subset_edges = *boundary_edge + boundary_edges;
  question->boundaries = (sat_Boundary *)(question->subset_edges + boundary_edges);
  question->wanted_boundary = question->boundaries + count;
  question->spans = (Range *)(question->wanted_boundary + wanted);
  question->span_room = room;
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
    question->boundaries[i].radius += WIDENING * question->error_bound;
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
    sat_Curve line = sat_segment_of_edge(wanted_boundary, 0);
    if (wanted_boundary->degenerate
            ? curve_is_exposed(question, LINE_OF_B, &line)
            : !any_piece_contains(question->a, question->b->origin, &middle))
      return false;
    solid = solid || !wanted_boundary->degenerate;
  }
  for (uint32_t i = 0; solid && i < question->count; i++)
    if (boundary_is_exposed(question, i)) return false;
  return true;
}

/* O(k log n) for each of A's edges that is near B, with k pieces and edges that reach the edge. */
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
