-- A character on feet: local hero = require("sat.character").new(world, shape, { step = 4, snap = 8 }), and in each
-- frame vx, vy = hero:move(vx, vy + gravity * dt, dt). A game may copy this file, write the name of sat's folder into
-- its first statement, and change the rest. Vectors are in the character's own frame, whose axes lead to the right of
-- `up` and along `up`; a game's velocities have the axis against `up` instead. library/character.lua has the contract.

local folder = tostring((...)):match("^(.*)[./]character$") or "sat"
local sat, arguments = require(folder .. ".whole"), require(folder .. ".arguments")

local LEGS = 64       -- the largest number of straight legs in the way of one frame
local ROUNDING = 1e-9 -- lengths below this part of the size are rounding, and so are differences of unit vectors
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
local SOLID = { [true] = true, slide = true, touch = true, bounce = true }

-- The response function for world:move. A sweep ends at the first solid shape; only the look for ground slides down
-- surfaces that are too steep. A trial, which may be taken back, reports no sensors. A drop leads through the one-way
-- neighbours of the dropped shape, too: a platform may consist of tiles.
function Character:respond(shape, other, nx, ny, t)
  local dropped, response = self.dropped, self.response
  if dropped and (other == dropped or other:oneWay() and other:overlaps(dropped)) then return false end
  if self.isTrial and other:isSensor() then return false end
  if type(response) == "function" then response = response(shape, other, nx, ny, t) end
  if not SOLID[response] then return response end
  local _, up = self:toFrame(nx, ny)
  return self.isLooking and up < self.level and "slide" or "touch"
end

-- Moves the shape until it touches something solid, also by way of a trial, or down along what is too steep for ground.
-- Returns the fraction of the way that the shape has made, and the solid shape with its normal.
function Character:sweep(right, up, isTrial, isLooking)
  self.isTrial, self.isLooking = isTrial, isLooking
  local hit, hitX, hitY, made = nil, 0, 0, 1
  local dx, dy = self:toWorld(right, up)
  local isPlain = SOLID[self.response] and not (isTrial or isLooking or self.dropped) -- no need to ask for each shape
  self.world:move(self.shape, dx, dy, isPlain and "touch" or self.answer)
  for other, nx, ny, t, _, _, how in self.world:hits() do
    if how == "touch" or how == "stuck" then hit, hitX, hitY, made = other, nx, ny, t end
  end
  return made, hit, self:toFrame(hitX, hitY)
end

-- Makes a shape the ground. `hung` is the height that the character has climbed while it hangs on the edge of a step.
function Character:stand(ground, right, up)
  self.hung, self.ground, self.groundX, self.groundY = 0, ground, self:toWorld(right, up)
end

-- Looks for ground at most `depth` below the shape: returns the way down to the ground, the ground and its normal, or
-- nil. Where the shape would slide on its way down, the ground counts only if the slide leads ahead, to `side`.
function Character:look(depth, side)
  local ground, right, up, time, isEnd = nil, 0, 0, 0, false
  local x, y = self.shape:center()
  local dx, dy = self:toWorld(0, -depth - self.size) -- a way of length 0 would have no hits
  self.isTrial, self.isLooking = true, true
  local toX, toY = self.world:check(self.shape, dx, dy, self.answer)
  for other, nx, ny, t, _, _, how in self.world:hits() do
    local hitRight, hitUp = self:toFrame(nx, ny)
    if not ground and hitUp >= self.level then
      ground, right, up, time, isEnd = other, hitRight, hitUp, t, how == "touch"
    end
  end
  if not ground or time == 0 then return ground and 0, ground, right, up end
  local ahead, above = self:toFrame(toX - x, toY - y)
  if not isEnd or above < -depth - self.hair or ahead * side < -self.hair or side == 0 and ahead ~= 0 then return end
  return -above, ground, right, up
end

-- Keeps the shape on ground that falls away, after a leg of the length `way` in a walk from fromX, fromY. Where the
-- ground bends down, the leg has gone straight on beyond the bend: then the shape goes back to the bend, and the
-- function returns the length beyond it, which is still to be walked. Else it returns 0.
function Character:follow(fromX, fromY, side, way)
  local across, rise = self:offset(fromX, fromY)
  local before, beforeUp = self:toFrame(self.groundX, self.groundY)
  local below, ground, right, up = self:look(math.max(rise + math.abs(across) * self.fall + self.snap, 0), side)
  self.ground = nil
  if not below then return 0 end
  self:stand(ground, right, up)
  local bend = (right * beforeUp - up * before) * side
  local beyond = below * up / bend
  if below > self.hair and bend > ROUNDING and beyond < way + self.hair then -- the bend may be where the leg began
    beyond = math.min(beyond, way)
    self:sweep(-beforeUp * side * beyond, before * side * beyond)
    return beyond
  end
  if below > 0 then self:sweep(0, -below - self.size, false, true) end
  return 0
end

