-- What `make demo` shows: the map becomes shapes, the scene is the same each time and leaves nothing
-- inside anything, and the picture is well-formed and where it was asked for.

local sat = require "sat"

local path_before = package.path
package.path = "examples/mill/?.lua;examples/shared/?.lua;" .. package.path
local tiled = require "sat.tiled"
local scene = require "scene"
local picture = require "picture"
local level = require "map"
package.path = path_before

describe("the map of the mill", function()
  it("has a shape for each of its objects", function()
    local count = 0
    for _, layer in ipairs(level.layers) do count = count + #layer.objects end
    assert.equal(count, #tiled.shapes(level))
  end)
end)

local function deepest(body, others, first)
  local most = 0
  for i = first, #others do
    local _, _, depth = sat.collide(body.shape, others[i].shape)
    most = math.max(most, depth or 0)
  end
  return most
end

describe("the gem mill", function()
  -- Twelve rounds of pushing leave a few shapes that others squeeze a little inside one another.
  it("leaves nothing in a wall, and hardly anything in anything else", function()
    local mill = scene.new(level, 48)
    local looks, squeezed = 0, 0
    for _ = 1, 400 do
      mill:step()
      for i, body in ipairs(mill.bodies) do
        local wall, other = deepest(body, mill.fixed, 1), deepest(body, mill.bodies, i + 1)
        local where = ("%.3f px in a wall, %.3f px in another"):format(wall, other)
        assert.is_true(wall < 1e-9 and other < 2, where .. " in frame " .. mill.frame)
        looks = looks + 1
        if other > 0.05 then squeezed = squeezed + 1 end
      end
    end
    assert.is_true(squeezed < looks / 200, squeezed .. " of " .. looks)
  end)

  it("counts the collisions of each frame and of all", function()
    local mill = scene.new(level, 48)
    local collisions, worst = 0, 0
    for _ = 1, 200 do
      mill:step()
      assert.equal(#mill.pushes, mill.collisions)
      collisions, worst = collisions + mill.collisions, math.max(worst, mill.deepest)
    end
    assert.is_true(collisions > 1000)
    assert.equal(collisions, mill.total)
    assert.equal(worst, mill.worst)
  end)

  it("lets nothing out of the level", function()
    local mill = scene.new(level, 48)
    local room = sat.rectangle(32, 32, 896, 608)
    for _ = 1, 400 do
      mill:step()
      for _, body in ipairs(mill.bodies) do assert.is_true(room:contains(body.shape:center())) end
    end
  end)

  it("has every kind of convex shape in it", function()
    local kinds = {}
    local mill = scene.new(level, 48)
    for _ = 1, 300 do mill:step() end
    for _, body in ipairs(mill.bodies) do kinds[body.shape:kind()] = true end
    assert.same({ circle = true, capsule = true, polygon = true, segment = true }, kinds)
  end)

  it("is the same again from the same seed, and another from another", function()
    local one, same = scene.new(level, 24, 7), scene.new(level, 24, 7)
    local other = scene.new(level, 24, 8)
    for _ = 1, 200 do
      one:step()
      same:step()
      other:step()
    end
    assert.equal(one:fingerprint(), same:fingerprint())
    assert.not_equal(one:fingerprint(), other:fingerprint())
  end)
end)

-- Whether tags are balanced and attributes quoted, and no & or < stands alone. Gives the number of
-- elements.
local function check_svg(svg)
  local open, count, at = {}, 0, 1
  while true do
    local first, last, closing, name, attributes, empty = svg:find("<(/?)([%w:]+)([^<>]-)(/?)>", at)
    local between = svg:sub(at, (first or 0) - 1)
    assert.is_nil(between:find("[<>]"), "a < alone near byte " .. at)
    assert.is_nil(between:gsub("&%a+;", ""):find("&"), "a & alone near byte " .. at)
    if not first then break end
    local rest = attributes:gsub('%s+[%w:-]+="[^"<&]*"', "")
    assert.is_nil(rest:find("%S"), "<" .. name .. attributes)
    if closing == "/" then
      assert.equal(name, table.remove(open), "</" .. name .. "> near byte " .. first)
    elseif empty == "" then
      table.insert(open, name)
    end
    count, at = count + 1, last + 1
  end
  assert.same({}, open)
  return count
end

describe("the picture", function()
  it("is well-formed, and shows each shape and each collision", function()
    local mill = scene.new(level, 48)
    for _ = 1, 240 do mill:step() end
    local svg = picture.svg(mill)
    local elements = check_svg(svg)
    assert.is_true(elements >= #mill.fixed + #mill.bodies + #mill.pushes)
    assert.is_nil(svg:lower():find("nan") or svg:find("[^%a]inf[^%a]"))
  end)

  it("draws straight edges and round corners", function()
    local mill = scene.new(setmetatable({ layers = {} }, { __index = level }), 0)
    mill.fixed = { { shape = sat.rectangle(0, 0, 40, 20), spin = 0 } }
    mill.bodies = { { shape = sat.capsule(10, 10, 30, 10, 5), kind = "capsule" } }
    local svg = picture.svg(mill)
    assert.is_truthy(svg:find("M0.0 0.0L40.0 0.0L40.0 20.0L0.0 20.0Z", 1, true))
    assert.is_truthy(svg:find("M10.0 5.0L30.0 5.0A5.0 5.0 0 0 1 30.0 15.0"
      .. "L10.0 15.0A5.0 5.0 0 0 1 10.0 5.0Z", 1, true))
  end)

  it("holds any title", function()
    local properties = { title = "this < that & more", gravity = 700 }
    local map = setmetatable({ properties = properties }, { __index = level })
    check_svg(picture.svg(scene.new(map, 0)))
  end)
end)

-- Runs examples/demo.lua as `lua examples/demo.lua ...` would and gives what it prints.
local function run_demo(...)
  local printed = {}
  local environment = setmetatable({
    arg = { [0] = "examples/demo.lua", ... },
    print = function(line) table.insert(printed, line) end,
  }, { __index = _G })
  local before = package.path
  local chunk = assert(loadfile("examples/demo.lua", "t", environment))
  if setfenv then setfenv(chunk, environment) end -- luacheck: ignore
  local done, reason = pcall(chunk)
  package.path = before
  assert(done, reason)
  return table.concat(printed, "\n")
end

describe("the demo", function()
  it("writes its picture where it is told and gives an account", function()
    local path = os.tmpname()
    local account = run_demo(path, "2")
    local file = assert(io.open(path))
    local svg = file:read("*a")
    file:close()
    os.remove(path)
    assert.is_true(check_svg(svg) > 50)
    assert.is_truthy(account:find("120 in 2.0 s of game time", 1, true))
    for _, word in ipairs { "collisions", "deepest", "a frame", "fingerprint", path } do
      assert.is_truthy(account:find(word, 1, true), word .. " is missing in\n" .. account)
    end
  end)

  it("says so when the picture cannot be written", function()
    assert.error_matches(function() run_demo("/nowhere/at/all.svg", "0") end, "/nowhere/at/all.svg")
  end)
end)
