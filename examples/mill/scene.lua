-- The gem mill: a few dozen shapes of every convex kind fall through a level, bounce, turn, and
-- start again when they have reached the drain. The same calls give the same scene, bit for bit,
-- on every Lua.
--
--   local mill = require("scene").new(require("map"), 36)
--   mill:step() -- one sixtieth of a second
--
-- Afterwards: mill.fixed and mill.bodies, each with its .shape; mill.pushes, this frame's
-- collisions; and some counts.

local sat = require "sat"
local tiled = require "sat.tiled"

local scene = { STEP = 1 / 60 }

local PASSES = 12     -- at most so many rounds of pushing in a frame,
local ENOUGH = 0.01   -- and none more once nothing was deeper than this
local BOUNCE = 0.25   -- how much of its speed a body keeps when it hits something,
local CALM = 60       -- unless it was slower than this
local FRICTION = 0.35
local ROOM = 16       -- how close two boxes must be for a look at what is in them
local PAUSE = 5       -- frames from one newcomer to the next

local Scene = {}
Scene.__index = Scene

-- A random generator of our own, since every Lua has a different one.
-- Park and Miller, Random number generators: good ones are hard to find, CACM 31, 1988.
function Scene:random(low, high)
  self.seed = self.seed * 16807 % 2147483647
  return low + (high - low) * (self.seed / 2147483647)
end

-- Bodies ----------------------------------------------------------------------

-- In the order of the legend: a name and what makes the shape, about 0, 0.
scene.kinds = {
  { "circle", function(size) return sat.circle(0, 0, size) end },
  { "capsule", function(size) return sat.capsule(-0.8 * size, 0, 0.8 * size, 0, 0.6 * size) end },
  { "hexagon", function(size) return sat.regular(0, 0, 1.1 * size, 6) end },
  { "box", function(size) return sat.rectangle(-size, -0.7 * size, 2 * size, 1.4 * size) end },
  { "rounded triangle", function(size)
    return sat.regular(0, 0, 0.8 * size, 3):setRadius(0.4 * size)
  end },
  { "ellipse", function(size) return sat.ellipse(0, 0, 1.3 * size, 0.75 * size, 24) end },
  { "hull", function(size)
    return sat.hull(-1, -0.3, -0.2, -1, 0.9, -0.6, 0, 0, 1.1, 0.5, -0.4, 0.9):scale(size)
  end },
  { "segment", function(size) return sat.segment(-1.5 * size, 0, 1.5 * size, 0) end },
}

-- `ease` and `turnEase` are one over mass and moment of inertia: 0 for what nothing can move.
local function newFixed(shape, kind, spin)
  return { shape = shape, kind = kind, vx = 0, vy = 0, spin = spin, ease = 0, turnEase = 0 }
end

local function newBody(shape, kind)
  local body = newFixed(shape, kind, 0)
  local _, _, reach = shape:boundingCircle()
  local mass = math.max(shape:area(), 4 * reach) -- a segment has no area
  body.ease, body.turnEase = 1 / mass, 3 / (mass * reach * reach)
  return body
end

function Scene:place(shape)
  local type, spin = shape:data().type, shape:data().properties.spin or 0
  if type == "spawn" then table.insert(self.spawns, shape)
  elseif type == "exit" then table.insert(self.exits, shape)
  elseif type == "crate" then table.insert(self.bodies, newBody(shape, type))
  else table.insert(self.fixed, newFixed(shape, type, math.rad(spin))) end
end

