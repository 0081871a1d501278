/* world_query.c: queries of a world by place, casts, the nearest shapes, and separation. */
#include "lua/shape/shape_methods.h"
#include "lua/world/world_state.h"

#include <math.h>

#define MAX_WANTED_SHAPES 4294967295.0
/* A round of pushing apart goes through the whole world, and no hook of a host can interrupt it. */
#define MOST_ROUNDS 1000

/* ---------------------------------------------------------------- queries */

/* The results of questions about one shape or number, with letters as in lua/cursor.h. The
 * answers to others are lists. */
static const char *const results_of[] = {[SATLUA_ASK_ANSWERED] = "w",
                                         [SATLUA_ASK_WAY_OUT] = "nnn",
                                         [SATLUA_ASK_NEAREST] = "mnnn",
                                         [SATLUA_ASK_CAST] = "mnnnnnnn",
                                         [SATLUA_ASK_RAYCAST] = "mnnnnnn"};

/* Puts a question about one shape or number to the core, and its answer into the context. */
static sat_Status ask_about_one(const satlua_World *world, const satlua_Query *query,
                                const sat_QueryFilter *filter) {
  void *context = world->owner.memory.context;
  sat_World *core = world->core;
  sat_CastHit hit;
  sat_NearestHit nearest;
  sat_Result way;
  sat_Status status;
  switch (query->question) {
  case SATLUA_ASK_ANSWERED:
    satlua_put_number(context, 0, (double)world->answered.count);
    return SAT_OK;
  case SATLUA_ASK_WAY_OUT:
    status = sat_world_collide(core, query->shape, &way);
    if (status) return status;
    satlua_put_vector(context, 0, way.vector);
    satlua_put_number(context, 2, way.depth);
    return SAT_OK;
  case SATLUA_ASK_NEAREST:
    status = sat_world_nearest(core, query->first, query->limit, filter, &nearest);
    if (status) return status;
    satlua_put_number(context, 0, (double)nearest.other + 1);
    satlua_put_number(context, 1, nearest.distance);
    satlua_put_vector(context, 2, nearest.point);
    return SAT_OK;
  case SATLUA_ASK_CAST:
    status = sat_world_cast(core, query->shape, query->first, filter, &hit);
    break;
  default: status = sat_world_raycast(core, query->first, query->second, filter, &hit);
  }
  if (status) return status;
  satlua_put_number(context, 0, (double)hit.other + 1);
  satlua_put_hit(context, 1, &hit.hit);
  return SAT_OK;
}

/* Puts a question to the core, which fills the world's list `found`, or `seen`. */
static sat_Status ask_core(satlua_World *world, const satlua_Query *query,
                           const sat_QueryFilter *filter) {
  sat_World *core = world->core;
  sat_Items *found = &world->found;
  sat_Vec2 from = query->first, to = query->second;
  switch (query->question) {
  case SATLUA_ASK_ALL: return sat_world_shapes(core, found);
  case SATLUA_ASK_AT: return sat_world_at(core, from, filter, found);
  case SATLUA_ASK_BOX:
    return sat_world_query(core, (sat_Rectangle){from.x, from.y, to.x, to.y}, filter, found);
  case SATLUA_ASK_SHAPE: return sat_world_query_shape(core, query->shape, found);
  case SATLUA_ASK_NEAREST_ALL:
    return sat_world_nearest_all(core, from, query->most, query->limit, filter, found);
  case SATLUA_ASK_RAYCAST_ALL: return sat_world_raycast_all(core, from, to, filter, found);
  case SATLUA_ASK_VISIBLE:
    return sat_world_visible(core, from, query->shape, query->limit, filter, &world->seen);
  default: return ask_about_one(world, query, filter);
  }
}

sat_Status satlua_ask(lua_State *L, const satlua_Query *query, satlua_Who *who) {
  sat_Status status;
  do status = ask_core(who->world, query, satlua_who_filter(who));
  while (satlua_who_ask(L, who, status));
  return status;
}

