-- For a repository that was cloned into a game as its folder `sat`: says how the module gets there, which is in lua/sat
-- and needs a native part beside it.

local filename = select(2, ...)
local folder = type(filename) == "string" and filename:match("^(.*[/\\])") or "this folder"
local lua = rawget(_G, "jit") and "luajit" or _VERSION:lower():gsub(" ", "")

error(([[
sat: %s is the repository, not the module
the module is a folder with Lua files and a library, which is built from the repository or is in a release
what to do: run `make LUA=%s` there, move the repository out of the game, and copy its build/%s/sat into the game
or: put the folder `sat` of a release in its place. read on: docs/guides/native-modules.md
]]):gsub("\n$", ""):format(folder, lua, lua), 0)
