-- w:visible against rays of w:raycast, in random worlds, and what a sector and a ring are.
local sat = require "sat"
local support = require "spec.support"

local abs, cos, floor, huge, max, min, pi, sin, sqrt =
  math.abs, math.cos, math.floor, math.huge, math.max, math.min, math.pi, math.sin, math.sqrt
local RUNS = tonumber(os.getenv "SAT_TEST_SCALE" or 1)
local TILE = 17.3
local CHORD = cos(pi / 64) -- a chord of 1/64 turn is as near to the middle of its circle as this

-- ---------------------------------------------------------------- random worlds

local random

local function uniform(low, high) return low + (high - low) * random(0, 1000000) / 1000000 end

local function tile(column, row, columns, rows)
  local x, y = column * TILE, row * TILE
  return sat.rectangle(x, y, (column + (columns or 1)) * TILE - x, (row + (rows or 1)) * TILE - y)
end

local function random_polygon()
  local shape = random(1, 2) == 1 and sat.regular(uniform(-70, 70), uniform(-70, 70), uniform(3, 25), random(3, 9))
    or sat.rectangle(uniform(-70, 50), uniform(-70, 50), uniform(3, 40), uniform(3, 40))
  return shape:rotate(uniform(0, 6))
end

local function random_round()
  local x, y, r = uniform(-70, 70), uniform(-70, 70), uniform(1, 15)
  local kind = random(1, 3)
  if kind == 1 then return sat.circle(x, y, r) end
  if kind == 2 then return sat.capsule(x, y, x + uniform(-30, 30), y + uniform(-30, 30), r) end
  return random_polygon():setRadius(r / 3)
end

local function star(x, y, n, inner, outer)
  local points = {}
  for i = 0, 2 * n - 1 do
    local angle, r = pi * i / n, i % 2 == 0 and outer or inner
    points[2 * i + 1], points[2 * i + 2] = x + r * cos(angle), y + r * sin(angle)
  end
  return points
end

local MAKERS = {
  tiles = function(world)
    for _ = 1, 40 do
      local tiles = tile(random(-5, 4), random(-5, 4))
      if not world:query(tiles:center(), tiles:center(), 0, 0)[1] then world:add(tiles) end
    end
  end,
  ["merged tiles"] = function(world)
    for row = -5, 4 do
      local column = random(-6, -3)
      while column < 5 do
        local columns = random(1, 4)
        world:add(tile(column, row, columns))
        column = column + columns + random(0, 3)
      end
    end
  end,
  polygons = function(world)
    for _ = 1, random(1, 25) do world:add(random_polygon()) end
  end,
  chains = function(world)
    for _ = 1, random(1, 8) do
      local x, y, points = uniform(-60, 60), uniform(-60, 60), {}
      if random(1, 2) == 1 then
        for i = 1, 2 * random(2, 6) do points[i] = (i % 2 == 1 and x or y) + uniform(-25, 25) end
        world:add(sat.chain(points))
      else
        local closed = sat.chain(star(x, y, random(3, 6), uniform(4, 10), uniform(10, 20)), true)
        if random(1, 2) == 1 then closed:flip() end
        world:add(closed:rotate(uniform(0, 6)))
      end
    end
  end,
  ["round shapes"] = function(world)
    for _ = 1, random(1, 15) do world:add(random_round()) end
  end,
  ["round chains"] = function(world)
    for _ = 1, random(1, 5) do
      local points = star(uniform(-60, 60), uniform(-60, 60), random(3, 6), uniform(6, 10), uniform(10, 20))
      local chain = sat.chain(points, random(1, 2) == 1)
      if random(1, 2) == 1 then chain:flip() end
      world:add(chain:setRadius(uniform(0.1, 1)))
    end
  end,
  compounds = function(world)
    for _ = 1, random(1, 5) do
      world:add(sat.compound(random_polygon(), random_round(), sat.segment(0, 0, uniform(1, 30), uniform(1, 30)),
        tile(0, 0), tile(1, 0), tile(1, 1)):move(uniform(-40, 40), uniform(-40, 40)))
    end
  end,
  ["concave polygons"] = function(world)
    for _ = 1, random(1, 6) do
      local x, y = uniform(-60, 60), uniform(-60, 60)
      world:add(sat.polygon(star(x, y, random(3, 8), uniform(3, 10), uniform(10, 20))))
      world:add(sat.ring(uniform(-60, 60), uniform(-60, 60), uniform(5, 15), uniform(15, 30), random(3, 12)))
      world:add(sat.sector(x, y, uniform(10, 30), uniform(-3, 0), uniform(1, 3), uniform(0, 9)))
    end
  end,
}
MAKERS.all = function(world)
  for _, kind in ipairs { "polygons", "chains", "round shapes", "compounds", "concave polygons" } do
    MAKERS[kind](world)
  end
  for _, shape in ipairs(world:shapes()) do
    local what = random(1, 8)
    if what == 1 then shape:setSensor(true)
    elseif what == 2 then shape:setEnabled(false)
    elseif what == 3 then shape:setFilter(2, 0xffffffff)
    end
  end
