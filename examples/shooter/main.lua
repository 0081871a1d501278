-- Seen from above: 200 enemies that go around walls and each other, and bullets that bounce.

local sat = require "sat"
local ui = require "ui"

local WALL, HERO, ENEMY = 1, 2, 4 -- the categories
local ENEMIES = 200
local SPEED, CHASE, STROLL = 170, 75, 35 -- pixels a second: of the hero, and of enemies who see the hero or do not
local FAST, BOUNCES, PAUSE = 900, 3, 0.07 -- a bullet's speed, how often it bounces, and the seconds between two shots
local NEAR, FROM_WALLS, SIGHT = 10, 40, 260 -- how far enemies feel each other and walls, and how far they see

local WALLS = {
  { 130, 120, 300, 120, 300, 145, 155, 145, 155, 260, 130, 260 },
  { 430, 110, 480, 90, 530, 110, 550, 160, 530, 210, 510, 195, 522, 160, 508, 128, 480, 118, 452, 128 },
  { 700, 110, 830, 180, 818, 202, 688, 132 },
  { 110, 380, 240, 350, 240, 375, 135, 400, 135, 480, 110, 480 },
  { 380, 420, 405, 420, 405, 470, 470, 470, 470, 495, 380, 495 },
  { 600, 380, 625, 380, 625, 430, 690, 430, 690, 455, 625, 455, 625, 510, 600, 510 },
  { 790, 330, 840, 300, 890, 330, 890, 390, 840, 420, 790, 390 },
}

local world, hero, enemies, bullets, walls
local random, atan2 = love.math.random, math.atan2 or math.atan
local pause, shot, touched, showSight = 0, 0, 0, true
local near, trails = {}, {}

local function add(shape, category, mask, data)
  world:add(shape:setFilter(category, mask):setData(data))
  return shape
end

-- A place where a circle fits, and which is not near the hero.
local function findPlace(radius)
  local heroX, heroY = hero:center()
  while true do
    local x, y = random(40, 920), random(80, 520)
    local isFar = (x - heroX) ^ 2 + (y - heroY) ^ 2 > 200 ^ 2
    local _, count = world:query(x - 2 * radius, y - 2 * radius, 4 * radius, 4 * radius, near)
    if isFar and count == 0 then return x, y end
  end
end

local function restart()
  world, enemies, bullets, trails, shot, touched = sat.world(), {}, {}, {}, 0, 0
  local ANY = WALL + HERO + ENEMY
  walls = { add(sat.chain({ 10, 50, 10, 550, 950, 550, 950, 50 }, true):setStatic(true), WALL, ANY) } -- open inside
  for i, corners in ipairs(WALLS) do walls[i + 1] = add(sat.polygon(corners):setStatic(true), WALL, ANY) end
  hero = add(sat.circle(350, 300, 11):setMass(math.huge), HERO, ANY)
  for i = 1, ENEMIES do
    local x, y = findPlace(8)
    enemies[i] = { angle = random() * 2 * math.pi }
    enemies[i].shape = add(sat.circle(x, y, 5 + 3 * random()), ENEMY, ANY, enemies[i])
  end
end

-- Enemies -----------------------------------------------------------------------

-- Whether an enemy at x, y sees the hero. Only walls hide the hero, and other enemies do not.
local function sees(x, y)
  local heroX, heroY = hero:center()
  if (heroX - x) ^ 2 + (heroY - y) ^ 2 > SIGHT ^ 2 then return false end
  return world:raycast(x, y, heroX, heroY, WALL + HERO) == hero
end

-- The direction of an enemy: ahead, or to the hero that it sees, but away from walls and from its neighbours.
local function steer(enemy)
  local x, y = enemy.shape:center()
  local dx, dy = math.cos(enemy.angle), math.sin(enemy.angle)
  enemy.alarmed = sees(x, y)
  if enemy.alarmed then
    local heroX, heroY = hero:center()
    local length = math.max(1, math.sqrt((heroX - x) ^ 2 + (heroY - y) ^ 2))
    dx, dy = (heroX - x) / length, (heroY - y) / length
  end
  local wall, gap, wallX, wallY = world:nearest(x, y, FROM_WALLS, WALL)
  if wall and gap > 0 then
    local strength = 2 * (1 - gap / FROM_WALLS) / gap
    dx, dy = dx + strength * (x - wallX), dy + strength * (y - wallY)
  end
  local reach = enemy.shape:radius() + NEAR
  local _, count = world:query(x - reach, y - reach, 2 * reach, 2 * reach, near, ENEMY)
  for i = 1, count do
    local otherX, otherY = near[i]:center()
    local awayX, awayY = x - otherX, y - otherY
    local square = awayX * awayX + awayY * awayY
    if square > 0 then dx, dy = dx + 6 * awayX / square, dy + 6 * awayY / square end
  end
  return dx, dy
end

local function passEnemies(_, other) return other:data() == nil and "slide" end

