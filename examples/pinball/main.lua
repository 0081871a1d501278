-- Pinball: balls of three masses that bounce off walls, bumpers, flippers and each other.

local sat = require "sat"
local ui = require "ui"

local STEP = 1 / 240                 -- seconds; a flipper turns by no more than a ball's radius in one of them
local GRAVITY, FASTEST = 700, 1500   -- pixels a second each second, and pixels a second
local TURN, REST, UP = 14, 0.5, -0.5 -- a flipper's speed in radians a second, and its two angles

local world, things, balls, flippers, targets, cross
local left, score, best, isAuto, showShapes = 0, 0, 0, false, false
local random = love.math.random

-- How much of its speed into a thing a ball keeps, the speed that the thing adds, its points, and its colour.
local KINDS = {
  wall = { keeps = 0.5, adds = 0, points = 0, color = "wall" },
  bumper = { keeps = 1, adds = 260, points = 100, color = "purple" },
  sling = { keeps = 0.8, adds = 200, points = 10, color = "green" },
  target = { keeps = 0.6, adds = 0, points = 500, color = "yellow" },
  cross = { keeps = 0.8, adds = 0, points = 5, color = "sky" },
  flipper = { keeps = 0.4, adds = 0, points = 0, color = "vermilion" },
}
local MASSES = { { mass = 1, radius = 8, color = "white" }, { mass = 2, radius = 10, color = "orange" },
  { mass = 4, radius = 13, color = "sky" } }

