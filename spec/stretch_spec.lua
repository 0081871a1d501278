-- Stretching, flipping, and the shadows of shapes on an axis, against models in Lua.
local sat = require "sat"
local support = require "spec.support"

local near = support.near

-- ---------------------------------------------------------------- shapes of all kinds

local makers = {
  function(random)
    local x, y = random(-50, 50), random(-50, 50)
    return sat.polygon(x, y, x + random(3, 30), y + random(-2, 2), x + random(-4, 4), y + random(3, 30))
  end,
  function(random) return sat.rectangle(random(-50, 50), random(-50, 50), random(1, 40), random(1, 40)) end,
  function(random) return sat.regular(random(-50, 50), random(-50, 50), random(1, 40), random(3, 12)) end,
  function(random) -- concave
    local x, y, w = random(-50, 50), random(-50, 50), random(4, 12)
    return sat.polygon(x, y, x + 3 * w, y, x + 3 * w, y + w, x + w, y + w, x + w, y + 4 * w, x, y + 4 * w)
  end,
  function(random)
    local x, y = random(-50, 50), random(-50, 50)
    return sat.segment(x, y, x + random(1, 30), y + random(-30, 30))
  end,
  function(random)
    local x, y = random(-50, 50), random(-50, 50)
    return sat.capsule(x, y, x + random(1, 30), y + random(-30, 30), random(1, 9))
  end,
  function(random) return sat.point(random(-50, 50), random(-50, 50)) end,
  function(random)
    local x, y = random(-50, 50), random(-50, 50)
    return sat.chain({ x, y, x + random(1, 20), y + 3, x + 25, y + random(-20, 20), x + 9, y + random(30, 40) },
      random(0, 1) == 1)
  end,
}

