-- calls.lua: what calls cost from this Lua: nanoseconds, and bytes for the collector.
--
--   calls.lua [part...]    costs, who, frames, collide, plain, loading; all without a name
--
-- costs    the calls that games make most; docs/guides/performance.md has this table and the next
-- who      a ray and the nearest shape by whom they leave out: a mask, a shape, a table of conditions
-- frames   the colliding pairs of some balls that all move, three ways
-- collide  a call of sat.collide, beside HC and bump where they are found, convex and concave; it fails where an L and
--          a hexagon are less than LIMIT times as quick as HC's
-- plain    calls about two shapes that meet, beside Lua code that a game would write for just these two, and a goal;
--          answers that differ end the program
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
-- many times, which counts in `count` how often it has done what it is named for, and may add up its answers.
local function loop_of(body, names, ...)
  local text = ("local %s = ... return function(times) local count, hits, sum = 0, 0, 0 for _ = 1, times do %s end"
    .. " return count, hits, sum end"):format(names, body)
  return assert(load_text(text))(...)
end

-- The same for each pair of a list, where the call answers with two numbers, or with nil or false first.
local PAIRS = [[
  for i = 1, #list, 2 do
    local a, b = list[i], list[i + 1]
    local x, y = %s
    if x then hits, sum = hits + 1, sum + x + y end
    count = count + 1
  end]]
local function loop_of_pairs(call, ask, list) return loop_of(PAIRS:format(call), "ask, list", ask, list) end

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

-- The colliding pairs of so many balls, all of which move to and fro: three ways, and which balls each has.
local WAYS = {
  { "each with each", "balls", [[
    for i = 1, #balls do
      for k = i + 1, #balls do if balls[i]:overlaps(balls[k]) then hits = hits + 1 end end
    end]] },
  { "quadtree", "balls", [[
    for i = 1, #balls do tree:update(balls[i]) end
    for a, b in tree:pairs() do if a:overlaps(b) then hits = hits + 1 end end]] },
  { "world", "added", "for _ in world:collisions() do hits = hits + 1 end" },
}

local function print_frames()
  common.seed(2)
  print(("\n%-16s %8s %10s %8s"):format("a frame of", "balls", "µs", "pairs"))
  for _, count in ipairs { 10, 30, 100, 300, 1000 } do
    local lists, tree, world = { balls = {}, added = {} }, sat.quadtree(0, 0, 800, 600), sat.world()
    for i = 1, count do
      local ball = sat.circle(between(0, 800), between(0, 600), between(3, 8))
      lists.balls[i], lists.added[i] = ball, ball:clone()
      tree:insert(ball)
      world:add(lists.added[i])
    end
    for _, way in ipairs(WAYS) do
      local one = { loop = loop_of([[
        way = -way
        for i = 1, #balls do balls[i]:move(way * 0.5, way * 0.25) end
        count = count + 1
        ]] .. way[3], "balls, tree, world, way", lists[way[2]], tree, world, 1) }
      contest { one }
      print(("%-16s %8d %10.1f %8d"):format(way[1], count, one.ns / 1e3, select(2, one.loop(1))))
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

local function make_pair(kind, most_angle)
  local x, y, angle, away = between(0, 1000), between(0, 1000), between(0, most_angle), between(kind[4], kind[5])
  return kind[2](x, y), kind[3](x + away * math.cos(angle), y + away * math.sin(angle))
end

