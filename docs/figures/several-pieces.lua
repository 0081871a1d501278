-- Draws the figure of docs/guides/several-pieces.md: lua docs/figures/several-pieces.lua
local here = arg[0]:match("^(.*[/\\])") or "./"
package.path = here .. "../?.lua;" .. package.path

local sat = require "sat"
local sketch = require "sketch"

local figure = sketch.new(800, 250)

-- A polygon with a hole, by a bridge, and what it is split into.
local frame = sat.polygon {
  30, 60, 130, 20, 240, 70, 230, 180, 120, 160, 40, 200, 30, 60,
  90, 90, 80, 130, 150, 130, 170, 90, 90, 90,
}
for _, piece in ipairs(frame:pieces()) do figure:shape(piece, "b") end
figure:line(30, 60, 90, 90, "bad", 2)
figure:text(12, 26, "the bridge", "bad")
figure:text(135, 235, ("one polygon, %d pieces"):format(#frame:pieces()), "ink", "middle")

local hammer = sat.compound(sat.rectangle(385, 90, 24, 110), sat.rectangle(330, 40, 134, 50),
  sat.circle(397, 200, 20))
hammer:rotate(0.3)
figure:shape(hammer, "a")
local x, y = hammer:center()
figure:dot(x, y, "ink")
figure:text(x + 22, y + 34, "its centre", "ink")
figure:text(400, 235, "a compound of 3 shapes", "ink", "middle")

local ground = sat.chain { 540, 150, 600, 150, 650, 180, 720, 170, 780, 100 }
local ball = sat.circle(655, 152, 30)
local dx, dy = ball:collide(ground)
figure:shape(ground, "b")
figure:shape(ball, "a")
if dx then figure:shape(ball:clone():move(dx, dy), "way", true) end
local points = ground:vertices()
for i = 1, #points, 2 do figure:dot(points[i], points[i + 1], "b", 3) end
figure:text(660, 235, "a chain of 4 segments", "ink", "middle")
figure:save("several-pieces")
