/* world.c: worlds as a script sees them: their memory, the tables of shapes, the checks that all
 * methods begin with, adding and removing shapes, the constructor and the metatable.
 *
 * Errors leave the core and the tables as they were: the steps that may raise one, for want of
 * memory, come before all changes. */
#include "lua/shape/shape_methods.h"
#include "lua/world/world_state.h"

#include <string.h>

/* ---------------------------------------------------------------- memory */

static void free_lists(satlua_World *world) {
  SAT_LIST_FREE(&world->found);
  SAT_LIST_FREE(&world->answered);
  SAT_LIST_FREE(&world->asked);
  SAT_LIST_FREE(&world->open.shapes);
  SAT_LIST_FREE(&world->seen);
}

/* Frees all memory of a world but its block, when the world or its state ends. The shapes may be
 * freed already, if the world's finalizer was not called for want of stack. */
static void release_world(satlua_TrackedMemory *memory) {
  satlua_World *world = (satlua_World *)memory;
  if (world->changes) sat_world_discard(world->core);
  free_lists(world);
  satlua_snapshots_free(&world->owner);
}

/* ---------------------------------------------------------------- helpers of all methods */

satlua_World *satlua_world_check_changing(lua_State *L) {
  satlua_World *world = satlua_world_check(L);
  if (sat_world_is_locked(world->core))
    luaL_error(L, "the world cannot change until the function that it asks has returned");
  return world;
}

satlua_World *satlua_world_check_changing_all(lua_State *L) {
  satlua_World *world = satlua_world_check_changing(L);
  if (world->owner.memory.context->waiting == 0) return world;
  for (uint32_t i = 0; i < sat_world_end(world->core); i++) {
    const sat_Shape *shape = sat_world_shape(world->core, i);
    if (shape && sat_shape_is_locked(shape))
      luaL_error(L, "the world cannot change until the move of its shape has ended");
  }
  return world;
}

satlua_World *satlua_world_handle_open(const void *block) {
  satlua_World *world = satlua_handle_open(block);
  return world && !satlua_memory_has_unreported(&world->owner.memory) ? world : NULL;
}

/* The places move to a new table, since 5.1 damages a table that it fails to enlarge, and this one
 * keeps shapes alive. A finalizer may have made the places already. */
satlua_World *satlua_world_reserve(lua_State *L, satlua_World *world, size_t count) {
  if (count <= world->place_count) return world;
  if (count > SATLUA_MOST_PLACES) satlua_raise_status(L, 2, SAT_ENOMEM);
  size_t place_count = count + world->place_count / 2 + 8;
  lua_getuservalue(L, 1);
  lua_createtable(L, (int)place_count, 0);
  world = satlua_world_check(L);
  lua_rawgeti(L, -2, SATLUA_WORLD_STATE_SHAPES);
  for (size_t i = 1; i <= place_count; i++) {
    if (i <= world->place_count) lua_rawgeti(L, -1, (int)i);
    else lua_pushboolean(L, 0);
    lua_rawseti(L, -3, (int)i);
  }
  lua_pop(L, 1);
  if (place_count <= world->place_count) {
    lua_pop(L, 2);
    return world;
  }
  lua_rawseti(L, -2, SATLUA_WORLD_STATE_SHAPES);
  lua_pop(L, 1);
  world->place_count = place_count;
  return world;
}

void satlua_world_forget(lua_State *L, satlua_World *world, int place) {
  if (!world->has_removed[place]) return;
  world->has_removed[place] = false;
  satlua_push_state(L, place);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, -4);
  }
  lua_pop(L, 1);
}

