-- Who keeps whom alive, and that nothing a script does with the collector, finalizers or a second copy of the module
-- reaches memory that is gone.
local sat = require "sat"

local function collect()
  collectgarbage()
  collectgarbage()
end

-- Runs the function when the collector finds what is returned.
local function finalized(f)
  local newproxy = rawget(_G, "newproxy")
  if not newproxy then return setmetatable({}, { __gc = f }) end
  local proxy = newproxy(true)
  getmetatable(proxy).__gc = f
  return proxy
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

  it("may call the module while the state closes", function()
    local interpreter, i = nil, 0
    while arg and arg[i - 1] do
      i = i - 1
      interpreter = arg[i]
    end
    if not interpreter then return pending("no interpreter is known") end
    local script, output = os.tmpname(), os.tmpname()
    local file = assert(io.open(script, "w"))
    file:write(("package.path, package.cpath = %q, %q\n"):format(package.path, package.cpath), [[
      local sat
      local function last()
        local points = {}
        for i = 1, 1000 do points[i] = i * i % 101 end
        pcall(function() sat.circle(1, 2, 3):collide(sat.rectangle(1, 1, 5, 5)) end)
        pcall(function() sat.hull(points) end)
        pcall(function() kept:setData({}):vertices({}) end)
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
      after = make()
      last()
      print("fine")
    ]])
    file:close()
    local status = os.execute(("%s %s > %s 2>&1"):format(interpreter, script, output))
    file = assert(io.open(output))
    local printed = file:read("*a")
    file:close()
    os.remove(script)
    os.remove(output)
    assert.equal("fine\n", printed)
    assert(status == true or status == 0)
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
  local function reload()
    local kept = {}
    for name, value in pairs(package.loaded) do
      if name == "sat" or name:match("^sat%.") then kept[name] = value end
    end
    for name in pairs(kept) do package.loaded[name] = nil end
    local again = require "sat"
    for name, value in pairs(kept) do package.loaded[name] = value end
    return again
  end

  it("is another table with the same shapes", function()
    local old = sat.rectangle(0, 0, 10, 10):setData("old")
    local again = reload()
    assert.not_equal(sat, again)
    local new = again.circle(5, 5, 1):setData("new")
    assert.equal("shape", again.type(old))
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
      assert.is_true(reload().circle(5, 5, 1):overlaps(s))
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
    local a, b = sat.point(1, 1), other.point(1, 1)
    assert.is_nil(other.type(a))
    assert.is_true(b:overlaps(other.circle(1, 1, 1)))
    assert.error_matches(function() other.overlaps(b, a) end,
      "bad argument #2 to 'overlaps' (b must be a shape, not a userdata)", 1, true)
    assert.error_matches(function() a:overlaps(b) end,
      "bad argument #1 to 'overlaps' (b must be a shape, not a userdata)", 1, true)
    assert.error_matches(function() a.move(b, 1, 1) end,
      "calling 'move' on bad self (it must be a shape, not a userdata)", 1, true)
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
