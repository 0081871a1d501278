-- What a thread of the game in this folder does: it plays its frames and hands over what it has seen.
local seed, channel = ...
local ok, result = pcall(function() return require "frames"(require "sat", seed) end)
love.thread.getChannel(channel):push(ok and result or "failed: " .. tostring(result))
