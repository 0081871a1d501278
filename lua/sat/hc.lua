-- The API of HC (https://github.com/vrld/HC) on sat: a game changes its require to `HC = require "sat.hc"`. Shapes are
-- tables that take the game's own fields, as in HC. An index of boxes finds candidates, and sat says what collides.
-- docs/guides/hc.md lists the differences from HC's answers.

local folder = tostring((...)):match("^(.*)[./]hc$") or "sat"
local sat, arguments = require(folder .. ".whole"), require(folder .. ".arguments")

local floor, min, max, huge = math.floor, math.min, math.max, math.huge
local LIMIT = 1e15 -- of coordinates, as in sat

local HERE = select(2, pcall(function() error "" end)):match("^(.*:)%d+: $") -- how errors of this file begin

-- ---------------------------------------------------------------- shapes

local Shape = {}
Shape.__index = Shape

-- Makes a shape by a constructor of sat, whose errors are blamed on the line that has called the constructor here.
local function new_shape(make, ...)
  local is_made, made = pcall(make, ...)
  if not is_made then error(made, 3) end
  return setmetatable({ _shape = made, _rotation = 0 }, Shape)
end

function Shape:move(dx, dy)
  self._shape:move(dx, dy)
  return self
end

function Shape:moveTo(x, y)
  local centerX, centerY = self:center()
  return self:move(x - centerX, y - centerY)
end

function Shape:rotate(angle, x, y)
  if x and y then self._shape:rotate(angle, x, y) else self._shape:rotate(angle) end
  self._rotation = self._rotation + angle
  return self
end

function Shape:setRotation(angle, x, y) return self:rotate(angle - self._rotation, x, y) end

function Shape:rotation() return self._rotation end

function Shape:scale(factor)
  local is_good = type(factor) == "number" and factor > 0
  self._shape:scale(arguments.check(1, "scale", "the factor", "a number above 0", factor, is_good, 0))
  return self
end

function Shape:center() return self._shape:center() end

function Shape:outcircle() return self._shape:boundingCircle() end

function Shape:support(dx, dy) return self._shape:support(dx, dy) end

function Shape:contains(x, y) return self._shape:contains(x, y) end

function Shape:bbox()
  local x, y, w, h = self._shape:bounds()
  return x, y, x + w, y + h
end

-- The second argument is the number of segments of a circle, or whether the convex pieces of a concave polygon are
-- drawn, too.
function Shape:draw(mode, option)
  local shape = self._shape
  if shape:kind() == "circle" and option then
    local x, y, radius = self:outcircle()
    love.graphics.circle(mode or "line", x, y, radius, option)
    return
  end
  shape:draw(mode)
  if option and not shape:isConvex() then
    for _, piece in ipairs((shape:pieces())) do piece:draw "line" end
  end
end

-- Shapes that only touch do not collide, so that a loop that pushes a shape until it is free ends. A shape of the
-- game's own, which has no shape of sat, answers itself.
function Shape:collidesWith(other)
  if self == other then return false end
  if not other._shape then
    local collides, dx, dy = other:collidesWith(self)
    return collides, dx and -dx, dy and -dy
  end
  local dx, dy, depth = self._shape:collide(other._shape)
  if dx and depth > 0 then return true, dx, dy end
  return false
end

-- ---------------------------------------------------------------- rays

-- The parameters at which the line from x, y along dx, dy crosses a circle about 0, 0.
local function cross_circle(add, x, y, dx, dy, radius)
  local square, along = dx * dx + dy * dy, x * dx + y * dy
  local root = along * along - square * (x * x + y * y - radius * radius)
  if root < 0 or square == 0 then return end
  add((-along - math.sqrt(root)) / square)
  add((-along + math.sqrt(root)) / square)
end

-- Those at which the line crosses a ring of vertices: each vertex on the line counts once, and so does each edge whose
-- ends are on different sides.
local function cross_ring(add, points, x, y, dx, dy)
  local square, n = dx * dx + dy * dy, #points
  for i = 1, n, 2 do
    local j = i + 2 > n and 1 or i + 2
    local ax, ay, bx, by = points[i] - x, points[i + 1] - y, points[j] - x, points[j + 1] - y
    local side, next_side = dx * ay - dy * ax, dx * by - dy * bx
    if side == 0 then
      add((ax * dx + ay * dy) / square)
    elseif side < 0 and next_side > 0 or side > 0 and next_side < 0 then
      local share = side / (side - next_side)
      add(((ax + (bx - ax) * share) * dx + (ay + (by - ay) * share) * dy) / square)
    end
  end
end

-- Where the ray x + t dx, y + t dy crosses the outline: the list of all t of 0 and more.
function Shape:intersectionsWithRay(x, y, dx, dy)
  local list = {}
  local function add(t)
    if t >= 0 then list[#list + 1] = t end
  end
  if self._shape:kind() == "circle" then
    local centerX, centerY = self:center()
    cross_circle(add, x - centerX, y - centerY, dx, dy, self._shape:radius())
  else
    cross_ring(add, self._shape:vertices(), x, y, dx, dy)
  end
  return list
end

function Shape:intersectsRay(x, y, dx, dy)
  local least = huge
  for _, t in ipairs(self:intersectionsWithRay(x, y, dx, dy)) do least = min(least, t) end
  return least < huge, least
end

-- ---------------------------------------------------------------- the index of boxes

local Hash = {}
Hash.__index = Hash

local function new_hash(cell_size, depth)
  if cell_size == nil then cell_size = 100 end
  arguments.check(1, "new", "the cell size", "a number from 1e-15 to 1e15", cell_size,
    type(cell_size) == "number" and cell_size >= 1e-15 and cell_size <= 1e15, depth)
  return setmetatable({ cell_size = cell_size, tree = sat.quadtree(0, 0, 1024, 1024) }, Hash)
end

-- The objects whose boxes touch the box between two corners.
local function find(self, x1, y1, x2, y2)
  local x, y = min(x1, x2), min(y1, y2)
  return self.tree:retrieve(x, y, max(x1, x2) - x, max(y1, y2) - y)
end

function Hash:cellCoords(x, y) return floor(x / self.cell_size), floor(y / self.cell_size) end

-- The objects that have a cell in common with the box: those near the cells of the box, as far as their own cells are
-- among these.
function Hash:inSameCells(x1, y1, x2, y2)
  local set, size = {}, self.cell_size
  local left, top = self:cellCoords(min(x1, x2), min(y1, y2))
  local right, bottom = self:cellCoords(max(x1, x2), max(y1, y2))
  local near = find(self, max((left - 0.5) * size, -LIMIT), max((top - 0.5) * size, -LIMIT),
    min((right + 1.5) * size, LIMIT), min((bottom + 1.5) * size, LIMIT))
  for _, object in ipairs(near) do
    local x, y, w, h = self.tree:get(object)
    local from, above = self:cellCoords(x, y)
    local to, below = self:cellCoords(x + w, y + h)
    if from <= right and to >= left and above <= bottom and below >= top then set[object] = object end
  end
  return set
end

function Hash:cell(column, row)
  local x, y = (column + 0.5) * self.cell_size, (row + 0.5) * self.cell_size
  return self:inSameCells(x, y, x, y)
end

function Hash:cellAt(x, y) return self:inSameCells(x, y, x, y) end

function Hash:shapes()
  local set = {}
  for _, object in ipairs((self.tree:nearestAll(0, 0, self.tree:count()))) do set[object] = object end
  return set
end

-- An object that is registered again gets another box.
function Hash:register(object, x1, y1, x2, y2)
  local change = self.tree:has(object) and self.tree.update or self.tree.insert
  local is_done, problem = pcall(change, self.tree, object, x1, y1, x2 - x1, y2 - y1)
  if not is_done then error(problem, 2) end
end

function Hash:remove(object)
  if self.tree:has(object) then self.tree:remove(object) end
end

function Hash:update(object, _, _, _, _, x1, y1, x2, y2)
  if self.tree:has(object) then self.tree:update(object, x1, y1, x2 - x1, y2 - y1) end
end

-- The places where a segment crosses the outlines of shapes: a list of { shape, distance from x1, y1, x, y } in order.
function Hash:intersectionsWithSegment(x1, y1, x2, y2)
  local list, dx, dy = {}, x2 - x1, y2 - y1
  local length = math.sqrt(dx * dx + dy * dy)
  if length == 0 then return list end
  for _, shape in ipairs((find(self, x1, y1, x2, y2))) do
    for _, t in ipairs(shape:intersectionsWithRay(x1, y1, dx / length, dy / length)) do
      if t <= length then list[#list + 1] = { shape, t, x1 + t * dx / length, y1 + t * dy / length } end
    end
  end
  table.sort(list, function(a, b) return a[2] < b[2] end)
  return list
end

-- Draws the cells that have objects. There are no other cells here.
function Hash:draw(mode, _, print_key)
  local size, drawn = self.cell_size, {}
  for object in pairs(self:shapes()) do
    local x, y, w, h = self.tree:get(object)
    for column = floor(x / size), floor((x + w) / size) do
      for row = floor(y / size), floor((y + h) / size) do
        local key = ("%d:%d"):format(column, row)
        if not drawn[key] then love.graphics.rectangle(mode or "line", column * size, row * size, size, size) end
        if not drawn[key] and print_key then love.graphics.print(key, column * size + 3, row * size + 3) end
        drawn[key] = true
      end
    end
  end
end

-- ---------------------------------------------------------------- colliders

local Collider = {}
Collider.__index = Collider

function Collider:resetHash(cell_size)
  self._hash = new_hash(cell_size, 2)
  return self
end

function Collider:hash() return self._hash end

-- Makes the method that moves a registered shape also move the shape's box.
local function follow(collider, shape, name)
  local method = shape[name]
  return function(this, ...)
    local is_done, problem = pcall(method, this, ...)
    if not is_done then arguments.raise_again(problem, HERE, 1) end
    collider._hash:update(this, 0, 0, 0, 0, this:bbox())
    return this
  end
end

function Collider:register(shape)
  local move, rotate, scale = follow(self, shape, "move"), follow(self, shape, "rotate"), follow(self, shape, "scale")
  shape.move, shape.rotate, shape.scale = move, rotate, scale
  self._hash:register(shape, shape:bbox())
  return shape
end

local REMOVED = {}
for _, name in ipairs { "move", "rotate", "scale" } do
  REMOVED[name] = function() error(name .. "() called on a shape that has been removed from its collider", 2) end
end

function Collider:remove(shape)
  self._hash:remove(shape)
  for name, refuse in pairs(REMOVED) do shape[name] = refuse end
  return self
end

function Collider:polygon(...) return self:register(new_shape(sat.polygon, ...)) end

function Collider:rectangle(x, y, w, h)
  arguments.check_number(1, "rectangle", "x", x, nil, nil, 1)
  arguments.check_number(2, "rectangle", "y", y, nil, nil, 1)
  arguments.check_number(3, "rectangle", "w", w, nil, nil, 1)
  arguments.check_number(4, "rectangle", "h", h, nil, nil, 1)
  return self:register(new_shape(sat.polygon, x, y, x + w, y, x + w, y + h, x, y + h))
end

function Collider:circle(x, y, radius) return self:register(new_shape(sat.circle, x, y, radius)) end

function Collider:point(x, y) return self:register(new_shape(sat.point, x, y)) end

function Collider:neighbors(shape)
  local set = self._hash:inSameCells(shape:bbox())
  set[shape] = nil
  return set
end

-- A table of vectors as they are now: the game moves shapes in a loop over them.
function Collider:collisions(shape)
  local set = {}
  for _, other in ipairs((find(self._hash, shape:bbox()))) do
    if other ~= shape then
      local collides, dx, dy = shape:collidesWith(other)
      if collides then set[other] = { dx, dy, x = dx, y = dy } end
    end
  end
  return set
end

function Collider:shapesAt(x, y)
  local set = {}
  for _, shape in ipairs((find(self._hash, x, y, x, y))) do
    if shape.contains and shape:contains(x, y) then set[shape] = shape end
  end
  return set
end

function Collider:raycast(x, y, dx, dy, range)
  local set = {}
  for _, shape in ipairs((find(self._hash, x, y, x + dx * range, y + dy * range))) do
    local points, crossings = {}, shape.intersectionsWithRay and shape:intersectionsWithRay(x, y, dx, dy) or {}
    for _, t in ipairs(crossings) do
      if t <= range then points[#points + 1] = { x = x + t * dx, y = y + t * dy } end
    end
    if points[1] then set[shape] = points end
  end
  return set
end

-- ---------------------------------------------------------------- the module

local function new(cell_size) return setmetatable({ _hash = new_hash(cell_size, 2) }, Collider) end

-- The functions of the module are methods of one collider, and its shapes and hashes may be made without any.
local main, HC = new(), { new = new }
for name, method in pairs(Collider) do
  local function call(...)
    local result = method(main, ...) -- a tail call would hide from Lua 5.1 where an error is
    return result
  end
  HC[name] = name ~= "__index" and function(...)
    local is_done, result = pcall(call, ...)
    if not is_done then arguments.raise_again(result, HERE, 1) end
    return result
  end or nil
end

HC.shapes = {
  newPolygonShape = function(...) return (new_shape(sat.polygon, ...)) end,
  newCircleShape = function(...) return (new_shape(sat.circle, ...)) end,
  newPointShape = function(...) return (new_shape(sat.point, ...)) end,
}

function HC.spatialhash(cell_size) return (new_hash(cell_size, 2)) end

return setmetatable(HC, { __call = function(_, cell_size) return new(cell_size) end })
