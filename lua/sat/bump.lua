-- The API of bump.lua 3.1.7 on a world of sat: a game changes its require to `bump = require "sat.bump"` and nothing
-- else. Items may also have any shape of sat instead of a box: world:add(item, shape).
--
-- world:move of sat does bump's four responses, in one call, so that items do not catch on seams between boxes that
-- abut. Responses that a game adds (world:addResponse) follow bump's protocol: project, respond, project again.
-- docs/guides/bump.md lists the differences from bump's answers.

local folder = tostring((...)):match("^(.+)[./]bump$") or "sat"
local sat, arguments = require(folder .. ".whole"), require(folder .. ".arguments")
local own = getmetatable(sat).siblings -- checkAnswered and setRectangle, which LuaJIT's fast path replaces there

local describe = arguments.describe
local abs, floor, ceil, min, max, huge = math.abs, math.floor, math.ceil, math.min, math.max, math.huge

-- An overlap of boxes up to this counts as touching, as in bump.
local MARGIN = 1e-10
local LIMIT = 1e15 -- of coordinates, as in sat
local SURE = 1e14
local MOST_PARKED = 256 -- boxes of removed items that wait for the next ones

-- The error names the line that has called the public function.
local function check_number(method, value, argument, is_length)
  if type(value) ~= "number" or value ~= value then
    error(("bad argument to '%s' (%s must be a number, not %s)"):format(method, argument, describe(value)), 4)
  end
  if is_length and value <= 0 then
    error(("bad argument to '%s' (%s must be positive, not %s)"):format(method, argument, describe(value)), 4)
  end
  if abs(value) > LIMIT then
    error(("bad argument to '%s' (%s must be from -1e15 to 1e15, not %s)"):format(method, argument, describe(value)), 4)
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
  error(("bad argument to 'newWorld' (cellSize must be from 1e-15 to 1e15, not %s)"):format(describe(size)), 3)
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

-- The fields that tell where and how come later: LuaJIT compiles no code that holds all of their values at once. There
-- is room for them, since a table that grows takes as long as all else.
local function new_collision(overlaps, ti, nx, ny, dx, dy)
  return {
    overlaps = overlaps, ti = ti, normal = { x = nx, y = ny }, move = { x = dx, y = dy },
    touch = false, itemRect = false, otherRect = false, item = nil, other = nil, type = nil,
  }
end

local function place_collision(col, touchX, touchY, x, y, item, other)
  col.touch = { x = touchX, y = touchY }
  col.itemRect = { x = x, y = y, w = item.w, h = item.h }
  col.otherRect = { x = other.x, y = other.y, w = other.w, h = other.h }
  return col
end

-- The shortest way out of a box that contains the origin.
local function way_out(x, y, w, h)
  local outX, outY = rect.getNearestCorner(x, y, w, h, 0, 0)
  if abs(outX) < abs(outY) then return outX, 0 end
  return 0, outY
end

-- The collision of a box, which moves by dx, dy, with another one: whether they overlap, ti, the normal, and the way to
-- the touch; or nil. Boxes are records and branches are few, since LuaJIT compiles each way by itself, with all numbers
-- of it in registers.
local function detect_boxes(a, b, dx, dy)
  local x, y = b.x - a.x - a.w, b.y - a.y - a.h
  local right, bottom = x + (a.w + b.w), y + (a.h + b.h)
  local overlaps, ti = min(-x, -y, right, bottom) > MARGIN, nil
  if overlaps then
    ti = -min(a.w, -x, right) * min(a.h, -y, bottom) -- minus the area of the overlap
    if dx == 0 and dy == 0 then
      local outX, outY = way_out(x, y, a.w + b.w, a.h + b.h)
      return true, ti, sign(outX), sign(outY), outX, outY
    end
  elseif dx == 0 and (x >= 0 or right <= 0) or dy == 0 and (y >= 0 or bottom <= 0) then
    return nil
  end
  local enterX, enterY = min(x / dx, right / dx), min(y / dy, bottom / dy)
  local enter, leave = max(enterX, enterY), min(max(x / dx, right / dx), max(y / dy, bottom / dy))
  if not overlaps and (enter >= 1 or enter <= -MARGIN or leave - enter < MARGIN) then return nil end
  ti = ti or enter
  if enterX >= enterY then return overlaps, ti, -dx / abs(dx), 0, dx * enter, dy * enter end
  return overlaps, ti, 0, -dy / abs(dy), dx * enter, dy * enter
