return function(player)
  player:film(true)
  player:press("right")
  player:wait(2.05)
  player:film(false)
  player:key("o")
  player:shot("platformer-slope")
  player:key("o")
  player:film(true)
  player:wait(1.3)
  player:hold(0.25, "space") -- onto the plank
  player:wait(0.4)
  player:hold(0.35, "space") -- through the next one, and over the spikes
  player:wait(0.3)
  player:release("right")
  player:wait(0.3)
  player:hold(1.6, "right")
  player:film(false)
  player:wait(4.7) -- until the lift comes
  player:hold(0.5, "right")
  player:wait(1.7)
  player:shot("platformer")
  player:wait(0.65)
  player:press("right")
  player:wait(0.75)
  player:release("right") -- before the crusher
  player:wait(1.7)
  player:hold(4.2, "right") -- down the slope
  player:wait(2.7) -- until the ferry comes
  player:hold(0.4, "right")
  player:wait(3.6)
  player:hold(2.4, "right") -- up the steps to the flag
end
