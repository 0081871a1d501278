/* test_lua_collector.c: trees that a script drops are collected before they fill the memory,
 * whether Lua's own heap is small or large. */
#include "test/lua/state.h"

#include <stdlib.h>

typedef struct Memory {
  size_t bytes, most;
} Memory;

static void *request(void *context, void *block, size_t old_size, size_t size) {
  Memory *memory = context;
  if (!block) old_size = 0; /* since 5.2 the old size of a new block is its kind */
  if (size == 0) {
    memory->bytes -= old_size;
    free(block);
    return NULL;
  }
  void *result = realloc(block, size);
  if (!result) return NULL;
  memory->bytes += size - old_size;
  if (memory->bytes > memory->most) memory->most = memory->bytes;
  return result;
}

/* Makes a tree of some megabytes, which it returns. */
static const char script[] =
    "function make_tree()\n"
    "  local tree = open().quadtree(0, 0, 1000, 1000)\n"
    "  for i = 1, 20000 do tree:insert(i, i % 900, i * 7 % 900, 5, 5) end\n"
    "  return tree\n"
    "end\n"
    "function make_tables(count)\n"
    "  tables = {}\n"
    "  for i = 1, count do tables[i] = { i } end\n"
    "end\n";

static bool run(lua_State *L, const char *text) {
  if (luaL_dostring(L, text) == 0) return true;
  printf("# %s\n", lua_tostring(L, -1));
  return false;
}

/* Makes and drops trees beside the tables that a script makes. Returns whether the memory stayed
 * below some trees and a multiple of Lua's own, which the collector lets grow before it begins. */
static bool stays_low(const char *tables) {
  Memory memory = {0, 0};
  lua_State *L = make_state(request, &memory);
  if (!L) abort();
  luaL_openlibs(L);
  lua_register(L, "open", luaopen_sat_core);
  bool is_right = run(L, script) && run(L, tables) && run(L, "collectgarbage()");
  size_t of_lua = memory.bytes;
  is_right = is_right && run(L, "kept = make_tree()");
  size_t of_tree = memory.bytes - of_lua;
  memory.most = memory.bytes;
  is_right = is_right && run(L, "for _ = 1, 40 do make_tree() end");
  size_t bound = 10 * of_tree + 6 * of_lua;
  printf("# %zu bytes of Lua, %zu of a tree: at most %zu, and the bound is %zu\n", of_lua, of_tree,
         memory.most, bound);
  lua_close(L);
  return is_right && memory.most <= bound && memory.bytes == 0;
}

int main(void) {
  static const char *const scripts[] = {"make_tables(0)", "make_tables(30000)",
                                        "make_tables(300000)"};
  for (int i = 0; i < 3; i++)
    note(stays_low(scripts[i]) ? NULL : "the memory grows", "%s", scripts[i]);
  return finish_tests();
}
