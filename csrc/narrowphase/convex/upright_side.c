/* upright_side.c: the side of an upright box that a round shape is beside. */
#include "narrowphase/convex/upright_side.h"

#include "base/double_double.h"

bool sat_is_upright(const sat_Convex *convex, bool *is_level) {
  if (convex->count != 4) return false;
  const sat_Vec2 *v = convex->vertex;
  const double *x = convex->edges->x, *y = convex->edges->y;
  *is_level = v[0].y == v[1].y;
  if (*is_level)
    return v[1].x == v[2].x && v[2].y == v[3].y && v[3].x == v[0].x && v[0].x != v[1].x &&
           v[1].y != v[2].y && x[0] == 0 && y[1] == 0 && x[2] == 0 && y[3] == 0;
  return v[0].x == v[1].x && v[1].y == v[2].y && v[2].x == v[3].x && v[3].y == v[0].y &&
         v[1].x != v[2].x && y[0] == 0 && x[1] == 0 && y[2] == 0 && x[3] == 0;
}

/* The facet of a side of B and the nearest vertex of A. False: it is not the nearest one by more
 * than the margin. */
static bool side_facet(const sat_Pair *pair, uint32_t edge, double margin, sat_Facet *facet) {
  *facet = sat_facet_at(pair, SAT_B, edge, 0);
  if (pair->of[SAT_A].count == 1) return true;
  sat_Facet other = sat_facet_at(pair, SAT_B, edge, 1);
  double ahead = facet->separation - other.separation;
  if (ahead > 0) *facet = other;
  return fabs(ahead) > margin;
}

/* Whether the origin's projection on a facet's line is on the facet by more than the margin. */
static bool projects_onto(const sat_Pair *pair, const sat_Facet *facet, double margin) {
  sat_Vec2 edge = sat_facet_edge(pair, facet->side, facet->edge);
  double place = -dot(sat_facet_start(pair, facet), edge), size = dot(edge, edge);
  double least = margin * (fabs(edge.x) + fabs(edge.y));
  return place > least && place < size - least;
}

bool sat_find_upright_side(const sat_Pair *pair, sat_Facet *facet) {
  double margin = pair->error_bound * SAT_BESIDE_MARGIN;
  bool is_level;
  if (pair->of[SAT_A].count > 2 || !sat_is_upright(&pair->of[SAT_B], &is_level)) return false;
  for (uint32_t edge = 0; edge < 4; edge++) {
    bool is_sure = side_facet(pair, edge, margin, facet);
    if (facet->separation > margin) return is_sure && projects_onto(pair, facet, margin);
  }
  return false;
}

bool sat_find_upright_touch(const sat_Pair *pair, double tie, sat_Facet *facet) {
  const sat_Convex *a = &pair->of[SAT_A], *b = &pair->of[SAT_B];
  bool is_level, touches = false;
  if (pair->radius > 0 || !sat_is_upright(a, &is_level) || !sat_is_upright(b, &is_level))
    return false;
  sat_DoubleDouble x = two_sum(b->origin.x, -a->origin.x), y = two_sum(b->origin.y, -a->origin.y);
  if (x.low != 0 || y.low != 0) return false;
  for (uint32_t edge = 0; edge < 4; edge++) {
    sat_Vec2 normal = normal_of(a->edges, edge);
    double nearest = min2(dot(normal, b->vertex[0]), dot(normal, b->vertex[2]));
    sat_DoubleDouble of_b = two_sum(dot(normal, pair->origin_offset[SAT_A]), nearest);
    double separation = of_b.high - dot(normal, a->vertex[edge]);
    if (separation < -tie) continue;
    if (separation != 0 || of_b.low != 0 || touches) return false;
    *facet = (sat_Facet){0, SAT_A, edge, SAT_NO_VERTEX};
    touches = true;
  }
  return touches;
}
