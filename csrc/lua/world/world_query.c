/* world_query.c: queries of a world by place, casts, the nearest shapes, and separation. */
#include "lua/calls.h"
#include "lua/shape/shape_methods.h"
#include "lua/who.h"

#include <math.h>

#define MAX_WANTED_SHAPES 4294967295.0
/* A round of pushing apart goes through the whole world, and no hook of a host can interrupt it. */
#define MOST_ROUNDS 1000

/* ---------------------------------------------------------------- results */

/* Returns the list on top of the stack with the shapes found, and their number. */
static int return_shapes(lua_State *L, satlua_World *world, sat_Status status) {
  satlua_check_status(L, 2, status);
  int out = lua_gettop(L), length = (int)world->found.count;
  satlua_push_state(L, SATLUA_WORLD_STATE_SHAPES);
  for (int i = 0; i < length; i++) {
    lua_rawgeti(L, out + 1, (int)world->found.at[i] + 1);
    lua_rawseti(L, out, i + 1);
  }
  return satlua_return_list(L, out, length);
}

/* ---------------------------------------------------------------- lists */

/* Checks the last arguments of a query, a list to be filled, at `out`, and `who` after it. The list
 * becomes the top of the stack. */
static satlua_World *check_query(lua_State *L, int out, satlua_Who *who) {
  satlua_check_out_before(L, out, out + 1);
  satlua_World *world = satlua_who_read(L, out + 1, who);
  lua_pushvalue(L, out);
  return world;
}

static int world_shapes(lua_State *L) {
  satlua_world_check(L);
  satlua_check_out(L, 2);
  satlua_World *world = satlua_world_check(L);
  return return_shapes(L, world, sat_world_shapes(world->core, &world->found));
}

static int world_at(lua_State *L) {
  satlua_world_check(L);
  sat_Vec2 point = satlua_check_vec2(L, 2, "x", "y");
  satlua_Who who;
  satlua_World *world = check_query(L, 4, &who);
  sat_Status status;
  do status = sat_world_at(world->core, point, satlua_who_filter(&who), &world->found);
  while (satlua_who_ask(L, &who, status));
  return return_shapes(L, world, status);
}

static int world_query(lua_State *L) {
  satlua_world_check(L);
  const sat_Shape *shape = satlua_to_shape(L, 2);
  if (shape) {
    satlua_check_out(L, 3);
    satlua_World *world = satlua_world_check(L);
    return return_shapes(L, world, sat_world_query_shape(world->core, shape, &world->found));
  }
  if (lua_type(L, 2) != LUA_TNUMBER) return satlua_raise_type(L, 2, "x", "number or a shape");
  sat_Rectangle box = satlua_check_box(L, 2);
  satlua_Who who;
  satlua_World *world = check_query(L, 6, &who);
  sat_Status status;
  do status = sat_world_query(world->core, box, satlua_who_filter(&who), &world->found);
  while (satlua_who_ask(L, &who, status));
  return return_shapes(L, world, status);
}

/* ---------------------------------------------------------------- casts, rays and the nearest
 * shapes */

/* Returns a shape, the fraction of the way, the normal, the point and the parts. */
static int return_cast_hit(lua_State *L, sat_Status status, const sat_CastHit *first,
                           bool has_own) {
  if (!satlua_check_status(L, 2, status)) return satlua_finish(L, satlua_push_none(L));
  satlua_world_push_shape(L, first->other);
  return satlua_finish(L, 1 + satlua_push_hit(L, &first->hit, has_own));
}

static int world_cast(lua_State *L) {
  satlua_world_check(L);
  const sat_Shape *shape = satlua_check_shape(L, 2, "shape");
  sat_Vec2 motion = satlua_check_vec2(L, 3, "dx", "dy");
  satlua_Who who;
  satlua_World *world = satlua_who_read(L, 5, &who);
  sat_CastHit first;
  sat_Status status;
  do status = sat_world_cast(world->core, shape, motion, satlua_who_filter(&who), &first);
  while (satlua_who_ask(L, &who, status));
  return return_cast_hit(L, status, &first, true);
}

