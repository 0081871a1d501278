/* host.c: Lua and sat in WebAssembly, for the playground of the site. */
#include <emscripten.h>
#include <lauxlib.h>
#include <lualib.h>

#include "sat.h"

#include <stdlib.h>

/* A program that runs so long without a pause is stopped. Counts of instructions, unlike seconds, are the same on every
 * machine. */
enum { INSTRUCTIONS_PER_CHECK = 1000000, CHECKS = 200 };

static lua_State *state;
static int checks; /* since the last event */

/* Calls a function of `operations` in worker.js; the numbers are copied before it returns. */
EM_JS(double, call_page, (const char *name, const char *text, const double *numbers, int count), {
  const first = numbers / 8;
  return Module.operations[UTF8ToString(name)](HEAPF64.subarray(first, first + count),
                                               UTF8ToString(text)) ||
         0;
});

/* The numbers of one call of `page`. */
typedef struct Numbers {
  double *at;
  int count, capacity;
} Numbers;

static void add_number(lua_State *L, Numbers *numbers, double number) {
  if (numbers->count == numbers->capacity) {
    int capacity = numbers->capacity ? numbers->capacity * 2 : 256;
    double *at = realloc(numbers->at, (size_t)capacity * sizeof *at);
    if (!at) luaL_error(L, "not enough memory");
    numbers->at = at;
    numbers->capacity = capacity;
  }
  numbers->at[numbers->count++] = number;
}

static void add_list(lua_State *L, Numbers *numbers, int index) {
  for (int i = 1; lua_rawgeti(L, index, i) != LUA_TNIL; i++) {
    add_number(L, numbers, luaL_checknumber(L, -1));
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* page(operation, ...) -> number: calls the worker with the numbers among the arguments, flat lists of numbers too, and
 * with the last string among them. */
static int page(lua_State *L) {
  static Numbers numbers; /* kept from call to call, so that drawing allocates nothing */
  const char *name = luaL_checkstring(L, 1), *text = "";
  numbers.count = 0;
  for (int i = 2, top = lua_gettop(L); i <= top; i++) {
    if (lua_type(L, i) == LUA_TSTRING) text = lua_tostring(L, i);
    else if (lua_istable(L, i)) add_list(L, &numbers, i);
    else add_number(L, &numbers, luaL_checknumber(L, i));
  }
  lua_pushnumber(L, call_page(name, text, numbers.at, numbers.count));
  return 1;
}

static void count_check(lua_State *L, lua_Debug *where) {
  (void)where;
  if (++checks > CHECKS)
    luaL_error(L, "stopped: the program has run 200 million instructions without a pause");
}

/* Makes the Lua state, in which /site/love.lua has run. */
EMSCRIPTEN_KEEPALIVE void host_start(void) {
  state = luaL_newstate();
  luaL_openlibs(state);
  luaL_requiref(state, "sat", luaopen_sat, 0);
  lua_pushcfunction(state, page);
  lua_setglobal(state, "page");
  if (luaL_dofile(state, "/site/love.lua") != LUA_OK)
    call_page("failed", lua_tostring(state, -1), NULL, 0);
  lua_settop(state, 0);
  lua_sethook(state, count_check, LUA_MASKCOUNT, INSTRUCTIONS_PER_CHECK);
}

/* Hands an event to the global function `dispatch` of love.lua, which catches the errors of the program. */
EMSCRIPTEN_KEEPALIVE void host_send(const char *event, const char *text, double x, double y,
                                    double z) {
  checks = 0;
  lua_getglobal(state, "dispatch");
  lua_pushstring(state, event);
  lua_pushstring(state, text);
  lua_pushnumber(state, x);
  lua_pushnumber(state, y);
  lua_pushnumber(state, z);
  if (lua_pcall(state, 5, 0, 0) != LUA_OK) {
    call_page("failed", luaL_tolstring(state, -1, NULL), NULL, 0);
  }
  lua_settop(state, 0);
}
