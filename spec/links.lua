-- Links of Markdown files and HTML pages, and whether they lead somewhere.
local lfs = require "lfs"

local links = {}

local function read(path)
  local file = io.open(path)
  if not file then return nil end
  local text = file:read("*a") -- nil for a folder
  file:close()
  return text
end

-- All files below a folder whose names end so.
function links.files(folder, ending, list)
  list = list or {}
  for name in lfs.dir(folder) do
    local path = folder == "." and name or folder .. "/" .. name
    if not name:match("^%.") and lfs.attributes(path, "mode") == "directory" then
      if name ~= "build" then links.files(path, ending, list) end
    elseif name:sub(-#ending) == ending then
      list[#list + 1] = path
    end
  end
  table.sort(list)
  return list
end

-- "a/b" and "../c" give "a/c", or nil where that would be outside of it all.
local function resolve(folder, target)
  local parts = {}
  for part in (folder .. "/" .. target):gmatch("[^/]+") do
    if part == ".." then
      if #parts == 0 then return nil end
      parts[#parts] = nil
    elseif part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return (folder:match("^/") or "") .. table.concat(parts, "/")
end

-- ---------------------------------------------------------------- what there is in a file

local function without_code(text)
  return (("\n" .. text):gsub("\n%s*```.-\n%s*```", "\n"):gsub("`[^`\n]*`", ""))
end

-- The anchor that a heading gets: small letters, digits and hyphens.
local function anchor_of(heading)
  local bare = heading:gsub("`", ""):gsub("%[(.-)%]%(.-%)", "%1")
  return (bare:lower():gsub("[^%w%s%-_\128-\255]", ""):gsub("%s", "-"))
end

local function anchors_of_markdown(text)
  local anchors = {}
  local prose = "\n" .. text:gsub("\n```.-\n```", "\n")
  for heading in prose:gmatch("\n#+%s+([^\n]+)") do anchors[anchor_of(heading)] = true end
  return anchors
end

local function anchors_of_html(text)
  local anchors = {}
  for name in text:gmatch('name%s*=%s*"([^"]+)"') do anchors[name] = true end
  for name in text:gmatch('id%s*=%s*"([^"]+)"') do anchors[name] = true end
  return anchors
end

local function targets_of_markdown(text)
  local targets = {}
  for target in without_code(text):gmatch("%]%(([^)%s]+)%)") do targets[#targets + 1] = target end
  return targets
end

local function targets_of_html(text)
  local targets = {}
  for target in text:gmatch('href="([^"]*)"') do targets[#targets + 1] = target end
  for target in text:gmatch('src="([^"]*)"') do targets[#targets + 1] = target end
  return targets
end

-- ---------------------------------------------------------------- where they lead

local function has_anchor(path, text, anchor)
  local anchors = path:match("%.html$") and anchors_of_html(text) or anchors_of_markdown(text)
  return anchors[anchor]
end

-- Why a link of the file at `path` leads nowhere, or nil.
local function fault_of(path, target)
  local file, anchor = target:match("^([^#]*)#?(.*)$")
  local folder = path:match("^(.*)/[^/]*$") or "."
  local place = file == "" and path or resolve(folder, file)
  if not place then return "leads out of the repository" end
  if not lfs.attributes(place, "mode") then return "leads to what is not there" end
  if anchor == "" then return nil end
  local text = read(place)
  if not (text and has_anchor(place, text, anchor)) then return "leads to no heading" end
end

-- The page of releases of whichever host shows README.md, where this leads out of the folder with the files.
links.RELEASES = "../../releases"

-- The relative links of a file, and of these the faults, as lines of text.
function links.check(path)
  local text, count, faults = assert(read(path)), 0, {}
  for _, target in ipairs(path:match("%.html$") and targets_of_html(text) or targets_of_markdown(text)) do
    if not target:match("^%a+:") and target ~= links.RELEASES then
      count = count + 1
      local fault = fault_of(path, target)
      if fault then faults[#faults + 1] = ("%s: %s %s"):format(path, target, fault) end
    end
  end
  return count, faults
end

return links
