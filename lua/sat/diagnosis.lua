-- The message when the native part cannot be loaded: which files were found, which file was expected, and what to do.

local jit = rawget(_G, "jit")
local love = rawget(_G, "love")

-- ---------------------------------------------------------------- files

local ALL = 2 ^ 25 -- bytes of a file

local CPUS = {
  ELF = { [3] = "x86 (32 bit)", [40] = "ARM (32 bit)", [62] = "x86-64", [183] = "AArch64", [243] = "RISC-V" },
  PE = { [0x14c] = "x86 (32 bit)", [0x8664] = "x86-64", [0xaa64] = "AArch64" },
  MACH = { [0x01000007] = "x86-64", [0x0100000c] = "AArch64" },
}

-- The platform that the first bytes of a library or program name, such as "Linux on x86-64", or nil for other files.
local function platform(bytes, number_at)
  local function on(system, cpu) return system .. " on " .. (cpu or "a processor that is not known here") end
  local start = bytes:sub(1, 4)
  if start == "\127ELF" then return on("Linux", CPUS.ELF[number_at(bytes, 18, 2)]) end
  if start == "\207\250\237\254" then return on("macOS", CPUS.MACH[number_at(bytes, 4, 4)]) end
  if start == "\202\254\186\190" then return "macOS on several processors" end
  local header = number_at(bytes, 60, 4)
  if start:sub(1, 2) ~= "MZ" or bytes:sub(header + 1, header + 4) ~= "PE\0\0" then return nil end
  return on("Windows", CPUS.PE[number_at(bytes, header + 4, 2)])
end

local function describe_other(bytes)
  if bytes == "" then return "an empty file" end
  if bytes:sub(1, 4) == "PK\3\4" then return "a zip archive, not unpacked" end
  if bytes:sub(1, 4) == "\27Lua" then return "compiled Lua, no library" end
  local line = bytes:match("^[^\r\n]*"):sub(1, 40)
  if line:find("[%z\1-\8\14-\31]") then return "no library for any system that is known here" end
  return ("text, no library: it starts with %q"):format(line)
end

-- A description of a file with these bytes.
local function describe(bytes, native)
  local where = platform(bytes, native.number_at)
  if not where then return describe_other(bytes) end
  local build = native.build_of(bytes)
  return "a library for " .. where .. ", " .. (build and "built as " .. build or "not sat's, or of an early version")
end

-- ---------------------------------------------------------------- this program

local SYSTEMS = { OSX = "macOS" }
local ARCHITECTURES = { x64 = "x86-64", arm64 = "AArch64" }
local ABIS = { arm64 = "arm64-v8a", arm = "armeabi-v7a", x64 = "x86_64", x86 = "x86" } -- Android's names of processors
local PHONES = { Android = true, iOS = true } -- LuaJIT calls Android Linux
local phone = type(love) == "table" and PHONES[rawget(love, "_os")] and rawget(love, "_os")

-- The platform of this program: LuaJIT knows it; for plain Lua the program's own file names it, where the system shows
-- that file.
local function running_platform(native)
  if jit then
    return (phone or SYSTEMS[jit.os] or jit.os) .. " on " .. (ARCHITECTURES[jit.arch] or jit.arch)
  end
  if package.config:sub(1, 1) == "\\" then return "Windows on x86-64" end
  return platform(native.read("/proc/self/exe", native.FIRST) or "", native.number_at) or "this system and processor"
end

local function running(native)
  local host = ""
  if type(love) == "table" then
    local known = type(love.getVersion) == "function"
    host = known and (" in LÖVE %d.%d"):format(love.getVersion()) or " in LÖVE"
  end
  return (jit and jit.version or _VERSION) .. host .. ", on " .. running_platform(native):gsub(" on ", ", ")
end

-- ---------------------------------------------------------------- the message

-- Whether a library with these bytes is for the processor and the system of this program.
local function suits(bytes, native)
  local where, here = platform(bytes, native.number_at) or "", running_platform(native)
  return where == here or where == "macOS on several processors" and here:find("^macOS") ~= nil
