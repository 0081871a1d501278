/* check.c: reads and checks arguments, and raises the errors of wrong ones. */
#include "lua/check.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The limit on vertices keeps the size of a shape within 32 bits, and indices within the int of a
 * stack index and of Lua 5.1. */
#define MOST_POINTS 10000000

/* The advice for vertices that are in no table, in nested ones or in several. */
#define FLAT_TABLE ": give one flat table {x1, y1, x2, y2, ...}"

void satlua_register(lua_State *L, const luaL_Reg *list, bool method) {
  for (int which = 0; list->name; which = list[1].func == list->func ? which + 1 : 0, list++) {
    lua_pushstring(L, list->name);
    for (int i = 1; i <= SATLUA_UP_COMMON; i++) lua_pushvalue(L, SATLUA_AT + i);
    lua_pushvalue(L, -SATLUA_UP_NAME);
    lua_pushboolean(L, method);
    lua_pushinteger(L, which);
    lua_pushcclosure(L, list->func, SATLUA_UP_COUNT);
    lua_rawset(L, -3);
  }
}

/* LuaJIT makes no larger userdata: its error would not be that of a lack of memory. */
#define MOST_ARRAY_BYTES 0x7fffff00u

void *satlua_push_array(lua_State *L, size_t count, size_t each) {
  if (count > MOST_ARRAY_BYTES / each) satlua_raise_status(L, 1, SAT_ENOMEM);
  return lua_newuserdata(L, count * each);
}

/* ---------------------------------------------------------------- errors */

/* With a colon, as in sat:circle(x, y, radius), argument 1 is the table of this module. */
void satlua_check_dot(lua_State *L) {
  if (lua_toboolean(L, lua_upvalueindex(SATLUA_UP_METHOD)) || !lua_istable(L, 1)) return;
  lua_pushliteral(L, "_VERSION");
  lua_rawget(L, 1);
  bool is_module =
      lua_type(L, -1) == LUA_TSTRING && !strcmp(lua_tostring(L, -1), "sat " SAT_VERSION);
  lua_pop(L, 1);
  if (!is_module) return;
  const char *name = lua_tostring(L, lua_upvalueindex(SATLUA_UP_NAME));
  luaL_error(L, "'%s' is called with a dot, sat.%s(...), not with a colon", name, name);
}

int satlua_raise_argument(lua_State *L, int arg, const char *format, ...) {
  satlua_check_dot(L);
  va_list list;
  va_start(list, format);
  const char *reason = lua_pushvfstring(L, format, list);
  va_end(list);
  const char *name = lua_tostring(L, lua_upvalueindex(SATLUA_UP_NAME));
  int method = lua_toboolean(L, lua_upvalueindex(SATLUA_UP_METHOD));
  if (method && arg == 1) return luaL_error(L, "calling '%s' on bad self (%s)", name, reason);
  return luaL_error(L, "bad argument #%d to '%s' (%s)", arg - method, name, reason);
}

int satlua_raise_status(lua_State *L, int arg, sat_Status status) {
  if (status == SAT_ENOMEM) {
    lua_pushliteral(L, "not enough memory"); /* as Lua itself says it, without a position */
    return lua_error(L);
  }
  if (status == SAT_ERANGE)
    return satlua_raise_argument(L, arg, "the shape would reach beyond 1e15");
  return satlua_raise_argument(L, arg, "%s", sat_status_text(status));
}

/* Compares metatables, which no script can reach: a comparison is quicker than a name in the
 * registry. */
void *satlua_to_block(lua_State *L, int index, int upvalue) {
  void *block = lua_touserdata(L, index);
  if (!block || !lua_getmetatable(L, index)) return NULL;
  bool same = lua_rawequal(L, -1, lua_upvalueindex(upvalue));
  lua_pop(L, 1);
  return same ? block : NULL;
}

const char *satlua_push_type(lua_State *L, int index) {
  for (int type = SATLUA_UP_METATABLE; type <= SATLUA_UP_WORLD; type++) {
    if (!satlua_to_block(L, index, type)) continue;
    lua_rawgeti(L, lua_upvalueindex(type), SATLUA_TYPE_NAME);
    return lua_tostring(L, -1);
  }
  return NULL;
}

