-- sat.tiled on a map in which one field after the other is something else: it is read, or it is an error that names a
-- place in the map, and the world is as it was.
local sat = require "sat"
local tiled = require "sat.tiled"

local unpack = table.unpack or unpack

-- ---------------------------------------------------------------- the map

local function object(fields)
  local full = { id = 1, name = "it", type = "thing", x = 4, y = 4, width = 8, height = 6, rotation = 10 }
  full.properties = { sensor = true, collidable = true, category = 4, mask = 3, group = -2, oneWay = "up", note = "x" }
  for key, value in pairs(fields) do full[key] = value end
  return full
end

local function new_map()
  local triangle = { { x = 0, y = 0 }, { x = 8, y = 0 }, { x = 0, y = 6 } }
  return {
    orientation = "orthogonal", width = 4, height = 2, tilewidth = 16, tileheight = 16, properties = {},
    tilesets = {
      { name = "ground", firstgid = 1, tilewidth = 16, tileheight = 16, tilecount = 8, columns = 4, image = "g.png",
        objectalignment = "center", tilerendersize = "tile", fillmode = "stretch", tileoffset = { x = 0, y = 0 },
        tiles = {
          { id = 1, objectGroup = { objects = { object { shape = "polygon", polygon = triangle } } } },
          { id = 2, type = "ice", properties = { collidable = true }, width = 16, height = 16 },
          { id = 3, objectGroup = { objects = { object { shape = "ellipse" }, object { shape = "point" } } } },
        } },
      { name = "far", firstgid = 100, filename = "far.tsx" },
    },
    layers = {
      { type = "group", name = "all", offsetx = 1, offsety = 2, properties = { static = true }, layers = {
        { type = "tilelayer", name = "cells", width = 4, height = 2, offsetx = 3, offsety = 0,
          properties = { collidable = true }, data = { 0, 1, 1, 3, 2, 1, 2147483648 + 2, 4 } },
        { type = "tilelayer", name = "chunks", properties = { collidable = true }, chunks = {
          { x = 0, y = 0, width = 2, height = 2, data = { 1, 1, 3, 3 } },
          { x = -200, y = 1000, width = 1, height = 2, data = { 4, 1 } },
        } },
      } },
      { type = "objectgroup", name = "things", properties = {}, objects = {
        object { shape = "rectangle" }, object { shape = "ellipse" }, object { shape = "ellipse", height = 8 },
        object { shape = "polygon", polygon = triangle }, object { shape = "polyline", polyline = triangle },
        object { shape = "point" }, object { shape = "capsule" }, object { shape = "text", text = "Hello" },
        object { shape = "rectangle", gid = 1 }, object { shape = "rectangle", gid = 2 },
        object { shape = "rectangle", gid = 4 }, object { shape = "rectangle", width = 0 },
      } },
      { type = "imagelayer", name = "sky" },
    },
  }
end

local function options()
  return { layers = { "all", "things" }, marked = false, static = true, tileset = function()
    return { tilewidth = 16, tileheight = 16, tiles = {} }
  end }
end

-- The paths to all fields: lists of keys.
local function paths_of(thing, path, found)
  for key, value in pairs(thing) do
    local own = { unpack(path) }
    own[#own + 1] = key
    found[#found + 1] = own
    if type(value) == "table" then paths_of(value, own, found) end
  end
  return found
end

local function set(thing, path, value)
  for i = 1, #path - 1 do thing = thing[path[i]] end
  thing[path[#path]] = value
end

local PLACES = { "map", "options", "layer", "object", "tileset", "tile", "column", "chunk", "item" }

local function check_message(message, what)
  assert(type(message) == "string", what .. ": no text")
  assert(not message:find("%.lua:"), what .. ": " .. message)
  local place = message:match("^sat%.tiled: (%a+)[^:]*: .")
  local is_known = false
  for _, word in ipairs(PLACES) do is_known = is_known or place == word or message:find(": " .. word, 1, true) end
  assert(place and is_known, what .. ": " .. message)
end

local function nothing() end

-- What a field may be instead. A function makes its value of the map, for circles of tables.
local VALUES = {
  "nil", false, true, 0, -1, 0.5, 1e-300, 1e7, 1e15, 1e16, 1e17, 1e300, 2 ^ 53, -1e300, 1 / 0, -1 / 0, 0 / 0, "",
  "word", "16", "nan", ("x"):rep(300), {}, { 1 }, { {} }, { "a" }, { { x = 0 / 0, y = 1 } }, nothing,
  function(map) return map end, function(map) return map.layers end, function(map) return { map.layers[1] } end,
  function(map) return map.layers[1] end,
}

-- Whether the call adds nothing and says why; or adds what it returns.
local function check_call(what, add, ...)
  local world = sat.world():add(sat.point(1, 2))
  local before = world:save()
  local ok, result = pcall(add, world, ...)
  if ok then
    assert(world:count() == #result + 1, what)
    return false
  end
  check_message(result, what)
  assert(world:save() == before, what .. ": the world has changed")
  return true
end

-- ---------------------------------------------------------------- the checks

local function value_for(value, map)
  if type(value) == "function" and value ~= nothing then return value(map) end
  if value ~= "nil" then return value end
  return nil
end

-- Tries each value in each place, or every `step`-th of these.
local function check_fields(make, step, add, given)
  local read, refused, count = 0, 0, 0
  local function try(path, i)
    local map, names = make(), {}
    set(map, path, value_for(VALUES[i], map))
    for k, key in ipairs(path) do names[k] = tostring(key) end
    if check_call(("%s, value %d"):format(table.concat(names, "."), i), add, map, given) then refused = refused + 1
    else read = read + 1
    end
  end
  for _, path in ipairs(paths_of(make(), {}, {})) do
    for i = 1, #VALUES do
      count = count + 1
      if count % step == 0 then try(path, i) end
    end
  end
  return read, refused
end

describe("each field of a map", function()
  it("may be anything: the map is read, or refused with a place in it", function()
    local read, refused = check_fields(new_map, 1, tiled.add, options())
    assert(read > 1000 and refused > 1000, ("%d maps read, %d refused"):format(read, refused))
  end)

  it("may be anything for a list of shapes", function()
    check_fields(new_map, 7, function(world, map, given)
      local shapes = tiled.shapes(map, given)
      world:add(shapes)
      return shapes
    end, options())
  end)

  it("may be anything where only what is marked collides", function()
    check_fields(new_map, 7, tiled.add, { marked = true })
  end)

  it("may be anything in the options", function()
    local map = new_map()
    local read, refused = check_fields(options, 1, function(world, given) return tiled.add(world, map, given) end)
    assert(read > 5 and refused > 20, ("%d maps read, %d refused"):format(read, refused))
  end)
end)
