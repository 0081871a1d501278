/* memory.h: memory that the core takes for a userdata.
 *
 * The memory comes from the state's own allocator, so that a host's limit holds. The collector does
 * not see it, so its bytes are counted here and reported to the collector. All memory is freed at
 * the latest when the state closes, even where no finalizer is called: for userdata that a
 * finalizer makes while the state closes, and where a finalizer fails for want of stack. So tracked
 * memory is a block of its own, and the userdata has only its address. */
#ifndef SAT_LUA_MEMORY_H
#define SAT_LUA_MEMORY_H

#include "lua/compat.h"
#include "sat.h"

#include <limits.h>

typedef struct satlua_StateContext satlua_StateContext;

/* The beginning of a block for which the core takes memory. */
typedef struct satlua_TrackedMemory {
  struct satlua_TrackedMemory *next, **link;            /* in the list of the state's */
  void (*release)(struct satlua_TrackedMemory *memory); /* frees all memory but the block */
  satlua_StateContext *context;
  sat_Allocator lua;      /* the state's own */
  size_t size;            /* of the block */
  size_t bytes, reported; /* of the memory; those reported to the collector */
  size_t loop_bytes;      /* of loops that may still run, or that were left by break and are not
                           * collected yet */
} satlua_TrackedMemory;

/* The data that all functions of one Lua state share, in a userdata that is older than all tracked
 * memory. */
struct satlua_StateContext {
  sat_Scratch scratch;
  satlua_TrackedMemory *first;
  double value[10];  /* the numbers of the last answer of a call, see lua/calls.c, */
  int serial;        /* and its serial number */
  size_t unreported; /* bytes to be reported to the collector */
  size_t waiting;    /* moves and queries that wait for a function's answer */
  bool is_reporting; /* the collector does a step that a report has caused */
  bool is_closed;    /* all tracked memory is freed, and no more is given */
};

/* Gives the answer in `value` a serial number, which counts up from 1. The last answer, and all
 * numbers looked up for the FFI, are invalid from then on. */
static inline int satlua_next_serial(satlua_StateContext *context) {
  return context->serial = context->serial == INT_MAX ? 1 : context->serial + 1;
}

/* Pushes a new context. */
void satlua_push_context(lua_State *L);

/* Makes a block of that size, all 0 but for the satlua_TrackedMemory at its beginning, or returns
 * NULL for want of memory. `release` must work on the block in this state. */
void *satlua_memory_make(satlua_StateContext *context, size_t size,
                         void (*release)(satlua_TrackedMemory *));
/* Frees all memory of a block, and the block. */
void satlua_memory_free(satlua_TrackedMemory *memory);

/* The allocator that the core uses for this block. */
sat_Allocator satlua_memory_allocator(satlua_TrackedMemory *memory);

/* Whether there is enough new memory to report. */
bool satlua_memory_has_unreported(const satlua_TrackedMemory *memory);

/* Reports memory to the collector, which may do a step: the bytes beyond the greatest number
 * reported so far, and the bytes of loops, once they are many. Finalizers may run, so that the
 * caller's data must be consistent before the call. */
void satlua_memory_report(lua_State *L, satlua_TrackedMemory *memory);

#endif
