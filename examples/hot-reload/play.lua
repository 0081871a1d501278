-- The file itself is left alone: what is read of it is changed.
local edits = {}
local read = love.filesystem.read

function love.filesystem.read(name)
  local text = read(name)
  for _, edit in ipairs(edits) do text = text:gsub(edit[1], edit[2], 1) end
  return text
end

return function(player)
  player:wait(3)
  player:key("s")
  edits = { { "GRAVITY = 500", "GRAVITY = -200" }, { '"sky"', '"yellow"' }, { "SPIN = 1.5", "SPIN = -4" } }
  player:wait(1.2)
  player:shot("hot-reload")
  edits[4] = { "SPIN = %-4", "SPIN = 4 +" } -- no Lua: the game goes on without it
  player:wait(0.5)
  player:click(280, 150)
  edits[4] = nil
  player:wait(0.5)
  player:key("l")
  player:wait(0.5)
end
