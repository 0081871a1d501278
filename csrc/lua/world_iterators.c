/* world_iterators.c: what collides, what an update has found, where it all is, and the loops over
 * that.
 *
 * A loop goes over what there was when it began. How far it has got is written there, since the
 * control variable of a generic for is a shape and tells nothing. What refers to it is a cursor, a
 * small userdata: a loop that ends gives it back, one that is left by break leaves it to the
 * collector. */
#include "lua/shape_methods.h"
#include "lua/world_state.h"

#include <string.h>

/* The kinds of loops; the first three in the order of sat_EventKind. */
enum {
  BEGAN,
  WENT_ON,
  ENDED,
  COLLISIONS = SATLUA_LOOP_COLLISIONS,
  OF_ONE = SATLUA_LOOP_OF_ONE,
  NODES,
  HITS,
  CARRIED,
  KINDS
};

static const char *const names[KINDS] = {"began",      "touching", "ended", "collisions",
                                         "collisions", "nodes",    "hits",  "carried"};

/* The state of a loop. */
typedef struct WorldCursor {
  const satlua_WorldHandle *handle; /* which its home keeps */
  satlua_WorldSnapshot *snapshot;   /* NULL when the loop is over; gone when the world is */
} WorldCursor;

/* What a cursor goes over, or NULL. */
static satlua_WorldSnapshot *idle_world_snapshot(const WorldCursor *cursor) {
  return satlua_world_handle_open(cursor->handle) ? cursor->snapshot : NULL;
}

/* ---------------------------------------------------------------- beginning */

/* The cursor of the world at index 1 that is on top of the stack, or NULL for anything else. It is
 * told by the address that it begins with, which no script can write into a userdata. */
static WorldCursor *world_iterators_to_idle(lua_State *L) {
  WorldCursor *cursor = lua_touserdata(L, -1);
  if (!cursor || lua_rawlen(L, -1) != sizeof *cursor) return NULL;
  return cursor->handle == lua_touserdata(L, 1) ? cursor : NULL;
}

/* Pushes a cursor: an idle one, or a new one. A table that 5.1 has failed to enlarge may have lost
 * some. */
static WorldCursor *push_world_cursor(lua_State *L, satlua_World *world) {
  satlua_world_push(L, SATLUA_WORLD_STATE_CURSORS);
  while (world->idle_cursors > 0) {
    lua_rawgeti(L, -1, world->idle_cursors);
    WorldCursor *idle = world_iterators_to_idle(L);
    if (idle && idle->snapshot) idle = NULL; /* see below, where the FFI begins loops */
    if (idle) lua_pushnil(L);
    if (idle) lua_rawseti(L, -3, world->idle_cursors);
    world->idle_cursors--;
    lua_remove(L, idle ? -2 : -1);
    if (idle) return idle;
  }
  lua_pop(L, 1);
  WorldCursor *cursor = lua_newuserdata(L, sizeof *cursor);
  cursor->handle = lua_touserdata(L, 1);
  cursor->snapshot = NULL;
  lua_getuservalue(L, 1);
  lua_setuservalue(L, -2);
  lua_rawgeti(L, lua_upvalueindex(SATLUA_UP_WORLD), SATLUA_WORLD_CURSORS);
  lua_setmetatable(L, -2);
  return cursor;
}

/* One that no loop uses, or NULL for want of memory. */
static satlua_WorldSnapshot *take_world_snapshot(satlua_World *world) {
  satlua_WorldSnapshot *snapshot = world->idle;
  if (snapshot) {
    world->idle = snapshot->next_idle;
    return snapshot;
  }
  sat_Allocator allocator = satlua_memory_allocator(&world->memory);
  snapshot = allocator.allocate(allocator.context, NULL, 0, sizeof *snapshot);
  if (!snapshot) return NULL;
  memset(snapshot, 0, sizeof *snapshot);
  snapshot->collisions.allocator = snapshot->events.allocator = snapshot->nodes.allocator =
      allocator;
  snapshot->hits.allocator = snapshot->carried.allocator = allocator;
  snapshot->next = world->snapshots;
  world->snapshots = snapshot;
  return snapshot;
}

