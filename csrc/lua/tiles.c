/* tiles.c: what lua/sat/tiles.lua leaves to C: the rectangles of a map's full tiles, and the tiles
 * that a shape contains.
 *
 * A chunk of a map is a list of masks, row by row. Bit k of a mask is set where tile k of the row
 * is full; rows wider than a mask have several. An allocation may run a finalizer, which may change
 * the world and the map, but no chunk of it. */
#include "base/vec2.h"
#include "lua/shape/shape_methods.h"
#include "lua/world/world_state.h"

#define MASK_BITS 48
#define MOST_COLUMNS 1000000 /* of a map, and its most rows */
#define MOST_TILES (4096 * 4096)
#define FEW_MASKS 64 /* which are on the C stack */

/* The tables that rectangles() reads, and behind its arguments some of their fields. */
enum { MAP = 2, CHUNK, OLD, LEAVING, FRESH };
enum { KEYS = FRESH + 1, SHAPES, OLD_KEYS, OLD_SHAPES };

static uint64_t mask_at(lua_State *L, int chunk, int place) {
  lua_rawgeti(L, chunk, place);
  double mask = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return mask > 0 && mask < (double)(UINT64_C(1) << MASK_BITS) ? (uint64_t)mask : 0;
}

/* differing(chunk, other, count) -> how many bits differ in so many masks. */
int satlua_count_differing(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checktype(L, 2, LUA_TTABLE);
  int count = 0;
  for (int i = (int)satlua_check_whole(L, 3, "count", 0, MOST_TILES); i > 0; i--)
    for (uint64_t rest = mask_at(L, 1, i) ^ mask_at(L, 2, i); rest; rest &= rest - 1) count++;
  lua_pushinteger(L, count);
  return 1;
}

/* ---------------------------------------------------------------- rectangles */

/* A chunk whose pieces are made, and how many elements its lists have. */
typedef struct Pieces {
  sat_Vec2 start;         /* of the map */
  double size, left, top; /* of a tile, and the columns and rows of the map before the chunk */
  int width, height, words;
  int count, passed, leaving, fresh; /* passed: of the old chunk's pieces */
  const uint64_t *masks;
} Pieces;

/* The first column from one on whose tile is full, or is not; or the width. */
static int find_column(const Pieces *pieces, int row, int column, bool is_full) {
  const uint64_t *masks = pieces->masks + (size_t)row * (size_t)pieces->words;
  while (column < pieces->width) {
    int word = column / MASK_BITS;
    uint64_t found = (is_full ? masks[word] : ~masks[word]) | UINT64_C(1) << MASK_BITS;
    column += __builtin_ctzll(found >> column % MASK_BITS);
    if (column < (word + 1) * MASK_BITS) break;
  }
  return column < pieces->width ? column : pieces->width;
}

static bool has_run(const Pieces *pieces, int row, int left, int right) {
  return find_column(pieces, row, left > 0 ? left - 1 : 0, true) == left &&
         find_column(pieces, row, left, false) == right;
}

/* Moves the old pieces up to a key to those that leave. The shape of that key is pushed instead, if
 * the world has it. */
static bool pass_pieces(lua_State *L, Pieces *pieces, double key) {
  for (;;) {
    bool exists = push_element(L, OLD_KEYS, pieces->passed + 1) == LUA_TNUMBER;
    double old = exists ? lua_tonumber(L, -1) : HUGE_VAL;
    lua_pop(L, 1);
    if (!(old <= key)) return false;
    lua_rawgeti(L, OLD_SHAPES, ++pieces->passed);
    const sat_Shape *shape = old == key ? satlua_to_shape(L, lua_gettop(L)) : NULL;
    if (shape && sat_world_has(satlua_world_check(L)->core, shape)) return true;
    lua_rawseti(L, LEAVING, ++pieces->leaving);
  }
}

/* Pushes the static rectangle between two corners, as sat.polygon makes it of its vertices, with
 * the map as its data. Returns false where sat.polygon refuses the vertices; then the value pushed
 * is of no use. */
static bool push_tile(lua_State *L, const sat_Vec2 ends[2]) {
  sat_Vec2 min = ends[0], max = ends[1];
  const sat_Vec2 corners[4] = {min, {max.x, min.y}, max, {min.x, max.y}};
  sat_Shape *shape = lua_newuserdata(L, sat_shape_bytes(4));
  if (!(min.x < max.x && min.y < max.y) || sat_shape_init(shape, corners, 4, 0)) return false;
  sat_shape_set_static(shape, true);
  satlua_shape_seal(L, SAT_OK);
  lua_createtable(L, 1, 0); /* no finalizer can reach the shape */
  lua_pushvalue(L, MAP);
  lua_rawseti(L, -2, 1);
  lua_setuservalue(L, -2);
  return true;
}

/* Appends a rectangle's shape, that of the old chunk or a new one, and its key. False: there can be
 * none. */
static bool add_rectangle(lua_State *L, Pieces *pieces, const int ends[4]) {
  double tiles = (double)pieces->width * pieces->height + 1;
  double key = ((double)ends[1] * pieces->width + ends[0] + 1) * tiles +
               (double)(ends[3] - 1) * pieces->width + ends[2];
  if (!pass_pieces(L, pieces, key)) {
    sat_Vec2 from = vec2(pieces->left + ends[0], pieces->top + ends[1]);
    sat_Vec2 to = vec2(pieces->left + ends[2], pieces->top + ends[3]);
    const sat_Vec2 corners[2] = {add(pieces->start, mul(from, pieces->size)),
                                 add(pieces->start, mul(to, pieces->size))};
    if (!push_tile(L, corners)) return false;
    lua_pushvalue(L, -1);
    lua_rawseti(L, FRESH, ++pieces->fresh);
  }
  lua_rawseti(L, SHAPES, ++pieces->count);
  lua_pushnumber(L, key);
  lua_rawseti(L, KEYS, pieces->count);
  return true;
}

