/* union_cover.c: the difference that covers a point of a curve.
 *
 * The difference that covered the last point is likely to cover the next one. Few differences are
 * tried in a row, and one that covers moves towards the front; of many, the covers of points nearby
 * are tried first, and then those in the tree of boxes. */
#include "base/hash.h"
#include "narrowphase/union/union_differences.h"

/* The covers of so many sectors on each side are tried. */
#define NEIGHBOR_SECTORS 8

static bool contains_parameter(sat_UnionSearch *search, uint32_t index, const sat_SearchTask *task,
                               sat_Parameter exits[2]) {
  const sat_Boundary *boundary = ensure_boundary(search, &search->differences[index]);
  return sat_boundary_contains_parameter(boundary, &search->candidates[task->of].curve,
                                         task->parameter.t, exits);
}

/* The sector around the origin that a point is in. */
static uint32_t sector_code(const sat_UnionSearch *search, sat_Vec2 point) {
  double x = fabs(point.x), y = fabs(point.y), turned = x + y > 0 ? y / (x + y) : 0;
  bool even = (point.x >= 0) == (point.y >= 0); /* the first quarter or the third */
  uint32_t quarter = point.y >= 0 ? !even : 3 - even;
  uint32_t codes = search->sector_codes, code = (uint32_t)(codes * (even ? turned : 1 - turned));
  return quarter * codes + (code < codes ? code : codes - 1);
}

/* Whether a difference that covers the sector of a point, or one near it, covers the point. */
static bool is_inside_sector_cover(sat_UnionSearch *search, const sat_SearchTask *task,
                                   sat_Vec2 point, sat_Parameter exits[2]) {
  uint32_t code = sector_code(search, point), owner = search->candidates[task->of].owner,
           last[2] = {owner, owner};
  for (uint32_t i = 0; i < 2 * NEIGHBOR_SECTORS; i++) {
    uint32_t other = i % 2 ? code + (i + 1) / 2 : code - i / 2;
    uint32_t index = search->sector_covers[other % (4 * search->sector_codes)];
    if (index == last[i % 2] || index == owner) continue;
    if (contains_parameter(search, index, task, exits)) return true;
    last[i % 2] = index;
    if (i == 0) last[1] = index;
  }
  return false;
}

static bool is_inside_cached(sat_UnionSearch *search, const sat_SearchTask *task, sat_Vec2 point,
                             sat_Parameter exits[2]) {
  uint32_t owner = search->candidates[task->of].owner, *cached_covers = cached_cover(search, point),
           last = owner;
  if (is_inside_sector_cover(search, task, point, exits)) return true;
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

/* The entry for a point that is inside no difference, and for others as near as rounding. Of sharp
 * differences it does not matter which curve the point is on; thousands of curves may begin or end
 * in one corner. */
static sat_KnownPoint *known_point(const sat_UnionSearch *search, sat_Vec2 point) {
  double scale = 1 / (4 * search->rounding);
  uint32_t hash = mix_number(1, floor(point.x * scale + 0.5));
  hash = mix_number(hash, floor(point.y * scale + 0.5));
  return &search->known_points[hash >> 8 & (search->known_count - 1)];
}

/* The differences whose boxes are about a point, in their order. */
typedef struct CoverScan {
  const sat_SearchTask *task;
  sat_Vec2 point;
  sat_Square near;
  uint32_t flat; /* the number of them that points or segments make, as far as two */
} CoverScan;

SAT_INLINE bool is_inside_box(sat_UnionSearch *search, CoverScan *scan, uint32_t box,
                              sat_Parameter exits[2]) {
  uint32_t index = search->boxes[box].difference;
  const sat_Difference *difference = &search->differences[index];
  scan->flat += difference->flat[0] || difference->flat[1];
  if (index == search->candidates[scan->task->of].owner) return false;
  if (contains_parameter(search, index, scan->task, exits)) {
    remember_cover(search, box, scan->point);
    return true;
  }
  return false;
}

static bool is_inside_listed(sat_UnionSearch *search, CoverScan *scan, sat_Parameter exits[2]) {
  if (search->indexed && is_inside_cached(search, scan->task, scan->point, exits)) return true;
  for (uint32_t i = next_box_near(search, 0, &scan->near); i < search->box_count;
       i = next_box_near(search, i + 1, &scan->near))
    if (is_inside_box(search, scan, i, exits)) return true;
  return false;
}

/* Whether a point is inside a difference; if so, gives the exits from there. Otherwise
 * `on_shared_edge` tells whether a point or a segment is on a shared edge there. */
static bool is_inside_any(sat_UnionSearch *search, const sat_SearchTask *task, sat_Vec2 point,
                          sat_Parameter exits[2], bool *on_shared_edge) {
  CoverScan scan = {task, point, square_about_boundary(search, point), 0};
  *on_shared_edge = false;
  if (is_inside_listed(search, &scan, exits)) return true;
  *on_shared_edge = scan.flat >= 2 && sat_union_is_on_shared_edge(search, point);
  return false;
}

/* Whether a point of a sharp union is inside a difference, as above, which is kept if it is not. */
static bool is_inside_known(sat_UnionSearch *search, const sat_SearchTask *task, sat_Vec2 point,
                            sat_Parameter exits[2], bool *on_shared_edge) {
  sat_KnownPoint *known = known_point(search, point);
  bool same = fabs(known->point.x - point.x) + fabs(known->point.y - point.y) <= search->rounding;
  if (!same && is_inside_any(search, task, point, exits, &known->on_shared_edge)) {
    known->point.x = HUGE_VAL;
    return true;
  }
  known->point = same ? known->point : point;
  *on_shared_edge = known->on_shared_edge;
  return false;
}

bool sat_union_find_cover(sat_UnionSearch *search, const sat_SearchTask *task,
                          sat_Parameter exits[2]) {
  sat_Vec2 point = sat_curve_point(&search->candidates[task->of].curve, task->parameter.t);
  bool on_shared_edge, inside = search->known_count > 0
                                    ? is_inside_known(search, task, point, exits, &on_shared_edge)
                                    : is_inside_any(search, task, point, exits, &on_shared_edge);
  if (inside) return true;
  if (!on_shared_edge) return sat_union_chain_hides(search, task, point, exits);
  sat_union_closed_exits(search, task, true, exits);
  return true;
}
