/* quadtree.h: quadtrees as a script sees them. */
#ifndef SAT_LUA_QUADTREE_H
#define SAT_LUA_QUADTREE_H

#include "lua/check.h"

/* sat.quadtree, and the methods of one. */
extern const luaL_Reg satlua_quadtree_constructors[];
extern const luaL_Reg satlua_quadtree_methods[];
extern const luaL_Reg satlua_quadtree_edits[];
extern const luaL_Reg satlua_quadtree_queries[];
extern const luaL_Reg satlua_quadtree_iterators[];

/* Adds the iterators of loops to the metatable on top of the stack. */
void satlua_quadtree_set_iterators(lua_State *L);

/* Fills the metatable of quadtrees, whose methods are in the table at that absolute stack index. */
void satlua_quadtree_set_metatable(lua_State *L, const satlua_Common *common, int methods);

/* Takes a step of a loop over pairs, given the block of its cursor, for LuaJIT's FFI. Returns a
 * result of a step (see lua/check.h). The function neither raises errors nor calls Lua. */
int satlua_quadtree_cursor_step(void *block, satlua_Step step);

#endif
