-- A table full of shapes to push about, with everything that sat can tell of them.

local axes = require "axes"
local sat = require "sat"
local ui = require "ui"

local WIDTH, HEIGHT = 960, 600
local PANEL = 280 -- the width of what stands at the right
local TURN, GROW = math.rad(5), 1.06 -- for each step of the wheel

local world, selected -- the shape that was touched last: A
local grabbed, ring, problem -- what the mouse does: it holds a shape, or draws a ring
local focus = 0 -- which axis to look at; 0 is the one that decides
local show = { mtv = true, contacts = true, axes = true }
local found = {}

local toggles = {
  m = "mtv", c = "contacts", d = "distance", s = "sweep", r = "ray", a = "axes", p = "pieces",
}

-- Shapes ------------------------------------------------------------------------

local function add(shape)
  world:add(shape)
  return shape
end

local function reset()
  world = sat.world()
  selected = add(sat.regular(210, 250, 80, 5, 0.3))
  add(sat.rectangle(250, 230, 150, 90, 0.2))
  add(sat.circle(550, 150, 55))
  add(sat.capsule(120, 470, 230, 430, 28))
  add(sat.regular(570, 300, 50, 3, 0.5):setRadius(14))
  add(sat.ellipse(110, 110, 70, 40))
  add(sat.polygon(370, 400, 470, 440, 590, 400, 570, 520, 470, 490, 390, 530))
  focus, problem = 0, nil
end

-- The shape next to A, or deepest in it.
local function findOther()
  local other, best
  for _, shape in ipairs(world:shapes(found)) do
    if shape ~= selected then
      local _, _, depth = sat.collide(selected, shape)
      local gap = depth and -depth or sat.distance(selected, shape)
      if not best or gap < best then other, best = shape, gap end
    end
  end
  return other
end

-- What was drawn becomes a shape if it is a ring that does not cross itself.
local function finishRing()
  local ok, reason = sat.validate(ring)
  if ok then selected = add(sat.polygon(ring)) end
  problem = not ok and "no shape: " .. reason or nil
end

-- LÖVE's calls ------------------------------------------------------------------

function love.load()
  love.keyboard.setKeyRepeat(true)
  reset()
end

function love.mousepressed(x, y, button)
  if x > WIDTH - PANEL then return end
  problem = nil
  local _, count = world:at(x, y, found)
  local under = found[count] -- the one drawn last
  if button == 1 and under then
    grabbed, selected, focus = under, under, 0
  elseif button == 1 then
    ring = { x, y }
  elseif under and world:count() > 2 then
    world:remove(under)
    if under == selected then selected = world:shapes(found)[1] end
  end
end

