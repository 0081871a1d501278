/* test_lua_finalizer.c: a finalizer runs at allocations of every function and changes the objects
 * with which the function works.
 *
 * The allocator counts the requests of a call and makes a collection due at the k-th one. The
 * collector then does a whole cycle at the next place where the call lets the collector work, and
 * so runs the finalizer there. The calls and the finalizers are in finalizer.lua, in the folder
 * above.
 *
 * No block is ever resized in place, a freed block is overwritten, and a write behind a block is
 * noticed when the block is freed, with sanitizers and without. */
#include "test/lua/state.h"
#include "test/saves.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- memory */

enum { GUARD = 32, GUARD_BYTE = 0xc9, FREED_BYTE = 0xdb };

/* The head before each block. */
typedef union Head {
  size_t size;
  max_align_t alignment;
} Head;

static lua_State *state;
static bool is_armed;
static long left; /* requests until a collection is due */
static long overruns;

static bool is_whole(const unsigned char *guard) {
  for (int i = 0; i < GUARD; i++)
    if (guard[i] != GUARD_BYTE) return false;
  return true;
}

static void release(void *block) {
  Head *head = (Head *)block - 1;
  if (!is_whole((unsigned char *)block + head->size)) overruns++;
  memset(block, FREED_BYTE, head->size);
  free(head);
}

/* The state never runs out of memory: a failure of malloc ends the test. */
static void *request(void *context, void *block, size_t old_size, size_t size) {
  (void)context;
  if (!block) old_size = 0; /* since 5.2 the old size of a new block is its kind */
  if (size == 0) {
    if (block) release(block);
    return NULL;
  }
  if (is_armed && size > old_size && left-- <= 0) lua_gc(state, LUA_GCRESTART, 0);
  Head *head = malloc(sizeof *head + size + GUARD);
  if (!head) abort();
  head->size = size;
  memset(head + 1, FREED_BYTE, size);
  memset((unsigned char *)(head + 1) + size, GUARD_BYTE, GUARD);
  if (block) memcpy(head + 1, block, old_size < size ? old_size : size);
  if (block) release(block);
  return head + 1;
}

/* ---------------------------------------------------------------- functions for finalizer.lua */

/* A step of the collector is a whole cycle, after which the collector rests for long. */
static void set_collector(lua_State *L) {
#if defined(LUA_GCPARAM)
  lua_gc(L, LUA_GCPARAM, LUA_GCPPAUSE, 1000);
  lua_gc(L, LUA_GCPARAM, LUA_GCPSTEPMUL, 0); /* no limit */
#elif LUA_VERSION_NUM >= 504
  lua_gc(L, LUA_GCINC, 1000, 1000, 30);
#else
  lua_gc(L, LUA_GCSETPAUSE, 1000);
  /* In 5.1 a step by the multiplier 0 has no limit. */
  lua_gc(L, LUA_GCSETSTEPMUL, LUA_VERSION_NUM == 501 ? 0 : INT_MAX);
#endif
}

/* rest(): collects all garbage and stops the collector. */
static int rest(lua_State *L) {
  is_armed = false;
  lua_gc(L, LUA_GCCOLLECT, 0);
  lua_gc(L, LUA_GCSTOP, 0);
  return 0;
}

/* arm(k): makes a collection due at the k-th request from now on, or at once for 0. */
static int arm(lua_State *L) {
  left = (long)luaL_checkinteger(L, 1);
  is_armed = true;
  if (left-- > 0) return 0;
  lua_gc(L, LUA_GCRESTART, 0);
#if LUA_VERSION_NUM == 502 /* 5.2 looks for debt before it takes memory */
  lua_newuserdata(L, 1);
#endif
  return 0;
}

/* disarm(): stops the collector. Returns whether the request of the last arm(k) has come. */
static int disarm(lua_State *L) {
  is_armed = false;
  lua_gc(L, LUA_GCSTOP, 0);
  lua_pushboolean(L, left < 0);
  return 1;
}

/* overrun(): whether a write behind a freed block has been noticed since the last call. */
static int overrun(lua_State *L) {
  lua_pushboolean(L, overruns > 0);
  overruns = 0;
  return 1;
}

/* with_sum_of(saved, other): another save with the checksum of the first one, if both end with the
 * record of the same circle. The filter of the circle, a word of free bits, makes up for all that
 * differs before it. */
static int with_sum_of(lua_State *L) {
  enum { BEHIND_FILTER = 152 - 16 };
  Bytes saved, other;
  saved.at = (unsigned char *)luaL_checklstring(L, 1, &saved.size);
  const char *bytes = luaL_checklstring(L, 2, &other.size);
  other.at = lua_newuserdata(L, other.size);
  memcpy(other.at, bytes, other.size);
  take_sum_of(&other, &saved, BEHIND_FILTER);
  lua_pushlstring(L, (const char *)other.at, other.size);
  return 1;
}

/* ---------------------------------------------------------------- runs */

/* Opens a state and runs the setting in it. */
static bool open_state(const char *setting) {
  static const luaL_Reg functions[] = {{"rest", rest},
                                       {"arm", arm},
                                       {"disarm", disarm},
                                       {"overrun", overrun},
                                       {"note", note_of_script},
                                       {"with_sum_of", with_sum_of},
                                       {NULL, NULL}};
  state = make_state(request, NULL);
  if (!state) return false;
  luaL_openlibs(state);
  set_collector(state);
  for (const luaL_Reg *one = functions; one->name; one++) lua_register(state, one->name, one->func);
  lua_pushcfunction(state, preload);
  return lua_pcall(state, 0, 0, 0) == 0 && luaL_loadstring(state, setting) == 0 &&
         lua_pcall(state, 0, 0, 0) == 0;
}

/* Runs the script in a state of its own. */
static void run(const char *setting) {
  bool has_run = open_state(setting) && luaL_loadfile(state, "csrc/test/finalizer.lua") == 0 &&
                 lua_pcall(state, 0, 0, 0) == 0;
  is_armed = false;
  note(has_run ? NULL : state ? lua_tostring(state, -1) : "no state", "the script runs to its end");
  if (state) lua_close(state);
  note(overruns ? "one was written behind" : NULL, "the blocks of a state");
}

int main(void) {
  run("if jit then jit.off() end");
#ifdef LUA_JITLIBNAME
  run("");
#endif
  return finish_tests();
}
