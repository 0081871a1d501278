-- Draws the figures of docs/guides/quadtree.md: lua docs/figures/quadtree.lua
local here = arg[0]:match("^(.*[/\\])") or "./"
package.path = here .. "../?.lua;" .. here .. "../../examples/quadtree/?.lua;" .. package.path

local sketch = require "sketch"
local Node = require "tree"

local SIDE = 220 -- of the plane in each picture

-- Park and Miller, Random number generators: good ones are hard to find, 1988.
local seed
local function between(low, high)
  seed = seed * 16807 % 2147483647
  return low + (high - low) * seed / 2147483647
end

-- Boxes of 6 to 14 pixels, two thirds of them in two heaps.
local function boxes(count, first)
  local list = {}
  seed = first
  for i = 1, count do
    local w, h = between(6, 14), between(6, 14)
    local x, y = between(2, SIDE - 16), between(2, SIDE - 16)
    if i % 3 == 0 then x, y = between(130, 200), between(10, 80) end
    if i % 3 == 1 then x, y = between(5, 90), between(120, 200) end
    list[i] = { x = x, y = y, w = w, h = h }
  end
  return list
end

local function tree_of(list)
  local root = Node.new(0, 0, SIDE, SIDE)
  for _, box in ipairs(list) do root:insert(box) end
  return root
end

-- ---------------------------------------------------------------- parts of a picture

local TOP = 14 -- of each panel

local function draw_box(figure, left, box, role, inside)
  figure:box(left + box.x, TOP + box.y, box.w, box.h, role, inside)
end

local function draw_nodes(figure, left, node)
  figure:box(left + node.x, TOP + node.y, node.w, node.h, "faint")
  for _, child in ipairs(node.children or {}) do draw_nodes(figure, left, child) end
end

local function caption(figure, left, words, role)
  figure:text(left + SIDE / 2, TOP + SIDE + 24, words, role or "ink", "middle")
end

local function is_in(list, box)
  for _, each in ipairs(list) do if each == box then return true end end
end

-- ---------------------------------------------------------------- clear, split, index, insert, retrieve

local function draw_clear()
  local figure, list = sketch.new(560, 270), boxes(60, 7)
  local root = tree_of(list)
  draw_nodes(figure, 20, root)
  for _, box in ipairs(list) do draw_box(figure, 20, box, "a", "a") end
  caption(figure, 20, "60 boxes in their nodes")
  figure:arrow(255, 124, 305, 124, "ink")
  root:clear()
  draw_nodes(figure, 320, root)
  caption(figure, 320, "after clear: the root alone")
  figure:save("tree-clear")
end

local function draw_split()
  local figure, root = sketch.new(560, 270), Node.new(0, 0, SIDE, SIDE)
  draw_nodes(figure, 20, root)
  caption(figure, 20, "a node")
  figure:arrow(255, 124, 305, 124, "ink")
  root:split()
  draw_nodes(figure, 320, root)
  for i, child in ipairs(root.children) do
    figure:text(320 + child.x + child.w / 2, TOP + child.y + child.h / 2 + 5, tostring(i), "ink", "middle")
  end
  caption(figure, 320, "its children 1 to 4")
  figure:save("tree-split")
end

local function draw_index()
  local figure, root = sketch.new(560, 270), Node.new(0, 0, SIDE, SIDE)
  root:split()
  draw_nodes(figure, 20, root)
  local cases = {
    { x = 140, y = 30, w = 40, h = 30 }, { x = 30, y = 160, w = 30, h = 40 }, { x = 92, y = 95, w = 40, h = 36 },
  }
  for i, box in ipairs(cases) do
    local child = root:index(box)
    local role, number = child and "a" or "bad", "nil"
    for k, each in ipairs(root.children) do if each == child then number = tostring(k) end end
    draw_box(figure, 20, box, role, role)
    figure:text(20 + box.x + box.w / 2, TOP + box.y + box.h / 2 + 5, ("ABC"):sub(i, i), role, "middle")
    figure:text(290, 80 + 36 * i - 20, ("index(%s) is %s"):format(("ABC"):sub(i, i),
      child and "child " .. number or "nil: C stays here"), role)
  end
  caption(figure, 20, "C lies on a line between children")
  figure:save("tree-index")
end

