-- Queries of a world by place: who is asked about, rays in order, and seams between solids that abut.
local sat = require "sat"
local support = require "spec.support"

local near = support.near

-- ---------------------------------------------------------------- who

local function random_world(random)
  local world, shapes = sat.world(), {}
  for i = 1, 12 do
    local x, y, w, h = random(0, 80), random(0, 80), random(4, 30), random(4, 30)
    local shape = i % 3 == 0 and sat.circle(x, y, w / 2) or sat.rectangle(x, y, w, h)
    shape:setFilter(2 ^ random(0, 3), random(0, 15), random(-1, 1)):setStatic(i % 4 == 0):setSensor(i % 5 == 0)
    shape:setEnabled(i % 7 ~= 0)
    shapes[i] = shape
    world:add(shape)
  end
  return world, shapes
end

local function has_bit(set, other)
  while set > 0 and other > 0 do
    if set % 2 == 1 and other % 2 == 1 then return true end
    set, other = math.floor(set / 2), math.floor(other / 2)
  end
  return false
end

-- Whether a question with `who` asks about a shape, by Box2D's meaning.
local function is_asked(who, shape)
  if who == nil then return true end
  local category, mask, group = shape:filter()
  if type(who) == "number" then return has_bit(category, who) end
  if who == shape then return false end
  local own_category, own_mask, own_group = who:filter()
  if group ~= 0 and group == own_group then return group > 0 end
  return has_bit(category, own_mask) and has_bit(own_category, mask)
end

