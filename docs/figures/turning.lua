-- Draws the figure of docs/cookbook/turning.md: lua docs/figures/turning.lua
local here = arg[0]:match("^(.*[/\\])") or "./"
package.path = here .. "../?.lua;" .. package.path

local sat = require "sat"
local sketch = require "sketch"

local figure = sketch.new(820, 270)

-- A bar turns by 150 degrees at most, and stops at a wall.
local wall, bar = sat.rectangle(30, 186, 340, 16), sat.rectangle(90, 88, 220, 20)
local angle = math.rad(150)
local t, nx, ny, x, y = bar:turn(angle, wall)
figure:shape(wall, "b")
for i = 0, 2 do figure:shape(bar:clone():rotate(t * angle * i / 3), "a", true) end
figure:shape(bar:clone():rotate(t * angle), "a")
local cx, cy = bar:center()
figure:dot(cx, cy, "a", 3)
figure:dot(x, y, "way", 4)
figure:arrow(x, y, x + 44 * nx, y + 44 * ny, "way")
figure:text(200, 244, ("sat.turn: %.0f of 150 degrees"):format(t * 150), "ink", "middle")

-- A box in a corridor: stopped, and with "slide" turned as far as it fits.
local top, floor = sat.rectangle(440, 30, 350, 16), sat.rectangle(440, 186, 350, 16)
local world = sat.world():add(top, floor)
figure:shape(top, "b")
figure:shape(floor, "b")
for i, how in ipairs { "touch", "slide" } do
  local box = sat.rectangle(364 + 170 * i - 60, 122, 120, 60)
  figure:shape(box, "a", true)
  local turned = world:turn(box, 2, how)
  figure:shape(box, "a")
  for _, mx, my, _, px, py in world:hits() do
    if how == "touch" then
      figure:dot(px, py, "way", 4)
      figure:arrow(px, py, px + 40 * mx, py + 40 * my, "way")
    end
  end
  figure:text(364 + 170 * i, 244, ('"%s": %.0f degrees'):format(how, math.deg(turned)), "ink", "middle")
end
figure:save("turning")
