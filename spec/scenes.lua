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

-- ---------------------------------------------------------------- building

local function placed(points, to)
  local out = {}
  for i = 1, #points, 2 do out[i], out[i + 1] = to.point(points[i], points[i + 1]) end
  if not to.mirrored then return out end
  local turned = {}
  for i = #out - 1, 1, -2 do turned[#turned + 1], turned[#turned + 2] = out[i], out[i + 1] end
  return turned
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

local function take_far(d)
  for _, part in ipairs(d.parts or {}) do take_far(part) end
  for i = 1, #(d.points or {}) do d.points[i] = d.points[i] + scenes.far end
  return d
end

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

return scenes
