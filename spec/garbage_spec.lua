-- No call but a constructor makes work for the collector, neither a hit nor a miss, once it has run a few times.
local sat = require "sat"
local sorted = require("spec.support").sorted

local WARM_UP = 5
-- A compiler takes memory of its own for traces, now and then until it is content; a call's garbage comes every time.
local jit = rawget(_G, "jit")
local ROUNDS = jit and jit.status() and 10 or 1

local function used() return collectgarbage("count") * 1024 end

-- The bytes that `times` calls leave behind.
local function garbage_of(call, times)
  local before = used()
  for _ = 1, times do call() end
  return used() - before
end

local function least_garbage_of(call, times)
  local least = garbage_of(call, times)
  for _ = 2, ROUNDS do
    if least == 0 then break end
    least = math.min(least, garbage_of(call, times))
  end
  return least
end

local box = sat.rectangle(0, 0, 10, 10)
local near = sat.regular(8, 5, 4, 6)
local far = sat.circle(100, 100, 5)
local big, other = sat.regular(0, 0, 50, 200), sat.regular(30, 20, 50, 300)
local capsule = sat.capsule(0, 0, 9, 3, 2)
local pair = sat.compound(sat.circle(-15, 5, 8), sat.polygon(0, 0, 3, 0, 3, 7, 10, 7, 10, 10, 0, 10))
local mover = sat.rectangle(0, 0, 10, 10):setData("something")
local view = sat.rectangle(0, 0, 90, 90)
local list, short = {}, {}
local data = {}

-- A tree whose shapes and other items all have neighbours.
local tree = sat.quadtree(0, 0, 100, 100)
for i = 1, 20 do tree:insert(i, i % 10, i % 7, 2, 2) end
tree:insert(near):insert("last", 50, 50, 1, 1)
local frame = sat.quadtree(0, 0, 100, 100)
local items, boxes = {}, {}
for i = 1, 12 do items[i] = "item " .. i end
for i = 1, 48 do boxes[i] = i % 7 end
local trio = sat.quadtree(0, 0, 100, 100):insert(1, 0, 0, 1, 1):insert(2, 0, 0, 1, 1):insert(3, 1, 1, 1, 1)

-- A world in which most things touch, and one that comes and goes.
local world, guest = sat.world(), sat.circle(5, 5, 2)
for i = 1, 20 do world:add(sat.regular(i, i % 5, 1.5, 3 + i % 5):setStatic(i % 7 == 0):setSensor(i % 6 == 0)) end
local residents = world:shapes()

-- Whom queries ask about.
local function is_odd(item) return type(item) == "number" and item % 2 == 1 end
local function is_bare(shape) return shape:data() == nil end
local who = { except = { residents[1], residents[2], guest }, mask = 1, sensors = true, as = guest, accept = is_bare }

-- Takes results, as a script would.
local function see(...) return (...) end

