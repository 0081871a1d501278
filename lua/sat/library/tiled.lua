---@meta sat.tiled

-- What `require "sat.tiled"` gives: shapes of maps made with Tiled. This file is never run. The Lua language server reads
-- it for its hints, `make docs` makes the reference of it, and the specs hold it against the module and run its examples.

-- # sat.tiled
--
-- Shapes of a map that was drawn with [Tiled](https://www.mapeditor.org) and exported as Lua. The guide has what collides, the
-- properties that are understood, and what is refused.

---@class sat.tiled
local tiled = {}

-- ## Maps

---With `layers`, only the named layers or groups are read, and their tiles collide as a whole. The function `tileset` returns
---the table of a tileset that lies in a file of its own. With `marked = true` only what has the property `collidable`
---collides; a map that has such objects and others, read without this option, prints a line about it once. With
---`static = true` objects are static unless their property `static` is false.
---@class sat.tiled.Options
---@field layers? string[]
---@field tileset? fun(filename: string, tileset: table): table
---@field marked? boolean
---@field static? boolean

---All that collides in a map, as a list of shapes, layer by layer. The shapes of tile layers are static. `shape:data()` is
---what Tiled knows: `name`, `type`, `layer`, `properties`, `id`, `gid`.
---
---Layers that Tiled has packed, by Base64, zlib or gzip, are read in LÖVE.
---
---Errors: a map that is packed in another way or elsewhere, damaged or not orthogonal, for which the message names the place
---of the fault; an unknown option.
---Cost: O(n log n) for n cells and objects, wherever they lie.
---
---```lua
---local tiled = require "sat.tiled"
---local map = {
---  orientation = "orthogonal", layers = {
---    { type = "objectgroup", name = "level", objects = {
---      { id = 1, shape = "rectangle", type = "ground", x = 0, y = 96, width = 320, height = 16 },
---    } },
---  },
---}
---local shape = tiled.shapes(map)[1]
---print(shape:data().type, shape:bounds()) --> ground 0 96 320 16
---```
---@param map table what `require "map"` gives
---@param options? sat.tiled.Options
---@return sat.Shape[] shapes
function tiled.shapes(map, options) end

---Adds all that collides to a world. Cells that are whole and square are a grid of `sat.tiles` for each layer, whose
---rectangles are the shapes; `shape:data().grid` tells which tile is where, and changes tiles.
---
---Errors: as `shapes`; nothing has been added then. Cost: as `shapes`, and that of adding.
---
---```lua
---local sat, tiled = require "sat", require "sat.tiled"
---local map = {
---  orientation = "orthogonal", tilewidth = 16, tileheight = 16,
---  tilesets = { { name = "ground", firstgid = 1, tilewidth = 16, tileheight = 16, tiles = {} } },
---  layers = { { type = "tilelayer", name = "ground", width = 2, height = 2, data = { 0, 1, 1, 1 } } },
---}
---local world = sat.world()
---print(#tiled.add(world, map))                          --> 0
---print(#tiled.add(world, map, { layers = { "ground" } })) --> 2
---local shape = world:at(20, 20)[1]
---local grid = shape:data().grid
---print(shape:kind(), grid:cell(20, 20))                 --> polygon 2 2
---grid:set(2, 2, false)
---print(#world:at(20, 20))                               --> 0
---```
---@param world sat.World
---@param map table
---@param options? sat.tiled.Options
---@return sat.Shape[] shapes
function tiled.add(world, map, options) end

return tiled
