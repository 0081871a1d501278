-- Makes shapes of a map in Tiled's Lua export format (https://www.mapeditor.org, Export As, Lua).
--
--   local shapes = require("tiled").shapes(require("map"))
--
-- Object layers are read, also inside groups: rectangles, ellipses, polygons, polylines and points,
-- turned as drawn. Each shape carries what Tiled knows about its object: shape:data() is
-- { name, type, layer, properties }.

local sat = require "sat"

local tiled = {}

-- Tiled turns everything about the object's own x, y: a rectangle's top-left corner, a polygon's
-- origin.
local makers = {}

function makers.rectangle(object)
  return sat.rectangle(object.x, object.y, object.width, object.height)
end

function makers.ellipse(object)
  local rx, ry = object.width / 2, object.height / 2
  local x, y = object.x + rx, object.y + ry
  if rx == ry then return sat.circle(x, y, rx) end
  return sat.ellipse(x, y, rx, ry)
end

local function flatten(object, corners)
  local vertices = {}
  for _, corner in ipairs(corners) do
    vertices[#vertices + 1] = object.x + corner.x
    vertices[#vertices + 1] = object.y + corner.y
  end
  return vertices
end

function makers.polygon(object)
  return sat.polygon(flatten(object, object.polygon))
end

function makers.polyline(object)
  return sat.chain(flatten(object, object.polyline))
end

function makers.point(object)
  return sat.point(object.x, object.y)
end

local function shape_of(object, layer)
  local make = makers[object.shape]
  if not make or object.gid then
    error(("object %d of layer '%s' is a %s, which has no shape here"):format(
      object.id, layer.name, object.gid and "tile" or object.shape))
  end
  local shape = make(object)
  if object.rotation ~= 0 then shape:rotate(math.rad(object.rotation), object.x, object.y) end
  return shape:setData {
    name = object.name,
    type = object.type or object.class, -- Tiled 1.9 alone calls it class
    layer = layer.name,
    properties = object.properties,
  }
end

local function read(layers, x, y, shapes)
  for _, layer in ipairs(layers) do
    local left, top = x + layer.offsetx, y + layer.offsety
    if layer.type == "group" then read(layer.layers, left, top, shapes) end
    for _, object in ipairs(layer.type == "objectgroup" and layer.objects or {}) do
      shapes[#shapes + 1] = shape_of(object, layer):move(left, top)
    end
  end
  return shapes
end

-- All objects of a map as a list of shapes, in the map's order.
function tiled.shapes(map)
  return read(map.layers, 0, 0, {})
end

return tiled
