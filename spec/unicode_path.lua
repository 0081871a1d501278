-- luajit spec/unicode_path.lua FOLDER: on Windows, loads the native part from a save folder whose name is in no code
-- page, as LÖVE names it: in UTF-8. It lies in the folder sat of the folder below within FOLDER.
local root = arg[1] .. "/J\195\188rgen \230\151\165\230\156\172"

love = { -- luacheck: ignore
  filesystem = {
    getRealDirectory = function() return nil end,
    getSaveDirectory = function() return root end,
    getSourceBaseDirectory = function() return "nowhere" end,
  },
}
package.cpath = ""
local init = assert(package.searchpath("sat.init", package.path))
local sat = assert(loadfile(init))("sat", "sat/init.lua")
assert(sat.circle(0, 0, 1):overlaps(sat.point(1, 0)))
print("fine")