static int world_raycast(lua_State *L) {
  satlua_world_check(L);
  sat_Vec2 from = satlua_check_vec2(L, 2, "x1", "y1");
  sat_Vec2 to = satlua_check_vec2(L, 4, "x2", "y2");
  satlua_Who who;
  satlua_World *world = satlua_who_read(L, 6, &who);
  sat_CastHit first;
  sat_Status status;
  do status = sat_world_raycast(world->core, from, to, satlua_who_filter(&who), &first);
  while (satlua_who_ask(L, &who, status));
  return return_cast_hit(L, status, &first, false);
}

static int world_raycast_all(lua_State *L) {
  satlua_world_check(L);
  sat_Vec2 from = satlua_check_vec2(L, 2, "x1", "y1");
  sat_Vec2 to = satlua_check_vec2(L, 4, "x2", "y2");
  satlua_Who who;
  satlua_World *world = check_query(L, 6, &who);
  sat_Status status;
  do status = sat_world_raycast_all(world->core, from, to, satlua_who_filter(&who), &world->found);
  while (satlua_who_ask(L, &who, status));
  return return_shapes(L, world, status);
}

static int world_collide(lua_State *L) {
  satlua_World *world = satlua_world_check(L);
  sat_Shape *shape = satlua_check_shape(L, 2, "shape");
  sat_Result way;
  if (!satlua_check_status(L, 2, sat_world_collide(world->core, shape, &way)))
    return satlua_finish(L, satlua_push_none(L));
  satlua_push_vec2(L, way.vector);
  lua_pushnumber(L, way.depth);
  return satlua_finish(L, 3);
}

static int world_nearest(lua_State *L) {
  satlua_world_check(L);
  sat_Vec2 point = satlua_check_vec2(L, 2, "x", "y");
  double limit = satlua_check_limit(L, 4);
  satlua_Who who;
  satlua_World *world = satlua_who_read(L, 5, &who);
  sat_NearestHit nearest;
  sat_Status status;
  do status = sat_world_nearest(world->core, point, limit, satlua_who_filter(&who), &nearest);
  while (satlua_who_ask(L, &who, status));
  if (status) return satlua_finish(L, satlua_push_none(L));
  satlua_world_push_shape(L, nearest.other);
  lua_pushnumber(L, nearest.distance);
  satlua_push_vec2(L, nearest.point);
  return satlua_finish(L, 4);
}

static int world_nearest_all(lua_State *L) {
  satlua_world_check(L);
  sat_Vec2 point = satlua_check_vec2(L, 2, "x", "y");
  size_t k = (size_t)satlua_check_whole(L, 4, "k", 0, MAX_WANTED_SHAPES);
  double limit = satlua_check_limit(L, 7);
  satlua_Who who;
  satlua_World *world = check_query(L, 5, &who);
  sat_Status status;
  do
    status =
        sat_world_nearest_all(world->core, point, k, limit, satlua_who_filter(&who), &world->found);
  while (satlua_who_ask(L, &who, status));
  return return_shapes(L, world, status);
}

/* ---------------------------------------------------------------- what is seen */

/* Raises the error of a status about an area. */
static void check_visible(lua_State *L, sat_Status status) {
  if (status == SAT_MISS) satlua_raise_argument(L, 4, "area must contain x, y");
  if (status == SAT_ECONCAVE)
    satlua_raise_argument(L, 4,
                          "area must be convex: cut it in two, as a sector of over half a turn");
  if (status == SAT_EVALUE)
    satlua_raise_argument(L, 4, "area must be a polygon without a radius, or a number");
  satlua_check_status(L, 4, status);
}