void satlua_world_keep(lua_State *L, satlua_World *world, int place, const sat_Shape *shape) {
  uint32_t index = sat_world_index(world->core, shape);
  world->has_removed[place] = true;
  satlua_push_state(L, place);
  lua_pushnumber(L, (lua_Number)sat_world_id(world->core, index));
  satlua_push_member(L, index);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

void satlua_world_keep_string(lua_State *L, int place, int index) {
  lua_getuservalue(L, 1);
  lua_pushvalue(L, index);
  lua_rawseti(L, -2, place);
  lua_pop(L, 1);
}

/* ---------------------------------------------------------------- adding */

static int raise_newcomer(lua_State *L, const satlua_Shapes *newcomers, size_t i,
                          const char *reason) {
  if (!newcomers->listed) return satlua_raise_argument(L, 2 + (int)i, "%s", reason);
  return satlua_raise_argument(L, 2, "item %d: %s", (int)i + 1, reason);
}

/* Raises an error if a newcomer is in a world or comes twice. The owner of each newcomer, which the
 * binding does not use otherwise, becomes the shape itself, once all have none. */
static void check_free(lua_State *L, const satlua_Shapes *newcomers) {
  for (int marks = 0; marks <= 1; marks++)
    for (size_t i = 0; i < newcomers->count; i++) {
      sat_Shape *shape = satlua_push_shape(L, newcomers, i);
      if (sat_shape_changes(shape)) raise_newcomer(L, newcomers, i, sat_status_text(SAT_ETAKEN));
      if (marks && sat_shape_owner(shape))
        raise_newcomer(L, newcomers, i, "the shape comes twice: add a clone()");
      sat_shape_set_owner(shape, marks ? shape : NULL);
      lua_pop(L, 1);
    }
}

/* Steps that may fail come first. While room is made, a finalizer may add the same shapes or
 * others, so the shapes are checked again; after that no finalizer runs. */
static int world_add(lua_State *L) {
  satlua_world_check_changing(L);
  if (lua_isnone(L, 2)) satlua_check_shape(L, 2, "shape");
  const satlua_Shapes newcomers = satlua_check_shapes(L, 2, SATLUA_MOST_PLACES);
  satlua_World *world = satlua_world_check(L);
  luaL_checkstack(L, 8, "too many shapes");
  check_free(L, &newcomers);
  while (world->place_count < sat_world_count(world->core) + newcomers.count) {
    world = satlua_world_reserve(L, world, sat_world_count(world->core) + newcomers.count);
    check_free(L, &newcomers);
  }
  satlua_check_status(L, 2, sat_world_reserve_more(world->core, newcomers.count));
  satlua_push_state(L, SATLUA_WORLD_STATE_SHAPES);
  for (size_t i = 0; i < newcomers.count; i++) {
    sat_Shape *shape = satlua_push_shape(L, &newcomers, i);
    sat_world_add(world->core, shape);
    lua_rawseti(L, -2, (int)sat_world_index(world->core, shape) + 1);
  }
  return satlua_finish(L, satlua_return_self(L));
}

/* ---------------------------------------------------------------- removing */

/* Keeps a shape, which is about to be removed, for what still tells of it. */
static void keep_where_told(lua_State *L, satlua_World *world, const sat_Shape *shape) {
  if (sat_world_has_contact_events(world->core, shape))
    satlua_world_keep(L, world, SATLUA_WORLD_STATE_ENDING, shape);
  if (sat_world_is_listed(world->core, shape))
    satlua_world_keep(L, world, SATLUA_WORLD_STATE_KEPT, shape);
}

static int world_remove(lua_State *L) {
  satlua_World *world = satlua_world_check_changing(L);
  sat_Shape *shape = satlua_check_shape(L, 2, "shape");
  bool is_member = sat_world_has(world->core, shape);
  if (!is_member && sat_shape_changes(shape))
    return satlua_raise_argument(L, 2, "the shape is in another world: shape:world() tells which");
  lua_settop(L, 2);
  lua_pushboolean(L, is_member);
  if (!is_member) return 1;
  keep_where_told(L, world, shape);
  satlua_push_state(L, SATLUA_WORLD_STATE_SHAPES);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, (int)sat_world_index(world->core, shape) + 1);
  sat_world_remove(world->core, shape);
  lua_settop(L, 3);
  return 1;
}

static void empty_places(lua_State *L, const satlua_World *world) {
  satlua_push_state(L, SATLUA_WORLD_STATE_SHAPES);
  for (size_t i = 1; i <= world->place_count; i++) {
    lua_pushboolean(L, 0);
    lua_rawseti(L, -2, (int)i);
  }
  lua_pop(L, 1);
}

static int world_clear(lua_State *L) {
  satlua_World *world = satlua_world_check_changing(L);
  lua_settop(L, 1);
  for (uint32_t i = 0; i < sat_world_end(world->core); i++) {
    const sat_Shape *shape = sat_world_shape(world->core, i);
    if (shape) keep_where_told(L, world, shape);
  }
  empty_places(L, world);
  sat_world_clear(world->core);
  return satlua_return_self(L);
}

