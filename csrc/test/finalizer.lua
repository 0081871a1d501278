-- finalizer.lua: the script of test_lua_finalizer.c: calls, the actions of finalizers that interrupt the calls, and
-- checks of the state that both leave.
--
-- SAT_ROUNDS=2 or more in the environment tries every action at every allocation of every call. Otherwise an allocation
-- meets eight actions in turn, or four if SAT_ROUNDS is below 0.25. In a call of a shape an allocation meets one action
-- in turn and the first four.
local sat, bump, character, HC = require "sat", require "sat.bump", require "sat.character", require "sat.hc"
local arm, disarm, note, overrun, rest = arm, disarm, note, overrun, rest -- luacheck: ignore 113
local with_sum_of = with_sum_of -- luacheck: ignore 113
local newproxy, unpack = rawget(_G, "newproxy"), rawget(_G, "unpack") or table.unpack
local rounds = tonumber(os.getenv("SAT_ROUNDS")) or 1
-- LuaJIT crashes where a finalizer raises an error in compiled code, whatever the program.
local is_compiled = rawget(_G, "jit") and rawget(_G, "jit").status()

-- A stand-in for LÖVE's graphics, in which every function returns four numbers.
local function draw_nothing() return 1, 1, 1, 1 end
rawset(_G, "love", { graphics = setmetatable({}, { __index = function() return draw_nothing end }) })

local function ring(n)
  local points = {}
  for k = 0, n - 1 do
    points[2 * k + 1], points[2 * k + 2] = 5 * math.cos(6.28 * k / n), 5 * math.sin(6.28 * k / n)
  end
  return points
end

-- ---------------------------------------------------------------- the state of the calls

-- The first shape of a fixture's world is a compound. In this save a chain has the id of that shape, and both take
-- 2040 bytes, as sat_chain_bytes and sat_compound_bytes tell.
local alien
do
  local world = sat.world()
  world:add(sat.chain { 0, 0, 10, 0, 10, 10, 0, 10, 0, 20, 10, 20 }, sat.circle(0, 0, 3), sat.circle(1, 0, 3))
  world:update()
  alien = world:save()
end
local empty = sat.world():save()
local seven, hundred = ring(7), ring(100)

-- Two saves with the same checksum. The first shape of the second one is much larger.
local triangle_saved = sat.world():add(sat.polygon(0, 0, 3, 0, 0, 3), sat.circle(0, 0, 3)):save()
local hundred_saved = with_sum_of(triangle_saved, sat.world():add(sat.polygon(hundred), sat.circle(0, 0, 3)):save())
assert(hundred_saved:sub(33, 40) == triangle_saved:sub(33, 40))

local function circles(count)
  local list = {}
  for i = 1, count do list[i] = sat.circle(i % 5, i % 3, 1) end
  return list
end