/* ---------------------------------------------------------------- methods */

/* Returns the answer to a query. The argument `arg` is the list to be filled, before `who`; the
 * query for a single answer has `who` there. */
static int answer(lua_State *L, int arg, const satlua_Query *query) {
  const char *results = results_of[query->question];
  satlua_Who who;
  if (!results) satlua_check_out(L, arg, arg + 1, 0);
  satlua_who_read(L, results ? arg : arg + 1, &who);
  sat_Status status = satlua_ask(L, query, &who);
  const sat_Items *found = &who.world->found;
  if (!results) return satlua_return_members(L, arg, found->at, found->count, sizeof(sat_Item));
  return satlua_finish(L, status ? satlua_push_none(L) : satlua_push_results(L, results));
}

static int world_shapes(lua_State *L) {
  satlua_world_check(L);
  lua_settop(L, 2);
  return answer(L, 2, &(satlua_Query){.question = SATLUA_ASK_ALL});
}

static int world_at(lua_State *L) {
  satlua_world_check(L);
  return answer(L, 4, &(satlua_Query){SATLUA_ASK_AT, .first = satlua_check_vec2(L, 2, "x", "y")});
}

static int world_query(lua_State *L) {
  satlua_world_check(L);
  const satlua_Query of_shape = {SATLUA_ASK_SHAPE, .shape = satlua_to_shape(L, 2)};
  if (of_shape.shape) {
    lua_settop(L, 3);
    return answer(L, 3, &of_shape);
  }
  if (lua_type(L, 2) != LUA_TNUMBER) return satlua_raise_type(L, 2, "x", "number or a shape");
  sat_Rectangle box = satlua_check_rectangle(L, 2, "the box", true);
  return answer(L, 6,
                &(satlua_Query){SATLUA_ASK_BOX, .first = {box.x, box.y}, .second = {box.w, box.h}});
}

static int world_collide(lua_State *L) {
  satlua_World *world = satlua_world_check(L);
  const satlua_Query query = {SATLUA_ASK_WAY_OUT, .shape = satlua_check_shape(L, 2, "shape")};
  bool overlaps = satlua_check_status(L, 2, ask_about_one(world, &query, NULL));
  return satlua_finish(L, overlaps ? satlua_push_results(L, "nnn") : satlua_push_none(L));
}

static int world_cast(lua_State *L) {
  satlua_world_check(L);
  sat_Shape *shape = satlua_check_shape(L, 2, "shape");
  return answer(
      L, 5, &(satlua_Query){SATLUA_ASK_CAST, shape, .first = satlua_check_vec2(L, 3, "dx", "dy")});
}

static int world_raycast(lua_State *L) {
  satlua_Query query = {.question =
                            satlua_which(L) == 0 ? SATLUA_ASK_RAYCAST : SATLUA_ASK_RAYCAST_ALL};
  satlua_world_check(L);
  query.first = satlua_check_vec2(L, 2, "x1", "y1");
  query.second = satlua_check_vec2(L, 4, "x2", "y2");
  return answer(L, 6, &query);
}

