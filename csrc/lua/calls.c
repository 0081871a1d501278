/* calls.c: the methods and functions of one and two shapes that are calls of the core, and the
 * interface by which LuaJIT's FFI makes calls. */

#include "lua/cursor.h"
#include "lua/quadtree/quadtree_state.h"
#include "lua/shape/shape_methods.h"
#include "lua/world/world_state.h"

/* Pushes the first `count` numbers of an answer, up to one that is NaN, or nil for no. Raises the
 * error of a call, which names `arg`. */
static inline int push_answer(lua_State *L, int arg, const satlua_StateContext *context, int serial,
                              int count) {
  if (serial < 0) return satlua_raise_status(L, arg, (sat_Status)-serial);
  if (serial == 0) return satlua_push_none(L);
  int pushed = 0;
  for (; pushed < count && !isnan(context->value[pushed]); pushed++)
    lua_pushnumber(L, context->value[pushed] + 0.0);
  return pushed;
}

/* Gives the numbers of an answer, three at most, or what stands for a status without one. More
 * numbers would go through memory, which takes bounds 13 % longer. */
static inline int put_answer(void *context, sat_Status status, int count, const double *numbers) {
  if (status != SAT_OK) return satlua_without_numbers(status);
  for (int i = 0; i < count; i++) satlua_put_number(context, i, numbers[i]);
  return satlua_next_serial(context);
}

static int push_yes_or_no(lua_State *L, int arg, int status) {
  return satlua_push_boolean(L, satlua_check_status(L, arg, (sat_Status)status));
}

/* ---------------------------------------------------------------- one shape */

/* A number of a shape, and a yes or no of it, as a call and as a method. */
#define NUMBER_OF_SHAPE(name)                                                                      \
  double satlua_call_##name(void *shape) { return (double)sat_shape_##name(shape); }               \
  static int shape_##name(lua_State *L) {                                                          \
    return satlua_push_number(L, satlua_call_##name(satlua_check_self(L)));                        \
  }
#define FLAG_OF_SHAPE(name)                                                                        \
  int satlua_call_##name(void *shape) { return satlua_status_of(sat_shape_##name(shape)); }        \
  static int shape_##name(lua_State *L) {                                                          \
    return satlua_push_boolean(L, sat_shape_##name(satlua_check_self(L)));                         \
  }
NUMBER_OF_SHAPE(rotation)
NUMBER_OF_SHAPE(scale_factor)
NUMBER_OF_SHAPE(radius)
NUMBER_OF_SHAPE(area)
NUMBER_OF_SHAPE(part_count)
FLAG_OF_SHAPE(is_convex)
FLAG_OF_SHAPE(is_sensor)
FLAG_OF_SHAPE(is_static)
FLAG_OF_SHAPE(is_enabled)

int satlua_call_kind(void *shape) { return (int)sat_shape_kind(shape); }

int satlua_call_center(void *context, void *shape) {
  sat_Vec2 center = sat_shape_center(shape);
  return put_answer(context, SAT_OK, 2, (double[]){center.x, center.y});
}

int satlua_call_bounds(void *context, void *shape) {
  sat_Rectangle box = satlua_shape_rectangle(shape);
  satlua_put_vector(context, 0, vec2(box.x, box.y));
  satlua_put_vector(context, 2, vec2(box.w, box.h));
  return satlua_next_serial(context);
}

int satlua_call_bounding_circle(void *context, void *shape) {
  sat_Vec2 center = sat_shape_center(shape);
  double radius = sat_shape_bounding_radius(shape);
  return put_answer(context, SAT_OK, 3, (double[]){center.x, center.y, radius});
}

int satlua_call_project(void *context, void *shape, double dx, double dy) {
  if (!satlua_in_range(dx, dy) || (dx == 0 && dy == 0)) return SATLUA_REFUSED;
  sat_Interval shadow = sat_shape_project(shape, vec2(dx, dy));
  return put_answer(context, SAT_OK, 2, (double[]){shadow.low, shadow.high});
}

int satlua_call_contains_point(void *context, void *shape, double x, double y) {
  if (!satlua_in_range(x, y)) return SAT_ERANGE;
  return (int)sat_contains_point(shape, vec2(x, y), context);
}

