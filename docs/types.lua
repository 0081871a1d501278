-- Reads lua/sat/library/sat.lua, where everything that the module gives is written down once, in the comments that the
-- Lua language server understands.
--
--   local types = require("types").read("lua/sat/library/sat.lua")
--
-- gives types.pages, in order, each with its title, its text and its sections, which have a title, a text and items;
-- and types.items, all of them in order. The kinds of a page are its named types: each has a name, its fields and, if
-- the name stands for another type, that type. An item has
--
--   name       "sat.polygon", "Shape:move", "sat._VERSION"
--   owner, key "sat" and "polygon": where it is found
--   text       its description, samples and all, as lines
--   samples    the code among it: lines, and `line`, the number of the line before the first
--   params     of a function: name, type, optional, text
--   overloads  of a function: other lists of parameters; `result` is the type, or the types, that it returns then
--   returns    of a function: type, name, text
--   aliases    other names of the same function: "Shape.collide"

local types = {}

-- ---------------------------------------------------------------- what stands in one line

-- A type and what stands behind it. A type has no blanks but within brackets and behind : , and |.
local function cut_type(text)
  local depth, last = 0, ""
  for i = 1, #text do
    local char = text:sub(i, i)
    if char:match("[%(%[{<]") then depth = depth + 1 end
    if char:match("[%)%]}>]") then depth = depth - 1 end
    if char == " " and depth == 0 and not last:match("[:,|]") then return text:sub(1, i - 1), text:sub(i + 1) end
    if char ~= " " then last = char end
  end
  return text, ""
end

local function split_optional(name)
  local bare = name:match("^(.-)%?$")
  return bare or name, bare ~= nil
end

local function read_param(text)
  local name, rest = text:match("^(%S+)%s*(.*)$")
  local type, comment = cut_type(rest)
  local bare, optional = split_optional(name)
  return { name = bare, type = type, optional = optional, text = comment }
end

-- `---@return number? dx nil when they are apart`: an unnamed result has no comment.
local function read_return(text)
  local type, rest = cut_type(text)
  local name, comment = rest:match("^(%S+)%s*(.*)$")
  return { type = type, name = name, text = comment or "" }
end

