/* union_shared_edge.c: points and segments on the shared edges of adjacent pieces.
 *
 * A point or a segment has no interior. On the shared edge of two adjacent pieces it is inside
 * neither, and yet inside their union. Around such a position the differences of that point or
 * segment fill the whole turn: each one has a wedge there, which the next one continues. */
#include "narrowphase/union_boxes.h"

/* The wedge at a point of a difference that is near. False: the point is not on its boundary, or
 * the piece on that side has an interior or is not the given one. */
static bool wedge_at(sat_UnionSearch *search, const sat_DifferenceBox *entry, uint32_t side,
                     uint32_t piece, sat_Vec2 point, sat_Wedge *wedge) {
  sat_Difference *difference = &search->differences[entry->difference];
  if (!difference->flat[side] || difference->piece_index[side] != piece) return false;
  ensure_boundary(search, difference);
  return sat_boundary_wedge(&difference->boundary, point, SAT_BOUNDARY_ROUNDINGS * search->rounding,
                            wedge);
}

/* Whether a point or a segment has no width across a direction. */
static bool runs_along_piece(const sat_PieceView *view, uint32_t piece_index, sat_Vec2 direction) {
  const sat_Piece *piece = &view->pieces[piece_index];
  if (piece->count == 1) return true;
  sat_Vec2 normal = normal_of(view->edges + piece->edge_block, 0);
  return fabs(dot(normal, direction)) <= SAT_ALONG_SHARED_EDGE;
}

/* Whether another difference of the same piece continues beyond the end of a wedge. */
static bool continues_beyond(sat_UnionSearch *search, uint32_t side, uint32_t piece, sat_Vec2 point,
                             const sat_Wedge *wedge) {
  sat_Square near = square_about_boundary(search, point);
  for (uint32_t i = next_box_near(search, 0, &near); i < search->box_count;
       i = next_box_near(search, i + 1, &near)) {
    sat_Wedge other;
    bool start;
    if (!wedge_at(search, &search->boxes[i], side, piece, point, &other)) continue;
    if (!sat_wedge_holds(&other, wedge->to, &start)) continue;
    if (!start) return true;
    if (wedge->closed[1] && other.closed[0] &&
        runs_along_piece(search->view[side], piece, wedge->to))
      return true;
  }
  return false;
}

/* Whether the differences of one point or segment fill the whole turn around a point. */
static bool fill_turn(sat_UnionSearch *search, uint32_t side, uint32_t piece, sat_Vec2 point) {
  sat_Square near = square_about_boundary(search, point);
  for (uint32_t i = next_box_near(search, 0, &near); i < search->box_count;
       i = next_box_near(search, i + 1, &near)) {
    sat_Wedge wedge;
    if (wedge_at(search, &search->boxes[i], side, piece, point, &wedge) &&
        !continues_beyond(search, side, piece, point, &wedge))
      return false;
  }
  return true;
}

bool sat_union_is_on_shared_edge(sat_UnionSearch *search, sat_Vec2 point) {
  sat_Square near = square_about_boundary(search, point);
  for (uint32_t i = next_box_near(search, 0, &near); i < search->box_count;
       i = next_box_near(search, i + 1, &near)) {
    const sat_Difference *difference = &search->differences[search->boxes[i].difference];
    for (uint32_t side = 0; side < 2; side++) {
      uint32_t piece = difference->piece_index[side];
      sat_Wedge wedge;
      if (wedge_at(search, &search->boxes[i], side, piece, point, &wedge) &&
          fill_turn(search, side, piece, point))
        return true;
    }
  }
  return false;
}

void sat_union_closed_exits(sat_UnionSearch *search, const sat_SearchTask *task, bool flat,
                            sat_Parameter exits[2]) {
  const sat_Candidate *candidate = &search->candidates[task->of];
  sat_Vec2 point = sat_curve_point(&candidate->curve, task->parameter.t);
  sat_Square near = square_about(point, search->rounding + task->parameter.error);
  exits[SEARCH_BACK] = (sat_Parameter){-HUGE_VAL, 0};
  exits[SEARCH_AHEAD] = (sat_Parameter){HUGE_VAL, 0};
  for (uint32_t i = next_box_near(search, 0, &near); i < search->box_count;
       i = next_box_near(search, i + 1, &near)) {
    sat_Difference *difference = &search->differences[search->boxes[i].difference];
    if (search->boxes[i].difference == candidate->owner) continue;
    if (flat && !difference->flat[0] && !difference->flat[1]) continue;
    ensure_boundary(search, difference);
    for (uint32_t direction = SEARCH_BACK; direction <= SEARCH_AHEAD; direction++) {
      sat_Parameter exit = task->parameter;
      if (fabs(exits[direction].t) == HUGE_VAL &&
          sat_boundary_covers_parameter(&difference->boundary, &candidate->curve,
                                        direction == SEARCH_AHEAD, &exit))
        exits[direction] = exit;
    }
  }
}