bool satlua_check_status(lua_State *L, int arg, sat_Status status) {
  if (status != SAT_OK && status != SAT_MISS) satlua_raise_status(L, arg, status);
  return status == SAT_OK;
}

/* Pushes the message for the value at a stack index, which is not of the type `wanted`. */
static const char *push_type_fault(lua_State *L, int index, const char *name, const char *wanted) {
  const char *type = satlua_push_type(L, index);
  const char *text = lua_isnone(L, index)  ? "%s must be a %s, but is missing"
                     : lua_isnil(L, index) ? "%s must be a %s, not nil"
                                           : "%s must be a %s, not a %s";
  return lua_pushfstring(L, text, name, wanted, type ? type : luaL_typename(L, index));
}

/* A dot in place of a colon causes most of these errors. Metamethods are called with neither. */
int satlua_raise_self(lua_State *L, const char *wanted) {
  const char *name = lua_tostring(L, lua_upvalueindex(SATLUA_UP_NAME));
  const char *message = push_type_fault(L, 1, "it", wanted);
  if (name[0] == '_') return satlua_raise_argument(L, 1, "%s", message);
  return satlua_raise_argument(L, 1, "%s; a method is called with a colon, %s:%s()", message,
                               wanted, name);
}

int satlua_raise_type(lua_State *L, int arg, const char *name, const char *wanted) {
  return satlua_raise_argument(L, arg, "%s", push_type_fault(L, arg, name, wanted));
}

const char *satlua_push_number_fault(lua_State *L, int index, const char *name) {
  if (lua_type(L, index) != LUA_TNUMBER) {
    const char *message = push_type_fault(L, index, name, "number");
    const char *text = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "";
    if (strcmp(text, "fill") != 0 && strcmp(text, "line") != 0) return message;
    return lua_pushfstring(L, "%s: shape:draw(mode) takes the mode", message);
  }
  double number = lua_tonumber(L, index);
  if (fabs(number) <= SAT_LIMIT) return NULL;
  const char *error = isnan(number) ? "NaN" : isinf(number) ? "infinite" : "beyond 1e15";
  return lua_pushfstring(L, "%s is %s", name, error);
}

/* ---------------------------------------------------------------- single values */

double satlua_check_number(lua_State *L, int arg, const char *name) {
  double number = lua_type(L, arg) == LUA_TNUMBER ? lua_tonumber(L, arg) : NAN;
  if (!(fabs(number) <= SAT_LIMIT))
    satlua_raise_argument(L, arg, "%s", satlua_push_number_fault(L, arg, name));
  return number;
}

sat_Vec2 satlua_check_vec2(lua_State *L, int arg, const char *x, const char *y) {
  sat_Vec2 vector;
  vector.x = satlua_check_number(L, arg, x);
  vector.y = satlua_check_number(L, arg + 1, y);
  return vector;
}

bool satlua_check_pivot(lua_State *L, int arg, sat_Vec2 *pivot) {
  if (lua_isnoneornil(L, arg) && lua_isnoneornil(L, arg + 1)) return false;
  *pivot = satlua_check_vec2(L, arg, "px", "py");
  return true;
}

sat_Vec2 satlua_check_direction(lua_State *L) {
  sat_Vec2 direction = satlua_check_vec2(L, 2, "dx", "dy");
  if (direction.x == 0 && direction.y == 0)
    satlua_raise_argument(L, 2, "dx and dy must not both be 0");
  return direction;
}

double satlua_check_optional(lua_State *L, int arg, const char *name, double otherwise) {
  return lua_isnoneornil(L, arg) ? otherwise : satlua_check_number(L, arg, name);
}

double satlua_check_radius(lua_State *L, int arg, const char *name) {
  double radius = satlua_check_number(L, arg, name);
  if (radius < 0) satlua_raise_argument(L, arg, "%s must not be negative", name);
  if (radius > 0 && radius < SAT_TINY)
    satlua_raise_argument(L, arg, "%s must be 0 or at least 1e-100", name);
  return radius;
}

