-- Finds the native part in all other places, and loads it.
--
-- The search begins next to sat's init.lua, with the file names of releases, too. Then come the places where C modules
-- are installed, with the name "sat.core", and at last the searchers of the host get that name: LÖVE's searcher finds
-- the native part in an APK, and an engine may have a searcher of its own.

local separator = package.config:sub(1, 1)
local windows = separator == "\\"
local jit = rawget(_G, "jit")
local love = rawget(_G, "love")
local filesystem = type(love) == "table" and love.filesystem
if filesystem and not filesystem.getRealDirectory then filesystem = nil end

-- ---------------------------------------------------------------- names

-- The systems and processors that have releases, by LuaJIT's names. Plain Lua does not know its processor, so there all
-- releases are tried, and a system refuses a library for another one.
local RELEASES = {
  Linux = { x64 = "linux-x86_64", arm64 = "linux-aarch64" },
  Windows = { x64 = "windows-x64" },
  OSX = { x64 = "macos-universal", arm64 = "macos-universal" },
}

local function releases()
  if jit then
    local of_system = RELEASES[jit.os]
    return { of_system and of_system[jit.arch] }
  end
  if windows then return { "windows-x64" } end
  return { "linux-x86_64", "linux-aarch64", "macos-universal" }
end

-- The file names that a native part may have, best first: the name of a build, and the names in a release, which has
-- several files side by side.
local function names()
  local extension = windows and ".dll" or ".so"
  local list = { "core" .. extension }
  if jit and jit.os == "OSX" then list[2] = "core.dylib" end
  for _, release in ipairs(releases()) do
    list[#list + 1] = "core-" .. release .. "-" .. _VERSION:lower():gsub(" ", "") .. extension
  end
  return list
end

-- ---------------------------------------------------------------- places

-- The path in a form that Windows finds. package.loadlib and io.open take names in Windows' own code page, while LÖVE
-- gives names in UTF-8, such as the save folder of a user called Jürgen: there the result is the short name, which is
-- plain ASCII.
local function plain_name(path)
  if not windows then return path end
  path = path:gsub("/", "\\")
  if not path:find("[\128-\255]") then return path end
  local found, ffi = pcall(require, "ffi")
  if not found then return path end
  pcall(ffi.cdef, [[
    int MultiByteToWideChar(unsigned, unsigned long, const char *, int, uint16_t *, int);
    unsigned long GetShortPathNameW(const uint16_t *, uint16_t *, unsigned long);
  ]])
  local UTF8, SIZE = 65001, 4096
  local wide, short = ffi.new("uint16_t[?]", SIZE), ffi.new("uint16_t[?]", SIZE)
  if ffi.C.MultiByteToWideChar(UTF8, 0, path, -1, wide, SIZE) == 0 then return path end
  local length = ffi.C.GetShortPathNameW(wide, short, SIZE)
  if length == 0 or length >= SIZE then return path end
  local plain = {}
  for i = 0, length - 1 do
    if short[i] > 127 then return path end
    plain[i + 1] = string.char(short[i])
  end
  return table.concat(plain)
end

-- LÖVE's file system shows the game's folder or archive, the save folder and everything else that is mounted as one
-- folder. The list begins with the real place of the file, if LÖVE shows one, and goes on with the places where LÖVE
-- would show it. No system loads a library out of an archive, so places in an archive are left out, except for a file
-- that exists there, which the message names. Returns the place for a missing file, if init.lua is in an archive.
local function add_from_love(add, folder, name, is_file)
  local inside = folder:gsub("^%./", "")
  local real = filesystem.getRealDirectory(inside .. name)
  if real then add(real .. "/" .. inside .. name, true) end
  local of_lua = filesystem.getRealDirectory(inside .. "init.lua")
  local archived = of_lua and is_file(plain_name(of_lua))
  if of_lua and not archived then add(of_lua .. "/" .. inside .. name) end
  add(filesystem.getSaveDirectory() .. "/" .. inside .. name)
  local beside = filesystem.getSourceBaseDirectory() .. "/" .. inside .. name
  add(beside)
  return archived and beside or nil
end

-- Returns all paths to try, best first, each once, as a list of { path = , shown = whether LÖVE shows a file there };
-- and the path at which the user should put the file if none of them has it.
local function candidates(folder, is_file)
  local list, seen, place = {}, {}, nil
  local function add(path, shown)
    if not seen[path] then list[#list + 1] = { path = path, shown = shown } end
    seen[path] = true
  end
  for _, name in ipairs(folder and names() or {}) do
    if filesystem then place = place or add_from_love(add, folder, name, is_file) end
    add(folder .. name)
  end
  for template in package.cpath:gmatch("[^;]+") do
    if template:find("?", 1, true) then add((template:gsub("%?", "sat" .. separator .. "core"))) end
  end
  return list, place or (list[1] and list[1].path)
end

-- ---------------------------------------------------------------- loading

-- The native part's table from the first path that has it, or nil and whether any file was refused unloaded. The reason
-- of each failure is kept with its path.
local function load_from_files(attempts, native)
  local refused = false
  for _, attempt in ipairs(attempts) do
    attempt.plain = plain_name(attempt.path)
    local core, reason, is_damaged = native.load_from(attempt.plain)
    if core then return core end
    attempt.reason, refused = reason, refused or is_damaged
  end
  return nil, refused
end

-- The native part's table from one searcher, or nil and the reason, which is "" if the searcher has found nothing.
local function ask(searcher, native)
  local ok, loader, extra = pcall(searcher, native.NAME)
  if not ok then return nil, tostring(loader) end
  if type(loader) ~= "function" then return nil, "" end
  local opened, core = pcall(loader, native.NAME, extra)
  if not opened then return nil, tostring(core) end
  return native.check(core)
end

-- The native part's table from the searchers of the host, or nil after adding the reasons to the attempts. Meanwhile
-- Lua's own searchers have empty paths, since the files on package.cpath were tried already.
local function load_from_searchers(attempts, native)
  local searchers = rawget(package, "searchers") or rawget(package, "loaders")
  if type(searchers) ~= "table" then return nil end
  local path, cpath = package.path, package.cpath
  package.path, package.cpath = "", ""
  local found, reasons = nil, {}
  for _, searcher in ipairs(searchers) do
    local core, reason = ask(searcher, native)
    found = found or core
    if found then break end
    if reason ~= "" then reasons[#reasons + 1] = reason end
  end
  package.path, package.cpath = path, cpath
  local who = native.NAME .. " by the host's searchers"
  attempts[#attempts + 1] = { path = who, reason = table.concat(reasons, "\n    ") }
  return found
end

-- Loads the native part, or raises an error that tells the reason. `folder` is that of native.lua, and `native` has the
-- functions of native.lua.
return function(folder, native, diagnosis)
  local attempts, core, place, refused = {}, nil, nil, false
  if package.loadlib then
    -- An archive is a file, and a game's folder is none.
    attempts, place = candidates(folder, function(path) return (native.read(path, 1)) ~= nil end)
    core, refused = load_from_files(attempts, native)
  end
  -- A searcher would load a file that was refused here, which can crash the program.
  core = core or not refused and load_from_searchers(attempts, native)
  if core then return core end
  local failure = { attempts = attempts, place = place, names = names(), build = native.BUILD }
  error(diagnosis()(failure, native), 0)
end
