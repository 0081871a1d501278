-- Loads the native part from its usual place next to sat's init.lua, so that a game can keep both in any folder, and
-- require "sat" and "lib.sat" both work. search.lua looks in all other places, and is loaded only if this one fails.

-- The same as SAT_VERSION in csrc/sat.h: the Lua files and the native part belong together.
local VERSION = "sat 0.2.0"

local windows = package.config:sub(1, 1) == "\\"
local love = rawget(_G, "love")

local native = {
  NAME = "sat.core",
  VERSION = VERSION:match("%S+$"),
  -- The field `build` of a native part for this Lua. LuaJIT counts as Lua 5.1.
  BUILD = VERSION .. " for " .. _VERSION,
  FIRST = 4096, -- bytes of a file that are enough to identify it
}

-- ---------------------------------------------------------------- files

-- The number in `size` bytes at an offset, the lowest byte first; 0 beyond the end.
function native.number_at(bytes, offset, size)
  local value = 0
  for i = size, 1, -1 do value = value * 256 + (bytes:byte(offset + i) or 0) end
  return value
end

-- The least size of a library, from its table of sections; 0 for an unknown format. On Linux the table itself comes
-- last, on Windows the sections come last.
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

local NO_FILE, NO_FOLDER = 2, 20 -- the system's numbers ENOENT and ENOTDIR

-- The first bytes of a file and its size, or nil and the reason, which is "" for a missing file.
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

-- Whether a library is not cut off, by its first bytes and its size. One that is cut off could crash the program: Linux
-- maps it as it is, and ends a program that reads beyond the end of the file.
function native.is_whole(bytes, size)
  local least = least_size(bytes)
  if size >= least then return true end
  return nil, ("it is cut off: %d bytes of %d or more"):format(size, least)
end

-- ---------------------------------------------------------------- loading

-- The version of sat and of Lua that a library with these bytes was built for, in the words of BUILD, or nil.
function native.build_of(bytes) return bytes:match("sat %d+%.%d+%.%d+ for Lua %d%.%d") end

-- Returns a native part that belongs to this Lua and to these files, without its field `build`; for any other one nil
-- and the reason.
function native.check(core)
  local build = type(core) == "table" and core.build
  if build == native.BUILD then
    core.build = nil
    return core
  end
  return nil, "it is " .. tostring(build or "of another sat") .. ", not " .. native.BUILD
end

-- The system's message without the path at its beginning and without white space at its end.
local function clean(reason, path)
  if reason:sub(1, #path + 2) == path .. ": " then reason = reason:sub(#path + 3) end
  return (reason:gsub("%s+$", ""))
end

-- The native part's table from one path, or nil, the reason, and whether there is a file that must not be loaded. The
-- native part raises an error if it was built for another Lua.
function native.load_from(path)
  local bytes, size = native.read(path, native.FIRST)
  if not bytes then return nil, size, size ~= "" end
  local whole, reason = native.is_whole(bytes, size)
  if not whole then return nil, reason, true end
  local open
  open, reason = package.loadlib(path, "luaopen_sat_core")
  if not open then return nil, clean(reason, path) end
  local ok, core = pcall(open, path)
  if not ok then return nil, core end
  return native.check(core)
end

-- Loads the native part. `folder` is that of sat's init.lua, with a separator at the end, or nil if it is unknown;
-- `search`, `extract` and `diagnosis` return the values of the files of these names. On Windows and in LÖVE search.lua
-- handles the names of files, which differ there.
return function(folder, search, extract, diagnosis)
  local preloaded = package.preload[native.NAME] -- set by a host that has the native part linked in
  if preloaded then
    local core, reason = native.check(preloaded(native.NAME))
    return core or error("sat: package.preload has a native part that does not belong to these files: " .. reason, 0)
  end
  local is_plain = folder and package.loadlib and not windows and not love
  return is_plain and native.load_from(folder .. "core.so") or search()(folder, native, extract, diagnosis)
end