local function draw_insert()
  local figure = sketch.new(800, 270)
  local words = { "10 boxes: one node", "an 11th: four children", "60 boxes: two levels of children" }
  for i, count in ipairs { 10, 11, 60 } do
    local left, list, stay = 20 + (i - 1) * 270, {}, {}
    for k, box in ipairs(boxes(60, 7)) do if k <= count then list[k] = box end end
    local root = tree_of(list)
    draw_nodes(figure, left, root)
    if root.children then stay = root.boxes end
    for _, box in ipairs(list) do
      local role = is_in(stay, box) and "bad" or "a"
      draw_box(figure, left, box, role, role)
    end
    caption(figure, left, words[i])
  end
  figure:save("tree-insert")
end

-- The nodes that retrieve visits have a background; what it appends is orange, and what overlaps the query is green.
local function draw_visited(figure, left, node, query)
  figure:box(left + node.x, TOP + node.y, node.w, node.h, "faint", not node.children and "b" or nil)
  for _, child in ipairs(node.children or {}) do
    local reaches = query.x <= child.x + child.w and child.x <= query.x + query.w
      and query.y <= child.y + child.h and child.y <= query.y + query.h
    if reaches then draw_visited(figure, left, child, query) else draw_nodes(figure, left, child) end
  end
end

local function overlap(a, b)
  return a.x <= b.x + b.w and b.x <= a.x + a.w and a.y <= b.y + b.h and b.y <= a.y + a.h
end

local function draw_query(figure, left, list, query, found)
  local hits = 0
  for _, box in ipairs(list) do
    local is_hit = is_in(found, box) and overlap(box, query)
    if is_hit then hits = hits + 1 end
    local role = is_hit and "way" or is_in(found, box) and "b" or "faint"
    draw_box(figure, left, box, role, role ~= "faint" and role or nil)
  end
  figure:box(left + query.x, TOP + query.y, query.w, query.h, "ink")
  figure:box(left + query.x - 1, TOP + query.y - 1, query.w + 2, query.h + 2, "ink")
  return hits
end

