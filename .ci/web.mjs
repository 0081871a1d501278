// node .ci/web.mjs FOLDER [PICTURE]: plays a game made with love.js in a real browser, and prints what it prints, to a line
// "N passed, N failed, N skipped". With PICTURE, a file, it plays for some seconds, and what the game shows is written
// there; then no error passes, and no picture of fewer than three colours.
import { createServer } from "node:http";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { open } from "./browser.mjs";

const [folder, picture] = process.argv.slice(2);
const LIMIT = 900; // seconds
const TYPES = { html: "text/html", js: "text/javascript", wasm: "application/wasm", css: "text/css" };

// love.js has threads, for which a page has to be a world of its own.
const HEADERS = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };
const server = createServer((request, response) => {
  const path = new URL(request.url, "http://localhost").pathname.replace(/\/$/, "/index.html");
  try {
    const bytes = readFileSync(join(folder, path));
    response.writeHead(200, { ...HEADERS, "Content-Type": TYPES[path.split(".").pop()] || "application/octet-stream" });
    response.end(bytes);
  } catch {
    response.writeHead(path === "/favicon.ico" ? 204 : 404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));

const page = await open(["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]);
await page.call("Page.addScriptToEvaluateOnNewDocument", { source: `
  var said = [];
  for (const name of ["log", "warn", "error"]) {
    const say = console[name];
    console[name] = (...words) => { said.push(words.join(" ")); say.apply(console, words); };
  }` });
await page.visit(`http://127.0.0.1:${server.address().port}/`);

const ENDED = String.raw`said.some((line) => /^\d+ passed, \d+ failed|exception thrown|^sat\.js: /.test(line))`;
let status = 0;
if (picture) {
  await page.until(`Module.calledRun || ${ENDED}`, LIMIT);
  await new Promise((done) => setTimeout(done, 4000));
  const clip = await page.evaluate(`(() => {
    document.head.append(Object.assign(document.createElement("style"),
      { textContent: "* { visibility: hidden } #canvas { visibility: visible }" }));
    const { x, y, width, height } = document.querySelector("#canvas").getBoundingClientRect();
    return { x: x + scrollX, y: y + scrollY, width, height, scale: 1 };
  })()`);
  const { data } = await page.call("Page.captureScreenshot", { format: "png", clip, captureBeyondViewport: true });
  writeFileSync(picture, Buffer.from(data, "base64"));
  const colours = await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob("${data}"), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer), counts = new Map();
    for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) || 0) + 1);
    return [...counts.values()].filter((count) => count >= 20).length;
  })()`);
  const failed = await page.evaluate(String.raw`said.some((line) => /^Error: /.test(line))`); // of LÖVE
  if (page.errors.length !== 0 || failed || colours < 3) status = 1;
} else if (!(await page.until(ENDED, LIMIT))) {
  status = 1;
}
console.log((await page.evaluate(String.raw`said.join("\n")`)) + "\n" + page.errors.map((line) => "error: " + line).join("\n"));
await page.close();
server.close();
process.exit(status);
