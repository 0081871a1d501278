/* outline.c: outlines of functions, tables and pictures, simpler rings, polygons with holes, and
 * unions, intersections and differences of polygons.
 *
 * A source may call anything, and so may a finalizer that an allocation runs. So all values are
 * read into a userdata first, and so are all vertices of a script's tables; a table that has
 * changed between two readings is an error. */
#include "base/base.h"
#include "lua/shape/shape_methods.h"

#include <math.h>
#include <string.h>

#define MOST_CELLS_ASIDE 16384
#define MOST_IDLE_VALUES 262144 /* of the largest memory that is kept for the next grid */
#define VALUES_ON_STACK 8       /* beside the arguments, within what Lua promises */
#define MOST_RING_POINTS 10000000
#define MOST_RINGS 2500000 /* a table may be in a list many times, and have nothing in it */

/* ---------------------------------------------------------------- rings in tables */

/* The rings of the table that is an argument: of one ring, of rings, or of polygons, which are
 * tables of rings. A first reading counts, a second one writes. */
typedef struct RingList {
  sat_Vec2 *points;
  uint32_t *first;
  size_t rings, count, most_rings, most;
  int arg;
  int depth; /* of the tables of rings */
} RingList;

static bool has_first_table(lua_State *L, int table) {
  lua_rawgeti(L, table, 1);
  bool is_table = lua_istable(L, -1);
  lua_pop(L, 1);
  return is_table;
}

bool satlua_has_rings(lua_State *L) { return lua_istable(L, 1) && has_first_table(L, 1); }

/* Reads the ring on top of the stack. */
static void read_ring(lua_State *L, RingList *list) {
  satlua_Points ring = {.arg = list->arg, .table = lua_gettop(L)};
  if (list->rings >= MOST_RINGS)
    satlua_raise_argument(L, list->arg, "more than %d rings", MOST_RINGS);
  if (list->depth > 0) ring.ring = (int)list->rings + 1;
  if (list->points) ring.at = list->points + list->count;
  satlua_read_points(L, &ring, list->most - list->count);
  if (ring.is_odd || ring.bad) satlua_raise_points(L, &ring, SAT_EFEW, (sat_RingError){0, 0});
  if (list->points && list->rings < list->most_rings)
    list->first[list->rings] = (uint32_t)list->count;
  list->rings++;
  list->count += ring.count;
}

/* Reads the table on top of the stack, with tables of rings at most `depth` deep. */
static void read_rings(lua_State *L, RingList *list, int depth) {
  int table = lua_gettop(L);
  bool is_ring = depth == 0 || !has_first_table(L, table);
  if (is_ring && (list->depth > 0 || satlua_has_behind(L, table, 0))) {
    read_ring(L, list);
    return;
  }
  list->depth++;
  for (int i = 1;; i++) {
    lua_rawgeti(L, table, i);
    if (lua_isnil(L, -1) && !satlua_has_behind(L, table, i - 1)) break;
    if (!lua_istable(L, table + 1))
      satlua_raise_argument(L, list->arg, "ring %d must be a table, not a %s", (int)list->rings + 1,
                            luaL_typename(L, table + 1));
    read_rings(L, list, depth - 1);
    lua_settop(L, table);
  }
  lua_settop(L, table);
}

/* Makes room for a list in a userdata that is pushed, and for two numbers more for each ring. */
static void push_ring_block(lua_State *L, RingList *list) {
  list->points = satlua_push_array(L, list->most + list->most_rings + 1, sizeof(sat_Vec2));
  list->first = (uint32_t *)(list->points + list->most);
  list->first[list->most_rings] = (uint32_t)list->most;
}

/* Reads an argument, with tables of rings at most `depth` deep, into a userdata that is pushed. */
static RingList check_rings(lua_State *L, int arg, int depth) {
  RingList list = {.most = MOST_RING_POINTS, .arg = arg};
  lua_pushvalue(L, arg);
  read_rings(L, &list, depth);
  list.most = list.count;
  list.most_rings = list.rings;
  push_ring_block(L, &list);
  lua_insert(L, -2);
  list.rings = list.count = 0;
  list.depth = 0;
  read_rings(L, &list, depth);
  lua_pop(L, 1);
  if (list.rings != list.most_rings || list.count != list.most)
    luaL_error(L, "the rings have changed while they were read");
  return list;
}

/* ---------------------------------------------------------------- polygons with holes */

/* The place of a vertex, from 1 on. */
typedef struct VertexPlace {
  int ring, vertex, next;
} VertexPlace;

