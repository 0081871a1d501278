-- A game that loads the module under the name in SAT_NAME, in its own thread and in others, and prints "fine", or what
-- went wrong. Where the module lies is for .ci/steps/places to say, and so is what else happens, by the environment:
-- SAT_MOUNT   an archive in the save folder that is mounted as `mods` first, or one in the game, with "game:" before it
-- SAT_ALONE   only another thread loads the module
-- SAT_STATES  so many other threads load it at once, in place of one
-- SAT_MAPPED  the files of the native parts in memory are printed, too
-- SAT_HOLD    a file: once this game has loaded the module it makes the file, and goes on when that is gone

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

local function mount(path)
  local inner = path:match("^game:(.*)")
  local archive = inner and love.filesystem.newFileData(assert(love.filesystem.read(inner)), inner) or path
  assert(love.filesystem.mount(archive, inner and "inner.zip" or "mods", inner and "mods"), "not mounted: " .. path)
end

-- What each of the threads says, which all run at once.
local function in_threads(name, count)
  local threads, channels, said = {}, {}, {}
  for i = 1, count do
    threads[i], channels[i] = love.thread.newThread(IN_THREAD), love.thread.newChannel()
    threads[i]:start(name, channels[i])
  end
  for i, thread in ipairs(threads) do
    thread:wait()
    said[i] = tostring(thread:getError() or channels[i]:pop())
  end
  return said
end

local function hold(path)
  io.open(path, "w"):close()
  local file = assert(io.open(path))
  while file do
    file:close()
    love.timer.sleep(0.01)
    file = io.open(path)
  end
end

-- The libraries of sat in this program's memory: those in a folder of ours, and temporary files.
local function print_mapped()
  local seen = {}
  for line in io.lines("/proc/self/maps") do
    local path = line:match(" r%-xp .-(/.*)$")
    if path and (path:find("/core[^/]*%.so") or path:find("^/tmp/")) and not seen[path] then
      seen[path] = true
      print("mapped " .. path)
    end
  end
end

function love.load()
  local name, alone = os.getenv("SAT_NAME"), os.getenv("SAT_ALONE")
  if os.getenv("SAT_MOUNT") then mount(os.getenv("SAT_MOUNT")) end
  local here = alone and "fine" or loadstring(TRY)(name)
  if os.getenv("SAT_HOLD") then
    hold(os.getenv("SAT_HOLD"))
    here = loadstring(TRY)(name)
  end
  local said = in_threads(name, tonumber(os.getenv("SAT_STATES")) or 1)
  local answer = here
  for _, there in ipairs(said) do
    if there ~= here then answer = here .. "\nand in a thread:\n" .. there end
  end
  print(answer)
  if os.getenv("SAT_MAPPED") then print_mapped() end
  love.event.quit(0)
end

function love.errorhandler(message)
  print(message)
  return function() return 1 end
end
