---@meta sat

-- What `require "sat"` gives: every function with its arguments, results, errors and cost. This file is never run. The
-- Lua language server reads it for its hints, `make docs` makes the reference of it, and the specs hold it against the
-- module and run its examples, in which `sat` is the module.
--
-- A comment that begins with # or ## is a heading of the reference, and its other lines are the text below that.

-- # Rules that hold everywhere
--
-- **Units** are yours, pixels mostly. All numbers are doubles. Shapes of 0.001 to 1,000,000 units at coordinates up to
-- ±1e7 work, and there is nothing to tune. Angles are radians, positive from +x towards +y, which is clockwise on
-- LÖVE's screen.
--
-- **Arguments.** A box is `x, y, w, h` with its top-left (smallest x, smallest y) corner. Vertices are
-- `x1, y1, x2, y2, …` or one flat table of them, in either winding.
--
-- **Results** are plain values. "None" is one `nil`. A function that returns a list takes a table of yours as `out`: it
-- fills that table from 1 to n, empties it behind n, and makes no new one. A method that changes an object returns the
-- object, so that calls chain.
--
-- **Touching counts** as colliding, with depth 0. Between shapes without a radius a touch is decided exactly for the
-- vertices as stored. Until it is turned or scaled, a shape whose vertices are whole numbers keeps exactly these vertices,
-- plus its moves.
-- `overlaps`, `collide`, `contacts`, `distance` and `contains` never disagree.
--
-- **Vectors and normals** of two shapes point out of `b`, towards `a`: after `a:move(dx, dy)` the two only touch. Where
-- only real overlaps count, act when `depth > 0`.
--
-- **Errors.** Every wrong argument is a Lua error that names the argument and the reason, and nothing has changed. A value of
-- a wrong type, a missing number, NaN, infinity, and a number beyond ±1e15 are wrong everywhere, and so is a call that
-- would take a shape, its radius included, beyond ±1e15. A string is never taken for a number. *Errors* below lists only
-- the other causes. A question that finds nothing is no error.
--
-- **Unknown names.** Reading a field that `sat`, a shape, a world or a quadtree does not have is an error, too, whose
-- message names the nearest one: `center` for `shape.getPosition`, `circle` for `sat.newCircle`. Code that only wants to
-- know whether `sat` has a name asks `rawget(sat, name)`; `sat.type(value)` tells what a value is. A key that is no string,
-- or a name that begins with two underscores, gives nil, since tools look for metamethods there.
--
-- **Cost** is given in n, the number of vertices, items or shapes, and k, the number of results. Once warm, nothing
-- makes garbage but constructors, `clone`, `pieces`, `part`, `tostring`, lists that you give no table for, and loops that are
-- left by `break` or an error.
--
-- In the examples `sat` is `require "sat"`, and what a line prints stands behind it.

---@class sat
local sat = {}

-- # Shapes
--
-- Every convex shape is a set of one, two or more vertices and a radius, and nothing else. Concave polygons, compounds
-- and chains consist of several convex pieces and move, turn and answer as one. A shape keeps its geometry as it was
-- given, and a transform: a million small turns do not distort it.

---A shape is a userdata without fields: keep a value of your own with `setData`. `tostring(shape)` describes the shape, and
---`a == b` is true only for the same object.
---@class sat.Shape: userdata
local Shape = {}

---@alias sat.Kind "point"|"circle"|"segment"|"capsule"|"polygon"|"chain"|"compound"

-- ## Making them
--
-- Zero is allowed where the result still makes sense: a radius of 0, a segment or capsule without length. A rectangle,
-- polygon or hull needs area. Rings of vertices are cleaned: repeated neighbours, a closing vertex equal to the first,
-- vertices on a straight line and spikes without width are dropped.

---A simple polygon, convex or concave, with any number of vertices.
---
---A concave polygon is split into convex pieces here, once; the questions know that the pieces belong together, so no
---shape catches on the seams.
---
---A polygon with holes is a table of rings: the outer one first, then the holes, each a flat table in either winding, as
---`sat.outline` gives them. Holes may touch the ring and each other. `vertices` gives one ring, in which bridges lead to the
---holes and back. A ring may touch itself at a vertex, or along such a bridge, which you may also write yourself.
---
---Errors: fewer than three distinct vertices; no area; two edges that cross, named by their vertices; a hole outside the
---ring or in another hole. Of a table of rings, the ring is named, too. Cost: O(n log n).
---
---```lua
---local ell = sat.polygon(0, 0, 30, 0, 30, 70, 100, 70, 100, 100, 0, 100)
---print(ell:isConvex(), #ell:pieces()) --> false 2
---print(ell:contains(60, 30))          --> false
---
---local frame = sat.polygon { { 0, 0, 9, 0, 9, 9, 0, 9 }, { 2, 2, 7, 2, 7, 7, 2, 7 } }
---print(frame:area(), frame:contains(5, 5)) --> 56 false
---```
---@param x1 number the first vertex
---@param y1 number
---@param x2 number
---@param y2 number
---@param x3 number
---@param y3 number
---@param ... number more vertices
---@return sat.Shape polygon of kind `"polygon"`
---@overload fun(vertices: number[]): sat.Shape
---@overload fun(rings: number[][]): sat.Shape
function sat.polygon(x1, y1, x2, y2, x3, y3, ...) end

---A rectangle, a polygon with four vertices.
---
---Errors: a side that is not above 0, or too small beside the coordinates. Cost: O(1).
---
---```lua
---print(sat.rectangle(10, 20, 40, 30):center())           --> 30 35
---print(sat.rectangle(0, 0, 40, 20, math.pi / 2):bounds()) --> 10 -10 20 40
---```
---@param x number the left side
---@param y number the top side
---@param w number the width, above 0
---@param h number the height, above 0
---@param angle? number the turn about its centre, 0 unless given
---@return sat.Shape polygon
function sat.rectangle(x, y, w, h, angle) end

---The regular n-gon around a centre, its first vertex at x + radius, y.
---
---Errors: a radius below 1e-100; an n that is no whole number from 3 to 1,000,000. Cost: O(n).
---
---```lua
---print(sat.regular(0, 0, 10, 4):unpack()) --> 10 0 0 10 -10 0 0 -10
---```
---@param x number the centre
---@param y number
---@param radius number from the centre to each vertex, above 0
---@param n integer the number of vertices
---@param angle? number the turn about its centre, 0 unless given
---@return sat.Shape polygon
function sat.regular(x, y, radius, n, angle) end

---The convex hull of any points, in any order.
---
---Errors: fewer than three distinct points; all points on one line. Cost: O(n log n).
---
---```lua
---print(sat.hull(0, 0, 9, 0, 4, 3, 9, 9, 0, 9):unpack()) --> 0 0 9 0 9 9 0 9
---```
---@param x1 number the first point
---@param y1 number
---@param x2 number
---@param y2 number
---@param x3 number
---@param y3 number
---@param ... number more points
---@return sat.Shape polygon
---@overload fun(points: number[]): sat.Shape
function sat.hull(x1, y1, x2, y2, x3, y3, ...) end

---A circle, which is a point that is rounded. A circle of radius 0 is a point.
---
---Errors: a negative radius, or one above 0 and below 1e-100. Cost: O(1).
---
---```lua
---print(sat.circle(5, 5, 3):contains(8, 5)) --> true
---```
---@param x number the centre
---@param y number
---@param radius number not negative
---@return sat.Shape circle
function sat.circle(x, y, radius) end

---An ellipse as a polygon whose vertices lie on it, as in `love.graphics.ellipse`.
---
---Errors: a radius below 1e-100; segments that are no whole number from 3 to 1,000,000. Cost: O(n).
---
---```lua
---print(sat.ellipse(0, 0, 20, 10):bounds())               --> -20 -10 40 20
---print(select("#", sat.ellipse(0, 0, 20, 10, 8):unpack())) --> 16
---```
---@param x number the centre
---@param y number
---@param rx number half the width, above 0
---@param ry number half the height, above 0
---@param segments? integer how many vertices, 32 unless given
---@return sat.Shape polygon
function sat.ellipse(x, y, rx, ry, segments) end

---A slice of a disc from an angle on to a larger one, as in `love.graphics.arc("pie")`: a polygon whose vertices lie on the
---arc. It ends at the centre, or at an inner arc. It is convex up to half a turn, and without an inner arc.
---
---Errors: a radius below 1e-100; `to` not above `from` by less than a turn; an inner radius not below the radius; segments
---that are no whole number from 3 to 1,000,000; a radius too small beside the coordinates. Cost: O(n), or O(n log n) if
---it is concave.
---
---```lua
---local cone = sat.sector(0, 0, 100, -0.5, 0.5)
---print(cone:contains(50, 20), cone:contains(50, 40), cone:isConvex()) --> true false true
---print(sat.sector(0, 0, 100, -0.5, 0.5, 30):contains(20, 0))          --> false
---```
---@param x number the centre
---@param y number
---@param radius number above 0
---@param from number an angle
---@param to number an angle above that, by less than a turn
---@param inner? number what is nearer than this is left out, 0 unless given
---@param segments? integer how many edges a whole turn would have, 32 unless given
---@return sat.Shape polygon
function sat.sector(x, y, radius, from, to, inner, segments) end

---What lies between two circles around one centre: a polygon with a hole, whose vertices lie on both circles.
---
---Errors: a radius below 1e-100; an inner radius not below the outer one; segments that are no whole number from 3 to
---1,000,000; radii too near each other beside the coordinates. Cost: O(n log n).
---
---```lua
---local ring = sat.ring(0, 0, 30, 40)
---print(ring:contains(35, 0), ring:contains(0, 0)) --> true false
---```
---@param x number the centre
---@param y number
---@param inner number above 0
---@param outer number above that
---@param segments? integer how many edges each circle has, 32 unless given
---@return sat.Shape polygon
function sat.ring(x, y, inner, outer, segments) end

---A capsule: all points within `radius` of a segment. A capsule without length is a circle, and a capsule of radius 0 a
---segment.
---
---Errors: a negative radius, or one above 0 and below 1e-100. Cost: O(1).
---
---```lua
---print(sat.capsule(0, 0, 10, 0, 2):bounds()) --> -2 -2 14 4
---```
---@param x1 number one end of the segment
---@param y1 number
---@param x2 number the other end
---@param y2 number
---@param radius number not negative
---@return sat.Shape capsule
function sat.capsule(x1, y1, x2, y2, radius) end

---A segment, without thickness. A segment without length is a point.
---
---Cost: O(1).
---
---```lua
---local laser = sat.segment(0, 0, 100, 0)
---print(laser:overlaps(sat.circle(50, 5, 5))) --> true
---```
---@param x1 number one end
---@param y1 number
---@param x2 number the other end
---@param y2 number
---@return sat.Shape segment
function sat.segment(x1, y1, x2, y2) end

---A point.
---
---Cost: O(1).
---
---```lua
---print(sat.point(3, 4):distance(sat.point(0, 0))) --> 5 3 4 0 0
---```
---@param x number
---@param y number
---@return sat.Shape point
function sat.point(x, y) end

---A run of segments without thickness, for terrain.
---
---The segments of a chain know their neighbours: a shape that slides along does not catch on a joint. A chain is its
---outline alone, even when it is closed: a shape inside does not touch it. Repeated neighbours are dropped. A radius, by
---`setRadius`, makes it a pipe.
---
---An open chain can be touched from both sides. A closed one of three points or more is one-sided: clockwise on the screen
---it is open outside, counterclockwise inside. A shape that overlaps it is pushed to its open side; casts and rays that
---come from behind pass through it.
---
---Errors: no vertices; no table. Cost: O(n log n).
---
---```lua
---local ground = sat.chain { 0, 100, 50, 100, 100, 80, 200, 80 }
---local box = sat.rectangle(40, 85, 20, 20)
---local _, _, depth = box:collide(ground)
---print(depth > 0, ground:area(), #ground:pieces()) --> true 0 3
---
---local arena = sat.chain({ 0, 0, 0, 100, 100, 100, 100, 0 }, true)
---print(#arena:pieces(), arena:contains(50, 50), arena:contains(100, 50)) --> 4 false true
---print(arena:raycast(50, 50, 150, 50)) --> 0.5 -1 0 3
---print(arena:raycast(150, 50, 50, 50)) --> nil
---```
---@param points number[] a flat table of at least one point
---@param closed? boolean whether a segment leads from the last point to the first, false unless given
---@return sat.Shape chain
function sat.chain(points, closed) end

