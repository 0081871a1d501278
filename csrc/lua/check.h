/* check.h: reads and checks the arguments that a script passes, and pushes results.
 *
 * Every function of the binding is a closure with the upvalues below, and the functions declared
 * here work only inside such a closure. A wrong argument raises a Lua error that names the
 * function, the argument as the script counts it, and the reason, in the same words on every Lua.
 * No function here calls a metamethod, and none owns memory when it raises. */
#ifndef SAT_LUA_CHECK_H
#define SAT_LUA_CHECK_H

#include "lua/memory.h"

/* The upvalues. While the module opens, those that all functions have in common lie on the stack,
 * number i at SATLUA_AT + i, and behind them the tables of the methods of shapes, quadtrees and
 * worlds. */
enum {
  SATLUA_UP_METATABLE = 1, /* the metatable of all shapes, and of nothing else */
  SATLUA_UP_QUADTREE,      /* the metatable of all quadtrees */
  SATLUA_UP_WORLD,         /* the metatable of all worlds */
  SATLUA_UP_SCRATCH,       /* a userdata that is a satlua_StateContext */
  SATLUA_UP_COMMON = SATLUA_UP_SCRATCH,
  SATLUA_UP_NAME,   /* the function's name in the API */
  SATLUA_UP_METHOD, /* whether it is called with a colon, so that argument 1 is not counted */
  SATLUA_UP_WHICH,  /* its place, from 0 on, among neighbours of one list that are one C function */
  SATLUA_UP_COUNT = SATLUA_UP_WHICH,
  SATLUA_AT = 1
};

/* Places in the metatable of a type: its name, which like other strings that functions return is
 * kept there, so that it is never collected and made again, and the empty table in which a script
 * sets a field, and in which that of worlds gives the condition of `who` nearest to a name. */
enum { SATLUA_TYPE_NAME = 1, SATLUA_FIELDS };

/* A list of points needs memory beyond the C stack only when it has more points than this. */
#define SATLUA_FEW_POINTS 64

/* A script's points: numbers in a row, or in a flat table. */
typedef struct satlua_Points {
  sat_Vec2 *at;  /* NULL: they are only counted */
  size_t count;  /* the number of points at `at`, which cleaning reduces */
  size_t given;  /* the number of points in the script's list */
  int arg, last; /* the argument that is or has the table, or the first and the last number */
  int table;     /* the stack index of the table, or 0 */
  int ring;      /* the number of the table among several, from 1 on, or 0 for a single one */
  size_t bad;    /* the first coordinate, from 1 on, that is NaN or beyond SAT_LIMIT, or 0 */
  bool is_odd;   /* the last vertex has no y */
} satlua_Points;

/* Pushes a userdata with room for an array. The size of every array of Lua memory is computed
 * here. */
void *satlua_push_array(lua_State *L, size_t count, size_t each);

/* Puts the functions of a list into the table on top of the stack, while the module opens. */
void satlua_register(lua_State *L, const luaL_Reg *list, bool method);

static inline satlua_StateContext *satlua_get_context(lua_State *L) {
  return lua_touserdata(L, lua_upvalueindex(SATLUA_UP_SCRATCH));
}
static inline sat_Scratch *satlua_get_scratch(lua_State *L) {
  return &satlua_get_context(L)->scratch;
}
static inline int satlua_which(lua_State *L) {
  return (int)lua_tointeger(L, lua_upvalueindex(SATLUA_UP_WHICH));
}

/* Raises "bad argument #n to 'name' (reason)" with a reason formatted as lua_pushfstring does.
 * `arg` is the stack index; the shape before a method's colon is called "bad self". */
int satlua_raise_argument(lua_State *L, int arg, const char *format, ...);
/* Raises an error if a function of the module is called with a colon. */
void satlua_check_dot(lua_State *L);
/* Raises an error if there is an argument beyond the first `most`, unless it is nil. */
void satlua_check_count(lua_State *L, int most, const char *parameters);
/* Raises an error: the argument of that name is missing, nil, or no `wanted`. */
int satlua_raise_type(lua_State *L, int arg, const char *name, const char *wanted);
/* Raises this error for the value before a method's colon, and advises to write a colon. */
int satlua_raise_self(lua_State *L, const char *wanted);
/* Pushes and returns the message for a value at a stack index that is no valid number; pushes
 * nothing and returns NULL for a valid number. */
