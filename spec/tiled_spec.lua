-- sat.tiled on maps written by hand: every kind of object and tile, each way to turn it, and each field that may be
-- wrong.
local sat = require "sat"
local support = require "spec.support"
local tiled = require "sat.tiled"

local generator, near, SEED = support.generator, support.near, support.SEED

local HORIZONTAL, VERTICAL, DIAGONAL = 2147483648, 1073741824, 536870912

-- ---------------------------------------------------------------- maps

local function object_layer(objects, fields)
  local layer = { type = "objectgroup", name = "objects", offsetx = 0, offsety = 0, properties = {} }
  layer.objects = objects
  for key, value in pairs(fields or {}) do layer[key] = value end
  return layer
end

local function object(fields)
  local full = { id = 1, name = "it", type = "thing", x = 0, y = 0, width = 0, height = 0, rotation = 0 }
  full.properties = {}
  for key, value in pairs(fields) do full[key] = value end
  return full
end

-- Tile 0 is plain, tile 1 a slope that rises to the right, tile 2 solid by its property, tile 3 has two shapes.
local function tileset(fields)
  local set = {
    name = "ground", firstgid = 1, tilewidth = 16, tileheight = 16, tilecount = 8, properties = {},
    tileoffset = { x = 0, y = 0 },
    tiles = {
      { id = 1, objectGroup = { type = "objectgroup", objects = {
        object { shape = "polygon", y = 16, polygon = { { x = 0, y = 0 }, { x = 16, y = 0 }, { x = 16, y = -16 } } },
      } } },
      { id = 2, type = "ice", properties = { collidable = true, slip = 3 } },
      { id = 3, objectGroup = { type = "objectgroup", objects = {
        object { shape = "rectangle", width = 4, height = 16, properties = { sensor = true } },
        object { shape = "ellipse", type = "knob", x = 8, y = 2, width = 6, height = 6 },
      } } },
    },
  }
  for key, value in pairs(fields or {}) do set[key] = value end
  return set
end

local function tile_layer(columns, data, fields)
  local layer = { type = "tilelayer", name = "tiles", x = 0, y = 0, width = columns, height = #data / columns,
    offsetx = 0, offsety = 0, encoding = "lua", properties = {}, data = data }
  for key, value in pairs(fields or {}) do layer[key] = value end
  return layer
end

local function map_of(...)
  return { orientation = "orthogonal", width = 10, height = 10, tilewidth = 16, tileheight = 16, properties = {},
    tilesets = { tileset() }, layers = { ... } }
end

local SOLID = { properties = { collidable = true } }

-- One object alone in a layer that is moved by left, top.
local function shape_of(fields, left, top)
  local layer = object_layer({ object(fields) }, { offsetx = left, offsety = top })
  return tiled.shapes(map_of(layer))[1]
end

local function check_bounds(shape, x, y, w, h)
  local x2, y2, w2, h2 = shape:bounds()
  near(x, x2, 1e-9)
  near(y, y2, 1e-9)
  near(w, w2, 1e-9)
  near(h, h2, 1e-9)
end

