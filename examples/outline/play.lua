return function(player)
  player:wait(0.8)
  player:shot("outline")
  player:mouse(100, 500)
  player:wait(2)
  for _, key in ipairs { "up", "down", "v", "v", "r" } do player:key(key) end
  player:wait(1)
end
