return function(player)
  player:mouse(200, 200)
  player:wait(1.5)
  player:mouse(640, 300, 1)
  player:wheel(4)
  player:shot("quadtree")
  for _, key in ipairs { "c", "p", "n", "up", "down", "space" } do player:key(key) end
end
