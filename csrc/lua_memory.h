/* lua_memory.h: memory that the core takes for what lives in a userdata.
 *
 * It comes from the state's own allocator, so that a host's limit holds, but the collector does not
 * see it: so it is counted here, and the collector told. All of it comes back at the latest when
 * the state closes, also what a finalizer makes it take when no finalizer will run any more. */
#ifndef SAT_LUA_MEMORY_H
#define SAT_LUA_MEMORY_H

#include "lua_compat.h"
#include "sat.h"

typedef struct sat_Keeper sat_Keeper;

/* The beginning of a userdata for which the core takes memory. */
typedef struct sat_Holder {
  struct sat_Holder *next, **link;            /* in the list of all of a state */
  void (*release)(struct sat_Holder *holder); /* gives all memory back */
  sat_Keeper *keeper;
  sat_Allocator lua;  /* the state's own */
  size_t bytes, told; /* how many it has, and how many of these the collector has heard of */
  bool is_closed;     /* nothing is given any more */
} sat_Holder;

/* What all functions of one state share, in a userdata that is older than every holder. */
struct sat_Keeper {
  sat_Scratch scratch;
  sat_Holder *first;
  bool is_telling; /* the collector is at work for us */
};

/* Pushes a new keeper. */
void sat_push_keeper(lua_State *L);

/* Makes a holder of the beginning of a userdata, once its finalizer would be called and `release`
 * can be. It must not move, and sat_holder_close must be called before it is freed. */
void sat_holder_init(sat_Holder *holder, sat_Keeper *keeper, void (*release)(sat_Holder *));
/* Gives back all that it holds, for good. May be called again. */
void sat_holder_close(sat_Holder *holder);

/* What the core is to use. */
sat_Allocator sat_holder_allocator(sat_Holder *holder);

/* Lets the collector do the work that falls due for memory taken since the last call, beyond what
 * there ever was before. Finalizers may run: to be called when all is in order. */
void sat_holder_tell(lua_State *L, sat_Holder *holder);

#endif
