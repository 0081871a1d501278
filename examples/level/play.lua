return function(player)
  player:press("right")
  player:wait(2.2)
  player:hold(0.3, "space") -- over the spikes
  player:wait(1.9)
  player:hold(0.2, "space")
  player:wait(1)
  player:key("o")
  player:shot("level-shapes")
  player:key("o")
  player:wait(0.8)
  player:release("right") -- until the ferry comes
  player:wait(0.75)
  player:hold(0.8, "right")
  player:wait(1.15)
  player:press("right") -- and over the bridge
  player:wait(1.2)
  player:shot("level")
  player:wait(1.7)
  player:hold(0.3, "space")
  player:wait(0.7)
end
