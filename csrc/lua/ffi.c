/* ffi.c: what LuaJIT's FFI calls in place of the functions of the Lua API.
 *
 * The FFI passes a userdata's block as a pointer, and it calls by pointers, too, so that no symbol
 * has to be exported for it. What it calls must neither raise nor call Lua. Numbers are checked
 * here; that a pointer is a shape's is for the caller to know. What is wrong is not said: the
 * function of the Lua API, called with the same arguments, does that. */
#include "lua/ffi.h"

#include "base/vec2.h"
#include "lua/quadtree.h"
#include "lua/quadtree_state.h"
#include "lua/world_state.h"

/* Declares a struct in C and has the same as text, for the FFI. */
#define DECLARE(name, text, ...)                                                                   \
  typedef struct name {                                                                            \
    __VA_ARGS__                                                                                    \
  } name;                                                                                          \
  static const char text[] = "struct {" #__VA_ARGS__ "} *"

/* A place to leave answers of several numbers in, and the functions to be called. Most return a
 * sat_Status. `center`, `bounds`, `collide` and `distance` leave numbers in `value` and return the
 * number of their answer, which counts up from 1 and is in `answer`, too: so a caller who has been
 * interrupted can tell whether these are still the numbers of its answer. When there are none they
 * return 0 for no, and REFUSED. That a 0 may be -0 is for the caller to mend. The numbers behind
 * `answer` are enumerators: what a step may return, and what lies where in the home of a world or
 * quadtree. */
/* clang-format off */
DECLARE(Desk, declaration,
  double value[5];
  int answer;
  int refused, to_tell, nothing;
  int world_shapes, world_cursors, tree_items, tree_cursors;
  void *scratch;
  int (*move)(void *shape, double dx, double dy);
  int (*move_to)(void *shape, double x, double y);
  int (*rotate)(void *shape, double angle);
  int (*rotate_about)(void *shape, double angle, double px, double py);
  int (*set_rotation)(void *shape, double angle);
  int (*set_rotation_about)(void *shape, double angle, double px, double py);
  int (*transform)(void *shape, double x, double y, double angle);
  double (*rotation)(void *shape);
  int (*center)(void *desk, void *shape);
  int (*bounds)(void *desk, void *shape);
  int (*contains_point)(void *desk, void *shape, double x, double y);
  int (*contains)(void *desk, void *a, void *b);
  int (*overlaps)(void *desk, void *a, void *b);
  int (*collide)(void *desk, void *a, void *b);
  int (*distance)(void *desk, void *a, void *b);
  int (*idle_cursors)(const void *world);
  int (*idle_tree_cursors)(const void *tree);
  int (*begin_of_one)(const void *world, void *cursor, const void *shape);
  int (*next_of_one)(void *desk, void *cursor);
  int (*next_collision)(void *desk, void *cursor);
  int (*next_pair)(void *desk, void *cursor);
  void (*step_back)(void *cursor);
  void (*step_back_pair)(void *cursor);
);
/* clang-format on */

#define REFUSED SAT_STEP_REFUSED

/* ---------------------------------------------------------------- changing */

static bool both_in_range(double x, double y) { return in_range(x) && in_range(y); }

/* A shape that may not change is refused, and the function of the Lua API says why. */
static bool may_change(const void *shape) { return !sat_shape_is_locked(shape); }

static int move(void *shape, double dx, double dy) {
  return (int)(both_in_range(dx, dy) && may_change(shape) ? sat_shape_move(shape, dx, dy)
                                                          : SAT_ERANGE);
}

static int move_to(void *shape, double x, double y) {
  return (int)(both_in_range(x, y) && may_change(shape) ? sat_shape_move_to(shape, x, y)
                                                        : SAT_ERANGE);
}

static int rotate(void *shape, double angle) {
  return (int)(in_range(angle) && may_change(shape) ? sat_shape_rotate(shape, angle) : SAT_ERANGE);
}

static int rotate_about(void *shape, double angle, double px, double py) {
  if (!in_range(angle) || !both_in_range(px, py) || !may_change(shape)) return SAT_ERANGE;
  return (int)sat_shape_rotate_about(shape, angle, vec2(px, py));
}

static int set_rotation(void *shape, double angle) {
  return (int)(in_range(angle) && may_change(shape) ? sat_shape_set_rotation(shape, angle)
                                                    : SAT_ERANGE);
}

