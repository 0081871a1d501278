/* union_chain.c: the sides from which the segments of chains can be touched. */
#include "narrowphase/union/union_differences.h"

/* A touch of a chain at a point: hidden by the segment's neighbours, from behind alone, or open. */
typedef enum Touch { TOUCH_HIDDEN, TOUCH_BEHIND, TOUCH_OPEN } Touch;

/* ---------------------------------------------------------------- one difference */

/* Whether a facet is the back of a one-sided segment, or lies along it: parallel edges of both
 * pieces are one edge of the difference, and one touch. */
static bool is_along_back(const sat_PiecePair *pieces, uint32_t side, const sat_Facet *facet,
                          sat_Vec2 normal) {
  const sat_Piece *piece = pieces->piece[side];
  if (!(piece->flags & SAT_ONE_SIDED)) return false;
  if (facet->side == side) return facet->edge != sat_front_edge(pieces->of[side], piece);
  sat_Vec2 front = sat_front_normal(pieces->of[side], piece),
           out = side == SAT_A ? neg(normal) : normal;
  return fabs(cross(front, out)) <= SAT_SAME_NORMAL && dot(front, out) < 0;
}

static Touch touch_of_facet(const sat_PiecePair *pieces, const sat_Facet *facet, sat_Vec2 normal) {
  if (is_along_back(pieces, SAT_A, facet, normal) || is_along_back(pieces, SAT_B, facet, normal))
    return TOUCH_BEHIND;
  return sat_chain_hides_facet(pieces, facet, normal) ? TOUCH_HIDDEN : TOUCH_OPEN;
}

/* The touch at a point of a difference's boundary: the best of the facets there, or that of the
 * nearest corner. */
static Touch touch_of_boundary(const sat_PiecePair *pieces, const sat_Boundary *boundary,
                               sat_Vec2 point) {
  double error_bound = 2 * boundary->error_bound, nearest = HUGE_VAL;
  uint32_t corner = 0, count[3] = {0, 0, 0};
  for (uint32_t i = 0; i < boundary->count; i++) {
    const sat_BoundaryEdge *boundary_edge = &boundary->boundary_edges[i];
    sat_Vec2 from = sub(point, boundary_edge->start);
    double separation = dot(boundary_edge->normal, point) + boundary_edge->separation,
           along = dot(perp(boundary_edge->normal), from);
    if (length(from) < nearest) corner = i;
    nearest = min2(nearest, length(from));
    if (separation < boundary->radius - error_bound || along < -error_bound ||
        along > boundary_edge->length + error_bound)
      continue;
    count[touch_of_facet(pieces, &boundary_edge->facet, boundary_edge->normal)]++;
  }
  if (count[TOUCH_OPEN] > 0) return TOUCH_OPEN;
  if (count[TOUCH_HIDDEN] + count[TOUCH_BEHIND] > 0)
    return count[TOUCH_HIDDEN] > 0 ? TOUCH_HIDDEN : TOUCH_BEHIND;
  if (boundary->radius == 0 || nearest <= error_bound) return TOUCH_OPEN;
  sat_Vec2 out = mul(sub(point, boundary->boundary_edges[corner].start), 1 / nearest);
  return sat_chain_hides_vertex_normal(pieces, boundary->boundary_edges[corner].corner_of, out)
             ? TOUCH_HIDDEN
             : TOUCH_OPEN;
}

/* The touch of a listed difference. False: neither piece is of a chain, or the point is not on the
 * boundary. */
static bool touch_at_point(sat_UnionSearch *search, uint32_t index, sat_Vec2 point, Touch *touch) {
  sat_Difference *difference = &search->differences[search->boxes[index].difference];
  sat_PiecePair pieces =
      sat_piece_pair_of(search->view[0], search->view[1], difference->piece_index);
  if (!sat_chain_keeps_off(&pieces)) return false;
  const sat_Boundary *boundary = ensure_boundary(search, difference);
  double error_bound = 2 * boundary->error_bound;
  if (sat_boundary_signed_distance(boundary, point, error_bound) > error_bound) return false;
  *touch = touch_of_boundary(&pieces, boundary, point);
  return true;
}