static size_t world_snapshot_bytes(const satlua_WorldSnapshot *snapshot) {
  return snapshot->collisions.capacity * sizeof *snapshot->collisions.at +
         snapshot->events.capacity * sizeof *snapshot->events.at +
         snapshot->nodes.capacity * sizeof *snapshot->nodes.at +
         snapshot->hits.capacity * sizeof *snapshot->hits.at +
         snapshot->carried.capacity * sizeof *snapshot->carried.at;
}

static sat_Status fill_world_snapshot(satlua_World *world, satlua_WorldSnapshot *snapshot,
                                      const sat_Shape *shape) {
  switch (snapshot->kind) {
  case COLLISIONS: return sat_world_collisions(&world->core, &snapshot->collisions);
  case OF_ONE: return sat_world_collisions_of(&world->core, shape, &snapshot->collisions);
  case NODES: return sat_world_nodes(&world->core, &snapshot->nodes);
  case HITS: return sat_world_copy_hits(&world->core, &snapshot->hits);
  case CARRIED: return sat_world_copy_carried(&world->core, &snapshot->carried);
  default: return sat_world_events(&world->core, (sat_EventKind)snapshot->kind, &snapshot->events);
  }
}

/* Returns what a generic for wants: the iterator, its state, no control variable yet, and since 5.4
 * what is to be closed when the loop is left. A subject is at index 2. */
static int begin_world_loop(lua_State *L, satlua_World *world, int kind, const sat_Shape *shape) {
  lua_settop(L, 2);
  WorldCursor *cursor = push_world_cursor(L, world);
  world = satlua_world_check(L);
  satlua_WorldSnapshot *snapshot = take_world_snapshot(world);
  if (!snapshot) return satlua_raise_status(L, 1, SAT_ENOMEM);
  cursor->snapshot = snapshot;
  snapshot->position = 0;
  snapshot->kind = kind;
  snapshot->before = sat_world_next_id(&world->core);
  satlua_world_is_hit(L, fill_world_snapshot(world, snapshot, shape));
  snapshot->changes = sat_world_change_count(&world->core);
  satlua_memory_add_loop(&world->memory, world_snapshot_bytes(snapshot));
  lua_rawgeti(L, lua_upvalueindex(SATLUA_UP_WORLD), SATLUA_WORLD_NEXT + kind);
  lua_pushvalue(L, 3);
  lua_pushnil(L);
  lua_pushvalue(L, 3);
  return satlua_world_finish(L, world, 4);
}

static int world_collisions(lua_State *L) {
  satlua_World *world = satlua_world_check(L);
  if (lua_isnone(L, 2)) return begin_world_loop(L, world, COLLISIONS, NULL);
  const sat_Shape *shape = satlua_check_shape(L, 2, "shape");
  return begin_world_loop(L, world, OF_ONE, shape);
}

static int world_began(lua_State *L) {
  return begin_world_loop(L, satlua_world_check(L), BEGAN, NULL);
}
static int world_touching(lua_State *L) {
  return begin_world_loop(L, satlua_world_check(L), WENT_ON, NULL);
}
static int world_ended(lua_State *L) {
  return begin_world_loop(L, satlua_world_check(L), ENDED, NULL);
}
static int world_nodes(lua_State *L) {
  return begin_world_loop(L, satlua_world_check(L), NODES, NULL);
}
static int world_hits(lua_State *L) {
  return begin_world_loop(L, satlua_world_check(L), HITS, NULL);
}
static int world_carried(lua_State *L) {
  return begin_world_loop(L, satlua_world_check(L), CARRIED, NULL);
}

/* ---------------------------------------------------------------- ending */

