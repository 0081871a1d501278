-- sat.union, sat.intersection, sat.difference, sat.exclusion and sat.repair, against windings around points, sets of
-- cells, sums of areas and all pairs of edges.
local sat = require "sat"
local support = require "spec.support"

local abs, floor, huge, max, min = math.abs, math.floor, math.huge, math.max, math.min
local unpack = table.unpack or unpack
local RUNS = tonumber(os.getenv("SAT_TEST_SCALE") or 1)

local INSIDE = {
  union = function(a, b) return a or b end,
  intersection = function(a, b) return a and b end,
  difference = function(a, b) return a and not b end,
  exclusion = function(a, b) return a ~= b end,
}
local RULES = { nonzero = function(w) return w ~= 0 end, evenodd = function(w) return w % 2 ~= 0 end }

-- ---------------------------------------------------------------- rings

local function area(ring)
  local sum, x, y = 0, ring[#ring - 1] - ring[1], ring[#ring] - ring[2]
  for i = 1, #ring, 2 do
    local u, v = ring[i] - ring[1], ring[i + 1] - ring[2]
    sum = sum + x * v - u * y
    x, y = u, v
  end
  return sum / 2
end

local function area_of(polygons)
  local sum = 0
  for _, ring in ipairs(support.all_rings(polygons)) do sum = sum + area(ring) end
  return sum
end

local cross, each_edge, check_edges = support.cross, support.each_edge, support.check_edges

local function winding(rings, x, y)
  local sum = 0
  each_edge(rings, function(ax, ay, bx, by)
    if (ay > y) == (by > y) then return end
    local side = cross(ax, ay, bx, by, x, y)
    if by > ay and side > 0 then sum = sum + 1 elseif by < ay and side < 0 then sum = sum - 1 end
  end)
  return sum
end

local function distance_to(rings, x, y)
  local least = huge
  each_edge(rings, function(ax, ay, bx, by)
    local dx, dy = bx - ax, by - ay
    local square = dx * dx + dy * dy
    local t = square > 0 and max(0, min(1, ((x - ax) * dx + (y - ay) * dy) / square)) or 0
    least = min(least, (ax + t * dx - x) ^ 2 + (ay + t * dy - y) ^ 2)
  end)
  return math.sqrt(least)
end

-- Every ring is valid, and every polygon becomes a shape of its area.
local function check_polygons(polygons, n)
  assert.equal(n, #polygons)
  for _, polygon in ipairs(polygons) do
    for _, ring in ipairs(polygon) do assert.is_true(sat.validate(ring)) end
    local shape, sum = sat.polygon(polygon), area_of { polygon }
    assert(abs(shape:area() - sum) <= 1e-9 * max(1, sum), "the area of the shape")
    assert(area(polygon[1]) > -1e-12, "an outer ring")
    for k = 2, #polygon do assert(area(polygon[k]) < 1e-12, "a hole") end
  end
  check_edges(support.all_rings(polygons))
end

-- ---------------------------------------------------------------- random rings

local KINDS = {
  grid = function(random) return random(0, 4), random(0, 4) end,
  real = function(random) return random(0, 1e9) / 1e8, random(0, 1e9) / 1e8 end,
  line = function(random) local t = random(0, 1e9) / 1e8 return t, t / 2 + random(-2, 2) * 1e-12 end,
}

local function random_rings(random, kind, most)
  local rings = {}
  for k = 1, random(0, most) do
    rings[k] = {}
    for i = 1, 2 * random(2, 9), 2 do rings[k][i], rings[k][i + 1] = KINDS[kind](random) end
  end
  return rings
end

-- The rings in another order, each from another vertex on.
local function shuffled(rings)
  local list = {}
  for k, ring in ipairs(rings) do
    local turned = {}
    for i = 1, #ring do turned[i] = ring[(i + 1) % #ring + 1] end
    list[#rings + 1 - k] = turned
  end
  return list
end

for _, name in ipairs { "union", "intersection", "difference", "exclusion" } do
  describe("sat." .. name, function()
    for kind in pairs(KINDS) do
      it("of random rings is inside where the windings say so: " .. kind, function()
        local random = support.generator(support.SEED + #name)
        for round = 1, 100 * RUNS do
          local a, b = random_rings(random, kind, 3), random_rings(random, kind, 3)
          local rule = round % 2 == 0 and "nonzero" or "evenodd"
          local polygons, n = sat[name](a, b, rule)
          check_polygons(polygons, n)
          local rings = support.all_rings(polygons)
          for _ = 1, 20 do
            local x, y = random(-1e6, 11e6) / 1e6, random(-1e6, 11e6) / 1e6
            if min(distance_to(a, x, y), distance_to(b, x, y)) > 1e-10 then
              local is = INSIDE[name](RULES[rule](winding(a, x, y)), RULES[rule](winding(b, x, y)))
              assert.equal(is and 1 or 0, winding(rings, x, y))
            end
          end
          assert.same(polygons, (sat.repair(polygons)))
          assert.same(polygons, (sat.repair(polygons, "evenodd")))
          assert.same(polygons, (sat[name](shuffled(a), shuffled(b), rule)))
          if name ~= "difference" then assert.same(polygons, (sat[name](b, a, rule))) end
        end
      end)
    end

    -- Sets of cells, each a ring of its own, so that rings coincide, abut and meet at corners.
    it("of cells is the same set of cells", function()
      local random, SIDE = support.generator(support.SEED + 7), 7
      for _ = 1, 60 * RUNS do
        local sets, rings = { {}, {} }, { {}, {} }
        for i = 1, 2 do
          for _ = 1, random(0, 30) do
            local x, y = random(0, SIDE - 1), random(0, SIDE - 1)
            sets[i][y * SIDE + x] = true
            table.insert(rings[i], { x, y, x + 1, y, x + 1, y + 1, x, y + 1 })
          end
        end
        local polygons, n = sat[name](rings[1], rings[2])
        check_polygons(polygons, n)
        local count, result = 0, support.all_rings(polygons)
        for cell = 0, SIDE * SIDE - 1 do
          local is = INSIDE[name](sets[1][cell] or false, sets[2][cell] or false)
          count = count + (is and 1 or 0)
          assert.equal(is and 1 or 0, winding(result, cell % SIDE + 0.5, floor(cell / SIDE) + 0.5))
        end
        assert.equal(count, area_of(polygons))
      end
    end)
  end)
end

describe("the areas of results", function()
  it("add up", function()
    local random = support.generator(support.SEED + 3)
    for _ = 1, 150 * RUNS do
      local a, b = sat.repair(random_rings(random, "real", 3)), sat.repair(random_rings(random, "real", 3))
      local both, one = area_of(sat.intersection(a, b)), area_of(sat.exclusion(a, b))
      local close = function(x, y) assert(abs(x - y) < 1e-8, x .. " is not " .. y) end
      close(area_of(a) + area_of(b), area_of(sat.union(a, b)) + both)
      close(area_of(a), area_of(sat.difference(a, b)) + both)
      close(one, area_of(sat.difference(a, b)) + area_of(sat.difference(b, a)))
      close(area_of(a), area_of(sat.exclusion(sat.exclusion(a, b), b)))
    end
  end)

  it("stay so in a long chain of cuts and joins", function()
    local random = support.generator(support.SEED)
    local land, total = { { 0, 0, 100, 0, 100, 100, 0, 100 } }, 1e4
    for i = 1, 150 do
      local hole = sat.regular(random(0, 1e6) / 1e4, random(0, 1e6) / 1e4, random(20, 90) / 10, random(3, 12), i)
      local name = i % 3 == 0 and "union" or "difference"
      local common = area_of(sat.intersection(land, hole))
      total = total + (name == "union" and hole:area() - common or -common)
      local polygons, n = sat[name](land, hole)
      if i % 30 == 0 then check_polygons(polygons, n) end
      land = polygons
    end
    assert(abs(area_of(land) - total) < 1e-6)
  end)
end)

-- ---------------------------------------------------------------- cases

describe("sat.repair", function()
  it("cuts a bow tie in two, and takes spikes and seams away", function()
    assert.same({ { { 0, 0, 1, 1, 0, 2 } }, { { 1, 1, 2, 0, 2, 2 } } }, (sat.repair { 0, 0, 2, 2, 2, 0, 0, 2 }))
    assert.same({ { { 0, 0, 4, 0, 4, 4, 0, 4 } } }, (sat.repair { 0, 0, 9, 0, 4, 0, 4, 4, 0, 4 }))
    assert.same({ { { 0, 0, 4, 0, 4, 4, 0, 4 } } },
      (sat.repair { { 0, 0, 2, 0, 2, 4, 0, 4 }, { 2, 4, 2, 0, 4, 0, 4, 4 } }))
  end)

  it("tells a pentagram by the rule", function()
    local star = {}
    for i = 0, 4 do
      star[2 * i + 1], star[2 * i + 2] = math.sin(i * math.pi * 0.8), -math.cos(i * math.pi * 0.8)
    end
    local filled, n = sat.repair(star)
    assert.equal(1, n)
    assert.equal(20, #filled[1][1])
    assert.equal(5, select(2, sat.repair(star, "evenodd")))
  end)

  it("gives nothing for what encloses nothing", function()
    for _, nothing in ipairs { {}, { {} }, { 1, 2 }, { 1, 2, 3, 4 }, { 0, 0, 1, 1, 2, 2 }, { { 0, 0, 5, 5 }, {} } } do
      local polygons, n = sat.repair(nothing)
      assert.same({}, polygons)
      assert.equal(0, n)
    end
  end)

  it("nests: an island in a hole is a polygon of its own", function()
    local function square(at, side) return { at, at, at + side, at, at + side, at + side, at, at + side } end
    local polygons, n = sat.repair({ square(0, 9), square(1, 7), square(2, 5), square(3, 3) }, "evenodd")
    assert.equal(2, n)
    assert.equal(2, #polygons[1])
    assert.equal(2, #polygons[2])
    assert.same({ 2, 2, 7, 2, 7, 7, 2, 7 }, polygons[2][1])
  end)

  it("takes a line drawn by hand of many thousands of points", function()
    local random, ring, x, y = support.generator(support.SEED), {}, 0, 0
    for i = 1, 20000 do
      x, y = x + random(-100, 100) / 100, y + random(-100, 100) / 100
      ring[2 * i - 1], ring[2 * i] = x, y
    end
    local polygons, n = sat.repair(ring, "evenodd")
    assert.is_true(n > 100)
    assert.same(polygons, (sat.repair(polygons)))
  end)
end)

describe("shapes", function()
  it("are taken as they are now, with holes, pieces and members", function()
    local frame = sat.polygon { { 0, 0, 9, 0, 9, 9, 0, 9 }, { 2, 2, 7, 2, 7, 7, 2, 7 } }:move(10, 0)
    assert.same({ { { 10, 0, 19, 0, 19, 9, 10, 9 }, { 12, 2, 12, 7, 17, 7, 17, 2 } } }, (sat.repair(frame)))
    local plus = sat.compound(sat.rectangle(0, 2, 6, 2), sat.compound(sat.rectangle(2, 0, 2, 6)))
    assert.same({ { { 0, 2, 2, 2, 2, 0, 4, 0, 4, 2, 6, 2, 6, 4, 4, 4, 4, 6, 2, 6, 2, 4, 0, 4 } } }, (sat.repair(plus)))
    assert.equal(4, area_of(sat.intersection(plus, sat.rectangle(2, 2, 2, 2))))
    assert.equal(20, area_of(sat.union(plus, sat.rectangle(2, 2, 2, 2), "evenodd")))
  end)

  it("may be turned, mirrored and scaled", function()
    local concave = sat.polygon(0, 0, 9, 0, 1, 1, 0, 9)
    for _, shape in ipairs { concave, sat.compound(concave, sat.rectangle(-5, -5, 6, 6)) } do
      for i = 1, 20 do
        shape:rotate(0.3)
        shape:flip(i % 2 == 0)
        shape:scale(1.1)
        local polygons, n = sat.repair(shape)
        check_polygons(polygons, n)
        local x1, y1, w, h = shape:bounds()
        for _ = 1, 20 do
          local x, y = x1 + w * math.random(), y1 + h * math.random()
          assert.equal(shape:contains(x, y) and 1 or 0, winding(support.all_rings(polygons), x, y))
        end
      end
    end
  end)
end)

describe("coordinates", function()
  it("of 40 bits stay, and others are rounded by half a width of the grid", function()
    local unit = 2 ^ -20
    local ring = { -(2 ^ 40 - 1) * unit, 3 * unit, 0, -unit, (2 ^ 40 - 1) * unit, 0, 7, (2 ^ 39 + 1) * unit }
    assert.same({ { ring } }, (sat.repair(ring)))
    local x = sat.repair({ 0, 0, 1 / 3, 0, 1, 1 })[1][1][3]
    assert.is_true(x ~= 1 / 3 and abs(x - 1 / 3) <= 2 ^ -40)
  end)

  it("may be as small or as large as any", function()
    for _, size in ipairs { 1e-99, 1e-12, 1e14 } do
      local polygons, n = sat.union({ 0, 0, 4 * size, 0, 4 * size, 4 * size, 0, 4 * size },
        { size, size, 9 * size, size, 9 * size, 2 * size, size, 2 * size })
      assert.equal(1, n)
      assert(abs(area_of(polygons) / size / size - 21) < 1e-9)
    end
  end)
end)

-- ---------------------------------------------------------------- errors

local RING, NAN = { 0, 0, 1, 0, 1, 1 }, 0 / 0
local NUMBERS = "a must be a shape or a table of rings"
local ERRORS = {
  { "union", {}, "#1 to 'union' (" .. NUMBERS .. ", but is missing)" },
  { "union", { RING }, "#2 to 'union' (b must be a shape or a table of rings, but is missing)" },
  { "union", { 5, RING }, "#1 to 'union' (" .. NUMBERS .. ", not a number)" },
  { "union", { sat.world(), RING }, "#1 to 'union' (" .. NUMBERS .. ", not a world)" },
  { "difference", { RING, "x" }, "#2 to 'difference' (b must be a shape or a table of rings, not a string)" },
  { "union", { RING, RING, "odd" }, "#3 to 'union' (rule must be \"nonzero\" or \"evenodd\")" },
  { "union", { RING, RING, true }, "#3 to 'union' (rule must be \"nonzero\" or \"evenodd\")" },
  { "exclusion", { RING, RING, nil, 1 }, "#4 to 'exclusion' (one too many for sat.exclusion(a, b, rule))" },
  { "repair", { RING, "nonzero", 1 }, "#3 to 'repair' (one too many for sat.repair(rings, rule))" },
  { "repair", {}, "#1 to 'repair' (rings must be a shape or a table of rings, but is missing)" },
  { "union", { { 0, 0, 1, 0, 1 }, RING }, "#1 to 'union' (vertex 3: y is missing)" },
  { "union", { RING, { 0, 0, 1, NAN, 1, 1 } }, "#2 to 'union' (vertex 2: y is NaN)" },
  { "union", { RING, { RING, { 0, 0, huge, 1 } } }, "#2 to 'union' (ring 2, vertex 2: x is infinite)" },
  { "intersection", { { { RING }, { { 0, 0, 1, 2e15 } } }, RING },
    "#1 to 'intersection' (ring 2, vertex 2: y is beyond 1e15)" },
  { "union", { { RING, 5 }, RING }, "#1 to 'union' (ring 2 must be a table, not a number)" },
  { "union", { { 0, 0, "1", 1 }, RING }, "#1 to 'union' (vertex 2: x must be a number, not a string)" },
  { "union", { { sat.rectangle(0, 0, 1, 1) }, RING }, "#1 to 'union' (vertex 1: x must be a number, not a shape)" },
  { "union", { sat.circle(0, 0, 1), RING }, "#1 to 'union' (a has a radius: its outline is no polygon)" },
  { "union", { RING, sat.rectangle(0, 0, 1, 1):setRadius(1) },
    "#2 to 'union' (b has a radius: its outline is no polygon)" },
  { "repair", { sat.compound(sat.rectangle(0, 0, 1, 1), sat.capsule(0, 0, 1, 1, 1)) },
    "#1 to 'repair' (rings has a radius: its outline is no polygon)" },
  { "union", { RING, sat.chain { 0, 0, 1, 0, 1, 1 } },
    "#2 to 'union' (b must be made of polygons: this chain has parts without area)" },
  { "union", { sat.point(0, 0), RING },
    "#1 to 'union' (a must be made of polygons: this point has parts without area)" },
  { "union", { sat.compound(sat.rectangle(0, 0, 1, 1), sat.segment(0, 0, 1, 1)), RING },
    "#1 to 'union' (a must be made of polygons: this compound has parts without area)" },
}

describe("a wrong call", function()
  for i, case in ipairs(ERRORS) do
    it(("says what is wrong: %d: %s"):format(i, case[3]), function()
      local last = case[2][4] and 4 or case[2][3] ~= nil and 3 or #case[2]
      local ok, message = pcall(sat[case[1]], unpack(case[2], 1, last))
      assert.is_false(ok)
      assert.equal("bad argument " .. case[3], (tostring(message):gsub("^[^:\n]*:%d+: ", "")))
    end)
  end

  it("is told apart from one with a colon", function()
    local ok, message = pcall(sat.union, sat, RING, RING)
    assert.is_false(ok)
    assert.is_truthy(message:find("'union' is called with a dot, sat.union(...), not with a colon", 1, true))
  end)

  it("that would leave more than a million edges ends soon", function()
    local random, ring = support.generator(support.SEED), {}
    for i = 1, 20000 do ring[i] = random(0, 1e6) end
    local ok, message = pcall(sat.repair, ring)
    assert.is_false(ok)
    assert.equal("bad argument #1 to 'repair' (the rings cross or run side by side so often that more than 1000000 "
      .. "edges would be left, or 2000000000 pairs looked at)", message)
  end)
end)

-- ---------------------------------------------------------------- finalizers

describe("a finalizer that runs during a boolean", function()
  it("may use the module, and may change the tables", function()
    local a, b = { 0, 0, 4, 0, 4, 4, 0, 4 }, { 2, 2, 9, 2, 9, 3, 2, 3 }
    local expected = sat.union(a, b)
    for _ = 1, 200 do
      local ring = { 2, 2, 9, 2, 9, 3, 2, 3 }
      support.finalized(function()
        sat.exclusion({ 0, 0, 1, 1, 1, 0, 0, 1 }, a)
        ring[9], ring[10] = 3, 9
      end)
      collectgarbage("step", 1)
      local ok, result = pcall(sat.union, a, ring)
      assert.is_true(ok or tostring(result):find("have changed") ~= nil or tostring(result):find("vertices") ~= nil)
      assert.same(expected, (sat.union(a, b)))
    end
  end)
end)
