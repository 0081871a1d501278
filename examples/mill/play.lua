return function(player)
  player:wait(8)
  player:shot("mill")
end