end

-- The kind of one attempt and its line. The kinds are "found", "uncopied" (a file in an archive that would do),
-- "other" (its name is not one for this system), "archived" (LÖVE shows the file, and it was not read), "absent".
local function report(attempt, native)
  local bytes = attempt.bytes or attempt.plain and native.read(attempt.plain, ALL)
  local line = attempt.path .. (bytes and ": " .. describe(bytes, native) or "")
  if attempt.is_other then return "other", line end
  if bytes then
    local kind = attempt.is_good and suits(bytes, native) and "uncopied" or "found"
    return kind, line .. "\n    " .. tostring(attempt.reason)
  end
  local reason = tostring(attempt.reason or "")
  if attempt.shown then
    if reason == "" then reason = "inside an archive, out of which no system loads a library" end
    return "archived", line .. ": " .. reason
  end
  return "absent", line .. (reason == "" and "" or ": " .. reason)
end

local function list(title, lines)
  if not lines[1] then return "" end
  return title .. "\n  " .. table.concat(lines, "\n  ")
end

-- The advice for phones, which load a library out of the app alone.
local function advice_for_phones()
  if phone == "iOS" then return "link sat into the app and preload it: native-modules.md shows how, under iOS" end
  return ("put sat.core.so of the release for Android into the APK as lib/%s/sat.core.so, or link sat into LÖVE: "
    .. "native-modules.md shows both, under Android"):format(ABIS[jit and jit.arch] or "ABI")
end

-- The advice, in one line. `place` is the path for the file, if there is one.
local function advice(lines, place)
  if phone then return advice_for_phones() end
  if not place then return "preload the native part, as native-modules.md tells under Linked in" end
  local lua = jit and "luajit" or _VERSION:lower():gsub(" ", "")
  local get = "one of a release, or one that `make LUA=" .. lua .. "` builds"
  if lines.uncopied[1] then
    local signed = jit and jit.os == "OSX" and ", before the application is signed" or ""
    return "make room on the disk and let the game write to its save folder, or put the native part outside of the "
      .. "archive, as " .. place .. signed
  end
  if lines.found[1] or lines.archived[1] then return "put another in the place of what was found: " .. get end
  return "put the native part there as " .. place .. ": " .. get
end

-- The message, from a table { attempts = , place = the path for the file, names = the file names that would do, build =
-- the text that the right file contains }. `attempts` are { path = , plain = the path as the system got it, or nil for
-- the host's searchers, shown = whether LÖVE shows a file there, bytes = those that LÖVE has read there, is_good =
-- whether these are whole and of this version, is_other = whether the name is one for another system, reason = }.
-- `native` has the functions of native.lua.
return function(failed, native)
  local lines = { found = {}, uncopied = {}, archived = {}, other = {}, absent = {} }
  for _, attempt in ipairs(failed.attempts) do
    local kind, line = report(attempt, native)
    table.insert(lines[kind], line)
  end
  if not package.loadlib then table.insert(lines.absent, 1, "no files, since package.loadlib is not there") end
  return "sat: its native part could not be loaded\n"
    .. "this is " .. running(native) .. "\n"
    .. "what to do: " .. advice(lines, failed.place) .. "\n"
    .. "read on: docs/guides/native-modules.md, or native-modules.md beside sat's init.lua\n"
    .. "expected: a file " .. table.concat(failed.names, " or ") .. ", for " .. running_platform(native)
    .. ", built as " .. failed.build .. (failed.build:find("5.1", 1, true) and " (or LuaJIT)" or "")
    .. list("\nfound, but of no use:", lines.found)
    .. list("\nin an archive, and no copy of it could be loaded:", lines.uncopied)
    .. list("\nfound, but:", lines.archived)
    .. list("\nfound, but for another system, processor or Lua:", lines.other)
    .. list("\nlooked for:", lines.absent)
end
