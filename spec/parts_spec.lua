-- Concave polygons, compounds and chains: what they are, and what they answer.
local sat = require "sat"
local support = require "spec.support"

local near, all_near = support.near, support.all_near

local function same(expected, ...) assert.same(expected, { ... }) end

-- A letter L, ten wide and ten high, with arms of three.
local function ell() return sat.polygon(0, 0, 3, 0, 3, 7, 10, 7, 10, 10, 0, 10) end

-- Two walls and a floor.
local function cup()
  return sat.compound(sat.rectangle(0, 0, 2, 10), sat.rectangle(8, 0, 2, 10), sat.rectangle(2, 8, 6, 2))
end

describe("a concave polygon", function()
  it("keeps its ring, and is split into convex pieces", function()
    local s = ell()
    same({ 0, 0, 3, 0, 3, 7, 10, 7, 10, 10, 0, 10 }, s:unpack())
    assert.equal("polygon", s:kind())
    assert.is_false(s:isConvex())
    local area = 0
    for _, piece in ipairs(s:pieces()) do
      assert.is_true(piece:isConvex())
      area = area + piece:area()
    end
    near(51, area)
    near(51, s:area())
    same({ 0, 0, 10, 10 }, s:bounds())
    assert.equal("sat.polygon (6 vertices) at 3.5588235294118, 6.4411764705882", tostring(s))
  end)

  it("moves, turns, grows and flips as one", function()
    local s = ell():move(5, 0)
    same({ 5, 0, 10, 10 }, s:bounds())
    s:rotate(math.pi / 2, 5, 0)
    all_near({ -5, 0, 10, 10 }, s:bounds())
    assert.is_true(s:contains(0, 1.5))
    assert.is_false(s:contains(0, 5))
    s:scale(2, 5, 0):setRadius(1)
    all_near({ -16, -1, 22, 22 }, s:bounds())
    assert.equal(1, s:radius())
    local flipped = ell():flip()
    near(51, flipped:area())
    assert.is_true(flipped:contains(flipped:center()) == ell():contains(ell():center()))
  end)

  it("has room where it bends inward", function()
    local s, box = ell(), sat.rectangle(4, 1, 5, 5)
    assert.is_false(s:overlaps(box))
    assert.is_nil(s:collide(box))
    near(1, (s:distance(box)))
    assert.is_true(s:contains(1, 1))
    assert.is_false(s:contains(5, 5))
    assert.is_true(s:contains(3, 7))
  end)

  it("is left by the shortest way out of all of it", function()
    local box = sat.rectangle(1, 6, 4, 2)
    local dx, dy, depth = sat.collide(box, ell())
    near(math.sqrt(dx * dx + dy * dy), depth)
    same({ 2, -1 }, dx, dy)
    assert.equal(0, select(3, sat.collide(box:move(dx, dy), ell())))
  end)

  it("tells where the two touch once one has moved out", function()
    local nx, ny, depth, x1, y1, x2, y2 = sat.contacts(sat.rectangle(5, 5, 2, 4), ell())
    same({ 0, -1, 2 }, nx, ny, depth)
    assert.equal(7, y1)
    assert.equal(7, y2)
    same({ 5, 7 }, math.min(x1, x2), math.max(x1, x2))
  end)

  it("holds shapes that lie across its pieces", function()
    local s = ell()
    assert.is_true(s:contains(s))
    assert.is_true(s:contains(sat.rectangle(0, 6, 3, 4)))
    assert.is_true(s:contains(sat.rectangle(1, 7, 9, 3)))
    assert.is_true(s:contains(sat.circle(1.5, 8.5, 1.5)))
    assert.is_true(s:contains(sat.segment(1, 1, 1, 9)))
    assert.is_false(s:contains(sat.segment(1, 1, 9, 9)))
    assert.is_false(s:contains(sat.rectangle(0, 6, 4, 4)))
    assert.is_false(s:contains(sat.polygon(0, 0, 10, 10, 0, 10)))
  end)

  it("is hit by casts and rays at its outline alone", function()
    local s = ell()
    all_near({ 0.7, 0, -1 }, s:raycast(5, 0, 5, 10))
    all_near({ 0.7, 1, 0 }, s:raycast(10, 1, 0, 1))
    same({ 0, 0, 0 }, s:raycast(1, 7, 20, 7))
    all_near({ 0.5, 0, -1, 5, 7 }, sat.cast(sat.circle(5, 0, 1), 0, 12, s))
  end)
end)

