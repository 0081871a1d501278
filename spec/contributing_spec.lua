-- CONTRIBUTING.md is right about the repository: each path in it is there, and each function is in the file of its
-- step.
local lfs = require "lfs"
local samples = require "spec.samples"

local text = samples.read_file("CONTRIBUTING.md")

-- Paths stand in backquotes and begin with a folder of the repository; a pattern such as `bench/*` is none.
local FOLDERS = { bench = true, csrc = true, docs = true, examples = true, lua = true, rockspec = true, spec = true }

local function paths()
  local list = {}
  for quoted in text:gmatch("`([^`\n]+)`") do
    for path in quoted:gmatch("%S+") do
      if FOLDERS[path:match("^([%w_]+)/") or ""] and path:match("^[%w_%-%./]+$") then list[#list + 1] = path end
    end
  end
  return list
end

-- Folders of csrc/ are named without it where the layers are explained.
local function exists(path)
  local trimmed = path:gsub("/$", "")
  return lfs.attributes(trimmed, "mode") or lfs.attributes("csrc/" .. trimmed, "mode")
end

describe("CONTRIBUTING.md", function()
  it("names paths that exist", function()
    local missing, all = {}, paths()
    for _, path in ipairs(all) do
      if not exists(path) then missing[#missing + 1] = path end
    end
    assert.same({}, missing)
    assert.is_true(#all > 30)
  end)

  it("goes down the layers in each walk", function()
    local DEPTHS = { lua = 1, world = 2, quadtree = 3, narrowphase = 3, shape = 4, polygon = 5, base = 6 }
    local wrong, count = {}, 0
    local walks = text:match("\n## Five walks.-\n## ")
    local depth
    for number, rest in walks:gmatch("\n(%d+)%. ([^\n]+)") do
      if number == "1" then depth = 1 end
      local folder = rest:match("^`csrc/(%l+)/") or "lua"
      if DEPTHS[folder] < depth then wrong[#wrong + 1] = rest end
      depth, count = DEPTHS[folder], count + 1
    end
    assert.same({}, wrong)
    assert.is_true(count > 15)
  end)

  it("names functions that stand in the file of their step", function()
    local missing, count = {}, 0
    for path, name in text:gmatch("`(csrc/[%w_/]+%.[ch])`: `([%w_]+)`") do
      count = count + 1
      local found = samples.read_file(path):find("\n[%a_][%w_ %*]-%f[%w_]" .. name .. "%(")
      if not found then missing[#missing + 1] = path .. ": " .. name end
    end
    assert.same({}, missing)
    assert.is_true(count > 5)
  end)
end)
