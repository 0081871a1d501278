-- The gem mill, live: what `lua examples/demo.lua` computes without a window.

local look = require "look"
local map = require "map"
local scene = require "scene"
local ui = require "ui"

local mill
local running, showVectors, left = true, true, 0

local function setColor(name)
  local red, green, blue = look.colors[name]:match("#(%x%x)(%x%x)(%x%x)")
  love.graphics.setColor(
    love.math.colorFromBytes(tonumber(red, 16), tonumber(green, 16), tonumber(blue, 16)))
end

-- LÖVE's calls ------------------------------------------------------------------

function love.load()
  mill = scene.new(map, 48)
end

function love.update(dt)
  if not running then return end
  left = math.min(left + dt, 0.1) -- after a pause of the computer's, do not catch up with it all
  while left >= scene.STEP do
    left = left - scene.STEP
    mill:step()
  end
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() end
  if key == "space" then running = not running end
  if key == "s" then
    running = false
    mill:step()
  end
  if key == "r" then mill = scene.new(map, 48) end
  if key == "v" then showVectors = not showVectors end
end

-- Drawing -----------------------------------------------------------------------

local function drawBodies()
  love.graphics.setLineWidth(3) -- of the segments; all else is filled
  for _, body in ipairs(mill.fixed) do
    setColor(body.spin == 0 and "wall" or "turning")
    body.shape:draw("fill")
  end
  for _, body in ipairs(mill.bodies) do
    setColor(body.kind)
    body.shape:draw(body.kind == "segment" and "line" or "fill")
  end
  love.graphics.setLineWidth(1)
  setColor("faint")
  for _, shape in ipairs(mill.exits) do shape:draw("line") end
end

-- Most are shorter than a pixel, so they are drawn longer.
local function drawVectors()
  setColor("arrow")
  love.graphics.setLineWidth(2.4)
  for _, push in ipairs(mill.pushes) do
    local length = look.arrowLength(push.depth)
    ui.arrow(push.x, push.y, push.x + push.nx * length, push.y + push.ny * length, 9)
  end
end

local function drawWords()
  ui.header(map.properties.title, ("%d shapes    %d collisions    the deepest %.2f px"):format(
    #mill.bodies + #mill.fixed, mill.collisions, mill.deepest))
  ui.footer {
    { "space", "pause", not running }, { "s", "step" }, { "r", "restart" },
    { "v", "the MTV of each collision, 8 times as long", showVectors },
  }
end

function love.draw()
  love.graphics.clear(0.078, 0.094, 0.122)
  love.graphics.push()
  love.graphics.translate(0, ui.HEAD)
  drawBodies()
  if showVectors then drawVectors() end
  love.graphics.pop()
  drawWords()
end