---One rigid shape of copies of several, as they stand now, of any kind: convex, concave, compound or chain.
---
---Parts may overlap, abut or be apart. Where they overlap or abut they have one inside: no shape is pushed into a seam.
---The originals stay as they are; the compound does not take over their data, filters and flags.
---
---Errors: no shapes; more than 1,000,000; compounds in compounds more than 500 deep. Cost: O(n log n).
---
---```lua
---local hammer = sat.compound(sat.rectangle(8, 0, 4, 40), sat.rectangle(0, 0, 20, 10))
---print(hammer:kind(), #hammer:pieces()) --> compound 2
---print(hammer:bounds())                 --> 0 0 20 40
---print(hammer:contains(2, 20))          --> false
---```
---@param shape sat.Shape a part
---@param ... sat.Shape more parts
---@return sat.Shape compound
---@overload fun(shapes: sat.Shape[]): sat.Shape
function sat.compound(shape, ...) end

---Rounds a shape: it grows by the radius in every direction, and a radius of 0 makes it sharp again. For a circle or a
---capsule this sets its own radius. In a compound the radius is added to that of each piece.
---
---Errors: a negative radius, or one above 0 and below 1e-100. Cost: O(n).
---
---```lua
---local key = sat.rectangle(0, 0, 20, 20):setRadius(4)
---print(key:bounds())                              --> -4 -4 28 28
---print(key:contains(-4, 0), key:contains(-4, -4)) --> true false
---print(sat.circle(0, 0, 5):setRadius(7):radius()) --> 7
---```
---@param radius number not negative
---@return sat.Shape self
function Shape:setRadius(radius) end

---The radius that a shape is rounded by; 0 for a sharp one.
---
---Cost: O(1).
---
---```lua
---print(sat.capsule(0, 0, 9, 0, 2):radius(), sat.rectangle(0, 0, 5, 5):radius()) --> 2 0
---```
---@return number radius
function Shape:radius() end

-- ## Rings from images
--
-- An image, a map or any function of columns and rows becomes polygons in three steps: `sat.outline` finds the rings,
-- `sat.simplify` leaves out most of their vertices, and `sat.polygon` makes a shape of a ring with its holes.

---The outlines of what is solid in a grid of cells, as polygons with holes: each is a table `{ ring, hole, … }` for
---`sat.polygon`. A ring is a flat table of vertices of positive area, a hole one of negative area.
---
---Column 1 of row 1 is the square from 0, 0 to 1, 1: `shape:scale(size, 0, 0)` gives cells of another size. What lies outside
---of the grid is empty. Polygons and holes come in the order of their first cells, row by row.
---
---The source is a function, a flat table of the values row by row, or LÖVE's ImageData, whose values are the alpha of its
---pixels and which has its own width and height. Its functions may do anything, but not yield.
---
---Where values are `true`, `false` or `nil` the rings lead along the borders of the cells: their area is the number of cells
---that are `true`, exactly. Cells that only meet at a corner are apart, so that a ring may touch itself there.
---
---Where values are numbers, what is at least `threshold` is solid, and the rings are smooth: a vertex lies between the middles
---of two cells, where the value would be the threshold. Among numbers `nil` and `false` count as 0, like the outside, or for
---a threshold of 0 or less as 1 less than it. Rings never touch. Cells that only meet at a corner are joined if the mean of the four
---cells there is solid.
---
---Errors: a value of another type, NaN, or both numbers and `true`; a w or h that is no whole number from 1 to 16,384. An error
---in the source is passed on. Cost: O(w h).
---
---```lua
---local map = { "####", "#  #", "####   #" }
---local function isSolid(column, row) return map[row]:sub(column, column) == "#" end
---
---local polygons, n = sat.outline(isSolid, 8, 3)
---print(n, #polygons[1], #polygons[2])                           --> 2 2 1
---print(table.concat(polygons[1][1], " "))                       --> 0 0 4 0 4 3 0 3
---print(sat.polygon(polygons[1]):area())                         --> 10
---print(table.concat(sat.outline({ 1, 0.25, 0, 0 }, 2, 2)[1][1], " ", 1, 4)) --> 0.0 0.5 0.5 0.0
---```
---@param source fun(column: integer, row: integer): number|boolean|nil called row by row, columns and rows from 1 on
---@param w integer the number of columns
---@param h integer the number of rows
---@param threshold? number the least value that is solid, 0.5 unless given
---@return number[][][] polygons
---@return integer n how many
---@overload fun(values: any[], w: integer, h: integer, threshold?: number): number[][][], integer
---@overload fun(image: table|userdata, threshold?: number): number[][][], integer
function sat.outline(source, w, h, threshold) end

---The same rings with fewer vertices: what is left out lies within `tolerance` of the edge that replaces it.
---
---Takes one ring, a flat table of vertices, or a table of rings, or of polygons as `sat.outline` gives them, and returns a new
---table like it. The vertices that are left are the same numbers. The one that makes the least error goes first, of equal ones the
---first one. A vertex stays where another one, of any ring given, lies in the triangle that would be cut off or added. So simple rings
---stay simple, and rings that do not meet keep apart: give all rings of a map at once. Three vertices of each ring stay.
---A tolerance of 0 leaves out what lies on straight lines.
---
---With `open` the vertices are runs of points, for `sat.chain`, whose ends stay.
---
---Errors: a negative tolerance; a ring of fewer than three vertices, or a run of fewer than two. Cost: O(n log n), mostly.
---
---```lua
---local ring = { 0, 0, 5, 0.1, 10, 0, 10, 10, 0, 10 }
---print(#sat.simplify(ring, 0.05), #sat.simplify(ring, 0.2))                   --> 10 8
---print(table.concat(sat.simplify({ 0, 0, 1, 1, 2, 2, 3, 0 }, 0, true), " ")) --> 0 0 2 2 3 0
---```
---@param rings number[] a ring, rings, or polygons
---@param tolerance number the greatest distance, not negative
---@param open? boolean whether the vertices are open runs, false unless given
---@return number[] rings like those given
---@overload fun(rings: number[][], tolerance: number, open?: boolean): number[][]
---@overload fun(polygons: number[][][], tolerance: number, open?: boolean): number[][][]
function sat.simplify(rings, tolerance, open) end

-- ## Polygons cut, joined and repaired
--
-- Each of these calls takes two shapes or sets of rings, which may cross themselves and each other, and gives polygons that never do.

---What is in `a`, in `b`, or in both, as polygons: each is a table `{ ring, hole, … }` for `sat.polygon`.
---
---`a` and `b` are each a shape that consists of polygons (a polygon, or a compound of polygons), a ring, a table of rings, or of polygons
---as these calls and `sat.outline` give them. An empty table is nothing. Rings may cross themselves; `rule` says what they
---enclose: what they go round at all (`"nonzero"`), or an odd number of times (`"evenodd"`). Holes of negative area are holes
---by either rule.
---
---Whatever goes in, no two edges of what comes out cross, rings are simple, and polygons have no more than single points in common. A ring
---is a flat table of vertices of positive area, a hole one of negative area, each from its leftmost vertex on, without vertices on
---straight lines. The numbers are the same whatever the order of the two (but of `difference`) and of the rings, and a result given
---again is itself.
---
---Vertices lie on a grid of 1 / 2^40 of the power of two above the largest coordinate, some 1e-12 of it: coordinates of up to 40
---bits, as whole numbers and halves have, stay exactly, others and the crossings are rounded by half a width of the grid. Edges that are
---as near to a vertex as that are bent through it, and slivers thinner than that vanish.
---
---Errors: a number that is NaN, infinite or beyond 1e15; a shape with a radius, or with a part without area, as a chain; more
---than 1,000,000 edges, cut where they cross, or so many long edges side by side that two billion pairs would be looked at.
---Cost: O((n + k) log(n + k)) for k crossings, usually; long edges side by side are looked at pair by pair.
---
---```lua
---local room, hall = sat.rectangle(0, 0, 4, 4), sat.rectangle(3, 1, 6, 2)
---local polygons, n = sat.union(room, hall)
---print(n, table.concat(polygons[1][1], " ")) --> 1 0 0 4 0 4 1 9 1 9 3 4 3 4 4 0 4
---print(sat.polygon(polygons[1]):area())      --> 26
---print(select(2, sat.union({}, {})))         --> 0
---```
---@param a sat.Shape|number[]|number[][]|number[][][] a shape, a ring, rings, or polygons
---@param b sat.Shape|number[]|number[][]|number[][][] the same
---@param rule? "nonzero"|"evenodd" what is inside of rings, "nonzero" unless given
---@return number[][][] polygons
---@return integer n how many
function sat.union(a, b, rule) end

---What is in `a` and in `b`, as polygons. See `sat.union`. Cost: the same.
---
---```lua
---local view = { 0, 0, 8, 0, 8, 4, 0, 4 }
---print(table.concat(sat.intersection({ 6, 2, 12, 2, 12, 8, 6, 8 }, view)[1][1], " ")) --> 6 2 8 2 8 4 6 4
---print(select(2, sat.intersection(view, sat.rectangle(20, 0, 5, 5))))               --> 0
---```
---@param a sat.Shape|number[]|number[][]|number[][][] a shape, a ring, rings, or polygons
---@param b sat.Shape|number[]|number[][]|number[][][] the same
---@param rule? "nonzero"|"evenodd" what is inside of rings, "nonzero" unless given
---@return number[][][] polygons
---@return integer n how many
function sat.intersection(a, b, rule) end

---What is in `a` and not in `b`, as polygons. See `sat.union`. Cost: the same.
---
---```lua
---local plank, saw = sat.rectangle(0, 0, 10, 2), sat.rectangle(4, -1, 1, 4)
---print(select(2, sat.difference(plank, saw)))                     --> 2
---print(#sat.difference(plank, { 2, 0.5, 3, 0.5, 3, 1.5, 2, 1.5 })[1]) --> 2
---```
---@param a sat.Shape|number[]|number[][]|number[][][] a shape, a ring, rings, or polygons
---@param b sat.Shape|number[]|number[][]|number[][][] the same
---@param rule? "nonzero"|"evenodd" what is inside of rings, "nonzero" unless given
---@return number[][][] polygons
---@return integer n how many
function sat.difference(a, b, rule) end

---What is in one of `a` and `b` and not in both, as polygons. See `sat.union`. Cost: the same.
---
---```lua
---local a, b = sat.rectangle(0, 0, 2, 2), sat.rectangle(1, 1, 2, 2)
---print(select(2, sat.exclusion(a, b)), select(2, sat.exclusion(a, a))) --> 2 0
---```
---@param a sat.Shape|number[]|number[][]|number[][][] a shape, a ring, rings, or polygons
---@param b sat.Shape|number[]|number[][]|number[][][] the same
---@param rule? "nonzero"|"evenodd" what is inside of rings, "nonzero" unless given
---@return number[][][] polygons
---@return integer n how many
function sat.exclusion(a, b, rule) end

---What rings enclose that `sat.validate` refuses since they cross or touch themselves, as simple polygons. See `sat.union`. Cost: the same.
---
---```lua
---local bow = { 0, 0, 2, 2, 2, 0, 0, 2 }
---print(sat.validate(bow)) --> nil	the edge from vertex 1 to 2 crosses or runs along the one from 3 to 4	1
---local polygons, n = sat.repair(bow)
---print(n, table.concat(polygons[1][1], " "), table.concat(polygons[2][1], " ")) --> 2 0 0 1 1 0 2 1 1 2 0 2 2
---```
---@param rings sat.Shape|number[]|number[][]|number[][][] a ring, rings, polygons, or a shape
---@param rule? "nonzero"|"evenodd" what is inside of rings, "nonzero" unless given
---@return number[][][] polygons
---@return integer n how many
function sat.repair(rings, rule) end

-- ## Moving and turning

---Moves a shape by a vector.
---
---Cost: O(1).
---
---```lua
---print(sat.circle(10, 10, 5):move(3, -4):center()) --> 13 6
---```
---@param dx number
---@param dy number
---@return sat.Shape self
function Shape:move(dx, dy) end

---Moves a shape so that its centre (see `center`) is at a point.
---
---Cost: O(1).
---
---```lua
---print(sat.rectangle(0, 0, 10, 20):moveTo(100, 100):bounds()) --> 95 90 10 20
---```
---@param x number
---@param y number
---@return sat.Shape self
function Shape:moveTo(x, y) end

