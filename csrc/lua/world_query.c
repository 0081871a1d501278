/* world_query.c: what a world is asked for by place, and pushing apart. */
#include "lua/shape_methods.h"
#include "lua/world_state.h"

#include <math.h>

#define MOST_WANTED 4294967295.0
/* A round of pushing apart goes through the whole world, and no hook of a host interrupts it. */
#define MOST_ROUNDS 1000

/* ---------------------------------------------------------------- results */

static int push_none(lua_State *L) {
  lua_pushnil(L);
  return 1;
}

/* Adding 0 makes 0 of -0. */
static void push_vec2(lua_State *L, sat_Vec2 v) {
  lua_pushnumber(L, v.x + 0.0);
  lua_pushnumber(L, v.y + 0.0);
}

static void push_shape(lua_State *L, uint32_t slot) {
  sat_luaworld_push(L, SAT_WORLD_HOME_SHAPES);
  lua_rawgeti(L, -1, (int)slot + 1);
  lua_remove(L, -2);
}

/* Returns the list at `out`, which is the top of the stack, with the shapes found, and how many
 * they are. */
static int return_found(lua_State *L, sat_LuaWorld *world, int out) {
  int length = (int)world->found.count;
  sat_luaworld_push(L, SAT_WORLD_HOME_SHAPES);
  for (int i = 0; i < length; i++) {
    lua_rawgeti(L, out + 1, (int)world->found.at[i] + 1);
    lua_rawseti(L, out, i + 1);
  }
  sat_clear_behind(L, out, length);
  lua_settop(L, out);
  lua_pushinteger(L, length);
  return sat_luaworld_finish(L, world, 2);
}

static sat_Vec2 check_point(lua_State *L, int arg, const char *x, const char *y) {
  sat_Vec2 point;
  point.x = sat_check_number(L, arg, x);
  point.y = sat_check_number(L, arg + 1, y);
  return point;
}

/* ---------------------------------------------------------------- lists */

static int world_shapes(lua_State *L) {
  sat_LuaWorld *world = sat_luaworld_check(L);
  sat_check_out(L, 2);
  world = sat_luaworld_check(L);
  sat_luaworld_is_hit(L, sat_world_shapes(&world->core, &world->found));
  return return_found(L, world, 2);
}

static int world_at(lua_State *L) {
  sat_LuaWorld *world = sat_luaworld_check(L);
  sat_Vec2 point = check_point(L, 2, "x", "y");
  sat_check_out(L, 4);
  world = sat_luaworld_check(L);
  sat_luaworld_is_hit(L, sat_world_at(&world->core, point, &world->found));
  return return_found(L, world, 4);
}

static double check_side(lua_State *L, int arg, const char *name, double from) {
  double side = sat_check_number(L, arg, name);
  if (side < 0) sat_raise_argument(L, arg, "%s must not be negative", name);
  if (from + side > SAT_LIMIT) sat_raise_argument(L, arg, "the box would reach beyond 1e15");
  return side;
}

static int world_query(lua_State *L) {
  sat_LuaWorld *world = sat_luaworld_check(L);
  const sat_Shape *shape = sat_to_shape(L, 2);
  sat_Rectangle box = {0, 0, 0, 0};
  if (!shape) {
    if (lua_type(L, 2) != LUA_TNUMBER) return sat_raise_type(L, 2, "x", "number or a shape");
    box.x = sat_check_number(L, 2, "x");
    box.y = sat_check_number(L, 3, "y");
    box.w = check_side(L, 4, "w", box.x);
    box.h = check_side(L, 5, "h", box.y);
  }
  int out = shape ? 3 : 6;
  sat_check_out(L, out);
  world = sat_luaworld_check(L);
  sat_luaworld_is_hit(L, shape ? sat_world_query_shape(&world->core, shape, &world->found)
                               : sat_world_query(&world->core, box, &world->found));
  return return_found(L, world, out);
}

/* ---------------------------------------------------------------- the first and the nearest */

