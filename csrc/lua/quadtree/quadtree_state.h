/* quadtree_state.h: quadtrees as a script sees them, and the declarations that the files of their
 * binding share. All functions that take a lua_State work only inside a method of a quadtree, which
 * is at stack index 1. */
#ifndef SAT_LUA_QUADTREE_STATE_H
#define SAT_LUA_QUADTREE_STATE_H

#include "lua/cursor.h"

/* sat.quadtree, and the methods of one. */
int satlua_new_quadtree(lua_State *L);
extern const luaL_Reg satlua_quadtree_methods[];
extern const luaL_Reg satlua_quadtree_queries[];

/* Fills the metatable of quadtrees, while the module opens. */
void satlua_quadtree_set_metatable(lua_State *L);

/* Places in a quadtree's state table, behind those of every state table. */
enum {
  SATLUA_QUADTREE_STATE_ITEMS = SATLUA_STATE_MEMBERS,
  SATLUA_QUADTREE_STATE_NUMBERS = SATLUA_STATE_FIRST, /* by item its number */
  SATLUA_QUADTREE_STATE_SIZE = SATLUA_QUADTREE_STATE_NUMBERS
};

#define SATLUA_NO_ITEM UINT32_MAX

/* A quadtree without its state table. */
typedef struct satlua_Quadtree {
  satlua_LoopOwner owner;
  sat_Quadtree *core; /* behind this struct, in the same block */
  sat_Rectangle area;
  sat_Items found;
  sat_Neighbors hits;
  sat_Neighbors asked; /* the items that a function is asked about */
  /* By number, the count of loops when the item was added: an item that was added after the
   * beginning of a loop is not the item with its number in the snapshot. */
  SAT_LIST(uint64_t) times;
  uint64_t loops, removals;
  size_t used;                   /* above all numbers that items have had */
  size_t place_count;            /* in SATLUA_QUADTREE_STATE_ITEMS */
  bool is_locked;                /* a function is asked about items */
  bool is_inconsistent;          /* a change was interrupted: `found` has the new items */
  SAT_LIST(sat_Rectangle) boxes; /* the boxes that build has read, while it runs */
} satlua_Quadtree;

/* The tree before the colon, with consistent tables: see satlua_check_owner. */
satlua_Quadtree *satlua_quadtree_check(lua_State *L);
/* Raises an error for nil and NaN, which are no items. */
void satlua_quadtree_check_item(lua_State *L, int arg);
/* The number of the item at an index, or SATLUA_NO_ITEM. */
sat_Item satlua_quadtree_find(lua_State *L, int index);

/* The tree of a block for a call of lua/calls.h. NULL: the function of the Lua API is to rebuild
 * tables, to report memory or to raise an error. */
satlua_Quadtree *satlua_quadtree_handle_open(const void *block);

#endif
