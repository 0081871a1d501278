return function(player)
  player:mouse(140, 560) -- below the level, where there is no aim
  player:key("r")
  player:film(true)
  player:hold(1.9, "right") -- over the hill, and into the pit that is as wide as the hero
  player:hold(0.4, "up")
  player:hold(2.8, "left") -- back, and into the tunnel that is as high as the hero
  player:hold(1, "right")
  player:key("2")
  player:hold(1.5, "e")
  player:film(false)
  player:key("1")
  player:hold(0.5, "right")
  player:mouse(100, 130, 0.5)
  player:shot("configuration-space")
  player:key("5")
  player:key("u")
  player:hold(0.9, "q")
  player:shot("configuration-space-each")
  for _, key in ipairs { "u", "o", "m", "3", "4", "1" } do player:key(key) end
end
