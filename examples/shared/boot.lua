-- Runs first in each example, from its conf.lua:
--
--   dofile(love.filesystem.getSource() .. "/../shared/boot.lua")
--
-- It lets the example find what is in this folder, and `sat` where `make` has put it. A game of
-- your own has the folder `sat` beside its main.lua, and needs none of this.

local examples = love.filesystem.getSource() .. "/.."
local built = (os.getenv("BUILD") or examples .. "/../build") .. "/luajit"
package.path = ("%s/shared/?.lua;%s/?.lua;%s/?/init.lua;"):format(examples, built, built)
  .. package.path

-- love examples/NAME --play FOLDER [--film]: the example plays by itself.
for i, word in ipairs(arg) do
  if word == "--play" then require("player").install(arg[i + 1], arg[i + 2] == "--film") end
end

local found, reason = pcall(require, "sat")
if not found then
  error("sat is not built for LÖVE yet: run `make LUA=luajit` in the project's folder.\n\n"
    .. tostring(reason), 0)
end
