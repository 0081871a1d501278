-- who.lua: what a table of conditions costs a ray and a search for the nearest shape, beside a mask and a shape.
--
--   LUA bench/who.lua
local sat = require "sat"
local common = dofile "bench/lib/common.lua"

local ROUNDS, CALLS = 60, 400
local world, shapes = sat.world(), {}
math.randomseed(1)
for i = 1, 2000 do
  shapes[i] = sat.rectangle(math.random(0, 2000), math.random(0, 2000), 12, 12)
  world:add(shapes[i])
  if i % 4 == 0 then shapes[i]:setSensor(true) end
end
local eight = {}
for i = 1, 8 do eight[i] = shapes[i * 100 + 1] end
local many = {}
for i = 1, 500 do many[i] = shapes[i * 2] end

local rays = {}
for i = 1, CALLS * 4 do rays[i] = math.random(0, 2000) end

local WHO = {
  { "nobody is left out", nil }, { "a mask", 1 }, { "a shape", shapes[1] }, { "{}", {} },
  { "{ except = 8 shapes }", { except = eight } }, { "{ except = 500 shapes }", { except = many } },
  { "{ sensors = true }", { sensors = true } },
  { "{ accept = a function }", { accept = function() return true end } },
}

local QUESTIONS = {
  raycast = function(who)
    for i = 1, CALLS * 4, 4 do world:raycast(rays[i], rays[i + 1], rays[i + 2], rays[i + 3], who) end
  end,
  nearest = function(who) for i = 1, CALLS * 4, 4 do world:nearest(rays[i], rays[i + 1], nil, who) end end,
}

for _, name in ipairs { "raycast", "nearest" } do
  local passes = {}
  for k, row in ipairs(WHO) do passes[k] = function() QUESTIONS[name](row[2]) end end
  print(("%-28s %8s %8s"):format("world:" .. name, "us", "times"))
  local least = common.least(ROUNDS, passes)
  for k, row in ipairs(WHO) do
    print(("  %-26s %8.3f %8.2f"):format(row[1], least[k] / CALLS * 1e6, least[k] / least[1]))
  end
end
