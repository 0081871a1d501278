-- The README is right: its first game is at its head and does what it says, and there is nothing named in it and in the
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

  it("has few words before its sixtieth line", function()
    local number, words, inside = 0, 0, false
    for line in io.lines("README.md") do
      number = number + 1
      if line:match("^```") then inside = not inside
      elseif not inside and number <= 60 then
        for _ in line:gsub("%]%b()", "]"):gsub("`[^`]*`", ""):gmatch("%f[%a][%a']+") do words = words + 1 end
      end
    end
    assert.is_true(words <= 280, words .. " words")
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

describe("the game at its head", function()
  local calls, keys, shapes, stub
  local love_before, sat_before

  before_each(function()
    calls, keys, shapes = {}, {}, {}
    stub = samples.make_love(calls, {}, keys)
    love_before, sat_before = rawget(_G, "love"), package.loaded.sat
    rawset(_G, "love", stub)
    package.loaded.sat = watched(shapes)
    samples.load(samples.of_markdown("README.md")[1], { love = stub })()
    package.loaded.sat = sat_before
  end)

  after_each(function()
    rawset(_G, "love", love_before)
  end)

  local function play(frames)
    local ball, hill = shapes[1], shapes[2]
    for frame = 1, frames do
      stub.update(1 / 60)
      local _, _, depth = ball:collide(hill)
      assert.is_true((depth or 0) < 1e-9, ("%s deep in frame %d"):format(tostring(depth), frame))
    end
    return ball:center()
  end

  it("begins at line 5, and ends by line 16", function()
    local sample = samples.of_markdown("README.md")[1]
    assert.is_true(samples.is_love(sample))
    assert.is_true(sample.line + #sample.lines <= 16)
  end)

  it("lets the ball fall, and slide into the valley", function()
    local x, y = play(60)
    assert.is_true(x == 400 and y > 350, "it falls straight down at first")
    x, y = play(240)
    assert.is_true(math.abs(x - 302) < 1 and math.abs(y - 480) < 1, x .. ", " .. y)
  end)

  it("climbs the other side by a key, and comes back without it", function()
    play(300)
    keys.right = true
    local x, y = play(100)
    assert.is_true(x > 500 and y < 470, x .. ", " .. y)
    keys.right = nil
    x = play(900) -- the other side is not steep
    assert.is_true(math.abs(x - 302) < 1, x)
  end)

  it("draws both shapes", function()
    stub.draw()
    local drawn = {}
    for _, call in ipairs(calls) do drawn[call[1]] = (drawn[call[1]] or 0) + 1 end
    assert.is_true((drawn.circle or 0) >= 1)
    assert.is_true((drawn.polygon or 0) + (drawn.line or 0) >= 1)
  end)
end)
