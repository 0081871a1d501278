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

-- The folder of sat's init.lua, by the name that LÖVE's file system has for it.
local function inside_of(folder) return (folder:gsub("^%./", "")) end

-- LÖVE's file system shows the game's folder or archive, the save folder and everything else that is mounted as one
-- folder. The list begins with the real place of the file, if LÖVE shows one, and goes on with the places where LÖVE
-- would show it, without those in an archive. Returns the place for a missing file, if init.lua is in an archive.
local function add_from_love(add, inside, name, is_file)
  local real = filesystem.getRealDirectory(inside .. name)
  if real then add(real .. "/" .. inside .. name, inside .. name) end
  local of_lua = filesystem.getRealDirectory(inside .. "init.lua")
  local archived = of_lua and is_file(plain_name(of_lua))
  if of_lua and not archived then add(of_lua .. "/" .. inside .. name) end
  add(filesystem.getSaveDirectory() .. "/" .. inside .. name)
  local beside = filesystem.getSourceBaseDirectory() .. "/" .. inside .. name
  add(beside)
  return archived and beside or nil
end

-- Returns all paths to try, best first, each once, as two lists of { path = , name = , shown = path by which LÖVE shows
-- a file there }: those that belong to `folder`, and those of package.cpath. The third result is the path at which the
-- user should put the file if none of them has it.
local function candidates(folder, is_file)
  local own, installed, seen, place = {}, {}, {}, nil
  local function adds_to(list, name)
    return function(path, shown)
      if not seen[path] then list[#list + 1] = { path = path, name = name, shown = shown } end
      seen[path] = true
    end
  end
  for _, name in ipairs(folder and names() or {}) do
    local add = adds_to(own, name)
    local beside = filesystem and add_from_love(add, inside_of(folder), name, is_file)
    place = place or beside
    add(folder .. name)
  end
  local add = adds_to(installed)
  for template in package.cpath:gmatch("[^;]+") do
    if template:find("?", 1, true) then add((template:gsub("%?", "sat" .. separator .. "core"))) end
  end
  local first = own[1] or installed[1]
  return own, installed, place or first and first.path
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

-- The native part's table from a copy of a file that LÖVE shows, or nil. The attempt keeps the reason and the bytes. A
-- file that is of no use is not copied.
local function load_copy(attempt, native, extract)
  local bytes, reason = filesystem.read(attempt.shown)
  if not bytes then
    attempt.reason = "it cannot be read: " .. tostring(reason)
    return nil
  end
  local info, good = filesystem.getInfo and filesystem.getInfo(attempt.shown) or {}, nil
  if #bytes < (info.size or 0) then
    reason = ("the archive is damaged: LÖVE reads %d bytes of %d"):format(#bytes, info.size)
  else
    good, reason = native.is_whole(bytes, #bytes)
  end
  if good and not bytes:find(native.BUILD, 1, true) then
    good, reason = native.check { build = native.build_of(bytes) }
  end
  local core
  if good then core, reason = extract()(attempt.name, bytes, native.VERSION, plain_name, native.load_from) end
  attempt.bytes, attempt.reason, attempt.is_good = bytes, reason, good
  return core
end

-- The same for a file of the archive that one of the save folder hides, such as the native part of an older version,
-- which the game itself may have put there: once it is of no use it moves aside.
local function load_hidden(attempts, attempt, native, extract)
  local aside = attempt.plain .. ".old"
  os.remove(aside)
  local moved = os.rename(attempt.plain, aside) -- or another thread has moved it
  local behind, core = filesystem.getRealDirectory(attempt.shown), nil
  if behind and behind ~= filesystem.getSaveDirectory() then
    local hidden = { path = behind .. "/" .. attempt.shown, name = attempt.name, shown = attempt.shown, reason = "" }
    core = load_copy(hidden, native, extract)
    attempts[#attempts + 1] = hidden
  end
  if moved and not core then os.rename(aside, attempt.plain) end
  return core
end

-- The native part's table from a file in an archive, which LÖVE shows and the system does not, or nil. Phones load no
-- library that a program has written.
local function load_from_archives(attempts, native, extract)
  local system = filesystem and rawget(love, "_os")
  if not filesystem or system == "Android" or system == "iOS" then return nil end
  local core
  for i = 1, #attempts do
    local attempt = attempts[i]
    local saved = attempt.shown and attempt.path == filesystem.getSaveDirectory() .. "/" .. attempt.shown
    local archived = attempt.shown and not native.read(attempt.plain, 1)
    if archived then
      core = load_copy(attempt, native, extract)
    elseif saved then
      core = load_hidden(attempts, attempt, native, extract)
    end
    if core then return core end
  end
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

-- Adds what else LÖVE shows beside sat's init.lua by the name of a native part: one for another system is easily taken
-- for one for all systems.
local function add_others(attempts, folder)
  local inside, expected = inside_of(folder), {}
  for _, name in ipairs(names()) do expected[name] = true end
  for _, name in ipairs(filesystem.getDirectoryItems and filesystem.getDirectoryItems(inside) or {}) do
    if name:find("^core.*%.[ds][yol]") and not expected[name] then
      local path = tostring(filesystem.getRealDirectory(inside .. name)) .. "/" .. inside .. name
      attempts[#attempts + 1] = { path = path, bytes = filesystem.read(inside .. name), is_other = true }
    end
  end
end

-- The error in a page of love.js without a native part. A search would never end there: love.js does not survive a
-- question about a missing file. A love.thread of a page has no native part, either.
local NO_SCRIPT = "sat: its native part is not in this page\n"
  .. "the page has no sat.js, which a game in a browser needs beside the folder sat\n"
  .. 'what to do: put <script src="sat.js"></script> into index.html, before the line of game.js'

-- Loads the native part, or raises an error that tells the reason. `folder` is that of native.lua, and `native` has the
-- functions of native.lua.
return function(folder, native, extract, diagnosis)
  if filesystem and rawget(love, "_os") == "Web" then error(NO_SCRIPT, 0) end
  local attempts, core, place, refused = {}, nil, nil, false
  if package.loadlib then
    local own, installed
    -- An archive is a file, and a game's folder is none.
    own, installed, place = candidates(folder, function(path) return (native.read(path, 1)) ~= nil end)
    core, refused = load_from_files(own, native)
    core = core or load_from_archives(own, native, extract)
    if not core then
      local also_refused
      core, also_refused = load_from_files(installed, native)
      refused = refused or also_refused
    end
    attempts = own
    for _, attempt in ipairs(installed) do attempts[#attempts + 1] = attempt end
  end
  -- A searcher would load a file that was refused here, which can crash the program.
  core = core or not refused and load_from_searchers(attempts, native)
  if core then return core end
  if folder and filesystem then add_others(attempts, folder) end
  local failure = { attempts = attempts, place = place, names = names(), build = native.BUILD }
  error(diagnosis()(failure, native), 0)
end
