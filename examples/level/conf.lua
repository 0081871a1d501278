function love.conf(t)
  t.identity = "sat-level"
  t.version = "11.4"
  t.window.title = "The gem mill"
  t.window.width = 960
  t.window.height = 732
  t.window.vsync = 1
  t.modules.audio = false
  t.modules.joystick = false
  t.modules.physics = false
  t.modules.sound = false
  t.modules.video = false
end
