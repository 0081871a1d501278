-- One way through the house: a file includes its own layer or earlier ones, never a later one, and the core never sees
-- Lua. A new file of csrc/ is entered here, on the layer where it belongs.
local lfs = require "lfs"

local LAYERS = {
  { "sat" },
  { "geometry" },
  { "predicates", "exact", "trigonometry" },
  { "scratch", "list", "status" },
  { "strands" },
  { "sweep" },
  { "triangulation" },
  { "ring", "decomposition" },
  { "bytes" },
  { "shape", "body", "many", "many_save", "shape_save" },
  { "minkowski" },
  { "joint" },
  { "pairing" },
  { "expansion" },
  { "four_avx", "four_sse2", "four_any" },
  { "four" },
  { "lane" },
  { "scan" },
  { "lane_code" },
  { "lane_any", "lane_avx" },
  { "widest" },
  { "outline" },
  { "choice" },
  { "escape", "bodies", "narrowphase", "cast" },
  { "cells" },
  { "quadtree", "quadtree_list" },
  { "quadtree_plan" },
  { "quadtree_settle", "quadtree_search" },
  { "quadtree_pairs", "quadtree_query", "quadtree_seek" },
  { "world", "world_list", "world_finds", "world_pairs", "world_update", "world_separate", "world_query",
    "world_cast", "world_collide", "world_move", "world_carry" },
  { "world_save", "world_load" },
  { "lua_compat" },
  { "lua_check", "lua_memory", "lua_stay" },
  { "lua_shape" },
  { "lua_tree" },
  { "lua_quadtree", "lua_quadtree_change", "lua_quadtree_find", "lua_quadtree_loop" },
  { "lua_world", "lua_world_ask", "lua_world_loop", "lua_world_move",
    "lua_world_save" },
  { "lua_jit" },
  { "lua_module" },
}

local layer_of = {}
for layer, stems in ipairs(LAYERS) do
  for _, stem in ipairs(stems) do layer_of[stem] = layer end
end

local function stem_of(name) return name:match("^(.*)%.[ch]$") end

local function sources()
  local list = {}
  for name in lfs.dir("csrc") do
    if stem_of(name) then list[#list + 1] = name end
  end
  table.sort(list)
  return list
end

-- What a file includes: the names in quotes, and those in angle brackets.
local function includes(name)
  local quoted, angled = {}, {}
  for line in io.lines("csrc/" .. name) do
    quoted[#quoted + 1] = line:match('^%s*#%s*include%s*"([^"]+)"')
    angled[#angled + 1] = line:match("^%s*#%s*include%s*<([^>]+)>")
  end
  return quoted, angled
end

describe("the layers of csrc/", function()
  for _, name in ipairs(sources()) do
    local stem = stem_of(name)
    local quoted, angled = includes(name)

    it("know " .. name, function()
      assert(layer_of[stem], name .. " is on no layer: add its stem to LAYERS in spec/layers_spec.lua")
    end)

    it("are not climbed by " .. name, function()
      for _, included in ipairs(quoted) do
        local other = stem_of(included)
        assert(layer_of[other], name .. " includes " .. included .. ", which is on no layer: add it to LAYERS")
        assert(layer_of[other] <= (layer_of[stem] or 0), name .. " includes " .. included .. ", which is above it")
      end
    end)

    if not stem:match("^lua_") then
      it("keep Lua away from " .. name, function()
        for _, list in ipairs { quoted, angled } do
          for _, included in ipairs(list) do
            assert(not included:match("lua") and not included:match("lauxlib"), name .. " includes " .. included)
          end
        end
      end)
    end
  end
end)
