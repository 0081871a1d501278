-- Slices: what is thrown up is cut by the mouse, and what falls uncut is lost.
--
-- A stroke that goes through a shape cuts it: sat.difference takes a blade out of it, and each polygon that is left,
-- with its holes, is a shape of its own.

local sat = require "sat"
local ui = require "ui"

local WIDTH, HEIGHT, GRAVITY, LIVES = 960, 600, 340, 5
local BLADE, CRUMB = 1, 60 -- half the width of the blade, and the area that is too small for a slice
local COLORS = { "sky", "orange", "green", "yellow", "vermilion", "purple" }

local things, strokes, score, best, lost, wait, thrown
local mouseX, mouseY -- of the last frame, while the button is down

-- What is thrown: rings around 0, 0, which may cross themselves -------------------

local function round(n, radius, inner)
  local ring = {}
  for i = 0, n - 1 do
    local angle, far = 2 * math.pi * i / n, i % 2 == 0 and radius or inner or radius
    ring[2 * i + 1], ring[2 * i + 2] = far * math.cos(angle), far * math.sin(angle)
  end
  return ring
end

-- A curve that crosses itself, as wide quadrilaterals: what they enclose together is one polygon with holes.
local function pretzel()
  local quads, x1, y1, x2, y2 = {}, nil, nil, nil, nil
  for i = 0, 72 do
    local angle = 2 * math.pi * i / 72
    local x, y = 70 * math.sin(2 * angle), 70 * math.sin(3 * angle)
    local dx, dy = 2 * math.cos(2 * angle), 3 * math.cos(3 * angle)
    local wide = 10 / math.sqrt(dx * dx + dy * dy)
    local leftX, leftY, rightX, rightY = x + dy * wide, y - dx * wide, x - dy * wide, y + dx * wide
    if i > 0 then quads[i] = { x1, y1, leftX, leftY, rightX, rightY, x2, y2 } end
    x1, y1, x2, y2 = leftX, leftY, rightX, rightY
  end
  return sat.repair(quads)
end

local KINDS = {
  function() return sat.difference(round(48, 68), round(32, 30)) end,                       -- a doughnut
  function() return sat.repair(round(14, 82, 40)) end,                                      -- a star
  function() return sat.union(sat.rectangle(-85, -18, 170, 36), sat.rectangle(-18, -85, 36, 170)) end,
  function() return sat.exclusion(round(6, 80), round(30, 46)) end,                         -- a nut
  function() -- cheese
    local cheese = sat.difference({ -85, 50, 85, 50, 0, -75 }, round(16, 14))
    return sat.difference(cheese, sat.compound(sat.regular(-36, 28, 14, 16), sat.regular(36, 27, 11, 14)))
  end,
  pretzel,
}

