-- Questions about two shapes, as functions and as methods. What they answer for many shapes is in the cases and in the
-- suites of the core; here is what each call takes, gives back, and means.
local sat = require "sat"
local support = require "spec.support"

local near, all_near = support.near, support.all_near
local RUNS = tonumber(os.getenv("SAT_TEST_SCALE") or 1) * 1000

local function is_nothing(...)
  assert.equal(1, select("#", ...))
  assert.is_nil((...))
end

local function box(x, y) return sat.rectangle(x, y, 10, 10) end

describe("overlaps", function()
  it("is true when shapes overlap or only touch", function()
    assert.is_true(sat.overlaps(box(0, 0), box(5, 5)))
    assert.is_true(sat.overlaps(box(0, 0), box(10, 0)))
    assert.is_true(sat.overlaps(box(0, 0), box(10, 10)))
    assert.is_true(sat.overlaps(sat.point(1, 1), sat.point(1, 1)))
    assert.is_true(sat.overlaps(sat.circle(0, 0, 3), sat.circle(7, 0, 4)))
  end)

  it("is false when they are apart", function()
    assert.is_false(sat.overlaps(box(0, 0), box(10.000001, 0)))
    assert.is_false(sat.overlaps(sat.point(1, 1), sat.point(1, 1.5)))
  end)

  it("is a method, too", function() assert.is_true(box(0, 0):overlaps(sat.circle(12, 5, 2))) end)

  it("takes a shape and itself", function()
    local a = box(0, 0)
    assert.is_true(a:overlaps(a))
  end)
end)

