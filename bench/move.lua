-- move.lua: frames of movers among tiles, by each form that a level may have, beside bump and slick.
--
--   move.lua [scene...]   all, or these; LuaJIT goes on inside LÖVE, where that is found, with those of the second row
--     flying, tiles, compounds, slopes   boxes, circles and capsules among 20,000 tiles by the calls of a world: they
--                                        fly among single tiles, or are pressed down and walk on floors of tiles, on
--                                        floors that are a compound each, or on slopes; who is blocked turns back
--     scattered, level                   50 boxes by each form of the tiles, a quarter of all fields, or ground, walls
--                                        and platforms
--
-- bump and slick take part where LUA_PATH leads to them, slick on LuaJIT alone, where it is quickest, with few that fly
-- and few on slopes: on floors it takes minutes. Times are of whole frames, the least of some rounds in which all
-- contestants take turns. A round has as many moves for few movers as for many, so that the collector takes its share
-- of each: in sixty frames of a hundred movers bump leaves less garbage than it takes to begin a collection.

io.stdout:setvbuf "line"

local sat, tiles, sat_bump = require "sat", require "sat.tiles", require "sat.bump"
local common = dofile "bench/lib/common.lua"
local between, jit, floor, load_text = common.between, common.jit, math.floor, rawget(_G, "loadstring") or load
local bump, slick = common.find "bump", jit and common.find "slick"
if bump == sat_bump then bump = nil end

local MOVES, ROUNDS, FRAMES = 60000, 5, 20 -- moves a round and contestant; rounds; frames before the first round
local MOVES_OF_SLICK = 500 -- which take as long
local TILES, COLUMNS, ROWS, STOREY, RISE = 20000, 400, 250, 5, 4 -- rows from floor to floor; of a slope within a column

-- ---------------------------------------------------------------- scenes

local Scene = {}
Scene.__index = Scene

local function new_scene(name, columns, rows, tile)
  local scene = { name = name, columns = columns, rows = rows, tile = tile, side = tile * 5 / 8, kind = "box" }
  scene.tiles, scene.full, scene.movers, scene.floors = {}, {}, {}, {}
  return setmetatable(scene, Scene)
end

