-- The separating axis theorem, one step at a time.
--
-- Two convex shapes are apart if there is an axis on which their projections are apart. For polygons
-- it is enough to try the normals of all edges. When the projections overlap on each of these, the
-- axis of the smallest overlap is the shortest way out. The library comes to the same answer, which
-- sat.axis gives, in fewer steps; here it is asked for the axes of round shapes alone.

local sat = require "sat"

local axes = {}

-- Parallel edges share an axis: a rectangle has two.
local function isKnown(list, nx, ny)
  for _, axis in ipairs(list) do
    if math.abs(axis.nx * ny - axis.ny * nx) < 1e-9 then return true end
  end
  return false
end

local function try(list, a, b, nx, ny, of)
  local length = math.sqrt(nx * nx + ny * ny)
  nx, ny = nx / length, ny / length
  if isKnown(list, nx, ny) then return end
  local axis = { nx = nx, ny = ny, of = of }
  axis.lowA, axis.highA = a:project(nx, ny)
  axis.lowB, axis.highB = b:project(nx, ny)
  -- The shorter of the two ways out along this axis. Below 0 it is a gap.
  axis.overlap = math.min(axis.highA - axis.lowB, axis.highB - axis.lowA)
  list[#list + 1] = axis
end

local function tryEdges(list, a, b, shape, of)
  local ring, count = shape:vertices()
  if count < 2 then return end
  for i = 1, 2 * count, 2 do
    local dx, dy = (ring[i + 2] or ring[1]) - ring[i], (ring[i + 3] or ring[2]) - ring[i + 1]
    try(list, a, b, dy, -dx, of)
  end
end

-- A round side has no edges there. Where the axis that decides is no normal of an edge, it leads
-- through the closest points of what is rounded, a circle's centre for one: sat.axis finds it.
local function tryRound(list, a, b)
  local nx, ny = sat.axis(a, b)
  if a:radius() > 0 or b:radius() > 0 or not list[1] then try(list, a, b, nx, ny, "round") end
end

-- All candidate axes of two convex shapes, and the axis that decides: the one of the widest gap, or
-- else of the smallest overlap.
function axes.find(a, b)
  local list, best = {}, nil
  tryEdges(list, a, b, a, "A")
  tryEdges(list, a, b, b, "B")
  tryRound(list, a, b)
  for i, axis in ipairs(list) do
    if not best or axis.overlap < list[best].overlap then best = i end
  end
  return list, best
end

-- The theorem holds for convex shapes alone. Of other shapes the example looks at the two pieces that
-- are deepest in each other, or nearest.
function axes.pieces(a, b)
  local bestA, bestB, best
  for _, pieceA in ipairs(a:pieces()) do
    for _, pieceB in ipairs(b:pieces()) do
      local _, _, depth = sat.collide(pieceA, pieceB)
      local gap = depth and -depth or sat.distance(pieceA, pieceB)
      if not best or gap < best then bestA, bestB, best = pieceA, pieceB, gap end
    end
  end
  return bestA, bestB
end

return axes
