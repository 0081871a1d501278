-- Worlds, their shapes and their loops, which a script may drop, collect, close and change in any order.
local sat = require "sat"
local support = require "spec.support"

local finalized, run_script = support.finalized, support.run_script

local function collect()
  collectgarbage()
  collectgarbage()
end

-- So many balls, of which those that are neighbours overlap.
local function balls(count)
  local list = {}
  for i = 1, count do list[i] = sat.circle(i, 0, 1):setData(i) end
  return list
end

local function world_of(list)
  local world = sat.world()
  for _, shape in ipairs(list) do world:add(shape) end
  return world
end

-- The loops of a world, each as a function that begins one.
local LOOPS = {
  function(world) return world:collisions() end,
  function(world) return world:collisions((world:shapes())[1] or sat.circle(0, 0, 9)) end,
  function(world) return world:began() end,
  function(world) return world:touching() end,
  function(world) return world:ended() end,
  function(world) return world:nodes() end,
}

-- Begins a loop and leaves it.
local function leave(...)
  for a in ... do
    if a then return 1 end
  end
  return 0
end

describe("a shape", function()
  it("is added once, to one world", function()
    local a, b, shape = sat.world(), sat.world(), sat.circle(0, 0, 1)
    a:add(shape)
    for _, world in ipairs { a, b } do
      assert.error_matches(function() world:add(shape) end,
        "(the shape is in a world already: remove it there, or add a clone())", 1, true)
      assert.error_matches(function() world:add(sat.circle(0, 0, 1), shape) end, "bad argument #2 to 'add'", 1, true)
    end
    assert.same({ 1, 0, a }, { a:count(), b:count(), shape:world() })
    a:remove(shape)
    b:add(shape)
    assert.same({ 0, 1, b }, { a:count(), b:count(), shape:world() })
  end)

  it("that is removed while its world says what ended is no shape of it", function()
    local list = balls(2)
    local world = world_of(list)
    world:update()
    world:remove(list[1])
    world:update()
    for a, b in world:ended() do
      assert.is_false(world:has(a))
      assert.is_true(world:has(b))
      assert.is_false(world:remove(a))
      assert.is_true(world:add(a):has(a))
    end
    assert.equal(2, world:count())
  end)
end)

