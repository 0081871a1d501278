-- plot.lua: time against the number of vertices, boxes or shapes, from what narrowphase, broadphase, frame.lua and
-- scale wrote.
--
--   plot.lua [narrowphase|broadphase|frame|scale times.csv plot.svg]
--
-- Without arguments, all of those that have been timed, in the build folder; frames inside LÖVE.

local WIDTH, HEIGHT = 940, 560
local LEFT, RIGHT, TOP, BOTTOM = 90, 250, 64, 70

-- Okabe and Ito's colours, which the colour-blind can tell apart, and each as it is on a dark ground; the marks differ
-- as well.
local ON_DARK = {
  ["#0072b2"] = "#4aa8e8", ["#56b4e9"] = "#a6dcff", ["#d55e00"] = "#f08a3c", ["#009e73"] = "#2fc79a",
  ["#a0447c"] = "#e08cc0", ["#4d4d4d"] = "#b8bec8", ["#b8860b"] = "#e0b840",
}

-- The rows of a plot are those whose fields are as in `where`; `of` and `time` name the fields of the series and of the
-- time, in so many nanoseconds. The numbers on the axis begin with `first`, each `factor` times the last. A series has
-- its name, colour, mark and label; the first of them are ours, and wide, and the very first must be there.
local plots = {
  narrowphase = {
    title = "Time of one minimum translation vector of two overlapping convex polygons",
    axis = "vertices of each of the two regular polygons",
    where = { section = "the vector of regular n-gons" },
    of = "contestant", time = "ns", unit = 1, first = 4, factor = 2, ours = 1,
    { "sat", "#0072b2", "circle" },
    { "textbook", "#d55e00", "square", "textbook SAT" },
    { "Box2D 3", "#009e73", "triangle" },
    { "cute_c2", "#a0447c", "diamond" },
  },
  broadphase = {
    title = "Time of a frame in which every box moves, and all overlapping pairs are found",
    axis = "number of boxes, spread evenly",
    where = { section = "move", kind = "uniform" },
    of = "contestant", time = "ns", unit = 1, first = 1000, factor = 10, ours = 1,
    { "sat", "#0072b2", "circle" },
    { "tutorial", "#d55e00", "square", "tutorial quadtree" },
    { "hash 1.25 wide", "#a0447c", "diamond", "Chipmunk 7, hash" },
  },
  frame = {
    title = "Time of a frame in LÖVE: mixed shapes move, turn and are pushed apart",
    axis = "number of shapes; each box overlaps 2.5 others on average",
    where = { row = "frame" }, of = "contestant", time = "value", unit = 1e6, first = 100, factor = 10, ours = 2,
    { "sat one call", "#0072b2", "circle", "sat, all in one call" },
    { "sat shape by shape", "#56b4e9", "circle", "sat, shape by shape" },
    { "love.physics", "#009e73", "triangle" },
    { "love.physics + contacts", "#4d4d4d", "triangle", "love.physics, contacts read" },
    { "HC", "#d55e00", "square" },
    { "bump", "#a0447c", "diamond", "bump, boxes only" },
  },
  scale = {
    title = "Time for each element, from a thousand elements to a million",
    axis = "number of elements",
    where = {}, of = "what", time = "ns", unit = 1, first = 1000, factor = 10, ours = 0,
    { "items of a quadtree", "#0072b2", "circle", "quadtree: put in, pair" },
    { "shapes of a world", "#d55e00", "square", "world: move, update" },
    { "vertices of a ring", "#009e73", "triangle", "ring: decompose" },
    { "pieces of a compound", "#a0447c", "diamond", "compound: make" },
    { "shapes of a save", "#56b4e9", "square", "save" },
    { "shapes of a load", "#b8860b", "circle", "load" },
    { "shapes of a delta", "#4d4d4d", "triangle", "delta of 16 shapes" },
  },
}
for _, plot in pairs(plots) do
  plot.series = {}
  for i, one in ipairs(plot) do
    plot.series[i] =
      { name = one[1], color = one[2], mark = one[3], label = one[4], width = i <= plot.ours and 3.5 or 2 }
  end
end

-- ---------------------------------------------------------------- reading

