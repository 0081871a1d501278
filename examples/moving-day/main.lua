-- Moving day: furniture has to get through the doors, and turns as far as the walls let it.

local sat = require "sat"
local ui = require "ui"

local SPEED, SPIN, SWING, FAN = 170, 1.8, 1.6, 0.9 -- pixels and radians a second
local HINGE_X, HINGE_Y = 388, 247
local WALLS = { { 12, 44, 936, 12 }, { 12, 544, 936, 12 }, { 12, 44, 12, 512 }, { 936, 44, 12, 512 },
  { 380, 44, 16, 196 }, { 380, 352, 16, 200 }, { 548, 44, 16, 360 }, { 548, 512, 16, 40 } }

local world, things, chosen, door, fan, van, is_opening, stopped

local function add(shape, name, color)
  things[#things + 1] = shape
  world:add(shape:setData { name = name, color = color })
end

local function restart()
  world, things, chosen, is_opening, stopped = sat.world(), {}, 1, false, {}
  for _, wall in ipairs(WALLS) do
    world:add(sat.rectangle(wall[1], wall[2], wall[3], wall[4]):setStatic(true):setData { color = "wall" })
  end
  van = sat.rectangle(640, 300, 280, 230):setSensor(true):setData {}
  door = sat.rectangle(HINGE_X - 4, HINGE_Y - 4, 8, 106):setStatic(true):setData { color = "yellow" }
  fan = sat.compound(sat.rectangle(680, 166, 160, 8), sat.rectangle(756, 90, 8, 160))
  world:add({ van, door, fan:setStatic(true):setData { color = "faint" } })
  add(sat.compound(sat.rectangle(140, 190, 30, 110), sat.rectangle(60, 270, 110, 30)):setRadius(3), "the sofa", "sky")
  add(sat.rectangle(60, 100, 190, 12), "the ladder", "orange")
  add(sat.polygon { 60, 400, 170, 400, 170, 430, 130, 445, 125, 490, 60, 490 }, "the piano", "purple")
  add(sat.rectangle(230, 400, 70, 90):setRadius(12), "the bathtub", "green")
end

-- Turns a shape, and notes what has stopped it.
local function turn(shape, angle, how, x, y)
  if world:turn(shape, angle, how, x, y) ~= angle then
    for _, nx, ny, _, px, py, what in world:hits() do
      if what ~= "cross" then stopped[#stopped + 1] = { px, py, nx, ny } end
    end
  end
end

function love.load() restart() end

function love.update(dt)
  dt = math.min(dt, 1 / 30)
  local down, shape = love.keyboard.isDown, things[chosen]
  local function axis(less, more) return (down(more) and 1 or 0) - (down(less) and 1 or 0) end
  stopped = {}
  world:move(shape, axis("left", "right") * SPEED * dt, axis("up", "down") * SPEED * dt)
  local spin = axis("a", "d")
  if spin ~= 0 then turn(shape, spin * SPIN * dt, "slide") end
  local open = door:rotation()
  local swing = is_opening and math.min(SWING * dt, 1.7 - open) or math.max(-SWING * dt, -open)
  turn(door, swing, "touch", HINGE_X, HINGE_Y)
  turn(fan, FAN * dt, "touch")
end

function love.keypressed(key)
  if key == "escape" then love.event.quit()
  elseif key == "r" then restart()
  elseif key == "tab" then chosen = chosen % #things + 1
  elseif key == "space" then is_opening = not is_opening
  end
end

local function draw(shape)
  for _, piece in ipairs(shape:pieces()) do
    local radius = piece:radius()
    love.graphics.polygon("fill", piece:unpack())
    if radius > 0 then
      love.graphics.setLineWidth(2 * radius)
      love.graphics.setLineJoin("none")
      love.graphics.polygon("line", piece:unpack())
      local list, n = piece:vertices()
      for i = 1, 2 * n, 2 do love.graphics.circle("fill", list[i], list[i + 1], radius) end
      love.graphics.setLineWidth(1)
    end
  end
end

function love.draw()
  love.graphics.clear(0.078, 0.094, 0.122)
  local there = 0
  ui.color("blue", 0.25)
  love.graphics.rectangle("fill", van:bounds())
  for _, shape in ipairs(world:shapes()) do
    local color = shape:data().color
    if color then
      ui.color(color)
      draw(shape)
      if shape == things[chosen] then ui.label(shape:data().name, shape:center()) end
    end
    if shape:data().name and van:contains(shape) then there = there + 1 end
  end
  love.graphics.setLineWidth(2)
  for _, at in ipairs(stopped) do
    ui.color("vermilion")
    love.graphics.circle("fill", at[1], at[2], 4)
    ui.arrow(at[1], at[2], at[1] + 30 * at[3], at[2] + 30 * at[4])
  end
  love.graphics.setLineWidth(1)
  ui.header("Moving day", ("%s; %d of %d in the van"):format(things[chosen]:data().name, there, #things))
  ui.footer { { "arrows", "carry" }, { "A/D", "turn" }, { "tab", "the next thing" }, { "space", "the door" },
    { "R", "again" } }
end