local function put(shape, kind, data)
  data = data or {}
  data.kind, data.shape, data.glow = kind, shape, 0
  world:add(shape:setStatic(true):setData(data))
  things[#things + 1] = data
  return data
end

-- A pivot, a blade that gets thinner, and a tip: one shape. `side` is 1 for the left flipper, -1 for the right one.
local function newFlipper(x, y, side, key)
  local blade = sat.polygon(x, y - 11, x + side * 78, y - 5, x + side * 78, y + 5, x, y + 11)
  local shape = sat.compound(sat.circle(x, y, 11), blade, sat.circle(x + side * 78, y, 5))
  shape:setRotation(side * REST, x, y)
  return put(shape, "flipper", { x = x, y = y, side = side, key = key, angle = REST, spin = 0 })
end

local function launch(ball)
  ball.shape:moveTo(random(380, 580), 90)
  ball.vx, ball.vy = random(-150, 150), 0
end

local function restart()
  world, things, balls, targets, score = sat.world(), {}, {}, {}, 0
  local outline = { 210, 600, 210, 200 } -- up on the left, an arch, and down on the right
  for i = 0, 24 do
    local angle = math.pi * (1 + i / 24)
    outline[#outline + 1], outline[#outline + 2] = 480 + 270 * math.cos(angle), 200 + 150 * math.sin(angle)
  end
  outline[#outline + 1], outline[#outline + 2] = 750, 600
  put(sat.chain(outline), "wall")
  put(sat.polygon(210, 400, 376, 478, 370, 490, 210, 490), "wall")
  put(sat.polygon(750, 400, 750, 490, 590, 490, 584, 478), "wall")
  for i, x in ipairs { 400, 560, 480, 290, 670 } do put(sat.circle(x, i < 3 and 190 or 260, 28 - 2.5 * i), "bumper") end
  put(sat.polygon(300, 330, 350, 400, 300, 380):setRadius(5), "sling")
  put(sat.polygon(660, 330, 660, 380, 610, 400):setRadius(5), "sling")
  for i = 1, 5 do targets[i] = put(sat.rectangle(370 + 36 * i, 128, 24, 7), "target") end
  local bars = sat.compound(sat.rectangle(440, 356, 80, 8), sat.rectangle(476, 320, 8, 80))
  cross = put(bars, "cross", { x = 480, y = 360, spin = 2 })
  flippers = { newFlipper(376, 490, 1, "left"), newFlipper(584, 490, -1, "right") }
  for i, kind in ipairs(MASSES) do
    balls[i] = { mass = kind.mass, color = kind.color, shape = sat.circle(0, 0, kind.radius) }
    world:add(balls[i].shape:setMass(kind.mass):setData(balls[i]))
    launch(balls[i])
    balls[i].shape:move(0, 30 * (i - 2))
  end
end

-- What turns --------------------------------------------------------------------

-- While nobody plays, each flipper goes up when a ball comes down onto it.
local function isWanted(flipper)
  if not isAuto then return love.keyboard.isDown(flipper.key) end
  for _, ball in ipairs(balls) do
    local x, y = ball.shape:center()
    local along = (x - flipper.x) * flipper.side
    if y > 478 and y < 560 and along > 20 and along < 100 and ball.vy > -50 then return true end
  end
  return false
end

local function turn(flipper)
  local wanted = isWanted(flipper) and UP or REST
  local angle = flipper.angle + math.max(-TURN * STEP, math.min(TURN * STEP, wanted - flipper.angle))
  flipper.spin = flipper.side * (angle - flipper.angle) / STEP
  flipper.shape:setRotation(flipper.side * angle, flipper.x, flipper.y)
  flipper.angle = angle
end

-- Balls -------------------------------------------------------------------------

-- Shapes that stand still reflect a ball. A ball slides along shapes that move, and the game computes its speed.
local function respond(_, other)
  local data = other:data()
  return (data.mass or data.spin) and "slide" or "bounce"
end

-- Two balls exchange their speeds along the normal by their masses, as elastic balls do, with a loss of a tenth.
local function hitBall(ball, other, nx, ny)
  local into = (ball.vx - other.vx) * nx + (ball.vy - other.vy) * ny
  if into >= 0 then return end
  local push = -1.9 * into / (ball.mass + other.mass)
  ball.vx, ball.vy = ball.vx + push * other.mass * nx, ball.vy + push * other.mass * ny
  other.vx, other.vy = other.vx - push * ball.mass * nx, other.vy - push * ball.mass * ny
end

-- Reflects a ball off a surface that moves by sx, sy.
local function reflect(ball, kind, nx, ny, sx, sy)
  local into = (ball.vx - sx) * nx + (ball.vy - sy) * ny
  if into >= 0 then return end
  local push = -(1 + kind.keeps) * into + (into < -40 and kind.adds or 0)
  ball.vx, ball.vy = ball.vx + push * nx, ball.vy + push * ny
end

local function hitThing(ball, thing, nx, ny, x, y)
  local kind, spin = KINDS[thing.kind], thing.spin or 0
  reflect(ball, kind, nx, ny, spin * ((thing.y or y) - y), spin * (x - (thing.x or x)))
  score, thing.glow = score + kind.points, kind.points > 0 and 1 or 0
  if thing.kind == "target" then thing.shape:setEnabled(false) end
end

local function moveBall(ball)
  ball.vy = ball.vy + GRAVITY * STEP
  local speed = math.sqrt(ball.vx * ball.vx + ball.vy * ball.vy)
  if speed > FASTEST then ball.vx, ball.vy = ball.vx * FASTEST / speed, ball.vy * FASTEST / speed end
  local _, y = world:move(ball.shape, ball.vx * STEP, ball.vy * STEP, respond)
  for other, nx, ny, _, hitX, hitY in world:hits() do
    local data = other:data()
    if data.mass then hitBall(ball, data, nx, ny) else hitThing(ball, data, nx, ny, hitX, hitY) end
  end
  if y > 640 then launch(ball) end
end

-- The targets come back when all of them are down and no ball is in the way.
local function restoreTargets()
  for _, target in ipairs(targets) do
    if target.shape:isEnabled() then return end
    for _, ball in ipairs(balls) do if ball.shape:overlaps(target.shape) then return end end
  end
  for _, target in ipairs(targets) do target.shape:setEnabled(true) end
  score = score + 5000
end

local function step()
  for _, flipper in ipairs(flippers) do turn(flipper) end
  cross.shape:rotate(cross.spin * STEP, cross.x, cross.y)
  for _, ball in ipairs(balls) do moveBall(ball) end
  restoreTargets()
end

-- LÖVE's calls ------------------------------------------------------------------

function love.load() restart() end

function love.update(dt)
  left = math.min(left + dt, 0.1)
  while left >= STEP do
    left = left - STEP
    step()
  end
  for _, thing in ipairs(things) do thing.glow = math.max(0, thing.glow - 4 * dt) end
  best = math.max(best, score)
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() end
  if key == "a" then isAuto = not isAuto end
  if key == "o" then showShapes = not showShapes end
  if key == "r" then restart() end
end

local function drawThing(thing)
  local kind = KINDS[thing.kind]
  ui.color(thing.glow > 0 and "white" or kind.color, thing.shape:isEnabled() and 1 or 0.2)
  thing.shape:draw(thing.shape:kind() == "chain" and "line" or "fill")
  ui.color(kind.color, 0.6 * thing.glow)
  local x, y, radius = thing.shape:boundingCircle()
  if thing.glow > 0 then love.graphics.circle("line", x, y, radius + 14 * (1 - thing.glow)) end
end

local function drawBall(ball)
  local x, y = ball.shape:center()
  ui.color(ball.color)
  ball.shape:draw "fill"
  ui.color(ball.color, 0.4)
  love.graphics.line(x, y, x - 0.04 * ball.vx, y - 0.04 * ball.vy)
end

-- The pieces of all compounds and concave polygons.
local function drawPieces()
  ui.color("white", 0.7)
  love.graphics.setLineWidth(1)
  for _, thing in ipairs(things) do
    for _, piece in ipairs(thing.shape:pieces()) do piece:draw "line" end
  end
end

local function drawMasses()
  ui.font(14)
  for i, ball in ipairs(balls) do
    ui.color(ball.color)
    love.graphics.circle("fill", 60, 90 + 34 * i, ball.shape:radius())
    ui.color "faint"
    love.graphics.print("mass " .. ball.mass, 84, 82 + 34 * i)
  end
end

function love.draw()
  love.graphics.clear(0.078, 0.094, 0.122)
  love.graphics.setLineWidth(3)
  for _, thing in ipairs(things) do drawThing(thing) end
  for _, ball in ipairs(balls) do drawBall(ball) end
  if showShapes then drawPieces() end
  drawMasses()
  ui.header("Pinball", ("%d points    the best %d"):format(score, best))
  ui.footer { { "left", "and" }, { "right", "flippers" }, { "a", "plays by itself", isAuto },
    { "o", "what sat knows", showShapes }, { "r", "restart" } }
end
