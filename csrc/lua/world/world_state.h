/* world_state.h: worlds as a script sees them, and the declarations that the files of their binding
 * share. The functions that take a lua_State work only inside a method of a world, which is at
 * stack index 1. */
#ifndef SAT_LUA_WORLD_STATE_H
#define SAT_LUA_WORLD_STATE_H

#include "lua/cursor.h"

/* sat.world, shape:world, and the methods of a world. */
int satlua_new_world(lua_State *L);
int satlua_world_of_shape(lua_State *L);
extern const luaL_Reg satlua_world_methods[];
extern const luaL_Reg satlua_world_queries[];
extern const luaL_Reg satlua_world_iterators[];
extern const luaL_Reg satlua_world_saving[];
extern const luaL_Reg satlua_world_moving[];
/* Functions for the Lua side of the module alone. */
int satlua_way_of(lua_State *L);
int satlua_check_answered(lua_State *L);
int satlua_answered(lua_State *L);

/* The names of the responses, by sat_Response. */
extern const char *const satlua_response_names[];

/* Fills the metatable of worlds, while the module opens. */
void satlua_world_set_metatable(lua_State *L);

/* Places in a world's state table, behind those of every state table. */
enum {
  SATLUA_WORLD_STATE_SHAPES = SATLUA_STATE_MEMBERS,
  /* by id, shapes that were removed before the last update, for its end events */
  SATLUA_WORLD_STATE_ENDED = SATLUA_STATE_FIRST,
  /* by id, shapes that were removed since, for the end events of the next update */
  SATLUA_WORLD_STATE_ENDING,
  SATLUA_WORLD_STATE_KEPT, /* by id, shapes of the last move or carry that were removed since */
  /* The string that is the core's base; the one that the last delta was saved since; and the last
   * whole ones that were loaded and saved. Another value: there is none. */
  SATLUA_WORLD_STATE_BASE,
  SATLUA_WORLD_STATE_SINCE,
  SATLUA_WORLD_STATE_LOADED,
  SATLUA_WORLD_STATE_SAVED,
  /* by cursor, the subjects of loops over the collisions of one shape; weak */
  SATLUA_WORLD_STATE_SUBJECTS,
  SATLUA_WORLD_STATE_SIZE = SATLUA_WORLD_STATE_SUBJECTS
};

/* No world has more places for shapes. */
#define SATLUA_MOST_PLACES 100000000

/* Places in the metatable of worlds behind the iterators. */
enum { SATLUA_WORLD_CHANGE_LISTS = SATLUA_METATABLE_FIRST, SATLUA_WORLD_HANDLES };

/* The change list that a world's shapes point to. It is a userdata in SATLUA_WORLD_CHANGE_LISTS, so
 * that it lives as long as any shape of the world. Its key there is also the key of the world's
 * handle in SATLUA_WORLD_HANDLES, whose values are weak. */
typedef struct satlua_ChangeList {
  sat_ChangeList changes;
  int key;
} satlua_ChangeList;

/* A world without its state table. */
typedef struct satlua_World {
  satlua_LoopOwner owner;
  sat_World *core; /* behind this struct, in the same block */
  sat_Items found;
  sat_Items answered;           /* what the last check with answers has asked about */
  SAT_LIST(sat_Decision) asked; /* which shapes count for queries, see lua/who.h */
  sat_OpenShapes open;
  sat_Points seen;
  satlua_ChangeList *changes;
  size_t place_count;                            /* in SATLUA_WORLD_STATE_SHAPES */
  bool has_removed[SATLUA_WORLD_STATE_KEPT + 1]; /* by place: the table there is not empty */
} satlua_World;

/* The world before the colon: see satlua_check_owner. */
static inline satlua_World *satlua_world_check(lua_State *L) {
  return satlua_check_owner(L, SATLUA_UP_WORLD, "world");
}
/* The world of a block for a call of lua/calls.h. NULL: the function of the Lua API is to report
 * memory or to raise an error. */
satlua_World *satlua_world_handle_open(const void *block);
/* The world for a method that changes it. Raises an error while a move in the world waits for a
 * response. */
satlua_World *satlua_world_check_changing(lua_State *L);
/* The world for a method that may change any of its shapes. Raises an error, too, while a move of
 * one of them through another world waits for a response. */
satlua_World *satlua_world_check_changing_all(lua_State *L);
/* Makes places for indices below `count`. Returns the world, checked again. */
satlua_World *satlua_world_reserve(lua_State *L, satlua_World *world, size_t count);
/* Keeps a shape, which is about to be removed, in one of the tables of removed shapes. */
void satlua_world_keep(lua_State *L, satlua_World *world, int place, const sat_Shape *shape);
/* Empties such a table. */
void satlua_world_forget(lua_State *L, satlua_World *world, int place);
/* Keeps a string in the state table, at a place that exists already, so that no memory is taken. */
void satlua_world_keep_string(lua_State *L, int place, int index);

#endif
