/* test_lua_close.c: a state gives back every block when it closes in the middle of a script, or
 * with finalizers that use the module.
 *
 * A script makes and uses worlds and quadtrees: in nested loops, in coroutines that wait inside a
 * loop, in finalizers. The script is stopped at the k-th instruction, for many k: by an error,
 * after which the state is closed, or by closing the state at once, as os.exit does, with loops
 * that have not ended still on the stack. A second script leaves two finalizers that run as the
 * state closes. */
#include "test/lua/state.h"
#include "test/random.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static const char script[] =
    "if jit then jit.off() end\n" /* compiled code counts no instructions */
    "local sat = open()\n"
    "local function make(n)\n"
    "  local world = sat.world()\n"
    "  for i = 1, n do world:add(sat.circle(i, i % 2, 1):setData(world)) end\n"
    "  world:add(sat.chain { 0, 0, 5, 1, 9, 0 }, sat.compound(sat.point(1, 1), sat.circle(3, 0, "
    "1)))\n"
    "  world:update()\n"
    "  return world\n"
    "end\n"
    "local function loops(world)\n"
    "  return { function() return world:collisions() end, function() return world:nodes() end,\n"
    "    function() return world:collisions((world:shapes())[1]) end,\n"
    "    function() return world:began() end, function() return world:ended() end }\n"
    "end\n"
    "local function finalized(action)\n"
    "  local function f()\n"
    "    local ok, problem = pcall(action)\n"
    "    finished(not ok and problem or nil)\n"
    "  end\n"
    "  if not newproxy then return setmetatable({}, { __gc = f }) end\n"
    "  local proxy = newproxy(true)\n"
    "  getmetatable(proxy).__gc = f\n"
    "  return proxy\n"
    "end\n"
    "kept, waiting = {}, {}\n"
    "for round = 1, 3 do\n"
    "  local world = make(6)\n"
    "  kept[round] = finalized(function()\n"
    "    for _, loop in ipairs(loops(world)) do pcall(function() for a in loop() do break end end) "
    "end\n"
    "    pcall(world.load, world, world:save())\n"
    "    pcall(world.remove, world, (world:shapes())[1])\n"
    "    late = make(2):collisions()\n"
    "  end)\n"
    "  for i, loop in ipairs(loops(world)) do\n"
    "    local thread = coroutine.wrap(function()\n"
    "      for a in loop() do\n"
    "        for b in world:collisions() do coroutine.yield() end\n"
    "      end\n"
    "    end)\n"
    "    thread()\n"
    "    waiting[i] = thread\n"
    "    for a in loop() do break end\n"
    "  end\n"
    "  for a, b, dx, dy in world:collisions() do\n"
    "    a:move(dx / 2, dy / 2)\n"
    "    for c in world:nodes() do if c then world:separate() end end\n"
    "    if b:world() then world:remove(b) end\n"
    "  end\n"
    "  local saved = world:save()\n"
    "  world:update()\n"
    "  for a in world:ended() do world:clear() end\n"
    "  world:load(saved)\n"
    "  local tree = sat.quadtree(0, 0, 9, 9)\n"
    "  for i = 1, 5 do tree:insert(i, i, i, 3, 3) end\n"
    "  for a, b in tree:pairs() do for x in tree:nodes() do tree:remove(a) break end end\n"
    "  if round == 2 then world:release() collectgarbage() end\n"
    "end\n";

/* A script with two finalizers that run as the state closes. It takes the numbers of their actions,
 * and `ages`, whose digits tell whether each finalizer was made before the module was opened (1),
 * before the world was made (2) or last (3). Lua calls the youngest first. */