static VertexPlace place_of_vertex(const RingList *list, size_t vertex) {
  size_t ring = 0;
  while (list->first[ring + 1] <= vertex && list->first[ring + 1] > list->first[ring]) ring++;
  size_t at = vertex - list->first[ring], count = list->first[ring + 1] - list->first[ring];
  return (VertexPlace){(int)ring + 1, (int)at + 1, (int)(at + 1 < count ? at + 2 : 1)};
}

static int raise_rings(lua_State *L, const RingList *list, sat_Status status, sat_RingError error) {
  if (status == SAT_ENOMEM || status == SAT_ERANGE) return satlua_raise_status(L, 1, status);
  VertexPlace a = place_of_vertex(list, error.first), b = place_of_vertex(list, error.second);
  if (status == SAT_ECROSS)
    return satlua_raise_argument(L, 1,
                                 "ring %d: the edge from vertex %d to %d crosses or runs along "
                                 "the one from %d to %d of ring %d",
                                 a.ring, a.vertex, a.next, b.vertex, b.next, b.ring);
  const char *advice = status == SAT_EFEW ? ": each ring is one flat table {x1, y1, ...}" : "";
  return satlua_raise_argument(L, 1, "ring %d: %s%s", a.ring, sat_status_text(status), advice);
}

satlua_Points satlua_check_ring_with_holes(lua_State *L) {
  satlua_check_dot(L);
  satlua_check_count(L, 1, "{ring, hole, ...}");
  lua_settop(L, 1);
  RingList list = check_rings(L, 1, 1);
  satlua_Points points = {.at = NULL};
  points.at = satlua_push_array(L, list.count + 2 * list.rings, sizeof(sat_Vec2));
  sat_RingError error;
  sat_Status status = sat_ring_join(list.points, list.first, list.rings, points.at, &points.count,
                                    satlua_get_scratch(L), &error);
  if (status != SAT_OK) raise_rings(L, &list, status, error);
  return points;
}

/* ---------------------------------------------------------------- simpler rings */

/* Pushes a ring of the list, without vertices if there is none of that number. */
static void push_ring(lua_State *L, const RingList *list, size_t k) {
  uint32_t first = k < list->most_rings ? list->first[k] : 0;
  int count = k < list->most_rings ? (int)(list->first[k + 1] - first) : 0;
  lua_createtable(L, 2 * count, 0);
  int table = lua_gettop(L);
  for (int i = 0; i < count; i++) satlua_set_vec2(L, table, i, list->points[first + (uint32_t)i]);
}

/* Pushes the next rings of the list in tables like that on top of the stack. */
static void push_rings(lua_State *L, RingList *list, int depth) {
  int table = lua_gettop(L);
  if (depth == 0 || !has_first_table(L, table)) {
    push_ring(L, list, list->rings++);
    return;
  }
  lua_newtable(L);
  for (int i = 1;; i++) {
    lua_rawgeti(L, table, i);
    if (!lua_istable(L, -1)) break;
    push_rings(L, list, depth - 1);
    lua_rawseti(L, table + 1, i);
    lua_settop(L, table + 1);
  }
  lua_settop(L, table + 1);
}

static int module_simplify(lua_State *L) {
  satlua_check_list(L, 1, "rings");
  double tolerance = satlua_check_number(L, 2, "tolerance");
  if (tolerance < 0) return satlua_raise_argument(L, 2, "tolerance must not be negative");
  bool open = !lua_isnoneornil(L, 3) && satlua_check_boolean(L, 3, "open");
  satlua_check_count(L, 3, "rings, tolerance, open");
  lua_settop(L, 1);
  RingList list = check_rings(L, 1, 2);
  sat_RingError error;
  sat_Status status = sat_simplify(list.points, list.first, list.rings, tolerance, open,
                                   satlua_get_scratch(L), &error);
  if (status == SAT_EFEW)
    return satlua_raise_argument(L, 1, "ring %d has fewer than %s vertices",
                                 place_of_vertex(&list, error.first).ring, open ? "two" : "three");
  if (status != SAT_OK) return satlua_raise_status(L, 1, status);
  list.rings = 0;
  lua_pushvalue(L, 1);
  push_rings(L, &list, 2);
  return 1;
}

/* ---------------------------------------------------------------- sources of values */

/* A grid that is read from the source at argument 1. */
typedef struct Source {
  double threshold, empty; /* the value of nil and false */
  int columns, rows;
  bool is_picture, has_number, has_true;
} Source;