static int world_release(lua_State *L) {
  satlua_World *world = satlua_world_check_changing(L);
  lua_settop(L, 1);
  empty_places(L, world);
  for (int place = SATLUA_WORLD_STATE_ENDED; place <= SATLUA_WORLD_STATE_KEPT; place++)
    satlua_world_forget(L, world, place);
  sat_world_free(world->core);
  free_lists(world);
  satlua_snapshots_shrink(&world->owner); /* but those of running loops */
  lua_pushboolean(L, 0);
  for (int place = SATLUA_WORLD_STATE_BASE; place <= SATLUA_WORLD_STATE_SAVED; place++)
    satlua_world_keep_string(L, place, 2);
  return satlua_return_self(L);
}

/* ---------------------------------------------------------------- updates */

/* Drops the shapes kept for the previous update's end events. */
static void swap_ended_tables(lua_State *L, satlua_World *world) {
  satlua_world_forget(L, world, SATLUA_WORLD_STATE_ENDED);
  if (!world->has_removed[SATLUA_WORLD_STATE_ENDING]) return;
  lua_getuservalue(L, 1);
  lua_rawgeti(L, -1, SATLUA_WORLD_STATE_ENDED);
  lua_rawgeti(L, -2, SATLUA_WORLD_STATE_ENDING);
  lua_rawseti(L, -3, SATLUA_WORLD_STATE_ENDED);
  lua_rawseti(L, -2, SATLUA_WORLD_STATE_ENDING);
  lua_pop(L, 1);
  world->has_removed[SATLUA_WORLD_STATE_ENDED] = true;
  world->has_removed[SATLUA_WORLD_STATE_ENDING] = false;
}

static int world_update(lua_State *L) {
  satlua_World *world = satlua_world_check_changing(L);
  lua_settop(L, 1);
  satlua_check_status(L, 2, sat_world_update(world->core));
  swap_ended_tables(L, world);
  lua_pushinteger(L, (lua_Integer)sat_world_event_count(world->core, SAT_BEGIN));
  lua_pushinteger(L, (lua_Integer)sat_world_event_count(world->core, SAT_END));
  return satlua_finish(L, 2);
}

/* ---------------------------------------------------------------- reading */

static int world_has(lua_State *L) {
  const satlua_World *world = satlua_world_check(L);
  const sat_Shape *shape = satlua_check_shape(L, 2, "shape");
  return satlua_push_boolean(L, sat_world_has(world->core, shape));
}

static int world_count(lua_State *L) {
  const satlua_World *world = satlua_world_check(L);
  lua_pushinteger(L, (lua_Integer)sat_world_count(world->core));
  return 1;
}

int satlua_call_world_count(void *context, const void *block) {
  const satlua_World *world = satlua_world_handle_open(block);
  if (!world) return SATLUA_REFUSED;
  satlua_put_number(context, 0, (double)sat_world_count(world->core));
  return satlua_next_serial(context);
}

int satlua_call_world_has(const void *block, void *shape) {
  const satlua_World *world = satlua_world_handle_open(block);
  return world ? satlua_status_of(sat_world_has(world->core, shape)) : SATLUA_REFUSED;
}

/* A shape may outlive its world, whose handle is then missing from the table. */
int satlua_world_of_shape(lua_State *L) {
  const sat_Shape *shape = satlua_check_self(L);
  if (!sat_shape_changes(shape)) return satlua_push_none(L);
  lua_rawgeti(L, lua_upvalueindex(SATLUA_UP_WORLD), SATLUA_WORLD_HANDLES);
  lua_rawgeti(L, -1, ((const satlua_ChangeList *)sat_shape_changes(shape))->key);
  return 1;
}

/* ---------------------------------------------------------------- making */

/* Enters the world whose handle is at the index `handle`, and the change list of its shapes, which
 * is on top of the stack and is popped, into the tables of all worlds. */
