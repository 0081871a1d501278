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
    { "concave", sat.polygon(x - 18, y - 15, x + 18, y - 15, x + 18, y + 15, x, y - 3, x - 18, y + 15) },
    { "chain", sat.chain { x - 18, y + 10, x - 8, y - 10, x + 8, y + 10, x + 18, y - 10 } },
    { "compound", sat.compound(sat.circle(x - 10, y, 8), sat.rectangle(x - 2, y - 3, 18, 6)) },
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

-- Worlds in threads of their own, each with its own Lua, at the same time as one here. LÖVE itself may crash where a
-- thread ends that nobody keeps.
local function checkThreads(sat)
  local play = require "frames"
  for round = 1, 3 do
    local threads = {}
    for i = 1, 2 do
      threads[i] = love.thread.newThread("thread.lua")
      threads[i]:start(10 * round + i, "frames " .. i)
    end
    local expected = { play(sat, 10 * round + 1), play(sat, 10 * round + 2) }
    for i = 1, 2 do
      local result = love.thread.getChannel("frames " .. i):demand(60)
      check("a world in thread " .. i .. " lives as one in the main thread does", result == expected[i],
        result and result:sub(1, 200) or "the thread has not come to an end")
      threads[i]:wait()
    end
    check("other seeds are other frames", expected[1] ~= expected[2] and #expected[1] > 1000)
  end
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
  try("two threads and the main one have a world each", function()
    checkThreads(require "sat")
    return true
  end)
  require "maps"(require "sat.tiled", try)
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

-- ---------------------------------------------------------------- a world, with a window

local style = require "sat.style"

-- How many pixels of an image are of a color of look's, give or take rounding.
local function countColor(image, name)
  local color, count = style.colors[name], 0
  for x = 0, image:getWidth() - 1 do
    for y = 0, image:getHeight() - 1 do
      local r, g, b = image:getPixel(x, y)
      if math.abs(r - color[1]) + math.abs(g - color[2]) + math.abs(b - color[3]) < 0.02 then count = count + 1 end
    end
  end
  return count
end

local WIDTH, HEIGHT = 450, 240

local function makeWorld(sat)
  return sat.world():add(
    sat.chain({ 10, 180, 90, 195, 170, 170, 260, 190, 440, 185 }):setStatic(true),
    sat.rectangle(10, 200, 430, 30):setStatic(true),
    sat.circle(60, 175, 22), sat.capsule(110, 150, 160, 170, 12), sat.regular(240, 170, 26, 5, 0.2),
    sat.rectangle(225, 110, 50, 40, 0.2), sat.segment(300, 150, 370, 192), sat.point(400, 150),
    sat.polygon(20, 20, 90, 20, 90, 90, 60, 45, 20, 80), sat.rectangle(70, 70, 40, 40):setRadius(6),
    sat.polygon(140, 20, 200, 20, 200, 80, 170, 45, 140, 80):setRadius(4),
    sat.compound(sat.circle(250, 40, 16), sat.rectangle(230, 52, 60, 12), sat.capsule(235, 72, 285, 84, 4)),
    sat.rectangle(310, 30, 60, 60):setSensor(true), sat.circle(365, 85, 20), sat.circle(415, 60, 22):setEnabled(false))
end

local ALL = { mode = "fill", boxes = true, nodes = true }

-- Draws a world alone.
local function drawnWorld(world, options)
  local canvas = love.graphics.newCanvas(WIDTH, HEIGHT)
  love.graphics.setCanvas(canvas)
  love.graphics.clear(style.colors.ground)
  local ok, message = pcall(world.draw, world, options)
  love.graphics.setCanvas()
  if not ok then error(message, 0) end
  return canvas:newImageData()
end

local function checkWorld(sat)
  local world = makeWorld(sat)
  love.graphics.setLineStyle("rough") -- else the lines of what lies along pixels are of more colors
  for _, name in ipairs { "boxes", "nodes", "vectors", "shapes" } do
    local options = { boxes = name == "boxes", nodes = name == "nodes", vectors = name == "vectors",
      shapes = name == "shapes" }
    local image = try("a world draws its " .. name, drawnWorld, world, options)
    for _, color in ipairs { "boxes", "nodes", "vectors", "moving", "static", "sensor", "disabled" } do
      local isOfShapes = color ~= "boxes" and color ~= "nodes" and color ~= "vectors"
      local wanted = name == color or name == "shapes" and isOfShapes
      local count = image and countColor(image, color) or -1
      check(("of a world's %s %s"):format(name, color), wanted and count > 20 or count == 0, count)
    end
  end
  love.graphics.setColor(0.25, 0.5, 0.75, 0.5)
  love.graphics.setPointSize(2)
  local whole = try("a world draws everything", drawnWorld, world, ALL)
  check("a world has drawn everything", whole and countColor(whole, "ground") < 0.8 * WIDTH * HEIGHT)
  local r, g, b, a = love.graphics.getColor()
  check("a world gives the color back", r == 0.25 and g == 0.5 and b == 0.75 and a == 0.5)
  check("a world gives the size of points back", love.graphics.getPointSize() == 2)
  love.graphics.setPointSize(1)
  love.graphics.setColor(1, 1, 1)
  love.graphics.setLineStyle("smooth")
  check("a world refuses another mode", not pcall(drawnWorld, world, "dotted"))
end

-- How much one call leaves for the collector, at the least of several times.
local function checkGarbage(sat)
  local world, least = makeWorld(sat), math.huge
  for _ = 1, 20 do
    world:draw(ALL)
    collectgarbage()
    collectgarbage("stop")
    world:draw(ALL)
    local before = collectgarbage("count")
    for _ = 1, 20 do world:draw(ALL) end
    least = math.min(least, collectgarbage("count") - before)
    collectgarbage("restart")
  end
  check("a world draws without garbage", least == 0, least * 1024 / 20 .. " bytes")
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
  if frame == 1 then
    checkDrawing(sat)
    checkWorld(sat)
    checkGarbage(sat)
  end
  for i, entry in ipairs(makeShapes(sat, 0, 0)) do
    local shape = entry[2]
    shape:moveTo((i - 0.5) * CELL, 30):draw("line")
    shape:moveTo((i - 0.5) * CELL, 90):draw("fill")
  end
  love.graphics.translate(0, 120)
  makeWorld(sat):draw(ALL)
  love.graphics.origin()
  if frame == 2 then love.graphics.captureScreenshot(saveAndCheck) end
end
