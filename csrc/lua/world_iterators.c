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

/* The kinds of loops; the first three in the order of sat_Change. */
enum {
  BEGAN,
  WENT_ON,
  ENDED,
  COLLISIONS = SAT_LOOP_COLLISIONS,
  OF_ONE = SAT_LOOP_OF_ONE,
  NODES,
  HITS,
  CARRIED,
  KINDS
};

static const char *const names[KINDS] = {"began",      "touching", "ended", "collisions",
                                         "collisions", "nodes",    "hits",  "carried"};

/* The state of a loop. */
typedef struct Cursor {
  const sat_WorldBox *box; /* which its home keeps */
  sat_Sight *sight;        /* NULL when the loop is over; gone when the world is */
} Cursor;

/* What a cursor goes over, or NULL. */
static sat_Sight *sight_of(const Cursor *cursor) {
  return sat_worldbox_open(cursor->box) ? cursor->sight : NULL;
}

/* ---------------------------------------------------------------- beginning */

/* The cursor of the world at index 1 that is on top of the stack, or NULL for anything else. It is
 * told by the address that it begins with, which no script can write into a userdata. */
static Cursor *to_idle(lua_State *L) {
  Cursor *cursor = lua_touserdata(L, -1);
  if (!cursor || lua_rawlen(L, -1) != sizeof *cursor) return NULL;
  return cursor->box == lua_touserdata(L, 1) ? cursor : NULL;
}

/* Pushes a cursor: an idle one, or a new one. A table that 5.1 has failed to enlarge may have lost
 * some. */
static Cursor *push_cursor(lua_State *L, sat_LuaWorld *world) {
  sat_luaworld_push(L, SAT_WORLD_HOME_CURSORS);
  while (world->idle_cursors > 0) {
    lua_rawgeti(L, -1, world->idle_cursors);
    Cursor *idle = to_idle(L);
    if (idle && idle->sight) idle = NULL; /* see below, where the FFI begins loops */
    if (idle) lua_pushnil(L);
    if (idle) lua_rawseti(L, -3, world->idle_cursors);
    world->idle_cursors--;
    lua_remove(L, idle ? -2 : -1);
    if (idle) return idle;
  }
  lua_pop(L, 1);
  Cursor *cursor = lua_newuserdata(L, sizeof *cursor);
  cursor->box = lua_touserdata(L, 1);
  cursor->sight = NULL;
  lua_getuservalue(L, 1);
  lua_setuservalue(L, -2);
  lua_rawgeti(L, lua_upvalueindex(SAT_UP_WORLD), SAT_WORLD_CURSORS);
  lua_setmetatable(L, -2);
  return cursor;
}

/* One that no loop uses, or NULL for want of memory. */
static sat_Sight *take_sight(sat_LuaWorld *world) {
  sat_Sight *sight = world->idle;
  if (sight) {
    world->idle = sight->next_idle;
    return sight;
  }
  sat_Allocator allocator = sat_holder_allocator(&world->holder);
  sight = allocator.allocate(allocator.context, NULL, 0, sizeof *sight);
  if (!sight) return NULL;
  memset(sight, 0, sizeof *sight);
  sight->collisions.allocator = sight->events.allocator = sight->nodes.allocator = allocator;
  sight->hits.allocator = sight->carried.allocator = allocator;
  sight->next = world->sights;
  world->sights = sight;
  return sight;
}

static size_t bytes_of(const sat_Sight *sight) {
  return sight->collisions.capacity * sizeof *sight->collisions.at +
         sight->events.capacity * sizeof *sight->events.at +
         sight->nodes.capacity * sizeof *sight->nodes.at +
         sight->hits.capacity * sizeof *sight->hits.at +
         sight->carried.capacity * sizeof *sight->carried.at;
}

static sat_Status look(sat_LuaWorld *world, sat_Sight *sight, const sat_Shape *shape) {
  switch (sight->kind) {
  case COLLISIONS: return sat_world_collisions(&world->core, &sight->collisions);
  case OF_ONE: return sat_world_collisions_of(&world->core, shape, &sight->collisions);
  case NODES: return sat_world_nodes(&world->core, &sight->nodes);
  case HITS: return sat_world_copy_hits(&world->core, &sight->hits);
  case CARRIED: return sat_world_copy_carried(&world->core, &sight->carried);
  default: return sat_world_events(&world->core, (sat_Change)sight->kind, &sight->events);
  }
}

