-- A grid of tiles as few static shapes:
--
--   local tiles = require "sat.tiles"
--   local map = tiles.new(world, columns, rows, size, function(column, row) return level[row][column] == "#" end)
--
-- The grid is divided into chunks. The tiles of a chunk are merged rectangles, and slopes: a shape for each of these,
-- or one compound of them all. A change of a tile makes only the shapes of its chunk again. The corners of all pieces
-- are computed from whole columns and rows in the same way, so that pieces abut exactly, whatever a tile's size is.
--
-- A chunk never changes: another one takes its place, once its shapes are made and the world has taken them. So an
-- error before that, in a function of the game or for want of memory, leaves the map and the world as they were.
-- Chunks without tiles are not there: time and memory go with the tiles.

local folder = tostring((...)):match("^(.*)[./]tiles$") or "sat"
local sat, arguments = require(folder .. ".whole"), require(folder .. ".arguments")

-- Beside `new`, for games, this table has the functions that sat.tiled makes maps with.
local tiles = {}

tiles.CHUNK = 16 -- a move finds the shapes whose boxes it meets: long rectangles would be found from everywhere

local MOST_TILES = 4096 * 4096
local MOST = 1e15 -- of a coordinate
local BORDER = 1e-9 -- of a tile: a point this near to a border may belong to either tile
local EMPTY = { tiles = {}, shapes = {}, keys = {} } -- the chunk in places that have none

local Map = {}
Map.__index = Map

-- ---------------------------------------------------------------- calls that may fail

-- Calls a function of sat. Returns its result, or nil and the message of its error, which has no position.
function tiles.attempt(f, ...)
  local ok, result = pcall(f, ...)
  if ok then return result end
  if result == "not enough memory" then error(result, 0) end
  return nil, (tostring(result):gsub("^[^\n]-:%d+: ", ""))
end

local function change(world, leaving, coming)
  local has_room = #coming <= #leaving
  if not has_room then world:add(coming) end
  for i = 1, #leaving do world:remove(leaving[i]) end
  for i = 1, has_room and #coming or 0 do world:add(coming[i]) end
end

