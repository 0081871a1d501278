-- calls.lua: the calls that LuaJIT compiles, beside the same through the Lua API, and what they are made of.
--
--   calls.lua [times.csv [methods...]]
--
-- For LuaJIT alone, of all methods or of those that are named. The times are written to a table, and to that file or
-- one in the build folder.

local jit = rawget(_G, "jit")
if not jit or not jit.status() then
  print "bench/calls.lua: nothing to time, since this is no LuaJIT, or its compiler is off"
  return
end

local ffi = require "ffi"
local bind = require "bench_empty"

local PAIRS = 64
local ROUNDS = 15
local ROUND = 0.004 -- seconds of one contestant in one round
local COLD = 400    -- calls that are made once
local STATES = 40   -- in which the module is loaded

-- ---------------------------------------------------------------- both kinds of functions

local function load_sat(sibling)
  for name in pairs(package.loaded) do
    if name == "sat" or name:match "^sat%." then package.loaded[name] = nil end
  end
  package.preload["sat.jit"] = sibling
  return require "sat"
end

local METHODS = { "move", "moveTo", "rotate", "setRotation", "transform", "center", "rotation", "bounds", "contains",
  "data", "overlaps", "collide", "distance" }

-- The methods as they are when they have been called a few times.
local function methods_of(sat)
  local methods, shape = {}, sat.point(0, 0)
  for _, name in ipairs(METHODS) do
    for _ = 1, 20 do pcall(shape[name], shape) end
    methods[name] = shape[name]
  end
  return methods
end

local plain = methods_of(load_sat(function() return function() end end))
local sat = load_sat(nil)
local fast = methods_of(sat)

-- ---------------------------------------------------------------- pairs

-- Park and Miller, Random number generators: good ones are hard to find, 1988.
local seed = 1
local function between(low, high)
  seed = seed * 16807 % 2147483647
  return low + (high - low) * seed / 2147483647
end

-- Circles and boxes about the same place, of which some meet and some do not.
local function make_pairs()
  local list = {}
  for i = 1, 2 * PAIRS, 2 do
    list[i] = sat.circle(between(0, 40), between(0, 40), between(5, 15)):setData(i)
    list[i + 1] = sat.rectangle(between(0, 30), between(0, 30), between(5, 20), between(5, 20))
  end
  return list
end

local list = make_pairs()
local _, _, alone, pointer = bind(list[1])
local empty = ffi.cast("int (**)(void *, void *)", pointer)[0]

-- ---------------------------------------------------------------- timing

-- How each is called, so that its results are taken.
local CALLS = {
  move = "ask(a, 0.5, -0.5) == a",
  moveTo = "ask(a, 3, 4) == a",
  rotate = "ask(a, 0.5) == a",
  setRotation = "ask(a, 0.5) == a",
  transform = "ask(a, 3, 4, 0.5) == a",
  center = "take(ask(a))",
  rotation = "take(ask(a))",
  bounds = "take(ask(a))",
  contains = "ask(a, b)",
  data = "ask(a)",
  overlaps = "ask(a, b)",
  collide = "take(ask(a, b))",
  distance = "take(ask(a, b))",
  empty = "ask(a, b) == 0",
  loop = "not a",
}

local TAKE = "local function take(x, y, z, u, v) return x and x + (y or 0) + (z or 0) + (u or 0) + (v or 0) > 0 end "

local function loop_of(call, ask)
  local text = (TAKE .. [[
    local ask, list = ...
    return function(times)
      local count = 0
      for _ = 1, times do
        for i = 1, #list, 2 do
          local a, b = list[i], list[i + 1]
          if %s then count = count + 1 end
        end
      end
      return count
    end]]):format(call)
  return assert(loadstring(text))(ask, list)
end

-- The same loop, which nobody compiles.
local function interpreted(call, ask)
  local loop = loop_of(call, ask)
  jit.off(loop)
  return loop
end

local function seconds(loop, times)
  local start = os.clock()
  loop(times)
  return os.clock() - start
end

local function times_for_a_round(loop)
  local times = 4
  while seconds(loop, times) < ROUND / 4 do times = times * 2 end
  return math.floor(math.max(times * ROUND / seconds(loop, times), 1))
end

-- The least time of a call, in ns, of each; they take turns, so that a disturbance hits all alike.
local function contest(loops)
  local times, least = {}, {}
  for name, loop in pairs(loops) do times[name], least[name] = times_for_a_round(loop), math.huge end
  for _ = 1, ROUNDS do
    for name, loop in pairs(loops) do
      least[name] = math.min(least[name], seconds(loop, times[name]) / (times[name] * PAIRS) * 1e9)
    end
  end
  return least
