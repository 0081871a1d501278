-- tiles.lua: frames of a game whose movers slide among tiles, by each form that a level may have, beside bump and
-- beside a plain move of boxes that is written for just these tiles.
--
--   tiles.lua          on this Lua, and with LuaJIT inside LÖVE, too, where that is found
--   tiles.lua --alone  on this Lua, and that is all
--
-- `scattered`: a quarter of the fields has a tile. `level`: ground, walls and platforms, on which movers walk. The ends
-- of all movers are compared with those on single tiles. bump takes part where LUA_PATH leads to it.
--
-- Blasts: the median of many circles that `map:fill` takes out of a map of 512 x 512 tiles, and of single tiles, with
-- all that the map and the world do for them; beside the time that a blast is to take at most.

local TILE, SIDE, MOVERS, FRAMES, ROUNDS = 32, 20, 50, 240, 15

local sat, tiles, sat_bump = require "sat", require "sat.tiles", require "sat.bump"
local common = dofile "bench/lib/common.lua"
local between, bump = common.between, common.find "bump"
if bump == sat_bump then bump = nil end

-- ---------------------------------------------------------------- levels

local function has_tile(level, column, row) return level.full[row * level.columns + column] == true end

-- Each mover keeps a motion for sixteen frames.
local function add_movers(level, walks)
  level.movers = {}
  while #level.movers < MOVERS do
    local column, row = math.floor(between(1, level.columns - 1)), math.floor(between(1, level.rows - 1))
    if not has_tile(level, column, row) and (not walks or has_tile(level, column, row + 1)) then
      local ways = {}
      for k = 0, 31 do ways[k] = { between(-3, 3), walks and 2 or between(-3, 3) } end
      level.movers[#level.movers + 1] = { x = column * TILE + 6, y = row * TILE + 6, ways = ways }
    end
  end
  return level
end

local function scattered(count)
  common.seed(1)
  local side = math.ceil(math.sqrt(4 * count))
  local level, left = { name = "scattered", columns = side, rows = side, full = {} }, count
  while left > 0 do
    local at = math.floor(between(0, side * side))
    if not level.full[at] then level.full[at], left = true, left - 1 end
  end
  return add_movers(level)
end

local function level_of(columns, rows)
  common.seed(3)
  local level = { name = "level", columns = columns, rows = rows, full = {} }
  local function put(column, row) level.full[row * columns + column] = true end
  for row = 0, rows - 1 do put(0, row) put(columns - 1, row) end
  for row = 8, rows - 1, 8 do
    for column = 0, columns - 1 do
      if column % 23 > 2 then put(column, row) put(column, row - 1) end
      if column % 17 == 5 then put(column, row - 2) end
      if column % 11 < 4 then put(column, row - 5) end
    end
  end
  return add_movers(level, true)
end

-- ---------------------------------------------------------------- contestants

-- Each returns a function of the frame's number, and the places of the movers' corners after it.

local function copy_of(movers)
  local list = {}
  for i, mover in ipairs(movers) do list[i] = { x = mover.x, y = mover.y, ways = mover.ways } end
  return list
end

local function places_of(movers)
  return function()
    local at = {}
    for i, mover in ipairs(movers) do at[2 * i - 1], at[2 * i] = mover.x, mover.y end
    return at
  end
end

local function run_sat(level, world)
  local movers, at = {}, {}
  for i, mover in ipairs(level.movers) do
    movers[i] = sat.rectangle(mover.x, mover.y, SIDE, SIDE)
    movers[i]:setFilter(2, 1)
    world:add(movers[i])
  end
  return function(frame)
    for i = 1, MOVERS do
      local way = level.movers[i].ways[math.floor(frame / 16) % 32]
      world:move(movers[i], way[1], way[2])
    end
  end, function()
    for i, mover in ipairs(movers) do at[2 * i - 1], at[2 * i] = mover:bounds() end
    return at
  end
end

local function each_tile(level, visit)
  for row = 0, level.rows - 1 do
    for column = 0, level.columns - 1 do
      if has_tile(level, column, row) then visit(column * TILE, row * TILE) end
    end
  end
end

local function single_tiles(level)
  local world = sat.world()
  each_tile(level, function(x, y) world:add(sat.rectangle(x, y, TILE, TILE):setStatic(true)) end)
  return run_sat(level, world)
end

local function one_compound(level)
  local list = {}
  each_tile(level, function(x, y) list[#list + 1] = sat.rectangle(x, y, TILE, TILE) end)
  return run_sat(level, sat.world():add(sat.compound(list):setStatic(true)))
end

local function map_with(options)
  return function(level)
    local world = sat.world()
    tiles.new(world, level.columns, level.rows, TILE, function(column, row)
      return has_tile(level, column - 1, row - 1)
    end, options)
    return run_sat(level, world)
  end
end

local function slide(_, other) return not other.ways and "slide" or nil end

local function run_bump(library)
  return function(level)
    local world, movers = library.newWorld(2 * TILE), copy_of(level.movers)
    each_tile(level, function(x, y) world:add({}, x, y, TILE, TILE) end)
    for _, mover in ipairs(movers) do world:add(mover, mover.x, mover.y, SIDE, SIDE) end
    return function(frame)
      for i = 1, MOVERS do
        local mover = movers[i]
        local way = mover.ways[math.floor(frame / 16) % 32]
        mover.x, mover.y = world:move(mover, mover.x + way[1], mover.y + way[2], slide)
      end
    end, places_of(movers)
  end
end

-- Along x and then along y, as in every tutorial: no tunnelling, since motions are shorter than a tile.
local function plain(level)
  local movers, floor = copy_of(level.movers), math.floor
  local full, columns = level.full, level.columns
  local function is_free(left, top)
    local right, bottom = floor((left + SIDE - 1e-9) / TILE), floor((top + SIDE - 1e-9) / TILE)
    left, top = floor(left / TILE), floor(top / TILE)
    return not (full[top * columns + left] or full[top * columns + right] or full[bottom * columns + left]
      or full[bottom * columns + right])
  end
  local function stop_at(from, way)
    if way > 0 then return floor((from + SIDE + way) / TILE) * TILE - SIDE end
    return (floor((from + way) / TILE) + 1) * TILE
  end
  return function(frame)
    for i = 1, MOVERS do
      local mover = movers[i]
      local way = mover.ways[floor(frame / 16) % 32]
      local x, y = mover.x + way[1], mover.y + way[2]
      if not is_free(x, mover.y) then x = stop_at(mover.x, way[1]) end
      if not is_free(x, y) then y = stop_at(mover.y, way[2]) end
      mover.x, mover.y = x, y
    end
  end, places_of(movers)
end

-- ---------------------------------------------------------------- timing

local function contestants()
  local list = {
    { "single tiles", single_tiles }, { "sat.tiles", map_with {} },
    { "sat.tiles, separate = false", map_with { separate = false } }, { "one compound", one_compound },
    { "sat.bump", run_bump(sat_bump) },
  }
  if bump then list[#list + 1] = { "bump", run_bump(bump) } end
  list[#list + 1] = { "plain", plain }
  return list
end

-- Movers that meet a corner of two tiles may slip off to either side.
local function count_agreeing(one, other)
  local count = 0
  for i = 1, 2 * MOVERS, 2 do
    if math.abs(one[i] - other[i]) + math.abs(one[i + 1] - other[i + 1]) < 1e-6 then count = count + 1 end
  end
  return count
end

local function measure(level)
  local list, passes = contestants(), {}
  for i, one in ipairs(list) do
    local frame, places = one[2](level)
    local done = 0
    passes[i] = function()
      for number = done + 1, done + FRAMES do frame(number) end
      done = done + FRAMES
    end
    passes[i]()
    one.places = places
    one.agreeing = count_agreeing(places(), list[1].places())
  end
  for i, least in ipairs(common.least(ROUNDS, passes)) do list[i].least = least * 1e9 / (FRAMES * MOVERS) end
  local basis = list[#list].least
  for _, one in ipairs(list) do
    print(("%-10s %-28s %8.0f ns a mover %8.2f times the plain move  %d of %d where single tiles lead"):format(
      level.name, one[1], one.least, one.least / basis, one.agreeing, MOVERS))
  end
end

-- ---------------------------------------------------------------- blasts

local GRID, BLASTS, MAPS = 512, 400, 5

local function is_full() return true end
local function is_cave(column, row)
  return math.sin(column * 0.31 + row * 0.09) * math.sin(row * 0.21 - column * 0.07) < 0.6
end

-- The garbage of a map's making is collected before, that of its changes meanwhile, as in a game.
local function measure_blasts(name, at, radius, goal)
  local times = {}
  common.seed(5)
  for _ = 1, MAPS do
    local map, shapes = tiles.new(sat.world(), GRID, GRID, TILE, at), {}
    for i = 1, BLASTS do
      local x, y = between(0, GRID * TILE), between(0, GRID * TILE)
      shapes[i] = radius and sat.circle(x, y, radius * TILE) or { math.ceil(x / TILE), math.ceil(y / TILE) }
    end
    collectgarbage()
    for _, shape in ipairs(shapes) do
      local start = os.clock()
      if radius then map:fill(shape, nil) else map:set(shape[1], shape[2], nil) end
      times[#times + 1] = os.clock() - start
    end
  end
  table.sort(times)
  print(("%-39s %8.0f us, the median of %d%s"):format(name, times[#times / 2] * 1e6, #times,
    goal and ("; the goal is %d us"):format(goal) or ""))
end

io.stdout:setvbuf "line"
print(("%d movers on %s"):format(MOVERS, common.version))
measure(scattered(2000))
measure(level_of(200, 60))
measure_blasts("blasts of radius 10, all tiles full", is_full, 10, common.jit and 50 or 200)
measure_blasts("blasts of radius 10, caves", is_cave, 10, common.jit and 50 or 200)
measure_blasts("single tiles, all tiles full", is_full)
if common.jit and not common.love and arg[1] ~= "--alone" then common.run_in_love("tiles", "", "--alone") end