int satlua_call_raycast(void *context, void *shape, double x1, double y1, double x2, double y2) {
  sat_Hit hit;
  sat_Status status = sat_raycast(shape, vec2(x1, y1), vec2(x2, y2), context, &hit);
  if (status != SAT_OK) return satlua_without_numbers(status);
  satlua_put_number(context, 0, hit.t);
  satlua_put_vector(context, 1, hit.normal);
  satlua_put_parts(context, 3, hit.parts);
  return satlua_next_serial(context);
}

int satlua_call_part_at(void *context, void *shape, double x, double y) {
  size_t part = 0;
  sat_Status status = sat_part_at(shape, vec2(x, y), &part);
  return put_answer(context, status, 1, (double[]){(double)part + 1});
}

/* These push their numbers at once: through the context they would take 9 to 12 % longer. */
static int shape_center(lua_State *L) {
  return satlua_push_vec2(L, sat_shape_center(satlua_check_self(L)));
}
static int shape_bounds(lua_State *L) {
  return satlua_push_box(L, satlua_shape_rectangle(satlua_check_self(L)));
}

static int shape_bounding_circle(lua_State *L) {
  const sat_Shape *shape = satlua_check_self(L);
  satlua_push_vec2(L, sat_shape_center(shape));
  satlua_push_number(L, sat_shape_bounding_radius(shape));
  return 3;
}

static int shape_kind(lua_State *L) {
  int kind = satlua_call_kind(satlua_check_self(L));
  lua_rawgeti(L, lua_upvalueindex(SATLUA_UP_METATABLE), SATLUA_KIND_NAMES + kind);
  return 1;
}

static int shape_project(lua_State *L) {
  sat_Shape *shape = satlua_check_self(L);
  sat_Vec2 axis = satlua_check_direction(L);
  satlua_StateContext *context = satlua_get_context(L);
  return push_answer(L, 2, context, satlua_call_project(context, shape, axis.x, axis.y), 2);
}

static int shape_raycast(lua_State *L) {
  sat_Shape *shape = satlua_check_shape(L, 1, "s");
  sat_Vec2 from = satlua_check_vec2(L, 2, "x1", "y1");
  sat_Vec2 to = satlua_check_vec2(L, 4, "x2", "y2");
  satlua_StateContext *context = satlua_get_context(L);
  int serial = satlua_call_raycast(context, shape, from.x, from.y, to.x, to.y);
  return push_answer(L, 2, context, serial, 4);
}

static int shape_part_at(lua_State *L) {
  sat_Shape *shape = satlua_check_self(L);
  sat_Vec2 point = satlua_check_vec2(L, 2, "x", "y");
  satlua_StateContext *context = satlua_get_context(L);
  return push_answer(L, 2, context, satlua_call_part_at(context, shape, point.x, point.y), 1);
}

/* ---------------------------------------------------------------- two shapes */

int satlua_call_contains(void *context, void *a, void *b) {
  return (int)sat_contains(a, b, context);
}
int satlua_call_overlaps(void *context, void *a, void *b) {
  return (int)sat_overlaps(a, b, context);
}

int satlua_call_collide(void *context, void *a, void *b) {
  sat_Result way = {.depth = 0};
  sat_Status status = sat_collide(a, b, context, &way);
  return put_answer(context, status, 3, (double[]){way.vector.x, way.vector.y, way.depth});
}

/* NaN stands for a second contact point that is not there. */
int satlua_call_contacts(void *context, void *a, void *b) {
  sat_Manifold manifold;
  sat_Status status = sat_contacts(a, b, context, &manifold);
  if (status != SAT_OK) return satlua_without_numbers(status);
  satlua_put_vector(context, 0, manifold.normal);
  satlua_put_number(context, 2, manifold.depth);
  satlua_put_vector(context, 3, manifold.points[0]);
  satlua_put_vector(context, 5, manifold.count == 2 ? manifold.points[1] : vec2(NAN, NAN));
  return satlua_next_serial(context);
}

