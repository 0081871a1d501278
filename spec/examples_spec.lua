-- What the examples say without a window: the playground's axes decide as sat does, the platformer can be played, and
-- nothing gets into a wall in the shooter and the pinball.

local sat = require "sat"

local path_before = package.path
package.path = "examples/playground/?.lua;examples/quadtree/?.lua;examples/shared/?.lua;" .. package.path
local axes = require "axes"
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
