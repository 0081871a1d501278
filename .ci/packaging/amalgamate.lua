-- lua .ci/packaging/amalgamate.lua FOLDER: writes sat.c and sat.h into the folder: the sources of csrc/ and the Lua
-- files, put together for programs that have sat linked in. No two files declare the same name: spec/layers_spec.lua
-- holds them to that.

local target = assert(arg[1], "usage: lua .ci/packaging/amalgamate.lua FOLDER")

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  assert(file:write(text))
  assert(file:close())
end

-- ---------------------------------------------------------------- the Lua files

-- A line as a string of C, in which two question marks could begin a trigraph.
local function quote(line)
  line = line:gsub('[\\"]', "\\%0"):gsub("%?", "\\?")
  return '"' .. line:gsub("[^\32-\126]", function(byte) return ("\\%03o"):format(byte:byte()) end) .. '\\n",\n'
end

-- The array satlua_files of luaopen_sat.c. Each file is an array of lines, since a compiler need not take a long
-- string. The files are those of the rock, but for the types, which are for editors; init.lua is the first.
local function embed()
  local parts, rows = {}, {}
  for name in read("rockspec/sat-scm-1.rockspec"):gmatch('"lua/sat/(%w+)%.lua"') do
    parts[#parts + 1] = ("\nstatic const char *const satlua_file_%s[] = {\n"):format(name)
    for line in io.lines("lua/sat/" .. name .. ".lua") do parts[#parts + 1] = quote(line) end
    parts[#parts + 1] = "NULL};\n"
    local row = ('{"%s", "@sat/%s.lua", satlua_file_%s},\n'):format(name, name, name)
    table.insert(rows, name == "init" and 1 or #rows + 1, row)
  end
  parts[#parts + 1] = "\nstatic const satlua_File satlua_files[] = {\n"
  return table.concat(parts) .. table.concat(rows) .. "{NULL, NULL, NULL}};\n"
end

-- ---------------------------------------------------------------- putting together

-- The text of a file, with each file that it includes at its first inclusion. Neither list has the files for AVX,
-- which are other files once more, compiled for another instruction set.
local function expand(path, seen)
  if path == "csrc/embedded_files.h" then return embed() end
  if seen[path] then return "" end
  seen[path] = true
  local text = ("\n" .. read(path)):gsub('\n#%s*include "([^"]+)"', function(other)
    return "\n" .. expand("csrc/" .. other, seen)
  end)
  return "\n/* " .. ("-"):rep(60) .. " " .. path .. " */" .. text
end

local licence = "\n" .. read("LICENSE"):gsub("\n$", "")
licence = licence:gsub("\n", "\n * "):gsub(" +\n", "\n"):sub(2)
local version = read("csrc/sat.h"):match('SAT_VERSION "([^"]+)"')
local head = ([[
/* sat %s, put together from its sources for programs that have it linked in: see native-modules.md.
 * Change nothing here, but there. SAT_NO_LUA leaves the core alone, which knows no Lua.
 *
%s */
]]):format(version, licence)

-- The file has functions of headers that it does not need; and gcc, which sees further in one file than in many, doubts
-- what it then cannot follow to its end.
local settings = [[
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#ifndef SAT_BASELINE_ONLY
#define SAT_BASELINE_ONLY /* the code for AVX is in files of its own */
#endif
#ifndef SAT_PINNED
#define SAT_PINNED /* what is linked in stays loaded */
#endif
#include "sat.h"
]]

-- One header: sat_polygon.h and sat_world.h stand where sat.h includes them.
local OPENER = [[

/* Opens the module in a Lua state, or the part that the name ends with, such as "sat.tiles":
 * luaL_requiref(L, "sat", luaopen_sat, 0). */
struct lua_State;
int luaopen_sat(struct lua_State *L);
]]
local header = read("csrc/sat.h"):gsub('#include "(sat_%w+%.h)"\n', function(name)
  return read("csrc/" .. name):gsub('#include "sat%.h"\n\n', "") .. (name == "sat_world.h" and OPENER or "")
end)
write(target .. "/sat.h", header)

local seen = { ["csrc/sat.h"] = true, ["csrc/sat_polygon.h"] = true }
local core, binding = expand("rockspec/core.c", seen), expand("rockspec/binding.c", seen)
local opener = expand("rockspec/luaopen_sat.c", seen)
local parts = { head, settings, core, "\n#ifndef SAT_NO_LUA\n", binding, opener, "\n#endif\n" }
write(target .. "/sat.c", table.concat(parts))
