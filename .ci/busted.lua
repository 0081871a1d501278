-- busted on whatever Lua runs this file; its own command has one interpreter built in.
require "busted.runner" ({ standalone = false })
