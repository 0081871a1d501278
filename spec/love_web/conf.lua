-- Without a window, which wants WebGL.
function love.conf(t)
  for _, name in ipairs { "audio", "font", "graphics", "image", "joystick", "mouse", "physics", "sound", "touch",
    "video" } do
    t.modules[name] = false
  end
  t.modules.window = false
end
