/* union_shared_edge.c: lines in the union of closed pieces, lines that pass one another, and the
 * sides from which the segments of chains can be touched.
 *
 * A point or a segment has no interior. On the shared edge of two adjacent pieces it is inside
 * neither, and yet inside their union. Around such a position of a point the differences fill the
 * whole turn: each one has a wedge there, which the next one continues. A segment is inside the
 * union where pieces on its two sides have a part of an edge in common that is on the segment.
 * These touches are listed once for a point and sorted, since thousands may meet there. */
#include "base/heap.h"
#include "narrowphase/union/union_differences.h"

/* In rounding errors: a point beside another one on a curve is so far away that what leads away
 * from the curve by a hundredth of the way is apart from it. */
#define ROUNDINGS_ALONG 1024

/* How far a point may be from a boundary, or from another point, and be on it. */
static double near_of(const sat_UnionSearch *search) {
  return SAT_BOUNDARY_ROUNDINGS * search->rounding;
}

/* The ends of a piece that is a point or a segment, seen from A's origin before A moved by a
 * vector. */
static void ends_of_line(const sat_UnionSearch *search, uint32_t side, uint32_t piece_index,
                         sat_Vec2 vector, sat_Vec2 ends[2]) {
  const sat_PieceView *view = search->view[side];
  const sat_Piece *piece = &view->pieces[piece_index];
  sat_Vec2 origin = side == SAT_A ? vector : search->origin_offset;
  ends[0] = add(origin, view->vertices[piece->first]);
  ends[1] = add(origin, view->vertices[piece->first + piece->count - 1]);
}

/* ---------------------------------------------------------------- the touches at a point */

/* The direction of a vector as a number from 0 to 4 that grows with the angle. */
static double angle_order(sat_Vec2 v) {
  double size = fabs(v.x) + fabs(v.y), y = size > 0 ? v.y / size : 0;
  if (v.x < 0) return 2 - y;
  return y < 0 ? 4 + y : y;
}

/* Touches of one point or segment are beside each other, in the order of where they start. */
static bool touch_comes_later(const sat_FlatTouch *p, const sat_FlatTouch *q) {
  if (p->side != q->side) return p->side > q->side;
  return p->piece != q->piece ? p->piece > q->piece : p->start > q->start;
}

SAT_DEFINE_SORT(sat_FlatTouch, touches, touch_comes_later)

/* The extent of a difference's boundary along the segment that makes it, as far as the segment
 * touches an edge of the other piece at a point. */
static bool edge_along_segment(const sat_UnionSearch *search, const sat_Boundary *boundary,
                               sat_Vec2 point, double near, sat_FlatTouch *touch) {
  const sat_PieceView *view = search->view[touch->side];
  sat_Vec2 along = perp(normal_of(view->edges + view->pieces[touch->piece].edge_block, 0));
  touch->start = touch->end = 0;
  for (uint32_t i = 0; i < boundary->count; i++) {
    const sat_BoundaryEdge *edge = &boundary->boundary_edges[i];
    double separation = separation_of(edge, point) - boundary->radius;
    if (fabs(dot(edge->normal, along)) > SAT_ALONG_SHARED_EDGE || fabs(separation) > near) continue;
    double back = along_boundary_edge(edge, point), ahead = edge->length - back;
    touch->left = dot(perp(edge->normal), along) > 0;
    touch->start = min2(touch->start, touch->left ? -back : -ahead);
    touch->end = max2(touch->end, touch->left ? ahead : back);
  }
  return touch->end - touch->start > 0;
}

/* Lists the touches at a point of points and segments with other pieces, sorted, and returns their
 * number. */
