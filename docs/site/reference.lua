-- The reference as Markdown, from what docs/types.lua has read: a page for each topic and one with every signature.

local types = require "types"

local reference = {}

local VARIABLES = { Shape = "shape", Quadtree = "tree", World = "world", Character = "hero", TileMap = "map" }

-- How a program calls it: "shape:move", by the variable that the examples use.
local function shown(name)
  local owner, rest = name:match("^(%w+)(.+)$")
  return (VARIABLES[owner] or owner) .. rest
end

local function escape(text) return (text:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;")) end

-- In a cell of a table.
local function code(text) return "`" .. text:gsub("|", "\\|") .. "`" end

local function slug(title) return (title:lower():gsub("%W+", "-")) end

local function names_of(fields)
  local names = {}
  for i, field in ipairs(fields) do names[i] = field.name end
  return table.concat(names, ", ")
end

-- ---------------------------------------------------------------- signatures

local function call(item, params)
  local names = {}
  for i, param in ipairs(params) do
    names[i] = param.optional and "[" .. param.name .. "]" or param.name
  end
  return ("%s(%s)"):format(shown(item.name), table.concat(names, ", "):gsub("%], %[", ", "):gsub(", %[", " [, "))
end

local function results_of(item)
  local names = {}
  for i, result in ipairs(item.returns) do names[i] = result.name or result.type end
  return table.concat(names, ", ")
end

-- What is between `for` and `in`, when the type is a loop's.
local function loop_of(type)
  local fields = type and type:match("^fun%(") and types.fields(type)
  return fields and names_of(fields)
end

local function with_results(text, loop, results)
  if loop then return ("for %s in %s do"):format(loop, text) end
  return results == "" and text or text .. " → " .. results
end

-- Every way to write the item down.
local function signatures(item)
  if item.key == "_VERSION" then return { shown(item.name) } end
  local loop_of_item = loop_of(item.returns[1] and item.returns[1].type)
  local list = { with_results(call(item, item.params), loop_of_item, results_of(item)) }
  for _, params in ipairs(item.overloads) do
    local loop = loop_of(params.result)
    list[#list + 1] = with_results(call(item, params), loop, loop and "" or params.result:find(",") and results_of(item)
      or results_of(item):match("^[^,]*"))
  end
  for _, alias in ipairs(item.aliases) do
    local first = table.remove(item.params, 1)
    list[#list + 1] = with_results(call({ name = alias }, item.params), nil, results_of(item))
    table.insert(item.params, 1, first)
  end
  return list
end

-- ---------------------------------------------------------------- a page

local Page = {}
Page.__index = Page

function Page:add(format, ...) self[#self + 1] = format:format(...) end
function Page:add_lines(lines) for _, line in ipairs(lines) do self[#self + 1] = line end end
function Page:text() return table.concat(self, "\n") .. "\n" end

-- A table of rows, without the columns in which no row has anything.
function Page:add_table(head, rows)
  local columns = {}
  for k in ipairs(head) do
    local used = false
    for _, row in ipairs(rows) do used = used or row[k] ~= "" end
    if used then columns[#columns + 1] = k end
  end
  local function add(row)
    local cells = {}
    for i, k in ipairs(columns) do cells[i] = row[k] end
    self:add("| %s |", table.concat(cells, " | "))
  end
  self:add("")
  add(head)
  add { "---", "---", "---", "---" }
  for _, row in ipairs(rows) do add(row) end
end

local function row_of(name, type, text, is_optional)
  return { code(name), code(type), is_optional and "optional" or "", (text:gsub("|", "\\|")) }
end

-- The types that a page has besides those of its items.
function Page:add_kinds(page)
  local has_heading = false
  for _, kind in ipairs(page.kinds) do
    if (kind.type or kind.fields[1]) and not has_heading then
      self:add("\n## Types")
      has_heading = true
    end
    local rows = {}
    for i, field in ipairs(kind.fields) do rows[i] = row_of(field.name, field.type, field.text, field.optional) end
    if kind.type then self:add("\n%s is %s.", code(kind.name), code(kind.type)) end
    if rows[1] then self:add_table({ code(kind.name) .. " has", "type", "", "" }, rows) end
  end
end

-- Options of a parameter that is a table of them have a row each.
function Page:add_params(item)
  local rows = {}
  for _, param in ipairs(item.params) do
    local options = not param.type:match("^fun") and types.fields(param.type)
    rows[#rows + 1] = row_of(param.name, options and "table" or param.type, param.text, param.optional)
    for _, option in ipairs(options or {}) do
      rows[#rows + 1] = row_of(param.name .. "." .. option.name, option.type, "", option.optional)
    end
  end
  if rows[1] then self:add_table({ "parameter", "type", "", "" }, rows) end
end

function Page:add_returns(item)
  local first = item.returns[1]
  if not first then return end
  local fields, rows = loop_of(first.type) and types.fields(first.type), {}
  for i, result in ipairs(fields or item.returns) do
    rows[i] = row_of(result.name or "value", result.type, result.text or "")
  end
  if fields and first.text ~= "" then self:add("\n%s.", first.text:gsub("^%l", string.upper)) end
  self:add_table({ fields and "each step gives" or "result", "type", "", "" }, rows)
end

function Page:add_item(item)
  local name = shown(item.name)
  self:add('\n<section class="item" id="%s">\n\n### %s\n\n<pre class="signature">', name, name)
  for _, signature in ipairs(signatures(item)) do self:add("%s", escape(signature)) end
  self:add("</pre>\n")
  local prose, samples, is_sample = {}, {}, false
  for _, line in ipairs(item.text) do
    if line == "```lua" then is_sample = true end
    table.insert(is_sample and samples or prose, line)
    if line == "```" then is_sample = false end
  end
  self:add_lines(prose)
  self:add_params(item)
  self:add_returns(item)
  self:add("")
  self:add_lines(samples)
  self:add("\n</section>")
end

local function first_sentence(item)
  local paragraph = {}
  for _, line in ipairs(item.text) do
    if line == "" then break end
    paragraph[#paragraph + 1] = line
  end
  local text = table.concat(paragraph, " ")
  return text:match("^(.-%.)%s") or text
end

local function topic_page(page)
  local out = setmetatable({}, Page)
  out:add("# %s\n", page.title)
  out:add_lines(page.text)
  for _, section in ipairs(page.sections) do
    if section.title then
      out:add("\n## %s\n", section.title)
      out:add_lines(section.text)
    end
    for _, item in ipairs(section.items) do out:add_item(item) end
  end
  out:add_kinds(page)
  return out:text()
end

local function signature_rows(out, page, section)
  if not section.items[1] then return end
  out:add("\n| %s | |\n|---|---|", section.title or page.title)
  for _, item in ipairs(section.items) do
    local links = {}
    for i, signature in ipairs(signatures(item)) do
      links[i] = ("[%s](%s.html#%s)"):format(code(signature), slug(page.title), shown(item.name))
    end
    out:add("| %s | %s |", table.concat(links, "<br>"), first_sentence(item):gsub("|", "\\|"))
  end
end

local function summary_page(pages)
  local out = setmetatable({}, Page)
  out:add("# Every signature\n\nSquare brackets mark what may be left out, `→` what a call returns. The rules that "
    .. "hold everywhere have [a page of their own](%s.html).", slug(pages[1].title))
  for _, page in ipairs(pages) do
    if #page.sections > 1 then out:add("\n## %s", page.title) end
    for _, section in ipairs(page.sections) do signature_rows(out, page, section) end
  end
  return out:text()
end

-- The pages of the reference, in order: path, title, text in Markdown; and what the search finds, in `found`: the name,
-- the path and the first sentence of each function.
function reference.pages(pages)
  local summary = { path = "reference/index.html", title = "Every signature", text = summary_page(pages) }
  local list, found = { summary }, {}
  for _, page in ipairs(pages) do
    local path = "reference/" .. slug(page.title) .. ".html"
    list[#list + 1] = { path = path, title = page.title, text = topic_page(page) }
    for _, section in ipairs(page.sections) do
      for _, item in ipairs(section.items) do
        found[#found + 1] = { shown(item.name), path .. "#" .. shown(item.name), first_sentence(item) }
      end
    end
  end
  return list, found
end

return reference
