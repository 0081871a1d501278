-- Who keeps whom alive, and that nothing a script does with the collector, finalizers or a second copy of the module
-- reaches memory that is gone.
local sat = require "sat"
local support = require "spec.support"

local finalized = support.finalized

local function collect()
  collectgarbage()
  collectgarbage()
end

local function weak() return setmetatable({}, { __mode = "kv" }) end

-- So that no register of the caller's frame still holds what was made.
local function with_made(make, ...)
  local function call(...) return make(...) end
  return call(...)
end

describe("a shape", function()
  it("lives as long as someone refers to it", function()
    local s = sat.polygon(0, 0, 10, 0, 0, 10)
    local made = { sat.circle(1, 1, 1) }
    collect()
    for i = 1, 1000 do sat.rectangle(i, i, 1, 1) end
    collect()
    assert.equal("sat.polygon (3 vertices) at 3.3333333333333, 3.3333333333333", tostring(s))
    assert.is_true(made[1]:overlaps(s))
  end)

  it("is collected when no one does", function()
    local seen = weak()
    with_made(function() seen[1] = sat.rectangle(0, 0, 1, 1):move(1, 1) end)
    collect()
    assert.is_nil(seen[1])
  end)

  it("keeps its data alive, and lets go of what was there before", function()
    local seen = weak()
    local s = sat.point(0, 0)
    with_made(function()
      seen.first, seen.second = { "first" }, { "second" }
      s:setData(seen.first):setData(seen.second)
    end)
    collect()
    assert.is_nil(seen.first)
    assert.equal("second", s:data()[1])
    s:setData(nil)
    collect()
    assert.is_nil(seen.second)
  end)

  it("is collected together with data that refers to it", function()
    local seen = weak()
    with_made(function()
      local s = sat.rectangle(0, 0, 1, 1)
      s:setData({ shape = s, clone = s:clone():setData(s) })
      seen[1] = s
      local a, b = sat.point(0, 0), sat.point(1, 1)
      a:setData(b)
      b:setData(a)
      seen[2], seen[3] = a, b
      seen[4] = s:setData(s) -- itself
    end)
    collect()
    assert.same({}, { seen[1], seen[2], seen[3], seen[4] })
  end)

  it("does not die with the shape that it was cloned from", function()
    local seen = weak()
    local copy = with_made(function()
      local s = sat.rectangle(0, 0, 1, 1):setData({ "data" })
      seen[1] = s
      return s:clone()
    end)
    collect()
    assert.is_nil(seen[1])
    assert.equal("data", copy:data()[1])
    assert.equal(1, copy:area())
  end)
end)

