---@meta sat.character

-- What `require "sat.character"` gives. This file is never run: see sat.lua beside it.

-- # Characters
--
-- `require "sat.character"` is a character on feet for platformers, one file of Lua on `world:move`, to be copied and
-- changed. The guide *A platformer* shows it in a game.

---@class sat.character
local character = {}

---After each `move` that does not lead up, the field `ground` is the shape that the character stands on, if any, and
---`groundX, groundY` is the normal of that ground; `wall` is the shape that has stopped the character, and `ceiling` the shape that its head has hit. Each of
---these is nil where there is no such shape. The fields `world` and `shape` are those that `new` was given.
---@class sat.Character
---@field world sat.World
---@field shape sat.Shape
---@field ground sat.Shape?
---@field groundX number? the normal of the ground, in the world's frame
---@field groundY number?
---@field wall sat.Shape?
---@field ceiling sat.Shape?
local Character = {}

---Makes a character that moves a shape through a world. Platforms carry the character if its shape is in the world.
---
---Surfaces up to the angle `slope` are ground, and steeper ones are walls (`math.rad(50)` unless given; it must be below a
---right angle). The character steps onto obstacles up to the height `step`. It follows ground that falls away by up to
---`snap` more than a slope does. A head that hits an edge by less than `corner` goes around the edge. These three options
---are 0 unless given, and below 1e7. The direction `up` is `{ 0, -1 }` unless given.
---
---Errors: an unknown option, for which the message names the nearest known one. Cost: O(1).
---
---```lua
---local character = require "sat.character"
---local world, shape = sat.world(), sat.capsule(0, -10, 0, 10, 8)
---local hero = character.new(world:add(shape), shape, { step = 8, snap = 8, corner = 6 })
---print(hero.ground) --> nil
---```
---@param world sat.World
---@param shape sat.Shape
---@param options? { slope?: number, step?: number, snap?: number, corner?: number, up?: number[] }
---@return sat.Character hero
function character.new(world, shape, options) end

---Moves the character for one frame. The velocity is in the character's own frame: `vx` leads to the right of up, and `vy`
---against up, as on a screen.
---
---On ground `vx` is the speed along the ground, uphill and downhill alike, and `vy` is 0; a `vy` that leads up leaves the
---ground. In the air add gravity to `vy` in each frame. The response is a name or a function, as of `world:move`. The
---character passes through a shape for which the function answers `false` or nil, or the response is `"cross"`; with any
---other response the shape is ground, wall or ceiling. A function may be asked several times in a frame. For sensors use
---`world:update`. An error, such as one in the function, leaves the character where and as it was before the frame.
---
---Errors: a dt below 0; those of `world:move`. Cost: that of two `world:move`, some more at steps and bends.
---
---```lua
---local character = require "sat.character"
---local shape = sat.rectangle(0, -30, 10, 20)
---local world = sat.world():add(shape, sat.rectangle(-100, 0, 300, 10))
---local hero, vx, vy = character.new(world, shape), 0, 0
---for _ = 1, 60 do
---  vx, vy = hero:move(100, vy + 1500 / 60, 1 / 60)
---end
---print(vx, vy, hero.groundX, hero.groundY) --> 100 0 0 -1
---```
---@param vx number
---@param vy number
---@param dt number seconds
---@param response? sat.Response|fun(shape: sat.Shape, other: sat.Shape, nx: number, ny: number, t: number): sat.Response|boolean|nil
---@return number vx the velocity for the next frame
---@return number vy
function Character:move(vx, vy, dt, response) end

---Lets the character fall through the one-way shape that it stands on, and through one-way shapes that touch this one,
---until it has left the shape that it stood on.
---
---Cost: O(1).
---
---```lua
---local character = require "sat.character"
---local shape = sat.rectangle(0, -20, 10, 20)
---local plank = sat.rectangle(-50, 0, 100, 5):setOneWay(0, -1)
---local hero = character.new(sat.world():add(shape, plank), shape)
---hero:move(0, 25, 1 / 60)
---print(hero.ground == plank, hero:drop(), hero:drop()) --> true true false
---```
---@return boolean drops false where the character stands on no one-way shape
function Character:drop() end

return character