-- Fields that hold no commas or quotes, which is all that is ever written.
local function fields_of(line)
  local fields = {}
  for field in (line .. ","):gmatch "([^,]*)," do fields[#fields + 1] = field end
  return fields
end

local function matches(fields, columns, where)
  for name, value in pairs(where) do
    if fields[columns[name]] ~= value then return false end
  end
  return true
end

local function read_points(path, plot)
  local points, columns = {}, nil
  for line in io.lines(path) do
    local fields = fields_of(line)
    if not columns then
      columns = {}
      for i, name in ipairs(fields) do columns[name] = i end
    elseif matches(fields, columns, plot.where) then
      local name = fields[columns[plot.of]]
      local n, time = tonumber(fields[columns.n]), tonumber(fields[columns[plot.time]])
      points[name] = points[name] or {}
      table.insert(points[name], { n = n, ns = time * plot.unit })
    end
  end
  return points
end

-- ---------------------------------------------------------------- scales

-- The range of all points, the times widened to whole decades.
local function range_of(points)
  local range = { n_min = math.huge, n_max = 0, ns_min = math.huge, ns_max = 0 }
  for _, list in pairs(points) do
    for _, point in ipairs(list) do
      range.n_min, range.n_max = math.min(range.n_min, point.n), math.max(range.n_max, point.n)
      range.ns_min, range.ns_max = math.min(range.ns_min, point.ns), math.max(range.ns_max, point.ns)
    end
  end
  range.low = math.floor(math.log(range.ns_min) / math.log(10))
  range.high = math.ceil(math.log(range.ns_max) / math.log(10))
  return range
end

local function x_of(range, n)
  local part = math.log(n / range.n_min) / math.log(range.n_max / range.n_min)
  return LEFT + part * (WIDTH - LEFT - RIGHT)
end

local function y_of(range, ns)
  local part = (math.log(ns) / math.log(10) - range.low) / (range.high - range.low)
  return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)
end

local function time_text(ns)
  local units = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "µs" }, { 1, "ns" } }
  for _, unit in ipairs(units) do
    if ns >= unit[1] * 0.999 then return ("%g %s"):format(ns / unit[1], unit[2]) end
  end
  return ("%g ns"):format(ns)
end

-- Thousands apart.
local function count_text(n)
  local text = ("%d"):format(n):reverse():gsub("(%d%d%d)", "%1 "):reverse()
  return (text:gsub("^ ", ""))
end

-- ---------------------------------------------------------------- drawing