int satlua_call_distance(void *context, void *a, void *b) {
  sat_Distance result;
  sat_Status status = sat_distance(a, b, context, &result);
  if (status != SAT_OK && status != SAT_MISS) return satlua_without_numbers(status);
  satlua_put_number(context, 0, result.distance);
  satlua_put_vector(context, 1, result.on_a);
  satlua_put_vector(context, 3, result.on_b);
  return satlua_next_serial(context);
}

int satlua_call_axis(void *context, void *a, void *b) {
  sat_Axis axis = {.separation = 0};
  sat_Status status = sat_axis(a, b, context, &axis);
  return put_answer(context, status, 3, (double[]){axis.normal.x, axis.normal.y, axis.separation});
}

/* The answer of a cast or a turn. */
static int put_hit(void *context, sat_Status status, const sat_Hit *hit) {
  if (status != SAT_OK) return satlua_without_numbers(status);
  satlua_put_hit(context, 0, hit);
  return satlua_next_serial(context);
}

int satlua_call_cast(void *context, void *a, double dx, double dy, void *b) {
  sat_Hit hit;
  return put_hit(context, sat_cast(a, vec2(dx, dy), b, context, &hit), &hit);
}

int satlua_call_turn(void *context, void *a, double angle, void *b, double px, double py) {
  sat_Hit hit;
  sat_Vec2 pivot = isnan(px) && isnan(py) ? sat_shape_center(a) : vec2(px, py);
  return put_hit(context, sat_turn(a, angle, b, pivot, context, &hit), &hit);
}

/* A call of two shapes that has no other argument. */
typedef int PairCall(void *context, void *a, void *b);

static inline int yes_or_no_of_pair(lua_State *L, PairCall *call) {
  sat_Shape *a = satlua_check_shape(L, 1, "a");
  sat_Shape *b = satlua_check_shape(L, 2, "b");
  return push_yes_or_no(L, 2, call(satlua_get_context(L), a, b));
}
static inline int answer_of_pair(lua_State *L, PairCall *call, int count) {
  sat_Shape *a = satlua_check_shape(L, 1, "a");
  sat_Shape *b = satlua_check_shape(L, 2, "b");
  satlua_StateContext *context = satlua_get_context(L);
  return push_answer(L, 2, context, call(context, a, b), count);
}

int satlua_contains(lua_State *L) { return yes_or_no_of_pair(L, satlua_call_contains); }
static int pair_overlaps(lua_State *L) { return yes_or_no_of_pair(L, satlua_call_overlaps); }
static int pair_collide(lua_State *L) { return answer_of_pair(L, satlua_call_collide, 3); }
static int pair_contacts(lua_State *L) { return answer_of_pair(L, satlua_call_contacts, 7); }
static int pair_distance(lua_State *L) { return answer_of_pair(L, satlua_call_distance, 5); }

static void check_convex(lua_State *L, int arg, const char *name, const sat_Shape *shape) {
  if (!sat_shape_is_convex(shape))
    satlua_raise_argument(L, arg, "%s must be convex: ask each of its pieces, shape:pieces()",
                          name);
}

static int pair_axis(lua_State *L) {
  sat_Shape *a = satlua_check_shape(L, 1, "a");
  sat_Shape *b = satlua_check_shape(L, 2, "b");
  check_convex(L, 1, "a", a);
  check_convex(L, 2, "b", b);
  satlua_StateContext *context = satlua_get_context(L);
  return push_answer(L, 2, context, satlua_call_axis(context, a, b), 3);
}

static int pair_cast(lua_State *L) {
  sat_Shape *a = satlua_check_shape(L, 1, "a");
  sat_Vec2 motion = satlua_check_vec2(L, 2, "dx", "dy");
  sat_Shape *b = satlua_check_shape(L, 4, "b");
  satlua_StateContext *context = satlua_get_context(L);
  return push_answer(L, 4, context, satlua_call_cast(context, a, motion.x, motion.y, b), 7);
}

static int pair_turn(lua_State *L) {
  sat_Shape *a = satlua_check_shape(L, 1, "a");
  double angle = satlua_check_number(L, 2, "angle");
  sat_Shape *b = satlua_check_shape(L, 3, "b");
  sat_Vec2 pivot = vec2(NAN, NAN);
  satlua_check_pivot(L, 4, &pivot);
  satlua_StateContext *context = satlua_get_context(L);
  return push_answer(L, 2, context, satlua_call_turn(context, a, angle, b, pivot.x, pivot.y), 7);
}

