-- The API of bump.lua 3.1.7 on a world of sat: a game changes its require to `bump = require "sat.bump"` and nothing
-- else. Items may also have any shape of sat instead of a box: world:add(item, shape).
--
-- world:move of sat does bump's four responses, in one call, so that items do not catch on seams between boxes that
-- abut. Responses that a game adds (world:addResponse) follow bump's protocol: project, respond, project again.
-- docs/guides/bump.md lists the differences from bump's answers.

local name = ...
local sat = require((type(name) == "string" and name:match("^(.+)[./]bump$") or "sat") .. ".whole")

local abs, floor, ceil, min, max, huge = math.abs, math.floor, math.ceil, math.min, math.max, math.huge

-- An overlap of boxes up to this counts as touching, as in bump.
local MARGIN = 1e-10
local LIMIT = 1e15 -- of coordinates, as in sat
local ALL = 2 ^ 32 - 1 -- the mask of a filter that leaves nothing out

-- The error names the line that has called the public function.
local function check_number(method, value, argument, is_length)
  if type(value) ~= "number" or value ~= value then
    error(("bad argument to '%s' (%s must be a number, not %s)"):format(method, argument, tostring(value)), 4)
  end
  if is_length and value <= 0 then
    error(("bad argument to '%s' (%s must be positive, not %s)"):format(method, argument, tostring(value)), 4)
  end
  if abs(value) > LIMIT then
    error(("bad argument to '%s' (%s must be from -1e15 to 1e15, not %s)"):format(method, argument, tostring(value)), 4)
  end
end

-- Most rectangles need no more than one comparison of each number.
local function check_rect(method, x, y, w, h)
  if type(x) == "number" and type(y) == "number" and type(w) == "number" and type(h) == "number"
    and x >= -LIMIT and y >= -LIMIT and w > 0 and h > 0 and w <= LIMIT and h <= LIMIT
    and x + w <= LIMIT and y + h <= LIMIT then return end
  check_number(method, x, "x")
  check_number(method, y, "y")
  check_number(method, w, "w", true)
  check_number(method, h, "h", true)
  check_number(method, x + w, "x + w")
  check_number(method, y + h, "y + h")
end

-- Numbers of cells stay numbers: smaller cells would have infinite ones.
local function check_cell_size(size)
  check_number("newWorld", size, "cellSize", true)
  if size >= 1 / LIMIT then return end
  error(("bad argument to 'newWorld' (cellSize must be from 1e-15 to 1e15, not %s)"):format(tostring(size)), 3)
end

-- ---------------------------------------------------------------- boxes: bump.rect

local rect = {}

local function sign(value) return value > 0 and 1 or value < 0 and -1 or 0 end

local function nearer(value, a, b) return abs(a - value) < abs(b - value) and a or b end

function rect.getNearestCorner(x, y, w, h, px, py) return nearer(px, x, x + w), nearer(py, y, y + h) end

-- The Minkowski difference of two boxes: a box that holds the origin if and only if they overlap.
function rect.getDiff(x1, y1, w1, h1, x2, y2, w2, h2) return x2 - x1 - w1, y2 - y1 - h1, w1 + w2, h1 + h2 end

function rect.containsPoint(x, y, w, h, px, py)
  return min(px - x, py - y, x + w - px, y + h - py) > MARGIN
end

function rect.isIntersecting(x1, y1, w1, h1, x2, y2, w2, h2)
  return max(x1, x2) < min(x1 + w1, x2 + w2) and max(y1, y2) < min(y1 + h1, y2 + h2)
end

function rect.getSquareDistance(x1, y1, w1, h1, x2, y2, w2, h2)
  local dx, dy = x1 + w1 / 2 - (x2 + w2 / 2), y1 + h1 / 2 - (y2 + h2 / 2)
  return dx * dx + dy * dy
end

-- The interval of a line's parameter between two parallel sides, and the sign of the normal at the entry.
local function clip_slab(low, high, from, delta)
  if delta == 0 then
    if from <= low or from >= high then return nil end
    return -huge, huge, 0
  end
  local enter, leave = (low - from) / delta, (high - from) / delta
  if delta < 0 then return leave, enter, 1 end
  return enter, leave, -1
end

-- Liang and Barsky's clipping of the segment from 1 to 2 within ti1..ti2: entry and exit with their normals, or nil.
function rect.getSegmentIntersectionIndices(x, y, w, h, x1, y1, x2, y2, ti1, ti2)
  ti1, ti2 = ti1 or 0, ti2 or 1
  local enterX, leaveX, nx = clip_slab(x, x + w, x1, x2 - x1)
  local enterY, leaveY, ny = clip_slab(y, y + h, y1, y2 - y1)
  if not (enterX and enterY) then return nil end
  local nx1, ny1, nx2, ny2 = 0, 0, 0, 0
  if enterX > ti1 then ti1, nx1 = enterX, nx end
  if enterY > ti1 then ti1, nx1, ny1 = enterY, 0, ny end
  if leaveX < ti2 then ti2, nx2 = leaveX, -nx end
  if leaveY < ti2 then ti2, nx2, ny2 = leaveY, 0, -ny end
  if ti1 > ti2 then return nil end
  return ti1, ti2, nx1, ny1, nx2, ny2
