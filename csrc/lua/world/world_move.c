/* world_move.c: moves a shape through a world, with responses, and carries others along. */
#include "base/memory.h"
#include "lua/shape/shape_methods.h"
#include "lua/world/world_state.h"

#include <string.h>

const char *const satlua_response_names[] = {"slide",  "touch", "bounce", "push", "cross",
                                             "ignore", "ask",   "free",   "stuck"};

/* A move or a turn, and what it answers to surfaces. */
typedef struct Way {
  bool is_turn;
  int response;
  double angle;
  sat_Vec2 vector; /* the motion of a move, or the pivot of a turn */
} Way;

/* The responses of a move, and those of a turn, as messages list them. */
static const char *const expected[2] = {"\"slide\", \"touch\", \"bounce\", \"push\", \"cross\"",
                                        "\"touch\", \"slide\", \"cross\""};

static bool is_response(int response, bool is_turn) {
  bool is_of_turn = response != SAT_BOUNCE && response != SAT_PUSH;
  return response >= SAT_SLIDE && response <= SAT_CROSS && (is_of_turn || !is_turn);
}

/* The response of a string for a move or a turn, or -1. */
static int check_name(lua_State *L, int index, bool is_turn) {
  const char *name = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "";
  int response = SAT_CROSS;
  while (response >= SAT_SLIDE && strcmp(satlua_response_names[response], name) != 0) response--;
  return is_response(response, is_turn) ? response : -1;
}

static int check_response(lua_State *L, int arg, bool is_turn) {
  if (lua_isnoneornil(L, arg)) return is_turn ? SAT_TOUCH : SAT_SLIDE;
  if (lua_type(L, arg) == LUA_TFUNCTION) return SAT_ASK;
  int response = check_name(L, arg, is_turn);
  if (response < 0)
    satlua_raise_argument(L, arg, "response must be %s or a function", expected[is_turn]);
  return response;
}

/* Raises an error for the moving shape of another world's unfinished move. */
static void check_unlocked(lua_State *L, const sat_Shape *shape) {
  if (sat_shape_is_locked(shape))
    satlua_raise_argument(L, 2, "the shape cannot change until the move of it has ended");
}

/* Calls the response function, the last value on the stack, and returns a response. An error, and a
 * value that is no response, ends the move. */
static sat_Response call_response(lua_State *L, const satlua_World *world, bool is_turn,
                                  const sat_MoveHit *question) {
  satlua_StateContext *context = world->owner.memory.context;
  lua_pushvalue(L, -1);
  lua_pushvalue(L, 2);
  satlua_push_member(L, question->other);
  satlua_push_vec2(L, question->normal);
  lua_pushnumber(L, question->t + 0.0);
  context->waiting++;
  bool is_raised = lua_pcall(L, 5, 1, 0);
  context->waiting--;
  satlua_world_check(L); /* which is collected as the state closes */
  int response = is_raised ? -1 : check_name(L, -1, is_turn);
  if (!is_raised && lua_isboolean(L, -1)) response = is_turn ? SAT_TOUCH : SAT_SLIDE;
  if (!is_raised && !lua_toboolean(L, -1)) response = SAT_IGNORE;
  if (response < 0) sat_world_cancel(world->core);
  if (is_raised) lua_error(L);
  if (response < 0)
    luaL_error(L, "the response function must return %s, true, false or nil", expected[is_turn]);
  lua_pop(L, 1);
  return (sat_Response)response;
}

/* The world and the shape of a move or a turn. */
static satlua_World *check_mover(lua_State *L, sat_Shape **shape) {
  satlua_World *world = satlua_world_check_changing(L);
  *shape = satlua_check_shape(L, 2, "shape");
  check_unlocked(L, *shape);
  satlua_check_waiting(L, world->owner.memory.context);
  return world;
}

static sat_Status begin(sat_World *core, sat_Shape *shape, const Way *way) {
  sat_Response response = (sat_Response)way->response;
  return way->is_turn ? sat_world_turn_begin(core, shape, way->angle, way->vector, response)
                      : sat_world_move_begin(core, shape, way->vector, response);
}

/* Ends a move or a turn, and puts its results into the context. */
static void end(const satlua_World *world, bool is_turn, bool stay) {
  void *context = world->owner.memory.context;
  if (is_turn) {
    sat_TurnResult result = sat_world_turn_end(world->core, stay);
    satlua_put_vector(context, 0, vec2(result.turned, (double)result.count));
  } else {
    sat_MoveResult result = sat_world_move_end(world->core, stay);
    satlua_put_vector(context, 0, result.centroid);
    satlua_put_number(context, 2, (double)result.count);
    satlua_put_vector(context, 3, result.rest);
  }
}

/* The response of a letter, the first of its name; a slide beyond the end of the letters. */
static sat_Response response_of_letter(char letter) {
  int response = SAT_IGNORE;
  while (response > SAT_SLIDE && satlua_response_names[response][0] != letter) response--;
  return (sat_Response)response;
}

