-- Shapes of a map that was drawn with Tiled (https://www.mapeditor.org) and exported as Lua:
--
--   local tiled = require "sat.tiled"
--   tiled.add(world, require "map") -- or tiled.shapes(require "map"), a list
--
-- The objects of every object layer become shapes, and so do tiles that collide: as the collision shapes of their
-- tileset, or as whole cells where the property `collidable` of the tile or of its layer is true. docs/guides/tiled.md
-- lists the properties, the options, and the maps that are refused.

local name = ...
local folder = type(name) == "string" and name:match("^(.+)[./]tiled$") or "sat"
local sat = require(folder .. ".whole")

local tiled = {}

-- An error in a map names the place in the map, and no line of Lua.
local function fail(place, reason, ...)
  error(("sat.tiled: %s: %s"):format(place, reason:format(...)), 0)
end

-- Calls a function of sat; its error names the place in the map.
local function guard(place, f, ...)
  local ok, result = pcall(f, ...)
  return ok and result or fail(place, "%s", (tostring(result):gsub("^[^:\n]*:%d+: ", "")))
end

local function read_number(place, owner, key, default)
  local value = owner[key]
  if value == nil then value = default end
  if type(value) == "number" and value - value == 0 then return value end
  return fail(place, "%s must be a finite number, not %s", key, tostring(value))
end

local function read_table(place, owner, key, default)
  local value = owner[key]
  if value == nil then value = default end
  return type(value) == "table" and value or fail(place, "%s must be a table, not %s", key, tostring(value))
end

-- ---------------------------------------------------------------- properties

local UP = { [true] = { 0, -1 }, up = { 0, -1 }, down = { 0, 1 }, left = { -1, 0 }, right = { 1, 0 } }

-- The properties that have a meaning here, each with the type of its values.
local UNDERSTOOD = {
  collidable = "boolean", sensor = "boolean", static = "boolean", oneWay = "direction",
  category = "number", mask = "number", group = "number",
}

-- Tiled before 0.17 wrote every property as a string.
local OLD = { ["true"] = true, ["false"] = false }

-- The properties of an object: its own, then those of its tile, of its layer and of the groups around it.
local function overlay(place, settings, properties)
  local merged
  for key, kind in pairs(UNDERSTOOD) do
    local value = properties[key]
    if OLD[value] ~= nil and kind ~= "number" then value = OLD[value] end
    if kind == "number" and type(value) == "string" then value = tonumber(value) or value end
    if value ~= nil then
      if kind == "direction" and value ~= false and not UP[value] then
        fail(place, 'the property oneWay must be true, false, "up", "down", "left" or "right", not %s', tostring(value))
      elseif kind ~= "direction" and type(value) ~= kind then
        fail(place, "the property %s must be a %s, not %s", key, kind, tostring(value))
      end
      merged = merged or setmetatable({}, { __index = settings })
      merged[key] = value
    end
  end
  return merged or settings
end

local function apply(place, shape, settings, is_static)
  if settings.sensor then shape:setSensor(true) end
  if settings.static or is_static and settings.static == nil then shape:setStatic(true) end
  if settings.oneWay then shape:setOneWay(UP[settings.oneWay][1], UP[settings.oneWay][2]) end
  if settings.category or settings.mask or settings.group then
    guard(place, shape.setFilter, shape, settings.category or 1, settings.mask or 4294967295, settings.group or 0)
  end
  return shape
end

-- ---------------------------------------------------------------- objects

local function flatten(place, object, key, x, y)
  local vertices = {}
  for i, point in ipairs(read_table(place, object, key)) do
    if type(point) ~= "table" then fail(place, "point %d of its %s must be a table", i, key) end
    vertices[2 * i - 1] = x + read_number(place, point, "x")
    vertices[2 * i] = y + read_number(place, point, "y")
  end
  return vertices
end

-- The shape of an object without width or height.
local function thin(x, y, w, h)
  return w == 0 and h == 0 and sat.point(x, y) or sat.segment(x, y, x + w, y + h)
end

-- Functions by Tiled's names of objects' shapes, which make the shape at x, y, before its rotation.
local makers = {}

function makers.rectangle(place, object, x, y)
  local w, h = read_number(place, object, "width"), read_number(place, object, "height")
  if w == 0 or h == 0 then return thin(x, y, w, h) end
  return guard(place, sat.rectangle, x, y, w, h)
end

function makers.ellipse(place, object, x, y)
  local w, h = read_number(place, object, "width"), read_number(place, object, "height")
  if w == 0 or h == 0 then return thin(x, y, w, h) end
  if w == h then return guard(place, sat.circle, x + w / 2, y + h / 2, w / 2) end
  return guard(place, sat.ellipse, x + w / 2, y + h / 2, w / 2, h / 2)
end

function makers.polygon(place, object, x, y)
  return guard(place, sat.polygon, flatten(place, object, "polygon", x, y))
end

function makers.polyline(place, object, x, y)
  return guard(place, sat.chain, flatten(place, object, "polyline", x, y))
end

function makers.point(_, _, x, y) return sat.point(x, y) end

-- A capsule, which Tiled has since 1.12: its longer side is its axis.
function makers.capsule(place, object, x, y)
  local w, h = read_number(place, object, "width"), read_number(place, object, "height")
  local r = math.min(w, h) / 2
  return guard(place, sat.capsule, x + r, y + r, x + w - r, y + h - r, r)
end

-- The shape of an object that is no tile, with its corner or origin at x, y, before its rotation; nil for a text.
local function make_shape(place, object, x, y)
  local kind = object.shape
  if kind == "text" then return nil end
  if object.template ~= nil and kind == nil then
    fail(place, "it is made from a template: check Detach Templates in Tiled's export options")
  end
  local make = makers[kind] or fail(place, "its shape is %s, which is unknown", tostring(kind))
  return make(place, object, x, y)
end

local function turn(place, shape, object, x, y)
  local rotation = read_number(place, object, "rotation", 0)
  return rotation ~= 0 and shape:rotate(math.rad(rotation), x, y) or shape
end

-- Tiled 1.9 alone calls the type class. An object without a type has that of its tile.
local type_of
function type_of(thing, tile)
  local word = thing.type or thing.class
  if (word == nil or word == "") and tile then return type_of(tile) or word end
  return word
end

-- ---------------------------------------------------------------- tiles

local HORIZONTAL, VERTICAL, DIAGONAL, HEXAGONAL = 2147483648, 1073741824, 536870912, 268435456

-- The number of a tile without its flags, and the flags: whether it is mirrored at its diagonal, then left for right,
-- then upside down.
local function split_gid(place, gid)
  if type(gid) ~= "number" or gid % 1 ~= 0 or gid < 0 or gid >= 2 * HORIZONTAL then
    fail(place, "%s is no number of a tile", tostring(gid))
  end
  local flips = {}
  if gid >= HORIZONTAL then gid, flips.horizontal = gid - HORIZONTAL, true end
  if gid >= VERTICAL then gid, flips.vertical = gid - VERTICAL, true end
  if gid >= DIAGONAL then gid, flips.diagonal = gid - DIAGONAL, true end
  if gid >= HEXAGONAL then fail(place, "a tile is turned as only hexagonal maps turn them") end
  return gid, flips
end

local function check_tileset(reader, tileset, i)
  local place = ("tileset %d"):format(i)
  if type(tileset) ~= "table" then fail(place, "it must be a table, not %s", tostring(tileset)) end
  place = ("tileset '%s'"):format(tostring(tileset.name or tileset.filename))
  local first, external = read_number(place, tileset, "firstgid"), tileset.filename
  if tileset.tilewidth == nil and reader.tileset then
    tileset = reader.tileset(external, tileset)
    if type(tileset) ~= "table" then
      fail(place, "the option tileset must return a table, not %s", tostring(tileset))
    end
  end
  if tileset.tilewidth == nil then return { first = first, external = external, place = place } end
  local tiles = {}
  for _, tile in ipairs(read_table(place, tileset, "tiles", {})) do tiles[read_number(place, tile, "id")] = tile end
  local offset = read_table(place, tileset, "tileoffset", {})
  return {
    first = first, tileset = tileset, tiles = tiles, place = place,
    width = read_number(place, tileset, "tilewidth"), height = read_number(place, tileset, "tileheight"),
    offsetX = read_number(place, offset, "x", 0), offsetY = read_number(place, offset, "y", 0),
  }
end

-- A tile by its number: its set, its entry in the set, and the size of its picture.
local function find_tile(reader, place, gid)
  local found
  for _, set in ipairs(reader.sets) do
    if set.first <= gid and (not found or set.first > found.first) then found = set end
  end
  if not found then fail(place, "tile %d is in no tileset", gid) end
  if not found.tileset then
    fail(found.place, "it is in the file %s: check Embed Tilesets in Tiled's export options, or give the option "
      .. "tileset", tostring(found.external))
  end
  local tile = found.tiles[gid - found.first] or { id = gid - found.first }
  return found, tile, tile.width or found.width, tile.height or found.height
end

-- The transform of a tile's picture to a box of w by h: a scaling, then the flips.
local function new_frame(set, tileW, tileH, w, h, flips)
  local frame = { scaleX = w / tileW, scaleY = h / tileH, padX = 0, padY = 0, w = w, h = h, flips = flips }
  if set.tileset.fillmode == "preserve-aspect-fit" then
    local scale = math.min(frame.scaleX, frame.scaleY)
    frame.padX, frame.padY = (w - tileW * scale) / 2, (h - tileH * scale) / 2
    frame.scaleX, frame.scaleY = scale, scale
  end
  if flips.diagonal then frame.w, frame.h = h, w end
  return frame
end

local function map_point(frame, x, y)
  x, y = x * frame.scaleX + frame.padX, y * frame.scaleY + frame.padY
  if frame.flips.diagonal then x, y = y, x end
  if frame.flips.horizontal then x = frame.w - x end
  if frame.flips.vertical then y = frame.h - y end
  return x, y
end

-- The same shape in a frame, moved by x, y.
local function map_shape(place, shape, frame, x, y)
  local kind, points, radius = shape:kind(), shape:vertices(), shape:radius()
  for i = 1, #points, 2 do
    local px, py = map_point(frame, points[i], points[i + 1])
    points[i], points[i + 1] = x + px, y + py
  end
  local rx, ry = radius * frame.scaleX, radius * frame.scaleY
  if frame.flips.diagonal then rx, ry = ry, rx end
  if kind == "circle" and rx ~= ry then return guard(place, sat.ellipse, points[1], points[2], rx, ry) end
  if kind == "circle" then return guard(place, sat.circle, points[1], points[2], rx) end
  if kind == "point" then return sat.point(points[1], points[2]) end
  if kind == "chain" then return guard(place, sat.chain, points) end
  if kind == "polygon" then return guard(place, sat.polygon, points) end
  if radius > 0 and rx ~= ry then fail(place, "a capsule cannot be stretched in one direction") end
  return guard(place, sat.capsule, points[1], points[2], points[3], points[4], rx)
end

-- The collision shapes that the tileset gives a tile, in the picture's pixels: a list of { shape =, object = }, or nil.
local function own_shapes(reader, set, tile)
  local known = reader.own[tile]
  if known ~= nil then return known end
  local list = {}
  local group = tile.objectGroup
  for i, object in ipairs(type(group) == "table" and group.objects or {}) do
    local place = ("%s, tile %s, collision shape %d"):format(set.place, tostring(tile.id), i)
    local x, y = read_number(place, object, "x"), read_number(place, object, "y")
    if object.gid ~= nil then fail(place, "a tile within a tile has no shape") end
    local shape = make_shape(place, object, x, y)
    if shape then list[#list + 1] = { shape = turn(place, shape, object, x, y), object = object, place = place } end
  end
  reader.own[tile] = list[1] and list or false
  return reader.own[tile]
end

local EMPTY = {}

local function properties_of(thing) return type(thing.properties) == "table" and thing.properties or EMPTY end

-- ---------------------------------------------------------------- object layers

-- By the alignment of tile objects: the offset from the object's position to its top-left corner, as fractions of its
-- width and height.
local ALIGNMENTS = {
  unspecified = { 0, 1 }, bottomleft = { 0, 1 }, bottom = { 0.5, 1 }, bottomright = { 1, 1 },
  left = { 0, 0.5 }, center = { 0.5, 0.5 }, right = { 1, 0.5 },
  topleft = { 0, 0 }, top = { 0.5, 0 }, topright = { 1, 0 },
}

-- The shape of a tile in an object layer: the collision shapes of the tile, as one shape, or else its whole box.
local function make_tile_object(reader, place, object, x, y)
  local gid, flips = split_gid(place, object.gid)
  local set, tile, tileW, tileH = find_tile(reader, place, gid)
  local w, h = read_number(place, object, "width", tileW), read_number(place, object, "height", tileH)
  local frame = new_frame(set, tileW, tileH, w, h, flips)
  local alignment = ALIGNMENTS[set.tileset.objectalignment or "unspecified"]
    or fail(set.place, "its object alignment %s is unknown", tostring(set.tileset.objectalignment))
  local left = x - alignment[1] * w + set.offsetX * frame.scaleX
  local top = y - alignment[2] * h + h - frame.h + set.offsetY * frame.scaleY
  local pieces = {}
  for i, own in ipairs(own_shapes(reader, set, tile) or EMPTY) do
    pieces[i] = map_shape(own.place, own.shape, frame, left, top)
  end
  if pieces[2] then return guard(place, sat.compound, pieces), tile, gid end
  return pieces[1] or makers.rectangle(place, { width = frame.w, height = frame.h }, left, top), tile, gid
end

local function read_object(reader, layer, object, settings, x, y)
  if type(object) ~= "table" then
    fail(("layer '%s'"):format(layer.name), "an object must be a table, not %s", tostring(object))
  end
  local place = ("object %s of layer '%s'"):format(tostring(object.id), layer.name)
  local left, top = x + read_number(place, object, "x"), y + read_number(place, object, "y")
  local properties = properties_of(object)
  local shape, tile, gid
  local is_placed = reader.is_sti and (object.shape == "polygon" or object.shape == "polyline")
  if object.gid ~= nil then
    shape, tile, gid = make_tile_object(reader, place, object, left, top)
    settings, properties = overlay(place, settings, properties_of(tile)), {}
    for key, value in pairs(properties_of(tile)) do properties[key] = value end
    for key, value in pairs(properties_of(object)) do properties[key] = value end
  else -- STI has turned and moved polygons already
    shape = make_shape(place, object, is_placed and 0 or left, is_placed and 0 or top)
  end
  settings = overlay(place, settings, properties_of(object))
  if not shape or settings.collidable == false then return end
  apply(place, shape, settings, false)
  if not is_placed then turn(place, shape, object, left, top) end
  reader.add(shape:setData {
    name = object.name, type = type_of(object, tile), layer = layer.name, id = object.id,
    properties = properties, gid = gid,
  })
end

-- ---------------------------------------------------------------- tile layers

local function check_data(place, layer)
  if layer.encoding == "base64" or layer.compression then
    fail(place, "its data is packed (%s): choose the tile layer format CSV in the map's properties",
      tostring(layer.compression or layer.encoding))
  end
end

-- Calls visit(column, row, gid) for each tile of a layer, or of a chunk, whose first cell is at x, y.
local function visit_cells(reader, place, block, x, y, visit)
  local columns, rows = read_number(place, block, "width"), read_number(place, block, "height")
  local data = read_table(place, block, "data")
  if not reader.is_sti and #data ~= columns * rows then
    fail(place, "its data has %d tiles, not %d by %d", #data, columns, rows)
  end
  for row = 0, rows - 1 do
    local line = reader.is_sti and read_table(place, data, row + 1, EMPTY)
    for column = 0, columns - 1 do
      local gid = data[row * columns + column + 1]
      if line then gid = (line[column + 1] or EMPTY).gid or 0 end
      if gid ~= 0 then visit(x + column, y + row, gid) end
    end
  end
end

local function visit_chunks(reader, place, layer, visit)
  for i, chunk in ipairs(read_table(place, layer, "chunks")) do
    local where = ("chunk %d of %s"):format(i, place)
    if type(chunk) ~= "table" then fail(where, "it must be a table, not %s", tostring(chunk)) end
    visit_cells(reader, where, chunk, read_number(where, chunk, "x"), read_number(where, chunk, "y"), visit)
  end
end

-- The runs of equal cells in a row, from left to right. A run that continues one of the row above is the same table.
local function find_runs(line, left, right, row, above)
  local runs, by_first, column = {}, {}, left
  while column <= right do
    local kind, first = line[column], column
    repeat column = column + 1 until line[column] ~= kind or column > right
    if kind then
      local same = above[first]
      if not same or same.kind ~= kind or same.past ~= column then
        same = { kind = kind, first = first, past = column, top = row }
      end
      runs[#runs + 1], by_first[first] = same, same
    end
  end
  return runs, by_first
end

-- Adds rectangles for whole cells: runs with the same ends in successive rows become one rectangle. `cells` has the
-- rows by number, and a row has by column a value that is equal for cells that may be in one rectangle.
local function merge_cells(cells, left, top, right, bottom, add)
  local above, above_by_first = EMPTY, EMPTY
  for row = top, bottom + 1 do
    local runs, by_first = find_runs(cells[row] or EMPTY, left, right, row, above_by_first)
    for _, run in ipairs(above) do
      if by_first[run.first] ~= run then add(run.kind, run.first, run.top, run.past - run.first, row - run.top) end
    end
    above, above_by_first = runs, by_first
  end
end

-- The data that all cells of a layer with one tile number share: the place of the picture in its cell, and its
-- collision shapes.
local function describe_cell(reader, layer, settings, place, number)
  local gid, flips = split_gid(place, number)
  local set, tile, tileW, tileH = find_tile(reader, place, gid)
  local w, h = tileW, tileH
  if set.tileset.tilerendersize == "grid" then w, h = reader.width, reader.height end
  local frame = new_frame(set, tileW, tileH, w, h, flips)
  local cell = {
    w = frame.w, h = frame.h, x = set.offsetX * frame.scaleX, settings = overlay(place, settings, properties_of(tile)),
    y = reader.height - frame.h + set.offsetY * frame.scaleY, pieces = {},
    data = { type = type_of(tile), layer = layer.name, id = tile.id, gid = gid, properties = properties_of(tile) },
  }
  local is_whole = cell.w == reader.width and cell.h == reader.height and cell.x == 0 and cell.y == 0
  if cell.settings.collidable == false then return cell end
  for i, own in ipairs(own_shapes(reader, set, tile) or EMPTY) do
    local object = own.object
    local piece = map_shape(own.place, own.shape, frame, cell.x, cell.y)
    local own_settings = overlay(own.place, cell.settings, properties_of(object))
    cell.pieces[i] = apply(own.place, piece, own_settings, true):setData {
      name = object.name, type = type_of(object, tile), layer = layer.name, id = tile.id, gid = gid,
      properties = next(properties_of(object)) and object.properties or properties_of(tile),
    }
  end
  if cell.pieces[1] or not cell.settings.collidable then return cell end
  local is_plain = next(cell.data.properties) == nil and (cell.data.type or "") == ""
  if is_whole and is_plain then cell.merged = reader.plain
  elseif is_whole then cell.merged = cell
  else
    local box = makers.rectangle(place, { width = cell.w, height = cell.h }, cell.x, cell.y)
    cell.pieces[1] = apply(place, box, cell.settings, true):setData(cell.data)
  end
  return cell
end

-- The columns and rows between which some cells lie, and the number of cells. An extent grows while cells are read:
-- LuaJIT for x64 from September 2021 to July 2022 (its commits bb0f2410 to e1339aed) compiles a loop over `pairs` in
-- another one wrongly, since it reads a number of the outer loop from memory that the inner loop has overwritten.
local function new_extent()
  return { left = math.huge, top = math.huge, right = -math.huge, bottom = -math.huge, count = 0 }
end

local function extend(extent, column, row)
  extent.left, extent.right = math.min(extent.left, column), math.max(extent.right, column)
  extent.top, extent.bottom = math.min(extent.top, row), math.max(extent.bottom, row)
  extent.count = extent.count + 1
end

-- Records whole cells of one kind as a grid of sat.tiles, which is made after the whole map has been read.
local function note_grid(reader, place, kind, cells, x, y)
  local size, extent = reader.width, kind.extent
  local left, top = extent.left, extent.top
  local columns, rows = extent.right - left + 1, extent.bottom - top + 1
  if columns * rows > 16 * extent.count + 4096 then return false end -- the grid would be nearly empty
  reader.grids[#reader.grids + 1] = function(world, add)
    local data = {}
    for key, value in pairs(kind.data) do data[key] = value end
    data.grid = require(folder .. ".tiles").new(world, columns, rows, size, function(column, row)
      local line = cells[top + row - 1]
      return line and line[left + column - 1] == kind
    end, {
      x = x + left * size, y = y + top * size,
      prepare = function(shape) apply(place, shape, kind.settings, true):setData(data) end,
    })
    for _, shape in ipairs((world:shapes())) do
      if shape:data() == data then add(shape) end
    end
  end
  return true
end

local function read_tiles(reader, layer, settings, x, y)
  local place, known, merged, extent = ("layer '%s'"):format(layer.name), {}, {}, new_extent()
  check_data(place, layer)
  if settings.collidable == false then return end
  reader.plain = { settings = settings, data = { layer = layer.name, properties = properties_of(layer) } }
  local function visit(column, row, gid)
    local cell = known[gid]
    if not cell then
      local where = ("column %d, row %d of %s"):format(column, row, place)
      cell = describe_cell(reader, layer, settings, where, gid)
      known[gid] = cell
    end
    for _, piece in ipairs(cell.pieces) do
      reader.add(piece:clone():move(x + column * reader.width, y + row * reader.height))
    end
    if cell.merged then
      merged[row] = merged[row] or {}
      merged[row][column] = cell.merged
      cell.merged.extent = cell.merged.extent or new_extent()
      extend(cell.merged.extent, column, row)
      extend(extent, column, row)
    end
  end
  if layer.chunks ~= nil then visit_chunks(reader, place, layer, visit)
  else visit_cells(reader, place, layer, 0, 0, visit)
  end
  local is_noted = {}
  merge_cells(merged, extent.left, extent.top, extent.right, extent.bottom, function(kind, column, row, columns, rows)
    if reader.grids and reader.width == reader.height and is_noted[kind] == nil then
      is_noted[kind] = note_grid(reader, place, kind, merged, x, y)
    end
    if is_noted[kind] then return end
    local shape = sat.rectangle(x + column * reader.width, y + row * reader.height, columns * reader.width,
      rows * reader.height)
    reader.add(apply(place, shape, kind.settings, true):setData(kind.data))
  end)
end

-- ---------------------------------------------------------------- maps

local COLLIDABLE = { collidable = true }

local function read_layers(reader, layers, settings, x, y, is_wanted)
  for i, layer in ipairs(layers) do
    local place = ("layer %d"):format(i)
    if type(layer) ~= "table" then fail(place, "it must be a table, not %s", tostring(layer)) end
    if type(layer.name) ~= "string" then fail(place, "its name must be a string, not %s", tostring(layer.name)) end
    place = ("layer '%s'"):format(layer.name)
    local left = reader.is_sti and read_number(place, layer, "x") or x + read_number(place, layer, "offsetx", 0)
    local top = reader.is_sti and read_number(place, layer, "y") or y + read_number(place, layer, "offsety", 0)
    local own = overlay(place, settings, properties_of(layer))
    local wanted = is_wanted or reader.wants(layer.name)
    if wanted and reader.has_names then own = overlay(place, own, COLLIDABLE) end
    if layer.type == "group" then
      read_layers(reader, read_table(place, layer, "layers"), own, left, top, wanted)
    elseif layer.type == "objectgroup" then
      for _, object in ipairs(wanted and read_table(place, layer, "objects") or EMPTY) do
        read_object(reader, layer, object, own, left, top)
      end
    elseif layer.type == "tilelayer" then
      if wanted then read_tiles(reader, layer, own, left, top) end
    elseif layer.type ~= "imagelayer" then
      fail(place, "its type is %s, which is unknown", tostring(layer.type))
    end
  end
end

local OPTIONS = { layers = "table", tileset = "function" }

local function check_options(options)
  if options ~= nil and type(options) ~= "table" then
    fail("options", "they must be a table, not %s", tostring(options))
  end
  for key, value in pairs(options or EMPTY) do
    if not OPTIONS[key] then fail("options", "there is no option '%s'; there are layers and tileset", tostring(key)) end
    if type(value) ~= OPTIONS[key] then
      fail("options", "%s must be a %s, not %s", key, OPTIONS[key], tostring(value))
    end
  end
end

local function new_reader(map, options)
  if type(map) ~= "table" then fail("map", "it must be a table, not %s", tostring(map)) end
  if map.orientation ~= nil and map.orientation ~= "orthogonal" then
    fail("map", "it is %s, and only orthogonal maps are read", tostring(map.orientation))
  end
  check_options(options)
  local missing, list = {}, options and options.layers
  for _, layer_name in ipairs(list or EMPTY) do missing[layer_name] = true end
  local named = {}
  for key in pairs(missing) do named[key] = true end
  local reader = {
    is_sti = type(map.tileInstances) == "table", own = {}, sets = {}, has_names = list ~= nil, missing = missing,
    tileset = options and options.tileset,
    wants = function(layer_name)
      missing[layer_name] = nil
      return not list or named[layer_name] or false
    end,
  }
  for i, tileset in ipairs(read_table("map", map, "tilesets", EMPTY)) do
    reader.sets[i] = check_tileset(reader, tileset, i)
  end
  if map.tilewidth ~= nil or reader.sets[1] then
    reader.width, reader.height = read_number("map", map, "tilewidth"), read_number("map", map, "tileheight")
  end
  return reader
end

-- The shapes of a map. With `grids`, a list, whole cells become functions in that list, which make their grids.
local function read_map(map, options, grids)
  local reader, shapes = new_reader(map, options), {}
  reader.grids = grids
  function reader.add(shape) shapes[#shapes + 1] = shape end
  read_layers(reader, read_table("map", map, "layers"), EMPTY, 0, 0, false)
  local missing = next(reader.missing)
  if missing ~= nil then fail("options", "the map has no layer '%s'", tostring(missing)) end
  return shapes
end

-- All shapes of a map, as a list, layer by layer.
function tiled.shapes(map, options) return read_map(map, options, nil) end

-- Adds all shapes of a map to a world, and returns the list. The whole square cells of each layer become a grid of
-- sat.tiles, shape:data().grid, by which a game may change them.
function tiled.add(world, map, options)
  if sat.type(world) ~= "world" then
    error(("bad argument #1 to 'add' (world must be a world, not %s)"):format(tostring(world)), 2)
  end
  local grids = {}
  local shapes = read_map(map, options, grids)
  world:add(shapes)
  for _, make in ipairs(grids) do
    make(world, function(shape) shapes[#shapes + 1] = shape end)
  end
  return shapes
end

-- ---------------------------------------------------------------- Simple Tiled Implementation

-- The plugin `sat`: the file sti/plugins/sat.lua has the line
--
--   return require("sat.tiled").plugin
--
-- and a game says `local map = sti("map.lua", { "sat" })`, then `map:sat_init(world)`.
tiled.plugin = {
  sat_LICENSE = "MIT",
  sat_URL = "https://github.com/sat-lua/sat",
  sat_VERSION = "0.2.0",
  sat_DESCRIPTION = "Shapes of sat for STI",
}

-- Adds all shapes of the map to a world of sat; map.sat_shapes keeps the list.
function tiled.plugin.sat_init(map, world, options)
  map.sat_world, map.sat_shapes = world, tiled.add(world, map, options)
  return map.sat_shapes
end

-- Removes the shapes of a layer, by its name or its number.
function tiled.plugin.sat_removeLayer(map, index)
  local layer = map.layers[index]
  if not layer then
    error(("bad argument #1 to 'sat_removeLayer' (the map has no layer %s)"):format(tostring(index)), 2)
  end
  for i = #map.sat_shapes, 1, -1 do
    local shape = map.sat_shapes[i]
    local data = shape:data()
    if data.layer == layer.name then
      map.sat_world:remove(shape)
      local chunks = data.grid and data.grid.shapes or EMPTY -- from 0 on
      for chunk = 0, #chunks do
        for _, piece in ipairs(chunks[chunk] or EMPTY) do map.sat_world:remove(piece) end
      end
      table.remove(map.sat_shapes, i)
    end
  end
end

-- Draws the shapes, moved by tx, ty and then scaled.
function tiled.plugin.sat_draw(map, tx, ty, sx, sy)
  local graphics = rawget(_G, "love").graphics
  graphics.push()
  graphics.scale(sx or 1, sy or sx or 1)
  graphics.translate(math.floor(tx or 0), math.floor(ty or 0))
  map.sat_world:draw()
  graphics.pop()
end

return tiled
