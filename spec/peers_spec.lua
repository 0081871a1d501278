-- The pages that lead from another library to sat have samples for that library, too. Each prints what stands behind
-- `-->` with the library itself, where LUA_PATH leads to it. love.physics is there in LÖVE alone, where .ci/steps/love
-- plays its sample. The tables of these pages name functions that exist, on both sides.
local links = require "spec.links"
local samples = require "spec.samples"
local sat = require "sat"

-- Why the samples of a module do not run, or nil. An error inside of it is an error here.
local function reason_against(name)
  if name ~= "bump" and not rawget(_G, "setfenv") then return name .. " is for LuaJIT and Lua 5.1" end
  local ok, message = pcall(require, name)
  if ok then return nil end
  if not tostring(message):find("module '" .. name .. "' not found", 1, true) then error(message, 0) end
  return "LUA_PATH does not lead to " .. name
end

local function samples_for(peer)
  local list = {}
  for _, path in ipairs(links.files("docs", ".md")) do
    for _, sample in ipairs(samples.of_markdown(path, peer)) do list[#list + 1] = sample end
  end
  return list
end

for _, peer in ipairs { "HC", "slick" } do
  describe("the sample for " .. peer, function()
    local list = samples_for(peer)

    it("is there", function() assert.is_true(#list > 0) end)

    local reason = reason_against(peer)
    if reason then return pending("runs: " .. reason) end
    for _, sample in ipairs(list) do
      it(("of %s from line %d on prints what it says"):format(sample.path, sample.line), function()
        assert.is_true(samples.check(sample) > 0)
      end)
    end
  end)
end

describe("the sample for love.physics", function()
  it("is a game", function()
    local list = samples_for("love.physics")
    assert.is_true(#list > 0)
    for _, sample in ipairs(list) do assert.is_true(samples.is_love(sample)) end
  end)
end)

describe("the sample that was bump's", function()
  local list = {}
  for _, sample in ipairs(samples.of_markdown("docs/guides/bump.md")) do
    local is_old = false
    for i, line in ipairs(sample.lines) do
      local before = line:match("%-%- it was: (local bump = require.*)$")
      if before then is_old, sample.lines[i] = true, before end
    end
    if is_old then list[#list + 1] = sample end
  end

  it("is there", function() assert.is_true(#list > 0) end)

  local reason = reason_against("bump")
  if reason then return pending("runs: " .. reason) end
  for _, sample in ipairs(list) do
    it(("of docs/guides/bump.md from line %d on prints the same with bump"):format(sample.line), function()
      assert.is_true(samples.check(sample) > 0)
    end)
  end
end)

-- ---------------------------------------------------------------- tables

-- The cells of the rows of a Markdown table with two columns.
local function rows_of(path)
  local rows = {}
  for left, right in samples.read_file(path):gmatch("\n| ([^\n]-) | ([^\n]-) |%f[\n]") do
    rows[#rows + 1] = { left, right }
  end
  return rows
end

-- Which of the names behind "prefix." and "prefix:" in the cells of a column are fields of no value.
local function missing_names(rows, column, values)
  local count, missing = 0, {}
  for _, row in ipairs(rows) do
    for prefix, name, behind in row[column]:gmatch("([%w_]+)[.:]([%a_][%w_]*)( ?=?)") do
      local list = values[prefix]
      if list and behind ~= " =" then -- what is written need not be there before
        local is_found = false
        for _, value in ipairs(list) do
          local ok, field = pcall(function() return value[name] end)
          is_found = is_found or ok and field ~= nil
        end
        count = count + 1
        if not is_found then missing[#missing + 1] = prefix .. "." .. name end
      end
    end
  end
  return count, table.concat(missing, ", ")
end

local PAGES = {
  "docs/guides/hc.md", "docs/cookbook/from-slick.md", "docs/guides/bump.md", "docs/cookbook/from-love-physics.md",
  "docs/cookbook/from-windfield.md",
}

describe("the table of the page", function()
  local shape = sat.circle(0, 0, 1)
  local ours = { sat = { sat }, world = { sat.world() }, shape = { shape }, a = { shape }, b = { shape } }
  for _, path in ipairs(PAGES) do
    it(path .. " names functions of sat", function()
      local count, missing = missing_names(rows_of(path), 2, ours)
      assert.is_true(count >= 10)
      assert.equal("", missing)
    end)
  end

  -- The values of each library that the left columns speak of.
  local peers = { "HC", "slick", "bump" } -- as in PAGES
  local makers = {
    HC = function(HC)
      local circle, polygon = HC.circle(0, 0, 1), HC.polygon(0, 0, 1, 0, 1, 1)
      return { HC = { HC }, collider = { HC.new() }, shape = { circle, polygon }, a = { circle, polygon } }
    end,
    slick = function(slick) return { slick = { slick }, world = { slick.newWorld(100, 100) } } end,
    bump = function(bump) return { bump = { bump }, world = { bump.newWorld() } } end,
  }
  for i, peer in ipairs(peers) do
    local name = PAGES[i] .. " names functions of " .. peer
    local reason = reason_against(peer)
    if reason then
      pending(name .. ": " .. reason)
    else
      it(name, function()
        local count, missing = missing_names(rows_of(PAGES[i]), 1, makers[peer](require(peer)))
        assert.is_true(count >= 8)
        assert.equal("", missing)
      end)
    end
  end
end)
