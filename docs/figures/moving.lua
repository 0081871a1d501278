-- Draws the figures of docs/guides/moving.md: lua docs/figures/moving.lua
local here = arg[0]:match("^(.*[/\\])") or "./"
package.path = here .. "../?.lua;" .. package.path

local sat = require "sat"
local sketch = require "sketch"

-- The way of a ball that meets one wall at most: from its start over the place of the hit to its end.
local function draw_way(figure, left, ball, start_x, start_y, hit_t, dx, dy)
  local x, y = ball:center()
  local radius = ball:radius()
  figure:shape(sat.circle(left + start_x, start_y, radius), "a", true)
  local from_x, from_y = start_x, start_y
  if hit_t then
    local hit_x, hit_y = start_x + hit_t * dx, start_y + hit_t * dy
    figure:line(left + from_x, from_y, left + hit_x, hit_y, "way", 2.5)
    from_x, from_y = hit_x, hit_y
  end
  if math.abs(x - from_x) + math.abs(y - from_y) > 1 then
    figure:arrow(left + from_x, from_y, left + x, y, "way")
  end
  figure:shape(sat.circle(left + x, y, radius), "a")
end

local function draw_responses()
  local figure = sketch.new(840, 230)
  local dx, dy = 130, 104
  for i, response in ipairs { "slide", "touch", "bounce", "cross" } do
    local left = (i - 1) * 210
    local floor = sat.rectangle(10, 140, 190, 12):setStatic(true)
    local world, ball = sat.world():add(floor), sat.circle(40, 66, 18)
    world:move(ball, dx, dy, response)
    local hit_t
    for _, _, _, t in world:hits() do hit_t = hit_t or t end
    figure:shape(floor:clone():move(left, 0), "b")
    draw_way(figure, left, ball, 40, 66, response ~= "cross" and hit_t or nil, dx, dy)
    figure:text(left + 105, 216, '"' .. response .. '"', "ink", "middle")
  end
  figure:save("move-responses")
end

-- A hero that jumps through a plank from below and falls onto it, and a lift that carries a crate and pushes another.
local function draw_platforms()
  local figure = sketch.new(840, 230)
  local titles = {
    "up: the plank is not there", "down: it is solid", "a lift and two crates", "after carry(lift, 40, -40)",
  }
  for i, title in ipairs(titles) do figure:text((i - 1) * 210 + 105, 216, title, "ink", "middle") end
  for i, case in ipairs { { 150, -100 }, { 40, 120 } } do
    local left = (i - 1) * 210
    local plank = sat.rectangle(45, 105, 120, 8):setStatic(true):setOneWay(0, -1)
    local world, hero = sat.world():add(plank), sat.rectangle(90, case[1], 30, 36)
    local x, y = hero:center()
    figure:shape(plank:clone():move(left, 0), "b")
    figure:shape(hero:clone():move(left, 0), "a", true)
    world:move(hero, 0, case[2])
    local _, to_y = hero:center()
    figure:shape(hero:clone():move(left, 0), "a")
    figure:arrow(left + x, y, left + x, to_y, "way")
    figure:arrow(left + 55, 105, left + 55, 80, "b")
  end
  local lift, crate = sat.rectangle(20, 150, 90, 12):setStatic(true), sat.rectangle(50, 122, 28, 28)
  local beside = sat.rectangle(125, 60, 26, 60)
  local world = sat.world():add(lift, crate, beside)
  for i = 3, 4 do
    local left = (i - 1) * 210
    if i == 4 then world:carry(lift, 40, -40) end
    figure:shape(lift:clone():move(left, 0), "b")
    figure:shape(crate:clone():move(left, 0), "a")
    figure:shape(beside:clone():move(left, 0), "a")
  end
  figure:save("move-platforms")
end

draw_responses()
draw_platforms()
