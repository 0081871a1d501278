-- Some frames of a world, as a text that tells any two of them apart: for threads that each play them.
return function(sat, seed)
  local world, notes = sat.world(), {}

  local function below(limit)
    seed = seed * 16807 % 2147483647
    return seed % limit
  end

  local function make(i)
    if i % 2 == 0 then return sat.regular(0, 0, 6 + i % 5, 3 + i % 6) end
    if i % 7 == 0 then return sat.chain { 0, 0, 30, 10, 60, 0 } end
    if i % 5 == 0 then return sat.compound(sat.circle(0, 0, 6), sat.rectangle(4, -2, 14, 4)) end
    return sat.polygon(0, 0, 20, 0, 20, 20, 10, 5, 0, 20)
  end

  local function note(...) notes[#notes + 1] = ("%s %s %.17g %.17g"):format(...) end

  local function populate(first, last)
    for i = first, last do
      world:add(make(i):moveTo(below(200), below(200)):setData("shape " .. i):setStatic(i % 7 == 0))
    end
  end

  populate(1, 20)
  local saved = world:save()
  populate(21, 40)
  for frame = 1, 150 do
    for _, shape in ipairs((world:shapes())) do shape:move(below(9) - 4, below(9) - 4):rotate(0.1) end
    world:separate(2)
    note("began", "ended", world:update())
    for a, b, dx, dy in world:collisions() do note(tostring(a:data()), tostring(b:data()), dx, dy) end
    local nearest, distance, x = world:nearest(below(200), below(200))
    note("near", tostring(nearest:data()), distance, x)
    if frame % 20 == 0 then world:remove((world:shapes())[below(world:count()) + 1]) end
    if frame == 90 then world:load(saved) end
  end
  return table.concat(notes, "\n")
end
