/* ffi.c: the functions that LuaJIT's FFI calls in place of those of the Lua API.
 *
 * The FFI passes a userdata's block as a pointer, and it calls functions by pointers, so that no
 * symbol has to be exported for it. The functions neither raise errors nor call Lua. They check
 * numbers; the caller makes sure that a pointer is a shape's. Errors have no message here: the
 * caller then calls the function of the Lua API with the same arguments, which raises the error. */
#include "lua/ffi.h"

#include "base/vec2.h"
#include "lua/quadtree.h"
#include "lua/quadtree_state.h"
#include "lua/world_state.h"

/* Declares a struct in C, and the same declaration as a text for the FFI. */
#define DECLARE(name, text, ...)                                                                   \
  typedef struct name {                                                                            \
    __VA_ARGS__                                                                                    \
  } name;                                                                                          \
  static const char text[] = "struct {" #__VA_ARGS__ "} *"

/* Results of several numbers, and the functions to be called. A function that gives several numbers
 * leaves them in `value` and returns a serial number, which counts up from 1 and is in `serial`,
 * too: a caller that may have been interrupted compares the two to find out whether `value` still
 * holds the numbers of its call. Such a function returns 0 for no and REFUSED for an error. Of the
 * others, most return a sat_Status or REFUSED, those of loops a result of a step, and some their
 * one number itself. The caller turns -0 into 0. The fields between `serial` and `scratch` are
 * enumerators: results of steps, responses, and places in the state tables of worlds and
 * quadtrees. */
/* clang-format off */
DECLARE(FfiInterface, declaration,
  double value[8];
  int serial;
  int refused, found, to_report, nothing;
  int slide, touch, bounce, cross, freed, stuck;
  int world_shapes, world_subjects, tree_items, tree_numbers, cursors;
  void *scratch;
  int (*move)(void *shape, double dx, double dy);
  int (*move_to)(void *shape, double x, double y);
  int (*rotate)(void *shape, double angle);
  int (*rotate_about)(void *shape, double angle, double px, double py);
  int (*set_rotation)(void *shape, double angle);
  int (*set_rotation_about)(void *shape, double angle, double px, double py);
  int (*transform)(void *shape, double x, double y, double angle);
  double (*rotation)(void *shape);
  int (*center)(void *interface, void *shape);
  int (*bounds)(void *interface, void *shape);
  int (*project)(void *interface, void *shape, double dx, double dy);
  int (*contains_point)(void *interface, void *shape, double x, double y);
  int (*contains)(void *interface, void *a, void *b);
  int (*overlaps)(void *interface, void *a, void *b);
  int (*collide)(void *interface, void *a, void *b);
  int (*distance)(void *interface, void *a, void *b);
  int (*axis)(void *interface, void *a, void *b);
  int (*idle_cursors)(const void *owner);
  int (*begin_of_one)(const void *world, void *cursor, const void *shape);
  int (*begin_hits)(const void *world, void *cursor);
  int (*begin_raycasts)(const void *world, void *cursor, double x1, double y1, double x2, double y2,
                        const void *who);
  int (*next_of_one)(void *interface, void *cursor, const void *subject);
  int (*next_collision)(void *interface, void *cursor);
  int (*next_hit)(void *interface, void *cursor);
  int (*next_raycast)(void *interface, void *cursor);
  int (*next_pair)(void *interface, void *cursor);
  void (*step_back)(void *cursor);
  double (*radius)(void *shape);
  double (*area)(void *shape);
  double (*scale_factor)(void *shape);
  int (*is_convex)(void *interface, void *shape);
  int (*is_sensor)(void *interface, void *shape);
  int (*is_static)(void *interface, void *shape);
  int (*is_enabled)(void *interface, void *shape);
  int (*bounding_circle)(void *interface, void *shape);
  int (*raycast)(void *interface, void *shape, double x1, double y1, double x2, double y2);
  int (*world_cast)(void *interface, const void *world, void *shape, double dx, double dy);
  int (*world_collide)(void *interface, const void *world, void *shape);
  int (*world_count)(void *interface, const void *world);
  int (*world_has)(void *interface, const void *world, void *shape);
  int (*world_raycast)(void *interface, const void *world, double x1, double y1, double x2,
                       double y2, const void *who);
  int (*quadtree_count)(void *interface, const void *tree);
  int (*update_item)(void *interface, int serial, const void *tree, void *shape, double number);
  int (*update_item_to_box)(void *interface, int serial, const void *tree, double number, double x,
                            double y, double w, double h);
  int (*kind)(void *shape);
  int (*contacts)(void *interface, void *a, void *b);
  int (*cast)(void *interface, void *a, double dx, double dy, void *b);
  int (*check_move)(void *interface, const void *world, void *shape, double dx, double dy,
                    int response);
  int (*move_as_checked)(const void *world, void *shape, double x, double y);
);
/* clang-format on */

