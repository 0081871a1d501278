/* world.c: worlds as a script sees them: making one, its shapes, and their coming and going.
 *
 * Errors leave the core and the tables as they were: what may raise one, for want of memory, is
 * done first, and then what may not. */
#include "lua/world_state.h"

#include "lua/shape_methods.h"

#include <string.h>

#define MOST_PLACES 100000000

/* ---------------------------------------------------------------- memory */

static void free_lists(sat_Sight *sight) {
  sat_collisions_free(&sight->collisions);
  sat_events_free(&sight->events);
  sat_nodes_free(&sight->nodes);
  sat_move_hits_free(&sight->hits);
  sat_carried_shapes_free(&sight->carried);
}

/* The shapes may be gone, and the world's finalizer not have been called, for want of stack. */
static void release(sat_Holder *holder) {
  sat_LuaWorld *world = (sat_LuaWorld *)holder;
  sat_Allocator allocator = sat_holder_allocator(&world->holder);
  if (world->moved) sat_world_abandon(&world->core);
  sat_items_free(&world->found);
  while (world->sights) {
    sat_Sight *sight = world->sights;
    world->sights = sight->next;
    free_lists(sight);
    allocator.allocate(allocator.context, sight, sizeof *sight, 0);
  }
  world->idle = NULL;
}

/* Lets go of all shapes, and of all memory but what loops are using. */
static void free_world(sat_LuaWorld *world) {
  sat_world_free(&world->core);
  sat_items_free(&world->found);
  for (sat_Sight *sight = world->idle; sight; sight = sight->next_idle) free_lists(sight);
}

/* ---------------------------------------------------------------- what all methods need */

sat_LuaWorld *sat_luaworld_check(lua_State *L) {
  const sat_WorldBox *box = sat_to_block(L, 1, SAT_UP_WORLD);
  sat_LuaWorld *world = box ? sat_worldbox_open(box) : NULL;
  if (!box) sat_raise_type(L, 1, "it", "world");
  else if (!world) sat_raise_argument(L, 1, "it has been collected");
  else sat_keeper_interrupt(box->keeper);
  return world;
}

sat_LuaWorld *sat_luaworld_check_changing(lua_State *L) {
  sat_LuaWorld *world = sat_luaworld_check(L);
  if (world->core.moved->locked)
    luaL_error(L, "the world cannot change while a move in it waits for a response");
  return world;
}

void sat_luaworld_push(lua_State *L, int place) {
  lua_getuservalue(L, 1);
  lua_rawgeti(L, -1, place);
  lua_remove(L, -2);
}

/* Into a new table: 5.1 spoils one that it fails to enlarge, and these keep shapes alive. A
 * finalizer may have done the same meanwhile. */
sat_LuaWorld *sat_luaworld_reserve(lua_State *L, sat_LuaWorld *world, size_t count) {
  if (count <= world->places) return world;
  if (count > MOST_PLACES) sat_raise_status(L, 2, SAT_ENOMEM);
  size_t places = count + world->places / 2 + 8;
  lua_getuservalue(L, 1);
  lua_createtable(L, (int)places, 0);
  world = sat_luaworld_check(L);
  lua_rawgeti(L, -2, SAT_WORLD_HOME_SHAPES);
  for (size_t i = 1; i <= places; i++) {
    if (i <= world->places) lua_rawgeti(L, -1, (int)i);
    else lua_pushboolean(L, 0);
    lua_rawseti(L, -3, (int)i);
  }
  lua_pop(L, 1);
  if (places <= world->places) {
    lua_pop(L, 2);
    return world;
  }
  lua_rawseti(L, -2, SAT_WORLD_HOME_SHAPES);
  lua_pop(L, 1);
  world->places = places;
  return world;
}

void sat_luaworld_forget(lua_State *L, int place) {
  sat_luaworld_push(L, place);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, -4);
  }
  lua_pop(L, 1);
}

bool sat_luaworld_is_hit(lua_State *L, sat_Status status) {
  if (status != SAT_OK && status != SAT_MISS) sat_raise_status(L, 2, status);
  return status == SAT_OK;
}

int sat_luaworld_finish(lua_State *L, sat_LuaWorld *world, int results) {
  sat_holder_tell(L, &world->holder);
  return results;
}

/* ---------------------------------------------------------------- coming */

/* The shapes to be added: arguments from 2 on, or elements of a table of our own at index 3. */
typedef struct Newcomers {
  size_t count;
  bool listed;
} Newcomers;

static void push_newcomer(lua_State *L, const Newcomers *newcomers, size_t i) {
  if (newcomers->listed) lua_rawgeti(L, 3, (int)i + 1);
  else lua_pushvalue(L, 2 + (int)i);
}

