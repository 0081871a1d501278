/* lua_compat.h: one API for Lua 5.1 to 5.4 and LuaJIT, and all that the binding needs to know of
 * their differences.
 *
 * What is tested for is the feature, not the version. LuaJIT counts as 5.1 even where it has
 * functions of 5.2, so that a module built against either works in both. */
#ifndef SAT_LUA_COMPAT_H
#define SAT_LUA_COMPAT_H

#include <lauxlib.h>
#include <lua.h>

#include <stdbool.h>

#ifdef LUA_ENVIRONINDEX
/* Environment tables stand in for user values. A userdata starts with the environment of the
 * function that makes it, so our functions have one of their own (see lua_module.c), and that one
 * counts as no user value. */
#define lua_rawlen(L, index) lua_objlen(L, index)
#define lua_setuservalue(L, index) lua_setfenv(L, index)
static inline void lua_getuservalue(lua_State *L, int index) {
  lua_getfenv(L, index);
  if (!lua_rawequal(L, -1, LUA_ENVIRONINDEX)) return;
  lua_pop(L, 1);
  lua_pushnil(L);
}
#endif

/* Calls a function with a pointer, which it gets as light userdata. No error comes through, not
 * even one of having no memory for the call. */
static inline bool call_protected(lua_State *L, lua_CFunction function, void *context) {
#ifdef LUA_ENVIRONINDEX
  int status = lua_cpcall(L, function, context);
#else
  lua_pushcfunction(L, function); /* takes no memory, as it did */
  lua_pushlightuserdata(L, context);
  int status = lua_pcall(L, 1, 0, 0);
#endif
  if (status != 0) lua_pop(L, 1);
  return status == 0;
}

/* Asks lua_gc whether the collector runs. LuaJIT has it, though not in every header, and 5.1 says
 * -1, as to all that it does not know. */
#ifndef LUA_GCISRUNNING
#define LUA_GCISRUNNING 9
#endif

/* Raises when the module was compiled for another version than the one that runs it; 5.1 cannot
 * tell. */
#ifndef luaL_checkversion
#define luaL_checkversion(L) ((void)(L))
#endif

#if defined(_WIN32)
#define SAT_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define SAT_EXPORT __attribute__((visibility("default")))
#else
#define SAT_EXPORT
#endif

#endif