local function make(polygons, color, x, y, vx, vy, spin)
  for _, polygon in ipairs(polygons) do
    local shape = sat.polygon(polygon):move(x, y)
    if shape:area() > CRUMB then
      things[#things + 1] = { shape = shape, color = color, vx = vx, vy = vy, spin = spin, cut = false }
    end
  end
end

local function throw()
  thrown = thrown + 1
  local kind, x = (thrown - 1) % #KINDS + 1, 150 + love.math.random() * (WIDTH - 300)
  make(KINDS[kind](), COLORS[kind], x, HEIGHT + 90, (WIDTH / 2 - x) * 0.3 + love.math.random(-30, 30),
    -560 - love.math.random(0, 60), (love.math.random() - 0.5) * 2)
end

-- Cutting ------------------------------------------------------------------------

-- Takes the blade away along a stroke. Whether something was cut through.
local function cut(thing, x1, y1, x2, y2)
  local dx, dy = x2 - x1, y2 - y1
  local length = math.sqrt(dx * dx + dy * dy)
  if length < 4 then return false end
  dx, dy = dx / length, dy / length
  local wideX, wideY, overX, overY = -dy * BLADE, dx * BLADE, dx * 3, dy * 3
  x1, y1, x2, y2 = x1 - overX, y1 - overY, x2 + overX, y2 + overY
  local blade = { x1 - wideX, y1 - wideY, x2 - wideX, y2 - wideY, x2 + wideX, y2 + wideY, x1 + wideX, y1 + wideY }
  local polygons, n = sat.difference(thing.shape, blade)
  if n < 2 then return false end
  for _, polygon in ipairs(polygons) do
    local before = #things
    make({ polygon }, thing.color, 0, 0, thing.vx, thing.vy, thing.spin)
    local slice = things[before + 1]
    if slice then
      local x, y = slice.shape:center()
      local side = (x - x1) * -dy + (y - y1) * dx > 0 and 1 or -1
      slice.cut, slice.vx, slice.vy = true, slice.vx - dy * side * 45, slice.vy + dx * side * 45 - 20
      slice.spin = slice.spin + side * 0.8
    end
  end
  score, best = score + n - 1, math.max(best, n)
  return true
end

-- Where a stroke goes into a shape, and where it goes out.
local function stroke(x1, y1, x2, y2)
  for i = #things, 1, -1 do
    local thing = things[i]
    local inside = thing.shape:contains(x2, y2)
    if not thing.inX then
      local t = sat.raycast(thing.shape, x1, y1, x2, y2)
      if t and t > 0 then thing.inX, thing.inY = x1 + t * (x2 - x1), y1 + t * (y2 - y1) end
    end
    if thing.inX and not inside then
      local t = sat.raycast(thing.shape, x2, y2, x1, y1) or 1
      if cut(thing, thing.inX, thing.inY, x2 + t * (x1 - x2), y2 + t * (y1 - y2)) then table.remove(things, i) end
      thing.inX = nil
    end
  end
end

local function followMouse()
  local x, y = love.mouse.getPosition()
  if not love.mouse.isDown(1) then
    for _, thing in ipairs(things) do thing.inX = nil end
    mouseX = nil
    return
  end
  if mouseX and (x ~= mouseX or y ~= mouseY) then
    strokes[#strokes + 1] = { mouseX, mouseY, x, y, age = 0 }
    if lost < LIVES then stroke(mouseX, mouseY, x, y) end
  end
  mouseX, mouseY = x, y
end

-- The game -----------------------------------------------------------------------

local function restart()
  things, strokes, score, best, lost, wait, thrown = {}, {}, 0, 0, 0, 0, 0
end

function love.load() restart() end

function love.update(dt)
  dt = math.min(dt, 1 / 30)
  followMouse()
  wait = wait - dt
  if wait <= 0 and lost < LIVES then
    throw()
    wait = math.max(0.5, 1.2 - thrown * 0.02)
  end
  for i = #things, 1, -1 do
    local thing = things[i]
    thing.vy = thing.vy + GRAVITY * dt
    thing.shape:move(thing.vx * dt, thing.vy * dt):rotate(thing.spin * dt)
    local _, y = thing.shape:center()
    if y > HEIGHT + 140 then
      if not thing.cut then lost = math.min(lost + 1, LIVES) end
      table.remove(things, i)
    end
  end
  for i = #strokes, 1, -1 do
    strokes[i].age = strokes[i].age + dt
    if strokes[i].age > 0.25 then table.remove(strokes, i) end
  end
end

function love.keypressed(key)
  if key == "escape" then love.event.quit()
  elseif key == "r" then restart() end
end

function love.draw()
  love.graphics.clear(0.078, 0.094, 0.122)
  for _, thing in ipairs(things) do
    ui.color(thing.color)
    thing.shape:draw("fill")
  end
  love.graphics.setLineWidth(3)
  for _, line in ipairs(strokes) do
    ui.color("white", 1 - 4 * line.age)
    love.graphics.line(line[1], line[2], line[3], line[4])
  end
  love.graphics.setLineWidth(1)
  if lost >= LIVES then ui.label("That is all. R begins again", WIDTH / 2, HEIGHT / 2) end
  ui.header("Slices", ("%d slices, at most %d by one stroke; %d of %d lost"):format(score, best, lost, LIVES))
  ui.footer { { "mouse", "hold, and cut" }, { "R", "again" } }
end
