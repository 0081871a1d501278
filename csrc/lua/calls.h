/* calls.h: the calls of the core that the Lua API and LuaJIT's FFI share, each written once.
 *
 * A function of the Lua API checks its arguments, makes a call, and pushes the answer. The FFI
 * makes the same calls in place of the functions of the Lua API. It passes a userdata's block as a
 * pointer, and it calls functions by pointers, so that no symbol has to be exported for it. A call
 * neither raises errors nor calls Lua. It checks the numbers that the core does not check; its
 * caller makes sure that a pointer is a shape's. An error has no message: the FFI's caller then
 * calls the function of the Lua API with the same arguments, which raises the error.
 *
 * A call that gives several numbers leaves them in the context's `value` and returns a serial
 * number, which counts up from 1 and is in the context, too: a caller that may have been
 * interrupted compares the two to find out whether `value` still holds its numbers. Such a call
 * returns 0 for no, and a number below 0 for an error. Of the others, most return a sat_Status or
 * SATLUA_REFUSED, those of loops one of the results below, and some their one number itself. The
 * reader of a number turns -0 into 0. */
#ifndef SAT_LUA_CALLS_H
#define SAT_LUA_CALLS_H

#include "base/vec2.h"
#include "lua/check.h"

enum {
  SATLUA_ENDED = -2,   /* a loop has no further step, and its cursor is the last of the idle ones */
  SATLUA_REFUSED = -1, /* the caller is to call the function of the Lua API, which says why */
  SATLUA_OVER = 0,     /* a loop had ended before */
  SATLUA_BEGUN = 0,
  SATLUA_TO_REPORT = 1, /* a loop has begun, and there is memory to report */
  SATLUA_NOTHING = 2    /* a loop has not begun, since it would have no step */
};

/* The questions to a world, and what describes them: those that have no list as their answer come
 * last. */
enum {
  SATLUA_ASK_ALL,
  SATLUA_ASK_AT,          /* x, y */
  SATLUA_ASK_BOX,         /* x, y, w, h */
  SATLUA_ASK_SHAPE,       /* a shape */
  SATLUA_ASK_NEAREST_ALL, /* x, y, a limit */
  SATLUA_ASK_RAYCAST_ALL, /* x1, y1, x2, y2 */
  SATLUA_ASK_VISIBLE,     /* x, y, a radius or a shape */
  SATLUA_ASK_ANSWERED,    /* nothing: how many shapes the last check has asked about */
  SATLUA_ASK_WAY_OUT,     /* a shape */
  SATLUA_ASK_NEAREST,     /* x, y, a limit */
  SATLUA_ASK_CAST,        /* a shape, dx, dy */
  SATLUA_ASK_RAYCAST      /* x1, y1, x2, y2 */
};

/* The conditions of a query: no mask is -1, and the sensors are a sat_Sensors. */
#define SATLUA_WHO                                                                                 \
  const void *as, double mask, int sensors, const void *except1, const void *except2,              \
      const void *except3, const void *except4, const void *except5, const void *except6,          \
      const void *except7, const void *except8

/* The result, the name and the parameters of each call. Worlds, quadtrees, cursors and shapes are
 * the blocks of their userdata. A pivot px, py of NaN is the shape's centroid. A step of a loop
 * gives indices into the list of shapes or items of the state table, and then numbers. */
