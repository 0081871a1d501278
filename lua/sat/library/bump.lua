---@meta sat.bump

-- What `require "sat.bump"` gives: the API of bump.lua 3.1.7 on a world of sat. This file is never run. The Lua language
-- server reads it for its hints, `make docs` makes the reference of it, and the specs hold it against the module and run
-- its examples.

-- # sat.bump
--
-- The API of [bump.lua](https://github.com/kikito/bump.lua) 3.1.7 on a world of sat, for items of any shape. The guide tells
-- where answers differ from bump's. An item is any value but nil; it is in a world once.

---@class sat.bump
local bump = {}

-- ## Worlds

---A name for how an item responds to another: a response of bump's or one of the game's own.
---@alias sat.bump.Response "slide"|"touch"|"bounce"|"cross"|string

---A vector or a box, as bump has them.
---@class sat.bump.Point
---@field x number
---@field y number

---@class sat.bump.Rect: sat.bump.Point
---@field w number
---@field h number

---One collision of a move: `touch` is where the item's corner was when it touched, `slide` or `bounce` where it went on to.
---@class sat.bump.Collision
---@field item any
---@field other any
---@field type sat.bump.Response
---@field overlaps boolean whether the item was inside of the other at first
---@field ti number the fraction of this part of the way; minus the common area where they overlapped
---@field move sat.bump.Point this part of the way
---@field normal sat.bump.Point the unit normal, out of the other
---@field touch sat.bump.Point
---@field itemRect sat.bump.Rect where this part of the way began
---@field otherRect sat.bump.Rect
---@field slide? sat.bump.Point
---@field bounce? sat.bump.Point

---A box and a segment: where the segment enters and leaves.
---@class sat.bump.SegmentInfo
---@field item any
---@field ti1 number the fraction of the segment where it enters
---@field ti2 number where it leaves
---@field x1 number
---@field y1 number
---@field x2 number
---@field y2 number

---A world of items, in whose field `sat` is the world of sat.
---@class sat.bump.World
---@field sat sat.World
---@field cellSize number
local World = {}

---A world without items.
---
---Errors: a size that is not from 1e-15 to 1e15. Cost: O(1).
---
---```lua
---local bump = require "sat.bump"
---print(bump.newWorld(32):countItems()) --> 0
---```
---@param cellSize? number for `toCell` and `toWorld` alone, 64 unless given
---@return sat.bump.World world
function bump.newWorld(cellSize) end

---Adds an item with a box, or with any shape of sat.
---
---Errors: an item that is in the world already; sides that are not positive; a shape in a world. Cost: O(log n) amortised.
---
---```lua
---local sat, bump = require "sat", require "sat.bump"
---local world = bump.newWorld()
---world:add("floor", 0, 100, 320, 20)
---print(world:add("ball", sat.circle(20, 20, 10))) --> ball
---```
---@param item any
---@param x number
---@param y number
---@param w number
---@param h number
---@return any item
---@overload fun(self: sat.bump.World, item: any, shape: sat.Shape): any
function World:add(item, x, y, w, h) end

---Removes an item.
---
---Errors: an item that is not in the world. Cost: O(log n).
---
---```lua
---local bump = require "sat.bump"
---local world = bump.newWorld()
---world:add("coin", 0, 0, 8, 8)
---world:remove("coin")
---print(world:hasItem("coin")) --> false
---```
---@param item any
function World:remove(item) end

---Puts an item somewhere else, whatever is there; a box may get another size, too.
---
---Errors: an item that is not in the world; a size for an item that has a shape of its own. Cost: O(1), with another size
---O(log n).
---
---```lua
---local bump = require "sat.bump"
---local world = bump.newWorld()
---world:add("hero", 0, 0, 8, 16)
---world:update("hero", 20, 8, 8, 8)
---print(world:getRect("hero")) --> 20 8 8 8
---```
---@param item any
---@param x number
---@param y number
---@param w? number
---@param h? number
function World:update(item, x, y, w, h) end

-- ## Moving

---Moves an item towards a goal as far as the filter's responses let it.
---
---Errors: an item that is not in the world; a response that the world does not have. Cost: that of `world:move` of sat, and
---a table for each collision.
---
---```lua
---local bump = require "sat.bump"
---local world = bump.newWorld()
---world:add("floor", 0, 100, 320, 20)
---world:add("hero", 0, 80, 10, 10)
---local x, y, cols, len = world:move("hero", 30, 100)
---print(x, y, len, cols[1].other, cols[1].normal.y) --> 30 90 1 floor -1
---```
---@param item any
---@param goalX? number where its box's corner is to come
---@param goalY? number
---@param filter? fun(item: any, other: any): sat.bump.Response|false|nil slides unless given; false or nil: as if the other were not there
---@return number x where the corner has come
---@return number y
---@return sat.bump.Collision[] cols
---@return integer len how many there are
function World:move(item, goalX, goalY, filter) end

---What `move` would answer. Nothing moves.
---
---Errors: as `move`. Cost: as `move`.
---
---```lua
---local bump = require "sat.bump"
---local world = bump.newWorld()
---world:add("hero", 0, 80, 10, 10)
---local x, y = world:check("hero", 30, 100)
---print(x, y, world:getRect("hero")) --> 30 100 0 80 10 10
---```
---@param item any
---@param goalX? number
---@param goalY? number
---@param filter? fun(item: any, other: any): sat.bump.Response|false|nil
---@return number x
---@return number y
---@return sat.bump.Collision[] cols
---@return integer len
function World:check(item, goalX, goalY, filter) end

---What a box, or the shape of an item, meets on its straight way to a goal, in order. Nothing moves or responds.
---
---Errors: sides that are not positive. Cost: O(log n + k log k) for k items near the way.
---
---```lua
---local bump = require "sat.bump"
---local world = bump.newWorld()
---world:add("near", 50, 0, 10, 10)
---world:add("far", 80, 0, 10, 10)
---local cols, len = world:project(nil, 0, 0, 10, 10, 100, 0)
---print(len, cols[1].other, cols[1].ti, cols[2].other) --> 2 near 0.4 far
---```
---@param item any nil for a box that is no item
---@param x number
---@param y number
---@param w number
---@param h number
---@param goalX? number
---@param goalY? number
---@param filter? fun(item: any, other: any): sat.bump.Response|false|nil
---@return sat.bump.Collision[] cols
---@return integer len
function World:project(item, x, y, w, h, goalX, goalY, filter) end

---Adds a response that filters may name, or replaces one: `function(world, col, x, y, w, h, goalX, goalY, filter)` returns
---the new goal and what `project` finds on the way there.
---
---Cost: O(1).
---
---```lua
---local bump = require "sat.bump"
---local world = bump.newWorld()
---world:addResponse("stop short", function(_, col) return col.touch.x - 1, col.touch.y, {}, 0 end)
---world:add("wall", 50, 0, 10, 10)
---world:add("hero", 0, 0, 10, 10)
---print((world:move("hero", 90, 0, function() return "stop short" end))) --> 39
---```
---@param name string
---@param response fun(world: sat.bump.World, col: sat.bump.Collision, x: number, y: number, w: number, h: number, goalX: number, goalY: number, filter: function): number, number, sat.bump.Collision[], integer
function World:addResponse(name, response) end

-- ## Queries

---The items at a point. A box counts only if the point lies inside it, not on its border.
---
---Cost: O(log n + k), as a rule.
---
---```lua
---local bump = require "sat.bump"
---local world = bump.newWorld()
---world:add("card", 0, 0, 30, 20)
---print(world:queryPoint(5, 5)[1], #world:queryPoint(0, 0)) --> card 0
---```
---@param x number
---@param y number
---@param filter? fun(item: any): any
---@return any[] items
---@return integer len
function World:queryPoint(x, y, filter) end

---The items that overlap a box.
---
---Errors: sides that are not positive. Cost: O(log n + k), as a rule.
---
---```lua
---local bump = require "sat.bump"
---local world = bump.newWorld()
---world:add("card", 0, 0, 30, 20)
---print(#world:queryRect(20, 10, 50, 50), #world:queryRect(30, 0, 50, 50)) --> 1 0
---```
---@param x number
---@param y number
---@param w number
---@param h number
---@param filter? fun(item: any): any
---@return any[] items
---@return integer len
function World:queryRect(x, y, w, h, filter) end

---The items that a segment crosses, nearest to its start first.
---
---Cost: O(log n + k log k), as a rule.
---
---```lua
---local bump = require "sat.bump"
---local world = bump.newWorld()
---world:add("far", 80, 0, 10, 10)
---world:add("near", 50, 0, 10, 10)
---print(world:querySegment(0, 5, 100, 5)[1]) --> near
---```
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param filter? fun(item: any): any
---@return any[] items
---@return integer len
function World:querySegment(x1, y1, x2, y2, filter) end

---The same, with where the segment enters and leaves each item.
---
---Cost: as `querySegment`.
---
---```lua
---local bump = require "sat.bump"
---local world = bump.newWorld()
---world:add("wall", 50, 0, 10, 10)
---local info = world:querySegmentWithCoords(0, 5, 100, 5)[1]
---print(info.item, info.x1, info.x2, info.ti1) --> wall 50 60 0.5
---```
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param filter? fun(item: any): any
---@return sat.bump.SegmentInfo[] infos
---@return integer len
function World:querySegmentWithCoords(x1, y1, x2, y2, filter) end

-- ## Items

---Whether an item is in the world.
---
---Cost: O(1).
---
---```lua
---local bump = require "sat.bump"
---print(bump.newWorld():hasItem("hero")) --> false
---```
---@param item any
---@return boolean
function World:hasItem(item) end

---How many items there are.
---
---Cost: O(1).
---
---```lua
---local bump = require "sat.bump"
---print(bump.newWorld():countItems()) --> 0
---```
---@return integer
function World:countItems() end

---All items in the order of adding, except that a new item takes the lowest place that a removed one has left.
---
---Cost: O(n).
---
---```lua
---local bump = require "sat.bump"
---local world = bump.newWorld()
---world:add("b", 0, 0, 1, 1)
---world:add("a", 5, 5, 1, 1)
---local items, len = world:getItems()
---print(items[1], items[2], len) --> b a 2
---```
---@return any[] items
---@return integer len
function World:getItems() end

---The box of an item, or around its shape.
---
---Errors: an item that is not in the world. Cost: O(1).
---
---```lua
---local bump = require "sat.bump"
---local world = bump.newWorld()
---world:add("hero", 1, 2, 3, 4)
---print(world:getRect("hero")) --> 1 2 3 4
---```
---@param item any
---@return number x
---@return number y
---@return number w
---@return number h
function World:getRect(item) end

---The shape of an item, to make it a sensor or one-way, to filter or to draw it. The game moves the item by `update` and
---`move` of this world, and never the shape itself.
---
---Errors: an item that is not in the world. Cost: O(1).
---
---```lua
---local bump = require "sat.bump"
---local world = bump.newWorld()
---world:add("plank", 0, 0, 50, 4)
---world:getShape("plank"):setOneWay(0, -1)
---print(world:getShape("plank"):oneWay()) --> 0 -1
---```
---@param item any
---@return sat.Shape shape
function World:getShape(item) end

-- ## Cells

---The cell of a point in a grid of `cellSize`, from 1.
---
---Cost: O(1).
---
---```lua
---local bump = require "sat.bump"
---print(bump.newWorld(64):toCell(64, -1)) --> 2 0
---```
---@param x number
---@param y number
---@return integer column
---@return integer row
function World:toCell(x, y) end

---The top-left corner of a cell.
---
---Cost: O(1).
---
---```lua
---local bump = require "sat.bump"
---print(bump.newWorld(64):toWorld(2, 1)) --> 64 0
---```
---@param column integer
---@param row integer
---@return number x
---@return number y
function World:toWorld(column, row) end

---How many cells the boxes of all items cover.
---
---Cost: O(n log n), however small the cells are.
---
---```lua
---local bump = require "sat.bump"
---local world = bump.newWorld(64)
---world:add("wall", 0, 0, 100, 10)
---print(world:countCells()) --> 2
---```
---@return integer
function World:countCells() end

return bump
