/* lua_quadtree.h: quadtrees as a script sees them. */
#ifndef SAT_LUA_QUADTREE_H
#define SAT_LUA_QUADTREE_H

#include "lua_check.h"

/* sat.quadtree, and the methods of one. */
extern const luaL_Reg sat_quadtree_constructors[];
extern const luaL_Reg sat_quadtree_methods[];
extern const luaL_Reg sat_quadtree_changes[];
extern const luaL_Reg sat_quadtree_questions[];
extern const luaL_Reg sat_quadtree_loops[];

/* Fills the metatable of quadtrees, whose methods are in the table at that absolute stack index. */
void sat_quadtree_set_metatable(lua_State *L, const sat_Common *common, int methods);

#endif
