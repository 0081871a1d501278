-- The fast path for LuaJIT: methods that compiled code calls without leaving it.
--
-- A C function of the Lua API ends a trace. So on LuaJIT, with its compiler on, Lua functions replace the methods that
-- games call most: they check their arguments and call the core through the FFI. They handle only easy calls. In every
-- other case, such as a wrong argument, they pass their arguments on to the C function that they replace, which raises
-- all errors. So there is one contract and one set of error messages.
--
-- The replacement has three steps, since most programs call few of these methods, and some call them only once:
--
--   1. `require "sat"` runs this file, which replaces each method by a stand-in.
--   2. A stand-in passes its first calls on to the C function. Then it calls fast.lua, which is compiled only for the
--      first method, to make the fast method, and puts that in its own place. A script that has kept the stand-in calls
--      the fast method through it.
--   3. The fast method calls the FFI, which is slow until LuaJIT has compiled the method: after a hundred calls, or
--      with the loop that calls it.
--
-- The functions of the standard libraries that the fast path needs are read here, before any script can replace them.

local debug, ipairs, jit, loadstring, next, pairs, pcall, rawget, require =
  debug, ipairs, jit, loadstring, next, pairs, pcall, rawget, require
local select, setfenv, setmetatable, type = select, setfenv, setmetatable, type
local gsub, sub = string.gsub, string.sub
if setfenv then setfenv(1, {}) end -- since getfenv shows the environment to scripts

-- The number of calls that a stand-in passes on: fewer than the 10 exits of a trace after which LuaJIT compiles from
-- the exit on, since it tries that a few times, and never again if it meets C functions each time.
local FIRST_CALLS = 8
local RETRY_AFTER = 1000 -- calls after which a method that could not be made is tried again

-- The names of the functions that stand-ins are for.
local NAMES = {
  sat = { "axis", "cast", "collide", "contacts", "contains", "distance", "outline", "overlaps", "raycast",
    "turn" },
  shape = { "area", "axis", "boundingCircle", "bounds", "cast", "center", "collide", "contacts", "contains", "data",
    "distance", "isConvex", "isEnabled", "isSensor", "isStatic", "kind", "move", "moveTo", "overlaps",
    "partAt", "parts", "project", "radius", "raycast", "rotate", "rotation", "scaleFactor", "setEnabled",
    "setRotation", "transform",
    "turn" },
  world = { "at", "cast", "check", "checkTurn", "collide", "collisions", "count", "has", "hits", "move", "query",
    "raycast", "raycasts", "turn", "visible" },
  siblings = { "answered", "checkAnswered", "setRectangle" },
  quadtree = { "count", "pairs", "update" },
}

-- The FFI, if there is one and it is fast. LuaJIT 2.0 does not compile the calls of the fast path.
local function find_ffi()
  local usable = type(jit) == "table" and jit.version_num >= 20100 and jit.status() and loadstring
    and type(debug) == "table" and type(debug.getmetatable) == "function"
  if not usable then return nil end
  local found, ffi = pcall(require, "ffi")
  local cast = found and type(ffi) == "table" and ffi.cast
  local works, pointer = pcall(cast, "void *", nil)
  return works and type(pointer) == "cdata" and cast or nil
end

-- The function that makes a table with room for a list, so that the list does not grow.
local function find_new_table()
  local found, new_table = pcall(require, "table.new")
  return found and new_table or function() return {} end
end

local is_making = false -- a method is being made, and a finalizer that runs meanwhile makes none

-- LuaJIT gives up a trace that makes a closure, and tries again later. The stand-in itself makes none, since LuaJIT
-- compiles no return from a function that does.
local function give_up_trace(calls)
  return function() return calls end
end

-- Replaces the function of that name in `list` by a stand-in, until `make` has made the fast method. After an error in
-- `make`, such as a lack of memory or an error of a host's hook, the C function stays for a while.
local function stand_in(list, name, make)
  local otherwise, method, calls = list[name], nil, 0
  local function this(...)
    if method then return method(...) end
    -- A trace that LuaJIT ended at the C function would make the loop that it belongs to call that for ever.
    if calls >= 0 then give_up_trace(calls) end
    calls = calls + 1
    if calls > FIRST_CALLS and not is_making then
      is_making = true
      local made, result = pcall(make, name)
      is_making = false
      method, calls = made and result or nil, FIRST_CALLS - RETRY_AFTER
      if method and rawget(list, name) == this then list[name] = method end
    end
    return otherwise(...)
  end
  list[name] = this
end

-- `lists` has the tables of the methods of shapes, worlds and quadtrees; `fast` returns the function of fast.lua.
return function(sat, lists, ffi_interface, fast)
  local cast = find_ffi()
  if not cast then return end
  local get_metatable, status = debug.getmetatable, jit.status
  local shapes = get_metatable(sat.point(0, 0))
  local interface, declaration, data_table_of, state_table_of, report_memory, take_values, outline_taken =
    ffi_interface(shapes)
  if not interface then return end
  local given = {
    cast = cast, interface = interface, declaration = declaration, metatableOf = get_metatable, shapes = shapes,
    dataTableOf = data_table_of, stateTableOf = state_table_of, reportMemory = report_memory,
    takeValues = take_values, outlineTaken = outline_taken, module = {},
    others = { sat = {}, shape = {}, world = {}, quadtree = {}, siblings = {} },
    ipairs = ipairs, loadstring = loadstring, newTable = find_new_table(),
    next = next, select = select, setfenv = setfenv, setmetatable = setmetatable, type = type, gsub = gsub, sub = sub,
  }
  for name, value in pairs(sat) do given.module[name] = value end
  lists.sat = sat
  local maker
  for kind, names in pairs(NAMES) do
    local function make(name)
      if not status() then return nil end
      maker = maker or setfenv(fast(), {})(given)
      return maker(kind, name)
    end
    for _, name in ipairs(names) do
      given.others[kind][name] = lists[kind][name]
      stand_in(lists[kind], name, make)
    end
  end
end
