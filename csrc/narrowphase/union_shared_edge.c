/* union_shared_edge.c: points and segments on the shared edges of adjacent pieces.
 *
 * A point or a segment has no interior. On the shared edge of two adjacent pieces it is inside
 * neither, and yet inside their union. Around such a position the differences of that point or
 * segment fill the whole turn: each one has a wedge there, which the next one continues. The wedges
 * are listed once for a point and sorted, since thousands may meet there. */
#include "base/heap.h"
#include "narrowphase/union_boxes.h"

/* ---------------------------------------------------------------- the wedges at a point */

/* The direction of a vector as a number from 0 to 4 that grows with the angle. */
static double angle_order(sat_Vec2 v) {
  double size = fabs(v.x) + fabs(v.y), y = size > 0 ? v.y / size : 0;
  if (v.x < 0) return 2 - y;
  return y < 0 ? 4 + y : y;
}

/* Wedges of one piece are beside each other, in the order of the directions where they start. */
static bool wedge_comes_later(const sat_FlatWedge *p, const sat_FlatWedge *q) {
  if (p->side != q->side) return p->side > q->side;
  return p->piece != q->piece ? p->piece > q->piece : p->order > q->order;
}

SAT_DEFINE_SORT(sat_FlatWedge, wedges, wedge_comes_later)

/* Lists the wedges at a point of the differences of points and segments, sorted, and returns their
 * number. */
static uint32_t list_wedges(sat_UnionSearch *search, sat_Vec2 point) {
  sat_Square near = square_about_boundary(search, point);
  uint32_t count = 0;
  for (uint32_t i = next_box_near(search, 0, &near); i < search->box_count;
       i = next_box_near(search, i + 1, &near)) {
    sat_Difference *difference = &search->differences[search->boxes[i].difference];
    sat_Wedge wedge;
    if (!difference->flat[0] && !difference->flat[1]) continue;
    ensure_boundary(search, difference);
    if (!sat_boundary_wedge(&difference->boundary, point, SAT_BOUNDARY_ROUNDINGS * search->rounding,
                            &wedge))
      continue;
    for (uint32_t side = 0; side < 2; side++)
      if (difference->flat[side])
        search->wedges[count++] =
            (sat_FlatWedge){wedge, angle_order(wedge.from), side, difference->piece_index[side]};
  }
  wedges_sort(search->wedges, count);
  return count;
}

/* ---------------------------------------------------------------- the turn around the point */

/* The wedges of one piece, and the one that continued the last wedge. */
typedef struct WedgeGroup {
  const sat_FlatWedge *wedges;
  uint32_t count, last;
  double same_sine; /* directions whose angle has a smaller sine count as one */
} WedgeGroup;

/* Whether a point or a segment has no width across a direction. */
static bool runs_along_piece(const sat_PieceView *view, uint32_t piece_index, sat_Vec2 direction) {
  const sat_Piece *piece = &view->pieces[piece_index];
  if (piece->count == 1) return true;
  sat_Vec2 normal = normal_of(view->edges + piece->edge_block, 0);
  return fabs(dot(normal, direction)) <= SAT_ALONG_SHARED_EDGE;
}

/* The sine of the largest angle between two edges that count as one direction. The ends of a short
 * segment round as far as those of a long one, so that its angle is larger. */
static double sine_of_rounding(const sat_UnionSearch *search, const sat_FlatWedge *wedge) {
  const sat_PieceView *view = search->view[wedge->side];
  const sat_Piece *piece = &view->pieces[wedge->piece];
  if (piece->count == 1) return SAT_SAME_EDGE;
  const sat_Vec2 *end = view->vertices + piece->first;
  double error = SAT_BOUNDARY_ROUNDINGS * search->rounding;
  return max2(SAT_SAME_EDGE, error / length(sub(end[1], end[0])));
}

/* Whether another wedge of the same piece continues beyond the end of a wedge. */
static bool continues(const sat_UnionSearch *search, const sat_FlatWedge *wedge,
                      const sat_FlatWedge *other, double same_sine) {
  bool start;
  if (!sat_wedge_holds(&other->wedge, wedge->wedge.to, same_sine, &start)) return false;
  if (!start) return true;
  return wedge->wedge.closed[1] && other->wedge.closed[0] &&
         runs_along_piece(search->view[wedge->side], wedge->piece, wedge->wedge.to);
}

