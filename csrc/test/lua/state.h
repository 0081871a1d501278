/* state.h: a Lua state with an allocator of a test's own. */
#ifndef SAT_TEST_LUA_STATE_H
#define SAT_TEST_LUA_STATE_H

#include <lua.h>

static inline lua_State *make_state(lua_Alloc allocate, void *context) {
#ifdef LUA_GCPARAM /* since 5.5 a state takes the seed of its hashes */
  return lua_newstate(allocate, context, 0);
#else
  return lua_newstate(allocate, context);
#endif
}

#endif
