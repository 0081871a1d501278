-- What of a world is drawn, in LÖVE, for which a recorder stands in here, and as SVG.
local sat = require "sat"
local style = require "sat.style"
local support = require "spec.support"

local near, sorted = support.near, support.sorted
local unpack = table.unpack or rawget(_G, "unpack")

-- Of each kind one, in one world.
local function make_shapes()
  return {
    polygon = sat.polygon(0, 0, 40, 0, 40, 40, 20, 10, 0, 40),
    frame = sat.polygon { { 400, 0, 440, 0, 440, 40, 400, 40 }, { 410, 10, 430, 10, 420, 30 } },
    rounded = sat.polygon(60, 0, 100, 0, 100, 40, 80, 10, 60, 40):setRadius(3),
    capsule = sat.capsule(200, 0, 230, 10, 6),
    circle = sat.circle(260, 10, 12),
    segment = sat.segment(300, 0, 330, 15),
    point = sat.point(350, 5),
    chain = sat.chain { 0, 100, 60, 110, 120, 90 },
    compound = sat.compound(sat.circle(200, 100, 10), sat.rectangle(200, 95, 40, 10), sat.point(250, 100)),
  }
end

local function world_of(shapes)
  local world = sat.world()
  for _, name in ipairs(sorted(shapes)) do world:add(shapes[name]) end
  return world
end

-- Two balls that overlap by 2, and a third one far from them.
local function three_balls()
  local a, b, c = sat.circle(0, 0, 5), sat.circle(8, 0, 5), sat.circle(100, 0, 5)
  return sat.world():add(a, b, c), a, b, c
end

describe("the colors of a drawing", function()
  -- How colors look to those in whose eyes one kind of cone is missing, as matrices of linear light. Machado, Oliveira
  -- and Fernandes, A physiologically-based model for simulation of color vision deficiency, 2009.
  local SIGHTS = {
    all = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
    ["all but long waves"] =
      { 0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998 },
    ["all but middle waves"] =
      { 0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881 },
    ["all but short waves"] =
      { 1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039 },
  }
  local TO_XYZ = { 0.4339, 0.3762, 0.1899, 0.2126, 0.7152, 0.0722, 0.0177, 0.1095, 0.8728 } -- white is 1, 1, 1

  local function apply(m, v)
    local result = {}
    for i = 1, 3 do result[i] = m[3 * i - 2] * v[1] + m[3 * i - 1] * v[2] + m[3 * i] * v[3] end
    return result
  end

  local function map(v, f) return { f(v[1]), f(v[2]), f(v[3]) } end

  -- CIELAB, in which a distance of 2 can just be seen.
  local function as_seen(color, sight)
    local linear = map(color, function(c) return c <= 0.04045 and c / 12.92 or ((c + 0.055) / 1.055) ^ 2.4 end)
    local seen = map(apply(sight, linear), function(c) return math.min(math.max(c, 0), 1) end)
    local t = map(apply(TO_XYZ, seen), function(c) return c > 0.008856 and c ^ (1 / 3) or 7.787 * c + 16 / 116 end)
    return { 116 * t[2] - 16, 500 * (t[1] - t[2]), 200 * (t[2] - t[3]) }
  end

  for _, sight in ipairs(sorted(SIGHTS)) do
    it("are far apart for who sees " .. sight, function()
      local names = sorted(style.colors)
      for i, one in ipairs(names) do
        for k = i + 1, #names do
          local p, q = as_seen(style.colors[one], SIGHTS[sight]), as_seen(style.colors[names[k]], SIGHTS[sight])
          local distance = math.sqrt((p[1] - q[1]) ^ 2 + (p[2] - q[2]) ^ 2 + (p[3] - q[3]) ^ 2)
          assert(distance >= 20, ("%s and %s: %.1f"):format(one, names[k], distance))
        end
      end
    end)
  end
end)

-- ---------------------------------------------------------------- SVG

