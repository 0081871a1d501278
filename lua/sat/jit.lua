-- The fast path for LuaJIT: methods that compiled code calls without leaving it.
--
-- A C function of the Lua API ends a trace. So on LuaJIT, with its compiler on, the methods that games call most are
-- replaced by Lua functions which check their arguments and call the core through the FFI. They answer what is easy: on
-- any doubt, a wrong argument above all, they pass their arguments on to the function that they stand for, and say
-- nothing of their own. So there is one contract and one set of error messages.
--
-- A pointer must be a shape's, or the core reads what is none. Shapes are known by their metatable, which no script can
-- get at: asked for by debug.getmetatable, since a script can give its own userdata the same __metatable field. Nor may
-- a script ever get hold of something that the FFI made, with which it could write anywhere: it stays in the variables
-- below. Traces hold the values of variables that never change, and jit.util shows what traces hold: hence these are
-- not set where they are declared.

local debug, ipairs, jit, pcall, require, select, setmetatable, type =
  debug, ipairs, jit, pcall, require, select, setmetatable, type
if setfenv then setfenv(1, {}) end -- which getfenv would show to those who are not to see ours

local metatableOf, shapes, interface, value -- see lua/ffi.c, as for what follows
local move, moveTo, rotate, rotateAbout, setRotation, setRotationAbout, transform
local rotation, center, bounds, project, containsPoint, contains, overlaps, collide, distance, axis
local radius, isSensor, isStatic, isEnabled, kind, contacts, cast, checkMove, moveAsChecked
local dataTableOf, dataTables
local worlds, worldCursors, spent, trees, treeCursors, stateTableOf, stateTables, reportMemory
local idleCursors, beginOfOne, nextOfOne, nextCollision, nextPair, stepBack

local KINDS, RESPONSES -- names by number, and numbers by name
local WORLD_SHAPES, TREE_ITEMS, CURSORS -- places in the state tables of worlds and quadtrees
local REFUSED, FOUND, TO_REPORT, NOTHING -- results of a step; see lua/check.h

-- ---------------------------------------------------------------- what is easy

-- Each of these returns false or nothing where there is doubt. They have a fixed number of parameters, since no trace
-- starts at a function with any number of them, and up to the end one way through, so that one trace is all it takes.

local function isShape(a) return metatableOf(a) == shapes end

local function tryMove(shape, dx, dy)
  return type(dx) == "number" and type(dy) == "number" and isShape(shape) and move(shape, dx, dy) == 0
end

local function tryMoveTo(shape, x, y)
  return type(x) == "number" and type(y) == "number" and isShape(shape) and moveTo(shape, x, y) == 0
end

-- A null pointer of the FFI's equals nil, but is of another type.

local function tryRotate(shape, angle, px, py)
  return type(angle) == "number" and type(px) == "nil" and type(py) == "nil" and isShape(shape)
    and rotate(shape, angle) == 0
end

local function tryRotateAbout(shape, angle, px, py)
  return type(angle) == "number" and type(px) == "number" and type(py) == "number" and isShape(shape)
    and rotateAbout(shape, angle, px, py) == 0
end

local function trySetRotation(shape, angle, px, py)
  return type(angle) == "number" and type(px) == "nil" and type(py) == "nil" and isShape(shape)
    and setRotation(shape, angle) == 0
end

local function trySetRotationAbout(shape, angle, px, py)
  return type(angle) == "number" and type(px) == "number" and type(py) == "number" and isShape(shape)
    and setRotationAbout(shape, angle, px, py) == 0
end

local function tryTransform(shape, x, y, angle)
  return type(x) == "number" and type(y) == "number" and type(angle) == "number" and isShape(shape)
    and transform(shape, x, y, angle) == 0
end

-- Not returned in one step: that would be a tail call, and the trace go on in the caller.
local function tryRotation(shape)
  if not isShape(shape) then return end
  local angle = rotation(shape) + 0
  return angle
end

-- These return 0 for yes, 1 for no.

local function tryOverlaps(a, b)
  if not isShape(a) or not isShape(b) then return end
  local status = overlaps(interface, a, b)
  return status
end

local function tryContains(a, b)
  if not isShape(a) or not isShape(b) then return end
  local status = contains(interface, a, b)
  return status
end

