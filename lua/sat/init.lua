-- sat: 2D collision detection. This file puts the module together, out of the native part and the Lua files beside it,
-- and hands it out. Nothing here is global, and loading it again, under this name or another, is harmless.
--
-- Most games never draw a shape nor misspell a method. So the files for that are loaded when they are first used. Here
-- they are looked for, since the lack of one is an error that `require "sat"` is to raise.

local name, filename = ...

local assert, io, loadfile, setmetatable, type = assert, io, loadfile, setmetatable, type
local jit, love, setfenv, globals = rawget(_G, "jit"), rawget(_G, "love"), rawget(_G, "setfenv"), _G
local filesystem = type(love) == "table" and love.filesystem

-- The folder of this file as whoever loaded it wrote it, ending in a separator: a real one, or one that LÖVE shows.
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
local prefix = type(name) == "string" and (name:gsub("[./]init$", "")) .. "."

-- The file of that name beside this one, through require where this one came that way.
local function load_sibling(sibling)
  if prefix then return require(prefix .. sibling) end
  return assert(loadfile((folder or "./") .. sibling .. ".lua"))()
end

-- Functions that wait for a file make tail calls, and errors of Lua 5.1 do not know who made one: there nothing waits.
local can_wait = jit or _VERSION ~= "Lua 5.1"

-- The function that loads the file at a path, or nil where that cannot be told from here.
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

-- A function that returns what the file of that name does.
local function defer_sibling(sibling)
  local is_loaded = prefix and (package.preload[prefix .. sibling] or package.loaded[prefix .. sibling])
  local path = (folder or "./") .. sibling .. ".lua"
  local load = not is_loaded and find_loader(path)
  if not load then
    local value = load_sibling(sibling)
    return function() return value end
  end
  return once(function()
    local chunk = assert(load(path))
    if setfenv then setfenv(chunk, globals) end -- a script may have given its thread others
    return chunk()
  end)
end

local sat = load_sibling("native")(folder, defer_sibling("search"), defer_sibling("diagnosis"))
local methods, world_methods, tree_methods = sat.methods, sat.worldMethods, sat.treeMethods
local ffi_interface, piece_of, way_of, type_of = sat.ffiInterface, sat.pieceOf, sat.wayOf, sat.type
sat.methods, sat.worldMethods, sat.treeMethods = nil, nil, nil -- a script has no business there
sat.ffiInterface, sat.pieceOf, sat.wayOf = nil, nil, nil

-- The function at a key of the table that `get` returns, which is asked for when the function is called.
local function wait_for(get, key)
  if not can_wait then return get()[key] end
  return function(...) return get()[key](...) end
end

local style, draw, svg = defer_sibling("style"), defer_sibling("draw"), defer_sibling("svg")
local drawing = once(function() return { draw()(style(), type_of, piece_of, way_of) } end)
local writing = once(function() return { svg()(style(), type_of, piece_of, way_of) } end)
methods.draw, world_methods.draw, world_methods.svg = wait_for(drawing, 1), wait_for(drawing, 2), wait_for(writing, 1)

if jit then
  load_sibling("jit")(sat, { shape = methods, world = world_methods, quadtree = tree_methods }, ffi_interface,
    defer_sibling("fast"))
end

-- Reading an unknown name of the module and of what it makes is an error, which names.lua words.
local names, arguments = defer_sibling("names"), defer_sibling("arguments")
local refusals = once(function()
  return names().refusals(sat, methods, world_methods, tree_methods, arguments().nearest)
end)
for kind, known in pairs { sat = sat, shape = methods, world = world_methods, quadtree = tree_methods } do
  setmetatable(known, { __index = wait_for(refusals, kind) })
end

return sat --[[@as sat]] -- what the types file says, for editors
