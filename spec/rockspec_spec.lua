-- The rockspec lists its files one by one; these must be the files that there are.
local lfs = require "lfs"

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

local function files(folder, extension)
  local list = {}
  for name in lfs.dir(folder) do
    if name:sub(-#extension) == extension then list[#list + 1] = folder .. "/" .. name end
  end
  table.sort(list)
  return list
end

describe("the rockspec", function()
  local modules = load_rockspec("rockspec/sat-scm-1.rockspec").build.modules

  it("compiles every source of the native part, and nothing else", function()
    local listed = {}
    for i, path in ipairs(modules["sat.core"].sources) do listed[i] = path end
    table.sort(listed)
    local wanted = {}
    for folder in lfs.dir("csrc") do
      if not folder:find(".", 1, true) and folder ~= "test" then
        for _, path in ipairs(files("csrc/" .. folder, ".c")) do wanted[#wanted + 1] = path end
      end
    end
    table.sort(wanted)
    assert.same(wanted, listed)
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

  it("of a version is that of the branch, but for the version and its tag", function()
    local version = require("sat")._VERSION:match("%d+%.%d+%.%d+")
    local released = load_rockspec("rockspec/sat-" .. version .. "-1.rockspec")
    assert.equal(version .. "-1", released.version)
    assert.equal("v" .. version, released.source.tag)
    released.version, released.source.tag = "scm-1", nil
    assert.same(load_rockspec("rockspec/sat-scm-1.rockspec"), released)
  end)
end)