static uint32_t list_touches(sat_UnionSearch *search, sat_Vec2 point) {
  sat_NearWalk walk = {square_about_boundary(search, point), 0};
  uint32_t count = 0;
  for (sat_Difference *difference; (difference = next_difference(search, &walk)) != NULL;) {
    uint32_t side = difference->flat[1];
    sat_FlatTouch touch = {.side = side, .piece = difference->piece_index[side]};
    if (difference->flat[0] == difference->flat[1]) continue;
    const sat_Boundary *boundary = ensure_boundary(search, difference);
    double error =
        max2(near_of(search), sat_touch_of_piece(search->view[1], difference->piece_index[1]));
    if (!sat_boundary_wedge(boundary, point, error, &touch.wedge)) continue;
    if (search->view[side]->pieces[touch.piece].count == 1)
      touch.start = angle_order(touch.wedge.from);
    else if (!edge_along_segment(search, boundary, point, error, &touch)) continue;
    search->touches[count++] = touch;
  }
  touches_sort(search->touches, count);
  return count;
}

/* The touches of one point or segment, and the one that continued the last wedge. */
typedef struct TouchGroup {
  const sat_FlatTouch *touches;
  uint32_t count, last;
} TouchGroup;

/* ---------------------------------------------------------------- a segment on an edge */

/* Whether pieces on both sides of a segment share a part of an edge that is on the segment: their
 * differences share more than the segment's length. */
static bool is_between_pieces(sat_UnionSearch *search, const TouchGroup *group) {
  double near = near_of(search), farthest[2] = {-HUGE_VAL, -HUGE_VAL};
  sat_Vec2 ends[2];
  ends_of_line(search, group->touches->side, group->touches->piece, vec2(0, 0), ends);
  double size = length(sub(ends[1], ends[0]));
  for (uint32_t i = 0; i < group->count; i++) {
    const sat_FlatTouch *touch = &group->touches[i];
    double end = min2(touch->end, farthest[!touch->left]);
    if (touch->start < -near && end > near && end - touch->start > size + near) return true;
    farthest[touch->left] = max2(farthest[touch->left], touch->end);
  }
  return false;
}

/* ---------------------------------------------------------------- the turn around a point */

/* Whether another wedge of the same point continues beyond the end of a wedge. */
static bool continues(const sat_FlatTouch *wedge, const sat_FlatTouch *other) {
  bool start;
  if (!sat_wedge_holds(&other->wedge, wedge->wedge.to, SAT_SAME_EDGE, &start)) return false;
  return !start || (wedge->wedge.closed[1] && other->wedge.closed[0]);
}

/* Whether a wedge of the group continues beyond the end of another one. The wedge that continued
 * the last one is tried first, then those that start next. */
static bool continues_beyond(TouchGroup *group, uint32_t wedge) {
  if (continues(&group->touches[wedge], &group->touches[group->last])) return true;
  for (uint32_t i = 1; i <= group->count; i++) {
    group->last = (wedge + i) % group->count;
    if (continues(&group->touches[wedge], &group->touches[group->last])) return true;
  }
  return false;
}

/* Whether the differences of one point fill the whole turn around a point. */
static bool fill_turn(TouchGroup *group) {
  for (uint32_t i = 0; i < group->count; i++)
    if (!continues_beyond(group, i)) return false;
  return true;
}

static bool is_inside_union(sat_UnionSearch *search, sat_Vec2 point) {
  uint32_t count = list_touches(search, point), end;
  for (uint32_t begin = 0; begin < count; begin = end) {
    const sat_FlatTouch *first = &search->touches[begin];
    for (end = begin + 1; end < count; end++)
      if (search->touches[end].side != first->side || search->touches[end].piece != first->piece)
        break;
    TouchGroup group = {first, end - begin, 0};
    bool is_point = search->view[first->side]->pieces[first->piece].count == 1;
    if (is_point ? fill_turn(&group) : is_between_pieces(search, &group)) return true;
  }
  return false;
}

/* ---------------------------------------------------------------- lines that pass one another
 *
 * Arms of both shapes leave what segments have in common: the way around a point, or around all
 * that they share, meets them in an order. One shape passes from one side of the other to the other
 * side where arms of A, B, A and B follow each other. Where segments do not cross in their middles,
 * an end of one is at each place where an arm leaves. */

