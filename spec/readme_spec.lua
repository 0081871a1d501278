-- The README is right: each of its Lua samples runs and prints what stands behind `-->`, the LÖVE
-- sample keeps its promise, and every link leads somewhere.

local sat = require "sat"

local function readme()
  local file = assert(io.open("README.md"))
  local text = file:read("*a")
  file:close()
  return text
end

-- The samples in order, each with the number of the README's line before its first.
local function samples()
  local list, block, number = {}, nil, 0
  for line in (readme() .. "\n"):gmatch("(.-)\n") do
    number = number + 1
    if line:match("^```") then
      if line == "```lua" then
        block = { line = number, lines = {} }
        table.insert(list, block)
      else
        block = nil
      end
    elseif block then
      table.insert(block.lines, line)
    end
  end
  return list
end

local function compile(source, name, environment)
  setmetatable(environment, { __index = _G })
  local loader = loadstring or load -- luacheck: ignore
  local chunk = assert(loader(source, "=" .. name, "t", environment))
  if setfenv then setfenv(chunk, environment) end -- luacheck: ignore
  return chunk
end

-- Loaded as from line `line` of the README, so that an error names the place.
local function load_sample(sample, environment)
  local source = ("\n"):rep(sample.line) .. table.concat(sample.lines, "\n")
  return compile(source, "README.md", environment)
end

-- 5.3 prints -1.0 where 5.1 prints -1, and a length may come out as 2.9999999999999996.
local function same_word(said, printed)
  local expected, actual = tonumber(said), tonumber(printed)
  if not (expected and actual) then return said == printed end
  return math.abs(expected - actual) <= 1e-9
end

local function same_words(said, printed)
  local expected, actual = {}, {}
  for word in said:gmatch("%S+") do table.insert(expected, word) end
  for word in printed:gmatch("%S+") do table.insert(actual, word) end
  if #expected ~= #actual then return false end
  for i, word in ipairs(expected) do
    if not same_word(word, actual[i]) then return false end
  end
  return true
end

-- Runs a sample and collects what it prints, a line for each call.
local function run(sample)
  local printed = {}
  load_sample(sample, {
    print = function(...)
      local words = { ... }
      for i = 1, select("#", ...) do words[i] = tostring(words[i]) end
      table.insert(printed, table.concat(words, " "))
    end,
  })()
  return printed
end

-- Every method of love.graphics, each of which notes its name and arguments.
local function graphics_stub(calls)
  local answers = { getLineWidth = { 1 }, getColor = { 1, 1, 1, 1 }, getDimensions = { 800, 600 } }
  return setmetatable({}, { __index = function(_, name)
    return function(...)
      table.insert(calls, { name, ... })
      local answer = answers[name] or {}
      return answer[1], answer[2], answer[3], answer[4]
    end
  end })
end

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

local function is_love(sample)
  return table.concat(sample.lines, "\n"):find("love.load", 1, true)
end

describe("README.md", function()
  it("has samples for LÖVE and for plain Lua", function()
    local love, plain = 0, 0
    for _, sample in ipairs(samples()) do
      if is_love(sample) then love = love + 1 else plain = plain + 1 end
    end
    assert.is_true(love >= 1)
    assert.is_true(plain >= 2)
  end)

  for _, sample in ipairs(samples()) do
    if not is_love(sample) then
      it("prints what it says from line " .. sample.line .. " on", function()
        local printed, count = run(sample), 0
        for i, line in ipairs(sample.lines) do
          local said = line:match("%-%->%s*(.-)%s*$")
          if said then
            count = count + 1
            local actual = tostring(printed[count])
            assert.is_true(same_words(said, actual), ("line %d says %s, but it prints %s"):format(
              sample.line + i, said, actual))
          end
        end
        assert.equal(count, #printed)
      end)
    end
  end

  it("links to nothing that is not there", function()
    local count = 0
    for target in readme():gmatch("%]%(([^)]+)%)") do
      if not target:match("^%a+:") then
        count = count + 1
        local path = target:gsub("#.*$", "")
        local file = io.open(path, "r")
        assert.is_truthy(file, target .. " is not there")
        file:close()
      end
    end
    assert.is_true(count > 0)
  end)

  it("names no function that the module does not have, but those it calls planned", function()
    local planned = { compound = true, chain = true, world = true }
    for name in readme():gmatch("%f[%w]sat%.([%a_][%w_]*)%(?") do
      assert.is_true(planned[name] or sat[name] ~= nil, "sat." .. name .. " is not there")
    end
  end)
end)

describe("the LÖVE sample", function()
  local calls, shapes, stub, mouse_x, mouse_y
  local love_before, sat_before

  before_each(function()
    calls, shapes = {}, {}
    stub = {
      graphics = graphics_stub(calls),
      mouse = { getPosition = function() return mouse_x, mouse_y end },
    }
    love_before, sat_before = rawget(_G, "love"), package.loaded.sat
    rawset(_G, "love", stub)
    package.loaded.sat = watched(shapes)
    for _, sample in ipairs(samples()) do
      if is_love(sample) then load_sample(sample, { love = stub })() end
    end
    package.loaded.sat = sat_before
    stub.load()
  end)

  after_each(function()
    rawset(_G, "love", love_before)
  end)

  it("has about twenty lines", function()
    for _, sample in ipairs(samples()) do
      if is_love(sample) then assert.is_true(#sample.lines <= 26) end
    end
  end)

  it("never leaves the hexagon in the circle, wherever the mouse goes", function()
    local hexagon, circle = shapes[1], shapes[2]
    local pushed = 0
    for frame = 1, 2000 do
      -- A walk over the whole window, row by row, in steps that hit the circle's very centre, too.
      mouse_x, mouse_y = frame % 41 * 20, math.floor(frame / 41) * 12.5
      stub.update(1 / 60)
      local _, _, depth = sat.collide(hexagon, circle)
      assert.is_true((depth or 0) < 1e-9, ("%s deep in frame %d"):format(tostring(depth), frame))
      local x, y = hexagon:center()
      if math.abs(x - mouse_x) + math.abs(y - mouse_y) > 1e-9 then pushed = pushed + 1 end
    end
    assert.is_true(pushed > 100, "the mouse was hardly ever near the circle")
  end)

  it("turns the hexagon by a radian a second", function()
    mouse_x, mouse_y = 100, 100
    local before = shapes[1]:rotation()
    for _ = 1, 60 do stub.update(1 / 60) end
    assert.is_true(math.abs(shapes[1]:rotation() - before - 1) < 1e-9)
  end)

  it("draws both shapes", function()
    mouse_x, mouse_y = 400, 220
    stub.update(1 / 60)
    stub.draw()
    local drawn = {}
    for _, call in ipairs(calls) do drawn[call[1]] = (drawn[call[1]] or 0) + 1 end
    assert.is_true((drawn.circle or 0) >= 1)
    assert.is_true((drawn.polygon or 0) + (drawn.line or 0) >= 1)
  end)
end)
