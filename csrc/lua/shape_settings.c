/* shape_settings.c: the methods that set and read how a world treats a shape. */
#include "lua/push.h"
#include "lua/shape_methods.h"

/* The largest numbers of the filter's parts. */
#define MOST_BITS 4294967295.0
#define LEAST_GROUP (-2147483648.0)
#define MOST_GROUP 2147483647.0

static int shape_set_filter(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  double category = satlua_check_whole(L, 2, "category", 0, MOST_BITS);
  double mask = satlua_check_whole(L, 3, "mask", 0, MOST_BITS);
  double group = 0;
  if (!lua_isnoneornil(L, 4)) group = satlua_check_whole(L, 4, "group", LEAST_GROUP, MOST_GROUP);
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

static int set_checked_flag(lua_State *L, const char *name,
                            void (*set)(sat_Shape *shape, bool flag)) {
  sat_Shape *shape = satlua_check_changing_self(L);
  set(shape, satlua_check_boolean(L, 2, name));
  return satlua_return_self(L);
}

static int shape_set_sensor(lua_State *L) {
  return set_checked_flag(L, "sensor", sat_shape_set_sensor);
}
static int shape_set_static(lua_State *L) {
  return set_checked_flag(L, "static", sat_shape_set_static);
}
static int shape_set_enabled(lua_State *L) {
  return set_checked_flag(L, "enabled", sat_shape_set_enabled);
}

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

const luaL_Reg satlua_shape_settings[] = {
    {"setFilter", shape_set_filter},   {"filter", shape_filter},
    {"setMass", shape_set_mass},       {"mass", shape_mass},
    {"setOneWay", shape_set_one_way},  {"oneWay", shape_one_way},
    {"setSensor", shape_set_sensor},   {"setStatic", shape_set_static},
    {"setEnabled", shape_set_enabled}, {NULL, NULL},
};