static const char ending[] =
    "local first, second, ages = ...\n"
    "local sat, world, tree, shape, saved, cursor, state\n"
    "local function ask()\n"
    "  for _, list in ipairs { 'shapes', 'collisions', 'began', 'ended', 'touching', 'nodes', "
    "'save',\n"
    "    'separate', 'update', 'count' } do pcall(world[list], world) end\n"
    "  pcall(world.query, world, 0, 0, 9, 9)\n"
    "  pcall(world.query, world, shape, {})\n"
    "  pcall(world.at, world, 1, 1)\n"
    "  pcall(world.raycastAll, world, 0, 0, 9, 9)\n"
    "  pcall(world.nearestAll, world, 0, 0, 9)\n"
    "  pcall(world.visible, world, 0, 0, 9)\n"
    "  pcall(tree.retrieve, tree, shape)\n"
    "  pcall(tree.neighbors, tree, 1)\n"
    "  pcall(tree.raycastAll, tree, 0, 0, 9, 9)\n"
    "  pcall(tree.nearestAll, tree, 0, 0, 9)\n"
    "  local function accept() collectgarbage() return false end\n"
    "  pcall(tree.nearest, tree, 0, 0, 9, accept)\n"
    "  pcall(world.nearest, world, 0, 0, 9, { as = shape, accept = accept })\n"
    "  pcall(tree.pairs, tree)\n"
    "  pcall(tree.nodes, tree)\n"
    "  pcall(shape.pieces, shape)\n"
    "  pcall(shape.overlaps, shape, shape:clone())\n"
    "  return tostring(shape)\n"
    "end\n"
    "local actions = {\n"
    "  ask,\n"
    "  function()\n" /* makes objects */
    "    local made = sat.world():add(sat.circle(0, 0, 1), sat.compound(shape, shape))\n"
    "    for a in made:collisions() do kept = { made, a, made:collisions() } break end\n"
    "    kept_tree = { sat.quadtree(0, 0, 1, 1):insert({}, 0, 0, 1, 1):insert(shape):pairs() }\n"
    "    sat.polygon(0, 0, 9, 0, 1, 1, 0, 9):setData(made)\n"
    "  end,\n"
    "  function()\n" /* changes objects */
    "    shape:move(1, 1):setRotation(1):scale(2):setData(world)\n"
    "    for i = 1, 30 do world:add(sat.circle(i, 0, 1)) tree:insert({}, i, 0, 1, 1) end\n"
    "    world:remove((world:shapes())[1])\n"
    "    tree:remove(1)\n"
    "    tree:build({ {}, {} }, { 0, 0, 1, 1, 1, 1, 2, 2 })\n"
    "  end,\n"
    "  function()\n" /* continues a loop and begins others */
    "    pcall(cursor, state)\n"
    "    for a in world:collisions() do for b in tree:pairs() do world:clear() break end end\n"
    "    for a in tree:pairs() do tree:clear() end\n"
    "    pcall(cursor, state)\n"
    "  end,\n"
    "  function() tree:clear() world:release() ask() end,\n"
    "  function() world:load(saved) sat.world():load(saved):update() end,\n"
    "  function() ask() collectgarbage() ask() end,\n"
    /* From here on any allocation may run the other finalizer. */
    "  function()\n"
    "    collectgarbage('restart') collectgarbage('setpause', 0) collectgarbage('setstepmul', "
    "5000)\n"
    "    for i = 1, 40 do ask() end\n"
    "  end,\n"
    "  function() for i = 1, 40 do collectgarbage('step', 100) ask() end end,\n"
    /* The world itself may be collected while its move waits for the response. */
    "  function()\n"
    "    local function respond() collectgarbage() return 'slide' end\n"
    "    for i = 1, 3 do pcall(world.move, world, shape, 9, i, respond) end\n"
    "    for i = 1, 3 do pcall(world.check, world, shape, 9, i, respond) end\n"
    "  end,\n"
    "}\n"
    "if not first then return #actions end\n"
    "finalizers = {}\n"
    /* The objects that were made after a finalizer are closed before it runs, and it may run while
     * a move waits for a response. */
    "local function is_expected(problem, age)\n"
    "  return age < 3 and problem:find('it has been collected', 1, true) or\n"
    "    problem:find('cannot change until the ', 1, true) or\n"
    "    age < 2 and problem == 'not enough memory'\n"
    "end\n"
    "local function finalize(action, age)\n"
    "  local function run()\n"
    "    local ok, problem = pcall(action)\n"
    "    finished(not ok and not is_expected(problem, age) and problem or nil)\n"
    "  end\n"
    "  if not newproxy then return setmetatable({}, { __gc = run }) end\n"
    "  local proxy = newproxy(true)\n"
    "  getmetatable(proxy).__gc = run\n"
    "  return proxy\n"
    "end\n"
    "local function place(age)\n"
    "  if math.floor(ages / 10) == age then finalizers[1] = finalize(actions[first], age) end\n"
    "  if ages % 10 == age then finalizers[2] = finalize(actions[second], age) end\n"
    "end\n"
    "place(1)\n"
    "sat = open()\n"
    "place(2)\n"
    "world, tree = sat.world(), sat.quadtree(0, 0, 9, 9)\n"
    "shape = sat.compound(sat.circle(0, 0, 2), sat.chain { 0, 0, 5, 1, 9, 0 })\n"
    "world:add(shape)\n"
    "for i = 1, 20 do world:add(sat.circle(i % 5, i % 3, 1):setData(world)) end\n"
    "for i = 1, 9 do tree:insert(i, i % 3, i % 2, 2, 2) end\n"
    "world:update()\n"
    "saved = world:save()\n"
    "cursor, state = world:collisions()\n"
    "cursor(state)\n"
    "place(3)\n";

