-- A shape that fits a maze's corridors exactly goes through them, and into no wall; SAT_TEST_SCALE=50 plays as much
-- longer.
local maze = require "spec.maze"

local FRAMES = 400 * math.max(tonumber(os.getenv("SAT_TEST_SCALE") or 1), 1)

describe("in a maze as wide as itself", function()
  for _, kind in ipairs(maze.movers) do
    for _, made in ipairs(maze.walls) do
      it(("a %s goes on, and into no wall, made of %s"):format(kind, made), function()
        for seed = 1, 3 do
          local bad, _, cells = maze.play(made, kind, FRAMES, seed)
          assert.equal(0, bad)
          assert.is_true(cells >= 3)
        end
      end)
    end
  end
end)