double satlua_check_size(lua_State *L, int arg, const char *name) {
  double size = satlua_check_number(L, arg, name);
  if (size <= 0) satlua_raise_argument(L, arg, "%s must be above 0", name);
  return size;
}

int satlua_read_rectangle(lua_State *L, int at, const char *noun, bool may_be_empty,
                          sat_Rectangle *rectangle) {
  static const char *const names[] = {"x", "y", "w", "h"};
  double sides[4];
  for (int k = 0; k < 4; k++) {
    bool is_number = lua_type(L, at + k) == LUA_TNUMBER, is_side = k >= 2;
    double side = sides[k] = is_number ? lua_tonumber(L, at + k) : NAN;
    double from = is_side ? sides[k - 2] : 0, end = is_side ? from + side : 0;
    if (!(fabs(side) <= SAT_LIMIT)) satlua_push_number_fault(L, at + k, names[k]);
    else if (is_side && may_be_empty && side < 0)
      lua_pushfstring(L, "%s must not be negative", names[k]);
    else if (is_side && !may_be_empty && side <= 0)
      lua_pushfstring(L, "%s must be above 0", names[k]);
    else if (end > SAT_LIMIT) lua_pushfstring(L, "%s would reach beyond 1e15", noun);
    else if (is_side && !may_be_empty && end == from) /* lost to rounding */
      lua_pushfstring(L, "%s is too small beside the coordinates", names[k]);
    else continue;
    return k + 1;
  }
  *rectangle = (sat_Rectangle){sides[0], sides[1], sides[2], sides[3]};
  return 0;
}

sat_Rectangle satlua_check_rectangle(lua_State *L, int arg, const char *noun, bool may_be_empty) {
  sat_Rectangle rectangle;
  int bad = satlua_read_rectangle(L, arg, noun, may_be_empty, &rectangle);
  if (bad) satlua_raise_argument(L, arg + bad - 1, "%s", lua_tostring(L, -1));
  return rectangle;
}

double satlua_check_whole(lua_State *L, int arg, const char *name, double low, double high) {
  double number = satlua_check_number(L, arg, name);
  if (number >= low && number <= high && number == floor(number)) return number;
  char range[64]; /* %f of lua_pushfstring would write 3.0 on some Luas, and its %d is an int */
  snprintf(range, sizeof range, "%.0f to %.0f", low, high);
  satlua_raise_argument(L, arg, "%s must be a whole number from %s", name, range);
  return low;
}

bool satlua_check_boolean(lua_State *L, int arg, const char *name) {
  if (!lua_isboolean(L, arg)) satlua_raise_type(L, arg, name, "boolean");
  return lua_toboolean(L, arg);
}

void satlua_check_list(lua_State *L, int arg, const char *name) {
  if (lua_type(L, arg) == LUA_TNUMBER)
    satlua_raise_argument(L, arg, "%s" FLAT_TABLE, push_type_fault(L, arg, name, "table"));
  satlua_check_table(L, arg, name);
}

void satlua_check_table(lua_State *L, int arg, const char *name) {
  if (!lua_istable(L, arg)) satlua_raise_type(L, arg, name, "table");
}

sat_Shape *satlua_to_shape(lua_State *L, int index) {
  return satlua_to_block(L, index, SATLUA_UP_METATABLE);
}

sat_Shape *satlua_check_shape(lua_State *L, int arg, const char *name) {
  sat_Shape *shape = satlua_to_shape(L, arg);
  if (!shape) {
    bool self = arg == 1 && lua_toboolean(L, lua_upvalueindex(SATLUA_UP_METHOD));
    if (self) satlua_raise_self(L, "shape");
    satlua_raise_type(L, arg, name, "shape");
  }
  return shape;
}

sat_Shape *satlua_check_self(lua_State *L) { return satlua_check_shape(L, 1, "shape"); }