const char *satlua_push_number_fault(lua_State *L, int index, const char *name);
/* Raises the error of a status that is neither SAT_OK nor SAT_MISS; the message names `arg`. */
int satlua_raise_status(lua_State *L, int arg, sat_Status status);
/* Raises the error of such a status. Returns whether any other status is SAT_OK. */
bool satlua_check_status(lua_State *L, int arg, sat_Status status);

/* A number that is not NaN and not beyond SAT_LIMIT. A string is no number, even one of digits. */
double satlua_check_number(lua_State *L, int arg, const char *name);
/* A vector of two such numbers, at `arg` and `arg` + 1. */
sat_Vec2 satlua_check_vec2(lua_State *L, int arg, const char *x, const char *y);
/* Reads the pivot px, py at `arg`. Returns whether there is one, without which it stays. */
bool satlua_check_pivot(lua_State *L, int arg, sat_Vec2 *pivot);
/* A vector from argument 2 on that is not 0, 0. */
sat_Vec2 satlua_check_direction(lua_State *L);
/* Such a number, or `otherwise` for nil or no argument. */
double satlua_check_optional(lua_State *L, int arg, const char *name, double otherwise);
/* A number that is not negative; one that is above 0. */
double satlua_check_radius(lua_State *L, int arg, const char *name);
double satlua_check_size(lua_State *L, int arg, const char *name);
/* Reads x, y, w, h from a stack index on; w and h must be above 0, or not negative. Returns 0, or
 * for a wrong one its place, from 1 on, and pushes what is wrong with it. */
int satlua_read_rectangle(lua_State *L, int at, const char *noun, bool may_be_empty,
                          sat_Rectangle *rectangle);
/* Such a rectangle, which messages call by a noun, from `arg` on. */
sat_Rectangle satlua_check_rectangle(lua_State *L, int arg, const char *noun, bool may_be_empty);
/* A whole number from `low` to `high`. */
double satlua_check_whole(lua_State *L, int arg, const char *name, double low, double high);
bool satlua_check_boolean(lua_State *L, int arg, const char *name);
void satlua_check_table(lua_State *L, int arg, const char *name);
/* A table of vertices; the error for a number says that vertices come in a table here. */
void satlua_check_list(lua_State *L, int arg, const char *name);
sat_Shape *satlua_check_shape(lua_State *L, int arg, const char *name);
/* The limit of a distance: not negative; INFINITY for none, nil or no argument. */
double satlua_check_limit(lua_State *L, int arg);
/* Raises an error if as many calls wait for a function's answer as may wait at a time. */
void satlua_check_waiting(lua_State *L, const satlua_StateContext *context);
/* The shape before the colon. */
sat_Shape *satlua_check_self(lua_State *L);
/* The shape before the colon for a method that changes it. Raises an error while a move of the
 * shape waits for a response. */
sat_Shape *satlua_check_changing_self(lua_State *L);
/* The shape at a stack index, or NULL. */
sat_Shape *satlua_to_shape(lua_State *L, int index);
/* The block of the userdata at a stack index when its metatable is the one at that upvalue, or
 * NULL. */
void *satlua_to_block(lua_State *L, int index, int upvalue);
/* Pushes the name of this module's type that the value at a stack index has, and returns it;
 * NULL, with nothing pushed, for any other value. */
const char *satlua_push_type(lua_State *L, int index);

/* Whether a list has an element behind its first `length`, none of which is nil: the length
 * operator may give any of several lengths of a list with holes. */
bool satlua_has_behind(lua_State *L, int list, double length);
/* Checks a list to be filled at the stack index `arg`, and puts a new one with room for so many
 * elements there for nil or no argument. The argument `last` becomes the top of the stack. */
