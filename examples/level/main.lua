-- A level made with Tiled, and somebody who runs and jumps through it.

local sat = require "sat"
local tiled = require "sat.tiled"
local ui = require "ui"

local STEP = 1 / 120                     -- seconds
local GRAVITY, FALL = 1500, 900          -- pixels a second: how much more each second, and at most
local RUN, HASTE = 230, 1600             -- as fast as that, and how soon
local JUMP, SHORT = 570, 0.45            -- what is left of it when the key is let go early
local FORGIVING = 0.1                    -- seconds: so late, or so early, one may jump
local STEEP = 0.6                        -- what is steeper is a wall: the cosine of its angle
local SNAP = 8                           -- pixels: a slope that falls away is followed so far
local ZOOM, TOP = 1.25, 104              -- the part of the map that is seen: all below this

local map = require "map"
local world, hero, start, ferries, coins, taken, finished, time
local cameraX, left = 0, 0
local showShapes = false

-- The level ---------------------------------------------------------------------

local function newHero(x, y)
  local shape = sat.capsule(x, y - 9, x, y + 9, 12)
  return { shape = shape, vx = 0, vy = 0, sinceGround = 1, sinceKey = 1, facing = 1 }
end

-- What becomes of each type of object in the map.
local place = {}

function place.ground(shape) shape:setStatic(true) end
place.bridge = place.ground

