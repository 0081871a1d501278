-- Worms: two players dig a hill away from under each other's feet.

local sat, tiles, character, ui = require "sat", require "sat.tiles", require "sat.character", require "ui"

local TILE, COLUMNS, ROWS = 4, 240, 130 -- the ground, 960 by 520 pixels below the line of words
local GRAVITY, WALK, JUMP, BLAST = 600, 70, 190, 34
local NAMES, COLORS = { "Blue", "Orange" }, { "sky", "orange" }
local world, map, worms, shell, turn, power, won, dug -- power goes from 0 to 1 while a player holds the key

local function isGround(column, row)
  local x, y = column / COLUMNS, row / ROWS
  local hill = 0.55 + 0.16 * math.sin(x * 9 + 1) + 0.07 * math.sin(x * 23)
  local cave = math.sin(x * 31 + y * 9) * math.sin(y * 21 - x * 7)
  return y > hill and not (cave > 0.72 and y > hill + 0.06) or y > 0.97
end

function love.load()
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
  for _, worm in ipairs(worms) do
    local wx, wy = worm.shape:center()
    local distance = math.max(math.sqrt((wx - x) ^ 2 + (wy - y) ^ 2), 1)
    local share = math.max(1 - distance / (BLAST + 20), 0) -- of the blast's strength
    worm.life = math.max(worm.life - math.ceil(60 * share), 0)
    worm.vx, worm.vy = worm.vx + 500 * share * (wx - x) / distance, worm.vy + share * (500 * (wy - y) / distance - 240)
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
  local x, y = worms[turn].shape:center()
  local angle, speed = worms[turn].angle, 200 + 520 * power
  shell = { shape = sat.circle(x, y, 3), by = turn, vx = speed * math.cos(angle), vy = speed * math.sin(angle) }
  power = nil
end

local function axis(less, more)
  return (love.keyboard.isDown(more) and 1 or 0) - (love.keyboard.isDown(less) and 1 or 0)
end

local function act(worm, dt) -- the player whose turn it is
  local isHeld, walk, ground = love.keyboard.isDown "space", axis("left", "right"), worm.hero.ground
  worm.angle = worm.angle + axis("up", "down") * 1.5 * dt
  if ground and walk ~= 0 then worm.vx = walk * WALK end
  if ground and love.keyboard.isDown "return" then worm.vy = -JUMP end
  if isHeld then power = math.min((power or 0) + dt / 1.2, 1) end
  if power and (power == 1 or not isHeld) then throw() end
end

function love.update(dt)
  dt = math.min(dt, 1 / 30)
  for i, worm in ipairs(worms) do
    if worm.hero.ground then worm.vx = worm.vx * 0.8 ^ (60 * dt) end
    if i == turn and not shell and not won then act(worm, dt) end
    worm.vx, worm.vy = worm.hero:move(worm.vx, worm.vy + GRAVITY * dt, dt)
    local x, y = worm.shape:center()
    if x < 0 or x > 960 or y > 600 or worm.life <= 0 then won = won or 3 - i end
  end
  if shell then fly(dt) end
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() elseif key == "r" then love.load() end
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
    ui.label(("%s %d"):format(NAMES[i], worm.life), x, y - 22)
    if i == turn and not shell and not won then
      local reach = 26 + 60 * (power or 0)
      ui.color(power and "vermilion" or "yellow")
      ui.arrow(x, y, x + reach * math.cos(worm.angle), y + reach * math.sin(worm.angle))
    end
  end
  ui.color("white")
  if shell then love.graphics.circle("fill", shell.shape:boundingCircle()) end
  ui.header("Worms", ("%s; %d tiles of the hill are gone"):format(
    won and NAMES[won] .. " has won" or NAMES[turn] .. "'s turn", dug))
  ui.footer { { "left/right", "walk" }, { "return", "jump" }, { "up/down", "aim" }, { "space", "hold, and throw" },
    { "R", "again" } }
end
