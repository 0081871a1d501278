-- What several specs need.
local assert = require "luassert"

local support = {}

function support.near(expected, actual, tolerance)
  assert(math.abs(expected - actual) <= (tolerance or 1e-9), ("expected %.17g, got %.17g"):format(expected, actual))
end

function support.all_near(expected, ...)
  assert.equal(#expected, select("#", ...))
  for i, value in ipairs(expected) do support.near(value, (select(i, ...))) end
end

-- The keys of a table, in the order of the alphabet.
function support.sorted(map)
  local keys = {}
  for key in pairs(map) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

return support