#define REFUSED SATLUA_STEP_REFUSED

/* ---------------------------------------------------------------- transforms */

static bool both_in_range(double x, double y) { return in_range(x) && in_range(y); }

/* A shape that may not change is refused, and the function of the Lua API says why. */
static bool may_change(const void *shape) { return !sat_shape_is_locked(shape); }

static int ffi_move(void *shape, double dx, double dy) {
  return (int)(both_in_range(dx, dy) && may_change(shape) ? sat_shape_move(shape, dx, dy)
                                                          : SAT_ERANGE);
}

static int ffi_move_to(void *shape, double x, double y) {
  return (int)(both_in_range(x, y) && may_change(shape) ? sat_shape_move_to(shape, x, y)
                                                        : SAT_ERANGE);
}

static int ffi_rotate(void *shape, double angle) {
  return (int)(in_range(angle) && may_change(shape) ? sat_shape_rotate(shape, angle) : SAT_ERANGE);
}

static int ffi_rotate_about(void *shape, double angle, double px, double py) {
  if (!in_range(angle) || !both_in_range(px, py) || !may_change(shape)) return SAT_ERANGE;
  return (int)sat_shape_rotate_about(shape, angle, vec2(px, py));
}

static int ffi_set_rotation(void *shape, double angle) {
  return (int)(in_range(angle) && may_change(shape) ? sat_shape_set_rotation(shape, angle)
                                                    : SAT_ERANGE);
}

static int ffi_set_rotation_about(void *shape, double angle, double px, double py) {
  if (!in_range(angle) || !both_in_range(px, py) || !may_change(shape)) return SAT_ERANGE;
  return (int)sat_shape_set_rotation_about(shape, angle, vec2(px, py));
}

static int ffi_transform(void *shape, double x, double y, double angle) {
  if (!in_range(angle) || !both_in_range(x, y) || !may_change(shape)) return SAT_ERANGE;
  return (int)sat_shape_transform(shape, x, y, angle);
}

/* ---------------------------------------------------------------- queries of shapes */

/* Gives the result in `value` a serial number. */
static int next_serial(FfiInterface *interface) {
  return interface->serial = satlua_next_serial(interface->serial);
}

/* Result of a function that has no numbers to give. */
static int without_numbers(sat_Status status) { return status == SAT_MISS ? 0 : REFUSED; }

/* Volatile, since a compiler would store two numbers at once, and a load of one of them would wait
 * for that store. */
static void put_number(FfiInterface *interface, int index, double number) {
  volatile double *value = interface->value;
  value[index] = number;
}

static void put_vector(FfiInterface *interface, int index, sat_Vec2 v) {
  put_number(interface, index, v.x);
  put_number(interface, index + 1, v.y);
}

static double ffi_rotation(void *shape) { return sat_shape_rotation(shape); }

static int ffi_center(void *interface, void *shape) {
  put_vector(interface, 0, sat_shape_center(shape));
  return next_serial(interface);
}

static int ffi_bounds(void *to, void *shape) {
  FfiInterface *interface = to;
  sat_Rectangle box = satlua_shape_rectangle(shape);
  put_number(interface, 0, box.x);
  put_number(interface, 1, box.y);
  put_number(interface, 2, box.w);
  put_number(interface, 3, box.h);
  return next_serial(interface);
}