local function moveEnemy(enemy, dt)
  local dx, dy = steer(enemy)
  local off = (atan2(dy, dx) - enemy.angle + math.pi) % (2 * math.pi) - math.pi
  enemy.angle = enemy.angle + math.max(-6 * dt, math.min(6 * dt, off)) + (random() - 0.5) * dt
  local way = (enemy.alarmed and CHASE or STROLL) * dt
  world:move(enemy.shape, way * math.cos(enemy.angle), way * math.sin(enemy.angle), passEnemies)
end

-- An enemy that was hit begins again in another place.
local function comeBack(enemy) enemy.shape:moveTo(findPlace(8)) end

-- Bullets -----------------------------------------------------------------------

local function aim()
  local x, y = hero:center()
  local mouseX, mouseY = love.mouse.getPosition()
  return x, y, atan2(mouseY - y, mouseX - x)
end

-- A bullet is in no world, so that nothing meets it; its filter says what it meets.
local function shoot()
  local x, y, angle = aim()
  bullets[#bullets + 1] = { shape = sat.circle(x, y, 3):setFilter(HERO, WALL + ENEMY), left = BOUNCES,
    vx = FAST * math.cos(angle), vy = FAST * math.sin(angle) }
end

local function hitBullet(_, other) return other:data() and "touch" or "bounce" end

-- Moves a bullet, and returns whether it flies on.
local function fly(bullet, dt)
  local fromX, fromY = bullet.shape:center()
  local x, y, _, rx, ry = world:move(bullet.shape, bullet.vx * dt, bullet.vy * dt, hitBullet)
  local trail, victim = { age = 0, fromX, fromY }, nil
  for other, nx, ny, _, hitX, hitY in world:hits() do
    trail[#trail + 1], trail[#trail + 2] = hitX + 3 * nx, hitY + 3 * ny
    bullet.left, victim = bullet.left - 1, victim or other:data()
  end
  trail[#trail + 1], trail[#trail + 2] = x, y
  trails[#trails + 1] = trail
  bullet.vx, bullet.vy = rx / dt, ry / dt
  if not victim then return bullet.left >= 0 end
  shot = shot + 1
  comeBack(victim)
end

local function moveBullets(dt)
  for i = #bullets, 1, -1 do
    if not fly(bullets[i], dt) then table.remove(bullets, i) end
  end
  for i = #trails, 1, -1 do
    trails[i].age = trails[i].age + dt
    if trails[i].age > 0.4 then table.remove(trails, i) end
  end
end

-- LÖVE's calls ------------------------------------------------------------------

function love.load() restart() end

local function moveHero(dt)
  local isDown = love.keyboard.isDown
  local dx = (isDown("right", "d") and 1 or 0) - (isDown("left", "a") and 1 or 0)
  local dy = (isDown("down", "s") and 1 or 0) - (isDown("up", "w") and 1 or 0)
  local way = SPEED * dt * (dx ~= 0 and dy ~= 0 and math.sqrt(0.5) or 1)
  world:move(hero, dx * way, dy * way, passEnemies)
  pause = pause - dt
  if pause <= 0 and love.mouse.isDown(1) then
    shoot()
    pause = PAUSE
  end
end

function love.update(dt)
  dt = math.min(dt, 1 / 30)
  moveHero(dt)
  for _, enemy in ipairs(enemies) do moveEnemy(enemy, dt) end
  world:separate() -- the enemies push each other, and nobody into a wall
  moveBullets(dt)
  world:update()
  for a, b in world:began() do
    local enemy = a == hero and b:data() or b == hero and a:data()
    if enemy then
      touched = touched + 1
      comeBack(enemy)
    end
  end
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() end
  if key == "l" then showSight = not showSight end
  if key == "r" then restart() end
end

function love.draw()
  love.graphics.clear(0.078, 0.094, 0.122)
  ui.color "wall"
  for i, wall in ipairs(walls) do wall:draw(i > 1 and "fill" or "line") end
  local x, y, angle = aim()
  love.graphics.setLineWidth(1)
  for _, enemy in ipairs(enemies) do
    local enemyX, enemyY = enemy.shape:center()
    ui.color("vermilion", 0.25)
    if enemy.alarmed and showSight then love.graphics.line(enemyX, enemyY, x, y) end
    ui.color(enemy.alarmed and "vermilion" or "sky")
    enemy.shape:draw "fill"
  end
  love.graphics.setLineWidth(2)
  for _, trail in ipairs(trails) do
    ui.color("yellow", 1 - trail.age / 0.4)
    love.graphics.line(trail)
  end
  for _, bullet in ipairs(bullets) do bullet.shape:draw "fill" end
  ui.color "orange"
  hero:draw "fill"
  love.graphics.setLineWidth(5)
  love.graphics.line(x, y, x + 18 * math.cos(angle), y + 18 * math.sin(angle))
  ui.header("Shooter", ("%d enemies    %d shot    touched %d times"):format(#enemies, shot, touched))
  ui.footer { { "arrows", "walk" }, { "mouse", "aim and shoot" }, { "l", "who sees you", showSight, "vermilion" },
    { "r", "restart" } }
end
