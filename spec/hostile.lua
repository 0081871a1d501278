-- Random programs of a hostile script: every function of the module and every method, with arguments that are rarely
-- right. Callbacks, finalizers and metamethods raise errors, yield, collect garbage and make calls in the middle of a
-- call. Only a Lua error that says what was wrong, or an answer, may come of it.
local support = require "spec.support"

local hostile = {}

local unpack = table.unpack or rawget(_G, "unpack")

local NUMBERS = { 0, 1, 2, 3, 5, 10, -1, -10, 0.5, 1e-9, 1e-120, 5e-324, 1e6, 1e15, -1e15, 1.1e15, 2 ^ 31, 2 ^ 32 - 1,
  2 ^ 53, -2 ^ 63, 1e300, 1 / 0, -1 / 0, 0 / 0, math.pi }
local TEXTS = { "", "12", "line", "fill", "sat.shape", "\0", ("x"):rep(300) }

-- What a call may raise: every message says which argument it is about, or that there is no memory.
local KNOWN = { "^bad argument #%d+ to '%w+' %(.+%)$", "^calling '%w+' on bad self %(.+%)$", "^not enough memory$",
  "^the iterator of '%w+' needs the state that came with it$", "^'unpack' gives at most 200 vertices",
  "^a compound has no vertices", "^so be it$", "^attempt to yield", "^the response function must return",
  "cannot change until the function that .+ asks has returned$" }

local function is_known(message)
  if type(message) ~= "string" then return false end
  message = message:gsub("^[^:\n]*:%d+: ", "")
  for _, pattern in ipairs(KNOWN) do
    if message:find(pattern) then return true end
  end
  return false
end

