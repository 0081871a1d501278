/* shape_methods.c: shapes as a script sees them: constructors, methods and the metatable. */
#include "lua/shape_methods.h"

#include "lua/push.h"

#include "base/vec2.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* More than this many vertices do not fit every Lua's stack, and no one passes them on as
 * arguments. */
#define MOST_UNPACKED 200
#define MOST_CORNERS 1000000
#define MOST_MEMBERS 1000000

/* The largest numbers of the filter's parts. */
#define MOST_BITS 4294967295.0
#define LEAST_GROUP (-2147483648.0)
#define MOST_GROUP 2147483647.0

/* ---------------------------------------------------------------- making */

/* Pushes a block for a shape of that many vertices. An allocation may run finalizers, and these any
 * function of the module: whatever has been read from a shape, a list or a table is to be read
 * again afterwards, unless it can never change. A shape's vertex_count, its bytes and the counts in
 * its sat_CompositeHeader never do. */
static sat_Shape *push_block(lua_State *L, size_t vertex_count) {
  return lua_newuserdata(L, sat_shape_bytes(vertex_count));
}

/* Makes the block on top of the stack a shape, once it is one. */
static void set_metatable(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(SATLUA_UP_METATABLE));
  lua_setmetatable(L, -2);
}

static sat_Shape *push_made_shape(lua_State *L, const sat_Vec2 *points, size_t count,
                                  double radius) {
  sat_Shape *shape = push_block(L, count);
  sat_Status status = sat_shape_init(shape, points, count, radius);
  if (status != SAT_OK) satlua_raise_status(L, 1, status);
  set_metatable(L);
  return shape;
}

/* Turns a new shape to the angle that was argument 5. */
static int return_turned(lua_State *L, sat_Shape *shape, double angle) {
  sat_Status status = angle == 0 ? SAT_OK : sat_shape_set_rotation(shape, angle);
  if (status != SAT_OK) satlua_raise_status(L, 5, status);
  return 1;
}

static void decompose(lua_State *L, const satlua_Points *points, sat_Decomposition *pieces) {
  sat_Status status = sat_ring_decompose(points->at, points->count, satlua_get_scratch(L), pieces);
  if (status != SAT_OK) satlua_raise_status(L, 1, status);
}

/* Pushes a block of that size; 0 is too large. */
static sat_Shape *push_bytes(lua_State *L, size_t bytes) {
  if (bytes == 0) satlua_raise_status(L, 1, SAT_ENOMEM);
  return lua_newuserdata(L, bytes);
}

/* The pieces are in scratch memory, which a finalizer that the allocation runs may have used: then
 * the ring is cut again. */
static void push_concave(lua_State *L, const satlua_Points *points) {
  sat_Decomposition pieces;
  decompose(L, points, &pieces);
  size_t uses = satlua_get_scratch(L)->uses;
  sat_Shape *shape = push_bytes(L, sat_polygon_bytes(points->count, &pieces));
  if (satlua_get_scratch(L)->uses != uses) decompose(L, points, &pieces);
  sat_Status status = sat_polygon_init(shape, points->at, points->count, &pieces);
  if (status != SAT_OK) satlua_raise_status(L, 1, status);
  set_metatable(L);
}

/* A list takes the place of all arguments, so that none comes behind it. Several lists are told of
 * by those who read them. */
static void check_list_alone(lua_State *L, const char *list) {
  if (lua_istable(L, 1) && !lua_istable(L, 2)) satlua_check_count(L, 1, list);
}

static int new_polygon(lua_State *L) {
  check_list_alone(L, "{x1, y1, x2, y2, ...}");
  sat_Vec2 few[SATLUA_FEW_POINTS];
  satlua_Points points = satlua_check_points(L, 1, few);
  sat_RingError ring_error = {0, 0};
  sat_Status status = sat_ring_clean(points.at, &points.count, satlua_get_scratch(L), &ring_error);
  if (status != SAT_OK) return satlua_raise_points(L, &points, status, ring_error);
  if (sat_ring_is_convex(points.at, points.count, &ring_error))
    push_made_shape(L, points.at, points.count, 0);
  else push_concave(L, &points);
  return 1;
}

static int new_hull(lua_State *L) {
  check_list_alone(L, "{x1, y1, x2, y2, ...}");
  sat_Vec2 few[SATLUA_FEW_POINTS];
  satlua_Points points = satlua_check_points(L, 1, few);
  sat_RingError ring_error = {0, 0};
  sat_Status status = sat_hull(points.at, &points.count, satlua_get_scratch(L), &ring_error);
  if (status != SAT_OK) return satlua_raise_points(L, &points, status, ring_error);
  push_made_shape(L, points.at, points.count, 0);
  return 1;
}