local function make_pairs(kind, hit)
  local list = {}
  while #list < SHAPES do
    local a, b = make_pair(kind, 2 * math.pi)
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
    call = "a:collidesWith(b) and 0, 0",
    vector = function(a, b)
      local hit, dx, dy = a:collidesWith(b)
      if hit then return dx, dy end
    end,
  }
  local detect = bump and bump.rect.detectCollision
  list[#list + 1] = bump and {
    name = "bump",
    make = function(shape, kind) return kind.upright and { shape:bounds() } end,
    call = "ask(a[1], a[2], a[3], a[4], b[1], b[2], b[3], b[4]) and 0, 0",
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

-- ---------------------------------------------------------------- plain

local function ray(x, y)
  local angle = between(0, 2 * math.pi)
  local dx, dy = 80 * math.cos(angle), 80 * math.sin(angle)
  return { x - dx, y - dy, x + dx, y + dy }
end
local function tile(x, y) return sat.rectangle(math.floor(x), math.floor(y), 16, 16) end

-- The numbers that plain code reads of a shape, by the maker of the shape.
local function plain_box(shape)
  local x, y, w, h = shape:bounds()
  return { x = x, y = y, w = w, h = h }
end
local PLAIN = { [box] = plain_box, [tile] = plain_box, [ray] = function(line) return line end }
PLAIN[circle] = function(shape)
  local x, y = shape:center()
  return { x = x, y = y, r = shape:radius() }
end
PLAIN[hexagon] = function(shape) return { shape:unpack() } end

local function collide_circles(a, b)
  local dx, dy, r = a.x - b.x, a.y - b.y, a.r + b.r
  local square = dx * dx + dy * dy
  if square > r * r then return end
  local d = math.sqrt(square)
  local f = (r - d) / d
  return dx * f, dy * f
end

local function collide_boxes(a, b)
  local left, right = a.x + a.w - b.x, b.x + b.w - a.x
  local up, down = a.y + a.h - b.y, b.y + b.h - a.y
  local x, y = math.min(left, right), math.min(up, down)
  if x < 0 or y < 0 then return end
  if x < y then return x < right and -x or x, 0 end
  return 0, y < down and -y or y
end

local function overlap_boxes(a, b)
  return a.x <= b.x + b.w and b.x <= a.x + a.w and a.y <= b.y + b.h and b.y <= a.y + a.h
end

-- The least overlap along the normals of a's edges, if it is less than `least`; nil where one parts both.
local function least_overlap(a, b, least, nx, ny)
  local px, py = a[#a - 1], a[#a]
  for i = 1, #a, 2 do
    local qx, qy = a[i], a[i + 1]
    local ex, ey = qy - py, px - qx
    local length = math.sqrt(ex * ex + ey * ey)
    ex, ey = ex / length, ey / length
    local edge, low = px * ex + py * ey, math.huge
    for k = 1, #b, 2 do
      local at = b[k] * ex + b[k + 1] * ey
      if at < low then low = at end
    end
    if low > edge then return end
    if edge - low < least then least, nx, ny = edge - low, ex, ey end
    px, py = qx, qy
  end
  return least, nx, ny
end

local function collide_polygons(a, b)
  local own, nx, ny = least_overlap(a, b, math.huge)
  if not own then return end
  local least, mx, my = least_overlap(b, a, own, -nx, -ny)
  if least then return mx * least, my * least end
end

local function ray_at_circle(a, x1, y1, x2, y2)
  local dx, dy, x, y = x2 - x1, y2 - y1, x1 - a.x, y1 - a.y
  local square, along = dx * dx + dy * dy, x * dx + y * dy
  local root = along * along - square * (x * x + y * y - a.r * a.r)
  if root < 0 then return end
  local t = (-along - math.sqrt(root)) / square
  if t >= 0 and t <= 1 then return t, (x + t * dx) / a.r, (y + t * dy) / a.r end
end

local function ray_at_box(a, x1, y1, x2, y2)
  local dx, dy = x2 - x1, y2 - y1
  local left, right = (a.x - x1) / dx, (a.x + a.w - x1) / dx
  local up, down = (a.y - y1) / dy, (a.y + a.h - y1) / dy
  if left > right then left, right = right, left end
  if up > down then up, down = down, up end
  local t = left > up and left or up
  if t < 0 or t > 1 or t > right or t > down then return end
  if left > up then return t, dx > 0 and -1 or 1, 0 end
  return t, 0, dy > 0 and -1 or 1
end

local function ray_at_polygon(a, x1, y1, x2, y2)
  local dx, dy, enter, leave, nx, ny = x2 - x1, y2 - y1, 0, 1, nil, nil
  local px, py = a[#a - 1], a[#a]
  for i = 1, #a, 2 do
    local qx, qy = a[i], a[i + 1]
    local ex, ey = qy - py, px - qx
    local away, speed = (x1 - px) * ex + (y1 - py) * ey, dx * ex + dy * ey
    if speed < 0 then
      local t = -away / speed
      if t > enter then enter, nx, ny = t, ex, ey end
    elseif speed > 0 then
      leave = math.min(leave, -away / speed)
    elseif away > 0 then return end
    px, py = qx, qy
  end
  if not nx or enter > leave then return end
  local length = math.sqrt(nx * nx + ny * ny)
  return enter, nx / length, ny / length
end

local COLLIDE, OVERLAPS = { "a:collide(b)", "ask(a, b)" }, { "a:overlaps(b) and 1, 0", "ask(a, b) and 1, 0" }
local RAY = { "a:raycast(b[1], b[2], b[3], b[4])", "ask(a, b[1], b[2], b[3], b[4])" }

-- Both shapes and how far apart, as above; how they are asked, and the plain code; goals on LuaJIT and without it.
local BESIDE_PLAIN = {
  { "circles, collide", circle, circle, 0, 50, COLLIDE, collide_circles, 3.2, 0.85 },
  { "ray at a circle", circle, ray, 0, 25, RAY, ray_at_circle, 5.2, 1.15 },
  { "ray at an upright box", box, ray, 0, 25, RAY, ray_at_box, 3.6, 0.8 },
  { "ray at a hexagon", hexagon, ray, 0, 25, RAY, ray_at_polygon, 0.8, 0.5 },
  { "upright boxes, collide", box, box, 0, 50, COLLIDE, collide_boxes, 1.5, 0.56 },
  { "upright boxes, overlaps", box, box, 0, 50, OVERLAPS, overlap_boxes, 1.7, 0.9 },
  { "side by side, collide", tile, tile, 16, 16, COLLIDE, collide_boxes, 1.9, 0.55, angle = 0 },
  { "hexagons, collide", hexagon, hexagon, 0, 50, COLLIDE, collide_polygons, 0.09, 0.05 },
}

-- Compiled code is quickest where all take the same way through it.
local function meets(a, b)
  if type(b) == "table" then return a:raycast(unpack(b)) end
  return a:overlaps(b)
end

local function print_plain()
  common.seed(7)
  print(("\n%-28s %8s %8s %8s %8s"):format("ns, from " .. lua, "sat", "plain", "times", "goal"))
  for _, row in ipairs(BESIDE_PLAIN) do
    local own, plain = {}, {}
    for i = 1, 2 * SHAPES, 2 do
      repeat own[i], own[i + 1] = make_pair(row, row.angle or 2 * math.pi) until meets(own[i], own[i + 1])
      for side = 0, 1 do plain[i + side] = PLAIN[row[2 + side]](own[i + side]) end
    end
    own = { loop = loop_of_pairs(row[6][1], nil, own) }
    plain = { loop = loop_of_pairs(row[6][2], row[7], plain) }
    local _, hits, sum = own.loop(1)
    local _, its_hits, its_sum = plain.loop(1)
    assert(hits == its_hits and math.abs(sum - its_sum) < 1e-6, row[1] .. ": the answers differ")
    contest { own, plain }
    local times, goal = own.ns / plain.ns, row[compiles and 8 or 9]
    local mark = times > goal and " *" or ""
    print(("%-28s %8.1f %8.1f %8.2f %8.2f%s"):format(row[1], own.ns, plain.ns, times, goal, mark))
  end
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
PARTS.plain, PARTS.loading = print_plain, print_loading
local good = true
for _, name in ipairs(arg[1] and arg or { "costs", "who", "frames", "collide", "plain", "loading" }) do
  good = PARTS[name]() ~= false and good
end
os.exit(good and 0 or 1)
