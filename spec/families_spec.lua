-- Families of moves whose end is known from how their scenes are made, never from a run of what is to be tested;
-- spec.families judges them. A move that is found to be wrong becomes a family here.
local families = require "spec.families"
local scenes = require "spec.scenes"

local box, fraction = scenes.box, scenes.fraction
local in_room, fits = families.in_room, families.fits
local cos, sin, abs, max, min, sqrt = math.cos, math.sin, math.abs, math.max, math.min, math.sqrt
local pi = math.pi

-- Tests some scenes of a family; `make` gives nil where two events are so near that rounding decides.
local function family(name, count, make, how)
  it(name, function() families.check(count, make, how) end)
end

local function motion(random, most)
  return { random(-most * 10, most * 10) / 10, random(-most * 10, most * 10) / 10 }
end

-- The corners of a convex ring about 0, 0.
local function ring(random, n)
  local corners, angle = {}, fraction(random)
  for i = 1, n do
    local a = (angle + (i + fraction(random) / 2) / n) * 2 * pi
    corners[2 * i - 1], corners[2 * i] = 60 * cos(a), 60 * sin(a)
  end
  return corners
end

local AREAS = { "box", "circle", "capsule", "rounded", "regular", "ell", "compound" } -- bodies that have an inside
local unpack = table.unpack or unpack
local atan2 = math.atan2 or math.atan

