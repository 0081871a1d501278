/* shape_methods.c: the userdata of a shape, its bounds, vertices and description, and the
 * metatable. */
#include "lua/shape/shape_methods.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Some Luas' stacks have no room for more vertices than this, and calls have no use for more
 * arguments. */
#define MOST_UNPACKED 200
#define MOST_PIECES 4294967295.0

/* ---------------------------------------------------------------- the userdata */

int satlua_shape_seal(lua_State *L, sat_Status status) {
  satlua_check_status(L, 1, status);
  lua_pushvalue(L, lua_upvalueindex(SATLUA_UP_METATABLE));
  lua_setmetatable(L, -2);
  return 1;
}

/* ---------------------------------------------------------------- bounds and vertices */

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
  satlua_check_out(L, 2, 2, 2 * count);
  for (int i = 0; i < count; i++) satlua_set_vec2(L, 2, i, sat_shape_vertex(shape, (size_t)i));
  satlua_clear_behind(L, 2, 2 * count);
  lua_pushinteger(L, count);
  return 2;
}

static int shape_support(lua_State *L) {
  const sat_Shape *shape = satlua_check_self(L);
  return satlua_push_vec2(L, sat_shape_support(shape, satlua_check_direction(L)));
}

/* pieceOf(shape, index, out) -> count, radius: fills the list with the vertices of a convex piece,
 * counted from 1, without making a shape of it. After the last piece it returns nothing. */
int satlua_piece_of(lua_State *L) {
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

const luaL_Reg satlua_shape_vertices[] = {
    {"unpack", shape_unpack},
    {"vertices", shape_vertices},
    {"support", shape_support},
    {NULL, NULL},
};

/* ---------------------------------------------------------------- the description */

enum { LONGEST_DETAILS = 200 };

/* Appends to the details of a description, with C's own %g, since Lua's differs from version to
 * version. */
static void add_detail(char details[LONGEST_DETAILS], const char *format, ...) {
  size_t length = strlen(details), room = LONGEST_DETAILS - length;
  size_t begun = (size_t)snprintf(details + length, room, "%s", length > 0 ? ", " : " (");
  va_list numbers;
  va_start(numbers, format);
  vsnprintf(details + length + begun, room - begun, format, numbers);
  va_end(numbers);
}

static void add_details(char details[LONGEST_DETAILS], const sat_Shape *shape) {
  static const char *const counted[SAT_COMPOUND + 1][2] = {
      [SAT_POLYGON] = {"%.0f vertices", "%.0f vertex"},
      [SAT_CHAIN] = {"%.0f vertices", "%.0f vertex"},
      [SAT_COMPOUND] = {"%.0f parts", "%.0f part"},
  };
  sat_Kind kind = sat_shape_kind(shape);
  size_t count = kind == SAT_COMPOUND ? sat_shape_part_count(shape) : sat_shape_vertex_count(shape);
  double mass = sat_shape_mass(shape);
  sat_Vec2 normal;
  if (counted[kind][0]) add_detail(details, counted[kind][count == 1], (double)count);
  if (sat_shape_radius(shape) > 0) add_detail(details, "radius %.14g", sat_shape_radius(shape));
  if (mass != 1) add_detail(details, isinf(mass) ? "mass math.huge" : "mass %.14g", mass);
  if (sat_shape_one_way(shape, &normal))
    add_detail(details, "one-way %.14g, %.14g", normal.x + 0.0, normal.y + 0.0);
}

/* "sat.polygon (4 vertices, radius 2) at 10, 20" */
static int shape_to_string(lua_State *L) {
  const sat_Shape *shape = satlua_check_self(L);
  sat_Vec2 center = sat_shape_center(shape);
  char details[LONGEST_DETAILS] = "", place[60];
  add_details(details, shape);
  snprintf(place, sizeof place, "at %.14g, %.14g", center.x + 0.0, center.y + 0.0);
  lua_pushfstring(L, "sat.%s%s%s %s", sat_kind_name(sat_shape_kind(shape)), details,
                  *details ? ")" : "", place);
  return 1;
}

/* ---------------------------------------------------------------- the metatable */

void satlua_fill_metatable(lua_State *L, int type, const luaL_Reg *metamethods, const char *name) {
  lua_pushvalue(L, SATLUA_AT + type);
  satlua_register(L, metamethods, true);
  lua_pushvalue(L, SATLUA_AT + SATLUA_UP_COMMON + type);
  lua_setfield(L, -2, "__index");
  lua_newtable(L); /* whose own metamethod, on the Lua side, refuses to set a field */
  lua_pushvalue(L, -1);
  lua_rawseti(L, -3, SATLUA_FIELDS);
  lua_setfield(L, -2, "__newindex");
  lua_pushfstring(L, "sat.%s", name);
  lua_setfield(L, -2, "__metatable"); /* getmetatable returns this, and setmetatable fails */
  lua_pushstring(L, name);
  lua_rawseti(L, -2, SATLUA_TYPE_NAME);
}

void satlua_shape_set_metatable(lua_State *L) {
  static const luaL_Reg metamethods[] = {
      {"__tostring", shape_to_string},
      {SATLUA_NEXT_PARTS, satlua_next_parts},
      {NULL, NULL},
  };
  satlua_fill_metatable(L, SATLUA_UP_METATABLE, metamethods, "shape");
  for (int kind = SAT_POINT; kind <= SAT_COMPOUND; kind++) {
    lua_pushstring(L, sat_kind_name((sat_Kind)kind));
    lua_rawseti(L, -2, SATLUA_KIND_NAMES + kind);
  }
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, SATLUA_IDLE_PARTS);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, SATLUA_IDLE_VALUES);
  lua_pop(L, 1);
}