static int ffi_project(void *interface, void *shape, double dx, double dy) {
  if (!both_in_range(dx, dy) || (dx == 0 && dy == 0)) return REFUSED;
  sat_Interval shadow = sat_shape_project(shape, vec2(dx, dy));
  put_number(interface, 0, shadow.low);
  put_number(interface, 1, shadow.high);
  return next_serial(interface);
}

static int ffi_contains_point(void *interface, void *shape, double x, double y) {
  if (!both_in_range(x, y)) return SAT_ERANGE;
  return (int)sat_contains_point(shape, vec2(x, y), ((FfiInterface *)interface)->scratch);
}

static int ffi_contains(void *interface, void *a, void *b) {
  return (int)sat_contains(a, b, ((FfiInterface *)interface)->scratch);
}

static int ffi_overlaps(void *interface, void *a, void *b) {
  return (int)sat_overlaps(a, b, ((FfiInterface *)interface)->scratch);
}

static int ffi_collide(void *to, void *a, void *b) {
  FfiInterface *interface = to;
  sat_Result result;
  sat_Status status = sat_collide(a, b, interface->scratch, &result);
  if (status != SAT_OK) return without_numbers(status);
  put_vector(interface, 0, result.vector);
  put_number(interface, 2, result.depth);
  return next_serial(interface);
}

static int ffi_distance(void *to, void *a, void *b) {
  FfiInterface *interface = to;
  sat_Distance result;
  sat_Status status = sat_distance(a, b, interface->scratch, &result);
  if (status != SAT_OK && status != SAT_MISS) return REFUSED;
  put_number(interface, 0, result.distance);
  put_vector(interface, 1, result.on_a);
  put_vector(interface, 3, result.on_b);
  return next_serial(interface);
}

static double ffi_radius(void *shape) { return sat_shape_radius(shape); }

static double ffi_area(void *shape) { return sat_shape_area(shape); }
static double ffi_scale_factor(void *shape) { return sat_shape_scale_factor(shape); }

static int status_of(bool yes) { return (int)(yes ? SAT_OK : SAT_MISS); }

static int ffi_is_convex(void *interface, void *shape) {
  (void)interface;
  return status_of(sat_shape_is_convex(shape));
}
static int ffi_is_sensor(void *interface, void *shape) {
  (void)interface;
  return status_of(sat_shape_is_sensor(shape));
}
static int ffi_is_static(void *interface, void *shape) {
  (void)interface;
  return status_of(sat_shape_is_static(shape));
}
static int ffi_is_enabled(void *interface, void *shape) {
  (void)interface;
  return status_of(sat_shape_is_enabled(shape));
}

static int ffi_bounding_circle(void *interface, void *shape) {
  put_vector(interface, 0, sat_shape_center(shape));
  put_number(interface, 2, sat_shape_bounding_radius(shape));
  return next_serial(interface);
}

static int ffi_kind(void *shape) { return (int)sat_shape_kind(shape); }

/* NaN stands for a second contact point that is not there. */
static int ffi_contacts(void *to, void *a, void *b) {
  FfiInterface *interface = to;
  sat_Manifold manifold;
  sat_Status status = sat_contacts(a, b, interface->scratch, &manifold);
  if (status != SAT_OK) return without_numbers(status);
  put_vector(interface, 0, manifold.normal);
  put_number(interface, 2, manifold.depth);
  put_vector(interface, 3, manifold.points[0]);
  put_vector(interface, 5, manifold.count == 2 ? manifold.points[1] : vec2(NAN, NAN));
  return next_serial(interface);
}

static int ffi_cast(void *to, void *a, double dx, double dy, void *b) {
  FfiInterface *interface = to;
  sat_Hit hit;
  if (!both_in_range(dx, dy)) return REFUSED;
  sat_Status status = sat_cast(a, vec2(dx, dy), b, interface->scratch, &hit);
  if (status != SAT_OK) return without_numbers(status);
  put_number(interface, 0, hit.t);
  put_vector(interface, 1, hit.normal);
  put_vector(interface, 3, hit.point);
  return next_serial(interface);
}

