dofile(love.filesystem.getSource() .. "/../shared/boot.lua") -- a game of your own needs no such line

function love.conf(t)
  t.identity = "sat-slices"
  t.version = "11.4"
  t.window.title = "Slices"
  t.window.width, t.window.height, t.window.msaa = 960, 600, 4
  t.modules.audio, t.modules.sound, t.modules.video = false, false, false
  t.modules.joystick, t.modules.physics = false, false
end
