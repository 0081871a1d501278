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
local sat, arguments = require(folder .. ".whole"), require(folder .. ".arguments")
local tiles = require(folder .. ".tiles") -- now: Lua 5.1 never loads a module again that lacked memory

local tiled = {}

local EMPTY = {}
local MOST_CELLS = 1e9 -- of the columns or rows between a cell and the map's origin
local MOST_GROUPS = 100 -- of groups, each in the one before

-- ---------------------------------------------------------------- errors and fields

local function describe(value)
  if type(value) == "string" and #value > 40 then return ("a string of %d letters"):format(#value) end
  return arguments.describe(value)
end

-- A name or a number as a message shows it.
local function text_of(value)
  if type(value) == "string" or type(value) == "number" then return tostring(value) end
  return describe(value)
end

-- An error in a map names the place in the map, and no line of Lua.
local function fail(place, reason, ...)
  error(("sat.tiled: %s: %s"):format(place, reason:format(...)), 0)
end

-- Calls a function of sat; its error names the place in the map.
local function guard(place, f, ...)
  local result, reason = tiles.attempt(f, ...)
  return result or fail(place, "%s", reason)
end

local function read(owner, key, default)
  local value = owner[key]
  if value == nil then return default end
  return value
end

local function read_number(place, owner, key, default)
  local value = owner[key]
  if value == nil and default then return default end
  if type(value) == "number" and value - value == 0 then return value end
  return fail(place, "%s must be a finite number, not %s", key, describe(value))
end

local function read_whole(place, owner, key, low, high)
  local value = read_number(place, owner, key)
  if value % 1 == 0 and value >= low and value <= high then return value end
  return fail(place, "%s must be a whole number from %.0f to %.0f, not %s", key, low, high, describe(value))
end

local function read_table(place, owner, key, default)
  local value = read(owner, key, default)
  return type(value) == "table" and value or fail(place, "%s must be a table, not %s", key, describe(value))
end

-- An entry of a list, such as a layer, which must be a table.
local function check_entry(place, entry)
  return type(entry) == "table" and entry or fail(place, "it must be a table, not %s", describe(entry))
end

-- ---------------------------------------------------------------- properties

local function properties_of(thing) return type(thing.properties) == "table" and thing.properties or EMPTY end

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
    if kind == "number" and type(value) == "string" then value = tonumber(value) end -- a word is the game's own
    if value ~= nil then
      if kind == "direction" and value ~= false and not UP[value] then
        fail(place, 'the property oneWay must be true, false, "up", "down", "left" or "right", not %s', describe(value))
      elseif kind ~= "direction" and type(value) ~= kind then
        fail(place, "the property %s must be a %s, not %s", key, kind, describe(value))
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
    if type(point) ~= "table" then
      fail(place, "point %d of its %s must be a table, not %s", i, key, describe(point))
    end
    vertices[2 * i - 1] = x + read_number(place, point, "x")
    vertices[2 * i] = y + read_number(place, point, "y")
  end
  return vertices
end

-- The shape of an object without width or height.
local function make_thin(place, x, y, w, h)
  if w == 0 and h == 0 then return guard(place, sat.point, x, y) end
  return guard(place, sat.segment, x, y, x + w, y + h)
end

-- The size of an object. One without a shape may have none, as it may in Tiled's own files.
local function read_size(place, object)
  local default = object.shape == nil and 0 or nil
  return read_number(place, object, "width", default), read_number(place, object, "height", default)
end

-- Functions by Tiled's names of objects' shapes, which make the shape at x, y, before its rotation.
local makers = {}

function makers.rectangle(place, object, x, y)
  local w, h = read_size(place, object)
  if w == 0 or h == 0 then return make_thin(place, x, y, w, h) end
  return guard(place, sat.rectangle, x, y, w, h)
end

function makers.ellipse(place, object, x, y)
  local w, h = read_size(place, object)
  if w == 0 or h == 0 then return make_thin(place, x, y, w, h) end
  if w == h then return guard(place, sat.circle, x + w / 2, y + h / 2, w / 2) end
  return guard(place, sat.ellipse, x + w / 2, y + h / 2, w / 2, h / 2)
end

function makers.polygon(place, object, x, y)
  return guard(place, sat.polygon, flatten(place, object, "polygon", x, y))
