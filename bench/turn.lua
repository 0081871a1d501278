-- turn.lua: shapes that turn until they touch, beside what games write without sat.turn: rotate and collide in small
-- steps, and then halve the last one. Both with sat's own calls; the error of the halved ones is that of 20 halvings.

local sat = require "sat"

local ROUNDS, COUNT = 25, 128
local STEP, HALVINGS = 0.05, 20 -- radians

local function random(seed)
  return function(low, high)
    seed = seed * 16807 % 2147483647
    return low + (high - low) * seed / 2147483647
  end
end

-- A fraction of the angle, or nil. The shape is put back.
local function halved(a, angle, b)
  local before, steps = a:rotation(), math.ceil(math.abs(angle) / STEP)
  local low, high = 0, nil
  for i = 1, steps do
    if a:setRotation(before + angle * i / steps):overlaps(b) then
      high = i / steps
      break
    end
    low = i / steps
  end
  for _ = 1, high and HALVINGS or 0 do
    local middle = (low + high) / 2
    if a:setRotation(before + angle * middle):overlaps(b) then high = middle else low = middle end
  end
  a:setRotation(before)
  return high and low
end

local function halved_in_world(world, shape, angle)
  local before, steps = shape:rotation(), math.ceil(math.abs(angle) / STEP)
  local low, high = 0, nil
  for i = 1, steps do
    shape:setRotation(before + angle * i / steps)
    if world:collide(shape) then
      high = i / steps
      break
    end
    low = i / steps
  end
  for _ = 1, high and HALVINGS or 0 do
    local middle = (low + high) / 2
    shape:setRotation(before + angle * middle)
    if world:collide(shape) then high = middle else low = middle end
  end
  shape:setRotation(before)
  return low * angle
end

-- The least time of a call of each contestant in microseconds, in turns.
local function least(cases, contestants)
  local best = {}
  for round = 1, ROUNDS do
    for k, f in ipairs(contestants) do
      local start = os.clock()
      for _, case in ipairs(cases) do f(case[1], case[2], case[3]) end
      local time = 1e6 * (os.clock() - start) / #cases
      if round == 1 or time < best[k] then best[k] = time end
    end
  end
  return best
end

local function report(name, best) print(("%-44s %9.2f %12.2f"):format(name, best[1], best[2])) end

local function turn(a, angle, b) return sat.turn(a, angle, b) end

local function report_pairs(name, make)
  local pick, cases = random(7), {}
  for i = 1, COUNT do cases[i] = { make(pick) } end
  report(name, least(cases, { turn, halved }))
end

print(("microseconds%43s %12s"):format("sat", "steps"))
report_pairs("two boxes", function(pick)
  return sat.rectangle(-20, -5, 40, 10), pick(-3, 3), sat.rectangle(pick(-10, 10) - 20, pick(10, 18), 40, 10)
end)
for _, n in ipairs { 8, 32, 512 } do
  report_pairs(("two polygons of %d vertices"):format(n), function(pick)
    return sat.regular(0, 0, 10, n):stretch(2, 0.5), pick(-3, 3), sat.regular(pick(-4, 4), 15 + pick(0, 4), 10, n)
  end)
end
report_pairs("a rounded box and a circle", function(pick)
  return sat.rectangle(-20, -5, 40, 10):setRadius(1), pick(-3, 3), sat.circle(pick(-20, 20), 18, 10)
end)

local pick, world, cases = random(3), sat.world(), {}
for _ = 1, 400 do
  world:add(sat.rectangle(pick(-500, 500), pick(-500, 500), pick(5, 20), pick(5, 20)):setStatic(true))
end
for i = 1, COUNT do
  local shape = sat.rectangle(pick(-500, 500), pick(-500, 500), 30, 10, pick(0, 3))
  local dx, dy = world:collide(shape)
  if dx then shape:move(dx, dy) end
  cases[i] = { shape, pick(-3, 3) }
end
report("checkTurn among 400 boxes", least(cases, {
  function(shape, angle) world:checkTurn(shape, angle) end,
  function(shape, angle) halved_in_world(world, shape, angle) end,
}))
report("the same by 0.1", least(cases, {
  function(shape) world:checkTurn(shape, 0.1) end,
  function(shape) halved_in_world(world, shape, 0.1) end,
}))
report('checkTurn by "slide"; beside check(12, 5)', least(cases, {
  function(shape, angle) world:checkTurn(shape, angle, "slide") end,
  function(shape) world:check(shape, 12, 5) end,
}))