void satlua_check_out(lua_State *L, int arg, int last, int room);
/* Clears the elements of a list behind its first `length`, none of which is nil: afterwards the
 * length operator gives `length`. The time is in proportion to the elements of the table, not to
 * the length that the operator gave before. */
void satlua_clear_behind(lua_State *L, int list, int length);

/* Shapes that a call is given: the arguments from the index `at` on, or the elements of the
 * binding's own table there. */
typedef struct satlua_Shapes {
  size_t count;
  int at;
  bool listed;
} satlua_Shapes;

/* Checks the arguments from `arg` on, or copies the list that is the only one into a new table on
 * top of the stack, which no finalizer can change. Raises for what is no shape, for a hole and for
 * a list of more than `most`. */
satlua_Shapes satlua_check_shapes(lua_State *L, int arg, size_t most);
/* Pushes one of the shapes, and returns it. */
sat_Shape *satlua_push_shape(lua_State *L, const satlua_Shapes *shapes, size_t i);

/* Reads the coordinates of at most so many points, of whose description arg, table and ring or last
 * are given, to `at`. Raises an error for a value that is no number, and for a hole, but only notes
 * a number that is out of range, and that the last one is missing. Only counts them without `at`.
 * Nothing is allocated. */
void satlua_read_points(lua_State *L, satlua_Points *points, size_t most);
/* Reads points from `arg` on, and raises all errors. The points are in `few` or, if they are many,
 * in a userdata that is pushed: no finalizer that an allocation runs can reach them. */
satlua_Points satlua_check_points(lua_State *L, int arg, sat_Vec2 few[SATLUA_FEW_POINTS]);
/* Does the same for a caller that has its own message for what is only noted. */
satlua_Points satlua_check_coordinates(lua_State *L, int arg, sat_Vec2 few[SATLUA_FEW_POINTS]);
/* Pushes the reason for refusing the points, which is that their number of coordinates is odd, or
 * the core's, and returns the 1-based coordinate to blame, or 0 for all of them. Vertex k has the
 * coordinates 2k - 1 and 2k. */
int satlua_points_blame(lua_State *L, const satlua_Points *points, sat_Status status,
                        sat_RingError error);
/* Raises an error with that reason. */
int satlua_raise_points(lua_State *L, const satlua_Points *points, sat_Status status,
                        sat_RingError error);

/* ---------------------------------------------------------------- results */

/* Each of these functions returns the number of values that it pushes. The addition of 0 turns -0
 * into 0. */

/* Pushes nil, the one result for "nothing found". */
static inline int satlua_push_none(lua_State *L) {
  lua_pushnil(L);
  return 1;
}

static inline int satlua_push_boolean(lua_State *L, bool boolean) {
  lua_pushboolean(L, boolean);
  return 1;
}

static inline int satlua_push_number(lua_State *L, double number) {
  lua_pushnumber(L, number + 0.0);
  return 1;
}

static inline int satlua_push_vec2(lua_State *L, sat_Vec2 v) {
  lua_pushnumber(L, v.x + 0.0);
  lua_pushnumber(L, v.y + 0.0);
  return 2;
}

/* Writes a vector into a flat list of coordinates, as the vertex with a 0-based index. */
static inline void satlua_set_vec2(lua_State *L, int list, int index, sat_Vec2 v) {
  lua_pushnumber(L, v.x + 0.0);
  lua_rawseti(L, list, 2 * index + 1);
  lua_pushnumber(L, v.y + 0.0);
  lua_rawseti(L, list, 2 * index + 2);
}

static inline int satlua_push_box(lua_State *L, sat_Rectangle box) {
  lua_pushnumber(L, box.x + 0.0);
  lua_pushnumber(L, box.y + 0.0);
  lua_pushnumber(L, box.w + 0.0);
  lua_pushnumber(L, box.h + 0.0);
  return 4;
}

/* Returns the value before the colon. */
static inline int satlua_return_self(lua_State *L) {
  lua_settop(L, 1);
  return 1;
}

#endif
