return function(player)
  player:wait(12)
  player:key("1")
  player:key("up")
  player:key("up")
  player:wait(0.5)
  player:shot("stress")
end
