-- sat.quadtree: what it finds, in which order, and what loops over it see of changes.
local sat = require "sat"
local support = require "spec.support"

local unpack = table.unpack or unpack

local function tree(...) return sat.quadtree(0, 0, 800, 600, ...) end

-- What a loop gives, as a list of lists.
local function all(next_one, state, first)
  local list = {}
  local function collect(...)
    if (...) == nil then return false end
    list[#list + 1] = { ... }
    return true
  end
  while collect(next_one(state, first)) do first = list[#list][1] end
  return list
end

local function pairs_of(q) return all(q:pairs()) end

-- The pairs as "a-b" with the lesser name first, sorted.
local function names_of(q)
  local names = {}
  for first, second in q:pairs() do
    local a, b = tostring(first), tostring(second)
    names[#names + 1] = a < b and a .. "-" .. b or b .. "-" .. a
  end
  table.sort(names)
  return table.concat(names, " ")
end

describe("sat.quadtree", function()
  it("makes an empty tree", function()
    local q = tree()
    assert.equal("quadtree", sat.type(q))
    assert.equal(0, q:count())
    assert.equal(0, #q)
    assert.same({}, (q:retrieve(-1e6, -1e6, 2e6, 2e6)))
    assert.same({}, pairs_of(q))
    assert.same({}, all(q:nodes()))
    assert.is_nil(q:nearest(0, 0))
    assert.is_nil(q:raycast(0, 0, 9, 9))
  end)

  it("takes options, none of which changes an answer", function()
    local options = { false, {}, { capacity = 1 }, { depth = 0 }, { capacity = 1000000, depth = 32 } }
    local answers = {}
    for i, option in ipairs(options) do
      local q = sat.quadtree(-5, -5, 0.25, 1e9, option or nil)
      for k = 1, 50 do q:insert(k, k % 7, k % 11, k % 3, 1) end
      answers[i] = { q:retrieve(2, 2, 3, 3), names_of(q), { q:nearest(9, 9) } }
      assert.same(answers[1], answers[i])
    end
  end)

  it("reads its options without calling anything", function()
    local function refuse() error("asked") end
    assert.equal(0, #tree(setmetatable({ depth = 3 }, { __index = refuse, __pairs = refuse })))
  end)

  it("is written as what it is", function()
    local q = sat.quadtree(-1.5, 0, 3, 2)
    assert.equal("sat.quadtree (0 items) at -1.5, 0, 3 by 2", tostring(q))
    assert.equal("sat.quadtree (1 item) at -1.5, 0, 3 by 2", tostring(q:insert("a", 0, 0, 1, 1)))
    assert.equal("sat.quadtree (2 items) at -1.5, 0, 3 by 2", tostring(q:insert("b", 0, 0, 1, 1)))
  end)

  it("is equal to itself alone", function()
    local q = tree()
    assert.is_true(q == q)
    assert.is_false(q == tree())
  end)

  it("hides its metatable, and what belongs to the collector", function()
    local q = tree()
    assert.equal("sat.quadtree", getmetatable(q))
    assert.has_error(function() setmetatable(q, {}) end)
    for _, name in ipairs { "__gc", "__index", "__len", "__close", 1, 2, 3, 4 } do assert.is_nil(q[name]) end
    assert.has_error(function() return q.name end)
    local _, cursor = q:pairs()
    assert.equal("sat.cursor", getmetatable(cursor))
    assert.equal("userdata", type(cursor))
    assert.has_error(function() return cursor.tree end)
    assert.is_nil(sat.type(cursor))
  end)
end)

describe("an item", function()
  local things = { "text", "", 0, 1, -1.5, 1e300, 1 / 0, true, false, {}, print, io.stdout, sat.point(1, 2),
    coroutine.create(function() end) }

  it("may be any value but nil and NaN", function()
    local q = tree()
    for i, thing in ipairs(things) do assert.equal(q, q:insert(thing, 10 * i, 2, 3, 4)) end
    q:insert(q, 999, 2, 3, 4)
    assert.equal(#things + 1, #q)
    for i, thing in ipairs(things) do
      assert.is_true(q:has(thing))
      assert.same({ 10 * i, 2, 3, 4 }, { q:get(thing) })
      assert.is_true(rawequal(thing, q:retrieve(10 * i, 2, 0, 0)[1]))
      assert.is_true(rawequal(thing, (q:nearest(10 * i, 0))))
    end
    assert.is_true(q:remove(q))
    for _, thing in ipairs(things) do
      assert.is_true(q:remove(thing))
      assert.is_false(q:has(thing))
      assert.is_false(q:remove(thing))
      assert.is_nil(q:get(thing))
    end
    assert.equal(0, #q)
  end)

  it("is found by identity, not by what its metatable says", function()
    local same = { __eq = function() return true end, __index = function() error("asked") end,
      __newindex = function() error("asked") end, __len = function() return 7 end }
    local a, b = setmetatable({}, same), setmetatable({}, same)
    local q = tree():insert(a, 0, 0, 1, 1)
    assert.is_false(q:has(b))
    q:insert(b, 5, 5, 1, 1)
    assert.is_true(rawequal(a, (q:nearest(0, 0))))
    assert.is_true(rawequal(b, (q:nearest(9, 9))))
  end)

  it("that is a number is the same however it is written", function()
    local q = tree():insert(1, 0, 0, 1, 1):insert(2 ^ 53, 0, 0, 1, 1):insert(-0.0, 5, 5, 1, 1)
    assert.is_true(q:has(1.0) and q:has(9007199254740992) and q:has(0))
    assert.is_false(q:has("1"))
    assert.has_error(function() q:insert(1.0, 0, 0, 1, 1) end)
    assert.is_true(q:remove(1.0))
    assert.is_false(q:has(1))
  end)

  it("is in once", function()
    local q = tree():insert("a", 0, 0, 1, 1)
    assert.has_error(function() q:insert("a", 5, 5, 1, 1) end)
    assert.same({ 0, 0, 1, 1 }, { q:get("a") })
    assert.equal(1, #q)
  end)

  it("has its box back as it was given", function()
    local q, boxes = tree(), { { 0.1, -0.2, 0.3, 0 }, { 1e15, -1e15, 0, 1e15 }, { -0.0, 0, -0.0, 5e-324 } }
    for i, box in ipairs(boxes) do
      q:insert(i, unpack(box))
      assert.same({ box[1] + 0, box[2] + 0, box[3] + 0, box[4] + 0 }, { q:get(i) })
      q:update(i, unpack(boxes[1])):update(i, unpack(box))
      assert.same({ box[1] + 0, box[2] + 0, box[3] + 0, box[4] + 0 }, { q:get(i) })
    end
    assert.equal("0", ("%g"):format((q:get(3))))
  end)

  it("that is a shape brings its bounds of now", function()
    local ball = sat.circle(10, 10, 5)
    local q = tree():insert(ball)
    assert.same({ 5, 5, 10, 10 }, { q:get(ball) })
    ball:move(1, 0)
    assert.same({ 5, 5, 10, 10 }, { q:get(ball) })
    assert.same({ 6, 5, 10, 10 }, { q:update(ball):get(ball) })
    assert.same({ ball }, (q:retrieve(ball)))
    assert.same({ ball }, (q:retrieve(sat.point(16, 15))))
    assert.same({ 1, 2, 3, 4 }, { q:update(ball, 1, 2, 3, 4):get(ball) })
    local tilted = sat.regular(0.1, 0.7, 3.3, 7, 0.3)
    assert.same({ tilted:bounds() }, { q:insert(tilted):get(tilted) })
  end)

  it("may be removed and inserted again, many times", function()
    local q = tree()
    for i = 1, 300 do q:insert(i, i, i, 1, 1) end
    for round = 1, 5 do
      for i = round, 300, round do assert.is_true(q:remove(i)) end
      for i = round, 300, round do q:insert(i, -i, round, 1, 1) end
    end
    assert.equal(300, #q)
    for i = 1, 300 do assert.equal(-i, (q:get(i))) end
  end)
end)

describe("quadtree:clear", function()
  it("leaves nothing, and the tree as good as new", function()
    local q = tree()
    for round = 1, 5 do
      for i = 1, 500 do q:insert(i, i, round, 2, 2) end
      assert.equal(q, q:clear())
      assert.equal(0, #q)
      assert.is_false(q:has(1))
      assert.same({}, (q:retrieve(0, 0, 1e6, 1e6)))
      assert.same({}, pairs_of(q))
    end
  end)

  it("keeps the order of insertion, with many items or few", function()
    local q = tree()
    for i = 1, 3000 do q:insert(i, 0, 0, 1, 1) end
    for _ = 1, 2995 do q:remove((q:nearest(0, 0))) end
    q:clear()
    for _, name in ipairs { "c", "a", "b" } do q:insert(name, 0, 0, 1, 1) end
    assert.same({ "c", "a", "b" }, (q:retrieve(0, 0, 1, 1)))
  end)
end)

describe("quadtree:retrieve", function()
  it("finds what overlaps or touches the box, once each and in the order of insertion", function()
    local q = tree():insert("left", 0, 0, 10, 10):insert("right", 10, 0, 10, 10):insert("dot", 10, 10, 0, 0)
      :insert("line", -5, 5, 100, 0):insert("far", 20.5, 0, 5, 5)
    assert.same({ "left", "right", "dot", "line" }, (q:retrieve(10, 5, 0, 5)))
    assert.same({ "left", "line" }, (q:retrieve(-5, -5, 14, 14)))
    assert.same({ "right", "line" }, (q:retrieve(20, 0, 0.25, 600)))
    assert.same({ "left", "right", "dot" }, (q:retrieve(10, 10, 0, 0)))
    assert.same({}, (q:retrieve(100, 100, 5, 5)))
  end)

  it("finds what is outside the area", function()
    local q = sat.quadtree(0, 0, 10, 10):insert("here", 5, 5, 1, 1):insert("there", -1e7, 1e7, 1, 1)
      :insert("all", -1e8, -1e8, 2e8, 2e8)
    assert.same({ "there", "all" }, (q:retrieve(-1e7, 1e7, 0.5, 0.5)))
    assert.same({ "all" }, (q:retrieve(500, 500, 1, 1)))
    assert.same({ "here", "there", "all" }, (q:retrieve(-1e8, -1e8, 2e8, 2e8)))
  end)

  it("returns a new list, or the one it was given, and how many there are", function()
    local q = tree():insert("a", 0, 0, 1, 1):insert("b", 0, 0, 1, 1)
    local list, n = q:retrieve(0, 0, 1, 1)
    assert.equal(2, n)
    assert.not_equal(list, (q:retrieve(0, 0, 1, 1)))
    local out = { "old", "old", "old", "old", other = "kept" }
    local same, count = q:retrieve(0, 0, 1, 1, out)
    assert.equal(out, same)
    assert.equal(2, count)
    assert.same({ "a", "b", other = "kept" }, out)
    assert.equal(2, #out)
    assert.equal(out, (q:retrieve(sat.point(5, 5), out)))
    assert.same({ other = "kept" }, out)
  end)

  it("fills the list past any metatable", function()
    local function refuse() error("asked") end
    local out = setmetatable({ 1, 2, 3 }, { __newindex = refuse, __index = refuse, __len = refuse })
    tree():insert("a", 0, 0, 1, 1):retrieve(0, 0, 1, 1, out)
    assert.equal("a", rawget(out, 1))
    assert.is_nil(rawget(out, 2))
  end)

  it("finds a shape itself, which may be in or not", function()
    local box, other = sat.rectangle(0, 0, 10, 10), sat.rectangle(10, 10, 5, 5)
    local q = tree():insert(box)
    assert.same({ box }, (q:retrieve(box)))
    assert.same({ box }, (q:retrieve(other)))
    assert.same({}, (q:retrieve(other:move(1, 0))))
  end)
end)

describe("quadtree:neighbors", function()
  it("finds what overlaps an item, but not the item", function()
    local q = tree():insert("a", 0, 0, 10, 10):insert("b", 10, 10, 1, 1):insert("c", 11.5, 10, 1, 1)
    assert.same({ "b" }, (q:neighbors("a")))
    local out, n = q:neighbors("b", { 1, 2, 3 })
    assert.same({ "a" }, out)
    assert.equal(1, n)
    assert.same({}, (q:neighbors("c")))
    assert.same({ "a", "b" }, (q:update("c", 0, 0, 20, 20):neighbors("c")))
  end)
end)

describe("quadtree:pairs", function()
  it("gives every overlapping pair once, touching ones too", function()
    local q = tree():insert("a", 0, 0, 10, 10):insert("b", 10, 0, 10, 10):insert("c", 20.5, 0, 10, 10)
      :insert("d", 5, 10, 16, 1)
    assert.equal("a-b a-d b-d c-d", names_of(q))
    assert.equal("", names_of(tree():insert("a", 0, 0, 1, 1)))
  end)

  it("passes on false, and items that are equal by their metatable", function()
    local q = tree():insert(false, 0, 0, 1, 1):insert(true, 0, 0, 1, 1)
    local list = pairs_of(q)
    assert.equal(1, #list)
    assert.same({ false, true }, list[1])
    local count = 0
    for a, b in q:pairs() do
      assert.is_true(a == false and b == true)
      count = count + 1
    end
    assert.equal(1, count)
  end)

  it("gives the same order for the same calls", function()
    local function run()
      local q = tree()
      for i = 1, 200 do q:insert(i, i * 37 % 101, i * 53 % 89, i % 9, i % 5) end
      for i = 1, 200, 3 do q:remove(i) end
      for i = 2, 200, 3 do q:update(i, i * 17 % 101, i, 4, 4) end
      return pairs_of(q)
    end
    assert.same(run(), run())
  end)

  it("may be nested, over the same tree or another", function()
    local q, other = tree(), tree()
    for i = 1, 4 do
      q:insert(i, 0, 0, 1, 1)
      other:insert(-i, 0, 0, 1, 1)
    end
    local count = 0
    for _ in q:pairs() do
      for _ in other:pairs() do
        for _ in q:pairs() do
          for x in q:nodes() do if x then break end end
          count = count + 1
        end
      end
    end
    assert.equal(216, count)
  end)

  it("may run in coroutines at once", function()
    local q = tree()
    for i = 1, 5 do q:insert(i, 0, 0, 1, 1) end
    local expected = names_of(q)
    local threads, found = {}, {}
    for i = 1, 20 do
      found[i] = {}
      threads[i] = coroutine.wrap(function()
        for _ = 1, 2 do
          for a, b in q:pairs() do
            found[i][#found[i] + 1] = a < b and a .. "-" .. b or b .. "-" .. a
            coroutine.yield()
          end
        end
      end)
    end
    for step = 1, 21 do
      for i = 1, 20 do if (step + i) % 20 ~= 1 or step == 21 then threads[i]() end end
    end
    for i = 1, 20 do
      local names = {}
      for k = 1, 10 do names[k] = found[i][k] end
      table.sort(names)
      assert.equal(expected, table.concat(names, " "))
    end
  end)

  -- A tree of which all items overlap.
  local function heap(n)
    local q = tree()
    for i = 1, n do q:insert(i, 0, 0, 1, 1) end
    return q
  end

  it("skips what was removed since it began", function()
    local q, seen = heap(10), 0
    for a, b in q:pairs() do
      assert.is_true(q:has(a) and q:has(b))
      q:remove(a)
      seen = seen + 1
    end
    assert.is_true(seen > 0 and seen <= 9)
    q = heap(10)
    for _ in q:pairs() do q:clear() end
    assert.equal(0, #q)
  end)

  it("does not take an item for one that was removed, whose number it has", function()
    local q, seen = heap(10), 0
    for a, b in q:pairs() do
      assert.equal("number", type(a))
      assert.equal("number", type(b))
      for i = 1, 10 do q:remove(i) end
      for i = 1, 10 do if not q:has("new" .. i) then q:insert("new" .. i, 0, 0, 1, 1) end end
      seen = seen + 1
    end
    assert.equal(1, seen)
    assert.equal(45, #pairs_of(q))
  end)

  it("takes an item that was removed and inserted again for a new one", function()
    local q, seen = heap(6), 0
    for a, b in q:pairs() do
      seen = seen + 1
      q:remove(a)
      q:remove(b)
      q:insert(b, 0, 0, 1, 1):insert(a, 0, 0, 1, 1)
    end
    assert.equal(3, seen)
  end)

  it("shows none that were inserted, and those that were moved as they overlapped when it began", function()
    local q, seen = heap(5), 0
    for a, b in q:pairs() do
      seen = seen + 1
      q:update(a, 100 * a, 0, 1, 1):update(b, 100 * b, 0, 1, 1):insert({}, 0, 0, 1, 1)
    end
    assert.equal(10, seen)
    assert.equal(15, #q)
    assert.equal(45, #pairs_of(q))
  end)

  it("goes on after a loop inside it has changed everything", function()
    local q, seen = heap(8), 0
    for a in q:pairs() do
      seen = seen + 1
      for c, d in q:pairs() do
        if c ~= a and d ~= a then q:remove(c) end
        if c ~= a then break end
      end
      for i = 1, 3 do q:insert({ i }, 0, 0, 1, 1) end
    end
    assert.is_true(seen >= 1 and seen < 28)
  end)

  it("may be left by break, error, return and goto a coroutine that is never resumed", function()
    local q = heap(10)
    local expected = names_of(q)
    local function leave() for a in q:pairs() do if a then return a end end end
    for _ = 1, 50 do
      for a in q:pairs() do if a then break end end
      pcall(function() for _ in q:pairs() do error("away") end end)
      coroutine.wrap(function() for _ in q:pairs() do coroutine.yield() end end)()
      leave()
      assert.equal(expected, names_of(q))
    end
  end)

  it("keeps its tree while it runs", function()
    local function loop() return heap(20):pairs() end
    local next_pair, state = loop()
    local seen = 0
    while true do
      collectgarbage()
      local a, b = next_pair(state)
      if a == nil then break end
      assert.is_true(a ~= b and a <= 20 and b <= 20)
      seen = seen + 1
    end
    assert.equal(190, seen)
  end)

  it("raises for a state that is not its own, and ends for one that has ended", function()
    local q = heap(3)
    local next_pair, state = q:pairs()
    local next_node, node_state = q:nodes()
    for _, wrong in ipairs { false, 1, "text", {}, io.stdout, q, sat.point(1, 2), print } do
      assert.error_matches(function() next_pair(wrong, 1) end, "the iterator of 'pairs' needs the state", 1, true)
      assert.error_matches(function() next_node(wrong) end, "the iterator of 'nodes' needs the state", 1, true)
    end
    assert.has_error(function() next_pair() end)
    assert.has_error(function() next_pair(nil, state) end)
    assert.has_error(function() next_pair(node_state) end)
    assert.has_error(function() next_node(state) end)
    assert.equal(3, #all(next_pair, state))
    for _ = 1, 10 do
      assert.is_nil(next_pair(state, "what", "ever", {}))
      assert.same({}, all(next_pair, state))
    end
    assert.is_true(#all(next_node, node_state) > 0)
    assert.is_nil(next_node(node_state))
  end)

  it("stands a state that others use, too", function()
    local q = heap(6)
    local expected = names_of(q)
    local next_pair, state = q:pairs()
    all(next_pair, state)
    -- The state is another loop's now, which loses what is taken from it, and no more.
    local seen = 0
    for _ in q:pairs() do
      next_pair(state)
      next_pair(state, 5)
      seen = seen + 1
    end
    assert.is_true(seen == 5 or seen == 15)
    for _ in q:pairs() do
      while next_pair(state) do end -- ends the loop under way, and starts another on the same cursor
      for _ in q:pairs() do next_pair(state) end
    end
    assert.equal(expected, names_of(q))
    assert.equal(6, #q)
  end)

  it("stands a state that is closed again and again", function()
    local loader = loadstring or load -- luacheck: ignore
    local chunk = loader([[
      local q, next_pair = ...
      for _ in q:pairs() do
        local _, state = q:pairs()
        do local a <close> = state end
        do local a <close> = state end
        for _ in q:pairs() do
          do local a <close> = state end
          next_pair(state)
        end
        next_pair(state)
      end
    ]])
    if not chunk then return end -- this Lua knows no such variables
    local q = heap(5)
    local expected = names_of(q)
    for _ = 1, 20 do chunk(q, (q:pairs())) end
    assert.equal(expected, names_of(q))
  end)
end)

describe("quadtree:raycast", function()
  local q = tree():insert("near", 10, 0, 10, 10):insert("far", 30, 0, 10, 10):insert("off", 10, 20, 30, 5)
    :insert("wall", 20, -100, 0, 200)

  it("gives the first item that the segment meets, and the fraction of the way", function()
    assert.same({ "near", 0.25 }, { q:raycast(0, 5, 40, 5) })
    assert.same({ "far", 0.25 }, { q:raycast(50, 5, 10, 5) })
    assert.same({ "near", 0 }, { q:raycast(15, 5, 100, 5) })
    assert.is_nil(q:raycast(0, 15, 9, 15))
    assert.equal(1, select("#", q:raycast(0, 15, 9, 15)))
  end)

  it("counts touching, along a side, at a corner and with the end", function()
    assert.same({ "near", 0.5 }, { q:raycast(0, 10, 20, 10) })
    assert.same({ "near", 0.5 }, { q:raycast(0, 20, 20, 0) })
    assert.same({ "near", 1 }, { q:raycast(0, 5, 10, 5) })
  end)

  it("without length is a point", function()
    assert.same({ "near", 0 }, { q:raycast(15, 5, 15, 5) })
    assert.is_nil(q:raycast(15, 15, 15, 15))
  end)

  it("gives false when that is what it hits, and the item that came first of two at once", function()
    local other = tree():insert(false, 5, 0, 1, 1):insert("b", 5, 0, 2, 2)
    assert.same({ false, 0.5 }, { other:raycast(0, 0, 10, 0) })
  end)

  it("gives all, first to last, and of those met at once first the one that came first", function()
    assert.same({ "near", "wall", "far" }, (q:raycastAll(0, 5, 100, 5)))
    assert.same({ "far", "near", "wall" }, (q:raycastAll(40, 5, 0, 5)))
    local out, n = q:raycastAll(0, 5, 15, 5, { 1, 2, 3 })
    assert.same({ "near" }, out)
    assert.equal(1, n)
    local same = tree()
    for i = 1, 100 do same:insert(i, i % 2, 0, 5, 5) end
    local list = same:raycastAll(-5, 1, 5, 1)
    for i = 1, 50 do
      assert.equal(2 * i, list[i])
      assert.equal(2 * i - 1, list[50 + i])
    end
  end)
end)

describe("quadtree:nearest", function()
  local q = tree():insert("box", 0, 0, 10, 10):insert("dot", 20, 0, 0, 0):insert("inner", 4, 4, 2, 2)
    :insert("far", 1e7, 1e7, 1, 1)

  it("gives the item whose box is nearest, and how far it is", function()
    assert.same({ "dot", 4 }, { q:nearest(16, 0) })
    assert.same({ "box", 5 }, { q:nearest(13, 14) })
    assert.same({ "box", 0 }, { q:nearest(5, 5) })
    assert.same({ "far", 0 }, { q:nearest(1e7, 1e7) })
    assert.same({ "box", 5 }, { q:nearest(15, 0) })
    assert.is_nil(tree():nearest(1, 1))
    assert.equal(1, select("#", tree():nearest(1, 1)))
  end)

  it("gives the k nearest, of equally near ones first the one that came first", function()
    assert.same({ "box" }, (q:nearestAll(15, 0, 1)))
    assert.same({ "box", "dot" }, (q:nearestAll(15, 0, 2)))
    assert.same({ "dot", "box", "inner", "far" }, (q:nearestAll(20, 1, 100)))
    assert.same({ "box", "inner", "dot" }, (q:nearestAll(5, 5, 3)))
    local out, n = q:nearestAll(5, 5, 1, { 1, 2, 3, 4, 5 })
    assert.same({ "box" }, out)
    assert.equal(1, n)
    assert.same({}, (q:nearestAll(5, 5, 0)))
    assert.same({}, (tree():nearestAll(5, 5, 4294967295)))
  end)
end)

describe("quadtree:build", function()
  it("adds a list of items to what is there, and returns the tree", function()
    local q = tree():insert("old", 1, 1, 1, 1)
    assert.equal(q, q:build({ "a", false, 3 }, { 0, 0, 1, 1, 5, 5, 2, 2, 10, 0, 0, 0 }))
    assert.equal(4, #q)
    assert.same({ 5, 5, 2, 2 }, { q:get(false) })
    assert.same({ "old", "a", false, 3 }, (q:retrieve(0, 0, 100, 100)))
    assert.equal("a-old", names_of(q))
    assert.equal(4, #q:build({}, {}))
  end)

  it("gives what as many inserts would", function()
    local items, boxes, one, many = {}, {}, tree(), tree()
    for i = 1, 1000 do
      items[i] = "item" .. i
      local box = { i * 37 % 801, i * 53 % 601, i % 13, i % 7 }
      for k = 1, 4 do boxes[4 * i - 4 + k] = box[k] end
      many:insert(items[i], unpack(box))
    end
    one:build(items, boxes)
    assert.equal(names_of(many), names_of(one))
    assert.same(many:retrieve(100, 100, 300, 50), (one:retrieve(100, 100, 300, 50)))
    for _, item in ipairs(items) do assert.same({ many:get(item) }, { one:get(item) }) end
  end)

  it("leaves a tree as it was where an item is refused, whatever numbers are free, and while a loop runs", function()
    local random = support.generator(support.SEED)
    local q, present, names, serial = tree(), {}, {}, 0
    local function new_name()
      serial = serial + 1
      return "item " .. serial
    end
    local function new_box() return { random(0, 90), random(0, 90), random(0, 9), random(0, 9) } end
    local function add(name, box) names[#names + 1], present[name] = name, box end
    -- Puts what is no new item into a list of some: nothing, NaN, an item of the list, or one of the tree.
    local function spoil(items)
      local place, fault = random(1, #items), random(1, 4)
      if fault == 3 and place == 1 or fault == 4 and not names[1] then fault = 1 end
      items[place] = ({ nil, 0 / 0, items[place - 1], names[1] })[fault]
    end
    for step = 1, 400 do
      local items, boxes, flat = {}, {}, {}
      for i = 1, random(1, 6) do
        items[i], boxes[i] = new_name(), new_box()
        for _, number in ipairs(boxes[i]) do flat[#flat + 1] = number end
      end
      if random(1, 2) == 1 then
        q:build(items, flat)
        for i, name in ipairs(items) do add(name, boxes[i]) end
      else
        local loop, state = q:pairs()
        spoil(items)
        assert.is_false(pcall(q.build, q, items, flat))
        if random(1, 2) == 1 then
          add(new_name(), new_box())
          q:insert(names[#names], unpack(present[names[#names]]))
        end
        for a, b in loop, state do assert.is_true(present[a] and present[b] and true) end
      end
      for _ = 1, random(0, 8) do
        local name = names[1] and table.remove(names, random(1, #names))
        if name then assert.is_true(q:remove(name)) end
        if name then present[name] = nil end
      end
      local message = "step " .. step
      assert.equal(#names, #q, message)
      for _, name in ipairs(names) do assert.same(present[name], { q:get(name) }, message) end
      local found, count = q:retrieve(0, 0, 100, 100)
      assert.equal(#names, count, message)
      for _, name in ipairs(found) do assert.is_not_nil(present[name], message) end
    end
  end)

  it("reuses what was removed, and works again after clear", function()
    local q = tree():build({ 1, 2, 3 }, { 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1 })
    q:remove(2)
    q:build({ "x", "y" }, { 0, 0, 1, 1, 0, 0, 1, 1 })
    assert.equal("1-3 1-x 1-y 3-x 3-y x-y", names_of(q))
    assert.equal("1-2", names_of(q:clear():build({ 1, 2 }, { 0, 0, 1, 1, 0, 0, 1, 1 })))
  end)
end)

describe("quadtree:nodes", function()
  local function nodes_of(q)
    local nodes = {}
    for x, y, w, h, level, count in q:nodes() do
      nodes[#nodes + 1] = { x = x, y = y, w = w, h = h, level = level, count = count }
    end
    return nodes
  end

  local function is_inside(node, parent)
    return node.w * 2 == parent.w and node.h * 2 == parent.h and node.x >= parent.x and node.y >= parent.y
      and node.x + node.w <= parent.x + parent.w and node.y + node.h <= parent.y + parent.h
  end

  it("gives the tree from its root to the parts that hold items", function()
    for capacity = 1, 9, 8 do
      local q = sat.quadtree(0, 0, 1024, 1024, { capacity = capacity })
      for i = 0, 99 do q:insert(i, i % 10 * 100, math.floor(i / 10) * 100, 20, 20) end
      local nodes, held = nodes_of(q), 0
      assert.same({ x = 0, y = 0, w = 1024, h = 1024, level = 0, count = 0 }, nodes[1])
      for i, node in ipairs(nodes) do
        local parents = 0
        for _, other in ipairs(nodes) do
          if other.level == node.level - 1 and is_inside(node, other) then parents = parents + 1 end
        end
        assert.equal(i == 1 and 0 or 1, parents)
        held = held + node.count
      end
      assert.equal(100, held)
    end
  end)

  it("shows the capacity and the depth that were given, which change no answer", function()
    local counts, expected = {}, nil
    for _, options in ipairs { { capacity = 1 }, { capacity = 16 }, { capacity = 1, depth = 2 }, { depth = 0 }, {} } do
      local q = sat.quadtree(0, 0, 1024, 1024, options)
      for i = 0, 399 do q:insert(i, i % 20 * 50, math.floor(i / 20) * 50, 12, 12) end
      local nodes, deepest = nodes_of(q), 0
      for _, node in ipairs(nodes) do deepest = math.max(deepest, node.level) end
      if options.depth then assert.equal(options.depth, deepest) end
      counts[#counts + 1] = #nodes
      local found = q:retrieve(130, 130, 300, 200)
      expected = expected or found
      assert.same(expected, found)
    end
    assert.is_true(counts[1] > counts[2] and counts[2] > counts[3])
    assert.equal(1, counts[4])
  end)

  it("goes on as it began when items are removed meanwhile", function()
    local q = tree({ capacity = 2 })
    for i = 0, 99 do q:insert(i, i % 10 * 80, math.floor(i / 10) * 60, 20, 20) end
    local expected, seen = #all(q:nodes()), 0
    for _ in q:nodes() do
      q:clear()
      seen = seen + 1
    end
    assert.equal(expected, seen)
    assert.equal(0, #all(q:nodes()))
  end)
end)

-- ---------------------------------------------------------------- against a plain list

-- Random numbers that are the same on every Lua: Park and Miller, 1988.
local function random_from(seed)
  return function(limit)
    seed = seed * 16807 % 2147483647
    return seed % limit
  end
end

local function overlaps(a, b)
  return a[1] <= b[1] + b[3] and b[1] <= a[1] + a[3] and a[2] <= b[2] + b[4] and b[2] <= a[2] + a[4]
end

local function distance(box, x, y)
  local dx = math.max(box[1] - x, x - (box[1] + box[3]), 0)
  local dy = math.max(box[2] - y, y - (box[2] + box[4]), 0)
  return math.sqrt(dx * dx + dy * dy)
end

-- Where a segment enters a box, or nil. Exact where the coordinates are small halves.
local function enters(box, x1, y1, x2, y2)
  local dx, dy, t = x2 - x1, y2 - y1, 0
  local left, top, right, bottom = box[1], box[2], box[1] + box[3], box[2] + box[4]
  if math.max(x1, x2) < left or math.min(x1, x2) > right then return nil end
  if math.max(y1, y2) < top or math.min(y1, y2) > bottom then return nil end
  local sides = { (left - x1) * dy - (top - y1) * dx, (right - x1) * dy - (top - y1) * dx,
    (left - x1) * dy - (bottom - y1) * dx, (right - x1) * dy - (bottom - y1) * dx }
  if math.min(unpack(sides)) > 0 or math.max(unpack(sides)) < 0 then return nil end
  if dx ~= 0 then t = math.max(t, ((dx > 0 and left or right) - x1) / dx) end
  if dy ~= 0 then t = math.max(t, ((dy > 0 and top or bottom) - y1) / dy) end
  return t
end

local function identity(value) return type(value) .. tostring(value) end

describe("a tree and a plain list", function()
  -- Draws a box: on a coarse grid, all in one spot, on a line, or of very different sizes and places.
  local PLACES = {
    grid = function(random) return { random(33) / 2 - 8, random(33) / 2 - 8, random(5) / 2, random(5) / 2 } end,
    spot = function(random) return { 3, 3, random(2), random(2) } end,
    line = function(random) return { random(1000) / 2, 7, random(3), 0 } end,
    wide = function(random)
      local size = 4 ^ random(8)
      return { (random(2001) - 1000) * size / 8, (random(2001) - 1000) * size / 8, random(5) * size, random(5) * size }
    end,
    far = function(random)
      local far = random(4) == 0 and 1e7 or 0
      return { random(100) + far, random(100) - far, random(9), random(9) }
    end,
  }

  local function new_item(random, serial)
    local choice = { "s" .. serial, { serial }, sat.point(serial, 0), serial + 0.5, -serial, serial }
    return choice[random(#choice) + 1]
  end

  -- The items of the model that a function accepts, as sorted text; of a list, the same.
  local function select_text(model, accept)
    local list = {}
    for item, box in pairs(model) do if accept(box, item) then list[#list + 1] = identity(item) end end
    table.sort(list)
    return table.concat(list, " ")
  end
  local function list_text(items, n)
    local list = {}
    for i = 1, n do list[i] = identity(items[i]) end
    table.sort(list)
    return table.concat(list, " ")
  end

  local function check_pairs(q, model)
    local expected, found = {}, {}
    local items = {}
    for item in pairs(model) do items[#items + 1] = item end
    for i = 1, #items do
      for k = i + 1, #items do
        if overlaps(model[items[i]], model[items[k]]) then
          local a, b = identity(items[i]), identity(items[k])
          expected[#expected + 1] = a < b and a .. " " .. b or b .. " " .. a
        end
      end
    end
    for first, second in q:pairs() do
      local a, b = identity(first), identity(second)
      found[#found + 1] = a < b and a .. " " .. b or b .. " " .. a
    end
    table.sort(expected)
    table.sort(found)
    assert.equal(table.concat(expected, "\n"), table.concat(found, "\n"))
  end

  local function check_rays(q, model, random)
    local x1, y1, x2, y2 = random(41) / 2 - 10, random(41) / 2 - 10, random(41) / 2 - 10, random(41) / 2 - 10
    local found, n = q:raycastAll(x1, y1, x2, y2)
    assert.equal(select_text(model, function(box) return enters(box, x1, y1, x2, y2) end), list_text(found, n))
    local before = 0
    for i = 1, n do
      local t = enters(model[found[i]], x1, y1, x2, y2)
      assert.is_true(t >= before - 1e-12)
      before = t
    end
    local first, t = q:raycast(x1, y1, x2, y2)
    assert.equal(found[1], first)
    if n > 0 then assert.is_true(math.abs(t - enters(model[first], x1, y1, x2, y2)) < 1e-12) end
  end

  local function check_nearest(q, model, random)
    local x, y, k = random(100) / 4, random(100) / 4, random(12)
    local distances = {}
    for _, box in pairs(model) do distances[#distances + 1] = distance(box, x, y) end
    table.sort(distances)
    local found, n = q:nearestAll(x, y, k)
    assert.equal(math.min(k, #distances), n)
    for i = 1, n do
      local d = distance(model[found[i]], x, y)
      assert.is_true(math.abs(d - distances[i]) <= 1e-12 * d)
    end
    local item, d = q:nearest(x, y)
    if #distances == 0 then return assert.is_nil(item) end
    assert.is_true(math.abs(d - distances[1]) <= 1e-12 * d)
    if k > 0 then assert.is_true(rawequal(item, found[1])) end
  end

  local function check(q, model, count, random, place)
    assert.equal(count, #q)
    local window = PLACES[place](random)
    local found, n = q:retrieve(unpack(window))
    assert.equal(select_text(model, function(box) return overlaps(box, window) end), list_text(found, n))
    local _, some = next(found)
    if some ~= nil then
      assert.same(model[some], { q:get(some) })
      found, n = q:neighbors(some)
      assert.equal(select_text(model, function(box, item)
        return item ~= some and overlaps(box, model[some])
      end), list_text(found, n))
    end
    check_nearest(q, model, random)
    if place ~= "wide" then check_rays(q, model, random) end
  end

  -- Each gets the tree, the model, the items as a list, and what a random change needs.
  local function insert(q, model, items, random, place, serial)
    local item, box = new_item(random, serial), PLACES[place](random)
    q:insert(item, unpack(box))
    model[item], items[#items + 1] = box, item
  end
  local function update(q, model, items, random, place)
    if #items == 0 then return end
    local item, box = items[random(#items) + 1], PLACES[place](random)
    q:update(item, unpack(box))
    model[item] = box
  end
  local OPERATIONS = { insert, insert, insert, update, update, update,
    function(q, model, items, random)
      if #items == 0 then return end
      local i = random(#items) + 1
      assert.is_true(q:remove(items[i]))
      model[items[i]] = nil
      items[i] = items[#items]
      items[#items] = nil
    end,
    function(q, model, items, random, place, serial)
      local new, boxes = {}, {}
      for i = 1, random(10) do
        local item, box = "built" .. serial .. " " .. i, PLACES[place](random)
        new[i], model[item], items[#items + 1] = item, box, item
        for k = 1, 4 do boxes[4 * i - 4 + k] = box[k] end
      end
      q:build(new, boxes)
    end,
    function(q, model, items, random)
      if random(60) > 0 then return end
      q:clear()
      for item in pairs(model) do model[item] = nil end
      for i = #items, 1, -1 do items[i] = nil end
    end,
  }

  for _, place in ipairs { "grid", "spot", "line", "wide", "far" } do
    for seed = 1, 2 do
      it(("hold the same after each of 300 random changes: %s, seed %d"):format(place, seed), function()
        local random = random_from(seed * 7919)
        local q = sat.quadtree(-8, -8, 16, 16, { capacity = 1 + random(4), depth = random(9) })
        local model, items = {}, {}
        for step = 1, 300 do
          OPERATIONS[random(#OPERATIONS) + 1](q, model, items, random, place, step)
          check(q, model, #items, random, place)
          if step % 20 == 0 then check_pairs(q, model) end
        end
      end)
    end
  end
end)
