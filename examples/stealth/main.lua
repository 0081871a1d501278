-- Stealth: a thief in a museum at night, guards with torches, and lamps to keep away from.

local sat = require "sat"
local ui = require "ui"

local WALL, THIEF, GUARD = 1, 2, 4 -- categories; walls alone stop feet and light
local SPEED, PATROL, CHASE = 150, 62, 125
local TORCH, WIDTH = 200, 0.95 -- how far and how wide a guard's torch shines
local NOTICE, PATIENCE = 0.35, 3.5 -- the seconds until a guard runs, and those that he looks for the thief
local HEARING = 280 -- how far a whistle is heard

-- The level ---------------------------------------------------------------------

local BOXES = {
  { 0, 40, 960, 16 }, { 0, 544, 960, 16 }, { 0, 56, 16, 488 }, { 944, 56, 16, 488 },
  { 200, 56, 14, 120 }, { 200, 240, 14, 180 }, { 16, 330, 100, 14 }, { 340, 220, 14, 210 }, { 354, 220, 110, 14 },
  { 520, 56, 14, 110 }, { 534, 300, 200, 14 }, { 600, 400, 14, 144 }, { 720, 130, 14, 184 }, { 800, 130, 144, 14 },
  { 734, 420, 120, 14 },
}
local COLUMNS = { { 290, 130, 18 }, { 420, 130, 18 }, { 430, 330, 24 }, { 620, 120, 16 }, { 640, 220, 16 },
  { 840, 240, 28 }, { 280, 480, 20 }, { 480, 480, 20 }, { 110, 440, 22 }, { 800, 500, 14 } }
local LAMPS = { { 420, 275, 150 }, { 880, 90, 130 }, { 680, 480, 120 }, { 60, 290, 90 } }
local GEMS = { { 400, 260 }, { 905, 180 }, { 660, 520 }, { 60, 510 }, { 560, 90 }, { 900, 460 }, { 250, 300 } }
local ROUNDS = {
  { 270, 200, 300, 400, 240, 500, 240, 200 },
  { 470, 90, 480, 200, 620, 170, 680, 90 },
  { 880, 320, 780, 360, 560, 360, 560, 500, 400, 520, 560, 360, 780, 360 },
  { 860, 180, 770, 200, 770, 390, 900, 380 },
}

local world, thief, guards, lamps, gems, view, viewCount, whistle, caught, fog

local function isLit(shape)
  for _, lamp in ipairs(lamps) do
    if lamp.area:overlaps(shape) then return true end
  end
end

local function restart()
  world, guards, lamps, gems, caught, whistle = sat.world(), {}, {}, {}, nil, nil
  for _, box in ipairs(BOXES) do world:add(sat.rectangle(box[1], box[2], box[3], box[4]):setStatic(true)) end
  for _, column in ipairs(COLUMNS) do world:add(sat.circle(column[1], column[2], column[3]):setStatic(true)) end
  for i, lamp in ipairs(LAMPS) do
    local points = world:visible(lamp[1], lamp[2], lamp[3])
    lamps[i] = { x = lamp[1], y = lamp[2], points = points, area = sat.polygon(points) }
  end
  for i, gem in ipairs(GEMS) do gems[i] = { x = gem[1], y = gem[2] } end
  for i, round in ipairs(ROUNDS) do
    local shape = sat.circle(round[1], round[2], 10):setFilter(GUARD, WALL)
    world:add(shape)
    guards[i] = { shape = shape, round = round, goal = 3, angle = 0, alarm = 0, trail = {}, points = {}, count = 0 }
  end
  thief = sat.circle(60, 100, 9):setFilter(THIEF, WALL)
  world:add(thief)
  view, viewCount = world:visible(60, 100, 1000, view, WALL)
end

-- Guards --------------------------------------------------------------------------

