return function(player)
  player:hold(0.3, "left", "right")
  player:key("a")
  player:wait(5)
  player:shot("pinball")
  player:wait(5)
end