/* Returns what a generic for wants: the iterator, its state, no control variable yet, and since 5.4
 * what is to be closed when the loop is left. A subject is at index 2. */
static int begin_loop(lua_State *L, sat_LuaWorld *world, int kind, const sat_Shape *shape) {
  lua_settop(L, 2);
  Cursor *cursor = push_cursor(L, world);
  world = sat_luaworld_check(L);
  sat_Sight *sight = take_sight(world);
  if (!sight) return sat_raise_status(L, 1, SAT_ENOMEM);
  cursor->sight = sight;
  sight->position = 0;
  sight->kind = kind;
  sight->before = sat_world_next_id(&world->core);
  sat_luaworld_is_hit(L, look(world, sight, shape));
  sight->changes = sat_world_change_count(&world->core);
  sat_holder_lend(&world->holder, bytes_of(sight));
  lua_rawgeti(L, lua_upvalueindex(SAT_UP_WORLD), SAT_WORLD_NEXT + kind);
  lua_pushvalue(L, 3);
  lua_pushnil(L);
  lua_pushvalue(L, 3);
  return sat_luaworld_finish(L, world, 4);
}

static int world_collisions(lua_State *L) {
  sat_LuaWorld *world = sat_luaworld_check(L);
  if (lua_isnone(L, 2)) return begin_loop(L, world, COLLISIONS, NULL);
  const sat_Shape *shape = sat_check_shape(L, 2, "shape");
  return begin_loop(L, world, OF_ONE, shape);
}

static int world_began(lua_State *L) { return begin_loop(L, sat_luaworld_check(L), BEGAN, NULL); }
static int world_touching(lua_State *L) {
  return begin_loop(L, sat_luaworld_check(L), WENT_ON, NULL);
}
static int world_ended(lua_State *L) { return begin_loop(L, sat_luaworld_check(L), ENDED, NULL); }
static int world_nodes(lua_State *L) { return begin_loop(L, sat_luaworld_check(L), NODES, NULL); }
static int world_hits(lua_State *L) { return begin_loop(L, sat_luaworld_check(L), HITS, NULL); }
static int world_carried(lua_State *L) {
  return begin_loop(L, sat_luaworld_check(L), CARRIED, NULL);
}

/* ---------------------------------------------------------------- ending */

/* Ends a cursor's loop. Returns what it went over, or NULL when it had ended before. */
static const sat_Sight *end_loop(Cursor *cursor) {
  sat_Sight *sight = sight_of(cursor);
  cursor->sight = NULL;
  if (!sight) return NULL;
  sat_LuaWorld *world = cursor->box->world;
  sight->next_idle = world->idle;
  world->idle = sight;
  return sight;
}

/* The same of a loop that is known to be over, which gives back what it was lent. False: it had
 * ended before. */
static bool finish_loop(Cursor *cursor) {
  const sat_Sight *sight = end_loop(cursor);
  if (sight) sat_holder_take_back(&cursor->box->world->holder, bytes_of(sight));
  return sight != NULL;
}

/* Ends the loop of the cursor at index 1, which becomes idle. */
static void put_back(lua_State *L, Cursor *cursor) {
  if (!finish_loop(cursor)) return;
  sat_LuaWorld *world = cursor->box->world;
  sat_luaworld_push(L, SAT_WORLD_HOME_CURSORS);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, world->idle_cursors + 1);
  world->idle_cursors++;
}

/* The cursor that a metamethod is called with, whose only upvalue is the metatable of cursors. A
 * script that has got hold of the metatable may call it with anything. */
static Cursor *check_metamethod(lua_State *L, const char *name) {
  Cursor *cursor = sat_to_block(L, 1, 1);
  if (!cursor) luaL_error(L, "calling '%s' on bad self (it must be the state of a loop)", name);
  return cursor;
}

