-- No call takes a shape, its radius included, beyond 1e15: the call that would is an error, and changes nothing.
local sat = require "sat"

local unpack = table.unpack or unpack
local LIMIT, MOST = 1e15, 1e15 * (1 + 2 ^ -52) -- x + w is rounded

local function is_within(shape)
  local x, y, w, h = shape:bounds()
  return x >= -LIMIT and y >= -LIMIT and x + w <= MOST and y + h <= MOST
end

-- Each call with arguments that lead beyond, and arguments that lead just up to the limit, or nil.
local CONSTRUCTORS = {
  { "circle", { 1e15, 0, 1 }, { 1e15 - 1, 0, 1 } },
  { "circle", { 0, -1e15, 0.5 }, { 0, -1e15, 0 } },
  { "circle", { 1, 0, 1e15 }, { 0, 0, 1e15 } },
  { "regular", { 9e14, 0, 2e14, 8 }, { 9e14, 0, 0.9e14, 8 } },
  { "ellipse", { 0, 9e14, 1, 2e14 }, { 0, 9e14, 1, 0.9e14 } },
  { "capsule", { 1e15, 0, 1e15, 5, 1 }, { 1e15 - 1, 0, 1e15 - 1, 5, 1 } },
  { "capsule", { 0, 0, 1e15, 0, 0.25 }, { 0, 0, 1e15, 0, 0 } },
  { "rectangle", { 1e15 - 4, 0, 4, 2, 0.5 }, { 1e15 - 4, 0, 4, 2 } },
  { "rectangle", { 9e14, 9e14, 1e14, 1e14, math.pi / 4 }, { 9e14, 9e14, 1e14, 1e14, math.pi / 2 } },
}

-- A box 4 wide and 2 high at the right limit, a triangle whose mirror image reaches farther, or a circle there.
local function box() return sat.rectangle(1e15 - 4, 0, 4, 2) end
local function wedge() return sat.polygon(1e15, -1, 1e15, 1, 1e15 - 3, 0) end
local function disc() return sat.circle(1e15 - 4, 0, 4) end
local function pair() return sat.compound(disc(), sat.circle(0, 0, 1)) end
local function chain() return sat.chain { 0, 0, 1e15, 0, 1e15, 5 } end
local CHANGES = {
  { box, "move", { 1, 0 }, { 0, 1 } }, { disc, "move", { 1, 0 }, { -1, 0 } }, { pair, "move", { 1, 0 }, { -1, 0 } },
  { disc, "moveTo", { 1e15 - 3, 0 }, { 1e15 - 4, 9 } }, { chain, "moveTo", { 9e14, 0 }, { 0, 0 } },
  { box, "transform", { 1e15 - 1, 1, 1 }, { 1e15 - 3, 1, 1 } }, { disc, "transform", { 1e15 - 3, 0, 1 }, { 0, 0, 1 } },
  { box, "rotate", { 0.5 }, { math.pi / 2 } }, { pair, "rotate", { 1, 0, 1e15 } },
  { box, "rotate", { -0.5, 1e15, 0 }, { math.pi, 1e15 - 9, 0 } }, { disc, "rotate", { 1, 1e15, 0 }, { math.pi, 0, 0 } },
  { box, "setRotation", { 0.5 }, { math.pi } }, { box, "setRotation", { -0.5, 1e15, 0 } },
  { box, "scale", { 1.5 }, { 0.5 } }, { disc, "scale", { 2 }, { 0.5 } }, { pair, "scale", { 2 }, { 0.5 } },
  { disc, "scale", { 2, 0, 0 }, { 2, 1e15, 0 } }, { box, "scale", { 2, 0, 0 }, { 0.5, 0, 0 } },
  { box, "stretch", { 1.5, 1 }, { 1, 9 } }, { chain, "stretch", { 2, 1 }, { 1, 2 } },
  { box, "setRadius", { 1 }, { 0 } }, { disc, "setRadius", { 5 }, { 3 } }, { pair, "setRadius", { 1 }, { 0 } },
  { wedge, "flip", {}, { true } },
}

