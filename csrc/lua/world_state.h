/* world_state.h: worlds as a script sees them, and what the files of their binding share. But for
 * the lists of functions everything here works only inside of a method of a world, which is at
 * stack index 1. */
#ifndef SAT_LUA_WORLD_STATE_H
#define SAT_LUA_WORLD_STATE_H

#include "lua/check.h"
#include "lua/memory.h"

/* sat.world, shape:world, and the methods of a world. */
extern const luaL_Reg sat_world_constructors[];
extern const luaL_Reg sat_world_of_shape[];
extern const luaL_Reg sat_world_methods[];
extern const luaL_Reg sat_world_questions[];
extern const luaL_Reg sat_world_loops[];
extern const luaL_Reg sat_world_saving[];
extern const luaL_Reg sat_world_moving[];

/* The names of the responses, by sat_Response. */
extern const char *const sat_response_names[];

/* Fills the metatable of worlds, whose methods are in the table at that absolute stack index. */
void sat_world_set_metatable(lua_State *L, const sat_Common *common, int methods);

/* ---------------------------------------------------------------- for LuaJIT's FFI */

/* These neither raise nor call Lua, and take the blocks of worlds, of their cursors and of
 * shapes. */

enum { SAT_LOOP_COLLISIONS = 3, SAT_LOOP_OF_ONE };

/* How many cursors of a world are idle, the last of which is to be taken first; -1 when the world
 * is gone. */
int sat_worldbox_idle(const void *block);
/* Begins a loop over what collides with a shape, by a cursor that is idle, and does nothing unless
 * it is. What it returns is one of those below. */
int sat_worldbox_begin(const void *block, void *idle, const void *shape);
/* Goes on with a loop of that kind. */
int sat_worldcursor_step(void *block, int kind, sat_Step *step);
/* Goes back to what has been found last, for one who has not got it. */
void sat_worldcursor_step_back(void *block);

/* ---------------------------------------------------------------- among the binding's files */

/* What lies where in a world's home, a table that is the user value of the world and of each of its
 * cursors, where the collector sees cycles. */
enum {
  SAT_WORLD_HOME_BOX = 1,
  SAT_WORLD_HOME_SHAPES,  /* at number + 1 the shape; false where there is none, so that the place
                             stays */
  SAT_WORLD_HOME_CURSORS, /* those that no loop uses */
  SAT_WORLD_HOME_ENDED,   /* by id, those that were removed before the last update, which tells of
                             them, */
  SAT_WORLD_HOME_ENDING,  /* and those that were removed since, of which the next one will */
  SAT_WORLD_HOME_KEPT,    /* by id, shapes of the last move or carry that were removed since */
  SAT_WORLD_HOME_SIZE = SAT_WORLD_HOME_KEPT
};

/* What lies in the metatable of worlds beside SAT_TYPE_NAME. */
enum {
  SAT_WORLD_CURSORS = 2, /* the metatable of cursors */
  SAT_WORLD_NEXT,        /* the iterators, one for each kind of loop */
  SAT_WORLD_MOVED = SAT_WORLD_NEXT + 8,
  SAT_WORLD_BOXES
};

/* What a world's shapes point to. It is a userdata in SAT_WORLD_MOVED, so that it is there as long
 * as any shape may be, and its key there is the world's in SAT_WORLD_BOXES, whose values are
 * weak. */
typedef struct sat_LuaMoved {
  sat_Moved moved;
  int key;
} sat_LuaMoved;

/* What a loop found when it began, and how far it has got. */
typedef struct sat_Sight {
  struct sat_Sight *next, *next_idle;
  sat_Collisions collisions;
  sat_Events events;
  sat_Nodes nodes;
  sat_MoveHits hits;
  sat_CarriedShapes carried;
  size_t position;
  uint64_t before;  /* shapes whose id is not less came later */
  uint64_t changes; /* the world's count of changes as the loop began */
  int kind;
} sat_Sight;

/* What a world is but for its home. */
typedef struct sat_LuaWorld {
  sat_Holder holder;
  sat_World core;
  sat_Items found;
  sat_LuaMoved *moved;
  size_t places;                        /* in SAT_WORLD_HOME_SHAPES */
  bool has_ended, has_ending, has_kept; /* there is something in those tables */
  int idle_cursors;
  sat_Sight *sights, *idle; /* all, and those that no cursor has */
} sat_LuaWorld;

/* A world as a userdata. A finalizer may use it when the world has been collected already. */
typedef struct sat_WorldBox {
  sat_LuaWorld *world;      /* NULL when it is gone; it is gone, too, when the keeper is closed */
  const sat_Keeper *keeper; /* which the userdata's metatable refers to */
} sat_WorldBox;

static inline sat_LuaWorld *sat_worldbox_open(const sat_WorldBox *box) {
  return box->keeper->is_closed ? NULL : box->world;
}

/* The world before the colon. It ends when the state closes, in a finalizer, which another
 * finalizer may set off in the middle of a function: so every function asks for its world again
 * after all that may run finalizers. */
sat_LuaWorld *sat_luaworld_check(lua_State *L);
/* The same where the world is about to change, which a move that waits for an answer forbids. */
sat_LuaWorld *sat_luaworld_check_changing(lua_State *L);
/* Pushes one of the tables of the home of what is at stack index 1, the world or a cursor. */
void sat_luaworld_push(lua_State *L, int place);
/* Makes places for numbers below `count`. Returns the world, asked for again. */
sat_LuaWorld *sat_luaworld_reserve(lua_State *L, sat_LuaWorld *world, size_t count);
/* Keeps the shape on top of the stack, which is about to be removed, for the loops over what the
 * last move has hit and the last carry has moved. */
void sat_luaworld_keep(lua_State *L, sat_LuaWorld *world, const sat_Shape *shape);
/* Keeps all of these, which are about to be removed. */
void sat_luaworld_keep_all(lua_State *L, sat_LuaWorld *world);
/* Empties a table of shapes by id. */
void sat_luaworld_forget(lua_State *L, int place);
/* Raises what a status that is neither SAT_OK nor SAT_MISS means. Returns whether it is SAT_OK. */
bool sat_luaworld_is_hit(lua_State *L, sat_Status status);
/* The end of what returns so many values and may have taken memory. */
int sat_luaworld_finish(lua_State *L, sat_LuaWorld *world, int results);
/* Gives the table on top of the stack, which is the worlds' metatable, what loops need. */
void sat_luaworld_set_loops(lua_State *L);

#endif
