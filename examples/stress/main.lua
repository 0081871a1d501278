-- How many shapes? The time of a frame against their number, for three ways to push them apart.
--
-- At the start the number grows by itself in each of the ways, until a frame takes too long.

local sat = require "sat"
local ui = require "ui"

local SIDE = 520 -- of the square that the shapes fly about in, and of the plot
local ENOUGH = 40 -- milliseconds: with more shapes nobody would wait for it
local WARM_UP, SAMPLES = 10, 15 -- frames that do not count, and frames from which the middle time is taken
local NUMBERS = { 50, 100, 200, 400, 800, 1600, 3200, 6400, 12800 }

local world, shapes
local ways, way -- all ways to push shapes apart, and the number of the one in use
local number -- in NUMBERS
local samples, warm, auto = {}, 0, true
local now = love.timer.getTime

-- Three ways --------------------------------------------------------------------

-- The world finds the pairs that collide and pushes both apart.
local function wholeWorld()
  world:separate()
end

-- One shape after the other asks the world what it collides with.
local function shapeByShape()
  for i = 1, #shapes do
    local shape = shapes[i]
    for _, dx, dy, depth in world:collisions(shape) do
      if depth > 0 then shape:move(dx / 2, dy / 2) end
    end
  end
end

-- Each shape is tried against every other. It needs no world, and twice as many take four times as
-- long.
local function everyPair()
  for i = 1, #shapes do
    local a = shapes[i]
    for j = i + 1, #shapes do
      local b = shapes[j]
      local dx, dy, depth = sat.collide(a, b)
      if depth and depth > 0 then
        a:move(dx / 2, dy / 2)
        b:move(-dx / 2, -dy / 2)
      end
    end
  end
end

-- Shapes ------------------------------------------------------------------------

local random = love.math.random

local makers = {
  function(size) return sat.circle(0, 0, size) end,
  function(size) return sat.rectangle(0, 0, 2 * size, 1.4 * size) end,
  function(size) return sat.regular(0, 0, size, 3) end,
  function(size) return sat.regular(0, 0, size, 6) end,
  function(size) return sat.capsule(0, 0, 1.4 * size, 0, size * 0.6) end,
}
local colors = { "orange", "yellow", "green", "purple", "sky" }

-- The more shapes there are, the smaller each is: together they always cover the same part of the square.
local function newShape(i, count)
  local size = SIDE / math.sqrt(count) * 0.36 * (0.7 + 0.6 * random())
  local kind = i % #makers + 1
  local angle = random() * 2 * math.pi
  return makers[kind](size):transform(random() * SIDE, random() * SIDE, angle):setData {
    color = colors[kind], vx = math.cos(angle) * 20, vy = math.sin(angle) * 20, spin = random() - 0.5,
  }
end

local function fill(count)
  world, shapes, samples, warm = sat.world(), {}, {}, 0
  for i = 1, count do
    shapes[i] = newShape(i, count)
    world:add(shapes[i])
  end
  for _ = 1, 5 do world:separate() end -- from here on it is a calm crowd
end

local function fly(dt)
  for i = 1, #shapes do
    local shape = shapes[i]
    local body, x, y = shape:data(), shape:center()
    if x < 0 or x > SIDE then body.vx = x < 0 and math.abs(body.vx) or -math.abs(body.vx) end
    if y < 0 or y > SIDE then body.vy = y < 0 and math.abs(body.vy) or -math.abs(body.vy) end
    shape:move(body.vx * dt, body.vy * dt):rotate(body.spin * dt)
  end
end

-- Measuring ---------------------------------------------------------------------

