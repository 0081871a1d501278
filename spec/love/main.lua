-- A game that checks the module inside a real LÖVE, prints "N passed, N failed" and quits with that as its status. The
-- module's folder is beside it, as `sat` and once more as `lib/sat`. With "--window" it also draws.

local passed, failed = 0, 0

local function check(name, ok, why)
  if ok then
    passed = passed + 1
  else
    failed = failed + 1
    print("FAILED: " .. name .. (why and ": " .. tostring(why) or ""))
  end
end

-- A check that passes when the function returns something true.
local function try(name, f, ...)
  local ok, result = pcall(f, ...)
  check(name, ok and result, not ok and result or nil)
  return ok and result or nil
end

local function quit()
  print(passed .. " passed, " .. failed .. " failed")
  love.event.quit(failed == 0 and 0 or 1)
end

-- Instead of the blue screen, which would wait for somebody to close it.
function love.errorhandler(message)
  print(debug.traceback("FAILED: " .. tostring(message), 2))
  print(passed .. " passed, " .. failed + 1 .. " failed")
  return function() return 1 end
end

-- One of each kind about a point, no larger than 20 from it.
local function makeShapes(sat, x, y)
  return {
    { "polygon", sat.polygon(x - 20, y - 10, x + 20, y - 10, x, y + 20) },
    { "rectangle", sat.rectangle(x - 15, y - 10, 30, 20, 0.5) },
    { "regular", sat.regular(x, y, 20, 6) },
    { "hull", sat.hull { x - 15, y - 15, x + 15, y - 15, x, y, x + 15, y + 15, x - 15, y + 15 } },
    { "circle", sat.circle(x, y, 18) },
    { "ellipse", sat.ellipse(x, y, 20, 10) },
    { "capsule", sat.capsule(x - 10, y - 5, x + 10, y + 5, 8) },
    { "segment", sat.segment(x - 15, y - 10, x + 15, y + 10) },
    { "point", sat.point(x, y) },
    { "rounded", sat.rectangle(x - 12, y - 8, 24, 16):setRadius(6) },
  }
end

local function near(a, b) return math.abs(a - b) < 1e-9 end

