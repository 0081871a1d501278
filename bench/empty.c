/* empty.c: a Lua module with the things that calls are made of: a C function that checks two
 * userdata as the binding does and nothing else, one that does nothing for LuaJIT's FFI, and calls
 * of the core alone, many times over. */
#include "lua/compat.h"
#include "sat.h"

#include <string.h>

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

/* What the core does in a call of one name: asks about A, or A and B, or changes A. The sum takes
 * the results, as a caller would. */
typedef struct Work {
  sat_Shape *a, *b;
  sat_Scratch scratch;
  double sum;
} Work;

static void do_move(Work *work) { work->sum += sat_shape_move(work->a, 0.5, -0.5); }
static void do_move_to(Work *work) { work->sum += sat_shape_move_to(work->a, 3, 4); }
static void do_rotate(Work *work) { work->sum += sat_shape_rotate(work->a, 0.5); }
static void do_set_rotation(Work *work) { work->sum += sat_shape_set_rotation(work->a, 0.5); }
static void do_transform(Work *work) { work->sum += sat_shape_transform(work->a, 3, 4, 0.5); }
static void do_center(Work *work) {
  sat_Vec2 center = sat_shape_center(work->a);
  work->sum += center.x + center.y;
}
static void do_rotation(Work *work) { work->sum += sat_shape_rotation(work->a); }
static void do_bounds(Work *work) {
  sat_Box box = sat_shape_bounds(work->a);
  work->sum += box.min.x + box.min.y + box.max.x + box.max.y;
}
static void do_contains(Work *work) { work->sum += sat_contains(work->a, work->b, &work->scratch); }
static void do_overlaps(Work *work) { work->sum += sat_overlaps(work->a, work->b, &work->scratch); }
static void do_collide(Work *work) {
  sat_Result result;
  if (sat_collide(work->a, work->b, &work->scratch, &result) == SAT_OK)
    work->sum += result.vector.x + result.vector.y + result.depth;
}
static void do_distance(Work *work) {
  sat_Distance result;
  sat_distance(work->a, work->b, &work->scratch, &result);
  work->sum += result.distance + result.on_a.x + result.on_a.y + result.on_b.x + result.on_b.y;
}
static void do_read(Work *work) { work->sum += sat_shape_radius(work->a); }

static const struct {
  const char *name;
  void (*call)(Work *work);
} works[] = {
    {"move", do_move},           {"moveTo", do_move_to},
    {"rotate", do_rotate},       {"setRotation", do_set_rotation},
    {"transform", do_transform}, {"center", do_center},
    {"rotation", do_rotation},   {"bounds", do_bounds},
    {"contains", do_contains},   {"overlaps", do_overlaps},
    {"collide", do_collide},     {"distance", do_distance},
    {"nothing", do_read},
};

/* alone(name, list, times): the core's part of that call for all pairs of a list, so many times
 * over. */
static int alone(lua_State *L) {
  sat_Shape *shapes[MOST_SHAPES];
  const char *name = luaL_checkstring(L, 1);
  size_t count = lua_rawlen(L, 2), index = 0;
  sat_Allocator none = {refuse, NULL};
  Work work = {NULL, NULL, sat_scratch_make(none), 0};
  luaL_argcheck(L, count <= MOST_SHAPES, 2, "too many shapes");
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, 2, (int)i + 1);
    shapes[i] = check_shape(L, -1);
    lua_pop(L, 1); /* the list keeps it */
  }
  while (strcmp(works[index].name, name) != 0)
    if (++index == sizeof works / sizeof *works) return luaL_argerror(L, 1, "unknown");
  for (lua_Integer times = luaL_checkinteger(L, 3); times > 0; times--)
    for (size_t i = 0; i + 1 < count; i += 2) {
      work.a = shapes[i];
      work.b = shapes[i + 1];
      works[index].call(&work);
    }
  lua_pushnumber(L, work.sum);
  return 1;
}

static int empty_for_ffi(void *a, void *b) {
  (void)a, (void)b;
  return 0;
}

/* Gives `empty` and `alone` for the shapes that have the metatable of this one, and a
 * userdata that holds a pointer to a function for the FFI. */
static int bind(lua_State *L) {
  static const lua_CFunction functions[] = {empty, alone};
  if (!lua_getmetatable(L, 1)) return luaL_argerror(L, 1, "shape expected");
  for (int i = 0; i < 2; i++) {
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, functions[i], 1);
  }
  int (**pointer)(void *, void *) = lua_newuserdata(L, sizeof *pointer);
  *pointer = empty_for_ffi;
  return 3;
}

SAT_EXPORT int luaopen_bench_empty(lua_State *L);
int luaopen_bench_empty(lua_State *L) {
  lua_pushcfunction(L, bind);
  return 1;
}
