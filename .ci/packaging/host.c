/* host.c: the least program that has Lua and sat linked in, in C or C++: it runs a script. */
#ifdef __cplusplus
#include <lua.hpp>
#else
#include <lauxlib.h>
#include <lualib.h>
#endif

#include "sat.h"

#include <stdio.h>

int main(int count, char **arguments) {
  lua_State *L = count == 2 ? luaL_newstate() : NULL;
  if (!L) return 2;
  luaL_openlibs(L);
  lua_pushcfunction(L, luaopen_sat); /* luaL_requiref(L, "sat", luaopen_sat, 0) does the same */
  int failed = lua_pcall(L, 0, 0, 0) || luaL_dofile(L, arguments[1]);
  if (failed) fprintf(stderr, "%s\n", lua_tostring(L, -1));
  lua_close(L);
  return failed;
}
