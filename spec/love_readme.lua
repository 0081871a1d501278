-- Makes a game of the README alone, in a folder: lua spec/love_readme.lua FOLDER. The game is the first there, leaves a
-- picture in the file that SAT_PICTURE names, and prints "N passed, N failed". With SAT_THREAD it runs in a thread, and
-- the first thread only draws what that one tells it to. .ci/steps/love plays it.
local samples = require "spec.samples"

-- In the place of the game's own thread: calls of love.graphics become messages.
local THREAD = [=[
local calls = love.thread.getChannel("calls")
love.keyboard = { isDown = function() return false end }
love.mouse = { getPosition = function() return 330, 250 end }
love.graphics = setmetatable({
  getColor = function() return 1, 1, 1, 1 end,
  getPointSize = function() return 1 end,
}, { __index = function(_, name)
  return function(...)
    local call = { name, ... }
    if type(call[3]) == "table" then call[3] = { unpack(call[3]) } end
    calls:push(call)
  end
end })
require "game"
if love.load then love.load() end
for _ = 1, 120 do love.update(1 / 60) end
love.draw()
]=]

local MAIN = [=[
local passed, failed, left = 0, 0, 2 -- seconds until the picture is taken
local function check(name, ok)
  passed, failed = passed + (ok and 1 or 0), failed + (ok and 0 or 1)
  if not ok then print("not ok: " .. name) end
end

local function play_in_thread()
  local thread, list = love.thread.newThread("thread.lua"), {}
  thread:start()
  thread:wait()
  check("the thread ends: " .. tostring(thread:getError()), not thread:getError())
  local calls = love.thread.getChannel("calls")
  while calls:peek() do list[#list + 1] = calls:pop() end
  check("the module is in the other thread alone", not package.loaded.sat)
  function love.draw()
    for _, call in ipairs(list) do love.graphics[call[1]](unpack(call, 2)) end
  end
end

if os.getenv("SAT_THREAD") then
  play_in_thread()
else
  require "game"
  check("the module is in this thread", package.loaded.sat ~= nil)
end
function love.mouse.getPosition() return 330, 250 end

local function leave_picture(image)
  local lit = 0
  image:mapPixel(function(_, _, r, g, b, a)
    if r + g + b > 0.1 then lit = lit + 1 end
    return r, g, b, a
  end)
  check("the picture is not empty", lit > 1000)
  local file = assert(io.open(os.getenv("SAT_PICTURE"), "wb"))
  file:write(image:encode("png"):getString())
  file:close()
  print(passed .. " passed, " .. failed .. " failed")
  love.event.quit(failed)
end

local draw = love.draw
function love.draw()
  draw()
  local before = left
  left = left - love.timer.getDelta()
  if before > 0 and left <= 0 then love.graphics.captureScreenshot(leave_picture) end
end
function love.errorhandler(message)
  print(message .. "\n0 passed, 1 failed")
  return function() return 1 end
end
]=]

local function write(name, text)
  local file = assert(io.open(arg[1] .. "/" .. name, "w"))
  file:write(text)
  file:close()
end

for _, sample in ipairs(samples.of_markdown("README.md")) do
  if samples.is_love(sample) then
    write("game.lua", table.concat(sample.lines, "\n") .. "\n")
    write("thread.lua", THREAD)
    write("main.lua", MAIN)
    return
  end
end
error "the README has no game"
