return function(player)
  player:mouse(120, 260)
  player:wait(1.5)
  player:mouse(330, 400, 1)
  player:shot("quadtree")
  player:key("l")
  player:wait(3)
  player:mouse(160, 220, 1)
  player:shot("quadtree-lines")
  for _, key in ipairs { "c", "c", "l", "up", "down", "space" } do player:key(key) end
  player:wheel(2)
end
