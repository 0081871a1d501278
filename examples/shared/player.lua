-- Plays an example without anybody there, always the same, and takes its pictures:
--
--   love examples/NAME --play FOLDER [--film]
--
-- The example's play.lua says what is done. It returns a function that is given the player:
--
--   return function(player)
--     player:drag({ 100, 200, 300, 200 }, 1) -- in one second
--     player:key("v")
--     player:shot("name")                -- FOLDER/name.png
--   end
--
-- The example's own code knows nothing of the player, which calls it as LÖVE would, with a fixed time step.

local player = { x = 0, y = 0, held = {}, buttons = {} }

local STEP = 1 / 60
local FILM_EVERY = 5 -- frames of the game from one of the film to the next,
local DRAW_EVERY = 6 -- and from one that is drawn to the next, where nobody looks

-- What the script does ----------------------------------------------------------

local function call(name, ...)
  if love[name] then love[name](...) end
end

function player.wait(_, seconds)
  for _ = 1, math.max(1, math.floor(seconds / STEP + 0.5)) do coroutine.yield() end
end

function player:press(key)
  self.held[key] = true
  call("keypressed", key, key, false)
end

function player:release(key)
  self.held[key] = nil
  call("keyreleased", key, key)
end

function player:key(key)
  self:press(key)
  self:release(key)
  self:wait(STEP)
end

-- Holds a key down, or several: player:hold(1.5, "right", "up").
function player:hold(seconds, ...)
  for _, key in ipairs { ... } do self:press(key) end
  self:wait(seconds)
  for _, key in ipairs { ... } do self:release(key) end
end

-- Moves the mouse, slowly at both ends, as a hand does.
function player:mouse(x, y, seconds)
  local fromX, fromY = self.x, self.y
  self.pointed = true
  local steps = math.max(1, math.floor((seconds or 0) / STEP + 0.5))
  for i = 1, steps do
    local way = (1 - math.cos(math.pi * i / steps)) / 2
    local nextX, nextY = fromX + (x - fromX) * way, fromY + (y - fromY) * way
    local dx, dy = nextX - self.x, nextY - self.y
    self.x, self.y = nextX, nextY
    call("mousemoved", nextX, nextY, dx, dy, false)
    if seconds then coroutine.yield() end
  end
end

function player:button(down, button)
  button = button or 1
  self.buttons[button] = down or nil
  call(down and "mousepressed" or "mousereleased", self.x, self.y, button, false, 1)
  self:wait(STEP)
end

function player:click(x, y, button)
  self:mouse(x, y)
  self:button(true, button)
  self:button(false, button)
end

-- Drags the mouse from the first point to each of the others in turn.
function player:drag(points, seconds)
  self:mouse(points[1], points[2])
  self:button(true)
  for i = 3, #points, 2 do
    self:mouse(points[i], points[i + 1], seconds / (#points / 2 - 1))
  end
  self:button(false)
end

function player:wheel(steps, seconds)
  for _ = 1, math.abs(steps) do
    call("wheelmoved", 0, steps > 0 and 1 or -1)
    self:wait(seconds and seconds / math.abs(steps) or STEP)
  end
end

function player:shot(name)
  self.name = name
  self:wait(STEP)
end

-- Begins to take pictures of a film, where one is wanted. They end with film(false).
function player:film(on)
  self.filming = on and self.films
end

-- Pictures ----------------------------------------------------------------------

-- Writes an image to any folder; love.filesystem can write to the save folder only.
local function write(path, image)
  local file = assert(io.open(path, "wb"))
  assert(file:write(image:encode("png"):getString()))
  assert(file:close())
end

-- Raises an error for a picture of an empty window, which nobody would notice otherwise.
local function check(path, image)
  local width, height = image:getDimensions()
  local seen, colors = {}, 0
  for y = 4, height - 1, 8 do
    for x = 4, width - 1, 8 do
      local color = ("%.2f %.2f %.2f"):format(image:getPixel(x, y))
      if not seen[color] then seen[color], colors = true, colors + 1 end
    end
  end
  if colors < 6 then error(("%s has %d colours: it is blank"):format(path, colors), 0) end
end

-- A screenshot has no mouse pointer of its own.
function player:drawPointer()
  local x, y = self.x, self.y
  love.graphics.setColor(1, 1, 1)
  love.graphics.polygon("fill", x, y, x, y + 18, x + 12, y + 12)
  love.graphics.setColor(0, 0, 0)
  love.graphics.setLineWidth(1)
  love.graphics.polygon("line", x, y, x, y + 18, x + 12, y + 12)
end

function player:draw()
  love.graphics.origin()
  love.graphics.clear(love.graphics.getBackgroundColor())
  call("draw")
  if self.pointed then self:drawPointer() end
end

-- Draws the picture apart from the window, whose edges are not smooth without a graphics card.
function player:capture(path)
  local width, height = love.graphics.getDimensions()
  self.canvas = self.canvas or love.graphics.newCanvas(width, height, { msaa = 4 })
  love.graphics.setCanvas { self.canvas, stencil = true }
  self:draw()
  love.graphics.setCanvas()
  local readback = love.graphics.readbackTexture
  local image = readback and readback(self.canvas) or self.canvas:newImageData() -- readbackTexture: from LÖVE 12 on
  check(path, image)
  write(path, image)
end

function player:picture()
  if self.name then
    self:capture(("%s/%s.png"):format(self.folder, self.name))
    self.name = nil
  elseif self.filming and self.frame % FILM_EVERY == 0 then
    self.scenes = (self.scenes or 0) + 1
    self:capture(("%s/film-%04d.png"):format(self.folder, self.scenes))
  elseif self.frame % DRAW_EVERY == 0 then
    self:draw()
    love.graphics.present()
  end
end

-- Time --------------------------------------------------------------------------

function player:step()
  love.event.pump()
  for _ in love.event.poll() do end -- whatever a real mouse does meanwhile
  local ok, message = coroutine.resume(self.script, self)
  if not ok then error(debug.traceback(self.script, message), 0) end
  self.frame = self.frame + 1
  call("update", STEP)
  self:picture()
  if coroutine.status(self.script) == "dead" then return 0 end
end

-- Replaces the functions of LÖVE whose answers the script decides.
function player:replace()
  function love.mouse.getPosition() return self.x, self.y end
  function love.mouse.getX() return self.x end
  function love.mouse.getY() return self.y end
  function love.mouse.isDown(...)
    for _, button in ipairs { ... } do if self.buttons[button] then return true end end
    return false
  end
  function love.keyboard.isDown(...)
    for _, key in ipairs { ... } do if self.held[key] then return true end end
    return false
  end
  function love.timer.getDelta() return STEP end
end

function player.install(folder, films)
  assert(folder, "usage: love examples/NAME --play FOLDER [--film]")
  player.folder, player.films, player.frame = folder, films, 0

  function love.run()
    love.math.setRandomSeed(1)
    player:replace()
    player.script = coroutine.create(require "play")
    call("load", {}, {})
    return function() return player:step() end
  end

  -- This replaces the blue screen, which would wait for somebody to close it.
  function love.errorhandler(message)
    io.stderr:write(debug.traceback(tostring(message), 2), "\n")
    return function() return 1 end
  end
end

return player
