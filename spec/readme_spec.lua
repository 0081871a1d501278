-- The README is right: it has samples, the LÖVE sample keeps its promise, and there is nothing named in it and in the
-- tour that is not there. That its samples print what they say is samples_spec's business, and its links are
-- links_spec's.

local samples = require "spec.samples"
local sat = require "sat"

-- What `require "sat"` is for a sample: all of it, and each shape that it makes is noted.
local function watched(shapes)
  return setmetatable({}, { __index = function(_, name)
    return function(...)
      local result = sat[name](...)
      if sat.type(result) == "shape" then table.insert(shapes, result) end
      return result
    end
  end })
end

describe("README.md", function()
  it("has samples for LÖVE and for plain Lua", function()
    local love, plain = 0, 0
    for _, sample in ipairs(samples.of_markdown("README.md")) do
      if samples.is_love(sample) then love = love + 1 else plain = plain + 1 end
    end
    assert.is_true(love >= 1)
    assert.is_true(plain >= 1)
  end)

  it("fits on a few screens", function()
    local _, lines = samples.read_file("README.md"):gsub("\n", "")
    assert.is_true(lines <= 150)
  end)

  it("names no function or submodule that is not there, and neither does the tour", function()
    local text = samples.read_file("README.md") .. samples.read_file("docs/guides/tour.md")
    local without_targets = text:gsub("%]%b()", "]")
    local count = 0
    for name in without_targets:gmatch("%f[%w]sat%.([%a_][%w_]*)") do
      count = count + 1
      assert.is_true(rawget(sat, name) ~= nil or pcall(require, "sat." .. name), "sat." .. name .. " is not there")
    end
    assert.is_true(count > 50)
  end)
end)

describe("the LÖVE sample", function()
  local calls, shapes, stub, mouse
  local love_before, sat_before

  before_each(function()
    calls, shapes, mouse = {}, {}, {}
    stub = samples.make_love(calls, mouse, {})
    love_before, sat_before = rawget(_G, "love"), package.loaded.sat
    rawset(_G, "love", stub)
    package.loaded.sat = watched(shapes)
    for _, sample in ipairs(samples.of_markdown("README.md")) do
      if samples.is_love(sample) then samples.load(sample, { love = stub })() end
    end
    package.loaded.sat = sat_before
    stub.load()
  end)

  after_each(function()
    rawset(_G, "love", love_before)
  end)

  it("has about twenty lines", function()
    for _, sample in ipairs(samples.of_markdown("README.md")) do
      if samples.is_love(sample) then assert.is_true(#sample.lines <= 26) end
    end
  end)

  it("never leaves the hexagon in the circle, wherever the mouse goes", function()
    local hexagon, circle = shapes[1], shapes[2]
    local pushed = 0
    for frame = 1, 2000 do
      -- A walk over the whole window, row by row, in steps that hit the circle's very centre, too.
      mouse.x, mouse.y = frame % 41 * 20, math.floor(frame / 41) * 12.5
      stub.update(1 / 60)
      local _, _, depth = sat.collide(hexagon, circle)
      assert.is_true((depth or 0) < 1e-9, ("%s deep in frame %d"):format(tostring(depth), frame))
      local x, y = hexagon:center()
      if math.abs(x - mouse.x) + math.abs(y - mouse.y) > 1e-9 then pushed = pushed + 1 end
    end
    assert.is_true(pushed > 100, "the mouse was hardly ever near the circle")
  end)

  it("turns the hexagon by a radian a second", function()
    mouse.x, mouse.y = 100, 100
    local before = shapes[1]:rotation()
    for _ = 1, 60 do stub.update(1 / 60) end
    assert.is_true(math.abs(shapes[1]:rotation() - before - 1) < 1e-9)
  end)

  it("draws both shapes", function()
    mouse.x, mouse.y = 400, 220
    stub.update(1 / 60)
    stub.draw()
    local drawn = {}
    for _, call in ipairs(calls) do drawn[call[1]] = (drawn[call[1]] or 0) + 1 end
    assert.is_true((drawn.circle or 0) >= 1)
    assert.is_true((drawn.polygon or 0) + (drawn.line or 0) >= 1)
  end)
end)
