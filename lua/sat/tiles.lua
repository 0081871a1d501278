-- A grid of tiles as few static shapes:
--
--   local tiles = require "sat.tiles"
--   local map = tiles.new(world, columns, rows, size, function(column, row) return level[row][column] == "#" end)
--
-- The grid is divided into chunks. The tiles of a chunk are one shape, a compound of merged rectangles and of slopes,
-- or one shape for each of these: a change of a tile makes only the shapes of its chunk again. The corners of all
-- pieces are computed from whole columns and rows in the same way, so that pieces abut exactly, whatever the size of a
-- tile is.

local folder = tostring((...)):match("^(.*)[./]tiles$") or "sat"
local sat, arguments = require(folder .. ".whole"), require(folder .. ".arguments")

local BORDER = 1e-9 -- of a tile: a point this near to a border may belong to either tile

local Map = {}
Map.__index = Map

-- ---------------------------------------------------------------- one tile

local function check_vertices(list, size)
  for i = 1, #list do
    local number = list[i]
    if type(number) ~= "number" or not (number >= 0 and number <= size) then
      return nil, ("number %d of the vertices must be from 0 to %g, not %s"):format(i, size, arguments.describe(number))
    end
  end
  return sat.validate(list)
end

-- Whether a value is a valid tile: empty, full, or the vertices of a part of a tile. Valid lists of vertices are kept
-- in `good`, since many tiles share one.
local function check_tile(value, size, good)
  if not value or value == true or good[value] then return true end
  if type(value) ~= "table" then
    return nil, "a tile must be nil, a boolean or vertices, not " .. arguments.describe(value)
  end
  local is_valid, reason = check_vertices(value, size)
  if not is_valid then return nil, reason end
  good[value] = true
  return true
end

-- ---------------------------------------------------------------- pieces

local function corner(map, column, row)
  return map.x + column * map.size, map.y + row * map.size
end

-- The polygon of a partial tile. A coordinate on a border equals the border's, so that the tile abuts its neighbours
-- exactly.
local function slope(map, column, row, list)
  local left, top = corner(map, column - 1, row - 1)
  local right, bottom = corner(map, column, row)
  local vertices = {}
  for i = 1, #list, 2 do
    local x, y = list[i], list[i + 1]
    vertices[i] = x == map.size and right or left + x
    vertices[i + 1] = y == map.size and bottom or top + y
  end
  return sat.polygon(vertices)
end

-- Whether all tiles of a row from `left` to `right` are full and not yet part of a rectangle.
local function is_free(map, used, left, right, row)
  local before = (row - 1) * map.columns
  for index = before + left, before + right do
    if map.values[index] ~= true or used[index] then return false end
  end
  return true
end