describe("no shape gets beyond 1e15", function()
  for i, row in ipairs(CONSTRUCTORS) do
    it(("by %s, %d"):format(row[1], i), function()
      local ok, message = pcall(sat[row[1]], unpack(row[2]))
      assert.is_false(ok)
      assert.truthy(message:find("beyond 1e15", 1, true), message)
      assert.is_true(is_within(sat[row[1]](unpack(row[3]))))
    end)
  end

  for i, row in ipairs(CHANGES) do
    it(("by %s, %d"):format(row[2], i), function()
      local make, name, beyond, up_to = unpack(row, 1, 4)
      local shape, world = make(), sat.world()
      world:add(shape)
      local before, bounds = world:save(), { shape:bounds() }
      local ok, message = pcall(shape[name], shape, unpack(beyond))
      assert.is_false(ok)
      assert.truthy(message:find("beyond 1e15", 1, true), message)
      assert.same(bounds, { shape:bounds() })
      assert.are.equal(before, world:save())
      if up_to then shape[name](shape, unpack(up_to)) end
      assert.is_true(is_within(shape))
    end)
  end

  it("by moves through a world", function()
    for _, make in ipairs { box, disc, pair, chain } do
      local world, shape, floor = sat.world(), make(), sat.rectangle(0, 100, 1e15, 10)
      world:add(shape, floor)
      local before = world:save()
      for _, name in ipairs { "move", "check", "carry" } do
        assert.is_false((pcall(world[name], world, shape, 1, 0)), name)
        assert.are.equal(before, world:save())
        assert.is_true((pcall(world[name], world, shape, -1, 0)), name)
        world:load(before)
      end
      assert.is_false((pcall(world.carry, world, floor, 1, 0)))
      assert.are.equal(before, world:save())
    end
  end)
  it("by being pushed apart, or as a clone or a piece", function()
    local world, a, b = sat.world(), disc(), disc():move(-1, 0)
    world:add(a, b):separate(5)
    assert.is_true(is_within(a) and is_within(b))
    local clone = a:clone()
    assert.is_false((pcall(clone.move, clone, 8, 0)))
    for _, piece in ipairs(pair():pieces()) do assert.is_true(is_within(piece)) end
  end)

  -- Shapes and numbers of all sizes: each call ends within the limits or changes nothing.
  it("by any sequence of calls", function()
    local random = 1
    local function below(n) random = random * 16807 % 2147483647 return random % n end
    local function coordinate() return (below(2) * 2 - 1) * ({ 0, 1e15, 1e15 - 1, 5e14, 3, 9e14 })[1 + below(6)] end
    local function length() return ({ 1, 1e14, 5e14, 1e15, 0.5, 1e-3 })[1 + below(6)] end
    local makers = {
      function() return sat.circle(coordinate(), coordinate(), length()) end,
      function() return sat.rectangle(coordinate(), coordinate(), length(), length(), below(4)) end,
      function() return sat.capsule(coordinate(), coordinate(), coordinate(), coordinate(), length()) end,
      function() return sat.regular(coordinate(), coordinate(), length(), 3 + below(5)) end,
      function() return sat.ellipse(coordinate(), coordinate(), length(), length()) end,
      function() return sat.chain({ coordinate(), coordinate(), coordinate(), coordinate() }, false) end,
      function()
        return sat.compound(sat.circle(coordinate(), 0, length()), sat.circle(coordinate(), coordinate(), length()))
      end,
    }
    local calls = {
      function(s) s:move(coordinate(), coordinate()) end, function(s) s:moveTo(coordinate(), coordinate()) end,
      function(s) s:rotate(below(7)) end, function(s) s:rotate(below(7), coordinate(), coordinate()) end,
      function(s) s:setRotation(below(7), coordinate(), 0) end,
      function(s) s:transform(coordinate(), coordinate(), below(7)) end,
      function(s) s:scale(({ 0.5, 2, 1e3, 1e-3 })[1 + below(4)]) end,
      function(s) s:scale(2 - below(2) * 1.5, coordinate(), coordinate()) end,
      function(s) s:stretch(({ 0.5, 2 })[1 + below(2)], 1 + below(2)) end,
      function(s) s:flip(below(2) == 1) end, function(s) s:setRadius(length()) end,
    }
    local accepted, refused, made = {}, {}, 0
    for _ = 1, 3000 do
      local ok, shape = pcall(makers[1 + below(#makers)])
      if ok then
        made = made + 1
        local world = sat.world():add(shape)
        assert.is_true(is_within(shape))
        for _ = 1, 8 do
          local before, k = world:save(), 1 + below(#calls)
          local done = pcall(calls[k], shape)
          local list = done and accepted or refused
          list[k] = (list[k] or 0) + 1
          assert.is_true(is_within(shape))
          if not done then assert.are.equal(before, world:save()) end
        end
      end
    end
    assert.is_true(made > 500)
    for k = 1, #calls do assert.is_true((accepted[k] or 0) > 20 and (refused[k] or 0) > 20, "call " .. k) end
  end)

  it("refuses a way out of two crowds that would take more than 128 MB, and changes nothing", function()
    local function crowd(seed)
      local members, state = {}, seed
      local function below(n)
        state = (state * 16807) % 2147483647
        return state / 2147483647 * n
      end
      for i = 1, 1200 do members[i] = sat.rectangle(below(4), below(4), 60, 20, below(7)) end
      return sat.compound(members)
    end
    local a, b = crowd(1), crowd(2)
    local world = sat.world():add(a, b)
    local before = world:save()
    for _, call in ipairs { function() return a:collide(b) end, function() return world:collide(a) end,
      function() return world:separate() end } do
      local done, message = pcall(call)
      assert.is_false(done)
      assert.matches("too many pieces of two shapes overlap in one place", message, 1, true)
      assert.are.equal(before, world:save())
    end
    assert.is_true(a:overlaps(b))
  end)
end)