-- What the classic listing finds, which follows index alone.
local function follow_index(node, query, found)
  for _, box in ipairs(node.boxes) do found[#found + 1] = box end
  local child = node.children and node:index(query)
  return child and follow_index(child, query, found) or found
end

local function draw_retrieve()
  local figure, list = sketch.new(560, 270), boxes(60, 7)
  local root = tree_of(list)
  local query = { x = 152, y = 20, w = 30, h = 26 }
  local found = root:retrieve(query, {})
  draw_visited(figure, 20, root, query)
  local hits = draw_query(figure, 20, list, query, found)
  caption(figure, 20, ("looks at %d of 60, finds %d"):format(#found, hits))
  query = { x = 45, y = 150, w = 40, h = 30 } -- on both lines of child 3
  local all = root:retrieve(query, {})
  local some = follow_index(root, query, {})
  draw_nodes(figure, 320, root)
  local missed = 0
  for _, box in ipairs(all) do
    if overlap(box, query) and not is_in(some, box) then missed = missed + 1 end
  end
  draw_query(figure, 320, list, query, some)
  for _, box in ipairs(all) do
    if overlap(box, query) and not is_in(some, box) then draw_box(figure, 320, box, "bad", "bad") end
  end
  caption(figure, 320, ("by index alone it misses %d"):format(missed), "bad")
  figure:save("tree-retrieve")
end

-- ---------------------------------------------------------------- boxes on lines

local function draw_lines()
  local figure, list = sketch.new(560, 270), {}
  for row = 0, 14 do
    for column = 0, 14 do list[#list + 1] = { x = 1.5 + column * 14.7, y = 1.5 + row * 14.7, w = 10, h = 10 } end
  end
  local root = tree_of(list)
  draw_nodes(figure, 20, root)
  for _, box in ipairs(list) do
    local role = is_in(root.boxes, box) and "bad" or "a"
    draw_box(figure, 20, box, role, role)
  end
  caption(figure, 20, ("%d of %d boxes stay in the root"):format(#root.boxes, #list), "bad")
  local query = { x = 30, y = 30, w = 8, h = 8 }
  local found = root:retrieve(query, {})
  draw_visited(figure, 320, root, query)
  local hits = draw_query(figure, 320, list, query, found)
  caption(figure, 320, ("a small query looks at %d, finds %d"):format(#found, hits), "b")
  figure:save("tree-lines")
end

-- ---------------------------------------------------------------- the loose tree

local CELL = SIDE / 4

local function draw_grid(figure, left, size)
  for at = 0, SIDE + 0.1, size do
    figure:line(left + at, TOP, left + at, TOP + SIDE, "grid")
    figure:line(left, TOP + at, left + SIDE, TOP + at, "grid")
  end
end

local function cell_of(box, size) return math.floor(box.x / size), math.floor(box.y / size) end

local function draw_loose()
  local figure = sketch.new(560, 270)
  draw_grid(figure, 20, CELL)
  local box = { x = 80, y = 76, w = 44, h = 44 }
  local column, row = cell_of(box, CELL)
  figure:box(20 + column * CELL, TOP + row * CELL, CELL, CELL, "a", "a")
  draw_box(figure, 20, box, "a", "a")
  figure:dot(20 + box.x, TOP + box.y, "ink")
  local left, top, reach = 20 + column * CELL, TOP + row * CELL, 2 * CELL
  for i = 0, reach, reach do -- dashed: as far as any box of this cell may reach
    figure:line(left, top + i, left + reach, top + i, "ink", 1, true)
    figure:line(left + i, top, left + i, top + reach, "ink", 1, true)
  end
  caption(figure, 20, "the corner decides the cell")
  local query = { x = 114, y = 112, w = 30, h = 26 }
  local first_column, first_row = cell_of(query, CELL)
  local last_column, last_row = cell_of({ x = query.x + query.w, y = query.y + query.h }, CELL)
  for y = first_row - 1, last_row do
    for x = first_column - 1, last_column do
      local is_own = x >= first_column and y >= first_row
      for _ = 1, is_own and 2 or 1 do figure:box(320 + x * CELL, TOP + y * CELL, CELL, CELL, "grid", "b") end
    end
  end
  draw_grid(figure, 320, CELL)
  draw_box(figure, 320, box, "way", "way")
  figure:dot(320 + box.x, TOP + box.y, "ink")
  draw_box(figure, 320, query, "ink")
  caption(figure, 320, "the query looks one cell farther")
  figure:save("tree-loose")
end

-- ---------------------------------------------------------------- levels, stored flat

local COLUMNS = 16 -- of the drawn array of a level

-- The cells of a level that hold boxes, as places in its array, which the grid is wrapped into.
local function draw_array(figure, left, list, size, stride)
  local used = {}
  for _, box in ipairs(list) do
    local column, row = cell_of(box, size)
    used[(column + row * stride) % COLUMNS] = true
  end
  local width = SIDE / COLUMNS
  for i = 0, COLUMNS - 1 do
    figure:box(left + i * width, TOP + SIDE + 42, width, width, "faint", used[i] and "a" or nil)
  end
end

local function draw_levels()
  local figure = sketch.new(800, 330)
  seed = 11
  local sizes = { 110, 55, 27.5 }
  for i, size in ipairs(sizes) do
    local left, list = 20 + (i - 1) * 270, {}
    for k = 1, ({ 2, 5, 14 })[i] do
      list[k] = { x = between(4, SIDE - size), y = between(4, SIDE - size) }
      list[k].w, list[k].h = between(0.6, 0.95) * size, between(0.5, 0.95) * size
    end
    for _, box in ipairs(list) do
      local column, row = cell_of(box, size)
      figure:box(left + column * size, TOP + row * size, math.min(size, SIDE - column * size),
        math.min(size, SIDE - row * size), "grid", "a")
    end
    draw_grid(figure, left, size)
    for _, box in ipairs(list) do draw_box(figure, left, box, "b", "b") end
    caption(figure, left, ("cells of %g, boxes of %g to %g"):format(size, i == 3 and 0 or size / 2, size))
    draw_array(figure, left, list, size, i == 1 and 2 or 5)
  end
  figure:text(20, TOP + SIDE + 82, "below: the array into which the grid is wrapped; cells with boxes are blue",
    "faint")
  figure:save("tree-levels")
end

draw_clear()
draw_split()
draw_index()
draw_insert()
draw_retrieve()
draw_lines()
draw_loose()
draw_levels()
