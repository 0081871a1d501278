-- The layers of csrc/: each folder includes and calls itself and the folders that it may know, and nothing else. Rules
-- about names, the openings of files, tolerances and lengths keep them in order.
local lfs = require "lfs"

-- What each folder may know besides itself and sat.h.
local KNOWS = {
  base = {},
  polygon = { "base" },
  shape = { "base", "polygon" },
  narrowphase = { "base", "polygon", "shape" },
  quadtree = { "base" },
  world = { "base", "polygon", "shape", "narrowphase", "quadtree" },
  lua = { "base" },
}

-- Words of the code's own former dialect: these are no part of an identifier, and those no identifier by themselves.
local DIALECT = [[
  body bodies joint joints joined barred escape rim rims strip strips stretch stretches widest
  quest tier meeting hint lane fours disc discs octagon hub slack graze grazes flight slit slits strand strands twisted
  bead beads seam seams bundle twofold clumping settle settled crowded nobody vacant abandon finds standings encounter
  impact desk keeper holder lent home sight sights torn mend
]]
local ALONE = "many expansion four away pad fault fan ups downs standing told gap reach apart Four Search Both"

-- Macros that a file defines for a header which is code.
local PARAMETERS = { SAT_AVX = true }

-- The public headers; sat.h includes the others.
local CONTRACT = { ["sat.h"] = true, ["sat_polygon.h"] = true, ["sat_world.h"] = true }

local MOST_COLUMNS, MOST_LINES_OF_A_CONTRACT, MOST_LINES_OF_A_FUNCTION = 100, 520, 60

-- Exceptions: what does not hold yet. An entry that is no longer true has to be removed.
local STILL = {}

-- ---------------------------------------------------------------- files

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

