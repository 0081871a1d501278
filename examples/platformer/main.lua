-- A platformer: tiles with slopes and steps, planks to jump through, lifts that carry, a crusher, coins.

local sat = require "sat"
local character = require "sat.character"
local tiles = require "sat.tiles"
local look = require "look"
local map = require "map"
local ui = require "ui"

local STEP = 1 / 60                     -- seconds
local GRAVITY, FALL = 1500, 900         -- pixels a second: how much more each second, and at most
local RUN, HASTE = 230, 1600            -- as fast as that, and how soon
local JUMP, SHORT = 570, 0.45           -- what is left of it when the key is let go early
local FORGIVING = 0.1                   -- seconds: so late, or so early, one may jump

local world, hero, lifts, coins, taken, finished, time
local cameraX, left, showShapes = 0, 0, false

local function put(shape, kind) world:add(shape:setData(kind)) end

-- What becomes of a letter of the map that is no tile, by its cell's corner.
local place = {
  ["="] = function(x, y) put(sat.rectangle(x, y, map.size, 6):setStatic(true):setOneWay(0, -1), "plank") end,
  o = function(x, y)
    coins = coins + 1
    put(sat.circle(x + 16, y + 16, 9):setStatic(true):setSensor(true), "coin")
  end,
  ["^"] = function(x, y)
    put(sat.polygon(x, y + 32, x + 16, y + 6, x + 32, y + 32):setStatic(true):setSensor(true), "spike")
  end,
  F = function(x, y) put(sat.rectangle(x + 12, y - 64, 6, 96):setStatic(true):setSensor(true), "flag") end,
}

local function restart()
  world, lifts, coins, taken, finished, time = sat.world(), {}, 0, 0, false, 0
  tiles.new(world, map.columns, map.rows, map.size, map.tile)
  for x, y, letter in map.letters() do if place[letter] then place[letter](x, y) end end
  for i, lift in ipairs(map.lifts) do
    lifts[i] = { shape = sat.rectangle(lift.x, lift.y, lift.w, lift.h):setStatic(true), path = lift.path }
    put(lifts[i].shape, lift.kind)
  end
  hero = character.new(world, sat.capsule(0, -10, 0, 10, 10), { step = 8, snap = 8, corner = 8 })
  hero.vx, hero.vy, hero.sinceGround, hero.sinceKey, hero.facing = 0, 0, 1, 1, 1
  put(hero.shape:moveTo(map.startX, map.startY), "hero")
end

local function die()
  hero.shape:moveTo(map.startX, map.startY)
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
    local met = a == hero.shape and meet[b:data()] or b == hero.shape and meet[a:data()]
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
  wanted = math.max(0, math.min(wanted, map.columns * map.size - seen))
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
  love.graphics.translate(-cameraX, love.graphics.getHeight() - ui.FOOT - map.rows * map.size)
  look.draw(world, hero, cameraX, showShapes)
  love.graphics.pop()
  ui.header("Up and over", ("%d of %d coins    %s"):format(taken, coins,
    finished and "you have reached the flag" or ("%.1f s"):format(time)))
  ui.footer {
    { "arrows", "run" }, { "space", "jump" }, { "down", "drop" }, { "o", "what sat knows", showShapes },
    { "r", "restart" },
  }
end