static int ffi_raycast(void *to, void *shape, double x1, double y1, double x2, double y2) {
  FfiInterface *interface = to;
  sat_Hit hit;
  if (!both_in_range(x1, y1) || !both_in_range(x2, y2)) return REFUSED;
  sat_Status status = sat_raycast(shape, vec2(x1, y1), vec2(x2, y2), interface->scratch, &hit);
  if (status != SAT_OK) return without_numbers(status);
  put_number(interface, 0, hit.t);
  put_vector(interface, 1, hit.normal);
  return next_serial(interface);
}

/* ---------------------------------------------------------------- worlds */

/* Shapes are given as their indices in SATLUA_WORLD_STATE_SHAPES. */
static int put_cast_hit(FfiInterface *interface, sat_Status status, const sat_CastHit *first) {
  if (status != SAT_OK) return without_numbers(status);
  put_number(interface, 0, (double)first->other + 1);
  put_number(interface, 1, first->hit.t);
  put_vector(interface, 2, first->hit.normal);
  put_vector(interface, 4, first->hit.point);
  return next_serial(interface);
}

static int ffi_world_cast(void *interface, const void *block, void *shape, double dx, double dy) {
  sat_World *world = satlua_world_handle_core(block);
  sat_CastHit first;
  if (!world || !both_in_range(dx, dy)) return REFUSED;
  return put_cast_hit(interface, sat_world_cast(world, shape, vec2(dx, dy), &first), &first);
}

static int ffi_world_raycast(void *interface, const void *block, double x1, double y1, double x2,
                             double y2, const void *who) {
  sat_World *world = satlua_world_handle_core(block);
  const sat_QueryFilter filter = {who, 0};
  sat_CastHit first;
  if (!world || !both_in_range(x1, y1) || !both_in_range(x2, y2)) return REFUSED;
  sat_Status status =
      sat_world_raycast(world, vec2(x1, y1), vec2(x2, y2), who ? &filter : NULL, &first);
  return put_cast_hit(interface, status, &first);
}

static int ffi_world_collide(void *interface, const void *block, void *shape) {
  sat_World *world = satlua_world_handle_core(block);
  sat_Result way;
  sat_Status status = world ? sat_world_collide(world, shape, &way) : SAT_ENOMEM;
  if (status != SAT_OK) return without_numbers(status);
  put_vector(interface, 0, way.vector);
  put_number(interface, 2, way.depth);
  return next_serial(interface);
}

static int ffi_world_count(void *interface, const void *block) {
  sat_World *world = satlua_world_handle_core(block);
  if (!world) return REFUSED;
  put_number(interface, 0, (double)sat_world_count(world));
  return next_serial(interface);
}

static int ffi_world_has(void *interface, const void *block, void *shape) {
  sat_World *world = satlua_world_handle_core(block);
  (void)interface;
  return world ? status_of(sat_world_has(world, shape)) : REFUSED;
}

/* ---------------------------------------------------------------- quadtrees */

static int ffi_quadtree_count(void *interface, const void *block) {
  satlua_Quadtree *tree = satlua_quadtree_handle_open(block);
  if (!tree) return REFUSED;
  put_number(interface, 0, (double)sat_quadtree_count(tree->core));
  return next_serial(interface);
}

/* Updates an item whose number the caller has looked up; a new serial number means that the number
 * may be another item's by now. */
static int update_item(const FfiInterface *interface, int serial, const void *block, double number,
                       sat_Rectangle box) {
  satlua_Quadtree *tree = satlua_quadtree_handle_open(block);
  if (!tree || interface->serial != serial) return REFUSED;
  return sat_quadtree_update(tree->core, (sat_Item)number, box) == SAT_OK ? SAT_OK : REFUSED;
}