local function add_files(list, folder, prefix)
  for name in lfs.dir(folder) do
    local path = folder .. "/" .. name
    if name:match("%.[ch]$") then
      list[#list + 1] = prefix .. name
    elseif name ~= "." and name ~= ".." and name ~= "corpus" and lfs.attributes(path, "mode") == "directory" then
      add_files(list, path, prefix .. name .. "/")
    end
  end
  return list
end

-- The files below csrc/, tests aside, and those of the tests.
local sources, tests = {}, {}
for _, name in ipairs(add_files({}, "csrc", "")) do
  local list = name:match("^test/") and tests or sources
  list[#list + 1] = name
end
table.sort(sources)
table.sort(tests)

local texts, codes = {}, {}
for _, name in ipairs(sources) do
  texts[name] = read("csrc/" .. name)
  -- Without comments and strings, of which the ends of lines remain.
  local code = texts[name]:gsub("/%*.-%*/", function(comment) return comment:gsub("[^\n]+", " ") end)
  codes[name] = code:gsub("//[^\n]*", ""):gsub('#%s*include[^\n]*', ""):gsub('"[^"\n]*"', '""')
end

local function folder_of(name) return name:match("^([^/]+)/") end

local function may_know(folder, other)
  if folder == other then return true end
  for _, known in ipairs(KNOWS[folder] or {}) do
    if known == other then return true end
  end
  return false
end

-- ---------------------------------------------------------------- objects

-- The newest object of each source for this system: those for others have symbols of their linkers.
local function find_objects()
  local build = os.getenv("BUILD") or "build"
  local others = "-name dist -o -name windows -o -name aarch64"
  local find = ("find '%s' \\( %s \\) -prune -o -name '*.o' -printf '%%T@ %%p\\n' | sort -n"):format(build, others)
  local pipe = assert(io.popen(find))
  local objects = {}
  for line in pipe:lines() do
    local path = line:match("^%S+ (.*)$")
    local name = (path:match("/objects/[^/]+/(.+)%.o$") or "") .. ".c"
    if texts[name] and not path:match("/test/") then objects[name] = path end
  end
  pipe:close()
  return objects
end

-- Who defines which symbol, and who needs which, by one call of nm.
local defined_by, needed_by
local function symbols()
  if defined_by then return defined_by, needed_by end
  local objects, names, paths = find_objects(), {}, {}
  assert(next(objects), "there are no objects: call make first")
  for name, path in pairs(objects) do
    names[path] = name
    paths[#paths + 1] = "'" .. path .. "'"
  end
  defined_by, needed_by = {}, {}
  local pipe = assert(io.popen("nm -A -P " .. table.concat(paths, " ")))
  for line in pipe:lines() do
    local path, symbol, kind = line:match("^(.-): _?(%S+) (%a)")
    local name = path and names[path]
    if name then
      needed_by[name] = needed_by[name] or {}
      if kind == "U" then
        table.insert(needed_by[name], symbol)
      elseif kind:match("[TDRBC]") and not symbol:find("_odr_asan.", 1, true) then -- those are the sanitizer's own
        defined_by[symbol] = name
      end
    end
  end
  pipe:close()
  return defined_by, needed_by
end

-- ---------------------------------------------------------------- rules

-- Each returns the list of what breaks it, sorted, every entry once.
local rules = {}

local function sorted(set)
  local list = {}
  for entry in pairs(set) do list[#list + 1] = entry end
  table.sort(list)
  return list
end

rules["every file lies in the folder of a layer"] = function()
  local found = {}
  for _, name in ipairs(sources) do
    if not CONTRACT[name] and not KNOWS[folder_of(name) or ""] then found[name] = true end
  end
  return sorted(found)
end

rules["includes lead to known folders"] = function()
  local found = {}
  for _, name in ipairs(sources) do
    for other in ("\n" .. texts[name]):gmatch('\n%s*#%s*include%s*"([^"]+)"') do
      if not CONTRACT[other] then
        if not texts[other] then found[name .. " includes " .. other .. ", which is no file below csrc"] = true
        elseif not may_know(folder_of(name), folder_of(other)) then found[name .. " includes " .. other] = true end
      end
    end
  end
  return sorted(found)
end

rules["the core knows nothing of Lua"] = function()
  local found = {}
  for _, name in ipairs(sources) do
    for other in texts[name]:gmatch("#%s*include%s*<([^>]+)>") do
      if folder_of(name) ~= "lua" and (other:match("lua") or other:match("lauxlib")) then
        found[name .. " includes " .. other] = true
      end
    end
  end
  return sorted(found)
end

rules["calls lead to known folders"] = function()
  local defined, needed = symbols()
  local found, contract = {}, texts["sat.h"] .. texts["sat_polygon.h"] .. texts["sat_world.h"]
  for name, list in pairs(needed) do
    for _, symbol in ipairs(list) do
      local other = defined[symbol]
      local api = folder_of(name) == "lua" and contract:find("%f[%w_]" .. symbol .. "%f[^%w_]")
      if other and not api and not may_know(folder_of(name), folder_of(other)) then
        found[name .. " calls " .. other .. ": " .. symbol] = true
      end
    end
  end
  return sorted(found)
end

-- Files that call each other, directly or by way of others, are one circle.
rules["no files of a folder call each other in a circle"] = function()
  local defined, needed = symbols()
  local calls, reached = {}, {}
  for name, list in pairs(needed) do
    calls[name] = {}
    for _, symbol in ipairs(list) do
      local other = defined[symbol]
      if other and other ~= name then calls[name][other] = true end
    end
  end
  local function reach(from, name)
    for other in pairs(calls[name] or {}) do
      if not reached[from][other] then
        reached[from][other] = true
        reach(from, other)
      end
    end
  end
  for name in pairs(calls) do
    reached[name] = {}
    reach(name, name)
  end
  local found = {}
  for name in pairs(calls) do
    if reached[name][name] then
      local circle = {}
      for other in pairs(reached[name]) do
        if reached[other] and reached[other][name] then circle[other] = true end
      end
      found[table.concat(sorted(circle), " ")] = true
    end
  end
  return sorted(found)
end

rules["external symbols of the binding start with satlua_"] = function()
  local found = {}
  for symbol, name in pairs((symbols())) do
    if folder_of(name) == "lua" and not symbol:match("^satlua_") and symbol ~= "luaopen_sat_core" then
      found[name .. ": " .. symbol] = true
    end
  end
  return sorted(found)
end

-- The names that a file declares for itself or for others: functions, types, macros and enumerators.
local function declared(name)
  local names = {}
  local code = "\n" .. codes[name]
  code = code:gsub("SAT_IN_THIS_SET%(([%w_]+)%)%(", "%1(") -- a kernel, which each instruction set has
  -- A heap or a sort declares functions whose names begin with its second argument.
  code = code:gsub("\nSAT_DEFINE_%u+%([%w_]+, ([%w_]+), [%w_]+%)", function(prefix)
    names[prefix .. "_sift_down"] = true
    return ""
  end)
  for first, head, ending in code:gmatch("\n([%a_])[%w_ %*]-([%a_][%w_]*)(%b()[^;{]*[;{])") do
    if ending:sub(-1) == "{" and first then names[head] = true end
  end
  for macro in code:gmatch("\n#%s*define%s+([%a_][%w_]*)") do names[macro] = true end
  for kind, tag in code:gmatch("\n%s*(%l*%s*%l+)%s+([%a_][%w_]*)%s*{") do
    if kind:match("struct$") or kind:match("enum$") or kind:match("union$") then names[tag] = true end
  end
  for list in code:gmatch("\n%l* ?enum%f[%A][%w_ ]*(%b{})") do
    for enumerator in list:gmatch("[{,]%s*([%a_][%w_]*)") do names[enumerator] = true end
  end
  return names
end

rules["no function, type, macro or enumerator has the name of another one"] = function()
  local files, found = {}, {}
  for _, name in ipairs(sources) do
    for declaration in pairs(declared(name)) do
      local first = files[declaration]
      if first and not PARAMETERS[declaration] then found[declaration .. ": " .. first .. ", " .. name] = true end
      files[declaration] = first or name
    end
  end
  return sorted(found)
end

local dialect, alone = {}, {}
for word in DIALECT:gmatch("%S+") do dialect[word] = true end
for word in ALONE:gmatch("%S+") do alone[word] = true end

local function dialect_in(found, name, code)
  for identifier in code:gmatch("%f[%w_][%a_][%w_]*") do
    if alone[identifier] then found[name .. ": " .. identifier] = true end
    for word in identifier:gsub("(%l)(%u)", "%1_%2"):lower():gmatch("[^_%d]+") do
      if dialect[word] then found[name .. ": " .. identifier] = true end
    end
  end
end

rules["no identifier has a word of the former dialect"] = function()
  local found = {}
  for _, name in ipairs(sources) do dialect_in(found, name, codes[name]) end
  for _, name in ipairs(tests) do
    local code = read("csrc/" .. name):gsub("/%*.-%*/", ""):gsub('"[^"\n]*"', '""')
    dialect_in(found, name, (code:gsub("[%w_]+", function(word)
      return select(2, word:gsub("_", "")) > 3 and "" or word -- names of test cases are sentences
    end)))
  end
  for name in lfs.dir("lua/sat") do
    if name:match("%.lua$") then
      local code = read("lua/sat/" .. name):gsub("%-%-[^\n]*", ""):gsub('"[^"\n]*"', '""')
      dialect_in(found, "lua/sat/" .. name, code)
    end
  end
  return sorted(found)
end

rules["every file opens with its name and what it holds"] = function()
  local found = {}
  local function look_at(name, text)
    local opening = text:match("^(/%*.-%*/)")
    local base, rest = (opening or ""):match("^/%* ([%w_]+%.[ch]): (.*)%*/$")
    if base ~= name:match("[^/]+$") or rest:match("^see [%w_/]+%.h%.?%s*$") then found[name] = true end
  end
  for _, name in ipairs(sources) do look_at(name, texts[name]) end
  for _, name in ipairs(tests) do look_at(name, read("csrc/" .. name)) end
  return sorted(found)
end

-- The limits that the contract names are its own.
rules["tolerances stand in base/tolerance.h"] = function()
  local found = {}
  for _, name in ipairs(sources) do
    if name ~= "base/tolerance.h" and not CONTRACT[name] then
      for literal in codes[name]:gmatch("%f[%w_.]%d+%.?%d*e%-%d+f?") do found[name .. ": " .. literal] = true end
      for literal in codes[name]:gmatch("%f[%w_]0x%x+%.?%x*p%-%d+f?") do found[name .. ": " .. literal] = true end
    end
  end
  return sorted(found)
end

rules["instructions of a processor are named in base/"] = function()
  local found = {}
  for _, name in ipairs(sources) do
    if folder_of(name) ~= "base" and texts[name]:find("%f[%w_]_mm%d*_%l") then found[name] = true end
  end
  return sorted(found)
end

rules["no line is longer than " .. MOST_COLUMNS .. " columns"] = function()
  local found = {}
  local function measure(name, text)
    for line in text:gmatch("[^\r\n]+") do
      if #line > MOST_COLUMNS then found[name] = true end
    end
  end
  for _, name in ipairs(sources) do measure(name, texts[name]) end
  for _, name in ipairs(tests) do measure(name, read("csrc/" .. name)) end
  return sorted(found)
end

rules["the public headers have no more than " .. MOST_LINES_OF_A_CONTRACT .. " lines each"] = function()
  local found = {}
  for name in pairs(CONTRACT) do
    local _, lines = texts[name]:gsub("\n", "")
    if lines > MOST_LINES_OF_A_CONTRACT then found[name] = true end
  end
  return sorted(found)
end

rules["no function has more than " .. MOST_LINES_OF_A_FUNCTION .. " lines"] = function()
  local found = {}
  for _, name in ipairs(sources) do
    local number, first = 0, nil
    for line in (texts[name] .. "\n"):gmatch("([^\n]*)\n") do
      number = number + 1
      if line:match("^[%a_].*[%w_]%(") then first = number end
      if line == "}" and first then
        local lines = number - first + 1
        if lines > MOST_LINES_OF_A_FUNCTION then found[name .. ": a function of " .. lines .. " lines"] = true end
        first = nil
      end
    end
  end
  return sorted(found)
end

-- ---------------------------------------------------------------- checks

local function minus(list, others)
  local set, rest = {}, {}
  for _, entry in ipairs(others or {}) do set[entry] = true end
  for _, entry in ipairs(list) do
    if not set[entry] then rest[#rest + 1] = entry end
  end
  return rest
end

describe("csrc/:", function()
  for _, rule in ipairs(sorted(rules)) do
    it(rule, function()
      local found = rules[rule]()
      assert.same({}, minus(found, STILL[rule]))
      assert.same({}, minus(STILL[rule] or {}, found), "this holds now: remove it from STILL")
    end)
  end
end)
