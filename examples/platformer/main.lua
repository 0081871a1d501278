-- A platformer: tiles with slopes and steps, planks to jump through, lifts that carry, a crusher, coins. The map was
-- drawn with Tiled: map.tmx is for Tiled, and map.lua is what it exports.

local sat = require "sat"
local character = require "sat.character"
local tiled = require "sat.tiled"
local look = require "look"
local map = require "map"
local ui = require "ui"

local STEP = 1 / 60                     -- seconds
local GRAVITY, FALL = 1500, 900         -- pixels a second: how much more each second, and at most
local RUN, HASTE = 230, 1600            -- the speed of a run, and how much of it each second brings
local JUMP, SHORT = 570, 0.45           -- a jump's speed, and the part left when the key is let go early
local FORGIVING = 0.1                   -- the seconds by which a jump may come too late or too early

local world, hero, lifts, coins, taken, finished, time
local startX, startY
local cameraX, left, showShapes = 0, 0, false

local function kindOf(shape) return shape:data().type end

-- Functions by types, which make the path of a shape from its properties: a function that gives, for a time, the vector
-- from where the shape began.
local paths = {}

-- A lift goes to and fro over dx, dy, once in so many seconds.
function paths.lift(properties)
  return function(now)
    local part = (1 - math.cos(2 * math.pi * now / properties.seconds)) / 2
    return properties.dx * part, properties.dy * part
  end
end

-- A crusher waits, falls onto the ground, and rises slowly.
function paths.crusher(properties)
  local drop, seconds = properties.drop, properties.seconds
  return function(now)
    local phase = now % seconds / seconds
    if phase < 0.5 then return 0, 0 end
    if phase < 0.6 then return 0, drop * ((phase - 0.5) / 0.1) ^ 2 end
    return 0, phase < 0.7 and drop or drop * (1 - phase) / 0.3
  end
end

local function restart()
  world, lifts, coins, taken, finished, time = sat.world(), {}, 0, 0, false, 0
  for _, shape in ipairs(tiled.add(world, map)) do
    local kind = kindOf(shape)
    if kind == "coin" then coins = coins + 1 end
    if paths[kind] then lifts[#lifts + 1] = { shape = shape, path = paths[kind](shape:data().properties) } end
    if kind == "start" then startX, startY = shape:center() end
  end
  hero = character.new(world, sat.capsule(0, -10, 0, 10, 10), { step = 8, snap = 8, corner = 8 })
  hero.vx, hero.vy, hero.sinceGround, hero.sinceKey, hero.facing = 0, 0, 1, 1, 1
  world:add(hero.shape:moveTo(startX, startY):setData { type = "hero" })
end

local function die()
  hero.shape:moveTo(startX, startY)
  hero.vx, hero.vy, hero.ground = 0, 0, nil
end

-- Each lift goes where its path says; whoever stands on it comes along, and what has no way out is crushed.
local function moveLifts()
  time = time + STEP
  for _, lift in ipairs(lifts) do
    local dx, dy = lift.path(time)
    local beforeX, beforeY = lift.path(time - STEP)
    world:carry(lift.shape, dx - beforeX, dy - beforeY)
    for other, _, _, isCrushed in world:carried() do if isCrushed and other == hero.shape then die() end end
  end
end

local function moveHero()
  local isDown = love.keyboard.isDown
  local wish = (isDown("right", "d") and 1 or 0) - (isDown("left", "a") and 1 or 0)
  local change = wish * RUN - hero.vx
  hero.vx = hero.vx + math.max(-HASTE * STEP, math.min(HASTE * STEP, change))
  hero.vy = math.min(hero.vy + GRAVITY * STEP, FALL)
  if wish ~= 0 then hero.facing = wish end
  if hero.sinceKey < FORGIVING and hero.sinceGround < FORGIVING then
    hero.vy, hero.sinceKey, hero.sinceGround = -JUMP, 1, 1
  end
  if isDown("down", "s") then hero:drop() end
  hero.vx, hero.vy = hero:move(hero.vx, hero.vy, STEP)
  hero.sinceGround = hero.ground and 0 or hero.sinceGround + STEP
  hero.sinceKey = hero.sinceKey + STEP
end

local meet = { spike = die }

function meet.coin(shape)
  world:remove(shape)
  taken = taken + 1
end

function meet.flag() finished = true end

local function meetAll()
  world:update()
  for a, b in world:began() do
    local met = a == hero.shape and meet[kindOf(b)] or b == hero.shape and meet[kindOf(a)]
    if met then met(a == hero.shape and b or a) end
  end
end

function love.load() restart() end

function love.update(dt)
  left = math.min(left + dt, 0.1)
  while left >= STEP do
    left = left - STEP
    moveLifts()
    moveHero()
    meetAll()
  end
  local seen = love.graphics.getWidth()
  local wanted = hero.shape:center() - seen / 2 + 80 * hero.facing
  wanted = math.max(0, math.min(wanted, map.width * map.tilewidth - seen))
  cameraX = cameraX + (wanted - cameraX) * math.min(1, 4 * dt)
end

local function isJump(key) return key == "space" or key == "up" or key == "w" end

function love.keypressed(key)
  if isJump(key) then hero.sinceKey = 0 end
  if key == "escape" then love.event.quit() end
  if key == "o" then showShapes = not showShapes end
  if key == "r" then restart() end
end

function love.keyreleased(key)
  if isJump(key) and hero.vy < 0 then hero.vy = hero.vy * SHORT end
end

function love.draw()
  love.graphics.push()
  love.graphics.translate(-cameraX, love.graphics.getHeight() - ui.FOOT - map.height * map.tileheight)
  look.draw(world, hero, cameraX, showShapes)
  love.graphics.pop()
  ui.header("Up and over", ("%d of %d coins    %s"):format(taken, coins,
    finished and "you have reached the flag" or ("%.1f s"):format(time)))
  ui.footer {
    { "arrows", "run" }, { "space", "jump" }, { "down", "drop" }, { "o", "what sat knows", showShapes },
    { "r", "restart" },
  }
end
