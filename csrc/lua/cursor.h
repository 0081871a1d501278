/* cursor.h: loops over worlds and quadtrees: their snapshots, and the cursors that refer to these.
 *
 * A loop goes over a snapshot, a copy of the results at its beginning. The snapshot also has the
 * position of the loop, since the control variable of a generic for, a shape or an item, has none.
 * A cursor, a small userdata, is the state of a loop and refers to the snapshot. The cursor of a
 * loop that ends becomes idle; the collector takes the cursor of a loop that is left by break.
 * Snapshots belong to their world or quadtree. */
#ifndef SAT_LUA_CURSOR_H
#define SAT_LUA_CURSOR_H

#include "base/base.h"
#include "lua/check.h"
#include "lua/memory.h"

/* The first places in the state table of a world or quadtree. The table is the user value of the
 * userdata and of each of its cursors. */
enum {
  SATLUA_STATE_SELF = 1,
  SATLUA_STATE_CURSORS, /* the idle ones */
  SATLUA_STATE_MEMBERS, /* at number + 1 the shape or item; false for none, so the place stays */
  SATLUA_STATE_FIRST
};

/* The kinds of loops, the first three in the order of sat_EventKind, and the last two those of
 * quadtrees: the method that begins one; its results, which are members (m), numbers (n), whole
 * numbers (w), booleans (b) or responses (r); and the place in the state table of the removed
 * shapes that it may give. */
/* clang-format off */
#define SATLUA_LOOPS(KIND) \
  KIND(BEGAN, "began", "mm", 0) \
  KIND(TOUCHING, "touching", "mm", 0) \
  KIND(ENDED, "ended", "mm", SATLUA_WORLD_STATE_ENDED) \
  KIND(NODES, "nodes", "nnnnww", 0) \
  KIND(HITS, "hits", "mnnnnnrnn", SATLUA_WORLD_STATE_KEPT) \
  KIND(CARRIED, "carried", "mnnb", SATLUA_WORLD_STATE_KEPT) \
  KIND(PUSHED, "pushed", "mnn", SATLUA_WORLD_STATE_KEPT) \
  KIND(COLLISIONS, "collisions", "mmnnn", 0) \
  KIND(OF_ONE, "collisions", "mnnn", 0) \
  KIND(RAYCASTS, "raycasts", "mnnnnnn", 0) \
  KIND(PAIRS, "pairs", "mm", 0) \
  KIND(NODES_OF_TREE, "nodes", "nnnnww", 0)
/* clang-format on */
#define SATLUA_LOOP(kind, name, results, removed) SATLUA_LOOP_##kind,
enum { SATLUA_LOOPS(SATLUA_LOOP) SATLUA_LOOP_KINDS };

/* Places in the metatable of worlds behind those of every type. */
enum {
  SATLUA_METATABLE_CURSORS = SATLUA_FIELDS + 1, /* the metatable of all cursors */
  SATLUA_METATABLE_ITERATORS, /* the first of the iterators, one for each kind of loop */
  SATLUA_METATABLE_FIRST = SATLUA_METATABLE_ITERATORS + SATLUA_LOOP_KINDS
};

/* Copy of the results that a loop goes over, and its position. Each kind of loop fills one of the
 * lists. */
typedef struct satlua_Snapshot {
  struct satlua_Snapshot *next, *next_idle;
  sat_ItemPairs pairs;
  sat_Nodes nodes;
  sat_Collisions collisions;
  sat_Events events;
  sat_MoveHits hits;
  sat_CarriedShapes carried;
  sat_CastHits casts;
  size_t position, count; /* of the list that is filled */
  uint64_t born;    /* the world's next id at the start; in a quadtree the number of the loop */
  uint64_t changes; /* the world's count of changes, or the quadtree's of removals, at the start */
  int kind;
} satlua_Snapshot;

/* The beginning of a world or quadtree of the binding. */
typedef struct satlua_LoopOwner {
  satlua_TrackedMemory memory;
  satlua_Snapshot *snapshots, *idle; /* all snapshots, and those without a cursor */
  int idle_cursors;
  /* Where those begin in the list `asked` that belong to no query which waits for its function. */
  size_t asked_from;
} satlua_LoopOwner;

/* A world or quadtree as a userdata. A finalizer may use the userdata after its collection. */
typedef struct satlua_Handle {
  satlua_LoopOwner *owner; /* NULL after the collection; freed, too, once the context is closed */
  satlua_StateContext *context; /* which the userdata's metatable refers to */
} satlua_Handle;

/* The userdata that is the state of a loop. */
typedef struct satlua_Cursor {
  const satlua_Handle *handle; /* which the state table keeps alive */
  satlua_Snapshot *snapshot;   /* NULL when the loop is over; freed with the owner */
} satlua_Cursor;