function Scene:put(column, row, ground)
  local key = row * self.columns + column
  if self.full[key] then return end
  self.full[key] = true
  self.tiles[#self.tiles + 1] = { column * self.tile, row * self.tile, ground }
end

function Scene:surround()
  for column = 0, self.columns - 1 do self:put(column, 0) self:put(column, self.rows - 1) end
  for row = 0, self.rows - 1 do self:put(0, row) self:put(self.columns - 1, row) end
  return self
end

function Scene:scatter(count)
  while #self.tiles < count do self:put(floor(between(0, self.columns)), floor(between(0, self.rows))) end
  return self
end

-- From wall to wall, with a few tiles on each.
function Scene:add_storeys()
  for row = STOREY, self.rows - 1, STOREY do
    local ground = { y = row * self.tile }
    self.floors[#self.floors + 1] = ground
    for column = 0, self.columns - 1 do self:put(column, row, ground) end
    for _ = 1, 8 do self:put(floor(between(0, self.columns)), row - 1, ground) end
  end
  return self
end

function Scene:add_platforms()
  for row = 8, self.rows - 1, 8 do
    for column = 0, self.columns - 1 do
      if column % 23 > 2 then self:put(column, row) self:put(column, row - 1) end
      if column % 17 == 5 then self:put(column, row - 2) end
      if column % 11 < 4 then self:put(column, row - 5) end
    end
  end
  return self
end

-- Movers in free cells, or above the ground onto which they fall by `down` a frame. Each keeps to one motion until it
-- is blocked, or has 32 of them for sixteen frames each.
function Scene:add_movers(count, down, above, has_ways)
  local tile, gap = self.tile, (self.tile - self.side) / 2
  while #self.movers < count do
    local column, row = floor(between(1, self.columns - 1)), floor(between(1, self.rows - 1))
    local at = row * self.columns + column
    if not self.full[at] and (not down or self.full[at + self.columns]) then
      local m = { x = column * tile + gap, y = row * tile + gap, ways = has_ways and {} }
      if above then m.y = (row + 1) * tile - self.side - above end
      m.vx, m.vy = between(-3, 3), down or between(-3, 3)
      for k = 0, has_ways and 31 or -1 do m.ways[k] = { between(-3, 3), down or between(-3, 3) } end
      self.movers[#self.movers + 1] = m
    end
  end
  return self
end

-- The vertices of a tile: on slopes the top of a floor rises or falls with the column.
function Scene:vertices_of(tile)
  local x, y, wide, left, right = tile[1], tile[2], self.tile, 0, 0
  if self.name == "slopes" and y == tile[3].y then left, right = x / wide % 2 * RISE, (x / wide + 1) % 2 * RISE end
  return x, y - left, x + wide, y - right, x + wide, y + wide, x, y + wide
end

-- ---------------------------------------------------------------- contestants

-- A loop of its own for each, so that what LuaJIT learns from one does not hold for another, about the move in `body`,
-- which gives a place. Without ways a mover that is blocked goes back the way it came.
local FRAME = [[
  local world, movers, call, walks = ...
  local floor, abs, has_ways = math.floor, math.abs, movers[1].ways
  return function(frame)
    for i = 1, #movers do
      local m = movers[i]
      if has_ways then
        local way = m.ways[floor(frame / 16) %% 32]
        m.vx, m.vy = way[1], way[2]
      end
      local x, y = %s
      if has_ways then
      elseif walks then
        if abs(x - m.x) < abs(m.vx) / 4 then m.vx = -m.vx end
      else
        if abs(x - m.x - m.vx) > 1e-3 then m.vx = -m.vx end
        if abs(y - m.y - m.vy) > 1e-3 then m.vy = -m.vy end
      end
      m.x, m.y = x, y
    end
  end]]

-- A copy of the scene's movers, and their frame.
local function contest(scene, world, body, call, add)
  local movers = {}
  for i, m in ipairs(scene.movers) do
    local copy = { x = m.x, y = m.y, vx = m.vx, vy = m.vy, ways = m.ways }
    movers[i] = copy
    if add then add(copy) end
  end
  return assert(load_text(FRAME:format(body)))(world, movers, call, #scene.floors > 0), movers
end

local MAKE = {
  box = function(m, side) return sat.rectangle(m.x, m.y, side, side) end,
  circle = function(m, side) return sat.circle(m.x + side / 2, m.y + side / 2, side / 2) end,
  capsule = function(m, side) return sat.capsule(m.x + side / 2, m.y + 3, m.x + side / 2, m.y + side - 3, 3) end,
}

local function contest_in(scene, world, body, call)
  return contest(scene, world, body, call, function(m)
    m.shape = MAKE[scene.kind](m, scene.side)
    m.x, m.y = m.shape:center()
    if m.ways then world:add(m.shape:setFilter(2, 1)) end
  end)
end

-- The tiles one by one, or each floor, or all of them, as a compound.
local function world_of(scene, is_one)
  local world, parts = sat.world(), {}
  for _, tile in ipairs(scene.tiles) do
    local shape, whole = sat.polygon(scene:vertices_of(tile)), is_one or scene.name == "compounds" and tile[3]
    if whole then
      parts[whole] = parts[whole] or {}
      table.insert(parts[whole], shape)
    else
      world:add(shape:setStatic(true))
    end
  end
  for _, list in pairs(parts) do world:add(sat.compound(list):setStatic(true)) end
  return world
end

local function by(body, call, is_one)
  return function(scene) return contest_in(scene, world_of(scene, is_one), body, call) end
end

-- The loop that games wrote before world:move: cast, advance, and slide along the surface, twice at most.
local function by_cast(world, shape, dx, dy)
  for _ = 1, 3 do
    local other, t, nx, ny = world:cast(shape, dx, dy)
    if not other then
      shape:move(dx, dy)
      break
    end
    shape:move(dx * t, dy * t)
    local px, py = (1 - t) * dx, (1 - t) * dy
    local along = px * nx + py * ny
    dx, dy = px - along * nx, py - along * ny
  end
  return shape:center()
end

local function map_with(options)
  return function(scene)
    local world = sat.world()
    tiles.new(world, scene.columns, scene.rows, scene.tile, function(column, row)
      return scene.full[(row - 1) * scene.columns + column - 1]
    end, options)
    return contest_in(scene, world, "world:move(m.shape, m.vx, m.vy)")
  end
end

-- bump's and slick's `move` alike, with what the filter gives for other movers.
local function by_filter(scene, world, elsewhere, add)
  local function slide(_, other) return not other.vx and "slide" or elsewhere end
  return contest(scene, world, "world:move(m, m.x + m.vx, m.y + m.vy, call)", slide, add)
end

local function with_bump(library)
  return function(scene)
    local world = library.newWorld(64)
    for _, tile in ipairs(scene.tiles) do world:add({}, tile[1], tile[2], scene.tile, scene.tile) end
    return by_filter(scene, world, nil, function(m) world:add(m, m.x, m.y, scene.side, scene.side) end)
  end
end

local function with_slick(scene)
  local world, side = slick.newWorld(scene.columns * scene.tile, scene.rows * scene.tile), scene.side
  for _, tile in ipairs(scene.tiles) do world:add({}, 0, 0, slick.newPolygonShape { scene:vertices_of(tile) }) end
  return by_filter(scene, world, false, function(m)
    world:add(m, m.x, m.y, scene.kind == "circle" and slick.newCircleShape(side / 2, side / 2, side / 2)
      or slick.newRectangleShape(0, 0, side, side))
  end)
end

-- Those of a scene: the name, what makes its frame and its movers, and how far these stand from where ours do, of those
-- whose places are compared.
local MOVE = by "world:move(m.shape, m.vx, m.vy)"
local function contestants(scene)
  local corner, list = scene.side / 2
  if scene.movers[1].ways then
    list = {
      { "single tiles", MOVE, 0 }, { "sat.tiles", map_with {}, 0 },
      { "sat.tiles, separate = false", map_with { separate = false }, 0 },
      { "one compound", by("world:move(m.shape, m.vx, m.vy)", nil, true), 0 },
      { "sat.bump", with_bump(sat_bump), corner },
    }
  else
    list = { { "sat move", MOVE }, { "sat cast loop", by("call(world, m.shape, m.vx, m.vy)", by_cast) } }
  end
  if bump and scene.kind == "box" and scene.name ~= "compounds" and scene.name ~= "slopes" then
    list[#list + 1] = { "bump", with_bump(bump), corner }
  end
  local is_easy = #scene.movers == 100 and (scene.name == "flying" or scene.name == "slopes")
  if slick and scene.kind ~= "capsule" and is_easy then
    list[#list + 1] = { "slick", with_slick, corner, moves = MOVES_OF_SLICK }
  end
  return list
end

-- ---------------------------------------------------------------- timing

-- How many movers are where ours on single tiles are after some frames.
local function count_agreeing(scene, one, frames)
  local ours, own = MOVE(scene)
  local theirs, other = one[2](scene)
  local count, offset = 0, one[3]
  for frame = 1, frames do
    ours(frame)
    theirs(frame)
  end
  for i, m in ipairs(own) do
    if math.abs(m.x - other[i].x - offset) + math.abs(m.y - other[i].y - offset) < 1e-6 then count = count + 1 end
  end
  return count
end

local function measure(scene)
  local list, passes, count = contestants(scene), {}, #scene.movers
  for i, one in ipairs(list) do
    local frames, done = one.moves and one.moves / count or FRAMES, 0
    local agreeing = one[3] and count_agreeing(scene, one, frames)
    one.note = agreeing and ("  %d where single tiles lead in %d frames"):format(agreeing, frames) or ""
    one.frame = one[2](scene)
    one.moves = one.moves or MOVES
    local function pass(times)
      for frame = done + 1, done + times do one.frame(frame) end
      done = done + times
    end
    pass(frames)
    passes[i] = function() pass(one.moves / count) end
  end
  local least = common.least(ROUNDS, passes)
  local function ns_of(i) return least[i] / list[i].moves * 1e9 end
  for i, one in ipairs(list) do
    print(("%-10s %-8s %-28s %9.0f ns a mover %8.2f times %-8s %9.0f bytes a frame%s"):format(scene.name, scene.kind,
      one[1], ns_of(i), ns_of(i) / ns_of(1), list[1][1], common.garbage(one.frame), one.note))
  end
end

-- ---------------------------------------------------------------- all scenes

local function on_floors(name, movers)
  return new_scene(name, COLUMNS, ROWS, 16):add_storeys():add_movers(movers, 2, name == "slopes" and RISE + 2 or 0)
end

local SCENES = {
  flying = function(movers)
    return new_scene("flying", COLUMNS, ROWS, 16):surround():scatter(TILES):add_movers(movers)
  end,
  tiles = function(movers) return on_floors("tiles", movers) end,
  compounds = function(movers) return on_floors("compounds", movers) end,
  slopes = function(movers) return on_floors("slopes", movers) end,
  scattered = function(movers)
    return new_scene("scattered", 90, 90, 32):scatter(2000):add_movers(movers, nil, nil, true)
  end,
  level = function(movers)
    return new_scene("level", 200, 60, 32):surround():add_platforms():add_movers(movers, 2, nil, true)
  end,
}

local function run(name)
  local is_small = name == "scattered" or name == "level"
  for _, movers in ipairs(is_small and { 50 } or { 100, 1000 }) do
    print(("%s, %d movers"):format(name, movers))
    for _, kind in ipairs(is_small and { "box" } or { "box", "circle", "capsule" }) do
      common.seed(5)
      local scene = SCENES[name](movers)
      scene.kind = kind
      measure(scene)
    end
  end
end

print(("%s; %d moves a round, the least of %d rounds"):format(common.version, MOVES, ROUNDS))
if not bump then print "bump is not found, so it takes no part" end
if not slick then print "slick is not found, or this is not LuaJIT, so it takes no part" end
for _, name in ipairs(arg[1] and arg or { "flying", "tiles", "compounds", "slopes", "scattered", "level" }) do
  run(name)
end
if jit and not common.love and not arg[1] then common.run_in_love("move", "", "scattered", "level") end