-- A scene in `map`, with `count` bodies waiting to come in. The same `seed` gives the same scene.
function scene.new(map, count, seed)
  local self = setmetatable({
    map = map, seed = seed or 42,
    fixed = {}, bodies = {}, waiting = {}, pushes = {},
    spawns = {}, exits = {}, nextSpawn = 1, pause = 0,
    frame = 0,
    collisions = 0, deepest = 0, -- of the last frame,
    total = 0, worst = 0,        -- and of all
  }, Scene)
  for _, shape in ipairs(tiled.shapes(map)) do self:place(shape) end
  for i = 1, count do
    local kind = scene.kinds[(i - 1) % #scene.kinds + 1]
    table.insert(self.waiting, newBody(kind[2](self:random(12, 18)), kind[1]))
  end
  return self
end

-- Coming and going ------------------------------------------------------------

local function isFree(shape, bodies)
  for _, other in ipairs(bodies) do
    if sat.overlaps(shape, other.shape) then return false end
  end
  return true
end

-- Lets the first of the queue in, at one spawn point after the other, as soon as there is room.
function Scene:enter()
  local body = self.waiting[1]
  self.pause = self.pause - 1
  if self.pause > 0 or not body then return end
  local x, y = self.spawns[self.nextSpawn]:center()
  body.shape:transform(x, y, self:random(0, 2 * math.pi))
  if not isFree(body.shape, self.bodies) then return end
  body.vx, body.vy, body.spin = self:random(-90, 90), 0, self:random(-4, 4)
  table.insert(self.bodies, table.remove(self.waiting, 1))
  self.nextSpawn, self.pause = self.nextSpawn % #self.spawns + 1, PAUSE
end

-- Puts whatever has reached an exit back into the queue.
function Scene:leave()
  for i = #self.bodies, 1, -1 do
    for _, exit in ipairs(self.exits) do
      if sat.overlaps(self.bodies[i].shape, exit) then
        table.insert(self.waiting, table.remove(self.bodies, i))
        break
      end
    end
  end
end

-- Collisions ------------------------------------------------------------------

-- The speed along nx, ny at which `a` leaves `b` at the point x, y, and how easily a push there
-- changes it.
local function speedAt(a, b, nx, ny, x, y)
  local ax, ay = a.shape:center()
  local bx, by = b.shape:center()
  local vx = a.vx - a.spin * (y - ay) - b.vx + b.spin * (y - by)
  local vy = a.vy + a.spin * (x - ax) - b.vy - b.spin * (x - bx)
  local armA, armB = (x - ax) * ny - (y - ay) * nx, (x - bx) * ny - (y - by) * nx
  return vx * nx + vy * ny, a.ease + b.ease + armA * armA * a.turnEase + armB * armB * b.turnEase
end

local function kick(body, jx, jy, x, y)
  local cx, cy = body.shape:center()
  body.vx, body.vy = body.vx + jx * body.ease, body.vy + jy * body.ease
  body.spin = body.spin + ((x - cx) * jy - (y - cy) * jx) * body.turnEase
end

-- Takes away the speed with which two bodies meet at x, y, and slows their slide by friction.
local function bounce(a, b, nx, ny, x, y)
  local speed, ease = speedAt(a, b, nx, ny, x, y)
  if speed >= 0 then return end
  local push = -speed * (speed < -CALM and 1 + BOUNCE or 1) / ease
  local slide, slideEase = speedAt(a, b, -ny, nx, x, y)
  local rub = math.max(-FRICTION * push, math.min(FRICTION * push, -slide / slideEase))
  local jx, jy = nx * push - ny * rub, ny * push + nx * rub
  kick(a, jx, jy, x, y)
  kick(b, -jx, -jy, x, y)
end

-- The use of sat in this scene: the MTV parts two bodies that collide, and the heavier one moves less.
-- Returns how deep they were, and appends the collision to the list `pushes`, if there is one.
local function part(a, b, pushes)
  local dx, dy, depth = sat.collide(a.shape, b.shape)
  if not dx then return 0 end
  local nx, ny, _, x1, y1, x2, y2 = sat.contacts(a.shape, b.shape)
  bounce(a, b, nx, ny, x1, y1)
  if x2 then bounce(a, b, nx, ny, x2, y2) end
  local share = a.ease / (a.ease + b.ease)
  a.shape:move(dx * share, dy * share)
  if share < 1 then b.shape:move(dx * (share - 1), dy * (share - 1)) end
  if pushes then
    local x, y = (x1 + (x2 or x1)) / 2, (y1 + (y2 or y1)) / 2
    table.insert(pushes, { x = x, y = y, nx = nx, ny = ny, depth = depth })
  end
  return depth
end

local function measure(bodies)
  for _, body in ipairs(bodies) do body.x, body.y, body.w, body.h = body.shape:bounds() end
end

local function isNear(a, b)
  return a.x < b.x + b.w + ROOM and b.x < a.x + a.w + ROOM
    and a.y < b.y + b.h + ROOM and b.y < a.y + a.h + ROOM
end

-- The pairs that may meet in this frame, by their boxes. Most pairs are far apart, and stay so however
-- often bodies are pushed. The pairs with walls come last, so that no body ends inside a wall.
function Scene:findNear()
  local bodies, near = self.bodies, {}
  measure(bodies)
  measure(self.fixed)
  for i, a in ipairs(bodies) do
    for j = i + 1, #bodies do
      if isNear(a, bodies[j]) then table.insert(near, { a, bodies[j] }) end
    end
  end
  for _, a in ipairs(bodies) do
    for _, wall in ipairs(self.fixed) do
      if isNear(a, wall) then table.insert(near, { a, wall }) end
    end
  end
  return near
end

local function partAll(pairs, pushes)
  local deepest = 0
  for _, pair in ipairs(pairs) do deepest = math.max(deepest, part(pair[1], pair[2], pushes)) end
  return deepest
end

-- Time ------------------------------------------------------------------------

function Scene:advance()
  local dt, gravity = scene.STEP, self.map.properties.gravity
  for _, body in ipairs(self.fixed) do
    if body.spin ~= 0 then body.shape:rotate(body.spin * dt) end
  end
  for _, body in ipairs(self.bodies) do
    body.vy = body.vy + gravity * dt
    body.shape:move(body.vx * dt, body.vy * dt):rotate(body.spin * dt)
  end
end

-- One frame of scene.STEP seconds. The collisions of the frame are those of the first pass.
function Scene:step()
  self.frame = self.frame + 1
  self:enter()
  self:advance()
  self.pushes = {}
  local near = self:findNear()
  self.deepest = partAll(near, self.pushes)
  local left, passes = self.deepest, 1
  while left > ENOUGH and passes < PASSES do
    left, passes = partAll(near), passes + 1
  end
  self.collisions = #self.pushes
  self.total = self.total + self.collisions
  self.worst = math.max(self.worst, self.deepest)
  self:leave()
end

-- A number that two scenes share only if every body is at the same place, to the last bit.
function Scene:fingerprint()
  local hash = 5381
  for _, body in ipairs(self.bodies) do
    local x, y = body.shape:center()
    local text = ("%.17g %.17g %.17g"):format(x, y, body.shape:rotation())
    for i = 1, #text do hash = (hash * 33 + text:byte(i)) % 4294967296 end
  end
  return ("%08x"):format(hash)
end

return scene
