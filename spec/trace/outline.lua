-- A landscape of numbers that a crater is cut from in each round: its outline, fewer vertices, and polygons with holes.
local sat = require "sat"

local SIDE, ROUNDS = 40, 60

return function(tools)
  local record, randomBelow = tools.record, tools.randomBelow

  local values = {}
  for i = 1, SIDE * SIDE do values[i] = randomBelow(1025) / 1024 end

  local function cut()
    local x, y, radius = randomBelow(SIDE), randomBelow(SIDE), 2 + randomBelow(6)
    for r = 1, SIDE do
      for c = 1, SIDE do
        local i, dx, dy = (r - 1) * SIDE + c, c - x, r - y
        if dx * dx + dy * dy < radius * radius then values[i] = values[i] * 0.5
        else values[i] = (values[i] + (values[i + 1] or 1) + (values[i + SIDE] or 1)) / 3
        end
      end
    end
  end

  local function recordAll(polygons, n)
    record(n)
    local simple = sat.simplify(polygons, randomBelow(9) / 4)
    for k = 1, n do
      local shape = sat.polygon(polygons[k])
      record(shape:area())
      record(shape:center())
      record(#shape:pieces(), select(2, shape:vertices()))
      for i = 1, #simple[k] do
        for j = 1, #simple[k][i] do record(simple[k][i][j]) end
      end
    end
  end

  for _ = 1, ROUNDS do
    cut()
    recordAll(sat.outline(values, SIDE, SIDE, 0.4375 + randomBelow(9) / 64))
    recordAll(sat.outline(function(c, r) return values[(r - 1) * SIDE + c] >= 0.5 end, SIDE, SIDE))
  end
end
