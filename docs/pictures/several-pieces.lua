-- The picture of docs/guides/several-pieces.md: lua docs/pictures/several-pieces.lua
local here = arg[0]:match("^(.*[/\\])") or "./"
package.path = here .. "../?.lua;" .. package.path

local sat = require "sat"
local sketch = require "sketch"

local picture = sketch.new(800, 250)

-- A polygon with a hole, by a bridge, and what it is split into.
local frame = sat.polygon {
  30, 60, 130, 20, 240, 70, 230, 180, 120, 160, 40, 200, 30, 60,
  90, 90, 80, 130, 150, 130, 170, 90, 90, 90,
}
for _, piece in ipairs(frame:pieces()) do picture:shape(piece, "b") end
picture:line(30, 60, 90, 90, "bad", 2)
picture:text(12, 26, "the bridge", "bad")
picture:text(135, 235, ("one polygon, %d pieces"):format(#frame:pieces()), "ink", "middle")

local hammer = sat.compound(sat.rectangle(385, 90, 24, 110), sat.rectangle(330, 40, 134, 50),
  sat.circle(397, 200, 20))
hammer:rotate(0.3)
picture:shape(hammer, "a")
local x, y = hammer:center()
picture:dot(x, y, "ink")
picture:text(x + 22, y + 34, "its centre", "ink")
picture:text(400, 235, "a compound of 3 shapes", "ink", "middle")

local ground = sat.chain { 540, 150, 600, 150, 650, 180, 720, 170, 780, 100 }
local ball = sat.circle(655, 152, 30)
local dx, dy = ball:collide(ground)
picture:shape(ground, "b")
picture:shape(ball, "a")
if dx then picture:shape(ball:clone():move(dx, dy), "way", true) end
local points = ground:vertices()
for i = 1, #points, 2 do picture:dot(points[i], points[i + 1], "b", 3) end
picture:text(660, 235, "a chain of 4 segments", "ink", "middle")
picture:save("several-pieces")
