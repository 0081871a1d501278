-- Draws the figures of docs/guides/mtv.md: lua docs/figures/mtv.lua
local here = arg[0]:match("^(.*[/\\])") or "./"
package.path = here .. "../?.lua;" .. package.path

local sat = require "sat"
local sketch = require "sketch"

-- A shape before and after its push.
local function draw_push()
  local figure = sketch.new(640, 220)
  local wall = sat.polygon(60, 190, 250, 110, 250, 190)
  local ball = sat.circle(150, 130, 40)
  for i, title in ipairs { "overlapping by depth", "after ball:move(dx, dy)" } do
    local left = (i - 1) * 320
    local dx, dy = sat.collide(ball, wall)
    figure:shape(wall:clone():move(left, 0), "b")
    if i == 2 then figure:shape(ball:clone():move(left, 0), "a", true) end
    if i == 2 then ball:move(dx, dy) end
    local x, y = ball:center()
    figure:shape(ball:clone():move(left, 0), "a")
    if i == 1 then figure:arrow(x, y, x + dx, y + dy, "way") end
    figure:text(left + 155, 210, title, "ink", "middle")
  end
  figure:text(165, 80, "dx, dy", "way")
  figure:save("push")
end

-- What becomes of a velocity at a wall.
local function draw_responses()
  local figure = sketch.new(780, 250)
  local nx, ny = 0, -1
  local vx, vy = 110, 80
  local speed = vx * nx + vy * ny
  local results = {
    { "stop", 0, 0 },
    { "slide", vx - speed * nx, vy - speed * ny },
    { "bounce", vx - 2 * speed * nx, vy - 2 * speed * ny },
  }
  for i, result in ipairs(results) do
    local left = (i - 1) * 260
    local x, y = left + 125, 150
    figure:shape(sat.rectangle(left + 10, 180, 240, 25), "b")
    figure:shape(sat.circle(x, y, 30), "a")
    figure:arrow(x - vx, y - vy, x, y, "faint")
    if result[2] ~= 0 then figure:arrow(x, y, x + result[2], y + result[3], "way") end
    figure:arrow(x, 180, x, 140, "ink")
    figure:text(x + 8, 176, "n", "ink")
    figure:text(left + 130, 235, result[1], "ink", "middle")
  end
  figure:text(20, 52, "velocity", "faint")
  figure:save("responses")
end

-- One and two points of contact.
local function draw_contacts()
  local figure = sketch.new(640, 220)
  local floor = sat.rectangle(20, 130, 270, 50)
  for i, body in ipairs { sat.rectangle(90, 50, 90, 90), sat.circle(135, 90, 50) } do
    local left = (i - 1) * 320
    local nx, ny, _, x1, y1, x2, y2 = sat.contacts(body, floor)
    figure:shape(floor:clone():move(left, 0), "b")
    figure:shape(body:clone():move(left, 0), "a")
    figure:dot(left + x1, y1, "bad", 5)
    if x2 then figure:dot(left + x2, y2, "bad", 5) end
    local x = x2 and (x1 + x2) / 2 or x1
    figure:arrow(left + x, y1, left + x + 45 * nx, y1 + 45 * ny, "way")
    figure:text(left + 155, 205, x2 and "an edge rests: two points" or "a ball: one point", "ink", "middle")
  end
  figure:save("contacts")
end

-- The way out of a floor of two tiles: of each alone, and of both as one.
local function draw_concave()
  local figure = sketch.new(640, 230)
  local floor = sat.compound(sat.rectangle(20, 100, 135, 80), sat.rectangle(155, 100, 135, 80))
  local box = sat.rectangle(140, 70, 30, 60)
  local x, y = box:center()
  for _, left in ipairs { 0, 320 } do
    figure:shape(floor:clone():move(left, 0), "b")
    figure:shape(box:clone():move(left, 0), "a")
  end
  for i, piece in ipairs(floor:pieces()) do
    local dx, dy = sat.collide(box, piece)
    figure:arrow(x, y + 12 * i, x + dx, y + dy + 12 * i, "bad")
  end
  local dx, dy = sat.collide(box, floor)
  figure:shape(box:clone():move(320 + dx, dy), "way", true)
  figure:arrow(320 + x, y, 320 + x + dx, y + dy, "way")
  figure:text(155, 215, "each tile alone: into the other", "bad", "middle")
  figure:text(475, 215, "one shape: out", "way", "middle")
  figure:save("concave")
end

-- A stack: pushed in pairs, from above and from below.
local function draw_stack()
  local figure = sketch.new(780, 270)
  local titles = { "overlapping", "pushed once, from the top", "pushed once, from the floor" }
  for i, title in ipairs(titles) do
    local left, crates = (i - 1) * 260, {}
    local floor = sat.rectangle(30, 215, 200, 20)
    for k = 1, 3 do crates[k] = sat.rectangle(100, 175 - (k - 1) * 50, 60, 60) end
    local function push(k)
      local _, dy = sat.collide(crates[k], crates[k - 1] or floor)
      if dy then crates[k]:move(0, dy) end
    end
    if i == 2 then for k = 3, 1, -1 do push(k) end end
    if i == 3 then for k = 1, 3 do push(k) end end
    figure:shape(floor:move(left, 0), "b")
    for k, crate in ipairs(crates) do
      figure:shape(crate:move(left, 0), "a")
      local _, y, _, h = crate:bounds()
      figure:text(left + 130, y + h / 2 + 5, tostring(k), "a", "middle")
    end
    figure:text(left + 130, 258, title, i == 3 and "way" or "ink", "middle")
  end
  figure:save("stack")
end

draw_push()
draw_responses()
draw_contacts()
draw_concave()
draw_stack()
