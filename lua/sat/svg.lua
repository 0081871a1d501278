-- world:svg([mode or options]): what world:draw shows in LÖVE, as the text of an SVG file, on any Lua.

-- How long the picture's longer side is, in pixels.
local SIZE = 1000

-- With a point, whatever the host's locale puts there.
local function write(value)
  return ((("%.12g"):format(value + 0.0):gsub(",", ".")))
end

local function write_all(format, ...)
  local texts = { ... }
  for i, value in ipairs(texts) do texts[i] = write(value) end
  return (format:gsub("%%n", function() return table.remove(texts, 1) end))
end

local function write_color(color)
  return ("#%02x%02x%02x"):format(math.floor(255 * color[1] + 0.5), math.floor(255 * color[2] + 0.5),
    math.floor(255 * color[3] + 0.5))
end

-- ---------------------------------------------------------------- outlines

-- Turning about a single vertex takes two arcs.
local function write_circle(x, y, radius)
  return write_all("M%n %nA%n %n 0 0 1 %n %nA%n %n 0 0 1 %n %nZ", x - radius, y, radius, radius, x + radius, y,
    radius, radius, x - radius, y)
end

local function write_ring(vertices, count)
  local steps = {}
  for i = 1, 2 * count, 2 do steps[#steps + 1] = write_all("%n %n", vertices[i], vertices[i + 1]) end
  return "M" .. table.concat(steps, "L") .. (count > 2 and "Z" or "")
end

-- Each edge is moved out by the radius, and arcs about the vertices join them.
local function write_round(vertices, count, radius)
  local steps, arc = {}, write_all("A%n %n 0 0 1 ", radius, radius)
  for i = 1, 2 * count, 2 do
    local x, y = vertices[i], vertices[i + 1]
    local next = i % (2 * count) + 2 > 2 * count and 1 or i + 2
    local toX, toY = vertices[next], vertices[next + 1]
    local length = math.sqrt((toX - x) * (toX - x) + (toY - y) * (toY - y))
    local outX, outY = (toY - y) * radius / length, (x - toX) * radius / length
    if length > 0 then
      steps[#steps + 1] = write_all("%n %nL%n %n", x + outX, y + outY, toX + outX, toY + outY)
    end
  end
  return "M" .. table.concat(steps, arc) .. arc .. steps[1]:match("^[^L]+") .. "Z"
end

-- A point is a line without length, which round ends make visible.
local function write_part(vertices, count, radius)
  if count == 1 and radius > 0 then return write_circle(vertices[1], vertices[2], radius) end
  if count == 1 then return write_ring({ vertices[1], vertices[2], vertices[1], vertices[2] }, 2) end
  if radius > 0 then return write_round(vertices, count, radius) end
  return write_ring(vertices, count)
end

-- ---------------------------------------------------------------- what is in view

local function new_view() return { left = math.huge, top = math.huge, right = -math.huge, bottom = -math.huge } end

local function widen(view, x, y, w, h)
  view.left, view.top = math.min(view.left, x), math.min(view.top, y)
  view.right, view.bottom = math.max(view.right, x + w), math.max(view.bottom, y + h)
end

-- The corner and the sides of a box with some margin about all.
local function frame_of(view)
  if view.left > view.right then return 0, 0, 1, 1 end
  local w, h = view.right - view.left, view.bottom - view.top
  local margin = math.max(w, h) > 0 and math.max(w, h) / 20 or 1
  return view.left - margin, view.top - margin, w + 2 * margin, h + 2 * margin
end

-- ---------------------------------------------------------------- the parts of the picture

-- Makes the method; type_of tells what is a world, part_of reads the parts of a shape.
return function(look, type_of, part_of)
  local function outline_of(shape)
    if shape:kind() == "polygon" and shape:radius() == 0 then return write_ring(shape:vertices()) end
    local paths, vertices = {}, {}
    local count, radius = part_of(shape, 1, vertices)
    while count do
      paths[#paths + 1] = write_part(vertices, count, radius)
      count, radius = part_of(shape, #paths + 1, vertices)
    end
    return table.concat(paths)
  end

  local function group(name, attributes, parts)
    return ('<g class="%s" %s>\n%s</g>\n'):format(name, attributes, table.concat(parts))
  end

  local function add_shapes(parts, view, world, mode)
    local paths = {}
    for i, shape in ipairs((world:shapes())) do
      local kind = look.kind_of(shape)
      local color = write_color(look.colors[kind])
      local area = mode == "fill" and ('fill="%s" '):format(color) or ""
      paths[i] = ('<path class="%s" %sstroke="%s" d="%s"/>\n'):format(kind, area, color, outline_of(shape))
      widen(view, shape:bounds())
    end
    local inside = mode == "fill" and ('fill-opacity="%s"'):format(write(look.OPACITY)) or 'fill="none"'
    parts[#parts + 1] = group("shapes", inside .. ' stroke-linecap="round" stroke-linejoin="round"', paths)
  end

  local function write_rectangle(view, x, y, w, h)
    widen(view, x, y, w, h)
    return write_all('<rect x="%n" y="%n" width="%n" height="%n"/>\n', x, y, w, h)
  end

  local function add_rectangles(parts, name, rectangles)
    local color = write_color(look.colors[name])
    parts[#parts + 1] = group(name, ('fill="none" stroke="%s"'):format(color), rectangles)
  end

  local function add_boxes(parts, view, world)
    local boxes = {}
    for _, shape in ipairs((world:shapes())) do
      if shape:isEnabled() then boxes[#boxes + 1] = write_rectangle(view, shape:bounds()) end
    end
    add_rectangles(parts, "boxes", boxes)
  end

  local function add_nodes(parts, view, world)
    local nodes = {}
    for x, y, w, h in world:nodes() do nodes[#nodes + 1] = write_rectangle(view, x, y, w, h) end
    add_rectangles(parts, "nodes", nodes)
  end

  -- Of two that only touch, the place.
  local function write_vector(x, y, dx, dy)
    if dx == 0 and dy == 0 then return write_all('<path d="M%n %nL%n %n"/>\n', x, y, x, y) end
    return write_all('<path d="M%n %nL%n %n', x, y, x + dx, y + dy)
      .. write_all('M%n %nL%n %nL%n %nZ"/>\n', look.head_of(x, y, dx, dy))
  end

  local function add_vectors(parts, view, world)
    local vectors = {}
    for a, b, toX, toY in world:collisions() do
      local x, y, dx, dy = look.vector_of(a, b, toX, toY)
      vectors[#vectors + 1] = write_vector(x, y, dx, dy)
      widen(view, math.min(x, x + dx), math.min(y, y + dy), math.abs(dx), math.abs(dy))
    end
    local color = write_color(look.colors.vectors)
    parts[#parts + 1] = group("vectors", ('fill="%s" stroke="%s" stroke-linecap="round"'):format(color, color), vectors)
  end

  local function write_picture(view, parts)
    local x, y, w, h = frame_of(view)
    local scale = SIZE / math.max(w, h)
    local stroke = 1.5 / scale
    return table.concat {
      write_all('<svg xmlns="http://www.w3.org/2000/svg" width="%n" height="%n" ', w * scale, h * scale),
      write_all('viewBox="%n %n %n %n" stroke-width="%n">\n', x, y, w, h, stroke),
      write_all('<rect class="ground" x="%n" y="%n" width="%n" height="%n" ', x, y, w, h),
      ('fill="%s"/>\n'):format(write_color(look.colors.ground)),
      table.concat(parts),
      "</svg>\n",
    }
  end

  return function(world, options)
    if type_of(world) ~= "world" then
      error("calling 'svg' on bad self (it must be a world, not " .. look.describe(world) .. ")", 2)
    end
    local mode, shapes, boxes, nodes, vectors = look.read_options("svg", options)
    local parts, view = {}, new_view()
    if nodes then add_nodes(parts, view, world) end
    if shapes then add_shapes(parts, view, world, mode) end
    if boxes then add_boxes(parts, view, world) end
    if vectors then add_vectors(parts, view, world) end
    return write_picture(view, parts)
  end
end