static int ffi_update_item(void *interface, int serial, const void *block, void *shape,
                           double number) {
  return update_item(interface, serial, block, number, satlua_shape_rectangle(shape));
}

static int ffi_update_item_to_box(void *interface, int serial, const void *block, double number,
                                  double x, double y, double w, double h) {
  bool is_right =
      both_in_range(x, y) && both_in_range(w, h) && w >= 0 && h >= 0 && both_in_range(x + w, y + h);
  sat_Rectangle box = {x, y, w, h};
  return is_right ? update_item(interface, serial, block, number, box) : REFUSED;
}

/* ---------------------------------------------------------------- moves */

/* A move is a check, whose numbers the caller reads, and then the change, which is refused if
 * another call has come in between: no move is lost, and none is made twice. */
static int ffi_check_move(void *to, const void *world, void *shape, double dx, double dy,
                          int response) {
  FfiInterface *interface = to;
  sat_MoveResult result;
  int came_to = satlua_world_handle_check(world, shape, vec2(dx, dy), response, &result);
  if (came_to != SATLUA_STEP_FOUND) return REFUSED;
  put_vector(interface, 0, result.centroid);
  put_number(interface, 2, (double)result.count);
  put_vector(interface, 3, result.rest);
  return next_serial(interface);
}

static int ffi_move_as_checked(const void *world, void *shape, double x, double y) {
  return satlua_world_handle_move(world, shape, vec2(x, y));
}

static int ffi_axis(void *to, void *a, void *b) {
  FfiInterface *interface = to;
  sat_Axis axis;
  if (sat_axis(a, b, interface->scratch, &axis)) return REFUSED;
  put_vector(interface, 0, axis.normal);
  put_number(interface, 2, axis.separation);
  return next_serial(interface);
}

/* ---------------------------------------------------------------- loops */

static int ffi_begin_of_one(const void *world, void *cursor, const void *shape) {
  const satlua_LoopSubject subject = {.shape = shape};
  return satlua_world_handle_begin(world, cursor, SATLUA_LOOP_OF_ONE, &subject);
}

static int ffi_begin_hits(const void *world, void *cursor) {
  const satlua_LoopSubject none = {.shape = NULL};
  return satlua_world_handle_begin(world, cursor, SATLUA_LOOP_HITS, &none);
}

static int ffi_begin_raycasts(const void *world, void *cursor, double x1, double y1, double x2,
                              double y2, const void *who) {
  const sat_QueryFilter filter = {who, 0};
  const satlua_LoopSubject ray = {NULL, vec2(x1, y1), vec2(x2, y2), who ? &filter : NULL};
  if (!both_in_range(x1, y1) || !both_in_range(x2, y2)) return REFUSED;
  return satlua_world_handle_begin(world, cursor, SATLUA_LOOP_RAYCASTS, &ray);
}

/* Gives the result of a step, which is in `value`, a serial number. */
static int count_step(FfiInterface *interface, int came_to) {
  return came_to == SATLUA_STEP_FOUND ? next_serial(interface) : came_to;
}

static int step_of_world(void *to, void *cursor, int kind, const void *subject) {
  FfiInterface *interface = to;
  return count_step(interface, satlua_world_cursor_step(cursor, kind, subject, interface->value));
}

static int ffi_next_of_one(void *interface, void *cursor, const void *subject) {
  return step_of_world(interface, cursor, SATLUA_LOOP_OF_ONE, subject);
}
static int ffi_next_collision(void *interface, void *cursor) {
  return step_of_world(interface, cursor, SATLUA_LOOP_COLLISIONS, NULL);
}
static int ffi_next_hit(void *interface, void *cursor) {
  return step_of_world(interface, cursor, SATLUA_LOOP_HITS, NULL);
}
static int ffi_next_raycast(void *interface, void *cursor) {
  return step_of_world(interface, cursor, SATLUA_LOOP_RAYCASTS, NULL);
}

static int ffi_next_pair(void *to, void *cursor) {
  FfiInterface *interface = to;
  return count_step(interface, satlua_quadtree_cursor_step(cursor, interface->value));
}

