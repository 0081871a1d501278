-- What each shape is, and what each method of one does.
local sat = require "sat"
local support = require "spec.support"

local near, all_near = support.near, support.all_near

local unpack = table.unpack or unpack
local PI = math.pi

local function same(expected, ...) assert.same(expected, { ... }) end

-- One of each kind, and some that are rounded.
local function zoo()
  return {
    sat.point(3, 4),
    sat.circle(3, 4, 2),
    sat.segment(0, 0, 6, 8),
    sat.capsule(0, 0, 6, 8, 2),
    sat.rectangle(0, 0, 6, 8),
    sat.polygon(0, 0, 9, 0, 0, 12),
    sat.regular(3, 4, 5, 7),
    sat.hull(0, 0, 6, 0, 3, 1, 3, 9),
    sat.ellipse(3, 4, 5, 2),
    sat.rectangle(0, 0, 6, 8):setRadius(1),
  }
end

describe("sat.polygon", function()
  it("keeps integer vertices exactly, in the order of positive area", function()
    same({ 0, 0, 10, 0, 0, 10 }, sat.polygon(0, 0, 10, 0, 0, 10):unpack())
    same({ 0, 0, 10, 0, 0, 10 }, sat.polygon { 0, 0, 10, 0, 0, 10 }:unpack())
  end)

  it("takes either winding", function()
    near(50, sat.polygon(0, 0, 0, 10, 10, 0):area())
    near(50, sat.polygon(0, 0, 10, 0, 0, 10):area())
  end)

  it("drops repeated vertices, a closing one and those on straight lines", function()
    local s = sat.polygon(0, 0, 5, 0, 10, 0, 10, 0, 10, 10, 0, 10, 0, 0)
    same({ 0, 0, 10, 0, 10, 10, 0, 10 }, s:unpack())
  end)

  it("takes a table of more vertices than fit any argument list", function()
    local points, n = {}, 20000
    for i = 0, n - 1 do
      points[2 * i + 1], points[2 * i + 2] = 1e6 * math.cos(2 * PI * i / n), 1e6 * math.sin(2 * PI * i / n)
    end
    local s = sat.hull(points)
    local _, count = s:vertices()
    assert(count > 0.9 * n)
    near(PI * 1e12, s:area(), 1e6)
  end)

  it("ignores what else a table has, and its metatable", function()
    local hostile = setmetatable({ 0, 0, 10, 0, 0, 10, name = "ramp", [-1] = 3, [2.5] = 4 }, {
      __index = function() error("asked") end,
      __len = function() error("asked") end,
      __pairs = function() error("asked") end,
      __newindex = function() error("asked") end,
    })
    near(50, sat.polygon(hostile):area())
  end)

  it("takes every kind of Lua number", function()
    same({ 0, 0, 2.5, 0, 0, 3 }, sat.polygon(0, 0, 2.5, 0, 0, 3.0):unpack())
  end)
end)

describe("sat.rectangle", function()
  it("has its corners where it was drawn", function()
    same({ 1, 2, 4, 2, 4, 6, 1, 6 }, sat.rectangle(1, 2, 3, 4):unpack())
  end)

  it("is turned about its centre", function()
    local s = sat.rectangle(0, 0, 4, 2, PI / 2)
    near(PI / 2, s:rotation(), 0)
    all_near({ 1, -1, 2, 4 }, s:bounds())
    all_near({ 2, 1 }, s:center())
  end)
end)

