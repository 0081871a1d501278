-- collide.lua: a call of sat.collide from Lua, and what it is made of, beside HC, slick and bump where they are found.
--
--   collide.lua [times.csv]
--
-- The times are written to a table, and to that file or one in the build folder. Every pair is first asked of everyone,
-- and what does not agree is told before anything is timed.

local sat = require "sat"
local bind = require "bench_empty"

local PAIRS = 64
local ROUNDS = 15
local ROUND = 0.01 -- seconds of one contestant in one round

local unpack = rawget(_G, "unpack") or table.unpack
rawset(_G, "unpack", unpack) -- which HC takes from there on every Lua

local function find(name)
  local found, module = pcall(require, name)
  return found and module or nil
end

local HC, slick, bump = find "HC", find "slick", find "bump"

-- ---------------------------------------------------------------- pairs

-- The same numbers on every Lua: Park and Miller, Random number generators: good ones are hard to find, 1988.
local seed = 1
local function between(low, high)
  seed = seed * 16807 % 2147483647
  return low + (high - low) * seed / 2147483647
end

-- A shape is a description that every library makes its own from: a ring of vertices, with a box if it is one that has
-- not been turned, or a circle.

local function box(x, y)
  local w, h = between(10, 50), between(10, 50)
  x, y = x - w / 2, y - h / 2
  return { x, y, x + w, y, x + w, y + h, x, y + h, box = { x, y, w, h } }
end

-- The ring of the same shape about 0, 0, turned by any angle and put to x, y.
local function place(shape, x, y)
  local angle, placed = between(0, 2 * math.pi), {}
  local cosine, sine = math.cos(angle), math.sin(angle)
  for i = 1, #shape, 2 do
    placed[i] = x + cosine * shape[i] - sine * shape[i + 1]
    placed[i + 1] = y + sine * shape[i] + cosine * shape[i + 1]
  end
  return placed
end

local function turned_box(x, y) return place(box(0, 0), x, y) end

local function ring(n)
  return function(x, y)
    local rx, ry, shape = between(10, 25), between(10, 25), {}
    for i = 0, n - 1 do
      local at = (i + between(-0.35, 0.35)) * 2 * math.pi / n
      shape[2 * i + 1] = rx * math.cos(at)
      shape[2 * i + 2] = ry * math.sin(at)
    end
    return place(shape, x, y)
  end
end

local function circle(x, y) return { circle = { x, y, between(10, 25) } } end

local kinds = {
  { name = "box", box, box },
  { name = "turned box", turned_box, turned_box },
  { name = "hexagon", ring(6), ring(6) },
  { name = "12-gon", ring(12), ring(12) },
  { name = "circle-hexagon", circle, ring(6) },
}

local function make_for_sat(shape)
  if shape.circle then return sat.circle(unpack(shape.circle)) end
  return sat.polygon(shape)
end

-- Near misses only: the bounding boxes overlap, or are not far apart where both shapes are boxes themselves.
local function near(a, b, margin)
  local ax, ay, aw, ah = a:bounds()
  local bx, by, bw, bh = b:bounds()
  return ax <= bx + bw + margin and bx <= ax + aw + margin and ay <= by + bh + margin and by <= ay + ah + margin
end