static int raise_value(lua_State *L, const char *reason, int column, int row) {
  return satlua_raise_argument(L, 1, "column %d, row %d: %s", column, row, reason);
}

/* The number of the value on top of the stack, of that type. */
static double check_value(lua_State *L, Source *source, int type, int column, int row) {
  double value = source->empty;
  if (type == LUA_TNUMBER) {
    value = lua_tonumber(L, -1);
    source->has_number = true;
    if (!(fabs(value) <= SAT_LIMIT))
      raise_value(L, satlua_push_number_fault(L, lua_gettop(L), "the value"), column, row);
  } else if (type > LUA_TBOOLEAN) {
    const char *wanted = "the value must be a number or a boolean, not a ";
    raise_value(L, lua_pushfstring(L, "%s%s", wanted, lua_typename(L, type)), column, row);
  } else if (lua_toboolean(L, -1)) {
    value = 1;
    source->has_true = true;
  }
  if (source->has_number && source->has_true)
    raise_value(L, "some values are numbers, and some are true", column, row);
  return value;
}

/* Pushes a value: what the function returns, or the alpha that getPixel gives, counting from 0.
 * Returns its type. */
static int push_value(lua_State *L, const Source *source, int column, int row) {
  if (source->is_picture) lua_getfield(L, 1, "getPixel");
  lua_pushvalue(L, 1);
  lua_pushinteger(L, column - source->is_picture);
  lua_pushinteger(L, row - source->is_picture);
  lua_call(L, 2 + source->is_picture, source->is_picture ? 4 : 1);
  if (source->is_picture) {
    lua_replace(L, -4);
    lua_pop(L, 2);
  }
  return lua_type(L, -1);
}

/* Values stay on the stack as long as there is room, since each call of Lua takes time. */
static void read_source(lua_State *L, Source *source, double *value) {
  bool is_list = !source->is_picture && lua_istable(L, 1);
  int top = lua_gettop(L);
  for (int row = 1; row <= source->rows; row++) {
    for (int column = 1; column <= source->columns; column++) {
      int type = is_list ? push_element(L, 1, (row - 1) * source->columns + column)
                         : push_value(L, source, column, row);
      *value++ = check_value(L, source, type, column, row);
      if (column % VALUES_ON_STACK == 0) lua_settop(L, top);
    }
    lua_settop(L, top);
  }
}

static bool has_method(lua_State *L, const char *name) {
  lua_getfield(L, 1, name);
  return lua_isfunction(L, -1);
}

/* Whether the source is LÖVE's ImageData, or answers as it does. */
static bool is_picture(lua_State *L) {
  if (lua_type(L, 1) != LUA_TUSERDATA && !lua_istable(L, 1)) return false;
  if (lua_isuserdata(L, 1) && !luaL_getmetafield(L, 1, "__index")) return false;
  if (satlua_push_type(L, 1)) return false;
  return has_method(L, "getDimensions");
}

/* Reads the arguments but the values, of which only the source remains. A picture has its own w and
 * h, so that the threshold may be its second argument. */
static void check_source(lua_State *L, Source *source) {
  int top = lua_gettop(L);
  source->is_picture = is_picture(L);
  lua_settop(L, top);
  if (!source->is_picture && !lua_isfunction(L, 1) && !lua_istable(L, 1))
    satlua_raise_type(L, 1, "source", "function, a table or an image");
  int last = source->is_picture && lua_isnoneornil(L, 3) && !lua_isnoneornil(L, 2) ? 2 : 4;
  source->threshold = satlua_check_optional(L, last, "threshold", 0.5);
  source->empty = source->threshold > 0 ? 0 : source->threshold - 1; /* as outside of the grid */
  satlua_check_count(L, last, source->is_picture ? "image, threshold" : "source, w, h, threshold");
  if (source->is_picture) {
    lua_settop(L, 1);
    lua_getfield(L, 1, "getDimensions");
    lua_pushvalue(L, 1);
    lua_call(L, 1, 2);
  }
  source->columns = (int)satlua_check_whole(L, 2, "w", 1, MOST_CELLS_ASIDE);
  source->rows = (int)satlua_check_whole(L, 3, "h", 1, MOST_CELLS_ASIDE);
  if (source->is_picture && !has_method(L, "getPixel"))
    satlua_raise_argument(L, 1, "the image has no method getPixel");
  lua_settop(L, 1);
}

/* ---------------------------------------------------------------- outlines */

