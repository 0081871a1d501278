-- Draws the guides' figures: shapes, arrows and words as SVG, y pointing down as on a screen.
--
--   local sketch = require("sketch").new(600, 300)
--   sketch:shape(sat.circle(100, 100, 50), "a")
--   sketch:save("gap")                          -- docs/figures/gap.svg

local here = debug.getinfo(1, "S").source:match("^@(.*[/\\])") or "./"

local Sketch = {}
Sketch.__index = Sketch

-- The colours of each role, on a light ground and on a dark one, by what the reader's system asks for. Colour-blind
-- people can tell them apart (Okabe and Ito).
local COLORS = {
  { "ground", "#ffffff", "#14181f" }, { "a", "#0072b2", "#56b4e9" }, { "b", "#d55e00", "#f0a030" },
  { "both", "#7a5195", "#c79be0" }, { "way", "#009e73", "#2fc79a" }, { "bad", "#b2182b", "#ff8a80" },
  { "ink", "#222222", "#e3e8ef" }, { "faint", "#777d87", "#9aa7b8" }, { "grid", "#d5d8de", "#3c4655" },
}

-- Each element has its role as a class, and draws in the colour of that class.
local function style_sheet()
  local light, dark = {}, {}
  for i, color in ipairs(COLORS) do
    light[i] = (".%s{color:%s}"):format(color[1], color[2])
    dark[i] = (".%s{color:%s}"):format(color[1], color[3])
  end
  return ("<style>text{font:14px sans-serif}%s\n@media(prefers-color-scheme:dark){%s}</style>"):format(
    table.concat(light), table.concat(dark))
end

local Module = {}

function Module.new(width, height)
  local self = setmetatable({}, Sketch)
  self:add('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g">', width, height, width,
    height)
  self:add("%s", style_sheet())
  self:add('<rect class="ground" width="%g" height="%g" rx="8" fill="currentColor"/>', width, height)
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
  local kind = shape:kind()
  local style = ('class="%s" stroke="currentColor" stroke-width="1.5" fill="currentColor" fill-opacity="%s"%s'):format(
    role, ghost and "0" or "0.18", ghost and ' stroke-dasharray="5 4"' or "")
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

-- Several outlines, each a flat list of vertices, as one area: where they overlap it is no darker.
function Sketch:area(outlines, role, opacity)
  local paths = {}
  for i, outline in ipairs(outlines) do paths[i] = path_of(outline, true) end
  self:add('<path class="%s" d="%s" fill="currentColor" fill-opacity="%g"/>', role, table.concat(paths),
    opacity or 0.18)
end

function Sketch:line(x1, y1, x2, y2, role, width, dash)
  self:add('<path class="%s" d="M%.1f %.1fL%.1f %.1f" stroke="currentColor" stroke-width="%g"%s/>', role, x1, y1, x2,
    y2, width or 1, dash and ' stroke-dasharray="5 4"' or "")
end

-- Lines from each vertex to the next, with round ends and corners.
function Sketch:polyline(vertices, role, width, dash)
  local ends = dash and 'stroke-dasharray="4 4"' or 'stroke-linecap="round"'
  self:add('<path class="%s" d="%s" fill="none" stroke="currentColor" stroke-width="%g" stroke-linejoin="round" %s/>',
    role, path_of(vertices), width or 1, ends)
end

function Sketch:arrow(x1, y1, x2, y2, role)
  local dx, dy = x2 - x1, y2 - y1
  local length = math.sqrt(dx * dx + dy * dy)
  dx, dy = dx / length, dy / length
  local neck_x, neck_y = x2 - 9 * dx, y2 - 9 * dy
  self:line(x1, y1, neck_x, neck_y, role, 2.5)
  self:add('<path class="%s" d="M%.1f %.1fL%.1f %.1fL%.1f %.1fZ" fill="currentColor"/>', role, x2, y2,
    neck_x - 5 * dy, neck_y + 5 * dx, neck_x + 5 * dy, neck_y - 5 * dx)
end

function Sketch:dot(x, y, role, radius)
  self:add('<circle class="%s" cx="%.1f" cy="%.1f" r="%g" fill="currentColor"/>', role, x, y, radius or 4)
end

-- An outline, filled with the colour of `inside` where that is given.
function Sketch:box(x, y, w, h, role, inside)
  local place = ('x="%.1f" y="%.1f" width="%.1f" height="%.1f"'):format(x, y, w, h)
  if inside then self:add('<rect class="%s" %s fill="currentColor" fill-opacity="0.18"/>', inside, place) end
  self:add('<rect class="%s" %s fill="none" stroke="currentColor"/>', role, place)
end

-- `anchor` is start unless given, or middle or end.
function Sketch:text(x, y, words, role, anchor)
  self:add('<text class="%s" x="%.1f" y="%.1f" fill="currentColor" text-anchor="%s">%s</text>', role or "ink", x, y,
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
