-- luajit spec/unicode_path.lua FOLDER [DLL]: on Windows, loads the native part from a save folder whose name is in no
-- code page, as LÖVE names it: in UTF-8. It lies in sat in the folder below within FOLDER. Or else it is this
-- DLL, as if that were in an archive, and the copy goes to the folder sat-native, which is there.
local root = arg[1] .. "/J\195\188rgen \230\151\165\230\156\172"
local bytes
if arg[2] then
  local file = assert(io.open(arg[2], "rb"))
  bytes = file:read("*a")
  file:close()
end

love = { -- luacheck: ignore
  filesystem = {
    getRealDirectory = function(path) return bytes and path == "sat/core.dll" and "Z:/nowhere/game.love" or nil end,
    getSaveDirectory = function() return root end,
    getSourceBaseDirectory = function() return "nowhere" end,
    createDirectory = function() return true end,
    getDirectoryItems = function() return {} end,
    read = function() return bytes end,
  },
}
package.cpath = ""
os.getenv = function() return nil end -- luacheck: ignore
local init = assert(package.searchpath("sat.init", package.path))
local sat = assert(loadfile(init))("sat", "sat/init.lua")
assert(sat.circle(0, 0, 1):overlaps(sat.point(1, 0)))
print("fine")
