-- Draws the figures of docs/guides/separating-axis.md: lua docs/figures/separating-axis.lua
local here = arg[0]:match("^(.*[/\\])") or "./"
package.path = here .. "../?.lua;" .. package.path

local sat = require "sat"
local sketch = require "sketch"

-- ---------------------------------------------------------------- projections

-- The least and the largest of the vertices' dot products with a unit vector.
local function project(shape, nx, ny)
  local vertices, low, high = shape:vertices(), math.huge, -math.huge
  for i = 1, #vertices, 2 do
    local dot = vertices[i] * nx + vertices[i + 1] * ny
    low, high = math.min(low, dot), math.max(high, dot)
  end
  return low, high
end

-- An axis: the line through x, y along nx, ny. Gives the point on it whose dot product with nx, ny is `dot`.
local function on_axis(axis, dot)
  local along = dot - (axis.x * axis.nx + axis.y * axis.ny)
  return axis.x + along * axis.nx, axis.y + along * axis.ny
end

local function draw_axis(figure, axis, from, to)
  local x1, y1 = on_axis(axis, from)
  local x2, y2 = on_axis(axis, to)
  figure:line(x1, y1, x2, y2, "faint")
end

-- The projection of a shape on an axis, drawn beside the axis by `aside`, with the lines to its ends.
local function draw_projection(figure, axis, shape, role, aside)
  local low, high = project(shape, axis.nx, axis.ny)
  local x1, y1 = on_axis(axis, low)
  local x2, y2 = on_axis(axis, high)
  local ax, ay = -axis.ny * aside, axis.nx * aside
  figure:line(x1 + ax, y1 + ay, x2 + ax, y2 + ay, role, 6)
  local vertices = shape:vertices()
  for i = 1, #vertices, 2 do
    local dot = vertices[i] * axis.nx + vertices[i + 1] * axis.ny
    if dot - low < 1e-6 or high - dot < 1e-6 then
      local x, y = on_axis(axis, dot)
      figure:line(vertices[i], vertices[i + 1], x + ax, y + ay, role, 1, true)
    end
  end
  return low, high
end

-- The unit normal of the edge from vertex k of a shape, that points out.
local function normal_of(shape, k)
  local v = shape:vertices()
  local i, j = 2 * k - 1, 2 * k % #v + 1
  local ex, ey = v[j] - v[i], v[j + 1] - v[i + 1]
  local length = math.sqrt(ex * ex + ey * ey)
  return ey / length, -ex / length
end

local function draw_gap()
  local figure = sketch.new(640, 390)
  local a, b = sat.regular(170, 130, 80, 5, 0.2), sat.polygon(330, 60, 450, 30, 470, 150, 380, 190)
  local nx, ny = normal_of(b, 4)
  local axis = { x = 330, y = 275, nx = -nx, ny = -ny }
  draw_axis(figure, axis, -300, 900)
  figure:shape(a, "a")
  figure:shape(b, "b")
  local _, a_high = draw_projection(figure, axis, a, "a", 0)
  local b_low = draw_projection(figure, axis, b, "b", 0)
  local x1, y1 = on_axis(axis, a_high)
  local x2, y2 = on_axis(axis, b_low)
  figure:line(x1, y1, x2, y2, "way", 3)
  local mx, my = (x1 + x2) / 2, (y1 + y2) / 2
  figure:line(mx - axis.ny * -330, my + axis.nx * -330, mx - axis.ny * 60, my + axis.nx * 60, "way", 1.5, true)
  figure:text(170, 135, "A", "a", "middle")
  figure:text(405, 110, "B", "b", "middle")
  figure:text(mx + 24, my + 18, "a gap", "way")
  figure:text(245, 40, "a line between", "way", "end")
  figure:text(620, 375, "the axis: the normal of an edge of B", "faint", "end")
  figure:save("gap")
end

-- ---------------------------------------------------------------- every axis of a pair that overlaps

local function overlap_of(a, b, nx, ny)
  local a_low, a_high = project(a, nx, ny)
  local b_low, b_high = project(b, nx, ny)
  return math.min(a_high - b_low, b_high - a_low)
end

-- The normals of both shapes, without those that are parallel to one before.
local function axes_of(a, b)
  local axes = {}
  for _, shape in ipairs { a, b } do
    local _, count = shape:vertices()
    for k = 1, count do
      local nx, ny = normal_of(shape, k)
      local is_new = true
      for _, axis in ipairs(axes) do is_new = is_new and math.abs(axis.nx * ny - axis.ny * nx) > 1e-9 end
      if is_new then axes[#axes + 1] = { nx = nx, ny = ny, overlap = overlap_of(a, b, nx, ny) } end
    end
  end
  return axes
end

local function draw_axes()
  local a, b = sat.rectangle(50, 95, 90, 60), sat.rectangle(115, 65, 70, 60, 0.5)
  local axes, figure = axes_of(a, b), sketch.new(880, 290)
  local least = axes[1]
  for _, axis in ipairs(axes) do if axis.overlap < least.overlap then least = axis end end
  for i, axis in ipairs(axes) do
    local left = (i - 1) * 220
    local here_a, here_b = a:clone():move(left, 0), b:clone():move(left, 0)
    local is_steep = math.abs(axis.ny) > math.abs(axis.nx)
    axis.x, axis.y = left + (is_steep and 32 or 108), is_steep and 125 or 205
    figure:shape(here_a, "a")
    figure:shape(here_b, "b")
    draw_projection(figure, axis, here_a, "a", 0)
    draw_projection(figure, axis, here_b, "b", is_steep and -8 or 8)
    local words = ("axis %d: overlap %.0f"):format(i, axis.overlap)
    figure:text(left + 110, 275, words .. (axis == least and ", the least" or ""), axis == least and "way" or "ink",
      "middle")
  end
  figure:save("axes")
end

-- ---------------------------------------------------------------- the Minkowski difference

local function difference(a, b)
  local points, va, vb = {}, a:vertices(), b:vertices()
  for i = 1, #va, 2 do
    for j = 1, #vb, 2 do
      points[#points + 1] = vb[j] - va[i]
      points[#points + 1] = vb[j + 1] - va[i + 1]
    end
  end
  return sat.hull(points)
end

local function draw_minkowski()
  local figure = sketch.new(800, 350)
  local a, b = sat.polygon(80, 110, 180, 80, 150, 190), sat.rectangle(130, 140, 110, 80)
  local dx, dy = sat.collide(a, b)
  figure:shape(a, "a")
  figure:shape(b, "b")
  figure:text(190, 90, "A", "a", "middle")
  figure:text(215, 205, "B", "b", "middle")
  local moved = a:clone():move(dx, dy)
  figure:shape(moved, "way", true)
  local x, y = a:center()
  figure:arrow(x, y, x + dx, y + dy, "way")
  local d = difference(a, b)
  local ox, oy = 520, 150
  figure:shape(d:clone():move(ox, oy), "both")
  figure:line(ox - 130, oy, ox + 260, oy, "grid")
  figure:line(ox, oy - 130, ox, oy + 160, "grid")
  figure:dot(ox, oy, "ink")
  figure:arrow(ox, oy, ox + dx, oy + dy, "way")
  figure:text(ox + 60, oy + 70, "D = all b − a", "both")
  figure:text(ox - 8, oy + 18, "0, 0", "ink", "end")
  figure:text(160, 335, "A leaves B by the green arrow …", "ink", "middle")
  figure:text(590, 335, "… which takes the origin out of D", "ink", "middle")
  figure:save("minkowski")
end

draw_gap()
draw_axes()
draw_minkowski()