local function tryContainsPoint(shape, x, y)
  if type(x) ~= "number" or type(y) ~= "number" or not isShape(shape) then return end
  local status = containsPoint(interface, shape, x, y)
  return status
end

-- Answers of several numbers lie in a memory that all share, and something may come in between, such as a finalizer
-- when a trace is left. So each has a number of its own, which must still be there when the others have been read.
--
-- Adding 0 makes 0 of -0. But above all it is a reason to read the number now: LuaJIT for x86 and x64 reads a number
-- from memory where it is first used, though another call be in between that has changed it (its noconflict, of
-- lj_asm_x86.h, looks out for stores, not for calls).

local function tryCenter(shape)
  if not isShape(shape) then return end
  local serial = center(interface, shape)
  local x, y = value[0] + 0, value[1] + 0
  if interface.serial == serial then return x, y end
end

local function tryBounds(shape)
  if not isShape(shape) then return end
  local serial = bounds(interface, shape)
  local x, y, w, h = value[0] + 0, value[1] + 0, value[2] + 0, value[3] + 0
  if interface.serial == serial then return x, y, w, h end
end

-- A number that the core refuses leaves the serial number as it was, which REFUSED never is.
local function tryProject(shape, dx, dy)
  if type(dx) ~= "number" or type(dy) ~= "number" or not isShape(shape) then return end
  local serial = project(interface, shape, dx, dy)
  local low, high = value[0] + 0, value[1] + 0
  if interface.serial == serial then return low, high end
end

-- Whether the two meet is not asked here, for the sake of the one way through: the answer's number, which is 0 when
-- they do not, comes before the vector, and behind it the one that was there when that had been read.
local function tryCollide(a, b)
  if not isShape(a) or not isShape(b) then return false end
  local serial = collide(interface, a, b)
  return serial, value[0] + 0, value[1] + 0, value[2] + 0, interface.serial
end

local function tryDistance(a, b)
  if not isShape(a) or not isShape(b) then return end
  local serial = distance(interface, a, b)
  local d, ax, ay, bx, by = value[0] + 0, value[1] + 0, value[2] + 0, value[3] + 0, value[4] + 0
  if interface.serial == serial then return d, ax, ay, bx, by end
end

local function tryContacts(a, b)
  if not isShape(a) or not isShape(b) then return false end
  local serial = contacts(interface, a, b)
  return serial, value[0] + 0, value[1] + 0, value[2] + 0, value[3] + 0, value[4] + 0, value[5] + 0, value[6] + 0,
    interface.serial
end

local function tryCast(a, dx, dy, b)
  if type(dx) ~= "number" or type(dy) ~= "number" or not isShape(a) or not isShape(b) then return false end
  local serial = cast(interface, a, dx, dy, b)
  return serial, value[0] + 0, value[1] + 0, value[2] + 0, value[3] + 0, value[4] + 0, interface.serial
end

-- Where a move of the shape in the world would end, how many it would hit, and what is left of the motion.
local function tryCheck(world, shape, dx, dy, response)
  local number = RESPONSES[type(response) == "nil" and "slide" or response]
  if type(number) ~= "number" or type(dx) ~= "number" or type(dy) ~= "number" then return false end
  if metatableOf(world) ~= worlds or not isShape(shape) then return false end
  local serial = checkMove(interface, world, shape, dx, dy, number)
  return serial, value[0] + 0, value[1] + 0, value[2] + 0, value[3] + 0, value[4] + 0, interface.serial
end

local function tryMoveAsChecked(world, shape, x, y)
  return metatableOf(world) == worlds and isShape(shape) and type(x) == "number" and type(y) == "number"
    and moveAsChecked(world, shape, x, y) == FOUND
end

local function tryRadius(shape)
  if not isShape(shape) then return end
  local number = radius(shape) + 0
  return number
end

local function tryIsSensor(shape)
  if not isShape(shape) then return end
  local answer = isSensor(shape)
  return answer
end

local function tryIsStatic(shape)
  if not isShape(shape) then return end
  local answer = isStatic(shape)
  return answer
end

local function tryIsEnabled(shape)
  if not isShape(shape) then return end
  local answer = isEnabled(shape)
  return answer
end

local function tryKind(shape)
  if not isShape(shape) then return end
  local number = kind(shape)
  return KINDS[number]
end