local function make_pairs(kind, hit)
  local pairs = {}
  while #pairs < PAIRS do
    local x, y = between(0, 1000), between(0, 1000)
    local a, b = kind[1](x, y), kind[2](x + between(-50, 50), y + between(-50, 50))
    local own_a, own_b = make_for_sat(a), make_for_sat(b)
    local wanted = sat.overlaps(own_a, own_b) == hit and near(own_a, own_b, a.box and 5 or 0)
    if wanted then pairs[#pairs + 1] = { a, b } end
  end
  return pairs
end

-- ---------------------------------------------------------------- libraries

-- A library has `make`, which returns a shape or nil, and `call`, Lua code that asks for the vector which moves a out
-- of b and is true where they meet; `vector` gives that vector, or nil.
local libraries = {
  {
    name = "sat",
    make = make_for_sat,
    call = "ask(a, b)",
    ask = sat.collide,
    vector = function(a, b)
      local dx, dy = sat.collide(a, b)
      return dx, dy
    end,
  },
}

if HC then
  libraries[#libraries + 1] = {
    name = "HC",
    make = function(shape)
      if shape.circle then return HC.circle(unpack(shape.circle)) end
      return HC.polygon(unpack(shape))
    end,
    call = "a:collidesWith(b)",
    vector = function(a, b)
      local hit, dx, dy = a:collidesWith(b)
      if hit then return dx, dy end
    end,
  }
end

if slick then
  local polygon, none = slick.collision.polygon, slick.geometry.point.new(0, 0)
  local cache = slick.newCache(slick.defaultOptions)
  local query = slick.collision.shapeCollisionResolutionQuery.new()
  local function ask(a, b)
    query:performProjection(a, b, none, none, none, none)
    return query.collision
  end
  libraries[#libraries + 1] = {
    name = "slick",
    make = function(shape)
      if shape.circle then return nil end -- it has none
      return polygon.new(cache, unpack(shape))
    end,
    call = "ask(a, b)",
    ask = ask,
    vector = function(a, b)
      if ask(a, b) then return query.normal.x * query.depth, query.normal.y * query.depth end
    end,
  }
end

if bump then
  local detect = bump.rect.detectCollision
  libraries[#libraries + 1] = {
    name = "bump",
    make = function(shape) return shape.box end,
    call = "ask(a[1], a[2], a[3], a[4], b[1], b[2], b[3], b[4])",
    ask = detect,
    vector = function(a, b)
      local hit = detect(a[1], a[2], a[3], a[4], b[1], b[2], b[3], b[4])
      if hit then return hit.touch.x - a[1], hit.touch.y - a[2] end
    end,
  }
end

-- ---------------------------------------------------------------- timing

local load_text = rawget(_G, "loadstring") or load

-- A loop of its own for each contestant, so that what a compiler learns from one does not hold for another. It goes
-- over all pairs `times` times, and returns how many met.
local function loop_of(call, ask, list)
  local text = ([[
    local ask, list = ...
    return function(times)
      local hits = 0
      for _ = 1, times do
        for i = 1, #list, 2 do
          local a, b = list[i], list[i + 1]
          if %s then hits = hits + 1 end
        end
      end
      return hits
    end]]):format(call)
  return assert(load_text(text))(ask, list)
end

local function seconds(loop, times)
  local start = os.clock()
  loop(times)
  return os.clock() - start
end

local function times_for_a_round(loop)
  local times = 4
  while seconds(loop, times) < ROUND / 4 do times = times * 2 end
  return math.floor(math.max(times * ROUND / seconds(loop, times), 1))
end

-- Bytes that a call leaves to the collector.
local function garbage_of(loop)
  local times = 100
  loop(times)
  collectgarbage()
  collectgarbage "stop"
  local before = collectgarbage "count"
  loop(times)
  local bytes = (collectgarbage "count" - before) * 1024 / (times * PAIRS)
  collectgarbage "restart"
  return bytes
end

-- Sets the median time of a call, in ns, in each contestant; they take turns, so that a disturbance hits all alike.
local function contest(contestants)
  for _, contestant in ipairs(contestants) do
    contestant.times = times_for_a_round(contestant.loop)
    contestant.rounds = {}
  end
  for round = 1, ROUNDS do
    for _, contestant in ipairs(contestants) do
      contestant.rounds[round] = seconds(contestant.loop, contestant.times) / (contestant.times * PAIRS) * 1e9
    end
  end
  for _, contestant in ipairs(contestants) do
    table.sort(contestant.rounds)
    contestant.ns = contestant.rounds[(ROUNDS + 1) / 2]
    contestant.bytes = garbage_of(contestant.loop)
    contestant.hits = contestant.loop(1)
  end
end

-- ---------------------------------------------------------------- do they agree?

-- How many of a library's answers differ from ours: yes or no, the length of the vector, and by how much at worst.
local function compare(library, pairs, shapes)
  local wrong, unlike, worst = 0, 0, 0
  for i, pair in ipairs(pairs) do
    local _, _, depth = sat.collide(make_for_sat(pair[1]), make_for_sat(pair[2]))
    local dx, dy = library.vector(shapes[2 * i - 1], shapes[2 * i])
    if (dx == nil) ~= (depth == nil) then
      wrong = wrong + 1
    elseif depth then
      local off = math.abs(math.sqrt(dx * dx + dy * dy) - depth)
      worst = math.max(worst, off)
      if off > 1e-6 * math.max(depth, 1) then unlike = unlike + 1 end
    end
  end
  return wrong, unlike, worst
end

local function make_shapes(library, pairs)
  local shapes = {}
  for _, pair in ipairs(pairs) do
    for side = 1, 2 do
      local shape = library.make(pair[side])
      if not shape then return nil end
      shapes[#shapes + 1] = shape
    end
  end
  return shapes
end

local function contestants_for(title, pairs)
  local contestants = {}
  for _, library in ipairs(libraries) do
    local shapes = make_shapes(library, pairs)
    if shapes then
      local wrong, unlike, worst = compare(library, pairs, shapes)
      if wrong + unlike > 0 then
        print(("%s, %s: of %d answers %d wrong, %d vectors not the shortest, by up to %.2g"):format(title, library.name,
          PAIRS, wrong, unlike, worst))
      end
      contestants[#contestants + 1] =
        { name = library.name, loop = loop_of(library.call, library.ask, shapes), shapes = shapes }
    end
  end
  return contestants
end

-- What a call is made of: the C function alone, an empty one, and the loop, which no compiler is to improve.
local function add_parts(contestants)
  local shapes = contestants[1].shapes
  local empty, collide = bind(shapes[1])
  local loop = loop_of("not a", nil, shapes)
  if rawget(_G, "jit") then jit.off(loop) end
  contestants[#contestants + 1] = { name = "C", loop = function(times) return collide(shapes, times) end }
  contestants[#contestants + 1] = { name = "empty", loop = loop_of("ask(a, b)", empty, shapes) }
  contestants[#contestants + 1] = { name = "loop", loop = loop }
end

-- ---------------------------------------------------------------- the table

local lua = rawget(_G, "jit") and jit.version or _VERSION

local heading = ("%-21s %8s %8s %8s %8s %6s %9s   %-24s %-24s %s"):format("shapes", "sat", "garbage", "C alone",
  "empty C", "loop", "of limit", "HC", "slick", "bump")

local function peer_cell(peer, own)
  if not peer then return "-" end
  return ("%.0f %.1fx %.0f B"):format(peer.ns, peer.ns / own, peer.bytes)
end

local function write_row(shapes, answer, contestants, csv)
  local found = {}
  for _, contestant in ipairs(contestants) do
    found[contestant.name] = contestant
    csv:write(("%s,%s,%s,%s,%.2f,%.2f,%d\n"):format(lua, shapes, answer, contestant.name, contestant.ns,
      contestant.bytes, contestant.hits))
  end
  local own, loop = found.sat, found.loop.ns
  local limit = loop + found.C.ns + 2 * (found.empty.ns - loop)
  print(("%-16s %-4s %8.1f %6.0f B %8.1f %8.1f %6.1f %8.2f    %-24s %-24s %s"):format(shapes, answer, own.ns, own.bytes,
    found.C.ns, found.empty.ns, loop, own.ns / limit, peer_cell(found.HC, own.ns), peer_cell(found.slick, own.ns),
    peer_cell(found.bump, own.ns)))
end

local function main(path)
  local name = rawget(_G, "jit") and "luajit" or "lua" .. _VERSION:match "%d%.%d"
  path = path or (os.getenv "BUILD" or "build") .. "/bench/collide-" .. name .. ".csv"
  local csv = assert(io.open(path, "w"))
  csv:write "lua,shapes,answer,contestant,ns,bytes,hits\n"
  print("sat.collide from " .. lua)
  local rows = {}
  for _, kind in ipairs(kinds) do
    for _, answer in ipairs { "hit", "miss" } do
      local contestants = contestants_for(kind.name .. " " .. answer, make_pairs(kind, answer == "hit"))
      rows[#rows + 1] = { kind.name, answer, contestants }
    end
  end
  print "\nns a call, and the garbage it leaves; of the peers also how many times our time"
  print(heading)
  for _, row in ipairs(rows) do
    add_parts(row[3])
    contest(row[3])
    write_row(row[1], row[2], row[3], csv)
  end
  print "The limit is the loop, the C function alone, and twice an empty one that checks two shapes."
  csv:close()
end

main(arg and arg[1])
