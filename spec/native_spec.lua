-- What `require "sat"` says when the native part is missing, or is none, and what it takes nevertheless. Files for
-- other systems, processors and Luas are in .ci/steps/native, which has compilers for them.
local files = require "spec.files"

local windows = package.config:sub(1, 1) == "\\"
local read, write, find, CORE = files.read, files.write, files.find, files.CORE
local VERSION = require("sat")._VERSION

local function escape(text) return (text:gsub("%p", "%%%0")) end

describe("the native part", function()
  local init = find(package.path, "sat/init") or find(package.path, "sat")
  local native = find(package.cpath, "sat/core")
  local folder

  before_each(function() folder = files.folder() .. "/" end)

  after_each(function() files.remove((folder:gsub("/$", ""))) end)

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
    local place = folder .. CORE .. ": one of a release, or one that `make LUA="
    assert.matches("^[^\n]*\n[^\n]*\nwhat to do: put the native part there as " .. escape(place), text)
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
    assert.is_nil(rawget(module, "build"))
  end)

  it("may be the host's own, but must belong to these files", function()
    local old = package.preload["sat.core"]
    package.preload["sat.core"] = function() return { build = "sat 0.0.1 for " .. _VERSION } end
    local text = message()
    package.preload["sat.core"] = old
    assert.equal("sat: package.preload has a native part that does not belong to these files: it is sat 0.0.1 for "
      .. _VERSION .. ", not " .. VERSION .. " for " .. _VERSION, text)
  end)

  -- Runs with these searchers after those of the host.
  local function with_searchers(added, run)
    local searchers = rawget(package, "searchers") or rawget(package, "loaders")
    local count = #searchers
    for i, searcher in ipairs(added) do searchers[count + i] = searcher end
    run()
    for i = #searchers, count + 1, -1 do searchers[i] = nil end
  end

  -- A searcher that finds sat.core alone, opened by a function, and counts how often it is asked.
  local function searcher_for(open)
    local asked = { count = 0 }
    return function(name, ...)
      assert.same({ "sat.core", 0 }, { name, select("#", ...) })
      asked.count = asked.count + 1
      return open
    end, asked
  end

  it("is found by the host's searchers at last, which find nothing by package.path meanwhile", function()
    if not native then return pending("the native part is not on package.cpath") end
    local path = package.path
    local searcher, asked = searcher_for(function(name)
      assert.same({ "sat.core", "", "" }, { name, package.path, package.cpath })
      return assert(package.loadlib(native, "luaopen_sat_core"))(native)
    end)
    local silent = function() return "\n\tno field anywhere" end
    with_searchers({ silent, searcher, function() error("a searcher that is not needed") end }, function()
      local ok, module = load("/nowhere/?.so")
      assert.is_true(ok, module)
      assert.equal(12, module.rectangle(0, 0, 3, 4):area())
      assert.is_nil(rawget(module, "build"))
    end)
    assert.same({ 1, path }, { asked.count, package.path })
  end)

  it("that the host's searchers find must belong to these files, and what a searcher raises is told", function()
    local other = searcher_for(function() return { build = "sat 0.0.1 for " .. _VERSION } end)
    local failing = searcher_for(function() error("an engine without a network", 0) end)
    local raising = function() error("an odd searcher", 0) end
    local path, cpath = package.path, package.cpath
    with_searchers({ other, failing, raising }, function()
      local foreign = ("it is sat 0.0.1 for %s, not %s for %s"):format(_VERSION, VERSION, _VERSION)
      local reasons = foreign .. "\n    an engine without a network\n    an odd searcher"
      assert.matches("\nlooked for:\n.*\n  sat.core by the host's searchers: " .. escape(reasons) .. "$", message())
    end)
    assert.same({ path, cpath }, { package.path, package.cpath })
  end)

  it("is not sought by searchers after a file that is cut off, which they would load", function()
    if not native then return pending("the native part is not on package.cpath") end
    local bytes = read(native)
    write(folder .. CORE, bytes:sub(1, math.floor(#bytes / 2)))
    local searcher, asked = searcher_for(nil)
    with_searchers({ searcher }, function() assert.is_nil(message():find("searchers", 1, true)) end)
    assert.equal(0, asked.count)
    os.remove(folder .. CORE)
    with_searchers({ searcher }, function() assert.matches("searchers$", message()) end)
    assert.equal(1, asked.count)
  end)

  it("cannot be loaded where nothing can, but by the host's searchers", function()
    local old = package.loadlib
    rawset(package, "loadlib", nil)
    local text = message()
    local searcher, asked = searcher_for(nil)
    with_searchers({ searcher }, message)
    rawset(package, "loadlib", old)
    assert.matches("no files, since package.loadlib is not there\n  sat.core by the host's searchers$", text)
    assert.matches("\nwhat to do: preload the native part", text, 1, true)
    assert.equal(1, asked.count)
  end)
end)

describe("a file of the Lua side", function()
  local home = files.home()
  local folder

  before_each(function()
    folder = files.folder() .. "/"
    for _, name in ipairs(files.list(home)) do
      if name:find("%.lua$") or name == CORE then write(folder .. name, read(home .. name)) end
    end
  end)

  after_each(function() files.remove((folder:gsub("/$", ""))) end)

  local function load() return pcall(assert(loadfile(folder .. "init.lua"))) end

  it("that is missing is told of at once, though it is loaded when it is first used", function()
    local ok, sat = load()
    assert(ok, sat)
    local parts = { "arguments", "diagnosis", "draw", "extract", "names", "native", "search", "style", "svg" }
    for _, name in ipairs(parts) do
      local bytes = read(folder .. name .. ".lua")
      os.remove(folder .. name .. ".lua")
      local loaded, text = load()
      assert.is_false(loaded, name)
      assert.matches(name .. ".lua", text, 1, true)
      write(folder .. name .. ".lua", bytes)
    end
    assert.matches("<svg", sat.world():svg())
    local shape = sat.point(0, 0)
    for _, call in ipairs { function() return shape.position end, function() shape:draw("dotted") end } do
      local _, text = pcall(call)
      assert.matches("native_spec%.lua:%d+: ", text) -- where the mistake was made
    end
  end)
end)

describe("the repository in the place of the module", function()
  it("says what to run and what to copy, in its third line", function()
    local chunk = assert(loadfile("init.lua"))
    local ok, text = pcall(chunk, "sat", "/game/sat/init.lua")
    assert.is_false(ok)
    assert.matches("^sat: /game/sat/ is the repository, not the module\n[^\n]*\nwhat to do: run `make LUA=", text)
    ok, text = pcall(chunk)
    assert.is_false(ok)
    assert.matches("^sat: this folder is the repository, not the module\n", text)
  end)
end)
