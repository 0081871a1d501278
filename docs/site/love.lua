-- The part of LÖVE that the playground has: love.graphics on a canvas, the mouse, the keyboard and the callbacks.
--
-- host.c runs this file first. The global function `page` calls an operation of worker.js, and the global function
-- `dispatch` receives the events of the page.

local page, unpack = page, table.unpack
_G.page = nil

-- The names of Lua 5.1, which LÖVE has.
_G.unpack, _G.loadstring, math.atan2 = unpack, load, math.atan
function math.pow(x, y) return x ^ y end
function math.log10(x) return math.log(x, 10) end

function setfenv(f, environment)
  local index = 1
  while debug.getupvalue(f, index) ~= "_ENV" do index = index + 1 end
  debug.upvaluejoin(f, index, function() return environment end, 1)
  return f
end

package.path = "/?.lua;/?/init.lua"
package.cpath = ""

function print(...)
  local words = {}
  for i = 1, select("#", ...) do words[i] = tostring((select(i, ...))) end
  page("print", table.concat(words, "\t"))
end

local width, height = 800, 600
local source = "/"
local keys, buttons, mouse = {}, {}, { x = 0, y = 0 }
local now, delta = 0, 0

-- ---------------------------------------------------------------- love.graphics

local graphics = {}
local color, background = { 1, 1, 1, 1 }, { 0, 0, 0, 1 }
local line_width, point_size = 1, 1

local function read_color(r, g, b, a)
  if type(r) == "table" then r, g, b, a = r[1], r[2], r[3], r[4] end
  return { r, g, b, a or 1 }
end

function graphics.setColor(...)
  color = read_color(...)
  page("color", color)
end
function graphics.getColor() return unpack(color) end
function graphics.setBackgroundColor(...) background = read_color(...) end
function graphics.getBackgroundColor() return unpack(background) end
function graphics.clear(...) page("clear", ... and read_color(...) or background) end

function graphics.setLineWidth(w)
  line_width = w
  page("lineWidth", w)
end
function graphics.getLineWidth() return line_width end
function graphics.setPointSize(size) point_size = size end
function graphics.getPointSize() return point_size end
function graphics.setLineStyle() end
function graphics.setLineJoin() end
function graphics.setDefaultFilter() end

-- page("fillPolygon", …) or page("linePolygon", …).
local function draw(mode, what, ...)
  if mode ~= "fill" and mode ~= "line" then error("the draw mode must be 'fill' or 'line'", 3) end
  page(mode .. what, ...)
end

function graphics.line(...) page("line", ...) end
function graphics.points(...) page("points", point_size, ...) end
function graphics.polygon(mode, ...) draw(mode, "Polygon", ...) end
function graphics.rectangle(mode, x, y, w, h, radius) draw(mode, "Rectangle", x, y, w, h, radius or 0) end
function graphics.ellipse(mode, x, y, rx, ry) draw(mode, "Ellipse", x, y, rx, ry or rx) end
function graphics.circle(mode, x, y, radius) draw(mode, "Ellipse", x, y, radius, radius) end
function graphics.arc(mode, kind, x, ...)
  if type(kind) == "number" then return graphics.arc(mode, "pie", kind, x, ...) end
  draw(mode, "Arc", kind, x, ...)
end

for _, name in ipairs { "push", "pop", "origin", "translate", "scale", "rotate" } do
  graphics[name] = function(...) page(name, ...) end
end
function graphics.setScissor(x, ...) if x then page("scissor", x, ...) else page("scissor") end end

local Font = {}
Font.__index = Font
function Font:getWidth(text) return page("measure", tostring(text), self.size) end
function Font:getHeight() return math.ceil(self.size * 1.17) end

local font = setmetatable({ size = 12 }, Font)
function graphics.newFont(size) return setmetatable({ size = size or 12 }, Font) end
function graphics.setFont(value) font = value end
function graphics.setNewFont(size) graphics.setFont(graphics.newFont(size)) return font end
function graphics.getFont() return font end

function graphics.print(text, x, y) page("text", tostring(text), x or 0, y or 0, font.size) end
function graphics.printf(text, x, y, limit, align)
  for line in (tostring(text) .. "\n"):gmatch("(.-)\n") do
    local rest = limit - font:getWidth(line)
    graphics.print(line, x + (align == "right" and rest or align == "center" and rest / 2 or 0), y)
    y = y + font:getHeight()
  end
