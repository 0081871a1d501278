/* world_move.c: moves a shape through a world, with responses, and carries others along. */
#include "base/memory.h"
#include "lua/calls.h"
#include "lua/shape/shape_methods.h"
#include "lua/world/world_state.h"

#include <string.h>

const char *const satlua_response_names[] = {"slide",  "touch", "bounce", "push", "cross",
                                             "ignore", "ask",   "free",   "stuck"};

/* The response of that name, or -1. */
static int response_of(const char *name) {
  for (int i = SAT_SLIDE; i <= SAT_CROSS; i++)
    if (strcmp(satlua_response_names[i], name) == 0) return i;
  return -1;
}

/* The responses of a move, and those of a turn, as messages list them. */
static const char *const expected[2] = {"\"slide\", \"touch\", \"bounce\", \"push\", \"cross\"",
                                        "\"touch\", \"slide\", \"cross\""};

/* The response of a string for a move or a turn, or -1. */
static int check_name(lua_State *L, int index, bool is_turn) {
  int response = lua_type(L, index) == LUA_TSTRING ? response_of(lua_tostring(L, index)) : -1;
  return is_turn && (response == SAT_BOUNCE || response == SAT_PUSH) ? -1 : response;
}

static sat_Response check_response(lua_State *L, int arg, bool is_turn) {
  if (lua_isnoneornil(L, arg)) return is_turn ? SAT_TOUCH : SAT_SLIDE;
  if (lua_type(L, arg) == LUA_TFUNCTION) return SAT_ASK;
  int response = check_name(L, arg, is_turn);
  if (response < 0)
    satlua_raise_argument(L, arg, "response must be %s or a function", expected[is_turn]);
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

/* Calls the response function, the last value on the stack. Returns a response, RAISED with the
 * error on the stack, or NO_RESPONSE. */
static int call_response(lua_State *L, bool is_turn, const sat_MoveHit *question) {
  lua_pushvalue(L, -1);
  lua_pushvalue(L, 2);
  satlua_push_member(L, question->other);
  satlua_push_vec2(L, question->normal);
  lua_pushnumber(L, question->t + 0.0);
  if (lua_pcall(L, 5, 1, 0)) return RAISED;
  int response = check_name(L, -1, is_turn);
  if (lua_isboolean(L, -1) && lua_toboolean(L, -1)) response = is_turn ? SAT_TOUCH : SAT_SLIDE;
  else if (!lua_toboolean(L, -1)) response = SAT_IGNORE;
  lua_pop(L, 1);
  return response < 0 ? NO_RESPONSE : response;
}

/* The world and the shape of a move or a turn. */
static satlua_World *check_mover(lua_State *L, sat_Shape **shape) {
  satlua_World *world = satlua_world_check_changing(L);
  *shape = satlua_check_shape(L, 2, "shape");
  check_unlocked(L, *shape);
  satlua_check_waiting(L, world->owner.memory.context);
  return world;
}

/* Runs a move or a turn that has begun, with the response function as the last value on the
 * stack. */
static satlua_World *run_asking(lua_State *L, satlua_World *world, bool is_turn) {
  satlua_StateContext *context = world->owner.memory.context;
  sat_MoveHit question;
  sat_Status status;
  while ((status = sat_world_run(world->core, &question)) == SAT_MISS) {
    context->waiting++;
    int answer = call_response(L, is_turn, &question);
    context->waiting--;
    world = satlua_world_check(L); /* which is collected as the state closes */
    if (answer < 0) {
      sat_world_cancel(world->core);
      if (answer == RAISED) lua_error(L);
      luaL_error(L, "the response function must return %s, true, false or nil", expected[is_turn]);
    }
    sat_world_answer(world->core, question.other, (sat_Response)answer);
  }
  satlua_check_status(L, 2, status);
  return world;
}

static int world_move(lua_State *L) {
  bool stay = satlua_which(L) == 1;
  sat_Shape *shape;
  satlua_World *world = check_mover(L, &shape);
  sat_Vec2 motion = satlua_check_vec2(L, 3, "dx", "dy");
  sat_Response response = check_response(L, 5, false);
  lua_settop(L, 5);
  satlua_check_status(L, 2, sat_world_move_begin(world->core, shape, motion, response));
  world = run_asking(L, world, false);
  sat_MoveResult result = sat_world_move_end(world->core, stay);
  forget_kept(L, world);
  satlua_push_vec2(L, result.centroid);
  lua_pushinteger(L, (lua_Integer)result.count);
  satlua_push_vec2(L, result.rest);
  return satlua_finish(L, 5);
}

static int world_turn(lua_State *L) {
  bool stay = satlua_which(L) == 1;
  sat_Shape *shape;
  satlua_World *world = check_mover(L, &shape);
  double angle = satlua_check_number(L, 3, "angle");
  sat_Response response = check_response(L, 4, true);
  sat_Vec2 pivot = sat_shape_center(shape);
  satlua_check_pivot(L, 5, &pivot);
  lua_settop(L, 4);
  satlua_check_status(L, 2, sat_world_turn_begin(world->core, shape, angle, pivot, response));
  world = run_asking(L, world, true);
  sat_TurnResult result = sat_world_turn_end(world->core, stay);
  forget_kept(L, world);
  satlua_push_number(L, result.turned);
  lua_pushinteger(L, (lua_Integer)result.count);
  return satlua_finish(L, 2);
}

/* ---------------------------------------------------------------- moves answered in advance */

/* The response of a letter, the first of its name; a slide beyond the end of the letters. */
static sat_Response response_of_letter(char letter) {
  int response = SAT_IGNORE;
  while (response > SAT_SLIDE && satlua_response_names[response][0] != letter) response--;
  return (sat_Response)response;
}

/* A check whose questions have the letters as their answers, in order. The world's list `answered`
 * has the shapes that it has asked about. */
static sat_Status check_answered(satlua_World *world, sat_Shape *shape, sat_Vec2 motion,
                                 const char *answers, sat_MoveResult *result) {
  sat_Items *answered = &world->answered;
  sat_MoveHit question;
  answered->count = 0;
  sat_Status status = sat_world_move_begin(world->core, shape, motion, SAT_ASK);
  if (status) return status;
  while ((status = sat_world_run(world->core, &question)) == SAT_MISS) {
    if (SAT_LIST_RESERVE(answered, 1)) {
      sat_world_cancel(world->core);
      return SAT_ENOMEM;
    }
    answered->at[answered->count++] = question.other;
    sat_world_answer(world->core, question.other, response_of_letter(*answers));
    if (*answers) answers++;
  }
  if (!status) *result = sat_world_move_end(world->core, true);
  return status;
}

/* checkAnswered(world, shape, dx, dy, answers) -> x, y, n, count: does what world:check does with a
 * function that gives these answers, of which each is the first letter of a name, and slides after
 * them; also returns the number of shapes that such a function is asked about. */
int satlua_check_answered(lua_State *L) {
  luaL_checktype(L, 5, LUA_TSTRING);
  sat_Shape *shape;
  satlua_World *world = check_mover(L, &shape);
  sat_Vec2 motion = satlua_check_vec2(L, 3, "dx", "dy");
  sat_MoveResult result;
  satlua_check_status(L, 2, check_answered(world, shape, motion, lua_tostring(L, 5), &result));
  forget_kept(L, world);
  satlua_push_vec2(L, result.centroid);
  lua_pushinteger(L, (lua_Integer)result.count);
  lua_pushinteger(L, (lua_Integer)world->answered.count);
  return satlua_finish(L, 4);
}

/* answered(world) -> list, count: the shapes that the last checkAnswered has asked about. The list
 * is made of values on the stack, since a finalizer may make another check meanwhile. */
int satlua_answered(lua_State *L) {
  enum { LIST = 2 };
  const satlua_World *world = satlua_world_check(L);
  int count = (int)world->answered.count;
  luaL_checkstack(L, count + 4, "too many shapes");
  lua_settop(L, 1);
  satlua_push_state(L, SATLUA_WORLD_STATE_SHAPES);
  for (int i = 0; i < count; i++) lua_rawgeti(L, LIST, (int)world->answered.at[i] + 1);
  lua_createtable(L, count, 0);
  lua_replace(L, LIST);
  for (int i = count; i > 0; i--) lua_rawseti(L, LIST, i);
  lua_pushinteger(L, count);
  return 2;
}

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
static bool is_easy_move(const satlua_World *world, const void *shape) {
  return world && !world->has_kept && !sat_world_is_locked(world->core) &&
         !sat_shape_is_locked(shape) && !satlua_memory_has_unreported(&world->owner.memory);
}

int satlua_call_check_move(void *context, const void *block, void *shape, double dx, double dy,
                           int response) {
  satlua_World *world = satlua_handle_open(block);
  sat_MoveResult result;
  if (!is_easy_move(world, shape) || response < SAT_SLIDE || response > SAT_CROSS ||
      sat_world_check(world->core, shape, vec2(dx, dy), (sat_Response)response, &result) != SAT_OK)
    return SATLUA_REFUSED;
  satlua_put_vector(context, 0, result.centroid);
  satlua_put_number(context, 2, (double)result.count);
  satlua_put_vector(context, 3, result.rest);
  return satlua_next_serial(context);
}

int satlua_call_check_answered(void *context, const void *block, void *shape, double dx, double dy,
                               const char *answers) {
  satlua_World *world = satlua_handle_open(block);
  sat_MoveResult result;
  if (!is_easy_move(world, shape) ||
      check_answered(world, shape, vec2(dx, dy), answers, &result) != SAT_OK)
    return SATLUA_REFUSED;
  satlua_put_vector(context, 0, result.centroid);
  satlua_put_number(context, 2, (double)result.count);
  satlua_put_number(context, 3, (double)world->answered.count);
  return satlua_next_serial(context);
}

int satlua_call_answered(void *context, const void *block) {
  const satlua_World *world = satlua_handle_open(block);
  if (!world || satlua_memory_has_unreported(&world->owner.memory)) return SATLUA_REFUSED;
  satlua_put_number(context, 0, (double)world->answered.count);
  return satlua_next_serial(context);
}

double satlua_call_answered_at(const void *block, double place) {
  const satlua_World *world = satlua_handle_open(block);
  if (!world || place >= (double)world->answered.count) return 0;
  return world->answered.at[(size_t)place] + 1.0;
}

int satlua_call_move_as_checked(const void *block, void *shape, double x, double y) {
  satlua_World *world = satlua_handle_open(block);
  if (!world || sat_world_is_locked(world->core) || sat_shape_is_locked(shape))
    return SATLUA_REFUSED;
  return (int)sat_world_move_as_checked(world->core, shape, vec2(x, y));
}

/* NaN as px: the shape turns about its centroid. */
int satlua_call_check_turn(void *context, const void *block, void *shape, double angle,
                           int response, double px, double py) {
  satlua_World *world = satlua_handle_open(block);
  sat_TurnResult result;
  sat_Vec2 pivot = isnan(px) ? sat_shape_center(shape) : vec2(px, py);
  if (!is_easy_move(world, shape) || response < SAT_SLIDE || response > SAT_CROSS ||
      response == SAT_BOUNCE ||
      sat_world_turn(world->core, shape, angle, pivot, (sat_Response)response, true, &result) !=
          SAT_OK)
    return SATLUA_REFUSED;
  satlua_put_number(context, 0, result.turned);
  satlua_put_number(context, 1, (double)result.count);
  return satlua_next_serial(context);
}

int satlua_call_turn_as_checked(const void *block, void *shape) {
  satlua_World *world = satlua_handle_open(block);
  if (!world || sat_world_is_locked(world->core) || sat_shape_is_locked(shape))
    return SATLUA_REFUSED;
  return (int)sat_world_turn_as_checked(world->core, shape);
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
    {"move", world_move},      {"check", world_move},  {"turn", world_turn},
    {"checkTurn", world_turn}, {"carry", world_carry}, {NULL, NULL},
};
