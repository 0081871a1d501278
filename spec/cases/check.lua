-- Runs the conformance cases through run.lua, unchanged, and tells the failures that waiting.lua announces from the
-- others. A waiting case must fail, and by being refused for what it waits for: one that passes, or that fails in
-- another way, is a failure here, so that the list stays honest. Ends with "N passed, N failed, N skipped".
--   lua spec/cases/check.lua          from the repository's root, with `sat` on the search path

local folder = "spec/cases"
local print = print

-- What an error or a missing function says of a shape that is not there yet.
local refusals = {}

local function set_of(list)
  local set = {}
  for _, name in ipairs(list) do set[name] = true end
  return set
end

-- All lines that run.lua prints. Its failures are not shown: what they come to is said below.
local function run()
  local lines, finished = {}, {}
  local getenv, exit = os.getenv, os.exit
  local everything = { VERBOSE = "1", SKIPPED = "1" }
  os.getenv = function(name) return everything[name] or getenv(name) end
  os.exit = function() error(finished, 0) end
  _G.print = function(line)
    lines[#lines + 1] = line
    if not line:match("^  FAIL ") then print(line) end
  end
  local ok, message = pcall(assert(loadfile(folder .. "/run.lua")), folder)
  os.getenv, os.exit, _G.print = getenv, exit, print
  if not ok and message ~= finished then error(message, 0) end
  return lines
end

-- The name at the start of "name: what went wrong", where either may hold a colon.
local function split(text, names)
  local from = 1
  while true do
    local colon = text:find(": ", from, true)
    if not colon then return nil end
    local name = text:sub(1, colon - 1)
    if names[name] then return name, text:sub(colon + 2) end
    from = colon + 1
  end
end

local function refused(why)
  for _, text in ipairs(refusals) do
    if why:find(text, 1, true) then return true end
  end
  return false
end

-- A list of { name = of the file, passed = n, skipped = n, failures = { lines } }.
local function read(lines)
  local files, current = {}, nil
  for _, line in ipairs(lines) do
    local file, passed, skipped = line:match("^(%S+)%.lua: passed (%d+) of %d+ %(skipped (%d+)%)$")
    if file then
      current = { name = file, passed = tonumber(passed), skipped = tonumber(skipped), failures = {} }
      files[#files + 1] = current
    elseif line:match("^  FAIL ") then
      current.failures[#current.failures + 1] = line:sub(8)
    end
  end
  return files
end

local passed, failed, skipped = 0, 0, 0
local function complain(...)
  failed = failed + 1
  print("FAILED: " .. string.format(...))
end

local waiting = dofile(folder .. "/waiting.lua")
local ran = {}

for _, result in ipairs(read(run())) do
  local file = result.name
  ran[file] = true
  local waits, still = set_of(waiting[file] or {}), {}
  for _, failure in ipairs(result.failures) do
    local name, why = split(failure, waits)
    if name then still[name] = true end
    if name and refused(why) then
      skipped = skipped + 1
      print("skipped: " .. file .. ": " .. name .. ": waits")
    else
      complain("%s: %s%s", file, failure, name and " (waiting, but not refused)" or "")
    end
  end
  passed, skipped = passed + result.passed, skipped + result.skipped
  for name in pairs(waits) do
    if not still[name] then complain("%s: %s: is waiting, but passes or is not there", file, name) end
  end
end
for file in pairs(waiting) do
  if not ran[file] then complain("waiting.lua names %s.lua, which did not run", file) end
end

print(passed .. " passed, " .. failed .. " failed, " .. skipped .. " skipped")
os.exit(failed == 0 and 0 or 1)
