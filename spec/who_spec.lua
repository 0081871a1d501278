-- Who is asked: tables with except, mask, as, sensors and accept, wherever a query of a world takes `who`, and the
-- limit and the function of a quadtree's nearest items; against every shape asked one by one.
local sat = require "sat"
local support = require "spec.support"

local huge, floor = math.huge, math.floor
local unpack = table.unpack or unpack
local SCALE = tonumber(os.getenv "SAT_TEST_SCALE" or 1)

-- ---------------------------------------------------------------- a plain model

local function have_common_bit(a, b)
  while a > 0 and b > 0 do
    if a % 2 == 1 and b % 2 == 1 then return true end
    a, b = floor(a / 2), floor(b / 2)
  end
  return false
end

local function filters_meet(a, b)
  local category1, mask1, group1 = a:filter()
  local category2, mask2, group2 = b:filter()
  if group1 == group2 and group1 ~= 0 then return group1 > 0 end
  return have_common_bit(category1, mask2) and have_common_bit(category2, mask1)
end

-- Whether `who` lets a shape be in an answer, and of itself sensors.
local function admits(who, shape, with_sensors)
  if not shape:isEnabled() then return false end
  local sensors = who.sensors
  if sensors == nil then sensors = with_sensors end
  if sensors == "only" then
    if not shape:isSensor() then return false end
  elseif not sensors and shape:isSensor() then return false end
  local except = who.except
  if except == shape then return false end
  for _, one in ipairs(type(except) == "table" and except or {}) do if one == shape then return false end end
  if who.mask and not have_common_bit(who.mask, (shape:filter())) then return false end
  if who.as and (who.as == shape or not filters_meet(who.as, shape)) then return false end
  return not who.accept or who.accept(shape) and true or false
end

local function random_shape()
  local x, y = math.random() * 200, math.random() * 200
  local kind = math.random(6)
  if kind == 1 then return sat.circle(x, y, 3 + math.random() * 10) end
  if kind == 2 then return sat.capsule(x, y, x + 10, y + math.random() * 20, 2) end
  if kind == 3 then return sat.rectangle(x, y, 5 + math.random() * 20, 5 + math.random() * 20, math.random()) end
  if kind == 4 then return sat.regular(x, y, 8, math.random(3, 7), math.random()) end
  if kind == 5 then return sat.compound { sat.rectangle(x, y, 9, 7, 0.3), sat.circle(x + 20, y, 5) } end
  return sat.segment(x, y, x + 17, y + math.random(-9, 9))
end

local function random_filter(shape)
  shape:setFilter(math.random(1, 7), math.random(0, 7), math.random(4) == 1 and math.random(-1, 1) or 0)
end

local function random_world()
  local world, shapes = sat.world(), {}
  for i = 1, math.random(1, 40) do
    shapes[i] = random_shape()
    world:add(shapes[i])
    random_filter(shapes[i])
    if math.random(3) == 1 then shapes[i]:setSensor(true) end
    if math.random(9) == 1 then shapes[i]:setEnabled(false) end
  end
  return world, shapes
end

