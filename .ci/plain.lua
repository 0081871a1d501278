-- Run before a script, by LUA_INIT=@.ci/plain.lua, this leaves the fast path of LuaJIT out: what sat calls to set it up
-- does nothing.
package.preload["sat.jit"] = function()
  return function() return false end
end
