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
-- error before that, in a function of the game or for want of memory, leaves the map and the world as they were. Both
-- chunks share the rows that are alike. Chunks without tiles are not there: time and memory go with the tiles.

local folder = tostring((...)):match("^(.*)[./]tiles$") or "sat"
local sat, arguments = require(folder .. ".whole"), require(folder .. ".arguments")
local own = getmetatable(sat).siblings

-- Beside `new`, for games, this table has the functions that sat.tiled makes maps with.
local tiles = {}

tiles.CHUNK = 16 -- a move finds the shapes whose boxes it meets: long rectangles would be found from everywhere

local MOST_TILES = 4096 * 4096
local MOST = 1e15 -- of a coordinate
local BORDER = 1e-9 -- of a tile: a point this near to a border may belong to either tile
local EMPTY, FULL = 0, 1 -- tiles
local NONE = {}
local SLOPES = 2 ^ 50 -- above the keys of all rectangles

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

-- Reads a value as a tile: EMPTY, FULL, or a copy of its vertices, which the game may change later. Returns nil and a
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
  copy.given = given
  map.known[given] = copy
  return copy
end

local function read_tile(map, value)
  if not value then return EMPTY end
  if value == true then return FULL end
  if type(value) == "table" then return read_vertices(map, value) end
  return nil, "a tile must be nil, a boolean or vertices, not " .. arguments.describe(value)
end

-- ---------------------------------------------------------------- rows

-- The chunks have numbers, row by row from 0 on. A chunk is a list of masks, numbers with a bit for each full tile of a
-- row, with its partial tiles, shapes and keys beside them. Rows wider than a mask have several. The chunk's partial
-- tiles are by their places, row by row from 1 on; chunks share a table of these until an edit changes it.

local BITS = 48 -- of a mask: a number has 53

local POWERS = {} -- of two, whole numbers where Lua tells these from others
for i = 0, BITS do POWERS[i] = math.floor(2 ^ i) end

-- A copy of a list. Few lists are longer than sixteen, and for those there is room from the beginning.
local function copy_list(list, count)
  local copy = { list[1], list[2], list[3], list[4], list[5], list[6], list[7], list[8], list[9], list[10], list[11],
    list[12], list[13], list[14], list[15], list[16] }
  for i = 17, count do copy[i] = list[i] end
  return copy
end

-- The copy of a chunk of which an open edit changes rows, and which knows that chunk as `old`. Making a table may run a
-- finalizer, which may set tiles in the same edit: so what is to be copied is looked at again afterwards.
local function open_chunk(map, number)
  local edit = map.open
  if not edit[number] then
    local old = map.chunks[number] or map.empty
    local copy = copy_list(old, map.height * map.words)
    copy.old, copy.slopes = old, old.slopes
    edit[number] = edit[number] or copy
  end
  return edit[number]
end

-- Sets partial tiles of an open chunk from one place to another, or removes them.
local function put_slopes(chunk, first, last, tile)
  local copy = {}
  if chunk.slopes == chunk.old.slopes then
    for place, vertices in next, chunk.slopes do copy[place] = vertices end
    chunk.slopes = copy
  end
  for place = first, last do chunk.slopes[place] = tile end
end

-- Sets the tiles of a row of the map from one column to another in the open edit.
local function put_run(map, row, first, last, tile)
  local width, down = map.width, math.floor((row - 1) / map.height)
  local line, is_slope = row - down * map.height - 1, tile ~= FULL and tile ~= EMPTY
  while first <= last do
    local across = math.floor((first - 1) / width)
    local chunk, left = open_chunk(map, down * map.across + across), across * width
    local word = math.floor((first - left - 1) / BITS)
    local start = left + word * BITS
    local stop = math.min(last, left + width, start + BITS)
    local low, high, place = POWERS[first - start - 1], POWERS[stop - start], line * map.words + word + 1
    local mask = chunk[place]
    chunk[place] = mask % low + (mask - mask % high) + (tile == FULL and high - low or 0)
    if is_slope or chunk.slopes ~= NONE then
      put_slopes(chunk, line * width + first - left, line * width + stop - left, is_slope and tile or nil)
    end
    first = stop + 1
  end
end

