/* calls.c: calls of the core, each written once, for the Lua API and for LuaJIT's FFI.
 *
 * A function of the Lua API checks its arguments, calls one of the functions `call_...`, and pushes
 * the answer. The FFI calls the same functions in place of those of the Lua API. It passes a
 * userdata's block as a pointer, and it calls functions by pointers, so that no symbol has to be
 * exported for it. A call neither raises errors nor calls Lua. It checks the numbers that the core
 * does not check; its caller makes sure that a pointer is a shape's. An error has no message: the
 * FFI's caller then calls the function of the Lua API with the same arguments, which raises it.
 *
 * A call that gives several numbers leaves them in the context's `value` and returns a serial
 * number, which counts up from 1 and is in the context, too: a caller that may have been
 * interrupted compares the two to find out whether `value` still holds its numbers. Such a call
 * returns 0 for no, and a number below 0 for an error. Of the others, most return a sat_Status or
 * REFUSED, those of loops a result of a step, and some their one number itself. The reader of a
 * number turns -0 into 0. */
#include "base/vec2.h"
#include "lua/push.h"
#include "lua/quadtree.h"
#include "lua/quadtree_state.h"
#include "lua/shape_methods.h"
#include "lua/world_state.h"

#define REFUSED SATLUA_STEP_REFUSED

static bool both_in_range(double x, double y) { return in_range(x) && in_range(y); }

/* ---------------------------------------------------------------- answers */

/* Gives the answer in `value` a serial number. */
static int next_serial(void *to) {
  satlua_StateContext *context = to;
  return context->serial = satlua_next_serial(context->serial);
}

/* Result of a call that has no numbers to give. */
static int without_numbers(sat_Status status) { return status == SAT_MISS ? 0 : -(int)status; }

/* Volatile, since a compiler would store two numbers at once, and a load of one of them would wait
 * for that store. */
static void put_number(void *context, int index, double number) {
  volatile double *value = ((satlua_StateContext *)context)->value;
  value[index] = number;
}

static void put_vector(void *context, int index, sat_Vec2 v) {
  put_number(context, index, v.x);
  put_number(context, index + 1, v.y);
}

static int status_of(bool yes) { return (int)(yes ? SAT_OK : SAT_MISS); }

/* Pushes the first `count` numbers of an answer, or nil for no. Raises the error of a call, which
 * names `arg`. */
static inline int push_answer(lua_State *L, int arg, const satlua_StateContext *context, int serial,
                              int count) {
  if (serial < 0) return satlua_raise_status(L, arg, (sat_Status)-serial);
  if (serial == 0) return satlua_push_none(L);
  for (int i = 0; i < count; i++) lua_pushnumber(L, context->value[i] + 0.0);
  return count;
}

static int push_yes_or_no(lua_State *L, int arg, int status) {
  return satlua_push_boolean(L, satlua_check_status(L, arg, (sat_Status)status));
}

/* ---------------------------------------------------------------- one shape */

static double call_rotation(void *shape) { return sat_shape_rotation(shape); }
static double call_scale_factor(void *shape) { return sat_shape_scale_factor(shape); }
static double call_radius(void *shape) { return sat_shape_radius(shape); }
static double call_area(void *shape) { return sat_shape_area(shape); }
static int call_kind(void *shape) { return (int)sat_shape_kind(shape); }
static int call_is_convex(void *shape) { return status_of(sat_shape_is_convex(shape)); }
static int call_is_sensor(void *shape) { return status_of(sat_shape_is_sensor(shape)); }
static int call_is_static(void *shape) { return status_of(sat_shape_is_static(shape)); }
static int call_is_enabled(void *shape) { return status_of(sat_shape_is_enabled(shape)); }

static int call_center(void *context, void *shape) {
  put_vector(context, 0, sat_shape_center(shape));
  return next_serial(context);
}

static int call_bounds(void *context, void *shape) {
  sat_Rectangle box = satlua_shape_rectangle(shape);
  put_number(context, 0, box.x);
  put_number(context, 1, box.y);
  put_number(context, 2, box.w);
  put_number(context, 3, box.h);
  return next_serial(context);
}

