-- A lamp among boxes, circles, rounded shapes, chains and concave shapes that move: what it lights, round about and in
-- cones.
local sat = require "sat"

local FRAMES = 200

return function(tools)
  local record, randomBelow, randomNumber = tools.record, tools.randomBelow, tools.randomNumber
  local world, shapes, out = sat.world(), {}, {}

  local function add(shape)
    world:add(shape:move(randomNumber(60), randomNumber(60)))
    shapes[#shapes + 1] = shape
  end

  for i = 1, 8 do
    add(sat.rectangle(0, 0, 1 + randomBelow(20), 1 + randomBelow(20)))
    add(sat.circle(0, 0, 1 + randomBelow(9)))
    add(sat.capsule(0, 0, randomNumber(9), randomNumber(9), 2))
    add(sat.regular(0, 0, 6, 3 + i):setRadius(randomBelow(3)))
    add(sat.chain({ 0, 0, 9, 3, 12, 12, 3, 9 }, i % 2 == 0))
    add(sat.sector(0, 0, 12, 0, 1 + i / 2, 6))
  end
  add(sat.ring(0, 0, 6, 9))
  add(sat.compound(sat.circle(0, 0, 3), sat.rectangle(0, 0, 9, 2)))

  for _ = 1, FRAMES do
    local shape, x, y = shapes[1 + randomBelow(#shapes)], randomNumber(70), randomNumber(70)
    shape:move(randomNumber(4), randomNumber(4)):rotate(randomNumber(1))
    local _, n = world:visible(x, y, 20 + randomBelow(100), out)
    record(n)
    for i = 1, 2 * n do record(out[i]) end
    local from = randomNumber(3)
    _, n = world:visible(x, y, sat.sector(x, y, 90, from, from + 0.25 + randomBelow(40) / 16), out, shape)
    record(n)
    for i = 1, 2 * n do record(out[i]) end
  end
end
