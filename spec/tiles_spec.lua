-- What sat.tiles promises: few shapes, the same places as by single tiles, one chunk made anew, tiles told for hits.
local sat = require "sat"
local tiles = require "sat.tiles"
local generator = require("spec.support").generator

local SEED = require("spec.support").SEED

-- A cave: random tiles, smoothed, and a slope in some of the corners. Returns a function as tiles.new wants it.
local function cave(random, columns, rows, size)
  local full = {}
  local function get(column, row)
    if column < 1 or row < 1 or column > columns or row > rows then return true end
    return full[(row - 1) * columns + column]
  end
  for i = 1, columns * rows do full[i] = random(1, 100) <= 47 end
  for _ = 1, 3 do
    local next_full = {}
    for row = 1, rows do
      for column = 1, columns do
        local count = 0
        for dy = -1, 1 do
          for dx = -1, 1 do count = count + (get(column + dx, row + dy) and 1 or 0) end
        end
        next_full[(row - 1) * columns + column] = count >= 5
      end
    end
    full = next_full
  end
  local up, down = { 0, size, size, 0, size, size }, { 0, 0, size, size, 0, size }
  return function(column, row)
    if get(column, row) then return true end
    if not get(column, row + 1) or get(column, row - 1) then return nil end
    local is_left, is_right = get(column - 1, row), get(column + 1, row)
    if is_left == is_right then return nil end
    return is_right and up or down
  end
end

-- The same tiles, a shape for each.
local function single_tiles(at, columns, rows, size)
  local world = sat.world()
  for row = 1, rows do
    for column = 1, columns do
      local x1, y1, x2, y2 = (column - 1) * size, (row - 1) * size, column * size, row * size
      local value = at(column, row)
      if value == true then world:add(sat.polygon(x1, y1, x2, y1, x2, y2, x1, y2):setStatic(true)) end
      if type(value) == "table" then
        local vertices = {}
        for i = 1, #value, 2 do
          vertices[i] = value[i] == size and x2 or x1 + value[i]
          vertices[i + 1] = value[i + 1] == size and y2 or y1 + value[i + 1]
        end
        world:add(sat.polygon(vertices):setStatic(true))
      end
    end
  end
  return world
end

local MAKERS = {
  function(x, y, s) return sat.rectangle(x, y, 0.7 * s, 1.2 * s) end,
  function(x, y, s) return sat.circle(x, y, 0.4 * s) end,
  function(x, y, s) return sat.capsule(x, y, x, y + 0.6 * s, 0.35 * s) end,
}

