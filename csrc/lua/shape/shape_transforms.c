/* shape_transforms.c: the methods that move, turn and scale a shape. */
#include "lua/calls.h"
#include "lua/shape/shape_methods.h"

static int changed(lua_State *L, sat_Status status) {
  return status == SAT_OK ? satlua_return_self(L) : satlua_raise_status(L, 2, status);
}

static int shape_move(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  sat_Vec2 motion = satlua_check_vec2(L, 2, "dx", "dy");
  return changed(L, sat_shape_move(shape, motion.x, motion.y));
}

static int shape_move_to(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  sat_Vec2 center = satlua_check_vec2(L, 2, "x", "y");
  return changed(L, sat_shape_move_to(shape, center.x, center.y));
}

/* Turns a shape about its centroid, or about a pivot. */
static int turn(lua_State *L, sat_Status (*about_centroid)(sat_Shape *shape, double angle),
                sat_Status (*about)(sat_Shape *shape, double angle, sat_Vec2 pivot)) {
  sat_Shape *shape = satlua_check_changing_self(L);
  double angle = satlua_check_number(L, 2, "angle");
  sat_Vec2 pivot;
  bool is_pivoted = satlua_check_pivot(L, 3, &pivot);
  return changed(L, is_pivoted ? about(shape, angle, pivot) : about_centroid(shape, angle));
}

static int shape_rotate(lua_State *L) { return turn(L, sat_shape_rotate, sat_shape_rotate_about); }
static int shape_set_rotation(lua_State *L) {
  return turn(L, sat_shape_set_rotation, sat_shape_set_rotation_about);
}

static int shape_scale(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  double factor = satlua_check_size(L, 2, "factor");
  if (!lua_isnoneornil(L, 3) && lua_isnone(L, 4))
    return satlua_raise_argument(L, 3,
                                 "scale(factor, px, py) has one factor and a pivot; "
                                 "shape:stretch(sx, sy) has two factors");
  sat_Vec2 pivot;
  bool pivoted = satlua_check_pivot(L, 3, &pivot);
  sat_Status status =
      pivoted ? sat_shape_scale_about(shape, factor, pivot) : sat_shape_scale(shape, factor);
  if (status == SAT_ERANGE && factor < 1)
    return satlua_raise_argument(L, 2, "the shape would be scaled below 1e-15");
  return changed(L, status);
}

static int shape_transform(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  sat_Vec2 center = satlua_check_vec2(L, 2, "x", "y");
  double angle = satlua_check_number(L, 4, "angle");
  return changed(L, sat_shape_transform(shape, center.x, center.y, angle));
}

static int shape_set_radius(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  double radius = satlua_check_radius(L, 2, "radius");
  return changed(L, sat_shape_set_radius(shape, radius));
}

static int shape_flip(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  bool vertical = !lua_isnoneornil(L, 2) && satlua_check_boolean(L, 2, "vertical");
  return changed(L, sat_shape_flip(shape, vertical));
}

static int shape_scale_axes(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  double sx = satlua_check_size(L, 2, "sx");
  double sy = satlua_check_size(L, 3, "sy");
  sat_Status status = sat_shape_scale_axes(shape, sx, sy);
  int smaller = sx < sy ? 2 : 3;
  if (status == SAT_EAREA) return satlua_raise_argument(L, smaller, "no area would be left");
  if (status == SAT_ERANGE && sx <= 1 && sy <= 1)
    return satlua_raise_argument(L, smaller, "the shape would be stretched below 1e-15");
  return status == SAT_OK ? satlua_return_self(L) : satlua_raise_status(L, 5 - smaller, status);
}

/* ---------------------------------------------------------------- through the FFI */

/* Whether a shape may be changed by these numbers. Otherwise the function of the Lua API says why
 * not. */
static bool may_change(const void *shape, double a, double b, double c) {
  return in_range(a) && satlua_in_range(b, c) && !sat_shape_is_locked(shape);
}

/* Defines a call with its numbers, 0 for each of three that it has not, and its change. */
#define CHANGE_OF_SHAPE(name, parameters, a, b, c, change)                                         \
  int satlua_call_##name parameters {                                                              \
    return may_change(shape, a, b, c) ? (int)(change) : SATLUA_REFUSED;                            \
  }
CHANGE_OF_SHAPE(move, (void *shape, double dx, double dy), dx, dy, 0, sat_shape_move(shape, dx, dy))
CHANGE_OF_SHAPE(move_to, (void *shape, double x, double y), x, y, 0, sat_shape_move_to(shape, x, y))
CHANGE_OF_SHAPE(rotate, (void *shape, double angle), angle, 0, 0, sat_shape_rotate(shape, angle))
CHANGE_OF_SHAPE(rotate_about, (void *shape, double angle, double px, double py), angle, px, py,
                sat_shape_rotate_about(shape, angle, vec2(px, py)))
CHANGE_OF_SHAPE(set_rotation, (void *shape, double angle), angle, 0, 0,
                sat_shape_set_rotation(shape, angle))
CHANGE_OF_SHAPE(set_rotation_about, (void *shape, double angle, double px, double py), angle, px,
                py, sat_shape_set_rotation_about(shape, angle, vec2(px, py)))
CHANGE_OF_SHAPE(transform, (void *shape, double x, double y, double angle), x, y, angle,
                sat_shape_transform(shape, x, y, angle))
int satlua_call_set_enabled(void *shape, int enabled) {
  if (sat_shape_is_locked(shape)) return SATLUA_REFUSED;
  sat_shape_set_enabled(shape, enabled != 0);
  return SAT_OK;
}
int satlua_call_set_rectangle(void *shape, double x, double y, double w, double h) {
  return may_change(shape, x, y, 0) && satlua_in_range(w, h)
             ? (int)sat_shape_set_rectangle(shape, x, y, w, h)
             : SATLUA_REFUSED;
}

/* setRectangle(shape, x, y, w, h): makes a shape that was a rectangle another one. */
int satlua_set_rectangle(lua_State *L) {
  sat_Shape *shape = satlua_check_changing_self(L);
  sat_Rectangle box = satlua_check_rectangle(L, 2, "the box", true);
  return changed(L, sat_shape_set_rectangle(shape, box.x, box.y, box.w, box.h));
}

const luaL_Reg satlua_shape_transforms[] = {
    {"move", shape_move},
    {"moveTo", shape_move_to},
    {"rotate", shape_rotate},
    {"setRotation", shape_set_rotation},
    {"scale", shape_scale},
    {"flip", shape_flip},
    {"stretch", shape_scale_axes},
    {"transform", shape_transform},
    {"setRadius", shape_set_radius},
    {NULL, NULL},
};