-- The tile of a chunk in a place, row by row from 1 on.
local function tile_in(map, chunk, place)
  local row = math.floor((place - 1) / map.width)
  local column = place - row * map.width - 1
  local word = math.floor(column / BITS)
  local bit = column - word * BITS
  if chunk[row * map.words + word + 1] % POWERS[bit + 1] >= POWERS[bit] then return FULL end
  return chunk.slopes[place] or EMPTY
end

local function tile_at(map, column, row)
  local across, down = math.floor((column - 1) / map.width), math.floor((row - 1) / map.height)
  local number = down * map.across + across
  local chunk = map.open and map.open[number] or map.chunks[number] or map.empty
  return tile_in(map, chunk, (row - down * map.height - 1) * map.width + column - across * map.width)
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

-- The places of the partial tiles of a chunk, in their order.
local function find_slopes(chunk)
  local places = {}
  for place in next, chunk.slopes do places[#places + 1] = place end
  table.sort(places)
  return places
end

-- Appends the shapes of an old chunk behind a place, whose keys are up to a key, to those that leave the world. Returns
-- the place of the last one. The shape of that key, if the world has it, is returned instead. A chunk's keys ascend.
local function pass_pieces(map, old, at, key, leaving)
  local keys, shapes = old.keys, old.shapes
  while keys[at + 1] and keys[at + 1] <= key do
    at = at + 1
    if keys[at] == key and map.world:has(shapes[at]) then return at, shapes[at] end
    leaving[#leaving + 1] = shapes[at]
  end
  return at, nil
end

-- Makes the pieces of a chunk, and a key of each: two rectangles of a chunk in one place have one key, and so have two
-- slopes. The shapes of the old chunk that have the same keys are taken over, the others leave the world, and shapes
-- that are made are `fresh`. `place` is that of the tile in work, which an error is about.
local function make_pieces(map, number, chunk, old, leaving, fresh, place)
  local width, shapes, keys = map.width, chunk.shapes, chunk.keys
  local left, top = number % map.across * width, math.floor(number / map.across) * map.height
  local at, row, last, below = own.rectangles(map.world, map, chunk, old, leaving, fresh, left, top)
  if below then
    place.column, place.row = left + at + 1, top + row + 1
    local x1, y1 = corner(map, left + at, top + row)
    local x2, y2 = corner(map, left + last, top + below)
    sat.polygon(x1, y1, x2, y1, x2, y2, x1, y2)
  end
  for _, tile_place in ipairs(chunk.slopes ~= NONE and find_slopes(chunk) or NONE) do
    local tile, key, shape = chunk.slopes[tile_place], SLOPES + tile_place
    at, shape = pass_pieces(map, old, at, tile == old.slopes[tile_place] and key or key - 0.5, leaving)
    if not shape then
      place.column, place.row = left + (tile_place - 1) % width + 1, top + math.ceil(tile_place / width)
      shape = make_slope(map, place.column, place.row, tile)
      if map.separate then shape:setStatic(true):setData(map) end
      fresh[#fresh + 1] = shape
    end
    shapes[#shapes + 1], keys[#keys + 1] = shape, key
  end
  pass_pieces(map, old, at, math.huge, leaving)
end

-- Makes the shapes of a chunk, which has its rows, in the place of an old one, and appends those that leave the world
-- for it, and those that come, to lists. Returns nil, or a reason why there are none.
local function make_chunk(map, number, chunk, old, leaving, coming)
  chunk.old, chunk.shapes, chunk.keys = nil, {}, {}
  local known, fresh, first, place = old, coming, #coming + 1, {}
  if not map.separate then known, fresh = map.empty, {} end
  local _, reason = tiles.attempt(make_pieces, map, number, chunk, known, leaving, fresh, place)
  if reason then
    return ("column %d, row %d: %s"):format(place.column, place.row,
      reason:match("^bad argument #%d+ to '%a+' %((.+)%)$") or reason)
  end
  if not map.separate then
    if chunk.keys[2] then chunk.shapes, chunk.keys = { sat.compound(chunk.shapes) }, { 0 } end
    leaving[#leaving + 1], coming[first] = old.shapes[1], chunk.shapes[1]
    if coming[first] then coming[first]:setStatic(true):setData(map) end
  end
  for i = first, map.prepare and #coming or 0 do map.prepare(coming[i]) end
  return nil
end

-- How many tiles of a copy of a chunk differ from that chunk's. A partial tile in the place of a full one is counted as
-- a bit that differs.
local function count_changes(map, copy)
  local old = copy.old
  local count = own.differing(copy, old, map.height * map.words)
  if copy.slopes == old.slopes then return count end
  for place, tile in next, copy.slopes do
    count = count + (tile ~= old.slopes[place] and tile_in(map, old, place) ~= FULL and 1 or 0)
  end
  for place in next, old.slopes do
    count = count + (not copy.slopes[place] and tile_in(map, copy, place) ~= FULL and 1 or 0)
  end
  return count
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
    local chunk, old, differ = edit[number], edit[number].old, count_changes(map, edit[number])
    if differ > 0 or not has_shapes(map, old) then
      local reason = make_chunk(map, number, chunk, old, leaving, coming)
      if reason then return nil, reason end
      count, changes[#changes + 1] = count + differ, { number = number, old = old, chunk = chunk }
    end
  end
  return count
end

-- ---------------------------------------------------------------- maps

-- An empty map. `options` has x, y, chunk, separate and prepare. A chunk is no wider and no higher than the map: so
-- the numbers of its tiles, and the keys of its pieces, are below 2^53.
function tiles.plan(columns, rows, size, options)
  local map = options
  map.columns, map.rows, map.size, map.world = columns, rows, size, false
  map.width = math.min(map.chunk, columns, 1e6)
  map.height = math.min(map.chunk, rows, math.floor(MOST_TILES / map.width))
  map.across = math.ceil(columns / map.width)
  map.chunks, map.numbers, map.known = {}, {}, setmetatable({}, { __mode = "kv" })
  map.words = math.ceil(map.width / BITS)
  map.empty = { slopes = NONE, shapes = {}, keys = {} } -- the chunk in places that have none
  for i = 1, map.height * map.words do map.empty[i] = 0 end
  map.open = {} -- until the shapes are made
  return setmetatable(map, Map)
end

-- Fills a tile of a map that has no shapes yet.
function tiles.fill(map, column, row) put_run(map, row, column, column, FULL) end

-- Puts new chunks into their places, which are to be there already where no error may be raised.
local function put_chunks(map, changes)
  for _, one in ipairs(changes) do
    if not map.chunks[one.number] then map.numbers[#map.numbers + 1] = one.number end
    map.chunks[one.number] = one.chunk
  end
end

-- Makes the shapes of a map, chunk by chunk, and appends them to a list. Returns nil, or a reason why there are none.
-- When they are in a world, map.world is to be set.
function tiles.build(map, list)
  local changes = {}
  local _, reason = make_changes(map, map.open, changes, NONE, list)
  put_chunks(map, changes)
  map.open = nil
  return reason
end

-- Appends the shapes of a map to a list.
function tiles.collect(map, list)
  for _, number in ipairs(map.numbers) do
    for _, shape in ipairs(map.chunks[number].shapes) do list[#list + 1] = shape end
  end
end

-- ---------------------------------------------------------------- methods

local function check_whole(place, name, what, value, most, depth)
  if type(value) == "number" and value % 1 == 0 and value >= 1 and value <= most then return end
  arguments.check(place, name, what, ("a whole number from 1 to %d"):format(most), value, false, depth + 1)
end

local function check_place(map, name, column, row, depth)
  arguments.check_self(name, "map", map, getmetatable(map) == Map, depth + 1)
  check_whole(1, name, "column", column, map.columns, depth + 1)
  check_whole(2, name, "row", row, map.rows, depth + 1)
end

-- The value of a tile: false, true or its vertices.
function Map:get(column, row)
  check_place(self, "get", column, row, 1)
  local tile = tile_at(self, column, row)
  return tile == FULL or tile ~= EMPTY and tile.given
end

-- ---------------------------------------------------------------- edits

local MEANWHILE = "another tile near this one has been set meanwhile, by prepare or a finalizer"

-- Puts the new chunks into the place of the old ones, and their shapes into the world. Returns nil, or a message for
-- which nothing has changed. The caller gives the map its world again.
local function exchange_chunks(map, world, changes, leaving, coming)
  map.world = false -- a finalizer changes nothing meanwhile
  for _, one in ipairs(changes) do
    if (map.chunks[one.number] or map.empty) ~= one.old then return MEANWHILE end
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
  local _, message = pcall(exchange_chunks, map, world, changes, leaving, coming)
  map.world = world
  if message == MEANWHILE then error(message, depth + 2) end
  if message then tiles.raise(message, depth + 1) end
  return count
end

local function check_made(map)
  if not map.world then error("the map cannot change before it is made", 3) end
end

-- Opens an edit, unless one is open, and calls f(map, ...). The caller closes it. A call of pcall may itself lack
-- memory, so the edit is opened here.
local function call_in_edit(f, map, ...)
  map.open = map.open or {}
  return f(map, ...)
end

-- Calls f(map, ...), which sets tiles or returns a reason, in the edit that is open, and returns the map; or in one of
-- its own, which it carries out, and returns how many tiles differ. A reason is about argument `place` of a method.
local function run_edit(map, place, name, f, ...)
  local is_own = not map.open
  local is_done, problem = pcall(call_in_edit, f, map, ...)
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
  run_edit(self, 3, "set", put_run, row, column, column, tile)
  return self
end

local function put_block(map, column, row, columns, rows, tile)
  for y = row, row + rows - 1 do put_run(map, y, column, column + columns - 1, tile) end
end

local function put_shape(map, shape, tile)
  local size, left, top, w, h = map.size, shape:bounds()
  local first, last = math.floor((left - map.x) / size), math.floor((left + w - map.x) / size) + 1
  local above, below = math.floor((top - map.y) / size), math.floor((top + h - map.y) / size) + 1
  first, last = math.max(first, 1), math.min(last, map.columns)
  above, below = math.max(above, 1), math.min(below, map.rows)
  if first > last or above > below then return end
  for row = above, below do
    local spans = own.spans(shape, map.x, map.y, size, first, last, row)
    for i = 1, #spans, 2 do put_run(map, row, spans[i], spans[i + 1], tile) end
  end
end

local function check_block(map, column, row, columns, rows)
  check_place(map, "fill", column, row, 2)
  check_whole(3, "fill", "columns", columns, map.columns - column + 1, 2)
  check_whole(4, "fill", "rows", rows, map.rows - row + 1, 2)
end

-- Sets every tile whose centre a shape contains, or a block of tiles.
function Map:fill(shape, row, columns, rows, value)
  arguments.check_self("fill", "map", self, getmetatable(self) == Map, 1)
  check_made(self)
  local is_block = type(shape) == "number"
  if is_block then check_block(self, shape, row, columns, rows)
  else
    arguments.check(1, "fill", "shape", "a shape, or a column", shape, sat.type(shape) == "shape", 1)
    value = row
  end
  local tile, reason = read_tile(self, value)
  if tile == nil then arguments.refuse(is_block and 5 or 2, "fill", reason, 1) end
  if is_block then return (run_edit(self, 5, "fill", put_block, shape, row, columns, rows, tile)) end
  return (run_edit(self, 2, "fill", put_shape, shape, tile))
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
      if tile_at(self, column, row) ~= EMPTY then return column, row end
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

-- The tile of a value that `at` gives for a column and row.
local function check_tile(map, value, column, row)
  local tile, reason = read_tile(map, value)
  if tile then return tile end
  arguments.refuse(5, "new", ("at gives a bad tile for column %d, row %d: %s"):format(column, row, reason), 4)
end

-- Reads the grid row by row.
local function read_grid(map, at)
  local width, height, words = map.width, map.height, map.words
  for row = 1, map.rows do
    local down = math.floor((row - 1) / height)
    for across = 0, map.across - 1 do
      local number, last = down * map.across + across, math.min((across + 1) * width, map.columns)
      for word = 1, words do
        local left, mask = across * width + (word - 1) * BITS, 0
        for column = left + 1, math.min(left + BITS, last) do
          local value = at(column, row)
          if value == true then mask = mask + POWERS[column - left - 1]
          elseif value then put_run(map, row, column, column, check_tile(map, value, column, row))
          end
        end
        if mask > 0 then open_chunk(map, number)[(row - down * height - 1) * words + word] = mask end
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
    return arguments.check_number(2, "image", "the alpha of a pixel", alpha, nil, nil, 4) >= threshold
  end, options))
end

return tiles
