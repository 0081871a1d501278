-- Every bad argument of every function, and what is said about it: the same words on every Lua, the argument counted as
-- it was written, and nothing changed.
local sat = require "sat"
local support = require "spec.support"

local sorted, unpack = support.sorted, table.unpack or unpack
local NAN, HUGE = 0 / 0, 1 / 0

-- The error of a call, without the place in the source.
local function message_of(f, ...)
  local ok, message = pcall(f, ...)
  assert(not ok, "it raised nothing")
  return (tostring(message):gsub("^[^:\n]*:%d+: ", ""))
end

-- The error of a method whose self is wrong: `noun` is what self must be, and `what` what it is.
local function bad_self(name, noun, what)
  return ("calling '%s' on bad self (it must be a %s, %s; a method is called with a colon, %s:%s())")
    :format(name, noun, what, noun, name)
end

local function state_of(shape)
  return { tostring(shape), shape:rotation(), shape:scaleFactor(), shape:radius(), shape:data(), shape:isSensor(),
    shape:isStatic(), shape:isEnabled(), { shape:filter() }, { shape:unpack() } }
end

-- A parameter: its name, a good value, its kind, and whether it may be left out.
local function number(name, good) return { name = name, good = good, kind = "number" } end
local function size(name, good) return { name = name, good = good, kind = "size" } end
local function radius(name, good) return { name = name, good = good, kind = "radius" } end
local function whole(name, good, low, high)
  return { name = name, good = good, kind = "whole", low = low, high = high,
    range = ("must be a whole number from %.0f to %.0f"):format(low, high) }
end
local function who()
  return { name = "who", good = 1, kind = "whole", low = 0, high = 4294967295, optional = true,
    text = "shape, a mask or a table", range = "must be a whole number from 0 to 4294967295" }
end
local function boolean(name) return { name = name, good = true, kind = "boolean" } end
local function shape(name) return { name = name, good = sat.circle(1, 2, 3), kind = "shape" } end
local function number_or_shape(name, good)
  return { name = name, good = good, kind = "size", text = "number or a shape" }
end
local function shape_or_list(name)
  local parameter = shape(name)
  parameter.is_list = true
  return parameter
end
local function side(name, good) return { name = name, good = good, kind = "side" } end
local function limit() return { name = "limit", good = 3, kind = "side", optional = true, is_endless = true } end
local function item(name, good) return { name = name, good = good, kind = "item" } end
local function list(name) return { name = name, good = {}, kind = "table", optional = true } end
local function optional(parameter)
  parameter.optional = true
  return parameter
end

local FUNCTIONS = {
  rectangle = { number("x", 1), number("y", 2), size("w", 3), size("h", 4), optional(number("angle", 1)) },
  regular = { number("x", 1), number("y", 2), size("radius", 3), whole("n", 5, 3, 1000000),
    optional(number("angle", 1)) },
  circle = { number("x", 1), number("y", 2), radius("radius", 3) },
  ellipse = { number("x", 1), number("y", 2), size("rx", 3), size("ry", 3),
    optional(whole("segments", 8, 3, 1000000)) },
  sector = { number("x", 1), number("y", 2), size("radius", 3), number("from", 0), number("to", 1),
    optional(radius("inner", 1)), optional(whole("segments", 8, 3, 1000000)) },
  ring = { number("x", 1), number("y", 2), size("inner", 1), size("outer", 2),
    optional(whole("segments", 8, 3, 1000000)) },
  capsule = { number("x1", 1), number("y1", 2), number("x2", 3), number("y2", 4), radius("radius", 5) },
  segment = { number("x1", 1), number("y1", 2), number("x2", 3), number("y2", 4) },
  point = { number("x", 1), number("y", 2) },
  world = { list("options") },
  quadtree = { number("x", 1), number("y", 2), size("w", 3), size("h", 4), list("options") },
  overlaps = { shape("a"), shape("b") },
  collide = { shape("a"), shape("b") },
  contacts = { shape("a"), shape("b") },
  distance = { shape("a"), shape("b") },
  axis = { shape("a"), shape("b") },
  contains = { shape("a"), shape("b") },
  cast = { shape("a"), number("dx", 1), number("dy", 2), shape("b") },
  parts = { shape("a"), shape("b") },
  turn = { shape("a"), number("angle", 1), shape("b"), optional(number("px", 1)), optional(number("py", 1)) },
  raycast = { shape("s"), number("x1", 1), number("y1", 2), number("x2", 3), number("y2", 4) },
}

local METHODS = {
  move = { number("dx", 1), number("dy", 2) },
  moveTo = { number("x", 1), number("y", 2) },
  rotate = { number("angle", 1), optional(number("px", 1)), optional(number("py", 1)) },
  setRotation = { number("angle", 1), optional(number("px", 1)), optional(number("py", 1)) },
  scale = { size("factor", 2), optional(number("px", 1)), optional(number("py", 1)) },
  flip = { optional(boolean("vertical")) },
  stretch = { size("sx", 2), size("sy", 3) },
  transform = { number("x", 1), number("y", 2), number("angle", 3) },
  setRadius = { radius("radius", 1) },
  support = { number("dx", 1), number("dy", 2) },
  project = { number("dx", 1), number("dy", 2) },
  vertices = { list("out") },
  setFilter = { whole("category", 1, 0, 4294967295), whole("mask", 1, 0, 4294967295),
    optional(whole("group", 0, -2147483648, 2147483647)) },
  setSensor = { boolean("sensor") },
  setStatic = { boolean("static") },
  setEnabled = { boolean("enabled") },
  overlaps = { shape("b") },
  collide = { shape("b") },
  contacts = { shape("b") },
  distance = { shape("b") },
  axis = { shape("b") },
  cast = { number("dx", 1), number("dy", 2), shape("b") },
  turn = { number("angle", 1), shape("b"), optional(number("px", 1)), optional(number("py", 1)) },
  raycast = { number("x1", 1), number("y1", 2), number("x2", 3), number("y2", 4) },
  part = { whole("k", 1, 1, 1) },
  partAt = { number("x", 1), number("y", 2) },
  parts = {},
  rotation = {}, scaleFactor = {}, radius = {}, center = {}, bounds = {}, boundingCircle = {}, area = {}, unpack = {},
  kind = {}, isConvex = {}, pieces = {}, clone = {}, data = {}, filter = {}, isSensor = {}, isStatic = {},
  isEnabled = {}, world = {},
}

-- Of a quadtree that has the item "old". Where a shape may stand for a box, that is said.
local function box_or_shape()
  local x = number("x", 1)
  x.text = "number or a shape"
  return x, number("y", 2), side("w", 3), side("h", 4), list("out")
end

local TREE_METHODS = {
  insert = { item("item", "new"), number("x", 1), number("y", 2), side("w", 3), side("h", 4) },
  update = { item("item", "old"), number("x", 1), number("y", 2), side("w", 3), side("h", 4) },
  remove = { item("item", "new") },
  has = { item("item", "old") },
  get = { item("item", "old") },
  retrieve = { box_or_shape() },
  neighbors = { item("item", "old"), list("out") },
  raycast = { number("x1", 1), number("y1", 2), number("x2", 3), number("y2", 4) },
  raycastAll = { number("x1", 1), number("y1", 2), number("x2", 3), number("y2", 4), list("out") },
  nearest = { number("x", 1), number("y", 2), limit() },
  nearestAll = { number("x", 1), number("y", 2), whole("k", 5, 0, 4294967295), list("out"), limit() },
  build = { { name = "items", good = {}, kind = "table" }, { name = "boxes", good = {}, kind = "table" } },
  clear = {}, count = {}, pairs = {}, nodes = {},
}