end

function makers.polyline(place, object, x, y)
  return guard(place, sat.chain, flatten(place, object, "polyline", x, y))
end

function makers.point(place, _, x, y) return guard(place, sat.point, x, y) end

-- A capsule, which Tiled has since 1.12: its longer side is its axis.
function makers.capsule(place, object, x, y)
  local w, h = read_size(place, object)
  local r = math.min(w, h) / 2
  return guard(place, sat.capsule, x + r, y + r, x + w - r, y + h - r, r)
end

-- Tiled's name of an object's shape. Other programs leave it out: then the object's fields tell it.
local function kind_of(place, object)
  if object.shape ~= nil then return object.shape end
  if object.template ~= nil then
    fail(place, "it is made from a template: check Detach Templates in Tiled's export options")
  end
  for _, kind in ipairs { "polygon", "polyline", "ellipse", "point", "capsule", "text" } do
    if object[kind] then return kind end
  end
  return "rectangle"
end

-- The shape of an object that is no tile, with its corner or origin at x, y, before its rotation; nil for a text.
local function make_shape(place, object, x, y)
  local kind = kind_of(place, object)
  if kind == "text" then return nil end
  local make = makers[kind] or fail(place, "its shape is %s, which is unknown", text_of(kind))
  return make(place, object, x, y)
end

local function turn(place, shape, object, x, y)
  local rotation = read_number(place, object, "rotation", 0)
  return rotation ~= 0 and guard(place, shape.rotate, shape, math.rad(rotation), x, y) or shape
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
    fail(place, "%s is no number of a tile", describe(gid))
  end
  local flips = {}
  if gid >= HORIZONTAL then gid, flips.horizontal = gid - HORIZONTAL, true end
  if gid >= VERTICAL then gid, flips.vertical = gid - VERTICAL, true end
  if gid >= DIAGONAL then gid, flips.diagonal = gid - DIAGONAL, true end
  if gid >= HEXAGONAL then fail(place, "a tile is turned as only hexagonal maps turn them") end
  return gid, flips
end

-- The tiles of a tileset that it says something about, by their numbers.
local function read_set_tiles(place, tileset)
  local by_number = {}
  for i, tile in ipairs(read_table(place, tileset, "tiles", EMPTY)) do
    check_entry(("tile %d of the list of %s"):format(i, place), tile)
    by_number[read_number(place, tile, "id")] = tile
  end
  return by_number
end

-- The number of tiles in the one picture of a tileset: all that its list does not name are beyond it. A collection of
-- pictures has none but those of its list. Before Tiled 0.13 the number is not told.
local function count_tiles(place, tileset, by_number)
  local is_collection = tileset.columns == 0 and not tileset.image
  for _, tile in next, by_number do is_collection = is_collection or not tileset.image and tile.image ~= nil end
  return is_collection and 0 or read_number(place, tileset, "tilecount", math.huge)
end

local function check_tileset(reader, tileset, i)
  local place = ("tileset %d"):format(i)
  check_entry(place, tileset)
  place = ("tileset '%s'"):format(text_of(tileset.name or tileset.filename))
  local first, external = read_number(place, tileset, "firstgid"), tileset.filename
  if tileset.tilewidth == nil and reader.tileset then
    tileset = reader.tileset(external, tileset)
    if type(tileset) ~= "table" then
      fail(place, "the option tileset must return a table, not %s", describe(tileset))
    end
  end
  if tileset.tilewidth == nil then return { first = first, external = external, place = place } end
  local offset, by_number = read_table(place, tileset, "tileoffset", EMPTY), read_set_tiles(place, tileset)
  return {
    first = first, tileset = tileset, place = place,
    tiles = by_number, count = count_tiles(place, tileset, by_number),
    width = read_number(place, tileset, "tilewidth"), height = read_number(place, tileset, "tileheight"),
    offsetX = read_number(place, offset, "x", 0), offsetY = read_number(place, offset, "y", 0),
  }
end

-- The tilesets in the order of their first tiles; of those with the same one, the first counts.
local function sort_sets(sets)
  for i, set in ipairs(sets) do set.order = i end
  table.sort(sets, function(a, b)
    if a.first ~= b.first then return a.first < b.first end
    return a.order > b.order
  end)
