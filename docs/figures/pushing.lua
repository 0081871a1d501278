-- Draws the figure of docs/cookbook/pushing.md: lua docs/figures/pushing.lua
local here = arg[0]:match("^(.*[/\\])") or "./"
package.path = here .. "../?.lua;" .. package.path

local sat = require "sat"
local sketch = require "sketch"

local WIDTH, WAY = 280, 90

local function crate(x, y) return sat.rectangle(x, y, 36, 36) end

-- Each panel: words below, the hero's mass, and its solid shapes, of which the static ones are walls.
local PANELS = {
  { "one crate in reach: it goes along", 1, { crate(100, 70) } },
  { "mass 2 moves two, in a row or abreast", 2, { crate(84, 70), crate(136, 70) } },
  { "two are too heavy for mass 1", 1, { crate(84, 70), crate(136, 70) } },
  { "a crate slides along a wall", 1, { crate(84, 70), sat.polygon(124, 130, 230, 60, 230, 130):setStatic(true) } },
  { "what a wall stops, stops the hero", 1, { crate(84, 70), sat.rectangle(150, 40, 14, 96):setStatic(true) } },
  { "a round crate rolls aside", 1, { sat.circle(104, 108, 18), sat.rectangle(20, 140, 220, 10):setStatic(true) } },
}

local figure = sketch.new(3 * WIDTH, 2 * 190)
for i, panel in ipairs(PANELS) do
  local left, top = (i - 1) % 3 * WIDTH, math.floor((i - 1) / 3) * 190
  local world, hero = sat.world(), sat.circle(40, 88, 18):setMass(panel[2])
  world:add(hero):add(panel[3])
  local before = {}
  for _, shape in ipairs(world:shapes()) do before[shape] = shape:clone():move(left, top) end
  world:move(hero, WAY, 0, "push")
  for _, shape in ipairs(world:shapes()) do
    local x, y = before[shape]:center()
    local to = shape:clone():move(left, top)
    local toX, toY = to:center()
    if shape:isStatic() then
      figure:shape(to, "grid")
    else
      figure:shape(before[shape], shape == hero and "a" or "b", true)
      figure:shape(to, shape == hero and "a" or "b")
      if math.abs(toX - x) + math.abs(toY - y) > 1 then figure:arrow(x, y, toX, toY, "way") end
    end
  end
  figure:text(left + WIDTH / 2, top + 178, panel[1], "ink", "middle")
end
figure:save("pushing")
