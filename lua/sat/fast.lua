-- The functions of the fast path, which compiled code calls in place of C functions: jit.lua tells when and why, and
-- asks for them one by one.
--
-- Most of the functions differ only in their arguments and results, so they are made from a template, which is text and
-- no closure: LuaJIT attaches traces to a function's text, so closures of one text would share their traces, and each
-- call would search for its own trace among those of the others.
--
-- A pointer that the core gets must be a shape's. The metatable identifies a shape, since no script can reach it;
-- debug.getmetatable reads it, since a script can give its own userdata the same __metatable field. No script may
-- obtain an object of the FFI, with which it could write to any address: such objects stay in local variables. Traces
-- hold the values of variables that never change, and jit.util shows what traces hold: hence the variables are assigned
-- after their declaration.

-- ---------------------------------------------------------------- rows of the template

-- A row is { the function's name in the interface of csrc/lua/calls.c, the arguments, the answer }.
--
-- Arguments are letters: s for a shape, n for a number, b for a boolean, c for a string, w for a world, t for a
-- quadtree, o for who a query asks about, p for a number of a pivot or nil, and one that the core does not get: l for
-- nil or the list that is filled. The answer is "self", "yes or no", "flag", "number" or "kind", made from the call's
-- result; "list" for the shapes found and their number, by `element` where another call gives them; "vertices" for the
-- coordinates seen and the number of vertices; or the number of numbers that the call writes into the context, unless
-- there is no answer. `with_shape` puts a shape of the world before the numbers. If the last number is NaN, the numbers
-- after `may_end_after` are left out. `asks` is the question of a call that takes a question, a shape, four numbers and
-- who is asked about, of which the row need not have all; `more` are arguments behind the others. In a row with an
-- `other` row, `first` is the condition for the row itself.
local OF_TWO = {
  axis = { "axis", "ss", 3 },
  cast = { "cast", "snns", 7 },
  collide = { "collide", "ss", 3 },
  contains = { "contains", "ss", "yes or no" },
  distance = { "distance", "ss", 5 },
  overlaps = { "overlaps", "ss", "yes or no" },
  raycast = { "raycast", "snnnn", 4 },
  turn = { "turn", "snspp", 7 },
  contacts = { "contacts", "ss", 7, may_end_after = 5 },
}

local ROWS = {
  sat = OF_TWO,
  shape = {
    area = { "area", "s", "number" },
    axis = OF_TWO.axis,
    boundingCircle = { "bounding_circle", "s", 3 },
    bounds = { "bounds", "s", 4 },
    cast = OF_TWO.cast,
    center = { "center", "s", 2 },
    collide = OF_TWO.collide,
    contacts = OF_TWO.contacts,
    contains = { "contains_point", "snn", "yes or no", first = "type(b) == 'number'",
      other = OF_TWO.contains },
    distance = OF_TWO.distance,
    isConvex = { "is_convex", "s", "flag" },
    isEnabled = { "is_enabled", "s", "flag" },
    isSensor = { "is_sensor", "s", "flag" },
    isStatic = { "is_static", "s", "flag" },
    kind = { "kind", "s", "kind" },
    move = { "move", "snn", "self" },
    moveTo = { "move_to", "snn", "self" },
    overlaps = OF_TWO.overlaps,
    partAt = { "part_at", "snn", 1 },
    parts = { "part_count", "s", "number" },
    project = { "project", "snn", 2 },
    radius = { "radius", "s", "number" },
    raycast = OF_TWO.raycast,
    rotate = { "rotate", "snpp", "self" },
    rotation = { "rotation", "s", "number" },
    scaleFactor = { "scale_factor", "s", "number" },
    setEnabled = { "set_enabled", "sb", "self" },
    setRotation = { "set_rotation", "snpp", "self" },
    transform = { "transform", "snnn", "self" },
    turn = OF_TWO.turn,
  },
  world = {
    at = { "world_ask", "wnnlo", "list", asks = "ask_at" },
    cast = { "world_ask", "wsnno", 7, with_shape = true, asks = "ask_cast" },
    collide = { "world_ask", "ws", 3, asks = "ask_way_out" },
    count = { "world_count", "w", 1 },
    has = { "world_has", "ws", "flag" },
    query = { "world_ask", "wnnnnlo", "list", asks = "ask_box", first = "type(b) == 'number'",
      other = { "world_ask", "wsl", "list", asks = "ask_shape" } },
    raycast = { "world_ask", "wnnnno", 6, with_shape = true, asks = "ask_raycast" },
    visible = { "world_ask", "wnnnlo", "vertices", asks = "ask_visible", first = "type(d) == 'number'",
      other = { "world_ask", "wnnslo", "vertices", asks = "ask_visible" } },
  },
  quadtree = {
    count = { "quadtree_count", "t", 1 },
  },
  siblings = {
    answered = { "world_ask", "wl", "list", asks = "ask_answered", element = "places[found(a, 1, i - 1)]" },
    checkAnswered = { "check_way", "wsnnc", 4, more = ", 0, 0, 0" },
    setRectangle = { "set_rectangle", "snnnn", "self" },
  },
}

-- The checks of arguments. A null pointer of the FFI equals nil, but has another type.
local CHECKS = {
  s = "metatableOf(%s) == shapes",
  n = "type(%s) == 'number'",
  b = "type(%s) == 'boolean'",
  c = "type(%s) == 'string'",
  w = "metatableOf(%s) == worlds",
  t = "metatableOf(%s) == trees",
  o = "isWho and (type(as) == 'nil' or metatableOf(as) == shapes)",
  p = "(type(%s) == 'nil' or type(%s) == 'number' and %s == %s)", -- NaN stands for nil
  l = "(type(%s) == 'nil' or type(%s) == 'table' and type(metatableOf(%s)) == 'nil')",
}

-- A function `try` has a fixed number of parameters, since no trace starts at a function with a variable number of
-- arguments, and it has no branches, so that one trace covers it. It returns nothing if the C function has to take the
-- call. It does not end in a call, which would be a tail call, and the trace would go on in the caller.
--
-- Answers of several numbers are in memory that all calls share, and another call may come in between, such as a
-- finalizer's when a trace is left. So each answer has a serial number, which must be unchanged after all numbers have
-- been read. The serial number is 0 if there is no answer. The function reads all numbers before it tests for 0, to
-- have no branch, unless it looks up a shape by a number.
--
-- The addition of 0 turns -0 into 0. It also makes LuaJIT for x86 and x64 read the number at once: otherwise LuaJIT may
-- read a number from memory where it is first used, even if a call in between has changed it (noconflict in
-- lj_asm_x86.h looks for stores, not for calls).
--
-- The function that a script calls passes all its arguments on and no more, since a missing argument differs from nil.

local HEAD = [[
local given, otherwise, first, second = ...
local metatableOf, type, KINDS, HOW = given.metatableOf, given.type, given.KINDS, given.HOW
local remember, isOver, readWho = given.remember, given.isOver, given.readWho
local shapes, worlds, trees, cursors, spent, stateTables
local context, counter, value, call, callOther, idleCursors, stepBack, reportMemory, found, seen
local newTable
shapes, worlds, trees, spent, stateTables = given.shapes, given.worlds, given.trees, given.spent, given.stateTables
cursors, reportMemory = given.cursors, given.reportMemory
context, counter, value, call, callOther = given.context, given.counter, given.value, first, second
idleCursors, stepBack, found, seen = given.idleCursors, given.stepBack, given.found, given.seen
newTable = given.newTable
]]

-- The conditions of who: a shape or nil is one, and a table has several.
local WHO = "as, mask, sensors, except1, except2, except3, except4, except5, except6, except7, except8"
local NO_WHO = "nil, -1, 0, nil, nil, nil, nil, nil, nil, nil, nil"
local READING_WHO = "local isWho, " .. WHO .. [[ = true, %s, -1, 0
  if type(%s) == 'table' or type(%s) == 'number' then isWho, ]] .. WHO .. [[ = readWho(%s) end]]

-- The text of a function `try` with these steps and, for answers with shapes of a world, with its state table.
local function tryOf(steps, hasState)
  return "local function $try($parameters)\n  $reading\n"
    .. (hasState and "local stateTable = stateTables[a]\n  if not ($checks) or not stateTable" or "  if not ($checks)")
    .. " then return end\n" .. steps .. "end\n"
end

-- The functions `try`, by their results.
local TRIES = {
  self = tryOf [[
  local status = $call($arguments)
  return status == 0
]],
  ["yes or no"] = tryOf [[
  local status = $call(context, $arguments)
  return status
]],
  flag = tryOf [[
  local status = $call($arguments)
  return status
]],
  number = tryOf [[
  local number = $call($arguments) + 0
  return number
]],
  kind = tryOf [[
  local number = $call($arguments)
  return KINDS[number]
]],
  numbers = tryOf [[
  local serial = $call(context, $arguments)
  return serial, $values, counter[0]
]],
  ["numbers and a shape"] = tryOf([[
  local serial = $call(context, $arguments)
  if serial <= 0 then return serial end
  local other = stateTable[$place][value[0] + 0]
  return serial, other, $values, counter[0]
]], true),
  list = tryOf([[
  local serial = $call(context, $arguments)
  if serial <= 0 then return serial end
  local count, places = (value[0] + 0) * $each, stateTable[$place]
  local list = $list or newTable(count, 0)
  for i = 1, count do list[i] = $element end
  if $list then
    local behind = count + 1
    while list[behind] ~= nil do list[behind], behind = nil, behind + 1 end
    if #list ~= count then return 0 end
  end
  return serial, list, count / $each, counter[0]
]], true),
}
TRIES.vertices = TRIES.list

-- The code that handles those results; without a result the call goes on to the C function.
local ANSWERS = {
  self = "if $try(...) then return (...) end",
  ["yes or no"] = [[
    local status = $try(...)
    if status == 0 then return true end
    if status == 1 then return false end]],
  number = [[
    local number = $try(...)
    if number then return number end]],
  numbers = [[
    local serial, $results, last = $try(...)
    if serial == 0 then return nil end
    if serial and serial == last then $return end]],
  ["numbers and a shape"] = [[
    local serial, other, $results, last = $try(...)
    if serial == 0 then return nil end
    if serial and serial == last then return other, $results end
    if not serial then remember(...) end]],
  list = [[
    local serial, list, count, last = $try(...)
    if serial and serial == last then return list, count end
    if not serial then remember(...) end]],
}
ANSWERS.kind, ANSWERS.flag, ANSWERS.vertices = ANSWERS.number, ANSWERS["yes or no"], ANSWERS.list

local WHOLE = [[
$head $tries
return function(...)
  $answer
  return otherwise(...)
end
]]
local WHOLE_OF_TWO = [[
$head $tries
return function(...)
  local _, b, c, d = ...
  if $first then
    $answer
  else
    $other
  end
  return otherwise(...)
end
]]

-- ---------------------------------------------------------------- rows of loops

-- The core takes the steps of a loop, and returns indices into a list of the state table of the world or quadtree.
-- State tables are remembered here, like the tables of data: no script may obtain one. The core knows which cursors are
-- idle. The table of idle cursors only suggests one, since the functions here that update it may be interrupted.

-- Beginnings: rows like those above. Each makes a function that returns a cursor, or nothing if the C function has to
-- begin the loop. The cursor of a loop without steps is `spent`, whose loop has ended and whose world is not in use.
local BEGINNINGS = {
  ofOne = { "begin_of_one", "ws", has_subject = true },
  hits = { "begin_hits", "w" },
  raycasts = { "begin_raycasts", "wnnnno" },
}

local BEGINNING = [[
$head
return function($parameters)
  $reading
  local stateTable = stateTables[a]
  if not ($checks) or not stateTable then return end
  local idle = stateTable[$cursors]
  local place = idleCursors(a)
  local cursor = idle[place]
  if metatableOf(cursor) ~= cursors then return end
  if not stateTables[cursor] then stateTables[cursor] = stateTable end
  $remember
  local status = call($arguments)
  if status == $nothing then return spent end
  if status == $refused then return end
  idle[place] = false
  if status == $toReport then reportMemory(a) end
  return cursor
end
]]

-- Iterators: { the function's name in the interface, its results }, which are letters as in csrc/lua/cursor.h.
-- Shapes and items are looked up before the serial number is read: calls that change indices change it, too. No
-- function returns a state table: a script that obtains the function by the jit library could remove shapes from the
-- list of the world.
local ITERATORS = {
  all = { "next_collision", "mmnnn" },
  ofOne = { "next_of_one", "mnnn", has_subject = true },
  hits = { "next_hit", "mnnnnnrnn" },
  raycasts = { "next_raycast", "mnnnnnn" },
  pairs = { "next_pair", "mm" },
}

local RESULTS = { m = "members[value[%] + 0]", n = "value[%] + 0", r = "HOW[value[%] + 0]" }

-- The iterator has one parameter, since it does not need the others that a loop passes.
local ITERATOR = [[
$head
local function try(cursor)
  if metatableOf(cursor) ~= cursors then return end
  local stateTable = stateTables[cursor]
  if not stateTable then return end
  local serial = call(cursor$subject)
  if serial <= 0 then return serial end
  local members = stateTable[$members]
  local $names = $values
  return serial, $names, counter[0]
end

return function(cursor)
  if cursor == spent then return nil end
  local serial, $names, last = try(cursor)
  if serial then
    if serial > 0 then
      if serial == last then return $names end
      stepBack(cursor)
    elseif isOver(cursor, serial) then
      return nil
    end
  end
  return otherwise(cursor)
end
]]

-- ---------------------------------------------------------------- variables

local gsub, ipairs, loadstring, nextKey, select, setfenv -- as they were when the module was loaded,
local setmetatable, sub, type -- and these, too
local metatableOf, shapes, worlds, trees, cursors
local cast -- of the FFI
local interface -- the calls of csrc/lua/calls.h, which write the `value` of the `context` and its serial number
local context, counter, value
local dataTableOf, stateTableOf, reportMemory -- see csrc/lua/calls.c
local takeValues, outlineTaken -- see csrc/lua/outline.c
local dataTables, stateTables -- by shape and by world, quadtree or cursor; they keep nothing alive
local module, others -- the functions of the module and the C functions, which no script can have changed
local spent -- a cursor whose loop has ended
local given -- the values that the templates use

local RESPONSES -- numbers by name
local MEMBERS, WORLD_SUBJECTS, TREE_NUMBERS, CURSORS, SELF -- places in state tables
local ENDED, REFUSED, TO_REPORT, NOTHING -- results of calls of loops; see csrc/lua/calls.h

local checkWay, goAsChecked, updateItem, idleCursors

local function isShape(a) return metatableOf(a) == shapes end

-- LuaJIT aborts a trace that makes a closure, and tries again later, when nothing has to be remembered any more.
local function giveUp() end

local function remember(owner)
  if not stateTables[owner] then giveUp(function() return owner end) end
  local stateTable = stateTableOf(owner)
  if stateTable then stateTables[owner] = stateTable end
end

-- ---------------------------------------------------------------- who is asked

-- Whether the first of eight values are so many shapes, and the others are nil.
local function areShapes(n, a, b, c, d, e, f, g, h)
  return (type(a) == "nil" or metatableOf(a) == shapes) and (type(b) == "nil" or metatableOf(b) == shapes)
    and (type(c) == "nil" or metatableOf(c) == shapes) and (type(d) == "nil" or metatableOf(d) == shapes)
    and (type(e) == "nil" or metatableOf(e) == shapes) and (type(f) == "nil" or metatableOf(f) == shapes)
    and (type(g) == "nil" or metatableOf(g) == shapes) and (type(h) == "nil" or metatableOf(h) == shapes)
    and (type(a) == "nil") == (n < 1) and (type(b) == "nil") == (n < 2) and (type(c) == "nil") == (n < 3)
    and (type(d) == "nil") == (n < 4) and (type(e) == "nil") == (n < 5) and (type(f) == "nil") == (n < 6)
    and (type(g) == "nil") == (n < 7) and (type(h) == "nil") == (n < 8)
end

-- The number of keys of a table, up to 5. The calls are in a row, since a trace ends at a loop.
local function countKeys(list)
  local count, key = 0, nextKey(list)
  if type(key) ~= "nil" then count, key = 1, nextKey(list, key) end
  if type(key) ~= "nil" then count, key = 2, nextKey(list, key) end
  if type(key) ~= "nil" then count, key = 3, nextKey(list, key) end
  if type(key) ~= "nil" then count, key = 4, nextKey(list, key) end
  return type(key) == "nil" and count or 5
end

local function isGiven(condition) return type(condition) == "nil" and 0 or 1 end

local function isMask(mask)
  return type(mask) == "number" and mask >= 0 and mask <= 4294967295 and mask % 1 == 0
end

-- Reads a mask or a table of conditions: true, and the arguments of a call; or nothing if the C function has to read
-- it. A field of another name is one more key than there are conditions.
local function readWho(who)
  if isMask(who) then return true, nil, who, 0 end
  if type(who) ~= "table" or type(metatableOf(who)) ~= "nil" then return end
  local except, mask, as, sensors = who.except, who.mask, who.as, who.sensors
  if countKeys(who) ~= isGiven(except) + isGiven(mask) + isGiven(as) + isGiven(sensors) then return end
  if type(mask) == "nil" then mask = -1
  elseif not isMask(mask) then return end
  if type(sensors) == "nil" then sensors = 0
  elseif type(sensors) == "boolean" then sensors = sensors and 2 or 1
  elseif sensors == "only" then sensors = 3
  else return end
  if type(except) ~= "table" then
    if areShapes(isGiven(except), except) then return true, as, mask, sensors, except end
    return
  end
  local n, a, b, c, d = #except, except[1], except[2], except[3], except[4]
  local e, f, g, h = except[5], except[6], except[7], except[8]
  if type(metatableOf(except)) ~= "nil" or n > 8 or not areShapes(n, a, b, c, d, e, f, g, h) then return end
  return true, as, mask, sensors, a, b, c, d, e, f, g, h
end

-- ---------------------------------------------------------------- functions from the template

local PARAMETERS = "a, b, c, d, e, f, g"

local function listOf(count, each, first)
  local list = ""
  for i = 1, count do list = list .. (i > 1 and ", " or "") .. gsub(each, "%%", i - 1 + first) end
  return list
end

-- The parameters of a row, their checks, and the arguments for the core.
local function namesOf(row)
  local reading, checks, arguments, list, count = "", "", "", nil, #row[2]
  local shape, numbers, who = "nil", "", NO_WHO
  for i = 1, count do
    local letter, parameter = sub(row[2], i, i), sub(PARAMETERS, 3 * i - 2, 3 * i - 2)
    checks = checks .. (i > 1 and " and " or "") .. gsub(CHECKS[letter], "%%s", parameter)
    if letter == "o" then reading, parameter, who = gsub(READING_WHO, "%%s", parameter) .. "", WHO, WHO
    elseif letter == "s" then shape = parameter
    elseif letter == "n" then numbers = numbers .. parameter .. ", " end
    if letter == "p" then parameter = "(type(" .. parameter .. ") == 'nil' and 0 / 0 or " .. parameter .. ")" end
    if letter == "l" then list = parameter
    else arguments = arguments .. (i > 1 and ", " or "") .. parameter end
  end
  arguments = arguments .. (row.more or "")
  if row.asks then
    arguments = "a, " .. interface[row.asks] .. ", " .. shape .. ", " .. sub(numbers .. "0, 0, 0, 0, ", 1, 12) .. who
  end
  return {
    parameters = sub(PARAMETERS, 1, 3 * count - 2), reading = reading, checks = checks, arguments = arguments,
    list = list, head = HEAD,
  }
end

-- The texts of the function `try` and of the code that handles its results.
local function textsOf(row, try, call)
  local gives, numbers = row[3], type(row[3]) == "number" and row[3] or 0
  if type(gives) == "number" then gives = row.with_shape and "numbers and a shape" or "numbers" end
  local results, last, names = listOf(numbers, "v%", 1), "v" .. numbers, namesOf(row)
  names.try, names.call, names.place, names.results = try, call, MEMBERS, results
  names.each, names.element = 1, row.element or "places[found(a, 0, i - 1)]"
  if gives == "vertices" then names.each, names.element = 2, "seen(a, i - 1) + 0" end
  names.values, names["return"] = listOf(numbers, "value[%] + 0", row.with_shape and 1 or 0), "return " .. results
  if row.may_end_after then -- NaN stands for missing numbers
    names["return"] = "if " .. last .. " ~= " .. last .. " then return " .. listOf(row.may_end_after, "v%", 1)
      .. " end return " .. results
  end
  return gsub(TRIES[gives], "%$(%w+)", names) .. "", gsub(ANSWERS[gives], "%$(%w+)", names) .. ""
end

-- Runs a template with these names replaced, and these functions of the interface.
local function run(template, names, otherwise, call, callOther)
  local chunk = setfenv(loadstring(gsub(template, "%$(%w+)", names) .. "", "@sat/fast.lua: " .. call), {})
  return chunk(given, otherwise, interface[call], callOther and interface[callOther])
end

local function makeOfRow(row, otherwise)
  local other, names = row.other, { head = HEAD, first = row.first }
  names.tries, names.answer = textsOf(row, "try", "call")
  if not other then return run(WHOLE, names, otherwise, row[1]) end
  local tries = names.tries
  names.tries, names.other = textsOf(other, "tryOther", "callOther")
  names.tries = tries .. names.tries
  return run(WHOLE_OF_TWO, names, otherwise, row[1], other[1])
end

-- ---------------------------------------------------------------- moves and data

-- The centroid at which a move of the shape in the world would end, the number of its hits, and the remaining motion.
local function tryCheck(world, shape, dx, dy, response)
  local number = RESPONSES[type(response) == "nil" and "slide" or response]
  if type(number) ~= "number" or type(dx) ~= "number" or type(dy) ~= "number" then return false end
  if metatableOf(world) ~= worlds or not isShape(shape) then return false end
  local serial = checkWay(context, world, shape, dx, dy, nil, number, 0, 0)
  return serial, value[0] + 0, value[1] + 0, value[2] + 0, value[3] + 0, value[4] + 0, counter[0]
end

local function tryMoveAsChecked(world, shape, x, y)
  return metatableOf(world) == worlds and isShape(shape) and type(x) == "number" and type(y) == "number"
    and goAsChecked(world, shape, x, y, 0) == 0
end

local function checking(otherwise)
  return function(...)
    local serial, x, y, n, rx, ry, last = tryCheck(...)
    if serial and serial == last then return x, y, n, rx, ry end
    return otherwise(...)
  end
end

local function moving(otherwise)
  return function(...)
    local world, shape = ...
    local serial, x, y, n, rx, ry, last = tryCheck(...)
    if serial and serial == last and tryMoveAsChecked(world, shape, x, y) then return x, y, n, rx, ry end
    return otherwise(...)
  end
end

-- The angle by which a turn of the shape in the world would turn it, and the number of its hits.
local function tryCheckTurn(world, shape, angle, response, px, py)
  local number = RESPONSES[type(response) == "nil" and "touch" or response]
  local at_centre = type(px) == "nil" and type(py) == "nil" -- which NaN stands for
  if at_centre then px, py = 0, 0 end
  if type(number) ~= "number" or type(angle) ~= "number" or type(px) ~= "number" then return false end
  if type(py) ~= "number" or px ~= px or metatableOf(world) ~= worlds or not isShape(shape) then return false end
  local serial = checkWay(context, world, shape, at_centre and 0 / 0 or px, py, nil, number, angle, 1)
  return serial, value[0] + 0, value[1] + 0, counter[0]
end

local function tryTurnAsChecked(world, shape)
  return metatableOf(world) == worlds and isShape(shape) and goAsChecked(world, shape, 0, 0, 1) == 0
end

local function checkingTurn(otherwise)
  return function(...)
    local serial, turned, n, last = tryCheckTurn(...)
    if serial and serial == last then return turned, n end
    return otherwise(...)
  end
end

local function turning(otherwise)
  return function(...)
    local world, shape = ...
    local serial, turned, n, last = tryCheckTurn(...)
    if serial and serial == last and tryTurnAsChecked(world, shape) then return turned, n end
    return otherwise(...)
  end
end

-- A shape keeps its data in a table, at 1. The tables are remembered here by shape, with weak keys and values, so that
-- neither is kept alive.
local function tryDataTable(shape) return dataTables[shape] end

local function givingData(otherwise)
  return function(...)
    local shape = ...
    local dataTable = tryDataTable(shape)
    if dataTable then return dataTable[1] end
    if isShape(shape) then dataTables[shape] = dataTableOf(shape) end
    return otherwise(...)
  end
end

-- ---------------------------------------------------------------- items

-- The number of an item is looked up here, and another call in between, such as a finalizer's, may give the number to
-- another item. So the core gets the serial number from before the look-up: every call that changes items changes it.

local function tryUpdate(tree, shape)
  local stateTable = stateTables[tree]
  if metatableOf(tree) ~= trees or not isShape(shape) or not stateTable then return end
  local serial = counter[0]
  local number = stateTable[TREE_NUMBERS][shape]
  if type(number) ~= "number" then return end
  local status = updateItem(context, serial, tree, number, shape, 0, 0, 0, 0)
  return status
end

local function tryUpdateToBox(tree, item, x, y, w, h)
  local stateTable = stateTables[tree]
  if type(x) ~= "number" or type(y) ~= "number" or type(w) ~= "number" or type(h) ~= "number" then return end
  if metatableOf(tree) ~= trees or not stateTable then return end
  local serial = counter[0]
  local number = stateTable[TREE_NUMBERS][item]
  if type(number) ~= "number" then return end
  local status = updateItem(context, serial, tree, number, nil, x, y, w, h)
  return status
end

local function updating(otherwise)
  return function(...)
    local tree, item, x, y, w, h = ...
    local status
    if select("#", ...) == 2 then status = tryUpdate(tree, item)
    else status = tryUpdateToBox(tree, item, x, y, w, h)
    end
    if status == 0 then return tree end
    if not status then remember(tree) end
    return otherwise(...)
  end
end

-- ---------------------------------------------------------------- outlines

-- Reads the values of a list into memory, as csrc/lua/outline.c does: 1 for numbers, 0 for booleans, or nothing if the
-- C function has to read them. LuaJIT has a type for each boolean, and would compile a loop for each two of them.
local function readValues(values, list, count, empty)
  local numbers, trues = 0, 0
  for i = 1, count do
    local solidity = list[i]
    if type(solidity) == "number" then values[i - 1], numbers = solidity, 1
    elseif type(solidity) ~= "boolean" and type(solidity) ~= "nil" then return
    elseif solidity then values[i - 1], trues = 1, 1
    else values[i - 1] = empty
    end
  end
  if numbers + trues < 2 then return numbers end
end

local function isSide(side) return type(side) == "number" and side >= 1 and side <= 16384 and side % 1 == 0 end

local function tryOutline(list, w, h, threshold)
  if type(threshold) == "nil" then threshold = 0.5 end
  if type(list) ~= "table" or type(metatableOf(list)) ~= "nil" or type(list.getDimensions) ~= "nil" then return end
  if not (isSide(w) and isSide(h) and type(threshold) == "number") then return end
  local memory = takeValues(w * h)
  local numbers = readValues(cast("double *", memory), list, w * h, threshold > 0 and 0 or threshold - 1)
  if not numbers then return end
  local polygons, n = outlineTaken(threshold, memory, w, h, numbers == 1)
  return polygons, n
end

local function outlining(otherwise)
  return function(...)
    local list, w, h, threshold = ...
    local polygons, n
    if select("#", ...) <= 4 then polygons, n = tryOutline(list, w, h, threshold) end
    if polygons then return polygons, n end
    return otherwise(...)
  end
end

-- ---------------------------------------------------------------- loops

local function makeBeginning(row)
  local names = namesOf(row)
  names.arguments = "a, cursor" .. sub(names.arguments, 2)
  names.cursors, names.refused, names.toReport, names.nothing = CURSORS, REFUSED, TO_REPORT, NOTHING
  names.remember = row.has_subject and "stateTable[" .. WORLD_SUBJECTS .. "][cursor] = b" or ""
  return run(BEGINNING, names, nil, row[1])
end

local function makeIterator(row, otherwise)
  local results, values, subjects = row[2], "", "stateTable[" .. WORLD_SUBJECTS .. "]" -- which no quadtree has
  for i = 1, #results do
    values = values .. (i > 1 and ", " or "") .. gsub(RESULTS[sub(results, i, i)], "%%", i - 1)
  end
  return run(ITERATOR, {
    head = HEAD, members = MEMBERS, names = listOf(#results, "v%", 1), values = values,
    subject = row.has_subject and ", " .. subjects .. " and " .. subjects .. "[cursor]" or "",
  }, otherwise, row[1])
end

-- Handles a step without result: adds the cursor of a loop that has just ended to the idle ones. Returns whether the
-- loop has ended.
local function isOver(cursor, serial)
  if serial == ENDED then
    local stateTable = stateTables[cursor]
    stateTable[CURSORS][idleCursors(stateTable[SELF])] = cursor
  end
  return serial == ENDED or serial == 0
end

-- The C function begins loops over hits and rays until a cursor has been idle.
local function beginning(otherwise, name, subject)
  local tryBegin = makeBeginning(BEGINNINGS[name])
  local next = makeIterator(ITERATORS[name], (otherwise(module.world(), subject, subject, subject, subject)))
  return function(...)
    local cursor = tryBegin(...)
    if cursor then return next, cursor, nil, cursor end
    remember(...)
    return otherwise(...)
  end
end

local function beginningHits(otherwise) return beginning(otherwise, "hits") end

local function beginningRaycasts(otherwise) return beginning(otherwise, "raycasts", 0) end

-- The loops that the C function begins get an iterator of the fast path. Where the C function may raise an error, the
-- call is the last one, so that the error names the caller. Only cursors that have been idle are remembered: if every
-- loop is left by break, each has a new cursor.

local function countIdle(world) return metatableOf(world) == worlds and idleCursors(world) or -1 end

local function countIdleOfTree(tree) return metatableOf(tree) == trees and idleCursors(tree) or -1 end

local function beginningCollisions(otherwise)
  local ofAll, ofOne = otherwise(module.world()), otherwise(module.world(), module.point(0, 0))
  local nextOfAll, nextOfShape = makeIterator(ITERATORS.all, ofAll), makeIterator(ITERATORS.ofOne, ofOne)
  local tryBeginOfOne = makeBeginning(BEGINNINGS.ofOne)
  return function(...)
    local world, shape = ...
    local isOfOne = isShape(shape)
    if isOfOne then
      local cursor = tryBeginOfOne(world, shape)
      if cursor then return nextOfShape, cursor, nil, cursor end
    end
    local idle = countIdle(world)
    if idle < 0 or not isOfOne and select("#", ...) > 1 then return otherwise(...) end
    local _, cursor = otherwise(...)
    if idle > 0 then remember(cursor) end
    if not isOfOne then return nextOfAll, cursor, nil, cursor end
    remember(world)
    return nextOfShape, cursor, nil, cursor
  end
end

local function beginningPairs(otherwise)
  local nextOfPairs = makeIterator(ITERATORS.pairs, (otherwise(module.quadtree(0, 0, 1, 1))))
  return function(...)
    local tree = ...
    local idle = countIdleOfTree(tree)
    if idle < 0 then return otherwise(...) end
    local _, cursor = otherwise(tree)
    if idle > 0 then remember(cursor) end
    return nextOfPairs, cursor, nil, cursor
  end
end


-- ---------------------------------------------------------------- making

local SPECIAL = {
  sat = { outline = outlining },
  shape = { data = givingData },
  world = {
    check = checking, checkTurn = checkingTurn, move = moving, turn = turning, collisions = beginningCollisions,
    hits = beginningHits, raycasts = beginningRaycasts,
  },
  quadtree = { pairs = beginningPairs, update = updating },
}

-- Keeps the functions of the standard libraries as they were when the module was loaded.
local function takeLibraries(taken)
  gsub, sub, ipairs, loadstring, nextKey = taken.gsub, taken.sub, taken.ipairs, taken.loadstring, taken.next
  select, setfenv, setmetatable, type = taken.select, taken.setfenv, taken.setmetatable, taken.type
end

local function takeInterface(taken)
  cast, takeValues, outlineTaken = taken.cast, taken.takeValues, taken.outlineTaken
  interface = cast(taken.declaration, taken.interface)
  context, counter, value = interface.context, interface.serial, cast("double *", interface.value)
  MEMBERS, CURSORS, SELF = interface.members, interface.cursors, interface.self
  WORLD_SUBJECTS, TREE_NUMBERS = interface.world_subjects, interface.tree_numbers
  ENDED, REFUSED = interface.ended, interface.refused
  TO_REPORT, NOTHING = interface.to_report, interface.nothing
  RESPONSES = { slide = interface.slide, touch = interface.touch, bounce = interface.bounce, push = interface.push,
    cross = interface.cross }
  checkWay, goAsChecked = interface.check_way, interface.go_as_checked
  updateItem, idleCursors = interface.update_item, interface.idle_cursors
  dataTableOf, stateTableOf, reportMemory = taken.dataTableOf, taken.stateTableOf, taken.reportMemory
  dataTables, stateTables = setmetatable({}, { __mode = "kv" }), setmetatable({}, { __mode = "kv" })
end

-- Finds the metatables of worlds, quadtrees and their cursors.
local function takeMetatables()
  local world = module.world()
  worlds, trees = metatableOf(world), metatableOf(module.quadtree(0, 0, 1, 1))
  local all, cursor = others.world.collisions(world)
  cursors = metatableOf(cursor)
  all(cursor)
  spent = cursor
end

-- The names of the kinds of shapes by number, as the binding gives them.
local function findKinds()
  local point, segment, kinds = module.point(0, 0), module.segment(0, 0, 1, 0), {}
  for _, shape in ipairs { point, segment, module.circle(0, 0, 1), module.capsule(0, 0, 1, 0, 1),
    module.regular(0, 0, 1, 3), module.chain { 0, 0, 1, 0, 1, 1 }, module.compound(point, segment) } do
    kinds[interface.kind(shape)] = others.shape.kind(shape)
  end
  return kinds
end

-- Returns the function that makes the fast function of a name, for the module or for the methods of a kind of values.
return function(taken)
  takeLibraries(taken)
  metatableOf, shapes, module, others = taken.metatableOf, taken.shapes, taken.module, taken.others
  takeInterface(taken)
  takeMetatables()
  local how = { [interface.freed] = "free", [interface.stuck] = "stuck" }
  for _, name in ipairs { "slide", "touch", "bounce", "push", "cross" } do how[RESPONSES[name]] = name end
  given = {
    metatableOf = metatableOf, type = type, KINDS = findKinds(), HOW = how, remember = remember, isOver = isOver,
    readWho = readWho,
    shapes = shapes, worlds = worlds, trees = trees, cursors = cursors,
    spent = spent, stateTables = stateTables, context = context, counter = counter, value = value,
    reportMemory = reportMemory, idleCursors = idleCursors, stepBack = interface.step_back,
    found = interface.world_found, seen = interface.world_seen, newTable = taken.newTable,
    interface = taken.interface, -- the userdata, which holds the calls
  }
  return function(kind, name)
    local otherwise, special = others[kind][name], SPECIAL[kind] and SPECIAL[kind][name]
    return special and special(otherwise) or makeOfRow(ROWS[kind][name], otherwise)
  end
end