/* The method takes a point or a shape, distinguished by the type of its first argument. */
static int shape_contains(lua_State *L) {
  sat_Shape *shape = satlua_check_self(L);
  if (lua_type(L, 2) != LUA_TNUMBER) {
    sat_Shape *other = satlua_to_shape(L, 2);
    if (!other) return satlua_raise_type(L, 2, "x", "number or a shape");
    return push_yes_or_no(L, 2, satlua_call_contains(satlua_get_context(L), shape, other));
  }
  sat_Vec2 point = satlua_check_vec2(L, 2, "x", "y");
  return push_yes_or_no(L, 2,
                        satlua_call_contains_point(satlua_get_context(L), shape, point.x, point.y));
}

const luaL_Reg satlua_shape_calls[] = {
    {"rotation", shape_rotation},
    {"scaleFactor", shape_scale_factor},
    {"radius", shape_radius},
    {"area", shape_area},
    {"kind", shape_kind},
    {"isConvex", shape_is_convex},
    {"isSensor", shape_is_sensor},
    {"isStatic", shape_is_static},
    {"isEnabled", shape_is_enabled},
    {"center", shape_center},
    {"bounds", shape_bounds},
    {"boundingCircle", shape_bounding_circle},
    {"project", shape_project},
    {"contains", shape_contains},
    {"parts", shape_part_count},
    {"partAt", shape_part_at},
    {"world", satlua_world_of_shape},
    {NULL, NULL},
};

const luaL_Reg satlua_pair_calls[] = {
    {"overlaps", pair_overlaps}, {"collide", pair_collide},  {"contacts", pair_contacts},
    {"distance", pair_distance}, {"axis", pair_axis},        {"cast", pair_cast},
    {"turn", pair_turn},         {"raycast", shape_raycast}, {NULL, NULL},
};

/* ---------------------------------------------------------------- the interface for the FFI */

/* clang-format off */
/* Enumerators that the Lua side needs: results of steps, responses, and places in the state tables
 * of worlds and quadtrees. */
#define NUMBERS(NUMBER) \
  NUMBER(ended, SATLUA_ENDED) NUMBER(refused, SATLUA_REFUSED) \
  NUMBER(to_report, SATLUA_TO_REPORT) NUMBER(nothing, SATLUA_NOTHING) \
  NUMBER(slide, SAT_SLIDE) NUMBER(touch, SAT_TOUCH) NUMBER(bounce, SAT_BOUNCE) \
  NUMBER(push, SAT_PUSH) NUMBER(cross, SAT_CROSS) \
  NUMBER(freed, SAT_FREED) NUMBER(stuck, SAT_STUCK) \
  NUMBER(ask_at, SATLUA_ASK_AT) NUMBER(ask_box, SATLUA_ASK_BOX) \
  NUMBER(ask_shape, SATLUA_ASK_SHAPE) NUMBER(ask_answered, SATLUA_ASK_ANSWERED) \
  NUMBER(ask_visible, SATLUA_ASK_VISIBLE) NUMBER(ask_way_out, SATLUA_ASK_WAY_OUT) \
  NUMBER(ask_cast, SATLUA_ASK_CAST) NUMBER(ask_raycast, SATLUA_ASK_RAYCAST) \
  NUMBER(self, SATLUA_STATE_SELF) NUMBER(cursors, SATLUA_STATE_CURSORS) \
  NUMBER(members, SATLUA_STATE_MEMBERS) \
  NUMBER(world_subjects, SATLUA_WORLD_STATE_SUBJECTS) \
  NUMBER(tree_numbers, SATLUA_QUADTREE_STATE_NUMBERS)
/* clang-format on */

/* The interface, in C and as the same text for the FFI. */
#define CALL_FIELD(result, name, ...) result (*(name))(__VA_ARGS__);
#define NUMBER_FIELD(name, number) int name;
#define FIELDS                                                                                     \
  void *context;                                                                                   \
  volatile double *value;                                                                          \
  int *serial;                                                                                     \
  NUMBERS(NUMBER_FIELD)                                                                            \
  SATLUA_CALLS(CALL_FIELD)

