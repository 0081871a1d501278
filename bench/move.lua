-- move.lua: movers that slide among tiles by world:move, beside bump's and slick's move where these are found.
--
--   move.lua            the table; results are compared before anything is timed. Movers fly among single tiles, or are
--                       pressed down and walk on floors of tiles, on floors that are a compound each, or on slopes
--   move.lua tiles      the rows of one scene: flying, tiles, compounds or slopes
--
-- slick takes part on LuaJIT alone, where it is quickest, with few that fly and few on slopes: on floors it takes
-- minutes. All times are of whole frames, the least of some rounds in which all contestants take turns. A round has as
-- many moves for few movers as for many, so that the collector takes its share of each: in sixty frames of a hundred
-- movers bump leaves less garbage than it takes to begin a collection.

io.stdout:setvbuf "line"

local sat = require "sat"
local common = dofile "bench/lib/common.lua"
local between, jit = common.between, common.jit
local bump, slick = common.find "bump", jit and common.find "slick"

local TILE, COLUMNS, ROWS = 16, 400, 250
local TILES = 20000
local MOVES, ROUNDS, WARMING = 60000, 5, 10 -- moves a round and contestant; rounds; frames before the first round
local MOVES_OF_SLICK = 500 -- which take as long

-- ---------------------------------------------------------------- the scene

local SIDE = 10

local STOREY, RISE = 5, 4 -- rows from floor to floor, and how far slopes rise within a column