/* Where a side ends that begins at `from`: a small one may be lost there to rounding. */
static double check_rectangle_side(lua_State *L, int arg, const char *name, double from) {
  double end = from + satlua_check_size(L, arg, name);
  if (end == from) satlua_raise_argument(L, arg, "%s is too small beside the coordinates", name);
  if (end > SAT_LIMIT) satlua_raise_status(L, arg, SAT_ERANGE);
  return end;
}

static int new_rectangle(lua_State *L) {
  satlua_check_count(L, 5, "x, y, w, h, angle");
  double left = satlua_check_number(L, 1, "x");
  double top = satlua_check_number(L, 2, "y");
  double right = check_rectangle_side(L, 3, "w", left);
  double bottom = check_rectangle_side(L, 4, "h", top);
  double angle = satlua_check_optional(L, 5, "angle", 0);
  sat_Vec2 corners[4] = {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
  size_t count = 4;
  sat_Status status = sat_ring_clean(corners, &count, satlua_get_scratch(L), NULL);
  if (status != SAT_OK) return satlua_raise_status(L, 3, status);
  return return_turned(L, push_made_shape(L, corners, count, 0), angle);
}

/* The point at k / n of a turn on the unit circle, by the angle within its octant: so a regular
 * polygon has every mirror that its number of corners allows, to the last bit. */
static sat_Vec2 point_of_turn(uint64_t k, uint64_t n) {
  uint64_t octant = 8 * k / n, piece = 8 * k % n;
  if (octant % 2) piece = n - piece; /* counted from the nearest axis */
  double sine = sqrt(0.5), cosine = sine;
  if (piece < n) sat_sine_cosine(0.78539816339744831 * (double)piece / (double)n, &sine, &cosine);
  bool steep = (octant + 1) / 2 % 2;
  sat_Vec2 point = {steep ? sine : cosine, steep ? cosine : sine};
  if (octant >= 2 && octant < 6) point.x = 0.0 - point.x; /* a subtraction makes no -0 */
  if (octant >= 4) point.y = 0.0 - point.y;
  return point;
}

/* Pushes the polygon of n points on an ellipse. The points go into a userdata when they are many:
 * see satlua_check_points. */
static sat_Shape *push_round(lua_State *L, sat_Vec2 center, double rx, double ry, size_t n) {
  sat_Vec2 few[SATLUA_FEW_POINTS];
  sat_Vec2 *points = n > SATLUA_FEW_POINTS ? satlua_push_array(L, n, sizeof *points) : few;
  for (size_t k = 0; k < n; k++) {
    sat_Vec2 unit = point_of_turn(k, n);
    points[k].x = rx * unit.x;
    points[k].y = ry * unit.y;
  }
  sat_Shape *shape = push_block(L, n);
  sat_Status status = sat_shape_init_about(shape, center, points, n, 0);
  if (status != SAT_OK) satlua_raise_status(L, 1, status);
  set_metatable(L);
  return shape;
}

static double check_round_size(lua_State *L, int arg, const char *name) {
  double size = satlua_check_size(L, arg, name);
  if (size < SAT_TINY) satlua_raise_argument(L, arg, "%s must be at least 1e-100", name);
  return size;
}

static int new_regular(lua_State *L) {
  satlua_check_count(L, 5, "x, y, radius, n, angle");
  sat_Vec2 center;
  center.x = satlua_check_number(L, 1, "x");
  center.y = satlua_check_number(L, 2, "y");
  double radius = check_round_size(L, 3, "radius");
  double n = satlua_check_whole(L, 4, "n", 3, MOST_CORNERS);
  double angle = satlua_check_optional(L, 5, "angle", 0);
  return return_turned(L, push_round(L, center, radius, radius, (size_t)n), angle);
}

static int new_ellipse(lua_State *L) {
  satlua_check_count(L, 5, "x, y, rx, ry, segments");
  sat_Vec2 center;
  center.x = satlua_check_number(L, 1, "x");
  center.y = satlua_check_number(L, 2, "y");
  double rx = check_round_size(L, 3, "rx");
  double ry = check_round_size(L, 4, "ry");
  double segments =
      lua_isnoneornil(L, 5) ? 32 : satlua_check_whole(L, 5, "segments", 3, MOST_CORNERS);
  push_round(L, center, rx, ry, (size_t)segments);
  return 1;
}

static int new_circle(lua_State *L) {
  satlua_check_count(L, 3, "x, y, radius");
  sat_Vec2 center;
  center.x = satlua_check_number(L, 1, "x");
  center.y = satlua_check_number(L, 2, "y");
  double radius = satlua_check_radius(L, 3, "radius");
  push_made_shape(L, &center, 1, radius);
  return 1;
}

static int new_point(lua_State *L) {
  satlua_check_count(L, 2, "x, y");
  sat_Vec2 point;
  point.x = satlua_check_number(L, 1, "x");
  point.y = satlua_check_number(L, 2, "y");
  push_made_shape(L, &point, 1, 0);
  return 1;
}

static void check_ends(lua_State *L, sat_Vec2 ends[2]) {
  ends[0].x = satlua_check_coordinate(L, 1, "x1");
  ends[0].y = satlua_check_coordinate(L, 2, "y1");
  ends[1].x = satlua_check_coordinate(L, 3, "x2");
  ends[1].y = satlua_check_coordinate(L, 4, "y2");
}

static int new_segment(lua_State *L) {
  satlua_check_count(L, 4, "x1, y1, x2, y2");
  sat_Vec2 ends[2];
  check_ends(L, ends);
  push_made_shape(L, ends, 2, 0);
  return 1;
}

static int new_capsule(lua_State *L) {
  satlua_check_count(L, 5, "x1, y1, x2, y2, radius");
  sat_Vec2 ends[2];
  check_ends(L, ends);
  double radius = satlua_check_radius(L, 5, "radius");
  push_made_shape(L, ends, 2, radius);
  return 1;
}

/* ---------------------------------------------------------------- making what has several parts */

static void check_chain_range(lua_State *L, const satlua_Points *points) {
  for (size_t i = 0; i < points->count; i++) {
    sat_RingError ring_error = {i, 0};
    if (!(fabs(points->at[i].x) <= SAT_LIMIT && fabs(points->at[i].y) <= SAT_LIMIT))
      satlua_raise_points(L, points, SAT_ERANGE, ring_error);
  }
}

static int new_chain_shape(lua_State *L) {
  sat_Vec2 few[SATLUA_FEW_POINTS];
  satlua_check_table(L, 1, "points");
  satlua_check_count(L, 2, "points, closed");
  bool is_told = !lua_isnoneornil(L, 2) && !lua_istable(L, 2); /* see satlua_check_points */
  bool closed = is_told && satlua_check_boolean(L, 2, "closed");
  satlua_Points points = satlua_check_points(L, 1, few);
  if (points.count == 0) return satlua_raise_argument(L, 1, "there are no vertices");
  check_chain_range(L, &points);
  sat_Shape *shape = push_bytes(L, sat_chain_bytes(points.count));
  sat_Status status = sat_chain_init(shape, points.at, points.count, closed);
  if (status != SAT_OK) return satlua_raise_status(L, 1, status);
  set_metatable(L);
  return 1;
}

/* More members than this need memory beyond the C stack. */
#define FEW_MEMBERS 32

/* The shapes are arguments, or elements of a table of our own at index 2. */
static void get_members(lua_State *L, const sat_Shape **members, bool listed, size_t count) {
  for (int i = 0; i < (int)count; i++) {
    if (listed) lua_rawgeti(L, 2, i + 1);
    members[i] = listed ? satlua_to_shape(L, -1) : satlua_check_shape(L, i + 1, "shape");
    if (listed) lua_pop(L, 1);
  }
}

static int new_compound(lua_State *L) {
  const sat_Shape *few[FEW_MEMBERS], **members = few;
  bool listed = lua_istable(L, 1);
  if (listed) {
    satlua_check_dot(L);
    satlua_check_count(L, 1, "{shape, shape, ...}");
    lua_settop(L, 1);
  }
  size_t count = listed ? satlua_check_shapes(L, 1, MOST_MEMBERS) : (size_t)lua_gettop(L);
  if (count == 0) return satlua_raise_argument(L, 1, "there are no shapes");
  if (count > FEW_MEMBERS) members = satlua_push_array(L, count, sizeof(sat_Shape *));
  get_members(L, members, listed, count);
  size_t bytes = sat_compound_bytes(members, count);
  sat_Shape *shape = push_bytes(L, bytes);
  SAT_ASSERT(sat_compound_bytes(members, count) == bytes);
  sat_Status status = sat_compound_init(shape, members, count);
  if (status != SAT_OK) return satlua_raise_status(L, 1, status);
  set_metatable(L);
  return 1;
}

const luaL_Reg satlua_shape_constructors[] = {
    {"chain", new_chain_shape},   {"compound", new_compound}, {"polygon", new_polygon},
    {"rectangle", new_rectangle}, {"regular", new_regular},   {"hull", new_hull},
    {"circle", new_circle},       {"ellipse", new_ellipse},   {"capsule", new_capsule},
    {"segment", new_segment},     {"point", new_point},       {NULL, NULL},
};

/* ---------------------------------------------------------------- changing */

static int changed(lua_State *L, sat_Status status) {
  return status == SAT_OK ? satlua_return_self(L) : satlua_raise_status(L, 2, status);
}

/* Tells whether there is a pivot at `arg`, and reads it. */
static bool check_pivot(lua_State *L, int arg, sat_Vec2 *pivot) {
  if (lua_isnoneornil(L, arg) && lua_isnoneornil(L, arg + 1)) return false;
  pivot->x = satlua_check_number(L, arg, "px");
  pivot->y = satlua_check_number(L, arg + 1, "py");
  return true;
}

static int shape_move(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  double dx = satlua_check_number(L, 2, "dx");
  double dy = satlua_check_number(L, 3, "dy");
  return changed(L, sat_shape_move(shape, dx, dy));
}

static int shape_move_to(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  double x = satlua_check_number(L, 2, "x");
  double y = satlua_check_number(L, 3, "y");
  return changed(L, sat_shape_move_to(shape, x, y));
}

static int shape_rotate(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  double angle = satlua_check_number(L, 2, "angle");
  sat_Vec2 pivot;
  if (!check_pivot(L, 3, &pivot)) return changed(L, sat_shape_rotate(shape, angle));
  return changed(L, sat_shape_rotate_about(shape, angle, pivot));
}

static int shape_set_rotation(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  double angle = satlua_check_number(L, 2, "angle");
  sat_Vec2 pivot;
  if (!check_pivot(L, 3, &pivot)) return changed(L, sat_shape_set_rotation(shape, angle));
  return changed(L, sat_shape_set_rotation_about(shape, angle, pivot));
}

static int shape_scale(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  double factor = satlua_check_size(L, 2, "factor");
  sat_Vec2 pivot;
  bool pivoted = check_pivot(L, 3, &pivot);
  sat_Status status =
      pivoted ? sat_shape_scale_about(shape, factor, pivot) : sat_shape_scale(shape, factor);
  if (status == SAT_ERANGE && factor < 1)
    return satlua_raise_argument(L, 2, "the shape would be scaled below 1e-15");
  return changed(L, status);
}

static int shape_transform(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  double x = satlua_check_number(L, 2, "x");
  double y = satlua_check_number(L, 3, "y");
  double angle = satlua_check_number(L, 4, "angle");
  return changed(L, sat_shape_transform(shape, x, y, angle));
}

static int shape_set_radius(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  double radius = satlua_check_radius(L, 2, "radius");
  return changed(L, sat_shape_set_radius(shape, radius));
}

static int shape_flip(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  bool vertical = !lua_isnoneornil(L, 2) && satlua_check_boolean(L, 2, "vertical");
  sat_shape_flip(shape, vertical);
  return satlua_return_self(L);
}

static int shape_scale_axes(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  double sx = satlua_check_size(L, 2, "sx");
  double sy = satlua_check_size(L, 3, "sy");
  sat_Status status = sat_shape_scale_axes(shape, sx, sy);
  int smaller = sx < sy ? 2 : 3;
  if (status == SAT_EAREA) return satlua_raise_argument(L, smaller, "no area would be left");
  if (status == SAT_ERANGE && sx <= 1 && sy <= 1)
    return satlua_raise_argument(L, smaller, "the shape would be stretched below 1e-15");
  return status == SAT_OK ? satlua_return_self(L) : satlua_raise_status(L, 5 - smaller, status);
}

/* ---------------------------------------------------------------- reading */

/* Adding 0 makes 0 of -0, which prints so oddly. */
static int push_number(lua_State *L, double number) {
  lua_pushnumber(L, number + 0.0);
  return 1;
}

static int shape_rotation(lua_State *L) {
  return push_number(L, sat_shape_rotation(satlua_check_self(L)));
}
static int shape_scale_factor(lua_State *L) {
  return push_number(L, sat_shape_scale_factor(satlua_check_self(L)));
}
static int shape_radius(lua_State *L) {
  return push_number(L, sat_shape_radius(satlua_check_self(L)));
}
static int shape_area(lua_State *L) { return push_number(L, sat_shape_area(satlua_check_self(L))); }
static int shape_center(lua_State *L) {
  return satlua_push_vec2(L, sat_shape_center(satlua_check_self(L)));
}

/* max - min rounded up, by the rounding error of the difference (Knuth, TAOCP 2, 4.2.2), so that
 * min plus it is never less than max, neither exactly nor rounded. */
static double extent(double min, double max) {
  double difference = max - min, back = difference - max;
  double error = (max - (difference - back)) - (min + back);
  return error > 0 ? nextafter(difference, INFINITY) : difference;
}

sat_Rectangle satlua_shape_rectangle(const sat_Shape *shape) {
  sat_Box box = sat_shape_bounds(shape);
  sat_Rectangle rectangle = {box.min.x, box.min.y, extent(box.min.x, box.max.x),
                             extent(box.min.y, box.max.y)};
  return rectangle;
}

static int shape_bounds(lua_State *L) {
  sat_Rectangle bounds = satlua_shape_rectangle(satlua_check_self(L));
  push_number(L, bounds.x);
  push_number(L, bounds.y);
  push_number(L, bounds.w);
  push_number(L, bounds.h);
  return 4;
}

static int shape_bounding_circle(lua_State *L) {
  const sat_Shape *shape = satlua_check_self(L);
  satlua_push_vec2(L, sat_shape_center(shape));
  push_number(L, sat_shape_bounding_radius(shape));
  return 3;
}

/* A compound has no outline of its own. */
static const sat_Shape *check_vertices(lua_State *L) {
  const sat_Shape *shape = satlua_check_self(L);
  if (sat_shape_kind(shape) == SAT_COMPOUND)
    luaL_error(L, "a compound has no vertices: ask each of its pieces, shape:pieces()");
  return shape;
}

static int shape_unpack(lua_State *L) {
  const sat_Shape *shape = check_vertices(L);
  int count = (int)sat_shape_vertex_count(shape);
  if (count > MOST_UNPACKED)
    return luaL_error(L, "'unpack' gives at most %d vertices: use shape:vertices() for the %d here",
                      MOST_UNPACKED, count);
  luaL_checkstack(L, 2 * count, "too many vertices");
  for (int i = 0; i < count; i++) satlua_push_vec2(L, sat_shape_vertex(shape, (size_t)i));
  return 2 * count;
}

static void put_vertex(lua_State *L, int list, int index, sat_Vec2 vertex) {
  push_number(L, vertex.x);
  lua_rawseti(L, list, 2 * index + 1);
  push_number(L, vertex.y);
  lua_rawseti(L, list, 2 * index + 2);
}

static int shape_vertices(lua_State *L) {
  const sat_Shape *shape = check_vertices(L);
  int count = (int)sat_shape_vertex_count(shape); /* which never changes */
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) {
    lua_createtable(L, 2 * count, 0);
    lua_replace(L, 2);
  }
  satlua_check_table(L, 2, "out");
  for (int i = 0; i < count; i++) put_vertex(L, 2, i, sat_shape_vertex(shape, (size_t)i));
  satlua_clear_behind(L, 2, 2 * count);
  lua_pushinteger(L, count);
  return 2;
}