/* Returns a shape, the fraction of the way, the normal and the point. */
static int return_encounter(lua_State *L, sat_LuaWorld *world, sat_Status status,
                            const sat_Encounter *first) {
  if (!sat_luaworld_is_hit(L, status)) return sat_luaworld_finish(L, world, push_none(L));
  push_shape(L, first->other);
  lua_pushnumber(L, first->impact.t + 0.0);
  push_vec2(L, first->impact.normal);
  push_vec2(L, first->impact.point);
  return sat_luaworld_finish(L, world, 6);
}

static int world_cast(lua_State *L) {
  sat_LuaWorld *world = sat_luaworld_check(L);
  const sat_Shape *shape = sat_check_shape(L, 2, "shape");
  sat_Vec2 motion = check_point(L, 3, "dx", "dy");
  sat_Encounter first;
  return return_encounter(L, world, sat_world_cast(&world->core, shape, motion, &first), &first);
}

static int world_raycast(lua_State *L) {
  sat_LuaWorld *world = sat_luaworld_check(L);
  sat_Vec2 from = check_point(L, 2, "x1", "y1");
  sat_Vec2 to = check_point(L, 4, "x2", "y2");
  sat_Encounter first;
  return return_encounter(L, world, sat_world_raycast(&world->core, from, to, &first), &first);
}

static int world_raycast_all(lua_State *L) {
  sat_LuaWorld *world = sat_luaworld_check(L);
  sat_Vec2 from = check_point(L, 2, "x1", "y1");
  sat_Vec2 to = check_point(L, 4, "x2", "y2");
  sat_check_out(L, 6);
  world = sat_luaworld_check(L);
  sat_luaworld_is_hit(L, sat_world_raycast_all(&world->core, from, to, &world->found));
  return return_found(L, world, 6);
}

static double check_limit(lua_State *L, int arg) {
  if (lua_isnoneornil(L, arg)) return INFINITY;
  double limit = sat_check_number(L, arg, "limit");
  if (limit < 0) sat_raise_argument(L, arg, "limit must not be negative");
  return limit;
}

static int world_nearest(lua_State *L) {
  sat_LuaWorld *world = sat_luaworld_check(L);
  sat_Vec2 point = check_point(L, 2, "x", "y");
  double limit = check_limit(L, 4);
  sat_Nearby nearest;
  if (!sat_luaworld_is_hit(L, sat_world_nearest(&world->core, point, limit, &nearest)))
    return sat_luaworld_finish(L, world, push_none(L));
  push_shape(L, nearest.other);
  lua_pushnumber(L, nearest.distance);
  push_vec2(L, nearest.point);
  return sat_luaworld_finish(L, world, 4);
}

static int world_nearest_all(lua_State *L) {
  sat_LuaWorld *world = sat_luaworld_check(L);
  sat_Vec2 point = check_point(L, 2, "x", "y");
  double k = sat_check_whole(L, 4, "k", 0, MOST_WANTED);
  sat_check_out(L, 5);
  world = sat_luaworld_check(L);
  sat_luaworld_is_hit(L, sat_world_nearest_all(&world->core, point, (size_t)k, &world->found));
  return return_found(L, world, 5);
}

/* ---------------------------------------------------------------- pushing apart */

static int world_separate(lua_State *L) {
  sat_LuaWorld *world = sat_luaworld_check_changing(L);
  double iterations = 1;
  if (!lua_isnoneornil(L, 2)) iterations = sat_check_whole(L, 2, "iterations", 1, MOST_ROUNDS);
  sat_luaworld_is_hit(L, sat_world_separate(&world->core, (uint32_t)iterations, NULL));
  lua_settop(L, 1);
  return sat_luaworld_finish(L, world, 1);
}

const luaL_Reg sat_world_questions[] = {
    {"shapes", world_shapes},     {"at", world_at},
    {"query", world_query},       {"cast", world_cast},
    {"raycast", world_raycast},   {"raycastAll", world_raycast_all},
    {"nearest", world_nearest},   {"nearestAll", world_nearest_all},
    {"separate", world_separate}, {NULL, NULL},
};
