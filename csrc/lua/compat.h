/* compat.h: one API for Lua 5.1 to 5.4 and LuaJIT, and all that the binding needs to know of
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
 * function that makes it, so our functions have one of their own (see lua/module.c), and that one
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

/* Lets the collector do the work that so many kilobytes of garbage would make. It may raise.
 *
 * 5.1 and LuaJIT must not be asked for that in a finalizer, above all not while a state closes:
 * they let the collector rest then, since they call all finalizers, whoever refers to whom, and it
 * would free what others are still to use. They do not say when that is, but they let hooks rest,
 * too: where one that raises an error does so, no finalizer runs. A hook of someone else's is not
 * to be disturbed: then they get garbage, of which they make what they think right. A collector
 * that the script has stopped is left in peace, where it says that it was: 5.1 says -1, as to all
 * that it does not know. */
#ifndef LUA_GCISRUNNING
#define LUA_GCISRUNNING 9 /* LuaJIT has it, though not in every header */
#endif
static inline void step_collector(lua_State *L, size_t kilobytes) {
  if (lua_gc(L, LUA_GCISRUNNING, 0) != 0) lua_gc(L, LUA_GCSTEP, (int)kilobytes);
}
#ifdef LUA_ENVIRONINDEX
static inline void make_garbage(lua_State *L, size_t kilobytes) {
  enum { CHUNK = 64, MOST = 4096 };
  for (size_t done = 0; done < kilobytes && done < MOST; done += CHUNK) {
    size_t chunk = kilobytes - done < CHUNK ? kilobytes - done : CHUNK;
    lua_newuserdata(L, chunk * 1024);
    lua_pop(L, 1);
  }
}
static inline void raise_nil(lua_State *L, lua_Debug *where) {
  (void)where;
  lua_pushnil(L);
  lua_error(L);
}
static inline int do_nothing(lua_State *L) {
  (void)L;
  return 0;
}
static inline bool is_in_finalizer(lua_State *L) {
  lua_sethook(L, raise_nil, LUA_MASKCALL, 0);
  bool is_silent = call_protected(L, do_nothing, NULL);
  lua_sethook(L, NULL, 0, 0);
  return is_silent;
}
static inline void work_collector(lua_State *L, size_t kilobytes) {
  if (lua_gethookmask(L) != 0) make_garbage(L, kilobytes);
  else if (!is_in_finalizer(L)) step_collector(L, kilobytes);
}
#else
static inline void work_collector(lua_State *L, size_t kilobytes) { step_collector(L, kilobytes); }
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