/* Ends a cursor's loop. Returns what it went over, or NULL when it had ended before. */
static const satlua_WorldSnapshot *end_world_loop(WorldCursor *cursor) {
  satlua_WorldSnapshot *snapshot = idle_world_snapshot(cursor);
  cursor->snapshot = NULL;
  if (!snapshot) return NULL;
  satlua_World *world = cursor->handle->world;
  snapshot->next_idle = world->idle;
  world->idle = snapshot;
  return snapshot;
}

/* The same of a loop that is known to be over, which gives back what it was lent. False: it had
 * ended before. */
static bool finish_world_loop(WorldCursor *cursor) {
  const satlua_WorldSnapshot *snapshot = end_world_loop(cursor);
  if (snapshot)
    satlua_memory_end_loop(&cursor->handle->world->memory, world_snapshot_bytes(snapshot));
  return snapshot != NULL;
}

/* Ends the loop of the cursor at index 1, which becomes idle. */
static void make_world_cursor_idle(lua_State *L, WorldCursor *cursor) {
  if (!finish_world_loop(cursor)) return;
  satlua_World *world = cursor->handle->world;
  satlua_world_push(L, SATLUA_WORLD_STATE_CURSORS);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, world->idle_cursors + 1);
  world->idle_cursors++;
}

/* The cursor that a metamethod is called with, whose only upvalue is the metatable of cursors. A
 * script that has got hold of the metatable may call it with anything. */
static WorldCursor *world_iterators_check_metamethod(lua_State *L, const char *name) {
  WorldCursor *cursor = satlua_to_block(L, 1, 1);
  if (!cursor) luaL_error(L, "calling '%s' on bad self (it must be the state of a loop)", name);
  return cursor;
}

static int last_world_step(lua_State *L, WorldCursor *cursor) {
  make_world_cursor_idle(L, cursor);
  lua_pushnil(L);
  return 1;
}

/* Since 5.4, when a loop is left. */
static int close_world_cursor(lua_State *L) {
  WorldCursor *cursor = world_iterators_check_metamethod(L, "__close");
  lua_settop(L, 1);
  make_world_cursor_idle(L, cursor);
  return 0;
}

static int collect_world_cursor(lua_State *L) {
  end_world_loop(world_iterators_check_metamethod(L, "__gc"));
  return 0;
}

/* ---------------------------------------------------------------- going on */

/* The iterators have the metatable of cursors for their only upvalue. */
static WorldCursor *check_world_cursor(lua_State *L, int kind) {
  WorldCursor *cursor = satlua_to_block(L, 1, 1);
  const satlua_WorldSnapshot *snapshot = cursor ? idle_world_snapshot(cursor) : NULL;
  if (!cursor || (snapshot && snapshot->kind != kind))
    luaL_error(L, "the iterator of '%s' needs the state that came with it", names[kind]);
  lua_settop(L, 1);
  return cursor;
}

static bool is_there(const satlua_World *world, const satlua_WorldSnapshot *snapshot,
                     uint32_t index) {
  uint64_t id = sat_world_id(&world->core, index);
  return id != 0 && id < snapshot->before;
}

/* Finds the next collision of a loop, with the vector of now: shapes that are gone or no longer
 * touch are passed over. Whether a shape in no world has moved is not known. SAT_MISS: there is
 * none. */
static sat_Status next_found_collision(satlua_World *world, satlua_WorldSnapshot *snapshot,
                                       const sat_Collision **found) {
  while (snapshot && snapshot->position < snapshot->collisions.count) {
    sat_Collision *collision = &snapshot->collisions.at[snapshot->position];
    bool alone = collision->a == SAT_NO_SHAPE;
    sat_Status status = SAT_MISS;
    if (is_there(world, snapshot, collision->b) &&
        (alone || is_there(world, snapshot, collision->a)))
      status =
          alone ? SAT_OK : sat_world_refresh_collision(&world->core, snapshot->changes, collision);
    if (status > SAT_MISS) return status;
    snapshot->position++;
    *found = collision;
    if (status == SAT_OK) return SAT_OK;
  }
  return SAT_MISS;
}

