// decomposition.mjs: earcut, which only triangulates, on the rings that decomposition.c has written.
//   npm install --prefix build/bench earcut
//   build/bench/decomposition build/bench/rings && node bench/decomposition.mjs build/bench/rings
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const file = process.argv[2];
const require = createRequire(path.resolve(file));
const earcut = (await import(pathToFileURL(require.resolve("earcut")))).default;

console.log("ring      vertices        ms  triangles");
for (const line of fs.readFileSync(file, "utf8").split("\n")) {
  if (!line) continue;
  const [name, ...words] = line.split(" ");
  const points = words.map(Number);
  const rounds = [];
  const begin = performance.now();
  let triangles = 0;
  // Warm, and the median, as in decomposition.c; earcut may take minutes for one of the largest.
  while (rounds.length < 3 || (rounds.length < 200 && performance.now() - begin < 1500)) {
    const start = performance.now();
    triangles = earcut(points).length / 3;
    rounds.push(performance.now() - start);
    if (performance.now() - begin > 5000) break;
  }
  rounds.sort((a, b) => a - b);
  const median = rounds[Math.floor(rounds.length / 2)];
  console.log(
    name.padEnd(10) + String(points.length / 2).padStart(8) + median.toFixed(3).padStart(10) +
      String(triangles).padStart(11));
}
