/* host.c: runs mods that it does not trust. Each has a Lua state of its own with a limit for memory
 * and a limit for instructions, sat, and none of debug, io, os and package.
 *
 *   make amalgamation
 *   cc -O2 -Ibuild/amalgamation $(pkg-config --cflags lua5.4) -o mods examples/host-of-mods/host.c \
 *     build/amalgamation/sat.c $(pkg-config --libs lua5.4) -lm
 *   ./mods examples/host-of-mods/mods/radar.lua examples/host-of-mods/mods/greedy.lua
 *
 * A limit for instructions is a hook, which Lua calls between two instructions and never inside of a
 * call. So lua/allowed.lua takes away each function of which one call can take long, or makes it
 * refuse large arguments. LuaJIT calls no hooks in code that it has compiled: its compiler is off
 * here, since the library `jit` is not opened. */
#include <lauxlib.h>
#include <lualib.h>

#include "sat.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define ALLOWED "examples/host-of-mods/lua/allowed.lua"
#define GLOBALS "the globals of the mod"

enum { MOST_BYTES = 8 << 20, MOST_INSTRUCTIONS = 2000000, MOST_MODS = 8, FRAMES = 3 };

typedef struct Mod {
  const char *path;
  lua_State *L; /* NULL once the mod has been stopped */
  size_t bytes;
} Mod;

/* ---------------------------------------------------------------- limits */

static void *allocate(void *context, void *block, size_t old_size, size_t size) {
  Mod *mod = context;
  if (!block) old_size = 0; /* since 5.2 the old size of a new block is its kind */
  if (size > old_size && mod->bytes + (size - old_size) > MOST_BYTES) return NULL;
  void *result = size ? realloc(block, size) : NULL;
  if (size == 0) free(block);
  if (size == 0 || result) mod->bytes += size - old_size;
  return result;
}

/* From the first error on, each instruction raises one: a mod that catches an error ends at its next
 * instruction outside of the function that has caught it. */
static void stop(lua_State *L, lua_Debug *where) {
  (void)where;
  lua_sethook(L, stop, LUA_MASKCOUNT, 1);
  luaL_error(L, "more than %d instructions", MOST_INSTRUCTIONS);
}

static bool call(lua_State *L, int arguments) {
  lua_sethook(L, stop, LUA_MASKCOUNT, MOST_INSTRUCTIONS);
  int status = lua_pcall(L, arguments, 0, 0);
  lua_sethook(L, NULL, 0, 0);
  return status == 0;
}

/* ---------------------------------------------------------------- mods */

/* say(text): the only way out for a mod. */
static int say(lua_State *L) {
  printf("  %.100s\n", luaL_checkstring(L, 1));
  return 0;
}

static void open_library(lua_State *L, const char *name, lua_CFunction open) {
  lua_pushcfunction(L, open);
  lua_pushstring(L, name);
  lua_call(L, 1, 1);
  if (*name) lua_setglobal(L, name);
  lua_settop(L, 0);
}

/* Bytecode, which begins with the byte 27, can do anything in the process. */
static bool is_text(const char *path) {
  FILE *file = fopen(path, "rb");
  int first = file ? fgetc(file) : EOF;
  if (file) fclose(file);
  return first != LUA_SIGNATURE[0];
}

static int prepare(lua_State *L) {
  open_library(L, "", luaopen_base);
  open_library(L, LUA_TABLIBNAME, luaopen_table);
  open_library(L, LUA_STRLIBNAME, luaopen_string);
  open_library(L, LUA_MATHLIBNAME, luaopen_math);
  open_library(L, "sat", luaopen_sat);
  lua_register(L, "say", say);
  if (luaL_dofile(L, ALLOWED)) return lua_error(L);
  lua_setfield(L, LUA_REGISTRYINDEX, GLOBALS);
  return 0;
}

/* Lets the file see the globals of a mod alone. */
static bool load(lua_State *L, const char *path) {
  if (!is_text(path)) {
    lua_pushliteral(L, "a mod is text, not bytecode");
    return false;
  }
  if (luaL_loadfile(L, path) != 0) return false;
  lua_getfield(L, LUA_REGISTRYINDEX, GLOBALS);
#if LUA_VERSION_NUM < 502
  return lua_setfenv(L, -2);
#else
  return lua_setupvalue(L, -2, 1) != NULL;
#endif
}

static bool start(Mod *mod) {
#ifdef LUA_GCPARAM /* since 5.5 a state takes the seed of its hashes */
  mod->L = lua_newstate(allocate, mod, luaL_makeseed(NULL));
#else
  mod->L = lua_newstate(allocate, mod);
#endif
  if (!mod->L) return false;
  lua_pushcfunction(mod->L, prepare);
  if (lua_pcall(mod->L, 0, 0, 0) != 0) return false;
  return load(mod->L, mod->path) && call(mod->L, 0);
}

/* Closing a state gives back all of its memory. */
static void end(Mod *mod, const char *problem) {
  if (problem) printf("%s is stopped: %s\n", mod->path, problem);
  if (mod->L) lua_close(mod->L);
  mod->L = NULL;
}

static void update(Mod *mod, int frame) {
  if (!mod->L) return;
  printf("%s, frame %d\n", mod->path, frame);
  lua_getfield(mod->L, LUA_REGISTRYINDEX, GLOBALS);
  lua_getfield(mod->L, -1, "update");
  lua_pushinteger(mod->L, frame);
  if (!call(mod->L, 1)) end(mod, lua_tostring(mod->L, -1));
  else lua_settop(mod->L, 0);
}

int main(int count, char **paths) {
  Mod mods[MOST_MODS] = {{0}};
  int left = 0;
  if (--count > MOST_MODS) return 2;
  for (int i = 0; i < count; i++) {
    mods[i].path = paths[i + 1];
    if (!start(&mods[i])) end(&mods[i], mods[i].L ? lua_tostring(mods[i].L, -1) : "no memory");
  }
  for (int frame = 1; frame <= FRAMES; frame++)
    for (int i = 0; i < count; i++) update(&mods[i], frame);
  for (int i = 0; i < count; i++) {
    left += mods[i].L != NULL;
    end(&mods[i], NULL);
    if (mods[i].bytes != 0) printf("%s has kept %zu bytes\n", mods[i].path, mods[i].bytes);
  }
  printf("%d of %d mods are left\n", left, count);
  return 0;
}
