-- A sokoban without a grid: push a crate onto each pad. The number on a crate is its weight; all that the hero moves at
-- once weighs no more than the number on the hero.

local sat = require "sat"
local ui = require "ui"

local TILE, TOP, SPEED = 48, 60, 190
local LEVEL = { -- # wall, a b c d a triangle, 1 2 3 a crate of that weight, o a barrel, . a pad, + strength, @ the hero
  "####################",
  "#      c##d       .#",
  "#                  #",
  "#  @  1    2   ab  #",
  "#         ###  ##  #",
  "#  o   a##d        #",
  "#      ###   3     #",
  "#      c##     1  .#",
  "#+  2          o  .#",
  "####################",
}
local CORNERS = {
  a = { 0, 1, 1, 0, 1, 1 }, b = { 0, 0, 1, 1, 0, 1 }, c = { 0, 0, 1, 0, 1, 1 }, d = { 0, 0, 1, 0, 0, 1 },
}
local COLORS = { "yellow", "orange", "vermilion" }

local world, hero, crates, pads, gloves, past, wasPushing, load, lookX, lookY

local function addTile(letter, x, y)
  local middleX, middleY = x + TILE / 2, y + TILE / 2
  if letter == "#" then
    world:add(sat.rectangle(x, y, TILE, TILE):setStatic(true))
  elseif CORNERS[letter] then
    local points = {}
    for i = 1, 6, 2 do points[i], points[i + 1] = x + TILE * CORNERS[letter][i], y + TILE * CORNERS[letter][i + 1] end
    world:add(sat.polygon(points):setStatic(true))
  elseif letter == "o" then
    crates[#crates + 1] = sat.circle(middleX, middleY, 20)
  elseif tonumber(letter) then
    crates[#crates + 1] = sat.rectangle(middleX - 20, middleY - 20, 40, 40):setMass(tonumber(letter))
  elseif letter == "." then
    pads[#pads + 1] = { middleX, middleY }
  elseif letter == "+" then
    gloves[#gloves + 1] = sat.circle(middleX, middleY, 12):setSensor(true)
  elseif letter == "@" then
    hero = sat.circle(middleX, middleY, 16):setMass(2)
  end
end

local function restart()
  world, crates, pads, gloves, past = sat.world(), {}, {}, {}, {}
  wasPushing, load, lookX, lookY = false, 0, 0, 1
  for row, line in ipairs(LEVEL) do
    for column = 1, #line do addTile(line:sub(column, column), (column - 1) * TILE, TOP + (row - 1) * TILE) end
  end
  world:add(hero):add(crates):add(gloves)
end

local function isCovered(pad)
  for _, crate in ipairs(crates) do
    local x, y = crate:center()
    if (x - pad[1]) ^ 2 + (y - pad[2]) ^ 2 < 14 ^ 2 then return true end
  end
  return false
end

local function countCovered()
  local count = 0
  for _, pad in ipairs(pads) do
    if isCovered(pad) then count = count + 1 end
  end
  return count
end

-- Takes back the last push, or all that were made without a pause.
local function takeBack()
  if #past > 0 then world:load(table.remove(past)) end
end

function love.load() restart() end

function love.update(dt)
  local down = love.keyboard.isDown
  local dx = (down "right" and 1 or 0) - (down "left" and 1 or 0)
  local dy = (down "down" and 1 or 0) - (down "up" and 1 or 0)
  if dx == 0 and dy == 0 then
    wasPushing, load = false, 0
    return
  end
  lookX, lookY = dx, dy
  local way = SPEED / (1 + load / 4) * math.min(dt, 1 / 30) / math.sqrt(dx * dx + dy * dy) -- a load makes slow
  local before = not wasPushing and world:save()
  world:move(hero, dx * way, dy * way, "push")
  load = 0
  for crate, x, y in world:pushed() do
    if x ~= 0 or y ~= 0 then load = load + crate:mass() end
  end
  if load > 0 and before then past[#past + 1] = before end
  wasPushing = load > 0
  for other, _, _, _, _, _, how in world:hits() do
    if how == "cross" and other:isEnabled() then
      other:setEnabled(false)
      hero:setMass(hero:mass() + 2)
    end
  end
end

function love.keypressed(key)
  if key == "escape" then love.event.quit()
  elseif key == "r" then restart()
  elseif key == "z" then takeBack()
  end
end

local function drawShape(shape, mode)
  if shape:kind() == "circle" then love.graphics.circle(mode, shape:boundingCircle())
  else love.graphics.polygon(mode, (shape:vertices())) end
end

local function drawCrate(crate)
  local x, y = crate:center()
  ui.color(COLORS[crate:mass()], 0.9)
  drawShape(crate, "fill")
  ui.color "ground"
  love.graphics.setLineWidth(3)
  drawShape(crate, "line")
  love.graphics.setLineWidth(1)
  ui.font(20)
  love.graphics.printf(crate:mass(), x - 20, y - 12, 40, "center")
end

function love.draw()
  love.graphics.clear(0.078, 0.094, 0.122)
  for _, pad in ipairs(pads) do
    ui.color("green", isCovered(pad) and 0.9 or 0.4)
    love.graphics.rectangle("fill", pad[1] - 22, pad[2] - 22, 44, 44, 6)
  end
  for _, shape in ipairs(world:shapes()) do
    if shape:isStatic() then
      ui.color "wall"
      drawShape(shape, "fill")
    end
  end
  for _, glove in ipairs(gloves) do
    if glove:isEnabled() then
      local x, y = glove:center()
      ui.color "purple"
      love.graphics.circle("fill", x, y, 12)
      ui.color "white"
      ui.font(14)
      love.graphics.printf("+2", x - 20, y - 8, 40, "center")
    end
  end
  for _, crate in ipairs(crates) do drawCrate(crate) end
  local x, y = hero:center()
  ui.color "sky"
  love.graphics.circle("fill", x, y, 16)
  ui.arrow(x, y, x + 26 * lookX, y + 26 * lookY)
  ui.color "ground"
  ui.font(16)
  love.graphics.printf(hero:mass(), x - 20, y - 9, 40, "center")
  local covered = countCovered()
  ui.header("Sokoban with weights", covered == #pads and "All pads are covered" or
    ("%d of %d pads are covered; this push weighs %d of %d"):format(covered, #pads, load, hero:mass()))
  ui.footer { { "arrows", "walk and push" }, { "Z", "take a push back" }, { "R", "again" } }
end
