-- The parts that need the whole module, such as sat.tiles, find it by every name that a game may have given to require,
-- and in every place.
local lfs = require "lfs"
local files = require "spec.files"

local windows = package.config:sub(1, 1) == "\\"
local read, write = files.read, files.write
local PARTS = { "bump", "character", "hc", "tiled", "tiles" }

describe("a part of the module", function()
  local home = files.home()
  local root, path, loaded

  before_each(function()
    root = files.folder()
    path, loaded = package.path, {}
    for name, value in pairs(package.loaded) do loaded[name] = value end
    for name in pairs(loaded) do
      if name:find("^sat%f[./%z]") then package.loaded[name] = nil end
    end
    package.path = root .. "/?.lua"
  end)

  after_each(function()
    package.path = path
    local added = {}
    for name in pairs(package.loaded) do added[#added + 1] = name end
    for _, name in ipairs(added) do package.loaded[name] = loaded[name] end
    for name, value in pairs(loaded) do package.loaded[name] = value end
    files.remove(root)
  end)

  -- Copies the Lua files into a folder below the root, without the native part, which package.cpath leads to.
  local function copy(folder)
    local place = root
    for name in folder:gmatch("[^/]+") do
      place = place .. "/" .. name
      lfs.mkdir(place)
    end
    for name in lfs.dir(home) do
      if name:find("%.lua$") then write(place .. "/" .. name, read(home .. name)) end
    end
    return place
  end

  -- What the parts build on is this module: the types in their worlds are its own, and nothing was loaded twice.
  local function check_parts(folder, sat)
    for _, part in ipairs(PARTS) do
      local ok, message = pcall(require, folder .. part)
      assert.is_true(ok, tostring(message))
    end
    assert.equal(sat, require(folder .. "whole"))
    local grid = require(folder .. "tiles").new(sat.world(), 2, 2, 16, function() return true end)
    assert.is_truthy(grid)
  end

  it("finds the whole that has another name, where package.path has no ?/init.lua", function()
    for _, row in ipairs {
      { "sat", "sat.init", "sat." }, { "sat", "sat/init", "sat." }, { "libs/sat", "libs.sat.init", "libs.sat." },
      { "libs/sat", "libs/sat/init", "libs/sat/" }, { "libs/sat", "libs/sat/init", "libs.sat." },
      { "libs/sat", "libs.sat.init", "libs/sat." }, { "vendor/collide", "vendor.collide.init", "vendor.collide." },
    } do
      copy(row[1])
      check_parts(row[3], require(row[2]))
      for name in pairs(package.loaded) do
        if name:find("sat", 1, true) or name:find("collide", 1, true) then package.loaded[name] = nil end
      end
    end
  end)

  it("finds the whole by itself, by sat.init where there is no other way", function()
    copy("sat")
    for _, part in ipairs(PARTS) do
      for name in pairs(package.loaded) do
        if name:find("^sat%f[./%z]") then package.loaded[name] = nil end
      end
      require("sat." .. part)
      assert.equal("table", type(package.loaded["sat.init"]))
      assert.equal(package.loaded["sat.init"], package.loaded.sat)
    end
  end)

  it("finds the whole by its short name where there is ?/init.lua, which is the same by both names", function()
    package.path = root .. "/?.lua;" .. root .. "/?/init.lua"
    copy("libs/sat")
    require "libs.sat.tiles"
    assert.is_nil(package.loaded["libs.sat.init"])
    check_parts("libs.sat.", require "libs.sat")
    assert.equal(require "libs.sat", require "libs.sat.init")
  end)

  it("works behind a symbolic link", function()
    if windows then return pending("symbolic links need a right on Windows") end
    assert(lfs.link(copy("real/place"), root .. "/linked", true))
    check_parts("linked.", require "linked.init")
  end)

  it("finds a whole that is preloaded", function()
    local place = copy("sat")
    for name in lfs.dir(place) do
      local part = name:match("^(.+)%.lua$")
      if part then
        local key = part == "init" and "engine.sat" or "engine.sat." .. part
        package.preload[key] = assert(loadfile(place .. "/" .. name))
      end
    end
    package.path = "nowhere/?.lua"
    check_parts("engine.sat.", require "engine.sat")
    for name in pairs(package.preload) do
      if name:find("^engine%.sat") then package.preload[name] = nil end
    end
  end)

  it("lets a shape of one copy into a world of another name", function()
    copy("sat")
    copy("libs/sat")
    local one, other = require "sat.init", require "libs.sat.init"
    local shape = one.circle(0, 0, 1)
    other.world():add(shape)
    assert.is_true(other.overlaps(shape, other.point(1, 0)))
  end)

  it("tells any other error of the whole as it is", function()
    local place = copy("sat")
    for _, raised in ipairs { "an error of the module", "module 'other' not found: nowhere" } do
      for _, name in ipairs { "sat", "sat.init", "sat.whole", "sat.tiles" } do package.loaded[name] = nil end
      write(place .. "/init.lua", ("error(%q, 0)"):format(raised))
      local ok, message = pcall(require, "sat.tiles")
      assert.is_false(ok)
      assert.matches(raised, message, 1, true)
      assert.is_nil(message:find("module 'sat' not found", 1, true))
    end
  end)

  it("says that the module was not found if it was found by neither name", function()
    local place = copy("sat")
    os.remove(place .. "/init.lua")
    local ok, message = pcall(require, "sat.tiles")
    assert.is_false(ok)
    assert.matches("module 'sat' not found", message, 1, true)
  end)
end)
