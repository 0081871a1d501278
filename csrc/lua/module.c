/* module.c: the functions that the native part gives to the Lua side. Functions of two shapes are
 * methods as well. */
#include "lua/ffi.h"
#include "lua/memory.h"
#include "lua/push.h"
#include "lua/quadtree.h"
#include "lua/shape_methods.h"
#include "lua/pin.h"
#include "lua/world_state.h"

/* ---------------------------------------------------------------- two shapes */

static int pair_overlaps(lua_State *L) {
  const sat_Shape *a = satlua_check_shape(L, 1, "a");
  const sat_Shape *b = satlua_check_shape(L, 2, "b");
  return satlua_push_boolean(L,
                             satlua_check_status(L, 2, sat_overlaps(a, b, satlua_get_scratch(L))));
}

static int pair_collide(lua_State *L) {
  const sat_Shape *a = satlua_check_shape(L, 1, "a");
  const sat_Shape *b = satlua_check_shape(L, 2, "b");
  sat_Result result;
  if (!satlua_check_status(L, 2, sat_collide(a, b, satlua_get_scratch(L), &result)))
    return satlua_push_none(L);
  satlua_push_vec2(L, result.vector);
  lua_pushnumber(L, result.depth);
  return 3;
}

static int pair_contacts(lua_State *L) {
  const sat_Shape *a = satlua_check_shape(L, 1, "a");
  const sat_Shape *b = satlua_check_shape(L, 2, "b");
  sat_Manifold manifold;
  if (!satlua_check_status(L, 2, sat_contacts(a, b, satlua_get_scratch(L), &manifold)))
    return satlua_push_none(L);
  satlua_push_vec2(L, manifold.normal);
  lua_pushnumber(L, manifold.depth);
  for (uint32_t i = 0; i < manifold.count; i++) satlua_push_vec2(L, manifold.points[i]);
  return 3 + 2 * (int)manifold.count;
}

static int pair_distance(lua_State *L) {
  const sat_Shape *a = satlua_check_shape(L, 1, "a");
  const sat_Shape *b = satlua_check_shape(L, 2, "b");
  sat_Distance result;
  satlua_check_status(L, 2, sat_distance(a, b, satlua_get_scratch(L), &result));
  lua_pushnumber(L, result.distance);
  satlua_push_vec2(L, result.on_a);
  satlua_push_vec2(L, result.on_b);
  return 5;
}

static void check_convex(lua_State *L, int arg, const char *name, const sat_Shape *shape) {
  if (!sat_shape_is_convex(shape))
    satlua_raise_argument(L, arg, "%s must be convex: ask each of its pieces, shape:pieces()",
                          name);
}

static int pair_axis(lua_State *L) {
  const sat_Shape *a = satlua_check_shape(L, 1, "a");
  const sat_Shape *b = satlua_check_shape(L, 2, "b");
  check_convex(L, 1, "a", a);
  check_convex(L, 2, "b", b);
  sat_Axis axis;
  satlua_check_status(L, 2, sat_axis(a, b, satlua_get_scratch(L), &axis));
  satlua_push_vec2(L, axis.normal);
  lua_pushnumber(L, axis.separation + 0.0);
  return 3;
}

static int pair_contains(lua_State *L) {
  const sat_Shape *a = satlua_check_shape(L, 1, "a");
  const sat_Shape *b = satlua_check_shape(L, 2, "b");
  return satlua_push_boolean(L,
                             satlua_check_status(L, 2, sat_contains(a, b, satlua_get_scratch(L))));
}

static int pair_cast(lua_State *L) {
  const sat_Shape *a = satlua_check_shape(L, 1, "a");
  sat_Vec2 motion = satlua_check_vec2(L, 2, "dx", "dy");
  const sat_Shape *b = satlua_check_shape(L, 4, "b");
  sat_Hit hit;
  if (!satlua_check_status(L, 4, sat_cast(a, motion, b, satlua_get_scratch(L), &hit)))
    return satlua_push_none(L);
  return satlua_push_hit(L, &hit);
}

