/* union_squares.c: many differences, a few at a time.
 *
 * A square lists the differences whose boundaries cross it. It is done where a difference covers
 * all of it, or where the shared edges around one point do. Of those that are left, the one that
 * reaches farthest over the middle is a half-plane in most small squares, and leaves out those
 * whose parts of the square are within it. Where few are left, their curves are followed within
 * the square; more go on to its quarters, the nearest to the origin first.
 *
 * Woodwark and Quinlan, Reducing the effect of complexity on volume model evaluation, 1982. */
#include "narrowphase/union/union_differences.h"

#define SQRT_2 1.4142135623730951
/* In rounding errors: what is beside a square is in it, too, and the differences there are
 * listed. */
#define BESIDE_SQUARE (2 * SAT_ROUNDINGS_BESIDE)
/* A square is not halved any more where so many halvings in turn have left more than this part of
 * the list: they do not part curves that meet in one point or lie along each other. */
#define IDLE_HALVINGS 6
#define IDLE_PART 0.875
/* More differences than this are halved. */
#define FEW_IN_SQUARE 16

/* A square that is halved, by its middle and half of its width. */
typedef struct HalvedSquare {
  sat_Vec2 middle;
  double half;
  uint32_t idle_halvings; /* since the list became shorter */
} HalvedSquare;

/* How a difference is to a square. */
typedef enum SquareCover { SQUARE_IS_OUTSIDE, SQUARE_IS_CROSSED, SQUARE_IS_INSIDE } SquareCover;

/* A point deeper inside a difference than this is inside it beyond rounding. */
static double margin_of(const sat_UnionSearch *search, const sat_Boundary *boundary) {
  return 2 * boundary->error_bound + BESIDE_SQUARE * search->rounding;
}

/* How a difference is to a square; `out` becomes how far the middle is out of it, negative inside,
 * as far as its edges tell. */
static SquareCover cover_of_square(const sat_UnionSearch *search, const sat_Boundary *boundary,
                                   const HalvedSquare *square, double *out) {
  double margin = margin_of(search, boundary), farthest = -HUGE_VAL;
  *out = -HUGE_VAL;
  for (uint32_t i = 0; i < boundary->count; i++) {
    const sat_BoundaryEdge *edge = &boundary->boundary_edges[i];
    double middle = separation_of(edge, square->middle) - boundary->radius,
           extent = square->half * (fabs(edge->normal.x) + fabs(edge->normal.y));
    if (middle > extent + margin) return SQUARE_IS_OUTSIDE;
    *out = max2(*out, middle);
    farthest = max2(farthest, middle + extent);
  }
  if (boundary->radius > 0 && (farthest < -margin || boundary->count == 1)) {
    double extent = square->half * SQRT_2;
    *out = sat_boundary_signed_distance(boundary, square->middle, HUGE_VAL);
    if (*out > extent + margin) return SQUARE_IS_OUTSIDE;
    farthest = *out + extent;
  }
  return farthest < -margin && !boundary->degenerate ? SQUARE_IS_INSIDE : SQUARE_IS_CROSSED;
}

static const sat_Boundary *listed_boundary(sat_UnionSearch *search, uint32_t index) {
  return ensure_boundary(search, &search->differences[search->boxes[index].difference]);
}

/* Keeps the differences that may cross a square in the list. Of those that are wider than the
 * square, the one that reaches farthest over its middle comes first. Returns whether that one
 * covers the whole square, or else, as SQUARE_IS_CROSSED, its middle. */
static SquareCover keep_crossing(sat_UnionSearch *search, const HalvedSquare *square) {
  sat_Box whole = square_about(square->middle, square->half);
  double least = HUGE_VAL;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < search->box_count; i++) {
    const sat_Box *box = &search->boxes[i].box;
    if (!box_meets(box, whole.min, whole.max)) continue;
    double width = max2(box->max.x - box->min.x, box->max.y - box->min.y), out = HUGE_VAL;
    SquareCover cover = SQUARE_IS_CROSSED;
    if (width >= 2 * square->half)
      cover = cover_of_square(search, listed_boundary(search, i), square, &out);
    if (cover == SQUARE_IS_OUTSIDE) continue;
    swap_listed(search, i, kept);
    if (out < least || cover == SQUARE_IS_INSIDE) swap_listed(search, kept, 0);
    if (cover == SQUARE_IS_INSIDE) return cover;
    least = min2(out, least);
    kept++;
  }
  search->box_count = kept;
  return least < 0 ? SQUARE_IS_CROSSED : SQUARE_IS_OUTSIDE;
}