static int call_bounding_circle(void *context, void *shape) {
  put_vector(context, 0, sat_shape_center(shape));
  put_number(context, 2, sat_shape_bounding_radius(shape));
  return next_serial(context);
}

static int call_project(void *context, void *shape, double dx, double dy) {
  if (!both_in_range(dx, dy) || (dx == 0 && dy == 0)) return REFUSED;
  sat_Interval shadow = sat_shape_project(shape, vec2(dx, dy));
  put_number(context, 0, shadow.low);
  put_number(context, 1, shadow.high);
  return next_serial(context);
}

static int call_contains_point(void *context, void *shape, double x, double y) {
  if (!both_in_range(x, y)) return SAT_ERANGE;
  return (int)sat_contains_point(shape, vec2(x, y), context);
}

static int call_raycast(void *context, void *shape, double x1, double y1, double x2, double y2) {
  sat_Hit hit;
  sat_Status status = sat_raycast(shape, vec2(x1, y1), vec2(x2, y2), context, &hit);
  if (status != SAT_OK) return without_numbers(status);
  put_number(context, 0, hit.t);
  put_vector(context, 1, hit.normal);
  return next_serial(context);
}

/* The methods of one shape that have no other argument. */
static inline int number_of(lua_State *L, double (*call)(void *shape)) {
  return satlua_push_number(L, call(satlua_check_self(L)));
}
static inline int yes_or_no_of(lua_State *L, int (*call)(void *shape)) {
  return push_yes_or_no(L, 1, call(satlua_check_self(L)));
}

static int shape_rotation(lua_State *L) { return number_of(L, call_rotation); }
static int shape_scale_factor(lua_State *L) { return number_of(L, call_scale_factor); }
static int shape_radius(lua_State *L) { return number_of(L, call_radius); }
static int shape_area(lua_State *L) { return number_of(L, call_area); }
static int shape_is_convex(lua_State *L) { return yes_or_no_of(L, call_is_convex); }
static int shape_is_sensor(lua_State *L) { return yes_or_no_of(L, call_is_sensor); }
static int shape_is_static(lua_State *L) { return yes_or_no_of(L, call_is_static); }
static int shape_is_enabled(lua_State *L) { return yes_or_no_of(L, call_is_enabled); }
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
  int kind = call_kind(satlua_check_self(L));
  lua_rawgeti(L, lua_upvalueindex(SATLUA_UP_METATABLE), SATLUA_KIND_NAMES + kind);
  return 1;
}

static int shape_project(lua_State *L) {
  sat_Shape *shape = satlua_check_self(L);
  sat_Vec2 axis = satlua_check_direction(L);
  satlua_StateContext *context = satlua_get_context(L);
  return push_answer(L, 2, context, call_project(context, shape, axis.x, axis.y), 2);
}

static int shape_raycast(lua_State *L) {
  sat_Shape *shape = satlua_check_shape(L, 1, "s");
  sat_Vec2 from = satlua_check_vec2(L, 2, "x1", "y1");
  sat_Vec2 to = satlua_check_vec2(L, 4, "x2", "y2");
  satlua_StateContext *context = satlua_get_context(L);
  int serial = call_raycast(context, shape, from.x, from.y, to.x, to.y);
  return push_answer(L, 2, context, serial, 3);
}

/* ---------------------------------------------------------------- two shapes */

static int call_contains(void *context, void *a, void *b) {
  return (int)sat_contains(a, b, context);
}
static int call_overlaps(void *context, void *a, void *b) {
  return (int)sat_overlaps(a, b, context);
}

static int call_collide(void *context, void *a, void *b) {
  sat_Result result;
  sat_Status status = sat_collide(a, b, context, &result);
  if (status != SAT_OK) return without_numbers(status);
  put_vector(context, 0, result.vector);
  put_number(context, 2, result.depth);
  return next_serial(context);
}

