/* shape_queries.c: the methods that read the vertices of a shape, and its bounds. */
#include "lua/push.h"
#include "lua/shape_methods.h"

#include <math.h>

/* Some Luas' stacks have no room for more vertices than this, and calls have no use for more
 * arguments. */
#define MOST_UNPACKED 200
#define MOST_PIECES 4294967295.0

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

static int shape_support(lua_State *L) {
  const sat_Shape *shape = satlua_check_self(L);
  return satlua_push_vec2(L, sat_shape_support(shape, satlua_check_direction(L)));
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
    {"unpack", shape_unpack},
    {"vertices", shape_vertices},
    {"support", shape_support},
    {NULL, NULL},
};
