return function(player)
  player:hold(0.8, "down")
  player:hold(1.5, "down", "right")
  player:hold(1.2, "right")
  player:shot("top-down")
  player:hold(1.2, "right", "up")
  player:hold(1, "right")
  player:key("r")
end
