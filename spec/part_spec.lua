-- Parts: how they are counted, and which of them casts, rays and moves tell, against each part asked alone.
local sat = require "sat"
local support = require "spec.support"

local SCALE = tonumber(os.getenv "SAT_TEST_SCALE") or 1
local near = support.near
local unpack = rawget(_G, "unpack") or table.unpack

local function same(expected, ...) assert.same(expected, { ... }) end

local function parts_of(s)
  local list = {}
  for k = 1, s:parts() do list[k] = s:part(k) end
  return list
end

-- Whether two hits are one but for rounding.
local function agrees(t, nx, ny, u, ux, uy)
  return u and math.abs(u - t) <= 1e-9 and math.abs(ux - nx) <= 1e-7 and math.abs(uy - ny) <= 1e-7
end

-- ---------------------------------------------------------------- random shapes

-- Makes random shapes with coordinates up to 60: whole tens on a grid, which meet at corners, edges and seams, or any.
local function maker(random, on_grid)
  local make = {}

  local function number(low, high)
    if on_grid then return 10 * random(low / 10, high / 10) end
    return low + (high - low) * random(0, 2 ^ 20) / 2 ^ 20
  end
  make.number = number

  function make.way(most) return number(-most, most), number(-most, most), number(-most, most), number(-most, most) end

  function make.convex(x, y)
    local kind = random(1, 5)
    if kind == 1 then return sat.circle(x, y, number(10, 20)) end
    if kind == 2 then return sat.regular(x, y, number(10, 30), random(3, 7)) end
    if kind == 3 then return sat.capsule(x, y, x + number(10, 30), y + number(-20, 20), 10) end
    return sat.rectangle(x, y, number(10, 40), number(10, 40))
  end

  local function ell(x, y)
    local s = number(10, 20)
    return sat.polygon(x, y, x + s, y, x + s, y + 2 * s, x + 3 * s, y + 2 * s, x + 3 * s, y + 3 * s, x, y + 3 * s)
  end

  function make.chain(x, y)
    local points, closed, n = {}, random(1, 2) == 1, random(3, 7)
    for i = 1, n do
      local angle, r = 2 * math.pi * i / n, number(10, 30)
      points[#points + 1] = closed and x + r * math.cos(angle) or x + 20 * i
      points[#points + 1] = closed and y + r * math.sin(angle) or y + number(-20, 20)
    end
    return sat.chain(points, closed)
  end

  function make.changed(s)
    local what = random(1, on_grid and 3 or 5)
    if what == 1 then return s:rotate(on_grid and math.pi / 2 * random(0, 3) or number(0, 6)) end
    if what == 2 then return s:flip(random(1, 2) == 1) end
    if what == 3 then return s:move(number(-20, 20), number(-20, 20)) end
    if what == 4 then return s:scale(number(1, 3) / 1.5) end
    return s:stretch(number(1, 3) / 1.5, number(1, 3) / 1.5)
  end

  -- A compound, and the list of the shapes that its parts are made of.
  function make.compound(depth)
    local list, leaves = {}, {}
    for i = 1, random(2, 5) do
      local x, y, kind, inside = number(-60, 60), number(-60, 60), random(1, 8), nil
      if kind == 1 then list[i] = ell(x, y)
      elseif kind == 2 then list[i] = make.chain(x, y)
      elseif kind <= 4 and depth < 3 then list[i], inside = make.compound(depth + 1)
      else list[i] = make.convex(x, y)
      end
      if random(1, 3) == 1 then make.changed(list[i]) end
      for _, leaf in ipairs(inside or { list[i] }) do leaves[#leaves + 1] = leaf end
    end
    local s = sat.compound(list)
    for _ = 1, random(0, 3) do make.changed(s) end
    return s, leaves
  end

  return make
end

-- Calls `body` with makers of random shapes and a message that has the seed.
local function each_scene(count, body)
  for seed = support.SEED, support.SEED + count * SCALE - 1 do
    local random = support.generator(seed)
    body(maker(random, seed % 2 == 0), random, "seed " .. seed, seed % 2 == 0)
  end
end

-- ---------------------------------------------------------------- counting

describe("parts", function()
  it("are the shapes that a compound was made of, those of compounds among them in turn", function()
    local inner = sat.compound(sat.circle(0, 0, 1), sat.polygon(5, 0, 8, 0, 8, 7, 15, 7, 15, 10, 5, 10))
    local s = sat.compound(sat.segment(20, 0, 30, 0), sat.compound { inner }, sat.chain { 0, 50, 5, 50, 9, 55 })
    assert.equal(4, s:parts())
    local kinds = {}
    for k = 1, 4 do kinds[k] = s:part(k):kind() end
    same({ "segment", "circle", "polygon", "chain" }, unpack(kinds))
    same({ 5, 0, 8, 0, 8, 7, 15, 7, 15, 10, 5, 10 }, s:part(3):unpack())
    same({ 0, 50, 5, 50, 9, 55 }, s:part(4):unpack())
    assert.equal("sat.compound (4 parts) at 8.0621935670202, 6.0674240246647", tostring(s))
  end)

  it("are the segments of a chain, as its vertices are listed", function()
    for _, closed in ipairs { false, true } do
      local s = sat.chain({ 0, 0, 0, 0, 10, 0, 15, 5, 3, 9, -4, 6, 2, 1 }, closed):rotate(0.3):flip():stretch(2, 1)
      local points, n = s:vertices()
      assert.equal(closed and n or n - 1, s:parts())
      for k = 1, s:parts() do
        local i, j = 2 * k - 1, 2 * (k % n) + 1
        same({ points[i], points[i + 1], points[j], points[j + 1] }, s:part(k):unpack())
        assert.equal("segment", s:part(k):kind())
      end
    end
    assert.equal("capsule", sat.chain({ 0, 0, 5, 0, 9, 9 }):setRadius(2):part(2):kind())
  end)

  it("are one of all else, which is a copy", function()
    local shapes = { sat.point(1, 2), sat.circle(1, 2, 3), sat.segment(0, 0, 1, 2), sat.capsule(0, 0, 1, 2, 3),
      sat.rectangle(0, 0, 5, 5), sat.polygon(0, 0, 3, 0, 3, 7, 10, 7, 10, 10, 0, 10), sat.chain { 3, 4 },
      sat.polygon { { 0, 0, 9, 0, 9, 9, 0, 9 }, { 3, 3, 3, 6, 6, 6, 6, 3 } } }
    for _, s in ipairs(shapes) do
      s:rotate(0.3):setData("d"):setFilter(2, 3, 4):setMass(5)
      assert.equal(1, s:parts())
      local copy = s:part(1)
      assert.same({ s:bounds() }, { copy:bounds() })
      assert.equal("d", copy:data())
      assert.equal(5, copy:mass())
      same({ 2, 3, 4 }, copy:filter())
      assert.is_nil(copy:world())
    end
    local whole = shapes[8]:part(1)
    assert.equal(shapes[8]:rotation(), whole:rotation())
    assert.same({ shapes[8]:unpack() }, { whole:unpack() })
  end)

  it("stand as the shape does, whatever it went through", function()
    each_scene(150, function(make, random, message)
      local s, leaves = make.compound(1)
      -- three points tell how everything has moved
      local frame = { sat.point(0, 0), sat.point(64, 0), sat.point(0, 64) }
      local list = {}
      for i, leaf in ipairs(parts_of(s)) do list[i] = leaf end
      assert.equal(#leaves, #list, message)
      for i = 1, 3 do list[#list + 1] = frame[i] end
      local whole = sat.compound { s, frame[1], frame[2], frame[3] }
      for _ = 1, 5 do make.changed(whole) end
      if random(1, 2) == 1 then whole:setRadius(random(0, 3)) end
      local n = whole:parts()
      assert.equal(#list, n, message)
      local ox, oy = whole:part(n - 2):center()
      local ux, uy = whole:part(n - 1):center()
      local vx, vy = whole:part(n):center()
      local world, loaded = sat.world():add(whole), sat.world()
      loaded:load(world:save())
      for _, copy in ipairs { whole, whole:clone(), loaded:shapes()[1] } do
        assert.equal(n, copy:parts())
        for k = 1, n - 3 do
          local now, before = copy:part(k), list[k]:vertices()
          local points, count = now:vertices()
          assert.equal(#before, 2 * count, message)
          assert.equal(list[k]:kind() == "chain", now:kind() == "chain", message)
          for i = 1, #before, 2 do
            local x = ox + (ux - ox) * before[i] / 64 + (vx - ox) * before[i + 1] / 64
            local y = oy + (uy - oy) * before[i] / 64 + (vy - oy) * before[i + 1] / 64
            local nearest = math.huge
            for j = 1, #points, 2 do
              nearest = math.min(nearest, math.abs(points[j] - x) + math.abs(points[j + 1] - y))
            end
            near(0, nearest, 1e-7)
          end
        end
      end
    end)
  end)

  it("of a concave polygon and of a chain keep their inside and their front", function()
    each_scene(100, function(make, _, message, on_grid)
      local s = make.compound(1)
      for _, part in ipairs(parts_of(s)) do
        local copy, world = sat.compound(part), sat.world():add(part)
        for _ = 1, on_grid and 0 or 20 do -- at corners a segment alone may be missed
          local x1, y1, x2, y2 = make.number(-90, 90), make.number(-90, 90), make.number(-90, 90), make.number(-90, 90)
          local t, nx, ny = part:raycast(x1, y1, x2, y2)
          local u, ux, uy = copy:raycast(x1, y1, x2, y2)
          assert.is_true(not t and not u or agrees(t, nx, ny, u, ux, uy), message)
        end
        local again = sat.world()
        again:load(world:save()) -- its own record is sound
        assert.equal(part:kind(), again:shapes()[1]:kind(), message)
      end
    end)
  end)
end)

-- ---------------------------------------------------------------- which one was hit

-- The lowest part that alone is hit at t with that normal, or nil.
local function lowest(parts, t, nx, ny, ask)
  for k, part in ipairs(parts) do
    if agrees(t, nx, ny, ask(part)) then return k end
  end
end

-- The same of pairs of parts, of b and then of a.
local function lowest_pair(ps, qs, t, nx, ny, dx, dy)
  for j, q in ipairs(qs) do
    for i, p in ipairs(ps) do
      if agrees(t, nx, ny, p:cast(dx, dy, q)) then return j, i end
    end
  end
end

-- The deepest pair of parts that overlap.
local function deepest_pair(ps, qs)
  local most, best_j, best_i = -1, nil, nil
  for j, q in ipairs(qs) do
    for i, p in ipairs(ps) do
      local _, _, depth = p:collide(q)
      if depth and depth > most + 1e-9 then most, best_j, best_i = depth, j, i end
    end
  end
  return best_j, best_i
end

-- On a grid a shape that meets only the corner of a part may be told with it: the union hides what the part shows
-- alone. Elsewhere all agree.
local function counter()
  local seen, other, unlike = 0, 0, 0
  local function compare(message, on_grid, expected, expected_own, part, own)
    seen = seen + 1
    if not expected then other = other + 1 return end
    if expected == part and (not own or expected_own == own) then return end
    unlike = unlike + 1
    if not on_grid then
      error(("%s: part %s of %s, expected %s of %s"):format(message, part, own, expected, expected_own))
    end
  end
  return compare, function(least_seen, most_other)
    assert.is_true(seen >= least_seen * SCALE, "too few: " .. seen)
    assert.is_true(other <= most_other * seen, other .. " hits of no part alone, of " .. seen)
    assert.is_true(unlike <= 0.002 * seen + 1, unlike .. " of " .. seen .. " on the grid")
  end
end

describe("the part that is hit", function()
  it("by a ray is the lowest that alone is hit there", function()
    local compare, finish = counter()
    each_scene(200, function(make, random, message, on_grid)
      local s = random(1, 4) == 1 and make.chain(0, 0) or make.compound(1)
      local parts = parts_of(s)
      for _ = 1, 20 do
        local x1, y1, x2, y2 = make.way(120)
        local t, nx, ny, part = s:raycast(x1, y1, x2, y2)
        if t then
          local function ray(p) return p:raycast(x1, y1, x2, y2) end
          compare(message, on_grid, lowest(parts, t, nx, ny, ray), nil, part)
          near(0, parts[part]:distance(sat.point(x1 + t * (x2 - x1), y1 + t * (y2 - y1))), 1e-7)
          same({ t, nx, ny, part }, sat.raycast(s, x1, y1, x2, y2))
        end
      end
    end)
    finish(1000, 0.02)
  end)

  it("by a shape is the lowest that alone is hit there, and tells the shape's own", function()
    local compare, finish = counter()
    each_scene(200, function(make, random, message, on_grid)
      local s = random(1, 4) == 1 and make.chain(0, 0) or make.compound(1)
      local a, qs = random(1, 2) == 1 and make.compound(1) or make.convex(0, 0), parts_of(s)
      for _ = 1, 6 do
        a:moveTo(make.number(-150, 150), make.number(-150, 150))
        local dx, dy, ps = make.number(-200, 200), make.number(-200, 200), parts_of(a)
        local t, nx, ny, x, y, part, own = a:cast(dx, dy, s)
        if t then
          local j, i = lowest_pair(ps, qs, t, nx, ny, dx, dy)
          if not j and t > 0 then j = 0 end -- the answer of the union where parts meet
          compare(message, on_grid or j == 0, j ~= 0 and j or nil, i, part, own)
          if t > 0 then near(0, qs[part]:distance(sat.point(x, y)), 1e-7) end
          same({ t, nx, ny, x, y, part, own }, sat.cast(a, dx, dy, s))
        end
      end
    end)
    finish(300, 0.35) -- those that overlap at the start by no part's own way out
  end)

  it("in a world is that of the shape that is hit", function()
    local compare, finish = counter()
    each_scene(120, function(make, random, message, on_grid)
      local world = sat.world()
      for _ = 1, random(1, 4) do world:add((make.compound(1):move(make.number(-60, 60), make.number(-60, 60)))) end
      local a = random(1, 2) == 1 and make.compound(1) or make.convex(0, 0)
      for _ = 1, 6 do
        local x1, y1, x2, y2 = make.way(150)
        local function ray(p) return p:raycast(x1, y1, x2, y2) end
        local first, t, nx, ny, _, _, part = world:raycast(x1, y1, x2, y2)
        if first then compare(message, on_grid, lowest(parts_of(first), t, nx, ny, ray), nil, part) end
        for other, u, ux, uy, _, _, k in world:raycasts(x1, y1, x2, y2) do
          compare(message, on_grid, lowest(parts_of(other), u, ux, uy, ray), nil, k)
        end
        a:moveTo(x1, y1)
        local ps, dx, dy = parts_of(a), x2 - x1, y2 - y1
        local own
        first, t, nx, ny, _, _, part, own = world:cast(a, dx, dy)
        if first and t > 0 then
          local j, i = lowest_pair(ps, parts_of(first), t, nx, ny, dx, dy)
          compare(message, on_grid, j, i, part, own)
        end
      end
    end)
    finish(1000, 0.02)
  end)

  it("by a move is that of the first hit, of what is crossed, and of what is deepest at the start", function()
    local compare, finish = counter()
    each_scene(120, function(make, random, message, on_grid)
      local world = sat.world()
      for _ = 1, random(1, 4) do world:add((make.compound(1):move(make.number(-60, 60), make.number(-60, 60)))) end
      local a = random(1, 2) == 1 and make.compound(1) or make.convex(0, 0)
      for _, response in ipairs { "touch", "slide", "cross" } do
        a:moveTo(make.number(-150, 150), make.number(-150, 150))
        local dx, dy, ps, n = make.number(-200, 200), make.number(-200, 200), parts_of(a), 0
        world:check(a, dx, dy, response)
        for other, nx, ny, t, _, _, how, part, own in world:hits() do
          n = n + 1
          if how == "free" or how == "stuck" then
            local j, i = deepest_pair(ps, parts_of(other))
            compare(message, on_grid, j, i, part, own)
          elseif t > 0 and (n == 1 or how == "cross") then
            local j, i = lowest_pair(ps, parts_of(other), t, nx, ny, dx, dy)
            compare(message, on_grid, j, i, part, own)
          end
        end
      end
    end)
    finish(300, 0.02)
  end)

  it("is the lower one at a seam, and the one whose normal it is at a corner", function()
    local left, right = sat.rectangle(0, 0, 5, 10), sat.rectangle(5, 0, 5, 10)
    for _, order in ipairs { { left, right }, { right, left } } do
      local s = sat.compound(order)
      for _, angle in ipairs { 0, math.pi / 2, 1 } do
        local turned = s:clone():setRotation(angle, 0, 0)
        local sine, cosine = math.sin(angle), math.cos(angle)
        local function at(x, y) return cosine * x - sine * y, sine * x + cosine * y end
        local x1, y1 = at(5, -5)
        local x2, y2 = at(5, 5)
        assert.equal(1, (select(4, turned:raycast(x1, y1, x2, y2))))
        x1, y1 = at(2, -5)
        x2, y2 = at(2, 5)
        assert.equal(order[1] == left and 1 or 2, (select(4, turned:raycast(x1, y1, x2, y2))))
      end
      -- a box that lands on the right one alone, beside the left one
      assert.equal(order[1] == right and 1 or 2, (select(6, sat.rectangle(5, -20, 5, 5):cast(0, 30, s))))
      assert.equal(1, (select(6, sat.rectangle(4, -20, 5, 5):cast(0, 30, s))))
      local world, box = sat.world():add(s), sat.rectangle(5, -20, 5, 5)
      world:move(box, 0, 30)
      for other, _, _, _, _, _, how, part, own in world:hits() do
        same({ s, "slide", order[1] == right and 1 or 2, 1 }, other, how, part, own)
      end
    end
  end)
end)

-- ---------------------------------------------------------------- pairs, and points

describe("sat.parts", function()
  it("gives all pairs of parts that touch or overlap, in order, each with its vector", function()
    local pairs_seen = 0
    each_scene(150, function(make, random, message)
      local a, b = make.compound(1), random(1, 3) == 1 and make.chain(0, 0) or make.compound(1)
      local ps, qs, expected, actual = parts_of(a), parts_of(b), {}, {}
      for i, p in ipairs(ps) do
        for j, q in ipairs(qs) do
          local dx, dy, depth = p:collide(q)
          if dx then expected[#expected + 1] = { i, j, dx, dy, depth } end
        end
      end
      for i, j, dx, dy, depth in sat.parts(a, b) do actual[#actual + 1] = { i, j, dx, dy, depth } end
      assert.same(expected, actual, message)
      pairs_seen = pairs_seen + #actual
    end)
    assert.is_true(pairs_seen > 300 * SCALE)
  end)

  it("can be left, nested, and called while the shapes move", function()
    local a = sat.compound(sat.circle(0, 0, 5), sat.circle(4, 0, 5), sat.circle(99, 0, 5))
    local b = sat.rectangle(-9, 0, 20, 9)
    local seen = {}
    for i in sat.parts(a, b) do
      for j in sat.parts(a, b) do
        seen[#seen + 1] = 10 * i + j
        if j == 2 then break end
      end
      for j in sat.parts(b, a) do seen[#seen + 1] = 10 * i + j end
    end
    same({ 11, 12, 11, 11, 21, 22, 21, 21 }, unpack(seen))
    local n = 0
    for _ in sat.parts(a, b) do
      n = n + 1
      b:move(0, 50)
    end
    assert.equal(1, n)
    for _ in sat.parts(a, b) do error "nothing touches" end
    b:move(0, -50)
    local f, state, control = sat.parts(a, b)
    assert.equal(1, (f(state, control)))
    assert.equal(2, (f(state)))
    assert.is_nil(f(state))
    assert.is_nil(f(state))
    for _, wrong in ipairs { 1, "", {}, a, sat.world(), io.stdout } do
      assert.error_matches(function() f(wrong) end,
        "the iterator of 'parts' needs the state that came with it", 1, true)
    end
    assert.error_matches(f, "the iterator of 'parts' needs the state that came with it", 1, true)
  end)

  it("keeps the shapes alive while it runs, and no longer", function()
    local function parts()
      return sat.parts(sat.circle(0, 0, 1), sat.compound(sat.circle(1, 0, 1), sat.point(0.5, 0)))
    end
    local f, state = parts()
    collectgarbage()
    collectgarbage()
    same({ 1, 1, -1, 0, 1 }, f(state))
    same({ 1, 2, -0.5, 0, 0.5 }, f(state))
    local weak = setmetatable({ sat.circle(0, 0, 1) }, { __mode = "v" })
    for _ in sat.parts(weak[1], sat.point(0, 0)) do end -- luacheck: ignore 542
    for _ in sat.parts(f and sat.point(0, 0), sat.point(1, 0)) do end -- luacheck: ignore 542
    collectgarbage()
    collectgarbage()
    assert.is_nil(weak[1])
  end)
end)

describe("shape:partAt", function()
  it("gives the lowest part that holds the point", function()
    local hits = 0
    each_scene(100, function(make, random, message, on_grid)
      local s = random(1, 4) == 1 and make.chain(0, 0) or make.compound(1)
      local parts = parts_of(s)
      for _ = 1, 20 do
        local x, y, expected = make.number(-80, 80), make.number(-80, 80), nil
        for k = #parts, 1, -1 do
          if parts[k]:contains(x, y) then expected = k end
        end
        -- whether an outline has the point on it may be rounding
        local part = s:partAt(x, y)
        local beside = part ~= expected and on_grid and (expected or part) and
          parts[expected or part]:distance(sat.point(x, y)) <= 1e-9
        assert.is_true(part == expected or beside, message)
        hits = hits + (expected and 1 or 0)
      end
    end)
    assert.is_true(hits > 200 * SCALE)
    same({ nil }, sat.circle(0, 0, 1):partAt(2, 0))
    assert.equal(1, sat.circle(0, 0, 1):partAt(1, 0))
  end)
end)
