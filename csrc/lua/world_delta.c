/* world_delta.c: saves and loads deltas, the differences from an earlier save, as strings.
 *
 * The core's base points into a string that the world's state table keeps. A finalizer, which any
 * allocation may run, may set another base: so values from the core are read again after each
 * allocation, until a round makes none. */
#include "lua/world_state.h"

#include "lua/shape_methods.h"

/* ---------------------------------------------------------------- the base */

/* Keeps a string in the state table, at a place that exists already, so that no memory is taken. */
static void keep_string(lua_State *L, int place, int index) {
  lua_getuservalue(L, 1);
  lua_pushvalue(L, index);
  lua_rawseti(L, -2, place);
  lua_pop(L, 1);
}

void satlua_world_forget_base(lua_State *L) {
  lua_pushboolean(L, 0);
  keep_string(L, SATLUA_WORLD_STATE_BASE, lua_gettop(L));
  keep_string(L, SATLUA_WORLD_STATE_LOADED, lua_gettop(L));
  lua_pop(L, 1);
}

static bool has_base(lua_State *L, const satlua_World *world, int index) {
  size_t size;
  const char *bytes = lua_tolstring(L, index, &size);
  return sat_world_has_base(world->core, bytes, size);
}

static void raise_base(lua_State *L, int arg, sat_Status status) {
  if (status == SAT_EBASE) satlua_raise_argument(L, arg, "since is no save of this world");
  satlua_raise_status(L, arg, status);
}

satlua_World *satlua_world_set_base(lua_State *L, int index, int arg) {
  size_t size;
  const char *bytes = lua_tolstring(L, index, &size);
  satlua_World *world = satlua_world_check(L);
  if (has_base(L, world, index)) return world;
  sat_Saved saved;
  sat_Status status = sat_saved_open(&saved, bytes, size, satlua_get_scratch(L));
  world = satlua_world_check(L);
  if (!status) status = sat_world_set_base(world->core, &saved, size);
  if (status) raise_base(L, arg, status);
  keep_string(L, SATLUA_WORLD_STATE_BASE, index);
  return world;
}

/* ---------------------------------------------------------------- saving */

/* The base is on top of the stack. */
int satlua_world_push_delta(lua_State *L) {
  int base = lua_gettop(L);
  size_t room = 0, size;
  void *bytes = NULL;
  for (;;) {
    satlua_World *world = satlua_world_set_base(L, base, 2);
    sat_Status status = sat_world_delta_size(world->core, &size);
    if (status) raise_base(L, 2, status);
    if (size <= room) break;
    lua_settop(L, base);
    bytes = lua_newuserdata(L, room = size);
  }
  sat_world_save_delta(satlua_world_check(L)->core, bytes);
  lua_pushlstring(L, bytes, size);
  return 1;
}

/* ---------------------------------------------------------------- loading */

/* Stack indices of load. */
enum { DELTA = 2, NEW_SHAPES, LOADED, DELTA_SHAPES, DELTA_BLOCKS };

/* A delta, and the shapes that loading it changes, with their number and the capacity of the
 * arrays. */
typedef struct Loading {
  sat_Delta delta;
  satlua_World *world;
  sat_SavedShape *shapes;
  sat_Shape **blocks;
  size_t count, room;
} Loading;

/* Makes the string that was loaded last the base if the delta was made since. */
static void find_base(lua_State *L, Loading *loading) {
  size_t size;
  loading->world = satlua_world_check(L);
  if (sat_delta_fits(&loading->delta, loading->world->core)) return;
  satlua_push_state(L, SATLUA_WORLD_STATE_LOADED);
  lua_replace(L, LOADED);
  const char *bytes = lua_type(L, LOADED) == LUA_TSTRING ? lua_tolstring(L, LOADED, &size) : NULL;
  if (!bytes || !sat_delta_is_since(&loading->delta, bytes, size))
    satlua_raise_status(L, 2, SAT_EBASE);
  loading->world = satlua_world_set_base(L, LOADED, 2);
}

