-- sat.hc: the API of HC. What the specs expect needs no HC; HC itself is compared where LUA_PATH leads to it, in LuaJIT
-- and Lua 5.1.
local sat = require "sat"
local HC = require "sat.hc"
local support = require "spec.support"

local generator, near, SEED = support.generator, support.near, support.SEED
local unpack = table.unpack or unpack

-- HC itself, which is not part of the repository.
local found, real = pcall(require, "HC")
if not rawget(_G, "setfenv") or not found or type(real) ~= "table" then real = nil end

-- ---------------------------------------------------------------- random shapes

local function ring(random, x, y, n, inner)
  local points = {}
  for i = 0, n - 1 do
    local radius = i % 2 == 1 and inner or 24
    local angle = 2 * math.pi * (i + random(0, 99) / 250) / n
    points[#points + 1], points[#points + 2] = x + radius * math.cos(angle), y + radius * math.sin(angle)
  end
  return points
end

local MAKERS = {
  circle = function(random, x, y) return { x, y, random(3, 25) + 0.25 } end,
  rectangle = function(random, x, y) return { x, y, random(3, 40) + 0.5, random(3, 40) } end,
  polygon = function(random, x, y) return ring(random, x, y, random(3, 8), 24) end,
  star = function(random, x, y) return ring(random, x, y, 2 * random(4, 6), random(8, 16)) end,
  point = function(_, x, y) return { x, y } end,
}
local KINDS = support.sorted(MAKERS)

-- A kind and the numbers of a shape that is about as near to 0, 0 as it is large.
local function draw_lot(random)
  local kind = KINDS[random(1, #KINDS)]
  return kind, MAKERS[kind](random, random(-4000, 4000) / 97, random(-4000, 4000) / 97)
end

local function add(collider, kind, numbers)
  return collider[kind == "star" and "polygon" or kind](collider, unpack(numbers))
end

local function keys_of(set, names)
  local list = {}
  for shape in pairs(set) do list[#list + 1] = names[shape] or tostring(shape) end
  table.sort(list)
  return list
end

-- ---------------------------------------------------------------- what collides

describe("a collider of sat.hc", function()
  it("finds what overlaps, as sat.collide of every pair does, while shapes move, turn, grow and go", function()
    local random = generator(SEED)
    for run = 1, 25 do
      local collider, shapes, names = HC.new(random(10, 200)), {}, {}
      for i = 1, 30 do
        shapes[i] = add(collider, draw_lot(random))
        names[shapes[i]] = i
      end
      for _ = 1, 40 do
        local shape = shapes[random(1, #shapes)]
        local how = random(1, 5)
        if how == 1 then shape:move(random(-30, 30), random(-30, 30))
        elseif how == 2 then shape:moveTo(random(-90, 90), random(-90, 90))
        elseif how == 3 then shape:rotate(random(-9, 9), random(-9, 9), random(-9, 9))
        elseif how == 4 then shape:scale(random(70, 140) / 100)
        elseif #shapes > 20 then
          collider:remove(shape)
          for i, other in ipairs(shapes) do
            if other == shape then table.remove(shapes, i) break end
          end
        end
      end
      for _, shape in ipairs(shapes) do
        local expected, cells = {}, {}
        local x1, y1, x2, y2 = shape:bbox()
        local hash = collider:hash()
        local left, top = hash:cellCoords(x1, y1)
        local right, bottom = hash:cellCoords(x2, y2)
        for _, other in ipairs(shapes) do
          local dx, dy, depth = sat.collide(shape._shape, other._shape)
          if other ~= shape and dx and depth > 0 then expected[other] = { dx, dy } end
          local ox1, oy1, ox2, oy2 = other:bbox()
          local from, above = hash:cellCoords(ox1, oy1)
          local to, below = hash:cellCoords(ox2, oy2)
          local is_near = from <= right and to >= left and above <= bottom and below >= top
          if other ~= shape and is_near then cells[other] = true end
        end
        local message = ("seed %d, run %d"):format(SEED, run)
        local actual = collider:collisions(shape)
        assert.same(keys_of(expected, names), keys_of(actual, names), message)
        for other, vector in pairs(actual) do
          assert.same({ expected[other][1], expected[other][2] }, { vector.x, vector.y })
          assert.same({ vector.x, vector.y }, { vector[1], vector[2] })
        end
        assert.same(keys_of(cells, names), keys_of(collider:neighbors(shape), names), message)
        local x, y = shape:center()
        local at = {}
        for _, other in ipairs(shapes) do
          if other:contains(x, y) then at[other] = true end
        end
        assert.same(keys_of(at, names), keys_of(collider:shapesAt(x, y), names), message)
      end
    end
  end)

  it("gives vectors that take a shape out of the other", function()
    local collider = HC.new()
    local wall, ball = collider:rectangle(0, 0, 20, 10), collider:circle(10, -8, 10)
    assert.same({ true, 0, -2 }, { ball:collidesWith(wall) })
    assert.same({ true, 0, 2 }, { wall:collidesWith(ball) })
    assert.same({ false }, { ball:collidesWith(ball) })
    local vector = collider:collisions(ball)[wall]
    ball:move(vector.x, vector.y)
    assert.same({ {}, { false } }, { collider:collisions(ball), { ball:collidesWith(wall) } })
    assert.is_truthy(collider:neighbors(ball)[wall])
  end)

  it("gives vectors as they were when they were asked for", function()
    local collider = HC.new()
    local a, b, ball = collider:rectangle(0, 0, 20, 10), collider:rectangle(20, 0, 20, 10), collider:circle(20, -8, 10)
    local vectors = {}
    for other, vector in pairs(collider:collisions(ball)) do
      ball:move(vector.x, vector.y)
      vectors[other] = vector.y
    end
    assert.same({ -2, -2 }, { vectors[a], vectors[b] })
  end)

  it("takes a shape of another collider, or of none", function()
    local wall = HC.new():rectangle(0, 0, 20, 10)
    local ball = HC.shapes.newCircleShape(10, -8, 10)
    local collider = HC.new()
    local stone = collider:polygon(0, 0, 20, 0, 20, 10)
    assert.is_true(ball:collidesWith(wall))
    assert.is_truthy(collider:collisions(wall)[stone])
    assert.same({ "stone" }, keys_of(collider:collisions(ball), { [stone] = "stone" }))
    collider:register(ball)
    assert.is_truthy(collider:collisions(stone)[ball])
  end)

  it("crosses outlines by rays in every direction", function()
    local random = generator(SEED)
    local collider = HC.new(40)
    local shapes = {}
    for i = 1, 40 do shapes[i] = add(collider, draw_lot(random)) end
    local hits = 0
    for _ = 1, 200 do
      local x, y, dx, dy = random(-90, 90) + 0.1, random(-90, 90) + 0.2, random(-9, 9) / 7 + 0.01, random(-9, 9) / 5
      local range = random(1, 90)
      local actual = collider:raycast(x, y, dx, dy, range)
      for _, shape in ipairs(shapes) do
        local points, list = actual[shape] or {}, shape:intersectionsWithRay(x, y, dx, dy)
        hits = hits + #points
        local count = 0
        for _, t in ipairs(list) do
          if t <= range then count = count + 1 end
          local outside = shape._shape:distance(sat.point(x + t * dx, y + t * dy))
          assert.is_true(outside < 1e-9)
        end
        assert.equal(count, #points)
        -- a ray that begins outside enters as often as it leaves
        if not shape:contains(x, y) then assert.equal(0, #list % 2) else assert.equal(1, #list % 2) end
        local crosses, least = shape:intersectsRay(x, y, dx, dy)
        local first = shape._shape:raycast(x, y, x + 1e4 * dx, y + 1e4 * dy)
        assert.equal(#list > 0, crosses)
        if first and first > 0 and not shape:contains(x, y) then near(first * 1e4, least, 1e-6) end
      end
    end
    assert.is_true(hits > 200)
    local square = collider:rectangle(0, 0, 10, 10)
    assert.same({ true, 0 }, { square:intersectsRay(0, 0, 1, 1) })
    assert.same({ false, math.huge }, { square:intersectsRay(20, 5, 1, 0) })
    assert.same({}, square:intersectionsWithRay(5, 5, 0, 0))
    assert.same({ { square, 5, 0, 5 }, { square, 15, 10, 5 } },
      (function()
        local hash = HC.spatialhash()
        hash:register(square, square:bbox())
        return hash:intersectionsWithSegment(-5, 5, 20, 5)
      end)())
  end)
end)

-- ---------------------------------------------------------------- what shapes are

describe("a shape of sat.hc", function()
  local collider

  before_each(function() collider = HC.new() end)

  it("is a table that takes the fields of a game", function()
    local ball = collider:circle(1, 2, 3)
    ball.name, ball.hit = "ball", function(self) return self.name end
    assert.same({ "ball", "ball" }, { next(collider:shapesAt(1, 2)).name, ball:hit() })
  end)

  it("has a centre, a box, a circle around it and a farthest place", function()
    local box = collider:rectangle(10, 20, 30, 40)
    assert.same({ 25, 40 }, { box:center() })
    assert.same({ 10, 20, 40, 60 }, { box:bbox() })
    local x, y, radius = box:outcircle()
    assert.same({ 25, 40 }, { x, y })
    near(25, radius)
    assert.same({ 40, 20 }, { box:support(1, -1) })
    assert.same({ true, false }, { box:contains(11, 21), box:contains(9, 21) })
    assert.same({ 10, 20, 40, 60 }, { collider:rectangle(40, 60, -30, -40):bbox() })
    assert.same({ 3, 4, 3, 4 }, { collider:point(3, 4):bbox() })
  end)

  it("moves, turns and grows, each time with its box", function()
    local box = collider:rectangle(0, 0, 20, 10)
    assert.equal(box, box:move(100, 0):moveTo(200, 200):rotate(math.pi / 2):scale(2))
    local x1, y1, x2, y2 = box:bbox()
    near(190, x1)
    near(180, y1)
    near(210, x2)
    near(220, y2)
    assert.is_truthy(collider:shapesAt(200, 219)[box])
    assert.is_nil(collider:shapesAt(10, 5)[box])
    assert.equal(math.pi / 2, box:rotation())
    assert.equal(9, box:setRotation(9):rotation()) -- beyond a whole turn
    box:setRotation(math.pi, 0, 0)
    local point = collider:point(1, 0):rotate(math.pi, 0, 0)
    near(-1, (point:center()))
    assert.same({ 1, 2 }, { collider:circle(1, 2, 3):rotate(5):center() })
  end)

  it("cannot move once it is removed, but may be asked", function()
    local a, b = collider:rectangle(0, 0, 20, 10), collider:rectangle(10, 0, 20, 10)
    assert.equal(collider, collider:remove(a))
    assert.same({ {}, {} }, { collider:collisions(b), collider:hash():inSameCells(0, 0, 1, 1)[a] and { 1 } or {} })
    assert.is_true(a:collidesWith(b))
    for _, method in ipairs { "move", "moveTo", "rotate", "setRotation", "scale" } do
      local ok, text = pcall(function() a[method](a, 1, 1) end)
      assert.is_false(ok)
      assert.matches("%(%) called on a shape that has been removed", text)
    end
    collider:remove(a) -- again
  end)

  it("of a game's own answers itself", function()
    local log = {}
    local own = { x = 0, bbox = function(self) return self.x, 0, self.x + 10, 10 end }
    function own.collidesWith(self, other)
      local x1 = other:bbox()
      log[#log + 1] = x1
      return x1 < self.x + 10, 5, 0
    end
    function own.move(self, dx) self.x = self.x + dx end
    own.rotate, own.scale = function() end, function() end
    assert.equal(own, collider:register(own))
    local box = collider:rectangle(8, 0, 10, 10)
    assert.same({ -5, 0 }, { collider:collisions(box)[own].x, collider:collisions(box)[own].y })
    assert.equal(5, collider:collisions(own)[box].x)
    assert.equal(own, own:move(100))
    assert.same({}, collider:collisions(box))
    assert.is_truthy(collider:neighbors(collider:rectangle(100, 0, 1, 1))[own])
    assert.same({}, collider:raycast(0, 5, 1, 0, 0.5))
    assert.same({}, collider:shapesAt(101, 30))
    assert.is_true(#log > 0)
  end)

  it("draws itself", function()
    local calls, before = {}, rawget(_G, "love")
    local graphics = setmetatable({}, { __index = function(_, name)
      return function(...) calls[#calls + 1] = { name, ... } end
    end })
    rawset(_G, "love", { graphics = graphics })
    collider:circle(1, 2, 3):draw("fill", 40)
    collider:polygon(0, 0, 9, 0, 1, 1, 0, 9):draw("line", true)
    collider:hash():draw("line", true, true)
    rawset(_G, "love", before)
    assert.same({ "circle", "fill", 1, 2, 3, 40 }, calls[1])
    local count = {}
    for _, call in ipairs(calls) do count[call[1]] = (count[call[1]] or 0) + 1 end
    assert.same({ circle = 1, polygon = 3, rectangle = 4, print = 4 }, count)
  end)
end)

-- ---------------------------------------------------------------- how it is called

describe("sat.hc", function()
  it("is one collider, whose methods are functions", function()
    HC.resetHash(50)
    local ball = HC.circle(0, 0, 5)
    assert.same({ true, 50 }, { HC.hash():shapes()[ball] == ball, HC.hash().cell_size })
    for _, make in ipairs { HC.new, HC } do
      local collider = make(25)
      assert.same({ 25, nil }, { collider:hash().cell_size, next(collider:hash():shapes()) })
    end
    assert.is_truthy(HC.collisions(HC.point(1, 1))[ball])
    assert.is_truthy(HC.neighbors(HC.rectangle(0, 0, 1, 1))[ball])
    assert.is_truthy(HC.shapesAt(1, 1)[ball])
    assert.is_truthy(HC.raycast(-9, 0, 1, 0, 9)[ball])
    HC.remove(ball)
    assert.is_nil(HC.shapesAt(1, 1)[ball])
    local triangle = HC.polygon(0, 0, 9, 0, 0, 9)
    HC.register(HC.shapes.newPolygonShape(0, 0, 5, 0, 0, 5))
    HC.resetHash()
    triangle:move(1, 1)
    assert.same({}, HC.hash():shapes())
  end)

  it("keeps objects of any kind by cells", function()
    local hash = HC.spatialhash(10)
    hash:register("a", 0, 0, 9, 9)
    hash:register("b", 10, 0, 30, 5)
    assert.same({ a = "a" }, hash:cell(0, 0))
    assert.same({ b = "b" }, hash:cellAt(15, 5))
    assert.same({ a = "a", b = "b" }, hash:inSameCells(5, 5, 10, 5))
    hash:update("a", 0, 0, 9, 9, 20, 0, 21, 1)
    hash:register("b", 50, 50, 51, 51)
    assert.same({ { a = "a" }, {} }, { hash:cell(2, 0), hash:cell(1, 0) })
    hash:remove("a", 20, 0, 21, 1)
    hash:remove("c")
    assert.same({ b = "b" }, hash:shapes())
    hash:update("c", 0, 0, 0, 0, 1, 1, 2, 2)
    assert.same({ b = "b" }, hash:shapes())
  end)

  it("blames the caller's line for a wrong argument, and changes nothing", function()
    local collider = HC.new()
    local box = collider:rectangle(0, 0, 20, 10)
    local saved = { box:bbox() }
    local function raises(text, f, ...)
      local ok, message = pcall(function(...) f(...) end, ...)
      assert.is_false(ok)
      assert.matches(text, message, 1, true)
      assert.matches("hc_spec.lua:%d+: ", message)
    end
    raises("bad argument #1 to 'new' (the cell size must be a number from 1e-15 to 1e15, not 0)", HC.new, 0)
    raises("bad argument #3 to 'rectangle' (w must be a finite number, not nil)", HC.rectangle, 1, 2)
    raises("bad argument #3 to 'circle' (radius", collider.circle, collider, 1, 2, -1)
    raises("bad argument #1 to 'polygon' (fewer than three vertices are distinct)", HC.polygon, 1, 2)
    raises("bad argument #1 to 'scale' (the factor must be a number above 0, not 0)", box.scale, box, 0)
    raises("bad argument #1 to 'move' (dx must be a number", box.move, box)
    raises("bad argument #1 to 'rotate'", box.rotate, box, "left")
    raises("bad argument #2 to 'insert'", HC.hash().register, HC.hash(), "a", 0 / 0, 0, 1, 1)
    assert.same(saved, { box:bbox() })
    assert.is_nil(HC.hash():shapes().a)
  end)
end)

-- ---------------------------------------------------------------- HC itself

describe("sat.hc beside HC", function()
  if not real then return pending("collides as HC itself: LUA_PATH does not lead to HC, or this is no LuaJIT") end

  it("collides as HC itself", function()
    local random, hits, compared = generator(SEED), 0, 0
    for run = 1, 20000 do
      local size = random(20, 150)
      local ours, theirs = HC.new(size), real.new(size)
      local kind, numbers = draw_lot(random)
      local other_kind, other_numbers = draw_lot(random)
      local a, b = add(ours, kind, numbers), add(ours, other_kind, other_numbers)
      local c, d = add(theirs, kind, numbers), add(theirs, other_kind, other_numbers)
      local angle, factor = random(-99, 99) / 17, random(60, 150) / 100
      for _, shape in ipairs { a, c } do shape:rotate(angle) end
      for _, shape in ipairs { b, d } do
        shape:scale(factor)
        shape:rotate(angle, 3, 4)
      end
      local message = ("seed %d, run %d, %s and %s"):format(SEED, run, kind, other_kind)
      local collides, dx, dy = a:collidesWith(b)
      local theirs_collide, theirX, theirY = c:collidesWith(d)
      assert.equal(theirs_collide or false, collides, message)
      assert.equal(next(theirs:collisions(c)) ~= nil, next(ours:collisions(a)) ~= nil, message)
      assert.equal(next(theirs:neighbors(c)) ~= nil, next(ours:neighbors(a)) ~= nil, message)
      local kinds = { [kind] = true, [other_kind] = true }
      if collides and not (kinds.star or kinds.point) then
        -- HC's vectors of circles are longer, and those of two polygons the same
        local excess = math.sqrt(theirX ^ 2 + theirY ^ 2) - math.sqrt(dx ^ 2 + dy ^ 2)
        assert.is_true(excess > -1e-6, message)
        if not kinds.circle then assert.is_true(excess < 1e-5, message) end
        compared = compared + 1
      end
      hits = hits + (collides and 1 or 0)
      local box, their_box = { b:bbox() }, { d:bbox() }
      for i = 1, 4 do near(their_box[i], box[i]) end
    end
    assert.is_true(hits > 3000 and compared > 1000, hits .. " hits, " .. compared .. " vectors")
  end)
end)