static int set_rotation_about(void *shape, double angle, double px, double py) {
  if (!in_range(angle) || !both_in_range(px, py) || !may_change(shape)) return SAT_ERANGE;
  return (int)sat_shape_set_rotation_about(shape, angle, vec2(px, py));
}

static int transform(void *shape, double x, double y, double angle) {
  if (!in_range(angle) || !both_in_range(x, y) || !may_change(shape)) return SAT_ERANGE;
  return (int)sat_shape_transform(shape, x, y, angle);
}

/* ---------------------------------------------------------------- asking */

/* The number of the answer that lies on the desk now. */
static int answer(Desk *desk) { return desk->answer = sat_next_answer(desk->answer); }

/* What a question returns that has no numbers to give. */
static int without_numbers(sat_Status status) { return status == SAT_MISS ? 0 : REFUSED; }

/* Volatile, since compilers would put two numbers together to store them as one, for which the
 * processor has to wait. */
static void put(Desk *desk, int index, double number) {
  volatile double *value = desk->value;
  value[index] = number;
}

static void put_vec2(Desk *desk, int index, sat_Vec2 v) {
  put(desk, index, v.x);
  put(desk, index + 1, v.y);
}

static double rotation(void *shape) { return sat_shape_rotation(shape); }

static int center(void *desk, void *shape) {
  put_vec2(desk, 0, sat_shape_center(shape));
  return answer(desk);
}

static int bounds(void *to, void *shape) {
  Desk *desk = to;
  sat_Rectangle box = sat_shape_rectangle(shape);
  put(desk, 0, box.x);
  put(desk, 1, box.y);
  put(desk, 2, box.w);
  put(desk, 3, box.h);
  return answer(desk);
}

static int contains_point(void *desk, void *shape, double x, double y) {
  if (!both_in_range(x, y)) return SAT_ERANGE;
  return (int)sat_contains_point(shape, vec2(x, y), ((Desk *)desk)->scratch);
}

static int contains(void *desk, void *a, void *b) {
  return (int)sat_contains(a, b, ((Desk *)desk)->scratch);
}

static int overlaps(void *desk, void *a, void *b) {
  return (int)sat_overlaps(a, b, NULL, ((Desk *)desk)->scratch);
}

static int collide(void *to, void *a, void *b) {
  Desk *desk = to;
  sat_Result result;
  sat_Status status = sat_collide(a, b, NULL, desk->scratch, &result);
  if (status != SAT_OK) return without_numbers(status);
  put_vec2(desk, 0, result.vector);
  put(desk, 2, result.depth);
  return answer(desk);
}

static int distance(void *to, void *a, void *b) {
  Desk *desk = to;
  sat_Distance result;
  sat_Status status = sat_distance(a, b, NULL, desk->scratch, &result);
  if (status != SAT_OK && status != SAT_MISS) return REFUSED;
  put(desk, 0, result.distance);
  put_vec2(desk, 1, result.on_a);
  put_vec2(desk, 3, result.on_b);
  return answer(desk);
}

/* ---------------------------------------------------------------- loops */

/* What was found goes onto the desk, where it is an answer like others. */
static int give(Desk *desk, int came_to, const sat_Step *step) {
  if (came_to != SAT_STEP_FOUND) return came_to;
  put(desk, 0, step->a);
  put(desk, 1, step->b);
  put(desk, 2, step->dx);
  put(desk, 3, step->dy);
  put(desk, 4, step->depth);
  return answer(desk);
}

static int next_of_one(void *desk, void *cursor) {
  sat_Step step;
  return give(desk, sat_worldcursor_step(cursor, SAT_LOOP_OF_ONE, &step), &step);
}

static int next_collision(void *desk, void *cursor) {
  sat_Step step;
  return give(desk, sat_worldcursor_step(cursor, SAT_LOOP_COLLISIONS, &step), &step);
}

static int next_pair(void *desk, void *cursor) {
  sat_Step step = {0, 0, 0, 0, 0};
  return give(desk, sat_treecursor_step(cursor, &step), &step);
}

/* ---------------------------------------------------------------- handing over */

/* Pushes the desk, which is kept in the shapes' metatable: its address must hold as long as there
 * is a function that knows it, and these all know the metatable. */