local function tryAxis(a, b)
  if not isShape(a) or not isShape(b) then return end
  local serial = axis(interface, a, b)
  local nx, ny, separation = value[0] + 0, value[1] + 0, value[2] + 0
  if interface.serial == serial then return nx, ny, separation end
end

-- A shape keeps its data in a table of its own, at 1. Where that is, is remembered here, and being weak on both sides
-- this keeps neither alive.
local function tryDataTable(shape) return dataTables[shape] end

-- ---------------------------------------------------------------- loops

-- A loop goes on in the core, which returns the indices of what it has found in a table of the state table of the world
-- or quadtree. State tables are remembered here, like the tables of data: no script may get hold of one. The core knows
-- which cursors are idle. The table of idle cursors only suggests one, since the functions that keep it here may be
-- interrupted.

-- Returns a cursor over the shapes that collide with the shape. Where there are none it is `spent`, whose loop is over
-- and whose world is not in use.
local function tryBeginOfOne(world, shape)
  if metatableOf(world) ~= worlds or not isShape(shape) then return end
  local stateTable = stateTables[world]
  if not stateTable then return end
  local idle = stateTable[CURSORS]
  local place = idleCursors(world)
  local cursor = idle[place]
  if metatableOf(cursor) ~= worldCursors then return end
  if not stateTables[cursor] then stateTables[cursor] = stateTable end
  local status = beginOfOne(world, cursor, shape)
  if status == NOTHING then return spent end
  if status == REFUSED then return end
  idle[place] = false
  if status == TO_REPORT then reportMemory(world) end
  return cursor
end

-- These take a step and return its result, or nothing. Shapes and items are looked up before the serial number of the
-- last result is: calls that change indices count it up, too. No function returns a state table: a script that gets
-- hold of the function, by the jit library, could take shapes out of the world's own list.

local function tryNextOfOne(cursor)
  if metatableOf(cursor) ~= worldCursors then return end
  local stateTable = stateTables[cursor]
  if not stateTable then return end
  local serial = nextOfOne(interface, cursor)
  if serial <= 0 then return serial end
  local other = stateTable[WORLD_SHAPES][value[1] + 0]
  return serial, other, value[2] + 0, value[3] + 0, value[4] + 0, interface.serial
end

local function tryNextCollision(cursor)
  if metatableOf(cursor) ~= worldCursors then return end
  local stateTable = stateTables[cursor]
  if not stateTable then return end
  local serial = nextCollision(interface, cursor)
  if serial <= 0 then return serial end
  local places = stateTable[WORLD_SHAPES]
  local a, b = places[value[0] + 0], places[value[1] + 0]
  return serial, a, b, value[2] + 0, value[3] + 0, value[4] + 0, interface.serial
end

local function tryNextPair(cursor)
  if metatableOf(cursor) ~= treeCursors then return end
  local stateTable = stateTables[cursor]
  if not stateTable then return end
  local serial = nextPair(interface, cursor)
  if serial <= 0 then return serial end
  local places = stateTable[TREE_ITEMS]
  local a, b = places[value[0] + 0], places[value[1] + 0]
  return serial, a, b, interface.serial
end

-- ---------------------------------------------------------------- what replaces what

-- Each of these makes the function that stands for `otherwise`. It passes on all that it gets and no more, since a
-- missing argument is not the same as nil.

local function changing(otherwise, try)
  return function(...)
    if try(...) then return (...) end
    return otherwise(...)
  end
end

local function turning(otherwise, try, tryAbout)
  return function(...)
    local _, _, px = ...
    if px == nil then
      if try(...) then return (...) end
    elseif tryAbout(...) then
      return (...)
    end
    return otherwise(...)
  end
end

local function judging(otherwise, try)
  return function(...)
    local status = try(...)
    if status == 0 then return true end
    if status == 1 then return false end
    return otherwise(...)
  end
end

local function judgingPoint(otherwise)
  return function(...)
    local _, x = ...
    if type(x) ~= "number" then return otherwise(...) end
    local status = tryContainsPoint(...)
    if status == 0 then return true end
    if status == 1 then return false end
    return otherwise(...)
  end
end

local function givingCenter(otherwise)
  return function(...)
    local x, y = tryCenter(...)
    if x then return x, y end
    return otherwise(...)
  end
end

local function givingBounds(otherwise)
  return function(...)
    local x, y, w, h = tryBounds(...)
    if x then return x, y, w, h end
    return otherwise(...)
  end