/* NaN stands for a second contact point that is not there. */
static int call_contacts(void *context, void *a, void *b) {
  sat_Manifold manifold;
  sat_Status status = sat_contacts(a, b, context, &manifold);
  if (status != SAT_OK) return without_numbers(status);
  put_vector(context, 0, manifold.normal);
  put_number(context, 2, manifold.depth);
  put_vector(context, 3, manifold.points[0]);
  put_vector(context, 5, manifold.count == 2 ? manifold.points[1] : vec2(NAN, NAN));
  return next_serial(context);
}

static int call_distance(void *context, void *a, void *b) {
  sat_Distance result;
  sat_Status status = sat_distance(a, b, context, &result);
  if (status != SAT_OK && status != SAT_MISS) return without_numbers(status);
  put_number(context, 0, result.distance);
  put_vector(context, 1, result.on_a);
  put_vector(context, 3, result.on_b);
  return next_serial(context);
}

static int call_axis(void *context, void *a, void *b) {
  sat_Axis axis;
  sat_Status status = sat_axis(a, b, context, &axis);
  if (status != SAT_OK) return without_numbers(status);
  put_vector(context, 0, axis.normal);
  put_number(context, 2, axis.separation);
  return next_serial(context);
}

static int call_cast(void *context, void *a, double dx, double dy, void *b) {
  sat_Hit hit;
  sat_Status status = sat_cast(a, vec2(dx, dy), b, context, &hit);
  if (status != SAT_OK) return without_numbers(status);
  put_number(context, 0, hit.t);
  put_vector(context, 1, hit.normal);
  put_vector(context, 3, hit.point);
  return next_serial(context);
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

static int pair_contains(lua_State *L) { return yes_or_no_of_pair(L, call_contains); }
static int pair_overlaps(lua_State *L) { return yes_or_no_of_pair(L, call_overlaps); }
static int pair_collide(lua_State *L) { return answer_of_pair(L, call_collide, 3); }
static int pair_contacts(lua_State *L) {
  sat_Shape *a = satlua_check_shape(L, 1, "a");
  sat_Shape *b = satlua_check_shape(L, 2, "b");
  satlua_StateContext *context = satlua_get_context(L);
  int serial = call_contacts(context, a, b);
  return push_answer(L, 2, context, serial, isnan(context->value[5]) ? 5 : 7);
}
static int pair_distance(lua_State *L) { return answer_of_pair(L, call_distance, 5); }

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
  return push_answer(L, 2, context, call_axis(context, a, b), 3);
}

static int pair_cast(lua_State *L) {
  sat_Shape *a = satlua_check_shape(L, 1, "a");
  sat_Vec2 motion = satlua_check_vec2(L, 2, "dx", "dy");
  sat_Shape *b = satlua_check_shape(L, 4, "b");
  satlua_StateContext *context = satlua_get_context(L);
  return push_answer(L, 4, context, call_cast(context, a, motion.x, motion.y, b), 5);
}

/* The method takes a point or a shape, distinguished by the type of its first argument. */
static int shape_contains(lua_State *L) {
  sat_Shape *shape = satlua_check_self(L);
  if (lua_type(L, 2) != LUA_TNUMBER) {
    sat_Shape *other = satlua_to_shape(L, 2);
    if (!other) return satlua_raise_type(L, 2, "x", "number or a shape");
    return push_yes_or_no(L, 2, call_contains(satlua_get_context(L), shape, other));
  }
  sat_Vec2 point = satlua_check_vec2(L, 2, "x", "y");
  return push_yes_or_no(L, 2, call_contains_point(satlua_get_context(L), shape, point.x, point.y));
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
    {NULL, NULL},
};

/* The functions of the module, and the methods that are the same functions. */
const luaL_Reg satlua_pair_contains[] = {{"contains", pair_contains}, {NULL, NULL}};
const luaL_Reg satlua_pair_calls[] = {
    {"overlaps", pair_overlaps}, {"collide", pair_collide},
    {"contacts", pair_contacts}, {"distance", pair_distance},
    {"axis", pair_axis},         {"cast", pair_cast},
    {"raycast", shape_raycast},  {NULL, NULL},
};

