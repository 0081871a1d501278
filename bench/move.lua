-- move.lua: movers that slide among tiles by world:move, beside bump's and slick's move where these are found.
--
--   move.lua            the table; results are compared before anything is timed. Movers fly among single tiles, or are
--                       pressed down and walk on floors of tiles, on floors that are a compound each, or on slopes
--   move.lua tiles      the rows of one scene: flying, tiles, compounds or slopes
--   move.lua --floors   walks over floors cut into pieces, against the same floor in one piece, for each library
--   move.lua --faults   counts what makes shapes stick, sink, flicker and slip through; all but the way at a seam is 0
--
-- slick takes part on LuaJIT alone, where it is quickest, with few that fly and few on slopes: on floors it takes
-- minutes. All times are of whole frames, the least of some rounds in which all contestants take turns. A round has as
-- many moves for few movers as for many, so that the collector takes its share of each: in sixty frames of a hundred
-- movers bump leaves less garbage than it takes to begin a collection.

io.stdout:setvbuf "line"

local sat = require "sat"
local function find(name)
  local found, module = pcall(require, name)
  return found and module or nil
end
local jit = rawget(_G, "jit")
local bump, slick = find "bump", jit and find "slick"

local TILE, COLUMNS, ROWS = 16, 400, 250
local TILES = 20000
local MOVES, ROUNDS, WARMING = 60000, 5, 10 -- moves a round and contestant; rounds; frames before the first round
local MOVES_OF_SLICK = 500 -- which take as long

-- Park and Miller, Random number generators: good ones are hard to find, 1988.
local seed
local function between(low, high)
  seed = seed * 16807 % 2147483647
  return low + (high - low) * seed / 2147483647
end

-- ---------------------------------------------------------------- the scene

local SIDE = 10

local STOREY, RISE = 5, 4 -- rows from floor to floor, and how far slopes rise within a column

-- Floors from wall to wall, TILES tiles with what stands on them, and movers on the floors.
local function make_storeys(movers, kind, ground)
  seed = 5
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
  seed = 5
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

local function bump_world(scene)
  local world, movers = bump.newWorld(4 * TILE), copy_of(scene.movers)
  for _, tile in ipairs(scene.tiles) do world:add({}, tile[1], tile[2], TILE, TILE) end
  for _, m in ipairs(movers) do world:add(m, m.x, m.y, SIDE, SIDE) end
  local function slide(_, other) return not other.vx and "slide" or nil end
  return function()
    for i = 1, #movers do
      local m = movers[i]
      local x, y = world:move(m, m.x + m.vx, m.y + m.vy, slide)
      turn_back(m, x - m.x, y - m.y)
      m.x, m.y = x, y
    end
  end, movers, SIDE / 2
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
  local function slide(_, other) return not other.vx and "slide" or false end
  return function()
    for i = 1, #movers do
      local m = movers[i]
      local x, y = world:move(m, m.x + m.vx, m.y + m.vy, slide)
      turn_back(m, x - m.x, y - m.y)
      m.x, m.y = x, y
    end
  end, movers, SIDE / 2
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

