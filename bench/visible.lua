-- visible.lua: what is seen of a room with boxes, beside the sweep of Red Blob Games and visibility-polygon-js, which
-- run in node, in their own language, on the same scenes.
--
--   RED_BLOB='folder of 2d-visibility' VISIBILITY_POLYGON='folder of visibility-polygon-js' \
--     .ci/with luajit luajit bench/visible.lua
--
-- github.com/Silverwolf90/2d-visibility is that sweep in JavaScript. Both want boxes that do not overlap. The least of
-- many rounds, in microseconds for one place; all three must see the same areas.

local sat = require "sat"
local common = dofile "bench/lib/common.lua"

local SIDE, PLACES, ROUNDS = 1000, 20, 40
local between = common.between
local SCENES = {
  { name = "40 boxes", across = 8, down = 5 }, { name = "250 boxes (1000 edges)", across = 25, down = 10 },
}

local scenes = {} -- as JSON, for node

-- One box in each cell of a grid, with room around it, in which the places are.
local function make_scene(row)
  common.seed(7)
  local world, places, boxes, points = sat.world(), {}, {}, {}
  local w, h = SIDE / row.across, SIDE / row.down
  for column = 0, row.across - 1 do
    for line = 0, row.down - 1 do
      local left, top = between(0.1, 0.4), between(0.1, 0.4)
      local x, y, wide, high = (column + left) * w, (line + top) * h, between(0.2, 0.5) * w, between(0.2, 0.5) * h
      world:add(sat.rectangle(x, y, wide, high))
      boxes[#boxes + 1] = ('{"x":%.17g,"y":%.17g,"width":%.17g,"height":%.17g}'):format(x, y, wide, high)
    end
  end
  for i = 1, PLACES do
    places[i] = { (math.floor(between(0, row.across)) + 0.05) * w, between(0, SIDE) }
    points[i] = ('{"x":%.17g,"y":%.17g}'):format(places[i][1], places[i][2])
  end
  scenes[#scenes + 1] = ('["%s",[%s],[%s]]'):format(row.name, table.concat(boxes, ","), table.concat(points, ","))
  return world, places
end

local room = sat.rectangle(0, 0, SIDE, SIDE)

local function measure(row)
  local world, places = make_scene(row)
  local out, area = {}, 0
  local least = common.least(ROUNDS, { function()
    for _ = 1, 10 do
      for _, place in ipairs(places) do world:visible(place[1], place[2], room, out) end
    end
  end })[1] / 10 / PLACES * 1e6
  for _, place in ipairs(places) do area = area + sat.polygon((world:visible(place[1], place[2], room))):area() end
  print(("%-24s %-34s %8.1f us   area %.3f"):format(row.name, "sat, world:visible", least, area / PLACES))
end

for _, row in ipairs(SCENES) do measure(row) end

local any
for _, name in ipairs { "RED_BLOB", "VISIBILITY_POLYGON" } do
  if os.getenv(name) then any = true else print(name .. " is not set, so there is nothing to compare with of that") end
end
io.stdout:flush()
if any then os.execute(("node %s '[%s]'"):format(arg[0]:gsub("%.lua$", ".js"), table.concat(scenes, ","))) end
