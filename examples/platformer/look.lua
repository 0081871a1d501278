-- How the platformer looks.

local map = require "map"
local ui = require "ui"

local look = {}

local colors = { plank = "orange", coin = "yellow", spike = "vermilion", flag = "green", lift = "line",
  crusher = "purple", hero = "orange" }

-- The outlines of the ground's tiles by their numbers in the layer. A tile that has a type is drawn as a shape.
local SIZE, cells = map.tilewidth, map.layers[1].data
local outlines = { { 0, 0, SIZE, 0, SIZE, SIZE, 0, SIZE } }

for _, tile in ipairs(map.tilesets[1].tiles) do
  local object, outline = tile.objectGroup.objects[1], {}
  for _, point in ipairs(object.polygon or {}) do
    outline[#outline + 1], outline[#outline + 2] = point.x, point.y
  end
  if object.type == "" then outlines[tile.id + 1] = outline end
end

local function outlineOf(column, row) return outlines[cells[(row - 1) * map.width + column]] end

local function drawTile(column, row)
  local outline = outlineOf(column, row)
  if not outline then return end
  local vertices = {}
  for i = 1, #outline, 2 do
    vertices[i], vertices[i + 1] = (column - 1) * SIZE + outline[i], (row - 1) * SIZE + outline[i + 1]
  end
  ui.color "wall"
  love.graphics.polygon("fill", vertices)
  if row == 1 or outlineOf(column, row - 1) then return end
  ui.color "green" -- grass on what is open above: the first edge of each tile's vertices
  love.graphics.line(vertices[1], vertices[2], vertices[3], vertices[4])
end

local function drawHero(hero)
  local x, y = hero.shape:center()
  ui.color "ground"
  love.graphics.circle("fill", x + 3 + 3 * hero.facing, y - 9, 2.5)
  love.graphics.circle("fill", x - 3 + 3 * hero.facing, y - 9, 2.5)
end

local function drawFlag(shape)
  local x, y = shape:bounds()
  love.graphics.polygon("fill", x, y, x + 46, y + 14, x, y + 28)
end

local function drawHills(cameraX)
  ui.color("blue", 0.13)
  for i = 0, 14 do
    love.graphics.circle("fill", i * 210 + cameraX * 0.7, 560, 240 + 80 * math.sin(i * 2.3), 120)
  end
end

-- Draws the pieces of all shapes, and the normal of the ground that the hero stands on.
local function drawShapes(world, hero)
  love.graphics.setLineWidth(1)
  ui.color("white", 0.7)
  for _, shape in ipairs(world:shapes()) do
    for _, piece in ipairs(shape:pieces()) do piece:draw "line" end
  end
  if hero.ground then
    local x, y = hero.shape:support(-hero.groundX, -hero.groundY)
    love.graphics.setLineWidth(3)
    ui.color "vermilion"
    ui.arrow(x, y, x + 60 * hero.groundX, y + 60 * hero.groundY)
  end
end

function look.draw(world, hero, cameraX, showShapes)
  love.graphics.clear(0.078, 0.094, 0.122)
  drawHills(cameraX)
  love.graphics.setLineWidth(3)
  local first = math.max(1, math.floor(cameraX / SIZE))
  for row = 1, map.height do
    for column = first, math.min(map.width, first + 32) do drawTile(column, row) end
  end
  for _, shape in ipairs(world:shapes()) do
    local kind = shape:data().type
    if colors[kind] then
      ui.color(colors[kind])
      shape:draw "fill"
      if kind == "flag" then drawFlag(shape) end
    end
  end
  drawHero(hero)
  if showShapes then drawShapes(world, hero) end
end

return look
