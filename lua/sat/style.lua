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

-- Whether the parts of a world are drawn unless the options say otherwise.
local SWITCHES = { shapes = true, boxes = false, nodes = false, vectors = true, hits = false }
local MODES = { line = { mode = "line" }, fill = { mode = "fill" } }
local OPTIONS = { mode = true, shapes = true, boxes = true, nodes = true, vectors = true, hits = true }

-- Checks a mode, "line" or "fill", with the functions of arguments.lua; `depth` is as there.
function style.check_mode(arguments, name, mode, depth)
  local is_mode = mode == nil or mode == "line" or mode == "fill"
  arguments.check(1, name, "mode", "'line' or 'fill'", mode, is_mode, depth + 1)
  return mode or "line"
end

local function read_switch(arguments, name, options, switch)
  local value = rawget(options, switch)
  arguments.check(1, name, switch, "a boolean", value, value == nil or type(value) == "boolean", 3)
  if value == nil then value = SWITCHES[switch] end
  return value
end

-- Reads the argument of a world's draw and svg, which is nothing, a mode or a table of options. Returns the mode, and
-- whether shapes, boxes, nodes, vectors and hits are wanted.
function style.read_options(arguments, name, options)
  options = MODES[options == nil and "line" or options] or options
  arguments.check(1, name, "options", "'line', 'fill' or a table", options, type(options) == "table", 2)
  arguments.check_names(1, name, options, OPTIONS, 2)
  local mode = style.check_mode(arguments, name, rawget(options, "mode"), 2)
  local shapes = read_switch(arguments, name, options, "shapes")
  local boxes = read_switch(arguments, name, options, "boxes")
  local nodes = read_switch(arguments, name, options, "nodes")
  local vectors = read_switch(arguments, name, options, "vectors")
  local hits = read_switch(arguments, name, options, "hits")
  return mode, shapes, boxes, nodes, vectors, hits
end

-- The arrow of a collision: it begins at the place of contact, and shows the way out of A, or of B where A is static.
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

-- The length of a vector whose squares may be too small or too large.
function style.length_of(dx, dy)
  local larger = math.max(math.abs(dx), math.abs(dy))
  return larger > 0 and larger * math.sqrt((dx / larger) ^ 2 + (dy / larger) ^ 2) or 0
end

-- The corners of an arrow's head, whose point is at x + dx, y + dy. It is 8 pixels long at most.
function style.head_of(x, y, dx, dy, pixel)
  local length = style.length_of(dx, dy)
  local size = math.min(length / 2, 8 * (pixel or 1)) / length
  local tipX, tipY, alongX, alongY = x + dx, y + dy, dx * size, dy * size
  return tipX, tipY, tipX - alongX - alongY / 2, tipY - alongY + alongX / 2,
    tipX - alongX + alongY / 2, tipY - alongY - alongX / 2
end

-- ---------------------------------------------------------------- rings

local function is_before(vertices, i, j)
  local x, toX = vertices[2 * i - 1], vertices[2 * j - 1]
  return x < toX or (x == toX and vertices[2 * i] < vertices[2 * j])
end

-- Sorts the numbers of vertices by their places. Returns the list of the two that has them, and the other one.
local function sort_places(vertices, count, order, spare)
  for i = 1, count do order[i] = i end
  local run = 1
  while run < count do
    for first = 1, count, 2 * run do
      local left, right, last = first, first + run, math.min(first + 2 * run, count + 1)
      local middle = math.min(right, last)
      for k = first, last - 1 do
        if right >= last or (left < middle and not is_before(vertices, order[right], order[left])) then
          spare[k], left = order[left], left + 1
        else
          spare[k], right = order[right], right + 1
        end
      end
    end
    order, spare, run = spare, order, 2 * run
  end
  return order, spare
end

-- The lists of style.each_ring.
function style.ring_lists()
  return { order = {}, heights = {}, same = {}, passes = {}, stack = {}, ring = {} }
end

-- Finds the first vertex in the same place as each, and of that one the number of vertices there.
local function find_places(lists, vertices, count)
  local order, heights = sort_places(vertices, count, lists.order, lists.heights)
  lists.order, lists.heights = order, heights
  local same, passes = lists.same, lists.passes
  for k = 1, count do
    local i, before = order[k], order[k - 1]
    local first = before and not is_before(vertices, before, i) and same[before] or i
    heights[k], passes[i] = 0, 0
    same[i], passes[first] = first, passes[first] + 1
  end
end

-- Whether a bridge ends at the second of three vertices, and the way over them goes back there, as far as one can see.
local function is_end(lists, vertices, i, j, k)
  if lists.passes[lists.same[j]] == 1 then return false end
  local x, y = vertices[2 * j - 1], vertices[2 * j]
  local ax, ay, bx, by = vertices[2 * i - 1] - x, vertices[2 * i] - y, vertices[2 * k - 1] - x, vertices[2 * k] - y
  return ax * bx + ay * by > 1e6 * math.abs(ax * by - ay * bx)
end

-- Takes the vertices from a height on from the stack. Returns a ring of them, or nil if they are a bridge.
local function take_ring(lists, vertices, from, top)
  local stack, ring, same, first = lists.stack, lists.ring, lists.same, from
  for k = from, top do lists.heights[same[stack[k]]] = 0 end
  if top > from and is_end(lists, vertices, stack[top], stack[from], stack[from + 1]) then first = from + 1 end
  if top - first < 2 then return nil end
  for k = first, top do
    local i, n = stack[k], 2 * (k - first)
    ring[n + 1], ring[n + 2] = vertices[2 * i - 1], vertices[2 * i]
  end
  for n = #ring, 2 * (top - first + 1) + 1, -1 do ring[n] = nil end
  return ring
end

-- Calls use(context, mode, ring) for each ring of a polygon, in whose vertices bridges lead between rings. What lies
-- between two passes of a place is a ring of its own, and of a bridge, there and back, nothing is left. Where a bridge
-- is in line with another one or with an edge, one of its ways has no vertex between the two, so that its end is taken
-- from the ring by itself.
function style.each_ring(vertices, count, lists, use, context, mode)
  find_places(lists, vertices, count)
  local same, heights, stack, top = lists.same, lists.heights, lists.stack, 0
  for i = 1, count + 1 do
    local next = i <= count and i or stack[1]
    while top > 1 and is_end(lists, vertices, stack[top - 1], stack[top], next) do
      heights[same[stack[top]]], top = 0, top - 1
    end
    local height = i > count and 1 or heights[same[i]]
    if height > 0 then
      local ring = take_ring(lists, vertices, height, top)
      if ring then use(context, mode, ring) end
      top = height - 1
    end
    if i > count then return end
    top = top + 1
    stack[top], heights[same[i]] = i, top
  end
end

return style
