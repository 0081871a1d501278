-- common.lua: what programs in Lua share: libraries that may be missing, numbers that are the same on every Lua, the
-- stopwatch, and the way into LÖVE. Programs are run in the folder above bench/.

local common = { jit = rawget(_G, "jit"), love = rawget(_G, "love") }

common.version = common.jit and common.jit.version or _VERSION
if common.love then common.version = ("LÖVE %d.%d, "):format(common.love.getVersion()) .. common.version end

common.unpack = rawget(_G, "unpack") or table.unpack
rawset(_G, "unpack", common.unpack) -- which HC takes from there on every Lua

-- The module, or nil.
function common.find(name)
  local found, module = pcall(require, name)
  return found and module or nil
end

-- Park and Miller, Random number generators: good ones are hard to find, 1988.
local seed
function common.seed(number) seed = number end
function common.between(low, high)
  seed = seed * 16807 % 2147483647
  return low + (high - low) * seed / 2147483647
end

-- The least time of each function of a list in so many rounds, by turns, in seconds. What `before` does for the
-- function of that number is not timed.
function common.least(rounds, list, before)
  local best = {}
  for _ = 1, rounds do
    for i, f in ipairs(list) do
      if before then before(i) end
      local start = os.clock()
      f()
      best[i] = math.min(best[i] or math.huge, os.clock() - start)
    end
  end
  return best
end

-- The bytes that a function leaves to the collector: the least of some calls, since LuaJIT's compiler takes some, too.
function common.garbage(f)
  local least = math.huge
  for i = 1, 6 do
    collectgarbage()
    collectgarbage "stop"
    local before = collectgarbage "count"
    f(i)
    least = math.min(least, (collectgarbage "count" - before) * 1024)
    collectgarbage "restart"
  end
  return least
end

-- Runs this program again as a game, where LÖVE is found, with that module of LÖVE's alone, and with these arguments.
function common.run_in_love(name, module, ...)
  local folder = (os.getenv "BUILD" or "build") .. "/bench/" .. name
  os.execute("mkdir -p " .. folder)
  local function write(file, text)
    file = assert(io.open(folder .. "/" .. file, "w"))
    file:write(text)
    file:close()
  end
  local arguments = { ("[0] = %q"):format(arg[0]) }
  for _, one in ipairs { ... } do arguments[#arguments + 1] = ("%q"):format(one) end
  write("conf.lua", ([[
    function love.conf(t)
      t.version = "11.4"
      for name in pairs(t.modules) do t.modules[name] = name == %q end
    end]]):format(module))
  write("main.lua", ([[
    rawset(_G, "arg", { %s })
    io.stdout:setvbuf "line"
    local ok, message = xpcall(function() dofile(%q) end, debug.traceback)
    if not ok then io.stderr:write(message, "\n") end
    os.exit(ok and 0 or 1)]]):format(table.concat(arguments, ", "), arg[0]))
  io.stdout:flush()
  os.execute(("command -v love >/dev/null || exit 0; XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-%s} love %s"):format(folder,
    folder))
end

return common
