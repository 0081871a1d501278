-- What the examples say without a window: the playground's axes decide as sat does, and the level's map becomes shapes.

local sat = require "sat"

local path_before = package.path
package.path = "examples/playground/?.lua;examples/level/?.lua;examples/shared/?.lua;" .. package.path
local axes = require "axes"
local tiled = require "sat.tiled"
local level = dofile("examples/level/map.lua")
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

describe("the level", function()
  it("has a shape for each object of its map", function()
    local count, kinds = 0, {}
    for _, layer in ipairs(level.layers) do count = count + #layer.objects end
    local shapes = tiled.shapes(level)
    for _, shape in ipairs(shapes) do kinds[shape:data().type] = (kinds[shape:data().type] or 0) + 1 end
    assert.equal(count, #shapes)
    assert.equal(1, kinds.spawn)
    assert.equal(1, kinds.goal)
    assert.is_true(kinds.coin > 5)
  end)
end)
