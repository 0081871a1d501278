/* world_state.h: worlds as a script sees them, and the declarations that the files of their binding
 * share. All functions but those for the FFI work only inside a method of a world, which is at
 * stack index 1. */
#ifndef SAT_LUA_WORLD_STATE_H
#define SAT_LUA_WORLD_STATE_H

#include "lua/cursor.h"

/* sat.world, shape:world, and the methods of a world. */
extern const luaL_Reg satlua_world_constructors[];
extern const luaL_Reg satlua_world_of_shape[];
extern const luaL_Reg satlua_world_methods[];
extern const luaL_Reg satlua_world_queries[];
extern const luaL_Reg satlua_world_iterators[];
extern const luaL_Reg satlua_world_saving[];
extern const luaL_Reg satlua_world_moving[];
extern const luaL_Reg satlua_world_drawing[];

/* The names of the responses, by sat_Response. */
extern const char *const satlua_response_names[];

/* Fills the metatable of worlds, whose methods are in the table at that absolute stack index. */
void satlua_world_set_metatable(lua_State *L, const satlua_Common *common, int methods);

/* ---------------------------------------------------------------- for LuaJIT's FFI */

/* The functions below neither raise errors nor call Lua. They take the blocks of worlds, of their
 * cursors and of shapes. */

enum { SATLUA_LOOP_COLLISIONS = 3, SATLUA_LOOP_OF_ONE, SATLUA_LOOP_HITS, SATLUA_LOOP_RAYCASTS };

/* The world of a block. NULL: the caller is to call the function of the Lua API, which reports
 * memory or raises an error. */
sat_World *satlua_world_handle_core(const void *block);
/* The subject of a loop: a shape, or a ray. */
typedef struct satlua_LoopSubject {
  const sat_Shape *shape;
  sat_Vec2 from, to;
  const sat_QueryFilter *who;
} satlua_LoopSubject;

/* Begins a loop of a kind other than SATLUA_LOOP_COLLISIONS with an idle cursor, and does nothing
 * for a cursor that is not idle. Returns a result of a step (see lua/check.h). */
int satlua_world_handle_begin(const void *block, void *idle, int kind,
                              const satlua_LoopSubject *subject);
/* Checks where a move would end, with a response other than a function. Returns SATLUA_STEP_FOUND,
 * or SATLUA_STEP_REFUSED: the caller is to call the function of the Lua API. */
int satlua_world_handle_check(const void *block, void *shape, sat_Vec2 motion, int response,
                              sat_MoveResult *result);
/* Moves a shape to the centroid that the last such check has found. Returns the same results. */
int satlua_world_handle_move(const void *block, void *shape, sat_Vec2 centroid);
/* Takes a step of a loop of that kind, and returns its result. `subject`: the shape that the loop
 * is about, or NULL if there is none or if the shape has been collected. */
int satlua_world_cursor_step(void *block, int kind, const sat_Shape *subject, satlua_Step step);

/* ---------------------------------------------------------------- for the binding's files */

/* Places in a world's state table, behind those of every state table. */
enum {
  /* at number + 1 the shape; false where there is none, so that the place stays */
  SATLUA_WORLD_STATE_SHAPES = SATLUA_STATE_FIRST,
  /* by id, shapes that were removed before the last update, for its end events */
  SATLUA_WORLD_STATE_ENDED,
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
enum { SATLUA_WORLD_CHANGE_LISTS = SATLUA_METATABLE_ITERATORS + 9, SATLUA_WORLD_HANDLES };

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
  satlua_ChangeList *changes;
  size_t place_count;                   /* in SATLUA_WORLD_STATE_SHAPES */
  bool has_ended, has_ending, has_kept; /* whether those tables are not empty */
} satlua_World;

/* The world before the colon: see satlua_check_owner. */
static inline satlua_World *satlua_world_check(lua_State *L) {
  return satlua_check_owner(L, SATLUA_UP_WORLD, "world");
}
/* The world for a method that changes it. Raises an error while a move in the world waits for a
 * response. */
satlua_World *satlua_world_check_changing(lua_State *L);
/* The world for a method that may change any of its shapes. Raises an error, too, while a move of
 * one of them through another world waits for a response. */
satlua_World *satlua_world_check_changing_all(lua_State *L);
/* Frees all memory of a world but its block, when the world or its state ends. Its shapes may be
 * freed already. */
void satlua_world_release(satlua_TrackedMemory *memory);
/* Removes all shapes and frees all memory but the snapshots of running loops. */
void satlua_world_free(satlua_World *world);
/* Makes places for indices below `count`. Returns the world, checked again. */
satlua_World *satlua_world_reserve(lua_State *L, satlua_World *world, size_t count);
/* Keeps a shape, which is about to be removed, for loops over the hits of the last move and the
 * shapes of the last carry. */
void satlua_world_keep(lua_State *L, satlua_World *world, const sat_Shape *shape);
/* Keeps all shapes of those hits and of the last carry, which are about to be removed. */
void satlua_world_keep_all(lua_State *L, satlua_World *world);
/* Forgets the removed shapes that end events refer to. */
void satlua_world_forget_ended(lua_State *L, satlua_World *world);
/* Empties a table of shapes by id. */
void satlua_world_forget(lua_State *L, int place);
/* Pushes the shape with an index. */
void satlua_world_push_shape(lua_State *L, uint32_t index);
/* Puts the shape on top of the stack into a table of shapes by id. */
void satlua_world_put_shape(lua_State *L, int place, uint64_t id);
/* Forgets the strings that the world keeps for deltas. */
void satlua_world_forget_saves(lua_State *L);
/* Adds the iterators of loops to the metatable on top of the stack. */
void satlua_world_set_iterators(lua_State *L);

#endif