/* The greatest distance of the box of a shape from a point. */
static double area_reach(const sat_Shape *area, sat_Vec2 from) {
  sat_Rectangle box = satlua_shape_rectangle(area);
  return length(vec2(fmax(from.x - box.x, box.x + box.w - from.x),
                     fmax(from.y - box.y, box.y + box.h - from.y)));
}

static int world_visible(lua_State *L) {
  satlua_world_check(L);
  sat_Vec2 from = satlua_check_vec2(L, 2, "x", "y");
  bool is_circle = lua_type(L, 4) == LUA_TNUMBER;
  double radius = is_circle ? satlua_check_size(L, 4, "area") : 0;
  const sat_Shape *area = is_circle ? NULL : satlua_to_shape(L, 4);
  if (!is_circle && !area) return satlua_raise_type(L, 4, "area", "number or a shape");
  satlua_Who who;
  satlua_World *world = check_query(L, 5, &who);
  sat_Points *seen = &world->seen;
  double limit = area ? area_reach(area, from) : radius;
  while (who.accept &&
         satlua_who_ask(L, &who,
                        sat_world_nearest_all(world->core, from, SIZE_MAX, limit,
                                              satlua_who_filter(&who), &world->found))) {
  }
  check_visible(L,
                sat_world_visible(world->core, from, area, radius, satlua_who_filter(&who), seen));
  int out = lua_gettop(L), count = (int)seen->count;
  for (int i = 0; i < count; i++) satlua_set_vec2(L, out, i, seen->at[i]);
  satlua_clear_behind(L, out, 2 * count);
  lua_settop(L, out);
  lua_pushinteger(L, count);
  return satlua_finish(L, 2);
}

/* ---------------------------------------------------------------- pushing apart */

static int world_separate(lua_State *L) {
  satlua_World *world = satlua_world_check_changing_all(L);
  double iterations =
      lua_isnoneornil(L, 2) ? 1 : satlua_check_whole(L, 2, "iterations", 1, MOST_ROUNDS);
  satlua_check_status(L, 2, sat_world_separate(world->core, (uint32_t)iterations, NULL));
  lua_settop(L, 1);
  return satlua_finish(L, 1);
}

/* ---------------------------------------------------------------- through the FFI */

/* The world of a query and the filter of its call; NULL: the call is refused. */
static satlua_World *open_query(const void *block, satlua_CallWho *who, SATLUA_WHO) {
  const sat_World *core = satlua_world_handle_core(block);
  if (!core) return NULL;
  satlua_who_of_call(who, core, SATLUA_WHO_GIVEN);
  return satlua_handle_open(block);
}

/* Shapes are given as their indices in SATLUA_WORLD_STATE_SHAPES. */
static int put_cast_hit(void *context, sat_Status status, const sat_CastHit *first) {
  if (status != SAT_OK) return satlua_without_numbers(status);
  satlua_put_number(context, 0, (double)first->other + 1);
  satlua_put_number(context, 1, first->hit.t);
  satlua_put_vector(context, 2, first->hit.normal);
  satlua_put_vector(context, 4, first->hit.point);
  satlua_put_parts(context, 6, first->hit.parts);
  return satlua_next_serial(context);
}

int satlua_call_world_cast(void *context, const void *block, void *shape, double dx, double dy,
                           SATLUA_WHO) {
  satlua_CallWho who;
  sat_CastHit first;
  satlua_World *world = open_query(block, &who, SATLUA_WHO_GIVEN);
  if (!world) return SATLUA_REFUSED;
  sat_Status status = sat_world_cast(world->core, shape, vec2(dx, dy), who.given, &first);
  return put_cast_hit(context, status, &first);
}

int satlua_call_world_raycast(void *context, const void *block, double x1, double y1, double x2,
                              double y2, SATLUA_WHO) {
  satlua_CallWho who;
  sat_CastHit first;
  satlua_World *world = open_query(block, &who, SATLUA_WHO_GIVEN);
  if (!world) return SATLUA_REFUSED;
  sat_Status status = sat_world_raycast(world->core, vec2(x1, y1), vec2(x2, y2), who.given, &first);
  return put_cast_hit(context, status, &first);
}

