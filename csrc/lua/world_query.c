/* world_query.c: queries of a world by place, casts, the nearest shapes, and separation. */
#include "lua/calls.h"
#include "lua/shape_methods.h"
#include "lua/world_state.h"

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
  sat_Items *found;
  const sat_QueryFilter *who; /* NULL or `filter` */
  sat_QueryFilter filter;
  int out; /* the stack index of the list */
} Query;

/* Checks the list to be filled, at `out`, and `who` after it. A given `who` moves below the list,
 * where it stays alive, and the list becomes the top of the stack. */
static sat_World *check_query(lua_State *L, int out, Query *query) {
  query->who = NULL;
  query->out = out;
  if (lua_gettop(L) > out) {
    lua_settop(L, out + 1);
    if (!lua_isnil(L, out)) satlua_check_table(L, out, "out");
    query->who = satlua_check_who(L, out + 1, &query->filter);
    lua_insert(L, out);
    query->out = out + 1;
  }
  satlua_check_out(L, query->out);
  query->world = satlua_world_check(L);
  query->found = &query->world->found;
  return query->world->core;
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
  return return_query(L, &query, sat_world_at(world, point, query.who, query.found));
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
  return return_query(L, &query, sat_world_query(world, box, query.who, query.found));
}

/* ---------------------------------------------------------------- casts, rays and the nearest
 * shapes */

/* Returns a shape, the fraction of the way, the normal and the point. */
static int return_cast_hit(lua_State *L, sat_Status status, const sat_CastHit *first) {
  if (!satlua_check_status(L, 2, status)) return satlua_finish(L, satlua_push_none(L));
  satlua_world_push_shape(L, first->other);
  satlua_push_hit(L, &first->hit);
  return satlua_finish(L, 6);
}

static int world_cast(lua_State *L) {
  satlua_World *world = satlua_world_check(L);
  const sat_Shape *shape = satlua_check_shape(L, 2, "shape");
  sat_Vec2 motion = satlua_check_vec2(L, 3, "dx", "dy");
  sat_CastHit first;
  return return_cast_hit(L, sat_world_cast(world->core, shape, motion, &first), &first);
}

static int world_raycast(lua_State *L) {
  satlua_World *world = satlua_world_check(L);
  sat_Vec2 from = satlua_check_vec2(L, 2, "x1", "y1");
  sat_Vec2 to = satlua_check_vec2(L, 4, "x2", "y2");
  sat_QueryFilter filter;
  const sat_QueryFilter *who = satlua_check_who(L, 6, &filter);
  sat_CastHit first;
  return return_cast_hit(L, sat_world_raycast(world->core, from, to, who, &first), &first);
}

static int world_raycast_all(lua_State *L) {
  satlua_world_check(L);
  sat_Vec2 from = satlua_check_vec2(L, 2, "x1", "y1");
  sat_Vec2 to = satlua_check_vec2(L, 4, "x2", "y2");
  Query query;
  sat_World *world = check_query(L, 6, &query);
  return return_query(L, &query, sat_world_raycast_all(world, from, to, query.who, query.found));
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
  satlua_World *world = satlua_world_check(L);
  sat_Vec2 point = satlua_check_vec2(L, 2, "x", "y");
  double limit = satlua_check_optional(L, 4, "limit", INFINITY);
  if (limit < 0) return satlua_raise_argument(L, 4, "limit must not be negative");
  sat_QueryFilter filter;
  const sat_QueryFilter *who = satlua_check_who(L, 5, &filter);
  sat_NearestHit nearest;
  if (!satlua_check_status(L, 2, sat_world_nearest(world->core, point, limit, who, &nearest)))
    return satlua_finish(L, satlua_push_none(L));
  satlua_world_push_shape(L, nearest.other);
  lua_pushnumber(L, nearest.distance);
  satlua_push_vec2(L, nearest.point);
  return satlua_finish(L, 4);
}

static int world_nearest_all(lua_State *L) {
  satlua_world_check(L);
  sat_Vec2 point = satlua_check_vec2(L, 2, "x", "y");
  double k = satlua_check_whole(L, 4, "k", 0, MAX_WANTED_SHAPES);
  Query query;
  sat_World *world = check_query(L, 5, &query);
  return return_query(L, &query,
                      sat_world_nearest_all(world, point, (size_t)k, query.who, query.found));
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
  return satlua_next_serial(context);
}

int satlua_call_world_cast(void *context, const void *block, void *shape, double dx, double dy) {
  sat_World *world = satlua_world_handle_core(block);
  sat_CastHit first;
  if (!world) return SATLUA_REFUSED;
  return put_cast_hit(context, sat_world_cast(world, shape, vec2(dx, dy), &first), &first);
}

int satlua_call_world_raycast(void *context, const void *block, double x1, double y1, double x2,
                              double y2, const void *who) {
  sat_World *world = satlua_world_handle_core(block);
  const sat_QueryFilter filter = {who, 0};
  sat_CastHit first;
  if (!world) return SATLUA_REFUSED;
  sat_Status status =
      sat_world_raycast(world, vec2(x1, y1), vec2(x2, y2), who ? &filter : NULL, &first);
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

int satlua_call_world_at(void *context, const void *block, double x, double y, const void *who) {
  sat_Items *found;
  sat_World *core = open_query(block, &found);
  const sat_QueryFilter filter = {who, 0};
  if (!core) return SATLUA_REFUSED;
  return put_count(context, sat_world_at(core, vec2(x, y), who ? &filter : NULL, found), found);
}

int satlua_call_world_query(void *context, const void *block, double x, double y, double w,
                            double h, const void *who) {
  sat_Items *found;
  sat_World *core = open_query(block, &found);
  const sat_QueryFilter filter = {who, 0};
  const sat_Rectangle box = {x, y, w, h};
  if (!core) return SATLUA_REFUSED;
  return put_count(context, sat_world_query(core, box, who ? &filter : NULL, found), found);
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

const luaL_Reg satlua_world_queries[] = {
    {"shapes", world_shapes},
    {"at", world_at},
    {"query", world_query},
    {"cast", world_cast},
    {"raycast", world_raycast},
    {"raycastAll", world_raycast_all},
    {"nearest", world_nearest},
    {"nearestAll", world_nearest_all},
    {"separate", world_separate},
    {"collide", world_collide},
    {NULL, NULL},
};