-- Floors from wall to wall, TILES tiles with what stands on them, and movers on the floors.
local function make_storeys(movers, kind, ground)
  common.seed(5)
  local scene = { tiles = {}, floors = {}, movers = {}, kind = kind, ground = ground }
  for row = STOREY, ROWS - 1, STOREY do
    local floor = { y = row * TILE, blocks = {} }
    for _ = 1, 8 do floor.blocks[math.floor(between(0, COLUMNS))] = true end
    for column = 0, COLUMNS - 1 do
      scene.tiles[#scene.tiles + 1] = { column * TILE, floor.y, floor }
      if floor.blocks[column] then scene.tiles[#scene.tiles + 1] = { column * TILE, floor.y - TILE, floor } end
    end
    scene.floors[#scene.floors + 1] = floor
  end
  while #scene.movers < movers do
    local floor, column = scene.floors[math.floor(between(1, #scene.floors + 1))], math.floor(between(1, COLUMNS - 1))
    if not floor.blocks[column] then
      local y = floor.y - SIDE - (ground == "slopes" and RISE + 2 or 0)
      scene.movers[#scene.movers + 1] = { x = column * TILE + 3, y = y, vx = between(-3, 3), vy = 2, walks = true }
    end
  end
  return scene
end

-- A frame of walls and single tiles, TILES in all, and movers in cells that are free.
local function make_scene(movers, kind)
  common.seed(5)
  local taken, scene = {}, { tiles = {}, movers = {}, kind = kind }
  local function put(column, row)
    local key = row * COLUMNS + column
    if taken[key] then return end
    taken[key] = true
    scene.tiles[#scene.tiles + 1] = { column * TILE, row * TILE }
  end
  for column = 0, COLUMNS - 1 do put(column, 0) put(column, ROWS - 1) end
  for row = 0, ROWS - 1 do put(0, row) put(COLUMNS - 1, row) end
  while #scene.tiles < TILES do put(math.floor(between(1, COLUMNS - 1)), math.floor(between(1, ROWS - 1))) end
  while #scene.movers < movers do
    local column, row = math.floor(between(1, COLUMNS - 1)), math.floor(between(1, ROWS - 1))
    if not taken[row * COLUMNS + column] then
      scene.movers[#scene.movers + 1] =
        { x = column * TILE + 3, y = row * TILE + 3, vx = between(-3, 3), vy = between(-3, 3) }
    end
  end
  return scene
end

local MAKE = {
  box = function(m) return sat.rectangle(m.x, m.y, SIDE, SIDE) end,
  circle = function(m) return sat.circle(m.x + SIDE / 2, m.y + SIDE / 2, SIDE / 2) end,
  capsule = function(m) return sat.capsule(m.x + SIDE / 2, m.y + 3, m.x + SIDE / 2, m.y + SIDE - 3, 3) end,
}

-- ---------------------------------------------------------------- contestants

-- Each makes a world of a scene, and returns a function that runs one frame, and one that tells where all are. A mover
-- that is blocked goes back the way it came.
local function turn_back(m, moved_x, moved_y)
  if m.walks then
    if math.abs(moved_x) < math.abs(m.vx) / 4 then m.vx = -m.vx end
    return
  end
  if math.abs(moved_x - m.vx) > 1e-3 then m.vx = -m.vx end
  if math.abs(moved_y - m.vy) > 1e-3 then m.vy = -m.vy end
end

local function copy_of(movers)
  local list = {}
  for i, m in ipairs(movers) do list[i] = { x = m.x, y = m.y, vx = m.vx, vy = m.vy, walks = m.walks } end
  return list
end

-- The vertices of a tile: on slopes its top rises or falls with the column.
local function vertices_of(scene, tile)
  local x, y, column = tile[1], tile[2], tile[1] / TILE
  local left, right = 0, 0
  if scene.ground == "slopes" and tile[2] == tile[3].y then
    left, right = column % 2 * RISE, (column + 1) % 2 * RISE
  end
  return x, y - left, x + TILE, y - right, x + TILE, y + TILE, x, y + TILE
end

local function sat_world(scene, call)
  local world, movers, shapes, floors = sat.world(), copy_of(scene.movers), {}, {}
  for _, tile in ipairs(scene.tiles) do
    local shape = sat.polygon(vertices_of(scene, tile))
    local floor = scene.ground == "compounds" and tile[3]
    if floor then
      floors[floor] = floors[floor] or {}
      table.insert(floors[floor], shape)
    else
      world:add(shape:setStatic(true))
    end
  end
  for _, floor in ipairs(scene.floors or {}) do
    if floors[floor] then world:add(sat.compound(floors[floor]):setStatic(true)) end
  end
  for i, m in ipairs(movers) do shapes[i] = MAKE[scene.kind](m) end
  for i, m in ipairs(movers) do m.x, m.y = shapes[i]:center() end
  return function()
    for i = 1, #movers do
      local m = movers[i]
      local x, y = call(world, shapes[i], m.vx, m.vy)
      turn_back(m, x - m.x, y - m.y)
      m.x, m.y = x, y
    end
  end, movers
end

local function by_move(world, shape, dx, dy) return world:move(shape, dx, dy) end

-- The loop that games wrote before world:move: cast, advance, and slide along the surface, twice at most.
local function by_cast(world, shape, dx, dy)
  for _ = 1, 3 do
    local other, t, nx, ny = world:cast(shape, dx, dy)
    if not other then
      shape:move(dx, dy)
      break
    end
    shape:move(dx * t, dy * t)
    local _, px, py = other, (1 - t) * dx, (1 - t) * dy
    local along = px * nx + py * ny
    dx, dy = px - along * nx, py - along * ny
  end
  return shape:center()
end

local OURS = {
  { "sat move", by_move },
  { "sat check", function(world, shape, dx, dy) return world:check(shape, dx, dy) end },
  { "sat collide", function(world, shape, dx, dy)
    world:collide(shape)
    return shape:move(dx, dy):center()
  end },
  { "sat cast loop", by_cast },
}

-- bump's and slick's `move` alike: the frame, the movers, and how far their corners are from their centres.
local function frame_by(world, movers, elsewhere)
  local function slide(_, other) return not other.vx and "slide" or elsewhere end
  return function()
    for i = 1, #movers do
      local m = movers[i]
      local x, y = world:move(m, m.x + m.vx, m.y + m.vy, slide)
      turn_back(m, x - m.x, y - m.y)
      m.x, m.y = x, y
    end
  end, movers, SIDE / 2
end

local function bump_world(scene)
  local world, movers = bump.newWorld(4 * TILE), copy_of(scene.movers)
  for _, tile in ipairs(scene.tiles) do world:add({}, tile[1], tile[2], TILE, TILE) end
  for _, m in ipairs(movers) do world:add(m, m.x, m.y, SIDE, SIDE) end
  return frame_by(world, movers, nil)
end

local function slick_world(scene)
  local world, movers = slick.newWorld(COLUMNS * TILE, ROWS * TILE), copy_of(scene.movers)
  for _, tile in ipairs(scene.tiles) do
    world:add({}, 0, 0, slick.newPolygonShape { vertices_of(scene, tile) })
  end
  for _, m in ipairs(movers) do
    local shape = scene.kind == "circle" and slick.newCircleShape(SIDE / 2, SIDE / 2, SIDE / 2)
      or slick.newRectangleShape(0, 0, SIDE, SIDE)
    world:add(m, m.x, m.y, shape)
  end
  return frame_by(world, movers, false)
end

-- ---------------------------------------------------------------- comparing

-- How many movers are where ours are after some frames.
local function agreeing(scene, make, frames)
  local ours, own = sat_world(scene, by_move)
  local theirs, other, offset = make(scene)
  for _ = 1, frames do
    ours()
    theirs()
  end
  local count = 0
  for i, m in ipairs(own) do
    local dx, dy = m.x - other[i].x - (offset or 0), m.y - other[i].y - (offset or 0)
    if math.abs(dx) < 1e-6 and math.abs(dy) < 1e-6 then count = count + 1 end
  end
  return count
end

-- The bytes of a frame in which LuaJIT compiled nothing: the code of a trace counts as memory, too.
local function garbage_of(frame)
  local compiles, bytes
  local function note() compiles = true end
  for _ = 1, 100 do
    collectgarbage()
    collectgarbage "stop"
    compiles = false
    if jit then jit.attach(note, "trace") end
    local before = collectgarbage "count"
    frame()
    bytes = (collectgarbage "count" - before) * 1024
    if jit then jit.attach(note) end
    collectgarbage "restart"
    if not compiles then break end
  end
  return bytes
end

local function measure(movers, kind, ground)
  local scene = ground and make_storeys(movers, kind, ground) or make_scene(movers, kind)
  local list = {}
  for i, one in ipairs(OURS) do
    list[i] = { name = one[1], make = function(s) return sat_world(s, one[2]) end }
  end
  if bump and kind == "box" and (not ground or ground == "tiles") then
    list[#list + 1] = { name = "bump", make = bump_world, peer = true }
  end
  if slick and kind ~= "capsule" and movers <= 100 and (not ground or ground == "slopes") then
    list[#list + 1] = { name = "slick", make = slick_world, peer = true, moves = MOVES_OF_SLICK }
  end
  local passes = {}
  for i, one in ipairs(list) do
    local frames = one.moves and one.moves / movers or 20
    one.agree, one.after = one.peer and agreeing(scene, one.make, frames), frames
    one.frame = one.make(scene)
    for _ = 1, one.moves and frames or WARMING do one.frame() end
    passes[i] = function() for _ = 1, (one.moves or MOVES) / movers do one.frame() end end
  end
  for i, best in ipairs(common.least(ROUNDS, passes)) do list[i].best = best / ((list[i].moves or MOVES) / movers) end
  for _, one in ipairs(list) do
    print(("%5d %-8s %-10s %-14s %9.2f us a mover %7.2f times ours %9.0f bytes a frame%s"):format(movers, kind,
      ground or "flying", one.name, one.best / movers * 1e6, one.best / list[1].best, garbage_of(one.frame),
      one.agree and ("  %d of %d where ours are after %d frames"):format(one.agree, movers, one.after) or ""))
  end
end

print(("%d tiles; %s; %d moves a round, the least of %d rounds"):format(TILES, common.version, MOVES, ROUNDS))
if not bump then print "bump is not found, so it takes no part" end
if not slick then print "slick is not found, or this is not LuaJIT, so it takes no part" end
for _, movers in ipairs { 100, 1000 } do
  for _, ground in ipairs { "flying", "tiles", "compounds", "slopes" } do
    for _, kind in ipairs { "box", "circle", "capsule" } do
      if not (arg and arg[1]) or arg[1] == ground then measure(movers, kind, ground ~= "flying" and ground) end
    end
  end
end
