-- sat: 2D collision detection. This file puts the module together, out of the native part and the Lua files beside it,
-- and hands it out. Nothing here is global, and loading it again, under this name or another, is harmless.

local name, filename = ...

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

-- The file of that name beside this one, through require where this one came that way.
local function load_sibling(sibling)
  if type(name) == "string" then return require((name:gsub("[./]init$", "")) .. "." .. sibling) end
  return assert(loadfile((own_folder() or "./") .. sibling .. ".lua"))()
end

local sat = load_sibling("native")(own_folder(), load_sibling("diagnosis"))
local methods, world_methods, tree_methods = sat.methods, sat.worldMethods, sat.treeMethods
local ffi_interface, piece_of, way_of = sat.ffiInterface, sat.pieceOf, sat.wayOf
sat.methods, sat.worldMethods, sat.treeMethods = nil, nil, nil -- a script has no business there
sat.ffiInterface, sat.pieceOf, sat.wayOf = nil, nil, nil
local style = load_sibling("style")
methods.draw, world_methods.draw = load_sibling("draw")(style, sat.type, piece_of, way_of)
world_methods.svg = load_sibling("svg")(style, sat.type, piece_of, way_of)
if rawget(_G, "jit") then load_sibling("jit")(sat, methods, ffi_interface) end
load_sibling("names").refuse_unknown(sat, methods, world_methods, tree_methods, load_sibling("arguments").nearest)

return sat --[[@as sat]] -- what the types file says, for editors
