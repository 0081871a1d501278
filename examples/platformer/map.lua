-- The map: a letter for each tile, and what moves.
--
--   #            a full tile             1 2 3   the lowest 8, 16 and 24 of a tile: steps
--   / \          slopes of 45 degrees    a b c d slopes of two tiles each, up and down
--   =            a plank to jump through o ^ F S a coin, a spike, the flag, the start

local map = { size = 32 }

local rows = {
  "#....................................................#############.................................#",
  "#....................................................#############.................................#",
  "#..................................................................................................#",
  "#..................................................................................................#",
  "#.....................................................o............................................#",
  "#............................................................o.o...................................#",
  "#................................o..................###############\\...............................#",
  "#...................................................################\\.o............................#",
  "#..............oo.............o..........oo.........#################\\......................o......#",
  "#.......o........................==.................##################\\...........o...o............#",
  "#............ab##cd...................../##\\........###################\\........................F..#",
  "#..S...123###########\\.......===......./####\\.......####################\\..................123######",
  "############################........############....###########################..........###########",
  "############################........############....###########################..........###########",
  "############################^^^^^^^^############....###########################^^^^^^^^^^###########",
  "####################################################################################################",
}

map.columns, map.rows = #rows[1], #rows

-- What a letter leaves of a tile, as sat.tiles wants it.
local solid = {
  ["#"] = true,
  ["1"] = { 0, 24, 32, 24, 32, 32, 0, 32 },
  ["2"] = { 0, 16, 32, 16, 32, 32, 0, 32 },
  ["3"] = { 0, 8, 32, 8, 32, 32, 0, 32 },
  ["/"] = { 0, 32, 32, 0, 32, 32 },
  ["\\"] = { 0, 0, 32, 32, 0, 32 },
  a = { 0, 32, 32, 16, 32, 32 },
  b = { 0, 16, 32, 0, 32, 32, 0, 32 },
  c = { 0, 0, 32, 16, 32, 32, 0, 32 },
  d = { 0, 16, 32, 32, 0, 32 },
}

function map.tile(column, row) return solid[rows[row]:sub(column, column)] end

-- A loop over all letters with the top left corners of their cells.
function map.letters()
  return coroutine.wrap(function()
    for row, letters in ipairs(rows) do
      for column = 1, #letters do
        coroutine.yield((column - 1) * map.size, (row - 1) * map.size, letters:sub(column, column))
      end
    end
  end)
end

for x, y, letter in map.letters() do
  if letter == "S" then map.startX, map.startY = x + 16, y + 12 end
end

-- To and fro over a length, in so many seconds.
local function swing(length, seconds)
  return function(time) return length * (1 - math.cos(2 * math.pi * time / seconds)) / 2 end
end

local rise, cross = swing(192, 6), swing(224, 8)

-- Down by 68 at once, onto the ground, and up again.
local function crush(time)
  local phase = time % 3
  if phase < 1.5 then return 0 end
  if phase < 1.8 then return 68 * ((phase - 1.5) / 0.3) ^ 2 end
  return phase < 2.1 and 68 or 68 * (3 - phase) / 0.9
end

-- What moves: where it begins, and how far it is from there at a time.
map.lifts = {
  { kind = "lift", x = 1538, y = 384, w = 124, h = 14, path = function(time) return 0, -rise(time) end },
  { kind = "crusher", x = 1824, y = 64, w = 64, h = 60, path = function(time) return 0, crush(time) end },
  { kind = "lift", x = 2528, y = 384, w = 96, h = 14, path = function(time) return cross(time), 0 end },
}

return map
