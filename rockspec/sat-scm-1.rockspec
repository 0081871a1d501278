rockspec_format = "3.0"
package = "sat"
version = "scm-1"
source = { url = "git+file://." } -- this folder: `luarocks make` reads it as it is
description = {
  summary = "Exact and fast 2D collision detection for LÖVE and Lua, in C",
  detailed = [[
Overlaps, minimum translation vectors, contacts, distances, casts and rays for polygons (convex or concave), circles,
ellipses, capsules, segments, chains of terrain and compounds, each rounded if wanted, by the separating axis theorem.
A world with a quadtree finds what collides and moves shapes with slides, bounces, lifts and one-way platforms. On top
of it are a character on feet, tiles, maps of Tiled and the APIs of bump.lua and HC. No dependencies, no tuning
constants, no garbage.
]],
  license = "MIT",
  labels = { "collision", "geometry", "love2d", "gamedev" },
}
supported_platforms = { "unix", "windows" }
dependencies = { "lua >= 5.1" }
test = { type = "busted" }
build = {
  type = "builtin",
  modules = {
    sat = "lua/sat/init.lua",
    ["sat.arguments"] = "lua/sat/arguments.lua",
    ["sat.bump"] = "lua/sat/bump.lua",
    ["sat.character"] = "lua/sat/character.lua",
    ["sat.diagnosis"] = "lua/sat/diagnosis.lua",
    ["sat.draw"] = "lua/sat/draw.lua",
    ["sat.extract"] = "lua/sat/extract.lua",
    ["sat.fast"] = "lua/sat/fast.lua",
    ["sat.hc"] = "lua/sat/hc.lua",
    ["sat.jit"] = "lua/sat/jit.lua",
    ["sat.library.bump"] = "lua/sat/library/bump.lua",
    ["sat.library.character"] = "lua/sat/library/character.lua",
    ["sat.library.hc"] = "lua/sat/library/hc.lua",
    ["sat.library.sat"] = "lua/sat/library/sat.lua",
    ["sat.library.tiled"] = "lua/sat/library/tiled.lua",
    ["sat.library.tiles"] = "lua/sat/library/tiles.lua",
    ["sat.names"] = "lua/sat/names.lua",
    ["sat.native"] = "lua/sat/native.lua",
    ["sat.search"] = "lua/sat/search.lua",
    ["sat.style"] = "lua/sat/style.lua",
    ["sat.svg"] = "lua/sat/svg.lua",
    ["sat.tiled"] = "lua/sat/tiled.lua",
    ["sat.tiles"] = "lua/sat/tiles.lua",
    ["sat.whole"] = "lua/sat/whole.lua",
    ["sat.core"] = {
      sources = {
        "rockspec/core.c",
        "rockspec/binding.c",
        "csrc/narrowphase/convex/simd/fast_path_avx.c",
        "csrc/narrowphase/convex/simd/separation_avx.c",
        "csrc/shape/simd/turn_avx.c",
      },
      incdirs = { "csrc" },
    },
  },
  install = { lua = { ["sat.config"] = "lua/sat/config.json" } }, -- for editors, as is sat.library
  platforms = {
    unix = { modules = { ["sat.core"] = { libraries = { "m" } } } },
  },
}
