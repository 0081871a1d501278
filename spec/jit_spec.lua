-- The fast path on LuaJIT: that it is there, that nothing tells it from the functions which it stands for, that no
-- script gets past its checks, and that it is compiled and stays so.
local sat = require "sat"
local reload = require("spec.support").reload

local jit, newproxy, getfenv = rawget(_G, "jit"), rawget(_G, "newproxy"), rawget(_G, "getfenv")
local unpack = rawget(_G, "unpack") or table.unpack

local METHODS = { "move", "moveTo", "rotate", "setRotation", "transform", "center", "rotation", "bounds", "contains",
  "data", "overlaps", "collide", "distance", "contacts", "cast", "turn", "raycast", "axis", "project", "radius", "kind",
  "isSensor", "isStatic", "isEnabled", "isConvex", "area", "scaleFactor", "boundingCircle", "parts", "partAt" }
local FUNCTIONS = { "contains", "overlaps", "collide", "distance", "contacts", "cast", "turn", "raycast", "axis" }

local function is_fast(f) return debug.getinfo(f, "S").what == "Lua" end

-- All of them by name: "move" is a method, "sat.collide" a function.
local function functions_of(module)
  local functions, shape = {}, module.point(0, 0)
  for _, name in ipairs(METHODS) do functions[name] = shape[name] end
  for _, name in ipairs(FUNCTIONS) do functions["sat." .. name] = module[name] end
  return functions
end

-- Asks again and again while the collector goes on in small steps. A collection that ends within the question is not
-- told by the step, so the number of steps has a bound.
local function ask_through_a_collection(ask)
  for _ = 1, 100 do
    ask()
    if collectgarbage("step", 10) then return end
  end
end

local left_out = package.preload["sat.jit"]

