-- Lightning: it jumps from each enemy to the nearest whom it has not struck, if no wall stands between them.

local sat = require "sat"
local ui = require "ui"

local WALL, HERO, ENEMY = 1, 2, 4
local REACH, JUMP, FULL = 150, 110, 3 -- of the first stroke and of the others, in pixels; how often an enemy is struck
local world, hero, bolt, fog, score, clock

local function add(shape, category)
  world:add(shape:setFilter(category, WALL + HERO + ENEMY))
  return shape
end

local function newEnemy()
  local angle, distance = love.math.random() * 2 * math.pi, love.math.random(260, 460)
  local enemy = sat.circle(480 + distance * math.cos(angle), 320 + 0.6 * distance * math.sin(angle), 10)
  if #world:query(enemy) == 0 then add(enemy, ENEMY):setData { struck = 0 } end
end

local function restart()
  world, bolt, score, clock = sat.world(), nil, 0, 0
  local walls = { { 250, 160, 24, 150 }, { 690, 160, 24, 150 }, { 360, 440, 240, 24 }, { 430, 180, 100, 24 } }
  for _, wall in ipairs(walls) do
    add(sat.rectangle(unpack(wall)):setStatic(true), WALL)
  end
  add(sat.chain({ 0, ui.HEAD, 960, ui.HEAD, 960, 600, 0, 600 }, true):setStatic(true), WALL):setFilter(WALL, HERO)
  fog = add(sat.circle(300, 380, 70), WALL):setSensor(true):setStatic(true)
  hero = add(sat.circle(480, 330, 12), HERO)
  for _ = 1, 60 do newEnemy() end
end

-- Who may be struck next: an enemy whom this bolt has not struck, in sight of where it is.
local struck, at = {}, nil
local who = { mask = ENEMY, except = struck, accept = function(enemy)
  local x1, y1 = at:center()
  local x2, y2 = enemy:center()
  return not world:raycast(x1, y1, x2, y2, WALL)
end }

-- In the fog lightning strikes only once.
local function strike()
  for i = #struck, 1, -1 do struck[i] = nil end
  local x, y = hero:center()
  bolt, at = { x, y, life = 0.25 }, hero
  local reach = REACH
  for _ = 1, world:at(x, y, nil, { sensors = "only" })[1] and 1 or 12 do
    local enemy = world:nearest(x, y, reach, who)
    if not enemy then return end
    at, reach, struck[#struck + 1] = enemy, JUMP, enemy
    x, y = enemy:center()
    bolt[#bolt + 1], bolt[#bolt + 2] = x, y
    local state = enemy:data()
    state.struck = state.struck + 1
    if state.struck == FULL then score = score + 1 world:remove(enemy) end
  end
end

function love.load() restart() end

function love.update(dt)
  dt, clock = math.min(dt, 1 / 30), clock + dt
  local down, speed = love.keyboard.isDown, 190 * dt
  world:move(hero, ((down "right" and 1 or 0) - (down "left" and 1 or 0)) * speed,
    ((down "down" and 1 or 0) - (down "up" and 1 or 0)) * speed)
  local hx, hy = hero:center()
  for _, enemy in ipairs(world:shapes()) do
    local x, y = enemy:center()
    local distance = math.sqrt((hx - x) ^ 2 + (hy - y) ^ 2)
    if enemy:data() and distance > 40 then
      world:move(enemy, 30 * dt * (hx - x) / distance, 30 * dt * (hy - y) / distance)
    end
  end
  if clock > 1.5 and world:count() < 80 then newEnemy() clock = 0 end
  if bolt then
    bolt.life = bolt.life - dt
    if bolt.life <= 0 then bolt = nil end
  end
end

function love.keypressed(key)
  if key == "escape" then love.event.quit()
  elseif key == "r" then restart()
  elseif key == "space" then strike() end
end

local function drawBolt()
  love.graphics.setLineWidth(3)
  ui.color("yellow", 0.4 + 0.6 * bolt.life / 0.25)
  for i = 1, #bolt - 3, 2 do
    local x1, y1, x2, y2 = bolt[i], bolt[i + 1], bolt[i + 2], bolt[i + 3]
    local points = { x1, y1 }
    for k = 1, 7 do -- crooked, as lightning is
      local out = 9 * math.sin(k * 5 + i + math.floor(bolt.life * 30)) * math.sin(k / 8 * math.pi)
      points[#points + 1] = x1 + (x2 - x1) * k / 8 - out * (y2 - y1) / JUMP
      points[#points + 1] = y1 + (y2 - y1) * k / 8 + out * (x2 - x1) / JUMP
    end
    points[#points + 1], points[#points + 2] = x2, y2
    love.graphics.line(points)
  end
  love.graphics.setLineWidth(1)
end

function love.draw()
  love.graphics.clear(0.078, 0.094, 0.122)
  for _, shape in ipairs(world:shapes()) do
    local state = shape:data()
    if state then ui.color(({ [0] = "sky", "orange", "vermilion" })[state.struck])
    elseif shape == fog then ui.color("faint", 0.25)
    else ui.color(shape == hero and "green" or "wall") end
    shape:draw "fill"
  end
  if bolt then drawBolt() end
  ui.header("Lightning", ("enemies gone: %d; struck by the last bolt: %d"):format(score, #struck))
  ui.footer { { "arrows", "walk" }, { "space", "lightning" }, { "R", "again" } }
end
