/* world_save.c: saves worlds as strings, and loads them. */
#include "lua/shape_methods.h"
#include "lua/world_state.h"

#include <string.h>

/* Pushes the string in the field `since` of the options at index 2. Returns false where there is
 * none. */
static bool push_since(lua_State *L) {
  satlua_check_table(L, 2, "options");
  for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) {
    bool is_since = lua_type(L, -2) == LUA_TSTRING && strcmp(lua_tostring(L, -2), "since") == 0;
    if (!is_since) satlua_raise_argument(L, 2, "the only option is 'since'");
  }
  lua_pushliteral(L, "since");
  lua_rawget(L, 2);
  if (lua_isnil(L, -1)) return false;
  if (lua_type(L, -1) != LUA_TSTRING)
    satlua_raise_argument(L, 2, "since must be a string, not a %s", luaL_typename(L, -1));
  return true;
}

static int save_since(lua_State *L) {
  enum { SINCE = 3 };
  satlua_World *world = satlua_world_set_base(L, SINCE, 2);
  satlua_world_push_delta(L);
  return satlua_finish(L, &world->owner, 1);
}

/* The bytes are written into a userdata first: a buffer of Lua's may move while it grows. */
static int world_save(lua_State *L) {
  const satlua_World *world = satlua_world_check(L);
  lua_settop(L, 2);
  if (!lua_isnil(L, 2) && push_since(L)) return save_since(L);
  size_t size = 0, now;
  void *bytes = NULL;
  while ((now = sat_world_saved_size(world->core)) > size) { /* again if a finalizer adds some */
    size = now;
    bytes = lua_newuserdata(L, size);
    world = satlua_world_check(L);
  }
  sat_world_save(world->core, bytes);
  lua_pushlstring(L, bytes, now);
  return 1;
}

/* Stack indices of load. */
enum { STRING = 2, BLOCKS, SHAPES };

/* Makes the shapes that the world does not have, at their places in the list SHAPES. A finalizer
 * may remove others meanwhile. Returns whether it has made any. */
static bool world_save_make_shapes(lua_State *L, const sat_Saved *saved, sat_Shape **blocks) {
  sat_SavedShape shape = {0};
  bool made = false;
  for (int i = 0; sat_saved_next(saved, &shape); i++) {
    if (!blocks[i] && satlua_world_make_block(L, SHAPES, i + 1, shape.bytes)) made = true;
  }
  return made;
}

/* Adds the shapes that the world has to the list, and the new ones to the blocks. */
static void join_records(lua_State *L, const sat_World *world, const sat_Saved *saved,
                         sat_Shape **blocks) {
  satlua_push_state(L, SATLUA_WORLD_STATE_SHAPES);
  for (uint32_t i = 0; i < saved->count; i++) {
    if (blocks[i]) lua_rawgeti(L, SHAPES + 1, (int)sat_world_index(world, blocks[i]) + 1);
    else lua_rawgeti(L, SHAPES, (int)i + 1);
    blocks[i] = lua_touserdata(L, -1);
    lua_rawseti(L, SHAPES, (int)i + 1);
  }
  lua_settop(L, SHAPES);
}

/* Puts each shape, now that the core has made it, into its place. */
static void place_shape(lua_State *L, const satlua_World *world, const sat_Saved *saved) {
  sat_SavedShape shape = {0};
  satlua_push_state(L, SATLUA_WORLD_STATE_SHAPES);
  for (size_t i = 1; i <= world->place_count; i++) {
    lua_pushboolean(L, 0);
    lua_rawseti(L, SHAPES + 1, (int)i);
  }
  for (int i = 0; sat_saved_next(saved, &shape); i++) {
    lua_rawgeti(L, SHAPES, i + 1);
    satlua_shape_seal(L);
    lua_rawseti(L, SHAPES + 1, (int)shape.index + 1);
  }
  lua_settop(L, SHAPES);
}

/* Steps that may raise an error come first, and after the last match no finalizer runs. */
static int world_load(lua_State *L) {
  satlua_World *world;
  satlua_world_check_changing_all(L);
  sat_Saved saved;
  size_t size;
  if (lua_type(L, STRING) != LUA_TSTRING) return satlua_raise_type(L, STRING, "saved", "string");
  const char *bytes = lua_tolstring(L, STRING, &size);
  lua_settop(L, STRING);
  if (sat_saved_is_delta(bytes, size)) return satlua_world_load_delta(L);
  satlua_check_status(L, 2, sat_saved_open(&saved, bytes, size, satlua_get_scratch(L)));
  sat_Shape **blocks = satlua_push_array(L, saved.count + (size_t)1, sizeof(sat_Shape *));
  lua_createtable(L, (int)saved.count, 0);
  luaL_checkstack(L, 8, "too many shapes");
  do {
    world = satlua_world_check(L);
    world = satlua_world_reserve(L, world, saved.end);
    satlua_check_status(L, 2, sat_world_match(world->core, &saved, blocks));
  } while (world_save_make_shapes(L, &saved, blocks));
  join_records(L, world->core, &saved, blocks);
  satlua_world_keep_all(L, world);
  satlua_check_status(L, 2, sat_world_load(world->core, &saved, blocks));
  place_shape(L, world, &saved);
  satlua_world_forget_ended(L, world);
  lua_getuservalue(L, 1);
  lua_pushvalue(L, STRING);
  lua_rawseti(L, -2, SATLUA_WORLD_STATE_LOADED);
  lua_settop(L, 1);
  return satlua_finish(L, &world->owner, 1);
}

const luaL_Reg satlua_world_saving[] = {
    {"save", world_save},
    {"load", world_load},
    {NULL, NULL},
};
