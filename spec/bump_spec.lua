-- sat.bump: the API of bump.lua 3.1.7 against brute force over boxes, against bump itself where LUA_PATH leads to it,
-- and with shapes that bump does not have.
local sat = require "sat"
local bump = require "sat.bump"
local support = require "spec.support"

local generator, near, SEED = support.generator, support.near, support.SEED
local unpack = table.unpack or unpack

-- bump itself, which is not part of the repository.
local found, real = pcall(require, "bump")
if not found or type(real) ~= "table" or not real._URL then real = nil end

local KINDS = { "slide", "slide", "touch", "cross", "bounce", false }

-- Random boxes, an item that overlaps nothing solid, and its goal. Coordinates are whole numbers or not.
local function new_scene(random, is_whole)
  local function number(low, high)
    return is_whole and random(low, high) or low + (high - low) * (random(0, 99991) / 99991)
  end
  local scene = { boxes = {} }
  local is_free
  local only = random(1, 3) == 1 and "slide" or nil
  for i = 1, random(1, 12) do
    scene.boxes[i] = { number(-100, 100), number(-100, 100), number(4, 60), number(4, 60),
      kind = only or KINDS[random(1, #KINDS)] }
    if only then scene.boxes[i].kind = only end
  end
  repeat
    scene.item = { number(-150, 150), number(-150, 150), number(4, 30), number(4, 30) }
    is_free = true
    local x, y, w, h = unpack(scene.item)
    for _, box in ipairs(scene.boxes) do
      local is_solid = box.kind and box.kind ~= "cross"
      if is_solid and bump.rect.isIntersecting(x, y, w, h, unpack(box)) then is_free = false end
    end
  until is_free
  scene.goalX, scene.goalY = scene.item[1] + number(-120, 120), scene.item[2] + number(-120, 120)
  if random(1, 5) == 1 then scene.goalX = scene.item[1] end
  if random(1, 5) == 1 then scene.goalY = scene.item[2] end
  function scene.filter(_, other) return scene.boxes[other].kind end
  return scene
end

local function new_world(library, scene)
  local world = library.newWorld()
  for i, box in ipairs(scene.boxes) do world:add(i, unpack(box)) end
  world:add("item", unpack(scene.item))
  return world
end

-- ---------------------------------------------------------------- brute force

-- When a box that moves by dx, dy enters another one and leaves it, and on which axis it enters last, from first
-- principles: on each axis the times at which the intervals overlap.
local function overlap_times(x, y, w, h, dx, dy, box)
  local enter, leave, axis = -math.huge, math.huge, nil
  for k, side in ipairs { { x, w, dx, box[1], box[3] }, { y, h, dy, box[2], box[4] } } do
    local at, size, motion, low, length = unpack(side)
    local first, last = (low - at - size) / motion, (low + length - at) / motion
    if motion == 0 then
      if at + size <= low or at >= low + length then return nil end
      first, last = -math.huge, math.huge
    end
    if first > last then first, last = last, first end
    if first > enter then enter, axis = first, k end
    leave = math.min(leave, last)
  end
  return enter, leave, axis
end

-- Where the item ends, and what it hits on the way, each once; nil where a corner or a tie would decide.
local function brute_move(scene)
  local x, y, w, h = unpack(scene.item)
  local dx, dy, hits, is_hit = scene.goalX - x, scene.goalY - y, {}, {}
  for i, box in ipairs(scene.boxes) do is_hit[i] = bump.rect.isIntersecting(x, y, w, h, unpack(box)) or nil end
  while true do
    local first, when, axis
    for i, box in ipairs(scene.boxes) do
      local enter, leave, k = overlap_times(x, y, w, h, dx, dy, box)
      if box.kind and not is_hit[i] and enter and enter > -1e-9 and enter < 1 then
        if leave - enter < 1e-6 or (when and math.abs(enter - when) < 1e-6) or enter > 1 - 1e-6 then return nil end
        if not when or enter < when then first, when, axis = i, enter, k end
      end
    end
    if not first then return x + dx, y + dy, hits end
    local kind = scene.boxes[first].kind
    hits[#hits + 1], is_hit[first] = first, true
    if kind ~= "cross" then
      x, y, dx, dy = x + dx * when, y + dy * when, dx * (1 - when), dy * (1 - when)
      if kind == "touch" then return x, y, hits end
      local factor = kind == "slide" and 0 or -1
      if axis == 1 then dx = dx * factor else dy = dy * factor end
      for i in pairs(is_hit) do -- what was crossed is not met again, what it bounced off may be
        if scene.boxes[i].kind ~= "cross" and i ~= first then is_hit[i] = nil end
      end
      if #hits > 20 then return nil end
    end
  end
end

local function others_of(cols)
  local list = {}
  for _, col in ipairs(cols) do
    if not col.overlaps then list[#list + 1] = col.other end
  end
  return list
end

describe("a box of sat.bump", function()
  it("moves as by brute force", function()
    local seed, compared = SEED, 0
    local random = generator(seed)
    for run = 1, 1500 do
      local scene = new_scene(random, false)
      local x, y, hits = brute_move(scene)
      if x then
        compared = compared + 1
        local world = new_world(bump, scene)
        local checkX, checkY, checked = world:check("item", scene.goalX, scene.goalY, scene.filter)
        assert.same({ unpack(scene.item) }, { world:getRect("item") })
        local actualX, actualY, cols, count = world:move("item", scene.goalX, scene.goalY, scene.filter)
        local message = ("seed %d, run %d: %g, %g, not %g, %g"):format(seed, run, actualX, actualY, x, y)
        assert(math.abs(x - actualX) < 1e-9 and math.abs(y - actualY) < 1e-9, message)
        assert.same(hits, others_of(cols), message)
        assert.same({ actualX, actualY, #cols, #cols }, { checkX, checkY, #checked, count })
        assert.same({ actualX, actualY, scene.item[3], scene.item[4] }, { world:getRect("item") })
      end
    end
    assert.is_true(compared > 800, compared .. " of 1500")
  end)

  it("is found by queries as by a look at every box", function()
    local seed = SEED
    local random = generator(seed)
    for _ = 1, 300 do
      local scene = new_scene(random, random(1, 2) == 1)
      local world = new_world(bump, scene)
      local x, y, w, h = random(-150, 150), random(-150, 150), random(1, 90), random(1, 90)
      local inside, around, crossed = {}, {}, {}
      scene.boxes.item = scene.item
      for item, box in pairs(scene.boxes) do
        local bx, by, bw, bh = unpack(box)
        if x > bx and x < bx + bw and y > by and y < by + bh then inside[item] = true end
        if x < bx + bw and x + w > bx and y < by + bh and y + h > by then around[item] = true end
        local enter, leave = overlap_times(x, y, 0, 0, w, h, box)
        -- A segment through a corner crosses the box, as in bump.
        local is_crossed = enter and enter <= leave and (enter > 0 and enter < 1 or leave > 0 and leave < 1)
        if is_crossed then crossed[item] = enter end
      end
      local function check(expected, items, count)
        local set = {}
        for _, item in ipairs(items) do set[item] = true end
        for item in pairs(expected) do assert(set[item], "seed " .. seed .. ": missing " .. tostring(item)) end
        for item in pairs(set) do assert(expected[item], "seed " .. seed .. ": extra " .. tostring(item)) end
        assert.equal(#items, count)
      end
      check(inside, world:queryPoint(x, y))
      check(around, world:queryRect(x, y, w, h))
      check(crossed, world:querySegment(x, y, x + w, y + h))
      local infos = world:querySegmentWithCoords(x, y, x + w, y + h)
      for i, info in ipairs(infos) do
        if i > 1 then assert.is_true(crossed[infos[i - 1].item] <= crossed[info.item], "seed " .. seed) end
        near(math.max(crossed[info.item], 0), info.ti1)
        near(x + w * info.ti1, info.x1)
        near(y + h * info.ti2, info.y2)
      end
    end
  end)

  if real then
    it("moves as in bump itself", function()
      local seed, compared, same = SEED, 0, 0
      local random = generator(seed)
      for run = 1, 4000 do
        local scene = new_scene(random, run % 2 == 0)
        local ours, theirs = new_world(bump, scene), new_world(real, scene)
        local x, y, cols = ours:move("item", scene.goalX, scene.goalY, scene.filter)
        local x2, y2, cols2 = theirs:move("item", scene.goalX, scene.goalY, scene.filter)
        local is_same = math.abs(x - x2) < 1e-9 and math.abs(y - y2) < 1e-9 and #cols == #cols2
        for i, col in ipairs(cols) do
          local other = cols2[i]
          is_same = is_same and col.other == other.other and col.type == other.type and col.overlaps == other.overlaps
            and math.abs(col.ti - other.ti) < 1e-9 and math.abs(col.touch.x - other.touch.x) < 1e-9
            and math.abs(col.touch.y - other.touch.y) < 1e-9
            and col.normal.x == other.normal.x and col.normal.y == other.normal.y
        end
        compared, same = compared + 1, same + (is_same and 1 or 0)
      end
      -- Corners that are met exactly, and what bump crosses after a turn, make the rest.
      assert.is_true(same > 0.99 * compared, ("seed %d: %d of %d"):format(seed, same, compared))
    end)
  else
    pending("moves as in bump itself: LUA_PATH does not lead to bump")
  end
end)

-- ---------------------------------------------------------------- what is stopped

-- What a world of bump is: the saved world of sat, and all that items have.
local function state_of(world)
  local list = { (world.sat:save():gsub(".", function(c) return ("%02x"):format(c:byte()) end)) }
  for _, item in ipairs((world:getItems())) do
    list[#list + 1] = tostring(item)
    if world:hasItem(item) then
      list[#list + 1] = table.concat({ world:getRect(item) }, " ")
      list[#list + 1] = table.concat({ world:getShape(item):center() }, " ")
    end
  end
  for _, field in ipairs { "count", "mover", "filter", "answers", "uses_own" } do
    list[#list + 1] = tostring(world[field])
  end
  return table.concat(list, "\n")
end

describe("a move of sat.bump", function()
  -- Stops the filter at its k-th call, for every k.
  local function stop_everywhere(method)
    local random, stopped = generator(SEED), 0
    for run = 1, 300 do
      local scene = new_scene(random, run % 2 == 0)
      local world, calls, at = new_world(bump, scene), 0, 1
      if run % 3 == 0 then world:addResponse("slide", bump.responses.touch) end
      local before = state_of(world)
      local function filter(item, other)
        calls = calls + 1
        if calls == at then error "stopped" end
        return scene.filter(item, other)
      end
      repeat
        calls = 0
        local ok, problem = pcall(world[method], world, "item", scene.goalX, scene.goalY, filter)
        if ok then break end
        assert.matches("stopped", tostring(problem), 1, true)
        assert.equal(before, state_of(world), ("seed %d, run %d, call %d"):format(SEED, run, at))
        at, stopped = at + 1, stopped + 1
      until false
      local fresh = new_world(bump, scene)
      if run % 3 == 0 then fresh:addResponse("slide", bump.responses.touch) end
      world:update("item", unpack(scene.item))
      local x, y, _, count = world:move("item", scene.goalX, scene.goalY, scene.filter)
      local freshX, freshY, _, freshCount = fresh:move("item", scene.goalX, scene.goalY, scene.filter)
      assert.same({ freshX, freshY, freshCount }, { x, y, count })
    end
    assert.is_true(stopped > 100, stopped .. " errors")
  end

  for _, method in ipairs { "move", "check" } do
    it("leaves everything as it was where the filter raises an error: " .. method, function()
      stop_everywhere(method)
    end)
  end

  it("ends with an error where the filter yields, and leaves everything as it was", function()
    local random = generator(SEED)
    for run = 1, 50 do
      local scene = new_scene(random, true)
      local world = new_world(bump, scene)
      local before = state_of(world)
      local thread = coroutine.create(function()
        world:move("item", scene.goalX, scene.goalY, function(item, other)
          coroutine.yield()
          return scene.filter(item, other)
        end)
      end)
      local ok = coroutine.resume(thread)
      if coroutine.status(thread) == "suspended" then -- before the sweep, on Luas that can; the thread is left
        assert.is_true(ok)
        assert.equal(before:match("^.-\nitem"), state_of(world):match("^.-\nitem"), "run " .. run)
        world = nil
      elseif not ok then
        assert.equal(before, state_of(world), "run " .. run)
      end
      if world then
        world:update("item", unpack(scene.item))
        world:move("item", scene.goalX, scene.goalY, scene.filter)
      end
    end
  end)

  it("asks the filter once about each other, whatever the collector does meanwhile", function()
    local world, asked = bump.newWorld(), {}
    for i = 1, 5 do world.sat:add(sat.rectangle(20 * i, 0, 5, 10)) end
    world:add("hero", 18, 0, 10, 10)
    world:move("hero", 150, 0, function(_, other)
      collectgarbage()
      asked[other] = (asked[other] or 0) + 1
      return "cross"
    end)
    local times = {}
    for _, count in pairs(asked) do times[#times + 1] = count end
    assert.same({ 1, 1, 1, 1, 1 }, times)
  end)
end)

describe("a change of sat.bump", function()
  it("is made whole or not at all", function()
    local world, other = bump.newWorld(), sat.world()
    local taken = sat.circle(0, 0, 1)
    other:add(taken)
    world:add("a", 0, 0, 10, 10)
    world:add("far", 9.9e14, 0, 10, 10)
    world:add("ball", sat.circle(5, 5, 1))
    local before = state_of(world)
    local function refuses(text, method, ...)
      local ok, problem = pcall(world[method], world, ...)
      assert.is_false(ok)
      assert.matches(text, problem, 1, true)
      assert.equal(before, state_of(world))
    end
    refuses("(the shape is in a world already", "add", "b", taken)
    refuses("(the shape is in a world already", "add", "b", world:getShape("ball"))
    refuses("(x + w must be from -1e15 to 1e15, not", "update", "far", 9.9e14, 0, 9e14, 10)
    refuses("(x + w must be from -1e15 to 1e15, not", "add", "b", 9.9e14, 0, 9e14, 10)
    refuses("(y + h must be from -1e15 to 1e15, not", "update", "far", 0, 9.9e14, 10, 9e14)
  end)

  it("finds an item whose shape the game has put into another world", function()
    local world, other = bump.newWorld(), sat.world()
    world:add("a", 0, 0, 10, 10)
    world:add("b", 0, 0, 10, 10)
    for _, item in ipairs { "a", "b" } do
      world.sat:remove(world:getShape(item))
      other:add(world:getShape(item))
    end
    world:remove("a")
    assert.same({ false, 1 }, { world:hasItem("a"), world:countItems() })
    world:update("b", 1, 2, 3, 4)
    assert.same({ 1, 2, 3, 4 }, { world:getShape("b"):bounds() })
    assert.same({ 0, 2 }, { world.sat:count(), other:count() }) -- an item keeps its shape, wherever that is
  end)
end)

-- ---------------------------------------------------------------- worlds that the game has not looked into

local function sorted_of(items)
  local list = {}
  for i, item in ipairs(items) do list[i] = tostring(item) end
  table.sort(list)
  return list
end

-- The numbers and names of collisions. Of several others that an item is led out of at once, the order of adding
-- decides which one is named, and a box that takes the place of a removed one has its place in that order, too.
local function plain_of(cols)
  local list = {}
  for i, col in ipairs(cols) do
    if col.overlaps and col.type ~= "cross" then return { #cols } end
    local slide = col.slide or col.bounce or {}
    list[i] = { col.other, col.type, col.overlaps, col.ti, col.normal.x, col.normal.y, col.touch.x, col.touch.y,
      slide.x, slide.y, col.itemRect.x, col.itemRect.w, col.otherRect.y, col.otherRect.h, col.move.x, col.item }
  end
  return list
end

-- Whether two results are equal but for rounding: a box that is made anew where it stands has other last digits than
-- one that has been moved there.
local function are_alike(a, b)
  if type(a) == "number" and type(b) == "number" then return math.abs(a - b) <= 1e-9 * math.max(1, math.abs(a)) end
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for key, value in pairs(a) do
    if not are_alike(value, b[key]) then return false end
  end
  for key in pairs(b) do
    if a[key] == nil then return false end
  end
  return true
end

describe("a world of sat.bump that the game has not looked into", function()
  it("gives the answers of one whose shapes the game sees, whatever is added, removed and resized", function()
    local random = generator(SEED)
    local function number(low, high) return low + (high - low) * random(0, 99991) / 99991 end
    for run = 1, 60 do
      local worlds, boxes = { bump.newWorld(), bump.newWorld() }, {}
      assert.equal(0, worlds[2].sat:count()) -- which shows it
      local function filter(item, other)
        local kind = KINDS[(item + other + run) % #KINDS + 1]
        return kind
      end
      local function both(method, ...)
        local first, second = { worlds[1][method](worlds[1], ...) }, { worlds[2][method](worlds[2], ...) }
        for _, results in ipairs { first, second } do
          for i, value in ipairs(results) do
            local is_cols = type(value) == "table" and type(value[1]) == "table"
            if type(value) == "table" then results[i] = (is_cols and plain_of or sorted_of)(value) end
          end
        end
        if not are_alike(first, second) then
          assert.same(second, first, ("seed %d, run %d: %s"):format(SEED, run, method))
        end
      end
      for _ = 1, 150 do
        local item, way = random(1, 15), random(1, 10)
        local x, y, w, h = number(-100, 100), number(-100, 100), number(4, 60), number(4, 60)
        if not boxes[item] then
          boxes[item] = true
          both("add", item, x, y, w, h)
        elseif way == 1 then
          boxes[item] = nil
          both("remove", item)
        elseif way == 2 then both("update", item, x, y, w, h)
        elseif way == 3 then both("update", item, x, y)
        elseif way == 4 then both("queryRect", x, y, w, h)
        elseif way == 5 then both("queryPoint", x, y)
        elseif way == 6 then both("querySegment", x, y, x + w, y + h)
        elseif way == 7 then both("project", item, x, y, w, h, x + h, y + w, filter)
        elseif way == 8 then both("check", item, x, y, filter)
        else both("move", item, x, y, filter) end
        both("countItems")
        if boxes[item] then both("getRect", item) end
      end
      both("getItems")
      assert.equal(worlds[1].sat:count(), worlds[2].sat:count())
    end
  end)

  it("keeps no item alive that was removed", function()
    local world, items = bump.newWorld(), setmetatable({}, { __mode = "k" })
    for i = 1, 300 do
      local item = {}
      items[item] = true
      world:add(item, i, 0, 1, 1)
      world:move(item, i, 5)
      world:remove(item)
    end
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(items))
  end)
end)

describe("what sat.bump has of its own", function()
  local own = getmetatable(sat).siblings

  it("makes a rectangle another one, as new", function()
    local random = generator(SEED)
    local function number(low, high) return low + (high - low) * random(0, 99991) / 99991 end
    for _ = 1, 300 do
      local old = sat.rectangle(1, 2, 3, 4)
      if random(1, 2) == 1 then old:rotate(number(-3, 3)):scale(2):move(7, 9) end
      local x, y, w, h = number(-1e3, 1e3), number(-1e3, 1e3), number(1e-6, 1e3), number(1e-6, 1e3)
      local new = sat.rectangle(x, y, w, h)
      for _, shape in ipairs { old, new } do
        shape:setFilter(1, 2, 3):setSensor(true):setEnabled(false):setOneWay(0, -1):setMass(9)
      end
      local worlds = { sat.world():add(old), sat.world():add(new) }
      worlds[1]:query(0, 0, 1, 1)
      assert.equal(old, own.setRectangle(old, x, y, w, h))
      assert.equal(worlds[2]:save(), worlds[1]:save())
      assert.same({ new:bounds() }, { old:bounds() })
      old:setEnabled(true)
      assert.same({ old }, (worlds[1]:query(x, y, w, h)))
    end
    assert.error_matches(function() own.setRectangle(sat.circle(0, 0, 1), 0, 0, 1, 1) end, "no meaning")
    assert.error_matches(function() own.setRectangle(sat.rectangle(0, 0, 1, 1), 1e10, 0, 1e-9, 1) end, "no area")
  end)

  it("checks with answers as world:check does with a function that gives them", function()
    local random, names = generator(SEED), { "slide", "touch", "bounce", "cross", false }
    local letters = { slide = "s", touch = "t", bounce = "b", cross = "c", [false] = "i" }
    for run = 1, 400 do
      local world, mover = sat.world(), sat.rectangle(random(-50, 50), random(-50, 50), 10, 10)
      world:add(mover)
      for _ = 1, random(1, 12) do
        world:add(sat.rectangle(random(-60, 60), random(-60, 60), random(1, 30), random(1, 30))
          :setSensor(random(1, 5) == 1))
      end
      local dx, dy, answers, asked = random(-80, 80), random(-80, 80), "", {}
      local x, y, n = world:check(mover, dx, dy, function(_, other)
        local name = #asked < 3 and names[random(1, 5)] or "slide" -- and slides beyond the end of the answers
        asked[#asked + 1] = other
        if #asked <= 3 then answers = answers .. letters[name] end
        return name
      end)
      assert.same({ x, y, n, #asked }, { own.checkAnswered(world, mover, dx, dy, answers) }, "run " .. run)
      local list, count = own.answered(world)
      assert.same({ #asked, #asked }, { #list, count })
      for i = 1, count do assert.equal(asked[i], list[i]) end
    end
    local mover = sat.point(0, 0)
    assert.error_matches(function() own.checkAnswered(sat.world(), mover, 1, 1) end, "string expected")
  end)
end)

-- ---------------------------------------------------------------- what moves

describe("sat.bump", function()
  local world

  before_each(function() world = bump.newWorld(16) end)

  local function always(response) return function() return response end end

  it("walks over tiles of any size without a seam", function()
    for _, size in ipairs { 16, 17.3, 0.7, 33.3 } do
      world = bump.newWorld()
      for i = 0, 39 do world:add("tile " .. i, i * size, 10 * size, size, size) end
      local x, y = world:add("hero", 0, 8 * size, size, size) and 0, 8 * size
      for _ = 1, 100 do
        local goal = x + 0.31 * size
        x, y = world:move("hero", goal, y + 0.2 * size)
        near(goal, x, 1e-9)
      end
      near(9 * size, y, 1e-9)
    end
  end)

  it("names the box under the middle of what stands on several", function()
    for i = 0, 9 do world:add("tile " .. i, i * 16, 100, 16, 16) end
    world:add("hero", 0, 90, 20, 10)
    local _, _, cols, count = world:move("hero", 70, 95)
    assert.same({ 1, "tile 0" }, { count, cols[1].other })
    _, _, cols = world:move("hero", 70, 95)
    assert.equal("tile 4", cols[1].other) -- from 64 to 80, nearest to the middle, 80, with the one after it
    world:update("hero", 78, 90)
    _, _, cols = world:move("hero", 78, 95)
    assert.equal("tile 5", cols[1].other)
    assert.same({ x = 80, y = 100, w = 16, h = 16 }, cols[1].otherRect)
  end)

  it("reports what an item is inside of in each frame, moving or not", function()
    world:add("water", 0, 0, 100, 100)
    world:add("fish", 10, 10, 5, 5)
    for _, goal in ipairs { 10, 30, 20 } do
      local x, y, cols, count = world:move("fish", goal, 10, always "cross")
      assert.same({ goal, 10, 1 }, { x, y, count })
      assert.same({ "water", true, "cross" }, { cols[1].other, cols[1].overlaps, cols[1].type })
      assert.is_true(cols[1].ti < 0)
    end
    assert.same({ 40, 10, {}, 0 }, { world:move("fish", 40, 10, always(false)) })
  end)

  it("leads an item out of what it is inside of, by the shortest way", function()
    world:add("wall", 0, 0, 100, 100)
    world:add("hero", 20, -5, 10, 10)
    local x, y, cols, count = world:move("hero", 20, -5)
    assert.same({ 20, -10, 1, true }, { x, y, count, cols[1].overlaps })
    assert.same({ { x = 0, y = -1 }, { x = 20, y = -10 } }, { cols[1].normal, cols[1].touch })
    world:update("hero", 20, -5)
    x, y, cols = world:move("hero", 50, 0)
    assert.same({ 50, -10, "wall", "slide" }, { x, y, cols[1].other, cols[1].type })
  end)

  it("says where each part of a way begins, touches and would go", function()
    world:add("floor", 0, 100, 300, 20)
    world:add("wall", 200, 0, 20, 100)
    world:add("hero", 100, 50, 10, 10)
    local x, y, cols = world:move("hero", 300, 210)
    assert.same({ 190, 90, 2 }, { x, y, #cols })
    assert.same({ "floor", 0.25, 0, -1 }, { cols[1].other, cols[1].ti, cols[1].normal.x, cols[1].normal.y })
    assert.same({ { x = 200, y = 160 }, { x = 150, y = 90 }, { x = 300, y = 90 } },
      { cols[1].move, cols[1].touch, cols[1].slide })
    assert.same({ x = 100, y = 50, w = 10, h = 10 }, cols[1].itemRect)
    assert.same({ "wall", -1, 0 }, { cols[2].other, cols[2].normal.x, cols[2].normal.y })
    near(40 / 150, cols[2].ti)
    assert.same({ { x = 150, y = 0 }, { x = 190, y = 90 }, { x = 190, y = 90 } },
      { cols[2].move, cols[2].touch, cols[2].slide })
    assert.same({ x = 150, y = 90, w = 10, h = 10 }, cols[2].itemRect)
  end)

  it("bounces, and tells where to", function()
    world:add("floor", 0, 100, 300, 20)
    world:add("ball", 0, 80, 10, 10)
    local x, y, cols = world:move("ball", 20, 100, always "bounce")
    assert.same({ 20, 80, { x = 20, y = 80 }, { x = 10, y = 90 } }, { x, y, cols[1].bounce, cols[1].touch })
  end)

  it("runs responses of the game by bump's protocol", function()
    world:addResponse("jump over", function(self, col, _, y, w, h, _, goalY, filter)
      local goalX = col.otherRect.x + col.otherRect.w + 50
      local cols, count = self:project(col.item, goalX, y, w, h, goalX, goalY, filter)
      return goalX, goalY, cols, count
    end)
    world:add("hole", 100, 0, 20, 20)
    world:add("wall", 150, 0, 50, 50)
    world:add("hero", 0, 0, 10, 10)
    local x, y, cols, count = world:move("hero", 120, 0, function(_, other)
      return other == "hole" and "jump over" or "touch"
    end)
    assert.same({ 2, "hole", "wall", "jump over" }, { count, cols[1].other, cols[2].other, cols[1].type })
    assert.same({ x, y, 10, 10 }, { world:getRect("hero") })
    local checked = world:check("hero", 0, 0, always(false))
    assert.equal(0, checked)
    world:addResponse("slide", bump.responses.touch)
    world:update("hero", 0, 0)
    assert.equal(90, (world:move("hero", 120, 5)))
  end)

  it("changes boxes in place and keeps what was set on their shapes", function()
    world:add("plank", 0, 0, 10, 10)
    world:getShape("plank"):setOneWay(0, -1):setFilter(2, 3, 4):setSensor(true):setStatic(true):setData("data")
    world:update("plank", 5, 6, 20, 30)
    assert.same({ 5, 6, 20, 30 }, { world:getRect("plank") })
    local shape = world:getShape("plank")
    assert.same({ 5, 6, 20, 30 }, { shape:bounds() })
    assert.same({ true, true, "data" }, { shape:isSensor(), shape:isStatic(), shape:data() })
    assert.same({ 2, 3, 4 }, { shape:filter() })
    assert.same({ 0, -1 }, { shape:oneWay() })
    assert.same({ 1, 1 }, { world:countItems(), world.sat:count() })
  end)

  it("gives items in the order of adding", function()
    for _, item in ipairs { "c", "a", "b" } do world:add(item, 0, 0, 1, 1) end
    assert.same({ "c", "a", "b" }, (world:getItems()))
    world:remove("a")
    assert.same({ false, true, 2 }, { world:hasItem("a"), world:hasItem("b"), world:countItems() })
    assert.same({ "c", "b" }, (world:queryRect(0, 0, 5, 5)))
  end)

  it("gives all items after every change, in a list of the caller's own", function()
    local random, own, shapes = generator(SEED), {}, {}
    for step = 1, 600 do
      local item, way = random(1, 12), random(1, 8)
      if way <= 4 and not own[item] then
        own[item] = world:add(item, item, 0, 1, 1)
      elseif way <= 5 and own[item] then
        own[item] = world:remove(item)
      elseif way == 6 then -- a shape that is no item of sat.bump's
        if shapes[1] and random(1, 2) == 1 then world.sat:remove(table.remove(shapes))
        else
          shapes[#shapes + 1] = sat.point(0, 0)
          world.sat:add(shapes[#shapes])
        end
      elseif way == 7 and own[item] then
        world:update(item, item, step, random(1, 9), 1)
      end
      local expected, count = {}, #shapes
      for _, shape in ipairs(shapes) do expected[shape] = true end
      for name in pairs(own) do expected[name], count = true, count + 1 end
      local items, length = world:getItems()
      assert.same({ count, count }, { length, #items }, "seed " .. SEED .. ", step " .. step)
      for i = 1, length do
        assert(expected[items[i]], "seed " .. SEED .. ", step " .. step)
        expected[items[i]], items[i] = nil, nil
      end
    end
    assert.same({ false, false }, { world:hasItem(nil), world:hasItem(0 / 0) })
  end)

  it("tells cells apart by the size that it was given", function()
    assert.equal(16, world.cellSize)
    assert.same({ 2, 0 }, { world:toCell(16, -0.5) })
    assert.same({ 16, -32 }, { world:toWorld(2, -1) })
    world:add("a", 0, 0, 17, 16)
    world:add("b", 1, 1, 2, 2)
    assert.equal(2, world:countCells())
  end)

  it("counts cells as a loop over them does, and takes time for the items, not for the cells", function()
    local random = generator(SEED)
    for run = 1, 200 do
      world = bump.newWorld(random(1, 20) / 4)
      local cells, count, size = {}, 0, world.cellSize
      for item = 1, random(0, 15) do
        local x, y, w, h = random(-40, 40) / 2, random(-40, 40) / 2, random(1, 60) / 2, random(1, 60) / 2
        world:add(item, x, y, w, h)
        for column = math.floor(x / size), math.ceil((x + w) / size) - 1 do
          for row = math.floor(y / size), math.ceil((y + h) / size) - 1 do
            local key = column .. " " .. row
            if not cells[key] then cells[key], count = true, count + 1 end
          end
        end
      end
      assert.equal(count, world:countCells(), ("seed %d, run %d"):format(SEED, run))
    end
    world = bump.newWorld(1e-15)
    world:add("a", 0, 0, 1e15, 1e15)
    near(1, world:countCells() / 1e60)
    assert.error_matches(function() bump.newWorld(1e-300) end,
      "bad argument to 'newWorld' %(cellSize must be from 1e%-15 to 1e15, not 1e%-300%)")
  end)

  -- -------------------------------------------------------------- shapes

  it("takes shapes as items, and walks up slopes", function()
    local hill = sat.polygon(0, 100, 200, 0, 200, 100)
    world:add("hill", hill)
    assert.same({ 0, 0, 200, 100 }, { world:getRect("hill") })
    world:add("hero", 20, 80 - 0.5, 10, 10)
    local x, y = 20, 79.5
    for _ = 1, 20 do
      local x2, y2, cols = world:move("hero", x + 5, y + 2)
      assert.is_true(x2 > x and y2 < y and #cols >= 1)
      assert.equal("hill", cols[1].other)
      near(-2 / math.sqrt(5), cols[1].normal.y)
      near(-1 / math.sqrt(5), cols[1].normal.x)
      x, y = x2, y2
      near(100 - (x + 10) / 2, y + 10, 1e-9)
    end
  end)

  it("moves items that have a shape", function()
    world:add("floor", 0, 100, 300, 20)
    world:add("ball", sat.circle(50, 50, 10))
    local x, y, cols = world:move("ball", 40, 200)
    assert.same({ 40, 80, "floor" }, { x, y, cols[1].other })
    assert.same({ 50, 90 }, { world:getShape("ball"):center() })
    world:update("ball", 0, 0)
    assert.same({ 10, 10 }, { world:getShape("ball"):center() })
  end)

  it("honours sensors, filters and one-way shapes", function()
    world:add("coin", sat.circle(60, 15, 4):setSensor(true))
    world:add("plank", sat.rectangle(0, 20, 300, 4):setOneWay(0, -1))
    world:add("ghost", sat.rectangle(70, 0, 4, 30):setFilter(2, 2))
    world:add("hero", 0, 0, 10, 10)
    local x, y, cols = world:move("hero", 100, 30)
    assert.same({ 100, 10, 2 }, { x, y, #cols })
    assert.same({ "plank", "slide", "coin", "cross" }, { cols[1].other, cols[1].type, cols[2].other, cols[2].type })
    world:update("hero", 0, 40)
    assert.same({ 0, 5, {}, 0 }, { world:move("hero", 0, 5) })
  end)

  it("finds shapes where they really are", function()
    world:add("hill", sat.polygon(0, 100, 100, 0, 100, 100))
    assert.same({ {}, 0 }, { world:queryRect(0, 0, 49, 49) })
    assert.same({ { "hill" }, 1 }, { world:queryRect(60, 60, 9, 9) })
    assert.same({ {}, 0 }, { world:queryPoint(20, 20) })
    assert.same({ { "hill" }, 1 }, { world:queryPoint(90, 90) })
    local infos, count = world:querySegmentWithCoords(0, 50, 200, 50)
    assert.equal(1, count)
    near(50, infos[1].x1)
    near(100, infos[1].x2)
    assert.same({}, (world:querySegment(0, 20, 70, 20)))
    assert.same({ {}, 0 }, { world:project({}, 0, 0, 40, 40, 9, 9) })
    local cols = world:project({}, 0, 0, 40, 40, 30, 30)
    assert.same({ 1, "hill", false }, { #cols, cols[1].other, cols[1].overlaps })
    near(20 / 60, cols[1].ti, 1)
    cols = world:project({}, 40, 40, 40, 40)
    assert.is_true(cols[1].overlaps)
    near(-math.sqrt(0.5), cols[1].normal.x)
  end)

  it("crosses shapes, and runs responses of the game on them", function()
    world:addResponse("slide too", bump.responses.slide)
    world:add("hill", sat.polygon(0, 100, 100, 0, 100, 100))
    world:add("hero", 0, 0, 10, 10)
    local x, y, cols = world:move("hero", 0, 0, always "cross")
    assert.same({ 0, 0, 0 }, { x, y, #cols })
    local slidX, slidY, slid = world:check("hero", 80, 40, always "slide")
    local ownX, ownY, own = world:check("hero", 80, 40, always "slide too")
    near(slidX, ownX)
    near(slidY, ownY)
    near(slid[1].touch.x, own[1].touch.x)
    near(slid[1].slide.y, own[1].slide.y)
  end)

  it("treats a shape that the game added to its world as an item", function()
    local wall = sat.rectangle(50, 0, 10, 10)
    world.sat:add(wall)
    world:add("hero", 0, 0, 10, 10)
    local x, _, cols = world:move("hero", 90, 0)
    assert.same({ 40, true }, { x, cols[1].other == wall })
    assert.same({ true, true }, { world:queryPoint(55, 5)[1] == wall, world:getItems()[1] == wall })
  end)

  -- -------------------------------------------------------------- what is refused

  it("refuses what is no item, no box and no response", function()
    world:add("a", 0, 0, 1, 1)
    local function raises(text, f) assert.error_matches(f, text) end
    raises("bad argument #1 to 'add' %(item is nil%)", function() world:add(nil, 0, 0, 1, 1) end)
    raises("bad argument #1 to 'add' %(item is NaN%)", function() world:add(0 / 0, 0, 0, 1, 1) end)
    raises("bad argument to 'add' %(y must be from %-1e15 to 1e15, not", function() world:add("b", 0, 1 / 0, 1, 1) end)
    raises("bad argument to 'move' %(goalX must be from", function() world:move("a", -1e16, 1) end)
    raises("bad argument #1 to 'add' %('a' is in the world already%)", function() world:add("a", 0, 0, 1, 1) end)
    raises("bad argument to 'add' %(w must be positive, not 0%)", function() world:add("b", 0, 0, 0, 1) end)
    raises("bad argument to 'add' %(x must be a number, not nil%)", function() world:add("b") end)
    raises("bad argument to 'add' %(h must be a number, not nil%)", function() world:add("b", 1, 2, 3) end)
    raises("bad argument to 'add' %(h must be a number, not NaN%)", function() world:add("b", 1, 2, 3, 0 / 0) end)
    raises("bad argument #1 to 'remove' %(NaN is not in the world", function() world:remove(0 / 0) end)
    raises("bad argument to 'newWorld' %(cellSize must be positive", function() bump.newWorld(-1) end)
    raises("bad argument to 'move' %(goalX must be a number, not 'x'%)", function() world:move("a", "x", 1) end)
    for _, method in ipairs { "move", "check" } do
      local _, text = pcall(function() world[method](world, "a", 1, "x") end)
      assert.matches("bump_spec.lua:%d+: bad argument to '" .. method .. "' %(goalY", text)
    end
    raises("bad argument to 'queryRect' %(w must be positive", function() world:queryRect(0, 0, -1, 1) end)
    raises("bad argument to 'project' %(x must be a number", function() world:project("a") end)
    for _, method in ipairs { "move", "check", "update", "remove", "getRect", "getShape" } do
      local text = ("bad argument #1 to '%s' %%('b' is not in the world"):format(method)
      raises(text, function() world[method](world, "b", 1, 1) end)
    end
    world:add("b", 5, 0, 1, 1)
    raises("the filter returned 'jump', which is no response of this world", function()
      world:move("a", 9, 0, always "jump")
    end)
    assert.same({ 0, 0, 1, 1 }, { world:getRect("a") })
    world:add("ball", sat.circle(50, 50, 10))
    raises("only boxes change their size", function() world:update("ball", 0, 0, 5, 5) end)
    assert.is_false(world:hasItem("c"))
    assert.same({ 3, 3 }, { world:countItems(), world.sat:count() })
  end)
end)