local function matching(shapes, who, is_solid, test)
  local found = {}
  for _, shape in ipairs(shapes) do
    if shape:isEnabled() and is_asked(who, shape) and not (is_solid and shape:isSensor()) and test(shape) then
      found[#found + 1] = shape
    end
  end
  return found
end

-- A stable order by a number.
local function sorted_by(list, key)
  local keyed = {}
  for i, shape in ipairs(list) do keyed[i] = { key(shape), i, shape } end
  table.sort(keyed, function(p, q)
    if p[1] ~= q[1] then return p[1] < q[1] end
    return p[2] < q[2]
  end)
  for i, entry in ipairs(keyed) do keyed[i] = entry[3] end
  return keyed
end

local function any_who(random, shapes)
  local kind = random(1, 4)
  if kind == 1 then return nil end
  if kind == 2 then return random(0, 15) end
  if kind == 3 then return shapes[random(1, #shapes)] end
  return sat.point(random(0, 90), random(0, 90)):setFilter(2 ^ random(0, 3), random(0, 15), random(-1, 1))
end

describe("who", function()
  it("picks the shapes that the definition of filters picks, for every query by place", function()
    for seed = 1, 300 do
      local random = support.generator(seed)
      local world, shapes = random_world(random)
      for _ = 1, 6 do
        local who, x, y = any_who(random, shapes), random(0, 90), random(0, 90)
        local x2, y2 = random(0, 90) + 0.25, random(0, 90) + 0.5
        assert.same(matching(shapes, who, false, function(s) return s:contains(x, y) end), (world:at(x, y, nil, who)))
        local box = sat.rectangle(x, y, 25, 20)
        assert.same(matching(shapes, who, false, function(s) return s:overlaps(box) end),
          (world:query(x, y, 25, 20, {}, who)))
        local point = sat.point(x, y)
        local by_distance = sorted_by(matching(shapes, who, true, function() return true end), function(s)
          return (point:distance(s))
        end)
        assert.equal(by_distance[1], (world:nearest(x, y, nil, who)))
        local five = {}
        for i = 1, math.min(5, #by_distance) do five[i] = by_distance[i] end
        assert.same(five, (world:nearestAll(x, y, 5, nil, who)))
        local hit = sorted_by(matching(shapes, who, true, function(s) return s:raycast(x, y, x2, y2) end), function(s)
          local t, nx, ny = s:raycast(x, y, x2, y2)
          return nx == 0 and ny == 0 and -1 or t -- a ray that starts inside comes before one on an outline
        end)
        assert.equal(hit[1], (world:raycast(x, y, x2, y2, who)))
        assert.same(hit, (world:raycastAll(x, y, x2, y2, nil, who)))
        local n = 0
        for shape, t, nx, ny, px, py, part in world:raycasts(x, y, x2, y2, who) do
          n = n + 1
          assert.equal(hit[n], shape)
          assert.same({ shape:raycast(x, y, x2, y2) }, { t, nx, ny, part })
          near(x + t * (x2 - x), px, 1e-9)
          near(y + t * (y2 - y), py, 1e-9)
        end
        assert.equal(#hit, n)
      end
    end
  end)

  it("leaves the asking shape out of what a ray from its centre hits", function()
    local player, wall = sat.circle(0, 0, 10), sat.rectangle(50, -50, 10, 100)
    local world = sat.world():add(player, wall)
    assert.equal(player, (world:raycast(0, 0, 100, 0)))
    assert.same({ wall, 0.5, -1, 0, 50, 0, 1 }, { world:raycast(0, 0, 100, 0, player) })
    assert.same({ wall }, (world:raycastAll(0, 0, 100, 0, nil, player)))
    assert.same({ wall, 50, 50, 0 }, { world:nearest(0, 0, nil, player) })
    assert.same({}, (world:at(0, 0, nil, player)))
  end)

  it("takes a mask of 0, which stands for nobody, and refuses what is none", function()
    local world = sat.world():add(sat.circle(0, 0, 10))
    assert.same({}, (world:at(0, 0, nil, 0)))
    assert.is_nil((world:raycast(-50, 0, 50, 0, 0)))
    local function refused(message, f, ...)
      assert.error_matches(f, "bad argument #" .. message, 1, true, ...)
    end
    local calls = {
      { 4, "at", 0, 0, nil }, { 6, "query", 0, 0, 1, 1, nil }, { 4, "nearest", 0, 0, nil },
      { 5, "nearestAll", 0, 0, 1, nil }, { 5, "raycast", 0, 0, 1, 1 }, { 6, "raycastAll", 0, 0, 1, 1, nil },
      { 5, "raycasts", 0, 0, 1, 1 },
    }
    local faults = {
      { "12", "who must be a shape, a mask or a table, not a string" },
      { 1.5, "who must be a whole number from 0 to 4294967295" }, { -1, "who must be a whole number from" },
      { 2 ^ 32, "who must be a whole number from" }, { 0 / 0, "who is NaN" },
      { world, "who must be a shape, a mask or a table" },
    }
    for _, call in ipairs(calls) do
      for _, fault in ipairs(faults) do
        refused(("%d to '%s' (%s"):format(call[1], call[2], fault[2]), function()
          local arguments = { call[3], call[4], call[5], call[6], call[7] }
          arguments[call[1]] = fault[1]
          world[call[2]](world, (table.unpack or unpack)(arguments, 1, call[1]))
        end)
      end
    end
  end)
end)

-- ---------------------------------------------------------------- raycasts

describe("world:raycasts", function()
  local function line(n)
    local world, shapes = sat.world(), {}
    for i = 1, n do
      shapes[i] = sat.circle(10 * i, 0, 2)
      world:add(shapes[i])
    end
    return world, shapes
  end

  it("goes from the first to the last, as of its start, and skips what is removed inside", function()
    local world, shapes = line(4)
    local seen = {}
    for shape, t in world:raycasts(0, 0, 100, 0) do
      seen[#seen + 1] = shape
      if #seen == 1 then
        near(0.08, t)
        world:remove(shapes[3])
        world:add(sat.circle(35, 0, 1))
        shapes[4]:move(0, 50)
      end
    end
    assert.same({ shapes[1], shapes[2], shapes[4] }, seen)
  end)

  it("nests, and may be left", function()
    local world = line(5)
    local n = 0
    for a in world:raycasts(0, 0, 100, 0) do
      for b in world:raycasts(100, 0, 0, 0, a) do
        n = n + 1
        if b == a then error("the asking shape is among the answers") end
      end
      if n == 16 then break end
    end
    assert.equal(16, n)
  end)

  it("names what is wrong, and takes a ray without length for a point", function()
    local world, shapes = line(2)
    assert.error_matches(function() world:raycasts(0, 0, 1) end, "bad argument #4 to 'raycasts' (y2 ", 1, true)
    assert.error_matches(function() world:raycasts(0, 0 / 0, 1, 1) end, "#2 to 'raycasts' (y1 is NaN)", 1, true)
    local seen = {}
    for shape, t, nx, ny, x, y in world:raycasts(10, 0, 10, 0) do seen[#seen + 1] = { shape, t, nx, ny, x, y } end
    assert.same({ { shapes[1], 0, 0, 0, 10, 0 } }, seen)
  end)
end)

-- ---------------------------------------------------------------- seams

-- Tiles on a grid of some size, some of them left out, turned as a whole about the origin by quarters or not at all.
local function tiles(random, size)
  local shapes = {}
  for column = 0, 5 do
    for row = 0, 5 do
      if random(0, 2) > 0 then shapes[#shapes + 1] = sat.rectangle(column * size, row * size, size, size) end
    end
  end
  for i = #shapes, 2, -1 do -- in any order of adding
    local k = random(1, i)
    shapes[i], shapes[k] = shapes[k], shapes[i]
  end
  return shapes
end

local function same_hit(expected, actual, message)
  assert.equal(#expected, #actual, message)
  for i, value in ipairs(expected) do assert(math.abs(value - actual[i]) <= 1e-9, message) end
end

describe("a seam between solids that abut", function()
  it("stops a ray along it as a compound of them does", function()
    local hits = 0
    for seed = 1, 400 do
      local random = support.generator(seed)
      local size = ({ 16, 10, 17.3, 0.7 })[random(1, 4)]
      local shapes = tiles(random, size)
      local world, compound = sat.world():add(shapes), sat.compound(shapes)
      for _ = 1, 10 do
        local line, from, to = random(0, 6) * size, random(-1, 7) * size + random(0, 1) * size / 4, random(-1, 7) * size
        local x1, y1, x2, y2 = from, line, to, line
        if random(0, 1) == 1 then x1, y1, x2, y2 = line, from, line, to end
        if from ~= to then
          local message = ("seed %d: %.17g %.17g %.17g %.17g"):format(seed, x1, y1, x2, y2)
          local shape, t, nx, ny, x, y = world:raycast(x1, y1, x2, y2)
          local expected = { compound:raycast(x1, y1, x2, y2) }
          local part = expected[4] and shapes[table.remove(expected)]
          -- a ray that ends where a seam begins meets it or not by rounding
          local ends_there = (expected[1] or 1) > 1 - 1e-9 and (t or 1) > 1 - 1e-9
          if not ends_there then
            same_hit(expected, { t, nx, ny }, message)
            -- a ray that starts on a seam starts on the corners of others, too
            local starts_inside = part and t == 0 and part:distance(sat.point(x1, y1)) <= 1e-9
            assert.is_true(starts_inside or part == shape, message)
          end
          if shape then
            hits = hits + 1
            near(x1 + t * (x2 - x1), x, 1e-9)
            near(y1 + t * (y2 - y1), y, 1e-9)
            assert.is_true(shape:distance(sat.point(x, y)) <= 1e-9, message)
          end
        end
      end
    end
    assert.is_true(hits > 1000)
  end)

  it("lists in raycastAll and raycasts whatever it lies between, in order", function()
    local function tile(x, y) return sat.rectangle(x, y, 10, 10) end
    local a, b, c, d, free = tile(0, 0), tile(0, 10), tile(20, 0), tile(20, 10), tile(40, 10)
    local world = sat.world():add(d, c, b, a, free)
    assert.same({ b, a, d, c }, (world:raycastAll(-10, 10, 60, 10)))
    local seen = {}
    for shape, t, nx, ny, x, y in world:raycasts(-10, 10, 60, 10) do seen[#seen + 1] = { shape, t, nx, ny, x, y } end
    assert.same({ { b, 1 / 7, -1, 0, 0, 10 }, { a, 1 / 7, -1, 0, 0, 10 }, { d, 3 / 7, -1, 0, 20, 10 },
      { c, 3 / 7, -1, 0, 20, 10 } }, seen)
    assert.equal(b, (world:raycast(-10, 10, 60, 10)))
  end)

  it("is open where one of both is a sensor, disabled, or not asked about", function()
    local a, b = sat.rectangle(0, 0, 10, 10), sat.rectangle(0, 10, 10, 10)
    local world = sat.world():add(a, b)
    assert.equal(a, (world:raycast(-5, 10, 15, 10)))
    assert.is_nil((world:raycast(-5, 10, 15, 10, b)))
    b:setSensor(true)
    assert.is_nil((world:raycast(-5, 10, 15, 10)))
    b:setSensor(false):setEnabled(false)
    assert.is_nil((world:raycast(-5, 10, 15, 10)))
    b:setEnabled(true):move(0, 0.001)
    assert.is_nil((world:raycast(-5, 10, 15, 10)))
    b:move(10, -0.001) -- now the two meet at a corner only
    assert.is_nil((world:raycast(-5, 10, 15, 10)))
    b:move(-5, 0)
    assert.same({ a, 0.5, -1, 0, 5, 10, 1 }, { world:raycast(-5, 10, 15, 10) })
  end)

  it("gives a ray that starts on it, inside, t = 0 and no normal", function()
    local world = sat.world():add(sat.rectangle(0, 0, 10, 10), sat.rectangle(0, 10, 10, 10))
    local _, t, nx, ny, x, y = world:raycast(5, 10, 15, 10)
    assert.same({ 0, 0, 0, 5, 10 }, { t, nx, ny, x, y })
    _, t, nx, ny, x, y = world:raycast(0, 10, 15, 10)
    assert.same({ 0, -1, 0, 0, 10 }, { t, nx, ny, x, y })
  end)

  it("stops the cast of a point, and of a segment along itself, as a compound does", function()
    local hits = 0
    for seed = 1, 300 do
      local random = support.generator(seed)
      local size = ({ 16, 10, 17.3 })[random(1, 3)]
      local shapes = tiles(random, size)
      local world, compound = sat.world():add(shapes), sat.compound(shapes)
      for _ = 1, 8 do
        local line, from, way = random(0, 6) * size, random(-2, 7) * size, random(-7, 7) * size
        local long = random(0, 1) * size / 2
        local upright = random(0, 1) == 1
        local mover = long == 0 and sat.point(from, line) or sat.segment(from, line, from + long, line)
        if upright then
          mover = long == 0 and sat.point(line, from) or sat.segment(line, from, line, from + long)
        end
        local dx, dy = upright and 0 or way, upright and way or 0
        local message = ("seed %d: %s by %g, %g"):format(seed, tostring(mover), dx, dy)
        local expected = { mover:cast(dx, dy, compound) }
        local actual = { world:cast(mover, dx, dy) }
        local other, part = nil, expected[6]
        expected[6], expected[7] = nil, nil
        if actual[1] then
          hits = hits + 1
          actual[7], actual[8] = nil, nil
          other = table.remove(actual, 1)
        end
        -- of several ways out that are equally long, the compound's centre decides
        local _, _, depth = mover:collide(compound)
        local ends_there = (expected[1] or 1) > 1 - 1e-9 and (actual[1] or 1) > 1 - 1e-9
        if not ends_there and (depth or 0) < 1e-9 then
          same_hit(expected, actual, message)
          assert.equal(shapes[part], other, message)
        end
      end
    end
    assert.is_true(hits > 300)
  end)

  it("holds a point that starts inside only if it leads further in", function()
    local upper, lower = sat.rectangle(0, 0, 100, 10), sat.rectangle(0, 10, 100, 10)
    local world = sat.world():add(upper, lower)
    local function cast(x, dx, dy)
      local shape, t, nx, ny = world:cast(sat.point(x, 10), dx, dy)
      return { shape, t, nx, ny }
    end
    assert.same({ upper, 0, -1, 0 }, cast(5, 10, 0))
    assert.same({}, cast(5, -10, 0))
    assert.same({ upper, 0.5, -1, 0 }, cast(-5, 10, 0))
    assert.same({}, cast(50, 10, 0)) -- the shortest ways out lead up and down
  end)

  -- Two segments that meet at x, y, one to the left of a motion and one to its right, and a segment that the motion
  -- leads along itself to where they meet, halfway.
  local function landing(random)
    local x, y = random(-100, 100), random(-100, 100)
    if random(0, 1) == 1 then x, y = x / 7, y / 7 end
    local dx, far, long = random(-9, 9) / 10, random(10, 30), random(3, 13)
    local function arm(side)
      local tangent
      repeat tangent = random(-20, 20) / 10 until dx * tangent < 0.99
      local size = random(5, 20)
      return sat.segment(x, y, x + side * size, y + side * size * tangent)
    end
    local mover = sat.segment(x - dx * (far + long), y - far - long, x - dx * far, y - far)
    return mover, arm(-1), arm(1), x, y, 2 * far * dx, 2 * far
  end

  it("stops a segment that moves along itself to where two segments meet", function()
    for seed = 1, 4000 do
      local random = support.generator(seed)
      local mover, left, right, x, y, dx, dy = landing(random)
      local shape, t, nx, ny, px, py, _, own = sat.world():add(left, right):cast(mover, dx, dy)
      assert.is_true(shape == left or shape == right, "seed " .. seed)
      local expected = { 0.5, nx, ny, x, y, shape == left and 1 or 2, 1 }
      same_hit(expected, { t, nx, ny, px, py, expected[6], own }, "seed " .. seed)
      assert.is_true(nx * dx + ny * dy < 0, "seed " .. seed)
      same_hit(expected, { mover:cast(dx, dy, sat.compound(left, right)) }, "seed " .. seed)
      assert.is_true(math.abs(sat.cast(sat.compound(left, right), -dx, -dy, mover) - 0.5) <= 1e-9, "seed " .. seed)
    end
  end)

  it("shows a ray to where two shapes meet the surface that it shows the cast of a point", function()
    for seed = 1, 2000 do
      local random = support.generator(seed)
      local _, left, right, x, y, dx, dy = landing(random)
      local world, from = sat.world():add(left, right), sat.point(x - dx / 2, y - dy / 2)
      local shape, t, nx, ny, px, py, part = world:raycast(x - dx / 2, y - dy / 2, x + dx / 2, y + dy / 2)
      local expected = { world:cast(from, dx, dy) }
      assert.is_true(shape == left or shape == right, "seed " .. seed)
      table.remove(expected, 1)
      same_hit(expected, { t, nx, ny, px, py, part, 1 }, "seed " .. seed)
    end
    local floor = sat.world():add(sat.rectangle(0, 0, 16, 16), sat.rectangle(16, 0, 16, 16))
    for _, dx in ipairs { -20, 20, -5, 5 } do
      local _, t, nx, ny = floor:raycast(16 - dx, -20, 16 + dx, 20)
      assert.same({ 0.5, 0, -1 }, { t, nx, ny })
    end
  end)

  it("lets pass whatever has an area and fits exactly in between", function()
    local world = sat.world():add(sat.rectangle(0, 0, 100, 10), sat.rectangle(0, 20, 100, 10))
    assert.is_nil((world:cast(sat.rectangle(-20, 10, 10, 10), 200, 0)))
  end)
end)

describe("the cast of a world", function()
  it("meets a one-way shape from its side alone", function()
    local plank = sat.rectangle(0, 50, 100, 10):setStatic(true):setOneWay(0, -1)
    local world = sat.world():add(plank)
    assert.equal(plank, (world:cast(sat.circle(50, 20, 5), 0, 100)))
    assert.is_nil((world:cast(sat.circle(50, 90, 5), 0, -100)))
    assert.is_nil((world:cast(sat.circle(-20, 55, 5), 100, 0)))
    assert.is_nil((world:cast(sat.circle(50, 48, 5), 0, 100))) -- it is inside at the start
    assert.equal(plank, (world:cast(sat.circle(50, 45, 5), 0, 100))) -- it touches
  end)
end)