static int shape_raycast(lua_State *L) {
  const sat_Shape *shape = satlua_check_shape(L, 1, "s");
  sat_Vec2 from = satlua_check_vec2(L, 2, "x1", "y1");
  sat_Vec2 to = satlua_check_vec2(L, 4, "x2", "y2");
  sat_Hit hit;
  if (!satlua_check_status(L, 2, sat_raycast(shape, from, to, satlua_get_scratch(L), &hit)))
    return satlua_push_none(L);
  lua_pushnumber(L, hit.t + 0.0);
  satlua_push_vec2(L, hit.normal);
  return 3;
}

static const luaL_Reg pair_functions[] = {
    {"overlaps", pair_overlaps}, {"collide", pair_collide},
    {"contacts", pair_contacts}, {"distance", pair_distance},
    {"axis", pair_axis},         {"cast", pair_cast},
    {"raycast", shape_raycast},  {NULL, NULL},
};

/* The method takes a point or a shape, distinguished by the type of its first argument. */
static int shape_contains(lua_State *L) {
  const sat_Shape *shape = satlua_check_self(L);
  if (lua_type(L, 2) != LUA_TNUMBER) {
    const sat_Shape *other = satlua_to_shape(L, 2);
    if (other) {
      return satlua_push_boolean(
          L, satlua_check_status(L, 2, sat_contains(shape, other, satlua_get_scratch(L))));
    }
    return satlua_raise_type(L, 2, "x", "number or a shape");
  }
  sat_Vec2 point = satlua_check_vec2(L, 2, "x", "y");
  return satlua_push_boolean(
      L, satlua_check_status(L, 2, sat_contains_point(shape, point, satlua_get_scratch(L))));
}

/* ---------------------------------------------------------------- the rest of the module */

static int module_type(lua_State *L) {
  if (lua_isnone(L, 1)) return satlua_raise_argument(L, 1, "value is missing");
  if (lua_gettop(L) > 1) satlua_check_dot(L);
  return satlua_push_type(L, 1) ? 1 : satlua_push_none(L);
}

static int module_validate(lua_State *L) {
  sat_Vec2 few[SATLUA_FEW_POINTS];
  satlua_Points points = satlua_check_coordinates(L, 1, few);
  if (points.is_odd) {
    lua_pushnil(L);
    satlua_push_odd_fault(L, &points);
    lua_pushinteger(L, (lua_Integer)points.given);
    return 3;
  }
  sat_RingError error = {0, 0};
  sat_Status status = sat_ring_clean(points.at, &points.count, satlua_get_scratch(L), &error);
  if (status == SAT_ENOMEM) return satlua_raise_status(L, 1, status);
  if (status == SAT_OK) {
    return satlua_push_boolean(L, 1);
  }
  lua_pushnil(L);
  int coordinate = satlua_points_blame(L, &points, status, error);
  if (coordinate == 0) return 2;
  lua_pushinteger(L, (coordinate + 1) / 2);
  return 3;
}

static const luaL_Reg module_functions[] = {
    {"contains", pair_contains},
    {"type", module_type},
    {"validate", module_validate},
    {NULL, NULL},
};
static const luaL_Reg module_methods[] = {
    {"contains", shape_contains},
    {NULL, NULL},
};

/* ---------------------------------------------------------------- opening */

/* The places in a table of the registry that all modules made by this copy of the library share
 * within one Lua state, so that a shape from one is a shape to the others. */
enum {
  METATABLE = 1,
  METHODS,
  SCRATCH,
  QUADTREE_METATABLE,
  QUADTREE_METHODS,
  WORLD_METATABLE,
  WORLD_METHODS,
  COMMON_SIZE = WORLD_METHODS
};

/* The stack indices of the table's values, which lie in a row above `base`. */
static satlua_Common common_below(int base) {
  satlua_Common common = {base + METATABLE, base + SCRATCH, base + QUADTREE_METATABLE,
                          base + WORLD_METATABLE};
  return common;
}

/* Pushes the key of this copy, which has its address: another copy may lay out shapes in another
 * way. */
static void push_common_key(lua_State *L) {
  static const char here = 0;
  lua_pushfstring(L, "sat %p", (const void *)&here);
}

