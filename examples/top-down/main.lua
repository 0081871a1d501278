-- Seen from above: a hero who slides along walls of any form, guards who look for him, and coins.

local sat = require "sat"
local ui = require "ui"

local SPEED = 190
local GUARD_SPEED, CHASE_SPEED = 70, 120
local VIEW, RANGE, RAYS = math.rad(70), 230, 28 -- how wide and far a guard sees, and with how many rays
local LIGHT_RAYS = 360

local world, hero, guards, coins
local taken, caught
local show = { light = true, trail = true }
local trail = {}

-- The level ---------------------------------------------------------------------

local WALLS = {
  { 120, 120, 310, 120, 310, 150, 150, 150, 150, 250, 310, 250, 310, 280, 120, 280 },
  { 420, 100, 450, 100, 450, 240, 570, 240, 570, 270, 420, 270 },
  { 90, 390, 180, 350, 270, 390, 350, 350, 350, 385, 270, 425, 180, 385, 90, 425 },
  { 640, 330, 860, 330, 860, 510, 640, 510, 640, 480, 830, 480, 830, 360, 640, 360 },
  { 450, 390, 570, 390, 570, 415, 523, 415, 523, 560, 497, 560, 497, 415, 450, 415 },
  { 0, 40, 960, 40, 960, 56, 16, 56, 16, 544, 944, 544, 944, 56, 960, 56, 960, 560, 0, 560 },
}