describe("collide", function()
  it("gives the shortest vector that moves the first out of the second, and its length", function()
    all_near({ -3, 0, 3 }, sat.collide(box(0, 0), box(7, 1)))
    all_near({ 3, 0, 3 }, sat.collide(box(7, 1), box(0, 0)))
    all_near({ 0, -2, 2 }, box(0, 0):collide(box(1, 8)))
  end)

  it("separates: after the move nothing overlaps any more", function()
    local a, b = sat.regular(0, 0, 5, 6, 0.3), sat.capsule(2, 3, 9, 4, 1)
    local dx, dy, depth = a:collide(b)
    near(depth, math.sqrt(dx * dx + dy * dy))
    a:move(dx, dy)
    local _, _, rest = a:collide(b)
    assert(not rest or rest < 1e-9)
  end)

  -- The centroid of 144 tiles, whose sum rounds 144 times, must still coincide with the centre of the box.
  it("moves what is in the middle of a compound of tiles as it does in the middle of one rectangle", function()
    for columns = 2, 14, 2 do
      local parts = {}
      for i = 0, columns * columns - 1 do
        parts[#parts + 1] = sat.rectangle(48 * (i % columns), 7 + 48 * math.floor(i / columns), 48, 48)
      end
      local middle = 24 * columns
      local mover = sat.rectangle(middle - 24, middle - 17, 48, 48)
      local compound, whole = sat.compound(parts), sat.rectangle(0, 7, 2 * middle, 2 * middle)
      assert.same({ whole:center() }, { compound:center() })
      assert.same({ mover:collide(whole) }, { mover:collide(compound) })
      assert.same({ whole:collide(mover) }, { compound:collide(mover) })
      compound:stretch(1.5, 0.5)
      whole:stretch(1.5, 0.5)
      assert.same({ mover:collide(whole) }, { mover:collide(compound) })
    end
  end)

  it("gives 0, 0, 0 for shapes that only touch", function()
    all_near({ 0, 0, 0 }, sat.collide(box(0, 0), box(10, 3)))
  end)

  it("gives one nil for shapes that are apart", function()
    is_nothing(sat.collide(box(0, 0), box(20, 0)))
    is_nothing(box(0, 0):collide(sat.point(20, 0)))
  end)

  it("never gives -0", function()
    for _, pair in ipairs { { box(0, 0), box(7, 0) }, { box(7, 0), box(0, 0) }, { box(0, 0), box(10, 0) } } do
      local dx, dy = sat.collide(pair[1], pair[2])
      for _, value in ipairs { dx, dy } do assert(value ~= 0 or 1 / value > 0) end
    end
  end)
end)

describe("lines in outlines", function()
  local function touches(a, b) all_near({ 0, 0, 0 }, sat.collide(a, b)) end

  it("only touch where they fit exactly", function()
    local boxes = sat.compound(sat.rectangle(0, 0, 40, 30), sat.rectangle(40, 30, 25, 30))
    touches(sat.segment(10, 30, 60, 30), boxes)
    local pinched = sat.polygon(0, 0, 12, 0, 12, 12, 24, 12, 24, 20, 12, 20, 12, 12, 0, 12)
    touches(sat.segment(0, 12, 24, 12), pinched)
    local corner = sat.compound(sat.rectangle(5, -9, 15, 9), sat.rectangle(20, 0, 10, 20),
      sat.rectangle(30, 20, 10, 30))
    touches(sat.chain { 0, 0, 30, 0, 30, 45 }, corner)
    local tips = sat.compound(sat.polygon(0, 0, 20, 0, 0, -15), sat.polygon(0, 0, -20, 0, 0, 15))
    touches(tips, sat.segment(-13, 0, 17, 0))
  end)

  it("are inside on a seam", function()
    local line = sat.segment(12, 30, 30, 30)
    local boxes = sat.compound(sat.rectangle(0, 0, 40, 30), sat.rectangle(0, 30, 40, 30))
    all_near({ 28, 0, 28 }, sat.collide(line, boxes))
  end)

  it("find the same in a world", function()
    local world = sat.world():add(sat.rectangle(0, 0, 40, 30), sat.rectangle(40, 30, 25, 30))
    all_near({ 0, 0, 0 }, world:collide(sat.segment(10, 30, 60, 30)))
    world = sat.world():add(sat.rectangle(0, 0, 40, 30), sat.rectangle(0, 30, 40, 30))
    all_near({ 28, 0, 28 }, world:collide(sat.segment(12, 30, 30, 30)))
  end)
end)

describe("lines that meet", function()
  local function depth(a, b)
    local dx, dy, size = assert(sat.collide(a, b))
    near(size, math.sqrt(dx * dx + dy * dy), 1e-12)
    a:move(dx, dy)
    local _, _, left = sat.collide(a, b) -- nothing where rounding puts them apart
    near(0, left or 0, 1e-12)
    return size
  end

  it("overlap where one passes to the other side", function()
    near(24, depth(sat.chain { 90, 50, 40, 50, 10, 10 }, sat.chain { 40, 10, 40, 50, 40, 90 }), 1e-12)
    local bend, flat = sat.chain { 60, 0, 50, 70, 0, 80 }, sat.chain { 80, 70, 50, 70, 10, 70 }
    near(7.8446454055274, depth(bend, flat), 1e-12) -- the foot on the longer segment
    local shared = sat.chain { 30, 60, 20, 20, 50, 30, 60, 0 }
    near(12.649110640674, depth(sat.chain { 0, 40, 20, 20, 50, 30, 40, 40 }, shared), 1e-12)
  end)

  it("touch where they end, or go back to their side", function()
    local bridge = sat.chain { 0, 0, 30, 40, 90, 40, 120, 0 }
    assert.equal(0, depth(bridge, sat.chain { 0, 90, 30, 40, 90, 40, 120, 90 }))
    assert.equal(0, depth(sat.chain { 0, 0, 30, 40, 90, 40, 120, 90 }, sat.chain { 30, 40, 90, 40 }))
  end)

  it("answer alike for mirrored, turned, moved, reversed and exchanged chains", function()
    local random = support.generator(support.SEED)
    local function mapped(points, map)
      local image = {}
      for i = 1, #points, 2 do image[i], image[i + 1] = map(points[i], points[i + 1]) end
      return image
    end
    local function reversed(points)
      local back = {}
      for i = #points - 1, 1, -2 do back[#back + 1], back[#back + 2] = points[i], points[i + 1] end
      return back
    end
    local function path()
      local points, x, y = {}, nil, nil
      for _ = 1, random(2, 5) do
        local lastX, lastY = x, y
        repeat x, y = 10 * random(0, 3), 10 * random(0, 3) until x ~= lastX or y ~= lastY
        points[#points + 1], points[#points + 2] = x, y
      end
      return points
    end
    local maps = {
      function(x, y) return -x, y end, function(x, y) return x, -y end, function(x, y) return -y, x end,
      function(x, y) return -x, -y end, function(x, y) return y, x end, function(x, y) return x + 1000, y - 777 end,
    }
    local passed = 0
    for run = 1, RUNS do
      local p, q = path(), path()
      local message = ("run %d, { %s } and { %s }"):format(run, table.concat(p, ", "), table.concat(q, ", "))
      local function depth_of(a, b) return select(3, sat.collide(sat.chain(a), sat.chain(b))) or -1 end
      local size = depth_of(p, q)
      if size > 0 then
        passed = passed + 1
        depth(sat.chain(p), sat.chain(q))
      end
      local images = { { q, p }, { reversed(p), q }, { p, reversed(q) } }
      for _, map in ipairs(maps) do images[#images + 1] = { mapped(p, map), mapped(q, map) } end
      for _, image in ipairs(images) do assert(math.abs(size - depth_of(image[1], image[2])) < 1e-9, message) end
    end
    assert.is_true(passed > 0.3 * RUNS)
  end)

  it("take the members of a compound for one line", function()
    local wall = sat.compound(sat.segment(0, 0, 10, 0), sat.segment(10, 0, 20, 0))
    near(3, depth(sat.segment(10, -3, 10, 5), wall), 1e-12)
    assert.equal(0, depth(sat.segment(10, 0, 10, 5), wall))
  end)

  it("pass at the joints of closed chains", function()
    local arena = sat.chain({ 0, 0, 0, 100, 100, 100, 100, 0 }, true)
    assert.is_true(depth(sat.segment(-20, -10, 20, 10), arena) > 0)
    assert.equal(0, depth(sat.segment(-10, 10, 10, -10), arena))
  end)
end)

describe("contacts", function()
  it("gives the normal, the depth and two points where edges meet", function()
    local nx, ny, depth, x1, y1, x2, y2 = sat.contacts(box(0, 0), box(2, 9))
    all_near({ 0, -1, 1 }, nx, ny, depth)
    if x1 > x2 then x1, x2 = x2, x1 end
    near(2, x1)
    near(10, x2)
    assert(y1 >= 9 and y1 <= 10 and y2 >= 9 and y2 <= 10)
  end)

  it("gives one point where a corner or a circle meets something", function()
    assert.equal(5, select("#", sat.contacts(sat.circle(5, -2, 3), box(0, 0))))
    local nx, ny, depth, x, y = sat.circle(5, -2, 3):contacts(box(0, 0))
    all_near({ 0, -1, 1, 5 }, nx, ny, depth, x)
    assert(y >= -1e-9 and y <= 1 + 1e-9)
  end)

  it("gives depth 0 and a unit normal for shapes that touch", function()
    local nx, ny, depth = sat.contacts(box(0, 0), box(10, 0))
    all_near({ -1, 0, 0 }, nx, ny, depth)
  end)

  it("gives one nil for shapes that are apart", function() is_nothing(sat.contacts(box(0, 0), box(20, 0))) end)
end)

describe("distance", function()
  it("gives the gap and the closest points", function()
    all_near({ 5, 10, 10, 13, 14 }, sat.distance(box(0, 0), box(13, 14)))
    all_near({ 3, 2, 0, 5, 0 }, sat.circle(0, 0, 2):distance(sat.point(5, 0)))
  end)

  it("gives 0 and one common point twice when they meet", function()
    local a, b = box(0, 0), box(5, 6)
    local d, ax, ay, bx, by = a:distance(b)
    assert.equal(0, d)
    assert.equal(ax, bx)
    assert.equal(ay, by)
    assert.is_true(a:contains(ax, ay) and b:contains(ax, ay))
  end)
end)

describe("sat.contains", function()
  it("tells whether the second lies wholly in the first", function()
    assert.is_true(sat.contains(box(0, 0), sat.circle(5, 5, 5)))
    assert.is_false(sat.contains(sat.circle(5, 5, 5), box(0, 0)))
    assert.is_false(sat.contains(box(0, 0), box(20, 0)))
  end)
end)

describe("cast", function()
  it("gives the fraction of the way, the normal, the point and the parts", function()
    local t, nx, ny, x, y, part, own = sat.cast(sat.circle(0, 5, 2), 20, 0, box(12, 0))
    all_near({ 0.5, -1, 0, 12, 5, 1, 1 }, t, nx, ny, x, y, part, own)
    all_near({ 0.5, -1, 0, 12, 5, 1, 1 }, sat.circle(0, 5, 2):cast(20, 0, box(12, 0)))
  end)

  it("gives t = 0 for shapes that overlap already", function()
    local t, nx, ny = box(0, 0):cast(5, 5, box(9, 1))
    all_near({ 0, -1, 0 }, t, nx, ny)
  end)

  it("gives one nil where nothing is hit", function()
    is_nothing(sat.cast(sat.circle(0, 5, 2), -20, 0, box(12, 0)))
    is_nothing(sat.cast(sat.circle(0, 5, 2), 5, 0, box(12, 0)))
    is_nothing(sat.cast(box(0, 0), 0, 20, box(10, 0)))
  end)

  it("finds shapes without an inside", function()
    near(0.25, (sat.point(0, 0):cast(8, 0, sat.segment(2, -1, 2, 1))))
  end)
end)

describe("raycast", function()
  it("gives the fraction of the way, the normal and the part", function()
    all_near({ 0.5, -1, 0, 1 }, sat.raycast(box(10, 0), 0, 5, 20, 5))
    all_near({ 0.25, 0, -1, 1 }, sat.circle(0, 10, 5):raycast(0, 0, 0, 20))
  end)

  it("gives t = 0 and no normal from inside", function()
    all_near({ 0, 0, 0, 1 }, box(0, 0):raycast(5, 5, 20, 5))
  end)

  it("counts a start on the outline only when it goes in", function()
    all_near({ 0, -1, 0, 1 }, box(0, 0):raycast(0, 5, 20, 5))
    is_nothing(box(0, 0):raycast(0, 5, -20, 5))
    is_nothing(box(0, 0):raycast(0, 5, 0, 8))
  end)

  it("gives one nil for a miss", function() is_nothing(box(0, 0):raycast(-5, -5, -5, 20)) end)
end)

describe("all questions", function()
  local shapes = {
    sat.point(1, 1), sat.circle(2, 2, 3), sat.segment(-3, 0, 4, 1), sat.capsule(5, 5, 9, 9, 1), box(0, 0), box(10, 10),
    sat.polygon(0, 0, 7, 1, 3, 8), sat.regular(20, 3, 4, 5), sat.ellipse(-4, -4, 6, 2), box(3, 3):setRadius(2),
  }

  it("agree on whether two shapes meet, whatever they are and in either order", function()
    for _, a in ipairs(shapes) do
      for _, b in ipairs(shapes) do
        local meet = sat.overlaps(a, b)
        assert.equal(meet, sat.overlaps(b, a))
        assert.equal(meet, sat.collide(a, b) ~= nil)
        assert.equal(meet, sat.contacts(a, b) ~= nil)
        assert.equal(meet, sat.distance(a, b) == 0)
        if sat.contains(a, b) then assert.is_true(meet) end
      end
    end
  end)

  it("do not change the shapes", function()
    for _, a in ipairs(shapes) do
      local before = { a:unpack() }
      a:overlaps(shapes[5])
      a:collide(shapes[5])
      a:contacts(shapes[5])
      a:distance(shapes[5])
      a:cast(3, 4, shapes[5])
      a:raycast(0, 0, 5, 5)
      assert.same(before, { a:unpack() })
    end
  end)

  it("do not mind filters, sensors and disabled shapes", function()
    local a = box(0, 0):setFilter(0, 0, -1):setSensor(true):setEnabled(false):setStatic(true)
    assert.is_true(a:overlaps(box(5, 5):setFilter(0, 0, -1):setStatic(true)))
  end)
end)
