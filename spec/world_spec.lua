-- What a world answers, against a plain list of shapes that are all asked, and what it does to shapes that come and go.
local sat = require "sat"
local support = require "spec.support"

local finalized, generator = support.finalized, support.generator

local function list_of(...)
  local list = {}
  for a, b in ... do list[#list + 1] = { a, b } end
  return list
end

local function ball(x) return sat.circle(x, 0, 1) end

-- A shape of any kind, about so large.
local function any_shape(random, x, y, size)
  local kind = random(1, 8)
  if kind == 1 then return sat.polygon { x, y, x + size, y, x + size / 3, y + size / 3, x, y + size } end
  if kind == 2 then return sat.chain({ x, y, x + size, y + 1, x + size, y + size, x, y + size }, random(1, 2) == 1) end
  if kind == 3 then return sat.compound(sat.rectangle(x, y, size, 1), sat.circle(x, y, size / 2)) end
  return sat.regular(x, y, size, random(3, 7))
end

describe("sat.world", function()
  it("takes no options yet", function()
    assert.equal("world", sat.type(sat.world()))
    assert.equal("world", sat.type(sat.world {}))
    assert.error_matches(function() sat.world { size = 1 } end,
      "bad argument #1 to 'world' %(there are no options yet%)")
  end)

  it("is readable, and has no fields", function()
    local world = sat.world():add(ball(0))
    assert.equal("sat.world (1 shape)", tostring(world))
    assert.equal("sat.world (0 shapes)", tostring(sat.world()))
    assert.equal("sat.world", getmetatable(world))
    assert.error_matches(function() world.name = 1 end, "a world has no field 'name', and none can be set")
  end)
end)

describe("a world's shapes", function()
  it("are in one world at most, and know it", function()
    local world, other, shape = sat.world(), sat.world(), ball(0)
    assert.is_nil(shape:world())
    assert.equal(world, world:add(shape))
    assert.equal(world, shape:world())
    assert.is_true(world:has(shape))
    assert.is_false(other:has(shape))
    assert.error_matches(function() other:add(shape) end,
      "bad argument #1 to 'add' %(the shape is in a world already: remove it there, or add a clone%(%)%)")
    assert.error_matches(function() other:remove(shape) end,
      "bad argument #1 to 'remove' %(the shape is in another world: shape:world%(%) tells which%)")
    assert.is_true(world:remove(shape))
    assert.is_nil(shape:world())
    assert.is_false(world:remove(shape))
    other:add(shape)
    assert.equal(other, shape:world())
  end)

  it("come all or not at all", function()
    local world, a, b = sat.world(), ball(0), ball(1)
    assert.error_matches(function() world:add(a, b, a) end,
      "bad argument #3 to 'add' %(the shape comes twice: add a clone%(%)%)")
    assert.error_matches(function() world:add(a, 1) end,
      "bad argument #2 to 'add' %(shape must be a shape, not a number%)")
    assert.error_matches(function() world:add() end,
      "bad argument #1 to 'add' %(shape must be a shape, but is missing%)")
    assert.equal(0, world:count())
    world:add(a, b)
    assert.equal(2, world:count())
    assert.same({ a, b }, (world:shapes()))
    world:clear()
    assert.equal(0, world:count())
    assert.is_nil(a:world())
  end)

  it("are cloned without the world", function()
    local world, shape = sat.world(), ball(0)
    world:add(shape)
    local clone = shape:clone():move(5, 0)
    assert.is_nil(clone:world())
    world:add(clone)
    assert.same({}, list_of(world:collisions()))
  end)

  it("are let go when the world is released, which can be used again", function()
    local world, shape = sat.world(), ball(0)
    world:add(shape, ball(1))
    world:update()
    world:release()
    assert.is_nil(shape:world())
    assert.equal(0, world:count())
    assert.same({ 0, 0 }, { world:update() })
    assert.is_true(world:add(shape):has(shape))
  end)

  it("live on when the world is collected", function()
    local shape = ball(0)
    sat.world():add(shape)
    collectgarbage()
    collectgarbage()
    assert.is_nil(shape:world())
    shape:move(1, 0)
    assert.is_true(sat.world():add(shape):has(shape))
  end)

  it("are kept alive by it, and collected with it", function()
    local gone = setmetatable({}, { __mode = "k" })
    do
      local world = sat.world()
      for i = 1, 10 do
        local shape = ball(i)
        shape:setData { world = world, shape = shape }
        gone[shape] = true
        world:add(shape)
      end
      world:update()
      collectgarbage()
      assert.equal(10, world:count())
      assert.equal(9 + 8, #list_of(world:collisions()))
    end
    collectgarbage()
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(gone))
  end)
end)

describe("a finalizer", function()
  it("may change worlds that are being changed, looped over or collected", function()
    local world, runs = sat.world(), 0
    for i = 1, 30 do world:add(ball(i)) end
    for i = 1, 100 do
      local other, mine = sat.world(), ball(i)
      other:add(mine, ball(i + 1))
      local step, state = other:collisions()
      finalized(function()
        runs = runs + 1
        mine:move(1, 0)
        assert(mine:world() == nil or mine:world() == other)
        for _, call in ipairs { other.update, other.release, world.update } do pcall(call, other) end
        pcall(step, state)
        pcall(other.add, other, ball(1))
        local first = (world:shapes())[1]
        if first then world:remove(first) end
        world:add(ball(runs % 30))
        world:load(world:save())
      end)
      for a in world:collisions() do
        a:move(0.01, 0)
        if i % 10 == 0 then collectgarbage() end
      end
      world:add(ball(0))
      world:remove((world:shapes())[1])
      world:update()
    end
    collectgarbage()
    collectgarbage()
    assert.is_true(runs >= 90)
    assert.equal(30, world:count())
    for a, b in world:collisions() do assert.is_true(a:overlaps(b)) end
  end)
end)

describe("world:update", function()
  it("tells of pairs that begin, go on and end", function()
    local world, a, b = sat.world(), ball(0), ball(1)
    world:add(a, b)
    assert.same({ 1, 0 }, { world:update() })
    assert.same({ { a, b } }, list_of(world:began()))
    assert.same({ 0, 0 }, { world:update() })
    assert.same({}, list_of(world:began()))
    assert.same({ { a, b } }, list_of(world:touching()))
    b:move(10, 0)
    assert.same({ 0, 1 }, { world:update() })
    assert.same({ { a, b } }, list_of(world:ended()))
  end)

  it("keeps the shapes of a pair that ended by removal until the next one", function()
    local world = sat.world()
    world:add(ball(0), ball(1))
    world:update()
    for _, shape in ipairs((world:shapes())) do world:remove(shape:setData("removed")) end
    collectgarbage()
    assert.same({ 0, 1 }, { world:update() })
    collectgarbage()
    local count = 0
    for a, b in world:ended() do
      count = count + 1
      assert.equal("removed", a:data())
      assert.equal("removed", b:data())
    end
    assert.equal(1, count)
    assert.same({ 0, 0 }, { world:update() })
    assert.same({}, list_of(world:ended()))
  end)

  it("lets what is removed and added again begin anew", function()
    local world, a, b = sat.world(), ball(0), ball(1)
    world:add(a, b)
    world:update()
    world:remove(a)
    world:add(a)
    assert.same({ 1, 1 }, { world:update() })
    assert.same({ { a, b } }, list_of(world:began()))
    assert.same({ { a, b } }, list_of(world:ended()))
  end)

  it("takes what was pushed apart for touching, in whichever order one pushes and updates", function()
    for _, update_first in ipairs { false, true } do
      local world, ball_on_slope = sat.world(), sat.circle(20, 60, 6)
      local slope = sat.polygon(0, 100, 200, 30, 200, 120, 0, 120):setStatic(true)
      local began, ended = 0, 0
      world:add(slope, ball_on_slope)
      for _ = 1, 480 do
        ball_on_slope:move(0.3, 0.9)
        local function update()
          local more, fewer = world:update()
          began, ended = began + more, ended + fewer
        end
        if update_first then update() end
        for _, dx, dy in world:collisions(ball_on_slope) do ball_on_slope:move(dx, dy) end
        if not update_first then update() end
      end
      assert.same({ 1, 0 }, { began, ended })
    end
  end)

  it("reports what was pushed out before, which collisions do not", function()
    local random, apart = generator(11), 0
    for _ = 1, 300 do
      local world, box = sat.world(), sat.rectangle(random(-40, 40) / 7, random(-40, 40) / 7, 9, 5, random(0, 60) / 10)
      local wall = sat.rectangle(-10, -10, 20, 20, random(0, 60) / 10):setStatic(true)
      world:add(wall, box)
      local dx, dy = box:collide(wall)
      box:move(dx or 0, dy or 0)
      if not box:overlaps(wall) then
        apart = apart + 1
        assert.same({}, list_of(world:collisions()))
      end
      assert.same({ dx and 1 or 0, 0 }, { world:update() })
    end
    assert.is_true(apart > 30)
  end)
end)

describe("world:collisions", function()
  it("goes over what there was, and skips what is gone", function()
    local world, shapes = sat.world(), {}
    for i = 1, 20 do
      shapes[i] = ball(i)
      world:add(shapes[i])
    end
    local seen = 0
    for a, b, dx, dy, depth in world:collisions() do
      seen = seen + 1
      assert.equal(world, a:world())
      assert.equal(world, b:world())
      assert.same({ b:center() }, { a:center() + 2 - depth, 0 })
      assert.same({ depth, 0 }, { -dx, dy })
      if seen == 5 then
        world:remove(shapes[20])
        world:remove(shapes[19])
        world:add(ball(100), ball(101))
      end
    end
    assert.equal(5 + (19 + 18 - 5) - 4, seen)
  end)

  it("nests, is left, and is shared by coroutines", function()
    local world = sat.world()
    for i = 1, 4 do world:add(ball(i)) end
    local count = 0
    for _ in world:collisions() do
      for _ in world:collisions() do count = count + 1 end
      for a in world:collisions() do
        if a then break end
      end
    end
    assert.equal(25, count)
    local step = coroutine.wrap(function()
      for a, b in world:collisions() do coroutine.yield(a, b) end
    end)
    for a, b in world:collisions() do assert.same({ a, b }, { step() }) end
  end)

  -- By a world, a mover that is in it, in another one or in none, and what moves within the loop.
  it("of one shape give the vector of now, wherever that shape and the others are moved inside", function()
    for seed = 1, 120 do
      local random = generator(seed)
      local world, tiles = sat.world(), {}
      for i = 1, 8 do tiles[i] = sat.rectangle(random(0, 4) * 8, random(0, 4) * 8, 16, 16):setStatic(true) end
      world:add(tiles)
      local shape, home = sat.rectangle(random(0, 30), random(0, 30), 12, 12), random(1, 3)
      if home == 1 then world:add(shape) elseif home == 2 then sat.world():add(shape) end
      for _ = 1, 12 do -- so that the loops are compiled where they can be
        local place, pushes = { shape:center() }, 0
        for other, dx, dy, depth in world:collisions(shape) do
          local x, y, d = shape:collide(other)
          assert.same({ x, y, d }, { dx, dy, depth }, ("seed %d, home %d"):format(seed, home))
          local what = random(1, 6)
          if what <= 3 then shape:move(dx, dy) pushes = pushes + 1
          elseif what == 4 then other:move(random(-3, 3), 0)
          elseif what == 5 then shape:rotate(0.1):setRadius(random(0, 1))
          end
        end
        shape:setRadius(0):setRotation(0):moveTo(place[1], place[2])
      end
    end
  end)

  it("of one shape that is collected inside go on", function()
    local world, count = sat.world():add(sat.circle(0, 0, 1), sat.circle(1, 0, 1), sat.circle(2, 0, 1)), 0
    for _ = 1, 20 do
      for _, _, _, depth in world:collisions(sat.circle(1, 0, 1)) do
        count = count + 1
        assert(depth > 0)
        collectgarbage()
        collectgarbage()
      end
    end
    assert.equal(60, count)
  end)

  it("of one shape gives the way out of each", function()
    local world, a, b, probe = sat.world(), ball(0), ball(1), ball(0.5)
    world:add(a, b)
    for _, shape in ipairs { a, probe } do
      for other, dx, dy, depth in world:collisions(shape) do
        assert.same({ sat.collide(shape, other) }, { dx, dy, depth })
      end
    end
    assert.same({ { b, -1 } }, list_of(world:collisions(a)))
    assert.equal(2, #list_of(world:collisions(probe)))
  end)
end)

describe("world:nodes", function()
  it("gives the parts of the plane with all that is enabled", function()
    local world = sat.world()
    for i = 1, 40 do
      world:add(sat.rectangle(i * 13 % 100, i * 29 % 80, 3 + i % 5, 4))
    end
    local shapes, held, count = world:shapes(), 0, 0
    for x, y, w, h, level, items in world:nodes() do
      assert.is_true(w > 0 and h > 0 and level >= 0 and items >= 0)
      held, count = held + items, count + 1
      if count == 1 then shapes[1]:move(500, 500):world():remove(shapes[2]) end -- the loop shows what there was
      assert.equal("number", type(x + y))
    end
    assert.equal(40, held)
    shapes[3]:setEnabled(false)
    held = 0
    for _, _, _, _, _, items in world:nodes() do held = held + items end
    assert.equal(38, held)
  end)

  it("has an iterator of its own", function()
    local world = sat.world():add(ball(0), ball(1))
    local step = world:nodes()
    local _, state = world:collisions()
    assert.error_matches(function() step(state) end, "the iterator of 'nodes' needs the state that came with it")
  end)
end)

describe("a world's questions", function()
  it("find what is there", function()
    local world, a, b = sat.world(), sat.rectangle(0, 0, 10, 10), sat.rectangle(20, 0, 10, 10)
    world:add(a, b)
    assert.same({ a }, (world:at(5, 5)))
    assert.same({ a, b }, (world:query(10, 0, 10, 10)))
    assert.same({ b }, (world:query(sat.circle(35, 5, 5))))
    a:setFilter(2, 2)
    assert.same({ b }, (world:query(sat.circle(15, 5, 30))))
    a:setFilter(1, 4294967295)
    assert.same({ a, 0.5, -1, 0, 0, 5, 1 }, { world:raycast(-10, 5, 10, 5) })
    assert.same({ { a, b }, 2 }, { world:raycastAll(-10, 5, 30, 5) })
    assert.same({ b, 0.1, -1, 0, 20, 5, 1, 1 }, { world:cast(sat.point(15, 5), 50, 0) })
    assert.same({ b, 0.2, -1, 0, 20, 0, 1, 1 }, { world:cast(a, 50, 0) })
    assert.same({ a, 2, 10, 5 }, { world:nearest(12, 5) })
    assert.same({ nil }, { world:nearest(12, 5, 1) })
    assert.same({ { b, a }, 2 }, { world:nearestAll(19, 5, 3) })
    assert.same({ { a }, 1 }, { world:nearestAll(0, 5, 1, { 1, 2, 3 }) })
  end)

  it("are answered by a disabled shape as by an enabled one, and never with one", function()
    local world = sat.world()
    local subject, other, gone = sat.rectangle(0, 0, 10, 10), sat.rectangle(8, 0, 10, 10), sat.rectangle(2, 2, 4, 4)
    world:add(subject, other, gone:setEnabled(false))
    local function answers()
      return { list_of(world:collisions(subject)), { world:query(subject) }, { world:cast(subject, 5, 0) } }
    end
    local enabled = answers()
    assert.same({ { other, -2 } }, enabled[1])
    assert.same({ { other }, 1 }, enabled[2])
    assert.equal(other, enabled[3][1])
    assert.same(enabled, (subject:setEnabled(false) and answers()))
    assert.same({}, list_of(world:collisions()))
    subject:move(-20, 0)
    assert.same({}, list_of(world:collisions(subject)))
    assert.same({ {}, 0 }, { world:query(subject) })
    assert.equal(other, (world:cast(subject, 50, 0)))
    subject:move(20, 0)
    world:remove(subject)
    assert.same(enabled, answers())
  end)

  it("give the slope's normal to a box that has landed on it, however near", function()
    local random, hairs = generator(5), 0
    for _ = 1, 2000 do
      local world, run, rise = sat.world(), random(1, 9), random(1, 9)
      local box = sat.rectangle(random(-30, 30) / 7 - 4, -60, 4, 4)
      world:add(sat.polygon(-10 * run, 10 * rise, 10 * run, -10 * rise, 10 * run, 10 * rise):setStatic(true))
      local slope, t = world:cast(box, 0, 80)
      if slope then
        box:move(0, t * 80)
        if not box:overlaps(slope) and box:distance(slope) < 1e-300 then
          hairs = hairs + 1
          local _, again, nx, ny = world:cast(box, 0, 80)
          local size = math.sqrt(run * run + rise * rise)
          assert.equal(0, again)
          assert.near(-rise / size, nx, 1e-12)
          assert.near(-run / size, ny, 1e-12)
        end
      end
    end
    assert.is_true(hairs > 20)
  end)

  -- What is so today: the pairs are parted one after the other, so that each floor gives way to the box above it.
  it("part a stack of ten boxes, in whatever order they were added", function()
    for _, upwards in ipairs { true, false } do
      local world, boxes = sat.world(), {}
      world:add(sat.rectangle(-100, 320, 400, 32):setStatic(true))
      for i = 1, 10 do boxes[i] = sat.rectangle(0, 320 - 32 * i, 32, 32) end
      for i = 1, 10 do world:add(boxes[upwards and i or 11 - i]) end
      for _ = 1, 120 do
        for i = 1, 10 do boxes[i]:move(0, 1) end
        world:separate(10)
      end
      for _, _, _, _, depth in world:collisions() do assert(depth <= 1e-9, depth) end
    end
  end)

  it("move no huge mass, even where what it overlaps has a wall behind it", function()
    for seed = 1, 60 do
      local random = generator(seed)
      local world, huge = sat.world(), {}
      world:add(sat.rectangle(0, 0, 100, 10):setStatic(true), sat.rectangle(0, 10, 10, 90):setStatic(true))
      for i = 1, 12 do
        local x, y = random(20, 80), random(20, 80)
        local shape = random(1, 2) == 1 and sat.circle(x, y, 8) or sat.rectangle(x - 4, y - 4, 16, 16)
        if i % 3 == 0 then huge[shape:setMass(math.huge)] = { shape:center() } end
        world:add(shape)
      end
      world:separate(6)
      for shape, place in pairs(huge) do assert.same(place, { shape:center() }, ("seed %d"):format(seed)) end
    end
  end)

  it("part what overlaps", function()
    local world, a, b = sat.world(), ball(0), ball(1)
    world:add(a, b:setStatic(true))
    world:separate()
    assert.same({ -1, 0 }, { a:center() })
    assert.same({ 1, 0 }, { b:center() })
    assert.error_matches(function() world:separate(0) end, "bad argument #1 to 'separate'")
  end)
end)

describe("world:save and world:load", function()
  it("keep the shapes that are still there, with their data", function()
    local world, a, b = sat.world(), ball(0):setData("a"), ball(1):setData("b")
    world:add(a, b)
    world:update()
    local saved = world:save()
    world:remove(a)
    local c = ball(5)
    world:add(c)
    b:move(0.5, 0):rotate(1)
    assert.equal(world, world:load(saved))
    assert.is_nil(c:world())
    assert.is_nil(a:world())
    assert.same({ 1, 0 }, { b:center() })
    local shapes, n = world:shapes()
    assert.equal(2, n)
    assert.equal(b, shapes[2])
    assert.is_nil(shapes[1]:data())
    assert.same({ 0, 0 }, { shapes[1]:center() })
    assert.equal(saved, world:save())
    assert.same({}, list_of(world:touching()))
    assert.same({ 0, 0 }, { world:update() })
    assert.same({ { shapes[1], b } }, list_of(world:touching()))
  end)

  it("go on as the world would have gone on, in another one, too", function()
    local random = generator(7)
    local world = sat.world()
    for _ = 1, 60 do
      local shape = any_shape(random, random(0, 100), random(0, 100), random(2, 8))
      world:add(shape:setSensor(random(1, 5) == 1))
    end
    world:update()
    local function go_on(subject)
      local next_random, trace = generator(3), {}
      for _ = 1, 10 do
        local shapes = subject:shapes()
        for i, shape in ipairs(shapes) do
          shape:move(next_random(-3, 3), next_random(-3, 3))
          if i % 9 == 0 then
            subject:remove(shape)
            subject:add(sat.circle(next_random(0, 100), next_random(0, 100), 3))
          end
        end
        subject:separate(2)
        local began, ended = subject:update()
        trace[#trace + 1] = began .. " " .. ended .. " "
        for a, b, dx, dy in subject:collisions() do
          local x, y = a:center()
          trace[#trace + 1] = ("%.17g %.17g %.17g %.17g %.17g;"):format(x, y, dx, dy, (b:center()))
        end
      end
      return table.concat(trace)
    end
    local saved = world:save()
    local expected = go_on(world)
    assert.equal(expected, go_on(world:load(saved)))
    assert.equal(expected, go_on(sat.world():load(saved)))
  end)

  it("refuse what is damaged, wherever it is, and change nothing", function()
    local world, other = sat.world(), sat.world()
    world:add(ball(0), sat.rectangle(0, 0, 3, 3))
    world:update()
    local saved = world:save()
    other:add(ball(7))
    local before = other:save()
    for i = 1, #saved do
      local damaged = saved:sub(1, i - 1) .. string.char((saved:byte(i) + 1) % 256) .. saved:sub(i + 1)
      assert.error_matches(function() other:load(damaged) end,
        "bad argument #1 to 'load' %(the bytes are no saved world, or a damaged one%)")
      assert.is_false(pcall(other.load, other, saved:sub(1, i - 1)))
    end
    assert.error_matches(function() other:load(1) end,
      "bad argument #1 to 'load' %(saved must be a string, not a number%)")
    assert.equal(before, other:save())
  end)

  it("keep a live shape only if it is made of the same", function()
    local subject, other = sat.world(), sat.world()
    subject:add(sat.chain{0, 0, 10, 0, 10, 10})
    local compound = sat.compound(sat.point(0, 0), sat.point(1, 0), sat.point(2, 0), sat.point(3, 0))
    other:add(compound)
    other:load(subject:save())
    assert.is_false(other:has(compound))
    assert.equal("compound", compound:kind())
    assert.equal(4, #compound:pieces())
    assert.equal("chain", other:shapes()[1]:kind())
    assert.equal(subject:save(), other:save())
  end)
end)

describe("world:save since another save", function()
  local function crowd(random)
    local world = sat.world()
    for i = 1, 40 do
      world:add(any_shape(random, random(0, 60), random(0, 60), random(2, 8)):setStatic(i % 3 == 0))
    end
    world:update()
    return world
  end

  local function change(world, random)
    for _ = 1, random(1, 8) do
      local shapes, n = world:shapes()
      local shape, action = n > 0 and shapes[random(1, n)], random(1, 8)
      if action == 1 then world:add(any_shape(random, random(0, 60), random(0, 60), random(2, 8)))
      elseif action == 2 and shape then world:remove(shape)
      elseif action == 3 then world:update()
      elseif action == 4 then world:separate(2)
      elseif action == 5 and shape then shape:setMass(random(1, 9)):setOneWay(random(0, 1), -1)
      elseif action == 6 and shape then shape:setFilter(random(1, 9), 15):setSensor(random(0, 1) == 1)
      elseif shape then shape:move(random(-9, 9), random(-9, 9)):rotate(random(-1, 1)) end
    end
  end

  local function hits_of(world)
    local list = { ("%d %d"):format(world:update()) }
    for a, b, dx, dy in world:collisions() do
      list[#list + 1] = ("%s %s %.17g %.17g"):format(tostring(a), tostring(b), dx, dy)
    end
    return table.concat(list, "\n")
  end

  it("goes back as whole saves do, here and in a world that has loaded the base", function()
    for seed = 1, 20 do
      local random = generator(seed * 104729)
      local world, past = crowd(random), {}
      local base = world:save()
      for _ = 1, 30 do
        change(world, random)
        local back = past[random(1, 2 * #past + 1)]
        if back then
          assert.equal(world, world:load(back.delta))
          assert.equal(back.whole, world:save())
          assert.equal(back.delta, world:save { since = base })
          local other = sat.world():load(base):load(back.delta)
          assert.equal(hits_of(sat.world():load(back.whole)), hits_of(other))
          assert.equal(hits_of(sat.world():load(back.whole)), hits_of(world))
        end
        past[#past + 1] = { whole = world:save(), delta = world:save { since = base } }
      end
    end
  end)

  it("keeps the shapes that are still there, with their data, and makes the others", function()
    local world, a, b = sat.world(), ball(0):setData("a"), ball(5):setData("b")
    world:add(a, b)
    local base = world:save()
    local c = ball(9):setData("c")
    world:add(c)
    b:move(1, 0)
    local delta = world:save { since = base }
    world:remove(b)
    world:remove(c)
    a:move(3, 0)
    local d = ball(20)
    world:add(d)
    world:load(delta)
    local shapes, n = world:shapes()
    assert.equal(3, n)
    assert.equal(a, shapes[1])
    assert.same({ 0, 0 }, { a:center() })
    assert.same({ 6, 0 }, { shapes[2]:center() })
    assert.is_nil(shapes[2]:data())
    assert.same({ 9, 0 }, { shapes[3]:center() })
    for _, gone in ipairs { b, c, d } do assert.is_nil(gone:world()) end
    for _, shape in ipairs(shapes) do assert.equal(world, shape:world()) end
    world:load(base)
    assert.equal(base, world:save())
    assert.equal(a, (world:shapes())[1])
  end)

  it("takes no more than what differs", function()
    local world = sat.world()
    for i = 1, 500 do world:add(sat.rectangle(10 * i, 0, 9, 9):setStatic(true)) end
    local base = world:save()
    assert.equal(80, #world:save { since = base })
    local shapes = world:shapes()
    for _, shape in ipairs(shapes) do shape:move(0, 5) end
    assert.is_true(#world:save { since = base } > 100000)
    for _, shape in ipairs(shapes) do shape:move(0, -5) end
    shapes[7]:move(1, 0)
    assert.is_true(#world:save { since = base } < 400)
  end)

  it("takes deltas since the base, and since the save that was made or loaded last", function()
    local world, other = sat.world():add(ball(0), ball(3)), sat.world()
    local base = world:save()
    local hero = world:shapes()[1]
    other:load(base)
    other:shapes()[1]:move(5, 0)
    local delta = other:save { since = base }
    world:load(delta) -- the base is the save that the world has made last
    assert.equal(5, (hero:center()))
    local second = other:save()
    other:shapes()[1]:move(1, 0)
    local since_second = other:save { since = second }
    world:load(second):load(since_second)
    assert.equal(6, (hero:center()))
    world:save { since = base }
    world:save()
    world:load(since_second):load(delta):load(since_second) -- the one since the last load, the other since `since`
    assert.equal(6, (hero:center()))
    world:load(sat.world():save()):save { since = base }
    assert.is_false(pcall(world.load, world, since_second))
    world:load(delta)
    assert.equal(2, world:count())
  end)

  it("takes every save that the world has made or loaded, and no other", function()
    local function game() return sat.world():add(ball(0), ball(3)) end
    local world, twin = game(), game()
    local saves, hero = {}, world:shapes()[1]
    for i = 1, 20 do
      hero:move(1, 0)
      saves[i] = world:save()
      assert.equal(world:save { since = saves[(i + 1) / 2] or saves[i] }:sub(1, 8), saves[i]:sub(1, 8))
    end
    twin:shapes()[1]:move(0, 1)
    local others = { twin:save(), sat.world():save(), (game():save()) }
    for _, since in ipairs(others) do
      local ok, message = pcall(world.save, world, { since = since })
      assert.is_false(ok)
      assert.matches("since is no save of this world", message, 1, true)
    end
    world:clear()
    for i = 1, 20 do world:save { since = saves[i] } end
    local again = sat.world()
    assert.is_false(pcall(again.save, again, { since = saves[3] }))
    again:load(saves[3])
    assert.equal(again:save { since = saves[3] }, sat.world():load(saves[3]):save { since = saves[3] })
  end)

  it("refuses what is no base, and a delta since another one", function()
    local world, other = sat.world():add(ball(0), ball(3)), sat.world():add(ball(7))
    local base, before = world:save(), other:save()
    world:shapes()[1]:move(1, 0)
    local delta = world:save { since = base }
    local function fails(message, f, ...)
      local ok, said = pcall(f, ...)
      assert.is_false(ok)
      assert.matches(message, said, 1, true)
    end
    fails("bad argument #1 to 'load' (the delta was made since another save than the base of this world)",
      other.load, other, delta)
    other:save { since = before }
    fails("since another save than the base of this world", other.load, other, delta)
    fails("bad argument #1 to 'save' (since is no save of this world)", function()
      local third = sat.world():add(ball(1), ball(2))
      third:remove(third:shapes()[1])
      third:add(ball(3))
      world:save { since = third:save() }
    end)
    fails("bad argument #1 to 'save' (the bytes are no saved world, or a damaged one)",
      world.save, world, { since = delta })
    fails("bad argument #1 to 'save' (since must be a string, not a number)", world.save, world, { since = 1 })
    fails("bad argument #1 to 'save' (the only option is 'since')", world.save, world, { since = base, sinc = 1 })
    fails("bad argument #1 to 'save' (options must be a table, not a string)", world.save, world, base)
    for i = 1, #delta do
      local damaged = delta:sub(1, i - 1) .. string.char((delta:byte(i) + 1) % 256) .. delta:sub(i + 1)
      fails("the bytes are no saved world, or a damaged one", world.load, world, damaged)
    end
    assert.equal(before, other:save())
    world:release()
    fails("since another save than the base of this world", world.load, world, delta)
  end)
end)

describe("a world", function()
  local function brute(shapes, subject, ask)
    local found = {}
    for _, shape in ipairs(shapes) do
      if shape ~= subject and shape:isEnabled() and ask(shape) then found[#found + 1] = shape end
    end
    return found
  end

  it("answers as a list does whatever is done to it", function()
    for seed = 1, 30 do
      local random = generator(seed * 7919)
      local world, probe = sat.world(), sat.circle(10, 10, 5)
      for _ = 1, 200 do
        local shapes, n = world:shapes()
        local action = random(1, 10)
        if action <= 3 and n < 40 then
          world:add(any_shape(random, random(0, 40), random(0, 40), random(1, 5))
            :setEnabled(random(1, 6) > 1):setStatic(random(1, 4) == 1):setSensor(random(1, 4) == 1))
        elseif action == 4 and n > 0 then
          world:remove(shapes[random(1, n)])
        elseif action <= 7 and n > 0 then
          shapes[random(1, n)]:moveTo(random(0, 40), random(0, 40)):rotate(random(0, 6))
        elseif action == 8 and n > 0 then
          world:load(world:save())
        end
        shapes = world:shapes()
        local x, y = random(0, 40), random(0, 40)
        assert.same(brute(shapes, nil, function(s) return s:contains(x, y) end), (world:at(x, y)))
        assert.same(brute(shapes, probe, function(s) return sat.overlaps(probe, s) end), (world:query(probe)))
        local expected = {}
        for i, a in ipairs(shapes) do
          for j = i + 1, #shapes do
            local b = shapes[j]
            if a:isEnabled() and b:isEnabled() and not (a:isStatic() and b:isStatic())
              and not (a:isSensor() and b:isSensor()) and sat.overlaps(a, b) then
              expected[#expected + 1] = { a, b }
            end
          end
        end
        assert.same(expected, list_of(world:collisions()))
      end
    end
  end)
end)
