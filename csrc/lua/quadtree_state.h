/* quadtree_state.h: what the files of the quadtree's binding share. Everything here works only
 * inside of a method of a quadtree, which is at stack index 1. */
#ifndef SAT_LUA_QUADTREE_STATE_H
#define SAT_LUA_QUADTREE_STATE_H

#include "lua/check.h"
#include "lua/memory.h"

/* What lies where in a tree's home. */
enum {
  SATLUA_QUADTREE_STATE_SELF = 1,
  /* at number + 1 the item; false where there is none, so that the place stays */
  SATLUA_QUADTREE_STATE_ITEMS,
  SATLUA_QUADTREE_STATE_NUMBERS, /* by item its number, or a negative one while it is being added */
  SATLUA_QUADTREE_STATE_CURSORS, /* those that no loop uses */
  SATLUA_QUADTREE_STATE_SIZE = SATLUA_QUADTREE_STATE_CURSORS
};

#define SATLUA_NO_ITEM UINT32_MAX

/* An item with the distance or the fraction of the way at which it was found. */
typedef struct satlua_Hit {
  double at;
  sat_Item item;
} satlua_Hit;

/* What a loop found when it began, and how far it has got. */
typedef struct satlua_QuadtreeSnapshot {
  struct satlua_QuadtreeSnapshot *next, *next_idle;
  sat_ItemPairs pairs;
  sat_Nodes nodes;
  size_t position;
  uint64_t loop;     /* this one's number */
  uint64_t removals; /* how many there had been */
  bool is_of_nodes;
} satlua_QuadtreeSnapshot;

/* What a quadtree is but for its home. */
typedef struct satlua_Quadtree {
  satlua_TrackedMemory memory;
  sat_Quadtree core;
  sat_Rectangle area;
  sat_Items found;
  satlua_Hit *hits;
  size_t hit_count, hit_capacity;
  /* By number, how many loops had begun when an item came: one that came later than a loop began
   * has the number of another in its snapshot. */
  uint64_t *times;
  size_t time_capacity;
  uint64_t loops, removals;
  size_t used;          /* above all numbers that there have been */
  size_t place_count;   /* in SATLUA_QUADTREE_STATE_ITEMS */
  bool is_inconsistent; /* SATLUA_QUADTREE_STATE_NUMBERS was left in the middle of a change */
  int idle_cursors;
  sat_Rectangle *boxes; /* what build has read, while it runs */
  size_t box_count, box_capacity;
  satlua_QuadtreeSnapshot *snapshots, *idle; /* all, and those that no cursor has */
} satlua_Quadtree;

/* A quadtree as a userdata. A finalizer may use it when the tree has been collected already. */
typedef struct satlua_QuadtreeHandle {
  satlua_Quadtree *tree; /* NULL when it is gone; it is gone, too, when the keeper is closed */
  const satlua_StateContext *context; /* which the userdata's metatable refers to */
} satlua_QuadtreeHandle;

static inline satlua_Quadtree *satlua_quadtree_handle_open(const satlua_QuadtreeHandle *box) {
  return box->context->is_closed ? NULL : box->tree;
}

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
/* Pushes one of the tables of the home of what is at stack index 1, the tree or a cursor. */
void satlua_quadtree_push(lua_State *L, int place);

/* Whether the value at an index is NaN, which is no key of a table. */
bool satlua_quadtree_is_nan(lua_State *L, int index);
/* Raises for what is no item: nil and NaN. */
void satlua_quadtree_check_item(lua_State *L, int arg);
/* The number of the item at an index, or SATLUA_NO_ITEM. */
sat_Item satlua_quadtree_find(lua_State *L, int index);
/* What SATLUA_QUADTREE_STATE_NUMBERS, at the index `numbers`, says of the value on top of the
 * stack, which is popped: its number, or a negative one when it is not in the tree. */
lua_Integer satlua_quadtree_pop_number(lua_State *L, int numbers);
sat_Rectangle satlua_quadtree_check_box(lua_State *L, int arg);

/* Raises what a status that is not SAT_OK means. */
void satlua_quadtree_check_done(lua_State *L, sat_Status status);
int satlua_quadtree_push_none(lua_State *L);
int satlua_quadtree_push_box(lua_State *L, sat_Rectangle box);
/* The end of what returns so many values and may have taken memory. */
int satlua_quadtree_finish(lua_State *L, satlua_Quadtree *tree, int results);

/* Gives the table on top of the stack, which is the quadtrees' metatable, what loops need. */
void satlua_quadtree_set_loops(lua_State *L);

#endif
