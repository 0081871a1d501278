// node .ci/site.mjs FOLDER FINGERPRINT [WORD]: tries the site in FOLDER in a real browser, and prints "N passed, N failed".
// FINGERPRINT is what `make demo` prints on this machine; with a word only the tests whose name has it are run.
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { open } from "./browser.mjs";

const folder = resolve(process.argv[2]), fingerprint = process.argv[3], word = process.argv[4] || "";
const url = (path) => "file://" + join(folder, path);
const ENDS = 120; // seconds within which a program has ended or drawn some frames, on a machine that is busy
let passed = 0, failed = 0;

const page = await open();

// Runs `work` once the page shows the path, and adds what the console says to the fault that it gives.
async function on(name, path, work) {
  if (!name.includes(word)) return;
  let fault;
  page.errors.length = 0;
  try {
    await page.visit(url(path));
    fault = await work();
  } catch (error) {
    fault = error.message;
  }
  fault ||= page.errors.join("; ");
  if (fault) console.log(`failed: ${name}: ${fault}`);
  if (fault) failed++;
  else passed++;
}

// ---------------------------------------------------------------- samples

const FINISHED = `["done", "failed", "stopped"].includes(state.state) || state.state === "playing" && state.frames >= 3`;

// What is wrong with the program of a stage, which has been started.
async function faultOf(stage) {
  const ended = await page.until(`{ const state = ${stage}.dataset; ${FINISHED} }`, ENDS);
  const { state, frames, drawn } = await page.evaluate(`({ ...${stage}.dataset })`);
  const said = await page.evaluate(`${stage}.querySelector(".error")?.textContent || ""`);
  if (!ended) return `it is still ${state} after ${ENDS} seconds`;
  if (state === "playing") return drawn > 0 ? "" : `it draws nothing in frame ${frames}`;
  return state === "done" ? "" : `${state}: ${said}`;
}

// Each sample of a page runs, and prints what stands behind "-->".
async function samples() {
  const count = await page.evaluate(`document.querySelectorAll(".sample").length`);
  for (let i = 0; i < count; i++) {
    const sample = `document.querySelectorAll(".sample")[${i}]`, stage = sample + `.querySelector(".stage")`;
    await page.evaluate(sample + `.querySelector(".run").click()`);
    const fault = await faultOf(stage) || await page.evaluate(`(${differs})(${sample})`);
    await page.evaluate(`Program.current?.stop()`);
    if (fault) return `sample ${i + 1}: ${fault}`;
  }
}

// In the page: the first line of output that is not what the sample says.
function differs(sample) {
  const words = (text) => text.trim().split(/\s+/);
  const same = (a, b) => a === b || Math.abs(Number(a) - Number(b)) <= 1e-9;
  const said = [...sample.querySelectorAll(".printed")].map((span) => span.textContent.replace("-->", ""));
  const lines = sample.querySelector(".output").textContent.split("\n").slice(0, -1);
  if (said.length !== lines.length && sample.querySelector("canvas").hidden) return `${lines.length} lines, and not ${said.length}`;
  const wrong = said.findIndex((text, i) => {
    const [expected, actual] = [words(text), words(lines[i] || "")];
    return expected.length !== actual.length || expected.some((word, k) => !same(word, actual[k]));
  });
  return wrong < 0 ? "" : `it prints ${lines[wrong]}, and not ${said[wrong]}`;
}

// ---------------------------------------------------------------- the playground

const STAGE = `document.querySelector("#playground .stage")`;

async function run(text) {
  await page.until(`document.querySelector("#playground").dataset.ready === ""`, ENDS);
  if (text !== undefined) await page.evaluate(`document.querySelector("textarea").value = ${JSON.stringify(text)}`);
  await page.evaluate(`document.querySelector("#playground .run").click()`);
}

const link = (text) => "playground.html#code=" + Buffer.from(text).toString("base64url");
const errorOf = () => page.evaluate(`${STAGE}.querySelector(".error").textContent`);
const markedLine = () => page.evaluate(`document.querySelector(".gutter .marked")?.textContent.trim()`);

// A program that has to fail with these words, and with this line marked.
const failing = (text, words, line) => async () => {
  await run();
  if (!await page.until(`${STAGE}.dataset.state === "failed"`, ENDS)) return "it does not fail";
  const [said, marked] = [await errorOf(), await markedLine()];
  if (!said.includes(words)) return `it says ${said}`;
  return marked === line ? "" : `line ${marked} is marked, and not ${line}`;
};

async function example() {
  await run();
  return faultOf(STAGE);
}

async function demo() {
  const fault = await example();
  const text = await page.evaluate(`${STAGE}.querySelector(".output").textContent`);
  return fault || (text.includes(`fingerprint ${fingerprint},`) ? "" : `another fingerprint: ${text}`);
}