local function functions_of(sat)
  local list = {}
  local function add(owner, container)
    for _, name in ipairs(support.sorted(container)) do
      if type(container[name]) == "function" and name ~= "draw" then
        list[#list + 1] = { name = owner .. "." .. name, key = name, owner = owner, f = container[name] }
      end
    end
  end
  add("sat", sat)
  add("shape", debug.getmetatable(sat.point(0, 0)).__index)
  add("quadtree", debug.getmetatable(sat.quadtree(0, 0, 1, 1)).__index)
  add("world", debug.getmetatable(sat.world()).__index)
  return list
end

-- Everything that a program has got so far, of each kind a few.
local function make_pools(sat, random)
  local pools = { shape = {}, world = {}, quadtree = {}, state = {}, saved = {} }
  local function keep(kind, value) pools[kind][random(1, 12)] = value end
  for i = 1, 12 do
    pools.shape[i] = sat.rectangle(i * 3, i % 4, 5, 5)
    pools.world[i], pools.quadtree[i], pools.state[i] = sat.world(), sat.quadtree(0, 0, 50, 50), false
    pools.saved[i] = sat.world():add(sat.circle(i, 0, 3)):save()
  end
  return pools, keep
end

-- A function that does what the call in which it is called does not expect.
local function make_callback(random, pools)
  local kind = random(1, 10)
  return function()
    if kind == 1 then error("so be it", 0) end
    if kind == 2 then coroutine.yield() end
    if kind == 3 then collectgarbage() end
    if kind > 6 then pools.act() end
    return ({ true, false, 1, "slide", "push", "nonsense", 0 / 0, pools.shape[1] })[random(1, 9)]
  end
end

-- Gives a list metamethods that act, now and then.
local function set_trap(random, pools, list)
  if random(1, 8) > 1 then return list end
  local f = make_callback(random, pools)
  return setmetatable(list, { __index = f, __newindex = f, __len = f, __gc = pools.act, __call = f })
end

local function make_list(random, pools)
  local kind = random(1, 7)
  if kind == 1 then
    local exponents = { 20, 24, support.FORGED }
    return support.forged(exponents[random(1, 3)], random(1, 2) == 1 and pools.shape[1] or 1)
  end
  local list = {}
  for i = 1, random(0, 40) do
    if kind == 2 then list[i] = NUMBERS[random(1, #NUMBERS)]
    elseif kind == 3 then list[i] = pools.shape[random(1, 12)]
    elseif kind == 4 then list[random(1, 60)] = random(-20, 20)
    else list[i] = random(-30, 30) end
  end
  return set_trap(random, pools, list)
end

local function make_value(random, pools)
  local kind = random(1, 21)
  if kind <= 5 then return random(-40, 40) end
  if kind <= 7 then return NUMBERS[random(1, #NUMBERS)] end
  if kind <= 11 then return pools.shape[random(1, 12)] end
  if kind == 12 then return pools.world[random(1, 12)] end
  if kind == 13 then return pools.quadtree[random(1, 12)] end
  if kind == 14 then return pools.state[random(1, 12)] end
  if kind <= 16 then return make_list(random, pools) end
  if kind == 17 then return pools.saved[random(1, 12)] end
  if kind == 18 then return TEXTS[random(1, #TEXTS)] end
  if kind == 19 then return support.finalized(pools.act) end
  if kind == 20 then return ({ true, false, tostring, io.stdout, make_callback(random, pools) })[random(1, 5)] end
  return nil
end

-- What functions take where it is not just numbers, a letter for each argument: see GOOD.
local SIGNATURES = {
  ["sat.cast"] = "snns", ["sat.chain"] = "vb", ["sat.compound"] = "c", ["sat.raycast"] = "snnnn",
  ["sat.circle"] = "nna",
  ["sat.contains"] = "ss", ["sat.collide"] = "ss", ["sat.contacts"] = "ss", ["sat.distance"] = "ss",
  ["sat.axis"] = "ss", ["shape.axis"] = "s", ["shape.stretch"] = "aa",
  ["sat.overlaps"] = "ss", ["sat.ellipse"] = "nnaaw", ["sat.regular"] = "nnawn", ["sat.rectangle"] = "nnaan",
  ["sat.quadtree"] = "nnaa", ["sat.capsule"] = "nnnna", ["sat.hull"] = "v", ["sat.validate"] = "v",
  ["sat.world"] = "", ["sat.type"] = "i", ["sat.sector"] = "nnanna", ["sat.ring"] = "nnaaw",
  ["shape.cast"] = "nns", ["shape.collide"] = "s", ["shape.contacts"] = "s", ["shape.distance"] = "s",
  ["shape.overlaps"] = "s", ["shape.contains"] = "s", ["shape.setEnabled"] = "b", ["shape.setSensor"] = "b",
  ["shape.setStatic"] = "b", ["shape.setData"] = "i", ["shape.scale"] = "a", ["shape.setRadius"] = "a",
  ["shape.setFilter"] = "ww", ["shape.vertices"] = "o", ["shape.flip"] = "b",
  ["quadtree.build"] = "cv", ["quadtree.insert"] = "innaa", ["quadtree.update"] = "innaa",
  ["quadtree.neighbors"] = "io",
  ["quadtree.retrieve"] = "nnaao", ["quadtree.remove"] = "i", ["quadtree.has"] = "i", ["quadtree.get"] = "i",
  ["quadtree.nearestAll"] = "nnwo", ["quadtree.raycastAll"] = "nnnno",
  ["world.add"] = "s", ["world.remove"] = "s", ["world.has"] = "s", ["world.collisions"] = "s", ["world.cast"] = "snn",
  ["world.query"] = "nnaaoh", ["world.at"] = "nnoh", ["world.shapes"] = "o", ["world.nearestAll"] = "nnwoh",
  ["world.raycastAll"] = "nnnnoh", ["world.raycast"] = "nnnnh", ["world.raycasts"] = "nnnnh",
  ["world.nearest"] = "nnah", ["world.visible"] = "nnaoh", ["world.collide"] = "s",
  ["world.move"] = "snnr", ["world.check"] = "snnr", ["world.turn"] = "sn", ["world.checkTurn"] = "sn",
  ["sat.turn"] = "sns", ["shape.turn"] = "ns", ["sat.parts"] = "ss", ["shape.part"] = "i",
  ["sat.union"] = "vv", ["sat.intersection"] = "vv", ["sat.difference"] = "vv", ["sat.exclusion"] = "vv",
  ["sat.repair"] = "v", ["sat.simplify"] = "va", ["sat.outline"] = "faa",
  ["world.separate"] = "w", ["world.load"] = "t", ["world.svg"] = "",
}

local function make_numbers(random, count)
  local list = {}
  for i = 1, count do list[i] = random(0, 40) end
  return list
end

local GOOD = {
  n = function(random) return random(-40, 40) end,
  a = function(random) return random(1, 20) end,
  w = function(random) return random(1, 9) end,
  s = function(random, pools) return pools.shape[random(1, 12)] end,
  b = function(random) return random(0, 1) == 1 end,
  i = function(random) return random(1, 9) end,
  v = function(random) return make_numbers(random, 4 * random(1, 8)) end,
  c = function(random, pools) return { pools.shape[random(1, 6)], pools.shape[random(7, 12)] } end,
  o = make_list,
  h = function(random, pools)
    local kind, shape = random(1, 5), pools.shape[random(1, 12)]
    if kind < 4 then return ({ shape, random(0, 9), nil })[kind] end
    return set_trap(random, pools, { accept = random(1, 2) == 1 and make_callback(random, pools) or nil,
      except = ({ shape, make_list(random, pools) })[random(1, 3)], as = kind == 5 and shape or nil })
  end,
  r = function(random, pools)
    return ({ "slide", "touch", "bounce", "push", "cross", make_callback(random, pools) })[random(1, 6)]
  end,
  f = function(random, pools)
    return random(1, 2) == 1 and make_callback(random, pools) or function() return random(1, 2) == 1 end
  end,
  t = function(random, pools) return pools.saved[random(1, 12)] end,
}

-- Counts that are allowed and large cost time and no more.
local MANY = { regular = true, ellipse = true, sector = true, ring = true }
local function is_slow(key, value)
  return MANY[key] and type(value) == "number" and value > 1000 and value <= 1e6
end

local function make_arguments(random, pools, item)
  local signature = SIGNATURES[item.name] or ("n"):rep(random(0, 7))
  local arguments, first = {}, item.owner ~= "sat" and 1 or 0
  local count = first + (random(1, 10) == 1 and random(0, 8) or #signature)
  if first == 1 then arguments[1] = pools[item.owner][random(1, 12)] end
  for i = first + 1, count do
    local kind = signature:sub(i - first, i - first)
    local good = random(1, 8) > 1 and GOOD[kind]
    arguments[i] = (good or make_value)(random, pools)
    if is_slow(item.key, arguments[i]) then arguments[i] = 1000 end
  end
  if random(1, 20) == 1 then arguments[1] = make_value(random, pools) end
  return arguments, count
end

-- Goes on with a loop for a while, and perhaps leaves it in a coroutine.
local function go_through(random, iterator, state)
  local steps = random(0, 6)
  local function go()
    local control
    for i = 1, steps do
      control = iterator(state, control)
      if control == nil then return end
      if i == 3 then coroutine.yield() end
    end
  end
  local thread = coroutine.create(go)
  local ok, message = coroutine.resume(thread)
  local goes_on = ok and random(1, 2) == 1 and coroutine.status(thread) == "suspended"
  if goes_on then ok, message = coroutine.resume(thread) end
  assert(ok or is_known(message), message)
end

local function check_world(world)
  local ok, count = pcall(world.count, world)
  if not ok then return end
  local list, n = world:shapes()
  assert(n == count and #list == n, "a world has " .. count .. " shapes, but lists " .. n)
  for _, shape in ipairs(list) do assert(shape:world() == world and world:has(shape), "a shape that is elsewhere") end
end

local function check_tree(tree)
  local ok, count = pcall(tree.count, tree)
  if not ok then return end
  local _, n = tree:retrieve(-1e15, -1e15, 1e15, 1e15)
  assert(n <= count, "a quadtree has " .. count .. " items, but finds " .. n)
end

-- The names of all functions that programs call.
function hostile.names(sat)
  local names = {}
  for i, item in ipairs(functions_of(sat)) do names[i] = item.name end
  return names
end

-- Runs a program of so many calls. `note`, if given, is told of each call before it is made, `heed` of each that raised
-- no error.
function hostile.run(sat, seed, calls, note, heed)
  local random = support.generator(seed)
  local functions, pools, keep = functions_of(sat), make_pools(sat, random)
  local world_metatable, depth, fault = debug.getmetatable(sat.world()), 0, nil
  -- What callbacks, finalizers and metamethods do: a few calls, in which others may act.
  function pools.act()
    if depth > 2 then return end
    depth = depth + 1
    for _ = 1, random(1, 2) do
      local item = functions[random(1, #functions)]
      local arguments, count = make_arguments(random, pools, item)
      local ok, first = pcall(item.f, unpack(arguments, 1, count))
      if not ok and not is_known(first) then fault = item.name .. ", in the middle of a call: " .. tostring(first) end
    end
    depth = depth - 1
  end
  for call = 1, calls do
    local item = functions[random(1, #functions)]
    local arguments, count = make_arguments(random, pools, item)
    if note then note(call, item.name) end
    local thread = coroutine.create(function(...) return item.f(...) end)
    local ok, first, second, third = coroutine.resume(thread, unpack(arguments, 1, count))
    depth = 0
    if ok and heed then heed(item.name) end
    fault = fault or not ok and not is_known(first) and tostring(first)
    assert(not fault, ("call %d, %s: %s"):format(call, item.name, tostring(fault)))
    local kind = ok and sat.type(first ~= nil and first or false)
    if kind and first ~= arguments[1] then keep(kind, first) end
    if ok and type(first) == "string" and #first > 20 then keep("saved", first) end
    if ok and type(first) == "function" and third == nil and second ~= nil then
      keep("state", second)
      go_through(random, first, second)
    end
    if call % 40 == 0 then
      check_world(pools.world[random(1, 12)])
      check_tree(pools.quadtree[random(1, 12)])
    end
    if random(1, 100) == 1 then collectgarbage(random(1, 4) == 1 and "collect" or "step") end
  end
  for i = 1, 12 do
    check_world(pools.world[i])
    check_tree(pools.quadtree[i])
  end
  assert(world_metatable.__metatable == "sat.world")
end

return hostile
