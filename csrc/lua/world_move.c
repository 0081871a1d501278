/* world_move.c: moves a shape through a world, with responses, and carries others along. */
#include "lua/calls.h"
#include "lua/shape_methods.h"
#include "lua/world_state.h"

#include <string.h>

const char *const satlua_response_names[] = {"slide",  "touch", "bounce", "push", "cross",
                                             "ignore", "ask",   "free",   "stuck"};

/* The response of that name, or -1. */
static int response_of(const char *name) {
  for (int i = SAT_SLIDE; i <= SAT_CROSS; i++)
    if (strcmp(satlua_response_names[i], name) == 0) return i;
  return -1;
}

static sat_Response check_response(lua_State *L, int arg) {
  int type = lua_type(L, arg);
  if (type == LUA_TNONE || type == LUA_TNIL) return SAT_SLIDE;
  if (type == LUA_TFUNCTION) return SAT_ASK;
  int response = type == LUA_TSTRING ? response_of(lua_tostring(L, arg)) : -1;
  if (response < 0)
    satlua_raise_argument(
        L, arg,
        "response must be \"slide\", \"touch\", \"bounce\", \"push\", \"cross\" or a function");
  return (sat_Response)response;
}

/* Drops the shapes that were kept for loops over the hits and carried shapes of the last move. */
static void forget_kept(lua_State *L, satlua_World *world) {
  if (!world->has_kept) return;
  satlua_world_forget(L, SATLUA_WORLD_STATE_KEPT);
  world->has_kept = false;
}

/* Raises an error for the moving shape of another world's unfinished move. */
static void check_unlocked(lua_State *L, const sat_Shape *shape) {
  if (sat_shape_is_locked(shape))
    satlua_raise_argument(L, 2, "the shape cannot change until the move of it has ended");
}

/* Results of a call of a response function that are no response. */
enum { RAISED = -1, NO_RESPONSE = -2 };

/* Returns a response, RAISED with the error on the stack, or NO_RESPONSE. */
static int call_response(lua_State *L, const sat_MoveHit *question) {
  lua_pushvalue(L, 5);
  lua_pushvalue(L, 2);
  satlua_world_push_shape(L, question->other);
  satlua_push_vec2(L, question->normal);
  lua_pushnumber(L, question->t + 0.0);
  if (lua_pcall(L, 5, 1, 0)) return RAISED;
  int type = lua_type(L, -1), response = NO_RESPONSE;
  if (type == LUA_TNIL || (type == LUA_TBOOLEAN && !lua_toboolean(L, -1))) response = SAT_IGNORE;
  else if (type == LUA_TBOOLEAN) response = SAT_SLIDE;
  else if (type == LUA_TSTRING && response_of(lua_tostring(L, -1)) >= 0)
    response = response_of(lua_tostring(L, -1));
  lua_pop(L, 1);
  return response;
}

static int move_shape(lua_State *L, bool stay) {
  satlua_World *world = satlua_world_check_changing(L);
  sat_Shape *shape = satlua_check_shape(L, 2, "shape");
  check_unlocked(L, shape);
  satlua_check_waiting(L, world->owner.memory.context);
  sat_Vec2 motion = satlua_check_vec2(L, 3, "dx", "dy");
  sat_Response response = check_response(L, 5);
  lua_settop(L, 5);
  sat_MoveHit question;
  satlua_check_status(L, 2, sat_world_move_begin(world->core, shape, motion, response));
  sat_Status status;
  satlua_StateContext *context = world->owner.memory.context;
  while ((status = sat_world_move_run(world->core, &question)) == SAT_MISS) {
    context->waiting++;
    int answer = call_response(L, &question);
    context->waiting--;
    world = satlua_world_check(L); /* which is collected as the state closes */
    if (answer < 0) {
      sat_world_move_cancel(world->core);
      if (answer == RAISED) return lua_error(L);
      return luaL_error(
          L, "the response function must return \"slide\", \"touch\", \"bounce\", \"push\", "
             "\"cross\", true, false or nil");
    }
    status = sat_world_move_answer(world->core, question.other, (sat_Response)answer);
    if (status) break;
  }
  satlua_check_status(L, 2, status);
  sat_MoveResult result = sat_world_move_end(world->core, stay);
  forget_kept(L, world);
  satlua_push_vec2(L, result.centroid);
  lua_pushinteger(L, (lua_Integer)result.count);
  satlua_push_vec2(L, result.rest);
  return satlua_finish(L, 5);
}