static void push_vector(lua_State *L, const sat_Collision *collision) {
  lua_pushnumber(L, collision->dx + 0.0);
  lua_pushnumber(L, collision->dy + 0.0);
  lua_pushnumber(L, collision->depth);
}

static int iterate_collisions(lua_State *L) {
  WorldCursor *cursor = check_world_cursor(L, COLLISIONS);
  const sat_Collision *collision;
  sat_Status status =
      next_found_collision(cursor->handle->world, idle_world_snapshot(cursor), &collision);
  if (status == SAT_MISS) return last_world_step(L, cursor);
  if (status) return satlua_raise_status(L, 1, status);
  satlua_world_push(L, SATLUA_WORLD_STATE_SHAPES);
  lua_rawgeti(L, 2, (int)collision->a + 1);
  lua_rawgeti(L, 2, (int)collision->b + 1);
  push_vector(L, collision);
  return 5;
}

static int iterate_collisions_of(lua_State *L) {
  WorldCursor *cursor = check_world_cursor(L, OF_ONE);
  const sat_Collision *collision;
  sat_Status status =
      next_found_collision(cursor->handle->world, idle_world_snapshot(cursor), &collision);
  if (status == SAT_MISS) return last_world_step(L, cursor);
  if (status) return satlua_raise_status(L, 1, status);
  satlua_world_push(L, SATLUA_WORLD_STATE_SHAPES);
  lua_rawgeti(L, 2, (int)collision->b + 1);
  push_vector(L, collision);
  return 4;
}

/* Pushes one shape of an event, or nil: of the end of a pair those, too, that were removed. */
static bool push_party(lua_State *L, const satlua_World *world, int kind, uint32_t index,
                       uint64_t id) {
  bool is_member = sat_world_id(&world->core, index) == id;
  if (!is_member && (kind != ENDED || !world->has_ended)) return false;
  satlua_world_push(L, is_member ? SATLUA_WORLD_STATE_SHAPES : SATLUA_WORLD_STATE_ENDED);
  if (is_member) {
    lua_rawgeti(L, -1, (int)index + 1);
  } else {
    lua_pushnumber(L, (lua_Number)id);
    lua_rawget(L, -2);
  }
  lua_remove(L, -2);
  return !lua_isnil(L, -1);
}

static int next_event(lua_State *L, int kind) {
  WorldCursor *cursor = check_world_cursor(L, kind);
  const satlua_World *world = cursor->handle->world;
  satlua_WorldSnapshot *snapshot = idle_world_snapshot(cursor);
  while (snapshot && snapshot->position < snapshot->events.count) {
    const sat_Event *event = &snapshot->events.at[snapshot->position++];
    if (push_party(L, world, kind, event->a, event->id_a) &&
        push_party(L, world, kind, event->b, event->id_b))
      return 2;
    lua_settop(L, 1);
  }
  return last_world_step(L, cursor);
}

static int next_began(lua_State *L) { return next_event(L, BEGAN); }
static int next_touching(lua_State *L) { return next_event(L, WENT_ON); }
static int next_ended(lua_State *L) { return next_event(L, ENDED); }

static int next_world_node(lua_State *L) {
  WorldCursor *cursor = check_world_cursor(L, NODES);
  satlua_WorldSnapshot *snapshot = idle_world_snapshot(cursor);
  if (!snapshot || snapshot->position == snapshot->nodes.count) return last_world_step(L, cursor);
  const sat_Node *node = &snapshot->nodes.at[snapshot->position++];
  lua_pushnumber(L, node->box.x + 0.0);
  lua_pushnumber(L, node->box.y + 0.0);
  lua_pushnumber(L, node->box.w);
  lua_pushnumber(L, node->box.h);
  lua_pushinteger(L, (lua_Integer)node->level);
  lua_pushinteger(L, (lua_Integer)node->count);
  return 6;
}

