-- Every Lua sample of the documentation runs and prints what stands behind `-->`: those of the Markdown files, and
-- those of the reference, in which `sat` is the module. Games run for a while in a LÖVE in which nothing is seen. None
-- calls what LÖVE 12 deprecates or no longer has.
local links = require "spec.links"
local samples = require "spec.samples"
local types = require "docs.types"

-- The mouse crosses the window, and its button and keys are pressed and let go.
local function play(sample)
  local calls, mouse, keys = {}, { x = 0, y = 0 }, {}
  local before, love = rawget(_G, "love"), samples.make_love(calls, mouse, keys)
  rawset(_G, "love", love)
  local ok, message = pcall(function()
    samples.load(sample, { love = love })()
    if love.load then love.load({}) end
    for frame = 1, 300 do
      mouse.x, mouse.y = frame * 7 % 800, frame * 5 % 600
      for i, key in ipairs { "left", "right", "up", "down", "space" } do keys[key] = frame % (7 + i) < 4 end
      if love.mousereleased and frame % 17 == 0 then love.mousereleased(mouse.x, mouse.y, 1) end
      if love.mousepressed and frame % 17 == 1 then love.mousepressed(mouse.x, mouse.y, 1) end
      if love.update then love.update(1 / 60) end
      if love.draw then love.draw() end
    end
  end)
  rawset(_G, "love", before)
  assert.is_true(ok, tostring(message))
  return calls
end

local function check_all(list)
  for _, sample in ipairs(list) do
    local place = sample.path .. " from line " .. sample.line .. " on"
    if samples.is_love(sample) then
      it("of " .. place .. " is a game that draws", function() assert.is_true(#play(sample) > 0) end)
    else
      it("of " .. place .. " prints what it says", function() samples.check(sample) end)
    end
  end
end

describe("the sample", function()
  for _, path in ipairs(links.files(".", ".md")) do check_all(samples.of_markdown(path)) end
end)

describe("the part of a file that a page shows", function()
  local count = 0
  for _, path in ipairs(links.files(".", ".md")) do
    for i, part in ipairs(samples.parts_of(path)) do
      count = count + 1
      it(("is in that file: part %d of %s"):format(i, path), function()
        assert.is_truthy(samples.read_file(part.file):find(part.text, 1, true), part.text)
      end)
    end
  end

  it("has pages that show one", function() assert.is_true(count >= 6) end)
end)

describe("the example", function()
  for _, path in ipairs(links.files("lua/sat/library", ".lua")) do
    for _, item in ipairs(types.read(path).items) do
      for _, sample in ipairs(item.samples) do
        sample.path, sample.knows_sat = path, true
        sample.lines[1] = (samples.is_love(sample) and 'local sat = require "sat" ' or "") .. sample.lines[1]
      end
      check_all(item.samples)
    end
  end
end)

-- From the list of changes of LÖVE 12. A line that names the newer function, too, has asked which one is there.
local old_calls = {
  { "filesystem%.newFile" }, { "filesystem%.isFile" }, { "filesystem%.isDirectory" }, { "filesystem%.isSymlink" },
  { "filesystem%.getLastModified" }, { "filesystem%.getSize" }, { "math%.noise" }, { "math%.compress" },
  { "math%.decompress" }, { "graphics%.setNewFont" }, { "graphics%.newText%f[%W]" }, { "graphics%.stencil%f[%W]" },
  { "graphics%.[gs]etStencilTest" }, { "graphics%.getImageFormats" }, { "graphics%.getCanvasFormats" },
  { "[cC]anvas:newImageData", "readbackTexture" }, { "getBodyList" }, { "getFixtureList" }, { "getJointList" },
  { "getContactList" }, { "require *%(? *[\"'][%w_]+/" },
}

describe("on LÖVE 12,", function()
  for _, folder in ipairs { "README.md", "docs/guides", "docs/cookbook", "examples", "lua/sat" } do
    it("nothing in " .. folder .. " is deprecated", function()
      local paths = folder:find "%.md$" and { folder } or links.files(folder, ".md", links.files(folder, ".lua"))
      assert.is_true(#paths > 0)
      for _, path in ipairs(paths) do
        for line in io.lines(path) do
          for _, call in ipairs(old_calls) do
            assert.is_true(not line:find(call[1]) or call[2] and line:find(call[2]) ~= nil, path .. ": " .. line)
          end
        end
      end
    end)
  end
end)
