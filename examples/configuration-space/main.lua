-- The same game twice: on the left as everybody sees it, on the right as world:move does. There the hero is a point,
-- and each solid has grown by the hero's shape: turn the hero, or take another shape, and all of them change.

local sat = require "sat"
local space = require "space"
local ui = require "ui"

local TILE, TOP, RIGHT = 32, 44, 480    -- pixels; where the two pictures begin
local STEP = 1 / 60                     -- seconds
local RUN, JUMP, GRAVITY = 150, 480, 1100
local TURN, GROUND = 1.5, -0.7          -- radians a second; what has a normal above that is ground
local TIGHT = 4                         -- pixels; what a turn may lead into a wall, which pushes the hero out again
local TRAIL = 150                       -- places

-- #: a tile, / and \: slopes, -: a plank to jump through, o: a coin. The way to two coins is exactly as wide as a tile.
local MAP = {
  "###############",
  "#             #",
  "#             #",
  "#             #",
  "#             #",
  "#    o      o #",
  "#   ###       #",
  "#         --- #",
  "#             #",
  "#  #     ##   #",
  "#  #          #",
  "#####         #",
  "#o     /#\\    #",
  "############# #",
  "#############o#",
  "###############",
}

local KINDS = {
  ["#"] = function(x, y) return sat.rectangle(x, y, TILE, TILE) end,
  ["/"] = function(x, y) return sat.polygon(x, y + TILE, x + TILE, y, x + TILE, y + TILE) end,
  ["\\"] = function(x, y) return sat.polygon(x, y, x + TILE, y + TILE, x, y + TILE) end,
  ["-"] = function(x, y) return sat.rectangle(x, y, TILE, 8):setOneWay(0, -1) end,
  o = function(x, y) return sat.circle(x + TILE / 2, y + TILE / 2, 6):setSensor(true) end,
}

-- The hero's shapes. Each fits into a tile.
local SHAPES = {
  function(x, y) return sat.rectangle(x - 16, y - 16, 32, 32) end,
  function(x, y) return sat.polygon(x - 16, y + 12, x, y - 16, x + 16, y + 12) end,
  function(x, y) return sat.circle(x, y, 14) end,
  function(x, y) return sat.capsule(x, y - 7, x, y + 7, 9) end,
  function(x, y) return sat.polygon(x - 14, y - 14, x - 4, y - 14, x - 4, y + 4, x + 14, y + 4, x + 14, y + 14,
    x - 14, y + 14) end,
}

local world, hero, solids, coins, taken
local barred, gathered = {}, {} -- the differences of the hero with what is solid, and with the coins
local real, hidden = {}, {}     -- the edges of the former: those that bound their union, and those that it hides
local hits, trail, way = {}, {}, nil
local left, number = 0, 1
local show = { union = true, overlay = false, aim = true }

-- The level ---------------------------------------------------------------------

