-- A game that loads the module under the name in SAT_NAME, in its own thread and in another one, and prints "fine", or
-- what went wrong. Where the module lies is for .ci/steps/love to say.

local TRY = [[
  local name = ...
  local ok, sat = pcall(require, name)
  if not ok then return sat end
  local dx, dy, depth = sat.rectangle(0, 0, 10, 10):collide(sat.circle(12, 5, 4))
  return dx == -2 and dy == 0 and depth == 2 and "fine" or "a wrong answer"
]]

local IN_THREAD = [[
  local name, channel = ...
  channel:push(loadstring([=[]] .. TRY .. [[]=])(name))
]]

function love.load()
  local name = os.getenv("SAT_NAME")
  local here = loadstring(TRY)(name)
  local thread, channel = love.thread.newThread(IN_THREAD), love.thread.newChannel()
  thread:start(name, channel)
  thread:wait()
  local there = thread:getError() or channel:pop()
  print(here == there and here or here .. "\nand in a thread:\n" .. tostring(there))
  love.event.quit(0)
end

function love.errorhandler(message)
  print(message)
  return function() return 1 end
end