/* ---------------------------------------------------------------- transforms */

/* Whether a shape may be changed by these numbers. Otherwise the function of the Lua API says why
 * not. */
static bool may_change(const void *shape, double a, double b, double c) {
  return in_range(a) && both_in_range(b, c) && !sat_shape_is_locked(shape);
}

static int call_move(void *shape, double dx, double dy) {
  return may_change(shape, dx, dy, 0) ? (int)sat_shape_move(shape, dx, dy) : REFUSED;
}
static int call_move_to(void *shape, double x, double y) {
  return may_change(shape, x, y, 0) ? (int)sat_shape_move_to(shape, x, y) : REFUSED;
}
static int call_rotate(void *shape, double angle) {
  return may_change(shape, angle, 0, 0) ? (int)sat_shape_rotate(shape, angle) : REFUSED;
}
static int call_rotate_about(void *shape, double angle, double px, double py) {
  if (!may_change(shape, angle, px, py)) return REFUSED;
  return (int)sat_shape_rotate_about(shape, angle, vec2(px, py));
}
static int call_set_rotation(void *shape, double angle) {
  return may_change(shape, angle, 0, 0) ? (int)sat_shape_set_rotation(shape, angle) : REFUSED;
}
static int call_set_rotation_about(void *shape, double angle, double px, double py) {
  if (!may_change(shape, angle, px, py)) return REFUSED;
  return (int)sat_shape_set_rotation_about(shape, angle, vec2(px, py));
}
static int call_transform(void *shape, double x, double y, double angle) {
  return may_change(shape, x, y, angle) ? (int)sat_shape_transform(shape, x, y, angle) : REFUSED;
}

/* ---------------------------------------------------------------- worlds */

/* Shapes are given as their indices in SATLUA_WORLD_STATE_SHAPES. */
static int put_cast_hit(void *context, sat_Status status, const sat_CastHit *first) {
  if (status != SAT_OK) return without_numbers(status);
  put_number(context, 0, (double)first->other + 1);
  put_number(context, 1, first->hit.t);
  put_vector(context, 2, first->hit.normal);
  put_vector(context, 4, first->hit.point);
  return next_serial(context);
}

static int call_world_cast(void *context, const void *block, void *shape, double dx, double dy) {
  sat_World *world = satlua_world_handle_core(block);
  sat_CastHit first;
  if (!world) return REFUSED;
  return put_cast_hit(context, sat_world_cast(world, shape, vec2(dx, dy), &first), &first);
}

static int call_world_raycast(void *context, const void *block, double x1, double y1, double x2,
                              double y2, const void *who) {
  sat_World *world = satlua_world_handle_core(block);
  const sat_QueryFilter filter = {who, 0};
  sat_CastHit first;
  if (!world) return REFUSED;
  sat_Status status =
      sat_world_raycast(world, vec2(x1, y1), vec2(x2, y2), who ? &filter : NULL, &first);
  return put_cast_hit(context, status, &first);
}

static int call_world_collide(void *context, const void *block, void *shape) {
  sat_World *world = satlua_world_handle_core(block);
  sat_Result way;
  sat_Status status = world ? sat_world_collide(world, shape, &way) : SAT_ENOMEM;
  if (status != SAT_OK) return without_numbers(status);
  put_vector(context, 0, way.vector);
  put_number(context, 2, way.depth);
  return next_serial(context);
}

static int call_world_count(void *context, const void *block) {
  sat_World *world = satlua_world_handle_core(block);
  if (!world) return REFUSED;
  put_number(context, 0, (double)sat_world_count(world));
  return next_serial(context);
}

static int call_world_has(const void *block, void *shape) {
  sat_World *world = satlua_world_handle_core(block);
  return world ? status_of(sat_world_has(world, shape)) : REFUSED;
}

/* ---------------------------------------------------------------- quadtrees */

static int call_quadtree_count(void *context, const void *block) {
  satlua_Quadtree *tree = satlua_quadtree_handle_open(block);
  if (!tree) return REFUSED;
  put_number(context, 0, (double)sat_quadtree_count(tree->core));
  return next_serial(context);
}

