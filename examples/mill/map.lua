return {
  version = "1.10",
  luaversion = "5.1",
  tiledversion = "1.10.2",
  class = "",
  orientation = "orthogonal",
  renderorder = "right-down",
  width = 30,
  height = 20,
  tilewidth = 32,
  tileheight = 32,
  nextlayerid = 5,
  nextobjectid = 44,
  backgroundcolor = { 20, 24, 31 },
  properties = {
    ["gravity"] = 700,
    ["title"] = "The gem mill"
  },
  tilesets = {},
  layers = {
    {
      type = "objectgroup",
      draworder = "topdown",
      id = 1,
      name = "walls",
      class = "",
      visible = true,
      opacity = 1,
      offsetx = 0,
      offsety = 0,
      parallaxx = 1,
      parallaxy = 1,
      properties = {},
      objects = {
        {
          id = 1, name = "ceiling", type = "wall", shape = "rectangle",
          x = 0, y = 0, width = 960, height = 32, rotation = 0, visible = true, properties = {}
        },
        {
          id = 2, name = "left wall", type = "wall", shape = "rectangle",
          x = 0, y = 32, width = 32, height = 608, rotation = 0, visible = true, properties = {}
        },
        {
          id = 3, name = "right wall", type = "wall", shape = "rectangle",
          x = 928, y = 32, width = 32, height = 608, rotation = 0, visible = true, properties = {}
        },
        {
          id = 4, name = "left floor", type = "ramp", shape = "polygon",
          x = 32, y = 544, width = 0, height = 0, rotation = 0, visible = true,
          polygon = {
            { x = 0, y = 0 },
            { x = 368, y = 64 },
            { x = 368, y = 96 },
            { x = 0, y = 96 }
          },
          properties = {}
        },
        {
          id = 5, name = "right floor", type = "ramp", shape = "polygon",
          x = 928, y = 640, width = 0, height = 0, rotation = 0, visible = true,
          polygon = {
            { x = 0, y = 0 },
            { x = -368, y = 0 },
            { x = -368, y = -32 },
            { x = 0, y = -96 }
          },
          properties = {}
        },
        {
          id = 6, name = "left corner", type = "ramp", shape = "polygon",
          x = 32, y = 300, width = 0, height = 0, rotation = 0, visible = true,
          polygon = {
            { x = 0, y = 0 },
            { x = 56, y = 72 },
            { x = 0, y = 72 }
          },
          properties = {}
        },
        {
          id = 7, name = "right corner", type = "ramp", shape = "polygon",
          x = 928, y = 360, width = 0, height = 0, rotation = 0, visible = true,
          polygon = {
            { x = 0, y = 0 },
            { x = -44, y = 60 },
            { x = 0, y = 96 }
          },
          properties = {}
        }
      }
    },
    {
      type = "objectgroup",
      draworder = "topdown",
      id = 2,
      name = "machinery",
      class = "",
      visible = true,
      opacity = 1,
      offsetx = 0,
      offsety = 0,
      parallaxx = 1,
      parallaxy = 1,
      properties = {},
      objects = {
        {
          id = 10, name = "left chute", type = "plank", shape = "rectangle",
          x = 32, y = 160, width = 240, height = 16, rotation = 20, visible = true, properties = {}
        },
        {
          id = 11, name = "right chute", type = "plank", shape = "rectangle",
          x = 702, y = 242, width = 240, height = 16, rotation = -20, visible = true,
          properties = {}
        },
        {
          id = 12, name = "", type = "peg", shape = "ellipse",
          x = 370, y = 176, width = 28, height = 28, rotation = 0, visible = true, properties = {}
        },
        {
          id = 13, name = "", type = "peg", shape = "ellipse",
          x = 466, y = 176, width = 28, height = 28, rotation = 0, visible = true, properties = {}
        },
        {
          id = 14, name = "", type = "peg", shape = "ellipse",
          x = 562, y = 176, width = 28, height = 28, rotation = 0, visible = true, properties = {}
        },
        {
          id = 15, name = "", type = "peg", shape = "ellipse",
          x = 418, y = 256, width = 28, height = 28, rotation = 0, visible = true, properties = {}
        },
        {
          id = 16, name = "", type = "peg", shape = "ellipse",
          x = 514, y = 256, width = 28, height = 28, rotation = 0, visible = true, properties = {}
        },
        {
          id = 17, name = "roof", type = "ramp", shape = "polygon",
          x = 480, y = 350, width = 0, height = 0, rotation = 0, visible = true,
          polygon = {
            { x = 0, y = 0 },
            { x = 52, y = 40 },
            { x = 0, y = 64 },
            { x = -52, y = 40 }
          },
          properties = {}
        },
        {
          id = 20, name = "left wheel", type = "paddle", shape = "rectangle",
          x = 245, y = 371, width = 130, height = 18, rotation = 0, visible = true,
          properties = { ["spin"] = 75 }
        },
        {
          id = 21, name = "left wheel", type = "paddle", shape = "rectangle",
          x = 319, y = 315, width = 130, height = 18, rotation = 90, visible = true,
          properties = { ["spin"] = 75 }
        },
        {
          id = 22, name = "right wheel", type = "paddle", shape = "polygon",
          x = 650, y = 380, width = 0, height = 0, rotation = 0, visible = true,
          polygon = {
            { x = 52, y = 0 },
            { x = 26, y = 45 },
            { x = -26, y = 45 },
            { x = -52, y = 0 },
            { x = -26, y = -45 },
            { x = 26, y = -45 }
          },
          properties = { ["spin"] = -120 }
        },
        {
          id = 23, name = "left pillar", type = "pillar", shape = "ellipse",
          x = 190, y = 498, width = 44, height = 110, rotation = 0, visible = true, properties = {}
        },
        {
          id = 24, name = "right pillar", type = "pillar", shape = "ellipse",
          x = 752, y = 486, width = 40, height = 116, rotation = 18, visible = true, properties = {}
        },
        {
          id = 25, name = "ledge", type = "plank", shape = "rectangle",
          x = 32, y = 456, width = 128, height = 16, rotation = 0, visible = true, properties = {}
        },
        {
          id = 26, name = "bumper", type = "pillar", shape = "ellipse",
          x = 836, y = 412, width = 44, height = 44, rotation = 0, visible = true, properties = {}
        }
      }
    },
    {
      type = "objectgroup",
      draworder = "topdown",
      id = 3,
      name = "crates",
      class = "",
      visible = true,
      opacity = 1,
      offsetx = 0,
      offsety = 0,
      parallaxx = 1,
      parallaxy = 1,
      properties = {},
      objects = {
        {
          id = 30, name = "", type = "crate", shape = "rectangle",
          x = 40, y = 420, width = 36, height = 36, rotation = 0, visible = true, properties = {}
        },
        {
          id = 31, name = "", type = "crate", shape = "rectangle",
          x = 84, y = 420, width = 36, height = 36, rotation = 0, visible = true, properties = {}
        },
        {
          id = 32, name = "", type = "crate", shape = "rectangle",
          x = 62, y = 384, width = 36, height = 36, rotation = 0, visible = true, properties = {}
        }
      }
    },
    {
      type = "objectgroup",
      draworder = "topdown",
      id = 4,
      name = "places",
      class = "",
      visible = true,
      opacity = 1,
      offsetx = 0,
      offsety = 0,
      parallaxx = 1,
      parallaxy = 1,
      properties = {},
      objects = {
        {
          id = 40, name = "left", type = "spawn", shape = "point",
          x = 140, y = 80, width = 0, height = 0, rotation = 0, visible = true, properties = {}
        },
        {
          id = 41, name = "middle", type = "spawn", shape = "point",
          x = 486, y = 80, width = 0, height = 0, rotation = 0, visible = true, properties = {}
        },
        {
          id = 42, name = "right", type = "spawn", shape = "point",
          x = 820, y = 80, width = 0, height = 0, rotation = 0, visible = true, properties = {}
        },
        {
          id = 43, name = "drain", type = "exit", shape = "rectangle",
          x = 400, y = 616, width = 160, height = 24, rotation = 0, visible = true,
          properties = { ["back to"] = "spawn" }
        }
      }
    }
  }
}
