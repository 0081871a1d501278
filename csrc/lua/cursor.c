/* cursor.c: loops over worlds and quadtrees: their snapshots, and cursors that refer to these. */
#include "lua/cursor.h"

#include "lua/calls.h"

#include <string.h>

/* ---------------------------------------------------------------- state tables */

void *satlua_handle_push(lua_State *L, int type, int places, size_t size,
                         void (*release)(satlua_TrackedMemory *)) {
  satlua_StateContext *context = satlua_get_context(L);
  satlua_Handle *handle = lua_newuserdata(L, sizeof *handle);
  handle->owner = NULL;
  handle->context = context;
  lua_pushvalue(L, lua_upvalueindex(type));
  lua_setmetatable(L, -2);
  lua_createtable(L, places, 0);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, SATLUA_STATE_SELF);
  for (int i = SATLUA_STATE_CURSORS; i <= places; i++) {
    lua_newtable(L);
    lua_rawseti(L, -2, i);
  }
  lua_setuservalue(L, -2);
  handle->owner = satlua_memory_make(context, size, release);
  if (!handle->owner) satlua_raise_status(L, 1, SAT_ENOMEM);
  return handle->owner;
}

void *satlua_check_owner(lua_State *L, int type, const char *noun) {
  const satlua_Handle *handle = satlua_to_block(L, 1, type);
  void *owner = handle ? satlua_handle_open(handle) : NULL;
  if (!handle) satlua_raise_self(L, noun);
  else if (!owner) satlua_raise_argument(L, 1, "it has been collected");
  else satlua_next_serial(handle->context); /* the call may change what the FFI has looked up */
  return owner;
}

int satlua_finish(lua_State *L, int results) {
  satlua_LoopOwner *owner = satlua_handle_open(lua_touserdata(L, 1));
  if (owner) satlua_memory_report(L, &owner->memory);
  return results;
}

int satlua_return_members(lua_State *L, int out, const void *first, size_t count, size_t each) {
  satlua_push_state(L, SATLUA_STATE_MEMBERS);
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, -1, (int)*(const uint32_t *)((const char *)first + i * each) + 1);
    lua_rawseti(L, out, (int)i + 1);
  }
  satlua_clear_behind(L, out, (int)count);
  lua_pushvalue(L, out);
  lua_pushinteger(L, (lua_Integer)count);
  return satlua_finish(L, 2);
}

void satlua_push_state(lua_State *L, int place) {
  lua_getuservalue(L, 1);
  lua_rawgeti(L, -1, place);
  lua_remove(L, -2);
}

void satlua_push_member(lua_State *L, uint32_t number) {
  satlua_push_state(L, SATLUA_STATE_MEMBERS);
  lua_rawgeti(L, -1, (int)number + 1);
  lua_remove(L, -2);
}

int satlua_push_results(lua_State *L, const char *results) {
  return satlua_push_step(L, results, 0, satlua_get_context(L)->value);
}

/* ---------------------------------------------------------------- snapshots */

/* Applies a macro to each list of a snapshot. */
#define EACH_LIST(APPLY)                                                                           \
  APPLY(pairs) APPLY(nodes) APPLY(collisions) APPLY(events) APPLY(hits) APPLY(carried) APPLY(casts)

static void free_snapshot_lists(satlua_Snapshot *snapshot) {
#define FREE_LIST(list) SAT_LIST_FREE(&snapshot->list);
  EACH_LIST(FREE_LIST)
}

void satlua_snapshots_shrink(satlua_LoopOwner *owner) {
  for (satlua_Snapshot *snapshot = owner->idle; snapshot; snapshot = snapshot->next_idle)
    free_snapshot_lists(snapshot);
}

void satlua_snapshots_free(satlua_LoopOwner *owner) {
  sat_Allocator allocator = satlua_memory_allocator(&owner->memory);
  while (owner->snapshots) {
    satlua_Snapshot *snapshot = owner->snapshots;
    owner->snapshots = snapshot->next;
    free_snapshot_lists(snapshot);
    allocator.allocate(allocator.context, snapshot, sizeof *snapshot, 0);
  }
  owner->idle = NULL;
}

/* A snapshot that no loop uses, or NULL for want of memory. */
static satlua_Snapshot *take_snapshot(satlua_LoopOwner *owner) {
  satlua_Snapshot *snapshot = owner->idle;
  if (snapshot) {
    owner->idle = snapshot->next_idle;
    return snapshot;
  }
  sat_Allocator allocator = satlua_memory_allocator(&owner->memory);
  snapshot = allocator.allocate(allocator.context, NULL, 0, sizeof *snapshot);
  if (!snapshot) return NULL;
  memset(snapshot, 0, sizeof *snapshot);
#define SET_ALLOCATOR(list) snapshot->list.allocator = allocator;
  EACH_LIST(SET_ALLOCATOR)
  snapshot->next = owner->snapshots;
  owner->snapshots = snapshot;
  return snapshot;
}

static size_t snapshot_bytes(const satlua_Snapshot *snapshot) {
#define ADD_BYTES(list) bytes += snapshot->list.capacity * sizeof *snapshot->list.at;
  size_t bytes = 0;
  EACH_LIST(ADD_BYTES)
  return bytes;
}

/* ---------------------------------------------------------------- beginning */

/* Whether the value on top of the stack is an idle cursor of the world or quadtree at index 1. The
 * address at the beginning of a cursor, which no script can write into a userdata, identifies it. A
 * loop that the FFI has begun may have left its cursor in the table. */