/* The owner behind a handle, or NULL after its collection. */
static inline void *satlua_handle_open(const satlua_Handle *handle) {
  return handle->context->is_closed ? NULL : handle->owner;
}

/* The snapshot of a loop that is not over, or NULL. */
static inline satlua_Snapshot *satlua_cursor_snapshot(const satlua_Cursor *cursor) {
  return satlua_handle_open(cursor->handle) ? cursor->snapshot : NULL;
}

/* Pushes a handle with the metatable at the upvalue `type` and a state table of `places`, whose
 * fields are tables. Its owner is made of `size` bytes by satlua_memory_make, and returned. */
void *satlua_handle_push(lua_State *L, int type, int places, size_t size,
                         void (*release)(satlua_TrackedMemory *));
/* The owner of the handle before the colon, which is a `noun`. A finalizer frees the owner when the
 * state closes, and any allocation of a function may run finalizers: so every function calls this
 * again after all that may run finalizers. */
void *satlua_check_owner(lua_State *L, int type, const char *noun);
/* Reports memory that a method of the handle at index 1 has taken, and returns `results`. The owner
 * is read from the handle again, since the results' making may have run its finalizer. Other
 * finalizers may run. */
int satlua_finish(lua_State *L, int results);
/* Returns the list at the stack index `out`, filled with members, and their number. `first` is the
 * number of the first one in an array of elements of that size. */
int satlua_return_members(lua_State *L, int out, const void *first, size_t count, size_t each);
/* Pushes a field of the state table of the userdata at stack index 1. */
void satlua_push_state(lua_State *L, int place);
/* Pushes the shape or item with a number. */
void satlua_push_member(lua_State *L, uint32_t number);

/* The upvalue of an iterator: the metatable of cursors, with the names of responses. */
enum { SATLUA_UP_CURSORS = 1 };

/* Pushes the results of a step, and returns their number, or 0 for a removed shape that is not
 * kept. Below them it leaves the state table and its members. No finalizer runs meanwhile. */
SAT_INLINE int satlua_push_step(lua_State *L, const char *results, int removed,
                                const double *value) {
  int count = 0;
  if (*results == 'm') {
    lua_getuservalue(L, 1);
    lua_rawgeti(L, -1, SATLUA_STATE_MEMBERS);
  }
  for (; results[count]; count++) {
    char letter = results[count];
    double number = value[count];
    if (letter == 'n') lua_pushnumber(L, number + 0.0);
    else if (letter == 'm' && number > 0) lua_rawgeti(L, -1 - count, (int)number);
    else if (letter == 'w') lua_pushinteger(L, (lua_Integer)number);
    else if (letter == 'b') lua_pushboolean(L, number != 0);
    else if (letter == 'r') lua_rawgeti(L, lua_upvalueindex(SATLUA_UP_CURSORS), (int)number + 1);
    else {
      lua_rawgeti(L, -2 - count, removed);
      lua_pushnumber(L, -number);
      lua_rawget(L, -2);
      lua_remove(L, -2);
      if (lua_isnil(L, -1)) return 0;
    }
  }
  return count;
}

/* Frees the lists of idle snapshots. */
void satlua_snapshots_shrink(satlua_LoopOwner *owner);
/* Frees all snapshots. */
void satlua_snapshots_free(satlua_LoopOwner *owner);

/* Pushes a cursor of the owner at stack index 1, an idle one or a new one. Finalizers may run. */
satlua_Cursor *satlua_cursor_push(lua_State *L, satlua_LoopOwner *owner);
/* Gives a cursor a snapshot to fill, or returns NULL for want of memory. */
satlua_Snapshot *satlua_cursor_begin(satlua_Cursor *cursor, satlua_LoopOwner *owner, int kind);
/* Counts the entries of a snapshot that has been filled, and its memory. Returns their number. */
size_t satlua_cursor_count(const satlua_Cursor *cursor);
/* Returns the values of a generic for with the cursor on top of the stack: the iterator, its state,
 * nil as control variable, and the cursor again as the value to close, which Lua uses since 5.4. */
int satlua_cursor_return_loop(lua_State *L, const satlua_Cursor *cursor);

/* Ends the loop of the cursor at stack index 1, which becomes idle. */
void satlua_cursor_make_idle(lua_State *L, satlua_Cursor *cursor);
/* Ends a loop. Returns false if it had ended before. */
bool satlua_cursor_finish(satlua_Cursor *cursor);
/* Pushes the metatable of cursors, while the module opens. */
void satlua_cursor_push_metatable(lua_State *L);
/* Adds it and the iterators of loops to the metatable of worlds, at an absolute index. */
void satlua_set_iterators(lua_State *L, int worlds);

#endif
