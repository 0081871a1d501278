-- What world:move promises, by random scenes: MOTION's properties, each against brute force or another way to say the
-- same scene.
local sat = require "sat"
local scenes = require "spec.scenes"
local support = require "spec.support"

local unpack = table.unpack or unpack
local generator = support.generator
local SCALE = 100 + scenes.far -- of all scenes: their largest coordinate and size, about
local RUNS = tonumber(os.getenv("SAT_TEST_SCALE") or 1) * 12

-- The hits of the last move as a list of tables.
local function hits_of(world)
  local list = {}
  for other, nx, ny, t, x, y, how in world:hits() do
    list[#list + 1] = { other = other, nx = nx, ny = ny, t = t, x = x, y = y, how = how }
  end
  return list
end

-- Calls check(world, shape, dx, dy, random, shapes) for some moves of random shapes in random scenes of every kind.
local function for_moves(seed, check, runs)
  for _, kind in ipairs(scenes.kinds) do
    local random = generator(seed)
    for run = 1, runs or RUNS do
      local scene = scenes.make(kind, random)
      local mover = scenes.mover(random)
      local world, shapes = scenes.world(scene)
      local shape = scenes.shape(mover)
      for step = 1, 5 do
        local dx, dy = random(-400, 400) / 10, random(-400, 400) / 10
        if random(1, 4) == 1 then dy = 0 end
        local ok, message = pcall(check, world, shape, dx, dy, random, shapes, scene, mover)
        if not ok then
          error(("%s, seed %d, run %d, step %d: %s"):format(kind, seed, run, step, tostring(message)), 0)
        end
      end
    end
  end
end

local function is_stuck(hits) return hits[1] ~= nil and hits[1].how == "stuck" end
local function is_freed(hits) return hits[1] ~= nil and hits[1].how == "free" end

describe("world:move", function()
  for _, response in ipairs { "slide", "touch", "bounce" } do
    it(("overlaps nothing afterwards that it did not before, by %q"):format(response), function()
      for_moves(1, function(world, shape, dx, dy, _, shapes)
        local before = scenes.depths(shape, shapes)
        world:move(shape, dx, dy, response)
        if is_stuck(hits_of(world)) then return end
        local after, met = scenes.depths(shape, shapes), 0
        for i = 1, #shapes do
          if after[i] >= 0 or shape:distance(shapes[i]) <= 1e-12 * SCALE then met = met + 1 end
        end
        for i = 1, #shapes do
          -- In a gap as wide as the shape rounding may leave no place without overlap.
          assert(after[i] <= 0 or ((before[i] > 0 or met > 1) and after[i] <= 1e-12 * SCALE),
            ("depth %g after, %g before"):format(after[i], before[i]))
        end
      end)
    end)
  end

  it("goes no farther than asked, and never against what was asked", function()
    for_moves(2, function(world, shape, dx, dy, random)
      local x, y = shape:center()
      local nx, ny = world:move(shape, dx, dy, ({ "slide", "touch", "cross" })[random(1, 3)])
      if is_freed(hits_of(world)) then return end
      local way = math.sqrt((nx - x) ^ 2 + (ny - y) ^ 2)
      assert(way <= math.sqrt(dx * dx + dy * dy) * (1 + 1e-12) + 1e-9, "too far")
      assert((nx - x) * dx + (ny - y) * dy >= -1e-9, "against what was asked")
      local cx, cy = shape:center()
      assert.equal(nx, cx)
      assert.equal(ny, cy)
    end)
  end)

  it("is exactly a move of the shape where nothing is hit, but for rounding where it ends in contact", function()
    local exact = 0
    for_moves(3, function(world, shape, dx, dy, random)
      local copy = shape:clone():move(dx, dy)
      local x, y, n, rx, ry = world:move(shape, dx, dy, ({ "slide", "touch", "bounce" })[random(1, 3)])
      if n > 0 then return end
      local cx, cy = copy:center()
      assert.same({ dx, dy }, { rx, ry })
      assert(math.abs(x - cx) <= 1e-9 and math.abs(y - cy) <= 1e-9, "the motion is not made")
      if #(world:query(copy)) > 0 then return end
      exact = exact + 1
      assert.same({ cx, cy }, { x, y })
    end)
    assert(exact > 0)
  end)

  -- A touch at the end has stopped nothing: a cast tells it, a move does not.
  it("stops where the first of all casts against single shapes does", function()
    local met = 0
    for_moves(19, function(world, shape, dx, dy, random, shapes)
      if random(1, 3) == 1 then dx, dy = math.floor(dx), math.floor(dy) end
      local _, _, depth = world:collide(shape)
      local first = 2
      for _, other in ipairs(shapes) do first = math.min(first, shape:cast(dx, dy, other) or 2) end
      world:check(shape, dx, dy, "touch")
      local hit, way = hits_of(world)[1], math.sqrt(dx * dx + dy * dy)
      world:move(shape, dx, dy, ({ "slide", "touch" })[random(1, 2)])
      if depth and depth > 0 then return end
      local t = hit and hit.t or 2
      if first <= 1 then met = met + 1 end
      if t > 1 and (1 - first) * way <= 1e-12 * SCALE then return end
      assert((t > 1 and first > 1) or math.abs(t - first) * way <= 1e-9 * SCALE, ("%.17g for %.17g"):format(t, first))
    end)
    assert(met > RUNS)
  end)

  it("comes to the same place, to the bit, when blocked twice", function()
    local blocked = 0
    for_moves(4, function(world, shape, dx, dy, random)
      local how = ({ "slide", "touch" })[random(1, 2)]
      local x, y
      for _ = 1, 3 do x, y = world:move(shape, dx, dy, how) end
      local first = hits_of(world)
      local x2, y2 = world:move(shape, dx, dy, how)
      local second = hits_of(world)
      if #second == 0 or is_stuck(second) or is_freed(first) then return end
      if math.abs(x2 - x) + math.abs(y2 - y) > 1e-9 * SCALE then return end -- slides on
      blocked = blocked + 1
      -- In a groove of two corners a round shape comes closer from move to move, by less than rounding in the end.
      local x3, y3 = world:move(shape, dx, dy, how)
      local third = hits_of(world)
      assert.same({ x2, y2 }, { x3, y3 })
      if x == x2 and y == y2 then assert.same(second, third) end
      assert.same({ x2, y2 }, { (world:move(shape, dx, dy, how)), (select(2, shape:center())) })
      assert.same(third, hits_of(world))
    end, RUNS * 4)
    assert(blocked > RUNS)
  end)

  it("reports hits by unit normals against the motion, in order", function()
    for_moves(5, function(world, shape, dx, dy)
      world:move(shape, dx, dy)
      local last = 0
      for i, hit in ipairs(hits_of(world)) do
        if hit.how == "stuck" then return end
        support.near(1, math.sqrt(hit.nx ^ 2 + hit.ny ^ 2), 1e-12)
        assert(hit.t >= last and hit.t <= 1, "t is out of order")
        if hit.how == "slide" and i == 1 then assert(hit.nx * dx + hit.ny * dy < 0, "the normal is not against it") end
        last = hit.t
      end
    end)
  end)

  it("gives the same bits in whatever order the scene was added", function()
    for _, kind in ipairs(scenes.kinds) do
      local random = generator(6)
      for run = 1, RUNS do
        local scene, mover = scenes.make(kind, random), scenes.mover(random)
        local one, other = scenes.world(scene), scenes.world(scene, nil, scenes.shuffled(scene, random))
        local a, b = scenes.shape(mover), scenes.shape(mover)
        for _ = 1, 5 do
          local dx, dy = random(-400, 400) / 10, random(-400, 400) / 10
          local response = ({ "slide", "touch", "bounce" })[random(1, 3)]
          local p, q = { one:move(a, dx, dy, response) }, { other:move(b, dx, dy, response) }
          local message = ("%s, run %d, %s"):format(kind, run, response)
          assert.same(p, q, message)
          local h, k = hits_of(one), hits_of(other)
          for i = 1, #h do
            assert.same({ h[i].nx, h[i].ny, h[i].t, h[i].how }, { k[i].nx, k[i].ny, k[i].t, k[i].how }, message)
          end
        end
      end
    end
  end)

  it("finds the same way out of all, to the bit, in whatever order the scene was added", function()
    local ways = 0
    for _, kind in ipairs(scenes.kinds) do
      local random = generator(20)
      for run = 1, RUNS * 40 do
        local scene, mover = scenes.make(kind, random), scenes.mover(random)
        local one, other = scenes.world(scene), scenes.world(scene, nil, scenes.shuffled(scene, random))
        local shape = scenes.shape(mover)
        local dx, dy, depth = one:collide(shape)
        assert.same({ dx, dy, depth }, { other:collide(shape) }, ("%s, run %d"):format(kind, run))
        if depth and depth > 0 then ways = ways + 1 end
      end
    end
    assert(ways > RUNS * 40)
  end)

  it("names of two corners touched at once the same one, whichever was added first", function()
    local function corners(...)
      local capsule = sat.capsule(-19, -12, -19, -4, 5)
      local world = sat.world():add(...)
      world:move(capsule, 12.8, 0, "touch")
      local hit = hits_of(world)[1]
      return { hit.nx, hit.ny, hit.t }
    end
    local above, below = { -16, -32, 16, 16 }, { -16, 0, 16, 16 }
    local function tile(box) return sat.rectangle(box[1], box[2], box[3], box[4]) end
    assert.same(corners(tile(above), tile(below)), corners(tile(below), tile(above)))
  end)

  it("leaves two equally deep overlaps by the same way, whichever was added first", function()
    local function freed(...)
      return { sat.world():add(...):move(sat.rectangle(-8, 14, 10, 6), 0, 0) }
    end
    local function with(x, y) return sat.compound(sat.rectangle(0, 0, 16, 16), sat.rectangle(x, y, 16, 16)) end
    assert.same(freed(with(100, 0), with(0, -100)), freed(with(0, -100), with(100, 0)))
  end)

  it("fits into a gap of its own height, where it has come by rounding", function()
    local world = sat.world():add(sat.rectangle(0, 16, 64, 16), sat.rectangle(16, -16, 64, 16))
    for i = 1, 200 do
      local circle = sat.circle(7 - i / 211, 5 + i / 307, 8)
      world:move(circle, 0.5 + i / 97, 26.5 + i / 89)
      local x, y = circle:center()
      local toX = world:move(circle, 10, 0)
      assert(math.abs(toX - x - 10) < 1e-9, ("from %.17g, %.17g to %.17g"):format(x, y, toX))
    end
  end)

  it("is mirrored and turned where the scene is, in whatever order that was added", function()
    local frames = { scenes.mirrored, scenes.upside_down, scenes.quarter, scenes.half, scenes.shifted(1000, -500) }
    local close, all = 0, 0
    for _, kind in ipairs(scenes.kinds) do
      local random = generator(7)
      for _ = 1, RUNS do
        local scene, mover = scenes.make(kind, random), scenes.mover(random)
        local world = scenes.world(scene)
        local dx, dy = random(-400, 400) / 10, random(-400, 400) / 10
        local to = frames[random(1, #frames)]
        local image = scenes.world(scene, to, scenes.shuffled(scene, random))
        local a, b = scenes.shape(mover), scenes.shape(mover, to)
        local x, y = world:move(a, dx, dy)
        local freed = is_freed(hits_of(world)) -- ties are broken by the frame
        local ix, iy = image:move(b, to.vector(dx, dy))
        local wx, wy = to.point(x, y)
        all = all + 1
        if not freed and math.abs(ix - wx) <= 2e-8 * SCALE and math.abs(iy - wy) <= 2e-8 * SCALE then close = close + 1
        elseif freed then all = all - 1
        else
          error(("%s: %g, %g for %g, %g after %g, %g"):format(kind, ix, iy, wx, wy, dx, dy))
        end
      end
    end
    assert.equal(all, close)
  end)

  -- The error of a move in units of rounding, where each hit has an error of one. Across a surface that is met at a
  -- small angle, an error of one is an error along the surface of one divided by the sine of that angle.
  local function error_of(hits, dx, dy)
    local sum, mx, my = 0, dx, dy
    for _, hit in ipairs(hits) do
      local into = mx * hit.nx + my * hit.ny
      if into >= 0 then
        mx, my = dx, dy
        into = mx * hit.nx + my * hit.ny
      end
      sum = sum + math.sqrt(mx * mx + my * my) / math.abs(into)
      mx, my = mx - into * hit.nx, my - into * hit.ny
    end
    return sum
  end

  it("is the same on whole numbers wherever they are, but for rounding", function()
    for seed = 1, RUNS * 8 do
      local random = generator(seed)
      local kind = ({ "tiles", "compounds", "chains" })[random(1, 3)]
      local scene, mover = scenes.make(kind, random), scenes.mover(random)
      local far = ({ 0, 1000, 10000, 100000 })[seed % 4 + 1]
      local shift = scenes.shifted(far + random(-900, 900), random(-900, 900) - far)
      local world, image = scenes.world(scene), scenes.world(scene, shift, scenes.shuffled(scene, random))
      local a, b = scenes.shape(mover), scenes.shape(mover, shift)
      local off = 1
      for step = 1, 4 do
        local dx, dy = random(-40, 40), random(-40, 40)
        local how = ({ "slide", "touch" })[random(1, 2)]
        local x, y = world:move(a, dx, dy, how)
        local hits = hits_of(world)
        local x2, y2 = image:move(b, dx, dy, how)
        local wx, wy = shift.point(x, y)
        if is_freed(hits) or is_stuck(hits) then break end
        off = off + error_of(hits, dx, dy)
        assert(math.sqrt((x2 - wx) ^ 2 + (y2 - wy) ^ 2) <= 1e-12 * (1000 + far + scenes.far) * off,
          ("seed %d, step %d: %.17g, %.17g for %.17g, %.17g"):format(seed, step, x2, y2, wx, wy))
      end
    end
  end)

  it("gives the same bits with the fast path of LuaJIT on and off", function()
    local jit = rawget(_G, "jit")
    local function results()
      local list = {}
      for_moves(13, function(world, shape, dx, dy, random)
        local response = ({ "slide", "touch", "bounce", "cross" })[random(1, 4)]
        local before = #list
        for _, value in ipairs { world:check(shape, dx, dy, response) } do list[#list + 1] = value end
        for _, value in ipairs { world:move(shape, dx, dy, response) } do list[#list + 1] = value end
        for _, hit in ipairs(hits_of(world)) do
          list[#list + 1], list[#list + 2], list[#list + 3] = hit.nx, hit.ny, hit.t
        end
        assert(#list >= before + 10)
      end)
      return list
    end
    local on = results()
    if jit then jit.off() end
    local ok, off = pcall(results)
    if jit then jit.on() end
    assert(ok, off)
    assert.same(on, off)
  end)

  it("tells by check what it would do, and changes nothing", function()
    for_moves(8, function(world, shape, dx, dy, random)
      local response = ({ "slide", "touch", "bounce", "cross" })[random(1, 4)]
      local saved, x, y = world:save(), shape:center()
      local checked = { world:check(shape, dx, dy, response) }
      local hits = hits_of(world)
      assert.equal(saved, world:save())
      assert.same({ x, y }, { shape:center() })
      assert.same(checked, { world:move(shape, dx, dy, response) })
      assert.same(hits, hits_of(world))
    end)
  end)

  it("meets nothing on its way that is not among its hits", function()
    for_moves(9, function(world, shape, dx, dy, _, shapes)
      if #(world:query(shape)) > 0 then return end
      local x, y = shape:center()
      local nx, ny = world:check(shape, dx, dy, "touch")
      local hit = {}
      for _, h in ipairs(hits_of(world)) do hit[h.other] = true end
      local steps = 50
      local probe = shape:clone()
      for i = 1, steps - 1 do
        probe:moveTo(x + (nx - x) * i / steps, y + (ny - y) * i / steps)
        for _, other in ipairs(shapes) do
          local _, _, depth = probe:collide(other)
          assert(not depth or depth <= 1e-9 or hit[other], "something is on the way")
        end
      end
      shape:moveTo(nx, ny)
    end)
  end)

  it("keeps its speed when it bounces, and the angle", function()
    for_moves(10, function(world, shape, dx, dy)
      local _, _, n, rx, ry = world:move(shape, dx, dy, "bounce")
      local hits = hits_of(world)
      if is_stuck(hits) or is_freed(hits) or n > 30 then return end
      local mx, my = dx, dy
      for _, hit in ipairs(hits) do
        local along = mx * hit.nx + my * hit.ny
        assert(along < 0, "a normal is not against the motion before it")
        mx, my = mx - 2 * along * hit.nx, my - 2 * along * hit.ny
      end
      support.near(mx, rx, 1e-9 * SCALE)
      support.near(my, ry, 1e-9 * SCALE)
    end)
  end)

  it("crosses everything and reports it where it is told to", function()
    for_moves(11, function(world, shape, dx, dy, _, shapes)
      local copy = shape:clone()
      local expected, touched, way = 0, 0, math.sqrt(dx * dx + dy * dy) -- those touched at the end are not entered
      for _, other in ipairs(shapes) do
        local t = copy:cast(dx, dy, other)
        if t and (1 - t) * way <= 1e-12 * SCALE then touched = touched + 1 elseif t then expected = expected + 1 end
      end
      local x, y, n, rx, ry = world:move(shape, dx, dy, "cross")
      assert(n >= expected and n <= expected + touched, ("%d for %d"):format(n, expected))
      copy:move(dx, dy)
      assert.same({ dx, dy, copy:center() }, { rx, ry, x, y })
    end)
  end)
end)

-- The scenes below have places of their own, wherever the random ones are.
if scenes.far ~= 0 then return end

describe("the response function", function()
  local world, zone, wall, hero

  before_each(function()
    world, zone, wall = sat.world(), sat.rectangle(0, 0, 20, 50), sat.rectangle(18, 0, 40, 50)
    hero = sat.rectangle(10, 20, 30, 10)
  end)

  for _, answer in ipairs { "cross", false } do
    it(("is asked about what the shape is inside of, and stays there by %s"):format(tostring(answer)), function()
      local asked = 0
      local x, y = world:add(zone):move(hero, 0, -50, function(_, other, _, _, t)
        assert.is_true(other == zone and t == 0)
        asked = asked + 1
        return answer
      end)
      assert.same({ 25, -25, 1, 0 }, { x, y, asked, #hits_of(world) })
    end)
  end

  it("is led out of that alone which it answers as solid", function()
    local x = world:add(zone, wall):move(hero, 0, 0, function(_, other) return other == wall and "slide" end)
    assert.equal(3, x)
    local hits = hits_of(world)
    assert.same({ 1, true, "free" }, { #hits, hits[1].other == wall, hits[1].how })
  end)
end)

describe("an answer of the response function that is none", function()
  it("is blamed on the line that calls the move", function()
    local world, hero = sat.world():add(sat.rectangle(20, 0, 10, 10)), sat.rectangle(0, 0, 10, 10)
    for _, answer in ipairs { "slip", 3, {} } do
      local _, message = pcall(function() world:move(hero, 30, 0, function() return answer end) end)
      assert.matches("^[^:]*move_spec%.lua:%d+: the response function must return \"slide\", ", message)
    end
  end)
end)

describe("a response function for a mover that is in another world", function()
  it("changes the mover by no method of that world", function()
    local world, home = sat.world():add(sat.rectangle(20, 0, 10, 10)), sat.world()
    local mover, beside = sat.rectangle(0, 0, 10, 10), sat.rectangle(8, 0, 10, 10)
    home:add(mover, beside)
    local saved, asked = home:save(), 0
    mover:move(-1, 0)
    local delta = home:save { since = saved }
    for _, change in ipairs {
      function() home:separate() end,
      function() home:load(saved) end,
      function() home:load(delta) end,
      function() home:carry(beside, -1, 0) end,
    } do
      local before = home:save()
      world:check(mover, 30, 0, function()
        local ok, message = pcall(change)
        assert.is_false(ok)
        assert.matches("the world cannot change until the move of its shape has ended$", message)
        asked = asked + 1
        return "slide"
      end)
      assert.is_true(before == home:save())
      change()
    end
    assert.equal(4, asked)
  end)
end)

describe("a response function that moves a shape through another world", function()
  local function directly(f) return f() end
  local function in_a_coroutine(f)
    local ok, message = coroutine.resume(coroutine.create(f))
    if not ok then error(message, 0) end
  end

  for name, run in pairs { directly = directly, ["in a coroutine"] = in_a_coroutine } do
    it(name .. ", whose response does so, and so on, raises an error and moves nothing", function()
      local worlds, movers, deepest = {}, {}, 0
      for i = 1, 100 do
        movers[i] = sat.rectangle(0, 0, 10, 10)
        worlds[i] = sat.world():add(movers[i], sat.rectangle(20, 0, 10, 10))
      end
      local function move(i)
        worlds[i]:move(movers[i], 30, 0, function()
          deepest = i
          run(function() move(i + 1) end)
          return "slide"
        end)
      end
      local ok, message = pcall(move, 1)
      assert.is_false(ok)
      assert.matches("calls are nested too deeply: 64 of them wait for functions$", message)
      assert.equal(64, deepest)
      for i = 1, 100 do
        assert.same({ 5, 5 }, { movers[i]:center() })
        assert.equal(1, select(3, worlds[i]:move(movers[i], 30, 0)))
      end
    end)
  end
end)

describe("a response function that", function()
  local changes = {
    ["adds a shape"] = function(world) world:add(sat.circle(0, 0, 1)) end,
    ["removes what is hit"] = function(world, wall) world:remove(wall) end,
    ["removes another shape"] = function(world, _, far) world:remove(far) end,
    ["clears the world"] = function(world) world:clear() end,
    ["releases the world"] = function(world) world:release() end,
    ["loads the world"] = function(world, _, _, _, saved) world:load(saved) end,
    ["loads what is no world"] = function(world) world:load "none" end,
    ["updates the world"] = function(world) world:update() end,
    ["separates the world"] = function(world) world:separate() end,
    ["moves another shape through the world"] = function(world, _, far) world:move(far, 1, 0) end,
    ["checks another move in the world"] = function(world, _, far) world:check(far, 1, 0) end,
    ["carries another shape"] = function(world, _, far) world:carry(far, 1, 0) end,
    ["moves the mover through another world"] = function(_, _, _, mover) sat.world():move(mover, 1, 0) end,
    ["carries the mover through another world"] = function(_, _, _, mover) sat.world():carry(mover, 1, 0) end,
    ["yields"] = function() coroutine.yield() end,
    ["raises a string"] = function() error "no" end,
    ["raises a table"] = function() error {} end,
    ["raises nil"] = function() error() end,
    ["answers with no response"] = function() return "slip" end,
    ["answers with a number"] = function() return 1 end,
    ["answers with a table"] = function() return {} end,
  }
  for _, call in ipairs { { "move", 1, 1 }, { "moveTo", 1, 1 }, { "rotate", 1 }, { "setRotation", 1 }, { "scale", 2 },
    { "stretch", 2, 2 }, { "flip" }, { "transform", 1, 1, 1 }, { "setRadius", 1 }, { "setFilter", 1, 1, 1 },
    { "setSensor", true }, { "setStatic", true }, { "setEnabled", false }, { "setMass", 2 }, { "setOneWay", 0, -1 } } do
    for i, whose in ipairs { "what is hit", "another shape", "the mover" } do
      changes["calls " .. call[1] .. " of " .. whose] = function(_, ...)
        local shape = select(i, ...)
        shape[call[1]](shape, unpack(call, 2))
      end
    end
  end

  -- Makes the world, its shapes and a mover, which has hit something.
  local function scene(is_member)
    local wall, far = sat.rectangle(20, 0, 10, 10), sat.rectangle(60, 40, 10, 10)
    local world, mover = sat.world():add(wall, far), sat.rectangle(0, 0, 10, 10)
    if is_member then world:add(mover) end
    world:move(mover, -5, 0)
    world:move(mover, 5, 0)
    world:check(far, 0, -100)
    return world, wall, far, mover
  end

  for _, name in ipairs(support.sorted(changes)) do
    it(name .. " ends the call with an error, and leaves everything as it was", function()
      for _, is_member in ipairs { true, false } do
        for _, method in ipairs { "move", "check" } do
          local world, wall, far, mover = scene(is_member)
          local saved, hits, asked = world:save(), hits_of(world), 0
          local function respond()
            asked = asked + 1
            local answer = changes[name](world, wall, far, mover, saved)
            return answer == nil and "slide" or answer
          end
          local thread = coroutine.create(function() return pcall(world[method], world, mover, 50, 0, respond) end)
          local resumed, done = coroutine.resume(thread)
          assert.same({ true, false, "dead", 1 }, { resumed, done, coroutine.status(thread), asked })
          assert.equal(saved, world:save())
          assert.same(hits, hits_of(world))
          assert.same({ 0, 0, 10, 10 }, { mover:bounds() })
          local x, _, n = world:move(mover, 50, 0)
          assert.same({ 15, 1 }, { x, n })
          mover:setRadius(1):setMass(2)
        end
      end
    end)
  end

  it("asks, loops and sets data may do so", function()
    for _, is_member in ipairs { true, false } do
      local world, wall, far, mover = scene(is_member)
      local found = 0
      local x = world:move(mover, 50, 0, function(_, other)
        for _ in world:hits() do found = found + 1 end
        for _ in world:collisions() do found = found + 1 end
        for _ in world:collisions(far) do found = found + 1 end
        world:cast(far, 0, -100)
        world:collide(wall)
        world:raycast(0, 0, 100, 100)
        world:nearest(0, 0)
        world:save()
        world:svg()
        sat.world():move(sat.circle(0, 0, 1), 1, 1)
        other:setData("seen"):clone():move(1, 0)
        collectgarbage()
        return true
      end)
      assert.same({ 15, "seen" }, { x, wall:data() })
    end
  end)
end)

-- ---------------------------------------------------------------- floors in pieces

-- The floor in one piece, and cut: as tiles, a compound, a chain, and a concave polygon, a comb whose teeth hang down.
local function floors(size, angle, columns, random)
  local strip, pieces, parts = {}, {}, {}
  local function add(list, x1, x2)
    local c, s, points = math.cos(angle), math.sin(angle), { x1, 0, x2, 0, x2, size, x1, size }
    for i = 1, 8, 2 do
      points[i], points[i + 1] = c * points[i] - s * points[i + 1], s * points[i] + c * points[i + 1]
    end
    list[#list + 1] = { kind = "polygon", points = points }
  end
  add(strip, -5 * size, columns * size)
  for i = -5, columns - 1 do add(pieces, i * size, (i + 1) * size) end
  for i, piece in ipairs(pieces) do parts[i] = piece end
  local c, s = math.cos(angle), math.sin(angle)
  local line = { -5 * size * c, -5 * size * s }
  for i = -4, columns do line[#line + 1], line[#line + 2] = i * size * c, i * size * s end
  local comb = { line[1], line[2], line[#line - 1], line[#line] }
  for i = columns, -5, -1 do
    local down = size * (i % 2 == 0 and 2 or 0.5)
    comb[#comb + 1], comb[#comb + 2] = i * size * c - down * s, i * size * s + down * c
  end
  return scenes.world(strip), {
    polygon = scenes.world { { kind = "polygon", points = comb } },
    tiles = scenes.world(pieces, nil, scenes.shuffled(pieces, random)),
    compound = scenes.world { { kind = "compound", parts = parts } },
    chain = scenes.world { { kind = "chain", points = line } },
  }
end

describe("a floor in pieces", function()
  for _, angle in ipairs { 0, 0.3, -0.5, 1.1 } do
    it(("is walked over like one in one piece, turned by %g"):format(angle), function()
      local random = generator(12)
      local c, s = math.cos(angle), math.sin(angle)
      local makers = {
        function() return sat.rectangle(-5, -13, 10, 10):rotate(angle, 0, 0) end,
        function() return sat.circle(0, -8, 5):rotate(angle, 0, 0) end,
        function() return sat.capsule(0, -15, 0, -8, 5):rotate(angle, 0, 0) end,
        function() return sat.rectangle(-3, -11, 6, 6):setRadius(2):rotate(angle, 0, 0) end,
        function() return sat.polygon(-5, -13, 5, -13, 5, -3, 0, -8, -5, -3):rotate(angle, 0, 0) end,
        function() return sat.compound(sat.rectangle(-5, -13, 9, 6), sat.circle(0, -6, 3)):rotate(angle, 0, 0) end,
      }
      for _, size in ipairs { 16, 17.3, 0.7, 33.3 } do
        for number, make in ipairs(makers) do
          local whole, cut = floors(size, angle, 40, random)
          for _, name in ipairs { "tiles", "compound", "chain", "polygon" } do
            local world = cut[name]
            local a, b = make(), make()
            for step = 1, 20 do
              local vx, vy = random(0, 900) / 1000 * size, random(0, 300) / 100
              local dx, dy = c * vx - s * vy, s * vx + c * vy
              local x, y = whole:move(a, dx, dy)
              local x2, y2 = world:move(b, dx, dy)
              local scale = math.max(40 * size, 20)
              -- Surfaces along the axes, on whole numbers, give the same bits, but for radii on a segment, and
              -- for the last two, whose centres are no whole numbers.
              if angle == 0 and size == 16 and name ~= "chain" and number <= 4 then
                assert.same({ x, y }, { x2, y2 }, name)
              end
              assert(math.abs(x - x2) <= 1e-9 * scale and math.abs(y - y2) <= 1e-9 * scale,
                ("%s of %g, step %d: %.17g, %.17g for %.17g, %.17g"):format(name, size, step, x2, y2, x, y))
            end
          end
        end
      end
    end)
  end
end)

-- Points and segments have no area, so that they fit between tiles that abut; a compound of the tiles has no seams.
local function thin_movers(random, size)
  local along, across = random(-1, 7) * size + random(0, 1) * size / 4, random(0, 6) * size
  local way, length = random(-6, 6) * size + random(0, 1) * size / 4, random(1, 8) / 8 * size
  local x, y, dx, dy = along, across, way, 0
  if random(0, 1) == 1 then x, y, dx, dy = across, along, 0, way end
  local toward = way < 0 and -length or length
  local segment = sat.segment(x, y, x + (dx ~= 0 and toward or 0), y + (dx ~= 0 and 0 or toward))
  if random(0, 2) == 0 then dx, dy = dx + random(-1, 1) * size, dy + random(-1, 1) * size end
  return sat.point(x, y), segment, dx, dy
end

describe("a seam between tiles", function()
  it("is closed to points and segments along it, as within a compound of the tiles", function()
    local met = 0
    for seed = 1, RUNS * 20 do
      local random = generator(seed)
      local size, shapes = ({ 16, 10 })[random(1, 2)], {}
      for column = 0, 5 do
        for row = 0, 5 do
          if random(0, 2) > 0 then shapes[#shapes + 1] = sat.rectangle(column * size, row * size, size, size) end
        end
      end
      local whole = sat.compound(shapes)
      local tiles, compound = sat.world():add(shapes), sat.world():add(whole)
      for _ = 1, 5 do
        local point, segment, dx, dy = thin_movers(random, size)
        for _, shape in ipairs { point, segment } do
          local message = ("seed %d, %s by %g, %g"):format(seed, tostring(shape), dx, dy)
          local _, _, depth = tiles:collide(shape)
          local _, _, expected = compound:collide(shape)
          assert(math.abs((expected or -1) - (depth or -1)) <= 1e-9, message)
          for _, how in ipairs { "touch", "slide" } do
            local x, y = compound:check(shape, dx, dy, how)
            local x2, y2, n = tiles:check(shape, dx, dy, how)
            local _, _, after = shape:clone():moveTo(x2, y2):collide(whole)
            -- Two tiles that meet at a corner only make no seam, yet a segment may end across the corner.
            local ends_across = shape == segment and after and after > 0
            local is_told = expected == 0 and (dx == 0 or dy == 0) -- at a corner a slope may lead to either side
            if not ends_across and (not expected or is_told) then
              met = met + n
              assert(math.abs(x - x2) + math.abs(y - y2) <= 1e-9 * SCALE,
                ("%s: %g, %g for %g, %g"):format(message, x2, y2, x, y))
            end
          end
        end
      end
    end
    assert(met > 100)
  end)

  it("is one between obstacles alone", function()
    local left, right = sat.rectangle(0, 0, 10, 10), sat.rectangle(10, 0, 10, 10)
    local world, asked = sat.world():add(right, left), {}
    local function through(answer)
      asked = {}
      local point = sat.point(10, -5)
      local _, y = world:move(point, 0, 20, function(_, other)
        asked[#asked + 1] = other
        if other == left then return answer end
        return "touch"
      end)
      return y
    end
    support.near(0, through "touch", 2e-11) -- a point stays on its side, by a part of rounding
    assert.same({ right, left }, asked)
    local alone = select(2, sat.world():add(right:clone()):move(sat.point(10, -5), 0, 20, "touch"))
    support.near(alone, through(false), 2e-11) -- as if it were not there
    support.near(alone, through "cross", 2e-11)
  end)

  it("is left by what it holds at the start, and holds nothing that its answers let go", function()
    local left, right = sat.rectangle(0, 0, 10, 10), sat.rectangle(10, 0, 10, 10)
    local world = sat.world():add(left, right)
    local segment = sat.segment(10, 2, 10, 8)
    assert.same({ 0, -8, 8 }, { world:collide(segment) }) -- up: it is about the middle of both
    -- It is in contact with both tiles and inside of neither: along the seam it goes as along a wall.
    assert.same({ 10, 6, 0, 0, 1 }, { world:check(segment, 0, 1) })
    assert.equal(1, (select(3, world:check(segment, 1, 1))))
    local x, y = world:move(segment, 0, 1, function(_, other) return other == left end)
    assert.same({ 10, 6 }, { x, y })
  end)
end)

-- ---------------------------------------------------------------- gaps as wide as the mover

-- A corridor four cells long, a ledge before its mouth, and what they are made of.
local function corridor(random, unit, angle, x, y)
  local shapes, way = {}, random(1, 3)
  local function add(column, row, w, h)
    shapes[#shapes + 1] = sat.rectangle(x + column * unit, y + row * unit, w * unit, h * unit):rotate(angle, 0, 0)
  end
  if way == 1 then
    add(0, -3, 4, 3)
    add(0, 1, 4, 3)
  else
    for column = 0, 3 do
      for _, row in ipairs { -2, -1, 1, 2 } do add(column, row, 1, 1) end
    end
    if way == 3 then shapes = { sat.compound(shapes) } end
  end
  add(-4, 1, 4, 2)
  return shapes, ({ "blocks", "tiles", "a compound" })[way]
end

local function as_wide(kind, unit, angle, x, y)
  local shape
  if kind == "box" then shape = sat.rectangle(x - 2 * unit, y, unit, unit)
  elseif kind == "circle" then shape = sat.circle(x - 1.5 * unit, y + unit / 2, unit / 2)
  elseif kind == "capsule" then
    shape = sat.capsule(x - 2 * unit, y + unit / 2, x - 1.5 * unit, y + unit / 2, unit / 2)
  else
    shape = sat.compound(sat.rectangle(x - 2 * unit, y, unit / 2, unit),
      sat.rectangle(x - 1.5 * unit, y, unit / 2, unit))
  end
  return shape:rotate(angle, 0, 0)
end

-- How deep two shapes overlap anywhere: a gap of a compound is left by a long way where it is narrower than the mover
-- by the last place of a coordinate.
local function overlap(shape, shapes)
  local worst = 0
  for _, other in ipairs(shapes) do
    for _, piece in ipairs(other:pieces()) do
      for _, own in ipairs(shape:pieces()) do
        local _, _, depth = own:collide(piece)
        worst = math.max(worst, depth or 0)
      end
    end
  end
  return worst
end

describe("a gap exactly as wide as the mover", function()
  for _, kind in ipairs { "box", "circle", "capsule", "compound" } do
    it(("lets a %s in and out, pressed to either side, whatever it is made of"):format(kind), function()
      for seed = 1, RUNS * 10 do
        local random = generator(seed)
        local unit, angle = ({ 16, 10, 17.3, 0.7, 1 / 3 })[random(1, 5)], ({ 0, 0, 0.3, 1.1, -0.5 })[random(1, 5)]
        local x, y = random(-1000, 1000) / random(1, 9), random(-1000, 1000) / random(1, 9)
        local shapes, of = corridor(random, unit, angle, x, y)
        local world, shape = sat.world():add(shapes), as_wide(kind, unit, angle, x, y)
        local c, s, steps = math.cos(angle), math.sin(angle), random(3, 12)
        local rounding = 1e-12 * (math.abs(x) + math.abs(y) + 4 * unit)
        local x1, y1 = shape:center()
        local function go(along, across)
          world:move(shape, c * along - s * across, s * along + c * across)
          assert(overlap(shape, shapes) <= rounding, ("seed %d: deep in %s"):format(seed, of))
        end
        for i = 1, steps do -- down onto the ledge at the mouth, to either side within
          local from, to = (i - 1) * 4 / steps, i * 4 / steps
          local least = from >= 2 and -1 or 0
          go(unit * 4 / steps, to < 3.5 and random(least, 1) * unit / 10 or 0)
        end
        local x2, y2 = shape:center()
        local way = c * (x2 - x1) + s * (y2 - y1)
        assert(math.abs(way - 4 * unit) <= 1e3 * rounding,
          ("seed %d: by %g of %g in %s"):format(seed, way, 4 * unit, of))
        for _ = 1, steps do go(-unit * 4 / steps, 0) end
        local x3, y3 = shape:center()
        assert(math.abs(x3 - x1) + math.abs(y3 - y1) <= 1e3 * rounding, ("seed %d: back in %s"):format(seed, of))
      end
    end)
  end
end)

-- A shaft of rounded blocks with a floor at its bottom, whose one wall goes on above the mouth, and a mover of the same
-- width that touches this wall.
local function shaft(random, to)
  local unit, radius = ({ 16, 10, 17.3 })[random(1, 3)], random(0, 2)
  local x, y = random(-100, 100), random(-100, 100)
  local function block(column, row, w, h)
    return { kind = "polygon", radius = radius > 0 and radius or nil, points = scenes.box(x + column * unit + radius,
      y + row * unit + radius, w * unit - 2 * radius, h * unit - 2 * radius).points }
  end
  local left, mouth = x, y - random(12, 30) / 10 * unit
  local middle = left + unit / 2
  local movers = {
    scenes.box(left, mouth, unit, unit),
    { kind = "circle", points = { middle, mouth + unit / 2 }, radius = unit / 2 },
    { kind = "capsule", points = { middle, mouth, middle, mouth + unit / 2 }, radius = unit / 2 },
    { kind = "polygon", points = { left, mouth, left + unit, mouth, left + unit, mouth + unit,
      left + unit / 2, mouth + unit / 2, left, mouth + unit } },
  }
  local mover, blocks = movers[random(1, #movers)], { block(1, -5, 1, 10), block(-1, 0, 1, 5), block(-1, 5, 3, 1) }
  mover.static = false
  local compound = { kind = "compound", parts = blocks }
  return scenes.shape(mover, to), scenes.world(blocks, to), scenes.world({ compound }, to), unit
end

describe("the mouth of a shaft as wide as the mover", function()
  for _, how in ipairs { "touch", "slide", "bounce" } do
    it(("is gone through along one wall, whether all is one compound or not, by %q"):format(how), function()
      for seed = 1, RUNS * 20 do
        local random = generator(seed)
        local to = ({ scenes.same, scenes.mirrored, scenes.quarter, scenes.half })[random(1, 4)]
        local shape, blocks, compound, unit = shaft(random, to)
        local dx, dy = to.vector(0, unit * random(30, 90) / 10)
        local x, y, n, rx, ry = blocks:check(shape, dx, dy, how)
        local x2, y2, n2, rx2, ry2 = compound:check(shape, dx, dy, how)
        local message = ("seed %d: %.17g, %.17g, %d hits for %.17g, %.17g, %d"):format(seed, x2, y2, n2, x, y, n)
        assert.equal(n, n2, message)
        assert(math.abs(x - x2) + math.abs(y - y2) <= 1e-9 * SCALE, message)
        assert(math.abs(rx - rx2) + math.abs(ry - ry2) <= 1e-9 * SCALE, message)
      end
    end)
  end
end)

-- A shaft between two solids, or within one compound, and something round of its own width, which comes to its mouth
-- aslant. It meets the two corners in turn, each at a smaller angle, and is as wide as the mouth in the end.
local function wide_mouth(random, far)
  local unit, kind, r = ({ 16, 10, 17.3, 0.7 })[random(1, 4)], random(1, 4), 0
  local x, y = far + random(-50, 50), random(-50, 50) - far
  local px, py = x + random(-30, 30) / 100 * unit, y - random(150, 300) / 100 * unit
  local blocks = { scenes.box(x - 1.5 * unit, y, unit, 4 * unit), scenes.box(x + 0.5 * unit, y, unit, 4 * unit) }
  if kind == 3 then r = unit / random(3, 8) end
  local square = scenes.box(px - unit / 2 + r, py - unit / 2 + r, unit - 2 * r, unit - 2 * r)
  local mover = ({ { kind = "circle", points = { px, py }, radius = unit / 2 },
    { kind = "capsule", points = { px, py - unit / 2, px, py }, radius = unit / 2 },
    { kind = "polygon", points = square.points, radius = r }, square })[kind]
  if kind == 4 then
    for i, side in ipairs { -1, 1 } do
      blocks[i] = { kind = "circle", points = { x + side * unit, y + unit / 2 }, radius = unit / 2 }
    end
  end
  mover.static = false
  local is_one = random(1, 2) == 1
  return is_one and { { kind = "compound", parts = blocks } } or blocks, mover, unit, x, y, kind < 4
end

describe("the mouth of a shaft as wide as something round", function()
  it("holds back nothing that comes to it aslant, wherever it is", function()
    local frames, entered = { scenes.same, scenes.mirrored, scenes.quarter, scenes.half }, 0
    for seed = 1, RUNS * 20 do
      local random = generator(seed)
      local far, to = ({ 0, 1000, 10000, 100000 })[random(1, 4)], frames[random(1, 4)]
      local blocks, mover, unit, x, y, has_walls = wide_mouth(random, far)
      local world, shape = scenes.world(blocks, to), scenes.shape(mover, to)
      local dx, dy = to.vector(random(-60, 60) / 100 * unit, random(80, 150) / 100 * unit)
      local downX, downY = to.vector(0, 1)
      x, y = to.point(x, y)
      local side, depth, rx, ry = 1, 0, 0, 0
      for _ = 1, 40 do
        rx, ry = select(4, world:move(shape, dx, dy))
        local toX, toY = shape:center()
        depth = (toX - x) * downX + (toY - y) * downY
        side = math.abs((toX - x) * downY - (toY - y) * downX)
        if depth > unit / 2 then break end
      end
      -- A shape farther to the side lies on top of a block.
      if side < unit / 100 then
        assert(depth > unit / 2, ("seed %d, %s: stopped at %g of %g"):format(seed, mover.kind, depth, unit))
        -- Two discs are touched at their ends only. Between walls the motion is left along the walls alone.
        local across = has_walls and math.abs(rx * downY - ry * downX) or 0
        assert(across <= 1e-9 * unit, ("seed %d, %s: %g across the shaft is left"):format(seed, mover.kind, across))
        entered = entered + 1
      end
    end
    assert(entered > RUNS * 5)
  end)
end)

-- The union of both has a corner that a box reaches in the middle of a move, inside of the one by the last place of its
-- coordinates and touching the other.
describe("a corner within a compound", function()
  it("does not hold back what reaches it by rounding", function()
    local roof, wall = sat.rectangle(-32, -16, 64, 16), sat.rectangle(0, 0, 32, 64)
    local compound, apart = sat.world():add(sat.compound(roof, wall)), sat.world():add(roof, wall)
    for i = 1, 4000 do
      local x, y = i * 7919 % 10007 / 10.007, i * 104729 % 10009 / 10.009
      local box = sat.rectangle(x, y, 12, 20):moveTo(-6, 14)
      for _, dx in ipairs { 3, -2 } do
        local toX, toY = apart:check(box, dx, -4)
        local x2, y2 = compound:check(box, dx, -4)
        assert(math.abs(toX - x2) + math.abs(toY - y2) < 1e-9,
          ("from %.17g, %.17g: %.17g, %.17g for %.17g, %.17g"):format(x, y, x2, y2, toX, toY))
      end
    end
  end)
end)

-- A chain that ends in the corner where the sides of two tiles meet touches one of them at its corner only. That has
-- several normals, and a motion past the corner may lead against one of these.
describe("a corner between two tiles", function()
  it("is left past the corner of either, and what is met on the way stops the mover", function()
    local left = 0
    for seed = 1, RUNS * 80 do
      local random = generator(seed)
      local points, boxes = { 0, 0 }, { { -16, 0, 16, 16 }, { 0, -16, 16, 32 }, { -60, -60, 20, 100 },
        { 40, -60, 20, 100 }, { -60, -60, 120, 20 } }
      for i = 3, 2 * random(2, 4), 2 do points[i], points[i + 1] = -random(0, 12), -random(1, 12) end
      local chain, dx, dy = sat.chain(points), random(-40, 40), random(-40, 40)
      local world, tiles, first = sat.world(), {}, 2
      for i, box in ipairs(boxes) do tiles[i] = sat.rectangle(unpack(box)) end
      world:add(tiles)
      -- Straight along the side of both tiles the chain meets their seam.
      if dx ~= 0 and not chain:cast(dx, dy, tiles[1]) and not chain:cast(dx, dy, tiles[2]) then
        for _, tile in ipairs(tiles) do first = math.min(first, chain:cast(dx, dy, tile) or 2) end
        world:check(chain, dx, dy, "touch")
        local hit = hits_of(world)[1]
        if first == 1 and not hit then first = 2 end -- a touch at the end stops nothing, but for rounding
        assert(math.abs((hit and hit.t or 2) - first) < 1e-9, ("seed %d: %s"):format(seed, tostring(hit and hit.t)))
        left = left + 1
      end
    end
    assert(left > RUNS * 10)
  end)
end)

-- A slope's block has an upright side, which the floor beside it hides.
describe("a corner that two solids leave open", function()
  it("lets no corner of a mover through, in whatever direction", function()
    local random = generator(24)
    for run = 1, RUNS * 40 do
      local x, y, slant = random(-50, 50), random(-50, 50), random(0, 10)
      local left = sat.polygon(x - 15, y - 10, x - slant, y - 10, x, y, x, y + 10, x - 15, y + 10)
      local below = sat.polygon(x - slant, y - 10, x + 15, y - 10, x + 15, y, x, y)
      local a, b = random(1, 700) / 1000, random(800, 1500) / 1000
      local mover = sat.polygon(x, y, x + 12 * math.cos(a), y + 12 * math.sin(a),
        x + 12 * math.cos(b), y + 12 * math.sin(b))
      local world = sat.world():add(left:setStatic(true), below:setStatic(true), mover)
      local fromX, fromY = mover:center()
      local toX, toY = world:check(mover, -random(1, 300) / 10, -random(1, 300) / 10, "touch")
      assert.same({ fromX, fromY }, { toX, toY }, ("run %d"):format(run))
    end
  end)
end)

-- Ground with a reflex corner at x, y, whose two walls lead to x + ax, y + ay and x + bx, y + by: in one polygon, as a
-- compound of two, or as two shapes.
local function reflex_corner(random, x, y, ax, ay, bx, by)
  local mx, my = x - random(40, 60), y - random(40, 60)
  local first = { x, y, mx, my, x + ax + random(0, 10), y + ay - random(5, 15), x + ax, y + ay }
  local second = { x, y, x + bx, y + by, x + bx - random(5, 15), y + by + random(0, 10), mx, my }
  local both = { x, y, x + bx, y + by }
  for i = 5, 8 do both[i] = second[i] end
  for i = 5, 8 do both[i + 4] = first[i] end
  local halves = { { kind = "polygon", points = first }, { kind = "polygon", points = second } }
  return ({ { { kind = "polygon", points = both } }, { { kind = "compound", parts = halves } }, halves })[random(1, 3)]
end

-- A mover with a corner at x, y that is within a quadrant, and a motion that this corner leads. The seam of the
-- compound is at the height h. An edge of the wedge may lean from the side of the quadrant by less than a hundredth,
-- though by more than rounding hides.
local function in_quadrant(random, x, y, h)
  local w = random(1, 20)
  local one, other = scenes.box(x, y, w, h), scenes.box(x, y + h, w + 4, 3)
  local low, high = random(6, random(1, 2) == 1 and 9 or 700) / 1000, random(800, 1500) / 1000
  local ax, ay, bx, by = w * math.cos(low), w * math.sin(low), h * math.cos(high), h * math.sin(high)
  local wedge = { kind = "polygon", points = { x, y, x + ax, y + ay, x + bx, y + by } }
  local mover = ({ one, wedge, { kind = "compound", parts = { one, other } } })[random(1, 3)]
  mover.static = false
  if mover ~= wedge then ax, ay, bx, by = w, 0, 0, h end
  local a, b = random(1, 40) / 10, random(1, 40) / 10
  return mover, -a * ax - b * bx, -a * ay - b * by
end

describe("a reflex corner", function()
  it("reports the wall hit most head-on first, then the other one if the rest leads into it", function()
    local frames, met = { scenes.same, scenes.mirrored, scenes.quarter, scenes.half }, { 0, 0 }
    for seed = 1, RUNS * 100 do
      local random = generator(seed)
      local far = ({ 0, 1000, 10000 })[random(1, 3)]
      local x, y, to = far + random(-50, 50), random(-50, 50) - far, frames[random(1, 4)]
      local ax, ay, bx, by = random(1, 40), -random(0, 20), -random(0, 20), random(1, 40)
      local h = random(1, 20)
      if random(1, 4) == 1 then bx, by = 0, h end -- the wall ends at the mover's seam
      local scene, mover, dx, dy = reflex_corner(random, x, y, ax, ay, bx, by), in_quadrant(random, x, y, h)
      dx, dy = to.vector(dx, dy)
      local a, b = math.sqrt(ax * ax + ay * ay), math.sqrt(bx * bx + by * by)
      local nx, ny = to.vector(-ay / a, ax / a)
      local mx, my = to.vector(by / b, -bx / b)
      local into, also = dx * nx + dy * ny, dx * mx + dy * my
      if also < into then nx, ny, mx, my, into, also = mx, my, nx, ny, also, into end
      local left = also - into * (nx * mx + ny * my) -- of the rest against the second wall, after the first one
      local is_reflex = ax * by - ay * bx > 0
      if is_reflex and also < -1e-6 and also - into > 1e-6 and left < -1e-6 then
        local world, shape = scenes.world(scene, to), scenes.shape(mover, to)
        local fromX, fromY = shape:center()
        for how, expected in pairs { touch = 1, slide = 2 } do
          local toX, toY = world:check(shape, dx, dy, how)
          local hits, message = hits_of(world), ("seed %d, %s, %s"):format(seed, how, scene[1].kind .. #scene)
          assert(math.abs(toX - fromX) + math.abs(toY - fromY) <= 1e-12 * (SCALE + far), message)
          assert.equal(expected, #hits, message)
          for i, normal in ipairs { { nx, ny }, { mx, my } } do
            if hits[i] then
              assert(math.abs(normal[1] - hits[i].nx) + math.abs(normal[2] - hits[i].ny) <= 1e-12, message)
            end
          end
          met[expected] = met[expected] + 1
        end
      end
    end
    assert(met[1] > RUNS * 10)
  end)
end)

describe("the foot of a slope of its own", function()
  it("is where a move along the floor meets the slope, whatever the response is", function()
    local world = sat.world():add(sat.rectangle(-200, 0, 200, 50),
      sat.polygon(0, 0, 87, -61, 87, 50, 0, 50))
    for _, how in ipairs { "touch", "slide", "bounce" } do
      for i = 0, 999 do
        local box = sat.rectangle(-13 - i / 1000, -20, 12, 20)
        local start = box:center()
        world:move(box, 2.5, 0, how)
        local met = 0
        for _, nx, _, t in world:hits() do
          met = met + 1
          assert(math.abs(start + 2.5 * t + 6) < 1e-9 and nx < 0, ("%s from %.17g: t %.17g"):format(how, start, t))
        end
        assert.equal(1, met)
        if how == "touch" then assert(math.abs(box:center() + 6) < 1e-9, ("from %.17g"):format(start)) end
      end
    end
  end)
end)

-- ---------------------------------------------------------------- ground, platforms and one-way platforms

describe("flat ground between walls", function()
  it("is gone over in ten steps as in one", function()
    local random = generator(13)
    local world = sat.world():add(sat.rectangle(-50, 0, 100, 20), sat.rectangle(-70, -80, 20, 100),
      sat.rectangle(50, -80, 20, 100))
    for run = 1, RUNS * 5 do
      local mover = scenes.mover(random)
      local one = scenes.shape(mover):moveTo(random(-300, 300) / 10, -random(200, 400) / 10)
      local ten = one:clone()
      local dx, dy = random(-900, 900) / 10, random(0, 600) / 10
      world:move(one, 0, dy)
      world:move(ten, 0, dy)
      local x, y = world:move(one, dx, 1)
      for _ = 1, 9 do world:move(ten, dx / 10, 0.1) end
      local x2, y2 = world:move(ten, dx / 10, 0.1)
      assert(math.abs(x - x2) <= 1e-12 * SCALE and math.abs(y - y2) <= 1e-12 * SCALE,
        ("run %d: %.17g, %.17g in one step, %.17g, %.17g in ten"):format(run, x, y, x2, y2))
    end
  end)
end)

describe("world:carry", function()
  it("keeps riders in their place to the bit, for whole steps from whole places", function()
    local random = generator(14)
    for run = 1, RUNS * 5 do
      local platform = sat.rectangle(random(-50, 50), 0, random(30, 60), 8)
      local x, _, w = platform:bounds()
      local rider = sat.rectangle(x + random(0, w - 12), -12, 12, 12)
      local second = sat.rectangle((rider:bounds()), -20, 12, 8)
      local world = sat.world():add(platform, rider, second)
      for _ = 1, 10 do
        local px, py = platform:center()
        local rx, ry = rider:center()
        local sx, sy = second:center()
        local n, crushed = world:carry(platform, random(-20, 20), random(-20, 20))
        local toX, toY = platform:center()
        assert.same({ 2, 0 }, { n, crushed })
        assert.same({ rx + toX - px, ry + toY - py, sx + toX - px, sy + toY - py },
          { rider:center() , select(2, rider:center()), second:center() , select(2, second:center()) },
          ("run %d"):format(run))
      end
    end
  end)

  -- Riders of every kind whose bounds begin at x, end below at y, and are whole numbers.
  local RIDERS = {
    circle = function(x, y) return sat.circle(x + 6, y - 6, 6) end,
    capsule = function(x, y) return sat.capsule(x + 4, y - 4, x + 12, y - 4, 4) end,
    ["capsule on end"] = function(x, y) return sat.capsule(x + 4, y - 12, x + 4, y - 4, 4) end,
    polygon = function(x, y) return sat.polygon(x, y, x + 3, y - 8, x + 9, y - 10, x + 12, y) end,
    hexagon = function(x, y)
      return sat.polygon(x, y - 5, x + 3, y - 10, x + 9, y - 10, x + 12, y - 5, x + 9, y, x + 3, y)
    end,
    ["concave polygon"] = function(x, y)
      return sat.polygon(x, y, x, y - 12, x + 12, y - 12, x + 12, y, x + 8, y, x + 8, y - 8, x + 4, y - 8, x + 4, y)
    end,
    ["rounded box"] = function(x, y) return sat.rectangle(x + 2, y - 10, 8, 8):setRadius(2) end,
    compound = function(x, y) return sat.compound(sat.rectangle(x, y - 4, 12, 4), sat.circle(x + 6, y - 10, 6)) end,
  }
  local KINDS = {}
  for kind in pairs(RIDERS) do KINDS[#KINDS + 1] = kind end
  table.sort(KINDS)

  -- A turned rider that has landed on a turned platform.
  local function landed(random, make)
    local platform = sat.rectangle(-60, 0, 120, 8):rotate(random(-700, 700) / 1000)
    local rider = make(random(-20, 10), -60):rotate(random(0, 600) / 100)
    local world = sat.world():add(platform, rider)
    world:move(rider, 0, 100, "touch")
    return platform, rider, world
  end

  for _, kind in ipairs(KINDS) do
    local make = RIDERS[kind]
    it(("keeps a %s in its place to the bit, on boxes and on compounds"):format(kind), function()
      local random = generator(16)
      for run = 1, RUNS * 5 do
        local x = random(-50, 50)
        local platform = sat.rectangle(x, 0, 40, 8)
        if run % 2 == 0 then
          platform = sat.compound(sat.rectangle(x, 0, 20, 8), sat.rectangle(x + 20, 0, 20, 8))
        end
        local rider = make(x + random(0, 20), 0)
        local world = sat.world():add(platform, rider)
        for _ = 1, 10 do
          local px, py = platform:bounds()
          local rx, ry = rider:bounds()
          local n, crushed = world:carry(platform, random(-20, 20), random(-20, 20))
          local toX, toY = platform:bounds()
          assert.same({ 1, 0 }, { n, crushed }, ("run %d"):format(run))
          assert.same({ rx + toX - px, ry + toY - py }, { rider:bounds(), (select(2, rider:bounds())) },
            ("run %d"):format(run))
        end
      end
    end)

    it(("carries a turned %s that has landed on a turned platform"):format(kind), function()
      local random = generator(17)
      for run = 1, RUNS * 5 do
        local platform, rider, world = landed(random, make)
        for _ = 1, 10 do
          local px, py = platform:center()
          local rx, ry = rider:center()
          local n, crushed = world:carry(platform, random(-200, 200) / 10, random(-200, 200) / 10)
          local toX, toY = platform:center()
          local x, y = rider:center()
          assert.same({ 1, 0 }, { n, crushed }, ("run %d"):format(run))
          assert(math.abs(x - rx - toX + px) <= 1e-9 * SCALE and math.abs(y - ry - toY + py) <= 1e-9 * SCALE,
            ("run %d: the rider is off by %g, %g"):format(run, x - rx - toX + px, y - ry - toY + py))
        end
      end
    end)

    -- A rider that the turned platform overlaps leaves it by the way out of that platform alone.
    it(("takes a %s along on a platform that turns, by its centre"):format(kind), function()
      local random = generator(18)
      for run = 1, RUNS * 5 do
        local platform, rider, world = landed(random, make)
        local px, py = platform:center()
        local rx, ry = rider:center()
        local dx, dy, angle = 0, 0, random(-600, 600) / 1000
        if kind == "circle" then dx, dy = random(-200, 200) / 10, random(-200, 200) / 10 end
        assert.same({ 1, 0 }, { world:carry(platform, dx, dy, angle) }, ("run %d"):format(run))
        local c, s, toX, toY = math.cos(angle), math.sin(angle), platform:center()
        local x, y = toX + c * (rx - px) - s * (ry - py), toY + s * (rx - px) + c * (ry - py)
        local outX, outY, depth = rider:clone():moveTo(x, y):collide(platform)
        if (depth or 0) > 1e-12 * SCALE then x, y = x + outX, y + outY end
        local atX, atY = rider:center()
        assert(math.abs(atX - x) + math.abs(atY - y) <= 1e-9 * SCALE, ("run %d"):format(run))
      end
    end)

    it(("crushes a %s between a door and a wall if and only if it has no way out"):format(kind), function()
      local random, count = generator(19), { 0, 0 }
      for run = 1, RUNS * 10 do
        local turn = random(0, 600) / 100
        local c, s = math.cos(turn), math.sin(turn)
        local shape = make(0, 0):rotate(random(0, 600) / 100):moveTo(random(-5, 5), random(-5, 5))
        local slant, x, as = random(-40, 40), 15 + random(0, 10), random(1, 3)
        if random(1, 2) == 1 then slant = 0 end
        local is_upright = as == 1 and slant == 0
        local door = sat.rectangle(-80, -100, 60, 200)
        local wall = ({ sat.polygon(x - slant, -100, x + 100, -100, x + 100, 100, x + slant, 100),
          sat.circle(x + 40, 0, 30), sat.capsule(x + 10, -60, x + 15 + slant / 4, 60, 5) })[as]
        local world = sat.world():add(door, shape, wall:setStatic(true))
        for _, one in ipairs { door, shape, wall } do one:rotate(turn, 0, 0) end
        local reach, gap = door:cast(1000 * c, 1000 * s, shape), shape:cast(1000 * c, 1000 * s, wall)
        if reach > 0 and gap and gap > 0 then
          local way = (reach + gap) * 1000 * (2 * random(1, 65) - 1) / 100
          local pushed, held = way > reach * 1000, way > (reach + gap) * 1000
          local fromX, fromY = shape:center()
          local message = ("run %d: %g to the shape, %g to the wall, way %g"):format(run, reach, gap, way)
          local n, crushed = world:carry(door, way * c, way * s)
          local toX, toY = shape:center()
          if held then -- along a wall that leans or is round it may slide out of the door's way
            assert.equal(1, n, message)
            local deepest = math.max(select(3, shape:collide(door)) or 0, select(3, shape:collide(wall)) or 0)
            if crushed == 1 then assert.same({ fromX, fromY }, { toX, toY }, message)
            else assert(deepest <= 1e-9 and not is_upright, message) end
            local _, _, w, h = shape:bounds()
            local _, _, doorW, doorH = door:bounds()
            assert(math.abs(toX - fromX) + math.abs(toY - fromY) <= 2 * (way + w + h + doorW + doorH), message)
          else
            assert.same({ pushed and 1 or 0, 0 }, { n, crushed }, message)
            local far = pushed and way - reach * 1000 or 0
            assert(math.abs(toX - fromX - far * c) + math.abs(toY - fromY - far * s) <= 1e-9 * SCALE, message)
          end
          if pushed then count[held and 2 or 1] = count[held and 2 or 1] + 1 end
        end
      end
      assert(count[1] > RUNS and count[2] > RUNS)
    end)

    it(("crushes a %s under a platform that turns if and only if a wall holds it"):format(kind), function()
      local random, count = generator(20), { 0, 0 }
      for run = 1, RUNS * 40 do
        local platform = sat.rectangle(-60, -5, 120, 10):rotate(random(-300, 300) / 1000)
        local side = random(1, 2) * 2 - 3
        local x, y, radius = random(-60, 50), random(6, 30) * side, random(5, 20)
        local shape = make(x, y):rotate(random(0, 600) / 100)
        local beyond = y - 6 + side * (radius + random(7, 14))
        local wall = sat.circle(x + random(-10, 20), beyond, radius):setStatic(true)
        local world = sat.world():add(platform, shape, wall)
        local angle = random(-600, 600) / 1000
        local turned = platform:clone():rotate(angle)
        local outX, outY, depth = shape:collide(turned)
        if shape:distance(platform) > 1e-6 and shape:distance(wall) > 1e-6 and (not depth or depth > 1e-6) then
          local fromX, fromY = shape:center()
          local held = depth and shape:cast(outX, outY, wall) or false
          local expected = { depth and 1 or 0, held and 1 or 0 }
          assert.same(expected, { world:carry(platform, 0, 0, angle) }, ("run %d"):format(run))
          local toX, toY = shape:center()
          if held or not depth then outX, outY = 0, 0 end
          assert(math.abs(toX - fromX - outX) + math.abs(toY - fromY - outY) <= 1e-9 * SCALE, ("run %d"):format(run))
          if depth then count[held and 2 or 1] = count[held and 2 or 1] + 1 end
        end
      end
      assert(count[1] > RUNS and count[2] > 0)
    end)
  end

  it("crushes what has no way out, and nothing else", function()
    local random = generator(15)
    for run = 1, RUNS * 10 do
      local gap, way = random(0, 20), random(1, 20)
      local door = sat.rectangle(-20, 0, 20, 20)
      local box = sat.rectangle(random(0, 5), 4, 12, 12)
      local x = box:bounds()
      local wall = sat.rectangle(x + 12 + gap, -40, 20, 100):setStatic(true)
      local world = sat.world():add(door, box, wall)
      local n, crushed = world:carry(door, way, 0)
      local pushed, held = way > x, way > x + gap
      assert.same({ pushed and 1 or 0, held and 1 or 0 }, { n, crushed },
        ("run %d: box at %g, gap %g, way %g"):format(run, x, gap, way))
      local to = box:bounds()
      assert.equal(held and x or math.max(x, way), to)
    end
  end)
end)

describe("a one-way platform", function()
  it("stops only what comes from its side and was not inside, however it is turned", function()
    local random = generator(16)
    for run = 1, RUNS * 20 do
      local to = ({ scenes.same, scenes.mirrored, scenes.upside_down, scenes.quarter, scenes.half })[random(1, 5)]
      local platform = scenes.shape(scenes.box(-20, 0, 40, 6), to):setOneWay(to.vector(0, -1))
      local world = sat.world():add(platform)
      local x, y = random(-60, 50), random(6, 30) * (random(1, 2) * 2 - 3)
      local box = scenes.shape(scenes.box(x, y, 8, 10), to)
      local dx, dy = random(-60, 60), random(-60, 60)
      local _, _, n = world:check(box, to.vector(dx, dy))
      -- From above: the bottom reaches 0 on the way, over the platform.
      local t = dy > 0 and -(y + 10) / dy or -1
      local left = x + t * dx
      local met = t >= 0 and t <= 1 and left < 20 and left + 8 > -20
      local edge = math.abs(left - 20) < 1e-6 or math.abs(left + 28) < 1e-6
      if not edge then
        assert.equal(met and 1 or 0, n, ("run %d: from %d, %d by %d, %d"):format(run, x, y, dx, dy))
      end
    end
  end)

  it("is stood on while it rises under one's feet", function()
    local random = generator(17)
    for _ = 1, RUNS * 5 do
      local platform = sat.rectangle(-20, 0, 40, 6):setOneWay(0, -1)
      local hero = sat.rectangle(random(-20, 12), -10, 8, 10)
      local world = sat.world():add(platform, hero)
      for _ = 1, 10 do
        world:carry(platform, random(-3, 3), -random(0, 100) / 10)
        world:move(hero, 0, random(0, 100) / 10)
        local _, y, _, h = hero:bounds()
        local _, top = platform:bounds()
        support.near(top, y + h, 1e-9 * SCALE)
      end
    end
  end)
end)

describe("world:hits", function()
  it("stays what it was where a move is refused, removed shapes included", function()
    local world, wall = sat.world(), sat.rectangle(20, 0, 10, 10)
    local box = sat.rectangle(0, 0, 10, 10)
    world:add(wall, sat.rectangle(40, 0, 10, 10)):move(box, 15, 0)
    world:remove(wall)
    local hits = hits_of(world)
    assert.is_true(#hits == 1 and hits[1].other == wall)
    local place = { box:center() }
    for _, arguments in ipairs { { 1e15, 0 }, { 0 / 0, 0 }, { 0, 1 / 0 }, { 1, 0, "slip" },
      { 50, 0, function() error("no") end }, { 50, 0, function() return "slip" end },
      { 50, 0, function() return world:move(box, 1, 0) end }, { 50, 0, function() world:release() end } } do
      assert.has_error(function() world:move(box, unpack(arguments)) end)
      assert.same(hits, hits_of(world))
      assert.same(place, { box:center() })
    end
    assert.has_error(function() world:carry(box, 1e15, 0) end)
    assert.same(hits, hits_of(world))
  end)
end)