end

function graphics.getDimensions() return width, height end
function graphics.getWidth() return width end
function graphics.getHeight() return height end

-- ---------------------------------------------------------------- the other modules

local function any_down(list)
  return function(...)
    for _, name in ipairs { ... } do if list[name] then return true end end
    return false
  end
end

local function random(low, high)
  if not low then return math.random() end
  if not high then low, high = 1, low end
  return math.random(math.floor(low), math.floor(high))
end

local function read(path)
  local file, reason = io.open(source .. "/" .. path)
  if not file then return nil, reason end
  local text = file:read("a")
  file:close()
  return text
end

local function resize(w, h)
  width, height = w, h
  page("size", w, h)
end

local function nothing() end

love = {
  graphics = graphics,
  window = { setMode = resize, setTitle = nothing, getTitle = nothing },
  mouse = {
    getPosition = function() return mouse.x, mouse.y end,
    getX = function() return mouse.x end,
    getY = function() return mouse.y end,
    isDown = any_down(buttons),
    setVisible = nothing,
  },
  keyboard = { isDown = any_down(keys), setKeyRepeat = nothing },
  timer = {
    getTime = function() return page("now") end,
    getDelta = function() return delta end,
    getFPS = function() return delta > 0 and math.floor(1 / delta + 0.5) or 0 end,
  },
  math = {
    random = random,
    setRandomSeed = math.randomseed,
    colorFromBytes = function(r, g, b, a) return r / 255, g / 255, b / 255, a and a / 255 end,
  },
  event = { quit = function() page("done") end },
  filesystem = { getSource = function() return source end, read = read },
  system = { getOS = function() return "Web" end },
}

for name, module in pairs { graphics = graphics, mouse = love.mouse, keyboard = love.keyboard, math = love.math } do
  setmetatable(module, { __index = function(_, key)
    error(("love.%s.%s is not in the playground, which has a part of LÖVE"):format(name, tostring(key)), 2)
  end })
end

-- ---------------------------------------------------------------- the program

local function call(name, ...) if love[name] then love[name](...) end end

-- As LÖVE does: conf.lua first, then main.lua.
local function configure()
  if not read("conf.lua") then return end
  local options = { window = {}, modules = {} }
  dofile(source .. "/conf.lua")
  call("conf", options)
  resize(options.window.width or 800, options.window.height or 600)
  package.path = source .. "/?.lua;" .. package.path
end

-- The program is a game when it has one of the callbacks of a frame.
local function start(text)
  arg = { [0] = source .. "/main.lua" }
  configure()
  assert(load(text, "@main.lua"))()
  call("load", {}, {})
  if love.update or love.draw then page("playing") else page("done") end
end

local function frame(time)
  delta = now > 0 and math.min(time - now, 0.1) or 1 / 60
  now = time
  call("update", delta)
  page("origin")
  graphics.clear()
  call("draw")
end

local events = {
  folder = function(path) source = path end,
  start = start,
  frame = function(_, time) frame(time) end,
  keydown = function(key)
    local held = keys[key]
    keys[key] = true
    if not held then call("keypressed", key, key, false) end
  end,
  keyup = function(key)
    keys[key] = nil
    call("keyreleased", key, key)
  end,
  text = function(text) call("textinput", text) end,
  mousemove = function(_, x, y)
    local dx, dy = x - mouse.x, y - mouse.y
    mouse.x, mouse.y = x, y
    call("mousemoved", x, y, dx, dy, false)
  end,
  mousedown = function(_, x, y, button)
    buttons[button], mouse.x, mouse.y = true, x, y
    call("mousepressed", x, y, button, false, 1)
  end,
  mouseup = function(_, x, y, button)
    buttons[button], mouse.x, mouse.y = nil, x, y
    call("mousereleased", x, y, button, false, 1)
  end,
  wheel = function(_, x, y) call("wheelmoved", x, y) end,
}

-- An error's message with the line of main.lua at which it arose, if any line of the stack is there.
local function describe(message)
  message = type(message) == "string" and message or tostring(message)
  local trace = message .. "\n" .. debug.traceback("", 2)
  return { message = message, line = trace:match("main%.lua:(%d+):") }
end

function dispatch(event, ...)
  local ok, failure = xpcall(events[event], describe, ...)
  if not ok then page("failed", failure.message, tonumber(failure.line) or 0) end
end
