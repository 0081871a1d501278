-- Draws the figures of docs/guides/configuration-space.md: lua docs/figures/configuration-space.lua
local here = arg[0]:match("^(.*[/\\])") or "./"
package.path = here .. "../?.lua;" .. here .. "../../examples/configuration-space/?.lua;" .. package.path

local sat = require "sat"
local sketch = require "sketch"
local space = require "space"

-- ---------------------------------------------------------------- what several figures draw

local function placed(shape, dx, dy) return shape:clone():move(dx, dy) end

-- The differences of all solids with a mover.
local function differences_of(solids, mover)
  local list = {}
  for _, solid in ipairs(solids) do space.differences(solid, mover, list) end
  return list
end

local function outlines_of(list, dx, dy)
  local outlines = {}
  for i, difference in ipairs(list) do
    local outline = {}
    for k, at in ipairs(difference.outline) do outline[k] = at + (k % 2 == 1 and dx or dy) end
    outlines[i] = outline
  end
  return outlines
end

-- Edges, of which those that go on where the last one ends are one line.
local function draw_edges(figure, edges, dx, dy, role, width, dash)
  local line, x, y
  for _, edge in ipairs(edges) do
    if not (line and math.abs(edge.x1 - x) + math.abs(edge.y1 - y) < 1e-9) then
      if line then figure:polyline(line, role, width, dash) end
      line = { edge.x1 + dx, edge.y1 + dy }
    end
    x, y = edge.x2, edge.y2
    line[#line + 1], line[#line + 2] = x + dx, y + dy
  end
  if line then figure:polyline(line, role, width, dash) end
end

-- The union of differences: filled, its boundary thick, and what it hides dashed.
local function draw_union(figure, list, dx, dy, hides_inside)
  local real, hidden = space.boundary(list)
  figure:area(outlines_of(list, dx, dy), "both")
  if not hides_inside then draw_edges(figure, hidden, dx, dy, "both", 1, true) end
  draw_edges(figure, real, dx, dy, "both", 2.5)
end

-- A way with a turn at each point, and an arrow at its end.
local function draw_way(figure, points, dx, dy)
  local way = {}
  for i = 1, #points, 2 do
    local x, y, count = points[i] + dx, points[i + 1] + dy, #way
    if count == 0 or math.abs(x - way[count - 1]) + math.abs(y - way[count]) > 1 then
      way[count + 1], way[count + 2] = x, y
    end
  end
  for i = 1, #way - 5, 2 do figure:line(way[i], way[i + 1], way[i + 2], way[i + 3], "way", 2.5) end
  figure:arrow(way[#way - 3], way[#way - 2], way[#way - 1], way[#way], "way")
end

-- The mover where its centre is x, y.
local function mover_at(mover, x, y)
  local cx, cy = mover:center()
  return placed(mover, x - cx, y - cy)
end

-- ---------------------------------------------------------------- one move, seen twice

local function draw_move()
  local figure = sketch.new(840, 330)
  local hero = sat.polygon(32, 82, 32, 54, 48, 38, 64, 54, 64, 82)
  local solids = {
    sat.polygon(50, 220, 220, 160, 250, 185, 250, 270, 50, 270), sat.rectangle(320, 60, 60, 130),
    sat.circle(180, 60, 26),
  }
  local world = sat.world():add(solids)
  local way = space.way(world, hero, 520, 310)
  for _, solid in ipairs(solids) do figure:shape(solid, "b") end
  for i = 1, #way, 2 do figure:shape(mover_at(hero, way[i], way[i + 1]), "a", i > 1 and i < #way - 1) end
  draw_way(figure, way, 0, 0)
  local right = 420
  draw_union(figure, differences_of(solids, hero), right, 0)
  for _, solid in ipairs(solids) do figure:shape(placed(solid, right, 0), "b") end
  draw_way(figure, way, right, 0)
  figure:dot(way[1] + right, way[2], "a", 5)
  figure:text(215, 318, "a shape among solids …", "ink", "middle")
  figure:text(635, 318, "… is a point among larger solids", "ink", "middle")
  figure:save("configuration-move")
end

-- ---------------------------------------------------------------- how a difference comes about

local ROLES = { solid = "b", mover = "a", both = "both", round = "a" }

local function draw_difference()
  local figure = sketch.new(840, 300)
  local cases = {
    { "a box", sat.rectangle(-22, -15, 44, 30) }, { "a triangle", sat.polygon(-24, 16, 0, -26, 24, 16) },
    { "a circle", sat.circle(0, 0, 22) },
  }
  for i, case in ipairs(cases) do
    local left = 280 * (i - 1)
    local mover, solid = case[2], sat.polygon(left + 85, 195, left + 120, 80, left + 205, 165)
    local difference = space.differences(solid, mover)[1]
    for k, edge in ipairs(difference) do
      local before = difference[(k - 2) % #difference + 1]
      if edge.of ~= "round" or before.of ~= "round" then
        figure:shape(mover_at(mover, edge.x1, edge.y1), "a", true)
      end
    end
    figure:area(outlines_of({ difference }, 0, 0), "both")
    figure:shape(solid, "b")
    local parts = {}
    for _, edge in ipairs(difference) do
      local list = parts[ROLES[edge.of]] or {}
      parts[ROLES[edge.of]], list[#list + 1] = list, edge
    end
    draw_edges(figure, parts.b, 0, 0, "b", 4)
    draw_edges(figure, parts.a, 0, 0, "a", 4)
    for _, edge in ipairs(difference) do
      if edge.of ~= "round" then figure:dot(edge.x1, edge.y1, "ink", 3) figure:dot(edge.x2, edge.y2, "ink", 3) end
    end
    figure:text(left + 140, 284, case[1] .. " around a triangle", "ink", "middle")
  end
  figure:save("configuration-difference")
end

-- ---------------------------------------------------------------- the union

local function draw_solids(figure, solids, dx, dy)
  for _, solid in ipairs(solids) do figure:shape(placed(solid, dx, dy), "b") end
end

local function draw_unions()
  local figure = sketch.new(840, 270)
  local hero = sat.rectangle(38, 88, 24, 40)
  local solids = { sat.polygon(150, 180, 240, 120, 240, 180), sat.rectangle(40, 140, 40, 40) }
  for i = 0, 4 do solids[#solids + 1] = sat.rectangle(40 + 40 * i, 180, 40, 40) end
  local list = differences_of(solids, hero)
  draw_solids(figure, solids, 0, 0)
  figure:shape(mover_at(hero, 125, 60), "a")
  figure:dot(125, 60, "a", 3.5)
  for _, outline in ipairs(outlines_of(list, 280, 0)) do
    figure:area({ outline }, "both")
    outline[#outline + 1], outline[#outline + 2] = outline[1], outline[2]
    figure:polyline(outline, "both", 1.5)
  end
  draw_union(figure, list, 560, 0, true)
  draw_solids(figure, solids, 560, 0)
  for _, left in ipairs { 280, 560 } do figure:dot(left + 125, 60, "a", 5) end
  figure:text(140, 258, "tiles, a slope and a mover", "ink", "middle")
  figure:text(420, 258, "one difference for each piece", "ink", "middle")
  figure:text(700, 258, "the union, which is barred", "ink", "middle")
  figure:save("configuration-union")
end

-- ---------------------------------------------------------------- a hit, step by step

-- The scene of the four steps: a box comes along the floor to the foot of a slope, and the ray ends at x, y.
local function foot_of_slope(left)
  local hero = sat.rectangle(left + 30, 58, 24, 32)
  local floor = sat.rectangle(left + 24, 90, 86, 40)
  local slope = sat.polygon(left + 110, 90, left + 186, 50, left + 186, 130, left + 110, 130)
  return hero, { floor, slope }, left + 98, 74
end

-- A way along a facet, and a cross where it is barred.
local function draw_trial(figure, x, y, dx, dy, is_free)
  if is_free then return figure:arrow(x, y, x + dx, y + dy, "way") end
  figure:line(x, y, x + dx, y + dy, "bad", 2.5)
  figure:line(x + dx - 6, y + dy - 6, x + dx + 6, y + dy + 6, "bad", 2.5)
  figure:line(x + dx - 6, y + dy + 6, x + dx + 6, y + dy - 6, "bad", 2.5)
end

local UP_X, UP_Y = 76 / math.sqrt(76 ^ 2 + 40 ^ 2), -40 / math.sqrt(76 ^ 2 + 40 ^ 2) -- along the slope

local STEPS = {
  { "1. a ray tells when", function(figure, hero, x, y)
    local from = hero:center()
    figure:line(x, y, x + 68, y, "way", 2, true)
    figure:arrow(from, y, x, y, "way")
    figure:dot(from, y, "a", 5)
  end },
  { "2. which facets are here?", function(figure, hero, x, y)
    local _, _, w = hero:bounds()
    figure:polyline({ hero:center() - 30, y, x + w, y }, "ink", 4) -- of the floor's D, which ends in that of the slope
    figure:polyline({ x, y, x, y + 72 }, "ink", 4)
    figure:polyline({ x, y, x + 76, y - 40 }, "ink", 4)
    figure:dot(x, y, "a", 5)
  end },
  { "3. which go on?", function(figure, _, x, y)
    draw_trial(figure, x, y, -46, 0, true)
    draw_trial(figure, x, y, 0, 30, false)
    draw_trial(figure, x, y, 46 * UP_X, 46 * UP_Y, true)
    figure:dot(x, y, "a", 5)
  end },
  { "4. the rest slides", function(figure, _, x, y)
    local along = 68 * UP_X
    figure:line(x, y, x + 68, y, "way", 2, true)
    figure:line(x + 68, y, x + along * UP_X, y + along * UP_Y, "faint", 1, true)
    figure:arrow(x, y, x + along * UP_X, y + along * UP_Y, "way")
    figure:dot(x, y, "a", 5)
  end },
}

local function draw_steps()
  local figure = sketch.new(840, 200)
  for i, step in ipairs(STEPS) do
    local left = 210 * (i - 1)
    local hero, solids, x, y = foot_of_slope(left)
    draw_union(figure, differences_of(solids, hero), 0, 0)
    draw_solids(figure, solids, 0, 0)
    if i == 1 then figure:shape(hero, "a", true) end
    step[2](figure, hero, x, y)
    figure:text(left + 105, 184, step[1], "ink", "middle")
  end
  figure:save("configuration-slide")
end

-- ---------------------------------------------------------------- seams

local function draw_seam()
  local figure = sketch.new(840, 210)
  local hero, tiles = sat.rectangle(0, 0, 40, 48), {}
  for i = 1, 3 do tiles[i] = sat.rectangle(110 * i - 70, 84, 110, 50) end
  draw_solids(figure, tiles, 0, 0)
  figure:shape(mover_at(hero, 136, 64), "a")
  figure:line(150, 84, 150, 134, "bad", 4)
  figure:arrow(150, 109, 112, 109, "bad")
  figure:text(205, 174, "the side of the middle tile would stop the box,", "bad", "middle")
  figure:text(205, 194, "which only slides along the floor", "bad", "middle")
  local right = 420
  local list = differences_of(tiles, hero)
  local _, hidden = space.boundary(list)
  draw_union(figure, list, right, 0, true)
  draw_solids(figure, tiles, right, 0)
  for _, edge in ipairs(hidden) do
    if math.abs(edge.nx) > 0.5 then draw_edges(figure, { edge }, right, 0, "bad", 2, true) end
  end
  figure:arrow(right + 90, 60, right + 330, 60, "way")
  figure:dot(right + 90, 60, "a", 5)
  figure:text(right + 205, 194, "each side at a seam is inside of a neighbour's difference", "ink", "middle")
  figure:save("configuration-seam")
end

-- ---------------------------------------------------------------- gaps

-- Two walls and the ground between them.
local function walls(left, width)
  local from, to = left + 105 - width / 2, left + 105 + width / 2
  return { sat.rectangle(left + 40, 120, from - left - 40, 120), sat.rectangle(to, 120, left + 170 - to, 120),
    sat.rectangle(from, 220, width, 20) }
end

-- The middle of a gap as wide as the mover, much larger: the inset leaves a way of 2 r.
local function draw_magnified(figure, left)
  local x, y, w, h, r = left + 20, 40, 170, 200, 34
  local middle = x + w / 2
  for side = -1, 1, 2 do
    local edge = middle + side * r
    figure:area({ { edge, y, edge, y + h, middle + side * w / 2, y + h, middle + side * w / 2, y } }, "both")
    figure:line(edge, y, edge, y + h, "both", 2.5)
    figure:line(middle, y + 168, edge, y + 168, "ink", 1.5)
    figure:line(edge, y + 162, edge, y + 174, "ink", 1.5)
    figure:text(middle + side * r / 2, y + 188, "r", "ink", "middle")
  end
  figure:arrow(middle, y + 16, middle, y + 140, "way")
  figure:line(middle, y, middle, y + h, "both", 1, true)
  figure:dot(middle, y + 16, "a", 6)
  figure:box(x, y, w, h, "faint")
end

local function draw_gaps()
  local figure = sketch.new(840, 300)
  for i, title in ipairs { "narrower than the mover", "exactly as wide", "wider", "exactly as wide, magnified" } do
    local left = 210 * (i - 1)
    figure:text(left + 105, 284, title, "ink", "middle")
    if i == 4 then
      draw_magnified(figure, left)
    else
      local solids, hero = walls(left, 40 + 12 * (i - 2)), sat.rectangle(left + 85, 20, 40, 40)
      local way = space.way(sat.world():add(solids), hero, 0, 300)
      draw_union(figure, differences_of(solids, hero), 0, 0)
      draw_solids(figure, solids, 0, 0)
      figure:shape(hero, "a", true)
      draw_way(figure, way, 0, 0)
      figure:dot(way[1], way[2], "a", 5)
    end
  end
  figure:save("configuration-gap")
end

-- ---------------------------------------------------------------- corners and planks

local function draw_fall(figure, left, hero, solids, fall)
  local mover, world = mover_at(hero, fall[1], fall[2]), sat.world()
  for _, solid in ipairs(solids) do world:add(solid:clone()) end
  local way = space.way(world, mover, fall[3], fall[4])
  figure:shape(placed(mover, left, 0), "a", true)
  draw_way(figure, way, left, 0)
  figure:dot(fall[1] + left, fall[2], "a", 5)
end

local function draw_corners()
  local figure, hero = sketch.new(840, 280), sat.rectangle(0, 0, 36, 36)
  local wall = { sat.rectangle(40, 170, 110, 40), sat.rectangle(150, 50, 40, 160) }
  local block = { sat.rectangle(130, 110, 80, 100) }
  local plank = sat.rectangle(60, 120, 150, 14):setOneWay(0, -1)
  draw_union(figure, differences_of(wall, hero), 0, 0)
  draw_solids(figure, wall, 0, 0)
  draw_fall(figure, 0, hero, wall, { 60, 60, 130, 130 })
  draw_union(figure, differences_of(block, hero), 280, 0)
  draw_solids(figure, block, 280, 0)
  figure:shape(mover_at(hero, 348, 70), "a", true)
  draw_way(figure, { 68, 70, 112, 92, 200, 92 }, 280, 0) -- the corner meets the corner a third of the way along
  figure:dot(348, 70, "a", 5)
  draw_union(figure, differences_of({ plank }, hero), 560, 0)
  draw_solids(figure, { plank }, 560, 0)
  draw_fall(figure, 560, hero, { plank }, { 95, 220, 0, -160 })
  draw_fall(figure, 560, hero, { plank }, { 175, 40, 0, 160 })
  local titles = { "an inner corner stops", "a corner on a corner slips off", "a plank bars from one side" }
  for i, title in ipairs(titles) do figure:text(280 * i - 140, 264, title, "ink", "middle") end
  figure:save("configuration-corner")
end

draw_move()
draw_difference()
draw_unions()
draw_steps()
draw_seam()
draw_gaps()
draw_corners()
