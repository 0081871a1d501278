-- The pages that lead from another library to sat have samples for that library, too. Each prints what stands behind
-- `-->` with the library itself, where LUA_PATH leads to it. love.physics is there in LÖVE alone, where .ci/steps/love
-- plays its sample.
local links = require "spec.links"
local samples = require "spec.samples"

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
