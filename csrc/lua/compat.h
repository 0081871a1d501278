/* compat.h: one API for Lua 5.1 to 5.5 and LuaJIT, with all their differences that the binding has
 * to know. The conditions test for features, not versions. LuaJIT counts as 5.1 even where it has
 * functions of 5.2, so that a module built against either works in both. */
#ifndef SAT_LUA_COMPAT_H
#define SAT_LUA_COMPAT_H

#include <lauxlib.h>
#include <lua.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef LUA_ENVIRONINDEX
/* Environment tables stand in for user values. A userdata starts with the environment of the
 * function that makes it. The binding's functions have an environment of their own (see
 * lua/module.c), which counts as no user value. */
#define lua_rawlen(L, index) lua_objlen(L, index)
#define lua_setuservalue(L, index) lua_setfenv(L, index)
static inline void lua_getuservalue(lua_State *L, int index) {
  lua_getfenv(L, index);
  if (!lua_rawequal(L, -1, LUA_ENVIRONINDEX)) return;
  lua_pop(L, 1);
  lua_pushnil(L);
}
#endif

/* Pushes an element of a table, and returns its type, as lua_rawgeti does since 5.3. */
static inline int push_element(lua_State *L, int table, int i) {
#ifdef LUAL_NUMSIZES
  return lua_rawgeti(L, table, i);
#else
  lua_rawgeti(L, table, i);
  return lua_type(L, -1);
#endif
}

/* Calls a function with a pointer as light userdata. Returns false after an error, whose message is
 * dropped; even a lack of memory for the call is caught. */
static inline bool call_protected(lua_State *L, lua_CFunction function, void *context) {
#ifdef LUA_ENVIRONINDEX
  int status = lua_cpcall(L, function, context);
#else
  lua_pushcfunction(L, function); /* takes no memory */
  lua_pushlightuserdata(L, context);
  int status = lua_pcall(L, 1, 0, 0);
#endif
  if (status != 0) lua_pop(L, 1);
  return status == 0;
}

/* Makes the collector do the work for this many kilobytes of garbage. It may raise an error.
 *
 * In 5.1 and LuaJIT this must not happen in a finalizer, above all not while a state closes: both
 * stop the collector then, since they call all finalizers, whichever object refers to which, and
 * the collector would free objects that other finalizers still use. Neither tells when that is, but
 * both also disable hooks then: if a hook that raises an error has no effect, a finalizer is
 * running. Where the script has a hook of its own, which must not be disturbed, the function makes
 * garbage instead, which the collector handles at its own pace. A collector that the script has
 * stopped stays stopped where it reports that; 5.1 returns -1, as for every unknown option. */
#ifndef LUA_GCISRUNNING
#define LUA_GCISRUNNING 9 /* LuaJIT has the function, though not in every header */
#endif
static inline void step_collector(lua_State *L, size_t kilobytes) {
  if (lua_gc(L, LUA_GCISRUNNING, 0) == 0) return;
#ifdef LUA_GCPARAM /* since 5.5 a step has the size of this parameter, whatever it is told */
  int usual = lua_gc(L, LUA_GCPARAM, LUA_GCPSTEPSIZE, (int)(kilobytes * 1024));
  lua_gc(L, LUA_GCSTEP, (size_t)0);
  lua_gc(L, LUA_GCPARAM, LUA_GCPSTEPSIZE, usual);
#else
  lua_gc(L, LUA_GCSTEP, (int)kilobytes);
#endif
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

/* Pushes 32 bits, for which the integers of 5.1 and 5.2 on a 32-bit system are too small. */
static inline void push_bits(lua_State *L, uint32_t bits) {
  if (sizeof(lua_Integer) > sizeof bits) lua_pushinteger(L, (lua_Integer)bits);
  else lua_pushnumber(L, bits);
}

/* Raises an error if the module was compiled for another version than the running one; 5.1 cannot
 * tell. */
#ifndef luaL_checkversion
#define luaL_checkversion(L) ((void)(L))
#endif

/* Keeps the library, which was loaded from the file at `path` (NULL: unknown), in memory; see
 * lua/pin.c. */
void satlua_pin_library(const char *path);

#if defined(_WIN32)
#define SAT_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define SAT_EXPORT __attribute__((visibility("default")))
#else
#define SAT_EXPORT
#endif

#endif
