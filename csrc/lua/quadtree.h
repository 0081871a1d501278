/* quadtree.h: quadtrees as a script sees them. */
#ifndef SAT_LUA_QUADTREE_H
#define SAT_LUA_QUADTREE_H

#include "lua/check.h"

/* sat.quadtree, and the methods of one. */
extern const luaL_Reg sat_quadtree_constructors[];
extern const luaL_Reg sat_quadtree_methods[];
extern const luaL_Reg sat_quadtree_changes[];
extern const luaL_Reg sat_quadtree_questions[];
extern const luaL_Reg sat_quadtree_loops[];

/* Fills the metatable of quadtrees, whose methods are in the table at that absolute stack index. */
void sat_quadtree_set_metatable(lua_State *L, const sat_Common *common, int methods);

/* Where in the metatable of quadtrees, beside SAT_TYPE_NAME, that of their cursors is. */
enum { SAT_TREE_CURSORS = 2 };

/* For LuaJIT's FFI: how many cursors of a quadtree are idle, or -1 when it is gone; go on with a
 * loop over pairs by its cursor's block, and back to what has been found last. They neither raise
 * nor call Lua. */
int sat_treebox_idle(const void *block);
int sat_treecursor_step(void *block, sat_Step *step);
void sat_treecursor_step_back(void *block);

#endif
