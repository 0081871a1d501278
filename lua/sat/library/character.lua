---@meta sat.character

-- What `require "sat.character"` gives. This file is never run: see sat.lua beside it.

-- # Characters
--
-- `require "sat.character"` is a character on feet for platformers, in 250 lines of Lua on `world:move`, to be copied
-- and changed. The guide *A platformer* shows it in a game.

---@class sat.character
local character = {}

---The fields `ground`, `groundX` and `groundY` are the shape that the character stands on and its normal, `wall` is what
---stopped it and `ceiling` what its head hit in the last frame; each is nil where there is nothing. `world` and `shape`
---are what the character was made of.
---@class sat.Character
---@field world sat.World
---@field shape sat.Shape
---@field ground sat.Shape?
---@field groundX number? the normal of the ground, in the world's frame
---@field groundY number?
---@field wall sat.Shape?
---@field ceiling sat.Shape?
local Character = {}

---Makes a character that moves a shape through a world. Platforms carry it if the shape is in the world.
---
---The options: `slope`, the angle up to which a surface is ground (`math.rad(50)` unless given; below a right angle);
---`step`, how high a step may be that is stepped on; `snap`, how far ground may fall away and still be followed, more than
---a slope does; `corner`, by less than how much a head has to hit an edge to go around it (0 each); `up`, a direction
---(`{ 0, -1 }`).
---
---Errors: an option that there is not, which is named with the nearest that there is. Cost: O(1).
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

---Moves the character for one frame. Its velocity is in its own frame: x to the right of up, y against up, as on a screen.
---
---On ground `vx` is the speed along the ground, the same up and down, and `vy` is 0; a `vy` that leads up leaves the
---ground. In the air add gravity to `vy` in each frame. `response` is as of `world:move`: `false` or nil lets the
---character through a shape, `"cross"` through and reports it, and all else is ground, wall or ceiling. A function may be
---asked several times in a frame; for sensors use `world:update`.
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

---Falls through the one-way shape that the character stands on, and its neighbours, until it has left that behind.
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
---@return boolean drops false where the ground is none, or not one-way
function Character:drop() end

return character