local function distance(guard, x, y)
  local fromX, fromY = guard.shape:center()
  return math.sqrt((x - fromX) ^ 2 + (y - fromY) ^ 2)
end

-- The torch shows the thief, or a lamp does, where nothing is in between and the guard does not look away.
local function sees(guard)
  local x, y = guard.shape:center()
  local goalX, goalY = thief:center()
  if guard.count > 0 and sat.polygon(guard.points):overlaps(thief) then return true end
  local isAhead = (goalX - x) * math.cos(guard.angle) + (goalY - y) * math.sin(guard.angle) > 0
  return isAhead and isLit(thief) and not world:raycast(x, y, goalX, goalY, WALL)
end

-- Where a guard goes: to the place that he looks at, back along his own steps, or on his round.
local function goal_of(guard)
  if guard.lookX then return guard.lookX, guard.lookY end
  local trail = guard.trail
  if #trail > 0 then return trail[#trail - 1], trail[#trail] end
  return guard.round[guard.goal], guard.round[guard.goal + 1]
end

local function arrive(guard)
  if guard.lookX then return end -- he waits there
  if #guard.trail > 0 then guard.trail[#guard.trail], guard.trail[#guard.trail - 1] = nil, nil
  else guard.goal = guard.goal + 2 <= #guard.round and guard.goal + 2 or 1
  end
end

