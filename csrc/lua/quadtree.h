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

/* Fills the metatable of quadtrees, whose methods are in the table at that absolute stack index. */
void satlua_quadtree_set_metatable(lua_State *L, const satlua_Common *common, int methods);

/* Where in the metatable of quadtrees, beside SATLUA_TYPE_NAME, that of their cursors is. */
enum { SATLUA_TREE_CURSORS = 2 };

/* For LuaJIT's FFI: how many cursors of a quadtree are idle, or -1 when it is gone; go on with a
 * loop over pairs by its cursor's block, and back to what has been found last. They neither raise
 * nor call Lua. */
int satlua_quadtree_handle_idle(const void *block);
int satlua_quadtree_cursor_step(void *block, satlua_Step *step);
void satlua_quadtree_cursor_step_back(void *block);

#endif
