-- plot.lua: time against the number of vertices, boxes, shapes or elements, from what narrowphase, broadphase,
-- frame.lua and scale wrote, drawn as the guides' figures are.
--
--   plot.lua [narrowphase|broadphase|frame|scale times.csv plot.svg]
--
-- Without arguments, all of those that have been timed, in the build folder; frames inside LÖVE.

local sketches = dofile "docs/sketch.lua"

local WIDTH, HEIGHT = 940, 560
local LEFT, RIGHT, TOP, BOTTOM = 90, 250, 64, 70

-- The rows of a plot are those whose fields are as in `where`; `of` and `time` name the fields of the series and of the
-- time, in so many nanoseconds. The numbers on the axis begin with `first`, each `factor` times the last. A series has
-- its name, its role in a figure and a label; the first of them are ours, and wide, and the very first must be there.
local plots = {
  narrowphase = {
    title = "Time of one minimum translation vector of two overlapping convex polygons",
    axis = "vertices of each of the two regular polygons",
    where = { section = "the vector of regular n-gons" },
    of = "contestant", time = "ns", unit = 1, first = 4, factor = 2, ours = 1,
    { "sat", "a" }, { "textbook", "b", "textbook SAT" }, { "Box2D 3", "way" }, { "cute_c2", "both" },
  },
  broadphase = {
    title = "Time of a frame in which every box moves, and all overlapping pairs are found",
    axis = "number of boxes, spread evenly",
    where = { section = "move", kind = "uniform" },
    of = "contestant", time = "ns", unit = 1, first = 1000, factor = 10, ours = 1,
    { "sat", "a" }, { "tutorial", "b", "tutorial quadtree" }, { "hash 1.25 wide", "both", "Chipmunk 7, hash" },
  },
  frame = {
    title = "Time of a frame in LÖVE: mixed shapes move, turn and are pushed apart",
    axis = "number of shapes; each box overlaps 2.5 others on average",
    where = { row = "frame" }, of = "contestant", time = "value", unit = 1e6, first = 100, factor = 10, ours = 2,
    { "sat one call", "a", "sat, all in one call" }, { "sat shape by shape", "bad", "sat, shape by shape" },
    { "love.physics", "way" }, { "love.physics + contacts", "ink", "love.physics, contacts read" }, { "HC", "b" },
    { "bump", "both", "bump, boxes only" },
  },
  scale = {
    title = "Time for each element, from a thousand elements to a million",
    axis = "number of elements",
    where = {}, of = "what", time = "ns", unit = 1, first = 1000, factor = 10, ours = 0,
    { "items of a quadtree", "a", "quadtree: put in, pair" }, { "shapes of a world", "b", "world: move, update" },
    { "vertices of a ring", "way", "ring: decompose" }, { "pieces of a compound", "both", "compound: make" },
    { "shapes of a save", "bad", "save" }, { "shapes of a load", "ink", "load" },
    { "shapes of a delta", "faint", "delta of 16 shapes" },
  },
}

-- ---------------------------------------------------------------- reading

local function decades(n) return math.log(n) / math.log(10) end

