-- sat.outline, sat.simplify and polygons with holes, against plain models: each cell by itself, flood fill, all edges
-- against all others.
local sat = require "sat"
local support = require "spec.support"

local floor, huge, max, min, sqrt = math.floor, math.huge, math.max, math.min, math.sqrt
local unpack = table.unpack or unpack

-- ---------------------------------------------------------------- grids

local function random_grid(kind)
  local grid = { w = math.random(1, 12), h = math.random(1, 12), kind = kind }
  local share = math.random()
  for i = 1, grid.w * grid.h do
    if kind == "boolean" then grid[i] = math.random() < share
    elseif kind == "levels" then grid[i] = math.random(0, 4) / 4
    else grid[i] = math.random()
    end
  end
  return grid
end

local function value(grid, c, r)
  if c < 1 or r < 1 or c > grid.w or r > grid.h then return 0 end
  local v = grid[(r - 1) * grid.w + c]
  return v == true and 1 or v or 0
end

local function is_solid(grid, c, r) return value(grid, c, r) >= 0.5 end

-- Whether two cells of one kind that meet at a corner are in one part.
local function are_linked(grid, c, r, x, y)
  local solid = is_solid(grid, c, r)
  if is_solid(grid, c, y) == solid or is_solid(grid, x, r) == solid then return true end
  local left, top = min(c, x), min(r, y)
  local mean = (value(grid, left, top) + value(grid, left + 1, top) + value(grid, left, top + 1)
    + value(grid, left + 1, top + 1)) / 4
  return (grid.kind ~= "boolean" and mean >= 0.5) == solid
end

