-- Maps whose layers are packed, which LÖVE unpacks. Returns a function that checks them by `try(name, f)`.

local HORIZONTAL, VERTICAL, DIAGONAL = 2147483648, 1073741824, 536870912

local function new_map(layer)
  layer.type, layer.name, layer.properties = "tilelayer", "ground", { collidable = true }
  local corners = { { x = 0, y = 16 }, { x = 16, y = 16 }, { x = 16, y = 0 } }
  return { orientation = "orthogonal", tilewidth = 16, tileheight = 16, layers = { layer }, tilesets = {
    { name = "set", firstgid = 1, tilewidth = 16, tileheight = 16, tiles = {
      { id = 1, objectGroup = { objects = { { id = 1, shape = "polygon", x = 0, y = 0, polygon = corners } } } },
    } },
  } }
end

local function bytes_of(data)
  local bytes = {}
  for i, gid in ipairs(data) do
    bytes[i] = string.char(gid % 256, math.floor(gid / 256) % 256, math.floor(gid / 65536) % 256,
      math.floor(gid / 16777216))
  end
  return table.concat(bytes)
end

local function pack(data, compression)
  local bytes = bytes_of(data)
  if compression then bytes = love.data.compress("string", compression, bytes) end
  return love.data.encode("string", "base64", bytes)
end

-- What the shapes of a map are, as a text.
local function describe(tiled, layer)
  local list = {}
  for i, shape in ipairs(tiled.shapes(new_map(layer))) do list[i] = table.concat({ shape:unpack() }, " ") end
  assert(list[1], "the map has shapes")
  return table.concat(list, "\n")
end

local function random_data(count)
  local data = {}
  for i = 1, count do
    local gid = love.math.random(0, 2)
    if gid > 0 then
      for _, flip in ipairs { HORIZONTAL, VERTICAL, DIAGONAL } do gid = gid + love.math.random(0, 1) * flip end
    end
    data[i] = gid
  end
  return data
end

local function is_refused(tiled, layer, text)
  local ok, message = pcall(tiled.shapes, new_map(layer))
  assert(not ok, "nothing is refused")
  assert(message:find("sat.tiled: " .. text, 1, true) == 1, message)
  return true
end

return function(tiled, try)
  local function layer_of(data, encoding, compression)
    return { width = 4, height = 2, encoding = encoding, compression = compression, data = data }
  end
  try("a map that Tiled has packed is read", function()
    return describe(tiled, layer_of({ 0, 0, 2, 1, 1, 1, 1, 1 }))
      == describe(tiled, layer_of("eNpjYIAAJiBmxIIBAIwACA==", "base64", "zlib"))
  end)
  for _, compression in ipairs { false, "zlib", "gzip" } do
    local packing = compression or nil
    local name = compression or "Base64"
    try(name .. ": layers and chunks with flipped tiles are what they are unpacked", function()
      for _ = 1, 20 do
        local data, other = random_data(8), random_data(8)
        assert(describe(tiled, layer_of(data)) == describe(tiled, layer_of(pack(data, packing), "base64", packing)))
        local function chunks(a, b, encoding)
          return { encoding = encoding, compression = encoding and packing, chunks = {
            { x = -4, y = 0, width = 4, height = 2, data = a }, { x = 5000, y = 7, width = 2, height = 4, data = b },
          } }
        end
        assert(describe(tiled, chunks(data, other)) ==
          describe(tiled, chunks(pack(data, packing), pack(other, packing), "base64")))
      end
      return true
    end)
    try(name .. ": damaged data names its layer", function()
      local text = pack({ 0, 0, 2, 1, 1, 1, 1, 1 }, packing)
      is_refused(tiled, layer_of(text:sub(1, -9), "base64", packing), "layer 'ground': its data ")
      is_refused(tiled, layer_of("*" .. text, "base64", packing), "layer 'ground': its data is damaged (")
      is_refused(tiled, layer_of("", "base64", packing), "layer 'ground': its data ")
      is_refused(tiled, layer_of(pack({ 1, 1 }, packing), "base64", packing),
        "layer 'ground': its data has 2 tiles, not 4 by 2")
      is_refused(tiled, layer_of("YWJjZGU=", "base64", packing), "layer 'ground': its data is damaged (")
      return is_refused(tiled, { encoding = "base64", compression = packing, chunks = {
        { x = 0, y = 0, width = 1, height = 1, data = "AAAA" },
      } }, "chunk 1 of layer 'ground': its data ")
    end)
  end
  try("zstd names its layer and what to do", function()
    return is_refused(tiled, layer_of("KLUv/SAgXQAAGAAAAgEBAAAAAA==", "base64", "zstd"),
      "layer 'ground': its data is packed (zstd): choose the tile layer format CSV in the map's properties")
  end)
end
