/* outline.h: rings from pictures, and rings in tables of tables. */
#ifndef SAT_LUA_OUTLINE_H
#define SAT_LUA_OUTLINE_H

#include "lua/check.h"

extern const luaL_Reg satlua_outline_functions[];

/* Whether argument 1 is a table of tables, as { ring, hole, ... } is. */
bool satlua_has_rings(lua_State *L);

/* Reads the ring and the holes in the table that is argument 1, and joins them to one cleaned ring,
 * which is in a userdata that is pushed. */
satlua_Points satlua_check_ring_with_holes(lua_State *L);

/* For the Lua side of the module alone: takeValues(count) -> memory for so many values, and
 * outlineTaken(threshold, memory, w, h, hasNumber) -> the outline of the values that were written
 * there, as sat.outline gives it, or nothing if a number is out of range. */
int satlua_take_values(lua_State *L);
int satlua_outline_taken(lua_State *L);

#endif
