-- maze.lua: boxes and circles in corridors of their own width, 20,000 frames each, with walls made in five ways; it
-- fails where one is in a wall by more than rounding.
--
--   maze.lua [frames]

local maze = require "spec.maze"

local frames, failed = tonumber(arg[1]) or 20000, false
print("mover   walls      frames   in a wall   deepest (px)   cells   µs a frame")
for _, kind in ipairs(maze.movers) do
  for _, made in ipairs(maze.walls) do
    local start = os.clock()
    local bad, deepest, cells = maze.play(made, kind, frames, 1)
    local time = (os.clock() - start) / frames * 1e6
    print(("%-7s %-9s %7d %11d %14.3g %7d %12.2f"):format(kind, made, frames, bad, deepest, cells, time))
    failed = failed or bad > 0
  end
end
assert(not failed, "a mover is in a wall")
