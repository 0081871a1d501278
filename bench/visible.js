// visible.js: the peers of visible.lua, which calls it with its scenes: the name, the boxes and the places of each.
const fs = require("fs");

const SIDE = 1000, SECONDS = 3;

function areaOf(points) {
  let sum = 0, [x, y] = points[points.length - 1];
  for (const [a, b] of points) {
    sum += x * b - a * y;
    [x, y] = [a, b];
  }
  return Math.abs(sum) / 2;
}

// Red Blob Games' sweep: the modules in one function, since node wants endings of files in imports.
function redBlob(folder) {
  let text = "";
  for (const name of ["types", "segmentInFrontOf", "endpointCompare", "lineIntersection", "loadMap", "visibility"]) {
    text += "{\n" + fs.readFileSync(`${folder}/src/${name}.js`, "utf8").replace(/^import.*$/gm, "")
      .replace(/export const (\w+)/g, "$1") + "}\n";
  }
  const { loadMap, calculateVisibility } = new Function("let Rectangle, Block, Room, Point, EndPoint, Segment, loadMap,"
    + "segmentInFrontOf, endpointCompare, lineIntersection, calculateVisibility;\n" + text
    + "return { loadMap, calculateVisibility };")();
  const room = { x: 0, y: 0, width: SIDE, height: SIDE };
  return {
    name: "Red Blob Games' sweep, in node",
    prepare: (boxes) => boxes,
    see: (boxes, place) => calculateVisibility(place, loadMap(room, boxes, [], place)),
    area: (seen, place) => seen.reduce((sum, [p, q]) =>
      sum + areaOf([[place.x, place.y], [p.x, p.y], [q.x, q.y]]), 0),
  };
}

function visibilityPolygon(folder) {
  const VisibilityPolygon = new Function(fs.readFileSync(`${folder}/visibility_polygon.js`, "utf8")
    + "\nreturn VisibilityPolygon;")();
  return {
    name: "visibility-polygon-js, in node",
    prepare(boxes) {
      const polygons = [[[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]]];
      for (const { x, y, width: w, height: h } of boxes) polygons.push([[x, y], [x + w, y], [x + w, y + h], [x, y + h]]);
      return VisibilityPolygon.convertToSegments(polygons);
    },
    see: (segments, place) => VisibilityPolygon.compute([place.x, place.y], segments),
    area: (seen) => areaOf(seen),
  };
}

const peers = [];
if (process.env.RED_BLOB) peers.push(redBlob(process.env.RED_BLOB));
if (process.env.VISIBILITY_POLYGON) peers.push(visibilityPolygon(process.env.VISIBILITY_POLYGON));

for (const [name, boxes, places] of JSON.parse(process.argv[2])) {
  for (const peer of peers) {
    const scene = peer.prepare(boxes);
    let least = Infinity;
    for (let passed = 0; passed < SECONDS;) { // a function is compiled in the first rounds
      const start = process.cpuUsage(); // of the processor, as os.clock is
      for (const place of places) peer.see(scene, place);
      const { user, system } = process.cpuUsage(start);
      least = Math.min(least, (user + system) / places.length);
      passed += (user + system) / 1e6;
    }
    const area = places.reduce((sum, place) => sum + peer.area(peer.see(scene, place), place), 0) / places.length;
    console.log(`${name.padEnd(24)} ${peer.name.padEnd(34)} ${least.toFixed(1).padStart(8)} us   area ${area.toFixed(3)}`);
  }
}
