-- shape:draw([mode]) with love.graphics. Makes no garbage once warm, but for the parts of what has several: the points
-- of an outline go into one table that is used again.

local TURN = 2 * math.pi

-- Straight pieces for a whole turn around a corner, by what still looks round on a screen.
local function pieces_of_turn(radius)
  return math.min(math.max(math.ceil(6 * math.sqrt(radius)), 12), 180)
end

-- Appends the arc about x, y from one direction to another, both ends included; returns the new length.
local function add_arc(outline, n, x, y, radius, from, to)
  local span = (to - from) % TURN
  if span > 0.75 * TURN then span = 0 end -- no convex corner: two edges almost in line, seen through rounding
  local steps = math.max(math.ceil(span / TURN * pieces_of_turn(radius)), 1)
  for i = 0, steps do
    local angle = from + span * i / steps
    outline[n + 1] = x + radius * math.cos(angle)
    outline[n + 2] = y + radius * math.sin(angle)
    n = n + 2
  end
  return n
end

-- The way out of the edge from one vertex to the next, as an angle. The order of vertices is that of positive area.
local function outward(vertices, i, j)
  return (math.atan2 or math.atan)(vertices[i] - vertices[j], vertices[j + 1] - vertices[i + 1])
end

-- The outline of a rounded shape of two or more vertices: an arc at each, and the edges between.
local function round_outline(vertices, count, radius, outline)
  local n, old_length = 0, #outline
  for k = 0, count - 1 do
    local before, here, after = (k - 1) % count * 2 + 1, k * 2 + 1, (k + 1) % count * 2 + 1
    n = add_arc(outline, n, vertices[here], vertices[here + 1], radius,
      outward(vertices, before, here), outward(vertices, here, after))
  end
  for i = n + 1, old_length do outline[i] = nil end
  return outline
end

local function describe(value)
  if value == nil then return "nil" end
  return type(value) == "string" and "'" .. value .. "'" or "a " .. type(value)
end

local function check_mode(mode)
  if mode == nil then return "line" end
  if mode == "line" or mode == "fill" then return mode end
  error("bad argument #1 to 'draw' (mode must be 'line' or 'fill', not " .. describe(mode) .. ")", 3)
end

local function get_graphics()
  local love = rawget(_G, "love")
  local graphics = type(love) == "table" and love.graphics
  if graphics then return graphics end
  error("'draw' needs love.graphics, which is not there: it is LÖVE's, and only in its main thread", 3)
end

-- Makes the method; type_of tells what is a shape.
return function(type_of)
  local vertices, outline = {}, {}

  local function draw_convex(graphics, shape, mode)
    local kind, radius = shape:kind(), shape:radius()
    local _, count = shape:vertices(vertices)
    if kind == "point" then
      graphics.points(vertices[1], vertices[2])
    elseif kind == "circle" then
      graphics.circle(mode, vertices[1], vertices[2], radius)
    elseif kind == "segment" then
      graphics.line(vertices[1], vertices[2], vertices[3], vertices[4])
    elseif radius > 0 then
      graphics.polygon(mode, round_outline(vertices, count, radius, outline))
    else
      graphics.polygon(mode, vertices)
    end
  end

  -- What has several parts is drawn part by part, but for the plain outline of a concave polygon.
  local function is_drawn_whole(shape, mode)
    local kind = shape:kind()
    if kind == "chain" or kind == "compound" then return false end
    return shape:isConvex() or (mode == "line" and shape:radius() == 0)
  end

  return function(shape, mode)
    if type_of(shape) ~= "shape" then
      error("calling 'draw' on bad self (it must be a shape, not " .. describe(shape) .. ")", 2)
    end
    mode = check_mode(mode)
    local graphics = get_graphics()
    if is_drawn_whole(shape, mode) then
      draw_convex(graphics, shape, mode)
    else
      for _, piece in ipairs(shape:pieces()) do draw_convex(graphics, piece, mode) end
    end
    return shape
  end
end
