-- Moves that push, beside moves that slide and the same by hand: .ci/with luajit luajit bench/push.lua
-- In microseconds a move, the least of ROUNDS rounds in turns. With bump in LUA_PATH also what its users write.
local sat = require "sat"
local common = dofile "bench/lib/common.lua"
local bump = common.find "bump"

local ROUNDS, STEPS = 60, 400

-- A floor of tiles, a hero of 12 units, and crates in a row before the hero, all on the floor.
local function make(crates)
  local world, hero, list = sat.world(), sat.rectangle(0, 4, 12, 12):setMass(math.huge), {}
  for i = -2, 80 do world:add(sat.rectangle(16 * i, 16, 16, 16):setStatic(true)) end
  world:add(hero)
  for i = 1, crates do
    list[i] = sat.rectangle(12 * i, 4, 12, 12)
    world:add(list[i])
  end
  return world, hero, list
end

-- Each row: its words, and a function that makes a function of one step.
local ROWS = {}
local function row(words, crates, step)
  ROWS[#ROWS + 1] = { words, function()
    local world, hero, list = make(crates)
    return function() step(world, hero, list) end, function()
      hero:moveTo(6, 10)
      for i, crate in ipairs(list) do crate:moveTo(6 + 12 * i, 10) end
    end
  end }
end

row("in the air: slide", 0, function(world, hero) world:move(hero, 1, -1) end)
row("in the air: push", 0, function(world, hero) world:move(hero, 1, -1, "push") end)
row("along the floor: slide", 0, function(world, hero) world:move(hero, 1, 0.5) end)
row("along the floor: push", 0, function(world, hero) world:move(hero, 1, 0.5, "push") end)
row("one crate: push", 1, function(world, hero) world:move(hero, 1, 0.5, "push") end)
row("one crate: by hand", 1, function(world, hero, list)
  local crate = list[1]
  world:check(hero, 1, 0.5)
  for other, nx, _, t in world:hits() do
    if other == crate and nx ~= 0 then world:move(crate, 1 - t, 0) end
  end
  world:move(hero, 1, 0.5)
end)
for _, n in ipairs { 3, 10, 30 } do
  row(("a row of %d: push"):format(n), n, function(world, hero) world:move(hero, 1, 0.5, "push") end)
end

if bump then
  local function filter() return "slide" end
  ROWS[#ROWS + 1] = { "one crate: bump, by hand", function()
    local world, hero, crate = bump.newWorld(16), {}, {}
    for i = -2, 80 do world:add({}, 16 * i, 16, 16, 16) end
    world:add(hero, 0, 4, 12, 12)
    world:add(crate, 12, 4, 12, 12)
    return function()
      local x, y = world:getRect(hero)
      local _, _, cols, n = world:check(hero, x + 1, y + 0.5, filter)
      for i = 1, n do
        if cols[i].other == crate then world:move(crate, world:getRect(crate) + 1, 4, filter) end
      end
      world:move(hero, x + 1, y + 0.5, filter)
    end, function()
      world:update(hero, 0, 4)
      world:update(crate, 12, 4)
    end
  end }
end

local passes, resets = {}, {}
for i, one in ipairs(ROWS) do
  local step
  step, resets[i] = one[2]()
  passes[i] = function() for _ = 1, STEPS do step() end end
end
local least = common.least(ROUNDS, passes, function(i) resets[i]() end)
print(("%s; the least of %d rounds of %d moves"):format(common.version, ROUNDS, STEPS))
for i, one in ipairs(ROWS) do print(("%-28s %8.3f us"):format(one[1], least[i] / STEPS * 1e6)) end