end

-- The fields that tell where and how come later: LuaJIT compiles no code that holds all of their values at once.
local function new_collision(overlaps, ti, nx, ny, dx, dy)
  return { overlaps = overlaps, ti = ti, normal = { x = nx, y = ny }, move = { x = dx, y = dy } }
end

local function place_collision(col, touchX, touchY, x1, y1, w1, h1, other)
  col.touch = { x = touchX, y = touchY }
  col.itemRect = { x = x1, y = y1, w = w1, h = h1 }
  col.otherRect = { x = other.x, y = other.y, w = other.w, h = other.h }
  return col
end

-- The collision of box 1, which moves by dx, dy, with another one: whether they overlap, ti, the normal, and the way to
-- the touch; or nil.
local function detect_boxes(x1, y1, w1, h1, x2, y2, w2, h2, dx, dy)
  local x, y, w, h = x2 - x1 - w1, y2 - y1 - h1, w1 + w2, h1 + h2
  if not rect.containsPoint(x, y, w, h, 0, 0) then
    local enter, leave, nx, ny = rect.getSegmentIntersectionIndices(x, y, w, h, 0, 0, dx, dy, -huge, huge)
    if not enter or enter >= 1 or enter <= -MARGIN or leave - enter < MARGIN then return nil end
    return false, enter, nx, ny, dx * enter, dy * enter
  end
  local cornerX, cornerY = rect.getNearestCorner(x, y, w, h, 0, 0)
  local ti = -min(w1, abs(cornerX)) * min(h1, abs(cornerY)) -- minus the area of the overlap
  if dx == 0 and dy == 0 then
    if abs(cornerX) < abs(cornerY) then cornerY = 0 else cornerX = 0 end
    return true, ti, sign(cornerX), sign(cornerY), cornerX, cornerY
  end
  local enter, _, nx, ny = rect.getSegmentIntersectionIndices(x, y, w, h, 0, 0, dx, dy, -huge, 1)
  if not enter then return nil end
  return true, ti, nx, ny, dx * enter, dy * enter
end

local function collide_boxes(x1, y1, w1, h1, other, dx, dy)
  local overlaps, ti, nx, ny, wayX, wayY = detect_boxes(x1, y1, w1, h1, other.x, other.y, other.w, other.h, dx, dy)
  if overlaps == nil then return nil end
  return place_collision(new_collision(overlaps, ti, nx, ny, dx, dy), x1 + wayX, y1 + wayY, x1, y1, w1, h1, other)
end

-- The collision of box 1, which moves to the goal, with box 2, or nil.
function rect.detectCollision(x1, y1, w1, h1, x2, y2, w2, h2, goalX, goalY)
  return collide_boxes(x1, y1, w1, h1, { x = x2, y = y2, w = w2, h = h2 }, (goalX or x1) - x1, (goalY or y1) - y1)
end

-- ---------------------------------------------------------------- collisions of any shapes

-- An item's record: the item, its shape, its box, the centroid relative to the box's corner, and whether the shape is
-- the box. A shape that the game added to world.sat by itself is its own item.
local function new_entry(item, shape, x, y, w, h, is_box)
  local centerX, centerY = shape:center()
  return {
    item = item, shape = shape, x = x, y = y, w = w, h = h, is_box = is_box,
    centerX = centerX - x, centerY = centerY - y,
  }
end

local function entry_of(self, shape)
  local entry = self.by_shape[shape]
  if entry then return entry end
  entry = self.foreign[shape] or new_entry(shape, shape, 0, 0, 0, 0)
  self.foreign[shape] = entry
  entry.x, entry.y, entry.w, entry.h = shape:bounds()
  return entry
end

-- The collision of a shape whose box is x, y, w, h, on its way to the goal, with another item, or nil. An overlap is
-- resolved by the shortest way out.
local function detect(shape, is_box, x, y, w, h, other, goalX, goalY)
  local ox, oy, ow, oh = other.x, other.y, other.w, other.h
  local dx, dy = goalX - x, goalY - y
  if is_box and other.is_box then return collide_boxes(x, y, w, h, other, dx, dy) end
  local outX, outY, depth = sat.collide(shape, other.shape)
  if depth and depth > MARGIN then
    local area = max(min(x + w, ox + ow) - max(x, ox), 0) * max(min(y + h, oy + oh) - max(y, oy), 0)
    local col = new_collision(true, -area, outX / depth, outY / depth, dx, dy)
    return place_collision(col, x + outX, y + outY, x, y, w, h, other)
  end
  local t, nx, ny = sat.cast(shape, dx, dy, other.shape)
  if not t or t >= 1 then return nil end
  return place_collision(new_collision(false, t, nx, ny, dx, dy), x + dx * t, y + dy * t, x, y, w, h, other)