static void push_desk(lua_State *L) {
  static const Desk blank = {
      .refused = SAT_STEP_REFUSED,
      .to_tell = SAT_STEP_TO_TELL,
      .nothing = SAT_STEP_NOTHING,
      .world_shapes = SAT_WORLD_HOME_SHAPES,
      .world_cursors = SAT_WORLD_HOME_CURSORS,
      .tree_items = SAT_HOME_ITEMS,
      .tree_cursors = SAT_HOME_CURSORS,
      .move = move,
      .move_to = move_to,
      .rotate = rotate,
      .rotate_about = rotate_about,
      .set_rotation = set_rotation,
      .set_rotation_about = set_rotation_about,
      .transform = transform,
      .rotation = rotation,
      .center = center,
      .bounds = bounds,
      .contains_point = contains_point,
      .contains = contains,
      .overlaps = overlaps,
      .collide = collide,
      .distance = distance,
      .idle_cursors = sat_worldbox_idle,
      .idle_tree_cursors = sat_treebox_idle,
      .begin_of_one = sat_worldbox_begin,
      .next_of_one = next_of_one,
      .next_collision = next_collision,
      .next_pair = next_pair,
      .step_back = sat_worldcursor_step_back,
      .step_back_pair = sat_treecursor_step_back,
  };
  lua_pushliteral(L, "desk");
  lua_rawget(L, lua_upvalueindex(SAT_UP_METATABLE));
  if (!lua_isnil(L, -1)) return;
  lua_pop(L, 1);
  lua_pushliteral(L, "desk");
  Desk *desk = lua_newuserdata(L, sizeof *desk);
  *desk = blank;
  sat_Keeper *keeper = lua_touserdata(L, lua_upvalueindex(SAT_UP_SCRATCH));
  desk->scratch = &keeper->scratch;
  keeper->answer = &desk->answer;
  lua_pushvalue(L, -1);
  lua_insert(L, -3);
  lua_rawset(L, lua_upvalueindex(SAT_UP_METATABLE));
}

/* boxOf(shape) -> the table in which it keeps its data at 1, or nil for what is no shape. Of the
 * upvalues it has only the metatable, since it raises nothing of its own. */
static int box_of(lua_State *L) {
  if (sat_to_shape(L, 1)) sat_shape_push_box(L, 1);
  else lua_pushnil(L);
  return 1;
}

static bool has_metatable(lua_State *L, int upvalue, int place) {
  bool same = false;
  if (!lua_getmetatable(L, 1)) return false;
  lua_pushvalue(L, lua_upvalueindex(upvalue));
  if (place) lua_rawgeti(L, -1, place);
  same = lua_rawequal(L, -1, place ? -3 : -2);
  lua_settop(L, 1);
  return same;
}

/* homeOf(value) -> the home of a world or of a cursor of a world or quadtree, which no script may
 * get hold of; nil for all else. */
static int home_of(lua_State *L) {
  lua_settop(L, 1);
  bool has_home = lua_touserdata(L, 1) && (has_metatable(L, SAT_UP_WORLD, 0) ||
                                           has_metatable(L, SAT_UP_WORLD, SAT_WORLD_CURSORS) ||
                                           has_metatable(L, SAT_UP_QUADTREE, SAT_TREE_CURSORS));
  if (has_home) lua_getuservalue(L, 1);
  else lua_pushnil(L);
  return 1;
}

/* tell(world): lets the collector know what memory it has taken. */
static int tell(lua_State *L) {
  const sat_WorldBox *box = sat_to_block(L, 1, SAT_UP_WORLD);
  sat_LuaWorld *world = box ? sat_worldbox_open(box) : NULL;
  if (world) sat_holder_tell(L, &world->holder);
  return 0;
}

static void push_sibling(lua_State *L, lua_CFunction function) {
  for (int i = 1; i <= SAT_UP_COUNT; i++) lua_pushvalue(L, lua_upvalueindex(i));
  lua_pushcclosure(L, function, SAT_UP_COUNT);
}

/* handOver(metatable) -> desk, its declaration, boxOf, homeOf, tell, but only to a caller who has
 * got hold of the shapes' metatable. No script can, and who can could do anything anyway. */
static int hand_over(lua_State *L) {
  lua_settop(L, 1);
  if (!lua_rawequal(L, 1, lua_upvalueindex(SAT_UP_METATABLE))) return 0;
  push_desk(L);
  lua_pushstring(L, declaration);
  lua_pushvalue(L, 1);
  lua_pushcclosure(L, box_of, SAT_UP_METATABLE);
  push_sibling(L, home_of);
  push_sibling(L, tell);
  return 5;
}

const luaL_Reg sat_jit_functions[] = {
    {"handOver", hand_over},
    {NULL, NULL},
};
