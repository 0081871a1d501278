-- The properties of move_spec.lua that hold in all random scenes, asked ten thousand units from the origin, where
-- coordinates round to multiples more than a hundred times as large.
local getfenv, setfenv = rawget(_G, "getfenv"), rawget(_G, "setfenv")
require("spec.scenes").far = 10000.25

-- busted's functions are in the environment of this file.
local run = assert(loadfile("spec/move_spec.lua", "t", _ENV))
if setfenv then setfenv(run, getfenv(1)) end
run()
