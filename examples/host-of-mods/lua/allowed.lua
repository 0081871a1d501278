-- Returns the globals of a mod, which neither reach the host nor take long in one call, in which no hook fires. Each
-- mod has a Lua state of its own, so that it may do with these tables what it likes.

local sat, say, gmatch, gsub = sat, say, string.gmatch, string.gsub

local function pick(library, names)
  local picked = {}
  for name in gmatch(names, "%w+") do picked[name] = library[name] end
  return picked
end

-- Left out: load, loadstring, loadfile and dofile, which take bytecode; getfenv and setfenv; collectgarbage; coroutine,
-- since a hook belongs to one coroutine; table.insert, remove and move, of which one call can take years, as a
-- metamethod __len asks for.
local mod = pick(_G, "assert error ipairs next pairs pcall rawequal rawget rawlen rawset select tonumber tostring type")
mod.unpack = rawget(_G, "unpack")
mod.math, mod.say = math, say
mod.table = pick(table, "concat sort unpack")
mod.string = pick(string, "byte char find format gmatch gsub len lower match rep reverse sub upper")
getmetatable("").__index = mod.string

-- One call that looks for a pattern takes up to the length of the text, once more for each repetition in the pattern.
for name in gmatch("find gmatch gsub match", "%w+") do
  local look = mod.string[name]
  mod.string[name] = function(text, pattern, ...)
    local _, repetitions = gsub(pattern, "[*+?-]", "")
    if #text > 300 or repetitions > 2 then error("a pattern has at most 2 repetitions, a text 300 letters", 2) end
    return look(text, pattern, ...)
  end
end

local rep = string.rep
function mod.string.rep(text, n, ...)
  if n > 10000 then error("at most 10000 times", 2) end
  return rep(text, n, ...)
end

-- No hook fires in a finalizer.
function mod.setmetatable(object, meta)
  if type(object) ~= "table" then error("a table is needed", 2) end
  if type(meta) == "table" and rawget(meta, "__gc") ~= nil then error("mods have no finalizers", 2) end
  return setmetatable(object, meta)
end

-- ---------------------------------------------------------------- sat

-- What one call takes grows with the vertices and the pieces of its shapes: with these limits two shapes of a mod take
-- some tenths of a second at most. Worlds and quadtrees stay with the host, and so does each shape of a world, since
-- world:separate and world:update take time for all pairs of shapes.
local MOST_VERTICES, MOST_SHAPES = 24, 8

local function limit_vertices(make)
  return function(list, ...)
    if type(list) ~= "table" then
      if select("#", ...) >= 2 * MOST_VERTICES then error("a shape has at most 24 vertices", 2) end
      return make(list, ...)
    end
    if rawget(list, 2 * MOST_VERTICES + 1) ~= nil then error("a shape has at most 24 vertices", 2) end
    local copy = {} -- since the length of the list may be a lie
    for i = 1, 2 * MOST_VERTICES do copy[i] = rawget(list, i) end
    return make(copy, ...)
  end
end

mod.sat = { circle = sat.circle, rectangle = sat.rectangle, capsule = sat.capsule, segment = sat.segment,
  point = sat.point, collide = sat.collide, overlaps = sat.overlaps, distance = sat.distance,
  polygon = limit_vertices(sat.polygon), hull = limit_vertices(sat.hull) }

function mod.sat.regular(x, y, radius, n, angle)
  if type(n) == "number" and n > MOST_VERTICES then error("a shape has at most 24 vertices", 2) end
  return sat.regular(x, y, radius, n, angle)
end

function mod.sat.compound(...)
  if select("#", ...) > MOST_SHAPES then error("a compound has at most 8 shapes", 2) end
  for i = 1, select("#", ...) do
    local shape = select(i, ...)
    if sat.type(shape) ~= "shape" or shape:kind() == "compound" then error("a compound has single shapes", 2) end
  end
  return sat.compound(...)
end

-- The world of this mod. The mod sees copies of its shapes, and their numbers.
local world, numbers, shapes = sat.world(), {}, {}
local MOST_IN_WORLD = 200

-- add(shape) -> number
function mod.add(shape)
  if #shapes == MOST_IN_WORLD then error("a world has at most 200 shapes", 2) end
  local copy = shape:clone():setData(nil)
  world:add(copy)
  shapes[#shapes + 1], numbers[copy] = copy, #shapes + 1
  return #shapes
end

-- near(shape) -> numbers of the shapes of the world that the shape overlaps
function mod.near(shape)
  local found = {}
  for i, other in ipairs(world:query(shape:clone())) do found[i] = numbers[other] end
  table.sort(found)
  return found
end

return mod
