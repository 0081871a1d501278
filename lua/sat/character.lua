-- A character on feet: local hero = require("sat.character").new(world, shape, { step = 4, snap = 8 }), and in each
-- frame vx, vy = hero:move(vx, vy + gravity * dt, dt). A game may copy this file, write the name of sat's folder into
-- its first statement, and change the rest. Vectors are in the character's own frame, whose axes lead to the right of
-- `up` and along `up`; a game's velocities have the axis against `up` instead. library/character.lua has the contract.

local folder = tostring((...)):match("^(.*)[./]character$") or "sat"
local sat, arguments = require(folder .. ".whole"), require(folder .. ".arguments")

local LEGS = 64       -- the largest number of straight legs in the way of one frame
local ROUNDING = 1e-9 -- differences of unit vectors below this are rounding
local LENGTH = { default = 0, low = 0, high = 1e7 } -- the rule of options that are lengths
local HERE = select(2, pcall(function() error "" end)):match("^(.*:)%d+: $") -- how errors of this file begin

local Character = {}
Character.__index = Character

function Character:toFrame(x, y) return y * self.upX - x * self.upY, x * self.upX + y * self.upY end
function Character:toWorld(right, up) return up * self.upX - right * self.upY, up * self.upY + right * self.upX end

-- The vector from a place of the world to the shape's centre.
function Character:offset(fromX, fromY)
  local x, y = self.shape:center()
  return self:toFrame(x - fromX, y - fromY)
end

-- The answers of a game's response that make a shape solid.
local SOLID = { [true] = true, slide = true, touch = true, bounce = true, push = true }

-- The response function for world:move: a leg ends at the first solid shape. A trial, which may be taken back, reports
-- no sensors. A drop leads through the one-way neighbours of the dropped shape, too: a platform may consist of tiles.
function Character:respond(shape, other, nx, ny, t)
  local dropped, response = self.dropped, self.response
  if dropped and (other == dropped or other:oneWay() and other:overlaps(dropped)) then return false end
  if self.isTrial and other:isSensor() then return false end
  if type(response) == "function" then response = response(shape, other, nx, ny, t) end
  return SOLID[response] and "touch" or response
end

-- Moves the shape until it touches something solid, also by way of a trial. Returns the fraction of the way that the
-- shape has made, and the solid shape with its normal. With `call` = world.check it only tells that.
function Character:sweep(right, up, isTrial, call)
  self.isTrial, call = isTrial, call or self.world.move
  local hit, hitX, hitY, made = nil, 0, 0, 1
  local dx, dy = self:toWorld(right, up)
  local isPlain = SOLID[self.response] and not (isTrial or self.dropped) -- no need to ask for each shape
  call(self.world, self.shape, dx, dy, isPlain and "touch" or self.answer)
  for other, nx, ny, t, _, _, how in self.world:hits() do
    if how == "touch" or how == "stuck" then hit, hitX, hitY, made = other, nx, ny, t end
  end
  return made, hit, self:toFrame(hitX, hitY)
end

-- Makes a shape the ground. `hung` is the height that the character has climbed while it hangs on the edge of a step.
function Character:stand(ground, right, up)
  self.hung, self.ground = 0, ground
  if ground then self.groundX, self.groundY = self:toWorld(right, up) end
end

-- Moves the shape down until it stands on something at most `depth` below. What is too steep is followed down to one
-- side, unless side = 0. Returns the ground, its normal and the way down, or nil: then the shape is anywhere below.
function Character:lower(depth, side, isTrial)
  local x, y = self.shape:center()
  local right, up, left = 0, -1, depth + self.size -- the shortest ways may sink into what fits to the bit
  for _ = 1, LEGS do
    local made, hit, hitRight, hitUp = self:sweep(right * left, up * left, isTrial)
    local below = -select(2, self:offset(x, y))
    if not hit or below > depth + self.hair then return nil end
    if hitUp >= self.level then return hit, hitRight, hitUp, below end
    if side == 0 or hitUp <= 0 or hitRight * right < 0 then return nil end
    left = left * (1 - made) * up / -math.abs(hitRight) -- as far down as before
    right, up = hitRight > 0 and hitUp or -hitUp, -math.abs(hitRight)
  end
end

-- The same, but the shape stays, to the bit unless the way down is bent: moveTo changes the last bits of corners.
function Character:look(depth, side)
  local x, y = self.shape:center()
  local made, ground, right, up = self:sweep(0, -depth - self.size, true, self.world.check)
  local below = made * (depth + self.size)
  if not ground or below > depth + self.hair then return nil end
  if up < self.level then
    ground, right, up, below = self:lower(depth, side, true)
    self.shape:moveTo(x, y)
  end
  return ground, right, up, below
