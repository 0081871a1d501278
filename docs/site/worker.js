// Runs a Lua program in a worker of its own: Lua draws on the canvas that the page has handed over. sat.js, which
// emscripten makes of Lua, sat and host.c, stands before this file.
"use strict";

let lua, canvas, context, transforms = [], color = "", alpha = 1, width = 1, scissored = false, playing = false, drawn = 0;

const css = ([red, green, blue, alpha]) => `rgba(${red * 255},${green * 255},${blue * 255},${alpha})`;
const font = (size) => `${size}px "DejaVu Sans", Verdana, sans-serif`;

function style() {
  context.strokeStyle = context.fillStyle = color;
  context.lineJoin = "round";
  context.lineWidth = width;
  context.textBaseline = "top";
}

// Draws the outline that `trace` adds to a path; `how` is "fill" or "stroke".
function paint(how, trace) {
  context.beginPath();
  trace();
  context[how]();
  drawn++;
}

function corners(points, from = 0) {
  context.moveTo(points[from], points[from + 1]);
  for (let i = from + 2; i + 1 < points.length; i += 2) context.lineTo(points[i], points[i + 1]);
}

const outline = (points) => { corners(points); context.closePath(); };

// The pieces of a shape abut, and between two fills a canvas shows a seam: a thin outline hides it.
function fillPolygon(points) {
  paint("fill", () => outline(points));
  if (alpha < 1) return;
  context.lineWidth = 0.7;
  context.stroke();
  context.lineWidth = width;
}
function ellipse(how, [x, y, rx, ry]) { paint(how, () => context.ellipse(x, y, rx, ry, 0, 0, 2 * Math.PI)); }
function rectangle(how, [x, y, w, h, radius]) {
  paint(how, () => radius && context.roundRect ? context.roundRect(x, y, w, h, radius) : context.rect(x, y, w, h));
}
function arc(how, [x, y, radius, from, to], kind) {
  paint(how, () => {
    if (kind === "pie") context.moveTo(x, y);
    context.arc(x, y, radius, from, to, to < from);
    if (kind !== "open") context.closePath();
  });
}

// The clip of a canvas can only be taken back together with all else that was saved with it.
function scissor([x, y, w, h]) {
  const transform = context.getTransform();
  if (scissored) context.restore();
  scissored = x !== undefined;
  if (scissored) {
    context.save();
    context.resetTransform();
    context.beginPath();
    context.rect(x, y, w, h);
    context.clip();
  }
  context.setTransform(transform);
  style();
}

function clear(ground) {
  const transform = context.getTransform();
  context.resetTransform();
  context.fillStyle = css(ground);
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.setTransform(transform);
  style();
}

function finish(message) {
  playing = false;
  postMessage(message);
}

// What Lua calls by page("name", …): the numbers of the call, and its string.
const operations = {
  color(numbers) { [color, alpha] = [css(numbers), numbers[3]]; style(); },
  lineWidth([value]) { width = value; style(); },
  clear,
  line(points) { paint("stroke", () => corners(points)); },
  points(numbers) {
    const size = numbers[0];
    for (let i = 1; i + 1 < numbers.length; i += 2) {
      context.fillRect(numbers[i] - size / 2, numbers[i + 1] - size / 2, size, size);
    }
    drawn++;
  },
  fillPolygon,
  linePolygon(points) { paint("stroke", () => outline(points)); },
  fillRectangle(numbers) { rectangle("fill", numbers); },
  lineRectangle(numbers) { rectangle("stroke", numbers); },
  fillEllipse(numbers) { ellipse("fill", numbers); },
  lineEllipse(numbers) { ellipse("stroke", numbers); },
  fillArc(numbers, kind) { arc("fill", numbers, kind); },
  lineArc(numbers, kind) { arc("stroke", numbers, kind); },
  push() { transforms.push(context.getTransform()); },
  pop() { context.setTransform(transforms.pop()); },
  origin() { transforms = []; context.resetTransform(); },
  translate([x, y]) { context.translate(x, y); },
  scale([x, y = x]) { context.scale(x, y); },
  rotate([angle]) { context.rotate(angle); },
  scissor,
  measure([size], text) {
    context.font = font(size);
    return context.measureText(text).width;
  },
  text([x, y, size], text) {
    context.font = font(size);
    text.split("\n").forEach((line, i) => context.fillText(line, x, y + size * (0.12 + 1.17 * i)));
    drawn++;
  },
  size([w, h]) {
    [canvas.width, canvas.height] = [w, h];
    style();
    postMessage({ kind: "size", width: w, height: h });
  },
  now() { return performance.now() / 1000; },
  print(_, text) { postMessage({ kind: "print", text }); },
  playing() { playing = true; postMessage({ kind: "playing" }); requestAnimationFrame(frame); },
  done() { finish({ kind: "done" }); },
  failed([line], text) { finish({ kind: "failed", text, line }); },
};

const send = (event, text = "", x = 0, y = 0, z = 0) =>
  lua.ccall("host_send", null, ["string", "string", "number", "number", "number"], [event, text, x, y, z]);

function frame(time) {
  if (!playing) return;
  drawn = 0;
  send("frame", "", time / 1000);
  if (!playing) return;
  postMessage({ kind: "frame", drawn });
  requestAnimationFrame(frame);
}

// files: text by path; folder: that of the example, or "/"; program: what is main.lua.
async function start({ files, folder, program, surface }) {
  canvas = surface;
  context = canvas.getContext("2d");
  operations.color([1, 1, 1, 1]);
  lua = await createSat({ operations });
  for (const [path, text] of Object.entries(files)) {
    lua.FS.mkdirTree(path.replace(/[^/]*$/, ""));
    lua.FS.writeFile(path, text);
  }
  postMessage({ kind: "ready" });
  lua.ccall("host_start", null, [], []);
  send("folder", folder);
  send("start", program);
}

onmessage = ({ data }) => {
  if (data.kind === "start") start(data).catch((error) => finish({ kind: "failed", text: String(error), line: 0 }));
  else if (data.kind === "ping") postMessage({ kind: "pong" });
  else if (playing) send(data.kind, data.text, data.x, data.y, data.z);
};
