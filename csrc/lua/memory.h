/* memory.h: memory that the core takes for a userdata.
 *
 * The memory comes from the state's own allocator, so that a host's limit holds, but the collector
 * does not see it: so the bytes are counted here and reported to the collector. All memory comes
 * back at the latest when the state closes, even where no finalizer is called: for userdata that a
 * finalizer makes while the state closes, and where a finalizer fails for want of stack. So tracked
 * memory is a block of its own, and the userdata holds only its address. */
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

/* State that all functions of one Lua state share, in a userdata that is older than all tracked
 * memory. */
struct satlua_StateContext {
  sat_Scratch scratch;
  satlua_TrackedMemory *first;
  int *serial;       /* the number of the last answer of LuaJIT's fast path, or NULL */
  size_t unreported; /* bytes of which the collector is still to hear */
  bool is_reporting; /* the collector is at work for us */
  bool is_closed;    /* all holders are gone, and there will be none */
};

/* Counts up from 1. */
static inline int satlua_next_serial(int serial) { return serial == INT_MAX ? 1 : serial + 1; }

/* Says that what some call is about to change may come between an answer of the fast path and what
 * is looked up by it. */
static inline void satlua_context_interrupt(const satlua_StateContext *context) {
  if (context->serial) *context->serial = satlua_next_serial(*context->serial);
}

/* Pushes a new context. */
void satlua_push_context(lua_State *L);

/* Makes a block of that size, all 0 but for the satlua_TrackedMemory at its beginning, or returns
 * NULL for want of memory. `release` must be able to take the block as it is. */
void *satlua_memory_make(satlua_StateContext *context, size_t size,
                         void (*release)(satlua_TrackedMemory *));
/* Gives back all that it holds, and the block. */
void satlua_memory_free(satlua_TrackedMemory *memory);

/* The allocator that the core uses for this block. */
sat_Allocator satlua_memory_allocator(satlua_TrackedMemory *memory);

/* Bytes held by running loops. A loop left by break frees them only when its cursor is collected,
 * so they count as GC pressure. */
static inline void satlua_memory_add_loop(satlua_TrackedMemory *memory, size_t bytes) {
  memory->loop_bytes += bytes;
}
static inline void satlua_memory_end_loop(satlua_TrackedMemory *memory, size_t bytes) {
  memory->loop_bytes -= bytes < memory->loop_bytes ? bytes : memory->loop_bytes;
}

/* Whether there is enough new memory to report. */
bool satlua_memory_has_unreported(const satlua_TrackedMemory *memory);

/* Reports memory to the collector, which does the work that falls due: for bytes beyond the
 * greatest number reported so far, and for the bytes of loops, once they are many. Finalizers may
 * run, so all must be in order before the call. */
void satlua_memory_report(lua_State *L, satlua_TrackedMemory *memory);

#endif