/* The normal of a circle towards the middle of a square; how far the middle is from its centre. */
static sat_Vec2 towards_middle(const sat_Boundary *circle, const HalvedSquare *square,
                               double *out) {
  sat_Vec2 from = sub(square->middle, circle->boundary_edges[0].start);
  *out = length(from);
  return mul(from, 1 / max2(*out, SAT_TINY));
}

/* An upper bound of how far a difference's part of a square reaches beyond the middle along a
 * direction: within an edge and the square. By the duality of linear programs each multiple of the
 * edge's normal gives one, and the least is at one that leaves nothing along an axis. */
static double reach_of_part(const sat_Boundary *boundary, const HalvedSquare *square,
                            sat_Vec2 along) {
  double least = square->half * (fabs(along.x) + fabs(along.y)), farthest = -HUGE_VAL;
  for (uint32_t i = 0; i < boundary->count; i++) {
    sat_Vec2 normal = boundary->boundary_edges[i].normal;
    double out = separation_of(&boundary->boundary_edges[i], square->middle);
    farthest = max2(farthest, dot(along, sub(boundary->boundary_edges[i].start, square->middle)));
    if (boundary->count == 1) normal = towards_middle(boundary, square, &out);
    double room = boundary->radius + boundary->error_bound - out;
    if (room >= square->half * (fabs(normal.x) + fabs(normal.y)) || dot(along, normal) <= 0)
      continue;
    double multiples[2] = {along.x / normal.x, along.y / normal.y};
    for (int k = 0; k < 2; k++) {
      if (!(multiples[k] > 0 && multiples[k] < HUGE_VAL)) continue;
      sat_Vec2 rest = sub(along, mul(normal, multiples[k]));
      least = min2(least, multiples[k] * room + square->half * (fabs(rest.x) + fabs(rest.y)));
    }
  }
  return min2(least, farthest + boundary->radius);
}

/* Gives the half-plane that is inside a difference within a square, if only one edge of its core
 * crosses the square, and all of the square is beside that edge: a normal, and how far beyond the
 * middle. What lies along the boundary may be exposed where another difference is not, so that the
 * plane ends before it by more than rounding. A circle has the plane of a chord. */
static bool find_inner_plane(const sat_UnionSearch *search, const sat_Boundary *boundary,
                             const HalvedSquare *square, sat_Vec2 *normal, double *room) {
  double half = square->half, margin = margin_of(search, boundary), out;
  uint32_t count = 0;
  if (boundary->count == 1) {
    double chord = boundary->radius * boundary->radius - 2 * half * half;
    *normal = towards_middle(boundary, square, &out);
    *room = sqrt(max2(chord, 0)) - out - margin;
    return chord > 0 && out > half * SQRT_2;
  }
  for (uint32_t i = 0; i < boundary->count; i++) {
    const sat_BoundaryEdge *edge = &boundary->boundary_edges[i];
    double extent = half * (fabs(edge->normal.x) + fabs(edge->normal.y)),
           inside = -separation_of(edge, square->middle) - margin,
           along = along_boundary_edge(edge, square->middle);
    if (extent <= inside) continue;
    bool is_beside = boundary->radius == 0 || (along >= extent && along <= edge->length - extent);
    if (!is_beside || ++count > 1) return false;
    *normal = edge->normal;
    *room = inside + boundary->radius;
  }
  return count > 0 && !boundary->degenerate;
}

/* Leaves out the differences whose parts of a square the first one covers. */
static void leave_out_covered(sat_UnionSearch *search, const HalvedSquare *square) {
  uint32_t count = search->box_count, kept = 1;
  sat_Vec2 normal;
  double room;
  if (!find_inner_plane(search, listed_boundary(search, 0), square, &normal, &room)) return;
  for (uint32_t i = 1; i < count; i++)
    if (reach_of_part(listed_boundary(search, i), square, normal) > room)
      swap_listed(search, i, kept++);
  search->box_count = kept;
}

/* A point in a square that the boundaries which cross it may all go through: a corner of one of
 * them, or else a point of the first edge. */
