/* who.h: who a query of a world asks about: a shape, a mask, or a table of conditions. */
#ifndef SAT_LUA_WHO_H
#define SAT_LUA_WHO_H

#include "lua/world/world_state.h"

/* The filter of a query by its argument `who`. Shapes to be left out are in the world's list
 * `asked`, behind those of the queries that wait for an answer of their functions. */
typedef struct satlua_Who {
  satlua_World *world;
  sat_QueryFilter filter;
  int accept;      /* the stack index of the function that is asked last, or 0 */
  size_t excepted; /* the number of shapes to be left out: named, or refused by the function */
  size_t accepted; /* the number of shapes that the function has accepted */
  bool is_given;
} satlua_Who;

/* Reads `who` at the stack index `arg`, and may push values, which keep what it refers to alive.
 * Nothing that may run a finalizer is to come between this and the query. */
void satlua_who_read(lua_State *L, int arg, satlua_Who *who);
/* The filter as the next query takes it: NULL for no argument. */
const sat_QueryFilter *satlua_who_filter(const satlua_World *world, satlua_Who *who);
/* Asks the function about those of the shapes found, in the order of their distances, that it has
 * not been asked about, until it has accepted `wanted` in all: those that it accepted before are
 * the first. Leaves those out that it refuses. Returns whether it has been asked: then all lists of
 * the world may have changed, and the query is to run again. Until it answers the world cannot
 * change. */
bool satlua_who_ask(lua_State *L, satlua_Who *who, const sat_Items *found, size_t wanted);

#endif
