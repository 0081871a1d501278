-- quadtree.lua: a frame of a game with many boxes, from Lua: everything moves, then all overlapping pairs; beside HC's
-- spatial hash where it is found, here and on LuaJIT.
--
--   quadtree.lua [times.csv]
--
-- The times are written to a table, and to that file or one in the build folder. Who finds other pairs is not timed.
-- With `--hash COUNT ROUNDS CELL...` only the hash is timed, which is how another Lua is asked about it.

local CELLS = { 12, 16, 24, 40 } -- the widths of the hash's cells; its best one counts
local SIZES = { 1000, 10000, 100000 }
local WARMING = 3
local ROUNDS, FEW_ROUNDS = 7, 3 -- a frame of the most boxes is long
local ITEMS_A_ROUND = 20000

local JIT = rawget(_G, "jit")
rawset(_G, "unpack", rawget(_G, "unpack") or table.unpack) -- which HC takes from there on every Lua
local found_sat, sat = pcall(require, "sat")
local found_hash, Spatialhash = pcall(require, "HC.spatialhash")

-- ---------------------------------------------------------------- boxes

-- The same numbers on every Lua: Park and Miller, Random number generators: good ones are hard to find, 1988.
local seed
local function between(low, high)
  seed = seed * 16807 % 2147483647
  return low + (high - low) * seed / 2147483647
end

-- About two and a half neighbours for each; a step is a hundredth of the width.
local function make_boxes(count)
  seed = 1
  local boxes, width = {}, 10 * math.sqrt(1.6 * count)
  for i = 1, count do
    local w, h, angle = between(5, 15), between(5, 15), between(0, 2 * math.pi)
    boxes[i] = { id = i, x = between(0, width - w), y = between(0, width - h), w = w, h = h,
      dx = 0.01 * w * math.cos(angle), dy = 0.01 * w * math.sin(angle) }
  end
  boxes.width = width
  return boxes
end

-- Where each box was stays known, since the hash is told.
local function step(boxes)
  local width = boxes.width
  for i = 1, #boxes do
    local box = boxes[i]
    local x, y = box.x + box.dx, box.y + box.dy
    if x < 0 or x + box.w > width then box.dx = -box.dx end
    if y < 0 or y + box.h > width then box.dy = -box.dy end
    box.old_x, box.old_y, box.x, box.y = box.x, box.y, x, y
  end
end

-- ---------------------------------------------------------------- contestants

-- A frame tells of every box where it is now, and calls `each` with every pair.

local function sat_frame(boxes)
  local tree = sat.quadtree(0, 0, boxes.width, boxes.width)
  for _, box in ipairs(boxes) do tree:insert(box, box.x, box.y, box.w, box.h) end
  return function(each)
    for i = 1, #boxes do
      local box = boxes[i]
      tree:update(box, box.x, box.y, box.w, box.h)
    end
    for a, b in tree:pairs() do each(a, b) end
  end
end

local function hash_frame(boxes, cell)
  local hash = Spatialhash(cell)
  for _, box in ipairs(boxes) do hash:register(box, box.x, box.y, box.x + box.w, box.y + box.h) end
  return function(each)
    for i = 1, #boxes do
      local box = boxes[i]
      local x, y, old_x, old_y, w, h = box.x, box.y, box.old_x, box.old_y, box.w, box.h
      hash:update(box, old_x, old_y, old_x + w, old_y + h, x, y, x + w, y + h)
    end
    for i = 1, #boxes do
      local a = boxes[i]
      local id, left, top, right, bottom = a.id, a.x, a.y, a.x + a.w, a.y + a.h
      for b in pairs(hash:inSameCells(left, top, right, bottom)) do
        if b.id > id and b.x <= right and left <= b.x + b.w and b.y <= bottom and top <= b.y + b.h then each(a, b) end
      end
    end
  end
end

-- ---------------------------------------------------------------- timing

-- Milliseconds of a frame, the least of all rounds, since what else the machine does only adds.
local function time_frames(one, frames)
  local taken, count = 0, 0
  local function each() count = count + 1 end
  for _ = 1, frames do
    step(one.boxes)
    local start = os.clock()
    one.frame(each)
    taken = taken + os.clock() - start
  end
  return taken * 1000 / frames, count
end

local function frames_a_round(count) return math.max(math.floor(ITEMS_A_ROUND / count), 1) end

