-- bump.lua: each call of sat.bump beside bump's own, in a world like that of bump's demo: blocks of many sizes, among
-- which players and enemies move, with a filter or without.
--
--   LUA_PATH='folder of bump/?.lua;;' .ci/with luajit luajit bench/bump.lua [name of a row]
--
-- The least of many rounds, some of the one and some of the other in turns. Each begins with no trace: in some rows
-- bump fills LuaJIT's memory of traces, which then drops all of them, whosever they are. Both must answer alike: each
-- row's numbers of items are compared.

local common = dofile "bench/lib/common.lua"
local between, bump, is_loaded_again = common.between, common.find "bump", ... == "rows"
if not bump then
  print "bump is not found, so there is nothing to compare with: LUA_PATH must lead to it"
  return
end
local sat_bump = require "sat.bump"
assert(bump ~= sat_bump, "LUA_PATH leads to sat.bump where bump is wanted")

local BLOCKS, MOVERS, WIDTH, HEIGHT, ROUNDS, PASSES = 1000, 100, 4000, 2000, 12, 20
local BLOCKS_OF_ROUNDS = 2

local function slide(_, other) return other.is_block and "slide" or nil end
local function mixed(_, other) return other.is_block and other.how or "cross" end
local HOW = { "slide", "touch", "bounce", "cross" }