end

-- Keeps the shape on ground that falls away, after a leg of the length `way` in a walk from fromX, fromY. Where the
-- ground bends down, the leg has gone straight on beyond the bend: then the shape goes back to the bend, and the
-- function returns the length beyond it, which is still to be walked. Else it returns 0.
function Character:follow(fromX, fromY, side, way)
  local across, rise = self:offset(fromX, fromY)
  local before, beforeUp = self:toFrame(self.groundX, self.groundY)
  local depth = math.max(rise + math.abs(across) * self.fall + self.snap, 0)
  local ground, right, up, below = self:look(depth, side)
  self:stand(ground, right, up)
  if not ground then return 0 end
  local bend = (right * beforeUp - up * before) * side
  local beyond = bend > ROUNDING and below * up / bend or 0
  if beyond > self.hair and beyond < way + self.hair then
    beyond = math.min(beyond, way)
    self:sweep(-beforeUp * side * beyond, before * side * beyond)
    return beyond
  end
  if below > self.hair / 100 then self:lower(depth, side) end
  return 0
end

-- Steps onto an obstacle: the shape goes up, ahead and down. Returns the length that it has come ahead, or nil where
-- there is no ground to step onto. A round shape may meet the edge of the step before it is above it: then it hangs
-- there if the ground of the step is behind the edge, and the next frames climb the rest.
function Character:climb(side, way)
  local hung, x, y = self.hung, self.shape:center()
  self:sweep(0, self.step - hung, true)
  local _, height = self:offset(x, y)
  local made = way * self:sweep(side * way, 0, true)
  local aheadX, aheadY = self.shape:center()
  local ground, right, up = self:lower(height + made * self.fall, 0, true)
  local toX, toY = self.shape:center()
  local risen = ground and 0 or select(2, self:offset(x, y)) -- on the edge, if it hangs
  if risen > 0 then
    self.shape:moveTo(aheadX, aheadY)
    self:sweep(side * self.width / 2, 0, true)
    ground, right, up = self:lower(height, 0, true)
  end
  if not ground or made == 0 then toX, toY, ground = x, y, nil end
  self.shape:moveTo(toX, toY)
  if ground then self:stand(ground, right, up) end
  self.hung = ground and risen > 0 and hung + risen or 0
  return ground and made
end

-- Walks along the ground from fromX, fromY for the time dt. Returns the speed that is left.
function Character:walk(vx, dt, fromX, fromY)
  local side, left = vx > 0 and 1 or vx < 0 and -1 or 0, math.abs(vx) * dt
  for _ = 1, LEGS do
    local right, up = self:toFrame(self.groundX, self.groundY)
    local made, hit, hitRight, hitUp = 1, nil, 0, 0
    if left > 0 then made, hit, hitRight, hitUp = self:sweep(up * side * left, -right * side * left) end
    local way = left * made
    left = left - way
    if hit and hitUp >= self.level then
      self:stand(hit, hitRight, hitUp)
    else
      local step = hit and self.step > 0 and self:climb(side, left)
      if step and self.hung > 0 then return vx end
      local more = step and -step or self:follow(fromX, fromY, side, way)
      if more == 0 then
        if hit then self.wall, self.ceiling = hit, hitUp <= -self.level and hit or nil end
        return hit and 0 or vx
      end
      left = left + more
    end
  end
  return vx
end

-- Leads a head at x, y around an edge on the shorter way, less than `corner` aside and not against vx, if there is one.
function Character:goAround(vx, rise, x, y)
  local least, toX, toY = self.corner, x, y
  for side = vx > 0 and 1 or -1, vx < 0 and -1 or 1, 2 do
    self:sweep(side * self.corner, 0, true)
    local _, hit = self:sweep(0, rise, true)
    if not hit then self:sweep(-side * self.corner, 0, true) end -- back to the edge
    local aside = math.abs(self:offset(x, y))
    if not hit and aside < least then least, toX, toY = aside, self.shape:center() end
    self.shape:moveTo(x, y)
  end
  self.shape:moveTo(toX, toY)
  return least < self.corner
end