---Turns a shape about its centre or a pivot.
---
---Errors: one coordinate of a pivot without the other. Cost: O(n).
---
---```lua
---local hand = sat.segment(0, 0, 10, 0):rotate(math.pi / 2, 0, 0)
---print(hand:unpack()) --> 0 0 0 10
---```
---@param angle number
---@param px? number the pivot, the shape's centre unless given
---@param py? number
---@return sat.Shape self
function Shape:rotate(angle, px, py) end

---Turns a shape so that its rotation becomes this angle.
---
---Errors: one coordinate of a pivot without the other. Cost: O(n).
---
---```lua
---local box = sat.rectangle(0, 0, 40, 20):rotate(1):setRotation(0)
---print(box:bounds()) --> 0 0 40 20
---```
---@param angle number
---@param px? number the pivot, the shape's centre unless given
---@param py? number
---@return sat.Shape self
function Shape:setRotation(angle, px, py) end

---The sum of a shape's turns, not wrapped. A new shape has 0, or the angle that it was made with.
---
---Cost: O(1).
---
---```lua
---print(sat.point(0, 0):rotate(3):rotate(4):rotation()) --> 7
---```
---@return number angle
function Shape:rotation() end

---Scales a shape, its radius too, about its centre or a pivot.
---
---Errors: a factor that is not above 0; a scale below 1e-15; one coordinate of a pivot without the other. Cost: O(n).
---
---```lua
---print(sat.circle(0, 0, 5):scale(2):radius())                --> 10
---print(sat.rectangle(0, 0, 10, 10):scale(3, 0, 0):bounds()) --> 0 0 30 30
---```
---@param factor number above 0
---@param px? number the pivot, the shape's centre unless given
---@param py? number
---@return sat.Shape self
function Shape:scale(factor, px, py) end

---The product of a shape's factors of scale, at first 1.
---
---Cost: O(1).
---
---```lua
---print(sat.circle(0, 0, 5):scale(2):scale(4):scaleFactor()) --> 8
---```
---@return number factor
function Shape:scaleFactor() end

---Mirrors a shape about its centre, in its own frame: left for right, as for a sprite that faces the other way. A second
---flip undoes the first.
---
---Cost: O(n).
---
---```lua
---local wedge = sat.polygon(0, 0, 30, 0, 0, 30)
---print(wedge:flip():unpack()) --> 20 0 20 30 -10 0
---```
---@param vertical? boolean top for bottom instead
---@return sat.Shape self
function Shape:flip(vertical) end

---Resizes a shape in place: its vertices go away from its centre, or towards it, along the shape's own axes. The radius
---stays, so a circle or a point is returned as it is. The old centre is the point that stays in place; that of a chain or
---a compound may then no longer be the centre.
---
---Errors: a factor that is not above 0; all factors in one direction together below 1e-15 or above 1e15; no area left.
---Cost: O(n).
---
---```lua
---print(sat.rectangle(0, 0, 10, 20):stretch(2, 0.5):bounds()) --> -5 5 20 10
---```
---@param sx number from left to right, above 0
---@param sy number from top to bottom, above 0
---@return sat.Shape self
function Shape:stretch(sx, sy) end

---Puts the centre at a point and sets the rotation, as `moveTo` and `setRotation` do.
---
---Cost: O(n).
---
---```lua
---local box = sat.rectangle(0, 0, 40, 20):transform(100, 100, math.pi / 2)
---print(box:bounds()) --> 90 80 20 40
---```
---@param x number the centre
---@param y number
---@param angle number
---@return sat.Shape self
function Shape:transform(x, y, angle) end

-- ## Measuring

---The centroid of the area; without area that of the length (segments, chains), and without length that of the points.
---A compound weighs its parts by area where any has area. The radius plays no part.
---
---Cost: O(1).
---
---```lua
---print(sat.polygon(0, 0, 30, 0, 0, 30):center()) --> 10 10
---```
---@return number x
---@return number y
function Shape:center() end

---The smallest axis-aligned box that holds a shape. Width and height that no double can hold are rounded up.
---
---Cost: O(1).
---
---```lua
---print(sat.circle(10, 10, 5):bounds()) --> 5 5 10 10
---```
---@return number x the left side
---@return number y the top side
---@return number w the width
---@return number h the height
function Shape:bounds() end

---A circle about the centre that holds all of a shape; not always the smallest.
---
---Cost: O(1).
---
---```lua
---print(sat.rectangle(0, 0, 6, 8):boundingCircle()) --> 3 4 5
---```
---@return number x the centre
---@return number y
---@return number radius rounded up
function Shape:boundingCircle() end

---The area, in square units. The rounding of a convex shape counts, that of a concave polygon or of a chain does not. The
---area of a compound is the sum of its parts' areas, so an overlap of two parts counts twice.
---
---Cost: O(1).
---
---```lua
---print(sat.polygon(0, 0, 30, 0, 0, 30):area())             --> 450
---print(sat.rectangle(0, 0, 10, 10):setRadius(1):area())    --> 143.14159265359
---```
---@return number area
function Shape:area() end

---The vertices as they stand now, as values: the cleaned ring in the order of positive area (clockwise on the screen),
---the centre of a circle, the ends of a segment or capsule, the points of a chain. The radius plays no part.
---
---Errors: more than 200 vertices, which are too many for Lua's stack; a compound, which has pieces only. Cost: O(n).
---
---```lua
---print(sat.rectangle(0, 0, 30, 20):unpack()) --> 0 0 30 0 30 20 0 20
---```
---@return number ... x1, y1, x2, y2, …
function Shape:unpack() end

---The vertices, as `unpack` gives them, in a flat table.
---
---Errors: a compound, which has pieces only. Cost: O(n).
---
---```lua
---local list, n = sat.rectangle(0, 0, 30, 20):vertices()
---print(#list, n)             --> 8 4
---sat.point(7, 8):vertices(list)
---print(#list, list[1])       --> 2 7
---```
---@param out? number[] the table to fill, a new one unless given
---@return number[] out x1, y1, x2, y2, …
---@return integer n how many vertices
function Shape:vertices(out) end

---The point of a shape that is farthest in a direction.
---
---Errors: a direction of 0, 0. Cost: O(log n).
---
---```lua
---print(sat.circle(10, 10, 5):support(1, 0)) --> 15 10
---```
---@param dx number the direction, of any length but 0
---@param dy number
---@return number x
---@return number y
function Shape:support(dx, dy) end

---The projection of a shape on an axis: the least and the greatest `x * dx + y * dy` over all of its points. A vector of
---length 1 gives lengths.
---
---Errors: the vector 0, 0. Cost: O(n).
---
---```lua
---print(sat.rectangle(10, 20, 40, 30):project(1, 0)) --> 10 50
---print(sat.circle(10, 20, 5):project(0, 2))         --> 30 50
---```
---@param dx number the axis
---@param dy number
---@return number low
---@return number high
function Shape:project(dx, dy) end

---Whether a point, or the whole of another shape, lies in a shape. The outline counts. A chain contains only points on it.
---With a shape this is `sat.contains`.
---
---Cost: at worst O(n) for a point; as `sat.contains` for a shape.
---
---```lua
---local card = sat.rectangle(0, 0, 30, 20)
---print(card:contains(30, 5), card:contains(31, 5)) --> true false
---print(card:contains(sat.circle(10, 10, 10)))      --> true
---```
---@param x number the point
---@param y number
---@return boolean
---@overload fun(self: sat.Shape, shape: sat.Shape): boolean
function Shape:contains(x, y) end

-- ## Kind, pieces and data

---The kind of a shape by its geometry, not by its constructor: a rectangle, an ellipse and a hull are polygons, and a
---circle of radius 0 is a point.
---
---Cost: O(1).
---
---```lua
---print(sat.regular(0, 0, 10, 6):kind(), sat.circle(0, 0, 0):kind()) --> polygon point
---```
---@return sat.Kind kind
function Shape:kind() end

---Whether a shape has a single convex piece. A compound of one convex part has a single piece, too.
---
---Cost: O(1).
---
---```lua
---print(sat.rectangle(0, 0, 5, 5):isConvex(), sat.chain { 0, 0, 5, 0, 5, 5 }:isConvex()) --> true false
---```
---@return boolean
function Shape:isConvex() end

---The convex pieces of a shape as new shapes, as they stand now: a copy of a convex shape, the parts that a concave polygon
---was split into, the segments of a chain, the pieces of a compound's parts. They are in no world, but have the same data,
---filter and switches as the shape. A segment by itself knows no neighbours.
---
---Cost: O(n).
---
---```lua
---local ell = sat.polygon(0, 0, 3, 0, 3, 7, 10, 7, 10, 10, 0, 10)
---for _, piece in ipairs(ell:pieces()) do print(piece:unpack()) end
-----> 0 0 3 0 3 7 0 10
-----> 3 7 10 7 10 10 0 10
---```
---@return sat.Shape[] pieces
function Shape:pieces() end

---How many parts a shape has, as its maker counts them: a compound the shapes that it was made of, where those of a compound
---among them count in turn; a chain its segments; every other shape one. Hits tell parts by their numbers, from 1. Moving,
---turning, scaling, `clone`, saving and loading change no number.
---
---Cost: O(1).
---
---```lua
---local arm = sat.compound(sat.capsule(0, 0, 9, 0, 2), sat.circle(12, 0, 3))
---print(arm:parts(), sat.compound(sat.circle(-5, 0, 4), arm):parts(), #arm:pieces()) --> 2 3 2
---print(sat.chain({ 0, 0, 5, 0, 5, 5 }, true):parts(), sat.circle(0, 0, 1):parts()) --> 3 1
---```
---@return integer n
function Shape:parts() end

---A part of a shape as a new shape, as it stands now: of a compound the shape with that number, of a chain the segment from
---vertex k to the next one, of every other shape a copy. It is in no world, and has the same data, filter and switches as the
---shape.
---
---Errors: k is no whole number from 1 to `parts()`. Cost: O(n), and of a concave polygon in a compound O(n log n).
---
---```lua
---local ship = sat.compound(sat.rectangle(0, 0, 40, 10), sat.polygon(40, 0, 60, 5, 40, 10)):move(100, 0)
---print(ship:part(2):unpack()) --> 140 0 160 5 140 10
---```
---@param k integer
---@return sat.Shape part
function Shape:part(k) end

---The lowest part that holds a point, its outline included, or nil.
---
---Cost: O(log n + k), with k the pieces whose boxes hold the point.
---
---```lua
---local target = sat.compound(sat.circle(0, 0, 10), sat.circle(0, 0, 30))
---print(target:partAt(5, 5), target:partAt(20, 0), target:partAt(99, 0)) --> 1 2 nil
---```
---@param x number
---@param y number
---@return integer? k
function Shape:partAt(x, y) end

---A copy, in no world. Its data is the same value, not a copy of it.
---
---Cost: O(n).
---
---```lua
---local door = sat.rectangle(0, 0, 10, 30):setData("door")
---print(door:clone():data(), door:clone() == door) --> door false
---```
---@return sat.Shape copy
function Shape:clone() end

---Keeps any Lua value with a shape. Setting a field of a shape is an error.
---
---Cost: O(1).
---
---```lua
---local player = { name = "Ada" }
---player.shape = sat.circle(0, 0, 10):setData(player)
---print(player.shape:data().name) --> Ada
---```
---@param value any nil to take it away
---@return sat.Shape self
function Shape:setData(value) end

---The value that was set with `setData`, or nil.
---
---Cost: O(1).
---
---```lua
---print(sat.point(0, 0):setData(5):data()) --> 5
---```
---@return any value
function Shape:data() end

-- ## Settings for worlds
--
-- The functions about two shapes ignore all of these settings.

---Decides which shapes of a world are a pair, with Box2D's meaning. For two shapes in the same group other than 0 the sign
---of the group decides: positive always, negative never. Else the category of each must have a bit in the other's mask.
---
---Errors: a category or mask that is no whole number from 0 to 4294967295; a group that is no whole number from -2147483648
---to 2147483647.
---Cost: O(1).
---
---```lua
---local PLAYER, BULLET = 1, 2
---local world = sat.world()
---local player = sat.circle(0, 0, 10):setFilter(PLAYER, 0xFFFFFFFF)
---local own = sat.circle(5, 0, 2):setFilter(BULLET, 0xFFFFFFFF - PLAYER) -- hits all but players
---world:add(player, own)
---print((world:update())) --> 0
---```
---@param category integer the categories that the shape is in, as bits; 1 at first
---@param mask integer the categories that the shape meets, as bits; all at first
---@param group? integer 0 unless given
---@return sat.Shape self
function Shape:setFilter(category, mask, group) end