end

local function givingProjection(otherwise)
  return function(...)
    local low, high = tryProject(...)
    if low then return low, high end
    return otherwise(...)
  end
end

local function givingAxis(otherwise)
  return function(...)
    local nx, ny, separation = tryAxis(...)
    if nx then return nx, ny, separation end
    return otherwise(...)
  end
end

local function givingCollision(otherwise)
  return function(...)
    local serial, dx, dy, depth, last = tryCollide(...)
    if serial == 0 then return nil end
    if serial == last then return dx, dy, depth end
    return otherwise(...)
  end
end

local function givingDistance(otherwise)
  return function(...)
    local d, ax, ay, bx, by = tryDistance(...)
    if d then return d, ax, ay, bx, by end
    return otherwise(...)
  end
end

local function givingContacts(otherwise)
  return function(...)
    local serial, nx, ny, depth, x1, y1, x2, y2, last = tryContacts(...)
    if serial == 0 then return nil end
    if serial ~= last then return otherwise(...) end
    if x2 ~= x2 then return nx, ny, depth, x1, y1 end
    return nx, ny, depth, x1, y1, x2, y2
  end
end

local function givingCast(otherwise)
  return function(...)
    local serial, t, nx, ny, x, y, last = tryCast(...)
    if serial == 0 then return nil end
    if serial == last then return t, nx, ny, x, y end
    return otherwise(...)
  end
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

local function givingFlag(otherwise, try)
  return function(...)
    local answer = try(...)
    if answer == 1 then return true end
    if answer == 0 then return false end
    return otherwise(...)
  end
end

local function givingOne(otherwise, try)
  return function(...)
    local answer = try(...)
    if answer then return answer end
    return otherwise(...)
  end
end

local function givingData(otherwise)
  return function(...)
    local shape = ...
    local dataTable = tryDataTable(shape)
    if dataTable then return dataTable[1] end
    if isShape(shape) then dataTables[shape] = dataTableOf(shape) end
    return otherwise(...)
  end
end

-- What there is to do when a step has found nothing: gives a cursor whose loop is over now to the idle ones. Returns
-- whether that was all.
local function isOver(cursor, serial)
  if serial == REFUSED or serial > 0 then return false end
  if serial < REFUSED then
    stateTables[cursor][CURSORS][REFUSED - serial] = cursor
  end
  return true
end

-- These have one parameter, since all else that a loop passes to its iterator is nothing to it.

local function goingOnOfOne(otherwise)
  return function(cursor)
    if cursor == spent then return nil end
    local serial, other, dx, dy, depth, last = tryNextOfOne(cursor)
    if serial then
      if serial > 0 then
        if serial == last then return other, dx, dy, depth end
        stepBack(cursor)
      elseif isOver(cursor, serial) then
        return nil
      end
    end
    return otherwise(cursor)
  end
end

local function goingOnWithCollisions(otherwise)
  return function(cursor)
    local serial, a, b, dx, dy, depth, last = tryNextCollision(cursor)
    if serial then
      if serial > 0 then
        if serial == last then return a, b, dx, dy, depth end
        stepBack(cursor)
      elseif isOver(cursor, serial) then
        return nil
      end
    end
    return otherwise(cursor)
  end
end

local function goingOnWithPairs(otherwise)
  return function(cursor)
    local serial, a, b, last = tryNextPair(cursor)
    if serial then
      if serial > 0 then
        if serial == last then return a, b end
        stepBack(cursor)
      elseif isOver(cursor, serial) then
        return nil
      end
    end
    return otherwise(cursor)
  end
end

-- The loops that the other function begins get an iterator of ours in the place of its own. Where it may raise an error
-- it is called last, so that the error names the caller. Only cursors that have been idle are remembered: where
-- every loop is left by break each has a new one.

local function remember(owner) if not stateTables[owner] then stateTables[owner] = stateTableOf(owner) end end

local function countIdle(world) return metatableOf(world) == worlds and idleCursors(world) or -1 end

local function countIdleOfTree(tree) return metatableOf(tree) == trees and idleCursors(tree) or -1 end

