-- Worms: two players dig a hill away from under each other's feet.

local sat = require "sat"
local tiles = require "sat.tiles"
local character = require "sat.character"
local ui = require "ui"

local TILE, COLUMNS, ROWS = 4, 240, 130 -- the ground, 960 by 520 pixels below the line of words
local GRAVITY, WALK, JUMP = 600, 70, 190
local BLAST, HARM, FULL = 34, 60, 1.2 -- a shell's radius, what it takes at most, and the seconds of the strongest throw
local NAMES, COLORS = { "Blue", "Orange" }, { "sky", "orange" }

local world, map, worms, shell, turn, power, won, dug

local function isGround(column, row)
  local x, y = column / COLUMNS, row / ROWS
  local hill = 0.55 + 0.16 * math.sin(x * 9 + 1) + 0.07 * math.sin(x * 23)
  local cave = math.sin(x * 31 + y * 9) * math.sin(y * 21 - x * 7)
  return y > hill and not (cave > 0.72 and y > hill + 0.06) or y > 0.97
end

local function restart()
  world, worms, shell, turn, power, won, dug = sat.world(), {}, nil, 1, nil, nil, 0
  map = tiles.new(world, COLUMNS, ROWS, TILE, isGround, { y = ui.HEAD })
  for i = 1, 2 do
    local shape = sat.circle(i * 320, 60, 7):setData(i)
    world:add(shape)
    worms[i] = { shape = shape, hero = character.new(world, shape, { step = 9, snap = 9, slope = math.rad(75) }),
      vx = 0, vy = 0, angle = i == 1 and -0.8 or math.pi + 0.8, life = 100 }
  end
end

local function explode(x, y)
  dug = dug + map:fill(sat.circle(x, y, BLAST), nil)
  for i, worm in ipairs(worms) do
    local wx, wy = worm.shape:center()
    local dx, dy = wx - x, wy - y
    local distance = math.max(math.sqrt(dx * dx + dy * dy), 1)
    if distance < BLAST + 20 then
      local share = 1 - distance / (BLAST + 20)
      worm.life = worm.life - math.ceil(HARM * share)
      worm.vx, worm.vy = worm.vx + 500 * share * dx / distance, worm.vy + 500 * share * dy / distance - 120
      if worm.life <= 0 then won = won or 3 - i end
    end
  end
end

local function fly(dt)
  shell.vy = shell.vy + GRAVITY * dt
  local x, y, hits = world:move(shell.shape, shell.vx * dt, shell.vy * dt, function(_, other)
    return other:data() ~= shell.by and "touch" -- of a worm the number, of the ground the map
  end)
  if hits > 0 then explode(x, y) end
  if hits > 0 or x < -200 or x > 1160 or y > 700 then shell, turn = nil, 3 - turn end
end

local function throw()
  local worm, speed = worms[turn], 200 + 520 * math.min(power / FULL, 1)
  local x, y = worm.shape:center()
  shell = { shape = sat.circle(x, y, 3), by = turn }
  shell.vx, shell.vy, power = speed * math.cos(worm.angle), speed * math.sin(worm.angle), nil
end

function love.load() restart() end

function love.update(dt)
  dt = math.min(dt, 1 / 30)
  local down = love.keyboard.isDown
  for i, worm in ipairs(worms) do
    local mine = i == turn and not shell and not won
    local walk = mine and (down "right" and WALK or 0) - (down "left" and WALK or 0) or 0
    if worm.hero.ground then worm.vx = worm.vx * 0.8 ^ (60 * dt) end
    if walk ~= 0 and worm.hero.ground then worm.vx = walk end
    if mine then worm.angle = worm.angle + ((down "down" and 1 or 0) - (down "up" and 1 or 0)) * 1.5 * dt end
    worm.vx, worm.vy = worm.hero:move(worm.vx, worm.vy + GRAVITY * dt, dt)
    local x, y = worm.shape:center()
    if x < 0 or x > 960 or y > 600 then won = won or 3 - i end
  end
  if power and not shell then
    power = power + dt
    if power >= FULL then throw() end
  end
  if shell then fly(dt) end
end

function love.keypressed(key)
  local worm = worms[turn]
  if key == "escape" then love.event.quit()
  elseif key == "r" then restart()
  elseif key == "space" and not shell and not won then power = 0
  elseif key == "return" and worm.hero.ground and not shell then worm.vy = -JUMP end
end

function love.keyreleased(key)
  if key == "space" and power and not shell then throw() end
end

function love.draw()
  love.graphics.clear(0.078, 0.094, 0.122)
  ui.color("green", 0.55)
  for _, shape in ipairs(world:shapes()) do
    if shape:data() == map then love.graphics.rectangle("fill", shape:bounds()) end
  end
  for i, worm in ipairs(worms) do
    local x, y = worm.shape:center()
    ui.color(COLORS[i])
    love.graphics.circle("fill", x, y, 7)
    ui.label(("%s %d"):format(NAMES[i], math.max(worm.life, 0)), x, y - 22)
    if i == turn and not shell and not won then
      local reach = 26 + 60 * math.min((power or 0) / FULL, 1)
      ui.color(power and "vermilion" or "yellow")
      ui.arrow(x, y, x + reach * math.cos(worm.angle), y + reach * math.sin(worm.angle))
    end
  end
  if shell then
    ui.color("white")
    love.graphics.circle("fill", shell.shape:boundingCircle())
  end
  local words = won and NAMES[won] .. " has won" or NAMES[turn] .. "'s turn"
  ui.header("Worms", ("%s; %d tiles of the hill are gone"):format(words, dug))
  ui.footer { { "left/right", "walk" }, { "return", "jump" }, { "up/down", "aim" }, { "space", "hold, and throw" },
    { "R", "again" } }
end
