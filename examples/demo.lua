-- A level full of moving shapes, without a window: lua examples/demo.lua [PICTURE.svg [SECONDS]]
--
-- The program prints an account and draws the last frame. `make demo` runs it.

local here = arg[0]:match("^(.*[/\\])") or "./"
local build = os.getenv("BUILD") or here .. "../build"
local lua = jit and "luajit" or "lua" .. _VERSION:match("%d%.%d")
package.path = here .. "mill/?.lua;" .. here .. "shared/?.lua;" .. package.path
  .. (";%s/%s/?.lua;%s/%s/?/init.lua"):format(build, lua, build, lua)

local picture = require "picture"
local sat = require "sat"
local scene = require "scene"

local path = arg[1] or build .. "/demo.svg"
local seconds = tonumber(arg[2] or 10)
local mill = scene.new(require "map", 48)

local function count(label, list)
  local kinds, names = {}, {}
  for _, body in ipairs(list) do
    local kind = body.shape:kind()
    if not kinds[kind] then names[#names + 1] = kind end
    kinds[kind] = (kinds[kind] or 0) + 1
  end
  table.sort(names)
  for i, name in ipairs(names) do names[i] = name .. " " .. kinds[name] end
  print(("  %-11s %d: %s"):format(label, #list, table.concat(names, ", ")))
end

local begun, slowest, most = os.clock(), 0, 0
for _ = 1, seconds / scene.STEP do
  local start = os.clock()
  mill:step()
  slowest = math.max(slowest, os.clock() - start)
  most = math.max(most, mill.collisions)
end
local taken = os.clock() - begun

local file = assert(io.open(path, "w"))
assert(file:write(picture.svg(mill)))
assert(file:close())

local title, version = mill.map.properties.title, jit and jit.version or _VERSION
print(("%s, %s on %s"):format(title, sat._VERSION, version))
count("fixed", mill.fixed)
count("moving", mill.bodies)
print(("  %-11s %d in %.1f s of game time"):format("frames", mill.frame, mill.frame * scene.STEP))
print(("  %-11s %d, %.1f a frame, at most %d"):format(
  "collisions", mill.total, mill.total / mill.frame, most))
print(("  %-11s %.2f px"):format("deepest", mill.worst))
print(("  %-11s %.2f ms, at most %.2f ms"):format(
  "a frame", taken / mill.frame * 1000, slowest * 1000))
print(("  %-11s %s, the same on every Lua"):format("fingerprint", mill:fingerprint()))
print(("  %-11s %s"):format("picture", path))
