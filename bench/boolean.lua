-- Times of sat.union from Lua, reading and making of tables included, beside slick's clipper where SLICK names a folder
-- of it: SLICK=folder. Each line is the least of many rounds, in turns.
local sat = require "sat"

local folder = os.getenv "SLICK"
local clipper
if folder then
  package.path = folder .. "/?.lua;" .. folder .. "/?/init.lua;" .. package.path
  clipper = require("slick.geometry").clipper.new()
else
  print("slick is missing: SLICK=folder names a checkout")
end

local seed = 1
local function random()
  seed = seed * 16807 % 2147483647
  return seed / 2147483647
end

local function star(x, y, n)
  local ring = {}
  for i = 1, n do
    local angle, radius = 2 * math.pi * i / n, 50 + 50 * random()
    ring[2 * i - 1], ring[2 * i] = x + radius * math.cos(angle), y + radius * math.sin(angle)
  end
  return ring
end

local function edges(ring)
  local list, n = {}, #ring / 2
  for i = 1, n do list[2 * i - 1], list[2 * i] = i, i % n + 1 end
  return list
end

local function row(words, a, b, rounds)
  local least = { math.huge, math.huge }
  local calls = { function() sat.union(a, b) end }
  if clipper then
    local ea, eb = edges(a), edges(b)
    calls[2] = function() clipper:clip(clipper.union, a, ea, b, eb) end
  end
  for _ = 1, rounds do
    for i, call in ipairs(calls) do
      collectgarbage()
      local start = os.clock()
      call()
      least[i] = math.min(least[i], (os.clock() - start) * 1e3)
    end
  end
  print(("%-40s sat %8.3f ms%s"):format(words, least[1], clipper and ("  slick %9.3f ms"):format(least[2]) or ""))
end

row("two boxes", { 0, 0, 4, 0, 4, 4, 0, 4 }, { 2, 2, 9, 2, 9, 9, 2, 9 }, 100)
row("two stars of 20 vertices", star(0, 0, 20), star(20, 10, 20), 50)
row("two stars of 150 vertices", star(0, 0, 150), star(20, 10, 150), 20)
