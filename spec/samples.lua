-- The Lua samples of the documentation: found, run, and held against what they say they print.
local sat = require "sat"

local samples = {}

function samples.read_file(path)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  return text
end

-- Those of a Markdown file in order, each with its lines and the number of the line before its first. With the name of
-- a peer those that are written for that library: "```lua for HC".
function samples.of_markdown(path, peer)
  local list, block, number = {}, nil, 0
  local head = peer and "```lua for " .. peer or "```lua"
  for line in (samples.read_file(path) .. "\n"):gmatch("(.-)\n") do
    number = number + 1
    if line:match("^```") then
      block = line == head and { path = path, line = number, lines = {} } or nil
      list[#list + 1] = block
    elseif block then
      table.insert(block.lines, line)
    end
  end
  return list
end

-- The blocks of a Markdown file that begin with "```lua of FILE": each with its text and that file.
function samples.parts_of(path)
  local list = {}
  for file, text in samples.read_file(path):gmatch("\n```lua of (%S+)\n(.-\n)```\n") do
    list[#list + 1] = { file = file, text = text }
  end
  return list
end

-- Whether it is a game, or part of one.
function samples.is_love(sample)
  return table.concat(sample.lines, "\n"):find("function love.", 1, true) ~= nil
end

local function compile(source, name, environment)
  setmetatable(environment, { __index = _G })
  local loader = rawget(_G, "loadstring") or load
  local chunk = assert(loader(source, "=" .. name, "t", environment))
  if rawget(_G, "setfenv") then rawget(_G, "setfenv")(chunk, environment) end
  return chunk
end

-- Loaded as from its line of the file, so that an error names the place.
function samples.load(sample, environment)
  local source = ("\n"):rep(sample.line) .. table.concat(sample.lines, "\n")
  return compile(source, sample.path, environment)
end

-- ---------------------------------------------------------------- what it prints

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

-- Runs it and gives what it prints, a line for each call.
local function run(sample)
  local printed = {}
  samples.load(sample, {
    sat = sample.knows_sat and sat or nil,
    print = function(...)
      local words = { ... }
      for i = 1, select("#", ...) do words[i] = tostring(words[i]) end
      table.insert(printed, table.concat(words, " "))
    end,
  })()
  return printed
end

-- Runs it, and fails unless each `-->` has the next line printed behind it, and all have one.
function samples.check(sample)
  local printed, count = run(sample), 0
  for i, line in ipairs(sample.lines) do
    local said = line:match("%-%->%s*(.-)%s*$")
    if said then
      count = count + 1
      local actual = tostring(printed[count])
      if not same_words(said, actual) then
        error(("%s:%d says %s, but it prints %s"):format(sample.path, sample.line + i, said, actual), 0)
      end
    end
  end
  if count ~= #printed then
    error(("%s:%d says %d lines, but it prints %d"):format(sample.path, sample.line, count, #printed), 0)
  end
  return count
end

-- ---------------------------------------------------------------- LÖVE

local answers = { getLineWidth = { 1 }, getColor = { 1, 1, 1, 1 }, getDimensions = { 800, 600 } }

-- A LÖVE in which nothing is seen: every call of love.graphics is noted in `calls`. The mouse goes where `mouse` says,
-- and no key is down but those in `keys`.
function samples.make_love(calls, mouse, keys)
  return {
    graphics = setmetatable({}, { __index = function(_, name)
      return function(...)
        table.insert(calls, { name, ... })
        local answer = answers[name] or {}
        return answer[1], answer[2], answer[3], answer[4]
      end
    end }),
    mouse = { getPosition = function() return mouse.x, mouse.y end },
    keyboard = { isDown = function(key) return keys[key] == true end },
    timer = { getTime = os.clock },
  }
end

return samples