---The values that `setFilter` has set.
---
---Cost: O(1).
---
---```lua
---print(sat.point(0, 0):filter()) --> 1 4294967295 0
---```
---@return integer category
---@return integer mask
---@return integer group
function Shape:filter() end

---Makes a shape a sensor, which is never solid. The questions `collisions`, `update`, `at` and `query` report it; `move` and
---`check` cross it, and report it in `hits`; `cast`, `raycast`, `nearest`, `collide` and `separate` pass over it. Two sensors
---are no pair.
---
---Cost: O(1).
---
---```lua
---local world = sat.world()
---local goal, ball = sat.rectangle(0, 0, 50, 50):setSensor(true), sat.circle(20, 20, 5)
---world:add(goal, ball):separate()
---print(ball:center())    --> 20 20
---print((world:update())) --> 1
---```
---@param sensor boolean at first false
---@return sat.Shape self
function Shape:setSensor(sensor) end

---Whether a shape is a sensor.
---
---Cost: O(1).
---
---```lua
---print(sat.point(0, 0):setSensor(true):isSensor()) --> true
---```
---@return boolean
function Shape:isSensor() end

---Makes a shape static: `separate` never pushes it, and two static shapes are no pair. You may still move it.
---
---Cost: O(1).
---
---```lua
---local world = sat.world()
---local floor = sat.rectangle(0, 100, 300, 20):setStatic(true)
---local crate = sat.rectangle(50, 85, 20, 20)
---world:add(floor, crate):separate()
---print(crate:bounds()) --> 50 80 20 20
---```
---@param static boolean at first false
---@return sat.Shape self
function Shape:setStatic(static) end

---Whether a shape is static.
---
---Cost: O(1).
---
---```lua
---print(sat.point(0, 0):isStatic()) --> false
---```
---@return boolean
function Shape:isStatic() end

---Sets the mass, by which `separate` divides a push: with the masses 3 and 1, the first shape takes a quarter of the push, and
---the second one the rest. A shape with a mass of `math.huge` is not moved at all. A mover with the response `"push"` moves what
---weighs together no more than itself.
---
---Errors: a mass that is NaN or not above 0. Cost: O(1).
---
---```lua
---local crate, ball = sat.circle(0, 0, 5):setMass(3), sat.circle(8, 0, 5)
---sat.world():add(crate, ball):separate()
---print((crate:center()), (ball:center())) --> -0.5 9.5
---```
---@param mass number at first 1
---@return sat.Shape self
function Shape:setMass(mass) end

---The mass of a shape, which `separate` divides pushes by, and which limits what `move` pushes.
---
---Cost: O(1).
---
---```lua
---print(sat.point(0, 0):mass()) --> 1
---```
---@return number mass
function Shape:mass() end

---Makes a shape solid only for what comes from one side: a platform to jump through. The normal points to that side; it
---turns and flips with the shape. Without arguments the shape is solid from every side again.
---
---A shape that is inside as its move begins may pass. `move`, `check`, `cast` and `carry` of a world honour the side;
---`collide` and `separate` leave one-way shapes out.
---
---Errors: a normal of 0, 0. Cost: O(1).
---
---```lua
---local world, plank = sat.world(), sat.rectangle(0, 50, 100, 5)
---world:add(plank:setStatic(true):setOneWay(0, -1))
---local hero = sat.rectangle(40, 60, 10, 10)
---print((select(2, world:move(hero, 0, -40)))) --> 25
---print((select(2, world:move(hero, 0, 40))))  --> 45
---```
---@param nx? number
---@param ny? number
---@return sat.Shape self
function Shape:setOneWay(nx, ny) end

---The unit normal of the side that a one-way shape is solid from, as the shape is turned now.
---
---Cost: O(1).
---
---```lua
---print(sat.rectangle(0, 0, 9, 2):setOneWay(0, -2):oneWay()) --> 0 -1
---```
---@return number? nx nil, alone, when it is solid from every side
---@return number? ny
function Shape:oneWay() end

---Enables a shape or disables it: a disabled shape stays in its world and is in no answer but those of `count`, `has`,
---`shapes` and `save`. A question about the disabled shape itself is answered as if it were enabled.
---
---Cost: O(1).
---
---```lua
---local world = sat.world()
---local ghost = sat.circle(0, 0, 10):setEnabled(false)
---world:add(ghost)
---print(#world:at(0, 0), world:count()) --> 0 1
---```
---@param enabled boolean at first true
---@return sat.Shape self
function Shape:setEnabled(enabled) end

---Whether a shape is enabled.
---
---Cost: O(1).
---
---```lua
---print(sat.point(0, 0):isEnabled()) --> true
---```
---@return boolean
function Shape:isEnabled() end

---The world that a shape is in, or nil.
---
---Cost: O(1).
---
---```lua
---local world, ball = sat.world(), sat.circle(0, 0, 5)
---print(ball:world())                          --> nil
---world:add(ball)
---print(ball:world() == world)                 --> true
---```
---@return sat.World? world
function Shape:world() end

---Draws a shape in LÖVE, by `love.graphics` with its current colour, line width and transform. A shape of several pieces
---is drawn piece by piece, but for the outline of a concave polygon without a radius, which is its rings.
---
---Errors: no `love.graphics`, which only LÖVE's main thread has; another mode. Cost: O(n), and O(n log n) for rings.
---
---```lua
---function love.draw()
---  sat.regular(200, 200, 50, 6):draw("fill")
---  sat.circle(350, 200, 50):draw()
---end
---```
---@param mode? "line"|"fill" `"line"` unless given
---@return sat.Shape self
function Shape:draw(mode) end

-- # Two shapes
--
-- Questions about two shapes. Each is a method of shapes, too, whose self is the first argument: `a:collide(b)`,
-- `a:cast(dx, dy, b)`, `s:raycast(x1, y1, x2, y2)`. They are pure geometry: filters, sensors and whether a shape is enabled
-- matter in worlds only.
--
-- For convex shapes n is the sum of their vertices; a question about shapes with few vertices takes tens of nanoseconds.
-- Of shapes of several pieces only the pieces that may meet are looked at.

---Whether two shapes share a point. The fastest answer.
---
---Cost: at worst O(n).
---
---```lua
---local crate = sat.rectangle(0, 0, 10, 10)
---print(sat.overlaps(crate, sat.circle(13, 5, 3)))   --> true
---print(sat.overlaps(crate, sat.circle(13, 5, 2.9))) --> false
---```
---@param a sat.Shape
---@param b sat.Shape
---@return boolean
function sat.overlaps(a, b) end

---The minimum translation vector: the shortest way out for `a`. After `a:move(dx, dy)` the two only touch.
---
---Concave and compound shapes, too, do not overlap afterwards, and no shorter move does that. Of several vectors that are
---equally short, the one that leads most away from b's centre wins, then the most upright one, then the one clockwise of the
---direction away from b's centre on the screen. So a mirrored scene gives the mirrored vector, unless that last step decides,
---and swapping the arguments gives the opposite one. Where the centres coincide, the most upright vector wins, then the one
---that leads up, then the one to the right.
---
---Points, segments and chains have no inside. One overlaps a solid where a part of it is inside the solid, the seam of two
---members that abut included; where it fits exactly between solids it only touches. Two of them overlap where one passes
---from one side of the other to the other side, at a point, at a joint, or along a stretch that they share. Ends, and
---stretches that are left on the side that they were met on, only touch. Members of a compound that meet count as one line.
---
---Cost: O(n); with about 45 vertices or more, less.
---
---```lua
---local crate, ball = sat.rectangle(0, 0, 10, 10), sat.circle(13, 5, 4)
---print(sat.collide(crate, ball)) --> -1 0 1
---crate:move(-1, 0)
---print(sat.collide(crate, ball)) --> 0 0 0
---crate:move(-1, 0)
---print(sat.collide(crate, ball)) --> nil
---```
---@param a sat.Shape what is to be moved
---@param b sat.Shape
---@return number? dx nil, alone, when they are apart
---@return number dy
---@return number depth the length of the vector, 0 when they only touch
function sat.collide(a, b) end

---Where two shapes touch: the normal and depth of the minimum translation vector, and one or two points of contact.
---
---The points are where the outlines touch once `a` has moved out by the vector of `collide`. Until then they are within
---both shapes, grown by the depth at most. Two points are the ends of the stretch along which an edge rests on an edge,
---or would if it were turned a little.
---
---Cost: as `collide`.
---
---```lua
---local floor, crate = sat.rectangle(0, 10, 100, 10), sat.rectangle(20, 1, 10, 10)
---print(sat.contacts(crate, floor)) --> 0 -1 1 20 10 30 10
---```
---@param a sat.Shape
---@param b sat.Shape
---@return number? nx the unit normal, out of `b`; nil, alone, when they are apart
---@return number ny
---@return number depth 0 when they only touch
---@return number x1 the first point
---@return number y1
---@return number? x2 the second point, if there is one
---@return number? y2
function sat.contacts(a, b) end

---The gap between two shapes, and the closest points. When they touch or overlap, 0 and one common point twice.
---
---Cost: at worst O(n).
---
---```lua
---local crate, ball = sat.rectangle(0, 0, 10, 10), sat.circle(20, 5, 4)
---print(sat.distance(crate, ball)) --> 6 10 5 16 5
---```
---@param a sat.Shape
---@param b sat.Shape
---@return number d the gap
---@return number ax the closest point of `a`
---@return number ay
---@return number bx the closest point of `b`
---@return number by
function sat.distance(a, b) end

---The axis on which the projections of two convex shapes are farthest apart or, where they overlap, overlap least: what the
---separating axis theorem asks for. Shapes that are apart have a gap above 0, their distance; of shapes that overlap it is
---minus the depth; of shapes that touch 0.
---
---Errors: a shape of several pieces. Cost: O(n + m) at most.
---
---```lua
---local a, b = sat.rectangle(0, 0, 10, 10), sat.circle(30, 5, 10)
---print(sat.axis(a, b))             --> -1 0 10
---print(a:axis(b:clone():move(-15, 0))) --> -1 0 -5
---```
---@param a sat.Shape
---@param b sat.Shape
---@return number nx the unit axis, out of `b` towards `a`
---@return number ny
---@return number gap between the projections
function sat.axis(a, b) end

---Whether `b` lies wholly inside `a`, outline included; exact for concave and compound shapes too.
---
---Cost: at worst O(n) for convex shapes. For others O(k log n) for each edge of `a` that is near `b`, where k pieces of
---`a` are near that edge.
---
---```lua
---local room = sat.rectangle(0, 0, 100, 100)
---print(sat.contains(room, sat.circle(10, 10, 10))) --> true
---print(sat.contains(room, sat.circle(9, 10, 10)))  --> false
---```
---@param a sat.Shape
---@param b sat.Shape
---@return boolean
function sat.contains(a, b) end

---When a moving shape first meets another, exactly and at any speed.
---
---A shape that overlaps the other at first and moves further in has t = 0 and the normal of the minimum translation vector.
---There is no hit where the shape moves out of an overlap or along, touches and moves away or along, or only grazes the other
---on its way. An overlap or a
---gap up to 1e-12 of the larger of sizes and coordinates is a touch, so a shape that has moved to where its cast ended is
---free to go on. Where neither shape has an inside (points, segments, chains), crossing is a hit.
---
---Where several surfaces meet, the normal is that of the most head-on one which the union of all pieces shows, so no seam has
---a normal; of equally head-on ones it is that of the most upright one.
---
---The parts are those that alone are hit then, with this normal, the lowest of `b` and then of `a` if there are several, or at a
---seam. Where the shapes overlap at first by no part's own way out, the parts that are deepest are told.
---
---Cost: O(n).
---
---```lua
---local wall, bullet = sat.rectangle(60, 0, 20, 100), sat.circle(0, 50, 10)
---print(sat.cast(bullet, 100, 0, wall)) --> 0.5 -1 0 60 50 1 1
---print(bullet:cast(-100, 0, wall))     --> nil
---```
---@param a sat.Shape what moves; it stays where it is
---@param dx number its way
---@param dy number
---@param b sat.Shape what stands still
---@return number? t the fraction of the way, 0 to 1; nil, alone, when it meets nothing
---@return number nx the unit normal, out of `b`
---@return number ny
---@return number x where they touch
---@return number y
---@return integer part of `b`: which part is hit
---@return integer own the part of `a`
function sat.cast(a, dx, dy, b) end

