-- An output handler for busted that writes TAP. The handler of busted 2.1 itself stops at a spec with a syntax error
-- without its message, and leaves out the names of pending tests.
return function()
  local busted = require "busted"
  local handler = require "busted.outputHandlers.base" ()
  local count = 0

  local function write(line)
    io.write(line, "\n")
    io.flush()
  end

  local function result(words, name, directive)
    count = count + 1
    write(("%s %d - %s%s"):format(words, count, name:gsub("[#%c]", " "), directive or ""))
  end

  local function text_of(message)
    if type(message) == "string" then return message end
    return message == nil and "no message" or require "pl.pretty".write(message)
  end

  local function explain(problem)
    local trace = problem.trace and problem.trace.traceback or ""
    write("# " .. (text_of(problem.message) .. trace):gsub("%s+$", ""):gsub("\n", "\n# "))
  end

  handler.testEnd = function(element, _, status)
    local name = handler.getFullName(element)
    if status == "pending" then
      local reason = handler.pendings[#handler.pendings].message -- nil where the name has the reason
      result("ok", name, " # SKIP " .. (reason == nil and "" or text_of(reason):gsub("%c", " ")))
    elseif status == "success" then
      result("ok", name)
    else
      result("not ok", name)
      local problems = status == "failure" and handler.failures or handler.errors
      explain(problems[#problems])
    end
    return nil, true
  end

  -- An error in no test, but in a file that does not load or in a block around tests.
  handler.error = function(element)
    if element.descriptor == "it" then return nil, true end
    result("not ok", element.name or element.descriptor or "busted")
    explain(handler.errors[#handler.errors])
    return nil, true
  end

  handler.suiteEnd = function()
    write("1.." .. count)
    return nil, true
  end

  busted.subscribe({ "test", "end" }, handler.testEnd, { predicate = handler.cancelOnPending })
  busted.subscribe({ "suite", "end" }, handler.suiteEnd)
  busted.subscribe({ "error" }, handler.error)
  return handler
end
