/* test_lua_memory.c: every allocation of a script fails in turn.
 *
 * A script makes and uses shapes, quadtrees and worlds in a state whose allocator fails at the k-th
 * request, for every k, and at no later request or at all of them. The script must end well or with
 * "not enough memory", a second script must find its objects sound, and the state must give back
 * every block when it closes.
 *
 * A move that asks a function must leave the world as it was, and unlocked, wherever it fails: at
 * every request of memory, with every answer. */
#include "test/lua/state.h"
#include "test/random.h"

#include <stdlib.h>
#include <string.h>

typedef struct Memory {
  long blocks;   /* taken and not given back; LuaJIT misstates bytes after a failure */
  long left;     /* requests until the first failure; negative: none will fail */
  bool for_good; /* every later request fails, too */
  bool failed;
} Memory;

/* The scripts: `first` runs out of memory, and `second`, which has enough, checks the objects of
 * `first`. */
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
    "  a:raycast(-3, 0, 3, 0.5); a:support(1, 2); a:project(1, 2); a:bounds(); use(sat, a)\n"
    "  a:clone():stretch(2, 3)\n"
    "  if a:isConvex() then a:axis(a:clone():move(1, 1)) end\n"
    "end\n"
    "relate(sat, shapes[1], shapes[2])\n"
    "sat.validate(large)\n"
    "kept.holed = draw(sat)\n"
    "pcall(sat.polygon, 0, 0, 9, 0, 1, 1, 0, 9); pcall(shapes[1].move, 1, 2)\n"
    "pcall(function() shapes[1].name = 2 end)\n"
    "local q = sat.quadtree(0, 0, 10, 10, { capacity = 2 })\n"
    "kept.q, kept.weak = q, setmetatable({}, { __mode = 'k' })\n"
    "for i = 1, 12 do local t = {}; kept.weak[t] = true; q:insert(t, i, i, 9, 9) end\n"
    "for i, a in ipairs(shapes) do q:insert(a) end\n"
    "for i = 1, 40 do q:insert(i, i % 7, i % 5, 1, 1) end\n"
    "for i = 1, 40, 3 do q:remove(i) end\n"
    "q:build({ 'a', 'b', {}, 1, 100, 101 }, { 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 2, 2, 3, "
    "3, "
    "3, 3, 4, 4, 4, 4 })\n"
    "for i = 2, 40, 3 do q:update(i, i % 5, i % 7, 2, 2) end\n"
    "q:update(shapes[3]); kept.text = tostring(q)\n"
    "local out = q:retrieve(0, 0, 5, 5); q:get('a'); q:has('a'); q:count()\n"
    "q:retrieve(shapes[3], out); q:neighbors('a'); q:raycast(-1, -1, 9, 9); q:nearest(3, 3)\n"
    "q:raycastAll(-1, -1, 9, 9); q:nearestAll(3, 3, 30)\n"
    "for a, b in q:pairs() do\n"
    "  for c in q:nodes() do if c then break end end\n"
    "  if a == 'a' then q:insert({}, 1, 1, 1, 1) end\n"
    "  for c, d in q:pairs() do if c == a then break end end\n"
    "end\n"
    "local other = sat.quadtree(0, 0, 1, 1)\n"
    "for i = 1, 30 do other:insert(i + 0.5, i, i, 1, 1) end\n"
    "other:clear():insert(q, 0, 0, 1, 1):insert(other, 0, 0, 1, 1)\n"
    "kept.other = other\n"
    "local w = sat.world()\n"
    "kept.w = w\n"
    "for i, a in ipairs(shapes) do w:add(a) end\n"
    "for i = 1, 30 do w:add(sat.circle(i % 5, i % 3, 1):setData(w)) end\n"
    "w:update(); w:separate(2); w:update()\n"
    "local m = w:shapes()[1]\n"
    "w:collide(m); w:check(m, 5, 5); w:move(m, 5, 5, 'bounce')\n"
    "w:move(m, 5, 5, function() return 'push' end)\n"
    "for hit in w:hits() do assert(hit) end\n"
    "w:carry(m, 1, -1); w:pushed(); for o in w:carried() do assert(o) end\n"
    "kept.text = tostring(w)\n"
    "for a, b in w:collisions() do\n"
    "  for c in w:collisions(a) do if c == b then break end end\n"
    "  if w:has(b) and a == shapes[1] then w:remove(b) end\n"
    "end\n"
    "for x in w:nodes() do for y in w:nodes() do if y > x then break end end end\n"
    "local saved = w:save()\n"
    "w:update(); w:remove(shapes[1]); w:update()\n"
    "for a, b in w:ended() do if a == shapes[1] then break end end\n"
    "for a, b in w:began() do break end\n"
    "for a, b in w:touching() do if a == shapes[1] then break end end\n"
    "ask(sat, w, shapes[1])\n"
    "w:load(saved); w:update()\n"
    "local delta = w:save { since = saved }; w:add(sat.circle(9, 9, 9)); w:load(delta)\n"
    "local copy = sat.world():load(saved); copy:update(); kept.copy = copy\n"
    "w:clear(); w:update(); w:load(saved)\n"
    "sat.world():add(sat.point(0, 0)):release()\n"
    /* Objects that a finalizer makes while the state closes are never finalized. */
    "local function late() late_world = sat.world():add(sat.circle(0, 0, 1)) late_loop = { "
    "sat.quadtree(0, 0, 1, 1):insert({}, 0, 0, 1, 1):pairs() } "
    "end\n"
    "if newproxy then kept.late = newproxy(true); getmetatable(kept.late).__gc = late\n"
    "else kept.late = setmetatable({}, { __gc = late }) end\n";

