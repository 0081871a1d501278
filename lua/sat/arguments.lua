-- Checks of arguments for the parts of sat that are written in Lua, with the messages of the native part. `place` and
-- `name` are the argument's number and the function's name; `depth` is the number of calls from that function to the
-- check, so that the error names the line of the function's caller.

local type = type
local folder = tostring((...)):match("^(.*)[./]arguments$")

local arguments = {}

-- What sat.type gives. The metatable of a userdata would tell, too, but LuaJIT crashes where its compiler reads that of
-- a file. The file init.lua sets typeOf, since `require` does not lead to sat before sat is loaded.
local function type_of(value)
  arguments.typeOf = arguments.typeOf or require(folder .. ".whole").type
  return arguments.typeOf(value)
end

function arguments.describe(value)
  if value == nil then return "nil" end
  if value ~= value then return "NaN" end -- tostring gives "nan" or "-nan"
  if type(value) == "number" or type(value) == "boolean" then return tostring(value) end
  if type(value) == "string" then return "'" .. value .. "'" end
  return "a " .. (type(value) == "userdata" and type_of(value) or type(value))
end

-- The place 0 is that of the value before a method's colon.
function arguments.refuse(place, name, reason, depth)
  local text = place > 0 and "bad argument #" .. place .. " to '%s' (%s)" or "calling '%s' on bad self (%s)"
  error(text:format(name, reason), depth + 2)
end

-- Checks the value before a method's colon; `noun` is what it must be.
function arguments.check_self(name, noun, value, is_good, depth)
  if is_good then return end
  arguments.refuse(0, name, ("it must be a %s, not %s; a method is called with a colon, %s:%s()"):format(noun,
    arguments.describe(value), noun, name), depth + 1)
end

-- Returns an argument that is good, and raises an error for any other: `what` is the argument's name, `wanted` the
-- values that it may have.
function arguments.check(place, name, what, wanted, value, is_good, depth)
  if is_good then return value end
  arguments.refuse(place, name, ("%s must be %s, not %s"):format(what, wanted, arguments.describe(value)), depth + 1)
end

-- Checks a finite number from `low` up to but not including `high`; both may be nil.
function arguments.check_number(place, name, what, value, low, high, depth)
  local is_number = type(value) == "number" and value - value == 0
  if is_number and (not low or value >= low) and (not high or value < high) then return value end
  local range = ""
  if high then range = (" from %g to below %g"):format(low, high)
  elseif low then range = (" of %g or more"):format(low)
  end
  arguments.check(place, name, what, "a finite number" .. range, value, false, depth + 1)
end

local RESPONSES = { [true] = true, slide = true, touch = true, bounce = true, push = true, cross = true }

-- Checks a response for all shapes, or a function that answers for each; nil is none.
function arguments.check_response(place, name, response, depth)
  if RESPONSES[response] or type(response) == "function" then return end
  arguments.check(place, name, "response", '"slide", "touch", "bounce", "push", "cross" or a function', response, false,
    depth + 1)
end

local FAR = 1e15 -- the limit of numbers in sat

-- Checks the first three arguments of a function that moves a shape for a time.
function arguments.check_velocity(name, vx, vy, dt, depth)
  arguments.check_number(1, name, "vx", vx, nil, nil, depth + 1)
  arguments.check_number(2, name, "vy", vy, nil, nil, depth + 1)
  arguments.check_number(3, name, "dt", dt, 0, nil, depth + 1)
  arguments.check_number(1, name, "vx * dt", vx * dt, -FAR, FAR, depth + 1)
  arguments.check_number(2, name, "vy * dt", vy * dt, -FAR, FAR, depth + 1)
end

-- Checks the fields of an object, which the game may have changed, by rules as of read_options.
function arguments.check_fields(name, object, rules, depth)
  for field, rule in pairs(rules) do
    arguments.check_number(0, name, field, rawget(object, field), rule.low, rule.high, depth + 1)
  end
end