describe("sat.regular", function()
  it("has its first vertex to the right and goes on towards +y", function()
    all_near({ 15, 20, 10, 25, 5, 20, 10, 15 }, sat.regular(10, 20, 5, 4):unpack())
  end)

  it("is a mirror image of itself to the last bit", function()
    for _, n in ipairs { 3, 4, 5, 6, 7, 8, 12, 16, 24, 31, 60, 100 } do
      local v = sat.regular(0, 0, 3.7, n):vertices()
      assert.equal(2 * n, #v)
      for k = 0, n - 1 do
        local mirror = (n - k) % n
        assert.equal(v[2 * k + 1], v[2 * mirror + 1])
        assert.equal(v[2 * k + 2], -v[2 * mirror + 2])
        near(3.7, math.sqrt(v[2 * k + 1] ^ 2 + v[2 * k + 2] ^ 2), 1e-14)
      end
    end
  end)

  it("is the same on either axis when its corners are a multiple of four", function()
    for _, n in ipairs { 4, 8, 12, 20, 32 } do
      local v = sat.regular(0, 0, 3.7, n):vertices()
      for k = 0, n - 1 do
        local quarter = (k + n / 4) % n
        assert.equal(v[2 * k + 1], v[2 * quarter + 2])
        assert.equal(v[2 * k + 2], -v[2 * quarter + 1])
      end
    end
  end)

  it("takes up to a million corners, and an angle", function()
    local s = sat.regular(5, 6, 100, 1000000)
    near(PI * 1e4, s:area(), 1e-3)
    assert.equal(0.5, sat.regular(0, 0, 1, 3, 0.5):rotation())
  end)

  it("keeps its digits far from 0, 0", function()
    local x, y = sat.regular(1e7, -1e7, 0.001, 6):center()
    assert.equal(1e7, x)
    assert.equal(-1e7, y)
    near(0.001 ^ 2 * 6 * math.sqrt(3) / 4, sat.regular(1e7, -1e7, 0.001, 6):area(), 1e-18)
  end)
end)

describe("sat.ellipse", function()
  it("is a polygon of 32 vertices unless told otherwise", function()
    local s = sat.ellipse(1, 2, 10, 5)
    assert.equal(32, select(2, s:vertices()))
    assert.equal("polygon", s:kind())
    all_near({ -9, -3, 20, 10 }, s:bounds())
    assert.equal(5, select(2, sat.ellipse(1, 2, 10, 5, 5):vertices()))
  end)
end)

describe("sat.hull", function()
  it("leaves out what is inside or on an edge", function()
    local s = sat.hull(0, 0, 5, 5, 10, 0, 5, 0, 10, 10, 3, 4, 0, 10)
    near(100, s:area())
    assert.equal(4, select(2, s:vertices()))
  end)
end)

describe("the kind of a shape", function()
  it("is what it is, not how it was made", function()
    assert.equal("point", sat.point(1, 2):kind())
    assert.equal("circle", sat.circle(1, 2, 3):kind())
    assert.equal("segment", sat.segment(1, 2, 3, 4):kind())
    assert.equal("capsule", sat.capsule(1, 2, 3, 4, 5):kind())
    for i = 5, 10 do assert.equal("polygon", zoo()[i]:kind()) end
  end)

  it("follows from the vertices and the radius", function()
    assert.equal("point", sat.circle(1, 2, 0):kind())
    assert.equal("point", sat.segment(1, 2, 1, 2):kind())
    assert.equal("circle", sat.capsule(1, 2, 1, 2, 5):kind())
    assert.equal("circle", sat.point(1, 2):setRadius(3):kind())
    assert.equal("capsule", sat.segment(1, 2, 3, 4):setRadius(3):kind())
    assert.equal("segment", sat.capsule(1, 2, 3, 4, 5):setRadius(0):kind())
  end)
end)

describe("tostring", function()
  it("says what it is and where, the same on every Lua", function()
    assert.equal("sat.polygon (4 vertices) at 10, 20", tostring(sat.rectangle(5, 15, 10, 10)))
    assert.equal("sat.polygon (3 vertices, radius 0.5) at 1, 2.5",
      tostring(sat.polygon(0, 0, 3, 0, 0, 7.5):setRadius(0.5)))
    assert.equal("sat.circle (radius 5) at 0, -2", tostring(sat.circle(0, -2, 5)))
    assert.equal("sat.capsule (radius 1.25) at 2, 0", tostring(sat.capsule(0, 0, 4, 0, 1.25)))
    assert.equal("sat.segment at 0.5, 0.5", tostring(sat.segment(0, 0, 1, 1)))
    assert.equal("sat.point at 1, 2", tostring(sat.point(1, 2)))
  end)

  it("never says -0", function() assert.equal("sat.point at 0, 0", tostring(sat.point(-0.0, -0.0))) end)
end)

describe("what changes a shape", function()
  it("returns it, so that calls chain", function()
    local s = sat.rectangle(0, 0, 2, 2)
    local calls = {
      { s.move, 1, 1 }, { s.moveTo, 1, 1 }, { s.rotate, 1 }, { s.rotate, 1, 0, 0 }, { s.setRotation, 1 },
      { s.setRotation, 1, 0, 0 }, { s.scale, 2 }, { s.scale, 2, 0, 0 }, { s.flip }, { s.flip, true },
      { s.transform, 1, 2, 3 }, { s.setRadius, 1 }, { s.setData, 1 }, { s.setFilter, 1, 1 }, { s.setSensor, true },
      { s.setStatic, true }, { s.setEnabled, true },
    }
    for _, call in ipairs(calls) do
      assert.equal(1, select("#", call[1](s, unpack(call, 2))))
      assert.equal(s, (call[1](s, unpack(call, 2))))
    end
  end)
end)

describe("moving", function()
  it("keeps integer coordinates exact", function()
    local s = sat.rectangle(0, 0, 10, 10):move(1e9 + 1, -7)
    same({ 1e9 + 1, -7, 1e9 + 11, -7, 1e9 + 11, 3, 1e9 + 1, 3 }, s:unpack())
  end)

  it("puts the centre where moveTo says", function()
    for _, s in ipairs(zoo()) do all_near({ 7, -3 }, s:moveTo(7, -3):center()) end
  end)
end)

describe("turning", function()
  it("is about the centre, from +x towards +y", function()
    local s = sat.segment(-1, 0, 1, 0):rotate(PI / 2)
    all_near({ 0, -1, 0, 1 }, s:unpack())
  end)

  it("is about a pivot where one is given", function()
    all_near({ 0, 2 }, sat.point(2, 0):rotate(PI / 2, 0, 0):center())
    all_near({ 0, 2 }, sat.point(2, 0):setRotation(PI / 2, 0, 0):center())
  end)

  it("adds up without wrapping", function()
    local s = sat.rectangle(0, 0, 1, 1):rotate(5):rotate(5)
    assert.equal(10, s:rotation())
    assert.equal(-1, s:setRotation(-1):rotation())
  end)

  it("does not distort a shape, however often", function()
    local s = sat.rectangle(-2, -1, 4, 2)
    for _ = 1, 1000 do s:rotate(0.1) end
    s:setRotation(0)
    all_near({ -2, -1, 4, 2 }, s:bounds())
  end)
end)

describe("scaling", function()
  it("is about the centre or a pivot, and scales the radius too", function()
    local s = sat.rectangle(0, 0, 2, 2):setRadius(1):scale(3)
    assert.equal(3, s:radius())
    assert.equal(3, s:scaleFactor())
    all_near({ -5, -5, 12, 12 }, s:bounds())
    all_near({ 6, 8 }, sat.point(3, 4):scale(2, 0, 0):center())
    assert.equal(1.5, s:scale(0.5):scaleFactor())
  end)
end)

describe("flipping", function()
  it("mirrors left for right, or top for bottom", function()
    local function ramp() return sat.polygon(0, 0, 6, 0, 0, 3) end
    assert.is_true(ramp():contains(0, 3))
    assert.is_false(ramp():flip():contains(0, 3))
    assert.is_true(ramp():flip():contains(4, 3))
    assert.is_true(ramp():flip(true):contains(0, -1))
    assert.is_true(ramp():flip(true):contains(6, 2))
    assert.is_true(ramp():flip(false):contains(4, 3))
  end)

  it("twice is not at all", function()
    for _, s in ipairs(zoo()) do
      local before = { s:unpack() }
      all_near(before, s:flip():flip():unpack())
    end
  end)
end)

describe("transform", function()
  it("sets position and rotation at once", function()
    local s = sat.rectangle(0, 0, 4, 2):transform(10, 20, PI / 2)
    all_near({ 10, 20 }, s:center())
    all_near({ 9, 18, 2, 4 }, s:bounds())
    assert.equal(PI / 2, s:rotation())
  end)
end)

describe("bounds", function()
  it("is the smallest box, the rounding included", function()
    same({ 0, 0, 6, 8 }, sat.rectangle(0, 0, 6, 8):bounds())
    same({ 1, 2, 4, 4 }, sat.circle(3, 4, 2):bounds())
    same({ -2, -2, 10, 12 }, sat.capsule(0, 0, 6, 8, 2):bounds())
    same({ 3, 4, 0, 0 }, sat.point(3, 4):bounds())
  end)

  it("always holds the shape, also after rounding", function()
    for i = 1, 300 do
      local s = sat.regular(i * 1234.567, -i / 7, 0.1 + i / 3, 3 + i % 9, i):move(0.1 * i, 1e5 / i)
      local x, y, w, h = s:bounds()
      local v = s:vertices()
      for k = 1, #v, 2 do
        assert(x <= v[k] and v[k] <= x + w and y <= v[k + 1] and v[k + 1] <= y + h)
      end
    end
  end)
end)

describe("boundingCircle", function()
  it("is about the centre and holds every vertex and the radius", function()
    for _, s in ipairs(zoo()) do
      local x, y, r = s:boundingCircle()
      all_near({ x, y }, s:center())
      local v = s:vertices()
      for k = 1, #v, 2 do
        assert(math.sqrt((v[k] - x) ^ 2 + (v[k + 1] - y) ^ 2) + s:radius() <= r + 1e-9)
      end
    end
  end)
end)

describe("area", function()
  it("counts the rounding", function()
    near(0, sat.segment(0, 0, 1, 1):area())
    near(4 * PI, sat.circle(0, 0, 2):area())
    near(40 + 4 * PI, sat.capsule(0, 0, 6, 8, 2):area())
    near(48 + 28 + PI, sat.rectangle(0, 0, 6, 8):setRadius(1):area())
    near(48 * 4, sat.rectangle(0, 0, 6, 8):scale(2):area())
  end)
end)

describe("vertices", function()
  it("gives a new flat table and the number of vertices", function()
    local list, n = sat.rectangle(0, 0, 1, 2):vertices()
    assert.same({ 0, 0, 1, 0, 1, 2, 0, 2 }, list)
    assert.equal(4, n)
  end)

  it("fills a table that is passed, and clears what is left of a longer list", function()
    local out = { 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, name = "kept" }
    local list, n = sat.segment(1, 2, 3, 4):vertices(out)
    assert.equal(out, list)
    assert.equal(2, n)
    assert.same({ 1, 2, 3, 4, name = "kept" }, out)
  end)

  it("does not ask the table's metatable", function()
    local function refuse() error("asked") end
    local out = setmetatable({}, { __index = refuse, __newindex = refuse, __len = refuse })
    sat.point(1, 2):vertices(out)
    assert.equal(1, rawget(out, 1))
    assert.equal(2, rawget(out, 2))
  end)

  it("gives the core's one or two for circle and capsule", function()
    same({ 3, 4 }, sat.circle(3, 4, 2):unpack())
    same({ 0, 0, 6, 8 }, sat.capsule(0, 0, 6, 8, 2):unpack())
  end)
end)

describe("support", function()
  it("is the point farthest in a direction", function()
    all_near({ 6, 8 }, sat.rectangle(0, 0, 6, 8):support(1, 1e-3))
    all_near({ 5, 4 }, sat.circle(3, 4, 2):support(10, 0))
    all_near({ 3, 4 }, sat.point(3, 4):support(-5, 2))
    all_near({ 3, 7 }, sat.circle(3, 4, 3):support(0, 1e-9))
  end)
end)

describe("contains", function()
  it("takes a point, and counts the outline", function()
    local s = sat.rectangle(0, 0, 6, 8)
    assert.is_true(s:contains(3, 3))
    assert.is_true(s:contains(0, 0))
    assert.is_true(s:contains(6, 5))
    assert.is_false(s:contains(6.000001, 5))
    assert.is_true(sat.point(1, 2):contains(1, 2))
    assert.is_true(sat.circle(0, 0, 5):contains(3, 4))
  end)

  it("takes a shape", function()
    local s = sat.rectangle(0, 0, 6, 8)
    assert.is_true(s:contains(sat.circle(3, 3, 3)))
    assert.is_true(s:contains(s))
    assert.is_false(s:contains(sat.circle(3, 3, 3.01)))
    assert.is_false(sat.circle(3, 3, 3):contains(s))
  end)
end)

describe("pieces", function()
  it("is a list of convex shapes, here one that is a copy", function()
    local s = sat.rectangle(0, 0, 6, 8)
    local pieces = s:pieces()
    assert.equal(1, #pieces)
    assert.not_equal(s, pieces[1])
    same({ s:unpack() }, pieces[1]:unpack())
    assert.is_true(s:isConvex())
  end)
end)

describe("clone", function()
  it("is a shape of its own with the same geometry", function()
    for _, s in ipairs(zoo()) do
      s:rotate(0.3):scale(1.5):flip()
      local copy = s:clone()
      assert.not_equal(s, copy)
      assert.same({ s:unpack() }, { copy:unpack() })
      assert.equal(tostring(s), tostring(copy))
      local before = { s:unpack() }
      copy:move(5, 5)
      assert.same(before, { s:unpack() })
    end
  end)

  it("carries filter, flags and, by reference, the data", function()
    local data = {}
    local s = sat.point(1, 2):setFilter(2, 3, -4):setSensor(true):setStatic(true):setEnabled(false):setData(data)
    local copy = s:clone()
    same({ 2, 3, -4 }, copy:filter())
    assert.is_true(copy:isSensor())
    assert.is_true(copy:isStatic())
    assert.is_false(copy:isEnabled())
    assert.equal(data, copy:data())
    copy:setData("other")
    assert.equal(data, s:data())
    assert.is_nil(copy:world())
  end)
end)

describe("data", function()
  it("is nil at first, then any value", function()
    local s = sat.point(0, 0)
    assert.equal(1, select("#", s:data()))
    assert.is_nil(s:data())
    for _, value in ipairs { 1, "text", false, {}, print, s } do
      assert.equal(value, s:setData(value):data())
    end
    assert.is_nil(s:setData(nil):data())
  end)

  it("is each shape's own", function()
    local a, b = sat.point(0, 0):setData("a"), sat.point(0, 0):setData("b")
    local c = sat.point(0, 0)
    assert.equal("a", a:data())
    assert.equal("b", b:data())
    assert.is_nil(c:data())
  end)
end)

describe("filters and flags", function()
  it("start as category 1, every mask, no group, enabled, no sensor, not static, in no world", function()
    local s = sat.point(0, 0)
    same({ 1, 4294967295, 0 }, s:filter())
    assert.is_false(s:isSensor())
    assert.is_false(s:isStatic())
    assert.is_true(s:isEnabled())
    assert.equal(1, select("#", s:world()))
    assert.is_nil(s:world())
  end)

  it("keep what they are given", function()
    local s = sat.point(0, 0):setFilter(4294967295, 0, 2147483647)
    same({ 4294967295, 0, 2147483647 }, s:filter())
    same({ 0, 5, 0 }, s:setFilter(0, 5):filter())
    same({ 0, 5, -2147483648 }, s:setFilter(0, 5, -2147483648):filter())
    assert.is_true(s:setSensor(true):isSensor())
    assert.is_false(s:setSensor(false):isSensor())
    assert.is_true(s:setStatic(true):isStatic())
    assert.is_false(s:setEnabled(false):isEnabled())
    assert.is_true(s:setEnabled(true):isEnabled())
    assert.is_true(s:isStatic())
  end)
end)

describe("equality", function()
  it("is identity", function()
    local a, b = sat.point(1, 2), sat.point(1, 2)
    assert.is_true(a == a)
    assert.is_false(a == b)
    local set = { [a] = "a", [b] = "b" }
    assert.equal("a", set[a])
  end)
end)

describe("sat itself", function()
  it("tells shapes from everything else", function()
    for _, s in ipairs(zoo()) do assert.equal("shape", sat.type(s)) end
    for _, value in ipairs { 1, "shape", {}, print, io.stdout, true } do assert.is_nil(sat.type(value)) end
    assert.is_nil(sat.type(nil))
  end)

  it("has a version", function() assert.equal("sat 0.2.0", sat._VERSION) end)

  it("hides the methods and the metatable", function()
    for _, name in ipairs { "methods", "worldMethods", "treeMethods", "ffiInterface", "pieceOf", "build" } do
      assert.is_nil(rawget(sat, name))
    end
    assert.equal("sat.shape", getmetatable(sat.point(0, 0)))
    assert.has_error(function() setmetatable(sat.point(0, 0), {}) end)
    assert.is_nil(sat.point(0, 0).__gc)
    assert.has_error(function() return sat.point(0, 0).nothing end)
  end)
end)

describe("sat.validate", function()
  it("is true for what sat.polygon takes", function()
    assert.is_true(sat.validate(0, 0, 1, 0, 0, 1))
    assert.is_true(sat.validate { 0, 0, 1, 0, 1, 0, 0, 1, 0, 0 })
  end)

  it("is true for a simple polygon that is concave", function()
    assert.is_true(sat.validate(0, 0, 10, 0, 2, 2, 0, 10))
  end)

  it("gives nil, the reason and the vertex for what is none", function()
    same({ nil, "vertex 2: y is NaN", 2 }, sat.validate(0, 0, 1, 0 / 0, 0, 1))
    same({ nil, "vertex 3: x is infinite", 3 }, sat.validate { 0, 0, 1, 0, 1 / 0, 1 })
    same({ nil, "vertex 1: x is beyond 1e15", 1 }, sat.validate { 2e15, 0, 1, 0, 0, 1 })
    same({ nil, "the edge from vertex 1 to 2 crosses or runs along the one from 3 to 4", 1 },
      sat.validate(0, 0, 10, 10, 10, 0, 0, 10))
  end)

  it("gives nil and the reason for an odd number of coordinates", function()
    same({ nil, "vertex 1: y is missing", 1 }, sat.validate(5))
    same({ nil, "vertex 4: y is missing", 4 }, sat.validate(0, 0, 1, 0, 1, 1, 5))
    local ring = sat.regular(0, 0, 10, 500):vertices()
    ring[1000] = nil
    same({ nil, "vertex 500: y is missing", 500 }, sat.validate(ring))
  end)

  it("gives nil and the reason where no single vertex is to blame", function()
    same({ nil, "fewer than three vertices are distinct" }, sat.validate())
    same({ nil, "fewer than three vertices are distinct" }, sat.validate {})
    same({ nil, "fewer than three vertices are distinct" }, sat.validate(1, 1, 2, 2, 1, 1))
    same({ nil, "the vertices enclose no area" }, sat.validate(0, 0, 1, 1, 2, 2))
  end)
end)

describe("draw", function()
  local old_love, calls
  local function recorder(name)
    return function(...) calls[#calls + 1] = { name, ... } end
  end

  before_each(function()
    calls, old_love = {}, rawget(_G, "love")
    local graphics = {}
    for _, name in ipairs { "circle", "line", "points" } do graphics[name] = recorder(name) end
    function graphics.polygon(mode, points) calls[#calls + 1] = { "polygon", mode, unpack(points) } end
    rawset(_G, "love", { graphics = graphics })
  end)
  after_each(function() rawset(_G, "love", old_love) end)

  it("draws each kind with what love.graphics has for it, lines by default", function()
    local s = sat.rectangle(0, 0, 1, 2)
    assert.equal(s, s:draw())
    s:draw("fill")
    sat.circle(3, 4, 5):draw("fill")
    sat.point(1, 2):draw()
    sat.segment(1, 2, 3, 4):draw("line")
    assert.same({
      { "polygon", "line", 0, 0, 1, 0, 1, 2, 0, 2 },
      { "polygon", "fill", 0, 0, 1, 0, 1, 2, 0, 2 },
      { "circle", "fill", 3, 4, 5 },
      { "points", 1, 2 },
      { "line", 1, 2, 3, 4 },
    }, calls)
  end)

  it("draws the outline of a rounded shape on its outline", function()
    for _, s in ipairs { sat.capsule(0, 0, 6, 8, 2), sat.rectangle(0, 0, 6, 8):setRadius(3):rotate(1) } do
      calls = {}
      s:draw("fill")
      local points = calls[1]
      assert.equal("polygon", points[1])
      local sum, core = 0, s:clone():setRadius(0)
      for i = 3, #points, 2 do
        near(s:radius(), core:distance(sat.point(points[i], points[i + 1])), 1e-9)
        local x2, y2 = points[i + 2] or points[3], points[i + 3] or points[4]
        sum = sum + (points[i] * y2 - x2 * points[i + 1]) / 2
      end
      assert(sum < s:area() and sum > 0.97 * s:area())
    end
  end)

  it("draws a short shape after a long one", function()
    sat.regular(0, 0, 5, 40):setRadius(1):draw()
    sat.capsule(0, 0, 1, 0, 0.1):draw()
    sat.regular(0, 0, 5, 3):draw()
    assert(#calls[2] < #calls[1])
    assert.equal(2 + 6, #calls[3])
  end)

  it("refuses another mode", function()
    assert.error_matches(function() sat.point(1, 2):draw("lines") end,
      "bad argument #1 to 'draw' (mode must be 'line' or 'fill', not 'lines')", 1, true)
    assert.error_matches(function() sat.point(1, 2):draw(3) end,
      "bad argument #1 to 'draw' (mode must be 'line' or 'fill', not 3)", 1, true)
  end)

  it("refuses what is no shape", function()
    assert.error_matches(function() sat.point(1, 2).draw(3) end,
      "calling 'draw' on bad self (it must be a shape, not 3; a method is called with a colon, shape:draw())", 1, true)
  end)

  it("says that it needs love.graphics where there is none", function()
    rawset(_G, "love", nil)
    assert.error_matches(function() sat.point(1, 2):draw() end, "'draw' needs love.graphics", 1, true)
  end)
end)
