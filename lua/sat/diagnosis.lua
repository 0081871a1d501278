-- Says what a file is that was to be the native part and is not, what it should have been, and what to do.

local diagnosis = {}

local jit = rawget(_G, "jit")
local love = rawget(_G, "love")

-- ---------------------------------------------------------------- what a file is

-- The number of so many bytes at an offset, the lowest byte first; 0 beyond the end.
local function number_at(bytes, offset, size)
  local value = 0
  for i = size, 1, -1 do value = value * 256 + (bytes:byte(offset + i) or 0) end
  return value
end

local CPUS = {
  ELF = { [3] = "x86 (32 bit)", [40] = "ARM (32 bit)", [62] = "x86-64", [183] = "AArch64", [243] = "RISC-V" },
  PE = { [0x14c] = "x86 (32 bit)", [0x8664] = "x86-64", [0xaa64] = "AArch64" },
  MACH = { [0x01000007] = "x86-64", [0x0100000c] = "AArch64" },
}

-- "Linux on x86-64" of a library's or a program's first bytes, or nil for what is neither.
local function platform(bytes)
  local function on(system, cpu) return system .. " on " .. (cpu or "a processor that is not known here") end
  local start = bytes:sub(1, 4)
  if start == "\127ELF" then return on("Linux", CPUS.ELF[number_at(bytes, 18, 2)]) end
  if start == "\207\250\237\254" then return on("macOS", CPUS.MACH[number_at(bytes, 4, 4)]) end
  if start == "\202\254\186\190" then return "macOS on several processors" end
  local header = number_at(bytes, 60, 4)
  if start:sub(1, 2) ~= "MZ" or bytes:sub(header + 1, header + 4) ~= "PE\0\0" then return nil end
  return on("Windows", CPUS.PE[number_at(bytes, header + 4, 2)])
end

-- How many bytes a library must have at least, by its table of sections; 0 where that cannot be told. For Linux the
-- table itself comes last, for Windows the sections do.
local function least_size(bytes)
  if bytes:sub(1, 5) == "\127ELF\2" then
    return number_at(bytes, 40, 8) + number_at(bytes, 58, 2) * number_at(bytes, 60, 2)
  end
  local least, header = 0, number_at(bytes, 60, 4)
  if bytes:sub(1, 2) ~= "MZ" or bytes:sub(header + 1, header + 4) ~= "PE\0\0" then return least end
  local sections = header + 24 + number_at(bytes, header + 20, 2)
  for i = 0, number_at(bytes, header + 6, 2) - 1 do
    local section = sections + 40 * i
    least = math.max(least, number_at(bytes, section + 16, 4) + number_at(bytes, section + 20, 4))
  end
  return least
end

local FIRST, ALL = 4096, 2 ^ 25

local NO_FILE, NO_FOLDER = 2, 20 -- the system's numbers for "there is none" and "that is no folder"

-- The first bytes of a file and how many there are in all, or nil and the reason; "" for one that is not there.
local function read(path, count)
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

-- Whether there is a file, and no folder, which is how an archive is told from a game's folder.
function diagnosis.is_file(path) return (read(path, 1)) ~= nil end

-- Whether the file is there and not cut off. One that is could take the whole program down: Linux maps it as it is, and
-- stops whoever reads where nothing is any more.
function diagnosis.is_whole(path)
  local bytes, size = read(path, FIRST)
  if not bytes then return nil, size end
  local least = least_size(bytes)
  if size >= least then return true end
  return nil, ("it is cut off: %d bytes of %d or more"):format(size, least)
end

local function describe_other(bytes)
  if bytes == "" then return "an empty file" end
  if bytes:sub(1, 4) == "PK\3\4" then return "a zip archive, not unpacked" end
  if bytes:sub(1, 4) == "\27Lua" then return "compiled Lua, no library" end
  local line = bytes:match("^[^\r\n]*"):sub(1, 40)
  if line:find("[%z\1-\8\14-\31]") then return "no library for any system that is known here" end
  return ("text, no library: it starts with %q"):format(line)
end

