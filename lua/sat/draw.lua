-- shape:draw([mode]) and world:draw([mode or options]) with love.graphics. They make no garbage after the first calls,
-- since they reuse their lists. A finalizer may draw during a drawing, so a function takes the list that it uses out of
-- its variable meanwhile.

local TURN = 2 * math.pi

-- The number of straight pieces for a whole turn around a corner, enough to look round on a screen.
local function pieces_of_turn(radius)
  return math.min(math.max(math.ceil(6 * math.sqrt(radius)), 12), 180)
end

-- Appends the arc about x, y from one direction to another, both ends included; returns the new length.
local function add_arc(contour, n, x, y, radius, from, to)
  local span = (to - from) % TURN
  if span > 0.75 * TURN then span = 0 end -- no convex corner: two edges almost in line, seen through rounding
  local steps = math.max(math.ceil(span / TURN * pieces_of_turn(radius)), 1)
  for i = 0, steps do
    local angle = from + span * i / steps
    contour[n + 1] = x + radius * math.cos(angle)
    contour[n + 2] = y + radius * math.sin(angle)
    n = n + 2
  end
  return n
end

-- The angle of the outward normal of the edge from one vertex to the next. Vertices are in the order of positive area.
local function outward(vertices, i, j)
  return (math.atan2 or math.atan)(vertices[i] - vertices[j], vertices[j + 1] - vertices[i + 1])
end

-- The outline of a rounded shape of two or more vertices: an arc at each, and the edges between.
local function round_contour(vertices, count, radius, contour)
  local n, old_length = 0, #contour
  for k = 0, count - 1 do
    local before, here, after = (k - 1) % count * 2 + 1, k * 2 + 1, (k + 1) % count * 2 + 1
    n = add_arc(contour, n, vertices[here], vertices[here + 1], radius,
      outward(vertices, before, here), outward(vertices, here, after))
  end
  for i = n + 1, old_length do contour[i] = nil end
  return contour
end

-- Returns love.graphics, or raises an error, in the name of the function that has called this one.
local function get_graphics()
  local love = rawget(_G, "love")
  local graphics = type(love) == "table" and love.graphics
  if graphics then return graphics end
  error("'draw' needs love.graphics, which only the main thread of LÖVE has", 3)
end

