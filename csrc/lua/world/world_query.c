/* world_query.c: queries of a world by place, casts, the nearest shapes, and separation. */
#include "lua/calls.h"
#include "lua/shape/shape_methods.h"
#include "lua/who.h"

#include <math.h>

#define MAX_WANTED_SHAPES 4294967295.0
/* A round of pushing apart goes through the whole world, and no hook of a host can interrupt it. */
#define MOST_ROUNDS 1000

/* ---------------------------------------------------------------- results */

/* Returns the list at `out`, which is the top of the stack, with the shapes found, and their
 * number. */
static int return_shapes(lua_State *L, satlua_World *world, sat_Status status, int out) {
  satlua_check_status(L, 2, status);
  int length = (int)world->found.count;
  satlua_push_state(L, SATLUA_WORLD_STATE_SHAPES);
  for (int i = 0; i < length; i++) {
    lua_rawgeti(L, out + 1, (int)world->found.at[i] + 1);
    lua_rawseti(L, out, i + 1);
  }
  return satlua_return_list(L, out, length);
}

/* ---------------------------------------------------------------- lists */

/* The last arguments of a query, a list and `who`, and the world, checked after them. */
typedef struct Query {
  satlua_World *world;
  satlua_Who who;
  int out; /* the stack index of the list */
} Query;

/* Checks the list to be filled, at `out`, and `who` after it. The list becomes the top of the
 * stack. */
static sat_World *check_query(lua_State *L, int out, Query *query) {
  satlua_check_out_before(L, out, out + 1);
  satlua_who_read(L, out + 1, &query->who);
  lua_pushvalue(L, out);
  query->out = lua_gettop(L);
  query->world = satlua_world_check(L);
  return query->world->core;
}

static const sat_QueryFilter *filter_of(Query *query) {
  return satlua_who_filter(query->world, &query->who);
}

static int return_query(lua_State *L, const Query *query, sat_Status status) {
  return return_shapes(L, query->world, status, query->out);
}

static int world_shapes(lua_State *L) {
  satlua_world_check(L);
  satlua_check_out(L, 2);
  satlua_World *world = satlua_world_check(L);
  return return_shapes(L, world, sat_world_shapes(world->core, &world->found), 2);
}

static int world_at(lua_State *L) {
  satlua_world_check(L);
  sat_Vec2 point = satlua_check_vec2(L, 2, "x", "y");
  Query query;
  sat_World *world = check_query(L, 4, &query);
  sat_Status status;
  do status = sat_world_at(world, point, filter_of(&query), &query.world->found);
  while (satlua_who_ask(L, &query.who, status));
  return return_query(L, &query, status);
}

static int world_query(lua_State *L) {
  satlua_world_check(L);
  const sat_Shape *shape = satlua_to_shape(L, 2);
  if (shape) {
    satlua_check_out(L, 3);
    satlua_World *world = satlua_world_check(L);
    return return_shapes(L, world, sat_world_query_shape(world->core, shape, &world->found), 3);
  }
  if (lua_type(L, 2) != LUA_TNUMBER) return satlua_raise_type(L, 2, "x", "number or a shape");
  sat_Rectangle box = satlua_check_box(L, 2);
  Query query;
  sat_World *world = check_query(L, 6, &query);
  sat_Status status;
  do status = sat_world_query(world, box, filter_of(&query), &query.world->found);
  while (satlua_who_ask(L, &query.who, status));
  return return_query(L, &query, status);
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
  satlua_who_read(L, 5, &who);
  satlua_World *world = satlua_world_check(L);
  sat_CastHit first;
  sat_Status status;
  do status = sat_world_cast(world->core, shape, motion, satlua_who_filter(world, &who), &first);
  while (satlua_who_ask(L, &who, status));
  return return_cast_hit(L, status, &first, true);
}

static int world_raycast(lua_State *L) {
  satlua_world_check(L);
  sat_Vec2 from = satlua_check_vec2(L, 2, "x1", "y1");
  sat_Vec2 to = satlua_check_vec2(L, 4, "x2", "y2");
  satlua_Who who;
  satlua_who_read(L, 6, &who);
  satlua_World *world = satlua_world_check(L);
  sat_CastHit first;
  sat_Status status;
  do status = sat_world_raycast(world->core, from, to, satlua_who_filter(world, &who), &first);
  while (satlua_who_ask(L, &who, status));
  return return_cast_hit(L, status, &first, false);
}