static int last_step(lua_State *L, Cursor *cursor) {
  put_back(L, cursor);
  lua_pushnil(L);
  return 1;
}

/* Since 5.4, when a loop is left. */
static int close_cursor(lua_State *L) {
  Cursor *cursor = check_metamethod(L, "__close");
  lua_settop(L, 1);
  put_back(L, cursor);
  return 0;
}

static int collect_cursor(lua_State *L) {
  end_loop(check_metamethod(L, "__gc"));
  return 0;
}

/* ---------------------------------------------------------------- going on */

/* The iterators have the metatable of cursors for their only upvalue. */
static Cursor *check_cursor(lua_State *L, int kind) {
  Cursor *cursor = sat_to_block(L, 1, 1);
  const sat_Sight *sight = cursor ? sight_of(cursor) : NULL;
  if (!cursor || (sight && sight->kind != kind))
    luaL_error(L, "the iterator of '%s' needs the state that came with it", names[kind]);
  lua_settop(L, 1);
  return cursor;
}

static bool is_there(const sat_LuaWorld *world, const sat_Sight *sight, uint32_t slot) {
  uint64_t id = sat_world_id(&world->core, slot);
  return id != 0 && id < sight->before;
}

/* Finds the next collision of a loop, with the vector of now: shapes that are gone or no longer
 * touch are passed over. Whether a shape in no world has moved is not known. SAT_MISS: there is
 * none. */
