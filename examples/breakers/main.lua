-- A ship of many parts, each with a health of its own. Your bullets tell by world:hits() which part they have hit, and
-- a part without health breaks off: the ship is made again of the others, and the part drifts away.
--
-- shape:part(k) is a copy of a part as it stands; sat.compound makes the rest. The list `health` has the same order.

local sat = require "sat"
local ui = require "ui"

local SPEED, BULLET, RELOAD, HEALTH, CORE = 420, 900, 0.09, 3, 12
local CATEGORY, YOURS = 2, 4 -- of ships and wrecks; of you and your bullets
local COLORS = { "faint", "vermilion", "orange", "yellow", "sky" } -- by the health that is left

local world, ship, hero, bullets, wrecks, cooldown, time, lost, seed

local function random(low, high)
  seed = seed * 16807 % 2147483647
  return low + (high - low) * seed / 2147483647
end

-- A hull in the middle, wings of plates, and guns at their ends.
local function build()
  local shapes, health = { sat.regular(0, 0, 46, 6) }, { CORE }
  local function add(shape)
    shapes[#shapes + 1], health[#health + 1] = shape, HEALTH
  end
  for side = -1, 1, 2 do
    for i = 1, 4 do
      local x = side * (18 + 40 * i)
      local near, far = x - side * 19, x + side * 19
      add(sat.polygon(near, -26 + 4 * i, far, -20 + 4 * i, far, 16 - 2 * i, near, 24 - 3 * i))
    end
    add(sat.capsule(side * 198, -10, side * 198, 26, 9))
    add(sat.polygon(side * 20, 42, side * 60, 26, side * 60, 60, side * 44, 60, side * 44, 44, side * 24, 62))
    add(sat.polygon(side * 14, -42, side * 34, -30, side * 46, -74, side * 22, -80))
  end
  local shape = sat.compound(shapes):move(480, 170):setFilter(CATEGORY, YOURS)
  world:add(shape)
  return { shape = shape, health = health }
end

local function restart()
  world, bullets, wrecks, cooldown, time, lost, seed = sat.world(), {}, {}, 0, 0, 0, 7
  ship = build()
  hero = sat.polygon(480, 520, 500, 560, 480, 550, 460, 560)
end

-- Breaks a part off. What was its neighbour stays in its place; a part that holds nothing is gone.
local function breakOff(k)
  local rest, whole = {}, ship.shape
  for i = 1, whole:parts() do
    if i ~= k then rest[#rest + 1] = whole:part(i) end
  end
  local wreck, x, y = whole:part(k), whole:center()
  local px, py = wreck:center()
  wrecks[#wrecks + 1] = { shape = wreck, health = 2, vx = (px - x) * 0.4, vy = (py - y) * 0.4, spin = random(-2, 2) }
  world:remove(whole)
  world:add(wreck)
  table.remove(ship.health, k)
  lost, ship.shape = lost + 1, #rest > 0 and sat.compound(rest):setFilter(CATEGORY, YOURS) or nil
  if ship.shape then world:add(ship.shape) end
end

local function strike(other, part, wreckage)
  if ship.shape and other == ship.shape then
    ship.health[part] = ship.health[part] - 1
    ship.flash, ship.flashing = part, 0.08
    if ship.health[part] <= 0 then breakOff(part) end
    return
  end
  for i, wreck in ipairs(wreckage) do
    if wreck.shape == other then
      wreck.health = wreck.health - 1
      if wreck.health <= 0 then
        world:remove(other)
        table.remove(wreckage, i)
      end
      return
    end
  end
end

function love.load() restart() end

local function fly(dt)
  for i = #bullets, 1, -1 do
    local bullet = bullets[i]
    local _, y, hits = world:move(bullet, 0, -BULLET * dt, "touch")
    for other, _, _, _, _, _, _, part in world:hits() do strike(other, part, wrecks) end
    if hits > 0 or y < -20 then table.remove(bullets, i) end
  end
end

local function drift(dt)
  if ship.shape then
    local x = ship.shape:center()
    ship.shape:move((480 + 190 * math.sin(0.6 * time) - x) * dt, 14 * math.cos(1.3 * time) * dt)
    ship.shape:rotate(0.25 * math.cos(0.8 * time) * dt)
  end
  for i = #wrecks, 1, -1 do
    local wreck = wrecks[i]
    wreck.vy = wreck.vy + 40 * dt
    wreck.shape:move(wreck.vx * dt, wreck.vy * dt):rotate(wreck.spin * dt)
    local _, y = wreck.shape:center()
    if y > 700 then
      world:remove(wreck.shape)
      table.remove(wrecks, i)
    end
  end
end

function love.update(dt)
  dt = math.min(dt, 1 / 30)
  local down = love.keyboard.isDown
  time, cooldown, ship.flashing = time + dt, cooldown - dt, (ship.flashing or 0) - dt
  local x, y = hero:center()
  local way = (down "right" and 1 or 0) - (down "left" and 1 or 0)
  hero:moveTo(math.max(20, math.min(940, x + way * SPEED * dt)), y)
  if down "space" and cooldown <= 0 then
    cooldown = RELOAD
    bullets[#bullets + 1] = sat.capsule(x, y - 30, x, y - 22, 2):setFilter(YOURS, CATEGORY)
  end
  drift(dt)
  fly(dt)
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() elseif key == "r" then restart() end
end

function love.draw()
  love.graphics.clear(0.078, 0.094, 0.122)
  for k = 1, ship.shape and ship.shape:parts() or 0 do
    local health = ship.health[k]
    local color = health > HEALTH and "purple" or COLORS[health + 2]
    ui.color(ship.flashing > 0 and ship.flash == k and "white" or color, 0.85)
    local part = ship.shape:part(k)
    part:draw "fill"
    ui.color("ground")
    part:draw "line"
  end
  for _, wreck in ipairs(wrecks) do
    ui.color(COLORS[wreck.health], 0.8)
    wreck.shape:draw "fill"
  end
  ui.color("green")
  hero:draw "fill"
  ui.color("white")
  for _, bullet in ipairs(bullets) do bullet:draw "fill" end
  local left = ship.shape and ship.shape:parts() or 0
  local words = left == 0 and "nothing is left of it" or ("%d parts hold, %d are broken off"):format(left, lost)
  ui.header("Breakers", words)
  ui.footer { { "left/right", "fly" }, { "space", "shoot" }, { "R", "again" } }
end
