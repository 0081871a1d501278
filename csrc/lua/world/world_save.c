/* world_save.c: saves worlds, or their differences from an earlier save, as strings, and loads
 * them.
 *
 * The core's base points into a string that the world's state table keeps. A finalizer, which any
 * allocation may run, may change the world and its base: so values from the core are read again
 * after each allocation, until a round makes none. */
#include "lua/shape/shape_methods.h"
#include "lua/world/world_state.h"

#include <string.h>

/* ---------------------------------------------------------------- the strings of a world */

/* Makes the string at a stack index the base of the world's deltas, unless it is the base already.
 * No finalizer runs. */
static void set_base(lua_State *L, int index) {
  size_t size;
  const char *bytes = lua_tolstring(L, index, &size);
  const satlua_World *world = satlua_world_check(L);
  sat_Saved saved;
  if (sat_world_has_base(world->core, bytes, size)) return;
  sat_Status status = sat_saved_open(&saved, bytes, size, satlua_get_scratch(L));
  if (!status) status = sat_world_set_base(world->core, &saved);
  if (status == SAT_EBASE) satlua_raise_argument(L, 2, "since is no save of this world");
  satlua_check_status(L, 2, status);
  satlua_world_keep_string(L, SATLUA_WORLD_STATE_BASE, index);
}

/* ---------------------------------------------------------------- saving */

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

enum { SINCE = 3, BYTES };

static size_t save_size(lua_State *L, bool is_delta) {
  sat_World *core = satlua_world_check(L)->core;
  size_t size;
  if (!is_delta) return sat_world_saved_size(core);
  set_base(L, SINCE);
  sat_Status status = sat_world_delta_size(core, &size);
  if (status == SAT_EBASE) satlua_raise_argument(L, 2, "since is no save of this world");
  satlua_check_status(L, 2, status);
  return size;
}

/* The bytes are written into a userdata first: a buffer of Lua's may move while it grows. A whole
 * save is kept for deltas since, and so is the base. */
static int world_save(lua_State *L) {
  size_t room = 0, size;
  void *bytes = NULL;
  (void)satlua_world_check(L);
  lua_settop(L, 2);
  bool is_delta = !lua_isnil(L, 2) && push_since(L);
  while ((size = save_size(L, is_delta)) > room) {
    lua_settop(L, SINCE);
    bytes = lua_newuserdata(L, room = size);
  }
  satlua_World *world = satlua_world_check(L);
  if (is_delta) sat_world_save_delta(world->core, bytes);
  else sat_world_save(world->core, bytes);
  lua_pushlstring(L, bytes, size);
  if (is_delta) satlua_world_keep_string(L, SATLUA_WORLD_STATE_SINCE, SINCE);
  else satlua_world_keep_string(L, SATLUA_WORLD_STATE_SAVED, BYTES + 1);
  return satlua_finish(L, 1);
}

/* ---------------------------------------------------------------- loading */

/* Stack indices of load. */
enum { STRING = 2, NEW_SHAPES, KEPT, LIST, BLOCKS };

/* A save, and the shapes that loading it changes, with their number and the capacity of the
 * arrays. */
typedef struct Loading {
  sat_Saved saved;
  satlua_World *world;
  sat_SavedShape *shapes;
  sat_Shape **blocks;
  size_t count, room;
} Loading;

/* Makes the base the string that the delta was made since, if the world has kept it. */
static void find_base(lua_State *L, Loading *loading) {
  size_t size;
  loading->world = satlua_world_check(L);
  if (sat_world_takes(loading->world->core, &loading->saved)) return;
  for (int place = SATLUA_WORLD_STATE_SINCE; place <= SATLUA_WORLD_STATE_SAVED; place++) {
    satlua_push_state(L, place);
    lua_replace(L, KEPT);
    const char *bytes = lua_type(L, KEPT) == LUA_TSTRING ? lua_tolstring(L, KEPT, &size) : NULL;
    bool is_since = bytes && sat_saved_is_since(&loading->saved, bytes, size);
    if (is_since) set_base(L, KEPT);
    if (is_since) return;
  }
  satlua_raise_status(L, 2, SAT_EBASE);
}

/* Makes room for the shapes. Returns false if memory had to be taken. */
static bool has_room_for_shapes(lua_State *L, Loading *loading) {
  size_t most = sat_world_most_listed(loading->world->core, &loading->saved);
  if (most <= loading->room) return true;
  loading->shapes = satlua_push_array(L, most, sizeof *loading->shapes);
  lua_replace(L, LIST);
  loading->blocks = satlua_push_array(L, most, sizeof(sat_Shape *));
  lua_replace(L, BLOCKS);
  loading->room = most;
  return false;
}

