return {
  version = "1.10",
  luaversion = "5.1",
  tiledversion = "1.10.2",
  class = "",
  orientation = "orthogonal",
  renderorder = "right-down",
  width = 132,
  height = 26,
  tilewidth = 20,
  tileheight = 20,
  nextlayerid = 5,
  nextobjectid = 27,
  backgroundcolor = { 20, 24, 31 },
  properties = {
    ["title"] = "Over the hills"
  },
  tilesets = {},
  layers = {
    {
      type = "objectgroup",
      draworder = "topdown",
      id = 1,
      name = "ground",
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
          id = 1, name = "hills", type = "ground", shape = "polygon",
          x = 0, y = 520, width = 0, height = 0, rotation = 0, visible = true,
          polygon = {
            { x = 0, y = 0 }, { x = 0, y = -140 }, { x = 180, y = -140 }, { x = 260, y = -180 },
            { x = 360, y = -180 }, { x = 430, y = -130 }, { x = 520, y = -120 }, { x = 600, y = -120 },
            { x = 600, y = -24 }, { x = 720, y = -24 }, { x = 720, y = -120 }, { x = 840, y = -120 },
            { x = 980, y = -210 }, { x = 1060, y = -210 }, { x = 1110, y = -100 }, { x = 1480, y = -100 },
            { x = 1530, y = -160 }, { x = 1590, y = -160 }, { x = 1590, y = -24 }, { x = 1860, y = -24 },
            { x = 1860, y = -160 }, { x = 1930, y = -160 }, { x = 1930, y = 0 }
          },
          properties = {}
        },
        {
          id = 2, name = "rock", type = "ground", shape = "polygon",
          x = 1190, y = 190, width = 0, height = 0, rotation = 0, visible = true,
          polygon = {
            { x = 0, y = 0 }, { x = 230, y = -20 }, { x = 290, y = 50 }, { x = 260, y = 155 },
            { x = 210, y = 120 }, { x = 60, y = 110 }, { x = 20, y = 150 }, { x = -30, y = 80 }
          },
          properties = {}
        },
        {
          id = 3, name = "rope bridge", type = "bridge", shape = "polyline",
          x = 1930, y = 360, width = 0, height = 0, rotation = 0, visible = true,
          polyline = {
            { x = 0, y = 0 }, { x = 30, y = 14 }, { x = 60, y = 26 }, { x = 90, y = 34 },
            { x = 120, y = 41 }, { x = 150, y = 45 }, { x = 180, y = 46 }, { x = 210, y = 45 },
            { x = 240, y = 41 }, { x = 270, y = 34 }, { x = 300, y = 26 }, { x = 330, y = 14 },
            { x = 360, y = 0 }
          },
          properties = {}
        },
        {
          id = 4, name = "far side", type = "ground", shape = "polygon",
          x = 2290, y = 360, width = 0, height = 0, rotation = 0, visible = true,
          polygon = {
            { x = 0, y = 0 }, { x = 110, y = 0 }, { x = 140, y = -15 }, { x = 230, y = -15 },
            { x = 230, y = -60 }, { x = 350, y = -60 }, { x = 350, y = 160 }, { x = 0, y = 160 }
          },
          properties = {}
        },
        {
          id = 5, name = "left end", type = "ground", shape = "rectangle",
          x = -40, y = -400, width = 40, height = 920, rotation = 0, visible = true,
          properties = {}
        },
        {
          id = 6, name = "right end", type = "ground", shape = "rectangle",
          x = 2640, y = -400, width = 40, height = 920, rotation = 0, visible = true,
          properties = {}
        }
      }
    },
    {
      type = "objectgroup",
      draworder = "topdown",
      id = 2,
      name = "platforms",
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
          id = 7, name = "", type = "platform", shape = "rectangle",
          x = 330, y = 240, width = 100, height = 16, rotation = 0, visible = true,
          properties = {}
        },
        {
          id = 8, name = "", type = "platform", shape = "rectangle",
          x = 470, y = 170, width = 100, height = 16, rotation = 0, visible = true,
          properties = {}
        },
        {
          id = 9, name = "", type = "platform", shape = "rectangle",
          x = 790, y = 230, width = 110, height = 16, rotation = -20, visible = true,
          properties = {}
        },
        {
          id = 10, name = "ferry", type = "platform", shape = "rectangle",
          x = 1592, y = 360, width = 90, height = 16, rotation = 0, visible = true,
          properties = { ["along"] = 176, ["seconds"] = 4 }
        }
      }
    },
    {
      type = "objectgroup",
      draworder = "topdown",
      id = 3,
      name = "dangers",
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
          id = 11, name = "", type = "spike", shape = "polygon",
          x = 600, y = 496, width = 0, height = 0, rotation = 0, visible = true,
          polygon = {
            { x = 0, y = 0 }, { x = 10, y = -24 }, { x = 20, y = 0 }, { x = 30, y = -24 },
            { x = 40, y = 0 }, { x = 50, y = -24 }, { x = 60, y = 0 }, { x = 70, y = -24 },
            { x = 80, y = 0 }, { x = 90, y = -24 }, { x = 100, y = 0 }, { x = 110, y = -24 },
            { x = 120, y = 0 }, { x = 120, y = 4 }, { x = 0, y = 4 }
          },
          properties = {}
        },
        {
          id = 12, name = "", type = "spike", shape = "polygon",
          x = 1590, y = 496, width = 0, height = 0, rotation = 0, visible = true,
          polygon = {
            { x = 0, y = 0 }, { x = 13, y = -24 }, { x = 27, y = 0 }, { x = 40, y = -24 },
            { x = 54, y = 0 }, { x = 67, y = -24 }, { x = 81, y = 0 }, { x = 94, y = -24 },
            { x = 108, y = 0 }, { x = 121, y = -24 }, { x = 135, y = 0 }, { x = 148, y = -24 },
            { x = 162, y = 0 }, { x = 175, y = -24 }, { x = 189, y = 0 }, { x = 202, y = -24 },
            { x = 216, y = 0 }, { x = 229, y = -24 }, { x = 243, y = 0 }, { x = 256, y = -24 },
            { x = 270, y = 0 }, { x = 270, y = 4 }, { x = 0, y = 4 }
          },
          properties = {}
        }
      }
    },
    {
      type = "objectgroup",
      draworder = "topdown",
      id = 4,
      name = "things",
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
          id = 13, name = "", type = "coin", shape = "ellipse",
          x = 301, y = 291, width = 18, height = 18, rotation = 0, visible = true,
          properties = {}
        },
        {
          id = 14, name = "", type = "coin", shape = "ellipse",
          x = 371, y = 196, width = 18, height = 18, rotation = 0, visible = true,
          properties = {}
        },
        {
          id = 15, name = "", type = "coin", shape = "ellipse",
          x = 511, y = 126, width = 18, height = 18, rotation = 0, visible = true,
          properties = {}
        },
        {
          id = 16, name = "", type = "coin", shape = "ellipse",
          x = 651, y = 321, width = 18, height = 18, rotation = 0, visible = true,
          properties = {}
        },
        {
          id = 17, name = "", type = "coin", shape = "ellipse",
          x = 651, y = 361, width = 18, height = 18, rotation = 0, visible = true,
          properties = {}
        },
        {
          id = 18, name = "", type = "coin", shape = "ellipse",
          x = 831, y = 161, width = 18, height = 18, rotation = 0, visible = true,
          properties = {}
        },
        {
          id = 19, name = "", type = "coin", shape = "ellipse",
          x = 1011, y = 261, width = 18, height = 18, rotation = 0, visible = true,
          properties = {}
        },
        {
          id = 20, name = "", type = "coin", shape = "ellipse",
          x = 1291, y = 376, width = 18, height = 18, rotation = 0, visible = true,
          properties = {}
        },
        {
          id = 21, name = "", type = "coin", shape = "ellipse",
          x = 1351, y = 376, width = 18, height = 18, rotation = 0, visible = true,
          properties = {}
        },
        {
          id = 22, name = "", type = "coin", shape = "ellipse",
          x = 1711, y = 291, width = 18, height = 18, rotation = 0, visible = true,
          properties = {}
        },
        {
          id = 23, name = "", type = "coin", shape = "ellipse",
          x = 2101, y = 351, width = 18, height = 18, rotation = 0, visible = true,
          properties = {}
        },
        {
          id = 24, name = "", type = "coin", shape = "ellipse",
          x = 2461, y = 296, width = 18, height = 18, rotation = 0, visible = true,
          properties = {}
        },
        {
          id = 25, name = "start", type = "spawn", shape = "point",
          x = 80, y = 340, width = 0, height = 0, rotation = 0, visible = true,
          properties = {}
        },
        {
          id = 26, name = "flag", type = "goal", shape = "rectangle",
          x = 2570, y = 220, width = 6, height = 80, rotation = 0, visible = true,
          properties = {}
        }
      }
    }
  }
}