static sat_Vec2 check_direction(lua_State *L) {
  sat_Vec2 direction;
  direction.x = satlua_check_number(L, 2, "dx");
  direction.y = satlua_check_number(L, 3, "dy");
  if (direction.x == 0 && direction.y == 0)
    satlua_raise_argument(L, 2, "dx and dy must not both be 0");
  return direction;
}

static int shape_support(lua_State *L) {
  const sat_Shape *shape = satlua_check_self(L);
  return satlua_push_vec2(L, sat_shape_support(shape, check_direction(L)));
}

static int shape_project(lua_State *L) {
  const sat_Shape *shape = satlua_check_self(L);
  sat_Interval shadow = sat_shape_project(shape, check_direction(L));
  push_number(L, shadow.low);
  push_number(L, shadow.high);
  return 2;
}

static int shape_kind(lua_State *L) {
  sat_Kind kind = sat_shape_kind(satlua_check_self(L));
  lua_rawgeti(L, lua_upvalueindex(SATLUA_UP_METATABLE), SATLUA_KIND_NAMES + (int)kind);
  return 1;
}

static int shape_is_convex(lua_State *L) {
  lua_pushboolean(L, sat_shape_is_convex(satlua_check_self(L)));
  return 1;
}

/* Noun for the elements that the description of a shape counts, and their number. */
static const char *counted(const sat_Shape *shape, int *count) {
  sat_Kind kind = sat_shape_kind(shape);
  *count = (int)sat_shape_vertex_count(shape);
  if (kind == SAT_POLYGON || kind == SAT_CHAIN) return *count == 1 ? "vertex" : "vertices";
  *count = (int)sat_shape_piece_count(shape);
  return kind != SAT_COMPOUND ? NULL : *count == 1 ? "part" : "parts";
}

