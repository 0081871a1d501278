-- Lengths and counts that are not what they say, and functions called with what they are not meant for: a Lua error or
-- the right answer, in a time and a memory that what was given accounts for.
local sat = require "sat"
local support = require "spec.support"
local forged, FORGED = support.forged, support.FORGED

local newproxy = rawget(_G, "newproxy")

local function message_of(f, ...)
  local ok, message = pcall(f, ...)
  assert(not ok, "it raised nothing")
  return (tostring(message):gsub("^[^:\n]*:%d+: ", ""))
end

-- How many kilobytes a call takes from the collector, which rests meanwhile.
local function kilobytes_of(f, ...)
  collectgarbage()
  collectgarbage("stop")
  local before = collectgarbage("count")
  f(...)
  local taken = collectgarbage("count") - before
  collectgarbage("restart")
  return taken
end

-- ---------------------------------------------------------------- lists to be filled

describe("a list to be filled", function()
  local tree, world, triangle

  -- Every function that fills one: by name, with what is to be in it, as keys, in any order.
  local function fillers()
    local a, b = sat.rectangle(0, 0, 4, 4), sat.rectangle(2, 2, 4, 4)
    triangle = sat.polygon(0, 0, 4, 0, 0, 4)
    world = sat.world():add(a, b)
    tree = sat.quadtree(0, 0, 10, 10):insert("a", 0, 0, 4, 4):insert("b", 2, 2, 4, 4)
    return {
      retrieve = function(out) return tree:retrieve(0, 0, 1, 1, out) end,
      ["retrieve of a shape"] = function(out) return tree:retrieve(a, out) end,
      neighbors = function(out) return tree:neighbors("a", out) end,
      ["raycastAll of a tree"] = function(out) return tree:raycastAll(-1, -1, 9, 9, out) end,
      ["nearestAll of a tree"] = function(out) return tree:nearestAll(0, 0, 1, out) end,
      ["nearestAll of none"] = function(out) return tree:nearestAll(0, 0, 0, out) end,
      shapes = function(out) return world:shapes(out) end,
      at = function(out) return world:at(3, 3, out) end,
      query = function(out) return world:query(0, 0, 1, 1, out) end,
      ["query of a shape"] = function(out) return world:query(triangle, out) end,
      ["raycastAll"] = function(out) return world:raycastAll(-1, -1, 9, 9, out) end,
      ["nearestAll"] = function(out) return world:nearestAll(0, 0, 2, out) end,
      visible = function(out)
        local list, count = world:visible(-5, 3, 40, out)
        return list, 2 * count
      end,
      vertices = function(out)
        local list, count = triangle:vertices(out)
        return list, 2 * count
      end,
    }
  end

  for name in pairs(fillers()) do
    it("by " .. name .. " may have any length, and has the right one afterwards", function()
      local fill = fillers()[name]
      local expected, count = fill()
      for _, exponent in ipairs { 20, 24, FORGED } do
        local out = forged(exponent)
        local list, n = fill(out)
        assert.equal(out, list)
        assert.equal(count, n)
        for i = 1, n + 1 do assert.equal(expected[i], out[i]) end
        assert.equal(n, #out)
      end
    end)
  end

  it("keeps what is no element of it", function()
    fillers()
    local key = {}
    local out = { 1, 2, 3, [0] = "zero", [-1] = "before", [1.5] = "between", name = "name", [key] = "key" }
    tree:retrieve(0, 0, 1, 1, out)
    assert.same({ "a", [0] = "zero", [-1] = "before", [1.5] = "between", name = "name", [key] = "key" }, out)
  end)

  it("is cleared behind its holes", function()
    fillers()
    for last = 1, 40 do
      local out = {}
      for i = 1, last do out[i] = i % 3 ~= 0 and i or nil end
      tree:retrieve(0, 0, 1, 1, out)
      assert.equal(1, #out)
      assert.equal("a", out[1])
    end
  end)
end)

-- ---------------------------------------------------------------- lists that are read

describe("a list that is read", function()
  it("of boxes may have any length, and takes no more memory than it has elements", function()
    for _, exponent in ipairs { 20, 24, FORGED } do
      local tree = sat.quadtree(0, 0, 10, 10)
      local boxes = forged(exponent)
      local taken = kilobytes_of(function()
        assert.equal("bad argument #2 to 'build' (box 1: w is missing)",
          message_of(tree.build, tree, { 1, 2 }, boxes):gsub("box 1: h", "box 1: w"))
      end)
      assert.is_true(taken < 100, taken .. " kilobytes")
      assert.equal(0, tree:count())
    end
  end)

  it("of boxes is read to its first hole, whatever its length", function()
    local boxes, items = forged(FORGED), {}
    for i = 1, 400 do boxes[i] = i % 4 < 2 and 1 or i end
    for i = 1, 100 do items[i] = i end
    boxes[512] = nil
    local tree = sat.quadtree(0, 0, 10, 10)
    tree:build(items, boxes)
    assert.equal(100, tree:count())
    for i = 1, 100 do assert.same({ 1, 4 * i - 2, 4 * i - 1, 1 }, { tree:get(i) }) end
  end)

  if math.maxinteger then
    it("of boxes has no length whose bytes are few again", function()
      for _, more in ipairs { 0, 4, 8, 64 } do
        local boxes = forged(61)
        for i = 1, 64 do boxes[i] = 1 end
        boxes[2 ^ 61 + more] = 1
        local tree = sat.quadtree(0, 0, 10, 10)
        tree:build({ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 }, boxes)
        assert.equal(16, tree:count())
        assert.equal(16, (select(2, tree:retrieve(1, 1, 1, 1))))
      end
    end)
  end

  it("of vertices may have any length, and takes no more memory than it has elements", function()
    for _, exponent in ipairs { 20, 24, FORGED } do
      for name, make in pairs { polygon = sat.polygon, hull = sat.hull, chain = sat.chain, validate = sat.validate } do
        local list = forged(exponent)
        local taken = kilobytes_of(function()
          assert.equal(("bad argument #1 to '%s' (vertex 2: x is missing)"):format(name), message_of(make, list))
        end)
        assert.is_true(taken < 100, taken .. " kilobytes")
      end
    end
  end)

  it("of shapes may have any length, and takes no more memory than it has elements", function()
    local shape, world = sat.circle(0, 0, 1), sat.world()
    for _, exponent in ipairs { 20, 24, FORGED } do
      local list = forged(exponent, shape)
      local taken = kilobytes_of(function()
        assert.equal("bad argument #1 to 'compound' (item 3 must be a shape, not nil)",
          message_of(sat.compound, list))
        assert.equal("bad argument #1 to 'add' (item 3 must be a shape, not nil)",
          message_of(world.add, world, list))
      end)
      assert.is_true(taken < 100, taken .. " kilobytes")
    end
    assert.equal(0, world:count())
  end)
end)

-- ---------------------------------------------------------------- counts

describe("a count", function()
  it("of rounds is bounded, since no hook interrupts them", function()
    local world = sat.world():add(sat.circle(0, 0, 1), sat.circle(0, 0, 1))
    for _, count in ipairs { 1001, 4294967295, 1e12, 0, -1, 1.5 } do
      assert.equal("bad argument #1 to 'separate' (iterations must be a whole number from 1 to 1000)",
        message_of(world.separate, world, count))
    end
    assert.equal(world, world:separate(1000))
  end)

  it("of what is wanted may be larger than what there is", function()
    local shape = sat.circle(0, 0, 1)
    local world, tree = sat.world():add(shape), sat.quadtree(0, 0, 1, 1):insert(shape)
    local taken = kilobytes_of(function()
      assert.equal(1, (select(2, world:nearestAll(0, 0, 4294967295))))
      assert.equal(1, (select(2, tree:nearestAll(0, 0, 4294967295))))
    end)
    assert.is_true(taken < 100, taken .. " kilobytes")
  end)

  it("of an index of pieces may be larger than what there is", function()
    assert.equal(1, #sat.circle(0, 0, 1):pieces())
  end)
end)

-- ---------------------------------------------------------------- functions of the metatables

describe("a function of a metatable", function()
  -- All metatables that there are, by name, and what is right for each.
  local function metatables()
    local world, tree, shape = sat.world(), sat.quadtree(0, 0, 1, 1), sat.circle(0, 0, 1)
    world:add(shape, sat.circle(0, 0, 1))
    tree:insert(1, 0, 0, 1, 1):insert(2, 0, 0, 1, 1)
    local _, cursor = world:collisions()
    local _, tree_cursor = tree:pairs()
    local values = { shape = shape, world = world, tree = tree, ["cursor of a world"] = cursor,
      ["cursor of a tree"] = tree_cursor }
    local list = {}
    for name, value in pairs(values) do list[name] = debug.getmetatable(value) end
    return list, values
  end

  it("checks what it is called with", function()
    local list, values = metatables()
    local foreign = { io.stdout, {}, "text", 1, true, print, coroutine.create(function() end) }
    if newproxy then foreign[#foreign + 1] = newproxy(true) end
    local count = 0
    for owner, metatable in pairs(list) do
      for key, f in pairs(metatable) do
        local others = {}
        for name, value in pairs(values) do -- the iterators are kept in the metatable of worlds
          local is_right = debug.getmetatable(value) == metatable or type(key) == "number" and name:find("^cursor")
          if not is_right then others[#others + 1] = value end
        end
        for _, value in ipairs(foreign) do others[#others + 1] = value end
        for _, value in ipairs(type(f) == "function" and others or {}) do
          local label = owner .. ", " .. tostring(key) .. ", " .. tostring(value)
          local ok, message = pcall(f, value)
          assert.is_false(ok, label)
          message = tostring(message)
          assert.is_true(key == "__newindex" or message:find("bad self", 1, true) ~= nil
            or message:find("needs the state that came with it", 1, true) ~= nil, label .. ": " .. message)
          count = count + 1
        end
        if type(f) == "function" then assert.is_false((pcall(f))) end
      end
    end
    assert.is_true(count > 100)
    for owner, value in pairs(values) do
      local gc = list[owner].__gc
      if gc then
        gc(value)
        gc(value)
        assert.is_true(owner:find "cursor" ~= nil or not pcall(value.count, value), owner)
      end
    end
    collectgarbage()
  end)

  it("closes nothing but the state of its loop", function()
    local list, values = metatables()
    for _, owner in ipairs { "cursor of a world", "cursor of a tree" } do
      assert.equal("calling '__close' on bad self (it must be the state of a loop)",
        message_of(list[owner].__close, values.shape))
      list[owner].__close(values[owner])
      list[owner].__close(values[owner])
    end
    local count = 0
    for _ in values.world:collisions() do count = count + 1 end
    for _ in values.tree:pairs() do count = count + 1 end
    assert.equal(2, count)
  end)
end)

-- ---------------------------------------------------------------- adding many

describe("adding many shapes", function()
  local unpack = table.unpack or unpack

  local function circles(count)
    local list = {}
    for i = 1, count do list[i] = sat.circle(10 * i, 0, 1) end
    return list
  end

  it("takes them as arguments or as a list, in order", function()
    for _, count in ipairs { 1, 2, 7, 200 } do
      local list = circles(count)
      local world = sat.world()
      assert.equal(world, world:add(unpack(list)))
      assert.same(list, (world:shapes()))
      world:clear()
      assert.equal(world, world:add(list))
      assert.same(list, (world:shapes()))
    end
    assert.equal(0, sat.world():add({}):count())
  end)

  it("finds one that comes twice, or is in a world, and then adds none", function()
    local world, list = sat.world(), circles(200)
    local fault = "the shape is in a world already: remove it there, or add a clone()"
    for _, place in ipairs { 2, 100, 200 } do
      local twice = { unpack(list) }
      twice[place] = twice[1]
      assert.equal(("bad argument #%d to 'add' (the shape comes twice: add a clone())"):format(place),
        message_of(world.add, world, unpack(twice)))
      assert.equal(("bad argument #1 to 'add' (item %d: the shape comes twice: add a clone())"):format(place),
        message_of(world.add, world, twice))
      local taken = sat.world():add(list[place])
      assert.equal(("bad argument #%d to 'add' (%s)"):format(place, fault),
        message_of(world.add, world, unpack(list)))
      assert.equal(("bad argument #1 to 'add' (item %d: %s)"):format(place, fault),
        message_of(world.add, world, list))
      taken:release()
      assert.equal(0, world:count())
      for _, shape in ipairs(list) do assert.is_nil(shape:world()) end
    end
    assert.equal(200, world:add(list):count())
  end)

  it("refuses a list of other things, or with more behind it", function()
    local world = sat.world()
    assert.equal("bad argument #1 to 'add' (item 2 must be a shape, not a number)",
      message_of(world.add, world, { sat.point(0, 0), 1 }))
    assert.equal("bad argument #1 to 'add' (item 1 must be a shape, not nil)",
      message_of(world.add, world, { nil, sat.point(0, 0) }))
    assert.equal("bad argument #1 to 'add' (shape must be a shape, not a table)",
      message_of(world.add, world, { sat.point(0, 0) }, sat.point(0, 0)))
    assert.equal(0, world:count())
  end)

  it("is for as many shapes as a list can hold", function()
    local list = circles(50000)
    assert.equal(50000, sat.world():add(list):count())
  end)
end)

describe("removing a shape", function()
  it("says whether it was there", function()
    local shape, world = sat.point(0, 0), sat.world()
    assert.is_false(world:remove(shape))
    world:add(shape)
    assert.is_true(world:remove(shape))
    assert.is_false(world:remove(shape))
    assert.equal(0, world:count())
  end)
end)