local function flood(grid, seen, c, r)
  local todo = { { c, r } }
  while #todo > 0 do
    c, r = todo[#todo][1], todo[#todo][2]
    todo[#todo] = nil
    for y = max(r - 1, 0), min(r + 1, grid.h + 1) do
      for x = max(c - 1, 0), min(c + 1, grid.w + 1) do
        if not seen[y * 100 + x] and is_solid(grid, x, y) == is_solid(grid, c, r)
          and (x == c or y == r or are_linked(grid, c, r, x, y)) then
          seen[y * 100 + x] = true
          todo[#todo + 1] = { x, y }
        end
      end
    end
  end
end

-- The first cells of the solid parts and of the empty ones, row by row, of a grid with a frame.
local function parts(grid)
  local solid, empty, seen = {}, {}, {}
  for r = 0, grid.h + 1 do
    for c = 0, grid.w + 1 do
      if not seen[r * 100 + c] then
        seen[r * 100 + c] = true
        table.insert(is_solid(grid, c, r) and solid or empty, { c - 0.5, r - 0.5 })
        flood(grid, seen, c, r)
      end
    end
  end
  return solid, empty
end

-- ---------------------------------------------------------------- rings

local function area(ring)
  local sum, x, y = 0, ring[#ring - 1], ring[#ring]
  for i = 1, #ring, 2 do
    sum = sum + x * ring[i + 1] - ring[i] * y
    x, y = ring[i], ring[i + 1]
  end
  return sum / 2
end

local function is_inside(ring, x, y)
  local odd, px, py = false, ring[#ring - 1], ring[#ring]
  for i = 1, #ring, 2 do
    local qx, qy = ring[i], ring[i + 1]
    if (py > y) ~= (qy > y) and x < px + (y - py) / (qy - py) * (qx - px) then odd = not odd end
    px, py = qx, qy
  end
  return odd
end

local function is_in_polygon(polygon, x, y)
  for k = 2, #polygon do if is_inside(polygon[k], x, y) then return false end end
  return is_inside(polygon[1], x, y)
end

local function check_outline(grid, polygons, n)
  local solid, empty = parts(grid)
  assert.equal(#solid, n)
  assert.equal(n, #polygons)
  local holes, total = 0, 0
  for i, polygon in ipairs(polygons) do
    assert.is_true(is_in_polygon(polygon, solid[i][1], solid[i][2]), "the order of the polygons")
    for k, ring in ipairs(polygon) do
      assert.is_true(sat.validate(ring))
      assert.equal(k == 1, area(ring) > 0)
      total = total + area(ring)
    end
    holes = holes + #polygon - 1
  end
  assert.equal(#empty - 1, holes)
  local count = 0
  for r = 0, grid.h + 1 do
    for c = 0, grid.w + 1 do
      local inside = 0
      for _, polygon in ipairs(polygons) do
        if is_in_polygon(polygon, c - 0.5, r - 0.5) then inside = inside + 1 end
      end
      assert.equal(is_solid(grid, c, r) and 1 or 0, inside)
      count = count + inside
    end
  end
  if grid.kind == "boolean" then assert.equal(count, total) end
end

-- The same values from a function, a table and an image.
local function sources(grid)
  local image = { getDimensions = function() return grid.w, grid.h end,
    getPixel = function(_, x, y) return 0, 0, 0, grid[y * grid.w + x + 1] end }
  return function(c, r) return grid[(r - 1) * grid.w + c] end, image
end

describe("sat.outline", function()
  for _, kind in ipairs { "boolean", "levels", "any number" } do
    it("has the solid cells of a random grid inside, part by part: " .. kind, function()
      for _ = 1, 60 do
        local grid = random_grid(kind)
        local polygons, n = sat.outline(grid, grid.w, grid.h)
        check_outline(grid, polygons, n)
        support.check_edges(support.all_rings(polygons))
        local f, image = sources(grid)
        assert.same(polygons, (sat.outline(f, grid.w, grid.h)))
        assert.same(polygons, (sat.outline(image)))
      end
    end)
  end

  it("makes polygons that hold the solid cells, and as much area", function()
    for _ = 1, 60 do
      local grid, count = random_grid("boolean"), 0
      local shapes = {}
      for i, polygon in ipairs((sat.outline(grid, grid.w, grid.h))) do
        shapes[i] = sat.polygon(polygon)
        count = count + shapes[i]:area()
      end
      for r = 1, grid.h do
        for c = 1, grid.w do
          local inside = 0
          for _, shape in ipairs(shapes) do if shape:contains(c - 0.5, r - 0.5) then inside = inside + 1 end end
          assert.equal(is_solid(grid, c, r) and 1 or 0, inside)
          count = count - inside
        end
      end
      assert.is_true(math.abs(count) < 1e-9)
    end
  end)

  it("begins outer rings at the first cell, and goes round clockwise on a screen", function()
    local polygons = sat.outline({ true, true, true, true, false, true, true, true, true }, 3, 3)
    assert.same({ { { 0, 0, 3, 0, 3, 3, 0, 3 }, { 2, 1, 1, 1, 1, 2, 2, 2 } } }, polygons)
  end)

  it("keeps cells apart that meet at a corner, unless the mean of four numbers joins them", function()
    assert.equal(2, select(2, sat.outline({ true, false, false, true }, 2, 2)))
    assert.equal(2, select(2, sat.outline({ 0.75, 0, 0, 0.75 }, 2, 2)))
    assert.equal(1, select(2, sat.outline({ 1, 0, 0, 1 }, 2, 2)))
  end)

  it("takes the outside, nil and false for empty at every threshold", function()
    for _, threshold in ipairs { 0.5, 1e-9, 0, -3, 1e15, -1e15 } do
      local polygons, n = sat.outline({ threshold, nil, false, threshold }, 4, 1, threshold)
      assert.equal(2, n)
      for _, ring in ipairs(support.all_rings(polygons)) do assert.is_true(area(ring) > 0) end
    end
    local _, n = sat.outline(function(c) return c - 3 end, 5, 5, 0)
    assert.equal(1, n)
  end)

  it("finds nothing in a grid of nothing, and one ring in a grid of one cell", function()
    local none, count = sat.outline(function() end, 7, 7)
    assert.same({ {}, 0 }, { none, count })
    assert.same({ { { 0, 0, 1, 0, 1, 1, 0, 1 } } }, (sat.outline({ true }, 1, 1)))
    assert.same({ { { 0, 0.5, 0.5, 0, 1, 0.5, 0.5, 1 } } }, (sat.outline({ 1 }, 1, 1)))
  end)

  it("asks a function row by row", function()
    local asked = {}
    sat.outline(function(c, r) asked[#asked + 1] = c .. "," .. r end, 3, 2)
    assert.equal("1,1 2,1 3,1 1,2 2,2 3,2", table.concat(asked, " "))
  end)

  it("takes the alpha of an image, with a threshold of its own", function()
    local image = { getDimensions = function() return 2, 1 end, getPixel = function(_, x) return 1, 1, 1, x * 0.5 end }
    assert.equal(1, select(2, sat.outline(image)))
    assert.equal(0, select(2, sat.outline(image, 0.6)))
    assert.equal(0, select(2, sat.outline(image, nil, nil, 0.6)))
  end)

  it("lacks the memory for the largest grid, on every Lua", function()
    assert.same({ false, "not enough memory" }, { pcall(sat.outline, function() return true end, 16384, 16384) })
  end)

  it("passes the error of a source on", function()
    local fault = {}
    local ok, message = pcall(sat.outline, function(c, r) if c * r == 6 then error(fault) end end, 3, 3)
    assert.is_false(ok)
    assert.equal(fault, message)
    assert.equal(1, select(2, sat.outline({ true }, 1, 1)))
  end)

  it("leaves all well when a source yields, or calls the module, or collects garbage", function()
    local thread = coroutine.create(function() sat.outline(function() coroutine.yield() end, 3, 3) end)
    assert.is_false(coroutine.resume(thread))
    local grid = random_grid("boolean")
    local expected = sat.outline(grid, grid.w, grid.h)
    local polygons = sat.outline(function(c, r)
      sat.simplify(sat.outline({ 1, 0, 1, 1 }, 2, 2), 0.1)
      sat.polygon { { 0, 0, 9, 0, 9, 9 }, { 4, 1, 8, 1, 8, 5 } }
      if c == r then collectgarbage() end
      return grid[(r - 1) * grid.w + c]
    end, grid.w, grid.h)
    assert.same(expected, polygons)
  end)

  local function value_at(c, r, wrong) return function(x, y) if x == c and y == r then return wrong end return 1 end end
  local IMAGE = { getDimensions = function() return 0, 3 end }
  local ERRORS = {
    { {}, "#1 to 'outline' (source must be a function, a table or an image, but is missing)" },
    { { 3, 3, 3 }, "#1 to 'outline' (source must be a function, a table or an image, not a number)" },
    { { sat.point(0, 0), 3, 3 }, "#1 to 'outline' (source must be a function, a table or an image, not a shape)" },
    { { {}, 0, 3 }, "#2 to 'outline' (w must be a whole number from 1 to 16384)" },
    { { {}, 3, 16385 }, "#3 to 'outline' (h must be a whole number from 1 to 16384)" },
    { { {}, 2.5, 3 }, "#2 to 'outline' (w must be a whole number from 1 to 16384)" },
    { { {}, 3 }, "#3 to 'outline' (h must be a number, but is missing)" },
    { { {}, 3, 3, "0.5" }, "#4 to 'outline' (threshold must be a number, not a string)" },
    { { {}, 3, 3, 0 / 0 }, "#4 to 'outline' (threshold is NaN)" },
    { { {}, 3, 3, 1, 1 }, "#5 to 'outline' (one too many for sat.outline(source, w, h, threshold))" },
    { { IMAGE }, "#2 to 'outline' (w must be a whole number from 1 to 16384)" },
    { { { getDimensions = function() return 3, 3 end } }, "#1 to 'outline' (the image has no method getPixel)" },
    { { setmetatable({}, { __index = function() return true end }), 0.5 },
      "#2 to 'outline' (w must be a whole number from 1 to 16384)" },
    { { value_at(2, 3, 0 / 0), 3, 3 }, "#1 to 'outline' (column 2, row 3: the value is NaN)" },
    { { value_at(3, 1, huge), 3, 3 }, "#1 to 'outline' (column 3, row 1: the value is infinite)" },
    { { value_at(1, 1, "1"), 3, 3 },
      "#1 to 'outline' (column 1, row 1: the value must be a number or a boolean, not a string)" },
    { { value_at(2, 2, {}), 3, 3 },
      "#1 to 'outline' (column 2, row 2: the value must be a number or a boolean, not a table)" },
    { { value_at(2, 2, true), 3, 3 }, "#1 to 'outline' (column 2, row 2: some values are numbers, and some are true)" },
  }
  for i, case in ipairs(ERRORS) do
    it(("says what is wrong: %d: %s"):format(i, case[2]), function()
      local ok, message = pcall(sat.outline, unpack(case[1], 1, #case[1]))
      assert.is_false(ok)
      assert.equal("bad argument " .. case[2], (tostring(message):gsub("^[^:\n]*:%d+: ", "")))
    end)
  end
end)

-- ---------------------------------------------------------------- simpler rings

local function distance(px, py, ax, ay, bx, by)
  local dx, dy = bx - ax, by - ay
  local square = dx * dx + dy * dy
  local t = square > 0 and max(0, min(1, ((px - ax) * dx + (py - ay) * dy) / square)) or 0
  return sqrt((ax + t * dx - px) ^ 2 + (ay + t * dy - py) ^ 2)
end

-- Each vertex of `ring` is one of `given`, in order, and those between lie near the edge.
local function check_subset(given, ring, tolerance)
  assert.is_true(#ring >= 6)
  local function places(start)
    local list, j = {}, start
    for i = 1, #ring, 2 do
      while j <= #given and (given[j] ~= ring[i] or given[j + 1] ~= ring[i + 1]) do j = j + 2 end
      if j > #given then return nil end
      list[#list + 1] = j
      j = j + 2
    end
    return list
  end
  local list = assert(places(1), "no subset")
  for k, from in ipairs(list) do
    local to, j = list[k + 1] or list[1], from
    while j ~= to do
      assert.is_true(distance(given[j], given[j + 1], given[from], given[from + 1], given[to], given[to + 1])
        <= tolerance + 1e-12)
      j = j + 2 > #given and 1 or j + 2
    end
  end
end

describe("sat.simplify", function()
  it("keeps rings of random grids near, simple and apart, and of their sign", function()
    for round = 1, 90 do
      local grid = random_grid(round % 2 == 0 and "levels" or "any number")
      local rings = support.all_rings((sat.outline(grid, grid.w, grid.h)))
      local tolerance = ({ 0, 0.3, 0.75, 2 })[round % 4 + 1]
      local simple = sat.simplify(rings, tolerance)
      assert.equal(#rings, #simple)
      for k, ring in ipairs(simple) do
        check_subset(rings[k], ring, tolerance)
        assert.is_true(sat.validate(ring))
        assert.equal(area(rings[k]) > 0, area(ring) > 0)
      end
      support.check_edges(simple)
    end
  end)

  it("gives tables like those given: one ring, rings, polygons, none", function()
    local ring, same = { 0, 0, 1, 0, 2, 0, 2, 2, 0, 2 }, { 0, 0, 2, 0, 2, 2, 0, 2 }
    assert.same(same, sat.simplify(ring, 0))
    assert.same({ same }, sat.simplify({ ring }, 0))
    local far = { 10, 0, 11, 0, 12, 0, 12, 2, 10, 2 }
    assert.same({ { same }, { { 10, 0, 12, 0, 12, 2, 10, 2 } } }, sat.simplify({ { ring }, { far } }, 0))
    assert.same({}, sat.simplify({}, 0))
    assert.same({ 0, 0, 1, 0, 2, 0, 2, 2, 0, 2 }, ring)
  end)

  it("lets a ring that lies in the way keep a vertex", function()
    local bump, inside = { 0, 0, 5, -1, 10, 0, 10, 9, 0, 9 }, { 5, -0.5, 5.1, -0.4, 4.9, -0.4 }
    assert.equal(8, #sat.simplify(bump, 1))
    assert.equal(10, #sat.simplify({ bump, inside }, 1)[1])
  end)

  it("leaves the ends of open runs, and two vertices of each", function()
    assert.same({ 0, 0, 5, 0 }, sat.simplify({ 0, 0, 1, 0.1, 2, 0, 5, 0 }, 0.5, true))
    assert.same({ { 0, 0, 5, 0 }, { 9, 9, 8, 8 } }, sat.simplify({ { 0, 0, 2, 0, 5, 0 }, { 9, 9, 8, 8 } }, 9, true))
  end)

  it("takes only what lies on straight lines, exactly, for a tolerance of 0", function()
    local x = 0.1 + 0.2
    assert.same({ 0, 0, 3, 3, 0, 3 }, sat.simplify({ 0, 0, x, x, 3, 3, 0, 3 }, 0))
    local near = { 0, 0, 1, 1 + 1e-15, 3, 3, 0, 3 }
    assert.same(near, sat.simplify(near, 0))
  end)

  it("takes a long flight of steps in its stride", function()
    local run = {}
    for i = 1, 100000 do run[2 * i - 1], run[2 * i] = floor(i / 2), floor((i + 1) / 2) end
    assert.equal(4, #sat.simplify(run, 0.8, true))
  end)

  local ERRORS = {
    { {}, "#1 to 'simplify' (rings must be a table, but is missing)" },
    { { { 0, 0, 1, 0, 1, 1 } }, "#2 to 'simplify' (tolerance must be a number, but is missing)" },
    { { { 0, 0, 1, 0, 1, 1 }, -1 }, "#2 to 'simplify' (tolerance must not be negative)" },
    { { { 0, 0, 1, 0, 1, 1 }, 0 / 0 }, "#2 to 'simplify' (tolerance is NaN)" },
    { { { 0, 0, 1, 0, 1, 1 }, 1, 1 }, "#3 to 'simplify' (open must be a boolean, not a number)" },
    { { { 0, 0, 1, 0, 1, 1 }, 1, true, 1 },
      "#4 to 'simplify' (one too many for sat.simplify(rings, tolerance, open))" },
    { { { 0, 0, 1, 0 }, 1 }, "#1 to 'simplify' (ring 1 has fewer than three vertices)" },
    { { { { 0, 0, 1, 0, 1, 1 }, {} }, 1 }, "#1 to 'simplify' (ring 2 has fewer than three vertices)" },
    { { { 0, 0 }, 1, true }, "#1 to 'simplify' (ring 1 has fewer than two vertices)" },
    { { { 0, 0, 1, 0, 1 }, 1 }, "#1 to 'simplify' (vertex 3: y is missing)" },
    { { { 0, 0, 1, nil, 1, 1 }, 1 }, "#1 to 'simplify' (vertex 2: y is missing)" },
    { { { { 0, 0, 1, 0, 1, 1 }, { 0, 0, "1", 0, 1, 1 } }, 1 },
      "#1 to 'simplify' (ring 2, vertex 2: x must be a number, not a string)" },
    { { { { 0, 0, 1, 0, 1, huge } }, 1 }, "#1 to 'simplify' (ring 1, vertex 3: y is infinite)" },
    { { { { 0, 0, 1, 0, 1, 1 }, 5 }, 1 }, "#1 to 'simplify' (ring 2 must be a table, not a number)" },
    { { { { 0, 0, 1, 0, 1, 1 }, nil, { 0, 0, 1, 0, 1, 1 } }, 1 },
      "#1 to 'simplify' (ring 2 must be a table, not a nil)" },
  }
  local empty, lists = {}, {}
  for i = 1, 1600 do empty[i] = {} end
  for i = 1, 1600 do lists[i] = empty end
  ERRORS[#ERRORS + 1] = { { lists, 1 }, "#1 to 'simplify' (more than 2500000 rings)" }
  for i, case in ipairs(ERRORS) do
    it(("says what is wrong: %d: %s"):format(i, case[2]), function()
      local ok, message = pcall(sat.simplify, unpack(case[1], 1, #case[1]))
      assert.is_false(ok)
      assert.equal("bad argument " .. case[2], (tostring(message):gsub("^[^:\n]*:%d+: ", "")))
    end)
  end
end)

-- ---------------------------------------------------------------- holes

local SQUARE, HOLE = { 0, 0, 9, 0, 9, 9, 0, 9 }, { 2, 2, 7, 2, 7, 7, 2, 7 }

describe("a polygon with holes", function()
  it("is the ring without the holes, in whatever winding", function()
    for _, hole in ipairs { HOLE, { 2, 7, 7, 7, 7, 2, 2, 2 } } do
      local frame = sat.polygon { SQUARE, hole }
      assert.equal(56, frame:area())
      assert.equal("polygon", frame:kind())
      assert.is_false(frame:contains(4.5, 4.5))
      assert.is_true(frame:contains(1, 4.5))
      assert.is_false(frame:overlaps(sat.circle(4.5, 4.5, 2)))
      assert.is_true(frame:overlaps(sat.circle(4.5, 4.5, 2.6)))
      assert.equal(20, select(2, frame:vertices()) * 2)
      assert.equal(56, sat.polygon((frame:vertices())):area())
    end
  end)

  it("may have no hole, or a ring that is convex without", function()
    assert.is_true(sat.polygon({ SQUARE }):isConvex())
    assert.same(SQUARE, (sat.polygon({ SQUARE }):vertices()))
  end)

  it("has holes that touch the ring and each other", function()
    local shape = sat.polygon { SQUARE, { 0, 0, 2, 0, 2, 2, 0, 2 }, { 2, 2, 5, 2, 5, 5, 2, 5 } }
    assert.equal(81 - 4 - 9, shape:area())
    assert.is_false(shape:contains(1, 1))
    assert.is_false(shape:contains(3, 3))
    assert.is_true(shape:contains(2, 2))
    assert.is_true(shape:contains(1, 3))
  end)

  it("is saved and loaded like every polygon", function()
    local world = sat.world():add(sat.polygon { SQUARE, HOLE })
    local other = sat.world():load(world:save())
    assert.equal(56, other:shapes()[1]:area())
  end)

  local ERRORS = {
    { { SQUARE, { 20, 0, 21, 0, 21, 1 } }, "ring 2: the hole lies outside the ring or in another hole" },
    { { SQUARE, HOLE, { 3, 3, 4, 3, 4, 4 } }, "ring 3: the hole lies outside the ring or in another hole" },
    { { SQUARE, { 5, 5, 12, 5, 12, 6, 5, 6 } },
      "ring 1: the edge from vertex 2 to 3 crosses or runs along the one from 1 to 2 of ring 2" },
    { { SQUARE, { 1, 1, 2, 2 } },
      "ring 2: fewer than three vertices are distinct: each ring is one flat table {x1, y1, ...}" },
    { { SQUARE, { 1, 1, 2, 2, 3, 3 } }, "ring 2: the vertices enclose no area" },
    { { SQUARE, { 1, 1, 3, 3, 3, 1, 1, 3 } },
      "ring 2: the edge from vertex 1 to 2 crosses or runs along the one from 3 to 4 of ring 2" },
    { { SQUARE, { 1, 1, 2, 0 / 0, 3, 3 } }, "ring 2, vertex 2: y is NaN" },
    { { SQUARE, { 1, 1, 2, "2", 3, 3 } }, "ring 2, vertex 2: y must be a number, not a string" },
    { { SQUARE, { 1, 1, 2 } }, "ring 2, vertex 2: y is missing" },
    { { SQUARE, 7 }, "ring 2 must be a table, not a number" },
    { { { SQUARE, HOLE } }, "ring 1, vertex 1: x must be a number, not a table" },
  }
  for _, case in ipairs(ERRORS) do
    it("says what is wrong: " .. case[2], function()
      local ok, message = pcall(sat.polygon, case[1])
      assert.is_false(ok)
      assert.equal("bad argument #1 to 'polygon' (" .. case[2] .. ")", (tostring(message):gsub("^[^:\n]*:%d+: ", "")))
    end)
  end
end)

-- ---------------------------------------------------------------- finalizers

describe("a finalizer that runs while rings are read", function()
  it("may use the module, and may change the tables", function()
    local grid = random_grid("boolean")
    local expected = sat.outline(grid, grid.w, grid.h)
    for _ = 1, 200 do
      local ring, hole = { 0, 0, 9, 0, 9, 9, 0, 9 }, { 2, 2, 7, 2, 7, 7, 2, 7 }
      support.finalized(function()
        sat.outline({ true, false, true, true }, 2, 2)
        sat.simplify({ 0, 0, 1, 0, 2, 0, 2, 2 }, 1)
        hole[9], hole[10] = 1, 3
      end)
      collectgarbage("step", 1)
      local ok, shape = pcall(sat.polygon, { ring, hole })
      assert.is_true(ok and shape:area() > 0 or tostring(shape):find("have changed") ~= nil
        or tostring(shape):find("vertices") ~= nil, tostring(shape))
      assert.same(expected, (sat.outline(grid, grid.w, grid.h)))
    end
  end)
end)