/* Functions that `first` calls, with methods of a shape and queries of a world. LuaJIT's compiler
 * is off: its code calls these functions as the interpreter does, and each trace that the compiler
 * makes costs two system calls. */
static const char using[] =
    "if jit then jit.off() end\n"
    "function use(sat, a)\n"
    "  local s = a:clone():moveTo(1, 2):setRotation(1):transform(1, 2, 3):setFilter(1, 1, 0)\n"
    "  s:setSensor(true):setStatic(true):setEnabled(false)\n"
    "  s:boundingCircle(); s:center(); s:radius(); s:rotation(); s:scaleFactor(); s:area()\n"
    "  s:setMass(2):mass(); s:setOneWay(0, -1):oneWay(); s:setOneWay()\n"
    "  s:filter(); s:isConvex(); s:isSensor(); s:isStatic(); s:isEnabled(); s:data(); s:world()\n"
    "  return sat.type(s), sat.pieceOf(s, 1, {})\n"
    "end\n"
    "function relate(sat, a, b)\n"
    "  sat.overlaps(a, b); sat.collide(a, b); sat.contacts(a, b); sat.distance(a, b)\n"
    "  sat.contains(a, b); sat.axis(a, b); sat.cast(a, 1, 2, b); sat.raycast(a, -3, 0, 3, 1)\n"
    "  sat.turn(a, 1, b); a:turn(1, b); a:parts(); a:part(1); a:partAt(0, 0)\n"
    "  for i in sat.parts(a, b) do assert(i) end\n"
    "  sat.sector(0, 0, 9, 0, 1); sat.ring(0, 0, 4, 9, 8)\n"
    "  sat.validate(0, 0, 1, 1, 1, 0, 0, 1); sat.ffiInterface(debug.getmetatable(a))\n"
    "end\n"
    "function draw(sat)\n"
    "  local image = { getDimensions = function() return 5, 4 end,\n"
    "    getPixel = function(_, x, y) return 0, 0, 0, (x * y) % 3 / 2 end }\n"
    "  sat.simplify(sat.outline(image), 1)\n"
    "  local box, ring = sat.rectangle(0, 0, 5, 5), { 2, 2, 9, 2, 2, 9, 5, 1 }\n"
    "  sat.union(box, ring); sat.intersection(box, ring)\n"
    "  sat.difference(box, ring); sat.exclusion(box, ring)\n"
    "  sat.repair({ { 0, 0, 4, 4, 4, 0, 0, 4 } }, 'evenodd')\n"
    "  local function frame(c, r) return c % 3 ~= 2 or r % 3 ~= 2 end\n"
    "  pcall(sat.polygon, { { 0, 0, 9, 0, 9, 9 }, { 20, 0, 21, 0, 21, 1 } })\n"
    "  return sat.polygon(sat.simplify(sat.outline(frame, 9, 9), 0)[1])\n"
    "end\n"
    "function ask(sat, w, shape)\n"
    "  local out = w:at(1, 1); w:query(0, 0, 3, 3, out); w:query(shape); w:shapes(out)\n"
    "  w:cast(shape, 5, 5); w:raycast(-9, 0, 9, 1); w:raycastAll(-9, 0, 9, 1)\n"
    "  for s in w:raycasts(-9, 0, 9, 1, shape) do end\n"
    "  w:nearest(9, 9); w:nearestAll(9, 9, 40); w:visible(30, 30, 60); w:count(); sat.wayOf(w, "
    "out)\n"
    "  sat.checkAnswered(w, shape, 5, 5, 'sc'); sat.answered(w)\n"
    "  sat.setRectangle(sat.rectangle(0, 0, 1, 1), 2, 2, 3, 3)\n"
    "  local map = { x = 0, y = 0, size = 1, width = 50, height = 2 }\n"
    "  local old = { 0, 0, 0, 0, keys = { 2 }, shapes = { shape } }\n"
    "  local chunk = { 5, 2, 1, 2, keys = {}, shapes = {} }\n"
    "  sat.rectangles(w, map, chunk, old, {}, {}, 0, 0); sat.differing(chunk, old, 4)\n"
    "  sat.spans(sat.circle(2, 2, 2), 0, 0, 1, 1, 4, 1, 4)\n"
    "  w:checkTurn(shape, 1); w:turn(shape, 1, 'slide')\n"
    "end\n";

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
    "local q = kept.q\n"
    "if q then\n"
    "  local found, n = q:retrieve(-1e9, -1e9, 2e9, 2e9)\n"
    "  assert(n == #q and #found == n)\n"
    "  local seen = {}\n"
    "  for _, item in ipairs(found) do\n"
    "    local x, y, w, h = q:get(item)\n"
    "    assert(x and w >= 0 and q:has(item) and not seen[item])\n"
    "    seen[item] = true\n"
    "    assert(not pcall(q.insert, q, item, 0, 0, 1, 1))\n"
    "    q:update(item, x, y, w, h)\n"
    "  end\n"
    "  for i = 1, 101 do assert(q:has(i) == (seen[i] or false)) end\n"
    "  for a, b in q:pairs() do assert(seen[a] and seen[b] and a ~= b) end\n"
    "  for _, item in ipairs(found) do assert(q:remove(item)) end\n"
    "  assert(#q == 0 and not q:nearest(0, 0))\n"
    "  found, seen = nil, nil\n"
    "  collectgarbage(); collectgarbage()\n"
    "  assert(not kept.weak or not next(kept.weak))\n"
    "  q:clear()\n"
    "  for i = 1, 50 do q:insert(i, 0, 0, 1, 1) end\n"
    "  local count = 0\n"
    "  for a, b in q:pairs() do count = count + 1 end\n"
    "  assert(count == 1225)\n"
    "end\n"
    "for _, name in ipairs { 'w', 'copy' } do\n"
    "  local w = kept[name]\n"
    "  if w then\n"
    "    collectgarbage()\n"
    "    w:update()\n"
    "    local count = 0\n"
    "    for i, shape in ipairs((w:shapes())) do\n"
    "      assert(shape:world() == w and w:has(shape) and not pcall(w.add, w, shape))\n"
    "      count = count + 1\n"
    "      shape:moveTo(count, 0)\n"
    "    end\n"
    "    assert(count == #w or not rawlen and count == w:count())\n"
    "    for a, b in w:collisions() do assert(a:overlaps(b)) end\n"
    "    local saved = w:save()\n"
    "    assert(w:load(saved):save() == saved)\n"
    "    for i, shape in ipairs((w:shapes())) do w:remove(shape) end\n"
    "    w:update()\n"
    "    assert(w:count() == 0)\n"
    "    for i = 1, 20 do w:add(sat.circle(0, 0, 1)) end\n"
    "    assert(w:update() == 190)\n"
    "  end\n"
    "end\n"
    "local dx, dy, depth = sat.rectangle(0, 0, 10, 10):collide(sat.rectangle(9, 0, 10, 10))\n"
    "assert(dx == -1 and dy == 0 and depth == 1)\n"
    "assert(sat.rectangle(0, 0, 1, 1):setData('new'):data() == 'new')\n";