/* A description under way. */
typedef struct Description {
  char text[256];
  size_t length;
  bool has_details;
} Description;

/* Appends two numbers at most, with C's own %g, since Lua's differs from version to version. */
static void describe(Description *description, const char *format, double x, double y) {
  char *end = description->text + description->length;
  snprintf(end, sizeof description->text - description->length, format, x, y);
  description->length += strlen(end);
}

/* Appends to the details in parentheses. */
static void describe_detail(Description *description, const char *format, double x, double y) {
  describe(description, description->has_details ? ", " : " (", 0, 0);
  describe(description, format, x, y);
  description->has_details = true;
}

static void describe_details(Description *description, const sat_Shape *shape) {
  int count;
  const char *noun = counted(shape, &count);
  sat_Vec2 normal;
  char format[32];
  snprintf(format, sizeof format, "%%.0f %s", noun ? noun : "");
  if (noun) describe_detail(description, format, count, 0);
  if (sat_shape_radius(shape) > 0)
    describe_detail(description, "radius %.14g", sat_shape_radius(shape), 0);
  if (isinf(sat_shape_mass(shape))) describe_detail(description, "mass math.huge", 0, 0);
  else if (sat_shape_mass(shape) != 1)
    describe_detail(description, "mass %.14g", sat_shape_mass(shape), 0);
  if (sat_shape_one_way(shape, &normal))
    describe_detail(description, "one-way %.14g, %.14g", normal.x + 0.0, normal.y + 0.0);
  if (description->has_details) describe(description, ")", 0, 0);
}