local function beginningCollisions(otherwise, nextOfAll, nextOfShape)
  return function(...)
    local world, shape = ...
    local ofOne = isShape(shape)
    if ofOne then
      local cursor = tryBeginOfOne(world, shape)
      if cursor then return nextOfShape, cursor, nil, cursor end
    end
    local idle = countIdle(world)
    if idle < 0 or not ofOne and select("#", ...) > 1 then return otherwise(...) end
    local _, cursor = otherwise(...)
    if idle > 0 then remember(cursor) end
    if not ofOne then return nextOfAll, cursor, nil, cursor end
    remember(world)
    return nextOfShape, cursor, nil, cursor
  end
end

local function beginningPairs(otherwise, nextOfPairs)
  return function(...)
    local tree = ...
    local idle = countIdleOfTree(tree)
    if idle < 0 then return otherwise(...) end
    local _, cursor = otherwise(tree)
    if idle > 0 then remember(cursor) end
    return nextOfPairs, cursor, nil, cursor
  end
end

local function replaceLoops(ofWorlds, ofTrees, all, one, pairs)
  ofWorlds.collisions = beginningCollisions(ofWorlds.collisions, goingOnWithCollisions(all), goingOnOfOne(one))
  ofTrees.pairs = beginningPairs(ofTrees.pairs, goingOnWithPairs(pairs))
end

local function replaceFunctions(functions)
  functions.contains = judging(functions.contains, tryContains)
  functions.overlaps = judging(functions.overlaps, tryOverlaps)
  functions.collide = givingCollision(functions.collide)
  functions.distance = givingDistance(functions.distance)
  functions.contacts = givingContacts(functions.contacts)
  functions.cast = givingCast(functions.cast)
  functions.axis = givingAxis(functions.axis)
end

local function replaceMethods(methods)
  replaceFunctions(methods) -- as methods they are the same, but `contains` takes a point, too
  methods.contains = judgingPoint(methods.contains)
  methods.move = changing(methods.move, tryMove)
  methods.moveTo = changing(methods.moveTo, tryMoveTo)
  methods.transform = changing(methods.transform, tryTransform)
  methods.rotate = turning(methods.rotate, tryRotate, tryRotateAbout)
  methods.setRotation = turning(methods.setRotation, trySetRotation, trySetRotationAbout)
  methods.rotation = givingOne(methods.rotation, tryRotation)
  methods.radius = givingOne(methods.radius, tryRadius)
  methods.kind = givingOne(methods.kind, tryKind)
  methods.isSensor = givingFlag(methods.isSensor, tryIsSensor)
  methods.isStatic = givingFlag(methods.isStatic, tryIsStatic)
  methods.isEnabled = givingFlag(methods.isEnabled, tryIsEnabled)
  methods.center = givingCenter(methods.center)
  methods.bounds = givingBounds(methods.bounds)
  methods.project = givingProjection(methods.project)
  methods.data = givingData(methods.data)
end

-- ---------------------------------------------------------------- at the start

-- An interpreted call through the FFI takes several times as long as one of a C function, and a function is interpreted
-- until it has been called some hundred times. So that is done here and now, about a millisecond's work.
local function warmUp(sat)
  local a, b = sat.rectangle(0, 0, 4, 4), sat.rectangle(1, 1, 4, 4):setData(1)
  local world, tree = sat.world():add(a, b), sat.quadtree(0, 0, 1, 1):insert(a):insert(b)
  for _ = 1, 400 do
    tryMove(a, 0, 0)
    tryMoveTo(a, 2, 2)
    tryRotate(a, 0)
    tryRotateAbout(a, 0, 1, 1)
    trySetRotation(a, 0)
    trySetRotationAbout(a, 0, 1, 1)
    tryTransform(a, 2, 2, 0)
    tryRotation(a)
    tryOverlaps(a, b)
    tryContains(a, b)
    tryContainsPoint(a, 1, 1)
    tryCenter(a)
    tryBounds(a)
    tryProject(a, 1, 0)
    tryCollide(a, b)
    tryDistance(a, b)
    tryAxis(a, b)
    b:data()
    tryRadius(a)
    tryIsSensor(a)
    tryIsStatic(a)
    tryIsEnabled(a)
    tryKind(a)
    tryContacts(a, b)
    tryCast(a, 1, 0, b)
    tryCheck(world, a, 0, 0)
    tryMoveAsChecked(world, a, 2, 2)
    local all, cursor = world:collisions()
    all(cursor)
    all(cursor)
    local ofA, cursorOfA = world:collisions(a)
    ofA(cursorOfA)
    ofA(cursorOfA)
    local pairs, pairsCursor = tree:pairs()
    pairs(pairsCursor)
    pairs(pairsCursor)
  end
  world:release()
