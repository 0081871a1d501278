-- Draws the guides' figures: shapes, arrows and words as SVG, y pointing down as on a screen.
--
--   local sketch = require("sketch").new(600, 300)
--   sketch:shape(sat.circle(100, 100, 50), "a")
--   sketch:save("gap")                          -- docs/figures/gap.svg

local here = debug.getinfo(1, "S").source:match("^@(.*[/\\])") or "./"

local Sketch = {}
Sketch.__index = Sketch

-- Colours that colour-blind people can tell apart (Okabe and Ito), on white: one for each role.
local COLORS = {
  a = "#0072b2", b = "#d55e00", both = "#7a5195", way = "#009e73", bad = "#b2182b", ink = "#222222", faint = "#8a8f98",
  grid = "#d5d8de",
}

local Module = {}

function Module.new(width, height)
  local self = setmetatable({}, Sketch)
  self:add('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g">', width, height, width,
    height)
  self:add("<style>text{font:14px sans-serif}</style>")
  self:add('<rect width="%g" height="%g" rx="8" fill="#ffffff"/>', width, height)
  return self
end

function Sketch:add(format, ...) self[#self + 1] = format:format(...) end

-- Lengths are written with one digit behind the point, so that no rounding of sines shows in a diff.
local function path_of(vertices, closed)
  local points = {}
  for i = 1, #vertices, 2 do points[#points + 1] = ("%.1f %.1f"):format(vertices[i], vertices[i + 1]) end
  return "M" .. table.concat(points, "L") .. (closed and "Z" or "")
end

-- Filled and outlined; "ghost" is a dashed outline alone.
function Sketch:shape(shape, role, ghost)
  local color, kind = COLORS[role], shape:kind()
  local style = ('stroke="%s" stroke-width="1.5" fill="%s" fill-opacity="%s"%s'):format(color, color,
    ghost and "0" or "0.18", ghost and ' stroke-dasharray="5 4"' or "")
  if kind == "circle" then
    local x, y = shape:center()
    self:add('<circle cx="%.1f" cy="%.1f" r="%.1f" %s/>', x, y, shape:radius(), style)
  elseif kind == "compound" then
    for _, piece in ipairs(shape:pieces()) do self:shape(piece, role, ghost) end
  else
    if kind == "chain" then style = style:gsub('fill="[^"]+"', 'fill="none"') end
    self:add('<path d="%s" %s/>', path_of(shape:vertices(), kind == "polygon"), style)
  end
end

function Sketch:line(x1, y1, x2, y2, role, width, dash)
  self:add('<path d="M%.1f %.1fL%.1f %.1f" stroke="%s" stroke-width="%g"%s/>', x1, y1, x2, y2, COLORS[role], width or 1,
    dash and ' stroke-dasharray="5 4"' or "")
end

function Sketch:arrow(x1, y1, x2, y2, role)
  local dx, dy = x2 - x1, y2 - y1
  local length = math.sqrt(dx * dx + dy * dy)
  dx, dy = dx / length, dy / length
  local neck_x, neck_y = x2 - 9 * dx, y2 - 9 * dy
  self:line(x1, y1, neck_x, neck_y, role, 2.5)
  self:add('<path d="M%.1f %.1fL%.1f %.1fL%.1f %.1fZ" fill="%s"/>', x2, y2, neck_x - 5 * dy, neck_y + 5 * dx,
    neck_x + 5 * dy, neck_y - 5 * dx, COLORS[role])
end

function Sketch:dot(x, y, role, radius)
  self:add('<circle cx="%.1f" cy="%.1f" r="%g" fill="%s"/>', x, y, radius or 4, COLORS[role])
end

function Sketch:box(x, y, w, h, role)
  self:add('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="none" stroke="%s"/>', x, y, w, h, COLORS[role])
end

-- `anchor` is start unless given, or middle or end.
function Sketch:text(x, y, words, role, anchor)
  self:add('<text x="%.1f" y="%.1f" fill="%s" text-anchor="%s">%s</text>', x, y, COLORS[role or "ink"],
    anchor or "start", (words:gsub("&", "&amp;"):gsub("<", "&lt;")))
end

function Sketch:save(name)
  self:add("</svg>")
  local file = assert(io.open(here .. "figures/" .. name .. ".svg", "w"))
  assert(file:write(table.concat(self, "\n"), "\n"))
  file:close()
  print(name .. ".svg")
end

return Module