/* The source of rings: a grid, or two regions. */
typedef struct RingQuestion {
  const sat_Grid *grid;
  bool smooth;
  sat_BooleanOperation operation;
  const sat_Region *regions;
} RingQuestion;

static void find_rings(lua_State *L, const RingQuestion *asked, sat_Outline *outline) {
  sat_Scratch *scratch = satlua_get_scratch(L);
  const sat_Region *regions = asked->regions;
  sat_Status status =
      asked->grid ? sat_outline(asked->grid, asked->smooth, scratch, outline)
                  : sat_boolean(asked->operation, &regions[0], &regions[1], scratch, outline);
  if (status != SAT_OK) satlua_raise_status(L, 1, status);
}

/* Pushes the list of the polygons, and their number. Rings are found in scratch memory, and copied
 * into a userdata with a number more for each ring, which is that of the polygon of an outer ring.
 * If a finalizer that the allocation runs has used the scratch memory, they are found again. */
static int push_polygons(lua_State *L, const RingQuestion *asked) {
  sat_Outline outline;
  find_rings(L, asked, &outline);
  size_t uses = satlua_get_scratch(L)->uses, rings = outline.count;
  RingList found = {.most = outline.first[rings], .most_rings = rings};
  push_ring_block(L, &found);
  if (satlua_get_scratch(L)->uses != uses) find_rings(L, asked, &outline);
  uint32_t *around = found.first + rings + 1, *place = around + rings;
  memcpy(found.points, outline.points, found.most * sizeof *found.points);
  memcpy(found.first, outline.first, (rings + 1) * sizeof *found.first);
  memcpy(around, outline.around, rings * sizeof *around);
  lua_newtable(L);
  int list = lua_gettop(L), polygons = 0;
  for (uint32_t k = 0; k < rings; k++) {
    if (around[k] == k) {
      place[k] = (uint32_t)++polygons;
      lua_newtable(L);
      lua_rawseti(L, list, polygons);
    }
    lua_rawgeti(L, list, (int)place[around[k]]);
    push_ring(L, &found, k);
    lua_rawseti(L, list + 1, (int)lua_rawlen(L, list + 1) + 1);
    lua_pop(L, 1);
  }
  lua_pushinteger(L, polygons);
  return 2;
}

/* Puts at index 2 memory for so many values: what is idle or, so that finalizers may run, new. It
 * is cleared when it is new: a script may see it, which finds satlua_take_values in a trace. */
static double *push_values(lua_State *L, size_t count) {
  lua_settop(L, 1);
  lua_rawgeti(L, lua_upvalueindex(SATLUA_UP_METATABLE), SATLUA_IDLE_VALUES);
  if (lua_rawlen(L, 2) / sizeof(double) >= count) {
    lua_pushboolean(L, 0);
    lua_rawseti(L, lua_upvalueindex(SATLUA_UP_METATABLE), SATLUA_IDLE_VALUES);
    return lua_touserdata(L, 2);
  }
  lua_settop(L, 1);
  return memset(satlua_push_array(L, count, sizeof(double)), 0, count * sizeof(double));
}

/* Pushes the outline of the values in the memory at index 2, which is idle from then on. */
static int outline_values(lua_State *L, const Source *source) {
  size_t columns = (size_t)source->columns, rows = (size_t)source->rows;
  double threshold = source->has_number ? source->threshold : 1;
  sat_Grid grid = {lua_touserdata(L, 2), columns, rows, threshold};
  RingQuestion asked = {.grid = &grid, .smooth = source->has_number};
  push_polygons(L, &asked);
  if (columns * rows > MOST_IDLE_VALUES) return 2;
  lua_pushvalue(L, 2);
  lua_rawseti(L, lua_upvalueindex(SATLUA_UP_METATABLE), SATLUA_IDLE_VALUES);
  return 2;
}

static int module_outline(lua_State *L) {
  Source source = {.has_number = false};
  check_source(L, &source);
  read_source(L, &source, push_values(L, (size_t)source.columns * (size_t)source.rows));
  return outline_values(L, &source);
}

/* takeValues(count) -> memory for so many values. */
int satlua_take_values(lua_State *L) {
  push_values(L, (size_t)satlua_check_whole(L, 1, "count", 1, MOST_CELLS_ASIDE * MOST_CELLS_ASIDE));
  return 1;
}

/* outlineTaken(threshold, memory, w, h, hasNumber) -> the outline of the values that were written
 * there, as sat.outline gives it, or nothing if a number is out of range. No userdata that a script
 * has is without a metatable, but for empty ones. */