/* Updates an item whose number the caller has looked up; a new serial number means that the number
 * may be another item's by now. */
static int update_item(const void *to, int serial, const void *block, double number,
                       sat_Rectangle box) {
  satlua_Quadtree *tree = satlua_quadtree_handle_open(block);
  const satlua_StateContext *context = to;
  if (!tree || context->serial != serial) return REFUSED;
  return (int)sat_quadtree_update(tree->core, (sat_Item)number, box);
}

static int call_update_item(void *context, int serial, const void *block, void *shape,
                            double number) {
  return update_item(context, serial, block, number, satlua_shape_rectangle(shape));
}

static int call_update_item_to_box(void *context, int serial, const void *block, double number,
                                   double x, double y, double w, double h) {
  sat_Rectangle box = {x, y, w, h};
  if (!both_in_range(x + w, y + h)) return REFUSED;
  return update_item(context, serial, block, number, box);
}

/* ---------------------------------------------------------------- moves */

/* A move is a check, whose numbers the caller reads, and then the change, which is refused if
 * another call has come in between: no move is lost, and none is made twice. */
static int call_check_move(void *context, const void *world, void *shape, double dx, double dy,
                           int response) {
  sat_MoveResult result;
  int came_to = satlua_world_handle_check(world, shape, vec2(dx, dy), response, &result);
  if (came_to != SATLUA_STEP_FOUND) return REFUSED;
  put_vector(context, 0, result.centroid);
  put_number(context, 2, (double)result.count);
  put_vector(context, 3, result.rest);
  return next_serial(context);
}

static int call_move_as_checked(const void *world, void *shape, double x, double y) {
  return satlua_world_handle_move(world, shape, vec2(x, y));
}

/* ---------------------------------------------------------------- loops */

static int call_begin_of_one(const void *world, void *cursor, const void *shape) {
  const satlua_LoopSubject subject = {.shape = shape};
  return satlua_world_handle_begin(world, cursor, SATLUA_LOOP_OF_ONE, &subject);
}

static int call_begin_hits(const void *world, void *cursor) {
  const satlua_LoopSubject none = {.shape = NULL};
  return satlua_world_handle_begin(world, cursor, SATLUA_LOOP_HITS, &none);
}

static int call_begin_raycasts(const void *world, void *cursor, double x1, double y1, double x2,
                               double y2, const void *who) {
  const sat_QueryFilter filter = {who, 0};
  const satlua_LoopSubject ray = {NULL, vec2(x1, y1), vec2(x2, y2), who ? &filter : NULL};
  return satlua_world_handle_begin(world, cursor, SATLUA_LOOP_RAYCASTS, &ray);
}

/* Gives the result of a step, which is in `value`, a serial number. */
static int count_step(void *context, int came_to) {
  return came_to == SATLUA_STEP_FOUND ? next_serial(context) : came_to;
}

static int step_of_world(void *to, void *cursor, int kind, const void *subject) {
  satlua_StateContext *context = to;
  return count_step(to, satlua_world_cursor_step(cursor, kind, subject, context->value));
}

static int call_next_of_one(void *context, void *cursor, const void *subject) {
  return step_of_world(context, cursor, SATLUA_LOOP_OF_ONE, subject);
}
static int call_next_collision(void *context, void *cursor) {
  return step_of_world(context, cursor, SATLUA_LOOP_COLLISIONS, NULL);
}
static int call_next_hit(void *context, void *cursor) {
  return step_of_world(context, cursor, SATLUA_LOOP_HITS, NULL);
}
static int call_next_raycast(void *context, void *cursor) {
  return step_of_world(context, cursor, SATLUA_LOOP_RAYCASTS, NULL);
}
static int call_next_pair(void *to, void *cursor) {
  satlua_StateContext *context = to;
  return count_step(to, satlua_quadtree_cursor_step(cursor, context->value));
}
static int call_idle_cursors(const void *owner) { return satlua_handle_idle(owner); }
static void call_step_back(void *cursor) { satlua_cursor_step_back(cursor); }