static sat_Shape *get_newcomer(lua_State *L, const Newcomers *newcomers, size_t i) {
  push_newcomer(L, newcomers, i);
  sat_Shape *shape = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return shape;
}

static int raise_newcomer(lua_State *L, const Newcomers *newcomers, size_t i, const char *reason) {
  if (!newcomers->listed) return sat_raise_argument(L, 2 + (int)i, "%s", reason);
  return sat_raise_argument(L, 2, "item %d: %s", (int)i + 1, reason);
}

static Newcomers check_newcomers(lua_State *L) {
  int last = lua_gettop(L);
  Newcomers newcomers = {(size_t)last - 1, last == 2 && lua_istable(L, 2)};
  if (newcomers.listed) newcomers.count = sat_check_shapes(L, 2, MOST_PLACES);
  for (int arg = 2; !newcomers.listed && (arg <= last || arg == 2); arg++)
    sat_check_shape(L, arg, "shape");
  return newcomers;
}

/* Each shape is given its place among the newcomers for a number, which means nothing as long as it
 * is in no world. A shape that comes twice then has the place where it came last. */
static void check_free(lua_State *L, const Newcomers *newcomers) {
  for (size_t i = 0; i < newcomers->count; i++) {
    sat_Shape *shape = get_newcomer(L, newcomers, i);
    if (shape->moved) raise_newcomer(L, newcomers, i, sat_status_text(SAT_ETAKEN));
    shape->slot = i;
  }
  for (size_t i = 0; i < newcomers->count; i++) {
    const sat_Shape *shape = get_newcomer(L, newcomers, i);
    if (shape->slot != i)
      raise_newcomer(L, newcomers, (size_t)shape->slot, "the shape comes twice");
  }
}

/* What may fail comes first. A finalizer may have taken shapes or numbers while there was made
 * room; after that none runs. */
static int world_add(lua_State *L) {
  sat_LuaWorld *world = sat_luaworld_check_changing(L);
  const Newcomers newcomers = check_newcomers(L);
  world = sat_luaworld_check(L);
  luaL_checkstack(L, 8, "too many shapes");
  check_free(L, &newcomers);
  while (world->places < world->core.end + newcomers.count) {
    world = sat_luaworld_reserve(L, world, world->core.end + newcomers.count);
    check_free(L, &newcomers);
  }
  sat_luaworld_is_hit(L, sat_world_reserve_more(&world->core, newcomers.count));
  sat_luaworld_push(L, SAT_WORLD_HOME_SHAPES);
  for (size_t i = 0; i < newcomers.count; i++) {
    sat_Shape *shape = get_newcomer(L, &newcomers, i);
    sat_world_add(&world->core, shape);
    push_newcomer(L, &newcomers, i);
    lua_rawseti(L, -2, (int)shape->slot + 1);
  }
  lua_settop(L, 1);
  return sat_luaworld_finish(L, world, 1);
}

/* ---------------------------------------------------------------- going */

