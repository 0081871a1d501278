-- lua .ci/packaging/amalgamate.lua FOLDER: writes sat.h, sat.c (the core) and sat_lua.c (the binding) into the folder:
-- the sources of csrc/, put together for programs that have sat linked in.
--
-- What a file keeps to itself may have the same name in another one. Where all are one file each gets the name of its
-- file in front. Only names that are declared more than once are changed, and only where they are not fields.

local unpack = table.unpack or unpack
local target = assert(arg[1], "usage: lua .ci/packaging/amalgamate.lua FOLDER")

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  assert(file:write(text))
  assert(file:close())
end

-- The files are those that the rock is built from, in its order.
local function sources()
  local list = {}
  for path in read("rockspec/sat-scm-1.rockspec"):gmatch('"csrc/([%w_/]+%.c)"') do list[#list + 1] = path end
  return list
end

-- ---------------------------------------------------------------- tokens

local PATTERNS = {
  { "blank", "^[ \t\n\\]+" },
  { "comment", "^/%*.-%*/" },
  { "comment", "^//[^\n]*" },
  { "text", '^"[^"\n]*"' },
  { "text", "^'\\?[^\n][^'\n]*'" },
  { "name", "^[%a_][%w_]*" },
  { "number", "^%.?%d[%w_.+-]*" },
  { "mark", "^%->" },
  { "mark", "^." },
}

-- Neither numbers nor texts with quotes in them hold names that are ours, so these need not be told apart any better.
local function tokens(text)
  local list, position = {}, 1
  while position <= #text do
    for _, entry in ipairs(PATTERNS) do
      local found = text:match(entry[2], position)
      if found then
        list[#list + 1] = { kind = entry[1], text = found }
        position = position + #found
        break
      end
    end
  end
  return list
end

-- The code of a file without lines for the preprocessor, as a list of what counts.
local function code(text)
  text = ("\n" .. text):gsub("\\\n", " "):gsub("\n%s*#[^\n]*", "\n")
  local list = {}
  for _, token in ipairs(tokens(text)) do
    if token.kind ~= "blank" and token.kind ~= "comment" then list[#list + 1] = token end
  end
  return list
end

-- ---------------------------------------------------------------- names

-- The names that a declaration brings into the file, given its tokens up to the first `;`, or to its body.
local function declared(list, names)
  local depth, first_call, last, pointer, typedef = 0, nil, nil, nil, list[1].text == "typedef"
  for i, token in ipairs(list) do
    local after = list[i + 1] and list[i + 1].text
    if token.text == "(" or token.text == "{" then depth = depth + 1 end
    if token.text == ")" or token.text == "}" then depth = depth - 1 end
    if token.text == "*" and list[i - 1].text == "(" then pointer = pointer or after end
    if token.kind == "name" then
      local before = i > 1 and list[i - 1].text
      if (before == "struct" or before == "enum") and after == "{" then names[token.text] = true end
      if depth == 0 and after == "(" then first_call = first_call or token.text end
      local ends = after == ";" or after == "=" or after == "[" or after == nil
      if depth == 0 and ends then last = last or token.text end
    end
  end
  if typedef then names[pointer or last or first_call or ""] = true
  elseif first_call and first_call:upper() ~= first_call then names[first_call] = true
  elseif last and list[1].text == "static" then names[last] = true end
end

local function enumerators(list, names)
  for i, token in ipairs(list) do
    local before = i > 1 and list[i - 1].text
    if token.kind == "name" and (before == "{" or before == ",") then names[token.text] = true end
  end
end

-- The list up to and with the mark that ends what begins at `first`: `;`, or the body of a function.
local function statement(list, first)
  local depth, parts = 0, {}
  for i = first, #list do
    local token = list[i]
    parts[#parts + 1] = token
    if token.text == "{" or token.text == "(" then depth = depth + 1 end
    if token.text == "}" or token.text == ")" then depth = depth - 1 end
    if depth == 0 and token.text == ";" then return parts, i + 1 end
    local after = list[i + 1] and list[i + 1].text
    if depth == 0 and token.text == "}" and after ~= ";" and list[i + 1] and list[i + 1].kind ~= "name" then
      return parts, i + 1
    end
    if depth == 0 and token.text == "}" and parts.body then return parts, i + 1 end
    if depth == 1 and token.text == "{" and list[i - 1] and list[i - 1].text == ")" then parts.body = true end
  end
  return parts, #list + 1
end

-- What a file declares at its outermost level, as a set.
local function names_of(text)
  local list, names, position = code(text), {}, 1
  while position <= #list do
    local parts
    parts, position = statement(list, position)
    local head = {}
    for _, token in ipairs(parts) do
      if parts.body and token.text == "{" then break end
      head[#head + 1] = token
    end
    declared(head, names)
    for i, token in ipairs(head) do
      if token.text == "enum" then
        enumerators({ unpack(head, i) }, names)
        break
      end
    end
  end
  names[""] = nil
  for name in pairs(names) do
    if name:match("^sat_") or name:match("^satlua_") or name:match("^luaopen_") then names[name] = nil end
  end
  return names
end

-- The macros that a file defines.
local function macros_of(text)
  local list = {}
  for name in ("\n" .. text):gmatch("\n#%s*define%s+([%w_]+)") do list[#list + 1] = name end
  return list
end

-- Whether a name behind these two tokens is that of a field, or of a pointer to a function, which fields are.
local function is_field(before, one_more) return before == "." or before == "->" or one_more .. before == "(*" end

-- The file with some names changed, where they are not the names of fields.
local function rename(text, new_names)
  local list, parts, before, one_more = tokens(text), {}, "", ""
  for i, token in ipairs(list) do
    local new = token.kind == "name" and not is_field(before, one_more) and new_names[token.text]
    parts[i] = new or token.text
    if token.kind ~= "blank" and token.kind ~= "comment" then before, one_more = token.text, before end
  end
  return table.concat(parts)
end

-- ---------------------------------------------------------------- putting together

-- This header is code to be compiled for one instruction set or another, as often as it is included; its names are
-- those of the file that includes it. The files for AVX need a compiler's switch of their own, and stay out.
local TEMPLATES = { ["narrowphase/fast_path_simd.h"] = true }
local LEFT_OUT = {
  ["narrowphase/fast_path_avx.c"] = true, ["narrowphase/separation_avx.c"] = true, ["shape/turn_avx.c"] = true,
}

-- Calls `on_code` with each stretch of a file's text and `on_header` with each name that it includes, in turn.
local function walk(name, on_code, on_header)
  local text, position = read("csrc/" .. name), 1
  while true do
    local first, last, other = text:find('%f[^\n%z]#%s*include "([^"]+)"\n', position)
    on_code(text:sub(position, (first or 0) - 1))
    if not first then return end
    if TEMPLATES[other] then walk(other, on_code, on_header) else on_header(other) end
    position = last + 1
  end
end

local function own_code(name)
  local parts = {}
  walk(name, function(text) parts[#parts + 1] = text end, function() end)
  return table.concat(parts)
end

-- The headers that these files include, and those that these include, as a set.
local function headers_of(files)
  local seen = {}
  local function visit(name)
    if name == "sat.h" or seen[name] then return end
    seen[name] = true
    walk(name, function() end, visit)
  end
  for _, name in ipairs(files) do walk(name, function() end, visit) end
  return seen
end

-- How many files declare each name.
local function count_names(files)
  local count = {}
  local function add(name)
    for declaration in pairs(names_of(own_code(name))) do count[declaration] = (count[declaration] or 0) + 1 end
  end
  for name in pairs(headers_of(files)) do add(name) end
  for _, name in ipairs(files) do add(name) end
  return count
end

local function banner(name) return "/* " .. ("-"):rep(60) .. " csrc/" .. name .. " */\n" end

-- The text of all files, each header where it is first included.
local function amalgamate(files, head)
  local parts, count, seen = { head }, count_names(files), {}
  local function put(text) parts[#parts + 1] = text end
  local function put_header(name)
    if name == "sat.h" or seen[name] then return end
    seen[name] = true
    put(banner(name))
    walk(name, put, put_header)
  end
  for _, name in ipairs(files) do
    local new_names = {}
    for declaration in pairs(names_of(own_code(name))) do
      if count[declaration] > 1 then new_names[declaration] = name:match("([^/]+)%.c$") .. "_" .. declaration end
    end
    put("\n" .. banner(name))
    walk(name, function(text) put(rename(text, new_names)) end, put_header)
    for _, macro in ipairs(macros_of(own_code(name))) do put("#undef " .. macro .. "\n") end
  end
  return table.concat(parts)
end

local core, binding = {}, {}
for _, name in ipairs(sources()) do
  local list = name:match("^lua/") and binding or core
  if not LEFT_OUT[name] then list[#list + 1] = name end
end

local licence = "\n" .. read("LICENSE"):gsub("\n$", "")
licence = licence:gsub("\n", "\n * "):gsub(" +\n", "\n"):sub(2)
local version = read("csrc/sat.h"):match('SAT_VERSION "([^"]+)"')
local function head(what, lines)
  return ("/* %s of sat %s, put together from its sources for programs that have it linked in: see\n"
    .. " * native-modules.md. Change nothing here, but there.\n *\n%s */\n%s"):format(what, version, licence, lines)
end

-- Both have functions of headers that they do not need; and gcc, which sees further in one file than in many, doubts
-- what it then cannot follow to its end.
local QUIET = [[
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
]]

-- One header: sat_world.h stands where sat.h includes it.
local own_header = read("csrc/sat.h")
local include, world = '#include "sat_world.h"\n', read("csrc/sat_world.h"):gsub('#include "sat%.h"\n\n', "")
local at, stop = own_header:find(include, 1, true)
write(target .. "/sat.h", own_header:sub(1, at - 1) .. world .. own_header:sub(stop + 1))
write(target .. "/sat.c", amalgamate(core, head("The core", QUIET .. '#define SAT_BASELINE_ONLY\n#include "sat.h"\n')))
write(target .. "/sat_lua.c", amalgamate(binding, head("The binding for Lua",
  QUIET .. '#ifndef SAT_PINNED\n#define SAT_PINNED\n#endif\n#include "sat.h"\n')))