-- The points of each series, and the ranges of all. Fields hold no commas or quotes, which is all that is ever written.
local function read_points(path, plot)
  local series, columns = { n_min = math.huge, n_max = 0, low = math.huge, high = 0 }, nil
  for line in io.lines(path) do
    local fields, is_wanted = {}, columns ~= nil
    for field in (line .. ","):gmatch "([^,]*)," do
      fields[#fields + 1] = field
      if columns then fields[columns[#fields]] = field end
    end
    columns = columns or fields
    for name, value in pairs(plot.where) do is_wanted = is_wanted and fields[name] == value end
    if is_wanted then
      local name, n, ns = fields[plot.of], tonumber(fields.n), tonumber(fields[plot.time]) * plot.unit
      series[name] = series[name] or {}
      table.insert(series[name], { n = n, ns = ns })
      series.n_min, series.n_max = math.min(series.n_min, n), math.max(series.n_max, n)
      series.low, series.high = math.min(series.low, ns), math.max(series.high, ns)
    end
  end
  series.low, series.high = math.floor(decades(series.low)), math.ceil(decades(series.high))
  return series
end

local function time_text(ns)
  for _, unit in ipairs { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "µs" } } do
    if ns >= unit[1] * 0.999 then return ("%g %s"):format(ns / unit[1], unit[2]) end
  end
  return ("%g ns"):format(ns)
end

-- Thousands apart.
local function count_text(n) return (("%d"):format(n):reverse():gsub("(%d%d%d)", "%1 "):reverse():gsub("^ ", "")) end

-- ---------------------------------------------------------------- drawing

local function draw(series, plot)
  local sketch, right, floor = sketches.new(WIDTH, HEIGHT), WIDTH - RIGHT, HEIGHT - BOTTOM
  local range = decades(series.n_max / series.n_min)
  local function x_of(n) return LEFT + decades(n / series.n_min) / range * (right - LEFT) end
  local function y_of(ns) return floor - (decades(ns) - series.low) / (series.high - series.low) * (floor - TOP) end
  sketch:text(20, 34, plot.title)
  for power = series.low, series.high do
    sketch:line(LEFT, y_of(10 ^ power), right, y_of(10 ^ power), "grid")
    sketch:text(LEFT - 10, y_of(10 ^ power) + 5, time_text(10 ^ power), "ink", "end")
  end
  local n = plot.first
  while n <= series.n_max do
    sketch:line(x_of(n), TOP, x_of(n), floor, "grid")
    sketch:text(x_of(n), floor + 22, count_text(n), "ink", "middle")
    n = n * plot.factor
  end
  sketch:text((LEFT + right) / 2, HEIGHT - 18, plot.axis, "ink", "middle")
  -- At the end of each line its name; in the empty corner above those of lines that end among the others.
  local labels, early = {}, 0
  for i, one in ipairs(plot) do
    local points, path = series[one[1]] or {}, {}
    for _, point in ipairs(points) do
      path[#path + 1], path[#path + 2] = x_of(point.n), y_of(point.ns)
      sketch:dot(x_of(point.n), y_of(point.ns), one[2])
    end
    sketch:polyline(path, one[2], i <= plot.ours and 3.5 or 2)
    local last = points[#points]
    if last and last.n < series.n_max then
      early = early + 1
      sketch:dot(LEFT + 22, TOP + 22 * early, one[2])
      sketch:text(LEFT + 36, TOP + 22 * early + 5, (one[3] or one[1]) .. ", up to " .. count_text(last.n), one[2])
    elseif last then
      labels[#labels + 1] = { one = one, y = y_of(last.ns) + 5 }
    end
  end
  table.sort(labels, function(a, b) return a.y < b.y end)
  for i, label in ipairs(labels) do -- those that would run into each other are moved apart
    if i > 1 then label.y = math.max(label.y, labels[i - 1].y + 20) end
    sketch:text(right + 12, label.y, label.one[3] or label.one[1], label.one[2])
  end
  sketch:add "</svg>"
  return table.concat(sketch, "\n") .. "\n"
end

local function write(name, from, to)
  local plot = plots[name]
  local series = read_points(from, plot)
  if not series[plot[1][1]] then error(from .. " has no times of ours in it", 0) end
  local file = assert(io.open(to, "w"))
  file:write(draw(series, plot))
  file:close()
  print(("%s: %s"):format(plot.title, to))
end

if arg[1] then return write(arg[1], arg[2], arg[3]) end
local built = (os.getenv "BUILD" or "build") .. "/bench/"
for name in pairs(plots) do
  local times = built .. (name == "frame" and "frame-love" or name) .. ".csv"
  local file = io.open(times)
  if file and file:close() then write(name, times, built .. name .. ".svg") end
end
