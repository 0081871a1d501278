-- calls.lua: what calls cost from this Lua: nanoseconds, and bytes for the collector.
--
--   calls.lua [part...]    costs, who, frames, collide, loading; all without a name
--
-- costs    the calls that games make most; docs/guides/performance.md has this table and the next
-- who      a ray and the nearest shape by whom they leave out: a mask, a shape, a table of conditions
-- frames   the colliding pairs of some balls that all move, three ways
-- collide  a call of sat.collide, beside HC and bump where they are found, convex and concave; it fails where an L and
--          a hexagon are less than LIMIT times as quick as HC's
-- loading  what it takes to load the module, and to make the fast path of LuaJIT
--
-- LUA_INIT=@.ci/plain.lua leaves that fast path out, and `luajit -joff` the compiler.
-- Times are the least of some rounds in which all take turns, so that a disturbance hits all alike.

local sat = require "sat"

local SHAPES = 64
local ROUNDS, ROUND = 15, 0.004 -- seconds of one contestant in one round
local LIMIT = 5
local STATES = 40 -- in which the module is loaded

local common = dofile "bench/lib/common.lua"
local between, find, jit, load_text = common.between, common.find, common.jit, rawget(_G, "loadstring") or load
local unpack = common.unpack
local compiles = jit and jit.status()
local lua = common.version .. (jit and not compiles and ", its compiler off" or "")

-- ---------------------------------------------------------------- timing

-- A function of its own for each, so that what a compiler learns from one does not hold for another. It does `body` so
-- many times, which counts in `count` how often it has done what it is named for.
local function loop_of(body, names, ...)
  local text = ("local %s = ... return function(times) local count = 0 for _ = 1, times do %s end return count end")
    :format(names, body)
  return assert(load_text(text))(...)
end

-- The same for each pair of a list.
local PAIRS = [[
  local hits = 0
  for i = 1, #list, 2 do
    local a, b = list[i], list[i + 1]
    if %s then hits = hits + 1 end
    count = count + 1
  end]]
local function take(x, y, z, u, v) return x and x + (y or 0) + (z or 0) + (u or 0) + (v or 0) > 0 end
local function loop_of_pairs(call, ask, list) return loop_of(PAIRS:format(call), "ask, list, take", ask, list, take) end

local function seconds(loop, times)
  local start = os.clock()
  local count = loop(times)
  return os.clock() - start, count
end

local function times_for_a_round(loop)
  local times = 4
  while seconds(loop, times) < ROUND / 4 do times = times * 2 end
  return math.floor(math.max(times * ROUND / seconds(loop, times), 1))
end

-- Sets the least time of one, in ns.
local function contest(list)
  for _, one in pairs(list) do one.ns, one.times = math.huge, times_for_a_round(one.loop) end
  for _ = 1, ROUNDS do
    for _, one in pairs(list) do
      local taken, count = seconds(one.loop, one.times)
      one.ns = math.min(one.ns, taken / count * 1e9)
    end
  end
end

-- Bytes that one leaves to the collector.
local function garbage_of(loop)
  local count
  local bytes = common.garbage(function() count = loop(100) end)
  return bytes / count
end

-- ---------------------------------------------------------------- costs

-- Boxes, circles and hexagons by turns; about half of the neighbours in the list meet.
local function make_shapes()
  local list = {}
  for i = 1, SHAPES, 2 do
    local x, y = between(0, 800), between(0, 600)
    list[i] = sat.rectangle(x, y, between(10, 40), between(10, 40), between(0, 6)):setData(i)
    local other_x, other_y = x + between(-30, 40), y + between(-30, 40)
    list[i + 1] = i % 4 == 1 and sat.circle(other_x, other_y, between(5, 20))
      or sat.regular(other_x, other_y, between(5, 20), 6)
  end
  return list
end

