-- A hostile mod. It reports what each attack has come to, and the last one is that it never ends.
local function try(what, attack)
  local ok, problem = pcall(attack)
  say(what .. ": " .. (ok and "done" or tostring(problem)))
end

function update(frame)
  if frame == 1 then
    try("libraries", function()
      return assert(debug or io or os or package or require or load or loadstring or jit, "none")
    end)
    try("a long pattern", function() return ("a"):rep(10000):find(".-.-.-.-b") end)
    try("numbers", function() return sat.circle(0, 0, 0 / 0) end)
    try("vertices", function() return sat.regular(0, 0, 1, 1e6) end)
    try("a lie about a length", function()
      local list = setmetatable({}, { __len = function() return 0 end })
      for i = 1, 2000 do list[i] = (i * i) % 1000 end
      return sat.polygon(list)
    end)
    try("a finalizer", function() setmetatable({}, { __gc = function() while true do end end }) end)
    try("shapes", function() while true do add(sat.circle(0, 0, 1)) end end)
    try("memory of Lua", function() local list = {} for i = 1, 1e6 do list[i] = { i } end end)
    try("memory of sat", function() local list = {} for i = 1, 1e5 do list[i] = sat.regular(0, 0, 1, 24) end end)
    try("a name", function() return sat.circle(0, 0, 1):overlap() end)
    try("the functions of others", function() sat.circle, string.format, math.sqrt = nil, nil, nil end)
  end
  while frame == 2 do pcall(function() while true do end end) end
end