/* Records which functions `first` calls: `raycast` of a quadtree is another function than that of a
 * world. */
static const char recording[] =
    "local sat, missing = open(), {}\n"
    "function open() return sat end\n"
    "local function record(kind, functions)\n"
    "  local originals = {}\n"
    "  for name, f in pairs(functions) do\n"
    "    if type(f) == 'function' then originals[name] = f end\n"
    "  end\n"
    "  for name, f in pairs(originals) do\n"
    "    missing[f] = name .. ' of ' .. kind\n"
    "    functions[name] = function(...)\n"
    "      missing[f] = nil\n"
    "      return f(...)\n"
    "    end\n"
    "  end\n"
    "end\n"
    "record('shape', debug.getmetatable(sat.point(0, 0)).__index)\n"
    "record('world', debug.getmetatable(sat.world()).__index)\n"
    "record('quadtree', debug.getmetatable(sat.quadtree(0, 0, 1, 1)).__index)\n"
    "record('sat', sat)\n"
    "function check_recorded()\n"
    "  local list = {}\n"
    "  for _, name in pairs(missing) do list[#list + 1] = name end\n"
    "  table.sort(list)\n"
    "  if list[1] then error('not called: ' .. table.concat(list, ', '), 0) end\n"
    "end\n";

static void *request(void *context, void *block, size_t old_size, size_t size) {
  Memory *memory = context;
  if (!block) old_size = 0; /* since 5.2 the old size of a new block is its kind */
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
  lua_State *L = make_state(request, memory);
  if (!L) return NULL;
  luaL_openlibs(L);
  lua_pushcfunction(L, luaopen_sat_core);
  lua_setglobal(L, "open");
  lua_createtable(L, 40, 16); /* the full size: 5.1 spoils a table that it fails to enlarge */
  lua_setglobal(L, "kept");
  return L;
}

