-- Worms: two players dig a hill away from under each other's feet.

local sat, tiles, character, ui = require "sat", require "sat.tiles", require "sat.character", require "ui"
local GRAVITY, WALK, JUMP, BLAST = 600, 88, 190, 34
local world, map, worms, turn, power, shell, won, dug -- power goes from 0 to 1 while a player holds the key

local function isGround(column, row)
  local x, y = column / 240, row / 130
  local depth = y - 0.55 - 0.16 * math.sin(x * 9 + 1) - 0.07 * math.sin(x * 23)
  return y > 0.97 or depth > 0 and (depth < 0.06 or math.sin(x * 31 + y * 9) * math.sin(y * 21 - x * 7) < 0.72)
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
  local blast = sat.circle(x, y, BLAST)
  dug = dug + map:fill(blast, nil)
  for _, worm in ipairs(worms) do
    local dx, dy, depth = worm.shape:collide(blast) -- the way out of the blast, or nil
    worm.life = math.max(worm.life - math.ceil(1.5 * (depth or 0)), 0)
    worm.vx, worm.vy = worm.vx + 12 * (dx or 0), worm.vy + 12 * (dy or 0) - 6 * (depth or 0)
  end
end

local function act(worm, dt) -- the player whose turn it is
  local isDown, cos, sin, x, y = love.keyboard.isDown, math.cos(worm.angle), math.sin(worm.angle), worm.shape:center()
  if isDown("up", "down") then worm.angle = worm.angle + (isDown "up" and -1.5 or 1.5) * dt end
  if worm.ground and isDown("left", "right") then worm.vx = isDown "left" and -WALK or WALK end
  if worm.ground and isDown "return" then worm.vy = -JUMP end
  if not isDown "space" and power > 0 then
    local speed = 200 + 520 * power
    shell = { shape = sat.circle(x + 11 * cos, y + 11 * sin, 3), vx = speed * cos, vy = speed * sin }
  end
  power = isDown "space" and math.min(power + dt / 1.2, 1) or 0
end

local function fly(dt)
  shell.vy = shell.vy + GRAVITY * dt
  local x, y, hits = world:move(shell.shape, shell.vx * dt, shell.vy * dt, "touch")
  if hits > 0 then explode(x, y) end
  if hits > 0 or y > 700 then shell, turn = nil, 3 - turn end
end

function love.update(dt)
  if shell then fly(dt) elseif not won then act(worms[turn], dt) end
  for i, worm in ipairs(worms) do
    worm.vx, worm.vy = worm:move(worm.vx * (worm.ground and 0.8 ^ (60 * dt) or 1), worm.vy + GRAVITY * dt, dt)
    if worm.life <= 0 or select(2, worm.shape:center()) > 600 then won = won or worms[3 - i] end
  end
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() elseif key == "r" then love.load() end
end

function love.draw()
  love.graphics.clear(0.078, 0.094, 0.122)
  ui.color("green", 0.55)
  for _, shape in ipairs(world:shapes()) do shape:draw "fill" end
  for i, worm in ipairs(worms) do
    local x, y = worm.shape:center()
    local reach = i == turn and not shell and not won and 26 + 60 * power or 0
    ui.color(i == 1 and "sky" or "orange")
    worm.shape:draw "fill"
    ui.label(("%s %d"):format(worm.name, worm.life), x, y - 22)
    ui.color(power > 0 and "vermilion" or "yellow")
    ui.arrow(x, y, x + reach * math.cos(worm.angle), y + reach * math.sin(worm.angle))
  end
  if shell then shell.shape:draw "fill" end
  ui.header((won or worms[turn]).name .. (won and " has won" or "'s turn"), dug .. " tiles of the hill are gone")
  ui.footer { { "arrows", "walk and aim" }, { "return", "jump" }, { "space", "hold, and throw" }, { "R", "again" } }
end
