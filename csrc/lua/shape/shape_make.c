/* shape_make.c: the functions that make shapes, from numbers, lists of points, or other shapes. */
#include "base/base.h"
#include "base/tolerance.h"
#include "lua/shape/shape_methods.h"

#include <math.h>

#define MOST_CORNERS 1000000
#define MOST_MEMBERS 1000000

/* ---------------------------------------------------------------- convex shapes and polygons */

static int push_made_shape(lua_State *L, const sat_Vec2 *points, size_t count, double radius) {
  sat_Shape *shape = lua_newuserdata(L, sat_shape_bytes(count));
  return satlua_shape_seal(L, sat_shape_init(shape, points, count, radius));
}

/* Turns the new shape on top of the stack to the angle that was argument 5. */
static int return_turned(lua_State *L, double angle) {
  if (angle != 0) satlua_check_status(L, 5, sat_shape_set_rotation(lua_touserdata(L, -1), angle));
  return 1;
}

static void decompose(lua_State *L, const satlua_Points *points, sat_Decomposition *pieces) {
  satlua_check_status(L, 1,
                      sat_ring_decompose(points->at, points->count, satlua_get_scratch(L), pieces));
}

/* Pushes a block of that size; 0 is too large. */
static sat_Shape *push_bytes(lua_State *L, size_t bytes) {
  if (bytes == 0) satlua_raise_status(L, 1, SAT_ENOMEM);
  return lua_newuserdata(L, bytes);
}

/* The pieces are in scratch memory. If a finalizer that the allocation runs has used that memory,
 * the ring is decomposed again. */
static int push_concave(lua_State *L, const satlua_Points *points) {
  sat_Decomposition pieces;
  decompose(L, points, &pieces);
  size_t uses = satlua_get_scratch(L)->uses;
  sat_Shape *shape = push_bytes(L, sat_polygon_bytes(points->count, &pieces));
  if (satlua_get_scratch(L)->uses != uses) decompose(L, points, &pieces);
  return satlua_shape_seal(L, sat_polygon_init(shape, points->at, points->count, &pieces));
}

/* Reads a ring and cleans it by sat_ring_clean or sat_hull. A table has all vertices, so that no
 * argument follows it; satlua_check_points reports several tables. */
static satlua_Points check_cleaned_ring(lua_State *L, sat_Vec2 few[SATLUA_FEW_POINTS],
                                        sat_Status (*clean)(sat_Vec2 *points, size_t *count,
                                                            sat_Scratch *scratch,
                                                            sat_RingError *error)) {
  if (lua_istable(L, 1) && !lua_istable(L, 2)) satlua_check_count(L, 1, "{x1, y1, x2, y2, ...}");
  satlua_Points points = satlua_check_points(L, 1, few);
  sat_RingError ring_error = {0, 0};
  sat_Status status = clean(points.at, &points.count, satlua_get_scratch(L), &ring_error);
  if (status != SAT_OK) satlua_raise_points(L, &points, status, ring_error);
  return points;
}

/* Pushes the polygon of a cleaned ring. */
static int push_polygon(lua_State *L, const satlua_Points *points) {
  bool is_convex = sat_ring_is_convex(points->at, points->count, NULL);
  return is_convex ? push_made_shape(L, points->at, points->count, 0) : push_concave(L, points);
}

static int new_polygon(lua_State *L) {
  sat_Vec2 few[SATLUA_FEW_POINTS];
  satlua_Points points = satlua_has_rings(L) ? satlua_check_ring_with_holes(L)
                                             : check_cleaned_ring(L, few, sat_ring_clean);
  return push_polygon(L, &points);
}

static int new_hull(lua_State *L) {
  sat_Vec2 few[SATLUA_FEW_POINTS];
  satlua_Points points = check_cleaned_ring(L, few, sat_hull);
  return push_made_shape(L, points.at, points.count, 0);
}