double satlua_check_limit(lua_State *L, int arg) {
  if (lua_isnoneornil(L, arg)) return INFINITY;
  if (lua_type(L, arg) == LUA_TNUMBER && lua_tonumber(L, arg) == INFINITY) return INFINITY;
  double limit = satlua_check_number(L, arg, "limit");
  if (limit < 0) satlua_raise_argument(L, arg, "limit must not be negative");
  return limit;
}

/* The most calls that wait for functions at a time. Each takes some of the C stack, and LuaJIT does
 * not see its end; the other Luas allow 200 calls from C, and a move in a coroutine takes two. */
#define MOST_WAITING 64

void satlua_check_waiting(lua_State *L, const satlua_StateContext *context) {
  if (context->waiting >= MOST_WAITING)
    luaL_error(L, "calls are nested too deeply: %d of them wait for functions", MOST_WAITING);
}

/* ---------------------------------------------------------------- lists to be filled */

void satlua_check_out(lua_State *L, int arg, int last, int room) {
  lua_settop(L, last);
  if (lua_isnil(L, arg)) {
    lua_createtable(L, room, 0);
    lua_replace(L, arg);
  }
  satlua_check_table(L, arg, "out");
}

sat_Shape *satlua_check_changing_self(lua_State *L) {
  sat_Shape *shape = satlua_check_self(L);
  if (sat_shape_is_locked(shape))
    luaL_error(L, "the shape cannot change until the function that its world asks has returned");
  return shape;
}

/* Whether the key on top of the stack belongs to an element of a list behind `length`. */
static bool is_key_behind(lua_State *L, double length) {
  double key = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
  return key > length && key < INFINITY && key == floor(key);
}

/* No table of as many keys as the list has elements has one behind them. */
bool satlua_has_behind(lua_State *L, int list, double length) {
  double keys = 0;
  for (lua_pushnil(L); lua_next(L, list); lua_pop(L, 1)) keys++;
  if (keys == length) return false;
  lua_pushnil(L);
  while (lua_next(L, list)) {
    lua_pop(L, 1);
    if (!is_key_behind(L, length)) continue;
    lua_pop(L, 1);
    return true;
  }
  return false;
}

/* A list without holes ends at its first nil. The length operator may give any of several lengths
 * of a list with holes, up to 2^62, so a loop over the table finds the elements behind a hole. */
void satlua_clear_behind(lua_State *L, int list, int length) {
  for (int i = length; i < INT_MAX; i++) {
    lua_rawgeti(L, list, i + 1);
    bool is_end = lua_isnil(L, -1);
    lua_pop(L, 1);
    if (is_end) break;
    lua_pushnil(L);
    lua_rawseti(L, list, i + 1);
  }
  if (lua_rawlen(L, list) == (size_t)length) return;
  lua_pushnil(L);
  while (lua_next(L, list)) {
    lua_pop(L, 1);
    if (!is_key_behind(L, length)) continue;
    lua_pushvalue(L, -1);
    lua_pushnil(L); /* takes no memory, since the element is there */
    lua_rawset(L, list);
  }
}

/* The alphabetically first name among the keys of a table, or NULL: the table's own order differs
 * from Lua to Lua. */
static const char *least_field(lua_State *L, int table) {
  const char *least = NULL;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    if (lua_type(L, -1) != LUA_TSTRING) continue;
    const char *field = lua_tostring(L, -1);
    if (!least || strcmp(field, least) < 0) least = field;
  }
  return least;
}

/* ---------------------------------------------------------------- lists of shapes */

void satlua_check_count(lua_State *L, int most, const char *parameters) {
  for (int arg = lua_gettop(L); arg > most; arg--) {
    if (lua_isnil(L, arg)) continue;
    const char *name = lua_tostring(L, lua_upvalueindex(SATLUA_UP_NAME));
    satlua_raise_argument(L, most + 1, "one too many for sat.%s(%s)", name, parameters);
  }
}

/* Shapes are read up to the first nil: the length operator may give any number for a table with
 * holes. */