-- Raises an error that has been caught. Where it names a line of this library, whose positions begin with `here`, it
-- names the caller's line instead.
function arguments.raise_again(problem, here, depth)
  local is_own = type(problem) == "string" and problem:sub(1, #here) == here
  local message = is_own and problem:match("^%d+: (.*)$", #here + 1)
  error(message or problem, message and depth + 2 or 0)
end

-- ---------------------------------------------------------------- options

-- The least number of letters to insert, delete, replace or swap with the next one that turns one word into the other
-- (optimal string alignment; Damerau, 1964).
local function edit_distance(a, b)
  local rows = { [0] = {} }
  for j = 0, #b do rows[0][j] = j end
  for i = 1, #a do
    rows[i] = { [0] = i }
    for j = 1, #b do
      local is_same = a:byte(i) == b:byte(j)
      local least = math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (is_same and 0 or 1))
      local is_swap = i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j)
      rows[i][j] = is_swap and math.min(least, rows[i - 2][j - 2] + 1) or least
    end
  end
  return rows[#a][#b]
end

-- The known name that is nearest to a word, and of equally near ones one with the same first letter, or else the
-- alphabetically first. `most` is the largest distance, or nil for any.
function arguments.nearest(word, known, most)
  local best, least = nil, most or math.huge
  for name in pairs(known) do
    local distance = edit_distance(word:lower(), name:lower())
    if word:sub(1, 1):lower() ~= name:sub(1, 1):lower() then distance = distance + 0.5 end
    if distance < least or distance == least and (not best or name < best) then best, least = name, distance end
  end
  return best
end

-- Checks that a table of options, or nil, has no keys but those of the table `known`.
function arguments.check_names(place, name, options, known, depth)
  arguments.check(place, name, "options", "a table", options, options == nil or type(options) == "table", depth + 1)
  for key in next, options or {} do
    if known[key] == nil then
      local suggestion = type(key) == "string" and ("; the nearest is '%s'"):format(arguments.nearest(key, known)) or ""
      arguments.refuse(place, name, "there is no option " .. arguments.describe(key) .. suggestion, depth + 1)
    end
  end
end

-- Reads a table { x, y } as a vector, and scales the vector to length 1.
local function direction_of(place, name, option, value, depth)
  arguments.check(place, name, option, "a table of two numbers", value, type(value) == "table", depth + 1)
  local x = arguments.check_number(place, name, option .. "[1]", value[1], nil, nil, depth + 1)
  local y = arguments.check_number(place, name, option .. "[2]", value[2], nil, nil, depth + 1)
  local larger = math.max(math.abs(x), math.abs(y)) -- the square of a number may be too large or too small
  if larger == 0 then arguments.refuse(place, name, option .. " must be a direction, not 0, 0", depth + 1) end
  x, y = x / larger, y / larger
  local length = math.sqrt(x * x + y * y)
  return { x / length, y / length }
end

-- Reads a table of options, or nil, into a new table. `known` has a rule for each option: default, low, high and whole
-- for a number from `low` up to but not including `high`, direction for a vector, flag for a boolean, and call for a
-- function.
function arguments.read_options(place, name, options, known, depth)
  arguments.check_names(place, name, options, known, depth + 1)
  local read = {}
  for option, rule in pairs(known) do
    local value = options and rawget(options, option)
    if rule.direction then
      read[option] = direction_of(place, name, option, value == nil and rule.direction or value, depth + 1)
    elseif value == nil then
      read[option] = rule.default
    elseif rule.flag then
      read[option] = arguments.check(place, name, option, "a boolean", value, type(value) == "boolean", depth + 1)
    elseif rule.call then
      read[option] = arguments.check(place, name, option, "a function", value, type(value) == "function", depth + 1)
    else
      read[option] = arguments.check_number(place, name, option, value, rule.low, rule.high, depth + 1)
      arguments.check(place, name, option, "a whole number", value, not rule.whole or value % 1 == 0, depth + 1)
    end
  end
  return read
end

return arguments
