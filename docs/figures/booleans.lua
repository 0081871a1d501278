-- Draws the figures of docs/cookbook/booleans.md: lua docs/figures/booleans.lua
local here = arg[0]:match("^(.*[/\\])") or "./"
package.path = here .. "../?.lua;" .. package.path

local sat = require "sat"
local sketch = require "sketch"

local function star(x, y, n, far, near)
  local ring = {}
  for i = 0, 2 * n - 1 do
    local radius, angle = i % 2 == 0 and far or near, math.pi * i / n - math.pi / 2
    ring[2 * i + 1], ring[2 * i + 2] = x + radius * math.cos(angle), y + radius * math.sin(angle)
  end
  return ring
end

local function draw_edges(figure, rings, role, dash)
  for _, ring in ipairs(rings) do
    local closed = {}
    for i = 1, #ring do closed[i] = ring[i] end
    closed[#ring + 1], closed[#ring + 2] = ring[1], ring[2]
    figure:polyline(closed, role, dash and 1 or 2, dash)
  end
end

local ROLES = { "a", "b", "way", "both" }

local function draw_polygons(figure, polygons)
  for i, polygon in ipairs(polygons) do
    local role = ROLES[(i - 1) % #ROLES + 1]
    figure:area(polygon, role, 0.3)
    draw_edges(figure, polygon, role)
  end
end

local figure = sketch.new(800, 240)
for i, name in ipairs { "union", "intersection", "difference", "exclusion" } do
  local x = 200 * i - 112
  local a = { star(x - 8, 104, 5, 80, 36) }
  local b = sat.difference(sat.regular(x + 30, 104, 58, 24), sat.regular(x + 30, 104, 30, 24))
  draw_polygons(figure, (sat[name](a, b)))
  draw_edges(figure, a, "ink", true)
  draw_edges(figure, b[1], "ink", true)
  figure:text(x + 4, 222, ("sat.%s: %d"):format(name, select(2, sat[name](a, b))), "ink", "middle")
end
figure:save("booleans")

-- A line drawn by hand, which crosses itself, by both rules.
local drawn = {}
for i = 0, 99 do
  local t = 2 * math.pi * i / 100
  drawn[2 * i + 1] = 130 + 62 * math.sin(2 * t) + 40 * math.sin(3 * t + 0.3)
  drawn[2 * i + 2] = 104 - 52 * math.cos(2 * t) + 42 * math.cos(3 * t)
end
local repaired = sketch.new(800, 240)
for i, rule in ipairs { "drawn", "nonzero", "evenodd" } do
  local ring, left = {}, 260 * (i - 1)
  for k = 1, #drawn, 2 do ring[k], ring[k + 1] = drawn[k] + left, drawn[k + 1] end
  local words = "a line drawn by hand"
  if rule == "drawn" then
    draw_edges(repaired, { ring }, "ink")
  else
    local polygons, n = sat.repair(ring, rule)
    draw_polygons(repaired, polygons)
    words = ("%s: %d polygons"):format(rule, n)
  end
  repaired:text(left + 130, 222, words, "ink", "middle")
end
repaired:save("repair")