static size_t copy_shapes(lua_State *L, int arg, size_t most) {
  size_t count = 0;
  lua_newtable(L);
  for (;; count++) {
    lua_rawgeti(L, arg, (int)count + 1);
    if (lua_isnil(L, -1)) break;
    const char *item =
        satlua_to_shape(L, -1) ? NULL : lua_pushfstring(L, "item %d", (int)count + 1);
    if (item) satlua_raise_argument(L, arg, "%s", push_type_fault(L, -2, item, "shape"));
    if (count == most) satlua_raise_argument(L, arg, "more than %d shapes", (int)most);
    lua_rawseti(L, -2, (int)count + 1);
  }
  lua_pop(L, 1);
  if (satlua_has_behind(L, arg, (double)count))
    satlua_raise_argument(L, arg, "item %d must be a shape, not nil", (int)count + 1);
  const char *field = count == 0 ? least_field(L, arg) : NULL;
  if (field) /* a game's entity that has a shape is no empty list */
    satlua_raise_argument(
        L, arg, "a list of shapes has a shape at 1, and this table has the field '%s'", field);
  return count;
}

satlua_Shapes satlua_check_shapes(lua_State *L, int arg, size_t most) {
  int last = lua_gettop(L);
  if (last == arg && lua_istable(L, arg))
    return (satlua_Shapes){copy_shapes(L, arg, most), arg + 1, true};
  for (int i = arg; i <= last; i++) satlua_check_shape(L, i, "shape");
  return (satlua_Shapes){(size_t)(last - arg + 1), arg, false};
}

sat_Shape *satlua_push_shape(lua_State *L, const satlua_Shapes *shapes, size_t i) {
  if (shapes->listed) lua_rawgeti(L, shapes->at, (int)i + 1);
  else lua_pushvalue(L, shapes->at + (int)i);
  return lua_touserdata(L, -1);
}

/* ---------------------------------------------------------------- points */

static inline void push_coordinate(lua_State *L, const satlua_Points *points, size_t coordinate) {
  if (points->table) lua_rawgeti(L, points->table, (int)coordinate + 1);
  else lua_pushvalue(L, points->arg + (int)coordinate);
}

static const char *axis_of(size_t coordinate) { return coordinate % 2 ? "y" : "x"; }

/* Pushes the message for a 0-based coordinate: "vertex 2: y is missing". */
static const char *push_reason(lua_State *L, const satlua_Points *points, size_t coordinate,
                               const char *reason) {
  int vertex = (int)(coordinate / 2) + 1;
  if (points->ring == 0) return lua_pushfstring(L, "vertex %d: %s", vertex, reason);
  return lua_pushfstring(L, "ring %d, vertex %d: %s", points->ring, vertex, reason);
}

static const char *push_missing(lua_State *L, const satlua_Points *points, size_t coordinate) {
  return push_reason(L, points, coordinate, coordinate % 2 ? "y is missing" : "x is missing");
}

/* The argument that holds a 0-based coordinate. */
static int argument_of(const satlua_Points *points, size_t coordinate) {
  return points->table ? points->arg : points->arg + (int)coordinate;
}

/* Raises the error of the coordinate on top of the stack, which is no number. */
static int raise_no_number(lua_State *L, const satlua_Points *points, size_t coordinate) {
  bool is_nested = points->table && points->table != points->arg;
  const char *advice = lua_istable(L, -1) && !is_nested ? FLAT_TABLE : "";
  const char *reason = push_type_fault(L, lua_gettop(L), axis_of(coordinate), "number");
  return satlua_raise_argument(L, argument_of(points, coordinate), "%s%s",
                               push_reason(L, points, coordinate, reason), advice);
}

