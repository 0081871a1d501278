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

-- The first seed of random tests, the same in every run; SAT_SEED in the environment gives another one.
support.SEED = tonumber(os.getenv "SAT_SEED") or 1

-- Makes random whole numbers from one to another, both included, the same on every Lua: Park and Miller, 1988.
function support.generator(seed)
  return function(low, high)
    seed = seed * 16807 % 2147483647
    return low + seed % (high - low + 1)
  end
end

-- The rings of a list of polygons, holes among them.
function support.all_rings(polygons)
  local rings = {}
  for _, polygon in ipairs(polygons) do
    for _, ring in ipairs(polygon) do rings[#rings + 1] = ring end
  end
  return rings
end

-- Every edge of the rings, as two points, once for each ring.
function support.each_edge(rings, f)
  for _, ring in ipairs(rings) do
    local x, y = ring[#ring - 1], ring[#ring]
    for i = 1, #ring, 2 do
      f(x, y, ring[i], ring[i + 1])
      x, y = ring[i], ring[i + 1]
    end
  end
end

-- Twice the area of a triangle, above zero where it turns left.
function support.cross(ax, ay, bx, by, cx, cy) return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) end

-- No two edges of any rings cross.
function support.check_edges(rings)
  local cross, edges = support.cross, {}
  support.each_edge(rings, function(...) edges[#edges + 1] = { ... } end)
  for i, e in ipairs(edges) do
    for j = i + 1, #edges do
      local f = edges[j]
      local a, b = cross(e[1], e[2], e[3], e[4], f[1], f[2]), cross(e[1], e[2], e[3], e[4], f[3], f[4])
      local c, d = cross(f[1], f[2], f[3], f[4], e[1], e[2]), cross(f[1], f[2], f[3], f[4], e[3], e[4])
      assert(not (a * b < -1e-12 and c * d < -1e-12), "two edges cross")
    end
  end
end

-- A table of a few elements, at powers of two up to 2^exponent, whose length is that power, since any border between
-- elements and holes may be called the length. `value` is what the elements are, 1 unless given. Since 5.5 Lua looks at
-- twice the key of an element for the next one or, at random, at the key after that, where the element is then.
function support.forged(exponent, value)
  local list, key = {}, 1
  for i = 1, 129 do list["room" .. i] = true end -- enough for all keys, so that no Lua puts them into an array
  for i = 0, exponent do
    list[key] = value or 1
    if #list ~= key then
      list[key], list[key + 1] = nil, value or 1
      key = key + 1
    end
    if i < exponent then key = 2 * key end
  end
  for i = 1, 129 do list["room" .. i] = nil end
  assert(#list == key, "the length is an honest one")
  return list
end

-- The largest exponent for which a length can be forged: on some Luas a length is a C int.
support.FORGED = math.maxinteger and 61 or 29

-- Runs the function when the collector finds what is returned.
function support.finalized(f)
  local newproxy = rawget(_G, "newproxy")
  if not newproxy then return setmetatable({}, { __gc = f }) end
  local proxy = newproxy(true)
  getmetatable(proxy).__gc = f
  return proxy
end

-- The memory of this process in bytes, or 0 where that is not known.
function support.resident()
  local file = io.open("/proc/self/statm")
  if not file then return 0 end
  local pages = file:read("*a"):match("%d+ (%d+)")
  file:close()
  return tonumber(pages) * 4096
end

-- The module loaded once more, which shares its shapes and puts its own methods in the place of the old ones.
function support.reload()
  local kept = {}
  for name, value in pairs(package.loaded) do
    if name == "sat" or name:match("^sat%.") then kept[name] = value end
  end
  for name in pairs(kept) do package.loaded[name] = nil end
  local ok, again = pcall(require, "sat")
  for name, value in pairs(kept) do package.loaded[name] = value end
  return assert(ok and again, again)
end

-- Runs a script in a process of its own, on the Lua that runs this: whether it ended well, and what it printed; or nil
-- where it is not known which Lua that is.
function support.run_script(text)
  local interpreter, i = nil, 0
  while arg and arg[i - 1] do
    i = i - 1
    interpreter = arg[i]
  end
  if not interpreter then return nil end
  local script, output = os.tmpname(), os.tmpname()
  local file = assert(io.open(script, "w"))
  file:write(("package.path, package.cpath = %q, %q\n"):format(package.path, package.cpath), text)
  file:close()
  local status = os.execute(("%s %s > %s 2>&1"):format(interpreter, script, output))
  file = assert(io.open(output))
  local printed = file:read("*a")
  file:close()
  os.remove(script)
  os.remove(output)
  return status == true or status == 0, printed
end

return support