static bool common_comes_later(const sat_CommonPart *p, const sat_CommonPart *q) {
  if (p->from.x != q->from.x) return p->from.x > q->from.x;
  return p->side != q->side ? p->side > q->side : p->piece_index > q->piece_index;
}

SAT_DEFINE_SORT(sat_CommonPart, commons, common_comes_later)

/* All that segments have in common once A has moved by a vector. */
typedef struct LineScan {
  const sat_UnionSearch *search;
  uint32_t count;
  sat_Vec2 vector;
  double near, width; /* no common part is wider along x */
} LineScan;

/* What leaves a point in a direction. Directions at an angle whose sine is within the sum of their
 * errors are one. */
typedef struct LineArm {
  sat_Vec2 at, direction;
  double error;
  uint32_t sides; /* 1: of A, 2: of B, 3: of both */
} LineArm;

static bool is_on_segment(const LineScan *scan, sat_Vec2 start, sat_Vec2 end, sat_Vec2 point) {
  sat_Vec2 along = sub(end, start), from = sub(point, start);
  double size = dot(along, along), t = size > 0 ? clamp(dot(from, along) / size, 0, 1) : 0;
  return length(sub(from, mul(along, t))) <= scan->near;
}

/* Adds what two segments have in common, if anything, for each of them: it ends at ends of
 * either. */
static void add_common(LineScan *scan, const uint32_t piece_index[2]) {
  sat_Vec2 ends[2][2], from = {0, 0}, to = {0, 0};
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (uint32_t side = 0; side < 2; side++)
    ends_of_line(scan->search, side, piece_index[side], scan->vector, ends[side]);
  for (uint32_t i = 0; i < 4; i++) {
    sat_Vec2 at = ends[i / 2][i % 2];
    double along = dot(sub(ends[0][1], ends[0][0]), at);
    if (!is_on_segment(scan, ends[1 - i / 2][0], ends[1 - i / 2][1], at)) continue;
    if (along < least) from = at;
    if (along > most) to = at;
    least = min2(least, along);
    most = max2(most, along);
  }
  if (least > most) return;
  scan->width = max2(scan->width, fabs(to.x - from.x));
  for (uint32_t side = 0; side < 2; side++)
    scan->search->commons[scan->count++] = (sat_CommonPart){
        from.x < to.x ? from : to, from.x < to.x ? to : from, side, piece_index[side]};
}

/* Sorts the common parts, and keeps one of those that are equal, as where many segments meet. */
static void sort_commons(LineScan *scan) {
  sat_CommonPart *commons = scan->search->commons;
  uint32_t count = 0;
  commons_sort(commons, scan->count);
  for (uint32_t i = 0; i < scan->count; i++) {
    const sat_CommonPart *last = commons + count - (count > 0);
    bool same = count > 0 && !common_comes_later(&commons[i], last) &&
                equal_points(commons[i].from, last->from) && equal_points(commons[i].to, last->to);
    if (!same) commons[count++] = commons[i];
  }
  scan->count = count;
}

