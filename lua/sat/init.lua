-- sat: 2D collision detection. This file makes the module out of the native part and the Lua files beside it, and
-- returns it. The module sets no globals, and loading it again, under this name or another, is harmless.
--
-- Most games never draw a shape nor misspell a method, so the files for drawing and for messages are loaded when they
-- are first used. `require "sat"` only checks that they exist, and raises an error for a missing file.

local name, filename = ...

local assert, io, loadfile, setmetatable, type = assert, io, loadfile, setmetatable, type

-- `sat.init` is the name of the same module, and of the same table, where package.path has no `?/init.lua`.
local short_name = type(name) == "string" and name:match("^(.+)[./]init$")
if short_name and type(package.loaded[short_name]) == "table" then return package.loaded[short_name] end

local jit, love, setfenv, globals = rawget(_G, "jit"), rawget(_G, "love"), rawget(_G, "setfenv"), _G
local filesystem = type(love) == "table" and love.filesystem

-- The folder of this file in the words of the caller that loaded it, with a separator at the end: a real folder, or one
-- that LÖVE shows.
local function own_folder()
  local path = type(filename) == "string" and filename
  if not path and debug and debug.getinfo then
    local source = debug.getinfo(1, "S").source
    path = source:sub(1, 1) == "@" and source:sub(2)
  end
  if not path then return nil end
  return path:match("^(.*[/\\])[^/\\]*$") or "./"
end

local folder = own_folder()
local prefix = type(name) == "string" and (short_name or name) .. "."

-- A function that makes the value of the file of that name, where a host has the file in its program.
local function find_preloaded(sibling)
  local load = prefix and package.preload[prefix .. sibling]
  return load and function() return load(prefix .. sibling) end
end

-- Loads the file of that name beside this one, by require if require has loaded this file.
local function load_sibling(sibling)
  local preloaded = find_preloaded(sibling)
  if preloaded then return preloaded() end
  if prefix then return require(prefix .. sibling) end
  return assert(loadfile((folder or "./") .. sibling .. ".lua"))()
end

-- Functions that load a file on their first call make tail calls, and Lua 5.1 cannot tell the line of an error after a
-- tail call: there all files are loaded at once.
local can_wait = jit or _VERSION ~= "Lua 5.1"

-- The function that loads the file at a path, or nil if the file is not found.
local function find_loader(path)
  if not can_wait then return nil end
  if filesystem then return filesystem.getInfo and filesystem.getInfo(path) and filesystem.load end
  local file = io and loadfile and io.open(path, "rb")
  if file then file:close() end
  return file and loadfile
end

-- A function that returns the value of `make`, which it calls once.
local function once(make)
  local value
  return function()
    if value == nil then value = make() end
    return value
  end
end

-- A function that returns the value of the file of that name.
local function defer_sibling(sibling)
  local preloaded = can_wait and find_preloaded(sibling)
  if preloaded then return once(preloaded) end
  local path = (folder or "./") .. sibling .. ".lua"
  local is_loaded = prefix and package.loaded[prefix .. sibling]
  local load = not is_loaded and find_loader(path)
  if not load then
    local value = load_sibling(sibling)
    return function() return value end
  end
  return once(function()
    local chunk = assert(load(path))
    if setfenv then setfenv(chunk, globals) end -- a script may have changed the globals of its thread
    return chunk()
  end)
end

local search, extract, diagnosis = defer_sibling("search"), defer_sibling("extract"), defer_sibling("diagnosis")
local sat = load_sibling("native")(folder, search, extract, diagnosis)
local methods, world_methods, tree_methods = sat.methods, sat.worldMethods, sat.treeMethods
local ffi_interface, piece_of, way_of, type_of = sat.ffiInterface, sat.pieceOf, sat.wayOf, sat.type
local fields = sat.fields
local for_siblings = { answered = sat.answered, checkAnswered = sat.checkAnswered, setRectangle = sat.setRectangle,
  rectangles = sat.rectangles, differing = sat.differing, spans = sat.spans }
sat.methods, sat.worldMethods, sat.treeMethods = nil, nil, nil -- scripts must not change these
sat.ffiInterface, sat.pieceOf, sat.wayOf, sat.fields = nil, nil, nil, nil
for key in pairs(for_siblings) do sat[key] = nil end

-- A function that calls the one at a key of the table that `get` returns, and calls `get` only then.
local function wait_for(get, key)
  if not can_wait then return get()[key] end
  return function(...) return get()[key](...) end
end

local checks, style = defer_sibling("arguments"), defer_sibling("style")
local draw, svg = defer_sibling("draw"), defer_sibling("svg")
local arguments = once(function()
  checks().typeOf = type_of
  return checks()
end)
local drawing = once(function() return { draw()(style(), arguments(), type_of, piece_of, way_of) } end)
local writing = once(function() return { svg()(style(), arguments(), type_of, piece_of, way_of) } end)
methods.draw, world_methods.draw, world_methods.svg = wait_for(drawing, 1), wait_for(drawing, 2), wait_for(writing, 1)

if jit then
  local lists = { shape = methods, world = world_methods, quadtree = tree_methods, siblings = for_siblings }
  load_sibling("jit")(sat, lists, ffi_interface, defer_sibling("fast"))
end

-- Reading an unknown name of the module, a shape, a world or a quadtree is an error, and so is setting any field of
-- these values: names.lua makes the messages.
local names = defer_sibling("names")
local refusals = once(function()
  return names().refusals(sat, methods, world_methods, tree_methods, arguments().nearest)
end)
for kind, known in pairs { sat = sat, shape = methods, world = world_methods, quadtree = tree_methods } do
  setmetatable(known, { __index = wait_for(refusals, kind) })
end
for i, kind in ipairs { "shape", "quadtree", "world" } do
  setmetatable(fields[i], {
    __newindex = wait_for(refusals, "set_" .. kind), __index = wait_for(refusals, "nearest_condition"),
  })
end
getmetatable(sat).siblings = for_siblings -- what bump.lua and tiles.lua need besides

if short_name then package.loaded[short_name] = sat end
return sat --[[@as sat]] -- the type of the types file, for editors