/* ---------------------------------------------------------------- all differences at a point */

/* Whether a segment of a chain continues in another one at its start or end. Each chain in a
 * compound has points of its own, so that two segments of equal position may have none in
 * common. */
static bool is_next_segment(const sat_PieceView *view, uint32_t piece_index, uint32_t other) {
  const uint32_t *own = view->index + view->pieces[piece_index].first,
                 *next = view->index + view->pieces[other].first;
  if (!(view->pieces[piece_index].flags & view->pieces[other].flags & SAT_CHAIN_SEGMENT))
    return false;
  return sat_next_in_chain(view, own[0], false) == next[0] ||
         sat_next_in_chain(view, own[1], true) == next[1];
}

/* Whether two differences are those of adjacent segments of a chain and one piece of the other
 * shape. */
static bool are_adjacent(const sat_UnionSearch *search, const uint32_t piece_index[2],
                         const uint32_t other[2]) {
  for (uint32_t side = 0; side < 2; side++)
    if (piece_index[!side] == other[!side] &&
        is_next_segment(search->view[side], piece_index[side], other[side]))
      return true;
  return false;
}

/* Whether a neighbour of a segment that is touched from behind is touched openly. */
static bool has_open_neighbor(sat_UnionSearch *search, uint32_t index, sat_Vec2 point) {
  const uint32_t *piece_index = search->differences[search->boxes[index].difference].piece_index;
  sat_Square near = square_about(point, search->rounding);
  for (uint32_t i = next_box_near(search, 0, &near); i < search->box_count;
       i = next_box_near(search, i + 1, &near)) {
    Touch touch;
    if (i != index && touch_at_point(search, i, point, &touch) && touch == TOUCH_OPEN &&
        are_adjacent(search, piece_index,
                     search->differences[search->boxes[i].difference].piece_index))
      return true;
  }
  return false;
}

/* Whether a listed difference hides the touch at a point. */
static bool hides_touch(sat_UnionSearch *search, uint32_t index, sat_Vec2 point) {
  Touch touch;
  if (!touch_at_point(search, index, point, &touch)) return false;
  return touch == TOUCH_HIDDEN ||
         (touch == TOUCH_BEHIND && has_open_neighbor(search, index, point));
}

/* Whether all chains at a point are touched where they can be. */
static bool chains_allow_touch(sat_UnionSearch *search, sat_Vec2 point) {
  sat_Square near = square_about(point, search->rounding);
  for (uint32_t i = next_box_near(search, 0, &near); i < search->box_count;
       i = next_box_near(search, i + 1, &near))
    if (hides_touch(search, i, point)) return false;
  return true;
}

/* Whether a point is inside a difference, on a shared edge, or where a chain hides the touch. */
static bool is_blocked(sat_UnionSearch *search, sat_Vec2 point) {
  sat_Square near = square_about_boundary(search, point);
  for (uint32_t i = next_box_near(search, 0, &near); i < search->box_count;
       i = next_box_near(search, i + 1, &near)) {
    sat_Difference *difference = &search->differences[search->boxes[i].difference];
    const sat_Boundary *boundary = ensure_boundary(search, difference);
    double inside = -boundary->error_bound;
    if (!boundary->degenerate && sat_boundary_signed_distance(boundary, point, inside) < inside)
      return true;
  }
  return !chains_allow_touch(search, point) || sat_union_is_on_shared_edge(search, point);
}

/* The parameter beside a task's point in one direction, beyond rounding. */
static sat_Parameter parameter_beside(const sat_UnionSearch *search, const sat_SearchTask *task,
                                      uint32_t direction) {
  const sat_Curve *curve = &search->candidates[task->of].curve;
  double step = SAT_ROUNDINGS_BESIDE * max2(task->parameter.error, search->rounding);
  double t = task->parameter.t + (direction == SEARCH_AHEAD ? step : -step);
  return (sat_Parameter){clamp(t, 0, curve->end), 0};
}