int satlua_outline_taken(lua_State *L) {
  Source source = {.threshold = lua_tonumber(L, 1),
                   .columns = (int)satlua_check_whole(L, 3, "w", 1, MOST_CELLS_ASIDE),
                   .rows = (int)satlua_check_whole(L, 4, "h", 1, MOST_CELLS_ASIDE),
                   .has_number = lua_toboolean(L, 5)};
  const double *values = lua_touserdata(L, 2);
  size_t count = (size_t)source.columns * (size_t)source.rows;
  if (!values || lua_getmetatable(L, 2) || lua_rawlen(L, 2) / sizeof *values < count) return 0;
  bool is_valid = fabs(source.threshold) <= SAT_LIMIT;
  for (size_t i = 0; i < count && is_valid; i++) is_valid = fabs(values[i]) <= SAT_LIMIT;
  return is_valid ? outline_values(L, &source) : 0;
}

/* ---------------------------------------------------------------- booleans */

/* Reads a shape that consists of polygons into a userdata that is pushed: the ring of a polygon, or
 * the pieces of a compound. An allocation may run a finalizer that changes all but their number. */
static RingList check_polygons(lua_State *L, int arg, const char *name, const sat_Shape *shape) {
  sat_Kind kind = sat_shape_kind(shape);
  bool is_one = kind == SAT_POLYGON;
  RingList list = {.most_rings = sat_shape_piece_count(shape)};
  if (is_one) list.most_rings = 1;
  for (size_t k = 0; k < list.most_rings; k++)
    list.most += is_one ? sat_shape_vertex_count(shape) : sat_shape_piece_size(shape, k);
  push_ring_block(L, &list);
  for (size_t k = 0; k < list.most_rings; k++) {
    size_t size = is_one ? list.most : sat_shape_piece_size(shape, k);
    if (sat_shape_piece_radius(shape, k) > 0)
      satlua_raise_argument(L, arg, "%s has a radius: its outline is no polygon", name);
    if (size < 3)
      satlua_raise_argument(L, arg, "%s must be made of polygons: this %s has parts without area",
                            name, sat_kind_name(kind));
    list.first[k] = (uint32_t)list.count;
    for (size_t i = 0; i < size; i++)
      list.points[list.count++] =
          is_one ? sat_shape_vertex(shape, i) : sat_shape_piece_vertex(shape, k, i);
  }
  return list;
}

static bool check_even_odd(lua_State *L, int arg) {
  if (lua_isnoneornil(L, arg)) return false;
  const char *rule = lua_type(L, arg) == LUA_TSTRING ? lua_tostring(L, arg) : "";
  bool even_odd = strcmp(rule, "evenodd") == 0;
  if (!even_odd && strcmp(rule, "nonzero") != 0)
    satlua_raise_argument(L, arg, "rule must be \"nonzero\" or \"evenodd\"");
  return even_odd;
}

/* The boolean operations, and last the repair of one region, which is its union with nothing. */
static int combine_regions(lua_State *L) {
  int operation = satlua_which(L), count = operation > SAT_EXCLUSION ? 1 : 2;
  const char *const names[] = {count == 1 ? "rings" : "a", "b"};
  satlua_check_dot(L);
  for (int i = 1; i <= count; i++)
    if (!satlua_to_shape(L, i) && !lua_istable(L, i))
      satlua_raise_type(L, i, names[i - 1], "shape or a table of rings");
  satlua_check_count(L, count + 1, count == 1 ? "rings, rule" : "a, b, rule");
  bool even_odd = check_even_odd(L, count + 1);
  lua_settop(L, count);
  sat_Region regions[2] = {{.rings = 0}, {.rings = 0}};
  for (int i = 1; i <= count; i++) {
    const sat_Shape *shape = satlua_to_shape(L, i);
    RingList list = shape ? check_polygons(L, i, names[i - 1], shape) : check_rings(L, i, 2);
    regions[i - 1] = (sat_Region){list.points, list.first, list.most_rings, even_odd && !shape};
  }
  if (count == 1) operation = SAT_UNION;
  RingQuestion asked = {.operation = (sat_BooleanOperation)operation, .regions = regions};
  return push_polygons(L, &asked);
}

const luaL_Reg satlua_outline_functions[] = {
    {"outline", module_outline},     {"simplify", module_simplify},
    {"union", combine_regions},      {"intersection", combine_regions},
    {"difference", combine_regions}, {"exclusion", combine_regions},
    {"repair", combine_regions},     {NULL, NULL},
};
