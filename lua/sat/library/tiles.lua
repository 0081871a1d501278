---@meta sat.tiles

-- What `require "sat.tiles"` gives. This file is never run: see sat.lua beside it.

-- # Tiles
--
-- `require "sat.tiles"` makes few static shapes of a grid of tiles: full tiles that lie side by side become rectangles. A
-- shape that moves over them ends where it would end on single tiles.

---@class sat.tiles
local tiles = {}

---A map of tiles. Columns and rows are counted from 1, from the top left corner on.
---@class sat.TileMap
local TileMap = {}

---Makes the shapes of a grid of tiles in a world.
---
---`at(column, row)` is asked once for each tile, row by row, and says what it is: nil or false for nothing, true for a full
---tile, or the vertices of a polygon in the tile, whose coordinates are from 0 to `size`. The map copies the vertices: a
---later change of the list changes nothing. The options: `x` and `y`, the top left
---corner of the grid (0, 0 unless given); `chunk`, how many columns and rows of tiles are merged, and made again when one of
---them changes (16); `separate`, whether each merged rectangle and each slope is a shape of its own (true): false makes one
---compound of a chunk, which is fewer shapes and slower moves; `prepare`, a function that is called with each shape before
---it goes into the world, for `setFilter`. The shapes are static, and their `data()` is the map.
---
---Errors: an answer of `at` that is no tile; the message names its column and row. More than 16777216 tiles, or a grid that
---reaches beyond 1e15. After an error, in `at` and `prepare` too, the world is as it was: it gets all shapes at once, when
---they have been made.
---Cost: O(n log n) for n tiles.
---
---```lua
---local tiles = require "sat.tiles"
---local level = { ".....", "../##", "#####" }
---local solid = { ["#"] = true, ["/"] = { 0, 16, 16, 0, 16, 16 } }
---local world = sat.world()
---local map = tiles.new(world, 5, 3, 16, function(column, row) return solid[level[row]:sub(column, column)] end)
---print(world:count(), map:get(1, 1), map:get(4, 2)) --> 3 false true
---```
---@param world sat.World
---@param columns integer
---@param rows integer
---@param size number how wide and high a tile is
---@param at fun(column: integer, row: integer): boolean|number[]|nil
---@param options? { x?: number, y?: number, chunk?: integer, separate?: boolean, prepare?: fun(shape: sat.Shape) }
---@return sat.TileMap map
function tiles.new(world, columns, rows, size, at, options) end

---A map with one tile for each pixel of an image whose alpha is at least `threshold` (0.5): a level that was painted. The
---image is LÖVE's ImageData, or anything with its `getDimensions` and `getPixel`. The options are those of `new`.
---
---Errors: as `new`; something that is no image. Cost: as `new`.
---
---```lua
---local tiles = require "sat.tiles"
---local hill = {
---  getDimensions = function() return 8, 4 end,
---  getPixel = function(_, x, y) return 1, 1, 1, y >= math.abs(x - 4) and 1 or 0 end,
---}
---local world = sat.world()
---local map = tiles.image(world, hill, 10)
---print(map:get(5, 1), map:get(4, 1), map:get(4, 2)) --> true false true
---```
---@param world sat.World
---@param data any
---@param size number how wide and high a tile is
---@param threshold? number
---@param options? { x?: number, y?: number, chunk?: integer, separate?: boolean, prepare?: fun(shape: sat.Shape) }
---@return sat.TileMap map
function tiles.image(world, data, size, threshold, options) end

---The value of a tile: false, true or its vertices.
---
---Errors: a column or row that is not in the grid. Cost: O(1).
---
---```lua
---local map = require("sat.tiles").new(sat.world(), 2, 2, 16, function(column) return column == 2 end)
---print(map:get(1, 1), map:get(2, 1)) --> false true
---```
---@param column integer
---@param row integer
---@return boolean|number[] tile
function TileMap:get(column, row) end

---Changes a tile, and makes those rectangles and slopes of its chunk again that are no longer the same. The others stay, with
---their data and contacts.
---
---Errors: a column or row that is not in the grid; a value that is no tile; a call by `prepare` before the map is made, or
---for the same chunk. After an error, in `prepare` too, the map and the world are as they were.
---Cost: O(m) for the m tiles of a chunk. Many tiles are set by one `fill`, or in one `edit`.
---
---```lua
---local world = sat.world()
---local map = require("sat.tiles").new(world, 8, 8, 16, function() return true end)
---map:set(3, 3, nil):set(4, 3, { 0, 0, 16, 16, 0, 16 })
---print(#world:at(40, 40), #world:at(50, 46)) --> 0 1
---```
---@param column integer
---@param row integer
---@param tile boolean|number[]|nil
---@return sat.TileMap self
function TileMap:set(column, row, tile) end

---Sets every tile whose centre a shape contains (its outline counts), or a block of tiles. A blast is a circle. Outside of
---an `edit` it is an edit of its own and returns how many tiles are others now, and within one it returns the map.
---
---Errors: as `set`; a block that is not in the grid. What a shape contains beside the grid does not count.
---Cost: O(m) for the m tiles of all chunks that the shape or the block meets.
---
---```lua
---local world = sat.world()
---local map = require("sat.tiles").new(world, 64, 64, 8, function() return true end)
---print(map:fill(sat.circle(256, 256, 40), nil)) --> 80
---print(map:fill(33, 1, 2, 64, nil))             --> 108
---print(#world:at(258, 20), #world:at(20, 20))   --> 0 1
---```
---@param shape sat.Shape
---@param tile boolean|number[]|nil
---@return integer|sat.TileMap changed
---@overload fun(self: sat.TileMap, column: integer, row: integer, columns: integer, rows: integer, tile: boolean|number[]|nil): integer|sat.TileMap
function TileMap:fill(shape, tile) end

---Calls `f(map, …)`, which sets and fills tiles. `get` and `cell` see each change at once; the world sees them all when `edit`
---returns, each chunk being made again once. Rectangles and slopes that are still the same stay. An edit within an edit is
---part of the outer one, and returns the map.
---
---Errors: those of `f`; an `f` that yields; a tile that cannot be made. After an error the map and the world are as they
---were; what an inner edit has set before its error is put back with the outer one.
---Cost: O(m) for the m tiles of all chunks that are touched.
---
---```lua
---local world = sat.world()
---local map = require("sat.tiles").new(world, 64, 64, 8, function() return true end)
---local changed = map:edit(function(map)
---  for i = 1, 5 do map:fill(sat.circle(80 * i, 100, 30), nil) end
---  map:set(1, 1, nil)
---end)
---print(changed, map:get(1, 1)) --> 221 false
---```
---@param f fun(map: sat.TileMap, ...: any)
---@param ... any
---@return integer|sat.TileMap changed how many tiles differ from before
function TileMap:edit(f, ...) end

---The column and row of the tile at a point, or nil beside the grid. On the border of two tiles the one that is not empty
---counts; with the normal of a hit, the one that the hit was on.
---
---Cost: O(1).
---
---```lua
---local world = sat.world()
---local map = require("sat.tiles").new(world, 8, 8, 16, function(_, row) return row > 4 end)
---local shape, t, nx, ny, x, y = world:raycast(40, 0, 40, 200)
---print(shape:data() == map, t, map:cell(x, y, nx, ny)) --> true 0.32 3 5
---```
---@param x number
---@param y number
---@param nx? number the normal of a hit at that point
---@param ny? number
---@return integer? column
---@return integer row
function TileMap:cell(x, y, nx, ny) end

return tiles
