function love.conf(t)
  t.identity = "sat-native"
  t.version = "11.4"
  for _, module in ipairs { "audio", "sound", "joystick", "window", "graphics", "font", "image", "physics", "video" } do
    t.modules[module] = false
  end
end