typedef struct Memory {
  long blocks; /* taken and not given back */
} Memory;

static void *request(void *context, void *block, size_t old_size, size_t size) {
  Memory *memory = context;
  (void)old_size;
  if (size == 0) {
    memory->blocks -= block != NULL;
    free(block);
    return NULL;
  }
  void *result = realloc(block, size);
  memory->blocks += result && !block;
  return result;
}

/* What the finalizers of the state did. They tell it to C, since Lua drops an error in a finalizer
 * while it closes a state. */
typedef struct Finalizers {
  int finished;
  char problem[200]; /* the first one, or "" */
} Finalizers;

static Finalizers finalizers;

/* finished(problem): called at the end of each finalizer; without an error the problem is nil. */
static int finished(lua_State *L) {
  const char *problem = lua_tostring(L, 1);
  finalizers.finished++;
  if (problem && !*finalizers.problem)
    snprintf(finalizers.problem, sizeof finalizers.problem, "%s", problem);
  return 0;
}

/* A state with the libraries, `open`, which opens the module, and `finished`. */
static lua_State *new_state(Memory *memory) {
  lua_State *L = make_state(request, memory);
  memset(&finalizers, 0, sizeof finalizers);
  luaL_openlibs(L);
  lua_pushcfunction(L, luaopen_sat_core);
  lua_setglobal(L, "open");
  lua_pushcfunction(L, finished);
  lua_setglobal(L, "finished");
  return L;
}

static jmp_buf out;
static lua_State *closing; /* the state to be closed when the script is stopped, or NULL */

static void stop(lua_State *L, lua_Debug *where) {
  (void)where;
  if (closing) {
    lua_close(closing);
    longjmp(out, 1);
  }
  luaL_error(L, "stopped");
}

/* What is wrong once the state is closed, or NULL. */
static const char *problem_of(const Memory *memory) {
  if (*finalizers.problem) return finalizers.problem;
  return memory->blocks ? "some blocks have not come back" : NULL;
}

static void note_instruction(const char *problem, int k, bool at_once) {
  note(problem, "instruction %d%s", k, at_once ? ", closed" : "");
}

/* Runs a script up to the k-th instruction and closes the state. Returns whether the script was
 * stopped. */
