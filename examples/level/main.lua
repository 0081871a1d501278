-- The gem mill, live: love examples/level
--
-- love examples/level --headless SECONDS FILE.png plays so many seconds of game time by itself,
-- saves a picture of the window, and ends.

-- The other files lie beside this folder, and the module is where `make LUA=luajit` puts it.
local here = love.filesystem.getSource()
local built = here .. "/../../build/luajit"
package.path = package.path .. ";" .. here .. "/../?.lua"
  .. ";" .. built .. "/?.lua;" .. built .. "/?/init.lua"

local HEAD, FOOT = 40, 52 -- for the account above the level and the keys below it
local KEYS = "space  pause     s  step     r  restart     v  MTVs     escape  quit"

local look, mill, scene
local running, showVectors, left = true, true, 0
local problem -- why there is nothing to see

local function restart()
  mill = scene.new(require "level", 48)
end

local function setColor(name)
  local red, green, blue = look.colors[name]:match("#(%x%x)(%x%x)(%x%x)")
  love.graphics.setColor(
    love.math.colorFromBytes(tonumber(red, 16), tonumber(green, 16), tonumber(blue, 16)))
end

-- Headless --------------------------------------------------------------------

-- Writes outside the save directory too, where love.filesystem would not.
local function saveAndQuit(path)
  love.graphics.captureScreenshot(function(image)
    local file, reason = io.open(path, "wb")
    if file then
      file:write(image:encode("png"):getString())
      file:close()
    else
      print(reason)
    end
    love.event.quit(file and 0 or 1)
  end)
end

local function playAlone(seconds, path)
  if not (tonumber(seconds) and path) then
    print("usage: love examples/level --headless SECONDS FILE.png")
    return love.event.quit(2)
  end
  if problem then
    print(problem)
    return love.event.quit(1)
  end
  for _ = 1, tonumber(seconds) / scene.STEP do mill:step() end
  running = false
  saveAndQuit(path)
end

-- LÖVE's calls ----------------------------------------------------------------

function love.load(arguments)
  local found, reason = pcall(require, "sat")
  if found then
    look, scene = require "look", require "scene"
    restart()
  else
    problem = "The module is not built yet. Run `make play` in the project's folder: it builds the "
      .. "module for LÖVE and starts this.\n\n" .. tostring(reason)
  end
  if arguments[1] == "--headless" then playAlone(arguments[2], arguments[3]) end
end

function love.update(dt)
  if not mill or not running then return end
  left = math.min(left + dt, 0.1) -- after a pause of the computer's, do not catch up with it all
  while left >= scene.STEP do
    left = left - scene.STEP
    mill:step()
  end
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() end
  if not mill then return end
  if key == "space" then running = not running end
  if key == "s" then
    running = false
    mill:step()
  end
  if key == "r" then restart() end
  if key == "v" then showVectors = not showVectors end
end

-- Drawing ---------------------------------------------------------------------

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

local function drawVector(push)
  local length = look.arrowLength(push.depth)
  local x, y = push.x + push.nx * length, push.y + push.ny * length
  local backX, backY = x - push.nx * 8, y - push.ny * 8
  love.graphics.line(push.x, push.y, backX, backY)
  love.graphics.polygon("fill", x, y, backX - push.ny * 4.5, backY + push.nx * 4.5,
    backX + push.ny * 4.5, backY - push.nx * 4.5)
end

local function drawWords()
  local width, height = love.graphics.getDimensions()
  setColor("ground")
  love.graphics.rectangle("fill", 0, 0, width, HEAD)
  love.graphics.rectangle("fill", 0, height - FOOT, width, FOOT)
  setColor("text")
  love.graphics.print(("%s    %d shapes, %d collisions, the deepest %.2f px"):format(
    mill.map.properties.title, #mill.bodies + #mill.fixed, mill.collisions, mill.deepest), 16, 11)
  local state = running and "" or ", paused"
  love.graphics.printf(("frame %d%s"):format(mill.frame, state), 0, 11, width - 16, "right")
  love.graphics.print(KEYS, 16, height - FOOT + 8)
  setColor("faint")
  love.graphics.print("Arrows: " .. look.arrowCaption, 16, height - FOOT + 28)
end

function love.draw()
  if problem then return love.graphics.printf(problem, 40, 40, love.graphics.getWidth() - 80) end
  love.graphics.clear(love.math.colorFromBytes(20, 24, 31))
  love.graphics.translate(0, HEAD)
  drawBodies()
  setColor("arrow")
  love.graphics.setLineWidth(2.4)
  if showVectors then
    for _, push in ipairs(mill.pushes) do drawVector(push) end
  end
  love.graphics.origin()
  drawWords()
end
