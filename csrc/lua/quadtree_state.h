/* quadtree_state.h: what the files of the quadtree's binding share. Everything here works only
 * inside of a method of a quadtree, which is at stack index 1. */
#ifndef SAT_LUA_QUADTREE_STATE_H
#define SAT_LUA_QUADTREE_STATE_H

#include "lua/cursor.h"

/* Places in a quadtree's state table, behind those of every state table. */
enum {
  /* at number + 1 the item; false where there is none, so that the place stays */
  SATLUA_QUADTREE_STATE_ITEMS = SATLUA_STATE_FIRST,
  SATLUA_QUADTREE_STATE_NUMBERS, /* by item its number, or a negative one while it is being added */
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
  /* By number, how many loops had begun when an item came: one that came later than a loop began
   * has the number of another in its snapshot. */
  uint64_t *times;
  size_t time_capacity;
  uint64_t loops, removals;
  size_t used;          /* above all numbers that there have been */
  size_t place_count;   /* in SATLUA_QUADTREE_STATE_ITEMS */
  bool is_inconsistent; /* SATLUA_QUADTREE_STATE_NUMBERS was left in the middle of a change */
  sat_Rectangle *boxes; /* what build has read, while it runs */
  size_t box_count, box_capacity;
} satlua_Quadtree;

/* The tree before the colon, in order. It ends when the state closes, in a finalizer, which another
 * finalizer may set off in the middle of a function: so every function asks for its tree again
 * after all that may run finalizers. */
satlua_Quadtree *satlua_quadtree_check(lua_State *L);
/* Takes, resizes or, with count 0, frees an array. */
void *satlua_quadtree_resize(satlua_Quadtree *tree, void *block, size_t old_count, size_t count,
                             size_t size);
/* Frees all that a tree holds but its block, when the tree or its state ends. */
void satlua_quadtree_release(satlua_TrackedMemory *memory);
/* Empties the core and gives back all memory but what loops are using. */
void satlua_quadtree_free(satlua_Quadtree *tree);
void satlua_quadtree_free_boxes(satlua_Quadtree *tree);
/* Whether the value at an index is NaN, which is no key of a table. */
bool satlua_quadtree_is_nan(lua_State *L, int index);
/* Raises for what is no item: nil and NaN. */
void satlua_quadtree_check_item(lua_State *L, int arg);
/* The number of the item at an index, or SATLUA_NO_ITEM. */
sat_Item satlua_quadtree_find(lua_State *L, int index);
/* Looks up the value on top of the stack, which is popped, in SATLUA_QUADTREE_STATE_NUMBERS at the
 * index `numbers`: its number, or a negative one when the value is not in the tree. */
lua_Integer satlua_quadtree_pop_number(lua_State *L, int numbers);
sat_Rectangle satlua_quadtree_check_box(lua_State *L, int arg);

/* Raises what a status that is not SAT_OK means. */
void satlua_quadtree_check_done(lua_State *L, sat_Status status);
/* The end of what returns so many values and may have taken memory. */
int satlua_quadtree_finish(lua_State *L, satlua_Quadtree *tree, int results);

/* For LuaJIT's FFI, and neither raises nor calls Lua: the tree of a userdata's block, or NULL: the
 * function of the Lua API has something to put in order or to say. */
satlua_Quadtree *satlua_quadtree_handle_open(const void *block);

#endif