local function checkShapes(sat, name)
  local box = sat.rectangle(-5, -5, 10, 10)
  for _, entry in ipairs(makeShapes(sat, 3, 2)) do
    local kind, shape = entry[1], entry[2]
    local what = name .. " " .. kind
    try(what .. " overlaps a box about the same place", shape.overlaps, shape, box)
    try(what .. " leaves the box by its MTV", function()
      local dx, dy, depth = shape:collide(box)
      local moved = shape:clone():move(dx, dy)
      local _, _, rest = moved:collide(box)
      return near(math.sqrt(dx * dx + dy * dy), depth) and (rest or 0) < 1e-9
    end)
    try(what .. " is found by a ray", function()
      local t = shape:clone():moveTo(50, 0):raycast(0, 0, 100, 0)
      return t and t > 0 and t < 1
    end)
    try(what .. " far away is at a distance", function() return shape:clone():moveTo(500, 0):distance(box) > 400 end)
    try(what .. " reads as text", function() return #tostring(shape) > 0 end)
  end
  try(name .. " names what is wrong with an argument", function()
    local ok, message = pcall(sat.circle, 0, "1", 2)
    return not ok and message:find("y", 1, true)
  end)
end

local function checkTree(sat, name)
  local tree, count = sat.quadtree(0, 0, 100, 100), 0
  for _, entry in ipairs(makeShapes(sat, 50, 50)) do tree:insert(entry[2]) end
  for a, b in tree:pairs() do
    if a ~= b and sat.type(a) == "shape" then count = count + 1 end
  end
  check(name .. " finds all pairs of shapes in one spot", count == #tree * (#tree - 1) / 2, count)
  try(name .. " finds the shapes near a point", function() return #tree:retrieve(50, 50, 0, 0) == #tree end)
end

-- LÖVE's compiler is on where LÖVE lets it be, and then the methods that games call most are Lua functions. Here they
-- are called until they are compiled.
local function checkFastPath(sat, name)
  local wanted = jit.status() and "Lua" or "C"
  check(name .. " has its fast path", debug.getinfo(sat.collide, "S").what == wanted)
  try(name .. " gives the same answers once they are compiled", function()
    local box, ball = sat.rectangle(0, 0, 10, 10), sat.circle(0, 5, 4):setData("ball")
    for i = 1, 5000 do
      local x = 20 + i % 1000
      ball:moveTo(x, 5):move(-8, 0):rotate(0.5)
      local dx, dy, depth = box:collide(ball)
      local d, ax = box:distance(ball)
      local cx, cy = ball:center()
      local wantedDepth = x <= 22 and 22 - x or nil
      if depth ~= wantedDepth or depth and (dx ~= -depth or dy ~= 0) then return false end
      if d ~= (depth and 0 or x - 22) or not depth and ax ~= 10 then return false end
      if cx ~= x - 8 or cy ~= 5 or ball:data() ~= "ball" or ball:bounds() ~= x - 12 then return false end
      if box:overlaps(ball) ~= (x <= 22) or box:contains(x, 5) then return false end
    end
    return ball:rotation() == 2500 and not pcall(ball.move, box, 1) and not pcall(sat.collide, box, newproxy(true))
  end)
end

function love.load()
  for _, name in ipairs { "sat", "lib.sat", "lib/sat" } do
    local sat = try('require "' .. name .. '"', require, name)
    if sat then
      checkShapes(sat, name)
      checkTree(sat, name)
      checkFastPath(sat, name)
    end
  end
  if not love.window then quit() end
end

-- ---------------------------------------------------------------- drawing, with a window

local CELL = 45

-- How many pixels of a rectangle of an image are not black.
local function lit(image, x, y, w, h)
  local count = 0
  for i = x, x + w - 1 do
    for k = y, y + h - 1 do
      local r, g, b = image:getPixel(i, k)
      if r + g + b > 0 then count = count + 1 end
    end
  end
  return count
end

-- Draws one shape alone and counts.
local function drawn(shape, mode)
  local canvas = love.graphics.newCanvas(CELL, CELL)
  love.graphics.setCanvas(canvas)
  love.graphics.clear(0, 0, 0)
  local ok, message = pcall(shape.draw, shape, mode)
  love.graphics.setCanvas()
  if not ok then error(message, 0) end
  return lit(canvas:newImageData(), 0, 0, CELL, CELL)
end

local function checkDrawing(sat)
  for _, entry in ipairs(makeShapes(sat, CELL / 2, CELL / 2)) do
    local kind, shape = entry[1], entry[2]
    local outline = try(kind .. " draws itself", drawn, shape) or 0
    check(kind .. " draws its outline unless told otherwise", outline > 0 and outline == drawn(shape, "line"))
    local filled = try(kind .. " draws itself filled", drawn, shape, "fill") or 0
    check(kind .. " filled", filled > 0 and (shape:area() == 0 or filled > outline), filled .. " against " .. outline)
  end
  check("draw refuses another mode", not pcall(drawn, sat.circle(9, 9, 5), "dotted"))
end

local function saveAndCheck(image)
  check("the screenshot is not empty", lit(image, 0, 0, image:getDimensions()) > 1000)
  local file = io.open("screenshot.png", "wb")
  if file then
    file:write(image:encode("png"):getString())
    file:close()
  end
  quit()
end

local frame = 0

function love.draw()
  local ok, sat = pcall(require, "sat")
  if not ok then return quit() end
  frame = frame + 1
  if frame == 1 then checkDrawing(sat) end
  for i, entry in ipairs(makeShapes(sat, 0, 0)) do
    local shape = entry[2]
    shape:moveTo((i - 0.5) * CELL, 30):draw("line")
    shape:moveTo((i - 0.5) * CELL, 90):draw("fill")
  end
  if frame == 2 then love.graphics.captureScreenshot(saveAndCheck) end
end
