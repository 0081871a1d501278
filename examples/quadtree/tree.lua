-- The quadtree of the tutorials, for boxes with x, y, w, h. The guide docs/guides/quadtree.md explains it step by step.
--
-- A node is a part of the plane. It holds up to CAPACITY boxes; when one more comes, the node is split into four
-- children, and each box that fits into one child goes there. A box that fits into none stays in the node.

local CAPACITY, DEEPEST = 10, 5

local Node = {}
Node.__index = Node

function Node.new(x, y, w, h, level)
  return setmetatable({ x = x, y = y, w = w, h = h, level = level or 0, boxes = {} }, Node)
end

function Node:clear()
  self.boxes, self.children = {}, nil
end

function Node:split()
  local w, h, level = self.w / 2, self.h / 2, self.level + 1
  self.children = {
    Node.new(self.x, self.y, w, h, level), Node.new(self.x + w, self.y, w, h, level),
    Node.new(self.x, self.y + h, w, h, level), Node.new(self.x + w, self.y + h, w, h, level),
  }
end

-- The child that a box fits into, or nil for a box on a line between the children.
function Node:index(box)
  local middleX, middleY = self.x + self.w / 2, self.y + self.h / 2
  local column = box.x + box.w < middleX and 1 or box.x > middleX and 2
  local row = box.y + box.h < middleY and 0 or box.y > middleY and 2
  return column and row and self.children[row + column]
end

function Node:insert(box)
  local child = self.children and self:index(box)
  if child then return child:insert(box) end
  table.insert(self.boxes, box)
  if self.children or #self.boxes <= CAPACITY or self.level == DEEPEST then return end
  local boxes = self.boxes
  self.boxes = {}
  self:split()
  for _, each in ipairs(boxes) do self:insert(each) end
end

-- Appends the boxes of each node that a box reaches into: all that may overlap it.
function Node:retrieve(box, found)
  for _, each in ipairs(self.boxes) do found[#found + 1] = each end
  if not self.children then return found end
  local middleX, middleY = self.x + self.w / 2, self.y + self.h / 2
  local left, right = box.x <= middleX, box.x + box.w >= middleX
  local top, bottom = box.y <= middleY, box.y + box.h >= middleY
  if top and left then self.children[1]:retrieve(box, found) end
  if top and right then self.children[2]:retrieve(box, found) end
  if bottom and left then self.children[3]:retrieve(box, found) end
  if bottom and right then self.children[4]:retrieve(box, found) end
  return found
end

return Node