end

-- The time of a call, in ns, in code that has never run before and runs once; the least of some rounds, each with code
-- of its own.
local function cold(call, asks)
  local least = {}
  for round = 1, ROUNDS do
    for name, ask in pairs(asks) do
      local chunks = {}
      for i = 1, COLD do
        local chunk = assert(loadstring(TAKE .. "return function(ask, a, b) return " .. call .. " end"))
        jit.off(chunk, true) -- and both functions in it
        chunks[i] = chunk()
      end
      local function run()
        for i = 1, COLD do chunks[i](ask, list[i % PAIRS * 2 + 1], list[i % PAIRS * 2 + 2]) end
      end
      jit.off(run)
      collectgarbage()
      collectgarbage "stop"
      least[name] = math.min(least[name] or math.huge, seconds(run) / COLD * 1e9)
      collectgarbage "restart"
    end
    if round == ROUNDS then return least end
  end
end

-- ---------------------------------------------------------------- the table

local function measure(name)
  local call, has_core = CALLS[name], name ~= "data"
  local times = contest {
    fast = loop_of(call, fast[name]),
    plain = loop_of(call, plain[name]),
    fast_interpreted = interpreted(call, fast[name]),
    plain_interpreted = interpreted(call, plain[name]),
    core = has_core and function(n) return alone(name, list, n) end or loop_of(CALLS.loop),
    nothing = function(n) return alone("nothing", list, n) end,
    loop = loop_of(CALLS.loop),
    empty = loop_of(CALLS.empty, empty),
  }
  local once = cold(call, { fast = fast[name], plain = plain[name] })
  times.fast_cold, times.plain_cold = once.fast, once.plain
  times.core = has_core and times.core - times.nothing or 0
  times.empty = times.empty - times.loop
  return times
end

-- The least time that `code` takes in a new state, in µs, from right after its libraries have been opened.
local function time_in_new_state(code)
  local least = math.huge
  for _ = 1, STATES do
    local state = ffi.C.luaL_newstate()
    ffi.C.luaL_openlibs(state)
    local text = ("package.path, package.cpath = %q, %q local clock = os.clock local began = clock() "):format(
      package.path, package.cpath) .. code .. " return (clock() - began) * 1e6"
    assert(ffi.C.luaL_loadstring(state, text) == 0 and ffi.C.lua_pcall(state, 0, 1, 0) == 0, code)
    least = math.min(least, ffi.C.lua_tonumber(state, -1))
    ffi.C.lua_close(state)
  end
  return least
end

-- Prints the time of loading in a process that has loaded the library before, and of the first twenty calls of a
-- method, with which its fast path and all that is common to them is made.
local function print_loading()
  ffi.cdef [[
    void *luaL_newstate(void);
    void luaL_openlibs(void *);
    int luaL_loadstring(void *, const char *);
    int lua_pcall(void *, int, int, int);
    double lua_tonumber(void *, int);
    void lua_close(void *);
  ]]
  local loading = time_in_new_state [[require "sat"]]
  local calls = "local sat = require 'sat' local a = sat.circle(0, 0, 1) for _ = 1, 20 do a:center() end"
  print(("require takes %.0f µs, the first 20 calls of a method %.0f µs, the least of %d new states"):format(loading,
    time_in_new_state(calls) - loading, STATES))
end

local function main(path, ...)
  path = path or (os.getenv "BUILD" or "build") .. "/bench/calls-luajit.csv"
  local csv = assert(io.open(path, "w"))
  csv:write "function,what,ns\n"
  print("methods from " .. jit.version)
  print_loading()
  print(("%-12s %9s %9s %9s %9s %8s   %-21s   %s"):format("ns a call", "compiled", "Lua API", "C alone", "empty FFI",
    "beyond C", "interpreted, Lua API", "first time, Lua API"))
  for _, name in ipairs(... and { ... } or METHODS) do
    local times = measure(name)
    local beyond = (times.fast - times.loop - times.core) / times.empty
    for what, ns in pairs(times) do csv:write(("%s,%s,%.2f\n"):format(name, what, ns)) end
    print(("%-12s %9.1f %9.1f %9.1f %9.1f %7.1fx   %10.1f %10.1f   %10.1f %8.1f"):format(name, times.fast, times.plain,
      times.core, times.empty, beyond, times.fast_interpreted, times.plain_interpreted, times.fast_cold,
      times.plain_cold))
  end
  print "Beyond C: how many empty FFI calls the compiled call takes besides the loop and the C function."
  csv:close()
end

main(unpack(arg or {}))
