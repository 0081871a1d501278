/* state.h: a Lua state with an allocator of a test's own, and the tests of a suite as lines of
 * TAP, which C and the scripts of the suite write. */
#ifndef SAT_TEST_LUA_STATE_H
#define SAT_TEST_LUA_STATE_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

int luaopen_sat_core(lua_State *L);

static inline lua_State *make_state(lua_Alloc allocate, void *context) {
#ifdef LUA_GCPARAM /* since 5.5 a state takes the seed of its hashes */
  return lua_newstate(allocate, context, 0);
#else
  return lua_newstate(allocate, context);
#endif
}

/* Lets `require "sat"` find the module, in a protected call. */
static inline int preload(lua_State *L) {
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, luaopen_sat_core);
  lua_setfield(L, -2, "sat.core");
  lua_pushliteral(L, "lua/?.lua;lua/?/init.lua");
  lua_setfield(L, -3, "path");
  return 0;
}

typedef struct Tests {
  int count, failed;
} Tests;

static Tests tests;

/* Writes a test, with its problem or NULL, whose name is formatted. */
static inline void note(const char *problem, const char *name, ...) {
  tests.count++;
  tests.failed += problem != NULL;
  printf("%s %d - ", problem ? "not ok" : "ok", tests.count);
  va_list list;
  va_start(list, name);
  vprintf(name, list);
  va_end(list);
  printf("%s%s\n", problem ? ": " : "", problem ? problem : "");
  fflush(stdout);
}

/* note(name, problem), for scripts: the problem is nil without one. */
static inline int note_of_script(lua_State *L) {
  note(lua_tostring(L, 2), "%s", luaL_checkstring(L, 1));
  return 0;
}

/* Writes the number of tests. Returns the exit code of the suite. */
static inline int finish_tests(void) {
  printf("1..%d\n", tests.count);
  return tests.failed != 0;
}

#endif
