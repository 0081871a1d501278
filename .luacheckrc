-- What runs on every Lua may name what any of them has; the specs run on all of them and show what is missing.
std = "max"
max_line_length = 120
cache = false

exclude_files = { "build", "lua_modules", "spec/cases/*.lua" }

files["lua"] = { globals = { "love" } }
-- Where functions have no bodies, and what is said about a parameter has to be on one line.
files["lua/sat/library"] = { ignore = { "212", "241" }, max_comment_line_length = 300 }
files["docs/site/love.lua"] = { globals = { "love", "page", "dispatch", "print", "setfenv", "math", "arg", "package" } }
files["examples"] = { globals = { "love" } }
files["examples/host-of-mods"] = { globals = { "add", "near", "sat", "say", "update" } }
files["examples/host-of-mods/mods/greedy.lua"] = { ignore = { "122", "241", "331" } } -- its attacks
files["examples/platformer/map.lua"] = { max_line_length = false } -- as Tiled exports it
files["spec/love"] = { globals = { "love" } }
files["spec/love_native"] = { globals = { "love" } }
files["spec/love_web"] = { globals = { "love" } }
files["spec/**/*_spec.lua"] = { std = "+busted" }
files["**/*.rockspec"] = { std = "+rockspec" }
files["rockspec"] = { std = "+rockspec" }
