/* empty.c: a Lua module with the two things that a call of sat.collide is made of: a C function
 * that checks two userdata as the binding does and nothing else, and the call of the core alone,
 * many times over. */
#include "lua_compat.h"
#include "sat.h"

#define MOST_SHAPES 256

/* As the binding tells a shape: by its metatable, compared with an upvalue. */
static sat_Shape *check_shape(lua_State *L, int arg) {
  void *block = lua_touserdata(L, arg);
  if (!block || !lua_getmetatable(L, arg)) luaL_argerror(L, arg, "shape expected");
  int same = lua_rawequal(L, -1, lua_upvalueindex(1));
  lua_pop(L, 1);
  if (!same) luaL_argerror(L, arg, "shape expected");
  return block;
}

static int empty(lua_State *L) {
  check_shape(L, 1);
  check_shape(L, 2);
  return 0;
}

static void *refuse(void *context, void *block, size_t old_size, size_t size) {
  (void)context, (void)block, (void)old_size, (void)size;
  return NULL;
}

/* collide(list, times): a list of shapes, A and B of each pair in turn, all pairs so many times
 * over. Returns the hits. */
static int collide(lua_State *L) {
  const sat_Shape *shapes[MOST_SHAPES];
  size_t count = lua_rawlen(L, 1);
  lua_Integer times = luaL_checkinteger(L, 2), hits = 0;
  sat_Allocator none = {refuse, NULL};
  sat_Scratch scratch = sat_scratch_make(none);
  sat_Result result;
  luaL_argcheck(L, count <= MOST_SHAPES, 1, "too many shapes");
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, 1, (int)i + 1);
    shapes[i] = check_shape(L, -1);
    lua_pop(L, 1); /* the list keeps it */
  }
  for (; times > 0; times--)
    for (size_t i = 0; i + 1 < count; i += 2)
      hits += sat_collide(shapes[i], shapes[i + 1], NULL, &scratch, &result) == SAT_OK;
  lua_pushinteger(L, hits);
  return 1;
}

/* Gives both for the shapes that have the metatable of this one. */
static int bind(lua_State *L) {
  if (!lua_getmetatable(L, 1)) return luaL_argerror(L, 1, "shape expected");
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, empty, 1);
  lua_insert(L, -2);
  lua_pushcclosure(L, collide, 1);
  return 2;
}

SAT_EXPORT int luaopen_bench_empty(lua_State *L);
int luaopen_bench_empty(lua_State *L) {
  lua_pushcfunction(L, bind);
  return 1;
}