local function star(x, y, outer, inner)
  local corners = {}
  for i = 0, 9 do
    local radius, angle = i % 2 == 0 and outer or inner, i * math.pi / 5
    corners[#corners + 1] = x + radius * math.cos(angle)
    corners[#corners + 1] = y + radius * math.sin(angle)
  end
  return corners
end

local function addWall(corners)
  local wall = sat.polygon(corners):setStatic(true)
  world:add(wall:setData { kind = "wall", shape = wall })
end

-- A guard walks to and fro between two places.
local function addGuard(x1, y1, x2, y2)
  local guard = { kind = "guard", shape = sat.circle(x1, y1, 11), goal = 2, angle = 0 }
  guard.places = { { x1, y1 }, { x2, y2 } }
  world:add(guard.shape:setData(guard))
  guards[#guards + 1] = guard
end

-- A sensor is reported, but nobody bumps into it.
local function addCoin(x, y)
  local coin = { kind = "coin", shape = sat.circle(x, y, 7) }
  world:add(coin.shape:setSensor(true):setData(coin))
  coins = coins + 1
end

local function restart()
  world, guards, coins, taken, caught, trail = sat.world(), {}, 0, 0, 0, {}
  for _, corners in ipairs(WALLS) do addWall(corners) end
  addWall(star(740, 180, 80, 36))
  addGuard(380, 90, 380, 320)
  addGuard(600, 440, 780, 420)
  addGuard(240, 200, 560, 320)
  addGuard(880, 90, 880, 300)
  for _, place in ipairs { { 190, 200 }, { 500, 180 }, { 220, 450 }, { 760, 420 }, { 880, 440 }, { 650, 90 } } do
    addCoin(place[1], place[2])
  end
  hero = { kind = "hero", shape = sat.circle(60, 90, 12) }
  world:add(hero.shape:setData(hero))
end

-- Walking -----------------------------------------------------------------------

-- The solid shape that this one is deepest in, and the way out of it.
local function findDeepest(shape)
  local bestX, bestY, deepest = 0, 0, 0
  for other, dx, dy, depth in world:collisions(shape) do
    if depth > deepest and other:isStatic() then bestX, bestY, deepest = dx, dy, depth end
  end
  return bestX, bestY, deepest
end

-- Moves a shape and pushes it out of the walls, so that it slides along them.
local function walk(shape, dx, dy)
  shape:move(dx, dy)
  for _ = 1, 4 do
    local outX, outY, depth = findDeepest(shape)
    if depth == 0 then return end
    shape:move(outX, outY)
  end
end

local function walkTo(shape, x, y, way)
  local fromX, fromY = shape:center()
  local dx, dy = x - fromX, y - fromY
  local length = math.sqrt(dx * dx + dy * dy)
  if length <= way then return true end
  walk(shape, dx / length * way, dy / length * way)
end

local function moveHero(dt)
  local isDown, dx, dy = love.keyboard.isDown, 0, 0
  if isDown("left", "a") then dx = dx - 1 end
  if isDown("right", "d") then dx = dx + 1 end
  if isDown("up", "w") then dy = dy - 1 end
  if isDown("down", "s") then dy = dy + 1 end
  if dx ~= 0 and dy ~= 0 then dx, dy = dx * math.sqrt(0.5), dy * math.sqrt(0.5) end
  if dx ~= 0 or dy ~= 0 then walk(hero.shape, dx * SPEED * dt, dy * SPEED * dt) end
  local x, y = hero.shape:center()
  trail[#trail + 1], trail[#trail + 2] = x, y
  if #trail > 600 then
    table.remove(trail, 1)
    table.remove(trail, 1)
  end
end

-- Seeing ------------------------------------------------------------------------

-- The first shape along a direction, and the place where it is hit. The ray begins just outside of the looking shape.
local function look(shape, angle, range)
  local x, y = shape:center()
  local dx, dy = math.cos(angle), math.sin(angle)
  local from = shape:radius() + 1
  local endX, endY = x + dx * range, y + dy * range
  local hit, _, _, _, hitX, hitY = world:raycast(x + dx * from, y + dy * from, endX, endY)
  return hit, hitX or endX, hitY or endY
end

local function turnedTo(guard, x, y)
  local fromX, fromY = guard.shape:center()
  local angle = math.atan2(y - fromY, x - fromX)
  local off = (angle - guard.angle + math.pi) % (2 * math.pi) - math.pi
  return angle, off
end

local function sees(guard)
  local angle, off = turnedTo(guard, hero.shape:center())
  if math.abs(off) > VIEW / 2 then return false end
  return look(guard.shape, angle, RANGE) == hero.shape
end

local function moveGuard(guard, dt)
  guard.alarmed = sees(guard)
  local place = guard.places[guard.goal]
  local x, y = place[1], place[2]
  if guard.alarmed then x, y = hero.shape:center() end
  local _, off = turnedTo(guard, x, y)
  guard.angle = guard.angle + math.max(-4 * dt, math.min(4 * dt, off))
  local way = (guard.alarmed and CHASE_SPEED or GUARD_SPEED) * dt
  if math.abs(off) < 0.5 and walkTo(guard.shape, x, y, way) then guard.goal = 3 - guard.goal end
end

-- Meeting -----------------------------------------------------------------------

local function meet(other)
  if other.kind == "coin" then
    world:remove(other.shape)
    taken = taken + 1
  elseif other.kind == "guard" then
    hero.shape:moveTo(60, 90)
    caught = caught + 1
    trail = {}
  end
end

-- LÖVE's calls ------------------------------------------------------------------

function love.load()
  restart()
end

function love.update(dt)
  dt = math.min(dt, 1 / 20)
  moveHero(dt)
  for _, guard in ipairs(guards) do moveGuard(guard, dt) end
  world:update()
  for a, b in world:began() do
    if a == hero.shape then meet(b:data()) end
    if b == hero.shape then meet(a:data()) end
  end
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() end
  if key == "l" then show.light = not show.light end
  if key == "t" then show.trail = not show.trail end
  if key == "r" then restart() end
end

-- Drawing -----------------------------------------------------------------------

-- A fan of rays, filled.
local function drawView(shape, angle, width, range, rays)
  local x, y = shape:center()
  local _, lastX, lastY = look(shape, angle - width / 2, range)
  for i = 1, rays do
    local _, nextX, nextY = look(shape, angle - width / 2 + width * i / rays, range)
    love.graphics.polygon("fill", x, y, lastX, lastY, nextX, nextY)
    lastX, lastY = nextX, nextY
  end
end

local function drawGuardView(guard)
  ui.color(guard.alarmed and "vermilion" or "sky", guard.alarmed and 0.4 or 0.22)
  drawView(guard.shape, guard.angle, VIEW, RANGE, RAYS)
end

local function drawGuard(guard)
  local x, y = guard.shape:center()
  ui.color(guard.alarmed and "vermilion" or "sky")
  guard.shape:draw("fill")
  if guard.alarmed then love.graphics.line(x, y, hero.shape:center()) end
  ui.color("ground")
  love.graphics.circle("fill", x + 5 * math.cos(guard.angle), y + 5 * math.sin(guard.angle), 3.5)
end

local function drawThing(shape)
  local kind = shape:data().kind
  if kind == "wall" then
    ui.color("wall")
    shape:draw("fill")
  elseif kind == "coin" then
    ui.color("yellow")
    shape:draw("fill")
  end
end

local things = {}

function love.draw()
  love.graphics.clear(0.078, 0.094, 0.122)
  if show.light then
    ui.color("white", 0.07)
    drawView(hero.shape, 0, 2 * math.pi, 1200, LIGHT_RAYS)
  end
  for _, guard in ipairs(guards) do drawGuardView(guard) end
  love.graphics.setLineWidth(1.5)
  for _, shape in ipairs(world:shapes(things)) do drawThing(shape) end
  for _, guard in ipairs(guards) do drawGuard(guard) end
  ui.color("orange", 0.6)
  if show.trail and #trail > 3 then love.graphics.line(trail) end
  ui.color("orange")
  hero.shape:draw("fill")
  ui.header("Top-down", ("%d of %d coins    caught %d times"):format(taken, coins, caught))
  ui.footer {
    { "arrows", "walk" }, { "l", "light", show.light }, { "t", "trail", show.trail, "orange" },
    { "r", "restart" },
  }
end
