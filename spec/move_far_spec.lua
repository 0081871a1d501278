-- The properties of move_spec.lua that hold in all random scenes, asked ten thousand units from the origin, where
-- coordinates round to multiples more than a hundred times as large.
local getfenv, setfenv = rawget(_G, "getfenv"), rawget(_G, "setfenv")
require("spec.scenes").far = 10000.25

-- busted's functions are in the environment of this file.
local run = assert(loadfile("spec/move_spec.lua", "t", _ENV))
if setfenv then setfenv(run, getfenv(1)) end
run()

describe("A move where shapes are about as small as rounding", function()
  local sat = require "sat"

  it("asks once what is at places that coincide: rings of many pieces come to an end", function()
    local k, n = 0.001, 30
    for _, y in ipairs { 1e7, -1e7 } do
      local a, b = sat.ring(0, y, .3 * k, .44 * k, n), sat.ring(.57 * k, y, .5 * k, 1.03 * k, n)
      local world = sat.world():add(a):add(b)
      for _, response in ipairs { "touch", "slide" } do
        local x, to = world:check(a, k, .3 * k, response)
        local way = math.sqrt(x * x + (to - y) ^ 2)
        assert.is_true(way <= 2 * k)
      end
    end
  end)
end)