-- Makes a new state for each call.
local function fixture()
  local f = {
    compound = sat.compound(sat.point(0, 0), sat.point(1, 0), sat.polygon(2, 0, 3, 0, 2, 3),
      sat.polygon(4, 0, 5, 0, 4, 3)),
    -- A turn makes the short segment a point.
    chain = sat.chain({ -1e14, 0, 1e14, 0, 1e14, 1 / 128 }):setRotation(math.pi / 4),
    concave = sat.polygon(0, 0, 9, 0, 1, 1, 0, 9),
    box = sat.rectangle(0, 0, 10, 10):setData("box"),
    disc = sat.circle(5, 5, 4),
    free = sat.capsule(0, 0, 5, 5, 2), -- in no world
    out = { 1, 2, 3, 4, 5, 6, 7, 8 },
    world = sat.world(),
    tree = sat.quadtree(0, 0, 10, 10, { capacity = 2 }),
    list = circles(40),
    items = { "a", "b", {}, 1, 100, 101 },
    boxes = { 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4 },
  }
  f.world:add(f.compound, f.chain, f.concave, f.box, f.disc)
  f.world:add(unpack(circles(12)))
  f.world:update()
  f.saved = f.world:save()
  f.world:remove((f.world:shapes())[8])
  f.world:update()
  f.base = f.world:save()
  f.world:add((circles(3)))
  f.disc:move(1, 0)
  f.delta = f.world:save { since = f.base }
  f.box:move(2, 0)
  f.world:remove((f.world:shapes())[9])
  f.triangle = sat.world():load(triangle_saved)
  f.no_delta = f.triangle:save { since = triangle_saved }
  f.triangle:remove((f.triangle:shapes())[1])
  for i = 1, 12 do f.tree:insert(i, i % 7, i % 5, 1, 1) end
  for i = 1, 12, 3 do f.tree:remove(i) end
  f.tree:insert(f.box):insert(f.disc):insert(f.free):insert("last", 1, 1, 2, 2)
  f.bump, f.collider = bump.newWorld(), HC.new()
  for i = 1, 9 do f.bump:add(i, 10 * i, i, 10, 10) end
  f.bump:add("item", 0, 0, 8, 8)
  f.bump.sat:add(sat.circle(30, 20, 5))
  for i = 1, 5 do f.collider:circle(i, 0, 3).name = i end
  local stage, shape = sat.world():add(sat.rectangle(-50, 10, 100, 9), sat.rectangle(10, 6, 9, 9)), sat.circle(0, 0, 5)
  f.hero = character.new(stage:add(shape), shape, { step = 5, snap = 5, corner = 3 })
  f.hero:move(0, 90, 0.1)
  return f
end

-- ---------------------------------------------------------------- the actions of finalizers

local SHAPES = { "compound", "chain", "concave", "box", "disc", "free" }

-- Begins a loop and leaves it after one step.
local function leave(iterator, state) return iterator(state) end

local function each(f, change)
  for _, name in ipairs(SHAPES) do
    if f[name] then change(f[name]) end
  end
end

local function loops(f)
  return { f.world:collisions() }, { f.world:collisions(f.box or sat.point(0, 0)) }, { f.world:nodes() },
    { f.world:began() }, { f.world:ended() }, { f.tree:pairs() }, { f.tree:nodes() },
    { f.world:raycasts(-9, 0, 9, 1, f.box) }
end

-- The state that every check reads.
local KEPT = { world = true, tree = true, bump = true, collider = true, hero = true }

local function raise() error "an error of a finalizer" end