/* Pushes the shape that a move or a carry tells of, or returns false where it is gone. */
static bool push_told(lua_State *L, const satlua_World *world, uint32_t index, uint64_t id) {
  bool is_member = sat_world_id(&world->core, index) == id;
  if (!is_member && !world->has_kept) return false;
  satlua_world_push(L, is_member ? SATLUA_WORLD_STATE_SHAPES : SATLUA_WORLD_STATE_KEPT);
  if (is_member) {
    lua_rawgeti(L, -1, (int)index + 1);
  } else {
    lua_pushnumber(L, (lua_Number)id);
    lua_rawget(L, -2);
  }
  return !lua_isnil(L, -1);
}

static int next_hit(lua_State *L) {
  WorldCursor *cursor = check_world_cursor(L, HITS);
  satlua_WorldSnapshot *snapshot = idle_world_snapshot(cursor);
  while (snapshot && snapshot->position < snapshot->hits.count) {
    const sat_MoveHit *hit = &snapshot->hits.at[snapshot->position++];
    if (push_told(L, cursor->handle->world, hit->other, hit->id)) {
      lua_pushnumber(L, hit->normal.x + 0.0);
      lua_pushnumber(L, hit->normal.y + 0.0);
      lua_pushnumber(L, hit->t + 0.0);
      lua_pushnumber(L, hit->point.x + 0.0);
      lua_pushnumber(L, hit->point.y + 0.0);
      lua_pushstring(L, satlua_response_names[hit->how]);
      return 7;
    }
    lua_settop(L, 1);
  }
  return last_world_step(L, cursor);
}

static int next_carried(lua_State *L) {
  WorldCursor *cursor = check_world_cursor(L, CARRIED);
  satlua_WorldSnapshot *snapshot = idle_world_snapshot(cursor);
  while (snapshot && snapshot->position < snapshot->carried.count) {
    const sat_Carried *carried = &snapshot->carried.at[snapshot->position++];
    if (push_told(L, cursor->handle->world, carried->other, carried->id)) {
      lua_pushnumber(L, carried->motion.x + 0.0);
      lua_pushnumber(L, carried->motion.y + 0.0);
      lua_pushboolean(L, carried->crushed);
      return 4;
    }
    lua_settop(L, 1);
  }
  return last_world_step(L, cursor);
}

/* ---------------------------------------------------------------- updates */

/* Of what was removed before the last update nobody is told any more. */
static void swap_ended_tables(lua_State *L, satlua_World *world) {
  if (world->has_ended) satlua_world_forget(L, SATLUA_WORLD_STATE_ENDED);
  if (world->has_ending) {
    lua_getuservalue(L, 1);
    lua_rawgeti(L, -1, SATLUA_WORLD_STATE_ENDED);
    lua_rawgeti(L, -2, SATLUA_WORLD_STATE_ENDING);
    lua_rawseti(L, -3, SATLUA_WORLD_STATE_ENDED);
    lua_rawseti(L, -2, SATLUA_WORLD_STATE_ENDING);
    lua_pop(L, 1);
  }
  world->has_ended = world->has_ending;
  world->has_ending = false;
}

static int world_update(lua_State *L) {
  satlua_World *world = satlua_world_check_changing(L);
  lua_settop(L, 1);
  satlua_world_is_hit(L, sat_world_update(&world->core));
  swap_ended_tables(L, world);
  lua_pushinteger(L, (lua_Integer)sat_world_event_count(&world->core, SAT_BEGIN));
  lua_pushinteger(L, (lua_Integer)sat_world_event_count(&world->core, SAT_END));
  return satlua_world_finish(L, world, 2);
}

/* ---------------------------------------------------------------- through the FFI */

/* What LuaJIT calls in the place of the functions above: see lua/ffi.c. The table of idle cursors
 * is for the caller to keep, who may be interrupted in between: it may hold one that is not idle,
 * or not hold one that is. */