/* The first of the common parts, in their order, that begins at an x or beyond. */
static uint32_t first_common_from(const LineScan *scan, double x) {
  uint32_t low = 0, high = scan->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (scan->search->commons[middle].from.x < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* The arm from a point towards an end of a common part's segment. False: the segment ends there. */
static bool arm_towards(const LineScan *scan, const sat_CommonPart *common, uint32_t end,
                        sat_Vec2 at, LineArm *arm) {
  sat_Vec2 ends[2];
  ends_of_line(scan->search, common->side, common->piece_index, scan->vector, ends);
  sat_Vec2 along = sub(ends[end], ends[1 - end]);
  double size = length(along);
  *arm = (LineArm){at, mul(along, 1 / size), SAT_SAME_EDGE + scan->near / size, 1 + common->side};
  return length(sub(ends[end], at)) > scan->near;
}

static bool same_arm(const LineArm *p, const LineArm *q) {
  return fabs(cross(p->direction, q->direction)) <= p->error + q->error &&
         dot(p->direction, q->direction) > 0;
}

/* The next arm at a point, anticlockwise from another one, with all that leave it in the same
 * direction; `own_turn` is that of the other one itself, which comes first or last. */
static LineArm next_arm(const LineScan *scan, const LineArm *from, double own_turn) {
  LineArm next = *from, arm;
  double least = HUGE_VAL, order = angle_order(from->direction);
  for (uint32_t i = first_common_from(scan, from->at.x - scan->width - scan->near);
       i < scan->count && scan->search->commons[i].from.x <= from->at.x + scan->near; i++) {
    const sat_CommonPart *common = &scan->search->commons[i];
    if (!is_on_segment(scan, common->from, common->to, from->at)) continue;
    for (uint32_t end = 0; end < 2; end++) {
      if (!arm_towards(scan, common, end, from->at, &arm)) continue;
      double turn = angle_order(arm.direction) - order;
      turn = same_arm(&arm, from) ? own_turn : turn < 0 ? turn + 4 : turn;
      if (least < HUGE_VAL && same_arm(&arm, &next)) next.sides |= arm.sides;
      else if (turn < least) next = arm;
      least = min2(turn, least);
    }
  }
  return next;
}

/* Follows what both shapes share along an arm to the next end, seen from which it leads back. */
static void follow_common(const LineScan *scan, LineArm *arm) {
  double nearest = HUGE_VAL;
  sat_Vec2 from = arm->at;
  for (uint32_t i = first_common_from(scan, from.x - 2 * scan->width - scan->near);
       i < scan->count && scan->search->commons[i].from.x <= from.x + scan->width + scan->near; i++)
    for (int k = 0; k < 2; k++) {
      sat_Vec2 at = k ? scan->search->commons[i].to : scan->search->commons[i].from;
      double along = dot(sub(at, from), arm->direction);
      if (along <= scan->near || along >= nearest ||
          fabs(cross(arm->direction, sub(at, from))) > scan->near)
        continue;
      nearest = along;
      arm->at = at;
    }
  arm->direction = neg(arm->direction);
}

/* Whether arms of B, A, B and A follow each other on the way around from one of B that comes before
 * one of A. */
static bool arms_alternate(const LineScan *scan, const LineArm *first) {
  uint32_t changes = 0, last = first->sides;
  LineArm arm = *first;
  for (uint32_t steps = 0; steps < 8 * scan->count; steps++) {
    if (arm.sides == 3) follow_common(scan, &arm);
    arm = next_arm(scan, &arm, 4);
    if (arm.sides == 3) continue;
    changes += arm.sides != last;
    last = arm.sides;
    if (changes == 0 || changes > 2) break;
    if (length(sub(arm.at, first->at)) <= scan->near && same_arm(&arm, first)) break;
  }
  return changes > 2;
}

static bool lines_pass(const sat_UnionSearch *search, sat_Vec2 point) {
  LineScan scan = {search, 0, point, near_of(search), 0};
  sat_NearWalk walk = {square_about_boundary(search, point), 0};
  for (const sat_Difference *difference; (difference = next_difference(search, &walk)) != NULL;)
    if (difference->lines) add_common(&scan, difference->piece_index);
  scan.near *= 2; /* ends that are near one segment are as near each other */
  sort_commons(&scan);
  for (uint32_t k = 0; k < 4 * scan.count; k++) {
    const sat_CommonPart *common = &search->commons[k / 4];
    LineArm arm;
    if (common->side == SAT_A ||
        !arm_towards(&scan, common, k % 2, k & 2 ? common->to : common->from, &arm))
      continue;
    arm = next_arm(&scan, &arm, 0);
    if (arm.sides == 2 && arms_alternate(&scan, &arm)) return true;
  }
  return false;
}

bool sat_union_is_on_shared_edge(sat_UnionSearch *search, sat_Vec2 point) {
  return (search->touches && is_inside_union(search, point)) ||
         (search->commons && lines_pass(search, point));
}

/* ---------------------------------------------------------------- exits */

/* An exit from a task's point that is no farther away leads nowhere. */
static double hair_of(const sat_UnionSearch *search, const sat_SearchTask *task) {
  return SAT_ROUNDINGS_BESIDE * max2(task->parameter.error, search->rounding);
}

/* The distance ahead on a line, beyond a hair, where it crosses or leaves an edge of a boundary. */
static double next_on_edge(const sat_UnionSearch *search, const sat_BoundaryEdge *edge,
                           sat_Vec2 point, sat_Vec2 ahead, double hair) {
  double crossing = -separation_of(edge, point) / dot(edge->normal, ahead), near = near_of(search);
  sat_Vec2 from = sub(edge->start, point);
  double start = dot(ahead, from), end = start + edge->length * dot(ahead, perp(edge->normal));
  if (fabs(cross(ahead, from)) <= near) return start > hair ? start : end > hair ? end : HUGE_VAL;
  double along = along_boundary_edge(edge, add(point, mul(ahead, crossing)));
  bool is_on_edge = along >= -near && along <= edge->length + near;
  return is_on_edge && crossing > hair ? crossing : HUGE_VAL;
}

/* The next parameter beyond a hair where a difference begins or ends on a task's curve. */
static double next_change_of(const sat_UnionSearch *search, const sat_Boundary *boundary,
                             const sat_SearchTask *task, uint32_t direction) {
  double t = task->parameter.t, sign = direction == SEARCH_AHEAD ? 1 : -1, next = HUGE_VAL,
         hair = hair_of(search, task);
  const sat_Curve *curve = &search->candidates[task->of].curve;
  if (boundary->radius > 0 || sat_is_arc(curve))
    return sat_boundary_next_crossing(boundary, curve, sign > 0, t + sign * hair);
  sat_Vec2 point = sat_curve_point(curve, t), ahead = mul(curve->ahead, sign);
  for (uint32_t k = 0; k < boundary->count; k++)
    next = min2(next, next_on_edge(search, &boundary->boundary_edges[k], point, ahead, hair));
  return t + sign * next;
}

/* The next parameter where a difference begins or ends that a point or a segment makes: of those
 * that are beside the point, or of two segments anywhere ahead. */
static double next_change(sat_UnionSearch *search, const sat_SearchTask *task, uint32_t direction) {
  const sat_Curve *curve = &search->candidates[task->of].curve;
  double sign = direction == SEARCH_AHEAD ? 1 : -1, next = sign * HUGE_VAL, t = task->parameter.t,
         end = sign > 0 ? curve->end : 0, hair = hair_of(search, task);
  sat_Vec2 point = sat_curve_point(curve, t);
  sat_Box beside = square_about_boundary(search, sat_curve_point(curve, t + 2 * sign * hair));
  sat_Box range = {point, point};
  sat_extend_box(&range, sat_curve_point(curve, end));
  range = box_moved(range, vec2(0, 0), hair);
  sat_NearWalk walk = {search->commons ? range : beside, 0};
  for (sat_Difference *difference; (difference = next_difference(search, &walk)) != NULL;) {
    const sat_Box *box = &search->boxes[walk.next - 1].box;
    bool is_flat = difference->flat[0] || difference->flat[1];
    if (!is_flat || !(difference->lines || box_meets(box, beside.min, beside.max))) continue;
    double change = next_change_of(search, ensure_boundary(search, difference), task, direction);
    if (is_sooner(direction, change, next)) next = change;
  }
  return next;
}

void sat_union_exits_of_shared(sat_UnionSearch *search, const sat_SearchTask *task,
                               sat_Parameter exits[2]) {
  for (uint32_t direction = SEARCH_BACK; direction <= SEARCH_AHEAD; direction++)
    if (task->direction != !direction)
      exits[direction] = (sat_Parameter){next_change(search, task, direction), 0};
}

/* ---------------------------------------------------------------- the sides of seams
 *
 * A side of a difference that ends on another one's side, and lies inside that one beyond, is no
 * part of the union's boundary: the seam of a floor begins at the floor's surface. */

/* Whether a task goes on in a direction by more than rounding. */
static bool goes_on_beyond(const sat_UnionSearch *search, const sat_SearchTask *task,
                           uint32_t direction) {
  const sat_Curve *curve = &search->candidates[task->of].curve;
  double left = direction == SEARCH_AHEAD ? curve->end - task->parameter.t : task->parameter.t;
  return left > 4 * max2(task->parameter.error, search->rounding) && task->direction != !direction;
}

/* The rounding error of a task's curve, with what counts as a touch of the piece that makes it. */
static double rounding_of_curve(const sat_UnionSearch *search, const sat_SearchTask *task) {
  const sat_Difference *owner = &search->differences[search->candidates[task->of].owner];
  return max2(search->rounding, sat_touch_of_piece(search->view[1], owner->piece_index[1]));
}

/* The parameter beside a task's point in one direction, beyond rounding. */
static sat_Parameter parameter_beside(const sat_UnionSearch *search, const sat_SearchTask *task,
                                      uint32_t direction) {
  const sat_Curve *curve = &search->candidates[task->of].curve;
  double step = ROUNDINGS_ALONG * max2(task->parameter.error, rounding_of_curve(search, task));
  double t = task->parameter.t + (direction == SEARCH_AHEAD ? step : -step);
  return (sat_Parameter){clamp(t, 0, curve->end), 0};
}

/* Whether no difference is in front of a task's curve at a parameter. */
static bool is_open_in_front(sat_UnionSearch *search, const sat_SearchTask *task, double t) {
  const sat_Curve *curve = &search->candidates[task->of].curve;
  double near = SAT_BOUNDARY_ROUNDINGS * rounding_of_curve(search, task);
  sat_Vec2 out = mul(sat_curve_normal(curve, t), near);
  return !sat_union_holds(search, add(sat_curve_point(curve, t), out));
}

bool sat_union_leads_on(sat_UnionSearch *search, const sat_SearchTask *task) {
  const sat_Curve *curve = &search->candidates[task->of].curve;
  for (uint32_t direction = SEARCH_BACK; direction <= SEARCH_AHEAD; direction++) {
    if (!goes_on_beyond(search, task, direction) ||
        !is_open_in_front(search, task, parameter_beside(search, task, direction).t))
      continue;
    if (!search->touches && !search->commons) return true;
    double next = clamp(next_change(search, task, direction), 0, curve->end);
    sat_Vec2 between = sat_curve_point(curve, (task->parameter.t + next) * 0.5);
    if (!sat_union_is_on_shared_edge(search, between)) return true;
  }
  return false;
}

/* ---------------------------------------------------------------- the sides of chains */

/* A touch of a chain at a point: none, hidden by the segment's neighbours, from behind alone, or
 * open. */
typedef enum Touch { NO_TOUCH, TOUCH_HIDDEN, TOUCH_BEHIND, TOUCH_OPEN } Touch;

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
  uint32_t corner = 0, count[4] = {0, 0, 0, 0};
  for (uint32_t i = 0; i < boundary->count; i++) {
    const sat_BoundaryEdge *edge = &boundary->boundary_edges[i];
    double distance = length(sub(point, edge->start)), along = along_boundary_edge(edge, point);
    if (distance < nearest) corner = i;
    nearest = min2(nearest, distance);
    if (separation_of(edge, point) >= boundary->radius - error_bound && along >= -error_bound &&
        along <= edge->length + error_bound)
      count[touch_of_facet(pieces, &edge->facet, edge->normal)]++;
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

/* The touch of a listed difference; none where neither piece is of a chain, or the point is not on
 * the boundary. */
static Touch touch_at_point(sat_UnionSearch *search, sat_Difference *difference, sat_Vec2 point) {
  sat_PiecePair pieces =
      sat_piece_pair_of(search->view[0], search->view[1], difference->piece_index);
  if (!sat_chain_keeps_off(&pieces)) return NO_TOUCH;
  const sat_Boundary *boundary = ensure_boundary(search, difference);
  double error_bound = 2 * boundary->error_bound;
  if (sat_boundary_signed_distance(boundary, point, error_bound) > error_bound) return NO_TOUCH;
  return touch_of_boundary(&pieces, boundary, point);
}

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
static bool has_open_neighbor(sat_UnionSearch *search, const sat_Difference *difference,
                              sat_Vec2 point) {
  sat_NearWalk walk = {square_about(point, search->rounding), 0};
  for (sat_Difference *other; (other = next_difference(search, &walk)) != NULL;)
    if (other != difference && touch_at_point(search, other, point) == TOUCH_OPEN &&
        are_adjacent(search, difference->piece_index, other->piece_index))
      return true;
  return false;
}

/* Whether a listed difference hides the touch at a point. */
static bool hides_touch(sat_UnionSearch *search, sat_Difference *difference, sat_Vec2 point) {
  Touch touch = touch_at_point(search, difference, point);
  return touch == TOUCH_HIDDEN ||
         (touch == TOUCH_BEHIND && has_open_neighbor(search, difference, point));
}

/* Whether all chains at a point are touched where they can be. */
static bool chains_allow_touch(sat_UnionSearch *search, sat_Vec2 point) {
  sat_NearWalk walk = {square_about(point, search->rounding), 0};
  for (sat_Difference *difference; (difference = next_difference(search, &walk)) != NULL;)
    if (hides_touch(search, difference, point)) return false;
  return true;
}

/* Where the search goes on from a hidden touch: where the touch of the first difference begins or
 * ends that is touched beside the point, if the touch there is hidden, too. */
static sat_Parameter hidden_exit(sat_UnionSearch *search, const sat_SearchTask *task,
                                 sat_Vec2 point, uint32_t direction) {
  const sat_Curve *curve = &search->candidates[task->of].curve;
  sat_Parameter beside = parameter_beside(search, task, direction);
  sat_Vec2 point_beside = sat_curve_point(curve, beside.t);
  sat_NearWalk walk = {square_about(point, search->rounding), 0};
  double next = direction == SEARCH_AHEAD ? HUGE_VAL : -HUGE_VAL;
  bool is_hidden_beside = false;
  for (sat_Difference *difference; (difference = next_difference(search, &walk)) != NULL;) {
    if (touch_at_point(search, difference, point_beside) == NO_TOUCH) continue;
    double change = next_change_of(search, ensure_boundary(search, difference), task, direction);
    if (is_sooner(direction, change, next)) next = change;
    is_hidden_beside = is_hidden_beside || hides_touch(search, difference, point_beside);
  }
  return is_hidden_beside ? (sat_Parameter){next, 0} : beside;
}

/* Whether what is beside a hidden touch on its curve is free, in a direction of the task: the curve
 * is the boundary of the union there, or a gap as wide as the shape. */
static bool is_free_beside(sat_UnionSearch *search, const sat_SearchTask *task,
                           uint32_t direction) {
  const sat_Curve *curve = &search->candidates[task->of].curve;
  double beside = parameter_beside(search, task, direction).t;
  sat_Vec2 point = sat_curve_point(curve, beside);
  if (!goes_on_beyond(search, task, direction)) return false;
  if (is_open_in_front(search, task, beside)) return true;
  return beside > 0 && beside < curve->end && !sat_union_holds(search, point) &&
         chains_allow_touch(search, point) && !sat_union_is_on_shared_edge(search, point);
}

/* A touch that is hidden in a single point is a result all the same where what is beside it on the
 * curve is free. */
bool sat_union_chain_hides(sat_UnionSearch *search, const sat_SearchTask *task, sat_Vec2 point,
                           sat_Parameter exits[2]) {
  if (!search->has_chain || search->touch_only || chains_allow_touch(search, point)) return false;
  for (uint32_t direction = SEARCH_BACK; direction <= SEARCH_AHEAD; direction++)
    if (is_free_beside(search, task, direction)) return false;
  for (uint32_t direction = SEARCH_BACK; direction <= SEARCH_AHEAD; direction++)
    exits[direction] = hidden_exit(search, task, point, direction);
  return true;
}
