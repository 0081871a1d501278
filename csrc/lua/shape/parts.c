/* parts.c: the loop over the pairs of parts of two shapes that touch or overlap. */
#include "lua/shape/shape_methods.h"

#include <string.h>

/* The state of a loop: the pairs of parts that were near each other at its beginning. The two
 * shapes are in the table that is its user value. The state of a loop that has ended is idle, and
 * the next loop takes it unless it is too small. */
typedef struct PartLoop {
  const char *key; /* which no script can write into a userdata */
  size_t position, count, capacity;
  sat_Parts pairs[];
} PartLoop;

static const char loop_key;

/* The largest state that becomes idle has room for so many pairs. */
#define MOST_IDLE 4096

/* Pushes a state with room for that many pairs: the idle one or, so that finalizers may run, a new
 * one. */
static PartLoop *push_loop(lua_State *L, size_t count) {
  lua_rawgeti(L, lua_upvalueindex(SATLUA_UP_METATABLE), SATLUA_IDLE_PARTS);
  PartLoop *loop = lua_touserdata(L, -1);
  if (loop && loop->capacity >= count) {
    lua_pushboolean(L, 0);
    lua_rawseti(L, lua_upvalueindex(SATLUA_UP_METATABLE), SATLUA_IDLE_PARTS);
    return loop;
  }
  lua_pop(L, 1);
  loop = lua_newuserdata(L, sizeof *loop + count * sizeof *loop->pairs);
  *loop = (PartLoop){.key = &loop_key, .capacity = count};
  lua_createtable(L, 2, 0);
  lua_setuservalue(L, -2);
  return loop;
}

/* Puts two values into the table of the state at a stack index. */
static void set_subjects(lua_State *L, int state, int a, int b) {
  lua_getuservalue(L, state);
  lua_pushvalue(L, a);
  lua_rawseti(L, -2, 1);
  lua_pushvalue(L, b);
  lua_rawseti(L, -2, 2);
  lua_pop(L, 1);
}

int satlua_pair_parts(lua_State *L) {
  const sat_Shape *a = satlua_check_shape(L, 1, "a");
  const sat_Shape *b = satlua_check_shape(L, 2, "b");
  const sat_Scratch *scratch = satlua_get_scratch(L);
  sat_PartPairs found;
  PartLoop *loop;
  size_t uses;
  do { /* until no finalizer has used the memory that the pairs are in */
    lua_settop(L, 2);
    satlua_check_status(L, 1, sat_part_pairs(a, b, satlua_get_scratch(L), &found));
    uses = scratch->uses;
    loop = push_loop(L, found.count);
  } while (scratch->uses != uses);
  memcpy(loop->pairs, found.at, found.count * sizeof *loop->pairs);
  loop->position = 0;
  loop->count = found.count;
  set_subjects(L, 3, 1, 2);
  lua_getfield(L, lua_upvalueindex(SATLUA_UP_METATABLE), SATLUA_NEXT_PARTS);
  lua_insert(L, 3);
  return 2;
}

/* Ends the loop of the state at index 1, which becomes idle. */
static int end_loop_of_parts(lua_State *L, const PartLoop *loop) {
  lua_settop(L, 1);
  lua_pushboolean(L, 0);
  set_subjects(L, 1, 2, 2);
  if (loop->capacity <= MOST_IDLE) {
    lua_pushvalue(L, 1);
    lua_rawseti(L, lua_upvalueindex(SATLUA_UP_METATABLE), SATLUA_IDLE_PARTS);
  }
  return satlua_push_none(L);
}

int satlua_next_parts(lua_State *L) {
  PartLoop *loop = lua_type(L, 1) == LUA_TUSERDATA ? lua_touserdata(L, 1) : NULL;
  if (!loop || lua_rawlen(L, 1) < sizeof *loop || loop->key != &loop_key)
    return luaL_error(L, "the iterator of 'parts' needs the state that came with it");
  lua_settop(L, 1);
  lua_getuservalue(L, 1);
  lua_rawgeti(L, 2, 1);
  lua_rawgeti(L, 2, 2);
  const sat_Shape *a = satlua_to_shape(L, 3), *b = satlua_to_shape(L, 4);
  while (a && b && loop->position < loop->count) {
    sat_Parts parts = loop->pairs[loop->position++];
    sat_Result way;
    sat_Status status = sat_collide_parts(a, b, parts, satlua_get_scratch(L), &way);
    if (!satlua_check_status(L, 1, status)) continue;
    lua_pushnumber(L, parts.a + 1.0);
    lua_pushnumber(L, parts.b + 1.0);
    satlua_push_vec2(L, way.vector);
    lua_pushnumber(L, way.depth);
    return 5;
  }
  return a ? end_loop_of_parts(L, loop) : satlua_push_none(L);
}