function love.mousemoved(x, y, dx, dy)
  if grabbed then grabbed:move(dx, dy) end
  if not ring then return end
  local lastX, lastY = ring[#ring - 1], ring[#ring]
  if (x - lastX) ^ 2 + (y - lastY) ^ 2 > 12 ^ 2 then
    ring[#ring + 1], ring[#ring + 2] = x, y
  end
end

function love.mousereleased()
  if ring and #ring > 4 then finishRing() end
  grabbed, ring = nil, nil
end

function love.wheelmoved(_, steps)
  if love.keyboard.isDown("lshift", "rshift") then
    selected:scale(GROW ^ steps)
  else
    selected:rotate(TURN * steps)
  end
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() end
  if key == "tab" then focus = focus + 1 end
  if key == "backspace" then reset() end
  if key == "left" or key == "right" then selected:rotate(key == "left" and -TURN or TURN) end
  if key == "up" or key == "down" then selected:scale(key == "up" and GROW or 1 / GROW) end
  local overlay = toggles[key]
  if overlay then show[overlay] = not show[overlay] end
end

-- The overlays ------------------------------------------------------------------

local function drawShape(shape, color, alpha)
  ui.color(color, alpha or 0.25)
  shape:draw("fill")
  ui.color(color)
  love.graphics.setLineWidth(2)
  shape:draw("line")
end

local function drawShapes(other)
  for _, shape in ipairs(world:shapes(found)) do
    local color = shape == selected and "sky" or shape == other and "orange" or "line"
    drawShape(shape, color)
  end
end

local function drawPieces()
  love.graphics.setLineWidth(1)
  ui.color("text", 0.6)
  for _, shape in ipairs(world:shapes(found)) do
    if not shape:isConvex() then
      for _, piece in ipairs(shape:pieces()) do piece:draw("line") end
    end
  end
end

-- Each vector moves A out of the other shape alone; where it would come to lie is drawn, too.
local function drawMtvs()
  for _, dx, dy in world:collisions(selected) do
    local ghost = selected:clone():move(dx, dy)
    local x, y = selected:center()
    ui.color("yellow")
    love.graphics.setLineWidth(1)
    ghost:draw("line")
    love.graphics.setLineWidth(3)
    ui.arrow(x, y, x + dx, y + dy)
  end
end

local function drawContact(x, y, nx, ny)
  love.graphics.circle("fill", x, y, 5)
  love.graphics.setLineWidth(1.5)
  ui.arrow(x, y, x + nx * 26, y + ny * 26, 8)
end

local function drawContacts()
  ui.color("purple")
  for a, b in world:collisions() do
    local nx, ny, _, x1, y1, x2, y2 = sat.contacts(a, b)
    drawContact(x1, y1, nx, ny)
    if x2 then drawContact(x2, y2, nx, ny) end
  end
end

local function drawDistances()
  love.graphics.setLineWidth(1.5)
  for _, shape in ipairs(world:shapes(found)) do
    local d, ax, ay, bx, by = sat.distance(selected, shape)
    if shape ~= selected and d > 0 then
      ui.color("green")
      love.graphics.line(ax, ay, bx, by)
      love.graphics.circle("fill", ax, ay, 4)
      love.graphics.circle("fill", bx, by, 4)
      ui.label(("%.0f"):format(d), (ax + bx) / 2, (ay + by) / 2)
    end
  end
end

-- Draws how far A gets on its way to the mouse.
local function drawSweep(mouseX, mouseY)
  local x, y = selected:center()
  local dx, dy = mouseX - x, mouseY - y
  local other, t, nx, ny, hitX, hitY = world:cast(selected, dx, dy)
  ui.color("vermilion")
  love.graphics.setLineWidth(1.5)
  ui.dashed(x, y, mouseX, mouseY)
  selected:clone():move(dx * (t or 1), dy * (t or 1)):draw("line")
  if other then drawContact(hitX, hitY, nx, ny) end
end

local function drawRay(mouseX, mouseY)
  local x, y = 20, HEIGHT / 2
  local shape, _, nx, ny, hitX, hitY = world:raycast(x, y, mouseX, mouseY)
  ui.color("white")
  love.graphics.setLineWidth(1.5)
  love.graphics.line(x, y, hitX or mouseX, hitY or mouseY)
  if shape then drawContact(hitX, hitY, nx, ny) end
end

-- Axes --------------------------------------------------------------------------

local function drawLetter(shape, letter)
  local x, y = shape:center()
  ui.color("text")
  ui.font(18)
  love.graphics.print(letter, x - 6, y - 32)
end

local function interval(low, high, at, axis, color, alpha, width)
  ui.color(color, alpha)
  love.graphics.setLineWidth(width)
  local sideX, sideY = -axis.ny * at, axis.nx * at
  love.graphics.line(axis.nx * low + sideX, axis.ny * low + sideY,
    axis.nx * high + sideX, axis.ny * high + sideY)
end

-- The offset at which an axis is drawn so that it passes by both shapes, on the side of the sign.
local function beside(axis, a, b, sign)
  local px, py = -axis.ny, axis.nx
  local ax, ay = a:support(px * sign, py * sign)
  local bx, by = b:support(px * sign, py * sign)
  return sign * (math.max(sign * (ax * px + ay * py), sign * (bx * px + by * py)) + 26)
end

-- The offset of an axis on the side of the shapes that has more of the screen.
local function freeSide(axis, a, b)
  local middle = ((WIDTH - PANEL) * -axis.ny + HEIGHT * axis.nx) / 2
  local low, high = beside(axis, a, b, -1), beside(axis, a, b, 1)
  return middle > (low + high) / 2 and high or low
end

local function drawDrop(shape, axis, sign, at)
  local x, y = shape:support(axis.nx * sign, axis.ny * sign)
  local along = x * axis.nx + y * axis.ny
  ui.dashed(x, y, axis.nx * along - axis.ny * at, axis.ny * along + axis.nx * at)
end

local function drawAxis(axis, a, b, isFocus, side)
  local at = isFocus and freeSide(axis, a, b) or beside(axis, a, b, side)
  local low, high = math.min(axis.lowA, axis.lowB), math.max(axis.highA, axis.highB)
  local strength, width = isFocus and 1 or 0.3, isFocus and 5 or 2
  interval(low - 30, high + 30, at, axis, "text", 0.6 * strength, 1)
  interval(axis.lowA, axis.highA, at - width / 2, axis, "sky", strength, width)
  interval(axis.lowB, axis.highB, at + width / 2, axis, "orange", strength, width)
  if not isFocus then return end
  love.graphics.setLineWidth(1)
  ui.color("sky", 0.7)
  drawDrop(a, axis, -1, at)
  drawDrop(a, axis, 1, at)
  ui.color("orange", 0.7)
  drawDrop(b, axis, -1, at)
  drawDrop(b, axis, 1, at)
end

-- The same axes as rows of the panel, each with both projections and their overlap.
local ROW, TOP, FIRST = 34, 128, 700

local function drawRow(axis, y, scale, isFocus, isBest)
  local low = math.min(axis.lowA, axis.lowB)
  local function bar(from, to, top, height, color)
    ui.color(color)
    love.graphics.rectangle("fill", FIRST + (from - low) * scale, top, (to - from) * scale, height)
  end
  if isFocus then
    ui.color("wall", 0.6)
    love.graphics.rectangle("fill", FIRST - 10, y - 4, PANEL - 20, ROW - 4, 4)
  end
  bar(axis.lowA, axis.highA, y + 4, 6, "sky")
  bar(axis.lowB, axis.highB, y + 14, 6, "orange")
  local from, to = math.max(axis.lowA, axis.lowB), math.min(axis.highA, axis.highB)
  ui.color(from <= to and "text" or "green", from <= to and 0.3 or 1)
  love.graphics.rectangle(from <= to and "fill" or "line", FIRST + (math.min(from, to) - low) * scale,
    y + 1, math.abs(to - from) * scale, 22)
  ui.color(isBest and "yellow" or "text")
  local word = axis.overlap < 0 and "gap" or "overlap"
  love.graphics.printf(("%s %.0f"):format(word, math.abs(axis.overlap)), FIRST, y + 4, 240, "right")
end

local function drawRows(list, best, looked)
  local widest = 1
  for _, axis in ipairs(list) do
    local width = math.max(axis.highA, axis.highB) - math.min(axis.lowA, axis.lowB)
    widest = math.max(widest, width)
  end
  local fits = math.floor((HEIGHT - ui.FOOT - TOP) / ROW)
  local first = math.max(0, math.min(looked - 1, #list - fits))
  ui.font(13)
  for i = 1, math.min(fits, #list) do
    local index = first + i
    drawRow(list[index], TOP + (i - 1) * ROW, 150 / widest, index == looked, index == best)
  end
end

local function drawVerdict(list, other)
  local dx, dy, depth = sat.collide(selected, other)
  ui.font(15)
  ui.color("text")
  local whole = selected:isConvex() and other:isConvex()
  love.graphics.print(("%d axes to try%s"):format(#list, whole and "" or ", of two pieces"), FIRST, 52)
  if dx then
    ui.color("yellow")
    love.graphics.print(("MTV %.1f, %.1f   depth %.1f"):format(dx, dy, depth), FIRST, 74)
    ui.color("faint")
    ui.font(13)
    love.graphics.print("no axis parts them: they overlap", FIRST, 98)
  else
    ui.color("green")
    love.graphics.print(("apart by %.1f"):format((sat.distance(selected, other))), FIRST, 74)
    ui.color("faint")
    ui.font(13)
    love.graphics.print("one axis with a gap is enough", FIRST, 98)
  end
end

local function drawAxes(other)
  local a, b = axes.pieces(selected, other)
  local list, best = axes.find(a, b)
  local looked = focus == 0 and best or (focus - 1) % #list + 1
  for i, axis in ipairs(list) do
    local crowded = #list > 12
    if i ~= looked and not crowded then drawAxis(axis, a, b, false, i % 2 * 2 - 1) end
  end
  drawAxis(list[looked], a, b, true)
  return list, best, looked
end

-- All of it ---------------------------------------------------------------------

local function drawRing()
  ui.color("yellow")
  love.graphics.setLineWidth(2)
  if #ring > 2 then love.graphics.line(ring) end
  love.graphics.circle("fill", ring[1], ring[2], 4)
end

local function drawWords()
  ui.header("Playground", problem or "drag a shape, or draw a ring where there is none; a right click removes")
  ui.footer {
    { "m", "MTV", show.mtv, "yellow" }, { "c", "contacts", show.contacts, "purple" },
    { "d", "distance", show.distance, "green" }, { "s", "sweep", show.sweep, "vermilion" },
    { "r", "ray", show.ray, "white" }, { "a", "axes", show.axes, "sky" },
    { "tab", "next" }, { "p", "pieces", show.pieces }, { "wheel", "turn" }, { "shift", "scale" },
  }
end

function love.draw()
  love.graphics.clear(0.078, 0.094, 0.122)
  local mouseX, mouseY = love.mouse.getPosition()
  local other = findOther()
  drawShapes(other)
  if show.pieces then drawPieces() end
  local list, best, looked
  if show.axes then list, best, looked = drawAxes(other) end
  if show.distance then drawDistances() end
  if show.sweep then drawSweep(mouseX, mouseY) end
  if show.ray then drawRay(mouseX, mouseY) end
  if show.mtv then drawMtvs() end
  if show.contacts then drawContacts() end
  drawLetter(selected, "A")
  drawLetter(other, "B")
  if ring then drawRing() end
  ui.color("panel")
  love.graphics.rectangle("fill", WIDTH - PANEL, 0, PANEL, HEIGHT)
  if list then
    drawVerdict(list, other)
    drawRows(list, best, looked)
  end
  drawWords()
end
