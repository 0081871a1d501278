/* defold.cpp: preloads the native part in each Lua state of Defold, where require "sat.defold" finds it. */
#include <dmsdk/sdk.h>

extern "C" int luaopen_sat_core(lua_State *L);

static dmExtension::Result initialize(dmExtension::Params *params) {
  lua_State *L = params->m_L;
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, luaopen_sat_core);
  lua_setfield(L, -2, "sat.core");
  lua_pop(L, 2);
  return dmExtension::RESULT_OK;
}

static dmExtension::Result finalize(dmExtension::Params *) { return dmExtension::RESULT_OK; }

DM_DECLARE_EXTENSION(sat, "sat", 0, 0, initialize, 0, 0, finalize)
