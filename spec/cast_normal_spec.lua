-- Which surface a cast tells where several meet: the most head-on of those that the union of all really shows. Of
-- equally head-on ones it is the most upright one, then the one with the larger cross product of the way back with its
-- normal. No normal leads out of a seam, whatever a floor is made of.
local sat = require "sat"
local scenes = require "spec.scenes"
local support = require "spec.support"

local generator, near, all_near = support.generator, support.near, support.all_near
local sqrt, unpack = math.sqrt, table.unpack or unpack

local function tiles() return sat.compound(sat.rectangle(0, 10, 30, 5), sat.rectangle(30, 10, 30, 5)) end

-- Asserts the answer of a cast: the time and the normal, and a place of contact on the line of that normal through a
-- place.
local function assert_cast(expected, x, y, t, nx, ny, atX, atY)
  assert.is_number(t, "it meets nothing")
  all_near(expected, t, nx, ny)
  near(nx * x + ny * y, nx * atX + ny * atY)
end

describe("the normal of a cast", function()
  it("is that of a flat floor where a corner lands on a seam", function()
    assert_cast({ 1, 0, -1 }, 30, 10, sat.cast(sat.rectangle(50, -20, 20, 20), -20, 10, tiles()))
    assert_cast({ 0.5, 0, -1 }, 30, 10, sat.cast(sat.polygon(70, -12, 82, -6, 70, 0, 58, -6), -80, 20, tiles()))
  end)

  it("is that of a flat roof where the end of a segment comes to where two pieces meet", function()
    local roof = sat.compound(sat.polygon(0, 0, 20, 0, 0, 14), sat.polygon(0, 0, 0, 14, -10, 0))
    assert_cast({ 0.5, 0, -1 }, 0, 0, sat.cast(sat.segment(50, -45, 50, -25), -100, 50, roof))
  end)

  it("is the most head-on one where a tip meets a tip, however small both are", function()
    for _, size in ipairs { 0.01, 1, 10, 1000 } do
      local function scaled(...)
        local points = { ... }
        for i, at in ipairs(points) do points[i] = at * size end
        return sat.polygon(points)
      end
      local solid, mover = scaled(0, 0.5, 0, -0.8, -0.5, -0.4), scaled(-0.4, 1.1, -0.8, 1, -1.1, 1.1)
      assert_cast({ 2 / 3, -1 / sqrt(17), 4 / sqrt(17) }, 0, 0.5 * size,
        sat.cast(mover, 0.6 * size, -0.9 * size, solid))
    end
  end)

  it("is the most upright one where two are equally head-on, in a mirror and in a compound, too", function()
    local box = sat.rectangle(0, 0, 12, 12)
    assert_cast({ 0.375, 0, -1 }, 27, 27, sat.cast(box, 40, 40, sat.rectangle(27, 27, 9, 9)))
    assert_cast({ 0.375, 0, -1 }, -15, 27, sat.cast(box, -40, 40, sat.rectangle(-24, 27, 9, 9)))
    assert_cast({ 0.375, 0, -1 }, 27, 27,
      sat.cast(box, 40, 40, sat.compound(sat.rectangle(27, 27, 9, 9), sat.rectangle(27, 36, 4, 9))))
  end)

  it("is that of the segment that a ray hits, however far away other vertices of its chain are", function()
    local chain = sat.chain({ 9999973.5149654709, 9999965.672828218, 9999986.6758364905, 10000026.253849708, 5e14,
      -1e15, 9999968.0252787154, 9999962.8169418853, 9999970.5338130035, 0, 10000007.295675753, 10000004.794022441,
      5e14, 9999970.672550885, 9999974.0144546181, 10000031.675892016, 10000000.597723963, 10000006.862701785,
      10000019.560627479, 9999997.7475559041 }, true)
    local t, nx, ny, part = chain:raycast(0, 10000011.21529972, 10000035.263779325, 9999983.6322994214)
    all_near({ 0.99999640336, -0.571580308, 0.820546130 }, t, nx, ny)
    assert.equal(10, part)
  end)

  it("is that to the left of the way back where two are as head-on and as upright", function()
    local length = sqrt(8 * 8 + 5 * 5)
    assert_cast({ 28 / 60, -8 / length, -5 / length }, -5, 0, sat.cast(sat.polygon(-40, -11, -33, 0, -40, 11, -47, 0),
      60, 0, sat.polygon(0, -8, 5, 0, 0, 8, -5, 0)))
  end)
end)

-- ---------------------------------------------------------------- flat floors

local HALF, DEPTH = 200, 24

