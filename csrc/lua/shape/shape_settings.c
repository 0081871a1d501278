/* shape_settings.c: the methods that move, turn and scale a shape, and that set and read how a
 * world treats it, and the value that setData keeps; and copies, which share that value. */
#include "lua/calls.h"
#include "lua/shape/shape_methods.h"

#include <math.h>

/* The largest numbers of the filter's parts. */
#define MOST_BITS 4294967295.0
#define LEAST_GROUP (-2147483648.0)
#define MOST_GROUP 2147483647.0

static int shape_set_filter(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  double category = satlua_check_whole(L, 2, "category", 0, MOST_BITS);
  double mask = satlua_check_whole(L, 3, "mask", 0, MOST_BITS);
  double group =
      lua_isnoneornil(L, 4) ? 0 : satlua_check_whole(L, 4, "group", LEAST_GROUP, MOST_GROUP);
  sat_shape_set_filter(shape, (uint32_t)category, (uint32_t)mask, (int32_t)group);
  return satlua_return_self(L);
}

/* The results are integers where Lua has them, since scripts use these numbers as bits. */
static int shape_filter(lua_State *L) {
  const sat_Shape *shape = satlua_check_self(L);
  uint32_t category, mask;
  int32_t group;
  sat_shape_filter(shape, &category, &mask, &group);
  push_bits(L, category);
  push_bits(L, mask);
  lua_pushinteger(L, group);
  return 3;
}

/* The method that sets a yes or no. */
#define SETTER_OF_FLAG(flag)                                                                       \
  static int shape_set_##flag(lua_State *L) {                                                      \
    sat_Shape *shape = satlua_check_changing_self(L);                                              \
    sat_shape_set_##flag(shape, satlua_check_boolean(L, 2, #flag));                                \
    return satlua_return_self(L);                                                                  \
  }
SETTER_OF_FLAG(sensor)
SETTER_OF_FLAG(static)
SETTER_OF_FLAG(enabled)

static int shape_set_mass(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  if (lua_type(L, 2) != LUA_TNUMBER) return satlua_raise_type(L, 2, "mass", "number");
  double mass = lua_tonumber(L, 2);
  if (mass != mass) return satlua_raise_argument(L, 2, "mass is NaN");
  if (sat_shape_set_mass(shape, mass)) return satlua_raise_argument(L, 2, "mass must be above 0");
  return satlua_return_self(L);
}

static int shape_mass(lua_State *L) {
  return satlua_push_number(L, sat_shape_mass(satlua_check_self(L)));
}

static int shape_set_one_way(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  sat_Vec2 normal = {0, 0};
  if (!lua_isnone(L, 2)) {
    normal = satlua_check_vec2(L, 2, "nx", "ny");
    if (normal.x == 0 && normal.y == 0)
      return satlua_raise_argument(L, 2, "the normal must not be 0, 0");
  }
  sat_shape_set_one_way(shape, normal);
  return satlua_return_self(L);
}

static int shape_one_way(lua_State *L) {
  sat_Vec2 normal;
  bool is_one_way = sat_shape_one_way(satlua_check_self(L), &normal);
  return is_one_way ? satlua_push_vec2(L, normal) : satlua_push_none(L);
}

/* ---------------------------------------------------------------- data and copies */

/* A finalizer that the allocation runs may have made the table already. That table stays, since the
 * fast path for LuaJIT may have it. */
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

/* Makes a shape of the block on top of the stack, with the data of the shape at index 1. */
static int finish_copy(lua_State *L, sat_Status status) {
  int copy = lua_gettop(L);
  satlua_shape_seal(L, status);
  push_data(L, 1);
  if (!lua_isnil(L, -1)) set_data(L, copy, copy + 1);
  lua_pop(L, 1);
  return 1;
}

static int shape_clone(lua_State *L) {
  const sat_Shape *shape = satlua_check_self(L);
  sat_shape_copy(lua_newuserdata(L, sat_shape_size(shape)), shape);
  return finish_copy(L, SAT_OK);
}

/* A segment that a transform has shrunk to a point has one vertex, and a finalizer may turn the
 * shape so that the segment has two again. */
static int shape_pieces(lua_State *L) {
  const sat_Shape *shape = satlua_check_self(L);
  size_t count = sat_shape_piece_count(shape); /* which never changes */
  bool is_whole = sat_shape_kind(shape) < SAT_CHAIN && count == 1;
  lua_createtable(L, (int)count, 0);
  for (size_t i = 0; i < count; i++) {
    size_t size = sat_shape_piece_size(shape, i);
    sat_Shape *piece = is_whole ? NULL : lua_newuserdata(L, sat_shape_bytes(size > 2 ? size : 2));
    if (is_whole) shape_clone(L);
    else finish_copy(L, sat_shape_piece_init(piece, shape, i));
    lua_rawseti(L, -2, (int)i + 1);
  }
  return 1;
}

static int shape_part(lua_State *L) {
  const sat_Shape *shape = satlua_check_self(L);
  size_t count = sat_shape_part_count(shape);
  size_t part = (size_t)satlua_check_whole(L, 2, "k", 1, (double)count) - 1;
  sat_Shape *block = lua_newuserdata(L, sat_shape_part_bytes(shape, part)); /* never changes */
  return finish_copy(L, sat_shape_part_init(block, shape, part, satlua_get_scratch(L)));
}

/* ---------------------------------------------------------------- transforms */

static int changed(lua_State *L, sat_Status status) {
  return status == SAT_OK ? satlua_return_self(L) : satlua_raise_status(L, 2, status);
}

/* Whether a shape may be changed by these numbers through the FFI. Otherwise the method says why
 * not. */