-- The elements of an XML document: each with its name, its attributes and where it is, such as "/svg/g". Raises where
-- it is not well-formed; there is no text in ours.
local function parse(xml)
  local elements, path = {}, {}
  local at = 1
  while at <= #xml do
    local space, slash, name, rest, empty, behind = xml:match("^(%s*)<(/?)([%a_][%w_.-]*)([^<>]-)(/?)>%s*()", at)
    assert(space, "no tag at " .. xml:sub(at, at + 60))
    if slash == "/" then
      assert(table.remove(path) == name and rest == "" and empty == "", "a wrong end of " .. name)
    else
      local attributes, left = {}, rest
      for key, value in rest:gmatch('%s+([%a_][%w_:.-]*)="([^"<&]*)"') do
        assert(attributes[key] == nil, "an attribute comes twice: " .. key)
        attributes[key] = value
      end
      left = left:gsub('%s+[%a_][%w_:.-]*="[^"<&]*"', ""):gsub("%s", "")
      assert(left == "", "what is no attribute: " .. left)
      assert(#path > 0 or #elements == 0, "a second root")
      elements[#elements + 1] = { name = name, attributes = attributes, inside = table.concat(path, "/") }
      if empty == "" then path[#path + 1] = name end
    end
    at = behind
  end
  assert(#path == 0, "no end of " .. tostring(path[#path]))
  return elements
end

-- By the class of the group that they are in, the elements of a picture.
local function groups_of(svg)
  local groups, class = {}, nil
  for _, element in ipairs(parse(svg)) do
    if element.name == "g" then
      class = element.attributes.class
      groups[class] = {}
    elseif element.inside == "svg/g" then
      table.insert(groups[class], element)
    end
  end
  return groups
end

local function numbers_of(text)
  local numbers = {}
  for number in text:gmatch("[-+%d.eE]+") do numbers[#numbers + 1] = assert(tonumber(number), number) end
  return numbers
end

describe("world:svg", function()
  it("is well-formed, whatever there is in the world", function()
    local elements = parse(world_of(make_shapes()):svg { mode = "fill", boxes = true, nodes = true })
    assert.equal("svg", elements[1].name)
    assert.equal("http://www.w3.org/2000/svg", elements[1].attributes.xmlns)
    parse(sat.world():svg())
    parse(sat.world():add(sat.point(3, 4)):svg { boxes = true, nodes = true })
    parse(sat.world():add(sat.circle(9e14, -9e14, 1e14), sat.circle(0, 0, 1e-9)):svg { nodes = true })
  end)

  it("shows shapes and vectors unless told otherwise, and what is switched on alone", function()
    local world = three_balls()
    assert.same({ "shapes", "vectors" }, sorted(groups_of(world:svg())))
    assert.same({ "shapes", "vectors" }, sorted(groups_of(world:svg("line"))))
    assert.same({ "shapes", "vectors" }, sorted(groups_of(world:svg { mode = "fill" })))
    local names = { "boxes", "hits", "nodes", "shapes", "vectors" }
    for bits = 0, 31 do
      local options, expected = {}, {}
      for i, name in ipairs(names) do
        options[name] = math.floor(bits / 2 ^ (i - 1)) % 2 == 1
        if options[name] then expected[#expected + 1] = name end
      end
      assert.same(expected, sorted(groups_of(world:svg(options))))
    end
  end)

  it("has every shape once, in its place, by what it is in the world", function()
    local shapes = make_shapes()
    shapes.capsule:setStatic(true)
    shapes.circle:setSensor(true)
    shapes.segment:setEnabled(false)
    local paths = groups_of(world_of(shapes):svg()).shapes
    local class_of = { capsule = "static", circle = "sensor", segment = "disabled" }
    for i, name in ipairs(sorted(shapes)) do
      local attributes = paths[i].attributes
      assert.equal(class_of[name] or "moving", attributes.class)
      local x, y, w, h = shapes[name]:bounds()
      local first = numbers_of(attributes.d:gsub("A[-%d.e]+ [-%d.e]+ 0 0 1 ", " "))
      for k = 1, #first, 2 do
        assert(first[k] >= x - 1e-6 and first[k] <= x + w + 1e-6, name)
        assert(first[k + 1] >= y - 1e-6 and first[k + 1] <= y + h + 1e-6, name)
      end
    end
    assert.equal(9, #paths)
  end)

  it("writes straight edges, rounded ones and circles", function()
    local function drawn(shape) return groups_of(sat.world():add(shape):svg()).shapes[1].attributes.d end
    assert.equal("M0 0L4 0L4 3L0 3Z", drawn(sat.rectangle(0, 0, 4, 3)))
    assert.equal("M0 0L4 0L4 4L2 1L0 4Z", drawn(sat.polygon(0, 0, 4, 0, 4, 4, 2, 1, 0, 4)))
    assert.equal("M1 2L3 4.5", drawn(sat.segment(1, 2, 3, 4.5)))
    assert.equal("M1 2L1 2", drawn(sat.point(1, 2)))
    assert.equal("M-1 2A3 3 0 0 1 5 2A3 3 0 0 1 -1 2Z", drawn(sat.circle(2, 2, 3)))
    assert.equal("M0 -1L4 -1A1 1 0 0 1 4 1L0 1A1 1 0 0 1 0 -1Z", drawn(sat.capsule(0, 0, 4, 0, 1)))
    assert.equal("M0 0L4 0M4 0L4 4", drawn(sat.chain { 0, 0, 4, 0, 4, 4 }))
    assert.equal("M1 2L1 2M0 0L4 0", drawn(sat.compound(sat.point(1, 2), sat.segment(0, 0, 4, 0))))
  end)

  it("fills when it is told to", function()
    local world = three_balls()
    for _, path in ipairs(groups_of(world:svg("fill")).shapes) do
      assert.equal(path.attributes.stroke, path.attributes.fill)
    end
    for _, path in ipairs(groups_of(world:svg()).shapes) do assert.is_nil(path.attributes.fill) end
  end)

  it("shows the boxes of all that is enabled, and all nodes", function()
    local world, _, _, c = three_balls()
    c:setEnabled(false)
    local groups = groups_of(world:svg { boxes = true, nodes = true })
    assert.equal(2, #groups.boxes)
    local box = groups.boxes[2].attributes
    assert.same({ "3", "-5", "10", "10" }, { box.x, box.y, box.width, box.height })
    local count = 0
    for x, y, w, h in world:nodes() do
      count = count + 1
      local node = groups.nodes[count].attributes
      for name, value in pairs { x = x, y = y, width = w, height = h } do near(value, tonumber(node[name]), 1e-6) end
    end
    assert.equal(count, #groups.nodes)
  end)

  it("shows of each collision the way out of who can move", function()
    local world, a, b = three_balls()
    local function arrow() return numbers_of(groups_of(world:svg()).vectors[1].attributes.d) end
    local function leads(dx)
      local numbers = arrow()
      near(dx, numbers[3] - numbers[1])
      near(numbers[2], numbers[4])
      assert.equal(10, #numbers) -- the line, and the three corners of the head
    end
    leads(-2)
    b:setStatic(true)
    leads(-2)
    a:setStatic(true)
    assert.equal(0, #groups_of(world:svg()).vectors)
    b:setStatic(false)
    leads(2)
    b:moveTo(10, 0)
    assert.same({ 5, 0, 5, 0 }, arrow())
  end)

  -- The places that the way of the last move goes through.
  local function way_of(world)
    local way = groups_of(world:svg { hits = true }).hits[1]
    return way and numbers_of(way.attributes.d)
  end

  it("shows the way of the last move, and the normal at each place of contact", function()
    local world = sat.world():add(sat.rectangle(0, 100, 200, 20):setStatic(true))
    local hero = sat.rectangle(20, 80, 10, 10)
    assert.is_nil(way_of(world))
    world:move(hero, 30, 20)
    assert.same({ 25, 85, 40, 95, 55, 95 }, way_of(world))
    local paths = groups_of(world:svg { hits = true }).hits
    assert.equal(4, #paths) -- the way, the dot where it starts, and a dot and an arrow for the hit
    local place, arrow = numbers_of(paths[3].attributes.d), numbers_of(paths[4].attributes.d)
    assert.equal(100, place[2])
    assert.same({ place[1], place[2], place[1] }, { arrow[1], arrow[2], arrow[3] })
    assert(arrow[4] < place[2])
    world:check(hero, -30, 20, "bounce")
    assert.same({ 55, 95, 55, 95, 25, 75 }, way_of(world))
    world:check(hero, 0, -300)
    local way = way_of(world)
    assert.same({ 55, 95, 55, -205 }, way)
    local view = numbers_of(parse(world:svg { hits = true })[1].attributes.viewBox)
    assert(view[2] < -205)
    hero:moveTo(55, 99) -- 4 deep in the floor
    world:move(hero, 20, 0)
    assert.same({ 55, 99, 55, 95, 75, 95 }, way_of(world))
    world:release()
    assert.is_nil(way_of(world))
  end)

  it("shows the ways of random moves by pieces that are as long as the motion at most", function()
    local random = support.generator(7)
    for _ = 1, 300 do
      local world = sat.world()
      for _ = 1, 6 do
        world:add(sat.regular(random(0, 100), random(0, 100), random(5, 20), random(3, 7)):setStatic(true))
      end
      local mover = sat.circle(-40, random(0, 100), 5)
      local x, y = mover:center()
      local dx, dy = random(50, 200), random(-50, 50)
      local toX, toY = world:move(mover, dx, dy, ({ "slide", "bounce", "touch", "cross" })[random(1, 4)])
      local way, length = way_of(world), 0
      assert.same({ ("%.12g"):format(x), ("%.12g"):format(y) }, { ("%.12g"):format(way[1]), ("%.12g"):format(way[2]) })
      near(toX, way[#way - 1], 1e-9)
      near(toY, way[#way], 1e-9)
      for i = 3, #way, 2 do length = length + math.sqrt((way[i] - way[i - 2]) ^ 2 + (way[i + 1] - way[i - 1]) ^ 2) end
      assert(length <= math.sqrt(dx * dx + dy * dy) + 1e-6)
    end
  end)

  it("shows by an arrow from which side a one-way shape is solid", function()
    local platform = sat.rectangle(0, 0, 40, 10):setStatic(true):setOneWay(0, -1)
    local world = sat.world():add(platform, sat.circle(20, 60, 10))
    local function arrows() return groups_of(world:svg())["one-way"] end
    local function leads(fromX, fromY, nx, ny)
      local arrow = numbers_of(arrows()[1].attributes.d)
      local dx, dy = arrow[3] - arrow[1], arrow[4] - arrow[2]
      local length = math.sqrt(dx * dx + dy * dy)
      near(fromX, arrow[1], 1e-9)
      near(fromY, arrow[2], 1e-9)
      near(nx, dx / length, 1e-9)
      near(ny, dy / length, 1e-9)
    end
    leads(20, 0, 0, -1)
    platform:flip(true)
    leads(20, 10, 0, 1)
    platform:rotate(math.pi / 2)
    leads(15, 5, -1, 0)
    assert.equal(1, #arrows())
    platform:setOneWay()
    assert.is_nil(arrows())
  end)

  it("has all in view", function()
    local world = world_of(make_shapes())
    local view = numbers_of(parse(world:svg { nodes = true })[1].attributes.viewBox)
    local function is_in_view(x, y, w, h)
      assert(x >= view[1] and y >= view[2] and x + w <= view[1] + view[3] and y + h <= view[2] + view[4])
    end
    for _, shape in ipairs((world:shapes())) do is_in_view(shape:bounds()) end
    for x, y, w, h in world:nodes() do is_in_view(x, y, w, h) end
  end)

  it("shows shapes whose edges are too short for their squares to be more than 0", function()
    for _, shape in ipairs { sat.rectangle(0, 0, 1e-200, 1e-200):setRadius(1), sat.rectangle(0, 0, 1e-200, 2e-200),
      sat.rectangle(0, 0, 1e-200, 1e-200):setOneWay(0, -1), sat.segment(0, 0, 5e-324, 0) } do
      local picture = sat.world():add(shape):svg()
      assert.is_nil(picture:find("nan", 1, true))
      assert.is_nil(picture:find("inf", 1, true))
    end
  end)

  it("changes nothing", function()
    local world = world_of(make_shapes())
    world:update()
    local saved = world:save()
    world:svg { mode = "fill", boxes = true, nodes = true }
    assert.equal(saved, world:save())
  end)
end)

-- ---------------------------------------------------------------- LÖVE

local FUNCTIONS = { "circle", "line", "points", "polygon", "rectangle", "setColor", "setPointSize" }

-- Instead of LÖVE: calls a function with the name and the arguments of each call of love.graphics; polygons have their
-- corners as numbers.
local function graphics_that(notes)
  local graphics = { getColor = function() return 0.1, 0.2, 0.3, 0.4 end, getPointSize = function() return 7 end }
  for _, name in ipairs(FUNCTIONS) do
    graphics[name] = function(...) notes(name, ...) end
  end
  function graphics.polygon(mode, first, ...)
    if type(first) == "table" then notes("polygon", mode, unpack(first)) else notes("polygon", mode, first, ...) end
  end
  return graphics
end

describe("world:draw", function()
  local old_love, calls
  before_each(function()
    calls, old_love = {}, rawget(_G, "love")
    rawset(_G, "love", { graphics = graphics_that(function(...) calls[#calls + 1] = { ... } end) })
  end)
  after_each(function() rawset(_G, "love", old_love) end)

  -- What was drawn in which color, without the colors.
  local function drawn_in(name)
    local color, found, current = style.colors[name], {}, false
    for _, call in ipairs(calls) do
      if call[1] == "setColor" then
        current = call[2] == color[1] and call[3] == color[2] and call[4] == color[3]
      elseif current and call[1] ~= "setPointSize" then
        found[#found + 1] = call
      end
    end
    return found
  end

  it("draws shapes and vectors unless told otherwise", function()
    local world = three_balls()
    assert.equal(world, world:draw())
    assert.same({ { "circle", "line", 0, 0, 5 }, { "circle", "line", 8, 0, 5 }, { "circle", "line", 100, 0, 5 } },
      drawn_in("moving"))
    local vectors = drawn_in("vectors")
    assert.equal(3, #vectors)
    assert.equal("points", vectors[1][1])
    near(-2, vectors[2][4] - vectors[2][2])
    assert.same({ "polygon", "fill" }, { vectors[3][1], vectors[3][2] })
    assert.same({}, drawn_in("boxes"))
    assert.same({}, drawn_in("nodes"))
  end)

  it("draws what is switched on alone", function()
    local world = three_balls()
    world:draw { shapes = false, vectors = false }
    assert.equal(3, #calls) -- the size of points, and what there was
    world:draw { shapes = false, vectors = false, boxes = true }
    assert.same({ "rectangle", "line", 3, -5, 10, 10 }, drawn_in("boxes")[2])
    assert.equal(0, #drawn_in("moving") + #drawn_in("vectors") + #drawn_in("nodes"))
    calls = {}
    world:draw { shapes = false, vectors = false, nodes = true }
    local count = 0
    for x, y, w, h in world:nodes() do
      count = count + 1
      assert.same({ "rectangle", "line", x, y, w, h }, drawn_in("nodes")[count])
    end
    assert.equal(count + 4, #calls)
  end)

  it("draws the way and the hits of the last move when they are asked for", function()
    local world = sat.world():add(sat.rectangle(0, 100, 200, 20):setStatic(true))
    world:draw { hits = true }
    assert.same({}, drawn_in("hits"))
    world:move(sat.rectangle(20, 80, 10, 10), 30, 20)
    world:draw()
    assert.same({}, drawn_in("hits"))
    world:draw { hits = true }
    local drawn = drawn_in("hits")
    assert.same({ { "line", 25, 85, 40, 95 }, { "line", 40, 95, 55, 95 }, { "points", 25, 85 } },
      { drawn[1], drawn[2], drawn[3] })
    local x = drawn[4][2]
    assert.same({ { "points", x, 100 }, { "line", x, 100, x, 100 - style.ARROW } }, { drawn[4], drawn[5] })
    assert.same({ "polygon", "fill", x, 100 - style.ARROW }, { unpack(drawn[6], 1, 4) })
    assert.equal(6, #drawn)
  end)

  it("draws an arrow on the solid side of a one-way shape", function()
    sat.world():add(sat.rectangle(0, 0, 40, 10):setStatic(true):setOneWay(0, -1)):draw()
    local drawn = drawn_in("static")
    assert.same({ "line", 20, 0, 20, -style.ARROW }, drawn[2])
    assert.same({ "polygon", "fill", 20, -style.ARROW }, { unpack(drawn[3], 1, 4) })
  end)

  it("fills when it is told to, and lets what is behind show through", function()
    sat.world():add(sat.circle(1, 2, 3)):draw("fill")
    local color = style.colors.moving
    assert.same({
      { "setColor", color[1], color[2], color[3], style.OPACITY }, { "circle", "fill", 1, 2, 3 },
      { "setColor", color[1], color[2], color[3], 1 }, { "circle", "line", 1, 2, 3 },
    }, { calls[2], calls[3], calls[4], calls[5] })
  end)

  it("gives back the color and the size of points that there were", function()
    for _, options in ipairs { {}, { nodes = true, boxes = true } } do
      three_balls():draw(options)
      assert.same({ "setPointSize", 7 }, calls[#calls - 1])
      assert.same({ "setColor", 0.1, 0.2, 0.3, 0.4 }, calls[#calls])
    end
  end)

  it("gives them back where love.graphics raises an error, at whichever call", function()
    local world = three_balls()
    for stop = 1, 200 do
      local count = 0
      local color, size = { 0.1, 0.2, 0.3, 0.4 }, 7
      local graphics = graphics_that(function(name, ...)
        count = count + 1
        if name == "setColor" then color = { ... } elseif name == "setPointSize" then size = ...
        elseif count >= stop then error("call " .. stop, 0) end
      end)
      rawset(_G, "love", { graphics = graphics })
      local ok, problem = pcall(world.draw, world, { nodes = true, boxes = true, mode = "fill" })
      if ok then
        assert.is_true(stop > 20)
        return
      end
      assert.equal("call " .. stop, problem)
      assert.same({ { 0.1, 0.2, 0.3, 0.4 }, 7 }, { color, size })
    end
    error "no drawing takes as many calls"
  end)

  it("draws what has several parts part by part, but for the plain outline of a concave polygon", function()
    local shapes = make_shapes()
    shapes.polygon:draw()
    assert.same({ { "polygon", "line", 0, 0, 40, 0, 40, 40, 20, 10, 0, 40 } }, calls)
    calls = {}
    shapes.polygon:draw("fill")
    assert.equal(#shapes.polygon:pieces(), #calls)
    calls = {}
    shapes.chain:draw()
    assert.same({ { "line", 0, 100, 60, 110 }, { "line", 60, 110, 120, 90 } }, calls)
    calls = {}
    shapes.compound:draw("fill")
    assert.same({
      { "circle", "fill", 200, 100, 10 },
      { "polygon", "fill", 200, 95, 240, 95, 240, 105, 200, 105 },
      { "points", 250, 100 },
    }, calls)
    calls = {}
    shapes.rounded:draw()
    assert.equal(#shapes.rounded:pieces(), #calls)
  end)

  it("draws the outline of a polygon with holes as its rings, without the bridges between them", function()
    local touching = { { 0, 0, 30, 0, 30, 30, 0, 30 }, { 15, 1, 20, 10, 10, 10 }, { 20, 10, 25, 10, 25, 20 } }
    for _, rings in ipairs { { { 0, 0, 30, 0, 30, 30, 0, 30 }, { 10, 10, 20, 10, 20, 20, 10, 20 } }, touching } do
      local shape = sat.polygon(rings):rotate(0.3):move(5, 7)
      calls = {}
      shape:draw()
      assert.equal(#rings, #calls)
      local wanted, drawn = {}, {}
      for k, ring in ipairs(rings) do
        wanted[k] = #ring
        drawn[k] = #calls[k] - 2
        assert.same({ "polygon", "line" }, { calls[k][1], calls[k][2] })
      end
      table.sort(wanted)
      table.sort(drawn)
      assert.same(wanted, drawn)
      local paths = groups_of(sat.world():add(shape):svg()).shapes
      assert.equal(#rings, select(2, paths[1].attributes.d:gsub("M", "")))
    end
  end)

  it("draws each edge of random rings once, and no other", function()
    local random = support.generator(support.SEED)
    for _ = 1, 50 do
      local rings, wanted = { { 0, 0, 100, 0, 100, 100, 0, 100 } }, {}
      for x = 10, 70, 20 do
        for y = 10, 70, 20 do
          if random(0, 1) == 1 then rings[#rings + 1] = { x, y, x + 12, y + random(0, 8), x + 2, y + 12 } end
        end
      end
      local function add(list, ring, from)
        for i = from, #ring, 2 do
          local k = i + 2 <= #ring and i + 2 or from
          local a, b = ("%.6f %.6f"):format(ring[i], ring[i + 1]), ("%.6f %.6f"):format(ring[k], ring[k + 1])
          list[#list + 1] = a < b and a .. " " .. b or b .. " " .. a
        end
      end
      for _, ring in ipairs(rings) do add(wanted, ring, 1) end
      calls = {}
      local shape = sat.polygon(rings):draw()
      local upright, drawn = calls, {}
      for _, call in ipairs(upright) do add(drawn, call, 3) end
      calls = {}
      shape:rotate(random(1, 6)):move(1000, 1000):draw() -- where rounding bends what is in line
      for k, call in ipairs(upright) do assert.equal(#call, #calls[k]) end
      table.sort(wanted)
      table.sort(drawn)
      assert.same(wanted, drawn)
    end
  end)

  it("keeps nothing alive", function()
    local gone = setmetatable({}, { __mode = "k" })
    do
      local world = three_balls()
      gone[world] = true
      for _, shape in ipairs((world:shapes())) do gone[shape] = true end
      world:draw { boxes = true, nodes = true }
    end
    calls = {}
    collectgarbage()
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(gone))
  end)

  it("may be called while it draws", function()
    local world, shapes = world_of(make_shapes()), make_shapes()
    local depth, count = 0, 0
    rawset(_G, "love", { graphics = graphics_that(function(name)
      if name:match("^set") then return end
      count = count + 1
      depth = depth + 1
      if depth < 3 then
        shapes.rounded:draw()
        if depth < 2 and count % 5 == 0 then world:draw("fill") end
      end
      depth = depth - 1
    end) })
    world:draw { mode = "fill", boxes = true }
    assert(count > 100)
  end)

  it("needs love.graphics", function()
    rawset(_G, "love", nil)
    assert.error_matches(function() sat.world():draw() end, "'draw' needs love.graphics", 1, true)
  end)
end)

-- ---------------------------------------------------------------- both

describe("the options of a drawing", function()
  for _, name in ipairs { "draw", "svg" } do
    local function refused(options)
      local world = sat.world()
      local ok, message = pcall(function() world[name](world, options) end)
      assert.is_false(ok)
      return (message:gsub("^[^:]*:%d+: ", ""))
    end

    it(("are refused by '%s' where they are wrong, before anything is drawn"):format(name), function()
      local start = ("bad argument #1 to '%s' "):format(name)
      assert.equal(start .. "(options must be 'line', 'fill' or a table, not 'lines')", refused("lines"))
      assert.equal(start .. "(options must be 'line', 'fill' or a table, not 3)", refused(3))
      assert.equal(start .. "(mode must be 'line' or 'fill', not 'dots')", refused { mode = "dots" })
      assert.equal(start .. "(options must be 'line', 'fill' or a table, not a shape)", refused(sat.point(1, 2)))
      assert.equal(start .. "(boxes must be a boolean, not 1)", refused { boxes = 1 })
      assert.equal(start .. "(hits must be a boolean, not a world)", refused { hits = sat.world() })
      assert.equal(start .. "(there is no option 'vector'; the nearest is 'vectors')", refused { vector = true })
      assert.equal(start .. "(there is no option 'node'; the nearest is 'nodes')", refused { node = true })
      assert.equal(start .. "(there is no option 1)", refused { "line" })
    end)

    it(("are blamed on the line that calls '%s'"):format(name), function()
      local world = sat.world()
      local _, message = pcall(function() world[name](world, { boxes = 1 }) end)
      assert.matches("drawing_spec.lua:%d+: bad argument", message)
      for _, wrong in ipairs { "lines", { mode = "lines" } } do
        message = select(2, pcall(function() world[name](world, wrong) end))
        assert.matches("drawing_spec.lua:%d+: bad argument", message)
      end
      _, message = pcall(function() sat.point(1, 2):draw("lines") end)
      assert.matches("drawing_spec.lua:%d+: bad argument", message)
    end)

    it(("are no matter to '%s' of what is no world"):format(name), function()
      local method = sat.world()[name]
      assert.error_matches(function() method(sat.point(1, 2)) end,
        ("calling '%s' on bad self (it must be a world, not a shape; a method is called with a colon, world:%s())")
          :format(name, name), 1, true)
    end)
  end
end)

describe("drawing", function()
  it("makes no garbage once warm", function()
    local old_love = rawget(_G, "love")
    local graphics = {}
    for _, name in ipairs(FUNCTIONS) do graphics[name] = function() end end
    function graphics.getColor() return 1, 1, 1, 1 end
    function graphics.getPointSize() return 1 end
    rawset(_G, "love", { graphics = graphics })
    local shapes = make_shapes()
    local world = world_of(shapes)
    world:add(sat.regular(260, 20, 20, 40):setRadius(2), sat.circle(30, 100, 12), sat.rectangle(10, 0, 9, 9))
    shapes.circle:setOneWay(0, -1)
    world:check(sat.circle(0, -50, 9), 30, 120)
    local options = { mode = "fill", boxes = true, nodes = true, hits = true }
    local function frame()
      world:draw(options):draw()
      for _, shape in next, shapes do shape:draw("fill"):draw() end
    end
    -- A compiler takes memory of its own now and then until it is content.
    local least = math.huge
    for _ = 1, 20 do
      frame()
      collectgarbage()
      collectgarbage("stop")
      frame()
      local before = collectgarbage("count")
      for _ = 1, 50 do frame() end
      least = math.min(least, collectgarbage("count") - before)
      collectgarbage("restart")
    end
    rawset(_G, "love", old_love)
    assert.equal(0, least)
  end)
end)