-- Of a world that has the shape "member".
local member = sat.circle(1, 2, 3)
local function of_world() return { name = "shape", good = member, kind = "shape" } end

local WORLD_METHODS = {
  add = { shape_or_list("shape") },
  remove = { of_world() },
  has = { of_world() },
  collisions = { optional(of_world()) },
  separate = { optional(whole("iterations", 2, 1, 1000)) },
  cast = { of_world(), number("dx", 1), number("dy", 2), who() },
  raycast = { number("x1", 1), number("y1", 2), number("x2", 3), number("y2", 4), who() },
  raycastAll = { number("x1", 1), number("y1", 2), number("x2", 3), number("y2", 4), list("out"), who() },
  raycasts = { number("x1", 1), number("y1", 2), number("x2", 3), number("y2", 4), who() },
  at = { number("x", 1), number("y", 2), list("out"), who() },
  query = { box_or_shape() },
  nearest = { number("x", 1), number("y", 2), limit(), who() },
  nearestAll = { number("x", 1), number("y", 2), whole("k", 5, 0, 4294967295), list("out"), who(), limit() },
  visible = { number("x", 1), number("y", 2), number_or_shape("area", 3), list("out"), who() },
  shapes = { list("out") },
  clear = {}, release = {}, count = {}, update = {}, began = {}, touching = {}, ended = {}, nodes = {},
}

