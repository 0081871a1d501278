-- A maze whose corridors are exactly as wide as what moves in them, with its walls made in five ways.
--
-- The mover goes where `world:cast` lets it and slides along what it hits. The grid alone tells whether it is in a
-- wall, so that nothing is asked that is to be tried.
local sat = require "sat"
local support = require "spec.support"

local TILE, CELLS = 32, 13            -- cells in a row and a column, walls included: an odd number
local SPEED, SLIDES = 7, 4            -- pixels and hits in a frame
local ROUNDING = 1e-12 * TILE * CELLS -- what casts take for a touch, of the largest coordinate

-- Cells of odd row and column are rooms, and every room is reached in one way: `open[y][x]`.
local function carve(random)
  local open, way = {}, { { 1, 1 } }
  for y = 0, CELLS - 1 do open[y] = {} end
  open[1][1] = true
  while #way > 0 do
    local x, y, sides = way[#way][1], way[#way][2], {}
    for _, side in ipairs { { 2, 0 }, { -2, 0 }, { 0, 2 }, { 0, -2 } } do
      local row = open[y + side[2]]
      local inside = row and x + side[1] > 0 and x + side[1] < CELLS
      if inside and not row[x + side[1]] then sides[#sides + 1] = side end
    end
    local side = #sides > 0 and sides[random(1, #sides)]
    if side then
      open[y + side[2] / 2][x + side[1] / 2], open[y + side[2]][x + side[1]] = true, true
      way[#way + 1] = { x + side[1], y + side[2] }
    else
      way[#way] = nil
    end
  end
  return open
end

-- ---------------------------------------------------------------- the walls

local function each_wall(open, visit)
  for y = 0, CELLS - 1 do
    for x = 0, CELLS - 1 do
      if not open[y][x] then visit(x, y) end
    end
  end
end

local function tiles(open)
  local list = {}
  each_wall(open, function(x, y) list[#list + 1] = sat.rectangle(x * TILE, y * TILE, TILE, TILE) end)
  return list
end

-- As long as they can be from left to right.
local function rows(open)
  local list = {}
  each_wall(open, function(x, y)
    if x > 0 and not open[y][x - 1] then return end
    local last = x
    while last + 1 < CELLS and not open[y][last + 1] do last = last + 1 end
    list[#list + 1] = sat.rectangle(x * TILE, y * TILE, (last + 1 - x) * TILE, TILE)
  end)
  return list
end

-- The outline of cells, which are on the right of it on screen, as a flat list; no two of the cells meet at a corner
-- alone, nor is there a hole.
local function outline(is_in, cells)
  local after, first = {}, nil
  local function edge(x, y, to_x, to_y)
    first = first or { x, y }
    after[y * 1000 + x] = { to_x, to_y }
  end
  for _, cell in ipairs(cells) do
    local x, y = cell[1], cell[2]
    if not is_in(x, y - 1) then edge(x, y, x + 1, y) end
    if not is_in(x + 1, y) then edge(x + 1, y, x + 1, y + 1) end
    if not is_in(x, y + 1) then edge(x + 1, y + 1, x, y + 1) end
    if not is_in(x - 1, y) then edge(x, y + 1, x, y) end
  end
  local points, at = {}, first
  repeat
    points[#points + 1], points[#points + 2] = at[1] * TILE, at[2] * TILE
    at = after[at[2] * 1000 + at[1]]
  until at[1] == first[1] and at[2] == first[2]
  return points
end

-- Concave ones, of what is connected in two rows: in more there could be holes.
local function polygons(open)
  local list, taken = {}, {}
  for top = 0, CELLS - 1, 2 do
    local function is_wall(x, y)
      return y >= top and y < top + 2 and y < CELLS and x >= 0 and x < CELLS and not open[y][x]
    end
    local function connected(x, y, cells)
      if not is_wall(x, y) or taken[y * 1000 + x] then return cells end
      taken[y * 1000 + x] = true
      cells[#cells + 1] = { x, y }
      connected(x - 1, y, cells)
      connected(x + 1, y, cells)
      connected(x, y - 1, cells)
      return connected(x, y + 1, cells)
    end
    for y = top, top + 1 do
      for x = 0, CELLS - 1 do
        local cells = connected(x, y, {})
        if #cells > 0 then list[#list + 1] = sat.polygon(outline(is_wall, cells)) end
      end
    end
  end
  return list
end

-- One closed one, open to the inside: its corners run the other way round than a polygon's.
local function chains(open)
  local cells = {}
  for y = 0, CELLS - 1 do
    for x = 0, CELLS - 1 do
      if open[y][x] then cells[#cells + 1] = { x, y } end
    end
  end
  local ring, turned = outline(function(x, y) return open[y][x] end, cells), {}
  for i = #ring - 1, 1, -2 do turned[#turned + 1], turned[#turned + 2] = ring[i], ring[i + 1] end
  return { sat.chain(turned, true) }
end

local walls = {
  tiles = tiles,
  rows = rows,
  compound = function(open) return { sat.compound(tiles(open)) } end,
  polygons = polygons,
  chains = chains,
}

-- ---------------------------------------------------------------- what moves

local movers = {
  box = function(x, y) return sat.rectangle(x, y, TILE, TILE) end,
  circle = function(x, y) return sat.circle(x + TILE / 2, y + TILE / 2, TILE / 2) end,
}

local function slide(world, mover, dx, dy)
  for _ = 1, SLIDES do
    local other, t, nx, ny = world:cast(mover, dx, dy)
    if not other then
      mover:move(dx, dy)
      return
    end
    mover:move(t * dx, t * dy)
    dx, dy = (1 - t) * dx, (1 - t) * dy
    local against = dx * nx + dy * ny
    dx, dy = dx - against * nx, dy - against * ny
  end
end

-- How deep the mover is in the cell: the smaller side of what boxes have in common, or how much of the radius is.
local function depth_in(kind, cx, cy, x, y)
  local half = TILE / 2
  local beside_x, beside_y = math.abs(cx - (x + 0.5) * TILE), math.abs(cy - (y + 0.5) * TILE)
  if kind == "box" then return math.min(TILE - beside_x, TILE - beside_y) end
  local out_x, out_y = math.max(beside_x - half, 0), math.max(beside_y - half, 0)
  return half - math.sqrt(out_x * out_x + out_y * out_y)
end

local function depth_in_walls(open, kind, cx, cy)
  local x, y = math.floor(cx / TILE), math.floor(cy / TILE)
  local deepest = open[y] and open[y][x] and 0 or TILE
  for row = y - 1, y + 1 do
    for column = x - 1, x + 1 do
      if not (open[row] and open[row][column]) then
        deepest = math.max(deepest, depth_in(kind, cx, cy, column, row))
      end
    end
  end
  return deepest
end

-- Plays so many frames. Gives how many of them ended deeper in a wall than rounding, how deep the deepest was, and how
-- many cells the mover has been in.
local function play(made, kind, frames, seed)
  local random = support.generator(seed)
  local open, world = carve(random), sat.world()
  local mover = movers[kind](TILE, TILE)
  for _, wall in ipairs(walls[made](open)) do world:add(wall:setStatic(true)) end
  world:add(mover)
  local bad, deepest, visited, cells, dx, dy = 0, 0, {}, 0, 0, 0
  for _ = 1, frames do
    if random(1, 5) == 1 then dx, dy = random(-SPEED, SPEED), random(-SPEED, SPEED) end
    if random(1, 20) == 1 then dx, dy = dx * 4, dy / 3 end
    slide(world, mover, dx, dy)
    local cx, cy = mover:center()
    local depth, cell = depth_in_walls(open, kind, cx, cy), math.floor(cy / TILE) * 1000 + math.floor(cx / TILE)
    if depth > ROUNDING then bad = bad + 1 end
    deepest = math.max(deepest, depth)
    if not visited[cell] then visited[cell], cells = true, cells + 1 end
  end
  return bad, deepest, cells
end

return { play = play, walls = { "tiles", "rows", "compound", "polygons", "chains" }, movers = { "box", "circle" } }