static double check_field(lua_State *L, const char *name, double low, double high) {
  lua_getfield(L, MAP, name);
  double value = lua_tonumber(L, -1);
  luaL_argcheck(L, value >= low && value <= high, MAP, name);
  lua_pop(L, 1);
  return value;
}

/* rectangles(world, map, chunk, old, leaving, fresh, left, top) -> ...: in one pass, a run of full
 * tiles in a row goes on with the rectangle above it that has its ends, or begins another one. So
 * floors are long, and a changed tile changes few rectangles. Returns how many pieces of the old
 * chunk have been taken over or leave; or the ends of a rectangle that can have no shape. */
int satlua_make_rectangles(lua_State *L) {
  for (int i = MAP; i <= FRESH; i++) luaL_checktype(L, i, LUA_TTABLE);
  Pieces pieces = {.left = satlua_check_number(L, FRESH + 1, "left"),
                   .top = satlua_check_number(L, FRESH + 2, "top"),
                   .leaving = (int)lua_rawlen(L, LEAVING),
                   .fresh = (int)lua_rawlen(L, FRESH)};
  lua_settop(L, FRESH);
  pieces.start.x = check_field(L, "x", -SAT_LIMIT, SAT_LIMIT);
  pieces.start.y = check_field(L, "y", -SAT_LIMIT, SAT_LIMIT);
  pieces.size = check_field(L, "size", 0, SAT_LIMIT);
  pieces.width = (int)check_field(L, "width", 1, MOST_COLUMNS);
  pieces.height = (int)check_field(L, "height", 1, MOST_COLUMNS);
  pieces.words = (pieces.width + MASK_BITS - 1) / MASK_BITS;
  luaL_argcheck(L, (double)pieces.width * pieces.height <= MOST_TILES, MAP, "too many tiles");
  for (int i = CHUNK; i <= OLD; i++) {
    lua_getfield(L, i, "keys");
    lua_getfield(L, i, "shapes");
  }
  for (int i = KEYS; i <= OLD_SHAPES; i++) luaL_checktype(L, i, LUA_TTABLE);
  luaL_argcheck(L, !lua_rawequal(L, OLD_KEYS, LEAVING), LEAVING, "the list that is read");
  uint64_t few[FEW_MASKS], *masks = few;
  int count = pieces.height * pieces.words;
  if (count > FEW_MASKS) masks = lua_newuserdata(L, (size_t)count * sizeof *masks);
  for (int i = 0; i < count; i++) masks[i] = mask_at(L, CHUNK, i + 1);
  pieces.masks = masks;
  for (int row = 0; row < pieces.height; row++) {
    int left, right = 0;
    while ((left = find_column(&pieces, row, right, true)) < pieces.width) {
      right = find_column(&pieces, row, left, false);
      if (row > 0 && has_run(&pieces, row - 1, left, right)) continue;
      int ends[4] = {left, row, right, row + 1};
      while (ends[3] < pieces.height && has_run(&pieces, ends[3], left, right)) ends[3]++;
      if (add_rectangle(L, &pieces, ends)) continue;
      for (int i = 0; i < 4; i++) lua_pushinteger(L, ends[i]);
      return 4;
    }
  }
  lua_pushinteger(L, pieces.passed);
  return 1;
}

/* ---------------------------------------------------------------- tiles in a shape */

/* The centres of a row of tiles. */
typedef struct TileRow {
  const sat_Shape *shape;
  sat_Scratch *scratch;
  double x, y, size;
} TileRow;

static bool contains_tile(const TileRow *row, int column) {
  sat_Vec2 center = vec2(row->x + (column - 0.5) * row->size, row->y);
  return sat_contains_point(row->shape, center, row->scratch) == SAT_OK;
}

/* spans(shape, x, y, size, first, last, row) -> a list of the first and last columns of the tiles
 * in a row, from `first` to `last`, whose centres the shape contains. The map begins at x, y. A row
 * is a call, so that a host can interrupt what a large shape takes. */
int satlua_spans(lua_State *L) {
  sat_Shape *shape = satlua_check_self(L);
  sat_Vec2 start = satlua_check_vec2(L, 2, "x", "y");
  double size = satlua_check_number(L, 4, "size");
  int ends[3], count = 0;
  for (int i = 0; i < 3; i++)
    ends[i] = (int)satlua_check_whole(L, 5 + i, "place", 0, INT32_MAX - 1);
  luaL_argcheck(L, ends[1] - ends[0] < MOST_TILES, 6, "too many tiles");
  TileRow row = {shape, satlua_get_scratch(L), start.x, start.y + (ends[2] - 0.5) * size, size};
  bool is_convex = sat_shape_is_convex(shape);
  lua_createtable(L, 2, 0);
  for (int from = ends[0], to; from <= ends[1]; from = is_convex ? ends[1] + 1 : to + 1) {
    while (from <= ends[1] && !contains_tile(&row, from)) from++;
    if (from > ends[1]) break;
    for (to = is_convex ? ends[1] : from; is_convex && !contains_tile(&row, to); to--) continue;
    while (!is_convex && to < ends[1] && contains_tile(&row, to + 1)) to++;
    lua_pushinteger(L, from);
    lua_rawseti(L, -2, ++count);
    lua_pushinteger(L, to);
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}
