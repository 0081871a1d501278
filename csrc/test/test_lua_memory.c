/* test_lua_memory.c: every allocation of a script fails in turn.
 *
 * A script makes and uses shapes in a state whose allocator gives out at the k-th request, for
 * every k, and either goes on then or gives nothing more. The script must end with "not enough
 * memory" or well, the state must be as good as before, and when it closes every block must have
 * come back. */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int luaopen_sat_core(lua_State *L);

typedef struct Memory {
  long blocks;   /* not given back yet; LuaJIT misstates bytes after a failure */
  long left;     /* requests until the first failure; negative: none will fail */
  bool for_good; /* every later one fails as well */
  bool failed;
} Memory;

/* What is to fail. `first` is what runs out of memory, `second` has all it wants and checks what is
 * left. */
static const char first[] =
    "local sat = open()\n"
    "kept.sat = sat\n"
    "local function ring(n) local t = {}\n"
    "  for k = 0, n - 1 do t[2 * k + 1], t[2 * k + 2] = math.cos(6.28 * k / n), math.sin(6.28 * k "
    "/ n) end\n"
    "  return t end\n"
    "local small, large = ring(7), ring(100)\n"
    "local shapes = { sat.polygon(small), sat.polygon(large), sat.polygon(0, 0, 1, 0, 0, 1), "
    "sat.hull(small),\n"
    "  sat.hull(large), sat.rectangle(0, 0, 1, 2, 3), sat.regular(0, 0, 1, 5, 1), sat.regular(0, "
    "0, 1, 70),\n"
    "  sat.ellipse(0, 0, 2, 1), sat.circle(0, 0, 1), sat.capsule(0, 0, 1, 1, 1), sat.segment(0, 0, "
    "1, 1),\n"
    "  sat.point(0, 0), sat.polygon(0, 0, 9, 0, 1, 1, 0, 9), sat.chain({ 0, 0, 1, 0, 1, 1 }, true) "
    "}\n"
    "shapes[#shapes + 1] = sat.compound(shapes[1], shapes[#shapes - 1])\n"
    "for i, a in ipairs(shapes) do\n"
    "  kept[i] = a:setData({ a }):setData('data')\n"
    "  kept[20 + i] = a:clone():setRadius(1):move(3, 0):rotate(1, 2, 3):flip():scale(2)\n"
    "  kept.pieces, kept.text = a:pieces(), tostring(a)\n"
    "  if a:kind() ~= 'compound' then\n"
    "    kept.list = a:vertices()\n"
    "    a:vertices(kept.list)\n"
    "    kept.last = a:unpack()\n"
    "  end\n"
    "  for _, b in ipairs(shapes) do\n"
    "    a:overlaps(b); a:collide(b); a:contacts(b); a:distance(b); a:contains(b); a:cast(1, 2, "
    "b)\n"
    "  end\n"
    "  a:raycast(-3, 0, 3, 0.5); a:support(1, 2); a:bounds()\n"
    "end\n"
    "sat.validate(large); sat.validate(0, 0, 1, 1, 1, 0, 0, 1)\n"
    "pcall(sat.polygon, 0, 0, 9, 0, 1, 1, 0, 9); pcall(shapes[1].move, 1, 2)\n"
    "pcall(function() shapes[1].name = 2 end)\n";

static const char second[] =
    "local sat = kept.sat or open()\n"
    "for i = 1, 40 do\n"
    "  local value = kept[i]\n"
    "  if value then\n"
    "    assert(value:kind() and value:area() >= 0 and #value:pieces() > 0 and tostring(value))\n"
    "    assert(value:data() == nil or value:data() == 'data' or value:data()[1] == value)\n"
    "    value:setData(1):clone():move(1, 1)\n"
    "  end\n"
    "end\n"
    "local t = {}\n"
    "for k = 0, 499 do t[2 * k + 1], t[2 * k + 2] = k, k * k end\n"
    "assert(#sat.polygon(t):vertices() == 1000 and #sat.hull(t):vertices() == 1000)\n"
    "local dx, dy, depth = sat.rectangle(0, 0, 10, 10):collide(sat.rectangle(9, 0, 10, 10))\n"
    "assert(dx == -1 and dy == 0 and depth == 1)\n"
    "assert(sat.rectangle(0, 0, 1, 1):setData('new'):data() == 'new')\n";

static void *request(void *context, void *block, size_t old_size, size_t size) {
  Memory *memory = context;
  if (!block) old_size = 0; /* since 5.2 it tells what the block is for */
  if (size > old_size && memory->left >= 0) {
    if (memory->left == 0) {
      memory->failed = true;
      if (!memory->for_good) memory->left = -1;
      return NULL;
    }
    memory->left--;
  }
  if (size == 0) {
    memory->blocks -= block != NULL;
    free(block);
    return NULL;
  }
  void *result = realloc(block, size);
  memory->blocks += result && !block;
  return result;
}

static lua_State *open_state(Memory *memory) {
  lua_State *L = lua_newstate(request, memory);
  if (!L) return NULL;
  luaL_openlibs(L);
  lua_pushcfunction(L, luaopen_sat_core);
  lua_setglobal(L, "open");
  lua_createtable(L, 40, 16); /* its full size: 5.1 spoils a table that it fails to enlarge */
  lua_setglobal(L, "kept");
  return L;
}

/* Runs the function on top of the stack; NULL or the error. */
static const char *run(lua_State *L) {
  if (lua_pcall(L, 0, 0, 0) == 0) return NULL;
  const char *message = lua_tostring(L, -1);
  return message ? message : "an error that is no string";
}

typedef struct Count {
  int passed, failed;
} Count;

static void note(Count *count, const char *what, long k, bool for_good, const char *problem) {
  if (problem) {
    const char *rest = for_good ? " and all after it" : "";
    printf("FAILED: request %ld%s: %s: %s\n", k, rest, what, problem);
    count->failed++;
  } else {
    count->passed++;
  }
}

/* Lets the k-th request fail. Returns whether there were so many. */
static bool fail_at(long k, bool for_good, Count *count) {
  Memory memory = {0, -1, for_good, false};
  lua_State *L = open_state(&memory);
  if (!L || luaL_loadstring(L, second) != 0 || luaL_loadstring(L, first) != 0) {
    note(count, "the start", k, for_good, "no state, or the scripts have a mistake");
    if (L) lua_close(L);
    return false;
  }
  memory.left = k;
  const char *problem = run(L);
  memory.left = -1;
  if (problem && strstr(problem, "not enough memory")) problem = NULL;
  note(count, "the script", k, for_good, problem);
  lua_settop(L, 1);
  note(count, "the state after it", k, for_good, run(L));
  lua_close(L);
  note(count, "the blocks", k, for_good, memory.blocks ? "some have not come back" : NULL);
  return memory.failed;
}

int main(void) {
  Count count = {0, 0};
  for (int for_good = 0; for_good < 2; for_good++) {
    long k = 0;
    while (count.failed < 20 && fail_at(k, for_good, &count)) k++;
    printf("each of %ld requests failed%s\n", k, for_good ? ", and all after it" : " once");
  }
  printf("%d passed, %d failed\n", count.passed, count.failed);
  return count.failed != 0;
}
