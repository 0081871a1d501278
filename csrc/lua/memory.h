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

typedef struct satlua_StateContext satlua_StateContext;

/* The beginning of a block for which the core takes memory. */
typedef struct satlua_TrackedMemory {
  struct satlua_TrackedMemory *next, **link;            /* in the list of all of a state */
  void (*release)(struct satlua_TrackedMemory *memory); /* gives back all memory but the block */
  satlua_StateContext *context;
  sat_Allocator lua;      /* the state's own */
  size_t size;            /* of the block */
  size_t bytes, reported; /* how many it has, and how many of these the collector has heard of */
  size_t loop_bytes;      /* to loops of which it does not know that they have ended */
} satlua_TrackedMemory;

/* What all functions of one state share, in a userdata that is older than every holder. */
struct satlua_StateContext {
  sat_Scratch scratch;
  satlua_TrackedMemory *first;
  int *serial;       /* the number of the last answer of LuaJIT's fast path, or NULL */
  size_t unreported; /* bytes of which the collector is still to hear */
  bool is_telling;   /* the collector is at work for us */
  bool is_closed;    /* all holders are gone, and there will be none */
};

/* Counts up from 1. */
static inline int satlua_next_serial(int serial) { return serial == INT_MAX ? 1 : serial + 1; }

/* Says that what some call is about to change may come between an answer of the fast path and what
 * is looked up by it. */
static inline void satlua_context_interrupt(const satlua_StateContext *context) {
  if (context->serial) *context->serial = satlua_next_serial(*context->serial);
}

/* Pushes a new keeper. */
void satlua_push_context(lua_State *L);

/* A new block of that size, all 0 but for the holder at its beginning, or NULL for want of memory.
 * `release` must be able to take it as it is. */
void *satlua_memory_make(satlua_StateContext *context, size_t size,
                         void (*release)(satlua_TrackedMemory *));
/* Gives back all that it holds, and the block. */
void satlua_memory_free(satlua_TrackedMemory *memory);

/* What the core is to use. */
sat_Allocator satlua_memory_allocator(satlua_TrackedMemory *memory);

/* What a loop has until it ends. One that is left has it until the collector comes by, to whom it
 * seems to be a few bytes. */
static inline void satlua_memory_add_loop(satlua_TrackedMemory *memory, size_t bytes) {
  memory->loop_bytes += bytes;
}
static inline void satlua_memory_end_loop(satlua_TrackedMemory *memory, size_t bytes) {
  memory->loop_bytes -= bytes < memory->loop_bytes ? bytes : memory->loop_bytes;
}

/* Whether that is worth a word to the collector. */
bool satlua_memory_has_unreported(const satlua_TrackedMemory *memory);

/* Lets the collector do the work that falls due for memory taken since the last call, beyond what
 * there ever was before, and for what is lent, once that is much. Finalizers may run: to be called
 * when all is in order. */
void satlua_memory_report(lua_State *L, satlua_TrackedMemory *memory);

#endif