describe("a mover whose way is known", function()
  family("slides in a convex room, whatever its walls are made of", 60, function(random)
    local corners = ring(random, random(3, 7))
    local lines = scenes.lines(corners)
    local mover = scenes.body(random, "box", "circle", "capsule", "rounded", "regular", "ell", "compound", "point",
      "segment")
    if not fits(lines, mover) then return nil end
    local motions = {}
    for i = 1, 4 do motions[i] = motion(random, 150) end
    return in_room(scenes.room(random, lines, corners), lines, mover, motions)
  end)

  family("stops where three surfaces meet it at once, or goes on along the one that is free", 60, function(random)
    local mover, m = scenes.body(random, unpack(AREAS)), motion(random, 90)
    if abs(m[1]) + abs(m[2]) < 20 then return nil end
    local lines, back = {}, atan2(-m[2], -m[1])
    for i = 1, 3 do
      local angle = back + ({ -1, 0, 1 })[i] * 0.9 + random(-400, 400) / 1000
      local nx, ny = cos(angle), sin(angle)
      lines[i] = { nx, ny, nx * m[1] / 2 + ny * m[2] / 2 - scenes.support(mover, -nx, -ny) }
    end
    return in_room(scenes.room(random, lines), lines, mover, { m, motion(random, 90) })
  end)

  family("slides over a nearly flat floor", 60, function(random)
    local mover = scenes.body(random, unpack(AREAS))
    local unit = 10 ^ -random(2, 4)
    local line, slope, x, y = { -80, 20 }, -random(3, 9) * unit, -80, 20
    for _ = 1, random(3, 6) do
      local w = random(10, 35)
      x, y, slope = x + w, y - w * slope, slope + random(1, 4) * unit
      line[#line + 1], line[#line + 2] = x, y
    end
    if x < 20 then return nil end
    local corners = scenes.reversed(line)
    table.insert(corners, 1, -90)
    table.insert(corners, 1, x)
    table.insert(corners, 1, -90)
    table.insert(corners, 1, -80)
    local lines = scenes.lines(corners)
    local scene = scenes.room(random, lines, corners)
    if random(1, 2) == 1 then
      local sides = scenes.room(random, { lines[1], lines[2], lines[#lines] })
      scene = scenes.joined(scenes.ground(random, line, 60), sides)
    end
    local case = in_room(scene, lines, mover, { { 0, 60 }, { random(-600, 600) / 10, random(0, 300) / 10 },
      { random(-600, 600) / 10, random(0, 300) / 10 }, { random(-300, 300) / 10, 3 } })
    if not case then return nil end
    case.tolerance = max(1e-9, 2e-12 / unit) -- rounding is as much longer along such a floor
    for _, move in ipairs(case.moves) do -- and a corner's place is as unsure, so that it is on one side or on both
      if move.rest[1] == 0 and move.rest[2] == 0 then move.rest = nil end
    end
    return case
  end)

  -- Movers exactly as wide as w, about x = 0, that end at y = 0 below.
  local function as_wide(random, w)
    local h, r = random(20, 120) / 10, w / 2
    local movers = {
      box(-r, -h, w, h),
      { kind = "circle", points = { 0, -r }, radius = r },
      { kind = "capsule", points = { 0, -r - h, 0, -r }, radius = r },
      { kind = "capsule", points = { -r / 2, -r / 2, r / 2, -r / 2 }, radius = r / 2 },
      { kind = "polygon", points = { -r / 2, -h / 2, r / 2, -h / 2, r / 2, -h / 4, -r / 2, -h / 4 }, radius = r / 2 },
      { kind = "polygon", points = { 0, -h, r, -h / 2, 0, 0, -r, -h / 2 } },
      { kind = "polygon", points = { -r, -h, r, -h, r, -h / 2, r / 3, -h / 2, r / 3, 0, -r / 3, 0, -r / 3, -h / 2,
        -r, -h / 2 } },
      { kind = "compound", parts = { box(-r, -r - h, w, h), { kind = "circle", points = { 0, -r }, radius = r } } },
    }
    local mover = movers[random(1, #movers)]
    mover.static = false
    return mover
  end

  -- A slot from x = -w / 2 to w / 2 below y = 0, with a floor at `bottom`.
  local function slot(random, w, bottom)
    local r = w / 2
    local left = scenes.blocks(random, -r - random(9, 40), 0, -r, bottom)
    local right = scenes.blocks(random, r, 0, r + random(9, 40), bottom)
    return scenes.joined(left, right, scenes.blocks(random, -r - 20, bottom, r + 20, bottom + 9))
  end

  local function in_slot(random)
    local w, above = random(40, 300) / random(9, 11), random(0, 200) / 10
    local mover = as_wide(random, w)
    local low = scenes.support(mover, 0, 1)
    local deep = low + scenes.support(mover, 0, -1) + random(1, 9) -- all of it
    local bottom = deep + random(10, 30)
    local scene = slot(random, w, bottom)
    scenes.moved(mover, 0, -low - above)
    local none = { in_order = true }
    local down, aside = random(1, 9), random(2, 40) * (2 * random(0, 1) - 1)
    local side = aside > 0 and -1 or 1
    local floor, wall = bottom + above, { side, 0, 0 }
    return {
      scene = scene, mover = mover,
      moves = {
        { 0, above + deep, to = { 0, above + deep }, rest = { 0, above + deep }, hits = none },
        { aside, down, to = { 0, above + deep + down }, rest = { 0, down }, hits = { wall, in_order = true } },
        { 0, 90, to = { 0, floor }, hits = { { 0, -1, (bottom - deep - down) / 90 }, in_order = true } },
        { aside, 5, to = { 0, floor }, hits = { wall, { 0, -1, 0 } } },
        { aside, -4, to = { 0, floor - 4 }, rest = { 0, -4 }, hits = { wall, in_order = true } },
        { 0, -80, to = { 0, floor - 84 }, rest = { 0, -80 }, hits = none },
      },
    }
  end

  family("goes straight into a gap exactly as wide, about in it, to its bottom, and out", 60, in_slot)

  family("has nothing left of its motion at the bottom of a gap exactly as wide", 20, function(random)
    local case = in_slot(random)
    case.moves[3].rest, case.moves[4].rest = { 0, 0 }, { 0, 0 }
    return case
  end)

  family("stands on the floor of a gap exactly as wide, however short what presses it is", 30, function(random)
    local case = in_slot(random)
    local down, short = case.moves[3], 10 ^ (-random(20, 80) / 10)
    local moves = { { 0, down.to[2], to = down.to, hits = { in_order = true } } }
    for i = 2, 40 do
      moves[i] = { 0, short, to = down.to, hits = { { 0, -1, 0 }, in_order = true } }
    end
    case.moves, case.tolerance = moves, 1e-9
    return case
  end)

  -- A wall on the right of x = 0 with an opening from y = 0 to h, which ends at x = 60.
  local function opening(random, h)
    return scenes.joined(scenes.blocks(random, 0, -70, 40, 0), scenes.blocks(random, 0, h, 40, h + 70),
      scenes.blocks(random, 60, -70, 70, h + 70))
  end

  family("goes aslant into a mouth exactly as wide, or past it, by the longer way", 60, function(random)
    local h, w = random(40, 300) / random(9, 11), random(20, 120) / 10
    local dx, dy = random(20, 300) / 10, random(20, 300) / 10 * (2 * random(0, 1) - 1)
    if abs(dx - abs(dy)) < 0.1 then return nil end
    local t = random(0, 2) / 4 -- from free air, or from before the mouth itself
    local mover, side = box(-w, 0, w, h), dy > 0 and -1 or 1
    for i = 1, #mover.points, 2 do
      mover.points[i], mover.points[i + 1] = mover.points[i] - t * dx, mover.points[i + 1] - t * dy
    end
    mover.static = false
    local in_way, past = { dx, t * dy }, { t * dx, dy }
    local goes_in = dx > abs(dy)
    return {
      scene = opening(random, h), mover = mover, moves = {
        { dx, dy, to = goes_in and in_way or past, rest = goes_in and { dx, 0 } or { 0, dy },
          hits = { goes_in and { 0, side, t } or { -1, 0, t }, in_order = true } },
      },
    }
  end)

  family("goes aslant into a mouth that is a little wider, to its far side, and on along that", 60, function(random)
    local h, w, wider = random(40, 300) / random(9, 11), random(20, 120) / 10, 10 ^ (-random(20, 60) / 10)
    local dx, dy = random(20, 300) / 10, random(20, 300) / 10
    local mover = box(-w, 0, w, h)
    mover.static = false
    return {
      scene = opening(random, h + wider), mover = mover, moves = {
        { dx, dy, to = { dx, wider }, rest = { dx, 0 }, hits = { { 0, -1, wider / dy }, in_order = true } },
        { -dx / 2, -dy, to = { dx / 2, 0 }, rest = { -dx / 2, 0 }, hits = { { 0, 1, wider / dy }, in_order = true } },
      },
    }
  end)

  family("is led by a funnel into a gap exactly as wide", 60, function(random)
    local w, angle, h = random(40, 200) / random(9, 11), random(15, 75) / 180 * pi, random(20, 120) / 10
    local c, s, r, bottom = cos(angle), sin(angle), w / 2, 50
    local along, above, way = random(10, 200) / 10, random(0, 100) / 10, random(200, 600) / 10
    local left = { -r - 60 * c, -60 * s, -r - random(5, 55) * c, 0, -r, 0, -r, bottom }
    left[4] = (left[3] + r) / c * s
    local right = { r, bottom, r, 0, r + 60 * c, -60 * s, r + 60 * c, bottom } -- the mirrored slope, or upright
    if random(1, 2) == 1 then right = { r, bottom, r, -80, r + 9, -80, r + 9, bottom } end
    local mover = box(-r - along * c, -along * s - above - h, w, h)
    mover.static = false
    local rest = (way - above) * s - along -- what is left where it is between both sides
    if rest < 1 or rest * s > bottom - 1 then return nil end
    local t = above / way
    return {
      scene = scenes.joined(scenes.ground(random, left, bottom + 1), { { kind = "polygon", points = right } }),
      mover = mover, moves = {
        { 0, way, to = { along * c, above + along * s + rest * s }, rest = { 0, way },
          hits = { { s, -c, t }, { -1, 0, t + (1 - t) * along / ((way - above) * s) }, in_order = true } },
      },
    }
  end)

  family("comes through a funnel as something round, before long", 20, function(random)
    local angle, r = random(15, 75) / 180 * pi, random(30, 80) / 10
    local c, s, aside = cos(angle), sin(angle), random(-90, 90) / 10
    local left = { -r - 60 * c, -60 * s, -r, 0, -r, 90 }
    local mover = { kind = "circle", points = { aside, -40 }, radius = r, static = false }
    local moves = {}
    for i = 1, 30 do moves[i] = { 0, 5 } end
    moves[30].reaches = function(x, y)
      if abs(x + aside) > 1e-6 or y < 42 then return "not through the funnel" end
    end
    local right = { r, 90, r, 0, r + 60 * c, -60 * s, r + 60 * c, 90 }
    return { scene = scenes.joined(scenes.ground(random, left, 91), { { kind = "polygon", points = right } }),
      mover = mover, moves = moves }
  end)

  -- A wedge whose tip is at x, y: `angle` leads from the tip into it, `half` is half its own.
  local function wedge(x, y, angle, half, length)
    return { x, y, x + length * cos(angle - half), y + length * sin(angle - half), x + length * cos(angle + half),
      y + length * sin(angle + half) }
  end

  -- The same as a fan of triangles about the tip.
  local function fan(random, x, y, angle, half, length)
    local parts, count = {}, random(1, 4)
    for i = 1, count do
      local middle = angle - half + (2 * i - 1) * half / count
      parts[i] = { kind = "polygon", points = wedge(x, y, middle, half / count, length) }
    end
    return random(1, 2) == 1 and { { kind = "compound", parts = parts } } or parts
  end

  family("slips off a corner that its corner meets exactly, along the surface that leaves it the longer way", 60,
    function(random)
      local m, t = motion(random, 30), random(0, 3) / 4
      local length = sqrt(m[1] * m[1] + m[2] * m[2])
      if length < 3 then return nil end
      local ahead = atan2(m[2], m[1])
      local into, half = ahead + random(-40, 40) / 100, random(15, 140) / 100
      local from, own = ahead + pi + random(-40, 40) / 100, random(15, 140) / 100
      -- normals of the corner and, turned round, of the mover's corner: those of the difference are what they share
      local middle = from + 2 * pi * math.floor((into + pi - from) / (2 * pi) + 0.5)
      local low = max(into + half + pi / 2, middle - (pi / 2 - own))
      local high = min(into - half + 3 * pi / 2, middle + (pi / 2 - own))
      if high - low < 0.1 then return nil end
      local normals = { { cos(low), sin(low) }, { cos(high), sin(high) } }
      local opposed = {}
      for i, n in ipairs(normals) do opposed[i] = n[1] * m[1] / length + n[2] * m[2] / length end
      if max(opposed[1], opposed[2]) > -0.02 or abs(opposed[1] - opposed[2]) < 0.02 then return nil end
      local best = opposed[1] > opposed[2] and 1 or 2
      local n, head_on = normals[best], normals[3 - best]
      local against = (n[1] * m[1] + n[2] * m[2]) * (1 - t)
      local parts = fan(random, -t * m[1], -t * m[2], from, own, 40)
      local mover = #parts == 1 and parts[1] or { kind = "compound", parts = parts }
      mover.static = false
      -- where it slips over the tip to the other side it leaves this surface at once
      local along = { m[1] * (1 - t) - against * n[1], m[2] * (1 - t) - against * n[2] }
      local leaves = along[1] * head_on[1] + along[2] * head_on[2] > 0
      local asked = n[1] * m[1] + n[2] * m[2]
      return {
        scene = fan(random, 0, 0, into, half, 40), mover = mover,
        cast = opposed[best] < -0.3 and { head_on[1], head_on[2], t } or nil,
        moves = { { m[1], m[2], to = { t * m[1] + along[1], t * m[2] + along[2] },
          rest = leaves and m or { m[1] - asked * n[1], m[2] - asked * n[2] },
          hits = { { n[1], n[2], t }, in_order = true } } },
      }
    end)

  family("slips off a box's corner by the level way where both are equally long", 30, function(random)
    local way, t, w, h = random(5, 60), random(0, 3) / 4, random(8, 200) / 10, random(8, 200) / 10
    local mover = box(-w - t * way, -h - t * way, w, h)
    mover.static = false
    return {
      scene = scenes.blocks(random, 0, 0, random(70, 90), random(70, 90)), mover = mover, is_upright = true,
      cast = { 0, -1, t },
      moves = { { way, way, to = { way, t * way }, rest = { way, 0 }, hits = { { 0, -1, t }, in_order = true } } },
    }
  end)

  -- Columns of 8 from left to right, all of whole numbers, each with the height of its top, in eights above y = 0.
  local UNIT, DEPTH = 8, 24

  local function outline(heights)
    local line = { 0, -heights[1] * UNIT }
    for i = 1, #heights do
      local x, y = (i - 1) * UNIT, -heights[i] * UNIT
      if y ~= line[#line] then line[#line + 1], line[#line + 2] = x, y end
      if heights[i + 1] ~= heights[i] then line[#line + 1], line[#line + 2] = x + UNIT, y end
    end
    return line
  end

  -- The same floor as one polygon, columns, rows, tiles, or compounds of these, and as a chain.
  local function makings(random, heights)
    local line, columns, rows, tiles = outline(heights), {}, {}, {}
    for i, h in ipairs(heights) do
      local x = (i - 1) * UNIT
      columns[i] = box(x, -h * UNIT, UNIT, h * UNIT + DEPTH)
      for level = -DEPTH / UNIT + 1, h do
        tiles[#tiles + 1] = box(x, -level * UNIT, UNIT, UNIT)
        if i == 1 or heights[i - 1] < level then
          local last = i
          while heights[last + 1] and heights[last + 1] >= level do last = last + 1 end
          rows[#rows + 1] = box(x, -level * UNIT, (last - i + 1) * UNIT, UNIT)
        end
      end
    end
    local list = { scenes.ground(random, line, DEPTH, "polygon"), columns, rows, tiles }
    for i = 2, 4 do list[i + 3] = { { kind = "compound", parts = list[i] } } end
    list[8] = scenes.ground(random, line, DEPTH, "chain")
    return list
  end

  -- How high the columns between two places are, and whether what lies on them from x1 to x2 has an end at an edge.
  local function highest(heights, x1, x2)
    local top = -math.huge
    for i = 1, #heights do
      if (i - 1) * UNIT < x2 and i * UNIT > x1 then top = max(top, heights[i]) end
    end
    return top
  end

  -- Where a box that stands or flies at `level` comes to a column that is higher, on its way from x by dx.
  local function wall_at(heights, x, w, level, dx)
    local least = math.huge
    for i = 1, #heights do
      local gap = dx > 0 and (i - 1) * UNIT - (x + w) or x - i * UNIT
      if heights[i] * UNIT > level and gap >= 0 then least = min(least, gap) end
    end
    return least
  end

  family("finds one answer over one outline, whatever that is cut into", 60, function(random)
    local heights = { 12 }
    for i = 2, random(8, 14) do heights[i] = random(1, 3) == 1 and random(0, 4) or heights[i - 1] % 12 end
    heights[#heights + 1] = 12
    local w, h = random(4, 40) / 2, random(4, 40) / 2
    local width = (#heights - 2) * UNIT
    if w >= width then return nil end
    local startX = UNIT + random(0, math.floor((width - w) * 2)) / 2
    local x, bottom = startX, -5 * UNIT -- of the box
    local moves = {}
    for i = 1, 6 do
      local level, dx = -bottom, random(-80, 80) / 2
      local top = highest(heights, x, x + w) * UNIT
      if i == 1 or top < level then -- it falls
        local fall, dy = level - top, random(0, 1) * 7 + 40
        local lands = dy > fall
        bottom = bottom + min(fall, dy)
        moves[i] = { 0, dy, rest = lands and { 0, 0 } or { 0, dy }, hits = { in_order = true,
          lands and { 0, -1, fall / dy } or nil } }
        if wall_at(heights, x, w, top, 1) + wall_at(heights, x, w, top, -1) == 0 then moves[i].rest = nil end
      elseif dx == 0 then return nil
      else
        local gap, dy = wall_at(heights, x, w, level, dx), random(1, 20) / 2
        local is_stopped = gap < abs(dx)
        local hits = { { 0, -1, 0 } }
        x = x + (is_stopped and gap * (dx > 0 and 1 or -1) or dx)
        if is_stopped then hits[2] = { dx > 0 and -1 or 1, 0, gap / abs(dx) } end
        local rests_on = highest(heights, x, x + w) * UNIT
        local touches_corner = highest(heights, x - 1, x + w + 1) * UNIT == level and rests_on < level
        if touches_corner and not is_stopped then return nil end -- an end at an edge
        moves[i] = { dx, dy, rest = { is_stopped and 0 or dx, rests_on < level and dy or 0 }, hits = hits }
        if touches_corner or gap == abs(dx) then moves[i].rest = nil end
      end
      moves[i].to = { x - startX, bottom + 5 * UNIT }
    end
    local list = makings(random, heights)
    local scene = table.remove(list, random(1, 7))
    local mover = box(startX, -5 * UNIT - h, w, h)
    mover.static = false
    return { scene = scene, twins = list, mover = mover, moves = moves }
  end)

  family("passes a closed chain from behind, stops at its open side, and is freed to that", 60, function(random)
    local corners, mover = ring(random, random(3, 7)), scenes.body(random, unpack(AREAS))
    local i = random(1, #corners / 2) * 2 - 1
    local k = (i + 1) % #corners + 1
    local x1, y1, x2, y2 = corners[i], corners[i + 1], corners[k], corners[k + 1]
    local nx, ny = unpack(scenes.lines(corners)[(i + 1) / 2])
    if random(1, 2) == 1 then corners = scenes.reversed(corners) -- open to the inside, else to the outside
    else nx, ny = -nx, -ny end
    local back, front = scenes.support(mover, -nx, -ny), scenes.support(mover, nx, ny)
    local is_long = (x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1) > 40 * 40
    if not is_long or back < 2 or front < 2 then return nil end
    -- the way from before the middle of that line, behind it, to a place that far above it, and so far aside
    local behind = random(1, 20) / 10
    local function way(above, aside)
      return { nx * (behind + front + above) - ny * aside, ny * (behind + front + above) + nx * aside }
    end
    scenes.moved(mover, (x1 + x2) / 2 - nx * (front + behind), (y1 + y2) / 2 - ny * (front + behind))
    local aside, none = random(-20, 20) / 10, { in_order = true }
    local scene, on = { { kind = "chain", points = corners, closed = true } }, way(back, aside)
    if random(1, 2) == 1 then -- ends across the line: freed to the open side
      local across = way(back - random(1, 12) / 10, aside)
      return { scene = scene, mover = mover, moves = {
        { across[1], across[2], to = across, rest = across, hits = none },
        { 0, 0, to = on, hits = { { nx, ny, 0, "free" }, in_order = true } },
      } }
    end
    local away, slide = way(back + 6, aside), random(-30, 30) / 10
    return { scene = scene, mover = mover, moves = {
      { away[1], away[2], to = away, rest = away, hits = none },
      { -9 * nx - slide * ny, -9 * ny + slide * nx, to = { on[1] - slide * ny, on[2] + slide * nx },
        rest = { -slide * ny, slide * nx }, hits = { { nx, ny, 6 / 9 }, in_order = true } },
    } }
  end)

  family("is told what it crosses before what stops it in the same plane, by order of adding", 60, function(random)
    local mover, gap, way = scenes.body(random, "box", "circle", "capsule", "rounded", "ell", "compound"),
      random(0, 200) / 10, random(250, 400) / 10
    local dx = random(-100, 100) / 10
    local top = scenes.support(mover, 0, 1) + gap
    local scene, crossed = { box(-90, top, 180, 20) }, {}
    for i = 1, random(1, 3) do
      local deep = i == 1 and 0 or random(0, 1) * min(gap, 1) -- in the same plane, or met before
      scene[#scene + 1] = box(-60 - i, top - deep, 120, random(2, 9) + deep)
      crossed[i] = deep
      if random(1, 2) == 1 then scene[#scene].sensor = true else scene[#scene].is_crossed = true end
    end
    local hits = { { 0, -1, gap / way } }
    for _, deep in ipairs(crossed) do hits[#hits + 1] = { 0, -1, (gap - deep) / way, "cross" } end
    local function response(shapes)
      local answers = {}
      for i, d in ipairs(scene) do answers[shapes[i]] = d.is_crossed and "cross" or "slide" end
      return function(_, other) return answers[other] end
    end
    local function order(told, added)
      local rank, last = {}, nil
      for i, index in ipairs(added) do rank[index] = i end
      if #told ~= #hits then return "not so many hits" end
      for _, hit in ipairs(told) do
        if last and last.how == "slide" then return "crossed after it was stopped" end
        if hit.how == "cross" and last and last.t == hit.t and rank[last.who] > rank[hit.who] then
          return "crossed at one time, not in the order of adding"
        end
        last = hit
      end
    end
    return { scene = scene, mover = mover, moves = { { dx, way, to = { dx, gap }, rest = { dx, 0 }, hits = hits,
      response = response, order = order } } }
  end)

  family("rests on things without inside, on the side that it came from", 60, function(random)
    local joints = scenes.cuts(random, -100, 100)
    local line, pieces = {}, {}
    for i, x in ipairs(joints) do line[2 * i - 1], line[2 * i] = x, 0 end
    for i = 1, #joints - 1 do
      pieces[i] = { kind = "segment", points = { joints[i], 0, joints[i + 1], 0 } }
    end
    if random(1, 3) == 1 then pieces[#pieces + 1] = { kind = "segment", points = { -9, 0, random(1, 30), 0 } } end
    local floors = { { { kind = "chain", points = line } }, pieces, { { kind = "compound", parts = pieces } } }
    local scene = floors[random(1, 3)]
    local above = random(0, 1) * random(1, 200) / 10
    local half = random(1, 90) / 10
    local x = random(1, 2) == 1 and joints[random(1, #joints)] / 2 or random(-300, 300) / 10
    local movers = {
      { kind = "point", points = { x, -above } },
      { kind = "segment", points = { x - half, -above, x + half, -above } },
      { kind = "segment", points = { x, -above, x + random(-90, 90) / 10 + 0.05, -above - half } },
      { kind = "segment", points = { x, -above, x, -above - half } },
    }
    local mover, moves, at = movers[random(1, #movers)], {}, 0
    mover.static = false
    for i = 1, 8 do
      local dx, dy = random(-100, 100) / 10, random(1, 200) / 10 + (i == 1 and 20 or 0)
      at = at + dx
      moves[i] = { dx, dy, to = { at, above }, rest = { dx, 0 }, hits = { { 0, -1, i == 1 and above / dy or 0 },
        in_order = true } }
    end
    moves[9] = { 0, -30, to = { at, above - 30 }, rest = { 0, -30 }, hits = { in_order = true } }
    moves[10] = { 0, 31, to = { at, above }, rest = { 0, 0 }, hits = { { 0, -1, 30 / 31 }, in_order = true } }
    return { scene = scene, mover = mover, moves = moves }
  end)

  -- A floor below y = 0 whose pieces are triangles about a joint at 0, 0, and boxes beside them.
  local function fan_floor(random)
    local parts, angle = {}, pi
    for _, cut in ipairs(scenes.joined(scenes.cuts(random, 0, pi / 2), scenes.cuts(random, pi / 2, pi))) do
      local next_angle = pi - cut
      if next_angle < angle then
        local x, y = 60 * cos(next_angle), 60 * sin(next_angle)
        parts[#parts + 1] = { kind = "polygon", points = { 0, 0, x, y, 60 * cos(angle), 60 * sin(angle) } }
      end
      angle = next_angle
    end
    parts[#parts + 1] = box(-100, 0, 41, 60)
    parts[#parts + 1] = box(59, 0, 41, 60)
    return parts
  end

  family("falls with its tip on the joint of a flat floor, and goes on along it", 60, function(random)
    local above, dx, dy = random(0, 200) / 10, random(-200, 200) / 10, random(210, 400) / 10
    local t = above / dy
    local tip = { -t * dx, -above }
    local half = 10 ^ (-random(0, 15) / 10)
    local lean = random(-50, 50) / 100
    local points = wedge(tip[1], tip[2], -pi / 2 + lean, half, random(30, 200) / 10)
    if points[4] > tip[2] - 0.01 or points[6] > tip[2] - 0.01 then return nil end
    local floors = {
      scenes.joined(scenes.blocks(random, -100, 0, 0, 30), scenes.blocks(random, 0, 0, 100, 30)), fan_floor(random),
      { { kind = "compound", parts = fan_floor(random) } },
      { { kind = "segment", points = { -100, 0, 0, 0 } }, { kind = "segment", points = { 0, 0, 100, 0 } } },
    }
    return {
      scene = floors[random(1, 4)],
      mover = { kind = "polygon", points = points, static = false },
      cast = { 0, -1, t },
      moves = {
        { dx, dy, to = { dx, above }, rest = { dx, 0 }, hits = { { 0, -1, t }, in_order = true } },
        { -dx, 5, to = { 0, above }, rest = { -dx, 0 }, hits = { { 0, -1, 0 }, in_order = true } },
      },
    }
  end)

  family("falls with its tip into a valley, and stops in it", 40, function(random)
    local left, right = random(20, 130) / 100, random(20, 130) / 100 -- of the slopes against upright
    local own = random(10, 90) / 100 * min(left, right)
    local points = wedge(0, 0, -pi / 2, own, 15)
    local dy = random(20, 60)
    local above, lines = random(0, 15), { { cos(left), -sin(left), 0 }, { -cos(right), -sin(right), 0 } }
    local dx = random(-90, 90) / 100 * dy * math.tan(min(left, right))
    local t = above / dy
    for i = 1, 6, 2 do points[i], points[i + 1] = points[i] - t * dx, points[i + 1] - t * dy end
    local line = { -sin(left) * 60, -cos(left) * 60, 0, 0, sin(right) * 60, -cos(right) * 60 }
    return in_room(scenes.ground(random, line, 40), lines, { kind = "polygon", points = points, static = false },
      { { dx, dy }, { random(-90, 90) / 10, random(-90, 90) / 10 } })
  end)

  family("goes over lips of rounding, and stops at steps", 60, function(random)
    local is_lip = random(1, 2) == 1
    local mover = is_lip and scenes.body(random, unpack(AREAS)) or scenes.body(random, "box")
    local low, right = scenes.support(mover, 0, 1), scenes.support(mover, 1, 0)
    local gap, dx, dy = random(0, 200) / 10, random(250, 400) / 10, random(0, 100) / 10
    -- at least, and at most, the length of rounding
    local height = is_lip and random(1, 32) * 1e-11 or 10 ^ (random(0, 40) / 10) * 2e4 * 1.2e-9
    local edge, bottom = right + gap, low + 20
    local first = { kind = "polygon", points = { -60, low, edge, low, edge, bottom, -60, bottom } }
    local second = { kind = "polygon", points = { edge, low - height, 120, low - height, 120, bottom, edge, bottom } }
    return { scene = { first, second }, mover = mover, moves = {
      { dx, dy, to = { is_lip and dx or gap, 0 } },
      { dx, dy, to = { is_lip and 2 * dx or gap, 0 } },
      { -9, dy, to = { (is_lip and 2 * dx or gap) - 9, 0 } },
    } }
  end)

  family("does not feel what is far away, however huge", 40, function(random)
    local corners = ring(random, random(3, 7))
    local lines = scenes.lines(corners)
    local mover = scenes.body(random, unpack(AREAS))
    if not fits(lines, mover) then return nil end
    local case = in_room(scenes.room(random, lines, corners), lines, mover, { motion(random, 90), motion(random, 90),
      motion(random, 90) })
    if not case then return nil end
    local twin = scenes.joined(case.scene)
    for _ = 1, random(1, 4) do
      local angle, size, far = random(1, 600) / 100, 10 ^ random(1, 13), 10 ^ (random(30, 60) / 10)
      local nx, ny = cos(angle), sin(angle)
      local function at(s, t) return nx * s - ny * t, ny * s + nx * t end
      local x1, y1 = at(far, -size)
      local x2, y2 = at(far, size)
      local x3, y3 = at(far + size, size)
      local x4, y4 = at(far + size, -size)
      table.insert(twin, random(1, #twin), random(1, 3) == 1 and { kind = "circle", points = { at(far + size, 0) },
        radius = size } or { kind = "polygon", points = { x1, y1, x2, y2, x3, y3, x4, y4 } })
    end
    case.twins, case.is_far = { twin }, true
    return case
  end)

  family("walks from a huge tile to a small one, and back", 30, function(random)
    local mover = scenes.body(random, unpack(AREAS))
    local low, size = scenes.support(mover, 0, 1), 10 ^ random(2, 12)
    local above, edge = random(0, 200) / 10, random(-200, 200) / 10
    local dx, dy = random(100, 400) / 10, random(1, 200) / 10
    local y = low + above
    local scene = { { kind = "polygon", points = { -size, y, edge, y, edge, y + size, -size, y + size } },
      { kind = "polygon", points = { edge, y, edge + 16, y, edge + 16, y + 16, edge, y + 16 } },
      { kind = "polygon", points = { edge + 16, y, 2e3, y, 2e3, y + size, edge + 16, y + size } } }
    return { scene = scene, mover = mover, is_upright = size > 1e4, moves = {
      { 0, 30, to = { 0, above }, rest = { 0, 0 }, hits = { { 0, -1, above / 30 }, in_order = true } },
      { dx, dy, to = { dx, above }, rest = { dx, 0 }, hits = { { 0, -1, 0 }, in_order = true } },
      { -2 * dx, dy, to = { -dx, above }, rest = { -2 * dx, 0 }, hits = { { 0, -1, 0 }, in_order = true } },
      { dx, dy, to = { 0, above }, rest = { dx, 0 }, hits = { { 0, -1, 0 }, in_order = true } },
    } }
  end)

  family("goes through a one-way plank from below, along its sides, and stands on it", 60, function(random)
    local mover = scenes.body(random, "box", "circle", "capsule", "rounded", "regular", "ell", "point")
    local low, high = scenes.support(mover, 0, 1), scenes.support(mover, 0, -1)
    local left = scenes.support(mover, -1, 0)
    local thick, gap = random(10, 90) / 10, random(1, 90) / 10
    local top = -high - gap - thick -- of the plank, above the mover
    local up, dx = low - top + random(1, 90) / 10, random(-90, 90) / 10
    local stop = random(1, 3) == 1 and high + gap + thick / 2 -- in the plank, and in no tile beside it
    local planks = scenes.blocks(random, -60, top, 60, top + thick, stop and "whole")
    for _, d in ipairs(planks) do d.open = { 0, -1 } end
    local scene, none = planks, { in_order = true }
    local stands = { { 0, -1, 0 }, in_order = true }
    if stop then
      return { scene = scene, mover = mover, moves = {
        { dx, -stop, to = { dx, -stop }, rest = { dx, -stop }, hits = none },
        { -dx, 1, to = { 0, -stop + 1 }, rest = { -dx, 1 }, hits = none },
        { 0, stop, to = { 0, 1 }, rest = { 0, stop }, hits = none },
      } }
    end
    local fall = up - (low - top)
    return { scene = scene, mover = mover, moves = {
      { dx, -up, to = { dx, -up }, rest = { dx, -up }, hits = none },
      { 0, fall + 20, to = { dx, top - low }, rest = { 0, 0 },
        hits = { { 0, -1, fall / (fall + 20) }, in_order = true } },
      { dx, 7, to = { 2 * dx, top - low }, rest = { dx, 0 }, hits = stands },
      { 7, 0, to = { 2 * dx + 7, top - low }, rest = { 7, 0 }, hits = none },
      { 90 + left - 2 * dx, 0, to = { 97 + left, top - low }, hits = none },
      { 0, 20 + low, to = { 97 + left, top + 20 }, hits = none },
      { -60, 0, to = { 37 + left, top + 20 }, hits = none },
    } }
  end)

  family("leaves something round along the tangent of where it meets that", 60, function(random)
    local mover = scenes.body(random, "circle", "capsule")
    local r = random(0, 1) * random(30, 200) / 10
    local angle, way = random(-70, 70) / 180 * pi, random(200, 600) / 10 -- of the normal against the motion
    local heading, t = random(1, 628) / 100, random(0, 3) / 4
    if mover.kind == "capsule" then mover.points[3] = random(10, 60) / 10 end
    local own = mover.radius
    local nx, ny = -cos(heading + angle), -sin(heading + angle) -- of the hit
    local reach = { 0, 0 } -- the core's vertex that meets it
    if mover.kind == "capsule" then
      local ax, ay = mover.points[3], mover.points[4]
      local dot = ax * nx + ay * ny
      if abs(dot) < 1 then return nil end
      if dot < 0 then reach = { ax, ay } end
    end
    local dx, dy = way * cos(heading), way * sin(heading)
    local cx, cy = t * dx + reach[1] - (r + own) * nx, t * dy + reach[2] - (r + own) * ny
    local into = (dx * nx + dy * ny) * (1 - t)
    local solid = { kind = "circle", points = { cx, cy }, radius = r }
    if r == 0 then -- a corner whose normals all are past
      solid = { kind = "polygon", points = wedge(cx, cy, atan2(-ny, -nx), 0.2, 9) }
    end
    local x, y = dx - into * nx, dy - into * ny
    -- at a glance it leaves the solid, but for the length of rounding
    return { scene = { solid }, mover = mover, moves = { { dx, dy, to = { x, y },
      rest = abs(angle) > 0.05 and t < 1 and { dx, dy } or nil, hits = { { nx, ny, t }, in_order = true } } } }
  end)

  family("has all of its motion again where a wall has ended, and what is along it before", 60, function(random)
    local mover = scenes.body(random, unpack(AREAS))
    local low, left, right = scenes.support(mover, 0, 1), scenes.support(mover, -1, 0), scenes.support(mover, 1, 0)
    local length, dx, dy = random(10, 400) / 10, random(100, 600) / 10, random(10, 200) / 10
    local above = random(0, 30) / 10
    if above > dy * 0.9 or dx * above / dy + right > length - 0.1 then return nil end -- it comes down on the wall
    local is_beyond = dx - left > length + 0.1
    if not is_beyond and dx + right > length - 0.1 then return nil end
    return { scene = scenes.blocks(random, -90, low + above, length, low + above + 30), mover = mover, moves = {
      { dx, dy, to = { dx, above }, rest = is_beyond and { dx, dy } or { dx, 0 }, hits = { { 0, -1, above / dy },
        in_order = true } },
    } }
  end)

  -- Where a point between two walls, 0 and `room`, is after a way with bounces.
  local function folded(x, room)
    local turn = x % (2 * room)
    return turn > room and 2 * room - turn or turn, math.floor(x / room) % 2 == 0 and 1 or -1
  end

  family("bounces in a room as if that were mirrored in its walls", 120, function(random)
    local mover = scenes.body(random, unpack(AREAS))
    local w, h = random(50, 600) / 10, random(50, 600) / 10
    local x, y = w * fraction(random), h * fraction(random)
    local left, right = scenes.support(mover, -1, 0) + x, scenes.support(mover, 1, 0) + w - x
    local up, down = scenes.support(mover, 0, -1) + y, scenes.support(mover, 0, 1) + h - y
    local m = motion(random, 300)
    local walls = { { -left - 9, -up - 9, -left, down + 9 }, { right, -up - 9, right + 9, down + 9 },
      { -left, -up - 9, right, -up }, { -left, down, right, down + 9 } }
    local scene = {}
    for _, wall in ipairs(walls) do scene = scenes.joined(scene, scenes.blocks(random, unpack(wall))) end
    local toX, sideX = folded(x + m[1], w)
    local toY, sideY = folded(y + m[2], h)
    local bounces = abs(math.floor((x + m[1]) / w)) + abs(math.floor((y + m[2]) / h))
    if min(toX, w - toX, toY, h - toY) < 1e-3 or bounces > 40 then return nil end
    return { scene = scene, mover = mover, response = "bounce", moves = { { m[1], m[2], to = { toX - x, toY - y },
      rest = { sideX * m[1], sideY * m[2] } } } }
  end)

  family("goes through a grid of tiles exactly as it is shaped, as far as cells are free", 30, function(random)
    local unit, size = ({ 16, 17.3, 0.7, 100 / 3 })[random(1, 4)], 9
    local solid, cells = {}, {}
    for x = 0, size do
      solid[x] = {}
      for y = 0, size do
        solid[x][y] = x == 0 or y == 0 or x == size or y == size or random(1, 3) == 1
      end
    end
    local keys = { { { 0, 0 } }, { { 0, 0 }, { 1, 0 } }, { { 0, 0 }, { 0, 1 }, { 1, 1 } },
      { { 0, 0 }, { 1, 0 }, { 2, 0 }, { 1, 1 } }, { { 0, 1 }, { 1, 1 }, { 1, 0 }, { 2, 0 } } }
    local key = keys[random(1, #keys)]
    local keyX, keyY = random(2, size - 3), random(2, size - 3)
    local parts = {}
    for i, cell in ipairs(key) do
      solid[keyX + cell[1]][keyY + cell[2]] = false
      parts[i] = box((keyX + cell[1]) * unit, (keyY + cell[2]) * unit, unit, unit)
    end
    for x = 0, size do
      for y = 0, size do
        if solid[x][y] then cells[#cells + 1] = box(x * unit, y * unit, unit, unit) end
      end
    end
    local function is_free(x, y)
      for _, cell in ipairs(key) do
        if solid[x + cell[1]][y + cell[2]] then return false end
      end
      return true
    end
    local moves, x, y = {}, keyX, keyY
    for i = 1, 6 do
      local way = ({ { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } })[random(1, 4)]
      local asked, gone = random(1, 5), 0
      while gone < asked and is_free(x + way[1], y + way[2]) do
        x, y, gone = x + way[1], y + way[2], gone + 1
      end
      local is_stopped = gone < asked
      moves[i] = { asked * way[1] * unit, asked * way[2] * unit, to = { (x - keyX) * unit, (y - keyY) * unit },
        hits = { is_stopped and { -way[1], -way[2], gone / asked } or nil, in_order = true } }
    end
    return { scene = random(1, 3) == 1 and { { kind = "compound", parts = cells } } or cells,
      mover = { kind = "compound", parts = parts, static = false }, moves = moves }
  end)
end)

-- ---------------------------------------------------------------- world:carry

local UPS = { { 0, -1 }, { 0, 1 }, { -1, 0 } } -- what is in the way of a motion along x rides on none of these

-- A body moved to where its left end is at x, and its middle at y.
local function left_at(d, x, y) return scenes.moved(d, x + scenes.support(d, -1, 0), y) end

describe("a platform whose way is known", function()
  family("pushes ahead what it meets, in one step as in many", 40, function(random)
    local thick, gap, way = random(2, 20), random(0, 1) * random(1, 400) / 10, random(10, 900) / 10
    if abs(gap - way) < 0.1 then return nil end
    local body = left_at(scenes.body(random, unpack(AREAS)), gap, random(-200, 200) / 10)
    local pushed = max(way - gap, 0)
    return { scene = { box(-thick, -150, thick, 300), body }, motion = { way, random(-300, 300) / 10 },
      up = UPS[random(1, 3)], bodies = { [2] = { pushed, 0 } }, n = pushed > 0 and 1 or 0 }
  end, "carry")

  family("pushes by a face that leans, square to that", 40, function(random)
    local angle, gap, way = random(-60, 60) / 180 * pi, random(1, 300) / 10, random(20, 600) / 10
    local nx, ny = cos(angle), sin(angle)
    local body = scenes.body(random, unpack(AREAS))
    local into = way * nx - gap
    if abs(into) < 0.1 then return nil end
    local h = -scenes.support(body, -nx, -ny) - gap
    local platform = scenes.wall(random, nx, ny, h, random(5, 20), "compound")[1]
    local pushed = max(into, 0)
    return { scene = { platform, body }, motion = { way, 0 }, up = { -1, 0 },
      bodies = { [2] = { pushed * nx, pushed * ny } }, n = into > 0 and 1 or 0 }
  end, "carry")

  family("pushes along a wall what that holds", 240, function(random)
    local angle, gap, way = random(-50, 50) / 180 * pi, random(1, 100) / 10, random(20, 300) / 10
    local nx, ny = cos(angle), sin(angle)
    local lean = angle + pi + (2 * random(0, 1) - 1) * random(40, 75) / 180 * pi -- of the wall
    local wx, wy, room = cos(lean), sin(lean), random(1, 100) / 10
    local body = scenes.body(random, unpack(AREAS))
    local into = way * nx - gap
    if into < 0.5 or -into * (nx * wx + ny * wy) < room + 0.1 then return nil end
    local h, wall = -scenes.support(body, -nx, -ny) - gap, -scenes.support(body, -wx, -wy) - room
    local det = nx * wy - ny * wx
    local x, y = (into * wy + room * ny) / det, (-into * wx - room * nx) / det
    if x * x + y * y > 60 * 60 then return nil end
    local scene = { scenes.wall(random, nx, ny, h, 20, "compound")[1], body }
    return { scene = scenes.joined(scene, scenes.wall(random, wx, wy, wall)), motion = { way, 0 }, up = { -1, 0 },
      bodies = { [2] = { x, y } }, n = 1 }
  end, "carry")

  family("pushes a row, and crushes of it what has no room before a wall", 40, function(random)
    local scene, x, ends, count, sum = { box(-10, -90, 10, 180) }, 0, {}, random(1, 4), 0
    for i = 1, count do
      local body = random(1, 2) == 1 and box(0, -random(3, 12), random(40, 120) / 10, 20)
        or { kind = "circle", points = { 0, 0 }, radius = random(20, 60) / 10 }
      body.static = false
      body = left_at(body, x + random(1, 120) / 10, 0)
      ends[i] = { -scenes.support(body, -1, 0), scenes.support(body, 1, 0) }
      x, sum, scene[i + 1] = ends[i][2], sum + ends[i][2] - ends[i][1], body
    end
    local wall = x + random(1, 200) / 10
    local way, bodies, n, crushed = random(10, 100) / 100 * wall, {}, 0, 0
    local motion_x = way
    scene[count + 2] = box(wall, -90, 20, 180)
    for i = 1, count do
      if abs(sum - (wall - way)) < 0.1 then return nil end
      if sum > wall - way then
        crushed, sum = i, sum - (ends[i][2] - ends[i][1])
        bodies[i + 1] = { 0, 0, is_crushed = true }
      end
    end
    for i = crushed + 1, count do
      local pushed = max(way - ends[i][1], 0)
      bodies[i + 1] = { pushed, 0 }
      way, n = ends[i][2] + pushed, n + (pushed > 0 and 1 or 0)
    end
    for i = count, crushed + 1, -1 do
      if crushed == 0 then break end -- else they all were at the wall, when the first was crushed
      bodies[i + 1][1] = wall - ends[i][2]
      wall = wall - (ends[i][2] - ends[i][1])
    end
    return { scene = scene, motion = { motion_x, 0 }, up = UPS[random(1, 3)], bodies = bodies,
      n = crushed > 0 and count or n }
  end, "carry")

  family("takes along what stands on it, as far as walls let it", 40, function(random)
    local scene, y, bodies, n = { box(-50, 0, 100, 10) }, 0, {}, random(1, 3)
    local m = motion(random, 40)
    local wall = random(1, 2) == 1 and random(1, 300) / 10
    for i = 1, n do
      local body = random(1, 2) == 1 and box(-random(3, 9), 0, random(10, 16), random(4, 12))
        or { kind = "capsule", points = { -5, 0, 5, 0 }, radius = random(20, 60) / 10 }
      body.static = false
      body = left_at(body, -8, y - scenes.support(body, 0, 1))
      y = -scenes.support(body, 0, -1)
      scene[i + 1], bodies[i + 1] = body, { m[1], m[2] }
    end
    if wall then
      if m[2] > 0 then return nil end
      for i = 1, n do
        local gap = wall + 20 - scenes.support(scene[i + 1], 1, 0)
        if abs(gap - m[1]) < 0.1 or i < n and m[1] > gap then return nil end
        bodies[i + 1][1] = min(m[1], gap)
      end
      scene[n + 2] = box(wall + 20, -300, 10, 290)
    end
    return { scene = scene, motion = m, up = { 0, -1 }, bodies = bodies, n = n }
  end, "carry")

  family("crushes under a ceiling what it lifts too far", 30, function(random)
    local body = scenes.body(random, "box", "rounded", "ell")
    local low, room, way = scenes.support(body, 0, 1), random(1, 200) / 10, random(1, 300) / 10
    if abs(room - way) < 0.1 then return nil end
    local is_crushed = way > room
    return { scene = { box(-70, low, 140, 10), body, box(-90, -room - scenes.support(body, 0, -1) - 20, 180, 20) },
      motion = { 0, -way }, up = { 0, -1 }, bodies = { [2] = { 0, is_crushed and 0 or -way, is_crushed = is_crushed } },
      n = 1 }
  end, "carry")
end)