-- The first four change the numbers and the memory that the functions of a shape read.
local ACTIONS_ON_SHAPES = 4
local ACTIONS = {
  function(f) each(f, function(s) s:setRotation(0) end) end,
  function(f) each(f, function(s) s:setRotation(math.pi / 4) end) end,
  function(f) each(f, function(s) s:setRadius(0):scale(1e-14):moveTo(1e9, 1e9) end) end,
  function(f) f.world:load(alien) end,
  function(f) each(f, function(s) s:move(3, -2) end) end,
  function(f) each(f, function(s) s:scale(0.5):flip():setRadius(1) end) end,
  function(f)
    each(f, function(s)
      s:stretch(2, 3)
    end)
  end,
  function(f) each(f, function(s) s:setSensor(true):setFilter(1, 1, -1):setData({ s }):data() end) end,
  function(f) each(f, function(s) s:setEnabled(false):setStatic(true) end) end,
  function(f) f.world:load(empty) end,
  function(f) f.world:load(f.saved) end,
  function(f) f.world:save { since = f.base } end,
  function(f) f.world:load(f.delta) end,
  function(f) f.world:load(f.saved):save { since = f.saved } end,
  function(f) f.world:clear():load(f.saved):load(alien) end,
  function(f)
    f.triangle:load(hundred_saved):save { since = hundred_saved }
    f.triangle:remove((f.triangle:shapes())[1])
  end,
  function(f) for _, shape in ipairs((f.world:shapes())) do f.world:remove(shape) end end,
  function(f) f.world:clear() end,
  function(f) f.world:release() end,
  function(f) f.world:add(unpack(circles(40))) end,
  function(f) f.world:add(f.free) end,
  function(f) f.world:separate(2) f.world:update() end,
  function(f) f.world:clear():add(unpack(circles(3))) end,
  function(f) for _ = 1, 3 do loops(f) end end,
  function(f) leave(f.world:collisions()) leave(f.tree:pairs()) end,
  function(f) f.tree:clear() end,
  function(f) for item = 1, 12 do f.tree:remove(item) end f.tree:remove(f.box) end,
  function(f) for item = 200, 260 do f.tree:insert(item, item % 9, 1, 1, 1) end end,
  function(f) f.tree:clear():build(circles(9), ring(18)) end,
  function(f) f.tree:insert("z", 1, 1, 1, 1):insert("y", 2, 2, 1, 1) end,
  function(f) f.tree:retrieve(0, 0, 5, 5, f.out) f.world:query(0, 0, 5, 5, f.out) f.tree:nearestAll(1, 1, 9) end,
  function(f) f.world:visible(-30, 3, 60, f.out) end,
  function(f)
    for _, list in ipairs { f.out, f.list, f.items, f.boxes } do
      for key in pairs(list) do list[key] = nil end
    end
  end,
  function() sat.polygon(ring(64)) sat.polygon(0, 0, 9, 0, 1, 1, 0, 9) sat.validate(hundred) end,
  function(f)
    for i = 1, 9 do pcall(f.bump.remove, f.bump, i) end
    pcall(f.bump.add, f.bump, "new", 5, 5, 5, 5)
  end,
  function(f) f.bump:update("item", 3, 4) end,
  function(f) f.bump:update("item", 5, 6, 7, 8) end,
  function(f) f.bump:move("item", 90, 9) end,
  function(f) f.hero:move(100, 0, 0.1) end,
  function(f) for shape in pairs(f.collider:hash():shapes()) do shape:move(1, 1) end end,
  function(f) for shape in pairs(f.collider:hash():shapes()) do f.collider:remove(shape) end end,
  raise,
  -- The call itself has the only reference to a shape or list then.
  function(f)
    f.world:clear()
    f.tree:clear()
    for key in pairs(f) do
      if not KEPT[key] then f[key] = nil end
    end
  end,
}

-- ---------------------------------------------------------------- the calls

local function consume(...)
  for a in ... do
    if a == nil then return end
  end
end

