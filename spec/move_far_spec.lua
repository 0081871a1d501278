-- All that move_spec.lua asks in random scenes, asked ten thousand units from the origin: what depends on how far off
-- the roundings of coordinates are shows there.
local getfenv, setfenv = rawget(_G, "getfenv"), rawget(_G, "setfenv")
require("spec.scenes").far = 10000.25

-- busted's functions are in the environment of this file.
local run = assert(loadfile("spec/move_spec.lua", "t", _ENV))
if setfenv then setfenv(run, getfenv(1)) end
run()