describe("a quadtree", function()
  it("keeps its items alive, and lets go of them when they are removed", function()
    local seen = weak()
    local q = sat.quadtree(0, 0, 10, 10)
    with_made(function()
      for i = 1, 4 do seen[i] = { i } end
      q:insert(seen[1], 0, 0, 1, 1):insert(seen[2], 0, 0, 1, 1):build({ seen[3], seen[4] }, { 0, 0, 1, 1, 0, 0, 1, 1 })
    end)
    collect()
    for i = 1, 4 do assert.equal(i, seen[i][1]) end
    q:remove(seen[2])
    q:remove(seen[4])
    collect()
    assert.is_nil(seen[2])
    assert.is_nil(seen[4])
    q:clear()
    collect()
    assert.is_nil(next(seen))
    assert.equal(0, #q)
  end)

  it("lets go of items that have taken the numbers of others", function()
    local seen = weak()
    local q = sat.quadtree(0, 0, 10, 10)
    with_made(function()
      for i = 1, 8 do seen[i] = { i } end
      for i = 1, 4 do q:insert(seen[i], 0, 0, 1, 1) end
      q:remove(seen[2])
      q:insert(seen[5], 0, 0, 1, 1):remove(seen[1])
      q:remove(seen[3])
      q:build({ seen[6], seen[7], seen[8] }, { 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1 })
      for _, i in ipairs { 4, 5, 6, 7, 8 } do assert.is_true(q:remove(seen[i])) end
    end)
    collect()
    assert.is_nil(next(seen))
    assert.equal(0, #q)
  end)

  it("does not keep what it has refused", function()
    local seen = weak()
    local q = sat.quadtree(0, 0, 10, 10):insert("in", 0, 0, 1, 1)
    with_made(function()
      for i = 1, 3 do seen[i] = { i } end
      assert.has_error(function() q:insert(seen[1], 0, 0, -1, 1) end)
      assert.has_error(function() q:update(seen[1], 0, 0, 1, 1) end)
      assert.has_error(function() q:build({ seen[2], seen[3], seen[2] }, { 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1 }) end)
      assert.has_error(function() q:build({ seen[2], seen[3], "in" }, { 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1 }) end)
      assert.has_error(function() q:build({ seen[2], seen[3] }, { 0, 0, 1, 1, 0, 0, 1 }) end)
    end)
    collect()
    assert.is_nil(next(seen))
    assert.equal(1, #q)
  end)

  it("does not keep what a loop has shown", function()
    local seen = weak()
    local q = sat.quadtree(0, 0, 10, 10)
    with_made(function()
      for i = 1, 5 do
        seen[i] = { i }
        q:insert(seen[i], 0, 0, 1, 1)
      end
      for a in q:pairs() do if a then break end end
      for a in q:pairs() do assert(a) end
      for i = 1, 5 do q:remove(seen[i]) end
    end)
    collect()
    assert.is_nil(next(seen))
  end)

  it("is collected together with items that refer to it, and loops over it", function()
    local seen = weak()
    with_made(function()
      local q = sat.quadtree(0, 0, 10, 10)
      local s = sat.rectangle(0, 0, 1, 1):setData(q)
      q:insert(q, 0, 0, 1, 1):insert({ tree = q }, 0, 0, 1, 1):insert(s):insert(function() return q end, 0, 0, 1, 1)
      local other = sat.quadtree(0, 0, 10, 10):insert(q, 0, 0, 1, 1)
      q:insert(other, 0, 0, 1, 1)
      seen[1], seen[2], seen[3] = q, s, other
      for a in q:pairs() do if a then break end end
      for a in q:pairs() do seen[4] = { a } end
      local _, state = q:pairs()
      q:insert(state, 0, 0, 1, 1) -- a loop's state, which refers to the tree
      q:insert(coroutine.wrap(function() for _ in q:pairs() do coroutine.yield() end end), 0, 0, 1, 1)
      for f in q:pairs() do if type(f) == "function" then pcall(f) end end
      seen[5] = state
    end)
    collect()
    collect()
    assert.same({}, { seen[1], seen[2], seen[3], seen[4], seen[5] })
  end)

  it("that is dropped in numbers has its memory collected in time", function()
    local items, boxes = {}, {}
    for i = 1, 300 do items[i] = i end
    for i = 1, 1200 do boxes[i] = 1 end
    -- Little for Lua to see, and 45,000 pairs.
    local function make() sat.quadtree(0, 0, 100, 100):build(items, boxes):pairs() end
    for _ = 1, 20 do make() end
    local before = support.resident()
    for _ = 1, 1000 do make() end
    assert.is_true(support.resident() - before < 64e6, (support.resident() - before) / 1e6 .. " MB")
  end)
end)

describe("under a collector that runs after every call", function()
  it("a scene gives the answers that it gives without", function()
    local function scene(after)
      local results = {}
      local function note(...)
        for i = 1, select("#", ...) do results[#results + 1] = tostring((select(i, ...))) end
        after()
      end
      local shapes = {}
      for i = 1, 5 do
        shapes[i] = i % 3 == 0 and sat.circle(i, 2, 1.5) or sat.regular(i, i % 4, 1 + i / 5, 2 + i)
        after()
        shapes[i]:setData({ i })
        after()
      end
      for i, a in ipairs(shapes) do
        for _, b in ipairs(shapes) do
          note(a:collide(b))
          note(a:distance(b))
          note(a:cast(3, 1, b))
        end
        note(a:unpack())
        note(a:clone():data()[1])
        note(#a:vertices())
        note(a:pieces()[1]:area())
        note(a:data()[1] == i)
      end
      return results
    end
    assert.same(scene(function() end), scene(collectgarbage))
  end)
end)

describe("a world under a collector that runs after every call", function()
  it("gives the answers that it gives without", function()
    local function scene(after)
      local results, world, saved = {}, sat.world(), nil
      local function note(...)
        for i = 1, select("#", ...) do
          local value = (select(i, ...))
          results[#results + 1] = sat.type(value) == "shape" and value:data() or tostring(value)
        end
        after()
      end
      for i = 1, 12 do world:add(sat.circle(i, i % 2, 1):setData("shape " .. i)) after() end
      for frame = 1, 6 do
        note(world:update())
        for a, b, dx, dy in world:collisions() do note(a, b, dx, dy) end
        for a, b in world:ended() do note(a, b) end
        local shapes = world:shapes()
        if frame == 2 then saved = world:save() end
        if frame == 5 then world:load(saved) else world:remove(shapes[frame]) end
        for _, shape in ipairs((world:shapes())) do shape:setData(shape:data() or "new"):move(frame / 10, 0) after() end
        world:separate()
        note(world:nearest(0, 0))
        note(world:raycast(-5, 0, 50, 0))
        note(#world:query(0, 0, 5, 5))
      end
      return results
    end
    assert.same(scene(function() end), scene(collectgarbage))
  end)
end)

describe("a finalizer", function()
  -- Makes garbage whose finalizers make and change shapes, while others are being made.
  local function disturb(times, action)
    local failed
    local function run()
      local ok, message = pcall(action)
      if not ok then failed = message end
    end
    for i = 1, times do
      finalized(run)
      local points = {}
      for k = 0, 99 do
        points[2 * k + 1], points[2 * k + 2] = i + 10 * math.cos(k / 50 * math.pi), 10 * math.sin(k / 50 * math.pi)
      end
      local s = sat.hull(points)
      local x, y, w, h = s:bounds()
      assert(math.abs(x - (i - 10)) < 1e-6 and math.abs(y + 10) < 1e-6, "the shape is where its points were")
      assert(math.abs(w - 20) < 1e-6 and math.abs(h - 20) < 1e-6)
      local e = sat.ellipse(i, 0, 10, 5, 100)
      assert(math.abs(e:area() - sat.ellipse(0, 0, 10, 5, 100):area()) < 1e-6)
      assert(#e:vertices() == 200 and e:clone():center() == i)
    end
    collect()
    assert.is_nil(failed)
  end

  it("may make shapes while another is being made", function()
    local wrong = {}
    for k = 0, 149 do wrong[2 * k + 1], wrong[2 * k + 2] = 1e6 + k, 1e6 + k * k end
    disturb(300, function()
      sat.hull(wrong)
      sat.polygon(wrong)
      sat.regular(-1e6, 0, 1, 150)
      sat.rectangle(-5, -5, 1, 1):setData({})
    end)
  end)

  it("may change a shape that is being read", function()
    local shared = sat.regular(0, 0, 1, 100)
    disturb(300, function() shared:move(1, 0):setData({}):vertices({}) end)
    for _ = 1, 100 do
      finalized(function() shared:rotate(1) end)
      assert.equal(200, #shared:vertices())
      shared:clone()
    end
  end)

  it("may change a tree that is being changed, read or looped over", function()
    local q = sat.quadtree(0, 0, 100, 100)
    local serial, failed = 0, nil
    local function meddle()
      local ok, message = pcall(function()
        serial = serial + 1
        local mine = "finalizer " .. serial
        q:insert(mine, serial % 90, serial % 80, 5, 5)
        for a in q:pairs() do
          if type(a) == "string" and a ~= mine then
            q:remove(a)
            break
          end
        end
        if serial % 50 == 0 then q:clear() end
        if serial % 7 == 0 then q:build({ {}, {} }, { 1, 1, 1, 1, 2, 2, 2, 2 }) end
        q:retrieve(0, 0, 100, 100)
        q:nearestAll(3, 3, 5, {})
      end)
      if not ok then failed = message end
    end
    for i = 1, 2000 do
      finalized(meddle)
      if not q:has(i) then q:insert(i, i % 100, i % 90, 8, 8) end
      local found, n = q:retrieve(0, 0, 200, 200)
      assert((found[n] ~= nil or n == 0) and found[n + 1] == nil)
      found, n = q:raycastAll(0, 0, 100, 100)
      assert(found[n] ~= nil or n == 0)
      q:nearestAll(1, 1, 3)
      local steps = 0
      for a, b in q:pairs() do
        assert(a ~= nil and b ~= nil and a ~= b) -- but they may be gone: some Luas collect right before the body
        finalized(meddle)
        steps = steps + 1
        if steps > 3 then break end
      end
      pcall(q.neighbors, q, i) -- the list that it makes may be the end of the item
      if i % 3 == 0 then q:remove(i - 1) end
      if i % 100 == 0 then sat.quadtree(0, 0, 1, 1):insert(q, 0, 0, 1, 1):insert({}, 0, 0, 1, 1) end
    end
    collect()
    assert.is_nil(failed)
    local found, n = q:retrieve(-1000, -1000, 2000, 2000)
    assert.equal(#q, n)
    for i = 1, n do assert.is_true(q:has(found[i])) end
  end)

  it("may use a tree that is being collected, and keep it", function()
    local kept, count = {}, 0
    for i = 1, 50 do
      with_made(function()
        local q = sat.quadtree(0, 0, 10, 10):insert("a", 0, 0, 1, 1):insert("b", 0, 0, 1, 1)
        local next_pair, state = q:pairs()
        local last = finalized(function()
          pcall(function()
            q:insert(i, 0, 0, 1, 1)
            for a in q:pairs() do if a then break end end
            q:retrieve(0, 0, 1, 1)
            next_pair(state)
          end)
          kept[#kept + 1] = { q, next_pair, state }
        end)
        q:insert({ last }, 0, 0, 1, 1)
      end)
    end
    collect()
    collect()
    for _, entry in ipairs(kept) do
      local q, next_pair, state = entry[1], entry[2], entry[3]
      pcall(function()
        q:clear():insert("new", 0, 0, 1, 1):update("new", 5, 5, 1, 1)
        q:build({ 1, 2 }, { 0, 0, 1, 1, 0, 0, 1, 1 })
      end)
      pcall(next_pair, state)
      pcall(function() for _ in q:pairs() do count = count + 1 end end)
      local ok, reason = pcall(q.count, q)
      assert.is_true(ok or reason == "calling 'count' on bad self (it has been collected)", reason)
    end
    kept = nil
    collect()
    assert.is_nil(kept)
  end)

  it("may call the module while the state closes", function()
    local ok, printed = support.run_script([[
      local sat
      local function last()
        local points = {}
        for i = 1, 1000 do points[i] = i * i % 101 end
        pcall(function() sat.circle(1, 2, 3):collide(sat.rectangle(1, 1, 5, 5)) end)
        pcall(function() sat.hull(points) end)
        pcall(function() kept:setData({}):vertices({}) end)
        pcall(function()
          tree:insert({}, 1, 1, 1, 1):insert(last, 1, 1, 1, 1)
          for a in tree:pairs() do tree:remove(a) end
        end)
        pcall(function() member:move(1, 1):setRadius(2):setStatic(true):setFilter(1, 2, 3):world() end)
        pcall(function() world:add(sat.circle(1, 1, 1)) world:update() world:remove(member) end)
        pcall(hit, hits)
        pcall(function() sat.world():add(sat.circle(1, 1, 1), sat.circle(1, 1, 1)):collisions() end)
        pcall(function() sat.quadtree(0, 0, 1, 1):build({ 1, 2 }, { 0, 0, 1, 1, 0, 0, 1, 1 }):pairs() end)
        collectgarbage() -- whose finalizers some Luas call when the libraries have gone
      end
      local function make()
        if not newproxy then return setmetatable({}, { __gc = last }) end
        local proxy = newproxy(true)
        getmetatable(proxy).__gc = last
        return proxy
      end
      before = make()
      sat = require "sat"
      kept = sat.polygon(0, 0, 1, 0, 0, 1)
      tree = sat.quadtree(0, 0, 1, 1):insert(last, 0, 0, 1, 1):insert(before, 0, 0, 1, 1)
      pair, state = tree:pairs()
      member = sat.circle(1, 2, 3)
      world = sat.world():add(member, sat.circle(1, 2, 2))
      hit, hits = world:collisions()
      after = make()
      last()
      print("fine")
    ]])
    if ok == nil then return pending("no interpreter is known") end
    assert.equal("fine\n", printed)
    assert.is_true(ok)
  end)
end)

describe("coroutines", function()
  it("may share shapes, be abandoned, and raise", function()
    local s = sat.rectangle(0, 0, 10, 10)
    local threads = {}
    for i = 1, 50 do
      threads[i] = coroutine.wrap(function()
        for _ = 1, 3 do
          s:move(1, 0)
          coroutine.yield(s:center())
        end
        s:move("far", 0)
      end)
      threads[i]()
    end
    assert.equal(55, (s:center()))
    assert.error_matches(function() for _ = 1, 9 do threads[1]() end end, "dx must be a number", 1, true)
    for i = 1, 50 do threads[i] = nil end
    collect()
    assert.equal(57, (s:center()))
  end)
end)

describe("the module, loaded again", function()
  it("is another table with the same shapes", function()
    local old = sat.rectangle(0, 0, 10, 10):setData("old")
    local again = support.reload()
    assert.not_equal(sat, again)
    local new = again.circle(5, 5, 1):setData("new")
    assert.equal("shape", again.type(old))
    local q = sat.quadtree(0, 0, 1, 1):insert(new)
    assert.equal("quadtree", again.type(q))
    assert.is_true(again.quadtree(0, 0, 1, 1):insert(q, 0, 0, 1, 1).has(q, new))
    assert.equal("shape", sat.type(new))
    assert.is_true(old:contains(new))
    assert.is_true(again.overlaps(old, new))
    assert.equal("old", again.point(0, 0).data(old))
    assert.equal("new", sat.point(0, 0).data(new))
    assert.equal("newer", sat.point(0, 0).setData(new, "newer"):data())
    assert.is_nil(again.point(1, 1):data())
  end)

  it("may be loaded and dropped many times", function()
    local s = sat.rectangle(0, 0, 10, 10)
    for _ = 1, 20 do
      assert.is_true(support.reload().circle(5, 5, 1):overlaps(s))
      collect()
    end
    assert.equal(100, s:area())
  end)

  -- The native part, wherever it was found.
  local function native_part()
    for template in package.cpath:gmatch("[^;]+") do
      local path = template:gsub("%?", "sat/core")
      local file = io.open(path, "rb")
      if file then
        local bytes = file:read("*a")
        file:close()
        return bytes
      end
    end
  end

  it("from another copy of the native part refuses the shapes of the first, and says so", function()
    local bytes = native_part()
    if not bytes then return pending("the native part is not on package.cpath") end
    local path = os.tmpname()
    local file = assert(io.open(path, "wb"))
    file:write(bytes)
    file:close()
    local other = assert(package.loadlib(path, "luaopen_sat_core"))(path)
    os.remove(path)
    local q = sat.quadtree(0, 0, 1, 1)
    assert.is_nil(other.type(q))
    assert.error_matches(function() other.quadtree(0, 0, 1, 1).insert(q, sat.point(1, 1)) end,
      "calling 'insert' on bad self (it must be a quadtree, not a userdata; ", 1, true)
    assert.error_matches(function() q:insert(other.point(1, 1)) end,
      "bad argument #2 to 'insert' (x must be a number, but is missing)", 1, true)
    local a, b = sat.point(1, 1), other.point(1, 1)
    assert.is_nil(other.type(a))
    assert.is_true(b:overlaps(other.circle(1, 1, 1)))
    assert.error_matches(function() other.overlaps(b, a) end,
      "bad argument #2 to 'overlaps' (b must be a shape, not a userdata)", 1, true)
    assert.error_matches(function() a:overlaps(b) end,
      "bad argument #1 to 'overlaps' (b must be a shape, not a userdata)", 1, true)
    assert.error_matches(function() a.move(b, 1, 1) end,
      "calling 'move' on bad self (it must be a shape, not a userdata; ", 1, true)
  end)
end)

describe("what is no shape", function()
  it("is none by whatever metatable it is given", function()
    local fakes = {
      setmetatable({}, { __metatable = "sat.shape", __index = sat.point(0, 0) }),
      setmetatable({}, { __metatable = "sat.shape", __name = "sat.shape" }),
    }
    local newproxy = rawget(_G, "newproxy")
    if newproxy then
      local proxy = newproxy(true)
      getmetatable(proxy).__metatable = "sat.shape"
      fakes[#fakes + 1] = proxy
    end
    for _, fake in ipairs(fakes) do
      assert.is_nil(sat.type(fake))
      assert.error_matches(function() sat.overlaps(fake, sat.point(0, 0)) end, "a must be a shape", 1, true)
      assert.error_matches(function() sat.point(0, 0).move(fake, 1, 1) end, "it must be a shape", 1, true)
    end
  end)
end)
