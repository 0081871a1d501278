-- lua .ci/packaging/amalgamate.lua FOLDER: writes sat.h, sat.c (the core) and sat_lua.c (the binding) into the folder:
-- the sources of csrc/, put together for programs that have sat linked in. No two files declare the same name:
-- spec/layers_spec.lua holds them to that.

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

-- ---------------------------------------------------------------- putting together

-- The text of a file, with each file that it includes at its first inclusion. Neither list has the files for AVX,
-- which are other files once more, compiled for another instruction set.
local function expand(path, seen)
  if seen[path] then return "" end
  seen[path] = true
  local text = ("\n" .. read(path)):gsub('\n#%s*include "([^"]+)"', function(other)
    return "\n" .. expand("csrc/" .. other, seen)
  end)
  return "\n/* " .. ("-"):rep(60) .. " " .. path .. " */" .. text
end

local function amalgamate(list, head) return head .. expand(list, { ["csrc/sat.h"] = true }) end

local licence = "\n" .. read("LICENSE"):gsub("\n$", "")
licence = licence:gsub("\n", "\n * "):gsub(" +\n", "\n"):sub(2)
local version = read("csrc/sat.h"):match('SAT_VERSION "([^"]+)"')
local function head(what, lines)
  return ("/* %s of sat %s, put together from its sources for programs that have it linked in: see\n"
    .. " * native-modules.md. Change nothing here, but there.\n *\n%s */\n%s"):format(what, version, licence, lines)
end

-- Both have functions of headers that they do not need; and gcc, which sees further in one file than in many, doubts
-- what it then cannot follow to its end.
local QUIET = [[
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
]]

-- One header: sat_world.h stands where sat.h includes it.
local own_header = read("csrc/sat.h")
local include, world = '#include "sat_world.h"\n', read("csrc/sat_world.h"):gsub('#include "sat%.h"\n\n', "")
local at, stop = own_header:find(include, 1, true)
write(target .. "/sat.h", own_header:sub(1, at - 1) .. world .. own_header:sub(stop + 1))
write(target .. "/sat.c", amalgamate("rockspec/core.c", head("The core",
  QUIET .. '#define SAT_BASELINE_ONLY\n#include "sat.h"\n')))
write(target .. "/sat_lua.c", amalgamate("rockspec/binding.c", head("The binding for Lua",
  QUIET .. '#ifndef SAT_PINNED\n#define SAT_PINNED\n#endif\n#include "sat.h"\n')))