/* ---------------------------------------------------------------- the interface for the FFI */

/* clang-format off */
/* The calls: the result, the name and the parameters of each. */
#define CALLS(CALL) \
  CALL(double, rotation, (void *shape)) \
  CALL(double, scale_factor, (void *shape)) \
  CALL(double, radius, (void *shape)) \
  CALL(double, area, (void *shape)) \
  CALL(int, kind, (void *shape)) \
  CALL(int, is_convex, (void *shape)) \
  CALL(int, is_sensor, (void *shape)) \
  CALL(int, is_static, (void *shape)) \
  CALL(int, is_enabled, (void *shape)) \
  CALL(int, center, (void *context, void *shape)) \
  CALL(int, bounds, (void *context, void *shape)) \
  CALL(int, bounding_circle, (void *context, void *shape)) \
  CALL(int, project, (void *context, void *shape, double dx, double dy)) \
  CALL(int, contains_point, (void *context, void *shape, double x, double y)) \
  CALL(int, raycast, (void *context, void *shape, double x1, double y1, double x2, double y2)) \
  CALL(int, contains, (void *context, void *a, void *b)) \
  CALL(int, overlaps, (void *context, void *a, void *b)) \
  CALL(int, collide, (void *context, void *a, void *b)) \
  CALL(int, contacts, (void *context, void *a, void *b)) \
  CALL(int, distance, (void *context, void *a, void *b)) \
  CALL(int, axis, (void *context, void *a, void *b)) \
  CALL(int, cast, (void *context, void *a, double dx, double dy, void *b)) \
  CALL(int, move, (void *shape, double dx, double dy)) \
  CALL(int, move_to, (void *shape, double x, double y)) \
  CALL(int, rotate, (void *shape, double angle)) \
  CALL(int, rotate_about, (void *shape, double angle, double px, double py)) \
  CALL(int, set_rotation, (void *shape, double angle)) \
  CALL(int, set_rotation_about, (void *shape, double angle, double px, double py)) \
  CALL(int, transform, (void *shape, double x, double y, double angle)) \
  CALL(int, world_cast, (void *context, const void *world, void *shape, double dx, double dy)) \
  CALL(int, world_raycast, (void *context, const void *world, double x1, double y1, double x2, \
                            double y2, const void *who)) \
  CALL(int, world_collide, (void *context, const void *world, void *shape)) \
  CALL(int, world_count, (void *context, const void *world)) \
  CALL(int, world_has, (const void *world, void *shape)) \
  CALL(int, quadtree_count, (void *context, const void *tree)) \
  CALL(int, update_item, (void *context, int serial, const void *tree, void *shape, \
                          double number)) \
  CALL(int, update_item_to_box, (void *context, int serial, const void *tree, double number, \
                                 double x, double y, double w, double h)) \
  CALL(int, check_move, (void *context, const void *world, void *shape, double dx, double dy, \
                         int response)) \
  CALL(int, move_as_checked, (const void *world, void *shape, double x, double y)) \
  CALL(int, begin_of_one, (const void *world, void *cursor, const void *shape)) \
  CALL(int, begin_hits, (const void *world, void *cursor)) \
  CALL(int, begin_raycasts, (const void *world, void *cursor, double x1, double y1, double x2, \
                             double y2, const void *who)) \
  CALL(int, next_of_one, (void *context, void *cursor, const void *subject)) \
  CALL(int, next_collision, (void *context, void *cursor)) \
  CALL(int, next_hit, (void *context, void *cursor)) \
  CALL(int, next_raycast, (void *context, void *cursor)) \
  CALL(int, next_pair, (void *context, void *cursor)) \
  CALL(int, idle_cursors, (const void *owner)) \
  CALL(void, step_back, (void *cursor))

/* Enumerators that the Lua side needs: results of steps, responses, and places in the state tables
 * of worlds and quadtrees. */
