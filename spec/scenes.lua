-- Random scenes for the specs of motion: lists of descriptions, so that the same scene can be built in another order,
-- mirrored, turned by quarters, or shifted.
--
-- A description has a kind, its points, and what its constructor takes besides. A frame is a function that maps a
-- point; it keeps lengths and, where `mirrored` is true, turns the order of vertices round.
local sat = require "sat"

local scenes = {}

-- ---------------------------------------------------------------- frames

local function frame(a, b, c, d, dx, dy)
  return {
    mirrored = a * d - b * c < 0,
    point = function(x, y) return a * x + b * y + dx, c * x + d * y + dy end,
    vector = function(x, y) return a * x + b * y, c * x + d * y end,
  }
end

scenes.same = frame(1, 0, 0, 1, 0, 0)
scenes.mirrored = frame(-1, 0, 0, 1, 0, 0)
scenes.upside_down = frame(1, 0, 0, -1, 0, 0)
scenes.quarter = frame(0, -1, 1, 0, 0, 0)
scenes.half = frame(-1, 0, 0, -1, 0, 0)
function scenes.shifted(dx, dy) return frame(1, 0, 0, 1, dx, dy) end

-- Turned by an angle about the origin, or mirrored and then turned, and shifted.
function scenes.turned(angle, is_mirrored, dx, dy)
  local c, s, side = math.cos(angle), math.sin(angle), is_mirrored and -1 or 1
  return frame(c * side, -s, s * side, c, dx, dy)
end

-- One of the eight frames that keep whole numbers whole; without `quarters` one of the four that keep the axes.
function scenes.upright(random, quarters, dx, dy)
  local a, d = 2 * random(0, 1) - 1, 2 * random(0, 1) - 1
  if quarters and random(0, 1) == 1 then return frame(0, a, d, 0, dx, dy) end
  return frame(a, 0, 0, d, dx, dy)
end

-- ---------------------------------------------------------------- building

-- The corners of a ring the other way round.
function scenes.reversed(points)
  local out = {}
  for i = #points - 1, 1, -2 do out[#out + 1], out[#out + 2] = points[i], points[i + 1] end
  return out
end

local function placed(points, to)
  local out = {}
  for i = 1, #points, 2 do out[i], out[i + 1] = to.point(points[i], points[i + 1]) end
  return to.mirrored and scenes.reversed(out) or out
end

local build = {}
function build.polygon(d, to)
  local polygon = sat.polygon(placed(d.points, to))
  return d.radius and polygon:setRadius(d.radius) or polygon
end
function build.circle(d, to)
  local x, y = to.point(d.points[1], d.points[2])
  return sat.circle(x, y, d.radius)
end
function build.capsule(d, to)
  local p = placed(d.points, scenes.same)
  local x1, y1 = to.point(p[1], p[2])
  local x2, y2 = to.point(p[3], p[4])
  return sat.capsule(x1, y1, x2, y2, d.radius)
end
function build.point(d, to) return sat.point(to.point(d.points[1], d.points[2])) end
function build.segment(d, to)
  local x1, y1 = to.point(d.points[1], d.points[2])
  return sat.segment(x1, y1, to.point(d.points[3], d.points[4]))
end
function build.chain(d, to) return sat.chain(placed(d.points, to), d.closed) end
function build.compound(d, to)
  local parts = {}
  for i, part in ipairs(d.parts) do parts[i] = build[part.kind](part, to) end
  return sat.compound(parts)
end

-- The shape that a description stands for, seen in a frame.
function scenes.shape(description, to)
  to = to or scenes.same
  local shape = build[description.kind](description, to)
  if description.static ~= false then shape:setStatic(true) end
  if description.sensor then shape:setSensor(true) end
  if description.open then shape:setOneWay(to.vector(description.open[1], description.open[2])) end
  return shape
end

-- A world with the scene's shapes, added in the order of the list `order` of indices, and the shapes by index.
function scenes.world(scene, to, order)
  local world, shapes = sat.world(), {}
  for k = 1, #scene do
    local index = order and order[k] or k
    shapes[index] = scenes.shape(scene[index], to)
    world:add(shapes[index])
  end
  return world, shapes
end

-- ---------------------------------------------------------------- descriptions

local function box(x, y, w, h) return { kind = "polygon", points = { x, y, x + w, y, x + w, y + h, x, y + h } } end
scenes.box = box

local function turned(points, angle)
  local c, s, out = math.cos(angle), math.sin(angle), {}
  for i = 1, #points, 2 do
    out[i], out[i + 1] = c * points[i] - s * points[i + 1], s * points[i] + c * points[i + 1]
  end
  return out
end