/* Runs the function on top of the stack. Returns NULL or the message of its error. */
static const char *run(lua_State *L) {
  if (lua_pcall(L, 0, 0, 0) == 0) return NULL;
  const char *message = lua_tostring(L, -1);
  return message ? message : "an error that is no string";
}

static void note_request(const char *problem, const char *what, long k, bool for_good) {
  note(problem, "request %ld%s: %s", k, for_good ? " and all after it" : "", what);
}

/* Lets the k-th request fail. Returns whether the script made as many requests. */
static bool fail_at(long k, bool for_good) {
  Memory memory = {0, -1, for_good, false};
  lua_State *L = open_state(&memory);
  if (!L || luaL_dostring(L, using) || luaL_loadstring(L, second) != 0 ||
      luaL_loadstring(L, first) != 0) {
    note_request("no state, or the scripts have a mistake", "the start", k, for_good);
    if (L) lua_close(L);
    return false;
  }
  memory.left = k;
  const char *problem = run(L);
  memory.left = -1;
  if (problem && strstr(problem, "not enough memory")) problem = NULL;
  note_request(problem, "the script", k, for_good);
  lua_settop(L, 1);
  note_request(run(L), "the state after it", k, for_good);
  lua_close(L);
  note_request(memory.blocks ? "some have not come back" : NULL, "the blocks", k, for_good);
  return memory.failed;
}

/* ---------------------------------------------------------------- moves that ask */

/* Twenty shapes are around the mover and twenty ahead. `go` moves with an answer, and `check` must
 * find the world as it was, or where a move with enough memory leaves it, and everything free to
 * change. */
