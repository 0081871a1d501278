/* module.c: the functions that the native part gives to the Lua side. */
#include "lua/quadtree/quadtree_state.h"
#include "lua/shape/shape_methods.h"
#include "lua/world/world_state.h"

static int module_type(lua_State *L) {
  if (lua_isnone(L, 1)) return satlua_raise_argument(L, 1, "value is missing");
  if (lua_gettop(L) > 1) satlua_check_dot(L);
  return satlua_push_type(L, 1) ? 1 : satlua_push_none(L);
}

static int module_validate(lua_State *L) {
  sat_Vec2 few[SATLUA_FEW_POINTS];
  satlua_Points points = satlua_check_coordinates(L, 1, few);
  sat_RingError error = {0, 0};
  sat_Status status = points.is_odd || points.bad
                          ? SAT_EFEW
                          : sat_ring_clean(points.at, &points.count, satlua_get_scratch(L), &error);
  if (status == SAT_ENOMEM) return satlua_raise_status(L, 1, status);
  if (status == SAT_OK) return satlua_push_boolean(L, 1);
  int coordinate = satlua_points_blame(L, &points, status, error);
  lua_pushnil(L);
  lua_insert(L, -2);
  if (coordinate == 0) return 2;
  lua_pushinteger(L, (coordinate + 1) / 2);
  return 3;
}

static const luaL_Reg module_functions[] = {
    {"type", module_type},
    {"validate", module_validate},
    {"contains", satlua_contains},
    {"parts", satlua_pair_parts},
    {"quadtree", satlua_new_quadtree},
    {"world", satlua_new_world},
    {"ffiInterface", satlua_ffi_interface},
    {"pieceOf", satlua_piece_of},
    {"wayOf", satlua_way_of},
    {"setRectangle", satlua_set_rectangle},
    {"rectangles", satlua_make_rectangles},
    {"differing", satlua_count_differing},
    {"spans", satlua_spans},
    {"checkAnswered", satlua_check_answered},
    {"answered", satlua_answered},
    {NULL, NULL},
};

/* ---------------------------------------------------------------- opening */

/* The places behind the common upvalues in a table of the registry that all modules made by this
 * copy of the library share within one Lua state, so that a shape from one is a shape to the
 * others. */
enum {
  METHODS = SATLUA_UP_COMMON + SATLUA_UP_METATABLE,
  QUADTREE_METHODS,
  WORLD_METHODS,
  COMMON_SIZE = WORLD_METHODS
};

static void make_common(lua_State *L) {
  lua_createtable(L, COMMON_SIZE, 0);
  for (int i = 1; i <= COMMON_SIZE; i++) {
    if (i == SATLUA_UP_SCRATCH) satlua_push_context(L);
    else lua_newtable(L);
  }
  satlua_shape_set_metatable(L);
  satlua_quadtree_set_metatable(L);
  satlua_world_set_metatable(L);
  satlua_set_iterators(L, SATLUA_AT + SATLUA_UP_WORLD);
  for (int i = COMMON_SIZE; i >= 1; i--) lua_rawseti(L, SATLUA_AT, i);
}

/* Pushes that table onto an empty stack. Its key has the address of this copy: another copy may lay
 * out shapes in another way. */
static void push_common(lua_State *L) {
  static const char here = 0;
  lua_pushfstring(L, "sat %p", (const void *)&here);
  lua_rawget(L, LUA_REGISTRYINDEX);
  if (lua_istable(L, SATLUA_AT)) return;
  lua_settop(L, 0);
  make_common(L);
  lua_pushfstring(L, "sat %p", (const void *)&here);
  lua_pushvalue(L, SATLUA_AT);
  lua_rawset(L, LUA_REGISTRYINDEX);
}

static void fill_module(lua_State *L) {
  satlua_register(L, satlua_shape_constructors, false);
  satlua_register(L, satlua_outline_functions, false);
  satlua_register(L, satlua_pair_calls, false);
  satlua_register(L, module_functions, false);
  lua_pushliteral(L, "sat " SAT_VERSION);
  lua_setfield(L, -2, "_VERSION");
}

static void fill_methods(lua_State *L) {
  lua_pushvalue(L, SATLUA_AT + METHODS);
  satlua_register(L, satlua_shape_vertices, true);
  satlua_register(L, satlua_shape_settings, true);
  satlua_register(L, satlua_pair_calls, true);
  satlua_register(L, satlua_shape_calls, true);
  lua_pushvalue(L, SATLUA_AT + QUADTREE_METHODS);
  satlua_register(L, satlua_quadtree_methods, true);
  satlua_register(L, satlua_quadtree_queries, true);
  lua_pushvalue(L, SATLUA_AT + WORLD_METHODS);
  satlua_register(L, satlua_world_methods, true);
  satlua_register(L, satlua_world_queries, true);
  satlua_register(L, satlua_world_loops, true);
  satlua_register(L, satlua_world_saving, true);
  satlua_register(L, satlua_world_moving, true);
  lua_pop(L, 3);
}

/* Takes the path that this library was loaded from, if the caller knows it. Returns a new table
 * with the module's functions. For the Lua side, the table also has `methods`, `worldMethods` and
 * `treeMethods`, the tables of the methods of shapes, worlds and quadtrees, to which the Lua side
 * adds its own; `fields`, the tables in which a script sets fields of shapes, quadtrees and worlds;
 * the functions `ffiInterface` (see lua/calls.c), `pieceOf` (see
 * lua/shape/shape_methods.c), `wayOf`, `checkAnswered`, `answered` (see lua/world/world_move.c) and
 * `setRectangle` (see lua/shape/shape_settings.c); and `build`, by which the Lua side checks that
 * the two belong together. Scripts that change those tables change the meaning
 * of names; the functions trust no value in them. */
#define BUILD "sat " SAT_VERSION " for " LUA_VERSION
SAT_EXPORT int luaopen_sat_core(lua_State *L);
int luaopen_sat_core(lua_State *L) {
  luaL_checkversion(L);
  satlua_pin_library(lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : NULL);
  lua_settop(L, 0);
  push_common(L);
#ifdef LUA_ENVIRONINDEX
  /* From here on every function, and every shape that one makes, has this environment (see
   * lua/compat.h). */
  lua_pushvalue(L, SATLUA_AT);
  lua_replace(L, LUA_ENVIRONINDEX);
#endif
  for (int i = 1; i <= COMMON_SIZE; i++) lua_rawgeti(L, SATLUA_AT, i);
  fill_methods(L);
  lua_newtable(L);
  fill_module(L);
  static const char *const fields[] = {"methods", "treeMethods", "worldMethods"};
  for (int i = 0; i < 3; i++) {
    lua_pushvalue(L, SATLUA_AT + METHODS + i);
    lua_setfield(L, -2, fields[i]);
  }
  lua_createtable(L, SATLUA_UP_WORLD, 0);
  for (int type = SATLUA_UP_METATABLE; type <= SATLUA_UP_WORLD; type++) {
    lua_rawgeti(L, SATLUA_AT + type, SATLUA_FIELDS);
    lua_rawseti(L, -2, type);
  }
  lua_setfield(L, -2, "fields");
  lua_pushliteral(L, BUILD);
  lua_setfield(L, -2, "build");
  return 1;
}
