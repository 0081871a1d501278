-- What sat.character promises: constant speed on slopes, steps, snapping, corners, one-way platforms, what it tells.
local sat = require "sat"
local character = require "sat.character"
local generator = require("spec.support").generator

local DT, GRAVITY = 1 / 60, 1500
local SEED = require("spec.support").SEED

local MAKERS = {
  box = function() return sat.rectangle(-6, -20, 12, 20) end,
  capsule = function() return sat.capsule(0, -14, 0, -6, 6) end,
  circle = function() return sat.circle(0, -8, 8) end,
}

local function names(map)
  local list = {}
  for name in pairs(map) do list[#list + 1] = name end
  table.sort(list)
  return list
end

-- A character whose feet are at x, y.
local function start(world, shape, x, y, options)
  local hero = character.new(world, shape, options)
  shape:move(x, y)
  world:add(shape)
  return hero
end

-- So many frames with that speed; `see` is called after each.
local function run(hero, vx, frames, see)
  local speed, vy = vx, 0
  for frame = 1, frames do
    local fromX, fromY = hero.shape:center()
    speed, vy = hero:move(vx, vy + GRAVITY * DT, DT)
    local x, y = hero.shape:center()
    if see then see(frame, x - fromX, y - fromY, x, y, speed, vy) end
  end
  return speed, vy
end

-- No solid overlaps by more than twice the length of rounding, as after any world:move.
local function assert_apart(world, hero, message)
  local x, y, w, h = hero.shape:bounds()
  local rounding = 1e-12 * math.max(w, h, math.abs(x), math.abs(y), math.abs(x + w), math.abs(y + h))
  for _, _, _, depth in world:collisions(hero.shape) do assert(depth <= 2 * rounding, message) end
end

-- ---------------------------------------------------------------- hills

-- The corners of a line of slopes up to `steepest`, as tangent, from left to right. The level end is longer than the
-- longest walk.
local function hills(random, count, steepest)
  local line, x, y = { -200, 0, 0, 0 }, 0, 0
  for _ = 1, count do
    local w = random(20, 90)
    x, y = x + w, y + math.floor(w * random(-100, 100) / 100 * steepest)
    line[#line + 1], line[#line + 2] = x, y
  end
  line[#line + 1], line[#line + 2] = x + 800, y
  return line, x
end

local GROUNDS = {}

function GROUNDS.chain(world, line) world:add(sat.chain(line):setStatic(true)) end

local function blocks(line)
  local list = {}
  for i = 1, #line - 2, 2 do
    local x1, y1, x2, y2 = line[i], line[i + 1], line[i + 2], line[i + 3]
    list[#list + 1] = sat.polygon(x1, y1, x2, y2, x2, 2000, x1, 2000):setStatic(true)
  end
  return list
end

function GROUNDS.blocks(world, line) world:add(blocks(line)) end

function GROUNDS.compound(world, line) world:add(sat.compound(blocks(line)):setStatic(true)) end

describe("a character on hills within its slope", function()
  for _, ground in ipairs(names(GROUNDS)) do
    for _, name in ipairs(names(MAKERS)) do
      it(("is on the ground in every frame, as fast up as down: a %s on %s"):format(name, ground), function()
        for seed = SEED, SEED + 7 do
          local random, world = generator(seed % 100000 + 1), sat.world()
          local line = hills(random, 8, 1)
          GROUNDS[ground](world, line)
          local hero = start(world, MAKERS[name](), -40, -3)
          run(hero, 0, 20)
          local speed = random(60, 400)
          local way, straight = speed * DT, 0
          run(hero, speed, 90, function(frame, dx, dy)
            local message = ("seed %d, frame %d"):format(seed, frame)
            assert(hero.ground and not hero.wall, message)
            local made = math.sqrt(dx * dx + dy * dy)
            assert(made < way + 1e-9, message)
            if made > way - 1e-9 then straight = straight + 1 end
            assert_apart(world, hero, message)
          end)
          assert(straight > 20, "few frames of the full speed, seed " .. seed)
        end
      end)

      it(("comes back to where it began: a %s on %s"):format(name, ground), function()
        for seed = SEED, SEED + 7 do
          local random, world = generator(seed % 100000 + 1), sat.world()
          GROUNDS[ground](world, (hills(random, 8, 1)))
          local hero = start(world, MAKERS[name](), -40, -3)
          run(hero, 0, 20)
          local x, y = hero.shape:center()
          local speed, frames = random(60, 400), random(20, 90)
          run(hero, speed, frames)
          run(hero, -speed, frames)
          local toX, toY = hero.shape:center()
          assert(math.abs(toX - x) < speed * DT and math.abs(toY - y) < speed * DT,
            ("seed %d: %g, %g"):format(seed, toX - x, toY - y))
        end
      end)
    end
  end

  it("goes to and fro over one slope without drift", function()
    for _, name in ipairs(names(MAKERS)) do
      for seed = SEED, SEED + 20 do
        local random, world = generator(seed % 100000 + 1), sat.world()
        local rise = random(-1100, 1100)
        world:add(sat.polygon(-1000, rise, 1000, -rise, 1000, 3000, -1000, 3000):setStatic(true))
        local hero = start(world, MAKERS[name](), 0, -20)
        run(hero, 0, 40)
        local x, y = hero.shape:center()
        local speed = random(30, 300)
        for _ = 1, 5 do
          run(hero, speed, 60)
          run(hero, -speed, 60)
        end
        local toX, toY = hero.shape:center()
        assert(math.abs(toX - x) + math.abs(toY - y) < 1e-6, ("%s, seed %d"):format(name, seed))
        assert.is_truthy(hero.ground)
      end
    end
  end)

  it("is as fast where a leg begins at the very bend", function()
    for _, ground in ipairs(names(GROUNDS)) do
      for _, side in ipairs { 1, -1 } do
        local world = sat.world()
        local line = side > 0 and { -200, 0, 0, 0, 54, 28, 300, 28 } or { -300, 28, -54, 28, 0, 0, 200, 0 }
        GROUNDS[ground](world, line)
        local hero = start(world, MAKERS.box(), -40 * side, -3)
        run(hero, 0, 20)
        run(hero, 60 * side, 60, function(frame, dx, dy)
          assert(math.sqrt(dx * dx + dy * dy) < 1 + 1e-9, ("on %s, frame %d"):format(ground, frame))
        end)
        assert.is_true((select(2, hero.shape:center())) > -5)
      end
    end
  end)

  it("stands still on a slope, whatever gravity is", function()
    local world = sat.world():add(sat.polygon(0, 0, 300, 200, 0, 200):setStatic(true))
    local hero = start(world, MAKERS.box(), 100, 20)
    run(hero, 0, 40)
    local x, y = hero.shape:center()
    run(hero, 0, 200)
    assert.same({ x, y }, { hero.shape:center() })
    assert.is_true(hero.groundX > 0 and hero.groundY < 0)
  end)
end)

-- ---------------------------------------------------------------- what is too steep

describe("a wall", function()
  -- From the left a floor, then what is steeper than 50 degrees, in a few pieces. Each piece is higher than the step
  -- of 8 and the part of a round shape that is within the slope, 8 * (1 - cos 50 degrees) = 2.86 for the circle: after
  -- a step of 8 the edge of a wall of 10 is ground to it.
  local function cliff(random)
    local line, x, y = { -300, 0, 0, 0 }, 0, 0
    for _ = 1, random(1, 5) do
      local h = random(11, 60)
      x, y = x + random(0, math.floor(h * 0.8)), y - h
      line[#line + 1], line[#line + 2] = x, y
    end
    line[#line + 1], line[#line + 2] = x + 100, y
    return line
  end

  it("is never climbed, not in pieces either", function()
    for _, ground in ipairs(names(GROUNDS)) do
      for _, name in ipairs(names(MAKERS)) do
        for seed = SEED, SEED + 9 do
          local random, world = generator(seed % 100000 + 1), sat.world()
          local line = cliff(random)
          if ground == "chain" then GROUNDS.chain(world, line)
          else
            local last = #line
            for i = 1, last - 2, 2 do -- an upright piece has no block of its own
              if line[i + 2] > line[i] then
                GROUNDS.blocks(world, { line[i], line[i + 1], line[i + 2], line[i + 3] })
              end
            end
          end
          local hero = start(world, MAKERS[name](), -60, 0, { step = random(0, 1) * 8 })
          run(hero, 0, 3)
          local _, floor = hero.shape:center()
          run(hero, 230, 60, function(frame, _, _, _, y)
            assert(y > floor - 1e-6, ("%s on %s, seed %d, frame %d: %g"):format(name, ground, seed, frame, floor - y))
          end)
          assert.is_truthy(hero.wall)
          assert.is_truthy(hero.ground)
        end
      end
    end
  end)

  it("lifts nobody who jumps at it", function()
    for _, name in ipairs(names(MAKERS)) do
      for seed = SEED, SEED + 9 do
        local random = generator(seed % 100000 + 1)
        local top = { free = 0, blocked = 0 }
        for _, kind in ipairs { "free", "blocked" } do
          local world = sat.world():add(sat.rectangle(-500, 0, 2000, 50):setStatic(true))
          if kind == "blocked" then
            local lean = random(1, 190)
            world:add(sat.polygon(0, 0, lean, -250, 1000, -250, 1000, 0):setStatic(true))
          end
          local hero = start(world, MAKERS[name](), -20, 0)
          run(hero, 0, 3)
          local vx, vy = 0, -500
          for _ = 1, 60 do
            vx, vy = hero:move(230, vy + GRAVITY * DT, DT)
            top[kind] = math.min(top[kind], (select(2, hero.shape:center())))
            assert_apart(world, hero, "seed " .. seed)
          end
          assert.is_true(kind == "free" or vx < 230)
        end
        assert(top.blocked > top.free - 1e-6, ("%s, seed %d"):format(name, seed))
      end
    end
  end)

  it("stops what walks against it, and is told", function()
    local wall = sat.rectangle(50, -100, 10, 100):setStatic(true)
    local world = sat.world():add(sat.rectangle(-100, 0, 300, 10):setStatic(true), wall)
    local hero = start(world, MAKERS.box(), 0, 0)
    local vx, vy = run(hero, 200, 60)
    assert.same({ 0, 0 }, { vx, vy })
    assert.equal(wall, hero.wall)
    assert.same({ 38, -20, 12, 20 }, { hero.shape:bounds() })
    run(hero, -200, 1)
    assert.is_nil(hero.wall)
  end)
end)

-- ---------------------------------------------------------------- steps, snapping, corners

-- A floor with stairs that go up by `height` each, then down again.
local function stairs(height, width)
  local world = sat.world():add(sat.rectangle(-500, 0, 3000, 50):setStatic(true))
  for i = 1, 9 do
    local h = height * (5 - math.abs(5 - i))
    world:add(sat.rectangle(i * width, -h, width, h):setStatic(true))
  end
  return world
end

describe("a step", function()
  for _, name in ipairs(names(MAKERS)) do
    it(("is stepped on up to its height, and not above: a %s"):format(name), function()
      for _, speed in ipairs { 40, 230, 400 } do
        local world = stairs(8, 30)
        local hero = start(world, MAKERS[name](), 0, 0, { step = 8, snap = 8 })
        local top, frames = 0, math.ceil(350 / speed / DT)
        run(hero, speed, frames, function(frame, _, _, _, y)
          assert(frame == 1 or hero.ground, ("in the air in frame %d at a speed of %g"):format(frame, speed))
          assert(speed == 0 or not hero.wall)
          top = math.min(top, y)
          assert_apart(world, hero)
        end)
        assert.is_true(math.abs(top + (name == "circle" and 8 or 10) + 40) < 1e-9)
        world = stairs(8, 30)
        -- A round shape rolls over what is lower than the part of it that is within the slope.
        hero = start(world, MAKERS[name](), 0, 0, { step = name == "box" and 7.99 or 5, snap = 8 })
        run(hero, speed, frames)
        assert.is_truthy(hero.wall)
        assert.is_true((select(2, hero.shape:center())) > -18)
      end
    end)
  end

  it("is none where it leads to no ground", function()
    local world = sat.world():add(sat.rectangle(-500, 0, 1000, 50):setStatic(true))
    world:add(sat.polygon(50, 0, 54, -7, 60, -30, 60, 0):setStatic(true)) -- too steep all the way
    local hero = start(world, MAKERS.box(), 0, 0, { step = 8 })
    run(hero, 230, 60)
    assert.is_truthy(hero.wall)
    assert.is_true(math.abs((select(2, hero.shape:center())) + 10) < 1e-9)
  end)

  it("needs room for the head", function()
    local world = stairs(8, 30):add(sat.rectangle(0, -50, 500, 25):setStatic(true))
    local hero = start(world, MAKERS.box(), 0, 0, { step = 8 })
    run(hero, 230, 60)
    assert.is_truthy(hero.wall)
    assert_apart(world, hero)
  end)
end)

describe("snapping", function()
  it("follows ground that falls away by no more than it says", function()
    for _, snap in ipairs { 0, 9.99, 10, 20 } do
      local world = sat.world():add(sat.rectangle(-100, 0, 150, 50), sat.rectangle(50, 10, 300, 50))
      local hero, air = start(world, MAKERS.box(), 0, 0, { snap = snap }), 0
      run(hero, 120, 60, function(frame) if frame > 1 and not hero.ground then air = air + 1 end end)
      assert.equal(snap < 9, air > 0)
      assert.is_truthy(hero.ground)
    end
  end)

  it("holds back nobody who jumps", function()
    local world = sat.world():add(sat.rectangle(-100, 0, 300, 50))
    local hero = start(world, MAKERS.box(), 0, 0, { snap = 20 })
    run(hero, 0, 2)
    local _, vy = hero:move(0, -100, DT)
    assert.equal(-100, vy)
    assert.is_nil(hero.ground)
  end)
end)

describe("a head that hits an edge", function()
  local function jump(world, x, options, vx)
    local hero = start(world, MAKERS.box(), x, 0, options)
    local vy, ceiling = -500, nil
    hero:move(0, 10, DT)
    for _ = 1, 15 do
      vx, vy = hero:move(vx or 0, vy + GRAVITY * DT, DT)
      ceiling = ceiling or hero.ceiling
    end
    return hero, ceiling
  end

  local function scene() -- a block from 0 to 100 above a floor
    return sat.world():add(sat.rectangle(-500, 0, 1000, 10), sat.rectangle(0, -60, 100, 20))
  end

  it("goes around it where it hits by less than the corner", function()
    local world = scene()
    local hero, ceiling = jump(world, -3, { corner = 4 }) -- by 3
    assert.is_nil(ceiling)
    assert.same({ -12, true }, { (hero.shape:bounds()), (select(2, hero.shape:bounds())) < -60 })
    assert_apart(world, hero)
    hero = jump(scene(), 103, { corner = 4 })
    assert.equal(100, (hero.shape:bounds()))
  end)

  it("stays below it else, and is told", function()
    for _, case in ipairs { { -2, 4 }, { -1, 4 }, { -3, 0 }, { -3, 3 }, { 50, 10 } } do
      local hero, ceiling = jump(scene(), case[1], { corner = case[2] })
      assert.is_truthy(ceiling)
      assert.equal(case[1] - 6, (hero.shape:bounds()))
    end
  end)

  it("does not go through a wall beside it", function()
    local world = scene():add(sat.rectangle(-20, -200, 10, 200))
    local hero, ceiling = jump(world, -3.5, { corner = 4 })
    assert.is_truthy(ceiling)
    assert_apart(world, hero)
  end)
end)

-- ---------------------------------------------------------------- ground

describe("a character that stands on something", function()
  local function added(shapes)
    for _, shape in ipairs(shapes) do shape:setStatic(true) end
    return sat.world():add(shapes)
  end

  it("is told so after any frame that does not lead up", function()
    local box, circle = sat.rectangle(5, -18, 9, 18), sat.circle(20, -6, 6)
    local cases = {
      { added { sat.rectangle(0, 0, 90, 9) }, box:clone(), 120 }, -- on a floor
      { added { sat.chain { 0, 0, 40, 0, 90, 20 } }, circle:clone(), 0 },
      { added { sat.rectangle(0, 0, 90, 9), sat.rectangle(40, -50, 9, 50) }, box:clone():move(26, 0), 120, true },
      { added { sat.polygon(-90, -60, 90, 60, -90, 60) }, sat.circle(0, 0, 6), 0 }, -- put onto a slope below
    }
    cases[4][2]:move(0, -math.sqrt(13) * 2)
    for i, case in ipairs(cases) do
      local world, shape = case[1], case[2]
      world:add(shape)
      local hero, x, y = character.new(world, shape), shape:center()
      hero:move(case[3], 0, DT)
      assert(hero.ground, "no ground in case " .. i)
      assert.equal(case[4] or false, hero.wall ~= nil)
      local toX, toY = shape:center()
      assert.near(x + (case[4] and 0 or case[3] * DT), toX, 1e-9)
      assert.near(y, toY, 1e-9)
    end
  end)

  it("is told so again and again where it rests between the corners of a ledge and a wall", function()
    local world, shape = added { sat.rectangle(0, 0, 80, 20), sat.rectangle(94, -6, 40, 40) }, sat.circle(67, -10, 10)
    world:add(shape)
    local hero, vx, vy = character.new(world, shape), 0, 0
    for frame = 1, 120 do
      vx, vy = hero:move(120, vy + 20, DT)
      assert(hero.ground, "in the air in frame " .. frame)
    end
    local x, y = shape:center()
    assert.near(84.447, x, 1e-3)
    assert.near(-8.957, y, 1e-3)
    assert.equal(0, vx)
  end)

  it("is stopped by no vertex of a hill within its slope, however far out that is", function()
    local hills_far_out = {
      { 1e7, { 0, 0, 0.8, -0.3, 1.3, -0.4, 2, -0.7, 2.3, -0.9 }, 2, 60, 1.9 },
      { 9e6, { 0, 0, 0.4, -0.2, 0.9, -0.5, 1.4, -0.6, 2.2, -0.3 }, 1, 100, 1.5 },
    }
    for _, case in ipairs(hills_far_out) do
      local x, line = case[1], {}
      for i = 1, #case[2], 2 do line[i], line[i + 1] = x + case[2][i], case[2][i + 1] end
      local world, shape = added { sat.chain(line) }, sat.circle(x + 0.2, -0.4, 0.06)
      world:add(shape)
      local hero, vx, vy = character.new(world, shape), 0, 0
      for _ = 1, case[4] do
        vx, vy = hero:move(case[3], hero.ground and 0 or vy + 0.1, DT)
      end
      assert.equal(case[3], vx)
      assert.is_true((shape:center()) - x > case[5])
    end
  end)

  -- The largest part of up in a normal at which a circle touches a solid to within rounding, or nil.
  local function most_upright_contact(shape, world)
    local x, y = shape:center()
    local radius, best = shape:radius(), nil
    local rounding = 1e-12 * math.max(math.abs(x) + radius, math.abs(y) + radius)
    for _, other in ipairs(world:shapes()) do
      local gap, _, _, _, atY = shape:distance(other)
      if other ~= shape and gap <= rounding then
        local up = (atY - y) / radius
        if gap == 0 then up = -select(2, shape:contacts(other)) end
        best = math.max(best or -1, up)
      end
    end
    return best
  end

  it("is told so wherever it comes to stand, and whatever its speed and gravity are", function()
    local steepest, frames = math.cos(math.rad(50)), 0
    for seed = SEED, SEED + 59 do
      local random = generator(seed * 7919 % 2147483647)
      local shape, shapes = sat.circle(0, -200, random(4, 12)), {}
      for _, block in ipairs(blocks((hills(random, 6, 1.4)))) do shapes[#shapes + 1] = block end
      for i = 1, random(0, 8) do
        shapes[#shapes + 1] = sat.rectangle(random(-100, 400), random(-120, 60), random(5, 60), random(5, 60))
        if i % 2 == 1 then shapes[#shapes]:rotate(random(0, 62) / 10) end
      end
      local world = added(shapes)
      for tries = 1, 20 do -- a place in free air
        if not world:collide(shape) then break end
        shape:moveTo(20 * tries, -200 - 10 * tries)
      end
      world:add(shape)
      local hero, vx, vy, gravity = character.new(world, shape), 0, 0, ({ 0, 100, 1500 })[random(1, 3)]
      for frame = 1, 150 do
        if frame % 30 == 1 then vx = random(-2, 2) * 60 end
        if frame == 40 then vy = 300 end -- falls faster
        if not hero.ground and gravity == 0 then vy = 60 end
        local given = vy + gravity * DT
        vy = select(2, hero:move(vx, given, DT))
        local up = given >= 0 and most_upright_contact(shape, world)
        if up and up > steepest + 1e-9 then
          frames = frames + 1
          assert(hero.ground, ("seed %d, frame %d: a contact of %g is no ground"):format(seed, frame, up))
        end
        assert_apart(world, hero, ("seed %d, frame %d"):format(seed, frame))
      end
    end
    assert(frames > 1000, "it stands in few frames: " .. frames)
  end)

  it("is stopped by no vertex of any hills, near or far out", function()
    for seed = SEED, SEED + 99 do
      local random = generator(seed * 7919 % 2147483647)
      local far, radius = (2 * random(0, 1) - 1) * 10 ^ random(0, 6) * random(10, 99) / 10, random(5, 9) / 100
      local line, x, y = { far - 1, 0, far, 0 }, far, 0
      for _ = 1, 7 do
        local w = random(3, 9) / 10
        x, y = x + w, y + w * random(-100, 100) / 100
        line[#line + 1], line[#line + 2] = x, y
      end
      line[#line + 1], line[#line + 2] = x + 4, y
      local way = random(1, 2) == 1 and 1 or -1
      local world, shape = added { sat.chain(line) }, sat.circle(way > 0 and far - 0.5 or x + 0.5, 0, radius)
      shape:moveTo(way > 0 and far - 0.5 or x + 0.5, (way > 0 and 0 or y) - radius - 0.01)
      world:add(shape)
      local hero, vy = character.new(world, shape), 0
      for _ = 1, 30 do vy = select(2, hero:move(0, hero.ground and 0 or vy + 0.1, DT)) end
      local from = shape:center()
      for frame = 1, 60 do
        local vx
        vx, vy = hero:move(way * 2, hero.ground and 0 or vy + 0.1, DT)
        assert(hero.ground and not hero.wall and vx == way * 2, ("seed %d, frame %d, x %g"):format(seed, frame, far))
      end
      local gone = math.abs((shape:center()) - from)
      assert(gone > 1.2, ("seed %d: it has gone %g"):format(seed, gone)) -- 2 along slopes of 45 degrees at most
    end
  end)
end)

describe("an opening in a shaft, both as wide as a character", function()
  it("holds it in its mouth for no longer than a frame", function()
    local world, shape = sat.world():add(sat.rectangle(0, -200, 20, 400), sat.rectangle(36, -200, 20, 240),
      sat.rectangle(36, 56, 20, 200), sat.rectangle(56, -200, 20, 400)), sat.circle(28, 10, 8)
    for _, wall in ipairs(world:shapes()) do wall:setStatic(true) end
    world:add(shape)
    local hero = character.new(world, shape)
    for _ = 1, 80 do hero:move(60, 120, DT) end
    local x, y = shape:center()
    local is_in, is_past = math.abs(x - 48) + math.abs(y - 48) < 1e-6, y > 100
    assert(is_in or is_past, ("it hangs at %.17g, %.17g"):format(x, y))
  end)

  for _, name in ipairs(names(MAKERS)) do
    it(("is gone into, or past: a %s in the shafts of any size"):format(name), function()
      for seed = SEED, SEED + 59 do
        local random = generator(seed * 7919 % 2147483647)
        local shape = MAKERS[name]():scale(random(5, 30) / 10)
        local _, _, w, h = shape:bounds()
        local left, top, side = random(-300, 300) / 7, random(50, 300) / 7, 2 * random(0, 1) - 1
        local function wall(x1, y1, x2, y2) -- to the right of the middle of the shaft, or mirrored
          if side < 0 then x1, x2 = -x2, -x1 end
          return sat.rectangle(left + x1, y1, x2 - x1, y2 - y1):setStatic(true)
        end
        local half = w / 2
        local world = sat.world():add(wall(-half - 20, -300, -half, 600), wall(half, -300, half + 2 * w, top),
          wall(half, top + h, half + 2 * w, 600), wall(half + 2 * w, -300, half + 2 * w + 20, 600))
        shape:moveTo(left, top - h)
        world:add(shape)
        local hero, lastX, lastY, stood = character.new(world, shape), nil, nil, 0
        for frame = 1, 200 do
          hero:move(side * random(30, 90), hero.ground and 0 or random(60, 160), DT)
          local x, y = shape:center()
          local is_in_mouth = math.abs(x - left) > 1e-6 and math.abs(x - left) < w * 0.9 or
            math.abs(x - left) <= 1e-6 and math.abs(y - (top + h / 2)) < h / 2
          stood = is_in_mouth and x == lastX and y == lastY and stood + 1 or 0
          lastX, lastY = x, y
          assert(stood < 3, ("seed %d, frame %d: it hangs at %.17g, %.17g"):format(seed, frame, x, y))
          assert_apart(world, hero, ("seed %d, frame %d"):format(seed, frame))
          if y > top + 2 * h then break end
        end
      end
    end)
  end
end)

-- ---------------------------------------------------------------- platforms

describe("a one-way platform", function()
  local function scene()
    local plank = sat.rectangle(-50, -60, 100, 5):setStatic(true):setOneWay(0, -1)
    return sat.world():add(sat.rectangle(-500, 0, 1000, 10):setStatic(true), plank), plank
  end

  it("is jumped through and stood on, and dropped through once", function()
    for _, name in ipairs(names(MAKERS)) do
      local world, plank = scene()
      local hero = start(world, MAKERS[name](), 0, 0)
      hero:move(0, 10, DT)
      assert.is_false(hero:drop())
      local vy = -520
      for _ = 1, 60 do
        local _
        _, vy = hero:move(0, vy + GRAVITY * DT, DT)
      end
      assert.equal(plank, hero.ground)
      run(hero, 0, 10)
      assert.equal(plank, hero.ground)
      assert.is_true(hero:drop())
      run(hero, 0, 40)
      assert.is_true(hero.ground ~= nil and hero.ground ~= plank)
      assert.is_nil(hero.dropped)
    end
  end)

  it("is dropped through once while it moves down faster than the character falls at first", function()
    for _, name in ipairs(names(MAKERS)) do
      for speed = 1, 4 do
        local plank = sat.rectangle(-50, -400, 100, 5):setStatic(true):setOneWay(0, -1)
        local world = sat.world():add(sat.rectangle(-500, 0, 1000, 10):setStatic(true), plank)
        local hero = start(world, MAKERS[name](), 0, -400)
        run(hero, 0, 2)
        assert.equal(plank, hero.ground)
        hero:drop()
        local vy = 0
        for _ = 1, 40 do
          local _
          world:carry(plank, 0, speed)
          _, vy = hero:move(0, vy + GRAVITY * DT, DT)
          assert.are_not.equal(plank, hero.ground, name .. " " .. speed)
        end
        run(hero, 0, 60)
        assert.is_truthy(hero.ground)
        assert.is_nil(hero.dropped)
      end
    end
  end)

  it("is dropped through where it consists of tiles", function()
    local world = scene()
    for i = -3, 3 do world:add(sat.rectangle(i * 16, -120, 16, 5):setStatic(true):setOneWay(0, -1)) end
    local hero = start(world, MAKERS.box(), 0, -121)
    run(hero, 0, 10)
    local _, top = hero.shape:bounds()
    assert.equal(-140, top)
    hero:drop()
    run(hero, 0, 60)
    assert.same({ -80 }, { (select(2, hero.shape:bounds())) }) -- on the plank below, not through it
  end)
end)

describe("a platform", function()
  it("carries a character to the bit", function()
    for _, name in ipairs(names(MAKERS)) do
      local lift = sat.rectangle(-40, 0, 80, 10):setStatic(true)
      local world = sat.world():add(lift)
      local hero = start(world, MAKERS[name](), 0, 0, { snap = 4 })
      run(hero, 0, 2)
      for frame = 1, 200 do
        local n, crushed = world:carry(lift, frame % 100 < 50 and 3 or -3, frame % 60 < 30 and -2 or 2)
        assert.same({ 1, 0 }, { n, crushed })
        hero:move(0, 25, DT)
        assert.equal(lift, hero.ground)
        local x, y = hero.shape:center()
        local liftX, liftY = lift:center()
        assert.same({ 0, name == "circle" and -13 or -15 }, { x - liftX, y - liftY })
      end
    end
  end)
end)

-- ---------------------------------------------------------------- mirrors

-- Tiles with slopes in any order, and the same mirrored.
local function tiles_of(random, side)
  local list = {}
  for column = -12, 12 do
    local kind, y = random(0, 5), random(-1, 1) * 16
    local x = column * 16
    local corners = { x, y, x + 16, y, x + 16, y + 64, x, y + 64 }
    if kind == 0 then corners[2] = y - 16 elseif kind == 1 then corners[4] = y - 16 end
    if kind == 2 then corners[2], corners[4] = y - 48, y - 48 end
    for i = 1, #corners, 2 do corners[i] = corners[i] * side end
    table.insert(list, random(1, #list + 1), sat.polygon(corners):setStatic(true))
  end
  return list
end

describe("a character in a mirror", function()
  it("walks to the left as it does to the right", function()
    for _, name in ipairs(names(MAKERS)) do
      for seed = SEED, SEED + 15 do
        local heroes = {}
        for _, side in ipairs { 1, -1 } do
          local random, world = generator(seed % 100000 + 1), sat.world()
          world:add(tiles_of(random, side))
          heroes[side] = start(world, MAKERS[name](), 0, -100, { step = 6, snap = 6, corner = 5 })
        end
        local random = generator(seed % 100000 + 7)
        local vy, speed = { 0, [-1] = 0 }, 0
        for frame = 1, 120 do
          if frame % 20 == 1 then speed = random(-250, 250) end
          local isJump = random(0, 15) == 0
          for _, side in ipairs { 1, -1 } do
            local hero = heroes[side]
            local up = isJump and hero.ground and -400 or vy[side] + GRAVITY * DT
            vy[side] = select(2, hero:move(side * speed, up, DT))
            assert_apart(hero.world, hero, ("%s, seed %d, frame %d"):format(name, seed, frame))
          end
          local x, y = heroes[1].shape:center()
          local mirroredX, mirroredY = heroes[-1].shape:center()
          assert(math.abs(x + mirroredX) + math.abs(y - mirroredY) < 2e-6,
            ("%s, seed %d, frame %d: %.17g, %.17g and %.17g, %.17g"):format(name, seed, frame, x, y, mirroredX,
              mirroredY))
        end
      end
    end
  end)

  it("walks the same where all is turned by quarters", function()
    for seed = SEED, SEED + 7 do
      local places = {}
      for quarter = 0, 3 do
        local random, world = generator(seed % 100000 + 1), sat.world()
        for _, shape in ipairs(tiles_of(random, 1)) do world:add(shape:rotate(quarter * math.pi / 2, 0, 0)) end
        local c, s = ({ 1, 0, -1, 0 })[quarter + 1], ({ 0, 1, 0, -1 })[quarter + 1]
        local shape = MAKERS.box():move(0, -100):rotate(quarter * math.pi / 2, 0, 0)
        local hero = character.new(world:add(shape), shape, { up = { 3 * s, -3 * c }, step = 6, snap = 6 })
        random = generator(seed % 100000 + 7)
        for frame = 1, 90 do
          local speed = frame < 45 and 200 or -170
          local _, vy = hero:move(speed, 200, DT)
          if random(0, 15) == 0 and vy == 0 then hero:move(speed, -300, DT) end
          local x, y = shape:center()
          places[frame] = places[frame] or { x, y }
          local back_x, back_y = c * x + s * y, c * y - s * x
          assert(math.abs(places[frame][1] - back_x) + math.abs(places[frame][2] - back_y) < 1e-6,
            ("seed %d, quarter %d, frame %d"):format(seed, quarter, frame))
        end
      end
    end
  end)
end)

-- ---------------------------------------------------------------- what is stopped

local FIELDS = { "ground", "groundX", "groundY", "wall", "ceiling", "hung", "dropped", "response" }

local function state_of(hero)
  local state = { hero.shape:center() }
  for _, field in ipairs(FIELDS) do state[#state + 1] = tostring(hero[field]) end
  return table.concat(state, " ")
end

-- A scene with slopes, steps, planks, ceilings and walls, and a character in it.
local function stage(random, maker)
  local world = sat.world():add(sat.rectangle(-400, 0, 800, 20), sat.polygon(-300, 0, -200, -60, -100, 0))
  for _ = 1, 8 do
    local x, y, kind = random(-300, 300), random(-90, 0), random(1, 4)
    local thing = kind == 1 and sat.rectangle(x, y, random(5, 60), 4):setOneWay(0, -1)
      or kind == 2 and sat.polygon(x, 0, x + 40, -random(5, 60), x + 40, 0)
      or kind == 3 and sat.circle(x, y, 8):setSensor(true) or sat.rectangle(x, -random(2, 9), 60, 9)
    world:add(thing)
  end
  return start(world, maker(), random(-300, 300), -random(0, 80), { step = 6, snap = 6, corner = 5 })
end

describe("a frame of a character", function()
  -- Stops the response function at its k-th call, for every k, and compares with a character who is never stopped.
  local function stop_everywhere(stop)
    local stopped, longest = 0, 0
    for scene = 1, 60 do
      for _, name in ipairs(names(MAKERS)) do
        local hero = stage(generator(SEED + scene), MAKERS[name])
        local other = stage(generator(SEED + scene), MAKERS[name])
        local random, vy, otherVy = generator(SEED + scene), 0, 0
        for frame = 1, 25 do
          local vx, calls, at, before = random(-300, 300), 0, 1, state_of(hero)
          if random(1, 9) == 1 and hero.ground then vy, otherVy = -400, -400 end
          if random(1, 9) == 1 then
            assert.equal(other:drop(), hero:drop())
            before = state_of(hero)
          end
          local function response()
            calls = calls + 1
            if calls == at then stop(hero) end
            return true
          end
          repeat
            calls = 0
            local ok, _, toVy = pcall(hero.move, hero, vx, vy + GRAVITY * DT, DT, response)
            if ok then vy = toVy break end
            assert.equal(before, state_of(hero),
              ("seed %d, scene %d, frame %d, call %d"):format(SEED, scene, frame, at))
            at, stopped, longest = at + 1, stopped + 1, math.max(longest, at)
          until false
          _, otherVy = other:move(vx, otherVy + GRAVITY * DT, DT, function() return true end)
          local x, y = hero.shape:center()
          local otherX, otherY = other.shape:center()
          assert.near(otherX, x, 1e-9)
          assert.near(otherY, y, 1e-9)
        end
      end
    end
    assert.is_true(stopped > 1000 and longest >= 12, stopped .. " errors, at call " .. longest .. " at last")
  end

  it("leaves the character as it was where the response function raises an error", function()
    stop_everywhere(function() error({}) end)
  end)

  it("leaves the character as it was where the response function calls it again, or yields", function()
    local problems = {}
    stop_everywhere(function(hero)
      local ok, problem = pcall(hero.move, hero, 1, 1, 1)
      problems[tostring(ok)] = problem
      coroutine.yield()
    end)
    assert.is_nil(problems["true"])
    assert.matches("character_spec.lua:%d+: 'move' has been called while the character moves$",
      select(2, pcall(function()
        local hero = stage(generator(SEED), MAKERS.box)
        for _ = 1, 99 do hero:move(0, 90, DT, function() hero:move(1, 1, 1) end) end
      end)))
  end)

  it("passes on the error of a response function as it is, and names its own caller's line for others", function()
    local hero = stage(generator(SEED), MAKERS.box)
    local problem = {}
    for _, text in ipairs { "game.lua:1: text", problem } do
      local ok, raised = pcall(function()
        for _ = 1, 99 do hero:move(0, 90, DT, function() error(text, 0) end) end
      end)
      assert.same({ false, true }, { ok, raised == text })
    end
    local far = start(sat.world(), sat.rectangle(0, 0, 1, 1), 9e14, 0)
    assert.matches("character_spec.lua:%d+: bad argument", select(2, pcall(function() far:move(9e14, 0, 1) end)))
    assert.same({ 9e14 + 0.5, 0.5 }, { far.shape:center() })
  end)

  it("names an option that the game has made too large or no number", function()
    for option, value in pairs { step = 1e300, snap = "far", corner = {} } do
      local hero = start(sat.world():add(sat.rectangle(-50, 0, 100, 9), sat.rectangle(10, -4, 9, 9),
        sat.rectangle(5, -40, 9, 4)), MAKERS.box(), 0, 0, { step = 5, snap = 5, corner = 5 })
      hero:move(0, 60, DT)
      assert.is_truthy(hero.ground)
      hero[option] = value
      local _, text = pcall(function()
        for _ = 1, 60 do hero:move(option == "corner" and 0 or 90, option == "corner" and -300 or 0, DT) end
      end)
      assert.matches("character_spec.lua:%d+: calling 'move' on bad self %(" .. option .. " must be a finite", text)
    end
  end)
end)

-- ---------------------------------------------------------------- how it is called

describe("character.new and its methods", function()
  local world, shape = sat.world(), sat.circle(0, 0, 5)

  local function raises(message, f, ...)
    local ok, text = pcall(f, ...)
    assert.is_false(ok)
    assert.matches(message, text, 1, true)
    assert.matches("character_spec.lua:%d+: ", tostring(select(2, pcall(function(...) f(...) end, ...))))
  end

  it("name what is wrong", function()
    raises("bad argument #1 to 'new' (world must be a world, not nil)", character.new, nil, shape)
    raises("bad argument #2 to 'new' (shape must be a shape, not a table)", character.new, world, {})
    raises("(there is no option 'stpe'; the nearest is 'step')", character.new, world, shape, { stpe = 4 })
    raises("(there is no option 'Snap'; the nearest is 'snap')", character.new, world, shape, { Snap = 4 })
    raises("(there is no option 1)", character.new, world, shape, { 4 })
    raises("(options must be a table, not 4)", character.new, world, shape, 4)
    raises("(step must be a finite number from 0 to below 1e+07, not -1)", character.new, world, shape, { step = -1 })
    raises("(slope must be a finite number from 0 to below 1.5708, not 2)", character.new, world, shape, { slope = 2 })
    raises("(corner must be a finite number from 0 to below 1e+07, not '3')", character.new, world, shape,
      { corner = "3" })
    raises("(up must be a table of two numbers, not 'left')", character.new, world, shape, { up = "left" })
    raises("(up must be a direction, not 0, 0)", character.new, world, shape, { up = { 0, 0 } })
    raises("bad argument #3 to 'new' (snap must be a finite number from 0 to below 1e+07, not 1e+15)", character.new,
      world, shape, { snap = 1e15 })
    local hero = character.new(world, shape)
    raises("bad argument #1 to 'move' (vx must be a finite number, not nil)", hero.move, hero)
    raises("bad argument #1 to 'move' (vx * dt must be a finite number from -1e+15 to below 1e+15, not 1e+300)",
      hero.move, hero, 1e300, 0, 1)
    raises("bad argument #2 to 'move' (vy * dt must be a finite number from -1e+15", hero.move, hero, 0, -1e300, 1)
    raises("bad argument #2 to 'move' (vy must be a finite number, not a table)", hero.move, hero, 1, {}, 1)
    raises("bad argument #3 to 'move' (dt must be a finite number of 0 or more, not -1)", hero.move, hero, 1, 1, -1)
    raises([[(response must be "slide", "touch", "bounce", "push", "cross" or a function, not 'slid')]], hero.move,
      hero, 1, 1, 1, "slid")
  end)

  it("pass a response on: who is left out, and what is crossed", function()
    local ghost = sat.rectangle(20, -50, 10, 50):setStatic(true)
    local scene = sat.world():add(sat.rectangle(-100, 0, 300, 10):setStatic(true), ghost)
    local coin = sat.circle(60, -10, 3):setSensor(true)
    scene:add(coin)
    local hero, seen = start(scene, MAKERS.box(), 0, 0), {}
    local vy = 0
    for _ = 1, 60 do
      local _
      _, vy = hero:move(100, vy + GRAVITY * DT, DT, function(_, other)
        seen[other] = true
        return other ~= ghost
      end)
    end
    assert.is_true((hero.shape:center()) > 80)
    assert.is_true(seen[coin] and seen[ghost])
  end)

  it("make no garbage", function()
    local scene = stairs(8, 30)
    local hero = start(scene, MAKERS.capsule(), 0, 0, { step = 8, snap = 8, corner = 4 })
    local function frames(count)
      local vy = 0
      for frame = 1, count do
        local _
        local up = frame % 50 == 0 and -300 or vy + 25
        _, vy = hero:move(frame % 200 < 100 and 150 or -150, up, DT)
      end
    end
    frames(2000)
    -- What LuaJIT compiles late is memory, too; garbage would be there in each round.
    local least = math.huge
    for _ = 1, 5 do
      collectgarbage()
      collectgarbage("stop")
      local before = collectgarbage("count")
      frames(2000)
      least = math.min(least, collectgarbage("count") - before)
      collectgarbage("restart")
    end
    assert.is_true(least < 4, ("%g KB"):format(least))
  end)
end)
