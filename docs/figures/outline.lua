-- Draws the figures of docs/cookbook/outlines.md: lua docs/figures/outline.lua
local here = arg[0]:match("^(.*[/\\])") or "./"
package.path = here .. "../?.lua;" .. package.path

local sat = require "sat"
local sketch = require "sketch"

local SIZE = 9 -- of a pixel

-- A key: a bow with a hole, a shaft, and two bits. 1 is opaque; at the rim the alpha falls from 1 to 0.
local function alpha(column, row)
  local x, y = column - 0.5, row - 0.5
  local dx, dy = x - 8.5, y - 9
  local bow = math.min(8 - math.sqrt(dx * dx + dy * dy), math.sqrt(dx * dx + dy * dy) - 3.2)
  local shaft = math.min(x - 14, 29 - x, y - 7.2, 10.8 - y)
  local bits = math.max(math.min(x - 20, 23.2 - x, y - 9, 14.6 - y), math.min(x - 25.6, 29 - x, y - 9, 13.4 - y))
  return math.max(0, math.min(1, 0.5 + math.max(bow, shaft, bits)))
end

local W, H = 30, 18

local function placed(ring, left, top)
  local list = {}
  for i = 1, #ring, 2 do list[i], list[i + 1] = left + SIZE * ring[i], top + SIZE * ring[i + 1] end
  return list
end

local function draw_pixels(figure, left, top)
  for row = 1, H do
    for column = 1, W do
      local a = alpha(column, row)
      if a > 0 then
        figure:add('<rect class="faint" x="%g" y="%g" width="%g" height="%g" fill="currentColor" fill-opacity="%.2f"/>',
          left + SIZE * (column - 1), top + SIZE * (row - 1), SIZE, SIZE, 0.55 * a)
      end
    end
  end
end

local function draw_rings(figure, rings, left, top, role)
  local count = 0
  for _, ring in ipairs(rings) do
    local points = placed(ring, left, top)
    figure:polyline(points, role, 2)
    figure:line(points[#points - 1], points[#points], points[1], points[2], role, 2)
    for i = 1, #points, 2 do figure:dot(points[i], points[i + 1], role, 2.6) end
    count = count + #ring / 2
  end
  return ("%d vertices"):format(count)
end

local figure = sketch.new(780, 420)
local blocks = sat.outline(function(c, r) return alpha(c, r) >= 0.5 end, W, H)
local smooth = sat.outline(alpha, W, H)
local simple = sat.simplify(smooth, 0.4)
local PANELS = {
  { 40, 14, "the alpha of an image" },
  { 470, 14, "booleans: ", blocks, "a" },
  { 40, 220, "numbers: ", smooth, "a" },
  { 470, 220, "numbers, simplified by 0.4 of a pixel: ", simple, "b" },
}
for _, panel in ipairs(PANELS) do
  local left, top, words, polygons, role = panel[1], panel[2], panel[3], panel[4], panel[5]
  draw_pixels(figure, left, top)
  if polygons then words = words .. draw_rings(figure, polygons[1], left, top, role) end
  figure:text(left + SIZE * W / 2, top + SIZE * H + 22, words, "ink", "middle")
end
figure:save("outline")

-- The pieces of the polygon with its hole, and its bridge.
local pieces = sketch.new(430, 230)
local shape = sat.polygon(simple[1])
for i, piece in ipairs(shape:pieces()) do
  pieces:shape(sat.polygon(placed((piece:vertices()), 60, 14)), ({ "a", "b", "way", "both" })[i % 4 + 1])
end
pieces:text(60 + SIZE * W / 2, 208, ("%d convex pieces, moved and asked as one shape"):format(#shape:pieces()), "ink",
  "middle")
pieces:save("outline-pieces")
