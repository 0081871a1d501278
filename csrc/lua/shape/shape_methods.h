/* shape_methods.h: shapes as a script sees them.
 *
 * A shape is one full userdata with the sat_Shape block directly inside, so that it needs no
 * finalizer. The value of setData is in a table that is the userdata's user value, where the
 * collector sees cycles. */
#ifndef SAT_LUA_SHAPE_METHODS_H
#define SAT_LUA_SHAPE_METHODS_H

#include "lua/check.h"

/* The functions that make shapes, in lua/shape/shape_make.c, and the methods of shapes. */
extern const luaL_Reg satlua_shape_constructors[];
extern const luaL_Reg satlua_shape_vertices[];
extern const luaL_Reg satlua_shape_settings[];
/* In lua/calls.c: methods of shapes, and functions of two shapes that are methods, too. */
extern const luaL_Reg satlua_shape_calls[];
extern const luaL_Reg satlua_pair_calls[];
int satlua_contains(lua_State *L);
/* In lua/shape/parts.c: sat.parts, and the iterator of its loop. */
int satlua_pair_parts(lua_State *L);
int satlua_next_parts(lua_State *L);
/* In lua/outline.c: functions of the module; whether argument 1 is a table of tables, as
 * { ring, hole, ... } is; and the ring and the holes of such a table as one cleaned ring, which is
 * in a userdata that is pushed. */
extern const luaL_Reg satlua_outline_functions[];
bool satlua_has_rings(lua_State *L);
satlua_Points satlua_check_ring_with_holes(lua_State *L);
/* Functions for the Lua side of the module alone. */
int satlua_take_values(lua_State *L);
int satlua_outline_taken(lua_State *L);
int satlua_piece_of(lua_State *L);
int satlua_set_rectangle(lua_State *L);
int satlua_make_rectangles(lua_State *L);
int satlua_count_differing(lua_State *L);
int satlua_spans(lua_State *L);
int satlua_ffi_interface(lua_State *L);

/* The metatable of shapes has the name of kind k at SATLUA_KIND_NAMES + k. */
enum {
  SATLUA_KIND_NAMES = SATLUA_FIELDS + 1,
  SATLUA_IDLE_PARTS = SATLUA_KIND_NAMES + SAT_COMPOUND + 1, /* the idle state of a loop of parts */
  SATLUA_IDLE_VALUES /* idle memory for the values of a grid, or false */
};
#define SATLUA_NEXT_PARTS "parts" /* the field with the iterator of such loops */

/* Gives the block on top of the stack, which a function of that status has made a shape of, the
 * metatable of shapes. A block's allocation may run finalizers, and these may call any function of
 * the module: values that were read from a shape, a list or a table must be read again afterwards,
 * unless they can never change. A shape's vertex count, the bytes of its block and the number of
 * its pieces never change. */
int satlua_shape_seal(lua_State *L, sat_Status status);

/* A shape's bounds as a script sees them, w and h rounded up: the box contains the shape. */
sat_Rectangle satlua_shape_rectangle(const sat_Shape *shape);

/* Pushes the table in which the shape at an absolute stack index keeps the value of setData, at 1.
 * The table is the user value, since 5.2 allows only tables there, and is made once. */
void satlua_push_uservalue_table(lua_State *L, int shape);

/* Pushes and fills the metatable of the type whose upvalue it is, while the module opens. */
void satlua_fill_metatable(lua_State *L, int type, const luaL_Reg *metamethods, const char *name);
void satlua_shape_set_metatable(lua_State *L);

#endif