typedef struct Interface {
  FIELDS
} Interface;
/* Parts of the text, since a compiler need not take a string of more than 4,095 characters. */
#define PARAMETERS_TEXT(...) #__VA_ARGS__
#define DECLARATION_TEXT(result, name, ...)                                                        \
#result " (*" #name ")(" PARAMETERS_TEXT(__VA_ARGS__) ");",
#define ENUMERATOR_TEXT(name, number) "int " #name ";",
static const char *const declaration[] = {
    "struct { void *context; volatile double *value; int *serial;",
    NUMBERS(ENUMERATOR_TEXT) SATLUA_CALLS(DECLARATION_TEXT) "} *"};

/* Pushes a new interface and its declaration. */
static void push_interface(lua_State *L) {
  enum { TEXTS = sizeof declaration / sizeof *declaration };
#define SET_CALL(result, name, ...) .name = satlua_call_##name,
#define SET_NUMBER(name, number) .name = (number),
  static const Interface blank = {NUMBERS(SET_NUMBER) SATLUA_CALLS(SET_CALL)};
  satlua_StateContext *context = satlua_get_context(L);
  Interface *interface = lua_newuserdata(L, sizeof *interface);
  *interface = blank;
  interface->context = context;
  interface->value = context->value;
  interface->serial = &context->serial;
  luaL_checkstack(L, TEXTS, "too many calls");
  for (int i = 0; i < TEXTS; i++) lua_pushstring(L, declaration[i]);
  lua_concat(L, TEXTS);
}

/* dataTableOf(shape) -> the table in which the shape keeps its data at 1, or nil for any other
 * value. The metatable is its only upvalue, since it raises no errors. */
static int uservalue_table_of(lua_State *L) {
  if (satlua_to_shape(L, 1)) satlua_push_uservalue_table(L, 1);
  else lua_pushnil(L);
  return 1;
}

/* stateTableOf(value) -> the state table of a world or quadtree or of a cursor of one, which no
 * script may obtain; nil for any other value. */
static int state_table_of(lua_State *L) {
  lua_settop(L, 1);
  if (!lua_touserdata(L, 1) || !lua_getmetatable(L, 1)) return satlua_push_none(L);
  lua_rawgeti(L, lua_upvalueindex(SATLUA_UP_WORLD), SATLUA_METATABLE_CURSORS);
  if (lua_rawequal(L, 2, -1) || lua_rawequal(L, 2, lua_upvalueindex(SATLUA_UP_WORLD)) ||
      lua_rawequal(L, 2, lua_upvalueindex(SATLUA_UP_QUADTREE)))
    lua_getuservalue(L, 1);
  else lua_pushnil(L);
  return 1;
}

/* reportMemory(world): reports the memory that a world has taken to the collector. */
static int report_memory(lua_State *L) {
  const satlua_Handle *handle = satlua_to_block(L, 1, SATLUA_UP_WORLD);
  satlua_World *world = handle ? satlua_handle_open(handle) : NULL;
  if (world) satlua_memory_report(L, &world->owner.memory);
  return 0;
}

static void push_sibling(lua_State *L, lua_CFunction function) {
  for (int i = 1; i <= SATLUA_UP_COUNT; i++) lua_pushvalue(L, lua_upvalueindex(i));
  lua_pushcclosure(L, function, SATLUA_UP_COUNT);
}

/* ffiInterface(metatable) -> interface, its declaration, dataTableOf, stateTableOf, reportMemory,
 * takeValues, outlineTaken, but only for a caller that has the shapes' metatable. No script can
 * obtain the metatable without the debug library, with which it could do any damage anyway. */
int satlua_ffi_interface(lua_State *L) {
  lua_settop(L, 1);
  if (!lua_rawequal(L, 1, lua_upvalueindex(SATLUA_UP_METATABLE))) return 0;
  push_interface(L);
  lua_pushvalue(L, 1);
  lua_pushcclosure(L, uservalue_table_of, SATLUA_UP_METATABLE);
  push_sibling(L, state_table_of);
  push_sibling(L, report_memory);
  push_sibling(L, satlua_take_values);
  push_sibling(L, satlua_outline_taken);
  return 7;
}