-- Appends the rectangle of full tiles whose top left tile this is: as wide as it can be, then as high.
local function add_rectangle(map, pieces, used, left, top, limit_right, limit_bottom)
  local right, bottom = left, top
  while right < limit_right and is_free(map, used, right + 1, right + 1, top) do right = right + 1 end
  while bottom < limit_bottom and is_free(map, used, left, right, bottom + 1) do bottom = bottom + 1 end
  for row = top, bottom do
    for column = left, right do used[(row - 1) * map.columns + column] = true end
  end
  local x1, y1 = corner(map, left - 1, top - 1)
  local x2, y2 = corner(map, right, bottom)
  pieces[#pieces + 1] = sat.polygon(x1, y1, x2, y1, x2, y2, x1, y2)
end

-- The pieces of a part of the grid, both corners included.
local function pieces_of(map, left, top, right, bottom)
  local pieces, used = {}, {}
  for row = top, bottom do
    for column = left, right do
      local value = map.values[(row - 1) * map.columns + column]
      if value == true then
        if is_free(map, used, column, column, row) then add_rectangle(map, pieces, used, column, row, right, bottom) end
      elseif value then
        pieces[#pieces + 1] = slope(map, column, row, value)
      end
    end
  end
  return pieces
end

-- ---------------------------------------------------------------- chunks

-- Makes the shapes of a chunk: the new ones first, so that an error leaves the old ones where they are.
local function rebuild(map, chunk)
  local left = chunk % map.across * map.chunk + 1
  local top = math.floor(chunk / map.across) * map.chunk + 1
  local right, bottom = math.min(left + map.chunk - 1, map.columns), math.min(top + map.chunk - 1, map.rows)
  local pieces = pieces_of(map, left, top, right, bottom)
  local shapes = (map.separate or #pieces < 2) and pieces or { sat.compound(pieces) }
  for _, shape in ipairs(shapes) do
    shape:setStatic(true):setData(map)
    if map.prepare then map.prepare(shape) end
  end
  if shapes[1] then map.world:add(shapes) end
  for _, shape in ipairs(map.shapes[chunk] or {}) do map.world:remove(shape) end
  map.shapes[chunk] = shapes
end

-- ---------------------------------------------------------------- methods

local function check_place(map, name, column, row)
  arguments.check_self(name, "map", map, getmetatable(map) == Map, 2)
  arguments.check(1, name, "column", ("a whole number from 1 to %d"):format(map.columns), column,
    type(column) == "number" and column % 1 == 0 and column >= 1 and column <= map.columns, 2)
  arguments.check(2, name, "row", ("a whole number from 1 to %d"):format(map.rows), row,
    type(row) == "number" and row % 1 == 0 and row >= 1 and row <= map.rows, 2)
  return (row - 1) * map.columns + column
end

-- The value of a tile: false, true or its vertices.
function Map:get(column, row)
  local index = check_place(self, "get", column, row)
  return self.values[index]
end

-- Sets the value of a tile, and makes the shapes of its chunk again.
function Map:set(column, row, value)
  local index = check_place(self, "set", column, row)
  local is_good, reason = check_tile(value, self.size, self.good)
  if not is_good then arguments.refuse(3, "set", reason, 1) end
  local old = self.values[index]
  self.values[index] = value or false
  local ok, message = pcall(rebuild, self, math.floor((row - 1) / self.chunk) * self.across
    + math.floor((column - 1) / self.chunk))
  if ok then return self end
  self.values[index] = old
  error(message, 2)
end

-- The column, or row, of a coordinate. A coordinate on a border has two: the one that the normal points away from, and
-- the other.
local function places(distance, size, normal)
  local place = distance / size
  local near = math.floor(place + 0.5)
  if math.abs(place - near) > BORDER then return math.floor(place) + 1, nil end
  if normal > 0 then return near, near + 1 end
  return near + 1, near
end

-- The column and row of the tile at a point, or nil outside the grid. On a border a solid tile has precedence, and of
-- two solid tiles the one that the normal of a hit leads out of.
function Map:cell(x, y, nx, ny)
  arguments.check_self("cell", "map", self, getmetatable(self) == Map, 1)
  arguments.check_number(1, "cell", "x", x, nil, nil, 1)
  arguments.check_number(2, "cell", "y", y, nil, nil, 1)
  if nx ~= nil then arguments.check_number(3, "cell", "nx", nx, nil, nil, 1) end
  if ny ~= nil then arguments.check_number(4, "cell", "ny", ny, nil, nil, 1) end
  local column1, column2 = places(x - self.x, self.size, nx or 0)
  local row1, row2 = places(y - self.y, self.size, ny or 0)
  local found_column, found_row
  for i = 1, 4 do
    local column, row = i % 2 == 1 and column1 or column2, i < 3 and row1 or row2
    if column and row and column >= 1 and column <= self.columns and row >= 1 and row <= self.rows then
      if self.values[(row - 1) * self.columns + column] then return column, row end
      if not found_column then found_column, found_row = column, row end
    end
  end
  return found_column, found_row
end

local function read_grid(map, at)
  for row = 1, map.rows do
    for column = 1, map.columns do
      local value = at(column, row) or false
      local is_good, reason = check_tile(value, map.size, map.good)
      if not is_good then
        arguments.refuse(5, "new", ("at gives a bad tile for column %d, row %d: %s"):format(column, row, reason), 2)
      end
      map.values[(row - 1) * map.columns + column] = value
    end
  end
end

local tiles = {}

local OPTIONS = {
  x = { default = 0 }, y = { default = 0 }, -- the top left corner of the grid
  chunk = { default = 32, low = 1, whole = true },
  separate = { flag = true }, -- whether each rectangle becomes a separate shape
  prepare = { call = true }, -- a function that gets each shape before the world does
}

local function check_count(place, name, value)
  local is_good = type(value) == "number" and value % 1 == 0 and value >= 1 and value <= 1e6
  arguments.check(place, "new", name, "a whole number from 1 to 1000000", value, is_good, 2)
end

function tiles.new(world, columns, rows, size, at, options)
  arguments.check(1, "new", "world", "a world", world, sat.type(world) == "world", 1)
  check_count(2, "columns", columns)
  check_count(3, "rows", rows)
  arguments.check(4, "new", "size", "a finite number above 0", size,
    type(size) == "number" and size > 0 and size < math.huge, 1)
  arguments.check(5, "new", "at", "a function", at, type(at) == "function", 1)
  local map = arguments.read_options(6, "new", options, OPTIONS, 1)
  map.world, map.columns, map.rows, map.size = world, columns, rows, size
  map.values, map.shapes, map.good = {}, {}, setmetatable({}, { __mode = "k" })
  map.across = math.ceil(columns / map.chunk)
  read_grid(map, at)
  for chunk = 0, map.across * math.ceil(rows / map.chunk) - 1 do rebuild(map, chunk) end
  return setmetatable(map, Map)
end

return tiles
