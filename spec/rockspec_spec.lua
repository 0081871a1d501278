-- The rockspec lists the Lua files one by one, and core.c and binding.c beside it include the C files: these must be
-- the files that there are.
local lfs = require "lfs"
local samples = require "spec.samples"

local function load_rockspec(path)
  local spec = {}
  local chunk
  if rawget(_G, "setfenv") then
    chunk = setfenv(assert(loadfile(path)), spec)
  else
    chunk = assert(loadfile(path, "t", spec))
  end
  chunk()
  return spec
end

local function files(folder, extension, list)
  list = list or {}
  for name in lfs.dir(folder) do
    local path = folder .. "/" .. name
    if name:sub(-#extension) == extension then list[#list + 1] = path end
    if not name:find(".", 1, true) and name ~= "test" then files(path, extension, list) end
  end
  table.sort(list)
  return list
end

describe("the rockspec", function()
  local modules = load_rockspec("rockspec/sat-scm-1.rockspec").build.modules

  it("compiles every source of the native part, and nothing else", function()
    local listed, lists = {}, 0
    for _, path in ipairs(modules["sat.core"].sources) do
      if path:find("^csrc/") then
        listed[#listed + 1] = path
      else
        lists = lists + 1
        for name in samples.read_file(path):gmatch('#include "([^"]+)"') do listed[#listed + 1] = "csrc/" .. name end
      end
    end
    table.sort(listed)
    assert.equal(2, lists)
    assert.same(files("csrc", ".c"), listed)
  end)

  it("installs every Lua file under the name that requires it", function()
    local wanted, listed = {}, {}
    for _, folder in ipairs { "lua/sat", "lua/sat/library" } do
      for _, path in ipairs(files(folder, ".lua")) do
        local name = path:match("^lua/(.+)%.lua$"):gsub("/", ".")
        wanted[name == "sat.init" and "sat" or name] = path
      end
    end
    for name, path in pairs(modules) do
      if name ~= "sat.core" then listed[name] = path end
    end
    assert.same(wanted, listed)
  end)

  it("has few C files in its own list", function() assert.is_true(#modules["sat.core"].sources <= 8) end)

  it("includes the core and the binding each in a list of its own", function()
    for path, is_binding in pairs { ["rockspec/core.c"] = false, ["rockspec/binding.c"] = true } do
      for name in samples.read_file(path):gmatch('#include "([^"]+)"') do
        assert.equal(is_binding, name:find("^lua/") ~= nil, name)
      end
    end
  end)
end)