-- Triangles that fill a cell of a floor, each with a corner at one place on its top.
local function fan(random, left, right)
  local x, points, parts = left + (right - left) * random(0, 4) / 4, { left, 0, left, DEPTH }, {}
  for i = 1, random(0, 3) do points[#points + 1], points[#points + 2] = left + (right - left) * i / 4, DEPTH end
  for _, at in ipairs { right, DEPTH, right, 0 } do points[#points + 1] = at end
  for i = 1, #points - 3, 2 do
    local x1, y1, x2, y2 = points[i], points[i + 1], points[i + 2], points[i + 3]
    if (x1 - x) * y2 - (x2 - x) * y1 ~= 0 then
      parts[#parts + 1] = { kind = "polygon", points = { x, 0, x1, y1, x2, y2 } }
    end
  end
  return parts, x
end

-- The pieces of a floor whose surface is at y = 0, and the places at which some of them meet there, the ends left out.
local function cut_floor(random)
  local parts, joints, cuts = {}, {}, { -HALF }
  for i = 2, random(2, 8) do cuts[i] = cuts[i - 1] + random(1, HALF / 4 - 1) end
  for _ = 1, random(0, 4) do table.insert(cuts, 2, cuts[1] + (cuts[2] - cuts[1]) * random(1, 9) / 10) end
  cuts[#cuts + 1] = HALF
  local function join(x) if math.abs(x) < HALF - 30 then joints[#joints + 1] = x end end
  for i = 1, #cuts - 1 do
    local left, right, making = cuts[i], cuts[i + 1], random(1, 4)
    join(left)
    if making == 1 then
      local triangles, x = fan(random, left, right)
      for _, triangle in ipairs(triangles) do parts[#parts + 1] = triangle end
      join(x)
    elseif making == 2 then -- a tile that lies across its neighbours
      local from, to = left - random(0, 3), right + random(0, 3)
      parts[#parts + 1] = scenes.box(from, 0, to - from, random(4, DEPTH))
    else
      parts[#parts + 1] = scenes.box(left, 0, right - left, random(4, DEPTH))
    end
  end
  return parts, joints
end

-- What may land: its lowest corner, or one of its lowest two, is at 0, 0, and all of it lies above.
local landing = {}
function landing.box(random)
  local w, h = random(4, 20), random(4, 20)
  return scenes.box(-w * random(0, 1), -h, w, h)
end
function landing.tip(random)
  local w, h = random(2, 12), random(1, 9)
  return { kind = "polygon", points = { 0, 0, w, -h, random(0, w), -h - random(1, 9), -random(1, 9), -random(1, 9) } }
end
function landing.triangle(random)
  local x, h = random(-9, 9), random(2, 20)
  return { kind = "polygon", points = { 0, 0, x + random(1, 9), -h, x - random(0, 9), -h } }
end
function landing.segment(random)
  return { kind = "segment", points = { 0, 0, random(-12, 12), -random(0, 12) - 0.5 } }
end
function landing.point() return { kind = "point", points = { 0, 0 } } end
function landing.circle(random)
  local r = random(1, 12)
  return { kind = "circle", points = { 0, -r }, radius = r }
end
function landing.capsule(random)
  local r = random(1, 8)
  return { kind = "capsule", points = { 0, -r, random(-9, 9), -r - random(1, 9) }, radius = r }
end
function landing.rounded(random)
  local d, r = landing.tip(random), random(1, 3)
  d.radius = r
  return scenes.moved(d, 0, -r)
end
function landing.compound(random)
  local d = landing.box(random)
  local ball = { kind = "circle", points = { d.points[1] + 2, -9 }, radius = random(1, 9) }
  return { kind = "compound", parts = { d, ball } }
end

-- A frame, and the fraction of a way at which it comes to the floor: not its end where all is turned and rounded.
local function frame_of(random)
  local x, y, at = random(-50, 50), random(-50, 50), random(1, 4) / 4
  if at == 1 or random(1, 3) == 1 then return scenes.upright(random, true, x, y), at end
  return scenes.turned(random(1, 6283) / 1000, random(0, 1) == 1, x, y), at
end

describe("a flat floor in pieces", function()
  for _, name in ipairs(support.sorted(landing)) do
    it("is met by a " .. name .. " as one in one piece, with its normal", function()
      for seed = support.SEED, support.SEED + 249 do
        local random = generator(seed * 7919 % 2147483647)
        local parts, joints = cut_floor(random)
        local to, t = frame_of(random)
        local d, dx, dy = landing[name](random), random(-90, 90), random(1, 90)
        local x = #joints > 0 and random(1, 5) > 1 and joints[random(1, #joints)] or random(-90, 90)
        local mover = scenes.shape(scenes.moved(d, x - t * dx, -t * dy), to)
        local mx, my = to.vector(dx, dy)
        local nx, ny = to.vector(0, -1)
        local world = scenes.world(parts, to, scenes.shuffled(parts, random))
        local whole = scenes.shape(scenes.box(-HALF, 0, 2 * HALF, DEPTH), to)
        local at = sat.cast(mover, mx, my, whole)
        assert.is_number(at, "seed " .. seed)
        for how, hit in pairs {
          ["in a compound"] = { sat.cast(mover, mx, my, scenes.shape({ kind = "compound", parts = parts }, to)) },
          ["of single shapes"] = { select(2, world:cast(mover, mx, my)) },
          ["in a compound in a world"] = { select(2, sat.world()
            :add(scenes.shape({ kind = "compound", parts = parts }, to)):cast(mover, mx, my)) },
        } do
          local ok, message = pcall(function()
            all_near({ at, nx, ny }, hit[1], hit[2], hit[3])
            local px, py = to.point(0, 0)
            near(0, (hit[4] - px) * nx + (hit[5] - py) * ny)
          end)
          if not ok then
            error(("seed %d, %s: %s; normal %.17g, %.17g, not %.17g, %.17g"):format(seed, how, tostring(message),
              hit[2] or 0, hit[3] or 0, nx, ny))
          end
        end
      end
    end)
  end
end)

-- ---------------------------------------------------------------- corners on corners

-- The normal that is right where a corner of one convex shape comes to a corner of another, both at 0, 0, or nil where
-- they pass each other: by the hull of all differences of their corners.
local function normal_at_corner(solid, mover, dx, dy)
  local differences = {}
  for i = 1, #solid, 2 do
    for k = 1, #mover, 2 do
      differences[#differences + 1] = solid[i] - mover[k]
      differences[#differences + 1] = solid[i + 1] - mover[k + 1]
    end
  end
  local v = sat.hull(differences):vertices()
  local best
  for i = 1, #v, 2 do
    if v[i] == 0 and v[i + 1] == 0 then
      local k, j = (i - 3) % #v + 1, (i + 1) % #v + 1
      for _, edge in ipairs { { -v[k], -v[k + 1] }, { v[j], v[j + 1] } } do
        local l = sqrt(edge[1] ^ 2 + edge[2] ^ 2)
        local nx, ny = edge[2] / l, -edge[1] / l
        local against, turn = -(nx * dx + ny * dy), -dx * ny + dy * nx
        if against <= 1e-9 then return nil end
        local one = { nx, ny, against, math.abs(ny), turn }
        local is_better = not best
        for place = 3, 5 do
          if best and math.abs(one[place] - best[place]) > 1e-9 then
            is_better = one[place] > best[place]
            break
          end
        end
        if is_better then best = one end
      end
    end
  end
  return best and best[1], best and best[2]
end

-- The corners of a convex polygon of whole numbers, one of them at 0, 0, and the index of that one.
local function convex(random)
  local points = {}
  for i = 1, 2 * random(3, 8) do points[i] = random(-12, 12) end
  local ok, hull = pcall(sat.hull, points)
  if not ok then return convex(random) end
  local v = hull:vertices()
  local at = 2 * random(1, #v / 2) - 1
  local x, y = v[at], v[at + 1]
  for i = 1, #v, 2 do v[i], v[i + 1] = v[i] - x, v[i + 1] - y end
  return v, at
end

-- The triangles of a convex polygon that have the corner at 0, 0 in common, or nil where one is so sharp there that its
-- sides are one to within rounding.
local function triangles_of(v, at)
  local parts = {}
  for i = 0, #v - 6, 2 do
    local points = { 0, 0 }
    for k = 1, 4 do points[k + 2] = v[(at + i + k) % #v + 1] end
    local x1, y1, x2, y2 = points[3], points[4], points[5], points[6]
    if (x1 * y2 - y1 * x2) ^ 2 < 1e-4 * (x1 * x1 + y1 * y1) * (x2 * x2 + y2 * y2) then return nil end
    parts[#parts + 1] = { kind = "polygon", points = points }
  end
  return parts
end

describe("a corner that meets a corner", function()
  it("is told the most head-on surface, in one piece and in triangles that all have a tip there", function()
    local hits = 0
    for seed = support.SEED, support.SEED + 3999 do
      local random = generator(seed * 7919 % 2147483647)
      local solid, at = convex(random)
      local mover = convex(random)
      local dx, dy, t = 8 * random(-9, 9), 8 * random(-9, 9), ({ 0.125, 0.5, 0.75 })[random(1, 3)]
      local nx, ny = normal_at_corner(solid, mover, dx, dy)
      local parts = triangles_of(solid, at)
      if nx and parts then
        hits = hits + 1
        local x, y = random(-40, 40), random(-40, 40)
        local body = scenes.shape(scenes.moved({ kind = "polygon", points = mover }, x - t * dx, y - t * dy))
        for _, part in ipairs(parts) do scenes.moved(part, x, y) end
        local whole = scenes.shape(scenes.moved({ kind = "polygon", points = solid }, x, y))
        local compound = scenes.shape { kind = "compound", parts = parts }
        local world = scenes.world(parts, nil, scenes.shuffled(parts, random))
        for how, hit in pairs {
          ["one piece"] = { sat.cast(body, dx, dy, whole) },
          ["one piece in a world"] = { select(2, sat.world():add(whole):cast(body, dx, dy)) },
          ["a compound of triangles"] = { sat.cast(body, dx, dy, compound) },
          ["triangles in a world"] = { select(2, world:cast(body, dx, dy)) },
        } do
          local ok, message = pcall(assert_cast, { t, nx, ny }, x, y, unpack(hit))
          if not ok then
            error(("seed %d, %s: %s; normal %.17g, %.17g, not %.17g, %.17g"):format(seed, how, tostring(message),
              hit[2] or 0, hit[3] or 0, nx, ny))
          end
        end
      end
    end
    assert.is_true(hits > 300, "only " .. hits .. " corners meet")
  end)
end)
