/* hosts.c: what hosts of every kind find in sat.c: under another name, in several states, without
 * Lua's library `package`, and where memory runs out. Prints each failure, and a line with counts.
 * With arguments it is a host that runs a script with them. */
#include <lauxlib.h>
#include <lualib.h>

#include "sat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int passed, failed;

/* ---------------------------------------------------------------- states */

typedef struct Memory {
  long blocks, left; /* taken and not given back; requests until all fail, unless negative */
} Memory;

static void *request(void *context, void *block, size_t old_size, size_t size) {
  Memory *memory = (Memory *)context;
  if (!block) old_size = 0;
  if (size == 0) {
    memory->blocks -= block != NULL;
    free(block);
    return NULL;
  }
  if (size > old_size && memory->left >= 0 && memory->left-- == 0) {
    memory->left = 0;
    return NULL;
  }
  void *result = realloc(block, size);
  memory->blocks += result && !block;
  return result;
}

static lua_State *new_state(Memory *memory) {
#ifdef LUA_GCPARAM /* since 5.5 a state takes a seed */
  return lua_newstate(request, memory, 0);
#else
  return lua_newstate(request, memory);
#endif
}

/* The libraries that a careful host opens: no debug, io, os, nor package. */
static void open_few(lua_State *L) {
  static const luaL_Reg few[] = {{"", luaopen_base},
                                 {LUA_TABLIBNAME, luaopen_table},
                                 {LUA_STRLIBNAME, luaopen_string},
                                 {LUA_MATHLIBNAME, luaopen_math}};
  for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
    lua_pushcfunction(L, few[i].func);
    lua_pushstring(L, few[i].name);
    lua_call(L, 1, 1);
    if (i > 0) lua_setglobal(L, few[i].name); /* which 5.1 does by itself */
    lua_settop(L, 0);
  }
}

static void open_all(lua_State *L) { luaL_openlibs(L); }

/* ---------------------------------------------------------------- tests */

static void judge(lua_State *L, const char *name, int status) {
  if (status == 0) passed++;
  else failed++, printf("%s: %s\n", name, lua_tostring(L, -1));
  lua_settop(L, 0);
}

static void run(lua_State *L, const char *name, const char *script) {
  judge(L, name, luaL_dostring(L, script));
}

/* The global `open` opens the module, or a part, under the name that it is given. */
static lua_State *host(void (*open)(lua_State *L)) {
  static Memory memory = {0, -1};
  lua_State *L = new_state(&memory);
  if (!L) abort();
  open(L);
  lua_register(L, "open", luaopen_sat);
  if (luaL_dostring(L, "if package then package.path, package.cpath = '', '' end")) abort();
  return L;
}

static const char parts[] = "local sat, tiles, tiled, bump, character = ...\n"
                            "local world = sat.world()\n"
                            "world:add(sat.rectangle(0, 0, 2, 2), sat.circle(1, 1, 1))\n"
                            "assert(#world:svg() > 0 and world:update() == 1)\n"
                            "assert(tiles.new(world, 2, 2, 16, function() return true end))\n"
                            "local map = { orientation = 'orthogonal', width = 1, height = 1, "
                            "tilewidth = 8, tileheight = 8,\n"
                            "  tilesets = {}, layers = {} }\n"
                            "assert(type(tiled.shapes(map)) == 'table')\n"
                            "local items = bump.newWorld(64)\n"
                            "items:add('box', 0, 0, 8, 8)\n"
                            "assert(select(1, items:move('box', 4, 0)) == 4)\n"
                            "assert(character.new(world, sat.rectangle(9, 9, 1, 1)))\n"
                            "local ok, message = pcall(function() return sat.circel end)\n"
                            "assert(not ok and message:find('circle', 1, true), message)\n";

/* Runs `parts` with what the script returns. */
static void run_parts(lua_State *L, const char *name, const char *script) {
  int status = luaL_loadstring(L, parts);
  if (status == 0) status = luaL_loadstring(L, script);
  if (status == 0) status = lua_pcall(L, 0, LUA_MULTRET, 0);
  if (status == 0) status = lua_pcall(L, lua_gettop(L) - 1, 0, 0);
  judge(L, name, status);
}

static void test_names(void) {
  lua_State *L = host(open_all);
  run_parts(L, "under its own name",
            "local sat = open('sat') assert(require('sat') == sat)\n"
            "return sat, require('sat.tiles'), require('sat.tiled'), require('sat.bump'), "
            "require('sat.character')");
  run_parts(L, "under another name",
            "local sat = open('engine.sat') assert(require('engine.sat') == sat)\n"
            "return sat, require('engine.sat.tiles'), require('engine.sat.tiled'), "
            "require('engine.sat.bump'), require('engine.sat.character')");
  run(L, "a shape of one name is a shape of the other",
      "assert(require('sat').circle(0, 0, 1):overlaps(require('engine.sat').circle(1, 0, 1)))");
  lua_close(L);
  L = host(open_all);
  run_parts(L, "preloaded",
            "package.preload['libs/sat'] = open\n"
            "return require('libs/sat'), require('libs/sat.tiles'), require('libs/sat.tiled'), "
            "require('libs/sat.bump'), require('libs/sat.character')");
  run(L, "a part before the module",
      "local tiles = open('game.tiles') assert(type(tiles) == 'table')\n"
      "assert(require('game.tiles') == tiles and package.loaded.game and not package.loaded.sat)\n"
      "assert(require('game').circle and require('game.tiled').shapes)");
  run(L, "without a name", "assert(open() == require('sat') and open() ~= nil)");
  run(L, "what need not be loaded waits",
      "if _VERSION ~= 'Lua 5.1' or rawget(_G, 'jit') then\n"
      "  open('lazy')\n"
      "  for name in pairs(package.loaded) do assert(not name:find('^lazy%.[dfs]'), name) end\n"
      "end");
  lua_close(L);
}