/* Sets the blocks of new shapes, by index in the list NEW_SHAPES. A round before may have made a
 * block of another size for another shape. Returns false if one had to be made. */
static bool has_blocks(lua_State *L, const Loading *loading) {
  bool made = false;
  for (size_t i = 0; i < loading->count; i++) {
    const sat_SavedShape *shape = &loading->shapes[i];
    if (!shape->record || loading->blocks[i]) continue;
    lua_rawgeti(L, NEW_SHAPES, (int)shape->index + 1);
    if (!lua_touserdata(L, -1) || lua_rawlen(L, -1) != shape->bytes) {
      lua_pop(L, 1);
      sat_shape_prepare(lua_newuserdata(L, shape->bytes), shape->bytes, NULL);
      lua_pushvalue(L, -1);
      lua_rawseti(L, NEW_SHAPES, (int)shape->index + 1);
      made = true;
    }
    loading->blocks[i] = lua_touserdata(L, -1);
    lua_pop(L, 1);
  }
  return !made;
}

/* One round. Returns false if memory was taken, so that a finalizer may have changed the world. */
static bool prepare(lua_State *L, Loading *loading) {
  find_base(L, loading);
  if (!has_room_for_shapes(L, loading)) return false;
  sat_World *core = loading->world->core;
  satlua_check_status(L, 2,
                      sat_world_list(core, &loading->saved, loading->shapes, &loading->count));
  size_t end = 0;
  for (size_t i = 0; i < loading->count; i++)
    if (loading->shapes[i].index >= end) end = (size_t)loading->shapes[i].index + 1;
  if (end > loading->world->place_count) {
    satlua_world_reserve(L, loading->world, end);
    return false;
  }
  sat_world_match(core, loading->shapes, loading->count, loading->blocks);
  return has_blocks(L, loading);
}

/* Puts each shape into its place, unless it is there already. */
static void place_shapes(lua_State *L, const Loading *loading) {
  enum { PLACES = BLOCKS + 1 };
  satlua_push_state(L, SATLUA_WORLD_STATE_SHAPES);
  for (size_t i = 0; i < loading->count; i++) {
    int place = (int)loading->shapes[i].index + 1;
    if ((size_t)place > loading->world->place_count) continue;
    lua_rawgeti(L, PLACES, place);
    if (!loading->shapes[i].record) {
      lua_pushboolean(L, 0);
      lua_rawseti(L, PLACES, place);
    } else if (lua_touserdata(L, -1) != loading->blocks[i]) {
      lua_rawgeti(L, NEW_SHAPES, place);
      satlua_shape_seal(L, SAT_OK);
      lua_rawseti(L, PLACES, place);
    }
    lua_settop(L, PLACES);
  }
}

/* Steps that may raise an error come first, and in the last round no finalizer runs. */
static int world_load(lua_State *L) {
  enum { MOST_MAKING_ROUNDS = 100 };
  Loading loading = {.world = NULL};
  size_t size;
  satlua_world_check_changing_all(L);
  if (lua_type(L, STRING) != LUA_TSTRING) return satlua_raise_type(L, STRING, "saved", "string");
  const char *bytes = lua_tolstring(L, STRING, &size);
  satlua_check_status(L, 2, sat_saved_open(&loading.saved, bytes, size, satlua_get_scratch(L)));
  lua_settop(L, STRING);
  lua_newtable(L);
  lua_settop(L, BLOCKS);
  luaL_checkstack(L, 8, "too many shapes");
  for (int round = 0; !prepare(L, &loading); round++)
    if (round == MOST_MAKING_ROUNDS)
      return luaL_error(L, "finalizers change the world while it is loaded");
  for (size_t i = 0; i < loading.count; i++) {
    const sat_Shape *there = sat_world_shape(loading.world->core, loading.shapes[i].index);
    if (there && sat_world_is_listed(loading.world->core, there))
      satlua_world_keep(L, loading.world, SATLUA_WORLD_STATE_KEPT, there);
  }
  satlua_check_status(L, 2,
                      sat_world_load(loading.world->core, &loading.saved, loading.shapes,
                                     loading.count, loading.blocks));
  place_shapes(L, &loading);
  satlua_world_forget(L, loading.world, SATLUA_WORLD_STATE_ENDED);
  satlua_world_forget(L, loading.world, SATLUA_WORLD_STATE_ENDING);
  if (!sat_saved_is_delta(&loading.saved))
    satlua_world_keep_string(L, SATLUA_WORLD_STATE_LOADED, STRING);
  return satlua_finish(L, satlua_return_self(L));
}

const luaL_Reg satlua_world_saving[] = {
    {"save", world_save},
    {"load", world_load},
    {NULL, NULL},
};