-- Makes the methods of shapes and worlds from sat.type, from piece_of, which reads the pieces of a shape, and from
-- way_of, which reads the path of a world's last move.
return function(style, arguments, type_of, piece_of, way_of)
  local colors = style.colors
  local spare_vertices, spare_contour, spare_shapes, spare_way = {}, {}, {}, {}
  local spare_lists = style.ring_lists()

  local function draw_piece(graphics, mode, vertices, count, radius)
    if count == 1 and radius == 0 then
      graphics.points(vertices[1], vertices[2])
    elseif count == 1 then
      graphics.circle(mode, vertices[1], vertices[2], radius)
    elseif count == 2 and radius == 0 then
      graphics.line(vertices[1], vertices[2], vertices[3], vertices[4])
    elseif radius > 0 then
      local contour = spare_contour or {}
      spare_contour = nil
      graphics.polygon(mode, round_contour(vertices, count, radius, contour))
      spare_contour = contour
    else
      graphics.polygon(mode, vertices)
    end
  end

  local function draw_ring(graphics, mode, ring)
    graphics.polygon(mode, ring)
  end

  -- A composite shape is drawn piece by piece, except the rings of a concave polygon without radius.
  local function is_drawn_whole(shape, mode)
    return mode == "line" and shape:kind() == "polygon" and shape:radius() == 0
  end

  local function draw_shape(graphics, shape, mode)
    local vertices = spare_vertices or {}
    spare_vertices = nil
    if is_drawn_whole(shape, mode) then
      local lists, _, count = spare_lists or style.ring_lists(), shape:vertices(vertices)
      spare_lists = nil
      style.each_ring(vertices, count, lists, draw_ring, graphics, mode)
      spare_lists = lists
    else
      local index, count, radius = 1, piece_of(shape, 1, vertices)
      while count do
        draw_piece(graphics, mode, vertices, count, radius)
        index = index + 1
        count, radius = piece_of(shape, index, vertices)
      end
    end
    spare_vertices = vertices
  end

  local function draw(shape, mode)
    arguments.check_self("draw", "shape", shape, type_of(shape) == "shape", 1)
    mode = style.check_mode(arguments, "draw", mode, 1)
    draw_shape(get_graphics(), shape, mode)
    return shape
  end

  -- ---------------------------------------------------------------- worlds

  local function set_color(graphics, name, opacity)
    local color = colors[name]
    graphics.setColor(color[1], color[2], color[3], opacity or 1)
  end

  local function draw_arrow(graphics, x, y, dx, dy)
    graphics.line(x, y, x + dx, y + dy)
    graphics.polygon("fill", style.head_of(x, y, dx, dy))
  end

  local function draw_one_way(graphics, shape)
    local x, y, dx, dy = style.one_way_of(shape, 1)
    if x then draw_arrow(graphics, x, y, dx, dy) end
  end

  local function draw_member(graphics, shape, mode, with_shape, with_box)
    local kind = style.kind_of(shape)
    if with_shape and mode == "fill" then
      set_color(graphics, kind, style.OPACITY)
      draw_shape(graphics, shape, "fill")
    end
    if with_shape then
      set_color(graphics, kind)
      draw_shape(graphics, shape, "line")
      draw_one_way(graphics, shape)
    end
    if with_box and kind ~= "disabled" then
      set_color(graphics, "boxes")
      graphics.rectangle("line", shape:bounds())
    end
  end

  -- Each shape leaves the list at once, so that the list keeps none alive.
  local function draw_members(graphics, world, mode, with_shapes, with_boxes)
    local shapes = spare_shapes or {}
    spare_shapes = nil
    local _, count = world:shapes(shapes)
    for i = 1, count do
      local shape = shapes[i]
      shapes[i] = nil
      draw_member(graphics, shape, mode, with_shapes, with_boxes)
    end
    spare_shapes = shapes
  end

  local function draw_nodes(graphics, world)
    set_color(graphics, "nodes")
    for x, y, w, h in world:nodes() do graphics.rectangle("line", x, y, w, h) end
  end

  local function draw_vectors(graphics, world)
    set_color(graphics, "vectors")
    for a, b, toX, toY, depth in world:collisions() do
      local x, y, dx, dy = style.vector_of(a, b, toX, toY)
      graphics.points(x, y)
      if depth > 0 then draw_arrow(graphics, x, y, dx, dy) end
    end
  end

  -- The path of the last move, and the normal at each place of contact.
  local function draw_hits(graphics, world)
    set_color(graphics, "hits")
    local way = spare_way or {}
    spare_way = nil
    for i = 1, 2 * way_of(world, way) - 2, 2 do graphics.line(way[i], way[i + 1], way[i + 2], way[i + 3]) end
    if way[1] then graphics.points(way[1], way[2]) end
    spare_way = way
    for _, nx, ny, _, x, y in world:hits() do
      graphics.points(x, y)
      draw_arrow(graphics, x, y, nx * style.ARROW, ny * style.ARROW)
    end
  end

  local function draw_all(graphics, world, mode, shapes, boxes, nodes, vectors, hits)
    graphics.setPointSize(style.DOT)
    if nodes then draw_nodes(graphics, world) end
    if shapes or boxes then draw_members(graphics, world, mode, shapes, boxes) end
    if vectors then draw_vectors(graphics, world) end
    if hits then draw_hits(graphics, world) end
  end

  -- The color and the size of points are as before, also after an error, such as one for want of memory.
  local function draw_world(world, options)
    arguments.check_self("draw", "world", world, type_of(world) == "world", 1)
    local mode, shapes, boxes, nodes, vectors, hits = style.read_options(arguments, "draw", options)
    local graphics = get_graphics()
    local r, g, b, a = graphics.getColor()
    local size = graphics.getPointSize()
    local is_drawn, problem = pcall(draw_all, graphics, world, mode, shapes, boxes, nodes, vectors, hits)
    graphics.setPointSize(size)
    graphics.setColor(r, g, b, a)
    if not is_drawn then error(problem, 0) end
    return world
  end

  return draw, draw_world
end