-- Moves the character through the air for the time dt, or until it lands: returns the velocity and the time left. What
-- is too steep to stand on must not lift it: the speed sideways into that becomes 0 before the rest turns along it.
function Character:fly(vx, rise, dt)
  local lastRight, lastUp = 0, 0
  for _ = 1, LEGS do
    local made, hit, right, up = self:sweep(vx * dt, rise * dt)
    local way = made * dt * (math.abs(vx) + math.abs(rise))
    dt = dt * (1 - made)
    if not hit then break end
    if up >= self.level then
      self:stand(hit, right, up)
      return vx, 0, dt
    end
    local isHead = up <= -self.level
    if isHead and rise > 0 and self.corner > 0 and self:goAround(vx, rise * dt, self.shape:center()) then break end
    if isHead then self.ceiling = hit else self.wall = hit end
    if up > 0 and vx * right < 0 then vx = 0 end
    local into = math.min(vx * right + rise * up, 0)
    vx, rise = vx - into * right, rise - into * up
    local back = -(vx * lastRight + rise * lastUp)
    -- where it has come no way and each of two surfaces turns the velocity into the other there is none
    if way <= self.hair and back > ROUNDING * (math.abs(vx) + math.abs(rise)) then return 0, 0, 0 end
    lastRight, lastUp = right, up
  end
  return vx, rise, 0
end

-- The dropped platform is forgotten when the shape is apart from it and stands, jumps or is below it: a platform that
-- falls faster than the shape is apart, too, and has to stay dropped.
local function advance(self, vx, vy, dt, x, y, response)
  self.response = response == nil or response -- here, since a call of pcall may itself lack memory
  local dx, dy = vx * dt, vy * dt
  local areNumbers = vx + 0 == vx and vy + 0 == vy and dt + 0 == dt -- texts are none
  if not (areNumbers and dt >= 0 and dx * dx + dy * dy < 2e30) then error "see check_velocity" end
  self.hair = 1e-10 * math.max(self.size, math.abs(x), math.abs(y)) -- what is nearer is stood on
  self.wall, self.ceiling = nil, nil
  if self.dropped and (self.ground or vy < 0 or select(2, self:offset(self.dropped:center())) < 0)
    and self.shape:distance(self.dropped) > self.hair then self.dropped = nil end
  if not self.ground or vy < 0 then
    self.ground = nil
    local toVx, rise, left = self:fly(vx, -vy, dt)
    if not self.ground and vy >= 0 then self:stand(self:look(0, 0)) end -- a touch has not stopped it
    if not self.ground then return toVx, 0 - rise end
    vx, dt, x, y = toVx, left, self.shape:center()
  end
  return self:walk(vx, dt, x, y), 0
end

-- One frame. Whatever stops it leaves the character as it was before.
function Character:move(vx, vy, dt, response)
  if response ~= nil then arguments.check_response(4, "move", response, 1) end
  if self.response then error("'move' has been called while the character moves", 2) end
  local shape, ground, groundX, groundY, hung = self.shape, self.ground, self.groundX, self.groundY, self.hung
  local x, y = shape:center()
  local wall, ceiling, dropped = self.wall, self.ceiling, self.dropped
  local isDone, toVx, toVy = pcall(advance, self, vx, vy, dt, x, y, response)
  self.response = false
  if isDone then return toVx, toVy end
  local atX, atY = shape:center()
  if atX ~= x or atY ~= y then shape:moveTo(x, y) end
  self.ground, self.groundX, self.groundY, self.hung = ground, groundX, groundY, hung
  self.wall, self.ceiling, self.dropped = wall, ceiling, dropped
  arguments.check_velocity("move", vx, vy, dt, 1)
  arguments.check_fields("move", self, { step = LENGTH, snap = LENGTH, corner = LENGTH }, 1)
  arguments.raise_again(toVx, HERE, 1)
end

function Character:drop()
  if not (self.ground and self.ground:oneWay()) then return false end
  self.dropped, self.ground = self.ground, nil
  return true
end

local function new(world, shape, options)
  arguments.check(1, "new", "world", "a world", world, sat.type(world) == "world", 1)
  arguments.check(2, "new", "shape", "a shape", shape, sat.type(shape) == "shape", 1)
  local self = arguments.read_options(3, "new", options, {
    slope = { default = math.rad(50), low = 0, high = math.pi / 2 }, step = LENGTH, snap = LENGTH, corner = LENGTH,
    up = { direction = { 0, -1 } },
  }, 1)
  local _, _, w, h = shape:bounds()
  self.world, self.shape, self.size, self.width = world, shape, w + h > 0 and w + h or 1, math.min(w, h)
  self.level, self.fall = math.cos(self.slope) - ROUNDING, math.tan(self.slope)
  self.upX, self.upY, self.response = self.up[1], self.up[2], false
  function self.answer(...) return self:respond(...) end
  return setmetatable(self, Character)
end

return { new = new }