end

-- The last tileset that begins at a tile or before it, or nil.
local function find_set(sets, gid)
  local low, high = 0, #sets
  while low < high do
    local middle = math.ceil((low + high) / 2)
    if sets[middle].first <= gid then low = middle else high = middle - 1 end
  end
  return sets[low]
end

-- A tile by its number: its set, its entry in the set, and the size of its picture; or nil for a tile that has been
-- removed from its set, for which Tiled draws nothing.
local function find_tile(reader, gid)
  local found = find_set(reader.sets, gid)
  if not found then return nil end
  if not found.tileset then
    fail(found.place, "it is in the file %s: check Embed Tilesets in Tiled's export options, or give the option "
      .. "tileset", text_of(found.external))
  end
  local id = gid - found.first
  local tile = found.tiles[id]
  if not tile and id >= found.count then return nil end
  tile = tile or { id = id }
  local where = ("%s, tile %s"):format(found.place, text_of(tile.id))
  local w, h = read_number(where, tile, "width", found.width), read_number(where, tile, "height", found.height)
  if w <= 0 or h <= 0 then fail(where, "its picture must have a size above 0, not %g by %g", w, h) end
  return found, tile, w, h
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
  if kind == "point" then return guard(place, sat.point, points[1], points[2]) end
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
  local where = ("%s, tile %s"):format(set.place, text_of(tile.id))
  local group = read_table(where, tile, "objectGroup", EMPTY)
  for i, object in ipairs(read_table(where, group, "objects", EMPTY)) do
    local place = ("%s, collision shape %d"):format(where, i)
    check_entry(place, object)
    local x, y = read_number(place, object, "x"), read_number(place, object, "y")
    if object.gid ~= nil then fail(place, "a tile within a tile has no shape") end
    local shape = make_shape(place, object, x, y)
    if shape then list[#list + 1] = { shape = turn(place, shape, object, x, y), object = object, place = place } end
  end
  reader.own[tile] = list[1] and list or false
  return reader.own[tile]
end

-- ---------------------------------------------------------------- object layers

-- By the alignment of tile objects: the offset from the object's position to its top-left corner, as fractions of its
-- width and height.
local ALIGNMENTS = {
  unspecified = { 0, 1 }, bottomleft = { 0, 1 }, bottom = { 0.5, 1 }, bottomright = { 1, 1 },
  left = { 0, 0.5 }, center = { 0.5, 0.5 }, right = { 1, 0.5 },
  topleft = { 0, 0 }, top = { 0.5, 0 }, topright = { 1, 0 },
}

-- The shape of a tile in an object layer: the collision shapes of the tile, as one shape, or else its whole box. A tile
-- that has been removed leaves the object's own box.
local function make_tile_object(reader, place, object, x, y)
  local gid, flips = split_gid(place, object.gid)
  local set, tile, tileW, tileH = find_tile(reader, gid)
  local w, h = read_number(place, object, "width", tileW or 0), read_number(place, object, "height", tileH or 0)
  if not set then return makers.rectangle(place, { width = w, height = h }, x, y - h), EMPTY, gid end
  if w == 0 and h == 0 then w, h = tileW, tileH end -- as Tiled before 1.0 writes it
  local frame = new_frame(set, tileW, tileH, w, h, flips)
  local alignment = ALIGNMENTS[set.tileset.objectalignment or "unspecified"]
    or fail(set.place, "its object alignment %s is unknown", text_of(set.tileset.objectalignment))
  local left = x - alignment[1] * w + set.offsetX * frame.scaleX
  local top = y - alignment[2] * h + h - frame.h + set.offsetY * frame.scaleY
  local pieces = {}
  for i, own in ipairs(own_shapes(reader, set, tile) or EMPTY) do
    pieces[i] = map_shape(own.place, own.shape, frame, left, top)
  end
  if pieces[2] then return guard(place, sat.compound, pieces), tile, gid end
  return pieces[1] or makers.rectangle(place, { width = frame.w, height = frame.h }, left, top), tile, gid
end

-- Whether a thing with these settings collides.
local function collides(reader, settings)
  if reader.is_marked then return settings.collidable or false end
  return settings.collidable ~= false
end

local function note_mark(reader, settings)
  if settings.collidable then reader.marked_count = reader.marked_count + 1
  else reader.unmarked_count = reader.unmarked_count + 1
  end
end

local function read_object(reader, layer, object, settings, x, y)
  if type(object) ~= "table" then
    fail(("layer '%s'"):format(layer.name), "an object must be a table, not %s", describe(object))
  end
  local place = ("object %s of layer '%s'"):format(text_of(object.id), layer.name)
  local left, top = x + read_number(place, object, "x"), y + read_number(place, object, "y")
  local properties = properties_of(object)
  local shape, tile, gid
  local is_placed = reader.is_sti and (object.polygon ~= nil or object.polyline ~= nil)
  if object.gid ~= nil then
    shape, tile, gid = make_tile_object(reader, place, object, left, top)
    settings, properties = overlay(place, settings, properties_of(tile)), {}
    for key, value in pairs(properties_of(tile)) do properties[key] = value end
    for key, value in pairs(properties_of(object)) do properties[key] = value end
  else -- STI has turned and moved polygons already
    shape = make_shape(place, object, is_placed and 0 or left, is_placed and 0 or top)
  end
  settings = overlay(place, settings, properties_of(object))
  if not shape or not collides(reader, settings) then return end
  note_mark(reader, settings)
  apply(place, shape, settings, reader.is_static)
  if not is_placed then turn(place, shape, object, left, top) end
  reader.add(shape:setData {
    name = object.name, type = type_of(object, tile), layer = layer.name, id = object.id,
    properties = properties, gid = gid,
  })
end

-- ---------------------------------------------------------------- tile layers

-- LÖVE's module for packed data, which a thread has to load; nil elsewhere.
local function find_unpacker()
  local love = rawget(_G, "love")
  if type(love) ~= "table" or love.data then return love and love.data end
  local has_loaded, unpacker = pcall(require, "love.data")
  return has_loaded and unpacker or nil
end

local function unpack_bytes(unpacker, packing, text)
  if text:find("[^%w+/=%s]") then error("it is no Base64", 0) end
  local bytes = unpacker.decode("string", "base64", text)
  return packing and unpacker.decompress("string", packing, bytes) or bytes
end

-- The numbers of the tiles of a layer or chunk. A table is not packed, whatever the layer says: other programs unpack
-- the data and leave the rest.
local function read_data(place, layer, block)
  local text, packing, unpacker = block.data, layer.compression, find_unpacker()
  local kind = packing or layer.encoding == "base64" and "base64" or nil
  if type(text) ~= "string" or kind == nil then return read_table(place, block, "data") end
  if not unpacker or packing and packing ~= "zlib" and packing ~= "gzip" then
    fail(place, "its data is packed (%s): choose the tile layer format CSV in the map's properties%s", text_of(kind),
      unpacker and "" or "; LÖVE reads Base64, zlib and gzip, too")
  end
  local bytes, reason = tiles.attempt(unpack_bytes, unpacker, packing, text)
  if not bytes or #bytes % 4 ~= 0 then
    fail(place, "its data is damaged (%s): %s", text_of(kind), reason or ("%d bytes are no whole tiles"):format(#bytes))
  end
  local data = {}
  for i = 1, #bytes, 4 do
    local a, b, c, d = bytes:byte(i, i + 3)
    data[#data + 1] = a + 256 * (b + 256 * (c + 256 * d))
  end
  return data
end

-- The whole numbers from 1 to `most` that are keys of a table, in ascending order.
local function sorted_keys(list, most)
  local keys = {}
  for key in next, list do
    if type(key) == "number" and key % 1 == 0 and key >= 1 and key <= most then keys[#keys + 1] = key end
  end
  table.sort(keys)
  return keys
end

-- Calls visit(column, row, gid) for each tile of rows of instances of tiles, as STI makes them.
local function visit_instances(place, rows, columns, count, x, y, visit)
  for _, row in ipairs(sorted_keys(rows, count)) do
    local line = read_table(place, rows, row)
    for _, column in ipairs(sorted_keys(line, columns)) do
      local tile = check_entry(("column %d, row %d of %s"):format(column, row, place), line[column])
      visit(x + column - 1, y + row - 1, tile.gid)
    end
  end
end

-- Calls visit(column, row, gid) for each tile of a layer, or of a chunk, whose first cell is at x, y.
local function visit_cells(reader, place, layer, block, x, y, visit)
  local columns = read_whole(place, block, "width", 0, MOST_CELLS)
  local rows = read_whole(place, block, "height", 0, MOST_CELLS)
  local data = read_data(place, layer, block)
  if reader.is_sti then return visit_instances(place, data, columns, rows, x, y, visit) end
  if #data ~= columns * rows then fail(place, "its data has %d tiles, not %d by %d", #data, columns, rows) end
  for row = 0, columns > 0 and rows - 1 or -1 do
    for column = 0, columns - 1 do
      local gid = data[row * columns + column + 1]
      if gid ~= 0 then visit(x + column, y + row, gid) end
    end
  end
end

local function visit_chunks(reader, place, layer, visit)
  for i, chunk in ipairs(read_table(place, layer, "chunks")) do
    local where = ("chunk %d of %s"):format(i, place)
    check_entry(where, chunk)
    local x = read_whole(where, chunk, "x", -MOST_CELLS, MOST_CELLS)
    visit_cells(reader, where, layer, chunk, x, read_whole(where, chunk, "y", -MOST_CELLS, MOST_CELLS), visit)
  end
end

-- ---------------------------------------------------------------- whole cells

-- The whole cells of a layer: a list of rows that have some. Each row has its number, a list of columns, and the kind
-- of its cells by column. Nothing here depends on how far apart the cells lie. Lists that chunks have brought out of
-- order are sorted at the end.
local function note_cell(cells, column, row, kind)
  local line, rows = cells.by_row[row], cells.rows
  if not line then
    line = { row = row, columns = {}, kinds = {} }
    cells.is_mixed = cells.is_mixed or rows[1] and rows[#rows].row > row
    cells.by_row[row], rows[#rows + 1] = line, line
  end
  local columns = line.columns
  if line.kinds[column] == nil then
    line.is_mixed = line.is_mixed or columns[1] and columns[#columns] > column
    columns[#columns + 1] = column
  end
  line.kinds[column] = kind
end

-- The rows from the top, each with its columns from the left.
local function sorted_rows(cells)
  if cells.is_mixed then table.sort(cells.rows, function(a, b) return a.row < b.row end) end
  for _, line in ipairs(cells.rows) do
    if line.is_mixed then table.sort(line.columns) end
  end
  return cells.rows
end

-- The runs of equal cells in a row, from left to right. A run that continues one of the row above is the same table.
local function find_runs(line, above)
  local runs, by_first, columns, i = {}, {}, line.columns, 1
  while columns[i] do
    local first = columns[i]
    local kind, past = line.kinds[first], first
    repeat i, past = i + 1, past + 1 until columns[i] ~= past or line.kinds[past] ~= kind
    local same = above[first]
    if not same or same.kind ~= kind or same.past ~= past then
      same = { kind = kind, first = first, past = past, top = line.row }
    end
    runs[#runs + 1], by_first[first] = same, same
  end
  return runs, by_first
end

-- Calls add(kind, column, row, columns, rows) for rectangles of equal cells: runs with the same ends in successive rows
-- become one. Returns true.
local function merge_cells(rows, add)
  local above, above_by_first, past = EMPTY, EMPTY, nil
  local function close_runs(by_first)
    for _, run in ipairs(above) do
      if by_first[run.first] ~= run then add(run.kind, run.first, run.top, run.past - run.first, past - run.top) end
    end
  end
  for _, line in ipairs(rows) do
    if line.row ~= past then
      close_runs(EMPTY)
      above, above_by_first, past = EMPTY, EMPTY, line.row
    end
    local runs, by_first = find_runs(line, above_by_first)
    close_runs(by_first)
    above, above_by_first, past = runs, by_first, line.row + 1
  end
  close_runs(EMPTY)
  return true
end

-- Makes a grid of sat.tiles of all whole cells of each kind.
local function make_grids(reader, place, rows, x, y)
  local kinds, extents, size = {}, {}, reader.width
  for _, line in ipairs(rows) do
    for _, column in ipairs(line.columns) do
      local kind = line.kinds[column]
      local extent = extents[kind]
      if not extent then
        extent = { left = column, right = column, top = line.row, columns = {}, rows = {} }
        extents[kind], kinds[#kinds + 1] = extent, kind
      end
      extent.left, extent.right = math.min(extent.left, column), math.max(extent.right, column)
      extent.bottom = line.row
      extent.columns[#extent.columns + 1], extent.rows[#extent.rows + 1] = column, line.row
    end
  end
  for _, kind in ipairs(kinds) do
    local extent, data = extents[kind], {}
    local left, top = extent.left - 1, extent.top - 1
    for key, value in next, kind.data do data[key] = value end
    data.grid = tiles.plan(extent.right - left, extent.bottom - top, size, {
      x = x + extent.left * size, y = y + extent.top * size, chunk = tiles.CHUNK, separate = true,
      prepare = function(shape) apply(place, shape, kind.settings, true):setData(data) end,
    })
    for i, column in ipairs(extent.columns) do tiles.fill(data.grid, column - left, extent.rows[i] - top) end
    reader.grids[#reader.grids + 1] = { map = data.grid, place = place }
  end
end

-- The data that all cells of a layer with one tile number share: the place of the picture in its cell, and its
-- collision shapes.
local function describe_cell(reader, layer, settings, place, number)
  local gid, flips = split_gid(place, number)
  local set, tile, tileW, tileH = find_tile(reader, gid)
  if not set then return { pieces = EMPTY } end
  local w, h = tileW, tileH
  if set.tileset.tilerendersize == "grid" then w, h = reader.width, reader.height end
  local frame = new_frame(set, tileW, tileH, w, h, flips)
  local cell = {
    place = place, settings = overlay(place, settings, properties_of(tile)), pieces = {},
    w = frame.w, h = frame.h, x = set.offsetX * frame.scaleX,
    y = reader.height - frame.h + set.offsetY * frame.scaleY,
    data = { type = type_of(tile), layer = layer.name, id = tile.id, gid = gid, properties = properties_of(tile) },
  }
  local is_whole = cell.w == reader.width and cell.h == reader.height and cell.x == 0 and cell.y == 0
  if cell.settings.collidable == false then return cell end
  local list = own_shapes(reader, set, tile)
  for _, own in ipairs(list or EMPTY) do
    local object = own.object
    local own_settings = overlay(own.place, cell.settings, properties_of(object))
    if collides(reader, own_settings) then
      local piece = map_shape(own.place, own.shape, frame, cell.x, cell.y)
      cell.pieces[#cell.pieces + 1] = apply(own.place, piece, own_settings, true):setData {
        name = object.name, type = type_of(object, tile), layer = layer.name, id = tile.id, gid = gid,
        properties = next(properties_of(object)) and object.properties or properties_of(tile),
      }
    end
  end
  if list or not cell.settings.collidable then return cell end
  local is_plain = next(cell.data.properties) == nil and (cell.data.type or "") == ""
  if is_whole and is_plain then cell.merged = reader.plain
  elseif is_whole then cell.merged = cell
  else
    local box = makers.rectangle(place, { width = cell.w, height = cell.h }, cell.x, cell.y)
    cell.pieces[1] = apply(place, box, cell.settings, true):setData(cell.data)
  end
  return cell
end

-- Adds rectangles for whole cells.
local function add_rectangles(reader, place_of, rows, x, y)
  local shapes, kinds, at = {}, {}, {}
  local function add(kind, column, row, columns, count)
    at.column, at.row = column, row
    shapes[#shapes + 1], kinds[#kinds + 1] = sat.rectangle(x + column * reader.width, y + row * reader.height,
      columns * reader.width, count * reader.height), kind
  end
  local is_done, reason = tiles.attempt(merge_cells, rows, add)
  if not is_done then fail(place_of(at.column, at.row), "%s", reason) end
  for i, shape in ipairs(shapes) do
    reader.add(apply(kinds[i].place, shape, kinds[i].settings, true):setData(kinds[i].data))
  end
end

local function place_piece(piece, x, y) return piece:clone():move(x, y) end

local function read_tiles(reader, layer, settings, x, y)
  local place, known, cells = ("layer '%s'"):format(layer.name), {}, { rows = {}, by_row = {} }
  if settings.collidable == false then return end
  reader.plain = {
    place = place, settings = settings, data = { layer = layer.name, properties = properties_of(layer) },
  }
  local function place_of(column, row) return ("column %d, row %d of %s"):format(column, row, place) end
  local function visit(column, row, gid)
    local cell = known[gid]
    if not cell then
      cell = describe_cell(reader, layer, settings, place_of(column, row), gid)
      known[gid] = cell
    end
    for _, piece in ipairs(cell.pieces) do
      local shape, reason = tiles.attempt(place_piece, piece, x + column * reader.width, y + row * reader.height)
      reader.add(shape or fail(place_of(column, row), "%s", reason))
    end
    if cell.merged then note_cell(cells, column, row, cell.merged) end
  end
  if layer.chunks ~= nil then visit_chunks(reader, place, layer, visit)
  else visit_cells(reader, place, layer, layer, 0, 0, visit)
  end
  local rows = sorted_rows(cells)
  if reader.grids and reader.width == reader.height then return make_grids(reader, place, rows, x, y) end
  add_rectangles(reader, place_of, rows, x, y)
end

-- ---------------------------------------------------------------- maps

local COLLIDABLE = { collidable = true }

local read_layers

local function read_layer(reader, layer, place, settings, x, y, is_wanted, depth)
  if type(layer.name) ~= "string" then fail(place, "its name must be a string, not %s", describe(layer.name)) end
  place = ("layer '%s'"):format(layer.name)
  if reader.has_read[layer] then fail(place, "it comes twice") end
  reader.has_read[layer] = true
  local left = reader.is_sti and read_number(place, layer, "x") or x + read_number(place, layer, "offsetx", 0)
  local top = reader.is_sti and read_number(place, layer, "y") or y + read_number(place, layer, "offsety", 0)
  local own = overlay(place, settings, properties_of(layer))
  local wanted = is_wanted or reader.wants(layer.name)
  if wanted and reader.has_names then own = overlay(place, own, COLLIDABLE) end
  if layer.type == "group" then
    if depth == MOST_GROUPS then fail(place, "it lies in more than %d groups, one in another", MOST_GROUPS) end
    read_layers(reader, read_table(place, layer, "layers"), own, left, top, wanted, depth + 1)
  elseif layer.type == "objectgroup" then
    for _, object in ipairs(wanted and read_table(place, layer, "objects") or EMPTY) do
      read_object(reader, layer, object, own, left, top)
    end
  elseif layer.type == "tilelayer" then
    if wanted then read_tiles(reader, layer, own, left, top) end
  elseif layer.type ~= "imagelayer" then
    fail(place, "its type is %s, which is unknown", text_of(layer.type))
  end
end

function read_layers(reader, layers, settings, x, y, is_wanted, depth)
  for i, layer in ipairs(layers) do
    local place = ("layer %d"):format(i)
    read_layer(reader, check_entry(place, layer), place, settings, x, y, is_wanted, depth)
  end
end

local OPTIONS = { layers = "table", tileset = "function", marked = "boolean", static = "boolean" }

local function check_options(options)
  if options ~= nil and type(options) ~= "table" then
    fail("options", "they must be a table, not %s", describe(options))
  end
  for key, value in next, options or EMPTY do
    local wanted = OPTIONS[key]
    if not wanted then
      fail("options", "there is no option %s; there are layers, tileset, marked and static", describe(key))
    end
    if type(value) ~= wanted then fail("options", "%s must be a %s, not %s", key, wanted, describe(value)) end
  end
  for i, layer_name in ipairs(options and options.layers or EMPTY) do
    if type(layer_name) ~= "string" then
      fail("options", "item %d of layers must be a string, not %s", i, describe(layer_name))
    end
  end
end

local function new_reader(map, options)
  if type(map) ~= "table" then fail("map", "it must be a table, not %s", describe(map)) end
  if map.orientation ~= nil and map.orientation ~= "orthogonal" then
    fail("map", "it is %s, and only orthogonal maps are read", text_of(map.orientation))
  end
  check_options(options)
  options = options or EMPTY
  local missing, named, list = {}, {}, options.layers
  for _, layer_name in ipairs(list or EMPTY) do missing[layer_name], named[layer_name] = true, true end
  local reader = {
    is_sti = type(map.tileInstances) == "table", own = {}, sets = {}, has_names = list ~= nil, missing = missing,
    has_read = {}, tileset = options.tileset, is_static = options.static or false,
    is_marked = options.marked, marked_count = 0, unmarked_count = 0,
    wants = function(layer_name)
      missing[layer_name] = nil
      return not list or named[layer_name] or false
    end,
  }
  for i, tileset in ipairs(read_table("map", map, "tilesets", EMPTY)) do
    reader.sets[i] = check_tileset(reader, tileset, i)
  end
  sort_sets(reader.sets)
  if map.tilewidth ~= nil or reader.sets[1] then
    reader.width, reader.height = read_number("map", map, "tilewidth"), read_number("map", map, "tileheight")
    if reader.width <= 0 or reader.height <= 0 then
      fail("map", "tilewidth and tileheight must be above 0, not %g and %g", reader.width, reader.height)
    end
  end
  return reader
end

local has_told = setmetatable({}, { __mode = "k" }) -- maps, as keys

-- Tells once of a map whose objects say in part that they are collidable, and collide all.
local function tell_of_marks(map, reader)
  local show = rawget(_G, "print")
  if reader.is_marked ~= nil or reader.marked_count == 0 or reader.unmarked_count == 0 then return end
  if has_told[map] or not show then return end
  has_told[map] = true
  show(("sat.tiled: map: %d objects have the property collidable, and %d objects without it collide, too: with the "
    .. "option marked = true these do not, and marked = false keeps this message away")
    :format(reader.marked_count, reader.unmarked_count))
end

-- The shapes of a map, in no world yet. With `grids`, a list, whole square cells become grids of sat.tiles, which the
-- list gets.
local function read_map(map, options, grids)
  local reader, shapes = new_reader(map, options), {}
  reader.grids = grids
  function reader.add(shape) shapes[#shapes + 1] = shape end
  read_layers(reader, read_table("map", map, "layers"), EMPTY, 0, 0, false, 0)
  local missing = next(reader.missing)
  if missing ~= nil then fail("options", "the map has no layer '%s'", missing) end
  for _, one in ipairs(grids or EMPTY) do
    local reason = tiles.build(one.map, shapes)
    if reason then fail(one.place, "%s", reason) end
  end
  tell_of_marks(map, reader)
  return shapes
end

-- All shapes of a map, as a list, layer by layer.
function tiled.shapes(map, options) return read_map(map, options, nil) end

-- Adds all shapes of a map to a world, at once, and returns the list. The whole square cells of each layer become a
-- grid of sat.tiles, shape:data().grid, by which a game may change them.
function tiled.add(world, map, options)
  if sat.type(world) ~= "world" then
    error(("bad argument #1 to 'add' (world must be a world, not %s)"):format(tostring(world)), 2)
  end
  local grids = {}
  local shapes = read_map(map, options, grids)
  local message = tiles.exchange(world, EMPTY, shapes)
  if message then tiles.raise(message, 1) end
  for _, one in ipairs(grids) do one.map.world = world end
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
  sat_VERSION = "0.2.0",
  sat_DESCRIPTION = "Shapes of sat for STI",
}

-- Adds all shapes of the map to a world of sat; map.sat_shapes keeps the list.
function tiled.plugin.sat_init(map, world, options)
  map.sat_world, map.sat_shapes = map.sat_world or world, map.sat_shapes or {} -- their places, before anything changes
  local shapes = tiled.add(world, map, options)
  map.sat_world, map.sat_shapes = world, shapes
  return shapes
end

-- Removes the shapes of a layer, by its name or its number.
function tiled.plugin.sat_removeLayer(map, index)
  local layer = map.layers[index]
  if not layer then
    error(("bad argument #1 to 'sat_removeLayer' (the map has no layer %s)"):format(text_of(index)), 2)
  end
  local leaving, staying, grids = {}, {}, {}
  for _, shape in ipairs(map.sat_shapes) do
    local data = shape:data()
    local list = data.layer == layer.name and leaving or staying
    list[#list + 1] = shape
    if list == leaving and data.grid and not grids[data.grid] then
      grids[data.grid] = true
      tiles.collect(data.grid, leaving)
    end
  end
  local message = tiles.exchange(map.sat_world, leaving, EMPTY)
  if message then tiles.raise(message, 1) end
  map.sat_shapes = staying
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