int satlua_world_handle_idle(const void *block) {
  const satlua_World *world = satlua_world_handle_open(block);
  return world ? world->idle_cursors : -1;
}

int satlua_world_handle_begin(const void *block, void *idle, const void *shape) {
  satlua_World *world = satlua_world_handle_open(block);
  WorldCursor *cursor = idle;
  if (!world || world->idle_cursors == 0 || cursor->handle != block || cursor->snapshot)
    return SATLUA_STEP_REFUSED;
  satlua_WorldSnapshot *snapshot = take_world_snapshot(world);
  if (!snapshot) return SATLUA_STEP_REFUSED;
  cursor->snapshot = snapshot;
  snapshot->position = 0;
  snapshot->kind = OF_ONE;
  snapshot->before = sat_world_next_id(&world->core);
  if (fill_world_snapshot(world, snapshot, shape) != SAT_OK) {
    end_world_loop(cursor);
    return SATLUA_STEP_REFUSED;
  }
  snapshot->changes = sat_world_change_count(&world->core);
  bool to_tell = satlua_memory_has_unreported(&world->memory);
  if (snapshot->collisions.count == 0 && !to_tell) {
    end_world_loop(cursor);
    return SATLUA_STEP_NOTHING;
  }
  satlua_memory_add_loop(&world->memory, world_snapshot_bytes(snapshot));
  world->idle_cursors--;
  return to_tell ? SATLUA_STEP_TO_TELL : SATLUA_STEP_BEGUN;
}

int satlua_world_cursor_step(void *block, int kind, satlua_Step *step) {
  WorldCursor *cursor = block;
  satlua_WorldSnapshot *snapshot = idle_world_snapshot(cursor);
  if (!snapshot) return SATLUA_STEP_OVER;
  if (snapshot->kind != kind) return SATLUA_STEP_REFUSED;
  const sat_Collision *collision;
  sat_Status status = next_found_collision(cursor->handle->world, snapshot, &collision);
  if (status > SAT_MISS) return SATLUA_STEP_REFUSED;
  if (status == SAT_OK) {
    step->a = (double)collision->a + 1;
    step->b = (double)collision->b + 1;
    step->dx = collision->dx;
    step->dy = collision->dy;
    step->depth = collision->depth;
    return SATLUA_STEP_FOUND;
  }
  finish_world_loop(cursor);
  return SATLUA_STEP_OVER - 1 - ++cursor->handle->world->idle_cursors;
}

void satlua_world_cursor_step_back(void *block) {
  satlua_WorldSnapshot *snapshot = idle_world_snapshot(block);
  if (snapshot && snapshot->position > 0) snapshot->position--;
}

const luaL_Reg satlua_world_iterators[] = {
    {"collisions", world_collisions},
    {"update", world_update},
    {"began", world_began},
    {"touching", world_touching},
    {"ended", world_ended},
    {"nodes", world_nodes},
    {"hits", world_hits},
    {"carried", world_carried},
    {NULL, NULL},
};

void satlua_world_set_loops(lua_State *L) {
  static const lua_CFunction next[KINDS] = {
      next_began,      next_touching, next_ended,  iterate_collisions, iterate_collisions_of,
      next_world_node, next_hit,      next_carried};
  lua_createtable(L, 0, 3);
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, collect_world_cursor, 1);
  lua_setfield(L, -2, "__gc");
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, close_world_cursor, 1);
  lua_setfield(L, -2, "__close");
  lua_pushliteral(L, "sat.cursor");
  lua_setfield(L, -2, "__metatable");
  for (int kind = 0; kind < KINDS; kind++) {
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, next[kind], 1);
    lua_rawseti(L, -3, SATLUA_WORLD_NEXT + kind);
  }
  lua_rawseti(L, -2, SATLUA_WORLD_CURSORS);
}
