-- Times of sat.union from Lua, reading and making of tables included, beside slick's clipper where SLICK names a folder
-- of it: SLICK=folder. Each line is the least of many rounds, in turns.
local sat = require "sat"
local common = dofile "bench/lib/common.lua"

local folder = os.getenv "SLICK"
local clipper
if folder then
  package.path = folder .. "/?.lua;" .. folder .. "/?/init.lua;" .. package.path
  clipper = require("slick.geometry").clipper.new()
else
  print("slick is missing: SLICK=folder names a checkout")
end

common.seed(1)

local function star(x, y, n)
  local ring = {}
  for i = 1, n do
    local angle, radius = 2 * math.pi * i / n, common.between(50, 100)
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
  local calls = { function() sat.union(a, b) end }
  if clipper then
    local ea, eb = edges(a), edges(b)
    calls[2] = function() clipper:clip(clipper.union, a, ea, b, eb) end
  end
  local least = common.least(rounds, calls, function() collectgarbage() end)
  print(("%-40s sat %8.3f ms%s"):format(words, least[1] * 1e3,
    clipper and ("  slick %9.3f ms"):format(least[2] * 1e3) or ""))
end

row("two boxes", { 0, 0, 4, 0, 4, 4, 0, 4 }, { 2, 2, 9, 2, 9, 9, 2, 9 }, 100)
row("two stars of 20 vertices", star(0, 0, 20), star(20, 10, 20), 50)
row("two stars of 150 vertices", star(0, 0, 150), star(20, 10, 150), 20)