function place.platform(shape, data)
  shape:setStatic(true)
  if data.properties.along then
    ferries[#ferries + 1] = { shape = shape, along = data.properties.along, seconds = data.properties.seconds }
  end
end

function place.coin(shape)
  shape:setSensor(true)
  coins = coins + 1
end

function place.spike(shape) shape:setStatic(true):setSensor(true) end
place.goal = place.spike

function place.spawn(shape)
  start = shape
  shape:setEnabled(false)
end

local function restart()
  world, ferries, coins, taken, finished, time = sat.world(), {}, 0, 0, false, 0
  for _, shape in ipairs(tiled.shapes(map)) do
    place[shape:data().type](shape, shape:data())
    world:add(shape)
  end
  hero = newHero(start:center())
  world:add(hero.shape)
end

local function die()
  hero.shape:moveTo(start:center())
  hero.vx, hero.vy = 0, 0
end

-- Moving ------------------------------------------------------------------------

-- What the hero is deepest in, but for sensors: the way out of it.
local function findDeepest()
  local ground, outX, outY, deepest = nil, 0, 0, 0
  for other, dx, dy, depth in world:collisions(hero.shape) do
    if depth > deepest and not other:isSensor() then ground, outX, outY, deepest = other, dx, dy, depth end
  end
  return ground, outX, outY, deepest
end

-- On ground that is not steep one is lifted straight up, or one would slide down each slope.
local function land(ground, ny, depth)
  hero.shape:move(0, depth / ny)
  hero.vy = math.min(hero.vy, 0)
  hero.ground, hero.sinceGround = ground, 0
end

local function bump(outX, outY, nx, ny)
  hero.shape:move(outX, outY)
  local into = hero.vx * nx + hero.vy * ny
  if into < 0 then hero.vx, hero.vy = hero.vx - nx * into, hero.vy - ny * into end
end

local function resolve()
  for _ = 1, 4 do
    local ground, outX, outY, depth = findDeepest()
    if not ground then return end
    local nx, ny = outX / depth, outY / depth
    if ny < -STEEP then land(ground, ny, depth) else bump(outX, outY, nx, ny) end
  end
end

-- Keeps to the ground where it falls away under somebody who walks.
local function snap()
  local ground, t, _, ny = world:cast(hero.shape, 0, SNAP)
  if ground and ny < -STEEP then
    hero.shape:move(0, SNAP * t)
    hero.ground, hero.sinceGround, hero.vy = ground, 0, 0
  end
end

local function moveFerries(dt)
  for _, ferry in ipairs(ferries) do
    local before = ferry.shape:center()
    local way = ferry.along * (1 - math.cos(2 * math.pi * time / ferry.seconds)) / 2
    ferry.from = ferry.from or before
    ferry.shape:move(ferry.from + way - before, 0)
    if hero.ground == ferry.shape then hero.shape:move(ferry.from + way - before, 0) end
  end
  time = time + dt
end

local function steer(dt)
  local isDown, wish = love.keyboard.isDown, 0
  if isDown("left", "a") then wish = wish - 1 end
  if isDown("right", "d") then wish = wish + 1 end
  local change = wish * RUN - hero.vx
  hero.vx = hero.vx + math.max(-HASTE * dt, math.min(HASTE * dt, change))
  if wish ~= 0 then hero.facing = wish end
end

local function jump()
  if hero.sinceKey > FORGIVING or hero.sinceGround > FORGIVING then return end
  hero.vy, hero.sinceKey, hero.sinceGround = -JUMP, 1, 1
end

local function moveHero(dt)
  local walked = hero.ground ~= nil
  hero.sinceGround, hero.sinceKey = hero.sinceGround + dt, hero.sinceKey + dt
  steer(dt)
  jump()
  hero.ground = nil
  hero.vy = math.min(hero.vy + GRAVITY * dt, FALL)
  hero.shape:move(hero.vx * dt, hero.vy * dt)
  resolve()
  if walked and not hero.ground and hero.vy >= 0 then snap() end
end

-- Meeting -----------------------------------------------------------------------

local meet = {}

function meet.coin(shape)
  world:remove(shape)
  taken = taken + 1
end

meet.spike = die

function meet.goal() finished = true end

local function meetAll()
  world:update()
  for a, b in world:began() do
    local other = a == hero.shape and b or b == hero.shape and a
    local met = other and meet[other:data().type]
    if met then met(other) end
  end
end

-- LÖVE's calls ------------------------------------------------------------------

function love.load()
  restart()
end

-- In steps that are short enough for nobody to fall through the bridge.
function love.update(dt)
  left = math.min(left + dt, 0.1)
  while left >= STEP do
    left = left - STEP
    moveFerries(STEP)
    moveHero(STEP)
    meetAll()
  end
  local x, y = hero.shape:center()
  if y > 700 then die() end
  local seen = love.graphics.getWidth() / ZOOM
  local wanted = math.max(0, math.min(x - seen / 2 + 80 * hero.facing, map.width * map.tilewidth - seen))
  cameraX = cameraX + (wanted - cameraX) * math.min(1, 4 * dt)
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() end
  if key == "space" or key == "up" or key == "w" then hero.sinceKey = 0 end
  if key == "o" then showShapes = not showShapes end
  if key == "r" then restart() end
end

function love.keyreleased(key)
  local isJump = key == "space" or key == "up" or key == "w"
  if isJump and hero.vy < 0 then hero.vy = hero.vy * SHORT end
end

-- Drawing -----------------------------------------------------------------------

local colors = {
  ground = "wall", platform = "line", bridge = "orange", coin = "yellow", spike = "vermilion", goal = "green",
}

local function drawThing(shape)
  local type = shape:data() and shape:data().type
  local color = colors[type]
  if not color then return end
  ui.color(color)
  shape:draw(type == "bridge" and "line" or "fill")
  if type == "ground" then
    ui.color("green")
    shape:draw("line")
  elseif type == "goal" then
    local x, y = shape:bounds()
    love.graphics.polygon("fill", x, y, x + 46, y + 14, x, y + 28)
  end
end

local function drawHero()
  local x, y = hero.shape:center()
  ui.color("orange")
  hero.shape:draw("fill")
  ui.color("ground")
  love.graphics.circle("fill", x + 3 + 4 * hero.facing, y - 9, 2.5)
  love.graphics.circle("fill", x - 3 + 4 * hero.facing, y - 9, 2.5)
end

local function drawBackground()
  ui.color("blue", 0.13)
  for i = 0, 12 do
    love.graphics.circle("fill", i * 210 - cameraX * 0.3, 580, 240 + 80 * math.sin(i * 2.3), 120)
  end
end

local things = {}

-- What sat knows: the pieces of all that is not convex, and what holds the hero up.
local function drawShapes()
  love.graphics.setLineWidth(1)
  ui.color("white", 0.7)
  for _, shape in ipairs(world:shapes(things)) do
    for _, piece in ipairs(shape:pieces()) do piece:draw("line") end
  end
  for other in world:collisions(hero.shape) do
    local nx, ny, _, x, y = sat.contacts(hero.shape, other)
    ui.color("ground")
    love.graphics.setLineWidth(2)
    love.graphics.circle("fill", x, y, 4)
    ui.arrow(x, y, x + nx * 30, y + ny * 30, 9)
  end
end

function love.draw()
  love.graphics.clear(0.078, 0.094, 0.122)
  drawBackground()
  love.graphics.push()
  love.graphics.translate(0, ui.HEAD)
  love.graphics.scale(ZOOM)
  love.graphics.translate(-cameraX, -TOP)
  love.graphics.setLineWidth(3)
  for _, shape in ipairs(world:shapes(things)) do drawThing(shape) end
  drawHero()
  if showShapes then drawShapes() end
  love.graphics.pop()
  ui.header(map.properties.title, ("%d of %d coins    %s"):format(taken, coins,
    finished and "you have reached the flag" or ("%.1f s"):format(time)))
  ui.footer {
    { "arrows", "run" }, { "space", "jump" }, { "o", "what sat knows", showShapes }, { "r", "restart" },
  }
end
