-- Without "--window" nothing of LÖVE that needs a display is loaded.
local window = false
for _, option in ipairs(arg) do window = window or option == "--window" end

function love.conf(t)
  t.identity = "sat-smoke"
  t.version = "11.4"
  t.modules.audio, t.modules.sound, t.modules.joystick = false, false, false
  t.modules.window, t.modules.graphics, t.modules.font, t.modules.image = window, window, window, window
  t.window.width, t.window.height, t.window.vsync = 585, 370, 0
end
