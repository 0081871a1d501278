-- A solid of cells has one surface, however it is cut into pieces: rays and points that move through the corners of
-- cells hit the same place with the same normal in compounds, polygons, worlds and tiles, and a walk from cell to cell
-- tells which.
local sat = require "sat"
local support = require "spec.support"
local unpack = table.unpack or rawget(_G, "unpack")
local tiles = require "sat.tiles"

local SIDE, ROUNDS = 5, 60

-- ---------------------------------------------------------------- the walk from cell to cell

local function is_solid(grid, column, row) return grid[row] ~= nil and grid[row][column] == true end

-- Whether the solid is around a place that is on no line of the grid, or on one, or on two.
local function is_within(grid, x, y)
  for column = math.ceil(x), math.floor(x) + 1 do
    for row = math.ceil(y), math.floor(y) + 1 do
      if not is_solid(grid, column, row) then return false end
    end
  end
  return true
end

-- The edges of the solid at a place on lines of the grid, as normals.
local function normals_at(grid, x, y)
  local found = {}
  local function meet(column, row, nx, ny)
    if is_solid(grid, column, row) and not is_solid(grid, column + nx, row + ny) then found[#found + 1] = { nx, ny } end
  end
  for column = math.ceil(x), math.floor(x) + 1 do
    for row = math.ceil(y), math.floor(y) + 1 do
      if x % 1 == 0 then meet(column, row, column > x and -1 or 1, 0) end
      if y % 1 == 0 then meet(column, row, 0, row > y and -1 or 1) end
    end
  end
  return found
end

-- The place, nearly 0 or 1 apart from a line of the grid by rounding alone, on that line.
local function settled(x) return math.abs(x - math.floor(x + 0.5)) < 1e-9 and math.floor(x + 0.5) or x end

-- The hit of a ray: t and the normal, no normal where the ray starts within, nil where it hits nothing.
local function walk(grid, x, y, dx, dy)
  local function place(t) return settled(x + t * dx), settled(y + t * dy) end
  if is_within(grid, x, y) then return 0, 0, 0 end
  local times = { 0, 1 + 1e-6 } -- what a ray ends at is hit, if it would go on into it
  for line = 0, SIDE do
    for _, t in ipairs { (line - x) / dx, (line - y) / dy } do
      if t > 0 and t <= 1 then times[#times + 1] = t end
    end
  end
  table.sort(times)
  for i = 1, #times - 1 do
    local from, to = times[i], times[i + 1]
    if to - from > 1e-9 and is_within(grid, place((from + to) / 2)) then
      local nx, ny
      for _, normal in ipairs(normals_at(grid, place(from))) do
        local ahead, best = normal[1] * dx + normal[2] * dy, nx and nx * dx + ny * dy or -1e-9
        if ahead < best or (ahead == best and normal[2] ~= 0) then nx, ny = normal[1], normal[2] end
      end
      return from, nx, ny
    end
  end
end

-- ---------------------------------------------------------------- cuts

-- Takes rectangles of cells that are not yet taken, each as wide and high as the function lets it become.
local function cut(grid, grows)
  local list, taken = {}, {}
  local function is_free(column, row) return is_solid(grid, column, row) and not taken[row * SIDE + column] end
  for row = 1, SIDE do
    for column = 1, SIDE do
      local w, h = 1, 1
      if is_free(column, row) then
        while grows "right" and is_free(column + w, row) do w = w + 1 end
        local function is_row_free()
          for i = 0, w - 1 do if not is_free(column + i, row + h) then return false end end
          return true
        end
        while grows "down" and is_row_free() do h = h + 1 end
        for r = row, row + h - 1 do for c = column, column + w - 1 do taken[r * SIDE + c] = true end end
        list[#list + 1] = sat.rectangle(column - 1, row - 1, w, h)
      end
    end
  end
  return list
end

local function cuts_of(grid, random)
  return {
    cells = cut(grid, function() return false end),
    rows = cut(grid, function(way) return way == "right" end),
    columns = cut(grid, function(way) return way == "down" end),
    rectangles = cut(grid, function() return true end),
    random = cut(grid, function() return random(1, 2) == 1 end),
  }
end

-- ---------------------------------------------------------------- solids

-- Everything that shows the solid, by name, as functions of a ray that return t, nx, ny, x and y.
local function solids_of(grid, random)
  local solids = {}
  local function add_world(name, world)
    solids[name] = function(...) return select(2, world:raycast(...)) end
    solids["a point in " .. name] = function(x, y, tox, toy)
      return select(2, world:cast(sat.point(x, y), tox - x, toy - y))
    end
  end
  local function add_shape(name, shape)
    solids[name] = function(x, y, tox, toy)
      local t, nx, ny = shape:raycast(x, y, tox, toy)
      if t then return t, nx, ny, x + t * (tox - x), y + t * (toy - y) end
    end
    solids["a point at " .. name] = function(x, y, tox, toy) return sat.point(x, y):cast(tox - x, toy - y, shape) end
    add_world(name .. " in a world", sat.world():add(shape:clone()))
  end
  for name, list in pairs(cuts_of(grid, random)) do
    add_shape("a compound of " .. name, sat.compound(list))
    local two, world = { {}, {} }, sat.world()
    for _, shape in ipairs(list) do table.insert(two[random(1, 2)], shape) end
    for _, half in ipairs(two) do if half[1] then world:add(sat.compound(half)) end end
    add_world("two compounds of " .. name, world)
    world = sat.world()
    for _, shape in ipairs(list) do world:add(shape) end
    add_world("a world of " .. name, world)
  end
  local outline = {}
  for _, polygon in ipairs(sat.outline(function(c, r) return is_solid(grid, c, r) end, SIDE, SIDE)) do
    outline[#outline + 1] = sat.polygon(polygon)
  end
  add_shape("polygons", sat.compound(outline))
  for _, options in ipairs { { chunk = 2 }, { chunk = 3, separate = false }, {} } do
    local world = sat.world()
    tiles.new(world, SIDE, SIDE, 1, function(c, r) return is_solid(grid, c, r) end, options)
    add_world(("tiles in chunks of %s, %s"):format(tostring(options.chunk), tostring(options.separate)), world)
  end
  return solids
end

local function random_grid(random)
  local grid, full = {}, random(3, 8)
  for row = 1, SIDE do
    grid[row] = {}
    for column = 1, SIDE do grid[row][column] = random(1, 10) <= full end
  end
  grid[3][3] = true
  return grid
end

local function assert_alike(message, expected, t, nx, ny, x, y)
  local function describe(...)
    local list = { ... }
    for i = 1, select("#", ...) do list[i] = tostring(list[i]) end
    return table.concat(list, " ")
  end
  local alike = (t == nil) == (expected[1] == nil)
  for i, value in ipairs(expected) do
    alike = alike and math.abs(value - select(i, t, nx, ny, x, y)) < 1e-12
  end
  assert(alike, ("%s: %s, not %s"):format(message, describe(t, nx, ny, x, y), describe(unpack(expected))))
end

describe("a solid of cells", function()
  it("shows a ray in its inner corner the more head-on side, of whichever rectangles it is made", function()
    for _, boxes in ipairs { { { 3, 5, 2, 1 }, { 3, 6, 1, 1 } }, { { 3, 5, 1, 2 }, { 4, 5, 1, 1 } } } do
      local low, high = sat.rectangle(unpack(boxes[1])), sat.rectangle(unpack(boxes[2]))
      assert_alike("a compound", { 0, 1, 0 }, sat.compound(low, high):raycast(4, 6, -4, 0))
      assert_alike("a world", { 0, 1, 0 }, select(2, sat.world():add(low, high):raycast(4, 6, -4, 0)))
    end
  end)

  it("has the same surface at the corners of cells, however it is cut", function()
    for seed = support.SEED, support.SEED + ROUNDS - 1 do
      local random = support.generator(seed * 7919 % 2147483647)
      local grid = random_grid(random)
      local solids = solids_of(grid, random)
      for _ = 1, 20 do
        local x, y = random(-2, 2 * SIDE + 2) / 2, random(-2, 2 * SIDE + 2) / 2
        local tox, toy = random(-2, 2 * SIDE + 2) / 2, random(-2, 2 * SIDE + 2) / 2
        local t, nx, ny = walk(grid, x, y, tox - x, toy - y)
        local expected = t and { t, nx, ny, x + t * (tox - x), y + t * (toy - y) } or {}
        for name, ask in pairs(solids) do
          local is_moved = name:find "^a point"
          if not (is_moved and is_within(grid, x, y)) and (x ~= tox or y ~= toy) then
            assert_alike(("seed %d, %s, from %g, %g to %g, %g"):format(seed, name, x, y, tox, toy), expected,
              ask(x, y, tox, toy))
          end
        end
      end
    end
  end)
end)
