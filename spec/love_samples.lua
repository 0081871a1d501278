-- Makes a game of each sample of the documentation that is one: lua spec/love_samples.lua FOLDER. It prints their
-- folders, which are in that one. Each plays for a second, and prints "1 passed, 0 failed" when it has drawn something.
-- .ci/steps/love plays them.
local links = require "spec.links"
local samples = require "spec.samples"
local types = require "docs.types"

local END = [[

local frames, before = 0, love.draw
function love.draw()
  before()
  frames = frames + 1
  if frames < 60 then return end
  local drawn = love.graphics.getStats().drawcalls > 0
  print(drawn and "1 passed, 0 failed" or "0 passed, 1 failed")
  love.event.quit(drawn and 0 or 1)
end
function love.errorhandler(message)
  print(message .. "\n0 passed, 1 failed")
  return function() return 1 end
end
]]

local count = 0
local function write(folder, sample, head)
  if not samples.is_love(sample) then return end
  count = count + 1
  local game = folder .. "/" .. count
  assert(require("lfs").mkdir(game))
  local file = assert(io.open(game .. "/main.lua", "w"))
  file:write(head, table.concat(sample.lines, "\n"), END)
  file:close()
  print(game)
end

for _, path in ipairs(links.files(".", ".md")) do
  for _, sample in ipairs(samples.of_markdown(path)) do write(arg[1], sample, "") end
  for _, sample in ipairs(samples.of_markdown(path, "love.physics")) do write(arg[1], sample, "") end
end
for _, item in ipairs(types.read("lua/sat/library/sat.lua").items) do
  for _, sample in ipairs(item.samples) do write(arg[1], sample, 'local sat = require "sat" ') end
end
