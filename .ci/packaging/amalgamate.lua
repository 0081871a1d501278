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

-- The files are those that the rock is built from, in its order.
local function sources()
  local list = {}
  for path in read("rockspec/sat-scm-1.rockspec"):gmatch('"csrc/([%w_/]+%.c)"') do list[#list + 1] = path end
  return list
end

-- ---------------------------------------------------------------- putting together

-- The files for AVX need a compiler's switch of their own, and stay out.
local function is_left_out(name) return name:match("_avx%.c$") end

-- The text of a file, with each header where it is first included.
local function expand(name, seen)
  if seen[name] then return "" end
  seen[name] = true
  local text = ("\n" .. read("csrc/" .. name)):gsub('\n#%s*include "([^"]+)"', function(other)
    return "\n" .. expand(other, seen)
  end)
  return "\n/* " .. ("-"):rep(60) .. " csrc/" .. name .. " */" .. text
end

local function amalgamate(files, head)
  local parts, seen = { head }, { ["sat.h"] = true }
  for _, name in ipairs(files) do parts[#parts + 1] = expand(name, seen) end
  return table.concat(parts)
end

local core, binding = {}, {}
for _, name in ipairs(sources()) do
  local list = name:match("^lua/") and binding or core
  if not is_left_out(name) then list[#list + 1] = name end
end

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
write(target .. "/sat.c", amalgamate(core, head("The core", QUIET .. '#define SAT_BASELINE_ONLY\n#include "sat.h"\n')))
write(target .. "/sat_lua.c", amalgamate(binding, head("The binding for Lua",
  QUIET .. '#ifndef SAT_PINNED\n#define SAT_PINNED\n#endif\n#include "sat.h"\n')))