static bool is_idle_cursor(lua_State *L) {
  const satlua_Cursor *cursor = lua_touserdata(L, -1);
  if (!cursor || lua_rawlen(L, -1) != sizeof *cursor) return false;
  return cursor->handle == lua_touserdata(L, 1) && !cursor->snapshot;
}

/* A table that 5.1 has failed to enlarge may have lost cursors. */
satlua_Cursor *satlua_cursor_push(lua_State *L, satlua_LoopOwner *owner) {
  satlua_push_state(L, SATLUA_STATE_CURSORS);
  while (owner->idle_cursors > 0) {
    lua_rawgeti(L, -1, owner->idle_cursors);
    lua_pushnil(L);
    lua_rawseti(L, -3, owner->idle_cursors--);
    if (is_idle_cursor(L)) {
      lua_remove(L, -2);
      return lua_touserdata(L, -1);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  satlua_Cursor *cursor = lua_newuserdata(L, sizeof *cursor);
  cursor->handle = lua_touserdata(L, 1);
  cursor->snapshot = NULL;
  lua_getuservalue(L, 1);
  lua_setuservalue(L, -2);
  lua_rawgeti(L, lua_upvalueindex(SATLUA_UP_WORLD), SATLUA_METATABLE_CURSORS);
  lua_setmetatable(L, -2);
  return cursor;
}

satlua_Snapshot *satlua_cursor_begin(satlua_Cursor *cursor, satlua_LoopOwner *owner, int kind) {
#define EMPTY_LIST(list) snapshot->list.count = 0;
  satlua_Snapshot *snapshot = take_snapshot(owner);
  if (!snapshot) return NULL;
  cursor->snapshot = snapshot;
  EACH_LIST(EMPTY_LIST)
  snapshot->position = 0;
  snapshot->kind = kind;
  return snapshot;
}

size_t satlua_cursor_count(const satlua_Cursor *cursor) {
#define ADD_COUNT(list) snapshot->count += snapshot->list.count;
  satlua_Snapshot *snapshot = cursor->snapshot;
  snapshot->count = 0;
  EACH_LIST(ADD_COUNT)
  cursor->handle->owner->memory.loop_bytes += snapshot_bytes(snapshot);
  return snapshot->count;
}

int satlua_cursor_return_loop(lua_State *L, const satlua_Cursor *cursor) {
  int index = lua_gettop(L), iterator = SATLUA_METATABLE_ITERATORS + cursor->snapshot->kind;
  satlua_cursor_count(cursor);
  lua_rawgeti(L, lua_upvalueindex(SATLUA_UP_WORLD), iterator);
  lua_pushvalue(L, index);
  lua_pushnil(L);
  lua_pushvalue(L, index);
  satlua_memory_report(L, &cursor->handle->owner->memory);
  return 4;
}

/* ---------------------------------------------------------------- ending */

bool satlua_cursor_finish(satlua_Cursor *cursor) {
  satlua_Snapshot *snapshot = satlua_cursor_snapshot(cursor);
  cursor->snapshot = NULL;
  if (!snapshot) return false;
  satlua_LoopOwner *owner = cursor->handle->owner;
  size_t bytes = snapshot_bytes(snapshot), *all = &owner->memory.loop_bytes;
  *all -= bytes < *all ? bytes : *all;
  snapshot->next_idle = owner->idle;
  owner->idle = snapshot;
  return true;
}

void satlua_cursor_make_idle(lua_State *L, satlua_Cursor *cursor) {
  if (!satlua_cursor_finish(cursor)) return;
  satlua_LoopOwner *owner = cursor->handle->owner;
  satlua_push_state(L, SATLUA_STATE_CURSORS);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, owner->idle_cursors + 1);
  owner->idle_cursors++;
}

/* The cursor that a metamethod is called with, whose only upvalue is the metatable of cursors. A
 * script that has obtained the metatable may call it with any value. */
static satlua_Cursor *check_metamethod(lua_State *L, const char *name) {
  satlua_Cursor *cursor = satlua_to_block(L, 1, 1);
  if (!cursor) luaL_error(L, "calling '%s' on bad self (it must be the state of a loop)", name);
  return cursor;
}

/* Since 5.4 Lua calls this metamethod after every loop, also after one that ends by break or by an
 * error. After the last step the cursor is idle already. */
static int close_cursor(lua_State *L) {
  satlua_Cursor *cursor = check_metamethod(L, "__close");
  lua_settop(L, 1);
  satlua_cursor_make_idle(L, cursor);
  return 0;
}

static int collect_cursor(lua_State *L) {
  satlua_cursor_finish(check_metamethod(L, "__gc"));
  return 0;
}

static void set_metamethod(lua_State *L, const char *name, lua_CFunction function) {
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -2, name);
}

void satlua_cursor_push_metatable(lua_State *L) {
  lua_createtable(L, 0, 3);
  set_metamethod(L, "__gc", collect_cursor);
  set_metamethod(L, "__close", close_cursor);
  lua_pushliteral(L, "sat.cursor");
  lua_setfield(L, -2, "__metatable");
}

/* ---------------------------------------------------------------- through the FFI */

/* The number of idle cursors of a world or quadtree, the last of which is to be taken first; -1
 * when the world or quadtree is gone. */
int satlua_call_idle_cursors(const void *block) {
  const satlua_LoopOwner *owner = satlua_handle_open(block);
  return owner ? owner->idle_cursors : -1;
}