-- Each is Lua code about two neighbours a and b, one c that may be moved, and their place i. Those that are to be done
-- but once for all neighbours count for themselves how often they do what they are named for.
local CALLS = {
  { "a:center()", "local x = a:center()" },
  { "a:bounds()", "local x = a:bounds()" },
  { "a:data()", "local x = a:data()" },
  { "a:kind()", "local x = a:kind()" },
  { "a:move(dx, dy)", "c:move(0.5, -0.5)" },
  { "a:moveTo(x, y)", "c:moveTo(3, 4)" },
  { "a:rotate(angle)", "c:rotate(0.5)" },
  { "a:contains(x, y)", "local x = a:contains(3, 4)" },
  { "a:overlaps(b)", "local x = a:overlaps(b)" },
  { "a:collide(b)", "local x = a:collide(b)" },
  { "a:distance(b)", "local x = a:distance(b)" },
  { "a:contacts(b)", "local x = a:contacts(b)" },
  { "a:cast(dx, dy, b)", "local x = a:cast(30, 20, b)" },
  { "a:raycast(x1, y1, x2, y2)", "local x = a:raycast(0, 0, 400, 300)" },
  { "a:vertices(out)", "local x = a:vertices(out)" },
  { "a:vertices()", "local x = a:vertices()" },
  { "a:unpack()", "local x = a:unpack()" },
  { "a:clone()", "local x = a:clone()" },
  { "sat.circle(x, y, radius)", "local x = sat.circle(3, 4, 5)" },
  { "tree:update(shape)", "tree:update(members[i])" },
  { "tree:retrieve(x, y, w, h, out)", "local x = tree:retrieve(i * 9, i * 7, 50, 50, out)" },
  { "tree:retrieve(x, y, w, h)", "local x = tree:retrieve(i * 9, i * 7, 50, 50)" },
  { "tree:pairs(), a pair", "for x, y in tree:pairs() do count = count + 1 end", once = true },
  { "world:raycast(x1, y1, x2, y2)", "local x = world:raycast(i * 9, 0, 400, 600)" },
  { "world:query(x, y, w, h, out)", "local x = world:query(i * 9, i * 7, 50, 50, out)" },
  { "world:collisions(), a pair", "for x, y, dx, dy in world:collisions() do count = count + 1 end", once = true },
}

local function print_costs()
  common.seed(1)
  local shapes, movers, members = make_shapes(), make_shapes(), make_shapes()
  local tree, world, out = sat.quadtree(0, 0, 800, 600), sat.world(), {}
  for _, shape in ipairs(members) do
    tree:insert(shape)
    world:add(shape)
  end
  local empty = { "an empty loop", "" }
  local list = { empty, unpack(CALLS) }
  for _, call in ipairs(list) do
    local body = call.once and call[2] or ([[
      for i = 1, #shapes, 2 do
        local a, b, c = shapes[i], shapes[i + 1], movers[i]
        %s
        count = count + 1
      end]]):format(call[2])
    call.loop = loop_of(body, "sat, shapes, movers, members, tree, world, out", sat, shapes, movers, members, tree,
      world, out)
  end
  contest(list)
  print(("\n%-32s %8s %8s"):format("calls from " .. lua, "ns", "bytes"))
  for i = 2, #list do
    local call = list[i]
    print(("%-32s %8.1f %8.0f"):format(call[1], call.ns - (call.once and 0 or empty.ns), garbage_of(call.loop)))
  end
end

-- ---------------------------------------------------------------- who