/* Keeps the shape on top of the stack for the update that will tell of its end. */
static void keep_for_end(lua_State *L, sat_LuaWorld *world, const sat_Shape *shape) {
  uint64_t id = sat_world_id(&world->core, (uint32_t)shape->slot);
  world->has_ending = true;
  sat_luaworld_push(L, SAT_WORLD_HOME_ENDING);
  lua_pushnumber(L, (lua_Number)id);
  lua_pushvalue(L, -3);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

static bool is_told_of(const sat_World *world, uint64_t id) {
  const sat_MoveHits *hits = sat_world_hits(world);
  const sat_CarriedShapes *carried = sat_world_carried(world);
  for (size_t i = 0; i < hits->count; i++)
    if (hits->at[i].id == id) return true;
  for (size_t i = 0; i < carried->count; i++)
    if (carried->at[i].id == id) return true;
  return false;
}

void sat_luaworld_keep(lua_State *L, sat_LuaWorld *world, const sat_Shape *shape) {
  uint64_t id = sat_world_id(&world->core, (uint32_t)shape->slot);
  if (!is_told_of(&world->core, id)) return;
  world->has_kept = true;
  sat_luaworld_push(L, SAT_WORLD_HOME_KEPT);
  lua_pushnumber(L, (lua_Number)id);
  lua_pushvalue(L, -3);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

static void keep_number(lua_State *L, sat_LuaWorld *world, uint32_t slot, uint64_t id) {
  if (sat_world_id(&world->core, slot) != id) return;
  sat_luaworld_push(L, SAT_WORLD_HOME_SHAPES);
  lua_rawgeti(L, -1, (int)slot + 1);
  sat_luaworld_keep(L, world, lua_touserdata(L, -1));
  lua_pop(L, 2);
}

void sat_luaworld_keep_all(lua_State *L, sat_LuaWorld *world) {
  const sat_MoveHits *hits = sat_world_hits(&world->core);
  const sat_CarriedShapes *carried = sat_world_carried(&world->core);
  for (size_t i = 0; i < hits->count; i++) keep_number(L, world, hits->at[i].other, hits->at[i].id);
  for (size_t i = 0; i < carried->count; i++)
    keep_number(L, world, carried->at[i].other, carried->at[i].id);
}

static int world_remove(lua_State *L) {
  sat_LuaWorld *world = sat_luaworld_check_changing(L);
  sat_Shape *shape = sat_check_shape(L, 2, "shape");
  bool is_member = sat_world_has(&world->core, shape);
  if (!is_member && shape->moved) return sat_raise_argument(L, 2, "the shape is in another world");
  lua_settop(L, 2);
  lua_pushboolean(L, is_member);
  if (!is_member) return 1;
  lua_pushvalue(L, 2);
  if (sat_world_will_miss(&world->core, shape)) keep_for_end(L, world, shape);
  sat_luaworld_keep(L, world, shape);
  sat_luaworld_push(L, SAT_WORLD_HOME_SHAPES);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, (int)shape->slot + 1);
  sat_world_remove(&world->core, shape);
  lua_settop(L, 3);
  return 1;
}

static void empty_places(lua_State *L, const sat_LuaWorld *world) {
  sat_luaworld_push(L, SAT_WORLD_HOME_SHAPES);
  for (size_t i = 1; i <= world->places; i++) {
    lua_pushboolean(L, 0);
    lua_rawseti(L, -2, (int)i);
  }
  lua_pop(L, 1);
}

static int world_clear(lua_State *L) {
  sat_LuaWorld *world = sat_luaworld_check_changing(L);
  lua_settop(L, 1);
  sat_luaworld_keep_all(L, world);
  sat_luaworld_push(L, SAT_WORLD_HOME_SHAPES);
  for (size_t i = 1; i <= world->places; i++) {
    lua_rawgeti(L, 2, (int)i);
    const sat_Shape *shape = sat_to_shape(L, 3);
    if (shape && sat_world_will_miss(&world->core, shape)) keep_for_end(L, world, shape);
    lua_settop(L, 2);
  }
  empty_places(L, world);
  sat_world_clear(&world->core);
  lua_settop(L, 1);
  return 1;
}

static int world_release(lua_State *L) {
  sat_LuaWorld *world = sat_luaworld_check_changing(L);
  lua_settop(L, 1);
  empty_places(L, world);
  sat_luaworld_forget(L, SAT_WORLD_HOME_ENDED);
  sat_luaworld_forget(L, SAT_WORLD_HOME_ENDING);
  sat_luaworld_forget(L, SAT_WORLD_HOME_KEPT);
  world->has_ended = world->has_ending = world->has_kept = false;
  free_world(world);
  return 1;
}

/* ---------------------------------------------------------------- reading */

static int world_has(lua_State *L) {
  const sat_LuaWorld *world = sat_luaworld_check(L);
  const sat_Shape *shape = sat_check_shape(L, 2, "shape");
  lua_pushboolean(L, sat_world_has(&world->core, shape));
  return 1;
}

static int world_count(lua_State *L) {
  const sat_LuaWorld *world = sat_luaworld_check(L);
  lua_pushinteger(L, (lua_Integer)sat_world_count(&world->core));
  return 1;
}

/* One that has been collected may have left shapes. */
static int shape_world(lua_State *L) {
  const sat_Shape *shape = sat_check_self(L);
  if (!shape->moved) {
    lua_pushnil(L);
    return 1;
  }
  lua_rawgeti(L, lua_upvalueindex(SAT_UP_WORLD), SAT_WORLD_BOXES);
  lua_rawgeti(L, -1, ((const sat_LuaMoved *)shape->moved)->key);
  return 1;
}

const luaL_Reg sat_world_of_shape[] = {
    {"world", shape_world},
    {NULL, NULL},
};

/* ---------------------------------------------------------------- making */

/* Pushes the home of the world on top of the stack. */
static void push_home(lua_State *L) {
  lua_createtable(L, SAT_WORLD_HOME_SIZE, 0);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, SAT_WORLD_HOME_BOX);
  for (int i = SAT_WORLD_HOME_SHAPES; i <= SAT_WORLD_HOME_SIZE; i++) {
    lua_newtable(L);
    lua_rawseti(L, -2, i);
  }
}

/* Takes the world at the index `box` and what its shapes will point to, which is on top of the
 * stack and is popped, up into the tables of all worlds. */
