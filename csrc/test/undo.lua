-- The scenes and calls of test_lua_undo.c, which has the functions fail(k, count), suffice() and note(name, problem).
-- Each call is made in fresh scenes in which one request for memory fails, then that one and its repetition, then it
-- and all later ones. The call must end well, or raise "not enough memory" and change nothing; and a second call must
-- do what it does in a fresh scene.
--
-- LuaJIT's compiler is off: its code does not survive a request that fails, whatever the program.

local jit, fail, suffice = rawget(_G, "jit"), rawget(_G, "fail"), rawget(_G, "suffice")
local note = rawget(_G, "note")
if jit then jit.off() end

local sat, bump, character, HC = require "sat", require "sat.bump", require "sat.character", require "sat.hc"
local tiled, tiles = require "sat.tiled", require "sat.tiles"

local cases = {}

-- Adds a case: `make` makes a scene, `look` describes it by a string, and `call` is the call.
local function case(name, make, look, call)
  cases[#cases + 1] = { name = name, make = make, look = look, call = call }
end

-- ---------------------------------------------------------------- worlds

local function slide() return "slide" end

local function crowd()
  local world = sat.world()
  local scene = { world = world, hero = sat.circle(0, 0, 3):setData {} }
  world:add(scene.hero, sat.chain { -50, 20, 0, 25, 50, 20 }, sat.polygon(20, -5, 40, -5, 30, 0, 40, 5))
  for i = 1, 24 do world:add(sat.rectangle(6 * i, 4 - i % 3, 5, 5):setStatic(i % 2 == 0)) end
  world:update()
  scene.saved = world:save()
  scene.hero:move(1, 0)
  scene.other = sat.circle(9, 9, 2)
  return scene
end

local function look_at_world(scene)
  local world, list = scene.world, {}
  for i, shape in ipairs((world:shapes())) do
    list[i] = ("%s %s %s"):format(shape:kind(), tostring(shape:data() ~= nil), tostring(shape:world() == world))
  end
  list[#list + 1] = tostring(scene.other:world() == world) .. world:count()
  return world:save() .. table.concat(list, "\n")
end

local function case_of_world(name, call)
  case("world: " .. name, crowd, look_at_world, function(scene) return call(scene.world, scene.hero, scene) end)
end

local function drain(...)
  for _ in ... do end -- luacheck: ignore 542
end

case_of_world("add", function(world, _, scene) world:add(scene.other) end)
case_of_world("add many", function(world)
  local list = {}
  for i = 1, 70 do list[i] = sat.circle(i, 0, 1) end
  world:add(list)
end)
case_of_world("remove", function(world, hero) world:remove(hero) end)
case_of_world("clear", function(world) world:clear() end)
case_of_world("move", function(world, hero) world:move(hero, 90, 30) end)
case_of_world("move with a response function", function(world, hero)
  world:move(hero, 90, 3, function(_, other) return other:isStatic() and "cross" or "slide" end)
end)
case_of_world("check", function(world, hero) world:check(hero, 90, 30, "bounce") end)
case_of_world("push", function(world, hero) world:move(hero, 90, 3, "push") end)
case_of_world("pushed", function(world, hero)
  world:check(hero, 90, 3, "push")
  drain(world:pushed())
end)
case_of_world("push with a response function", function(world, hero)
  world:move(hero, 90, 3, function(_, other) return other:isStatic() and "cross" or "push" end)
end)
case_of_world("turn", function(world, hero) world:turn(hero, 3, "slide", 20, 4) end)
case_of_world("turn with a response function", function(world, hero)
  world:turn(hero, 3, function(_, other) return other:isStatic() and "cross" or "slide" end, 40, 0)
end)
case_of_world("carry", function(world, hero) world:carry(hero, 30, 0, 0.5) end)
case_of_world("separate", function(world) world:separate(3) end)
case_of_world("update", function(world) world:update() end)
case_of_world("collisions", function(world, hero)
  drain(world:collisions())
  drain(world:collisions(hero))
end)
case_of_world("events", function(world)
  drain(world:began())
  drain(world:ended())
  drain(world:touching())
end)
case_of_world("questions", function(world, hero, scene)
  world:query(0, 0, 50, 50)
  world:query(hero)
  world:at(8, 4)
  world:raycastAll(-9, 4, 200, 4)
  drain(world:raycasts(-9, 4, 200, 4))
  world:nearestAll(0, 0, 90)
  world:visible(0, -20, 90)
  world:visible(0, -20, sat.sector(0, -20, 50, 0, 2), {}, hero)
  sat.ring(0, 0, 5, 9)
  world:cast(hero, 90, 0)
  world:collide(hero)
  world:raycast(-9, 4, 200, 4)
  scene.other:overlaps(hero)
end)
case_of_world("who is asked", function(world, hero)
  local who = { except = { hero }, mask = 1, sensors = true, as = hero }
  who.accept = function(shape) return not shape:isStatic() end
  world:query(0, 0, 50, 50, nil, who)
  world:at(8, 4, nil, who)
  world:raycast(-9, 4, 200, 4, who)
  world:raycastAll(-9, 4, 200, 4, nil, who)
  drain(world:raycasts(-9, 4, 200, 4, who))
  world:cast(hero, 90, 0, who)
  world:nearest(0, 0, 90, who)
  world:nearestAll(0, 0, 3, nil, who, 90)
end)
case_of_world("parts", function(world)
  local chain, ell = world:shapes()[2], world:shapes()[3]
  local both = sat.compound(chain, ell, sat.circle(20, 0, 9))
  drain(sat.parts(both, ell))
  drain(sat.parts(both, both))
  for k = 1, both:parts() do both:part(k):move(1, 0) end
  both:cast(0, 40, ell)
  world:move(both, 50, 9)
  drain(world:hits())
end)
case_of_world("setData", function(_, hero) hero:setData "data" end)
case_of_world("clone", function(_, hero) hero:clone():scale(2) end)
case_of_world("load", function(world, _, scene) world:load(scene.saved) end)
case_of_world("load a delta", function(world, _, scene) world:load(world:save { since = scene.saved }) end)
case_of_world("svg", function(world) world:svg { nodes = true, boxes = true, hits = true, mode = "fill" } end)
case_of_world("collisions that are left", function(world, hero)
  for other in world:collisions(hero) do
    if other ~= hero then break end
  end
end)

-- ---------------------------------------------------------------- drawing

local function screen()
  local scene = crowd()
  local state = { color = { 0.1, 0.2, 0.3, 0.4 }, size = 7 }
  local function nothing() end
  scene.graphics = {
    getColor = function() return state.color[1], state.color[2], state.color[3], state.color[4] end,
    getPointSize = function() return state.size end,
    setColor = function(r, g, b, a)
      local color = state.color
      color[1], color[2], color[3], color[4] = r, g, b, a
    end,
    setPointSize = function(size) state.size = size end,
    circle = nothing, line = nothing, points = nothing, polygon = nothing, rectangle = nothing,
  }
  scene.state = state
  return scene
end

case("world: draw", screen, function(scene)
  return look_at_world(scene) .. table.concat(scene.state.color, " ") .. scene.state.size
end, function(scene)
  rawset(_G, "love", { graphics = scene.graphics })
  scene.world:draw { nodes = true, boxes = true, hits = true, mode = "fill" }
end)

case("shape: draw", screen, look_at_world, function(scene)
  rawset(_G, "love", { graphics = scene.graphics })
  sat.polygon({ { 0, 0, 9, 0, 9, 9, 0, 9 }, { 2, 2, 2, 5, 5, 5, 5, 2 } }):draw "line"
  sat.rectangle(0, 0, 9, 9):setRadius(2):draw "fill"
end)

-- ---------------------------------------------------------------- messages

-- A wrong use has its message, or none for want of memory.
local function case_of_message(name, wanted, use)
  case("message: " .. name, function()
    local scene = { world = sat.world(), other = sat.circle(9, 9, 2), hero = sat.circle(0, 0, 3) }
    scene.world:add(scene.hero)
    return scene
  end, look_at_world, function(scene)
    local _, problem = pcall(use, scene.world, scene.hero)
    if not tostring(problem):find(wanted, 1, true) then error(problem, 0) end
  end)
end

case_of_message("unknown field", "center", function(_, hero) return hero.pos end)
case_of_message("new field", "setData", function(_, hero) hero.speed = 3 end)
case_of_message("unknown condition", "except", function(world) world:at(0, 0, nil, { exept = world }) end)
case_of_message("unknown option", "hits", function(world) world:svg { hit = true } end)
case_of_message("wrong argument", "dx must be a number", function(world, hero) world:move(hero, "a", 1) end)

-- ---------------------------------------------------------------- sat.bump

local NAMES = { "hero", "hill", "coin", "wall", "box" }

local function items()
  local world, scene = bump.newWorld(16), { items = {} }
  scene.bump, scene.world = world, world.sat
  for _, name in ipairs(NAMES) do scene.items[name] = { name } end
  local of = scene.items
  world:add(of.hero, 0, 0, 10, 10)
  world:add(of.hill, sat.polygon(0, 60, 80, 30, 80, 60))
  world:add(of.coin, 20, 0, 5, 5)
  world:add(of.wall, 40, -50, 10, 100)
  for i = 1, 12 do world:add(i .. "", 8 * i, 70, 8, 8) end
  world.sat:add(sat.circle(30, 5, 2))
  world:addResponse("own", bump.responses.slide)
  scene.other = sat.circle(9, 9, 2)
  return scene
end

local function look_at_items(scene)
  local world, list = scene.bump, {}
  for _, name in ipairs(NAMES) do
    local item = scene.items[name]
    list[#list + 1] = name .. " " .. tostring(world:hasItem(item))
    if world:hasItem(item) then
      local x, y, w, h = world:getRect(item)
      local shape = world:getShape(item)
      local sx, sy, sw, sh = shape:bounds()
      list[#list + 1] = table.concat({ x, y, w, h, sx, sy, sw, sh, tostring(shape:world() == world.sat) }, " ")
    end
  end
  local entries, shapes = 0, 0
  for _ in pairs(world.entries) do entries = entries + 1 end
  for _ in pairs(world.by_shape) do shapes = shapes + 1 end
  list[#list + 1] = table.concat({ entries, shapes, world:countItems(), world.sat:count() }, " ")
  for _, field in ipairs { "mover", "filter", "answers", "uses_own" } do list[#list + 1] = tostring(world[field]) end
  return world.sat:save() .. table.concat(list, "\n")
end

local function case_of_bump(name, call)
  case("bump: " .. name, items, look_at_items, function(scene) return call(scene.bump, scene.items, scene) end)
end

local function answer(_, other)
  return type(other) == "table" and other[1] == "coin" and "cross" or "slide"
end

case_of_bump("add", function(world, of) world:add(of.box, 5, 5, 5, 5) end)
case_of_bump("add a shape", function(world, of, scene) world:add(of.box, scene.other) end)
case_of_bump("remove", function(world, of) world:remove(of.wall) end)
case_of_bump("update", function(world, of) world:update(of.wall, 3, 4) end)
case_of_bump("update the size", function(world, of) world:update(of.wall, 3, 4, 5, 6) end)
case_of_bump("move", function(world, of) world:move(of.hero, 60, 90) end)
case_of_bump("move with a filter", function(world, of) world:move(of.hero, 60, 90, answer) end)
case_of_bump("move with an own response", function(world, of)
  world:move(of.hero, 60, 90, function() return "own" end)
end)
case_of_bump("move with a filter that asks", function(world, of)
  world:move(of.hero, 30, 0, function(item, other)
    world:project(item, 0, 0, 5, 5, 9, 9)
    return answer(item, other)
  end)
end)
case_of_bump("check", function(world, of) world:check(of.hero, 60, 90, answer) end)
case_of_bump("questions", function(world)
  world:queryRect(0, 0, 90, 90)
  world:queryPoint(22, 2)
  world:querySegment(-5, 3, 90, 3)
  world:querySegmentWithCoords(-5, 3, 90, 3)
  world:getItems()
  world:countCells()
end)

-- Boxes alone, of which the game has seen no shape: removed boxes stay for new items, and changes wait for a question.
local function boxes()
  local world, scene = bump.newWorld(16), { items = {} }
  scene.bump = world
  for i = 1, 9 do
    scene.items[i] = { i }
    world:add(scene.items[i], 10 * i, i % 3 * 8, 9, 9)
  end
  world:update(scene.items[2], 22, 3, 5, 5)
  world:queryRect(0, 0, 90, 90)
  world:remove(scene.items[9])
  world:update(scene.items[1], 9, 1, 7, 7)
  return scene
end

local function look_at_boxes(scene)
  local world, list = scene.bump, {}
  for i, item in ipairs(scene.items) do
    local has = world:hasItem(item)
    list[i] = has and table.concat({ world:getRect(item) }, " ") or "none"
    local x, y, cols = 0, 0, {}
    if has then x, y, cols = world:check(item, 50, 20) end
    for _, col in ipairs(cols) do list[i] = list[i] .. " " .. col.other[1] end
    list[i] = list[i] .. " at " .. x .. " " .. y
  end
  return table.concat(list, "\n") .. world:countItems() .. " " .. #world:queryRect(-99, -99, 999, 999)
end

local function case_of_boxes(name, call)
  case("bump, boxes alone: " .. name, boxes, look_at_boxes, function(scene) return call(scene.bump, scene.items) end)
end

case_of_boxes("add", function(world, of) world:add(of[9], 5, 5, 5, 5) end)
case_of_boxes("remove", function(world, of) world:remove(of[1]) end)
case_of_boxes("update", function(world, of) world:update(of[3], 3, 4) end)
case_of_boxes("update the size", function(world, of) world:update(of[3], 3, 4, 5, 6) end)
case_of_boxes("move", function(world, of) world:move(of[1], 60, 20) end)
case_of_boxes("move with a filter", function(world, of)
  world:move(of[1], 60, 20, function(_, other) return other[1] % 2 == 0 and "cross" or "bounce" end)
end)
case_of_boxes("questions", function(world)
  world:queryPoint(22, 2)
  world:querySegment(-5, 3, 90, 3)
  world:getItems()
end)
case_of_boxes("the first shape that is seen", function(world, of) world:getShape(of[4]) end)
case_of_boxes("the first look at the world", function(world) world.sat:count() end)

-- ---------------------------------------------------------------- sat.hc

local function colliders()
  local scene = { collider = HC.new(30), shapes = {} }
  local own = { x = 0, bbox = function(self) return self.x, 0, self.x + 9, 9 end }
  function own.move(self, dx) self.x = self.x + dx end
  function own.collidesWith() return true, 1, 0 end
  own.rotate, own.scale = own.move, own.move
  local collider = scene.collider
  scene.shapes = { collider:circle(0, 0, 5), collider:rectangle(5, 0, 20, 10), collider:polygon(0, 0, 9, 0, 1, 1, 0, 9),
    collider:point(1, 1), collider:register(own), HC.shapes.newCircleShape(3, 3, 3) }
  return scene
end

local function look_at_shapes(scene)
  local hash, list = scene.collider:hash(), {}
  for i, shape in ipairs(scene.shapes) do
    local x1, y1, x2, y2 = shape:bbox()
    local text = { i, x1, y1, x2, y2, tostring(hash:shapes()[shape] == shape), tostring(hash.tree:has(shape)) }
    if hash.tree:has(shape) then text[#text + 1] = table.concat({ hash.tree:get(shape) }, " ") end
    list[i] = table.concat(text, " ")
  end
  local count = 0
  for _ in pairs(hash:shapes()) do count = count + 1 end
  return table.concat(list, "\n") .. count .. hash.tree:count()
end

local function case_of_hc(name, call)
  case("hc: " .. name, colliders, look_at_shapes, function(scene) return call(scene.collider, scene.shapes) end)
end

case_of_hc("circle", function(collider) collider:circle(1, 2, 3) end)
case_of_hc("polygon", function(collider) collider:polygon(0, 0, 9, 0, 1, 1, 0, 9) end)
case_of_hc("register", function(collider, shapes) collider:register(shapes[6]) end)
case_of_hc("remove", function(collider, shapes) collider:remove(shapes[5]):remove(shapes[1]) end)
case_of_hc("resetHash", function(collider) collider:resetHash(9) end)
for i, kind in ipairs { "circle", "rectangle", "concave polygon", "point", "own shape" } do
  case_of_hc("move a " .. kind, function(_, shapes) shapes[i]:move(40, 3) end)
end
case_of_hc("turn", function(_, shapes) shapes[2]:rotate(1, 2, 3) end)
case_of_hc("scale", function(_, shapes) shapes[3]:scale(3) end)
case_of_hc("questions", function(collider, shapes)
  for _, shape in ipairs(shapes) do collider:collisions(shape) end
  collider:neighbors(shapes[1])
  collider:shapesAt(1, 1)
  collider:raycast(-9, 1, 1, 0, 90)
  collider:hash():intersectionsWithSegment(0, 50, 9, 50)
end)

-- ---------------------------------------------------------------- sat.character

local function ground()
  local world, scene = sat.world(), {}
  local floor, step = sat.rectangle(-100, 0, 300, 10), sat.rectangle(20, -6, 100, 10)
  local plank = sat.rectangle(-60, -30, 40, 4):setOneWay(0, -1)
  local edge, wall = sat.rectangle(3, -60, 20, 5), sat.rectangle(90, -60, 10, 60)
  scene.world, scene.shapes = world, { floor, step, plank, edge, wall }
  world:add(floor, step, plank, edge, wall, sat.polygon(-100, 0, -70, -20, -70, 0))
  scene.shape = sat.capsule(0, -14, 0, -4, 4)
  scene.hero = character.new(world:add(scene.shape), scene.shape, { step = 8, snap = 8, corner = 6 })
  scene.hero:move(0, 30, 1 / 60)
  scene.other = sat.point(0, 0)
  return scene
end

local function look_at_hero(scene)
  local hero, list = scene.hero, { scene.shape:center() }
  for _, field in ipairs { "ground", "wall", "ceiling", "dropped" } do
    local place = 0
    for i, shape in ipairs(scene.shapes) do
      if shape == hero[field] then place = i end
    end
    list[#list + 1] = place
  end
  for _, field in ipairs { "groundX", "groundY", "hung", "response" } do list[#list + 1] = tostring(hero[field]) end
  return scene.world:save() .. table.concat(list, " ")
end

local function case_of_hero(name, call)
  case("character: " .. name, ground, look_at_hero, function(scene) return call(scene.hero, scene) end)
end

case_of_hero("walk", function(hero) hero:move(-100, 0, 0.25) end)
case_of_hero("climb", function(hero) hero:move(100, 0, 0.3, slide) end)
case_of_hero("climb to a wall", function(hero) hero:move(100, 0, 1.5, slide) end)
case_of_hero("jump", function(hero) hero:move(0, -300, 0.2, slide) end)
case("character: land", function()
  local scene = ground()
  scene.hero:move(0, -300, 0.05)
  return scene
end, look_at_hero, function(scene) scene.hero:move(0, 300, 0.2) end)
case("character: fall through a platform", function()
  local scene = ground()
  scene.shape:moveTo(-40, -40)
  scene.hero:move(0, 300, 0.2)
  assert(scene.hero:drop())
  return scene
end, look_at_hero, function(scene) scene.hero:move(0, 300, 0.1) end)
case_of_hero("new", function(_, scene)
  scene.hero = character.new(scene.world, scene.shape, { up = { 0, -2 }, step = 8, snap = 8, corner = 6 })
end)

-- ---------------------------------------------------------------- sat.tiles and sat.tiled

local COLUMNS, ROWS = 9, 7
local SLOPE, ROOF = { 0, 8, 8, 0, 8, 8 }, { 0, 0, 8, 8, 0, 8 }

local function tile(column, row)
  if (column * row) % 5 == 2 then return SLOPE end
  return (column + row) % 3 > 0
end

-- A map with a hero on it, whose contacts the world knows.
local function scene_of_map(options)
  local world = sat.world()
  local scene = { world = world, hero = sat.circle(20, 20, 12), options = options }
  world:add(scene.hero, sat.point(3, 3))
  scene.map = tiles.new(world, COLUMNS, ROWS, 8, tile, options)
  world:update()
  world:move(scene.hero, 9, 9)
  return scene
end

local function look_at_map(scene)
  local list = {}
  for row = 1, ROWS do
    for column = 1, COLUMNS do
      local value = scene.map:get(column, row)
      local found = scene.world:query(column * 8 - 3, row * 8 - 3, 0.5, 0.5)
      list[#list + 1] = (type(value) == "table" and value[2] or tostring(value)) .. #found
    end
  end
  return table.concat(list, " ") .. scene.world:save()
end

local function case_of_map(name, options, call, look)
  case("tiles: " .. name, function() return scene_of_map(options) end, look or look_at_map, call)
end

-- Without the save, which tells shapes that are there again from shapes that never left.
local function look_at_tiles(scene)
  return look_at_map(scene):sub(1, #look_at_map(scene) - #scene.world:save()) .. scene.world:count()
end

case_of_map("new", { chunk = 4 }, function(scene)
  scene.map = tiles.new(scene.world, COLUMNS, ROWS, 8, tile, { x = 100, chunk = 3, separate = true })
end)
case_of_map("set", { chunk = 4 }, function(scene) scene.map:set(2, 3, SLOPE) end)
case_of_map("set in one chunk", nil, function(scene) scene.map:set(3, 3, nil) end)
case_of_map("set the last tile of a chunk", { chunk = 1 }, function(scene)
  scene.map:set(1, 1, nil)
end)
case_of_map("set the first tile of a chunk", { chunk = 1 }, function(scene)
  scene.map:set(3, 3, true)
end)
-- Shapes that a failed call has added have taken ids of the world, which are never given again.
case_of_map("set where rectangles are shapes", nil, function(scene) scene.map:set(3, 3, ROOF) end, look_at_tiles)
case_of_map("edit", { chunk = 2 }, function(scene)
  scene.map:edit(function(map)
    map:set(1, 1, nil)
    map:set(3, 3, ROOF)
  end)
end, look_at_tiles)
case_of_map("fill", { chunk = 2 }, function(scene) scene.map:fill(sat.circle(116, 16, 9), nil) end, look_at_tiles)
case_of_map("image", nil, function(scene)
  local image = { getDimensions = function() return COLUMNS, ROWS end }
  function image.getPixel(_, x, y) return 0, 0, 0, (x + y) % 2 end
  scene.map = tiles.image(scene.world, image, 8, 0.5, { x = 200 })
end)
case_of_map("get and cell", nil, function(scene)
  scene.map:get(3, 3)
  scene.map:cell(16, 16, 0, 1)
end)

local function new_file()
  local points = { { x = 0, y = 0 }, { x = 8, y = 0 }, { x = 0, y = 6 } }
  return {
    orientation = "orthogonal", tilewidth = 8, tileheight = 8, tilesets = {
      { name = "set", firstgid = 1, tilewidth = 8, tileheight = 8, tiles = {
        { id = 1, objectGroup = { objects = { { shape = "polygon", x = 0, y = 0, polygon = points } } } },
        { id = 2, type = "ice" },
      } },
    },
    layers = {
      { type = "tilelayer", name = "tiles", width = 3, height = 2, data = { 1, 1, 2, 3, 1, 3 },
        properties = { collidable = true } },
      { type = "tilelayer", name = "far", properties = { collidable = true }, chunks = {
        { x = 90, y = 0, width = 1, height = 2, data = { 1, 1 } },
        { x = -9, y = 5, width = 1, height = 1, data = { 3 } },
      } },
      { type = "objectgroup", name = "things", objects = {
        { id = 1, shape = "ellipse", x = 0, y = 0, width = 9, height = 5, properties = { oneWay = true } },
        { id = 2, shape = "rectangle", x = 0, y = 0, width = 9, height = 5, gid = 2 },
        { id = 3, shape = "polyline", x = 5, y = 5, polyline = points },
      } },
    },
  }
end

local function files()
  local world = sat.world()
  local scene = { world = world, file = new_file(), hero = sat.circle(0, 0, 5) }
  world:add(scene.hero, sat.point(3, 3))
  world:update()
  return scene
end

-- Without the save: shapes that are back after a failed call have other ids.
local function look_at_cells(scene)
  local list = {}
  for i, shape in ipairs((scene.world:shapes())) do
    local data = shape:data()
    list[i] = shape:kind() .. (data and data.layer .. tostring(data.type) .. tostring(data.grid ~= nil) or "")
  end
  return table.concat(list, " ") .. tostring(scene.grid and scene.grid:get(1, 1))
end

local function look_at_files(scene)
  return look_at_cells(scene) .. scene.world:save() .. #(scene.file.sat_shapes or {})
end

case("tiled: add", files, look_at_files, function(scene) tiled.add(scene.world, scene.file) end)
case("tiled: shapes", files, look_at_files, function(scene) tiled.shapes(scene.file) end)
case("tiled: sat_init", files, look_at_files, function(scene) tiled.plugin.sat_init(scene.file, scene.world) end)
case("tiled: sat_removeLayer", function()
  local scene = files()
  tiled.plugin.sat_init(scene.file, scene.world)
  return scene
end, look_at_files, function(scene) tiled.plugin.sat_removeLayer(scene.file, 1) end)
case("tiled: the first call", function()
  local scene = files()
  for _, module in ipairs { "tiled", "tiles", "arguments" } do package.loaded["sat." .. module] = nil end
  scene.tiled = require "sat.tiled"
  return scene
end, look_at_files, function(scene) scene.tiled.add(scene.world, scene.file) end)
case("tiled: set", function()
  local scene = files()
  for _, shape in ipairs(tiled.add(scene.world, scene.file)) do
    scene.grid = scene.grid or shape:data().grid
  end
  scene.world:update()
  return scene
end, look_at_cells, function(scene) scene.grid:set(1, 1, nil) end)

-- ---------------------------------------------------------------- polygons

case("union", function()
  return { a = sat.polygon(0, 0, 9, 0, 1, 1, 0, 9), rings = { { 2, 2, 12, 2, 2, 12 }, { 0, 0, 5, 5, 5, 0, 0, 5 } } }
end, function(scene)
  local polygons = scene.polygons or {}
  local list = { tostring(#polygons) }
  for _, polygon in ipairs(polygons) do
    for _, ring in ipairs(polygon) do list[#list + 1] = table.concat(ring, " ") end
  end
  return table.concat(list, "\n")
end, function(scene) scene.polygons = sat.union(scene.a, scene.rings, "evenodd") end)

-- ---------------------------------------------------------------- running

local MOST_REQUESTS = 2000

-- Lets the k-th request of the call fail. Returns whether one has failed.
local function try(this, k, count, before, after)
  local scene = this.make()
  collectgarbage()
  fail(k, count)
  local ok, problem = pcall(this.call, scene)
  local failed = suffice()
  if not ok then
    assert(tostring(problem):find("not enough memory", 1, true), problem)
    assert(this.look(scene) == before, "the call has changed something")
    this.call(scene)
  end
  assert(this.look(scene) == after, "the call has not done what it should")
  return failed
end

local function run(this)
  local scene = this.make()
  local before = this.look(scene)
  this.call(scene)
  local after, requests = this.look(scene), 0
  for _, count in ipairs { 1, 2, 1e6 } do
    local k = 0
    while try(this, k, count, before, after) do
      k = k + 1
      assert(k < MOST_REQUESTS, "the call asks for memory without an end")
    end
    requests = math.max(requests, k)
  end
  return requests
end

for _, this in ipairs(cases) do
  local ok, result = pcall(run, this)
  suffice()
  if ok then note(this.name .. ", " .. result .. " requests") else note(this.name, tostring(result)) end
end