static int world_move(lua_State *L) { return move_shape(L, false); }
static int world_check(lua_State *L) { return move_shape(L, true); }

static int world_carry(lua_State *L) {
  satlua_World *world = satlua_world_check_changing_all(L);
  sat_Shape *shape = satlua_check_shape(L, 2, "shape");
  check_unlocked(L, shape);
  sat_Vec2 motion, up;
  motion = satlua_check_vec2(L, 3, "dx", "dy");
  double angle = satlua_check_optional(L, 5, "angle", 0);
  up.x = satlua_check_optional(L, 6, "upx", 0);
  up.y = satlua_check_optional(L, 7, "upy", -1);
  if (up.x == 0 && up.y == 0) return satlua_raise_argument(L, 6, "up must not be 0, 0");
  sat_CarryResult result;
  satlua_check_status(L, 2, sat_world_carry(world->core, shape, motion, angle, up, &result));
  forget_kept(L, world);
  lua_pushinteger(L, (lua_Integer)result.count);
  lua_pushinteger(L, (lua_Integer)result.crushed);
  return satlua_finish(L, 2);
}

/* ---------------------------------------------------------------- through the FFI */

/* A move is a check, whose numbers the caller reads, and then the change, which is refused if
 * another call has come in between: no move is lost, and none is made twice. */
int satlua_call_check_move(void *context, const void *block, void *shape, double dx, double dy,
                           int response) {
  satlua_World *world = satlua_handle_open(block);
  bool is_easy = world && !world->has_kept && !sat_world_is_locked(world->core) &&
                 !sat_shape_is_locked(shape) &&
                 !satlua_memory_has_unreported(&world->owner.memory) && response >= SAT_SLIDE &&
                 response <= SAT_CROSS;
  sat_MoveResult result;
  if (!is_easy ||
      sat_world_check(world->core, shape, vec2(dx, dy), (sat_Response)response, &result) != SAT_OK)
    return SATLUA_REFUSED;
  satlua_put_vector(context, 0, result.centroid);
  satlua_put_number(context, 2, (double)result.count);
  satlua_put_vector(context, 3, result.rest);
  return satlua_next_serial(context);
}

int satlua_call_move_as_checked(const void *block, void *shape, double x, double y) {
  satlua_World *world = satlua_handle_open(block);
  if (!world || sat_world_is_locked(world->core) || sat_shape_is_locked(shape))
    return SATLUA_REFUSED;
  return (int)sat_world_move_as_checked(world->core, shape, vec2(x, y));
}

/* ---------------------------------------------------------------- for drawing */

/* wayOf(world, out) -> count: fills the list with the points of the path that the centre of a shape
 * took in the last move or check: where it began, turned and ended. The hits are read again for
 * each point, since a finalizer may move a shape. */
int satlua_way_of(lua_State *L) {
  const satlua_World *world = satlua_world_check(L);
  satlua_check_table(L, 2, "out");
  lua_settop(L, 2);
  sat_Vec2 from, to;
  int count = 0;
  if (sat_world_move_ends(world->core, &from, &to)) {
    satlua_set_vec2(L, 2, count++, from);
    for (size_t i = 0; i < sat_world_hits(world->core)->count; i++)
      satlua_set_vec2(L, 2, count++, sat_world_hits(world->core)->at[i].centroid);
    satlua_set_vec2(L, 2, count++, to);
  }
  satlua_clear_behind(L, 2, 2 * count);
  lua_pushinteger(L, count);
  return 1;
}

const luaL_Reg satlua_world_moving[] = {
    {"move", world_move},
    {"check", world_check},
    {"carry", world_carry},
    {NULL, NULL},
};