---When a shape that turns first meets another, exactly and however far it turns: what `cast` is for a way. After
---`a:rotate(t * angle, px, py)` it touches the other.
---
---A shape that overlaps the other at first may turn as long as it gets no deeper, and has t = 0 if it gets deeper at once. There
---is no hit where it turns away, along, or only grazes the other, by 1e-12 of the larger of sizes and coordinates. A shape that
---turns along the other until it would get in stops there. A circle that turns about its centre meets nothing, and what has not
---been met after one turn is never met. Compounds and chains turn piece by piece.
---
---Cost: O(n) for each of a few steps, as a rule; nothing is tried and halved.
---
---```lua
---local bar, wall = sat.rectangle(-50, -5, 100, 10), sat.rectangle(-100, 30, 200, 20)
---local t, nx, ny = sat.turn(bar, math.pi / 2, wall)
---print(("%.3f"):format(t * 90), nx, ny) --> 30.946 0 -1
---print(bar:turn(0.5, wall))             --> nil
---```
---@param a sat.Shape what turns; it stays as it is
---@param angle number in radians, clockwise on a screen
---@param b sat.Shape what stands still
---@param px? number the point that it turns about, its centre unless given
---@param py? number
---@return number? t the fraction of the angle, 0 to 1; nil, alone, when it meets nothing
---@return number nx the unit normal, out of `b`
---@return number ny
---@return number x where they touch
---@return number y
---@return integer part of `b`: which part is hit, the lowest of several
---@return integer own the part of `a`
function sat.turn(a, angle, b, px, py) end

---Where a ray, the segment from 1 to 2, goes into a shape. The point is `x1 + t * (x2 - x1), y1 + t * (y2 - y1)`.
---
---A ray that starts inside has t = 0 and the normal 0, 0. A ray that starts on the outline has t = 0 if it goes in, and no
---hit if it leaves or slides. A ray without length is a point. Of several parts that are hit at once, and of two at a seam, the
---lower one is told.
---
---Cost: O(n).
---
---```lua
---local wall = sat.rectangle(60, 0, 20, 100)
---print(sat.raycast(wall, 0, 50, 120, 50)) --> 0.5 -1 0 1
---print(wall:raycast(70, 50, 120, 50))     --> 0 0 0 1
---```
---@param s sat.Shape
---@param x1 number where it starts
---@param y1 number
---@param x2 number where it ends
---@param y2 number
---@return number? t the fraction of the way, 0 to 1; nil, alone, when it hits nothing
---@return number nx the unit normal, out of the shape
---@return number ny
---@return integer part which part is hit
function sat.raycast(s, x1, y1, x2, y2) end

---A loop over all pairs of parts that touch or overlap, by the part of `a`, then that of `b`, each with the vector that moves
---that part of `a` out of that part of `b`: for shapes that `collide`, `collisions` or `query` give, which may meet with many
---parts at once. Each pair is asked about when the loop comes to it, where the shapes are then. Loops may be nested.
---
---Cost: O(n + k log k) for the loop, with k pairs of parts whose boxes meet, and for each pair O(n).
---
---```lua
---local hero = sat.compound(sat.circle(0, -20, 8), sat.rectangle(-8, -12, 16, 30))
---local bite = sat.circle(0, -26, 4)
---for i, j, dx, dy, depth in sat.parts(hero, bite) do print(i, j, dx, dy, depth) end --> 1 1 0 6 6
---```
---@param a sat.Shape
---@param b sat.Shape
---@return fun(): (i: integer, j: integer, dx: number, dy: number, depth: number) iterator
function sat.parts(a, b) end

Shape.overlaps = sat.overlaps
Shape.collide = sat.collide
Shape.contacts = sat.contacts
Shape.distance = sat.distance
Shape.axis = sat.axis
Shape.cast = sat.cast
Shape.turn = sat.turn
Shape.raycast = sat.raycast

-- # Quadtrees
--
-- A quadtree finds items by their boxes: any Lua values, with or without shapes. Its answers are exact: all boxes that
-- overlap or touch, no others, each once, wherever they are and however large. It keeps the box that it was given: after an
-- item has moved, `update` it.
--
-- Lists without a distance, and equally near items, are in the order of insertion, except that a new item may take the
-- place of a removed one. The order of `pairs` is the same for the same calls, and has no other meaning.

---`#tree` is how many items there are.
---@class sat.Quadtree: userdata
---@operator len: integer
local Quadtree = {}

---A quadtree. The area and the options place and size the parts of the tree; they change `nodes` and the time that queries
---take, and no other answer. Items outside the area are kept and found all the same.
---
---Errors: an area without width or height; an option of another name. Cost: O(1).
---
---```lua
---local tree = sat.quadtree(0, 0, 800, 600, { capacity = 16 })
---tree:insert("door", 10, 10, 20, 40)
---print(#tree) --> 1
---```
---@param x number where most items will be
---@param y number
---@param w number the width, above 0
---@param h number the height, above 0
---@param options? { capacity?: integer, depth?: integer } how many items a part is meant to hold at most, from 1 to 1,000,000, and how often the area may be halved, from 0 to 32; unless one is given, the tree takes what is fastest
---@return sat.Quadtree tree
function sat.quadtree(x, y, w, h, options) end

---Adds an item with a box, or a shape, which then is the item, with its current bounds.
---
---Errors: an item that is in the tree already; nil and NaN; a negative side. Cost: O(1) amortised.
---
---```lua
---local tree = sat.quadtree(0, 0, 800, 600)
---local ball = sat.circle(30, 30, 10)
---tree:insert("door", 0, 0, 20, 40):insert(ball)
---print(tree:count()) --> 2
---```
---@param item any any value but nil and NaN, once
---@param x number its box
---@param y number
---@param w number not negative
---@param h number not negative
---@return sat.Quadtree self
---@overload fun(self: sat.Quadtree, shape: sat.Shape): sat.Quadtree
function Quadtree:insert(item, x, y, w, h) end

---Gives an item another box, or a shape its current bounds.
---
---Errors: an item that is not in the tree; a negative side. Cost: O(1) amortised.
---
---```lua
---local ball = sat.circle(30, 30, 10)
---local tree = sat.quadtree(0, 0, 800, 600):insert(ball)
---ball:move(100, 0)
---print((tree:get(ball)))              --> 20
---print((tree:update(ball):get(ball))) --> 120
---```
---@param item any
---@param x number its box
---@param y number
---@param w number not negative
---@param h number not negative
---@return sat.Quadtree self
---@overload fun(self: sat.Quadtree, shape: sat.Shape): sat.Quadtree
function Quadtree:update(item, x, y, w, h) end

---Removes an item.
---
---Cost: O(1) amortised.
---
---```lua
---local tree = sat.quadtree(0, 0, 800, 600):insert("door", 0, 0, 20, 40)
---print(tree:remove("door"), tree:remove("door")) --> true false
---```
---@param item any
---@return boolean removed whether it was there
function Quadtree:remove(item) end

---Removes all items and gives their memory back.
---
---Cost: O(n).
---
---```lua
---print(sat.quadtree(0, 0, 800, 600):insert(1, 0, 0, 5, 5):clear():count()) --> 0
---```
---@return sat.Quadtree self
function Quadtree:clear() end

---Whether an item is in the tree.
---
---Cost: O(1).
---
---```lua
---print(sat.quadtree(0, 0, 800, 600):insert(1, 0, 0, 5, 5):has(2)) --> false
---```
---@param item any
---@return boolean
function Quadtree:has(item) end

---The box of an item as it was given.
---
---Cost: O(1).
---
---```lua
---local tree = sat.quadtree(0, 0, 800, 600):insert("lamp", 100, 50, 5, 5)
---print(tree:get("lamp")) --> 100 50 5 5
---print(tree:get("door")) --> nil
---```
---@param item any
---@return number? x nil, alone, when it is not in the tree
---@return number y
---@return number w
---@return number h
function Quadtree:get(item) end

---The number of items, as `#tree`.
---
---Cost: O(1).
---
---```lua
---local tree = sat.quadtree(0, 0, 800, 600):insert("lamp", 100, 50, 5, 5)
---print(tree:count(), #tree) --> 1 1
---```
---@return integer n
function Quadtree:count() end

---All items whose boxes overlap a box or a shape's current bounds; a shape that is in the tree is among them.
---
---Errors: a negative side. Cost: O(log n + k), as a rule.
---
---```lua
---local tree = sat.quadtree(0, 0, 800, 600)
---tree:insert("door", 0, 0, 20, 40):insert("lamp", 100, 50, 5, 5)
---local found, n = tree:retrieve(20, 0, 50, 50)
---print(found[1], n)                              --> door 1
---print((select(2, tree:retrieve(sat.circle(300, 300, 9), found)))) --> 0
---```
---@param x number a box
---@param y number
---@param w number not negative
---@param h number not negative
---@param out? any[] the table to fill, a new one unless given
---@return any[] out
---@return integer n how many were found
---@overload fun(self: sat.Quadtree, shape: sat.Shape, out?: any[]): any[], integer
function Quadtree:retrieve(x, y, w, h, out) end

---All items whose boxes overlap that of an item, without that one.
---
---Errors: an item that is not in the tree. Cost: as `retrieve`.
---
---```lua
---local tree = sat.quadtree(0, 0, 800, 600)
---tree:insert("door", 0, 0, 20, 40):insert("cat", 15, 30, 10, 10)
---print(tree:neighbors("cat")[1]) --> door
---```
---@param item any
---@param out? any[] the table to fill, a new one unless given
---@return any[] out
---@return integer n how many were found
function Quadtree:neighbors(item, out) end

---A loop over all pairs of items whose boxes overlap, each once, as of its start. Items may be moved, added and removed
---inside; pairs of removed items are skipped. Loops may be nested.
---
---Cost: O(n + k), as a rule.
---
---```lua
---local tree = sat.quadtree(0, 0, 800, 600)
---tree:insert("door", 0, 0, 20, 40):insert("cat", 15, 30, 10, 10)
---for a, b in tree:pairs() do
---  print(a, b) --> door cat
---end
---```
---@return fun(): (a: any, b: any) iterator
function Quadtree:pairs() end

---The first item whose box a segment meets, and where.
---
---Cost: O(log n + k), as a rule, with k the boxes along the way.
---
---```lua
---local tree = sat.quadtree(0, 0, 800, 600):insert("lamp", 100, 50, 10, 10)
---print(tree:raycast(0, 55, 200, 55)) --> lamp 0.5
---```
---@param x1 number where it starts
---@param y1 number
---@param x2 number where it ends
---@param y2 number
---@return any item nil, alone, when there is none
---@return number t the fraction of the way, 0 where it starts inside
function Quadtree:raycast(x1, y1, x2, y2) end

---All items whose boxes a segment meets, in the order of the way.
---
---Cost: O(log n + k log k), as a rule.
---
---```lua
---local tree = sat.quadtree(0, 0, 800, 600)
---tree:insert("far", 200, 0, 10, 10):insert("near", 100, 0, 10, 10)
---print(table.concat(tree:raycastAll(0, 5, 300, 5), " ")) --> near far
---```
---@param x1 number where it starts
---@param y1 number
---@param x2 number where it ends
---@param y2 number
---@param out? any[] the table to fill, a new one unless given
---@return any[] out
---@return integer n how many were found
function Quadtree:raycastAll(x1, y1, x2, y2, out) end

---The item whose box is nearest to a point. `accept` is asked about items in the order of their distances, about each at
---most once, and returns whether the item is to count. It may search the tree, but what changes the tree is an error.
---
---Errors: a negative limit. Cost: O(log n), as a rule, and as much again for each time that the number of items which
---`accept` refuses is doubled.
---
---```lua
---local tree = sat.quadtree(0, 0, 800, 600):insert("lamp", 100, 50, 10, 10):insert("door", 0, 0, 20, 40)
---print(tree:nearest(95, 55))     --> lamp 5
---print(tree:nearest(95, 55, 4))  --> nil
---print(tree:nearest(95, 20, math.huge, function(item) return item ~= "lamp" end)) --> door 75
---```
---@param x number
---@param y number
---@param limit? number no farther than this; any distance unless given
---@param accept? fun(item: any): boolean
---@return any item nil, alone, when there is none
---@return number d the distance to the box, 0 inside
function Quadtree:nearest(x, y, limit, accept) end

