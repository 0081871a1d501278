/* shape_queries.c: the methods that read a shape: its numbers, vertices and projections. */
#include "lua/push.h"
#include "lua/shape_methods.h"

#include <math.h>

/* Some Luas' stacks have no room for more vertices than this, and calls have no use for more
 * arguments. */
#define MOST_UNPACKED 200
#define MOST_PIECES 4294967295.0

/* ---------------------------------------------------------------- numbers */

static int shape_rotation(lua_State *L) {
  return satlua_push_number(L, sat_shape_rotation(satlua_check_self(L)));
}
static int shape_scale_factor(lua_State *L) {
  return satlua_push_number(L, sat_shape_scale_factor(satlua_check_self(L)));
}
static int shape_radius(lua_State *L) {
  return satlua_push_number(L, sat_shape_radius(satlua_check_self(L)));
}
static int shape_area(lua_State *L) {
  return satlua_push_number(L, sat_shape_area(satlua_check_self(L)));
}
static int shape_center(lua_State *L) {
  return satlua_push_vec2(L, sat_shape_center(satlua_check_self(L)));
}

/* max - min rounded up, by the rounding error of the difference (Knuth, TAOCP 2, 4.2.2), so that
 * min + extent is never less than max, neither exactly nor rounded. */
static double extent(double min, double max) {
  double difference = max - min, back = difference - max;
  double error = (max - (difference - back)) - (min + back);
  return error > 0 ? nextafter(difference, INFINITY) : difference;
}

/* Reads one number. A compiler would load two numbers at once right after they were stored one by
 * one, and such a load waits for the stores. */
static double read_alone(const volatile double *number) { return *number; }

sat_Rectangle satlua_shape_rectangle(const sat_Shape *shape) {
  sat_Box box = sat_shape_bounds(shape);
  double x = read_alone(&box.min.x), y = read_alone(&box.min.y);
  sat_Rectangle rectangle = {x, y, extent(x, box.max.x), extent(y, box.max.y)};
  return rectangle;
}

static int shape_bounds(lua_State *L) {
  return satlua_push_box(L, satlua_shape_rectangle(satlua_check_self(L)));
}

static int shape_bounding_circle(lua_State *L) {
  const sat_Shape *shape = satlua_check_self(L);
  satlua_push_vec2(L, sat_shape_center(shape));
  satlua_push_number(L, sat_shape_bounding_radius(shape));
  return 3;
}

/* Checks the shape before the colon, and refuses a compound, which has no vertices of its own. */
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

static int shape_vertices(lua_State *L) {
  const sat_Shape *shape = check_vertices(L);
  int count = (int)sat_shape_vertex_count(shape); /* which never changes */
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) {
    lua_createtable(L, 2 * count, 0);
    lua_replace(L, 2);
  }
  satlua_check_table(L, 2, "out");
  for (int i = 0; i < count; i++) satlua_set_vec2(L, 2, i, sat_shape_vertex(shape, (size_t)i));
  satlua_clear_behind(L, 2, 2 * count);
  lua_pushinteger(L, count);
  return 2;
}

static sat_Vec2 check_direction(lua_State *L) {
  sat_Vec2 direction = satlua_check_vec2(L, 2, "dx", "dy");
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
  satlua_push_number(L, shadow.low);
  satlua_push_number(L, shadow.high);
  return 2;
}

static int shape_kind(lua_State *L) {
  sat_Kind kind = sat_shape_kind(satlua_check_self(L));
  lua_rawgeti(L, lua_upvalueindex(SATLUA_UP_METATABLE), SATLUA_KIND_NAMES + (int)kind);
  return 1;
}

static int shape_is_convex(lua_State *L) {
  return satlua_push_boolean(L, sat_shape_is_convex(satlua_check_self(L)));
}

/* ---------------------------------------------------------------- for drawing */

/* pieceOf(shape, index, out) -> count, radius: fills the list with the vertices of a convex piece,
 * counted from 1, without making a shape of it. After the last piece it returns nothing. */
static int piece_of(lua_State *L) {
  const sat_Shape *shape = satlua_check_shape(L, 1, "shape");
  size_t piece = (size_t)satlua_check_whole(L, 2, "index", 1, MOST_PIECES) - 1;
  satlua_check_table(L, 3, "out");
  lua_settop(L, 3);
  if (piece >= sat_shape_piece_count(shape)) return 0;
  int count = (int)sat_shape_piece_size(shape, piece);
  for (int i = 0; i < count; i++)
    satlua_set_vec2(L, 3, i, sat_shape_piece_vertex(shape, piece, (size_t)i));
  satlua_clear_behind(L, 3, 2 * count);
  lua_pushinteger(L, count);
  satlua_push_number(L, sat_shape_piece_radius(shape, piece));
  return 2;
}

const luaL_Reg satlua_shape_drawing[] = {
    {"pieceOf", piece_of},
    {NULL, NULL},
};

const luaL_Reg satlua_shape_queries[] = {
    {"rotation", shape_rotation},  {"scaleFactor", shape_scale_factor},
    {"radius", shape_radius},      {"center", shape_center},
    {"bounds", shape_bounds},      {"boundingCircle", shape_bounding_circle},
    {"area", shape_area},          {"unpack", shape_unpack},
    {"vertices", shape_vertices},  {"support", shape_support},
    {"project", shape_project},    {"kind", shape_kind},
    {"isConvex", shape_is_convex}, {NULL, NULL},
};
