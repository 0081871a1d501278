/* world_state.c: the memory of a world's userdata, its tables of shapes, and the checks that all of
 * its methods begin with. */
#include "lua/world_state.h"

const char *const satlua_response_names[] = {"slide",  "touch", "bounce", "cross",
                                             "ignore", "ask",   "free",   "stuck"};

/* ---------------------------------------------------------------- memory */

/* The shapes may be freed already, if the world's finalizer was not called for want of stack. */
void satlua_world_release(satlua_TrackedMemory *memory) {
  satlua_World *world = (satlua_World *)memory;
  if (world->changes) sat_world_discard(world->core);
  SAT_LIST_FREE(&world->found);
  satlua_snapshots_free(&world->owner);
}

void satlua_world_free(satlua_World *world) {
  sat_world_free(world->core);
  SAT_LIST_FREE(&world->found);
  satlua_snapshots_shrink(&world->owner);
}

/* ---------------------------------------------------------------- helpers of all methods */

satlua_World *satlua_world_check_changing(lua_State *L) {
  satlua_World *world = satlua_world_check(L);
  if (sat_world_is_locked(world->core))
    luaL_error(L, "the world cannot change until the move in it has ended");
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

sat_World *satlua_world_handle_core(const void *block) {
  const satlua_World *world = satlua_handle_open(block);
  return world && !satlua_memory_has_unreported(&world->owner.memory) ? world->core : NULL;
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

void satlua_world_forget(lua_State *L, int place) {
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

void satlua_world_push_shape(lua_State *L, uint32_t index) {
  satlua_push_state(L, SATLUA_WORLD_STATE_SHAPES);
  lua_rawgeti(L, -1, (int)index + 1);
  lua_remove(L, -2);
}

void satlua_world_put_shape(lua_State *L, int place, uint64_t id) {
  satlua_push_state(L, place);
  lua_pushnumber(L, (lua_Number)id);
  lua_pushvalue(L, -3);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

/* ---------------------------------------------------------------- removed shapes */

void satlua_world_forget_ended(lua_State *L, satlua_World *world) {
  satlua_world_forget(L, SATLUA_WORLD_STATE_ENDED);
  satlua_world_forget(L, SATLUA_WORLD_STATE_ENDING);
  world->has_ended = world->has_ending = false;
}

static void keep_shape(lua_State *L, satlua_World *world, uint32_t index, uint64_t id) {
  if (sat_world_id(world->core, index) != id) return;
  world->has_kept = true;
  satlua_world_push_shape(L, index);
  satlua_world_put_shape(L, SATLUA_WORLD_STATE_KEPT, id);
  lua_pop(L, 1);
}

void satlua_world_keep(lua_State *L, satlua_World *world, const sat_Shape *shape) {
  if (!sat_world_is_listed(world->core, shape)) return;
  uint32_t index = sat_world_index(world->core, shape);
  keep_shape(L, world, index, sat_world_id(world->core, index));
}

void satlua_world_keep_all(lua_State *L, satlua_World *world) {
  const sat_MoveHits *hits = sat_world_hits(world->core);
  const sat_CarriedShapes *carried = sat_world_carried(world->core);
  for (size_t i = 0; i < hits->count; i++) keep_shape(L, world, hits->at[i].other, hits->at[i].id);
  for (size_t i = 0; i < carried->count; i++)
    keep_shape(L, world, carried->at[i].other, carried->at[i].id);
}
