/* world_state.h: worlds as a script sees them, and the declarations that the files of their binding
 * share. The functions that take a lua_State work only inside a method of a world, which is at
 * stack index 1. */
#ifndef SAT_LUA_WORLD_STATE_H
#define SAT_LUA_WORLD_STATE_H

#include "lua/calls.h"
#include "lua/cursor.h"

/* sat.world, shape:world, and the methods of a world. */
int satlua_new_world(lua_State *L);
int satlua_world_of_shape(lua_State *L);
extern const luaL_Reg satlua_world_methods[];
extern const luaL_Reg satlua_world_queries[];
extern const luaL_Reg satlua_world_loops[];
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
  SAT_LIST(sat_Decision) asked; /* which shapes count for queries, see lua/world/world_state.h */
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

/* ---------------------------------------------------------------- who a query asks about */

/* The filter of a query by its argument `who`. The decisions are in the world's list `asked`,
 * behind those of the queries that wait for an answer of their functions. */
typedef struct satlua_Who {
  satlua_World *world;
  sat_QueryFilter filter;
  int accept;     /* the stack index of the function that is asked last, or 0 */
  size_t decided; /* the number of shapes to be left out, and of those the function has judged */
  bool is_given;
} satlua_Who;

/* Reads `who` at the stack index `arg`, and may push values, which keep what it refers to alive.
 * Returns the world, checked again. Nothing that may run a finalizer is to come between this and
 * the query. */
satlua_World *satlua_who_read(lua_State *L, int arg, satlua_Who *who);
/* The filter as the next query takes it: NULL for no argument. */
const sat_QueryFilter *satlua_who_filter(satlua_Who *who);
/* Raises the error of the status of a query, or asks the function about the shapes that the query
 * has left open, each once. Returns whether it has been asked: then all lists of the world may have
 * changed, and the query is to run again. Until it answers the world cannot change. */
bool satlua_who_ask(lua_State *L, satlua_Who *who, sat_Status status);

/* A query as the arguments of a method or of a call describe it. */
typedef struct satlua_Query {
  int question;           /* see lua/calls.h */
  sat_Shape *shape;       /* the one that is asked about, or the area of what is visible */
  sat_Vec2 first, second; /* a point, a motion, the ends of a ray, or a corner and a size */
  double limit;           /* of the distance */
  size_t most;            /* of the nearest shapes */
} satlua_Query;

/* Asks the core, and the function of `who` about the shapes that may change the answer. */
sat_Status satlua_ask(lua_State *L, const satlua_Query *query, satlua_Who *who);

/* Calls the function at the stack index `accept` with a shape or item of the world or tree at index
 * 1, which is of that type, by its number. Meanwhile the world or tree is locked, and its list
 * `asked`, whose length is given, is closed to queries that the function makes. Raises an error if
 * the world or tree has been collected, as the state closes. */
bool satlua_accepts(lua_State *L, int type, int accept, uint32_t number, size_t *asked);

/* The filter of a call of lua/calls.h, with the shapes that it leaves out. */
typedef struct satlua_CallWho {
  sat_QueryFilter filter;
  sat_Decision left_out[8];
} satlua_CallWho;

/* Reads the conditions of a call, and returns the filter as a query takes it: NULL for none. */
const sat_QueryFilter *satlua_who_of_call(satlua_CallWho *who, const sat_World *world, SATLUA_WHO);
/* The arguments for that. */
#define SATLUA_WHO_GIVEN                                                                           \
  as, mask, sensors, except1, except2, except3, except4, except5, except6, except7, except8

#endif