static int world_nearest(lua_State *L) {
  bool is_all = satlua_which(L) == 1;
  satlua_world_check(L);
  satlua_Query query = {.question = is_all ? SATLUA_ASK_NEAREST_ALL : SATLUA_ASK_NEAREST};
  query.first = satlua_check_vec2(L, 2, "x", "y");
  if (is_all) query.most = (size_t)satlua_check_whole(L, 4, "k", 0, MAX_WANTED_SHAPES);
  query.limit = satlua_check_limit(L, is_all ? 7 : 4);
  return answer(L, 5, &query);
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

static int world_visible(lua_State *L) {
  satlua_world_check(L);
  satlua_Query query = {SATLUA_ASK_VISIBLE, .first = satlua_check_vec2(L, 2, "x", "y"),
                        .most = SIZE_MAX};
  query.shape = satlua_to_shape(L, 4);
  if (!query.shape && lua_type(L, 4) != LUA_TNUMBER)
    return satlua_raise_type(L, 4, "area", "number or a shape");
  if (!query.shape) query.limit = satlua_check_size(L, 4, "area");
  satlua_Who who;
  satlua_check_out(L, 5, 6, 0);
  satlua_World *world = satlua_who_read(L, 6, &who);
  satlua_Query near = query;
  near.question = SATLUA_ASK_NEAREST_ALL;
  if (query.shape) { /* the greatest distance of its box from the point */
    sat_Rectangle box = satlua_shape_rectangle(query.shape);
    near.limit = length(vec2(fmax(query.first.x - box.x, box.x + box.w - query.first.x),
                             fmax(query.first.y - box.y, box.y + box.h - query.first.y)));
  }
  if (who.accept) satlua_ask(L, &near, &who);
  check_visible(L, ask_core(world, &query, satlua_who_filter(&who)));
  int count = (int)world->seen.count;
  for (int i = 0; i < count; i++) satlua_set_vec2(L, 5, i, world->seen.at[i]);
  satlua_clear_behind(L, 5, 2 * count);
  lua_pushvalue(L, 5);
  lua_pushinteger(L, count);
  return satlua_finish(L, 2);
}

/* ---------------------------------------------------------------- pushing apart */

static int world_separate(lua_State *L) {
  satlua_World *world = satlua_world_check_changing_all(L);
  double iterations =
      lua_isnoneornil(L, 2) ? 1 : satlua_check_whole(L, 2, "iterations", 1, MOST_ROUNDS);
  satlua_check_status(L, 2, sat_world_separate(world->core, (uint32_t)iterations, NULL));
  return satlua_finish(L, satlua_return_self(L));
}

/* ---------------------------------------------------------------- through the FFI */

/* Lists are answered by their length, and world_found and world_seen give what is in them. */
int satlua_call_world_ask(void *context, const void *block, int question, void *shape, double a,
                          double b, double c, double d, SATLUA_WHO) {
  const satlua_Query query = {question, shape, {a, b}, {c, d}, .limit = c};
  bool is_seen = question == SATLUA_ASK_VISIBLE;
  satlua_World *world = satlua_world_handle_open(block);
  if (!world) return SATLUA_REFUSED;
  satlua_CallWho who;
  sat_Status status =
      ask_core(world, &query, satlua_who_of_call(&who, world->core, SATLUA_WHO_GIVEN));
  if (status != SAT_OK) return is_seen ? SATLUA_REFUSED : satlua_without_numbers(status);
  if (!results_of[question])
    satlua_put_number(context, 0, (double)(is_seen ? world->seen.count : world->found.count));
  return satlua_next_serial(context);
}

/* A shape in one of the world's two lists for calls. */
int satlua_call_world_found(const void *block, int answered, int place) {
  const satlua_World *world = satlua_handle_open(block);
  if (!world) return 0;
  const sat_Items *list = answered ? &world->answered : &world->found;
  return (size_t)place < list->count ? (int)list->at[place] + 1 : 0;
}

double satlua_call_world_seen(const void *block, double place) {
  const satlua_World *world = satlua_handle_open(block);
  size_t index = (size_t)place;
  if (!world || index / 2 >= world->seen.count) return 0;
  return index % 2 ? world->seen.at[index / 2].y : world->seen.at[index / 2].x;
}

const luaL_Reg satlua_world_queries[] = {
    {"shapes", world_shapes},      {"at", world_at},
    {"query", world_query},        {"collide", world_collide},
    {"cast", world_cast},          {"raycast", world_raycast},
    {"raycastAll", world_raycast}, {"nearest", world_nearest},
    {"nearestAll", world_nearest}, {"visible", world_visible},
    {"separate", world_separate},  {NULL, NULL},
};
