-- What a platform takes along, pushes ahead and crushes: small or large, far out or near, in short steps and long ones.
local sat = require "sat"
local scenes = require "spec.scenes"
local support = require "spec.support"

local all_near, generator, SEED = support.all_near, support.generator, support.SEED

-- The larger of a shape's sides and coordinates.
local function scale_of(shape)
  local x, y, w, h = shape:bounds()
  return math.max(math.abs(x), math.abs(y), math.abs(x + w), math.abs(y + h), w, h)
end

describe("what touches a platform", function()
  it("rides on it where rounding is large, and what does not touch stays", function()
    local platform, ball = sat.rectangle(1e5, 0, 0.05, 0.01):setStatic(true), sat.circle(100000.02, -0.003, 0.003)
    local x, y = ball:center()
    local world = sat.world():add(platform, ball)
    assert.same({ 1, 0 }, { world:carry(platform, 0.005, 0.002) })
    local toX, toY = ball:center()
    all_near({ 0.005, 0.002 }, toX - x, toY - y)

    for _, case in ipairs { { 15.75, 1, 8000000.5 }, { 14, 0, 8000000.625 } } do
      platform = sat.rectangle(8000000, 16, 2, 0.5):setStatic(true)
      local box = sat.rectangle(8000000.5, case[1], 0.25, 0.25)
      world = sat.world():add(platform, box)
      assert.same({ case[2], 0 }, { world:carry(platform, -0.125, 0) })
      assert.equal(case[3], (box:center()))
    end
  end)

  local kinds = {
    circle = function(x, y, r) return sat.circle(x, y, r) end,
    box = function(x, y, r) return sat.rectangle(x - r, y - r, 2 * r, 2 * r) end,
    capsule = function(x, y, r) return sat.capsule(x - r, y, x + r, y, r) end,
    diamond = function(x, y, r) return sat.polygon(x, y - r, x + r, y, x, y + r, x - r, y) end,
  }
  for _, kind in ipairs(support.sorted(kinds)) do
    it(("rides on it within rounding of a %s, and no farther"):format(kind), function()
      for seed = SEED, SEED + 199 do
        local random = generator(seed * 7919 % 2147483647)
        local x, radius = (2 * random(0, 1) - 1) * 10 ^ random(0, 6) * random(10, 99) / 10, 2 ^ random(-4, 6)
        local rounding = 1e-12 * (math.abs(x) + 4 * radius)
        if rounding < radius / 1024 then
          local platform = sat.rectangle(x - 3 * radius, 0, 6 * radius, radius):setStatic(true)
          if random(1, 2) == 1 then -- of two pieces, and the rider stands on their seam
            platform = sat.compound(sat.rectangle(x - 3 * radius, 0, 3 * radius, radius),
              sat.rectangle(x, 0, 3 * radius, radius)):setStatic(true)
          end
          local gap = ({ 0, 0.5, 3 })[random(1, 3)] * 1e-12 * math.max(math.abs(x) - 2 * radius, 0)
          local rider = kinds[kind](x, -radius - gap, radius)
          local world = sat.world():add(platform, rider)
          local dx, dy = random(-9, 9) / 4 * radius, random(0, 9) / 4 * radius -- down, so that nothing is pushed
          local fromX, fromY = rider:center()
          local real_gap = rider:distance(platform)
          local n = world:carry(platform, dx, dy)
          local message = ("seed %d, a gap of %g, rounding %g"):format(seed, real_gap, rounding)
          if real_gap <= 1e-12 * scale_of(rider) * 0.9 then
            assert.equal(1, n, message)
            local toX, toY = rider:center()
            assert.is_true(math.abs(toX - fromX - dx) + math.abs(toY - fromY - dy) <= 4 * rounding, message)
          elseif real_gap > 2 * rounding then
            assert.equal(0, n, message)
          end
        end
      end
    end)
  end
end)