// Keys and the mouse reach the program.
const PLAYER = `
function love.draw() love.graphics.rectangle("fill", 0, 0, 9, 9) end
function love.keypressed(key) print("key " .. key) end
function love.mousepressed(x, y, button) print(("mouse %d %d %d"):format(x, y, button)) end`;
async function input() {
  await run();
  await page.until(`${STAGE}.dataset.frames > 2`, ENDS);
  const canvas = await page.evaluate(`(() => {
    const canvas = document.querySelector("canvas");
    canvas.scrollIntoView();
    const { left, top, width } = canvas.getBoundingClientRect();
    return { left, top, scale: width / 800 };
  })()`);
  const mouse = { x: canvas.left + 100 * canvas.scale, y: canvas.top + 50 * canvas.scale, button: "left", clickCount: 1 };
  await page.call("Input.dispatchMouseEvent", { type: "mousePressed", ...mouse });
  await page.call("Input.dispatchMouseEvent", { type: "mouseReleased", ...mouse });
  await page.call("Input.dispatchKeyEvent", { type: "keyDown", key: "ArrowLeft", code: "ArrowLeft" });
  const wanted = /mouse (99|100) (49|50) 1\nkey left/;
  const output = `${STAGE}.querySelector(".output").textContent`;
  return await page.until(`${wanted}.test(${output})`, ENDS) ? "" : "the program was told: " + await page.evaluate(output);
}

async function blank() {
  await run();
  const output = `${STAGE}.querySelector(".output").textContent`;
  return await page.until(`${output}.includes("has drawn nothing")`, ENDS) ? "" : "it says nothing";
}

async function shared() {
  await page.until(`document.querySelector("#playground").dataset.ready === ""`, ENDS);
  await page.evaluate(`document.querySelector(".share").click()`);
  const again = await page.evaluate(`decode(new URLSearchParams(location.hash.slice(1)).get("code"))`);
  return again === UNICODE ? "" : "the link holds " + again;
}
const UNICODE = `print("größer – 大")`;

async function withoutWebAssembly() {
  await page.until(`${STAGE}.dataset.state === "failed"`, ENDS);
  const said = await errorOf();
  page.errors.length = 0;
  return said.startsWith("This browser has no WebAssembly") ? "" : said;
}

async function searching() {
  await page.evaluate(`(() => { const input = document.querySelector("#search"); input.focus(); input.value = "raycast"; })()`);
  await page.until(`globalThis.SAT_SEARCH`, ENDS);
  await page.evaluate(`document.querySelector("#search").dispatchEvent(new Event("input"))`);
  const first = await page.evaluate(`document.querySelector("#found a")?.getAttribute("href")`);
  return /#(sat\.|world:|tree:)raycast/.test(first) ? "" : `"raycast" finds ${first}`;
}

// ---------------------------------------------------------------- everything

const pages = readdirSync(folder, { recursive: true }).map(String).filter((path) => path.endsWith(".html")).sort();
for (const path of pages) await on(path, path, samples);

const endless = "local n = 0\nwhile true do n = n + 1 end\n";
const stubborn = "while true do pcall(function() while true do end end) end\n";
await on("an endless program is stopped", link(endless), failing(endless, "stopped: the program has run", "2"));
await on("one that catches its end, too", link(stubborn), failing(stubborn, "stopped: the program does not answer", undefined));
await on("an error marks its line", link("local a = 1\n\nprint(a.b.c)\n"), failing("", "attempt to index", "3"));
await on("so does a wrong argument", link('local sat = require "sat"\nsat.circle(1, 2)\n'), failing("", "radius", "2"));
await on("so does a program that is no Lua", link("local a = 1\nlocal b = = 2\n"), failing("", "unexpected symbol", "2"));
await on("what LÖVE has and the playground has not is named", link("function love.draw()\n  love.graphics.newImage('a')\nend"),
  failing("", "love.graphics.newImage is not in the playground", "2"));
await on("keys and the mouse reach the program", link(PLAYER), input);
await on("a program that draws nothing is told so", link("function love.update() end"), blank);
await on("a link carries the program", link(UNICODE), shared);
await on("the search finds", "index.html", searching);
await page.visit(url("playground.html"));
const examples = await page.evaluate(`JSON.parse(document.querySelector("#examples").textContent).map(({ name }) => name)`);
for (const name of examples) await on("example " + name, "playground.html#example=" + name, name === "demo" ? demo : example);

await page.call("Page.addScriptToEvaluateOnNewDocument", { source: "delete globalThis.WebAssembly" });
await on("a browser without WebAssembly gets a sentence", "playground.html", withoutWebAssembly);
await page.close();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