-- Shapes in the air of a world.
local function flyers(random, world, width, height, size, count)
  local list = {}
  while #list < count do
    local shape = MAKERS[random(1, #MAKERS)](random(0, 9999) / 9999 * width, random(0, 9999) / 9999 * height, size)
    if not world:collide(shape) then list[#list + 1] = shape end
  end
  return list
end

describe("a map of tiles", function()
  for _, size in ipairs { 16, 17.3 } do
    it(("of %g is to walkers what single tiles are"):format(size), function()
      local corners = 0
      for seed = SEED, SEED + 2 do
        local random, world = generator(seed % 100000 + 1), sat.world()
        local at = cave(random, 60, 40, size)
        tiles.new(world, 60, 40, size, at, { chunk = random(5, 40), separate = seed == SEED })
        local single = single_tiles(at, 60, 40, size)
        for i, shape in ipairs(flyers(random, single, 60 * size, 40 * size, size, 30)) do
          local other = shape:clone()
          for frame = 1, 60 do
            local dx, dy = random(-100, 100) / 300 * size, random(-100, 100) / 300 * size
            local x, y = single:move(shape, dx, dy)
            local x2, y2 = world:move(other, dx, dy)
            -- In a corner two surfaces are met at once, in either order.
            local at_once = 0
            for _, _, _, t in single:hits() do at_once = at_once + (t < 1e-6 and 1 or 0) end
            if at_once > 1 then
              corners = corners + 1
              other = shape:clone()
              x2, y2 = x, y
            end
            assert(math.abs(x - x2) + math.abs(y - y2) < 1e-6,
              ("seed %d, shape %d, frame %d: %.17g, %.17g and %.17g, %.17g"):format(seed, i, frame, x, y, x2, y2))
            local _, _, depth = world:collide(other)
            assert(depth == nil or depth < 1e-12, ("seed %d, shape %d, frame %d: inside by %s"):format(seed, i, frame,
              tostring(depth)))
          end
        end
      end
      assert(corners < 1000, "most frames are compared")
    end)

    it(("of %g is to casts and rays what single tiles are"):format(size), function()
      local random, world = generator(SEED % 100000 + 1), sat.world()
      local at = cave(random, 60, 40, size)
      tiles.new(world, 60, 40, size, at, { chunk = 13 })
      local single = single_tiles(at, 60, 40, size)
      for i, shape in ipairs(flyers(random, single, 60 * size, 40 * size, size, 300)) do
        local dx, dy = random(-500, 500) / 100 * size, random(-500, 500) / 100 * size
        local _, t, nx, ny = single:cast(shape, dx, dy)
        local _, t2, nx2, ny2 = world:cast(shape, dx, dy)
        local message = ("seed %d, shape %d: %s and %s"):format(SEED, i, tostring(t), tostring(t2))
        assert((t == nil) == (t2 == nil), message)
        assert(not t or math.abs(t - t2) < 1e-9 and math.abs(nx - nx2) + math.abs(ny - ny2) < 1e-9, message)
        local x, y = shape:center()
        _, t = single:raycast(x, y, x + dx, y + dy)
        _, t2 = world:raycast(x, y, x + dx, y + dy)
        assert((t == nil) == (t2 == nil) and (not t or math.abs(t - t2) < 1e-9), message)
      end
    end)
  end

  it("of 256 by 256 tiles is few shapes: a third of these at most, and as compounds a hundredth", function()
    local at, count = cave(generator(SEED % 100000 + 1), 256, 256, 16), 0
    local function at_counted(column, row)
      local value = at(column, row)
      count = count + (value and 1 or 0)
      return value
    end
    local apart, compounds = sat.world(), sat.world()
    tiles.new(apart, 256, 256, 16, at_counted)
    assert.is_true(count > 10000 and apart:count() < count / 3)
    tiles.new(compounds, 256, 256, 16, at, { separate = false })
    assert.is_true(compounds:count() <= 256 and compounds:count() < count / 100)
    for _, shape in ipairs(apart:shapes()) do
      local _, _, w, h = shape:bounds()
      assert.is_true(w <= 16 * 16 and h <= 16 * 16)
    end
  end)

  it("tells what was in a cell, and the cell of a hit", function()
    local random, world = generator(SEED % 100000 + 1), sat.world()
    local at = cave(random, 60, 40, 16)
    local map = tiles.new(world, 60, 40, 16, at, { x = -100, y = 50, chunk = 9 })
    for row = 1, 40 do
      for column = 1, 60 do
        assert.equal(at(column, row) or false, map:get(column, row))
        assert.same({ column, row }, { map:cell(-100 + column * 16 - 8, 50 + row * 16 - 5) })
      end
    end
    local hits = 0
    for _ = 1, 300 do
      local x, y = random(0, 950) - 99.5, random(0, 630) + 50.5
      local angle = random(1, 628) / 100
      local shape, t, nx, ny, px, py = world:raycast(x, y, x + 200 * math.cos(angle), y + 200 * math.sin(angle))
      if shape and t > 0 then
        hits = hits + 1
        assert.equal(map, shape:data())
        local column, row = map:cell(px, py, nx, ny)
        assert.is_truthy(at(column, row))
        column, row = map:cell(px, py)
        assert.is_truthy(at(column, row))
      end
    end
    assert.is_true(hits > 50)
    assert.is_nil((map:cell(-101, 60)))
    assert.is_nil((map:cell(0, 50 + 641)))
  end)

  it("is changed tile by tile, and only the chunk is made anew", function()
    local random, world = generator(SEED % 100000 + 1), sat.world()
    local grid = {}
    for i = 1, 30 * 20 do grid[i] = random(0, 1) == 1 end
    local function at(column, row) return grid[(row - 1) * 30 + column] end
    local map = tiles.new(world, 30, 20, 10, at, { chunk = 8, separate = false })
    local others = sat.world()
    local apart = tiles.new(others, 30, 20, 10, at, { chunk = 8 })
    for _ = 1, 200 do
      local before = {}
      for _, shape in ipairs(world:shapes()) do before[shape] = true end
      local column, row = random(1, 30), random(1, 20)
      grid[(row - 1) * 30 + column] = not at(column, row)
      assert.equal(map, map:set(column, row, at(column, row)))
      apart:set(column, row, at(column, row))
      local new = 0
      for _, shape in ipairs(world:shapes()) do new = new + (before[shape] and 0 or 1) end
      assert.is_true(new <= 1)
    end
    for row = 1, 20 do
      for column = 1, 30 do
        assert.equal(at(column, row), #world:at(column * 10 - 5, row * 10 - 5) == 1)
        assert.equal(at(column, row), #others:at(column * 10 - 5, row * 10 - 5) == 1)
      end
    end
    local fresh, area, wanted = sat.world(), 0, 0
    tiles.new(fresh, 30, 20, 10, at, { chunk = 8, separate = false })
    for _, shape in ipairs(world:shapes()) do area = area + shape:area() end
    for _, shape in ipairs(fresh:shapes()) do wanted = wanted + shape:area() end
    assert.equal(fresh:count(), world:count())
    assert.is_true(math.abs(area - wanted) < 1e-6)
    for row = 1, 20 do
      for column = 1, 30 do map:set(column, row, nil) end
    end
    assert.equal(0, world:count())
  end)

  it("has rectangles that are the polygons of their corners, to the last bit", function()
    for _, size in ipairs { 1, 17.3, 1 / 3, 1e-7, 1e9 } do
      local world, x, y = sat.world(), -5.7 * size, size / 7
      local map = tiles.new(world, 40, 40, size, function() return true end, { x = x, y = y })
      map:fill(sat.circle(x + 12 * size, y + 20 * size, 9.3 * size), false)
      for _, shape in ipairs(world:shapes()) do
        local left, top, w, h = shape:bounds()
        local column, row = math.floor((left - x) / size + 0.5), math.floor((top - y) / size + 0.5)
        local columns, rows = math.floor(w / size + 0.5), math.floor(h / size + 0.5)
        local x1, y1, x2, y2 = x + column * size, y + row * size, x + (column + columns) * size, y + (row + rows) * size
        local polygon = sat.polygon(x1, y1, x2, y1, x2, y2, x1, y2):setStatic(true)
        assert.equal(map, shape:data())
        assert.is_true(sat.world():add(polygon):save() == sat.world():add(shape:clone()):save())
      end
    end
  end)

  it("makes a changed slope anew behind one that leaves", function()
    local world, slope = sat.world(), { 0, 0, 10, 10, 0, 10 }
    local map = tiles.new(world, 4, 1, 10, function(column) return column < 3 and slope or nil end)
    map:edit(function()
      map:set(1, 1, nil)
      map:set(2, 1, { 10, 0, 10, 10, 0, 10 })
    end)
    local shapes = world:shapes()
    assert.equal(1, #shapes)
    assert.same({ 20, 0, 20, 10, 10, 10 }, { shapes[1]:unpack() })
  end)

  it("keeps the rectangles and slopes that a changed tile leaves as they are, with their data and pairs", function()
    local random, world, prepared = generator(SEED % 100000 + 1), sat.world(), 0
    local slope, other = { 0, 10, 10, 0, 10, 10 }, { 0, 0, 10, 10, 0, 10 }
    local parts = { true, true, true, false, slope, other }
    local map = tiles.new(world, 30, 20, 10, function() return parts[random(1, #parts)] end, {
      chunk = 8, prepare = function() prepared = prepared + 1 end,
    })
    local function by_place()
      local places = {}
      for _, shape in ipairs(world:shapes()) do
        local x, y, w, h = shape:bounds()
        places[("%g %g %g %g %g"):format(x, y, w, h, shape:area())] = shape
      end
      return places
    end
    for _ = 1, 200 do
      local before, count = by_place(), prepared
      map:set(random(1, 30), random(1, 20), parts[random(1, #parts)])
      local new = 0
      for place, shape in pairs(by_place()) do
        if not before[place] then new = new + 1 end
        -- Both slopes have one area: a slope that has become the other one is new.
        assert(not before[place] or before[place] == shape or shape:area() == 50, place)
        if before[place] ~= shape and before[place] then new = new + 1 end
      end
      assert.equal(new, prepared - count)
      assert.is_true(new <= 5)
    end
    local floor = sat.world()
    map = tiles.new(floor, 16, 16, 10, function(_, row) return row > 8 end)
    local box, ground = sat.rectangle(75, 70, 10, 10), floor:shapes()[1]
    floor:add(box)
    ground:setData "ground"
    floor:update()
    map:set(3, 3, true)
    local began, ended = floor:update()
    assert.same({ 0, 0, "ground" }, { began, ended, floor:at(80, 85)[1]:data() })
  end)

  it("prepares each of its shapes", function()
    local world, seen = sat.world(), 0
    tiles.new(world, 4, 4, 10, function() return true end, { chunk = 2, prepare = function(shape)
      seen = seen + 1
      shape:setFilter(4, 2)
    end })
    assert.equal(4, seen)
    for _, shape in ipairs(world:shapes()) do assert.same({ 4, 2, 0 }, { shape:filter() }) end
  end)
end)

describe("tiles.new and its methods", function()
  local world = sat.world()
  local function none() end

  local function raises(message, f, ...)
    local arguments, count = { ... }, select("#", ...)
    local unpack = table.unpack or unpack
    local ok, text = pcall(function()
      f(unpack(arguments, 1, count))
      return true
    end)
    assert.is_false(ok)
    assert.matches(message, text, 1, true)
    assert.matches("^[^\n]*tiles_spec.lua:%d+: ", text)
    assert.equal(0, world:count())
  end

  it("name what is wrong", function()
    raises("bad argument #1 to 'new' (world must be a world, not nil)", tiles.new)
    raises("bad argument #2 to 'new' (columns must be a whole number from 1 to 1000000, not 0)", tiles.new, world, 0)
    raises("bad argument #3 to 'new' (rows must be a whole number from 1 to 1000000, not 1.5)", tiles.new, world, 1,
      1.5)
    raises("bad argument #4 to 'new' (size must be a finite number above 0, not 0)", tiles.new, world, 1, 1, 0)
    raises("bad argument #5 to 'new' (at must be a function, not a table)", tiles.new, world, 1, 1, 8, {})
    raises("(there is no option 'chunks'; the nearest is 'chunk')", tiles.new, world, 1, 1, 8, none, { chunks = 3 })
    raises("(chunk must be a whole number, not 2.5)", tiles.new, world, 1, 1, 8, none, { chunk = 2.5 })
    raises("(separate must be a boolean, not 1)", tiles.new, world, 1, 1, 8, none, { separate = 1 })
    raises("(prepare must be a function, not 1)", tiles.new, world, 1, 1, 8, none, { prepare = 1 })
    local function of(value) return function(column) return column == 3 and value end end
    raises("(at gives a bad tile for column 3, row 1: a tile must be nil, a boolean or vertices, not 7)", tiles.new,
      world, 3, 1, 8, of(7))
    raises("(at gives a bad tile for column 3, row 1: number 5 of the vertices must be from 0 to 8, not 9)", tiles.new,
      world, 3, 1, 8, of { 0, 0, 8, 0, 9, 8 })
    raises("(at gives a bad tile for column 3, row 1: ", tiles.new, world, 3, 1, 8, of { 0, 0, 8, 8, 8, 0, 0, 8 })
    raises("(at gives a bad tile for column 3, row 1: fewer than three vertices are distinct)", tiles.new, world, 3, 1,
      8, of {})
    local map = tiles.new(world, 3, 2, 8, none)
    raises("bad argument #1 to 'get' (column must be a whole number from 1 to 3, not 4)", map.get, map, 4, 1)
    raises("bad argument #2 to 'set' (row must be a whole number from 1 to 2, not 3)", map.set, map, 1, 3)
    raises("bad argument #3 to 'set' (a tile must be nil, a boolean or vertices, not 'x')", map.set, map, 1, 1,
      "x")
    raises("bad argument #1 to 'cell' (x must be a finite number, not nil)", map.cell, map)
    raises("bad argument #3 to 'cell' (nx must be a finite number, not 'a')", map.cell, map, 16, 5, "a")
    raises("bad argument #4 to 'cell' (ny must be a finite number, not 'a')", map.cell, map, 16, 5, 0, "a")
    local colon = "calling '%s' on bad self (it must be a map, not 16; a method is called with a colon, map:%s())"
    for _, name in ipairs { "cell", "get", "set" } do raises(colon:format(name, name), map[name], 16, 5) end
  end)

  it("leave the map as it was where a shape cannot be made", function()
    local map = tiles.new(sat.world(), 3, 2, 8, none, { prepare = function() error "no" end })
    assert.error_matches(function() map:set(1, 1, true) end, "no")
    assert.is_false(map:get(1, 1))
  end)
end)

-- The state of a world that an error must leave as it was: its save, and which shapes it has.
local function state_of(world) return { world:save(), world:shapes() } end

describe("a map of tiles that cannot be made", function()
  local unpack = table.unpack or unpack

  it("leaves the world as it was, wherever a function of the game raises an error", function()
    local world = sat.world():add(sat.circle(5, 5, 3))
    local before = state_of(world)
    for _, separate in ipairs { false, true } do
      for last = 1, 9 do
        local shapes, asked = 0, 0
        assert.error_matches(function()
          tiles.new(world, 6, 6, 10, function() return true end, { chunk = 2, separate = separate, prepare = function()
            shapes = shapes + 1
            if shapes == last then error("no", 0) end
          end })
        end, "^no$")
        assert.error_matches(function()
          tiles.new(world, 3, 3, 10, function()
            asked = asked + 1
            return asked < last or error("nor here", 0)
          end, { chunk = 1 })
        end, "^nor here$")
        assert.same(before, state_of(world))
      end
    end
    local refused = pcall(tiles.new, world, 4, 1, 10, function() return true end, { chunk = 1, prepare = function(shape)
      if shape:bounds() == 30 then sat.world():add(shape) end
    end })
    assert.is_false(refused)
    assert.same(before, state_of(world))
  end)

  it("is not to be changed by what prepares its shapes", function()
    local world = sat.world()
    assert.error_matches(function()
      tiles.new(world, 2, 2, 10, function() return true end, {
        prepare = function(shape) shape:data():set(1, 1, nil) end,
      })
    end, "^the map cannot change before it is made")
    assert.equal(0, world:count())
  end)

  it("is refused where it has too many tiles, or reaches too far", function()
    local world, asked = sat.world(), 0
    local function at() asked = asked + 1 end
    for text, call in pairs {
      ["bad argument #3 to 'new' (columns times rows must be at most 16777216, not 1000000000000)"] = { 1e6, 1e6, 16 },
      ["bad argument #4 to 'new' (the grid would reach beyond 1e15 in x)"] = { 10, 10, 1e15 },
      ["bad argument #4 to 'new' (the grid would reach beyond 1e15 in y)"] = { 1, 10, 9, { y = 1e15 } },
    } do
      local ok, message = pcall(tiles.new, world, call[1], call[2], call[3], at, call[4])
      assert.is_false(ok)
      assert.matches(text, message, 1, true)
    end
    assert.equal(0, asked)
    -- Far out, where numbers are 0.125 apart, a smaller tile has no area.
    local ok, message = pcall(tiles.new, world, 2, 2, 0.03125, function(column) return column == 2 end, { x = 9e14 })
    assert.is_false(ok)
    assert.matches("^bad argument #5 to 'new' %(column 2, row 1: fewer than three", message)
    assert.equal(0, world:count())
  end)

  it("may be long and thin", function()
    local world = sat.world()
    local map = tiles.new(world, 1e6, 1, 1, function(column) return column % 250000 == 0 end, { chunk = 1e6 })
    assert.same({ 4, true, false }, { world:count(), map:get(1e6, 1), map:get(1, 1) })
    map:set(1, 1, true)
    assert.equal(1, #world:at(0.5, 0.5))
  end)

  it("has chunks no larger than itself, however large they may be", function()
    local world, far = sat.world(), 1e6
    local map = tiles.new(world, far, 1, 1, function(column) return column > far - 20 and column < far - 5 end,
      { chunk = far })
    map:set(far - 5, 1, true)
    assert.same({ 1, 0 }, { #world:at(far - 5.5, 0.5), #world:at(far - 4.5, 0.5) })
    map:fill(far - 7, 1, 3, 1, nil)
    assert.same({ 1, 0 }, { #world:at(far - 8.5, 0.5), #world:at(far - 7.5, 0.5) })
    map = tiles.new(sat.world(), 2, 2e5, 1, function(_, row) return row == 2e5 end, { chunk = far })
    assert.same({ 2, 1, true }, { map:edit(map.fill, 1, 2, 2, 1, { 0, 0, 1, 0, 1, 1 }), map.world:count() - 2,
      map:get(2, 2e5) })
  end)

  it("keeps what it was given, whatever becomes of the list of vertices", function()
    local world, slope = sat.world(), { 0, 16, 16, 0, 16, 16 }
    local map = tiles.new(world, 4, 1, 16, function(column) return column == 1 and slope or nil end)
    for _, change in ipairs { { 0, 1000, 1000, 0, 16, 16 }, { "a", "b" }, { 0, 16, 16, 0 } } do
      for i = 1, 6 do slope[i] = change[i] end
      map:set(3, 1, true)
      assert.same({ 1, 1, 0 }, { #world:at(12, 12), #world:at(40, 8), #world:at(100, 100) })
      assert.error_matches(function() map:set(2, 1, slope) end, "bad argument #3 to 'set'")
      assert.equal(slope, map:get(1, 1))
      map:set(3, 1, nil)
    end
    for i, number in ipairs { 0, 0, 16, 16, 0, 16 } do slope[i] = number end
    map:set(2, 1, slope)
    assert.same({ 1, 0, 1, 0 }, { #world:at(12, 14), #world:at(2, 4), #world:at(20, 12), #world:at(28, 4) })
  end)

  it("is one whose prepare sets tiles nearby", function()
    for _, separate in ipairs { false, true } do
      local world, depth, map = sat.world(), 0, nil
      local function prepare()
        if not map or depth > 0 then return end
        depth = depth + 1
        map:set(2, 2, nil)
        depth = depth - 1
      end
      local function at() return true end
      map = tiles.new(world, 4, 2, 10, at, { chunk = 2, separate = separate, prepare = prepare })
      assert.error_matches(function() map:set(1, 1, nil) end,
        "^another tile near this one has been set meanwhile")
      assert.same({ true, false }, { map:get(1, 1), map:get(2, 2) })
      map:set(3, 1, nil)
      for row = 1, 2 do
        for column = 1, 4 do
          assert.equal(map:get(column, row) and 1 or 0, #world:at(column * 10 - 5, row * 10 - 5))
        end
      end
    end
  end)

  it("is one whose shapes have gone to another world", function()
    local world, other = sat.world(), sat.world()
    local map = tiles.new(world, 2, 2, 10, function() return true end, { separate = true, chunk = 1 })
    local lost = world:at(5, 5)[1]
    world:remove(lost)
    other:add(lost)
    map:set(1, 1, { 0, 0, 10, 0, 10, 10 })
    assert.same({ 4, 1, lost }, { world:count(), #world:at(8, 5), (unpack(other:at(8, 5))) })
    world:clear()
    map:set(2, 2, nil):set(1, 2, true)
    assert.equal(1, world:count())
  end)

  it("is not changed while a move waits for a response", function()
    local world = sat.world()
    local map = tiles.new(world, 3, 1, 10, function() return true end)
    local before, said = state_of(world), nil
    local circle = sat.circle(-20, 5, 3)
    world:move(circle, 50, 0, function()
      local ok, message = pcall(map.set, map, 1, 1, nil)
      said = not ok and message
      return "slide"
    end)
    assert.matches("the world cannot change until the function that it asks has returned", said, 1, true)
    assert.is_true(map:get(1, 1))
    assert.same(before, state_of(world))
  end)
end)

-- ---------------------------------------------------------------- edits

-- What the tiles of a plain table say, beside what the map and the world say.
local function check_model(map, world, grid, columns, rows, size)
  for row = 1, rows do
    for column = 1, columns do
      local tile = grid[(row - 1) * columns + column] or false
      assert.equal(tile, map:get(column, row))
      local x, y = (column - 0.5) * size + 0.01, (row - 0.5) * size + 0.02
      local wanted = tile == true or tile and sat.polygon(tile):contains(0.5 * size + 0.01, 0.5 * size + 0.02)
      assert.equal(wanted and 1 or 0, #world:at(x, y))
    end
  end
end

describe("an edit of a map of tiles", function()
  local COLUMNS, ROWS, SIZE = 40, 30, 8
  local SLOPE = { 0, 8, 8, 0, 8, 8 }

  local function new_map(random, options)
    local world, grid = sat.world(), {}
    local map = tiles.new(world, COLUMNS, ROWS, SIZE, function(column, row)
      local tile = random(1, 4) > 1 or nil
      grid[(row - 1) * COLUMNS + column] = tile
      return tile
    end, options)
    return map, world, grid
  end

  it("is what a plain table says, by blasts and blocks and tiles, in any form", function()
    local random = generator(SEED % 100000 + 1)
    for _, options in ipairs { {}, { chunk = 7 }, { chunk = 100 }, { separate = false, chunk = 8 } } do
      local map, world, grid = new_map(random, options)
      for _ = 1, 25 do
        local before, tile = {}, ({ true, false, SLOPE })[random(1, 3)]
        for i = 1, COLUMNS * ROWS do before[i] = grid[i] or false end
        local x, y, radius = random(-20, 340) + 0.25, random(-20, 260) + 0.5, random(1, 60)
        local left, top = random(1, COLUMNS), random(1, ROWS)
        local wide, high = random(1, COLUMNS - left + 1), random(1, math.min(4, ROWS - top + 1))
        local changed = map:edit(function(same, word)
          assert.equal(map, same)
          assert.equal("word", word)
          assert.equal(map, map:fill(sat.circle(x, y, radius), tile))
          for row = 1, ROWS do
            for column = 1, COLUMNS do
              local dx, dy = (column - 0.5) * SIZE - x, (row - 0.5) * SIZE - y
              if dx * dx + dy * dy <= radius * radius then grid[(row - 1) * COLUMNS + column] = tile end
            end
          end
          assert.equal(map, map:fill(left, top, wide, high, true))
          for row = top, top + high - 1 do
            for column = left, left + wide - 1 do grid[(row - 1) * COLUMNS + column] = true end
          end
          assert.equal(map, map:edit(function() map:set(left, top, SLOPE) end))
          grid[(top - 1) * COLUMNS + left] = SLOPE
          assert.equal(SLOPE, map:get(left, top))
        end, "word")
        local wanted = 0
        for i = 1, COLUMNS * ROWS do wanted = wanted + ((grid[i] or false) == before[i] and 0 or 1) end
        assert.equal(wanted, changed)
        check_model(map, world, grid, COLUMNS, ROWS, SIZE)
      end
      local fresh = sat.world()
      local full = 0
      tiles.new(fresh, COLUMNS, ROWS, SIZE, function(column, row)
        local tile = grid[(row - 1) * COLUMNS + column]
        full = full + (tile and 1 or 0)
        return tile
      end, options)
      assert.equal(fresh:count(), world:count())
      assert.same({ full, 0 }, { map:fill(1, 1, COLUMNS, ROWS, false), world:count() })
    end
  end)

  it("puts all back where it ends by an error, to the bit", function()
    local random, stops = generator(SEED % 100000 + 1), 0
    local fails = math.huge
    local map, world, grid = new_map(random, { chunk = 8, prepare = function()
      fails = fails - 1
      if fails == 0 then error("no", 0) end
    end })
    world:add(sat.circle(-50, -50, 5))
    local before = state_of(world)
    for last = 1, 60 do
      fails = last
      local ok, problem = pcall(map.edit, map, function()
        map:fill(sat.circle(160, 120, 70), nil):fill(sat.circle(160, 120, 20), true)
      end)
      fails = math.huge
      if ok then break end
      stops = stops + 1
      assert.equal("no", problem)
      assert.same(before, state_of(world))
      check_model(map, world, grid, COLUMNS, ROWS, SIZE)
    end
    assert.is_true(stops > 5)
    grid = {}
    map:fill(1, 1, COLUMNS, ROWS, nil)
    before = state_of(world)
    for message, f in pairs {
      ["^mine$"] = function() map:set(1, 1, true) error("mine", 0) end,
      ["bad argument #3 to 'set' %%(a tile must be"] = function() map:fill(1, 1, 3, 3, true) map:set(2, 2, 7) end,
      ["bad argument #2 to 'fill' %%(a tile must be"] = function()
        map:set(1, 1, true):fill(sat.circle(0, 0, 9), "x")
      end,
    } do
      assert.error_matches(function() map:edit(f) end, (message:gsub("%%%%", "%%")))
      assert.same(before, state_of(world))
      check_model(map, world, grid, COLUMNS, ROWS, SIZE)
    end
    assert.equal(1, map:edit(function() map:set(3, 3, true) end))
    assert.equal(1, #world:at(20, 20))
  end)

  it("is not left open by a function that yields", function()
    local map, world = new_map(generator(SEED % 100000 + 1), {})
    local before = state_of(world)
    local routine = coroutine.create(function()
      return pcall(map.edit, map, function()
        map:fill(1, 1, COLUMNS, ROWS, nil)
        coroutine.yield()
      end)
    end)
    local _, ok, problem = coroutine.resume(routine)
    assert.is_false(ok)
    assert.matches("bad argument #1 to 'edit' (f must not yield)", problem, 1, true)
    assert.same(before, state_of(world))
    map:fill(1, 1, COLUMNS, ROWS, nil)
    assert.equal(0, world:count())
  end)

  it("does not undo what its shapes' prepare sets in another chunk of it", function()
    local world, map, is_armed = sat.world(), nil, false
    map = tiles.new(world, 4, 2, 8, function() end, { chunk = 2, prepare = function()
      if is_armed then
        is_armed = false
        map:set(4, 2, true)
      end
    end })
    is_armed = true
    assert.error_matches(function() map:edit(function() map:set(1, 1, true):set(3, 1, true) end) end,
      "another tile near this one has been set meanwhile")
    assert.same({ false, false, true, 1 }, { map:get(1, 1), map:get(3, 1), map:get(4, 2), world:count() })
  end)

  it("may be interrupted anywhere by finalizers that set tiles", function()
    local random, done, refused, is_over = generator(SEED % 100000 + 1), 0, 0, false
    local map, world = new_map(random, { chunk = 8 })
    local function arm(finalize)
      if newproxy then -- luacheck: ignore 113
        getmetatable(newproxy(true)).__gc = finalize -- luacheck: ignore 113
      else
        setmetatable({}, { __gc = finalize })
      end
    end
    local function set_tile() map:set(random(1, COLUMNS), random(1, ROWS), random(0, 1) == 1) end
    local function finalize()
      if is_over then return end
      if pcall(set_tile) then done = done + 1 else refused = refused + 1 end
      arm(finalize)
    end
    arm(finalize)
    collectgarbage("setpause", 0)
    collectgarbage("setstepmul", 1000)
    pcall(collectgarbage, "incremental", 0, 1000, 6) -- a step for each 64 bytes, in Lua 5.4
    for _ = 1, 3000 do pcall(set_tile) end
    is_over = true
    collectgarbage("setpause", 200)
    collectgarbage("setstepmul", 200)
    pcall(collectgarbage, "incremental", 200, 100, 13)
    collectgarbage()
    assert(done > 20, ("%d set, %d refused"):format(done, refused))
    for row = 1, ROWS do
      for column = 1, COLUMNS do
        assert.equal(map:get(column, row) and 1 or 0, #world:at((column - 0.5) * SIZE, (row - 0.5) * SIZE))
      end
    end
    map:fill(1, 1, COLUMNS, ROWS, nil)
    assert.equal(0, world:count())
  end)

  it("names what is wrong with a block or a function", function()
    local map = tiles.new(sat.world(), 4, 3, 8, function() end)
    for message, arguments in pairs {
      ["bad argument #1 to 'fill' (column must be a whole number from 1 to 4, not 5)"] = { "fill", 5, 1, 1, 1, true },
      ["bad argument #1 to 'fill' (column must be a whole number from 1 to 4, not NaN)"] = { "fill", 0 / 0, 1, 1, 1 },
      ["bad argument #3 to 'fill' (columns must be a whole number from 1 to 2, not 3)"] = { "fill", 3, 1, 3, 1, true },
      ["bad argument #4 to 'fill' (rows must be a whole number from 1 to 1, not 0)"] = { "fill", 3, 3, 1, 0, true },
      ["bad argument #5 to 'fill' (a tile must be nil, a boolean or vertices, not 3)"] = { "fill", 1, 1, 1, 1, 3 },
      ["bad argument #1 to 'edit' (f must be a function, not 3)"] = { "edit", 3 },
      ["bad argument #1 to 'fill' (shape must be a shape, or a column, not a world)"] = { "fill", sat.world(), true },
    } do
      local unpack = table.unpack or unpack
      local ok, text = pcall(function()
        map[arguments[1]](map, unpack(arguments, 2))
        return true
      end)
      assert.is_false(ok)
      assert.matches(message, text, 1, true)
      assert.matches("^[^\n]*tiles_spec.lua:%d+: ", text)
    end
  end)

  it("fills the tiles whose centres a shape contains, whatever its kind", function()
    local random = generator(SEED % 100000 + 1)
    local makers = {
      function(x, y) return sat.rectangle(x, y, random(1, 20) * 4, random(1, 20) * 4) end,
      function(x, y) return sat.capsule(x, y, x + random(-9, 9) * 4, y + random(-9, 9) * 4, random(1, 30)) end,
      function(x, y) return sat.regular(x, y, random(4, 60), random(3, 9)):setRadius(random(0, 12)) end,
      function(x, y) return sat.polygon(x, y, x + 80, y, x + 80, y + 80, x + 60, y + 20, x, y + 60) end,
      function(x, y) return sat.compound(sat.circle(x, y, 20), sat.rectangle(x + 40, y - 8, 30, 60)) end,
      function(x, y) return sat.point(x, y) end,
    }
    for i = 1, 120 do
      local map = tiles.new(sat.world(), COLUMNS, ROWS, SIZE, function() end)
      local shape = makers[i % #makers + 1](random(-10, 90) * 4, random(-10, 70) * 4)
      if i % 2 == 0 then shape:rotate(random(0, 628) / 100) end
      local count = 0
      local changed = map:fill(shape, true)
      for row = 1, ROWS do
        for column = 1, COLUMNS do
          local is_in = shape:contains((column - 0.5) * SIZE, (row - 0.5) * SIZE)
          count = count + (is_in and 1 or 0)
          assert(is_in == map:get(column, row), ("seed %d, shape %d: %d, %d"):format(SEED, i, column, row))
        end
      end
      assert.equal(count, changed)
    end
  end)

  -- Of a row, `fill` takes a convex shape's first and last centre for the ends of one run.
  it("fills the tiles whose centres are on the outline of a convex shape as contains says", function()
    local random = generator(SEED % 100000 + 7)
    local side = 20
    local function turned(shape, x, y)
      local angles = { 0, math.pi / 2, math.pi, -math.pi / 2, 1e-16, -1e-15, math.pi / 4 }
      return shape:rotate(angles[random(1, #angles)], x, y)
    end
    for i = 1, 150 do
      local size = ({ 1, 4, 16, 0.1, 0.7, 1 / 3 })[random(1, 6)]
      local left, top = ({ 0, 0.3, -3000 })[random(1, 3)], ({ 0, 0.3, 1e6 + 1 / 3 })[random(1, 3)]
      local map = tiles.new(sat.world(), side, side, size, function() end, { x = left, y = top })
      local x, y = left + (random(4, 14) - 0.5) * size, top + (random(4, 14) - 0.5) * size
      local wide, high, radius = random(1, 8) * size, random(1, 5) * size, random(1, 5) * size
      local shape = turned(({
        function() return sat.circle(x, y, radius) end,
        function() return sat.capsule(x, y, x + wide, y, radius) end,
        function() return sat.rectangle(x, y, wide, high):setRadius(radius) end,
        function() return sat.polygon(x, y, x + wide, y, x + wide / 2, y + high):setRadius(radius) end,
        function() return sat.rectangle(x, y, wide, high) end,
      })[i % 5 + 1](), x, y)
      map:fill(shape, true)
      for row = 1, side do
        for column = 1, side do
          local is_in = shape:contains(left + (column - 0.5) * size, top + (row - 0.5) * size)
          assert(is_in == map:get(column, row), ("seed %d, shape %d: %d, %d"):format(SEED, i, column, row))
        end
      end
    end
  end)

  it("begins with an image", function()
    local world = sat.world()
    local image = {
      getDimensions = function() return 6, 4 end,
      getPixel = function(_, x, y) return 0, 0, 0, (x + y) / 8 end,
    }
    local map = tiles.image(world, image, 5, 0.75, { x = 100 })
    for row = 1, 4 do
      for column = 1, 6 do
        assert.equal((column + row - 2) / 8 >= 0.75, map:get(column, row))
        assert.equal(map:get(column, row) and 1 or 0, #world:at(100 + column * 5 - 2, row * 5 - 2))
      end
    end
    assert.is_true(tiles.image(sat.world(), image, 5):get(6, 1))
    local empty = { getDimensions = function() return 0, 4 end, getPixel = image.getPixel }
    local blind = { getDimensions = image.getDimensions, getPixel = function() end }
    for message, call in pairs {
      ["#1 to 'image' (world must be a world, not nil)"] = { nil, image, 5 },
      ["#2 to 'image' (data must be an ImageData, not a table)"] = { world, {}, 5 },
      ["#2 to 'image' (data must be an ImageData, not a world)"] = { world, world, 5 },
      ["#2 to 'image' (columns must be a whole number from 1 to 1000000, not 0)"] = { world, empty, 5 },
      ["#2 to 'image' (the alpha of a pixel must be a finite number, not nil)"] = { world, blind, 5 },
      ["#3 to 'image' (size must be a finite number above 0, not -1)"] = { world, image, -1 },
      ["#3 to 'image' (the grid would reach beyond 1e15 in x)"] = { world, image, 1e15 },
      ["#4 to 'image' (threshold must be a finite number, not 'x')"] = { world, image, 5, "x" },
      ["#5 to 'image' (options must be a table, not 3)"] = { world, image, 5, 0.5, 3 },
      ["#5 to 'image' (chunk must be a finite number of 1 or more, not 0)"] = { world, image, 5, 0.5, { chunk = 0 } },
    } do
      local count = world:count()
      local ok, text = pcall(function()
        local made = tiles.image(call[1], call[2], call[3], call[4], call[5])
        return made
      end)
      assert.is_false(ok)
      assert.matches("bad argument " .. message, text, 1, true)
      assert.matches("^[^\n]*tiles_spec.lua:%d+: ", text)
      assert.equal(count, world:count())
    end
  end)
end)

describe("a map of tiles with random changes", function()
  it("is what its tiles say, wherever it lies", function()
    local random = generator(SEED % 100000 + 1)
    local parts = { true, false, { 0, 8, 8, 0, 8, 8 }, { 0, 0, 8, 8, 0, 8 }, { 0, 4, 8, 4, 8, 8, 0, 8 } }
    for _, origin in ipairs { 0, -1e6, 1e9 } do
      local columns, rows, grid, world = random(1, 40), random(1, 40), {}, sat.world()
      local map = tiles.new(world, columns, rows, 8, function(column, row)
        local tile = random(1, 3) > 1 and parts[random(1, #parts)] or nil
        grid[(row - 1) * columns + column] = tile
        return tile
      end, { x = origin, y = -origin, chunk = random(1, 50), separate = random(0, 1) == 1 })
      for step = 1, 60 do
        local column, row, tile = random(1, columns), random(1, rows), parts[random(1, #parts)]
        if step % 3 == 0 then
          assert.is_false(pcall(map.set, map, column, row, { 0, 0, 8, 0, 9, 9 }))
        else
          map:set(column, row, tile)
          grid[(row - 1) * columns + column] = tile
        end
        local other_column, other_row = random(1, columns), random(1, rows)
        local value = grid[(other_row - 1) * columns + other_column]
        local x, y = random(0, 7) + 0.25, random(0, 7) + 0.5
        local wanted = value == true or type(value) == "table" and sat.polygon(value):contains(x, y)
        local left, top = origin + (other_column - 1) * 8, -origin + (other_row - 1) * 8
        assert(wanted == (#world:at(left + x, top + y) > 0),
          ("seed %d, origin %g, step %d: %d, %d"):format(SEED, origin, step, other_column, other_row))
        assert.equal(value or false, map:get(other_column, other_row))
      end
      local area, wanted = 0, 0
      for _, shape in ipairs(world:shapes()) do area = area + shape:area() end
      for i = 1, columns * rows do
        local tile = grid[i]
        wanted = wanted + (tile == true and 64 or tile and sat.polygon(tile):area() or 0)
      end
      assert(math.abs(area - wanted) < 1e-6 * (1 + wanted), ("seed %d: %g and %g"):format(SEED, area, wanted))
    end
  end)
end)

describe("the Lua parts of sat", function()
  it("find each other in whatever folder they are", function()
    local folder = os.tmpname()
    os.remove(folder)
    local path, searched = package.path, package.searchpath or function(name, templates)
      for template in templates:gmatch("[^;]+") do
        local candidate = template:gsub("%?", (name:gsub("%.", "/")))
        local file = io.open(candidate)
        if file then
          file:close()
          return candidate
        end
      end
    end
    for _, part in ipairs { "character", "tiles" } do
      local loads = {}
      local chunk = assert(loadfile(searched("sat." .. part, path)))
      for _, name in ipairs { "lib.sat." .. part, "lib/sat/" .. part, "sat." .. part } do
        local before = require
        rawset(_G, "require", function(wanted)
          loads[#loads + 1] = wanted
          return before((wanted:gsub("^lib[./]", "")))
        end)
        local ok, message = pcall(chunk, name)
        rawset(_G, "require", before)
        assert.is_true(ok, tostring(message))
      end
      assert.same({ "lib.sat.whole", "lib.sat.arguments", "lib/sat.whole", "lib/sat.arguments", "sat.whole",
        "sat.arguments" }, loads)
    end
  end)
end)

describe("the tiles of a row that a shape contains", function()
  local spans = getmetatable(sat).siblings.spans

  it("are found in one call a row, which no arguments make long", function()
    local shape = sat.polygon(0, 0, 90, 0, 90, 30, 60, 30, 60, 10, 30, 10, 30, 30, 0, 30)
    assert.same({ 1, 9 }, spans(shape, 0, 0, 10, 1, 20, 1))
    assert.same({ 1, 3, 7, 9 }, spans(shape, 0, 0, 10, 1, 20, 2))
    assert.same({ 2147480003, 2147480009 }, spans(shape, -2147480000 * 10, 0, 10, 2147480003, 2147480020, 1))
    assert.error_matches(function() spans(shape, 0, 0, 10, 0, 2 ^ 24, 1) end, "too many tiles")
    assert.error_matches(function() spans(shape, 0, 0, 10, 1, 2 ^ 31, 1) end, "place must be a whole number from 0")
  end)
end)