-- What there is at that path, or nil when nothing can be read there.
function diagnosis.describe(path)
  local bytes = read(path, ALL)
  if not bytes then return nil end
  local where = platform(bytes)
  if not where then return describe_other(bytes) end
  local build = bytes:match("sat %d+%.%d+%.%d+ for Lua %d%.%d")
  return "a library for " .. where .. ", " .. (build and "built as " .. build or "not sat's, or of an early version")
end

-- ---------------------------------------------------------------- what this is

local SYSTEMS = { OSX = "macOS" }
local ANDROID = type(love) == "table" and rawget(love, "_os") == "Android" -- LuaJIT calls it Linux
local ARCHITECTURES = { x64 = "x86-64", arm64 = "AArch64" }

-- LuaJIT knows; of plain Lua the program's own file tells, where the system has it.
local function running_platform()
  if jit then
    return (ANDROID and "Android" or SYSTEMS[jit.os] or jit.os) .. " on " .. (ARCHITECTURES[jit.arch] or jit.arch)
  end
  if package.config:sub(1, 1) == "\\" then return "Windows on x86-64" end
  return platform(read("/proc/self/exe", FIRST) or "") or "this system and processor"
end

local function running()
  local host = ""
  if type(love) == "table" then
    local known = type(love.getVersion) == "function"
    host = known and (" in LÖVE %d.%d"):format(love.getVersion()) or " in LÖVE"
  end
  return (jit and jit.version or _VERSION) .. host .. ", on " .. running_platform():gsub(" on ", ", ")
end

-- ---------------------------------------------------------------- the message

-- What came of one path: found, in an archive (where LÖVE shows it and the system does not), or absent.
local function report(attempt)
  local what = attempt.plain and diagnosis.describe(attempt.plain)
  if what then return "found", attempt.path .. ": " .. what .. "\n    " .. tostring(attempt.reason) end
  if attempt.shown then
    return "archived", attempt.path .. ": inside an archive, out of which no system loads a library"
  end
  return "absent", attempt.path .. (attempt.reason == "" and "" or ": " .. tostring(attempt.reason))
end

local function list(title, lines)
  if not lines[1] then return "" end
  return title .. "\n  " .. table.concat(lines, "\n  ")
end

-- What to do, in one line. `place` is the path where a file is to be put, if there is any.
local function advice(lines, place)
  if ANDROID then return "build sat into the APK: native-modules.md tells how, under Android" end
  if not place then return "preload the native part, as native-modules.md tells under Linked in" end
  local lua = jit and "luajit" or _VERSION:lower():gsub(" ", "")
  local get = "one of a release, or one that `make LUA=" .. lua .. "` builds"
  if lines.archived[1] then return "put the native part outside of the archive, as " .. place end
  if lines.found[1] then return "put another in the place of what was found: " .. get end
  return "put the native part there as " .. place .. ": " .. get
end

-- The message for when nothing could be loaded, of a table { attempts = , place = the path where the file is to be put,
-- names = the file names that would do, build = what should be in there }. `attempts` are { path = , plain = the path
-- that was asked for, if it was one of a file, shown = whether LÖVE shows a file there, reason = }.
function diagnosis.failure(failed)
  local lines = { found = {}, archived = {}, absent = {} }
  for _, attempt in ipairs(failed.attempts) do
    local kind, line = report(attempt)
    table.insert(lines[kind], line)
  end
  if not package.loadlib then table.insert(lines.absent, 1, "no files, since package.loadlib is not there") end
  return "sat: its native part could not be loaded\n"
    .. "this is " .. running() .. "\n"
    .. "what to do: " .. advice(lines, failed.place) .. "\n"
    .. "read on: docs/guides/native-modules.md, or native-modules.md beside sat's init.lua\n"
    .. "expected: a file " .. table.concat(failed.names, " or ") .. ", for " .. running_platform()
    .. ", built as " .. failed.build .. (failed.build:find("5.1", 1, true) and " (or LuaJIT)" or "")
    .. list("\nfound, but of no use:", lines.found) .. list("\nfound, but:", lines.archived)
    .. list("\nlooked for:", lines.absent)
end

return diagnosis