-- Removes shapes from a world, those that are in it, and adds others. An error is returned, and the world has the
-- shapes that it had. Adding needs no memory in the places of removed shapes: it comes last where these are enough, and
-- else first, so that an error leaves the very same world unless several shapes leave it.
function tiles.exchange(world, old, coming)
  local leaving = {}
  for _, shape in ipairs(old) do
    if world:has(shape) then leaving[#leaving + 1] = shape end
  end
  local ok, message = pcall(change, world, leaving, coming)
  if ok then return nil end
  for i = 1, #coming do
    if world:has(coming[i]) then world:remove(coming[i]) end
  end
  for i = 1, #leaving do
    if not world:has(leaving[i]) then world:add(leaving[i]) end
  end
  return message
end

-- Raises an error of `exchange` at the caller of the function that is `depth` calls from here.
function tiles.raise(message, depth)
  if message == "not enough memory" then error(message, 0) end
  error((tostring(message):gsub("^[^\n]-:%d+: ", "")), depth + 2)
end

-- ---------------------------------------------------------------- tiles

-- Reads a value as a tile: false, true, or a copy of its vertices, which the game may change later. Returns nil and a
-- reason for any other value. Valid vertices are kept in `known`, since many tiles share a table.
local function read_vertices(map, given)
  local known, copy = map.known[given], {}
  local is_known = known ~= nil
  for i = 1, #given do
    local number = given[i]
    if type(number) ~= "number" or not (number >= 0 and number <= map.size) then
      return nil, ("number %d of the vertices must be from 0 to %g, not %s"):format(i, map.size,
        arguments.describe(number))
    end
    copy[i] = number
    is_known = is_known and known[i] == number
  end
  if is_known and #known == #copy then return known end
  local is_valid, reason = sat.validate(copy)
  if not is_valid then return nil, reason end
  copy.given, map.known[given] = given, copy
  return copy
end

local function read_tile(map, value)
  if not value or value == true then return value or false end
  if type(value) == "table" then return read_vertices(map, value) end
  return nil, "a tile must be nil, a boolean or vertices, not " .. arguments.describe(value)
end

-- The number of the chunk of a tile, and the tile's number in it.
local function locate(map, column, row)
  local width, height = map.width, map.height
  local across, down = math.floor((column - 1) / width), math.floor((row - 1) / height)
  return down * map.across + across, (row - 1 - down * height) * width + column - across * width
end

-- The tiles of a chunk of a map that has no shapes yet.
local function open_chunk(map, number)
  local chunk = map.chunks[number]
  if not chunk then
    chunk = { tiles = {}, shapes = EMPTY.shapes, keys = EMPTY.keys }
    map.chunks[number], map.numbers[#map.numbers + 1] = chunk, number
  end
  return chunk.tiles
end

-- Fills a tile of a map that has no shapes yet.
function tiles.fill(map, column, row)
  local number, index = locate(map, column, row)
  open_chunk(map, number)[index] = true
end

-- An open edit has the tiles of the chunks that it has touched.
local function tile_at(map, column, row)
  local number, index = locate(map, column, row)
  return (map.open and map.open[number] or map.chunks[number] or EMPTY).tiles[index] or false
end

-- ---------------------------------------------------------------- pieces

local function corner(map, column, row)
  return map.x + column * map.size, map.y + row * map.size
end

-- The polygon of a partial tile. A coordinate on a border equals the border's, so that the tile abuts its neighbours
-- exactly.
local function make_slope(map, column, row, list)
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

-- Appends left, top, right and bottom of each rectangle of full tiles of a chunk to a list, in columns and rows of it.
-- In one pass: a run of full tiles in a row goes on with the rectangle above it that has its ends, or begins another
-- one. So floors are long, and a changed tile changes few rectangles.
local function find_rectangles(values, stride, width, height, list)
  local open = {} -- by the left column: the place in the list of the last rectangle that begins there
  for row = 1, height do
    local column, line = 1, (row - 1) * stride
    while column <= width do
      local left = column
      while column <= width and values[line + column] == true do column = column + 1 end
      local above = open[left]
      if column == left then
        column = column + 1
      elseif above and list[above + 2] == column - 1 and list[above + 3] == row - 1 then
        list[above + 3] = row
      else
        local count = #list
        open[left] = count + 1
        list[count + 1], list[count + 2], list[count + 3], list[count + 4] = left, row, column - 1, row
      end
    end
  end
  return list
end

-- Makes the pieces of a chunk, and a key of each: two rectangles of a chunk in one place have one key, and so have two
-- slopes. Those of `known`, by their keys, are taken as they are. `place` gets the number of the tile in work, which an
-- error is about.
local function make_pieces(map, number, values, place, known)
  local stride, pieces, keys = map.width, {}, {}
  local left, top = number % map.across * stride, math.floor(number / map.across) * map.height
  local width, height = math.min(stride, map.columns - left), math.min(map.height, map.rows - top)
  local list = find_rectangles(values, stride, width, height, {})
  for i = 1, #list, 4 do
    local first = (list[i + 1] - 1) * stride + list[i]
    local key = first * (stride * map.height + 1) + (list[i + 3] - 1) * stride + list[i + 2]
    place.index, keys[#keys + 1], pieces[#pieces + 1] = first, key, known[key]
    if not known[key] then
      local x1, y1 = corner(map, left + list[i] - 1, top + list[i + 1] - 1)
      local x2, y2 = corner(map, left + list[i + 2], top + list[i + 3])
      pieces[#pieces + 1] = sat.polygon(x1, y1, x2, y1, x2, y2, x1, y2)
    end
  end
  for row = 1, height do
    for column = 1, width do
      local index = (row - 1) * stride + column
      local tile = values[index]
      if tile and tile ~= true then
        place.index, keys[#keys + 1] = index, -index
        pieces[#pieces + 1] = known[-index] or make_slope(map, left + column, top + row, tile)
      end
    end
  end
  return { pieces = pieces, keys = keys }
end

-- Makes a chunk. Returns it and the list of its shapes that are not known, or nil and a reason.
local function make_chunk(map, number, values, known)
  local place = {}
  local made, reason = tiles.attempt(make_pieces, map, number, values, place, known)
  if not made then
    local width, index = map.width, place.index - 1
    return nil, ("column %d, row %d: %s"):format(number % map.across * width + index % width + 1,
      math.floor(number / map.across) * map.height + math.floor(index / width) + 1,
      reason:match("^bad argument #%d+ to '%a+' %((.+)%)$") or reason)
  end
  local chunk, coming = { tiles = values, shapes = made.pieces, keys = made.keys }, {}
  if not map.separate and chunk.shapes[2] then chunk.shapes, chunk.keys = { sat.compound(made.pieces) }, { 0 } end
  for i, shape in ipairs(chunk.shapes) do
    if known[chunk.keys[i]] ~= shape then
      coming[#coming + 1] = shape:setStatic(true):setData(map)
      if map.prepare then map.prepare(shape) end
    end
  end
  return chunk, coming
end

-- The shapes of a chunk that may stay when it has other tiles, by their keys.
local function known_shapes(map, chunk, values)
  local known = {}
  for i, key in ipairs(map.separate and chunk.keys or EMPTY.keys) do
    local is_same = key > 0 or chunk.tiles[-key] == values[-key]
    if is_same and map.world:has(chunk.shapes[i]) then known[key] = chunk.shapes[i] end
  end
  return known
end

-- The shapes of a chunk that the chunk in its place does not have.
local function leaving_shapes(old, new)
  local stays, leaving = {}, {}
  for _, shape in ipairs(new.shapes) do stays[shape] = true end
  for _, shape in ipairs(old.shapes) do
    if not stays[shape] then leaving[#leaving + 1] = shape end
  end
  return leaving
end

-- ---------------------------------------------------------------- maps

-- An empty map. `options` has x, y, chunk, separate and prepare. A chunk is no wider and no higher than the map: so
-- the numbers of its tiles, and the keys of its pieces, are below 2^53.
function tiles.plan(columns, rows, size, options)
  local map = options
  map.columns, map.rows, map.size, map.world = columns, rows, size, false
  map.width, map.height = math.min(map.chunk, columns), math.min(map.chunk, rows)
  map.across = math.ceil(columns / map.width)
  map.chunks, map.numbers, map.known = {}, {}, setmetatable({}, { __mode = "kv" })
  return setmetatable(map, Map)
end

-- Makes the shapes of a map, chunk by chunk, and appends them to a list. Returns nil, or a reason why there are none.
-- When they are in a world, map.world is to be set.
function tiles.build(map, list)
  table.sort(map.numbers)
  for _, number in ipairs(map.numbers) do
    local chunk, reason = make_chunk(map, number, map.chunks[number].tiles, EMPTY)
    if not chunk then return reason end
    map.chunks[number] = chunk
    for _, shape in ipairs(chunk.shapes) do list[#list + 1] = shape end
  end
  return nil
end

-- Appends the shapes of a map to a list.
function tiles.collect(map, list)
  for _, number in ipairs(map.numbers) do
    for _, shape in ipairs((map.chunks[number] or EMPTY).shapes) do list[#list + 1] = shape end
  end
end

-- ---------------------------------------------------------------- methods

local function check_place(map, name, column, row, depth)
  arguments.check_self(name, "map", map, getmetatable(map) == Map, depth + 1)
  arguments.check(1, name, "column", ("a whole number from 1 to %d"):format(map.columns), column,
    type(column) == "number" and column % 1 == 0 and column >= 1 and column <= map.columns, depth + 1)
  arguments.check(2, name, "row", ("a whole number from 1 to %d"):format(map.rows), row,
    type(row) == "number" and row % 1 == 0 and row >= 1 and row <= map.rows, depth + 1)
end

-- The value of a tile: false, true or its vertices.
function Map:get(column, row)
  check_place(self, "get", column, row, 1)
  local tile = tile_at(self, column, row)
  return type(tile) == "table" and tile.given or tile
end

-- ---------------------------------------------------------------- edits

-- A copy of the tiles of a chunk, which knows that chunk as `old`. Both are read once the tables are there: making one
-- may run a finalizer, which may set tiles.
local function copy_chunk(map, number)
  local copy, values = { tiles = false, old = false }, {}
  copy.tiles, copy.old = values, map.chunks[number] or EMPTY
  local old = copy.old.tiles
  for i = 1, map.width * map.height do values[i] = old[i] or false end
  return copy
end

-- How many tiles of a copy differ from those that it was made of.
local function count_changes(map, values, old)
  local count = 0
  for i = 1, map.width * map.height do count = count + (values[i] == (old[i] or false) and 0 or 1) end
  return count
end

-- Sets a tile in the open edit.
local function put_tile(map, column, row, tile)
  local number, index = locate(map, column, row)
  local copy = map.open[number]
  if not copy then
    local made = copy_chunk(map, number)
    copy = map.open[number] or made
    map.open[number] = copy
  end
  copy.tiles[index] = tile
end

-- Whether the world has the shapes of a chunk: a game may have taken them out.
local function has_shapes(map, chunk)
  for _, shape in ipairs(chunk.shapes) do
    if not map.world:has(shape) then return false end
  end
  return true
end

-- Makes what takes the place of each chunk that an edit has changed, in ascending order of their numbers, and the lists
-- of the shapes that leave the world and come to it. Returns how many tiles differ, or nil and a reason.
local function make_changes(map, edit, changes, leaving, coming)
  local numbers, count = {}, 0
  for number in next, edit do numbers[#numbers + 1] = number end
  table.sort(numbers)
  for _, number in ipairs(numbers) do
    local old, values = edit[number].old, edit[number].tiles
    local differ = count_changes(map, values, old.tiles)
    if differ > 0 or not has_shapes(map, old) then
      local chunk, made = make_chunk(map, number, values, known_shapes(map, old, values))
      if not chunk then return nil, made end
      count, changes[#changes + 1] = count + differ, { number = number, old = old, chunk = chunk }
      for _, shape in ipairs(leaving_shapes(old, chunk)) do leaving[#leaving + 1] = shape end
      for _, shape in ipairs(made) do coming[#coming + 1] = shape end
    end
  end
  return count
end

local MEANWHILE = "another tile near this one has been set meanwhile, by prepare or a finalizer"

-- Puts the new chunks into the place of the old ones, and their shapes into the world. Returns nil, or a message for
-- which nothing has changed.
local function exchange_chunks(map, world, changes, leaving, coming)
  for _, one in ipairs(changes) do
    if (map.chunks[one.number] or EMPTY) ~= one.old then return MEANWHILE end
  end
  for _, one in ipairs(changes) do -- memory for its place, so that the assignment below cannot fail
    if not map.chunks[one.number] then
      map.numbers[#map.numbers + 1] = one.number
      map.chunks[one.number] = one.old
    end
  end
  local message = tiles.exchange(world, leaving, coming)
  if message then return message end
  for _, one in ipairs(changes) do map.chunks[one.number] = one.chunk end
end

-- Carries out an edit. Returns how many tiles differ, or nil and a reason for which nothing has changed. Errors are
-- raised at the caller of the function that is `depth` calls from here.
local function carry_out(map, edit, depth)
  local changes, leaving, coming = {}, {}, {}
  local count, reason = make_changes(map, edit, changes, leaving, coming)
  if not count then return nil, reason end
  local world = map.world
  map.world = false -- a finalizer changes nothing meanwhile
  local _, message = pcall(exchange_chunks, map, world, changes, leaving, coming)
  map.world = world
  if message == MEANWHILE then error(message, depth + 2) end
  if message then tiles.raise(message, depth + 1) end
  return count
end

local function check_made(map)
  if not map.world then error("the map cannot change before it is made", 3) end
end

-- Calls f(map, ...), which sets tiles or returns a reason, in the edit that is open, and returns the map; or in one of
-- its own, which it carries out, and returns how many tiles differ. A reason is about argument `place` of a method.
local function run_edit(map, place, name, f, ...)
  local is_own = not map.open
  map.open = map.open or {}
  local is_done, problem = pcall(f, map, ...)
  local edit, count = map.open, nil
  if is_own then map.open = nil end
  if not is_done then error(problem, 0) end
  if is_own and not problem then count, problem = carry_out(map, edit, 2) end
  if problem then arguments.refuse(place, name, problem, 2) end
  return count or map
end

-- Calls a function of the game in a coroutine of its own: if it yielded for good, its edit would be open for ever.
local function call_to_end(map, f, ...)
  local routine = coroutine.create(f)
  local is_done, problem = coroutine.resume(routine, map, ...)
  if not is_done then error(problem, 0) end
  return coroutine.status(routine) ~= "dead" and "f must not yield" or nil
end

-- Calls f(map, ...), whose changes the world sees when it returns. Returns how many tiles differ from before. An edit
-- within another one belongs to that, and returns the map. After an error all is as it was.
function Map:edit(f, ...)
  arguments.check_self("edit", "map", self, getmetatable(self) == Map, 1)
  arguments.check(1, "edit", "f", "a function", f, type(f) == "function", 1)
  check_made(self)
  return (run_edit(self, 1, "edit", call_to_end, f, ...))
end

-- Sets the value of a tile, outside of an edit by an edit of its own.
function Map:set(column, row, value)
  check_place(self, "set", column, row, 1)
  check_made(self)
  local tile, reason = read_tile(self, value)
  if tile == nil then arguments.refuse(3, "set", reason, 1) end
  run_edit(self, 3, "set", put_tile, column, row, tile)
  return self
end

local function put_block(map, column, row, columns, rows, tile)
  for y = row, row + rows - 1 do
    for x = column, column + columns - 1 do put_tile(map, x, y, tile) end
  end
end

local function put_shape(map, shape, tile)
  local size, left, top, w, h = map.size, shape:bounds()
  local first, last = math.floor((left - map.x) / size), math.floor((left + w - map.x) / size) + 1
  local above, below = math.floor((top - map.y) / size), math.floor((top + h - map.y) / size) + 1
  for row = math.max(above, 1), math.min(below, map.rows) do
    local y = map.y + (row - 0.5) * size
    for column = math.max(first, 1), math.min(last, map.columns) do
      if shape:contains(map.x + (column - 0.5) * size, y) then put_tile(map, column, row, tile) end
    end
  end
end

local function check_block(map, column, row, columns, rows)
  check_place(map, "fill", column, row, 2)
  local function check_rest(place, name, count, most)
    arguments.check(place, "fill", name, ("a whole number from 1 to %d"):format(most), count,
      type(count) == "number" and count % 1 == 0 and count >= 1 and count <= most, 3)
  end
  check_rest(3, "columns", columns, map.columns - column + 1)
  check_rest(4, "rows", rows, map.rows - row + 1)
end

-- Sets every tile whose centre a shape contains, or a block of tiles.
function Map:fill(shape, ...)
  arguments.check_self("fill", "map", self, getmetatable(self) == Map, 1)
  check_made(self)
  local is_shape = sat.type(shape) == "shape"
  arguments.check(1, "fill", "shape", "a shape, or a column", shape, is_shape or type(shape) == "number", 1)
  local row, columns, rows = ...
  if not is_shape then check_block(self, shape, row, columns, rows) end
  local place = is_shape and 2 or 5
  local tile, reason = read_tile(self, (select(place - 1, ...)))
  if tile == nil then arguments.refuse(place, "fill", reason, 1) end
  if is_shape then return (run_edit(self, place, "fill", put_shape, shape, tile)) end
  return (run_edit(self, place, "fill", put_block, shape, row, columns, rows, tile))
end

-- ---------------------------------------------------------------- places

-- The column, or row, of a coordinate. A coordinate on a border has two: the one that the normal points away from, and
-- the other.
local function places(distance, size, normal)
  local place = distance / size
  local near = math.floor(place + 0.5)
  if math.abs(place - near) > BORDER then return math.floor(place) + 1, nil end
  if normal > 0 then return near, near + 1 end
  return near + 1, near
end

-- The column and row of the tile at a point, or nil outside the tiles. On a border a solid tile has precedence, and of
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
      if tile_at(self, column, row) then return column, row end
      if not found_column then found_column, found_row = column, row end
    end
  end
  return found_column, found_row
end

-- ---------------------------------------------------------------- new

local OPTIONS = {
  x = { default = 0 }, y = { default = 0 }, -- the top left corner of the grid
  chunk = { default = tiles.CHUNK, low = 1, whole = true },
  separate = { default = true, flag = true }, -- whether each rectangle becomes a separate shape
  prepare = { call = true }, -- a function that gets each shape before the world does
}

-- The functions that make maps, and the places of their arguments.
local NEW = { name = "new", world = 1, columns = 2, rows = 3, size = 4, at = 5, options = 6 }
local IMAGE = { name = "image", world = 1, columns = 2, rows = 2, size = 3, at = 2, options = 5 }

local function check_count(call, name, value)
  local is_good = type(value) == "number" and value % 1 == 0 and value >= 1 and value <= 1e6
  arguments.check(call[name], call.name, name, "a whole number from 1 to 1000000", value, is_good, 3)
end

local function check_extent(call, name, start, count, size)
  if math.abs(start) <= MOST and math.abs(start + count * size) <= MOST then return end
  arguments.refuse(call.size, call.name, ("the grid would reach beyond 1e15 in %s"):format(name), 3)
end

-- The tile that `at` gives for a column and row.
local function ask_tile(map, at, column, row)
  local value = at(column, row)
  if not value or value == true then return value end
  local tile, reason = read_tile(map, value)
  if tile then return tile end
  arguments.refuse(5, "new", ("at gives a bad tile for column %d, row %d: %s"):format(column, row, reason), 4)
end

-- Reads the grid row by row, and each row chunk by chunk. A chunk has false before each of its tiles, since arrays
-- without holes are quicker.
local function read_grid(map, at)
  local width, height = map.width, map.height
  for row = 0, map.rows - 1 do
    local down = math.floor(row / height)
    local before = (row - down * height) * width
    for across = 0, map.across - 1 do
      local number, left = down * map.across + across, across * width
      local values = map.chunks[number] and map.chunks[number].tiles
      for column = 1, math.min(width, map.columns - left) do
        local tile = ask_tile(map, at, left + column, row + 1)
        if tile and not values then
          values = open_chunk(map, number)
          for index = 1, before + column - 1 do values[index] = false end
        end
        if values then values[before + column] = tile or false end
      end
    end
  end
end

-- Makes a map, for a function that is one call from here. All shapes are made before the world takes them at once.
local function make(call, world, columns, rows, size, at, options)
  arguments.check(call.world, call.name, "world", "a world", world, sat.type(world) == "world", 2)
  check_count(call, "columns", columns)
  check_count(call, "rows", rows)
  if columns * rows > MOST_TILES then
    local reason = ("columns times rows must be at most %d, not %.0f"):format(MOST_TILES, columns * rows)
    arguments.refuse(call.rows, call.name, reason, 2)
  end
  arguments.check(call.size, call.name, "size", "a finite number above 0", size,
    type(size) == "number" and size > 0 and size < math.huge, 2)
  arguments.check(call.at, call.name, "at", "a function", at, type(at) == "function", 2)
  local map = tiles.plan(columns, rows, size, arguments.read_options(call.options, call.name, options, OPTIONS, 2))
  check_extent(call, "x", map.x, columns, size)
  check_extent(call, "y", map.y, rows, size)
  read_grid(map, at)
  local shapes = {}
  local reason = tiles.build(map, shapes)
  if reason then arguments.refuse(call.at, call.name, reason, 2) end
  local message = tiles.exchange(world, {}, shapes)
  if message then tiles.raise(message, 2) end
  map.world = world
  return map
end

function tiles.new(...) return (make(NEW, ...)) end

local function has_pixels(data) return data.getDimensions and data.getPixel and true end

-- A map with a tile for each pixel of an image whose alpha is at least the threshold. The image may be anything with
-- getDimensions and getPixel, as LÖVE's ImageData has them.
function tiles.image(world, data, size, threshold, options)
  local is_known, is_image = pcall(has_pixels, data)
  arguments.check(2, "image", "data", "an ImageData", data, is_known and is_image, 1)
  threshold = threshold == nil and 0.5 or threshold
  arguments.check_number(4, "image", "threshold", threshold, nil, nil, 1)
  local columns, rows = data:getDimensions()
  return (make(IMAGE, world, columns, rows, size, function(column, row)
    local _, _, _, alpha = data:getPixel(column - 1, row - 1)
    return arguments.check_number(2, "image", "the alpha of a pixel", alpha, nil, nil, 5) >= threshold
  end, options))
end

return tiles
