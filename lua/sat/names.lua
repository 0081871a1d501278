-- Error messages for reading a field that sat, a shape, a world or a quadtree does not have, and for setting one of a
-- value. A message suggests the
-- name that was probably meant: the name here for a name of other libraries, or else the name with the nearest
-- spelling. Known names never reach these functions: Lua finds them in their tables first.

-- The names that LÖVE, love.physics, HC, bump, SAT.js and games' own code use, in small letters and without a leading
-- "get" or "new".
local OTHERS = {
  sat = {
    aabb = "rectangle", box = "rectangle", boxshape = "rectangle", rect = "rectangle", rectangleshape = "rectangle",
    square = "rectangle", circleshape = "circle", ball = "circle", ["disc"] = "circle", disk = "circle",
    pill = "capsule", line = "segment", edge = "segment", edgeshape = "segment", ray = "segment", chainshape = "chain",
    polyline = "chain", convex = "hull", convexhull = "hull", triangle = "polygon", shape = "polygon", mesh = "polygon",
    polygonshape = "polygon", concave = "polygon", group = "compound", ngon = "regular", oval = "ellipse",
    new = "world", physics = "world", space = "world", tree = "quadtree", grid = "quadtree", hash = "quadtree",
    spatialhash = "quadtree", intersects = "overlaps", intersect = "overlaps", iscolliding = "overlaps",
    collides = "overlaps", collideswith = "overlaps", check = "overlaps", checkcollision = "overlaps", hit = "overlaps",
    mtv = "collide", testpolygonpolygon = "collide", testpolygoncircle = "collide", testcirclepolygon = "collide",
    testcirclecircle = "collide", resolve = "collide", manifold = "contacts", pointinpolygon = "contains",
    pointincircle = "contains", sweep = "cast", shapecast = "cast", linecast = "raycast", isvalid = "validate",
    typeof = "type", version = "_VERSION",
  },
  shape = {
    position = "center", pos = "center", x = "center", y = "center", worldcenter = "center", centroid = "center",
    setposition = "moveTo", setpos = "moveTo", setx = "moveTo", sety = "moveTo", setcenter = "moveTo",
    translate = "move", angle = "rotation", rot = "rotation", setangle = "setRotation",
    bbox = "bounds", boundingbox = "bounds", aabb = "bounds", computeaabb = "bounds", rect = "bounds", w = "bounds",
    h = "bounds", width = "bounds", height = "bounds", dimensions = "bounds", size = "bounds",
    outcircle = "boundingCircle",
    points = "vertices", worldpoints = "vertices", corners = "vertices", userdata = "data", setuserdata = "setData",
    filterdata = "filter", setfilterdata = "setFilter", category = "filter", mask = "filter", groupindex = "filter",
    setcategory = "setFilter", setmask = "setFilter", setgroupindex = "setFilter", setcollisiongroup = "setFilter",
    setactive = "setEnabled", isactive = "isEnabled", enable = "setEnabled", disable = "setEnabled",
    trigger = "setSensor", istrigger = "isSensor", shapetype = "kind", type = "kind", testpoint = "contains",
    containspoint = "contains", contain = "contains", collideswith = "collide", collides = "overlaps",
    intersects = "overlaps", intersectsray = "raycast", intersectionswithray = "raycast", resize = "stretch",
    setsize = "stretch", setscale = "scale", setwidth = "stretch", setheight = "stretch", copy = "clone",
    mirror = "flip", ["body"] = "world", setoneway = "setOneWay", r = "radius", iscolliding = "overlaps",
    istouching = "overlaps", touches = "overlaps", intersect = "overlaps", checkcollision = "overlaps",
    hit = "overlaps", depth = "collide", settype = "setStatic", setbodytype = "setStatic",
    setdynamic = "setStatic", setsolid = "setSensor", render = "draw", fill = "draw", lookat = "setRotation",
    rotateto = "setRotation", owner = "data",
  },
  world = {
    ["body"] = "add", newbody = "add", fixture = "add", newfixture = "add", insert = "add", register = "add",
    addshape = "add", addbody = "add", addrectangle = "add", addcircle = "add", addpolygon = "add",
    removeshape = "remove", removebody = "remove", pairs = "collisions", delete = "remove",
    destroy = "release", items = "shapes", ["bodies"] = "shapes", bodylist = "shapes", len = "count",
    countitems = "count", bodycount = "count", hasitem = "has", contains = "has", queryrect = "query",
    queryboundingbox = "query", shapesinarea = "query", querypoint = "at", shapesat = "at", querysegment = "raycasts",
    querysegmentwithcoords = "raycasts", segment = "raycasts", neighbors = "query", project = "check",
    contacts = "touching",
    setcallbacks = "update", contactlist = "touching", step = "update", resolve = "separate", solve = "separate",
    serialize = "save", deserialize = "load", slide = "move", newrectanglecollider = "add",
    newcirclecollider = "add", newpolygoncollider = "add", newlinecollider = "add", queryrectanglearea = "query",
    querycirclearea = "query", querypolygonarea = "query", queryline = "raycasts",
  },
  quadtree = {
    add = "insert", additem = "insert", register = "insert", put = "insert", removeitem = "remove",
    delete = "remove", query = "retrieve", search = "retrieve",
    find = "retrieve", queryrect = "retrieve", move = "update", hasitem = "has", contains = "has", rect = "get",
    bounds = "get", len = "count", size = "count", countitems = "count", collisions = "pairs", reset = "clear",
    querypoint = "retrieve", querysegment = "raycastAll", load = "build",
  },
}

