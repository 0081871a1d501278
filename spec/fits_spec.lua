-- World:collide and World:separate where a shape fits between solids but for rounding, and which of several ways that
-- are equally short they take, against a brute force over all places beside boxes.

local sat = require "sat"
local support = require "spec.support"

local abs, max, min, sqrt, huge = math.abs, math.max, math.min, math.sqrt, math.huge

-- ---------------------------------------------------------------- boxes

-- A box is a list x, y, w, h.
local function scale_of(a) return max(abs(a[1]), abs(a[2]), abs(a[1] + a[3]), abs(a[2] + a[4]), a[3], a[4]) end
local function rounding_of(a, b) return 1e-12 * max(scale_of(a), scale_of(b)) end

local function overlap_of(a, b, dx, dy)
  local x, y = a[1] + dx, a[2] + dy
  return min(x + a[3] - b[1], b[1] + b[3] - x, y + a[4] - b[2], b[2] + b[4] - y)
end

-- Whether a box that has been moved overlaps no other one by more than a part of rounding. Those of one compound have
-- its rounding.
local function is_free(a, boxes, dx, dy, part)
  for _, b in ipairs(boxes) do
    if overlap_of(a, b, dx, dy) > part * rounding_of(a, boxes.whole or b) then return false end
  end
  return true
end