/* The lines of functions and of messages are those of the files. */
static void test_lines(void) {
  lua_State *L = host(open_all);
  run(L, "a function begins in its line",
      "local count = 0\n"
      "for _, part in ipairs { 'tiles', 'tiled', 'bump', 'character' } do\n"
      "  open('sat')\n"
      "  for name, f in pairs(require('sat.' .. part)) do\n"
      "    local about = type(f) == 'function' and debug.getinfo(f, 'S')\n"
      "    if about and about.what == 'Lua' then\n"
      "      assert(about.source == '@sat/' .. part .. '.lua', about.source)\n"
      "      local number = 0\n"
      "      for line in io.lines('lua/' .. about.source:sub(2)) do\n"
      "        number = number + 1\n"
      "        if number == about.linedefined then assert(line:find('function', 1, true), line) "
      "end\n"
      "      end\n"
      "      assert(about.lastlinedefined <= number)\n"
      "      count = count + 1\n"
      "    end\n"
      "  end\n"
      "end\n"
      "assert(count > 3, count)");
  run(L, "a traceback names the file",
      "local _, trace = xpcall(function() require('sat.tiled').shapes(1) end, debug.traceback)\n"
      "assert(trace:find('sat/tiled.lua:%d+: in'), trace)");
  run(L, "a message names the line of the caller",
      "local f = (loadstring or load)('\\n\\nopen(\"sat\").circle(1, 2)', '@game.lua')\n"
      "local _, message = pcall(f)\n"
      "assert(message:find('^game.lua:3: bad argument #3'), message)");
  lua_close(L);
}

static void test_few_libraries(void) {
  lua_State *L = host(open_few);
  run(L, "there is no library package",
      "assert(not rawget(_G, 'package') and not rawget(_G, 'require'))");
  run_parts(L, "without it",
            "local sat = open('sat')\n"
            "return sat, open('sat.tiles'), open('sat.tiled'), open('sat.bump'), "
            "open('sat.character')");
  run_parts(L, "without it, a part first",
            "local tiles = open('mine.tiles')\n"
            "return open('mine'), tiles, open('mine.tiled'), open('mine.bump'), "
            "open('mine.character')");
  run(L, "it stays away, and no other global comes",
      "assert(not rawget(_G, 'package') and not rawget(_G, 'require') and not rawget(_G, 'sat'))");
  run(L, "without a global",
      "local names = {}\n"
      "for name in pairs(_G) do names[name] = true end\n"
      "open('once.more')\n"
      "for name in pairs(_G) do assert(names[name], name) end");
  lua_close(L);
}

static void test_states(void) {
  lua_State *a = host(open_all), *b = host(open_few);
  const char *script = "shapes = shapes or { open('sat').circle(0, 0, 2) }\n"
                       "shapes[#shapes + 1] = open('sat').rectangle(1, 0, 1, 1)\n"
                       "assert(shapes[1]:overlaps(shapes[#shapes]))";
  for (int i = 0; i < 3; i++) {
    run(a, "one state", script);
    run(b, "another state", script);
  }
  lua_close(a);
  run(b, "a state after another one's end", script);
  lua_close(b);
}

/* Returns whether opening the module went well with this many requests of memory. */
static int opens_with(long requests) {
  Memory memory = {0, -1};
  lua_State *L = new_state(&memory);
  if (!L) abort();
  open_all(L);
  lua_register(L, "open", luaopen_sat);
  /* Without memory LuaJIT's compiler leaves traces half made, and crashes when the state closes. */
  if (luaL_dostring(L, "if rawget(_G, 'jit') then jit.off() end")) abort();
  lua_pushcfunction(L, luaopen_sat);
  memory.left = requests;
  int status = lua_pcall(L, 0, 1, 0);
  memory.left = -1;
  const char *message = status ? lua_tostring(L, -1) : "";
  if (status && !strstr(message, "not enough memory")) judge(L, "an error without memory", status);
  lua_settop(L, 0);
  if (luaL_dostring(L, "assert(open().circle(0, 0, 1):area() > 3)"))
    judge(L, "opening once more, with memory", 1);
  lua_close(L);
  if (memory.blocks != 0)
    failed++, printf("%ld requests: %ld blocks are lost\n", requests, memory.blocks);
  return status == 0;
}

static void test_memory(void) {
  long requests = 0;
  while (!opens_with(requests)) requests += 1 + requests / 32;
  passed++;
}

static int run_script(int count, char **arguments) {
  static Memory memory = {0, -1};
  lua_State *L = new_state(&memory);
  if (!L) return 2;
  open_all(L);
  lua_newtable(L);
  for (int i = 0; i < count; i++) {
    lua_pushstring(L, arguments[i]);
    lua_rawseti(L, -2, i - 1);
  }
  lua_setglobal(L, "arg");
  lua_pushcfunction(L, luaopen_sat);
  int status = lua_pcall(L, 0, 0, 0);
  if (status == 0) status = luaL_dofile(L, arguments[1]);
  if (status != 0) fprintf(stderr, "%s\n", lua_tostring(L, -1));
  lua_close(L);
  return status != 0;
}

int main(int count, char **arguments) {
  if (count > 1) return run_script(count, arguments);
  test_names();
  test_lines();
  test_few_libraries();
  test_states();
  test_memory();
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
