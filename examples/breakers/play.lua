return function(player)
  player:hold(1.2, "space")
  player:hold(0.35, "left", "space")
  player:hold(1.4, "space")
  player:hold(0.7, "right", "space")
  player:hold(0.9, "space")
  player:shot("breakers")
  player:hold(2, "left", "space")
end
