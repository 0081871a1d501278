-- What a move pushes: by hand, in rows beside a model of one dimension, and what must hold in random scenes.
local sat = require "sat"
local support = require "spec.support"

local all_near, generator, SEED = support.all_near, support.generator, support.SEED
local SCENES = math.ceil(tonumber(os.getenv("SAT_TEST_SCALE") or 1) * 150)

local function box(x, y, w, h) return sat.rectangle(x, y, w or 10, h or 10) end

local function hits_of(world, names)
  local list = {}
  for other, nx, ny, t, _, _, how in world:hits() do
    list[#list + 1] = ("%s %s at %g, %g, %g"):format(names[other], how, t, nx, ny)
  end
  return list
end

local function pushed_of(world, names)
  local list = {}
  for other, dx, dy in world:pushed() do list[#list + 1] = ("%s by %g, %g"):format(names[other], dx, dy) end
  return list
end

describe("a move that pushes", function()
  local world, hero, crate, names

  before_each(function()
    hero, crate = box(0, 0), box(20, 0)
    names = { [hero] = "hero", [crate] = "crate" }
    world = sat.world():add(hero, crate)
  end)

  local function add(name, shape)
    names[shape] = name
    world:add(shape)
    return shape
  end

  it("moves what it meets by the rest of the motion, and itself as far as asked", function()
    assert.same({ 25, 5, 1, 20, 0 }, { world:move(hero, 20, 0, "push") })
    assert.same({ "crate push at 0.5, -1, 0" }, hits_of(world, names))
    assert.same({ "crate by 10, 0" }, pushed_of(world, names))
    assert.same({ 35, 5 }, { crate:center() })
  end)

  it("pushes nothing that it only touches at the end, and tells so in the next loop", function()
    world:move(hero, 20, 0, "push")
    assert.same({ 5, 5, 0, -20, 0 }, { world:move(hero, -20, 0, "push") })
    assert.same({ 15, 5, 0, 10, 0 }, { world:move(hero, 10, 0, "push") })
    assert.same({}, pushed_of(world, names))
  end)

  it("stops at a crate that a wall stops, which is pushed and then a wall", function()
    add("wall", box(33, -20, 5, 50)):setStatic(true)
    assert.same({ 18, 5, 2, 0, 0 }, { world:move(hero, 20, 0, "push") })
    assert.same({ "crate push at 0.5, -1, 0", "crate slide at 0.65, -1, 0" }, hits_of(world, names))
    assert.same({ "crate by 3, 0" }, pushed_of(world, names))
    assert.same({ 18, 5, 2, 0, 0 }, { world:move(hero, 20, 0, "push") })
    assert.same({ "crate push at 0, -1, 0", "crate slide at 0, -1, 0" }, hits_of(world, names))
    assert.same({ "crate by 0, 0" }, pushed_of(world, names))
  end)

  it("pushes as much as it weighs, whatever stands in the row", function()
    local second = add("second", box(35, 0))
    all_near({ 20, 5, 2, 0, 0 }, world:move(hero, 20, 0, "push"))
    assert.same({ "crate by 5, 0" }, pushed_of(world, names))
    hero:setMass(2)
    all_near({ 40, 5, 1, 20, 0 }, world:move(hero, 20, 0, "push"))
    assert.same({ "crate by 20, 0", "second by 20, 0" }, pushed_of(world, names))
    second:setMass(1.5)
    all_near({ 40, 5, 2, 0, 0 }, world:move(hero, 20, 0, "push"))
    hero:setMass(math.huge)
    all_near({ 60, 5, 1, 20, 0 }, world:move(hero, 20, 0, "push"))
    second:setMass(math.huge)
    all_near({ 60, 5, 2, 0, 0 }, world:move(hero, 20, 0, "push"))
  end)

  it("takes two crates that stand abreast together, or none of them", function()
    crate:move(0, -5)
    local second = add("second", box(20, 5))
    all_near({ 15, 5, 1, 0, 0 }, world:check(hero, 20, 0, "push"))
    assert.same({}, pushed_of(world, names))
    hero:setMass(2)
    all_near({ 25, 5, 2, 20, 0 }, world:move(hero, 20, 0, "push"))
    all_near({ 35, 0, 35, 10 }, (crate:center()), select(2, crate:center()), second:center())
  end)

  it("pushes no neighbour that it only grazes", function()
    hero:setMass(9)
    add("below", box(20, 10))
    add("above", box(20, -10))
    all_near({ 25, 5, 1, 20, 0 }, world:move(hero, 20, 0, "push"))
    assert.same({ "crate by 10, 0" }, pushed_of(world, names))
  end)

  it("pushes straight away from the surface, so that a crate slides along a wall", function()
    add("floor", sat.rectangle(-50, 10, 200, 10)):setStatic(true)
    local x, y, _, rx, ry = world:move(hero, 20, 30, "push")
    all_near({ 25, 5, 20, 0 }, x, y, rx, ry)
    assert.same({ "crate by 10, 0" }, pushed_of(world, names))
    add("slope", sat.polygon(40, 10, 90, -15, 90, 10)):setStatic(true) -- rises by 1 in 2
    world:move(hero, 20, 0, "push")
    local cx, cy = crate:center()
    assert(cx > 35 and cy < 5, "it slides up the slope")
    assert.near(5, cy - 5 + (cx - 35) / 2 + 5, 1e-9)
    assert(not world:collide(hero) or select(3, world:collide(hero)) == 0)
  end)

  it("does not push what is static, a sensor, disabled, or filtered out", function()
    crate:setStatic(true)
    all_near({ 15, 5, 1, 0, 0 }, world:check(hero, 20, 0, "push"))
    assert.same({ "crate slide at 0.5, -1, 0" }, hits_of(world, names))
    crate:setStatic(false):setSensor(true)
    all_near({ 25, 5, 1, 20, 0 }, world:check(hero, 20, 0, "push"))
    assert.same({ "crate cross at 0.5, -1, 0" }, hits_of(world, names))
    crate:setSensor(false):setEnabled(false)
    all_near({ 25, 5, 0, 20, 0 }, world:check(hero, 20, 0, "push"))
    crate:setEnabled(true):setFilter(2, 2)
    hero:setFilter(1, 1)
    all_near({ 25, 5, 0, 20, 0 }, world:check(hero, 20, 0, "push"))
  end)

  it("reports each sensor that the mover crosses once, and none that a crate crosses", function()
    add("zone", box(12, 0, 4)):setSensor(true)
    add("far", box(32, 0, 4)):setSensor(true)
    add("all", box(-20, -20, 100, 100)):setSensor(true)
    hero:move(-45, 0)
    world:move(hero, 65, 0, "push")
    assert.same({ "all cross at 0.230769, -1, 0", "zone cross at 0.723077, -1, 0", "crate push at 0.846154, -1, 0" },
      hits_of(world, names))
    assert.same({ "crate by 10, 0" }, pushed_of(world, names))
  end)

  it("is made by a mover that is in no world, or in another", function()
    for _, there in ipairs { false, sat.world() } do
      crate, hero = box(20, 0), box(0, 0)
      world = sat.world():add(crate)
      if there then there:add(hero) end
      all_near({ 25, 5, 1, 20, 0 }, world:move(hero, 20, 0, "push"))
      all_near({ 35, 5 }, crate:center())
    end
  end)

  it("is tried by a check, which leaves all as it is, to the bit", function()
    add("second", box(31, 3))
    hero:setMass(5)
    world:update()
    local saved = world:save()
    local told = { world:check(hero, 20, 1, "push") }
    local pushed = pushed_of(world, names)
    assert.equal(saved, world:save())
    assert.same({ 0, 0 }, { world:update() })
    assert.same(told, { world:move(hero, 20, 1, "push") })
    assert.same(pushed, pushed_of(world, names))
    assert.equal(2, #pushed)
  end)

  it("makes pairs begin and end as other moves do, and deltas of what has moved", function()
    local wall = add("wall", box(40, 0)):setStatic(true)
    world:update()
    local saved = world:save()
    world:move(hero, 20, 0, "push")
    assert.same({ 2, 0 }, { world:update() })
    assert(crate:overlaps(wall))
    local whole, delta = world:save(), world:save { since = saved }
    world:load(saved)
    all_near({ 25, 5 }, crate:center())
    world:load(delta)
    all_near({ 35, 5 }, crate:center())
    assert.equal(whole, world:save())
    world:move(hero, -5, 0, "push")
    assert.same({ 0, 1 }, { world:update() })
  end)

  it("lists what has been removed since, until the next move", function()
    world:move(hero, 20, 0, "push")
    world:remove(crate)
    assert.same({ "crate by 10, 0" }, pushed_of(world, names))
    world:clear()
    assert.same({ "crate by 10, 0" }, pushed_of(world, names))
    world:add(hero, crate)
    for _ in world:pushed() do world:move(hero, -20, 0) end -- a loop that has begun goes on
    assert.same({}, pushed_of(world, names))
  end)

  it("is followed by pushed as carry is, whose riders are not pushed", function()
    local lift = add("lift", sat.rectangle(0, 10, 30, 5)):setStatic(true)
    add("second", box(35, 7))
    world:carry(lift, 10, 0)
    assert.same({ "second by 5, 0" }, pushed_of(world, names))
    local n = 0
    for _ in world:carried() do n = n + 1 end
    assert.equal(3, n)
    world:carry(lift, -10, 0)
    assert.same({}, pushed_of(world, names))
  end)
end)

describe("a response function that answers push", function()
  local world, hero, near, far

  before_each(function()
    hero, near, far = box(0, 0):setMass(9), box(20, 0), box(20, 20)
    world = sat.world():add(hero, near, far)
  end)

  it("is asked once for each that the mover meets, and not for what those meet", function()
    local second, asked = box(32, 0), {}
    world:add(second)
    world:move(hero, 20, 0, function(_, other)
      asked[#asked + 1] = other
      return "push"
    end)
    assert.same({ near }, asked)
    all_near({ 45, 5 }, second:center())
    world:move(hero, -20, 0)
    world:move(hero, 50, 0, function(_, other) return other == near and "cross" or "push" end)
    all_near({ 35, 5 }, near:center())
    all_near({ 65, 5 }, second:center())
  end)

  it("is a slide for what cannot be pushed, and weaker than a touch on the same surface", function()
    near:setStatic(true)
    all_near({ 15, 7, 1, 0, 2 }, world:check(hero, 20, 2, function() return "push" end))
    near:setStatic(false):move(0, -5)
    far:move(0, -15)
    all_near({ 15, 5, 1, 0, 0 }, world:check(hero, 20, 0, function(_, o) return o == far and "touch" or "push" end))
    all_near({ 25, 5, 2, 20, 0 }, world:check(hero, 20, 0, function() return "push" end))
  end)

  it("sees nothing moved while it is asked, and puts all back where it raises an error", function()
    local wall = box(40, 6):setStatic(true)
    world:add(wall)
    near:move(0, -5)
    local saved = world:save()
    local function respond(_, other)
      assert.equal(saved, world:save())
      if other == wall then error("no", 0) end
      return other == near and "push" or "cross"
    end
    for _, call in ipairs { "move", "check" } do
      local ok, message = pcall(world[call], world, hero, 60, 0, respond)
      assert.same({ false, "no" }, { ok, message })
      assert.equal(saved, world:save())
    end
    assert.equal(2, select("#", world:update()))
    all_near({ 15, 5, 1, 0, 0 }, world:move(hero, 11, 0))
  end)

  it("cannot push a shape that moves through another world", function()
    local other_world, waited = sat.world():add(box(25, 10.5):setStatic(true)), 0
    other_world:move(near, 0, 20, function()
      waited = waited + 1
      all_near({ 15, 5, 1, 0, 0 }, world:check(hero, 20, 0, "push"))
      return "slide"
    end)
    assert.equal(1, waited)
    all_near({ 25, 5, 1, 20, 0 }, world:check(hero, 20, 0, "push"))
  end)
end)

-- ---------------------------------------------------------------- rows

-- A row of boxes from left to right as { x, w, mass }, a wall without mass. The first one moves by `way`. Returns how
-- far each has gone, and the numbers of the pushed ones in order.
local function push_row(row, way)
  local gone, jammed, order, weight = {}, {}, {}, 0
  for i = 1, #row do gone[i] = 0 end
  local function go(i, left)
    local after = row[i + 1]
    local gap = after and after[1] - row[i][1] - row[i][2] or math.huge
    if gap >= left then
      gone[i] = left
      return left
    end
    local known = gone[i + 1] > 0 or jammed[i + 1]
    if after[3] and not known and weight + after[3] <= row[1][3] then
      weight, order[#order + 1] = weight + after[3], i + 1
      gap = gap + go(i + 1, left - gap)
    end
    gone[i] = gap
    return gap
  end
  go(1, way)
  return gone, order
end

describe("a row of crates", function()
  it("goes as far as a model of one dimension has it, in each direction", function()
    local lengths = {}
    for seed = SEED, SEED + 4 * SCENES do
      local random, row, x = generator(seed * 7919 % 2147483647), {}, 0
      for _ = 1, 4 do random(1, 2) end
      for i = 1, random(2, 9) do
        local w = random(1, 12) / 4
        row[i] = { x, w, i == 1 and random(1, 40) / 4 or random(1, 9) > 1 and random(1, 8) / 4 or nil }
        x = x + w + (random(1, 3) == 1 and 0 or random(1, 8) / 4)
      end
      local way, turn = random(1, 40) / 4, random(0, 3)
      local gone, order = push_row(row, way)
      local world, shapes, number = sat.world(), {}, {}
      local dx, dy = ({ 1, 0, -1, 0 })[turn + 1], ({ 0, 1, 0, -1 })[turn + 1]
      for i, one in ipairs(row) do
        local middle, w, h = one[1] + one[2] / 2, dx ~= 0 and one[2] or 4, dy ~= 0 and one[2] or 4
        shapes[i] = sat.rectangle(middle * dx - w / 2, middle * dy - h / 2, w, h)
        shapes[i]:setMass(one[3] or 1):setStatic(not one[3])
        number[shapes[i]] = i
      end
      for i = 1, #shapes do world:add(shapes[turn < 2 and i or #shapes + 1 - i]) end
      world:move(shapes[1], way * dx, way * dy, "push")
      local at = 0
      for other, px, py in world:pushed() do
        at = at + 1
        assert.equal(order[at], number[other], "seed " .. seed)
        support.near(gone[order[at]], px * dx + py * dy)
      end
      assert.equal(#order, at, "seed " .. seed)
      for i, shape in ipairs(shapes) do
        local sx, sy = shape:center()
        support.near(row[i][1] + row[i][2] / 2 + gone[i], sx * dx + sy * dy)
      end
      lengths[#order] = (lengths[#order] or 0) + 1
    end
    assert(lengths[0] and lengths[1] and lengths[2] and lengths[4], "rows of several lengths")
  end)

  it("may be ten thousand long, apart and touching, and stop at a wall", function()
    for _, pitch in ipairs { 10, 10.25 } do
      local world, hero, last = sat.world(), box(0, 0):setMass(math.huge), nil
      world:add(hero)
      for i = 1, 10000 do
        last = box(i * pitch, 0)
        world:add(last)
      end
      local wall = box(10000 * pitch + 40, -50, 10, 100):setStatic(true)
      world:add(wall)
      local room = 10000 * (pitch - 10) + 20
      all_near({ room + 5, 5, 1, room, 0 }, world:move(hero, room, 0, "push"))
      local x = last:center()
      all_near({ room + 15, 5, 2, 0, 0 }, world:move(hero, 30, 0, "push"))
      support.near(x + 10, (last:center()))
      local deepest, pushed = 0, 0
      for _, _, _, _, depth in world:collisions() do deepest = math.max(deepest, depth) end
      for _ in world:pushed() do pushed = pushed + 1 end
      assert.same({ 0, 10000 }, { deepest, pushed })
    end
  end)
end)

-- ---------------------------------------------------------------- promises

local SCALE = 100

-- Makes scenes of shapes that are apart. In a mirror x changes its sign; the order is that of adding. On a grid all are
-- boxes at multiples of 5, where many touch, and nothing is too heavy.
local function make_scene(seed, grid, is_mirrored, is_reversed)
  local random, side = generator(seed * 7919 % 2147483647), is_mirrored and -1 or 1
  for _ = 1, 4 do random(1, 2) end
  local function real(low, high) return low + (high - low) * random(0, 2 ^ 20) / 2 ^ 20 end
  local function place(x, y, w, h) return sat.rectangle(is_mirrored and -x - w or x, y, w, h) end
  local function polygon(x, y, radius)
    local points, from = {}, real(0, 6)
    for i = 0, 2 do
      local angle = from + i * 2.1
      points[2 * i + 1], points[2 * i + 2] = side * (x + radius * math.cos(angle)), y + radius * math.sin(angle)
    end
    return sat.polygon(points)
  end
  local makers = {
    function(x, y, r) return sat.circle(side * x, y, r) end,
    function(x, y, r) return place(x, y, 2 * r, r) end,
    polygon,
    function(x, y, r) return polygon(x, y, r):setRadius(1) end,
    function(x, y, r) return sat.capsule(side * x, y, side * (x + r), y + r, r / 2) end,
    function(x, y, r) return sat.compound(place(x, y, r, 3), place(x, y + 3, 3, r)) end,
    function(x, y, r) return sat.chain { side * x, y, side * (x + r), y + 3, side * (x + 2 * r), y } end,
  }
  local scene = { shapes = {}, world = sat.world() }
  scene.hero = (grid or random(1, 2) == 1) and place(-5, -5, 10, 10) or sat.circle(0, 0, real(4, 7))
  scene.hero:setMass((grid or random(1, 3) == 1) and math.huge or real(0, 5))
  local list = { scene.hero }
  for _ = 1, random(5, 16) do
    local shape
    if grid then
      local wide = random(1, 5) == 1 and 20 or 10
      shape = place(random(-8, 8) * 5, random(-8, 8) * 5, wide, 10)
    else
      shape = makers[random(1, #makers)](real(-60, 60), real(-60, 60), real(3, 12))
    end
    list[#list + 1] = shape:setMass(real(0.5, 1.5)):setStatic(random(1, 3) == 1)
  end
  for _, shape in ipairs(list) do
    local _, _, depth = scene.world:collide(shape)
    if (depth or 0) == 0 then
      scene.shapes[#scene.shapes + 1] = shape
      scene.world:add(shape)
    end
  end
  local way = grid and random(-8, 8) * 5 or real(-60, 60)
  local other = grid and random(-8, 8) * 5 or real(-60, 60)
  local along = random(1, 4)
  scene.dx, scene.dy = side * (along == 1 and 0 or way), along == 2 and 0 or other
  if is_reversed then
    scene.world:clear()
    for i = #scene.shapes, 1, -1 do scene.world:add(scene.shapes[i]) end
  end
  return scene
end

local function push_in(scene) return { scene.world:move(scene.hero, scene.dx, scene.dy, "push") } end

local function check_scene(seed, grid)
  local scene = make_scene(seed, grid)
  local shapes, world, hero, before, numbers = scene.shapes, scene.world, scene.hero, {}, {}
  for i, shape in ipairs(shapes) do before[i], numbers[shape] = { shape:center() }, i end
  local saved = world:save()
  local told = { world:check(hero, scene.dx, scene.dy, "push") }
  assert(saved == world:save(), "a check changes nothing")
  local got = push_in(scene)
  assert.same(told, got)
  local weight, count, is_listed = 0, 0, { [hero] = true }
  for other, dx, dy in world:pushed() do
    local from, x, y = before[numbers[other]], other:center()
    assert.same({ x - from[1], y - from[2] }, { dx, dy })
    assert(not other:isStatic() and not is_listed[other], "it is listed once")
    assert(dx * dx + dy * dy <= (scene.dx ^ 2 + scene.dy ^ 2) * (1 + 1e-12), "no farther than asked")
    weight, count, is_listed[other] = weight + other:mass(), count + 1, true
  end
  assert(weight <= hero:mass(), "too heavy")
  for i, shape in ipairs(shapes) do
    if not is_listed[shape] then assert.same(before[i], { shape:center() }) end
  end
  for _, _, _, _, depth in world:collisions() do assert(depth == 0, "an overlap of " .. depth) end
  assert((got[1] - before[1][1]) * scene.dx + (got[2] - before[1][2]) * scene.dy >= -1e-9, "against what was asked")
  local reversed = make_scene(seed, grid, false, true)
  assert.same(got, push_in(reversed))
  for i, shape in ipairs(reversed.shapes) do assert.same({ shapes[i]:center() }, { shape:center() }) end
  local mirrored = make_scene(seed, grid, true)
  if #mirrored.shapes == #shapes then
    local back = push_in(mirrored)
    all_near({ got[1], got[2] }, -back[1], back[2])
    for i, shape in ipairs(mirrored.shapes) do
      local x, y = shape:center()
      local ox, oy = shapes[i]:center()
      assert(math.max(math.abs(x + ox), math.abs(y - oy)) <= 2e-8 * SCALE, "the mirror differs")
    end
  end
  if count > 0 then return count end
  local slid = make_scene(seed, grid)
  assert.same(got, { slid.world:move(slid.hero, slid.dx, slid.dy) })
  return 0
end

describe("what is pushed in random scenes", function()
  for name, grid in pairs { ["apart"] = false, ["on a grid"] = true } do
    it(("keeps all promises, in any order of adding and in a mirror: %s"):format(name), function()
      local some, many = 0, 0
      for seed = SEED, SEED + 4 * SCENES do
        local ok, count = pcall(check_scene, seed, grid)
        if not ok then error(("seed %d: %s"):format(seed, tostring(count)), 0) end
        if count > 0 then some = some + 1 end
        if count > 1 then many = many + 1 end
      end
      assert(some > SCENES / 2 and many > SCENES / 16, ("%d push, %d of them several"):format(some, many))
    end)
  end
end)