local function add(shape, list)
  world:add(shape:setStatic(true))
  list[#list + 1] = shape
end

local function restart()
  world, solids, coins, taken, trail = sat.world(), {}, {}, 0, {}
  for row, line in ipairs(MAP) do
    for column = 1, #line do
      local kind = line:sub(column, column)
      local make = KINDS[kind]
      if make then add(make((column - 1) * TILE, (row - 1) * TILE), kind == "o" and coins or solids) end
    end
  end
  add(sat.circle(290, 120, 34), solids)
  add(sat.regular(130, 100, 34, 5, 0.3), solids)
  hero = { shape = SHAPES[number](200, 380), vx = 0, vy = 0 }
end

-- The differences are about the hero's centre, so they change where the hero's shape does, and not where it goes.
local function grow()
  barred, gathered = {}, {}
  for _, solid in ipairs(solids) do space.differences(solid, hero.shape, barred) end
  for _, coin in ipairs(coins) do space.differences(coin, hero.shape, gathered) end
  real, hidden = space.boundary(barred)
end

local function take(kind)
  number = kind
  hero.shape = SHAPES[kind](hero.shape:center())
  grow()
end

-- A step ------------------------------------------------------------------------

-- Turns the hero, unless there is no room for that.
local function turn(angle)
  if angle == 0 then return end
  hero.shape:rotate(angle)
  local _, _, depth = world:collide(hero.shape)
  if depth and depth > TIGHT then hero.shape:rotate(-angle) else grow() end
end

local function collect(coin)
  world:remove(coin)
  taken = taken + 1
  for i = #coins, 1, -1 do if coins[i] == coin then table.remove(coins, i) end end
  grow()
end

local function remember()
  local x, y = hero.shape:center()
  trail[#trail + 1], trail[#trail + 2] = x, y
  if #trail > 2 * TRAIL then
    table.remove(trail, 1)
    table.remove(trail, 1)
  end
end

-- The hits of the last move: the normals, for the picture, and what was crossed.
local function meet()
  local crossed
  hits, hero.isGrounded = {}, false
  for other, nx, ny, _, _, _, how in world:hits() do
    hits[#hits + 1] = { nx, ny, how }
    if how == "slide" and ny < GROUND then hero.isGrounded = true end
    if how == "cross" then crossed = other end
  end
  if crossed then collect(crossed) end
end

local function step()
  local isDown = love.keyboard.isDown
  local function held(...) return isDown(...) and 1 or 0 end
  turn((held "e" - held "q") * TURN * STEP)
  hero.vx = (held("right", "d") - held("left", "a")) * RUN
  hero.vy = hero.vy + GRAVITY * STEP
  if hero.isGrounded and isDown("space", "up", "w") then hero.vy = -JUMP end
  local _, _, _, restX, restY = world:move(hero.shape, hero.vx * STEP, hero.vy * STEP)
  hero.vx, hero.vy = restX / STEP, restY / STEP
  meet()
  remember()
end

-- The way to the mouse, as one motion.
local function aim()
  local mouseX, mouseY = love.mouse.getPosition()
  local x, y = hero.shape:center()
  way = nil
  if not show.aim or mouseY < TOP or mouseY > TOP + #MAP * TILE then return end
  way = space.way(world, hero.shape, mouseX % RIGHT - x, mouseY - TOP - y)
end

-- LÖVE's calls ------------------------------------------------------------------

function love.load()
  restart()
  grow()
end

function love.update(dt)
  left = math.min(left + dt, 0.1)
  while left >= STEP do
    left = left - STEP
    step()
  end
  aim()
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() end
  if key == "u" then show.union = not show.union end
  if key == "o" then show.overlay = not show.overlay end
  if key == "m" then show.aim = not show.aim end
  if SHAPES[tonumber(key)] then take(tonumber(key)) end
  if key == "r" then
    restart()
    grow()
  end
end

-- Drawing -----------------------------------------------------------------------

local function drawShapes(list, mode, color, alpha)
  ui.color(color, alpha)
  for _, shape in ipairs(list) do shape:draw(mode) end
end

local function drawEdges(edges, color, alpha, width)
  ui.color(color, alpha)
  love.graphics.setLineWidth(width)
  for _, edge in ipairs(edges) do love.graphics.line(edge.x1, edge.y1, edge.x2, edge.y2) end
end

local function drawWay()
  if not way then return end
  ui.color "green"
  love.graphics.setLineWidth(2)
  local count = #way
  for i = 1, count - 3, 2 do
    local x1, y1, x2, y2 = way[i], way[i + 1], way[i + 2], way[i + 3]
    if i == count - 3 then ui.arrow(x1, y1, x2, y2) else love.graphics.line(x1, y1, x2, y2) end
    if i > 1 then love.graphics.circle("fill", x1, y1, 3.5) end
  end
end

-- The hero where the way ends.
local function drawGoal()
  if not way then return end
  local x, y = hero.shape:center()
  local goal = hero.shape:clone():move(way[#way - 1] - x, way[#way] - y)
  ui.color("orange", 0.5)
  love.graphics.setLineWidth(1.5)
  goal:draw "line"
end

local function drawPoint()
  local x, y = hero.shape:center()
  ui.color("orange", 0.5)
  love.graphics.setLineWidth(1.5)
  if #trail > 3 then love.graphics.line(trail) end
  ui.color "sky"
  love.graphics.setLineWidth(2)
  for _, hit in ipairs(hits) do
    if hit[3] ~= "cross" then ui.arrow(x, y, x + 26 * hit[1], y + 26 * hit[2], 8) end
  end
  ui.color "orange"
  love.graphics.circle("fill", x, y, 4.5)
end

local function drawGame()
  drawShapes(solids, "fill", "wall")
  love.graphics.setLineWidth(1)
  drawShapes(solids, "line", "ground")
  drawShapes(coins, "fill", "yellow")
  ui.color "orange"
  hero.shape:draw "fill"
  drawGoal()
end

-- The union is filled with one colour that nothing shines through, the single differences with one that does.
local function drawBarred()
  for _, D in ipairs(barred) do
    if D.openX then ui.color("purple", 0.12)
    elseif show.union then love.graphics.setColor(0.20, 0.16, 0.22)
    else ui.color("purple", 0.12) end
    love.graphics.polygon("fill", D.outline)
  end
end

local function drawSpace()
  drawBarred()
  drawShapes(solids, "fill", "line", show.union and 0.22 or 0.12)
  love.graphics.setLineWidth(1)
  ui.color("yellow", 0.8)
  for _, D in ipairs(gathered) do love.graphics.polygon("line", D.outline) end
  if not show.union then drawEdges(hidden, "purple", 0.6, 1) end
  drawEdges(real, "purple", show.union and 1 or 0.6, show.union and 2 or 1)
end

local function pane(at, draw)
  love.graphics.push()
  love.graphics.translate(at, TOP)
  love.graphics.setScissor(at, TOP, RIGHT, #MAP * TILE)
  draw()
  love.graphics.setScissor()
  love.graphics.pop()
end

function love.draw()
  love.graphics.clear(0.078, 0.094, 0.122)
  pane(0, function()
    drawGame()
    if show.overlay then
      drawEdges(real, "purple", 1, 2)
      drawPoint()
    end
    drawWay()
  end)
  pane(RIGHT, function()
    drawSpace()
    drawWay()
    drawPoint()
  end)
  ui.color "ground"
  love.graphics.rectangle("fill", RIGHT - 2, TOP, 4, #MAP * TILE)
  ui.label("what you see", 64, TOP + 16)
  ui.label("what world:move sees", RIGHT + 90, TOP + 16)
  ui.header("Configuration space", ("%d solids    %d differences    %d of %d coins"):format(
    #solids, #barred, taken, taken + #coins))
  ui.footer {
    { "arrows", "run, jump" }, { "q", "and" }, { "e", "turn" }, { "1", "to" }, { "5", "shape" },
    { "u", "union", show.union, "purple" }, { "o", "overlay", show.overlay, "purple" },
    { "m", "aim at the mouse", show.aim, "green" }, { "r", "restart" },
  }
end
