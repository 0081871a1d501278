-- Writes what LDoc reads: lua docs/reference.lua FOLDER GUIDE.md... `make docs` runs it.
--
-- A file of comments for each page of the types file, the guides, whose links will lead to pages of HTML, and config.ld
-- with the names of them all.

local here = arg[0]:match("^(.*[/\\])") or "./"
package.path = here .. "?.lua;" .. package.path

local types = require "types"

local VARIABLES = { Shape = "shape", Quadtree = "tree", World = "world", Character = "hero", TileMap = "map" }

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  assert(file:write(text))
  file:close()
end

-- ---------------------------------------------------------------- the reference

-- How a program calls it: "shape:move", by the variable that the examples use.
local function shown(name)
  local owner, rest = name:match("^(%w+)(.+)$")
  return (VARIABLES[owner] or owner) .. rest
end

local function signature(name, params)
  local names = {}
  for i, param in ipairs(params) do
    names[i] = param.optional and "[" .. param.name .. "]" or param.name
  end
  return ("`%s(%s)`"):format(shown(name), table.concat(names, ", "))
end

-- LDoc cuts types at blanks.
local function shown_type(type)
  if type:match("^fun%(") then return "iterator" end
  return (type:gsub("%?$", "|nil"):gsub("%s", ""))
end

local Page = {}
Page.__index = Page

function Page:add(format, ...)
  local text = format:format(...)
  self[#self + 1] = text == "" and "--" or "-- " .. text
end

function Page:add_lines(lines)
  for _, line in ipairs(lines) do self:add("%s", line) end
end

-- The description but for its samples, which LDoc puts last.
function Page:add_text(item)
  local in_sample = false
  for _, line in ipairs(item.text) do
    if line:match("^```") then in_sample = line == "```lua"
    elseif not in_sample then self:add("%s", line)
    end
  end
  for _, params in ipairs(item.overloads) do self:add("Or %s.", signature(item.name, params)) self:add("") end
  for _, alias in ipairs(item.aliases) do
    self:add("Or `%s(…)` with all but the first argument.", shown((alias:gsub("%.", ":"))))
  end
end

function Page:add_params(item)
  for _, param in ipairs(item.params) do
    local name = param.name == "..." and "..." or param.name
    self:add("@tparam%s %s %s %s", param.optional and "[opt]" or "", shown_type(param.type), name, param.text)
  end
end

function Page:add_returns(item)
  for _, result in ipairs(item.returns) do
    local name = result.name and "`" .. result.name .. "` " or ""
    self:add("@treturn %s %s%s", shown_type(result.type), name, result.text)
  end
end

function Page:add_item(item)
  self[#self + 1] = "---"
  self:add_text(item)
  self:add("@%s %s", item.key == "_VERSION" and "field" or "function", shown(item.name))
  self:add_params(item)
  self:add_returns(item)
  for _, sample in ipairs(item.samples) do
    self:add("@usage")
    self:add_lines(sample.lines)
  end
  self[#self + 1] = ""
end

function Page:add_section(section)
  if section.title then
    self[#self + 1] = "--- " .. section.title .. "."
    self:add("")
    self:add_lines(section.text)
    self:add("@section %s", section.title:lower():gsub("%W+", "-"))
    self[#self + 1] = ""
  end
  for _, item in ipairs(section.items) do self:add_item(item) end
end

-- The text of LDoc's input for a page, and the page's name among the files.
local function page_text(page)
  local lines = setmetatable({}, Page)
  local name = page.title:lower():gsub("%W+", "-")
  lines[1] = "---"
  lines:add_lines(page.text)
  lines:add("@module %s", name)
  lines[#lines + 1] = ""
  for _, section in ipairs(page.sections) do lines:add_section(section) end
  return table.concat(lines, "\n") .. "\n", name
end

-- ---------------------------------------------------------------- the guides

-- LDoc's anchor of the heading that has another one in Markdown.
local function html_anchor(path, anchor)
  for heading in ("\n" .. read(path)):gmatch("\n#+ ([^\n]+)") do
    local words = heading:lower():gsub("[^%w%s%-_]", ""):gsub("%s", "-")
    if words == anchor then return "#" .. heading:gsub("%W", "_") end
  end
  error(path .. " has no heading #" .. anchor, 0)
end

-- Pictures lie beside the pages; what is not among the guides is named and not linked.
local function link_to(label, target)
  if target:match("^%a+:") then return nil end
  local file, anchor = target:match("^([%w%-]+)%.md#?(.*)$")
  if file then
    anchor = anchor == "" and "" or html_anchor(here .. "guides/" .. file .. ".md", anchor)
    return ("[%s](%s.md.html%s)"):format(label, file, anchor)
  end
  local figure = target:match("^%.%./figures/([%w%-]+%.svg)$")
  return figure and ("[%s](../figures/%s)"):format(label, figure) or label
end

local function write_guide(folder, path)
  local name = path:match("[^/\\]+$")
  write(folder .. "/" .. name, (read(path):gsub("%[([^%[%]]+)%]%(([^()%s]+)%)", link_to)))
  return name
end

-- ---------------------------------------------------------------- everything

local function quoted(names)
  local list = {}
  for i, name in ipairs(names) do list[i] = ("%q"):format(name) end
  return table.concat(list, ", ")
end

-- The pages of the module, and those of its parts that are required by their own names.
local function all_pages()
  local pages = {}
  for _, name in ipairs { "sat", "character", "tiles", "tiled", "bump" } do
    for _, page in ipairs(types.read(here .. "../lua/sat/library/" .. name .. ".lua").pages) do
      pages[#pages + 1] = page
    end
  end
  return pages
end

local function main(folder, ...)
  local pages, files, topics = all_pages(), {}, { "rules.md" }
  write(folder .. "/rules.md", "# " .. pages[1].title .. "\n\n" .. table.concat(pages[1].text, "\n") .. "\n")
  for i = 2, #pages do
    local text, name = page_text(pages[i])
    files[#files + 1] = name .. ".lua"
    write(folder .. "/" .. name .. ".lua", text)
  end
  for _, path in ipairs { ... } do topics[#topics + 1] = write_guide(folder, path) end
  write(folder .. "/config.ld", ("%sfile = { %s }\ntopics = { %s }\n"):format(read(here .. "config.ld"), quoted(files),
    quoted(topics)))
end

main(...)