/* ---------------------------------------------------------------- the interface */

static const FfiInterface blank_interface = {
    .refused = SATLUA_STEP_REFUSED,
    .found = SATLUA_STEP_FOUND,
    .to_report = SATLUA_STEP_TO_REPORT,
    .nothing = SATLUA_STEP_NOTHING,
    .slide = SAT_SLIDE,
    .touch = SAT_TOUCH,
    .bounce = SAT_BOUNCE,
    .cross = SAT_CROSS,
    .freed = SAT_FREED,
    .stuck = SAT_STUCK,
    .world_shapes = SATLUA_WORLD_STATE_SHAPES,
    .world_subjects = SATLUA_WORLD_STATE_SUBJECTS,
    .tree_items = SATLUA_QUADTREE_STATE_ITEMS,
    .tree_numbers = SATLUA_QUADTREE_STATE_NUMBERS,
    .cursors = SATLUA_STATE_CURSORS,
    .move = ffi_move,
    .move_to = ffi_move_to,
    .rotate = ffi_rotate,
    .rotate_about = ffi_rotate_about,
    .set_rotation = ffi_set_rotation,
    .set_rotation_about = ffi_set_rotation_about,
    .transform = ffi_transform,
    .rotation = ffi_rotation,
    .center = ffi_center,
    .bounds = ffi_bounds,
    .project = ffi_project,
    .contains_point = ffi_contains_point,
    .contains = ffi_contains,
    .overlaps = ffi_overlaps,
    .collide = ffi_collide,
    .distance = ffi_distance,
    .axis = ffi_axis,
    .idle_cursors = satlua_handle_idle,
    .begin_of_one = ffi_begin_of_one,
    .begin_hits = ffi_begin_hits,
    .begin_raycasts = ffi_begin_raycasts,
    .next_of_one = ffi_next_of_one,
    .next_collision = ffi_next_collision,
    .next_hit = ffi_next_hit,
    .next_raycast = ffi_next_raycast,
    .next_pair = ffi_next_pair,
    .step_back = satlua_cursor_step_back,
    .radius = ffi_radius,
    .area = ffi_area,
    .scale_factor = ffi_scale_factor,
    .is_convex = ffi_is_convex,
    .is_sensor = ffi_is_sensor,
    .is_static = ffi_is_static,
    .is_enabled = ffi_is_enabled,
    .bounding_circle = ffi_bounding_circle,
    .raycast = ffi_raycast,
    .world_cast = ffi_world_cast,
    .world_collide = ffi_world_collide,
    .world_count = ffi_world_count,
    .world_has = ffi_world_has,
    .world_raycast = ffi_world_raycast,
    .quadtree_count = ffi_quadtree_count,
    .update_item = ffi_update_item,
    .update_item_to_box = ffi_update_item_to_box,
    .kind = ffi_kind,
    .contacts = ffi_contacts,
    .cast = ffi_cast,
    .check_move = ffi_check_move,
    .move_as_checked = ffi_move_as_checked,
};

/* Pushes the interface. The shapes' metatable keeps it alive, since its address must stay valid as
 * long as any function has it, and all of these functions have the metatable. */
static void push_ffi_interface(lua_State *L) {
  lua_pushliteral(L, "ffiInterface");
  lua_rawget(L, lua_upvalueindex(SATLUA_UP_METATABLE));
  if (!lua_isnil(L, -1)) return;
  lua_pop(L, 1);
  lua_pushliteral(L, "ffiInterface");
  FfiInterface *interface = lua_newuserdata(L, sizeof *interface);
  *interface = blank_interface;
  satlua_StateContext *context = lua_touserdata(L, lua_upvalueindex(SATLUA_UP_SCRATCH));
  interface->scratch = &context->scratch;
  context->serial = &interface->serial;
  lua_pushvalue(L, -1);
  lua_insert(L, -3);
  lua_rawset(L, lua_upvalueindex(SATLUA_UP_METATABLE));
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
  push_ffi_interface(L);
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