static int new_rectangle(lua_State *L) {
  sat_Rectangle box = satlua_check_rectangle(L, 1, "the shape", false);
  double angle = satlua_check_optional(L, 5, "angle", 0);
  satlua_check_count(L, 5, "x, y, w, h, angle");
  double left = box.x, top = box.y, right = left + box.w, bottom = top + box.h;
  sat_Vec2 corners[4] = {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
  size_t count = 4;
  satlua_check_status(L, 3, sat_ring_clean(corners, &count, satlua_get_scratch(L), NULL));
  push_made_shape(L, corners, count, 0);
  return return_turned(L, angle);
}

/* The point of the unit circle at k / n of a turn, from the angle within its octant: so a regular
 * polygon has every mirror symmetry that its number of corners allows, to the last bit. */
static sat_Vec2 point_of_turn(uint64_t k, uint64_t n) {
  uint64_t octant = 8 * k / n, rest = 8 * k % n;
  if (octant % 2) rest = n - rest; /* counted from the nearest axis */
  double sine = sqrt(0.5), cosine = sine;
  if (rest < n) sat_sine_cosine(0.78539816339744831 * (double)rest / (double)n, &sine, &cosine);
  bool steep = (octant + 1) / 2 % 2;
  sat_Vec2 point = {steep ? sine : cosine, steep ? cosine : sine};
  if (octant >= 2 && octant < 6) point.x = 0.0 - point.x; /* a subtraction makes no -0 */
  if (octant >= 4) point.y = 0.0 - point.y;
  return point;
}

/* Pushes the polygon of n points on an ellipse. The points go into a userdata when they are many:
 * see satlua_check_points. */
static int push_round(lua_State *L, sat_Vec2 center, double rx, double ry, size_t n) {
  sat_Vec2 few[SATLUA_FEW_POINTS];
  sat_Vec2 *points = n > SATLUA_FEW_POINTS ? satlua_push_array(L, n, sizeof *points) : few;
  for (size_t k = 0; k < n; k++) {
    sat_Vec2 unit = point_of_turn(k, n);
    points[k].x = rx * unit.x;
    points[k].y = ry * unit.y;
  }
  sat_Shape *shape = lua_newuserdata(L, sat_shape_bytes(n));
  return satlua_shape_seal(L, sat_shape_init_about(shape, center, points, n, 0));
}

static double check_round_size(lua_State *L, int arg, const char *name) {
  double size = satlua_check_size(L, arg, name);
  if (size < SAT_TINY) satlua_raise_argument(L, arg, "%s must be at least 1e-100", name);
  return size;
}

static int new_regular(lua_State *L) {
  sat_Vec2 center = satlua_check_vec2(L, 1, "x", "y");
  double radius = check_round_size(L, 3, "radius");
  double n = satlua_check_whole(L, 4, "n", 3, MOST_CORNERS);
  double angle = satlua_check_optional(L, 5, "angle", 0);
  satlua_check_count(L, 5, "x, y, radius, n, angle");
  push_round(L, center, radius, radius, (size_t)n);
  return return_turned(L, angle);
}

static double check_segments(lua_State *L, int arg) {
  return lua_isnoneornil(L, arg) ? 32 : satlua_check_whole(L, arg, "segments", 3, MOST_CORNERS);
}

static int new_ellipse(lua_State *L) {
  sat_Vec2 center = satlua_check_vec2(L, 1, "x", "y");
  double rx = check_round_size(L, 3, "rx");
  double ry = check_round_size(L, 4, "ry");
  double segments = check_segments(L, 5);
  satlua_check_count(L, 5, "x, y, rx, ry, segments");
  return push_round(L, center, rx, ry, (size_t)segments);
}

static void check_inner(lua_State *L, int arg, double inner, double outer, const char *name) {
  if (inner >= outer) satlua_raise_argument(L, arg, "inner must be less than %s", name);
}

/* Raises the error of a ring of points on arcs, which only rounding can make invalid. */
static void check_made(lua_State *L, int arg, sat_Status status, const char *reason) {
  if (status == SAT_OK) return;
  if (status == SAT_ENOMEM || status == SAT_ERANGE) satlua_raise_status(L, arg, status);
  satlua_raise_argument(L, arg, "%s", reason);
}

static int new_sector(lua_State *L) {
  sat_Vec2 center = satlua_check_vec2(L, 1, "x", "y");
  double radius = check_round_size(L, 3, "radius");
  double from = satlua_check_number(L, 4, "from");
  double turn = satlua_check_number(L, 5, "to") - from;
  double inner = lua_isnoneornil(L, 6) ? 0 : satlua_check_radius(L, 6, "inner");
  check_inner(L, 6, inner, radius, "radius");
  double segments = check_segments(L, 7);
  satlua_check_count(L, 7, "x, y, radius, from, to, inner, segments");
  if (!(turn > 0 && turn < 2 * SAT_PI))
    return satlua_raise_argument(L, 5, "to must be above from, by less than a turn");
  size_t last = (size_t)ceil(segments * turn / (2 * SAT_PI)), count = last + 1;
  satlua_Points points = {.at = satlua_push_array(L, 2 * count, sizeof(sat_Vec2))};
  for (size_t i = 0; i < count; i++) {
    double sine, cosine;
    sat_sine_cosine(i < last ? from + turn * (double)i / (double)last : from + turn, &sine,
                    &cosine);
    points.at[i] = (sat_Vec2){center.x + radius * cosine, center.y + radius * sine};
    if (inner > 0)
      points.at[2 * count - 1 - i] = (sat_Vec2){center.x + inner * cosine, center.y + inner * sine};
  }
  points.count = inner > 0 ? 2 * count : count + 1;
  if (inner == 0) points.at[count] = center;
  check_made(L, 3, sat_ring_clean(points.at, &points.count, satlua_get_scratch(L), NULL),
             "radius is too small beside the coordinates");
  return push_polygon(L, &points);
}

static int new_ring(lua_State *L) {
  sat_Vec2 center = satlua_check_vec2(L, 1, "x", "y");
  double inner = check_round_size(L, 3, "inner");
  double outer = check_round_size(L, 4, "outer");
  check_inner(L, 3, inner, outer, "outer");
  size_t n = (size_t)check_segments(L, 5);
  satlua_check_count(L, 5, "x, y, inner, outer, segments");
  sat_Vec2 *rings = satlua_push_array(L, 4 * n + 2, sizeof *rings);
  const uint32_t first[3] = {0, (uint32_t)n, (uint32_t)(2 * n)};
  for (size_t k = 0; k < n; k++) {
    sat_Vec2 unit = point_of_turn(k, n);
    rings[k] = (sat_Vec2){center.x + outer * unit.x, center.y + outer * unit.y};
    rings[n + k] = (sat_Vec2){center.x + inner * unit.x, center.y + inner * unit.y};
  }
  satlua_Points points = {.at = rings + 2 * n};
  check_made(L, 4,
             sat_ring_join(rings, first, 2, points.at, &points.count, satlua_get_scratch(L), NULL),
             "inner and outer are too near each other beside the coordinates");
  return push_polygon(L, &points);
}

/* Circles, and points, which have no radius. */
static int new_circle(lua_State *L) {
  bool is_point = satlua_which(L) == 1;
  sat_Vec2 center = satlua_check_vec2(L, 1, "x", "y");
  double radius = is_point ? 0 : satlua_check_radius(L, 3, "radius");
  satlua_check_count(L, is_point ? 2 : 3, is_point ? "x, y" : "x, y, radius");
  return push_made_shape(L, &center, 1, radius);
}

/* Capsules, and segments, which have no radius. */
static int new_capsule(lua_State *L) {
  bool is_segment = satlua_which(L) == 1;
  static const char *const names[] = {"x1", "y1", "x2", "y2"};
  double ends[4];
  for (int i = 0; i < 4; i++) {
    ends[i] = satlua_check_number(L, i + 1, names[i]);
    if (fabs(ends[i]) < SAT_TINY) ends[i] = 0;
  }
  double radius = is_segment ? 0 : satlua_check_radius(L, 5, "radius");
  satlua_check_count(L, is_segment ? 4 : 5,
                     is_segment ? "x1, y1, x2, y2" : "x1, y1, x2, y2, radius");
  const sat_Vec2 points[] = {{ends[0], ends[1]}, {ends[2], ends[3]}};
  return push_made_shape(L, points, 2, radius);
}

/* ---------------------------------------------------------------- composites */

static int new_chain_shape(lua_State *L) {
  sat_Vec2 few[SATLUA_FEW_POINTS];
  satlua_check_list(L, 1, "points");
  satlua_check_count(L, 2, "points, closed");
  bool is_told = !lua_isnoneornil(L, 2) && !lua_istable(L, 2); /* see satlua_check_points */
  bool closed = is_told && satlua_check_boolean(L, 2, "closed");
  satlua_Points points = satlua_check_points(L, 1, few);
  if (points.count == 0) return satlua_raise_argument(L, 1, "there are no vertices");
  sat_Shape *shape = push_bytes(L, sat_chain_bytes(points.count));
  return satlua_shape_seal(L, sat_chain_init(shape, points.at, points.count, closed));
}

/* A compound of more members than this needs memory beyond the C stack. */
#define FEW_MEMBERS 32

static int new_compound(lua_State *L) {
  const sat_Shape *few[FEW_MEMBERS], **members = few;
  if (lua_istable(L, 1)) {
    satlua_check_dot(L);
    satlua_check_count(L, 1, "{shape, shape, ...}");
    lua_settop(L, 1);
  }
  const satlua_Shapes given = satlua_check_shapes(L, 1, MOST_MEMBERS);
  size_t count = given.count;
  if (count == 0) return satlua_raise_argument(L, 1, "there are no shapes");
  if (count > FEW_MEMBERS) members = satlua_push_array(L, count, sizeof(sat_Shape *));
  for (size_t i = 0; i < count; i++, lua_pop(L, 1)) members[i] = satlua_push_shape(L, &given, i);
  size_t bytes = sat_compound_bytes(members, count);
  sat_Shape *shape = push_bytes(L, bytes);
  SAT_ASSERT(sat_compound_bytes(members, count) == bytes);
  return satlua_shape_seal(L, sat_compound_init(shape, members, count));
}

const luaL_Reg satlua_shape_constructors[] = {
    {"chain", new_chain_shape}, {"compound", new_compound},
    {"polygon", new_polygon},   {"rectangle", new_rectangle},
    {"regular", new_regular},   {"hull", new_hull},
    {"circle", new_circle},     {"point", new_circle},
    {"ellipse", new_ellipse},   {"capsule", new_capsule},
    {"segment", new_capsule},   {"sector", new_sector},
    {"ring", new_ring},         {NULL, NULL},
};