end

local function square_distance(a, b) return rect.getSquareDistance(a.x, a.y, a.w, a.h, b.x, b.y, b.w, b.h) end

local function is_earlier(a, b)
  if a.ti ~= b.ti then return a.ti < b.ti end
  return square_distance(a.itemRect, a.otherRect) < square_distance(b.itemRect, b.otherRect)
end

-- ---------------------------------------------------------------- responses

local responses = {}

-- Removes (factor 1) or mirrors (factor 2) the part of a motion along the normal. A normal along an axis leaves the
-- other coordinate as it is, bit for bit.
local function deflect(x, y, nx, ny, factor)
  if nx == 0 then return x, y - factor * y end
  if ny == 0 then return x - factor * x, y end
  local along = factor * (x * nx + y * ny)
  return x - along * nx, y - along * ny
end

local function deflect_goal(col, goalX, goalY, factor)
  local touch, normal = col.touch, col.normal
  if col.move.x == 0 and col.move.y == 0 then return { x = touch.x, y = touch.y } end
  local dx, dy = deflect(goalX - touch.x, goalY - touch.y, normal.x, normal.y, factor)
  return { x = normal.x == 0 and goalX or touch.x + dx, y = normal.x ~= 0 and normal.y == 0 and goalY or touch.y + dy }
end

function responses.touch(_, col) return col.touch.x, col.touch.y, {}, 0 end

function responses.cross(world, col, x, y, w, h, goalX, goalY, filter)
  return goalX, goalY, world:project(col.item, x, y, w, h, goalX, goalY, filter)
end

local function go_on(world, col, goal, w, h, filter)
  return goal.x, goal.y, world:project(col.item, col.touch.x, col.touch.y, w, h, goal.x, goal.y, filter)
end

function responses.slide(world, col, x, y, w, h, goalX, goalY, filter)
  col.slide = deflect_goal(col, goalX or x, goalY or y, 1)
  return go_on(world, col, col.slide, w, h, filter)
end

function responses.bounce(world, col, x, y, w, h, goalX, goalY, filter)
  col.bounce = deflect_goal(col, goalX or x, goalY or y, 2)
  return go_on(world, col, col.bounce, w, h, filter)
end

local function slide_always() return "slide" end

-- ---------------------------------------------------------------- items

local World = {}
World.__index = World

local function refuse(method, item)
  error(("bad argument #1 to '%s' (%s is not in the world: add it first)"):format(method, tostring(item)), 3)
end

-- A change of items is made whole or not at all, although an error, or a finalizer that changes the items itself, may
-- come wherever memory is taken: so each change is decided by what the world of sat has when nothing more can come.

local function check_new(self, item)
  if self.entries[item] == nil then return end
  error(("bad argument #1 to 'add' (%s is in the world already)"):format(tostring(item)), 3)
end

-- A finalizer in the middle may remove the item, or give it another shape.
local function link(self, entry)
  local shape = entry.shape
  self.cells, self.items = nil, nil
  self.entries[entry.item], self.by_shape[shape] = entry, entry
  self.sat:add(shape)
  if self.by_shape[shape] ~= entry then self.sat:remove(shape) end
end

-- The game may have removed the shape from the world of sat already, and a finalizer may give the item another one.
local function unlink(self, entry)
  self.cells, self.items = nil, nil
  while self.sat:has(entry.shape) do self.sat:remove(entry.shape) end
  if self.entries[entry.item] == entry then self.entries[entry.item] = nil end
  self.by_shape[entry.shape] = nil
end

function World:add(item, x, y, w, h)
  if item == nil or item ~= item then error(("bad argument #1 to 'add' (item is %s)"):format(tostring(item)), 2) end
  local is_box, shape = type(x) ~= "userdata" or sat.type(x) ~= "shape", x
  if is_box then
    check_rect("add", x, y, w, h)
    shape = sat.rectangle(x, y, w, h)
  else
    x, y, w, h = shape:bounds()
  end
  local entry = new_entry(item, shape, x, y, w, h, is_box)
  check_new(self, item)
  if not is_box and shape:world() then error("bad argument #2 to 'add' (the shape is in a world already)", 2) end
  local is_done, problem = pcall(link, self, entry)
  if is_done then return item end
  if (self.by_shape[shape] or entry) == entry then unlink(self, entry) end
  error(problem, 0)
end

function World:remove(item) unlink(self, self.entries[item] or refuse("remove", item)) end

