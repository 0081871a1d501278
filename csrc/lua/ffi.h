/* ffi.h: what the fast path for LuaJIT (lua/sat/jit.lua) needs of the native part. */
#ifndef SAT_LUA_FFI_H
#define SAT_LUA_FFI_H

#include "lua/shape_methods.h"

/* One function, ffiInterface, for the Lua side of the module alone. */
extern const luaL_Reg satlua_ffi_functions[];

#endif