/* "sat.polygon (4 vertices, radius 2) at 10, 20" */
static int shape_to_string(lua_State *L) {
  const sat_Shape *shape = satlua_check_self(L);
  sat_Vec2 center = sat_shape_center(shape);
  Description description = {"", 0, false};
  describe_details(&description, shape);
  describe(&description, " at %.14g, %.14g", center.x + 0.0, center.y + 0.0);
  lua_pushfstring(L, "sat.%s%s", sat_kind_name(sat_shape_kind(shape)), description.text);
  return 1;
}

static int shape_no_field(lua_State *L) {
  if (lua_type(L, 2) != LUA_TSTRING)
    return luaL_error(L, "a shape has no fields: keep a value with shape:setData(value)");
  return luaL_error(L, "a shape has no field '%s': keep a value with shape:setData(value)",
                    lua_tostring(L, 2));
}

/* ---------------------------------------------------------------- what rides along */

/* A finalizer that the allocation runs may have made a table meanwhile, which the fast path for
 * LuaJIT knows by then: that one stays. */
void satlua_push_uservalue_table(lua_State *L, int shape) {
  lua_getuservalue(L, shape);
  if (!lua_isnil(L, -1)) return;
  lua_pop(L, 1);
  lua_createtable(L, 1, 0);
  lua_getuservalue(L, shape);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_setuservalue(L, shape);
  } else {
    lua_remove(L, -2);
  }
}