-- What may be wrong with a value of a kind: the value, what is said after the parameter's name, and a label.
local function faults_of(parameter)
  local faults = {}
  local function add(value, reason, label) faults[#faults + 1] = { value = value, reason = reason, label = label } end
  local wanted = parameter.kind
  if wanted == "item" then
    add(nil, "is nil", "nil")
    add(NAN, "is NaN", "NaN")
    return faults
  end
  local is_number = wanted ~= "boolean" and wanted ~= "shape" and wanted ~= "table"
  if is_number then wanted = "number" end
  for _, value in ipairs { "12", true, {}, print, io.stdout, coroutine.create(function() end), 12, sat.point(0, 0) } do
    local is_shape = sat.type(value) == "shape"
    local is_right = type(value) == wanted or type(value) == "table" and (parameter.is_list or parameter.name == "who")
      or is_shape and (wanted == "shape" or parameter.text)
    if not is_right then
      local kind = is_shape and "shape" or type(value)
      add(value, ("must be a %s, not a %s"):format(parameter.text or wanted, kind), "a " .. kind)
    end
  end
  if not parameter.optional then add(nil, ("must be a %s, not nil"):format(parameter.text or wanted), "nil") end
  if is_number then
    add(NAN, "is NaN", "NaN")
    if not parameter.is_endless then add(HUGE, "is infinite", "infinity") end
    add(-HUGE, "is infinite", "-infinity")
    add(1.1e15, "is beyond 1e15", "1.1e15")
    add(-1.1e15, "is beyond 1e15", "-1.1e15")
  end
  if parameter.kind == "size" then
    add(0, "must be above 0", "0")
    add(-1, "must be above 0", "-1")
  elseif parameter.kind == "side" then
    add(-1, "must not be negative", "-1")
    add(-5e-324, "must not be negative", "-5e-324")
  elseif parameter.kind == "radius" then
    add(-1, "must not be negative", "-1")
    add(-1e-300, "must not be negative", "-1e-300")
    add(1e-300, "must be 0 or at least 1e-100", "1e-300")
  elseif parameter.kind == "whole" then
    add(parameter.good + 0.5, parameter.range, "a fraction")
    add(parameter.low - 1, parameter.range, "one too small")
    add(parameter.high + 1, parameter.range, "one too large")
  end
  return faults
end

-- Only an item may be anything, so that no type is named.
local function missing_reason(parameter)
  if parameter.kind == "item" then return "is missing" end
  local is_other = parameter.kind == "boolean" or parameter.kind == "shape" or parameter.kind == "table"
  return ("must be a %s, but is missing"):format(parameter.text or is_other and parameter.kind or "number")
end

local function good_values(parameters)
  local values = {}
  for i, parameter in ipairs(parameters) do values[i] = parameter.good end
  return values
end

-- Checks every fault of every parameter. `call` takes the arguments and their number.
local function check_all(name, parameters, call)
  local n = #parameters
  for i, parameter in ipairs(parameters) do
    for _, fault in ipairs(faults_of(parameter)) do
      it(("says of '%s' that %s is %s"):format(name, parameter.name, fault.label), function()
        local values = good_values(parameters)
        values[i] = fault.value
        local expected = ("bad argument #%d to '%s' (%s %s)"):format(i, name, parameter.name, fault.reason)
        assert.equal(expected, message_of(call, values, n))
      end)
    end
    if not parameter.optional then
      it(("says of '%s' that %s is missing"):format(name, parameter.name), function()
        local expected = ("bad argument #%d to '%s' (%s %s)"):format(i, name, parameter.name, missing_reason(parameter))
        assert.equal(expected, message_of(call, good_values(parameters), i - 1))
      end)
    end
  end
end

describe("a function of sat", function()
  for _, name in ipairs(sorted(FUNCTIONS)) do
    check_all(name, FUNCTIONS[name], function(values, n) sat[name](unpack(values, 1, n)) end)
  end
end)

describe("a method", function()
  for _, name in ipairs(sorted(METHODS)) do
    local subject = sat.rectangle(0, 0, 4, 2):setData("kept")
    check_all(name, METHODS[name], function(values, n)
      local before = state_of(subject)
      local ok, message = pcall(subject[name], subject, unpack(values, 1, n))
      assert.same(before, state_of(subject))
      if not ok then error(message, 0) end
    end)

    for _, self in ipairs { 3, "text", {}, io.stdout } do
      it(("'%s' says of a %s before the dot that it is no shape"):format(name, type(self)), function()
        assert.equal(bad_self(name, "shape", "not a " .. type(self)),
          message_of(subject[name], self))
      end)
    end
    it(("'%s' says that nothing is before the dot"):format(name), function()
      assert.equal(bad_self(name, "shape", "but is missing"),
        message_of(subject[name]))
      assert.equal(bad_self(name, "shape", "not nil"),
        message_of(subject[name], nil))
    end)
  end

  it("is in the list above, if it is one", function()
    local others = { contains = true, setData = true, draw = true }
    local s = sat.point(0, 0)
    for name in pairs(METHODS) do assert.equal("function", type(s[name]), name) end
    for name in pairs(others) do assert.equal("function", type(s[name]), name) end
  end)
end)

describe("a method of a quadtree", function()
  local function contents(q)
    local found = { tostring(q), #q, q:retrieve(-1e14, -1e14, 2e14, 2e14), { q:get("old") } }
    for a, b in q:pairs() do found[#found + 1] = { a, b } end
    return found
  end

  for _, name in ipairs(sorted(TREE_METHODS)) do
    local q = sat.quadtree(0, 0, 100, 100):insert("old", 1, 2, 3, 4):insert("other", 1, 2, 3, 4)
    check_all(name, TREE_METHODS[name], function(values, n)
      local before = contents(q)
      local ok, message = pcall(q[name], q, unpack(values, 1, n))
      assert.same(before, contents(q))
      if not ok then error(message, 0) end
    end)

    for _, self in ipairs { 3, "text", {}, io.stdout, sat.point(1, 2) } do
      local kind = sat.type(self) or type(self)
      it(("'%s' says of a %s before the dot that it is no quadtree"):format(name, kind), function()
        assert.equal(bad_self(name, "quadtree", "not a " .. kind),
          message_of(q[name], self, 1, 2, 3, 4, 5))
      end)
    end
    it(("'%s' of a quadtree says that nothing is before the dot"):format(name), function()
      assert.equal(bad_self(name, "quadtree", "but is missing"),
        message_of(q[name]))
      assert.equal(bad_self(name, "quadtree", "not nil"), message_of(q[name], nil))
    end)
  end

  it("is no method of a shape, nor the other way round", function()
    local q, s = sat.quadtree(0, 0, 1, 1), sat.point(0, 0)
    for name in pairs(TREE_METHODS) do assert.equal("function", type(q[name]), name) end
    for name in pairs(TREE_METHODS) do assert(METHODS[name] or not pcall(function() return s[name] end), name) end
    for name in pairs(METHODS) do assert(TREE_METHODS[name] or not pcall(function() return q[name] end), name) end
    assert.equal(bad_self("move", "shape", "not a quadtree"), message_of(s.move, q, 1, 2))
  end)
end)

describe("a method of a world", function()
  local world = sat.world():add(member, sat.rectangle(0, 0, 5, 5))
  for _, name in ipairs(sorted(WORLD_METHODS)) do
    check_all(name, WORLD_METHODS[name], function(values, n)
      local before = world:save()
      local ok, message = pcall(world[name], world, unpack(values, 1, n))
      assert.equal(before, world:save())
      if not ok then error(message, 0) end
    end)

    for _, self in ipairs { 3, "text", {}, io.stdout, sat.point(1, 2), sat.quadtree(0, 0, 1, 1) } do
      local kind = sat.type(self) or type(self)
      it(("'%s' says of a %s before the dot that it is no world"):format(name, kind), function()
        assert.equal(bad_self(name, "world", "not a " .. kind),
          message_of(world[name], self, 1, 2, 3, 4, 5))
      end)
    end
    it(("'%s' of a world says that nothing is before the dot"):format(name), function()
      assert.equal(bad_self(name, "world", "but is missing"),
        message_of(world[name]))
      assert.equal(bad_self(name, "world", "not nil"),
        message_of(world[name], nil))
    end)
  end
end)

describe("the list of functions above", function()
  it("has all that sat has", function()
    local others = { polygon = true, hull = true, chain = true, compound = true, validate = true, type = true,
      outline = true, simplify = true, -- in outline_spec.lua, and in boolean_spec.lua:
      union = true, intersection = true, difference = true, exclusion = true, repair = true, _VERSION = true }
    for name in pairs(sat) do assert(FUNCTIONS[name] or others[name], name) end
  end)
end)

-- The others, call by call.
local box = sat.rectangle(0, 0, 10, 10)
local tiny = sat.point(0, 0)

local function polygon_of(n)
  local points = {}
  for i = 0, n - 1 do points[2 * i + 1], points[2 * i + 2] = math.cos(i), math.sin(i) end
  return points
end

local tree = sat.quadtree(0, 0, 100, 100):insert("old", 1, 2, 3, 4):insert(box)

local CALLS = {
  -- items
  { "an item that is in", tree.insert, { tree, "old", 1, 2, 3, 4 },
    "bad argument #1 to 'insert' (item is in the tree already: move it with update)" },
  { "a shape that is in", tree.insert, { tree, box },
    "bad argument #1 to 'insert' (item is in the tree already: move it with update)" },
  { "an item that is not in", tree.update, { tree, "new", 1, 2, 3, 4 },
    "bad argument #1 to 'update' (item is not in the tree: add it with insert)" },
  { "a shape that is not in", tree.update, { tree, tiny },
    "bad argument #1 to 'update' (item is not in the tree: add it with insert)" },
  { "an item that is not in", tree.neighbors, { tree, "new" },
    "bad argument #1 to 'neighbors' (item is not in the tree)" },
  { "no box for what is no shape", tree.insert, { tree, {} },
    "bad argument #2 to 'insert' (x must be a number, but is missing)" },
  { "no box for what is no shape", tree.update, { tree, io.stdout },
    "bad argument #2 to 'update' (x must be a number, but is missing)" },
  { "a shape and half a box", tree.insert, { tree, tiny, 1, 2 },
    "bad argument #4 to 'insert' (w must be a number, but is missing)" },
  { "a shape and nil", tree.insert, { tree, tiny, nil, n = 3 },
    "bad argument #2 to 'insert' (x must be a number, not nil)" },
  { "a quadtree for a shape", tree.retrieve, { tree, tree },
    "bad argument #1 to 'retrieve' (x must be a number or a shape, not a quadtree)" },
  { "a shape and a bad list", tree.retrieve, { tree, tiny, 5 },
    "bad argument #2 to 'retrieve' (out must be a table, not a number)" },
  { "a width too large", tree.insert, { tree, "new", 9e14, 0, 2e14, 1 },
    "bad argument #4 to 'insert' (the box would reach beyond 1e15)" },
  { "a height too large", tree.retrieve, { tree, 0, 9e14, 1, 2e14 },
    "bad argument #4 to 'retrieve' (the box would reach beyond 1e15)" },
  { "two trees for one", tree.insert, { sat.point(1, 1), "new", 1, 2, 3, 4 },
    bad_self("insert", "quadtree", "not a shape") },

  -- lists of items and boxes
  { "an item twice", tree.build, { tree, { "a", "b", "a" }, { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 } },
    "bad argument #1 to 'build' (item 3 is item 1 once more)" },
  { "an item that is in", tree.build, { tree, { "a", "old" }, { 1, 1, 1, 1, 1, 1, 1, 1 } },
    "bad argument #1 to 'build' (item 2 is in the tree already)" },
  { "NaN among the items", tree.build, { tree, { "a", NAN }, { 1, 1, 1, 1, 1, 1, 1, 1 } },
    "bad argument #1 to 'build' (item 2 is NaN)" },
  { "a hole in the items", tree.build, { tree, { "a", nil, "c" }, { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 } },
    "bad argument #1 to 'build' (item 2 is nil)" },
  { "a hole at the start", tree.build, { tree, { nil, "b" }, { 1, 1, 1, 1, 1, 1, 1, 1 } },
    "bad argument #1 to 'build' (item 1 is nil)" },
  { "a string in a box", tree.build, { tree, { "a", "b" }, { 1, 1, 1, 1, 1, "1", 1, 1 } },
    "bad argument #2 to 'build' (box 2: y must be a number, not a string)" },
  { "NaN in a box", tree.build, { tree, { "a" }, { 1, 1, NAN, 1 } },
    "bad argument #2 to 'build' (box 1: w is NaN)" },
  { "infinity in a box", tree.build, { tree, { "a" }, { -HUGE, 1, 1, 1 } },
    "bad argument #2 to 'build' (box 1: x is infinite)" },
  { "a number too large", tree.build, { tree, { "a" }, { 1, 1.1e15, 1, 1 } },
    "bad argument #2 to 'build' (box 1: y is beyond 1e15)" },
  { "a negative height", tree.build, { tree, { "a", "b" }, { 1, 1, 1, 1, 1, 1, 1, -1 } },
    "bad argument #2 to 'build' (box 2: h must not be negative)" },
  { "a width too large", tree.build, { tree, { "a" }, { 9e14, 1, 2e14, 1 } },
    "bad argument #2 to 'build' (box 1: it would reach beyond 1e15)" },
  { "half a box", tree.build, { tree, { "a", "b" }, { 1, 1, 1, 1, 1, 1 } },
    "bad argument #2 to 'build' (box 2: w is missing)" },
  { "too few boxes", tree.build, { tree, { "a", "b", "c" }, { 1, 1, 1, 1 } },
    "bad argument #2 to 'build' (box 2: x is missing)" },
  { "a number too many", tree.build, { tree, { "a", "b" }, { 1, 1, 1, 1, 1, 1, 1, 1, 1 } },
    "bad argument #2 to 'build' (box 3: y is missing)" },
  { "a box too many", tree.build, { tree, { "a" }, { 1, 1, 1, 1, 1, 1, 1, 1 } },
    "bad argument #1 to 'build' (item 2 is nil)" },
  { "no item", tree.build, { tree, {}, { 1, 1, 1, 1 } }, "bad argument #1 to 'build' (item 1 is nil)" },
  { "a hole in the boxes", tree.build, { tree, { "a", "b" }, { 1, 1, 1, 1, nil, 1, 1, 1 } },
    "bad argument #2 to 'build' (box 2: x is missing)" },
  { "no box", tree.build, { tree, { "a" }, {} }, "bad argument #2 to 'build' (box 1: x is missing)" },

  -- areas and options
  { "capacity 0", sat.quadtree, { 0, 0, 1, 1, { capacity = 0 } },
    "bad argument #5 to 'quadtree' (capacity must be a whole number from 1 to 1000000)" },
  { "a capacity of a half", sat.quadtree, { 0, 0, 1, 1, { capacity = 1.5 } },
    "bad argument #5 to 'quadtree' (capacity must be a whole number from 1 to 1000000)" },
  { "depth 1000", sat.quadtree, { 0, 0, 1, 1, { depth = 1000 } },
    "bad argument #5 to 'quadtree' (depth must be a whole number from 0 to 32)" },
  { "depth -1", sat.quadtree, { 0, 0, 1, 1, { depth = -1 } },
    "bad argument #5 to 'quadtree' (depth must be a whole number from 0 to 32)" },
  { "a depth that is a string", sat.quadtree, { 0, 0, 1, 1, { depth = "8" } },
    "bad argument #5 to 'quadtree' (depth must be a number, not a string)" },
  { "a capacity that is false", sat.quadtree, { 0, 0, 1, 1, { capacity = false } },
    "bad argument #5 to 'quadtree' (capacity must be a number, not a boolean)" },
  { "a capacity that is NaN", sat.quadtree, { 0, 0, 1, 1, { capacity = NAN } },
    "bad argument #5 to 'quadtree' (capacity is NaN)" },
  { "a depth that is infinite", sat.quadtree, { 0, 0, 1, 1, { depth = HUGE } },
    "bad argument #5 to 'quadtree' (depth is infinite)" },
  { "an unknown option", sat.quadtree, { 0, 0, 1, 1, { capacity = 5, size = 3 } },
    "bad argument #5 to 'quadtree' (there is no option 'size', only capacity and depth)" },
  { "options in a row", sat.quadtree, { 0, 0, 1, 1, { 10, 8 } },
    "bad argument #5 to 'quadtree' (options have names: capacity and depth)" },
  { "an area too large", sat.quadtree, { 9e14, 0, 2e14, 1 },
    "bad argument #3 to 'quadtree' (the area would reach beyond 1e15)" },
  { "an area lost in rounding", sat.quadtree, { 0, 1e14, 1, 1e-9 },
    "bad argument #4 to 'quadtree' (h is too small beside the coordinates)" },

  -- a pivot is two numbers
  { "half a pivot", box.rotate, { box, 1, 5 }, "bad argument #3 to 'rotate' (py must be a number, but is missing)" },
  { "half a pivot", box.rotate, { box, 1, nil, 5, n = 4 },
    "bad argument #2 to 'rotate' (px must be a number, not nil)" },
  { "half a pivot", box.setRotation, { box, 1, 5 },
    "bad argument #3 to 'setRotation' (py must be a number, but is missing)" },
  { "half a pivot", box.scale, { box, 1, 5, nil, n = 4 }, "bad argument #3 to 'scale' (py must be a number, not nil)" },

  -- contains takes one or two
  { "nothing", box.contains, { box }, "bad argument #1 to 'contains' (x must be a number or a shape, but is missing)" },
  { "nil", box.contains, { box, nil, n = 2 },
    "bad argument #1 to 'contains' (x must be a number or a shape, not nil)" },
  { "a string", box.contains, { box, "1", 2 },
    "bad argument #1 to 'contains' (x must be a number or a shape, not a string)" },
  { "a foreign userdata", box.contains, { box, io.stdout },
    "bad argument #1 to 'contains' (x must be a number or a shape, not a userdata)" },
  { "one coordinate", box.contains, { box, 1 }, "bad argument #2 to 'contains' (y must be a number, but is missing)" },
  { "NaN", box.contains, { box, NAN, 1 }, "bad argument #1 to 'contains' (x is NaN)" },
  { "NaN", box.contains, { box, 1, NAN }, "bad argument #2 to 'contains' (y is NaN)" },
  { "no shape", box.contains, { 1, 2, 3 }, bad_self("contains", "shape", "not a number") },

  { "no value", box.setData, { box }, "bad argument #1 to 'setData' (value is missing)" },
  { "no shape", box.setData, { {}, 1 }, bad_self("setData", "shape", "not a table") },
  { "no value", sat.type, {}, "bad argument #1 to 'type' (value is missing)" },
  { "no direction", box.support, { box, 0, 0 }, "bad argument #1 to 'support' (dx and dy must not both be 0)" },
  { "no direction", box.support, { box, -0.0, 0 }, "bad argument #1 to 'support' (dx and dy must not both be 0)" },
  { "201 vertices", sat.point(0, 0).unpack, { sat.regular(0, 0, 1, 201) },
    "'unpack' gives at most 200 vertices: use shape:vertices() for the 201 here" },

  -- shapes of several parts
  { "nothing", sat.compound, {}, "bad argument #1 to 'compound' (there are no shapes)" },
  { "an empty list", sat.compound, { {} }, "bad argument #1 to 'compound' (there are no shapes)" },
  { "nil", sat.compound, { nil, n = 1 }, "bad argument #1 to 'compound' (shape must be a shape, not nil)" },
  { "a number", sat.compound, { box, 3 }, "bad argument #2 to 'compound' (shape must be a shape, not a number)" },
  { "a number in a list", sat.compound, { { box, 3 } },
    "bad argument #1 to 'compound' (item 2 must be a shape, not a number)" },
  { "nothing", sat.chain, {}, "bad argument #1 to 'chain' (points must be a table, but is missing)" },
  { "numbers", sat.chain, { 0, 0, 1, 1 },
    "bad argument #1 to 'chain' (points must be a table, not a number: give one flat table {x1, y1, x2, y2, ...})" },
  { "no points", sat.chain, { {} }, "bad argument #1 to 'chain' (there are no vertices)" },
  { "half a point", sat.chain, { { 0, 0, 1 } }, "bad argument #1 to 'chain' (vertex 2: y is missing)" },
  { "NaN", sat.chain, { { 0, 0, NAN, 1 } }, "bad argument #1 to 'chain' (vertex 2: x is NaN)" },
  { "a point too far", sat.chain, { { 0, 2e15 } }, "bad argument #1 to 'chain' (vertex 1: y is beyond 1e15)" },
  { "no boolean", sat.chain, { { 0, 0 }, 1 }, "bad argument #2 to 'chain' (closed must be a boolean, not a number)" },
  { "a compound", box.unpack, { sat.compound(box) },
    "a compound has no vertices: ask each of its pieces, shape:pieces()" },
  { "a compound", box.vertices, { sat.compound(box) },
    "a compound has no vertices: ask each of its pieces, shape:pieces()" },

  -- what would lead out of the numbers that are taken
  { "a move too far", tiny.move, { sat.point(9e14, 0), 2e14, 0 },
    "bad argument #1 to 'move' (the shape would reach beyond 1e15)" },
  { "a factor too large", tiny.scale, { sat.rectangle(0, 0, 1e3, 1e3), 1e14 },
    "bad argument #1 to 'scale' (the shape would reach beyond 1e15)" },
  { "a factor too small", tiny.scale, { sat.rectangle(0, 0, 1e3, 1e3):scale(1e-10), 1e-10 },
    "bad argument #1 to 'scale' (the shape would be scaled below 1e-15)" },
  { "a pivot too far", tiny.rotate, { sat.point(9e14, 9e14), 3, -9e14, -9e14 },
    "bad argument #1 to 'rotate' (the shape would reach beyond 1e15)" },
  { "a width too large", sat.rectangle, { 9e14, 0, 2e14, 1 },
    "bad argument #3 to 'rectangle' (the shape would reach beyond 1e15)" },
  { "a height too large", sat.rectangle, { 0, 9e14, 1, 2e14 },
    "bad argument #4 to 'rectangle' (the shape would reach beyond 1e15)" },
  { "a width lost in rounding", sat.rectangle, { 1e14, 0, 1e-9, 1 },
    "bad argument #3 to 'rectangle' (w is too small beside the coordinates)" },
  { "a height lost in rounding", sat.rectangle, { 0, -1e14, 1, 1e-9 },
    "bad argument #4 to 'rectangle' (h is too small beside the coordinates)" },
  { "an area that does not hold the place", sat.world().visible, { sat.world(), 20, 5, box },
    "bad argument #3 to 'visible' (area must contain x, y)" },
  { "a concave area", sat.world().visible, { sat.world(), 5, 5, sat.polygon(0, 0, 9, 0, 9, 9, 8, 1) },
    "bad argument #3 to 'visible' (area must be convex: cut it in two, as a sector of over half a turn)" },
  { "a round area", sat.world().visible, { sat.world(), 5, 5, sat.circle(5, 5, 9) },
    "bad argument #3 to 'visible' (area must be a polygon without a radius, or a number)" },
  { "a segment as area", sat.world().visible, { sat.world(), 5, 5, sat.segment(0, 5, 9, 5) },
    "bad argument #3 to 'visible' (area must be a polygon without a radius, or a number)" },
  { "an area beyond the plane", sat.world().visible, { sat.world(), 9e14, 0, 2e14 },
    "bad argument #3 to 'visible' (the shape would reach beyond 1e15)" },
  { "a radius too small", sat.regular, { 0, 0, 1e-200, 5 },
    "bad argument #3 to 'regular' (radius must be at least 1e-100)" },
  { "a radius too small", sat.ellipse, { 0, 0, 1, 1e-200 },
    "bad argument #4 to 'ellipse' (ry must be at least 1e-100)" },
  { "a radius too small", sat.sector, { 0, 0, 1e-200, 0, 1 },
    "bad argument #3 to 'sector' (radius must be at least 1e-100)" },
  { "a radius lost in rounding", sat.sector, { 1e15, 0, 0.01, 0, 1 },
    "bad argument #3 to 'sector' (radius is too small beside the coordinates)" },
  { "a radius too large", sat.sector, { 0, 9e14, 2e14, 0, 2 },
    "bad argument #3 to 'sector' (the shape would reach beyond 1e15)" },
  { "a sector to where it begins", sat.sector, { 0, 0, 1, 2, 2 },
    "bad argument #5 to 'sector' (to must be above from, by less than a turn)" },
  { "a sector backwards", sat.sector, { 0, 0, 1, 2, 1 },
    "bad argument #5 to 'sector' (to must be above from, by less than a turn)" },
  { "a sector of a turn", sat.sector, { 0, 0, 1, 0, 2 * math.pi },
    "bad argument #5 to 'sector' (to must be above from, by less than a turn)" },
  { "an inner radius that is no smaller", sat.sector, { 0, 0, 1, 0, 1, 1 },
    "bad argument #6 to 'sector' (inner must be less than radius)" },
  { "an inner radius that is no smaller", sat.ring, { 0, 0, 2, 2 },
    "bad argument #3 to 'ring' (inner must be less than outer)" },
  { "an inner radius too small", sat.ring, { 0, 0, 1e-200, 2 },
    "bad argument #3 to 'ring' (inner must be at least 1e-100)" },
  { "a radius lost in rounding", sat.ring, { 1e15, 0, 0.001, 0.01 },
    "bad argument #4 to 'ring' (inner and outer are too near each other beside the coordinates)" },
}

-- Of lists of points, which sat.polygon, sat.hull and sat.validate read alike: as arguments and as a table.
local POINTS = {
  { "a string", { 0, 0, 1, "1", 0, 1 }, 4, "vertex 2: y must be a number, not a string" },
  { "a table", { 0, {}, 1, 1, 0, 1 }, 2,
    "vertex 1: y must be a number, not a table: give one flat table {x1, y1, x2, y2, ...}" },
  { "a shape", { 0, 0, 1, 1, box, 1 }, 5, "vertex 3: x must be a number, not a shape" },
  { "true", { 0, 0, 1, 1, 0, true }, 6, "vertex 3: y must be a number, not a boolean" },
}
-- Of these sat.validate only tells.
local BAD_POINTS = {
  { "an odd number of coordinates", { 0, 0, 1, 0, 1, 1, 5 }, 8, "vertex 4: y is missing" },
  { "a single number", { 5 }, 2, "vertex 1: y is missing" },
  { "NaN", { 0, 0, 1, 0, 1, NAN }, 6, "vertex 3: y is NaN" },
  { "infinity", { 0, 0, HUGE, 0, 1, 1 }, 3, "vertex 2: x is infinite" },
  { "-infinity", { 0, 0, 1, 0, 1, -HUGE }, 6, "vertex 3: y is infinite" },
  { "a number too large", { 0, 0, 1, 0, 1, 1.1e15 }, 6, "vertex 3: y is beyond 1e15" },
  { "nothing", {}, 1, "fewer than three vertices are distinct" },
  { "two vertices", { 0, 0, 1, 1 }, 1, "fewer than three vertices are distinct" },
  { "two distinct vertices", { 0, 0, 1, 1, 0, 0, 1, 1 }, 1, "fewer than three vertices are distinct" },
  { "one vertex again and again", { 7, 7, 7, 7, 7, 7, 7, 7 }, 1, "fewer than three vertices are distinct" },
  { "vertices on one line", { 0, 0, 1, 1, 3, 3, 2, 2 }, 1, "the vertices enclose no area" },
}

local function check_points(name, label, points, arg, reason)
  it(("says of '%s' with %s what is wrong"):format(name, label), function()
    assert.equal(("bad argument #%d to '%s' (%s)"):format(arg, name, reason), message_of(sat[name], unpack(points)))
  end)
  it(("says of '%s' with %s in a table what is wrong"):format(name, label), function()
    assert.equal(("bad argument #1 to '%s' (%s)"):format(name, reason), message_of(sat[name], points))
  end)
end

describe("a list of points", function()
  for _, name in ipairs { "polygon", "hull", "validate" } do
    for _, case in ipairs(POINTS) do check_points(name, unpack(case)) end

    it(("may not have a nil among the arguments of '%s'"):format(name), function()
      assert.equal(("bad argument #3 to '%s' (vertex 2: x must be a number, not nil)"):format(name),
        message_of(sat[name], 0, 0, nil, 5, 6, 7))
    end)

    it(("may not have holes, wherever Lua thinks that the table of '%s' ends"):format(name), function()
      for hole = 1, 19 do
        for length = hole + 1, 20 do
          local points, backwards = {}, {}
          for i = 1, length do if i ~= hole then points[i] = i * i end end
          for i = length, 1, -1 do if i ~= hole then backwards[i] = i * i end end
          local expected = ("bad argument #1 to '%s' (vertex %d: %s is missing)")
            :format(name, math.ceil(hole / 2), hole % 2 == 1 and "x" or "y")
          assert.equal(expected, message_of(sat[name], points))
          assert.equal(expected, message_of(sat[name], backwards))
        end
      end
    end)
  end

  for _, name in ipairs { "polygon", "hull" } do
    for _, case in ipairs(BAD_POINTS) do check_points(name, unpack(case)) end
  end

  it("is read without its metatable, which could raise", function()
    local function refuse() error("asked") end
    local points = setmetatable({}, { __index = refuse, __len = refuse, __pairs = refuse })
    assert.equal("bad argument #1 to 'polygon' (fewer than three vertices are distinct)",
      message_of(sat.polygon, points))
  end)
end)

describe("sat.polygon", function()
  it("names the edges that cross", function()
    assert.equal("bad argument #1 to 'polygon' (the edge from vertex 1 to 2 crosses or runs along the one from 3 to 4)",
      message_of(sat.polygon, 0, 0, 10, 10, 10, 0, 0, 10))
    assert.equal("bad argument #1 to 'polygon' (the edge from vertex 1 to 2 crosses or runs along the one from 3 to 4)",
      message_of(sat.polygon, { 0, 0, 10, 10, 10, 0, 0, 10 }))
  end)

  it("counts the last edge back to the first vertex", function()
    assert.equal("bad argument #3 to 'polygon' (the edge from vertex 2 to 3 crosses or runs along the one from 4 to 1)",
      message_of(sat.polygon, 0, 0, 10, 0, 0, 10, 10, 10))
  end)

  it("answers in a short time, whatever it is given", function()
    local started = os.clock()
    local round = sat.regular(0, 0, 1000, 100000):vertices()
    assert.equal(200000, #sat.polygon(round):vertices())
    assert.matches("crosses or runs along", message_of(sat.polygon, polygon_of(100000)), 1, true)
    local saw = {}
    for i = 0, 99999 do saw[2 * i + 1], saw[2 * i + 2] = i, i % 2 end
    local crossing = "the edge from vertex 2 to 3 crosses or runs along the one from 100000 to 1"
    assert.equal("bad argument #1 to 'polygon' (" .. crossing .. ")", message_of(sat.polygon, saw))
    assert.same({ nil, crossing, 2 }, { sat.validate(saw) })
    local line = {}
    for i = 1, 200000 do line[i] = 5 end
    assert.equal("bad argument #1 to 'polygon' (fewer than three vertices are distinct)",
      message_of(sat.polygon, line))
    assert(os.clock() - started < 20)
  end)
end)

describe("a call", function()
  for _, case in ipairs(CALLS) do
    local label, f, arguments, expected = unpack(case)
    it(("with %s says: %s"):format(label, expected), function()
      assert.equal(expected, message_of(f, unpack(arguments, 1, arguments.n or #arguments)))
    end)
  end

  it("raises the same text through a local, a field, a method call and pcall", function()
    local move, other = box.move, { push = box.move }
    local expected = "bad argument #2 to 'move' (dy is NaN)"
    assert.equal(expected, message_of(function() box:move(1, NAN) end))
    assert.equal(expected, message_of(function() move(box, 1, NAN) end))
    assert.equal(expected, message_of(function() other.push(box, 1, NAN) end))
    assert.equal(expected, message_of(move, box, 1, NAN))
    assert.equal(expected, message_of(coroutine.wrap(function() box:move(1, NAN) end)))
  end)

  it("says where it was made", function()
    local _, message = pcall(function() box:move(1, NAN) end)
    assert.matches("errors_spec%.lua:%d+: bad argument", message)
  end)
end)

describe("a field", function()
  it("cannot be set, and the error says what to use instead", function()
    assert.equal("a shape has no field 'name': keep a value with shape:setData(value)",
      message_of(function() box.name = "crate" end))
    assert.equal("a shape has no field 'move': keep a value with shape:setData(value)",
      message_of(function() box.move = print end))
    assert.equal("a shape has no fields: keep a value with shape:setData(value)",
      message_of(function() box[1] = 2 end))
    for name, call in pairs { x = "moveTo(x, y)", y = "moveTo(x, y)", position = "moveTo(x, y)",
      angle = "setRotation(angle)", rotation = "setRotation(angle)", w = "stretch(sx, sy)", h = "stretch(sx, sy)",
      width = "stretch(sx, sy)", height = "stretch(sx, sy)", radius = "setRadius(radius)",
      static = "setStatic(boolean)", sensor = "setSensor(boolean)", enabled = "setEnabled(boolean)",
      mass = "setMass(mass)", category = "setFilter(category, mask)", mask = "setFilter(category, mask)" } do
      assert.equal(("a shape has no field '%s': call shape:%s"):format(name, call),
        message_of(function() box[name] = 5 end))
      assert.equal("function", type(box[call:match("^%a+")]))
    end
    assert.equal("a quadtree has no field 'name', and none can be set", message_of(function() tree.name = "map" end))
    assert.equal("a quadtree has no field 'insert', and none can be set",
      message_of(function() tree.insert = print end))
    assert.equal("a quadtree has no fields, and none can be set", message_of(function() tree[1] = 2 end))
  end)
end)

-- ---------------------------------------------------------------- names that are not there

describe("a name that is not there", function()
  local values = { shape = box, quadtree = tree, world = sat.world(), sat = sat }

  local function reading(noun, name) return message_of(function() return values[noun][name] end) end

  it("is an error that names setData and data, where it is a field of a shape", function()
    for _, name in ipairs { "name", "tag", "hp", "speed", "onHit", "vx" } do
      assert.equal(("a shape has no field '%s': keep a value with shape:setData(value), and read it with shape:data()")
        :format(name), reading("shape", name))
    end
    assert.equal("a world has no field 'width'", reading("world", "width"))
    assert.equal("a quadtree has no field 'objects'", reading("quadtree", "objects"))
    assert.equal("sat has no field 'love'", reading("sat", "love"))
  end)

  local NEAREST = {
    shape = { getPosition = "center", setPosition = "moveTo", get_position = "center", x = "center", Move = "move",
      getRadius = "radius", bbox = "bounds", computeAABB = "bounds", setUserData = "setData", getUserData = "data",
      testPoint = "contains", collidesWith = "collide", getAngle = "rotation", setAngle = "setRotation",
      rotat = "rotate", setRotaton = "setRotation", isStatc = "isStatic", mask = "filter",
      isColliding = "overlaps", touches = "overlaps", checkCollision = "overlaps", setType = "setStatic",
      lookAt = "setRotation", rotateTo = "setRotation", render = "draw", getOwner = "data" },
    world = { newBody = "add", queryRect = "query", queryPoint = "at", querySegment = "raycasts", getShapes = "shapes",
      hasItem = "has", rayCast = "raycast", ADD = "add", sperate = "separate", Update = "update",
      newRectangleCollider = "add", queryRectangleArea = "query" },
    quadtree = { query = "retrieve", add = "insert", size = "count", getCount = "count", neighbours = "neighbors" },
  }
  for noun, names in pairs(NEAREST) do
    for name, expected in pairs(names) do
      it(("is told what %s:%s is called"):format(noun, name), function()
        assert.equal(("a %s has no field '%s': the nearest method is %s:%s()"):format(noun, name, noun, expected),
          reading(noun, name))
      end)
    end
  end

  it("is told what functions of sat are called", function()
    for name, expected in pairs { newCircle = "circle", newWorld = "world", newRectangleShape = "rectangle",
      Circle = "circle", rect = "rectangle", line = "segment", circel = "circle", VERSION = "_VERSION",
      testPolygonPolygon = "collide", intersects = "overlaps" } do
      assert.equal(("sat has no field '%s': the nearest is sat.%s"):format(name, expected), reading("sat", name))
    end
    assert.equal("sat has no field 'move': it is a method of a shape, shape:move()", reading("sat", "move"))
    assert.equal("sat has no field 'update': it is a method of a world, world:update()", reading("sat", "update"))
    assert.equal("sat has no field 'bump': it is a module, require \"sat.bump\"", reading("sat", "bump"))
  end)

  it("is told where there is something of that name", function()
    for name, owner in pairs { remove = "world", add = "world", collisions = "world", insert = "quadtree" } do
      assert.equal(("a shape has no field '%s': it is a method of a %s, %s:%s()"):format(name, owner, owner, name),
        reading("shape", name))
    end
    for name, expected in pairs { overlaps = "overlaps", circle = "circle", newCircle = "circle" } do
      assert.equal(("a world has no field '%s': it is a function, sat.%s()"):format(name, expected),
        reading("world", name))
    end
    assert.equal("a world has no field 'moveTo': it is a method of a shape, shape:moveTo()",
      reading("world", "moveTo"))
  end)

  it("is told that sat is no physics engine", function()
    for _, name in ipairs { "setVelocity", "getLinearVelocity", "applyForce", "setFriction", "setFixedRotation" } do
      assert.equal(("a shape has no field '%s': sat is no physics engine, and world:move(shape, dx, dy) moves a shape")
        :format(name), reading("shape", name))
    end
    assert.equal("a world has no field 'setGravity': sat is no physics engine, and world:move(shape, dx, dy) "
      .. "moves a shape", reading("world", "setGravity"))
  end)

  it("is only told of names that there are", function()
    local others = require "sat.names".others
    for noun, names in pairs(others) do
      local known = noun == "sat" and sat or debug.getmetatable(values[noun]).__index
      for name, expected in pairs(names) do
        local is_there = type(rawget(known, expected)) == "function" or expected == "_VERSION"
        assert(is_there, name)
        assert.equal(name:lower():gsub("_", ""), name)
        assert(rawget(known, name) == nil, name .. " is there itself")
      end
    end
  end)

  it("is blamed on the line that reads it", function()
    local _, message = pcall(function() return box:getPosition() end)
    assert.matches("^[^:]*errors_spec%.lua:%d+: a shape has no field", message)
  end)

  it("is nil where tools probe: with another key than a string, with a metamethod's name, with rawget", function()
    for _, value in pairs(values) do
      for _, key in ipairs { 1, 0.5, true, print, {}, "__index", "__gc", "__name", "__call", "__tostring" } do
        assert.is_nil(value[key])
      end
    end
    assert.is_nil(rawget(sat, "love"))
    assert.same(box, box)
    assert.is_false(pcall(assert.same, box, tree))
  end)

  it("takes no long time, however long it is", function()
    assert.matches("^a shape has no field 'xxx", reading("shape", ("x"):rep(100000)))
  end)

  it("may be added to sat by a game", function()
    sat.twice = function(s) return s:scale(2) end
    assert.equal("sat has no field 'twic': the nearest is sat.twice", reading("sat", "twic"))
    sat[1], sat.twice = true, nil
    assert.equal("sat has no field 'twice'", reading("sat", "twice"))
    sat[1] = nil
  end)
end)

-- ---------------------------------------------------------------- mistakes that beginners make

local FLAT = ": give one flat table {x1, y1, x2, y2, ...})"
local EACH_FLAT = ": each ring is one flat table {x1, y1, ...})"
local world = sat.world()
local MISTAKES = {
  { "a list of pairs", sat.polygon, { { { 0, 0 }, { 1, 0 }, { 1, 1 } } },
    "bad argument #1 to 'polygon' (ring 1: fewer than three vertices are distinct" .. EACH_FLAT },
  { "a list of points", sat.polygon, { { { x = 0, y = 0 }, { x = 1, y = 0 } } },
    "bad argument #1 to 'polygon' (ring 1: fewer than three vertices are distinct" .. EACH_FLAT },
  { "a list of points", sat.hull, { { { x = 0, y = 0 }, { x = 1, y = 0 } } },
    "bad argument #1 to 'hull' (vertex 1: x must be a number, not a table" .. FLAT },
  { "a list of points", sat.validate, { { { x = 0, y = 0 }, { x = 1, y = 0 } } },
    "bad argument #1 to 'validate' (vertex 1: x must be a number, not a table" .. FLAT },
  { "pairs", sat.polygon, { { 0, 0 }, { 1, 0 }, { 1, 1 } },
    "bad argument #2 to 'polygon' (the vertices are in several tables" .. FLAT },
  { "points", sat.hull, { { x = 0, y = 0 }, { x = 1, y = 0 } },
    "bad argument #2 to 'hull' (the vertices are in several tables" .. FLAT },
  { "pairs", sat.chain, { { 0, 0 }, { 1, 0 }, { 1, 1 } },
    "bad argument #3 to 'chain' (one too many for sat.chain(points, closed))" },
  { "two pairs", sat.chain, { { 0, 0 }, { 1, 0 } },
    "bad argument #2 to 'chain' (the vertices are in several tables" .. FLAT },
  { "a point", sat.polygon, { { y = 0, x = 0 } },
    "bad argument #1 to 'polygon' (the table has the field 'x' and no vertices" .. FLAT },
  { "a number behind the list", sat.polygon, { { 0, 0, 1, 0, 1, 1 }, 5 },
    "bad argument #2 to 'polygon' (one too many for sat.polygon({x1, y1, x2, y2, ...}))" },

  { "a colon", sat.circle, { sat, 1, 2, 3 }, "'circle' is called with a dot, sat.circle(...), not with a colon" },
  { "a colon", sat.polygon, { sat, 0, 0, 1, 0, 1, 1 },
    "'polygon' is called with a dot, sat.polygon(...), not with a colon" },
  { "a colon", sat.polygon, { sat, { 0, 0, 1, 0, 1, 1 } },
    "'polygon' is called with a dot, sat.polygon(...), not with a colon" },
  { "a colon", sat.validate, { sat, 0, 0, 1, 0, 1, 1 },
    "'validate' is called with a dot, sat.validate(...), not with a colon" },
  { "a colon", sat.compound, { sat, box }, "'compound' is called with a dot, sat.compound(...), not with a colon" },
  { "a colon", sat.chain, { sat, { 0, 0, 1, 0 } }, "'chain' is called with a dot, sat.chain(...), not with a colon" },
  { "a colon", sat.world, { sat }, "'world' is called with a dot, sat.world(...), not with a colon" },
  { "a colon", sat.quadtree, { sat, 0, 0, 1, 1 },
    "'quadtree' is called with a dot, sat.quadtree(...), not with a colon" },
  { "a colon", sat.type, { sat, box }, "'type' is called with a dot, sat.type(...), not with a colon" },
  { "a colon", sat.collide, { sat, box, box }, "'collide' is called with a dot, sat.collide(...), not with a colon" },
  { "a colon", sat.overlaps, { sat, box, box },
    "'overlaps' is called with a dot, sat.overlaps(...), not with a colon" },

  { "a table with a shape", world.add, { world, { x = 1, shape = box } },
    "bad argument #1 to 'add' (a list of shapes has a shape at 1, and this table has the field 'shape')" },
  { "tables in a list", world.add, { world, { { shape = box } } },
    "bad argument #1 to 'add' (item 1 must be a shape, not a table)" },
  { "a world in a list", world.add, { world, { box, world } },
    "bad argument #1 to 'add' (item 2 must be a shape, not a world)" },
  { "a table with a shape", sat.compound, { { wheel = box } },
    "bad argument #1 to 'compound' (a list of shapes has a shape at 1, and this table has the field 'wheel')" },

  { "a response of another name", world.move, { world, box, 1, 2, "pull" },
    'bad argument #4 to \'move\' (response must be "slide", "touch", "bounce", "push", "cross" or a function)' },
  { "a response of another name", world.check, { world, box, 1, 2, "Push" },
    'bad argument #4 to \'check\' (response must be "slide", "touch", "bounce", "push", "cross" or a function)' },

  { "a mode", sat.circle, { "fill", 1, 2, 3 },
    "bad argument #1 to 'circle' (x must be a number, not a string: shape:draw(mode) takes the mode)" },
  { "a mode", sat.rectangle, { "line", 0, 0, 5, 5 },
    "bad argument #1 to 'rectangle' (x must be a number, not a string: shape:draw(mode) takes the mode)" },
  { "a mode", sat.polygon, { "line", 0, 0, 5, 5, 0, 5 },
    "bad argument #1 to 'polygon' (vertex 1: x must be a number, not a string)" },
  { "two factors", box.scale, { box, 2, 3 },
    "bad argument #2 to 'scale' (scale(factor, px, py) has one factor and a pivot; shape:stretch(sx, sy) has two "
      .. "factors)" },

  { "one too many", sat.point, { 1, 2, 3 }, "bad argument #3 to 'point' (one too many for sat.point(x, y))" },
  { "one too many", sat.circle, { 1, 2, 3, 4 },
    "bad argument #4 to 'circle' (one too many for sat.circle(x, y, radius))" },
  { "one too many", sat.rectangle, { 1, 2, 3, 4, nil, false, n = 6 },
    "bad argument #6 to 'rectangle' (one too many for sat.rectangle(x, y, w, h, angle))" },
  { "one too many", sat.regular, { 1, 2, 3, 4, 5, "6" },
    "bad argument #6 to 'regular' (one too many for sat.regular(x, y, radius, n, angle))" },
  { "one too many", sat.ellipse, { 1, 2, 3, 4, 5, 6 },
    "bad argument #6 to 'ellipse' (one too many for sat.ellipse(x, y, rx, ry, segments))" },
  { "one too many", sat.sector, { 0, 0, 2, 0, 1, 1, 8, 9 },
    "bad argument #8 to 'sector' (one too many for sat.sector(x, y, radius, from, to, inner, segments))" },
  { "one too many", sat.ring, { 0, 0, 1, 2, 8, 9 },
    "bad argument #6 to 'ring' (one too many for sat.ring(x, y, inner, outer, segments))" },
  { "one too many", sat.segment, { 1, 2, 3, 4, 5 },
    "bad argument #5 to 'segment' (one too many for sat.segment(x1, y1, x2, y2))" },
  { "one too many", sat.capsule, { 1, 2, 3, 4, 5, 6, 7 },
    "bad argument #6 to 'capsule' (one too many for sat.capsule(x1, y1, x2, y2, radius))" },
  { "one too many", sat.compound, { { box }, box },
    "bad argument #2 to 'compound' (one too many for sat.compound({shape, shape, ...}))" },
  { "one too many", sat.world, { nil, {}, n = 2 }, "bad argument #2 to 'world' (one too many for sat.world(options))" },
  { "one too many", sat.quadtree, { 0, 0, 1, 1, {}, 1 },
    "bad argument #6 to 'quadtree' (one too many for sat.quadtree(x, y, w, h, options))" },
}

describe("a beginner's mistake", function()
  for _, case in ipairs(MISTAKES) do
    local label, f, arguments, expected = unpack(case)
    it(("with %s says: %s"):format(label, expected), function()
      assert.equal(expected, message_of(f, unpack(arguments, 1, arguments.n or #arguments)))
      assert.equal(0, world:count())
    end)
  end

  it("is none where nil is at the end, nor where sat is asked about", function()
    assert.equal("circle", sat.circle(1, 2, 3, nil, nil):kind())
    assert.equal("rectangle", sat.rectangle(1, 2, 3, 4, nil, nil) and "rectangle")
    assert.is_nil(sat.type(sat))
    assert.equal(world, world:add {})
  end)
end)

describe("a loop that LuaJIT compiles", function()
  -- Its compiler crashes where it reads the metatable of a file, in most runs of such a loop.
  it("refuses a file in place of a world", function()
    for _ = 1, 5 do
      local is_done, printed = support.run_script [[
        local sat = require "sat"
        local world = sat.world():add(sat.circle(0, 0, 1))
        local others = { world, io.stdout, newproxy and newproxy(true) or {}, 3, "text" }
        for i = 1, 20000 do
          local other = others[i % #others + 1]
          if other ~= world then assert(not pcall(world.svg, other)) end
        end
      ]]
      if is_done == nil then return pending("runs: it is not known which Lua this is") end
      assert.is_true(is_done, printed)
    end
  end)
end)
