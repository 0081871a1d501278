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
    all_near({ 0.7, 0, -1, 1 }, s:raycast(5, 0, 5, 10))
    all_near({ 0.7, 1, 0, 1 }, s:raycast(10, 1, 0, 1))
    same({ 0, 0, 0, 1 }, s:raycast(1, 7, 20, 7))
    all_near({ 0.5, 0, -1, 5, 7, 1, 1 }, sat.cast(sat.circle(5, 0, 1), 0, 12, s))
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
    assert.is_true(s:contains(10, 5))
    assert.is_false(s:overlaps(sat.circle(5, 5, 4)))
    assert.is_true(s:overlaps(sat.circle(5, 5, 5)))
    near(1, (s:distance(sat.circle(5, 5, 4))))
  end)

  it("is open outside if it is closed in the order of positive area, else inside", function()
    local island = sat.chain({ 0, 0, 10, 0, 10, 10, 0, 10 }, true)
    local arena = sat.chain({ 0, 0, 0, 10, 10, 10, 10, 0 }, true)
    local thing = sat.rectangle(7, 4, 4, 2)
    same({ 3, 0, 3 }, thing:collide(island))
    same({ -1, 0, 1 }, thing:collide(arena))
    assert.is_nil(island:raycast(5, 5, 15, 5))
    same({ 0.5, -1, 0, 3 }, arena:raycast(5, 5, 15, 5))
    same({ 0.5, 1, 0, 2 }, island:raycast(15, 5, 5, 5))
    assert.is_nil(arena:raycast(15, 5, 5, 5))
    assert.is_nil(sat.cast(sat.circle(5, 5, 1), 20, 0, island))
    same({ 0.2, -1, 0, 10, 5, 3, 1 }, sat.cast(sat.circle(5, 5, 1), 20, 0, arena))
    same({ 3, 0, 3 }, thing:collide(island:clone():flip()))
  end)

  it("does not catch on a joint", function()
    local ground = sat.chain { 0, 0, 10, 0, 20, 0 }
    local dx, dy, depth = sat.collide(sat.rectangle(9.9, -3, 3, 3.5), ground)
    same({ 0, -0.5, 0.5 }, dx, dy, depth)
    assert.is_nil(sat.cast(sat.rectangle(5, -3, 3, 3), 10, 0, ground))
    local things = { sat.point(2, 0), sat.segment(1, 0, 4, 0), sat.circle(5, -1, 1), sat.capsule(2, 1, 4, 1, 1) }
    for _, thing in ipairs(things) do
      assert.is_nil(sat.cast(thing, 15, 0, ground))
      assert.is_nil(sat.cast(ground, -15, 0, thing))
    end
  end)

  it("stops what comes to where it turns", function()
    local stairs = sat.chain { 0, 0, 10, 0, 20, 0, 20, -5, 30, -5 }
    same({ 0.5, -1, 0, 20, 0, 3, 1 }, sat.cast(sat.rectangle(5, -3, 5, 3), 20, 0, stairs))
    assert.is_nil(sat.cast(sat.rectangle(5, -8, 5, 3), 30, 0, stairs))
    local island = sat.chain({ 0, 10, 0, 0, 10, 0, 20, 0, 20, -5, 30, -5, 30, 10 }, true)
    same({ 0.9, -1, 0, 4 }, island:raycast(2, 0, 22, 0))
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

describe("pieces", function()
  it("are to a world what the whole is, and share its data", function()
    local data = {}
    for _, whole in ipairs { ell(), cup(), sat.chain { 0, 0, 1, 0, 1, 1 }, sat.rectangle(0, 0, 1, 1) } do
      whole:setFilter(2, 5, -3):setSensor(true):setStatic(true):setEnabled(false):setData(data)
      for _, piece in ipairs(whole:pieces()) do
        same({ 2, 5, -3 }, piece:filter())
        assert.is_true(piece:isSensor() and piece:isStatic() and not piece:isEnabled())
        assert.equal(data, piece:data())
        assert.is_nil(piece:world())
      end
    end
  end)
end)

describe("what fits exactly", function()
  -- Each row: the shape, what it fits into, and the way out.
  local walls = sat.compound(sat.rectangle(0, -32, 320, 32), sat.rectangle(0, 32, 320, 32))
  local slot = sat.polygon(0, 0, 10, 0, 10, 50, 20, 50, 20, 0, 30, 0, 30, 60, 0, 60)
  local room = sat.chain({ 0, 0, 0, 32, 320, 32, 320, 0 }, true)
  local rows = {
    { sat.rectangle(50, 0, 32, 32), walls, 0, 0, 0 },
    { sat.rectangle(50, 2, 32, 32), walls, 0, -2, 2 },
    { sat.circle(50, 16, 16), walls, 0, 0, 0 },
    { sat.circle(50, 18, 16), walls, 0, -2, 2 },
    { sat.segment(50, 2, 50, 34), walls, 0, -2, 2 },
    { sat.rectangle(11, 20, 10, 10), slot, -1, 0, 1 },
    { sat.rectangle(11, 20, 10, 10), sat.chain { 10, 0, 10, 50, 20, 50, 20, 0 }, -1, 0, 1 },
    { sat.rectangle(50, 2, 32, 32), room, 0, -2, 2 },
    { sat.rectangle(-1, 2, 320, 32), room, 1, -2, math.sqrt(5) },
  }

  it("is there with depth 0, and comes back by what it is pressed in", function()
    for i, row in ipairs(rows) do
      local a, b = row[1], row[2]
      local dx, dy, depth = a:collide(b)
      all_near({ row[3], row[4], row[5] }, dx, dy, depth)
      all_near({ -row[3], -row[4], row[5] }, b:collide(a))
      assert.equal(row[5] == 0, depth == 0)
      assert(a:overlaps(b), i)
      local at = { select(4, a:contacts(b)) }
      local moved = a:clone():move(dx, dy)
      for k = 1, #at, 2 do
        local touch = sat.point(at[k], at[k + 1])
        near(0, (touch:distance(moved)))
        near(0, (touch:distance(b)))
      end
    end
  end)
end)

describe("a seam between two parts of a compound", function()
  local seam = sat.compound(sat.rectangle(0, 0, 5, 10), sat.rectangle(5, 0, 5, 10))

  it("is inside of it for rays, casts and ways out", function()
    same({ 0.5, 0, -1, 1 }, seam:raycast(5, -5, 5, 5))
    same({ 0, 0, 0, 1 }, seam:raycast(5, 4, 5, 20))
    assert.equal(0.25, (sat.cast(sat.segment(5, -9, 5, -5), 0, 20, seam)))
    same({ 0, -4, 4 }, sat.collide(sat.point(5, 4), seam))
  end)

  it("does not stop what slides over it", function()
    local things = { sat.rectangle(-1, -3, 3, 3), sat.circle(1, -1, 1), sat.segment(0, 0, 2, 0), sat.point(1, 0) }
    for _, thing in ipairs(things) do
      assert.is_nil(sat.cast(thing, 8, 0, seam))
      assert.is_nil(sat.cast(seam, -8, 0, thing))
    end
  end)
end)

describe("odd rings", function()
  -- What sat.polygon makes of one, by area and number of vertices; sat.validate has to agree.
  local function accepts(area, count, ring)
    local s = sat.polygon(ring)
    assert.equal(area, s:area())
    assert.equal(count, select(2, s:vertices()))
    assert.is_true(sat.validate(ring))
  end

  local function refuses(reason, vertex, ring)
    same({ nil, reason, vertex }, sat.validate(ring))
    assert.error_matches(function() sat.polygon(ring) end, reason, 1, true)
  end

  it("may have spikes without width", function()
    accepts(100, 4, { 0, 0, 10, 0, 10, 5, 17, 5, 10, 5, 10, 10, 0, 10 })
    accepts(100, 4, { 0, 0, 10, 0, 10, 10, 0, 10, 0, 0, -5, -5 })
  end)

  it("may have a hole that a double edge leads to", function()
    local ring = { 0, 0, 10, 0, 10, 10, 0, 10, 0, 0, 3, 3, 3, 7, 7, 7, 7, 3, 3, 3 }
    accepts(84, 10, ring)
    local s = sat.polygon(ring)
    assert.is_false(s:contains(5, 5))
    assert.is_true(s:contains(1.5, 1.5))
    assert.is_false(s:overlaps(sat.circle(5, 5, 1)))
    same({ 1, 0, 1 }, sat.collide(sat.rectangle(2, 4, 3, 1), s))
  end)

  it("may touch themselves at a vertex", function()
    accepts(50, 6, { 0, 0, 5, 5, 0, 10, 10, 10, 5, 5, 10, 0 })
    accepts(50, 6, { 10, 0, 5, 5, 10, 10, 0, 10, 5, 5, 0, 0 })
  end)

  it("may not be walked twice", function()
    local reason = "the edge from vertex 1 to 2 crosses or runs along the one from 5 to 6"
    refuses(reason, 1, { 0, 0, 10, 0, 10, 10, 0, 10, 0, 0, 10, 0, 10, 10, 0, 10 })
  end)

  it("may not overlap or cross themselves", function()
    refuses("the edge from vertex 1 to 2 crosses or runs along the one from 3 to 4", 1, { 0, 0, 10, 10, 10, 0, 0, 10 })
    refuses("the edge from vertex 1 to 2 crosses or runs along the one from 4 to 5", 1,
      { 0, 0, 10, 0, 10, 10, 5, 5, 5, -5, 0, -5 })
  end)

  it("need three vertices and an area", function()
    refuses("fewer than three vertices are distinct", nil, { 0, 0, 5, 5, 0, 0, 5, 5, 5, 5 })
    refuses("the vertices enclose no area", nil, { 0, 0, 5, 5, 9, 9, 2, 2 })
    refuses("the vertices enclose no area", nil, { 0, 0, 5, 0, 5, 5, 5, 0 })
  end)
end)

describe("odd chains", function()
  it("may have one point, or all in one place", function()
    for _, s in ipairs { sat.chain { 3, 4 }, sat.chain({ 3, 4, 3, 4, 3, 4 }, true) } do
      same({ 3, 4 }, s:unpack())
      same({ 3, 4 }, s:center())
      assert.is_true(s:contains(3, 4))
      assert.equal(5, (s:distance(sat.point(0, 0))))
      same({ 0.5, -1, 0, 1 }, s:raycast(0, 4, 6, 4))
    end
  end)

  it("drop repeated points", function()
    assert.equal(2, #sat.chain({ 0, 0, 0, 0, 5, 0, 5, 0, 5, 0, 5, 5, 5, 5 }):pieces())
    assert.equal(3, #sat.chain({ 0, 0, 0, 0, 5, 0, 5, 5, 0, 0, 0, 0 }, true):pieces())
  end)

  it("may lie on a line and come back on it", function()
    local s = sat.chain { 0, 0, 10, 0, 4, 0, 20, 0 }
    assert.equal(3, #s:pieces())
    same({ 0, -2, 2 }, sat.collide(sat.rectangle(3, -3, 3, 5), s))
    assert.is_nil(sat.cast(sat.circle(2, -1, 1), 30, 0, s))
    local wall = sat.chain({ 0, 0, 10, 0, 0, 0, -5, 0 }, true)
    same({ 0.5, 0, -1, 1 }, wall:raycast(5, -5, 5, 5))
    same({ 0.5, 0, 1, 2 }, wall:raycast(5, 5, 5, -5))
  end)

  it("may be walked twice, and cross themselves", function()
    local ring = sat.chain({ 0, 0, 10, 0, 10, 10, 0, 10, 0, 0, 10, 0, 10, 10, 0, 10 }, true)
    same({ 0.25, -1, 0, 4 }, ring:raycast(-5, 5, 15, 5))
    local eight = sat.chain({ 0, 0, 10, 10, 10, 0, 0, 10 }, true)
    assert.is_true(eight:overlaps(sat.circle(5, 5, 1)))
    assert.is_true(eight:contains(5, 5))
    assert.is_truthy((sat.collide(sat.rectangle(4, 4, 2, 2), eight)))
  end)

  it("are what they were in a world that was saved", function()
    local arena = sat.chain({ 0, 0, 0, 10, 5, 10, 10, 10, 10, 0 }, true)
    for _, shape in ipairs { arena, sat.compound(arena, sat.segment(4, 50, 6, 50)), arena:clone():flip() } do
      local world, other = sat.world(), sat.world()
      world:add(shape)
      other:load(world:save())
      local loaded = other:shapes()[1]
      for _, s in ipairs { loaded, sat.compound(loaded), loaded:clone():flip() } do
        local t, nx, ny, part = s:raycast(5, 5, 15, 5)
        same({ 0.5, -1, 0 }, t, nx, ny)
        same({ 0.5, -1, 0, 1 }, (s:kind() == "chain" and s:part(part) or s):raycast(5, 5, 15, 5))
        assert.is_nil(s:raycast(15, 5, 5.5, 5))
        assert.is_nil(sat.cast(sat.segment(1, 10, 3, 10), 6, 0, s))
      end
    end
  end)

  it("may have 100,000 points", function()
    local points = {}
    for i = 0, 99999 do
      points[2 * i + 1], points[2 * i + 2] = i, i % 2
    end
    local s = sat.chain(points)
    assert.equal(99999, #s:pieces())
    same({ 0, 0, 99999, 1 }, s:bounds())
    assert.is_true(s:contains(50000.5, 0.5))
    assert.is_nil(sat.cast(sat.rectangle(5, -3, 9, 3), 90000, 0, s))
    same({ 0, -1, 1 }, sat.collide(sat.rectangle(700.25, -2, 5, 3), s))
    assert.equal(199998, #sat.compound(s, s):pieces())
  end)
end)

describe("odd compounds", function()
  it("may hold themselves over and over", function()
    local s = sat.circle(0, 0, 1)
    for _ = 1, 10 do s = sat.compound(s, s) end
    assert.equal(1024, #s:pieces())
    near(1024 * math.pi, s:area())
    same({ 1, 0, 1 }, sat.collide(s, sat.rectangle(-5, -1, 5, 2)))
    for _ = 1, 300 do s = sat.compound { s } end
    assert.equal(1024, #s:pieces())
    same({ 0, 0 }, s:center())
  end)

  it("are refused without shapes", function()
    assert.error_matches(function() sat.compound() end, "there are no shapes", 1, true)
    assert.error_matches(function() sat.compound {} end, "there are no shapes", 1, true)
  end)

  it("keep the chains that they hold whole, and their open side", function()
    local arena = sat.chain({ 0, 0, 0, 10, 5, 10, 10, 10, 10, 0 }, true)
    local mirrored = sat.compound(sat.circle(-9, 0, 1), arena:clone():flip())
    for _, s in ipairs { sat.compound(arena, sat.circle(50, 50, 1)), mirrored } do
      same({ 0.5, -1, 0, s == mirrored and 2 or 1 }, s:raycast(5, 5, 15, 5))
      assert.is_nil(s:raycast(15, 5, 5.5, 5))
      assert.is_nil(sat.cast(sat.segment(1, 10, 3, 10), 6, 0, s))
      same({ 0, -1, 1 }, sat.collide(sat.rectangle(4, 8, 2, 3), s))
    end
  end)
end)

describe("a segment that crosses a closed chain at a vertex", function()
  local function square() return sat.chain({ 0, 0, 5, 0, 10, 0, 10, 10, 0, 10 }, true) end

  it("is led out at the open side", function()
    same({ 0, -4, 4 }, sat.segment(5, -3, 5, 4):collide(square()))
  end)

  it("is hit at once where it moves further in, and not where it moves out", function()
    same({ 0, 0, -1, 5, 0, 1, 1 }, sat.segment(5, -3, 5, 4):cast(0, 20, square()))
    assert.is_nil((sat.segment(5, -3, 5, 4):cast(0, -20, square())))
  end)
end)

describe("a point at a reflex corner of a star", function()
  it("touches with depth 0, to the bit", function()
    local star = sat.polygon(-4, 0, -1, -1, -2, -4, 0, -1, 2, -4, 1, -1, 4, 0, 1, 1, 2, 4, 0, 1, -2, 4, -1, 1)
    for _, pair in ipairs { { star, sat.point(0, -1) }, { sat.point(0, -1), star } } do
      local dx, dy, depth = pair[1]:collide(pair[2])
      assert.is_true(dx == 0 and dy == 0 and depth == 0)
    end
  end)
end)