static void make_common(lua_State *L) {
  lua_createtable(L, COMMON_SIZE, 0);
  int table = lua_gettop(L);
  satlua_Common common = common_below(table);
  for (int i = METATABLE; i <= COMMON_SIZE; i++) {
    if (i == SCRATCH) satlua_push_context(L);
    else lua_newtable(L);
  }
  satlua_shape_set_metatable(L, &common, table + METHODS);
  satlua_quadtree_set_metatable(L, &common, table + QUADTREE_METHODS);
  satlua_world_set_metatable(L, &common, table + WORLD_METHODS);
  for (int i = COMMON_SIZE; i >= METATABLE; i--) lua_rawseti(L, table, i);
}

static void push_common(lua_State *L) {
  push_common_key(L);
  lua_pushvalue(L, -1);
  lua_rawget(L, LUA_REGISTRYINDEX);
  if (lua_istable(L, -1)) {
    lua_remove(L, -2);
    return;
  }
  lua_pop(L, 1);
  make_common(L);
  lua_insert(L, -2);
  lua_pushvalue(L, -2);
  lua_rawset(L, LUA_REGISTRYINDEX);
}

static void fill_module(lua_State *L, const satlua_Common *common) {
  satlua_register(L, common, satlua_shape_constructors, false);
  satlua_register(L, common, satlua_quadtree_constructors, false);
  satlua_register(L, common, satlua_world_constructors, false);
  satlua_register(L, common, pair_functions, false);
  satlua_register(L, common, module_functions, false);
  satlua_register(L, common, satlua_shape_drawing, false);
  satlua_register(L, common, satlua_world_drawing, false);
  satlua_register(L, common, satlua_ffi_functions, false);
  lua_pushliteral(L, "sat " SAT_VERSION);
  lua_setfield(L, -2, "_VERSION");
}

static void fill_methods(lua_State *L, const satlua_Common *common) {
  lua_pushvalue(L, 1 + METHODS);
  satlua_register(L, common, satlua_shape_transforms, true);
  satlua_register(L, common, satlua_shape_queries, true);
  satlua_register(L, common, satlua_shape_copies, true);
  satlua_register(L, common, satlua_shape_settings, true);
  satlua_register(L, common, satlua_world_of_shape, true);
  satlua_register(L, common, pair_functions, true);
  satlua_register(L, common, module_methods, true);
  lua_pushvalue(L, 1 + QUADTREE_METHODS);
  satlua_register(L, common, satlua_quadtree_methods, true);
  satlua_register(L, common, satlua_quadtree_edits, true);
  satlua_register(L, common, satlua_quadtree_queries, true);
  satlua_register(L, common, satlua_quadtree_iterators, true);
  lua_pushvalue(L, 1 + WORLD_METHODS);
  satlua_register(L, common, satlua_world_methods, true);
  satlua_register(L, common, satlua_world_queries, true);
  satlua_register(L, common, satlua_world_iterators, true);
  satlua_register(L, common, satlua_world_saving, true);
  satlua_register(L, common, satlua_world_moving, true);
  lua_pop(L, 3);
}

/* Takes the path that this library was loaded from, if the caller knows it. Returns a new table
 * with the module's functions. For the Lua side, the table also has `methods`, `worldMethods` and
 * `treeMethods`, the tables of the methods of shapes, worlds and quadtrees, to which the Lua side
 * adds its own; the functions `ffiInterface` (see lua/ffi.c), `pieceOf` (see lua/shape_queries.c)
 * and `wayOf` (see lua/world_move.c); and `build`, by which the Lua side checks that the two belong
 * together. Scripts that change those tables change the meaning of names; the functions trust no
 * value in them. */
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
  lua_pushvalue(L, 1);
  lua_replace(L, LUA_ENVIRONINDEX);
#endif
  for (int i = METATABLE; i <= COMMON_SIZE; i++) lua_rawgeti(L, 1, i);
  satlua_Common common = common_below(1);
  fill_methods(L, &common);
  lua_newtable(L);
  fill_module(L, &common);
  lua_pushvalue(L, 1 + METHODS);
  lua_setfield(L, -2, "methods");
  lua_pushvalue(L, 1 + WORLD_METHODS);
  lua_setfield(L, -2, "worldMethods");
  lua_pushvalue(L, 1 + QUADTREE_METHODS);
  lua_setfield(L, -2, "treeMethods");
  lua_pushliteral(L, BUILD);
  lua_setfield(L, -2, "build");
  return 1;
}