local function middle(list)
  table.sort(list)
  return list[math.ceil(#list / 2)]
end

local function choose(newWay, newNumber)
  way, number = newWay, math.max(1, math.min(newNumber, #NUMBERS))
  fill(NUMBERS[number])
end

-- Goes on to the next number of shapes, or to the next way if a frame would take too long; after the last way the plot
-- is done.
local function goOn(time)
  local growth = ways[way].push == everyPair and 4 or 2
  if number < #NUMBERS and time * growth < ENOUGH then return choose(way, number + 1) end
  auto = way < #ways
  if auto then choose(way + 1, 1) end
end

local function measure(time)
  warm = warm + 1
  if warm > WARM_UP then samples[#samples + 1] = time end
  if #samples < SAMPLES then return end
  local typical = middle(samples)
  ways[way].times[number] = typical
  samples = {}
  if auto then goOn(typical) end
end

-- LÖVE's calls ------------------------------------------------------------------

function love.load()
  ways = {
    { name = "world:separate()", push = wholeWorld, color = "sky", times = {} },
    { name = "world:collisions(shape)", push = shapeByShape, color = "orange", times = {} },
    { name = "sat.collide, every pair", push = everyPair, color = "vermilion", times = {} },
  }
  choose(1, 1)
end

function love.update(dt)
  fly(dt)
  local begun = now()
  ways[way].push()
  measure((now() - begun) * 1000)
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() end
  if key == "a" then
    auto = not auto
    if auto then choose(1, 1) end
  end
  local chosen, step = tonumber(key), key == "up" and 1 or key == "down" and -1
  if not (step or ways[chosen]) then return end
  auto = false
  choose(ways[chosen] and chosen or way, number + (step or 0))
end

-- Drawing -----------------------------------------------------------------------

local PLOT = { x = 590, y = 100, w = 345, h = 395 }

-- Both scales are logarithmic: from 40 to 16,000 shapes, from 0.004 to 100 ms.
local function plotX(count)
  return PLOT.x + PLOT.w * math.log(count / 40) / math.log(16000 / 40)
end

local function plotY(time)
  local at = math.log(math.max(time, 0.004) / 0.004) / math.log(100 / 0.004)
  return PLOT.y + PLOT.h * (1 - math.min(at, 1))
end

local function drawGrid()
  ui.font(13)
  love.graphics.setLineWidth(1)
  for _, time in ipairs { 0.01, 0.1, 1, 10, 100 } do
    ui.color("wall")
    love.graphics.line(PLOT.x, plotY(time), PLOT.x + PLOT.w, plotY(time))
    ui.color("faint")
    love.graphics.printf(time .. "", PLOT.x - 50, plotY(time) - 8, 44, "right")
  end
  for _, count in ipairs { 100, 1000, 10000 } do
    ui.color("wall")
    love.graphics.line(plotX(count), PLOT.y, plotX(count), PLOT.y + PLOT.h)
    ui.color("faint")
    love.graphics.printf(count .. "", plotX(count) - 40, PLOT.y + PLOT.h + 6, 80, "center")
  end
  ui.color("white", 0.8)
  ui.dashed(PLOT.x, plotY(1000 / 60), PLOT.x + PLOT.w, plotY(1000 / 60))
  love.graphics.print("a whole frame at 60 Hz", PLOT.x + 6, plotY(1000 / 60) - 19)
  ui.color("text")
  love.graphics.print("milliseconds", PLOT.x - 36, PLOT.y - 26)
  love.graphics.printf("number of shapes", PLOT.x, PLOT.y + PLOT.h + 24, PLOT.w, "center")
end

local function drawTimes(entry, i)
  local y = PLOT.y + PLOT.h - 86 + 20 * i
  ui.color("text")
  love.graphics.print(entry.name, PLOT.x + 182, y - 8)
  ui.color(entry.color)
  love.graphics.setLineWidth(2)
  love.graphics.line(PLOT.x + 156, y, PLOT.x + 176, y)
  for n, time in pairs(entry.times) do
    local atX, atY = plotX(NUMBERS[n]), plotY(time)
    love.graphics.circle("fill", atX, atY, 4)
    local before = entry.times[n - 1]
    if before then love.graphics.line(plotX(NUMBERS[n - 1]), plotY(before), atX, atY) end
  end
end

local function drawShapes()
  love.graphics.push()
  love.graphics.translate(12, ui.HEAD)
  love.graphics.setScissor(0, ui.HEAD, SIDE + 24, SIDE)
  for i = 1, #shapes do
    ui.color(shapes[i]:data().color)
    shapes[i]:draw("fill")
  end
  love.graphics.setScissor()
  love.graphics.pop()
end

local function drawWords()
  local last = ways[way].times[number]
  ui.header("Stress", ("%d shapes    %s    %s"):format(#shapes, ways[way].name,
    last and ("%.2f ms a frame"):format(last) or "…"))
  local keys = {}
  for i, entry in ipairs(ways) do keys[i] = { tostring(i), entry.name, i == way, entry.color } end
  keys[#keys + 1] = { "up", "more" }
  keys[#keys + 1] = { "down", "fewer" }
  keys[#keys + 1] = { "a", "all", auto }
  ui.footer(keys)
end

function love.draw()
  love.graphics.clear(0.078, 0.094, 0.122)
  drawShapes()
  drawGrid()
  ui.color("ground") -- no line of the grid runs through the names
  love.graphics.rectangle("fill", PLOT.x + 150, PLOT.y + PLOT.h - 78, PLOT.w - 151, 66)
  for i, entry in ipairs(ways) do drawTimes(entry, i) end
  drawWords()
end
