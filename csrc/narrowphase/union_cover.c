/* union_cover.c: the difference that covers a point of a curve.
 *
 * The difference that covered the last point is likely to cover the next one. Few differences are
 * tried in a row, and one that covers moves towards the front; of many, the covers of points nearby
 * are tried first, and then those in the tree of boxes. */
#include "narrowphase/union_boxes.h"

static bool contains_parameter(sat_UnionSearch *search, uint32_t index, const sat_SearchTask *task,
                               sat_Parameter exits[2]) {
  sat_Difference *difference = &search->differences[index];
  ensure_boundary(search, difference);
  return sat_boundary_contains_parameter(&difference->boundary, &search->candidates[task->of].curve,
                                         task->parameter.t, exits);
}

/* The difference that covers the sector around the origin that a point is in. */
static uint32_t sector_cover(const sat_UnionSearch *search, sat_Vec2 point) {
  double x = fabs(point.x), y = fabs(point.y), turned = x + y > 0 ? y / (x + y) : 0;
  bool even = (point.x >= 0) == (point.y >= 0); /* the first quarter or the third */
  uint32_t quarter = point.y >= 0 ? !even : 3 - even;
  uint32_t code = (uint32_t)(SAT_SECTOR_CODES * (even ? turned : 1 - turned));
  return search->sector_covers[quarter * SAT_SECTOR_CODES +
                               (code < SAT_SECTOR_CODES ? code : SAT_SECTOR_CODES - 1)];
}

static bool is_inside_cached(sat_UnionSearch *search, const sat_SearchTask *task, sat_Vec2 point,
                             sat_Parameter exits[2]) {
  uint32_t owner = search->candidates[task->of].owner, *cached_covers = cached_cover(search, point),
           last = sector_cover(search, point);
  if (last != owner && contains_parameter(search, last, task, exits)) return true;
  for (int i = 0; i < NEIGHBOR_SQUARES; i++) {
    uint32_t index = neighbor_cover(search, cached_covers, i);
    if (index == owner || index == last) continue;
    if (contains_parameter(search, index, task, exits)) {
      *cached_covers = index;
      return true;
    }
    last = index;
  }
  return false;
}

static void remember_cover(sat_UnionSearch *search, uint32_t index, sat_Vec2 point) {
  sat_DifferenceBox *boxes = search->boxes, entry = boxes[index];
  if (!search->indexed) {
    boxes[index] = boxes[index / 2];
    boxes[index / 2] = entry;
  } else {
    *cached_cover(search, point) = entry.difference;
  }
}

/* Whether the last point that was inside no difference is the same one. Of sharp differences it
 * does not matter which curve the point is on; thousands of curves may begin in one corner. */
static bool is_known(const sat_UnionSearch *search, const sat_SearchTask *task, sat_Vec2 point) {
  return search->knows_point && search->known_point.x == point.x &&
         search->known_point.y == point.y && search->known_error == task->parameter.error;
}

/* Whether a point is inside a difference; if so, gives the exits from there. Otherwise
 * `on_shared_edge` tells whether a point or a segment is on a shared edge there. */
static bool is_inside_any(sat_UnionSearch *search, const sat_SearchTask *task, sat_Vec2 point,
                          sat_Parameter exits[2], bool *on_shared_edge) {
  uint32_t owner = search->candidates[task->of].owner, flat = 0;
  sat_Square near = square_about(point, search->rounding + task->parameter.error);
  *on_shared_edge = false;
  if (search->indexed && is_inside_cached(search, task, point, exits)) return true;
  for (uint32_t i = next_box_near(search, 0, &near); i < search->box_count;
       i = next_box_near(search, i + 1, &near)) {
    const sat_Difference *difference = &search->differences[search->boxes[i].difference];
    flat += difference->flat[0] || difference->flat[1];
    if (search->boxes[i].difference == owner || difference->repeated ||
        !contains_parameter(search, search->boxes[i].difference, task, exits))
      continue;
    remember_cover(search, i, point);
    return true;
  }
  *on_shared_edge = flat >= 2 && sat_union_is_on_shared_edge(search, point);
  return false;
}

bool sat_union_find_cover(sat_UnionSearch *search, const sat_SearchTask *task,
                          sat_Parameter exits[2]) {
  sat_Vec2 point = sat_curve_point(&search->candidates[task->of].curve, task->parameter.t);
  if (!is_known(search, task, point)) {
    bool on_shared_edge;
    if (is_inside_any(search, task, point, exits, &on_shared_edge)) return true;
    search->knows_point = !search->has_radius;
    search->known_point = point;
    search->known_error = task->parameter.error;
    search->is_known_on_shared_edge = on_shared_edge;
  }
  if (!search->is_known_on_shared_edge) return sat_union_chain_hides(search, task, point, exits);
  sat_union_closed_exits(search, task, true, exits);
  return true;
}