end

-- The FFI, where it is there and worth its while. LuaJIT 2.0 does not compile what is needed here.
local function findFfi()
  local usable = type(jit) == "table" and jit.version_num >= 20100 and jit.status()
    and type(debug) == "table" and type(debug.getmetatable) == "function"
  if not usable then return nil end
  local found, ffi = pcall(require, "ffi")
  return found and ffi or nil
end

local function takeInterface(ffi, userdata, declaration)
  interface = ffi.cast(declaration, userdata)
  value = ffi.cast("double *", interface.value)
  WORLD_SHAPES, TREE_ITEMS, CURSORS = interface.world_shapes, interface.tree_items, interface.cursors
  REFUSED, FOUND = interface.refused, interface.found
  TO_REPORT, NOTHING = interface.to_report, interface.nothing
  RESPONSES = { slide = interface.slide, touch = interface.touch, bounce = interface.bounce, cross = interface.cross }
  move, moveTo = interface.move, interface.move_to
  rotate, rotateAbout = interface.rotate, interface.rotate_about
  setRotation, setRotationAbout = interface.set_rotation, interface.set_rotation_about
  transform = interface.transform
  rotation, center, bounds = interface.rotation, interface.center, interface.bounds
  containsPoint, contains = interface.contains_point, interface.contains
  project, axis = interface.project, interface.axis
  overlaps, collide, distance = interface.overlaps, interface.collide, interface.distance
  idleCursors, beginOfOne = interface.idle_cursors, interface.begin_of_one
  nextOfOne, nextCollision, nextPair = interface.next_of_one, interface.next_collision, interface.next_pair
  stepBack = interface.step_back
  radius, kind = interface.radius, interface.kind
  isSensor, isStatic, isEnabled = interface.is_sensor, interface.is_static, interface.is_enabled
  contacts, cast = interface.contacts, interface.cast
  checkMove, moveAsChecked = interface.check_move, interface.move_as_checked
end

-- The names of the kinds of shapes, as the binding gives them.
local function learnKinds(sat)
  local point, segment = sat.point(0, 0), sat.segment(0, 0, 1, 0)
  KINDS = {}
  for _, shape in ipairs { point, segment, sat.circle(0, 0, 1), sat.capsule(0, 0, 1, 0, 1), sat.regular(0, 0, 1, 3),
    sat.chain { 0, 0, 1, 0, 1, 1 }, sat.compound(point, segment) } do
    KINDS[kind(shape)] = shape:kind()
  end
end

-- Finds the metatables of worlds, quadtrees and their cursors, and replaces their loops.
local function takeLoops(sat)
  local world, tree, shape = sat.world(), sat.quadtree(0, 0, 1, 1), sat.point(0, 0)
  worlds, trees = metatableOf(world), metatableOf(tree)
  local all, worldCursor = world:collisions()
  local pairs, treeCursor = tree:pairs()
  worldCursors, treeCursors = metatableOf(worldCursor), metatableOf(treeCursor)
  all(worldCursor)
  spent = worldCursor
  stateTables = setmetatable({}, { __mode = "kv" })
  replaceLoops(worlds.__index, trees.__index, all, (sat.world():collisions(shape)), pairs)
  worlds.__index.check = checking(worlds.__index.check)
  worlds.__index.move = moving(worlds.__index.move)
end

-- Replaces what is to be replaced in the module and among the methods, and returns whether it has.
return function(sat, methods, ffiInterface)
  local ffi = findFfi()
  if not ffi then return false end
  metatableOf = debug.getmetatable
  shapes = metatableOf(sat.point(0, 0))
  local userdata, declaration
  userdata, declaration, dataTableOf, stateTableOf, reportMemory = ffiInterface(shapes)
  if not userdata then return false end
  if not pcall(takeInterface, ffi, userdata, declaration) then return false end
  dataTables = setmetatable({}, { __mode = "kv" })
  learnKinds(sat)
  replaceMethods(methods)
  replaceFunctions(sat)
  takeLoops(sat)
  jit.off(warmUp)
  warmUp(sat)
  return true
end
