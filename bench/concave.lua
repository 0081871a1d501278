-- concave.lua: sat.collide of concave shapes from Lua, beside HC where it is found.
--
-- HC cuts a concave polygon into convex ones, too, and answers with a mix of their vectors. How many of those do not
-- separate the two, and how many are longer than ours, is told beside the times.

local sat = require "sat"

local PAIRS = 64
local ROUNDS = 25
local ROUND = 0.004 -- seconds of one contestant in one round
local LIMIT = 5 -- how many times faster than HC we are to be with L and hexagon

local unpack = rawget(_G, "unpack") or table.unpack
rawset(_G, "unpack", unpack) -- which HC takes from there on every Lua

local found, HC = pcall(require, "HC")
HC = found and HC or nil

-- ---------------------------------------------------------------- pairs

-- The same numbers on every Lua: Park and Miller, Random number generators: good ones are hard to find, 1988.
local seed = 1
local function between(low, high)
  seed = seed * 16807 % 2147483647
  return low + (high - low) * seed / 2147483647
end

local function ring(n, first, second)
  local points = {}
  for i = 0, n - 1 do
    local radius, angle = i % 2 == 0 and first or second, i * 2 * math.pi / n
    points[2 * i + 1] = radius * math.cos(angle)
    points[2 * i + 2] = radius * math.sin(angle)
  end
  return points
end

local L = { -10, -10, 10, -10, 10, -2, -2, -2, -2, 10, -10, 10 }
local hexagon, star = ring(6, 8, 8), ring(12, 10, 5)

-- Turned by any angle, and put to x, y.
local function place(points, x, y)
  local angle, placed = between(0, 2 * math.pi), {}
  local cosine, sine = math.cos(angle), math.sin(angle)
  for i = 1, #points, 2 do
    placed[i] = x + cosine * points[i] - sine * points[i + 1]
    placed[i + 1] = y + sine * points[i] + cosine * points[i + 1]
  end
  return placed
end

-- Which meet, with their centres between so far and so far apart.
local function make_pairs(first, second, from, to)
  local pairs = {}
  while #pairs < PAIRS do
    local angle, away = between(0, 2 * math.pi), between(from, to)
    local a = place(first, 500 + away * math.cos(angle), 500 + away * math.sin(angle))
    local b = place(second, 500, 500)
    if sat.overlaps(sat.polygon(a), sat.polygon(b)) then pairs[#pairs + 1] = { a, b } end
  end
  return pairs
end

local function shapes_of(pairs, make)
  local list = {}
  for _, pair in ipairs(pairs) do
    for side = 1, 2 do list[#list + 1] = make(pair[side]) end
  end
  return list
end

-- ---------------------------------------------------------------- times

-- A loop each, so that LuaJIT can make the most of it.
local function ask_sat(list, times)
  local collide, sum = sat.collide, 0
  for _ = 1, times do
    for i = 1, #list, 2 do
      local _, _, depth = collide(list[i], list[i + 1])
      sum = sum + depth
    end
  end
  return sum
end

local function ask_hc(list, times)
  local hits = 0
  for _ = 1, times do
    for i = 1, #list, 2 do
      if list[i]:collidesWith(list[i + 1]) then hits = hits + 1 end
    end
  end
  return hits
end

local function seconds(ask, list, times)
  local start = os.clock()
  ask(list, times)
  return os.clock() - start
end

-- ns a call of each contestant, the least of rounds taken in turns: what disturbs only adds.
local function contest(contestants)
  for _, contestant in ipairs(contestants) do
    local times = 1
    while seconds(contestant.ask, contestant.list, times) < ROUND / 2 do times = times * 2 end
    contestant.times, contestant.ns = times, math.huge
  end
  for _ = 1, ROUNDS do
    for _, contestant in ipairs(contestants) do
      local taken = seconds(contestant.ask, contestant.list, contestant.times)
      contestant.ns = math.min(contestant.ns, taken * 1e9 / contestant.times / PAIRS)
    end
  end
end

-- ---------------------------------------------------------------- answers

-- How many of HC's vectors leave the two overlapping, how many are longer than ours, and how many it has none for.
local function judge(pairs)
  local stuck, longer, none = 0, 0, 0
  for _, pair in ipairs(pairs) do
    local a, b = sat.polygon(pair[1]), sat.polygon(pair[2])
    local _, _, depth = sat.collide(a, b)
    local hit, dx, dy = HC.polygon(unpack(pair[1])):collidesWith(HC.polygon(unpack(pair[2])))
    if not hit then
      none = none + 1
    else
      local size = math.sqrt(dx * dx + dy * dy)
      local _, _, left = sat.collide(a:move(dx, dy), b)
      if left and left > 1e-6 then
        stuck = stuck + 1
      elseif size > depth * (1 + 1e-6) then
        longer = longer + 1
      end
    end
  end
  return ("%d stuck, %d longer, %d none"):format(stuck, longer, none)
end

-- Ours is right: after it nothing is left.
local function check(pairs)
  for _, pair in ipairs(pairs) do
    local a, b = sat.polygon(pair[1]), sat.polygon(pair[2])
    local dx, dy = sat.collide(a, b)
    local _, _, left = sat.collide(a:move(dx, dy), b)
    assert(not left or left < 1e-9)
  end
end

-- ---------------------------------------------------------------- the table

local rows = {
  { "L and hexagon", make_pairs(L, hexagon, 0, 16), LIMIT },
  { "stars, shallow", make_pairs(star, star, 13, 19) },
  { "stars, deep", make_pairs(star, star, 0, 4) },
}

local good = true

local function write_row(name, pairs, limit)
  local ours = { ask = ask_sat, list = shapes_of(pairs, sat.polygon) }
  local contestants = { ours }
  check(pairs)
  if HC then
    contestants[2] = { ask = ask_hc, list = shapes_of(pairs, function(points) return HC.polygon(unpack(points)) end) }
  end
  contest(contestants)
  local line = ("%-16s %8.0f"):format(name, ours.ns)
  if HC then
    local ratio = contestants[2].ns / ours.ns
    line = line .. (" %8.0f %6.1fx   %s"):format(contestants[2].ns, ratio, judge(pairs))
    if limit and ratio < limit then
      good = false
      line = line .. (": less than %d times"):format(limit)
    end
  end
  print(line)
end

print("concave shapes from " .. (rawget(_G, "jit") and rawget(_G, "jit").version or _VERSION))
local heading = ("%-16s %8s"):format("ns a call", "sat")
if HC then heading = heading .. ("%9s %7s   of %d of HC's vectors"):format("HC", "", PAIRS) end
print(heading)
for _, row in ipairs(rows) do write_row(unpack(row)) end
os.exit(good and 0 or 1)