static sat_Status next_found(sat_LuaWorld *world, sat_Sight *sight, const sat_Collision **found) {
  while (sight && sight->position < sight->collisions.count) {
    sat_Collision *collision = &sight->collisions.at[sight->position];
    bool alone = collision->a == SAT_NOBODY;
    sat_Status status = SAT_MISS;
    if (is_there(world, sight, collision->b) && (alone || is_there(world, sight, collision->a)))
      status =
          alone ? SAT_OK : sat_world_refresh_collision(&world->core, sight->changes, collision);
    if (status > SAT_MISS) return status;
    sight->position++;
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

static int next_collision(lua_State *L) {
  Cursor *cursor = check_cursor(L, COLLISIONS);
  const sat_Collision *collision;
  sat_Status status = next_found(cursor->box->world, sight_of(cursor), &collision);
  if (status == SAT_MISS) return last_step(L, cursor);
  if (status) return sat_raise_status(L, 1, status);
  sat_luaworld_push(L, SAT_WORLD_HOME_SHAPES);
  lua_rawgeti(L, 2, (int)collision->a + 1);
  lua_rawgeti(L, 2, (int)collision->b + 1);
  push_vector(L, collision);
  return 5;
}

static int next_of_one(lua_State *L) {
  Cursor *cursor = check_cursor(L, OF_ONE);
  const sat_Collision *collision;
  sat_Status status = next_found(cursor->box->world, sight_of(cursor), &collision);
  if (status == SAT_MISS) return last_step(L, cursor);
  if (status) return sat_raise_status(L, 1, status);
  sat_luaworld_push(L, SAT_WORLD_HOME_SHAPES);
  lua_rawgeti(L, 2, (int)collision->b + 1);
  push_vector(L, collision);
  return 4;
}

/* Pushes one shape of an event, or nil: of the end of a pair those, too, that were removed. */
static bool push_party(lua_State *L, const sat_LuaWorld *world, int kind, uint32_t slot,
                       uint64_t id) {
  bool is_member = sat_world_id(&world->core, slot) == id;
  if (!is_member && (kind != ENDED || !world->has_ended)) return false;
  sat_luaworld_push(L, is_member ? SAT_WORLD_HOME_SHAPES : SAT_WORLD_HOME_ENDED);
  if (is_member) {
    lua_rawgeti(L, -1, (int)slot + 1);
  } else {
    lua_pushnumber(L, (lua_Number)id);
    lua_rawget(L, -2);
  }
  lua_remove(L, -2);
  return !lua_isnil(L, -1);
}

static int next_event(lua_State *L, int kind) {
  Cursor *cursor = check_cursor(L, kind);
  const sat_LuaWorld *world = cursor->box->world;
  sat_Sight *sight = sight_of(cursor);
  while (sight && sight->position < sight->events.count) {
    const sat_Event *event = &sight->events.at[sight->position++];
    if (push_party(L, world, kind, event->a, event->id_a) &&
        push_party(L, world, kind, event->b, event->id_b))
      return 2;
    lua_settop(L, 1);
  }
  return last_step(L, cursor);
}

static int next_began(lua_State *L) { return next_event(L, BEGAN); }
static int next_touching(lua_State *L) { return next_event(L, WENT_ON); }
static int next_ended(lua_State *L) { return next_event(L, ENDED); }

static int next_node(lua_State *L) {
  Cursor *cursor = check_cursor(L, NODES);
  sat_Sight *sight = sight_of(cursor);
  if (!sight || sight->position == sight->nodes.count) return last_step(L, cursor);
  const sat_Node *node = &sight->nodes.at[sight->position++];
  lua_pushnumber(L, node->box.x + 0.0);
  lua_pushnumber(L, node->box.y + 0.0);
  lua_pushnumber(L, node->box.w);
  lua_pushnumber(L, node->box.h);
  lua_pushinteger(L, (lua_Integer)node->level);
  lua_pushinteger(L, (lua_Integer)node->count);
  return 6;
}

/* Pushes the shape that a move or a carry tells of, or returns false where it is gone. */
static bool push_told(lua_State *L, const sat_LuaWorld *world, uint32_t slot, uint64_t id) {
  bool is_member = sat_world_id(&world->core, slot) == id;
  if (!is_member && !world->has_kept) return false;
  sat_luaworld_push(L, is_member ? SAT_WORLD_HOME_SHAPES : SAT_WORLD_HOME_KEPT);
  if (is_member) {
    lua_rawgeti(L, -1, (int)slot + 1);
  } else {
    lua_pushnumber(L, (lua_Number)id);
    lua_rawget(L, -2);
  }
  return !lua_isnil(L, -1);
}

static int next_hit(lua_State *L) {
  Cursor *cursor = check_cursor(L, HITS);
  sat_Sight *sight = sight_of(cursor);
  while (sight && sight->position < sight->hits.count) {
    const sat_MoveHit *hit = &sight->hits.at[sight->position++];
    if (push_told(L, cursor->box->world, hit->other, hit->id)) {
      lua_pushnumber(L, hit->normal.x + 0.0);
      lua_pushnumber(L, hit->normal.y + 0.0);
      lua_pushnumber(L, hit->t + 0.0);
      lua_pushnumber(L, hit->point.x + 0.0);
      lua_pushnumber(L, hit->point.y + 0.0);
      lua_pushstring(L, sat_response_names[hit->how]);
      return 7;
    }
    lua_settop(L, 1);
  }
  return last_step(L, cursor);
}

static int next_carried(lua_State *L) {
  Cursor *cursor = check_cursor(L, CARRIED);
  sat_Sight *sight = sight_of(cursor);
  while (sight && sight->position < sight->carried.count) {
    const sat_Carried *carried = &sight->carried.at[sight->position++];
    if (push_told(L, cursor->box->world, carried->other, carried->id)) {
      lua_pushnumber(L, carried->motion.x + 0.0);
      lua_pushnumber(L, carried->motion.y + 0.0);
      lua_pushboolean(L, carried->crushed);
      return 4;
    }
    lua_settop(L, 1);
  }
  return last_step(L, cursor);
}

/* ---------------------------------------------------------------- updates */

/* Of what was removed before the last update nobody is told any more. */
static void turn_ended(lua_State *L, sat_LuaWorld *world) {
  if (world->has_ended) sat_luaworld_forget(L, SAT_WORLD_HOME_ENDED);
  if (world->has_ending) {
    lua_getuservalue(L, 1);
    lua_rawgeti(L, -1, SAT_WORLD_HOME_ENDED);
    lua_rawgeti(L, -2, SAT_WORLD_HOME_ENDING);
    lua_rawseti(L, -3, SAT_WORLD_HOME_ENDED);
    lua_rawseti(L, -2, SAT_WORLD_HOME_ENDING);
    lua_pop(L, 1);
  }
  world->has_ended = world->has_ending;
  world->has_ending = false;
}

static int world_update(lua_State *L) {
  sat_LuaWorld *world = sat_luaworld_check_changing(L);
  lua_settop(L, 1);
  sat_luaworld_is_hit(L, sat_world_update(&world->core));
  turn_ended(L, world);
  lua_pushinteger(L, (lua_Integer)sat_world_event_count(&world->core, SAT_BEGAN));
  lua_pushinteger(L, (lua_Integer)sat_world_event_count(&world->core, SAT_ENDED));
  return sat_luaworld_finish(L, world, 2);
}

/* ---------------------------------------------------------------- through the FFI */

/* What LuaJIT calls in the place of the functions above: see lua/ffi.c. The table of idle cursors
 * is for the caller to keep, who may be interrupted in between: it may hold one that is not idle,
 * or not hold one that is. */

int sat_worldbox_idle(const void *block) {
  const sat_LuaWorld *world = sat_worldbox_open(block);
  return world ? world->idle_cursors : -1;
}

int sat_worldbox_begin(const void *block, void *idle, const void *shape) {
  sat_LuaWorld *world = sat_worldbox_open(block);
  Cursor *cursor = idle;
  if (!world || world->idle_cursors == 0 || cursor->box != block || cursor->sight)
    return SAT_STEP_REFUSED;
  sat_Sight *sight = take_sight(world);
  if (!sight) return SAT_STEP_REFUSED;
  cursor->sight = sight;
  sight->position = 0;
  sight->kind = OF_ONE;
  sight->before = sat_world_next_id(&world->core);
  if (look(world, sight, shape) != SAT_OK) {
    end_loop(cursor);
    return SAT_STEP_REFUSED;
  }
  sight->changes = sat_world_change_count(&world->core);
  bool to_tell = sat_holder_has_news(&world->holder);
  if (sight->collisions.count == 0 && !to_tell) {
    end_loop(cursor);
    return SAT_STEP_NOTHING;
  }
  sat_holder_lend(&world->holder, bytes_of(sight));
  world->idle_cursors--;
  return to_tell ? SAT_STEP_TO_TELL : SAT_STEP_BEGUN;
}

int sat_worldcursor_step(void *block, int kind, sat_Step *step) {
  Cursor *cursor = block;
  sat_Sight *sight = sight_of(cursor);
  if (!sight) return SAT_STEP_OVER;
  if (sight->kind != kind) return SAT_STEP_REFUSED;
  const sat_Collision *collision;
  sat_Status status = next_found(cursor->box->world, sight, &collision);
  if (status > SAT_MISS) return SAT_STEP_REFUSED;
  if (status == SAT_OK) {
    step->a = (double)collision->a + 1;
    step->b = (double)collision->b + 1;
    step->dx = collision->dx;
    step->dy = collision->dy;
    step->depth = collision->depth;
    return SAT_STEP_FOUND;
  }
  finish_loop(cursor);
  return SAT_STEP_OVER - 1 - ++cursor->box->world->idle_cursors;
}

void sat_worldcursor_step_back(void *block) {
  sat_Sight *sight = sight_of(block);
  if (sight && sight->position > 0) sight->position--;
}

const luaL_Reg sat_world_loops[] = {
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

void sat_luaworld_set_loops(lua_State *L) {
  static const lua_CFunction next[KINDS] = {next_began,  next_touching, next_ended, next_collision,
                                            next_of_one, next_node,     next_hit,   next_carried};
  lua_createtable(L, 0, 3);
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, collect_cursor, 1);
  lua_setfield(L, -2, "__gc");
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, close_cursor, 1);
  lua_setfield(L, -2, "__close");
  lua_pushliteral(L, "sat.cursor");
  lua_setfield(L, -2, "__metatable");
  for (int kind = 0; kind < KINDS; kind++) {
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, next[kind], 1);
    lua_rawseti(L, -3, SAT_WORLD_NEXT + kind);
  }
  lua_rawseti(L, -2, SAT_WORLD_CURSORS);
}