local CALLS = {
  move = function() mover:move(1, -1) end,
  moveTo = function() mover:moveTo(3, 4) end,
  rotate = function() mover:rotate(0.1) end,
  ["rotate about a pivot"] = function() mover:rotate(0.1, 3, 4) end,
  setRotation = function() mover:setRotation(0.3) end,
  ["setRotation about a pivot"] = function() mover:setRotation(0.3, 1, 2) end,
  scale = function() mover:scale(2):scale(0.5) end,
  ["scale about a pivot"] = function() mover:scale(2, 1, 1):scale(0.5, 1, 1) end,
  flip = function() mover:flip():flip(true) end,
  stretch = function() mover:stretch(2, 4):stretch(0.5, 0.25) end,
  transform = function() mover:transform(1, 2, 3) end,
  setRadius = function() mover:setRadius(2):setRadius(0) end,
  setData = function() mover:setData(data):setData(nil) end,
  setFilter = function() mover:setFilter(1, 2, 3) end,
  flags = function() mover:setSensor(true):setStatic(false):setEnabled(true) end,
  reading = function()
    see(box:rotation() + box:scaleFactor() + box:radius() + box:area() + box:center() + box:bounds()
      + box:boundingCircle() + box:filter())
  end,
  ["reading flags"] = function()
    see(box:isSensor(), box:isStatic(), box:isEnabled(), box:isConvex(), box:world(), box:data(), mover:data())
  end,
  kind = function() see(box:kind() == far:kind()) end,
  unpack = function() see(near:unpack()) end,
  ["unpack of 200 vertices"] = function() see(big:unpack()) end,
  vertices = function()
    near:vertices(list)
    big:vertices(list)
    capsule:vertices(short)
  end,
  support = function() see(box:support(1, 2) + big:support(-3, 1) + far:support(1, 0)) end,
  project = function() see(box:project(1, 2) + big:project(-3, 1) + far:project(1, 0)) end,
  ["contains a point"] = function() see(box:contains(1, 2), box:contains(11, 2), far:contains(100, 100)) end,
  ["contains a shape"] = function() see(box:contains(near), sat.contains(big, box), box:contains(far)) end,
  overlaps = function() see(box:overlaps(near), box:overlaps(far), sat.overlaps(big, other)) end,
  ["collide that hits"] = function() see(box:collide(near) + sat.collide(near, box) + box:collide(capsule)) end,
  ["collide that misses"] = function() see(box:collide(far), sat.collide(far, box)) end,
  ["collide of many vertices"] = function() see(big:collide(other)) end,
  ["contacts that hit"] = function() see(box:contacts(near) + sat.contacts(near, capsule)) end,
  ["contacts that miss"] = function() see(box:contacts(far)) end,
  ["contacts of many vertices"] = function() see(big:contacts(other)) end,
  distance = function() see(box:distance(near) + box:distance(far) + sat.distance(big, far)) end,
  axis = function() see(box:axis(near) + box:axis(far) + sat.axis(big, far)) end,
  ["cast that hits"] = function() see(box:cast(100, 100, far) + sat.cast(box, 1, 1, near)) end,
  ["cast that misses"] = function() see(box:cast(-100, 100, far), big:cast(-1, 0, far)) end,
  ["raycast that hits"] = function() see(box:raycast(-5, 5, 50, 5) + sat.raycast(big, -90, 0, 0, 0)) end,
  ["hits of parts"] = function()
    see(pair:raycast(-50, 5, 50, 5) + sat.raycast(pair, -90, 5, 90, 5), pair:cast(9, 9, big), box:cast(50, 0, pair))
    see(pair:parts(), pair:partAt(-15, 5), pair:partAt(99, 99))
  end,
  ["a loop over parts"] = function()
    for i, j, dx, dy, depth in sat.parts(pair, big) do see(i, j, dx + dy + depth) end
  end,
  ["raycast that misses"] = function() see(box:raycast(-5, 50, 50, 50)) end,
  ["sat.type"] = function() see(sat.type(box), sat.type(tree), sat.type(3)) end,
  ["update of a tree"] = function()
    for i = 1, 20 do tree:update(i, i % 9, i % 8, 2, 2) end
    tree:update(near)
  end,
  ["a tree that is filled anew"] = function()
    frame:clear()
    for i = 1, 12 do frame:insert(items[i], i % 10, i % 7, 1, 1) end
  end,
  ["a tree that is built anew"] = function() frame:clear():build(items, boxes) end,
  ["insert and remove"] = function()
    tree:insert("one", 1, 1, 1, 1):insert(far)
    see(tree:remove(far), tree:remove("one"), tree:remove("none"))
  end,
  ["reading a tree"] = function()
    see(tree:has("last"), tree:has("none"), tree:get("last"), tree:count() + #tree, tree:get("none"))
  end,
  retrieve = function()
    tree:retrieve(0, 0, 5, 5, list)
    tree:retrieve(box, list)
    tree:retrieve(90, 90, 1, 1, list)
  end,
  neighbors = function()
    tree:neighbors(7, list)
    tree:neighbors("last", short)
  end,
  ["raycast of a tree"] = function() see(tree:raycast(-5, 3, 50, 3), tree:raycast(-5, 90, 50, 90)) end,
  raycastAll = function() tree:raycastAll(-5, 3, 50, 3, list) end,
  nearest = function() see(tree:nearest(90, 90)) end,
  ["nearest with a limit and a function"] = function()
    see(tree:nearest(90, 90, 200, is_odd))
    tree:nearestAll(90, 90, 4, list, math.huge, is_odd)
  end,
  nearestAll = function()
    tree:nearestAll(90, 90, 40, list)
    tree:nearestAll(90, 90, 1, list)
  end,
  ["a loop over pairs"] = function() for a, b in tree:pairs() do see(a, b) end end,
  ["a loop over pairs with a change after each"] = function()
    tree:update("last", 50, 51, 1, 1)
    for a in tree:pairs() do
      if a == 1 then tree:update("last", 50, 50, 1, 1) end
    end
  end,
  ["rays of a world, with a shape or a mask left out"] = function()
    world:raycastAll(-5, 2, 50, 2, list, guest)
    world:raycastAll(-5, 2, 50, 2, list, who)
    see(world:raycast(-5, 2, 50, 2, who), world:nearest(30, 30, 90, who), world:cast(guest, 20, 0, who))
    world:query(0, 0, 9, 9, list, who)
    world:at(5, 2, list, 3)
    world:query(0, 0, 9, 9, list, residents[3])
    world:nearestAll(1, 1, 4, list, 7)
    see(world:raycast(-5, 2, 50, 2, guest), world:raycast(-5, 2, 50, 2, 0), world:nearest(4, 4, nil, 1))
    for shape, t in world:raycasts(-5, 2, 50, 2, guest) do see(shape, t) end
    for shape in world:raycasts(-5, 90, 50, 90) do see(shape) end
  end,
  ["loops within loops"] = function()
    for _ in trio:pairs() do
      for _ in trio:nodes() do
        for a in trio:pairs() do
          if a then see(a) end
        end
      end
    end
  end,
  ["a loop over nodes"] = function()
    for x, y, w, h, level, count in tree:nodes() do see(x + y + w + h + level + count) end
  end,
  ["a world's frame"] = function()
    for i, resident in ipairs(residents) do resident:transform(i, i % 5, 0.1) end
    world:separate(2)
    see(world:update())
    for a, b in world:began() do see(a, b) end
    for a, b in world:touching() do see(a, b) end
    for a, b in world:ended() do see(a, b) end
  end,
  ["a loop over collisions"] = function()
    for a, b, dx, dy, depth in world:collisions() do see(a, b, dx + dy + depth) end
    for met, dx, dy, depth in world:collisions(box) do see(met, dx + dy + depth) end
  end,
  ["a loop over a world's nodes"] = function()
    for x, y, w, h, level, count in world:nodes() do see(x + y + w + h + level + count) end
  end,
  ["coming and going"] = function()
    world:add(guest)
    see(world:update(), guest:world(), world:has(guest), world:count() + #list)
    world:remove(guest)
    see(world:update())
    for a, b in world:ended() do see(a, b) end
  end,
  ["a world's questions"] = function()
    world:at(3, 3, list)
    world:query(0, 0, 5, 5, list)
    world:query(box, list)
    world:shapes(list)
    world:raycastAll(-5, 3, 50, 3, list)
    world:nearestAll(90, 90, 40, list)
    world:visible(50, 50, 60, list)
    world:visible(50, 50, view, list, 3)
    see(world:raycast(-5, 3, 50, 3), world:cast(box, 9, 9), world:nearest(90, 90), world:nearest(900, 90, 1))
  end,
  ["sat.validate"] = function() see(sat.validate(0, 0, 1, 0, 0, 1)) end,
}

describe("no garbage is left by", function()
  before_each(function()
    collectgarbage()
    collectgarbage("stop")
  end)
  after_each(function() collectgarbage("restart") end)

  for _, name in ipairs(sorted(CALLS)) do
    it(name, function()
      local call = CALLS[name]
      least_garbage_of(call, WARM_UP) -- as deep in the stack, which takes memory of its own
      local first, then_many = least_garbage_of(call, 50), least_garbage_of(call, 10000)
      assert.equal(0, first)
      assert.equal(0, then_many)
    end)
  end
end)

describe("a loop over a tree that is left by break", function()
  it("leaves at most 128 bytes, and none where Lua says that it is left", function()
    local function leave() for a in tree:pairs() do if a then break end end end
    for _ = 1, 100 do leave() end
    collectgarbage()
    collectgarbage()
    collectgarbage("stop")
    local bytes = least_garbage_of(leave, 1000) / 1000
    collectgarbage("restart")
    assert.is_true(bytes <= (_VERSION < "Lua 5.4" and 128 or 0), bytes .. " bytes")
  end)
end)

describe("a full collection", function()
  it("leaves nothing to be made again by the next calls", function()
    for _, name in ipairs(sorted(CALLS)) do garbage_of(CALLS[name], WARM_UP) end
    collectgarbage()
    collectgarbage()
    collectgarbage("stop")
    local left = least_garbage_of(CALLS.kind, 50) + least_garbage_of(CALLS["sat.type"], 50)
    collectgarbage("restart")
    assert.equal(0, left)
  end)
end)