void satlua_read_points(lua_State *L, satlua_Points *points, size_t most) {
  double *to = (double *)points->at;
  int table = points->table, arg = points->arg;
  size_t length = 0, bad = 0, end = table ? 2 * most : (size_t)(points->last + 1 - arg);
  for (; table || length < end; length++, lua_pop(L, 1)) {
    push_coordinate(L, points, length);
    int type = lua_type(L, -1);
    if (type == LUA_TNIL && table) break;
    if (length == end) satlua_raise_argument(L, arg, "more than %d vertices", MOST_POINTS);
    if (type != LUA_TNUMBER) raise_no_number(L, points, length);
    if (!to) continue;
    to[length] = lua_tonumber(L, -1);
    if (fabs(to[length]) < SAT_TINY) to[length] = 0; /* traces of what was computed */
    if (!(fabs(to[length]) <= SAT_LIMIT) && bad == 0) bad = length + 1;
  }
  if (table) lua_pop(L, 1);
  if (table && to && satlua_has_behind(L, table, (double)length))
    satlua_raise_argument(L, arg, "%s", push_missing(L, points, length));
  points->given = points->count = (length + 1) / 2;
  points->bad = bad;
  points->is_odd = length % 2 != 0;
}

/* Refuses { x = 1, y = 2 }, a table without a list of coordinates, and several tables. */
static void check_one_flat_table(lua_State *L, const satlua_Points *points, size_t length) {
  satlua_check_dot(L);
  if (lua_istable(L, points->arg + 1))
    satlua_raise_argument(L, points->arg + 1, "the vertices are in several tables" FLAT_TABLE);
  if (length > 0) return;
  const char *field = least_field(L, points->arg);
  if (field)
    satlua_raise_argument(L, points->arg, "the table has the field '%s' and no vertices" FLAT_TABLE,
                          field);
}

/* Many points are counted first: the length operator may give any number for a table with holes,
 * and memory must be in proportion to the elements of the table. */
satlua_Points satlua_check_coordinates(lua_State *L, int arg, sat_Vec2 few[SATLUA_FEW_POINTS]) {
  satlua_Points points = {.at = few, .arg = arg, .last = lua_gettop(L)};
  if (lua_istable(L, arg)) points.table = arg;
  size_t most = SATLUA_FEW_POINTS, count = (size_t)points.last + 1;
  size_t length = points.table ? (size_t)lua_rawlen(L, arg) : count - (size_t)arg;
  if (points.table) check_one_flat_table(L, &points, length);
  if (length > 2 * most) {
    points.at = NULL;
    satlua_read_points(L, &points, MOST_POINTS);
    most = points.count;
    points.at = satlua_push_array(L, most, sizeof *points.at);
  }
  satlua_read_points(L, &points, most);
  return points;
}

satlua_Points satlua_check_points(lua_State *L, int arg, sat_Vec2 few[SATLUA_FEW_POINTS]) {
  satlua_Points points = satlua_check_coordinates(L, arg, few);
  if (points.is_odd || points.bad) satlua_raise_points(L, &points, SAT_EFEW, (sat_RingError){0, 0});
  return points;
}

/* ---------------------------------------------------------------- points that the core refuses */

int satlua_points_blame(lua_State *L, const satlua_Points *points, sat_Status status,
                        sat_RingError error) {
  int bad = (int)points->bad;
  if (points->is_odd) {
    bad = 2 * (int)points->given;
    push_missing(L, points, (size_t)bad - 1);
  } else if (bad > 0) {
    push_coordinate(L, points, points->bad - 1);
    const char *reason = satlua_push_number_fault(L, lua_gettop(L), axis_of(points->bad - 1));
    push_reason(L, points, points->bad - 1, reason);
  } else if (status == SAT_ECROSS) {
    int first = (int)error.first + 1, second = (int)error.second + 1, last = (int)points->given;
    lua_pushfstring(L, "the edge from vertex %d to %d crosses or runs along the one from %d to %d",
                    first, first % last + 1, second, second % last + 1);
    bad = 2 * first - 1;
  } else {
    lua_pushstring(L, sat_status_text(status));
  }
  return bad;
}

int satlua_raise_points(lua_State *L, const satlua_Points *points, sat_Status status,
                        sat_RingError error) {
  if (status == SAT_ENOMEM) return satlua_raise_status(L, points->arg, status);
  int coordinate = satlua_points_blame(L, points, status, error);
  int arg = coordinate ? argument_of(points, (size_t)coordinate - 1) : points->arg;
  return satlua_raise_argument(L, arg, "%s", lua_tostring(L, -1));
}
