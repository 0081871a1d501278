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
---Cost: O(m log m) for the m tiles of a chunk.
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
