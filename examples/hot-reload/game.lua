-- Change a number and save: the game goes on with it.
local GRAVITY = 500
local BOUNCE = 0.6
local SPIN = 1.5
local BALLS = "sky"
local CROSS = "orange"

local game = ... -- what the last version has left
local sat = require "sat"
local ui = require "ui"

local shapes = {} -- filled again in each frame

local function addBall(x, y, radius)
  local ball = sat.circle(x, y, radius)
  ball:setData { vx = 0, vy = 0 } -- pixels a second
  game.world:add(ball)
end

local function start()
  game.world = sat.world()
  game.cross = sat.compound(
    sat.capsule(180, 290, 380, 290, 12),
    sat.capsule(280, 190, 280, 390, 12))
  local bowl = sat.polygon(
    30, 130, 60, 130, 110, 380, 220, 500, 340, 500,
    450, 380, 500, 130, 530, 130, 530, 550, 30, 550)
  game.world:add(game.cross:setStatic(true))
  game.world:add(bowl:setStatic(true))
  for i = 0, 15 do addBall(130 + i % 6 * 60, 70 + math.floor(i / 6) * 45, 12 + i % 3 * 4) end
end

-- Out of the other one by dx, dy, and back from there.
local function bounce(ball, dx, dy, depth)
  local speed = ball:data()
  if depth == 0 or not speed then return end
  local nx, ny = dx / depth, dy / depth
  local into = speed.vx * nx + speed.vy * ny
  if into < 0 then
    speed.vx = speed.vx - (1 + BOUNCE) * into * nx
    speed.vy = speed.vy - (1 + BOUNCE) * into * ny
  end
end

function game.update(dt)
  game.cross:rotate(SPIN * dt)
  for _, shape in ipairs(game.world:shapes(shapes)) do
    local speed = shape:data()
    if speed then
      speed.vy = speed.vy + GRAVITY * dt
      shape:move(speed.vx * dt, speed.vy * dt)
    end
  end
  for a, b, dx, dy, depth in game.world:collisions() do
    bounce(a, dx, dy, depth)
    bounce(b, -dx, -dy, depth)
  end
  game.world:separate(4)
end

function game.draw()
  for _, shape in ipairs(game.world:shapes(shapes)) do
    ui.color(shape:data() and BALLS or shape == game.cross and CROSS or "wall")
    shape:draw("fill")
  end
end

function game.click(x, y) addBall(x, y, 16) end

if not game.world then start() end
