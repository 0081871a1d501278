-- Random programs of a hostile script, see spec/hostile.lua: none crashes, hangs, or raises what says nothing. The
-- variables HOSTILE_SEED and HOSTILE_PROGRAMS say with which seed to begin, and how many programs to run.
local hostile = require "spec.hostile"
local sat = require "sat"

local SEED = tonumber(os.getenv("HOSTILE_SEED") or 1)
local PROGRAMS = tonumber(os.getenv("HOSTILE_PROGRAMS") or 30)
local CALLS = 400

describe("a hostile script", function()
  it("gets answers or errors, whatever it calls", function()
    for seed = SEED, SEED + PROGRAMS - 1 do
      local ok, message = pcall(hostile.run, sat, seed, CALLS)
      assert(ok, ("seed %d: %s"):format(seed, tostring(message)))
    end
  end)

  it("calls every function, and is answered by most of them", function()
    local called, answered = {}, {}
    for seed = 1, 15 do
      hostile.run(sat, seed, CALLS, function(_, name) called[name] = true end,
        function(name) answered[name] = true end)
    end
    local names, silent = hostile.names(sat), {}
    for _, name in ipairs(names) do
      assert.is_true(called[name], name .. " was never called")
      if not answered[name] then silent[#silent + 1] = name end
    end
    assert.is_true(#silent < #names / 10, table.concat(silent, ", "))
  end)
end)