static void set_data(lua_State *L, int shape, int value) {
  satlua_push_uservalue_table(L, shape);
  lua_pushvalue(L, value);
  lua_rawseti(L, -2, 1);
  lua_pop(L, 1);
}

static void push_data(lua_State *L, int shape) {
  lua_getuservalue(L, shape);
  if (lua_isnil(L, -1)) return;
  lua_rawgeti(L, -1, 1);
  lua_remove(L, -2);
}

static int shape_set_data(lua_State *L) {
  satlua_check_self(L);
  if (lua_isnone(L, 2)) return satlua_raise_argument(L, 2, "value is missing");
  set_data(L, 1, 2);
  return satlua_return_self(L);
}

static int shape_data(lua_State *L) {
  satlua_check_self(L);
  push_data(L, 1);
  return 1;
}

/* Gives the shape on top the data of the one at index 1. */
static void share_data(lua_State *L) {
  int copy = lua_gettop(L);
  push_data(L, 1);
  if (!lua_isnil(L, -1)) set_data(L, copy, copy + 1);
  lua_pop(L, 1);
}

/* Pushes a copy of the shape at index 1. */
static void push_clone(lua_State *L, const sat_Shape *shape) {
  sat_Shape *copy = lua_newuserdata(L, sat_shape_size(shape));
  sat_shape_copy(copy, shape);
  set_metatable(L);
  share_data(L);
}

