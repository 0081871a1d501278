-- Draws the figure of docs/guides/closest-points.md: lua docs/figures/closest-points.lua
local here = arg[0]:match("^(.*[/\\])") or "./"
package.path = here .. "../?.lua;" .. package.path

local sat = require "sat"
local sketch = require "sketch"

-- The place of the vertex that is farthest in a direction, in the flat list.
local function farthest(v, dx, dy)
  local best = 1
  for i = 3, #v, 2 do
    if v[i] * dx + v[i + 1] * dy > v[best] * dx + v[best + 1] * dy then best = i end
  end
  return best
end

-- The line along an edge, long enough to lie between the shapes.
local function draw_line(figure, x1, y1, x2, y2, role)
  local dx, dy = x2 - x1, y2 - y1
  local length = math.sqrt(dx * dx + dy * dy)
  dx, dy = dx / length, dy / length
  figure:line(x1 - 40 * dx, y1 - 40 * dy, x2 + 40 * dx, y2 + 40 * dy, role, 1.5, true)
end

-- The vertex that the shortcut takes, with its two edges, whose normals it tries.
local function draw_tried(figure, shape, dx, dy)
  local v = shape:vertices()
  local i = farthest(v, dx, dy)
  local before, after = (i - 3) % #v + 1, (i + 1) % #v + 1
  figure:line(v[before], v[before + 1], v[i], v[i + 1], "ink", 3.5)
  figure:line(v[i], v[i + 1], v[after], v[after + 1], "ink", 3.5)
  figure:dot(v[i], v[i + 1], "ink", 6)
end

local function draw_case(figure, left, a, b, edge, words, role)
  figure:shape(a, "a")
  figure:shape(b, "b")
  local ax, ay = a:center()
  local bx, by = b:center()
  figure:line(ax, ay, bx, by, "faint", 1.5)
  figure:dot(ax, ay, "faint")
  figure:dot(bx, by, "faint")
  draw_tried(figure, a, bx - ax, by - ay)
  draw_tried(figure, b, ax - bx, ay - by)
  local v = edge.shape:vertices()
  local i = 2 * edge.number - 1
  draw_line(figure, v[i], v[i + 1], v[(i + 1) % #v + 1], v[(i + 2) % #v + 1], "way")
  figure:text(left + 200, 300, words, role, "middle")
end

local function placed(points, x, y, scale)
  local list = {}
  for i = 1, #points, 2 do list[i], list[i + 1] = x + scale * points[i], y + scale * points[i + 1] end
  return sat.polygon(list)
end

-- Which edge of a shape parts it from another one.
local function parting_edge(shape, other)
  local v, count = shape:vertices()
  for k = 1, count do
    local i = 2 * k - 1
    local nx, ny = v[(i + 2) % #v + 1] - v[i + 1], v[i] - v[(i + 1) % #v + 1]
    local _, high = shape:project(nx, ny)
    if (other:project(nx, ny)) > high then return { shape = shape, number = k } end
  end
end

local figure = sketch.new(800, 320)
local a, b = placed({ 0, 0, 10, 0, 10, 2, 0, 2 }, 90, 90, 18), placed({ 8, 2.5, 12, 6, 7, 6 }, 90, 90, 18)
draw_case(figure, 0, a, b, parting_edge(a, b), "right: one of the thick edges parts them", "way")
a, b = placed({ 0, -4, 2, -2, 0, 4, -1, 0 }, 560, 100, 18), placed({ 5, 1, 5, 2, -2, 8, 1, 3 }, 560, 100, 18)
draw_case(figure, 400, a, b, parting_edge(a, b) or parting_edge(b, a), "wrong: another edge parts them", "bad")
figure:save("closest-points")
