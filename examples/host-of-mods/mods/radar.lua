-- A mod as it should be: it puts ships into the world, and tells which ones a beam meets.
for i = 1, 40 do add(sat.regular(i * 30, 100, 8, 5)) end

function update(frame)
  local beam = sat.rectangle(frame * 100, 90, 65, 20)
  say("the beam meets ships " .. table.concat(near(beam), " "))
end
