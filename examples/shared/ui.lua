-- What all examples look like: colours, a line of words above and one of keys below.
local ui = { HEAD = 40, FOOT = 40 } -- how high these two are

-- The colours of Okabe and Ito, which colour-blind people can tell apart, on a dark ground.
local colors = {
  orange = { 0.902, 0.624, 0.000 },
  sky = { 0.337, 0.706, 0.914 },
  green = { 0.000, 0.620, 0.451 },
  yellow = { 0.941, 0.894, 0.259 },
  blue = { 0.000, 0.447, 0.698 },
  vermilion = { 0.835, 0.369, 0.000 },
  purple = { 0.800, 0.475, 0.655 },
  white = { 1, 1, 1 },
  text = { 0.910, 0.925, 0.949 },
  faint = { 0.604, 0.655, 0.722 },
  wall = { 0.239, 0.282, 0.349 },
  line = { 0.40, 0.46, 0.55 },
  panel = { 0.114, 0.137, 0.176 },
  ground = { 0.078, 0.094, 0.122 },
}

function ui.color(name, alpha)
  local color = colors[name]
  love.graphics.setColor(color[1], color[2], color[3], alpha or 1)
end

local fonts = {}

function ui.font(size)
  fonts[size] = fonts[size] or love.graphics.newFont(size)
  love.graphics.setFont(fonts[size])
  return fonts[size]
end

-- An arrow's head grows with it until it is `head` long.
function ui.arrow(x1, y1, x2, y2, head)
  local dx, dy = x2 - x1, y2 - y1
  local length = math.sqrt(dx * dx + dy * dy)
  if length == 0 then return end
  dx, dy = dx / length, dy / length
  head = math.min(head or 12, length)
  local backX, backY, half = x2 - dx * head, y2 - dy * head, head * 0.5
  love.graphics.line(x1, y1, backX, backY)
  love.graphics.polygon("fill", x2, y2, backX - dy * half, backY + dx * half,
    backX + dy * half, backY - dx * half)
end

function ui.dashed(x1, y1, x2, y2, dash)
  local dx, dy = x2 - x1, y2 - y1
  local count = math.max(1, math.floor(math.sqrt(dx * dx + dy * dy) / (dash or 5)))
  for i = 0, count - 1, 2 do
    local from, to = i / count, (i + 1) / count
    love.graphics.line(x1 + dx * from, y1 + dy * from, x1 + dx * to, y1 + dy * to)
  end
end

-- A few words about x, y which stay readable over anything.
function ui.label(words, x, y)
  local font = ui.font(13)
  local width, height = font:getWidth(words) + 8, font:getHeight() + 2
  ui.color("ground", 0.85)
  love.graphics.rectangle("fill", x - width / 2, y - height / 2, width, height, 4)
  ui.color("text")
  love.graphics.print(words, x - width / 2 + 4, y - height / 2 + 1)
end

-- The line above: what this is, and an account of what goes on.
function ui.header(title, account)
  local width = love.graphics.getWidth()
  ui.color("panel")
  love.graphics.rectangle("fill", 0, 0, width, ui.HEAD)
  ui.color("text")
  ui.font(18)
  love.graphics.print(title, 16, 9)
  ui.color("faint")
  ui.font(14)
  love.graphics.printf(account or "", 0, 12, width - 16, "right")
end

local function keycap(key, x, y, font, on)
  local width = font:getWidth(key) + 14
  ui.color(on or "wall")
  love.graphics.rectangle("fill", x, y, width, 22, 4)
  ui.color(on and "ground" or "text")
  love.graphics.print(key, x + 7, y + 3)
  return x + width + 6
end

local function drawKey(key, x, y, font)
  x = keycap(key[1], x, y, font, key[3] and (key[4] or "white"))
  ui.color("faint")
  love.graphics.print(key[2], x, y + 3)
  return x + font:getWidth(key[2]) + 16
end

-- The line below. Each key is { key, what it does [, whether that is on [, the colour of what it
-- shows]] }.
function ui.footer(keys)
  local width, height = love.graphics.getDimensions()
  ui.color("panel")
  love.graphics.rectangle("fill", 0, height - ui.FOOT, width, ui.FOOT)
  local font, x, y = ui.font(13), 16, height - ui.FOOT + 9
  for _, key in ipairs(keys) do x = drawKey(key, x, y, font) end
  drawKey({ "esc", "quit" }, width - 80, y, font)
end

return ui
