-- Judges families of moves whose end is known from how their scenes are made. Each scene is tried in a frame that keeps
-- whole numbers, turned by any angle, and so mirrored, and its shapes are added in two orders, which must be felt in no
-- bit.
--
-- A case has a `scene` and a `mover`, both descriptions of spec.scenes, and `moves`: { dx, dy } with what must come of
-- it. `to` is the way from where the mover was at first, `rest` what is left of the motion, and `hits` a list of
-- { nx, ny, t, how }, which is exact if it is `in_order`.
local scenes = require "spec.scenes"
local support = require "spec.support"

local SCALE = tonumber(os.getenv "SAT_TEST_SCALE" or 1)
local SEED = support.SEED
local abs, max, min, sqrt = math.abs, math.max, math.min, math.sqrt

local families = {}

-- ---------------------------------------------------------------- judging

-- What a call of world:move or world:check has answered.
local function answer_of(indices, world, x, y, n, rx, ry)
  local hits = {}
  for other, nx, ny, t, px, py, how in world:hits() do
    hits[#hits + 1] = { nx = nx, ny = ny, t = t, x = px, y = py, how = how, who = indices[other] }
  end
  return { x = x, y = y, n = n, rx = rx, ry = ry, hits = hits }
end

-- Whether two answers are the same to the bit. What is crossed at one t is in the order of adding.
local function same_bits(a, b)
  local is_same = a.x == b.x and a.y == b.y and a.n == b.n and a.rx == b.rx and a.ry == b.ry
  for i, h in ipairs(is_same and a.hits or {}) do
    local k = b.hits[i]
    for _, other in ipairs(b.hits) do
      if h.how == "cross" and other.how == "cross" and other.who == h.who then k = other end
    end
    is_same = is_same and h.nx == k.nx and h.ny == k.ny and h.t == k.t and h.how == k.how
  end
  return is_same
end

-- What holds of every answer (MOTION.md's rules 3, 4 and 6). Returns what is wrong, or nil.
local function broken_rule(answer, before, world, dx, dy, fromX, fromY, tolerance, response)
  local last, is_freed = 0, false
  if answer.n ~= #answer.hits then return "n is not the number of hits" end
  for _, hit in ipairs(answer.hits) do
    if abs(hit.nx * hit.nx + hit.ny * hit.ny - 1) > 1e-12 then return "a normal is no unit vector" end
    if not (hit.t >= last and hit.t <= 1) then return "the times are out of order" end
    last, is_freed = hit.t, is_freed or hit.how == "free" or hit.how == "stuck"
  end
  if is_freed then return nil end
  local way = (answer.x - fromX) * dx + (answer.y - fromY) * dy
  if response ~= "bounce" and way < -tolerance * (abs(dx) + abs(dy)) then return "the way is against the motion" end
  if answer.n > 0 then return nil end
  if answer.rx ~= dx or answer.ry ~= dy then return "nothing is hit, and the motion is not what was asked" end
  before:move(dx, dy)
  local x, y = before:center()
  local is_same = x == answer.x and y == answer.y
  if not is_same and #world:query(before) == 0 then return "nothing is hit, and the bits are not those of a move" end
end

local function is_hit(hit, expected, to, length, tolerance)
  local nx, ny = to.vector(expected[1], expected[2])
  return abs(hit.nx - nx) + abs(hit.ny - ny) < 1e-6 and abs(hit.t - expected[3]) * length <= tolerance
    and hit.how == (expected[4] or "slide")
end

-- Whether the hits are those expected. Each may be told again (a sharp corner stops one surface after the other), and
-- of what is touched at one t the order is free, unless `in_order` says that the list is exact.
local function are_hits(hits, expected, to, length, tolerance)
  if expected.in_order and #hits ~= #expected then return false end
  for i, hit in ipairs(hits) do
    local is_known = false
    for k, one in ipairs(expected) do
      is_known = is_known or (not expected.in_order or i == k) and is_hit(hit, one, to, length, tolerance)
      if expected.in_order and i == k and one.who and one.who ~= hit.who then return false end
    end
    if not is_known then return false end
  end
  for _, one in ipairs(expected) do
    local is_told = false
    for _, hit in ipairs(hits) do is_told = is_told or is_hit(hit, one, to, length, tolerance) end
    if not (is_told or one.is_free) then return false end
  end
  return true
end

local function described(answer, x, y)
  local list = { ("to %.15g, %.15g, rest %.15g, %.15g"):format(x, y, answer.rx, answer.ry) }
  for _, h in ipairs(answer.hits) do
    list[#list + 1] = ("%s at %.12g by %.9g, %.9g"):format(h.how, h.t, h.nx, h.ny)
  end
  return table.concat(list, "; ")
end

-- What is wrong with an answer, or nil. `reaches` is a function of the way from where the mover was at first.
local function wrong_answer(move, answer, to, x, y, dx, dy, tolerance)
  local text
  if move.to then
    local toX, toY = to.vector(move.to[1], move.to[2])
    if abs(x - toX) + abs(y - toY) > tolerance then text = ("not to %.15g, %.15g"):format(toX, toY) end
  end
  if move.reaches and not text then
    local a, b = to.vector(1, 0)
    local c, d = to.vector(0, 1)
    text = move.reaches(a * x + b * y, c * x + d * y)
  end
  if move.rest and not text then
    local rx, ry = to.vector(move.rest[1], move.rest[2])
    local is_near = abs(answer.rx - rx) + abs(answer.ry - ry) <= tolerance
    text = not is_near and ("not the rest %.15g, %.15g"):format(rx, ry) or nil
  end
  if move.hits and not text and not are_hits(answer.hits, move.hits, to, sqrt(dx * dx + dy * dy), tolerance) then
    local list = {}
    for i, one in ipairs(move.hits) do
      local nx, ny = to.vector(one[1], one[2])
      list[i] = ("%s at %.12g by %.9g, %.9g"):format(one[4] or "slide", one[3], nx, ny)
    end
    text = ("not the hits (%s)"):format(table.concat(list, "; "))
  end
  return text and text .. ", but " .. described(answer, x, y)
end

local function placed(case, to, order)
  local world, shapes = scenes.world(case.scene, to, order)
  local indices, mover = {}, scenes.shape(case.mover, to)
  for index, shape in pairs(shapes) do indices[shape] = index end
  return world, mover, indices, shapes
end

-- What is wrong with a cast of the first motion, or nil.
local function wrong_cast(case, to, world, mover, tolerance)
  local dx, dy = to.vector(case.moves[1][1], case.moves[1][2])
  local other, t, nx, ny = world:cast(mover, dx, dy)
  local x, y = to.vector(case.cast[1], case.cast[2])
  if not other or abs(nx - x) + abs(ny - y) > 1e-6 or abs(t - case.cast[3]) * (abs(dx) + abs(dy)) > tolerance then
    return ("the cast by %.17g, %.17g tells %s by %s, %s for %.17g by %.9g, %.9g"):format(dx, dy, tostring(t),
      tostring(nx), tostring(ny), case.cast[3], x, y)
  end
end

-- Plays a case in a frame, in two worlds: what is wrong, or nil. The answers of the moves are put into a list.
local function play(case, to, random, tolerance, answers)
  local orders = { scenes.shuffled(case.scene, random), scenes.shuffled(case.scene, random) }
  local world, mover, indices, shapes = placed(case, to, orders[1])
  local other_world, other_mover, other_indices, other_shapes = placed(case, to, orders[2])
  local startX, startY = mover:center()
  local text = case.cast and wrong_cast(case, to, world, mover, tolerance)
  if text then return text end
  for i, move in ipairs(case.moves) do
    local dx, dy = to.vector(move[1], move[2])
    local function respond(list) return move.response and move.response(list) or case.response end
    local fromX, fromY = mover:center()
    local before = mover:clone()
    local answer = answer_of(indices, world, world:move(mover, dx, dy, respond(shapes)))
    local response = respond(other_shapes)
    local checked = answer_of(other_indices, other_world, other_world:check(other_mover, dx, dy, response))
    local atX, atY = other_mover:center()
    local again = answer_of(other_indices, other_world, other_world:move(other_mover, dx, dy, response))
    local function shown(a) return described(a, a.x - startX, a.y - startY) end
    text = broken_rule(answer, before, world, dx, dy, fromX, fromY, tolerance, case.response)
      or wrong_answer(move, answer, to, answer.x - startX, answer.y - startY, dx, dy, tolerance)
      or move.order and move.order(answer.hits, orders[1])
    if not text and (atX ~= fromX or atY ~= fromY or not same_bits(checked, again)) then
      text = "check is no move that is not made"
    end
    if not text and not same_bits(answer, again) then
      text = ("another order of adding: %s, and %s"):format(shown(answer), shown(again))
    end
    if text then return ("move %d by %.17g, %.17g: %s"):format(i, dx, dy, text) end
    answers[i] = answer
  end
end

-- What is wrong where the same scene is said in other words, or nil: the place and the rest must be the same to the
-- bit, and so must be the hits if what was added is far away.
local function wrong_twin(case, to, random, answers)
  for k, twin in ipairs(case.twins or {}) do
    local world, mover, indices = placed({ scene = twin, mover = case.mover }, to, scenes.shuffled(twin, random))
    local startX, startY = mover:center()
    for i, move in ipairs(case.moves) do
      local dx, dy = to.vector(move[1], move[2])
      local a, b = answers[i], answer_of(indices, world, world:move(mover, dx, dy, case.response))
      local is_same = a.x == b.x and a.y == b.y and a.n == b.n and a.rx == b.rx and a.ry == b.ry
      if not is_same or case.is_far and not same_bits(a, b) then
        return ("move %d by %.17g, %.17g: %s, and in twin %d %s"):format(i, dx, dy,
          described(a, a.x - startX, a.y - startY), k, described(b, b.x - startX, b.y - startY))
      end
    end
  end
end

-- The frames in which a case is tried, each with the scale of the coordinates there. What decides ties is upright: a
-- case that has them is not turned.
local function frames_of(case, random)
  local far = ({ 0, 0, 50, 1000 })[random(1, 4)]
  local dx, dy = random(-far, far), random(-far, far)
  local reach, angle = 200 + far, random(1, 6283) / 1000
  local list = { { scenes.upright(random, not case.is_upright, dx, dy), reach } }
  if not case.is_upright then
    list[2], list[3] = { scenes.turned(angle, false, dx, dy), reach }, { scenes.turned(angle, true, dx, dy), reach }
  else list[2], list[3] = { scenes.same, 200 }, { scenes.mirrored, 200 } end
  return list
end

local judges = {}

-- A construction may give nil where two events are so near that rounding decides: then it is made anew.
local function made(make, random)
  for _ = 1, 200 do
    local case = make(random)
    if case then return case end
  end
  error "no scene can be made"
end

function judges.moves(make, random)
  local case = made(make, random)
  for i, frame in ipairs(frames_of(case, random)) do
    local answers = {}
    local text = play(case, frame[1], random, (case.tolerance or 1e-9) * frame[2], answers)
      or (i == 1 or case.is_far) and wrong_twin(case, frame[1], random, answers)
    if text then return ("in frame %d, %s"):format(i, text) end
  end
end

-- ---------------------------------------------------------------- sliding in a convex room, by hand

-- The lines that hold the place of a mover, from those that hold the mover.
local function held(lines, mover)
  local list = {}
  for i, line in ipairs(lines) do
    list[i] = { line[1], line[2], line[3] + scenes.support(mover, -line[1], -line[2]) }
  end
  return list
end

-- Of the lines that bar a motion, the one that leaves it the longest way: what it leaves, and the line; 0, 0 where none
-- leads past all that are touched; false where rounding may decide.
local function best_way(bars, touched, mx, my, askedX, askedY)
  local best, bestX, bestY, length = nil, 0, 0, sqrt(mx * mx + my * my)
  local most, is_tie = 1e-7 * length, false
  for _, line in ipairs(bars) do
    local into = line[1] * mx + line[2] * my
    local x, y = mx - into * line[1], my - into * line[2]
    local long, ahead = sqrt(x * x + y * y), x * askedX + y * askedY
    if long > most and abs(ahead) < 1e-9 * long * (abs(askedX) + abs(askedY)) then is_tie = true end -- square to it
    local is_free = ahead >= 0
    for _, other in ipairs(touched) do is_free = is_free and other[1] * x + other[2] * y >= -1e-9 * length end
    if is_free and abs(long - most) < 1e-5 * length and best then is_tie = true end
    if is_free and long > most then best, bestX, bestY, most = line, x, y, long end
  end
  if is_tie then return false end
  return bestX, bestY, best
end

-- Whether a line bounds the room at a place where it touches the mover with others.
local function bounds_room(line, touched)
  for side = -1, 1, 2 do
    local is_free = true
    for _, other in ipairs(touched) do
      local turn = other[1] * -line[2] * side + other[2] * line[1] * side
      is_free = is_free and (other == line or turn >= -1e-9)
    end
    if is_free then return true end
  end
  return false
end

-- Where a point that is held by lines slides from x, y: the place, the rest and the hits of the whole motion; nil where
-- two events are so near that rounding may decide.
local function slide(lines, x, y, dx, dy)
  local mx, my, t, hits, known = dx, dy, 0, {}, {}
  local touched
  local function touching()
    touched = {}
    for _, line in ipairs(lines) do
      local gap = line[1] * x + line[2] * y - line[3]
      if gap > 1e-9 and gap < 1e-5 then return false end
      if gap <= 1e-9 then touched[#touched + 1] = line end
    end
    return true
  end
  for _ = 1, 64 do
    local length, s = sqrt(mx * mx + my * my), 2
    if length == 0 then break end
    for _, line in ipairs(lines) do
      local into, gap = line[1] * mx + line[2] * my, line[1] * x + line[2] * y - line[3]
      if into < -1e-7 * length then s = min(s, max(gap, 0) / -into)
      elseif into < -1e-12 * length and gap + into < 1e-5 then return nil end
    end
    if abs(s - 1) < 1e-5 then return nil end
    if s > 1 then
      x, y = x + mx, y + my
      break
    end
    x, y, mx, my, t = x + s * mx, y + s * my, mx * (1 - s), my * (1 - s), t + (1 - t) * s
    if not touching() then return nil end
    local bars = {}
    for _, line in ipairs(touched) do
      if line[1] * mx + line[2] * my < -1e-7 * length * (1 - s) then bars[#bars + 1] = line end
    end
    local toX, toY, best = best_way(bars, touched, mx, my, dx, dy)
    if toX == false then return nil end
    for _, line in ipairs(best and { best } or touched) do
      if best or bounds_room(line, touched) then
        local is_bar = line[1] * mx + line[2] * my < -1e-7 * length * (1 - s)
        hits[#hits + 1] = { line[1], line[2], t, is_free = not is_bar }
        known[line] = true
      end
    end
    mx, my = toX, toY
    if not best then break end
  end
  if not touching() then return nil end
  local bars = {}
  for _, line in ipairs(touched) do
    if known[line] and line[1] * dx + line[2] * dy < -1e-9 * (abs(dx) + abs(dy)) then bars[#bars + 1] = line end
  end
  if #bars == 0 then return x, y, dx, dy, hits end
  local rx, ry = best_way(bars, touched, dx, dy, dx, dy)
  if rx == false then return nil end
  return x, y, rx, ry, hits
end

-- A case of some moves of a mover in a convex room with those walls; nil where one of them is not clear.
function families.in_room(scene, lines, mover, motions)
  local places, moves, x, y = held(lines, mover), {}, 0, 0
  for i, m in ipairs(motions) do
    local rx, ry, hits
    x, y, rx, ry, hits = slide(places, x, y, m[1], m[2])
    if not x then return nil end
    moves[i] = { m[1], m[2], to = { x, y }, rest = { rx, ry }, hits = hits }
  end
  return { scene = scene, mover = mover, moves = moves }
end

-- Whether a mover is in the room, and touches nothing.
function families.fits(lines, mover)
  for _, line in ipairs(held(lines, mover)) do
    if line[3] > -1 then return false end
  end
  return true
end

-- ---------------------------------------------------------------- world:carry

-- What is wrong with where the bodies of a case are after a step, or after `steps` that are together as long.
local function judge_carry(case, to, random, tolerance, steps)
  local world, shapes = scenes.world(case.scene, to, scenes.shuffled(case.scene, random))
  local dx, dy = to.vector(case.motion[1], case.motion[2])
  local upX, upY = to.vector(case.up[1], case.up[2])
  local from = {}
  for i, shape in ipairs(shapes) do from[i] = { shape:center() } end
  for step = 1, steps do
    local n, crushed = world:carry(shapes[1], dx / steps, dy / steps, 0, upX, upY)
    local told = { n = 0, crushed = 0, is_crushed = {} }
    for other, x, y, is_crushed in world:carried() do
      told.n, told.crushed = told.n + 1, told.crushed + (is_crushed and 1 or 0)
      told.is_crushed[other] = is_crushed
      if is_crushed and (x ~= 0 or y ~= 0) then return "what is crushed has moved" end
    end
    if told.n ~= n or told.crushed ~= crushed then return "the numbers are not what carried tells" end
    if steps > 1 and crushed > 0 then return ("crushed in step %d of %d"):format(step, steps) end
    if steps == 1 then
      if n ~= case.n then return ("%d are moved instead of %d"):format(n, case.n) end
      for i, body in pairs(case.bodies) do
        if (told.is_crushed[shapes[i]] or false) ~= (body.is_crushed or false) then
          return ("body %d is %s"):format(i, body.is_crushed and "not crushed" or "crushed")
        end
      end
    end
  end
  for i, body in pairs(case.bodies) do
    local x, y = shapes[i]:center()
    local toX, toY = to.vector(body[1], body[2])
    if abs(x - from[i][1] - toX) + abs(y - from[i][2] - toY) > tolerance then
      return ("body %d has gone by %.15g, %.15g instead of %.15g, %.15g in %d steps"):format(i, x - from[i][1],
        y - from[i][2], toX, toY, steps)
    end
  end
end

function judges.carry(make, random)
  local case = made(make, random)
  local is_crushed = false
  for _, body in pairs(case.bodies) do is_crushed = is_crushed or body.is_crushed end
  for i, frame in ipairs(frames_of(case, random)) do
    local text = judge_carry(case, frame[1], random, 1e-9 * frame[2], 1)
      or not is_crushed and judge_carry(case, frame[1], random, 1e-9 * frame[2], random(2, 12)) or nil
    if text then return ("in frame %d, %s"):format(i, text) end
  end
end

-- Makes some scenes of a family, and raises an error that says how many of them are wrong. `how` is "moves" or "carry".
function families.check(count, make, how)
  local runs, wrong, first = math.ceil(count * SCALE), 0, nil
  for run = 1, runs do
    local random = support.generator((SEED * 1000 + run) % 2147483000 + 1)
    for _ = 1, 9 do random(1, 2) end -- the first ones of seeds that are alike are alike
    local text = judges[how or "moves"](make, random)
    if text then wrong, first = wrong + 1, first or ("scene %d: %s"):format(run, text) end
  end
  if wrong > 0 then
    error(("%d of %d scenes of seed %d are wrong, the first is %s"):format(wrong, runs, SEED, first), 0)
  end
end

return families