static bool may_change(const void *shape, double a, double b, double c) {
  return in_range(a) && in_range(b) && in_range(c) && !sat_shape_is_locked(shape);
}

/* A change by a vector, and one by an angle and a pivot, as a method and as a call. */
#define CHANGE_BY_VECTOR(name, dx, dy)                                                             \
  static int shape_##name(lua_State *L) {                                                          \
    sat_Shape *shape = satlua_check_changing_self(L);                                              \
    sat_Vec2 vector = satlua_check_vec2(L, 2, dx, dy);                                             \
    return changed(L, sat_shape_##name(shape, vector.x, vector.y));                                \
  }                                                                                                \
  int satlua_call_##name(void *shape, double vx, double vy) {                                      \
    return may_change(shape, vx, vy, 0) ? (int)sat_shape_##name(shape, vx, vy) : SATLUA_REFUSED;   \
  }
#define CHANGE_BY_ANGLE(name)                                                                      \
  static int shape_##name(lua_State *L) {                                                          \
    sat_Shape *shape = satlua_check_changing_self(L);                                              \
    double angle = satlua_check_number(L, 2, "angle");                                             \
    sat_Vec2 pivot;                                                                                \
    bool is_pivoted = satlua_check_pivot(L, 3, &pivot);                                            \
    return changed(L, is_pivoted ? sat_shape_##name##_about(shape, angle, pivot)                   \
                                 : sat_shape_##name(shape, angle));                                \
  }                                                                                                \
  int satlua_call_##name(void *shape, double angle, double px, double py) {                        \
    bool is_pivoted = !isnan(px) || !isnan(py);                                                    \
    if (!may_change(shape, angle, is_pivoted ? px : 0, is_pivoted ? py : 0))                       \
      return SATLUA_REFUSED;                                                                       \
    return (int)(is_pivoted ? sat_shape_##name##_about(shape, angle, vec2(px, py))                 \
                            : sat_shape_##name(shape, angle));                                     \
  }
CHANGE_BY_VECTOR(move, "dx", "dy")
CHANGE_BY_VECTOR(move_to, "x", "y")
CHANGE_BY_ANGLE(rotate)
CHANGE_BY_ANGLE(set_rotation)

static int shape_scale(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  double factor = satlua_check_size(L, 2, "factor");
  if (!lua_isnoneornil(L, 3) && lua_isnone(L, 4))
    return satlua_raise_argument(L, 3,
                                 "scale(factor, px, py) has one factor and a pivot; "
                                 "shape:stretch(sx, sy) has two factors");
  sat_Vec2 pivot;
  bool pivoted = satlua_check_pivot(L, 3, &pivot);
  sat_Status status =
      pivoted ? sat_shape_scale_about(shape, factor, pivot) : sat_shape_scale(shape, factor);
  if (status == SAT_ERANGE && factor < 1)
    return satlua_raise_argument(L, 2, "the shape would be scaled below 1e-15");
  return changed(L, status);
}

static int shape_transform(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  sat_Vec2 center = satlua_check_vec2(L, 2, "x", "y");
  double angle = satlua_check_number(L, 4, "angle");
  return changed(L, sat_shape_transform(shape, center.x, center.y, angle));
}

static int shape_set_radius(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  double radius = satlua_check_radius(L, 2, "radius");
  return changed(L, sat_shape_set_radius(shape, radius));
}

static int shape_flip(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  bool vertical = !lua_isnoneornil(L, 2) && satlua_check_boolean(L, 2, "vertical");
  return changed(L, sat_shape_flip(shape, vertical));
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

/* ---------------------------------------------------------------- through the FFI */

int satlua_call_transform(void *shape, double x, double y, double angle) {
  return may_change(shape, x, y, angle) ? (int)sat_shape_transform(shape, x, y, angle)
                                        : SATLUA_REFUSED;
}
int satlua_call_set_enabled(void *shape, int enabled) {
  if (sat_shape_is_locked(shape)) return SATLUA_REFUSED;
  sat_shape_set_enabled(shape, enabled != 0);
  return SAT_OK;
}
int satlua_call_set_rectangle(void *shape, double x, double y, double w, double h) {
  return may_change(shape, x, y, w) && in_range(h) ? (int)sat_shape_set_rectangle(shape, x, y, w, h)
                                                   : SATLUA_REFUSED;
}

/* setRectangle(shape, x, y, w, h): makes a shape that was a rectangle another one. */
int satlua_set_rectangle(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  sat_Rectangle box = satlua_check_rectangle(L, 2, "the box", true);
  return changed(L, sat_shape_set_rectangle(shape, box.x, box.y, box.w, box.h));
}

const luaL_Reg satlua_shape_settings[] = {
    {"setData", shape_set_data},
    {"data", shape_data},
    {"clone", shape_clone},
    {"pieces", shape_pieces},
    {"part", shape_part},
    {"setFilter", shape_set_filter},
    {"filter", shape_filter},
    {"setMass", shape_set_mass},
    {"mass", shape_mass},
    {"setOneWay", shape_set_one_way},
    {"oneWay", shape_one_way},
    {"setSensor", shape_set_sensor},
    {"setStatic", shape_set_static},
    {"setEnabled", shape_set_enabled},
    {"move", shape_move},
    {"moveTo", shape_move_to},
    {"rotate", shape_rotate},
    {"setRotation", shape_set_rotation},
    {"scale", shape_scale},
    {"flip", shape_flip},
    {"stretch", shape_scale_axes},
    {"transform", shape_transform},
    {"setRadius", shape_set_radius},
    {NULL, NULL},
};
