-- A frame of 1,000 shapes that move and ask for their collisions, by sat and by HC, in turns in one page.
local sat, HC = require "sat", require "HC"

local COUNT, SIZE, FRAMES, ROUNDS, MOST = 1000, 1200, 20, 7, 0.6

-- Places and ways, the same for both.
local seed = 1
local function random()
  seed = seed * 16807 % 2147483647
  return seed / 2147483647
end
local starts = {}
for i = 1, COUNT do starts[i] = { random() * SIZE, random() * SIZE, random() * 4 - 2, random() * 4 - 2 } end

-- Moves everything, `place(i, x, y)`, and counts the pairs that `collisions()` finds.
local function run(place, collisions)
  local began, pairs_found = love.timer.getTime(), 0
  for frame = 1, FRAMES do
    for i, start in ipairs(starts) do
      place(i, (start[1] + start[3] * frame) % SIZE, (start[2] + start[4] * frame) % SIZE)
    end
    pairs_found = pairs_found + collisions()
  end
  return (love.timer.getTime() - began) / FRAMES * 1000, pairs_found
end

local function with_sat()
  local world, shapes = sat.world(), {}
  for i = 1, COUNT do shapes[i] = i % 2 == 0 and sat.circle(0, 0, 10) or sat.rectangle(0, 0, 18, 14) end
  world:add(unpack(shapes))
  return function(i, x, y) shapes[i]:moveTo(x, y) end, function()
    local count = 0
    for _, _, dx, dy in world:collisions() do
      if dx ~= 0 or dy ~= 0 then count = count + 1 end
    end
    return count
  end
end

local function with_hc()
  local hash, shapes = HC.new(64), {}
  for i = 1, COUNT do shapes[i] = i % 2 == 0 and hash:circle(0, 0, 10) or hash:rectangle(0, 0, 18, 14) end
  return function(i, x, y) shapes[i]:moveTo(x, y) end, function()
    local count = 0
    for i = 1, COUNT do
      for _, separation in pairs(hash:collisions(shapes[i])) do
        if separation.x ~= 0 or separation.y ~= 0 then count = count + 1 end
      end
    end
    return count / 2
  end
end

local place_sat, ask_sat = with_sat()
local place_hc, ask_hc = with_hc()
local times, round = {}, 0
function love.update()
  round = round + 1
  local of_sat, found = run(place_sat, ask_sat)
  local of_hc, found_by_hc = run(place_hc, ask_hc)
  times[round] = of_sat / of_hc
  print(("sat %.2f ms and %g pairs, HC %.2f ms and %g pairs in a frame"):format(of_sat, found / FRAMES, of_hc,
    found_by_hc / FRAMES))
  if round < ROUNDS then return end
  table.sort(times)
  local ratio = times[(ROUNDS + 1) / 2]
  local good = ratio <= MOST and math.abs(found - found_by_hc) <= 0.01 * found
  print(("sat takes %.2f of the time of HC, and may take %g"):format(ratio, MOST))
  print(good and "1 passed, 0 failed, 0 skipped" or "0 passed, 1 failed, 0 skipped")
  love.update = nil
end
