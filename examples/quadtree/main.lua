-- A quadtree of things that move: its cells, and what it finds near the mouse.
--
-- The things are plain tables with a box. A quadtree takes any value and needs no shapes.

local sat = require "sat"
local ui = require "ui"

local AREA = { x = 0, y = ui.HEAD, w = 960, h = 600 - ui.HEAD - ui.FOOT }
local NEAREST = 5
local LEVELS = { "blue", "green", "purple" } -- the colours of their cells, over and over

local tree, items, swarms
local found, near = {}, {} -- filled again in each frame, so that no garbage is made
local size, paused = 120, false
local show = { cells = true, pairs = true, nearest = true }

-- Things ------------------------------------------------------------------------

local random = love.math.random

-- Most are small, few are large, and every third wanders about alone: the others belong to a swarm.
local function newItem(i)
  local swarm = i % 3 > 0 and swarms[random(#swarms)] or nil
  local from = swarm or { x = random(AREA.w), y = AREA.y + random(AREA.h) }
  local length = i % 45 == 0 and 50 or i % 9 == 0 and 20 or 7
  return {
    x = from.x + random(-90, 90), y = from.y + random(-90, 90),
    w = length * (0.5 + random()), h = length * (0.5 + random()),
    vx = random(-60, 60), vy = random(-60, 60),
    swarm = swarm,
  }
end

local function setCount(count)
  for i = #items + 1, count do
    local item = newItem(i)
    items[i] = item
    tree:insert(item, item.x, item.y, item.w, item.h)
  end
  for i = #items, count + 1, -1 do
    tree:remove(items[i])
    items[i] = nil
  end
end

local function bounce(thing, w, h)
  if thing.x < AREA.x then thing.vx = math.abs(thing.vx) end
  if thing.y < AREA.y then thing.vy = math.abs(thing.vy) end
  if thing.x + w > AREA.x + AREA.w then thing.vx = -math.abs(thing.vx) end
  if thing.y + h > AREA.y + AREA.h then thing.vy = -math.abs(thing.vy) end
end

local function fly(thing, dt)
  thing.x, thing.y = thing.x + thing.vx * dt, thing.y + thing.vy * dt
end

local function follow(item, swarm, dt)
  item.vx = item.vx + (swarm.x - item.x) * dt * 1.5
  item.vy = item.vy + (swarm.y - item.y) * dt * 1.5
end

-- LÖVE's calls ------------------------------------------------------------------

function love.load()
  tree = sat.quadtree(AREA.x, AREA.y, AREA.w, AREA.h)
  swarms = {
    { x = 200, y = 180, vx = 40, vy = 25 },
    { x = 700, y = 420, vx = -50, vy = 20 },
    { x = 500, y = 250, vx = 20, vy = -45 },
  }
  items = {}
  setCount(600)
end

function love.update(dt)
  if paused then return end
  for _, swarm in ipairs(swarms) do
    fly(swarm, dt)
    bounce(swarm, 0, 0)
  end
  for _, item in ipairs(items) do
    if item.swarm then follow(item, item.swarm, dt) end
    fly(item, dt)
    bounce(item, item.w, item.h)
    tree:update(item, item.x, item.y, item.w, item.h)
  end
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() end
  if key == "space" then paused = not paused end
  if key == "c" then show.cells = not show.cells end
  if key == "p" then show.pairs = not show.pairs end
  if key == "n" then show.nearest = not show.nearest end
  if key == "up" then setCount(math.min(#items * 2, 19200)) end
  if key == "down" then setCount(math.max(#items / 2, 75)) end
end

function love.wheelmoved(_, steps)
  size = math.max(10, math.min(500, size * 1.1 ^ steps))
end

-- Drawing -----------------------------------------------------------------------

-- Things of a size share a level: the larger they are, the larger its cells.
local function drawCells()
  love.graphics.setLineWidth(1)
  for x, y, w, h, level in tree:nodes() do
    ui.color(LEVELS[level % #LEVELS + 1], 0.2)
    love.graphics.rectangle("fill", x, y, w, h)
    ui.color(LEVELS[level % #LEVELS + 1])
    love.graphics.rectangle("line", x, y, w, h)
  end
end

local function drawBox(color, item)
  ui.color(color, 0.3)
  love.graphics.rectangle("fill", item.x, item.y, item.w, item.h)
  ui.color(color)
  love.graphics.rectangle("line", item.x, item.y, item.w, item.h)
end

-- Outlines alone: things that are in many pairs would hide the cells.
local function drawPairs()
  local count = 0
  ui.color("vermilion")
  for a, b in tree:pairs() do
    count = count + 1
    love.graphics.rectangle("line", a.x, a.y, a.w, a.h)
    love.graphics.rectangle("line", b.x, b.y, b.w, b.h)
  end
  return count
end

-- The window of the query and what is in it.
local function drawQuery(x, y)
  local left, top = x - size / 2, y - size / 2
  local _, count = tree:retrieve(left, top, size, size, found)
  for i = 1, count do drawBox("yellow", found[i]) end
  love.graphics.setLineWidth(2)
  love.graphics.rectangle("line", left, top, size, size)
  return count
end

local function drawNearest(x, y)
  local _, count = tree:nearestAll(x, y, NEAREST, near)
  ui.color("white")
  love.graphics.setLineWidth(1.5)
  for i = 1, count do
    local item = near[i]
    love.graphics.line(x, y, math.max(item.x, math.min(x, item.x + item.w)),
      math.max(item.y, math.min(y, item.y + item.h)))
  end
end

local function drawWords(overlapping, within)
  local account = ("%d things    %d in the window"):format(#tree, within)
  if show.pairs then account = account .. ("    %d overlapping pairs"):format(overlapping) end
  ui.header("Quadtree", account)
  ui.footer {
    { "c", "cells", show.cells, "green" }, { "p", "overlapping pairs", show.pairs, "vermilion" },
    { "n", "nearest", show.nearest }, { "wheel", "window", true, "yellow" },
    { "up", "more" }, { "down", "fewer" }, { "space", "pause", paused },
  }
end

function love.draw()
  love.graphics.clear(0.078, 0.094, 0.122)
  local x, y = love.mouse.getPosition()
  if show.cells then drawCells() end
  for _, item in ipairs(items) do drawBox("sky", item) end
  local overlapping = show.pairs and drawPairs() or 0
  local within = drawQuery(x, y)
  if show.nearest then drawNearest(x, y) end
  drawWords(overlapping, within)
end