end

local function collide_boxes(a, b, dx, dy)
  local overlaps, ti, nx, ny, wayX, wayY = detect_boxes(a, b, dx, dy)
  if overlaps == nil then return nil end
  local col = new_collision(overlaps, ti, nx, ny, dx, dy)
  return place_collision(col, a.x + wayX, a.y + wayY, a.x, a.y, a, b)
end

-- The collision of box 1, which moves to the goal, with box 2, or nil.
function rect.detectCollision(x1, y1, w1, h1, x2, y2, w2, h2, goalX, goalY)
  local item, other = { x = x1, y = y1, w = w1, h = h1 }, { x = x2, y = y2, w = w2, h = h2 }
  return collide_boxes(item, other, (goalX or x1) - x1, (goalY or y1) - y1)
end

-- ---------------------------------------------------------------- collisions of any shapes

-- An item's record: the item, its shape, its box, the centroid relative to the box's corner, and whether the shape is
-- the box. A shape that the game added to world.sat by itself is its own item.
local function new_entry(item, shape, x, y, w, h, is_box)
  local centerX, centerY = shape:center()
  return {
    item = item, shape = shape, x = x, y = y, w = w, h = h, is_box = is_box,
    centerX = centerX - x, centerY = centerY - y, is_stale = false, is_parked = false, is_off = false,
    was_inside = false,
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

-- The collision of a shape whose box is the item's, on its way to the goal, with another item, or nil. An overlap is
-- resolved by the shortest way out.
local function detect(shape, item, other, goalX, goalY)
  if item.is_box and other.is_box then return collide_boxes(item, other, goalX - item.x, goalY - item.y) end
  local x, y, w, h = item.x, item.y, item.w, item.h
  local ox, oy, ow, oh = other.x, other.y, other.w, other.h
  local dx, dy = goalX - x, goalY - y
  local outX, outY, depth = sat.collide(shape, other.shape)
  if depth and depth > MARGIN then
    local area = max(min(x + w, ox + ow) - max(x, ox), 0) * max(min(y + h, oy + oh) - max(y, oy), 0)
    local col = new_collision(true, -area, outX / depth, outY / depth, dx, dy)
    return place_collision(col, x + outX, y + outY, x, y, item, other)
  end
  local t, nx, ny = sat.cast(shape, dx, dy, other.shape)
  if not t or t >= 1 then return nil end
  return place_collision(new_collision(false, t, nx, ny, dx, dy), x + dx * t, y + dy * t, x, y, item, other)
end

-- Sorts a list, which is mostly short. LuaJIT compiles no table.sort: each way to one has traces of its own behind it.
local function sort(list, is_before)
  if #list > 20 then return table.sort(list, is_before) end
  for i = 2, #list do
    local at, j = list[i], i
    while j > 1 and is_before(at, list[j - 1]) do list[j], j = list[j - 1], j - 1 end
    list[j] = at
  end
end

local function do_overlap(a, b)
  return a.x < b.x + b.w and b.x < a.x + a.w and a.y < b.y + b.h and b.y < a.y + a.h
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

local function refuse(method, item)
  error(("bad argument #1 to '%s' (%s is not in the world: add it first)"):format(method, describe(item)), 3)
end

-- A change of items is made whole or not at all, although an error, or a finalizer that changes the items itself, may
-- come wherever memory is taken: so each change is decided by what the world of sat has when nothing more can come.

local function check_new(self, item)
  if self.entries[item] == nil then return end
  error(("bad argument #1 to 'add' (%s is in the world already)"):format(describe(item)), 3)
end

local function enter_item(self, item, entry)
  local is_new = self.entries[item] == nil
  self.cells, self.items = false, false
  self.entries[item] = entry
  if is_new then self.count = self.count + 1 end
end

local function leave(self, entry)
  self.cells, self.items = false, false
  if self.entries[entry.item] ~= entry then return end
  self.entries[entry.item], self.count = nil, self.count - 1
end

-- A finalizer in the middle may remove the item.
local function link(self, entry)
  local shape = entry.shape
  enter_item(self, entry.item, entry)
  self.by_shape[shape] = entry
  self.core:add(shape)
  if self.by_shape[shape] ~= entry then self.core:remove(shape) end
end

-- The game may have removed the shape from the world of sat already.
local function unlink(self, entry)
  leave(self, entry)
  while self.core:has(entry.shape) do self.core:remove(entry.shape) end
  self.by_shape[entry.shape] = nil
end

-- As long as the game has seen no shape of the world, the box of a removed item stays in it, disabled, and becomes that
-- of the next item; and new boxes and sizes are brought into the world by the next question. So nothing is made or
-- freed, each box changes at most once for a question, and LuaJIT compiles the changes.

local function mark_stale(self, entry)
  if entry.is_stale then return end
  local count = self.stale_count + 1
  self.stale[count] = entry -- takes memory, and so comes before the count
  self.stale_count, entry.is_stale = count, true
end

local function park(self, entry)
  local count = self.parked_count + 1
  mark_stale(self, entry)
  leave(self, entry)
  self.parked[count], self.parked_count, entry.is_parked, entry.item = entry, count, true, false
end

local function unpark(self, item, x, y, w, h)
  local count = self.parked_count
  local entry = self.parked[count]
  mark_stale(self, entry)
  enter_item(self, item, entry)
  self.parked[count], self.parked_count, entry.is_parked, entry.item = false, count - 1, false, item
  entry.x, entry.y, entry.w, entry.h = x, y, w, h
end

local function set_box(entry, x, y, w, h)
  local shape = entry.shape
  own.setRectangle(shape, x, y, w, h)
  local centerX, centerY = shape:center()
  entry.x, entry.y, entry.w, entry.h, entry.centerX, entry.centerY = x, y, w, h, centerX - x, centerY - y
end

local function bring(entry)
  local is_off = entry.is_parked
  if is_off ~= entry.is_off then
    entry.shape:setEnabled(not is_off)
    entry.is_off = is_off
  end
  if not is_off then set_box(entry, entry.x, entry.y, entry.w, entry.h) end
end

-- Takes the last item of the list of stale ones, and brings it up to date. A finalizer in the middle may change the
-- item again.
local function bring_last(self, entry, count)
  self.stale[count], self.stale_count, entry.is_stale = false, count - 1, false
  bring(entry)
end

-- Brings the world of sat up to date. A call of pcall may itself lack memory, so it comes before any change.
local function flush(self)
  while self.stale_count > 0 do
    local entry = self.stale[self.stale_count]
    local is_done, problem = pcall(bring_last, self, entry, self.stale_count)
    if not is_done then
      mark_stale(self, entry)
      error(problem, 0)
    end
  end
end

-- From here on the game may change shapes and the world of sat by itself.
local function show(self)
  flush(self)
  self.is_plain = false
  while self.parked_count > 0 do
    local entry = self.parked[self.parked_count]
    self.parked[self.parked_count], self.parked_count = false, self.parked_count - 1
    unlink(self, entry)
  end
end

-- Boxes up to there are within the limits of sat, however they are rounded, and have an area.
local function is_sure(x, y, w, h)
  return x > -SURE and y > -SURE and x + w < SURE and y + h < SURE and x + w > x and y + h > y
end

function World:add(item, x, y, w, h)
  if item == nil or item ~= item then error(("bad argument #1 to 'add' (item is %s)"):format(describe(item)), 2) end
  local is_box, shape = type(x) ~= "userdata" or sat.type(x) ~= "shape", x
  if is_box then check_rect("add", x, y, w, h) else x, y, w, h = shape:bounds() end
  check_new(self, item)
  if not is_box and shape:world() then error("bad argument #2 to 'add' (the shape is in a world already)", 2) end
  if is_box and self.parked_count > 0 and is_sure(x, y, w, h) then
    unpark(self, item, x, y, w, h)
    return item
  end
  if is_box then shape = sat.rectangle(x, y, w, h) else show(self) end
  local entry = new_entry(item, shape, x, y, w, h, is_box)
  check_new(self, item)
  local is_done, problem = pcall(link, self, entry)
  if is_done then return item end
  if (self.by_shape[shape] or entry) == entry then unlink(self, entry) end
  error(problem, 0)
end

function World:remove(item)
  local entry = self.entries[item] or refuse("remove", item)
  if self.is_plain and self.parked_count < MOST_PARKED then park(self, entry) else unlink(self, entry) end
end

local function place(self, entry, x, y)
  self.cells = false
  if not entry.is_stale then entry.shape:moveTo(x + entry.centerX, y + entry.centerY) end
  entry.x, entry.y = x, y
end

function World:update(item, x, y, w, h)
  local entry = self.entries[item] or refuse("update", item)
  w, h = w or entry.w, h or entry.h
  check_rect("update", x, y, w, h)
  if w ~= entry.w or h ~= entry.h then
    if not entry.is_box then error("bad argument #4 to 'update' (only boxes change their size: scale the shape)", 2) end
    self.cells = false
    if self.is_plain and is_sure(x, y, w, h) then
      mark_stale(self, entry)
      entry.x, entry.y, entry.w, entry.h = x, y, w, h
    else
      set_box(entry, x, y, w, h)
    end
  elseif x ~= entry.x or y ~= entry.y then
    place(self, entry, x, y)
  end
end

function World:hasItem(item) return self.entries[item] ~= nil end

function World:countItems() return self.count end

-- Fills the list of all items, which is kept until an item is added or removed, unless the game has added shapes to
-- the world of sat by itself. A finalizer that changes the items meanwhile leaves no list kept.
local function list_items(self)
  local list, is_own = {}, true
  self.items = list
  local shapes, count = self.core:shapes()
  for i = 1, count do
    is_own = is_own and self.by_shape[shapes[i]] ~= nil
    local entry = entry_of(self, shapes[i])
    if not entry.is_parked then list[#list + 1] = entry.item end
  end
  if not is_own and self.items == list then self.items = false end
  return list
end

-- The items are in the order of adding, except that a new item takes the place of a removed one.
function World:getItems()
  local kept, items = self.items, {}
  if not kept or not self.is_plain and #kept ~= self.core:count() then kept = list_items(self) end
  local count = #kept
  for i = 1, count do items[i] = kept[i] end
  return items, count
end

function World:getRect(item)
  local entry = self.entries[item] or refuse("getRect", item)
  return entry.x, entry.y, entry.w, entry.h
end

-- The shape of an item, for filters, sensors and one-way boxes.
function World:getShape(item)
  local entry = self.entries[item] or refuse("getShape", item)
  if self.is_plain then show(self) end
  return entry.shape
end

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
  if self.stale_count > 0 then flush(self) end
  local items, found = self.core:at(x, y)
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
  if self.stale_count > 0 then flush(self) end
  local items, found = self.core:query(x, y, w, h)
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

local function is_before(a, b) return a.weight < b.weight end

-- The items on a segment with their parameters, in order.
local function list_crossed(self, x1, y1, x2, y2, filter)
  if self.stale_count > 0 then flush(self) end
  local list, count = {}, 0
  local shapes, found = self.core:query(sat.segment(x1, y1, x2, y2))
  for i = 1, found do
    local entry = entry_of(self, shapes[i])
    local ti1, ti2, weight = segment_through(entry, x1, y1, x2, y2)
    if ti1 and (not filter or filter(entry.item)) then
      count = count + 1
      list[count] = { item = entry.item, ti1 = ti1, ti2 = ti2, weight = weight, x1 = 0, y1 = 0, x2 = 0, y2 = 0 }
    end
  end
  sort(list, is_before)
  return list, count
end

function World:querySegmentWithCoords(x1, y1, x2, y2, filter)
  local list, count = list_crossed(self, x1, y1, x2, y2, filter)
  for i = 1, count do
    local info = list[i]
    info.x1, info.y1 = x1 + (x2 - x1) * info.ti1, y1 + (y2 - y1) * info.ti1
    info.x2, info.y2 = x1 + (x2 - x1) * info.ti2, y1 + (y2 - y1) * info.ti2
    info.weight = nil
  end
  return list, count
end

function World:querySegment(x1, y1, x2, y2, filter)
  local list, count = list_crossed(self, x1, y1, x2, y2, filter)
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
  if self.stale_count > 0 then flush(self) end
  goalX, goalY, filter = goalX or x, goalY or y, filter or slide_always
  local entry, probe = self.entries[item], nil
  local start = { x = x, y = y, w = w, h = h, is_box = not entry or entry.is_box }
  local left, top, who = min(x, goalX), min(y, goalY), entry and entry.shape
  local shapes, found = self.core:query(left, top, max(x, goalX) + w - left, max(y, goalY) + h - top, nil, who)
  local cols, count = {}, 0
  for i = 1, found do
    local other = entry_of(self, shapes[i])
    local response = filter(item, other.item)
    if response then
      if not (start.is_box and other.is_box) then probe = probe or probe_at(entry, x, y, w, h) end
      local col = detect(probe, start, other, goalX, goalY)
      if col then
        col.item, col.other, col.type, count = item, other.item, response, count + 1
        cols[count] = col
      end
    end
  end
  sort(cols, is_earlier)
  return cols, count
end

local function response_of(self, response_name)
  return self.responses[response_name]
    or error(("the filter returned %s, which is no response of this world"):format(describe(response_name)), 0)
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

-- The answers by which a move asks in advance, and what it asks about; see satlua_check_answered.
local LETTERS = { slide = "s", touch = "t", bounce = "b", cross = "c", [false] = "i" }

-- A move asks the filter about each other item once. The record of a move has the item's own record, its goal, the
-- filter, its answers by the others' records, and whether one of them names a response that the game has added; then
-- what the move has come to. These are fields, since LuaJIT compiles no code that
-- holds so many numbers at once.
local function ask(self, move, other)
  local answer = move.answers[other]
  if answer == nil then
    answer = move.filter(move.mover.item, other.item) or false
    move.answers[other] = answer
    if answer and response_of(self, answer) ~= responses[answer] then move.uses_own = true end
  end
  return answer
end

-- The collisions with items that overlap at the start, deepest first: bump reports them in every frame, even for one
-- that does not move. Also returns a table of the collisions by the items' records, or nil without overlaps, and the
-- answers about those that the move will ask about first, and their list.
local function overlaps_at_start(self, move)
  local cols, by_entry, inside, answers, entry = nil, nil, {}, "", move.mover
  for shape, _, _, depth in self.core:collisions(entry.shape) do
    local other = entry_of(self, shape)
    if depth > 0 and do_overlap(entry, other) then
      local answer, is_sensor = ask(self, move, other), not self.is_plain and shape:isSensor()
      if not is_sensor then inside[#inside + 1], answers = shape, answers .. (LETTERS[answer] or "") end
      local col = answer and detect(entry.shape, entry, other, move.goalX, move.goalY)
      if col and col.overlaps then
        cols, by_entry = cols or {}, by_entry or {}
        cols[#cols + 1], by_entry[other] = col, col
        col.other, col.type = other.item, is_sensor and "cross" or answer
      end
    end
  end
  if cols then sort(cols, is_earlier) end
  return cols, by_entry, answers, inside
end

-- Whether a box that is touched along one axis spans the item along the other: then the item touches no other face.
local function spans(named, touch, axis, w, h)
  if axis == "x" then return named.y <= touch.y and touch.y + h <= named.y + named.h end
  return named.x <= touch.x and touch.x + w <= named.x + named.w
end

-- An item may touch several boxes whose faces are in line, of which world:move reports one; bump reports the one whose
-- centre is nearest.
local function name_nearest(self, move, col)
  local entry = move.mover
  local touch, normal, named, w, h = col.touch, col.normal, col.otherRect, entry.w, entry.h
  local axis, side = normal.x ~= 0 and "x" or "y", normal.x ~= 0 and "w" or "h"
  if spans(named, touch, axis, w, h) then return end
  local face = named[axis] + (normal[axis] > 0 and named[side] or 0)
  local least = rect.getSquareDistance(touch.x, touch.y, w, h, named.x, named.y, named.w, named.h)
  for _, shape in ipairs((self.core:query(touch.x, touch.y, w, h))) do
    local other = entry_of(self, shape)
    local distance = rect.getSquareDistance(touch.x, touch.y, w, h, other.x, other.y, other.w, other.h)
    local in_line = other.is_box and other[axis] + (normal[axis] > 0 and other[side] or 0) == face
    local may_be_named = in_line and distance < least and other ~= entry and not shape:isSensor()
    if may_be_named and ask(self, move, other) == col.type then
      least, col.other = distance, other.item
      col.otherRect = { x = other.x, y = other.y, w = other.w, h = other.h }
    end
  end
end

-- The collision at a hit; the motion goes on from there, unless the item crosses the other one.
local function follow_hit(move, other, nx, ny, t, how)
  local x, y, dx, dy, ti = move.x, move.y, move.dx, move.dy, (t - move.start) / (1 - move.start)
  local col = new_collision(false, ti, nx, ny, dx, dy)
  place_collision(col, x + dx * ti, y + dy * ti, x, y, move.mover, other)
  col.other, col.type = other.item, how
  if how == "cross" then return col end
  x, y = col.touch.x, col.touch.y
  if how == "touch" then dx, dy = 0, 0
  else
    dx, dy = deflect(dx - dx * ti, dy - dy * ti, nx, ny, how == "slide" and 1 or 2)
    col[how] = { x = x + dx, y = y + dy }
  end
  move.solid, move.start, move.x, move.y, move.dx, move.dy = move.solid + 1, t, x, y, dx, dy
  return col
end

-- The collisions of the last move, in order, and those that it has been freed from. The path is computed from the hits:
-- it is straight between two of them.
local function follow_hits(self, move, by_entry)
  local cols, freed, is_box = {}, nil, move.mover.is_box
  for shape, nx, ny, t, _, _, how in self.core:hits() do
    local other = entry_of(self, shape)
    local col = by_entry and by_entry[other]
    if how == "free" or how == "stuck" then
      move.solid = move.solid + 1
      if col then
        freed = freed or {}
        col.normal.x, col.normal.y, col.is_freed, freed[#freed + 1] = nx, ny, true, col
      end
    elseif t == 1 then -- as in bump, a contact at the goal is not reported
      move.solid = move.solid + (how == "cross" and 0 or 1)
    elseif not (col and how == "cross") then
      col = follow_hit(move, other, nx, ny, t, how)
      cols[#cols + 1], col.in_line = col, how ~= "cross" and is_box and other.is_box
    end
  end
  return cols, freed
end

local function shift(point, dx, dy)
  if point then point.x, point.y = point.x + dx, point.y + dy end
end

-- Moves the collisions to the real path of the move: a way out of an overlap comes first, and the move may end short of
-- the last leg, where two surfaces meet.
local function correct_places(move, cols, freed, x, y)
  local nearX, nearY = x - move.x, y - move.y
  local farX, farY = nearX - move.dx, nearY - move.dy
  if nearX * nearX + nearY * nearY < farX * farX + farY * farY then farX, farY = nearX, nearY end
  for i = 1, #cols do
    local col = cols[i]
    shift(col.touch, farX, farY)
    shift(col.slide, farX, farY)
    shift(col.bounce, farX, farY)
    if freed then shift(col.itemRect, farX, farY) end
  end
  for i = 1, freed and #freed or 0 do
    local touch, from = freed[i].touch, freed[i].itemRect
    touch.x, touch.y = from.x + farX, from.y + farY
  end
end

-- Replaces a coordinate that equals the goal but for rounding by the goal.
local function snap(value, goal, size)
  return abs(value - goal) <= 1e-15 * (abs(goal) + size) and goal or value
end

-- Whether the first shapes that a move has asked about are those of a list.
local function begins_with(move, list)
  for i = 1, #list do
    if not move.asked or move.asked[i] ~= list[i] then return false end
  end
  return true
end

-- Checks where the item ends: first as if it slid along all others but those that it is inside of, then with the
-- filter's answers about those that it has met, until no answer makes a difference. No function is called from C then,
-- and LuaJIT compiles the move. Where the filter has looked at other moves, or may have, the hits are theirs, and the
-- check is made again. False for a response of the game's.
local function check_answers(self, move, answers, inside)
  local shape, is_known = move.mover.shape, false
  while not is_known do
    local checks, known = self.checks, #answers
    move.centerX, move.centerY, move.hits, move.count =
      own.checkAnswered(self.core, shape, move.dx, move.dy, answers)
    if move.count > known or inside then move.asked = own.answered(self.core) end
    local goes_on = not inside or begins_with(move, inside)
    if not goes_on then answers, known = "", 0 end
    inside = nil -- looked at once: the last check makes no list, within which a finalizer could make another check
    is_known = known >= move.count or self.is_plain or move.filter == slide_always
    while goes_on and known < move.count do
      known = known + 1
      local answer = ask(self, move, entry_of(self, move.asked[known]))
      if move.uses_own then return false end
      answers, goes_on = answers .. LETTERS[answer], answer == "slide"
    end
    is_known = is_known and goes_on and checks == self.checks
  end
  return true
end

-- Appends the collisions on the way to those at the start of which bump tells.
local function list_collisions(self, move, overlaps, cols)
  local list, count = overlaps and {} or cols, 0
  for i = 1, overlaps and #overlaps or 0 do
    local col = overlaps[i]
    if col.type == "cross" or col.is_freed then
      count, list[count + 1], col.item, col.is_freed = count + 1, col, move.mover.item, nil
    end
  end
  for i = 1, #cols do
    local col = cols[i]
    if col.in_line and (col.normal.x == 0 or col.normal.y == 0) then name_nearest(self, move, col) end
    count, list[count + 1], col.item, col.in_line = count + 1, col, move.mover.item, nil
  end
  return list, count
end

-- The collisions of a move; nil for a response of the game's. Where the world has nothing but boxes, an item that has
-- met nothing is inside of nothing.
local function run_move(self, move)
  local entry, overlaps, by_entry, answers, inside = move.mover, nil, nil, "", nil
  if entry.was_inside or not self.is_plain then
    overlaps, by_entry, answers, inside = overlaps_at_start(self, move)
  end
  if move.uses_own or not check_answers(self, move, answers, inside) then return nil end
  if not inside and move.count > 0 then
    local checks = self.checks
    overlaps, by_entry = overlaps_at_start(self, move)
    if checks ~= self.checks then check_answers(self, move, "") end
  end
  entry.was_inside = overlaps ~= nil
  if move.hits == 0 and not overlaps then return {}, 0 end
  local cols, freed = follow_hits(self, move, by_entry)
  local x, y = move.goalX, move.goalY
  if move.solid > 0 then
    x, y = snap(move.centerX - entry.centerX, x, entry.w), snap(move.centerY - entry.centerY, y, entry.h)
  end
  correct_places(move, cols, freed, x, y)
  move.goalX, move.goalY = x, y
  return list_collisions(self, move, overlaps, cols)
end

-- The record of a move, which the world keeps for the next one; a move within a filter has its own.
local function begin_move(self, entry, goalX, goalY, filter)
  local move = self.idle_move or {
    mover = false, filter = false, answers = false, uses_own = false, goalX = 0, goalY = 0, x = 0, y = 0, dx = 0,
    dy = 0, start = 0, solid = 0, hits = 0, asked = false, count = 0, centerX = 0, centerY = 0,
  }
  local x, y = entry.x, entry.y
  move.mover, move.filter, move.answers, move.uses_own, move.asked, move.count = entry, filter, {}, false, false, 0
  move.goalX, move.goalY, move.x, move.y, move.dx, move.dy = goalX, goalY, x, y, goalX - x, goalY - y
  move.start, move.solid, self.idle_move, self.checks = 0, 0, false, self.checks + 1
  return move
end

-- Every error of a move comes before the item is placed.
local function respond(self, entry, method, goalX, goalY, filter)
  goalX, goalY, filter = goalX or entry.x, goalY or entry.y, filter or slide_always
  check_number(method, goalX, "goalX")
  check_number(method, goalY, "goalY")
  if self.stale_count > 0 then flush(self) end
  local move, w, h = begin_move(self, entry, goalX, goalY, filter), entry.w, entry.h
  local cols, count = run_move(self, move)
  self.idle_move, move.mover, move.filter, move.answers, move.asked = move, false, false, false, false
  local x, y
  if not cols then
    x, y, cols, count = respond_in_turn(self, entry, goalX, goalY, filter)
    if method == "move" then place(self, entry, x, y) end
    return x, y, cols, count
  end
  x, y = move.goalX, move.goalY
  if method == "move" and self.entries[entry.item] == entry then
    self.cells = false
    if entry.w == w and entry.h == h then
      entry.shape:moveTo(move.centerX, move.centerY)
      entry.x, entry.y = x, y
    else -- a finalizer has given the item another size meanwhile
      place(self, entry, x, y)
    end
  end
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

-- The first look at the field `sat` shows the world of sat to the game.
local world_metatable = { methods = World }
function world_metatable.__index(self, key)
  if key ~= "sat" then return World[key] end
  show(self)
  self.sat = self.core
  return self.core
end

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
  local world = {
    cellSize = cellSize, core = sat.world(), responses = {}, cells = false, items = false,
    entries = {}, by_shape = {}, foreign = setmetatable({}, { __mode = "kv" }), count = 0,
    is_plain = true, parked = {}, parked_count = 0, stale = {}, stale_count = 0, idle_move = false, checks = 0,
    rows = {}, -- in bump the cells, over which debug views of games loop; here there are none
  }
  for i = 1, MOST_PARKED do world.parked[i] = false end -- so that no removal takes memory
  for response_name, response in pairs(responses) do world.responses[response_name] = response end
  for method_name, method in pairs(World) do world[method_name] = method end -- found at once
  return setmetatable(world, world_metatable)
end

return bump
