/* who.h: who a query of a world asks about: a shape, a mask, or a table of conditions. */
#ifndef SAT_LUA_WHO_H
#define SAT_LUA_WHO_H

#include "lua/calls.h"
#include "lua/world/world_state.h"

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
