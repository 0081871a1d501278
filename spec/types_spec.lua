-- The types file says what the module is: the same names, the same parameters in the same order, and results of the
-- types that it states.
local sat = require "sat"
local sorted = require("spec.support").sorted
local samples = require "spec.samples"
local types = require "docs.types"

local unpack = table.unpack or unpack
local items = types.read("lua/sat/library/sat.lua").items

local OWNERS = {
  sat = sat,
  Shape = debug.getmetatable(sat.point(0, 0)).__index,
  Quadtree = debug.getmetatable(sat.quadtree(0, 0, 1, 1)).__index,
  World = debug.getmetatable(sat.world()).__index,
}

-- ---------------------------------------------------------------- good arguments

-- What an item is called with: a subject before the colon, and a shape, an item and a string that it can do with.
local function make_scene(item)
  local is_adding = item.key == "insert" or item.key == "build" or item.key == "add" or item.key == "setData"
  local shape, other = sat.rectangle(0, 0, 40, 40), sat.circle(20, 20, 30)
  local tree, world = sat.quadtree(0, 0, 100, 100):insert(other, 0, 0, 9, 9), sat.world():add(other)
  if not is_adding then
    tree:insert("thing", 1, 4, 9, 16):insert(shape)
    world:add(shape)
  end
  local subjects = { Shape = other, Quadtree = tree, World = world }
  return { subject = subjects[item.owner], shape = shape, saved = sat.world():save() }
end

-- What answers as LÖVE's ImageData does.
local IMAGE = { getDimensions = function() return 3, 3 end, getPixel = function() return 0, 0, 0, 1 end }

local function good_list(name, scene)
  if name == "items" then return { "another" } end
  if name == "boxes" then return { 1, 4, 9, 16 } end
  if name == "shapes" then return { scene.shape } end
  return { 1, 4, 9, 16, 25, 36 }
end

-- The angle where a sector ends that begins at 16, and the radius of a hole in one of radius 9 or more.
local SPECIAL = { to = 17, inner = 4 }

-- A value of a parameter, the k-th; no three vertices of these numbers are on a line. As a motion they lead deeper into
-- a shape in the same place, whose way out leads up: a cast that leads out is let go and returns nil alone.
local function good_value(param, k, scene)
  local kinds = {
    number = function() return k * k end,
    integer = function() return 3 end,
    boolean = function() return true end,
    string = function() return scene.saved end,
    any = function() return "thing" end,
    ["sat.Shape"] = function() return scene.shape end,
    ["sat.Who"] = function() return 4294967295 end,
    ["number|sat.Shape"] = function() return 9 end,
    ['"line"|"fill"'] = function() return "fill" end,
    ['"nonzero"|"evenodd"'] = function() return "evenodd" end,
  }
  if SPECIAL[param.name] then return SPECIAL[param.name] end
  if param.name == "k" then return 1 end -- the scene's shape has one part
  if kinds[param.type] then return kinds[param.type]() end
  if param.type:match("^sat%.Response") then return "touch" end
  if param.name == "source" then return function() return true end end
  if param.name == "image" then return IMAGE end
  if param.name == "accept" then return function() return true end end
  if param.type:match("%[%]$") then return good_list(param.name, scene) end
  assert(param.type:match("^{"), param.name .. " has a type unknown here: " .. param.type)
  return {}
end

-- Arguments for all of a list of parameters, the subject first; how many, and at which place the first stands.
local function good_arguments(item, params)
  local scene = make_scene(item)
  local arguments, offset = { scene.subject }, scene.subject and 1 or 0
  local count = offset
  for k, param in ipairs(params) do
    if param.name == "..." then break end
    count = k + offset
    arguments[count] = good_value(param, k, scene)
  end
  return arguments, count, offset
end

local function message_of(f, arguments, count)
  local ok, message = pcall(f, unpack(arguments, 1, count))
  assert(not ok, "it raised nothing")
  return (tostring(message):gsub("^[^:\n]*:%d+: ", ""))
end

-- ---------------------------------------------------------------- results

local function is_of(type_name, value)
  if type_name:match("%?$") then return value == nil or is_of(type_name:sub(1, -2), value) end
  if type_name == "any" then return true end
  if type_name:match("%[%]$") then return type(value) == "table" end
  if type_name:match("^sat%.") and type_name ~= "sat.Kind" then
    return sat.type(value) == type_name:match("%.(%w+)"):lower()
  end
  if type_name:match("^fun%(") then return type(value) == "function" end
  if type_name == "integer" then return type(value) == "number" and value % 1 == 0 end
  if type_name == "true" then return value == true end
  if type_name:match('"') or type_name == "sat.Kind" then return value == nil or type(value) == "string" end
  return type(value) == type_name