local function time_of(frame, frames)
  local start = os.clock()
  for _ = 1, frames do frame() end
  return (os.clock() - start) / frames
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
  local list = {
    { name = "sat move", make = function(s) return sat_world(s, by_move) end },
    { name = "sat check", make = function(s)
      return sat_world(s, function(w, shape, dx, dy) return w:check(shape, dx, dy) end)
    end },
    { name = "sat collide", make = function(s)
      return sat_world(s, function(w, shape, dx, dy)
        w:collide(shape)
        return shape:move(dx, dy):center()
      end)
    end },
    { name = "sat cast loop", make = function(s) return sat_world(s, by_cast) end },
  }
  if bump and kind == "box" and (not ground or ground == "tiles") then
    list[#list + 1] = { name = "bump", make = bump_world, peer = true }
  end
  if slick and kind ~= "capsule" and movers <= 100 and (not ground or ground == "slopes") then
    list[#list + 1] = { name = "slick", make = slick_world, peer = true, moves = MOVES_OF_SLICK }
  end
  for _, one in ipairs(list) do
    local frames = one.moves and one.moves / movers or 20
    one.agree, one.after = one.peer and agreeing(scene, one.make, frames), frames
    one.frame, one.best = one.make(scene), math.huge
    for _ = 1, one.moves and frames or WARMING do one.frame() end
  end
  for _ = 1, ROUNDS do
    for _, one in ipairs(list) do
      one.best = math.min(one.best, time_of(one.frame, (one.moves or MOVES) / movers))
    end
  end
  for _, one in ipairs(list) do
    print(("%5d %-8s %-10s %-14s %9.2f us a mover %7.2f times ours %9.0f bytes a frame%s"):format(movers, kind,
      ground or "flying", one.name, one.best / movers * 1e6, one.best / list[1].best, garbage_of(one.frame),
      one.agree and ("  %d of %d where ours are after %d frames"):format(one.agree, movers, one.after) or ""))
  end
end

-- ---------------------------------------------------------------- floors in pieces

-- The floor is the upper side of the row ROW of tiles, and the mover's sides are WIDTH and HEIGHT tiles: where tiles
-- are no whole numbers, the difference of both coordinates has rounding.
local WALKS, STEPS, COLUMNS_OF_FLOOR = 60, 60, 40
local WALKS_OF_SLICK = 12 -- which take minutes
local WIDTH, HEIGHT, ROW = 0.6, 0.9, 10

-- Walks to the right over a floor, pressed down, and tells where the walk ends.
local function walk_sat(size, pieces, kind, angle)
  local world, top = sat.world(), ROW * size
  for i = 0, pieces - 1 do
    local from, to = i * COLUMNS_OF_FLOOR / pieces * size, (i + 1) * COLUMNS_OF_FLOOR / pieces * size
    world:add(sat.polygon(from, top, to, top, to, top + size, from, top + size):rotate(angle, 0, 0):setStatic(true))
  end
  local w, h = WIDTH * size, HEIGHT * size
  local shape = kind == "box" and sat.rectangle(size, top - h - 5, w, h)
    or sat.circle(size + h / 2, top - h / 2 - 5, h / 2)
  shape:rotate(angle, 0, 0)
  local c, s = math.cos(angle), math.sin(angle)
  local x, y
  for _ = 1, STEPS do
    local vx, vy = between(0, 5), between(0, 3)
    x, y = world:move(shape, c * vx - s * vy, s * vx + c * vy)
  end
  return x, y
end

local function walk_bump(size, pieces)
  local world, item = bump.newWorld(64), {}
  for i = 0, pieces - 1 do
    local width = COLUMNS_OF_FLOOR / pieces * size
    world:add({}, i * width, ROW * size, width, size)
  end
  local w, h = WIDTH * size, HEIGHT * size
  local x, y = size, ROW * size - h - 5
  world:add(item, x, y, w, h)
  for _ = 1, STEPS do x, y = world:move(item, x + between(0, 5), y + between(0, 3)) end
  return x, y
end

local function walk_slick(size, pieces, kind, angle)
  local world, item = slick.newWorld(4000, 4000, { quadTreeX = -2000, quadTreeY = -2000 }), {}
  local c, s = math.cos(angle), math.sin(angle)
  local function turned(x, y) return c * x - s * y, s * x + c * y end
  local top, w, h = ROW * size, WIDTH * size, HEIGHT * size
  for i = 0, pieces - 1 do
    local from, to = i * COLUMNS_OF_FLOOR / pieces * size, (i + 1) * COLUMNS_OF_FLOOR / pieces * size
    local points = {}
    for _, p in ipairs { { from, top }, { to, top }, { to, top + size }, { from, top + size } } do
      points[#points + 1], points[#points + 2] = turned(p[1], p[2])
    end
    world:add({}, 0, 0, slick.newPolygonShape(points))
  end
  local x, y = turned(size + h / 2, top - h / 2 - 5)
  world:add(item, x, y, kind == "circle" and slick.newCircleShape(0, 0, h / 2)
    or slick.newRectangleShape(-w / 2, -h / 2, w, h))
  for _ = 1, STEPS do
    local vx, vy = between(0, 5), between(0, 3)
    x, y = world:move(item, x + c * vx - s * vy, y + s * vx + c * vy)
  end
  return x, y
end

local function count_walks(name, walk, kind, angle)
  local walks = name == "slick" and WALKS_OF_SLICK or WALKS
  for _, size in ipairs { 16, 17.3 } do
    local differ = 0
    for i = 1, walks do
      seed = i
      local x, y = walk(size, 1, kind, angle)
      seed = i
      local x2, y2 = walk(size, COLUMNS_OF_FLOOR, kind, angle)
      local scale = COLUMNS_OF_FLOOR * size
      if not (math.abs(x - x2) <= 1e-9 * scale and math.abs(y - y2) <= 1e-9 * scale) then differ = differ + 1 end
    end
    print(("%-6s %-7s tiles of %-5g turned by %-4g %3d of %d walks differ"):format(name, kind, size, angle, differ,
      walks))
  end
end

-- ---------------------------------------------------------------- faults of movers, counted

-- Landings after which a cast away from the floor or along it says that there is no way, t = 0.
local function held_after_landing(make, angle)
  local world, held = sat.world():add(sat.rectangle(-5000, 0, 10000, 50):rotate(angle, 0, 0)), 0
  local c, s = math.cos(angle), math.sin(angle)
  for _ = 1, 1000 do
    local shape = make(between(-500, 500), between(-200, -50)):rotate(angle, 0, 0)
    local down, side = between(200, 400), between(-60, 60)
    local other, t = world:cast(shape, c * side - s * down, s * side + c * down)
    shape:move(t * (c * side - s * down), t * (s * side + c * down))
    local _, away = world:cast(shape, s * 10, -c * 10)
    local _, along = world:cast(shape, c * 10, s * 10)
    if not other or away == 0 or along == 0 then held = held + 1 end
  end
  return held
end

local function box_at(x, y) return sat.rectangle(x, y, 12, 20) end
local function capsule_at(x, y) return sat.capsule(x, y, x, y + 10, 6) end

-- How often a circle that is pressed on a slope begins to touch it in 480 frames of pushes and updates.
local function beginnings()
  local slope, circle = sat.polygon(-500, 200, 500, -100, 500, 300), sat.circle(-100, 40, 8)
  local world, count = sat.world():add(slope, circle), 0
  slope:setStatic(true)
  for frame = 1, 480 do
    circle:move(0.1, 1)
    local dx, dy = world:collide(circle)
    if dx then circle:move(dx, dy) end
    local began = world:update()
    if frame > 60 then count = count + began end
  end
  return count
end

-- Frames in the air of a box that is pressed on tiles and pushed out of each within a loop over collisions.
local function frames_in_air()
  local world, box, air = sat.world(), sat.rectangle(20, 60, 12, 20), 0
  for column = 0, 199 do world:add(sat.rectangle(column * 16, 100, 16, 16):setStatic(true)) end
  world:add(box)
  local vy, landed, frames = 0, false, 0
  for _ = 1, 900 do
    vy = vy + 0.2
    box:move(2, vy)
    local grounded = false
    for _, dx, dy in world:collisions(box) do
      box:move(dx, dy)
      if dy < 0 then grounded, vy = true, 0 end
    end
    landed = landed or grounded
    local _, y, _, h = box:bounds()
    if landed then
      frames = frames + 1
      if y + h < 100 - 1e-6 then air = air + 1 end
    end
  end
  return air, frames
end

-- Steps of 100 in which `separate` holds back a box that walks over tiles, and the way out at a seam.
local function held_by_separate(direction)
  local world, box, held = sat.world(), sat.rectangle(1600, 80, 12, 20), 0
  for column = 0, 249 do world:add(sat.rectangle(column * 16, 100, 16, 16):setStatic(true)) end
  world:add(box)
  for _ = 1, 100 do
    local x = box:center()
    box:move(direction * 2.3, 3)
    world:separate(1)
    if math.abs(box:center() - x - direction * 2.3) > 1e-9 then held = held + 1 end
  end
  return held
end

local function way_at_seam()
  local box = sat.rectangle(17, 70, 60, 60) -- 15 over the seam at 32, and 30 deep
  local world = sat.world():add(sat.rectangle(0, 100, 32, 40):setStatic(true),
    sat.rectangle(32, 100, 100, 40):setStatic(true), box)
  local x, y = box:center()
  world:separate(1)
  local x2, y2 = box:center()
  return x2 - x, y2 - y
end

-- Rays, points and casts of points, of 100 each, that pass along the seam of two tiles.
local function passed_through_seams()
  local passed = 0
  for i = 1, 100 do
    local x, size = i * 17.3, 17.3
    local world = sat.world():add(sat.rectangle(x - size, 0, size, size), sat.rectangle(x, 0, size, size))
    if not world:raycast(x, -10, x, 40) then passed = passed + 1 end
    if not world:cast(sat.point(x, -10), 0, 50) then passed = passed + 1 end
    local _, y = world:check(sat.point(x, -10), 0, 50)
    if y > 0 then passed = passed + 1 end
  end
  return passed
end

-- Frames of 1000 in which the way out of a floor, a compound of tiles, leads sideways.
local function sideways()
  local parts, count = {}, 0
  for column = 0, 63 do parts[column + 1] = sat.rectangle(column * 17.3, 100.1, 17.3, 17.3) end
  local floor = sat.compound(parts)
  for _ = 1, 1000 do
    local dx = sat.rectangle(between(50, 900), 90.1, 10, 10 + between(0, 3)):collide(floor)
    if dx and dx ~= 0 then count = count + 1 end
  end
  return count
end

-- How deep six circles that follow a player press it into a wall, at most, in 300 frames.
local function pressed_into_wall()
  local player, wall = sat.circle(10, 0, 10), sat.rectangle(-40, -300, 40, 600):setStatic(true)
  local world, others, deepest = sat.world():add(wall, player), {}, 0
  for i = 1, 6 do others[i] = sat.circle(60 + 12 * i, 10 * i - 30, 10) end
  world:add(others)
  for _ = 1, 300 do
    local px, py = player:center()
    for _, other in ipairs(others) do
      local x, y = other:center()
      local way = math.sqrt((px - x) ^ 2 + (py - y) ^ 2)
      other:move(2 * (px - x) / way, 2 * (py - y) / way)
    end
    world:separate(4)
    local _, _, depth = player:collide(wall)
    deepest = math.max(deepest, depth or 0)
  end
  return deepest
end

-- The first hit of a ray from the centre of a shape, without that shape.
local function hits_itself()
  local player, wall = sat.circle(0, 0, 10), sat.rectangle(50, -10, 10, 20)
  local world = sat.world():add(player, wall)
  return world:raycast(0, 0, 100, 0, player) == player
end

-- Sensors of 100 that fast shapes jump over.
local function sensors_jumped_over()
  local missed = 0
  for _ = 1, 100 do
    local world = sat.world():add(sat.rectangle(between(20, 900), -50, 1, 100):setSensor(true))
    local _, _, n = world:move(sat.circle(0, 0, 2), 1000, 0)
    if n == 0 then missed = missed + 1 end
  end
  return missed
end

local function count_faults()
  seed = 7
  local function tell(what, ...) print(("%-78s %s"):format(what, table.concat({ ... }, ", "))) end
  tell("landings of 1000 that a cast away from the floor or along it calls stuck: box", held_after_landing(box_at, 0))
  tell("  capsule", held_after_landing(capsule_at, 0))
  tell("  box and capsule on a slope of 0.4", held_after_landing(box_at, 0.4), held_after_landing(capsule_at, 0.4))
  tell("beginnings of a circle pressed on a slope, after 60 frames of 480", beginnings())
  local air, frames = frames_in_air()
  tell("frames in which a box on tiles, pushed in the loop over collisions, is in the air", air .. " of " .. frames)
  tell("steps of 100 over tiles that `separate` holds back: to the left, to the right", held_by_separate(-1),
    held_by_separate(1))
  tell("the way of `separate` at a seam, where 30 up is the way out of both tiles", way_at_seam())
  tell("rays, casts and moves of points of 300 that pass along the seam of two tiles", passed_through_seams())
  tell("ways out of a floor, a compound of tiles, of 1000 that lead sideways", sideways())
  tell("how deep six circles press a player into a wall, by `separate(4)`", pressed_into_wall())
  tell("rays from a shape's centre that hit it, where `who` is the shape", hits_itself() and 1 or 0)
  tell("sensors of 100 that a fast shape jumps over", sensors_jumped_over())
end

if arg and arg[1] == "--faults" then
  count_faults()
  return
end
if arg and arg[1] == "--floors" then
  for _, angle in ipairs { 0, 0.3, -0.5, 0.7, 1.1 } do
    for _, kind in ipairs { "box", "circle" } do count_walks("sat", walk_sat, kind, angle) end
  end
  if bump then count_walks("bump", walk_bump, "box", 0) end
  for _, angle in ipairs(slick and { 0, 0.3 } or {}) do
    for _, kind in ipairs { "circle", "box" } do count_walks("slick", walk_slick, kind, angle) end
  end
  return
end

print(("%d tiles; %s; %d moves a round, the least of %d rounds"):format(TILES,
  rawget(_G, "jit") and rawget(_G, "jit").version or _VERSION, MOVES, ROUNDS))
if not bump then print "bump is not found, so it takes no part" end
if not slick then print "slick is not found, or this is not LuaJIT, so it takes no part" end
for _, movers in ipairs { 100, 1000 } do
  for _, ground in ipairs { "flying", "tiles", "compounds", "slopes" } do
    for _, kind in ipairs { "box", "circle", "capsule" } do
      if not (arg and arg[1]) or arg[1] == ground then measure(movers, kind, ground ~= "flying" and ground) end
    end
  end
end