local function least_time(one, rounds)
  local least = math.huge
  for _ = 1, rounds do least = math.min(least, (time_frames(one, frames_a_round(#one.boxes)))) end
  return least
end

-- Bytes that a frame leaves to the collector: the least of some, since LuaJIT's compiler takes memory, too.
local function garbage_of(one)
  local function each() end
  local least = math.huge
  for _ = 1, WARMING do
    collectgarbage()
    collectgarbage "stop"
    local before = collectgarbage "count"
    one.frame(each)
    least = math.min(least, (collectgarbage "count" - before) * 1024)
    collectgarbage "restart"
  end
  return least
end

-- After some frames, so that all have what they need: how many pairs, and a sum over them.
local function contestant(name, way, boxes, frame)
  local one = { name = name, way = way, boxes = boxes, frame = frame, ms = math.huge }
  for _ = 1, WARMING do
    one.pairs, one.sum = 0, 0
    step(boxes)
    frame(function(a, b)
      one.pairs = one.pairs + 1
      one.sum = one.sum + a.id * b.id
    end)
  end
  return one
end

local function hash_contestant(count, cell)
  local boxes = make_boxes(count)
  return contestant("HC", "cells of " .. cell, boxes, hash_frame(boxes, cell))
end

local function best_cell(count)
  local best, least = nil, math.huge
  for _, cell in ipairs(CELLS) do
    local ms = least_time(hash_contestant(count, cell), 1)
    if ms < least then best, least = cell, ms end
  end
  return best
end

-- What another Lua says of the hash; nil when there is none.
local function hash_on_luajit(count, cell, rounds)
  local command = ("luajit %s --hash %d %d %d 2>/dev/null"):format(arg[0], count, rounds, cell)
  local pipe = io.popen(command)
  local text = pipe and pipe:read "*a" or ""
  if pipe then pipe:close() end
  local ms, bytes, pairs_found, sum = text:match "(%S+) (%S+) (%S+) (%S+)"
  if not ms then return nil end
  return { name = "HC on LuaJIT", way = "cells of " .. cell, ms = tonumber(ms), bytes = tonumber(bytes),
    pairs = tonumber(pairs_found), sum = tonumber(sum) }
end

-- ---------------------------------------------------------------- the table

local lua = JIT and JIT.version or _VERSION

local function agree(own, peer)
  if own.pairs == peer.pairs and own.sum == peer.sum then return true end
  print(("%s found %d pairs, not %d, or not the same"):format(peer.name, peer.pairs, own.pairs))
  return false
end

-- In turns, so that a disturbance hits all alike; the other Lua's turn is a run of its own.
local function contestants_for(count)
  local boxes = make_boxes(count)
  local own = contestant("sat", "quadtree", boxes, sat_frame(boxes))
  local list = { own }
  local cell = found_hash and best_cell(count)
  local hash = found_hash and hash_contestant(count, cell)
  if hash and agree(own, hash) then list[2] = hash end
  for _ = 1, count < ITEMS_A_ROUND and ROUNDS or FEW_ROUNDS do
    for _, one in ipairs(list) do
      if one.frame then one.ms = math.min(one.ms, least_time(one, 1)) end
    end
    local other = list[2] and not JIT and hash_on_luajit(count, cell, 1)
    if other and agree(own, other) and other.ms < (list[3] or other).ms + 1e-9 then list[3] = other end
  end
  for _, one in ipairs(list) do
    if one.frame then one.bytes = garbage_of(one) end
  end
  return list
end

local function cell_text(peer, own)
  if not peer then return "-" end
  return ("%.3g ms %.1fx %.0f kB"):format(peer.ms, peer.ms / own.ms, peer.bytes / 1024)
end

local function write_row(count, list, csv)
  local own = list[1]
  for _, one in ipairs(list) do
    csv:write(("%s,%d,%s,%s,%.4f,%.0f,%d,%.0f\n"):format(lua, count, one.name, one.way, one.ms, one.bytes, one.pairs,
      one.sum))
  end
  print(("%8d %10.3f %7.0f B   %-26s %-26s %d pairs"):format(count, own.ms, own.bytes, cell_text(list[2], own),
    cell_text(list[3], own), own.pairs))
end

local function main(path)
  if not (found_sat and sat.quadtree) then error("no quadtree in this build of sat", 0) end
  local name = JIT and "luajit" or "lua" .. _VERSION:match "%d%.%d"
  path = path or (os.getenv "BUILD" or "build") .. "/bench/quadtree-" .. name .. ".csv"
  local csv = assert(io.open(path, "w"))
  csv:write "lua,items,contestant,way,ms,bytes,pairs,sum\n"
  print(("A frame from %s: all boxes are updated, all pairs; milliseconds, garbage, how many times ours"):format(lua))
  print(("%8s %10s %9s   %-26s %-26s"):format("boxes", "sat", "garbage", "HC", "HC on LuaJIT"))
  for _, count in ipairs(SIZES) do write_row(count, contestants_for(count), csv) end
  csv:close()
end

local function answer_about_hash(count, rounds, cell)
  local hash = hash_contestant(count, cell)
  print(("%.6f %.0f %d %.0f"):format(least_time(hash, rounds), garbage_of(hash), hash.pairs, hash.sum))
end

if arg[1] == "--hash" then answer_about_hash(tonumber(arg[2]), tonumber(arg[3]), tonumber(arg[4]))
else main(arg[1])
end