static void enter_tables(lua_State *L, sat_LuaWorld *world, int box) {
  sat_LuaMoved *moved = lua_touserdata(L, -1);
  lua_rawgeti(L, lua_upvalueindex(SAT_UP_WORLD), SAT_WORLD_MOVED);
  lua_insert(L, -2);
  moved->key = luaL_ref(L, -2);
  world->moved = moved;
  sat_world_init(&world->core, world->found.allocator, &moved->moved);
  lua_rawgeti(L, lua_upvalueindex(SAT_UP_WORLD), SAT_WORLD_BOXES);
  lua_pushvalue(L, box);
  lua_rawseti(L, -2, moved->key);
  lua_settop(L, box);
}

static int new_world(lua_State *L) {
  lua_settop(L, 1);
  if (!lua_isnil(L, 1)) {
    sat_check_table(L, 1, "options");
    lua_pushnil(L);
    if (lua_next(L, 1)) return sat_raise_argument(L, 1, "there are no options yet");
  }
  sat_Keeper *keeper = lua_touserdata(L, lua_upvalueindex(SAT_UP_SCRATCH));
  sat_WorldBox *box = lua_newuserdata(L, sizeof *box);
  box->world = NULL;
  box->keeper = keeper;
  lua_pushvalue(L, lua_upvalueindex(SAT_UP_WORLD));
  lua_setmetatable(L, -2);
  push_home(L);
  lua_setuservalue(L, -2);
  memset(lua_newuserdata(L, sizeof(sat_LuaMoved)), 0, sizeof(sat_LuaMoved));
  sat_LuaWorld *world = keeper->is_closed ? NULL : sat_holder_make(keeper, sizeof *world, release);
  if (!world) return sat_raise_status(L, 1, SAT_ENOMEM);
  box->world = world;
  world->found.allocator = sat_holder_allocator(&world->holder);
  enter_tables(L, world, lua_gettop(L) - 1);
  return 1;
}

const luaL_Reg sat_world_constructors[] = {
    {"world", new_world},
    {NULL, NULL},
};

const luaL_Reg sat_world_methods[] = {
    {"add", world_add},     {"remove", world_remove},   {"clear", world_clear}, {"has", world_has},
    {"count", world_count}, {"release", world_release}, {NULL, NULL},
};

/* ---------------------------------------------------------------- the metatable */

/* "sat.world (3 shapes)" */
static int world_to_string(lua_State *L) {
  const sat_LuaWorld *world = sat_luaworld_check(L);
  int count = (int)sat_world_count(&world->core);
  lua_pushfstring(L, "sat.world (%d shape%s)", count, count == 1 ? "" : "s");
  return 1;
}

static int world_no_field(lua_State *L) {
  if (lua_type(L, 2) != LUA_TSTRING)
    return luaL_error(L, "a world has no fields, and none can be set");
  return luaL_error(L, "a world has no field '%s', and none can be set", lua_tostring(L, 2));
}

/* Forgets the world's key, when no shape has it any more. */
static int collect_world(lua_State *L) {
  sat_WorldBox *box = sat_to_block(L, 1, SAT_UP_WORLD);
  if (!box) return sat_raise_type(L, 1, "it", "world");
  sat_LuaWorld *world = sat_worldbox_open(box);
  box->world = NULL;
  if (!world) return 0;
  int key = world->moved ? world->moved->key : LUA_NOREF;
  if (world->moved) sat_world_free(&world->core);
  sat_holder_free(&world->holder);
  lua_rawgeti(L, lua_upvalueindex(SAT_UP_WORLD), SAT_WORLD_BOXES);
  lua_rawgeti(L, -1, key);
  if (!lua_isnil(L, -1)) {
    lua_pushnil(L);
    lua_rawseti(L, -3, key);
  }
  lua_rawgeti(L, lua_upvalueindex(SAT_UP_WORLD), SAT_WORLD_MOVED);
  luaL_unref(L, -1, key);
  return 0;
}

/* Fills the metatable on top of the stack with what all worlds share. */
static void set_tables(lua_State *L) {
  lua_newtable(L);
  lua_rawseti(L, -2, SAT_WORLD_MOVED);
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_rawseti(L, -2, SAT_WORLD_BOXES);
}

void sat_world_set_metatable(lua_State *L, const sat_Common *common, int methods) {
  static const luaL_Reg metamethods[] = {
      {"__tostring", world_to_string},
      {"__newindex", world_no_field},
      {"__len", world_count},
      {"__gc", collect_world},
      {NULL, NULL},
  };
  lua_pushvalue(L, common->world);
  sat_register(L, common, metamethods, true);
  lua_pushvalue(L, methods);
  lua_setfield(L, -2, "__index");
  lua_pushliteral(L, "sat.world");
  lua_setfield(L, -2, "__metatable");
  lua_pushliteral(L, "world");
  lua_rawseti(L, -2, SAT_TYPE_NAME);
  set_tables(L);
  sat_luaworld_set_loops(L);
  lua_pop(L, 1);
}
