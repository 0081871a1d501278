-- Runs specs inside of love.js, one file in each frame: .ci/steps/web packs them with this game, and prints what it
-- says. The functions are those of busted, which itself needs modules in C.
local files = require "files" -- their names, without ".lua"
local love = love -- which the specs do not see, since they are those of plain Lua

rawset(_G, "assert", require "luassert")
rawset(_G, "arg", nil) -- there are no other processes
local getenv = os.getenv
-- Fewer random scenes.
rawset(os, "getenv", function(name) return name == "SAT_TEST_SCALE" and "0.1" or getenv(name) end)
package.preload.lfs = function()
  local filesystem = love.filesystem
  return {
    dir = function(folder)
      local names, i = filesystem.getDirectoryItems(folder == "." and "" or folder), 0
      return function()
        i = i + 1
        return names[i]
      end
    end,
    attributes = function(path)
      local info = filesystem.getInfo(path)
      return info and info.type
    end,
  }
end

local passed, failed, skipped = 0, 0, 0
local block -- the block of `describe` that is being run

local function run_all(functions)
  for _, f in ipairs(functions) do f() end
end
local function before(list)
  if list.parent then before(list.parent) end
  run_all(list.before_each)
end
local function after(list)
  run_all(list.after_each)
  if list.parent then after(list.parent) end
end

local function run_test(name, f)
  local inner = block
  local ok, message = xpcall(function() before(inner) f() end, debug.traceback)
  local ended, problem = pcall(after, inner)
  if ok and ended then passed = passed + 1 return end
  failed = failed + 1
  print(("failed: %s%s: %s"):format(inner.name, name, tostring(ok and problem or message)))
end

local function run_block(name, body)
  local outer = block
  local inner = { name = name, parent = outer, items = {} }
  for _, kind in ipairs { "setup", "teardown", "before_each", "after_each" } do inner[kind] = {} end
  block = inner
  body()
  run_all(inner.setup)
  for _, item in ipairs(inner.items) do
    block = inner
    item()
  end
  run_all(inner.teardown)
  block = outer
end

local words = {}
function words.describe(name, body)
  local list, whole = block.items, block.name .. name .. " "
  list[#list + 1] = function() run_block(whole, body) end
end
function words.it(name, f)
  local list = block.items
  list[#list + 1] = function() run_test(name, f) end
end
function words.pending(name)
  skipped = skipped + 1
  print("skipped: " .. block.name .. name)
end
for _, kind in ipairs { "setup", "teardown", "before_each", "after_each" } do
  words[kind] = function(f) table.insert(block[kind], f) end
end
for name, f in pairs(words) do rawset(_G, name, f) end

local index = 0
function love.update()
  index = index + 1
  local file = files[index]
  if not file then
    print(("%d passed, %d failed, %d skipped"):format(passed, failed, skipped))
    love.update = nil
    return
  end
  local function run() run_block("", assert(love.filesystem.load(file .. ".lua"))) end
  rawset(_G, "love", nil)
  local ok, message = xpcall(run, debug.traceback)
  rawset(_G, "love", love)
  if not ok then
    failed = failed + 1
    print(("failed: %s: %s"):format(file, message))
  end
  block = nil
  collectgarbage()
end