describe("a compound", function()
  it("is one shape of copies of others", function()
    local wall = sat.rectangle(0, 0, 2, 10)
    local s = sat.compound { wall, sat.circle(20, 5, 1) }
    wall:move(100, 0)
    assert.equal("compound", s:kind())
    same({ 0, 0, 21, 10 }, s:bounds())
    near(20 + math.pi, s:area())
    assert.equal(2, #s:pieces())
    assert.equal("sat.compound (2 parts)", tostring(s):sub(1, 22))
    same({ 21, 5 }, s:support(1, 0))
    assert.is_true(s:contains(20, 5.5))
    assert.is_false(s:contains(10, 5))
  end)

  it("may have concave, compound and chain members, and itself", function()
    local s = cup()
    local all = sat.compound(s, ell():move(20, 0), sat.chain { 0, 20, 5, 20 })
    assert.equal(#s:pieces() + #ell():pieces() + 1, #all:pieces())
    near(s:area() + 51, all:area())
    assert.is_true(all:contains(s))
    assert.equal(6, #sat.compound(s, s):pieces())
  end)

  it("has the centre of its area, else of its length, else of its points", function()
    same({ 5, 1 }, sat.compound(sat.rectangle(0, 0, 2, 2), sat.rectangle(8, 0, 2, 2), sat.point(100, 100)):center())
    same({ 5, 0 }, sat.compound(sat.segment(0, 0, 10, 0), sat.point(90, 0)):center())
    same({ 45, 0 }, sat.compound(sat.point(0, 0), sat.point(90, 0)):center())
  end)

  it("is left through its opening when that is the shortest way, and never through a seam", function()
    local dx, dy, depth = sat.collide(sat.rectangle(3, 7, 2, 2), cup())
    same({ 0, -1, 1 }, dx, dy, depth)
    dx, dy = sat.collide(sat.rectangle(1.5, 8.5, 1, 1), cup())
    near(1.5, math.max(math.abs(dx), math.abs(dy)))
  end)

  it("is nearest where its nearest part is", function()
    local d, ax, ay, bx, by = sat.distance(sat.point(5, 5), cup())
    same({ 3, 5, 5 }, d, ax, ay)
    near(3, math.sqrt((bx - 5) ^ 2 + (by - 5) ^ 2))
  end)
end)

describe("a chain", function()
  it("is a run of segments without thickness", function()
    local s = sat.chain { 0, 0, 10, 0, 10, 0, 10, 10 }
    assert.equal("chain", s:kind())
    same({ 0, 0, 10, 0, 10, 10 }, s:unpack())
    assert.equal(2, #s:pieces())
    assert.equal("segment", s:pieces()[1]:kind())
    same({ 7.5, 2.5 }, s:center())
    assert.equal(0, s:area())
    assert.is_true(s:contains(10, 3))
    assert.is_false(s:contains(9, 3))
    assert.equal("sat.chain (3 vertices) at 7.5, 2.5", tostring(s))
  end)

  it("ends where it began if it is closed, and is still its outline alone", function()
    local s = sat.chain({ 0, 0, 10, 0, 10, 10, 0, 10, 0, 0 }, true)
    assert.equal(4, #s:pieces())
    assert.is_false(s:contains(5, 5))
    assert.is_false(s:overlaps(sat.circle(5, 5, 4)))
    assert.is_true(s:overlaps(sat.circle(5, 5, 5)))
    same({ 0.5, -1, 0 }, s:raycast(5, 5, 15, 5))
  end)

  it("does not catch on a joint", function()
    local ground = sat.chain { 0, 0, 10, 0, 20, 0 }
    local dx, dy, depth = sat.collide(sat.rectangle(9.9, -3, 3, 3.5), ground)
    same({ 0, -0.5, 0.5 }, dx, dy, depth)
    assert.is_nil(sat.cast(sat.rectangle(5, -3, 3, 3), 10, 0, ground))
  end)
end)

describe("setRadius", function()
  it("rounds all parts of a shape, which still abut", function()
    local s = ell():setRadius(1)
    same({ -1, -1, 12, 12 }, s:bounds())
    assert.equal(51, s:area())
    local dx, dy = sat.collide(sat.point(1.5, 8.5), s)
    near(2.5, math.max(math.abs(dx), math.abs(dy)))
  end)
end)