-- Movers begin where no block is: half of them beside one, against which they are pressed.
local function make_scene(library)
  common.seed(7)
  local world, movers, blocks = library.newWorld(64), {}, {}
  local function put(x, y, w, h)
    local block = { is_block = true, how = HOW[#blocks % 4 + 1], x = x, y = y, w = w, h = h }
    blocks[#blocks + 1] = block
    world:add(block, x, y, w, h)
  end
  put(0, 0, WIDTH, 32) put(0, 32, 32, HEIGHT - 64) put(WIDTH - 32, 32, 32, HEIGHT - 64) put(0, HEIGHT - 32, WIDTH, 32)
  for _ = 1, BLOCKS do
    put(between(100, WIDTH - 200), between(100, HEIGHT - 150), between(10, 100), between(10, 40))
  end
  local function is_free(x, y)
    for _, b in ipairs(blocks) do
      if x < b.x + b.w and b.x < x + 20 and y < b.y + b.h and b.y < y + 20 then return false end
    end
    return true
  end
  local tried = 0
  while #movers < MOVERS do
    local m, block = { vx = between(-5, 5), vy = between(1, 5) }, blocks[5 + tried % BLOCKS]
    tried = tried + 1
    m.left, m.top = between(40, WIDTH - 80), between(40, HEIGHT - 80)
    if #movers % 2 == 0 then m.left, m.top = block.x + between(0, block.w), block.y - 20 end
    if is_free(m.left, m.top) then
      movers[#movers + 1], m.number = m, #movers + 1
      world:add(m, m.left, m.top, 20, 20)
    end
  end
  return { world = world, movers = movers, blocks = blocks }
end

-- ---------------------------------------------------------------- rows

-- Each makes one pass over the movers, and returns a number that both libraries must agree on.

local function each_mover(call)
  return function(scene)
    local world, movers, sum = scene.world, scene.movers, 0
    for i = 1, MOVERS do sum = sum + call(world, movers[i], scene) end
    return sum
  end
end

-- A move, and back to the start, so that each round has the same moves.
local function there_and_back(filter)
  return each_mover(function(world, m)
    local _, _, _, count = world:move(m, m.left + m.vx, m.top + m.vy, filter)
    world:update(m, m.left, m.top)
    return count
  end)
end

-- Moves that begin inside a block, from which sat.bump leads by the shortest way and bump back along the motion: they
-- may end elsewhere.
local function from_inside(filter)
  return each_mover(function(world, m, scene)
    local block = scene.blocks[4 + m.number]
    world:update(m, block.x + block.w / 2 - 10, block.y + block.h - 8)
    local x, y = world:getRect(m)
    local _, _, _, count = world:move(m, x + m.vx, y + m.vy, filter)
    world:update(m, m.left, m.top)
    return count
  end)
end

local function query(method, w, h)
  return each_mover(function(world, m) return (select(2, world[method](world, m.left, m.top, w, h))) end)
end

local function segment(method)
  return each_mover(function(world, m)
    return (select(2, world[method](world, m.left, m.top, m.left + 60 * m.vx, m.top + 60 * m.vy)))
  end)
end

local ROWS = {
  { "move, no filter", there_and_back(nil), about = true },
  { "move, a filter", there_and_back(slide), about = true },
  { "move, all responses", there_and_back(mixed), about = true },
  { "move from inside, a filter", from_inside(slide), about = true },
  { "move from inside, all", from_inside(mixed), about = true },
  { "check", each_mover(function(world, m)
    local x, y = world:getRect(m)
    return (select(4, world:check(m, x + m.vx, y + m.vy, slide)))
  end), about = true },
  { "project", each_mover(function(world, m)
    local x, y, w, h = world:getRect(m)
    return (select(2, world:project(m, x, y, w, h, x + m.vx, y + m.vy, slide)))
  end), about = true },
  { "update", each_mover(function(world, m)
    world:update(m, m.left + 3, m.top)
    world:update(m, m.left, m.top)
    return 0
  end) },
  { "update with another size", each_mover(function(world, m)
    world:update(m, m.left, m.top, 24, 24)
    world:update(m, m.left, m.top, 20, 20)
    return 0
  end) },
  { "remove and add", each_mover(function(world, m)
    world:remove(m)
    world:add(m, m.left, m.top, 20, 20)
    return 0
  end) },
  { "another size, and check", each_mover(function(world, m)
    world:update(m, m.left, m.top, 16, 16)
    local _, _, _, count = world:check(m, m.left + m.vx, m.top + m.vy, slide)
    world:update(m, m.left, m.top, 20, 20)
    return count
  end), about = true },
  { "remove, add, queryPoint", each_mover(function(world, m)
    world:remove(m)
    world:add(m, m.left, m.top, 20, 20)
    return (select(2, world:queryPoint(m.left + 10, m.top + 10)))
  end) },
  { "queryPoint", query "queryPoint" },
  { "queryRect, 30 x 30", query("queryRect", 30, 30) },
  { "queryRect, 300 x 300", query("queryRect", 300, 300) },
  { "querySegment", segment "querySegment" },
  { "querySegmentWithCoords", segment "querySegmentWithCoords" },
  { "getRect", each_mover(function(world, m) return (select(3, world:getRect(m))) end) },
  { "hasItem", each_mover(function(world, m) return world:hasItem(m) and 1 or 0 end) },
  { "toCell", each_mover(function(world, m) return (world:toCell(m.left, m.top)) end) },
  { "toWorld", each_mover(function(world) return (world:toWorld(3, 4)) end) },
  { "countItems", function(scene) return scene.world:countItems() end },
  { "getItems", function(scene) return (select(2, scene.world:getItems())) end },
  { "countCells", function(scene) return scene.world:countCells() end },
}

-- The rows of the two libraries are loaded apart: LuaJIT attaches traces to a function's text, and of two libraries
-- that share one the second would begin in a side trace of the first.
if is_loaded_again then return ROWS end

-- ---------------------------------------------------------------- timing

local function time_of(pass, scene)
  local start, sum = os.clock(), 0
  for _ = 1, PASSES do sum = sum + pass(scene) end
  return os.clock() - start, sum
end

local ROWS_OF = { assert(loadfile "bench/bump.lua")("rows"), assert(loadfile "bench/bump.lua")("rows") }

local function measure(k)
  local row = ROWS[k]
  local scenes, least, sums = { make_scene(sat_bump), make_scene(bump) }, { math.huge, math.huge }, {}
  for block = 0, 2 * BLOCKS_OF_ROUNDS - 1 do
    local i = block % 2 + 1
    if common.jit then common.jit.flush() end
    for round = 0, ROUNDS do
      local time, sum = time_of(ROWS_OF[i][k][2], scenes[i])
      sums[i] = sum
      if round > 0 then least[i] = math.min(least[i], time) end
    end
  end
  print(("%-26s %10.2f us %10.2f us %8.2f%s"):format(row[1], least[1] * 1e6 / PASSES, least[2] * 1e6 / PASSES,
    least[1] / least[2], sums[1] == sums[2] and "" or ("   %d and %d found"):format(sums[1], sums[2])))
  assert(row.about or sums[1] == sums[2], "the two answer differently")
end

io.stdout:setvbuf "line"
print(("%s; each row of %d calls\n%-26s %13s %13s %8s"):format(common.version, MOVERS, "", "sat.bump",
  "bump", "ratio"))
for k, row in ipairs(ROWS) do
  if not arg[1] or row[1]:find(arg[1], 1, true) then measure(k) end
end
