/* shape_data.c: the value that setData keeps with a shape, and the copies that share it. */
#include "lua/push.h"
#include "lua/shape_methods.h"

/* A finalizer that the allocation runs may have made the table already. That table stays, since the
 * fast path for LuaJIT may have it. */
void satlua_push_uservalue_table(lua_State *L, int shape) {
  lua_getuservalue(L, shape);
  if (!lua_isnil(L, -1)) return;
  lua_pop(L, 1);
  lua_createtable(L, 1, 0);
  lua_getuservalue(L, shape);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_setuservalue(L, shape);
  } else {
    lua_remove(L, -2);
  }
}

static void set_data(lua_State *L, int shape, int value) {
  satlua_push_uservalue_table(L, shape);
  lua_pushvalue(L, value);
  lua_rawseti(L, -2, 1);
  lua_pop(L, 1);
}

static void push_data(lua_State *L, int shape) {
  lua_getuservalue(L, shape);
  if (lua_isnil(L, -1)) return;
  lua_rawgeti(L, -1, 1);
  lua_remove(L, -2);
}

static int shape_set_data(lua_State *L) {
  satlua_check_self(L);
  if (lua_isnone(L, 2)) return satlua_raise_argument(L, 2, "value is missing");
  set_data(L, 1, 2);
  return satlua_return_self(L);
}

static int shape_data(lua_State *L) {
  satlua_check_self(L);
  push_data(L, 1);
  return 1;
}

/* Gives the shape on top the data of the one at index 1. */
static void share_data(lua_State *L) {
  int copy = lua_gettop(L);
  push_data(L, 1);
  if (!lua_isnil(L, -1)) set_data(L, copy, copy + 1);
  lua_pop(L, 1);
}

/* Pushes a copy of the shape at index 1. */
static void push_clone(lua_State *L, const sat_Shape *shape) {
  sat_Shape *copy = lua_newuserdata(L, sat_shape_size(shape));
  sat_shape_copy(copy, shape);
  satlua_shape_seal(L);
  share_data(L);
}

static int shape_clone(lua_State *L) {
  push_clone(L, satlua_check_self(L));
  return 1;
}

/* Pushes a block for a copy of one convex piece. A segment that a transform has shrunk to a point
 * has one vertex, and a finalizer may turn the shape so that the segment has two again. */
static sat_Shape *push_piece_block(lua_State *L, const sat_Shape *shape, size_t index) {
  size_t size = sat_shape_piece_size(shape, index), now;
  sat_Shape *block = satlua_shape_push_block(L, size);
  while ((now = sat_shape_piece_size(shape, index)) > size) {
    size = now;
    block = satlua_shape_push_block(L, size);
    lua_remove(L, -2);
  }
  return block;
}

/* Pushes one convex piece of the shape at index 1. */
static void push_piece(lua_State *L, const sat_Shape *shape, size_t index) {
  sat_Shape *piece = push_piece_block(L, shape, index);
  sat_Status status = sat_shape_piece_init(piece, shape, index);
  if (status != SAT_OK) satlua_raise_status(L, 1, status);
  satlua_shape_seal(L);
  share_data(L);
}

static int shape_pieces(lua_State *L) {
  const sat_Shape *shape = satlua_check_self(L);
  size_t count = sat_shape_piece_count(shape); /* which never changes */
  lua_createtable(L, (int)count, 0);
  for (size_t i = 0; i < count; i++) {
    if (sat_shape_kind(shape) < SAT_CHAIN && count == 1) push_clone(L, shape);
    else push_piece(L, shape, i);
    lua_rawseti(L, -2, (int)i + 1);
  }
  return 1;
}

const luaL_Reg satlua_shape_copies[] = {
    {"setData", shape_set_data}, {"data", shape_data}, {"clone", shape_clone},
    {"pieces", shape_pieces},    {NULL, NULL},
};
