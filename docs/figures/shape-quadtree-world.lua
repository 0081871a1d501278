-- Draws the figure of docs/guides/shape-quadtree-world.md: lua docs/figures/shape-quadtree-world.lua
local here = arg[0]:match("^(.*[/\\])") or "./"
package.path = here .. "../?.lua;" .. package.path

local sat = require "sat"
local sketch = require "sketch"

-- Park and Miller, Random number generators: good ones are hard to find, 1988.
local seed = 4
local function between(low, high)
  seed = seed * 16807 % 2147483647
  return low + (high - low) * seed / 2147483647
end

-- Balls, their boxes, and who is near whom; then who touches.
local figure, tree, balls = sketch.new(760, 300), sat.quadtree(0, 0, 360, 250), {}
for i = 1, 26 do
  balls[i] = sat.circle(between(35, 340), between(35, 230), between(9, 26))
  tree:insert(balls[i])
end
local function draw_balls(left)
  for _, ball in ipairs(balls) do figure:shape(ball:clone():move(left, 15), "a") end
end
draw_balls(0)
draw_balls(380)
local near, touching = 0, 0
for _, ball in ipairs(balls) do
  local x, y, w, h = ball:bounds()
  figure:box(x, y + 15, w, h, "grid")
end
for a, b in tree:pairs() do
  local ax, ay = a:center()
  local bx, by = b:center()
  near = near + 1
  figure:line(ax, ay + 15, bx, by + 15, "ink", 2)
  if a:overlaps(b) then
    touching = touching + 1
    figure:line(ax + 380, ay + 15, bx + 380, by + 15, "bad", 2)
  end
end
local all = #balls * (#balls - 1) / 2
figure:text(190, 288, ("boxes that overlap: %d of %d pairs"):format(near, all), "ink", "middle")
figure:text(570, 288, ("shapes that touch: %d"):format(touching), "bad", "middle")
figure:save("near")