-- The calls that set what fields of shapes with these names would be.
local SETTERS = {
  x = "moveTo(x, y)", y = "moveTo(x, y)", position = "moveTo(x, y)", angle = "setRotation(angle)",
  rotation = "setRotation(angle)", w = "stretch(sx, sy)", h = "stretch(sx, sy)", width = "stretch(sx, sy)",
  height = "stretch(sx, sy)", radius = "setRadius(radius)", static = "setStatic(boolean)",
  sensor = "setSensor(boolean)", enabled = "setEnabled(boolean)", mass = "setMass(mass)",
  category = "setFilter(category, mask)", mask = "setFilter(category, mask)",
}

local LONGEST = 40 -- letters of a word that is compared letter by letter, in time that grows with their square
local CONDITIONS = { except = true, mask = true, as = true, sensors = true, accept = true } -- of a query's `who`
local MODULES = { bump = true, character = true, hc = true, tiled = true, tiles = true } -- these are required by name

-- Names of physics engines for which sat has no function.
local PHYSICS = { "velocity", "force", "impulse", "torque", "gravity", "friction", "restitution", "density", "damping",
  "joint", "fixedrotation" }

local function plain_of(word) return (word:lower():gsub("_", "")) end

-- A word without the prefix "get" or "new", or nil if it has none.
local function bare(word) return word:match("^get_?(.+)$") or word:match("^new_?(.+)$") end

local function names_by_letters(known)
  local by_letters = {}
  for name in pairs(known) do
    if type(name) == "string" and #name <= LONGEST then by_letters[plain_of(name)] = name end
  end
  return by_letters
end

-- Makes the function that refuses a name of one kind of values: `noun` is the kind, `known` the table of its names.
-- `message` makes the message from the unknown name, the known name of the same meaning or letters, and the one with
-- the nearest spelling; these two may be nil.
local function make_refusal(noun, known, nearest, message)
  local others = OTHERS[noun]
  local function find(word)
    local plain = plain_of(word)
    local short = bare(plain)
    local by_letters = names_by_letters(known) -- read at each error, since a game may add names
    local name = others[plain] or by_letters[plain] or short and (others[short] or by_letters[short])
    if name then return name end
    return nil, #plain <= LONGEST and by_letters[nearest(plain, by_letters, #plain / 3)]
  end

  return function(_, key)
    if type(key) ~= "string" or key:sub(1, 2) == "__" then return nil end
    local name, similar = find(key)
    error(message(key, name, similar), 2)
  end
end

-- Makes the function that refuses to set a field of a kind of values, unless `setters` tells a better way.
local function make_setting_refusal(noun, advice, setters)
  return function(_, key)
    if type(key) ~= "string" then error(("a %s has no fields%s"):format(noun, advice), 2) end
    local setter = setters[key]
    error(("a %s has no field '%s'%s"):format(noun, key, setter and ": call shape:" .. setter or advice), 2)
  end
end

local names = { others = OTHERS }

-- The functions that raise the errors, by the kind of value: what __index is in the metatables of tables of methods,
-- and __newindex in those of the tables of fields.
function names.refusals(sat, methods, world_methods, tree_methods, nearest)
  local owners = { { "world", world_methods }, { "quadtree", tree_methods }, { "shape", methods } }

  -- The other place that has this name. Games look for a world's methods in shapes, and for a shape's in sat.
  local function elsewhere(key)
    local short = rawget(sat, key) and key or bare(plain_of(key))
    if short and rawget(sat, short) then return ("it is a function, sat.%s()"):format(short) end
    for _, owner in ipairs(owners) do
      if rawget(owner[2], key) then return ("it is a method of a %s, %s:%s()"):format(owner[1], owner[1], key) end
    end
    local plain = plain_of(key)
    for _, word in ipairs(PHYSICS) do
      if plain:find(word, 1, true) then
        return "sat is no physics engine, and world:move(shape, dx, dy) moves a shape"
      end
    end
  end

  local function of_values(noun, what_else)
    return function(key, name, similar)
      local other = not name and elsewhere(key)
      name = name or not other and similar
      if name then return ("a %s has no field '%s': the nearest method is %s:%s()"):format(noun, key, noun, name) end
      return ("a %s has no field '%s'%s"):format(noun, key, other and ": " .. other or what_else)
    end
  end

  local function of_module(key, name, similar)
    if MODULES[key] then return ("sat has no field '%s': it is a module, require \"sat.%s\""):format(key, key) end
    if rawget(methods, key) and not name then
      return ("sat has no field '%s': it is a method of a shape, shape:%s()"):format(key, key)
    end
    local other = not name and elsewhere(key)
    name = name or not other and similar
    other = name and "the nearest is sat." .. name or other
    return ("sat has no field '%s'%s"):format(key, other and ": " .. other or "")
  end

  return {
    shape = make_refusal("shape", methods, nearest,
      of_values("shape", ": keep a value with shape:setData(value), and read it with shape:data()")),
    world = make_refusal("world", world_methods, nearest, of_values("world", "")),
    quadtree = make_refusal("quadtree", tree_methods, nearest, of_values("quadtree", "")),
    sat = make_refusal("sat", sat, nearest, of_module),
    nearest_condition = function(_, word) return nearest(word:sub(1, LONGEST), CONDITIONS) end,
    set_shape = make_setting_refusal("shape", ": keep a value with shape:setData(value)", SETTERS),
    set_world = make_setting_refusal("world", ", and none can be set", {}),
    set_quadtree = make_setting_refusal("quadtree", ", and none can be set", {}),
  }
end

return names
