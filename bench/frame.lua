-- frame.lua: whole frames of a game from Lua, and what else such a game asks of a world, beside HC and bump where they
-- are found, and love.physics inside LÖVE.
--
--   frame.lua [times.csv]          on this Lua; LuaJIT goes on with its compiler off, and inside LÖVE
--   frame.lua --alone [times.csv]  on this Lua, and that is all
--
-- The times are written to a table, and to that file or one in the build folder.

local SIZES = { 100, 1000, 5000, 10000, 50000 }
local WARMING = { [100] = 60, [1000] = 10 } -- frames before the timed ones, else so many:
local FEWEST_WARMING = 3
local FRAMES = { [100] = 400, [1000] = 60, [5000] = 12, [10000] = 8, [50000] = 3 } -- that are timed
local LONGEST = 3  -- seconds of one contestant's frames in one round
local LEAST = 0.01 -- who overlaps by less, as those do that have just been pushed apart, is let be
local SPACING = 21 -- the root of the area that a shape has for itself
local MANY = 10000
local QUESTIONS, RAY, WINDOW = 2000, 300, 100
local ROUNDS = 3
local CELLS = { 24, 32, 40, 64 } -- of HC's and bump's grids; the best one counts

local common = dofile "bench/lib/common.lua"
local JIT, between = common.jit, common.between
local unpack, load_text = common.unpack, rawget(_G, "loadstring") or load

local is_alone = arg[1] == "--alone"

local sat = require "sat"
local HC, bump = common.find "HC", common.find "bump"
local physics = common.love and common.love.physics
local compiles = JIT and JIT.status()
local lua = common.version .. (JIT and not compiles and ", compiler off" or "")

-- ---------------------------------------------------------------- the scene

local KINDS = {
  function(x, y) return sat.circle(x, y, between(6, 12)) end,
  function(x, y)
    local w, h = between(10, 22), between(10, 22)
    return sat.rectangle(x - w / 2, y - h / 2, w, h, between(0, 6))
  end,
}
for k, corners in ipairs { 3, 5, 6, 8 } do
  local least = k == 1 and 7 or 6
  KINDS[k + 2] = function(x, y) return sat.regular(x, y, between(least, 2 * least), corners, between(0, 6)) end
end

-- What every contestant makes its own shapes of: a circle, or a ring of vertices.
local function describe(shape)
  local x, y = shape:center()
  local one = { x = x, y = y, box = { shape:bounds() } }
  if shape:kind() == "circle" then
    one.radius = shape:radius()
    return one
  end
  one.ring, one.around = { shape:unpack() }, {} -- in the world, and about the centre
  for k = 1, #one.ring, 2 do
    one.around[k], one.around[k + 1] = one.ring[k] - x, one.ring[k + 1] - y
  end
  return one
end

-- The ways of all shapes in one frame: lists, so that looking them up costs all alike.
local function add_ways(scene)
  scene.dx, scene.dy, scene.turn = {}, {}, {}
  for i = 1, scene.count do
    scene.dx[i], scene.dy[i], scene.turn[i] = between(-1, 1), between(-1, 1), between(-0.03, 0.03)
  end
end

-- Which way the shapes go in a frame: to and fro, so that none gets lost.
local function sign_of(frame) return frame % 32 < 16 and 1 or -1 end

