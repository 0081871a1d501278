/* luaopen_sat.c: the end of sat.c, which opens the module out of the Lua files embedded there. */
#include "lua/compat.h"

#include <stdint.h>
#include <string.h>

typedef struct satlua_File {
  const char *name, *source; /* "tiled" and "@sat/tiled.lua" */
  const char *const *lines;
} satlua_File;

/* satlua_files, init first and a file without a name last: amalgamate.lua writes it. */
#include "embedded_files.h"

SAT_EXPORT int luaopen_sat(lua_State *L);

/* The file that a name such as "engine.sat.tiled" ends with, and the length of what is before it.
 * A name that ends with no file is the module's own, which is that of init. */
static const satlua_File *find_file(const char *name, size_t *length) {
  *length = strlen(name);
  size_t start = *length;
  while (start > 0 && name[start - 1] != '.' && name[start - 1] != '/') start--;
  if (start < 2) return satlua_files;
  for (const satlua_File *file = satlua_files; file->name; file++) {
    if (strcmp(file->name, name + start) != 0) continue;
    *length = start - 1;
    return file;
  }
  return satlua_files;
}

static const char *read_line(lua_State *L, void *context, size_t *size) {
  const char *const **rest = (const char *const **)context, *line = **rest;
  (void)L;
  *size = line ? strlen(line) : 0;
  if (line) ++*rest;
  return line;
}

/* Runs the file of the first upvalue with the globals of the second one. Takes the file's name, and
 * hands that and a path on to the file, as `require` does. */
static int run_file(lua_State *L) {
  const satlua_File *file = (const satlua_File *)lua_touserdata(L, lua_upvalueindex(1));
  const char *const *rest = file->lines;
  luaL_checkstring(L, 1);
  lua_settop(L, 1);
#ifdef LUA_ENVIRONINDEX
  int status = lua_load(L, read_line, (void *)&rest, file->source);
#else
  int status = lua_load(L, read_line, (void *)&rest, file->source, "t");
#endif
  if (status != 0) return lua_error(L);
  lua_pushvalue(L, lua_upvalueindex(2));
#ifdef LUA_ENVIRONINDEX
  lua_setfenv(L, 2);
#else
  lua_setupvalue(L, 2, 1);
#endif
  lua_pushvalue(L, 1);
  lua_pushstring(L, file->source + 1);
  lua_call(L, 2, 1);
  return 1;
}

/* `require` for a host without it, which finds sat's own files alone. Its upvalues are the tables
 * package.loaded and package.preload. */
static int require_file(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  lua_settop(L, 1);
  lua_getfield(L, lua_upvalueindex(1), name);
  if (!lua_isnil(L, 2)) return 1;
  lua_getfield(L, lua_upvalueindex(2), name);
  if (lua_isnil(L, 3)) return luaL_error(L, "module '%s' not found", name);
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  lua_pushvalue(L, -1);
  lua_setfield(L, lua_upvalueindex(1), name);
  return 1;
}

static void push_globals(lua_State *L) {
#ifdef LUA_ENVIRONINDEX
  lua_pushvalue(L, LUA_GLOBALSINDEX);
#else
  lua_pushglobaltable(L);
#endif
}

/* Pushes the field of a table without its metamethods, and tells the type. */
static int push_field(lua_State *L, int table, const char *name) {
  lua_pushstring(L, name);
  lua_rawget(L, table);
  return lua_type(L, -1);
}

/* Pushes a table that has a `package` and a `require` of its own, and everything else by the host's
 * globals. */
static void make_environment(lua_State *L) {
  lua_createtable(L, 0, 2);
  int environment = lua_gettop(L);
  lua_createtable(L, 0, 3);
  lua_pushliteral(L, LUA_DIRSEP "\n");
  lua_setfield(L, -2, "config");
  lua_newtable(L);
  lua_newtable(L);
  lua_pushvalue(L, -2);
  lua_setfield(L, -4, "loaded");
  lua_pushvalue(L, -1);
  lua_setfield(L, -4, "preload");
  lua_pushcclosure(L, require_file, 2);
  lua_setfield(L, environment, "require");
  lua_setfield(L, environment, "package");
  lua_createtable(L, 0, 1);
  push_globals(L);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, environment);
}

/* Pushes package.preload and package.loaded of these globals, and returns whether both are there,
 * and `require`. Otherwise it pushes nothing. */
static bool push_package(lua_State *L, int globals) {
  int top = lua_gettop(L);
  if (push_field(L, globals, "require") == LUA_TFUNCTION &&
      push_field(L, globals, "package") == LUA_TTABLE &&
      push_field(L, top + 2, "preload") == LUA_TTABLE &&
      push_field(L, top + 2, "loaded") == LUA_TTABLE) {
    lua_remove(L, top + 1);
    lua_remove(L, top + 1);
    return true;
  }
  lua_settop(L, top);
  return false;
}

/* Pushes the globals that the files see, and package.preload and package.loaded: those of the host,
 * or, in a host that has not opened Lua's library `package`, our own, which each state has once. */
static void push_environment(lua_State *L) {
  void *key = (void *)(uintptr_t)satlua_files;
  push_globals(L);
  if (push_package(L, lua_gettop(L))) return;
  lua_pop(L, 1);
  lua_pushlightuserdata(L, key);
  lua_rawget(L, LUA_REGISTRYINDEX);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    make_environment(L);
    lua_pushlightuserdata(L, key);
    lua_pushvalue(L, -2);
    lua_rawset(L, LUA_REGISTRYINDEX);
  }
  push_package(L, lua_gettop(L));
}

/* Lets `require` find each file under the name of the folder and its own, and the native part. */
static void preload_files(lua_State *L, int preload, int environment, const char *folder) {
  lua_pushcfunction(L, luaopen_sat_core);
  lua_setfield(L, preload, "sat.core");
  lua_pushcfunction(L, luaopen_sat);
  lua_setfield(L, preload, folder);
  for (const satlua_File *file = satlua_files; file->name; file++) {
    lua_pushfstring(L, "%s.%s", folder, file->name);
    lua_pushlightuserdata(L, (void *)(uintptr_t)file);
    lua_pushvalue(L, environment);
    lua_pushcclosure(L, run_file, 2);
    lua_rawset(L, preload);
  }
}

int luaopen_sat(lua_State *L) {
  enum { NAME = 1, ENVIRONMENT, PRELOAD, MODULES, FOLDER };
  size_t length;
  lua_settop(L, NAME);
  lua_pushstring(L, luaL_optstring(L, NAME, "sat"));
  lua_replace(L, NAME);
  const satlua_File *file = find_file(lua_tostring(L, NAME), &length);
  push_environment(L);
  lua_pushlstring(L, lua_tostring(L, NAME), length);
  preload_files(L, PRELOAD, ENVIRONMENT, lua_tostring(L, FOLDER));
  lua_pushfstring(L, "%s.%s", lua_tostring(L, FOLDER), file->name);
  lua_rawget(L, PRELOAD);
  lua_pushvalue(L, NAME);
  lua_call(L, 1, 1);
  lua_pushvalue(L, -1);
  lua_setfield(L, MODULES, lua_tostring(L, NAME));
  return 1;
}
