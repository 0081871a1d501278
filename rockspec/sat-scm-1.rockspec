rockspec_format = "3.0"
package = "sat"
version = "scm-1"
source = { url = "git+https://github.com/sat-lua/sat.git" }
description = {
  summary = "Exact and fast 2D collision detection for LÖVE and Lua, in C",
  detailed = [[
Overlaps, minimum translation vectors, contacts, distances, casts and rays for convex shapes of any number of vertices,
circles, capsules and rounded shapes, by the separating axis theorem. No dependencies, no tuning constants, no garbage.
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
    ["sat.diagnosis"] = "lua/sat/diagnosis.lua",
    ["sat.draw"] = "lua/sat/draw.lua",
    ["sat.jit"] = "lua/sat/jit.lua",
    ["sat.library.sat"] = "lua/sat/library/sat.lua",
    ["sat.native"] = "lua/sat/native.lua",
    ["sat.core"] = {
      sources = {
        "csrc/bodies.c",
        "csrc/cast.c",
        "csrc/decomposition.c",
        "csrc/escape.c",
        "csrc/expansion.c",
        "csrc/lane_any.c",
        "csrc/lane_avx.c",
        "csrc/list.c",
        "csrc/lua_check.c",
        "csrc/lua_jit.c",
        "csrc/lua_memory.c",
        "csrc/lua_module.c",
        "csrc/lua_quadtree.c",
        "csrc/lua_quadtree_change.c",
        "csrc/lua_quadtree_find.c",
        "csrc/lua_quadtree_loop.c",
        "csrc/lua_shape.c",
        "csrc/lua_stay.c",
        "csrc/lua_world.c",
        "csrc/lua_world_ask.c",
        "csrc/lua_world_loop.c",
        "csrc/lua_world_save.c",
        "csrc/many.c",
        "csrc/many_save.c",
        "csrc/minkowski.c",
        "csrc/narrowphase.c",
        "csrc/outline.c",
        "csrc/predicates.c",
        "csrc/quadtree.c",
        "csrc/quadtree_list.c",
        "csrc/quadtree_pairs.c",
        "csrc/quadtree_plan.c",
        "csrc/quadtree_query.c",
        "csrc/quadtree_search.c",
        "csrc/quadtree_seek.c",
        "csrc/quadtree_settle.c",
        "csrc/ring.c",
        "csrc/scratch.c",
        "csrc/shape.c",
        "csrc/shape_save.c",
        "csrc/status.c",
        "csrc/strands.c",
        "csrc/sweep.c",
        "csrc/triangulation.c",
        "csrc/trigonometry.c",
        "csrc/widest.c",
        "csrc/world.c",
        "csrc/world_cast.c",
        "csrc/world_finds.c",
        "csrc/world_list.c",
        "csrc/world_load.c",
        "csrc/world_pairs.c",
        "csrc/world_query.c",
        "csrc/world_save.c",
        "csrc/world_separate.c",
        "csrc/world_update.c",
      },
      incdirs = { "csrc" },
    },
  },
  install = { lua = { ["sat.config"] = "lua/sat/config.json" } }, -- for editors, as is sat.library
  platforms = {
    unix = { modules = { ["sat.core"] = { libraries = { "m" } } } },
  },
}