static int shape_clone(lua_State *L) {
  push_clone(L, satlua_check_self(L));
  return 1;
}

/* Pushes a block for a copy of one convex part. A segment that a transform has shrunk to a point
 * has one vertex, and a finalizer may turn the shape so that it has two again. */
static sat_Shape *push_piece_block(lua_State *L, const sat_Shape *shape, size_t index) {
  size_t size = sat_shape_piece_size(shape, index), now;
  sat_Shape *block = push_block(L, size);
  while ((now = sat_shape_piece_size(shape, index)) > size) {
    size = now;
    block = push_block(L, size);
    lua_remove(L, -2);
  }
  return block;
}

/* Pushes one convex part of the shape at index 1. */
static void push_piece(lua_State *L, const sat_Shape *shape, size_t index) {
  sat_Shape *piece = push_piece_block(L, shape, index);
  sat_Status status = sat_shape_piece_init(piece, shape, index);
  if (status != SAT_OK) satlua_raise_status(L, 1, status);
  set_metatable(L);
  share_data(L);
}

static int shape_pieces(lua_State *L) {
  const sat_Shape *shape = satlua_check_self(L);
  size_t count = sat_shape_piece_count(shape); /* which never changes */
  lua_createtable(L, (int)count, 0);
  for (size_t i = 0; i < count; i++) {
    if (sat_shape_kind(shape) < SAT_CHAIN && count == 1) push_clone(L, shape);
    else push_piece(L, shape, i);
    lua_rawseti(L, -2, (int)i + 1);
  }
  return 1;
}

/* ---------------------------------------------------------------- for drawing */

/* pieceOf(shape, index, out) -> count, radius: fills the list with the vertices of one convex part,
 * counted from 1, without making a shape of it. Behind the last one it returns nothing. */
static int piece_of(lua_State *L) {
  const sat_Shape *shape = satlua_check_shape(L, 1, "shape");
  size_t piece = (size_t)satlua_check_whole(L, 2, "index", 1, MOST_BITS) - 1;
  satlua_check_table(L, 3, "out");
  lua_settop(L, 3);
  if (piece >= sat_shape_piece_count(shape)) return 0;
  int count = (int)sat_shape_piece_size(shape, piece);
  for (int i = 0; i < count; i++)
    put_vertex(L, 3, i, sat_shape_piece_vertex(shape, piece, (size_t)i));
  satlua_clear_behind(L, 3, 2 * count);
  lua_pushinteger(L, count);
  push_number(L, sat_shape_piece_radius(shape, piece));
  return 2;
}

const luaL_Reg satlua_shape_drawing[] = {
    {"pieceOf", piece_of},
    {NULL, NULL},
};

/* ---------------------------------------------------------------- what a world asks */

static int shape_set_filter(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  double category = satlua_check_whole(L, 2, "category", 0, MOST_BITS);
  double mask = satlua_check_whole(L, 3, "mask", 0, MOST_BITS);
  double group = 0;
  if (!lua_isnoneornil(L, 4)) group = satlua_check_whole(L, 4, "group", LEAST_GROUP, MOST_GROUP);
  sat_shape_set_filter(shape, (uint32_t)category, (uint32_t)mask, (int32_t)group);
  return satlua_return_self(L);
}

/* As an integer where Lua has them, since bits are what scripts do with these. */
static int shape_filter(lua_State *L) {
  const sat_Shape *shape = satlua_check_self(L);
  uint32_t category, mask;
  int32_t group;
  sat_shape_filter(shape, &category, &mask, &group);
  lua_pushinteger(L, category);
  lua_pushinteger(L, mask);
  lua_pushinteger(L, group);
  return 3;
}

static int shape_set_sensor(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  bool sensor = satlua_check_boolean(L, 2, "sensor");
  sat_shape_set_sensor(shape, sensor);
  return satlua_return_self(L);
}

static int shape_set_static(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  bool is_static = satlua_check_boolean(L, 2, "static");
  sat_shape_set_static(shape, is_static);
  return satlua_return_self(L);
}