---The items whose boxes are nearest to a point, nearest first; the limit and `accept` are as of `nearest`.
---
---Errors: k that is no whole number from 0 to 4294967295; a negative limit. Cost: O(log n + k log k), as a rule.
---
---```lua
---local tree = sat.quadtree(0, 0, 800, 600)
---tree:insert("far", 200, 0, 10, 10):insert("near", 100, 0, 10, 10)
---print(table.concat(tree:nearestAll(0, 0, 2), " ")) --> near far
---```
---@param x number
---@param y number
---@param k integer how many at most
---@param out? any[] the table to fill, a new one unless given
---@param limit? number no farther than this; any distance unless given
---@param accept? fun(item: any): boolean
---@return any[] out
---@return integer n how many were found
function Quadtree:nearestAll(x, y, k, out, limit, accept) end

---Adds many items at once, all or none; faster than one by one.
---
---Errors: fewer boxes than items; an item that is in the tree already, or twice in the list; nil and NaN; a negative side.
---Cost: O(n).
---
---```lua
---local tree = sat.quadtree(0, 0, 800, 600)
---tree:build({ "door", "lamp" }, { 0, 0, 20, 40, 100, 50, 5, 5 })
---print(tree:get("lamp")) --> 100 50 5 5
---```
---@param items any[] a list
---@param boxes number[] their boxes: x, y, w, h of the first, of the second, and so on
---@return sat.Quadtree self
function Quadtree:build(items, boxes) end

---A loop over the parts of the tree, to draw them: the root first, then level by level down to the parts that hold
---items. Each part is half as wide as its parent and lies inside it. An item counts in one part, the one that its top-left
---corner is in and that is just large enough for it.
---
---Cost: O(n).
---
---```lua
---local tree, items = sat.quadtree(0, 0, 800, 600), 0
---for i = 1, 50 do tree:insert(i, i * 15, i * 11, 5, 5) end
---for x, y, w, h, level, count in tree:nodes() do
---  items = items + count -- love.graphics.rectangle("line", x, y, w, h)
---end
---print(items) --> 50
---```
---@return fun(): (x: number, y: number, w: number, h: number, level: integer, count: integer) iterator a box, its level, 0 for the root, and how many items count there
function Quadtree:nodes() end

-- # Worlds
--
-- A world keeps shapes, notices by itself which of them have moved, and tells which of them collide. A shape is in one world
-- at most, which keeps it alive. Questions need no `update`.
--
-- Every question also takes a shape that is in no world or in another. It honours the filter of that shape, which is never
-- among its own answers.
--
-- Questions take `who` is asked about: a shape, which is left out and whose filter decides about the others; a mask, of whose
-- categories a shape must be in one; or a table of conditions, all of which must hold. A table is read during the call and not
-- kept, so that a game can have one for each kind of question, and change it. Lists without a distance are in the
-- order of adding, except that a new shape takes the lowest place that a removed one has left. Pairs are in the order of
-- their first shapes, then of their second.

---The conditions of a question, all of which must hold: who is left out, in which categories a shape must be (a mask), whose
---filter it must meet (that shape is left out, too), and whether sensors count. Unless `sensors` is given, rays, casts and
---distances are about solid shapes, and the rest about both; `true` is for both, `false` for solid shapes, and `"only"` for
---sensors. A ray meets a sensor as if the sensor were solid.
---
---`accept` is asked last, at most once about each shape, the nearest first where there is a distance; it returns whether the
---shape is to count. The answer is that of a world of the accepted shapes alone: a ray or cast asks up to the first shape that is
---accepted, and about those that touch that one where it is met, at a corner or a seam. It may ask the world, but what changes
---the world is an error. Its own errors are passed on.
---
---Errors: a field of another name or of a wrong type, each of which the message names.
---
---```lua
---local hero, ally, foe = sat.circle(0, 0, 5), sat.circle(50, 0, 5), sat.circle(90, 0, 5):setData { health = 3 }
---local world = sat.world():add(hero, ally, foe)
---print(world:raycast(0, 0, 200, 0, { except = { hero, ally } }) == foe) --> true
---local function is_alive(shape) return shape:data() ~= nil and shape:data().health > 0 end
---print(world:nearest(0, 0, 100, { as = hero, accept = is_alive }) == foe) --> true
---```
---@class sat.Conditions
---@field except? sat.Shape|sat.Shape[]
---@field mask? integer
---@field as? sat.Shape
---@field sensors? boolean|"only"
---@field accept? fun(shape: sat.Shape): boolean

---A shape, a mask, or conditions.
---@alias sat.Who sat.Shape|integer|sat.Conditions

---What a mover does where it meets a solid shape.
---@alias sat.Response "slide"|"touch"|"bounce"|"push"|"cross"
---@alias sat.ResponseOfTurn "touch"|"slide"|"cross"

---`#world` is how many shapes there are.
---@class sat.World: userdata
---@operator len: integer
local World = {}

---A world without shapes.
---
---Errors: any option. Cost: O(1).
---
---```lua
---local world = sat.world()
---print(world:count()) --> 0
---```
---@param options? {} for later versions; there are none yet
---@return sat.World world
function sat.world(options) end

---Adds shapes, or the shapes of a list. After an error none of them has been added.
---
---Errors: a shape that is in a world already, this or another, or that comes twice. Cost: O(log n) amortised for each.
---
---```lua
---local world = sat.world()
---world:add(sat.circle(0, 0, 5), sat.point(1, 1))
---world:add { sat.circle(9, 9, 5), sat.point(8, 8) }
---print(#world) --> 4
---```
---@param shape sat.Shape
---@param ... sat.Shape more shapes
---@return sat.World self
---@overload fun(self: sat.World, shapes: sat.Shape[]): sat.World
function World:add(shape, ...) end

---Removes all shapes and gives all memory back at once, for hosts that make many worlds: the collector does not see the memory
---of the core. Afterwards the world is like a new one and may be used again.
---
---Cost: O(n).
---
---```lua
---local ball = sat.circle(0, 0, 5)
---local world = sat.world():add(ball)
---world:release()
---print(ball:world()) --> nil
---```
---@return sat.World self
function World:release() end

---Removes a shape. The next `update` tells of the end of its pairs.
---
---Errors: a shape that is in another world. Cost: O(log n).
---
---```lua
---local ball = sat.circle(0, 0, 5)
---local world = sat.world():add(ball)
---print(world:remove(ball), world:remove(ball)) --> true false
---```
---@param shape sat.Shape
---@return boolean removed whether it was there
function World:remove(shape) end

---Whether a shape is in this world.
---
---Cost: O(1).
---
---```lua
---print(sat.world():has(sat.point(0, 0))) --> false
---```
---@param shape sat.Shape
---@return boolean
function World:has(shape) end

---The number of shapes, disabled ones too, as `#world`.
---
---Cost: O(1).
---
---```lua
---print(sat.world():add(sat.point(0, 0)):count()) --> 1
---```
---@return integer n
function World:count() end

---Removes all shapes. The next `update` tells of the end of all pairs.
---
---Cost: O(n).
---
---```lua
---print(sat.world():add(sat.point(0, 0)):clear():count()) --> 0
---```
---@return sat.World self
function World:clear() end

---All shapes, disabled ones too.
---
---Cost: O(n).
---
---```lua
---local world = sat.world():add(sat.point(0, 0), sat.circle(0, 0, 5))
---for _, shape in ipairs(world:shapes()) do print(shape:kind()) end
-----> point
-----> circle
---```
---@param out? sat.Shape[] the table to fill, a new one unless given
---@return sat.Shape[] out
---@return integer n how many there are
function World:shapes(out) end

---A loop over all pairs that collide at its start, each once, or over those of one shape. The vectors are current: the
---loop asks a pair that has moved since again, and skips it once it is apart. Shapes may be moved, added and removed
---inside; pairs of removed shapes are skipped. Loops may be nested.
---
---With a shape the loop gives `other, dx, dy, depth`, and the vector moves the shape out of the other.
---
---Cost: O(m + k), as a rule, with m the shapes that have moved since the last question.
---
---```lua
---local world = sat.world()
---local floor = sat.rectangle(0, 100, 300, 20):setStatic(true):setData("floor")
---local ball = sat.circle(50, 95, 10):setData("ball")
---world:add(floor, ball)
---for a, b, dx, dy, depth in world:collisions() do
---  print(a:data(), b:data(), dx, dy, depth) --> floor ball 0 5 5
---end
---for other, dx, dy in world:collisions(ball) do
---  print(other:data(), dx, dy)              --> floor 0 -5
---end
---```
---@return fun(): (a: sat.Shape, b: sat.Shape, dx: number, dy: number, depth: number) iterator the vector moves `a` out of `b`
---@overload fun(self: sat.World, shape: sat.Shape): fun(): (other: sat.Shape, dx: number, dy: number, depth: number)
function World:collisions() end

---Compares the pairs that touch with those of the last update. Call it once a frame; `began`, `touching` and `ended` list
---the pairs.
---
---A pair touches if it collides, or if its gap is at most 1e-12 of the larger of sizes and coordinates: two shapes that were
---pushed apart still touch.
---
---A pair that touches at two updates in a row is one contact, whatever happened between, unless a shape of it was removed.
---Removal, disabling and another filter end a pair with the next update.
---
---Cost: as `collisions`.
---
---```lua
---local world, ball = sat.world(), sat.circle(0, 0, 5)
---world:add(ball, sat.circle(8, 0, 5))
---print(world:update()) --> 1 0
---ball:move(-10, 0)
---print(world:update()) --> 0 1
---```
---@return integer began how many pairs collide now and did not
---@return integer ended how many did and do no more
function World:update() end

---A loop over the pairs that collided at the last update and did not before.
---
---Cost: O(k).
---
---```lua
---local world = sat.world()
---world:add(sat.circle(0, 0, 5):setData("a"), sat.circle(8, 0, 5):setData("b"))
---world:update()
---for a, b in world:began() do print(a:data(), b:data()) end --> a b
---```
---@return fun(): (a: sat.Shape, b: sat.Shape) iterator
function World:began() end

---A loop over the pairs that collided at the last update and before.
---
---Cost: O(k).
---
---```lua
---local world = sat.world()
---world:add(sat.circle(0, 0, 5):setData("a"), sat.circle(8, 0, 5):setData("b"))
---world:update()
---world:update()
---for a, b in world:touching() do print(a:data(), b:data()) end --> a b
---```
---@return fun(): (a: sat.Shape, b: sat.Shape) iterator
function World:touching() end

---A loop over the pairs that collided before and did not at the last update. Shapes that were removed are readable
---until the next update.
---
---Cost: O(k).
---
---```lua
---local world, ball = sat.world(), sat.circle(0, 0, 5):setData("a")
---world:add(ball, sat.circle(8, 0, 5):setData("b"))
---world:update()
---world:remove(ball)
---world:update()
---for a, b in world:ended() do print(a:data(), b:data()) end --> a b
---```
---@return fun(): (a: sat.Shape, b: sat.Shape) iterator
function World:ended() end

---Pushes overlapping solid shapes apart. A round parts each pair of shapes that are not static by their masses, and then moves
---each of these shapes out of everything static at once. So no shape ends inside a wall.
---
---A push may lead into a third shape, so more rounds leave fewer overlaps. The rounds stop as soon as no shape is pushed.
---
---Errors: iterations that are no whole number from 1 to 1000. Cost: as `collisions`, for each iteration.
---
---```lua
---local world, a, b = sat.world(), sat.circle(0, 0, 5), sat.circle(8, 0, 5)
---world:add(a, b):separate()
---print(a:center()) --> -1 0
---print(b:center()) --> 9 0
---```
---@param iterations? integer how often at most, 1 unless given
---@return sat.World self
function World:separate(iterations) end

---The shortest way for a shape out of everything solid at once.
---
---After `shape:move(dx, dy)` the shape overlaps nothing solid, and no shorter vector does that. Static shapes, shapes
---that move, and composites all count; sensors, one-way shapes and what the filters keep apart do not. An overlap that is no
---more than rounding is a touch, here and in `separate`, so that a shape stays in a gap that it fits. Of vectors that are equally
---short, one wins as in `sat.collide`, with the middle of all that the shape overlaps in the place of b's centre.
---
---Cost: O(log n) and what a `collide` with each neighbour costs; where these leave no way out between them, the union of
---the neighbours is asked.
---
---```lua
---local world = sat.world():add(sat.rectangle(0, 0, 16, 16), sat.rectangle(16, 0, 16, 16))
---print(world:collide(sat.rectangle(11, -4, 10, 10))) --> 0 -6 6
---```
---@param shape sat.Shape
---@return number? dx nil, alone, when it touches nothing solid
---@return number dy
---@return number depth
function World:collide(shape) end