-- Prints the time of a ray and of a search for the nearest shape with a table of conditions, beside a mask and a shape.
local function print_who()
  common.seed(1)
  local world, shapes, few, many, at = sat.world(), {}, {}, {}, {}
  for i = 1, 2000 do
    shapes[i] = sat.rectangle(between(0, 2000), between(0, 2000), 12, 12):setSensor(i % 4 == 0)
    world:add(shapes[i])
    if i % 4 == 2 then many[#many + 1] = shapes[i] end
    if i % 250 == 1 then few[#few + 1] = shapes[i] end
  end
  for i = 1, 1600 do at[i] = between(0, 2000) end
  local rows = {
    { "nobody is left out", nil }, { "a mask", 1 }, { "a shape", shapes[1] }, { "{}", {} },
    { "{ except = 8 shapes }", { except = few } }, { "{ except = 500 shapes }", { except = many } },
    { "{ sensors = true }", { sensors = true } },
    { "{ accept = a function }", { accept = function() return true end } },
  }
  local calls = { "raycast(at[i], at[i + 1], at[i + 2], at[i + 3], who)", "nearest(at[i], at[i + 1], nil, who)" }
  for _, call in ipairs(calls) do
    local body = ("for i = 1, #at, 4 do local x = world:%s count = count + 1 end"):format(call)
    for _, row in ipairs(rows) do row.loop = loop_of(body, "world, at, who", world, at, row[2]) end
    contest(rows)
    print(("\n%-32s %8s %8s"):format("world:" .. call:match "%w+", "ns", "times"))
    for _, row in ipairs(rows) do print(("%-32s %8.1f %8.2f"):format(row[1], row.ns, row.ns / rows[1].ns)) end
  end
end

-- ---------------------------------------------------------------- frames

-- The colliding pairs of so many balls, all of which have moved, three ways: how many there are.
local function make_frames(count)
  local balls, listed, own = {}, sat.quadtree(0, 0, 800, 600), sat.world()
  for i = 1, count do
    balls[i] = sat.circle(between(0, 800), between(0, 600), between(3, 8))
    listed:insert(balls[i])
    own:add(balls[i]:clone())
  end
  local added, way = own:shapes(), 1
  local function move(list)
    way = -way
    for i = 1, count do list[i]:move(way * 0.5, way * 0.25) end
  end
  return {
    { "each with each", function()
      local met = 0
      move(balls)
      for i = 1, count do
        for k = i + 1, count do if balls[i]:overlaps(balls[k]) then met = met + 1 end end
      end
      return met
    end },
    { "quadtree", function()
      local met = 0
      move(balls)
      for i = 1, count do listed:update(balls[i]) end
      for a, b in listed:pairs() do if a:overlaps(b) then met = met + 1 end end
      return met
    end },
    { "world", function()
      local met = 0
      move(added)
      for _ in own:collisions() do met = met + 1 end
      return met
    end },
  }
end

local function print_frames()
  common.seed(2)
  print(("\n%-16s %8s %10s %8s"):format("a frame of", "balls", "µs", "pairs"))
  for _, count in ipairs { 10, 30, 100, 300, 1000 } do
    for _, way in ipairs(make_frames(count)) do
      local met
      local one = { loop = function(times)
        for _ = 1, times do met = way[2]() end
        return times
      end }
      contest { one }
      print(("%-16s %8d %10.1f %8d"):format(way[1], count, one.ns / 1e3, met))
    end
  end
end

-- ---------------------------------------------------------------- collide

local function turned(shape, x, y) return shape:rotate(between(0, 2 * math.pi), 0, 0):move(x, y) end

local function box(x, y)
  local w, h = between(10, 50), between(10, 50)
  return sat.rectangle(x - w / 2, y - h / 2, w, h)
end
local function turned_box(x, y) return turned(box(0, 0), x, y) end

-- An n-gon, irregular, or with its vertices in turn at both distances.
local function ring(n, first, second) return function(x, y)
  local rx, ry, points = first or between(10, 25), second or between(10, 25), {}
  for i = 0, n - 1 do
    local at = (i + (first and 0 or between(-0.35, 0.35))) * 2 * math.pi / n
    local away = first and (i % 2 == 0 and first or second)
    points[2 * i + 1], points[2 * i + 2] = (away or rx) * math.cos(at), (away or ry) * math.sin(at)
  end
  return turned(sat.polygon(points), x, y)
end end

local function circle(x, y) return sat.circle(x, y, between(10, 25)) end
local function ell(x, y) return turned(sat.polygon(-10, -10, 10, -10, 10, -2, -2, -2, -2, 10, -10, 10), x, y) end
local hexagon, dodecagon, star, small = ring(6), ring(12), ring(12, 10, 5), ring(6, 8, 8)

-- Both shapes, and how far apart their centres are; concave ones are asked about where they meet.
local KINDS = {
  { "box", box, box, 0, 50, upright = true }, { "turned box", turned_box, turned_box, 0, 50 },
  { "hexagon", hexagon, hexagon, 0, 50 }, { "12-gon", dodecagon, dodecagon, 0, 50 },
  { "circle-hexagon", circle, hexagon, 0, 50 }, { "L-hexagon", ell, small, 0, 16, concave = true, limit = LIMIT },
  { "stars, shallow", star, star, 13, 19, concave = true }, { "stars, deep", star, star, 0, 4, concave = true },
}

-- Near misses only: the bounding boxes overlap, or are not far apart where both shapes are boxes themselves.
local function near(a, b, margin)
  local ax, ay, aw, ah = a:bounds()
  local bx, by, bw, bh = b:bounds()
  return ax <= bx + bw + margin and bx <= ax + aw + margin and ay <= by + bh + margin and by <= ay + ah + margin
end

local function make_pairs(kind, hit)
  local list = {}
  while #list < SHAPES do
    local x, y, angle, away = between(0, 1000), between(0, 1000), between(0, 2 * math.pi), between(kind[4], kind[5])
    local a, b = kind[2](x, y), kind[3](x + away * math.cos(angle), y + away * math.sin(angle))
    if sat.overlaps(a, b) == hit and near(a, b, kind.upright and 5 or 0) then list[#list + 1] = { a, b } end
  end
  return list
end

-- A library has `make`, which returns a shape like one of ours, or nil, and `call`, Lua code that asks for the vector
-- which moves a out of b and is true where they meet; `vector` gives that vector, or nil.
local function libraries()
  local function clone(shape) return shape:clone() end
  local list = { { name = "sat", make = clone, call = "ask(a, b)", ask = sat.collide } }
  local HC, bump = find "HC", find "bump"
  list[#list + 1] = HC and {
    name = "HC",
    make = function(shape)
      local x, y = shape:center()
      return shape:kind() == "circle" and HC.circle(x, y, shape:radius()) or HC.polygon(shape:unpack())
    end,
    call = "a:collidesWith(b)",
    vector = function(a, b)
      local hit, dx, dy = a:collidesWith(b)
      if hit then return dx, dy end
    end,
  }
  local detect = bump and bump.rect.detectCollision
  list[#list + 1] = bump and {
    name = "bump",
    make = function(shape, kind) return kind.upright and { shape:bounds() } end,
    call = "ask(a[1], a[2], a[3], a[4], b[1], b[2], b[3], b[4])",
    ask = detect,
    vector = function(a, b)
      local hit = detect(a[1], a[2], a[3], a[4], b[1], b[2], b[3], b[4])
      if hit then return hit.touch.x - a[1], hit.touch.y - a[2] end
    end,
  }
  return list
end

local function shapes_of(library, kind, pairs_of_kind)
  local list = {}
  for _, pair in ipairs(pairs_of_kind) do
    for side = 1, 2 do list[#list + 1] = library.make(pair[side], kind) or nil end
  end
  return #list == 2 * SHAPES and list or nil
end

-- How many of a library's answers are wrong: after how many of its vectors the two still overlap, and how many are
-- longer than needed. Ours are checked the same way, and must not be.
local function judge(library, pairs_of_kind, shapes)
  local wrong, stuck, longer = 0, 0, 0
  for i, pair in ipairs(pairs_of_kind) do
    local a, b = pair[1]:clone(), pair[2]
    local x, y, depth = sat.collide(a, b)
    if library.vector then x, y = library.vector(shapes[2 * i - 1], shapes[2 * i]) end
    if (x == nil) ~= (depth == nil) then
      wrong = wrong + 1
    elseif x then
      local _, _, left = sat.collide(a:move(x, y), b)
      if left and left > 1e-6 then stuck = stuck + 1
      elseif math.sqrt(x * x + y * y) > depth + 1e-6 * math.max(depth, 1) then longer = longer + 1 end
    end
  end
  assert(library.vector or wrong + stuck + longer == 0, "a vector of ours is none")
  return wrong + stuck + longer > 0 and (" (%d wrong, %d stuck, %d longer)"):format(wrong, stuck, longer) or ""
end

-- A row: ours, what it is made of, and how many times ours the others take. Returns whether its limit holds.
local function print_pairs(kind, hit, all)
  local pairs_of_kind, list, note = make_pairs(kind, hit), {}, {}
  for _, library in ipairs(all) do
    local shapes = shapes_of(library, kind, pairs_of_kind)
    if shapes then
      list[library.name] = { loop = loop_of_pairs(library.call, library.ask, shapes), shapes = shapes }
      note[library.name] = judge(library, pairs_of_kind, shapes)
    end
  end
  contest(list)
  local own = list.sat
  local line = ("%-15s %-4s %7.1f %5.0f B"):format(kind[1], hit and "hit" or "miss", own.ns, garbage_of(own.loop))
  for _, name in ipairs { "HC", "bump" } do
    local peer = list[name]
    local bytes = peer and garbage_of(peer.loop)
    if peer then line = line .. ("  %s %.3gx %.0f B%s"):format(name, peer.ns / own.ns, bytes, note[name]) end
  end
  print(line)
  return not (kind.limit and list.HC) or list.HC.ns / own.ns >= kind.limit
end

local function print_collide()
  common.seed(1)
  local good, all = true, libraries()
  print(("\n%-20s %7s %7s  times ours, garbage, and what is wrong of %d"):format("ns, sat.collide", "sat", "garbage",
    SHAPES))
  for _, kind in ipairs(KINDS) do
    good = print_pairs(kind, true, all) and good
    if not kind.concave then print_pairs(kind, false, all) end
  end
  return good
end

-- ---------------------------------------------------------------- loading

-- The least time that `code` takes in a new state, in µs, from right after its libraries have been opened.
local function time_in_new_state(ffi, code)
  local least = math.huge
  for _ = 1, STATES do
    local state = ffi.C.luaL_newstate()
    ffi.C.luaL_openlibs(state)
    local text = ("package.path, package.cpath = %q, %q local clock = os.clock local began = clock() "):format(
      package.path, package.cpath) .. code .. " return (clock() - began) * 1e6"
    assert(ffi.C.luaL_loadstring(state, text) == 0 and ffi.C.lua_pcall(state, 0, 1, 0) == 0, code)
    least = math.min(least, ffi.C.lua_tonumber(state, -1))
    ffi.C.lua_close(state)
  end
  return least
end

local function print_loading()
  if not compiles then return print "\nloading: no LuaJIT with its compiler on" end
  local ffi = require "ffi"
  ffi.cdef [[
    void *luaL_newstate(void);
    void luaL_openlibs(void *);
    int luaL_loadstring(void *, const char *);
    int lua_pcall(void *, int, int, int);
    double lua_tonumber(void *, int);
    void lua_close(void *);
  ]]
  local loading = time_in_new_state(ffi, [[require "sat"]])
  local calls = "local sat = require 'sat' local a = sat.circle(0, 0, 1) for _ = 1, 20 do a:center() end"
  print(("\nrequire takes %.0f µs, the first 20 calls of a method %.0f µs, the least of %d new states"):format(loading,
    time_in_new_state(ffi, calls) - loading, STATES))
end

-- ---------------------------------------------------------------- all parts

local PARTS = { costs = print_costs, who = print_who, frames = print_frames, collide = print_collide }
PARTS.loading = print_loading
local good = true
for _, name in ipairs(arg[1] and arg or { "costs", "who", "frames", "collide", "loading" }) do
  good = PARTS[name]() ~= false and good
end
os.exit(good and 0 or 1)
