/* shape_settings.c: the methods that set and read how a world treats a shape, and the value that
 * setData keeps with it; and copies, which share that value. */
#include "lua/push.h"
#include "lua/shape/shape_methods.h"

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

bool satlua_push_tile(lua_State *L, const sat_Vec2 ends[2], int data) {
  sat_Vec2 min = ends[0], max = ends[1];
  const sat_Vec2 corners[4] = {min, {max.x, min.y}, max, {min.x, max.y}};
  sat_Shape *shape = lua_newuserdata(L, sat_shape_bytes(4));
  if (!(min.x < max.x && min.y < max.y) || sat_shape_init(shape, corners, 4, 0)) return false;
  sat_shape_set_static(shape, true);
  satlua_shape_seal(L, SAT_OK);
  lua_createtable(L, 1, 0); /* no finalizer can reach the shape */
  lua_pushvalue(L, data);
  lua_rawseti(L, -2, 1);
  lua_setuservalue(L, -2);
  return true;
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
    {NULL, NULL},
};
