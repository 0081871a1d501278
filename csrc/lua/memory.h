/* memory.h: memory that the core takes for what a userdata stands for.
 *
 * It comes from the state's own allocator, so that a host's limit holds, but the collector does not
 * see it: so it is counted here, and the collector told. All of it comes back at the latest when
 * the state closes, also where no finalizer is called: for what a finalizer makes while the state
 * closes, and where one fails for want of stack. So a holder is a block of its own, and the
 * userdata has only its address. */
#ifndef SAT_LUA_MEMORY_H
#define SAT_LUA_MEMORY_H

#include "lua/compat.h"
#include "sat.h"

#include <limits.h>

typedef struct sat_Keeper sat_Keeper;

/* The beginning of a block for which the core takes memory. */
typedef struct sat_Holder {
  struct sat_Holder *next, **link;            /* in the list of all of a state */
  void (*release)(struct sat_Holder *holder); /* gives back all memory but the block */
  sat_Keeper *keeper;
  sat_Allocator lua;  /* the state's own */
  size_t size;        /* of the block */
  size_t bytes, told; /* how many it has, and how many of these the collector has heard of */
  size_t lent;        /* to loops of which it does not know that they have ended */
} sat_Holder;

/* What all functions of one state share, in a userdata that is older than every holder. */
struct sat_Keeper {
  sat_Scratch scratch;
  sat_Holder *first;
  int *answer;     /* the number of the last answer of LuaJIT's fast path, or NULL */
  size_t untold;   /* bytes of which the collector is still to hear */
  bool is_telling; /* the collector is at work for us */
  bool is_closed;  /* all holders are gone, and there will be none */
};

/* Counts up from 1. */
static inline int sat_next_answer(int answer) { return answer == INT_MAX ? 1 : answer + 1; }

/* Says that what some call is about to change may come between an answer of the fast path and what
 * is looked up by it. */
static inline void sat_keeper_interrupt(const sat_Keeper *keeper) {
  if (keeper->answer) *keeper->answer = sat_next_answer(*keeper->answer);
}

/* Pushes a new keeper. */
void sat_push_keeper(lua_State *L);

/* A new block of that size, all 0 but for the holder at its beginning, or NULL for want of memory.
 * `release` must be able to take it as it is. */
void *sat_holder_make(sat_Keeper *keeper, size_t size, void (*release)(sat_Holder *));
/* Gives back all that it holds, and the block. */
void sat_holder_free(sat_Holder *holder);

/* What the core is to use. */
sat_Allocator sat_holder_allocator(sat_Holder *holder);

/* What a loop has until it ends. One that is left has it until the collector comes by, to whom it
 * seems to be a few bytes. */
static inline void sat_holder_lend(sat_Holder *holder, size_t bytes) { holder->lent += bytes; }
static inline void sat_holder_take_back(sat_Holder *holder, size_t bytes) {
  holder->lent -= bytes < holder->lent ? bytes : holder->lent;
}

/* Whether that is worth a word to the collector. */
bool sat_holder_has_news(const sat_Holder *holder);

/* Lets the collector do the work that falls due for memory taken since the last call, beyond what
 * there ever was before, and for what is lent, once that is much. Finalizers may run: to be called
 * when all is in order. */
void sat_holder_tell(lua_State *L, sat_Holder *holder);

#endif
