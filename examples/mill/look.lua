-- How the gem mill looks, in the picture and in LÖVE.
local look = {}

-- The colours of Okabe and Ito, which colour-blind people can tell apart, on a dark ground.
look.colors = {
  circle = "#e69f00",
  capsule = "#56b4e9",
  hexagon = "#009e73",
  box = "#f0e442",
  ["rounded triangle"] = "#d55e00",
  ellipse = "#cc79a7",
  hull = "#0080c8",
  segment = "#c9b8ff",
  crate = "#b8a58a",
  wall = "#3d4859",
  turning = "#66758c",
  ground = "#14181f",
  arrow = "#ffffff",
  text = "#e8ecf2",
  faint = "#9aa7b8",
}

-- Most MTVs are shorter than a pixel, so their arrows are longer.
function look.arrowLength(depth)
  return math.min(64, math.max(14, depth * 8))
end

look.arrowCaption =
  "the MTV of a collision, out of the other shape (drawn 8 times as long, 14 to 64 px)"

return look
