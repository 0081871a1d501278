/* shape_transforms.c: the methods that move, turn and scale a shape. */
#include "lua/calls.h"
#include "lua/shape/shape_methods.h"

#include <math.h>

static int changed(lua_State *L, sat_Status status) {
  return status == SAT_OK ? satlua_return_self(L) : satlua_raise_status(L, 2, status);
}

/* Whether a shape may be changed by these numbers through the FFI. Otherwise the method says why
 * not. */
static bool may_change(const void *shape, double a, double b, double c) {
  return in_range(a) && satlua_in_range(b, c) && !sat_shape_is_locked(shape);
}

/* A change by a vector, and one by an angle and a pivot, as a method and as a call. */
#define CHANGE_BY_VECTOR(name, dx, dy)                                                             \
  static int shape_##name(lua_State *L) {                                                          \
    sat_Shape *shape = satlua_check_changing_self(L);                                              \
    sat_Vec2 vector = satlua_check_vec2(L, 2, dx, dy);                                             \
    return changed(L, sat_shape_##name(shape, vector.x, vector.y));                                \
  }                                                                                                \
  int satlua_call_##name(void *shape, double vx, double vy) {                                      \
    return may_change(shape, vx, vy, 0) ? (int)sat_shape_##name(shape, vx, vy) : SATLUA_REFUSED;   \
  }
#define CHANGE_BY_ANGLE(name)                                                                      \
  static int shape_##name(lua_State *L) {                                                          \
    sat_Shape *shape = satlua_check_changing_self(L);                                              \
    double angle = satlua_check_number(L, 2, "angle");                                             \
    sat_Vec2 pivot;                                                                                \
    bool is_pivoted = satlua_check_pivot(L, 3, &pivot);                                            \
    return changed(L, is_pivoted ? sat_shape_##name##_about(shape, angle, pivot)                   \
                                 : sat_shape_##name(shape, angle));                                \
  }                                                                                                \
  int satlua_call_##name(void *shape, double angle, double px, double py) {                        \
    bool is_pivoted = !isnan(px) || !isnan(py);                                                    \
    if (!may_change(shape, angle, is_pivoted ? px : 0, is_pivoted ? py : 0))                       \
      return SATLUA_REFUSED;                                                                       \
    return (int)(is_pivoted ? sat_shape_##name##_about(shape, angle, vec2(px, py))                 \
                            : sat_shape_##name(shape, angle));                                     \
  }
CHANGE_BY_VECTOR(move, "dx", "dy")
CHANGE_BY_VECTOR(move_to, "x", "y")
CHANGE_BY_ANGLE(rotate)
CHANGE_BY_ANGLE(set_rotation)

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

int satlua_call_transform(void *shape, double x, double y, double angle) {
  return may_change(shape, x, y, angle) ? (int)sat_shape_transform(shape, x, y, angle)
                                        : SATLUA_REFUSED;
}
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