local function regular(x, y, radius, n, angle)
  local points = {}
  for i = 0, n - 1 do
    local a = angle + i * 2 * math.pi / n
    points[2 * i + 1], points[2 * i + 2] = x + radius * math.cos(a), y + radius * math.sin(a)
  end
  return { kind = "polygon", points = points }
end

-- Solid cells of a grid, about four in ten, with a wall all around.
local function tiles(random, size)
  local scene = {}
  for column = -5, 5 do
    for row = -5, 5 do
      local wall = column == -5 or column == 5 or row == -5 or row == 5
      if wall or random(1, 10) <= 3 then scene[#scene + 1] = box(column * size, row * size, size, size) end
    end
  end
  return scene
end

local kinds = {}
function kinds.tiles(random) return tiles(random, 16) end
function kinds.fractional(random) return tiles(random, 17.3) end
function kinds.turned(random)
  local scene, angle = tiles(random, 16), random(1, 1000) / 300
  for _, d in ipairs(scene) do d.points = turned(d.points, angle) end
  return scene
end
function kinds.slopes(random)
  local scene = {}
  for column = -5, 5 do
    local x, rise = column * 16, ({ 0, 16, -16, 5.333, -5.333 })[random(1, 5)]
    local left = 40 + random(0, 2) * 8
    scene[#scene + 1] = { kind = "polygon", points = { x, left, x + 16, left - rise, x + 16, 100, x, 100 } }
  end
  return scene
end
function kinds.mixed(random)
  local scene = {}
  for _ = 1, random(5, 25) do
    local x, y, kind = random(-60, 60), random(-60, 60), random(1, 6)
    local d
    if kind == 1 then d = box(x, y, random(3, 30), random(3, 30))
    elseif kind == 2 then d = { kind = "circle", points = { x, y }, radius = random(2, 14) }
    elseif kind == 3 then
      d = { kind = "capsule", points = { x, y, x + random(-20, 20), y + random(1, 20) }, radius = random(1, 6) }
    elseif kind == 4 then d = regular(x, y, random(4, 14), random(3, 8), random(1, 600) / 100)
    elseif kind == 5 then
      d = box(x, y, random(3, 20), random(3, 20))
      d.radius = random(1, 4)
    else
      d = { kind = "polygon", points = { x, y, x + 24, y, x + 24, y + 8, x + 8, y + 8, x + 8, y + 24, x, y + 24 } }
    end
    scene[#scene + 1] = d
  end
  return scene
end
function kinds.compounds(random)
  local scene = {}
  for _ = 1, random(2, 5) do
    local parts = {}
    for i, d in ipairs(tiles(random, 16)) do
      if i % 4 == random(0, 3) then parts[#parts + 1] = d end
    end
    if #parts > 0 then scene[#scene + 1] = { kind = "compound", parts = parts } end
  end
  return scene
end
-- Floors and walls of rounded boxes, whose cores abut, so that they overlap by twice their radius.
function kinds.rounded(random)
  local scene = tiles(random, 16)
  for _, d in ipairs(scene) do d.radius = random(1, 3) end
  return scene
end

-- A polygon with as many reflex vertices as the random radii make: each vertex is on a ray of its own from the centre.
local function star(x, y, radius, n, random)
  local points, angle = {}, random(1, 600) / 100
  for i = 0, n - 1 do
    local a, r = angle + i * 2 * math.pi / n, radius * random(30, 100) / 100
    points[2 * i + 1], points[2 * i + 2] = x + r * math.cos(a), y + r * math.sin(a)
  end
  return { kind = "polygon", points = points }
end

function kinds.concave(random)
  local scene = { box(-90, 60, 180, 20) }
  for _ = 1, random(3, 8) do
    scene[#scene + 1] = star(random(-60, 60), random(-60, 60), random(10, 30), random(5, 12), random)
  end
  return scene
end

-- Compounds of whatever a scene may hold, chains and rounded shapes included.
function kinds.composites(random)
  local scene, chains = {}, kinds.chains(random)
  for _ = 1, random(2, 4) do
    local parts = kinds.mixed(random)
    while #parts > 6 do table.remove(parts) end
    if random(1, 3) == 1 then parts[#parts + 1] = star(random(-50, 50), random(-50, 50), 20, 7, random) end
    scene[#scene + 1] = { kind = "compound", parts = parts }
  end
  if random(1, 2) == 1 then table.insert(scene[1].parts, chains[1]) end
  return scene
end

function kinds.chains(random)
  local ground = {}
  for column = 0, 12 do
    ground[2 * column + 1], ground[2 * column + 2] = (column - 6) * 16, 40 - random(0, 3) * 8
  end
  return { { kind = "chain", points = ground }, box(-30, -10, 16, 16), box(20, -30, 16, 40) }
end

-- The names of the kinds of scenes.
scenes.kinds = {}
for name in pairs(kinds) do scenes.kinds[#scenes.kinds + 1] = name end
table.sort(scenes.kinds)

-- How far from the origin all scenes and movers are, along both axes.
scenes.far = 0

-- Moves a description.
function scenes.moved(d, dx, dy)
  for _, part in ipairs(d.parts or {}) do scenes.moved(part, dx, dy) end
  for i = 1, #(d.points or {}), 2 do d.points[i], d.points[i + 1] = d.points[i] + dx, d.points[i + 1] + dy end
  return d
end

local function take_far(d) return scenes.moved(d, scenes.far, scenes.far) end

function scenes.make(kind, random)
  local scene = kinds[kind](random)
  for _, d in ipairs(scene) do take_far(d) end
  return scene
end

-- A shape that moves, about in the middle of the scene.
function scenes.mover(random)
  local x, y, kind = random(-40, 40), random(-40, 40), random(1, 10)
  local d
  if kind <= 2 then d = box(x, y, random(6, 15), random(6, 15))
  elseif kind == 3 then d = { kind = "circle", points = { x, y }, radius = random(3, 8) }
  elseif kind == 4 then d = { kind = "capsule", points = { x, y, x, y + random(4, 10) }, radius = random(2, 5) }
  elseif kind == 5 then d = regular(x, y, random(4, 8), random(3, 8), random(1, 600) / 100)
  elseif kind == 6 then
    d = { kind = "polygon", points = { x, y, x + 12, y, x + 12, y + 4, x + 4, y + 4, x + 4, y + 12, x, y + 12 } }
  elseif kind == 7 then
    d = box(x, y, random(3, 12), random(3, 12))
    d.radius = random(1, 3)
  elseif kind == 8 then
    d = { kind = "compound", parts = { box(x, y, 8, 12), { kind = "circle", points = { x + 4, y - 2 }, radius = 5 } } }
  elseif kind == 9 then d = star(x, y, random(6, 12), random(5, 9), random)
  else d = { kind = "chain", points = { x, y + 6, x + 4, y, x + 10, y + 2, x + 12, y + 9 } } end
  d.static = false
  return take_far(d)
end

-- ---------------------------------------------------------------- constructions

-- How far a description reaches along a unit vector.
function scenes.support(d, nx, ny)
  local most = -math.huge
  for _, part in ipairs(d.parts or {}) do most = math.max(most, scenes.support(part, nx, ny)) end
  for i = 1, #(d.points or {}), 2 do most = math.max(most, nx * d.points[i] + ny * d.points[i + 1]) end
  return d.parts and most or most + (d.radius or 0)
end

local bodies = {}
function bodies.box(random) return box(-random(2, 6), -random(2, 6), random(8, 14), random(8, 14)) end
function bodies.circle(random) return { kind = "circle", points = { 0, 0 }, radius = random(30, 80) / 10 } end
function bodies.capsule(random)
  return { kind = "capsule", points = { 0, 0, random(-6, 6), random(1, 6) }, radius = random(2, 6) }
end
function bodies.rounded(random)
  local d = bodies.box(random)
  d.radius = random(1, 3)
  return d
end
function bodies.regular(random) return regular(0, 0, random(4, 8), random(3, 8), random(1, 600) / 100) end
function bodies.ell() return { kind = "polygon", points = { -6, -6, 6, -6, 6, -2, -2, -2, -2, 6, -6, 6 } } end
function bodies.compound()
  return { kind = "compound", parts = { box(-4, -6, 8, 12), { kind = "circle", points = { 0, -6 }, radius = 5 } } }
end
function bodies.point() return { kind = "point", points = { 0, 0 } } end
function bodies.segment(random)
  return { kind = "segment", points = { 0, 0, random(-9, 9) + 0.5, random(-9, 9) + 0.5 } }
end

-- A shape that moves, about 0, 0, of one of those kinds.
function scenes.body(random, ...)
  local d = bodies[select(random(1, select("#", ...)), ...)](random)
  d.static = false
  return d
end

-- A fraction from 0 to 1, neither of them.
local function fraction(random) return random(1, 999) / 1000 end
scenes.fraction = fraction

-- Where something from `from` to `to` is cut: both ends and some places between, in order.
function scenes.cuts(random, from, to, most)
  local list, count = { from }, random(1, (most or 3) + 1)
  for i = 1, count - 1 do list[i + 1] = from + (to - from) * (i - 0.9 * fraction(random)) / count end
  list[count + 1] = to
  return list
end

-- Pieces of the wall whose surface is the line n.x = h, so long that what is within 130 of 0, 0 meets no end of it, and
-- whose inside is where n.x < h: tiles side by side, tiles that overlap, segments, or all in one.
function scenes.wall(random, nx, ny, h, thickness, making)
  local parts, cuts = {}, scenes.cuts(random, -150, 150)
  making = making or ({ "tiles", "overlapping", "segments", "compound" })[random(1, 4)]
  local function at(along, deep) return nx * (h - deep) - ny * along, ny * (h - deep) + nx * along end
  for i = 1, #cuts - 1 do
    local from, to, depth = cuts[i], cuts[i + 1], thickness or random(3, 30)
    if making == "overlapping" then from, to = from - random(0, 9), to + random(0, 9) end
    local x1, y1 = at(from, 0)
    local x2, y2 = at(to, 0)
    local x3, y3 = at(to, depth)
    local x4, y4 = at(from, depth)
    parts[i] = making == "segments" and { kind = "segment", points = { x1, y1, x2, y2 } }
      or { kind = "polygon", points = { x1, y1, x2, y2, x3, y3, x4, y4 } }
  end
  return making == "compound" and { { kind = "compound", parts = parts } } or parts
end

-- The lines n.x = h of a ring of corners in the order of positive area, n to the inside.
function scenes.lines(corners)
  local lines = {}
  for i = 1, #corners, 2 do
    local x1, y1, k = corners[i], corners[i + 1], (i + 1) % #corners + 1
    local ex, ey = corners[k] - x1, corners[k + 1] - y1
    local l = math.sqrt(ex * ex + ey * ey)
    lines[#lines + 1] = { -ey / l, ex / l, (ex * y1 - ey * x1) / l }
  end
  return lines
end

-- What bounds a convex room: a wall behind each line, or, where its corners are known, a closed chain that is open to
-- the inside.
function scenes.room(random, lines, corners)
  if corners and random(1, 5) == 1 then
    return { { kind = "chain", points = scenes.reversed(corners), closed = true } }
  end
  local scene = {}
  for _, line in ipairs(lines) do
    for _, d in ipairs(scenes.wall(random, line[1], line[2], line[3])) do scene[#scene + 1] = d end
  end
  return scene
end

-- A box from corner to corner: whole, as tiles side by side, or as these in one compound.
function scenes.blocks(random, x1, y1, x2, y2, making)
  making = making or ({ "whole", "tiles", "compound" })[random(1, 3)]
  local parts = {}
  local columns, rows = scenes.cuts(random, x1, x2), scenes.cuts(random, y1, y2)
  if making == "whole" then columns, rows = { x1, x2 }, { y1, y2 } end
  for i = 1, #columns - 1 do
    for k = 1, #rows - 1 do
      local a, b, c, d = columns[i], rows[k], columns[i + 1], rows[k + 1]
      parts[#parts + 1] = { kind = "polygon", points = { a, b, c, b, c, d, a, d } }
    end
  end
  return making == "compound" and { { kind = "compound", parts = parts } } or parts
end

-- What is below a line of corners from left to right, down to `bottom`: a polygon, a column below each edge, these in
-- one compound, or the line alone as a chain. The second result is the name of that.
function scenes.ground(random, line, bottom, making)
  making = making or ({ "polygon", "columns", "compound", "chain" })[random(1, 4)]
  if making == "chain" then return { { kind = "chain", points = line } } end
  local points, parts = {}, {}
  for i = 1, #line do points[i] = line[i] end
  points[#points + 1], points[#points + 2] = line[#line - 1], bottom
  points[#points + 1], points[#points + 2] = line[1], bottom
  if making == "polygon" then return { { kind = "polygon", points = points } } end
  for i = 1, #line - 3, 2 do
    local x1, y1, x2, y2 = line[i], line[i + 1], line[i + 2], line[i + 3]
    if x2 > x1 then parts[#parts + 1] = { kind = "polygon", points = { x1, y1, x2, y2, x2, bottom, x1, bottom } } end
  end
  return making == "compound" and { { kind = "compound", parts = parts } } or parts
end

-- All descriptions of some lists in one list.
function scenes.joined(...)
  local list = {}
  for _, part in ipairs { ... } do
    for _, d in ipairs(part) do list[#list + 1] = d end
  end
  return list
end

-- The indices of a scene in a random order.
function scenes.shuffled(scene, random)
  local order = {}
  for i = 1, #scene do order[i] = i end
  for i = #order, 2, -1 do
    local j = random(1, i)
    order[i], order[j] = order[j], order[i]
  end
  return order
end

-- ---------------------------------------------------------------- checking

-- How deep a shape overlaps each of others, -1 where it does not touch.
function scenes.depths(shape, shapes)
  local list = {}
  for i, other in ipairs(shapes) do
    local _, _, depth = shape:collide(other)
    list[i] = depth or -1
  end
  return list
end

return scenes
