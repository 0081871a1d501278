/* test_lua_close.c: a state is closed in the middle of whatever a script does.
 *
 * A script makes and uses worlds and quadtrees: in loops within loops, in coroutines that wait in
 * one, in finalizers. It is stopped at the k-th instruction, for many k: by an error, after which
 * the state is closed, or by closing the state there and then, as os.exit does, with the loops that
 * are under way still on the stack. Every block must have come back. */
#include "random.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int luaopen_sat_core(lua_State *L);

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
    "local function finalized(f)\n"
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

typedef struct Memory {
  long blocks; /* not given back yet */
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

typedef struct Count {
  int passed, failed;
} Count;

static void note(Count *count, int k, bool at_once, const char *problem) {
  printf("%s - instruction %d%s%s%s\n", problem ? "not ok" : "ok", k, at_once ? ", closed" : "",
         problem ? ": " : "", problem ? problem : "");
  count->passed += !problem;
  count->failed += problem != NULL;
}

/* Runs the script until it is stopped. Returns whether it was. */
static bool run_until(lua_State *L, int k, bool at_once, Count *count) {
  lua_sethook(L, stop, LUA_MASKCOUNT, k);
  if (at_once) closing = L;
  int status = lua_pcall(L, 0, 0, 0);
  closing = NULL;
  lua_sethook(L, NULL, 0, 0);
  const char *message = status ? lua_tostring(L, -1) : NULL;
  bool stopped = message && strstr(message, "stopped");
  if (message && !stopped) note(count, k, at_once, message);
  lua_close(L);
  return stopped;
}

/* Stops at the k-th instruction. Returns whether there were so many. */
static bool stop_at(int k, bool at_once, Count *count) {
  static Memory memory; /* what is on the stack may be lost by the jump */
  memory.blocks = 0;
  lua_State *L = lua_newstate(request, &memory);
  luaL_openlibs(L);
  lua_pushcfunction(L, luaopen_sat_core);
  lua_setglobal(L, "open");
  if (luaL_loadstring(L, script) != 0) {
    note(count, k, at_once, lua_tostring(L, -1));
    lua_close(L);
    return false;
  }
  bool stopped = true;
  if (setjmp(out) == 0) stopped = run_until(L, k, at_once, count);
  closing = NULL;
  note(count, k, at_once, memory.blocks ? "some blocks have not come back" : NULL);
  return stopped;
}

int main(void) {
  Count count = {0, 0};
  int step =
      (int)(1000 / rounds(1000)); /* all of them; where that takes too long, one in so many */
  if (step < 1) step = 1;
  for (int at_once = 0; at_once < 2; at_once++) {
    int k = 1;
    while (count.failed < 20 && stop_at(k, at_once, &count)) k += step;
    printf("# stopped at one in %d of %d instructions%s\n", step, k,
           at_once ? " by closing the state" : "");
  }
  printf("1..%d\n", count.passed + count.failed);
  return count.failed != 0;
}