local lines = {}
local function add(format, ...) lines[#lines + 1] = format:format(...) end

local function add_axes(range, plot)
  local right, floor = WIDTH - RIGHT, HEIGHT - BOTTOM
  for power = range.low, range.high do
    local y = y_of(range, 10 ^ power)
    add('<path d="M%d %.1fH%d" class="grid"/>', LEFT, y, right, y)
    add('<text x="%d" y="%.1f" text-anchor="end">%s</text>', LEFT - 10, y + 5, time_text(10 ^ power))
  end
  local n = plot.first
  while n <= range.n_max do
    local x = x_of(range, n)
    add('<path d="M%.1f %dV%d" class="grid"/>', x, TOP, floor)
    add('<text x="%.1f" y="%d" text-anchor="middle">%s</text>', x, floor + 22, count_text(n))
    n = n * plot.factor
  end
  add('<text x="%d" y="%d" text-anchor="middle">%s</text>', (LEFT + right) / 2, HEIGHT - 18, plot.axis)
end

local marks = {
  circle = function(x, y) return ('<circle cx="%.1f" cy="%.1f" r="5"/>'):format(x, y) end,
  square = function(x, y) return ('<rect x="%.1f" y="%.1f" width="9" height="9"/>'):format(x - 4.5, y - 4.5) end,
  triangle = function(x, y) return ('<path d="M%.1f %.1fl6 10h-12z"/>'):format(x, y - 6) end,
  diamond = function(x, y) return ('<path d="M%.1f %.1fl6 6l-6 6l-6-6z"/>'):format(x, y - 6) end,
}

-- The class of a series, which gives its elements their colour.
local function class_of(one) return "c" .. one.color:sub(2) end

local function add_series(range, one, points)
  local path = {}
  for i, point in ipairs(points) do
    path[i] = ("%s%.1f %.1f"):format(i == 1 and "M" or "L", x_of(range, point.n), y_of(range, point.ns))
  end
  local line = '<path class="%s" d="%s" fill="none" stroke="currentColor" stroke-width="%g"/>'
  add(line, class_of(one), table.concat(path), one.width)
  add('<g class="%s" fill="currentColor">', class_of(one))
  for _, point in ipairs(points) do add("%s", marks[one.mark](x_of(range, point.n), y_of(range, point.ns))) end
  add "</g>"
end

local function add_name(x, y, series, note)
  add('<text x="%.1f" y="%.1f" class="name %s">%s%s</text>', x, y, class_of(series), series.label or series.name,
    note or "")
end

-- In the empty corner above: the name of a line that ends among the others, which it would hide.
local function add_legend(place, series, last)
  local x, y = LEFT + 22, TOP + 22 * place
  add('<g class="%s" fill="currentColor">%s</g>', class_of(series), marks[series.mark](x, y))
  add_name(x + 14, y + 5, series, ", up to " .. count_text(last.n))
end

-- At the end of each line its name; names that would run into each other are moved apart.
local function add_labels(range, points, plot)
  local labels, early = {}, 0
  for _, one in ipairs(plot.series) do
    local list = points[one.name]
    local last = list and list[#list]
    if last and last.n < range.n_max then
      early = early + 1
      add_legend(early, one, last)
    elseif last then
      labels[#labels + 1] = { series = one, y = y_of(range, last.ns) + 5 }
    end
  end
  table.sort(labels, function(a, b) return a.y < b.y end)
  for i, label in ipairs(labels) do
    if i > 1 then label.y = math.max(label.y, labels[i - 1].y + 20) end
    add_name(x_of(range, range.n_max) + 12, label.y, label.series)
  end
end

-- Light, and dark where the reader's system asks for it.
local function add_style(plot)
  local light, dark = {}, {}
  for i, one in ipairs(plot.series) do
    light[i] = (".%s{color:%s}"):format(class_of(one), one.color)
    dark[i] = (".%s{color:%s}"):format(class_of(one), ON_DARK[one.color])
  end
  add "<style>text{font:15px sans-serif;fill:#222}text.title{font-size:19px}.grid{stroke:#d8d8d8}.ground{fill:#fff}"
  add "text.name{font-weight:bold;fill:currentColor;stroke:#fff;stroke-width:5px;paint-order:stroke}"
  add("%s", table.concat(light))
  add "@media(prefers-color-scheme:dark){text{fill:#e3e8ef}.grid{stroke:#343d4b}.ground{fill:#14181f}"
  add("text.name{stroke:#14181f}%s}</style>", table.concat(dark))
end

local function draw(points, plot)
  lines = {}
  local range = range_of(points)
  add('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d">', WIDTH, HEIGHT, WIDTH,
    HEIGHT)
  add_style(plot)
  add '<rect class="ground" width="100%%" height="100%%" rx="8"/>'
  add('<text x="20" y="34" class="title">%s</text>', plot.title)
  add_axes(range, plot)
  for _, one in ipairs(plot.series) do
    if points[one.name] then add_series(range, one, points[one.name]) end
  end
  add_labels(range, points, plot)
  add "</svg>"
  return table.concat(lines, "\n") .. "\n"
end

local function write(name, from, to)
  local plot = plots[name]
  local points = read_points(from, plot)
  if not points[plot.series[1].name] then error(from .. " has no times of ours in it", 0) end
  local file = assert(io.open(to, "w"))
  file:write(draw(points, plot))
  file:close()
  print(("%s: %s"):format(plot.title, to))
end

local function exists(path)
  local file = io.open(path)
  return file and file:close() and true
end

local function main(one, from, to)
  if one then return write(one, from, to) end
  local built = (os.getenv "BUILD" or "build") .. "/bench/"
  for name in pairs(plots) do
    local times = built .. (name == "frame" and "frame-love" or name) .. ".csv"
    if exists(times) then write(name, times, built .. name .. ".svg") end
  end
end

main(arg[1], arg[2], arg[3])
