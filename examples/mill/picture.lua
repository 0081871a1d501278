-- Draws a scene as SVG: what is fixed, the bodies by kind, and the MTV of each of the frame's
-- collisions as an arrow.
--
--   local svg = require("picture").svg(mill)

local look = require "look"
local sat = require "sat"
local scene = require "scene"

local picture = {}
local colors = look.colors

local HEAD, FOOT = 56, 84 -- room for the title above the level and for the legend below it

-- Shapes ----------------------------------------------------------------------

-- Of every convex shape, since each is some vertices and a radius: the edges moved out by the
-- radius, joined by arcs about the vertices.
local function outline(shape)
  local ring, radius, edges = shape:vertices(), shape:radius(), {}
  local format = radius > 0 and "%.1f %.1fL%.1f %.1f" or "%.1f %.1f"
  for i = 1, #ring, 2 do
    local x, y = ring[i], ring[i + 1]
    local toX, toY = ring[i + 2] or ring[1], ring[i + 3] or ring[2]
    local far = radius / math.sqrt((toX - x) * (toX - x) + (toY - y) * (toY - y))
    local outX, outY = (toY - y) * far, (x - toX) * far
    edges[#edges + 1] = format:format(x + outX, y + outY, toX + outX, toY + outY)
  end
  if radius == 0 then return "M" .. table.concat(edges, "L") .. "Z" end
  local arc = ("A%.1f %.1f 0 0 1 "):format(radius, radius)
  return "M" .. table.concat(edges, arc) .. arc .. edges[1]:match("[^L]+") .. "Z"
end

local function draw(shape, attributes)
  if shape:kind() == "circle" then
    local x, y = shape:center()
    return ('<circle cx="%.1f" cy="%.1f" r="%.1f" %s/>\n'):format(x, y, shape:radius(), attributes)
  end
  return ('<path d="%s" %s/>\n'):format(outline(shape), attributes)
end

local function drawBody(shape, kind)
  local attributes = shape:kind() == "segment" and 'stroke="%s" stroke-width="3"' or 'fill="%s"'
  return draw(shape, attributes:format(colors[kind]))
end

-- Arrows and words ------------------------------------------------------------

-- An arrow from x, y along the unit vector nx, ny.
local function arrow(x, y, nx, ny, length)
  local function at(along, aside)
    return ("%.1f %.1f"):format(x + nx * along - ny * aside, y + ny * along + nx * aside)
  end
  local neck = length - 8
  return ('<path d="M%sL%sL%sL%sL%sL%sL%sZ"/>\n'):format(at(0, -1.2), at(neck, -1.2),
    at(neck, -4.5), at(length, 0), at(neck, 4.5), at(neck, 1.2), at(0, 1.2))
end

local function arrows(pushes)
  local parts = { ('<g fill="%s" stroke="%s" stroke-width="1.2" stroke-linejoin="round">\n'):format(
    colors.arrow, colors.ground) }
  for _, push in ipairs(pushes) do
    parts[#parts + 1] = arrow(push.x, push.y, push.nx, push.ny, look.arrowLength(push.depth))
  end
  parts[#parts + 1] = "</g>\n"
  return table.concat(parts)
end

local function text(x, y, size, color, anchor, words)
  return ('<text x="%.1f" y="%.1f" font-size="%d" fill="%s" text-anchor="%s">%s</text>\n'):format(
    x, y, size, colors[color], anchor, (words:gsub("&", "&amp;"):gsub("<", "&lt;")))
end

-- The parts of the picture ----------------------------------------------------

local function places(mill)
  local parts = { ('<g fill="none" stroke="%s">\n'):format(colors.faint) }
  local words = {}
  for _, shape in ipairs(mill.exits) do
    local x, y, w, h = shape:bounds()
    parts[#parts + 1] = draw(shape, 'stroke-dasharray="6 5"')
    words[#words + 1] = text(x + w / 2, y + h / 2 + 5, 13, "faint", "middle", shape:data().name)
  end
  for _, shape in ipairs(mill.spawns) do
    local x, y = shape:center()
    parts[#parts + 1] = ('<path d="M%.1f %.1fl9 -14h-18Z"/>\n'):format(x, y)
  end
  return table.concat(parts) .. "</g>\n" .. table.concat(words)
end

local function things(mill)
  local parts = {}
  for _, body in ipairs(mill.fixed) do
    parts[#parts + 1] = drawBody(body.shape, body.spin == 0 and "wall" or "turning")
  end
  parts[#parts + 1] = ('<g stroke="%s" stroke-width="1">\n'):format(colors.ground)
  for _, body in ipairs(mill.bodies) do
    parts[#parts + 1] = drawBody(body.shape, body.kind)
  end
  parts[#parts + 1] = "</g>\n"
  return table.concat(parts)
end

local function title(mill, width)
  local account = ("frame %d: %d shapes, %d collisions, the deepest %.2f px"):format(
    mill.frame, #mill.bodies + #mill.fixed, mill.collisions, mill.deepest)
  return text(24, 37, 22, "text", "start", mill.map.properties.title)
    .. text(width - 24, 36, 15, "faint", "end", account)
end

-- A sample shape with its name beside it; gives the x behind them.
local function sample(parts, shape, x, y, kind, name)
  local _, _, w = shape:bounds()
  parts[#parts + 1] = drawBody(shape:moveTo(x + w / 2, y), kind)
  parts[#parts + 1] = text(x + w + 8, y + 5, 14, "text", "start", name)
  return x + w + 24 + 8 * #name
end

local function legend(y)
  local parts, x = {}, 24
  for _, kind in ipairs(scene.kinds) do
    local shape = kind[2](9):rotate(kind[1] == "segment" and -0.5 or 0)
    x = sample(parts, shape, x, y + 24, kind[1], kind[1])
  end
  sample(parts, sat.rectangle(0, 0, 18, 18), x, y + 24, "crate", "crate")
  parts[#parts + 1] = arrows { { x = 24, y = y + 56, nx = 1, ny = 0, depth = 5 } }
  parts[#parts + 1] = text(74, y + 61, 14, "text", "start", look.arrowCaption)
  x = sample(parts, sat.rectangle(0, 0, 18, 18), 740, y + 56, "wall", "fixed")
  sample(parts, sat.rectangle(0, 0, 18, 18), x, y + 56, "turning", "turning")
  return table.concat(parts)
end

-- The whole scene as it stands, as the text of an SVG file.
function picture.svg(mill)
  local width, height = mill.map.width * mill.map.tilewidth, mill.map.height * mill.map.tileheight
  return table.concat {
    ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" '):format(
      width, HEAD + height + FOOT, width, HEAD + height + FOOT),
    'font-family="DejaVu Sans, Verdana, sans-serif">\n',
    ('<rect width="100%%" height="100%%" fill="%s"/>\n'):format(colors.ground),
    title(mill, width),
    ('<g transform="translate(0 %d)">\n'):format(HEAD),
    places(mill), things(mill), arrows(mill.pushes),
    "</g>\n",
    legend(HEAD + height),
    "</svg>\n",
  }
end

return picture