/* Makes a move or a turn, or only checks it, and puts its results. Its questions have the letters
 * as their answers, in order, and the world's list `answered` has the shapes that it has asked
 * about; without letters the response function answers, if there is one. */
static sat_Status run_way(lua_State *L, satlua_World *world, sat_Shape *shape, const Way *way,
                          const char *letters, bool stay) {
  sat_MoveHit question;
  sat_Status status = begin(world->core, shape, way);
  if (status) return status;
  if (letters) world->answered.count = 0;
  while ((status = sat_world_run(world->core, &question)) == SAT_MISS) {
    sat_Response response =
        letters ? response_of_letter(*letters) : call_response(L, world, way->is_turn, &question);
    if (letters && SAT_LIST_ADD(&world->answered, question.other)) {
      sat_world_cancel(world->core);
      return SAT_ENOMEM;
    }
    if (letters && *letters) letters++;
    sat_world_answer(world->core, question.other, response);
  }
  if (status) return status;
  end(world, way->is_turn, stay);
  size_t count = world->answered.count;
  if (letters) satlua_put_number(world->owner.memory.context, 3, (double)count);
  return SAT_OK;
}

/* Makes a move or a turn, with the response function as the last of the arguments up to `last`, and
 * returns its results. */
static int go(lua_State *L, satlua_World *world, sat_Shape *shape, const Way *way, int last) {
  lua_settop(L, last);
  satlua_check_status(L, 2, run_way(L, world, shape, way, NULL, satlua_which(L) == 1));
  satlua_world_forget(L, world, SATLUA_WORLD_STATE_KEPT);
  return satlua_finish(L, satlua_push_results(L, way->is_turn ? "nw" : "nnwnn"));
}

static int world_move(lua_State *L) {
  sat_Shape *shape;
  satlua_World *world = check_mover(L, &shape);
  Way way = {.vector = satlua_check_vec2(L, 3, "dx", "dy")};
  way.response = check_response(L, 5, false);
  return go(L, world, shape, &way, 5);
}

static int world_turn(lua_State *L) {
  sat_Shape *shape;
  satlua_World *world = check_mover(L, &shape);
  Way way = {.is_turn = true, .vector = sat_shape_center(shape)};
  way.angle = satlua_check_number(L, 3, "angle");
  way.response = check_response(L, 4, true);
  satlua_check_pivot(L, 5, &way.vector);
  return go(L, world, shape, &way, 4);
}

/* ---------------------------------------------------------------- moves answered in advance */

/* checkAnswered(world, shape, dx, dy, answers) -> x, y, n, count: does what world:check does with a
 * function that gives these answers, of which each is the first letter of a name, and slides after
 * them; also returns the number of shapes that such a function is asked about. */
int satlua_check_answered(lua_State *L) {
  luaL_checktype(L, 5, LUA_TSTRING);
  sat_Shape *shape;
  satlua_World *world = check_mover(L, &shape);
  const Way way = {.response = SAT_ASK, .vector = satlua_check_vec2(L, 3, "dx", "dy")};
  satlua_check_status(L, 2, run_way(L, world, shape, &way, lua_tostring(L, 5), true));
  satlua_world_forget(L, world, SATLUA_WORLD_STATE_KEPT);
  return satlua_finish(L, satlua_push_results(L, "nnww"));
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
  satlua_world_forget(L, world, SATLUA_WORLD_STATE_KEPT);
  lua_pushinteger(L, (lua_Integer)result.count);
  lua_pushinteger(L, (lua_Integer)result.crushed);
  return satlua_finish(L, 2);
}

/* ---------------------------------------------------------------- through the FFI */

/* A move is a check, whose numbers the caller reads, and then the change, which is refused if
 * another call has come in between: no move is lost, and none is made twice. NaN as px: the shape
 * turns about its centroid. */
int satlua_call_check_way(void *context, const void *block, void *shape, double x, double y,
                          const char *answers, int response, double angle, int is_turn) {
  satlua_World *world = satlua_world_handle_open(block);
  Way way = {is_turn, answers ? SAT_ASK : response, angle, {x, y}};
  if (is_turn && isnan(x)) way.vector = sat_shape_center(shape);
  if (!world || world->has_removed[SATLUA_WORLD_STATE_KEPT] || sat_world_is_locked(world->core) ||
      sat_shape_is_locked(shape) || !is_response(response, is_turn) ||
      run_way(NULL, world, shape, &way, answers, true) != SAT_OK)
    return SATLUA_REFUSED;
  return satlua_next_serial(context);
}

int satlua_call_go_as_checked(const void *block, void *shape, double x, double y, int is_turn) {
  const satlua_World *world = satlua_handle_open(block);
  if (!world || sat_world_is_locked(world->core) || sat_shape_is_locked(shape))
    return SATLUA_REFUSED;
  return (int)(is_turn ? sat_world_turn_as_checked(world->core, shape)
                       : sat_world_move_as_checked(world->core, shape, vec2(x, y)));
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
