-- turn.lua: shapes that turn until they touch, beside what games write without sat.turn: rotate and collide in small
-- steps, and then halve the last one. Both with sat's own calls; the error of the halved ones is that of 20 halvings.

local sat = require "sat"
local common = dofile "bench/lib/common.lua"

local ROUNDS, COUNT = 25, 128
local STEP, HALVINGS = 0.05, 20 -- radians
local pick = common.between

-- A fraction of the angle, or nil, by what tells whether the shape meets something. The shape is put back.
local function halved(a, angle, meets)
  local before, steps = a:rotation(), math.ceil(math.abs(angle) / STEP)
  local low, high = 0, nil
  for i = 1, steps do
    a:setRotation(before + angle * i / steps)
    if meets(a) then
      high = i / steps
      break
    end
    low = i / steps
  end
  for _ = 1, high and HALVINGS or 0 do
    local middle = (low + high) / 2
    a:setRotation(before + angle * middle)
    if meets(a) then high = middle else low = middle end
  end
  a:setRotation(before)
  return high and low
end

-- Prints the least time of a call of each of the two in microseconds.
local function report(name, cases, ...)
  local passes = {}
  for i, f in ipairs { ... } do
    passes[i] = function() for _, case in ipairs(cases) do f(case[1], case[2], case[3]) end end
  end
  local best = common.least(ROUNDS, passes)
  print(("%-44s %9.2f %12.2f"):format(name, 1e6 * best[1] / #cases, 1e6 * best[2] / #cases))
end

local function report_pairs(name, make)
  common.seed(7)
  local cases = {}
  for i = 1, COUNT do cases[i] = { make() } end
  report(name, cases, function(a, angle, b) return sat.turn(a, angle, b) end,
    function(a, angle, b) return halved(a, angle, function() return a:overlaps(b) end) end)
end

print(("microseconds%43s %12s"):format("sat", "steps"))
report_pairs("two boxes", function()
  return sat.rectangle(-20, -5, 40, 10), pick(-3, 3), sat.rectangle(pick(-10, 10) - 20, pick(10, 18), 40, 10)
end)
for _, n in ipairs { 8, 32, 512 } do
  report_pairs(("two polygons of %d vertices"):format(n), function()
    return sat.regular(0, 0, 10, n):stretch(2, 0.5), pick(-3, 3), sat.regular(pick(-4, 4), 15 + pick(0, 4), 10, n)
  end)
end
report_pairs("a rounded box and a circle", function()
  return sat.rectangle(-20, -5, 40, 10):setRadius(1), pick(-3, 3), sat.circle(pick(-20, 20), 18, 10)
end)

common.seed(3)
local world, cases = sat.world(), {}
for _ = 1, 400 do
  world:add(sat.rectangle(pick(-500, 500), pick(-500, 500), pick(5, 20), pick(5, 20)):setStatic(true))
end
for i = 1, COUNT do
  local shape = sat.rectangle(pick(-500, 500), pick(-500, 500), 30, 10, pick(0, 3))
  local dx, dy = world:collide(shape)
  if dx then shape:move(dx, dy) end
  cases[i] = { shape, pick(-3, 3) }
end
local function collides(shape) return world:collide(shape) end
report("checkTurn among 400 boxes", cases, function(shape, angle) world:checkTurn(shape, angle) end,
  function(shape, angle) halved(shape, angle, collides) end)
