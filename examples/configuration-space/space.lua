-- Configuration space: the mover shrinks to a point, its centre, and each solid piece grows to its Minkowski difference
-- with the mover: all places of the centre at which the two overlap.
--
-- A difference is a convex outline with its edges, each with the unit normal that points out. The union of all
-- differences is barred for the point; what no other difference covers of their edges is the boundary of the union.
-- The library does the same with exact offsets and round corners; here a round corner has STEPS edges for a turn.

local space = {}

local STEPS = 40
local INSET = 1e-6 -- what overlaps by less is a touch

-- Where a difference begins ----------------------------------------------------------

-- The edges of a piece as vectors, turned around for the mover. A segment has two, there and back, a point none.
local function addEdges(edges, piece, sign, of)
  local v, count = piece:vertices()
  if count < 2 then return end
  for i = 1, 2 * count, 2 do
    local x, y = (v[i + 2] or v[1]) - v[i], (v[i + 3] or v[2]) - v[i + 1]
    edges[#edges + 1] = { x = sign * x, y = sign * y, of = of }
  end
end

-- The vertex of a piece that is first by y, then by x, where the sign turns the piece around.
local function lowest(piece, sign)
  local v, count = piece:vertices()
  local x, y = sign * v[1], sign * v[2]
  for i = 3, 2 * count, 2 do
    local nextX, nextY = sign * v[i], sign * v[i + 1]
    if nextY < y or nextY == y and nextX < x then x, y = nextX, nextY end
  end
  return x, y
end

-- By angle from 0 on, without a function of angles.
local function isBefore(a, b)
  local aIsLate, bIsLate = a.y < 0 or a.y == 0 and a.x < 0, b.y < 0 or b.y == 0 and b.x < 0
  if aIsLate ~= bIsLate then return bIsLate end
  return a.x * b.y - a.y * b.x > 0
end

-- All edges of both, one after the other by their angles, are the outline. Parallel ones are one edge, of both.
local function sortedEdges(solid, mover)
  local edges, list = {}, {}
  addEdges(edges, solid, 1, "solid")
  addEdges(edges, mover, -1, "mover")
  table.sort(edges, isBefore)
  for _, edge in ipairs(edges) do
    local last = list[#list]
    local cross = last and last.x * edge.y - last.y * edge.x or 1
    if last and math.abs(cross) < 1e-9 and last.x * edge.x + last.y * edge.y > 0 then
      last.x, last.y, last.of = last.x + edge.x, last.y + edge.y, last.of == edge.of and edge.of or "both"
    else
      list[#list + 1] = edge
    end
  end
  return list
end

-- The outline --------------------------------------------------------------------------

local function addEdge(D, x1, y1, x2, y2, of)
  local dx, dy = x2 - x1, y2 - y1
  local length = math.sqrt(dx * dx + dy * dy)
  if length == 0 then return end
  D[#D + 1] = { x1 = x1, y1 = y1, x2 = x2, y2 = y2, nx = dy / length, ny = -dx / length, of = of }
  D.outline[#D.outline + 1], D.outline[#D.outline + 2] = x1, y1
end

-- A part of a circle about x, y, from one angle to the next.
local function addArc(D, x, y, radius, from, to)
  local steps = math.max(1, math.ceil(STEPS * (to - from) / (2 * math.pi)))
  for i = 1, steps do
    local a, b = from + (to - from) * (i - 1) / steps, from + (to - from) * i / steps
    addEdge(D, x + radius * math.cos(a), y + radius * math.sin(a), x + radius * math.cos(b), y + radius * math.sin(b),
      "round")
  end
end

local function boundsOf(outline)
  local left, top, right, bottom = math.huge, math.huge, -math.huge, -math.huge
  for i = 1, #outline, 2 do
    left, right = math.min(left, outline[i]), math.max(right, outline[i])
    top, bottom = math.min(top, outline[i + 1]), math.max(bottom, outline[i + 1])
  end
  return left, top, right, bottom
end

local atan2 = rawget(math, "atan2") or math.atan

-- The difference of two convex pieces for a mover whose centre is cx, cy.
function space.difference(solid, mover, cx, cy)
  local edges, D = sortedEdges(solid, mover), { outline = {} }
  local radius = solid:radius() + mover:radius()
  local sx, sy = lowest(solid, 1)
  local mx, my = lowest(mover, -1)
  local x, y = sx + mx + cx, sy + my + cy
  if #edges == 0 then addArc(D, x, y, radius, 0, 2 * math.pi) end
  for i, edge in ipairs(edges) do
    local length = math.sqrt(edge.x * edge.x + edge.y * edge.y)
    local offX, offY = radius * edge.y / length, -radius * edge.x / length
    addEdge(D, x + offX, y + offY, x + edge.x + offX, y + edge.y + offY, edge.of)
    x, y = x + edge.x, y + edge.y
    local after = edges[i % #edges + 1]
    local from = atan2(-edge.x, edge.y)
    local turn = (atan2(-after.x, after.y) - from) % (2 * math.pi)
    if radius > 0 then addArc(D, x, y, radius, from, from + turn) end
  end
  D.left, D.top, D.right, D.bottom = boundsOf(D.outline)
  return D
end

-- Those of all pieces of a solid with all pieces of the mover. A one-way solid is barred from the side of openX, openY.
function space.differences(solid, mover, list)
  list = list or {}
  local cx, cy = mover:center()
  for _, piece in ipairs(solid:pieces()) do
    for _, own in ipairs(mover:pieces()) do
      local D = space.difference(piece, own, cx, cy)
      D.solid, D.openX, D.openY = solid, solid:oneWay()
      list[#list + 1] = D
    end
  end
  return list
end

-- Questions ----------------------------------------------------------------------------

-- The part of the way from x, y by dx, dy, as fractions of it, that is inside of a difference; nil if none is.
function space.chord(D, x, y, dx, dy)
  local enter, leave = 0, 1
  for _, edge in ipairs(D) do
    local gap = (x - edge.x1) * edge.nx + (y - edge.y1) * edge.ny + INSET -- below 0 where x, y is inside
    local speed = edge.nx * dx + edge.ny * dy
    if math.abs(speed) < 1e-12 then
      if gap >= 0 then return nil end
    elseif speed < 0 then
      enter = math.max(enter, -gap / speed)
    else
      leave = math.min(leave, -gap / speed)
    end
    if enter >= leave then return nil end
  end
  return enter, leave
end

function space.isInside(D, x, y)
  for _, edge in ipairs(D) do
    if (x - edge.x1) * edge.nx + (y - edge.y1) * edge.ny > -INSET then return false end
  end
  return #D > 0
end

local function byFirst(a, b) return a[1] < b[1] end

-- The differences that may cover edges of one. What is one-way covers only what is one-way, too.
local function neighbours(D, list)
  local near = {}
  for _, other in ipairs(list) do
    if other ~= D and (D.openX or not other.openX) and other.left < D.right and other.right > D.left
      and other.top < D.bottom and other.bottom > D.top then near[#near + 1] = other end
  end
  return near
end

-- The parts of an edge that others cover, as fractions of it, in order. Of a one-way difference those edges count that
-- face the mover's side.
local function covered(edge, D, near)
  if D.openX and edge.nx * D.openX + edge.ny * D.openY <= 1e-9 then return { { 0, 1 } } end
  local parts = {}
  for _, other in ipairs(near) do
    local from, to = space.chord(other, edge.x1, edge.y1, edge.x2 - edge.x1, edge.y2 - edge.y1)
    if from == 0 and to == 1 then return { { 0, 1 } } end
    if from then parts[#parts + 1] = { from, to } end
  end
  table.sort(parts, byFirst)
  return parts
end

local function addPart(list, edge, D, from, to)
  if to - from < 1e-9 then return end
  local dx, dy = edge.x2 - edge.x1, edge.y2 - edge.y1
  list[#list + 1] = { x1 = edge.x1 + from * dx, y1 = edge.y1 + from * dy, x2 = edge.x1 + to * dx,
    y2 = edge.y1 + to * dy, nx = edge.nx, ny = edge.ny, of = edge.of, D = D }
end

-- The edges of all differences in two lists: the parts that bound the union, and those that it hides.
function space.boundary(list)
  local real, hidden = {}, {}
  for _, D in ipairs(list) do
    local near = neighbours(D, list)
    for _, edge in ipairs(D) do
      local at = 0
      for _, part in ipairs(covered(edge, D, near)) do
        if part[1] > at then addPart(real, edge, D, at, part[1]) end
        if part[2] > at then addPart(hidden, edge, D, math.max(at, part[1]), part[2]) end
        at = math.max(at, part[2])
      end
      addPart(real, edge, D, at, 1)
    end
  end
  return real, hidden
end

-- The way of the point for a motion of the mover, x1, y1, x2, y2 and so on: it turns at each hit of world:check, where
-- the surface takes its part of what is left of the motion.
function space.way(world, mover, dx, dy)
  local x, y = mover:center()
  local endX, endY = world:check(mover, dx, dy)
  local points, last = { x, y }, 0
  for _, nx, ny, t, _, _, how in world:hits() do
    if how == "slide" then
      local part = last < 1 and (t - last) / (1 - last) or 0
      x, y, last = x + part * dx, y + part * dy, t
      dx, dy = (1 - part) * dx, (1 - part) * dy
      local into = math.min(0, dx * nx + dy * ny)
      dx, dy = dx - into * nx, dy - into * ny
      points[#points + 1], points[#points + 2] = x, y
    end
  end
  points[#points + 1], points[#points + 2] = endX, endY
  return points
end

return space
