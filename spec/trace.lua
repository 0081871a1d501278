-- Two scenes of a thousand frames each, one of outlines, one of what is seen: for each of them one line with the hash
-- of every number that comes back.
--
-- Every Lua must print the same. The numbers are hashed as their 17 significant digits, which tell two doubles apart,
-- by arithmetic that a double holds exactly, since that is all that Lua 5.1 has. Nothing here asks for a sine or a
-- random number of Lua's own.
local format, byte, select, type = string.format, string.byte, select, type

-- ---------------------------------------------------------------- hashing

local PRIME = 1099511627689 -- the largest below 2^40: 257 times as much is exact, and so is what is left of a division
local hash, seed

local function hashText(text)
  for i = 1, #text do hash = (hash * 257 + byte(text, i)) % PRIME end
end

-- Hashes what a call has returned, however many values, and passes it on.
local function record(...)
  local n = select("#", ...)
  hashText("#")
  for i = 1, n do
    local value = select(i, ...)
    hashText(type(value) == "number" and format("%.17g", value) or tostring(value))
    hashText(",")
  end
  return ...
end

-- ---------------------------------------------------------------- random numbers: Park and Miller, 1988

local function randomBelow(limit)
  seed = seed * 16807 % 2147483647
  return seed % limit
end

-- A multiple of 1/16 of a size up to `limit`, either sign.
local function randomNumber(limit)
  return (randomBelow(limit * 32 + 1) - limit * 16) / 16
end

-- ---------------------------------------------------------------- the scenes

local tools = { record = record, randomBelow = randomBelow, randomNumber = randomNumber }

for _, scene in ipairs { "shapes", "world", "outline", "visible" } do
  hash, seed = 5381, 20260101
  require("spec.trace." .. scene)(tools)
  print(format("%s %.0f", scene, hash))
end