-- The parts between the commas that are within no brackets.
local function split(list)
  local parts, depth, start = {}, 0, 1
  for i = 1, #list do
    local char = list:sub(i, i)
    if char:match("[%(%[{<]") then depth = depth + 1 end
    if char:match("[%)%]}>]") then depth = depth - 1 end
    if char == "," and depth == 0 then
      parts[#parts + 1] = list:sub(start, i - 1)
      start = i + 1
    end
  end
  parts[#parts + 1] = list:sub(start)
  return parts
end

-- The parameters of `fun(self: sat.Shape, out?: number[]): boolean`, but self.
local function read_overload(text)
  local list, result = text:match("^fun(%b()):?%s*(.*)$")
  local params = { result = result }
  for _, part in ipairs(split(list:sub(2, -2))) do
    local name, type = part:match("^%s*([^:]+):%s*(.*)$")
    local bare, optional = split_optional(name)
    if bare ~= "self" then params[#params + 1] = { name = bare, type = type, optional = optional, text = "" } end
  end
  return params
end

-- The names and types in `{ mode?: "line"|"fill", boxes?: boolean }` or in `fun(): (a: any, b: any)`, in order: a list
-- of name, type, optional; or nil for another type.
function types.fields(type)
  local inside = type:match("^{%s*(.-)%s*}$") or type:match("^fun%(%):%s*%((.*)%)$")
  if (inside or "") == "" then return nil end
  local fields = {}
  for _, part in ipairs(split(inside)) do
    local name, of = part:match("^%s*([^:]+):%s*(.-)%s*$")
    local bare, optional = split_optional(name)
    fields[#fields + 1] = { name = bare, type = of, optional = optional }
  end
  return fields
end

-- ---------------------------------------------------------------- a comment and what it is about

local function samples_of(text, line)
  local samples, block = {}, nil
  for i, content in ipairs(text) do
    if content == "```lua" then
      block = { line = line + i, lines = {} }
      samples[#samples + 1] = block
    elseif content == "```" then
      block = nil
    elseif block then
      block.lines[#block.lines + 1] = content
    end
  end
  return samples
end

-- The item that a comment describes; `line` is the number of the line before the comment's first.
local function read_item(comment, line, owner, separator, key)
  local item = { name = owner .. separator .. key, owner = owner, key = key, text = {}, params = {}, overloads = {},
    returns = {}, aliases = {}, line = line }
  for _, content in ipairs(comment) do
    local tag, rest = content:match("^@(%w+)%s*(.*)$")
    if tag == "param" then item.params[#item.params + 1] = read_param(rest)
    elseif tag == "return" then item.returns[#item.returns + 1] = read_return(rest)
    elseif tag == "overload" then item.overloads[#item.overloads + 1] = read_overload(rest)
    elseif not tag then item.text[#item.text + 1] = content
    end
  end
  item.samples = samples_of(item.text, line)
  return item
end

-- ---------------------------------------------------------------- the whole file

local Reader = {}
Reader.__index = Reader

function Reader:add_heading(marks, title)
  self.section = { title = title, text = {}, items = {} }
  if marks == "#" then
    self.section.title = nil
    self.page = { title = title, text = self.section.text, sections = {}, kinds = {} }
    self.pages[#self.pages + 1] = self.page
  end
  table.insert(self.page.sections, self.section)
  self.place = self.section.text
end

function Reader:add_item(owner, separator, key)
  local item = read_item(self.comment, self.line - #self.comment - 1, owner, separator, key)
  table.insert(self.items, item)
  table.insert(self.section.items, item)
  self.by_name[item.name] = item
  return item
end

-- What a comment says of types: other names of types, and classes with their fields.
function Reader:read_kind(text)
  local tag, rest = text:match("^@(%l+)%s+(.*)$")
  local kinds = self.page and self.page.kinds
  if tag == "alias" then
    local name, type = rest:match("^(%S+)%s+(.*)$")
    kinds[#kinds + 1] = { name = name, type = type, fields = {} }
  elseif tag == "class" and kinds then
    kinds[#kinds + 1] = { name = rest:match("^[%w.]+"), fields = {} }
  elseif tag == "field" then
    table.insert(kinds[#kinds].fields, read_param(rest))
  end
end

-- A line of code. What is said about a class belongs to its page.
function Reader:read_code(text)
  if text:match("^local %w+ = {}$") and self.section then
    for _, line in ipairs(self.comment) do
      if not line:match("^@") then table.insert(self.section.text, line) end
    end
    return
  end
  local owner, separator, key, arguments = text:match("^function (%w+)([.:])(%w+)%((.-)%) end$")
  if owner then
    local item, names = self:add_item(owner, separator, key), {}
    for _, param in ipairs(item.params) do names[#names + 1] = param.name end
    assert(table.concat(names, ", ") == arguments, item.name .. " has other parameters than its comment says")
    return
  end
  local alias, original = text:match("^(%w+%.%w+) = (%w+%.%w+)$")
  if alias then return table.insert(self.by_name[original].aliases, alias) end
  owner, key = text:match('^(%w+)%.([%w_]+) = "')
  if owner then self:add_item(owner, ".", key) end
end

function Reader:read_line(text)
  self.line = self.line + 1
  local comment = text:match("^%-%-%-(.*)$")
  if comment then
    self:read_kind(comment)
    table.insert(self.comment, comment)
    return
  end
  local marks, title = text:match("^%-%- (##?) (.+)$")
  local plain = text:match("^%-%- ?(.*)$")
  if marks then self:add_heading(marks, title)
  elseif plain then table.insert(self.place, plain)
  else self:read_code(text)
  end
  self.comment = {}
  if text == "" then self.place = {} end
end

-- What the file at `path` says.
function types.read(path)
  local reader = setmetatable({ pages = {}, items = {}, by_name = {}, comment = {}, place = {}, line = 0 }, Reader)
  for text in io.lines(path) do reader:read_line(text) end
  return { pages = reader.pages, items = reader.items }
end

return types