describe("what a platform passes over in one long step", function()
  it("is pushed ahead of it, or crushed where there is no room", function()
    local function door() return sat.rectangle(0, 0, 6, 40):setStatic(true) end
    local platform, box = door(), sat.rectangle(30, 15, 10, 10)
    assert.same({ 1, 0 }, { sat.world():add(platform, box):carry(platform, 60, 0) })
    all_near({ 66, 15, 10, 10 }, box:bounds())

    platform, box = door(), sat.rectangle(30, 15, 10, 10)
    local wall = sat.rectangle(72, -10, 10, 60):setStatic(true) -- 6 of room for 10
    assert.same({ 1, 1 }, { sat.world():add(platform, box, wall):carry(platform, 60, 0) })
    assert.same({ 30, 15, 10, 10 }, { box:bounds() })

    local lift, ball = sat.rectangle(-20, 100, 40, 4):setStatic(true), sat.circle(3, 60, 5)
    assert.same({ 1, 0 }, { sat.world():add(lift, ball):carry(lift, 0, -70) })
    all_near({ 3, 25 }, ball:center())

    platform, box = door(), sat.rectangle(10, 15, 10, 10)
    assert.same({ 1, 0 }, { sat.world():add(platform, box):carry(platform, 5, 0) })
    all_near({ 11, 15, 10, 10 }, box:bounds())
  end)

  -- Adds a body of a random form, if it is apart from all others.
  local function add_body(random, world, bodies, statics, x, y)
    local d = scenes.body(random, "box", "circle", "capsule", "rounded", "regular", "ell", "compound")
    local body = scenes.shape(scenes.moved(d, x, y))
    for _, list in ipairs { bodies, statics } do
      for _, other in ipairs(list) do if body:distance(other) < 0.01 then return end end
    end
    bodies[#bodies + 1] = body
    world:add(body)
  end

  local function depth_of(a, b) return (select(3, sat.collide(a, b))) or 0 end

  it("is never leapt over, never goes far, and ends in no wall, in any crowd", function()
    local counts = { pushed = 0, crushed = 0, left = 0 }
    for seed = SEED, SEED + 399 do
      local random = generator(seed * 7919 % 2147483647)
      local world, statics, bodies = sat.world(), {}, {}
      local platform = scenes.shape(scenes.moved(scenes.body(random, "box", "regular", "rounded", "ell", "compound"),
        -60, random(-20, 20)))
      world:add(platform)
      for _ = 1, random(0, 3) do
        local wall = scenes.shape(scenes.moved(scenes.body(random, "box", "regular", "circle"), random(-30, 60),
          random(-40, 40)))
        if wall:distance(platform) > 0.01 then statics[#statics + 1] = wall end
      end
      if random(1, 2) == 1 then -- a room that ends within the platform's way
        for _, side in ipairs { -1, 1 } do statics[#statics + 1] = sat.rectangle(-90, 60 * side - 20, 240, 40) end
        statics[#statics + 1] = sat.rectangle(random(30, 80), -90, 40, 180)
      end
      for _, wall in ipairs(statics) do world:add(wall:setStatic(true)) end
      statics[#statics + 1] = platform
      for _ = 1, random(1, 8) do add_body(random, world, bodies, statics, random(-40, 50), random(-35, 35)) end
      statics[#statics] = nil
      local dx, dy = random(20, 140), random(-30, 30)
      local before, start = platform:clone(), {}
      for i, body in ipairs(bodies) do start[i] = { body:center() } end
      local n, crushed = world:carry(platform, dx, dy)
      local told, is_crushed = 0, {}
      for other, _, _, was_crushed in world:carried() do
        told = told + 1
        if was_crushed then is_crushed[other], crushed = true, crushed - 1 end
      end
      local message = "seed " .. seed
      assert.same({ n, 0 }, { told, crushed }, message)
      local goal = before:clone():move(dx, dy)
      assert.same({ goal:center() }, { platform:center() }, message)
      local _, _, platformW, platformH = platform:bounds()
      for i, body in ipairs(bodies) do
        local x, y = body:center()
        local gone = math.sqrt((x - start[i][1]) ^ 2 + (y - start[i][2]) ^ 2)
        local _, _, w, h = body:bounds()
        if is_crushed[body] then
          counts.crushed = counts.crushed + 1
          assert.same(start[i], { x, y }, message)
        else
          counts[gone > 0 and "pushed" or "left"] = counts[gone > 0 and "pushed" or "left"] + 1
          assert.is_true(gone <= math.sqrt(dx * dx + dy * dy) + platformW + platformH + w + h + 1e-9, message)
          assert.is_true(depth_of(body, platform) <= 1e-9, message)
          for _, wall in ipairs(statics) do assert.is_true(depth_of(body, wall) <= 1e-9, message) end
          for k = 1, #bodies do
            local other = bodies[k]
            if k ~= i and not is_crushed[other] then assert.is_true(depth_of(body, other) <= 1e-9, message) end
          end
          local met = gone == 0 and before:cast(dx, dy, body) or 1
          assert.is_true(met > 1 - 1e-9, message .. ": it was leapt over")
        end
      end
    end
    for name, count in pairs(counts) do assert.is_true(count > 20, ("only %d are %s"):format(count, name)) end
  end)

  it("meets it afterwards where it has come to", function()
    local platform, box = sat.rectangle(0, 0, 22, 5):setStatic(true), sat.rectangle(4, -14, 10, 10)
    local world = sat.world():add(platform, box)
    assert.same({ 0, 0 }, { world:carry(platform, 0, -2) })
    assert.same({ platform }, (world:query(0, -2, 22, 1)))
    world:move(box, 0, 3)
    all_near({ 4, -12, 10, 10 }, box:bounds())
  end)

  it("goes to the same place and is crushed alike, in any order of adding, where all overlap at first", function()
    local crushed = 0
    for seed = SEED, SEED + 399 do
      local random, bodies, places = generator(seed * 7919 % 2147483647), {}, {}
      local platform = scenes.body(random, "box", "circle", "regular", "ell")
      for i = 1, random(2, 7) do
        local x, y = random(-20, 20) + i / 16, random(-20, 20) -- no two centres in one place
        bodies[i] = scenes.moved(scenes.body(random, "box", "circle", "regular"), x, y)
        bodies[i].isStatic = random(1, 4) == 1
      end
      local dx, dy, angle = random(-20, 20), random(-20, 20), random(0, 1) * random(-20, 20) / 10
      for order = 1, 2 do
        local world, shapes, place = sat.world(), {}, {}
        for i, body in ipairs(bodies) do shapes[i] = scenes.shape(body):setStatic(body.isStatic) end
        for i = 1, #shapes do world:add(shapes[order == 1 and i or #shapes + 1 - i]) end
        place.n, place.crushed = world:carry(scenes.shape(platform), dx, dy, angle)
        for i, shape in ipairs(shapes) do place[i] = { shape:center() } end
        places[order] = place
      end
      assert.same(places[1], places[2], "seed " .. seed)
      if places[1].crushed > 0 then crushed = crushed + 1 end
    end
    assert(crushed > 10, ("only %d are crushed"):format(crushed))
  end)
end)
