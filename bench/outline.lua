-- outline.lua: outlines of grids, simpler rings and polygons with holes, beside plain Lua: marching squares over
-- tables, and the Douglas-Peucker algorithm, which lets rings cross.

local sat = require "sat"
local common = dofile "bench/lib/common.lua"

local SIDE = 256
local ROUNDS = 15

-- ---------------------------------------------------------------- what games write

-- Each cell of the grid is looked up among sixteen cases of two edges; segments are joined by the keys of their ends.
local SEGMENTS = {
  [0] = {}, { "left", "bottom" }, { "bottom", "right" }, { "left", "right" }, { "right", "top" },
  { "left", "top", "right", "bottom" }, { "bottom", "top" }, { "left", "top" }, { "top", "left" }, { "top", "bottom" },
  { "top", "right", "bottom", "left" }, { "top", "right" }, { "right", "left" }, { "right", "bottom" },
  { "bottom", "left" }, {},
}

local function marching_squares(values, w, h, threshold)
  local xs, ys, follows = {}, {}, {}
  local function value(c, r)
    if c < 1 or r < 1 or c > w or r > h then return 0 end
    return values[(r - 1) * w + c]
  end
  local function crossing(c, r, d, e)
    local key = (r * (w + 2) + c) * 2 + (d == c and 1 or 0)
    if not xs[key] then
      local u = value(c, r)
      local t = (threshold - u) / (value(d, e) - u)
      xs[key], ys[key] = c - 0.5 + t * (d - c), r - 0.5 + t * (e - r)
    end
    return key
  end
  local function edge(side, c, r)
    if side == "top" then return crossing(c, r, c + 1, r) end
    if side == "bottom" then return crossing(c, r + 1, c + 1, r + 1) end
    if side == "left" then return crossing(c, r, c, r + 1) end
    return crossing(c + 1, r, c + 1, r + 1)
  end
  for r = 0, h do
    for c = 0, w do
      local case = (value(c, r) >= threshold and 8 or 0) + (value(c + 1, r) >= threshold and 4 or 0)
        + (value(c + 1, r + 1) >= threshold and 2 or 0) + (value(c, r + 1) >= threshold and 1 or 0)
      local sides = SEGMENTS[case]
      for i = 1, #sides, 2 do follows[edge(sides[i], c, r)] = edge(sides[i + 1], c, r) end
    end
  end
  local rings = {}
  for key in pairs(follows) do
    if follows[key] then
      local ring = {}
      while follows[key] do
        ring[#ring + 1], ring[#ring + 2] = xs[key], ys[key]
        key, follows[key] = follows[key], false
      end
      rings[#rings + 1] = ring
    end
  end
  return rings
end

-- Keeps the farthest vertex where it is farther than the tolerance, and so on in both halves.
local function douglas_peucker(points, tolerance)
  local keep = { [1] = true, [#points - 1] = true }
  local todo = { 1, #points - 1 }
  while #todo > 0 do
    local last, first = table.remove(todo), table.remove(todo)
    local ax, ay, bx, by = points[first], points[first + 1], points[last], points[last + 1]
    local dx, dy = bx - ax, by - ay
    local square, worst, at = dx * dx + dy * dy, tolerance * tolerance, nil
    for i = first + 2, last - 2, 2 do
      local x, y = points[i] - ax, points[i + 1] - ay
      local t = square > 0 and math.max(0, math.min(1, (x * dx + y * dy) / square)) or 0
      local d = (x - t * dx) ^ 2 + (y - t * dy) ^ 2
      if d > worst then worst, at = d, i end
    end
    if at then
      keep[at] = true
      todo[#todo + 1], todo[#todo + 2] = first, at
      todo[#todo + 1], todo[#todo + 2] = at, last
    end
  end
  local out = {}
  for i = 1, #points, 2 do
    if keep[i] then out[#out + 1], out[#out + 2] = points[i], points[i + 1] end
  end
  return out
end

-- ---------------------------------------------------------------- a landscape with caves

local values, booleans = {}, {}
for r = 1, SIDE do
  for c = 1, SIDE do
    local v = 0.5 + 0.3 * math.sin(c / 11) * math.cos(r / 13) + 0.2 * math.sin(c / 29 + r / 17)
    local i = (r - 1) * SIDE + c
    values[i], booleans[i] = v, v >= 0.5
  end
end

local function all_rings(polygons)
  local rings = {}
  for _, polygon in ipairs(polygons) do
    for _, ring in ipairs(polygon) do rings[#rings + 1] = ring end
  end
  return rings
end

local function count_of(rings)
  local count = 0
  for _, ring in ipairs(rings) do count = count + #ring / 2 end
  return count
end

-- The last one is plain Lua, beside which the others stand.
local function rows(names, contestants)
  local least = common.least(ROUNDS, contestants)
  local plain = least[#least]
  for i, name in ipairs(names) do
    print(("%-66s %9.3f ms %9.3f ms %6.1f times"):format(name, 1000 * least[i], 1000 * plain, plain / least[i]))
  end
end

local polygons = sat.outline(values, SIDE, SIDE)
local rings = all_rings(polygons)
local simple = sat.simplify(polygons, 0.5)

local title = ("a grid of %d x %d, %d rings of %d vertices"):format(SIDE, SIDE, #rings, count_of(rings))
print(("%-66s %12s %12s"):format(title, "sat", "plain Lua"))
rows({
  "outline of a table of numbers, beside marching squares", "outline of a function of numbers",
  "outline of a table of booleans",
}, {
  function() sat.outline(values, SIDE, SIDE) end,
  function() sat.outline(function(c, r) return values[(r - 1) * SIDE + c] end, SIDE, SIDE) end,
  function() sat.outline(booleans, SIDE, SIDE) end,
  function() marching_squares(values, SIDE, SIDE, 0.5) end,
})

local kept = {}
for i, ring in ipairs(rings) do kept[i] = douglas_peucker(ring, 0.5) end
rows({ ("simplify to %d vertices, beside Douglas-Peucker's %d"):format(count_of(all_rings(simple)), count_of(kept)) }, {
  function() sat.simplify(rings, 0.5) end,
  function() for _, ring in ipairs(rings) do douglas_peucker(ring, 0.5) end end,
})
rows({ "polygons of them with their holes, beside each ring alone" }, {
  function() for _, polygon in ipairs(simple) do sat.polygon(polygon) end end,
  function() for _, ring in ipairs(all_rings(simple)) do sat.polygon(ring) end end,
})