describe("a loaded world", function()
  it("keeps no shape of another structure, though number and size are the same", function()
    local chains, compounds = sat.world(), sat.world()
    local compound = sat.compound(sat.point(0, 0), sat.point(1, 0), sat.point(2, 0), sat.point(3, 0))
    compounds:add(compound)
    chains:add(sat.chain { 0, 0, 10, 0, 10, 10 })
    compounds:load(chains:save())
    assert.is_nil(compound:world())
    assert.same({ "compound", 4 }, { compound:kind(), #compound:pieces() })
    assert.equal("chain", (compounds:shapes())[1]:kind())
  end)
end)

describe("worlds and shapes", function()
  it("are collected in any order", function()
    local random = support.generator(1)
    local kept = {}
    for round = 1, 400 do
      local list = balls(random(1, 12))
      local world = world_of(list)
      world:update()
      if random(1, 3) == 1 then world:remove(list[1]) end
      local _, state = LOOPS[random(1, #LOOPS)](world)
      local whole = { world, state, list[1], list[#list] }
      for i = 1, 4 do
        if random(1, 2) == 1 then kept[#kept + 1] = whole[i] end
      end
      if random(1, 2) == 1 then list[1]:setData(world) end
      for _ = 1, random(0, 4) do table.remove(kept, random(1, math.max(#kept, 1))) end
      if round % 5 == 0 then collectgarbage() end
      for _, value in ipairs(kept) do
        if sat.type(value) == "shape" then
          value:move(1, 0)
          local own = value:world()
          assert(own == nil or own:has(value) and own:update())
        elseif sat.type(value) == "world" then
          assert(value:count() == #value:shapes())
        end
      end
    end
    kept = nil
    collect()
    assert.is_nil(kept)
  end)

  it("outlive each other under names of their own", function()
    local shapes = setmetatable({}, { __mode = "k" })
    local first = balls(30)
    world_of(first):update()
    for i = 1, 30 do shapes[first[i]] = true end
    collect() -- the world
    for i, shape in ipairs(first) do
      assert.is_nil(shape:world())
      shape:move(0, i):setRadius(2)
      shape:setStatic(true):setEnabled(false):setFilter(1, 1, 1)
    end
    local second = world_of(first)
    assert.equal(30, second:count())
    first = nil
    collect()
    local count = 0
    for _ in pairs(shapes) do count = count + 1 end
    assert.same({ 30, 30 }, { count, second:count() })
    assert.is_nil(first)
  end)
end)

describe("a loop over a world", function()
  it("may be left a million times", function()
    local world = world_of(balls(20))
    world:update()
    local began = 0
    for _ = 1, 1000 do leave(world:collisions()) end
    collect()
    local before = support.resident()
    for i = 1, 1000000 do
      if i % 4 > 0 then leave(world:collisions()) else began = began + leave(world:began()) end
    end
    assert.equal(250000, began)
    assert.is_true(support.resident() - before < 64e6, (support.resident() - before) / 1e6 .. " MB")
  end)

  it("may change the world in every way", function()
    local shapes = balls(20)
    local changes = {
      function(world) world:clear() end,
      function(world) world:release() end,
      function(world) world:update() end,
      function(world) world:separate(3) end,
      function(world) world:load(world:save()) end,
      function(world) world:load(sat.world():save()) end,
      function(world) world:clear():add(sat.circle(3, 0, 1), sat.circle(4, 0, 1)) end,
      function(world) world:remove((world:shapes())[1]) end,
      function(world)
        for i, shape in ipairs((world:shapes())) do shape:moveTo(i * 50, 0):setEnabled(i % 2 == 0) end
      end,
      function(world) for _, shape in ipairs((world:shapes())) do shape:setSensor(true):scale(0.5):setRadius(9) end end,
      collect,
    }
    for _, loop in ipairs(LOOPS) do
      for which, change in ipairs(changes) do
        local world = sat.world()
        for _, shape in ipairs(shapes) do world:add(shape:clone()) end
        world:update()
        world:remove((world:shapes())[5])
        world:update()
        local steps = 0
        for a, b in loop(world) do
          assert(a ~= nil and b ~= nil)
          steps = steps + 1
          change(world)
          if steps >= 4 then break end
        end
        local own, n = world:shapes()
        assert(n == world:count() and n <= 20, which)
        for _, shape in ipairs(own) do assert.equal(world, shape:world()) end
        world:update()
        for a, b in world:collisions() do assert.is_true(a:overlaps(b)) end
      end
    end
  end)

  it("nests in loops of every kind over the same world", function()
    local world = world_of(balls(4))
    world:update()
    world:add(sat.circle(2, 0, 1))
    world:update()
    world:remove((world:shapes())[1])
    world:update()
    local alone, inside, count = {}, {}, 0
    for i, loop in ipairs(LOOPS) do
      alone[i] = 0
      for _ in loop(world) do alone[i] = alone[i] + 1 end
      assert(alone[i] > 0 or i == 3, i) -- nothing has begun
    end
    for _, outer in ipairs(LOOPS) do
      for _ in outer(world) do
        count = count + 1
        for i, inner in ipairs(LOOPS) do
          inside[i] = inside[i] or 0
          for _ in inner(world) do inside[i] = inside[i] + 1 end
          leave(inner(world))
        end
      end
    end
    for i = 1, #LOOPS do assert.equal(alone[i] * count, inside[i]) end
  end)

  it("in a coroutine may be abandoned, taken up late, and end in an error", function()
    local world = world_of(balls(6))
    world:update()
    local threads = {}
    local function start(loop)
      return coroutine.wrap(function()
        for a, b in loop(world) do coroutine.yield(a, b) end
        error("the end", 0)
      end)
    end
    for round = 1, 200 do
      local step = start(LOOPS[round % #LOOPS + 1])
      pcall(step)
      threads[round % 20 + 1] = step
      if round % 9 == 0 then collectgarbage() end
    end
    for _, step in pairs(threads) do
      local ok, message
      for _ = 1, 100 do
        ok, message = pcall(step)
        if not ok then break end
      end
      assert.is_false(ok)
      assert(message == "the end" or message:match("dead coroutine"), message)
    end
  end)

  it("goes on when nothing else refers to the world, and ends when that is released", function()
    local step, state = world_of(balls(5)):collisions()
    collect()
    local seen = 0
    for a, b in step, state do
      collect()
      assert.is_true(a:overlaps(b))
      seen = seen + 1
    end
    assert.equal(7, seen)
    local world = world_of(balls(5))
    step, state = world:collisions()
    assert.not_nil(step(state))
    world:release()
    assert.is_nil(step(state))
    assert.is_nil(step(state))
  end)
end)

describe("a world that has been collected", function()
  it("says so to a finalizer that still has it", function()
    local kept = {}
    local function make(i)
      local world = world_of(balls(3))
      world:update()
      local states = {}
      for k, loop in ipairs(LOOPS) do states[k] = { loop(world) } end
      local last = finalized(function()
        for _, entry in ipairs(states) do pcall(entry[1], entry[2]) end
        pcall(world.add, world, sat.circle(i, 0, 1))
        kept[#kept + 1] = { world = world, states = states }
      end)
      world:add(sat.point(0, 0):setData(last))
    end
    for i = 1, 30 do make(i) end
    collect()
    collect()
    assert.equal(30, #kept)
    local methods = { "update", "clear", "release", "count", "shapes", "save", "collisions", "began", "nodes", "svg" }
    for _, entry in ipairs(kept) do
      local world = entry.world
      local alive = pcall(world.count, world)
      for _, name in ipairs(methods) do
        local ok, message = pcall(world[name], world)
        assert.equal(alive, ok, message)
        if not ok then assert.matches("it has been collected", message, 1, true) end
      end
      for _, state in ipairs(entry.states) do pcall(state[1], state[2]) end
      local shape = sat.circle(0, 0, 1)
      assert.equal(alive, (pcall(world.add, world, shape)))
      shape:move(1, 1):world()
    end
    kept = nil
    collect()
    assert.is_nil(kept)
  end)
end)

describe("a state", function()
  -- Where os.exit closes no state, nothing is to be seen but that it ends.
  local HEAD = [[
    local sat = require "sat"
    local function quit() if _VERSION == "Lua 5.1" and not jit then os.exit(0) else os.exit(true, true) end end
    local world = sat.world()
    for i = 1, 20 do world:add(sat.circle(i, 0, 1)) end
    world:update()
    local loops = {
      function() return world:collisions() end,
      function() return world:collisions((world:shapes())[1]) end,
      function() return world:began() end,
      function() return world:nodes() end,
    }
    local function left(loop) for a in loop() do return a end end
  ]]
  local ENDS = {
    ["in a loop"] = "for a in world:collisions() do print 'fine' quit() end",
    ["in loops within loops"] = [[
      for _ in world:collisions() do for _ in world:nodes() do for _ in world:began() do
        print 'fine'
        quit()
      end end end
    ]],
    ["in a loop of a coroutine"] = [[
      coroutine.wrap(function()
        for _ in world:collisions() do print 'fine' quit() end
      end)()
    ]],
    ["with loops that were left and coroutines that wait in one"] = [[
      waiting = {}
      for i, loop in ipairs(loops) do
        left(loop)
        waiting[i] = coroutine.wrap(function() for _ in loop() do coroutine.yield() end end)
        waiting[i]()
      end
      print 'fine'
      quit()
    ]],
    ["while a loop is begun by a finalizer"] = [[
      local function last()
        pcall(function() for _ in world:collisions() do world:remove((world:shapes())[1]) end end)
        for _, loop in ipairs(loops) do pcall(left, loop) end
        pcall(function() sat.world():add(sat.circle(0, 0, 1), sat.circle(0, 0, 1)):update() end)
        pcall(function() world:load(world:save()) end)
      end
      if newproxy then kept = newproxy(true) getmetatable(kept).__gc = last
      else kept = setmetatable({}, { __gc = last }) end
      for _ in world:collisions() do print 'fine' quit() end
    ]],
    ["in a finalizer"] = [[
      local function last()
        for _ in world:collisions() do
          if not done then done = true print 'fine' quit() end
        end
      end
      if newproxy then local proxy = newproxy(true) getmetatable(proxy).__gc = last proxy = nil
      else setmetatable({}, { __gc = last }) end
      for _ in world:collisions() do collectgarbage() end
    ]],
    ["with more worlds than it has time for"] = [[
      worlds = {}
      for i = 1, 500 do
        worlds[i] = sat.world():add(sat.circle(0, 0, 1), sat.circle(1, 0, 1):setData(worlds))
        worlds[i]:update()
        left(loops[i % #loops + 1])
      end
      print 'fine'
    ]],
  }

  for _, name in ipairs(support.sorted(ENDS)) do
    it("may end " .. name, function()
      local ok, printed = run_script(HEAD .. ENDS[name])
      if ok == nil then return pending("no interpreter is known") end
      assert.equal("fine\n", printed)
      assert.is_true(ok)
    end)
  end
end)