static bool run_until(lua_State *L, int k, bool at_once) {
  lua_sethook(L, stop, LUA_MASKCOUNT, k);
  if (at_once) closing = L;
  int status = lua_pcall(L, 0, 0, 0);
  closing = NULL;
  lua_sethook(L, NULL, 0, 0);
  const char *message = status ? lua_tostring(L, -1) : NULL;
  bool stopped = message && strstr(message, "stopped");
  if (message && !stopped) note_instruction(message, k, at_once);
  lua_close(L);
  return stopped;
}

/* Stops the first script at the k-th instruction. Returns whether the script has as many. */
static bool stop_at(int k, bool at_once) {
  static Memory memory; /* the jump may lose variables of the stack */
  memory.blocks = 0;
  lua_State *L = new_state(&memory);
  if (luaL_loadstring(L, script) != 0) {
    note_instruction(lua_tostring(L, -1), k, at_once);
    lua_close(L);
    return false;
  }
  bool stopped = true;
  if (setjmp(out) == 0) stopped = run_until(L, k, at_once);
  closing = NULL;
  note_instruction(problem_of(&memory), k, at_once);
  return stopped;
}

/* ---------------------------------------------------------------- finalizers at the close */

/* The numbers of some actions of `ending`. */
enum { COLLECTS = 7, RESTARTS, STEPS, RESPONDS };

/* Lua 5.3 loops for ever when one of several remaining finalizers, whatever their objects, calls
 * collectgarbage() while a collection is under way: luaC_fullgc enters the sweep without setting
 * gcfinnum, which luaC_freeallobjects has not set either. So a state of 5.3 finishes its collection
 * before it is closed, and a finalizer that begins a collection meets none that calls
 * collectgarbage(). */
static bool hangs(int first, int second) {
  bool collects =
      first == COLLECTS || second == COLLECTS || first == RESPONDS || second == RESPONDS;
  bool begins = first == RESTARTS || second == RESTARTS || first == STEPS || second == STEPS;
  return LUA_VERSION_NUM == 503 && collects && begins;
}

/* Closes a state with two finalizers. Returns the number of actions. */
static int end_with(int first, int second, int ages) {
  Memory memory = {0};
  lua_State *L = new_state(&memory);
  int status = luaL_loadstring(L, ending);
  if (first > 0) lua_pushinteger(L, first);
  else lua_pushnil(L);
  lua_pushinteger(L, second);
  lua_pushinteger(L, ages);
  if (status == 0) status = lua_pcall(L, 3, 1, 0);
  int kinds = (int)lua_tointeger(L, -1);
  if (status != 0) printf("# %s\n", lua_tostring(L, -1));
  lua_settop(L, 0);
  if (LUA_VERSION_NUM == 503) lua_gc(L, LUA_GCCOLLECT, 0);
  lua_close(L);
  const char *problem = problem_of(&memory);
  if (first > 0 && finalizers.finished != 2 && !problem) problem = "a finalizer has not finished";
  if (status != 0 && !problem) problem = "the script has failed";
  note(problem, "finalizers %d and %d, of ages %d, as the state closes", first, second, ages);
  return kinds;
}

static void end_with_all(void) {
  int kinds = end_with(0, 0, 33);
  static const int ages[] = {33, 32, 23, 31, 13, 21, 11};
  for (int first = 1; first <= kinds; first++)
    for (int second = 1; second <= kinds; second++)
      for (size_t i = 0; i < sizeof ages / sizeof *ages; i++)
        if (!hangs(first, second)) end_with(first, second, ages[i]);
}

int main(void) {
  end_with_all();
  int step = (int)(1000 / rounds(1000)); /* SAT_ROUNDS=0.1: every tenth instruction */
  if (step < 1) step = 1;
  for (int at_once = 0; at_once < 2; at_once++) {
    int k = 1;
    while (tests.failed < 20 && stop_at(k, at_once)) k += step;
    printf("# stopped at one in %d of %d instructions%s\n", step, k,
           at_once ? " by closing the state" : "");
  }
  return finish_tests();
}
