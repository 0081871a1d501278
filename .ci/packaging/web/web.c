/* web.c: lets the binding work on a Lua state of another WebAssembly module, in whose memory this
 * one lies. page.js puts it there. */
#include "host.h"

#include "lobject.h"
#include "lstate.h"

#include <emscripten.h>
#include <lauxlib.h>

#include <stdbool.h>
#include <stdint.h>

/* Functions of the page, and of the other module. */
void *host_realloc(void *block, size_t size);
void host_free(void *block);
uintptr_t host_stack(void);
int host_call(int function, lua_State *L);
void host_hook(int hook, lua_State *L, lua_Debug *where);
_Noreturn void host_throw(uintptr_t environment, int value);
void host_closed(void);

uintptr_t stackSave(void);
void stackRestore(uintptr_t);

int luaopen_sat_core(lua_State *L);

/* ---------------------------------------------------------------- memory and errors */

void *satlua_empty_node;

void *satlua_allocate(void *context, void *block, size_t old_size, size_t size) {
  (void)context, (void)old_size;
  if (size != 0) return host_realloc(block, size);
  host_free(block);
  return NULL;
}

/* For the C library of this module. */
void *malloc(size_t size) { return host_realloc(NULL, size); }
void *realloc(void *block, size_t size) { return host_realloc(block, size); }
void free(void *block) { host_free(block); }

/* An error may end in the other module. */
void __wrap_emscripten_longjmp(uintptr_t environment, int value) { host_throw(environment, value); }

/* ---------------------------------------------------------------- calls from the other module */

/* The calls that have not returned, with the two stacks when they came. Errors leave functions
 * without a return; later calls that lie no deeper in the other module's stack tell that. */
enum { DEEPEST = 400 };
static struct { uintptr_t host, own; } calls[DEEPEST];
static int depth;

typedef int (*Function)(lua_State *L);

static Function function_of(lua_State *L) {
  const CClosure *closure = &clvalue(L->ci->func)->c;
  return (Function)pvalue(&closure->upvalue[closure->nupvalues - 1]);
}

EMSCRIPTEN_KEEPALIVE int sat_enter(lua_State *L) {
  uintptr_t host = host_stack();
  int before = depth;
  while (depth > 0 && calls[depth - 1].host <= host) depth--;
  if (depth < before) stackRestore(calls[depth].own);
  if (depth == DEEPEST) return luaL_error(L, "stack overflow");
  calls[depth].host = host;
  calls[depth].own = stackSave();
  depth++;
  int count = function_of(L)(L);
  depth--;
  return count;
}

/* ---------------------------------------------------------------- calls of functions and hooks */

int satlua_call(lua_State *L) {
  lua_CFunction function = clvalue(L->ci->func)->c.f;
  return function ? host_call((int)(uintptr_t)function, L) : function_of(L)(L);
}

/* The hook that this module has set, for calls of its own. */
static satlua_Hook own_hook;

void satlua_note_hook(satlua_Hook hook) { own_hook = hook; }

void satlua_call_hook(satlua_Hook hook, lua_State *L, lua_Debug *where) {
  if (own_hook) own_hook(L, where);
  else host_hook((int)(uintptr_t)hook, L, where);
}

/* ---------------------------------------------------------------- the start */

/* Another state may come in the place of one that closes. */
static int note_end(lua_State *L) {
  (void)L;
  host_closed();
  return 0;
}

/* Preloads the native part, and returns whether the state had its library `package` for that. Keeps
 * to the room that each call has on Lua's stack. */
EMSCRIPTEN_KEEPALIVE int sat_install(lua_State *L, void *empty_node) {
  int top = lua_gettop(L);
  satlua_empty_node = empty_node;
  lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
  if (lua_istable(L, -1)) lua_getfield(L, -1, "package");
  if (lua_istable(L, -1)) lua_getfield(L, -1, "preload");
  bool is_ready = lua_gettop(L) == top + 3 && lua_istable(L, -1);
  if (is_ready) {
    lua_pushcfunction(L, luaopen_sat_core);
    lua_setfield(L, -2, "sat.core");
    lua_newuserdata(L, 1);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, note_end);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    lua_setfield(L, LUA_REGISTRYINDEX, "sat on the web");
  }
  lua_settop(L, top);
  return is_ready;
}