local CALLS = {
  function() return sat.polygon(0, 0, 1, 0, 0, 1) end,
  function() return sat.polygon(hundred) end,
  function() return sat.polygon(0, 0, 9, 0, 1, 1, 0, 9) end,
  function(f) return sat.polygon(f.boxes) end,
  function() return sat.hull(hundred) end,
  function() return sat.outline({ true, true, true, true, false, true, true, true, true, true }, 3, 3) end,
  function() return sat.outline(function(column, row) return column * row % 3 / 2 end, 6, 6) end,
  function(f) return sat.outline(f.out, 9, 9) end,
  function() return sat.simplify({ hundred, seven }, 0.1) end,
  function(f) return sat.simplify(f.out, 1, true) end,
  function(f) return sat.union(f.concave, f.box) end,
  function() return sat.difference({ hundred, seven }, hundred, "evenodd") end,
  function(f) return sat.exclusion(f.out, { hundred }) end,
  function(f) return sat.intersection(f.concave, f.out) end,
  function(f) return sat.repair(f.out) end,
  function() return sat.polygon { hundred, { 0, 0, 1, 0, 0, 1 }, { -1, -1, -2, 0, 0, -2 } } end,
  function(f) return sat.polygon { hundred, f.out } end,
  function(f) return sat.hull(f.out) end,
  function() return sat.rectangle(0, 0, 1, 2, 3) end,
  function() return sat.regular(0, 0, 1, 5, 1) end,
  function() return sat.regular(0, 0, 1, 70) end,
  function() return sat.ellipse(0, 0, 2, 1) end,
  function() return sat.sector(0, 0, 2, 0, 3, 1), sat.sector(0, 0, 2, 0, 1) end,
  function() return sat.ring(0, 0, 1, 2, 40) end,
  function() return sat.circle(0, 0, 1) end,
  function() return sat.capsule(0, 0, 1, 1, 1) end,
  function() return sat.segment(0, 0, 1, 1) end,
  function() return sat.point(0, 0) end,
  function() return sat.chain(seven, true) end,
  function(f) return sat.chain(f.boxes) end,
  function(f) return sat.compound(f.compound) end,
  function(f) return sat.compound(f.chain, f.compound, f.concave, f.box, f.disc, f.free) end,
  function(f) return sat.compound { f.chain, f.compound } end,
  function(f) return sat.compound(f.list) end,
  function() return sat.validate(hundred) end,
  function() return sat.validate(0, 0, 1, 1, 1, 0, 0, 1) end,
  function(f) return sat.type(f.box) end,
  function(f) return sat.overlaps(f.compound, f.chain), sat.collide(f.compound, f.concave) end,
  function(f) return consume(sat.parts(f.compound, f.concave)) end,
  function(f) return sat.contacts(f.concave, f.box), sat.contains(f.disc, f.compound), sat.axis(f.box, f.free) end,
  function(f) return sat.distance(f.chain, f.free), sat.cast(f.disc, 5, 5, f.compound) end,
  function(f) return sat.turn(f.disc, 2, f.compound, 3, 3), f.compound:turn(2, f.chain) end,
  function(f) return sat.raycast(f.concave, -3, 0, 3, 0.5) end,
  function() return sat.quadtree(0, 0, 10, 10) end,
  function() return sat.quadtree(0, 0, 10, 10, { capacity = 2, depth = 3 }) end,
  function() return sat.world() end,
  function() return sat.world():add(sat.circle(0, 0, 1)) end,

  function(f) return f.world:add(f.free) end,
  function(f) return f.world:add(unpack(f.list)) end,
  function(f) return f.world:add(f.list) end,
  function(f) return f.world:remove(f.box) end,
  function(f) return f.world:has(f.box), f.world:count(), f.box:world() end,
  function(f) return f.world:clear() end,
  function(f) return f.world:release() end,
  function(f) return tostring(f.world), tostring(f.tree) end,
  function(f) return f.world:update() end,
  function(f) return consume(f.world:collisions()) end,
  function(f) return consume(f.world:collisions(f.box)) end,
  function(f) return consume(f.world:collisions(f.free)) end,
  function(f) return consume(f.world:began()) end,
  function(f) return consume(f.world:touching()) end,
  function(f) return consume(f.world:ended()) end,
  function(f) return consume(f.world:nodes()) end,
  function(f) leave(f.world:collisions()) consume(f.world:collisions()) end,
  function(f) return f.world:shapes() end,
  function(f) return f.world:shapes(f.out) end,
  function(f) return f.world:at(1, 1) end,
  function(f) return f.world:query(0, 0, 5, 5) end,
  function(f) return f.world:query(f.box) end,
  function(f) return f.world:query(f.free, f.out) end,
  function(f) return f.world:cast(f.disc, 5, 5) end,
  function(f) return f.world:raycast(-9, 0, 9, 1) end,
  function(f) return f.world:raycastAll(-9, 0, 9, 1) end,
  function(f) return consume(f.world:raycasts(-9, 0, 9, 1)) end,
  function(f) return consume(f.world:raycasts(-9, 0, 9, 1, f.box)) end,
  function(f) return f.world:nearest(9, 9) end,
  function(f) return f.world:nearestAll(9, 9, 20) end,
  function(f) return f.world:raycast(-9, 0, 9, 1, { except = { f.disc }, as = f.free, accept = tostring }) end,
  function(f) return consume(f.world:raycasts(-9, 0, 9, 1, { except = f.disc, sensors = true, accept = tostring })) end,
  function(f) return f.world:raycastAll(-9, 0, 9, 1, nil, { as = f.box }) end,
  function(f) return f.world:cast(f.disc, 5, 5, { accept = tostring }) end,
  function(f) return f.world:nearest(9, 9, nil, { except = f.list, accept = function() return false end }) end,
  function(f) return f.world:nearestAll(9, 9, 2, f.out, { as = f.free, accept = tostring }, 99) end,
  function(f)
    return f.world:query(0, 0, 5, 5, nil, { as = f.free, accept = function() return f.world:at(1, 1) end })
  end,
  function(f) return f.world:visible(30, 30, 60) end,
  function(f) return f.world:visible(-3, 5, f.disc, f.out, f.box) end,
  function(f) return f.world:separate(2) end,
  function(f) return f.world:collide(f.box) end,
  function(f) return f.world:move(f.box, 5, 3) end,
  function(f) return f.world:check(f.free, 5, 3, "bounce") end,
  function(f) return f.world:move(f.box, 9, 9, function() return "cross" end) end,
  function(f) return f.world:turn(f.box, 2, "slide", 5, 3) end,
  function(f) return f.world:checkTurn(f.free, 2, "touch") end,
  function(f) return f.world:turn(f.box, 3, function() return "cross" end, 9, 9) end,
  function(f) return f.world:carry(f.box, 3, -2, 0.1) end,
  function(f)
    f.world:move(f.box, 9, 9, "cross")
    return consume(f.world:hits())
  end,
  function(f)
    f.world:carry(f.box, 3, -2)
    return consume(f.world:carried())
  end,
  function(f) return f.world:move(f.box, 9, 9, function() return "push" end) end,
  function(f)
    f.world:move(f.box, 9, 9, "push")
    return consume(f.world:pushed())
  end,
  function(f) return f.world:save() end,
  function(f) return f.world:save { since = f.base } end,
  function(f) return f.world:save { since = f.saved } end,
  function(f) return f.world:load(f.delta) end,
  function(f) return sat.world():load(f.base):load(f.delta) end,
  function(f) return f.world:load(f.saved) end,
  function(f) return f.world:load(alien) end,
  function(f) return sat.world():load(f.saved) end,
  function(f) return f.triangle:load(f.no_delta) end,
  function(f) return f.world:svg() end,
  function(f) return f.world:draw { nodes = true, boxes = true, vectors = true } end,

  function(f) f.bump:add("more", 1, 2, 3, 4) end,
  function(f) f.bump:add("more", sat.circle(1, 2, 3)) end,
  function(f) f.bump:remove("item") end,
  function(f) f.bump:update("item", 7, 7) end,
  function(f) f.bump:update("item", 7, 7, 3, 3) end,
  function(f) f.bump:move("item", 60, 9) end,
  function(f) f.bump:move("item", 60, 9, function(_, other) return other == 3 and "cross" or "bounce" end) end,
  function(f) f.bump:check("item", 60, 9, function() return "cross" end) end,
  function(f) f.bump:queryRect(0, 0, 50, 50) f.bump:querySegment(0, 0, 50, 5) f.bump:getItems() f.bump:countCells() end,
  function(f) f.hero:move(100, 0, 0.2, function() return true end) end,
  function(f) f.hero:move(-100, -50, 0.2) end,
  function(f) f.collider:circle(1, 2, 3) f.collider:polygon(0, 0, 9, 0, 0, 9) end,
  function(f) for shape in pairs(f.collider:hash():shapes()) do f.collider:collisions(shape) end end,
  function(f) f.collider:neighbors(f.collider:point(1, 1)) f.collider:raycast(-9, 0, 1, 0, 90) end,

  function(f) return f.tree:insert("new", 1, 1, 1, 1) end,
  function(f) return f.tree:insert(f.chain) end,
  function(f) return f.tree:insert("last", 1, 1, 1, 1) end,
  function(f) return f.tree:update("last", 5, 5, 1, 1) end,
  function(f) return f.tree:update(f.box) end,
  function(f) return f.tree:remove("last") end,
  function(f) return f.tree:has("last"), f.tree:get("last"), f.tree:count() end,
  function(f) return f.tree:clear() end,
  function(f) return f.tree:build(f.items, f.boxes) end,
  function(f) return f.tree:clear():build(f.items, f.boxes) end,
  function(f) return f.tree:build({ "c", "d", "c" }, { 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1 }) end,
  function(f) return f.tree:build({ "c", "d", "e" }, { 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, -1 }) end,
  function(f) return f.tree:retrieve(0, 0, 5, 5) end,
  function(f) return f.tree:retrieve(f.box) end,
  function(f) return f.tree:retrieve(f.box, f.out) end,
  function(f) return f.tree:neighbors("last") end,
  function(f) return f.tree:raycast(-1, -1, 9, 9) end,
  function(f) return f.tree:raycastAll(-1, -1, 9, 9) end,
  function(f) return f.tree:nearest(3, 3) end,
  function(f) return f.tree:nearestAll(3, 3, 9) end,
  function(f) return f.tree:nearest(3, 3, 9, function(item) return item == "last" end) end,
  function(f) return f.tree:nearestAll(3, 3, 2, f.out, 9, function(item) return #tostring(item) > 1 end) end,
  function(f) return consume(f.tree:pairs()) end,
  function(f) return consume(f.tree:nodes()) end,
  function(f) leave(f.tree:pairs()) consume(f.tree:pairs()) end,
  function()
    local tree = sat.quadtree(0, 0, 9, 9)
    for i = 1, 2000 do tree:insert(i, 0, 0, 1, 1) end
    for i = 1, 1900 do tree:remove(i) end
    return tree:clear()
  end,
}

-- The calls of a shape, alone and with another one.
local OF_SHAPES = {
  function(s) return s:pieces() end,
  function(s) return s:part(s:parts()), s:partAt(1, 2) end,
  function(s, o) return consume(sat.parts(s, o)) end,
  function(s) return s:vertices() end,
  function(s, _, f) return s:vertices(f.out) end,
  function(s) return s:unpack() end,
  function(s) return s:clone() end,
  function(s) return s:setData("new"):data() end,
  function(s) return s:data() end,
  function(s) return tostring(s) end,
  function(s) return s:kind(), s:isConvex(), s:area(), s:center() end,
  function(s) return s:bounds(), s:boundingCircle(), s:support(1, 2), s:radius(), s:rotation(), s:scaleFactor() end,
  function(s) return s:move(1, 2):moveTo(3, 4):rotate(1):rotate(1, 2, 3):setRotation(1):setRotation(1, 2, 3) end,
  function(s) return s:scale(0.9):scale(1.1, 2, 3):flip():transform(1, 2, 3):setRadius(1) end,
  function(s) return s:setFilter(1, 2, 3):filter(), s:setSensor(true):isSensor() end,
  function(s) return s:setStatic(true):isStatic(), s:setEnabled(true):isEnabled() end,
  function(s) return s:project(1, 2), s:stretch(0.5, 2) end,
  function(s) return s:setMass(2):mass(), s:setOneWay(0, -1):oneWay() end,
  function(s, o) return s:overlaps(o), s:collide(o) end,
  function(s, o) return s:contacts(o), s:contains(o), s:contains(1, 2) end,
  function(s, o) return s:distance(o), s:cast(1, 2, o), s:raycast(-3, 0, 3, 0.5) end,
  function(s, o) return s:isConvex() and o:isConvex() and s:axis(o) end,
  function(s) return s:draw() end,
  function(s) return s:move("far") end,
  function(s) s.name = 2 end,
}
local OF_SHAPES_FROM = #CALLS + 1
for _, call in ipairs(OF_SHAPES) do
  for i, name in ipairs(SHAPES) do
    local other = SHAPES[i % #SHAPES + 1]
    CALLS[#CALLS + 1] = function(f) return call(f[name], f[other], f) end
  end
end

-- ---------------------------------------------------------------- checks

local function check_shape(shape)
  local pieces = shape:pieces()
  assert(#pieces > 0)
  for _, piece in ipairs(pieces) do assert(piece:isConvex() and piece:vertices()) end
  assert(tostring(shape) and shape:clone():area() == shape:area())
  assert(shape:setData(shape):data() == shape)
end

local function check_world(world)
  collectgarbage() -- shapes that the world does not keep alive are gone
  local list, n = world:shapes()
  assert(n == #list and n == world:count(), "the world has lost count")
  for _, shape in ipairs(list) do
    assert(shape:world() == world and world:has(shape) and not pcall(world.add, world, shape))
    check_shape(shape)
  end
  for _ = 1, 2 do
    world:update()
    for a, b in world:collisions() do assert(world:has(a) and world:has(b) and a:overlaps(b)) end
  end
  local saved = world:save()
  assert(world:load(saved):save() == saved, "the loaded world is saved in other bytes")
  assert(world:add(sat.circle(0, 0, 1)):count() == n + 1)
end

local function check_tree(tree)
  local found, n = tree:retrieve(-5e14, -5e14, 1e15, 1e15)
  local seen = {}
  assert(n == tree:count() and #found == n, "the tree has lost count")
  for _, item in ipairs(found) do
    local x, y, w, h = tree:get(item)
    assert(x and tree:has(item) and not seen[item], "the tree lacks an item that it has found, or has found it twice")
    seen[item] = true
    assert(not pcall(tree.insert, tree, item, 0, 0, 1, 1))
    tree:update(item, x, y, w, h)
  end
  for a, b in tree:pairs() do assert(seen[a] and seen[b] and a ~= b) end
  for _, item in ipairs(found) do assert(tree:remove(item)) end
  assert(tree:count() == 0 and not tree:nearest(0, 0))
end

local function check_items(world)
  local count, shapes = 0, 0
  for item, entry in pairs(world.entries) do
    count = count + 1
    assert(entry.item == item and world.by_shape[entry.shape] == entry and world.sat:has(entry.shape))
    local x, y, w, h = entry.shape:bounds()
    for name, value in pairs { x = x, y = y, w = w, h = h } do
      assert(math.abs(entry[name] - value) < 1e-9, "an item and its shape are apart")
    end
  end
  for _ in pairs(world.by_shape) do shapes = shapes + 1 end
  assert(count == shapes and count == world:countItems() and count + 1 == world.sat:count(), "items have been lost")
  assert(not (world.mover or world.filter or world.answers or world.uses_own))
  world:move(next(world.entries), 50, 50)
end

local function check_collider(collider)
  local hash, count = collider:hash(), 0
  for shape in pairs(hash:shapes()) do
    count = count + 1
    local x, y, w, h = hash.tree:get(shape)
    local x1, y1, x2, y2 = shape:bbox()
    assert(x == x1 and y == y1 and x + w == x2 and y + h == y2, "a shape and its box are apart")
  end
  assert(count == hash.tree:count())
end

local function check_hero(hero)
  assert(not hero.response)
  hero:move(10, 10, 0.1)
end

local function check_result(result)
  local kind = sat.type(result)
  if kind == "shape" then check_shape(result)
  elseif kind == "world" then check_world(result)
  elseif kind == "quadtree" then check_tree(result)
  elseif type(result) == "table" then
    for _, one in ipairs(result) do
      if sat.type(one) == "shape" then check_shape(one) end
    end
  end
end

-- ---------------------------------------------------------------- whether every function is called

-- Each call is made once, without a finalizer, to see that it reaches the functions of every type: `raycast` of a tree
-- is another function than that of a world. A function that another one of the module calls does not count.
do
  local TYPES = {
    sat = sat,
    shape = debug.getmetatable(sat.point(0, 0)).__index,
    world = debug.getmetatable(sat.world()).__index,
    quadtree = debug.getmetatable(sat.quadtree(0, 0, 1, 1)).__index,
  }
  local originals, called, is_inside = {}, {}, true
  local function leave_function(...)
    is_inside = false
    return ...
  end
  for kind, functions in pairs(TYPES) do
    originals[kind] = {}
    for name, f in pairs(functions) do
      if type(f) == "function" then originals[kind][name] = f end
    end
    for name, f in pairs(originals[kind]) do
      functions[name] = function(...)
        if is_inside then return f(...) end
        called[f], is_inside = true, true
        return leave_function(f(...))
      end
    end
  end
  for _, call in ipairs(CALLS) do
    is_inside = true
    local f = fixture()
    is_inside = false
    pcall(call, f)
  end
  for kind, functions in pairs(originals) do
    for name, f in pairs(functions) do
      TYPES[kind][name] = f
      assert(called[f], name .. " of " .. kind .. " meets no finalizer")
    end
  end
end

-- ---------------------------------------------------------------- running it

-- Makes an unreachable object with a finalizer.
local function make_garbage(f)
  if not newproxy then
    setmetatable({}, { __gc = f })
    return
  end
  local proxy = newproxy(true)
  getmetatable(proxy).__gc = f
end

-- Overwrites old stack slots, so that none of them still holds the garbage.
local function clear_stack(depth)
  local a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z -- luacheck: ignore 221
  if depth > 0 then clear_stack(depth - 1) end
  return a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z -- luacheck: ignore 221
end

local counts = { runs = 0, inside = 0, failed = 0 }
local MOST_IN_A_ROW = 12

-- Makes one call, with a finalizer at its k-th allocation or, in a row, at each allocation from there on, up to
-- MOST_IN_A_ROW. Returns whether the call has come to the k-th allocation.
local function try(call, action, k, in_a_row)
  rest()
  local f, fired, inside = fixture(), 0, true
  local function fire()
    if not inside then return end
    disarm()
    fired = fired + 1
    pcall(action, f)
    if in_a_row and fired < MOST_IN_A_ROW then
      make_garbage(fire)
      clear_stack(2)
      arm(0)
    end
    if action == raise and not is_compiled then raise() end -- some Luas pass the error on to the call
  end
  make_garbage(fire)
  clear_stack(8)
  arm(k)
  local ok, result = pcall(call, f)
  inside = false
  local reached = disarm()
  counts.runs = counts.runs + 1
  if fired > 0 then counts.inside = counts.inside + 1 end
  if ok then check_result(result) end
  for _, name in ipairs(SHAPES) do
    if f[name] then check_shape(f[name]) end
  end
  check_items(f.bump)
  check_collider(f.collider)
  check_hero(f.hero)
  check_world(f.world)
  check_tree(f.tree)
  f, result = nil, nil -- luacheck: ignore 311
  rest()
  assert(not overrun(), "a write went past the end of a block")
  return reached
end

local function run(call, action, k, in_a_row)
  local ok, reached = pcall(try, CALLS[call], ACTIONS[action], k, in_a_row)
  if ok then return reached end
  disarm()
  counts.failed = counts.failed + 1
  local lines = { debug.getinfo(CALLS[call], "S").linedefined, debug.getinfo(ACTIONS[action], "S").linedefined }
  print(("# call of line %d, finalizer of line %d at allocation %d%s: %s"):format(lines[1], lines[2], k,
    in_a_row and " and in a row" or "", tostring(reached)))
  return true
end

-- The actions that an allocation of a call meets. A negative number stands for finalizers in a row.
local count = 0
local function choose(call)
  local chosen = {}
  if rounds >= 2 then
    for action = 1, #ACTIONS do chosen[2 * action - 1], chosen[2 * action] = action, -action end
    return chosen
  end
  local is_of_shape = call >= OF_SHAPES_FROM
  for action = 1, is_of_shape and ACTIONS_ON_SHAPES or 0 do chosen[action] = action end
  for _ = 1, is_of_shape and 1 or rounds < 0.25 and 4 or 8 do
    count = count + 1
    chosen[#chosen + 1] = count % #ACTIONS + 1
  end
  for i = 1 + count % 2, #chosen, 2 do chosen[i] = -chosen[i] end
  return chosen
end

local MOST_ALLOCATIONS = 60
for call = 1, #CALLS do
  local k, reached, before = 0, true, counts.failed
  while reached and k <= MOST_ALLOCATIONS and counts.failed < 20 do
    reached = false
    for _, action in ipairs(choose(call)) do
      if run(call, math.abs(action), k, action < 0) then reached = true end
    end
    k = k + 1
  end
  note(("call %d, finalizers at %d allocations"):format(call, k - 1), counts.failed > before and "see above" or nil)
end
assert(counts.inside * 3 > counts.runs, "few finalizers have run inside of a call")
print(("# %d runs, %d of them with finalizers inside of the call"):format(counts.runs, counts.inside))