static int world_raycast_all(lua_State *L) {
  satlua_world_check(L);
  sat_Vec2 from = satlua_check_vec2(L, 2, "x1", "y1");
  sat_Vec2 to = satlua_check_vec2(L, 4, "x2", "y2");
  Query query;
  sat_World *world = check_query(L, 6, &query);
  sat_Status status;
  do status = sat_world_raycast_all(world, from, to, filter_of(&query), &query.world->found);
  while (satlua_who_ask(L, &query.who, status));
  return return_query(L, &query, status);
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
  satlua_who_read(L, 5, &who);
  satlua_World *world = satlua_world_check(L);
  sat_NearestHit nearest;
  sat_Status status;
  do
    status = sat_world_nearest(world->core, point, limit, satlua_who_filter(world, &who), &nearest);
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
  Query query;
  sat_World *world = check_query(L, 5, &query);
  sat_Status status;
  do status = sat_world_nearest_all(world, point, k, limit, filter_of(&query), &query.world->found);
  while (satlua_who_ask(L, &query.who, status));
  return return_query(L, &query, status);
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
  Query query;
  sat_World *world = check_query(L, 5, &query);
  sat_Points *seen = &query.world->seen;
  double limit = area ? area_reach(area, from) : radius;
  while (query.who.accept &&
         satlua_who_ask(L, &query.who,
                        sat_world_nearest_all(world, from, SIZE_MAX, limit, filter_of(&query),
                                              &query.world->found))) {
  }
  check_visible(L, sat_world_visible(world, from, area, radius, filter_of(&query), seen));
  int count = (int)seen->count;
  for (int i = 0; i < count; i++) satlua_set_vec2(L, query.out, i, seen->at[i]);
  satlua_clear_behind(L, query.out, 2 * count);
  lua_settop(L, query.out);
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
  sat_World *world = satlua_world_handle_core(block);
  satlua_CallWho who;
  sat_CastHit first;
  if (!world) return SATLUA_REFUSED;
  const sat_QueryFilter *filter = satlua_who_of_call(&who, world, SATLUA_WHO_GIVEN);
  return put_cast_hit(context, sat_world_cast(world, shape, vec2(dx, dy), filter, &first), &first);
}

int satlua_call_world_raycast(void *context, const void *block, double x1, double y1, double x2,
                              double y2, SATLUA_WHO) {
  sat_World *world = satlua_world_handle_core(block);
  satlua_CallWho who;
  sat_CastHit first;
  if (!world) return SATLUA_REFUSED;
  const sat_QueryFilter *filter = satlua_who_of_call(&who, world, SATLUA_WHO_GIVEN);
  sat_Status status = sat_world_raycast(world, vec2(x1, y1), vec2(x2, y2), filter, &first);
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

/* The core of a world and its list for what is found, unless a call is refused. */
static sat_World *open_query(const void *block, sat_Items **found) {
  sat_World *core = satlua_world_handle_core(block);
  if (core) *found = &((satlua_World *)satlua_handle_open(block))->found;
  return core;
}

/* The number of shapes found, which world_found gives one by one. */
static int put_count(void *context, sat_Status status, const sat_Items *found) {
  if (status != SAT_OK) return satlua_without_numbers(status);
  satlua_put_number(context, 0, (double)found->count);
  return satlua_next_serial(context);
}

int satlua_call_world_at(void *context, const void *block, double x, double y, SATLUA_WHO) {
  sat_Items *found;
  sat_World *core = open_query(block, &found);
  satlua_CallWho who;
  if (!core) return SATLUA_REFUSED;
  const sat_QueryFilter *filter = satlua_who_of_call(&who, core, SATLUA_WHO_GIVEN);
  return put_count(context, sat_world_at(core, vec2(x, y), filter, found), found);
}

int satlua_call_world_query(void *context, const void *block, double x, double y, double w,
                            double h, SATLUA_WHO) {
  sat_Items *found;
  sat_World *core = open_query(block, &found);
  satlua_CallWho who;
  const sat_Rectangle box = {x, y, w, h};
  if (!core) return SATLUA_REFUSED;
  const sat_QueryFilter *filter = satlua_who_of_call(&who, core, SATLUA_WHO_GIVEN);
  return put_count(context, sat_world_query(core, box, filter, found), found);
}

int satlua_call_world_query_shape(void *context, const void *block, const void *shape) {
  sat_Items *found;
  sat_World *core = open_query(block, &found);
  if (!core) return SATLUA_REFUSED;
  return put_count(context, sat_world_query_shape(core, shape, found), found);
}

double satlua_call_world_found(const void *block, double place) {
  const satlua_World *world = satlua_handle_open(block);
  return world && place < (double)world->found.count ? world->found.at[(size_t)place] + 1.0 : 0;
}

static int put_seen(void *context, const void *block, sat_Vec2 from, const sat_Shape *area,
                    double radius, SATLUA_WHO) {
  sat_World *core = satlua_world_handle_core(block);
  satlua_CallWho who;
  if (!core) return SATLUA_REFUSED;
  const sat_QueryFilter *filter = satlua_who_of_call(&who, core, SATLUA_WHO_GIVEN);
  sat_Points *seen = &((satlua_World *)satlua_handle_open(block))->seen;
  sat_Status status = sat_world_visible(core, from, area, radius, filter, seen);
  if (status != SAT_OK) return SATLUA_REFUSED;
  satlua_put_number(context, 0, (double)seen->count);
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
