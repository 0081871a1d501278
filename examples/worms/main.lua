-- Worms: two players dig a hill away from under each other's feet.

local sat, tiles, character, ui = require "sat", require "sat.tiles", require "sat.character", require "ui"

local GRAVITY, WALK, JUMP, BLAST = 600, 88, 190, 34
local world, map, worms, turn, power, shell, won, dug -- power goes from 0 to 1 while a player holds the key

local function isGround(column, row)
  local x, y = column / 240, row / 130
  local depth = y - 0.55 - 0.16 * math.sin(x * 9 + 1) - 0.07 * math.sin(x * 23)
  local isCave = depth > 0.06 and math.sin(x * 31 + y * 9) * math.sin(y * 21 - x * 7) > 0.72
  return y > 0.97 or depth > 0 and not isCave
end

function love.load()
  world, worms, turn, power, shell, won, dug = sat.world(), {}, 1, 0, nil, nil, 0
  map = tiles.new(world, 240, 130, 4, isGround, { y = ui.HEAD })
  for i, name in ipairs { "Blue", "Orange" } do
    local shape = sat.circle(i * 320, 60, 7)
    worms[i] = character.new(world:add(shape), shape, { step = 9, snap = 9, slope = math.rad(75) })
    worms[i].name, worms[i].angle, worms[i].life, worms[i].vx, worms[i].vy = name, 4.7 * i - 5.5, 100, 0, 0
  end
end

local function explode(x, y)
  dug = dug + map:fill(sat.circle(x, y, BLAST), nil)
  for _, worm in ipairs(worms) do
    local wx, wy = worm.shape:center()
    local distance = math.max(math.sqrt((wx - x) ^ 2 + (wy - y) ^ 2), 1)
    local share = math.max(1 - distance / (BLAST + 20), 0) -- of the blast's strength
    worm.life = math.max(worm.life - math.ceil(60 * share), 0)
    worm.vx, worm.vy = worm.vx + 500 * share * (wx - x) / distance, worm.vy + share * (500 * (wy - y) / distance - 240)
  end
end

local function act(worm, dt) -- the player whose turn it is
  local isDown, cos, sin = love.keyboard.isDown, math.cos(worm.angle), math.sin(worm.angle)
  local walk = (isDown "right" and WALK or 0) - (isDown "left" and WALK or 0)
  worm.angle = worm.angle + ((isDown "down" and 1.5 or 0) - (isDown "up" and 1.5 or 0)) * dt
  if worm.ground and walk ~= 0 then worm.vx = walk end
  if worm.ground and isDown "return" then worm.vy = -JUMP end
  if isDown "space" then
    power = math.min(power + dt / 1.2, 1)
  elseif power > 0 then
    local x, y = worm.shape:center()
    local speed = 200 + 520 * power
    shell = { shape = sat.circle(x + 11 * cos, y + 11 * sin, 3), vx = speed * cos, vy = speed * sin }
    power = 0
  end
end

local function fly(dt)
  shell.vy = shell.vy + GRAVITY * dt
  local x, y, hits = world:move(shell.shape, shell.vx * dt, shell.vy * dt, "touch")
  if hits > 0 then explode(x, y) end
  if hits > 0 or y > 700 then shell, turn = nil, 3 - turn end
end

function love.update(dt)
  dt = math.min(dt, 1 / 30)
  if shell then fly(dt) elseif not won then act(worms[turn], dt) end
  for i, worm in ipairs(worms) do
    if worm.ground then worm.vx = worm.vx * 0.8 ^ (60 * dt) end
    worm.vx, worm.vy = worm:move(worm.vx, worm.vy + GRAVITY * dt, dt)
    if worm.life <= 0 or select(2, worm.shape:center()) > 600 then won = won or worms[3 - i] end
  end
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() elseif key == "r" then love.load() end
end

function love.draw()
  love.graphics.clear(0.078, 0.094, 0.122)
  ui.color("green", 0.55)
  for _, shape in ipairs(world:shapes()) do
    if shape:isStatic() then love.graphics.rectangle("fill", shape:bounds()) end
  end
  for i, worm in ipairs(worms) do
    local x, y = worm.shape:center()
    ui.color(i == 1 and "sky" or "orange")
    love.graphics.circle("fill", x, y, 7)
    ui.label(("%s %d"):format(worm.name, worm.life), x, y - 22)
    if i == turn and not shell and not won then
      local reach = 26 + 60 * power
      ui.color(power > 0 and "vermilion" or "yellow")
      ui.arrow(x, y, x + reach * math.cos(worm.angle), y + reach * math.sin(worm.angle))
    end
  end
  ui.color("white")
  if shell then love.graphics.circle("fill", shell.shape:boundingCircle()) end
  local account = won and won.name .. " has won" or worms[turn].name .. "'s turn"
  ui.header("Worms", ("%s; %d tiles of the hill are gone"):format(account, dug))
  ui.footer { { "left/right", "walk" }, { "return", "jump" }, { "up/down", "aim" }, { "space", "hold, and throw" },
    { "R", "again" } }
end