int satlua_call_world_collide(void *context, const void *block, void *shape) {
  sat_World *world = satlua_world_handle_core(block);
  sat_Result way;
  sat_Status status = world ? sat_world_collide(world, shape, &way) : SAT_ENOMEM;
  if (status != SAT_OK) return satlua_without_numbers(status);
  satlua_put_vector(context, 0, way.vector);
  satlua_put_number(context, 2, way.depth);
  return satlua_next_serial(context);
}

/* The number of shapes found, which world_found gives one by one. */
static int put_count(void *context, const satlua_World *world, sat_Status status) {
  if (status != SAT_OK) return satlua_without_numbers(status);
  satlua_put_number(context, 0, (double)world->found.count);
  return satlua_next_serial(context);
}

int satlua_call_world_at(void *context, const void *block, double x, double y, SATLUA_WHO) {
  satlua_CallWho who;
  satlua_World *world = open_query(block, &who, SATLUA_WHO_GIVEN);
  if (!world) return SATLUA_REFUSED;
  sat_Status status = sat_world_at(world->core, vec2(x, y), who.given, &world->found);
  return put_count(context, world, status);
}

int satlua_call_world_query(void *context, const void *block, double x, double y, double w,
                            double h, SATLUA_WHO) {
  satlua_CallWho who;
  satlua_World *world = open_query(block, &who, SATLUA_WHO_GIVEN);
  if (!world) return SATLUA_REFUSED;
  const sat_Rectangle box = {x, y, w, h};
  return put_count(context, world, sat_world_query(world->core, box, who.given, &world->found));
}

int satlua_call_world_query_shape(void *context, const void *block, const void *shape) {
  if (!satlua_world_handle_core(block)) return SATLUA_REFUSED;
  satlua_World *world = satlua_handle_open(block);
  return put_count(context, world, sat_world_query_shape(world->core, shape, &world->found));
}

int satlua_call_world_found(const void *block, int place) {
  const satlua_World *world = satlua_handle_open(block);
  return world && (size_t)place < world->found.count ? (int)world->found.at[place] + 1 : 0;
}

static int put_seen(void *context, const void *block, sat_Vec2 from, const sat_Shape *area,
                    double radius, SATLUA_WHO) {
  satlua_CallWho who;
  satlua_World *world = open_query(block, &who, SATLUA_WHO_GIVEN);
  if (!world) return SATLUA_REFUSED;
  sat_Status status = sat_world_visible(world->core, from, area, radius, who.given, &world->seen);
  if (status != SAT_OK) return SATLUA_REFUSED;
  satlua_put_number(context, 0, (double)world->seen.count);
  return satlua_next_serial(context);
}

int satlua_call_world_visible(void *context, const void *block, double x, double y, double radius,
                              SATLUA_WHO) {
  return put_seen(context, block, vec2(x, y), NULL, radius, SATLUA_WHO_GIVEN);
}

int satlua_call_world_visible_in(void *context, const void *block, double x, double y,
                                 const void *area, SATLUA_WHO) {
  return put_seen(context, block, vec2(x, y), area, 0, SATLUA_WHO_GIVEN);
}

double satlua_call_world_seen(const void *block, double place) {
  const satlua_World *world = satlua_handle_open(block);
  size_t index = (size_t)place;
  if (!world || index / 2 >= world->seen.count) return 0;
  return index % 2 ? world->seen.at[index / 2].y : world->seen.at[index / 2].x;
}

const luaL_Reg satlua_world_queries[] = {
    {"shapes", world_shapes},     {"at", world_at},
    {"query", world_query},       {"cast", world_cast},
    {"raycast", world_raycast},   {"raycastAll", world_raycast_all},
    {"nearest", world_nearest},   {"nearestAll", world_nearest_all},
    {"separate", world_separate}, {"collide", world_collide},
    {"visible", world_visible},   {NULL, NULL},
};