-- All moves that put a box beside others, in one of both directions or in both.
local function moves_of(a, boxes)
  local xs, ys, moves = { 0 }, { 0 }, {}
  for _, b in ipairs(boxes) do
    xs[#xs + 1], xs[#xs + 2] = b[1] - a[3] - a[1], b[1] + b[3] - a[1]
    ys[#ys + 1], ys[#ys + 2] = b[2] - a[4] - a[2], b[2] + b[4] - a[2]
  end
  for _, x in ipairs(xs) do
    for _, y in ipairs(ys) do moves[#moves + 1] = { x, y, sqrt(x * x + y * y) } end
  end
  return moves
end

local function shortest_of(a, boxes, moves, part)
  local shortest = huge
  for _, move in ipairs(moves) do
    if move[3] < shortest and is_free(a, boxes, move[1], move[2], part) then shortest = move[3] end
  end
  return shortest
end

-- The boxes as shapes of a world: one by one, or as one compound.
local function world_of(boxes)
  local shapes, world = {}, sat.world()
  for i, b in ipairs(boxes) do shapes[i] = sat.rectangle(b[1], b[2], b[3], b[4]):setStatic(true) end
  if boxes.whole then return world:add(sat.compound(shapes):setStatic(true)) end
  for _, shape in ipairs(shapes) do world:add(shape) end
  return world
end

local function bounds_of(list) -- of all of them
  local x, y, right, bottom = huge, huge, -huge, -huge
  for _, b in ipairs(list) do
    x, y, right, bottom = min(x, b[1]), min(y, b[2]), max(right, b[1] + b[3]), max(bottom, b[2] + b[4])
  end
  return { x, y, right - x, bottom - y }
end

-- ---------------------------------------------------------------- ties

-- What each step of the rule wants most of; x, y leads from the obstacles' centre to the shape's.
local function merit_of(step, x, y, nx, ny)
  local size = sqrt(x * x + y * y)
  if size == 0 then return step == 1 and abs(ny) or step == 2 and -ny or nx end
  if step == 2 then return abs(ny) end
  return (step == 1 and x * nx + y * ny or x * ny - y * nx) / size
end

local function best_of(moves, x, y)
  for step = 1, 3 do
    local most, left = -huge, {}
    for _, move in ipairs(moves) do most = max(most, merit_of(step, x, y, move[1] / move[3], move[2] / move[3])) end
    for _, move in ipairs(moves) do
      if merit_of(step, x, y, move[1] / move[3], move[2] / move[3]) >= most - 1e-12 then left[#left + 1] = move end
    end
    moves = left
  end
  return moves[1]
end

describe("World:collide and World:separate", function()
  local random = support.generator(support.SEED)

  it("leave alone what fits into a hole of tiles but for rounding", function()
    local world, tiles = sat.world(), require "sat.tiles"
    tiles.new(world, 3, 3, 12.8, function(c, r) return c ~= 2 or r ~= 2 end, { x = 5.1, y = 2.3 })
    local box = sat.rectangle(5.1 + 12.8, 2.3 + 12.8, 12.8 + 1e-12, 12.8)
    local before = { box:bounds() }
    world:add(box)
    assert.same({ 0, 0, 0 }, { world:collide(box) })
    world:separate()
    assert.same(before, { box:bounds() })
  end)

  it("leave the floor of a shaft that fits but for rounding", function()
    local world = sat.world():add(sat.compound(sat.rectangle(0, 0, 10, 40), sat.rectangle(24, 0, 10, 40),
      sat.rectangle(0, 40, 34, 10)):setStatic(true))
    local box = sat.rectangle(10 - 1e-11, 29, 14 + 2e-11, 14)
    world:add(box)
    assert.same({ 0, -3, 3 }, { world:collide(box) })
  end)

  it("leave a circle alone in a slot of its width but for rounding", function()
    local world = sat.world()
    world:add(sat.compound(sat.rectangle(1000, 0, 10, 40), sat.rectangle(1030, 0, 10, 40)):setStatic(true))
    local circle = sat.circle(1020 + 4e-10, 17, 10)
    world:add(circle)
    assert.same({ 0, 0, 0 }, { world:collide(circle) })
    world:separate()
    assert.same({ 1020 + 4e-10, 17 }, { circle:center() })
  end)

  it("lead lines out of the seams of solids that they only touch", function()
    local world = sat.world()
    world:add(sat.rectangle(0, 0, 10, 10):setStatic(true), sat.rectangle(10, 0, 10, 10):setStatic(true))
    local lines = { [sat.point(10, 4)] = -4, [sat.segment(10, 3, 10, 5)] = -5,
      [sat.compound(sat.segment(10, 3, 10, 5), sat.segment(10, 2, 10, 3))] = -5 }
    for line, way in pairs(lines) do
      world:add(line)
      assert.same({ 0, way, -way }, { world:collide(line) })
      local x, y = line:center()
      world:separate()
      assert.same({ x, y + way }, { line:center() })
      world:remove(line)
    end
  end)

  it("push out of what is overlapped by more than rounding, by all of it", function()
    local world = sat.world():add(sat.rectangle(0, 10, 40, 10):setStatic(true))
    local box = sat.rectangle(3, 10 - 6 + 1e-9, 6, 6)
    world:add(box)
    local dx, dy, depth = world:collide(box)
    assert.equal(0, dx)
    assert.is_true(abs(dy + 1e-9) < 1e-15 and depth == -dy)
  end)

  it("take the shortest way out of boxes that leave room but for k roundings", function()
    local fits, pushed = 0, 0
    for i = 1, 1500 do
      local unit = random(0, 1) == 0 and 1 or 12.8
      local a, boxes = { random(0, 9) * unit, random(0, 9) * unit, random(1, 3) * unit, random(1, 3) * unit }, {}
      for k = 1, random(2, 7) do
        boxes[k] = { random(0, 9) * unit, random(0, 9) * unit, random(1, 4) * unit, random(1, 4) * unit }
        local r = rounding_of(a, boxes[k])
        if random(0, 1) == 0 then boxes[k][1] = boxes[k][1] + random(-100, 100) * random(0, 1) * r / 2 end
        if random(0, 1) == 0 then boxes[k][2] = boxes[k][2] + random(-3, 3) * r * 0.3 end
      end
      local whole = bounds_of(boxes)
      if random(0, 1) == 0 then boxes.whole = whole end
      local world, box = world_of(boxes), sat.rectangle(a[1], a[2], a[3], a[4])
      world:add(box)
      local before = { box:bounds() }
      local moves, hair = moves_of(a, boxes), 8 * rounding_of(a, whole)
      local dx, dy, depth = world:collide(box)
      if dx then
        local what = "scene " .. i
        assert.is_true(is_free(a, boxes, dx, dy, 1.01), what)
        -- A gap may be narrower by rounding, of which a shape beside one wall of it has all at the other.
        assert.is_true(depth <= shortest_of(a, boxes, moves, 0.4) + hair, what)
        assert.is_true(depth >= shortest_of(a, boxes, moves, 2.1) - hair, what)
        world:separate()
        if is_free(a, boxes, 0, 0, 0.99) then
          fits = fits + 1
          assert.same({ 0, 0, 0 }, { dx, dy, depth }, what)
          assert.same(before, { box:bounds() }, what)
        elseif depth > 0 then
          pushed = pushed + 1
          local x, y = box:bounds()
          assert.is_true(is_free(a, boxes, x - a[1], y - a[2], 2), what)
        end
      end
    end
    assert.is_true(fits > 50 and pushed > 500)
  end)

  it("choose among equally short ways by the middle of all that is overlapped", function()
    local ties = 0
    for i = 1, 1500 do
      local a, boxes, overlapped, moves = { random(0, 4), random(0, 4), random(1, 3), random(1, 3) }, {}, {}, {}
      for k = 1, random(1, 4) do boxes[k] = { random(0, 6), random(0, 6), random(1, 4), random(1, 4) } end
      for _, b in ipairs(boxes) do
        if overlap_of(a, b, 0, 0) > 0 then overlapped[#overlapped + 1] = b end
      end
      local all = moves_of(a, boxes)
      local shortest = shortest_of(a, boxes, all, 0)
      for _, move in ipairs(all) do
        if move[3] <= shortest + 1e-12 and is_free(a, boxes, move[1], move[2], 0) then moves[#moves + 1] = move end
      end
      for together = 0, overlapped[1] and 1 or -1 do
        boxes.whole = together == 1 and bounds_of(boxes) or nil
        local common = boxes.whole or bounds_of(overlapped)
        local x, y = a[1] + a[3] / 2 - common[1] - common[3] / 2, a[2] + a[4] / 2 - common[2] - common[4] / 2
        local best, dx, dy = best_of(moves, x, y), world_of(boxes):collide(sat.rectangle(a[1], a[2], a[3], a[4]))
        ties = ties + (moves[2] and 1 or 0)
        assert.is_true(abs(dx - best[1]) + abs(dy - best[2]) < 1e-9, "scene " .. i)
      end
    end
    assert.is_true(ties > 200)
  end)
end)