-- Gives a new box what the game may have set on an old one. Most boxes are as they were made.
local function copy_settings(new, old)
  local category, mask, group = old:filter()
  if category ~= 1 or mask ~= ALL or group ~= 0 then new:setFilter(category, mask, group) end
  if old:isSensor() then new:setSensor(true) end
  if old:isStatic() then new:setStatic(true) end
  if not old:isEnabled() then new:setEnabled(false) end
  new:setMass(old:mass())
  local data = old:data()
  if data ~= nil then new:setData(data) end
  if old:oneWay() then new:setOneWay(old:oneWay()) end
end

local function swap(self, entry, old, new)
  self.by_shape[new] = entry
  self.sat:add(new)
  if entry.shape == old and self.sat:has(old) then self.sat:remove(old) end
end

-- Replaces the shape of a box by another box. Another change of the item by a finalizer is the later one, and stays.
local function replace_box(self, entry, x, y, w, h)
  self.cells = nil
  local new, old = sat.rectangle(x, y, w, h), entry.shape
  copy_settings(new, old)
  local is_done, problem = pcall(swap, self, entry, old, new)
  local is_same = self.entries[entry.item] == entry and entry.shape == old
  if is_same and self.sat:has(new) and not self.sat:has(old) then
    self.by_shape[old] = nil
    entry.shape, entry.x, entry.y, entry.w, entry.h, entry.centerX, entry.centerY = new, x, y, w, h, w / 2, h / 2
  else
    self.by_shape[new] = nil
    if self.sat:has(new) then self.sat:remove(new) end
  end
  if not is_done then error(problem, 0) end
end

local function place(self, entry, x, y)
  local shape = entry.shape
  self.cells = nil
  shape:moveTo(x + entry.centerX, y + entry.centerY)
  if entry.shape == shape then entry.x, entry.y = x, y end -- a finalizer may have made the box another
end

function World:update(item, x, y, w, h)
  local entry = self.entries[item] or refuse("update", item)
  w, h = w or entry.w, h or entry.h
  check_rect("update", x, y, w, h)
  if w ~= entry.w or h ~= entry.h then
    if not entry.is_box then error("bad argument #4 to 'update' (only boxes change their size: scale the shape)", 2) end
    replace_box(self, entry, x, y, w, h)
  elseif x ~= entry.x or y ~= entry.y then
    place(self, entry, x, y)
  end
end

function World:hasItem(item) return self.entries[item] ~= nil end

function World:countItems()
  local count = 0
  for _ in pairs(self.entries) do count = count + 1 end
  return count
end

-- Fills the list of all items, which is kept until an item is added or removed, unless the game has added shapes to
-- the world of sat by itself. A finalizer that changes the items meanwhile leaves no list kept.
local function list_items(self)
  local list, is_own = {}, true
  self.items = list
  local shapes, count = self.sat:shapes()
  for i = 1, count do
    is_own = is_own and self.by_shape[shapes[i]] ~= nil
    list[i] = entry_of(self, shapes[i]).item
  end
  if not is_own and self.items == list then self.items = nil end
  return list
end

-- The items are in the order of adding, except that a new item takes the place of a removed one.
function World:getItems()
  local kept, items = self.items, {}
  if not kept or #kept ~= self.sat:count() then kept = list_items(self) end
  local count = #kept
  for i = 1, count do items[i] = kept[i] end
  return items, count
end

function World:getRect(item)
  local entry = self.entries[item] or refuse("getRect", item)
  return entry.x, entry.y, entry.w, entry.h
end

-- The shape of an item, for filters, sensors and one-way boxes.
function World:getShape(item) return (self.entries[item] or refuse("getShape", item)).shape end

-- ---------------------------------------------------------------- cells, which exist as numbers only

function World:toWorld(column, row) return (column - 1) * self.cellSize, (row - 1) * self.cellSize end

function World:toCell(x, y) return floor(x / self.cellSize) + 1, floor(y / self.cellSize) + 1 end

