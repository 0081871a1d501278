-- Copies the native part out of a game's archive, since no system loads a library from within one: to the save folder,
-- where the next start finds the copy, else to a temporary file. A copy is trusted for its bytes, never for its name.

local separator = package.config:sub(1, 1)
local windows = separator == "\\"
local love = rawget(_G, "love")
local filesystem = type(love) == "table" and love.filesystem

local FOLDER = "sat-native" -- within the save folder
local MINUTE = 60           -- seconds after which nobody writes to a file any more

-- ---------------------------------------------------------------- files

local function has(path, bytes)
  local file = io.open(path, "rb")
  local found = file and file:read("*a")
  if file then file:close() end
  return found == bytes
end

local function write(path, bytes)
  local file, reason = io.open(path, "wb")
  if not file then return nil, reason end
  local written, why = file:write(bytes)
  local closed, why_later = file:close()
  if written and closed then return true end
  os.remove(path)
  return nil, path .. ": " .. (why or why_later)
end

-- A name that no other start takes meanwhile, of this game or another, nor another thread.
local function unfinished(path)
  local address = tostring({}):gsub("%W", "")
  return ("%s.%s-%.0f-%.0f.new"):format(path, address, os.time(), os.clock() * 1e6)
end

-- Makes the file at `path` one with these bytes, or returns nil and the reason. The bytes are first written under
-- another name: nobody finds half a file, and a program that has loaded the file that was there keeps that. Windows
-- renames onto no file and removes none that is loaded; a folder may be in the way on every system.
local function put(path, bytes)
  local new = unfinished(path)
  local done, reason = write(new, bytes)
  if not done then return nil, reason end
  for _ = 1, 2 do
    done, reason = os.rename(new, path)
    if done or has(path, bytes) then break end -- another start may have put it there
    os.remove(path)
  end
  if not done then os.remove(new) end
  if has(path, bytes) then return true end
  return nil, reason or "it is not what was written"
end

-- ---------------------------------------------------------------- places

-- Tells libraries of one size apart, so that each build of a game has a copy of its own: one that is loaded cannot be
-- replaced on Windows. It is the beginning of the SHA-1: LÖVE 11.4 gives another MD5 of the same bytes each time. LÖVE
-- before 11 has no love.data, and a thread has it after require.
local function checksum(bytes)
  local found, data = pcall(require, "love.data")
  if found then
    local sum = data.hash("sha1", bytes):sub(1, 8)
    return (sum:gsub(".", function(byte) return ("%02x"):format(byte:byte()) end))
  end
  local a, b = 1, 0 -- as in Adler-32
  for i = 1, #bytes do
    a = (a + bytes:byte(i)) % 65521
    b = (b + a) % 65521
  end
  return ("%04x%04x"):format(b, a)
end

-- The paths that a copy may have in a folder, best first: the second is for where something that is in the way of the
-- first cannot be removed.
local function paths(folder, copy)
  local first = folder .. separator .. copy.name
  return { first .. copy.extension, first .. "-2" .. copy.extension }
end

local function find(folder, copy)
  for _, path in ipairs(paths(folder, copy)) do
    if has(path, copy.bytes) then return path end
  end
end

local function put_into(folder, copy)
  local first_reason
  for _, path in ipairs(paths(folder, copy)) do
    local done, reason = put(path, copy.bytes)
    if done then return path end
    first_reason = first_reason or reason
  end
  return nil, first_reason
end

-- Removes what a start that was ended has left unfinished.
local function tidy(folder)
  for _, name in ipairs(filesystem.getDirectoryItems(FOLDER)) do
    local info = name:find("%.new$") and filesystem.getInfo and filesystem.getInfo(FOLDER .. "/" .. name)
    if info and os.time() - (info.modtime or math.huge) > MINUTE then os.remove(folder .. separator .. name) end
  end
end

local function copy_to_save_folder(copy, plain_name)
  local function folder() return plain_name(filesystem.getSaveDirectory() .. "/" .. FOLDER) end
  local path = find(folder(), copy)
  if path then return path end
  if not filesystem.createDirectory(FOLDER) then
    return nil, filesystem.getSaveDirectory() .. "/" .. FOLDER .. ": LÖVE cannot make this folder"
  end
  tidy(folder()) -- once more, since on Windows the plain name of a folder is that of one that exists
  return put_into(folder(), copy)
end

-- Returns the path and whether the file can be removed as soon as it is loaded. Windows removes no file that is loaded,
-- so there the copy stays for the next start; and os.tmpname names files in the root folder there.
local function copy_to_temporary_file(copy)
  if windows then
    local folder = os.getenv("TEMP") or os.getenv("TMP")
    if not folder then return nil, "there is no folder for temporary files" end
    local named = { name = "sat-" .. copy.name, extension = copy.extension, bytes = copy.bytes }
    local path = find(folder, named)
    if path then return path end
    return put_into(folder, named)
  end
  local made, path = pcall(os.tmpname) -- the system makes the file, so that nobody else can write to it
  if not made then return nil, path end
  local done, reason = write(path, copy.bytes)
  if done then return path, true end
  os.remove(path)
  return nil, reason
end

-- The result of `load`, which takes a path, for a copy of the library with these bytes, or nil and the reason of each
-- place. `name` is that of the file in the archive, and `plain_name` makes a path one that Windows finds. A copy that
-- cannot be loaded does not stay.
return function(name, bytes, version, plain_name, load)
  local stem, extension = name:match("^(.-)(%.%w+)$")
  local copy = { bytes = bytes, extension = extension }
  copy.name = ("%s-%s-%d-%s"):format(stem, version, #bytes, checksum(bytes))
  local reasons = {}
  for _, place in ipairs { copy_to_save_folder, copy_to_temporary_file } do
    local path, passing = place(copy, plain_name)
    local core, reason
    if path then core, reason = load(path) else reason = passing end
    if path and (passing or not core) then os.remove(path) end
    if core then return core end
    reasons[#reasons + 1] = (path and path .. ": " or "") .. tostring(reason)
  end
  return nil, table.concat(reasons, "\n    ")
end
