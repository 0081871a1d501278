/* closest_point_sat.c: the line of the centres of gravity is the first axis; if it does not part
 * the two polygons, the normals of the edges at the two vertices that are taken for the closest are
 * the others. The centres are known beforehand, as the article counts. */
#include "textbook.h"

/* The edge from vertex `i` to the next. */
static inline bool parted_by_edge(const bench_Polygon *owner, size_t i, const bench_Polygon *a,
                                  const bench_Polygon *b) {
  return textbook_parted(a, b, textbook_edge_normal(owner, i));
}

static inline bool parted_at_vertex(const bench_Polygon *owner, size_t i, const bench_Polygon *a,
                                    const bench_Polygon *b) {
  return parted_by_edge(owner, i, a, b) || parted_by_edge(owner, (i ? i : owner->count) - 1, a, b);
}

/* The vertex taken for the one that is nearest to the other polygon, which lies in the direction
 * `line`. */
static inline size_t closest_vertex(const bench_Polygon *polygon, sat_Vec2 line, bool by_formula) {
  size_t best = 0;
  double longest = -HUGE_VAL;
  for (size_t i = 0; i < polygon->count; i++) {
    sat_Vec2 arm = sub(polygon->world[i], polygon->center);
    double along = dot(arm, line);
    /* cos BOE = along / (|OB| |line|), and the length of the line is the same for all. */
    double reach = by_formula ? (along > 0 ? dot(arm, arm) / along : -HUGE_VAL) : along;
    if (reach <= longest) continue;
    longest = reach;
    best = i;
  }
  return best;
}

static bool by_vertices(const bench_Polygon *a, const bench_Polygon *b, bool by_formula) {
  sat_Vec2 line = sub(b->center, a->center), back = sub(a->center, b->center);
  return !textbook_parted(a, b, line) &&
         !parted_at_vertex(a, closest_vertex(a, line, by_formula), a, b) &&
         !parted_at_vertex(b, closest_vertex(b, back, by_formula), a, b);
}

/* ---------------------------------------------------------------- section 4 */

/* The edge that the ray from the centre along `line` leaves through. */
static size_t crossed_edge(const bench_Polygon *polygon, sat_Vec2 line) {
  size_t before = polygon->count - 1;
  for (size_t i = 0; i < polygon->count; before = i++) {
    double from = cross(line, sub(polygon->world[before], polygon->center));
    double to = cross(line, sub(polygon->world[i], polygon->center));
    if (from < 0 && to >= 0) break;
  }
  return before;
}

static bool by_crossed_edges(const bench_Polygon *a, const bench_Polygon *b) {
  sat_Vec2 line = sub(b->center, a->center), back = sub(a->center, b->center);
  size_t of_a = crossed_edge(a, line), of_b = crossed_edge(b, back);
  double a_from = dot(a->world[of_a], line),
         a_to = dot(a->world[of_a + 1 < a->count ? of_a + 1 : 0], line);
  double b_from = dot(b->world[of_b], line),
         b_to = dot(b->world[of_b + 1 < b->count ? of_b + 1 : 0], line);
  if (fmax(a_from, a_to) < fmin(b_from, b_to)) return false;
  return !parted_by_edge(a, of_a, a, b) && !parted_by_edge(b, of_b, a, b);
}

bool closest_point_sat(const bench_Polygon *a, const bench_Polygon *b, closest_Reading reading) {
  return reading == CLOSEST_CROSSED ? by_crossed_edges(a, b)
                                    : by_vertices(a, b, reading == CLOSEST_FORMULA);
}