-- A table of who, and the shapes that its function has been asked about.
local function random_who(shapes)
  local who, asked = {}, {}
  local kind = math.random(4)
  if kind == 1 then who.except = shapes[math.random(#shapes)]
  elseif kind == 2 then
    who.except = {}
    for i = 1, math.random(0, 9) do who.except[i] = shapes[math.random(#shapes)] end
  end
  if math.random(3) == 1 then who.mask = math.random(0, 7) end
  if math.random(3) == 1 then who.as = shapes[math.random(#shapes)] end
  local sensors = ({ true, false, "only" })[math.random(4)]
  who.sensors = sensors
  if math.random(2) == 1 then
    local refused, share = {}, math.random()
    for _, shape in ipairs(shapes) do refused[shape] = math.random() < share end
    who.accept = function(shape)
      asked[#asked + 1] = shape
      return not refused[shape]
    end
  end
  return who, asked
end

-- The shapes that `who` admits for which `measure` gives a number, by that number, and how many there are.
local function in_order(shapes, who, with_sensors, measure)
  local silent, list = {}, {}
  for name, value in pairs(who) do silent[name] = value end
  for i, shape in ipairs(shapes) do
    local at = admits(silent, shape, with_sensors) and measure(shape)
    if at then list[#list + 1] = { shape = shape, at = at, i = i } end
  end
  table.sort(list, function(a, b) return a.at < b.at or a.at == b.at and a.i < b.i end)
  return list
end

local function check_once(asked)
  local seen = {}
  for _, shape in ipairs(asked) do
    assert.is_nil(seen[shape], "a shape is asked about twice")
    seen[shape] = true
  end
end

local function set_of(list)
  local set = {}
  for _, one in ipairs(list) do set[one] = true end
  return set
end

-- Calls `check` with a random world, its shapes, a table of who, and the shapes asked about: none yet.
local function random_questions(count, check)
  math.randomseed(support.SEED)
  for _ = 1, count * SCALE do
    local world, shapes = random_world()
    local who, asked = random_who(shapes)
    check(world, shapes, who, asked)
  end
end

-- The shapes asked about in a call come nearest first.
local function check_ascending(asked, measure)
  local last = -1
  for _, shape in ipairs(asked) do
    local at = measure(shape)
    assert.is_true(at >= last)
    last = at
  end
end

-- ---------------------------------------------------------------- scenes on a grid

local function place() return math.random(0, 8) * 10 end

local function chain()
  local points, x, y = {}, place(), place()
  for i = 1, 2 * math.random(2, 5), 2 do
    points[i], points[i + 1] = x, y
    if math.random(2) == 1 then x = x + 10 * (math.random(2) * 2 - 3) else y = y + 10 end
  end
  return pcall(sat.chain, points) and sat.chain(points) or sat.segment(x, y, x + 10, y + 10)
end

local function tile()
  local kind = math.random(9)
  if kind == 1 then return chain() end
  if kind == 2 then return sat.circle(place(), place(), 5) end
  if kind == 3 then return sat.polygon(place(), 80, 85, 90, 75, 90) end
  if kind == 4 then
    local x, y = place(), place()
    return sat.compound { sat.rectangle(x, y, 10, 10), sat.rectangle(x + 10, y, 10, 10),
      sat.rectangle(x, y + 10, 10, 10) }
  end
  local one = sat.rectangle(place(), place(), 10 * math.random(1, 2), 10 * math.random(1, 2))
  return kind == 5 and one:setOneWay(0, -1) or one
end

-- Two worlds: one of shapes some of which are refused, and one of the others, whose shapes `of` maps to those of the
-- first.
local function random_scene()
  local all, accepted, refused, of = sat.world(), sat.world(), {}, {}
  local share = math.random()
  for _ = 1, math.random(2, 40) do
    local shape = tile()
    if math.random(8) == 1 then shape:setSensor(true) end
    all:add(shape)
    if math.random() < share then refused[shape] = true
    else
      local copy = shape:clone()
      of[copy] = shape
      accepted:add(copy)
    end
  end
  return all, accepted, refused, of
end

local MOVERS = {
  function() return sat.point(place(), place()) end,
  function() return sat.segment(place(), -10, 35, -10) end,
  function() return sat.rectangle(place() - 10, place() - 10, 10, 10) end,
  function() return sat.circle(place(), place() - 5, 5) end,
}

-- The results of a call as one list; shapes of the second world stand for those of the first.
local function results_of(of, ...)
  local list = { ... }
  for i = 1, select("#", ...) do
    local value = list[i]
    if type(value) == "table" then
      for k = 1, #value do list[#list + 1] = of[value[k]] or value[k] end
      list[i] = "a list"
    else
      list[i] = of[value] or value or "nil"
    end
  end
  return list
end

local function hits_of(of, world, ...)
  local list = {}
  for shape, t, nx, ny in world:raycasts(...) do
    for _, value in ipairs { of[shape] or shape, t, nx, ny } do list[#list + 1] = value end
  end
  return list
end

local function check_scene(all, accepted, refused, of)
  local x1, y1, x2, y2 = place(), place(), place(), place()
  local kind = math.random(4)
  if kind == 1 then x2 = x1 elseif kind == 2 then y2 = y1 elseif kind == 3 then x1, y1 = x1 - 35, y1 - 35 end
  local sensors = ({ true, false, "only" })[math.random(4)]
  local mover, k, limit = MOVERS[math.random(#MOVERS)](), math.random(0, 5), math.random(2) == 1 and 25 or huge
  local plain = { sensors = sensors }
  for name, call in pairs {
    raycast = function(world, who) return world:raycast(x1, y1, x2, y2, who) end,
    raycastAll = function(world, who) return world:raycastAll(x1, y1, x2, y2, nil, who) end,
    cast = function(world, who) return world:cast(mover, x2 - x1, y2 - y1, who) end,
    nearest = function(world, who) return world:nearest(x1, y1, limit, who) end,
    nearestAll = function(world, who) return world:nearestAll(x1, y1, k, nil, who, limit) end,
    at = function(world, who) return world:at(x1, y1, nil, who) end,
    query = function(world, who) return world:query(x1, y1, 10, 10, nil, who) end,
  } do
    local asked = {}
    local who = { sensors = sensors, accept = function(shape)
      asked[#asked + 1] = shape
      return not refused[shape]
    end }
    assert.same(results_of(of, call(accepted, plain)), results_of({}, call(all, who)), name)
    check_once(asked)
  end
  local who = { sensors = sensors, accept = function(shape) return not refused[shape] end }
  local seen, n = accepted:visible(x1, y1, 30, nil, plain)
  local also, m = all:visible(x1, y1, 30, nil, who)
  assert.equal(n, m)
  for i = 1, 2 * n do assert.is_true(math.abs(seen[i] - also[i]) < 1e-9) end
  assert.same(hits_of(of, accepted, x1, y1, x2, y2, plain), hits_of({}, all, x1, y1, x2, y2, who))
end

describe("who as a table", function()
  it("decides what a ray hits, first and in order", function()
    random_questions(300, function(world, shapes, who, asked)
      local x1, y1, x2, y2 = math.random() * 200, math.random() * 200, math.random() * 200, math.random() * 200
      local function measure(shape) return (sat.raycast(shape, x1, y1, x2, y2)) end
      local expected = in_order(shapes, who, false, measure)
      for i = #asked, 1, -1 do asked[i] = nil end
      local shape, t, nx, ny = world:raycast(x1, y1, x2, y2, who)
      check_once(asked)
      check_ascending(asked, measure)
      if who.accept and shape then assert.equal(shape, asked[#asked]) end
      local first = expected[1]
      assert.equal(first and first.at, t)
      if first then assert.equal(t, measure(shape)) end
      if t == 0 and nx == 0 then assert.equal(0, ny) end
      for i = #asked, 1, -1 do asked[i] = nil end
      local list, n = world:raycastAll(x1, y1, x2, y2, nil, who)
      check_once(asked)
      assert.equal(#expected, n)
      for i = 1, n do assert.equal(expected[i].at, measure(list[i])) end
      local i = 0
      for other, at in world:raycasts(x1, y1, x2, y2, who) do
        i = i + 1
        assert.equal(expected[i].at, at)
        assert.equal(list[i], other)
      end
      assert.equal(n, i)
    end)
  end)

  it("decides what a cast hits, beside the filter of the shape that is cast", function()
    random_questions(300, function(world, shapes, who, asked)
      local caster = shapes[math.random(#shapes)]
      local dx, dy = math.random(-200, 200), math.random(-200, 200)
      local function measure(shape)
        return shape ~= caster and filters_meet(caster, shape) and (sat.cast(caster, dx, dy, shape)) or nil
      end
      local first = in_order(shapes, who, false, measure)[1]
      for i = #asked, 1, -1 do asked[i] = nil end
      local shape, t = world:cast(caster, dx, dy, who)
      check_once(asked)
      check_ascending(asked, measure)
      assert.equal(first and first.at, t)
      if first then assert.equal(t, measure(shape)) end
    end)
  end)

  it("decides who is nearest, and no farther than the limit", function()
    random_questions(300, function(world, shapes, who, asked)
      local x, y = math.random() * 200, math.random() * 200
      local limit, k = ({ huge, 20, 60, 0 })[math.random(4)], math.random(0, 9)
      local function measure(shape)
        local d = sat.distance(sat.point(x, y), shape)
        return d <= limit and d or nil
      end
      local expected = in_order(shapes, who, false, measure)
      for i = #asked, 1, -1 do asked[i] = nil end
      local shape, d = world:nearest(x, y, limit, who)
      check_once(asked)
      check_ascending(asked, function(one) return (sat.distance(sat.point(x, y), one)) end)
      assert.equal(expected[1] and expected[1].shape, shape)
      assert.equal(expected[1] and expected[1].at, d)
      for i = #asked, 1, -1 do asked[i] = nil end
      local list, n = world:nearestAll(x, y, k, nil, who, limit)
      check_once(asked)
      check_ascending(asked, function(one) return (sat.distance(sat.point(x, y), one)) end)
      assert.equal(math.min(k, #expected), n)
      for i = 1, n do assert.equal(expected[i].shape, list[i]) end
    end)
  end)

  it("decides what is at a place, sensors included unless it says otherwise", function()
    random_questions(300, function(world, shapes, who)
      local x, y, w, h = math.random() * 200, math.random() * 200, math.random() * 80, math.random() * 80
      local box = sat.rectangle(x, y, w, h)
      local function check(list, n, measure)
        local expected = in_order(shapes, who, true, measure)
        assert.equal(#expected, n)
        for i, one in ipairs(expected) do expected[i] = one.shape end
        assert.same(set_of(expected), set_of(list))
      end
      local list, n = world:at(x, y, nil, who)
      check(list, n, function(shape) return shape:contains(x, y) and 0 or nil end)
      list, n = world:query(x, y, w, h, nil, who)
      check(list, n, function(shape) return sat.overlaps(shape, box) and 0 or nil end)
    end)
  end)

  it("leaves out thousands of shapes, by name and by the function, in a moment", function()
    local world, except = sat.world(), {}
    for i = 1, 5000 do
      except[i] = sat.rectangle(i * 10, 0, 9, 9)
      world:add(except[i])
    end
    local last = except[5000]
    local function is_last(shape) return shape == last end
    local asked = 0
    assert.equal(last, (world:raycast(0, 5, 60000, 5, { accept = is_last })))
    assert.equal(last, (world:nearest(0, 5, nil, { accept = is_last })))
    world:nearest(0, 5, nil, { accept = function() asked = asked + 1 return false end })
    assert.equal(5000, asked)
    except[5000] = nil
    assert.equal(last, (world:raycast(0, 5, 60000, 5, { except = except })))
    assert.equal(last, (world:nearest(0, 5, nil, { except = except })))
  end)

  it("asks as few and takes as long for casts as for rays", function()
    local world, shapes, asked = sat.world(), {}, 0
    for i = 1, 5000 do
      shapes[i] = sat.rectangle(i * 10, 0, 9, 9)
      world:add(shapes[i])
    end
    local mover = sat.circle(0, 5, 3)
    local function cast(last)
      asked = 0
      return (world:cast(mover, 60000, 0, { accept = function(shape)
        asked = asked + 1
        return shape == last
      end }))
    end
    assert.equal(shapes[20], cast(shapes[20]))
    assert.equal(20, asked)
    assert.equal(shapes[5000], cast(shapes[5000]))
    assert.equal(5000, asked)
    assert.is_nil(cast(nil))
    assert.equal(5000, asked)
  end)

  it("is not kept", function()
    local world = sat.world():add(sat.circle(0, 0, 5), sat.circle(50, 0, 5))
    local who = { except = { sat.circle(0, 0, 1) }, as = sat.circle(0, 0, 1) }
    world:raycast(-20, 0, 90, 0, who)
    world:nearest(3, 3, nil, who)
    local gone = setmetatable({}, { __mode = "k" })
    gone[who.except[1]], gone[who.as], gone[who] = true, true, true
    who = nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(gone))
  end)

  it("opens seams where one side is not asked about", function()
    local a, b = sat.rectangle(0, 0, 10, 10), sat.rectangle(0, 10, 10, 10)
    local world = sat.world():add(a, b)
    assert.equal(0.5, select(2, world:raycast(-10, 10, 10, 10)))
    assert.is_nil((world:raycast(-10, 10, 10, 10, { except = a })))
    assert.is_nil((world:raycast(-10, 10, 10, 10, { except = { b } })))
    assert.equal(0.5, select(2, world:raycast(-10, 10, 10, 10, { mask = 1 })))
  end)

  it("opens seams where one side is refused, and asks about both", function()
    local a, b = sat.rectangle(10, 10, 10, 10), sat.rectangle(20, 10, 10, 10)
    local world = sat.world():add(a, b)
    for _, refused in ipairs { a, b } do
      local function accept(shape) return shape ~= refused end
      assert.is_nil((world:raycast(20, 0, 20, 50, { accept = accept })))
      assert.is_nil((world:cast(sat.point(20, 0), 0, 50, { accept = accept })))
      assert.equal(0, select(2, world:raycastAll(20, 0, 20, 50, nil, { accept = accept })))
    end
    assert.equal(0.2, select(2, world:raycast(20, 0, 20, 50, { accept = function() return true end })))
  end)

  it("gives the answer of a world of the accepted shapes alone, where shapes abut", function()
    math.randomseed(support.SEED)
    for _ = 1, 1500 * SCALE do check_scene(random_scene()) end
  end)

  it("passes an error of its function on, and nothing has changed, whatever it was doing", function()
    local a, b = sat.rectangle(0, 0, 10, 10), sat.rectangle(20, 0, 10, 10)
    local world = sat.world():add(a, b)
    local before = world:save()
    local message = {}
    local calls = {
      function(who) return world:raycast(-5, 5, 50, 5, who) end,
      function(who) return world:raycastAll(-5, 5, 50, 5, nil, who) end,
      function(who) return world:raycasts(-5, 5, 50, 5, who) end,
      function(who) return world:cast(sat.circle(-5, 5, 1), 50, 0, who) end,
      function(who) return world:nearest(0, 0, nil, who) end,
      function(who) return world:nearestAll(0, 0, 2, nil, who) end,
      function(who) return world:at(5, 5, nil, who) end,
      function(who) return world:query(0, 0, 9, 9, nil, who) end,
    }
    local changes = {
      function() world:remove(a) end, function() world:add(sat.point(0, 0)) end, function() b:move(1, 0) end,
      function() a:setEnabled(false) end, function() world:move(a, 1, 1) end, function() world:clear() end,
      function() world:update() end, function() world:load(before) end, function() world:separate() end,
    }
    for _, call in ipairs(calls) do
      local ok, problem = pcall(call, { accept = function() error(message) end })
      assert.is_false(ok)
      assert.equal(message, problem)
      for _, change in ipairs(changes) do
        ok, problem = pcall(call, { accept = change })
        assert.is_false(ok)
        assert.matches("cannot change until the function that i?t?s? ?", problem)
      end
      assert.equal(before, world:save())
    end
    b:move(0, 0) -- the lock has ended with the call
  end)

  it("may ask further questions in its function, also with tables", function()
    local shapes, world = {}, sat.world()
    for i = 1, 12 do
      shapes[i] = sat.rectangle(i * 20, 0, 10, 10)
      world:add(shapes[i])
    end
    local function count(who) return select(2, world:query(0, 0, 500, 10, nil, who)) end
    local inner = {}
    local shape = world:raycast(0, 5, 500, 5, { except = { shapes[1], shapes[2] }, accept = function(one)
      inner[#inner + 1] = count { except = { shapes[3], shapes[4], shapes[5] }, accept = function(other)
        return world:nearest(0, 0, nil, { except = other }) ~= other
      end }
      return one == shapes[7]
    end })
    assert.equal(shapes[7], shape)
    assert.same({ 9, 9, 9, 9, 9 }, inner)
    assert.error_matches(function()
      local function again() return world:nearest(0, 0, nil, { accept = again }) end
      again()
    end, "nested too deeply")
  end)

  it("survives a function that drops what the table refers to", function()
    local world = sat.world():add(sat.rectangle(0, 0, 10, 10), sat.rectangle(20, 0, 10, 10))
    local who = { as = sat.circle(0, 0, 1), except = { sat.circle(5, 5, 5) } }
    who.as:setFilter(1, 1)
    who.accept = function()
      who.as, who.except, who.accept = nil, nil, nil
      collectgarbage()
      collectgarbage()
      for _ = 1, 100 do sat.circle(1, 1, 1):setFilter(2, 2) end
      return false
    end
    assert.equal(0, select(2, world:query(0, 0, 50, 50, nil, who)))
  end)

  it("names a field that is none, and what is wrong with the others", function()
    local a = sat.circle(0, 0, 1)
    local world = sat.world():add(a)
    local faults = {
      { { expect = a }, "who has no field 'expect'; the nearest is 'except'" },
      { { sensor = true }, "who has no field 'sensor'; the nearest is 'sensors'" },
      { { filter = a }, "who has no field 'filter'; the nearest is" },
      { { [("x"):rep(1000)] = a }, "who has no field 'x" },
      { { a }, "who has no list of shapes, but the fields except, mask, as, sensors and accept" },
      { { except = 3 }, "who.except must be a shape or a list, not a number" },
      { { except = { a, "a" } }, "each of who.except must be a shape, not a string" },
      { { except = { nil, a } }, "each of who.except must be a shape, not nil" },
      { { mask = 1.5 }, "who.mask must be a whole number from 0 to 4294967295" },
      { { mask = "1" }, "who.mask must be a number, not a string" },
      { { as = {} }, "who.as must be a shape, not a table" },
      { { sensors = "also" }, 'who.sensors must be true, false or "only"' },
      { { accept = true }, "who.accept must be a function, not a boolean" },
    }
    local calls = {
      raycast = { 5, 0, 0, 1, 1 }, raycasts = { 5, 0, 0, 1, 1 }, raycastAll = { 6, 0, 0, 1, 1, {} },
      nearest = { 4, 0, 0, 1 }, nearestAll = { 5, 0, 0, 1, {} }, at = { 4, 0, 0, {} }, query = { 6, 0, 0, 1, 1, {} },
      cast = { 4, a, 1, 1 },
    }
    for name, call in pairs(calls) do
      for _, fault in ipairs(faults) do
        local arguments = { unpack(call, 2) }
        arguments[call[1]] = fault[1]
        local ok, problem = pcall(world[name], world, unpack(arguments, 1, call[1]))
        assert.is_false(ok)
        assert.matches(("bad argument #%d to '%s' (%s"):format(call[1], name, fault[2]), problem, 1, true)
      end
    end
  end)
end)

describe("the nearest items of a quadtree", function()
  local function distance(q, item, x, y)
    local bx, by, w, h = q:get(item)
    local dx, dy = math.max(bx - x, 0, x - bx - w), math.max(by - y, 0, y - by - h)
    return math.sqrt(dx * dx + dy * dy)
  end

  it("are no farther than the limit, and those that the function accepts", function()
    math.randomseed(support.SEED)
    for _ = 1, 300 * SCALE do
      local q, items = sat.quadtree(0, 0, 100, 100), {}
      for i = 1, math.random(0, 60) do
        q:insert(i, math.random(0, 100), math.random(0, 100), math.random(0, 9), math.random(0, 9))
        items[i] = i
      end
      local x, y, k = math.random(0, 100), math.random(0, 100), math.random(0, 12)
      local limit = ({ huge, 0, 10, 40 })[math.random(4)]
      local remainder, asked = math.random(2, 9), {}
      local accept = math.random(2) == 1 and function(item)
        asked[#asked + 1] = item
        return item % remainder == 0
      end or nil
      local expected = {}
      for _, item in ipairs(items) do
        if distance(q, item, x, y) <= limit and (not accept or item % remainder == 0) then
          expected[#expected + 1] = item
        end
      end
      table.sort(expected, function(a, b)
        local da, db = distance(q, a, x, y), distance(q, b, x, y)
        return da < db or da == db and a < b
      end)
      local item, d = q:nearest(x, y, limit, accept)
      check_once(asked)
      check_ascending(asked, function(one) return distance(q, one, x, y) end)
      assert.equal(expected[1], item)
      assert.equal(item and distance(q, item, x, y), d)
      asked = {}
      local list, n = q:nearestAll(x, y, k, nil, limit, accept)
      check_once(asked)
      check_ascending(asked, function(one) return distance(q, one, x, y) end)
      assert.equal(math.min(k, #expected), n)
      for i = 1, n do assert.equal(expected[i], list[i]) end
    end
  end)

  it("cannot be changed by the function, which may search, and whose error is passed on", function()
    local q = sat.quadtree(0, 0, 100, 100)
    for i = 1, 9 do q:insert(i, i * 10, 0, 1, 1) end
    local changes = {
      function() q:insert(10, 0, 0, 1, 1) end, function() q:remove(1) end, function() q:update(1, 1, 1, 1, 1) end,
      function() q:clear() end, function() q:build({ 20 }, { 1, 1, 1, 1 }) end,
    }
    for _, change in ipairs(changes) do
      assert.error_matches(function() q:nearest(0, 0, huge, change) end,
        "the tree cannot change until the function that it asks has returned")
    end
    assert.equal(9, #q)
    local found = q:nearestAll(0, 0, 3, nil, huge, function(item)
      local other = q:nearest(0, 0, huge, function(one) return one > item end)
      return other and other % 2 == 0
    end)
    assert.same({ 1, 3, 5 }, found)
    local message = {}
    local ok, problem = pcall(q.nearest, q, 0, 0, huge, function() error(message) end)
    assert.is_false(ok)
    assert.equal(message, problem)
    q:remove(1)
    assert.equal(2, (q:nearest(0, 0)))
  end)
end)
