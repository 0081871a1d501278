-- Run before a script on Windows: stands in for what busted asks of the system through C modules that are not there,
-- and puts temporary files where there is room for them.
package.preload["system"] = function()
  return { gettime = os.time, monotime = os.clock, sleep = function() end }
end

package.preload["term"] = function()
  return { isatty = function() return false end }
end

local count = 0
os.tmpname = function() -- luacheck: ignore
  count = count + 1
  return ("%s/sat-%d-%d.tmp"):format((os.getenv("TEMP"):gsub("\\", "/")), os.time(), count)
end
