/* test_lua_undo.c: where an allocation of a call fails, the call changes nothing.
 *
 * The scenes and the calls are in undo.lua, in the folder above. It makes a scene, lets the k-th
 * request of a call fail, for every k, compares the scene with one that saw no call, and calls
 * again. */
#include "test/lua/state.h"

#include <stdlib.h>

typedef struct Memory {
  long left;     /* requests until the first failure; negative: none will fail */
  long failures; /* how many requests in a row fail then */
  bool failed;
} Memory;

static Memory memory = {-1, 0, false};

static void *request(void *context, void *block, size_t old_size, size_t size) {
  (void)context;
  if (!block) old_size = 0; /* since 5.2 the old size of a new block is its kind */
  if (size > old_size && memory.left >= 0 && memory.left-- == 0) {
    memory.failed = true;
    memory.left = --memory.failures > 0 ? 0 : -1;
    return NULL;
  }
  if (size > 0) return realloc(block, size);
  free(block);
  return NULL;
}

/* fail(k, count): from now on the k-th request and the ones after it fail, `count` of them. Since
 * 5.2 Lua collects garbage and tries again where a request fails. */
static int fail(lua_State *L) {
  memory.left = (long)luaL_checkinteger(L, 1);
  memory.failures = (long)luaL_checkinteger(L, 2);
  memory.failed = false;
  return 0;
}

/* suffice(): no request fails from now on. Returns whether one has. */
static int suffice(lua_State *L) {
  memory.left = -1;
  lua_pushboolean(L, memory.failed);
  return 1;
}

static int prepare(lua_State *L) {
  lua_register(L, "fail", fail);
  lua_register(L, "suffice", suffice);
  lua_register(L, "note", note_of_script);
  return preload(L);
}

int main(void) {
  lua_State *L = make_state(request, NULL);
  if (!L) return 1;
  luaL_openlibs(L);
  lua_pushcfunction(L, prepare);
  bool has_run = lua_pcall(L, 0, 0, 0) == 0 && luaL_loadfile(L, "csrc/test/undo.lua") == 0 &&
                 lua_pcall(L, 0, 0, 0) == 0;
  memory.left = -1;
  note(has_run ? NULL : lua_tostring(L, -1), "the script runs to its end");
  lua_close(L);
  return finish_tests();
}