---Moves a shape until it meets a solid one, where it slides along the surface, unless another response is given.
---
---Afterwards the shape overlaps nothing solid, at any speed. Between tiles that abut it feels no seam, and no point or
---segment slips along one; the shape enters a gap of exactly its width. Sensors are crossed and reported. A shape that starts
---inside others is first led out of them, by the vector of `collide`; where this vector is longer than the larger side of the
---shape's bounds, the shape stays.
---
---A response is `"slide"`, `"touch"` (the shape stops), `"bounce"`, `"push"`, `"cross"`, or a function that is asked for each shape
---that is really hit. As `function(shape, other, nx, ny, t)` it returns one of these names, or `true` for a slide; after `false`
---or `nil` the other shape is ignored. The function must not change the world.
---
---`"push"` moves the other shape ahead, straight away from the surface that is met, by the part of the remaining motion that
---leads into it: it slides along static shapes and pushes what it meets, and then the mover goes on. What is static, of
---infinite mass, or too heavy is slid along: all that one call pushes weighs together no more than the mover's `mass`. What
---could not go as far as it was pushed is a wall for the rest of the call. The function is not asked for what pushed shapes
---meet: they push all they can. `pushed` lists what has been pushed.
---
---Errors: a motion beyond the limits; a response that is not one of these; an error of the function. Then nothing has
---moved.
---
---A surface that is only touched where the motion ends is no hit; `cast` tells it. The end of a gap exactly as wide as the
---shape leaves nothing of the motion.
---
---Cost: O(log n + k), as a rule, with k the pieces near the way, some k more for each surface met, and two moves for each push.
---
---```lua
---local world = sat.world():add(sat.rectangle(0, 100, 200, 20):setStatic(true))
---local hero = sat.rectangle(20, 80, 10, 10)
---print(world:move(hero, 30, 20)) --> 55 95 1 30 0
---world:add(sat.rectangle(65, 85, 15, 15)) -- a crate
---print(world:move(hero, 30, 0, "push")) --> 85 95 1 30 0
---```
---@param shape sat.Shape may be static, in this world, in another, or in none
---@param dx number
---@param dy number
---@param response? sat.Response|fun(shape: sat.Shape, other: sat.Shape, nx: number, ny: number, t: number): any
---@return number x the centre that it has reached
---@return number y
---@return integer n how many hits there were
---@return number rx the motion dx, as the surfaces that are still touched leave it: divide it by the time for the next velocity
---@return number ry
function World:move(shape, dx, dy, response) end

---The answer that `move` would give. The shape is not moved.
---
---Errors: as `move`. Cost: as `move`.
---
---```lua
---local world = sat.world():add(sat.rectangle(0, 100, 200, 20):setStatic(true))
---local hero = sat.rectangle(20, 80, 10, 10)
---print(world:check(hero, 30, 20, "touch")) --> 40 95 1 0 0
---print(hero:center())                      --> 25 85
---```
---@param shape sat.Shape
---@param dx number
---@param dy number
---@param response? sat.Response|fun(shape: sat.Shape, other: sat.Shape, nx: number, ny: number, t: number): any
---@return number x
---@return number y
---@return integer n
---@return number rx
---@return number ry
function World:check(shape, dx, dy, response) end

---Turns a shape about its centre, or about px, py, until a solid one stops it. Nothing is tried and halved: the shape stops
---where it touches, as `sat.turn` tells, and afterwards overlaps nothing solid that it did not overlap before, nor on the way.
---
---A response is `"touch"` (the shape stops), `"slide"` (it gives way: it steps away from what has stopped it as far as there is
---room, turns on, and comes back, so that a box turns in a corridor until it really is stuck), `"cross"`, or a function as that of
---`move`, where `true` stands for a touch. Sensors are crossed and reported. What is one-way stops a turn only from its side.
---
---A shape that starts inside of others may turn as long as it gets no deeper; call `move(shape, 0, 0)` to free it first.
---
---Errors: an angle beyond the limits; a response that is not one of these; an error of the function. Then nothing has turned.
---
---Cost: O(log n + k), as a rule, with k the pieces near the way, and some k and two moves more for each time that it gives way.
---
---```lua
---local world = sat.world():add(sat.rectangle(-100, 20, 200, 20):setStatic(true))
---local bar = sat.rectangle(-40, -5, 80, 10)
---print(("%.3f %d"):format(world:turn(bar, 1)))  --> 0.395 1
---print(world:turn(bar, 1))                      --> 0 1
---print(world:turn(bar, 1, "slide"))             --> 1 1
---print(("%.3f"):format(select(2, bar:center()))) --> -20.258
---```
---@param shape sat.Shape may be static, in this world, in another, or in none
---@param angle number in radians, clockwise on a screen
---@param response? sat.ResponseOfTurn|fun(shape: sat.Shape, other: sat.Shape, nx: number, ny: number, t: number): any
---@param px? number the point that it turns about, its centre unless given
---@param py? number
---@return number turned the angle that it has turned by, of the sign of `angle`
---@return integer n how many hits there were; t in `hits` is the fraction of the angle
function World:turn(shape, angle, response, px, py) end

---The answer that `turn` would give. The shape is not turned.
---
---Errors: as `turn`. Cost: as `turn`.
---
---```lua
---local world = sat.world():add(sat.rectangle(-100, 20, 200, 20):setStatic(true))
---local bar = sat.rectangle(-40, -5, 80, 10)
---print(("%.3f %d"):format(world:checkTurn(bar, 1)), bar:rotation()) --> 0.395 1 0
---```
---@param shape sat.Shape
---@param angle number
---@param response? sat.ResponseOfTurn|fun(shape: sat.Shape, other: sat.Shape, nx: number, ny: number, t: number): any
---@param px? number
---@param py? number
---@return number turned
---@return integer n
function World:checkTurn(shape, angle, response, px, py) end

---A loop over the hits of the last `move`, `check`, `turn` or `checkTurn`, in order. Later moves do not change a loop that
---has begun. `how` is the response, or `"free"` or `"stuck"` where the shape began inside of another. What is pushed, but not far enough, has a hit with
---`"push"` and then one with `"slide"`. `part` is the part of the other that was hit, and `own` that of the moving shape; of
---`"free"` and `"stuck"` those that are deepest.
---
---Cost: O(hits).
---
---```lua
---local world, floor = sat.world(), sat.rectangle(0, 100, 200, 20):setStatic(true)
---world:add(floor):move(sat.rectangle(20, 80, 10, 10), 0, 20)
---for other, nx, ny, t, x, y, how in world:hits() do print(other == floor, nx, ny, t, how) end --> true 0 -1 0.5 slide
---```
---@return fun(): (other: sat.Shape, nx: number, ny: number, t: number, x: number, y: number, how: string, part: integer, own: integer) iterator
function World:hits() end

---Moves a platform, a lift or a door, which nothing stops. A shape that stands on it comes along. Whatever it passes over is
---pushed ahead of it, in a long step as in many short ones, and pushes the next shape. A shape without a way out is crushed: it
---stays where it was. A turn pushes what it reaches at its end. `carried` lists all of these.
---
---Errors: an up of 0, 0; a motion beyond the limits. Then nothing has moved. Cost: a `move` for each shape carried, and a few
---moves and casts for each shape pushed.
---
---```lua
---local world, lift = sat.world(), sat.rectangle(0, 100, 60, 10):setStatic(true)
---local crate = sat.rectangle(20, 80, 20, 20)
---world:add(lift, crate)
---print(world:carry(lift, 5, -10)) --> 1 0
---print(crate:center())            --> 35 80
---```
---@param shape sat.Shape the platform
---@param dx number
---@param dy number
---@param angle? number by which it turns about its new centre, 0 unless given
---@param upx? number the direction that is up, 0, -1 unless given
---@param upy? number
---@return integer n how many it carried, pushed or crushed
---@return integer crushed how many of these have no way out
function World:carry(shape, dx, dy, angle, upx, upy) end

---A loop over the shapes that the last `carry` carried, pushed or crushed, in the order of adding, with how far each has
---really gone.
---
---Cost: O(n).
---
---```lua
---local world, lift = sat.world(), sat.rectangle(0, 100, 60, 10):setStatic(true)
---local crate = sat.rectangle(20, 80, 20, 20)
---world:add(lift, crate):carry(lift, 5, -10)
---for other, dx, dy, crushed in world:carried() do print(other == crate, dx, dy, crushed) end --> true 5 -10 false
---```
---@return fun(): (other: sat.Shape, dx: number, dy: number, crushed: boolean) iterator
function World:carried() end

---A loop over the shapes that the last `move`, `check` or `carry` has pushed, in the order of the first push, with how far each
---has really gone, or would have for a `check`: 0, 0 where something stopped it at once. The riders of a platform are not
---among them. Later moves do not change a loop that has begun.
---
---Cost: O(n).
---
---```lua
---local world, hero, crate = sat.world(), sat.rectangle(0, 0, 10, 10), sat.rectangle(20, 0, 10, 10)
---world:add(hero, crate):move(hero, 15, 0, "push")
---for other, dx, dy in world:pushed() do print(other == crate, dx, dy) end --> true 5 0
---```
---@return fun(): (other: sat.Shape, dx: number, dy: number) iterator
function World:pushed() end

---The first solid shape that a moving one meets, as `sat.cast` defines it, with the normal of a surface that the union of all
---shapes shows. A one-way shape is met from its side alone. A point, or a segment along itself, does not pass along the seam of
---two shapes that abut.
---
---Cost: O(log n + k), as a rule, with k the shapes along the way.
---
---```lua
---local world, wall = sat.world(), sat.rectangle(60, 0, 20, 100)
---world:add(wall)
---local bullet = sat.circle(0, 50, 10)
---local other, t, nx, ny = world:cast(bullet, 100, 0)
---print(other == wall, t, nx, ny) --> true 0.5 -1 0
---```
---@param shape sat.Shape what moves; it stays where it is
---@param dx number its way
---@param dy number
---@param who? sat.Who who is asked about; the shape's own filter counts, too
---@return sat.Shape? other nil, alone, when it meets nothing
---@return number t the fraction of the way, 0 to 1
---@return number nx the unit normal, out of the other
---@return number ny
---@return number x where they touch
---@return number y
---@return integer part of the other: which part is hit
---@return integer own the part of the shape that moves
function World:cast(shape, dx, dy, who) end

---The first solid shape that a ray meets, as `sat.raycast` defines it. Shapes that abut have a seam, along which no ray
---passes: the first of both is hit where the seam begins. A ray that starts inside of one shape and on the
---outline of others hits the former.
---
---Cost: O(log n + k), as a rule, with k the shapes along the way.
---
---```lua
---local world, wall = sat.world(), sat.rectangle(60, 0, 20, 100)
---world:add(wall)
---local shape, t, nx, ny, x, y, part = world:raycast(0, 50, 120, 50)
---print(shape == wall, t, nx, ny, x, y, part) --> true 0.5 -1 0 60 50 1
---print(world:raycast(0, 50, 120, 50, wall)) --> nil
---```
---@param x1 number where it starts
---@param y1 number
---@param x2 number where it ends
---@param y2 number
---@param who? sat.Who who is asked about
---@return sat.Shape? shape nil, alone, when it hits nothing
---@return number t the fraction of the way, 0 to 1
---@return number nx the unit normal, out of the shape; 0, 0 when the ray starts inside
---@return number ny
---@return number x where it goes in
---@return number y
---@return integer part which part is hit
function World:raycast(x1, y1, x2, y2, who) end

---All solid shapes that a ray meets, in the order of the way.
---
---Cost: O(log n + k log k), as a rule.
---
---```lua
---local world = sat.world():add(sat.circle(200, 0, 9):setData("far"), sat.circle(100, 0, 9):setData("near"))
---for _, shape in ipairs(world:raycastAll(0, 0, 300, 0)) do print(shape:data()) end
-----> near
-----> far
---```
---@param x1 number where it starts
---@param y1 number
---@param x2 number where it ends
---@param y2 number
---@param out? sat.Shape[] the table to fill, a new one unless given
---@param who? sat.Who who is asked about
---@return sat.Shape[] out
---@return integer n how many were found
function World:raycastAll(x1, y1, x2, y2, out, who) end