describe("the fast path", function()
  it("is there on LuaJIT with its compiler on, unless it was left out, and nowhere else", function()
    local expected = jit ~= nil and jit.status() and not left_out
    for name, f in pairs(functions_of(sat)) do assert.equal(expected, is_fast(f), name) end
  end)

  it("is of those methods that the guide names", function()
    local file = assert(io.open("docs/guides/performance.md"))
    local list = file:read("*a"):match("compiled along with your loop:%s*\n\n(.-)%.\n")
    file:close()
    local named, known = {}, {}
    for name in list:gmatch("`([^`]+)`") do named[#named + 1] = name end
    for i, name in ipairs(METHODS) do known[i] = name end
    table.sort(named)
    table.sort(known)
    assert.same(known, named)
  end)
end)

if not jit or not jit.status() or left_out then return end

local ffi, util = require "ffi", require "jit.util"

-- The methods that begin loops, as they are now.
local function loops_of(module)
  local world, tree = module.world(), module.quadtree(0, 0, 1, 1)
  return { collisions = world.collisions, hits = world.hits, pairs = tree.pairs, raycasts = world.raycasts }
end

-- Calls a stand-in until it has given way to the method.
local function outlast(call) for _ = 1, 20 do pcall(call) end end

local function load_plain()
  package.preload["sat.jit"] = function() return function() end end
  local module = reload()
  package.preload["sat.jit"] = nil
  return module
end

-- The methods of worlds that move shapes.
local function moves_of(module)
  local world = module.world()
  return { move = world.move, check = world.check, turn = world.turn, checkTurn = world.checkTurn }
end

-- The methods of worlds and quadtrees that tell something or move an item: "world:cast".
local function questions_of(module)
  local world, tree = module.world(), module.quadtree(0, 0, 1, 1)
  local questions = { ["tree:count"] = tree.count, ["tree:update"] = tree.update }
  for _, name in ipairs { "at", "cast", "collide", "count", "has", "query", "raycast", "visible" } do
    questions["world:" .. name] = world[name]
  end
  return questions
end

local plain = load_plain()
local slow, slow_loops, slow_moves, slow_questions =
  functions_of(plain), loops_of(plain), moves_of(plain), questions_of(plain)
sat = reload()
local fast, fast_loops, fast_questions = functions_of(sat), loops_of(sat), questions_of(sat)
for _, begin in pairs(fast_loops) do outlast(begin) end
for name, move in pairs(moves_of(sat)) do assert(is_fast(move), name) end

local names = {}
for name in pairs(fast) do names[#names + 1] = name end
table.sort(names)

describe("the fast path", function()
  after_each(function() reload() end)

  local function assert_absent()
    local module = reload()
    for name, f in pairs(functions_of(module)) do assert.is_false(is_fast(f), name) end
    assert.equal(-1, (module.rectangle(0, 0, 10, 10):collide(module.rectangle(9, 0, 10, 10))))
    assert.equal("kept", module.point(0, 0):setData("kept"):data())
  end

  local function without(container, key, value, call)
    local kept = rawget(container, key)
    rawset(container, key, value)
    local ok, message = pcall(call)
    rawset(container, key, kept)
    assert(ok, message)
  end

  it("stays out while the compiler is off", function()
    jit.off()
    local ok, message = pcall(assert_absent)
    jit.on()
    assert(ok, message)
  end)

  it("stays out without `debug`", function()
    local module
    without(_G, "debug", nil, function() module = reload() end)
    assert.is_false(is_fast(module.collide))
  end)

  it("stays out without `ffi`", function()
    without(package.loaded, "ffi", nil, function() without(package.preload, "ffi", nil, assert_absent) end)
  end)

  it("is not taken in by a `debug` or an `ffi` that is none", function()
    local shared, module = {}, nil
    for _, fake in ipairs { shared, "debug", { getmetatable = 1 }, { getmetatable = getmetatable },
      { getmetatable = function() return shared end } } do
      without(_G, "debug", fake, function() module = reload() end)
      assert.is_false(is_fast(module.collide))
    end
    for _, fake in ipairs { {}, "ffi", { cast = function() error "no" end } } do
      without(package.loaded, "ffi", fake, assert_absent)
    end
  end)

  it("leaves nothing in the module that leads to its pointers", function()
    for _, name in ipairs { "ffiInterface", "methods", "worldMethods", "treeMethods" } do
      assert.is_nil(rawget(sat, name))
      assert.has_error(function() return sat.point(0, 0)[name] end)
    end
  end)
end)

describe("a stand-in of the fast path", function()
  after_each(function() reload() end)

  it("gives way to the method when it has been called a few times, and goes on through it", function()
    local module = reload()
    local shape = module.rectangle(0, 0, 4, 4)
    local kept, kept_collide = shape.center, module.collide
    for _ = 1, 30 do
      assert.same({ 2, 2 }, { kept(shape) })
      assert.same({ 2, 2 }, { shape:center() })
      assert.is_nil(kept_collide(shape, module.point(9, 9)))
      assert.is_false((pcall(kept)))
    end
    assert.is_true(is_fast(shape.center))
    assert.not_equal(kept, shape.center)
    assert.not_equal(kept_collide, module.collide)
    assert.matches("fast%.lua", debug.getinfo(shape.center, "S").source)
  end)

  it("gives way to a method whichever function it stands for", function()
    local module, count = reload(), 0
    local get = debug.getmetatable
    local function methods_of(value) return rawget(get(value), "__index") end
    local lists = { module, methods_of(module.point(0, 0)), methods_of(module.world()),
      methods_of(module.quadtree(0, 0, 1, 1)), get(module).siblings }
    for _, list in pairs(lists) do
      for name, f in pairs(list) do
        if type(f) == "function" and debug.getinfo(f, "S").source:find "jit%.lua" then
          outlast(f)
          count = count + 1
          assert.matches("fast%.lua", debug.getinfo(list[name], "S").source, name)
        end
      end
    end
    assert.is_true(count > 50)
  end)

  -- The finalizers call nothing of luassert: LuaJIT has gone round the loops of its pairs for ever there.
  it("may be called by finalizers that run while its method is made", function()
    local wrong = 0
    for _ = 1, 30 do
      local module = reload()
      local shape, world, count = module.rectangle(0, 0, 4, 4), module.world(), 0
      world:add(shape)
      local function finalize()
        count = count + 1
        for _ = 1, 10 do
          local x, y = shape:center()
          if x ~= 2 or y ~= 2 or module.overlaps(shape, shape) ~= true then wrong = wrong + 1 end
          for _ in world:hits() do wrong = wrong + 1 end
        end
      end
      for _ = 1, 200 do getmetatable(newproxy(true)).__gc = finalize end
      collectgarbage("setstepmul", 10000)
      for _ = 1, 12 do
        assert.same({ 0, 0, 4, 4 }, { shape:bounds() })
        assert.is_true(module.contains(shape, shape))
        for _ in world:raycasts(9, 9, 99, 99) do error "no shape is there" end
        collectgarbage("step", 1)
      end
      collectgarbage("setstepmul", 200)
      collectgarbage()
      assert(count >= 200, count)
      assert.equal(0, wrong)
      assert.same({ 2, 2 }, { shape:center() })
    end
  end)

  it("leaves alone what a game has put in its place", function()
    local module = reload()
    local kept, own = module.overlaps, function() return "own" end
    local shape = module.point(0, 0)
    module.overlaps = own
    for _ = 1, 30 do assert.is_true(kept(shape, shape)) end
    assert.equal(own, module.overlaps)
  end)

  it("goes on to the C function while the compiler is off, and takes the method later", function()
    local module = reload()
    local shape = module.point(1, 2)
    local kept = shape.center
    jit.off()
    local ok, message = pcall(function() for _ = 1, 50 do assert.same({ 1, 2 }, { shape:center() }) end end)
    jit.on()
    assert(ok, message)
    assert.equal(kept, shape.center)
    for _ = 1, 1100 do shape:center() end
    assert.not_equal(kept, shape.center)
  end)

  it("makes the method of functions that no script has put there since", function()
    local module = reload()
    local shape, called, kept = module.rectangle(0, 0, 4, 4), {}, {}
    for container, names_in in pairs {
      [_G] = { "type", "select", "setmetatable", "setfenv", "loadstring", "pcall", "rawget", "collectgarbage" },
      [string] = { "gsub", "sub", "format", "rep" }, [ffi] = { "cast" }, [debug] = { "getmetatable" },
    } do
      for _, name in ipairs(names_in) do
        local own = container[name]
        kept[#kept + 1] = function() rawset(container, name, own) end
        rawset(container, name, function(...)
          called[#called + 1] = name
          return own(...)
        end)
      end
    end
    for _ = 1, 30 do shape:center() end
    for _, restore in ipairs(kept) do restore() end
    assert.same({}, called)
    assert.matches("fast%.lua", debug.getinfo(shape.center, "S").source)
  end)
end)

-- ---------------------------------------------------------------- the same as the slow one

local function text_of(value)
  if type(value) == "number" then return ("%.17g"):format(value) end
  if type(value) == "string" then return (value:gsub("^[^:\n]*:%d+: ", "")) end
  return sat.type(value) == "shape" and "shape" or tostring(value)
end

local function texts_of(...)
  local texts = {}
  for i = 1, select("#", ...) do texts[i] = text_of((select(i, ...))) end
  return table.concat(texts, " ")
end

local function state_of(shape)
  return texts_of(shape:rotation(), shape:scaleFactor(), shape:radius(), shape:area(), shape:unpack())
end

-- Park and Miller, Random number generators: good ones are hard to find, 1988.
local seed = 42
local function below(limit)
  seed = seed * 16807 % 2147483647
  return seed % limit
end

local function proxy_like(shape)
  local proxy = newproxy(true)
  local metatable = getmetatable(proxy)
  metatable.__metatable = getmetatable(shape)
  metatable.__index, metatable.__eq = function(_, key) return shape[key] end, function() return true end
  return proxy
end

local box = sat.rectangle(0, 0, 10, 10)

-- What no function here takes for a shape or a number.
local WRONG = {
  ["a userdata of 0 bytes"] = newproxy(),
  ["a userdata that looks like a shape"] = proxy_like(box),
  ["a file"] = io.stdout,
  ["a table that looks like a shape"] = setmetatable({}, { __metatable = "sat.shape", __index = box }),
  ["a pointer to a shape"] = ffi.cast("void *", box),
  ["a null pointer"] = ffi.cast("void *", nil),
  ["an array"] = ffi.new("double[40]"),
  ["a 64-bit integer"] = ffi.new("int64_t", 5),
  ["a boxed double"] = ffi.new("double", 5),
  ["a C type"] = ffi.typeof("double"),
  ["a string of digits"] = "12",
  ["a boolean"] = true,
  ["a function"] = print,
  ["a coroutine"] = coroutine.create(print),
  ["NaN"] = 0 / 0,
  ["infinity"] = 1 / 0,
  ["-infinity"] = -1 / 0,
  ["what is just too large"] = 1.0000000000000002e15,
}
local wrong, wrong_names = { nil }, { "nil" }
for name, value in pairs(WRONG) do wrong[#wrong_names + 1], wrong_names[#wrong_names + 1] = value, name end

local function random_argument(shapes)
  local kind = below(12)
  if kind == 0 then return wrong[below(#wrong_names) + 1] end
  if kind <= 4 then return shapes[below(#shapes) + 1] end
  if kind <= 6 then return below(20) - 10 end
  if kind == 7 then return (below(3) - 1) * 1e15 end
  return below(1000000) / 31250 - 16
end

-- The same shapes twice.
local function make_shapes()
  local shapes = {
    sat.rectangle(0, 0, 10, 10), sat.circle(5, 5, 4), sat.regular(3, -2, 6, 5), sat.capsule(0, 0, 9, 3, 2),
    sat.segment(-3, -3, 8, 1), sat.point(2, 2), sat.ellipse(-6, 1, 8, 3), sat.rectangle(-4, 0, 3, 9, 1):setRadius(1),
    sat.rectangle(-0.0, -0.0, 1, 1), sat.point(-0.0, 0),
  }
  local others = {}
  for i, shape in ipairs(shapes) do others[i] = shape:clone() end
  return shapes, others
end

local function twins(arguments, shapes, others)
  local twin = {}
  for i = 1, 5 do
    twin[i] = arguments[i]
    for k, shape in ipairs(shapes) do
      if rawequal(shape, arguments[i]) then twin[i] = others[k] end
    end
  end
  return twin
end

describe("the fast path", function()
  it("gives the same numbers, errors and changes as the functions that it stands for", function()
    local shapes, others = make_shapes()
    for round = 1, 60000 do
      local name, count, arguments = names[below(#names) + 1], below(6), {}
      for i = 1, count do arguments[i] = random_argument(shapes) end
      if below(8) > 0 then arguments[1] = shapes[below(#shapes) + 1] end
      local twin = twins(arguments, shapes, others)
      local got = texts_of(pcall(fast[name], unpack(arguments, 1, count)))
      local expected = texts_of(pcall(slow[name], unpack(twin, 1, count)))
      if got ~= expected then
        error(("round %d: '%s' gave %s, not %s"):format(round, name, got, expected))
      end
      if round % 500 == 0 then
        for i in ipairs(shapes) do assert.equal(state_of(others[i]), state_of(shapes[i])) end
        shapes, others = make_shapes()
      end
    end
  end)

  for _, name in ipairs(names) do
    it(("says of '%s' where it was called wrongly, as the other does"):format(name), function()
      local function where(functions)
        local _, message = pcall(function() functions[name](box, "here") end)
        return message
      end
      if name == "center" or name == "bounds" or name == "rotation" or name == "data" then box = sat.point(0, 0) end
      assert.equal(where(slow), where(fast))
    end)
  end
end)

-- The gem mill of examples/, with whatever the methods are at the time.
local function mill_fingerprint(module)
  local path, loaded = package.path, {}
  for _, name in ipairs { "sat", "scene", "sat.tiled" } do loaded[name] = package.loaded[name] or false end
  package.path, package.loaded.sat = "examples/mill/?.lua;examples/shared/?.lua;" .. path, module
  package.loaded.scene, package.loaded["sat.tiled"] = nil, nil
  local ok, result = pcall(function()
    local mill, prints = require("scene").new(require "map", 48), {}
    for frame = 1, 240 do
      mill:step()
      prints[frame] = mill:fingerprint()
    end
    return prints
  end)
  for name, value in pairs(loaded) do package.loaded[name] = value or nil end
  package.path = path
  return assert(ok and result, result)
end

describe("a scene with the fast path", function()
  it("is the same to the last bit as without", function()
    local expected = mill_fingerprint(load_plain())
    assert.same(expected, mill_fingerprint(reload()))
    jit.flush()
    assert.same(expected, mill_fingerprint(reload()))
  end)
end)

-- Calls a method with arguments that it takes.
local function call_rightly(name, a, b)
  if name:find "raycast$" then return fast[name](a, -9, -9, 9, 9) end
  if name:find "cast$" then return fast[name](a, 1, 1, b) end
  if name:find "turn$" then return fast[name](a, 1, b) end
  if name == "project" or name == "partAt" then return fast[name](a, 1, 1) end
  return fast[name](a, name:find "^[mrst][^a]" and 0 or b, 1, 1)
end

-- ---------------------------------------------------------------- attacks

-- Runs with other values in a table, and puts the old ones back whatever happens.
local function with(container, values, call)
  local kept = {}
  for key, value in pairs(values) do kept[key], container[key] = container[key], value end
  local ok, message = pcall(call)
  for key in pairs(values) do container[key] = kept[key] end
  assert(ok, message)
end

-- All functions with each wrong value in each place, often enough to be compiled: all they do is raise an error.
local function attack()
  for _, name in ipairs(names) do
    for i = 1, #wrong_names do
      for place = 1, 2 do
        local arguments = { box, box, box }
        arguments[place] = wrong[i]
        local got = texts_of(pcall(fast[name], unpack(arguments, 1, 3)))
        local expected = texts_of(pcall(slow[name], unpack(arguments, 1, 3)))
        if got ~= expected then error(name .. " with " .. wrong_names[i] .. " gave " .. got .. ", not " .. expected) end
      end
    end
  end
end

local function attack_often()
  local before = state_of(box)
  for _ = 1, 80 do attack() end
  assert.equal(before, state_of(box))
end

describe("no script gets past the fast path's checks", function()
  before_each(function() box = sat.rectangle(0, 0, 10, 10):setData("data") end)

  it("with what is no shape or no number", attack_often)

  it("in a coroutine", function() coroutine.wrap(attack_often)() end)

  it("by other functions in the place of those that it uses", function()
    local function say(what) return function() return what end end
    local function lie()
      with(_G, { type = say "number", rawequal = say(true), getmetatable = say "sat.shape", setmetatable = say(nil),
        tonumber = say(1), assert = assert, error = error }, function()
        for _, name in ipairs(names) do
          for i = 1, #wrong_names do
            if pcall(fast[name], wrong[i], wrong[i], wrong[i]) then error(name .. " took " .. wrong_names[i]) end
          end
        end
      end)
    end
    with(debug, { getmetatable = say(debug.getmetatable(box)) }, function()
      with(package.loaded, { ffi = {}, jit = {}, debug = {}, bit = {} }, lie)
    end)
  end)

  it("by way of its environment", function()
    for _, name in ipairs(names) do
      assert.same({}, getfenv(fast[name]), name)
      setfenv(fast[name], { type = function() return "number" end })
    end
    attack()
    for _, name in ipairs(names) do setfenv(fast[name], {}) end
  end)

  it("by another userdata with a shape's metatable, which it cannot make", function()
    assert.has_error(function() newproxy(box) end)
  end)

  it("by the table of the methods, which it cannot reach", function()
    assert.has_error(function() box.move = print end)
    assert.has_error(function() getmetatable(box).__index = {} end)
    assert.has_error(function() setmetatable(box, {}) end)
    assert.is_true(is_fast(box.move))
  end)

  -- The functions of the fast path that the jit library hands to a script while they are compiled.
  local function private_functions()
    local found, seen = {}, {}
    local function note(_, f)
      local source = type(f) == "function" and debug.getinfo(f, "S").source or ""
      if source:find("sat[/\\]fast%.lua") and not seen[f] then
        seen[f] = true
        found[#found + 1] = f
      end
    end
    local world, tree = sat.world(), sat.quadtree(0, 0, 10, 10)
    local a, b = sat.circle(0, 0, 2):setData(1), sat.circle(1, 0, 2)
    world:add(a, b)
    tree:insert(a):insert(b)
    local function call_all()
      for _ = 1, 400 do
        for _, name in ipairs(names) do call_rightly(name, a, b) end
        world:check(a, 1, 0)
        world:move(a, 0, 0)
        for _ in world:collisions() do end
        for _ in world:collisions(a) do end
        for _ in tree:pairs() do end
      end
    end
    call_all() -- so that no function that prepares methods is found: given a count of 1e9, one fills the memory
    jit.off(note)
    jit.flush()
    jit.attach(note, "record")
    call_all()
    jit.attach(note)
    return found
  end

  it("by its private functions", function()
    local functions = private_functions()
    assert(#functions > 30, #functions .. " functions were compiled")
    local world, tree, shape = sat.world(), sat.quadtree(0, 0, 10, 10), sat.circle(0, 0, 2)
    world:add(shape, sat.circle(1, 0, 2))
    tree:insert(shape):insert(1, 0, 0, 1, 1)
    for _ in world:collisions() do end -- the next loop's cursor is one that was idle, whose home is remembered
    for _ in tree:pairs() do end
    local _, cursor = world:collisions()
    local _, tree_cursor = tree:pairs()
    local values = { newproxy(true), newproxy(false), io.stdout, {}, "text", 0, -3, 1e9, 0 / 0, print, world, tree,
      shape, cursor, tree_cursor, false }
    for index, f in ipairs(functions) do
      _, cursor = world:collisions()
      _, tree_cursor = tree:pairs()
      values[14], values[15] = cursor, tree_cursor
      for i = 1, 40 do
        local results = { pcall(f, values[(i * 7 + index) % 16 + 1], values[(i * 5) % 16 + 1],
          values[(i * 3 + index) % 16 + 1], values[i % 16 + 1]) }
        for k = 2, table.maxn(results) do -- what a script could get hold of and empty
          local list = type(results[k]) == "table" and results[k] or {}
          for key in pairs(list) do list[key] = nil end
        end
      end
    end
    collectgarbage()
    collectgarbage()
    for _ = 1, 3 do
      for _ in world:collisions() do end
      for _ in world:collisions(shape) do end
      for _ in tree:pairs() do end
    end
    assert.equal(2, (select(2, world:shapes())))
    assert.equal(2, tree:count())
  end)

  it("by what traces show of themselves", function()
    jit.flush()
    local metatable, shown, seen = debug.getmetatable(box), 0, {}
    local function look(trace)
      local info = util.traceinfo(trace)
      for k = -1, info and -info.nk or 0, -1 do
        local value = util.tracek(trace, k)
        local leads_on = type(value) == "cdata" and not tostring(value):find "^%-?%d+U?LL$" -- just a number
        if leads_on or rawequal(value, metatable) then seen[#seen + 1] = tostring(value) end
        shown = shown + 1
      end
    end
    jit.off(look)
    local a, b = sat.rectangle(0, 0, 4, 4):setData(1), sat.circle(3, 3, 2)
    for _, name in ipairs(names) do
      for _ = 1, 300 do
        call_rightly(name, a, b)
      end
    end
    for trace = 1, 1000 do look(trace) end
    assert(shown > 100)
    assert.same({}, seen)
  end)
end)

-- ---------------------------------------------------------------- loops

-- One step of a loop that is then left.
local function take_one(iterator, state) return iterator(state) end

-- The iterators that loops begin with, and the states of some: of all collisions, of those of one shape, of nothing, of
-- pairs; each both before its loop is over and after.
local function iterators_of(loops)
  local world, tree = sat.world(), sat.quadtree(0, 0, 10, 10)
  local a, b, far = sat.circle(0, 0, 2), sat.circle(1, 0, 2), sat.circle(90, 0, 2)
  world:add(a, b, far)
  tree:insert(a):insert(b)
  for _ in loops.collisions(world) do end -- from here on there are idle cursors
  for _ in loops.pairs(tree) do end
  local all, all_state = loops.collisions(world)
  local one, one_state = loops.collisions(world, a)
  local _, none_state = loops.collisions(world, far)
  local of_pairs, pairs_state = loops.pairs(tree)
  local hits, rays, hits_state, rays_state
  for round = 1, 2 do -- in the first one the cursors are new
    world:check(a, 5, 0)
    hits, hits_state = loops.hits(world)
    rays, rays_state = loops.raycasts(world, -9, 0, 9, 0)
    if round == 1 then
      for _ in hits, hits_state do end
      for _ in rays, rays_state do end
    end
  end
  local iterators = { ["of all"] = all, ["of one"] = one, ["of pairs"] = of_pairs, ["of hits"] = hits,
    ["of rays"] = rays }
  local states = { ["of all"] = all_state, ["of one"] = one_state, ["of none"] = none_state,
    ["of pairs"] = pairs_state, ["of hits"] = hits_state, ["of rays"] = rays_state }
  local _, nodes_state = tree:nodes()
  states["of nodes"] = nodes_state
  states.world, states.tree, states.shape = world, tree, a
  return iterators, states
end

describe("a loop of the fast path", function()
  it("is begun and gone on with by functions of its own", function()
    for name, begin in pairs(fast_loops) do assert.is_true(is_fast(begin), name) end
    for name, iterator in pairs((iterators_of(fast_loops))) do assert.is_true(is_fast(iterator), name) end
    for name, iterator in pairs((iterators_of(slow_loops))) do assert.is_false(is_fast(iterator), name) end
  end)

  it("says of wrong arguments and states what the others say, however often", function()
    local iterators, states = iterators_of(fast_loops)
    local plain_iterators, plain_states = iterators_of(slow_loops)
    for i, name in ipairs(wrong_names) do states[name], plain_states[name] = wrong[i], wrong[i] end
    for _ = 1, 40 do
      for kind, iterator in pairs(iterators) do
        for name, state in pairs(states) do
          local expected = texts_of(pcall(plain_iterators[kind], plain_states[name]))
          assert.equal(expected, texts_of(pcall(iterator, state)), kind .. " with the state " .. name)
        end
        assert.equal(texts_of(pcall(plain_iterators[kind])), texts_of(pcall(iterator)))
      end
      for i, name in ipairs(wrong_names) do
        for begin, call in pairs(fast_loops) do
          for _, list in ipairs { { wrong[i] }, { states.world, wrong[i] }, { wrong[i], states.shape },
            { states.tree, states.shape }, { states["of all"], states.shape } } do
            local is_right = begin == "pairs" and list[1] == states.tree or begin == "hits" and list[1] == states.world
            if not is_right then
              local expected = texts_of(pcall(slow_loops[begin], list[1], list[2]))
              assert.equal(expected, texts_of(pcall(call, list[1], list[2])), begin .. " with " .. name)
            end
          end
        end
      end
    end
    assert.same({ pcall(slow_loops.collisions) }, { pcall(fast_loops.collisions) })
    assert.same({ pcall(slow_loops.pairs) }, { pcall(fast_loops.pairs) })
  end)

  it("tells where it was called wrongly, as the other does", function()
    local world = sat.world()
    for _, arguments in ipairs { { 3, nil }, { world, nil }, { world, 3 } } do
      local function where(loops)
        local _, message = pcall(function() loops.collisions(arguments[1], arguments[2]) end)
        return message
      end
      assert.equal(where(slow_loops), where(fast_loops))
    end
  end)

  -- Two worlds with the same shapes, of which one is gone over by the fast path; what happens inside of the loops is
  -- the same, by chance.
  local function make_twin(loops)
    local twin = { loops = loops, world = sat.world(), shapes = {}, log = {}, number = {} }
    for i = 1, 24 do
      local shape = i % 2 == 0 and sat.circle(i % 6 * 3, i % 5 * 3, 2) or sat.rectangle(i % 6 * 3, i % 5 * 3, 3, 3)
      twin.shapes[i], twin.number[shape] = shape, i
      twin.world:add(shape)
    end
    return twin
  end

  local function act(twin, chance)
    local shape = twin.shapes[chance % 24 + 1]
    local kind = math.floor(chance / 24) % 9
    if kind <= 2 then shape:move(chance % 7 - 3, chance % 5 - 2)
    elseif kind == 3 and twin.world:has(shape) then twin.world:remove(shape)
    elseif kind == 4 and not twin.world:has(shape) then twin.world:add(shape)
    elseif kind == 5 then shape:setEnabled(chance % 2 == 0)
    elseif kind == 6 and chance % 11 == 0 then twin.world:clear()
    elseif kind == 6 and chance % 13 == 0 then twin.world:release()
    elseif kind == 7 then twin.world:update()
    end
  end

  local function go_over(twin, depth, chances)
    local function next_chance()
      chances.at = chances.at + 1
      return chances[chances.at % #chances + 1]
    end
    local function body(a, b, ...)
      twin.log[#twin.log + 1] = twin.number[a] .. " " .. texts_of(twin.number[b] or b, ...)
      act(twin, next_chance())
      if depth < 3 and next_chance() % 4 == 0 then go_over(twin, depth + 1, chances) end
      return next_chance() % 9 == 0
    end
    local function loop()
      local kind = next_chance() % 4
      if kind == 2 then
        local shape, name = twin.shapes[next_chance() % 24 + 1], next_chance() % 2 == 0 and "check" or "move"
        slow_moves[name](twin.world, shape, next_chance() % 13 - 6, next_chance() % 11 - 5, "cross")
        for other, nx, ny, t, x, y, how in twin.loops.hits(twin.world) do
          if body(other, nx, ny, t, x, y, how) then break end
        end
      elseif kind == 3 then
        local x, y = next_chance() % 30 - 6, next_chance() % 30 - 6
        local who = twin.shapes[next_chance() % 30 + 1] -- or nil
        for other, t, nx, ny, px, py in twin.loops.raycasts(twin.world, x, y, 8, 7, who) do
          if body(other, t, nx, ny, px, py) then break end
        end
      elseif kind == 0 then
        for a, b, dx, dy, d in twin.loops.collisions(twin.world) do if body(a, b, dx, dy, d) then break end end
      else
        local subject = twin.shapes[next_chance() % 24 + 1]
        for b, dx, dy, d in twin.loops.collisions(twin.world, subject) do if body(b, dx, dy, d) then break end end
      end
    end
    if next_chance() % 3 == 0 then coroutine.wrap(loop)() else loop() end
    twin.log[#twin.log + 1] = "end"
  end

  it("gives what the others give, whatever happens inside of it", function()
    for round = 1, 400 do
      local chances = {}
      for i = 1, 97 do chances[i] = below(100000) end
      local logs = {}
      for i, loops in ipairs { slow_loops, fast_loops } do
        local twin = make_twin(loops)
        chances.at = 0
        for _ = 1, 6 do
          go_over(twin, 1, chances)
          act(twin, chances[chances.at % #chances + 1])
          for k, shape in ipairs(twin.shapes) do
            if k % 5 == round % 5 and not twin.world:has(shape) then twin.world:add(shape) end
          end
        end
        logs[i] = table.concat(twin.log, "; ")
      end
      if logs[1] ~= logs[2] then error(("round %d: %s\nnot\n%s"):format(round, logs[2], logs[1])) end
    end
  end)

  it("goes over the pairs of a tree as the other does, whatever is removed, and gives false", function()
    local logs = {}
    for k, loops in ipairs { slow_loops, fast_loops } do
      local tree, log = sat.quadtree(0, 0, 10, 10), {}
      for i = 1, 8 do tree:insert(i, i, 0, 2, 2) end
      tree:insert(false, 0, 0, 2, 2)
      for _ = 1, 60 do
        for a, b in loops.pairs(tree) do
          log[#log + 1] = tostring(a) .. tostring(b)
          for x in loops.pairs(tree) do if x == 3 then break end end
          if a == 2 then tree:remove(4) end
        end
        tree:insert(4, 4, 0, 2, 2)
      end
      logs[k] = table.concat(log, " ")
    end
    assert(logs[1]:find "false" and #logs[1] > 1000)
    assert.equal(logs[1], logs[2])
  end)

  it("may be left a million times", function()
    local world, a, b = sat.world(), sat.circle(0, 0, 2), sat.circle(1, 0, 2)
    world:add(a, b)
    for _ in world:collisions(a) do end
    local least, last = math.huge, nil
    for i = 1, 1000000 do
      for other in world:collisions(a) do if other == b then break end end
      if i % 100000 == 0 then
        collectgarbage()
        collectgarbage()
        last = collectgarbage("count")
        if i <= 500000 then least = math.min(least, last) end
      end
    end
    -- In kB. What stays of a loop is at least 16 bytes, 8 MB of 500,000; LuaJIT's own traces and tables come and go.
    assert(last < least + 1000, last - least)
    for other in world:collisions(a) do assert.equal(b, other) end
  end)

  it("is over when its world is released, and its cursor is of use again", function()
    local world, a, b = sat.world(), sat.circle(0, 0, 2), sat.circle(1, 0, 2)
    for _ = 1, 200 do
      world:add(a, b)
      local count = 0
      for _ in world:collisions(a) do
        count = count + 1
        world:release()
        for _ in world:collisions(a) do count = count + 100 end
      end
      assert.equal(1, count)
    end
  end)

  it("is not gone on with by another's cursor: that of a loop over nothing is over for ever", function()
    local world, a, b, far = sat.world(), sat.circle(0, 0, 2), sat.circle(1, 0, 2), sat.circle(90, 0, 2)
    world:add(a, b, far)
    for _ = 1, 200 do
      local iterator, state = world:collisions(far)
      local seen = 0
      for other in world:collisions(a) do
        assert.is_nil((iterator(state)))
        assert.equal(b, other)
        seen = seen + 1
      end
      assert.equal(1, seen)
    end
  end)

  it("finds its world's shapes when finalizers begin, leave and end others", function()
    local world, shapes = sat.world(), {}
    for i = 1, 10 do shapes[i] = sat.circle(i, 0, 1) world:add(shapes[i]) end
    local count = 0
    local function finalize()
      count = count + 1
      for _ in world:collisions(shapes[3]) do end
      take_one(world:collisions(shapes[5]))
    end
    for _ = 1, 60 do
      for _ = 1, 20 do getmetatable(newproxy(true)).__gc = finalize end
      ask_through_a_collection(function()
        local sum = 0
        for i = 1, 10 do
          for other, dx in world:collisions(shapes[i]) do sum = sum + math.abs(dx) + (world:has(other) and 0 or 1e9) end
        end
        assert.equal(18, sum)
      end)
    end
    collectgarbage()
    assert(count >= 1180, count)
  end)

  it("shows nothing in its traces that leads to what it keeps", function()
    jit.flush()
    local world, tree, a, b = sat.world(), sat.quadtree(0, 0, 9, 9), sat.circle(0, 0, 2), sat.circle(1, 0, 2)
    world:add(a, b)
    tree:insert(a):insert(b)
    local cursors = {}
    for _ = 1, 300 do
      for x in world:collisions(a) do cursors[1] = x end
      for x in world:collisions() do cursors[1] = x end
      for x in tree:pairs() do cursors[1] = x end
    end
    local ours = {}
    for _, state in pairs((select(2, iterators_of(fast_loops)))) do ours[debug.getmetatable(state) or false] = true end
    local function is_ours(value)
      return type(value) == "userdata" and ours[debug.getmetatable(value)] or rawequal(value, debug.getmetatable(world))
    end
    local shown, seen = 0, {}
    local function look(trace)
      local info = util.traceinfo(trace)
      for k = -1, info and -info.nk or 0, -1 do
        local value = util.tracek(trace, k)
        shown = shown + 1
        if type(value) == "table" and value ~= _G and value ~= package.loaded and value ~= cursors then
          for key, content in next, value do
            if is_ours(key) or is_ours(content) then seen[#seen + 1] = tostring(key) end
          end
        end
        if is_ours(value) or type(value) == "cdata" and not tostring(value):find "^%-?%d+U?LL$" then
          seen[#seen + 1] = tostring(value)
        end
      end
    end
    jit.off(look)
    for trace = 1, 1000 do look(trace) end
    assert(shown > 100)
    assert.same({}, seen)
  end)
end)

-- ---------------------------------------------------------------- moves

describe("a move of the fast path", function()
  local RESPONSES = { "slide", "touch", "bounce", "cross", "push" }

  -- Two worlds alike: one that the module moves in, and one whose moves take the other path.
  local function make_twin(module)
    local twin = { world = module.world(), shapes = {} }
    for i = 1, 12 do
      local x, y = i * 5 % 37, i * 7 % 31
      local shape = i % 3 == 0 and module.circle(x, y, 3) or module.rectangle(x, y, 5, 4)
      if i % 4 == 0 then shape:setSensor(true) end
      twin.shapes[i] = shape
      if i ~= 12 then twin.world:add(shape) end
    end
    return twin
  end

  local function hits_of(twin)
    local texts, numbers = {}, {}
    for i, shape in ipairs(twin.shapes) do numbers[shape] = i end
    for other, nx, ny, t, x, y, how in twin.world:hits() do
      texts[#texts + 1] = numbers[other] .. " " .. texts_of(nx, ny, t, x, y, how)
    end
    return table.concat(texts, "; ")
  end

  it("is the same as without", function()
    local one, other = make_twin(sat), make_twin(plain)
    for round = 1, 4000 do
      local name = ({ "move", "check", "turn", "checkTurn" })[below(4) + 1]
      local turns = name:lower():find "turn"
      local which, dx, dy = below(12) + 1, below(2001) / 100 - 10, below(2001) / 100 - 10
      local response = below(3) > 0 and RESPONSES[below(5) + 1] or nil
      if below(5) == 0 then dx, dy = 0, dy < 0 and -7 or 7 end
      local first, second = dy, response
      if turns and (response == "bounce" or response == "push") then response = nil end
      if turns then first, second = response, below(2) == 0 and dy or nil end
      local third = turns and second and dx or nil
      local got = texts_of(one.world[name](one.world, one.shapes[which], dx, first, second, third))
      local expected = texts_of(slow_moves[name](other.world, other.shapes[which], dx, first, second, third))
      if got ~= expected then error(("round %d: '%s' gave %s, not %s"):format(round, name, got, expected)) end
      assert.equal(hits_of(other), hits_of(one))
      if below(20) == 0 then
        local removed = below(12) + 1
        one.world:remove(one.shapes[removed])
        other.world:remove(other.shapes[removed])
        assert.equal(hits_of(other), hits_of(one))
        one.world:add(one.shapes[removed])
        other.world:add(other.shapes[removed])
      end
    end
    for i, shape in ipairs(one.shapes) do assert.equal(state_of(other.shapes[i]), state_of(shape)) end
  end)

  it("says of wrong arguments what the other says, and moves nothing", function()
    local twin = make_twin(sat)
    for name in pairs(slow_moves) do
      local right, of_response = { twin.world, twin.shapes[1], 1, 1, "slide" }, 5
      if name:lower():find "turn" then right, of_response = { twin.world, twin.shapes[1], 1, "slide", 1, 1 }, 4 end
      for place = 1, #right do
        for i = 1, #wrong_names do
          local before, arguments = state_of(twin.shapes[1]), { unpack(right) }
          arguments[place] = wrong[i]
          if place ~= of_response or wrong[i] ~= nil and type(wrong[i]) ~= "function" then
            local expected = texts_of(pcall(slow_moves[name], unpack(arguments, 1, #right)))
            local got = texts_of(pcall(twin.world[name], unpack(arguments, 1, #right)))
            assert.equal(expected, got, name .. wrong_names[i])
            assert.equal(before, state_of(twin.shapes[1]))
          end
        end
      end
    end
  end)

  it("refuses the responses that a turn does not have", function()
    local world, shape = sat.world(), sat.circle(0, 0, 1)
    world:add(shape)
    for _, name in ipairs { "turn", "checkTurn" } do
      for _ = 1, 20 do world[name](world, shape, 0.1) end
      for _, response in ipairs { "bounce", "push" } do
        assert.error_matches(function() world[name](world, shape, 0.1, response) end, "response must be")
      end
    end
  end)

  it("is made once, whatever comes in between", function()
    local world, mover, other = sat.world(), sat.rectangle(0, 0, 10, 10), sat.circle(0, 500, 5)
    world:add(mover, other, sat.rectangle(0, 400, 100, 10))
    local count, stray = 0, sat.circle(30, 200, 1)
    local function intrude()
      count = count + 1
      slow_moves.move(world, other, count % 2 == 0 and 1 or -1, 0)
      slow_moves.check(world, stray, 3, 3)
      slow_moves.turn(world, stray, 1)
    end
    jit.off(intrude)
    local function go()
      for i = 1, 200 do
        local angle = i % 2 == 0 and -1 or 1
        local turned, n = world:turn(mover, angle)
        if turned ~= angle or n ~= 0 or mover:rotation() ~= i % 2 then error(texts_of(i, turned, n)) end
      end
      for i = 1, 200 do
        local x, y, n, rx, ry = world:move(mover, i % 2 == 0 and -1 or 1, 0)
        if x ~= (i % 2 == 0 and 5 or 6) or y ~= 5 or n ~= 0 or rx ~= (i % 2 == 0 and -1 or 1) or ry ~= 0 then
          error(texts_of(i, x, y, n, rx, ry))
        end
      end
    end
    debug.sethook(intrude, "", 1)
    local ok, message = pcall(go)
    debug.sethook()
    assert(ok, message)
    for _ = 1, 100 do
      for _ = 1, 20 do getmetatable(newproxy(true)).__gc = intrude end
      ask_through_a_collection(go)
    end
    assert(count > 2000, count)
  end)
end)

-- ---------------------------------------------------------------- questions to worlds and trees

describe("a world or a tree of the fast path", function()
  local function make_twin(questions)
    local twin = { world = sat.world(), tree = sat.quadtree(-50, -50, 100, 100), shapes = {}, numbers = {} }
    twin.questions = questions
    for i = 1, 14 do
      local x, y = i * 5 % 37, i * 7 % 31
      local shape = i % 3 == 0 and sat.circle(x, y, 3) or sat.rectangle(x, y, 5, 4)
      twin.shapes[i], twin.numbers[shape] = shape, i
      if i ~= 12 then
        twin.world:add(shape)
        twin.tree:insert(shape)
      end
    end
    twin.tree:insert("item", 0, 0, 1, 1)
    return twin
  end

  local function random_value(twin)
    local kind = below(14)
    if kind == 0 then return wrong[below(#wrong_names) + 1] end
    if kind <= 4 then return twin.shapes[below(#twin.shapes) + 1] end
    if kind == 5 then return "item" end
    if kind == 6 then return (below(3) - 1) * 1e15 end
    return below(1000000) / 10000 - 50
  end

  -- A list to be filled, which may be longer than what is found, have a hole, or be no plain table.
  local function random_list()
    local list = {}
    for i = 1, below(6) do list[i] = i end
    if below(4) == 0 then list[8], list.name = 8, 9 end
    return below(6) == 0 and setmetatable(list, { __newindex = error }) or list
  end

  local function text_in(twin, ...)
    local texts = {}
    for i = 1, select("#", ...) do
      local value = select(i, ...)
      if type(value) == "table" then
        texts[#texts + 1] = #value
        for k = 1, 9 do
          local element = rawget(value, k)
          texts[#texts + 1] = element == nil and "nil" or twin.numbers[element] or tostring(element)
        end
        value = rawget(value, "name")
      end
      local is_own = rawequal(value, twin.tree) and "tree"
      texts[#texts + 1] = is_own or twin.numbers[value] and "shape " .. twin.numbers[value] or text_of(value)
    end
    return table.concat(texts, " ")
  end

  local function boxes_of(twin)
    local texts = { text_of(twin.tree:get("item")) }
    for i, shape in ipairs(twin.shapes) do
      texts[i + 1] = twin.tree:has(shape) and texts_of(twin.tree:get(shape)) or ""
    end
    return table.concat(texts, "; ")
  end

  it("answers as the other does", function()
    local one, other, list = make_twin(fast_questions), make_twin(slow_questions), {}
    for name in pairs(fast_questions) do
      assert.is_true(is_fast(fast_questions[name]), name)
      assert.is_false(is_fast(slow_questions[name]), name)
      list[#list + 1] = name
    end
    table.sort(list)
    for round = 1, 40000 do
      local kind, name = list[below(#list) + 1]:match("(%a+):(%a+)")
      local start = seed
      local function ask(twin)
        seed = start
        local count = below(8)
        local arguments = { below(8) > 0 and twin[kind] or random_value(twin) }
        for i = 2, count do arguments[i] = random_value(twin) end
        if name == "cast" and below(4) > 0 then
          arguments, count = { twin[kind], twin.shapes[below(14) + 1], below(80) - 40, below(80) - 40 }, 4
        elseif name == "raycast" and below(4) > 0 then
          arguments = { twin[kind], below(80) - 20, below(80) - 20, below(80) - 40, below(80) - 40,
            below(3) > 0 and twin.shapes[below(14) + 1] or below(2) > 0 and 1 or nil }
          count = 5 + below(2)
        elseif name == "visible" and below(6) > 0 then
          arguments, count = { twin[kind], below(60) - 10, below(60) - 10, below(80) + 1 }, 4
          if below(3) == 0 then arguments[4] = sat.rectangle(-10, -10, 55, 55) end
          if below(3) == 0 then arguments[5], count = random_list(), 5 end
          if below(3) == 0 then arguments[6], count = below(2) > 0 and twin.shapes[below(14) + 1] or 1, 6 end
        elseif (name == "at" or name == "query") and below(6) > 0 then
          arguments, count = { twin[kind], below(60) - 10, below(60) - 10 }, 3
          if name == "query" and below(3) == 0 then arguments[2], count = twin.shapes[below(14) + 1], 2
          elseif name == "query" then arguments[4], arguments[5], count = below(30), below(30), 5 end
          if below(3) == 0 then arguments[count + 1], count = random_list(), count + 1 end
          if below(3) == 0 then arguments[count + 1], count = twin.shapes[below(14) + 1], count + 1 end
        elseif name ~= "count" and below(4) > 0 then
          arguments, count = { twin[kind], twin.shapes[below(14) + 1] }, 2
        end
        return text_in(twin, pcall(twin.questions[kind .. ":" .. name], unpack(arguments, 1, count)))
      end
      local got, expected = ask(one), ask(other)
      if got ~= expected then error(("round %d: '%s' gave %s, not %s"):format(round, name, got, expected)) end
      if below(10) == 0 then
        local which, x, y, is_out = below(14) + 1, below(60) - 10, below(60) - 10, below(3) == 0
        for _, twin in ipairs { one, other } do
          local shape = twin.shapes[which]
          shape:moveTo(x, y)
          if is_out then
            twin.world[twin.world:has(shape) and "remove" or "add"](twin.world, shape)
            twin.tree[twin.tree:has(shape) and "remove" or "insert"](twin.tree, shape)
          end
        end
      end
      if round % 500 == 0 then assert.equal(boxes_of(other), boxes_of(one)) end
    end
    jit.flush() -- the traces of wrong calls fill LuaJIT's memory for code, and other tests count theirs
  end)

  it("answers rightly when finalizers move what is asked for to other places", function()
    local world, tree, module = sat.world(), sat.quadtree(0, 0, 100, 100), sat
    local wall, ray, hero = sat.rectangle(50, 0, 10, 10), sat.circle(500, 0, 1), sat.rectangle(0, 0, 10, 10)
    world:add(sat.point(900, 900), wall, hero)
    tree:insert(sat.point(1, 1)):insert(wall):insert(hero)
    local count = 0
    local function finalize()
      count = count + 1
      world:remove(wall)
      world:add(ray)
      world:add(wall)
      world:remove(ray)
      world:raycast(0, 500, 9, 500)
      tree:remove(hero)
      tree:remove(wall)
      tree:insert(hero)
      tree:insert(wall)
      tree:update("none", 0, 0, 1, 1)
    end
    local function guarded() pcall(finalize) end
    local function ask()
      for i = 1, 200 do
        local other, t = world:cast(hero, 80, 0)
        if other ~= wall or t ~= 0.5 then error(texts_of(i, other, t)) end
        local first, way = world:raycast(0, 20, 110, -2)
        if first ~= wall or way >= 1 then error(texts_of(i, first, way)) end
        local list, found = world:at(55, 5)
        if list[1] ~= wall or found ~= 1 then error(texts_of(i, found)) end
        found = select(2, world:query(-9, -9, 80, 80, list))
        if list[1] ~= wall and list[2] ~= wall or #list ~= 2 or found ~= 2 then error(texts_of(i, found)) end
        if world:count() ~= 3 or not world:has(wall) or world:collide(hero) then error("world") end
        local x = i % 5
        tree:update(hero, x, 0, 10, 10)
        tree:update(wall)
        if tree:count() ~= 3 or tree:get(hero) ~= x or tree:get(wall) ~= 50 then error(texts_of(i, tree:get(hero))) end
      end
    end
    for _ = 1, 100 do
      for _ = 1, 50 do getmetatable(newproxy(true)).__gc = guarded end
      ask_through_a_collection(ask)
    end
    collectgarbage()
    assert(count >= 4900 and module == sat, count)
  end)
end)

-- ---------------------------------------------------------------- interruptions

describe("an outline of the fast path", function()
  local function random_list(w, h)
    local list, kind = {}, below(4)
    for i = 1, w * h do
      local number = below(9) / 8
      if kind == 0 then list[i] = number
      elseif kind == 1 then list[i] = number > 0.5
      elseif kind == 2 and number > 0.5 then list[i] = number -- with holes
      elseif kind == 3 and number > 0.5 then list[i] = true
      end
    end
    return list
  end

  local function rings_of(outline, ...)
    local ok, polygons, n = pcall(outline, ...)
    if not ok then return text_of(polygons) end
    local texts = { text_of(n) }
    for _, polygon in ipairs(polygons) do
      for _, ring in ipairs(polygon) do texts[#texts + 1] = texts_of(unpack(ring)) end
    end
    return table.concat(texts, "; ")
  end

  local function assert_same(...) assert.equal(rings_of(plain.outline, ...), rings_of(sat.outline, ...)) end

  outlast(sat.outline)

  it("is the same as without, of lists of numbers and of booleans", function()
    assert.is_true(is_fast(sat.outline))
    for _ = 1, 500 do
      local w, h = below(12) + 1, below(12) + 1
      assert_same(random_list(w, h), w, h, ({ nil, 0.25, 0, -1, 2 })[below(5) + 1])
    end
  end)

  it("says of wrong values and arguments what the other says", function()
    local list = { 1, 2, 3, 4 }
    for _, bad in ipairs { 0 / 0, 1 / 0, -1e300, "1", {}, true, ffi.new("double", 1), print } do
      for place = 1, 4 do
        local values = { 1, 2, 3, 4 }
        values[place] = bad
        assert_same(values, 2, 2)
      end
      assert_same(bad, 2, 2)
      assert_same(list, bad, 2)
      assert_same(list, 2, bad)
      assert_same(list, 2, 2, bad)
      assert_same(list, 2, 2, 0.5, bad)
    end
    for _, side in ipairs { 0, -1, 1.5, 16385, 2 ^ 53 } do
      assert_same(list, side, 2)
      assert_same(list, 2, side)
    end
    assert_same()
    assert_same(list)
    assert_same(list, 2, 2, nil, nil, 5)
  end)

  it("reads what is behind a metatable raw, and a picture by its methods", function()
    assert_same(setmetatable({}, { __index = function() return 1 end }), 2, 2)
    local picture = { getDimensions = function() return 2, 1 end, getPixel = function(_, x) return 0, 0, 0, x end }
    assert_same(picture)
    assert_same(picture, 0.25)
    assert_same({ 1, 1, 1, 1, getDimensions = 5 }, 2, 2)
  end)
end)

describe("whatever comes in between, the fast path", function()
  local a, b, c = sat.rectangle(0, 0, 10, 10), sat.rectangle(9, 3, 10, 10), sat.rectangle(500, 0, 1, 2)
  local intruder, stranger = sat.circle(100, 100, 50), sat.circle(130, 100, 50)
  local world, tree = sat.world(), sat.quadtree(0, 0, 10, 10)
  world:add(a, b, c, intruder, stranger)
  tree:insert(a):insert(b):insert(intruder):insert(stranger)

  -- The loops are those of the Lua API: LuaJIT itself comes to grief when what a hook calls leaves a trace.
  local function intrude()
    for _ in slow_loops.collisions(world) do end
    for _ in slow_loops.collisions(world, intruder) do end
    take_one(slow_loops.collisions(world, stranger))
    for _ in slow_loops.pairs(tree) do end
    intruder:collide(stranger)
    intruder:distance(c)
    stranger:bounds()
    stranger:center()
  end
  jit.off(intrude)

  local function ask_all()
    local sum = 0
    for i = 1, 300 do
      local other = i % 3 == 0 and c or b
      local dx = a:collide(other)
      local x, y, w, h = other:bounds()
      local cx, cy = other:center()
      local d, ax = a:distance(other)
      local far = i % 3 == 0
      if dx ~= (not far and -1 or nil) or x ~= (far and 500 or 9) or y ~= (far and 0 or 3) or w ~= (far and 1 or 10)
        or h ~= (far and 2 or 10) or cx ~= (far and 500.5 or 14) or cy ~= (far and 1 or 8) or d ~= (far and 490 or 0)
        or far and ax ~= 10 then
        error(("in round %d: %s"):format(i, texts_of(dx, x, y, w, h, cx, cy, d, ax)))
      end
      sum = sum + (dx or 0)
    end
    assert.equal(-200, sum)
  end

  local function loop_over_all()
    local sum = 0
    for i = 1, 100 do
      for other, dx, dy, depth in world:collisions(i % 2 == 0 and a or b) do
        sum = sum + depth
        local own = i % 2 == 0 and other == b and dx == -1 or i % 2 == 1 and other == a and dx == 1
        if not own or dy ~= 0 then error(texts_of(i, other, dx, dy, depth)) end
      end
      local seen = ""
      for x, y, dx, _, depth in world:collisions() do
        local first, second = x == a and y == b and dx == -1 and depth == 1, x == intruder and y == stranger
        seen = seen .. (first and "ab" or second and "is" or "wrong")
      end
      for x, y in tree:pairs() do seen = seen .. (x == a and y == b and "AB" or x == intruder and "IS" or "wrong") end
      if seen ~= "abisABIS" and seen ~= "abisISAB" then error(("in round %d: %s"):format(i, seen)) end
    end
    assert.equal(100, sum)
  end

  local function ask_everything()
    ask_all()
    loop_over_all()
  end

  it("answers rightly when a hook asks for something else", function()
    debug.sethook(intrude, "", 1)
    local ok, message = pcall(ask_everything)
    debug.sethook()
    assert(ok, message)
  end)

  it("answers rightly when finalizers ask for something else", function()
    local count = 0
    local function finalize()
      count = count + 1
      intrude()
    end
    for _ = 1, 100 do
      for _ = 1, 100 do getmetatable(newproxy(true)).__gc = finalize end
      ask_through_a_collection(ask_everything)
    end
    collectgarbage()
    assert(count >= 9900, count)
  end)

  it("reads its numbers before another call writes others", function()
    local p, q = sat.point(1, 2), sat.point(10, 20)
    local function cross()
      local sum = 0
      for _ = 1, 200 do
        local px, py = p:center()
        local qx, qy = q:center()
        sum = sum + (qx - px) * 1000 + (qy - py)
        local _, _, _, ah = a:bounds()
        local _, _, _, ch = c:bounds()
        local ax = a:collide(b)
        local bx = b:collide(a)
        local ad = a:distance(c)
        local bd = a:distance(p)
        sum = sum + (bx - ax) + (bd - ad) + (ch - ah)
      end
      return sum
    end
    for _ = 1, 20 do assert.equal(200 * (9018 + 2 - 490 - 8), cross()) end
  end)
end)

-- ---------------------------------------------------------------- compiled, and staying so

-- What the compiler did meanwhile, by event, and the traces that it made; with a function, only what began there.
local function watch(call, where)
  local seen, began = { start = 0, stop = 0, abort = 0, traces = {} }, nil
  local function handler(what, trace, func)
    if what == "start" then began = func end
    if not seen[what] or where and began ~= where then return end
    seen[what] = seen[what] + 1
    if what == "stop" then table.insert(seen.traces, trace) end
  end
  jit.off(handler)
  jit.attach(handler, "trace")
  local ok, message = pcall(call)
  jit.attach(handler)
  assert(ok, message)
  return seen
end

local LOOPS = {
  move = "a:move(1, 0)",
  moveTo = "a:moveTo(i, 0)",
  rotate = "a:rotate(0.1)",
  ["rotate about a pivot"] = "a:rotate(0.1, 3, 4)",
  setRotation = "a:setRotation(i)",
  transform = "a:transform(1, 2, i)",
  ["center, rotation and bounds"] = "sum = sum + a:center() + a:rotation() + a:bounds()",
  ["collide that hits"] = "sum = sum + sat.collide(b, c) + b:collide(c)",
  ["collide that misses"] = "if a:collide(b) then sum = sum + 1 end",
  ["overlaps, contains and distance"] = [[
    if b:overlaps(c) and not b:contains(c) and b:contains(1, 1) then sum = sum + b:distance(a) end]],
  data = "sum = sum + b:data()",
  ["contacts and cast"] = "local _, _, depth = b:contacts(c) sum = sum + depth + b:cast(900, 0, a)",
  ["kind and flags"] = "if c:kind() == 'circle' and a:isEnabled() and not a:isStatic() then sum = sum + c:radius() end",
  ["a step of a game"] = [[
    b:move(0.5, 0):rotate(0.1)
    local dx, dy, depth = b:collide(c)
    if dx then b:move(-0.5, 0) end]],
}

describe("a loop over the fast path is compiled to one trace, and no more afterwards:", function()
  for name, body in pairs(LOOPS) do
    it(name, function()
      local a, b, c = sat.rectangle(500, 0, 9, 9), sat.rectangle(0, 0, 10, 10):setData(3), sat.circle(9, 5, 3)
      local text = "local sat, a, b, c = ... return function(n) local sum = 0 for i = 1, n do " .. body
        .. " end return sum end"
      local loop = assert(loadstring(text))(sat, a, b, c)
      -- Places share their counts, so that it may take long, and be tried from the function's beginning first.
      local seen = watch(function() loop(100000) end, loop)
      assert(seen.abort <= 1, seen.abort)
      assert.equal(1, seen.stop)
      assert.equal("loop", util.traceinfo(seen.traces[1]).linktype)
      local begun = 1
      for _ = 1, 3 do begun = begun > 0 and watch(function() loop(20000) end).start or 0 end
      assert.equal(0, begun)
    end)
  end
end)

describe("an outline of a large list", function()
  it("is read by a loop that is compiled, and by no more traces afterwards", function()
    local module = reload()
    outlast(module.outline)
    for kind = 1, 2 do
      local list, begun, linked = {}, math.huge, {}
      for i = 1, 65536 do list[i] = kind == 1 and i % 7 / 8 or kind == 2 and i % 7 > 3 end
      for round = 1, 110 do
        local seen = watch(function() module.outline(list, 256, 256) end)
        for _, trace in ipairs(seen.traces) do linked[util.traceinfo(trace).linktype] = true end
        if round > 100 then begun = math.min(begun, seen.start) end
      end
      assert.equal(0, begun)
      assert.is_true(linked[kind == 1 and "loop" or "root"])
    end
  end)
end)

describe("a loop that is compiled before it calls its first method", function()
  it("goes on compiled with the method", function()
    for _ = 1, 10 do
      local module = reload()
      local text = [[
        local module, a, b = ...
        return function(n, first)
          local sum = 0
          for i = 1, n do
            if i > first then
              local x, y, w = a:bounds()
              sum = sum + x + w + module.distance(a, b)
            end
          end
          return sum
        end]]
      local loop = assert(loadstring(text))(module, module.rectangle(1, 0, 4, 4), module.rectangle(9, 0, 1, 1))
      -- Places share their counts; the largest that LuaJIT leaves is 60000, of which a round takes 2.
      local seen = watch(function() assert.equal(9 * 5000, loop(45000, 40000)) end, loop)
      assert(seen.stop >= 2, seen.stop)
      for _, trace in ipairs(seen.traces) do
        local link = util.traceinfo(trace).linktype
        assert(link == "loop" or link == "root", link)
      end
    end
  end)
end)

-- Scripts write `local collide = sat.collide` at their head.
describe("a function that a script has kept since before its first call", function()
  it("is compiled along with a loop", function()
    for _ = 1, 10 do
      local module = reload()
      local a, b = module.rectangle(1, 0, 4, 4), module.rectangle(4, 1, 4, 4)
      local text = [[
        local collide, bounds, a, b = ...
        return function(n)
          local sum = 0
          for i = 1, n do sum = sum + collide(a, b) + bounds(a) end
          return sum
        end]]
      local loop = assert(loadstring(text))(module.collide, a.bounds, a, b)
      local seen = watch(function() assert.equal(0, loop(40000)) end, loop)
      assert(seen.stop > 0, "nothing is compiled")
      assert.equal("loop", util.traceinfo(seen.traces[#seen.traces]).linktype)
      local begun = 1
      for _ = 1, 3 do begun = begun > 0 and watch(function() loop(20000) end).start or 0 end
      assert.equal(0, begun)
    end
  end)
end)

describe("an interpreted call of the fast path", function()
  -- In a process of its own, since what else has been compiled, or given up, puts off when something is.
  it("runs what has been compiled, once it has been called often", function()
    local interpreter, i = nil, 0
    while arg and arg[i - 1] do
      i = i - 1
      interpreter = arg[i]
    end
    if not interpreter then return pending("no interpreter is known") end
    local script = os.tmpname()
    local file = assert(io.open(script, "w"))
    file:write(("package.path, package.cpath = %q, %q\n"):format(package.path, package.cpath), [[
      local sat = require "sat"
      local a, b = sat.rectangle(0, 0, 4, 4), sat.circle(3, 3, 2)
      b:data()
      local function call_all()
        for i = 1, 600 do
          b:move(0, 0):moveTo(3, 3):rotate(1):rotate(1, 3, 3):setRotation(1):setRotation(0, 1, 1):transform(3, 3, 0)
          if i % 3 == 0 then b:moveTo(9, 9) end
          a:overlaps(b) a:collide(b) a:distance(b) a:contains(b) a:contains(i % 8, 1)
          sat.overlaps(a, b) sat.collide(a, b) sat.distance(a, b) sat.contains(a, b)
          b:rotation() b:center() b:bounds() b:data()
        end
      end
      jit.off(call_all)
      local begun = {}
      jit.attach(function(what) if what == "start" then begun[#begun] = begun[#begun] + 1 end end, "trace")
      for round = 1, 4 do -- counters of LuaJIT, which calls share by their addresses, may begin a last trace late
        begun[round] = 0
        call_all()
      end
      print(begun[1] > 10, begun[4])
    ]])
    file:close()
    local output = assert(io.popen(interpreter .. " " .. script))
    local printed = output:read("*l")
    output:close()
    os.remove(script)
    assert.equal("true\t0", printed)
  end)

  local function see() return true end

  it("leaves no garbage with the compiler off and nothing compiled either", function()
    local a, b, c = sat.rectangle(500, 0, 9, 9), sat.rectangle(0, 0, 10, 10):setData(3), sat.circle(9, 5, 3)
    local world, tree = sat.world(), sat.quadtree(0, 0, 9, 9):insert(b):insert(c)
    world:add(a, b, c)
    jit.off()
    jit.flush()
    collectgarbage()
    collectgarbage("stop")
    local before
    for round = 1, 20 do
      if round == 10 then before = collectgarbage("count") end
      a:move(1, 1):moveTo(400, 1):rotate(1):rotate(1, 2, 3):setRotation(1):setRotation(1, 2, 3):transform(400, 2, 3)
      b:data()
      b:collide(c)
      b:collide(a)
      b:distance(a)
      b:bounds()
      b:center()
      b:rotation()
      b:contains(c)
      b:contains(1, 2)
      sat.overlaps(b, c)
      for _ in world:collisions() do see() end
      for _ in world:collisions(b) do see() end
      for _ in world:collisions(a) do see() end
      for _ in tree:pairs() do see() end
      b:raycast(-9, 5, 40, 5)
      b:boundingCircle()
      b:contacts(c)
      world:cast(c, 900, 0)
      world:raycast(-9, 5, 900, 5, b)
      world:collide(b)
      world:has(c)
      world:move(a, 1, 1)
      tree:update(c):update(b, 0, 0, round, 1)
    end
    local garbage = collectgarbage("count") - before
    collectgarbage("restart")
    jit.on()
    assert.equal(0, garbage)
  end)
end)

describe("data of the fast path", function()
  it("is that of the shape, whoever has set it and when", function()
    local s = sat.point(0, 0)
    for i = 1, 300 do
      assert.is_nil(sat.point(i, i):data())
      assert.equal(s, s:setData(i))
      assert.equal(i, s:data())
      assert.equal(i, s:clone():data())
      assert.equal(i, slow.data(s))
    end
    assert.is_nil(s:setData(nil):data())
  end)

  it("keeps neither the shape nor the data alive, nor in a circle", function()
    local seen = setmetatable({}, { __mode = "k" })
    for _ = 1, 200 do
      local s = sat.point(0, 0)
      seen[s:setData({ s }):data()] = true
      seen[s] = true
    end
    collectgarbage()
    collectgarbage()
    local left = 0
    for _ in pairs(seen) do left = left + 1 end
    assert(left < 5, left)
  end)
end)