static void enter_tables(lua_State *L, satlua_World *world, int handle) {
  satlua_ChangeList *changes = lua_touserdata(L, -1);
  lua_rawgeti(L, lua_upvalueindex(SATLUA_UP_WORLD), SATLUA_WORLD_CHANGE_LISTS);
  lua_insert(L, -2);
  changes->key = luaL_ref(L, -2);
  world->changes = changes;
  sat_world_init(world->core, world->found.allocator, &changes->changes);
  lua_rawgeti(L, lua_upvalueindex(SATLUA_UP_WORLD), SATLUA_WORLD_HANDLES);
  lua_pushvalue(L, handle);
  lua_rawseti(L, -2, changes->key);
  lua_settop(L, handle);
}

/* Pushes a weak table of that mode. */
static void push_weak_table(lua_State *L, const char *mode) {
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushstring(L, mode);
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
}

int satlua_new_world(lua_State *L) {
  satlua_check_count(L, 1, "options");
  lua_settop(L, 1);
  if (!lua_isnil(L, 1)) {
    satlua_check_table(L, 1, "options");
    lua_pushnil(L);
    if (lua_next(L, 1)) return satlua_raise_argument(L, 1, "there are no options yet");
  }
  satlua_World *world = satlua_handle_push(L, SATLUA_UP_WORLD, SATLUA_WORLD_STATE_SIZE,
                                           sizeof *world + sat_world_size(), release_world);
  world->core = (sat_World *)(void *)(world + 1);
  world->found.allocator = world->asked.allocator = satlua_memory_allocator(&world->owner.memory);
  world->seen.allocator = world->answered.allocator = world->found.allocator;
  world->open.shapes.allocator = world->found.allocator;
  lua_getuservalue(L, -1);
  push_weak_table(L, "kv");
  lua_rawseti(L, -2, SATLUA_WORLD_STATE_SUBJECTS);
  lua_pop(L, 1);
  memset(lua_newuserdata(L, sizeof(satlua_ChangeList)), 0, sizeof(satlua_ChangeList));
  enter_tables(L, world, lua_gettop(L) - 1);
  return 1;
}

const luaL_Reg satlua_world_methods[] = {
    {"add", world_add},       {"remove", world_remove},
    {"clear", world_clear},   {"has", world_has},
    {"count", world_count},   {"release", world_release},
    {"update", world_update}, {NULL, NULL},
};

/* ---------------------------------------------------------------- the metatable */

/* "sat.world (3 shapes)" */
static int world_to_string(lua_State *L) {
  const satlua_World *world = satlua_world_check(L);
  int count = (int)sat_world_count(world->core);
  lua_pushfstring(L, "sat.world (%d shape%s)", count, count == 1 ? "" : "s");
  return 1;
}

/* Frees the world, and then its key, which no shape has any more. */
static int collect_world(lua_State *L) {
  satlua_Handle *handle = satlua_to_block(L, 1, SATLUA_UP_WORLD);
  if (!handle) return satlua_raise_self(L, "world");
  satlua_World *world = satlua_handle_open(handle);
  handle->owner = NULL;
  if (!world) return 0;
  int key = world->changes ? world->changes->key : LUA_NOREF;
  if (world->changes) sat_world_free(world->core);
  satlua_memory_free(&world->owner.memory);
  lua_rawgeti(L, lua_upvalueindex(SATLUA_UP_WORLD), SATLUA_WORLD_HANDLES);
  lua_rawgeti(L, -1, key);
  if (!lua_isnil(L, -1)) {
    lua_pushnil(L);
    lua_rawseti(L, -3, key);
  }
  lua_rawgeti(L, lua_upvalueindex(SATLUA_UP_WORLD), SATLUA_WORLD_CHANGE_LISTS);
  luaL_unref(L, -1, key);
  return 0;
}

void satlua_world_set_metatable(lua_State *L) {
  static const luaL_Reg metamethods[] = {
      {"__tostring", world_to_string},
      {"__len", world_count},
      {"__gc", collect_world},
      {NULL, NULL},
  };
  satlua_fill_metatable(L, SATLUA_UP_WORLD, metamethods, "world");
  lua_newtable(L);
  lua_rawseti(L, -2, SATLUA_WORLD_CHANGE_LISTS);
  push_weak_table(L, "v");
  lua_rawseti(L, -2, SATLUA_WORLD_HANDLES);
  lua_pop(L, 1);
}