local function walk(guard, dt)
  local x, y = guard.shape:center()
  local goalX, goalY = goal_of(guard)
  local left = distance(guard, goalX, goalY)
  local off = (math.atan2(goalY - y, goalX - x) - guard.angle + math.pi) % (2 * math.pi) - math.pi
  if left < 6 then
    arrive(guard)
    if guard.lookX then guard.angle = guard.angle + 2.2 * dt end
    return
  end
  guard.angle = guard.angle + math.max(-4 * dt, math.min(4 * dt, off))
  if math.abs(off) > 0.6 then return end
  local way = math.min(left, (guard.alarm >= 1 and CHASE or PATROL) * dt)
  world:move(guard.shape, way * (goalX - x) / left, way * (goalY - y) / left)
  if guard.lookX and distance(guard, guard.trail[#guard.trail - 1] or x, guard.trail[#guard.trail] or y) > 12
    or guard.lookX and #guard.trail == 0 then
    guard.trail[#guard.trail + 1], guard.trail[#guard.trail + 2] = x, y
  end
end

local function updateGuard(guard, dt)
  local x, y = guard.shape:center()
  local cone = sat.sector(x, y, TORCH, guard.angle - WIDTH / 2, guard.angle + WIDTH / 2, 0, 64)
  guard.points, guard.count = world:visible(x, y, cone, guard.points, WALL)
  if sees(guard) then
    guard.alarm, guard.patience = math.min(guard.alarm + dt / NOTICE, 1), PATIENCE
    guard.lookX, guard.lookY = thief:center()
    if distance(guard, thief:center()) < 21 then caught = true end
  elseif guard.lookX then
    guard.patience = guard.patience - dt
    if guard.patience < 0 then guard.lookX, guard.alarm = nil, 0 end
  end
  walk(guard, dt)
end

local function blow()
  local x, y = thief:center()
  whistle = { x = x, y = y, radius = 0 }
  for _, guard in ipairs(guards) do
    if distance(guard, x, y) < HEARING then guard.lookX, guard.lookY, guard.patience = x, y, PATIENCE + 2 end
  end
end

-- LÖVE's calls ------------------------------------------------------------------

function love.load()
  fog = love.graphics.newCanvas()
  restart()
end

function love.update(dt)
  dt = math.min(dt, 1 / 20)
  if whistle then
    whistle.radius = whistle.radius + 900 * dt
    if whistle.radius > HEARING then whistle = nil end
  end
  if caught or #gems == 0 then return end
  local isDown, dx, dy = love.keyboard.isDown, 0, 0
  if isDown("left", "a") then dx = dx - 1 end
  if isDown("right", "d") then dx = dx + 1 end
  if isDown("up", "w") then dy = dy - 1 end
  if isDown("down", "s") then dy = dy + 1 end
  local speed = (dx ~= 0 and dy ~= 0 and math.sqrt(0.5) or 1) * SPEED * dt
  world:move(thief, dx * speed, dy * speed)
  local x, y = thief:center()
  view, viewCount = world:visible(x, y, 1000, view, WALL)
  for _, guard in ipairs(guards) do updateGuard(guard, dt) end
  for i = #gems, 1, -1 do
    if (gems[i].x - x) ^ 2 + (gems[i].y - y) ^ 2 < 20 ^ 2 then table.remove(gems, i) end
  end
end

function love.keypressed(key)
  if key == "escape" then love.event.quit()
  elseif key == "r" then restart()
  elseif key == "space" and not caught then blow()
  end
end

-- Drawing -----------------------------------------------------------------------

-- What is seen from x, y is star-shaped, and so a fan of triangles.
local function drawFan(x, y, points, count)
  local lastX, lastY = points[2 * count - 1], points[2 * count]
  for i = 1, 2 * count, 2 do
    love.graphics.polygon("fill", x, y, lastX, lastY, points[i], points[i + 1])
    lastX, lastY = points[i], points[i + 1]
  end
end

local function drawGuard(guard)
  local x, y = guard.shape:center()
  ui.color(guard.alarm >= 1 and "vermilion" or "yellow", guard.alarm >= 1 and 0.4 or 0.28)
  drawFan(x, y, guard.points, guard.count)
  ui.color(guard.alarm > 0 and "vermilion" or "sky")
  guard.shape:draw("fill")
  if guard.lookX then ui.label(guard.alarm > 0 and "!" or "?", x, y - 20) end
end

-- Multiplies the picture with the fan of the thief's view, so that all the rest is dark.
local function drawFog()
  local x, y = thief:center()
  local canvas = love.graphics.getCanvas()
  love.graphics.setCanvas(fog)
  love.graphics.clear(0.25, 0.28, 0.33)
  ui.color "white"
  drawFan(x, y, view, viewCount)
  love.graphics.setCanvas(canvas)
  love.graphics.setBlendMode("multiply", "premultiplied")
  love.graphics.draw(fog)
  love.graphics.setBlendMode "alpha"
end

local function drawSeen()
  love.graphics.clear(0.11, 0.12, 0.14)
  ui.color("orange", 0.28)
  for _, lamp in ipairs(lamps) do drawFan(lamp.x, lamp.y, lamp.points, #lamp.points / 2) end
  ui.color("purple")
  for _, gem in ipairs(gems) do love.graphics.circle("fill", gem.x, gem.y, 6, 6) end
  for _, guard in ipairs(guards) do drawGuard(guard) end
end

function love.draw()
  drawSeen()
  drawFog()
  for _, shape in ipairs(world:query(0, 0, 960, 600, nil, WALL)) do
    ui.color("wall")
    shape:draw("fill")
  end
  ui.color "orange"
  for _, lamp in ipairs(lamps) do love.graphics.circle("fill", lamp.x, lamp.y, 4) end
  if whistle then
    ui.color("white", 1 - whistle.radius / HEARING)
    love.graphics.circle("line", whistle.x, whistle.y, whistle.radius)
  end
  ui.color(isLit(thief) and "white" or "green")
  thief:draw("fill")
  local words = caught and "caught" or #gems == 0 and "all is yours" or isLit(thief) and "in the light" or "in the dark"
  if caught or #gems == 0 then ui.label(("That is all: %s. R begins again"):format(words), 480, 300) end
  ui.header("Stealth", ("%s; %d of %d gems are left"):format(words, #gems, #GEMS))
  ui.footer { { "arrows", "sneak" }, { "space", "whistle: guards come and look" }, { "R", "again" } }
end
