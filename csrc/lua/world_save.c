/* world_save.c: worlds as strings, and back. */
#include "lua/shape_methods.h"
#include "lua/world_state.h"

/* The bytes are written into a userdata first: a buffer of Lua's may move while it grows. */
static int world_save(lua_State *L) {
  const sat_LuaWorld *world = sat_luaworld_check(L);
  size_t size = 0, now;
  void *bytes = NULL;
  while ((now = sat_world_saved_size(&world->core)) > size) { /* again if a finalizer adds some */
    size = now;
    bytes = lua_newuserdata(L, size);
    world = sat_luaworld_check(L);
  }
  sat_world_save(&world->core, bytes);
  lua_pushlstring(L, bytes, now);
  return 1;
}

/* What load has on the stack. */
enum { STRING = 2, BLOCKS, SHAPES };

/* Makes the shapes that the world does not have, at their places in the list SHAPES. A finalizer
 * may remove others meanwhile. Returns whether there were any to be made. */
static bool make_shapes(lua_State *L, const sat_Saved *saved, sat_Shape **blocks) {
  sat_SavedShape shape = {0};
  bool made = false;
  for (int i = 0; sat_saved_next(saved, &shape); i++) {
    if (blocks[i]) continue;
    lua_rawgeti(L, SHAPES, i + 1);
    if (lua_isnil(L, -1)) {
      sat_Shape *block = lua_newuserdata(L, shape.bytes);
      block->owner = NULL;
      block->moved = NULL;
      lua_rawseti(L, SHAPES, i + 1);
      made = true;
    }
    lua_settop(L, SHAPES);
  }
  return made;
}

/* Puts those that the world has into the list as well, and the new ones among the blocks. */
static void join(lua_State *L, const sat_Saved *saved, sat_Shape **blocks) {
  sat_luaworld_push(L, SAT_WORLD_HOME_SHAPES);
  for (uint32_t i = 0; i < saved->count; i++) {
    if (blocks[i]) lua_rawgeti(L, SHAPES + 1, (int)blocks[i]->slot + 1);
    else lua_rawgeti(L, SHAPES, (int)i + 1);
    blocks[i] = lua_touserdata(L, -1);
    lua_rawseti(L, SHAPES, (int)i + 1);
  }
  lua_settop(L, SHAPES);
}

/* Now that they are shapes, each takes its place. */
static void place(lua_State *L, const sat_LuaWorld *world, const sat_Saved *saved) {
  sat_SavedShape shape = {0};
  sat_luaworld_push(L, SAT_WORLD_HOME_SHAPES);
  for (size_t i = 1; i <= world->places; i++) {
    lua_pushboolean(L, 0);
    lua_rawseti(L, SHAPES + 1, (int)i);
  }
  for (int i = 0; sat_saved_next(saved, &shape); i++) {
    lua_rawgeti(L, SHAPES, i + 1);
    lua_pushvalue(L, lua_upvalueindex(SAT_UP_METATABLE));
    lua_setmetatable(L, -2);
    lua_rawseti(L, SHAPES + 1, (int)shape.slot + 1);
  }
  lua_settop(L, SHAPES);
}

/* What may raise an error comes first, and after the last match no finalizer runs. */
static int world_load(lua_State *L) {
  sat_LuaWorld *world = sat_luaworld_check_changing(L);
  sat_Saved saved;
  size_t size;
  if (lua_type(L, STRING) != LUA_TSTRING) return sat_raise_type(L, STRING, "saved", "string");
  const char *bytes = lua_tolstring(L, STRING, &size);
  lua_settop(L, STRING);
  sat_luaworld_is_hit(L, sat_saved_open(&saved, bytes, size, sat_get_scratch(L)));
  sat_Shape **blocks = sat_push_array(L, saved.count + (size_t)1, sizeof *blocks);
  lua_createtable(L, (int)saved.count, 0);
  luaL_checkstack(L, 8, "too many shapes");
  do {
    world = sat_luaworld_check(L);
    world = sat_luaworld_reserve(L, world, saved.end);
    sat_luaworld_is_hit(L, sat_world_match(&world->core, &saved, blocks));
  } while (make_shapes(L, &saved, blocks));
  join(L, &saved, blocks);
  sat_luaworld_keep_all(L, world);
  sat_luaworld_is_hit(L, sat_world_load(&world->core, &saved, blocks));
  place(L, world, &saved);
  sat_luaworld_forget(L, SAT_WORLD_HOME_ENDED);
  sat_luaworld_forget(L, SAT_WORLD_HOME_ENDING);
  world->has_ended = world->has_ending = false;
  lua_settop(L, 1);
  return sat_luaworld_finish(L, world, 1);
}

const luaL_Reg sat_world_saving[] = {
    {"save", world_save},
    {"load", world_load},
    {NULL, NULL},
};