/* Makes room for the shapes. Returns false if memory had to be taken. */
static bool has_room(lua_State *L, Loading *loading) {
  size_t most = sat_delta_most(loading->world->core, &loading->delta);
  if (most <= loading->room) return true;
  loading->shapes = satlua_push_array(L, most, sizeof *loading->shapes);
  lua_replace(L, DELTA_SHAPES);
  loading->blocks = satlua_push_array(L, most, sizeof(sat_Shape *));
  lua_replace(L, DELTA_BLOCKS);
  loading->room = most;
  return false;
}

static size_t end_of(const Loading *loading) {
  size_t end = 0;
  for (size_t i = 0; i < loading->count; i++)
    if (loading->shapes[i].index >= end) end = (size_t)loading->shapes[i].index + 1;
  return end;
}

/* Makes the missing shapes, by index in the list NEW_SHAPES. Returns false if there were any. */
static bool has_shapes(lua_State *L, const Loading *loading) {
  bool made = false;
  for (size_t i = 0; i < loading->count; i++) {
    const sat_SavedShape *shape = &loading->shapes[i];
    if (!shape->record || loading->blocks[i]) continue;
    if (satlua_world_make_block(L, NEW_SHAPES, (int)shape->index + 1, shape->bytes)) made = true;
  }
  return !made;
}

/* One round. Returns false if memory was taken, so that a finalizer may have changed the world. */
static bool prepare(lua_State *L, Loading *loading) {
  find_base(L, loading);
  if (!has_room(L, loading)) return false;
  satlua_check_status(
      L, 2,
      sat_delta_shapes(loading->world->core, &loading->delta, loading->shapes, &loading->count));
  size_t end = end_of(loading);
  if (end > loading->world->place_count) {
    satlua_world_reserve(L, loading->world, end);
    return false;
  }
  sat_world_match_delta(loading->world->core, loading->shapes, loading->count, loading->blocks);
  return has_shapes(L, loading);
}

/* Adds the new shapes to the blocks. */
static void join_new(lua_State *L, const Loading *loading) {
  for (size_t i = 0; i < loading->count; i++) {
    if (!loading->shapes[i].record || loading->blocks[i]) continue;
    lua_rawgeti(L, NEW_SHAPES, (int)loading->shapes[i].index + 1);
    loading->blocks[i] = lua_touserdata(L, -1);
    lua_settop(L, DELTA_BLOCKS);
  }
}

/* Puts each shape into its place, unless it is there already. */
static void place_shapes(lua_State *L, const Loading *loading) {
  satlua_push_state(L, SATLUA_WORLD_STATE_SHAPES);
  for (size_t i = 0; i < loading->count; i++) {
    int place = (int)loading->shapes[i].index + 1;
    lua_rawgeti(L, DELTA_BLOCKS + 1, place);
    bool is_place = (size_t)place <= loading->world->place_count;
    if (loading->shapes[i].record && lua_touserdata(L, -1) != loading->blocks[i]) {
      lua_rawgeti(L, NEW_SHAPES, place);
      satlua_shape_seal(L);
      lua_rawseti(L, DELTA_BLOCKS + 1, place);
    } else if (is_place && !loading->shapes[i].record) {
      lua_pushboolean(L, 0);
      lua_rawseti(L, DELTA_BLOCKS + 1, place);
    }
    lua_settop(L, DELTA_BLOCKS + 1);
  }
  lua_settop(L, DELTA_BLOCKS);
}

int satlua_world_load_delta(lua_State *L) {
  Loading loading = {.world = NULL};
  size_t size;
  const char *bytes = lua_tolstring(L, DELTA, &size);
  satlua_check_status(L, 2, sat_delta_open(&loading.delta, bytes, size));
  lua_newtable(L);
  lua_settop(L, DELTA_BLOCKS);
  luaL_checkstack(L, 8, "too many shapes");
  while (!prepare(L, &loading))
    ;
  join_new(L, &loading);
  satlua_world_keep_all(L, loading.world);
  satlua_check_status(L, 2,
                      sat_world_load_delta(loading.world->core, &loading.delta, loading.shapes,
                                           loading.count, loading.blocks));
  place_shapes(L, &loading);
  satlua_world_forget_ended(L, loading.world);
  lua_settop(L, 1);
  return satlua_finish(L, &loading.world->owner, 1);
}
