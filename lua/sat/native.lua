-- Loads the native part from where it usually is: next to sat's init.lua, so that a game can keep both in any folder,
-- and require "sat" and "lib.sat" both work. All other places and names are in search.lua, which is not needed then.

-- The same as SAT_VERSION in csrc/sat.h: the Lua files and the native part belong together.
local VERSION = "sat 0.2.0"

local windows = package.config:sub(1, 1) == "\\"
local love = rawget(_G, "love")

local native = {
  NAME = "sat.core",
  -- What a native part for this Lua says that it was built for. LuaJIT counts, and counts itself, as Lua 5.1.
  BUILD = VERSION .. " for " .. _VERSION,
  FIRST = 4096, -- bytes of a file that tell what it is
}

-- ---------------------------------------------------------------- what a file is

-- The number of so many bytes at an offset, the lowest byte first; 0 beyond the end.
function native.number_at(bytes, offset, size)
  local value = 0
  for i = size, 1, -1 do value = value * 256 + (bytes:byte(offset + i) or 0) end
  return value
end

-- How many bytes a library must have at least, by its table of sections; 0 where that cannot be told. For Linux the
-- table itself comes last, for Windows the sections do.
local function least_size(bytes)
  if bytes:sub(1, 5) == "\127ELF\2" then
    return native.number_at(bytes, 40, 8) + native.number_at(bytes, 58, 2) * native.number_at(bytes, 60, 2)
  end
  local least, header = 0, native.number_at(bytes, 60, 4)
  if bytes:sub(1, 2) ~= "MZ" or bytes:sub(header + 1, header + 4) ~= "PE\0\0" then return least end
  local sections = header + 24 + native.number_at(bytes, header + 20, 2)
  for i = 0, native.number_at(bytes, header + 6, 2) - 1 do
    local section = sections + 40 * i
    least = math.max(least, native.number_at(bytes, section + 16, 4) + native.number_at(bytes, section + 20, 4))
  end
  return least
end

local NO_FILE, NO_FOLDER = 2, 20 -- the system's numbers for "there is none" and "that is no folder"

-- The first bytes of a file and how many there are in all, or nil and the reason; "" for one that is not there.
function native.read(path, count)
  local file, reason, number = io.open(path, "rb")
  if number == NO_FILE or number == NO_FOLDER then return nil, "" end
  if not file then return nil, reason:sub(1, #path + 2) == path .. ": " and reason:sub(#path + 3) or reason end
  local bytes
  bytes, reason = file:read(count)
  local size = file:seek("end")
  file:close()
  if not bytes and size ~= 0 then return nil, reason or "it cannot be read" end
  return bytes or "", size
end

-- Whether the file is there and not cut off. One that is could take the whole program down: Linux maps it as it is, and
-- stops whoever reads where nothing is any more.
local function is_whole(path)
  local bytes, size = native.read(path, native.FIRST)
  if not bytes then return nil, size end
  local least = least_size(bytes)
  if size >= least then return true end
  return nil, ("it is cut off: %d bytes of %d or more"):format(size, least)
end

-- ---------------------------------------------------------------- loading

-- Whether it is the one that belongs to this Lua and to these files. What it was built for goes no further.
function native.check(core)
  local build = type(core) == "table" and core.build
  if build == native.BUILD then
    core.build = nil
    return core
  end
  return nil, "it is " .. tostring(build or "of another sat") .. ", not " .. native.BUILD
end

-- What the system says, without the path that it says first and the ends of lines that it says last.
local function clean(reason, path)
  if reason:sub(1, #path + 2) == path .. ": " then reason = reason:sub(#path + 3) end
  return (reason:gsub("%s+$", ""))
end

-- The native part's table from one path, or nil, the reason and whether there is a file that must not be loaded. What
-- the native part raises is that it was built for another Lua.
function native.load_from(path)
  local whole, reason = is_whole(path)
  if not whole then return nil, reason, reason ~= "" end
  local open
  open, reason = package.loadlib(path, "luaopen_sat_core")
  if not open then return nil, clean(reason, path) end
  local ok, core = pcall(open, path)
  if not ok then return nil, core end
  return native.check(core)
end

-- Loads the native part. `folder` is that of sat's init.lua, ending in a separator, or nil when nobody knows; `search`
-- and `diagnosis` return what the files of these names do. Windows and LÖVE have names of their own for files.
return function(folder, search, diagnosis)
  local preloaded = package.preload[native.NAME] -- a host that has it linked in
  if preloaded then
    local core, reason = native.check(preloaded(native.NAME))
    return core or error("sat: package.preload has a native part that does not belong to these files: " .. reason, 0)
  end
  local is_plain = folder and package.loadlib and not windows and not love
  return is_plain and native.load_from(folder .. "core.so") or search()(folder, native, diagnosis)
end
