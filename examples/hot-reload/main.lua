-- Game code that is loaded anew while it runs. Open game.lua in an editor, and change it.
--
-- What is to be kept lies in a table that each version of the code is given: the world with its
-- shapes, and their data.

local ui = require "ui"

local FILE = "game.lua"
local LINES, TOP, LINE = 24, 62, 20 -- of the code that is shown

local game = {} -- what stays
local source, lines, changed = nil, {}, {} -- the code, and when each of its lines was last changed
local problem, stuck -- what is wrong, and whether it was in code that has run
local versions, sinceLook, time = 0, 0, 0
local saved -- a world, as a string

-- Loading -----------------------------------------------------------------------

local function try(f, ...)
  local ok, reason = pcall(f, ...)
  if not ok then problem, stuck = reason, true end
end

local function noteChanges(text)
  local i, before = 0, lines
  lines = {}
  for line in text:gmatch("(.-)\r?\n") do
    i = i + 1
    lines[i] = line
    if before[1] and before[i] ~= line then changed[i] = time end
  end
end

-- Runs new code. A text that cannot be compiled changes nothing: the version before goes on.
local function load(text)
  source = text
  noteChanges(text)
  local chunk, reason = loadstring(text, "@" .. FILE)
  problem = reason
  if not chunk then return end
  package.loaded.sat = nil -- sat may be loaded anew, too: the shapes that are there do not mind
  versions, stuck = versions + 1, false
  try(chunk, game)
end

local function look()
  local text = love.filesystem.read(FILE)
  if text and text ~= source then load(text) end
end

-- Saving ------------------------------------------------------------------------

-- A world saves everything but the data of the shapes, which are the speeds of the balls here.
local function save()
  saved = { world = game.world:save(), speeds = {} }
  for _, shape in ipairs(game.world:shapes()) do
    local speed = shape:data()
    if speed then saved.speeds[shape] = { vx = speed.vx, vy = speed.vy } end
  end
end

local function restore()
  if not saved then return end
  game.world:load(saved.world)
  for shape, speed in pairs(saved.speeds) do shape:setData { vx = speed.vx, vy = speed.vy } end
end

-- LÖVE's calls ------------------------------------------------------------------

function love.load()
  look()
end

function love.update(dt)
  time, sinceLook = time + dt, sinceLook + dt
  if sinceLook > 0.25 then
    sinceLook = 0
    look()
  end
  if game.update and not stuck then try(game.update, math.min(dt, 1 / 30)) end
end

function love.mousepressed(x, y)
  if x < 560 and not stuck then try(game.click, x, y) end
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() end
  if key == "s" then save() end
  if key == "l" then restore() end
end

-- Drawing -----------------------------------------------------------------------

local function drawLine(i, line)
  local y = TOP + (i - 1) * LINE
  local age = changed[i] and time - changed[i] or math.huge
  if age < 3 then
    ui.color("yellow", 0.35 * (1 - age / 3) + 0.1)
    love.graphics.rectangle("fill", 568, y - 2, 384, LINE, 3)
  end
  ui.color(line:match("^%s*%-%-") and "faint" or "text")
  love.graphics.print(line, 576, y)
end

local function drawCode()
  ui.color("panel")
  love.graphics.rectangle("fill", 560, ui.HEAD, 400, 520)
  ui.font(13)
  love.graphics.setScissor(560, ui.HEAD, 400, 520)
  for i = 1, math.min(LINES, #lines) do drawLine(i, lines[i]) end
  love.graphics.setScissor()
end

local function drawProblem()
  ui.color("vermilion")
  love.graphics.rectangle("fill", 0, ui.HEAD, 560, 26)
  ui.color("white")
  ui.font(14)
  love.graphics.print(problem, 16, ui.HEAD + 4)
end

function love.draw()
  love.graphics.clear(0.078, 0.094, 0.122)
  if game.draw then try(game.draw) end
  drawCode()
  if problem then drawProblem() end
  ui.header("Hot reload", ("%s, version %d    %d shapes"):format(FILE, versions, game.world:count()))
  ui.footer {
    { "click", "another ball" }, { "s", "save the world" }, { "l", "load it", saved, "sky" },
    { "any editor", "change examples/hot-reload/" .. FILE },
  }
end
