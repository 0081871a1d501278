-- Files that specs read, write and find.
local lfs = require "lfs"

local files = {}

files.CORE = package.config:sub(1, 1) == "\\" and "core.dll" or "core.so"

-- The bytes of a file, or nil where it cannot be read.
function files.read(path)
  local file = io.open(path, "rb")
  local bytes = file and file:read("*a")
  if file then file:close() end
  return bytes
end

function files.write(path, bytes)
  local file = assert(io.open(path, "wb"))
  assert(file:write(bytes))
  file:close()
end

-- The names in a folder, in the order of the alphabet.
function files.list(folder)
  local names = {}
  for name in lfs.dir(folder) do
    if name ~= "." and name ~= ".." then names[#names + 1] = name end
  end
  table.sort(names)
  return names
end

-- Removes a file, or a folder with all that is in it. On Windows a library that is loaded stays.
function files.remove(path)
  if lfs.symlinkattributes(path, "mode") ~= "directory" then return os.remove(path) end
  for _, name in ipairs(files.list(path)) do files.remove(path .. "/" .. name) end
  lfs.rmdir(path)
end

-- A new folder.
function files.folder()
  local path = os.tmpname():gsub("\\", "/")
  os.remove(path)
  assert(lfs.mkdir(path))
  return path
end

-- The first file that a path's templates lead to.
function files.find(templates, name)
  for template in templates:gmatch("[^;]+") do
    local path = template:gsub("%?", name)
    if files.read(path) then return path end
  end
end

-- The folder of the module's Lua files, with a slash at its end.
function files.home() return assert(files.find(package.path, "sat/init")):match("^(.*[/\\])[^/\\]*$") end

return files
