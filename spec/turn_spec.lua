-- What sat.turn and world:turn promise, by random pairs and scenes: each against the gap of the two at many angles.
local sat = require "sat"
local scenes = require "spec.scenes"
local support = require "spec.support"

local generator, near = support.generator, support.near
local RUNS = math.ceil((tonumber(os.getenv "SAT_TEST_SCALE") or 1) * 150)
local abs, max, min = math.abs, math.max, math.min
local unpack = table.unpack or unpack

local function pieces_of(shape) return shape:isConvex() and { shape } or shape:pieces() end

local function scale_of(shape)
  local x, y, w, h = shape:bounds()
  return max(w, h, abs(x), abs(y), abs(x + w), abs(y + h))
end

-- By how much less than at first, and than 0, the gap of any pair of pieces is after a turn.
local function lowest(a, b, px, py, rounding)
  local of_a, of_b, least = pieces_of(a), pieces_of(b), {}
  for i, one in ipairs(of_a) do
    for k, other in ipairs(of_b) do
      local _, _, gap = sat.axis(one, other)
      least[#of_b * i + k] = gap < -rounding and gap or 0
    end
  end
  return function(angle)
    local most = math.huge
    for i, one in ipairs(of_a) do
      local turned = one:clone():rotate(angle, px, py)
      for k, other in ipairs(of_b) do
        local _, _, gap = sat.axis(turned, other)
        most = min(most, gap - least[#of_b * i + k])
      end
    end
    return most
  end
end

-- Shapes of every kind, of sizes from 0.001 to a million, at up to ten million.
local function random_shape(random, x, y, size)
  local function real(low, high) return low + (high - low) * random(0, 1000000) / 1000000 end
  local kind = random(1, 9)
  if kind == 1 then return sat.circle(x, y, size / 2) end
  if kind == 2 then return sat.capsule(x, y, x + size, y + real(-size, size), size * real(0.01, 0.5)) end
  if kind == 3 then return sat.segment(x, y, x + size, y + real(-size, size)) end
  if kind == 4 then return sat.regular(x, y, size / 2, random(3, 40)) end
  if kind == 5 then return sat.regular(x, y, size / 2, random(3, 8)):setRadius(size * real(0.01, 0.3)) end
  if kind == 6 then
    return sat.compound(sat.rectangle(x, y, size, size / 4), sat.circle(x, y, size / 3),
      sat.rectangle(x, y, size / 5, size))
  end
  local far = x + size
  if kind == 7 then return sat.chain { x, y, far, y + real(0, size), x + size / 2, y + size, x - size, y + size } end
  local middleX, middleY = x + size / 3, y + size / 3
  if kind == 8 then return sat.polygon { x, y, far, y, far, middleY, middleX, middleY, x, y + size } end
  return sat.rectangle(x, y, size, size * real(0.05, 1), real(0, 3))
end

local function random_turn(random)
  local size, far = 10 ^ (random(-300, 600) / 100), 10 ^ (random(0, 700) / 100)
  if far > 1e8 * size then far = 1e8 * size end
  local x, y = far * random(-1000, 1000) / 1000, far * random(-1000, 1000) / 1000
  local other = size * 10 ^ (random(-100, 100) / 100)
  local dx, dy = (size + other) * random(-100, 100) / 100, (size + other) * random(-100, 100) / 100
  local a, b = random_shape(random, x, y, size), random_shape(random, x + dx, y + dy, other)
  if random(1, 2) == 1 then a:rotate(random(-600, 600) / 100) end
  local px, py = a:center()
  local is_pivoted = random(1, 3) == 1
  if is_pivoted then px, py = px + size * random(-100, 100) / 50, py + size * random(-100, 100) / 50 end
  local angle = random(-300, 300) / (random(1, 4) == 1 and 2000 or 100)
  return a, angle, b, px, py, is_pivoted
end

describe("sat.turn", function()
  it("stops where the two touch, and nothing is deeper on the way, for shapes of every kind", function()
    local hits = 0
    for run = 1, 10 * RUNS do
      local random = generator(support.SEED * 1000 + run)
      local a, angle, b, px, py, is_pivoted = random_turn(random)
      local rounding = 1e-12 * max(scale_of(a), scale_of(b), abs(px), abs(py))
      local t, nx, ny, x, y
      if is_pivoted then t, nx, ny, x, y = sat.turn(a, angle, b, px, py) else t, nx, ny, x, y = a:turn(angle, b) end
      local _, _, w, h = a:bounds()
      if 1024 * rounding < max(w, h) then
        local gap_after = lowest(a, b, px, py, rounding)
        for i = 0, 20 do
          local gap = gap_after((t or 1) * angle * i / 20)
          assert(gap >= -1.01 * rounding, ("run %d: deeper by %g at %d"):format(run, gap / rounding, i))
        end
        if t then
          hits = hits + 1
          assert(abs(gap_after(t * angle)) <= rounding, run)
          near(1, nx * nx + ny * ny, 1e-12)
          local closing = ((x - px) * ny - (y - py) * nx) * (angle < 0 and -1 or 1)
          local arm = math.sqrt((x - px) ^ 2 + (y - py) ^ 2)
          assert(closing < 4 * math.sqrt(2 * rounding * arm), run)
        end
      end
    end
    assert(hits > RUNS)
  end)

  it("is the same in a mirror", function()
    for run = 1, RUNS do
      local random = generator(support.SEED * 3000 + run)
      local points, others = {}, {}
      for i = 1, 6, 2 do
        points[i], points[i + 1] = random(-30, 30) + i / 7, random(-30, 30)
        others[i], others[i + 1] = random(10, 60), random(-40, 40) + i / 3
      end
      local angle = random(-300, 300) / 100
      local function shape(list, sign)
        local copy = {}
        for i, v in ipairs(list) do copy[i] = i % 2 == 1 and sign * v or v end
        local ok, hull = pcall(sat.hull, copy)
        return ok and hull
      end
      local a, b, c, d = shape(points, 1), shape(others, 1), shape(points, -1), shape(others, -1)
      if a and b then
        local t, mirrored = a:turn(angle, b, 3, 4), c:turn(-angle, d, -3, 4)
        assert.equal(t == nil, mirrored == nil)
        if t then near(t * angle, mirrored * angle, 2e-8) end
      end
    end
  end)

  it("tells of compounds the first hit of all pairs of pieces", function()
    for run = 1, RUNS do
      local random = generator(support.SEED * 5000 + run)
      local function heap(x)
        return sat.compound(sat.rectangle(x, random(-9, 9), 9, 3), sat.circle(x + random(-9, 9), random(-9, 9), 3),
          sat.polygon(x, 0, x + 9, random(1, 9), x - 3, 12))
      end
      local a, b, angle = heap(0), heap(random(10, 25)), random(-300, 300) / 100
      local px, py = a:center()
      local first
      for _, one in ipairs(a:pieces()) do
        for _, other in ipairs(b:pieces()) do
          local t = one:turn(angle, other, px, py)
          if t and (not first or t < first) then first = t end
        end
      end
      assert.equal(first, (a:turn(angle, b)))
    end
  end)
end)

-- ---------------------------------------------------------------- worlds

-- Calls check(world, shape, angle, shapes, random, px, py) for turns of random shapes in random scenes of every kind,
-- from places that overlap nothing.
local function for_turns(seed, check)
  for _, kind in ipairs(scenes.kinds) do
    local random = generator(support.SEED * seed)
    for run = 1, math.ceil(RUNS / 20) do
      local scene, mover = scenes.make(kind, random), scenes.mover(random)
      local world, shapes = scenes.world(scene)
      local shape = scenes.shape(mover)
      for step = 1, 5 do
        shape:move(random(-40, 40), random(-40, 40))
        local dx, dy = world:collide(shape)
        if dx then shape:move(dx, dy) end
        local free = true
        for _, depth in ipairs(scenes.depths(shape, shapes)) do free = free and depth <= 1e-10 end
        local px, py
        if random(1, 3) == 1 then px, py = shape:center() px = px + random(-20, 20) end
        if free then
          local ok, message = pcall(check, world, shape, random(-400, 400) / 100, shapes, random, px, py)
          if not ok then error(("%s, run %d, step %d: %s"):format(kind, run, step, tostring(message)), 0) end
        end
      end
    end
  end
end

describe("world:turn", function()
  for _, response in ipairs { "touch", "slide" } do
    it(("overlaps nothing afterwards, by %q"):format(response), function()
      local stops = 0
      for_turns(7, function(world, shape, angle, shapes, _, px, py)
        local rounding, turned = 1e-12 * (100 + scenes.far), world:turn(shape, angle, response, px, py)
        for _, depth in ipairs(scenes.depths(shape, shapes)) do assert(depth <= 4 * rounding, depth) end
        assert(turned * angle >= 0 and abs(turned) <= abs(angle))
        if turned ~= angle then stops = stops + 1 end
      end)
      assert(stops > RUNS / 10)
    end)
  end

  it("stops where the first of all turns against single shapes does", function()
    for_turns(11, function(world, shape, angle, shapes, _, px, py)
      local cx, cy = shape:center()
      local first
      for _, other in ipairs(shapes) do
        local t = shape:turn(angle, other, px or cx, py or cy)
        if t and (not first or t < first) then first = t end
      end
      local turned, n = world:checkTurn(shape, angle, nil, px, py)
      near((first or 1) * angle, turned, 1e-12 * abs(angle))
      assert.equal(first and 1 or 0, n)
    end)
  end)

  it("is exactly a rotation where nothing is hit, and stops at the same place when blocked twice", function()
    for_turns(13, function(world, shape, angle, _, _, px, py)
      local twin = shape:clone():rotate(angle, px, py)
      local turned, n = world:turn(shape, angle, "touch", px, py)
      if n == 0 and not world:collide(twin) then
        local x, y = twin:center()
        local rx, ry = shape:center()
        assert(x == rx and y == ry and twin:rotation() == shape:rotation())
      elseif n > 0 then
        assert.equal(0, (world:turn(shape, angle - turned, "touch", px, py)))
      end
    end)
  end)

  it("tells by checkTurn what it would do, and changes nothing", function()
    for_turns(17, function(world, shape, angle, _, random, px, py)
      local response = ({ "touch", "slide", "cross" })[random(1, 3)]
      world:add(shape)
      local saved = world:save()
      local turned, n = world:checkTurn(shape, angle, response, px, py)
      assert.equal(saved, world:save())
      local really, count = world:turn(shape, angle, response, px, py)
      world:remove(shape)
      assert.equal(turned, really)
      assert.equal(n, count)
    end)
  end)

  it("goes as far by \"slide\" as by \"touch\", or farther", function()
    local farther = 0
    for_turns(19, function(world, shape, angle, _, _, px, py)
      local touch = world:checkTurn(shape, angle, "touch", px, py)
      local slide = world:checkTurn(shape, angle, "slide", px, py)
      assert(abs(slide) >= abs(touch) - 1e-12)
      if abs(slide) > abs(touch) then farther = farther + 1 end
    end)
    assert(farther > RUNS / 20)
  end)

  it("turns a box in a corridor by the angle that fits, wherever it stands", function()
    for y = -7, 7 do
      local world = sat.world():add(sat.rectangle(-500, -50, 1000, 32.5), sat.rectangle(-500, 17.5, 1000, 50))
      local box = sat.rectangle(-20, y - 10, 40, 20)
      near(0.435222, world:turn(box, 1.5, "slide"), 1e-6)
      near(-2 * 0.435222, world:turn(box, -1.5, "slide"), 1e-6)
    end
  end)

  it("steps back alike from a floor of two pieces, in any order of adding", function()
    local function turned(x, y, isReversed)
      local slope, box = sat.polygon(x, y, x + 16, y, x + 16, y + 16), sat.rectangle(x + 16, y, 14, 1)
      local world, shape = sat.world(), sat.rectangle(x + 0.2, y - 14, 20, 14)
      if isReversed then world:add(box, slope) else world:add(slope, box) end
      local angle, n = world:turn(shape, 1, "slide")
      return { angle, n, shape:center() }
    end
    for i = 1, 20 do assert.same(turned(i / 3, 56 + i / 7.3), turned(i / 3, 56 + i / 7.3, true)) end
  end)

  it("crosses sensors and reports them, but not what the filters keep apart", function()
    local world = sat.world()
    local sensor, ghost = sat.circle(0, 20, 4):setSensor(true), sat.circle(20, 20, 9):setFilter(2, 2)
    local wall, bar = sat.circle(-20, 0, 6), sat.rectangle(0, -1, 25, 2)
    world:add(sensor, ghost, wall, bar)
    local turned, n = world:turn(bar, 6, nil, 0, 0)
    assert(turned > 2 and turned < math.pi)
    assert.equal(2, n)
    local list = {}
    for other, _, _, t, _, _, how in world:hits() do list[#list + 1] = { other, how, t } end
    assert.equal(sensor, list[1][1])
    assert.equal("cross", list[1][2])
    assert.equal(wall, list[2][1])
    assert.equal("touch", list[2][2])
    near(turned / 6, list[2][3], 1e-12)
    assert.equal(6, (world:turn(bar:setSensor(true):setRotation(0), 6, nil, 0, 0)))
  end)

  it("is stopped by what is one-way from its side alone", function()
    local world = sat.world():add(sat.rectangle(-50, 10, 100, 4):setOneWay(0, -1))
    local bar = sat.rectangle(-20, -1, 40, 2)
    assert(world:checkTurn(bar, 1.5) < 1)
    bar:move(0, 24)
    assert.equal(1.5, (world:checkTurn(bar, 1.5)))
    bar:move(0, -10) -- inside
    assert.equal(1.5, (world:checkTurn(bar, 1.5)))
  end)

  it("asks its function once for each other, before anything has changed", function()
    local world, bar = sat.world(), sat.rectangle(0, -1, 25, 2)
    local balls = {}
    for i = 1, 5 do
      balls[i] = sat.circle(20 * math.cos(i), 20 * math.sin(i), 3):setData(i)
      world:add(balls[i])
    end
    local asked = {}
    local turned, n = world:turn(bar, 6.2, function(shape, other, nx, ny, t)
      asked[#asked + 1] = other:data()
      assert(shape == bar and bar:rotation() == 0 and nx * nx + ny * ny > 0.99 and t <= 1)
      assert(not pcall(bar.move, bar, 1, 1) and not pcall(world.turn, world, bar, 1))
      return ({ "cross", false, nil, true })[other:data()]
    end, 0, 0)
    assert.same({ 1, 2, 3, 4 }, asked)
    assert.equal(2, n)
    assert(turned > 3 and turned < 4)
    assert.equal(turned, bar:rotation())
    local ok, message = pcall(world.turn, world, bar, -3, function() error("no", 0) end, 0, 0)
    assert(not ok and message == "no" and bar:rotation() == turned)
    ok, message = pcall(world.turn, world, bar, -3, function() return "bounce" end, 0, 0)
    assert(not ok and message:find 'must return "touch", "slide", "cross", true, false or nil')
    assert.equal(turned, bar:rotation())
    world:turn(bar, -0.1, nil, 0, 0)
  end)

  it("lets what is behind a closed chain pass", function()
    local room = sat.chain({ -30, -30, 30, -30, 30, 30, -30, 30 }, true) -- open outside
    local world, bar = sat.world():add(room), sat.rectangle(-20, -2, 45, 4)
    assert.equal(3, (world:turn(bar, 3, nil, 28, 0)))
    local outside = sat.rectangle(-20, -40, 45, 4)
    assert(world:turn(outside, 3) < 3)
  end)

  it("takes turns of 1e15 radians", function()
    local world, bar = sat.world():add(sat.rectangle(100, -5, 10, 10)), sat.rectangle(-20, -2, 40, 4)
    assert.equal(1e15, (world:turn(bar, 1e15)))
    bar:setRotation(0)
    world:add(sat.rectangle(-5, 10, 10, 10))
    local turned = world:turn(bar, 1e15)
    assert(turned > 0.4 and turned < 2)
  end)
end)

describe("sat.turn of shapes of many parts", function()
  it("asks only those that reach as far from the pivot as the other shape", function()
    assert.is_nil(sat.turn(sat.ring(0, 0, 5, 9.99, 4000), 6, sat.ring(0, 0, 10, 20, 4000)))
    assert.is_number(sat.turn(sat.rectangle(0, 9, 0.5, 0.99), 6, sat.ring(0, 0, 9.5, 20, 4000), 0, 0))
  end)

  it("meets first what its parts meet first", function()
    local first = 0
    for i = 1, 60 do
      local x, y, part = i % 7 - 3, i % 5 - 2, {}
      local b = sat.ring(x, y, 6, 7 + i % 3, 5 + i % 9)
      local function make(k) return sat.rectangle(k % 4 * 2 - 4, math.floor(k / 4) * 2 - 2, 1, 0.5, k + i) end
      for k = 1, 8 do part[k] = make(k) end
      local whole, least = sat.turn(sat.compound(unpack(part)), i / 10, b, 1, 0), nil
      for k = 1, 8 do
        local t = sat.turn(make(k), i / 10, b, 1, 0)
        if t and (not least or t < least) then least = t end
      end
      assert.are.equal(least ~= nil, whole ~= nil)
      if least then assert.is_true(math.abs(least - whole) <= 1e-9) end
      if least and least > 0 then first = first + 1 end
    end
    assert.is_true(first > 5, "few turns met anything: " .. first)
  end)
end)
