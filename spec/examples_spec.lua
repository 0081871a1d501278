-- What the examples say without a window: the playground's axes decide as sat does, and the platformer can be played.

local sat = require "sat"

local path_before = package.path
package.path = "examples/playground/?.lua;examples/shared/?.lua;" .. package.path
local axes = require "axes"
package.path = path_before

local seed = os.time()

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
  local love = { graphics = graphics, event = {}, keyboard = {} }
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
    love.keyreleased(key)
  end
  function player:hold(seconds, ...)
    for _, key in ipairs { ... } do self:press(key) end
    self:wait(seconds)
    for _, key in ipairs { ... } do self:release(key) end
  end
  function player:key(key) self:hold(1 / 60, key) end
  function player:shot() self:wait(1 / 60) end
  function player.film() end
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