---A loop over all solid shapes that a ray meets, from the first to the last, as of its start. Shapes may be moved, added and
---removed inside; removed ones are skipped. Loops may be nested.
---
---Cost: O(log n + k log k), as a rule.
---
---```lua
---local world = sat.world():add(sat.circle(200, 0, 50):setData("far"), sat.circle(100, 0, 50):setData("near"))
---for shape, t, nx, ny, x, y in world:raycasts(0, 0, 200, 0) do print(shape:data(), t, nx, ny, x, y) end
-----> near 0.25 -1 0 50 0
-----> far 0.75 -1 0 150 0
---```
---@param x1 number where it starts
---@param y1 number
---@param x2 number where it ends
---@param y2 number
---@param who? sat.Who who is asked about
---@return fun(): (shape: sat.Shape, t: number, nx: number, ny: number, x: number, y: number, part: integer) iterator
function World:raycasts(x1, y1, x2, y2, who) end

---All shapes that hold a point, sensors too.
---
---Cost: O(log n + k), as a rule.
---
---```lua
---local world, card = sat.world(), sat.rectangle(0, 0, 30, 20)
---world:add(card)
---print(world:at(5, 5)[1] == card) --> true
---```
---@param x number
---@param y number
---@param out? sat.Shape[] the table to fill, a new one unless given
---@param who? sat.Who who is asked about
---@return sat.Shape[] out
---@return integer n how many were found
function World:at(x, y, out, who) end

---All shapes, sensors too, that touch a box or a shape: their outlines, not only their boxes.
---
---Errors: a negative side. Cost: O(log n + k), as a rule.
---
---```lua
---local world = sat.world():add(sat.circle(10, 10, 10))
---print((select(2, world:query(0, 0, 2, 2))))             --> 0
---print((select(2, world:query(0, 0, 3, 3))))             --> 1
---print((select(2, world:query(sat.circle(30, 10, 10))))) --> 1
---```
---@param x number a box
---@param y number
---@param w number not negative
---@param h number not negative
---@param out? sat.Shape[] the table to fill, a new one unless given
---@param who? sat.Who who is asked about
---@return sat.Shape[] out
---@return integer n how many were found
---@overload fun(self: sat.World, shape: sat.Shape, out?: sat.Shape[]): sat.Shape[], integer
function World:query(x, y, w, h, out, who) end

---The solid shape that is nearest to a point, by its true distance.
---
---Errors: a negative limit. Cost: O(log n), as a rule.
---
---```lua
---local world, ball = sat.world(), sat.circle(50, 0, 10)
---world:add(ball)
---local shape, d, px, py = world:nearest(0, 0)
---print(shape == ball, d, px, py) --> true 40 40 0
---print(world:nearest(0, 0, 30))  --> nil
---```
---@param x number
---@param y number
---@param limit? number no farther than this; any distance unless given
---@param who? sat.Who who is asked about
---@return sat.Shape? shape nil, alone, when there is none
---@return number d the distance, 0 inside
---@return number px its point that is nearest
---@return number py
function World:nearest(x, y, limit, who) end

---The solid shapes that are nearest to a point, nearest first.
---
---Errors: k that is no whole number from 0 to 4294967295; a negative limit. Cost: O(log n + k log k), as a rule.
---
---```lua
---local world = sat.world():add(sat.circle(200, 0, 9):setData("far"), sat.circle(100, 0, 9):setData("near"))
---for _, shape in ipairs(world:nearestAll(0, 0, 2)) do print(shape:data()) end
-----> near
-----> far
---```
---@param x number
---@param y number
---@param k integer how many at most
---@param out? sat.Shape[] the table to fill, a new one unless given
---@param who? sat.Who who is asked about
---@param limit? number no farther than this; any distance unless given
---@return sat.Shape[] out
---@return integer n how many were found
function World:nearestAll(x, y, k, out, who, limit) end

---What is seen from a place: the vertices of the polygon that all rays from there reach, in the order of positive area, as a
---flat list. Everything that `raycast` would stop at, with the same `who`, hides what is behind it. The view ends at a
---circle of a radius, as the regular polygon of 64 vertices in it, or at the outline of a convex shape without radius that
---contains the place, such as a box or a sector.
---
---Inside of something solid nothing is seen, and n is 0. On an outline what lies behind it is dark, and the place is a
---vertex. Arcs are cut into chords of up to 1/64 turn, between exact tangents. Of directions closer than 1e-9 only one is
---seen, so that no light leaks between solids that abut.
---
---Errors: a radius not above 0; an area that is not convex, has a radius, or does not contain x, y. Cost: O(n log n + n a),
---for n edges near the area, of which one ray crosses `a`.
---
---```lua
---local world = sat.world():add(sat.rectangle(10, -5, 10, 10))
---local out, n = world:visible(0, 0, sat.rectangle(-50, -50, 100, 100))
---print(n) --> 8
---print(sat.polygon(out):contains(-40, 40), sat.polygon(out):contains(40, 0)) --> true false
---```
---@param x number
---@param y number
---@param area number|sat.Shape a radius above 0, or a convex shape without radius that contains x, y
---@param out? number[] the table to fill, a new one unless given
---@param who? sat.Who who is asked about
---@return number[] out x1, y1, x2, y2, ...
---@return integer n the number of vertices, 0 inside of something solid
function World:visible(x, y, area, out, who) end

---The whole world as a string, for saved games and for going back in time. The string has every bit of the shapes and is the
---same on every machine. The data of the shapes is not in it, since a Lua value may be anything.
---
---Cost: O(n). Where few of many places for shapes are in use, the string has at least 4 bytes for each place.
---
---```lua
---local world, ball = sat.world(), sat.circle(0, 0, 5)
---world:add(ball)
---local saved = world:save()
---ball:move(100, 0)
---world:load(saved)
---print(ball:center()) --> 0 0
---```
---
---The option `since` is the string of an earlier `save` of this world, the base. The result is then a delta: a string of the
---differences from the base, mostly of a few hundred bytes. The same differences give the same bytes. The world keeps the base,
---and only the first delta since a new base looks at all shapes, in O(n), and takes a digest of the base's bytes, in some two
---milliseconds for a megabyte. The others cost as much as what has changed.
---
---Errors: `since` is no whole save, or none that this world has made or loaded. A world knows its last 128 whole saves for
---certain; an older string only has to be a save with the ids of its shapes.
---
---```lua
---local world, ball = sat.world(), sat.circle(0, 0, 5)
---for i = 1, 100 do world:add(sat.rectangle(10 * i, 20, 10, 10):setStatic(true)) end
---world:add(ball)
---local base = world:save()
---ball:move(7, 0)
---local delta = world:save{ since = base }
---print(#base > 20000, #delta < 300)  --> true true
---ball:move(100, 0)
---world:load(delta)
---print(ball:center())                --> 7 0
---```
---@param options? { since?: string }
---@return string saved
function World:save(options) end

---Brings a saved world back. A shape of the saved world that is still there is kept, with its data. A missing one is made,
---without data. All other shapes are removed. The next `update` counts none of these as new or gone.
---
---A delta takes the world to where it was when the delta was saved, as the whole save of that moment would. The base of the
---delta must be the `since` of the last delta that this world has saved, or the whole save that this world has loaded last,
---or the one that it has made last. The delta knows the base by a digest of all its bytes, which nobody can forge. So a world
---on another machine loads the base once, and then deltas. The world keeps these strings until it gets new ones, or until
---`release`.
---
---Errors: a string that is no saved world, or a damaged one; a save of another version in another format; a delta since
---another base. Then nothing has changed. Anybody may have written the string: all of it is checked. Cost: O(n log n), less
---for shapes that are still there, and at most 64 bytes of memory for each byte of the string. That of a delta grows with the
---shapes in which the world, before or afterwards, differs from the base.
---
---```lua
---local saved = sat.world():add(sat.circle(0, 0, 5)):save()
---local other = sat.world():load(saved)
---print(other:count())                            --> 1
---print((pcall(other.load, other, "nonsense"))) --> false
---```
---@param saved string what `save` gave
---@return sat.World self
function World:load(saved) end

---A loop over the parts of the quadtree of the enabled shapes, to draw them: the root first, then level by level. A shape
---counts in one part, the one that its box's top-left corner is in and that is just large enough for it.
---
---Cost: O(n).
---
---```lua
---local world, shapes = sat.world(), 0
---for i = 1, 50 do world:add(sat.circle(i * 15, i * 11, 5)) end
---for x, y, w, h, level, count in world:nodes() do
---  shapes = shapes + count -- love.graphics.rectangle("line", x, y, w, h)
---end
---print(shapes) --> 50
---```
---@return fun(): (x: number, y: number, w: number, h: number, level: integer, count: integer) iterator a box, its level, 0 for the root, and how many shapes count there
function World:nodes() end

---Draws a world in LÖVE, to look for mistakes. Moving shapes, static ones, sensors and disabled ones have different colours,
---which people who see fewer colours can tell apart, too. At each collision an arrow shows the vector that leads a shape which
---can move out of the other one. An arrow stands on the side from which a one-way shape is solid. The options switch on what
---is not drawn by itself: boxes, nodes of the quadtree, and the hits of the last `move` or `check`, with their normals and the
---way of the shape's centre. Afterwards `love.graphics` has its own colour and point size again.
---
---Errors: no `love.graphics`, which only LÖVE's main thread has; another mode or option. Cost: O(n) and that of
---`collisions`.
---
---```lua
---local world = sat.world():add(sat.circle(200, 200, 50), sat.rectangle(150, 240, 200, 20):setStatic(true))
---
---function love.draw()
---  world:draw { mode = "fill", boxes = true, nodes = true }
---end
---```
---@param options? { mode?: "line"|"fill", shapes?: boolean, boxes?: boolean, nodes?: boolean, vectors?: boolean, hits?: boolean } or a mode alone; what to draw: `shapes` and `vectors` unless switched off, `boxes`, `nodes` and `hits` if switched on
---@return sat.World self
---@overload fun(self: sat.World, mode: "line"|"fill"): sat.World
function World:draw(options) end

---The picture of `draw` as the text of an SVG file; on any Lua.
---
---Errors: another mode or option. Cost: O(n) and that of `collisions`.
---
---```lua
---local world = sat.world():add(sat.circle(200, 200, 50), sat.rectangle(150, 240, 200, 20):setStatic(true))
---local picture = world:svg { mode = "fill", boxes = true }
---print(picture:match("^<svg")) --> <svg
---```
---@param options? { mode?: "line"|"fill", shapes?: boolean, boxes?: boolean, nodes?: boolean, vectors?: boolean, hits?: boolean } as of `draw`
---@return string svg
---@overload fun(self: sat.World, mode: "line"|"fill"): string
function World:svg(options) end

-- # The module
--
-- The version, the types of values, and a check for level editors.
--
-- The Lua files load from any folder that a game puts them in (`require "lib.sat"`, too), as does the native part next to
-- them. Nothing is global: each thread of LÖVE may load it.

---The name and the version, as in `"sat 0.2.0"`.
---
---```lua
---print(sat._VERSION:match("^%a+")) --> sat
---```
---@type string
sat._VERSION = ""

---The kind of this module's objects that a value is, if any.
---
---Cost: O(1).
---
---```lua
---print(sat.type(sat.point(1, 2)), sat.type(sat.world()), sat.type("point")) --> shape world nil
---```
---@param value any
---@return "shape"|"quadtree"|"world"|nil type nil for anything else
function sat.type(value) end

---Whether `sat.polygon` would take these vertices, and if not, the reason: for level editors. Bad geometry or an odd number
---of coordinates is no error here; only wrong types are.
---
---Cost: O(n log n).
---
---```lua
---print(sat.validate { 0, 0, 10, 0, 10, 10, 0, 10 }) --> true
---local ok, reason, vertex = sat.validate { 0, 0, 10, 10, 10, 0, 0, 10 }
---print(ok, vertex) --> nil 1
---print(reason)     --> the edge from vertex 1 to 2 crosses or runs along the one from 3 to 4
---```
---@param x1 number the first vertex
---@param y1 number
---@param ... number more vertices
---@return true? valid nil when they make no polygon
---@return string? reason what is wrong
---@return integer? vertex the vertex at fault, if it is one
---@overload fun(vertices: number[]): true?, string?, integer?
function sat.validate(x1, y1, ...) end

return sat