static const char moving[] =
    "if jit then jit.off() end\n"
    "local sat, w, mover, saved, moved = open()\n"
    "local shapes = {}\n"
    "local function answer(value) return function() return value end end\n"
    "local function raise(value) return function() error(value, 0) end end\n"
    "answers = { answer 'slide', answer 'touch', answer 'bounce', answer 'cross', answer(true),\n"
    "  answer(false), answer(nil), answer 'wrong', answer(1), raise 'text', raise {}, raise(nil),\n"
    "  raise(raise), coroutine.yield, function() coroutine.yield() end,\n"
    "  function() w:move(mover, 1, 1) end, function() w:remove(mover) end,\n"
    "  function() mover:move(1, 1) end, function() w:check(mover, 1, 1) end,\n"
    "  function() w:load(saved) end, function() w:release() end, function() w:update() end,\n"
    "  function(_, other) other:moveTo(0, 0) end,\n"
    "  function(_, other) return w:query(other) and w:cast(other, 1, 1) and 'cross' or 'touch' end "
    "}\n"
    "function begin(stay)\n"
    "  w, mover = sat.world(), sat.circle(0, 0, 1)\n"
    "  w:add(mover)\n"
    "  for i = 1, 40 do\n"
    "    shapes[i] = sat.circle(i < 20 and i / 30 or 3 * i, i % 3 - 1, 1)\n"
    "    w:add(shapes[i])\n"
    "  end\n"
    "  saved, method = w:save(), stay and w.check or w.move\n"
    "end\n"
    "function go() good = pcall(method, w, mover, 300, 1, reply) end\n"
    "function check(is_first)\n"
    "  local now = w:save()\n"
    "  if is_first then moved = now end\n"
    "  assert(now == (good and moved or saved), 'the world has changed')\n"
    "  mover:move(0, 0)\n"
    "  for _, shape in ipairs(shapes) do shape:move(0, 0) end\n"
    "  assert(w:remove(mover) and w:add(mover) and w:check(mover, 1, 1, 'cross'))\n"
    "  w:load(saved):update()\n"
    "  w:clear():release()\n"
    "end\n";

/* Moves with the k-th request failing. Returns NULL or what is wrong. */
static const char *move_at(lua_State *L, Memory *memory, long k, bool stay) {
  lua_settop(L, 0);
  lua_getglobal(L, "begin");
  lua_pushboolean(L, stay);
  if (lua_pcall(L, 1, 0, 0)) return lua_tostring(L, -1);
  lua_getglobal(L, "check");
  lua_pushboolean(L, k < 0);
  lua_getglobal(L, "go");
  memory->failed = false;
  memory->left = k;
  int status = lua_pcall(L, 0, 0, 0);
  memory->left = -1;
  if (status) lua_settop(L, 2); /* the call of pcall itself had no memory */
  return lua_pcall(L, 1, 0, 0) ? lua_tostring(L, -1) : NULL;
}

/* Sets the answer with a number. Returns whether there is one. */
static bool set_answer(lua_State *L, int index) {
  lua_settop(L, 0);
  lua_getglobal(L, "answers");
  lua_rawgeti(L, 1, index);
  bool is_answer = !lua_isnil(L, -1);
  lua_setglobal(L, "reply");
  return is_answer;
}

static void check_moves(bool for_good, bool stay) {
  Memory memory = {0, -1, for_good, false};
  lua_State *L = open_state(&memory);
  const char *problem = !L ? "no state" : luaL_dostring(L, moving) ? lua_tostring(L, -1) : NULL;
  long requests = 0;
  for (int i = 1; !problem && set_answer(L, i); i++) {
    problem = move_at(L, &memory, -1, stay);
    for (long k = 0; !problem && (k == 0 || memory.failed); k++, requests++)
      problem = move_at(L, &memory, k, stay);
    if (problem) printf("# answer %d, request %ld\n", i, requests);
  }
  note_request(problem, stay ? "checks that ask" : "moves that ask", requests, for_good);
  if (L) lua_close(L);
  note_request(memory.blocks ? "are not back" : NULL, "the blocks after them", requests, for_good);
}

/* Runs the first script with enough memory, and checks that it calls every function. */
static void check_calls(void) {
  Memory memory = {0, -1, false, false};
  lua_State *L = open_state(&memory);
  bool runs = L && !luaL_dostring(L, using) && !luaL_dostring(L, recording) &&
              !luaL_dostring(L, first) && !luaL_dostring(L, "check_recorded()");
  const char *problem = runs ? NULL : L ? lua_tostring(L, -1) : "no state";
  note(problem, "the script calls every function");
  if (L) lua_close(L);
}

int main(void) {
  check_calls();
  for (int i = 0; i < 4; i++) check_moves(i & 1, i & 2);
    /* SAT_DEBUG stands for the slow sanitizers, with which one request in four fails. */
#ifdef SAT_DEBUG
  static const long share = 4000;
#else
  static const long share = 1000;
#endif
  long step = share / (long)rounds(1000);
  if (step < 1) step = 1;
  for (int for_good = 0; for_good < 2; for_good++) {
    long k = 0;
    while (tests.failed < 20 && fail_at(k, for_good)) k += step;
    printf("# one in %ld of %ld requests failed%s\n", step, k,
           for_good ? ", and all after it" : " once");
  }
  return finish_tests();
}