local function check_all_bounds(expected, shapes)
  assert.equal(#expected, #shapes)
  for i, box in ipairs(expected) do check_bounds(shapes[i], box[1], box[2], box[3], box[4]) end
end

local function refuses(text, map, options)
  local ok, message = pcall(tiled.shapes, map, options)
  assert(not ok, "nothing is refused")
  assert(tostring(message):find(text, 1, true), tostring(message))
end

-- ---------------------------------------------------------------- objects

describe("an object", function()
  it("that is a rectangle is turned about its top-left corner, clockwise and in degrees", function()
    check_bounds(shape_of { shape = "rectangle", x = 10, y = 20, width = 30, height = 4, rotation = 90 }, 6, 20, 4, 30)
  end)

  it("that is a round ellipse is a circle, another one a polygon", function()
    local circle = shape_of { shape = "ellipse", x = 10, y = 20, width = 8, height = 8 }
    assert.same({ "circle", 4, 14, 24 }, { circle:kind(), circle:radius(), circle:center() })
    local ellipse = shape_of { shape = "ellipse", width = 20, height = 8, rotation = 180 }
    assert.equal("polygon", ellipse:kind())
    check_bounds(ellipse, -20, -8, 20, 8)
  end)

  it("that is a polygon has its vertices from its origin, and is turned there", function()
    local corners = { { x = 0, y = 0 }, { x = 8, y = 0 }, { x = 0, y = 6 } }
    local shape = shape_of { shape = "polygon", x = 100, y = 50, polygon = corners, rotation = 90 }
    assert.is_true(shape:contains(100, 57))
    assert.is_true(shape:contains(95, 50.5))
    assert.is_false(shape:contains(105, 51))
  end)

  it("that is a polyline is a chain, that is a point a point, that is a capsule a capsule", function()
    local corners = { { x = 0, y = 0 }, { x = 8, y = 0 }, { x = 8, y = 6 } }
    local chain = shape_of { shape = "polyline", x = 100, y = 50, polyline = corners }
    assert.same({ "chain", 100, 50, 108, 50, 108, 56 }, { chain:kind(), chain:unpack() })
    local point = shape_of { shape = "point", x = 3, y = 4 }
    assert.same({ "point", 3, 4 }, { point:kind(), point:unpack() })
    local capsule = shape_of { shape = "capsule", x = 1, y = 2, width = 10, height = 4 }
    assert.same({ "capsule", 2, 3, 4, 9, 4 }, { capsule:kind(), capsule:radius(), capsule:unpack() })
  end)

  it("without width or height is a point or a segment", function()
    assert.equal("point", shape_of({ shape = "rectangle", x = 1, y = 2 }):kind())
    assert.equal("point", shape_of({ shape = "ellipse", x = 1, y = 2 }):kind())
    local segment = shape_of { shape = "rectangle", x = 1, y = 2, width = 9 }
    assert.same({ "segment", 1, 2, 10, 2 }, { segment:kind(), segment:unpack() })
  end)

  it("that is a text has no shape", function()
    assert.same({}, tiled.shapes(map_of(object_layer { object { shape = "text", text = "Hello" } })))
  end)

  it("is moved by the offsets of its layer and of the groups around it", function()
    local layer = object_layer({ object { shape = "point", x = 3, y = 4 } }, { offsetx = 100, offsety = 200 })
    local group = { type = "group", name = "all", offsetx = 1000, offsety = 1, layers = { layer } }
    assert.same({ 1103, 205 }, { tiled.shapes(map_of(group))[1]:center() })
    layer.offsetx, layer.offsety = nil, nil -- Tiled before 0.14 had none
    assert.same({ 1003, 5 }, { tiled.shapes(map_of(group))[1]:center() })
  end)

  it("hands on what Tiled knows of it", function()
    local data = shape_of({ shape = "point", id = 12, properties = { spin = 75 } }):data()
    assert.same({ name = "it", type = "thing", layer = "objects", id = 12, properties = { spin = 75 } }, data)
    local old = object { shape = "point", class = "made by 1.9" }
    old.type = nil
    assert.equal("made by 1.9", tiled.shapes(map_of(object_layer { old }))[1]:data().type)
  end)
end)

describe("an object without a shape", function()
  it("has the one that its fields tell", function()
    local corners = { { x = 0, y = 0 }, { x = 16, y = 0 }, { x = 0, y = 16 } }
    for _, case in ipairs {
      { "polygon", { polygon = corners } }, { "chain", { polyline = corners } }, { "point", { point = true } },
      { "circle", { ellipse = true, width = 4, height = 4 } }, { "polygon", { width = 9, height = 5 } },
      { "segment", { width = 9 } }, { "point", {} },
    } do
      local one = object(case[2])
      one.width, one.height = case[2].width, case[2].height
      assert.equal(case[1], tiled.shapes(map_of(object_layer { one }))[1]:kind())
    end
    assert.same({}, tiled.shapes(map_of(object_layer { object { text = "Hello" } })))
  end)
end)

describe("a tile object", function()
  it("stands on its position and is stretched to its size", function()
    check_bounds(shape_of { gid = 1, shape = "rectangle", x = 40, y = 80, width = 20, height = 30 }, 40, 50, 20, 30)
  end)

  it("has the collision shapes of its tile, stretched with it, as one shape", function()
    local slope = shape_of { gid = 2, shape = "rectangle", x = 32, y = 64, width = 32, height = 16 }
    assert.same({ 32, 64, 64, 48, 64, 64 }, { slope:unpack() })
    local both = shape_of { gid = 4, shape = "rectangle", x = 0, y = 16, width = 32, height = 16 }
    assert.equal("compound", both:kind())
    local ellipse = both:pieces()[2]
    check_bounds(ellipse, 16, 2, 12, 6)
  end)

  it("of no size has that of its tile", function()
    check_bounds(shape_of { gid = 1, shape = "rectangle", x = 64, y = 48, width = 0, height = 0 }, 64, 32, 16, 16)
  end)

  it("whose tile has been removed from its tileset keeps its own box", function()
    for _, gid in ipairs { 9, 500, 0 } do
      check_bounds(shape_of { gid = gid, shape = "rectangle", x = 64, y = 48, width = 8, height = 12 }, 64, 36, 8, 12)
    end
    local map = map_of(object_layer { object { gid = 2, width = 8, height = 12 } })
    map.tilesets = { tileset { firstgid = 3 } }
    check_bounds(tiled.shapes(map)[1], 0, -12, 8, 12)
  end)

  it("is flipped, and turned about its position", function()
    local flipped = shape_of { gid = 2 + HORIZONTAL, shape = "rectangle", x = 0, y = 16, width = 16, height = 16 }
    assert.is_true(flipped:contains(1, 2))
    assert.is_false(flipped:contains(15, 2))
    local turned = shape_of { gid = 2, shape = "rectangle", x = 0, y = 0, width = 16, height = 16, rotation = 90 }
    assert.is_true(turned:contains(1, 1) and turned:contains(15, 15) and turned:contains(1, 15))
    assert.is_false(turned:contains(15, 1))
  end)

  it("lies as its tileset aligns objects", function()
    local expected = {
      topleft = { 100, 100 }, top = { 92, 100 }, topright = { 84, 100 },
      left = { 100, 92 }, center = { 92, 92 }, right = { 84, 92 },
      bottomleft = { 100, 84 }, bottom = { 92, 84 }, bottomright = { 84, 84 }, unspecified = { 100, 84 },
    }
    for alignment, corner in pairs(expected) do
      local map = map_of(object_layer { object { gid = 1, x = 100, y = 100, width = 16, height = 16 } })
      map.tilesets = { tileset { objectalignment = alignment } }
      check_bounds(tiled.shapes(map)[1], corner[1], corner[2], 16, 16)
    end
  end)

  it("has the type and the properties of its tile where it has none of its own", function()
    local properties = { slip = 4, own = true }
    local layer = object_layer { object { gid = 3, type = "", width = 16, height = 16, properties = properties } }
    local data = tiled.shapes(map_of(layer))[1]:data()
    assert.same({ "ice", 3, { collidable = true, slip = 4, own = true } }, { data.type, data.gid, data.properties })
  end)
end)

-- ---------------------------------------------------------------- properties

describe("the properties", function()
  it("say what the shape is in a world", function()
    local properties = { sensor = true, static = true, oneWay = true, category = 4, mask = 3, group = -2 }
    local shape = shape_of { shape = "rectangle", width = 9, height = 9, properties = properties }
    assert.is_true(shape:isSensor() and shape:isStatic())
    assert.same({ 4, 3, -2 }, { shape:filter() })
    assert.same({ 0, -1 }, { shape:oneWay() })
    local plain = shape_of { shape = "rectangle", width = 9, height = 9 }
    assert.is_false(plain:isSensor() or plain:isStatic() or plain:oneWay() ~= nil)
    assert.same({ 1, 4294967295, 0 }, { plain:filter() })
  end)

  it("give one-way shapes a side, which turns with the object", function()
    for word, normal in pairs { up = { 0, -1 }, down = { 0, 1 }, left = { -1, 0 }, right = { 1, 0 } } do
      local shape = shape_of { shape = "rectangle", width = 9, height = 9, properties = { oneWay = word } }
      assert.same(normal, { shape:oneWay() })
    end
    local properties = { oneWay = true }
    local turned = shape_of { shape = "rectangle", width = 9, height = 9, rotation = 90, properties = properties }
    local x, y = turned:oneWay()
    near(1, x, 1e-9)
    near(0, y, 1e-9)
  end)

  it("of groups and layers hold for all in them that says nothing else", function()
    local one = object { shape = "point", properties = { sensor = false } }
    local layer = object_layer({ one, object { shape = "point" } }, { properties = { sensor = true } })
    local group = { type = "group", name = "all", properties = { static = true, sensor = false }, layers = { layer } }
    local shapes = tiled.shapes(map_of(group))
    assert.same({ false, true, true, true }, {
      shapes[1]:isSensor(), shapes[1]:isStatic(), shapes[2]:isSensor(), shapes[2]:isStatic(),
    })
  end)

  it("leave out what is not collidable", function()
    local ghost = object { shape = "point", properties = { collidable = false } }
    local layer = object_layer { ghost, object { shape = "point" } }
    assert.equal(1, #tiled.shapes(map_of(layer)))
    layer.properties = { collidable = false }
    assert.equal(0, #tiled.shapes(map_of(layer)))
    assert.equal(0, #tiled.shapes(map_of(tile_layer(2, { 2, 3 }, { properties = { collidable = false } }))))
  end)

  it("may be words in category, mask and group, which are the game's", function()
    local properties = { category = "walls", mask = "many", group = "enemies", note = 1 }
    local shape = shape_of { shape = "point", properties = properties }
    assert.same({ 1, 4294967295, 0 }, { shape:filter() })
    assert.same(properties, shape:data().properties)
    properties = { category = "2", mask = "0x10", group = "-3" }
    assert.same({ 2, 16, -3 }, { shape_of({ shape = "point", properties = properties }):filter() })
  end)

  it("may be strings, as Tiled before 0.17 wrote them", function()
    local properties = { sensor = "true", static = "false", category = "4" }
    local shape = shape_of { shape = "point", properties = properties }
    assert.same({ true, false, 4 }, { shape:isSensor(), shape:isStatic(), (shape:filter()) })
  end)
end)

-- ---------------------------------------------------------------- tile layers

describe("a tile layer", function()
  it("that is not collidable collides where its tiles say so", function()
    local shapes = tiled.shapes(map_of(tile_layer(4, { 1, 3, 2, 0 })))
    check_all_bounds({ { 32, 0, 16, 16 }, { 16, 0, 16, 16 } }, shapes)
    assert.same({ layer = "tiles", id = 2, gid = 3, type = "ice", properties = { collidable = true, slip = 3 } },
      shapes[2]:data())
    assert.same({ "it", "thing", 1, 2 }, { shapes[1]:data().name, shapes[1]:data().type, shapes[1]:data().id,
      shapes[1]:data().gid })
  end)

  it("that is collidable is whole but for tiles with shapes of their own, and static", function()
    local shapes = tiled.shapes(map_of(tile_layer(3, { 1, 2, 1, 1, 1, 0 }, SOLID)))
    check_all_bounds({ { 16, 0, 16, 16 }, { 0, 0, 16, 16 }, { 32, 0, 16, 16 }, { 0, 16, 32, 16 } }, shapes)
    for _, shape in ipairs(shapes) do assert.is_true(shape:isStatic()) end
    assert.same({ layer = "tiles", properties = SOLID.properties }, shapes[2]:data())
  end)

  it("merges cells, but not those that their tiles tell apart", function()
    local shapes = tiled.shapes(map_of(tile_layer(3, { 1, 1, 3, 5, 6, 3 }, SOLID)))
    check_all_bounds({ { 0, 0, 32, 32 }, { 32, 0, 16, 32 } }, shapes)
    assert.same({ nil, "ice" }, { shapes[1]:data().type, shapes[2]:data().type })
  end)

  it("gives each collision shape of a tile its own properties", function()
    local shapes = tiled.shapes(map_of(tile_layer(1, { 4 })))
    check_all_bounds({ { 0, 0, 4, 16 }, { 8, 2, 6, 6 } }, shapes)
    assert.same({ true, false, "circle", "knob" },
      { shapes[1]:isSensor(), shapes[2]:isSensor(), shapes[2]:kind(), shapes[2]:data().type })
  end)

  it("is read in chunks where the map is infinite", function()
    local layer = tile_layer(0, {}, SOLID)
    layer.data, layer.width, layer.height = nil, 4, 2
    layer.chunks = {
      { x = -2, y = 0, width = 2, height = 2, data = { 1, 1, 1, 1 } },
      { x = 0, y = 0, width = 2, height = 2, data = { 1, 1, 0, 1 } },
    }
    check_all_bounds({ { -32, 0, 64, 16 }, { -32, 16, 32, 16 }, { 16, 16, 16, 16 } }, tiled.shapes(map_of(layer)))
  end)

  it("is moved by its offset", function()
    check_all_bounds({ { 100, 7, 16, 16 } }, tiled.shapes(map_of(tile_layer(1, { 1 }, {
      offsetx = 100, offsety = 7, properties = { collidable = true },
    }))))
  end)

  it("draws tiles of other sizes from the cell's bottom-left corner", function()
    local map = map_of(tile_layer(2, { 0, 0, 0, 1 }, SOLID))
    map.tilesets = { tileset { tilewidth = 32, tileheight = 24 } }
    check_all_bounds({ { 16, 8, 32, 24 } }, tiled.shapes(map))
    map.tilesets[1].tileoffset = { x = 3, y = -2 }
    check_all_bounds({ { 19, 6, 32, 24 } }, tiled.shapes(map))
    map.layers[1].data[4] = 1 + DIAGONAL
    check_all_bounds({ { 19, -2, 24, 32 } }, tiled.shapes(map))
  end)

  it("draws tiles in the grid's size where the tileset says so", function()
    local map = map_of(tile_layer(1, { 2 }))
    map.tilesets = { tileset { tilewidth = 32, tileheight = 8, tilerendersize = "grid" } }
    map.tilesets[1].tiles[1].objectGroup.objects = { object { shape = "rectangle", width = 16, height = 8 } }
    check_all_bounds({ { 0, 0, 8, 16 } }, tiled.shapes(map))
    map.tilesets[1].fillmode = "preserve-aspect-fit"
    check_all_bounds({ { 0, 6, 8, 4 } }, tiled.shapes(map))
  end)

  it("has nothing where its tiles have been removed from their tileset", function()
    local map = map_of(tile_layer(4, { 2, 5, 13, 300 }, SOLID)) -- below the first set, in it, and beyond its 8 tiles
    map.tilesets = { tileset { firstgid = 5 } }
    check_all_bounds({ { 16, 0, 16, 16 } }, tiled.shapes(map))
    map.tilesets[1].tilecount = nil -- as Tiled before 0.13 writes it
    check_all_bounds({ { 16, 0, 48, 16 } }, tiled.shapes(map))
    local collection = { { id = 4, image = "a.png", width = 16, height = 16 } }
    for _, fields in ipairs { { columns = 0, tilecount = 1, tiles = collection }, { tiles = collection } } do
      map = map_of(tile_layer(3, { 1, 5, 6 }, SOLID))
      map.tilesets = { tileset(fields) }
      check_all_bounds({ { 16, 0, 16, 16 } }, tiled.shapes(map))
    end
  end)

  it("that another program has unpacked is read, whatever it says of its encoding", function()
    local layer = tile_layer(2, { 1, 0, 2, 3 }, SOLID)
    layer.encoding, layer.compression = "base64", "zstd"
    assert.equal(3, #tiled.shapes(map_of(layer)))
    layer = tile_layer(4, { 0, 0, 0, 0, 0, 0, 0, 0 }, { encoding = "base64", properties = SOLID.properties })
    layer.data = { { [3] = { gid = 2 }, [4] = { gid = 1 } }, [2] = { { gid = 1 }, [9] = { gid = 1 } } }
    local map = map_of(layer)
    map.tileInstances = {}
    check_all_bounds({ { 32, 0, 16, 16 }, { 48, 0, 16, 16 }, { 0, 16, 16, 16 } }, tiled.shapes(map))
  end)

  it("takes the size of a tile in a collection of images", function()
    local map = map_of(tile_layer(1, { 2 }, SOLID))
    map.tilesets = { tileset { tilewidth = 320, tileheight = 320, tiles = { { id = 1, width = 8, height = 4 } } } }
    check_all_bounds({ { 0, 12, 8, 4 } }, tiled.shapes(map))
  end)

  it("is the union of what its tiles are, in any flip", function()
    local seed = SEED
    local random = generator(seed)
    for run = 1, 20 do
      local data, columns = {}, 6
      for i = 1, 36 do
        local gid = random(0, 2)
        if gid > 0 then
          gid = gid + random(0, 1) * HORIZONTAL + random(0, 1) * VERTICAL + random(0, 1) * DIAGONAL
        end
        data[i] = gid
      end
      local world = sat.world()
      tiled.add(world, map_of(tile_layer(columns, data, SOLID)))
      -- The point of the picture that a point of the cell shows: the flips undone, last first.
      for _ = 1, 60 do
        local x, y = random(0, 95) + 0.3, random(0, 95) + 0.4
        local gid, u, v = data[math.floor(y / 16) * columns + math.floor(x / 16) + 1], x % 16, y % 16
        local h, w = gid >= HORIZONTAL, gid % HORIZONTAL >= VERTICAL
        if w then v = 16 - v end
        if h then u = 16 - u end
        if gid % VERTICAL >= DIAGONAL then u, v = v, u end
        local id = gid % DIAGONAL
        local expected = id == 1 or id == 2 and u + v >= 16
        local _, n = world:at(x, y)
        assert(expected == (n > 0), ("seed %d, run %d, tile %.0f, at %g, %g"):format(seed, run, gid, x, y))
      end
    end
  end)

  -- The compiler's code for a loop depends on the maps before, so the module is loaded anew a few times.
  it("is whole where its rows are short, in each of many maps", function()
    local data, loaded = {}, package.loaded["sat.tiled"]
    for i = 1, 20 do data[i] = 1 end
    for _ = 1, 40 do
      package.loaded["sat.tiled"] = nil
      local fresh = require "sat.tiled"
      for _ = 1, 60 do
        local world = sat.world()
        fresh.add(world, map_of(tile_layer(1, data, SOLID)))
        check_all_bounds({ { 0, 0, 16, 256 }, { 0, 256, 16, 64 } }, world:shapes()) -- of two chunks
      end
    end
    package.loaded["sat.tiled"] = loaded
  end)

  it("covers each whole cell once, by few rectangles", function()
    local seed = SEED
    local random = generator(seed)
    local data, solid = {}, 0
    for i = 1, 64 * 64 do
      data[i] = random(1, 10) > 1 and 1 or 0
      solid = solid + data[i]
    end
    local shapes, area = tiled.shapes(map_of(tile_layer(64, data, SOLID))), 0
    local world = sat.world():add(shapes)
    for _, shape in ipairs(shapes) do area = area + shape:area() end
    assert.equal(solid * 256, area, "seed " .. seed)
    assert.is_true(#shapes < solid / 2)
    for row = 0, 63 do
      for column = 0, 63 do
        local _, n = world:at(column * 16 + 8, row * 16 + 8)
        assert.equal(data[row * 64 + column + 1], n, "seed " .. seed)
      end
    end
  end)

  it("is the same list each time", function()
    local random, data = generator(5), {}
    for i = 1, 900 do data[i] = random(0, 3) end
    local list = {}
    for run = 1, 2 do
      list[run] = {}
      for i, shape in ipairs(tiled.shapes(map_of(tile_layer(30, data, SOLID)))) do list[run][i] = { shape:bounds() } end
    end
    assert.same(list[1], list[2])
  end)
end)

-- ---------------------------------------------------------------- options

describe("the option marked", function()
  local function marked_map()
    local marked, plain = { collidable = true }, {}
    local ground = tile_layer(2, { 1, 2 }, { name = "ground", properties = { collidable = true } })
    local slopes = tile_layer(4, { 2, 3, 4, 1 }, { name = "slopes" })
    local wall = object { id = 1, shape = "rectangle", width = 9, height = 9, properties = marked }
    local spawn = object { id = 2, shape = "point", properties = plain }
    local not_solid = object { id = 3, shape = "point", properties = { collidable = false } }
    local ice = object { id = 4, gid = 3, width = 16, height = 16 }
    local slope = object { id = 5, gid = 2, width = 16, height = 16 }
    local of_layer = object { id = 6, shape = "point" }
    return map_of(ground, slopes, object_layer { wall, spawn, not_solid, ice, slope },
      object_layer({ of_layer }, { name = "walls", properties = marked }))
  end

  local function ids(shapes)
    local list = {}
    for i, shape in ipairs(shapes) do list[i] = shape:data().layer .. " " .. tostring(shape:data().id) end
    table.sort(list)
    return list
  end

  local function said(f)
    local lines, print = {}, print
    rawset(_G, "print", function(line) lines[#lines + 1] = line end)
    local ok, problem = pcall(f)
    rawset(_G, "print", print)
    assert(ok, problem)
    return lines
  end

  it("takes nothing but what has the property collidable, or lies in what has it", function()
    assert.same({ "ground 1", "ground nil", "objects 1", "objects 4", "slopes 2", "walls 6" },
      ids(tiled.shapes(marked_map(), { marked = true })))
    assert.same({ "ground 1", "ground nil", "objects 1", "objects 2", "objects 4", "objects 5", "slopes 1", "slopes 2",
      "slopes 3", "slopes 3", "walls 6" }, ids(tiled.shapes(marked_map(), { marked = false })))
  end)

  it("counts the mark of a collision shape of a tile", function()
    local map = map_of(tile_layer(1, { 4 }))
    map.tilesets[1].tiles[3].objectGroup.objects[2].properties = { collidable = true }
    assert.equal("knob", tiled.shapes(map, { marked = true })[1]:data().type)
    map.tilesets[1].tiles[3].objectGroup.objects[2].properties = { collidable = false }
    local shapes = tiled.shapes(map)
    assert.same({ 1, "thing" }, { #shapes, shapes[1]:data().type })
  end)

  it("is told of once, where a map has marks and the option is not given", function()
    local map = marked_map()
    local lines = said(function()
      tiled.shapes(map)
      tiled.add(sat.world(), map)
    end)
    assert.equal(1, #lines)
    assert.matches("^sat.tiled: map: 3 objects have the property collidable, and 2 objects without it collide, too: ",
      lines[1])
    assert.same({}, said(function()
      for _, options in ipairs { { marked = true }, { marked = false }, { layers = { "objects" } } } do
        tiled.shapes(marked_map(), options)
      end
      tiled.shapes(map_of(object_layer { object { shape = "point" } }))
      tiled.shapes(map_of(object_layer { object { shape = "point", properties = { collidable = true } } }))
      tiled.shapes(map_of(tile_layer(1, { 1 }, SOLID), object_layer { object { shape = "point" } }))
    end))
  end)
end)

describe("the option static", function()
  it("makes objects static that do not say static = false", function()
    local free = object { shape = "point", properties = { static = false } }
    local map = map_of(object_layer { object { shape = "point" }, free, object { gid = 2, width = 16, height = 16 } })
    local list = {}
    for i, shape in ipairs(tiled.shapes(map, { static = true })) do list[i] = shape:isStatic() end
    assert.same({ true, false, true }, list)
    for _, shape in ipairs(tiled.shapes(map, { static = false })) do assert.is_false(shape:isStatic()) end
  end)
end)

describe("the options", function()
  it("name the layers that collide, and these collide wholly", function()
    local map = map_of(tile_layer(2, { 1, 1 }, { name = "back" }), tile_layer(2, { 0, 1 }, { name = "front" }),
      object_layer { object { shape = "point" } })
    check_all_bounds({ { 16, 0, 16, 16 } }, tiled.shapes(map, { layers = { "front" } }))
    local group = { type = "group", name = "all", layers = map.layers }
    assert.equal(3, #tiled.shapes(map_of(group), { layers = { "all" } }))
  end)

  it("find tilesets that lie in files of their own", function()
    local map = map_of(tile_layer(1, { 2 }))
    map.tilesets = { { name = "ground", firstgid = 1, filename = "ground.tsx" } }
    local asked
    local shapes = tiled.shapes(map, { tileset = function(filename)
      asked = filename
      return tileset()
    end })
    assert.same({ "ground.tsx", 1, "polygon" }, { asked, #shapes, shapes[1]:kind() })
  end)

  it("are refused where they are misspelt or of another type", function()
    refuses("there is no option 'layer'", map_of(), { layer = {} })
    refuses("options: layers must be a table", map_of(), { layers = "front" })
    refuses("options: tileset must be a function", map_of(), { tileset = {} })
    refuses("options: they must be a table", map_of(), 3)
    refuses("the map has no layer 'nowhere'", map_of(), { layers = { "nowhere" } })
  end)
end)

describe("tiled.add", function()
  it("keeps whole cells in grids that tell tiles and change them", function()
    local random, data, solid = generator(11), {}, 0
    for i = 1, 64 * 64 do data[i] = random(1, 10) > 1 and 1 or random(2, 3) end
    local world, list = sat.world(), sat.world()
    local map = map_of(tile_layer(64, data, { properties = { collidable = true, category = 4 }, offsetx = 5 }))
    local shapes = tiled.add(world, map)
    list:add(tiled.shapes(map))
    assert.is_true(world:count() < 1.2 * list:count() and #shapes == world:count()) -- chunks cut rectangles
    for _ = 1, 2000 do
      local x, y = random(0, 1100) + 0.3, random(0, 1100) + 0.4
      local found, expected = world:at(x, y), list:at(x, y)
      assert.equal(#expected, #found)
      if found[1] then
        solid = solid + 1
        assert.same({ true, 4, expected[1]:data().type },
          { found[1]:isStatic(), (found[1]:filter()), found[1]:data().type })
      end
    end
    assert.is_true(solid > 1000)
    local index = 0
    repeat index = index + 1 until data[index] == 1
    local grid = world:at((index - 1) % 64 * 16 + 13, math.floor((index - 1) / 64) * 16 + 8)[1]:data().grid
    local column, row = grid:cell((index - 1) % 64 * 16 + 13, math.floor((index - 1) / 64) * 16 + 8)
    grid:set(column, row, false)
    assert.equal(0, #world:at((index - 1) % 64 * 16 + 13, math.floor((index - 1) / 64) * 16 + 8))
    map.layers[1].offsetx = nil
    map.tileheight = 8 -- no squares
    local count = #tiled.shapes(map)
    assert.equal(count, #tiled.add(sat.world(), map))
  end)

  it("adds nothing of a map that is refused", function()
    local world = sat.world()
    local map = map_of(tile_layer(1, { 1 }, SOLID), object_layer { object { shape = "blob" } })
    assert.is_false(pcall(tiled.add, world, map))
    assert.equal(0, world:count())
  end)

  it("adds the shapes to a world and returns them", function()
    local world = sat.world()
    local shapes = tiled.add(world, map_of(tile_layer(1, { 1 }, SOLID)))
    assert.same({ 1, world }, { world:count(), shapes[1]:world() })
    assert.error_matches(function() tiled.add({}, map_of()) end, "bad argument #1 to 'add' %(world must be a world")
  end)
end)

-- ---------------------------------------------------------------- what is refused

describe("a map", function()
  it("is refused unless it is orthogonal", function()
    for _, orientation in ipairs { "isometric", "staggered", "hexagonal" } do
      local map = map_of()
      map.orientation = orientation
      refuses("map: it is " .. orientation .. ", and only orthogonal maps are read", map)
    end
  end)

  it("is refused where its tiles are packed", function()
    for _, field in ipairs { "zlib", "gzip", "zstd", "" } do
      local layer = tile_layer(1, { 1 }, { encoding = "base64", compression = field ~= "" and field or nil })
      layer.data = "eJxjYGBgAAAABAAB"
      refuses(("layer 'tiles': its data is packed (%s)"):format(field ~= "" and field or "base64"), map_of(layer))
      layer.chunks = { { x = 0, y = 0, width = 1, height = 1, data = layer.data } }
      refuses(("chunk 1 of layer 'tiles': its data is packed (%s)"):format(field ~= "" and field or "base64"),
        map_of(layer))
    end
    local layer = tile_layer(1, {}, { height = 1, data = "AQAAAA==" })
    layer.encoding = nil
    refuses("layer 'tiles': data must be a table, not 'AQAAAA=='", map_of(layer))
  end)

  it("is refused with the place and the field that is wrong", function()
    local function with(change)
      local map = map_of(tile_layer(2, { 1, 2 }, { properties = { collidable = true } }),
        object_layer { object { shape = "rectangle", width = 9, height = 9 } })
      change(map, map.layers[1], map.layers[2].objects[1])
      return map
    end
    local cases = {
      ["map: layers must be a table"] = function(map) map.layers = nil end,
      ["map: tilewidth must be a finite number"] = function(map) map.tilewidth = "16" end,
      ["map: tilesets must be a table"] = function(map) map.tilesets = 3 end,
      ["tileset 1: it must be a table"] = function(map) map.tilesets[1] = "ground" end,
      ["tileset 'ground': firstgid must be a finite number"] = function(map) map.tilesets[1].firstgid = nil end,
      ["tileset 'ground': tileheight must be a finite number"] = function(map) map.tilesets[1].tileheight = nil end,
      ["tileset 'ground': id must be a finite number"] = function(map) map.tilesets[1].tiles[1].id = nil end,
      ["tileset 'ground': it is in the file ground.tsx"] = function(map)
        map.tilesets[1] = { name = "ground", firstgid = 1, filename = "ground.tsx" }
      end,
      ["layer 1: it must be a table"] = function(map) map.layers[1] = "tiles" end,
      ["layer 1: its name must be a string"] = function(_, tiles) tiles.name = nil end,
      ["layer 'tiles': its type is nil"] = function(_, tiles) tiles.type = nil end,
      ["layer 'tiles': offsetx must be a finite number"] = function(_, tiles) tiles.offsetx = 0 / 0 end,
      ["layer 'tiles': data must be a table"] = function(_, tiles) tiles.data = nil end,
      ["layer 'tiles': width must be a finite number"] = function(_, tiles) tiles.width = nil end,
      ["layer 'tiles': its data has 2 tiles, not 3 by 1"] = function(_, tiles) tiles.width = 3 end,
      ["layer 'tiles': chunks must be a table"] = function(_, tiles) tiles.chunks = true end,
      ["chunk 1 of layer 'tiles': it must be a table"] = function(_, tiles) tiles.chunks = { 5 } end,
      ["chunk 1 of layer 'tiles': x must be a finite number"] = function(_, tiles) tiles.chunks = { { width = 1 } } end,
      ["column 1, row 0 of layer 'tiles': 1.5 is no number of a tile"] = function(_, tiles) tiles.data[2] = 1.5 end,
      ["column 0, row 0 of layer 'tiles': -1 is no number of a tile"] = function(_, tiles) tiles.data[1] = -1 end,
      ["column 1, row 0 of layer 'tiles': a tile is turned as only hexagonal maps"] = function(_, tiles)
        tiles.data[2] = 2 + DIAGONAL / 2
      end,
      ["the property sensor must be a boolean, not 1"] = function(_, tiles) tiles.properties.sensor = 1 end,
      ["the property category must be a number"] = function(_, _, one) one.properties.category = true end,
      ["category"] = function(_, _, one) one.properties.category = -1 end,
      ["the property oneWay must be true"] = function(_, _, one) one.properties.oneWay = "sideways" end,
      ["object 1 of layer 'objects': x must be a finite number"] = function(_, _, one) one.x = nil end,
      ["object 1 of layer 'objects': width must be a finite number"] = function(_, _, one) one.width = "9" end,
      ["object 1 of layer 'objects': bad argument #3 to 'rectangle'"] = function(_, _, one) one.width = -9 end,
      ["object 1 of layer 'objects': rotation must be a finite number"] = function(_, _, one) one.rotation = true end,
      ["object 1 of layer 'objects': its shape is blob"] = function(_, _, one) one.shape = "blob" end,
      ["object 1 of layer 'objects': it is made from a template"] = function(_, _, one)
        one.shape, one.template = nil, "door.tx"
      end,
      ["object 1 of layer 'objects': polygon must be a table"] = function(_, _, one) one.shape = "polygon" end,
      ["object 1 of layer 'objects': point 1 of its polygon"] = function(_, _, one)
        one.shape, one.polygon = "polygon", { 1, 2, 3 }
      end,
      ["object 1 of layer 'objects': y must be"] = function(_, _, one)
        one.shape, one.polyline = "polyline", { { x = 1 } }
      end,
      ["object 1 of layer 'objects': bad argument"] = function(_, _, one)
        one.shape, one.polygon = "polygon", { { x = 0, y = 0 }, { x = 5, y = 5 } }
      end,
      ["tileset 'ground', tile 1, collision shape 1: its shape is blob"] = function(map)
        map.tilesets[1].tiles[1].objectGroup.objects[1].shape = "blob"
      end,
      ["its object alignment middle is unknown"] = function(map, _, one)
        map.tilesets[1].objectalignment, one.gid = "middle", 1
      end,
      ["layer 'objects': an object must be a table, not 7"] = function(map) map.layers[2].objects[1] = 7 end,
    }
    for text, change in pairs(cases) do refuses(text, with(change)) end
    refuses("map: it must be a table", nil)
    refuses("map: it must be a table", "map.lua")
  end)
end)

-- ---------------------------------------------------------------- large maps

describe("a map whose chunks lie far apart", function()
  local function chunk(x, y, data) return { x = x, y = y, width = 2, height = #data / 2, data = data } end

  local function far_map(...)
    return map_of { type = "tilelayer", name = "tiles", properties = { collidable = true }, chunks = { ... } }
  end

  it("takes the time of its cells", function()
    local start = os.clock()
    for _, far in ipairs { 6e4, 1e6, 1e9 } do
      local map = far_map(chunk(0, 0, { 1, 1, 1, 1 }), chunk(far, -far, { 1, 2, 3, 1 }),
        chunk(-far, far, { 1, 0, 0, 1 }))
      local shapes, world = tiled.shapes(map), sat.world()
      check_all_bounds({
        { 16 * far + 16, -16 * far, 16, 16 }, { 16 * far, -16 * far, 16, 16 }, { 16 * far, -16 * far + 16, 16, 16 },
        { 16 * far + 16, -16 * far + 16, 16, 16 }, { 0, 0, 32, 32 },
        { -16 * far, 16 * far, 16, 16 }, { -16 * far + 16, 16 * far + 16, 16, 16 },
      }, shapes)
      tiled.add(world, map)
      for _, shape in ipairs(shapes) do
        local x, y = shape:bounds()
        assert.equal(1, #world:at(x + 9, y + 15))
      end
      local grid = world:at(8, 8)[1]:data().grid
      assert.equal(world:at(16 * far + 24, -16 * far + 24)[1]:data().grid, grid)
      local column, row = grid:cell(8, 8)
      grid:set(column, row, nil):set(column + 3, row, true)
      assert.same({ 0, 1, 1 }, { #world:at(8, 8), #world:at(24, 8), #world:at(56, 8) })
      grid:fill(sat.circle(16 * far + 24, -16 * far + 24, 4), nil)
      assert.same({ 1, 0 }, { #world:at(16 * far + 8, -16 * far + 24), #world:at(16 * far + 24, -16 * far + 24) })
    end
    assert(os.clock() - start < 1, "far cells take long")
  end)

  it("is refused where no cell can be", function()
    for _, value in ipairs { 2 ^ 53, -1e300, 0.5, 1e9 + 1 } do
      refuses("sat.tiled: chunk 1 of layer 'tiles': x must be a whole number from -1000000000 to 1000000000, not ",
        far_map(chunk(value, 0, { 1, 1 })))
    end
  end)

  it("is what its cells are, in any order of its chunks", function()
    local random = generator(SEED % 100000 + 7)
    for _ = 1, 10 do
      local chunks, solid, xs = {}, {}, { 0, 2, 4, 1e5, 1e5 + 2, -7e4 }
      for i = 1, 30 do
        local x, y, data = xs[random(1, #xs)], xs[random(1, #xs)] + random(0, 2), {}
        for k = 1, 2 * random(1, 3) do
          data[k] = random(0, 2) == 2 and 5 or random(0, 1) -- 5 differs from 1 in nothing
          if data[k] > 0 then solid[(x + (k - 1) % 2) .. " " .. (y + math.floor((k - 1) / 2))] = true end
        end
        chunks[i] = chunk(x, y, data)
      end
      local map, area, count = far_map((table.unpack or unpack)(chunks)), 0, 0
      for _ in pairs(solid) do count = count + 1 end
      local shapes, world = tiled.shapes(map), sat.world()
      for _, shape in ipairs(shapes) do area = area + shape:area() end
      tiled.add(world, map)
      assert.equal(256 * count, area, "seed " .. SEED)
      for place in pairs(solid) do
        local column, row = place:match("(%S+) (%S+)")
        assert.equal(1, #world:at(column * 16 + 5, row * 16 + 5), "seed " .. SEED)
      end
      area = 0
      for _, shape in ipairs(world:shapes()) do area = area + shape:area() end
      assert.equal(256 * count, area, "seed " .. SEED)
    end
  end)
end)

describe("a map of absurd sizes", function()
  it("is read or refused at once", function()
    local start = os.clock()
    local layer = tile_layer(1, { 1 }, { width = 0, height = 1e9, data = {} })
    assert.equal(0, #tiled.shapes(map_of(layer)))
    layer = tile_layer(1, { 1 }, { width = -1, height = -1 })
    refuses("layer 'tiles': width must be a whole number from 0 to 1000000000, not -1", map_of(layer))
    layer = tile_layer(1, { 1 }, { width = 1e9, height = 1e9 })
    refuses("layer 'tiles': its data has 1 tiles, not 1000000000 by 1000000000", map_of(layer))
    layer = tile_layer(1, { 1 }, { width = 1e9, height = 1e9, x = 0, y = 0, data = { [7] = { [1e8] = { gid = 1 } } } })
    local map = map_of(layer)
    map.tileInstances = {}
    layer.properties.collidable = true
    check_all_bounds({ { 16e8 - 16, 96, 16, 16 } }, tiled.shapes(map))
    assert(os.clock() - start < 1)
  end)

  it("takes time in proportion to its kinds of tiles", function()
    local function time_of(count)
      local map, data = map_of(), {}
      for i = 1, count do data[i] = i end
      map.layers[1] = tile_layer(count / 10, data, SOLID)
      map.tilesets = { tileset { tilecount = count, tiles = {} } }
      for i = 1, count do map.tilesets[1].tiles[i] = { id = i - 1, type = "kind " .. i } end
      local best = math.huge
      for _ = 1, 3 do
        collectgarbage()
        local start = os.clock()
        local shapes = tiled.add(sat.world(), map)
        best = math.min(best, os.clock() - start)
        assert.equal(count, #shapes)
      end
      return best
    end
    local few, many = time_of(500), time_of(4000)
    assert(many < 8 * 2.5 * few, ("%g s for 500 kinds, %g s for 4000"):format(few, many))
  end)

  it("takes time in proportion to its tilesets", function()
    local map, data = map_of(), {}
    for i = 1, 20000 do
      map.tilesets[i] = { name = "set " .. i, firstgid = i, tilewidth = 16, tileheight = 16 }
      data[i] = i
    end
    map.layers[1] = tile_layer(200, data, SOLID)
    local start = os.clock()
    assert.equal(1, #tiled.shapes(map))
    assert(os.clock() - start < 2)
  end)
end)

describe("a map with a fault", function()
  local function with(change)
    local map = map_of(tile_layer(2, { 1, 2 }, { properties = { collidable = true } }),
      object_layer { object { shape = "rectangle", width = 9, height = 9 } })
    return map, change(map, map.layers[1], map.layers[2].objects[1], map.tilesets[1].tiles[1])
  end

  local LONG = ("x"):rep(200)

  local CASES = {
    ["object 1 of layer 'objects': bad argument #1 to 'rotate'"] = function(_, _, one) one.rotation = 1e17 * 180 end,
    ["object 1 of layer 'objects': bad argument #1 to 'point'"] = function(_, _, one)
      one.shape, one.x = "point", 1e17
    end,
    ["object 1 of layer 'objects': bad argument #1 to 'segment'"] = function(_, _, one) one.x, one.width = 1e17, 0 end,
    ["column 1, row 0 of layer 'tiles': "] = function(_, tiles) tiles.offsetx = 1e15 end,
    ["tileset 'ground', tile 1: objectGroup must be a table, not 7"] = function(_, _, _, tile) tile.objectGroup = 7 end,
    ["tileset 'ground', tile 1: objects must be a table, not 7"] = function(_, _, _, tile)
      tile.objectGroup.objects = 7
    end,
    ["tileset 'ground', tile 1, collision shape 1: it must be a table, not 7"] = function(_, _, _, tile)
      tile.objectGroup.objects[1] = 7
    end,
    ["tile 2 of the list of tileset 'ground': it must be a table, not 7"] = function(map)
      map.tilesets[1].tiles[2] = 7
    end,
    ["tileset 'ground', tile 1: width must be a finite number, not '16'"] = function(_, _, _, tile)
      tile.width = "16"
    end,
    ["tileset 'ground', tile 0: its picture must have a size above 0, not 0 by 16"] = function(map)
      map.tilesets[1].tilewidth = 0
    end,
    ["map: tilewidth and tileheight must be above 0, not 16 and -3"] = function(map) map.tileheight = -3 end,
    ["layer 'tiles': it comes twice"] = function(map) map.layers[3] = map.layers[1] end,
    ["layer 'all': it comes twice"] = function(map)
      map.layers[3] = { type = "group", name = "all" }
      map.layers[3].layers = { map.layers[3] }
    end,
    ["layer 'deep': it lies in more than 100 groups"] = function(map)
      local layer = { type = "group", name = "deep", layers = {} }
      for _ = 1, 10000 do layer = { type = "group", name = "deep", layers = { layer } } end
      map.layers[3] = layer
    end,
    ["object 1 of layer 'objects': the property sensor must be a boolean, not a table"] = function(_, _, one)
      one.properties.sensor = {}
    end,
    ["object 1 of layer 'objects': the property sensor must be a boolean, not a string of 200 letters"] =
      function(_, _, one) one.properties.sensor = LONG end,
    ["object 1 of layer 'objects': bad argument #1 to 'setFilter' (category"] = function(_, _, one)
      one.properties.category = 0.5
    end,
    ["layer 'tiles': height must be a whole number from 0 to 1000000000, not 0.5"] = function(_, tiles)
      tiles.width, tiles.height = 4, 0.5
    end,
  }

  it("is refused with the place and the reason, and nothing has been added", function()
    for text, change in pairs(CASES) do
      for _, name in ipairs { "shapes", "add" } do
        local map, world = with(change), sat.world()
        local ok, message
        if name == "add" then ok, message = pcall(tiled.add, world, map) else ok, message = pcall(tiled.shapes, map) end
        assert(not ok, text)
        assert(message:find("sat.tiled: " .. text, 1, true) == 1, text .. "\n" .. message)
        assert(not message:find(".lua:", 1, true), message)
        assert.equal(0, world:count())
      end
    end
    refuses("options: item 2 of layers must be a string, not", map_of(), { layers = { "x", 0 / 0 } })
  end)

  it("is refused by a world that is waiting, with the line of the call", function()
    local world, said = sat.world():add(sat.circle(0, 0, 3)), nil
    world:move(sat.circle(-20, 0, 3), 50, 0, function()
      local ok, message = pcall(function() tiled.add(world, (with(function() end))) end)
      said = not ok and message
      return "slide"
    end)
    assert.matches("tiled_spec.lua:%d+: the world cannot change until the function that it asks has returned", said)
    assert.equal(1, world:count())
  end)
end)

-- ---------------------------------------------------------------- Simple Tiled Implementation

-- What STI makes of a map in its init: groups are dissolved, tiles are tables in rows, and polygons lie where they are.
local function as_sti(map, x, y)
  local group = map.layers[1]
  map.tileInstances, map.offsetx, map.offsety, map.layers = {}, x, y, {}
  for i, layer in ipairs(group.layers) do
    layer.name = group.name .. "." .. layer.name
    layer.x, layer.y = group.offsetx + layer.offsetx + x, group.offsety + layer.offsety + y
    if layer.type == "tilelayer" then
      local rows = {}
      for row = 1, layer.height do
        rows[row] = {}
        for column = 1, layer.width do
          local gid = layer.data[(row - 1) * layer.width + column]
          rows[row][column] = gid > 0 and { gid = gid } or nil
        end
      end
      layer.data = rows
    else
      for _, one in ipairs(layer.objects) do
        one.layer = layer
        for _, point in ipairs(one.polygon or {}) do
          local c, s = math.cos(math.rad(one.rotation)), math.sin(math.rad(one.rotation))
          point.x, point.y = layer.x + one.x + c * point.x - s * point.y, layer.y + one.y + s * point.x + c * point.y
        end
      end
    end
    map.layers[i], map.layers[layer.name] = layer, layer
  end
  for key, value in pairs(tiled.plugin) do map[key] = value end
  return map
end

describe("the plugin for STI", function()
  local function new_map()
    local triangle = { { x = 0, y = 0 }, { x = 8, y = 0 }, { x = 0, y = 6 } }
    return map_of { type = "group", name = "all", offsetx = 10, offsety = 20, layers = {
      tile_layer(3, { 1, 2 + HORIZONTAL, 0, 1, 1, 1 }, { properties = { collidable = true }, offsetx = 5 }),
      object_layer {
        object { shape = "rectangle", x = 50, y = 10, width = 20, height = 5, rotation = 30 },
        object { shape = "polygon", x = 5, y = 50, polygon = triangle, rotation = 90 },
        object { gid = 2, x = 30, y = 30, width = 16, height = 16 },
      },
    } }
  end

  it("adds the shapes that the map has without it", function()
    local expected, world = tiled.add(sat.world(), new_map()), sat.world()
    local shapes = as_sti(new_map(), 100, 200):sat_init(world)
    assert.same({ #expected, #expected }, { #shapes, world:count() })
    for i, shape in ipairs(expected) do
      local x, y, w, h = shape:bounds()
      check_bounds(shapes[i], x + 100, y + 200, w, h)
    end
  end)

  it("removes the shapes of a layer", function()
    local world, map = sat.world(), as_sti(new_map(), 0, 0)
    map:sat_init(world)
    map:sat_removeLayer("all.objects")
    assert.same({ 3, 3 }, { world:count(), #map.sat_shapes })
    map:sat_removeLayer(1)
    assert.equal(0, world:count())
    assert.error_matches(function() map:sat_removeLayer("nowhere") end, "the map has no layer nowhere")
  end)
end)
