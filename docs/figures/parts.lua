-- Draws the figure of docs/cookbook/parts.md: lua docs/figures/parts.lua
local here = arg[0]:match("^(.*[/\\])") or "./"
package.path = here .. "../?.lua;" .. package.path

local sat = require "sat"
local sketch = require "sketch"

local figure = sketch.new(620, 330)
local guard = sat.compound(sat.circle(400, 70, 32), sat.rectangle(362, 102, 76, 120), sat.rectangle(368, 222, 64, 80))
local names = { "1 head: 100", "2 body: 40", "3 legs: 20" }
for k = 1, guard:parts() do figure:shape(guard:part(k), k == 1 and "bad" or k == 2 and "b" or "a") end
local world = sat.world():add(guard)
for _, y in ipairs { 70, 160, 262 } do
  local _, _, _, _, x, _, part = world:raycast(40, y, 600, y)
  figure:arrow(40, y, x, y, "way")
  figure:dot(x, y, "way", 5)
  figure:text(460, y + 5, names[part], "ink", "start")
  figure:text(48, y - 8, ("part = %d"):format(part), "ink", "start")
end
figure:save("parts")
