-- What the examples say without a window: the playground's axes decide as sat does, configuration space is that of sat,
-- the platformer can be played, and nothing gets into a wall in the shooter, the pinball, the worms, the sokoban and
-- the museum.

local sat = require "sat"

local path_before = package.path
package.path = "examples/playground/?.lua;examples/quadtree/?.lua;examples/configuration-space/?.lua;"
  .. "examples/shared/?.lua;" .. package.path
local axes = require "axes"
local space = require "space"
local Node = require "tree"
package.path = path_before

local seed = require("spec.support").SEED

-- Park and Miller's, since every Lua has a generator of its own.
local function random(low, high)
  seed = seed * 16807 % 2147483647
  return low + (high - low) * (seed / 2147483647)
end

local makers = {
  function() return sat.regular(0, 0, random(5, 20), math.floor(random(3, 9))) end,
  function() return sat.rectangle(-9, -4, random(5, 30), random(5, 30)) end,
  function() return sat.circle(0, 0, random(5, 20)) end,
  function() return sat.capsule(-10, 0, 10, random(0, 9), random(1, 9)) end,
  function() return sat.regular(0, 0, random(5, 20), 5):setRadius(random(1, 5)) end,
  function() return sat.segment(-15, 0, random(0, 20), 4) end,
}

local function any()
  local make = makers[math.floor(random(1, #makers + 1))]
  return make():transform(random(-20, 20), random(-20, 20), random(0, 7))
end

describe("the tutorials' quadtree of the example", function()
  local function random_box()
    return { x = random(-20, 620), y = random(-20, 620), w = random(0, 40), h = random(0, 40) }
  end

  local function overlaps(a, b)
    return a.x <= b.x + b.w and b.x <= a.x + a.w and a.y <= b.y + b.h and b.y <= a.y + a.h
  end

  it("finds every box that overlaps, once, and after clear none", function()
    local first, root, boxes = seed, Node.new(0, 0, 600, 600), {}
    for i = 1, 500 do
      boxes[i] = random_box()
      root:insert(boxes[i])
    end
    for i = 1, 300 do
      local query, times = random_box(), {}
      local found = root:retrieve(query, {})
      for _, box in ipairs(found) do times[box] = (times[box] or 0) + 1 end
      for _, box in ipairs(boxes) do
        local message = ("seed %d, query %d"):format(first, i)
        assert.is_true((times[box] or 0) <= 1, message)
        if overlaps(box, query) then assert.equal(1, times[box], message) end
      end
      assert.is_true(#found < 250, "a query looks at half of all boxes")
    end
    root:clear()
    assert.equal(0, #root:retrieve(random_box(), {}))
  end)
end)

describe("the axes of the playground", function()
  it("tell what sat.collide tells", function()
    local first = seed
    for i = 1, 2000 do
      local a, b = any(), any()
      local list, best = axes.find(a, b)
      local _, _, depth = sat.collide(a, b)
      local overlap = list[best].overlap
      local message = ("seed %d, pair %d: %s and %s, %s, %.17g"):format(
        first, i, tostring(a), tostring(b), tostring(depth), overlap)
      if depth then
        assert.is_true(math.abs(overlap - depth) < 1e-9, message)
      else
        assert.is_true(overlap < 1e-9, message)
      end
    end
  end)

  it("are as many as there are directions of edges", function()
    local box, turned = sat.rectangle(0, 0, 2, 2), sat.rectangle(1, 1, 2, 2, 0.5)
    assert.equal(4, #axes.find(box, turned))
    assert.equal(2, #axes.find(box, sat.rectangle(1, 1, 5, 2)))
    assert.equal(3, #axes.find(box, sat.circle(5, 5, 1)))
  end)

  it("are there for circles about one centre", function()
    local list, best = axes.find(sat.circle(1, 2, 3), sat.circle(1, 2, 4))
    assert.equal(7, list[best].overlap)
  end)

  it("are those of the deepest pieces of concave shapes", function()
    local angle = sat.polygon(0, 0, 30, 0, 30, 10, 10, 10, 10, 30, 0, 30)
    local ball = sat.circle(5, 28, 6)
    local piece, other = axes.pieces(angle, ball)
    assert.is_true(piece:isConvex())
    assert.equal("circle", other:kind())
    local _, best = axes.find(piece, other)
    local list = axes.find(piece, other)
    local _, _, depth = sat.collide(piece, other)
    assert.is_true(math.abs(list[best].overlap - depth) < 1e-9)
  end)
end)

describe("configuration space in the example", function()
  local ROUND = 0.13 -- how far an edge that stands for a 40th of a circle of radius 40 is inside of the circle

  local function mover_at(mover, x, y)
    local cx, cy = mover:center()
    return mover:clone():move(x - cx, y - cy)
  end

  local function depth_of(a, b)
    local _, _, depth = sat.collide(a, b)
    return depth or -sat.distance(a, b)
  end

  it("has the point in a difference exactly where the shapes overlap", function()
    local first, inside = seed, 0
    for i = 1, 3000 do
      local solid, mover = any(), any()
      local list = space.differences(solid, mover)
      local x, y = random(-40, 40), random(-40, 40)
      local depth = depth_of(solid, mover_at(mover, x, y))
      local slack = solid:radius() + mover:radius() > 0 and ROUND or 2e-6
      local message = ("seed %d, pair %d: %s and %s, %.17g"):format(first, i, tostring(solid), tostring(mover), depth)
      assert.equal(1, #list)
      if space.isInside(list[1], x, y) then
        inside = inside + 1
        assert.is_true(depth > 0, message)
      else
        assert.is_true(depth < slack, message)
      end
    end
    assert.is_true(inside > 300 and inside < 2700)
  end)

  it("has a boundary where the mover touches a solid and is in none, and hides what lies in another solid", function()
    local first, counts = seed, { 0, 0 }
    for i = 1, 200 do
      local mover, list, solids = any(), {}, {}
      for k = 1, 3 do
        solids[k] = any()
        space.differences(solids[k], mover, list)
      end
      local function deepest(edge, but)
        local placed, depth = mover_at(mover, (edge.x1 + edge.x2) / 2, (edge.y1 + edge.y2) / 2), -math.huge
        for _, solid in ipairs(solids) do
          if solid ~= but then depth = math.max(depth, depth_of(solid, placed)) end
        end
        return depth
      end
      local real, hidden = space.boundary(list)
      local message = ("seed %d, scene %d"):format(first, i)
      for _, edge in ipairs(real) do assert.is_true(math.abs(deepest(edge)) < ROUND, message) end
      for _, edge in ipairs(hidden) do assert.is_true(deepest(edge, edge.D.solid) > 0, message) end
      counts = { counts[1] + #real, counts[2] + #hidden }
    end
    assert.is_true(counts[1] > 1000 and counts[2] > 1000)
  end)

  it("has edges of a plank on its side alone", function()
    local plank, mover = sat.rectangle(0, 0, 100, 10):setOneWay(0, -1), sat.rectangle(0, 0, 10, 10)
    local real, hidden = space.boundary(space.differences(plank, mover))
    assert.equal(1, #real)
    assert.equal(3, #hidden)
    assert.same({ 0, -1 }, { real[1].nx, real[1].ny })
  end)

  it("has ways that end where the shape would", function()
    local floor, wall = sat.rectangle(0, 100, 200, 20), sat.rectangle(150, 0, 50, 100)
    local world, mover = sat.world():add(floor, wall), sat.rectangle(15, 15, 10, 10)
    assert.same({ 20, 20, 95, 95, 145, 95, 145, 95 }, space.way(world, mover, 200, 200))
  end)
end)

-- Plays an example as its play.lua says, in a LÖVE in which nothing is seen: all that it prints in the end.
local function play(folder, seen)
  local held, texts = {}, {}
  local before, path = rawget(_G, "love"), package.path
  local function nothing() end
  local font = { getWidth = function() return 10 end, getHeight = function() return 10 end }
  local graphics = setmetatable({ getWidth = function() return 960 end, getHeight = function() return 600 end,
    getDimensions = function() return 960, 600 end, newFont = function() return font end,
    printf = function(text) texts[#texts + 1] = text end }, { __index = function() return nothing end })
  local mouse = { x = 0, y = 0 }
  local love = { graphics = graphics, event = {}, keyboard = {}, mouse = {}, math = {} }
  function love.mouse.getPosition() return mouse.x, mouse.y end
  function love.mouse.isDown() return mouse.isDown end
  function love.math.random(low, high) return low and math.floor(random(low, high + 1)) or random(0, 1) end
  function love.keyboard.isDown(...)
    for _, key in ipairs { ... } do if held[key] then return true end end
    return false
  end
  local player = {}
  function player.wait(_, seconds)
    for _ = 1, math.max(1, math.floor(seconds * 60 + 0.5)) do
      love.update(1 / 60)
      seen()
    end
  end
  function player.press(_, key)
    held[key] = true
    love.keypressed(key)
  end
  function player.release(_, key)
    held[key] = nil
    if love.keyreleased then love.keyreleased(key) end
  end
  function player:hold(seconds, ...)
    for _, key in ipairs { ... } do self:press(key) end
    self:wait(seconds)
    for _, key in ipairs { ... } do self:release(key) end
  end
  function player:key(key) self:hold(1 / 60, key) end
  function player:shot() self:wait(1 / 60) end
  function player.film() end
  function player:mouse(x, y, seconds)
    mouse.x, mouse.y = x, y
    if seconds then self:wait(seconds) end
  end
  function player.button(_, isDown) mouse.isDown = isDown end
  rawset(_G, "love", love)
  package.path = folder .. "/?.lua;examples/shared/?.lua;" .. path
  local ok, message = pcall(function()
    dofile(folder .. "/main.lua")
    love.load()
    dofile(folder .. "/play.lua")(player)
    texts = {}
    love.draw()
  end)
  package.path = path
  rawset(_G, "love", before)
  for _, name in ipairs { "map", "look", "ui" } do package.loaded[name] = nil end
  assert(ok, message)
  return table.concat(texts, "\n")
end

describe("the platformer", function()
  it("is played to the end without a fall, and nobody is ever inside of anything", function()
    local character = require "sat.character"
    local new, hero = character.new, nil
    character.new = function(...)
      hero = new(...)
      return hero
    end
    local lastX
    local account = play("examples/platformer", function()
      local x = hero.shape:center()
      assert(not lastX or x > lastX - 10, "it fell, and began anew")
      lastX = x
      local _, _, depth = hero.world:collide(hero.shape)
      assert(depth == nil or depth < 1e-9)
    end)
    character.new = new
    assert.matches("you have reached the flag", account)
    assert.is_true(tonumber(account:match("^(%d+) of 14 coins")) > 5)
  end)
end)

describe("the game in configuration space", function()
  it("has ways as wide as its hero, who is never inside of anything", function()
    local new, world, hero = sat.world, nil, nil
    sat.world = function()
      world = new()
      local move = world.move
      return setmetatable({}, { __index = function(_, name)
        return function(_, ...)
          if name == "move" then hero = ... end
          return (name == "move" and move or world[name])(world, ...)
        end
      end })
    end
    local frames = 0
    local ok, account = pcall(play, "examples/configuration-space", function()
      frames = frames + 1
      local _, _, depth = world:collide(hero)
      assert(depth == nil or depth < 1e-9, "it is in a wall")
    end)
    sat.world = new
    assert.is_true(ok, account)
    assert.is_true(frames > 500)
    assert.matches("2 of 4 coins", account)
  end)
end)

-- Plays it and looks after each frame at each shape that `is_looked_at`, with the function `look`.
local function watch(folder, is_looked_at, look)
  local world, circle, shapes, count = sat.world, sat.circle, {}, 0
  sat.circle = function(...)
    local shape = circle(...)
    shapes[#shapes + 1] = shape
    return shape
  end
  local current
  sat.world = function()
    current = world()
    return current
  end
  local first = seed
  local ok, message = pcall(play, folder, function()
    for _, shape in ipairs(shapes) do
      if is_looked_at(shape) then
        count = count + 1
        look(current, shape)
      end
    end
  end)
  sat.world, sat.circle = world, circle
  assert(ok, ("seed %d: %s"):format(first, tostring(message)))
  assert.is_true(count > 1000)
  return message
end

local function is_solid_about(world, shape)
  for other, _, _, depth in world:collisions(shape) do
    if other:isStatic() and depth > 1e-9 then return true end
  end
  return false
end

describe("the shooter", function()
  it("lets no enemy and no bullet into a wall or out of the field", function()
    local account = watch("examples/shooter", function(shape) return not shape:isStatic() end, function(world, shape)
      local x, y = shape:center()
      assert(x > 10 and x < 950 and y > 50 and y < 550, "it is outside")
      assert(not is_solid_about(world, shape), "it is in a wall")
    end)
    assert.is_true(tonumber(account:match("(%d+) shot")) > 10)
  end)
end)

describe("the worms", function()
  it("dig the hill away, and are never in what is left", function()
    local account = watch("examples/worms", function(shape) return shape:world() end, function(world, shape)
      assert(not is_solid_about(world, shape), "it is in the ground")
    end)
    assert.is_true(tonumber(account:match("(%d+) tiles")) > 200)
  end)
end)

describe("the sokoban", function()
  it("moves crates, two at once with the glove, and none of them overlaps anything", function()
    local most = 0
    local account = watch("examples/sokoban", function(shape) return shape:world() and not shape:isSensor() end,
      function(world, shape)
        local weight = 0
        for other, _, _, depth in world:collisions(shape) do
          assert(other:isSensor() or depth <= 1e-9, "it overlaps")
        end
        for crate in world:pushed() do weight = weight + crate:mass() end
        most = math.max(most, weight)
      end)
    assert.equal(3, most)
    assert.matches("of 4$", account)
  end)
end)

describe("the thief", function()
  it("takes a gem and is caught, and nobody is ever in a wall", function()
    local account = watch("examples/stealth", function(shape) return shape:world() and not shape:isStatic() end,
      function(world, shape) assert(not is_solid_about(world, shape), "it is in a wall") end)
    assert.matches("caught; 6 of 7 gems", account)
  end)
end)

describe("the furniture of the moving day", function()
  it("gets through a door, and is never in a wall or in other furniture", function()
    local new, frames, world = sat.world, 0, nil
    sat.world = function()
      world = new()
      return world
    end
    local ok, account = pcall(play, "examples/moving-day", function()
      frames = frames + 1
      for a, b, _, _, depth in world:collisions() do
        assert(depth < 1e-9 or a:isSensor() or b:isSensor(), "one is in another")
      end
    end)
    sat.world = new
    assert(ok, account)
    assert.is_true(frames > 500)
    assert.matches("1 of 4", account)
  end)
end)

describe("the slices", function()
  it("are together what was cut, without the blade", function()
    local difference, cuts = sat.difference, 0
    sat.difference = function(a, b)
      local polygons, n = difference(a, b)
      local blade, left = sat.repair(b), 0
      for _, polygon in ipairs(polygons) do left = left + sat.polygon(polygon):area() end
      if sat.type(a) and a:area() > 0 then
        cuts = cuts + 1
        assert(left <= a:area() + 1e-6 and left >= a:area() - sat.polygon(blade[1]):area() - 1e-6)
      end
      return polygons, n
    end
    local ok, account = pcall(play, "examples/slices", function() end)
    sat.difference = difference
    assert.is_true(ok, account)
    assert.is_true(cuts > 5)
    assert.is_true(tonumber(account:match("(%d+) slices")) > 5)
  end)
end)

describe("the pinball", function()
  it("keeps its balls on the table, and none of them stands still", function()
    local places = {}
    local account = watch("examples/pinball", function(shape) return shape:world() and not shape:isStatic() end,
      function(world, shape)
        local x, y = shape:center()
        assert(x > 210 and x < 750 and y > 50, "it is outside")
        assert(not is_solid_about(world, shape), "it is in a wall")
        local place = places[shape] or { x = x, y = y }
        local isStill = math.abs(x - place.x) + math.abs(y - place.y) < 1
        places[shape] = isStill and place or { x = x, y = y }
        places[shape].frames = isStill and (place.frames or 0) + 1 or 0
        assert(places[shape].frames < 180, "it stands still")
      end)
    assert.is_true(tonumber(account:match("^(%d+) points")) > 100)
  end)
end)
