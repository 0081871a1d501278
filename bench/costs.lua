-- costs.lua: what the calls that games make most cost from this Lua: nanoseconds, and bytes for the collector.
--
--   costs.lua [times.csv]
--
-- The times are written to a table, and to that file or one in the build folder. They are the least of some rounds in
-- which all take turns, less an empty loop. docs/guides/performance.md has such tables.

local sat = require "sat"

local SHAPES = 64
local ROUNDS = 9
local ROUND = 0.004 -- seconds of one contestant in one round

-- Park and Miller, Random number generators: good ones are hard to find, 1988.
local seed = 1
local function between(low, high)
  seed = seed * 16807 % 2147483647
  return low + (high - low) * seed / 2147483647
end

-- ---------------------------------------------------------------- what is asked

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

local shapes, movers = make_shapes(), make_shapes()
local tree, world, out = sat.quadtree(0, 0, 800, 600), sat.world(), {}
local members = make_shapes()
for _, shape in ipairs(members) do
  tree:insert(shape)
  world:add(shape)
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

-- ---------------------------------------------------------------- timing

local load_text = rawget(_G, "loadstring") or load

-- A function of its own for each, so that what a compiler learns from one does not hold for another. It returns how
-- often it has done it.
local function loop_of(call)
  local step = call.once and 2 * SHAPES or 2
  local text = ([[
    local sat, shapes, movers, members, tree, world, out = ...
    return function(times)
      local count = 0
      for _ = 1, times do
        for i = 1, %d, %d do
          local a, b, c = shapes[i], shapes[i + 1], movers[i]
          %s
          %s
        end
      end
      return count
    end]]):format(SHAPES, step, call[2], call.once and "" or "count = count + 1")
  return assert(load_text(text))(sat, shapes, movers, members, tree, world, out)
end

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

-- Bytes that one leaves to the collector.
local function garbage_of(loop)
  loop(100)
  collectgarbage()
  collectgarbage "stop"
  local before = collectgarbage "count"
  local count = loop(100)
  local bytes = (collectgarbage "count" - before) * 1024 / count
  collectgarbage "restart"
  return bytes
end

-- Sets the least time of one, in ns.
local function contest(calls)
  for _, call in ipairs(calls) do
    call.loop, call.ns = loop_of(call), math.huge
    call.times = times_for_a_round(call.loop)
  end
  for _ = 1, ROUNDS do
    for _, call in ipairs(calls) do
      local taken, count = seconds(call.loop, call.times)
      call.ns = math.min(call.ns, taken / count * 1e9)
    end
  end
end

-- ---------------------------------------------------------------- whole frames

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

-- The least time of a frame, in µs, and its pairs. So many in a row that the clock can tell.
local function time_of_frame(frame)
  local function some(times)
    local met
    for _ = 1, times do met = frame() end
    return met
  end
  local times, least, met = times_for_a_round(some), math.huge, nil
  for _ = 1, ROUNDS do
    local taken
    taken, met = seconds(some, times)
    least = math.min(least, taken / times * 1e6)
  end
  return least, met
end

local function write_frames(csv, lua)
  print(("\n%-16s %8s %10s %8s"):format("a frame of", "balls", "µs", "pairs"))
  for _, count in ipairs { 10, 30, 100, 300, 1000 } do
    for _, way in ipairs(make_frames(count)) do
      local time, met = time_of_frame(way[2])
      print(("%-16s %8d %10.1f %8d"):format(way[1], count, time, met))
      csv:write(("%s,\"%s, %d balls\",%.1f,\n"):format(lua, way[1], count, time * 1000))
    end
  end
end

-- ---------------------------------------------------------------- the table

local function main(path)
  local jit = rawget(_G, "jit")
  local lua = jit and jit.version .. (jit.status() and "" or ", its compiler off") or _VERSION
  local name = jit and "luajit" or "lua" .. _VERSION:match "%d%.%d"
  local csv = assert(io.open(path or (os.getenv "BUILD" or "build") .. "/bench/costs-" .. name .. ".csv", "w"))
  local empty = { "an empty loop", "" }
  table.insert(CALLS, 1, empty)
  contest(CALLS)
  print("calls from " .. lua)
  print(("%-32s %8s %8s"):format("", "ns", "bytes"))
  csv:write "lua,call,ns,bytes\n"
  for i = 2, #CALLS do
    local call = CALLS[i]
    local ns = call.ns - (call.once and 0 or empty.ns)
    local bytes = garbage_of(call.loop)
    print(("%-32s %8.1f %8.0f"):format(call[1], ns, bytes))
    csv:write(("%s,%q,%.2f,%.0f\n"):format(lua, call[1], ns, bytes))
  end
  write_frames(csv, lua)
  csv:close()
end

main(arg and arg[1])