-- Steps onto an obstacle: returns the way made ahead, and whether the shape hangs on the edge, which a round one meets
-- before it is above the step; the next frames climb the rest. Without ground there, it goes back: returns nothing.
function Character:climb(side, way)
  local hung, x, y = self.hung, self.shape:center()
  self:sweep(0, self.step - hung, true)
  local _, height = self:offset(x, y)
  local made = way * self:sweep(side * way, 0, true)
  local aheadX, aheadY = self.shape:center()
  local _, edge, right, up = self:sweep(0, -height - made * self.fall, true)
  local ground, isHanging = edge, edge ~= nil and up < self.level
  if isHanging then -- the ground of the step is behind the edge: the shape looks there, and comes back
    self.shape:moveTo(aheadX, aheadY)
    self:sweep(side * self.width / 2, 0, true)
    _, ground, right, up = self:sweep(0, -height, true)
    self.shape:moveTo(aheadX, aheadY)
    self:sweep(0, -height - made * self.fall, true)
  end
  if made > 0 and ground and up >= self.level then
    self:stand(ground, right, up)
    self.hung = isHanging and hung + select(2, self:offset(x, y)) or 0
    return made, isHanging
  end
  self.shape:moveTo(x, y)
end

-- Walks along the ground from fromX, fromY for the time dt. Returns the speed that is left.
function Character:walk(vx, dt, fromX, fromY)
  local side, left = vx > 0 and 1 or vx < 0 and -1 or 0, math.abs(vx) * dt
  for _ = 1, LEGS do
    local right, up = self:toFrame(self.groundX, self.groundY)
    local way, made, hit, hitRight, hitUp = left, 1, nil, 0, 0
    if left > 0 then made, hit, hitRight, hitUp = self:sweep(up * side * left, -right * side * left) end
    left = left * (1 - made)
    if not hit then
      left = self:follow(fromX, fromY, side, way)
      if left == 0 then return vx end
    elseif hitUp >= self.level then
      self:stand(hit, hitRight, hitUp)
    else
      local step, isHanging = nil, false
      if self.step > 0 then step, isHanging = self:climb(side, left) end
      if not step then self:sweep(up * side * left, -right * side * left, true) end -- moveTo may have left a gap
      if isHanging then return vx end
      if not step then
        self.wall, self.ceiling = hit, hitUp <= -self.level and hit or nil
        self:follow(fromX, fromY, side, 0)
        return 0
      end
      left = left - step
    end
  end
  return vx
end

-- Moves the shape aside, up by `rise`, and back to the edge: returns how far aside it is, or nil where its head hits.
function Character:pass(aside, rise)
  local x, y = self.shape:center()
  self:sweep(aside, 0, true)
  local _, hit = self:sweep(0, rise, true)
  if not hit then self:sweep(-aside, 0, true) end
  return not hit and math.abs(self:offset(x, y)) or nil
end

-- Leads a head around an edge on the shorter way, less than `corner` aside and not against vx, if there is such a way.
function Character:goAround(vx, rise)
  local best, least, x, y = 0, self.corner, self.shape:center()
  for side = vx > 0 and 1 or -1, vx < 0 and -1 or 1, 2 do
    local aside = self:pass(side * self.corner, rise)
    if aside and aside < least then best, least = side, aside end
    self.shape:moveTo(x, y)
  end
  if best ~= 0 then self:pass(best * self.corner, rise) else self:sweep(0, rise, true) end
  return best ~= 0
end

-- Moves the character through the air for the time dt, or until it lands: returns the velocity and the time left. What
-- is too steep to stand on must not lift it: the speed sideways into that becomes 0 before the rest turns along it.
function Character:fly(vx, rise, dt)
  local lastRight, lastUp = 0, 0
  for _ = 1, LEGS do
    local made, hit, right, up = self:sweep(vx * dt, rise * dt)
    dt = dt * (1 - made)
    if not hit then break end
    if up >= self.level then
      self:stand(hit, right, up)
      return vx, 0, dt
    end
    local isHead = up <= -self.level
    if isHead and rise > 0 and self.corner > 0 and self:goAround(vx, rise * dt) then break end
    if isHead then self.ceiling = hit else self.wall = hit end
    if up > 0 and vx * right < 0 then vx = 0 end
    local into = math.min(vx * right + rise * up, 0)
    vx, rise = vx - into * right, rise - into * up
    -- between two surfaces of which each turns the velocity into the other there is no way on
    if vx * lastRight + rise * lastUp < -ROUNDING * (math.abs(vx) + math.abs(rise)) then return 0, 0, 0 end
    lastRight, lastUp = right, up
  end
  return vx, rise, 0
end

-- The dropped platform is forgotten when the shape is apart from it and stands, jumps or is below it: a platform that
-- falls faster than the shape is apart, too, and has to stay dropped.
local function advance(self, vx, vy, dt, x, y)
  local dx, dy = vx * dt, vy * dt
  local areNumbers = vx + 0 == vx and vy + 0 == vy and dt + 0 == dt -- texts are none
  if not (areNumbers and dt >= 0 and dx * dx + dy * dy < 2e30) then error "see check_velocity" end
  self.wall, self.ceiling = nil, nil
  if self.dropped and (self.ground or vy < 0 or select(2, self:offset(self.dropped:center())) < 0)
    and self.shape:distance(self.dropped) > self.hair then self.dropped = nil end
  if not self.ground or vy < 0 then
    self.ground = nil
    vx, vy, dt = self:fly(vx, -vy, dt)
    if not self.ground then return vx, 0 - vy end
    x, y = self.shape:center()
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
  self.response = response == nil or response
  local isDone, toVx, toVy = pcall(advance, self, vx, vy, dt, x, y)
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
  self.hair, self.level, self.fall = ROUNDING * self.size, math.cos(self.slope) - ROUNDING, math.tan(self.slope)
  self.upX, self.upY, self.response = self.up[1], self.up[2], false
  function self.answer(...) return self:respond(...) end
  return setmetatable(self, Character)
end

return { new = new }