-- The ends of the rows that any box covers, in order, each once, and the place of each end in that list.
local function list_ends(ranges)
  local ends, places, count = {}, {}, 0
  for _, range in ipairs(ranges) do ends[#ends + 1], ends[#ends + 2] = range.top, range.bottom end
  table.sort(ends)
  for _, row in ipairs(ends) do
    if not places[row] then count, ends[count + 1], places[row] = count + 1, row, count + 1 end
  end
  return ends, places, count
end

-- A function that adds `by` boxes to the rows from one end to another, and returns how many rows boxes cover then; by a
-- segment tree (Bentley, 1977).
local function row_counter(ends, count)
  local boxes, covered = {}, {}
  local function add(node, low, high, first, last, by)
    if first <= low and high <= last then
      boxes[node] = (boxes[node] or 0) + by
    else
      local middle = floor((low + high) / 2)
      if first < middle then add(2 * node, low, middle, first, last, by) end
      if middle < last then add(2 * node + 1, middle, high, first, last, by) end
    end
    local is_full = (boxes[node] or 0) > 0
    covered[node] = is_full and ends[high] - ends[low] or (covered[2 * node] or 0) + (covered[2 * node + 1] or 0)
  end
  return function(first, last, by)
    if first < last then add(1, 1, count, first, last, by) end
    return covered[1] or 0
  end
end

-- The number of cells of a grid that the boxes of all items cover, by a sweep over the columns. Kept until one changes.
function World:countCells()
  if self.cells then return self.cells end
  local ranges, sides, size = {}, {}, self.cellSize
  for _, entry in pairs(self.entries) do
    local top, bottom = floor(entry.y / size), ceil((entry.y + entry.h) / size)
    local range = { top = top, bottom = bottom }
    ranges[#ranges + 1] = range
    sides[#sides + 1] = { range = range, column = floor(entry.x / size), by = 1 }
    sides[#sides + 1] = { range = range, column = ceil((entry.x + entry.w) / size), by = -1 }
  end
  table.sort(sides, function(a, b) return a.column < b.column end)
  local ends, places, count = list_ends(ranges)
  local cover, cells, rows, column = row_counter(ends, count), 0, 0, 0
  for _, side in ipairs(sides) do
    if rows > 0 then cells = cells + rows * (side.column - column) end
    rows, column = cover(places[side.range.top], places[side.range.bottom], side.by), side.column
  end
  self.cells = cells
  return cells
end

-- ---------------------------------------------------------------- queries

-- No function is made in a query, and no shape for boxes alone: LuaJIT compiles them with the loop around them. The
-- list of the shapes found becomes the list of the items.

function World:queryPoint(x, y, filter)
  local items, found = self.sat:at(x, y)
  local count = 0
  for i = 1, found do
    local entry = entry_of(self, items[i])
    local is_hit = not entry.is_box or rect.containsPoint(entry.x, entry.y, entry.w, entry.h, x, y)
    if is_hit and (not filter or filter(entry.item)) then count, items[count + 1] = count + 1, entry.item end
  end
  for i = count + 1, found do items[i] = nil end
  return items, count
end

local function overlaps_box(shape, x, y, w, h)
  local _, _, depth = sat.collide(sat.rectangle(x, y, w, h), shape)
  return depth ~= nil and depth > 0
end

function World:queryRect(x, y, w, h, filter)
  check_rect("queryRect", x, y, w, h)
  local items, found = self.sat:query(x, y, w, h)
  local count = 0
  for i = 1, found do
    local entry = entry_of(self, items[i])
    local is_hit
    if entry.is_box then is_hit = rect.isIntersecting(x, y, w, h, entry.x, entry.y, entry.w, entry.h)
    else is_hit = overlaps_box(entry.shape, x, y, w, h) end
    if is_hit and (not filter or filter(entry.item)) then count, items[count + 1] = count + 1, entry.item end
  end
  for i = count + 1, found do items[i] = nil end
  return items, count
end

-- The parameters at which a segment enters and leaves an item, and the one by which items are sorted; nil for a segment
-- that only touches the item.
local function segment_through(entry, x1, y1, x2, y2)
  if not entry.is_box then
    local enter, back = sat.raycast(entry.shape, x1, y1, x2, y2), sat.raycast(entry.shape, x2, y2, x1, y1)
    if not (enter or back) then return nil end
    enter, back = enter or 0, back or 0
    return enter, 1 - back, enter
  end
  local x, y, w, h = entry.x, entry.y, entry.w, entry.h
  local ti1, ti2 = rect.getSegmentIntersectionIndices(x, y, w, h, x1, y1, x2, y2, 0, 1)
  if not ti1 or not (0 < ti1 and ti1 < 1 or 0 < ti2 and ti2 < 1) then return nil end
  return ti1, ti2, (rect.getSegmentIntersectionIndices(x, y, w, h, x1, y1, x2, y2, -huge, huge))
end

function World:querySegmentWithCoords(x1, y1, x2, y2, filter)
  local list, order = {}, {}
  for _, shape in ipairs((self.sat:query(sat.segment(x1, y1, x2, y2)))) do
    local entry = entry_of(self, shape)
    local ti1, ti2, weight = segment_through(entry, x1, y1, x2, y2)
    if ti1 and (not filter or filter(entry.item)) then
      local info = { item = entry.item, ti1 = ti1, ti2 = ti2 }
      info.x1, info.y1 = x1 + (x2 - x1) * ti1, y1 + (y2 - y1) * ti1
      info.x2, info.y2 = x1 + (x2 - x1) * ti2, y1 + (y2 - y1) * ti2
      list[#list + 1], order[info] = info, weight
    end
  end
  table.sort(list, function(a, b) return order[a] < order[b] end)
  return list, #list
end

function World:querySegment(x1, y1, x2, y2, filter)
  local list, count = self:querySegmentWithCoords(x1, y1, x2, y2, filter)
  for i = 1, count do list[i] = list[i].item end
  return list, count
end

-- ---------------------------------------------------------------- straight moves, and responses that a game adds

function World:addResponse(response_name, response) self.responses[response_name] = response end

-- The shape of an item that stands elsewhere: the item's own if it is in the world, else a box.
local function probe_at(entry, x, y, w, h)
  if not entry or entry.is_box then return sat.rectangle(x, y, w, h) end
  return entry.shape:clone():moveTo(x + entry.centerX, y + entry.centerY)
end

function World:project(item, x, y, w, h, goalX, goalY, filter)
  check_rect("project", x, y, w, h)
  goalX, goalY, filter = goalX or x, goalY or y, filter or slide_always
  local entry, probe = self.entries[item], nil
  local is_box = not entry or entry.is_box
  local left, top, who = min(x, goalX), min(y, goalY), entry and entry.shape
  local shapes, found = self.sat:query(left, top, max(x, goalX) + w - left, max(y, goalY) + h - top, nil, who)
  local cols, count = {}, 0
  for i = 1, found do
    local other = entry_of(self, shapes[i])
    local response = filter(item, other.item)
    if response then
      if not (is_box and other.is_box) then probe = probe or probe_at(entry, x, y, w, h) end
      local col = detect(probe, is_box, x, y, w, h, other, goalX, goalY)
      if col then
        col.item, col.other, col.type, count = item, other.item, response, count + 1
        cols[count] = col
      end
    end
  end
  if count > 1 then table.sort(cols, is_earlier) end
  return cols, count
end

local function response_of(self, response_name)
  return self.responses[response_name]
    or error(("the filter returned %s, which is no response of this world"):format(tostring(response_name)), 0)
end

-- Projects and responds until the item hits no other; each other item responds once.
local function respond_in_turn(self, entry, goalX, goalY, filter)
  local done, list, count = {}, {}, 0
  local function filter_rest(item, other) return not done[other] and filter(item, other) end
  local x, y, w, h = entry.x, entry.y, entry.w, entry.h
  local cols, left = self:project(entry.item, x, y, w, h, goalX, goalY, filter_rest)
  while left > 0 do
    local col = cols[1]
    count = count + 1
    list[count], done[col.other] = col, true
    goalX, goalY, cols, left = response_of(self, col.type)(self, col, x, y, w, h, goalX, goalY, filter_rest)
  end
  return goalX, goalY, list, count
end

-- ---------------------------------------------------------------- bump's responses, by world:move of sat

-- The response to another item, for which the filter is called once in a move.
local function ask(self, other)
  local answer = self.answers[other]
  if answer == nil then
    answer = self.filter(self.mover.item, other.item) or false
    self.answers[other] = answer
    if answer and response_of(self, answer) ~= responses[answer] then self.uses_own = true end
  end
  return answer
end

-- The collisions with items that overlap at the start, deepest first: bump reports them in every frame, even for an
-- item that does not move. Also returns a table of the collisions by the items' records, or nil without overlaps.
local function overlaps_at_start(self, entry, goalX, goalY)
  local cols, by_entry = {}, nil
  for shape in self.sat:collisions(entry.shape) do
    local other = entry_of(self, shape)
    local x, y, w, h = entry.x, entry.y, entry.w, entry.h -- here, since LuaJIT compiles no loop that holds them as well
    if rect.isIntersecting(x, y, w, h, other.x, other.y, other.w, other.h) and ask(self, other) then
      local col = detect(entry.shape, entry.is_box, x, y, w, h, other, goalX, goalY)
      if col and col.overlaps then
        by_entry = by_entry or {}
        cols[#cols + 1], by_entry[other] = col, col
        col.other, col.type = other.item, other.shape:isSensor() and "cross" or ask(self, other)
      end
    end
  end
  if cols[2] then table.sort(cols, is_earlier) end
  return cols, by_entry
end

-- Whether a box that is touched along one axis spans the item along the other: then the item touches no other face.
local function spans(named, touch, axis, w, h)
  if axis == "x" then return named.y <= touch.y and touch.y + h <= named.y + named.h end
  return named.x <= touch.x and touch.x + w <= named.x + named.w
end

-- An item may touch several boxes whose faces are in line, of which world:move reports one; bump reports the one whose
-- centre is nearest.
local function name_nearest(self, entry, col)
  local touch, normal, named, w, h = col.touch, col.normal, col.otherRect, entry.w, entry.h
  local axis, side = normal.x ~= 0 and "x" or "y", normal.x ~= 0 and "w" or "h"
  if spans(named, touch, axis, w, h) then return end
  local face = named[axis] + (normal[axis] > 0 and named[side] or 0)
  local least = rect.getSquareDistance(touch.x, touch.y, w, h, named.x, named.y, named.w, named.h)
  for _, shape in ipairs((self.sat:query(touch.x, touch.y, w, h))) do
    local other = entry_of(self, shape)
    local distance = rect.getSquareDistance(touch.x, touch.y, w, h, other.x, other.y, other.w, other.h)
    local in_line = other.is_box and other[axis] + (normal[axis] > 0 and other[side] or 0) == face
    if in_line and distance < least and other ~= entry and not shape:isSensor() and ask(self, other) == col.type then
      least, col.other = distance, other.item
      col.otherRect = { x = other.x, y = other.y, w = other.w, h = other.h }
    end
  end
end

-- The collisions of the last move, in order, and the number of hits that have stopped or turned it. The path is
-- computed from the hits: it is straight between two of them. With the list `met` all must be slides, and the records
-- of their items are added to it.
local function follow_hits(self, entry, x, y, dx, dy, by_entry, met)
  local cols, freed, solid, start = {}, {}, 0, 0
  for shape, nx, ny, t, _, _, how in self.sat:hits() do
    local other = entry_of(self, shape)
    if met then
      if how ~= "slide" then return nil end
      met[#met + 1] = other
    end
    local col = by_entry and by_entry[other]
    if how == "free" or how == "stuck" then
      solid = solid + 1
      if col then col.normal.x, col.normal.y, freed[#freed + 1] = nx, ny, col end
    elseif t == 1 then
      solid = how == "cross" and solid or solid + 1 -- as in bump, a contact at the goal is not reported
    elseif not (col and how == "cross") then
      local ti = (t - start) / (1 - start)
      col = new_collision(false, ti, nx, ny, dx, dy)
      place_collision(col, x + dx * ti, y + dy * ti, x, y, entry.w, entry.h, other)
      col.other, col.type, cols[#cols + 1] = other.item, how, col
      col.in_line = how ~= "cross" and entry.is_box and other.is_box
      if how ~= "cross" then
        solid, x, y, start = solid + 1, col.touch.x, col.touch.y, t
        dx, dy = dx - dx * ti, dy - dy * ti
        if how == "touch" then dx, dy = 0, 0 else dx, dy = deflect(dx, dy, nx, ny, how == "slide" and 1 or 2) end
        if how ~= "touch" then col[how] = { x = x + dx, y = y + dy } end
      end
    end
  end
  return cols, freed, solid, x, y, dx, dy
end

local function shift(point, dx, dy)
  if point then point.x, point.y = point.x + dx, point.y + dy end
end

-- Moves the collisions to the real path of the move: a way out of an overlap comes first, and the move may end short of
-- the last leg, where two surfaces meet.
local function correct_places(cols, freed, wayX, wayY, restX, restY, x, y)
  local farX, farY = x - wayX - restX, y - wayY - restY
  local nearX, nearY = x - wayX, y - wayY
  if nearX * nearX + nearY * nearY < farX * farX + farY * farY then farX, farY = nearX, nearY end
  for _, col in ipairs(cols) do
    shift(col.touch, farX, farY)
    shift(col.slide, farX, farY)
    shift(col.bounce, farX, farY)
    if freed[1] then shift(col.itemRect, farX, farY) end
  end
  for _, col in ipairs(freed) do
    col.touch.x, col.touch.y = col.itemRect.x + farX, col.itemRect.y + farY
  end
end

-- Replaces a coordinate that equals the goal but for rounding by the goal.
local function snap(value, goal, size)
  return abs(value - goal) <= 1e-15 * (abs(goal) + size) and goal or value
end

-- The place where an item ends that slides along all that it meets, as most do, with what follow_hits tells: no
-- function is called from C then, and LuaJIT compiles the move. The filter is asked once the hits are read, since it
-- may ask the world, too. Nil: something that the item would meet is crossed or sensed, or it is to be freed first.
local function slide_past_all(self, entry, dx, dy)
  local x, y, count = self.sat:check(entry.shape, dx, dy, "slide")
  if count == 0 then return x, y, {}, {}, 0, entry.x, entry.y, dx, dy end
  local met = {}
  local cols, freed, solid, wayX, wayY, restX, restY = follow_hits(self, entry, entry.x, entry.y, dx, dy, nil, met)
  if not cols then return nil end
  for i = 1, count do
    if ask(self, met[i]) ~= "slide" or self.uses_own then return nil end
  end
  return x, y, cols, freed, solid, wayX, wayY, restX, restY
end

local function run_move(self, entry, method, goalX, goalY)
  local overlaps, by_entry = overlaps_at_start(self, entry, goalX, goalY)
  if self.uses_own then return nil end
  local fromX, fromY = entry.x, entry.y
  local dx, dy = goalX - fromX, goalY - fromY
  local x, y, cols, freed, solid, wayX, wayY, restX, restY
  if not by_entry then x, y, cols, freed, solid, wayX, wayY, restX, restY = slide_past_all(self, entry, dx, dy) end
  if self.uses_own then return nil end
  if not x then x, y = self.sat[method](self.sat, entry.shape, dx, dy, self.respond)
  elseif method == "move" then entry.shape:moveTo(x, y) end
  if self.uses_own then return nil end
  local atX, atY = entry.shape:center()
  local placed = method == "move" and atX == x and atY == y and entry -- not where a finalizer has put it elsewhere
  x, y = snap(x - entry.centerX, goalX, entry.w), snap(y - entry.centerY, goalY, entry.h)
  if placed then placed.x, placed.y, self.cells = x, y, nil end -- at once: from here on a finalizer may move the item
  local reachedX, reachedY = x, y
  if not cols then
    cols, freed, solid, wayX, wayY, restX, restY = follow_hits(self, entry, fromX, fromY, dx, dy, by_entry)
  end
  if solid == 0 then x, y = goalX, goalY end
  if placed and placed.x == reachedX and placed.y == reachedY then placed.x, placed.y = x, y end
  correct_places(cols, freed, wayX, wayY, restX, restY, x, y)
  local list, count = {}, 0
  for _, col in ipairs(freed) do col.is_freed = true end
  for _, col in ipairs(overlaps) do
    if col.type == "cross" or col.is_freed then
      count, list[count + 1], col.is_freed = count + 1, col, nil
    end
  end
  for _, col in ipairs(cols) do
    if col.in_line and (col.normal.x == 0 or col.normal.y == 0) then name_nearest(self, entry, col) end
    count, list[count + 1], col.in_line = count + 1, col, nil
  end
  for _, col in ipairs(list) do col.item = entry.item end
  return x, y, list, count
end

-- What belongs to one move is put aside for a move within a filter, and whatever stops a move leaves the item in place.
local function respond(self, entry, method, goalX, goalY, filter)
  goalX, goalY, filter = goalX or entry.x, goalY or entry.y, filter or slide_always
  check_number(method, goalX, "goalX")
  check_number(method, goalY, "goalY")
  local mover, outer_filter, outer_answers, outer_own = self.mover, self.filter, self.answers, self.uses_own
  local answers, shape, startX, startY = {}, entry.shape, entry.x, entry.y
  local fromX, fromY = shape:center()
  self.mover, self.filter, self.answers, self.uses_own = entry, filter, answers, false
  local is_done, x, y, cols, count = pcall(run_move, self, entry, method, goalX, goalY)
  self.mover, self.filter, self.answers, self.uses_own = mover, outer_filter, outer_answers, outer_own
  if is_done and x then return x, y, cols, count end
  local atX, atY = shape:center()
  if atX ~= fromX or atY ~= fromY then shape:moveTo(fromX, fromY) end
  if entry.shape == shape then entry.x, entry.y = startX, startY end
  if not is_done then error(x, 0) end
  x, y, cols, count = respond_in_turn(self, entry, goalX, goalY, filter)
  if method == "move" then place(self, entry, x, y) end
  return x, y, cols, count
end

-- The place where the item would end, and its collisions. An error has to know its caller, so this is no tail call.
function World:check(item, goalX, goalY, filter)
  local x, y, cols, count = respond(self, self.entries[item] or refuse("check", item), "check", goalX, goalY, filter)
  return x, y, cols, count
end

function World:move(item, goalX, goalY, filter)
  local x, y, cols, count = respond(self, self.entries[item] or refuse("move", item), "move", goalX, goalY, filter)
  return x, y, cols, count
end

-- ---------------------------------------------------------------- the module

local bump = {
  _VERSION = "bump v3.1.7, by sat",
  rect = rect,
  responses = {
    touch = responses.touch, cross = responses.cross, slide = responses.slide, bounce = responses.bounce,
  },
}

-- Makes a world. Its field `sat` is the world of sat in it, for draw, cast, nearest and so on. The size of cells
-- matters only to toCell, toWorld and countCells.
function bump.newWorld(cellSize)
  if cellSize == nil then cellSize = 64 end
  check_cell_size(cellSize)
  local world = { cellSize = cellSize, sat = sat.world(), responses = {} }
  world.entries, world.by_shape = {}, {}
  world.mover, world.filter, world.answers, world.uses_own = false, false, false, false
  world.foreign = setmetatable({}, { __mode = "kv" })
  function world.respond(_, shape)
    local response = ask(world, entry_of(world, shape))
    return world.uses_own and "touch" or response
  end
  world.rows = {} -- in bump the cells, over which debug views of games loop; here there are none
  for response_name, response in pairs(responses) do world.responses[response_name] = response end
  return setmetatable(world, World)
end

return bump
