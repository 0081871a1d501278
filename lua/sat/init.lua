-- sat: 2D collision detection. This file finds the native part, loads it, and hands out the module.
--
-- The native part (core.so, core.dll) is looked for next to this file first, by path: so a game can keep both in any
-- folder, and require "sat", "lib.sat" and "lib/sat" all work. Then it is looked for as "sat.core" where C modules are
-- installed. Nothing here is global, and loading it again, under this name or another, is harmless.

local name, filename = ...
local ENTRY = "luaopen_sat_core"
local separator = package.config:sub(1, 1)
local love = rawget(_G, "love")
local filesystem = type(love) == "table" and love.filesystem

local function extensions()
  if separator == "\\" then return { "dll" } end
  local system = jit and jit.os or (type(love) == "table" and love.system and love.system.getOS())
  if system == "OSX" or system == "OS X" then return { "so", "dylib" } end
  return { "so" }
end

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

-- Where the native part may lie beside this file. LÖVE's file system is no real one: it shows the game's folder (or
-- archive, out of which no system loads a library), the save folder and whatever else is mounted as one.
local function folders()
  local own = own_folder()
  if not own then return {} end
  if not filesystem or not filesystem.getRealDirectory then return { own } end
  local inside = own:gsub("^%./", "")
  local found = {}
  local real = filesystem.getRealDirectory(inside .. "init.lua")
  if real then found[1] = real .. "/" .. inside end
  found[#found + 1] = filesystem.getSaveDirectory() .. "/" .. inside
  found[#found + 1] = filesystem.getSourceBaseDirectory() .. "/" .. inside
  found[#found + 1] = own
  return found
end

-- All paths worth trying, best first, each once.
local function candidates()
  local paths, seen = {}, {}
  local function add(path)
    if not seen[path] then paths[#paths + 1] = path end
    seen[path] = true
  end
  for _, folder in ipairs(folders()) do
    for _, extension in ipairs(extensions()) do add(folder .. "core." .. extension) end
  end
  for template in package.cpath:gmatch("[^;]+") do
    if template:find("?", 1, true) then add((template:gsub("%?", "sat" .. separator .. "core"))) end
  end
  return paths
end

local function exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

-- The native part's table from one path, or nil and the reason. What it raises is that it was built for another Lua.
local function load_from(path)
  if not exists(path) then return nil, "no such file" end
  local open, reason = package.loadlib(path, ENTRY)
  if not open then return nil, reason:sub(1, #path + 2) == path .. ": " and reason:sub(#path + 3) or reason end
  local ok, core = pcall(open, path)
  if ok then return core end
  return nil, core
end

local function running()
  local lua = jit and jit.version or _VERSION
  local cpu = jit and (jit.os .. " on " .. jit.arch) or (separator == "\\" and "Windows" or "Unix")
  return lua .. ", " .. cpu
end

local function explain(tried)
  return table.concat({
    "sat: its native part could not be loaded",
    "this is " .. running() .. (love and ", in LÖVE" or ""),
    "expected: a file core." .. table.concat(extensions(), " or core.") .. " built for this Lua, system and CPU,"
      .. " next to sat's init.lua or installed as sat.core on package.cpath",
    "tried:",
    "  " .. (tried[1] and table.concat(tried, "\n  ") or "nothing, since no folder to look in is known"),
    "what to do: build it for this Lua (make LUA=luajit for LÖVE, LUA=lua5.4 and so on elsewhere) and put it there;"
      .. " inside a .love archive it cannot be loaded and must lie in the save folder or beside the archive",
  }, "\n")
end

local function load_core()
  local preloaded = package.preload["sat.core"] -- a host that has it linked in
  if preloaded then return preloaded("sat.core") end
  if not package.loadlib then error("sat: this Lua cannot load native modules: package.loadlib is not there", 0) end
  local tried = {}
  for _, path in ipairs(candidates()) do
    local core, reason = load_from(path)
    if core then return core end
    tried[#tried + 1] = path .. ": " .. tostring(reason)
  end
  error(explain(tried), 0)
end

-- The file of that name beside this one, through require where this one came that way.
local function load_sibling(sibling)
  if type(name) == "string" then return require((name:gsub("[./]init$", "")) .. "." .. sibling) end
  return assert(loadfile((own_folder() or "./") .. sibling .. ".lua"))()
end

local sat = load_core()
local methods, world_methods, hand_over, part_of = sat.methods, sat.worldMethods, sat.handOver, sat.partOf
sat.methods, sat.worldMethods, sat.handOver, sat.partOf = nil, nil, nil, nil -- a script has no business there
local look = load_sibling("look")
methods.draw, world_methods.draw = load_sibling("draw")(look, sat.type, part_of)
world_methods.svg = load_sibling("svg")(look, sat.type, part_of)
if rawget(_G, "jit") then load_sibling("jit")(sat, methods, hand_over) end

return sat --[[@as sat]] -- what the types file says, for editors