/* clang-format off */
#define SATLUA_CALLS(CALL) \
  CALL(double, rotation, void *shape) \
  CALL(double, scale_factor, void *shape) \
  CALL(double, radius, void *shape) \
  CALL(double, area, void *shape) \
  CALL(int, kind, void *shape) \
  CALL(int, is_convex, void *shape) \
  CALL(int, is_sensor, void *shape) \
  CALL(int, is_static, void *shape) \
  CALL(int, is_enabled, void *shape) \
  CALL(int, center, void *context, void *shape) \
  CALL(int, bounds, void *context, void *shape) \
  CALL(int, bounding_circle, void *context, void *shape) \
  CALL(int, project, void *context, void *shape, double dx, double dy) \
  CALL(int, contains_point, void *context, void *shape, double x, double y) \
  CALL(double, part_count, void *shape) \
  CALL(int, part_at, void *context, void *shape, double x, double y) \
  CALL(int, raycast, void *context, void *shape, double x1, double y1, double x2, double y2) \
  CALL(int, contains, void *context, void *a, void *b) \
  CALL(int, overlaps, void *context, void *a, void *b) \
  CALL(int, collide, void *context, void *a, void *b) \
  CALL(int, contacts, void *context, void *a, void *b) \
  CALL(int, distance, void *context, void *a, void *b) \
  CALL(int, axis, void *context, void *a, void *b) \
  CALL(int, cast, void *context, void *a, double dx, double dy, void *b) \
  CALL(int, turn, void *context, void *a, double angle, void *b, double px, double py) \
  CALL(int, move, void *shape, double dx, double dy) \
  CALL(int, move_to, void *shape, double x, double y) \
  CALL(int, rotate, void *shape, double angle, double px, double py) \
  CALL(int, set_rotation, void *shape, double angle, double px, double py) \
  CALL(int, transform, void *shape, double x, double y, double angle) \
  CALL(int, set_enabled, void *shape, int enabled) \
  CALL(int, set_rectangle, void *shape, double x, double y, double w, double h) \
  CALL(int, world_ask, void *context, const void *world, int question, void *shape, double a, \
         double b, double c, double d, SATLUA_WHO) \
  CALL(int, world_count, void *context, const void *world) \
  CALL(int, world_has, const void *world, void *shape) \
  CALL(int, world_found, const void *world, int answered, int place) \
  CALL(double, world_seen, const void *world, double place) \
  CALL(int, quadtree_count, void *context, const void *tree) \
  CALL(int, update_item, void *context, int serial, const void *tree, double number, \
         void *shape, double x, double y, double w, double h) \
  CALL(int, check_way, void *context, const void *world, void *shape, double x, double y, \
         const char *answers, int response, double angle, int is_turn) \
  CALL(int, go_as_checked, const void *world, void *shape, double x, double y, int is_turn) \
  CALL(int, begin_of_one, const void *world, void *cursor, void *shape) \
  CALL(int, begin_hits, const void *world, void *cursor) \
  CALL(int, begin_raycasts, const void *world, void *cursor, double x1, double y1, double x2, \
         double y2, SATLUA_WHO) \
  CALL(int, next_of_one, void *cursor, const void *subject) \
  CALL(int, next_collision, void *cursor) \
  CALL(int, next_hit, void *cursor) \
  CALL(int, next_raycast, void *cursor) \
  CALL(int, next_pair, void *cursor) \
  CALL(int, idle_cursors, const void *owner) \
  CALL(void, step_back, void *cursor)
/* clang-format on */

#define SATLUA_DECLARE_CALL(result, name, ...) result satlua_call_##name(__VA_ARGS__);
SATLUA_CALLS(SATLUA_DECLARE_CALL)

/* ---------------------------------------------------------------- answers */

/* The result of a call that has no numbers to give. */
static inline int satlua_without_numbers(sat_Status status) {
  return status == SAT_MISS ? 0 : -(int)status;
}

static inline int satlua_status_of(bool yes) { return (int)(yes ? SAT_OK : SAT_MISS); }

static inline bool satlua_in_range(double x, double y) { return in_range(x) && in_range(y); }

/* Volatile, since a compiler would store two numbers at once, and a load of one of them would wait
 * for that store. */
static inline void satlua_put_number(void *context, int index, double number) {
  volatile double *value = ((satlua_StateContext *)context)->value;
  value[index] = number;
}

static inline void satlua_put_vector(void *context, int index, sat_Vec2 v) {
  satlua_put_number(context, index, v.x);
  satlua_put_number(context, index + 1, v.y);
}

/* The parts of a hit, counted from 1: of the other shape, and the own one. */
static inline void satlua_put_parts(void *context, int index, sat_Parts parts) {
  satlua_put_number(context, index, parts.b + 1.0);
  satlua_put_number(context, index + 1, parts.a + 1.0);
}

/* A hit in seven numbers. */
static inline void satlua_put_hit(void *context, int index, const sat_Hit *hit) {
  satlua_put_number(context, index, hit->t);
  satlua_put_vector(context, index + 1, hit->normal);
  satlua_put_vector(context, index + 3, hit->point);
  satlua_put_parts(context, index + 5, hit->parts);
}

/* Pushes the numbers of the context, and the members of the world or quadtree at stack index 1 that
 * they stand for, by letters as in lua/cursor.h. Returns their number. */
int satlua_push_results(lua_State *L, const char *results);

#endif
