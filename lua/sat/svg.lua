-- world:svg([mode or options]): the picture of world:draw as the text of an SVG file, on any Lua.

-- The length of the picture's longer side, and the width of its lines, in pixels.
local SIZE, STROKE = 1000, 1.5

-- Writes a number with a decimal point in every locale.
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

-- A circle takes two arcs, since an arc that ends where it begins is drawn as nothing.
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
local function write_round(style, vertices, count, radius)
  local steps, arc = {}, write_all("A%n %n 0 0 1 ", radius, radius)
  for i = 1, 2 * count, 2 do
    local x, y = vertices[i], vertices[i + 1]
    local next = i % (2 * count) + 2 > 2 * count and 1 or i + 2
    local toX, toY = vertices[next], vertices[next + 1]
    local length = style.length_of(toX - x, toY - y)
    if length > 0 then
      local outX, outY = (toY - y) / length * radius, (x - toX) / length * radius
      steps[#steps + 1] = write_all("%n %nL%n %n", x + outX, y + outY, toX + outX, toY + outY)
    end
  end
  return "M" .. table.concat(steps, arc) .. arc .. steps[1]:match("^[^L]+") .. "Z"
end

-- A point is a line without length, which round ends make visible.
local function write_piece(style, vertices, count, radius)
  if count == 1 and radius > 0 then return write_circle(vertices[1], vertices[2], radius) end
  if count == 1 then return write_ring({ vertices[1], vertices[2], vertices[1], vertices[2] }, 2) end
  if radius > 0 then return write_round(style, vertices, count, radius) end
  return write_ring(vertices, count)
end

-- ---------------------------------------------------------------- the picture

local function group(name, attributes, pieces)
  return ('<g class="%s" %s>\n%s</g>\n'):format(name, attributes, table.concat(pieces))
end

local function write_rectangle(x, y, w, h)
  return write_all('<rect x="%n" y="%n" width="%n" height="%n"/>\n', x, y, w, h)
end

-- The corner and the sides of a box around all shapes, the path of the last move, and all nodes if they are wanted,
-- with a margin.
local function view_of(world, shapes, with_nodes, way)
  local left, top, right, bottom = math.huge, math.huge, -math.huge, -math.huge
  local function widen(x, y, w, h)
    left, top, right, bottom = math.min(left, x), math.min(top, y), math.max(right, x + w), math.max(bottom, y + h)
  end
  for _, shape in ipairs(shapes) do widen(shape:bounds()) end
  if with_nodes then
    for x, y, w, h in world:nodes() do widen(x, y, w, h) end
  end
  for i = 1, #way, 2 do widen(way[i], way[i + 1], 0, 0) end
  if left > right then return 0, 0, 1, 1 end
  local side = math.max(right - left, bottom - top)
  local margin = side / 20 / SIZE > 0 and side / 20 or 1 -- a pixel is not 0 wide
  return left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin
end

-- Makes the method from sat.type, from piece_of, which reads the pieces of a shape, and from way_of, which reads the
-- path of a world's last move.
return function(style, arguments, type_of, piece_of, way_of)
  local function add_ring(paths, _, ring)
    paths[#paths + 1] = write_ring(ring, #ring / 2)
  end

  local function contour_of(shape, lists)
    local paths, vertices = {}, {}
    if shape:kind() == "polygon" and shape:radius() == 0 then
      local _, count = shape:vertices(vertices)
      style.each_ring(vertices, count, lists, add_ring, paths)
      return table.concat(paths)
    end
    local count, radius = piece_of(shape, 1, vertices)
    while count do
      paths[#paths + 1] = write_piece(style, vertices, count, radius)
      count, radius = piece_of(shape, #paths + 1, vertices)
    end
    return table.concat(paths)
  end

  local function write_shapes(shapes, mode, pixel)
    local paths, lists, dot = {}, style.ring_lists(), write_all(' stroke-width="%n"', style.DOT * pixel)
    for i, shape in ipairs(shapes) do
      local kind = style.kind_of(shape)
      local color = write_color(style.colors[kind])
      local area = mode == "fill" and ('fill="%s" '):format(color) or ""
      local width = shape:kind() == "point" and dot or ""
      local contour = contour_of(shape, lists)
      paths[i] = ('<path class="%s" %sstroke="%s"%s d="%s"/>\n'):format(kind, area, color, width, contour)
    end
    local inside = mode == "fill" and ('fill-opacity="%s"'):format(write(style.OPACITY)) or 'fill="none"'
    return group("shapes", inside .. ' stroke-linecap="round" stroke-linejoin="round"', paths)
  end

  local function write_rectangles(name, rectangles)
    return group(name, ('fill="none" stroke="%s"'):format(write_color(style.colors[name])), rectangles)
  end

  local function write_boxes(shapes)
    local boxes = {}
    for _, shape in ipairs(shapes) do
      if shape:isEnabled() then boxes[#boxes + 1] = write_rectangle(shape:bounds()) end
    end
    return write_rectangles("boxes", boxes)
  end

  local function write_nodes(world)
    local nodes = {}
    for x, y, w, h in world:nodes() do nodes[#nodes + 1] = write_rectangle(x, y, w, h) end
    return write_rectangles("nodes", nodes)
  end

  local function write_arrow(x, y, dx, dy, pixel)
    return write_all("M%n %nL%n %n", x, y, x + dx, y + dy)
      .. write_all("M%n %nL%n %nL%n %nZ", style.head_of(x, y, dx, dy, pixel))
  end

  -- The vector of two shapes that only touch is a dot at the place of contact.
  local function write_vector(pixel, x, y, dx, dy)
    if dx == 0 and dy == 0 then
      return write_all('<path stroke-width="%n" d="M%n %nL%n %n"/>\n', style.DOT * pixel, x, y, x, y)
    end
    return ('<path d="%s"/>\n'):format(write_arrow(x, y, dx, dy))
  end

  -- The arrows of one-way shapes, each in the color of its shape.
  local function write_one_ways(shapes, pixel)
    local arrows = {}
    for _, shape in ipairs(shapes) do
      local x, y, dx, dy = style.one_way_of(shape, pixel)
      local color = write_color(style.colors[style.kind_of(shape)])
      if x then
        arrows[#arrows + 1] = ('<path fill="%s" stroke="%s" d="%s"/>\n'):format(color, color,
          write_arrow(x, y, dx, dy, pixel))
      end
    end
    return arrows[1] and group("one-way", 'stroke-linecap="round"', arrows) or ""
  end

  -- The path of the last move, and the normal at each place of contact.
  local function write_hits(world, way, pixel)
    local paths = {}
    if way[1] then
      local dot = write_all('stroke-width="%n" d="M%n %nL%n %n"', style.DOT * pixel, way[1], way[2], way[1], way[2])
      paths = { ('<path fill="none" d="%s"/>\n<path %s/>\n'):format((write_ring(way, #way / 2):gsub("Z$", "")), dot) }
    end
    for _, nx, ny, _, x, y in world:hits() do
      paths[#paths + 1] = write_vector(pixel, x, y, 0, 0)
        .. ('<path d="%s"/>\n'):format(write_arrow(x, y, nx * style.ARROW * pixel, ny * style.ARROW * pixel, pixel))
    end
    local color = write_color(style.colors.hits)
    return group("hits", ('fill="%s" stroke="%s" stroke-linecap="round"'):format(color, color), paths)
  end

  local function write_vectors(world, pixel)
    local vectors = {}
    for a, b, dx, dy in world:collisions() do
      vectors[#vectors + 1] = write_vector(pixel, style.vector_of(a, b, dx, dy))
    end
    local color = write_color(style.colors.vectors)
    return group("vectors", ('fill="%s" stroke="%s" stroke-linecap="round"'):format(color, color), vectors)
  end

  return function(world, options)
    arguments.check_self("svg", "world", world, type_of(world) == "world", 1)
    local mode, with_shapes, with_boxes, with_nodes, with_vectors, with_hits =
      style.read_options(arguments, "svg", options)
    local shapes = world:shapes()
    local way = {}
    if with_hits then way_of(world, way) end
    local x, y, w, h = view_of(world, shapes, with_nodes, way)
    local pixel = math.max(w, h) / SIZE
    return table.concat {
      write_all('<svg xmlns="http://www.w3.org/2000/svg" width="%n" height="%n" ', w / pixel, h / pixel),
      write_all('viewBox="%n %n %n %n" stroke-width="%n">\n', x, y, w, h, STROKE * pixel),
      write_all('<rect class="ground" x="%n" y="%n" width="%n" height="%n" ', x, y, w, h),
      ('fill="%s"/>\n'):format(write_color(style.colors.ground)),
      with_nodes and write_nodes(world) or "",
      with_shapes and write_shapes(shapes, mode, pixel) or "",
      with_shapes and write_one_ways(shapes, pixel) or "",
      with_boxes and write_boxes(shapes) or "",
      with_vectors and write_vectors(world, pixel) or "",
      with_hits and write_hits(world, way, pixel) or "",
      "</svg>\n",
    }
  end
end
