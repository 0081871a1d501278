-- Shapes that fly about, meet in pairs and are in a quadtree.
local sat = require "sat"

local SHAPES, FRAMES = 12, 1000

return function(tools)
  local record, randomBelow, randomNumber = tools.record, tools.randomBelow, tools.randomNumber

  local function randomPoints(count, limit)
    local x, y, points = randomNumber(200), randomNumber(200), {}
    for i = 1, 2 * count, 2 do points[i], points[i + 1] = x + randomNumber(limit), y + randomNumber(limit) end
    return points
  end

  local makers = {
    function(x, y) return sat.circle(x, y, 4 + randomBelow(30)) end,
    function(x, y) return sat.rectangle(x, y, 8 + randomBelow(60), 8 + randomBelow(60), randomNumber(3)) end,
    function() return sat.hull(randomPoints(3 + randomBelow(12), 40)) end,
    function(x, y) return sat.regular(x, y, 8 + randomBelow(40), 3 + randomBelow(9), randomNumber(3)) end,
    function(x, y) return sat.capsule(x, y, x + randomNumber(60), y + randomNumber(60), 2 + randomBelow(16)) end,
    function(x, y) return sat.ellipse(x, y, 8 + randomBelow(40), 8 + randomBelow(40)) end,
    function(x, y) return sat.segment(x, y, x + 20 + randomBelow(60), y + randomNumber(60)) end,
    function(x, y) return sat.polygon(x, y, x + 50, y + 7, x + 20, y + 45):setRadius(randomBelow(9)) end,
    function(x, y) return sat.point(x, y) end,
  }

  local shapes, speeds = {}, {}
  for i = 1, SHAPES do
    shapes[i] = makers[(i - 1) % #makers + 1](randomNumber(200), randomNumber(200))
    speeds[i] = { x = randomNumber(4), y = randomNumber(4) }
  end

  -- ---------------------------------------------------------------- a frame

  local function change(i, frame)
    local shape, speed = shapes[i], speeds[i]
    local x, y = record(shape:center())
    if x < -250 or x > 250 then speed.x = x < 0 and 3.25 or -3.25 end
    if y < -250 or y > 250 then speed.y = y < 0 and 2.75 or -2.75 end
    shape:move(speed.x, speed.y)
    if i % 3 == 0 then shape:rotate(0.03125 * (i - 5)) end
    if (frame + i) % 50 == 0 then shape:scale(frame % 100 < 50 and 1.25 or 0.8) end
    if (frame + i) % 70 == 0 then shape:flip(frame % 3 == 0) end
    if (frame + i) % 110 == 0 then
      shape:rotate(0.7, randomNumber(100), randomNumber(100)):transform(x, y, randomNumber(7))
    end
  end

  local function describe(shape)
    record(shape:bounds())
    record(shape:boundingCircle())
    record(shape:rotation(), shape:scaleFactor(), shape:radius())
    record(shape:area())
    record(shape:support(randomNumber(9) + 0.03125, randomNumber(9)))
    record(shape:unpack())
  end

  local function collide(a, b)
    record(sat.overlaps(a, b))
    local dx, dy = record(sat.collide(a, b))
    if not dx then return end
    record(sat.contacts(a, b))
    a:move(dx / 2, dy / 2)
    b:move(-dx / 2, -dy / 2)
  end

  local function measure(a, b)
    local x, y = b:center()
    record(sat.distance(a, b))
    record(sat.cast(a, randomNumber(300), randomNumber(300), b))
    record(sat.raycast(b, randomNumber(300), randomNumber(300), x, y))
    record(sat.contains(a, b), a:contains(x, y))
  end

  -- ---------------------------------------------------------------- a quadtree of them

  local tree, number, list = sat.quadtree(-200, -200, 400, 400, { capacity = 2 }), {}, {}
  for i = 1, SHAPES do
    number[shapes[i]] = i
    tree:insert(shapes[i])
  end

  -- Records the items of a list by their numbers.
  local function recordList(items, n)
    for i = 1, n do list[i] = number[items[i]] end
    record(n, (table.unpack or unpack)(list, 1, n))
  end

  local function ask(frame)
    for i = 1, SHAPES do tree:update(shapes[i]) end
    local removed = shapes[frame % SHAPES + 1]
    tree:remove(removed)
    if frame % 3 > 0 then tree:insert(removed) else tree:build({ removed }, { removed:bounds() }) end
    for a, b in tree:pairs() do record(number[a], number[b]) end
    for x, y, w, h, level, count in tree:nodes() do record(x, y, w, h, level, count) end
    recordList(tree:retrieve(randomNumber(200), randomNumber(200), randomBelow(99), randomBelow(99)))
    recordList(tree:neighbors(removed))
    local x, y = randomNumber(250), randomNumber(250)
    local nearest, distance = tree:nearest(x, y)
    record(number[nearest], distance)
    recordList(tree:nearestAll(x, y, randomBelow(7)))
    local hit, t = tree:raycast(x, y, randomNumber(250), randomNumber(250))
    record(hit and number[hit], t)
    recordList(tree:raycastAll(x, y, randomNumber(250), randomNumber(250)))
  end

  for frame = 1, FRAMES do
    for i = 1, SHAPES do change(i, frame) end
    for i = 1, SHAPES do
      for k = i + 1, SHAPES do
        collide(shapes[i], shapes[k])
        if (i + 5 * k + frame) % 8 == 0 then measure(shapes[i], shapes[k]) end
      end
    end
    ask(frame)
    if frame % 10 == 0 then
      for i = 1, SHAPES do describe(shapes[i]) end
    end
  end
end
