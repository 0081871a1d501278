/* ffi.h: the interface that the fast path for LuaJIT (lua/sat/fast.lua) calls. */
#ifndef SAT_LUA_FFI_H
#define SAT_LUA_FFI_H

#include "lua/shape_methods.h"

/* One function, ffiInterface, for the Lua side of the module alone. */
extern const luaL_Reg satlua_ffi_functions[];

#endif