/* Where the search goes on from a hidden touch: where the first difference ends that covers the
 * curve and hides the touch beside the point, too. Others may cover the curve as closed sets, and
 * be touched openly: they count only where no difference that hides the touch beside the point
 * covers the curve, lest the search creeps along it. Their exit counts no farther than the end of a
 * hiding difference that lies along the curve on the curve's own side. */
static sat_Parameter hidden_exit(sat_UnionSearch *search, const sat_SearchTask *task,
                                 sat_Vec2 point, uint32_t direction, sat_Parameter closed_exit) {
  const sat_Curve *curve = &search->candidates[task->of].curve;
  sat_Curve turned = sat_curve_turned(curve);
  sat_Square near = square_about(point, search->rounding);
  sat_Parameter beside = parameter_beside(search, task, direction), result = beside;
  sat_Vec2 point_beside = sat_curve_point(curve, beside.t);
  bool is_hidden_beside = false, any = false;
  for (uint32_t i = next_box_near(search, 0, &near); i < search->box_count;
       i = next_box_near(search, i + 1, &near)) {
    if (!hides_touch(search, i, point) || !hides_touch(search, i, point_beside)) continue;
    const sat_Boundary *boundary =
        ensure_boundary(search, &search->differences[search->boxes[i].difference]);
    sat_Parameter exit = task->parameter;
    bool forward = direction == SEARCH_AHEAD;
    is_hidden_beside = true;
    if (sat_boundary_cover(boundary, curve, forward, &exit) != SAT_COVER_NONE) {
      if (is_sooner(direction, exit.t, beside.t)) continue;
      if (!any || is_sooner(direction, exit.t, result.t)) result = exit;
      any = true;
    } else if (sat_boundary_cover(boundary, &turned, forward, &exit) != SAT_COVER_NONE &&
               is_sooner(direction, beside.t, exit.t) &&
               is_sooner(direction, exit.t, closed_exit.t)) {
      closed_exit = exit;
    }
  }
  bool creeps = is_hidden_beside && !any && is_sooner(direction, beside.t, closed_exit.t);
  return creeps ? closed_exit : result;
}

/* Whether what is beside a hidden touch on its curve is free, in a direction of the task. */
static bool is_free_beside(sat_UnionSearch *search, const sat_SearchTask *task, uint32_t direction,
                           double closed_exit) {
  const sat_Curve *curve = &search->candidates[task->of].curve;
  double t = task->parameter.t, margin = 4 * max2(task->parameter.error, search->rounding);
  double left = direction == SEARCH_AHEAD ? curve->end - t : t;
  if (left <= margin || task->direction == !direction) return false;
  if (fabs(closed_exit) == HUGE_VAL) return true;
  double beside = parameter_beside(search, task, direction).t;
  return beside > 0 && beside < curve->end && !is_blocked(search, sat_curve_point(curve, beside));
}

/* A touch that is hidden in a single point is a result all the same where what is beside it on the
 * curve is free. */
bool sat_union_chain_hides(sat_UnionSearch *search, const sat_SearchTask *task, sat_Vec2 point,
                           sat_Parameter exits[2]) {
  if (!search->has_chain || search->touch_only || chains_allow_touch(search, point)) return false;
  sat_union_closed_exits(search, task, false, exits);
  for (uint32_t direction = SEARCH_BACK; direction <= SEARCH_AHEAD; direction++)
    if (is_free_beside(search, task, direction, exits[direction].t)) return false;
  for (uint32_t direction = SEARCH_BACK; direction <= SEARCH_AHEAD; direction++)
    exits[direction] = hidden_exit(search, task, point, direction, exits[direction]);
  return true;
}
