-- The common part of drawing in LÖVE and drawing as SVG: the options, and the colors and sizes of all parts.

local style = {}

-- The colors are light enough for a dark ground, and different enough for people who see fewer colors; after Okabe and
-- Ito.
style.colors = {
  ground = { 18 / 255, 20 / 255, 26 / 255 },
  moving = { 86 / 255, 180 / 255, 233 / 255 },
  static = { 1, 1, 1 },
  sensor = { 250 / 255, 220 / 255, 40 / 255 },
  disabled = { 90 / 255, 90 / 255, 90 / 255 },
  boxes = { 30 / 255, 95 / 255, 190 / 255 },
  nodes = { 200 / 255, 140 / 255, 170 / 255 },
  vectors = { 225 / 255, 100 / 255, 0 },
  hits = { 0, 1, 135 / 255 },
}

-- The size of a point, and the length of arrows that show only a direction, in pixels.
style.DOT, style.ARROW = 5, 16

-- The opacity of a filled shape.
style.OPACITY = 0.4

-- The name of a shape's color, by its properties in a world.
function style.kind_of(shape)
  if not shape:isEnabled() then return "disabled" end
  if shape:isSensor() then return "sensor" end
  return shape:isStatic() and "static" or "moving"
end

function style.describe(value)
  if value == nil then return "nil" end
  return type(value) == "string" and "'" .. value .. "'" or "a " .. type(value)
end

local function refuse(name, reason, level)
  error(("bad argument #1 to '%s' (%s)"):format(name, reason), level + 1)
end

local function check_mode(name, mode, wanted, level)
  if mode == nil then return "line" end
  if mode == "line" or mode == "fill" then return mode end
  refuse(name, wanted .. ", not " .. style.describe(mode), level + 1)
end

-- Checks a mode, "line" or "fill". The error for another value names the line of the caller's caller.
function style.check_mode(name, mode)
  mode = check_mode(name, mode, "mode must be 'line' or 'fill'", 3) -- a tail call would hide the caller
  return mode
end

local SWITCHES = { shapes = true, boxes = true, nodes = true, vectors = true, hits = true }

local function check_options(name, options)
  for key, value in next, options do
    if SWITCHES[key] then
      if type(value) ~= "boolean" then
        refuse(name, key .. " must be a boolean, not " .. style.describe(value), 4)
      end
    elseif key ~= "mode" then
      refuse(name, "there is no option " .. style.describe(key), 4)
    end
  end
end

local function is_on(value, otherwise)
  if value == nil then return otherwise end
  return value
end

-- Reads the argument of a world's draw and svg, which is nothing, a mode or a table of options. Returns the mode, and
-- whether shapes, boxes, nodes, vectors and hits are wanted.
function style.read_options(name, options)
  if type(options) ~= "table" then
    return check_mode(name, options, "options must be 'line', 'fill' or a table", 3), true, false, false, true, false
  end
  check_options(name, options)
  local mode = check_mode(name, rawget(options, "mode"), "mode must be 'line' or 'fill'", 3)
  return mode, is_on(rawget(options, "shapes"), true), is_on(rawget(options, "boxes"), false),
    is_on(rawget(options, "nodes"), false), is_on(rawget(options, "vectors"), true),
    is_on(rawget(options, "hits"), false)
end

-- The arrow of a collision: it begins at the place of contact, and leads the one of the two shapes that can move.
function style.vector_of(a, b, dx, dy)
  local _, _, _, x, y, x2, y2 = a:contacts(b)
  if not x then x, y = a:center() end
  if x2 then x, y = (x + x2) / 2, (y + y2) / 2 end
  if a:isStatic() then return x, y, -dx, -dy end
  return x, y, dx, dy
end

-- The arrow of a one-way shape, or nil: it begins in the middle of the solid side and points along the normal.
function style.one_way_of(shape, pixel)
  local nx, ny = shape:oneWay()
  if not nx then return nil end
  local x, y = shape:center()
  local _, high = shape:project(nx, ny)
  local height = high - x * nx - y * ny
  return x + nx * height, y + ny * height, nx * style.ARROW * pixel, ny * style.ARROW * pixel
end

-- The corners of an arrow's head, whose point is at x + dx, y + dy. It is 8 pixels long at most.
function style.head_of(x, y, dx, dy, pixel)
  local length = math.sqrt(dx * dx + dy * dy)
  local size = math.min(length / 2, 8 * (pixel or 1)) / length
  local tipX, tipY, alongX, alongY = x + dx, y + dy, dx * size, dy * size
  return tipX, tipY, tipX - alongX - alongY / 2, tipY - alongY + alongX / 2,
    tipX - alongX + alongY / 2, tipY - alongY - alongX / 2
end

return style
