---@meta sat.hc

-- What `require "sat.hc"` gives: the API of HC on sat. This file is never run. The Lua language server reads it for its
-- hints, `make docs` makes the reference of it, and the specs hold it against the module and run its examples.

-- # sat.hc
--
-- The API of [HC](https://github.com/vrld/HC) on sat. The methods of a collider are functions of the module, too, with a dot
-- in place of the colon: they are those of one collider that is there from the start. The guide tells where answers differ
-- from HC's.

---@class sat.hc
---@field resetHash fun(cell_size?: number): sat.hc.Collider
---@field hash fun(): sat.hc.Hash
---@field register fun(shape: table): table
---@field remove fun(shape: table): sat.hc.Collider
---@field rectangle fun(x: number, y: number, w: number, h: number): sat.hc.Shape
---@field polygon fun(...: number): sat.hc.Shape
---@field circle fun(x: number, y: number, radius: number): sat.hc.Shape
---@field point fun(x: number, y: number): sat.hc.Shape
---@field neighbors fun(shape: table): table<table, table>
---@field collisions fun(shape: table): table<table, sat.hc.Vector>
---@field shapesAt fun(x: number, y: number): table<table, table>
---@field raycast fun(x: number, y: number, dx: number, dy: number, range: number): table<table, sat.hc.Point[]>
---@overload fun(cell_size?: number): sat.hc.Collider
local HC = {}

---A vector by its names and by its numbers.
---@class sat.hc.Vector
---@field x number
---@field y number
---@field [1] number
---@field [2] number

---@class sat.hc.Point
---@field x number
---@field y number

---A set of shapes, with boxes around them.
---@class sat.hc.Collider
local Collider = {}

---A shape is a table: give it fields of your own, whose names do not begin with an underscore.
---@class sat.hc.Shape
local Shape = {}

---Objects of any kind with a box each, by the cells of a grid that the boxes lie in.
---@class sat.hc.Hash
---@field cell_size number
local Hash = {}

-- ## Colliders

---Makes a collider of its own.
---
---Errors: a size that is not from 1e-15 to 1e15. Cost: O(1).
---
---```lua
---local HC = require "sat.hc"
---print(next(HC.new(150):hash():shapes())) --> nil
---```
---@param cell_size? number the side of the cells by which `neighbors` goes, 100 unless given
---@return sat.hc.Collider collider
function HC.new(cell_size) end

---Makes an index of boxes that belongs to no collider.
---
---Errors: a size that is not from 1e-15 to 1e15. Cost: O(1).
---
---```lua
---local HC = require "sat.hc"
---local hash = HC.spatialhash(50)
---hash:register("box", 10, 10, 20, 20)
---print(hash:cellAt(40, 40).box) --> box
---```
---@param cell_size? number 100 unless given
---@return sat.hc.Hash hash
function HC.spatialhash(cell_size) end

---Adds a rectangle by its upper left corner and its sides.
---
---Errors: a rectangle without an area. Cost: O(log n) amortised.
---
---```lua
---local HC = require "sat.hc"
---local collider = HC.new()
---print(collider:rectangle(0, 0, 20, 10):center()) --> 10 5
---```
---@param x number
---@param y number
---@param w number
---@param h number
---@return sat.hc.Shape shape
function Collider:rectangle(x, y, w, h) end

---Adds a simple polygon, convex or not.
---
---Errors: those of `sat.polygon`. Cost: that of `sat.polygon`.
---
---```lua
---local HC = require "sat.hc"
---local collider = HC.new()
---print(collider:polygon(0, 0, 30, 0, 0, 30):center()) --> 10 10
---```
---@param ... number x1, y1, x2, y2 and so on
---@return sat.hc.Shape shape
function Collider:polygon(...) end

---Adds a circle.
---
---Errors: a radius that is not positive. Cost: O(log n) amortised.
---
---```lua
---local HC = require "sat.hc"
---local collider = HC.new()
---print(collider:circle(0, 0, 10):bbox()) --> -10 -10 10 10
---```
---@param x number
---@param y number
---@param radius number
---@return sat.hc.Shape shape
function Collider:circle(x, y, radius) end

---Adds a point.
---
---Cost: O(log n) amortised.
---
---```lua
---local HC = require "sat.hc"
---local collider = HC.new()
---local wall = collider:rectangle(0, 0, 20, 10)
---print(collider:point(5, 2):collidesWith(wall)) --> true 0 -2
---```
---@param x number
---@param y number
---@return sat.hc.Shape shape
function Collider:point(x, y) end

---Adds a shape of the game's own: any table with the methods `move`, `rotate`, `scale`, `bbox` and `collidesWith`. The first
---three are replaced by functions that call them and then move the box of the shape.
---
---Errors: no such table. Cost: O(log n) amortised.
---
---```lua
---local HC = require "sat.hc"
---local collider = HC.new()
---local all = { bbox = function() return 0, 0, 9, 9 end, collidesWith = function() return true, 0, 1 end }
---for _, name in ipairs { "move", "rotate", "scale" } do all[name] = function() end end
---collider:register(all)
---print(collider:collisions(collider:circle(5, 5, 1))[all].y) --> -1
---```
---@param shape table
---@return table shape
function Collider:register(shape) end

---Removes a shape. To move, turn or scale it is an error from then on.
---
---Cost: O(log n).
---
---```lua
---local HC = require "sat.hc"
---local collider = HC.new()
---local ball = collider:circle(0, 0, 10)
---collider:remove(ball)
---print(next(collider:shapesAt(0, 0)), (pcall(ball.move, ball, 1, 1))) --> nil false
---```
---@param shape table
---@return sat.hc.Collider self
function Collider:remove(shape) end

---The shapes that collide with a shape, as the keys of a table, each with the vector by which the shape leaves it.
---
---Cost: O(log n + k) for k boxes near the shape.
---
---```lua
---local HC = require "sat.hc"
---local collider = HC.new()
---local wall, ball = collider:rectangle(0, 0, 20, 10), collider:circle(10, -8, 10)
---for other, vector in pairs(collider:collisions(ball)) do print(other == wall, vector.x, vector.y) end --> true 0 -2
---```
---@param shape table
---@return table<table, sat.hc.Vector> vectors
function Collider:collisions(shape) end

---The other shapes that have a cell of the grid in common with the box of a shape, as keys and as values.
---
---Cost: O(log n + k) for k boxes near the cells.
---
---```lua
---local HC = require "sat.hc"
---local collider = HC.new()
---local wall, ball = collider:rectangle(0, 0, 20, 10), collider:circle(60, 60, 10)
---print(collider:neighbors(ball)[wall] == wall) --> true
---```
---@param shape table
---@return table<table, table> set
function Collider:neighbors(shape) end

---The shapes that contain a point, as keys and as values.
---
---Cost: O(log n + k).
---
---```lua
---local HC = require "sat.hc"
---local collider = HC.new()
---local wall = collider:rectangle(0, 0, 20, 10)
---print(collider:shapesAt(5, 5)[wall] == wall, next(collider:shapesAt(50, 5))) --> true nil
---```
---@param x number
---@param y number
---@return table<table, table> set
function Collider:shapesAt(x, y) end

---The shapes that a ray crosses, each with the list of the places where the ray crosses its outline.
---
---Cost: O(log n + k) for k boxes that the box of the ray touches.
---
---```lua
---local HC = require "sat.hc"
---local collider = HC.new()
---local wall = collider:rectangle(10, -5, 20, 10)
---local points = collider:raycast(0, 0, 1, 0, 20)[wall]
---print(#points, points[1].x, points[1].y) --> 1 10 0
---```
---@param x number
---@param y number
---@param dx number
---@param dy number
---@param range number how often the ray is as long as dx, dy
---@return table<table, sat.hc.Point[]> places
function Collider:raycast(x, y, dx, dy, range) end

---The index of the boxes.
---
---Cost: O(1).
---
---```lua
---local HC = require "sat.hc"
---local collider = HC.new()
---local ball = collider:circle(0, 0, 10)
---print(collider:hash():shapes()[ball] == ball) --> true
---```
---@return sat.hc.Hash hash
function Collider:hash() end

---Begins with an empty index. The shapes of before collide with nothing from then on.
---
---Errors: a size that is not from 1e-15 to 1e15. Cost: O(1).
---
---```lua
---local HC = require "sat.hc"
---local collider = HC.new()
---local ball = collider:circle(0, 0, 10)
---collider:resetHash()
---print(next(collider:shapesAt(0, 0))) --> nil
---```
---@param cell_size? number 100 unless given
---@return sat.hc.Collider self
function Collider:resetHash(cell_size) end

-- ## Shapes

---Moves the shape by a vector.
---
---Errors: those of `shape:move` of sat. Cost: O(1).
---
---```lua
---local HC = require "sat.hc"
---local box = HC.rectangle(0, 0, 20, 10)
---print(box:move(5, 5):center()) --> 15 10
---```
---@param dx number
---@param dy number
---@return sat.hc.Shape self
function Shape:move(dx, dy) end

---Puts the centre of the shape somewhere.
---
---Errors: those of `move`. Cost: O(1).
---
---```lua
---local HC = require "sat.hc"
---local box = HC.rectangle(0, 0, 20, 10)
---print(box:moveTo(0, 0):bbox()) --> -10 -5 10 5
---```
---@param x number
---@param y number
---@return sat.hc.Shape self
function Shape:moveTo(x, y) end

---Turns the shape by an angle about its centre or another point.
---
---Errors: those of `shape:rotate` of sat. Cost: O(1).
---
---```lua
---local HC = require "sat.hc"
---local box = HC.rectangle(0, 0, 20, 10)
---print(("%.0f %.0f"):format(box:rotate(math.pi, 0, 0):center())) --> -10 -5
---```
---@param angle number radians
---@param x? number
---@param y? number
---@return sat.hc.Shape self
function Shape:rotate(angle, x, y) end

---Turns the shape so that its rotation is an angle.
---
---Errors: those of `rotate`. Cost: O(1).
---
---```lua
---local HC = require "sat.hc"
---local box = HC.rectangle(0, 0, 20, 10)
---print(box:rotate(1):setRotation(0.5):rotation()) --> 0.5
---```
---@param angle number radians
---@param x? number
---@param y? number
---@return sat.hc.Shape self
function Shape:setRotation(angle, x, y) end

---The sum of all angles by which the shape was turned.
---
---Cost: O(1).
---
---```lua
---local HC = require "sat.hc"
---local box = HC.rectangle(0, 0, 20, 10)
---print(box:rotate(4):rotate(4):rotation()) --> 8
---```
---@return number angle
function Shape:rotation() end

---Scales the shape about its centre.
---
---Errors: a factor that is not above 0. Cost: O(n) for n vertices.
---
---```lua
---local HC = require "sat.hc"
---local box = HC.rectangle(0, 0, 20, 10)
---print(box:scale(2):bbox()) --> -10 -5 30 15
---```
---@param factor number
---@return sat.hc.Shape self
function Shape:scale(factor) end

---The centre of the shape.
---
---Cost: O(1).
---
---```lua
---local HC = require "sat.hc"
---local box = HC.rectangle(0, 0, 20, 10)
---print(box:center()) --> 10 5
---```
---@return number x
---@return number y
function Shape:center() end

---A circle around the shape.
---
---Cost: O(1).
---
---```lua
---local HC = require "sat.hc"
---local box = HC.rectangle(0, 0, 20, 10)
---print(HC.circle(1, 2, 3):outcircle()) --> 1 2 3
---```
---@return number x
---@return number y
---@return number radius
function Shape:outcircle() end

---The box around the shape, by two corners.
---
---Cost: O(1).
---
---```lua
---local HC = require "sat.hc"
---local box = HC.rectangle(0, 0, 20, 10)
---print(box:bbox()) --> 0 0 20 10
---```
---@return number x1
---@return number y1
---@return number x2
---@return number y2
function Shape:bbox() end

---The place of the shape that is farthest along a vector.
---
---Cost: O(n) for n vertices.
---
---```lua
---local HC = require "sat.hc"
---local box = HC.rectangle(0, 0, 20, 10)
---print(box:support(1, 1)) --> 20 10
---```
---@param dx number
---@param dy number
---@return number x
---@return number y
function Shape:support(dx, dy) end

---Whether the shape contains a point.
---
---Cost: O(n) for n vertices.
---
---```lua
---local HC = require "sat.hc"
---local box = HC.rectangle(0, 0, 20, 10)
---print(box:contains(5, 5), box:contains(5, 15)) --> true false
---```
---@param x number
---@param y number
---@return boolean
function Shape:contains(x, y) end

---Whether two shapes overlap, and the vector by which this shape leaves the other one. Shapes that only touch do not
---collide.
---
---Cost: that of `sat.collide`.
---
---```lua
---local HC = require "sat.hc"
---local box = HC.rectangle(0, 0, 20, 10)
---print(box:collidesWith(HC.circle(10, 18, 10))) --> true 0 -2
---```
---@param other table
---@return boolean collides
---@return number? dx
---@return number? dy
function Shape:collidesWith(other) end

---Where a ray crosses the outline: all t of 0 and more of the places x + t dx, y + t dy.
---
---Cost: O(n) for n vertices.
---
---```lua
---local HC = require "sat.hc"
---local box = HC.rectangle(0, 0, 20, 10)
---table.sort(box:intersectionsWithRay(-10, 5, 10, 0))
---print(#box:intersectionsWithRay(-10, 5, 10, 0), #box:intersectionsWithRay(10, 5, 10, 0)) --> 2 1
---```
---@param x number
---@param y number
---@param dx number
---@param dy number
---@return number[] list
function Shape:intersectionsWithRay(x, y, dx, dy) end

---Whether a ray crosses the outline, and the least t of `intersectionsWithRay`.
---
---Cost: O(n) for n vertices.
---
---```lua
---local HC = require "sat.hc"
---local box = HC.rectangle(0, 0, 20, 10)
---print(box:intersectsRay(-10, 5, 10, 0)) --> true 1
---```
---@param x number
---@param y number
---@param dx number
---@param dy number
---@return boolean crosses
---@return number t
function Shape:intersectsRay(x, y, dx, dy) end

---Draws the shape with `love.graphics`. The option is the number of segments of a circle, or for a concave polygon whether the
---outlines of its pieces are drawn, too.
---
---Errors: another mode; there is no love.graphics. Cost: O(n) for n vertices.
---
---```lua
---local HC = require "sat.hc"
---local box = HC.rectangle(0, 0, 20, 10)
---print((pcall(box.draw, box, "dots"))) --> false
---```
---@param mode? "line"|"fill" `"line"` unless given
---@param option? number|boolean
function Shape:draw(mode, option) end

---The constructors of shapes that belong to no collider.
---@class sat.hc.Shapes
local shapes = {}
HC.shapes = shapes

---Makes a polygon that belongs to no collider.
---
---Errors: those of `sat.polygon`. Cost: that of `sat.polygon`.
---
---```lua
---local HC = require "sat.hc"
---local triangle = HC.shapes.newPolygonShape(0, 0, 30, 0, 0, 30)
---print(triangle:contains(5, 5)) --> true
---```
---@param ... number
---@return sat.hc.Shape shape
function shapes.newPolygonShape(...) end

---Makes a circle that belongs to no collider.
---
---Errors: a radius that is not positive. Cost: O(1).
---
---```lua
---local HC = require "sat.hc"
---print(HC.shapes.newCircleShape(0, 0, 10):bbox()) --> -10 -10 10 10
---```
---@param x number
---@param y number
---@param radius number
---@return sat.hc.Shape shape
function shapes.newCircleShape(x, y, radius) end

---Makes a point that belongs to no collider.
---
---Cost: O(1).
---
---```lua
---local HC = require "sat.hc"
---print(HC.shapes.newPointShape(1, 2):center()) --> 1 2
---```
---@param x number
---@param y number
---@return sat.hc.Shape shape
function shapes.newPointShape(x, y) end

-- ## The index

---Adds an object with a box, or gives it another one.
---
---Errors: a box without numbers. Cost: O(log n) amortised.
---
---```lua
---local HC = require "sat.hc"
---local hash = HC.spatialhash(10)
---hash:register("a", 0, 0, 5, 5)
---print(hash:shapes().a) --> a
---```
---@param object any
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
function Hash:register(object, x1, y1, x2, y2) end

---Gives an object another box. The box of before may be anything.
---
---Errors: a box without numbers. Cost: O(1).
---
---```lua
---local HC = require "sat.hc"
---local hash = HC.spatialhash(10)
---hash:register("a", 0, 0, 5, 5)
---hash:update("a", 0, 0, 5, 5, 90, 90, 95, 95)
---print(hash:cellAt(1, 1).a, hash:cellAt(91, 91).a) --> nil a
---```
---@param object any
---@param old_x1 number
---@param old_y1 number
---@param old_x2 number
---@param old_y2 number
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
function Hash:update(object, old_x1, old_y1, old_x2, old_y2, x1, y1, x2, y2) end

---Removes an object. Its box need not be given.
---
---Cost: O(log n).
---
---```lua
---local HC = require "sat.hc"
---local hash = HC.spatialhash(10)
---hash:register("a", 0, 0, 5, 5)
---hash:remove("a")
---print(next(hash:shapes())) --> nil
---```
---@param object any
function Hash:remove(object) end

---All objects, as keys and as values.
---
---Cost: O(n).
---
---```lua
---local HC = require "sat.hc"
---local hash = HC.spatialhash(10)
---hash:register("a", 0, 0, 5, 5)
---print(hash:shapes().a) --> a
---```
---@return table set
function Hash:shapes() end

---The cell of a place.
---
---Cost: O(1).
---
---```lua
---local HC = require "sat.hc"
---local hash = HC.spatialhash(10)
---hash:register("a", 0, 0, 5, 5)
---print(hash:cellCoords(25, -5)) --> 2 -1
---```
---@param x number
---@param y number
---@return integer column
---@return integer row
function Hash:cellCoords(x, y) end

---The objects in a cell, as keys and as values.
---
---Cost: O(log n + k).
---
---```lua
---local HC = require "sat.hc"
---local hash = HC.spatialhash(10)
---hash:register("a", 0, 0, 5, 5)
---print(hash:cell(0, 0).a, hash:cell(1, 0).a) --> a nil
---```
---@param column integer
---@param row integer
---@return table set
function Hash:cell(column, row) end

---The objects in the cell of a place.
---
---Cost: O(log n + k).
---
---```lua
---local HC = require "sat.hc"
---local hash = HC.spatialhash(10)
---hash:register("a", 0, 0, 5, 5)
---print(hash:cellAt(9, 9).a) --> a
---```
---@param x number
---@param y number
---@return table set
function Hash:cellAt(x, y) end

---The objects that have a cell in common with a box.
---
---Cost: O(log n + k).
---
---```lua
---local HC = require "sat.hc"
---local hash = HC.spatialhash(10)
---hash:register("a", 0, 0, 5, 5)
---print(hash:inSameCells(9, 9, 50, 50).a) --> a
---```
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@return table set
function Hash:inSameCells(x1, y1, x2, y2) end

---The places where a segment crosses the outlines of shapes, in order: a list of lists of the shape, the distance from the
---first end, x and y.
---
---Cost: O(log n + k log k).
---
---```lua
---local HC = require "sat.hc"
---local collider = HC.new()
---collider:rectangle(10, -5, 20, 10)
---local list = collider:hash():intersectionsWithSegment(0, 0, 50, 0)
---print(#list, list[1][2], list[2][2]) --> 2 10 30
---```
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@return table[] places
function Hash:intersectionsWithSegment(x1, y1, x2, y2) end

---Draws the cells that have objects.
---
---Errors: there is no love.graphics. Cost: O(the cells).
---
---```lua
---local HC = require "sat.hc"
---local hash = HC.spatialhash(10)
---hash:register("a", 0, 0, 5, 5)
---print(pcall(hash.draw, hash) == (love ~= nil)) --> true
---```
---@param mode? "line"|"fill" `"line"` unless given
---@param show_empty? boolean there are no empty cells
---@param print_key? boolean whether the numbers of cells are printed
function Hash:draw(mode, show_empty, print_key) end

return HC
