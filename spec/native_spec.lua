-- What `require "sat"` says when the native part is missing, or is none, and what it takes nevertheless. Files for
-- other systems, processors and Luas are in .ci/steps/native, which has compilers for them.
local lfs = require "lfs"

local windows = package.config:sub(1, 1) == "\\"
local CORE = windows and "core.dll" or "core.so"
local VERSION = require("sat")._VERSION

local function read(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local bytes = file:read("*a")
  file:close()
  return bytes
end

local function write(path, bytes)
  local file = assert(io.open(path, "wb"))
  file:write(bytes)
  file:close()
end

-- The first file that a path's templates lead to.
local function find(templates, name)
  for template in templates:gmatch("[^;]+") do
    local path = template:gsub("%?", name)
    if read(path) then return path end
  end
end

describe("the native part", function()
  local init = find(package.path, "sat/init") or find(package.path, "sat")
  local native = find(package.cpath, "sat/core")
  local folder

  before_each(function()
    folder = os.tmpname()
    os.remove(folder)
    assert(lfs.mkdir(folder))
    folder = folder .. "/"
  end)

  after_each(function()
    for name in lfs.dir(folder) do os.remove(folder .. name) end
    lfs.rmdir((folder:gsub("/$", "")))
  end)

  -- Loads init.lua as if it lay in that folder.
  local function load(cpath)
    local old = package.cpath
    package.cpath = cpath or ""
    local ok, result = pcall(assert(loadfile(init)), "sat", folder .. "init.lua")
    package.cpath = old
    return ok, result
  end

  local function message(cpath)
    local ok, result = load(cpath)
    assert.is_false(ok)
    return result
  end

  -- The message about a file with that in it.
  local function message_about(bytes)
    write(folder .. CORE, bytes)
    local text = message()
    local _, _, about = text:find("found, but of no use:\n  (.-)\nlooked for:")
    return assert(about, text):gsub("^[^\n]*" .. CORE:gsub("%.", "%%.") .. ": ", "")
  end

  it("that is missing: the message says where it was looked for, what this is and where to read on", function()
    local text = message("/nowhere/else/?.so")
    assert.matches("sat: its native part could not be loaded\nthis is Lua", text, 1, true)
    assert.matches("looked for:\n  " .. folder .. CORE .. "\n", text, 1, true)
    assert.matches("/nowhere/else/sat" .. (windows and "\\" or "/") .. "core.so\n", text, 1, true)
    assert.matches("expected: a file " .. CORE, text, 1, true)
    assert.matches("built as " .. VERSION .. " for " .. _VERSION, text, 1, true)
    assert.matches("what to do: ", text, 1, true)
    assert.matches("read on: docs/guides/native-modules.md", text, 1, true)
    assert.is_nil(text:find("found, but of no use", 1, true))
    local jit = rawget(_G, "jit")
    if jit then assert.matches("this is " .. jit.version .. ", on " .. jit.os, text, 1, true) end
    if not windows and read("/proc/self/exe") then assert.matches("on Linux, %w+", text) end
  end)

  it("that is empty", function()
    assert.matches("^an empty file\n", message_about(""))
  end)

  it("that is text, as a download often is", function()
    assert.matches('^text, no library: it starts with "<!DOCTYPE html>"\n', message_about("<!DOCTYPE html>\n<html>"))
  end)

  it("that is still in its archive", function()
    assert.matches("^a zip archive, not unpacked\n", message_about("PK\3\4\20\0\0\0"))
  end)

  it("that is compiled Lua", function()
    assert.matches("^compiled Lua, no library\n", message_about("\27Lua\81\0"))
  end)

  it("that is something else", function()
    assert.matches("^no library for any system that is known here\n", message_about("\1\2\3\4"))
  end)

  it("that is cut off, without loading it", function()
    if not native then return pending("the native part is not on package.cpath") end
    local bytes = read(native)
    for _, part in ipairs { 0.02, 0.5, 0.9, 0.999 } do
      local text = message_about(bytes:sub(1, math.floor(#bytes * part)))
      assert.matches("^a library for %w+ on [%w-]+, ", text)
      assert.matches("\n    it is cut off: %d+ bytes of %d+ or more$", text)
    end
  end)

  it("that is of another version of sat", function()
    if not native then return pending("the native part is not on package.cpath") end
    local bytes, count = read(native):gsub("(sat )%d+%.%d+%.%d+( for Lua)", "%10.0.1%2")
    assert.equal(1, count)
    local text = message_about(bytes)
    assert.matches(", built as sat 0.0.1 for " .. _VERSION .. "\n", text, 1, true)
    local not_this = " for %s, not %s for %s"
    assert.matches("\n    it is sat 0.0.1" .. not_this:format(_VERSION, VERSION, _VERSION), text, 1, true)
  end)

  it("is found beside others that will not do, under the name that releases give it", function()
    if not native then return pending("the native part is not on package.cpath") end
    write(folder .. CORE, "no library")
    local name = message():match("expected: a file .- or (core%-[%w_.-]+)")
    write(folder .. assert(name), read(native))
    local ok, module = load()
    assert.is_true(ok, module)
    assert.equal(12, module.rectangle(0, 0, 3, 4):area())
    assert.is_nil(module.build)
  end)

  it("may be the host's own, but must belong to these files", function()
    local old = package.preload["sat.core"]
    package.preload["sat.core"] = function() return { build = "sat 0.0.1 for " .. _VERSION } end
    local text = message()
    package.preload["sat.core"] = old
    assert.equal("sat: package.preload has a native part that does not belong to these files: it is sat 0.0.1 for "
      .. _VERSION .. ", not " .. VERSION .. " for " .. _VERSION, text)
  end)

  it("cannot be loaded where nothing can", function()
    local old = package.loadlib
    rawset(package, "loadlib", nil)
    local text = message()
    rawset(package, "loadlib", old)
    assert.equal("sat: this Lua cannot load native modules: package.loadlib is not there", text)
  end)
end)