local function any_simple(random) return makers[random(1, #makers)](random) end

local function any_compound(random)
  local members = { sat.circle(random(-50, 50), random(-50, 50), random(1, 9)) }
  for _ = 1, random(1, 4) do
    members[#members + 1] = any_simple(random):rotate(random(0, 7)):setRadius(random(0, 1) * random(0, 5))
  end
  return sat.compound(members)
end

local function any_shape(random)
  local shape = random(1, 3) == 1 and any_compound(random) or any_simple(random)
  if random(0, 1) == 1 then shape:rotate(random(-40, 40) / 10) end
  if random(0, 2) == 1 then shape:scale(random(1, 40) / 10) end
  if random(0, 2) == 1 then shape:flip(random(0, 1) == 1) end
  return shape
end

-- The vertices of all pieces as flat tables, and their radii.
local function outline(shape)
  local pieces = {}
  for i, piece in ipairs(shape:pieces()) do
    pieces[i] = { vertices = (piece:vertices()), radius = piece:radius() }
  end
  return pieces
end

local function turned(x, y, angle)
  local c, s = math.cos(angle), math.sin(angle)
  return x * c - y * s, x * s + y * c
end

-- ---------------------------------------------------------------- measures of an outline

local function ring_measures(v)
  local area, length, ax, ay, n = 0, 0, 0, 0, #v
  local x0, y0 = v[1], v[2]
  for i = 1, n, 2 do
    local k = i + 2 > n and 1 or i + 2
    local x1, y1, x2, y2 = v[i] - x0, v[i + 1] - y0, v[k] - x0, v[k + 1] - y0
    local cross = x1 * y2 - x2 * y1
    area, ax, ay = area + cross / 2, ax + cross * (x1 + x2) / 6, ay + cross * (y1 + y2) / 6
    length = length + math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2)
  end
  if n == 2 then return 0, 0, x0, y0 end
  if n == 4 then return 0, length, (v[1] + v[3]) / 2, (v[2] + v[4]) / 2 end
  return area, length, x0 + ax / area, y0 + ay / area
end

-- The centroid of parts by the weights that are not all 0.
local function centroid_of(parts)
  for _, weight in ipairs { "area", "length" } do
    local sum, x, y = 0, 0, 0
    for _, part in ipairs(parts) do
      sum, x, y = sum + part[weight], x + part[weight] * part.x, y + part[weight] * part.y
    end
    if sum > 0 then return x / sum, y / sum end
  end
end

describe("shape:stretch", function()
  it("puts each vertex where its arm from the centre leads, stretched along the shape's own axes", function()
    for seed = 1, 400 do
      local random = support.generator(seed)
      local shape = any_shape(random)
      local sx, sy = random(1, 40) / 8, random(1, 40) / 8
      local cx, cy = shape:center()
      local angle, radius, before = shape:rotation(), shape:radius(), outline(shape)
      assert.equal(shape, shape:stretch(sx, sy))
      local after = outline(shape)
      assert.equal(#before, #after, "seed " .. seed)
      for k, piece in ipairs(before) do
        near(piece.radius, after[k].radius)
        for i = 1, #piece.vertices, 2 do
          local ux, uy = turned(piece.vertices[i] - cx, piece.vertices[i + 1] - cy, -angle)
          local x, y = turned(ux * sx, uy * sy, angle)
          near(cx + x, after[k].vertices[i], 1e-9)
          near(cy + y, after[k].vertices[i + 1], 1e-9)
        end
      end
      assert.equal(radius, shape:radius())
      assert.equal(angle, shape:rotation())
    end
  end)

  it("gives what is stretched the area and the centre that its parts have", function()
    for seed = 1, 200 do
      local random = support.generator(seed)
      local members = {}
      for i = 1, random(1, 4) do members[i] = any_simple(random):setRadius(random(0, 1) * random(0, 5)) end
      members[#members + 1] = random(0, 1) == 1 and sat.compound(any_simple(random):setRadius(2)) or nil
      local shape = sat.compound(members):rotate(random(0, 6)):stretch(random(1, 24) / 8, random(1, 24) / 8)
      local area, parts = 0, {}
      local is_convex, k = {}, 0
      for _, member in ipairs(members) do
        for _ = 1, #member:pieces() do
          k = k + 1
          is_convex[k] = member:isConvex() and member:kind() ~= "chain"
        end
      end
      if #shape:pieces() <= 4 then -- more of them are put in another order
        for i, piece in ipairs(outline(shape)) do
          local core, length, x, y = ring_measures(piece.vertices)
          local r, rounding = piece.radius, 0
          if is_convex[i] then rounding = (length + math.pi * r) * r end
          area = area + core + rounding
          parts[i] = { area = core + rounding, length = #piece.vertices == 4 and length / 2 or 0, x = x, y = y }
        end
        near(area, shape:area(), 1e-9 * (1 + area))
        local x, y = centroid_of(parts)
        if x then support.all_near({ x, y }, shape:center()) end
      end
    end
  end)

  it("moves the centre of a chain to the middle of its new length, and leaves the point where it was", function()
    local chain = sat.chain { 0, 0, 30, 0, 30, 10 }
    local cx, cy = chain:center()
    support.all_near({ (15 * 30 + 30 * 10) / 40, 10 * 5 / 40 }, cx, cy)
    chain:stretch(1, 3)
    local v = chain:vertices()
    support.all_near({ 0, cy - 3 * cy, 30, cy - 3 * cy, 30, cy + 3 * (10 - cy) }, v[1], v[2], v[3], v[4], v[5], v[6])
    support.all_near({ (15 * 30 + 30 * 30) / 60, v[2] + 30 * 15 / 60 }, chain:center())
  end)

  it("keeps whole numbers whole, and gives the first vertices back to the bit", function()
    local box = sat.rectangle(16, 32, 32, 64):stretch(2, 0.5)
    assert.same({ 0, 48, 64, 48, 64, 80, 0, 80 }, (box:vertices()))
    assert.equal(64 * 32, box:area())
    local odd = sat.polygon(0.1, 0.2, 17.3, 0.7, 3.3, 9.9)
    local before = odd:vertices()
    odd:stretch(4, 0.25):stretch(0.25, 4)
    assert.same(before, (odd:vertices()))
  end)

  it("is saved, loaded, cloned and noticed by a world", function()
    for seed = 1, 120 do
      local random = support.generator(seed)
      local world, shape = sat.world(), any_shape(random)
      world:add(shape)
      local plain = world:save()
      shape:stretch(random(1, 24) / 8, random(1, 24) / 8)
      local saved, x, y = world:save(), shape:center()
      local vertices, area = outline(shape), shape:area()
      assert.same({ shape:bounds() }, { shape:clone():bounds() })
      assert.same(vertices, outline(shape:clone()))
      local hits = world:at(vertices[1].vertices[1], vertices[1].vertices[2])
      assert.is_true(#hits <= 1)
      world:load(plain)
      assert.equal(plain, world:save())
      assert.equal(world, shape:world()) -- the userdata is kept
      world:load(saved)
      assert.equal(saved, world:save())
      assert.same({ x, y }, { shape:center() })
      assert.same(vertices, outline(shape))
      assert.equal(area, shape:area())
      local other = sat.world()
      other:load(saved)
      assert.equal(saved, other:save())
      local made = other:shapes()[1]
      assert.same(vertices, outline(made))
      assert.equal(area, made:area())
      assert.same({ x, y }, { made:center() })
      shape:move(3, 4):rotate(1):stretch(2, 1)
      made:move(3, 4):rotate(1):stretch(2, 1)
      assert.equal(world:save(), other:save())
    end
  end)

  it("lets a world see the new size", function()
    local floor, box = sat.rectangle(0, 40, 100, 10):setStatic(true), sat.rectangle(20, 0, 20, 20)
    local world = sat.world():add(floor, box)
    assert.is_nil((world:collide(box)))
    box:stretch(1, 3) -- from -20 to 40
    assert.same({ 0, 0, 0 }, { world:collide(box) })
    box:stretch(1, 2)
    assert.same({ 0, -30, 30 }, { world:collide(box) })
  end)

  it("leaves the radius of a rounded shape as it is", function()
    local box = sat.rectangle(0, 0, 10, 10):setRadius(3):stretch(2, 1)
    assert.same({ -8, -3, 26, 16 }, { box:bounds() })
    assert.equal(3, box:radius())
  end)

  it("leaves a circle and a point as they are", function()
    for _, round in ipairs { sat.circle(3, 4, 5):rotate(1):scale(2), sat.point(3, 4), sat.point(1, 2):setRadius(3) } do
      local world = sat.world():add(round)
      local before = world:save()
      assert.equal(round, round:stretch(2, 1e15):stretch(1e-300, 7))
      assert.equal(before, world:save())
    end
    assert.same({ 2, 3, 2, 2 }, { sat.point(3, 4):stretch(9, 1):setRadius(1):bounds() })
  end)

  it("refuses what makes no sense before anything has changed", function()
    local box = sat.rectangle(0, 0, 10, 10)
    local big = sat.rectangle(1e14, 0, 1e14, 10)
    local function refused(message, shape, ...)
      local args, world = { ... }, sat.world():add(shape)
      local before = world:save()
      assert.error_matches(function() shape:stretch(args[1], args[2]) end, message, 1, true)
      assert.equal(before, world:save())
      world:remove(shape)
    end
    refused("bad argument #1 to 'stretch' (sx must be above 0)", box, 0, 1)
    refused("bad argument #2 to 'stretch' (sy must be above 0)", box, 1, -1)
    refused("bad argument #1 to 'stretch' (sx is NaN)", box, 0 / 0, 1)
    refused("bad argument #2 to 'stretch' (sy is infinite)", box, 1, 1 / 0)
    refused("bad argument #1 to 'stretch' (sx must be a number, not a string)", box, "2", 1)
    refused("bad argument #1 to 'stretch' (the shape would be stretched below 1e-15)", box, 1e-20, 1)
    refused("bad argument #2 to 'stretch' (the shape would be stretched below 1e-15)", box, 1, 1e-300)
    refused("bad argument #1 to 'stretch' (the shape would reach beyond 1e15)", big, 100, 1)
    for _, round in ipairs { sat.circle(0, 0, 1), sat.point(0, 0) } do
      refused("bad argument #1 to 'stretch' (sx must be above 0)", round, 0, 1)
      refused("bad argument #2 to 'stretch' (sy is NaN)", round, 1, 0 / 0)
    end
    box:stretch(1e-10, 1)
    refused("bad argument #1 to 'stretch' (the shape would be stretched below 1e-15)", box, 1e-10, 1)
  end)
end)

describe("shape:flip", function()
  it("mirrors a shape about its centre, in its own frame, and back", function()
    for seed = 1, 200 do
      local random = support.generator(seed)
      local shape, vertical = any_shape(random), random(0, 1) == 1
      local cx, cy = shape:center()
      local angle, before = shape:rotation(), outline(shape)
      assert.equal(shape, shape:flip(vertical))
      local found = {}
      for _, piece in ipairs(outline(shape)) do
        for i = 1, #piece.vertices, 2 do found[#found + 1] = { piece.vertices[i], piece.vertices[i + 1] } end
      end
      for _, piece in ipairs(before) do
        for i = 1, #piece.vertices, 2 do
          local ux, uy = turned(piece.vertices[i] - cx, piece.vertices[i + 1] - cy, -angle)
          local x, y = turned(vertical and ux or -ux, vertical and -uy or uy, angle)
          local best = math.huge
          for _, v in ipairs(found) do best = math.min(best, math.abs(v[1] - cx - x) + math.abs(v[2] - cy - y)) end
          assert.is_true(best < 1e-9, "seed " .. seed)
        end
      end
      local now = outline(shape)
      shape:flip(vertical):flip(vertical)
      assert.same(now, outline(shape))
    end
  end)
end)

describe("shape:project", function()
  it("gives the least and greatest dot product over all vertices, grown by the radii", function()
    for seed = 1, 400 do
      local random = support.generator(seed)
      local shape = any_shape(random)
      if random(0, 3) == 0 then shape:setRadius(random(1, 9)) end
      local dx, dy = random(-9, 9), random(1, 9)
      local size, low, high = math.sqrt(dx * dx + dy * dy), math.huge, -math.huge
      for _, piece in ipairs(outline(shape)) do
        for i = 1, #piece.vertices, 2 do
          local along = piece.vertices[i] * dx + piece.vertices[i + 1] * dy
          low, high = math.min(low, along - piece.radius * size), math.max(high, along + piece.radius * size)
        end
      end
      local got_low, got_high = shape:project(dx, dy)
      near(low, got_low, 1e-8)
      near(high, got_high, 1e-8)
      local x, y = shape:support(dx, dy)
      near(x * dx + y * dy, got_high, 1e-8)
    end
  end)

  it("gives lengths for unit vectors, and takes vectors of any length", function()
    assert.same({ 2, 6 }, { sat.rectangle(2, 3, 4, 5):project(1, 0) })
    assert.same({ -8, -3 }, { sat.rectangle(2, 3, 4, 5):project(0, -1) })
    assert.same({ 7, 13 }, { sat.circle(10, 0, 3):project(1, 0) })
    support.all_near({ 7e-200, 13e-200 }, sat.circle(10, 0, 3):project(1e-200, 0))
    local low, high = sat.circle(10, 0, 3):project(1e-200, 0)
    near(7, low * 1e200)
    near(13, high * 1e200)
  end)

  it("refuses the vector 0, 0 and what is no number", function()
    local box = sat.rectangle(0, 0, 1, 1)
    assert.error_matches(function() box:project(0, 0) end, "'project' (dx and dy must not both be 0)", 1, true)
    assert.error_matches(function() box:project(1, 0 / 0) end, "#2 to 'project' (dy is NaN)", 1, true)
    assert.error_matches(function() box:project() end, "#1 to 'project' (dx ", 1, true)
  end)
end)

describe("sat.axis", function()
  local function convex(random)
    local shape
    repeat shape = any_shape(random) until shape:isConvex()
    if random(0, 3) == 0 then shape:setRadius(random(1, 9)) end
    return shape
  end

  it("gives the distance along the line of the closest points, or minus the depth of collide", function()
    local apart, together = 0, 0
    for seed = 1, 600 do
      local random = support.generator(seed)
      local a, b = convex(random), convex(random)
      local nx, ny, gap = sat.axis(a, b)
      near(1, nx * nx + ny * ny, 1e-12)
      assert.same({ nx, ny, gap }, { a:axis(b) })
      local dx, dy, depth = a:collide(b)
      local d, ax, ay, bx, by = a:distance(b)
      if dx then
        together = together + 1
        near(-depth, gap, 0)
        near(dx, nx * depth, 1e-9)
        near(dy, ny * depth, 1e-9)
      else
        apart = apart + 1
        near(d, gap, 1e-9)
        if d > 1e-3 then support.all_near({ (ax - bx) / d, (ay - by) / d }, nx, ny) end
      end
      -- the shadows are as far apart as it says, and on no other axis are they farther
      local low = a:project(nx, ny)
      local _, high = b:project(nx, ny)
      near(gap, low - high, 1e-8)
      for k = 0, 60 do
        local ux, uy = math.cos(k / 60 * 2 * math.pi), math.sin(k / 60 * 2 * math.pi)
        assert.is_true(a:project(ux, uy) - select(2, b:project(ux, uy)) <= gap + 1e-8, "seed " .. seed)
      end
    end
    assert.is_true(apart > 50 and together > 50)
  end)

  it("gives 0 and the normal of the contact for what only touches", function()
    local a, b = sat.rectangle(0, 0, 10, 10), sat.rectangle(10, 2, 10, 10)
    assert.same({ -1, 0, 0 }, { sat.axis(a, b) })
    assert.same({ 1, 0, 0 }, { b:axis(a) })
  end)

  it("takes a compound and a chain of one convex part", function()
    local one = sat.compound(sat.circle(0, 0, 5))
    assert.same({ -1, 0, 5 }, { sat.axis(one, sat.rectangle(10, -5, 5, 10)) })
    assert.same({ 0, -1, 5 }, { sat.axis(sat.chain { -1, 0, 1, 0 }, sat.rectangle(-5, 5, 10, 10)) })
  end)

  it("names the shape that is not convex", function()
    local l = sat.polygon(0, 0, 30, 0, 30, 10, 10, 10, 10, 30, 0, 30)
    local box = sat.rectangle(0, 0, 1, 1)
    assert.error_matches(function() sat.axis(l, box) end, "bad argument #1 to 'axis' (a must be convex", 1, true)
    assert.error_matches(function() sat.axis(box, l) end, "bad argument #2 to 'axis' (b must be convex", 1, true)
    assert.error_matches(function() box:axis(l) end, "bad argument #1 to 'axis' (b must be convex", 1, true)
    assert.error_matches(function() l:axis(box) end, "calling 'axis' on bad self (a must be convex", 1, true)
    assert.error_matches(function() sat.axis(box, 1) end, "#2 to 'axis' (b must be a shape, not a number)", 1, true)
  end)
end)

describe("tostring of a shape", function()
  it("tells a mass other than 1 and the normal of a one-way shape", function()
    local box = sat.rectangle(0, 0, 10, 10)
    assert.equal("sat.polygon (4 vertices) at 5, 5", tostring(box))
    assert.equal("sat.polygon (4 vertices, mass 2.5) at 5, 5", tostring(box:setMass(2.5)))
    assert.equal("sat.polygon (4 vertices, radius 1, mass math.huge, one-way 0, -1) at 5, 5",
      tostring(box:setMass(math.huge):setOneWay(0, -3):setRadius(1)))
    assert.equal("sat.point (one-way 1, 0) at 2, 3", tostring(sat.point(2, 3):setOneWay(1, 0)))
    assert.equal("sat.circle (radius 4, mass 2) at 2, 3", tostring(sat.circle(2, 3, 4):setMass(2)))
  end)
end)
