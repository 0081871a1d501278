-- Two quadtrees of the same things: the tree of the tutorials and that of sat. The cells that the query of the mouse
-- visits are bright, and each tree says how many boxes it had to look at.
--
-- The things are plain tables with a box. A quadtree takes any value and needs no shapes.

local sat = require "sat"
local ui = require "ui"
local Node = require "tree"

local SIDE, TOP = 468, 86 -- of the square in which the things fly, and where it is drawn
local LEFTS = { 6, 486 } -- of the tutorial's tree and of ours

local root, tree, items, swarms
local found, looked = {}, {} -- filled again in each frame, so that no garbage is made
local size, paused, onLines, cells = 90, false, false, true

-- Things ------------------------------------------------------------------------

local random = love.math.random

-- Most are small, few are large, and every third wanders about alone: the others belong to a swarm.
local function newItem(i)
  local swarm = i % 3 > 0 and swarms[random(#swarms)] or nil
  local from = swarm or { x = random(SIDE), y = random(SIDE) }
  local length = i % 60 == 0 and 40 or i % 12 == 0 and 16 or 6
  return {
    x = from.x + random(-60, 60), y = from.y + random(-60, 60),
    w = length * (0.5 + random()), h = length * (0.5 + random()),
    vx = random(-40, 40), vy = random(-40, 40),
    swarm = swarm,
  }
end

local function setCount(count)
  for i = #items + 1, count do
    items[i] = newItem(i)
    tree:insert(items[i], items[i].x, items[i].y, items[i].w, items[i].h)
  end
  for i = #items, count + 1, -1 do
    tree:remove(items[i])
    items[i] = nil
  end
end

local function bounce(thing, w, h)
  if thing.x < 0 then thing.vx = math.abs(thing.vx) end
  if thing.y < 0 then thing.vy = math.abs(thing.vy) end
  if thing.x + w > SIDE then thing.vx = -math.abs(thing.vx) end
  if thing.y + h > SIDE then thing.vy = -math.abs(thing.vy) end
end

local function fly(thing, dt)
  thing.x, thing.y = thing.x + thing.vx * dt, thing.y + thing.vy * dt
end

-- Pulls an item to its swarm, or to a line through the middle of the square.
local function steer(item, i, dt)
  local aimX, aimY = item.swarm and item.swarm.x or item.x, item.swarm and item.swarm.y or item.y
  if onLines and i % 2 == 0 then aimX, aimY = (SIDE - item.w) / 2, item.y end
  if onLines and i % 2 == 1 then aimX, aimY = item.x, (SIDE - item.h) / 2 end
  local pull = onLines and 6 or 1.5
  item.vx, item.vy = item.vx + (aimX - item.x) * dt * pull, item.vy + (aimY - item.y) * dt * pull
  if onLines and aimX ~= item.x then item.vx = item.vx * (1 - 3 * dt) end
  if onLines and aimY ~= item.y then item.vy = item.vy * (1 - 3 * dt) end
end

-- Trees -------------------------------------------------------------------------

-- The tutorial's tree cannot move a box, so it is built anew in each frame.
local function rebuild()
  root:clear()
  for i = 1, #items do root:insert(items[i]) end
end

-- Whether a query visits a cell of sat's tree. A box may reach out of its cell, by a cell's width and height.
local function isVisited(query, x, y, w, h)
  return query.x <= x + 2 * w and x <= query.x + query.w and query.y <= y + 2 * h and y <= query.y + query.h
end

-- LÖVE's calls ------------------------------------------------------------------

function love.load()
  root = Node.new(0, 0, SIDE, SIDE)
  tree = sat.quadtree(0, 0, SIDE, SIDE)
  swarms = {
    { x = 110, y = 120, vx = 30, vy = 18 },
    { x = 350, y = 330, vx = -32, vy = 14 },
    { x = 260, y = 160, vx = 14, vy = -30 },
  }
  items = {}
  setCount(500)
  rebuild()
end

function love.update(dt)
  if paused then return end
  for _, swarm in ipairs(swarms) do
    fly(swarm, dt)
    bounce(swarm, 0, 0)
  end
  for i, item in ipairs(items) do
    if item.swarm or onLines then steer(item, i, dt) end
    fly(item, dt)
    bounce(item, item.w, item.h)
    tree:update(item, item.x, item.y, item.w, item.h)
  end
  rebuild()
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() end
  if key == "space" then paused = not paused end
  if key == "c" then cells = not cells end
  if key == "l" then onLines = not onLines end
  if key == "up" then setCount(math.min(#items * 2, 8000)) end
  if key == "down" then setCount(math.max(#items / 2, 125)) end
end

function love.wheelmoved(_, steps)
  size = math.max(10, math.min(300, size * 1.1 ^ steps))
end

-- Drawing -----------------------------------------------------------------------

-- A visited cell is bright, and the finer a cell the brighter, since it lies in others.
local function drawCell(x, y, w, h, visited)
  if visited then
    ui.color("orange", 0.13)
    love.graphics.rectangle("fill", x, y, w, h)
  end
  ui.color(visited and "orange" or "line", visited and 0.7 or 0.5)
  love.graphics.rectangle("line", x, y, w, h)
end

local function drawNode(node, query, visited)
  drawCell(node.x, node.y, node.w, node.h, visited and not node.children)
  for _, child in ipairs(node.children or {}) do
    drawNode(child, query, visited and query.x <= child.x + child.w and child.x <= query.x + query.w
      and query.y <= child.y + child.h and child.y <= query.y + query.h)
  end
end

-- Draws the cells that hold boxes, and returns how many boxes are in those that the query visits.
local function drawOurs(query)
  local count = 0
  for x, y, w, h, _, held in tree:nodes() do
    local visited = held > 0 and isVisited(query, x, y, w, h)
    if visited then count = count + held end
    if cells and held > 0 then drawCell(x, y, w, h, visited) end
  end
  return count
end

local function drawBoxes(color, list, count, alpha)
  ui.color(color, alpha)
  for i = 1, count do love.graphics.rectangle("fill", list[i].x, list[i].y, list[i].w, list[i].h) end
  ui.color(color)
  for i = 1, count do love.graphics.rectangle("line", list[i].x, list[i].y, list[i].w, list[i].h) end
end

local function drawWords(title, looks, hits)
  ui.color("text")
  ui.font(15)
  love.graphics.print(title, 0, -24)
  ui.color(looks > 4 * hits + 8 and "vermilion" or "orange")
  love.graphics.printf(("looks at %d, finds %d"):format(looks, hits), 0, -24, SIDE, "right")
end

local function begin(left)
  love.graphics.push()
  love.graphics.translate(left, TOP)
  love.graphics.setScissor(left - 1, TOP - 1, SIDE + 2, SIDE + 2)
  love.graphics.setLineWidth(1)
end

local function finish(query, title, looks, hits)
  drawBoxes("yellow", found, hits, 0.5)
  ui.color("white")
  love.graphics.setLineWidth(2)
  love.graphics.rectangle("line", query.x, query.y, query.w, query.h)
  love.graphics.setScissor()
  drawWords(title, looks, hits)
  love.graphics.pop()
end

-- The mouse is in either of the two squares, and the query in both.
local function readQuery()
  local x, y = love.mouse.getPosition()
  x = x - (x < LEFTS[2] and LEFTS[1] or LEFTS[2])
  return { x = x - size / 2, y = y - TOP - size / 2, w = size, h = size }
end

function love.draw()
  love.graphics.clear(0.078, 0.094, 0.122)
  local query = readQuery()
  local _, hits = tree:retrieve(query.x, query.y, query.w, query.h, found)

  for i = #looked, 1, -1 do looked[i] = nil end
  root:retrieve(query, looked)
  begin(LEFTS[1])
  drawBoxes("sky", items, #items, 0.2)
  if cells then drawNode(root, query, true) end
  drawBoxes("orange", looked, #looked, 0.3)
  finish(query, "the tutorials' quadtree", #looked, hits)

  begin(LEFTS[2])
  drawBoxes("sky", items, #items, 0.2)
  finish(query, "sat.quadtree", drawOurs(query), hits)

  ui.header("Quadtree", ("%d boxes"):format(#items))
  ui.footer {
    { "c", "cells", cells }, { "l", "boxes to the lines", onLines, "vermilion" }, { "wheel", "window" },
    { "up", "more" }, { "down", "fewer" }, { "space", "pause", paused },
  }
end
