/* world_iterators.c: loops over the collisions, events, hits, carried and pushed shapes, rays and
 * nodes of a world, and its update. */
#include "lua/calls.h"
#include "lua/who.h"

/* ---------------------------------------------------------------- beginning */

/* The loop may be about the shape or the ray of a query. */
static sat_Status fill_world_snapshot(satlua_World *world, satlua_Snapshot *snapshot,
                                      const satlua_Query *query, const sat_QueryFilter *filter) {
  switch (snapshot->kind) {
  case SATLUA_LOOP_COLLISIONS: return sat_world_collisions(world->core, &snapshot->collisions);
  case SATLUA_LOOP_OF_ONE:
    return sat_world_collisions_of(world->core, query->shape, &snapshot->collisions);
  case SATLUA_LOOP_NODES: return sat_world_nodes(world->core, &snapshot->nodes);
  case SATLUA_LOOP_HITS: return sat_world_copy_hits(world->core, &snapshot->hits);
  case SATLUA_LOOP_CARRIED:
    return sat_world_copy_moved(sat_world_carried(world->core), &snapshot->carried);
  case SATLUA_LOOP_PUSHED:
    return sat_world_copy_moved(sat_world_pushed(world->core), &snapshot->carried);
  case SATLUA_LOOP_RAYCASTS:
    return sat_world_raycast_hits(world->core, query->first, query->second, filter,
                                  &snapshot->casts);
  default: return sat_world_events(world->core, (sat_EventKind)snapshot->kind, &snapshot->events);
  }
}

/* A query's shape is at index 2, and who its ray asks about at index 6. If the shape is in no
 * world, or in another, a table maps the cursor to it; a shape of this world is known by its
 * index. */
static int begin_world_loop(lua_State *L, satlua_World *world, int kind,
                            const satlua_Query *query) {
  lua_settop(L, kind == SATLUA_LOOP_RAYCASTS ? 6 : 2);
  satlua_Cursor *cursor = satlua_cursor_push(L, &world->owner);
  int top = lua_gettop(L);
  satlua_Who who;
  bool has_who = kind == SATLUA_LOOP_RAYCASTS;
  if (has_who) satlua_who_read(L, 6, &who);
  if (has_who && who.accept) satlua_ask(L, query, &who);
  lua_settop(L, top);
  world = satlua_world_check(L);
  if (kind == SATLUA_LOOP_OF_ONE && !sat_world_has(world->core, query->shape)) {
    satlua_push_state(L, SATLUA_WORLD_STATE_SUBJECTS);
    lua_pushvalue(L, -2);
    lua_pushvalue(L, 2);
    lua_rawset(L, -3);
    lua_pop(L, 1);
  }
  satlua_Snapshot *snapshot = satlua_cursor_begin(cursor, &world->owner, kind);
  if (!snapshot) return satlua_raise_status(L, 1, SAT_ENOMEM);
  snapshot->born = sat_world_next_id(world->core);
  const sat_QueryFilter *filter = has_who ? satlua_who_filter(&who) : NULL;
  satlua_check_status(L, 2, fill_world_snapshot(world, snapshot, query, filter));
  snapshot->changes = sat_world_change_count(world->core);
  return satlua_cursor_return_loop(L, cursor);
}

/* The loops that take no argument, in the order of their kinds. */
static int world_loop(lua_State *L) {
  return begin_world_loop(L, satlua_world_check(L), satlua_which(L),
                          &(satlua_Query){.shape = NULL});
}

static int world_collisions(lua_State *L) {
  satlua_World *world = satlua_world_check(L);
  if (lua_isnone(L, 2))
    return begin_world_loop(L, world, SATLUA_LOOP_COLLISIONS, &(satlua_Query){.shape = NULL});
  const satlua_Query query = {.shape = satlua_check_shape(L, 2, "shape")};
  return begin_world_loop(L, world, SATLUA_LOOP_OF_ONE, &query);
}

static int world_raycasts(lua_State *L) {
  satlua_World *world = satlua_world_check(L);
  satlua_Query query = {SATLUA_ASK_RAYCAST_ALL, .first = satlua_check_vec2(L, 2, "x1", "y1")};
  query.second = satlua_check_vec2(L, 4, "x2", "y2");
  return begin_world_loop(L, world, SATLUA_LOOP_RAYCASTS, &query);
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

/* ---------------------------------------------------------------- through the FFI */

/* Begins a loop with an idle cursor, and refuses a cursor that is not idle. */
static int begin_idle(const void *block, void *idle, int kind, const satlua_Query *query,
                      const sat_QueryFilter *filter) {
  satlua_World *world = satlua_handle_open(block);
  satlua_Cursor *cursor = idle;
  if (!world || world->owner.idle_cursors == 0 || cursor->handle != block || cursor->snapshot)
    return SATLUA_REFUSED;
  satlua_Snapshot *snapshot = satlua_cursor_begin(cursor, &world->owner, kind);
  if (!snapshot) return SATLUA_REFUSED;
  snapshot->born = sat_world_next_id(world->core);
  bool is_filled = fill_world_snapshot(world, snapshot, query, filter) == SAT_OK;
  snapshot->changes = sat_world_change_count(world->core);
  bool has_steps = satlua_cursor_count(cursor) > 0;
  bool to_report = satlua_memory_has_unreported(&world->owner.memory);
  if (!is_filled || (!has_steps && !to_report)) {
    satlua_cursor_finish(cursor);
    return is_filled ? SATLUA_NOTHING : SATLUA_REFUSED;
  }
  world->owner.idle_cursors--;
  return to_report ? SATLUA_TO_REPORT : SATLUA_BEGUN;
}

int satlua_call_begin_of_one(const void *world, void *cursor, void *shape) {
  return begin_idle(world, cursor, SATLUA_LOOP_OF_ONE, &(satlua_Query){.shape = shape}, NULL);
}

int satlua_call_begin_hits(const void *world, void *cursor) {
  return begin_idle(world, cursor, SATLUA_LOOP_HITS, &(satlua_Query){.shape = NULL}, NULL);
}

int satlua_call_begin_raycasts(const void *world, void *cursor, double x1, double y1, double x2,
                               double y2, SATLUA_WHO) {
  const satlua_World *open = satlua_handle_open(world);
  const satlua_Query ray = {.first = {x1, y1}, .second = {x2, y2}};
  satlua_CallWho who;
  if (!open) return SATLUA_REFUSED;
  return begin_idle(world, cursor, SATLUA_LOOP_RAYCASTS, &ray,
                    satlua_who_of_call(&who, open->core, SATLUA_WHO_GIVEN));
}

const luaL_Reg satlua_world_iterators[] = {
    {"began", world_loop},
    {"touching", world_loop},
    {"ended", world_loop},
    {"nodes", world_loop},
    {"hits", world_loop},
    {"carried", world_loop},
    {"pushed", world_loop},
    {"collisions", world_collisions},
    {"raycasts", world_raycasts},
    {"update", world_update},
    {NULL, NULL},
};