end

local function check_results(item, ...)
  local last = item.returns[#item.returns]
  local is_loop = last.type:match("^fun%(")
  for i, result in ipairs(item.returns) do
    local value = select(i, ...)
    assert(is_of(result.type, value), ("result %d is no %s but %s"):format(i, result.type, tostring(value)))
  end
  if is_loop or last.name == "..." then return end
  assert(select("#", ...) <= #item.returns, "it returns more than is said")
end

-- ---------------------------------------------------------------- the specs

-- Those that take any number of vertices or shapes: what they say of too few is not about one argument.
local function is_list(item) return item.owner == "sat" and item.params[1]
  and item.params[#item.params].name == "..." end

local function names_of(owner)
  local names = {}
  for _, item in ipairs(items) do
    if item.owner == owner then names[item.key] = true end
    for _, alias in ipairs(item.aliases) do
      local alias_owner, key = alias:match("^(%w+)%.(%w+)$")
      if alias_owner == owner then names[key] = true end
    end
  end
  return sorted(names)
end

-- With something that is of no type that is wanted anywhere.
local function check_wrong(item, k, param)
  local arguments, count, offset = good_arguments(item, item.params)
  arguments[k + offset] = print
  local message = message_of(OWNERS[item.owner][item.key], arguments, count)
  local name = is_list(item) and param.name:gsub("^(%a)(%d)$", "vertex %2: %1") or param.name
  assert.matches(("bad argument #%d to '%s' (%s must be "):format(k, item.key, name), message, 1, true)
end

local function check_missing(item, k, param)
  local arguments, _, offset = good_arguments(item, item.params)
  local message = message_of(OWNERS[item.owner][item.key], arguments, k - 1 + offset)
  assert.matches(("bad argument #%d to '%s' %%(%s .*is missing"):format(k, item.key, param.name), message)
end

describe("the types file", function()
  local love

  setup(function()
    love = rawget(_G, "love")
    rawset(_G, "love", samples.make_love({}, {}, {}))
  end)

  teardown(function() rawset(_G, "love", love) end)

  for _, owner in ipairs { "sat", "Shape", "Quadtree", "World" } do
    it("names all that " .. owner .. " has, and nothing else", function()
      assert.same(sorted(OWNERS[owner]), names_of(owner))
    end)
  end

  for _, item in ipairs(items) do
    local f = OWNERS[item.owner][item.key]
    it("shows an example of " .. item.name .. ", and says what it is", function()
      assert.is_true(#item.samples > 0)
      assert.matches("^%u.*%.$", (table.concat(item.text, "\n"):match("^(.-)\n\n"):gsub("\n", " ")))
    end)

    if type(f) == "function" then
      it("says what " .. item.name .. " costs", function()
        assert.matches("Cost: ", table.concat(item.text, "\n"), 1, true)
      end)

      it("knows how to call " .. item.name .. ", and what it returns", function()
        local arguments, count = good_arguments(item, item.params)
        check_results(item, f(unpack(arguments, 1, count)))
        for _, params in ipairs(item.overloads) do
          arguments, count = good_arguments(item, params)
          check_results(item, f(unpack(arguments, 1, count)))
        end
      end)

      for k, param in ipairs(item.params) do
        if param.type ~= "any" and param.name ~= "..." and not param.type:match("fun%(") then
          it(("has %s as parameter %d of %s"):format(param.name, k, item.name), function()
            check_wrong(item, k, param)
          end)
        end
        if not param.optional and param.name ~= "..." and not is_list(item) then
          it(("knows that %s of %s may not be left out"):format(param.name, item.name), function()
            check_missing(item, k, param)
          end)
        end
      end
    end
  end

  it("knows the methods that are functions of the module, too, under the same name", function()
    local count = 0
    for _, item in ipairs(items) do
      for _, alias in ipairs(item.aliases) do
        count = count + 1
        assert.equal("Shape." .. item.key, alias)
      end
    end
    assert.is_true(count > 0)
  end)
end)

describe("the types file of", function()
  local character, tiles = require "sat.character", require "sat.tiles"
  local hero = character.new(sat.world(), sat.circle(0, 0, 5))
  local map = tiles.new(sat.world(), 1, 1, 8, function() end)
  local parts = {
    character = { character = { new = true }, Character = { move = true, drop = true } },
    tiles = {
      tiles = { new = true, image = true },
      TileMap = { get = true, set = true, fill = true, edit = true, cell = true },
    },
  }
  local objects = { character = character, Character = hero, tiles = tiles, TileMap = map }

  for _, part in ipairs(sorted(parts)) do
    it(part .. " names what a game calls, with an example and its cost", function()
      local found = {}
      for _, item in ipairs(types.read("lua/sat/library/" .. part .. ".lua").items) do
        assert.equal("function", type(objects[item.owner][item.key]), item.name)
        assert.is_true(#item.samples > 0)
        assert.matches("Cost: ", table.concat(item.text, "\n"), 1, true)
        found[item.owner] = found[item.owner] or {}
        found[item.owner][item.key] = true
      end
      assert.same(parts[part], found)
    end)
  end
end)

-- The parts that a game requires by name: the owners of what their types files say.
local bump, tiled, hc = require "sat.bump", require "sat.tiled", require "sat.hc"
local PARTS = {
  hc = {
    HC = { new = hc.new, spatialhash = hc.spatialhash }, shapes = hc.shapes, Collider = getmetatable(hc.new()).__index,
    Shape = getmetatable(hc.shapes.newPointShape(0, 0)).__index, Hash = getmetatable(hc.hash()).__index,
  },
  bump = { bump = bump, World = getmetatable(bump.newWorld()).methods },
  tiled = { tiled = tiled },
}
local NO_FUNCTIONS = { _VERSION = true, rect = true, responses = true, plugin = true, __index = true }

for part, owners in pairs(PARTS) do
  describe("the types file of sat." .. part, function()
    local listed = types.read("lua/sat/library/" .. part .. ".lua").items

    it("is of a file that finds the module beside it, whatever its folder is called", function()
      local loaded = {}
      local folders = { ["lib.sat." .. part] = "lib.sat", ["lib/sat/" .. part] = "lib/sat", [part] = "sat" }
      for name, folder in pairs(folders) do
        local whole, before = folder .. ".whole", {} -- what parts ask for
        for _, other in ipairs { "whole", "arguments", "tiles" } do
          before[other] = package.loaded[folder .. "." .. other]
          package.loaded[folder .. "." .. other] = require("sat." .. other)
        end
        package.loaded[whole] = setmetatable({}, { __index = function(_, key)
          loaded[folder] = true
          return sat[key]
        end })
        local module = assert(loadfile("lua/sat/" .. part .. ".lua"))(name)
        pcall(module.newWorld or module.add, {})
        if module.newWorld then module.newWorld() end
        for _, other in ipairs { "whole", "arguments", "tiles" } do
          package.loaded[folder .. "." .. other] = before[other]
        end
      end
      assert.same({ ["lib.sat"] = true, ["lib/sat"] = true, sat = true }, loaded)
    end)

    it("names all functions that there are, and nothing else", function()
      local expected, actual = {}, {}
      for owner, functions in pairs(owners) do
        for key in pairs(functions) do
          if not NO_FUNCTIONS[key] then expected[owner .. "." .. key] = true end
        end
      end
      for _, item in ipairs(listed) do actual[item.owner .. "." .. item.key] = true end
      assert.same(expected, actual)
    end)

    for _, item in ipairs(listed) do
      it("says of " .. item.name .. " what it is and costs, with an example", function()
        local text = table.concat(item.text, "\n")
        assert.is_true(#item.samples > 0)
        assert.matches("^%u.*%.$", (text:match("^(.-)\n\n"):gsub("\n", " ")))
        assert.matches("Cost: ", text, 1, true)
      end)
    end
  end)
end

describe("the addon for the Lua language server", function()
  local config = samples.read_file("lua/sat/config.json")

  -- As the server does it: no letter may stand before or behind.
  local function is_offered_for(text)
    local word = config:match('"words": %["(.*)"%]'):gsub("\\(.)", "%1")
    local captures = { text:match("([%w_]?)" .. word .. "([%w_]?)") }
    return captures[1] == "" and captures[#captures] == ""
  end

  it("is offered to files that require sat, from any folder", function()
    for _, text in ipairs { 'local sat = require "sat"', "require('sat')", 'require("lib.sat")', 'require "lib/sat"',
      'require ( "sat" )' } do
      assert.is_true(is_offered_for(text), text)
    end
  end)

  it("is not offered to others", function()
    for _, text in ipairs { 'require "saturn"', "local sat = 1", 'require "sat.core"' } do
      assert.is_false(is_offered_for(text), text)
    end
  end)
end)