#define NUMBERS(NUMBER) \
  NUMBER(refused, SATLUA_STEP_REFUSED) NUMBER(found, SATLUA_STEP_FOUND) \
  NUMBER(to_report, SATLUA_STEP_TO_REPORT) NUMBER(nothing, SATLUA_STEP_NOTHING) \
  NUMBER(slide, SAT_SLIDE) NUMBER(touch, SAT_TOUCH) NUMBER(bounce, SAT_BOUNCE) \
  NUMBER(cross, SAT_CROSS) NUMBER(freed, SAT_FREED) NUMBER(stuck, SAT_STUCK) \
  NUMBER(world_shapes, SATLUA_WORLD_STATE_SHAPES) \
  NUMBER(world_subjects, SATLUA_WORLD_STATE_SUBJECTS) \
  NUMBER(tree_items, SATLUA_QUADTREE_STATE_ITEMS) \
  NUMBER(tree_numbers, SATLUA_QUADTREE_STATE_NUMBERS) NUMBER(cursors, SATLUA_STATE_CURSORS)
/* clang-format on */

/* The interface, in C and as the same text for the FFI. */
#define CALL_FIELD(result, name, parameters) result(*name) parameters;
#define NUMBER_FIELD(name, number) int name;
#define FIELDS                                                                                     \
  void *context;                                                                                   \
  volatile double *value;                                                                          \
  int *serial;                                                                                     \
  NUMBERS(NUMBER_FIELD)                                                                            \
  CALLS(CALL_FIELD)
#define AS_TEXT(...) #__VA_ARGS__
#define EXPANDED_TEXT(...) AS_TEXT(__VA_ARGS__)

typedef struct Interface {
  FIELDS
} Interface;
static const char declaration[] = "struct {" EXPANDED_TEXT(FIELDS) "} *";

/* Pushes a new interface. */
static void push_interface(lua_State *L) {
#define SET_CALL(result, name, parameters) .name = call_##name,
#define SET_NUMBER(name, number) .name = number,
  static const Interface blank = {NUMBERS(SET_NUMBER) CALLS(SET_CALL)};
  satlua_StateContext *context = satlua_get_context(L);
  Interface *interface = lua_newuserdata(L, sizeof *interface);
  *interface = blank;
  interface->context = context;
  interface->value = context->value;
  interface->serial = &context->serial;
}

/* dataTableOf(shape) -> the table in which the shape keeps its data at 1, or nil for any other
 * value. The metatable is its only upvalue, since it raises no errors. */
static int uservalue_table_of(lua_State *L) {
  if (satlua_to_shape(L, 1)) satlua_push_uservalue_table(L, 1);
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

/* stateTableOf(value) -> the state table of a world or quadtree or of a cursor of one, which no
 * script may obtain; nil for any other value. */
static int state_table_of(lua_State *L) {
  lua_settop(L, 1);
  bool has_state_table =
      lua_touserdata(L, 1) && (has_metatable(L, SATLUA_UP_WORLD, 0) ||
                               has_metatable(L, SATLUA_UP_WORLD, SATLUA_METATABLE_CURSORS) ||
                               has_metatable(L, SATLUA_UP_QUADTREE, 0) ||
                               has_metatable(L, SATLUA_UP_QUADTREE, SATLUA_METATABLE_CURSORS));
  if (has_state_table) lua_getuservalue(L, 1);
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
 * but only for a caller that has the shapes' metatable. No script can obtain the metatable without
 * the debug library, with which it could do any damage anyway. */
static int ffi_interface(lua_State *L) {
  lua_settop(L, 1);
  if (!lua_rawequal(L, 1, lua_upvalueindex(SATLUA_UP_METATABLE))) return 0;
  push_interface(L);
  lua_pushstring(L, declaration);
  lua_pushvalue(L, 1);
  lua_pushcclosure(L, uservalue_table_of, SATLUA_UP_METATABLE);
  push_sibling(L, state_table_of);
  push_sibling(L, report_memory);
  return 5;
}

const luaL_Reg satlua_ffi_functions[] = {
    {"ffiInterface", ffi_interface},
    {NULL, NULL},
};
