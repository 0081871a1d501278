-- A world in which shapes of all kinds come, go, move and are pushed apart, and which is saved and loaded on the way.
local sat = require "sat"

local SHAPES, FRAMES = 30, 1000
local unpack = table.unpack or rawget(_G, "unpack")

return function(tools)
  local record, randomBelow, randomNumber = tools.record, tools.randomBelow, tools.randomNumber
  local world, serial, saved = sat.world(), 0, nil

  -- ---------------------------------------------------------------- shapes

  local makers = {
    function(x, y) return sat.circle(x, y, 4 + randomBelow(16)) end,
    function(x, y) return sat.rectangle(x, y, 8 + randomBelow(40), 8 + randomBelow(40), randomNumber(3)) end,
    function(x, y) return sat.polygon(x, y, x + 40, y, x + 40, y + 30, x + 20, y + 8, x, y + 30) end,
    function(x, y) return sat.regular(x, y, 6 + randomBelow(20), 3 + randomBelow(9), randomNumber(3)) end,
    function(x, y) return sat.compound(sat.circle(x, y, 9), sat.rectangle(x + 4, y - 3, 30, 6), sat.point(x, y)) end,
    function(x, y) return sat.capsule(x, y, x + randomNumber(30), y + randomNumber(30), 2 + randomBelow(9)) end,
    function(x, y) return sat.chain({ x, y, x + 30, y + 9, x + 55, y - 7, x + 90, y }, randomBelow(2) == 0) end,
    function(x, y) return sat.segment(x, y, x + 20 + randomBelow(30), y + randomNumber(30)) end,
    function(x, y) return sat.polygon(x, y, x + 30, y + 7, x + 12, y + 35):setRadius(randomBelow(9)) end,
    function(x, y) return sat.polygon(x, y, x + 30, y, x + 30, y + 30, x + 12, y + 12):setRadius(randomBelow(4)) end,
    function(x, y) return sat.point(x, y) end,
  }

  local function add()
    serial = serial + 1
    local shape = makers[serial % #makers + 1](randomNumber(150), randomNumber(150)):setData(serial)
    shape:setStatic(randomBelow(6) == 0):setSensor(randomBelow(8) == 0)
    if randomBelow(5) == 0 then shape:setFilter(2 ^ randomBelow(4), randomBelow(16), randomBelow(3) - 1) end
    world:add(shape)
  end

  -- Those that have been loaded and were not there have no data.
  local function number(shape)
    if shape and not shape:data() then
      serial = serial + 1
      shape:setData(serial)
    end
    return shape and shape:data()
  end

  local function change(shape, frame)
    local action = randomBelow(40)
    shape:move(randomNumber(3), randomNumber(3))
    if action < 12 then shape:rotate(randomNumber(1)) end
    if action == 12 then shape:moveTo(randomNumber(150), randomNumber(150)) end
    if action == 13 then shape:flip(frame % 2 == 0) end
    if action == 14 then shape:scale(shape:scaleFactor() < 1 and 1.25 or 0.8) end
    if action == 15 then shape:setEnabled(not shape:isEnabled()) end
    if action == 16 then shape:setRotation(randomNumber(3), randomNumber(50), randomNumber(50)) end
    if action == 17 and shape:radius() == 0 then shape:setRadius(randomBelow(5)) end
  end

  -- ---------------------------------------------------------------- what it says

  local function recordPairs(...)
    for a, b, dx, dy, depth in ... do record(number(a), number(b), dx, dy, depth) end
  end

  local function recordPlaces(shapes, n)
    local numbers = {}
    for i = 1, n do numbers[i] = number(shapes[i]) end
    record(n, unpack(numbers, 1, n))
  end

  local function recordFirst(shape, ...) return record(number(shape), ...) end

  -- Shapes leave, come and move while it is looped over them.
  local function loop(frame)
    local count = 0
    for a, b, dx, dy, depth in world:collisions() do
      record(number(a), number(b), dx, dy, depth)
      count = count + 1
      if frame % 10 == 0 and count == 2 then world:remove(b) end
      if frame % 10 == 1 and count == 3 then add() end
      if frame % 10 == 2 then a:move(dx / 4, dy / 4) end
    end
  end

  local function ask(frame)
    local x, y = randomNumber(180), randomNumber(180)
    local shapes = world:shapes()
    local subject = shapes[frame % #shapes + 1]
    local probe = makers[frame % #makers + 1](x, y)
    recordPlaces(world:at(subject:center()))
    recordPlaces(world:query(x, y, randomBelow(80), randomBelow(80)))
    recordPlaces(world:query(probe))
    recordFirst(world:cast(subject, randomNumber(99), randomNumber(99)))
    recordFirst(world:cast(probe, randomNumber(99), randomNumber(99)))
    recordFirst(world:raycast(x, y, randomNumber(180), randomNumber(180)))
    recordPlaces(world:raycastAll(x, y, randomNumber(180), randomNumber(180)))
    recordFirst(world:nearest(x, y))
    recordFirst(world:nearest(y, x, 20))
    recordPlaces(world:nearestAll(x, y, randomBelow(7)))
    for other, dx, dy, depth in world:collisions(subject) do record(number(other), dx, dy, depth) end
    for other, dx, dy, depth in world:collisions(probe) do record(number(other), dx, dy, depth) end
  end

  local function keep(frame)
    if frame % 50 == 20 then saved = record(world:save()) end
    if frame % 50 == 45 then world:load(saved) end
    if frame % 200 == 199 then
      world:clear()
      for _ = 1, SHAPES do add() end
    end
  end

  -- ---------------------------------------------------------------- the frames

  for _ = 1, SHAPES do add() end
  for frame = 1, FRAMES do
    for _, shape in ipairs((world:shapes())) do change(shape, frame) end
    if world:count() < SHAPES then add() end
    if frame % 15 == 0 then world:remove((world:shapes())[randomBelow(world:count()) + 1]) end
    record(world:update())
    recordPairs(world:began())
    recordPairs(world:ended())
    if frame % 4 == 0 then recordPairs(world:touching()) end
    loop(frame)
    if frame % 3 > 0 then world:separate(frame % 3) end
    ask(frame)
    for x, y, w, h, level, count in world:nodes() do record(x, y, w, h, level, count) end
    for _, shape in ipairs((world:shapes())) do record(shape:center()) end
    keep(frame)
  end
end
