-- Traces an image that you draw: each part of it becomes a polygon with holes, falls, and can be thrown with the mouse.
--
-- sat.outline reads the alpha of the image, sat.simplify leaves out most vertices, sat.polygon makes the shapes. A
-- world moves and turns them; the picture follows the shape, since both turn about its centre.

local sat = require "sat"
local ui = require "ui"

local WIDTH, HEIGHT, CELL = 960, 640, 6 -- of the window between its lines of words; a pixel of the image is 6 wide
local GRAVITY, SPIN = 900, 1.2

local world, floor, image, pieces
local held, gripX, gripY, tolerance, showVertices = nil, 0, 0, 0.5, true

-- The image: a letter and a digit with holes, a gear and a key, with soft rims --

-- How far a pixel lies inside of a line of that half width, and of a ring.
local function inLine(x, y, x1, y1, x2, y2, width)
  local dx, dy = x2 - x1, y2 - y1
  local t = math.max(0, math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)))
  return width - math.sqrt((x - x1 - t * dx) ^ 2 + (y - y1 - t * dy) ^ 2)
end

local function inRing(x, y, centerX, centerY, radius, width)
  return width - math.abs(math.sqrt((x - centerX) ^ 2 + (y - centerY) ^ 2) - radius)
end

local function inGear(x, y)
  local inside = inRing(x, y, 92, 30, 15, 5)
  for k = 0, 7 do
    local c, s = math.cos(k * math.pi / 4), math.sin(k * math.pi / 4)
    inside = math.max(inside, inLine(x, y, 92 + 17 * c, 30 + 17 * s, 92 + 22 * c, 30 + 22 * s, 3.5))
  end
  return inside
end

local function paint()
  local data = love.image.newImageData(WIDTH / CELL, 60)
  data:mapPixel(function(x, y)
    x, y = x + 0.5, y + 0.5
    local letter = math.max(inLine(x, y, 6, 54, 20, 6, 4), inLine(x, y, 20, 6, 34, 54, 4),
      inLine(x, y, 11, 39, 29, 39, 3))
    local digit = math.max(inRing(x, y, 53, 17, 9, 4), inRing(x, y, 53, 42, 11, 4))
    local key = math.max(inRing(x, y, 132, 14, 8, 3.5), inLine(x, y, 132, 26, 132, 52, 3),
      inLine(x, y, 132, 50, 141, 50, 3),
      inLine(x, y, 132, 41, 139, 41, 3))
    local inside, gear = math.max(letter, digit), inGear(x, y)
    if gear > math.max(inside, key) then return 0.902, 0.624, 0, math.max(0, math.min(1, 0.5 + gear)) end
    if key > inside then return 0.941, 0.894, 0.259, math.max(0, math.min(1, 0.5 + key)) end
    return 0.337, 0.706, 0.914, math.max(0, math.min(1, 0.5 + inside))
  end)
  return data
end

-- The picture of a part alone: all pixels of the others are made transparent.
local function cutOut(data, shape)
  local own = data:clone()
  own:mapPixel(function(x, y, r, g, b, a)
    local near = shape:contains(x + 0.5, y + 0.5) or sat.distance(shape, sat.point(x + 0.5, y + 0.5)) < 1.5
    return r, g, b, near and a or 0
  end)
  local picture = love.graphics.newImage(own)
  picture:setFilter("nearest", "nearest")
  return picture
end

local function trace()
  world = sat.world()
  floor = sat.compound(sat.rectangle(-40, HEIGHT, WIDTH + 80, 200), sat.rectangle(-240, -900, 240, 2000),
    sat.rectangle(WIDTH, -900, 240, 2000)):setStatic(true)
  world:add(floor)
  pieces = {}
  local before, after = 0, 0
  local polygons = sat.outline(image)
  local simple = sat.simplify(polygons, tolerance)
  for i, polygon in ipairs(simple) do
    local shape = sat.polygon(polygon)
    local picture = cutOut(image, shape)
    local x, y = shape:center()
    shape:scale(CELL, 0, 0)
    world:add(shape)
    pieces[i] = { shape = shape, picture = picture, x = x, y = y, vx = 0, vy = 0,
      spin = (i % 2 * 2 - 1) * SPIN }
    for k, ring in ipairs(polygon) do before, after = before + #polygons[i][k] / 2, after + #ring / 2 end
  end
  pieces.before, pieces.after = before, after
end

-- Moving -----------------------------------------------------------------------

local function fall(piece, dt)
  if piece == held then
    local mouseX, mouseY = love.mouse.getPosition()
    local x, y = piece.shape:center()
    piece.vx, piece.vy = (mouseX + gripX - x) * 10, (mouseY - ui.HEAD + gripY - y) * 10
  else
    piece.vy = piece.vy + GRAVITY * dt
  end
  world:turn(piece.shape, piece.spin * dt, "slide")
  local _, _, n, vx, vy = world:move(piece.shape, piece.vx * dt, piece.vy * dt)
  piece.vx, piece.vy = vx / dt, vy / dt
  if n > 0 then piece.spin, piece.vx = piece.spin * 0.9, piece.vx * 0.98 end
end

-- LÖVE's calls ------------------------------------------------------------------

function love.load()
  image = paint()
  trace()
end

function love.update(dt)
  for _, piece in ipairs(pieces) do fall(piece, math.min(dt, 1 / 30)) end
end

function love.mousepressed(x, y)
  y = y - ui.HEAD
  for _, piece in ipairs(pieces) do
    if piece.shape:contains(x, y) then
      local centerX, centerY = piece.shape:center()
      held, gripX, gripY = piece, centerX - x, centerY - y
    end
  end
end

function love.mousereleased()
  if held then held.spin = held.vx > 0 and SPIN or -SPIN end
  held = nil
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() end
  if key == "v" then showVertices = not showVertices end
  if key == "up" then tolerance = math.min(tolerance * 2, 8) end
  if key == "down" then tolerance = math.max(tolerance / 2, 0.125) end
  if key == "up" or key == "down" or key == "r" then trace() end
end

-- Drawing -----------------------------------------------------------------------

local function drawPiece(piece)
  local x, y = piece.shape:center()
  ui.color("white", showVertices and 0.7 or 1)
  love.graphics.draw(piece.picture, x, y, piece.shape:rotation(), CELL, CELL, piece.x, piece.y)
  if not showVertices then return end
  ui.color("white")
  local vertices = piece.shape:draw():vertices()
  for i = 1, #vertices, 2 do love.graphics.circle("fill", vertices[i], vertices[i + 1], 3) end
end

function love.draw()
  love.graphics.clear(0.078, 0.094, 0.122)
  love.graphics.push()
  love.graphics.translate(0, ui.HEAD)
  love.graphics.setLineWidth(2)
  for _, piece in ipairs(pieces) do drawPiece(piece) end
  love.graphics.pop()
  ui.header("Outlines of an image", ("%d polygons, %d vertices of %d, within %g of a pixel"):format(
    #pieces, pieces.after, pieces.before, tolerance))
  ui.footer {
    { "mouse", "throw" }, { "up", "fewer vertices" }, { "down", "more" }, { "v", "the vertices", showVertices },
    { "r", "again" },
  }
end
