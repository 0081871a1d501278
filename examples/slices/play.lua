local function slash(player, points)
  player:mouse(points[1], points[2])
  player:button(true)
  for i = 3, #points, 2 do player:mouse(points[i], points[i + 1], 0.2) end
  player:button(false)
end

return function(player)
  for round = 1, 4 do
    player:wait(1)
    slash(player, { 120, 330, 480, 250, 860, 330 })
    slash(player, { 840, 420, 480, 300, 130, 250 })
    player:wait(0.2)
    slash(player, { 700, 120, 640, 500 })
    slash(player, { 250, 500, 330, 90 })
    if round == 3 then player:shot("slices") end
  end
  player:wait(1)
end
