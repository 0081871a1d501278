/* quadtree_state.h: what the files of the quadtree's binding share. Everything here works only
 * inside of a method of a quadtree, which is at stack index 1. */
#ifndef SAT_LUA_QUADTREE_STATE_H
#define SAT_LUA_QUADTREE_STATE_H

#include "lua/check.h"
#include "lua/memory.h"

/* What lies where in a tree's home. */
enum {
  SAT_HOME_TREE = 1,
  SAT_HOME_ITEMS,   /* at number + 1 the item; false where there is none, so that the place stays */
  SAT_HOME_NUMBERS, /* by item its number, or a negative one while it is being added */
  SAT_HOME_CURSORS, /* those that no loop uses */
  SAT_HOME_SIZE = SAT_HOME_CURSORS
};

#define SAT_NO_ITEM UINT32_MAX

/* An item with the distance or the fraction of the way at which it was found. */
typedef struct sat_Hit {
  double at;
  sat_Item item;
} sat_Hit;

/* What a loop found when it began, and how far it has got. */
typedef struct sat_Snapshot {
  struct sat_Snapshot *next, *next_idle;
  sat_ItemPairs pairs;
  sat_Nodes nodes;
  size_t position;
  uint64_t loop;     /* this one's number */
  uint64_t removals; /* how many there had been */
  bool is_of_nodes;
} sat_Snapshot;

/* What a quadtree is but for its home. */
typedef struct sat_LuaTree {
  sat_Holder holder;
  sat_Quadtree core;
  sat_Rectangle area;
  sat_Items found;
  sat_Hit *hits;
  size_t hit_count, hit_capacity;
  /* By number, how many loops had begun when an item came: one that came later than a loop began
   * has the number of another in its snapshot. */
  uint64_t *times;
  size_t time_capacity;
  uint64_t loops, removals;
  size_t used;   /* above all numbers that there have been */
  size_t places; /* in SAT_HOME_ITEMS */
  bool is_torn;  /* SAT_HOME_NUMBERS was left in the middle of a change */
  int idle_cursors;
  sat_Rectangle *boxes; /* what build has read, while it runs */
  size_t box_count, box_capacity;
  sat_Snapshot *snapshots, *idle; /* all, and those that no cursor has */
} sat_LuaTree;

/* A quadtree as a userdata. A finalizer may use it when the tree has been collected already. */
typedef struct sat_TreeBox {
  sat_LuaTree *tree;        /* NULL when it is gone; it is gone, too, when the keeper is closed */
  const sat_Keeper *keeper; /* which the userdata's metatable refers to */
} sat_TreeBox;

static inline sat_LuaTree *sat_treebox_open(const sat_TreeBox *box) {
  return box->keeper->is_closed ? NULL : box->tree;
}

/* The tree before the colon, in order. It ends when the state closes, in a finalizer, which another
 * finalizer may set off in the middle of a function: so every function asks for its tree again
 * after all that may run finalizers. */
sat_LuaTree *sat_luatree_check(lua_State *L);
/* Takes, resizes or, with count 0, frees an array. */
void *sat_luatree_resize(sat_LuaTree *tree, void *block, size_t old_count, size_t count,
                         size_t size);
/* Empties the core and gives back all memory but what loops are using. */
void sat_luatree_free(sat_LuaTree *tree);
void sat_luatree_free_boxes(sat_LuaTree *tree);
/* Pushes one of the tables of the home of what is at stack index 1, the tree or a cursor. */
void sat_luatree_push(lua_State *L, int place);

/* Whether the value at an index is NaN, which is no key of a table. */
bool sat_luatree_is_nan(lua_State *L, int index);
/* Raises for what is no item: nil and NaN. */
void sat_luatree_check_item(lua_State *L, int arg);
/* The number of the item at an index, or SAT_NO_ITEM. */
sat_Item sat_luatree_find(lua_State *L, int index);
/* What SAT_HOME_NUMBERS, at the index `numbers`, says of the value on top of the stack, which is
 * popped: its number, or a negative one when it is not in the tree. */
lua_Integer sat_luatree_pop_number(lua_State *L, int numbers);
sat_Rectangle sat_luatree_check_box(lua_State *L, int arg);

/* Raises what a status that is not SAT_OK means. */
void sat_luatree_check_done(lua_State *L, sat_Status status);
int sat_luatree_push_none(lua_State *L);
int sat_luatree_push_box(lua_State *L, sat_Rectangle box);
/* The end of what returns so many values and may have taken memory. */
int sat_luatree_finish(lua_State *L, sat_LuaTree *tree, int results);

/* Gives the table on top of the stack, which is the quadtrees' metatable, what loops need. */
void sat_luatree_set_loops(lua_State *L);

#endif
