-- The shortest proof that a module is whole: it loads, its native half too, and a collision comes out right.
local sat = require "sat"

local box, ball = sat.rectangle(0, 0, 10, 10), sat.circle(12, 5, 4)
local dx, dy, depth = box:collide(ball)
local function near(a, b) return math.abs(a - b) < 1e-9 end
assert(near(dx, -2) and near(dy, 0) and near(depth, 2), "a box that reaches 2 into a circle moves 2 to the left")
