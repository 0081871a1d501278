-- How the native part gets out of a game's archive, in a stand-in for LÖVE's file system over real files, with each
-- fault that a copy may have, on every system. .ci/steps/places has the places of a game, with a real LÖVE.
local lfs = require "lfs"
local files = require "spec.files"
local support = require "spec.support"

local read, write, list, remove, find, CORE = files.read, files.write, files.list, files.remove, files.find, files.CORE

local windows = package.config:sub(1, 1) == "\\"
local EXTENSION = windows and ".dll" or ".so"
local VERSION = require("sat")._VERSION:match("%S+$")

-- The bytes of a library with another end: the same to the system, and another build to sat.
local built = 0
local function another_build(bytes)
  built = built + 1
  return bytes .. ("%08d"):format(built)
end

-- The names that a copy of these bytes may have: the one, and the one where something is in its way.
local function names_of(bytes)
  local a, b = 1, 0
  for i = 1, #bytes do
    a = (a + bytes:byte(i)) % 65521
    b = (b + a) % 65521
  end
  local stem = ("core-%s-%d-%04x%04x"):format(VERSION, #bytes, b, a)
  return stem .. EXTENSION, stem .. "-2" .. EXTENSION
end

local native = find(package.cpath, "sat/core")
local home = files.home()

describe("the native part in an archive", function()
  if not native then return pending("the native part is not on package.cpath") end
  local bytes, root, save, archive, filesystem, changed

  -- Puts a function in the place of one of a library until the test has ended.
  local function replace(library, name, value)
    changed[#changed + 1] = { library, name, rawget(library, name) }
    rawset(library, name, value)
  end

  -- What LÖVE has: the save folder hides what is in the archive.
  local function make_filesystem()
    local system = {}
    function system.getSaveDirectory() return save end
    function system.getSourceBaseDirectory() return root end
    function system.getRealDirectory(path)
      if lfs.attributes(save .. "/" .. path, "mode") == "file" then return save end
      return archive[path] and root .. "/game.love" or nil
    end
    function system.read(path) return read(save .. "/" .. path) or archive[path] end
    function system.getInfo(path)
      local known = lfs.attributes(save .. "/" .. path)
      if known then return { size = known.size, modtime = known.modification } end
      return archive[path] and { size = #archive[path] }
    end
    function system.getDirectoryItems(path)
      local names = lfs.attributes(save .. "/" .. path, "mode") == "directory" and list(save .. "/" .. path) or {}
      for name in pairs(archive) do
        if name:sub(1, #path) == path then names[#names + 1] = name:sub(#path + 1) end
      end
      return names
    end
    function system.createDirectory(path)
      return lfs.attributes(save .. "/" .. path, "mode") == "directory" or lfs.mkdir(save .. "/" .. path) ~= nil
    end
    function system.load(path) return loadfile(home .. path:match("[^/]*$")) end
    return system
  end

  before_each(function()
    changed = {}
    root = files.folder()
    save = root .. "/save"
    assert(lfs.mkdir(save))
    write(root .. "/game.love", "PK\3\4")
    bytes = another_build(read(native))
    archive = { ["sat/" .. CORE] = bytes }
    for _, name in ipairs(list(home)) do
      if name:find("%.lua$") then archive["sat/" .. name] = read(home .. name) end
    end
    filesystem = make_filesystem()
    replace(_G, "love", { filesystem = filesystem })
    replace(package, "cpath", "")
  end)

  after_each(function()
    for i = #changed, 1, -1 do rawset(changed[i][1], changed[i][2], changed[i][3]) end
    remove(root)
  end)

  -- Loads the module as LÖVE would.
  local function load()
    local function prepare(make)
      for _, file in ipairs(list(home)) do
        local name = file:match("^(.+)%.lua$")
        if name then package.preload["game.sat." .. name], package.loaded["game.sat." .. name] = make(file), nil end
      end
    end
    prepare(function(file) return assert(loadfile(home .. file)) end)
    local ok, result = pcall(assert(loadfile(home .. "init.lua")), "game.sat", "sat/init.lua")
    prepare(function() end)
    return ok, result
  end

  local function loads()
    local ok, module = load()
    assert.is_true(ok, tostring(module))
    assert.equal(12, module.rectangle(0, 0, 3, 4):area())
  end

  local function message()
    local ok, text = load()
    assert.is_false(ok)
    return text
  end

  -- The third line of the message.
  local function advice() return message():match("^sat: [^\n]+\nthis is [^\n]+\nwhat to do: ([^\n]+)\n") end

  local function copies() return lfs.attributes(save .. "/sat-native") and list(save .. "/sat-native") or {} end

  it("is copied to the save folder, under a name by its version, its size and its content", function()
    loads()
    assert.same({ (names_of(bytes)) }, copies())
    assert.equal(bytes, read(save .. "/sat-native/" .. names_of(bytes)))
  end)

  it("is not written again while the copy is right", function()
    loads()
    replace(io, "open", function(path, mode)
      assert(mode ~= "wb", "written: " .. path)
      return changed[#changed][3](path, mode)
    end)
    loads()
    archive["sat/" .. CORE] = bytes:sub(1, -2) .. "x" -- but another of the same size is
    local _, text = load()
    assert.matches("written: ", text, 1, true)
  end)

  -- What may be there by the name of a copy, none of it with the right bytes but the last.
  local STATES = {
    function() end,
    function(path) write(path, "") end,
    function(path) write(path, bytes:sub(1, math.floor(#bytes / 3))) end,
    function(path) write(path, bytes:sub(1, 5000) .. ("x"):rep(20) .. bytes:sub(5021)) end,
    function(path) write(path, bytes .. "longer") end,
    function(path) write(path, ("\0"):rep(#bytes)) end,
    function(path) write(path, another_build(bytes:sub(1, -9))) end,
    function(path) lfs.mkdir(path) end,
    function(path)
      lfs.mkdir(path)
      write(path .. "/something", "in it")
    end,
    function(path) write(path, bytes) end,
  }

  it("is loaded with its very bytes, whatever lies where the copies are", function()
    local random = support.generator(support.SEED)
    for round = 1, 2 * #STATES do
      bytes = another_build(bytes:sub(1, -9))
      archive["sat/" .. CORE] = bytes
      local first, second = names_of(bytes)
      lfs.mkdir(save .. "/sat-native")
      STATES[(round - 1) % #STATES + 1](save .. "/sat-native/" .. first)
      STATES[random(1, #STATES)](save .. "/sat-native/" .. second)
      local loaded
      local before = package.loadlib
      replace(package, "loadlib", function(path, ...)
        loaded = read(path)
        return before(path, ...)
      end)
      loads()
      assert.is_true(loaded == bytes, "round " .. round)
      for _, name in ipairs(copies()) do assert.is_nil(name:find("%.new$")) end
    end
  end)

  it("leaves a copy that is in use as it is, and takes the second name", function()
    local first, second = names_of(bytes)
    lfs.mkdir(save .. "/sat-native")
    write(save .. "/sat-native/" .. first, "in use")
    local rename, remove_file = os.rename, os.remove
    replace(os, "rename", function(from, to) -- as on Windows
      if read(to) then return nil, to .. ": File exists" end
      return rename(from, to)
    end)
    replace(os, "remove", function(path)
      if read(path) == "in use" then return nil, path .. ": Permission denied" end
      return remove_file(path)
    end)
    loads()
    assert.same(first < second and { first, second } or { second, first }, copies())
    assert.equal("in use", read(save .. "/sat-native/" .. first))
    assert.equal(bytes, read(save .. "/sat-native/" .. second))
  end)

  it("may have been copied by another start meanwhile", function()
    local tried = 0
    replace(os, "rename", function(_, to)
      tried = tried + 1
      write(to, bytes)
      return nil, to .. ": File exists"
    end)
    loads()
    assert.same({ 1, { (names_of(bytes)) } }, { tried, copies() })
  end)

  it("is not loaded from a copy that is not what was written", function()
    replace(os, "rename", function(from, to)
      local half = read(from):sub(1, 100)
      os.remove(from)
      write(to, half)
      return true
    end)
    replace(os, "tmpname", function() error("unable to generate a unique filename", 0) end)
    replace(os, "getenv", function() end)
    assert.matches("it is not what was written", message(), 1, true)
  end)

  -- The files that os.tmpname has named.
  local function temporary_files()
    local named, tmpname = {}, os.tmpname
    replace(os, "tmpname", function()
      named[#named + 1] = tmpname()
      return named[#named]
    end)
    local folder = root .. "/temporary"
    lfs.mkdir(folder)
    replace(os, "getenv", function() return folder end) -- on Windows
    return named, folder
  end

  it("is loaded from a temporary file where there is no save folder, and nothing of it stays", function()
    local named, folder = temporary_files()
    filesystem.createDirectory = function() return false end
    loads()
    assert.same({}, copies())
    if windows then return assert.same({ "sat-" .. names_of(bytes) }, list(folder)) end
    assert.equal(1, #named)
    assert.is_nil(lfs.attributes(named[1]))
  end)

  it("is loaded from a temporary file where what was copied cannot be loaded, and no copy stays", function()
    temporary_files()
    local before = package.loadlib
    replace(package, "loadlib", function(path, ...)
      if path:find("sat-native", 1, true) then return nil, path .. ": failed to map segment" end
      return before(path, ...)
    end)
    loads()
    assert.same({}, copies())
  end)

  -- A disk that is full after some bytes of a file, in folders whose paths have that text.
  local function fill_disk(text)
    local open = io.open
    replace(io, "open", function(path, mode)
      if mode ~= "wb" or not path:find(text) then return open(path, mode) end
      local file = assert(open(path, mode))
      return {
        write = function(_, all)
          file:write(all:sub(1, 4096))
          return nil, "No space left on device", 28
        end,
        close = function() return file:close() end,
      }
    end)
  end

  it("is loaded from a temporary file where the disk of the save folder is full", function()
    temporary_files()
    fill_disk("sat%-native")
    loads()
    assert.same({}, copies())
  end)

  it("tells of full disks what to do, in the third line, and leaves nothing behind", function()
    local named, folder = temporary_files()
    fill_disk("")
    local text = message()
    assert.equal("make room on the disk and let the game write to its save folder, or put the native part outside of "
      .. "the archive, as " .. root .. "/sat/" .. CORE, advice())
    local path = root .. "/game.love/sat/" .. CORE
    assert.matches("\nin an archive, and no copy of it could be loaded:\n  " .. path, text, 1, true)
    local _, count = text:gsub(": No space left on device", "")
    assert.equal(2, count)
    assert.same({ {}, {} }, { copies(), list(folder) })
    for _, file in ipairs(named) do assert.is_nil(lfs.attributes(file)) end
  end)

  it("that LÖVE cannot read, or not to its end, is not copied", function()
    local read_file = filesystem.read
    filesystem.read = function(path)
      if path:find("core", 1, true) then return nil, "Could not read" end
      return read_file(path)
    end
    assert.matches(CORE .. ": it cannot be read: Could not read", message(), 1, true)
    assert.matches("^put another in the place of what was found: one of a release", advice())
    filesystem.read = function(path) return read_file(path):sub(1, 70000) end
    assert.matches(("the archive is damaged: LÖVE reads 70000 bytes of %d"):format(#bytes), message(), 1, true)
    assert.matches("^put another in the place of what was found: one of a release", advice())
    assert.same({}, copies())
  end)

  it("of another version, or cut off, is not copied, and the message says so", function()
    archive["sat/" .. CORE] = bytes:gsub("sat %d+%.%d+%.%d+( for Lua)", "sat 0.0.1%1")
    local reason = "it is sat 0.0.1 for %s, not sat %s for %s"
    assert.matches("\n    " .. reason:format(_VERSION, VERSION, _VERSION), message(), 1, true)
    archive["sat/" .. CORE] = bytes:sub(1, math.floor(#bytes / 2))
    assert.matches("\n    it is cut off: %d+ bytes of %d+ or more", message())
    archive["sat/" .. CORE] = ""
    assert.matches("/sat/" .. CORE .. ": an empty file\n", message(), 1, true)
    assert.matches("^put another in the place of what was found: one of a release", advice())
    assert.same({}, copies())
  end)

  it("that is missing where others are is told apart from those", function()
    archive["sat/" .. CORE] = nil
    archive["sat/core-solaris-sparc-lua5.1.so"] = "for another"
    assert.matches("^put the native part there as " .. root:gsub("%p", "%%%0") .. "/sat/" .. CORE, advice())
    assert.matches("\nfound, but for another system, processor or Lua:\n  " .. root
      .. "/game.love/sat/core-solaris-sparc-lua5.1.so: text, no library", message(), 1, true)
  end)

  it("is found behind an older one in the save folder, which moves aside", function()
    lfs.mkdir(save .. "/sat")
    local old = bytes:gsub("sat %d+%.%d+%.%d+( for Lua)", "sat 0.0.1%1")
    write(save .. "/sat/" .. CORE, old)
    loads()
    assert.same({ CORE .. ".old" }, list(save .. "/sat"))
  end)

  it("leaves one in the save folder as it is that hides nothing better", function()
    lfs.mkdir(save .. "/sat")
    write(save .. "/sat/" .. CORE, "no library")
    archive["sat/" .. CORE] = nil
    assert.matches("^put another in the place of what was found", advice())
    assert.equal("no library", read(save .. "/sat/" .. CORE))
    archive["sat/" .. CORE] = bytes:sub(1, math.floor(#bytes / 2))
    assert.matches("it is cut off", message(), 1, true)
    assert.equal("no library", read(save .. "/sat/" .. CORE))
  end)

  it("is not looked for in browsers, whose page has to have it", function()
    rawget(_G, "love")._os = "Web"
    rawget(_G, "love").filesystem.getRealDirectory = function() error("love.js hangs here") end
    assert.matches("what to do: put <script src=\"sat.js\"></script> into index.html", message(), 1, true)
    assert.same({}, copies())
  end)

  it("is not copied on phones, and the message names the way there", function()
    for system, text in pairs { Android = "put sat.core.so of the release for Android into the APK as lib/",
      iOS = "link sat into the app and preload it" } do
      rawget(_G, "love")._os = system
      assert.equal(text, advice():sub(1, #text))
      assert.matches("game.love/sat/" .. CORE .. ": inside an archive", message(), 1, true)
      assert.same({}, copies())
    end
  end)

  it("leaves what another start writes, and removes what one has left", function()
    lfs.mkdir(save .. "/sat-native")
    for name, age in pairs { ["core.so.a-1.new"] = 3600, ["core.so.b-2.new"] = 0, ["core-of-a-game.so"] = 3600 } do
      write(save .. "/sat-native/" .. name, "")
      lfs.touch(save .. "/sat-native/" .. name, os.time() - age)
    end
    loads()
    local expected = { "core-of-a-game.so", "core.so.b-2.new", (names_of(bytes)) }
    table.sort(expected)
    assert.same(expected, copies())
  end)
end)
