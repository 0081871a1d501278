-- Draws the figure of docs/cookbook/light-and-sight.md: lua docs/figures/sight.lua
local here = arg[0]:match("^(.*[/\\])") or "./"
package.path = here .. "../?.lua;" .. package.path

local sat = require "sat"
local sketch = require "sketch"

local figure = sketch.new(780, 330)

-- The same walls, moved.
local function walls_at(left)
  return sat.world():add(sat.rectangle(left + 30, 60, 70, 24), sat.circle(left + 290, 90, 26),
    sat.polygon(left + 40, 190, left + 110, 190, left + 110, 214, left + 64, 214, left + 64, 260, left + 40, 260),
    sat.regular(left + 255, 228, 30, 5), sat.rectangle(left + 150, 40, 30, 30, 0.5))
end

local function draw(left, x, y, area, words)
  local world = walls_at(left)
  local out, n = world:visible(x, y, area)
  figure:shape(sat.polygon(out), "way")
  for i = 1, 2 * n, 2 do figure:dot(out[i], out[i + 1], "way", 2.2) end
  for _, wall in ipairs(world:shapes()) do figure:shape(wall, "a") end
  figure:dot(x, y, "b", 5)
  figure:text(left + 175, 316, words, "ink", "middle")
end

draw(20, 195, 150, sat.rectangle(30, 15, 330, 275), ("world:visible(x, y, box)"))
draw(410, 585, 160, sat.sector(585, 160, 190, -0.75, 0.75, 0, 64), "world:visible(x, y, sector)")
figure:save("sight")
