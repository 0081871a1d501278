-- The module that this folder is, for those of its files that need all of it: the one that is loaded already, under any
-- of its names, or else the one that `require` finds. Where package.path has `?.lua` alone, that is `sat.init`.

local folder = tostring((...)):match("^(.+)[./]whole$") or "sat"

-- `libs/sat/init`, `libs.sat.init` and `libs.sat` are names of one folder.
local function folder_of(name) return (name:gsub("/", "."):gsub("%.init$", "")) end

local function find_loaded()
  if type(package.loaded[folder]) == "table" then return package.loaded[folder] end
  for name, value in pairs(package.loaded) do
    if type(name) == "string" and type(value) == "table" and folder_of(name) == folder_of(folder) then return value end
  end
end

-- Whether the error of `require` says that there is no such module. Any other error is one of the module itself.
local function is_missing(name, message)
  return type(message) == "string" and message:find("module '" .. name .. "' not found", 1, true) ~= nil
end

local function load()
  local found, sat = pcall(require, folder)
  if found then return sat end
  if not is_missing(folder, sat) then error(sat, 0) end
  local found_init, whole = pcall(require, folder .. ".init")
  if found_init then return whole end
  error(is_missing(folder .. ".init", whole) and sat or whole, 0)
end

return find_loaded() or load()