-- Pushed apart before anything is timed, since games do not begin in a heap.
local function make_scene(count)
  common.seed(1)
  local scene, width = { count = count }, SPACING * math.sqrt(count)
  local world, shapes = sat.world(), {}
  for i = 1, count do
    shapes[i] = KINDS[(i - 1) % #KINDS + 1](between(0, width), between(0, width))
    world:add(shapes[i])
  end
  add_ways(scene)
  for frame = 1, 64 do
    local sign = sign_of(frame)
    for i, shape in ipairs(shapes) do
      shape:move(sign * scene.dx[i], sign * scene.dy[i]):rotate(sign * scene.turn[i])
    end
    world:separate()
  end
  scene.width = width
  for i, shape in ipairs(shapes) do scene[i] = describe(shape) end
  world:release()
  return scene
end

-- ---------------------------------------------------------------- what each makes of it

local function sat_world(scene)
  local world, shapes = sat.world(), {}
  for i, one in ipairs(scene) do
    shapes[i] = one.radius and sat.circle(one.x, one.y, one.radius) or sat.polygon(one.ring)
    world:add(shapes[i])
  end
  return world, shapes
end

local function hc_world(scene, cell)
  local world, shapes = HC.new(cell), {}
  for i, one in ipairs(scene) do
    shapes[i] = one.radius and world:circle(one.x, one.y, one.radius) or world:polygon(unpack(one.ring))
  end
  return world, shapes
end

-- Boxes only: the bounds of the shapes.
local function bump_world(scene, cell)
  local world, items = bump.newWorld(cell), {}
  for i, one in ipairs(scene) do
    items[i] = { x = one.box[1], y = one.box[2] }
    world:add(items[i], unpack(one.box))
  end
  return world, items
end

local function physics_world(scene)
  local world, bodies = physics.newWorld(0, 0, false), {}
  for i, one in ipairs(scene) do
    bodies[i] = physics.newBody(world, one.x, one.y, "dynamic")
    physics.newFixture(bodies[i],
      one.radius and physics.newCircleShape(one.radius) or physics.newPolygonShape(unpack(one.around)))
  end
  return world, bodies
end

-- ---------------------------------------------------------------- frames

-- A function of its own text for each contestant, so that what LuaJIT learns from one does not hold for another: code
-- in Lua that is run for each shape a, and code after them.
local FRAME = [[
  local world, shapes, scene, sign_of, least = ...
  local count, dx, dy, turn = scene.count, scene.dx, scene.dy, scene.turn
  return function(frame)
    local sign = sign_of(frame)
    for i = 1, count do
      local a = shapes[i]
      %s
    end
    %s
  end]]
local function compile(each, all, world, shapes, scene)
  return assert(load_text(FRAME:format(each, all or "")))(world, shapes, scene, sign_of, LEAST)
end

-- Makes of a scene a function of the frame's number, and perhaps one that is not timed before it.
local function frame_of(make, each, all)
  return function(scene, cell)
    local world, shapes = make(scene, cell)
    return compile(each, all, world, shapes, scene)
  end
end

local MOVE = "a:move(sign * dx[i], sign * dy[i]):rotate(sign * turn[i])"
local one_call = frame_of(sat_world, MOVE, "world:separate()")
local pair_by_pair = frame_of(sat_world, MOVE, [[
  for a, b, x, y, depth in world:collisions() do
    if depth > least then
      a:move(x / 2, y / 2)
      b:move(-x / 2, -y / 2)
    end
  end]])
-- As one writes it who comes from HC.
local shape_by_shape = frame_of(sat_world, MOVE, [[
  for i = 1, count do
    local a = shapes[i]
    for b, x, y, depth in world:collisions(a) do
      if depth > least then
        a:move(x / 2, y / 2)
        b:move(-x / 2, -y / 2)
      end
    end
  end]])
local hc_frame = frame_of(hc_world, [[
  a:move(sign * dx[i], sign * dy[i])
  a:rotate(sign * turn[i])
  for b, way in pairs(world:collisions(a)) do
    if way.x * way.x + way.y * way.y > least * least then
      a:move(way.x / 2, way.y / 2)
      b:move(-way.x / 2, -way.y / 2)
    end
  end]])
local bump_frame = frame_of(bump_world, "a.x, a.y = world:move(a, a.x + sign * dx[i], a.y + sign * dy[i])")

-- Bodies get back between the frames the speed that they lose where they meet.
local function physics_frame(scene)
  local world, bodies = physics_world(scene)
  return function() world:update(1 / 60) end, compile([[
    a:setLinearVelocity(60 * sign * dx[i], 60 * sign * dy[i])
    a:setAngularVelocity(60 * sign * turn[i])]], nil, world, bodies, scene), world
end

local function physics_frame_with_contacts(scene)
  local update, before, world = physics_frame(scene)
  local sum = 0
  return function()
    update()
    for _, contact in ipairs(world:getContacts()) do
      if contact:isTouching() then
        local a, b = contact:getFixtures()
        local x, y = contact:getNormal()
        if a ~= b then sum = sum + x + y end
      end
    end
  end, before
end

-- A peer may have several widths of cells, of which the best one at 1000 shapes counts.
local function frame_contestants()
  local list = {}
  local function add(name, module, make, cells)
    if module then list[#list + 1] = { name = name, make = make, cells = cells } end
  end
  add("sat one call", sat, one_call)
  add("sat pair by pair", sat, pair_by_pair)
  add("sat shape by shape", sat, shape_by_shape)
  add("HC", HC, hc_frame, CELLS)
  add("bump", bump, bump_frame, CELLS)
  add("love.physics", physics, physics_frame)
  add("love.physics + contacts", physics, physics_frame_with_contacts)
  return list
end

-- ---------------------------------------------------------------- timing

-- A contestant has the heap to itself, so that what the collector does is its own fault, and the compiler anew.
local function clean()
  if compiles then JIT.flush() end
  collectgarbage()
  collectgarbage()
end

-- A function that does the frame of a number, with what is not timed before it, after it has been warmed.
local function warm(one, scene)
  clean()
  local frame, before = one.make(scene, one.cell)
  local warming = WARMING[scene.count] or FEWEST_WARMING
  for i = 1, warming do
    if before then before(i) end
    frame(i)
  end
  collectgarbage()
  collectgarbage()
  return function(i)
    if before then before(warming + i) end
    local start = os.clock()
    frame(warming + i)
    return os.clock() - start
  end
end

-- Milliseconds of a frame.
local function time_frames(one, scene, frames)
  local run, taken, done = warm(one, scene), 0, 0
  while done < frames and taken <= LONGEST do
    done = done + 1
    taken = taken + run(done)
  end
  return taken * 1000 / done
end

local function garbage_of(one, scene) return common.garbage(warm(one, scene)) end

-- Microseconds of a call, the least of some rounds.
local function time_calls(call, times, rounds)
  clean()
  return common.least(rounds or 5, { function() for i = 1, times do call(i) end end })[1] * 1e6 / times
end

-- ---------------------------------------------------------------- what is told

local csv

-- Writes a row: our contestants with their times and how many times as long each peer takes. A contestant has a name
-- and a value, and may have a width of its cells, the bytes that it leaves, how many it has found, and a note.
local function write_row(title, unit, row, n, list)
  local peers, line = {}, ("%-36s %10s %11s"):format(title, unit, "")
  for _, one in ipairs(list) do
    csv:write(("%s,%s,%d,%s,%s,%.5g,%s,%s,%s\n"):format(lua:gsub(",", ""), row, n, one.name,
      one.cell and "cells of " .. one.cell or "", one.value, unit, one.bytes and ("%.0f"):format(one.bytes) or "",
      one.found or ""))
    one.is_ours = one.name:find "^sat"
    if not one.is_ours then
      peers[#peers + 1] = one
      line = line .. "  " .. one.name
    end
  end
  print(line)
  for _, one in ipairs(list) do
    line = ("  %-34s %10.4g %11s"):format(one.name, one.value, one.note or "")
    for _, peer in ipairs(one.is_ours and peers or {}) do
      line = line .. ("  %" .. #peer.name .. "s"):format(("%.3gx"):format(peer.value / one.value))
    end
    print(line)
  end
end

-- ---------------------------------------------------------------- frames

local function choose_cells(contestants)
  local scene = make_scene(1000)
  for _, one in ipairs(contestants) do
    local least, best = math.huge, nil
    for _, cell in ipairs(one.cells or {}) do
      one.cell = cell
      local ms = time_frames(one, scene, 20)
      if ms < least then best, least = cell, ms end
    end
    one.cell = best
    if best then print(("%s: cells of %d"):format(one.name, best)) end
  end
end

local function bytes_text(bytes)
  return bytes < 10000 and ("%.0f B"):format(bytes) or ("%.0f kB"):format(bytes / 1024)
end

local function time_all_frames(contestants, count)
  local scene = make_scene(count)
  for _, one in ipairs(contestants) do one.value = math.huge end
  for _ = 1, ROUNDS do
    for _, one in ipairs(contestants) do one.value = math.min(one.value, time_frames(one, scene, FRAMES[count])) end
  end
  for _, one in ipairs(contestants) do
    one.bytes = count <= MANY and garbage_of(one, scene)
    one.note = one.bytes and bytes_text(one.bytes)
  end
  write_row(("a frame of %d shapes"):format(count), "ms", "frame", count, contestants)
end

-- ---------------------------------------------------------------- questions

-- Each contestant's answers to the four questions return how many were found. Rays go up and to the left, since HC
-- finds nothing along others.

local function ask_sat(scene)
  local world, out = sat_world(scene), {}
  world:count()
  return {
    point = function(x, y) return select(2, world:at(x, y, out)) end,
    ["first along a ray"] = function(x, y, x2, y2) return world:raycast(x, y, x2, y2) and 1 or 0 end,
    ["all along a ray"] = function(x, y, x2, y2) return select(2, world:raycastAll(x, y, x2, y2, out)) end,
    box = function(x, y) return select(2, world:query(x, y, WINDOW, WINDOW, out)) end,
  }
end

-- The two that find all along a ray, whichever is asked for.
local function with_rays(cast, point, box)
  local function first(x, y, x2, y2) return math.min(cast(x, y, x2, y2), 1) end
  return { point = point, ["first along a ray"] = first, ["all along a ray"] = cast, box = box }
end

local function ask_hc(scene)
  local world = hc_world(scene, 40)
  local function count(found)
    local n = 0
    for _ in pairs(found) do n = n + 1 end
    return n
  end
  return with_rays(
    function(x, y, x2, y2) return count(world:raycast(x, y, (x2 - x) / RAY, (y2 - y) / RAY, RAY)) end,
    function(x, y) return count(world:shapesAt(x, y)) end,
    function(x, y)
      local n = 0
      for shape in pairs(world:hash():inSameCells(x, y, x + WINDOW, y + WINDOW)) do
        local left, top, right, bottom = shape:bbox()
        if left <= x + WINDOW and top <= y + WINDOW and right >= x and bottom >= y then n = n + 1 end
      end
      return n
    end)
end

local function ask_bump(scene)
  local world = bump_world(scene, 40)
  return with_rays(
    function(x, y, x2, y2) return select(2, world:querySegment(x, y, x2, y2)) end,
    function(x, y) return select(2, world:queryPoint(x, y)) end,
    function(x, y) return select(2, world:queryRect(x, y, WINDOW, WINDOW)) end)
end

local function ask_physics(scene)
  local world = physics_world(scene)
  world:update(1e-9)
  local count, px, py
  local function hold(fixture)
    if fixture:testPoint(px, py) then count = count + 1 end
    return true
  end
  local function take()
    count = count + 1
    return true
  end
  local function clip(_, _, _, _, _, fraction)
    count = 1
    return fraction
  end
  local function pass()
    count = count + 1
    return 1
  end
  local function cast(call) return function(x, y, x2, y2)
    count = 0
    world:rayCast(x, y, x2, y2, call)
    return count
  end end
  local function look(call, side) return function(x, y)
    count, px, py = 0, x, y
    world:queryBoundingBox(x, y, x + side, y + side, call)
    return count
  end end
  return { point = look(hold, 0), ["first along a ray"] = cast(clip), ["all along a ray"] = cast(pass),
    box = look(take, WINDOW) }
end

local KINDS_OF_QUESTIONS = { "point", "first along a ray", "all along a ray", "box" }

local function make_places(width)
  local places = {}
  for i = 1, QUESTIONS do
    local x, y, angle = between(0, width), between(0, width), between(0.05, math.pi / 2 - 0.05)
    places[i] = { x, y, x - RAY * math.cos(angle), y - RAY * math.sin(angle) }
  end
  return places
end

-- Each library makes its world of a scene and answers questions; a first one has it do the work that it puts off.
local LIBRARIES = {}
local function add_library(name, module, make, ask, first)
  if module then LIBRARIES[#LIBRARIES + 1] = { name = name, make = make, ask = ask, first = first } end
end
add_library("sat", sat, sat_world, ask_sat, function(world) world:at(0, 0) end)
add_library("HC", HC, hc_world, ask_hc, function(world) world:shapesAt(0, 0) end)
add_library("bump", bump, bump_world, ask_bump, function(world) world:queryPoint(0, 0) end)
add_library("love.physics", physics, physics_world, ask_physics,
  function(world) world:queryBoundingBox(0, 0, 1, 1, function() return true end) end)

local function time_questions()
  local scene, rows = make_scene(MANY), {}
  local places = make_places(scene.width)
  for _, library in ipairs(LIBRARIES) do
    local ask = library.ask(scene)
    for k, kind in ipairs(KINDS_OF_QUESTIONS) do
      local call, found = ask[kind], 0
      for _, place in ipairs(places) do found = found + call(place[1], place[2], place[3], place[4]) end
      local us = time_calls(function(i)
        local place = places[i]
        call(place[1], place[2], place[3], place[4])
      end, QUESTIONS, 2 * ROUNDS + 1)
      rows[k] = rows[k] or {}
      table.insert(rows[k], { name = library.name, value = us, found = found, note = found .. " found" })
    end
  end
  for k, kind in ipairs(KINDS_OF_QUESTIONS) do
    write_row(("%s, among %d shapes"):format(kind, MANY), "us", kind, MANY, rows[k])
  end
end

local function time_building()
  local scene, passes = make_scene(MANY), {}
  for i, library in ipairs(LIBRARIES) do
    passes[i] = function() library.first((library.make(scene, 40))) end
  end
  for i, least in ipairs(common.least(2 * ROUNDS + 1, passes, clean)) do LIBRARIES[i].value = least * 1000 end
  write_row(("making a world of %d shapes"):format(MANY), "ms", "build", MANY, LIBRARIES)
end

local function time_rest()
  local scene = make_scene(MANY)
  local world, shapes = sat_world(scene)
  local move, frame = compile(MOVE, nil, world, shapes, scene), 0
  local function move_on()
    frame = frame + 1
    move(frame)
  end
  local function update() world:update() end
  local moving = common.least(4 * ROUNDS + 4, { update }, move_on)[1] * 1e6
  write_row(("update() of %d shapes"):format(MANY), "us", "update", MANY, {
    { name = "sat when all have moved", value = moving }, { name = "sat at rest", value = time_calls(update, 10000) },
  })
end

-- ---------------------------------------------------------------- here and elsewhere

local function contest(path)
  csv = assert(io.open(path, "w"))
  csv:write "lua,row,n,contestant,way,value,unit,bytes,found\n"
  print("\nframes from " .. lua)
  local contestants = frame_contestants()
  choose_cells(contestants)
  for _, count in ipairs(SIZES) do time_all_frames(contestants, count) end
  time_questions()
  time_building()
  time_rest()
  csv:close()
end

local function main()
  local path, folder = arg[is_alone and 2 or 1], (os.getenv "BUILD" or "build") .. "/bench"
  os.execute("mkdir -p " .. folder)
  local name = JIT and "luajit" or "lua" .. _VERSION:match "%d%.%d"
  contest(path or ("%s/frame-%s.csv"):format(folder, name))
  if not compiles or is_alone then return end
  io.stdout:flush()
  os.execute(("%s -joff %s --alone %s/frame-luajit-joff.csv"):format(arg[-1], arg[0], folder))
  common.run_in_love("frame", "physics", "--alone", folder .. "/frame-love.csv")
end

main()