/* The number of wedges that start before a direction. */
static uint32_t count_before(const WedgeGroup *group, double order) {
  uint32_t low = 0, high = group->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (group->wedges[middle].order < order) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* Whether a wedge of the group continues beyond the end of another one. The wedge that continued
 * the last one is tried first, then those that start just before that end, then all others. */
static bool continues_beyond(const sat_UnionSearch *search, WedgeGroup *group,
                             const sat_FlatWedge *wedge) {
  if (continues(search, wedge, &group->wedges[group->last], group->same_sine)) return true;
  uint32_t index = count_before(group, angle_order(wedge->wedge.to));
  index = index < group->count ? index : 0; /* the first one may start there but for rounding */
  for (uint32_t left = group->count; left > 0; left--) {
    if (continues(search, wedge, &group->wedges[index], group->same_sine)) {
      group->last = index;
      return true;
    }
    index = (index > 0 ? index : group->count) - 1;
  }
  return false;
}

/* Whether the differences of one point or segment fill the whole turn around a point. */
static bool fill_turn(const sat_UnionSearch *search, WedgeGroup *group) {
  for (uint32_t i = 0; i < group->count; i++)
    if (!continues_beyond(search, group, &group->wedges[i])) return false;
  return true;
}

bool sat_union_is_on_shared_edge(sat_UnionSearch *search, sat_Vec2 point) {
  uint32_t count = search->wedges ? list_wedges(search, point) : 0, end;
  for (uint32_t begin = 0; begin < count; begin = end) {
    const sat_FlatWedge *first = &search->wedges[begin];
    for (end = begin + 1; end < count; end++)
      if (search->wedges[end].side != first->side || search->wedges[end].piece != first->piece)
        break;
    WedgeGroup group = {first, end - begin, 0, sine_of_rounding(search, first)};
    if (fill_turn(search, &group)) return true;
  }
  return false;
}

/* ---------------------------------------------------------------- exits */

/* Whether two differences are those of one point or segment that lies along their shared edge. */
static bool share_edge(const sat_UnionSearch *search, const sat_Difference *p,
                       const sat_Difference *q, sat_Vec2 direction) {
  for (uint32_t side = 0; side < 2; side++)
    if (p->flat[side] && p->piece_index[side] == q->piece_index[side] &&
        runs_along_piece(search->view[side], p->piece_index[side], direction))
      return true;
  return false;
}

/* The exits from a task's point that have been found. */
typedef struct ExitScan {
  const sat_SearchTask *task;
  const sat_Curve *curve;
  sat_Square near;
  bool flat; /* of points and segments alone */
  sat_Parameter *exits;
  double hair; /* an exit that is no farther away leads nowhere */
  sat_Cover covers[2];
  bool done[2]; /* a direction needs no more differences */
} ExitScan;

/* Whether a task goes on in a direction. */
static bool goes_on(const sat_SearchTask *task, const sat_Curve *curve, uint32_t direction) {
  bool ends = direction == SEARCH_AHEAD ? task->parameter.t >= curve->end : task->parameter.t <= 0;
  return !ends && task->direction != !direction;
}

/* Gives the end of an edge that a difference shares with others of the same point or segment: the
 * nearer one of its own end and the last end of theirs. They are on the side of the curve's owner.
 * False: there are none. */
static bool shared_exit(sat_UnionSearch *search, const ExitScan *scan,
                        const sat_Difference *difference, uint32_t direction, sat_Parameter *exit) {
  sat_Curve turned = sat_curve_turned(scan->curve);
  sat_Parameter latest = scan->task->parameter;
  bool shared = false;
  for (uint32_t i = next_box_near(search, 0, &scan->near); i < search->box_count;
       i = next_box_near(search, i + 1, &scan->near)) {
    sat_Difference *other = &search->differences[search->boxes[i].difference];
    sat_Parameter end = scan->task->parameter;
    if (!share_edge(search, other, difference, turned.ahead)) continue;
    ensure_boundary(search, other);
    if (!sat_boundary_may_abut(&other->boundary, &turned) ||
        sat_boundary_cover(&other->boundary, &turned, direction == SEARCH_AHEAD, &end) !=
            SAT_COVER_ABUTS)
      continue;
    if (!is_sooner(direction, end.t, exit->t)) return true;
    if (is_sooner(direction, latest.t, end.t)) latest = end;
    shared = true;
  }
  if (shared) *exit = latest;
  return shared;
}

/* How a difference covers the curve in a direction; gives the exit. An edge that nothing shares
 * covers the curve no better than a difference that diverges, nor does what ends at once. */
static sat_Cover cover_of(sat_UnionSearch *search, const ExitScan *scan,
                          const sat_Difference *difference, uint32_t direction,
                          sat_Parameter *exit) {
  sat_Cover cover =
      sat_boundary_cover(&difference->boundary, scan->curve, direction == SEARCH_AHEAD, exit);
  if (cover == SAT_COVER_ABUTS && scan->flat &&
      !shared_exit(search, scan, difference, direction, exit))
    return SAT_COVER_DIVERGES;
  bool at_once = fabs(exit->t - scan->task->parameter.t) <= scan->hair;
  return cover != SAT_COVER_NONE && at_once ? SAT_COVER_DIVERGES : cover;
}

static void scan_exit(sat_UnionSearch *search, ExitScan *scan, const sat_Difference *difference,
                      uint32_t direction) {
  sat_Parameter exit = scan->task->parameter, *best = &scan->exits[direction];
  sat_Cover cover = cover_of(search, scan, difference, direction, &exit);
  exit.t = clamp(exit.t, -DBL_MAX, DBL_MAX); /* a cover without an exit is a cover all the same */
  if (cover < scan->covers[direction] ||
      (cover == scan->covers[direction] && !is_sooner(direction, best->t, exit.t)))
    return;
  *best = exit;
  scan->covers[direction] = cover;
  scan->done[direction] = cover > SAT_COVER_DIVERGES;
}

/* Looks for exits in a part of the list of boxes. */
static void scan_exits(sat_UnionSearch *search, ExitScan *scan, uint32_t begin, uint32_t end) {
  uint32_t owner = search->candidates[scan->task->of].owner;
  for (uint32_t i = next_box_near(search, begin, &scan->near); i < end;
       i = next_box_near(search, i + 1, &scan->near)) {
    sat_Difference *difference = &search->differences[search->boxes[i].difference];
    if (scan->done[SEARCH_BACK] && scan->done[SEARCH_AHEAD]) return;
    if (search->boxes[i].difference == owner) continue;
    if (scan->flat ? !difference->flat[0] && !difference->flat[1] : difference->repeated) continue;
    ensure_boundary(search, difference);
    for (uint32_t direction = SEARCH_BACK; direction <= SEARCH_AHEAD; direction++) {
      if (scan->done[direction]) continue;
      scan_exit(search, scan, difference, direction);
      if (scan->done[direction]) search->exit_box = i;
    }
  }
}

void sat_union_closed_exits(sat_UnionSearch *search, const sat_SearchTask *task, bool flat,
                            sat_Parameter exits[2]) {
  const sat_Candidate *candidate = &search->candidates[task->of];
  sat_Vec2 point = sat_curve_point(&candidate->curve, task->parameter.t);
  double error = max2(task->parameter.error, search->rounding);
  ExitScan scan = {task,
                   &candidate->curve,
                   square_about(point, search->rounding + task->parameter.error),
                   flat,
                   exits,
                   SAT_ROUNDINGS_BESIDE * error,
                   {SAT_COVER_NONE, SAT_COVER_NONE},
                   {!goes_on(task, &candidate->curve, SEARCH_BACK),
                    !goes_on(task, &candidate->curve, SEARCH_AHEAD)}};
  exits[SEARCH_BACK] = (sat_Parameter){-HUGE_VAL, 0};
  exits[SEARCH_AHEAD] = (sat_Parameter){HUGE_VAL, 0};
  /* The difference that gave the last exit is likely to give the next one. */
  uint32_t first = search->exit_box;
  scan_exits(search, &scan, first, search->box_count);
  scan_exits(search, &scan, 0, first);
}