end

-- A place anywhere, on the grid of tiles, or on the outline of a shape.
local function random_place(world)
  local shapes, kind = world:shapes(), random(1, 4)
  local shape = shapes[random(1, max(#shapes, 1))]
  if kind == 1 or not shape then return uniform(-60, 60), uniform(-60, 60) end
  if kind == 2 then return random(-8, 8) * TILE / 2, random(-8, 8) * TILE / 2 end
  local angle, x, y = uniform(0, 2 * pi), shape:center()
  local vertices = shape:pieces()[1]:vertices()
  if kind == 3 and #vertices > 0 and shape:kind() ~= "chain" then
    local i = 2 * random(1, #vertices / 2) - 1
    return vertices[i], vertices[i + 1]
  end
  local _, t = world:raycast(x + 99 * cos(angle), y + 99 * sin(angle), x, y)
  t = 1 - (t or 1)
  return x + 99 * t * cos(angle), y + 99 * t * sin(angle)
end

local function random_area(x, y)
  local kind = random(1, 3)
  if kind == 1 then return uniform(20, 120) end
  if kind == 2 then return sat.rectangle(x - uniform(10, 90), y - uniform(10, 90), 100, 100) end
  local from = uniform(-3, 3)
  return sat.sector(x, y, uniform(20, 120), from, from + uniform(0.2, 3.1))
end

-- ---------------------------------------------------------------- the outline

-- Whether a direction is within 1e-7 of that of a vertex.
local function is_beside_vertex(out, x, y, dx, dy)
  for i = 1, #out, 2 do
    local ex, ey = out[i] - x, out[i + 1] - y
    if dx * ex + dy * ey >= 0 and abs(dx * ey - dy * ex) <= 1e-7 * sqrt(ex * ex + ey * ey) then return true end
  end
end

-- How far the outline is from x, y in a direction: the nearest edge that crosses it.
local function reach_of(out, x, y, dx, dy)
  local reach, ax, ay = huge, out[#out - 1], out[#out]
  for i = 1, #out, 2 do
    local bx, by = out[i], out[i + 1]
    local left, right = dx * (ay - y) - dy * (ax - x), dx * (by - y) - dy * (bx - x)
    if left <= 0 and right > 0 then
      local t = left / (left - right)
      local px, py = ax + (bx - ax) * t - x, ay + (by - ay) * t - y
      reach = min(reach, max(px * dx + py * dy, 0))
    end
    ax, ay = bx, by
  end
  return reach == huge and 0 or reach
end

-- How far the area goes in a direction.
local function end_of(area, x, y, dx, dy)
  local shape = type(area) == "number" and sat.regular(x, y, area, 64) or area
  return reach_of(shape:vertices(), x, y, dx, dy)
end

-- The shape without what its arcs lose to chords.
local function shrunk(shape, hitX, hitY)
  if shape:kind() == "compound" then
    for _, piece in ipairs(shape:pieces()) do
      if piece:radius() > 0 and piece:contains(hitX, hitY) then return shrunk(piece) end
    end
    return nil
  end
  local r = shape:radius()
  return r > 0 and shape:clone():setRadius(r * (CHORD - 1e-9)) or nil
end

-- Whether the outline ends, behind the place that a ray hits, where the chord of an arc may be.
local function is_on_chord(shape, x, y, dx, dy, hit, reach)
  local less = shrunk(shape, x + dx * (hit + 1e-9), y + dy * (hit + 1e-9))
  local t = less and less:raycast(x + dx * hit, y + dy * hit, x + dx * reach, y + dy * reach)
  return less and reach >= hit and not t
end

local function check_rays(world, x, y, area, who, rays, seed)
  local out, n = world:visible(x, y, area, nil, who)
  assert.equal(2 * n, #out)
  if n > 0 then
    local ok, message = sat.validate(out)
    assert(ok, ("seed %d, from %.17g, %.17g: %s"):format(seed, x, y, tostring(message)))
  end
  for k = 1, rays do
    local angle = uniform(0, 2 * pi)
    local dx, dy = cos(angle), sin(angle)
    if not is_beside_vertex(out, x, y, dx, dy) then
      local far = end_of(area, x, y, dx, dy)
      local reach = reach_of(out, x, y, dx, dy)
      local shape, t = world:raycast(x, y, x + dx * 300, y + dy * 300, who)
      local hit = min(shape and t * 300 or huge, far)
      local fits = abs(reach - hit) <= 1e-7
        or hit < far and is_on_chord(shape, x, y, dx, dy, hit, reach)
      assert(fits, ("seed %d, ray %d from %.17g, %.17g at %.17g: seen as far as %.17g, the ray stops at %.17g (%s)")
        :format(seed, k, x, y, angle, reach, hit, tostring(shape)))
    end
  end
  return n
end

-- ---------------------------------------------------------------- worked by hand

-- The vertices to six digits, from the one on that comes first as a text.
local function rounded(out)
  local texts, first = {}, 1
  for i = 1, #out, 2 do
    texts[#texts + 1] = ("%g,%g"):format(floor(out[i] * 1e6 + 0.5) / 1e6, floor(out[i + 1] * 1e6 + 0.5) / 1e6)
    if texts[#texts] < texts[first] then first = #texts end
  end
  for _ = 2, first do table.insert(texts, table.remove(texts, 1)) end
  return table.concat(texts, " ")
end

local ROOM = sat.rectangle(-50, -50, 100, 100)
local ALL_OF_IT = "-50,-50 50,-50 50,50 -50,50"

local function view(x, y, ...)
  local world = sat.world():add(...)
  return rounded((world:visible(x, y, ROOM)))
end

describe("What is seen", function()
  it("is the area without what lies behind a box", function()
    assert.equal(ALL_OF_IT, rounded((sat.world():visible(0, 0, ROOM))))
    assert.equal("-50,-50 50,-50 50,-25 10,-5 10,5 50,25 50,50 -50,50", view(0, 0, sat.rectangle(10, -5, 10, 10)))
  end)

  it("is the regular polygon of 64 vertices in a circle, one of them at +x", function()
    local out, n = sat.world():visible(3, 4, 10)
    assert.equal(64, n)
    assert.equal(rounded(sat.regular(3, 4, 10, 64):vertices()), rounded(out))
    local has_first
    for i = 1, 128, 2 do has_first = has_first or out[i] == 13 and out[i + 1] == 4 end
    assert.is_true(has_first)
  end)

  it("ends between two solids that meet at a corner", function()
    assert.equal("-20,10 -50,25 -50,-50 50,-50 10,-10 10,10",
      view(0, 0, sat.rectangle(10, -10, 10, 20), sat.rectangle(-20, 10, 30, 10)))
  end)

  it("has the crossings of solids that overlap, and of lines, as vertices", function()
    assert.equal("-50,-50 25,-50 10,-20 10,0 5,0 5,5 50,50 -50,50",
      view(0, 0, sat.rectangle(10, -20, 10, 30), sat.rectangle(5, 0, 30, 5)))
    assert.equal("-50,-50 50,-50 50,-25 20,-10 25,0 20,10 50,25 50,50 -50,50",
      view(0, 0, sat.segment(20, -10, 30, 10), sat.segment(30, -10, 20, 10)))
  end)

  it("passes a circle at exact tangents, and ends at its chords between them", function()
    local text = view(0, 0, sat.circle(20, 0, 12))
    assert.truthy(text:find("^%-50,%-50 50,%-50 50,%-37.5 12.8,%-9.6 12.3873,%-9.27613 "))
    assert.truthy(text:find(" 8.05778,-1.17621 8,0 8.05778,1.17621 ", 1, true))
    assert.truthy(text:find(" 12.3873,9.27613 12.8,9.6 50,37.5 50,50 %-50,50$"))
  end)

  it("is nothing inside of a solid, on the seam of two, or at the corner of four", function()
    local world = sat.world():add(sat.rectangle(0, 0, 10, 10), sat.rectangle(10, 0, 10, 10),
      sat.rectangle(0, 10, 10, 10), sat.rectangle(10, 10, 10, 10), sat.circle(-20, 0, 5))
    for _, place in ipairs { { 5, 5 }, { 10, 3 }, { 12, 10 }, { 10, 10 }, { -20, 0 }, { -24.9, 0 } } do
      local out, n = world:visible(place[1], place[2], 60, { 1, 2, 3 })
      assert.same({}, out)
      assert.equal(0, n)
    end
  end)

  it("begins at the place itself on an outline, and what lies behind it is dark", function()
    assert.equal("-50,-50 50,-50 50,0 5,0 -50,0", view(5, 0, sat.rectangle(0, 0, 10, 10)))
    assert.equal("-50,-50 50,-50 50,0 0,0 0,50 -50,50", view(0, 0, sat.rectangle(0, 0, 10, 10)))
    assert.equal("-50,-50 0,-50 0,0 0,50 -50,50", view(0, 0, sat.circle(8, 0, 8)))
    assert.equal("-30,-50 -50,-30 -50,-50",
      rounded((sat.world():add(sat.polygon(-50, -30, -30, -50, -30, -30)):visible(-50, -50, ROOM))))
  end)

  it("is on both sides of an open chain, and on the front of a closed one", function()
    assert.equal("-50,-45 -50,-50 50,-50 50,50 -50,50 -50,45 20,10 20,-10", view(40, 0, sat.chain { 20, -10, 20, 10 }))
    assert.equal("-50,-45 -50,-50 50,-50 50,50 -50,50 -50,45 20,10 20,-10", view(40, 0, sat.chain { 20, 10, 20, -10 }))
    assert.equal("-50,-50 50,-50 50,0 20,0 -50,0",
      rounded((sat.world():add(sat.chain({ 10, 0, 30, 0, 30, 20, 10, 20 }, true)):visible(20, 0, ROOM))))
    local square = { -10, -10, 10, -10, 10, 10, -10, 10 }
    assert.equal(ALL_OF_IT, view(0, 0, sat.chain(square, true)))
    assert.equal(ALL_OF_IT, view(0, 0, sat.chain(square, true):flip()))
    assert.equal("-10,-10 10,-10 10,10 -10,10", view(0, 0, sat.chain({ -10, 10, 10, 10, 10, -10, -10, -10 }, true)))
  end)

  it("counts the shapes that a ray counts", function()
    local wall = sat.rectangle(10, -5, 10, 10):setFilter(2, 3)
    local world = sat.world():add(wall)
    assert.equal(8, select(2, world:visible(0, 0, ROOM)))
    assert.equal(8, select(2, world:visible(0, 0, ROOM, nil, 2)))
    assert.equal(4, select(2, world:visible(0, 0, ROOM, nil, 1)))
    assert.equal(4, select(2, world:visible(0, 0, ROOM, nil, wall)))
    assert.equal(8, select(2, world:visible(0, 0, ROOM, nil, sat.point(0, 0):setFilter(1, 2))))
    assert.equal(4, select(2, world:visible(0, 0, ROOM, nil, sat.point(0, 0):setFilter(4, 2))))
    wall:setSensor(true)
    assert.equal(4, select(2, world:visible(0, 0, ROOM)))
    wall:setSensor(false):setEnabled(false)
    assert.equal(4, select(2, world:visible(0, 0, ROOM)))
    world:add(sat.point(20, 20))
    assert.equal(4, select(2, world:visible(0, 0, ROOM)))
  end)

  it("fills the list that is given, and clears what was behind", function()
    local world, list = sat.world():add(sat.rectangle(10, -5, 10, 10)), {}
    for i = 1, 40 do list[i] = true end
    local out, n = world:visible(0, 0, ROOM, list)
    assert.equal(list, out)
    assert.equal(8, n)
    assert.equal(16, #out)
    assert.equal("-50,-50 50,-50 50,-25 10,-5 10,5 50,25 50,50 -50,50", rounded(out))
  end)

  it("has the place in the outline of the area, also in a corner and but for rounding", function()
    local cone = sat.sector(0, 0, 40, 0, 1)
    local x, y = 0.1, 0.2
    for _ = 1, 100 do
      cone:move(0.1, 0.3):rotate(0.7, x, y)
      x, y = x + 0.1, y + 0.3
    end
    local vertices = cone:vertices()
    local out, n = sat.world():visible(vertices[15], vertices[16], cone)
    assert.equal(8, n)
    assert.equal(rounded(vertices), rounded(out))
    assert.equal(5, select(2, sat.world():visible(-50, 20, ROOM)))
  end)

  it("leaves no gap between tiles of 17.3, nor through the corners where two meet", function()
    local world = sat.world()
    for i = 0, 9 do
      for _, place in ipairs { { i, 0 }, { i, 9 }, { 0, i }, { 9, i } } do
        if #world:at((place[1] + 0.5) * TILE, (place[2] + 0.5) * TILE) == 0 then
          world:add(sat.rectangle(place[1] * TILE, place[2] * TILE, TILE, TILE))
        end
      end
    end
    world:remove(world:at(0.5 * TILE, 0.5 * TILE)[1]) -- two tiles meet at a corner there
    for column = 2, 18 do
      for row = 2, 18 do
        for _, off in ipairs { 0, 1e-13, 1e-4, 0.01 } do
          local out, n = world:visible(column * TILE / 2 + off, row * TILE / 2, 1000)
          local is_in_that_corner = column == 2 and row == 2 and off < 1e-4
          assert.is_true(n >= 3 or off > 0 and column == 18)
          for i = 1, #out do
            assert.is_true(out[i] > TILE - 1e-9 and out[i] < 9 * TILE + 1e-9 or is_in_that_corner)
          end
        end
      end
    end
  end)
end)

-- ---------------------------------------------------------------- the same world otherwise

local function random_world(kinds)
  local world = sat.world()
  for _, kind in ipairs(kinds) do MAKERS[kind](world) end
  return world
end

describe("What is seen in random worlds", function()
  it("is the same to the bit in whatever order the shapes were added", function()
    for run = 1, max(1, floor(30 * RUNS)) do
      local seed = support.SEED * 1000 + run
      random = support.generator(seed)
      local world = random_world { "polygons", "tiles", "chains", "round shapes", "compounds", "concave polygons" }
      local shapes = world:shapes()
      local first, second = sat.world(), sat.world()
      for i = 1, #shapes do first:add(shapes[i]:clone()) end
      for i = #shapes, 1, -1 do second:add(shapes[i]:clone()) end
      for _ = 1, 5 do
        local x, y = random_place(first)
        local area = random_area(x, y)
        assert.same(first:visible(x, y, area), second:visible(x, y, area), "seed " .. seed)
      end
    end
  end)

  it("is mirrored in a mirror, and comes along when all is moved", function()
    for run = 1, max(1, floor(30 * RUNS)) do
      local seed = support.SEED * 1000 + run
      random = support.generator(seed)
      local world = random_world { "polygons", "tiles", "round shapes" }
      local mirror, moved = sat.world(), sat.world()
      for _, shape in ipairs(world:shapes()) do
        local x, y = shape:center()
        local angle = shape:rotation()
        mirror:add(shape:clone():setRotation(0):flip():setRotation(-angle):moveTo(-x, y))
        moved:add(shape:clone():move(1024, -512))
      end
      for _ = 1, 5 do
        local x, y = uniform(-60, 60), uniform(-60, 60)
        local radius = uniform(20, 120)
        local out = world:visible(x, y, radius)
        local others = { mirror:visible(-x, y, radius), moved:visible(x + 1024, y - 512, radius) }
        for _ = 1, 20 do
          local angle = uniform(0, 2 * pi)
          local dx, dy = cos(angle), sin(angle)
          if not is_beside_vertex(out, x, y, dx, dy) then
            local reach, message = reach_of(out, x, y, dx, dy), ("seed %d at %.17g"):format(seed, angle)
            assert(abs(reach_of(others[1], -x, y, -dx, dy) - reach) < 1e-7, message)
            assert(abs(reach_of(others[2], x + 1024, y - 512, dx, dy) - reach) < 1e-7, message)
          end
        end
      end
    end
  end)
end)

describe("What is seen, as far as rays", function()
  for _, kind in ipairs(support.sorted(MAKERS)) do
    local make = MAKERS[kind]
    it("is what rays reach among " .. kind, function()
      for run = 1, max(1, floor(20 * RUNS)) do
        local seed = support.SEED * 1000 + run
        random = support.generator(seed)
        local world = sat.world()
        make(world)
        local who = random(1, 3) == 1 and 1 or nil
        for _ = 1, 3 do
          local x, y = random_place(world)
          check_rays(world, x, y, random_area(x, y), who, 40, seed)
        end
      end
    end)
  end
end)

-- ---------------------------------------------------------------- sectors and rings

describe("A sector", function()
  it("is a polygon with its vertices on the arcs, from an angle on to another one", function()
    local shape = sat.sector(10, 20, 5, 0, pi / 2)
    local vertices = shape:vertices()
    assert.is_true(shape:isConvex())
    assert.equal(2 * 10, #vertices) -- 32 segments to a turn: 9 on the arc, and the place
    support.all_near({ 15, 20 }, vertices[1], vertices[2])
    support.all_near({ 10, 25, 10, 20 }, vertices[17], vertices[18], vertices[19], vertices[20])
    for i = 1, 17, 2 do support.near(5, sqrt((vertices[i] - 10) ^ 2 + (vertices[i + 1] - 20) ^ 2)) end
    assert.is_true(shape:contains(10, 20) and shape:contains(12, 22) and not shape:contains(9.9, 20.1))
  end)

  it("is without what is nearer than the inner radius", function()
    local shape = sat.sector(0, 0, 10, -1, 1, 4, 64)
    assert.is_false(shape:isConvex())
    assert.is_true(shape:contains(4.1, 0) and shape:contains(9.9, 0))
    assert.is_false(shape:contains(3.9, 0) or shape:contains(-5, 0))
    support.near((100 - 16) / 2 * 21 * sin(2 / 21), shape:area(), 1e-9)
  end)

  it("may be wider than half a turn, a half disc, or narrower than a segment", function()
    local wide = sat.sector(0, 0, 10, -3, 3)
    assert.is_false(wide:isConvex())
    assert.is_true(wide:contains(0, 9) and wide:contains(-8, 2) and not wide:contains(-9, 0))
    local half = sat.sector(0, 0, 10, 0, pi)
    assert.is_true(half:isConvex() and half:contains(0, 0))
    assert.equal(3, #sat.sector(0, 0, 10, 1, 1.01):vertices() / 2)
    assert.equal(4, #sat.sector(0, 0, 10, 1, 1.01, 3):vertices() / 2)
  end)
end)

describe("A ring", function()
  it("is a polygon with a hole, whose vertices lie on both circles", function()
    local shape = sat.ring(1, 2, 5, 10, 16)
    assert.equal("polygon", shape:kind())
    support.near(8 * (100 - 25) * sin(pi / 8), shape:area())
    assert.is_true(shape:contains(1, 9) and shape:contains(11, 2) and shape:contains(6, 2))
    assert.is_false(shape:contains(1, 2) or shape:contains(5.5, 2) or shape:contains(11.1, 2))
    local vertices = shape:vertices()
    assert.equal(2 * (2 * 16 + 2), #vertices) -- with the bridge, there and back
    for i = 1, #vertices, 2 do
      local r = sqrt((vertices[i] - 1) ^ 2 + (vertices[i + 1] - 2) ^ 2)
      assert.is_true(abs(r - 5) < 1e-12 or abs(r - 10) < 1e-12)
    end
    assert.equal(2 * 66, #sat.ring(0, 0, 1, 2):vertices())
  end)

  it("hides what is outside from its middle, and shows its inner circle", function()
    local out, n = sat.world():add(sat.ring(0, 0, 5, 10)):visible(0, 0, 60)
    assert.equal(32, n)
    for i = 1, 64, 2 do support.near(5, sqrt(out[i] ^ 2 + out[i + 1] ^ 2)) end
  end)
end)