static sat_Vec2 shared_point(sat_UnionSearch *search, const HalvedSquare *square) {
  sat_Box whole = square_about(square->middle, square->half);
  sat_Vec2 on_edge = square->middle;
  for (uint32_t i = search->box_count; i-- > 0;) {
    const sat_Boundary *boundary = listed_boundary(search, i);
    for (uint32_t k = 0; k < boundary->count; k++) {
      const sat_BoundaryEdge *edge = &boundary->boundary_edges[k];
      double out = separation_of(edge, square->middle);
      if (box_meets(&(sat_Box){edge->start, edge->start}, whole.min, whole.max)) return edge->start;
      if (fabs(out) <= square->half) on_edge = sub(square->middle, mul(edge->normal, out));
    }
  }
  return on_edge;
}

/* Whether the differences of a point or segment cover a square with the shared edges between them:
 * all boundaries that cross the square go through one point of it, around which they fill the
 * turn. */
static bool shared_edges_cover(sat_UnionSearch *search, const HalvedSquare *square) {
  sat_Vec2 point = shared_point(search, square);
  double near = SAT_BOUNDARY_ROUNDINGS * search->rounding;
  for (uint32_t i = 0; i < search->box_count; i++) {
    const sat_Boundary *boundary = listed_boundary(search, i);
    if (boundary->radius > 0) return false;
    for (uint32_t k = 0; k < boundary->count; k++) {
      const sat_BoundaryEdge *edge = &boundary->boundary_edges[k];
      double extent = square->half * (fabs(edge->normal.x) + fabs(edge->normal.y));
      if (fabs(separation_of(edge, square->middle)) <= extent &&
          fabs(separation_of(edge, point)) > near)
        return false;
    }
  }
  return sat_union_is_on_shared_edge(search, point);
}

/* Keeps the differences in the list that have to be followed in a square. */
static void keep_needed(sat_UnionSearch *search, const HalvedSquare *square) {
  SquareCover first = keep_crossing(search, square);
  if (first == SQUARE_IS_INSIDE) search->box_count = 0;
  if (search->box_count <= FEW_IN_SQUARE) return;
  if (first == SQUARE_IS_CROSSED) leave_out_covered(search, square);
  if (search->touches && !search->commons && shared_edges_cover(search, square))
    search->box_count = 0;
}

/* Whether points of a square may be as near as the best vector is long, and have not been
 * searched. */
static bool may_be_best(const sat_UnionSearch *search, const HalvedSquare *square) {
  double x = fabs(square->middle.x), y = fabs(square->middle.y), half = square->half,
         near = length(vec2(max2(x - half, 0), max2(y - half, 0)));
  return near <= search->search_radius && !is_too_long(search, near) &&
         length(vec2(x + half, y + half)) >= search->searched_radius;
}

/* Follows the curves in a square or in its quarters. The list of a square is the first part of that
 * of the larger square, whose order does not matter. */
static void walk_halved(sat_UnionSearch *search, HalvedSquare square) {
  double beside = BESIDE_SQUARE * search->rounding, half = square.half / 2;
  HalvedSquare around = {square.middle, square.half + 2 * beside, 0};
  uint32_t count = search->box_count;
  bool right = square.middle.x < 0, up = square.middle.y < 0; /* is nearer to the origin */
  if (search->is_full || !may_be_best(search, &square)) return;
  keep_needed(search, &around);
  square.idle_halvings = search->box_count > IDLE_PART * count ? square.idle_halvings + 1 : 0;
  if (search->box_count <= FEW_IN_SQUARE || square.idle_halvings >= IDLE_HALVINGS) {
    search->square = square_about(square.middle, square.half + beside);
    sat_union_walk_square(search);
  } else {
    for (uint32_t i = 0; i < 4; i++) {
      sat_Vec2 to = vec2(right != (i & 1) ? half : -half, up != (i >> 1) ? half : -half);
      walk_halved(search, (HalvedSquare){add(square.middle, to), half, square.idle_halvings});
    }
  }
  search->box_count = count;
}

void sat_union_walk(sat_UnionSearch *search) {
  search->found = false;
  search->proposal_count = 0;
  search->square = square_about(vec2(0, 0), HUGE_VAL);
  if (search->box_count <= SAT_FEW_DIFFERENCES || search->touch_only) sat_union_walk_square(search);
  else walk_halved(search, (HalvedSquare){{0, 0}, search->search_radius, 0});
  if (search->tied && !search->is_full) sat_union_choose_best(search);
}
