/* push.h: pushes results, for several files of the binding. Each function returns the number of
 * values that it pushes. The addition of 0 turns -0 into 0. */
#ifndef SAT_LUA_PUSH_H
#define SAT_LUA_PUSH_H

#include "lua/compat.h"
#include "sat.h"

/* Pushes nil, the one result for "nothing found". */
static inline int satlua_push_none(lua_State *L) {
  lua_pushnil(L);
  return 1;
}

static inline int satlua_push_boolean(lua_State *L, bool boolean) {
  lua_pushboolean(L, boolean);
  return 1;
}

static inline int satlua_push_number(lua_State *L, double number) {
  lua_pushnumber(L, number + 0.0);
  return 1;
}

static inline int satlua_push_vec2(lua_State *L, sat_Vec2 v) {
  lua_pushnumber(L, v.x + 0.0);
  lua_pushnumber(L, v.y + 0.0);
  return 2;
}

/* Writes a vector into a flat list of coordinates, as the vertex with a 0-based index. */
static inline void satlua_set_vec2(lua_State *L, int list, int index, sat_Vec2 v) {
  lua_pushnumber(L, v.x + 0.0);
  lua_rawseti(L, list, 2 * index + 1);
  lua_pushnumber(L, v.y + 0.0);
  lua_rawseti(L, list, 2 * index + 2);
}

static inline int satlua_push_box(lua_State *L, sat_Rectangle box) {
  lua_pushnumber(L, box.x + 0.0);
  lua_pushnumber(L, box.y + 0.0);
  lua_pushnumber(L, box.w + 0.0);
  lua_pushnumber(L, box.h + 0.0);
  return 4;
}

/* Returns the value before the colon. */
static inline int satlua_return_self(lua_State *L) {
  lua_settop(L, 1);
  return 1;
}

#endif