static int shape_set_enabled(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  bool enabled = satlua_check_boolean(L, 2, "enabled");
  sat_shape_set_enabled(shape, enabled);
  return satlua_return_self(L);
}

static int shape_set_mass(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  if (lua_type(L, 2) != LUA_TNUMBER) return satlua_raise_type(L, 2, "mass", "number");
  double mass = lua_tonumber(L, 2);
  if (mass != mass) return satlua_raise_argument(L, 2, "mass is NaN");
  if (sat_shape_set_mass(shape, mass)) return satlua_raise_argument(L, 2, "mass must be above 0");
  return satlua_return_self(L);
}

static int shape_mass(lua_State *L) { return push_number(L, sat_shape_mass(satlua_check_self(L))); }

static int shape_set_one_way(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  sat_Vec2 normal = {0, 0};
  if (!lua_isnone(L, 2)) {
    normal.x = satlua_check_number(L, 2, "nx");
    normal.y = satlua_check_number(L, 3, "ny");
    if (normal.x == 0 && normal.y == 0)
      return satlua_raise_argument(L, 2, "the normal must not be 0, 0");
  }
  sat_shape_set_one_way(shape, normal);
  return satlua_return_self(L);
}

static int shape_one_way(lua_State *L) {
  sat_Vec2 normal;
  if (sat_shape_one_way(satlua_check_self(L), &normal)) return satlua_push_vec2(L, normal);
  lua_pushnil(L);
  return 1;
}

static int shape_is_sensor(lua_State *L) {
  lua_pushboolean(L, sat_shape_is_sensor(satlua_check_self(L)));
  return 1;
}

static int shape_is_static(lua_State *L) {
  lua_pushboolean(L, sat_shape_is_static(satlua_check_self(L)));
  return 1;
}

static int shape_is_enabled(lua_State *L) {
  lua_pushboolean(L, sat_shape_is_enabled(satlua_check_self(L)));
  return 1;
}

const luaL_Reg satlua_shape_methods[] = {
    {"move", shape_move},
    {"moveTo", shape_move_to},
    {"rotate", shape_rotate},
    {"setRotation", shape_set_rotation},
    {"rotation", shape_rotation},
    {"scale", shape_scale},
    {"scaleFactor", shape_scale_factor},
    {"flip", shape_flip},
    {"stretch", shape_scale_axes},
    {"transform", shape_transform},
    {"setRadius", shape_set_radius},
    {"radius", shape_radius},
    {"center", shape_center},
    {"bounds", shape_bounds},
    {"boundingCircle", shape_bounding_circle},
    {"area", shape_area},
    {"unpack", shape_unpack},
    {"vertices", shape_vertices},
    {"support", shape_support},
    {"project", shape_project},
    {"kind", shape_kind},
    {"isConvex", shape_is_convex},
    {"pieces", shape_pieces},
    {"clone", shape_clone},
    {"setData", shape_set_data},
    {"data", shape_data},
    {"setFilter", shape_set_filter},
    {"filter", shape_filter},
    {"setMass", shape_set_mass},
    {"mass", shape_mass},
    {"setOneWay", shape_set_one_way},
    {"oneWay", shape_one_way},
    {"setSensor", shape_set_sensor},
    {"isSensor", shape_is_sensor},
    {"setStatic", shape_set_static},
    {"isStatic", shape_is_static},
    {"setEnabled", shape_set_enabled},
    {"isEnabled", shape_is_enabled},
    {NULL, NULL},
};

void satlua_shape_set_metatable(lua_State *L, const satlua_Common *common, int methods) {
  static const luaL_Reg metamethods[] = {
      {"__tostring", shape_to_string},
      {"__newindex", shape_no_field},
      {NULL, NULL},
  };
  lua_pushvalue(L, common->metatable);
  satlua_register(L, common, metamethods, true);
  lua_pushvalue(L, methods);
  lua_setfield(L, -2, "__index");
  lua_pushliteral(L, "sat.shape");
  lua_setfield(L, -2, "__metatable"); /* what getmetatable gives, and why setmetatable fails */
  lua_pushliteral(L, "shape");
  lua_rawseti(L, -2, SATLUA_TYPE_NAME);
  for (int kind = SAT_POINT; kind <= SAT_COMPOUND; kind++) {
    lua_pushstring(L, sat_kind_name((sat_Kind)kind));
    lua_rawseti(L, -2, SATLUA_KIND_NAMES + kind);
  }
  lua_pop(L, 1);
}
