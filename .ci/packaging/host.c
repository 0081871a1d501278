/* host.c: the least program that has Lua and sat linked in, and runs a script with its arguments. */
#include <lauxlib.h>
#include <lualib.h>

#include <stdio.h>

int luaopen_sat_core(lua_State *L);

/* require "sat" finds its native part where modules are that need not be looked for. */
static void offer_sat(lua_State *L) {
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, luaopen_sat_core);
  lua_setfield(L, -2, "sat.core");
  lua_pop(L, 2);
}

/* `arg` as lua has it: the script at 0, the program before it. */
static void set_arguments(lua_State *L, int count, char **arguments) {
  lua_newtable(L);
  for (int i = 0; i < count; i++) {
    lua_pushstring(L, arguments[i]);
    lua_rawseti(L, -2, i - 1);
  }
  lua_setglobal(L, "arg");
}

int main(int count, char **arguments) {
  if (count < 2) {
    fprintf(stderr, "usage: %s SCRIPT [ARGUMENT...]\n", arguments[0]);
    return 2;
  }
  lua_State *L = luaL_newstate();
  if (!L) return 2;
  luaL_openlibs(L);
  offer_sat(L);
  set_arguments(L, count, arguments);
  int status = luaL_dofile(L, arguments[1]);
  if (status != 0) fprintf(stderr, "%s\n", lua_tostring(L, -1));
  lua_close(L);
  return status != 0;
}
